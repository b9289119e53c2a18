/* SPDX-License-Identifier: MIT
 *
 * Every public function, for tests of what they all have to keep to: the stack, the floating-point
 * environment. environment.c fails if one of tests/vectors/interface.txt is missing.
 */
#ifndef PERLANE_TESTS_FUNCTIONS_H
#define PERLANE_TESTS_FUNCTIONS_H

#include "calls.h"
#include "perlane_expression.h"
#include "perlane_gpu.h"

/* The evaluations, FIRST_WAY and up, are those of evaluate() in calls.h. */
enum function {
  NO_ARITHMETIC,
  PARAMS_DEFAULT,
  PRESET,
  LOOK,
  PARAMS_SET,
  PARAMS_GET,
  PARAMS_PRINT,
  PARAMS_PARSE,
  INIT,
  RESEED,
  EXPLAIN,
  INIT_TEXT,
  LIMIT_OCTAVES,
  RANGE,
  GRID_CHECK,
  GRID_CUT,
  AT,
  AT_GRADIENT,
  FILL_CELLS,
  POINTS_CELLS,
  SELFTEST,
  EXPRESSION,
  GPU,
  GPU_SELFTEST,
  PICTURE,
  FIRST_WAY,
  FILLS = 5, /* the first of the ways */
  WAYS = 10,
  FUNCTIONS = FIRST_WAY + WAYS
};
/* Returns the names of the public functions that a case calls, with commas between them. */
const char *function_name(int function);

enum { POSITIONS = 4, EXPLANATIONS = 9, FREE_STATUSES = 4, SCATTERED = 8 };
struct arguments {
  const char *preset, *text; /* to parse; NULL for that of params */
  perlane_params params;
  struct call call; /* without a form and outputs; the grid's dims are those of the lists, too */
  size_t points;
  const double *origin; /* of one of the lists */
  double position[POSITIONS][PERLANE_MAX_DIMS];
};

struct results {
  perlane_params standard, preset, look, set, parsed;
  perlane_grid piece;
  perlane_status status[FREE_STATUSES]; /* of calls that fields may refuse */
  char value[30], text[2048], explanation[EXPLANATIONS][PERLANE_MESSAGE_BYTES];
  perlane_noise noise, of_text; /* which INIT and INIT_TEXT make */
  float expression[5];          /* a value, bounds and extremes */
  float range[2], extremes[2], at[2][POSITIONS], slope[POSITIONS][PERLANE_MAX_DIMS];
  double scattered[PERLANE_MAX_DIMS][SCATTERED];
  uint64_t digest, scattered_count;
  float colour[3];
  uint8_t pixels[2][3 * 7 * 5];
  uint32_t gpu_digest, words[3][PERLANE_GPU_SELFTEST_WORDS];
};

/* Calls a function, with no arithmetic of its own. Returns PERLANE_OK, too, for a gradient that the
 * field does not have. The outputs of an evaluation are those of `to`. */
perlane_status call_function(int function, const struct arguments *in, struct results *out,
                             const struct call *to);

#endif
