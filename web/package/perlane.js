// SPDX-License-Identifier: MIT
//
// perlane in browsers and in their workers: init() fetches perlane.wasm, which is next to this file.

import initFrom from "./entry.js";

export { instantiate, instantiateSync, PerlaneError } from "./core.js";
export * from "./entry.js";

/** Loads the module; everything else can be used when the promise that it returns has settled. */
export const init = initFrom(() => fetch(new URL("perlane.wasm", import.meta.url)));
