// SPDX-License-Identifier: MIT
//
// Position, value and slope under the pointer, or in the middle of the map.

import { $, brief } from "./dom.js";
import { coordinateOf, format, step } from "./place.js";
import { gridOf } from "./slice.js";
import { state } from "./state.js";

/** Returns a function that shows them soon. */
export function makeProbe(map, currentField) {
  let pointed; // [px, py]
  let pending = false;

  /** A sample's value and slope: the exact gradient, or differences where a field has none. */
  function measure(field, x, y) {
    const apart = step(state.level);
    if (field.sloped) {
      const { values, gradient } = field.fillGradient(gridOf(state.z, [1, 1], [x, y], apart));
      return { value: values[0], dx: gradient[0][0], dy: gradient[1][0] };
    }
    const v = field.fill(gridOf(state.z, [3, 3], [x - 1n, y - 1n], apart));
    return { value: v[4], dx: (v[5] - v[3]) / (2 * apart), dy: (v[7] - v[1]) / (2 * apart) };
  }

  function show() {
    pending = false;
    const [x, y] = map.sampleAt(...(pointed ?? [map.width / 2, map.height / 2]));
    const parts = [
      `x ${format(coordinateOf(x, state.level))}`,
      `y ${format(coordinateOf(y, state.level))}`,
    ];
    try {
      const { value, dx, dy } = measure(currentField(), x, y);
      parts.push(`value ${String(Number(value.toPrecision(9))).replace("-", "−")}`);
      const slope = Math.hypot(dx, dy);
      const angle = Math.round((Math.atan2(dx, -dy) * 180) / Math.PI + 360) % 360;
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
  $("map").addEventListener("pointermove", (event) => {
    pointed = map.local(event);
    soon();
  });
  $("map").addEventListener("pointerleave", () => {
    pointed = undefined;
    soon();
  });
  return soon;
}
