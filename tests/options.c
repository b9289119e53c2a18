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

/* The options that only cellular noise reads, which does not exist in 4D. */
static int is_of_cells(const char *name) {
  return strcmp(name, "jitter") == 0 || strncmp(name, "cell_", 5) == 0;
}

/* ---- Members ---- */

/* The members of perlane_params, independently of the library's records. */
struct member {
  const char *name;
  size_t offset, size;
};
#define MEMBER(name)                                                                               \
  { #name, offsetof(perlane_params, name), sizeof(((perlane_params *)NULL)->name) }

static const struct member OPTIONS[] = {
    MEMBER(seed),
    MEMBER(frequency),
    MEMBER(basis),
    MEMBER(hash),
    MEMBER(gradients),
    MEMBER(fade),
    MEMBER(period),
    MEMBER(table_offset),
    MEMBER(jitter),
    MEMBER(cell_metric),
    MEMBER(cell_output),
    MEMBER(octaves),
    MEMBER(lacunarity),
    MEMBER(gain),
    MEMBER(octaves_share),
    MEMBER(phase),
    MEMBER(fractal),
    MEMBER(weighted_strength),
    MEMBER(ping_pong_strength),
    MEMBER(erosion),
    MEMBER(warp_amplitude),
    MEMBER(warp_frequency),
    MEMBER(warp_octaves),
    MEMBER(warp_lacunarity),
    MEMBER(warp_gain),
    MEMBER(warp_rounds),
    MEMBER(normalize),
    MEMBER(amplitude),
    MEMBER(value_scale),
    MEMBER(value_offset),
    MEMBER(contrast),
    MEMBER(curve),
    MEMBER(curve_shape),
    MEMBER(terraces),
    MEMBER(terrace_sharpness),
};
static const struct member OTHERS[] = {
    MEMBER(reserved0),      MEMBER(gradient_dims),       MEMBER(gradient_count),
    MEMBER(reserved1),      MEMBER(gradient_grid_count), MEMBER(hash_table),
    MEMBER(gradient_table), MEMBER(gradient_grid),       MEMBER(reserved2),
    MEMBER(reserved),
};
enum {
  OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0],
  OTHER_COUNT = sizeof OTHERS / sizeof OTHERS[0]
};

static void *at(perlane_params *params, const struct member *member) {
  return (char *)params + member->offset;
}

static int is_same(const perlane_params *a, const perlane_params *b, const struct member *member) {
  return memcmp((const char *)a + member->offset, (const char *)b + member->offset, member->size) ==
         0;
}

static void assert_same(const perlane_params *a, const perlane_params *b, const char *text) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (!is_same(a, b, &OPTIONS[i]))
      fail_msg("%s differs after \"%s\"", OPTIONS[i].name, text);
  for (int i = 0; i < OTHER_COUNT; i++)
    if (!is_same(a, b, &OTHERS[i]))
      fail_msg("%s differs after \"%s\"", OTHERS[i].name, text);
}

/* Params whose tables and reserved members are unusual, so that losing them shows. */
static perlane_params marked_params(void) {
  perlane_params params = perlane_params_default();
  for (int i = 0; i < OTHER_COUNT; i++)
    memset(at(&params, &OTHERS[i]), 0x11 + i, OTHERS[i].size);
  return params;
}

/* ---- Random values ---- */

static double random_real(struct random *random, const perlane_option *option) {
  static const double special[] = {
      0,       -0.0,    1,        -1,      0.1,        0.2,         0.3,    1.0 / 3, 1e15,
      1e16,    1e17,    1e21,     1e22,    9.5e20,     1e23,        1e-3,   1e-4,    1e-5,
      DBL_MIN, DBL_MAX, -DBL_MAX, DBL_MIN, 0x1p-1074,  -0x1p-1074,  0x1p53, 0x1p-44, 0x1p63,
      123456,  100,     1024,     0.5,     0x1p+0 / 7, 5e-324 * 10, 64,     2,       0.01};
  for (;;) {
    double value;
    const uint64_t bits = random_word(random);
    switch (random_below(random, 5)) {
    case 0:
      memcpy(&value, &bits, sizeof value);
      break;
    case 1:
      value = special[random_below(random, sizeof special / sizeof special[0])];
      break;
    case 2:
      value = (double)(int64_t)random_below(random, 200000) / 1000 - 50;
      break;
    case 3:
      value = ldexp(1, (int)random_below(random, 2098) - 1074);
      break;
    default:
      value = random_unit(random);
    }
    if (isfinite(value) && value >= option->min && value <= option->max &&
        !(option->min_is_open && value == option->min) &&
        !(option->max_is_open && value == option->max) && !(option->excludes_zero && value == 0))
      return value;
  }
}

