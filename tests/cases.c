/* SPDX-License-Identifier: MIT
 *
 * The cases of cases.txt, which describes them, in C, with every set of kernels that runs here.
 * What is refused is refused by every function that could take it, which then writes nothing.
 */
#include "calls.h"

#include <inttypes.h>
#include <math.h>

#include "perlane_expression.h"

enum { SAMPLES = 1024, MAX_RESULT = 4000, MAX_WORDS = 32, NOWHERE = 12345 };

static perlane_noise noise, parts[PERLANE_MAX_EXPRESSION_FIELDS];
static struct outputs {
  float value[SAMPLES], gradient[PERLANE_MAX_DIMS][SAMPLES], extremes[2];
  uint16_t word[SAMPLES];
  uint8_t byte[SAMPLES];
} out, blank;
static float *const slopes[] = {out.gradient[0], out.gradient[1], out.gradient[2], out.gradient[3]};

/* What a call came to, as cases.txt has it. */
static char result[MAX_RESULT];

static void add_bits(float v) {
  const size_t length = strlen(result);
  snprintf(result + length, sizeof result - length, "%s%08" PRIx32, length ? " " : "", bits_of(v));
}

/* The bytes' FNV-1a hash, after that of those before. */
static void add_hash(uint32_t *hash, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * 16777619;
}

static void refuse(perlane_status status, size_t where, const char *sentence) {
#define NAMED(name) [PERLANE_ERROR_##name] = #name
  static const char *const NAMES[PERLANE_STATUS_COUNT] = {
      NAMED(PARAMETER),  NAMED(OPTION), NAMED(PRESET), NAMED(SYNTAX),   NAMED(DIMS),
      NAMED(FIELD_DIMS), NAMED(COUNT),  NAMED(STEP),   NAMED(STRIDE),   NAMED(RANGE),
      NAMED(LEVELS),     NAMED(STEEP),  NAMED(COORDS), NAMED(NO_CELLS), NAMED(NO_GRADIENT),
      NAMED(EXPRESSION), NAMED(OCTAVES)};
  char place[30] = "";
  if (where != NOWHERE)
    snprintf(place, sizeof place, "@%zu", where);
  snprintf(result, sizeof result, "! %s%s: %s", NAMES[status] ? NAMES[status] : "?", place,
           sentence);
}

/* ---- Texts ---- */

/* Returns 1 if the options can be read, by perlane_params_set, too, if it is one. */
static int is_read(const char *text, perlane_params *params, size_t *where) {
  memset(params, 0x55, sizeof *params); /* what is refused leaves it so */
  perlane_params before = *params, read = perlane_params_default();
  const perlane_status status = perlane_params_parse(&read, text, where);
  assert_int_equal(perlane_params_parse(params, text, NULL), status);
  if (status != PERLANE_OK)
    assert_memory_equal(params, &before, sizeof before);
  const char *const equals = strchr(text, '=');
  if (equals && equals > text && !strpbrk(text, " \t\r\n") && strncmp(text, "preset", 6) != 0) {
    char name[100] = "";
    perlane_params set = before;
    memcpy(name, text, (size_t)(equals - text));
    assert_int_equal(perlane_params_set(&set, name, equals + 1), status);
    assert_memory_equal(&set, params, sizeof set);
  }
  *params = read;
  return status == PERLANE_OK;
}

/* Makes the noise of a text of options or, after a colon, of an expression. Returns 0 if it is
 * refused. */
