// SPDX-License-Identifier: MIT
//
// Puts the page together.

import { shownMap, textIn } from "./code.js";
import { $, copyFrom, h, row } from "./dom.js";
import { workers } from "./early.js";
import { makeExport } from "./export.js";
import { makeHow } from "./how.js";
import { listen, listenToKeys } from "./input.js";
import { load, missing } from "./library.js";
import { TileMap } from "./map.js";
import { makeMeasure } from "./measure.js";
import { makePanel } from "./panel.js";
import { makePast } from "./past.js";
import { dimsOf, firstOf, step } from "./place.js";
import { LOOK } from "./picture.js";
import { Pool } from "./pool.js";
import { makeProbe } from "./probe.js";
import { makeRelief } from "./relief.js";
import { boundsOf, isExpression, makeField, textOf } from "./source.js";
import { makeSnippet } from "./snippet.js";
import { drawThumbnails, endsOf, startButtons, startState } from "./starts.js";
import { fragment, parseFragment, state, START, update, watch } from "./state.js";
import { linkTabs, tabOf } from "./tab.js";
import { makeTile, periodOf } from "./tile.js";

const FIRST = "mountains"; // the look that the page begins with
const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

function fault(message) {
  $("fault").textContent = message;
  $("fault").hidden = !message;
}

/** Shows why nothing can be computed, and a picture in place of all that would need it. */
function showStill(reason) {
  fault(reason);
  document.body.dataset.tab = "still";
  $("tabs").remove();
  const alt = "Eroded mountains around lakes, lit from the upper left";
  $("main").replaceChildren(
    h("img", { class: "still", src: "docs/images/look-mountains.png", alt }),
  );
}

