// SPDX-License-Identifier: MIT
//
// The browser's history: every change makes an entry, so that its Back button undoes one. Undo and
// redo go back and forward, but never leave the page.

import { fragment } from "./state.js";

const QUIET = 250; // ms without a change after which an entry is made
const RETRY = 1000; // ms after which an entry is tried again that the browser did not take
const BURST = 1500; // ms between entries of zooming that become one
const ZOOM = ["level", "x", "y"];

/**
 * Follows the history: show(hash) has to show an entry, and shown(undo, redo) says which of them are
 * possible. Returns { changed, undo, redo }; changed(names) is to be called after every change.
 */
export function makePast(show, shown) {
  let index = history.state?.index ?? 0; // of the entry, and of the newest one
  let newest = index;
  let timer = 0;
  let held = false; // by a pointer: a drag is one change
  let names = new Set(); // what has changed since the last entry
  let zoomed = -Infinity; // when the last entry was made, if it was by zooming

  /** Writes the entry `next`, the present one again unless it is new. Returns whether the browser took it. */
  function write(next = index) {
    try {
      history[next === index ? "replaceState" : "pushState"]({ index: next }, "", fragment());
    } catch {
      return false; // Safari takes 100 entries in 30 seconds
    }
    if (history.state?.index !== next) return false; // Chromium takes 200 in 10 seconds, in silence
    if (next !== index) newest = index = next;
    shown(index > 0, index < newest);
    return true;
  }

  function settle() {
    clearTimeout(timer);
    timer = 0;
    if (location.hash === fragment()) return;
    const zooms = names.has("level") && [...names].every((name) => ZOOM.includes(name));
    const again = zooms && performance.now() - zoomed < BURST;
    if (!write(again ? index : index + 1)) return void (timer = setTimeout(settle, RETRY));
    names = new Set();
    zoomed = zooms ? performance.now() : -Infinity;
  }

  function changed(more) {
    more.forEach((name) => names.add(name));
    clearTimeout(timer);
    timer = setTimeout(() => held || settle(), QUIET);
  }

  addEventListener("popstate", async ({ state }) => {
    index = state?.index ?? index + 1; // an address that somebody typed is a new entry
    newest = state ? Math.max(newest, index) : index;
    await show(location.hash);
    clearTimeout(timer);
    timer = 0;
    names = new Set();
    zoomed = -Infinity;
    write();
  });
  addEventListener("pointerdown", () => (held = true), true);
  for (const type of ["pointerup", "pointercancel"])
    addEventListener(
      type,
      () => {
        held = false;
        if (timer) changed([]);
      },
      true,
    );

  function undo() {
    settle();
    if (index > 0) history.back();
  }
  function redo() {
    settle();
    if (index < newest) history.forward();
  }

  // A text that is being edited has an undo of its own.
  let edited;
  addEventListener(
    "input",
    ({ target }) => (edited = target.matches("[type=text], [type=number]") ? target : undefined),
  );
  addEventListener("change", () => (edited = undefined));
  addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !"zy".includes(key)) return;
    if (edited && edited === document.activeElement) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  });

  write();
  return { changed, undo, redo };
}