static int make(const char *text) {
  const int is_expression = text[0] == ':';
  perlane_params params;
  char sentence[PERLANE_MESSAGE_BYTES];
  size_t where = NOWHERE;
  static perlane_noise before;
  fill_pattern(&before, sizeof before);
  noise = before;
  if (is_expression)
    text += 2;
  const perlane_status status =
      is_expression
          ? perlane_expression_init_text(&noise, text, PERLANE_MAX_EXPRESSION_FIELDS, parts, NULL)
          : perlane_init_text(&noise, text);
  const size_t length =
      perlane_explain_text(is_expression ? "expression" : NULL, text, sentence, sizeof sentence);
  assert_int_equal(length, strlen(sentence));
  assert_int_equal(length == 0, status == PERLANE_OK);
  const int has_params = !is_expression && is_read(text, &params, &where);
  if (status == PERLANE_OK) {
    memset(&before, 0, sizeof before);
    assert_true(is_expression || (has_params && perlane_init(&before, &params) == PERLANE_OK));
    assert_true(is_expression || memcmp(&before.params, &noise.params, sizeof params) == 0);
    return 1;
  }
  if (has_params) { /* which do not go together */
    char other[PERLANE_MESSAGE_BYTES];
    perlane_explain_params(&params, other, sizeof other);
    assert_string_equal(other, sentence);
    assert_int_equal(perlane_init(&noise, &params), status);
  }
  assert_memory_equal(&noise, &before, sizeof noise);
  refuse(status, where, sentence);
  return 0;
}

/* The noise's text, which reads back to the same noise. */
static void print_text(void) {
  static perlane_noise again, again_parts[PERLANE_MAX_EXPRESSION_FIELDS];
  if (noise.is_expression || parts->ready) {
    perlane_expression_text(&noise, result, sizeof result);
    assert_ok(perlane_expression_init_text(&again, result, PERLANE_MAX_EXPRESSION_FIELDS,
                                           again_parts, NULL));
    char text[MAX_RESULT];
    perlane_expression_text(&again, text, sizeof text);
    assert_string_equal(text, result);
  } else {
    perlane_params_print(&noise.params, result, sizeof result);
    assert_ok(perlane_init_text(&again, result));
    assert_memory_equal(&again.params, &noise.params, sizeof noise.params);
  }
  for (int i = 0; i < 50; i++) {
    const double at[] = {i * 7.25 - 90, i * -3.5};
    assert_int_equal(bits_of(perlane_at(&noise, 2, at)), bits_of(perlane_at(&again, 2, at)));
  }
}

/* ---- Grids ---- */

/* Reads numbers with commas, or x, between them. Returns how many. */
static int read_axes(const char *text, int64_t *whole, double *real) {
  int count = 0;
  for (char *end; count < PERLANE_MAX_DIMS && *text != '\0'; count++, text = *end ? end + 1 : end)
    if (real)
      real[count] = strtod(text, &end);
    else
      whole[count] = text[0] == '-' ? strtoll(text, &end, 10) : (int64_t)strtoull(text, &end, 10);
  return count;
}

static perlane_grid read_grid(char *word[], double levels[2]) {
  perlane_grid grid = perlane_grid_make(1, 1, 1, 1);
  int64_t count[PERLANE_MAX_DIMS], octaves = 0, dims = read_axes(word[0], count, NULL);
  const struct {
    const char *name;
    int64_t *whole;
    double *real;
  } members[] = {{"first", grid.first, NULL}, {"origin", NULL, grid.origin},
                 {"step", NULL, grid.step},   {"stride", grid.stride, NULL},
                 {"low", NULL, &levels[0]},   {"high", NULL, &levels[1]},
                 {"dims", &dims, NULL},       {"octaves", &octaves, NULL}};
  for (int i = 1; word[i]; i++) {
    const size_t length = strcspn(word[i], "=");
    size_t m = 0;
    while (strncmp(members[m].name, word[i], length) != 0)
      assert_true(++m < COUNT_OF(members));
    if (strcmp(word[i], "octaves=shown") == 0)
      octaves = PERLANE_OCTAVES_SHOWN;
    else
      read_axes(word[i] + length + 1, members[m].whole, members[m].real);
  }
  memcpy(grid.count, count, sizeof grid.count);
  grid.dims = (int32_t)dims;
  grid.octaves = (int32_t)octaves;
  return grid;
}

