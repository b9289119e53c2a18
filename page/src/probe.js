// SPDX-License-Identifier: MIT
//
// Position, value and slope under the pointer, or in the middle of the map.

import { $, brief } from "./dom.js";
import { coordinateOf, format, gridOf, step } from "./place.js";
import { state } from "./state.js";

/** Returns a function that shows them soon. */
export function makeProbe(map, currentField) {
  let pointed; // [px, py]
  let pending = false;

  function show() {
    pending = false;
    const { z, level } = state;
    const [x, y] = map.sampleAt(...(pointed ?? [map.width / 2, map.height / 2]));
    const parts = [`x ${format(coordinateOf(x, level))}`, `y ${format(coordinateOf(y, level))}`];
    try {
      const around = { z, size: [3, 3], first: [x - 1n, y - 1n], step: step(level) };
      const values = currentField().fill(gridOf(around));
      const [dx, dy] = [values[5] - values[3], values[7] - values[1]];
      const slope = Math.hypot(dx, dy) / (2 * step(level));
      const angle = Math.round((Math.atan2(dx, -dy) * 180) / Math.PI + 360) % 360;
      parts.push(`value ${brief(values[4], 9)}`);
      parts.push(slope ? `slope ${brief(slope, 3)} towards ${angle}°` : "no slope");
    } catch (error) {
      parts.push(error.message);
    }
    $("probe").textContent = parts.join("   ");
  }

  function soon() {
    if (!pending) requestAnimationFrame(show);
    pending = true;
  }
  for (const type of ["pointermove", "pointerleave"])
    $("map").addEventListener(type, (event) => {
      pointed = type === "pointermove" ? map.local(event) : undefined;
      soon();
    });
  return soon;
}
