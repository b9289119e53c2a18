// SPDX-License-Identifier: MIT
//
// The field's controls, made from the library's records of its options: their groups, sentences,
// bounds, choices and defaults.

import { h, uniqueId } from "./dom.js";
import { iconButton } from "./icons.js";
import { sliderOf } from "./ranges.js";

const STEPS = 1000; // positions of a slider
const sentenceCase = (text) => text[0].toUpperCase() + text.slice(1);
const TITLES = { warp_amplitude: "Warp" };
const title = (name) => TITLES[name] ?? sentenceCase(name.replaceAll("_", " "));

export const ESSENTIALS = [
  "basis",
  "seed",
  "frequency",
  "octaves",
  "gain",
  "fractal",
  "warp_amplitude",
];

// Options that reproduce the values of other implementations: links and programs have them.
const COMPATIBLE = ["hash", "gradients", "fade", "table_offset", "octaves_share", "phase"];

/** A number with as many digits as a slider's position is worth. */
function rounded(value, kind) {
  if (kind === "integer") return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

class Control {
  constructor(option, { set, usual }) {
    this.option = option;
    this.usual = usual.get(option.name);
    this.set = set;
    const id = uniqueId(option.name);
    // Help is a tooltip: of the label, and of the editor that has the focus.
    this.choice = h("span", {});
    const bounds =
      option.kind === "choice" ? "" : ` ${sentenceCase(option.expected)}; default ${this.usual}.`;
    const help = h(
      "p",
      { class: "help tip", id: `${id}-help`, role: "tooltip" },
      option.summary,
      bounds,
      this.choice,
    );
    this.error = h("p", { class: "error", id: `${id}-error`, hidden: true });
    const reset = `Reset ${title(option.name)} to ${this.usual}`;
    this.reset = iconButton("reset", reset, {
      class: "reset",
      click: () => set(option, this.usual),
    });
    const described = { "aria-describedby": `${id}-help ${id}-error` };
    const editor = this.#editor(id, described);
    this.element = h(
      "div",
      { class: `control ${option.kind}`, "data-option": option.name },
      h("div", { class: "line" }, h("label", { for: id }, title(option.name)), this.reset),
      editor,
      help,
      this.error,
    );
  }

  #editor(id, described) {
    const { option } = this;
    const send = (value) => this.set(option, value);
    const type = (attributes) =>
      h("input", {
        id,
        type: "text",
        spellcheck: "false",
        autocomplete: "off",
        ...described,
        ...attributes,
        change: (event) => send(event.target.value.trim()),
      });

    if (option.kind === "choice") {
      const choices = option.choices.filter((choice) => choice.dims.includes(2));
      if (choices.length === 2 && choices[1].name === "on") {
        this.box = h("input", {
          id,
          type: "checkbox",
          ...described,
          change: (event) => send(event.target.checked ? "on" : "off"),
        });
        this.show = (value) => (this.box.checked = value === "on");
        return h("div", { class: "switch" }, this.box);
      }
      this.select = h(
        "select",
        { id, ...described, change: (event) => send(event.target.value) },
        choices.map(({ name }) => h("option", { value: name }, name)),
      );
      this.show = (value) => {
        this.select.value = value;
        const { summary } = choices.find((choice) => choice.name === value) ?? {};
        this.choice.textContent = summary ? ` ${sentenceCase(value)}: ${summary}.` : "";
      };
      return this.select;
    }

    if (option.kind === "real" || option.kind === "integer") {
      const { min, max, log } = sliderOf(option);
      const toSlider = (value) =>
        log
          ? Math.log(Math.max(value, min) / min) / Math.log(max / min)
          : (value - min) / (max - min);
      const toValue = (share) => (log ? min * (max / min) ** share : min + share * (max - min));
      const whole = option.kind === "integer";
      this.slider = h("input", {
        type: "range",
        "aria-label": title(option.name),
        ...described,
        min: whole ? min : 0,
        max: whole ? max : STEPS,
        step: 1,
        input: (event) =>
          send(
            whole ? event.target.value : rounded(toValue(event.target.value / STEPS), option.kind),
          ),
      });
      this.input = type({ inputmode: "decimal", class: "number" });
      this.show = (value) => {
        if (document.activeElement !== this.input || this.input.value !== value)
          this.input.value = value;
        const position = whole ? Number(value) : Math.round(toSlider(Number(value)) * STEPS);
        if (this.slider !== document.activeElement || Math.abs(position - this.slider.value) > 2)
          this.slider.value = position;
        this.slider.setAttribute("aria-valuetext", value);
      };
      return h("div", { class: "pair" }, this.slider, this.input);
    }

    this.input = type({ inputmode: option.kind === "seed" ? "numeric" : undefined });
    this.show = (value) => (this.input.value = value);
    return this.input;
  }

  update(field) {
    const value = field.get(this.option.name);
    this.show(value);
    this.reset.hidden = value === this.usual;
    this.fail("");
  }

  fail(message) {
    this.error.textContent = message;
    this.error.hidden = !message;
    for (const each of [this.input, this.select])
      each?.setAttribute("aria-invalid", String(Boolean(message)));
  }
}

/**
 * Makes the controls of the options that have an effect in 2D, but for the compatible ones. set(option,
 * text) is called for every change; usual is the default field. Returns { essentials, element,
 * update(field), fail(name, message) }; element has all that are not essential.
 */
export async function makeControls(options, callbacks) {
  const controls = new Map();
  const groups = new Map();
  for (const option of options) {
    if (!option.dims.includes(2) || COMPATIBLE.includes(option.name)) continue;
    if (controls.size % 4 === 3) await new Promise((resolve) => setTimeout(resolve)); // the map goes first
    const control = new Control(option, callbacks);
    controls.set(option.name, control);
    if (ESSENTIALS.includes(option.name)) continue;
    if (!groups.has(option.heading)) groups.set(option.heading, []);
    groups.get(option.heading).push(control.element);
  }
  const element = h(
    "details",
    { id: "all-options" },
    h("summary", {}, "All options"),
    [...groups].map(([heading, elements]) =>
      h("details", {}, h("summary", {}, heading), h("div", { class: "group" }, elements)),
    ),
  );
  return {
    element,
    essentials: h(
      "div",
      { class: "group essentials" },
      ESSENTIALS.map((name) => controls.get(name).element),
    ),
    update: (field) => controls.forEach((control) => control.update(field)),
    fail(name, message) {
      const control = controls.get(name);
      if (!control) return false;
      control.fail(message);
      for (
        let each = control.element.closest("details");
        each;
        each = each.parentElement.closest("details")
      )
        each.open = true;
      return true;
    },
  };
}
