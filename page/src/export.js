// SPDX-License-Identifier: MIT
//
// "Export": a file of the samples, and the texts that compute the same samples elsewhere.

import { brief, h, labelled } from "./dom.js";
import { textIn } from "./code.js";
import { ENGINES, scaled, settingsOf } from "./engines.js";
import { indexOf, numberOf, step } from "./place.js";
import { lookOf, optionsOf } from "./picture.js";
import { dimsOf } from "./slice.js";
import { makeSnippet } from "./snippet.js";
import { download, FORMATS, save } from "./save.js";
import { expressionOf, isExpression, nameOf } from "./source.js";
import { fragment, state } from "./state.js";

const MAX = 8192;

export function makeExport({ root, map, pool, perlane, currentField }) {
  // ---- What is saved ----

  const AREAS = {
    seen: [
      "What you see",
      "The part of the field on the map; a larger file has it in finer detail.",
    ],
    more: [
      "More land",
      "The spacing of the map, one sample per pixel; a larger file reaches further around its middle.",
    ],
    tile: ["One tile", "One period of the field; copies side by side have no seam."],
  };
  const areaHelp = h("p", { class: "help" });
  const choices = Object.fromEntries(
    Object.entries(AREAS).map(([name, [title]]) => {
      const input = h("input", {
        type: "radio",
        name: "area",
        id: `area-${name}`,
        value: name,
        checked: name === "seen",
        change: show,
      });
      return [name, [input, h("label", { class: "radio", for: input.id }, input, title)]];
    }),
  );
  const chosen = () => Object.keys(AREAS).find((name) => choices[name][0].checked);

  /** The map of the file, and of the code for it. For an engine its values are heights. */
  function wanted() {
    const made = placed();
    const levels = [low, high].map((input) =>
      input.value.trim() === "" ? NaN : Number(input.value),
    );
    if (!engine.value) return { ...made, low: levels[0], high: levels[1] };
    const heights = [bottom, top].map((input) => Number(input.value));
    const file = {
      ...made,
      plain: made.text,
      range: levels,
      low: heights[0],
      high: heights[1],
      spacing: Number(spacing.value),
    };
    if (problemOf(file)) return file;
    return { ...file, text: `${made.text} ${scaled(currentField(), levels, heights)}`.trim() };
  }

  /** Why a file cannot be written; nothing if it can. */
  function problemOf({ size, range, low, high, spacing }) {
    const { title, sizes } = ENGINES[engine.value] ?? {};
    const levels = range ?? [low, high];
    if (!size.every((each) => Number.isInteger(each) && each >= 1 && each <= MAX))
      return `Width and height must be whole numbers from 1 to ${MAX}.`;
    if (format.value !== "raw32" && !(levels.every(Number.isFinite) && levels[0] !== levels[1]))
      return "Black and white must be two different numbers.";
    if (!title) return "";
    if (size.some((each) => !sizes.includes(each)))
      return `For ${title}, width and height are ${sizes.join(", ")}.`;
    if (!(levels[0] < levels[1] && low < high && spacing > 0))
      return "Black must be lower than white, and samples apart.";
    return "";
  }

  function placed() {
    const shown = {
      text: state.text,
      z: state.z,
      size: [width, height].map((input) => Number(input.value)),
    };
    const [w, h] = shown.size;
    const apart = step(state.level);
    if (chosen() === "tile")
      return { ...shown, first: [0n, 0n], origin: [0, 0], step: map.period[0] / w };
    // What is seen fits into the file: along one axis exactly.
    const scale = chosen() === "seen" ? Math.max(map.width / w, map.height / h) : 1;
    if (scale === 1) {
      const first = [
        indexOf(state.x, state.level) - BigInt(Math.floor(w / 2)),
        indexOf(state.y, state.level) - BigInt(Math.floor(h / 2)),
      ];
      return { ...shown, first, step: apart };
    }
    const origin = [
      numberOf(state.x) - (w / 2) * apart * scale,
      numberOf(state.y) - (h / 2) * apart * scale,
    ];
    return { ...shown, first: [0n, 0n], origin, step: apart * scale };
  }

  // ---- Texts ----

  const TEXTS = {
    command: (map) => {
      if (!engine.value) return textIn("command", map);
      const { plain, range, low, high, spacing, ...file } = map;
      const options = `--for ${engine.value} --range=${range} --heights=${low},${high} --spacing=${spacing}`;
      return textIn(
        "command",
        { ...file, text: plain },
        `map.${FORMATS[format.value].suffix}`,
        options,
      );
    },
    picture: () => {
      const made = placed();
      return textIn(
        "command",
        made,
        "map.png",
        optionsOf(currentField(), lookOf(state), dimsOf(state.z), made.step),
      );
    },
    text: () => expressionOf(state.text) ?? state.text,
    link: () => location.origin + location.pathname + fragment("explore"),
  };
  const texts = makeSnippet(
    "texts",
    "Forms",
    ["command", "picture", "c", "python", "javascript", "text", "link"],
    (name) => TEXTS[name]?.(wanted()) ?? textIn(name, wanted()),
  );

  // ---- Files ----

  const format = h(
    "select",
    { id: "save-format", change: show },
    Object.entries(FORMATS).map(([value, { title }]) => h("option", { value }, title)),
  );
  const number = (id) =>
    h("input", { id, type: "number", min: 1, max: MAX, step: 1, class: "number" });
  const level = (id, value) =>
    h("input", { id, type: "text", inputmode: "decimal", class: "number", value });
  const [width, height] = [number("save-width"), number("save-height")];
  const [low, high] = [level("save-low", "-1"), level("save-high", "1")];
  const [bottom, top, spacing] = [
    level("save-bottom", "0"),
    level("save-top", "1000"),
    level("save-spacing", "1"),
  ];
  const engine = h(
    "select",
    {
      id: "save-engine",
      change: () => {
        const {
          format: needed,
          sizes: [, usual],
        } = ENGINES[engine.value] ?? { sizes: [] };
        measured = false;
        if (needed) format.value = needed;
        touched = false;
        if (usual) setSize(usual, usual, true);
        else show();
      },
    },
    h("option", { value: "" }, "Any program"),
    Object.entries(ENGINES).map(([value, { title }]) => h("option", { value }, title)),
  );
  const progress = h("progress", {
    id: "save-progress",
    max: 1,
    value: 0,
    hidden: true,
    "aria-label": "Progress",
  });
  const message = h("p", {
    class: "quiet",
    id: "save-message",
    role: "status",
    "aria-live": "polite",
  });
  const start = h(
    "button",
    { type: "button", id: "save", class: "primary", click: run },
    "Save the heights",
  );
  const cancel = h(
    "button",
    { type: "button", id: "save-cancel", hidden: true, click: () => controller?.abort() },
    "Cancel",
  );
  const picture = h(
    "button",
    { type: "button", id: "save-picture", click: savePicture },
    "Save the picture",
  );
  let controller;
  let touched = false; // sizes follow the window until they are changed
  let leveled = false; // and levels the colours
  let measured = false; // and heights those of the look in nature

  for (const input of [width, height])
    input.addEventListener("input", () => {
      touched = true;
      show();
    });
  for (const input of [low, high])
    input.addEventListener("input", () => {
      leveled = true;
      show();
    });
  for (const input of [bottom, top, spacing])
    input.addEventListener("input", () => {
      measured = true;
      show();
    });
  const setSize = (w, h, own) => {
    width.value = w;
    height.value = h;
    touched = own;
    if (own) show();
  };
  const sizeButton = (size) =>
    h("button", { type: "button", click: () => setSize(size, size, true) }, `${size}²`);
  const asShown = h(
    "button",
    {
      type: "button",
      id: "size-shown",
      click: () => {
        touched = false;
        show();
      },
    },
    "As shown",
  );
  const sizes = h("div", { class: "buttons", id: "save-sizes" });
  let offered; // the engine whose sizes these are
  function offerSizes() {
    if (offered === engine.value) return;
    offered = engine.value;
    const others = ENGINES[offered]?.sizes ?? [1024, 2048, 4096, 8192];
    sizes.replaceChildren(...(offered ? [] : [asShown]), ...others.map(sizeButton));
  }
  const named = (rest) => `perlane-${nameOf(currentField(), state.text)}-${rest}`;

  async function savePicture() {
    download(
      await new Promise((resolve) => document.getElementById("map").toBlob(resolve)),
      named(`${map.width}x${map.height}-picture.png`),
    );
    message.textContent = `Saved the picture, ${map.width} × ${map.height} pixels.`;
  }

  async function run() {
    const file = wanted();
    const problem = problemOf(file);
    if (problem) return (message.textContent = problem);
    const { size } = file;
    const kind = format.value;
    controller = new AbortController();
    start.disabled = true;
    cancel.hidden = progress.hidden = false;
    progress.value = 0;
    message.textContent = `Computing ${size[0]} × ${size[1]} samples…`;
    const begun = performance.now();
    try {
      const blob = await save(
        pool,
        file,
        kind,
        perlane.version,
        (share) => (progress.value = share),
        controller.signal,
      );
      // Unreal takes a name with digits around an x for a tile.
      download(blob, named(`${size.join(engine.value ? "-" : "x")}.${FORMATS[kind].suffix}`));
      const seconds = (performance.now() - begun) / 1000;
      message.textContent = `Saved ${size[0]} × ${size[1]} samples, ${brief(blob.size / 1048576, 3)} MiB, in ${brief(seconds, 2)} s.`;
    } catch (error) {
      progress.value = 0;
      message.textContent =
        error.name === "AbortError"
          ? "Cancelled; nothing was saved."
          : `Not saved: ${error.message}`;
    } finally {
      start.disabled = false;
      cancel.hidden = progress.hidden = true;
      controller = undefined;
    }
  }

  const type = h("output", { id: "type" });
  const terrain = h(
    "div",
    { id: "terrain" },
    h(
      "div",
      { class: "form" },
      labelled("Lowest, in metres", bottom),
      labelled("Highest, in metres", top),
      labelled("Between samples, in metres", spacing),
    ),
    h("p", {}, "In the import dialogue: ", type),
  );

  root.append(
    h("h2", {}, "Export"),
    h(
      "section",
      {},
      h("h3", {}, "A file of heights"),
      h(
        "fieldset",
        { class: "buttons" },
        h("legend", { class: "hidden" }, "Area"),
        Object.values(choices).map(([, label]) => label),
      ),
      areaHelp,
      h(
        "div",
        { class: "form" },
        labelled("For", engine),
        labelled("Format", format),
        labelled("Width", width),
        labelled("Height", height),
        labelled("Black at", low),
        labelled("White at", high),
      ),
      sizes,
      terrain,
      h("div", { class: "buttons" }, start, picture, cancel, progress),
      message,
      h(
        "p",
        { class: "help" },
        "A PNG contains the field’s text: ",
        h("code", {}, "perlane fill --params-of FILE"),
        " computes it again.",
      ),
    ),
    h(
      "section",
      {},
      h("h3", {}, "The same samples elsewhere, bit for bit"),
      h(
        "p",
        { class: "help" },
        "Command, C, Python and JavaScript compute the samples of the file above. Picture is the command that draws the map, pixel for pixel. Text is the field itself, which every one of them reads. Link opens this page again.",
      ),
      texts.element,
    ),
  );
  texts.choose();

  /** Heights and spacing as the look has them in nature. */
  function fitHeights() {
    const nature =
      state.nature?.text === state.text && state.nature.height > 0 ? state.nature : undefined;
    [bottom.value, top.value] = nature
      ? [low, high].map(({ value }) => Math.round(value * nature.height))
      : [0, 1000];
    spacing.value = nature ? Number((nature.unit * placed().step).toPrecision(6)) : 1;
  }

  function show() {
    const tiles = map.period?.every((each) => each > 0);
    choices.tile[1].hidden = !tiles;
    if (!tiles && chosen() === "tile") choices.seen[0].checked = true;
    areaHelp.textContent = AREAS[chosen()][1];
    const edge = (axis) => Math.min(Math.round(map.period[axis] / step(state.level)), MAX);
    if (!touched)
      setSize(...(chosen() === "tile" ? [edge(0), edge(1)] : [map.width, map.height]), false);
    height.disabled = chosen() === "tile";
    if (height.disabled) height.value = Math.round((width.value * map.period[1]) / map.period[0]);
    if (!leveled && state.low !== null && state.high !== null)
      [low.value, high.value] = [state.low, state.high];
    engine.disabled = state.z !== null || isExpression(state.text); // engines take maps with two axes; a field's options scale it
    if (engine.disabled) engine.value = "";
    format.disabled = Boolean(engine.value);
    terrain.hidden = !engine.value;
    low.disabled = high.disabled = format.value === "raw32";
    if (!measured) fitHeights();
    offerSizes();
    if (!placed().size.every((each) => Number.isInteger(each) && each >= 1 && each <= MAX)) return;
    if (engine.value) type.textContent = problemOf(wanted()) || settingsOf(engine.value, wanted());
    texts.show();
  }
  return { show };
}
