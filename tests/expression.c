/* SPDX-License-Identifier: MIT
 *
 * Expressions: operations on edge values, random expressions by all kernels against single values,
 * gradients, ranges, and fields that change. cases.txt has texts, golden.c test values.
 */
#include "calls.h"

#include <ctype.h>
#include <float.h>
#include <math.h>

#include "../src/kernels.h"
#include "perlane_expression.h"

/* ---- Operations ---- */

static const float EDGES[] = {
    0,       -0.0f,   1,        -1,       0.5f,      -0.3f, 2.5f,    0x1p-149f,       -0x1p-149f,
    FLT_MIN, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN,   0x1p23f, -0x1p22f - 0.5f, 1e30f};
enum { EDGE_COUNT = COUNT_OF(EDGES), TRIPLES = EDGE_COUNT * EDGE_COUNT * EDGE_COUNT };

/* The operations as docs/specification.md defines them. */
#define OPERATION(name, result)                                                                    \
  static float name(float a, float b, float c) {                                                   \
    (void)a, (void)b, (void)c;                                                                     \
    return result;                                                                                 \
  }
OPERATION(of_min, a < b ? a : b)
OPERATION(of_max, a > b ? a : b)
OPERATION(of_negative, float_of(bits_of(a) ^ 0x80000000))
OPERATION(of_abs, fabsf(a))
OPERATION(of_sqrt, sqrtf(a))
OPERATION(of_floor, floorf(a))
OPERATION(of_sum, a + b)
OPERATION(of_difference, a - b)
OPERATION(of_product, (a * b))
OPERATION(of_quotient, a / b)
OPERATION(of_step, b < a ? 0 : 1)
OPERATION(of_clamp, of_min(of_max(a, b, 0), c, 0))
static float of_sums(float a, float b, float c) {
  const float product = b * c;
  return a - product;
}
static float of_mix(float a, float b, float t) {
  const float left = a * (1 - t), right = b * t;
  return left + right;
}
static float of_select(float a, float b, float t) {
  return t < 0.5f ? a : b;
}
static float of_smooth(float low, float high, float a) {
  const float t = of_clamp((a - low) / (high - low), 0, 1), square = t * t;
  return square * (3 - 2 * t);
}
static float of_smooth_min(float a, float b, float c) {
  const float h = of_max(0.25f - fabsf(a - b), 0, 0), square = h * h;
  (void)c;
  return of_min(a, b, 0) - square * (0.25f / 0.25f);
}
static float of_smooth_max(float a, float b, float c) {
  const float h = of_max(0.25f - fabsf(a - b), 0, 0), square = h * h;
  (void)c;
  return of_max(a, b, 0) + square * (0.25f / 0.25f);
}

static float of_curve(float a, float b, float c) {
  const float t = a < 0 ? 0 : a > 2 ? 2 : a, rise = 2 * t;
  (void)b, (void)c;
  return 1 + rise;
}

static const struct {
  const char *text;
  float (*expected)(float a, float b, float c);
} OPERATIONS[] = {{"curve(x, 0:1, 2:5)", of_curve},
                  {"min(x, y)", of_min},
                  {"max(x, y)", of_max},
                  {"-x", of_negative},
                  {"abs(x)", of_abs},
                  {"sqrt(x)", of_sqrt},
                  {"floor(x)", of_floor},
                  {"x + y", of_sum},
                  {"x - y", of_difference},
                  {"x * y", of_product},
                  {"x / y", of_quotient},
                  {"step(x, y)", of_step},
                  {"x - y*z", of_sums},
                  {"-(y*z - x)", of_sums},
                  {"mix(x, y, z)", of_mix},
                  {"select(x, y, z)", of_select},
                  {"clamp(x, y, z)", of_clamp},
                  {"smooth(x, y, z)", of_smooth},
                  {"smooth_min(x, y, 1/4)", of_smooth_min},
                  {"smooth_max(x, y, 0.25)", of_smooth_max}};

static void operations(void **state) {
  (void)state;
  static float coords[3][TRIPLES], out[TRIPLES], slope[2][3][TRIPLES];
  for (size_t i = 0; i < TRIPLES; i++) {
    coords[0][i] = EDGES[i % EDGE_COUNT];
    coords[1][i] = EDGES[i / EDGE_COUNT % EDGE_COUNT];
    coords[2][i] = EDGES[i / EDGE_COUNT / EDGE_COUNT];
  }
  const struct kernel_list kernels = all_kernels();
  for (size_t o = 0; o < COUNT_OF(OPERATIONS); o++) {
    static perlane_noise expression;
    assert_ok(perlane_expression_init(&expression, OPERATIONS[o].text, 0, NULL, NULL));
    for (size_t k = 0; k < kernels.count; k++) {
      const float *const from[] = {coords[0], coords[1], coords[2]};
      const int is_reference = k == 0;
      float *const to[] = {slope[!is_reference][0], slope[!is_reference][1],
                           slope[!is_reference][2]};
      struct perlane_point_list list = {.dims = 3,
                                        .octaves = expression.octaves,
                                        .n = TRIPLES,
                                        .coords = from,
                                        .stride = 1,
                                        .out = out};
      for (int with_gradient = 0; with_gradient < 2; with_gradient++) {
        list.gradient = with_gradient ? to : NULL;
        kernels.table[k]->points(&expression, &list);
        for (size_t i = 0; i < TRIPLES; i++) {
          float expected = OPERATIONS[o].expected(coords[0][i], coords[1][i], coords[2][i]);
          if (expected != expected)
            expected = float_of(0x7FC00000);
          if (OPERATIONS[o].text[0] == '-' &&
              expected == 0) /* of -(y*z - x), a zero of either sign */
            out[i] = bits_of(out[i]) << 1 == 0 ? expected : out[i];
          if (bits_of(out[i]) != bits_of(expected)) {
            print_message("%s by %s: of %a, %a, %a: %a, not %a\n", OPERATIONS[o].text,
                          kernels.table[k]->name, (double)coords[0][i], (double)coords[1][i],
                          (double)coords[2][i], (double)out[i], (double)expected);
            fail();
          }
        }
      }
      if (!is_reference)
        assert_memory_equal(slope[1], slope[0], sizeof slope[0]);
    }
  }
}

