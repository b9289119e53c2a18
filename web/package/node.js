// SPDX-License-Identifier: MIT
//
// perlane in node and in its workers: reads perlane.wasm, which is next to this file.

import { readFile } from "node:fs/promises";

import { instantiate, PerlaneError } from "./core.js";

export const { field, options, presets, looks, version, isas, currentIsa, forceIsa, selftest } =
  await instantiate(readFile(new URL("perlane.wasm", import.meta.url)));
export { instantiate, PerlaneError };
