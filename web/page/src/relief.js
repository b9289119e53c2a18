// SPDX-License-Identifier: MIT
//
// The visible map as a lit surface. Heights are a texture: the vertices read it, and so does the
// light, so that height, water and palette change without a new mesh.

import * as THREE from "../vendor/three.module.min.js";

import { h } from "./dom.js";
import { COLOURS, colours, PALETTES } from "./palettes.js";
import { indexOf } from "./place.js";
import { state, update } from "./state.js";

const MAX_TEXELS = 420000;
const MAX_VERTICES = 160000;

const VERTEX = `
uniform sampler2D heights;
uniform vec2 texels;
uniform vec2 extent;
uniform float lift, middle, water;
uniform bool flooded;
out vec2 place;
out float value;
out vec3 world;
float heightAt(vec2 p) {
  vec2 at = clamp(p * texels - 0.5, vec2(0.0), texels - 1.0);
  ivec2 i = ivec2(at);
  ivec2 j = min(i + 1, ivec2(texels) - 1);
  vec2 f = at - vec2(i);
  float a = texelFetch(heights, i, 0).r, b = texelFetch(heights, ivec2(j.x, i.y), 0).r;
  float c = texelFetch(heights, ivec2(i.x, j.y), 0).r, d = texelFetch(heights, j, 0).r;
  return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}
void main() {
  place = uv;
  value = heightAt(uv);
  float z = ((flooded ? max(value, water) : value) - middle) * lift;
  if (position.z < 0.0) z = -0.22; // the lower edge of the sides
  world = vec3((uv.x - 0.5) * extent.x, z, (uv.y - 0.5) * extent.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`;

const FRAGMENT = `
precision highp float;
uniform sampler2D heights, palette;
uniform vec2 texels, extent;
uniform float lift, middle, water, low, high;
uniform bool coast, flooded, side;
uniform vec3 sun, eye, haze;
in vec2 place;
in float value;
in vec3 world;
out vec4 colour;
float at(ivec2 i) { return texelFetch(heights, clamp(i, ivec2(0), ivec2(texels) - 1), 0).r; }
float smoothAt(vec2 p) {
  vec2 q = p * texels - 0.5;
  ivec2 i = ivec2(floor(q));
  vec2 f = q - vec2(i);
  return mix(mix(at(i), at(i + ivec2(1, 0)), f.x), mix(at(i + ivec2(0, 1)), at(i + ivec2(1, 1)), f.x), f.y);
}
vec3 srgb(vec3 c) { return mix(12.92 * c, 1.055 * pow(max(c, vec3(1e-5)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }
void main() {
  vec2 d = 1.0 / texels;
  float v = smoothAt(place);
  vec2 slope = vec2(smoothAt(place + vec2(d.x, 0.0)) - smoothAt(place - vec2(d.x, 0.0)),
                    smoothAt(place + vec2(0.0, d.y)) - smoothAt(place - vec2(0.0, d.y))) * lift / (2.0 * d * extent);
  vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
  float end = v < 0.0 ? -low : high; // of the water, or of the land
  float share = coast ? (end > 0.0 ? 0.5 + 0.5 * v / end : 0.5) : (v - low) / (high - low);
  vec3 base = texture(palette, vec2(clamp(share, 0.001, 0.999), 0.5)).rgb;
  if (coast && !flooded && v < 0.0) normal = normalize(mix(normal, vec3(0.0, 1.0, 0.0), 0.7));
  if (side) {
    base = world.y > (v - middle) * lift + 0.001 ? vec3(0.03, 0.13, 0.2) : vec3(0.10, 0.085, 0.075);
    normal = vec3(0.0, 1.0, 0.0);
  }
  vec3 view = normalize(eye - world);
  if (flooded) {
    float depth = (water - v);
    if (depth > 0.0 && !side) {
      // Water: what is below fades with depth, and the sky is mirrored at flat angles.
      vec3 deep = vec3(0.008, 0.045, 0.095);
      vec3 shallow = vec3(0.09, 0.32, 0.36);
      vec3 body = mix(shallow, deep, 1.0 - exp(-7.0 * depth));
      base = mix(base * 0.5, body, 1.0 - exp(-26.0 * depth));
      normal = vec3(0.0, 1.0, 0.0);
      float mirror = 0.03 + 0.5 * pow(1.0 - max(view.y, 0.0), 5.0);
      vec3 half_ = normalize(view + sun);
      base += 0.35 * pow(max(half_.y, 0.0), 220.0);
      base = mix(base, vec3(0.42, 0.56, 0.68), mirror);
    }
  }
  // A short march towards the sun, for soft shadows.
  float shadow = 1.0;
  if (!side) {
    float from = max(v, flooded ? water : v);
    for (int i = 1; i <= 14; i++) {
      float t = 0.006 * float(i) * (1.0 + 0.12 * float(i));
      vec2 p = place + sun.xz * t / extent;
      float above = (smoothAt(p) - from) * lift - sun.y * t;
      shadow = min(shadow, 1.0 - clamp(above * 22.0, 0.0, 0.75));
    }
  }
  float lit = max(dot(normal, sun), 0.0) * shadow / max(sun.y, 0.5);
  vec3 light = vec3(1.0, 0.95, 0.86) * lit * 0.82 + vec3(0.56, 0.66, 0.80) * (0.24 + 0.14 * normal.y);
  if (side) light = vec3(0.9 - 0.5 * abs(world.x / extent.x));
  vec3 shown = base * light;
  float far = length(eye - world);
  shown = mix(shown, haze, clamp((far - 1.6) * 0.16, 0.0, 0.4));
  colour = vec4(srgb(min(shown, vec3(1.0))), 1.0);
}`;