/* Writes an operation with numbers in the place of x, y and z. */
static void put_numbers(char *to, size_t size, const char *text, const float number[3]) {
  size_t length = 0;
  for (const char *c = text; *c != '\0'; c++) {
    const char before = c > text ? c[-1] : ' ';
    const int axis = *c - 'x';
    if (axis < 0 || axis > 2 || (before >= 'a' && before <= 'z') || (c[1] >= 'a' && c[1] <= 'z')) {
      to[length++] = *c;
      continue;
    }
    const float v = number[axis];
    length += (size_t)snprintf(to + length, size - length,
                               isnan(v)   ? "(0/0)"
                               : isinf(v) ? "(%s1/0)"
                                          : "(%s%.17g)",
                               signbit(v) ? "-" : "", fabs((double)v));
  }
  to[length] = '\0';
}

/* The results of operations on numbers in the text. */
static void constants(void **state) {
  (void)state;
  static const double position[] = {0, 0, 0};
  struct random random = random_start("constants");
  for (size_t o = 0; o < COUNT_OF(OPERATIONS); o++)
    for (size_t i = 0; i < TRIPLES; i++) {
      if (!chosen(&random))
        continue;
      static perlane_noise expression;
      const float number[] = {EDGES[i % EDGE_COUNT], EDGES[i / EDGE_COUNT % EDGE_COUNT],
                              EDGES[i / EDGE_COUNT / EDGE_COUNT]};
      char text[200];
      put_numbers(text, sizeof text, OPERATIONS[o].text, number);
      assert_ok(perlane_expression_init(&expression, text, 0, NULL, NULL));
      if (OPERATIONS[o].expected != of_curve)
        assert_int_equal(expression.expression.count, 1);
      float expected = OPERATIONS[o].expected(number[0], number[1], number[2]);
      const float value = perlane_at(&expression, 3, position);
      if (expected != expected)
        expected = float_of(0x7FC00000);
      if (OPERATIONS[o].text[0] == '-' && expected == 0 && value == 0) /* of -(y*z - x) */
        expected = value;
      if (bits_of(value) != bits_of(expected))
        fail_msg("%s: %a, not %a", text, (double)value, (double)expected);
    }
}

/* ---- Random expressions ---- */

enum { FIELDS = 3, ROOM = 1 << 21 };
static perlane_noise fields[FIELDS];
static const char *const NAMES[FIELDS] = {"a", "b", "c"};
static const perlane_noise *const POINTERS[FIELDS] = {&fields[0], &fields[1], &fields[2]};

/* Compares a list of the grid's positions with single values. */
static void compare_points(struct random *random, const perlane_params *params,
                           const perlane_noise *expression, const perlane_grid *grid,
                           enum form form) {
  enum { MOST = 1500 };
  static double coords[PERLANE_MAX_DIMS][MOST];
  const struct call fill = {.grid = *grid};
  const size_t all = samples_of(grid), n = all < MOST ? all : MOST;
  struct call list = {.expression = expression,
                      .grid = grid_of(grid->dims, (size_t[]){n, 1, 1, 1})};
  for (size_t i = 0; i < n; i++) {
    double position[PERLANE_MAX_DIMS];
    position_of(&fill, i, position);
    for (int a = 0; a < grid->dims; a++)
      coords[a][i] = i % 97 == 96 ? 1e300 : position[a]; /* now and then outside the domain */
  }
  for (int a = 0; a < grid->dims; a++)
    list.coords64[a] = coords[a];
  compare_form(random, params, list, form);
}

