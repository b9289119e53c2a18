// SPDX-License-Identifier: MIT
//
// perlane in browsers and in their workers: fetches perlane.wasm, which is next to this file.

import { instantiate, PerlaneError } from "./core.js";

export const { field, options, presets, looks, version, isas, currentIsa, forceIsa, selftest } =
  await instantiate(fetch(new URL("perlane.wasm", import.meta.url)));
export { instantiate, PerlaneError };
