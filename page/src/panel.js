// SPDX-License-Identifier: MIT
//
// The panel beside the map: a field by starts and options, or an expression; the picture, and everything else.

import { $, h } from "./dom.js";
import { makeControls } from "./controls.js";
import { makeEditor } from "./editor.js";
import { makeGo } from "./go.js";
import { makeLook, makeStats } from "./look.js";
import { isExpression } from "./source.js";
import { startButtons, startsOf } from "./starts.js";
import { makeTile } from "./tile.js";
import { state, update } from "./state.js";

/**
 * Makes the panel. set(option, text) changes an option, start(start) and useText(text, { look }) the
 * field. Returns what the page shows and updates.
 */
export async function makePanel({ perlane, map, currentField, set, start, useText, goHome }) {
  const look = makeLook(perlane.palettes, () => {
    const { min, max, bins } = map.stats();
    if (bins && max > min)
      update({ low: Number(min.toPrecision(4)), high: Number(max.toPrecision(4)) });
  });
  const stats = makeStats();
  const go = makeGo(goHome);
  const tile = makeTile(map, currentField, useText);
  const editor = makeEditor((text, given) => {
    let sentence = "";
    useText(text, { ...given, fail: (message) => (sentence = message) });
    return sentence;
  });
  const controls = await makeControls(perlane.options, { set, usual: perlane.field("") });
  const starts = startButtons(startsOf(perlane), "data-start", start);
  const reset = h(
    "button",
    { type: "button", id: "reset-all", click: () => useText("", { look: { rise: null } }) },
    "Reset every option",
  );
  const single = h(
    "div",
    { id: "single" },
    h("div", { class: "group looks", role: "group", "aria-label": "Starts" }, starts),
    controls.essentials,
    h("div", { class: "group" }, tile.element),
  );
  const others = h("div", {}, controls.element, h("p", { class: "group buttons" }, reset));

  // A field by its options, or an expression by its text.
  const mode = (id, title, expression) =>
    h(
      "button",
      {
        type: "button",
        id,
        click: () => {
          showMode(expression);
          if (expression) editor.begin();
          else if (isExpression(state.text)) useText(plainText);
        },
      },
      title,
    );
  const modes = [mode("mode-field", "Field", false), mode("mode-expression", "Expression", true)];
  let plainText = ""; // of the field that was shown last

  function showMode(expression) {
    modes.forEach((button, i) =>
      button.setAttribute("aria-pressed", String(expression === (i === 1))),
    );
    single.hidden = others.hidden = expression;
    editor.element.hidden = !expression;
  }

  /** Shows the options of a field, or the text of an expression; `sentence` says why it is none. */
  function showField(field, sentence) {
    if (!isExpression(state.text)) {
      plainText = state.text;
      controls.update(field);
    }
    showMode(
      isExpression(state.draft ?? state.text) ||
        (!editor.element.hidden && document.activeElement?.id === "editor"),
    );
    editor.show(sentence);
  }

  $("controls").replaceChildren(
    h("div", { class: "modes", role: "group", "aria-label": "What the map shows" }, modes),
    single,
    editor.element,
    look.element,
    $("relief-controls"),
    others,
    go.element,
    stats.element,
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
  for (const type of ["pointerup", "pointercancel"])
    sheet.addEventListener(type, () => (from = undefined));
  return { controls, showField, look, stats, go, tile };
}
