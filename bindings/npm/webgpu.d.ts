// SPDX-License-Identifier: MIT

import type { Field, Grid, Perlane } from "./core.js";

// As far as the program has the types of WebGPU.
type Global<Name extends string> = typeof globalThis extends {
  [name in Name]: { prototype: infer Type };
}
  ? Type
  : any;

/** Functions of WGSL, for shaders of your own that declare perlane_words: docs/gpu.md. */
export declare const functions: string;

/** A device that has computed the self-tests. */
export interface PerlaneGPU {
  /** Fills a grid in 2D or 3D, with the bits of field.fill. */
  fill(field: Field, grid: Grid): Promise<ReturnType<Float32ArrayConstructor["from"]>>;
  /** Returns the samples as floats in a buffer of the device, for STORAGE and COPY_SRC; destroy it. */
  fillBuffer(field: Field, grid: Grid): Global<"GPUBuffer">;
}

/** Prepares a WebGPU device, and rejects if it computes other samples. Give it the package itself. */
export declare function openWebGPU(
  device: Global<"GPUDevice">,
  perlane: Pick<Perlane, "gpuSelftests">,
): Promise<PerlaneGPU>;
