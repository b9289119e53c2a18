// What TypeScript has to accept; each line after an "error" it has to refuse.
import { init, noise2D, noise3D, type Uint16Grid, type Uint8Grid } from "perlane";
import { field } from "perlane/sync";

await init();
const two: number = noise2D({ seed: 5n, octaves: 4 })(1, 2) + noise3D("seed=5")(1, 2, 3);
const floats: Float32Array = field().fill({ size: [4, 4] });
const words: Uint16Array = field().fill({ size: 4, dtype: "uint16" });
const grid = { size: [4, 4], dtype: two > 0 ? "uint8" : "uint16" } as Uint8Grid | Uint16Grid;
const any: Float32Array | Uint16Array | Uint8Array | Uint8ClampedArray = field().fill(grid);
const dtype = two > 0 ? ("uint8" as const) : ("float32" as const);
const some: { length: number } = field().fill({ size: [4, 4], dtype });
// @ts-expect-error
field({ persistence: 0.5 });
// @ts-expect-error
field().fill({ size: [4, 4], dytpe: "uint8" });
console.log(two, floats, words, any, some);