static int32_t random_integer(struct random *random, double min, double max) {
  min = fmax(min, INT32_MIN); /* bounds of other kinds of options are wider */
  max = fmin(max, INT32_MAX);
  const uint64_t width = (uint64_t)(max - min);
  switch (random_below(random, 4)) {
  case 0:
    return (int32_t)min;
  case 1:
    return (int32_t)max;
  case 2:
    return (int32_t)fmin(max, fmax(min, (double)random_below(random, 1000)));
  default:
    return (int32_t)((int64_t)min + (int64_t)random_below(random, width + 1));
  }
}

static uint64_t random_seed(struct random *random) {
  const uint64_t word = random_word(random);
  return random_below(random, 8) ? word >> random_below(random, 64) : UINT64_MAX;
}

/* Points that are apart, most of them with few digits. */
static void random_curve(struct random *random, perlane_curve *curve) {
  memset(curve, 0, sizeof *curve);
  if (random_below(random, 4) == 0)
    return;
  curve->count = 2 + (int32_t)random_below(random, PERLANE_MAX_CURVE_POINTS - 1);
  double x = random_between(random, -2, 0);
  for (int32_t i = 0; i < curve->count; i++) {
    x += random_below(random, 3) ? 0.25 : random_between(random, 1e-6, 1e4);
    curve->point[i][0] = x;
    curve->point[i][1] = random_below(random, 3) ? (double)random_below(random, 9) / 8
                                                 : random_between(random, -1e6, 1e6);
  }
}

static void randomize(struct random *random, perlane_params *params, const struct member *member) {
  const perlane_option *option = perlane_option_find(member->name);
  uint64_t seed;
  double real;
  int32_t integer[PERLANE_MAX_DIMS];
  perlane_basis choice; /* every enumeration has its size */
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    integer[a] = random_below(random, 3) ? random_integer(random, option->min, option->max) : 0;
  switch (option->kind) {
  case PERLANE_OPTION_SEED:
    seed = random_seed(random);
    memcpy(at(params, member), &seed, sizeof seed);
    return;
  case PERLANE_OPTION_REAL:
    real = random_real(random, option);
    memcpy(at(params, member), &real, sizeof real);
    return;
  case PERLANE_OPTION_INTEGER:
    integer[0] = random_integer(random, option->min, option->max);
    memcpy(at(params, member), integer, sizeof integer[0]);
    return;
  case PERLANE_OPTION_CHOICE:
    choice = (perlane_basis)random_below(random, (uint64_t)option->choice_count);
    memcpy(at(params, member), &choice, sizeof choice);
    return;
  case PERLANE_OPTION_AXES:
    memcpy(at(params, member), integer, sizeof integer);
    return;
  case PERLANE_OPTION_CURVE:
    random_curve(random, &params->curve);
    return;
  case PERLANE_OPTION_KIND_COUNT:
    break;
  }
  fail();
}

