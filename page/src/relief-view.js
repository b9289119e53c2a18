// SPDX-License-Identifier: MIT
//
// Draws a grid of heights as a lit block: light and colours are baked into a texture when they
// change, so that a frame of a moving camera is cheap on any graphics processor.

import { camera, program, texture } from "./gl.js";
import { BAKE, HEAVEN, LAND, LIFT, PLANE, SCREEN, SHADOW } from "./relief-shaders.js";

const MAX_SQUARES = 130000;
const LENGTH = 2; // of the longer side of the map
const FOOT = 0.13; // height of the lowest value above the ground
const FIELD_OF_VIEW = 0.5;
const ROW = 64; // colours in a row of the palette's texture, as in its shader
const PARTS = 12; // of each side, whose highest points are framed
const [HEIGHTS, PALETTE, BAKED] = [0, 1, 2]; // texture units

const DAY = { zenith: [0.2, 0.42, 0.74], horizon: [0.72, 0.83, 0.92], stone: [0.62, 0.65, 0.66] };
const NIGHT = {
  zenith: [0.012, 0.03, 0.062],
  horizon: [0.085, 0.135, 0.19],
  stone: [0.028, 0.036, 0.045],
};

const radians = (degrees) => (degrees * Math.PI) / 180;

export function makeView(canvas, paletteOf) {
  const gl = canvas.getContext("webgl2", {
    antialias: true,
    alpha: false,
    powerPreference: "high-performance",
  });
  if (!gl) return undefined;
  const programs = {
    bake: program(gl, SCREEN, BAKE),
    land: program(gl, LIFT, LAND),
    shadow: program(gl, PLANE, SHADOW),
    heaven: program(gl, SCREEN, HEAVEN),
  };
  const nearest = [
    [gl.TEXTURE_MIN_FILTER, gl.NEAREST],
    [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
  ];
  const heights = texture(gl, HEIGHTS, ...nearest);
  const palette = texture(gl, PALETTE, ...nearest);
  const baked = texture(
    gl,
    BAKED,
    [gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR],
    [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
  );
  const sharp = gl.getExtension("EXT_texture_filter_anisotropic");
  if (sharp)
    gl.texParameteri(
      gl.TEXTURE_2D,
      sharp.TEXTURE_MAX_ANISOTROPY_EXT,
      Math.min(4, gl.getParameter(sharp.MAX_TEXTURE_MAX_ANISOTROPY_EXT)),
    );
  const target = gl.createFramebuffer();
  const indices = gl.createBuffer();
  const bind = (unit, each) => {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, each);
  };
  /** Stores texels in a texture: [its format, their channels, their type]. */
  const store = (unit, each, [width, height], [format, ...kind], texels) => {
    bind(unit, each);
    gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, ...kind, texels);
  };
  let size; // of the grid of heights
  let ends = [0, 1]; // of the heights
  let peaks = []; // of parts of the map: [x, y, height]
  let squares = [0, 0];
  let counts = { land: 0, sides: 0 };
  let bakedFor = "";
  const palettes = {}; // by name: colours, coast, rock, slopes
  let paletteName;

  /** Takes a grid of heights. */
  function raise(values, [width, height]) {
    ends = [Infinity, -Infinity];
    for (let i = 0; i < values.length; i++) {
      if (!(values[i] - values[i] === 0)) values[i] = 0;
      if (values[i] < ends[0]) ends[0] = values[i];
      if (values[i] > ends[1]) ends[1] = values[i];
    }
    const parts = new Map();
    for (let y = 0; y < height; y += 4)
      for (let x = 0; x < width; x += 4) {
        const part = Math.floor((y * PARTS) / height) * PARTS + Math.floor((x * PARTS) / width);
        const value = values[y * width + x];
        if (!(parts.get(part)?.[2] >= value))
          parts.set(part, [x / width - 0.5, y / height - 0.5, value]);
      }
    peaks = [...parts.values()];
    store(HEIGHTS, heights, [width, height], [gl.R32F, gl.RED, gl.FLOAT], values);
    bakedFor = "";
    if (size?.[0] === width && size?.[1] === height) return;
    size = [width, height];
    store(BAKED, baked, size, [gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE], null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, baked, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    connect();
  }

  /** The triangles of the surface, and of the sides below its border. */
  function connect() {
    const coarse = Math.max(Math.sqrt((size[0] * size[1]) / MAX_SQUARES), 1);
    squares = size.map((each) => Math.max(Math.floor(each / coarse), 1));
    const [nx, ny] = squares;
    const border = 2 * (nx + ny);
    counts = { land: 6 * nx * ny, sides: 6 * border };
    const index = new Uint32Array(counts.land + counts.sides);
    let to = 0;
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++) {
        const a = y * (nx + 1) + x;
        const c = a + nx + 1;
        for (const corner of [a, c, a + 1, a + 1, c, c + 1]) index[to++] = corner;
      }
    for (let i = 0; i < border; i++) {
      const [a, b] = [2 * i, 2 * ((i + 1) % border)];
      index.set([a, b, a + 1, b, b + 1, a + 1], to);
      to += 6;
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
  }

  function usePalette(name) {
    palettes[name] ??= paletteOf(name);
    if (paletteName === name) return palettes[name];
    paletteName = name;
    const { colours } = palettes[name];
    const rows = colours.length / 3 / ROW;
    store(PALETTE, palette, [ROW, rows], [gl.RGB32F, gl.RGB, gl.FLOAT], colours);
    return palettes[name];
  }

  /**
   * Draws a frame. look: palette, low, high, light, altitude, height, water; rise is the height of a
   * value difference of 1 as a part of the map's length, or null for one by the values. view: turn
   * and tilt in degrees, distance as a factor, frame as camera() takes it, and whether it is dark.
   */
  function draw(look, view) {
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const long = Math.max(...size);
    const extent = size.map((each) => (LENGTH * each) / long);
    const spread = ends[1] - ends[0] || 1;
    const plain = LENGTH * (look.rise ?? 0.14 / spread);
    const lift = plain * look.height;
    const flooded = look.water !== null;
    const water = look.water ?? 0;
    const top = FOOT + lift * (Math.max(ends[1], flooded ? water : ends[1]) - ends[0]);
    const [azimuth, altitude] = [radians(look.light), radians(look.altitude)];
    const sun = [
      Math.sin(azimuth) * Math.cos(altitude),
      Math.sin(altitude),
      -Math.cos(azimuth) * Math.cos(altitude),
    ];
    const { coast, rock, slopes } = usePalette(look.palette);
    const { low, high } = look;

    const [ex, ez] = extent.map((each) => each / 2);
    const points = [-ex, ex].flatMap((x) => [-ez, ez].map((z) => [x, 0, z]));
    for (const [x, y, value] of peaks)
      points.push([
        x * extent[0],
        FOOT + lift * (Math.max(value, flooded ? water : value) - ends[0]),
        y * extent[1],
      ]);
    const { matrix, eye } = camera({
      turn: radians(view.turn),
      tilt: radians(view.tilt),
      fov: FIELD_OF_VIEW,
      aspect: width / height,
      points,
      frame: view.frame,
      closer: view.distance,
    });
    const values = {
      heights: HEIGHTS,
      palette: PALETTE,
      baked: BAKED,
      texels: size,
      extent,
      squares,
      lift,
      plain,
      reach: lift * spread,
      middle: ends[0],
      water,
      low,
      high,
      coast,
      flooded,
      rocky: slopes[1] > 0,
      rock,
      steep: slopes.map((each) => each * each),
      sun,
      eye,
      view: matrix,
      tall: FOOT + 0.6 * (top - FOOT),
      side: false,
      ...(view.dark ? NIGHT : DAY),
    };

    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    const bakedNow = [look.palette, low, high, look.light, look.altitude, lift, look.water].join();
    if (bakedFor !== bakedNow) {
      bakedFor = bakedNow;
      gl.bindFramebuffer(gl.FRAMEBUFFER, target);
      gl.viewport(0, 0, ...size);
      programs.bake.use(values);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      bind(BAKED, baked);
      gl.generateMipmap(gl.TEXTURE_2D);
    }
    gl.viewport(0, 0, width, height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    programs.heaven.use(values);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    programs.shadow.use(values);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    programs.land.use(values);
    gl.drawElements(gl.TRIANGLES, counts.land, gl.UNSIGNED_INT, 0);
    programs.land.use({ ...values, side: true });
    gl.drawElements(gl.TRIANGLES, counts.sides, gl.UNSIGNED_INT, 4 * counts.land);
  }

  return {
    raise,
    draw,
    /** Whether there is something to draw, and drawing it does not wait for compilers. */
    ready: () => Boolean(size) && Object.values(programs).every((each) => each.ready()),
    resize(width, height) {
      if (canvas.width === width && canvas.height === height) return;
      [canvas.width, canvas.height] = [width, height];
    },
  };
}