static void random_expressions(void **state) {
  (void)state;
  struct random random = random_start("random expressions");
  const size_t cases = effort(250);
  size_t done = 0, with_slopes = 0, bounded = 0;
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    perlane_params params[FIELDS];
    for (int f = 0; f < FIELDS; f++) {
      params[f] = random_params(&random, dims);
      set_frequency(&params[f], params[0].frequency);
      make_valid(&params[f], dims);
      fields[f] = noise_of(&params[f]);
    }
    char text[RANDOM_TEXT];
    random_expression(&random, dims, text);
    set_context("%s", text);
    static perlane_noise expression;
    assert_ok(perlane_expression_init(&expression, text, FIELDS, NAMES, POINTERS));
    perlane_grid grid = random_grid(&random, &params[0], dims);
    if (perlane_grid_check(&expression, &grid) != PERLANE_OK)
      continue;
    done++;
    const int has_slopes = expression.sloped >> (dims - 1) & 1;
    const enum form form = random_form(&random);
    const int is_form = form != INTERLEAVED && (has_slopes || !is_sloped(form));
    const struct call fill = {.expression = &expression, .grid = grid};
    assert_true(compare_form(&random, params, fill, is_form ? form : VALUES));
    compare_points(&random, params, &expression, &grid, has_slopes ? GRADIENT : VALUES);
    with_slopes += (size_t)has_slopes;
    float low, high;
    static float all[ROOM / sizeof(float)];
    assert_ok(perlane_range_in(&expression, &grid, &low, &high));
    perlane_grid packed = grid;
    pack(&packed);
    float smallest, largest;
    assert_ok(perlane_fill_extremes(&expression, &packed, all, &smallest, &largest));
    if (smallest < low || largest > high) {
      print_message("%s: values in [%a, %a] are outside [%a, %a]\n", text, (double)smallest,
                    (double)largest, (double)low, (double)high);
      fail();
    }
    bounded += low > -INFINITY && high < INFINITY;
  }
  print_message("%zu of %zu, %zu with gradients, %zu with bounds\n", done, cases, with_slopes,
                bounded);
  assert_true(done > cases / 2 && with_slopes > 0 && bounded > cases / 10);
}

/* PERLANE_OCTAVES_SHOWN, of which cases.txt has grids: a tile has the steps of the whole, a list
 * its own, and a limit of the expression holds for each field, too. */
static void octaves_shown(void **state) {
  (void)state;
  enum { SIDE = 12, COUNT = SIDE * SIDE };
#define TWO_FIELDS(a, b)                                                                           \
  "a = normalize=none frequency=0.015625 octaves=" a                                               \
  "; b = seed=2 normalize=none frequency=0.015625 octaves=" b "; a + at(2*x, 2*y, b)"
  static perlane_noise e, shown, made[2][2];
  static float got[3][COUNT], expected[3][COUNT], coords[2][COUNT];
  float *const to[] = {got[1], got[2]}, *const right[] = {expected[1], expected[2]};
  assert_ok(perlane_expression_init_text(&e, TWO_FIELDS("8", "8"), 2, made[0], NULL));
  assert_ok(perlane_expression_init_text(&shown, TWO_FIELDS("4", "3"), 2, made[1], NULL));
  perlane_grid grid = perlane_grid_make(SIDE, SIDE, 0, 0);
  grid.step[0] = grid.step[1] = 4;
  for (int i = 0; i < COUNT; i++) {
    coords[0][i] = 4 * (float)(i % SIDE);
    coords[1][i] = 4 * (float)(i / SIDE);
  }
  perlane_list list = {.dims = 2, .count = COUNT, .coords = {coords[0], coords[1]}, .step = 4};
  for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO; isa = next_isa(isa)) {
    force(isa);
    grid.octaves = list.octaves = PERLANE_OCTAVES_SHOWN;
    assert_ok(perlane_points(&e, &list, got[0], to));
    list.octaves = 0;
    assert_ok(perlane_points(&shown, &list, expected[0], right));
    assert_memory_equal(got, expected, sizeof got);
    perlane_grid last_row = grid;
    last_row.first[1] = SIDE - 1;
    last_row.count[1] = 1;
    assert_ok(perlane_fill(&e, &last_row, got[0]));
    assert_memory_equal(got[0], expected[0] + COUNT - SIDE, SIDE * sizeof(float));
    perlane_noise least = e;
    assert_ok(perlane_limit_octaves(&least, 1));
    assert_ok(perlane_fill(&least, &grid, got[0]));
    grid.octaves = 1;
    assert_ok(perlane_fill(&e, &grid, expected[0]));
    assert_memory_equal(got[0], expected[0], sizeof got[0]);
  }
  force(PERLANE_ISA_AUTO);
}

/* What stands twice in a text has the same bits as where the second is of copies of the fields, so
 * that the program does not know that they are equal. */
