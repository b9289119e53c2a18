// SPDX-License-Identifier: MIT
//
// What the page shows, and its form in the address's fragment. Everything that a link must hold is
// here, and only here.

import { clamp, coordinateOf, indexOf, MAX_LEVEL, MIN_LEVEL } from "./place.js";

export const START =
  "seed=7 frequency=0.0032 octaves=8 gain=0.48 fractal=eroded warp_amplitude=62 warp_frequency=0.0036 warp_octaves=2 value_offset=0.06";

const initial = () => ({
  text: START, // the field's text form
  x: 0n, // the centre of the map
  y: 0n,
  level: 0,
  style: "shaded",
  palette: "terrain",
  low: null, // the values of the first and last colour; null for the field's bounds
  high: null,
  light: 315, // degrees, clockwise from the top
  relief: 1, // strength of the shading
  tab: "explore",
});

const listeners = new Set();
export const state = initial();

/** Calls listener(changed) with a set of names after every change. */
export function watch(listener) {
  listeners.add(listener);
}

export function update(values) {
  const changed = new Set();
  for (const [name, value] of Object.entries(values)) {
    const next = name === "x" || name === "y" ? clamp(value) : value;
    if (state[name] === next) continue;
    state[name] = next;
    changed.add(name);
  }
  if (changed.size) listeners.forEach((listener) => listener(changed));
}

// ---- The fragment ----

const encode = (text) =>
  encodeURIComponent(text).replaceAll("%20", "+").replace(/%(3D|3A|2C)/g, (code) => decodeURIComponent(code));

export function fragment(tab = state.tab) {
  const usual = initial();
  const shown = { ...state, tab };
  const parts = [["field", state.text]];
  parts.push(["at", `${indexOf(state.x, state.level)},${indexOf(state.y, state.level)}`]);
  parts.push(["step", String(2 ** state.level)]);
  for (const name of ["style", "palette", "low", "high", "light", "relief", "tab"])
    if (shown[name] !== usual[name]) parts.push([name, String(shown[name])]);
  return "#" + parts.map(([name, value]) => `${name}=${encode(value)}`).join("&");
}

const STYLES = ["shaded", "flat", "normals"];
const TABS = ["explore", "relief", "how", "take"];

/** Reads a fragment. Parts that are missing or wrong keep their defaults: links come from anywhere. */
export function parseFragment(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const values = initial();
  if (given.has("field")) values.text = given.get("field");
  const level = Math.log2(Number(given.get("step") ?? 1));
  if (Number.isInteger(level) && level >= MIN_LEVEL && level <= MAX_LEVEL) values.level = level;
  const at = /^(-?\d{1,19}),(-?\d{1,19})$/.exec(given.get("at") ?? "");
  if (at) {
    values.x = coordinateOf(BigInt(at[1]), values.level);
    values.y = coordinateOf(BigInt(at[2]), values.level);
  }
  const number = (name, min, max) => {
    const value = Number(given.get(name) || NaN);
    if (value >= min && value <= max) values[name] = value;
  };
  number("low", -1e9, 1e9);
  number("high", -1e9, 1e9);
  number("light", 0, 360);
  number("relief", 0, 8);
  if (STYLES.includes(given.get("style"))) values.style = given.get("style");
  if (/^[a-z]{1,20}$/.test(given.get("palette") ?? "")) values.palette = given.get("palette");
  if (TABS.includes(given.get("tab"))) values.tab = given.get("tab");
  return values;
}
