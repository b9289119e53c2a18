/* SPDX-License-Identifier: MIT
 *
 * Registers the cases: what there is to measure, and what nothing can be faster than.
 */
#ifndef PERLANE_BENCH_CASES_H
#define PERLANE_BENCH_CASES_H

void bench_register_noise(void);    /* every job with every instruction set that runs here */
void bench_register_ceilings(void); /* memory, the core's clock, and setting up */
void bench_register_caller(void);   /* calls from another floating-point environment */

#endif
