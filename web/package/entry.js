// SPDX-License-Identifier: MIT
//
// The exports of perlane.js and node.js, which differ in where the module comes from. They are
// bindings that init() sets: an import that waits for itself would stop bundlers and require().

import { instantiate, PerlaneError } from "./core.js";

function early() {
  throw new PerlaneError("perlane is not ready: first await init()");
}
export let [field, noise2D, noise3D, palette, selftest, gpuSelftests] = new Array(6).fill(early);
export let [options, presets, looks, palettes, version] = [];

let ready;

/** Returns init() for a module that load() fetches or reads; not an export of the package. */
export default (load) => (source) =>
  (ready ??= instantiate(source ?? load()).then(
    (perlane) => {
      ({ field, noise2D, noise3D, palette, selftest, gpuSelftests } = perlane);
      ({ options, presets, looks, palettes, version } = perlane);
    },
    (error) => {
      ready = undefined; // the next call tries again
      throw error;
    },
  ));
