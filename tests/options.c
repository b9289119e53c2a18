/* SPDX-License-Identifier: MIT
 *
 * Options by name: the records describe every member, texts round-trip bit for bit, and whatever is
 * refused leaves params unchanged.
 */
#include "support.h"

#include <float.h>
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
enum { OTHER_COUNT = sizeof OTHERS / sizeof OTHERS[0] };

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
    assert_int_equal(members[byte], 1);
  for (int i = 0; i < count; i++) {
    const perlane_option *option = perlane_option_at(i);
    assert_ptr_equal(perlane_option_find(option->name), option);
    assert_true(is_sentence(option->summary));
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
    assert_int_equal(perlane_params_set(&params, option->name, text), PERLANE_OK);
    assert_same(&params, &standard, text);
    for (int c = 0; c < option->choice_count; c++) {
      const perlane_choice *choice = &option->choices[c];
      assert_int_equal(perlane_params_set(&params, option->name, choice->name), PERLANE_OK);
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

static void defaults_are_documented_ones(void **state) {
  (void)state;
  const perlane_params params = perlane_params_default();
  perlane_params expected;
  memset(&expected, 0, sizeof expected);
  expected.seed = 1337;
  expected.frequency = 0.01;
  expected.octaves = 1;
  expected.lacunarity = 2;
  expected.gain = 0.5;
  expected.jitter = 1;
  expected.ping_pong_strength = 2;
  expected.erosion = 1;
  expected.warp_frequency = 0.01;
  expected.warp_octaves = 1;
  expected.warp_lacunarity = 2;
  expected.warp_gain = 0.5;
  expected.warp_rounds = 1;
  expected.falloff_end = 100;
  expected.valley_octaves = 5;
  expected.valley_cells = 2.5;
  expected.valley_gain = 0.8;
  expected.valley_floor = 0.02;
  expected.amplitude = 1;
  expected.value_scale = 1;
  expected.contrast = 1;
  expected.terrace_sharpness = 0.7;
  assert_same(&params, &expected, "");
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
      assert_int_equal(perlane_params_set(&read, option->name, value), PERLANE_OK);
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

static void numbers_look_plain(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {
      {0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {-3, "-3"},
      {0.5, "0.5"},
      {0.002, "0.002"},
      {0.0001, "0.0001"},
      {0.00012345, "0.00012345"},
      {0.00001, "1e-5"},
      {-0.000012345, "-1.2345e-5"},
      {1e20, "100000000000000000000"},
      {1e21, "1e21"},
      {123456789012345680000.0, "123456789012345680000"},
      {0.1, "0.1"},
      {1.0 / 3, "0.3333333333333333"},
      {5e-324, "5e-324"},
      {DBL_MIN, "2.2250738585072014e-308"},
      {DBL_MAX, "1.7976931348623157e308"},
      {9007199254740993.0, "9007199254740992"},
      {0x1p-44, "5.684341886080802e-14"},
      {INFINITY, "inf"},
      {-INFINITY, "-inf"},
      {NAN, "nan"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[PERLANE_DECIMAL_BYTES + 1];
    text[perlane_decimal_print(cases[i].value, text)] = '\0';
    assert_string_equal(text, cases[i].text);
  }
}

/* ---- Texts ---- */

/* Forms of values, of which the bounds are tested below: of each option, texts and what is printed
 * of them, and texts that are refused. */
static void set_text(const char *name, const char *value, const char *printed) {
  const perlane_params before = marked_params();
  perlane_params params = before, read = before;
  char text[300] = "before";
  const perlane_status expected = printed                     ? PERLANE_OK
                                  : perlane_option_find(name) ? PERLANE_ERROR_PARAMETER
                                                              : PERLANE_ERROR_OPTION;
  const perlane_status status = perlane_params_set(&params, name, value);
  if (status != expected)
    fail_msg("%s \"%s\": status %d, not %d", name, value, (int)status, (int)expected);
  if (printed) {
    assert_int_equal(perlane_params_get(&params, name, text, sizeof text), strlen(printed));
    assert_string_equal(text, printed);
  } else {
    assert_same(&params, &before, value);
  }
  /* perlane_params_parse agrees, where the text can be one of its values. */
  if (strchr(value, ' ') || name[0] == '\0' || strcmp(name, "preset") == 0)
    return;
  snprintf(text, sizeof text, "%s=%s", name, value);
  assert_int_equal(perlane_params_parse(&read, text, NULL), expected);
  assert_same(&read, &params, text);
}

static void texts_of_values(void **state) {
  (void)state;
  static const struct {
    const char *name, *printed, *refused; /* text>printed, text: with semicolons between them */
  } CASES[] = {
      {"seed",
       "7>7;007>7;0x1F>31;0Xffffffffffffffff>18446744073709551615;18446744073709551615>"
       "18446744073709551615;-1>18446744073709551615;-9223372036854775808>9223372036854775808;"
       "-0>0;-012>18446744073709551604",
       "18446744073709551616;0x10000000000000000;99999999999999999999999;0x;1F;1e3;;7 ;"
       "-9223372036854775809;-0x1;--1;-;+1;- 1"},
      {"octaves-share", "on>on", NULL},
      {"octaves_share", NULL, "1"},
      {"frequency", "0.002>0.002;.5>0.5;5.>5;+2E-3>0.002;0.1000000000000000000000000000000001>0.1",
       "1e400;1e-400;1e99999999999999999999999;0,5;1 ; 1;;.;1e;1e+;1.2.3;0x1p-4;--1;1f"},
      {"gain", "-0>-0;1e-400>0;-1e-400>-0;0e999999999999999999999>0", "1e309"},
      {"octaves", "+32>32", "8.0;4294967297;0x8;-"},
      {"contrast", "-0>0", NULL},
      {"weighted_strength", "1.0000000000000001>1", NULL},
      {"value_offset", NULL, "x"},
      {"basis", "value>value", "values;valu;;1;Value"},
      {"fractal", "ping-pong>ping_pong", "pingpong"},
      {"curve",
       "none>none;-1:-1,0:0.2,1:1>-1:-1,0:0.2,1:1;-.5:+2e-1,1.:1E3>-0.5:0.2,1:1000;-1000000:"
       "1000000,1000000:-1000000>-1000000:1000000,1000000:-1000000;0:-0,1:0>0:-0,1:0;0:0,0.000001:"
       "1>0:0,1e-6:1;100:0,100.00001:1>100:0,100.00001:1;1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,"
       "11:1,12:1,13:1,14:1,15:1,16:0>1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1,13:1,14:1,"
       "15:1,16:0",
       "0:0,0.00000099:1;100:0,100.000002:1;a:b;0:0,a:b;nan:0,1:1;0:0,1:1,;,0:0,1:1;0:0,,1:1;0:0:0,"
       "1:1;0:0,1;0,1;0:,1:1;:0,1:1;:;;None;none,1:1;1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,"
       "12:1,13:1,14:1,15:1,16:0,17:1"},
      {"period", "8>8;8,8>8,8;0,0,3,0>0,0,3;1073741824,1,2,3>1073741824,1,2,3",
       "0,0,0,1073741825;1,2,3,4,5;1,2,3,4,;1,;,1;"},
      {"table_offset", "-2147483648,2147483647>-2147483648,2147483647", "2147483648;-2147483649"},
      {"preset", NULL, "improved"},
      {"", NULL, "7"},
      {"see", NULL, "7"},
      {"seeds", NULL, "7"},
      {"Seed", NULL, "7"},
      {"reserved", NULL, "7"},
      {"hash_table", NULL, "7"},
  };
  for (size_t i = 0; i < COUNT_OF(CASES); i++)
    for (int refused = 0; refused < 2; refused++)
      for (const char *at = refused ? CASES[i].refused : CASES[i].printed; at;) {
        char text[200];
        const size_t length = strcspn(at, ";");
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        char *printed = refused ? NULL : strchr(text, '>');
        if (printed)
          *printed++ = '\0';
        set_text(CASES[i].name, text, printed);
        at = at[length] ? at + length + 1 : NULL;
      }
}

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
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
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
        assert_int_equal(perlane_params_set(&set, option->name, text), PERLANE_OK);
        perlane_explain_params(&set, message, sizeof message);
      }
      assert_string_equal(of_text, message);
    }
    assert_true(refused > 0 || option->min == INT32_MIN || option->kind == PERLANE_OPTION_SEED ||
                option->kind == PERLANE_OPTION_CURVE);
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
      {"differ as floats; 0 does not follow 0", 2, {{0, 0}, {0, 1}}},
      {"0 does not follow 1", 2, {{1, 0}, {0, 1}}},
      {"at least 1e-6", 2, {{0, 0}, {0.9e-6, 1}}},
      {"1 does not follow 1", 3, {{0, 0}, {1, 1}, {1, 1}}},
      {"the x of point 1 of curve must be a number from -1000000 to 1000000, not nan",
       2,
       {{NAN, 0}, {1, 1}}},
      {"the x of point 2", 2, {{0, 0}, {NAN, 1}}},
      {"the y of point 1", 2, {{0, NAN}, {1, 1}}},
      {"the y of point 2 of curve", 2, {{0, 0}, {1, INFINITY}}},
      {"not -inf", 2, {{-INFINITY, 0}, {1, 1}}},
      {"not 1000000.5", 2, {{0, 0}, {1000000.5, 1}}},
      {"not -1000000.5", 2, {{0, 0}, {1, -1000000.5}}},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    perlane_params params = perlane_params_default(), read = params;
    const perlane_params before = params;
    params.curve.count = CASES[i].count;
    for (int p = 0; p < PERLANE_MAX_CURVE_POINTS; p++)
      params.curve.point[p][0] = p;
    memcpy(params.curve.point, CASES[i].point, sizeof CASES[i].point);
    init_says(&params, CASES[i].words);
    char text[MAX_VALUE];
    assert_true(perlane_params_get(&params, "curve", text, sizeof text) < sizeof text);
    assert_int_equal(perlane_params_set(&read, "curve", text), PERLANE_ERROR_PARAMETER);
    assert_same(&read, &before, text);
  }
  perlane_params params = perlane_params_default();
  params.curve.reserved0 = 1;
  init_fails(&params, PERLANE_ERROR_LAYOUT, "reserved0 of curve must be 0, not 1");
}

/* What a text sets, or the sentence that says what is wrong with it. */
static void texts_of_fields(void **state) {
  (void)state;
  enum { NOWHERE = 777 };
  static const struct {
    const char *text;
    perlane_status status;
    size_t where;
    const char *printed; /* the options, or the sentence's first words */
  } cases[] = {
      {"", PERLANE_OK, NOWHERE, ""},
      {" \t\r\n\v\f", PERLANE_OK, NOWHERE, ""},
      {"seed=1337 gain=0.5", PERLANE_OK, NOWHERE, ""},
      {"seed=7 octaves=8 frequency=0.002 fractal=ridged", PERLANE_OK, NOWHERE,
       "seed=7 frequency=0.002 octaves=8 fractal=ridged"},
      {"\n\tseed=7\n\toctaves=8\n", PERLANE_OK, NOWHERE, "seed=7 octaves=8"},
      {"seed=7 seed=8", PERLANE_OK, NOWHERE, "seed=8"},
      {"octaves-share=on fractal=ping-pong", PERLANE_OK, NOWHERE,
       "octaves_share=on fractal=ping_pong"},
      {"gain=-0", PERLANE_OK, NOWHERE, "gain=-0"},
      {"preset=pnoise seed=3", PERLANE_OK, NOWHERE,
       "seed=3 frequency=1 hash=perlin gradients=pnoise octaves_share=on phase=none "
       "normalize=octaves"},
      {" preset=circle", PERLANE_OK, NOWHERE,
       "frequency=1 hash=shuffled gradients=sphere table_offset=0,1 octaves_share=on "
       "phase=none normalize=octaves"},
      {"seed=1 preset=improved", PERLANE_ERROR_PRESET, 7, "preset must come before all other"},
      {"preset=improved preset=improved", PERLANE_ERROR_PRESET, 16, "preset must come before"},
      {"preset=", PERLANE_ERROR_PRESET, 0,
       "preset must be one of improved, grid, diagonal, circle, axis, compass, pnoise, classic, "
       "not ''"},
      {"preset=improve", PERLANE_ERROR_PRESET, 0, "preset must be one of improved, grid"},
      {"  preset=improvedx", PERLANE_ERROR_PRESET, 2, "preset must be one of improved, grid"},
      {"preset", PERLANE_ERROR_SYNTAX, 0, "expected NAME=VALUE, not 'preset'"},
      {"seed", PERLANE_ERROR_SYNTAX, 0, "expected NAME=VALUE, not 'seed'"},
      {"seed=7 octaves", PERLANE_ERROR_SYNTAX, 7, "expected NAME=VALUE, not 'octaves'"},
      {"seed=7  =8", PERLANE_ERROR_SYNTAX, 8, "expected NAME=VALUE, not '=8'"},
      {"seed = 7", PERLANE_ERROR_SYNTAX, 0, "expected NAME=VALUE, not 'seed'"},
      {"seed=7,octaves=8", PERLANE_ERROR_PARAMETER, 0,
       "seed must be a whole number from -9223372036854775808 to"},
      {"octaves=8,seed=7", PERLANE_ERROR_PARAMETER, 0,
       "octaves must be a whole number from 1 to 32, not '8,seed=7'; options are separated by "
       "blanks"},
      {"octaves=8, seed=7", PERLANE_ERROR_PARAMETER, 0,
       "octaves must be a whole number from 1 to 32, not '8,'; options are separated by blanks"},
      {"octaves=8,7", PERLANE_ERROR_PARAMETER, 0,
       "octaves must be a whole number from 1 to 32, not '8,7'"},
      {"seed=7 octaves=", PERLANE_ERROR_PARAMETER, 7,
       "octaves must be a whole number from 1 to 32, not ''"},
      {"octaves==8", PERLANE_ERROR_PARAMETER, 0,
       "octaves must be a whole number from 1 to 32, not '=8'"},
      {"seed=7 octave=8", PERLANE_ERROR_OPTION, 7,
       "no option is called 'octave'; did you mean octaves?"},
      {"seed=7 octaves=8\tgain=x seed=y", PERLANE_ERROR_PARAMETER, 17,
       "gain must be a finite number, not 'x'"},
      {"persistence=0.5", PERLANE_ERROR_OPTION, 0,
       "no option is called 'persistence'; did you mean gain"},
      {"hash_table=7", PERLANE_ERROR_OPTION, 0, "no option is called 'hash_table'"},
      {"warp-ocatves=7", PERLANE_ERROR_OPTION, 0, "no option is called 'warp-ocatves'"},
      /* Long values are shown in part, and characters whole. */
      {"gain=0123456789012345678901234567890123456789x", PERLANE_ERROR_PARAMETER, 0,
       "gain must be a finite number, not '0123456789012345678901234567890123456789...'"},
      {"gain=012345678901234567890123456789012345678\303\266\303\266", PERLANE_ERROR_PARAMETER, 0,
       "gain must be a finite number, not '012345678901234567890123456789012345678...'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const perlane_params before =
        strstr(cases[i].text, "preset=") ? perlane_params_default() : marked_params();
    perlane_params params = before;
    size_t where = NOWHERE;
    const perlane_status status = perlane_params_parse(&params, cases[i].text, &where);
    if (status != cases[i].status || where != cases[i].where)
      fail_msg("\"%s\": status %d at %zu, not %d at %zu", cases[i].text, (int)status, where,
               (int)cases[i].status, cases[i].where);
    char text[MAX_TEXT];
    const size_t length = perlane_explain_text(NULL, cases[i].text, text, sizeof text);
    if (status != PERLANE_OK) {
      assert_same(&params, &before, cases[i].text);
      assert_int_equal(perlane_params_parse(&params, cases[i].text, NULL), status);
      assert_in_range(length, strlen(cases[i].printed), PERLANE_MESSAGE_BYTES - 1);
      text[strlen(cases[i].printed)] = '\0';
      assert_string_equal(text, cases[i].printed);
      continue;
    }
    assert_int_equal(length, 0);
    assert_int_equal(perlane_params_print(&params, text, sizeof text), strlen(cases[i].printed));
    assert_string_equal(text, cases[i].printed);
  }
}

static void presets_come_first(void **state) {
  (void)state;
  for (int i = 0; perlane_preset_name(i) != NULL; i++) {
    char text[MAX_TEXT];
    perlane_params expected = marked_params(), params = marked_params();
    assert_int_equal(perlane_preset(&expected, perlane_preset_name(i)), PERLANE_OK);
    snprintf(text, sizeof text, "preset=%s", perlane_preset_name(i));
    assert_int_equal(perlane_params_parse(&params, text, NULL), PERLANE_OK);
    assert_same(&params, &expected, text);
    /* Its text names what it sets. */
    assert_true(perlane_params_print(&expected, text, sizeof text) < sizeof text);
    params = perlane_params_default();
    assert_int_equal(perlane_params_parse(&params, text, NULL), PERLANE_OK);
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
  assert_int_equal(perlane_params_set(NULL, "seed", "7"), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_params_set(&params, NULL, "7"), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_params_set(&params, "seed", NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_params_parse(NULL, "seed=7", &where), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_params_parse(&params, NULL, &where), PERLANE_ERROR_NULL);
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
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
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
  for (size_t i = 0; i < sizeof names / sizeof names[0] && strcmp(number, "0,5") != 0; i++) {
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
    assert_int_equal(perlane_params_parse(&read, text, NULL), PERLANE_OK);
    assert_same(&read, &params, text);
    setlocale(LC_ALL, "C");
    assert_int_equal(perlane_params_print(&params, usual, sizeof usual), length);
    assert_string_equal(text, usual);
    assert_non_null(setlocale(LC_ALL, name));
  }
  perlane_params params = perlane_params_default();
  assert_int_equal(perlane_params_set(&params, "frequency", "0,5"), PERLANE_ERROR_PARAMETER);
  assert_int_equal(perlane_params_set(&params, "frequency", "0.5"), PERLANE_OK);
  assert_true(params.frequency == 0.5);
  setlocale(LC_ALL, "C");
}

/* What values may be, in words: whole, cut short, and of no option. */
static void expected_values(void **state) {
  (void)state;
  static const char *const EXPECTED[][2] = {
      {"seed", "a whole number from -9223372036854775808 to 18446744073709551615, decimal or 0x "
               "hexadecimal"},
      {"frequency", "a finite number above 0"},
      {"amplitude", "a nonzero finite number"},
      {"gain", "a finite number"},
      {"warp_amplitude", "a finite number of at least 0"},
      {"terrace_sharpness", "a number of at least 0 and below 1"},
      {"ping_pong_strength", "a number above 0 and at most 1024"},
      {"octaves", "a whole number from 1 to 32"},
      {"fade", "one of quintic, cubic, linear"},
      {"period",
       "1 to 4 whole numbers with commas between them, x first, each from 0 to 1073741824"},
      {"curve",
       "none, or 2 to 16 points x:y with commas between them, each number from -1000000 to "
       "1000000, whose x increase by at least 1e-6 and differ as floats"},
  };
  char text[MAX_TEXT];
  for (size_t i = 0; i < sizeof EXPECTED / sizeof EXPECTED[0]; i++) {
    const perlane_option *option = perlane_option_find(EXPECTED[i][0]);
    assert_int_equal(perlane_option_expected(option, text, sizeof text), strlen(EXPECTED[i][1]));
    assert_string_equal(text, EXPECTED[i][1]);
  }
  for (int32_t i = 0; i < perlane_option_count(); i++) {
    const size_t length = perlane_option_expected(perlane_option_at(i), NULL, 0);
    assert_in_range(length, 10, PERLANE_MESSAGE_BYTES - 1);
  }
  assert_int_equal(perlane_option_expected(perlane_option_find("octaves"), text, 8), 27);
  assert_string_equal(text, "a whole");
  assert_int_equal(perlane_option_expected(NULL, text, sizeof text), 0);
  assert_string_equal(text, "");
  assert_int_equal(perlane_option_expected(perlane_option_find("octaves"), NULL, 8), 27);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_are_complete),     cmocka_unit_test(defaults_are_documented_ones),
      cmocka_unit_test(random_params_round_trip), cmocka_unit_test(reals_are_shortest),
      cmocka_unit_test(reals_are_rounded_once),   cmocka_unit_test(numbers_look_plain),
      cmocka_unit_test(texts_of_values),          cmocka_unit_test(values_within_bounds_and_beyond),
      cmocka_unit_test(curves_that_are_none),     cmocka_unit_test(texts_of_fields),
      cmocka_unit_test(presets_come_first),       cmocka_unit_test(null_pointers),
      cmocka_unit_test(buffers_of_every_size),    cmocka_unit_test(a_decimal_comma_changes_nothing),
      cmocka_unit_test(expected_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
