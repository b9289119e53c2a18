// SPDX-License-Identifier: MIT
//
// A and B: the map as it was when comparing began, beside the map as it is, with a divider between.

import { $, h } from "./dom.js";
import { lookOf } from "./picture.js";
import { state } from "./state.js";

export function makeCompare(map, pool, button) {
  const canvas = h("canvas", { id: "map-a", "aria-hidden": "true" });
  const divider = h("input", { type: "range", id: "divider", min: 0, max: 100, step: 0.5, value: 50, "aria-label": "Divider: A is on its left, B on its right", input: place });
  const line = h("div", { class: "divide", pointerdown: (event) => line.setPointerCapture(event.pointerId), pointermove: drag });
  const element = h("div", { class: "compare", hidden: true }, h("div", { class: "side a" }, canvas), h("span", { class: "letter a" }, "A"), h("span", { class: "letter b" }, "B"), line, divider);
  $("map").after(element);
  let old; // what A shows
  let drawn; // where it was drawn
  let drawing = 0;

  const where = () => [state.level, state.x, state.y, map.width, map.height].join();

  function drag(event) {
    if (!line.hasPointerCapture(event.pointerId)) return;
    divider.value = (100 * map.local(event)[0]) / map.width;
    place();
  }

  function place() {
    element.style.setProperty("--split", `${divider.value}%`);
  }

  function toggle() {
    const { text, z } = state;
    old = old ? undefined : { text, z, look: lookOf(state) };
    element.hidden = !old;
    button.setAttribute("aria-pressed", String(Boolean(old)));
    drawn = undefined;
    place();
    if (old) draw();
  }

  /** Draws A where the map is now, as soon as the map itself is complete. */
  async function draw() {
    if (!old || drawn === where()) return;
    drawn = undefined;
    canvas.style.visibility = "hidden";
    if (!map.complete) return;
    const at = where();
    const run = ++drawing;
    const next = new OffscreenCanvas(map.width, map.height);
    const context = next.getContext("2d");
    const { text, z, look } = old;
    try {
      await Promise.all(map.tiles().map(async ({ level, x, y, px, py, size }) => {
        const { bitmap } = await pool.run({ kind: "tile", text, z, level, x, y, size, look });
        context.drawImage(bitmap, px, py);
        bitmap.close();
      }));
    } catch {
      return; // A cannot be computed here
    }
    if (run !== drawing || at !== where() || !old) return;
    [canvas.width, canvas.height] = [map.width, map.height];
    canvas.getContext("2d").drawImage(next, 0, 0);
    canvas.style.visibility = "";
    drawn = at;
    document.body.dataset.compared = at;
  }

  button.addEventListener("click", toggle);
  return { draw };
}