static void repeated(void **state) {
  (void)state;
  enum { COLUMNS = 70, ROWS = 20, MOST = COLUMNS * ROWS };
  static const char *const TWICE[] = {
      "(%s)-floor(%s)", "max(0.1,(%s)*2)+(%s)", "smooth_min(%s,y*%s,0.3)*x", "at(x+%s,y-2*(%s),a)",
      "b-(%s)*(%s)",
      /* there is hardly room for kept results */
      "a/(b/(c/(a/(b/(c/(a/(b/(c/(a/(b/(c/((%s)-floor(%s))))))))))))))"};
  static const char *const ALL[] = {"a", "b", "c", "d", "e", "f"};
  static perlane_noise copies[FIELDS], shared, apart;
  static float out[2][3][MOST];
  const perlane_noise *const all[] = {&fields[0], &fields[1], &fields[2],
                                      &copies[0], &copies[1], &copies[2]};
  struct random random = random_start("repeated");
  size_t shorter = 0;
  const size_t cases = effort(200) > 40 ? effort(200) : 40; /* few may have none */
  fields[0] = noise_from("octaves=2");
  fields[1] = noise_from("seed=2 basis=value frequency=0.03");
  fields[2] = noise_from("seed=3 fractal=ridged");
  memcpy(copies, fields, sizeof copies);
  for (size_t c = 0; c < cases; c++) {
    char part[RANDOM_TEXT], other[RANDOM_TEXT], text[2][3 * RANDOM_TEXT];
    random_expression(&random, 2, part);
    size_t i = 0;
    for (; part[i] != '\0'; i++) {
      const int is_field =
          strchr("abc", part[i]) && !isalpha(part[i + 1]) && (i == 0 || !isalnum(part[i - 1]));
      other[i] = is_field ? (char)(part[i] + FIELDS) : part[i];
    }
    other[i] = '\0';
    const char *form = TWICE[random_below(&random, COUNT_OF(TWICE))];
    snprintf(text[0], sizeof text[0], form, part, part);
    snprintf(text[1], sizeof text[1], form, part, other);
    if (perlane_expression_init(&apart, text[1], 2 * FIELDS, ALL, all) != PERLANE_OK)
      continue; /* too long */
    assert_ok(perlane_expression_init(&shared, text[0], 2 * FIELDS, ALL, all));
    shorter += shared.expression.count < apart.expression.count;
    const size_t count[] = {COLUMNS, ROWS};
    perlane_grid grid = grid_of(2, count);
    grid.origin[0] = random_between(&random, -100, 100);
    for (int k = 0; k < 2; k++) {
      force_any(&random);
      assert_ok(perlane_fill_gradient(k ? &apart : &shared, &grid, out[k][0],
                                      (float *const[]){out[k][1], out[k][2]}));
    }
    if (memcmp(out[0], out[1], sizeof out[0]) != 0)
      fail_msg("%s differs from %s", text[0], text[1]);
    const double position[] = {grid.origin[0], 0};
    assert_int_equal(bits_of(perlane_at(&shared, 2, position)), bits_of(out[0][0][0]));
  }
  force(PERLANE_ISA_AUTO);
  print_message("%zu of %zu have a shorter program\n", shorter, cases);
  assert_true(shorter * 8 > cases);
}

/* ---- Grids ---- */

/* A tile is a crop of the whole, and samples are single values, in maps and volumes of several
 * strips and tiles, whose stores bypass the caches; also of at() with fewer or other axes. */
static void tiles(void **state) {
  (void)state;
  static const char *const TEXT[] = {
      "a - 0.3*b", "mix(a, at(y, c), smooth(-0.1, 0.1, b)) + 0.01*x", "at(x + 3*a, y, b) * c",
      "min(at(x, y, a), at(x, z, b)) - at(y, z, c)", "max(0.02*y, a) - b",
      /* What planes share, and more of it than there is room for. */
      "at(x + 9*at(x, y, b), 2*y, a) * (c - z) + sqrt(at(x + 9*at(x, y, b), 2*y, a) + 1)",
      ("(x*at(x, y, a) + z)*(a + abs(x)) - floor(x*9) + z*at(x, 3, b) - (b + abs(x))*(x + sqrt(y)) "
       "+"
       "(c + abs(at(x - 0.5, y, c)))/(floor(x*9) + a)")};
  static const size_t COUNT[][4] = {{1300, 900}, {1025, 1030}, {40, 30, 1000}, {300, 70, 60}};
  static const char *const OPTIONS[FIELDS] = {"octaves=3", "octaves=2 fractal=ridged seed=7",
                                              "basis=value"};
  enum { MOST = 1400 * 1000 };
  static float whole[MOST], part[MOST];
  static unsigned char work[PERLANE_WORK_BYTES];
  struct random random = random_start("tiles");
  for (int f = 0; f < FIELDS; f++)
    fields[f] = noise_from(OPTIONS[f]);
  for (size_t t = 0; t < COUNT_OF(TEXT); t++)
    for (size_t s = 0; s < COUNT_OF(COUNT); s++) {
      if (!chosen(&random))
        continue;
      static perlane_noise expression;
      assert_ok(perlane_expression_init(&expression, TEXT[t], FIELDS, NAMES, POINTERS));
      perlane_grid grid = grid_of(COUNT[s][2] ? 3 : 2, COUNT[s]);
      grid.work = work;
      grid.work_bytes = sizeof work;
      float *const out = whole + random_below(&random, 17);
      force_lanes(&random);
      assert_ok(perlane_fill(&expression, &grid, out));
      assert_ok(perlane_force_isa(PERLANE_ISA_SCALAR));
      for (int i = 0; i < 100; i++) {
        const size_t n = random_below(&random, samples_of(&grid));
        const struct call positions = {.grid = grid};
        double position[PERLANE_MAX_DIMS];
        position_of(&positions, n, position);
        if (bits_of(out[n]) != bits_of(perlane_at(&expression, grid.dims, position)))
          fail_msg("%s: sample %zu of %zu differs", TEXT[t], n, s);
      }
      for (int i = 0; i < 6; i++) {
        perlane_grid tile = grid;
        size_t first[4] = {0}, n = 1;
        for (int a = 0; a < grid.dims; a++) {
          first[a] = random_below(&random, grid.count[a]);
          tile.count[a] = 1 + random_below(&random, (grid.count[a] - first[a]) / 4 + 1);
          tile.first[a] = (int64_t)first[a];
          tile.stride[a] = 0;
          n *= tile.count[a];
        }
        tile.work = i % 2 ? work : NULL;
        tile.work_bytes = i % 2 ? 1000 * (size_t)random_below(&random, 260) : 0;
        tile.octaves = 0;
        force_lanes(&random);
        assert_ok(perlane_fill(&expression, &tile, part));
        for (size_t j = 0; j < n; j++) {
          const size_t x = j % tile.count[0], y = j / tile.count[0] % tile.count[1];
          const size_t z = j / tile.count[0] / tile.count[1];
          const float expected =
              out[((first[2] + z) * grid.count[1] + first[1] + y) * grid.count[0] + first[0] + x];
          if (bits_of(part[j]) != bits_of(expected)) {
            print_message("%s: tile %d of %zu differs at %zu %zu %zu\n", TEXT[t], i, s, x, y, z);
            fail();
          }
        }
      }
    }
  force(PERLANE_ISA_AUTO);
}

