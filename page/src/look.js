// SPDX-License-Identifier: MIT
//
// Controls of the picture: style, palette, bounds of the colours, light; and what is on the screen
// as numbers: a histogram, bounds, speed.

import { brief, h, labelled, slider } from "./dom.js";
import { state, update } from "./state.js";

const STYLES = { shaded: "Shaded relief", flat: "Colours only", normals: "Normal map" };

export function makeLook(palettes, fit) {
  const select = (id, name, label, entries) => {
    const element = h(
      "select",
      { id, change: () => update({ [name]: element.value }) },
      Object.entries(entries).map(([value, text]) => h("option", { value }, text)),
    );
    return [element, labelled(label, element)];
  };
  const [style, styleRow] = select("style", "style", "Style", STYLES);
  const titles = Object.fromEntries(
    palettes.map((name) => [name, name[0].toUpperCase() + name.slice(1)]),
  );
  const [palette, paletteRow] = select("palette", "palette", "Palette", titles);

  const sliders = [
    ["light", "light", "Light from", { min: 0, max: 360, step: 5 }, "°"],
    ["altitude", "altitude", "Light’s height", { min: 5, max: 90, step: 1 }, "°"],
    ["strength", "relief", "Shading", { min: 0, max: 3, step: 0.1 }],
  ].map(([id, name, label, ends, unit]) => ({
    name,
    ...slider(label, { id, ...ends }, (value) => update({ [name]: value }), unit),
  }));
  const [lightRow, altitudeRow, reliefRow] = sliders.map(({ element }) => element);

  const bound = (id, name, label) => {
    const input = h("input", {
      id,
      type: "text",
      inputmode: "decimal",
      class: "number",
      placeholder: "bound",
      change: () => {
        const value = input.value.trim() === "" ? NaN : Number(input.value);
        update({ [name]: Number.isFinite(value) ? value : null });
        show();
      },
    });
    return [input, labelled(label, input)];
  };
  const [low, lowRow] = bound("low", "low", "First colour at");
  const [high, highRow] = bound("high", "high", "Last colour at");

  function show() {
    style.value = state.style;
    palette.value = state.palette;
    low.value = state.low ?? "";
    high.value = state.high ?? "";
    for (const { name, show } of sliders) show(state[name]);
  }

  const element = h(
    "details",
    { open: true },
    h("summary", {}, "Picture"),
    h(
      "div",
      { class: "group" },
      h("div", { class: "two" }, styleRow, paletteRow),
      h("div", { class: "two" }, lightRow, altitudeRow),
      reliefRow,
      h("div", { class: "two" }, lowRow, highRow),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", id: "fit", click: fit }, "Fit to the view"),
        h(
          "button",
          { type: "button", id: "unfit", click: () => update({ low: null, high: null }) },
          "Use the field’s bounds",
        ),
      ),
      h(
        "p",
        { class: "help" },
        "These settings change the picture, not the values: the map's files and code stay the same.",
      ),
    ),
  );
  return { element, show };
}

/** The histogram and numbers of the visible map. */
export function makeStats() {
  const canvas = h("canvas", {
    class: "histogram",
    width: 300,
    height: 72,
    role: "img",
    "aria-label": "Histogram of the visible values",
  });
  const numbers = h("dl", { class: "numbers" });
  const element = h(
    "details",
    { open: true },
    h("summary", {}, "On the screen"),
    h("div", { class: "group" }, canvas, numbers),
  );

  function show(stats, range, bounds) {
    if (!stats.bins) return;
    const context = canvas.getContext("2d");
    const { width, height } = canvas;
    const top = Math.max(...stats.bins);
    const bar = width / stats.bins.length;
    context.clearRect(0, 0, width, height);
    context.fillStyle = getComputedStyle(canvas).color;
    stats.bins.forEach((n, i) => {
      const size = n ? Math.max((n / top) * (height - 2), 1) : 0;
      context.fillRect(i * bar, height - size, Math.max(bar - 0.5, 0.5), size);
    });
    const rows = [
      ["Values here", `${brief(stats.min)} to ${brief(stats.max)}`],
      ["Mean", brief(stats.sum / stats.count, 3)],
      [
        "Bounds of the field",
        bounds.every(Number.isFinite) ? `${brief(range[0])} to ${brief(range[1])}` : "none",
      ],
    ];
    numbers.replaceChildren(
      ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    );
    canvas.setAttribute(
      "aria-label",
      `Histogram of the visible values, from ${brief(range[0])} to ${brief(range[1])}`,
    );
  }
  return { element, show };
}
