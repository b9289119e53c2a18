// SPDX-License-Identifier: MIT
//
// The buttons on the map: a new seed, undo, share, full screen, zoom, and the period's grid.

import { $ } from "./dom.js";
import { iconButton } from "./icons.js";
import { fragment, state, update } from "./state.js";

/** Copies a text, and has a button say so for a moment. Returns whether it could. */
export async function copyFrom(button, text) {
  const say = (words) => {
    button.dataset.said = $("said").textContent = words;
    clearTimeout(button.silence);
    button.silence = setTimeout(() => delete button.dataset.said, 2000);
  };
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
    return true;
  } catch {
    say("Press Ctrl+C");
    return false;
  }
}

export function makeToolbar({ map, dice, past, tiles }) {
  const screen = $("screen");
  const full = () => (document.fullscreenElement ? document.exitFullscreen() : screen.requestFullscreen());
  const share = (event) => copyFrom(event.currentTarget, location.origin + location.pathname + fragment());
  const undo = iconButton("undo", "Undo", { id: "undo", title: "Undo (Ctrl+Z)", disabled: true, click: () => past().undo() });
  const redo = iconButton("redo", "Redo", { id: "redo", title: "Redo (Ctrl+Y)", disabled: true, click: () => past().redo() });
  const periods = iconButton("tiles", "Three by three periods", { id: "periods", hidden: true, "aria-pressed": "false", click: tiles });
  const compare = iconButton("compare", "Compare: this map is A, and changes make B", { id: "compare", "aria-pressed": "false" });
  const random = iconButton("dice", "Random seed", { id: "random", class: "dice", click: dice });
  $("toolbar").append(
    random,
    undo,
    redo,
    iconButton("share", "Copy a link to this map", { id: "share", click: share }),
    iconButton("full", "Full screen", { id: "full", hidden: !screen.requestFullscreen, click: full }),
    periods,
    compare,
    iconButton("plus", "Zoom in", { id: "zoom-in", click: () => map.zoomBy(-1) }),
    iconButton("minus", "Zoom out", { id: "zoom-out", click: () => map.zoomBy(1) }),
  );
  return {
    compare,
    /** Whether there is a seed to change. */
    seeded: (is) => [random, $("hero-dice")].forEach((each) => (each.disabled = !is)),
    history(canUndo, canRedo) {
      undo.disabled = !canUndo;
      redo.disabled = !canRedo;
    },
    periods(exist) {
      periods.hidden = !exist;
      periods.setAttribute("aria-pressed", String(state.tiles));
      if (!exist && state.tiles) update({ tiles: false });
    },
  };
}