/* Derivatives are those of differences. Steps of 1/64 leave an error of about their square, and of
 * roundings of floats, 2^-24, over them. */
static void gradients(void **state) {
  (void)state;
  static const char *const TEXT[] = {"a*b - 2*a/(3 + b)",
                                     "sqrt(2 + a) * smooth(-1, 1.5, b)",
                                     "mix(a, b, 0.3*a + 0.01*x)",
                                     "smooth_min(a, b, 0.4) + smooth_max(a*b, 0.1*b, 0.2)",
                                     "at(x + 2*a, y - b, a) * at(y, b)",
                                     "abs(2 + a) - at(0.5*y, 3 + x, b)",
                                     "clamp(a, -2, 2) + max(b, -3) - min(a, 5)"};
  struct random random = random_start("gradients");
  fields[0] = noise_from("frequency=0.05");
  fields[1] = noise_from("frequency=0.04 seed=3");
  for (size_t t = 0; t < COUNT_OF(TEXT); t++) {
    static perlane_noise expression;
    assert_ok(perlane_expression_init(&expression, TEXT[t], 2, NAMES, POINTERS));
    for (int i = 0; i < 300; i++) {
      const double h = 0.0625,
                   p[] = {random_between(&random, -50, 50), random_between(&random, -50, 50)};
      float gradient[2];
      perlane_at_gradient(&expression, 2, p, gradient);
      for (int a = 0; a < 2; a++) {
        double above[] = {p[0], p[1]}, below[] = {p[0], p[1]};
        above[a] += h;
        below[a] -= h;
        const double difference = ((double)perlane_at(&expression, 2, above) -
                                   (double)perlane_at(&expression, 2, below)) /
                                  (2 * h);
        if (fabs(difference - (double)gradient[a]) > 2e-3)
          fail_msg("%s: derivative %g, difference %g", TEXT[t], (double)gradient[a], difference);
      }
    }
  }
}

/* Positions of at() are in double: a field that is moved, rotated and scaled has the same values
 * far out as it has where it is found by hand; so do grids of all kernels. */
static void places(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double row[2][3]; /* factors of x and y, and a number */
  } PLACES[] = {{"at(0.8*x - 0.6*y, 0.6*x + 0.8*y, a)", {{0.8, -0.6, 0}, {0.6, 0.8, 0}}},
                {"at(-(x - 7.1), 2*(1/4 + x + y), a)", {{-1, 0, 7.1}, {2, 2, 0.5}}},
                {"at(y, y/3 + 1e-3*(b - b), a)", {{0, 1, 0}, {0, 1 / 3.0, 0}}}};
  static const double START[] = {-3.3, 1e6 + 0.1, -1e10 + 0.7, 1e15 + 0.5};
  enum { COLUMNS = 37, ROWS = 5 };
  fields[0] = noise_from("octaves=2 frequency=0.3");
  fields[1] = noise_from("");
  for (size_t p = 0; p < COUNT_OF(PLACES); p++)
    for (size_t s = 0; s < COUNT_OF(START) * COUNT_OF(START); s++) {
      static perlane_noise expression;
      const double(*row)[3] = PLACES[p].row;
      const size_t count[] = {COLUMNS, ROWS};
      const struct kernel_list kernels = all_kernels();
      float out[COLUMNS * ROWS];
      perlane_grid grid = grid_of(2, count);
      grid.origin[0] = START[s % COUNT_OF(START)];
      grid.origin[1] = START[s / COUNT_OF(START)];
      grid.step[0] = grid.step[1] = 0.7;
      assert_ok(perlane_expression_init(&expression, PLACES[p].text, 2, NAMES, POINTERS));
      for (size_t k = 0; k < kernels.count; k++) {
        const struct perlane_region region = region_of(&expression, &grid);
        const struct perlane_output output = {.format = FORMAT_FLOAT, .value = out};
        kernels.table[k]->fill(&expression, &region, &output);
        for (size_t i = 0; i < COLUMNS * ROWS; i++) {
          const double x = grid.origin[0] + (double)(i % COLUMNS) * grid.step[0];
          const double y = grid.origin[1] + (double)(i / COLUMNS) * grid.step[1];
          double place[2];
          for (int j = 0; j < 2; j++)
            place[j] = row[j][0] * x + row[j][1] * y + row[j][2];
          const float expected = perlane_at(&fields[0], 2, place);
          if (bits_of(out[i]) != bits_of(expected))
            fail_msg("%s by %s at %.17g, %.17g: %a, not %a", PLACES[p].text, kernels.table[k]->name,
                     x, y, (double)out[i], (double)expected);
        }
      }
    }
}

