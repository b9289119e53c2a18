/* SPDX-License-Identifier: MIT
 *
 * Calls every lane word of one instruction set, LANES_ID, with edge values in each lane, and
 * compares the results with the contract of src/noise/words.h, computed in plain C.
 */
#include "../src/strict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define QUOTED(text) #text
#define TEXT_OF(id) QUOTED(id)
/* clang-format off */
#define LANES_HEADER(id) QUOTED(../src/id/lanes.h) /* NOLINT(bugprone-macro-parentheses): a path */
/* clang-format on */
#include LANES_HEADER(LANES_ID)

LANES_BEGIN

#include "../src/noise/words.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SUBNORMAL 0x1p-149f

typedef float f_type;
typedef uint32_t i_type;
typedef double d_type;

/* clang-format off */
static const float f_edges[] = {
    0, -0.0f, 1, -1, 0.5f, -0.5f, 1.5f, -1.5f, 2.5f, -2.5f, 0.1f, SUBNORMAL, -SUBNORMAL,
    0x1.fffffep-127f, FLT_MIN, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN, 0x1.fffffep-1f, 65535,
    65535.5f, 0x1p22f, -0x1p22f, 0x1p22f - 0.5f, 0.5f - 0x1p22f, 0x1p23f, -0x1p23f, 0x1p23f - 0.5f,
    0.5f - 0x1p23f, 0x1p23f + 1, 0x1p31f, -0x1.8p23f - 1, -0x1p31f, -0x1p32f};
static const uint32_t i_edges[] = {
    0, 1, 2, 7, 8, 15, 16, 0x7F, 0x80, 0xFF, 0x100, 0x2000, 0xE000, 0x7FFF, 0x8000, 0xFFFF, 0x10000,
    0x10001, 0xFFFFFF, 0x1000001, 0x1000003, 0x7FFF8000, 0x80007FFF, 0x80008000, 0x2C1B3C6D,
    0x9E3779B1, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFF8000, 0xFFFFFF00, 0xFFFFFFFF};
static const double d_edges[] = {
    0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0x1p-1074, -0x1p-1074, 0x1p-150, 0x1.000001p0, 0x1.000003p0,
    DBL_MAX, -DBL_MAX, FLT_MAX, 0x1p28, 0x1p29 - 0x1p-24, 0x1.8p28 + 0x1p-24, 0x1p31 - 1,
    0x1p31 - 1.5, -0x1p31, 0.5 - 0x1p31, 0x1p32, 0x1p51 - 0.5, 0x1p51, -0x1p51, 0x1p52 - 0.5,
    0.5 - 0x1p52, 0x1p52, -0x1p52, 0x1p52 + 1, -0x1p52 - 1, 0x1p52 + 3, 0x1p53, -0x1p53, INFINITY,
    0x1.23456789abcdep100};
/* clang-format on */

static uint32_t f_word(float v) {
  uint32_t word;
  memcpy(&word, &v, sizeof word);
  return word;
}
static uint64_t d_word(double v) {
  uint64_t word;
  memcpy(&word, &v, sizeof word);
  return word;
}
static double from_word(uint64_t word) {
  double v;
  memcpy(&v, &word, sizeof v);
  return v;
}
static uint32_t dot16(uint32_t a, uint32_t b) {
  const int32_t low = (int16_t)a * (int16_t)b, high = (int16_t)(a >> 16) * (int16_t)(b >> 16);
  return (uint32_t)low + (uint32_t)high;
}
static uint32_t saturated(uint32_t v, uint32_t max) {
  return v >> 31 ? 0 : v < max ? v : max;
}

static int failures;

static void expect(int is_right, const char *what, double at, size_t lane, int line) {
  if (!is_right && failures++ < 20)
    printf("%s:%d: %s: wrong in lane %zu, for %a\n", __FILE__, line, what, lane, at);
}

/* Any NaN is as good as another. */
static int f_same(float a, float b) {
  return f_word(a) == f_word(b) || (a != a && b != b);
}
static int d_same(double a, double b) {
  return d_word(a) == d_word(b) || (a != a && b != b);
}
static int i_same(uint32_t a, uint32_t b) {
  return a == b;
}

