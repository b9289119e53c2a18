/* SPDX-License-Identifier: MIT */
#include "statistics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

double chi_square_tail(double x, double freedom) {
  if (!(x < INFINITY)) /* infinite, or no number: nothing fair is */
    return 0;
  if (freedom == 2)
    return exp(-x / 2);
  if (freedom > 10000)
    return erfc(normal_of_chi_square(x, freedom) / sqrt(2)) / 2;
  const double a = freedom / 2, z = x / 2;
  if (z <= 0)
    return 1;
  const double front = exp(a * log(z) - z - lgamma(a));
  if (z < a + 1) { /* the series of the lower tail */
    double term = 1 / a, sum = term;
    for (double n = a + 1; term > sum * 1e-16; n++)
      sum += term *= z / n;
    return 1 - front * sum;
  }
  double b = z + 1 - a, c = 1e300, d = 1 / b, fraction = d; /* Lentz's continued fraction */
  for (int i = 1; i < 10000; i++) {
    const double step = -i * (i - a);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    fraction *= d * c;
    if (fabs(d * c - 1) < 1e-15)
      break;
  }
  return front * fraction;
}

double normal_of_chi_square(double x, double freedom) {
  const double variance = 2 / (9 * freedom); /* Wilson and Hilferty */
  return (cbrt(x / freedom) - (1 - variance)) / sqrt(variance);
}

double normal_of_t(double t, double freedom) {
  const double z = (8 * freedom + 1) / (8 * freedom + 3) * /* Wallace */
                   sqrt(freedom * log1p(t * t / freedom));
  return copysign(z, t);
}

struct tally tally_start(void) {
  return (struct tally){.smallest = 1};
}

static void add(struct tally *tally, double chi_square, double freedom, const char *format,
                va_list values) {
  const double tail = chi_square_tail(chi_square, freedom);
  if (tally->trials++ == 0 || tail < tally->smallest) {
    tally->smallest = tail;
    vsnprintf(tally->where, sizeof tally->where, format, values);
  }
}

void tally_add(struct tally *tally, double chi_square, double freedom, const char *format, ...) {
  va_list values;
  va_start(values, format);
  add(tally, chi_square, freedom, format, values);
  va_end(values);
  tally->square += chi_square;
  tally->freedom += freedom;
}

void tally_add_alone(struct tally *tally, double chi_square, double freedom, const char *format,
                     ...) {
  va_list values;
  va_start(values, format);
  add(tally, chi_square, freedom, format, values);
  va_end(values);
}

double tally_chance(const struct tally *tally) {
  return -expm1((double)tally->trials * log1p(-fmin(tally->smallest, 1 - 1e-16)));
}

double tally_errors(const struct tally *tally) {
  return tally->freedom > 0 ? normal_of_chi_square(tally->square, tally->freedom) : 0;
}

int tally_passes(const struct tally *tally) {
  return tally->trials > 0 && tally_chance(tally) >= MIN_CHANCE &&
         fabs(tally_errors(tally)) <= MAX_ERRORS;
}

uint64_t split_mix(uint64_t seed, uint64_t n) {
  uint64_t z = seed + (n + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static void fourier_line(double complex *value, const double complex *turn, size_t n) {
  for (size_t i = 1, j = 0; i < n; i++) {
    size_t bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      const double complex other = value[i];
      value[i] = value[j];
      value[j] = other;
    }
  }
  for (size_t half = 1; half < n; half *= 2)
    for (size_t start = 0; start < n; start += 2 * half)
      for (size_t i = 0; i < half; i++) {
        double complex *low = value + start + i, *high = low + half;
        /* Written out, as C's product of complex numbers looks for infinities. */
        const double complex t = turn[i * (n / (2 * half))];
        const double re = creal(t) * creal(*high) - cimag(t) * cimag(*high);
        const double im = creal(t) * cimag(*high) + cimag(t) * creal(*high);
        *high = *low - (re + im * I);
        *low += re + im * I;
      }
}

static void turns(double complex *turn, size_t n) {
  for (size_t i = 0; i < n / 2; i++)
    turn[i] = cexp(-2 * PI * I * (double)i / (double)n);
}

void fourier(double complex *value, size_t nx, size_t ny) {
  enum { LONGEST = 4096 };
  static double complex turn[LONGEST / 2], line[LONGEST];
  turns(turn, nx);
  for (size_t y = 0; y < ny; y++)
    fourier_line(value + y * nx, turn, nx);
  turns(turn, ny);
  for (size_t x = 0; x < nx; x++) {
    for (size_t y = 0; y < ny; y++)
      line[y] = value[y * nx + x];
    fourier_line(line, turn, ny);
    for (size_t y = 0; y < ny; y++)
      value[y * nx + x] = line[y];
  }
}

void walsh(double *value, size_t n) {
  for (size_t half = 1; half < n; half *= 2)
    for (size_t start = 0; start < n; start += 2 * half)
      for (size_t i = start; i < start + half; i++) {
        const double low = value[i], high = value[i + half];
        value[i] = low + high;
        value[i + half] = low - high;
      }
}

void *have(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return memory;
}
