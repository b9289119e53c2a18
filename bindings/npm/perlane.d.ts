// SPDX-License-Identifier: MIT

import type { Perlane, Source } from "./core.js";

export * from "./core.js";

/**
 * Loads the module, from perlane.wasm beside this file unless a source is given. The other exports
 * can be used when the promise has settled; a second call returns the same promise.
 */
export declare function init(source?: Source | PromiseLike<Source>): Promise<void>;

export declare const field: Perlane["field"];
export declare const Expression: Perlane["Expression"];
export type Expression = InstanceType<Perlane["Expression"]>;
export declare const noise2D: Perlane["noise2D"];
export declare const noise3D: Perlane["noise3D"];
export declare const options: Perlane["options"];
export declare const presets: Perlane["presets"];
export declare const looks: Perlane["looks"];
export declare const palettes: Perlane["palettes"];
export declare const palette: Perlane["palette"];
export declare const version: Perlane["version"];
export declare const selftest: Perlane["selftest"];
export declare const gpuSelftests: Perlane["gpuSelftests"];
