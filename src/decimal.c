/* SPDX-License-Identifier: MIT
 *
 * Conversion between double and decimal text, by integers of arbitrary size. The C library's own
 * conversion depends on the locale and on the rounding mode (of two units, on x86), and is not
 * exact everywhere. No floating-point operation is executed here.
 */
#include "strict.h"

#include <string.h>

#include "decimal.h"

/* ---- Integers ---- */

enum { WORDS = 116 }; /* the largest integer is 4 * 10^1099: a tiny double read from most digits */

struct integer {
  int count; /* words in use; the last one is not 0 */
  uint32_t word[WORDS];
};

static void set(struct integer *a, uint64_t value) {
  a->count = 0;
  for (; value != 0; value >>= 32)
    a->word[a->count++] = (uint32_t)value;
}

/* a = a * factor + term */
static void multiply_add(struct integer *a, uint32_t factor, uint32_t term) {
  uint64_t carry = term;
  for (int i = 0; i < a->count; i++) {
    carry += (uint64_t)a->word[i] * factor;
    a->word[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry != 0)
    a->word[a->count++] = (uint32_t)carry;
}

static void multiply_power_of_10(struct integer *a, int power) {
  for (; power >= 9; power -= 9)
    multiply_add(a, 1000000000, 0);
  for (; power > 0; power--)
    multiply_add(a, 10, 0);
}

static void shift_left(struct integer *a, int bits) {
  const int words = bits / 32;
  if (a->count == 0)
    return;
  memmove(a->word + words, a->word, (size_t)a->count * sizeof a->word[0]);
  memset(a->word, 0, (size_t)words * sizeof a->word[0]);
  a->count += words;
  multiply_add(a, UINT32_C(1) << bits % 32, 0);
}

static int bit_length(const struct integer *a) {
  int bits = 32 * (a->count - 1);
  for (uint32_t word = a->word[a->count - 1]; word != 0; word >>= 1)
    bits++;
  return bits;
}

/* Returns a number below, equal to or above 0 as a is below, equal to or above b. */
static int compare(const struct integer *a, const struct integer *b) {
  if (a->count != b->count)
    return a->count - b->count;
  for (int i = a->count - 1; i >= 0; i--)
    if (a->word[i] != b->word[i])
      return a->word[i] < b->word[i] ? -1 : 1;
  return 0;
}

/* a -= b, where a is at least b */
static void subtract(struct integer *a, const struct integer *b) {
  uint32_t borrow = 0;
  for (int i = 0; i < a->count; i++) {
    const uint64_t difference = (uint64_t)a->word[i] - (i < b->count ? b->word[i] : 0) - borrow;
    a->word[i] = (uint32_t)difference;
    borrow = (uint32_t)(difference >> 63);
  }
  while (a->count > 0 && a->word[a->count - 1] == 0)
    a->count--;
}

/* a += b */
static void add(struct integer *a, const struct integer *b) {
  uint64_t carry = 0;
  while (a->count < b->count)
    a->word[a->count++] = 0;
  for (int i = 0; i < a->count; i++) {
    carry += (uint64_t)a->word[i] + (i < b->count ? b->word[i] : 0);
    a->word[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry != 0)
    a->word[a->count++] = (uint32_t)carry;
}

/* ---- From text ---- */

static const uint64_t INFINITE = UINT64_C(0x7FF0000000000000), SIGN = UINT64_C(1) << 63;

/* The bits of numerator / denominator, both above 0, rounded to the nearest double. Clobbers both.
 */
static uint64_t divide(struct integer *numerator, struct integer *denominator) {
  /* Scales the quotient by a power of 2 into [1, 2). */
  int exponent = bit_length(numerator) - bit_length(denominator);
  if (exponent > 0)
    shift_left(denominator, exponent);
  else
    shift_left(numerator, -exponent);
  if (compare(numerator, denominator) < 0) {
    shift_left(numerator, 1);
    exponent--;
  }
  if (exponent > 1023)
    return INFINITE;
  const int precision = exponent >= -1022 ? 53 : 53 + 1022 + exponent;
  if (precision < 0)
    return 0;
  uint64_t quotient = 0;
  for (int i = 0; i < precision; i++) {
    const int bit = compare(numerator, denominator) >= 0;
    quotient = quotient << 1 | (uint64_t)bit;
    if (bit)
      subtract(numerator, denominator);
    shift_left(numerator, 1);
  }
  const int rest = compare(numerator, denominator); /* against one half of the last place */
  if (rest > 0 || (rest == 0 && (quotient & 1)))
    quotient++;
  /* The quotient's leading bit, and its carry when rounding reaches a power of 2, add 1 to the
   * exponent. */
  return ((uint64_t)(exponent >= -1022 ? exponent + 1022 : 0) << 52) + quotient;
}

/* No double, and no midpoint of two, has more significant digits. A digit 1 after them stands for
 * all that follow. */
enum { MAX_DIGITS = 768 };

static int is_digit(char c) {
  return c >= '0' && c <= '9';
}

int perlane_decimal_parse(const char *text, size_t length, double *value) {
  const char *next = text, *const end = text + length;
  const int is_negative = next < end && *next == '-';
  if (next < end && (*next == '-' || *next == '+'))
    next++;
  struct integer number;
  set(&number, 0);
  int64_t exponent = 0;
  int digits = 0, has_digits = 0, has_point = 0, is_inexact = 0;
  for (; next < end && (is_digit(*next) || (*next == '.' && !has_point)); next++) {
    if (*next == '.') {
      has_point = 1;
      continue;
    }
    has_digits = 1;
    if (digits < MAX_DIGITS) {
      multiply_add(&number, 10, (uint32_t)(*next - '0'));
      digits += number.count > 0;
      exponent -= has_point;
    } else {
      is_inexact |= *next != '0';
      exponent += !has_point;
    }
  }
  if (!has_digits)
    return 0;
  if (next < end && (*next == 'e' || *next == 'E')) {
    next++;
    const int is_below = next < end && *next == '-';
    if (next < end && (*next == '-' || *next == '+'))
      next++;
    int64_t power = 0;
    const char *const start = next;
    for (; next < end && is_digit(*next); next++)
      if (power < INT64_MAX / 100) /* beyond it, no text is long enough to make up for it */
        power = 10 * power + (*next - '0');
    if (next == start)
      return 0;
    exponent += is_below ? -power : power;
  }
  if (next != end)
    return 0;
  uint64_t bits = 0;
  if (digits + exponent > 310 && digits > 0)
    return 0;
  if (digits + exponent > -330 && digits > 0) {
    if (is_inexact) {
      multiply_add(&number, 10, 1);
      exponent--;
    }
    struct integer denominator;
    set(&denominator, 1);
    if (exponent >= 0)
      multiply_power_of_10(&number, (int)exponent);
    else
      multiply_power_of_10(&denominator, (int)-exponent);
    bits = divide(&number, &denominator);
  }
  if (bits >= INFINITE)
    return 0;
  if (is_negative)
    bits |= SIGN;
  memcpy(value, &bits, sizeof bits);
  return 1;
}

/* ---- To text ---- */

/* A decimal number 0.DDD times 10^exponent. */
struct decimal {
  int exponent, count;
  char digit[17];
};

/* Generates the digits of a positive finite double, until what is left cannot change the double
 * they are read back to (Steele and White 1990). */
static void generate(uint64_t bits, struct decimal *decimal) {
  const int field = (int)(bits >> 52);
  const uint64_t fraction = bits & UINT64_C(0xFFFFFFFFFFFFF);
  const uint64_t mantissa = field != 0 ? fraction | (UINT64_C(1) << 52) : fraction;
  const int exponent = (field != 0 ? field : 1) - 1075;
  const int is_even = (mantissa & 1) == 0; /* the midpoints to its neighbours are read as it */
  const int is_power_of_2 = fraction == 0 && field > 1; /* the double below is half as far */
  /* In units of 1/scale: the value, and half the distances to the doubles below and above. */
  struct integer rest, scale, below, above, sum;
  set(&rest, mantissa);
  const int log2 = exponent - 1 + bit_length(&rest);
  set(&scale, 1);
  set(&below, 1);
  shift_left(&rest, (exponent > 0 ? exponent : 0) + 1 + is_power_of_2);
  shift_left(&scale, (exponent < 0 ? -exponent : 0) + 1 + is_power_of_2);
  shift_left(&below, exponent > 0 ? exponent : 0);
  above = below;
  shift_left(&above, is_power_of_2);
  /* A lower estimate of the decimal exponent: log10(2) is between 1233/4096 and 1234/4096. */
  int power = log2 >= 0 ? log2 * 1233 / 4096 : -((-log2 * 1234 + 4095) / 4096);
  if (power >= 0) {
    multiply_power_of_10(&scale, power);
  } else {
    multiply_power_of_10(&rest, -power);
    multiply_power_of_10(&below, -power);
    multiply_power_of_10(&above, -power);
  }
  for (;; power++) {
    sum = rest;
    add(&sum, &above);
    if (compare(&sum, &scale) <= -is_even)
      break;
    multiply_add(&scale, 10, 0);
  }
  decimal->exponent = power;
  decimal->count = 0;
  for (int is_last = 0; !is_last;) {
    multiply_add(&rest, 10, 0);
    multiply_add(&below, 10, 0);
    multiply_add(&above, 10, 0);
    int digit = 0;
    for (; compare(&rest, &scale) >= 0; digit++)
      subtract(&rest, &scale);
    sum = rest;
    add(&sum, &above);
    const int may_end = compare(&rest, &below) < is_even;
    const int may_round_up = compare(&sum, &scale) > -is_even;
    is_last = may_end || may_round_up;
    if (is_last) {
      shift_left(&rest, 1);
      digit += may_round_up && (!may_end || compare(&rest, &scale) > 0);
    }
    decimal->digit[decimal->count++] = (char)('0' + digit);
  }
}

static size_t copy(char *text, const char *word) {
  const size_t length = strlen(word);
  memcpy(text, word, length);
  return length;
}

size_t perlane_decimal_print(double value, char text[PERLANE_DECIMAL_BYTES]) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  size_t length = 0;
  if ((bits & ~SIGN) > INFINITE)
    return copy(text, "nan");
  if (bits & SIGN)
    text[length++] = '-';
  bits &= ~SIGN;
  if (bits == INFINITE || bits == 0)
    return length + copy(text + length, bits ? "inf" : "0");
  struct decimal decimal;
  generate(bits, &decimal);
  const int is_plain = decimal.exponent > -4 && decimal.exponent <= 21;
  const int point = is_plain ? decimal.exponent : 1; /* digits before it; zeros after it */
  if (point <= 0) {
    length += copy(text + length, "0.");
    for (int i = point; i < 0; i++)
      text[length++] = '0';
  }
  for (int i = 0; i < decimal.count || i < point; i++) {
    if (i > 0 && i == point)
      text[length++] = '.';
    text[length++] = i < decimal.count ? decimal.digit[i] : '0';
  }
  if (!is_plain) {
    int exponent = decimal.exponent - 1;
    text[length++] = 'e';
    if (exponent < 0) {
      text[length++] = '-';
      exponent = -exponent;
    }
    if (exponent >= 100)
      text[length++] = (char)('0' + exponent / 100);
    if (exponent >= 10)
      text[length++] = (char)('0' + exponent / 10 % 10);
    text[length++] = (char)('0' + exponent % 10);
  }
  return length;
}
