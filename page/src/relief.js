// SPDX-License-Identifier: MIT
//
// The visible map as a lit block: which heights it shows, the controls of its surface, and the camera.

import { h, labelledSwitch, reducedMotion, slider } from "./dom.js";
import { indexOf, step } from "./place.js";
import { makeView } from "./relief-view.js";
import { state, update } from "./state.js";

const MAX_TEXELS = 1 << 20;
const REST = 4000; // ms without input after which the orbit goes on
const SLOW = 80; // ms a frame with which nothing orbits

const between = (value, low, high) => Math.min(Math.max(value, low), high);

/** The part of the picture that the block fills: on the first part, text is beside or above it. */
function frameOf(tab, aspect) {
  if (tab !== "home") return { x: 0, y: -0.02, width: 0.94, height: 0.86 };
  return aspect > 1.2
    ? { x: 0.4, y: -0.05, width: 0.54, height: 0.57 }
    : { x: 0, y: -0.42, width: 0.96, height: 0.4 };
}

export async function makeRelief({ canvas, screen, controls, notice, map, pool, range, palette }) {
  const say = (text) => {
    notice.textContent = text;
    notice.hidden = !text;
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

  // ---- Controls ----

  const shows = [];
  const stateSlider = (name, label, min, max, step) => {
    const made = slider(label, { id: `relief-${name}`, min, max, step }, (value) =>
      update({ [name]: value }),
    );
    shows.push(() => state[name] === null || made.show(state[name])); // without water its level stays where it was
    return made;
  };
  const toggle = (id, label, change) => {
    const input = h("input", { id, type: "checkbox", change: () => change(input.checked) });
    return [input, labelledSwitch(label, input)];
  };
  const { input: water, element: waterRow } = stateSlider("water", "Water level", -1, 1, 0.01);
  const [flood, floodRow] = toggle("flooded", "Water", (on) =>
    update({ water: on ? Number(water.value) : null }),
  );
  shows.push(() => {
    flood.checked = state.water !== null;
    water.disabled = state.water === null;
  });
  const [orbit, orbitRow] = toggle("orbit", "Slow orbit", request);
  orbit.checked = !reducedMotion();
  const height = stateSlider("height", "Height", 0, 4, 0.05).element;
  controls.append(
    h("summary", {}, "Relief"),
    h("div", { class: "group" }, height, floodRow, waterRow, orbitRow),
  );
  const show = () => shows.forEach((each) => each());
  show();

  // ---- The camera ----

  let drift = 0; // degrees of the orbit
  let touched = -Infinity; // when the camera was last moved by hand

  function frameAgain() {
    drift = 0;
    update({ turn: -25, tilt: 28, distance: 1 });
    request();
  }

  /** Turns and tilts by degrees. */
  function turn(right, up, closer = 1) {
    const round = (value) => Number(value.toFixed(2));
    touched = performance.now();
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
  canvas.addEventListener("keydown", (event) => {
    const keys = {
      ArrowLeft: () => turn(-6, 0),
      ArrowRight: () => turn(6, 0),
      ArrowUp: () => turn(0, 3),
      ArrowDown: () => turn(0, -3),
      "+": () => turn(0, 0, 0.9),
      "=": () => turn(0, 0, 0.9),
      "-": () => turn(0, 0, 1.1),
      Home: frameAgain,
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
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
      const size = [Math.max(map.width >> shift, 2), Math.max(map.height >> shift, 2)];
      const level = state.level + shift;
      const first = [
        indexOf(state.x, level) - BigInt(size[0] >> 1),
        indexOf(state.y, level) - BigInt(size[1] >> 1),
      ];
      try {
        const values = new Float32Array(size[0] * size[1]);
        await pool.bands(size[1], async (from, rows) => {
          const part = await pool.run({
            kind: "grid",
            text: state.text,
            z: state.z,
            size: [size[0], rows],
            first: [first[0], first[1] + BigInt(from)],
            step: step(level),
          });
          values.set(part.values, from * size[0]);
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

  // ---- Frames ----

  let frame = 0;
  let last = 0; // time of the last frame
  let pace = 16; // ms a frame

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
    view.resize(
      Math.max(Math.round(screen.clientWidth * ratio), 1),
      Math.max(Math.round(screen.clientHeight * ratio), 1),
    );
    const [low, high] = range();
    const { palette, light, altitude, height, water, turn, tilt, distance, tab } = state;
    const rise =
      state.rise === null
        ? null
        : state.rise / (Math.max(map.width, map.height) * step(state.level));
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    view.draw(
      {
        palette,
        light,
        altitude,
        height,
        water,
        rise,
        low: state.low ?? low,
        high: state.high ?? high,
      },
      {
        turn: turn + drift,
        tilt,
        distance,
        dark,
        frame: frameOf(tab, screen.clientWidth / Math.max(screen.clientHeight, 1)),
      },
    );
  }

  function onFrame(time) {
    frame = 0;
    if (!view.ready()) return void (visible && setTimeout(request, 20));
    const passed = Math.min(time - last, 200);
    last = time;
    const orbits =
      orbit.checked && !reducedMotion() && pace < SLOW && !pointers.size && time - touched > REST;
    if (orbits) {
      pace += 0.2 * (passed - pace);
      drift += 0.0035 * Math.min(passed, 50);
      document.body.dataset.drift = drift.toFixed(1);
    }
    draw();
    document.body.dataset.relief = "drawn";
    if (orbit.checked && !reducedMotion() && pace < SLOW) request();
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
      show();
      request();
    },
  };
}
