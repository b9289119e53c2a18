/* SPDX-License-Identifier: MIT
 *
 * Assertions are for the tests of the library in C: the module, which imports nothing, has no way
 * to stop.
 */
#define assert(condition) ((void)0)
