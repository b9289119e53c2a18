// SPDX-License-Identifier: MIT
//
// Puts the page together.

import { $, h } from "./dom.js";
import { workers } from "./early.js";
import { listen, listenToKeys } from "./input.js";
import { load, missing } from "./library.js";
import { TileMap } from "./map.js";
import { makeMeasure } from "./measure.js";
import { makePanel } from "./panel.js";
import { shownMap, textIn } from "./code.js";
import { makePast } from "./past.js";
import { indexOf, step } from "./place.js";
import { Pool } from "./pool.js";
import { LOOK } from "./picture.js";
import { makeProbe } from "./probe.js";
import { dimsOf } from "./slice.js";
import { boundsOf, isExpression, makeField, textOf } from "./source.js";
import { makeSnippet } from "./snippet.js";
import { drawThumbnails, endsOf, startButtons, startState } from "./starts.js";
import { parseFragment, state, START, update, watch } from "./state.js";
import { linkTabs, tabOf } from "./tab.js";
import { makeToolbar } from "./toolbar.js";
import { describeView, periodOf } from "./view.js";

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
  $("main").replaceChildren(
    h("img", {
      class: "still",
      src: "docs/images/look-mountains.png",
      alt: "Eroded mountains around lakes, lit from the upper left",
    }),
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
  let toolbar;
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
    try {
      field.gradient(0, 0);
      field.sloped = true;
    } catch {
      field.sloped = false;
    }
    fault("");
    update({ ...look, text: textOf(perlane, field), draft: null });
    return true;
  }

  const range = () => boundsOf(field, dimsOf(state.z));
  const lookNamed = (name) => perlane.looks.find((look) => look.name === name);

  /** Shows a look; on the first part, without leaving it. */
  async function start(look) {
    const choice = ++choices;
    document.body.dataset.map = "busy";
    starting++;
    try {
      const { text, ...picture } = await startState(perlane, pool, look, map.width, map.height);
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
  /** The ends of the colours for what an expression's map shows: its bounds may be far away, or none. */
  function endsSeen({ text, x, y, z, level }) {
    const { width, height } = map;
    const first = [indexOf(x, level) - BigInt(width >> 1), indexOf(y, level) - BigInt(height >> 1)];
    return endsOf(pool, {
      text,
      z,
      size: [width, height],
      first,
      step: step(level),
      every: 4,
    }).catch(() => ({})); // useText says why
  }

  /** Shows what an address says. One without a map keeps the map; at first it shows the first look. */
  async function show(hash) {
    const { values, problems, fresh } = parseFragment(hash, perlane.palettes);
    if (fresh && field) {
      update({ tab: values.tab, lattice: values.lattice });
      return showTab();
    }
    const choice = ++choices;
    if (fresh)
      Object.assign(
        values,
        await startState(perlane, pool, lookNamed(FIRST), map.width, map.height, 4),
      );
    if (isExpression(values.text) && values.low === null && values.high === null)
      Object.assign(values, await endsSeen(values));
    if (choice !== choices) return;
    const { text, ...look } = values;
    if (!useText(text, { look, problems })) {
      [wrong] = problems;
      useText(START, { look });
      update({ draft: text });
    }
    if (problems.length) fault(`The link is wrong in part: ${problems.join("; ")}.`);
  }
  await show(location.hash);

  // ---- The map ----

  const goHome = () => update({ x: 0n, y: 0n, level: 0 });
  listen($("map"), map);
  listenToKeys($("map"), map, goHome);

  const PLACE = ["x", "y", "level"];
  watch((changed) => {
    if (changed.has("text") || changed.has("z")) map.fieldChanged();
    else if (LOOK.some((name) => changed.has(name))) map.lookChanged();
    else if ([...PLACE, "tiles"].some((name) => changed.has(name))) map.request();
    else return;
    document.body.dataset.map = "busy"; // at once, not from the next frame on
  });

  function showNumbers() {
    const stats = map.stats();
    panel?.stats.show(stats, range(), field.range(dimsOf(state.z)));
    const error = map.error();
    const notice = error ? `Outside the field: ${error}` : describeView(field, map, stats);
    if ($("map-notice").textContent !== notice) $("map-notice").textContent = notice;
    $("map-notice").hidden = !notice;
  }
  let showFirst;
  const shown = new Promise((resolve) => (showFirst = resolve));
  let numbersTimer = 0;
  map.onDrawn((complete, covered) => {
    if (covered && !document.body.dataset.covered) {
      document.body.dataset.covered = String(Math.round(performance.now()));
      showFirst();
    }
    document.body.dataset.map = complete && !starting ? "complete" : "busy";
    if (complete && !document.body.dataset.first) {
      document.body.dataset.first = String(Math.round(performance.now()));
      performance.mark("first-map");
    }
    numbersTimer ||= setTimeout(() => {
      numbersTimer = 0;
      showNumbers();
    }, 200);
  });

  // ---- Parts ----

  let relief;
  let exported;
  let how;
  const opened = {};
  let broken = false; // whether a part could not be loaded
  const OPEN = {
    async relief() {
      const { makeRelief } = await import("./relief.js");
      relief = await makeRelief({
        canvas: $("relief"),
        screen: $("relief-screen"),
        controls: $("relief-controls"),
        notice: $("relief-notice"),
        map,
        pool,
        range,
        palette: perlane.palette,
      });
    },
    async how() {
      const { makeHow } = await import("./how.js");
      how = makeHow($("part-how"), perlane);
    },
    async export() {
      const { makeExport } = await import("./export.js");
      exported = makeExport({
        root: $("part-export"),
        map,
        pool,
        perlane,
        currentField: () => field,
      });
    },
  };
  async function showTab() {
    const { tab } = state;
    const lifted = tab === "home" || (tab === "explore" && state.view === "relief");
    document.body.dataset.tab = tab;
    document.body.dataset.lifted = String(lifted);
    for (const link of document.querySelectorAll("#tabs [data-tab]")) {
      if (link.dataset.tab === tab) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
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
    toolbar?.showView();
    // Parts are loaded when they are opened for the first time, and made once.
    const part = lifted ? "relief" : tab;
    try {
      await (opened[part] ??= OPEN[part]?.());
      if (broken) fault("");
      broken = false;
    } catch (error) {
      console.error(error);
      opened[part] = undefined; // opening it again tries again
      broken = true;
      fault(`This part could not be loaded: ${error.message}`);
    }
    relief?.setVisible(
      ["home", "explore"].includes(state.tab) && document.body.dataset.lifted === "true",
    );
    if (state.tab === "export") exported?.show();
  }
  addEventListener("online", () => broken && showTab());
  $("hero-explore").addEventListener("click", (event) => {
    event.preventDefault();
    update({ tab: "explore" });
    $("map").focus();
  });
  $("hero-dice").addEventListener("click", dice);
  $("hero-looks").append(...startButtons(perlane.looks, "data-hero", start));
  makeMeasure(pool);

  // What is seen first is computed first; the controls come after it.
  const first = showTab();
  if (state.tab === "home") await Promise.race([first, pause(500)]); // its heights are asked for before tiles are
  map.fieldChanged();
  await Promise.race([shown, pause(500)]);

  // ---- Around the map ----

  const probeSoon = makeProbe(map, () => field);
  let past;
  toolbar = makeToolbar({ map, dice, past: () => past });
  panel = await makePanel({ perlane, map, currentField: () => field, set, start, useText, goHome });
  const code = makeSnippet(
    "code",
    "Languages",
    ["command", "c", "python", "javascript"],
    (language) => textIn(language, shownMap(map)),
  );
  $("part-code").append(code.element);
  function showField() {
    panel.showField(field, state.draft === null ? "" : wrong);
    panel.go.fit(field);
    toolbar.seeded(!isExpression(state.text));
    map.period = periodOf(field);
    toolbar.periods(Boolean(map.period));
    panel.tile.show();
  }

  update({ tab: tabOf(location.hash) }); // of a link that was followed meanwhile
  linkTabs("");
  watch((changed) => {
    if (changed.has("text") || changed.has("draft")) showField();
    if (changed.has("tiles")) toolbar.periods(Boolean(map.period));
    if (LOOK.some((name) => changed.has(name))) panel.look.show();
    if (["z", ...PLACE].some((name) => changed.has(name))) {
      panel.go.show();
      panel.tile.show();
    }
    if (changed.has("tab") || changed.has("view")) showTab();
    else if (state.tab === "export") exported?.show();
    relief?.changed(changed);
    how?.changed(changed);
    probeSoon();
    code.show();
    past.changed(changed);
  });
  past = makePast(show, (...can) => toolbar.history(...can));
  addEventListener("resize", () => {
    code.show();
    if (state.tab === "export") exported?.show();
  });

  showField();
  showTab();
  code.choose();
  map.request();
  panel.look.show();
  panel.go.show();
  probeSoon();
  document.body.dataset.ready = "true";

  // ---- When nothing else is waiting ----

  const hex = (digest) => `0x${digest.toString(16).toUpperCase().padStart(16, "0")}`;
  const badge = () =>
    pool.run({ kind: "selftest" }).then(
      ({ ok, digest, expected }) => {
        const row = (name, value) =>
          h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, h("code", {}, hex(value))));
        $("badge").replaceChildren(
          h("table", {}, row("this browser", digest), row("C and Python", expected)),
          h(
            "small",
            { class: ok ? "good" : "error" },
            ok
              ? "✓ The digest of 270,000 numbers, computed just now."
              : "✗ This browser computes other numbers.",
          ),
        );
      },
      (error) => ($("badge").textContent = `Self-test: ${error.message}`),
    );
  // A copy for when there is no network; without one, the page works online only.
  const keep = () =>
    navigator.serviceWorker
      ?.register(new URL("../sw.js", import.meta.url))
      .catch((error) => console.info(error.message));
  while (!map.complete && performance.now() < 5000) await pause(100);
  await badge();
  await drawThumbnails(perlane, pool);
  await keep();
}

main().catch((error) => {
  console.error(error);
  fault(`This page could not start: ${error.message}`);
});
