// SPDX-License-Identifier: MIT
//
// perlane in node and in its workers: init() reads perlane.wasm, which is next to this file.

import { readFile } from "node:fs/promises";

import initFrom from "./entry.js";

export { instantiate, instantiateSync, PerlaneError } from "./core.js";
export * from "./entry.js";

/** Loads the module; everything else can be used when the promise that it returns has settled. */
export const init = initFrom(() => readFile(new URL("perlane.wasm", import.meta.url)));
