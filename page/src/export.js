// SPDX-License-Identifier: MIT
//
// "Export": a file of the samples, and the texts that compute the same samples elsewhere.

import { shownMap, textIn } from "./code.js";
import { $, brief, h } from "./dom.js";
import { dimsOf, numberOf, step } from "./place.js";
import { lookOf, optionsOf } from "./picture.js";
import { makeSnippet } from "./snippet.js";
import { download, FORMATS, save } from "./save.js";
import { boundsOf, expressionOf, nameOf } from "./source.js";
import { fragment, state } from "./state.js";

const MAX = 8192;
const SEEN = "The part of the field on the map; a larger file has it in finer detail.";
const TILE = "One period of the field; copies side by side have no seam.";

export function makeExport({ map, pool, perlane, currentField }) {
  const [format, width, height] = [$("save-format"), $("save-width"), $("save-height")];
  const [low, high, message] = [$("save-low"), $("save-high"), $("save-message")];
  let controller; // of the file that is being saved
  let touched = false; // sizes follow the window until they are changed
  let leveled = false; // and levels the colours

  /** The map of the file, and of the code for it. */
  function wanted() {
    const [w, h] = [width, height].map(({ value }) => Number(value));
    const { size, ...shown } = shownMap(map);
    const ends = { low: Number(low.value || NaN), high: Number(high.value || NaN) };
    const placed = { ...shown, ...ends, size: [w, h] };
    if ($("area-tile").checked) return { ...placed, ...start([0, 0]), step: map.period[0] / w };
    // What is seen fits into the file: along one axis exactly.
    const scale = Math.max(map.width / w, map.height / h);
    if (scale === 1) return { ...placed, ...shownMap({ width: w, height: h }) };
    const apart = step(state.level) * scale;
    const origin = [numberOf(state.x) - (w / 2) * apart, numberOf(state.y) - (h / 2) * apart];
    return { ...placed, ...start(origin), step: apart };
  }
  const start = (origin) => ({ first: [0n, 0n], origin });

  /** Why a file cannot be written; nothing if it can. */
  function problemOf({ size, low, high }) {
    if (!size.every((each) => Number.isInteger(each) && each >= 1 && each <= MAX))
      return `Width and height must be whole numbers from 1 to ${MAX}.`;
    if (format.value !== "raw32" && !(Number.isFinite(low - high) && low !== high))
      return "Black and white must be two different numbers.";
    return "";
  }

  // ---- Texts ----

  const picture = (made) => {
    const options = optionsOf(currentField(), lookOf(state), dimsOf(state.z), made.step);
    return textIn("command", made, "map.png", options);
  };
  const TEXTS = {
    picture: () => picture(wanted()),
    text: () => expressionOf(state.text) ?? state.text,
    link: () => location.origin + location.pathname + fragment("explore"),
  };
  const names = ["command", "picture", "c", "python", "javascript", "text", "link"];
  const textOf = (name) => TEXTS[name]?.() ?? textIn(name, wanted());
  const texts = makeSnippet("texts", "Forms", names, textOf);
  $("texts-place").append(texts.element);

  // ---- Files ----

  const named = (rest) => `perlane-${nameOf(currentField(), state.text)}-${rest}`;

  async function savePicture() {
    const blob = await new Promise((resolve) => $("map").toBlob(resolve));
    download(blob, named(`${map.size.join("x")}-picture.png`));
    message.textContent = `Saved the picture, ${map.size.join(" × ")} pixels.`;
  }

  async function run() {
    const file = wanted();
    message.textContent = problemOf(file) || `Computing ${file.size.join(" × ")} samples…`;
    if (problemOf(file)) return;
    controller = new AbortController();
    const busy = (is) => {
      $("save").disabled = is;
      $("save-cancel").hidden = $("save-progress").hidden = !is;
      $("save-progress").value = 0;
    };
    const progress = (share) => ($("save-progress").value = share);
    const kind = format.value;
    const begun = performance.now();
    busy(true);
    try {
      const blob = await save(pool, file, kind, perlane.version, progress, controller.signal);
      // Unreal takes a name with digits around an x for a tile.
      download(blob, named(`${file.size.join("-")}.${FORMATS[kind].suffix}`));
      const seconds = (performance.now() - begun) / 1000;
      message.textContent = `Saved ${file.size.join(" × ")} samples, ${brief(blob.size / 1048576, 3)} MiB, in ${brief(seconds, 2)} s.`;
    } catch (error) {
      const cancelled = error.name === "AbortError";
      message.textContent = cancelled
        ? "Cancelled; nothing was saved."
        : `Not saved: ${error.message}`;
    }
    busy(false);
  }

  function show() {
    const tiles = map.period?.every((each) => each > 0);
    $("areas").hidden = !tiles;
    if (!tiles) $("area-seen").checked = true;
    const isTile = $("area-tile").checked;
    $("area-help").textContent = isTile ? TILE : SEEN;
    const shown = isTile
      ? map.period.map((each) => Math.round(each / step(state.level)))
      : map.size;
    if (!touched) [width.value, height.value] = shown.map((each) => Math.min(each, MAX));
    height.disabled = isTile;
    if (isTile) height.value = Math.round((width.value * map.period[1]) / map.period[0]);
    const bounds = boundsOf(currentField(), dimsOf(state.z));
    if (!leveled) [low.value, high.value] = [state.low ?? bounds[0], state.high ?? bounds[1]];
    low.disabled = high.disabled = format.value === "raw32";
    if (!problemOf(wanted())) texts.show();
  }

  /** Shows what depends on an input, whose value does not follow the map from now on. */
  const follow = (inputs, change) =>
    inputs.forEach((input) =>
      input.addEventListener("input", () => {
        change();
        show();
      }),
    );
  follow([width, height], () => (touched = true));
  follow([low, high], () => (leveled = true));
  follow([format, $("area-seen"), $("area-tile")], () => {});
  for (const each of $("save-sizes").children)
    each.addEventListener("click", () => {
      const { size, format: needed } = each.dataset;
      touched = Boolean(size);
      if (size) width.value = height.value = size;
      if (needed) format.value = needed;
      show();
    });
  $("save").addEventListener("click", run);
  $("save-picture").addEventListener("click", savePicture);
  $("save-cancel").addEventListener("click", () => controller.abort());
  for (const [value, { title }] of Object.entries(FORMATS))
    format.append(h("option", { value }, title));
  texts.choose();
  return { show };
}
