/* SPDX-License-Identifier: MIT
 *
 * Registration of the benchmark's cases.
 */
#ifndef PERLANE_BENCH_CASES_H
#define PERLANE_BENCH_CASES_H

void bench_register_noise(void);    /* every job with every supported instruction set */
void bench_register_ceilings(void); /* memory, the core's clock, and perlane_init */
void bench_register_caller(void);   /* calls under other floating-point environments */

#endif
