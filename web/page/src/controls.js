// SPDX-License-Identifier: MIT
//
// The field's controls, made from the library's records of its options: their groups, sentences,
// bounds, choices and defaults. There is no list of options here.

import { h, uniqueId } from "./dom.js";
import { drawCurve } from "./curve.js";
import { sliderOf } from "./ranges.js";

const STEPS = 1000; // positions of a slider
const sentenceCase = (text) => text[0].toUpperCase() + text.slice(1);
const title = (name) => sentenceCase(name.replaceAll("_", " "));

const open = new Set(["Field", "Octaves"]);

/** A number with as many digits as a slider's position is worth. */
function rounded(value, kind) {
  if (kind === "integer") return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

class Control {
  constructor(option, { set, usable, usual }) {
    this.option = option;
    this.usual = usual.get(option.name);
    this.set = set;
    const id = uniqueId(option.name);
    const help = h("p", { class: "help", id: `${id}-help` }, option.summary);
    this.error = h("p", { class: "error", id: `${id}-error`, hidden: true });
    this.reset = h(
      "button",
      { class: "reset", type: "button", "aria-label": `Reset ${title(option.name)} to ${this.usual}`, click: () => set(option, this.usual) },
      "Reset",
    );
    const described = { "aria-describedby": `${id}-help ${id}-error` };
    const editor = this.#editor(id, described, usable);
    this.element = h(
      "div",
      { class: `control ${option.kind}`, "data-option": option.name },
      h("div", { class: "line" }, h("label", { for: id }, title(option.name)), this.reset),
      editor,
      help,
      option.kind === "choice" ? [] : h("p", { class: "bounds" }, `${sentenceCase(option.expected)}; default ${this.usual}`),
      this.error,
    );
  }

  #editor(id, described, usable) {
    const { option } = this;
    const send = (value) => this.set(option, value);
    const type = (attributes) =>
      h("input", { id, type: "text", spellcheck: "false", autocomplete: "off", ...described, ...attributes, change: (event) => send(event.target.value.trim()) });

    if (option.kind === "choice") {
      const choices = option.choices.filter((choice) => choice.dims.includes(2));
      if (choices.length === 2 && choices[1].name === "on") {
        this.box = h("input", { id, type: "checkbox", ...described, change: (event) => send(event.target.checked ? "on" : "off") });
        this.show = (value) => (this.box.checked = value === "on");
        return h("div", { class: "switch" }, this.box);
      }
      const summary = h("p", { class: "choice-help" });
      this.select = h(
        "select",
        { id, ...described, change: (event) => send(event.target.value) },
        choices.map((choice) => {
          const fits = usable(option.name, choice.name);
          return h("option", { value: choice.name, disabled: !fits }, choice.name + (fits ? "" : " (needs a table from a program)"));
        }),
      );
      this.show = (value) => {
        this.select.value = value;
        summary.textContent = choices.find((choice) => choice.name === value)?.summary ?? "";
      };
      return h("div", {}, this.select, summary);
    }

    if (option.kind === "real" || option.kind === "integer") {
      const { min, max, log } = sliderOf(option);
      const toSlider = (value) => (log ? Math.log(Math.max(value, min) / min) / Math.log(max / min) : (value - min) / (max - min));
      const toValue = (share) => (log ? min * (max / min) ** share : min + share * (max - min));
      const whole = option.kind === "integer";
      this.slider = h("input", {
        type: "range",
        "aria-label": title(option.name),
        ...described,
        min: whole ? min : 0,
        max: whole ? max : STEPS,
        step: 1,
        input: (event) => send(whole ? event.target.value : rounded(toValue(event.target.value / STEPS), option.kind)),
      });
      this.input = type({ inputmode: "decimal", class: "number" });
      this.show = (value) => {
        if (document.activeElement !== this.input || this.input.value !== value) this.input.value = value;
        const position = whole ? Number(value) : Math.round(toSlider(Number(value)) * STEPS);
        if (this.slider !== document.activeElement || Math.abs(position - this.slider.value) > 2) this.slider.value = position;
        this.slider.setAttribute("aria-valuetext", value);
      };
      return h("div", { class: "pair" }, this.slider, this.input);
    }

    if (option.kind === "curve") {
      this.input = type({});
      const picture = h("canvas", { width: 240, height: 80, class: "curve", "aria-hidden": "true" });
      this.show = (value, field) => {
        this.input.value = value;
        picture.hidden = value === "none";
        if (value !== "none") drawCurve(picture, value, field.get("curve_shape"));
      };
      return h("div", {}, this.input, picture);
    }

    this.input = type({ inputmode: option.kind === "seed" ? "numeric" : undefined });
    this.show = (value) => (this.input.value = value);
    if (option.kind !== "seed") return this.input;
    const random = h("button", { type: "button", id: "random", click: () => send(String(crypto.getRandomValues(new BigUint64Array(1))[0])) }, "Random");
    return h("div", { class: "pair seed" }, this.input, random);
  }

  update(field) {
    const value = field.get(this.option.name);
    this.show(value, field);
    this.reset.hidden = value === this.usual;
    this.fail("");
  }

  fail(message) {
    this.error.textContent = message;
    this.error.hidden = !message;
    for (const each of [this.input, this.select]) each?.setAttribute("aria-invalid", String(Boolean(message)));
  }
}

/**
 * Makes the controls of all options that have an effect in 2D. set(option, text) is called for
 * every change; usual is the default field. Returns { element, update(field), fail(name, message) }.
 */
export async function makeControls(options, callbacks) {
  const controls = new Map();
  const groups = new Map();
  for (const option of options) {
    if (!option.dims.includes(2)) continue;
    if (controls.size % 6 === 5) await new Promise((resolve) => setTimeout(resolve)); // the map goes first
    const control = new Control(option, callbacks);
    controls.set(option.name, control);
    if (!groups.has(option.heading)) groups.set(option.heading, []);
    groups.get(option.heading).push(control.element);
  }
  const element = h(
    "div",
    { class: "groups" },
    [...groups].map(([heading, elements]) =>
      h("details", { open: open.has(heading) }, h("summary", {}, heading), h("div", { class: "group" }, elements)),
    ),
  );
  return {
    element,
    update: (field) => controls.forEach((control) => control.update(field)),
    fail(name, message) {
      const control = controls.get(name);
      if (!control) return false;
      control.fail(message);
      control.element.closest("details").open = true;
      return true;
    },
  };
}