/** A mesh of columns x rows squares of texture coordinates; flat, for the vertex shader to lift. */
function surface(columns, rows) {
  const n = (columns + 1) * (rows + 1);
  const position = new Float32Array(3 * n);
  const uv = new Float32Array(2 * n);
  for (let y = 0, i = 0; y <= rows; y++)
    for (let x = 0; x <= columns; x++, i++) {
      uv[2 * i] = x / columns;
      uv[2 * i + 1] = y / rows;
    }
  const index = new Uint32Array(6 * columns * rows);
  for (let y = 0, to = 0; y < rows; y++)
    for (let x = 0; x < columns; x++, to += 6) {
      const a = y * (columns + 1) + x;
      const c = a + columns + 1;
      index.set([a, c, a + 1, a + 1, c, c + 1], to);
    }
  return geometry(position, uv, index);
}

/** The four sides, from the border of the surface down. */
function sides(columns, rows) {
  const border = [];
  for (let x = 0; x <= columns; x++) border.push([x / columns, 0]);
  for (let y = 0; y <= rows; y++) border.push([1, y / rows]);
  for (let x = columns; x >= 0; x--) border.push([x / columns, 1]);
  for (let y = rows; y >= 0; y--) border.push([0, y / rows]);
  const position = new Float32Array(6 * border.length);
  const uv = new Float32Array(4 * border.length);
  const index = [];
  border.forEach(([u, v], i) => {
    uv.set([u, v, u, v], 4 * i);
    position[6 * i + 5] = -1;
    if (i) index.push(2 * i - 2, 2 * i, 2 * i - 1, 2 * i, 2 * i + 1, 2 * i - 1);
  });
  return geometry(position, uv, Uint32Array.from(index));
}

function geometry(position, uv, index) {
  const made = new THREE.BufferGeometry();
  made.setAttribute("position", new THREE.BufferAttribute(position, 3));
  made.setAttribute("uv", new THREE.BufferAttribute(uv, 2));
  made.setIndex(new THREE.BufferAttribute(index, 1));
  return made;
}

