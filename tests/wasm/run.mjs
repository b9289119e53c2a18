// SPDX-License-Identifier: MIT
//
// Runs a program that was compiled for WASI: run.mjs MODULE ARGUMENT... It may use every file; it has no
// current folder, so arguments that are files become absolute paths.

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { WASI } from "node:wasi";

const [file, ...rest] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [file, ...rest.map((each) => (existsSync(each) ? resolve(each) : each))],
  env: process.env,
  preopens: { "/": "/" },
  returnOnExit: true,
});
const module = await WebAssembly.compile(readFileSync(file));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
