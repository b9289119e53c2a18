/* SPDX-License-Identifier: MIT
 *
 * What the tests share: the kernel tables to try, reproducible random cases, and comparison of
 * bits.
 */
#ifndef PERLANE_TESTS_SUPPORT_H
#define PERLANE_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../src/kernels.h"

/* The lane kernels that run here: this CPU's own, and the foreign ones through SIMDe. */
enum { MOST_KERNELS = 8 };
struct kernel_list {
  size_t count;
  const struct perlane_kernels *table[MOST_KERNELS];
};
struct kernel_list lane_kernels(void);

/* Random numbers (SplitMix64). The run's seed is printed by random_start, which takes it from the
 * environment variable PERLANE_TEST_SEED or else from the clock. */
struct random {
  uint64_t state;
};
struct random random_start(const char *what);
uint64_t random_word(struct random *random);
uint64_t random_below(struct random *random, uint64_t n); /* 0 .. n - 1 */
double random_unit(struct random *random);                /* [0, 1) */
double random_between(struct random *random, double low, double high);

/* n, or less where the environment variable PERLANE_TEST_PERCENT asks for less (emulators). */
size_t effort(size_t n);

/* Fields of every kind: any seed, 1 to 8 octaves, frequencies that are powers of two and not. */
perlane_params random_params(struct random *random);
void print_params(const perlane_params *params);
perlane_noise noise_of(const perlane_params *params);

uint32_t bits_of(float v);

/* Memory with a known pattern before, between and behind the samples. */
void fill_pattern(void *memory, size_t bytes);

#endif
