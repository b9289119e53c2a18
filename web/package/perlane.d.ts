// SPDX-License-Identifier: MIT

import type { Perlane } from "./core.js";

export * from "./core.js";

/** Makes a field from options, as a text or an object; the default field without any. */
export declare const field: Perlane["field"];
/** The library's description of every option. */
export declare const options: Perlane["options"];
/** Names of presets: the fields of other noise libraries. */
export declare const presets: Perlane["presets"];
/** Names of looks: fields by what they show. */
export declare const looks: Perlane["looks"];
/** The library's version. */
export declare const version: Perlane["version"];
/** Names of the kernels in this module: "scalar", "simd128". The choice affects speed, never results. */
export declare const isas: Perlane["isas"];
/** Returns the name of the kernels in use. */
export declare const currentIsa: Perlane["currentIsa"];
/** Sets the kernels for all later calls; "auto" for the best ones. */
export declare const forceIsa: Perlane["forceIsa"];
/** Computes a digest of many fields' bits, and whether it is the one that every build has. */
export declare const selftest: Perlane["selftest"];
