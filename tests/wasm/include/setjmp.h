/* SPDX-License-Identifier: MIT
 *
 * WebAssembly has no setjmp; tests/plain/cmocka.h does without. */
