// SPDX-License-Identifier: MIT
//
// "Take it along": the link, code in four languages, and files.

import { brief, h } from "./dom.js";
import * as code from "./code.js";
import { indexOf, step } from "./place.js";
import { download, FORMATS, save } from "./save.js";
import { fragment, state } from "./state.js";

const MAX = 8192;

export function makeTake({ root, map, pool, perlane, currentField }) {
  const shown = () => ({ text: state.text, first: map.first(), size: [map.width, map.height], step: step(state.level) });

  /** A map of another size around the same middle. */
  function sized(width, height) {
    const first = [indexOf(state.x, state.level) - BigInt(Math.floor(width / 2)), indexOf(state.y, state.level) - BigInt(Math.floor(height / 2))];
    return { ...shown(), first, size: [width, height] };
  }

  // ---- Texts ----

  const TEXTS = [
    ["link", "Link", "Holds everything: the field, the place, the picture.", () => location.origin + location.pathname + fragment("explore")],
    ["text", "Text form", "One line for perlane_params_parse, --field, and field() in JavaScript.", () => state.text],
    ["command", "Command", "Writes the shown map as floats.", () => code.command(shown())],
    ["c", "C", "A complete program: cc -O2 -Iinclude map.c build/libperlane.a -o map", () => code.c(shown())],
    ["python", "Python", "With the package: pip install . in perlane's folder.", () => code.python(shown())],
    ["javascript", "JavaScript", "With the npm package, in node or in a browser.", () => code.javascript(shown())],
  ];
  const areas = [];
  const said = h("p", { class: "quiet", role: "status", "aria-live": "polite" });
  const texts = TEXTS.map(([name, title, help, make]) => {
    const id = `code-${name}`;
    const area = h("pre", { id, tabindex: "0", "aria-label": title });
    areas.push([area, make]);
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(area.textContent);
        said.textContent = `${title}: copied.`;
      } catch {
        getSelection().selectAllChildren(area);
        said.textContent = `${title}: selected. This browser does not let a page copy; press Ctrl+C.`;
      }
    };
    return h(
      "section",
      { class: "snippet" },
      h("div", { class: "line" }, h("h3", {}, title), h("button", { type: "button", id: `copy-${name}`, "aria-label": `Copy: ${title}`, click: copy }, "Copy")),
      h("p", { class: "help" }, help),
      area,
    );
  });

  // ---- Files ----

  const format = h("select", { id: "save-format" }, Object.entries(FORMATS).map(([value, { title }]) => h("option", { value }, title)));
  const number = (id) => h("input", { id, type: "number", min: 1, max: MAX, step: 1, class: "number" });
  const width = number("save-width");
  const height = number("save-height");
  const low = h("input", { id: "save-low", type: "text", inputmode: "decimal", class: "number", value: "-1" });
  const high = h("input", { id: "save-high", type: "text", inputmode: "decimal", class: "number", value: "1" });
  const progress = h("progress", { id: "save-progress", max: 1, value: 0, "aria-label": "Progress" });
  const message = h("p", { class: "quiet", id: "save-message", role: "status", "aria-live": "polite" });
  const start = h("button", { type: "button", id: "save", class: "primary", click: run }, "Save");
  const cancel = h("button", { type: "button", id: "save-cancel", disabled: true, click: () => controller?.abort() }, "Cancel");
  let controller;
  let touched = false; // sizes follow the window until they are changed

  for (const input of [width, height]) input.addEventListener("input", () => (touched = true));
  const setSize = (w, h, own) => {
    width.value = w;
    height.value = h;
    touched = own;
  };
  const sizes = [
    h("button", { type: "button", id: "size-shown", click: () => setSize(map.width, map.height, false) }, "As shown"),
    ...[1024, 2048, 4096, 8192].map((size) => h("button", { type: "button", click: () => setSize(size, size, true) }, `${size}²`)),
  ];

  async function run() {
    const size = [width, height].map((input) => Number(input.value));
    if (size.some((each) => !Number.isInteger(each) || each < 1 || each > MAX)) {
      message.textContent = `Width and height must be whole numbers from 1 to ${MAX}.`;
      return;
    }
    const levels = [low, high].map((input) => (input.value.trim() === "" ? NaN : Number(input.value)));
    if (format.value !== "raw32" && !(levels.every(Number.isFinite) && levels[0] !== levels[1])) {
      message.textContent = "Black and white must be two different numbers.";
      return;
    }
    const file = { ...sized(...size), low: levels[0], high: levels[1] };
    const kind = format.value;
    controller = new AbortController();
    start.disabled = true;
    cancel.disabled = false;
    progress.value = 0;
    message.textContent = `Computing ${size[0]} × ${size[1]} samples…`;
    const begun = performance.now();
    try {
      const blob = await save(pool, file, kind, perlane.version, (share) => (progress.value = share), controller.signal);
      download(blob, `perlane-${currentField().get("seed")}-${size.join("x")}.${FORMATS[kind].suffix}`);
      const seconds = (performance.now() - begun) / 1000;
      message.textContent = `Saved ${size[0]} × ${size[1]} samples, ${brief(blob.size / 1048576, 3)} MiB, in ${brief(seconds, 2)} s.`;
    } catch (error) {
      progress.value = 0;
      message.textContent = error.name === "AbortError" ? "Cancelled; nothing was saved." : `Not saved: ${error.message}`;
    } finally {
      start.disabled = false;
      cancel.disabled = true;
      controller = undefined;
    }
  }

  root.append(
    h("h2", {}, "Take it along"),
    h("p", {}, "The map of ", h("em", {}, "Explore"), ", in other places. Each of these makes the same samples, down to the last bit."),
    said,
    h("div", { class: "snippets" }, texts),
    h("h2", {}, "Save a file"),
    h("p", {}, "Samples around the middle of the map, at its step. With the size ", h("em", {}, "as shown"), " the file has exactly the samples on the screen. A PNG also carries the field’s text: ", h("code", {}, "perlane fill --params-of"), " reads it."),
    h(
      "div",
      { class: "form" },
      h("div", { class: "control" }, h("label", { for: "save-format" }, "Format"), format),
      h("div", { class: "control" }, h("label", { for: "save-width" }, "Width"), width),
      h("div", { class: "control" }, h("label", { for: "save-height" }, "Height"), height),
      h("div", { class: "control" }, h("label", { for: "save-low" }, "Black at"), low),
      h("div", { class: "control" }, h("label", { for: "save-high" }, "White at"), high),
    ),
    h("div", { class: "buttons" }, sizes),
    h("div", { class: "buttons" }, start, cancel, progress),
    message,
  );

  return {
    show() {
      if (!touched) setSize(map.width, map.height, false);
      const floats = format.value === "raw32";
      low.disabled = high.disabled = floats;
      for (const [area, make] of areas) {
        const text = make();
        if (area.textContent !== text) area.textContent = text;
      }
    },
    format,
  };
}