export async function makeRelief({ canvas, screen, controls, notice, map, pool, range }) {
  const say = (text) => {
    notice.textContent = text;
    notice.hidden = !text;
  };
  const idle = { setVisible() {}, changed() {} };
  const context = canvas.getContext("webgl2", { antialias: true, powerPreference: "high-performance" });
  if (!context) {
    canvas.hidden = true;
    say("The relief needs WebGL 2, which this browser does not have or has switched off. Everything else on this page works without it.");
    return idle;
  }
  canvas.addEventListener("webglcontextlost", () => say("The graphics processor took WebGL away. Reload the page to see the relief again."));

  const renderer = new THREE.WebGLRenderer({ canvas, context, antialias: true });
  renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // the shader converts
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(38, 1, 0.01, 20);
  const uniforms = {
    heights: { value: null },
    palette: { value: null },
    texels: { value: new THREE.Vector2(1, 1) },
    extent: { value: new THREE.Vector2(1.6, 1) },
    lift: { value: 0.2 },
    middle: { value: 0 },
    water: { value: 0 },
    low: { value: -1 },
    high: { value: 1 },
    coast: { value: false },
    flooded: { value: true },
    sun: { value: new THREE.Vector3() },
    eye: { value: camera.position },
    haze: { value: new THREE.Color() },
  };
  const material = (side) =>
    new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { ...uniforms, side: { value: side } },
      side: THREE.DoubleSide,
    });
  const land = new THREE.Mesh(new THREE.BufferGeometry(), material(false));
  const walls = new THREE.Mesh(new THREE.BufferGeometry(), material(true));
  land.frustumCulled = walls.frustumCulled = false;
  scene.add(land, walls);

  // ---- Controls ----

  const shows = [];
  const slider = (name, label, min, max, step) => {
    const id = `relief-${name}`;
    const out = h("output", { for: id });
    const input = h("input", { id, type: "range", min, max, step, input: () => update({ [name]: Number(input.value) }) });
    shows.push(() => {
      if (state[name] === null) return; // the water's level stays where it was
      input.value = state[name];
      out.textContent = String(state[name]);
    });
    return [input, h("div", { class: "control" }, h("div", { class: "line" }, h("label", { for: id }, label), out), input)];
  };
  const [water, waterRow] = slider("water", "Water level", -1, 1, 0.01);
  const flood = h("input", { id: "flooded", type: "checkbox", change: () => update({ water: flood.checked ? Number(water.value) : null }) });
  shows.push(() => (flood.checked = state.water !== null));
  controls.append(
    h(
      "details",
      { open: true },
      h("summary", {}, "Relief"),
      h(
        "div",
        { class: "group" },
        slider("height", "Height", 0, 4, 0.05)[1],
        waterRow,
        h("div", { class: "control switch-row" }, flood, h("label", { for: "flooded" }, "Water")),
        slider("turn", "Turn", -180, 180, 1)[1],
        slider("tilt", "Tilt", 5, 89, 1)[1],
        slider("distance", "Distance", 0.5, 4, 0.05)[1],
        h("p", { class: "help" }, "The part of the map that Explore shows. Drag to turn, scroll to come closer."),
      ),
    ),
  );
  const show = () => shows.forEach((each) => each());
  show();

  // ---- The camera ----

  const radians = (degrees) => (degrees * Math.PI) / 180;
  const home = { turn: state.turn, tilt: state.tilt, distance: state.distance };

  /** Turns and tilts by degrees. */
  function turn(right, up, closer = 1) {
    const round = (value) => Number(value.toFixed(2));
    update({
      turn: round(((((state.turn + right + 180) % 360) + 360) % 360) - 180),
      tilt: round(Math.min(Math.max(state.tilt + up, 5), 89)),
      distance: round(Math.min(Math.max(state.distance * closer, 0.5), 4)),
    });
  }
  const pointers = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const apart = (point) => Math.max(Math.hypot(point[0] - other[0], point[1] - other[1]), 1);
      turn(0, 0, apart(before) / apart(now));
    } else turn(-(now[0] - before[0]) / 3, (now[1] - before[1]) / 3);
    pointers.set(event.pointerId, now);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    turn(0, 0, Math.exp(event.deltaY * 0.001));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const keys = {
      ArrowLeft: () => turn(-6, 0),
      ArrowRight: () => turn(6, 0),
      ArrowUp: () => turn(0, 3),
      ArrowDown: () => turn(0, -3),
      "+": () => turn(0, 0, 0.9),
      "=": () => turn(0, 0, 0.9),
      "-": () => turn(0, 0, 1.1),
      Home: () => update(home),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });

  // ---- Heights ----

  let visible = false;
  let stale = true;
  let frame = 0;
  let loading = false;
  let spread = 1; // of the values on the screen

  async function load() {
    if (loading) return;
    loading = true;
    while (visible && stale) {
      stale = false;
      let shift = 0;
      while ((map.width >> shift) * (map.height >> shift) > MAX_TEXELS) shift++;
      const size = [Math.max(map.width >> shift, 2), Math.max(map.height >> shift, 2)];
      const level = state.level + shift;
      const first = [indexOf(state.x, level) - BigInt(size[0] >> 1), indexOf(state.y, level) - BigInt(size[1] >> 1)];
      try {
        // Bands, so that all workers take part.
        const bands = Math.min(4 * pool.size, size[1]);
        const values = new Float32Array(size[0] * size[1]);
        await Promise.all(
          Array.from({ length: bands }, async (_, i) => {
            const from = Math.floor((i * size[1]) / bands);
            const to = Math.floor(((i + 1) * size[1]) / bands);
            const part = await pool.run({
              kind: "grid",
              text: state.text,
              size: [size[0], to - from],
              first: [first[0], first[1] + BigInt(from)],
              step: 2 ** level,
            });
            values.set(part.values, from * size[0]);
          }),
        );
        raise(values, size);
        say("");
      } catch (error) {
        say(`The relief cannot be shown: ${error.message}`);
      }
    }
    loading = false;
  }

  function raise(values, [width, height]) {
    let min = Infinity;
    let max = -Infinity;
    for (let i = 0; i < values.length; i++) {
      if (!(values[i] - values[i] === 0)) values[i] = 0;
      if (values[i] < min) min = values[i];
      if (values[i] > max) max = values[i];
    }
    spread = max - min || 1;
    uniforms.middle.value = min;
    uniforms.heights.value?.dispose();
    const texture = new THREE.DataTexture(values, width, height, THREE.RedFormat, THREE.FloatType);
    texture.needsUpdate = true;
    uniforms.heights.value = texture;
    const long = Math.max(width, height);
    uniforms.extent.value.set((1.7 * width) / long, (1.7 * height) / long);
    if (uniforms.texels.value.x !== width || uniforms.texels.value.y !== height) {
      uniforms.texels.value.set(width, height);
      const coarse = Math.ceil(Math.sqrt((width * height) / MAX_VERTICES));
      land.geometry.dispose();
      walls.geometry.dispose();
      land.geometry = surface(Math.floor(width / coarse), Math.floor(height / coarse));
      walls.geometry = sides(Math.floor(width / coarse), Math.floor(height / coarse));
    }
    request();
  }

  let paletteName;
  function usePalette() {
    const [low, high] = range();
    uniforms.low.value = state.low ?? low;
    uniforms.high.value = state.high ?? high;
    uniforms.coast.value = Boolean(PALETTES[state.palette]?.coast);
    if (paletteName === state.palette) return;
    paletteName = state.palette;
    const rgb = colours(state.palette);
    const data = new Float32Array(4 * COLOURS);
    for (let i = 0; i < COLOURS; i++) data.set([rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2], 1], 4 * i);
    uniforms.palette.value?.dispose();
    const texture = new THREE.DataTexture(data, COLOURS, 1, THREE.RGBAFormat, THREE.FloatType);
    texture.needsUpdate = true;
    uniforms.palette.value = texture;
  }

  // ---- Frames ----

  function request() {
    if (!frame && visible) frame = requestAnimationFrame(draw);
  }

  let resized = true;
  new ResizeObserver(() => {
    resized = true;
    stale = true;
    request();
    if (visible) load();
  }).observe(screen);

  function draw() {
    frame = 0;
    if (!uniforms.heights.value) return;
    if (resized) {
      resized = false;
      renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
      renderer.setSize(screen.clientWidth, screen.clientHeight, false);
      camera.aspect = screen.clientWidth / Math.max(screen.clientHeight, 1);
      camera.updateProjectionMatrix();
    }
    usePalette();
    // A height of 1 makes the values on the screen a sixth of the surface's length.
    uniforms.lift.value = (0.28 * state.height) / spread;
    uniforms.flooded.value = state.water !== null;
    uniforms.water.value = state.water ?? 0;
    const [azimuth, altitude] = [radians(state.light), radians(state.altitude)];
    uniforms.sun.value.set(Math.sin(azimuth) * Math.cos(altitude), Math.sin(altitude), -Math.cos(azimuth) * Math.cos(altitude));
    const distance = state.distance * Math.max(1, 1.15 / camera.aspect);
    const [angle, tilt] = [radians(state.turn), radians(state.tilt)];
    camera.position.set(Math.sin(angle) * Math.cos(tilt) * distance, Math.sin(tilt) * distance, Math.cos(angle) * Math.cos(tilt) * distance);
    camera.lookAt(0, 0.06, 0);
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const sky = dark ? 0x141a20 : 0xdfe6ea;
    scene.background = new THREE.Color().setHex(sky, THREE.LinearSRGBColorSpace);
    uniforms.haze.value.setHex(sky);
    renderer.render(scene, camera);
    document.body.dataset.relief = "drawn";
  }

  return {
    setVisible(now) {
      visible = now;
      if (!visible) return;
      if (stale) load();
      request();
    },
    changed(names) {
      if (["text", "x", "y", "level"].some((name) => names.has(name))) {
        stale = true;
        if (visible) load();
      }
      show();
      request();
    },
  };
}
