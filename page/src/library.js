// SPDX-License-Identifier: MIT
//
// Loads the WebAssembly module once. Workers receive the compiled module by message.

import { instantiate } from "perlane";

// The smallest module with a SIMD instruction.
const SIMD = Uint8Array.from(atob("AGFzbQEAAAABBQFgAAF7AwIBAAoKAQgAQQD9D/1iCw=="), (byte) =>
  byte.charCodeAt(0),
);

/** Returns why this browser cannot run perlane, or nothing. */
export function missing() {
  if (typeof WebAssembly !== "object")
    return "This browser has WebAssembly switched off, which computes everything here. Switch it on, or use a current version of Firefox, Chrome, Edge or Safari.";
  if (!WebAssembly.validate(SIMD))
    return "This browser has no WebAssembly SIMD. Firefox since version 89, Chrome and Edge since 91, and Safari since 16.4 have it.";
  if (typeof Worker !== "function" || typeof createImageBitmap !== "function")
    return "This browser has no workers or image bitmaps. Use a current version of Firefox, Chrome, Edge or Safari.";
  return "";
}

export async function load() {
  const answer = await fetch(new URL("perlane.wasm", import.meta.url));
  if (!answer.ok)
    throw new Error(`perlane.wasm could not be loaded: ${answer.status} ${answer.statusText}`);
  // compileStreaming needs the right content type, which some static hosts do not send.
  const typed = (answer.headers.get("content-type") ?? "").startsWith("application/wasm");
  const module = typed
    ? await WebAssembly.compileStreaming(answer)
    : await WebAssembly.compile(await answer.arrayBuffer());
  return { module, perlane: await instantiate(module) };
}
