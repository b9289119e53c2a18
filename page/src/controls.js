// SPDX-License-Identifier: MIT
//
// The field's controls, made from the library's records of its options: their groups, sentences,
// bounds, choices and defaults.

import { $, button, h, sentenceCase } from "./dom.js";
import { sliderOf } from "./ranges.js";

const STEPS = 1000; // positions of a slider
const TITLES = { warp_amplitude: "Warp" };
const title = (name) => TITLES[name] ?? sentenceCase(name.replaceAll("_", " "));

const ESSENTIALS = ["basis", "seed", "frequency", "octaves", "gain", "fractal", "warp_amplitude"];

// Options that reproduce the values of other implementations: links and programs have them.
const COMPATIBLE = ["hash", "gradients", "fade", "table_offset", "octaves_share", "phase"];

class Control {
  constructor(option, { set, usual }) {
    this.option = option;
    this.usual = usual.get(option.name);
    this.set = set;
    const id = `option-${option.name}`;
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
    this.reset = button("↺", () => set(option, this.usual), {
      class: "reset",
      title: reset,
      "aria-label": reset,
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

    if (option.kind === "choice") return this.#choice(id, described, send);
    if (option.kind === "real" || option.kind === "integer")
      return this.#number(type, described, send);
    this.input = type({ inputmode: option.kind === "seed" ? "numeric" : undefined });
    this.show = (value) => (this.input.value = value);
    return this.input;
  }

  #choice(id, described, send) {
    const choices = this.option.choices.filter((choice) => choice.dims.includes(2));
    if (choices.length === 2 && choices[1].name === "on") {
      const change = ({ target }) => send(target.checked ? "on" : "off");
      const box = h("input", { id, type: "checkbox", ...described, change });
      this.show = (value) => (box.checked = value === "on");
      return box;
    }
    const entries = choices.map(({ name }) => h("option", { value: name }, name));
    const change = ({ target }) => send(target.value);
    this.input = h("select", { id, ...described, change }, entries);
    this.show = (value) => {
      this.input.value = value;
      const { summary } = choices.find((choice) => choice.name === value) ?? {};
      this.choice.textContent = summary ? ` ${sentenceCase(value)}: ${summary}.` : "";
    };
    return this.input;
  }

  /** A slider, whose positions are a whole number's values, or shares of its length; and an input beside it. */
  #number(type, described, send) {
    const { option } = this;
    const whole = option.kind === "integer";
    const { min, max, log } = sliderOf(option);
    const toShare = (value) =>
      log
        ? Math.log(Math.max(value, min) / min) / Math.log(max / min)
        : (value - min) / (max - min);
    const toValue = (share) => (log ? min * (max / min) ** share : min + share * (max - min));
    const slider = h("input", {
      type: "range",
      "aria-label": title(option.name),
      ...described,
      min: whole ? min : 0,
      max: whole ? max : STEPS,
      input: ({ target: { value } }) =>
        send(whole ? value : String(Number(toValue(value / STEPS).toPrecision(3)))),
    });
    this.input = type({ inputmode: "decimal" });
    this.show = (value) => {
      if (document.activeElement !== this.input || this.input.value !== value)
        this.input.value = value;
      const position = whole ? Number(value) : Math.round(toShare(Number(value)) * STEPS);
      if (slider !== document.activeElement || Math.abs(position - slider.value) > 2)
        slider.value = position;
      slider.setAttribute("aria-valuetext", value);
    };
    return h("div", { class: "pair" }, slider, this.input);
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
    this.input?.setAttribute("aria-invalid", String(Boolean(message)));
  }
}

/**
 * Makes the controls of the options that have an effect in 2D, but for the compatible ones. set(option,
 * text) is called for every change; usual is the default field.
 */
export async function makeControls(options, callbacks) {
  const controls = new Map();
  const groups = new Map(); // by heading
  for (const option of options) {
    if (!option.dims.includes(2) || COMPATIBLE.includes(option.name)) continue;
    if (controls.size % 4 === 3) await new Promise((resolve) => setTimeout(resolve)); // the map goes first
    const control = new Control(option, callbacks);
    controls.set(option.name, control);
    if (ESSENTIALS.includes(option.name)) continue;
    if (!groups.has(option.heading)) groups.set(option.heading, h("div", { class: "group" }));
    groups.get(option.heading).append(control.element);
  }
  $("essentials").append(...ESSENTIALS.map((name) => controls.get(name).element));
  for (const [heading, group] of groups)
    $("all-options").append(h("details", {}, h("summary", {}, heading), group));
  return {
    update: (field) => controls.forEach((control) => control.update(field)),
    /** Shows what is wrong at an option's control; returns whether it has one. */
    fail(name, message) {
      const control = controls.get(name);
      control?.fail(message);
      for (let each = control?.element; each; each = each.parentElement)
        if (each.tagName === "DETAILS") each.open = true;
      return Boolean(control);
    },
  };
}