static perlane_status fill(char form, const perlane_grid *grid, const float levels[2]) {
  switch (form) {
  case '1':
    return perlane_fill_u16(&noise, grid, levels[0], levels[1], out.word);
  case '8':
    return perlane_fill_u8(&noise, grid, levels[0], levels[1], out.byte);
  case 'g':
    return perlane_fill_gradient(&noise, grid, out.value, slopes);
  default:
    return perlane_fill(&noise, grid, out.value);
  }
}

static void fill_case(char form, char *word[]) {
  double ends[2] = {-1, 1};
  char sentence[PERLANE_MESSAGE_BYTES];
  const perlane_grid grid = read_grid(word, ends);
  const float levels[2] = {(float)ends[0], (float)ends[1]};
  if (perlane_grid_check(&noise, &grid) != PERLANE_OK) {
    const perlane_status status = refused_grid(&noise, &grid, sentence);
    refuse(status, NOWHERE, sentence);
    return;
  }
  assert_int_equal(perlane_explain_grid(&noise, &grid, sentence, sizeof sentence), 0);
  const perlane_status status = fill(form, &grid, levels);
  if (status != PERLANE_OK) {
    assert_memory_equal(&out, &blank, sizeof out);
    refuse(status, NOWHERE, perlane_status_string(status));
    return;
  }
  size_t n = 1;
  uint32_t hash = 2166136261;
  for (int a = 0; a < grid.dims; a++)
    n *= (size_t)grid.count[a];
  assert_true(n <= SAMPLES);
  if (form == '1' || form == '8')
    add_hash(&hash, form == '8' ? (const void *)out.byte : out.word, form == '8' ? n : 2 * n);
  else
    add_hash(&hash, out.value, 4 * n);
  for (int a = 0; a < grid.dims && form == 'g'; a++)
    add_hash(&hash, out.gradient[a], 4 * n);
  snprintf(result, sizeof result, "%08" PRIx32, hash);
}

/* ---- Points and ranges ---- */

static void points_case(int with_gradient, char *word[]) {
  double coords[PERLANE_MAX_DIMS][MAX_WORDS], place[MAX_WORDS][PERLANE_MAX_DIMS];
  perlane_list list = {.coords64 = {coords[0], coords[1], coords[2], coords[3]}};
  for (; word[list.count]; list.count++) {
    list.dims = read_axes(word[list.count], NULL, place[list.count]);
    for (int a = 0; a < list.dims; a++)
      coords[a][list.count] = place[list.count][a];
  }
  const perlane_status status =
      perlane_points(&noise, &list, out.value, with_gradient ? slopes : NULL);
  if (status != PERLANE_OK) {
    assert_memory_equal(&out, &blank, sizeof out);
    refuse(status, NOWHERE, perlane_status_string(status));
  }
  for (size_t i = 0; i < list.count; i++) {
    float gradient[PERLANE_MAX_DIMS];
    const float value = with_gradient ? perlane_at_gradient(&noise, list.dims, place[i], gradient)
                                      : perlane_at(&noise, list.dims, place[i]);
    assert_int_equal(bits_of(value), status == PERLANE_OK ? bits_of(out.value[i]) : 0x7FC00000);
    if (status != PERLANE_OK)
      continue;
    add_bits(value);
    for (int a = 0; a < list.dims && with_gradient; a++) {
      assert_int_equal(bits_of(gradient[a]), bits_of(out.gradient[a][i]));
      add_bits(gradient[a]);
    }
  }
}

static void range_case(char *word[]) {
  double none[2];
  const perlane_grid grid = read_grid(word, none);
  const int of_grid = strchr(word[0], 'x') || word[1];
  const perlane_status status =
      of_grid ? perlane_range_in(&noise, &grid, &out.extremes[0], &out.extremes[1])
              : perlane_range(&noise, (int32_t)grid.count[0], &out.extremes[0], &out.extremes[1]);
  if (status != PERLANE_OK) {
    assert_memory_equal(&out, &blank, sizeof out);
    refuse(status, NOWHERE, perlane_status_string(status));
    return;
  }
  add_bits(out.extremes[0]);
  add_bits(out.extremes[1]);
}

