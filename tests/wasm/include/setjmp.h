/* SPDX-License-Identifier: MIT
 *
 * WebAssembly has no setjmp; tests/wasm/include/cmocka.h does without. */
