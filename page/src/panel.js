// SPDX-License-Identifier: MIT
//
// The panel beside the map: looks, six essential options, the picture, and everything else.

import { $, h } from "./dom.js";
import { makeControls } from "./controls.js";
import { makeGo } from "./go.js";
import { makeLook, makeStats } from "./look.js";
import { expressionOf } from "./source.js";
import { lookButtons } from "./starts.js";
import { makeTile } from "./tile.js";
import { state, update } from "./state.js";

/** Whether a field exists. */
function exists(perlane, text) {
  let trial;
  try {
    trial = perlane.field(text);
    trial.range(2);
    return true;
  } catch {
    return false;
  } finally {
    trial?.free();
  }
}

/**
 * Makes the panel. set(option, text) changes an option, start(look) and useText(text, look) the
 * field. Returns what the page shows and updates.
 */
export async function makePanel({ perlane, map, currentField, set, start, useText, goHome }) {
  // Choices that need a table are marked: those that no field without tables can have.
  const presets = perlane.presets.map((name) => [name, exists(perlane, `preset=${name}`)]);
  const bases = ["", ...presets.filter(([, fits]) => fits).map(([name]) => `preset=${name} `)];
  const usable = (name, choice) => bases.some((base) => exists(perlane, `${base}${name}=${choice}`));

  const starts = lookButtons(perlane, "data-start", start);
  const preset = h(
    "select",
    { id: "preset", "aria-describedby": "preset-help", change: () => {
      if (!preset.value) return;
      const text = `preset=${preset.value} frequency=${perlane.field("").get("frequency")}`;
      useText(text, { look: { style: "flat", palette: "grey", low: null, high: null, rise: null } });
      preset.value = "";
    } },
    h("option", { value: "" }, "Choose…"),
    presets.map(([name, fits]) => h("option", { value: name, disabled: !fits }, name + (fits ? "" : " (needs a table from a program)"))),
  );

  const look = makeLook(perlane.palettes, () => {
    const { min, max, bins } = map.stats();
    if (bins && max > min) update({ low: Number(min.toPrecision(4)), high: Number(max.toPrecision(4)) });
  });
  const stats = makeStats();
  const go = makeGo(goHome);
  const tile = makeTile(map, currentField, useText);
  const controls = await makeControls(perlane.options, { set, usable, usual: perlane.field("") });
  controls.element.append(
    h("details", {}, h("summary", {}, "Another implementation"),
      h("div", { class: "group" }, h("div", { class: "control" }, h("label", { for: "preset" }, "Its settings"), preset, h("p", { class: "help", id: "preset-help" }, "Loads another implementation's settings.")))),
  );
  const reset = h("button", { type: "button", id: "reset-all", click: () => useText("", { look: { rise: null } }) }, "Reset every option");
  const formula = h("pre", { "aria-label": "Expression" });
  const combined = h("div", { class: "group", id: "combined", hidden: true },
    h("p", {}, "This map is an expression of several fields, which its link defines: the controls of a single field are hidden."), formula);
  const single = [controls.essentials, h("div", { class: "group" }, tile.element), controls.element, h("p", { class: "buttons" }, reset)];
  const [essentials, tiles, others, resets] = single;
  /** Shows the options of a field, or the text of an expression. */
  function showField(field) {
    const expression = expressionOf(state.text);
    for (const each of single) each.hidden = expression !== undefined;
    combined.hidden = expression === undefined;
    formula.textContent = expression ?? "";
    if (expression === undefined) controls.update(field);
  }
  $("controls").replaceChildren(
    combined,
    h("div", { class: "group first" }, h("h2", { class: "hidden" }, "Looks"), h("div", { class: "looks", role: "group", "aria-label": "Looks" }, starts)),
    essentials,
    tiles,
    look.element,
    others,
    go.element,
    stats.element,
    resets,
  );

  // On a phone the panel is a sheet that covers a part of the map.
  const sheet = $("sheet");
  const openSheet = (open) => {
    sheet.setAttribute("aria-expanded", String(open));
    $("panel").classList.toggle("open", open);
  };
  sheet.addEventListener("click", () => openSheet(sheet.getAttribute("aria-expanded") !== "true"));
  let from;
  sheet.addEventListener("pointerdown", (event) => {
    from = event.clientY;
    sheet.setPointerCapture(event.pointerId);
  });
  sheet.addEventListener("pointermove", (event) => {
    if (from !== undefined && Math.abs(event.clientY - from) > 24) openSheet(event.clientY < from);
  });
  for (const type of ["pointerup", "pointercancel"]) sheet.addEventListener(type, () => (from = undefined));
  return { controls, showField, look, stats, go, tile, starts };
}
