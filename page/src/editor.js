// SPDX-License-Identifier: MIT
//
// The text of an expression: an area to write it in, with an error at its place, and examples.

import { $, button, h } from "./dom.js";
import { lookOf } from "./picture.js";
import { expressionOf, marked } from "./source.js";
import { initial, state } from "./state.js";

const PLACE = { x: 0n, y: 0n, level: 0, z: null };
const SHADED = { ...lookOf(initial()), ...PLACE, palette: "land", low: -1, high: 1 };
const EXAMPLES = {
  Volcanoes: [
    { ...SHADED, rise: 80 },
    `# the higher of two lands, without a crease
land = seed=4 octaves=8 frequency=0.004 gain=0.45 fractal=ridged
rough = seed=7 octaves=7 frequency=0.015 fractal=ridged
cone = seed=6 basis=cellular frequency=0.0022 warp_amplitude=12 warp_frequency=0.01 warp_octaves=5 normalize=none
smooth_max(0.5*land - 0.1, min(0.9 - 2.6*cone, 5*cone + 0.25) - 0.18*rough, 0.1)`,
  ],
  Biomes: [
    { ...SHADED, rise: 40 },
    `# a value for each cell, which fades to 0 at its border
kind = seed=8 basis=cellular frequency=0.008 warp_amplitude=40 warp_frequency=0.01 warp_octaves=5 cell_output=value
border = seed=8 basis=cellular frequency=0.008 warp_amplitude=40 warp_frequency=0.01 warp_octaves=5 cell_output=edge normalize=none
plains = seed=2 octaves=5 frequency=0.012 value_scale=0.3 value_offset=0.16
lakes = seed=3 octaves=5 frequency=0.02 value_scale=0.5 value_offset=-0.15
peaks = seed=4 octaves=6 frequency=0.012 fractal=ridged value_scale=0.5 value_offset=0.4
mix(mix(plains, lakes, smooth(0.1, 0.4, -kind*smooth(0, 0.4, border))),
  peaks, smooth(0.1, 0.4, kind*smooth(0, 0.4, border)))`,
  ],
  Caves: [
    { ...SHADED, style: "flat" },
    `# a section: rock, or the dark of a cave, or the sky above
hills = octaves=6 frequency=0.008
caves = seed=2 octaves=3 frequency=0.014
rock = seed=3 octaves=6 frequency=0.04 value_scale=0.12
mix(y/1500 - 0.15,
  mix(-0.9, rock + min(0.3 + 0.3*((y + 120)/60 + hills), 0.68), step(0, 8*abs(caves) - 0.8)),
  step(0, (y + 120)/60 + hills))`,
  ],
  Currents: [
    { ...SHADED, rise: 20 },
    `# contour lines of a field that is constant on land: a flow around it
flow = seed=6 frequency=0.006
land = seed=4 octaves=5 frequency=0.008 gain=0.4 value_offset=-0.12
mix(0.6*abs(16*flow*smooth(0, 0.3, -land) - floor(16*flow*smooth(0, 0.3, -land)) - 0.5) - 0.4,
  2*land, step(0, land))`,
  ],
};

/** Where in a text its error is, as the sentence says: [from, to]. */
function placeOf(text, sentence) {
  const [, character] = /\(character (\d+)\)/.exec(sentence) ?? [];
  if (character) return [character - 1, Number(character)];
  const [, option] = /^(\w+) must be /.exec(sentence) ?? [];
  const [, value = ""] = /not (\S+)$/.exec(sentence) ?? [];
  const [, quoted] = /'([^']+)'/.exec(sentence) ?? [];
  const word = option ? `${option}=${value}` : quoted;
  const at = word ? text.search(new RegExp(`(?<!\\w)${word.replace(/\W/g, "\\$&")}(?!\\w)`)) : -1;
  return at < 0 ? [text.trimEnd().length - 1, text.trimEnd().length] : [at, at + word.length];
}

/** A text of one line as one is written: each definition on a line of its own. */
const written = (text) => text.replace(/;\s*/g, "\n").replace(/^(\w+)=/gm, "$1 = ");

/** Makes the editor; useText(text, { look }) returns why a text makes no field. */
export function makeEditor(useText) {
  let entered; // the map's expression when a text was written
  let entering = false;
  const [area, mark] = [$("editor"), $("mark")];

  function complain(sentence) {
    const [from, to] = sentence ? placeOf(area.value, sentence) : [0, 0];
    mark.replaceChildren(
      area.value.slice(0, from),
      h("mark", {}, area.value.slice(from, to)),
      `${area.value.slice(to)}\n`,
    );
    $("editor-error").textContent = sentence;
    area.setAttribute("aria-invalid", String(Boolean(sentence)));
  }

  function use(settings) {
    entering = true;
    complain(useText(marked(area.value), settings));
    entering = false;
    entered = expressionOf(state.text);
  }
  area.addEventListener("input", () => use());
  area.addEventListener("scroll", () => (mark.scrollTop = area.scrollTop));
  for (const [title, [look, text]] of Object.entries(EXAMPLES))
    $("examples").append(
      button(title, () => {
        area.value = text;
        use({ look });
      }),
    );

  return {
    /** Shows the expression of the map, or the text that was given instead, unless it is what was written. */
    show(sentence = "") {
      const text = expressionOf(state.draft ?? state.text);
      if (text === undefined || ((entering || text === entered) && !sentence)) return;
      area.value = written(text);
      entered = text;
      complain(sentence);
    },
    /** Begins with an expression of the present field. */
    begin() {
      if (!area.value) area.value = `hills = ${state.text}\nhills`;
      use();
      area.focus();
    },
  };
}
