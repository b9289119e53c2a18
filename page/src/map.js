// SPDX-License-Identifier: MIT
//
// The endless map: which tiles are wanted, which are kept, and how they are drawn. What is on the
// screen stays there until something better has been computed, so nothing flickers.

import { coordinateOf, FRACTION, indexOf, MAX_LEVEL, MIN_LEVEL } from "./place.js";
import { h, reducedMotion } from "./dom.js";
import { lookOf } from "./picture.js";
import { state, update } from "./state.js";

const SIZE = 256; // samples along a tile's edge
const KEPT = 160; // tiles in memory, of about 1 MiB
const DRAFT = 2; // levels between a tile and its draft, which has a sixteenth of its samples
const MAX_ZOOM = 4; // of the picture while zooming: smaller pictures would need very many tiles
const PATIENCE = 160; // ms to wait for a whole new map before parts of it are drawn

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

const key = (level, x, y) => `${level}/${x}/${y}`;

export class TileMap {
  #canvas;
  #context;
  #pool;
  #tiles = new Map(); // key -> { level, x, y, generation, look, bitmap, worker, stats, draft, stale, busy, error }
  #generation = 0;
  #look = 0;
  #changed = 0; // when the field changed
  #frame = 0;
  #zoom = { scale: 1, x: 0, y: 0, from: 1, start: 0 }; // of the picture, around a pixel, while zooming
  #rate = 0; // samples per ms of one worker
  #drawn = []; // listeners
  #complete = false;
  #place; // what was drawn last
  #outside; // the pattern of tiles that could not be computed

  period; // of the field along x and y, in units of position; nothing without one

