// SPDX-License-Identifier: MIT
//
// Runs a test that was compiled for WASI: run.mjs MODULE FOLDER. It may read the folder, which has the
// vectors.

import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [file, folder] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [file],
  env: process.env,
  preopens: { [folder]: folder },
  returnOnExit: true,
});
const module = await WebAssembly.compile(readFileSync(file));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
