// SPDX-License-Identifier: MIT
//
// "Export": files first, then code in five languages, the link and the text form.

import { brief, h } from "./dom.js";
import * as code from "./code.js";
import { highlight } from "./highlight.js";
import { indexOf, step } from "./place.js";
import { lookOf, optionsOf } from "./picture.js";
import { dimsOf } from "./slice.js";
import { download, FORMATS, save } from "./save.js";
import { fragment, state } from "./state.js";
import { copyFrom } from "./toolbar.js";

const MAX = 8192;
const LANGUAGES = {
  command: ["Command", "Writes the shown map as floats."],
  c: ["C", "A complete program: cc -O2 -Iinclude map.c build/libperlane.a -o map"],
  cpp: ["C++", "A complete program: c++ -O2 -Iinclude map.cpp build/libperlane.a -o map"],
  python: ["Python", "With the package: pip install . in perlane's folder."],
  javascript: ["JavaScript", "With the npm package, in node or in a browser."],
};

export function makeExport({ root, map, pool, perlane, currentField }) {
  const shown = () => ({ text: state.text, first: map.first(), size: [map.width, map.height], step: step(state.level), z: state.z });

  /** A map of another size around the same middle. */
  function sized(width, height) {
    const first = [indexOf(state.x, state.level) - BigInt(Math.floor(width / 2)), indexOf(state.y, state.level) - BigInt(Math.floor(height / 2))];
    return { ...shown(), first, size: [width, height] };
  }

  // ---- Texts ----

  const areas = []; // [element, function that returns its text, language]
  const area = (name, title, make, language) => {
    const element = h("pre", { id: `code-${name}`, tabindex: "0", "aria-label": title });
    areas.push([element, make, language]);
    return element;
  };
  const copyButton = (name, title, from) =>
    h("button", { type: "button", id: `copy-${name}`, "aria-label": `Copy: ${title}`, click: async ({ currentTarget }) => {
      if (!(await copyFrom(currentTarget, from().textContent))) getSelection().selectAllChildren(from());
    } }, "Copy");
  const row = (name, title, help, make) => {
    const element = area(name, title, make);
    return h("div", { class: "snippet" }, h("div", { class: "line" }, h("h3", {}, title), copyButton(name, title, () => element)), h("p", { class: "help" }, help), element);
  };

  let language = "command";
  const tabs = {};
  const blocks = {};
  const help = h("p", { class: "help", id: "code-help" });
  for (const [name, [title]] of Object.entries(LANGUAGES)) {
    blocks[name] = area(name, title, () => code[name](shown()), name);
    tabs[name] = h("button", { type: "button", role: "tab", id: `language-${name}`, "aria-controls": `code-${name}`, click: () => choose(name) }, title);
    blocks[name].setAttribute("role", "tabpanel");
  }
  function choose(name) {
    language = name;
    help.textContent = LANGUAGES[name][1];
    for (const each of Object.keys(tabs)) {
      tabs[each].setAttribute("aria-selected", String(each === name));
      tabs[each].tabIndex = each === name ? 0 : -1;
      blocks[each].hidden = each !== name;
    }
  }
  const list = h("div", { role: "tablist", "aria-label": "Languages", class: "languages", keydown: (event) => {
    const names = Object.keys(tabs);
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    choose(names[(names.indexOf(language) + way + names.length) % names.length]);
    tabs[language].focus();
  } }, Object.values(tabs));
  choose(language);

  // ---- Files ----

  const format = h("select", { id: "save-format", change: show }, Object.entries(FORMATS).map(([value, { title }]) => h("option", { value }, title)));
  const number = (id) => h("input", { id, type: "number", min: 1, max: MAX, step: 1, class: "number" });
  const level = (id, value) => h("input", { id, type: "text", inputmode: "decimal", class: "number", value });
  const [width, height] = [number("save-width"), number("save-height")];
  const [low, high] = [level("save-low", "-1"), level("save-high", "1")];
  const progress = h("progress", { id: "save-progress", max: 1, value: 0, "aria-label": "Progress" });
  const message = h("p", { class: "quiet", id: "save-message", role: "status", "aria-live": "polite" });
  const start = h("button", { type: "button", id: "save", class: "primary", click: run }, "Save the heights");
  const cancel = h("button", { type: "button", id: "save-cancel", disabled: true, click: () => controller?.abort() }, "Cancel");
  const picture = h("button", { type: "button", id: "save-picture", click: savePicture }, "Save the picture");
  let controller;
  let touched = false; // sizes follow the window until they are changed
  let leveled = false; // and levels the colours

  for (const input of [width, height]) input.addEventListener("input", () => (touched = true));
  for (const input of [low, high]) input.addEventListener("input", () => (leveled = true));
  const setSize = (w, h, own) => {
    width.value = w;
    height.value = h;
    touched = own;
  };
  const sizes = [
    h("button", { type: "button", id: "size-shown", click: () => setSize(map.width, map.height, false) }, "As shown"),
    ...[1024, 2048, 4096, 8192].map((size) => h("button", { type: "button", click: () => setSize(size, size, true) }, `${size}²`)),
  ];
  const named = (rest) => `perlane-${currentField().get("seed")}-${rest}`;

  async function savePicture() {
    download(await new Promise((resolve) => document.getElementById("map").toBlob(resolve)), named(`${map.width}x${map.height}-picture.png`));
    message.textContent = `Saved the picture, ${map.width} × ${map.height} pixels.`;
  }

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
      download(blob, named(`${size.join("x")}.${FORMATS[kind].suffix}`));
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

  const control = (label, input) => h("div", { class: "control" }, h("label", { for: input.id }, label), input);
  root.append(
    h("h2", {}, "Export"),
    h("section", {},
      h("h3", {}, "Save"),
      h("p", {}, "Samples around the middle of the map, at its step. A PNG carries the field’s text, which ", h("code", {}, "perlane fill --params-of"), " reads."),
      h("div", { class: "form" }, control("Format", format), control("Width", width), control("Height", height), control("Black at", low), control("White at", high)),
      h("div", { class: "buttons" }, sizes),
      h("div", { class: "buttons" }, start, picture, cancel, progress),
      message,
    ),
    h("section", { class: "snippet" },
      h("h3", {}, "Code for the same samples, bit for bit"),
      h("div", { class: "line" }, list, copyButton("code", "the code", () => blocks[language])),
      help,
      Object.values(blocks),
    ),
    h("section", {},
      row("picture", "Picture", "The command that draws the shown picture, pixel for pixel.", () =>
        code.command(shown(), "map.png", optionsOf(currentField(), lookOf(state), dimsOf(state.z), step(state.level)))),
      row("link", "Link", "Contains everything: the field, the place, the picture.", () => location.origin + location.pathname + fragment("explore")),
      row("text", "Text form", "One line for perlane_params_parse, --field, and field() in JavaScript.", () => state.text),
    ),
  );

  function show() {
    if (!touched) setSize(map.width, map.height, false);
    if (!leveled && state.low !== null && state.high !== null) [low.value, high.value] = [state.low, state.high];
    low.disabled = high.disabled = format.value === "raw32";
    for (const [element, make, of] of areas) {
      const text = make();
      if (element.textContent !== text) element.replaceChildren(...highlight(text, of));
    }
  }
  return { show };
}
