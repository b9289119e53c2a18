/* SPDX-License-Identifier: MIT
 *
 * Shared by the tests: the kernels to test, reproducible random cases, comparison of bits.
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

#include "../src/dispatch.h"
#include "lists.h"
#include "perlane_picture.h"
#include "perlane_text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Fail, with the call and what it says, unless it returns PERLANE_OK, or PERLANE_ERROR_##name. */
#define assert_ok(call) assert_status(call, PERLANE_OK, #call, __FILE__, __LINE__)
#define assert_refused(name, call)                                                                 \
  assert_status(call, PERLANE_ERROR_##name, #call, __FILE__, __LINE__)
void assert_status(perlane_status status, perlane_status expected, const char *call,
                   const char *file, int line);

/* Returns the lane kernels that run here: this CPU's own, and those of other machines through
 * SIMDe. The environment variable PERLANE_TEST_NATIVE leaves the latter out, for valgrind, which
 * SIMDe's branches on single lanes mislead. */
enum { MAX_KERNELS = 8 };
struct kernel_list {
  size_t count;
  const struct perlane_kernels *table[MAX_KERNELS];
};
struct kernel_list lane_kernels(void);

/* Returns the reference, then the lane kernels. */
struct kernel_list all_kernels(void);

/* Random numbers (SplitMix64). random_start takes the seed from the environment variable
 * PERLANE_TEST_SEED, or else one that is the same on every run, and prints it. As long as `bytes`
 * are left, they are taken instead: a fuzzer's. */
struct random {
  uint64_t state;
  const uint8_t *bytes;
  size_t left;
};
struct random random_start(const char *what);
uint64_t random_word(struct random *random);
struct random random_seeded(uint64_t seed);
uint64_t random_below(struct random *random, uint64_t n); /* 0 .. n - 1 */
double random_unit(struct random *random);                /* [0, 1) */
double random_between(struct random *random, double low, double high);

/* Puts the first `dims` axes of an order of axes into a random one. */
void shuffle_axes(struct random *random, int *order, int dims);

/* Returns PERLANE_TEST_PERCENT percent of n, at least 1; n if that environment variable is not set.
 * Emulators run fewer cases, `make proof` more. */
size_t effort(size_t n);

/* Returns 1 for a case to try: all of them, or a random PERLANE_TEST_PERCENT + 5 of 100. */
int chosen(struct random *random);

/* Returns 1 if PERLANE_TEST_PERCENT is above 100: then cases that take minutes run, too. */
int long_run(void);

/* Sets the text that is printed if a signal kills the test. */
void set_context(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns a random field that exists in dims dimensions, with tables of give_tables. In a third of
 * them only the options of a plain sum of octaves differ from the default. */
perlane_params random_params(struct random *random, int dims);

/* Writes a random expression over the fields a, b and c, which exist in `dims` dimensions. */
enum { RANDOM_TEXT = 4096 };
void random_expression(struct random *random, int dims, char text[RANDOM_TEXT]);

/* Returns the field that a text describes, without tables. */
perlane_params parsed(const char *options);

/* Sets the tables that the hash and gradients of params need, made from its seed. They stay valid
 * until the next call. */
void give_tables(perlane_params *params, int dims);

/* Fails unless perlane_init refuses the params, with a sentence that contains the words, and leaves
 * the noise unchanged; or, if words is NULL, accepts them without a sentence. */
void init_says(const perlane_params *params, const char *words);

/* The same, with another status than PERLANE_ERROR_PARAMETER. */
void init_fails(const perlane_params *params, perlane_status expected, const char *words);

/* Resets a period or a contrast that the other options do not allow, a contrast that raises values
 * beyond a million, and what makes derivatives leave the range of float. */
void make_valid(perlane_params *params, int dims);

/* Overwrites a few members of a structure, or halves of them, with numbers of every kind, but not
 * the members at the offsets `pointers`, which end with SIZE_MAX. */
void damage(struct random *random, void *memory, const size_t *pointers, size_t bytes);

/* The offsets of pointers in perlane_params, and of what says how long their arrays are; those in
 * perlane_grid. */
extern const size_t PARAMS_POINTERS[], GRID_POINTERS[];

/* Changes the frequency of a field, and its warp in proportion. */
void set_frequency(perlane_params *params, double frequency);

/* Returns 1 if a field has derivatives. */
int has_gradient(const perlane_params *params);

/* Returns 1 if a coordinate is inside the domain, and every one that a warp may move it to. */
int in_domain(const perlane_noise *noise, double position);

/* Returns 1 if a coordinate is outside the domain, wherever a warp moves it to. */
int beyond_domain(const perlane_noise *noise, double position);

/* Returns the last double within the domain of a field without a warp. */
double domain_end(const perlane_noise *noise);

/* Prints params in their text form, and which tables they have. */
void print_params(const perlane_params *params);
perlane_noise noise_of(const perlane_params *params);
perlane_noise noise_from(const char *options);

/* Choose the kernels for the calls that follow: given ones, random ones that run here, or those but
 * the reference, which takes a hundred times as long. */
void force(perlane_isa isa);
void force_any(struct random *random);
void force_lanes(struct random *random);

/* Returns the next instruction set that runs here, from PERLANE_ISA_AUTO on; that after the last.
 */
perlane_isa next_isa(perlane_isa isa);

/* Returns the instruction set that is chosen unless another is forced. */
perlane_isa best_isa(void);

uint32_t bits_of(float v);
float float_of(uint32_t bits);

/* A CSV file: lines of cells, the first with the names of the columns, and comments after #. */
enum { MAX_COLUMNS = 16, MAX_ROWS = 2100 };
struct table {
  char *text;
  int columns, rows;
  const char *name[MAX_COLUMNS];
  const char *cell[MAX_ROWS][MAX_COLUMNS];
};
struct table *read_table(const char *path);
void free_table(struct table *table);
const char *text_of(const struct table *table, int row, const char *name);

/* Returns a decimal or hexadecimal number, or that of the bits of a float or double in columns
 * named
 * *_bits. */
double number(const struct table *table, int row, const char *name);

/* Returns the text of a file; to be freed. */
char *read_file(const char *path);

/* Fills memory with a known pattern, to find out what is written to around the samples. */
void fill_pattern(void *memory, size_t bytes);

#endif
