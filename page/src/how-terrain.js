// SPDX-License-Identifier: MIT
//
// All of it together: a terrain, and another one at the touch of a button.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { startState } from "./starts.js";

const SIZE = 448; // of one of two tiles

/** Makes the section; open(text, { look }) shows a map. */
export function makeTerrain(perlane, pool, open) {
  const canvas = h("canvas", { width: 2 * SIZE, height: SIZE, id: "terrain", class: "wide-canvas", role: "img", "aria-label": "Mountains, lit from the upper left" });
  const shown = h("output", { id: "terrain-seed" }, "seed 8");
  let picture; // the state that shows it
  let newest = 0;

  async function draw(seed) {
    const drawing = ++newest;
    picture ??= await startState(perlane, pool, perlane.looks.find(({ name }) => name === "mountains"), 2 * SIZE, SIZE, 2);
    if (seed !== undefined) picture = { ...picture, text: `${picture.text} seed=${seed}` };
    const { text, ...look } = picture;
    const bitmaps = await Promise.all([0n, 1n].map((x) => pool.run({ kind: "tile", text, level: 0, x, y: 0n, size: SIZE, look })));
    bitmaps.forEach(({ bitmap }, i) => {
      if (drawing === newest) canvas.getContext("2d").drawImage(bitmap, i * SIZE, 0);
      bitmap.close();
    });
    if (seed !== undefined) shown.textContent = `seed ${seed}`;
  }

  const random = () => draw(crypto.getRandomValues(new Uint32Array(1))[0]);
  const element = h(
    "section",
    {},
    h("h3", {}, "5. A terrain"),
    h("p", {}, "Octaves, each worn down by the slopes of those before, bent by a warp, and coloured by height and slope. Another seed makes another terrain."),
    canvas,
    h("div", { class: "buttons" },
      h("button", { type: "button", id: "terrain-new", class: "primary big-button", click: random }, icon("dice"), "New terrain"),
      h("button", { type: "button", id: "terrain-open", click: () => open(picture.text, { look: { ...picture, tab: "explore" } }) }, "Open in Explore"),
      shown),
  );
  return { element, draw: () => draw() };
}
