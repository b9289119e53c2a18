// SPDX-License-Identifier: MIT
//
// perlane, ready at once. Hosts such as workerd import the module; for all others, bindings/npm/build puts it
// into this file.

import { instantiateSync } from "./core.js";
import wasm from "./perlane.wasm";

export { instantiate, instantiateSync, PerlaneError } from "./core.js";
export const {
  field,
  Expression,
  noise2D,
  noise3D,
  palette,
  selftest,
  gpuSelftests,
  options,
  presets,
  looks,
  palettes,
  version,
} = instantiateSync(wasm);

/** Does nothing, so that a program can use either entry. */
export const init = async () => {};
