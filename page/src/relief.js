// SPDX-License-Identifier: MIT
//
// The visible map as a lit block: which heights it shows, and the camera.

import { $, between, onKeys, reducedMotion } from "./dom.js";
import { firstOf, step } from "./place.js";
import { makeView } from "./relief-view.js";
import { state, update } from "./state.js";

const MAX_TEXELS = 1 << 20;
const SLOW = 80; // ms a frame with which nothing orbits

/** The part of the picture that the block fills: on the first part, text is beside or above it. */
function frameOf(tab, aspect) {
  if (tab !== "home") return { x: 0, y: -0.02, width: 0.94, height: 0.86 };
  return aspect > 1.2
    ? { x: 0.4, y: -0.05, width: 0.54, height: 0.57 }
    : { x: 0, y: -0.38, width: 0.96, height: 0.3 };
}

/** Makes the relief; range() are bounds of the field's values, palette(name) has a palette's colours. */
export function makeRelief({ map, pool, range, palette }) {
  const [canvas, screen] = [$("relief"), $("relief-screen")];
  const say = (text) => {
    $("relief-notice").textContent = text;
    $("relief-notice").hidden = !text;
  };
  const view = makeView(canvas, palette);
  if (!view) {
    canvas.hidden = true;
    document.body.dataset.webgl = "none";
    say(
      "The relief needs WebGL 2, which this browser does not have or has switched off. Everything else on this page works without it.",
    );
    return { setVisible() {}, changed() {} };
  }
  canvas.addEventListener("webglcontextlost", () =>
    say("The graphics processor took WebGL away. Reload the page to see the relief again."),
  );

  // ---- The camera ----

  /** Turns and tilts by degrees. */
  function turn(right, up, closer = 1) {
    const round = (value) => Number(value.toFixed(2));
    update({
      turn: round(((((state.turn + right + 180) % 360) + 360) % 360) - 180),
      tilt: round(between(state.tilt + up, 5, 89)),
      distance: round(between(state.distance * closer, 0.3, 3)),
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
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      turn(0, 0, Math.exp(event.deltaY * 0.001));
    },
    { passive: false },
  );
  onKeys(canvas, {
    ArrowLeft: () => turn(-6, 0),
    ArrowRight: () => turn(6, 0),
    ArrowUp: () => turn(0, 3),
    ArrowDown: () => turn(0, -3),
    "+": () => turn(0, 0, 0.9),
    "=": () => turn(0, 0, 0.9),
    "-": () => turn(0, 0, 1.1),
    Home: () => update({ turn: -25, tilt: 28, distance: 1 }),
  });

  // ---- Heights ----

  let visible = false;
  let stale = true;
  let loading = false;

  async function load() {
    if (loading) return;
    loading = true;
    while (visible && stale) {
      stale = false;
      let shift = 0;
      while ((map.width >> shift) * (map.height >> shift) > MAX_TEXELS) shift++;
      const size = map.size.map((each) => Math.max(each >> shift, 2));
      const { text, z } = state;
      const level = state.level + shift;
      const [left, top] = firstOf({ ...state, level }, size);
      try {
        const values = new Float32Array(size[0] * size[1]);
        await pool.bands(size[1], async (from, rows) => {
          const part = { size: [size[0], rows], first: [left, top + BigInt(from)] };
          const samples = await pool.run({ kind: "grid", text, z, ...part, step: step(level) });
          values.set(samples, from * size[0]);
        });
        view.raise(values, size);
        request();
        say("");
      } catch (error) {
        say(`The relief cannot be shown: ${error.message}`);
      }
    }
    loading = false;
  }

  // ---- Frames: one for each change, and an orbit on the first part ----

  let frame = 0;
  let last = 0; // time of the last frame
  let pace = 16; // ms a frame
  let drift = 0; // degrees of the orbit

  function request() {
    if (!frame && visible) frame = requestAnimationFrame(onFrame);
  }

  new ResizeObserver(() => {
    stale = true;
    request();
    if (visible) load();
  }).observe(screen);

  function draw() {
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [screen.clientWidth, screen.clientHeight].map((length) =>
      Math.max(Math.round(length * ratio), 1),
    );
    view.resize(width, height);
    const [low, high] = range();
    const rise = state.rise && state.rise / (Math.max(...map.size) * step(state.level));
    view.draw(
      { ...state, rise, low: state.low ?? low, high: state.high ?? high },
      {
        turn: state.turn + (state.tab === "home" ? drift : 0),
        tilt: state.tilt,
        distance: state.distance,
        dark: matchMedia("(prefers-color-scheme: dark)").matches,
        frame: frameOf(state.tab, width / height),
      },
    );
  }

  function onFrame(time) {
    frame = 0;
    if (!view.ready()) return void (visible && setTimeout(request, 20));
    const passed = Math.min(time - last, 200);
    last = time;
    const orbits = state.tab === "home" && !reducedMotion() && pace < SLOW;
    if (orbits) {
      pace += 0.2 * (passed - pace);
      drift += 0.0035 * Math.min(passed, 50);
      document.body.dataset.drift = drift.toFixed(1);
    }
    draw();
    document.body.dataset.relief = "drawn";
    if (orbits) request();
  }

  return {
    setVisible(now) {
      visible = now;
      if (!visible) return;
      if (stale) load();
      request();
    },
    changed(names) {
      if (["text", "z", "x", "y", "level"].some((name) => names.has(name))) {
        stale = true;
        if (visible) load();
      }
      request();
    },
  };
}
