// SPDX-License-Identifier: MIT
//
// The endless map: which tiles are wanted, which are kept, and how they are drawn. What is on the
// screen stays there until something better has been computed, so nothing flickers.

import { coordinateOf, firstOf, MAX_LEVEL, MIN_LEVEL } from "./place.js";
import { between, h, reducedMotion } from "./dom.js";
import { lookOf } from "./picture.js";
import { state, update } from "./state.js";

const SIZE = 256; // samples along a tile's edge
const KEPT = 160; // tiles in memory, of 256 KiB
const MAX_ZOOM = 4; // of the picture while zooming: smaller pictures would need very many tiles
const ZOOM_TIME = 180; // ms
const PATIENCE = 160; // ms to wait for a whole new map before parts of it are drawn
const EMPTY = "#7a8288";

/** What is drawn outside the field's domain. */
function outside() {
  const canvas = h("canvas", { width: 16, height: 16 });
  const context = canvas.getContext("2d");
  context.fillStyle = "#606060";
  context.fillRect(0, 0, 16, 16);
  context.fillStyle = "#707070";
  for (let y = 0; y < 16; y++) for (const x of [-y, 16 - y]) context.fillRect(x, y, 8, 1);
  return canvas;
}

const key = ({ level, x, y }) => `${level}/${x}/${y}`;

export class TileMap {
  #canvas;
  #context;
  #pool;
  #tiles = new Map(); // key -> { bitmap or error, generation of these, busy: the one being computed, used }
  #generation = 0; // of the field and its look
  #changed = 0; // when the map that is complete was first changed
  #frame = 0;
  #zoom = { scale: 1, x: 0, y: 0, from: 1, start: 0 }; // of the picture, around a pixel, while zooming
  #place; // what was drawn last
  #outside; // the pattern of tiles that could not be computed

  complete = false; // whether everything visible is what the state asks for
  onDrawn = () => {};

  constructor(canvas, pool) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d", { alpha: false });
    this.#outside = this.#context.createPattern(outside(), "repeat");
    this.#pool = pool;
    pool.source = () => this.#next();
    const observer = new ResizeObserver(() => this.#resize());
    try {
      observer.observe(canvas.parentElement, { box: "device-pixel-content-box" }); // also on another screen
    } catch {
      observer.observe(canvas.parentElement);
    }
    this.#resize();
  }

  get width() {
    return this.#canvas.width;
  }

  get height() {
    return this.#canvas.height;
  }

  get size() {
    return [this.width, this.height];
  }

  /** The pixel of the canvas that an event is at: there are several in a CSS pixel of a fine screen. */
  local({ clientX, clientY }) {
    const box = this.#canvas.getBoundingClientRect();
    return [(clientX - box.left) * devicePixelRatio, (clientY - box.top) * devicePixelRatio];
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#canvas.parentElement;
    if (!clientWidth || !clientHeight) return;
    const even = (length) => Math.max(2 * Math.floor((length * devicePixelRatio) / 2), 2);
    const [width, height] = [even(clientWidth), even(clientHeight)];
    this.#canvas.style.width = `${width / devicePixelRatio}px`;
    this.#canvas.style.height = `${height / devicePixelRatio}px`;
    if (width === this.width && height === this.height) return;
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#draw(); // at once: a canvas that changes its size is empty
    this.request();
  }

  /** The index of the sample at a pixel of the canvas. */
  sampleAt(...pixel) {
    return firstOf(state, this.size).map((first, axis) => first + BigInt(Math.floor(pixel[axis])));
  }

