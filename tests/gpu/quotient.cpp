// SPDX-License-Identifier: MIT
//
// perlane_quotient with estimates that are wrong by up to 8 units in the last place: every mantissa
// as dividend and as divisor. quotient.cpp prints how many quotients are wrong, and fails if any is.
#include <cstdint>
#include <cstdio>
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
#define PERLANE_SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#include "../../shaders/perlane_core.h"

static long wrong, checked;

static void check(uint a, uint b) {
  const float x = float_of(a), y = float_of(b);
  wrong += bits_of(x / y) != bits_of(perlane_quotient(x, y));
  checked++;
}

int main() {
  const uint mantissas[] = {0, 1, 2, 0x2AAAAA, 0x3FFFFF, 0x400000, 0x555555, 0x7FFFFE, 0x7FFFFF};
  for (uint m = 0; m < 1u << 23; m++) {
    for (uint other : mantissas) {
      check(127u << 23 | m, 100u << 23 | other);
      check(190u << 23 | other | (m << 31), 127u << 23 | m);
    }
    check(127u << 23 | m, 127u << 23 | (m ^ (m >> 3)));
    state ^= m;
    check((state % 120 + 67) << 23 | m, (state >> 9) % 40 + 107 << 23 | (state >> 5 & 0x7FFFFF));
  }
  check(0, 127u << 23);
  check(0x80000000, 127u << 23);
  std::printf("%ld of %ld quotients are wrong\n%d passed, %d failed\n", wrong, checked, wrong == 0,
              wrong != 0);
  return wrong != 0;
}