/* Values of each operation are within its bounds where operands have small or large, positive or
 * negative, narrow or wide bounds. */
static void boxes(void **state) {
  (void)state;
  static const char *const OTHERS[] = {"x*x - y", "y + x*x", "(x - y)*(x - y)", "z - x*x",
                                       "mix(3/7, 3/7, x)"}; /* beyond its ends by roundings */
  static float out[9 * 9 * 9];
  struct random random = random_start("boxes");
  for (size_t o = 0; o < COUNT_OF(OPERATIONS) + COUNT_OF(OTHERS); o++) {
    static perlane_noise expression;
    const char *text =
        o < COUNT_OF(OPERATIONS) ? OPERATIONS[o].text : OTHERS[o - COUNT_OF(OPERATIONS)];
    size_t bounded = 0, tight = 0;
    const size_t cases = effort(300) > 60 ? effort(300) : 60; /* fewer say little about the most */
    assert_ok(perlane_expression_init(&expression, text, 0, NULL, NULL));
    for (size_t c = 0; c < cases; c++) {
      const size_t count[] = {9, 9, 9};
      perlane_grid grid = grid_of(3, count);
      for (int a = 0; a < 3; a++) {
        const double scale = ldexp(1, (int)random_below(&random, 12) - 6);
        grid.origin[a] = scale * (double)((int)random_below(&random, 25) - 12);
        grid.step[a] = scale * (double)(1 + random_below(&random, 3)) * 0.7;
      }
      float low, high, smallest, largest;
      assert_ok(perlane_range_in(&expression, &grid, &low, &high));
      assert_ok(perlane_fill_extremes(&expression, &grid, out, &smallest, &largest));
      if (smallest < low || largest > high)
        fail_msg("%s: values in [%a, %a] are outside [%a, %a]", text, (double)smallest,
                 (double)largest, (double)low, (double)high);
      bounded += low > -INFINITY && high < INFINITY;
      tight += high - low <= 1.5f * (largest - smallest);
    }
    print_message("%s: %zu bounded, %zu of %zu by less than 1.5 times the values' range\n", text,
                  bounded, tight, cases);
    assert_true(tight > bounded / 2 || strstr(text, "3/7"));
  }
}

/* ---- Texts ---- */

/* Writes the program that takes the most memory: each field at other places first, as inputs of
 * fewer axes have room only there, then at the samples, then the coordinates, most between two
 * numbers. It has all steps and waiting results that there may be. */
static void write_largest(char *text, char (*name)[4]) {
  enum { MOST = PERLANE_MAX_EXPRESSION_FIELDS, PLAIN = 2 * MOST + PERLANE_MAX_DIMS - 26 };
  const char *from =
      "at(#,#,#, at(#,#,#, at(#,#,#, mix(mix(mix(#, at(at(at(at(at(at(at(#,#,#,#, fa),"
      "#,#,#, fa), #,#,#, fa), #,#,#, fa), #,#,#, fa), #,#,#, fa), #,#,#, fa), #),"
      "#, #), #, 0.5), fa), fa), fa)";
  for (int i = 0; *from; from++) {
    char operand[20];
    if (*from != '#') {
      *text++ = *from;
      continue;
    }
    if (i < MOST)
      snprintf(operand, sizeof operand, "at(x,z,w,%s)", name[i]);
    else if (i < 2 * MOST)
      snprintf(operand, sizeof operand, "%s", name[i - MOST]);
    else
      snprintf(operand, sizeof operand, "%c", "xyzw"[i - 2 * MOST]);
    text +=
        i < PLAIN ? sprintf(text, "%s", operand) : sprintf(text, "clamp(%s,-0.%d,9)", operand, i);
    i++;
  }
  *text = '\0';
}

/* All fields that an expression can have, at as many other places: the memory of a fill, on the
 * stack and given, has room for them. */
