// SPDX-License-Identifier: MIT
//
// The arithmetic that shaders do by themselves, against the CPU's: quotients from estimates that are
// wrong by up to 8 units in the last place, with every mantissa as dividend and as divisor; roots of
// every mantissa; sums and products of doubles.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

typedef uint32_t uint;

static float float_of(uint bits) {
  float v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

static uint bits_of(float v) {
  uint bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}

static uint state = 1;
static int error() { // -8..8; the extremes in every other quotient
  state = state * 1664525 + 1013904223;
  const int extreme = state >> 30 == 0 ? -8 : state >> 30 == 1 ? 8 : 0;
  return extreme ? extreme : static_cast<int>((state >> 8) % 17) - 8;
}

// What PERLANE_FLOAT returns here: division is the only operation that it changes.
struct inexact {
  float v;
  operator float() const { return v; }
};
static float operator/(inexact a, inexact b) {
  const float q = a.v / b.v;
  return q == 0 ? q : float_of(bits_of(q) + static_cast<uint>(error()));
}

static float inexact_root(float v) {
  return float_of(bits_of(std::sqrt(v)) + static_cast<uint>(error()));
}

#define PERLANE_FN static inline
#define PERLANE_EXACT
#define PERLANE_STRUCT(name) struct name {
#define PERLANE_END };
#define PERLANE_WORDS const uint *perlane_words,
#define PERLANE_PASS perlane_words,
#define PERLANE_WORD(i) perlane_words[i]
#define PERLANE_FLOAT_OF_BITS(u) float_of(u)
#define PERLANE_BITS_OF_FLOAT(f) bits_of(f)
#define PERLANE_FLOAT(u) (inexact{static_cast<float>(u)})
#define PERLANE_UINT(f) (static_cast<uint>(f))
#define PERLANE_ROOT(f) inexact_root(f)
#define PERLANE_SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#include "../../src/shaders/perlane_core.h"
#include "../../src/shaders/perlane_points.h"

static long wrong, checked;

static void check_quotient(uint a, uint b) {
  const float x = float_of(a), y = float_of(b);
  wrong += bits_of(x / y) != bits_of(perlane_quotient(x, y));
  checked++;
}

static void check_root(uint bits) {
  wrong += bits_of(std::sqrt(float_of(bits))) != bits_of(perlane_root(float_of(bits)));
  checked++;
}

static uint64_t stream = 1;
static uint64_t random_word() { // SplitMix64
  uint64_t z = stream += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

// A double of up to 2^range, whose mantissa often has few bits, or many ones.
static double random_double(uint64_t range) {
  uint64_t m = random_word() & 0xFFFFFFFFFFFFF;
  const uint64_t kind = random_word();
  m = kind % 4 == 0 ? m & ~UINT64_C(0xFFFFFFF) : kind % 4 == 1 ? m | 0xFFFFFFFFFFF00 : m;
  const uint64_t bits = (kind & UINT64_C(1) << 63) | (1023 - range + (kind >> 8) % (2 * range)) << 52 | m;
  double v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

static perlane_pair pair_of(double v) {
  uint64_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return perlane_pair_of(static_cast<uint>(bits >> 32), static_cast<uint>(bits));
}

static void check_double(double expected, perlane_pair found) {
  const perlane_pair pair = pair_of(expected);
  wrong += (pair.lo != found.lo || pair.hi != found.hi) &&
           !(expected == 0 && found.lo == 0 && (found.hi & 0x7FFFFFFF) == 0);
  checked++;
}

int main() {
  const char *percent = std::getenv("PERLANE_TEST_PERCENT");
  const uint step = percent && std::atoi(percent) < 100 ? 7 : 1; // 1: every mantissa
  const uint mantissas[] = {0, 1, 2, 0x2AAAAA, 0x3FFFFF, 0x400000, 0x555555, 0x7FFFFE, 0x7FFFFF};
  for (uint m = 0; m < 1u << 23; m += step) {
    for (uint other : mantissas) {
      check_quotient(127u << 23 | m, 100u << 23 | other);
      check_quotient(190u << 23 | other | (m << 31), 127u << 23 | m);
    }
    check_quotient(127u << 23 | m, 127u << 23 | (m ^ (m >> 3)));
  }
  check_quotient(0, 127u << 23);
  check_quotient(0x80000000, 127u << 23);
  for (uint m = 0; m < 1u << 24; m += step) // with even and odd exponents
    for (uint exponent = 2; exponent < 254; exponent += 125)
      check_root((exponent << 23) + m);
  check_root(0);
  std::printf("%ld of %ld quotients and roots are wrong\n", wrong, checked);
  for (uint i = 0; i < (1u << 24) / step; i++) {
    const double x = random_double(60);
    double y = random_double(60);
    if (i % 3 == 0) // neighbours: they cancel
      y = -x * (1 + 0x1p-52 * static_cast<double>(random_word() % 9));
    else if (i % 3 == 1)
      y = x * random_double(3);
    check_double(x + y, perlane_double_sum(pair_of(x), pair_of(y)));
    if (x * y < 0x1p76 && x * y > -0x1p76)
      check_double(x * y, perlane_double_product(pair_of(x), pair_of(y)));
  }
  std::printf("%ld of %ld results are wrong\n%d passed, %d failed\n", wrong, checked, wrong == 0,
              wrong != 0);
  return wrong != 0;
}