static perlane_params random_text_params(struct random *random) {
  perlane_params params = marked_params();
  const int all = random_below(random, 10) == 0;
  for (int i = 0; i < OPTION_COUNT; i++)
    if (all || random_below(random, 3) == 0)
      randomize(random, &params, &OPTIONS[i]);
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
  assert_int_equal(perlane_option_count(), OPTION_COUNT);
  assert_null(perlane_option_at(-1));
  assert_null(perlane_option_at(OPTION_COUNT));
  assert_null(perlane_option_at(INT32_MIN));
  assert_null(perlane_option_at(INT32_MAX));
  size_t bytes = 0;
  for (int i = 0; i < OPTION_COUNT; i++)
    bytes += OPTIONS[i].size;
  for (int i = 0; i < OTHER_COUNT; i++)
    bytes += OTHERS[i].size;
  /* A member that neither list names would be larger than the padding. */
  assert_true(bytes <= sizeof(perlane_params) && sizeof(perlane_params) - bytes < 8);
  for (int i = 0; i < OPTION_COUNT; i++) {
    const perlane_option *option = perlane_option_at(i);
    assert_string_equal(option->name, OPTIONS[i].name);
    assert_ptr_equal(perlane_option_find(option->name), option);
    assert_true(is_sentence(option->summary));
    assert_true(option->kind >= 0 && option->kind < PERLANE_OPTION_KIND_COUNT);
    assert_true(option->min < option->max);
    assert_true(option->default_value >= option->min && option->default_value <= option->max);
    assert_int_equal(option->dims, is_of_cells(option->name) ? 7 : 15);
    if (option->kind == PERLANE_OPTION_CHOICE)
      assert_true(option->choice_count - 1 == (int32_t)option->max);
    assert_int_equal(option->choice_count > 0, option->kind == PERLANE_OPTION_CHOICE);
    for (int j = i + 1; j < OPTION_COUNT; j++) {
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
      perlane_basis value;
      memcpy(&value, at(&params, &OPTIONS[i]), sizeof value);
      assert_int_equal((int)value, c);
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
  expected.amplitude = 1;
  expected.value_scale = 1;
  expected.contrast = 1;
  expected.terrace_sharpness = 0.7;
  assert_same(&params, &expected, "");
}

/* The dimensions of the records are those that fields exist in. */
static void dimensions_of_choices(void **state) {
  (void)state;
  static const char *const with_dims[] = {"basis", "hash", "gradients", "fractal", "normalize"};
  for (size_t i = 0; i < sizeof with_dims / sizeof with_dims[0]; i++) {
    const perlane_option *option = perlane_option_find(with_dims[i]);
    for (int c = 0; c < option->choice_count; c++)
      for (int d = 1; d <= PERLANE_MAX_DIMS; d++) {
        perlane_params params = perlane_params_default();
        assert_int_equal(perlane_params_set(&params, option->name, option->choices[c].name),
                         PERLANE_OK);
        give_tables(&params, d);
        const perlane_noise noise = noise_of(&params);
        float low, high;
        assert_int_equal(perlane_range(&noise, d, &low, &high),
                         option->choices[c].dims >> (d - 1) & 1 ? PERLANE_OK
                                                                : PERLANE_ERROR_FIELD_DIMS);
      }
  }
}

/* ---- Round trips ---- */

static void random_params_round_trip(void **state) {
  (void)state;
  struct random random = random_start("options, round trips");
  const size_t cases = effort(100000);
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
    for (int o = 0; o < OPTION_COUNT; o++) {
      char name[40], value[MAX_VALUE], spaced[MAX_TEXT + 1];
      snprintf(name, sizeof name, " %s=", OPTIONS[o].name);
      snprintf(spaced, sizeof spaced, " %s", text);
      assert_int_equal(strstr(spaced, name) != NULL, !is_same(&params, &standard, &OPTIONS[o]));
      assert_true(perlane_params_get(&params, OPTIONS[o].name, value, sizeof value) < sizeof value);
      read = marked_params();
      assert_int_equal(perlane_params_set(&read, OPTIONS[o].name, value), PERLANE_OK);
      assert_true(is_same(&read, &params, &OPTIONS[o]));
    }
  }
  print_message("longest text: %zu bytes\n", longest);
}

/* The fewest digits: of the digits that are read back, none are shorter by libc's rounding. */
static void reals_are_shortest(void **state) {
  (void)state;
  struct random random = random_start("options, digits");
  const perlane_option any = {.min = -DBL_MAX, .max = DBL_MAX};
  const size_t cases = effort(50000);
  for (size_t i = 0; i < cases; i++) {
    const double value = random_real(&random, &any);
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

static void texts_of_values(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    perlane_status status;
    const char *printed; /* NULL for an error */
  } cases[] = {
      {"seed", "7", PERLANE_OK, "7"},
      {"seed", "007", PERLANE_OK, "7"},
      {"seed", "0x1F", PERLANE_OK, "31"},
      {"seed", "0Xffffffffffffffff", PERLANE_OK, "18446744073709551615"},
      {"seed", "18446744073709551615", PERLANE_OK, "18446744073709551615"},
      {"seed", "18446744073709551616", PERLANE_ERROR_PARAMETER, NULL},
      {"seed", "0x10000000000000000", PERLANE_ERROR_PARAMETER, NULL},
      {"seed", "99999999999999999999999", PERLANE_ERROR_PARAMETER, NULL},
      {"seed", "-1", PERLANE_ERROR_PARAMETER, NULL},
      {"seed", "0x", PERLANE_ERROR_PARAMETER, NULL},
      {"seed", "1F", PERLANE_ERROR_PARAMETER, NULL},
      {"seed", "1e3", PERLANE_ERROR_PARAMETER, NULL},
      {"seed", "", PERLANE_ERROR_PARAMETER, NULL},
      {"seed", "7 ", PERLANE_ERROR_PARAMETER, NULL},
      {"octaves_share", "on", PERLANE_OK, "on"},
      {"octaves-share", "1", PERLANE_ERROR_PARAMETER, NULL},
      {"phase", "none", PERLANE_OK, "none"},
      {"phase", "random", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "0.002", PERLANE_OK, "0.002"},
      {"frequency", ".5", PERLANE_OK, "0.5"},
      {"frequency", "5.", PERLANE_OK, "5"},
      {"frequency", "+2E-3", PERLANE_OK, "0.002"},
      {"frequency", "0.1000000000000000000000000000000001", PERLANE_OK, "0.1"},
      {"frequency", "1e400", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "1e-400", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "1e99999999999999999999999", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "0", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "-0", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "-1", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "0,5", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "1 ", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", " 1", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", ".", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "1e", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "1e+", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "1.2.3", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "0x1p-4", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "inf", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "nan", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "--1", PERLANE_ERROR_PARAMETER, NULL},
      {"frequency", "1f", PERLANE_ERROR_PARAMETER, NULL},
      {"lacunarity", "0", PERLANE_ERROR_PARAMETER, NULL},
      {"gain", "-0", PERLANE_OK, "-0"},
      {"gain", "0", PERLANE_OK, "0"},
      {"gain", "1e-400", PERLANE_OK, "0"},
      {"gain", "-1e-400", PERLANE_OK, "-0"},
      {"gain", "0e999999999999999999999", PERLANE_OK, "0"},
      {"gain", "1e309", PERLANE_ERROR_PARAMETER, NULL},
      {"octaves", "1", PERLANE_OK, "1"},
      {"octaves", "+32", PERLANE_OK, "32"},
      {"octaves", "0", PERLANE_ERROR_PARAMETER, NULL},
      {"octaves", "33", PERLANE_ERROR_PARAMETER, NULL},
      {"octaves", "8.0", PERLANE_ERROR_PARAMETER, NULL},
      {"octaves", "4294967297", PERLANE_ERROR_PARAMETER, NULL},
      {"octaves", "0x8", PERLANE_ERROR_PARAMETER, NULL},
      {"octaves", "-", PERLANE_ERROR_PARAMETER, NULL},
      {"contrast", "0", PERLANE_OK, "0"},
      {"contrast", "-0", PERLANE_OK, "0"},
      {"contrast", "64", PERLANE_OK, "64"},
      {"contrast", "65", PERLANE_ERROR_PARAMETER, NULL},
      {"weighted_strength", "0", PERLANE_OK, "0"},
      {"weighted-strength", "1", PERLANE_OK, "1"},
      {"weighted_strength", "1.0000000000000002", PERLANE_ERROR_PARAMETER, NULL},
      {"weighted_strength", "1.0000000000000001", PERLANE_OK, "1"},
      {"weighted_strength", "-5e-324", PERLANE_ERROR_PARAMETER, NULL},
      {"ping_pong_strength", "0", PERLANE_ERROR_PARAMETER, NULL},
      {"ping_pong_strength", "5e-324", PERLANE_OK, "5e-324"},
      {"ping_pong_strength", "1024", PERLANE_OK, "1024"},
      {"ping_pong_strength", "1024.1", PERLANE_ERROR_PARAMETER, NULL},
      {"amplitude", "0", PERLANE_ERROR_PARAMETER, NULL},
      {"amplitude", "-0", PERLANE_ERROR_PARAMETER, NULL},
      {"amplitude", "-1", PERLANE_OK, "-1"},
      {"value_scale", "0", PERLANE_OK, "0"},
      {"value_offset", "x", PERLANE_ERROR_PARAMETER, NULL},
      {"basis", "value", PERLANE_OK, "value"},
      {"basis", "values", PERLANE_ERROR_PARAMETER, NULL},
      {"basis", "valu", PERLANE_ERROR_PARAMETER, NULL},
      {"basis", "", PERLANE_ERROR_PARAMETER, NULL},
      {"basis", "1", PERLANE_ERROR_PARAMETER, NULL},
      {"basis", "Value", PERLANE_ERROR_PARAMETER, NULL},
      {"hash", "primes", PERLANE_OK, "primes"},
      {"hash", "prime", PERLANE_ERROR_PARAMETER, NULL},
      {"gradients", "sphere", PERLANE_OK, "sphere"},
      {"gradients", "ball", PERLANE_ERROR_PARAMETER, NULL},
      {"fade", "cubic", PERLANE_OK, "cubic"},
      {"fade", "sine", PERLANE_ERROR_PARAMETER, NULL},
      {"fractal", "ping_pong", PERLANE_OK, "ping_pong"},
      {"fractal", "ping-pong", PERLANE_OK, "ping_pong"},
      {"fractal", "pingpong", PERLANE_ERROR_PARAMETER, NULL},
      {"normalize", "octaves", PERLANE_OK, "octaves"},
      {"normalize", "all", PERLANE_ERROR_PARAMETER, NULL},
      {"basis", "cellular", PERLANE_OK, "cellular"},
      {"jitter", "0", PERLANE_OK, "0"},
      {"jitter", "1", PERLANE_OK, "1"},
      {"jitter", "1.0000000000000002", PERLANE_ERROR_PARAMETER, NULL},
      {"jitter", "-0.1", PERLANE_ERROR_PARAMETER, NULL},
      {"cell_metric", "euclidean", PERLANE_OK, "euclidean"},
      {"cell-metric", "squared", PERLANE_OK, "squared"},
      {"cell_metric", "manhattan", PERLANE_OK, "manhattan"},
      {"cell_metric", "chebyshev", PERLANE_OK, "chebyshev"},
      {"cell_metric", "taxicab", PERLANE_ERROR_PARAMETER, NULL},
      {"cell_output", "f2-minus-f1", PERLANE_OK, "f2_minus_f1"},
      {"cell_output", "f2", PERLANE_OK, "f2"},
      {"cell_output", "value", PERLANE_OK, "value"},
      {"cell_output", "f3", PERLANE_ERROR_PARAMETER, NULL},
      {"fractal", "eroded", PERLANE_OK, "eroded"},
      {"erosion", "0", PERLANE_OK, "0"},
      {"erosion", "1000", PERLANE_OK, "1000"},
      {"erosion", "1000.1", PERLANE_ERROR_PARAMETER, NULL},
      {"erosion", "-5e-324", PERLANE_ERROR_PARAMETER, NULL},
      {"normalize", "spread", PERLANE_OK, "spread"},
      {"warp_amplitude", "0", PERLANE_OK, "0"},
      {"warp_amplitude", "1e308", PERLANE_OK, "1e308"},
      {"warp_amplitude", "-1", PERLANE_ERROR_PARAMETER, NULL},
      {"warp_amplitude", "inf", PERLANE_ERROR_PARAMETER, NULL},
      {"warp_frequency", "0.5", PERLANE_OK, "0.5"},
      {"warp_frequency", "0", PERLANE_ERROR_PARAMETER, NULL},
      {"warp_octaves", "16", PERLANE_OK, "16"},
      {"warp_octaves", "17", PERLANE_ERROR_PARAMETER, NULL},
      {"warp_octaves", "0", PERLANE_ERROR_PARAMETER, NULL},
      {"warp_lacunarity", "0", PERLANE_ERROR_PARAMETER, NULL},
      {"warp_gain", "-0.5", PERLANE_OK, "-0.5"},
      {"warp_gain", "nan", PERLANE_ERROR_PARAMETER, NULL},
      {"warp_rounds", "3", PERLANE_OK, "3"},
      {"warp_rounds", "4", PERLANE_ERROR_PARAMETER, NULL},
      {"terraces", "1024", PERLANE_OK, "1024"},
      {"terraces", "1025", PERLANE_ERROR_PARAMETER, NULL},
      {"terraces", "-1", PERLANE_ERROR_PARAMETER, NULL},
      {"terrace_sharpness", "0", PERLANE_OK, "0"},
      {"terrace_sharpness", "0.9999999999999999", PERLANE_OK, "0.9999999999999999"},
      {"terrace_sharpness", "1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve_shape", "smooth", PERLANE_OK, "smooth"},
      {"curve_shape", "cubic", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "none", PERLANE_OK, "none"},
      {"curve", "-1:-1,0:0.2,1:1", PERLANE_OK, "-1:-1,0:0.2,1:1"},
      {"curve", "-.5:+2e-1,1.:1E3", PERLANE_OK, "-0.5:0.2,1:1000"},
      {"curve", "-1000000:1000000,1000000:-1000000", PERLANE_OK,
       "-1000000:1000000,1000000:-1000000"},
      {"curve", "0:-0,1:0", PERLANE_OK, "0:-0,1:0"},
      {"curve", "0:0,0.000001:1", PERLANE_OK, "0:0,1e-6:1"},
      {"curve", "0:0,0.00000099:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "100:0,100.00001:1", PERLANE_OK, "100:0,100.00001:1"},
      {"curve", "100:0,100.000002:1", PERLANE_ERROR_PARAMETER, NULL}, /* equal as floats */
      {"curve", "0:0,1000000.1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0:-1000000.1,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "1:2", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "1:2,1:3", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "1:2,0:3", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "a:b", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0:0,a:b", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "nan:0,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0:nan,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0:inf,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0:0,1:1,", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", ",0:0,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0:0,,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0:0:0,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0:0,1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0,1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "0:,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", ":0,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", ":", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "None", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "none,1:1", PERLANE_ERROR_PARAMETER, NULL},
      {"curve", "1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1,13:1,14:1,15:1,16:0",
       PERLANE_OK, "1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1,13:1,14:1,15:1,16:0"},
      {"curve", "1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1,13:1,14:1,15:1,16:0,17:1",
       PERLANE_ERROR_PARAMETER, NULL},
      {"period", "8", PERLANE_OK, "8"},
      {"period", "8,8", PERLANE_OK, "8,8"},
      {"period", "0,0,3,0", PERLANE_OK, "0,0,3"},
      {"period", "1073741824,1,2,3", PERLANE_OK, "1073741824,1,2,3"},
      {"period", "1073741825", PERLANE_ERROR_PARAMETER, NULL},
      {"period", "-1", PERLANE_ERROR_PARAMETER, NULL},
      {"period", "1,2,3,4,5", PERLANE_ERROR_PARAMETER, NULL},
      {"period", "1,2,3,4,", PERLANE_ERROR_PARAMETER, NULL},
      {"period", "1,", PERLANE_ERROR_PARAMETER, NULL},
      {"period", ",1", PERLANE_ERROR_PARAMETER, NULL},
      {"period", "", PERLANE_ERROR_PARAMETER, NULL},
      {"table_offset", "-2147483648,2147483647", PERLANE_OK, "-2147483648,2147483647"},
      {"table_offset", "2147483648", PERLANE_ERROR_PARAMETER, NULL},
      {"table_offset", "-2147483649", PERLANE_ERROR_PARAMETER, NULL},
      {"preset", "improved", PERLANE_ERROR_OPTION, NULL},
      {"", "7", PERLANE_ERROR_OPTION, NULL},
      {"see", "7", PERLANE_ERROR_OPTION, NULL},
      {"seeds", "7", PERLANE_ERROR_OPTION, NULL},
      {"Seed", "7", PERLANE_ERROR_OPTION, NULL},
      {"reserved", "7", PERLANE_ERROR_OPTION, NULL},
      {"hash_table", "7", PERLANE_ERROR_OPTION, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const perlane_params before = marked_params();
    perlane_params params = before;
    const perlane_status status = perlane_params_set(&params, cases[i].name, cases[i].text);
    if (status != cases[i].status)
      fail_msg("%s \"%s\": status %d, not %d", cases[i].name, cases[i].text, (int)status,
               (int)cases[i].status);
    char text[200] = "before";
    if (status == PERLANE_OK) {
      assert_int_equal(perlane_params_get(&params, cases[i].name, text, sizeof text),
                       strlen(cases[i].printed));
      assert_string_equal(text, cases[i].printed);
    } else {
      assert_same(&params, &before, cases[i].text);
    }
    /* perlane_params_parse agrees, where the text can be one of its values. */
    if (strchr(cases[i].text, ' ') || cases[i].name[0] == '\0' ||
        strcmp(cases[i].name, "preset") == 0)
      continue;
    perlane_params parsed = before;
    snprintf(text, sizeof text, "%s=%s", cases[i].name, cases[i].text);
    assert_int_equal(perlane_params_parse(&parsed, text, NULL), cases[i].status);
    assert_same(&parsed, &params, text);
  }
}

/* What perlane_params_set refuses, perlane_init refuses for the same reason. */
static void bounds_are_those_of_init(void **state) {
  (void)state;
  static const double special[] = {NAN,       INFINITY,   -INFINITY, 0,    -0.0,    -1,
                                   0x1p-1074, -0x1p-1074, -DBL_MAX,  1.25, DBL_MAX, 1e6};
  for (int o = 0; o < OPTION_COUNT; o++) {
    const perlane_option *option = perlane_option_at(o);
    const double near[] = {option->min,
                           option->max,
                           nextafter(option->min, -INFINITY),
                           nextafter(option->max, INFINITY),
                           option->min - 1,
                           option->max + 1,
                           INT32_MIN,
                           INT32_MAX};
    for (size_t i = 0; i < sizeof special / sizeof special[0] + sizeof near / sizeof near[0]; i++) {
      const size_t specials = sizeof special / sizeof special[0];
      const double value = i < specials ? special[i] : near[i - specials];
      perlane_params params = perlane_params_default(), set = params;
      char text[100];
      if (option->kind == PERLANE_OPTION_REAL) {
        memcpy(at(&params, &OPTIONS[o]), &value, sizeof value);
      } else if (option->kind == PERLANE_OPTION_INTEGER || option->kind == PERLANE_OPTION_AXES) {
        if (!(value >= INT32_MIN && value <= INT32_MAX))
          continue;
        const int32_t integer = (int32_t)value;
        memcpy(at(&params, &OPTIONS[o]), &integer, sizeof integer);
      } else if (option->kind == PERLANE_OPTION_CHOICE) {
        if (!(value >= INT32_MIN && value <= INT32_MAX))
          continue;
        const perlane_basis choice = (perlane_basis)(int)value;
        memcpy(at(&params, &OPTIONS[o]), &choice, sizeof choice);
      } else {
        continue;
      }
      assert_true(perlane_params_get(&params, option->name, text, sizeof text) < sizeof text);
      const perlane_status status = perlane_params_set(&set, option->name, text);
      assert_true(status == PERLANE_OK || status == PERLANE_ERROR_PARAMETER);
      if (status == PERLANE_OK)
        assert_true(is_same(&set, &params, &OPTIONS[o]));
      perlane_noise noise;
      if (status != PERLANE_OK)
        assert_int_equal(perlane_init(&noise, &params), PERLANE_ERROR_PARAMETER);
    }
  }
}

/* A curve that perlane_init refuses is printed as it is, and its text is refused, too. */
static void curves_that_are_none(void **state) {
  (void)state;
  static const struct {
    int32_t count;
    double point[3][2];
  } CASES[] = {
      {1, {{0, 0}}},
      {-1, {{0, 0}}},
      {PERLANE_MAX_CURVE_POINTS + 1, {{0, 0}, {1, 1}, {2, 2}}},
      {INT32_MIN, {{0, 0}, {1, 1}, {2, 2}}},
      {INT32_MAX, {{0, 0}, {1, 1}, {2, 2}}},
      {2, {{0, 0}, {0, 1}}},
      {2, {{1, 0}, {0, 1}}},
      {2, {{0, 0}, {0.9e-6, 1}}},
      {3, {{0, 0}, {1, 1}, {1, 1}}},
      {2, {{NAN, 0}, {1, 1}}},
      {2, {{0, 0}, {NAN, 1}}},
      {2, {{0, NAN}, {1, 1}}},
      {2, {{0, 0}, {1, INFINITY}}},
      {2, {{-INFINITY, 0}, {1, 1}}},
      {2, {{0, 0}, {1000000.5, 1}}},
      {2, {{0, 0}, {1, -1000000.5}}},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    perlane_params params = perlane_params_default(), read = params;
    const perlane_params before = params;
    params.curve.count = CASES[i].count;
    for (int p = 0; p < PERLANE_MAX_CURVE_POINTS; p++)
      params.curve.point[p][0] = p;
    memcpy(params.curve.point, CASES[i].point, sizeof CASES[i].point);
    perlane_noise noise;
    assert_int_equal(perlane_init(&noise, &params), PERLANE_ERROR_PARAMETER);
    char text[MAX_VALUE];
    assert_true(perlane_params_get(&params, "curve", text, sizeof text) < sizeof text);
    assert_int_equal(perlane_params_set(&read, "curve", text), PERLANE_ERROR_PARAMETER);
    assert_same(&read, &before, text);
  }
  perlane_params params = perlane_params_default();
  perlane_noise noise;
  params.curve.reserved0 = 1;
  assert_int_equal(perlane_init(&noise, &params), PERLANE_ERROR_PARAMETER);
}

static void texts_of_fields(void **state) {
  (void)state;
  enum { NOWHERE = 777 };
  static const struct {
    const char *text;
    perlane_status status;
    size_t where;
    const char *printed;
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
      {"seed=1 preset=improved", PERLANE_ERROR_PRESET, 7, NULL},
      {"preset=improved preset=improved", PERLANE_ERROR_PRESET, 16, NULL},
      {"preset=", PERLANE_ERROR_PRESET, 0, NULL},
      {"preset=improve", PERLANE_ERROR_PRESET, 0, NULL},
      {"  preset=improvedx", PERLANE_ERROR_PRESET, 2, NULL},
      {"preset", PERLANE_ERROR_SYNTAX, 0, NULL},
      {"seed", PERLANE_ERROR_SYNTAX, 0, NULL},
      {"seed=7 octaves", PERLANE_ERROR_SYNTAX, 7, NULL},
      {"seed=7  =8", PERLANE_ERROR_SYNTAX, 8, NULL},
      {"seed = 7", PERLANE_ERROR_SYNTAX, 0, NULL},
      {"seed=7,octaves=8", PERLANE_ERROR_PARAMETER, 0, NULL},
      {"seed=7 octaves=", PERLANE_ERROR_PARAMETER, 7, NULL},
      {"octaves==8", PERLANE_ERROR_PARAMETER, 0, NULL},
      {"seed=7 octave=8", PERLANE_ERROR_OPTION, 7, NULL},
      {"seed=7 octaves=8\tgain=x seed=y", PERLANE_ERROR_PARAMETER, 17, NULL},
      {"hash_table=7", PERLANE_ERROR_OPTION, 0, NULL},
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
    if (status != PERLANE_OK) {
      assert_same(&params, &before, cases[i].text);
      assert_int_equal(perlane_params_parse(&params, cases[i].text, NULL), status);
      continue;
    }
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
}

/* A buffer of any size gets the beginning of the text, and no byte after it is written. */
static void buffers_of_every_size(void **state) {
  (void)state;
  struct random random = random_start("options, buffers");
  for (int i = 0; i < 50; i++) {
    const perlane_params params = random_text_params(&random);
    char whole[MAX_TEXT], cut[MAX_TEXT + 1];
    for (int o = -1; o < OPTION_COUNT; o++) {
      const char *name = o < 0 ? NULL : OPTIONS[o].name;
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

/* ---- Damaged texts ---- */

/* Parses a text in memory of exactly its size, so that a read after it is found, and checks what
 * holds for any text. */
static perlane_status parse_any(const char *text, size_t length) {
  char *exact = malloc(length + 1);
  assert_non_null(exact);
  memcpy(exact, text, length);
  exact[length] = '\0';
  const perlane_params before = marked_params();
  perlane_params params = before;
  size_t where = SIZE_MAX;
  const perlane_status status = perlane_params_parse(&params, exact, &where);
  if (status == PERLANE_OK) {
    char printed[MAX_TEXT];
    perlane_params again = perlane_params_default(), kept = params;
    assert_int_equal(where, SIZE_MAX);
    assert_true(perlane_params_print(&params, printed, sizeof printed) < sizeof printed);
    assert_int_equal(perlane_params_parse(&again, printed, NULL), PERLANE_OK);
    for (int i = 0; i < OTHER_COUNT; i++)
      memcpy(at(&kept, &OTHERS[i]), at(&again, &OTHERS[i]), OTHERS[i].size);
    assert_same(&again, &kept, printed);
  } else {
    assert_same(&params, &before, exact);
    assert_true(where < strlen(exact));
    assert_true(where == 0 || strchr(" \t\n\v\f\r", exact[where - 1]) != NULL);
    assert_null(strchr(" \t\n\v\f\r", exact[where]));
    /* The text before is right, and the rest is wrong from its first word on, unless that is a
     * preset, which may be first. */
    exact[where] = '\0';
    params = before;
    assert_int_equal(perlane_params_parse(&params, exact, NULL), PERLANE_OK);
    if (where > 0 && status != PERLANE_ERROR_PRESET) {
      exact[where] = text[where];
      size_t rest = SIZE_MAX;
      assert_int_equal(perlane_params_parse(&params, exact + where, &rest), status);
      assert_int_equal(rest, 0);
    }
  }
  free(exact);
  return status;
}

static void prefixes_and_mutations(void **state) {
  (void)state;
  struct random random = random_start("options, mutations");
  static const char bytes[] = " \t\n==--__,,::..eExX+0123456789abcdefpqz\x7f\x80\xff";
  static const char *const words[] = {"preset=improved ",
                                      " seed=",
                                      "=",
                                      ",",
                                      "1e999",
                                      "0x",
                                      "ping-",
                                      "-0",
                                      "  ",
                                      "period=",
                                      "curve=",
                                      "0:1,",
                                      "18446744073709551616",
                                      "nan",
                                      "0000000000.",
                                      "e-",
                                      "="};
  size_t accepted = 0, refused = 0;
  const size_t cases = effort(2000);
  for (size_t i = 0; i < cases; i++) {
    char text[2 * MAX_TEXT], inserted[2 * MAX_TEXT];
    const perlane_params params = random_text_params(&random);
    size_t length = perlane_params_print(&params, text, MAX_TEXT);
    if (i < 200)
      for (size_t prefix = 0; prefix <= length; prefix++)
        parse_any(text, prefix);
    for (int j = 0; j < 20; j++) {
      const size_t place = random_below(&random, length + 1);
      const char *word = words[random_below(&random, sizeof words / sizeof words[0])];
      switch (random_below(&random, 4)) {
      case 0: /* replaced */
        if (place < length)
          text[place] = bytes[random_below(&random, sizeof bytes - 1)];
        break;
      case 1: /* left out */
        if (place < length)
          memmove(text + place, text + place + 1, --length - place);
        break;
      case 2: /* inserted */
        if (length + strlen(word) < sizeof text) {
          snprintf(inserted, sizeof inserted, "%.*s%s%.*s", (int)place, text, word,
                   (int)(length - place), text + place);
          length = strlen(inserted);
          memcpy(text, inserted, length);
        }
        break;
      default: /* cut */
        if (random_below(&random, 8) == 0)
          length = place;
      }
      if (parse_any(text, length) == PERLANE_OK)
        accepted++;
      else
        refused++;
    }
  }
  print_message("mutations: %zu accepted, %zu refused\n", accepted, refused);
  assert_true(accepted > 0 && refused > 0);
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
      {"seed", "a whole number from 0 to 18446744073709551615, decimal or 0x hexadecimal"},
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
      cmocka_unit_test(records_are_complete),
      cmocka_unit_test(defaults_are_documented_ones),
      cmocka_unit_test(dimensions_of_choices),
      cmocka_unit_test(random_params_round_trip),
      cmocka_unit_test(reals_are_shortest),
      cmocka_unit_test(reals_are_rounded_once),
      cmocka_unit_test(numbers_look_plain),
      cmocka_unit_test(texts_of_values),
      cmocka_unit_test(bounds_are_those_of_init),
      cmocka_unit_test(curves_that_are_none),
      cmocka_unit_test(texts_of_fields),
      cmocka_unit_test(presets_come_first),
      cmocka_unit_test(null_pointers),
      cmocka_unit_test(buffers_of_every_size),
      cmocka_unit_test(prefixes_and_mutations),
      cmocka_unit_test(a_decimal_comma_changes_nothing),
      cmocka_unit_test(expected_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
