// SPDX-License-Identifier: MIT
//
// Short forms for WebGL 2: programs, textures, and the matrix of a camera.

/** Compiles a program in the background: ready() says whether it can be used without waiting. */
export function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(
      shader,
      `#version 300 es\nprecision highp float;\nprecision highp int;\n${source}`,
    );
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  const parallel = gl.getExtension("KHR_parallel_shader_compile");
  let places;

  function use() {
    if (!places) {
      if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost())
        throw new Error(
          [
            gl.getProgramInfoLog(made),
            ...gl.getAttachedShaders(made).map((each) => gl.getShaderInfoLog(each)),
          ].join(" "),
        );
      places = new Map();
      const count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS) ?? 0;
      for (let i = 0; i < count; i++) {
        const { name, type } = gl.getActiveUniform(made, i);
        places.set(name, [gl.getUniformLocation(made, name), type]);
      }
    }
    gl.useProgram(made);
  }

  const [one, two, three] = [gl.FLOAT, gl.FLOAT_VEC2, gl.FLOAT_VEC3];
  const SET = { [one]: "uniform1f", [two]: "uniform2fv", [three]: "uniform3fv" };
  return {
    ready: () =>
      !parallel ||
      gl.isContextLost() ||
      gl.getProgramParameter(made, parallel.COMPLETION_STATUS_KHR),
    /** Makes it current with values for its uniforms; those that it has not are ignored. */
    use(values) {
      use();
      for (const [name, [place, type]] of places) {
        const value = values[name];
        if (value === undefined) throw new Error(`no value for ${name}`);
        if (type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(place, false, value);
        else gl[SET[type] ?? "uniform1i"](place, value);
      }
    },
  };
}

/** A texture on a unit; settings are pairs of a parameter and a value. */
export function texture(gl, unit, ...settings) {
  const made = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, made);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  for (const [name, value] of settings) gl.texParameteri(gl.TEXTURE_2D, name, value);
  return made;
}

const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const dot = ([a, b, c], [x, y, z]) => a * x + b * y + c * z;

/**
 * A camera from a direction that frames points, as near as it can be. Angles in radians; frame is
 * { x, y, width, height } of the part of the picture to fill, where the whole picture is -1 to 1;
 * closer is a factor of the distance. Returns { matrix, eye }.
 */
export function camera({ turn, tilt, fov, aspect, points, frame, closer }) {
  const back = [Math.sin(turn) * Math.cos(tilt), Math.sin(tilt), Math.cos(turn) * Math.cos(tilt)];
  const right = [Math.cos(turn), 0, -Math.sin(turn)];
  const up = cross(back, right);
  const tall = Math.tan(fov / 2);
  const wide = tall * aspect;
  const seen = points.map((point) => [dot(point, right), dot(point, up), dot(point, back)]);
  const middle = [0, 0]; // what is in the middle of the frame, along right and up
  let distance = 0;
  for (let round = 0; round < 4; round++) {
    distance = Math.max(
      ...seen.map(
        ([x, y, z]) =>
          Math.max(
            Math.abs(x - middle[0]) / (wide * frame.width),
            Math.abs(y - middle[1]) / (tall * frame.height),
          ) + z,
      ),
    );
    for (const axis of [0, 1]) {
      const places = seen.map((each) => (each[axis] - middle[axis]) / (distance - each[2]));
      middle[axis] += ((Math.min(...places) + Math.max(...places)) / 2) * distance;
    }
  }
  distance *= closer;
  const eye = [0, 1, 2].map((i) => right[i] * middle[0] + up[i] * middle[1] + back[i] * distance);
  const [near, far] = [0.02, 60];
  const depth = [(far + near) / (near - far), (2 * far * near) / (near - far)];
  const matrix = new Float32Array(16);
  for (let i = 0; i < 4; i++) {
    const part = (axis) => (i < 3 ? axis[i] : -dot(axis, eye));
    const z = part(back);
    matrix[4 * i] = part(right) / wide - frame.x * z;
    matrix[4 * i + 1] = part(up) / tall - frame.y * z;
    matrix[4 * i + 2] = depth[0] * z + (i === 3 ? depth[1] : 0);
    matrix[4 * i + 3] = -z;
  }
  return { matrix, eye };
}
