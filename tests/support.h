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

/* The lane kernels that run here: this CPU's own, and the foreign ones through SIMDe; not those if
 * the environment variable PERLANE_TEST_NATIVE is there (valgrind, which SIMDe's branches by lane
 * mislead). */
enum { MAX_KERNELS = 8 };
struct kernel_list {
  size_t count;
  const struct perlane_kernels *table[MAX_KERNELS];
};
struct kernel_list lane_kernels(void);

/* Random numbers (SplitMix64). random_start prints the seed, which is that of the environment
 * variable PERLANE_TEST_SEED, or the same on every run. */
struct random {
  uint64_t state;
};
struct random random_start(const char *what);
uint64_t random_word(struct random *random);
uint64_t random_below(struct random *random, uint64_t n); /* 0 .. n - 1 */
double random_unit(struct random *random);                /* [0, 1) */
double random_between(struct random *random, double low, double high);

/* n, or less or more where the environment variable PERLANE_TEST_PERCENT asks for it: emulators,
 * and long runs. */
size_t effort(size_t n);

/* Whether to try one of many cases: all of them, or a share with less effort. */
int chosen(struct random *random);

/* Whether PERLANE_TEST_PERCENT asks for more than all, and with that for what takes minutes. */
int long_run(void);

/* What the test is at: printed where it dies of a signal. */
void set_context(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether a gradient set exists in dims dimensions (TABLE: where its vectors have that many). */
int gradients_exist(perlane_gradients set, int dims);

/* Fields of every kind that exist in dims dimensions, a third of them with all but the options of a
 * plain sum of octaves at their default. Their tables are those of give_tables. */
perlane_params random_params(struct random *random, int dims);

/* Gives params the tables that its hash and gradients ask for, made from its seed. They last until
 * the next call. */
void give_tables(perlane_params *params, int dims);

/* Takes away a period or a contrast that the other options, changed since, do not allow; contrasts
 * that raise values beyond a million too. */
void make_valid(perlane_params *params, int dims);

void print_params(const perlane_params *params);
perlane_noise noise_of(const perlane_params *params);

/* A fill of floats and nothing else. */
void fill_values(const struct perlane_kernels *kernels, const perlane_noise *noise,
                 const perlane_grid *grid, float *out);

/* The choice of kernels for the calls that follow: a given one, or any that runs here. */
void force(perlane_isa isa);
void force_any(struct random *random);

uint32_t bits_of(float v);

/* Every table that runs here: the reference, then the lane kernels. */
struct kernel_list all_kernels(void);

/* Memory with a known pattern before, between and behind the samples. */
void fill_pattern(void *memory, size_t bytes);

#endif
