// SPDX-License-Identifier: MIT
//
// What the page shows, and its form in the address's fragment. Everything that a link must hold is
// here, and only here.

import { clamp, coordinateOf, indexOf, MAX_LEVEL, MIN_LEVEL } from "./place.js";
import { tabOf, TABS } from "./tab.js";
import { expressionOf, marked } from "./source.js";

export const START = "frequency=0.004 octaves=8"; // the field of links without one

export const initial = () => ({
  text: START, // the field's text form, or an expression as source.js marks it
  draft: null, // a text that was given instead, which makes no field: the address keeps it
  x: 0n, // the centre of the map
  y: 0n,
  level: 0,
  z: null, // of the slice that the map is of the 3D field; null for the 2D field
  style: "shaded",
  palette: "terrain",
  low: null, // the values of the first and last colour; null for the field's bounds
  high: null,
  light: 315, // degrees, clockwise from the top
  altitude: 45, // degrees above the horizon
  rise: null, // height of a value difference of 1, in units of position; null makes slopes of 1 in 2
  relief: 1, // factor of the shading's slopes
  height: 1, // of the surface
  water: 0, // the value that is flooded; null for none
  turn: -25, // the camera's place: degrees, degrees above the ground, and a factor of the distance
  tilt: 28, // from which all is seen
  distance: 1,
  view: "map", // or "relief"
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

const NUMBERS = {
  z: [-1e9, 1e9, "none"], // and the word for null
  low: [-1e9, 1e9],
  high: [-1e9, 1e9],
  light: [0, 360],
  altitude: [5, 90],
  rise: [0, 1e9],
  relief: [0, 8],
  height: [0, 4],
  water: [-1e9, 1e9, "none"],
  turn: [-180, 180],
  tilt: [5, 89],
  distance: [0.3, 3],
};
const WORDS = { style: ["shaded", "flat", "normals"], view: ["map", "relief"], tab: TABS };

const encode = (text) =>
  encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replace(/%(3D|3A|2C)/g, (code) => decodeURIComponent(code));

export function fragment(tab = state.tab) {
  const usual = initial();
  const shown = { ...state, tab };
  const text = state.draft ?? state.text;
  const expression = expressionOf(text);
  const parts = [expression === undefined ? ["field", text] : ["expression", expression]];
  parts.push(["at", `${indexOf(state.x, state.level)},${indexOf(state.y, state.level)}`]);
  parts.push(["step", String(2 ** state.level)]);
  for (const name of ["style", "palette", ...Object.keys(NUMBERS), "view", "tab"])
    if (shown[name] !== usual[name]) parts.push([name, String(shown[name] ?? "none")]);
  return "#" + parts.map(([name, value]) => `${name}=${encode(value)}`).join("&");
}

/** Reads two whole numbers such as 12,-3 and 1e5,0; undefined for anything else. */
function wholeNumbers(text) {
  const matches = text.split(",").map((each) => /^([+-]?\d{1,40})(?:e\+?(\d{1,2}))?$/i.exec(each));
  if (matches.length !== 2 || !matches.every(Boolean)) return undefined;
  return matches.map(([, digits, power = "0"]) => BigInt(digits) * 10n ** BigInt(power));
}

/** The level of a step; undefined if it has none. */
function levelOf(text) {
  const level = Math.log2(Number(text));
  return Number.isInteger(level) && level >= MIN_LEVEL && level <= MAX_LEVEL ? level : undefined;
}

/**
 * Reads a fragment. Links come from anywhere: parts that are missing or wrong keep their defaults, and
 * problems has a sentence about each wrong one. fresh: it says nothing about the map.
 */
export function parseFragment(hash, palettes) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const values = { ...initial(), tab: tabOf(hash) };
  const problems = [];
  const read = (name, expected, parse, use = (value) => (values[name] = value)) => {
    if (!given.has(name)) return;
    const value = parse(given.get(name));
    if (value !== undefined) use(value);
    else problems.push(`${name} must be ${expected}, not ${given.get(name) || "empty"}`);
  };
  if (given.has("field")) values.text = given.get("field");
  if (given.has("expression")) values.text = marked(given.get("expression"));
  const steps = `a power of two from 2^${MIN_LEVEL} to 2^${MAX_LEVEL}`;
  read("step", steps, levelOf, (level) => (values.level = level));
  read("at", "two whole numbers, x,y", wholeNumbers, (at) => {
    const [x, y] = at.map((index) => coordinateOf(index, values.level));
    Object.assign(values, { x: clamp(x), y: clamp(y) });
    if (values.x !== x || values.y !== y)
      problems.push(`at=${given.get("at")} is beyond the edge of the map, which is shown instead`);
  });
  for (const [name, [min, max, none]] of Object.entries(NUMBERS))
    read(name, `a number from ${min} to ${max}`, (text) => {
      if (text === none) return null;
      const value = Number(text || NaN);
      return value >= min && value <= max ? value : undefined;
    });
  for (const [name, words] of Object.entries({ ...WORDS, palette: palettes }))
    read(name, `one of ${words.join(", ")}`, (text) => words.find((word) => word === text));
  return { values, problems, fresh: [...given.keys()].every((name) => name === "tab") };
}
