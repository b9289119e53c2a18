// SPDX-License-Identifier: MIT
//
// perlane in browsers and in their workers: init() fetches perlane.wasm, which is next to this file.
// The exports are bindings that init() sets: an import that waits for itself would stop bundlers.

import { instantiate, PerlaneError } from "./core.js";

export { instantiate, instantiateSync, PerlaneError } from "./core.js";

function early() {
  throw new PerlaneError("perlane is not ready: first await init()");
}
const unset = new Proxy(early, { get: early, has: early, ownKeys: early }); // and calls
export let [field, Expression, noise2D, noise3D, palette, selftest, gpuSelftests] = new Array(
  7,
).fill(unset);
export let [options, presets, looks, palettes, version] = new Array(5).fill(unset);

const CURES = [
  'Bundlers that do not copy perlane.wasm: import "perlane/sync", which contains it',
  'Vite\'s dev server: set optimizeDeps: { exclude: ["perlane"] }',
  "elsewhere: init(source) takes the module, its bytes, or a response",
].join("; ");

async function load() {
  try {
    return await instantiate(fetch(new URL("perlane.wasm", import.meta.url)));
  } catch (cause) {
    if (cause instanceof PerlaneError) throw cause;
    const error = new PerlaneError(`perlane.wasm could not be loaded: ${cause.message}. ${CURES}.`);
    error.cause = cause;
    throw error;
  }
}

let ready;

/** Loads the module; everything else can be used when the promise that it returns has settled. */
export const init = (source) =>
  (ready ??= (source === undefined ? load() : instantiate(source)).then(
    (perlane) => {
      ({ field, Expression, noise2D, noise3D, palette, selftest, gpuSelftests } = perlane);
      ({ options, presets, looks, palettes, version } = perlane);
    },
    (error) => {
      ready = undefined; // the next call tries again
      throw error;
    },
  ));
