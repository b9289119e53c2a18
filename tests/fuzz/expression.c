/* SPDX-License-Identifier: MIT
 *
 * Fuzzing of expressions: the input is a text for perlane_expression_init_text, and for
 * perlane_expression_init with three names. A text is accepted exactly if it is explained by
 * nothing; one that is refused leaves the expression unchanged, and one that is accepted has the
 * same value at a position in a list, in a grid, within its range, by the reference, and as its own
 * text reads back, which has the same text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perlane_expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds, const char *what, const char *text) {
  if (holds)
    return;
  fprintf(stderr, "tests/fuzz/expression: %s: \"%s\"\n", what, text);
  abort();
}

static int is_same(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

/* Evaluates an expression in a row of samples in two ways, by two kinds of kernels. */
static void evaluate(const perlane_noise *expression, const char *text) {
  enum { N = 5 };
  perlane_grid grid = perlane_grid_make(N, 1, 0, 0);
  grid.first[0] = -2;
  grid.step[0] = 7.3;
  float out[2][N], low, high;
  if (perlane_grid_check(expression, &grid) != PERLANE_OK)
    return;
  const perlane_status status = perlane_range_in(expression, &grid, &low, &high);
  expect(status == PERLANE_OK, "no range", text);
  for (int i = 0; i < 2; i++) {
    perlane_force_isa(i == 0 ? PERLANE_ISA_SCALAR : PERLANE_ISA_AUTO);
    expect(perlane_fill(expression, &grid, out[i]) == PERLANE_OK, "no fill", text);
  }
  for (int x = 0; x < N; x++) {
    const double position[] = {(double)(x - 2) * 7.3, 0};
    float gradient[2];
    expect(is_same(out[0][x], out[1][x]), "kernels differ", text);
    expect(is_same(out[0][x], perlane_at(expression, 2, position)), "a single value differs", text);
    expect(out[0][x] != out[0][x] || (out[0][x] >= low && out[0][x] <= high), "out of range", text);
    perlane_at_gradient(expression, 2, position, gradient);
  }
}

/* Reads the text of an expression back. */
static void read_back(const perlane_noise *expression, const char *text) {
  static perlane_noise again, made[PERLANE_MAX_EXPRESSION_FIELDS];
  static char own[2][1 << 16];
  const double position[] = {3.1, -77};
  if (perlane_expression_text(expression, own[0], sizeof own[0]) >= sizeof own[0])
    return;
  expect(perlane_expression_init_text(&again, own[0], PERLANE_MAX_EXPRESSION_FIELDS, made, NULL) ==
             PERLANE_OK,
         "its text is refused", own[0]);
  perlane_expression_text(&again, own[1], sizeof own[1]);
  expect(strcmp(own[0], own[1]) == 0, "its text has another text", own[0]);
  expect(is_same(perlane_at(expression, 2, position), perlane_at(&again, 2, position)),
         "its text has another value", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const NAMES[] = {"a", "b", "c"};
  static perlane_noise made[4], given[3];
  static const perlane_noise *const FIELDS[] = {&given[0], &given[1], &given[2]};
  if (!given[0].ready) {
    perlane_init_text(&given[0], "");
    perlane_init_text(&given[1], "basis=value");
    perlane_init_text(&given[2], "basis=cellular frequency=0.1");
  }
  char *text = malloc(size + 1), message[PERLANE_MESSAGE_BYTES];
  if (!text)
    abort();
  memcpy(text, data, size);
  text[size] = '\0';
  for (int defines = 0; defines < 2; defines++) {
    static perlane_noise expression, before;
    memset(&before, 7, sizeof before);
    expression = before;
    const perlane_status status =
        defines ? perlane_expression_init_text(&expression, text, 4, made, NULL)
                : perlane_expression_init(&expression, text, 3, NAMES, FIELDS);
    const char *const option = defines ? "expression" : "expression a b c";
    const size_t length = perlane_explain_text(option, text, message, sizeof message);
    expect(length < sizeof message, "a long sentence", text);
    if (status == PERLANE_OK) {
      evaluate(&expression, text);
      read_back(&expression, text);
    } else
      expect(memcmp(&expression, &before, sizeof before) == 0, "an error wrote", text);
    if (status != PERLANE_ERROR_COUNT) /* which depends on the room */
      expect((length == 0) == (status == PERLANE_OK), "the sentence does not fit", text);
  }
  free(text);
  return 0;
}