  fieldChanged() {
    this.#generation++;
    if (this.complete) this.#changed = performance.now();
    const wanted = new Set(this.#visible().map(key));
    for (const [name, tile] of this.#tiles)
      if (!wanted.has(name) || !tile.bitmap) this.#drop(name, tile);
    this.request();
  }

  request() {
    this.complete = false;
    this.#frame ||= requestAnimationFrame((time) => this.#onFrame(time));
    this.#pool.wake();
  }

  #onFrame(time) {
    this.#frame = 0;
    const zoom = this.#zoom;
    if (zoom.start) {
      const share = Math.min((time - zoom.start) / ZOOM_TIME, 1);
      zoom.scale = zoom.from ** ((1 - share) ** 3);
      if (share === 1) zoom.start = 0;
    }
    this.#draw();
    if (zoom.start) this.request();
    this.#pool.wake();
  }

  // ---- Moving ----

  pan(dx, dy) {
    update({
      x: state.x - coordinateOf(BigInt(Math.round(dx)), state.level),
      y: state.y - coordinateOf(BigInt(Math.round(dy)), state.level),
    });
  }

  /** Zooms by whole levels, in for negative ones, around a pixel. */
  zoomBy(levels, px = this.width / 2, py = this.height / 2, animated = true) {
    const level = between(state.level + levels, MIN_LEVEL, MAX_LEVEL);
    if (level === state.level) return false;
    const shift = (offset) =>
      coordinateOf(BigInt(Math.round(offset)), state.level) -
      coordinateOf(BigInt(Math.round(offset)), level);
    const scale = this.#zoom.scale * 2 ** (level - state.level);
    const [x, y] = [state.x + shift(px - this.width / 2), state.y + shift(py - this.height / 2)];
    if (animated) this.#shrink(between(scale, 1 / MAX_ZOOM, MAX_ZOOM), px, py);
    update({ level, x, y });
    return true;
  }

  /** Shows the picture scaled around a pixel, while fingers hold it. */
  hold(scale, px, py) {
    this.#zoom = { scale, from: scale, x: px, y: py, start: 0 };
    this.request();
  }

  /** Lets go: the picture returns to one sample per pixel. */
  release() {
    const { scale, x, y } = this.#zoom;
    this.#shrink(scale, x, y);
    this.request();
  }

  /** Begins to return from a scale around a pixel. */
  #shrink(scale, x, y) {
    const from = reducedMotion() ? 1 : scale;
    this.#zoom = { scale: from, from, x, y, start: from === 1 ? 0 : performance.now() };
  }

  // ---- Tiles ----

