/* SPDX-License-Identifier: MIT
 *
 * Options by name: the records describe every member, texts round-trip bit for bit, and whatever is
 * refused leaves params unchanged.
 */
#include "support.h"

#include <locale.h>
#include <math.h>

#include "../src/decimal.h"

enum { MAX_TEXT = 2048, MAX_VALUE = 1024 };

/* The dimensions of an option: cellular noise does not exist in 4D, valleys do in 2D alone, and a
 * centre has a coordinate for each axis. */
static int dims_of(const char *name) {
  if (strcmp(name, "jitter") == 0 || strncmp(name, "cell_", 5) == 0)
    return 7;
  if (strncmp(name, "valley", 6) == 0)
    return 2;
  return strcmp(name, "falloff_y") == 0   ? 14
         : strcmp(name, "falloff_z") == 0 ? 12
         : strcmp(name, "falloff_w") == 0 ? 8
                                          : 15;
}

/* ---- Members ---- */

/* The members of perlane_params that are no options. */
struct member {
  const char *name;
  size_t offset, size;
};
#define MEMBER(name)                                                                               \
  { #name, offsetof(perlane_params, name), sizeof(((perlane_params *)NULL)->name) }

static const struct member OTHERS[] = {
    MEMBER(reserved0),           MEMBER(gradient_dims), MEMBER(gradient_count),
    MEMBER(gradient_grid_count), MEMBER(hash_table),    MEMBER(gradient_table),
    MEMBER(gradient_grid),       MEMBER(reserved2),     MEMBER(reserved),
};
enum { OTHER_COUNT = COUNT_OF(OTHERS) };

static void *at(perlane_params *params, const perlane_option *option) {
  return (char *)params + option->offset;
}

static int is_same(const perlane_params *a, const perlane_params *b, const perlane_option *option) {
  return memcmp((const char *)a + option->offset, (const char *)b + option->offset,
                (size_t)option->size) == 0;
}

static void assert_same(const perlane_params *a, const perlane_params *b, const char *text) {
  for (int i = 0; i < perlane_option_count(); i++)
    if (!is_same(a, b, perlane_option_at(i)))
      fail_msg("%s differs after \"%s\"", perlane_option_at(i)->name, text);
  for (int i = 0; i < OTHER_COUNT; i++)
    if (memcmp((const char *)a + OTHERS[i].offset, (const char *)b + OTHERS[i].offset,
               OTHERS[i].size) != 0)
      fail_msg("%s differs after \"%s\"", OTHERS[i].name, text);
}

/* Params whose tables and reserved members are unusual, so that losing them shows. */
static perlane_params marked_params(void) {
  perlane_params params = perlane_params_default();
  for (int i = 0; i < OTHER_COUNT; i++)
    memset((char *)&params + OTHERS[i].offset, 0x11 + i, OTHERS[i].size);
  return params;
}

/* ---- Random values ---- */

/* A number of any kind. */
static double random_real(struct random *random) {
  const size_t none = SIZE_MAX;
  double value;
  do {
    value = random_below(random, 2) ? random_unit(random)
                                    : (double)(int64_t)random_below(random, 200000) / 1000 - 50;
    if (random_below(random, 2))
      damage(random, &value, &none, sizeof value);
  } while (!isfinite(value));
  return value;
}

/* Options of a random field, overwritten with numbers of every kind; then those that are refused
 * have their default. */
static perlane_params random_text_params(struct random *random) {
  static const size_t none = SIZE_MAX;
  const perlane_params standard = perlane_params_default(),
                       field = random_params(random, 1 + (int)random_below(random, 4));
  perlane_params params = marked_params();
  for (int i = 0; i < perlane_option_count(); i++) {
    const perlane_option *option = perlane_option_at(i);
    char text[MAX_VALUE];
    memcpy(at(&params, option), (const char *)&field + option->offset, (size_t)option->size);
    if (option->kind != PERLANE_OPTION_CURVE && random_below(random, 4) == 0)
      damage(random, at(&params, option), &none, (size_t)option->size);
    assert_true(perlane_params_get(&params, option->name, text, sizeof text) < sizeof text);
    if (perlane_explain_text(option->name, text, NULL, 0) > 0)
      memcpy(at(&params, option), (const char *)&standard + option->offset, (size_t)option->size);
  }
  if (params.curve.count == 0) /* and points, which no text has */
    params.curve = standard.curve;
  return params;
}

/* ---- Records ---- */

static int is_sentence(const char *text) {
  const char *stop = strrchr(text, '.');
  return text[0] >= 'A' && text[0] <= 'Z' && stop && stop[1] == '\0';
}

static void records_are_complete(void **state) {
  (void)state;
  const perlane_params standard = perlane_params_default();
  const int count = perlane_option_count();
  assert_null(perlane_option_at(-1));
  assert_null(perlane_option_at(count));
  assert_null(perlane_option_at(INT32_MIN));
  assert_null(perlane_option_at(INT32_MAX));
  /* Every byte belongs to one member; where pointers have 32 bits, some are padding. */
  unsigned char members[sizeof(perlane_params)] = {0};
  for (int i = 0; i < count; i++)
    for (int32_t byte = 0; byte < perlane_option_at(i)->size; byte++)
      members[perlane_option_at(i)->offset + byte]++;
  for (int i = 0; i < OTHER_COUNT; i++)
    for (size_t byte = 0; byte < OTHERS[i].size; byte++)
      members[OTHERS[i].offset + byte]++;
  for (size_t byte = 0; byte < sizeof members; byte++)
    if (members[byte] != 1)
      fail_msg("byte %zu of perlane_params belongs to %d members", byte, members[byte]);
  for (int i = 0; i < count; i++) {
    const perlane_option *option = perlane_option_at(i);
    assert_ptr_equal(perlane_option_find(option->name), option);
    if (!is_sentence(option->summary))
      fail_msg("the summary of %s is no sentence: %s", option->name, option->summary);
    assert_true(option->kind >= 0 && option->kind < PERLANE_OPTION_KIND_COUNT);
    assert_true(option->min < option->max);
    assert_true(option->default_value >= option->min && option->default_value <= option->max);
    assert_int_equal(option->dims, dims_of(option->name));
    if (option->kind == PERLANE_OPTION_CHOICE)
      assert_true(option->choice_count - 1 == (int32_t)option->max);
    assert_int_equal(option->choice_count > 0, option->kind == PERLANE_OPTION_CHOICE);
    for (int j = i + 1; j < count; j++) {
      const perlane_option *other = perlane_option_at(j), *before = perlane_option_at(j - 1);
      assert_string_not_equal(option->name, other->name);
      if (strcmp(option->heading, other->heading) == 0)
        assert_string_equal(option->heading, before->heading);
    }
    /* The record's default is that of perlane_params_default. */
    char text[MAX_TEXT];
    perlane_params params = standard;
    assert_true(perlane_params_get(&standard, option->name, text, sizeof text) > 0);
    assert_ok(perlane_params_set(&params, option->name, text));
    assert_same(&params, &standard, text);
    for (int c = 0; c < option->choice_count; c++) {
      const perlane_choice *choice = &option->choices[c];
      assert_ok(perlane_params_set(&params, option->name, choice->name));
      assert_int_equal(perlane_params_get(&params, option->name, text, sizeof text),
                       strlen(choice->name));
      assert_string_equal(text, choice->name);
      int32_t value;
      memcpy(&value, at(&params, option), sizeof value);
      assert_int_equal(value, c);
      assert_true(strlen(choice->summary) > 0 &&
                  choice->summary[strlen(choice->summary) - 1] != '.');
      assert_true(choice->dims > 0 && choice->dims <= 15);
    }
  }
}

/* ---- Round trips ---- */

static void random_params_round_trip(void **state) {
  (void)state;
  struct random random = random_start("options, round trips");
  const size_t cases = effort(20000);
  size_t longest = 0;
  for (size_t i = 0; i < cases; i++) {
    const perlane_params params = random_text_params(&random);
    char text[MAX_TEXT];
    const size_t length = perlane_params_print(&params, text, sizeof text);
    assert_true(length < sizeof text);
    assert_int_equal(strlen(text), length);
    longest = length > longest ? length : longest;
    perlane_params read = marked_params();
    size_t where = 12345;
    if (perlane_params_parse(&read, text, &where) != PERLANE_OK)
      fail_msg("\"%s\" is refused at %zu", text, where);
    assert_int_equal(where, 12345);
    assert_same(&read, &params, text);
    /* The text names what differs from the default, and nothing else. */
    const perlane_params standard = marked_params();
    for (int o = 0; o < perlane_option_count(); o++) {
      const perlane_option *option = perlane_option_at(o);
      char name[40], value[MAX_VALUE], spaced[MAX_TEXT + 1];
      snprintf(name, sizeof name, " %s=", option->name);
      snprintf(spaced, sizeof spaced, " %s", text);
      assert_int_equal(strstr(spaced, name) != NULL, !is_same(&params, &standard, option));
      assert_true(perlane_params_get(&params, option->name, value, sizeof value) < sizeof value);
      read = marked_params();
      assert_ok(perlane_params_set(&read, option->name, value));
      assert_true(is_same(&read, &params, option));
    }
  }
  print_message("longest text: %zu bytes\n", longest);
}

/* The fewest digits: of the digits that are read back, none are shorter by libc's rounding. */
static void reals_are_shortest(void **state) {
  (void)state;
  struct random random = random_start("options, digits");
  const size_t cases = effort(50000);
  for (size_t i = 0; i < cases; i++) {
    const double value = random_real(&random);
    char text[PERLANE_DECIMAL_BYTES + 1], other[64];
    text[perlane_decimal_print(value, text)] = '\0';
    const double read = strtod(text, NULL);
    assert_memory_equal(&read, &value, sizeof value);
    int digits = 0, zeros = 0;
    for (const char *c = text; *c != '\0' && *c != 'e'; c++)
      if (*c >= '0' && *c <= '9' && (digits > 0 || *c != '0')) {
        digits++;
        zeros = *c == '0' ? zeros + 1 : 0;
      }
    digits -= zeros;
    assert_true(digits <= 17);
    if (digits > 1) {
      snprintf(other, sizeof other, "%.*e", digits - 2, value);
      if (strtod(other, NULL) == value)
        fail_msg("%s has more digits than %s", text, other);
    }
  }
}

/* Numbers of any number of digits are rounded as libc does. */
static void reals_are_rounded_once(void **state) {
  (void)state;
  struct random random = random_start("options, rounding");
  const size_t cases = effort(20000);
  static char text[3000];
  for (size_t i = 0; i < cases; i++) {
    size_t length = 0;
    if (random_below(&random, 2)) { /* next to the midpoint of two doubles */
      uint64_t bits = random_word(&random) & INT64_MAX;
      if (random_below(&random, 4) == 0)
        bits >>= 11;
      double low, high;
      memcpy(&low, &bits, sizeof low);
      bits++;
      memcpy(&high, &bits, sizeof high);
      if (!isfinite(high))
        continue;
      const long double middle = ((long double)low + (long double)high) / 2;
      length = (size_t)snprintf(text, sizeof text, "%.1100Le", middle);
      char *exponent = strchr(text, 'e');
      switch (random_below(&random, 3)) {
      case 0: /* a little above, in a digit that only exact arithmetic sees */
        exponent[-1] = '1';
        break;
      case 1: /* as it is, with fewer digits */
        length =
            (size_t)snprintf(text, sizeof text, "%.*Le", (int)random_below(&random, 800), middle);
        break;
      default:
        break;
      }
    } else {
      const size_t digits = 1 + random_below(&random, random_below(&random, 20) ? 30 : 900);
      for (size_t d = 0; d < digits; d++)
        text[length++] = (char)('0' + random_below(&random, 10));
      if (random_below(&random, 2))
        text[random_below(&random, length)] = '.';
      length += (size_t)snprintf(text + length, sizeof text - length, "e%d",
                                 (int)random_below(&random, 720) - 360 -
                                     (int)(random_below(&random, 2) * digits));
    }
    if (strcmp(text, ".") == 0 || strncmp(text, ".e", 2) == 0)
      continue;
    const double expected = strtod(text, NULL);
    double value = 0.125;
    const int is_read = perlane_decimal_parse(text, length, &value);
    if (is_read != isfinite(expected) || (is_read && memcmp(&value, &expected, sizeof value) != 0))
      fail_msg("%s is read as %a, not %a", text, value, expected);
    if (!is_read)
      assert_true(value == 0.125);
  }
}

/* ---- Texts ---- */

/* Stores a number as an option's value. Returns 0 if the option has no room for it. */
static int put_number(perlane_params *params, const perlane_option *option, double value) {
  const int32_t integer = value >= INT32_MIN && value <= INT32_MAX ? (int32_t)value : 0;
  switch (option->kind) {
  case PERLANE_OPTION_REAL:
    memcpy(at(params, option), &value, sizeof value);
    return 1;
  case PERLANE_OPTION_INTEGER:
  case PERLANE_OPTION_CHOICE:
  case PERLANE_OPTION_AXES:
    memcpy(at(params, option), &integer, sizeof integer);
    return integer == value;
  default:
    return 0;
  }
}

/* Whatever an option's value is, perlane_init, perlane_params_set and perlane_params_parse agree on
 * it, and say the same: the option's name, what it must be, and the value. */
static void values_within_bounds_and_beyond(void **state) {
  (void)state;
  for (int o = 0; o < perlane_option_count(); o++) {
    const perlane_option *option = perlane_option_at(o);
    const double values[] = {option->min,
                             option->max,
                             nextafter(option->min, -INFINITY),
                             nextafter(option->max, INFINITY),
                             nextafter(option->min, INFINITY),
                             nextafter(option->max, -INFINITY),
                             option->min - 1,
                             option->max + 1,
                             INT32_MIN,
                             INT32_MAX,
                             NAN,
                             INFINITY,
                             -INFINITY,
                             0,
                             -0.0,
                             -1,
                             1.25};
    char expected[PERLANE_MESSAGE_BYTES];
    perlane_option_expected(option, expected, sizeof expected);
    int refused = 0;
    for (size_t i = 0; i < COUNT_OF(values); i++) {
      const double value = values[i];
      perlane_params params = perlane_params_default(), set = params;
      if (!put_number(&params, option, value))
        continue;
      const int is_valid = isfinite(value) && !(option->excludes_zero && value == 0) &&
                           (option->min_is_open ? value > option->min : value >= option->min) &&
                           (option->max_is_open ? value < option->max : value <= option->max);
      char text[100], item[200], message[PERLANE_MESSAGE_BYTES];
      char plain[2 * PERLANE_MESSAGE_BYTES], quoted[2 * PERLANE_MESSAGE_BYTES];
      assert_true(perlane_params_get(&params, option->name, text, sizeof text) < sizeof text);
      snprintf(item, sizeof item, "%s=%s", option->name, text);
      snprintf(plain, sizeof plain, "%s must be %s, not %s", option->name, expected, text);
      snprintf(quoted, sizeof quoted, "%s must be %s, not '%s'", option->name, expected, text);
      assert_int_equal(perlane_params_set(&set, option->name, text),
                       is_valid ? PERLANE_OK : PERLANE_ERROR_PARAMETER);
      assert_int_equal(is_same(&set, &params, option), is_valid);
      perlane_explain_text(option->name, text, message, sizeof message);
      if (is_valid) {
        assert_string_equal(message, "");
        perlane_explain_params(&params, message, sizeof message); /* of other options, at most */
        assert_string_not_equal(message, plain);
      } else {
        refused++;
        const int is_number = isfinite(value) && option->kind != PERLANE_OPTION_CHOICE;
        assert_string_equal(message, is_number ? plain : quoted);
        init_says(&params, plain);
      }
      assert_int_equal(perlane_params_parse(&set, item, NULL),
                       is_valid ? PERLANE_OK : PERLANE_ERROR_PARAMETER);
      char of_text[PERLANE_MESSAGE_BYTES];
      perlane_explain_text(NULL, item, of_text, sizeof of_text);
      if (is_valid) { /* what perlane_init says of this option alone, if anything */
        set = perlane_params_default();
        assert_ok(perlane_params_set(&set, option->name, text));
        perlane_explain_params(&set, message, sizeof message);
      }
      assert_string_equal(of_text, message);
    }
    assert_true(refused > 0 || option->min == INT32_MIN || option->kind == PERLANE_OPTION_SEED ||
                option->kind == PERLANE_OPTION_CURVE);
  }
}

/* Values of 1 MB, as a damaged map may have, are refused in time that is proportional to that: one
 * that grows with its square would be hours. */
static void long_values(void **state) {
  (void)state;
  static char text[1 << 20];
  static const char *const REPEATED[] = {"0:0,", "1,", "x", "=", ":"};
  for (size_t i = 0; i < COUNT_OF(REPEATED); i++) {
    const size_t length = strlen(REPEATED[i]);
    for (size_t c = 0; c < sizeof text - 1; c++)
      text[c] = REPEATED[i][c % length];
    for (int option = 0; option < perlane_option_count(); option++) {
      perlane_params params = perlane_params_default();
      assert_refused(PARAMETER, perlane_params_set(&params, perlane_option_at(option)->name, text));
    }
  }
}

/* A curve that perlane_init refuses is printed as it is, and its text is refused, too. */
static void curves_that_are_none(void **state) {
  (void)state;
  static const struct {
    const char *words;
    int32_t count;
    double point[3][2];
  } CASES[] = {
      {"curve must have 2 to 16 points, or 0 for none, not 1", 1, {{0, 0}}},
      {"not -1", -1, {{0, 0}}},
      {"not 17", PERLANE_MAX_CURVE_POINTS + 1, {{0, 0}, {1, 1}, {2, 2}}},
      {"not -2147483648", INT32_MIN, {{0, 0}, {1, 1}, {2, 2}}},
      {"not 2147483647", INT32_MAX, {{0, 0}, {1, 1}, {2, 2}}},
      {"the x of point 1 of curve must be a number from -1000000 to 1000000, not nan",
       2,
       {{NAN, 0}, {1, 1}}},
      {"the x of point 2", 2, {{0, 0}, {NAN, 1}}},
      {"the y of point 1", 2, {{0, NAN}, {1, 1}}},
      {"the y of point 2 of curve", 2, {{0, 0}, {1, INFINITY}}},
      {"not -inf", 2, {{-INFINITY, 0}, {1, 1}}},
  };
  for (size_t i = 0; i < COUNT_OF(CASES); i++) {
    perlane_params params = perlane_params_default(), read = params;
    const perlane_params before = params;
    params.curve.count = CASES[i].count;
    for (int p = 0; p < PERLANE_MAX_CURVE_POINTS; p++)
      params.curve.point[p][0] = p;
    memcpy(params.curve.point, CASES[i].point, sizeof CASES[i].point);
    init_says(&params, CASES[i].words);
    char text[MAX_VALUE];
    assert_true(perlane_params_get(&params, "curve", text, sizeof text) < sizeof text);
    assert_refused(PARAMETER, perlane_params_set(&read, "curve", text));
    assert_same(&read, &before, text);
  }
  perlane_params params = perlane_params_default();
  params.curve.reserved0 = 1;
  init_fails(&params, PERLANE_ERROR_LAYOUT, "reserved0 of curve must be 0, not 1");
}

static void presets(void **state) {
  (void)state;
  static const char *const unknown[] = {"", "Improved", "improved ", "grid0"};
  perlane_params none = marked_params();
  const perlane_params before = none;
  for (size_t i = 0; i < COUNT_OF(unknown); i++)
    assert_refused(PRESET, perlane_preset(&none, unknown[i]));
  assert_refused(NULL, perlane_preset(&none, NULL));
  assert_refused(NULL, perlane_preset(NULL, "grid"));
  assert_same(&none, &before, "");
  assert_null(perlane_preset_name(-1));
  assert_null(perlane_preset_name(INT32_MAX));
  for (int i = 0; perlane_preset_name(i) != NULL; i++) {
    char text[MAX_TEXT];
    perlane_params expected = marked_params(), params = marked_params();
    assert_ok(perlane_preset(&expected, perlane_preset_name(i)));
    snprintf(text, sizeof text, "preset=%s", perlane_preset_name(i));
    assert_ok(perlane_params_parse(&params, text, NULL));
    assert_same(&params, &expected, text);
    /* Its text names what it sets. */
    assert_true(perlane_params_print(&expected, text, sizeof text) < sizeof text);
    params = perlane_params_default();
    assert_ok(perlane_params_parse(&params, text, NULL));
    assert_same(&params, &expected, text);
  }
}

static void null_pointers(void **state) {
  (void)state;
  perlane_params params = marked_params();
  const perlane_params before = params;
  size_t where = 5;
  char text[100];
  assert_null(perlane_option_find(NULL));
  assert_refused(NULL, perlane_params_set(NULL, "seed", "7"));
  assert_refused(NULL, perlane_params_set(&params, NULL, "7"));
  assert_refused(NULL, perlane_params_set(&params, "seed", NULL));
  assert_refused(NULL, perlane_params_parse(NULL, "seed=7", &where));
  assert_refused(NULL, perlane_params_parse(&params, NULL, &where));
  assert_int_equal(where, 5);
  assert_same(&params, &before, "");
  const perlane_params *const params_or_null[] = {NULL, &params, &params};
  const char *const names[] = {"seed", NULL, "none"};
  for (int i = 0; i < 3; i++) {
    strcpy(text, "before");
    assert_int_equal(perlane_params_get(params_or_null[i], names[i], text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(perlane_params_get(params_or_null[i], names[i], NULL, 0), 0);
  }
  strcpy(text, "before");
  assert_int_equal(perlane_params_print(NULL, text, sizeof text), 0);
  assert_string_equal(text, "");
  const size_t length = perlane_params_print(&params, text, sizeof text);
  assert_int_equal(perlane_params_print(&params, NULL, 7), length); /* no buffer has no room */
  const char *const sentence = perlane_status_string(PERLANE_ERROR_NULL);
  assert_int_equal(perlane_explain_params(NULL, text, sizeof text), strlen(sentence));
  assert_string_equal(text, sentence);
  static const char *const of[] = {NULL, "seed", "expression"};
  for (size_t i = 0; i < COUNT_OF(of); i++)
    assert_int_equal(perlane_explain_text(of[i], NULL, NULL, 0), strlen(sentence));
}

/* A buffer of any size gets the beginning of the text, and no byte after it is written. */
static void buffers_of_every_size(void **state) {
  (void)state;
  struct random random = random_start("options, buffers");
  for (int i = 0; i < 50; i++) {
    const perlane_params params = random_text_params(&random);
    char whole[MAX_TEXT], cut[MAX_TEXT + 1];
    for (int o = -1; o < perlane_option_count(); o++) {
      const char *name = o < 0 ? NULL : perlane_option_at(o)->name;
      const size_t length = name ? perlane_params_get(&params, name, whole, sizeof whole)
                                 : perlane_params_print(&params, whole, sizeof whole);
      assert_true(length < sizeof whole && strlen(whole) == length);
      for (size_t size = 0; size <= length + 2; size++) {
        memset(cut, '#', sizeof cut);
        char *buffer = size > 0 || i % 2 ? cut : NULL;
        assert_int_equal(name ? perlane_params_get(&params, name, buffer, size)
                              : perlane_params_print(&params, buffer, size),
                         length);
        const size_t kept = size == 0 ? 0 : length < size ? length : size - 1;
        assert_memory_equal(cut, whole, kept);
        if (size > 0)
          assert_int_equal(cut[kept], '\0');
        for (size_t c = size == 0 ? 0 : kept + 1; c < sizeof cut; c++)
          assert_int_equal(cut[c], '#');
      }
    }
  }
}

/* ---- Locale ---- */

static void a_decimal_comma_changes_nothing(void **state) {
  (void)state;
  static const char *const names[] = {"comma", "de_DE.utf8", "de_DE.UTF-8", "de_DE", "fr_FR.utf8"};
  const char *name = NULL;
  char number[20] = "";
  for (size_t i = 0; i < COUNT_OF(names) && strcmp(number, "0,5") != 0; i++) {
    name = names[i];
    setlocale(LC_ALL, name);
    snprintf(number, sizeof number, "%.1f", 0.5);
  }
  if (strcmp(number, "0,5") != 0) {
    print_message("not run: there is no locale with a decimal comma, and localedef made none\n");
    setlocale(LC_ALL, "C");
    return;
  }
  struct random random = random_start("options, locale");
  for (int i = 0; i < 1000; i++) {
    const perlane_params params = random_text_params(&random);
    char text[MAX_TEXT], usual[MAX_TEXT];
    perlane_params read = marked_params();
    const size_t length = perlane_params_print(&params, text, sizeof text);
    assert_ok(perlane_params_parse(&read, text, NULL));
    assert_same(&read, &params, text);
    setlocale(LC_ALL, "C");
    assert_int_equal(perlane_params_print(&params, usual, sizeof usual), length);
    assert_string_equal(text, usual);
    assert_non_null(setlocale(LC_ALL, name));
  }
  perlane_params params = perlane_params_default();
  assert_refused(PARAMETER, perlane_params_set(&params, "frequency", "0,5"));
  assert_ok(perlane_params_set(&params, "frequency", "0.5"));
  assert_true(params.frequency == 0.5);
  setlocale(LC_ALL, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_are_complete),
      cmocka_unit_test(random_params_round_trip),
      cmocka_unit_test(reals_are_shortest),
      cmocka_unit_test(reals_are_rounded_once),
      cmocka_unit_test(values_within_bounds_and_beyond),
      cmocka_unit_test(long_values),
      cmocka_unit_test(curves_that_are_none),
      cmocka_unit_test(presets),
      cmocka_unit_test(null_pointers),
      cmocka_unit_test(buffers_of_every_size),
      cmocka_unit_test(a_decimal_comma_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
