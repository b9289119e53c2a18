// SPDX-License-Identifier: MIT
//
// Puts the page together.

import { $, brief, h } from "./dom.js";
import { workers } from "./early.js";
import { makeControls } from "./controls.js";
import { listen, listenToKeys } from "./input.js";
import { load, missing } from "./library.js";
import { makeLook, makeStats } from "./look.js";
import { TileMap } from "./map.js";
import { format as formatPlace, parse as parsePlace, coordinateOf, step } from "./place.js";
import { makePast } from "./past.js";
import { Pool } from "./pool.js";
import { drawThumbnail, startState } from "./starts.js";
import { parseFragment, state, START, update, watch } from "./state.js";

function fault(message) {
  $("fault").textContent = message;
  $("fault").hidden = !message;
}

async function main() {
  const reason = missing();
  if (reason) {
    fault(reason);
    $("controls").replaceChildren();
    $("badge").hidden = true;
    return;
  }
  const loading = load();
  const pool = new Pool(loading.then(({ module }) => module), workers);
  const { perlane } = await loading;
  performance.mark("module");
  $("version").textContent = perlane.version;

  // ---- The field ----

  let field;
  let choices = 0; // of fields: only the latest is shown

  /** Makes the field of a text the current one. Returns whether it exists; otherwise says why not. */
  function useText(text, { name, look } = {}) {
    let next;
    try {
      next = perlane.field(text);
      next.range(2);
    } catch (error) {
      next?.free();
      if (!controls?.fail(name ?? error.option, error.message)) fault(error.message);
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
    update({ ...look, text: field.text });
    return true;
  }

  let controls;
  const complain = (problems) =>
    problems.length && fault(`The link is wrong in part: ${problems.join("; ")}.`);
  const { values, problems } = parseFragment(location.hash);
  Object.assign(state, values);
  if (!useText(state.text)) {
    problems.unshift($("fault").textContent);
    useText(START);
  }
  complain(problems);

  // ---- The map ----

  const map = new TileMap($("map"), pool);
  listen($("map"), map);
  const goHome = () => update({ x: 0n, y: 0n, level: 0 });
  listenToKeys($("map"), map, goHome);
  $("zoom-in").addEventListener("click", () => map.zoomBy(-1));
  $("zoom-out").addEventListener("click", () => map.zoomBy(1));

  const LOOK = ["style", "palette", "low", "high", "light", "altitude", "rise", "relief"];
  watch((changed) => {
    if (changed.has("text")) map.fieldChanged();
    else if (LOOK.some((name) => changed.has(name))) map.lookChanged();
    else if (["x", "y", "level"].some((name) => changed.has(name))) map.request();
    else return;
    document.body.dataset.map = "busy"; // at once, not from the next frame on
  });

  let stats;
  let showFirst;
  const shown = new Promise((resolve) => (showFirst = resolve));
  let statsTimer = 0;
  map.onDrawn((complete, covered) => {
    if (covered && !document.body.dataset.covered) {
      document.body.dataset.covered = String(Math.round(performance.now()));
      showFirst();
    }
    document.body.dataset.map = complete ? "complete" : "busy";
    if (complete && !document.body.dataset.first) {
      document.body.dataset.first = String(Math.round(performance.now()));
      performance.mark("first-map");
    }
    if (!statsTimer)
      statsTimer = setTimeout(() => {
        statsTimer = 0;
        stats?.show(map.stats(), field.range(2), map.samplesPerSecond, pool.size);
        const error = map.error();
        $("map-notice").textContent = error ? `Outside the field: ${error}` : "";
        $("map-notice").hidden = !error;
      }, 200);
  });
  // The first frames of the map come before the controls.
  map.fieldChanged();
  await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, 500))]);

  // ---- Under the pointer ----

  let pointed; // [px, py]

  /** A sample's value and slope: the exact gradient, or differences where a field has none. */
  function measure(x, y) {
    const apart = step(state.level);
    if (!field.sloped) {
      const v = field.fill({ size: [3, 3], first: [x - 1n, y - 1n], step: apart });
      return { value: v[4], dx: (v[5] - v[3]) / (2 * apart), dy: (v[7] - v[1]) / (2 * apart) };
    }
    const { values, gradient } = field.fillGradient({ size: [1, 1], first: [x, y], step: apart });
    return { value: values[0], dx: gradient[0][0], dy: gradient[1][0] };
  }

  function probe() {
    const [px, py] = pointed ?? [map.width / 2, map.height / 2];
    const [x, y] = map.sampleAt(px, py);
    const parts = [`x ${formatPlace(coordinateOf(x, state.level))}`, `y ${formatPlace(coordinateOf(y, state.level))}`];
    try {
      const { value, dx, dy } = measure(x, y);
      parts.push(`value ${String(Number(value.toPrecision(9))).replace("-", "−")}`);
      const slope = Math.hypot(dx, dy);
      const angle = Math.round((Math.atan2(dx, -dy) * 180) / Math.PI + 360) % 360;
      parts.push(slope ? `slope ${brief(slope, 3)} towards ${angle}°` : "no slope");
    } catch (error) {
      parts.push(error.message);
    }
    $("probe").textContent = parts.join("   ");
  }
  let probing = false;
  function probeSoon() {
    if (probing) return;
    probing = true;
    requestAnimationFrame(() => {
      probing = false;
      probe();
    });
  }
  $("map").addEventListener("pointermove", (event) => {
    pointed = map.local(event);
    probeSoon();
  });
  $("map").addEventListener("pointerleave", () => {
    pointed = undefined;
    probeSoon();
  });

  // ---- The panel ----

  // Choices that need a table are marked: those that no field without tables can have.
  const bases = ["", ...perlane.presets.map((name) => `preset=${name} `)];
  const usable = (name, choice) =>
    bases.some((base) => {
      let trial;
      try {
        trial = perlane.field(`${base}${name}=${choice}`);
        trial.range(2);
        return true;
      } catch {
        return false;
      } finally {
        trial?.free();
      }
    });
  const set = (option, value) => {
    if (/\s/.test(value) || value === "") return controls.fail(option.name, "Expected a value without spaces.");
    useText(`${state.text} ${option.name}=${value}`, { name: option.name }) && controls.update(field);
  };

  const undo = h("button", { type: "button", id: "undo", title: "Ctrl+Z", disabled: true, click: () => past.undo() }, "Undo");
  const redo = h("button", { type: "button", id: "redo", title: "Ctrl+Y", disabled: true, click: () => past.redo() }, "Redo");
  const starts = h(
    "div",
    { class: "starts", role: "group", "aria-label": "Starting points" },
    perlane.looks.map((look) =>
      h("button", { type: "button", "data-start": look.name, title: look.summary, click: () => start(look) },
        h("canvas", { "aria-hidden": "true" }), look.name.replace("-", " ")),
    ),
  );
  async function start(look) {
    const choice = ++choices;
    document.body.dataset.map = "busy";
    try {
      const { text, ...picture } = await startState(perlane, pool, look, map.width, map.height);
      if (choice === choices) useText(text, { look: picture });
    } catch (error) {
      fault(error.message);
    }
    map.request(); // also where nothing changed
  }
  async function drawThumbnails() {
    for (const [i, look] of perlane.looks.entries())
      await drawThumbnail(starts.children[i].firstChild, perlane, pool, look);
  }
  const preset = h(
    "select",
    { id: "preset", "aria-describedby": "preset-help", change: () => {
      if (!preset.value) return;
      const text = `preset=${preset.value} frequency=${perlane.field("").get("frequency")}`;
      useText(text, { look: { style: "flat", palette: "grey", low: null, high: null, rise: null } });
      preset.value = "";
    } },
    h("option", { value: "" }, "Choose…"),
    perlane.presets.map((name) => {
      const fits = bases.length && (() => {
        try {
          perlane.field(`preset=${name}`).free();
          return true;
        } catch {
          return false;
        }
      })();
      return h("option", { value: name, disabled: !fits }, name + (fits ? "" : " (needs a table from a program)"));
    }),
  );

  const place = (axis) => {
    const input = h("input", {
      id: `go-${axis}`,
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      inputmode: "decimal",
      change: () => {
        const value = parsePlace(input.value);
        input.setAttribute("aria-invalid", String(value === undefined));
        if (value !== undefined) update({ [axis]: value });
      },
    });
    return [input, h("div", { class: "control" }, h("label", { for: `go-${axis}` }, `Middle, ${axis}`), input)];
  };
  const [goX, goXRow] = place("x");
  const [goY, goYRow] = place("y");
  const stepShown = h("output", { class: "quiet" });
  const go = h(
    "details",
    {},
    h("summary", {}, "Place"),
    h(
      "div",
      { class: "group" },
      h("div", { class: "two" }, goXRow, goYRow),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", id: "home", click: goHome }, "Origin"),
        h("button", { type: "button", id: "far", click: () => update({ x: parsePlace("1e15"), y: parsePlace("-1e15") }) }, "10¹⁵ away"),
        stepShown,
      ),
      h("p", { class: "help" }, "Positions are exact: 64-bit indices times a power of two."),
    ),
  );

  const look = makeLook(() => {
    const { min, max, bins } = map.stats();
    if (bins && max > min) update({ low: Number(min.toPrecision(4)), high: Number(max.toPrecision(4)) });
  });
  stats = makeStats();
  controls = await makeControls(perlane.options, { set, usable, usual: perlane.field("") });
  $("controls").replaceChildren(
    h("div", { class: "group first" }, h("div", { class: "line" }, h("h2", {}, "Start from"), h("div", { class: "buttons" }, undo, redo)), starts, h("div", { class: "control" }, h("label", { for: "preset" }, "A known system"), preset, h("p", { class: "help", id: "preset-help" }, "Sets every option as another Perlin noise needs it."))),
    look.element,
    controls.element,
    go,
    stats.element,
    h("p", { class: "buttons" }, h("button", { type: "button", id: "reset-all", click: () => useText("", { look: { rise: null } }) }, "Reset every option")),
  );
  controls.update(field);

  // ---- Parts ----

  let relief;
  let take;
  const tabs = [...document.querySelectorAll("[role=tab]")];
  async function showTab() {
    document.body.dataset.tab = state.tab;
    for (const tab of tabs) {
      const on = tab.dataset.tab === state.tab;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      const part = $(tab.getAttribute("aria-controls"));
      // Stages keep their size while they cannot be seen: the map's size is a part of what is shown.
      if (part.classList.contains("stage")) {
        part.classList.toggle("off", !on);
        part.inert = !on;
      } else part.hidden = !on;
    }
    $("panel").hidden = state.tab === "how" || state.tab === "take";
    $("relief-controls").hidden = state.tab !== "relief";
    relief?.setVisible(state.tab === "relief");
    // Parts are loaded when they are opened for the first time, and made once.
    const { tab } = state;
    try {
      await (opened[tab] ??= OPEN[tab]?.());
      if (broken) fault("");
      broken = false;
    } catch (error) {
      console.error(error);
      opened[tab] = undefined; // opening it again tries again
      broken = true;
      fault(`This part could not be loaded: ${error.message}`);
    }
    if (state.tab === "take") take?.show();
  }
  const opened = {};
  let broken = false; // whether a part could not be loaded
  addEventListener("online", () => broken && showTab());
  const OPEN = {
    async relief() {
      const { makeRelief } = await import("./relief.js");
      relief = await makeRelief({ canvas: $("relief"), screen: $("relief-screen"), controls: $("relief-controls"), notice: $("relief-notice"), map, pool, range: () => field.range(2) });
      relief.setVisible(state.tab === "relief");
    },
    async how() {
      const { makeHow } = await import("./how.js");
      makeHow($("part-how"), perlane);
    },
    async take() {
      const { makeTake } = await import("./take.js");
      take = makeTake({ root: $("part-take"), map, pool, perlane, currentField: () => field });
      take.format.addEventListener("change", () => take.show());
    },
  };
  for (const tab of tabs) tab.addEventListener("click", () => (state.tab === tab.dataset.tab ? showTab() : update({ tab: tab.dataset.tab })));
  $("tabs").addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    const next = tabs[(tabs.findIndex((tab) => tab.dataset.tab === state.tab) + way + tabs.length) % tabs.length];
    update({ tab: next.dataset.tab });
    next.focus();
  });

  // ---- Changes ----

  function show(hash) {
    const { values: { text, ...look }, problems } = parseFragment(hash);
    if (useText(text, { look })) complain(problems);
  }

  function showPlace() {
    if (document.activeElement !== goX) goX.value = formatPlace(state.x);
    if (document.activeElement !== goY) goY.value = formatPlace(state.y);
    stepShown.textContent = `step ${step(state.level)}`;
  }

  watch((changed) => {
    if (changed.has("text")) controls.update(field);
    if (LOOK.some((name) => changed.has(name))) look.show();
    if (["x", "y", "level"].some((name) => changed.has(name))) showPlace();
    if (changed.has("tab")) showTab();
    else if (state.tab === "take") take?.show();
    relief?.changed(changed);
    probeSoon();
    past.changed();
  });
  const past = makePast(show, (canUndo, canRedo) => {
    undo.disabled = !canUndo;
    redo.disabled = !canRedo;
  });
  addEventListener("resize", () => state.tab === "take" && take?.show());

  map.request();
  look.show();
  showPlace();
  showTab();
  probeSoon();
  document.body.dataset.ready = "true";

  // ---- The digest, when nothing else is waiting ----

  const badge = () =>
    pool.run({ kind: "selftest" }).then(({ ok, digest, isa, ms }) => {
      const text = `0x${digest.toString(16).toUpperCase().padStart(16, "0")}`;
      $("badge").replaceChildren(h("span", { class: "wide" }, ok ? "Same bits, checked here: " : "Self-test failed: "), h("code", {}, text));
      $("badge").title += ` Computed with ${isa} in ${Math.round(ms)} ms; ${ok ? "it is the library’s digest" : "it is not the library’s digest"}.`;
      $("badge").classList.toggle("bad", !ok);
    }, (error) => ($("badge").textContent = `Self-test: ${error.message}`));
  // A copy for when there is no network; without one, the page works online only.
  const keep = () => navigator.serviceWorker?.register(new URL("../sw.js", import.meta.url)).catch((error) => console.info(error.message));
  const whenIdle = () => (map.complete || performance.now() > 5000 ? drawThumbnails().then(badge).then(keep) : setTimeout(whenIdle, 100));
  whenIdle();
}

main().catch((error) => {
  console.error(error);
  fault(`This page could not start: ${error.message}`);
});