  /** The tiles of a part of the canvas, all of it unless given; those in the middle first. */
  #visible(left = 0, top = 0, right = this.width, bottom = this.height) {
    const { level } = state;
    const [x, y] = firstOf(state, this.size);
    const shift = BigInt(Math.log2(SIZE));
    const tile = (first, pixel) => (first + BigInt(Math.floor(pixel))) >> shift;
    const [lastX, lastY] = [tile(x, Math.ceil(right) - 1), tile(y, Math.ceil(bottom) - 1)];
    const tiles = [];
    for (let ty = tile(y, top); ty <= lastY; ty++)
      for (let tx = tile(x, left); tx <= lastX; tx++) {
        const [px, py] = [Number((tx << shift) - x), Number((ty << shift) - y)];
        const distance = Math.hypot(px + (SIZE - this.width) / 2, py + (SIZE - this.height) / 2);
        tiles.push({ level, x: tx, y: ty, px, py, distance });
      }
    return tiles.sort((a, b) => a.distance - b.distance);
  }

  /** Whether a tile has its picture, or cannot be computed. */
  #isCurrent(place) {
    return this.#tiles.get(key(place))?.generation === this.#generation;
  }

  /** The job that is worth most now: a visible tile, or one around them. */
  #next() {
    if (!this.#generation || (document.hidden && this.complete)) return undefined;
    const wanted = (place) =>
      !this.#isCurrent(place) && this.#tiles.get(key(place))?.busy !== this.#generation;
    const margin = SIZE / 2;
    const place =
      this.#visible().find(wanted) ??
      this.#visible(-margin, -margin, this.width + margin, this.height + margin).find(wanted);
    return place && this.#job(place);
  }

  #job(place) {
    const name = key(place);
    const tile = this.#tiles.get(name) ?? {};
    this.#tiles.set(name, tile);
    const generation = (tile.busy = this.#generation);
    const { level, x, y } = place;
    const { text, z } = state;
    const finish = (bitmap, error) => {
      if (generation !== this.#generation || this.#tiles.get(name) !== tile) return bitmap?.close();
      tile.bitmap?.close();
      Object.assign(tile, { bitmap, error, generation, busy: undefined });
      this.#limit();
      this.request();
    };
    return {
      message: { kind: "tile", text, z, level, x, y, size: SIZE, look: lookOf(state) },
      done: (bitmap) => finish(bitmap),
      failed: (error) => finish(undefined, error.message),
    };
  }

  #drop(name, tile) {
    tile.bitmap?.close();
    this.#tiles.delete(name);
  }

  /** Drops the tiles that were not drawn for longest. */
  #limit() {
    const kept = Math.max(KEPT, 2 * this.#visible().length); // on large screens
    if (this.#tiles.size <= kept) return;
    const old = [...this.#tiles].filter(([, tile]) => tile.busy === undefined);
    old.sort(([, a], [, b]) => (a.used ?? 0) - (b.used ?? 0));
    for (const [name, tile] of old.slice(0, kept / 5)) this.#drop(name, tile);
  }

  // ---- Drawing ----

  #draw() {
    const context = this.#context;
    const { scale, x: ax, y: ay } = this.#zoom;
    const now = performance.now();
    const needed = this.#visible();
    const ready = needed.every((place) => this.#isCurrent(place));
    // Nothing new: the old map stays, and frames cost what the workers need.
    const place = [state.level, ...firstOf(state, this.size), this.width, this.height].join();
    const waits = !ready && scale === 1 && this.#place === place;
    if (waits && now - this.#changed < PATIENCE) return this.onDrawn();
    this.#place = place;
    context.setTransform(scale, 0, 0, scale, ax - ax * scale, ay - ay * scale);
    // Of a picture that is drawn smaller, more is visible.
    const [left, top] = [ax - ax / scale, ay - ay / scale];
    const [right, bottom] = [left + this.width / scale, top + this.height / scale];
    for (const place of scale < 1 ? this.#visible(left, top, right, bottom) : needed) {
      const tile = this.#tiles.get(key(place));
      if (tile) tile.used = now;
      if (tile?.bitmap) context.drawImage(tile.bitmap, place.px, place.py);
      else if (!tile?.error) this.#drawOther(place, now);
      else {
        context.fillStyle = this.#outside;
        context.fillRect(place.px, place.py, SIZE, SIZE);
      }
    }
    this.complete = ready && scale === 1;
    this.onDrawn();
  }

  /** Draws a place from tiles of other levels, where there are any. */
  #drawOther({ level, x, y, px, py }, now) {
    const context = this.#context;
    const found = (place) => {
      const tile = this.#tiles.get(key(place));
      if (tile) tile.used = now;
      return tile?.bitmap;
    };
    for (let up = 1n; up <= 5n; up++) {
      const bitmap = found({ level: level + Number(up), x: x >> up, y: y >> up });
      if (!bitmap) continue;
      const part = SIZE >> Number(up);
      const [left, top] = [x, y].map((index) => Number(BigInt.asUintN(Number(up), index)) * part);
      return context.drawImage(bitmap, left, top, part, part, px, py, SIZE, SIZE);
    }
    context.fillStyle = EMPTY;
    context.fillRect(px, py, SIZE, SIZE);
    const half = SIZE / 2;
    for (let i = 0; i < 4; i++) {
      const [dx, dy] = [i & 1, i >> 1];
      const inner = { level: level - 1, x: 2n * x + BigInt(dx), y: 2n * y + BigInt(dy) };
      const bitmap = found(inner);
      if (bitmap) context.drawImage(bitmap, px + dx * half, py + dy * half, half, half);
    }
    return undefined;
  }

  /** Why a part of the view could not be computed; undefined if all of it could. */
  error() {
    const failed = this.#visible().find((place) => this.#tiles.get(key(place))?.error);
    return failed && this.#tiles.get(key(failed)).error;
  }
}