  constructor(canvas, pool) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d", { alpha: false });
    this.#outside = this.#context.createPattern(outside(), "repeat");
    this.#pool = pool;
    pool.setSource((worker) => this.#next(worker));
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

  /** Whether everything visible is what the state asks for. */
  get complete() {
    return this.#complete;
  }

  onDrawn(listener) {
    this.#drawn.push(listener);
  }

  /** The pixel of the canvas that an event is at: there are several in a CSS pixel of a fine screen. */
  local({ clientX, clientY }) {
    const box = this.#canvas.getBoundingClientRect();
    return [(clientX - box.left) * devicePixelRatio, (clientY - box.top) * devicePixelRatio];
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#canvas.parentElement;
    if (!clientWidth || !clientHeight) return;
    const width = Math.max(2 * Math.floor((clientWidth * devicePixelRatio) / 2), 2);
    const height = Math.max(2 * Math.floor((clientHeight * devicePixelRatio) / 2), 2);
    this.#canvas.style.width = `${width / devicePixelRatio}px`;
    this.#canvas.style.height = `${height / devicePixelRatio}px`;
    if (width === this.#canvas.width && height === this.#canvas.height) return;
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#draw(); // at once: a canvas that changes its size is empty
    this.request();
  }

  /** The index of the sample in the upper left corner. */
  first() {
    return [
      indexOf(state.x, state.level) - BigInt(this.width / 2),
      indexOf(state.y, state.level) - BigInt(this.height / 2),
    ];
  }

  /** The index of the sample at a pixel of the canvas. */
  sampleAt(px, py) {
    const [x, y] = this.first();
    return [x + BigInt(Math.floor(px)), y + BigInt(Math.floor(py))];
  }

  fieldChanged() {
    this.#generation++;
    this.#changed = performance.now();
    const wanted = new Set(this.#visible().map(({ x, y }) => key(state.level, x, y)));
    for (const [name, tile] of this.#tiles) {
      if (!wanted.has(name) || !tile.bitmap) this.#drop(name, tile);
    }
    this.request();
  }

  lookChanged() {
    this.#look++;
    this.request();
  }

  request() {
    this.#complete = false;
    if (!this.#frame) this.#frame = requestAnimationFrame((time) => this.#onFrame(time));
    this.#pool.wake();
  }

  #onFrame(time) {
    this.#frame = 0;
    const zoom = this.#zoom;
    let again = false;
    if (zoom.start) {
      const share = Math.min((time - zoom.start) / 180, 1);
      const eased = 1 - (1 - share) ** 3;
      zoom.scale = zoom.from ** (1 - eased);
      if (share >= 1) Object.assign(zoom, { scale: 1, start: 0 });
      else again = true;
    }
    this.#draw();
    if ((again || !this.#complete) && !this.#frame && (again || this.#waiting(time)))
      this.#frame = requestAnimationFrame((next) => this.#onFrame(next));
    this.#pool.wake();
  }

  #waiting(time) {
    return time - this.#changed < PATIENCE + 50;
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
    const level = Math.min(Math.max(state.level + levels, MIN_LEVEL), MAX_LEVEL);
    if (level === state.level) return false;
    const dx = BigInt(Math.round(px - this.width / 2));
    const dy = BigInt(Math.round(py - this.height / 2));
    const scale = Math.min(
      Math.max(this.#zoom.scale * 2 ** (level - state.level), 1 / MAX_ZOOM),
      MAX_ZOOM,
    );
    const x = state.x + coordinateOf(dx, state.level) - coordinateOf(dx, level);
    const y = state.y + coordinateOf(dy, state.level) - coordinateOf(dy, level);
    if (animated && !reducedMotion())
      this.#zoom = { scale, from: scale, x: px, y: py, start: performance.now() };
    update({ level, x, y });
    return true;
  }

  /** Shows three by three periods with their borders, or stops to. */
  showPeriods() {
    if (state.tiles) return update({ tiles: false });
    const shares = this.period.map((each, axis) => (3 * each) / [this.width, this.height][axis]);
    const level = Math.min(
      Math.max(Math.ceil(Math.log2(Math.max(...shares))), MIN_LEVEL),
      MAX_LEVEL,
    );
    const middle = (each) => BigInt(Math.round(1.5 * each * 2 ** FRACTION));
    return update({ tiles: true, level, x: middle(this.period[0]), y: middle(this.period[1]) });
  }

  #drawPeriods() {
    const context = this.#context;
    const [left, top] = this.first();
    const limit = [this.width, this.height];
    const lines = [left, top].map((from, axis) => {
      const apart = this.period[axis] / 2 ** state.level;
      return apart > 0 ? [0, 1, 2, 3].map((i) => i * apart - Number(from)) : [0, limit[axis]];
    });
    const [[x0, ...xs], [y0, ...ys]] = lines;
    const block = [x0, y0, xs.at(-1) - x0, ys.at(-1) - y0];
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = "#12171c"; // nothing but the three by three
    context.beginPath();
    context.rect(0, 0, ...limit);
    context.rect(...block);
    context.fill("evenodd");
    context.lineWidth = 2 * devicePixelRatio;
    for (const [dash, colour] of [
      [[], "rgb(0 0 0 / 0.5)"],
      [[8, 8], "#ffffff"],
    ]) {
      context.strokeStyle = colour;
      context.setLineDash(dash);
      context.beginPath();
      context.rect(...block);
      for (const x of xs.slice(0, -1)) {
        context.moveTo(x, y0);
        context.lineTo(x, ys.at(-1));
      }
      for (const y of ys.slice(0, -1)) {
        context.moveTo(x0, y);
        context.lineTo(xs.at(-1), y);
      }
      context.stroke();
    }
    context.setLineDash([]);
  }

  /** Shows the picture scaled around a pixel, while fingers hold it. */
  hold(scale, px, py) {
    this.#zoom = { scale, from: scale, x: px, y: py, start: 0 };
    this.request();
  }

  /** Lets go: the picture returns to one sample per pixel. */
  release() {
    const zoom = this.#zoom;
    if (zoom.scale === 1) return;
    if (reducedMotion()) zoom.scale = 1;
    else Object.assign(zoom, { from: zoom.scale, start: performance.now() });
    this.request();
  }

  // ---- Tiles ----

  /** The tiles of a part of the canvas, all of it unless given; those in the middle first. */
  #visible(left = 0, top = 0, right = this.width, bottom = this.height) {
    const { level } = state;
    const [x, y] = this.first();
    const size = BigInt(SIZE);
    const tile = (index) => (index - (((index % size) + size) % size)) / size;
    const lastX = tile(x + BigInt(Math.ceil(right)) - 1n);
    const lastY = tile(y + BigInt(Math.ceil(bottom)) - 1n);
    const tiles = [];
    for (let ty = tile(y + BigInt(Math.floor(top))); ty <= lastY; ty++)
      for (let tx = tile(x + BigInt(Math.floor(left))); tx <= lastX; tx++) {
        const dx = Number(tx * size - x) + (SIZE - this.width) / 2;
        const dy = Number(ty * size - y) + (SIZE - this.height) / 2;
        tiles.push({ level, x: tx, y: ty, distance: dx * dx + dy * dy });
      }
    return tiles.sort((a, b) => a.distance - b.distance);
  }

  #isCurrent(tile) {
    return tile?.bitmap && tile.generation === this.#generation;
  }

  /** Whether nothing more is to be computed: a tile that could not be is not asked for again. */
  #isSettled(tile) {
    return this.#isCurrent(tile) || tile?.error?.generation === this.#generation;
  }

  /** The job that is worth most now, for a worker; false if there is only one for another worker. */
  #next(worker) {
    if (!this.#generation || (document.hidden && this.#complete)) return undefined;
    const visible = this.#visible();
    const missing = visible.filter(
      (tile) => !this.#isSettled(this.#tiles.get(key(tile.level, tile.x, tile.y))),
    );
    // A slow field is shown as drafts first.
    const slow = missing.length * SIZE * SIZE > 120 * this.#rate * this.#pool.size;
    if (slow)
      for (const place of missing) {
        const job = this.#draft(place);
        if (job) return job;
      }
    const job = this.#firstOf([...missing, ...visible], worker);
    if (job || missing.length || slow) return job;
    const margin = SIZE / 2;
    const around = this.#visible(-margin, -margin, this.width + margin, this.height + margin);
    return this.#firstOf(around, worker) ?? job;
  }

  #firstOf(places, worker) {
    let none;
    for (const place of places) {
      const job = this.#paint(place, worker);
      if (job) return job;
      none ??= job;
    }
    return none;
  }

