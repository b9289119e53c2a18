// SPDX-License-Identifier: MIT
//
// The buttons on the map: a new seed, undo, share, full screen, zoom, the period's grid, and the relief.

import { $, h } from "./dom.js";
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

export function makeToolbar({ map, dice, past }) {
  const screen = $("screen");
  const full = () =>
    document.fullscreenElement ? document.exitFullscreen() : screen.requestFullscreen();
  const share = (event) =>
    copyFrom(event.currentTarget, location.origin + location.pathname + fragment());
  const undo = iconButton("undo", "Undo", {
    id: "undo",
    title: "Undo (Ctrl+Z)",
    disabled: true,
    click: () => past().undo(),
  });
  const redo = iconButton("redo", "Redo", {
    id: "redo",
    title: "Redo (Ctrl+Y)",
    disabled: true,
    click: () => past().redo(),
  });
  const periods = iconButton("tiles", "Three by three periods", {
    id: "periods",
    hidden: true,
    "aria-pressed": "false",
    click: () => map.showPeriods(),
  });
  const flip = () => update({ view: state.view === "map" ? "relief" : "map" });
  const view = h(
    "button",
    { type: "button", id: "view", title: "Show the map as a relief", click: flip },
    "3D",
  );
  const random = iconButton("dice", "Random seed", { id: "random", class: "dice", click: dice });
  $("toolbar").append(
    random,
    undo,
    redo,
    iconButton("share", "Copy a link to this map", { id: "share", click: share }),
    iconButton("full", "Full screen", {
      id: "full",
      hidden: !screen.requestFullscreen,
      click: full,
    }),
    periods,
    view,
    iconButton("plus", "Zoom in", { id: "zoom-in", click: () => map.zoomBy(-1) }),
    iconButton("minus", "Zoom out", { id: "zoom-out", click: () => map.zoomBy(1) }),
  );
  return {
    showView: () => view.setAttribute("aria-pressed", String(state.view === "relief")),
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