/* Lanes that d_store stores first to last. */
static size_t d_order[LANES];

static void f_lanes(float *to, vf v) {
  f_store(to, v);
}
static void i_lanes(uint32_t *to, vi v) {
  i_store(to, v);
}
static void d_lanes(double *to, vd v) {
  _Alignas(16) double stored[LANES];
  d_store(stored, v);
  for (size_t l = 0; l < LANES; l++)
    to[d_order[l]] = stored[l];
}

/* Checks that every lane of `expression`, of vectors a and b, has the value `want`, of their
 * entries p and q, where the condition `domain` is true of them: for all pairs of edges in every
 * lane. */
#define CHECK(in, out, domain, expression, want)                                                   \
  for (size_t k = 0, n = COUNT(in##_edges); k < n * n; k++) {                                      \
    _Alignas(64) in##_type x[LANES], y[LANES];                                                     \
    out##_type got[LANES];                                                                         \
    for (size_t l = 0; l < LANES; l++) {                                                           \
      x[l] = in##_edges[(k + l) % n];                                                              \
      y[l] = in##_edges[(k / n + l) % n];                                                          \
    }                                                                                              \
    const v##in a = in##_load(x), b = in##_load(y);                                                \
    (void)a, (void)b;                                                                              \
    out##_lanes(got, expression);                                                                  \
    for (size_t l = 0; l < LANES; l++) {                                                           \
      const in##_type p = x[l], q = y[l];                                                          \
      (void)q;                                                                                     \
      if (domain)                                                                                  \
        expect(out##_same(got[l], want), #expression, (double)p, l, __LINE__);                     \
    }                                                                                              \
  }

#define ALL_ONES 0xFFFFFFFF
#define NO_NAN (p == p && q == q)

static void check_floats(void) {
  const vf zero = f_set(0); /* Adding it makes either zero +0. */
  CHECK(f, f, 1, f_load(x), p)
  CHECK(f, f, 1, f_load_aligned(x), p)
  CHECK(f, f, 1, f_set(x[0]), x[0])
  CHECK(f, f, 1, f_add(a, b), p + q)
  CHECK(f, f, 1, f_sub(a, b), p - q)
  CHECK(f, f, 1, f_mul(a, b), p * q)
  CHECK(f, f, 1, f_div(a, b), p / q)
  CHECK(f, f, 1, f_sqrt(a), sqrtf(p))
  CHECK(f, f, NO_NAN, f_add(f_min(a, b), zero), (p < q ? p : q) + 0)
  CHECK(f, f, NO_NAN, f_add(f_max(a, b), zero), (p < q ? q : p) + 0)
  CHECK(f, f, NO_NAN, f_add(f_floor(a), zero), floorf(p) + 0)
  CHECK(f, i, 1, m_bits(f_not_above(a, b)), p <= q ? ALL_ONES : 0)
  CHECK(f, f, 1, f_select_below(a, b, f_set(1), f_set(2)), p < q ? 1 : 2)
  CHECK(f, i, p >= -0x1p22f && p <= 0x1p22f, i_from_f(a), (uint32_t)(int32_t)rintf(p))
  CHECK(f, i, p <= -0x1p22f, i_shift_right(i_add(i_from_f(a), i_set(0x3FFFFF)), 31), 1)
  CHECK(f, i, 1, i_bits(a), f_word(p))
  CHECK(i, i, 1, i_bits(f_bits(a)), p)
  CHECK(i, f, 1, f_from_i(a), (float)(int32_t)p)
}

static void check_words(void) {
  CHECK(i, i, 1, i_load(x), p)
  CHECK(i, i, 1, i_load_aligned(x), p)
  CHECK(i, i, 1, i_set(x[0]), x[0])
  CHECK(i, i, 1, i_add(a, b), p + q)
  CHECK(i, i, 1, i_sub(a, b), p - q)
  CHECK(i, i, 1, i_mul(a, b), p * q)
  CHECK(i, i, 1, i_and(a, b), p & q)
  CHECK(i, i, 1, i_or(a, b), p | q)
  CHECK(i, i, 1, i_xor(a, b), p ^ q)
  CHECK(i, i, 1, m_bits(i_equal(a, b)), p == q ? ALL_ONES : 0)
  CHECK(i, i, 1, i_max_unsigned(a, b), p < q ? q : p)
  CHECK(i, i, 1, i_select(i_equal(a, b), i_set(5), b), p == q ? 5 : q)
  CHECK(i, i, 1, i_shift_left(a, 1), p << 1)
  CHECK(i, i, 1, i_shift_left(a, 31), p << 31)
  CHECK(i, i, 1, i_shift_right(a, 1), p >> 1)
  CHECK(i, i, 1, i_shift_right(a, 31), p >> 31)
  CHECK(i, i, 1, i_dot16(a, b), dot16(p, q))
  CHECK(i, i, 1, m_bits(m_not(i_equal(a, b))), p == q ? 0 : ALL_ONES)
  CHECK(i, i, 1, m_bits(m_and(i_equal(a, b), i_equal(a, i_set(0)))),
        p == q && p == 0 ? ALL_ONES : 0)
  CHECK(i, i, 1, m_bits(m_or(i_equal(a, b), i_equal(a, i_set(0)))), p == q || p == 0 ? ALL_ONES : 0)
  CHECK(i, i, 1, i_set(m_all(i_equal(a, a)) != 0), 1)
  for (size_t l = 0; l < LANES; l++) {
    uint32_t mask[LANES];
    memset(mask, 0xFF, sizeof mask);
    mask[l] = 0;
    expect(!m_all(i_equal(i_load(mask), i_set(0xFFFFFFFF))), "m_all", 0, l, __LINE__);
  }
}

static vi cell_of(vd v) {
  vi cell;
  vf fraction;
  d_split(v, &cell, &fraction);
  return cell;
}
static vf fraction_of(vd v) {
  vi cell;
  vf fraction;
  d_split(v, &cell, &fraction);
  return fraction;
}
static vd stored(vd v) {
  _Alignas(64) double memory[2 + LANES]; /* 16 bytes from an aligned address */
  d_store(memory + 2, v);
  return d_reload(memory + 2);
}

static void check_doubles(void) {
  const vd zero = d_set(0);
  _Alignas(16) double number[LANES];
  d_store(number, d_lane_number());
  for (size_t l = 0; l < LANES; l++)
    d_order[l] = number[l] >= 0 && number[l] < LANES ? (size_t)number[l] : 0;
  CHECK(d, f, 1, f_from_d(d_lane_number()), (float)l)
  CHECK(d, f, 1, f_from_d(a), (float)p)
  CHECK(d, d, 1, d_load(x), p)
  CHECK(d, d, 1, stored(a), p)
  CHECK(d, d, 1, d_set(x[0]), x[0])
  CHECK(f, d, 1, d_load_floats(x), (double)p)
  CHECK(d, d, 1, d_add(a, b), p + q)
  CHECK(d, d, 1, d_sub(a, b), p - q)
  CHECK(d, d, 1, d_mul(a, b), p * q)
  CHECK(d, d, 1, d_div(a, b), p / q)
  CHECK(d, d, fabs(p) <= 0x1p52, d_add(d_floor(a), zero), floor(p) + 0)
  CHECK(d, d, fabs(p) <= 0x1p53, d_floor(d_mul(d_sub(a, d_floor(a)), d_set(0.5))), 0)
  CHECK(d, d, fabs(p) <= 0x1p51, d_add(d_round(a), zero), rint(p) + 0)
  CHECK(d, i, p >= -0x1p31 && p <= 0x1p31 - 1, i_from_d(a), (uint32_t)(int32_t)rint(p))
  CHECK(d, d, 1, d_add_words(a, b), from_word(d_word(p) + d_word(q)))
  CHECK(d, i, 1, cell_of(a), (uint32_t)(d_word(p) >> 24))
  CHECK(d, i, p >= 0x1p28 && p < 0x1p29, cell_of(a), (uint32_t)p + 0xA0000000)
  CHECK(d, f, 1, fraction_of(a), (float)(d_word(p) & 0xFFFFFF) * 0x1p-24f)
}

static void check_tables(void) {
  float floats[64], eighths[8];
  uint8_t bytes[64 + 3]; /* i_look_up may read 3 bytes past an entry */
  for (int i = 0; i < 64; i++)
    floats[i] = (float)(i * i);
  for (int i = 0; i < 67; i++)
    bytes[i] = (uint8_t)(i * 37 + 1);
  for (int i = 0; i < 8; i++)
    eighths[i] = (float)(i - 3) / 8;
  const vi last = i_set(63), lanes = i_set(LANES - 1);
  const vtable16 sixteen = table16(bytes);
  const vtable8 eight = table8(eighths);
  CHECK(i, i, 1, i_bits(f_table16(sixteen, i_index16(a, 0))), (uint32_t)bytes[p & 15] << 24)
  CHECK(i, i, 1, i_bits(f_table16(sixteen, i_index16(a, 13))), (uint32_t)bytes[p >> 13 & 15] << 24)
  CHECK(i, i, 1, i_bits(f_table16(sixteen, i_index16(a, 24))), (uint32_t)bytes[p >> 24 & 15] << 24)
  CHECK(i, f, 1, f_table8(eight, i_index8(a)), eighths[p >> 13 & 7])
  CHECK(i, f, 1, f_pick(floats + 1, i_pick(i_and(a, lanes))), floats[1 + (p & (LANES - 1))])
  CHECK(i, f, 1, f_look_up(floats, i_and(a, last)), floats[p & 63])
  CHECK(i, i, 1, i_look_up(bytes, i_and(a, last)), bytes[p & 63])
}

/* Stores n entries' bytes as `store` does, at an odd place, and looks at the bytes on either side.
 */
#define CHECK_STORE(type, place, n, want, store)                                                   \
  do {                                                                                             \
    _Alignas(64) type memory[(place) + 3 * LANES],                                                 \
        right[(place) + 3 * LANES], *const to = memory + (place);                                  \
    memset(memory, 0x55, sizeof memory);                                                           \
    memset(right, 0x55, sizeof right);                                                             \
    for (size_t l = 0; l < (n); l++)                                                               \
      right[(place) + l] = want;                                                                   \
    store;                                                                                         \
    expect(memcmp(memory, right, sizeof right) == 0, #store, 0, n, __LINE__);                      \
  } while (0)

static void check_stores(void) {
  for (size_t k = 0; k < COUNT(i_edges); k++) {
    uint32_t word[2 * LANES];
    float lane[LANES];
    for (size_t l = 0; l < 2 * LANES; l++)
      word[l] = i_edges[(k + l) % COUNT(i_edges)];
    for (size_t l = 0; l < LANES; l++)
      lane[l] = f_edges[(k + l) % COUNT(f_edges)];
    const vi a = i_load(word), b = i_load(word + LANES);
    vf v = f_load(lane);
    f_keep(v);
    CHECK_STORE(uint32_t, 1, LANES, word[l], i_store(to, a));
    CHECK_STORE(float, 1, LANES, lane[l], f_store(to, v));
    CHECK_STORE(float, LANES, LANES, lane[l], (f_stream(to, v), stream_fence()));
    for (size_t n = 1; n < LANES; n++)
      CHECK_STORE(float, 1, n, lane[l], f_store_some(to, v, n));
    CHECK_STORE(uint16_t, 1, 2 * LANES, (uint16_t)saturated(word[l], UINT16_MAX),
                u16_store(to, a, b));
    CHECK_STORE(uint8_t, 1, 2 * LANES, (uint8_t)saturated(word[l], UINT8_MAX), u8_store(to, a, b));
  }
}

static int check_all(void) {
  check_floats();
  check_words();
  check_doubles();
  check_tables();
  check_stores();
  return failures != 0;
}

LANES_END

int main(void) {
#ifndef PERLANE_EMULATED
#define REQUIRE(id, ID, name, ...)                                                                 \
  if (strcmp(#id, TEXT_OF(LANES_ID)) == 0 && !perlane_isa_supported(PERLANE_ISA_##ID)) {           \
    printf("not tested: %s, which this CPU or this build does not have\n", name);                  \
    return 77;                                                                                     \
  }
  PERLANE_NATIVE_LANES(REQUIRE)
#endif
  return check_all();
}