static void most_inputs(void **state) {
  (void)state;
  enum {
    MOST = PERLANE_MAX_EXPRESSION_FIELDS,
    NESTED = 12,
    COLUMNS = 70,
    ROWS = 21,
    PLANES = 3,
    TIMES = 2
  };
  static const size_t WORK[] = {0, 54 * 1024, 60000, PERLANE_WORK_BYTES};
  static perlane_noise noises[MOST], expression;
  static unsigned char work[PERLANE_WORK_BYTES];
  static float out[2][5][COLUMNS * ROWS * PLANES * TIMES];
  const perlane_noise *all[MOST];
  char text[2000] = "", name[MOST][4];
  const char *names[MOST];
  for (int kind = 0; kind < 3; kind++) {
    text[0] = '\0';
    for (int i = 0; i < MOST; i++) {
      const size_t length = strlen(text);
      snprintf(name[i], sizeof name[i], "f%c", 'a' + i);
      names[i] = name[i];
      all[i] = &noises[i];
      noises[i] = noise_from(kind == 0 || i % 2 ? "octaves=2" : "basis=value");
      snprintf(text + length, sizeof text - length,
               i < NESTED ? "(%s+0.%d*y-at(x,z,%s))/(" : "%s*0.%d-at(x,z,%s)+", name[i], i + 11,
               name[i]);
    }
    strcat(text, "1");
    for (int i = 0; i < NESTED; i++)
      strcat(text, ")");
    if (kind == 2)
      write_largest(text, name);
    assert_ok(perlane_expression_init(&expression, text, MOST, names, all));
    if (kind == 2)
      assert_int_equal(expression.expression.count, PERLANE_MAX_EXPRESSION_STEPS);
    const size_t count[] = {COLUMNS, ROWS, PLANES, TIMES};
    perlane_grid grid = grid_of(4, count);
    for (size_t w = 0; w < COUNT_OF(WORK); w++) {
      grid.work = WORK[w] ? work : NULL;
      grid.work_bytes = WORK[w];
      float *const *const to =
          (float *const[]){out[w > 0][1], out[w > 0][2], out[w > 0][3], out[w > 0][4]};
      assert_ok(perlane_fill_gradient(&expression, &grid, out[w > 0][0], to));
      assert_memory_equal(out[w > 0], out[0], sizeof out[0]);
    }
    const double position[] = {COLUMNS - 1, ROWS - 1, PLANES - 1, TIMES - 1};
    float gradient[4];
    const float value = perlane_at_gradient(&expression, 4, position, gradient);
    const size_t last = COLUMNS * ROWS * PLANES * TIMES - 1;
    assert_int_equal(bits_of(value), bits_of(out[0][0][last]));
    for (int a = 0; a < 4; a++)
      assert_int_equal(bits_of(gradient[a]), bits_of(out[0][1 + a][last]));
  }
}

/* What cases.txt cannot say: fields that are given by hand. */
static void refused_fields(void **state) {
  (void)state;
  static const char *const RESERVED[] = {"x"}, *const FUNCTION[] = {"mix"}, *const DIGIT[] = {"1a"},
                           *const TWICE[] = {"a", "a"}, *const NONE[] = {NULL},
                           *const EITHER[] = {"a", "b"};
  static const perlane_noise raw;
  static perlane_noise e, expression, made[2];
  static const perlane_noise *const RAW[] = {&raw}, *const MISSING[] = {NULL},
                                    *const NESTED[] = {&expression};
  enum { TOO_MANY = PERLANE_MAX_EXPRESSION_FIELDS + 1 };
  static const struct {
    const char *text;
    int32_t count;
    const char *const *names;
    const perlane_noise *const *fields;
    perlane_status status;
  } CASES[] = {{NULL, 0, NULL, NULL, PERLANE_ERROR_NULL},
               {"1", 1, NULL, POINTERS, PERLANE_ERROR_NULL},
               {"1", 1, NAMES, NULL, PERLANE_ERROR_NULL},
               {"1", 1, NONE, POINTERS, PERLANE_ERROR_NULL},
               {"1", 1, NAMES, MISSING, PERLANE_ERROR_NULL},
               {"1", 1, NAMES, RAW, PERLANE_ERROR_NOISE},
               {"1", 1, NAMES, NESTED, PERLANE_ERROR_EXPRESSION},
               {"1", -1, NAMES, POINTERS, PERLANE_ERROR_COUNT},
               {"1", TOO_MANY, NAMES, POINTERS, PERLANE_ERROR_COUNT},
               {"1", 1, RESERVED, POINTERS, PERLANE_ERROR_SYNTAX},
               {"1", 1, FUNCTION, POINTERS, PERLANE_ERROR_SYNTAX},
               {"1", 1, DIGIT, POINTERS, PERLANE_ERROR_SYNTAX},
               {"1", 2, TWICE, POINTERS, PERLANE_ERROR_SYNTAX},
               {"a + at(x, b)", 2, EITHER, POINTERS, PERLANE_OK}};
  fields[0] = noise_from("basis=cellular");
  fields[1] = noise_from("fractal=eroded");
  assert_ok(perlane_expression_init(&expression, "1", 0, NULL, NULL));
  for (size_t i = 0; i < COUNT_OF(CASES); i++) {
    const perlane_status status =
        perlane_expression_init(&e, CASES[i].text, CASES[i].count, CASES[i].names, CASES[i].fields);
    if (status != CASES[i].status)
      fail_msg("case %zu: %s", i, perlane_status_string(status));
  }
  assert_refused(NULL, perlane_expression_init(NULL, "1", 0, NULL, NULL));
  const char *two = "a=; b=seed=2; a*b";
  assert_refused(COUNT, perlane_expression_init_text(&expression, two, 1, made, NULL));
  assert_refused(EXPRESSION, perlane_expression_init_text(&made[1], two, 2, made, NULL));
  const perlane_grid grid = perlane_grid_make(8, 0, 0, 0);
  const double position[] = {3};
  float gradient[1];
  assert_refused(NULL, perlane_fill(&e, &grid, NULL));
  assert_true(isnan(perlane_at_gradient(&e, 1, position, gradient)) && isnan(gradient[0]));
  assert_true(isnan(perlane_at(&e, 5, position)));
  assert_true(!isnan(perlane_at(&e, 1, position)));
  assert_ok(perlane_limit_octaves(&e, 1));
}