/* ---- The file ---- */

/* Replaces \n, \t and \xHH. */
static void unescape(char *text) {
  char *to = text;
  for (; *text != '\0'; text++)
    if (*text != '\\')
      *to++ = *text;
    else if (*++text != 'x')
      *to++ = *text == 'n' ? '\n' : '\t';
    else {
      const char digits[] = {text[1], text[2], '\0'};
      *to++ = (char)strtoul(digits, NULL, 16);
      text += 2;
    }
  *to = '\0';
}

/* Cuts a text at a separator, and returns how many parts there are. */
static int cut(char *text, const char *separator, char *part[], int max) {
  int count = 0;
  for (char *next = text; next && count < max - 1; text = next) {
    next = strstr(text, separator);
    part[count++] = text;
    if (next) {
      *next = '\0';
      next += strlen(separator);
    }
  }
  part[count] = NULL;
  return count;
}

/* What a case expects may end with "...", which stands for any text. */
static int is_expected(const char *expected) {
  const size_t length = strlen(expected);
  return length > 3 && strcmp(expected + length - 3, "...") == 0 && expected[0] == '!'
             ? strncmp(result, expected, length - 3) == 0
             : strcmp(result, expected) == 0;
}

/* Calls it by each set of kernels, which all come to the same. */
static void call_with_kernels(const char *call, char *word[]) {
  char first[MAX_RESULT] = "";
  for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO; isa = next_isa(isa)) {
    force(isa);
    out = blank;
    result[0] = '\0';
    if (call[0] == 'r')
      range_case(word);
    else if (call[0] == 'p' || call[0] == 's')
      points_case(call[0] == 's', word);
    else
      fill_case(call[0] == 'f' && call[4] ? call[4] : call[0], word);
    if (first[0] == '\0')
      strcpy(first, result);
    assert_string_equal(result, first);
  }
}

static void run(char *call, char *column[], int columns) {
  char *word[MAX_WORDS + 1] = {NULL};
  char *const text = strcmp(column[0], "\"\"") == 0 ? column[0] + 2 : column[0];
  result[0] = '\0';
  fill_pattern(&blank, sizeof blank);
  memset(parts, 0, sizeof parts);
  unescape(text);
  if (columns > 2)
    cut(column[1], " ", word, MAX_WORDS);
  if (strcmp(call, "notes") == 0)
    perlane_explain_text("notes", text, result, sizeof result);
  else if (make(text) && call[0] == 't')
    print_text();
  else if (result[0] == '\0')
    call_with_kernels(call, word);
  if (result[0] == '\0')
    strcpy(result, "\"\"");
}

static int line_number; /* of the line; 0 after the last */

static void say_where(void) {
  if (line_number > 0)
    print_message("cases.txt:%d fails an assertion\n", line_number);
}

static void cases(void **state) {
  (void)state;
  int ran = 0, others = 0, wrong = 0;
  atexit(say_where);
  char *const file = read_file(CASES_FILE);
  for (char *line = file, *next; *line; line = next) {
    char *column[5], *const end = strchr(line, '\n');
    *end = '\0';
    next = end + 1;
    line_number++;
    if (line[0] == '#' || line[0] == '\0')
      continue;
    set_context("cases.txt:%d", line_number);
    const int columns = cut(line, " | ", column, 5) - 1;
    assert_in_range(columns, 2, 3);
    if (column[0][0] != 'c') {
      assert_int_equal(column[0][0], '-');
      others++;
      continue;
    }
    ran++;
    run(column[0] + 5, column + 1, columns);
    if (!is_expected(column[columns])) {
      wrong++;
      print_message("cases.txt:%d: %s\n  expected %s\n", line_number, result, column[columns]);
    }
  }
  line_number = 0;
  free(file);
  print_message("%d cases, and %d that are not for C\n", ran, others);
  assert_int_equal(wrong, 0);
  assert_true(ran > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases)};
  return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}
