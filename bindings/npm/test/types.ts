// SPDX-License-Identifier: MIT
//
// What TypeScript has to accept; each line after an "expect-error" it has to refuse.

import {
  Expression,
  field as fetched,
  init,
  noise2D,
  noise3D,
  palette,
  type Uint16Grid,
  type Uint8Grid,
} from "perlane";
import { noise2D as small } from "perlane/noise";
import address from "perlane/perlane.wasm";
import { field } from "perlane/sync";

await init(fetch(address));
const two: number =
  noise2D({ seed: 5n, octaves: 4 })(1, 2) +
  noise3D("seed=5")(1, 2, 3) +
  small({ seed: 5n, basis: "simplex" })(1, 2);
const size = [4, 4];

// New arrays have a buffer that can be transferred and made an ImageData.
const floats: Float32Array<ArrayBuffer> = field().fill({ size });
const words: Uint16Array<ArrayBuffer> = field().fill({ size: 4, dtype: "uint16" });
const bytes: Uint8Array<ArrayBuffer> = field().fill({ size, dtype: "uint8", low: -1, high: 1 });
const image = new ImageData(field().picture({ size, palette: "terrain", shade: true }).pixels, 4);
const slopes: Float32Array<ArrayBuffer>[] = field().pointsGradient([floats, floats]).gradient;

// The type of `out` is enough, and is the result's.
const fromWords: Uint16Array<ArrayBuffer> = field().fill({ size, out: words });
const clamped: Uint8ClampedArray = field().fill({ size, out: new Uint8ClampedArray(16), low: 0 });
const shared: Float32Array<SharedArrayBuffer> = field().fill({
  size,
  out: new Float32Array(new SharedArrayBuffer(64)),
});
const { values } = field().fillGradient({ size, out: floats, gradient: slopes });

const land: Expression = new Expression("mix(a, b, 0.3)", {
  a: { octaves: 4 },
  b: fetched("seed=2"),
});
const heights: Float32Array<ArrayBuffer> = land.fill({ size });
const [lowest]: [number, number] = land.range({ size });

const grid = { size, dtype: two > 0 ? "uint8" : "uint16" } as Uint8Grid | Uint16Grid;
const any: Float32Array | Uint16Array | Uint8Array | Uint8ClampedArray = field().fill(grid);
const dtype = two > 0 ? ("uint8" as const) : ("float32" as const);
const some: { length: number } = field().fill({ size, dtype });
// @ts-expect-error
field({ persistence: 0.5 });
// @ts-expect-error
new Expression("a", { a: { persistence: 0.5 } });
// @ts-expect-error
land.reseed(7);
// @ts-expect-error
small({ warp_amplitude: 1 });
// @ts-expect-error
field().fill({ size, dytpe: "uint8" });
// @ts-expect-error
field().fill({ size, dtype: "uint8", out: words });
// @ts-expect-error
field().picture({ size, palette: "mauve" });
console.log(
  heights,
  lowest,
  two,
  any,
  some,
  image,
  bytes,
  fromWords,
  clamped,
  shared,
  values,
  palette("land").colours,
);
