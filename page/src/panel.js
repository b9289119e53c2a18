// SPDX-License-Identifier: MIT
//
// The panel beside the map: a field by starts and options, or an expression; the picture, and everything else.

import { bindInputs } from "./bind.js";
import { makeControls } from "./controls.js";
import { $, h, sentenceCase } from "./dom.js";
import { makeEditor } from "./editor.js";
import { format, parse, step } from "./place.js";
import { isExpression } from "./source.js";
import { startButtons, startsOf } from "./starts.js";
import { state, update } from "./state.js";

/**
 * Makes the panel. set(option, text) changes an option, start(start) and useText(text, { look }) the
 * field, fit() the ends of the colours. Returns what the page shows and updates.
 */
export async function makePanel({ perlane, set, start, useText, fit, goHome }) {
  $("palette").append(
    ...perlane.palettes.map((name) => h("option", { value: name }, sentenceCase(name))),
  );
  bindInputs();
  const editor = makeEditor((text, given) => {
    let sentence = "";
    useText(text, { ...given, fail: (message) => (sentence = message) });
    return sentence;
  });
  const controls = await makeControls(perlane.options, { set, usual: perlane.field("") });
  $("starts").append(...startButtons(startsOf(perlane), "data-start", start));
  let plainText = ""; // of the field that was shown last
  const clicks = {
    fit,
    unfit: () => update({ low: null, high: null }),
    home: goHome,
    "reset-all": () => useText("", { look: { rise: null } }),
    "mode-field": () => {
      showMode(false);
      if (isExpression(state.text)) useText(plainText);
    },
    "mode-expression": () => {
      showMode(true);
      editor.begin();
    },
  };
  for (const [id, click] of Object.entries(clicks)) $(id).addEventListener("click", click);

  for (const axis of ["x", "y"])
    $(`go-${axis}`).addEventListener("change", ({ target }) => {
      const value = parse(target.value);
      target.setAttribute("aria-invalid", String(value === undefined));
      if (value !== undefined) update({ [axis]: value });
    });
  function showPlace() {
    for (const axis of ["x", "y"])
      if (document.activeElement !== $(`go-${axis}`)) $(`go-${axis}`).value = format(state[axis]);
    $("step").textContent = `step ${step(state.level)}`;
  }

  function showMode(expression) {
    $("mode-field").setAttribute("aria-pressed", String(!expression));
    $("mode-expression").setAttribute("aria-pressed", String(expression));
    $("single").hidden = $("others").hidden = expression;
    $("expression").hidden = !expression;
  }

  /** Shows the options of a field, or the text of an expression; `sentence` says why it is none. */
  function showField(field, sentence) {
    let depth = 1000; // of the slices that the slider reaches: eight cells of a field
    if (!isExpression(state.text)) {
      plainText = state.text;
      controls.update(field);
      depth = Number((8 / Math.abs(Number(field.get("frequency")))).toPrecision(3));
    }
    $("slice-z").max = Math.max(depth, state.z ?? 0);
    $("slice-z").step = $("slice-z").max / 1000;
    showMode(
      isExpression(state.draft ?? state.text) ||
        (!$("expression").hidden && document.activeElement?.id === "editor"),
    );
    editor.show(sentence);
  }

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
  for (const type of ["pointerup", "pointercancel"])
    sheet.addEventListener(type, () => (from = undefined));
  return { controls, showField, showPlace };
}
