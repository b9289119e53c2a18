/* SPDX-License-Identifier: MIT
 *
 * Fuzzing of options by name: the input is a text for perlane_params_parse, and where it has an
 * equals sign, the name and value of one option. What is refused must leave params unchanged; what
 * is accepted must print to a text that reads back to the same values. Numbers are compared with
 * those of strtod.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/decimal.h"
#include "perlane_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds, const char *what, const char *text) {
  if (holds)
    return;
  fprintf(stderr, "tests/fuzz/options: %s: \"%s\"\n", what, text);
  abort();
}

/* A copy in memory of exactly its size, so that a read after it is found; up to the first NUL. */
static char *text_of(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text)
    abort();
  if (size > 0)
    memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

static int is_same(const perlane_params *a, const perlane_params *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

/* Prints params, which differ from the default in options only, and reads the text back. */
static void check_text(const perlane_params *params) {
  const size_t length = perlane_params_print(params, NULL, 0);
  char *text = malloc(length + 1);
  if (!text)
    abort();
  expect(perlane_params_print(params, text, length + 1) == length, "lengths differ", text);
  expect(strlen(text) == length, "the length is wrong", text);
  perlane_params read = perlane_params_default();
  expect(perlane_params_parse(&read, text, NULL) == PERLANE_OK, "a printed text is refused", text);
  expect(is_same(&read, params), "a printed text is read as other values", text);
  for (int32_t i = 0; i < perlane_option_count(); i++) {
    const perlane_option *option = perlane_option_at(i);
    char value[64];
    expect(perlane_params_get(params, option->name, value, sizeof value) < sizeof value,
           "a long value", option->name);
    expect(perlane_params_set(&read, option->name, value) == PERLANE_OK,
           "a printed value is refused", value);
  }
  expect(is_same(&read, params), "printed values are read as others", text);
  free(text);
}

static void check_parse(const char *text) {
  const perlane_params before = perlane_params_default();
  perlane_params params = before;
  size_t where = SIZE_MAX;
  const perlane_status status = perlane_params_parse(&params, text, &where);
  char message[PERLANE_MESSAGE_BYTES];
  static perlane_noise noise;
  const size_t length = perlane_explain_text(NULL, text, message, sizeof message);
  expect((length > 0) == (perlane_init_text(&noise, text) != PERLANE_OK),
         "the sentence disagrees with the status", text);
  expect(length > 0 || status == PERLANE_OK, "an error has no sentence", text);
  expect(length < sizeof message && strlen(message) == length, "a sentence is too long", text);
  if (status == PERLANE_OK) {
    expect(where == SIZE_MAX, "an accepted text has the place of an error", text);
    check_text(&params);
  } else {
    expect(is_same(&params, &before), "a refused text has changed params", text);
    expect(where < strlen(text), "the place of an error is outside of the text", text);
  }
}

static void check_set(char *text) {
  char *equals = strchr(text, '=');
  if (!equals)
    return;
  *equals = '\0';
  const char *value = equals + 1;
  const perlane_params before = perlane_params_default();
  perlane_params params = before;
  const perlane_status status = perlane_params_set(&params, text, value);
  char message[PERLANE_MESSAGE_BYTES];
  const size_t length = perlane_explain_text(text, value, message, sizeof message);
  /* Texts of expressions are no values of options; names of fields may follow the word. */
  const int is_expression = strcmp(text, "expression") == 0 || strcmp(text, "notes") == 0 ||
                            strncmp(text, "expression ", strlen("expression ")) == 0;
  expect(is_expression || (length > 0) == (status != PERLANE_OK),
         "the sentence disagrees with the status", value);
  expect(length < sizeof message, "a sentence is too long", value);
  const perlane_option *option = perlane_option_find(text);
  expect(status == PERLANE_OK || is_same(&params, &before), "a refused value was set", value);
  expect((status == PERLANE_ERROR_OPTION) == (option == NULL), "a name is found and unknown", text);
  if (status == PERLANE_OK)
    check_text(&params);
  else if (option)
    expect(status == PERLANE_ERROR_PARAMETER, "a value is refused with another status", text);
  double number;
  if (perlane_decimal_parse(value, strlen(value), &number)) {
    char *end;
    const double expected = strtod(value, &end);
    expect(*end == '\0' && memcmp(&number, &expected, sizeof number) == 0, "not strtod's number",
           value);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = text_of(data, size);
  check_parse(text);
  check_set(text);
  free(text);
  return 0;
}