  #message({ level, x, y }, down = 0) {
    return {
      kind: "tile",
      text: state.text,
      z: state.z,
      level: level + down,
      x,
      y,
      size: SIZE >> down,
      look: lookOf(state),
    };
  }

  #draft({ level, x, y }) {
    const name = key(level, x, y);
    let tile = this.#tiles.get(name);
    if (tile?.draft?.generation === this.#generation || tile?.busy === this.#generation)
      return undefined;
    if (
      tile?.drafting === this.#generation ||
      this.#larger(level, x, y, 2, (each) => this.#isCurrent(each))
    )
      return undefined;
    if (!tile) this.#tiles.set(name, (tile = { level, x, y }));
    const generation = (tile.drafting = this.#generation);
    return {
      message: this.#message(tile, DRAFT),
      done: ({ bitmap, busy, count }) => {
        this.#measure(busy, count);
        if (
          generation !== this.#generation ||
          this.#tiles.get(name) !== tile ||
          this.#isCurrent(tile)
        ) {
          bitmap.close();
          return;
        }
        tile.draft?.bitmap.close();
        tile.draft = { bitmap, generation };
        this.request();
      },
      failed: (error) => this.#fail(tile, generation, error),
    };
  }

  #fail(tile, generation, { message }) {
    if (generation !== this.#generation) return;
    tile.error = { generation, message };
    this.request();
  }

  #measure(busy, count) {
    const rate = count / Math.max(busy, 0.05);
    this.#rate = this.#rate ? 0.8 * this.#rate + 0.2 * rate : rate;
  }

  /**
   * The job of a tile that is missing, or whose picture is of an earlier look: false for a worker
   * other than the one that made it, which has its samples.
   */
  #paint({ level, x, y }, worker) {
    const name = key(level, x, y);
    let tile = this.#tiles.get(name);
    const again = this.#isCurrent(tile);
    if (
      again
        ? tile.look === this.#look || tile.painting === this.#look
        : this.#isSettled(tile) || tile?.busy === this.#generation
    )
      return undefined;
    if (again && tile.worker !== worker) return false;
    if (!tile) this.#tiles.set(name, (tile = { level, x, y }));
    const generation = this.#generation;
    const look = (tile.painting = this.#look);
    tile.worker = worker;
    tile.busy = generation;
    return {
      message: { ...this.#message(tile), name, most: Math.ceil(this.#kept() / this.#pool.size) },
      done: ({ bitmap, busy, count, ...found }) => {
        if (busy) this.#measure(busy, count);
        if (tile.busy === generation) tile.busy = undefined;
        if (
          generation !== this.#generation ||
          this.#tiles.get(name) !== tile ||
          (again && look < tile.look)
        ) {
          bitmap.close();
          return;
        }
        // The old picture is kept until the whole new map, or a part of it after a while, is drawn.
        if (again) tile.bitmap.close();
        else {
          tile.stale?.close();
          tile.stale = tile.bitmap;
          tile.draft?.bitmap.close();
        }
        Object.assign(tile, { bitmap, generation, look, draft: undefined, ...found });
        this.#limit();
        this.request();
      },
      failed: (error) => {
        if (tile.busy === generation) tile.busy = undefined;
        if (again) tile.look = look;
        this.#fail(tile, generation, error);
      },
    };
  }

  #drop(name, tile) {
    tile.bitmap?.close();
    tile.stale?.close();
    tile.draft?.bitmap.close();
    this.#tiles.delete(name);
  }

  #kept() {
    return Math.max(KEPT, 2 * this.#visible().length); // on large screens
  }

  /** Drops the tiles that were not drawn for longest. */
  #limit() {
    const kept = this.#kept();
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
    // Of a picture that is drawn smaller, more is visible.
    const [right, bottom] = [ax + (this.width - ax) / scale, ay + (this.height - ay) / scale];
    const needed = this.#visible();
    const visible =
      scale < 1 ? this.#visible(ax - ax / scale, ay - ay / scale, right, bottom) : needed;
    const current = (tile) => this.#isCurrent(tile);
    const ready = needed.every(({ level, x, y }) =>
      this.#isSettled(this.#tiles.get(key(level, x, y))),
    );
    const wait = !ready && now - this.#changed < PATIENCE;
    const [left, top] = this.first();
    // Nothing new: frames cost what the workers need.
    const place = [state.level, left, top, this.width, this.height].join();
    if (wait && scale === 1 && this.#place === place) {
      this.#complete = false;
      for (const listener of this.#drawn) listener(false, false);
      return;
    }
    this.#place = place;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (!ready && scale < 1) {
      context.fillStyle = "#7a8288";
      context.fillRect(0, 0, this.width, this.height);
    }
    context.setTransform(scale, 0, 0, scale, ax - ax * scale, ay - ay * scale);
    context.imageSmoothingEnabled = true;
    let covered = true; // by this field, in whatever detail
    for (const place of visible) {
      const px = Number(place.x * BigInt(SIZE) - left);
      const py = Number(place.y * BigInt(SIZE) - top);
      const tile = this.#tiles.get(key(place.level, place.x, place.y));
      if (tile) tile.used = now;
      if (!current(tile) && this.#isSettled(tile)) {
        context.fillStyle = this.#outside;
        context.fillRect(px, py, SIZE, SIZE);
        continue;
      }
      if (current(tile)) {
        if (wait && tile.stale) {
          context.drawImage(tile.stale, px, py);
          continue;
        }
        context.drawImage(tile.bitmap, px, py);
        tile.stale?.close();
        tile.stale = undefined;
        continue;
      }
      if (!(wait && tile?.bitmap)) {
        if (tile?.draft?.generation === this.#generation) {
          context.drawImage(tile.draft.bitmap, px, py, SIZE, SIZE);
          continue;
        }
        if (this.#drawOther(place, px, py, now)) continue;
        covered = false;
      }
      if (tile?.bitmap) context.drawImage(tile.bitmap, px, py);
      else if (!this.#drawOther(place, px, py, now, true)) {
        context.fillStyle = "#7a8288";
        context.fillRect(px, py, SIZE, SIZE);
      }
    }
    const painted = needed.every(({ level, x, y }) => {
      const tile = this.#tiles.get(key(level, x, y));
      return !current(tile) || tile.look === this.#look;
    });
    this.#complete = ready && painted && scale === 1;
    if (state.tiles && this.period && scale === 1) this.#drawPeriods();
    for (const listener of this.#drawn) listener(this.#complete, covered && !wait);
  }

  /** The nearest larger tile that fits, and which part of it a place is. */
  #larger(level, x, y, levels, fit) {
    for (let up = 1; up <= levels; up++) {
      const factor = 1n << BigInt(up);
      const ix = ((x % factor) + factor) % factor;
      const iy = ((y % factor) + factor) % factor;
      const tile = this.#tiles.get(key(level + up, (x - ix) / factor, (y - iy) / factor));
      if (fit(tile)) return { tile, part: SIZE / Number(factor), ix: Number(ix), iy: Number(iy) };
    }
    return undefined;
  }

  /** Draws a place from tiles of other levels. Returns whether it is covered. */
  #drawOther({ level, x, y }, px, py, now, any = false) {
    const context = this.#context;
    const fit = (tile) => (any ? tile?.bitmap : this.#isCurrent(tile));
    const larger = this.#larger(level, x, y, 5, fit);
    if (larger) {
      const { tile, part, ix, iy } = larger;
      tile.used = now;
      context.drawImage(tile.bitmap, ix * part, iy * part, part, part, px, py, SIZE, SIZE);
      return true;
    }
    let parts = 0;
    for (let i = 0; i < 4; i++) {
      const dx = i & 1;
      const dy = i >> 1;
      const tile = this.#tiles.get(key(level - 1, 2n * x + BigInt(dx), 2n * y + BigInt(dy)));
      if (!fit(tile)) continue;
      tile.used = now;
      const half = SIZE / 2;
      context.drawImage(tile.bitmap, px + dx * half, py + dy * half, half, half);
      parts++;
    }
    return parts === 4;
  }

  // ---- What is on the screen ----

  /** The tiles on the screen, and the pixel of the upper left corner of each. */
  tiles() {
    const [left, top] = this.first();
    const at = (index, from) => Number(index * BigInt(SIZE) - from);
    return this.#visible().map(({ level, x, y }) => ({
      level,
      x,
      y,
      size: SIZE,
      px: at(x, left),
      py: at(y, top),
    }));
  }

  /** Why a part of the view could not be computed; undefined if all of it could. */
  error() {
    for (const { level, x, y } of this.#visible()) {
      const { error } = this.#tiles.get(key(level, x, y)) ?? {};
      if (error?.generation === this.#generation) return error.message;
    }
    return undefined;
  }

  /** The distribution of the visible tiles' values. */
  stats() {
    const sum = { bins: undefined, min: Infinity, max: -Infinity, sum: 0, count: 0 };
    for (const { level, x, y } of this.#visible()) {
      const tile = this.#tiles.get(key(level, x, y));
      if (!this.#isCurrent(tile)) continue;
      const { bins, min, max, sum: total } = tile.stats;
      sum.bins ??= new Float64Array(bins.length);
      bins.forEach((n, i) => {
        sum.bins[i] += n;
        sum.count += n;
      });
      sum.min = Math.min(sum.min, min);
      sum.max = Math.max(sum.max, max);
      sum.sum += total;
    }
    return sum;
  }
}