async function main() {
  const reason = missing();
  if (reason) return showStill(reason);
  const loading = load();
  const pool = new Pool(
    loading.then(({ module }) => module),
    workers,
  );
  let perlane;
  try {
    ({ perlane } = await loading);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    return showStill(
      "This host’s content security policy forbids WebAssembly, which computes everything here: its script-src needs 'wasm-unsafe-eval'.",
    );
  }
  performance.mark("module");
  $("version").textContent = perlane.version;
  const map = new TileMap($("map"), pool);

  // ---- The field ----

  let field;
  let panel;
  let wrong; // why the text of a link makes no field
  let choices = 0; // of fields: only the latest is shown
  let starting = 0; // looks whose field is being made

  /**
   * Makes the field of a text the current one. Returns whether it exists; otherwise says why not: in
   * the problems of a link, to fail(message), at the option's control, or above the map.
   */
  function useText(text, { name, look, problems, fail } = {}) {
    let next;
    try {
      next = makeField(perlane, text);
      next.range(2);
      if ((look?.z ?? state.z) !== null) next.range(3);
    } catch (error) {
      next?.free();
      if (problems) problems.unshift(error.message);
      else if (fail) fail(error.message);
      else if (!panel?.controls.fail(name ?? error.option, error.message)) fault(error.message);
      return false;
    }
    choices++;
    field?.free();
    field = next;
    fault("");
    update({ ...look, text: textOf(perlane, field), draft: null });
    return true;
  }

  /** Shows a look; on the first part, without leaving it. */
  async function start(look) {
    const choice = ++choices;
    document.body.dataset.map = "busy";
    starting++;
    try {
      const { text, ...picture } = await startState(perlane, pool, look, map.size);
      if (choice === choices) useText(text, { look: picture });
    } catch (error) {
      fault(error.message);
    }
    starting--;
    map.request(); // also where nothing changed
  }

  const set = (option, value) => {
    if (/\s/.test(value) || value === "")
      return panel.controls.fail(option.name, "Expected a value without spaces.");
    return (
      useText(`${state.text} ${option.name}=${value}`, { name: option.name }) &&
      panel.controls.update(field)
    );
  };
  const dice = () =>
    useText(`${state.text} seed=${crypto.getRandomValues(new BigUint64Array(1))[0]}`);
  /** The ends of the colours for what a map shows, from every n-th sample. */
  const endsSeen = (at, every) =>
    endsOf(
      pool,
      { ...at, size: map.size, first: firstOf(at, map.size), step: step(at.level) },
      every,
    );

  /** Shows what an address says. One without a map keeps the map; at first it shows the first look. */
  async function show(hash) {
    const { values, problems, fresh } = parseFragment(hash, perlane.palettes);
    if (fresh && field) {
      update({ tab: values.tab });
      return showTab();
    }
    const choice = ++choices;
    const first = perlane.looks.find(({ name }) => name === FIRST);
    if (fresh) Object.assign(values, await startState(perlane, pool, first, map.size, 4));
    // The bounds of an expression may be far away, or none.
    if (isExpression(values.text) && values.low === null && values.high === null)
      Object.assign(values, await endsSeen(values, 4).catch(() => ({}))); // useText says why
    if (choice !== choices) return;
    const { text, ...look } = values;
    if (!useText(text, { look, problems })) {
      [wrong] = problems;
      useText(START, { look });
      update({ draft: text });
    }
    if (problems.length) fault(`The link is wrong in part: ${problems.join("; ")}`);
  }
  await show(location.hash);

  // ---- The map ----

  const goHome = () => update({ x: 0n, y: 0n, level: 0 });
  listen($("map"), map);
  listenToKeys($("map"), map, goHome);

  const PLACE = ["x", "y", "level"];
  watch((changed) => {
    if (["text", "z", ...LOOK].some((name) => changed.has(name))) map.fieldChanged();
    else if (PLACE.some((name) => changed.has(name))) map.request();
    else return;
    document.body.dataset.map = "busy"; // at once, not from the next frame on
  });

  let showFirst;
  const shown = new Promise((resolve) => (showFirst = resolve));
  map.onDrawn = () => {
    document.body.dataset.map = map.complete && !starting ? "complete" : "busy";
    const error = map.error();
    $("map-notice").hidden = !error;
    if (error) $("map-notice").textContent = `Outside the field: ${error}`;
    if (!map.complete || document.body.dataset.first) return;
    document.body.dataset.first = String(Math.round(performance.now()));
    performance.mark("first-map");
    showFirst();
  };

  // ---- Parts ----

  let relief;
  const lift = () => {
    const range = () => boundsOf(field, dimsOf(state.z));
    return makeRelief({ map, pool, range, palette: perlane.palette });
  };
  const made = {}; // parts, when they are shown for the first time
  const MAKE = {
    how: () => makeHow(perlane),
    export: () => makeExport({ map, pool, perlane, currentField: () => field }),
  };
  function showTab() {
    const { tab } = state;
    const lifted = tab === "home" || (tab === "explore" && state.view === "relief");
    document.body.dataset.tab = tab;
    document.body.dataset.lifted = String(lifted);
    for (const link of document.querySelectorAll("#tabs [data-tab]"))
      link.setAttribute("aria-current", link.dataset.tab === tab ? "page" : "false");
    // Stages keep their size while they cannot be seen: the map's size is a part of what is shown.
    $("part-explore").classList.toggle("off", tab !== "explore");
    $("part-explore").inert = tab !== "explore";
    $("part-relief").classList.toggle("off", !lifted);
    $("part-relief").inert = tab !== "explore" || !lifted;
    $("map").inert = lifted;
    for (const each of ["how", "export"]) $(`part-${each}`).hidden = tab !== each;
    $("panel").hidden = tab !== "explore";
    $("part-home").hidden = tab !== "home";
    $("relief-controls").hidden = !lifted;
    $("view").setAttribute("aria-pressed", String(state.view === "relief"));
    if (lifted) relief ??= lift();
    relief?.setVisible(lifted);
    made[tab] ??= MAKE[tab]?.() ?? {};
    showExport();
  }
  const showExport = () => state.tab === "export" && made.export?.show();
  $("hero-explore").addEventListener("click", (event) => {
    event.preventDefault();
    update({ tab: "explore" });
    $("map").focus();
  });
  $("hero-dice").addEventListener("click", dice);
  $("hero-looks").append(...startButtons(perlane.looks, "data-hero", start));
  makeMeasure(pool);

  // What is seen first is computed first; the controls come after it.
  showTab();
  map.fieldChanged();
  await Promise.race([shown, pause(500)]);

  // ---- Around the map ----

  let past;
  const clicks = {
    random: dice,
    undo: () => past.undo(),
    redo: () => past.redo(),
    share: ({ currentTarget }) =>
      copyFrom(currentTarget, location.origin + location.pathname + fragment()),
    view: () => update({ view: state.view === "map" ? "relief" : "map" }),
    "zoom-in": () => map.zoomBy(-1),
    "zoom-out": () => map.zoomBy(1),
  };
  for (const [id, click] of Object.entries(clicks)) $(id).addEventListener("click", click);
  const probeSoon = makeProbe(map, () => field);
  const showTile = makeTile(map, () => field, useText);
  const fit = async () => update(await endsSeen(state, 1));
  panel = await makePanel({ perlane, set, start, useText, fit, goHome });
  const code = makeSnippet(
    "code",
    "Languages",
    ["command", "c", "python", "javascript"],
    (language) => textIn(language, shownMap(map)),
  );
  $("part-code").append(code.element);
  function showField() {
    panel.showField(field, state.draft === null ? "" : wrong);
    for (const id of ["random", "hero-dice"]) $(id).disabled = isExpression(state.text); // without a seed
    map.period = periodOf(field);
    showTile();
  }

  update({ tab: tabOf(location.hash) }); // of a link that was followed meanwhile
  linkTabs("");
  watch((changed) => {
    if (changed.has("text") || changed.has("draft")) showField();
    if (PLACE.some((name) => changed.has(name))) {
      panel.showPlace();
      showTile();
    }
    if (changed.has("tab") || changed.has("view")) showTab();
    else showExport();
    relief?.changed(changed);
    probeSoon();
    code.show();
    past.changed(changed);
  });
  past = makePast(show, (canUndo, canRedo) => {
    $("undo").disabled = !canUndo;
    $("redo").disabled = !canRedo;
  });
  addEventListener("resize", () => {
    code.show();
    showExport();
  });

  showField();
  showTab();
  code.choose();
  map.request();
  panel.showPlace();
  probeSoon();
  document.body.dataset.ready = "true";

  // ---- When nothing else is waiting ----

  const hex = (digest) => h("code", {}, `0x${digest.toString(16).toUpperCase().padStart(16, "0")}`);
  while (!map.complete && performance.now() < 5000) await pause(100);
  const { ok, digest, expected } = await pool.run({ kind: "selftest" });
  $("badge").append(
    h("table", {}, row("this browser", hex(digest)), row("C and Python", hex(expected))),
    h(
      "small",
      { class: ok ? "good" : "error" },
      ok
        ? "✓ The digest of 270,000 numbers, computed just now."
        : "✗ This browser computes other numbers.",
    ),
  );
  await drawThumbnails(perlane, pool);
  // A copy for when there is no network; without one, the page works online only.
  navigator.serviceWorker
    ?.register(new URL("sw.js", import.meta.url))
    .catch((error) => console.info(error.message));
}

main().catch((error) => {
  console.error(error);
  fault(`This page could not start: ${error.message}`);
});