/* cases.txt has texts of expressions; here is what has none. */
static void no_text(void **state) {
  (void)state;
  static perlane_noise e;
  char text[20], whole[20];
  assert_int_equal(perlane_expression_text(NULL, NULL, 0), 0);
  fields[0] = noise_from("");
  assert_ok(perlane_expression_init(&e, "a + 1", 1, NAMES, POINTERS));
  const size_t length = perlane_expression_text(&e, whole, sizeof whole);
  assert_int_equal(perlane_expression_text(&e, text, 5), length);
  assert_int_equal(strlen(text), 4);
  assert_memory_equal(text, whole, 4);
  assert_ok(perlane_reseed(&fields[0], 3));
  assert_int_equal(perlane_expression_text(&e, NULL, 0), 0);
}

/* What can happen to a field of an expression. */
static void reseed_field(perlane_noise *field) {
  assert_ok(perlane_reseed(field, 99));
}
static void limit_field(perlane_noise *field) {
  assert_ok(perlane_limit_octaves(field, 2));
}
static void initialize_field(perlane_noise *field) {
  *field = noise_from("octaves=4 gain=0.4");
}
static void make_field_an_expression(perlane_noise *field) {
  assert_ok(perlane_expression_init(field, "x", 0, NULL, NULL));
}
static void move_field(perlane_noise *field) {
  static perlane_noise moved;
  memcpy(&moved, field, sizeof moved);
  memset(field, 0, sizeof *field);
}
static void change_table(perlane_noise *field) {
  int32_t table[256];
  perlane_params params = perlane_params_default();
  params.hash = PERLANE_HASH_TABLE;
  params.hash_table = table;
  for (int32_t i = 0; i < 256; i++)
    table[i] = i;
  assert_ok(perlane_init(field, &params));
  static perlane_noise own;
  static const char *const name[] = {"a"};
  const perlane_noise *const fields_of[] = {field};
  assert_ok(perlane_expression_init(&own, "a + 1", 1, name, fields_of));
  table[0] = 7; /* at the same address */
  assert_ok(perlane_init(field, &params));
  float low, high;
  assert_refused(NOISE, perlane_range(&own, 2, &low, &high));
}

/* An expression whose field has changed is refused by every function, until it is made again or
 * the field is what it was. */
static void changed_fields(void **state) {
  (void)state;
  static void (*const CHANGE[])(perlane_noise *) = {reseed_field,     limit_field,
                                                    initialize_field, make_field_an_expression,
                                                    move_field,       change_table};
  static perlane_noise e, other;
  const double position[] = {3.25, -7};
  const perlane_grid grid = perlane_grid_make(2, 2, 0, 0);
  const float x[] = {1, 2};
  const perlane_list list = {.dims = 2, .count = 2, .coords = {x, x}};
  for (size_t i = 0; i < COUNT_OF(CHANGE); i++) {
    char sentence[PERLANE_MESSAGE_BYTES];
    float out[4], low, high;
    fields[0] = noise_from("octaves=4");
    fields[1] = noise_from("seed=2");
    assert_ok(perlane_expression_init(&e, "a + b", 2, NAMES, POINTERS));
    const float value = perlane_at(&e, 2, position);
    CHANGE[i](&fields[0]);
    set_context("change %d", (int)i);
    assert_int_equal(refused_grid(&e, &grid, sentence), PERLANE_ERROR_NOISE);
    assert_refused(NOISE, perlane_points(&e, &list, out, NULL));
    assert_refused(NOISE, perlane_range(&e, 2, &low, &high));
    assert_refused(NOISE, perlane_range_in(&e, &grid, &low, &high));
    assert_refused(NOISE, perlane_limit_octaves(&e, 1));
    assert_int_equal(bits_of(perlane_at(&e, 2, position)), 0x7FC00000);
    assert_int_equal(bits_of(perlane_at_gradient(&e, 2, position, out)), 0x7FC00000);
    fields[0] = noise_from("octaves=4");
    fields[1] = noise_from("seed=2");
    assert_int_equal(bits_of(perlane_at(&e, 2, position)), bits_of(value));
    assert_refused(EXPRESSION, perlane_reseed(&e, 1));
    perlane_grid with_seed = grid;
    with_seed.has_seed = 1;
    assert_refused(EXPRESSION, perlane_fill(&e, &with_seed, out));
    assert_ok(perlane_expression_init(&other, "a", 2, NAMES, POINTERS));
    assert_ok(perlane_reseed(&other, 1)); /* a copy of the field */
  }
  /* A field is the same however it became what it is. */
  other = noise_from("seed=2");
  fields[1] = noise_from("seed=5");
  assert_ok(perlane_reseed(&fields[1], 2));
  assert_true(other.identity == fields[1].identity);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(octaves_shown),  cmocka_unit_test(operations),
      cmocka_unit_test(constants),      cmocka_unit_test(random_expressions),
      cmocka_unit_test(repeated),       cmocka_unit_test(tiles),
      cmocka_unit_test(places),         cmocka_unit_test(gradients),
      cmocka_unit_test(boxes),          cmocka_unit_test(most_inputs),
      cmocka_unit_test(refused_fields), cmocka_unit_test(changed_fields),
      cmocka_unit_test(no_text),
  };
  return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
