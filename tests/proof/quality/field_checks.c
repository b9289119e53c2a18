/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(perlane_status status) {
  if (status != PERLANE_OK) {
    fprintf(stderr, "%s\n", perlane_status_string(status));
    exit(2);
  }
}

/* ---- One octave of the default field, from the specification, in double ---- */

/* The scale of 3.4 for the default gradients and the quintic fade. */
static const double SCALE[] = {0x1p+1, 0x1.65f218p+0, 0x1.ee0a2ap-2, 0x1.4d34fap-2};

double default_gradient(int dims, int index, int axis) {
  static const double offaxis[4][2] = {
      {1, 53.0 / 128}, {-1, 53.0 / 128}, {1, -53.0 / 128}, {-1, -53.0 / 128}};
  static const int edges[16][3] = {{2, 2, 0}, {-2, 2, 0}, {2, -2, 0}, {-2, -2, 0},
                                   {2, 0, 2}, {-2, 0, 2}, {2, 0, -2}, {-2, 0, -2},
                                   {0, 2, 2}, {0, -2, 2}, {0, 2, -2}, {0, -2, -2},
                                   {2, 2, 0}, {0, -2, 2}, {-2, 2, 0}, {0, -2, -2}};
  static const int sign_bit[4][4] = {{-1, 3, 4, 0}, {3, -1, 4, 0}, {3, 4, -1, 0}, {0, 3, 4, -1}};
  int bit;
  switch (dims) {
  case 1:
    return index ? -1 : 1;
  case 2: /* the last four are the first four, mirrored */
    return index < 4   ? offaxis[index][axis]
           : axis == 0 ? offaxis[index - 4][0] * 53 / 128
                       : copysign(1, offaxis[index - 4][1]);
  case 3:
    return edges[index][axis];
  default:
    bit = sign_bit[index >> 1 & 3][axis];
    return bit < 0 ? 0 : index >> bit & 1 ? -2 : 2;
  }
}

static double fade(double t) {
  return t * t * t * (t * (t * 6 - 15) + 10);
}

/* Computes what each gradient of a corner would add to the value at a fraction of the cell. */
static void ramps(int dims, const double *fraction, int corner, double *ramp) {
  double weight = SCALE[dims - 1];
  for (int a = 0; a < dims; a++)
    weight *= corner >> a & 1 ? fade(fraction[a]) : fade(1 - fraction[a]);
  for (int i = 0; i < (int)lattice_choices(&LATTICE, dims); i++) {
    ramp[i] = 0;
    for (int a = 0; a < dims; a++)
      ramp[i] += weight * default_gradient(dims, i, a) * (fraction[a] - (corner >> a & 1));
  }
}

/* ---- Samples that share no lattice point ---- */

/* Samples are 2 + 25/STEPS cells apart along each axis, so that no two share a lattice point, and
 * every STEPS of them take each of the fractions (i + 1/2) / STEPS once: what is expected of them
 * is a sum over these fractions, with nothing left to approximate. */
static const size_t STEPS[] = {64, 64, 32, 8};
static const size_t SAMPLES[4][4] = {{1 << 19}, {1024, 1024}, {128, 128, 64}, {32, 32, 32, 32}};

static size_t fill_apart(const perlane_params *params, int dims, uint64_t seed, float **value) {
  perlane_params field = *params;
  field.frequency = 1;
  field.seed = seed;
  field.phase = PERLANE_PHASE_NONE; /* samples are at known fractions */
  perlane_noise noise;
  must(perlane_init(&noise, &field));
  perlane_grid grid = {.dims = dims};
  size_t n = 1;
  for (int a = 0; a < dims; a++) {
    const double steps = (double)STEPS[dims - 1];
    grid.count[a] = SAMPLES[dims - 1][a];
    grid.step[a] = 2 + 25 / steps;
    grid.origin[a] = (double)((int64_t)split_mix(seed, (uint64_t)a) >> 44) + 0.5 / steps;
    n *= grid.count[a];
  }
  *value = have(n * sizeof **value);
  must(perlane_fill(&noise, &grid, *value));
  return n;
}

static int next_fraction(size_t *at, int dims, double *fraction) {
  const size_t steps = STEPS[dims - 1];
  for (int a = 0; a < dims; a++) {
    fraction[a] = ((double)at[a] + 0.5) / (double)steps;
    if (fraction[a] > 1)
      return 0;
  }
  int a = 0;
  while (++at[a] == steps && a + 1 < dims)
    at[a++] = 0;
  return 1;
}

/* Moments of the value at a fraction of the cell: of value^1 .. value^4. */
static void moments_at(int dims, const double *fraction, double moment[4]) {
  double ramp[32] = {0}, second = 0, third = 0, excess = 0;
  const int choices = (int)lattice_choices(&LATTICE, dims);
  for (int c = 0; c < 1 << dims; c++) {
    double power[4] = {0};
    ramps(dims, fraction, c, ramp);
    for (int i = 0; i < choices; i++) {
      double p = ramp[i];
      for (int k = 0; k < 4; k++) {
        power[k] += p;
        p *= ramp[i];
      }
    }
    for (int k = 0; k < 4; k++)
      power[k] /= choices;
    second += power[1]; /* cumulants of independent corners add up; means are 0 */
    third += power[2];
    excess += power[3] - 3 * power[1] * power[1];
  }
  moment[0] = 0;
  moment[1] = second;
  moment[2] = third;
  moment[3] = excess + 3 * second * second;
}

/* Mean over the cell of the moments of the value, and of the variance of value and value^2 at one
 * place: a sample varies around what is expected at its own place. */
static void expected_moments(int dims, double mean[4], double varies[2]) {
  size_t at[4] = {0}, n = 0;
  double fraction[4], moment[4];
  memset(mean, 0, 4 * sizeof *mean);
  varies[0] = varies[1] = 0;
  for (; next_fraction(at, dims, fraction); n++) {
    moments_at(dims, fraction, moment);
    for (int k = 1; k < 4; k++)
      mean[k] += moment[k];
    varies[0] += moment[1];
    varies[1] += moment[3] - moment[1] * moment[1];
  }
  for (int k = 0; k < 4; k++)
    mean[k] /= (double)n;
  varies[0] /= (double)n;
  varies[1] /= (double)n;
}

struct tally check_moments(const perlane_params *params, int dims, size_t fields,
                           struct moments *moments) {
  struct tally tally = tally_start();
  struct moments m = {.smallest = INFINITY, .largest = -INFINITY};
  double varies[2], power[8] = {0}, n = 0;
  expected_moments(dims, m.expected, varies);
  for (uint64_t i = 0; i < fields; i++) {
    float *value;
    const size_t samples = fill_apart(params, dims, i, &value);
    for (size_t s = 0; s < samples; s++) {
      const double v = (double)value[s];
      double p = v;
      for (int k = 0; k < 8; k++, p *= v)
        power[k] += p;
      m.smallest = fmin(m.smallest, v);
      m.largest = fmax(m.largest, v);
    }
    m.samples += samples;
    free(value);
  }
  n = (double)m.samples;
  for (int k = 0; k < 4; k++) {
    m.measured[k] = power[k] / n;
    /* The third and fourth power's own variance is taken from the samples: an upper bound, as part
     * of it is between the fractions, which are spread evenly. */
    const double variance =
        k < 2 ? varies[k] : power[2 * k + 1] / n - m.measured[k] * m.measured[k];
    m.error[k] = sqrt(variance / n);
    const double z = (m.measured[k] - m.expected[k]) / m.error[k];
    tally_add_alone(&tally, z * z, 1, "mean of value^%d, %+.1f standard errors", k + 1, z);
  }
  *moments = m;
  return tally;
}

static struct tally check_moments_alone(const perlane_params *params, int dims, size_t fields) {
  struct moments moments;
  return check_moments(params, dims, fields, &moments);
}

/* ---- Distribution ---- */

enum { BINS = 41 };

static int bin_of(double value) {
  return (int)fmin(fmax(floor((value + 1) / 2 * BINS), 0), BINS - 1);
}

static void expected_distribution(int dims, double share[BINS]) {
  size_t at[4] = {0};
  double fraction[4], ramp[4][32] = {{0}}, n = 0;
  memset(share, 0, BINS * sizeof *share);
  const int choices = (int)lattice_choices(&LATTICE, dims), second = dims == 2 ? choices : 1;
  while (next_fraction(at, dims, fraction)) {
    for (int c = 0; c < 1 << dims; c++)
      ramps(dims, fraction, c, ramp[c]);
    for (int i = 0; i < choices; i++)
      for (int j = 0; j < choices; j++)
        for (int k = 0; k < second; k++)
          for (int l = 0; l < second; l++, n++)
            share[bin_of(ramp[0][i] + ramp[1][j] + ramp[2][k] + ramp[3][l])]++;
  }
  for (int b = 0; b < BINS; b++)
    share[b] /= n;
}

struct tally check_distribution(const perlane_params *params, int dims, size_t fields) {
  struct tally tally = tally_start();
  double seen[BINS], expected[BINS];
  expected_distribution(dims, expected);
  for (uint64_t i = 0; i < fields; i++) {
    float *value;
    memset(seen, 0, sizeof seen);
    const size_t samples = fill_apart(params, dims, 1000 + i, &value);
    for (size_t s = 0; s < samples; s++)
      seen[bin_of((double)value[s])]++;
    free(value);
    double square = 0, freedom = -1, rare_seen = 0, rare = 0;
    for (int b = 0; b < BINS; b++) {
      const double times = expected[b] * (double)samples;
      if (times < 20) { /* too few to be nearly normal: together */
        rare += times;
        rare_seen += seen[b];
        continue;
      }
      square += (seen[b] - times) * (seen[b] - times) / times;
      freedom++;
    }
    if (rare >= 20) {
      square += (rare_seen - rare) * (rare_seen - rare) / rare;
      freedom++;
    } else if (rare < 1e-9 && rare_seen > 0) {
      square = INFINITY;
    }
    tally_add_alone(&tally, square, freedom, "seed %llu", (unsigned long long)(1000 + i));
  }
  return tally;
}

/* ---- Seeds and octaves, origin and whole numbers ---- */

/* Fills value with samples that share no lattice point in any octave, at scale * x. */
static void fill_scaled(const perlane_params *params, int dims, uint64_t place, int scale,
                        float *value) {
  perlane_noise noise;
  must(perlane_init(&noise, params));
  perlane_grid grid = {.dims = dims};
  for (int a = 0; a < dims; a++) {
    grid.count[a] = SAMPLES[dims - 1][a];
    grid.step[a] = scale * (2 + 25 / (double)STEPS[dims - 1]);
    grid.origin[a] = scale * (double)((int64_t)split_mix(place, (uint64_t)a) >> 30) * 0x1p-14;
  }
  must(perlane_fill(&noise, &grid, value));
}

struct tally check_unrelated(const perlane_params *params, int dims, size_t fields) {
  enum { SCALES = 3, KINDS = 4, ALL = SCALES * KINDS };
  struct tally tally = tally_start();
  size_t samples = 1;
  for (int a = 0; a < dims; a++)
    samples *= SAMPLES[dims - 1][a];
  float *value[ALL];
  for (int i = 0; i < ALL; i++)
    value[i] = have(samples * sizeof *value[i]);
  for (uint64_t i = 0; i < 2 * fields; i++) {
    const int of_octaves = i % 2 == 1;
    const uint64_t seed = i % 4 < 2 ? i / 4 : split_mix(0x556E7265, i);
    for (int f = 0; f < ALL; f++) {
      perlane_params field = *params;
      field.frequency = 1;
      field.seed = seed + (of_octaves ? 0 : (uint64_t)(f / SCALES));
      field.octaves = of_octaves ? f / SCALES + 1 : 8;
      field.gain = of_octaves ? 0x1p20 : 1; /* the last octave, and next to nothing of the others */
      fill_scaled(&field, dims, split_mix(seed, i), 1 << f % SCALES, value[f]);
    }
    for (int f = 0; f < ALL; f++)
      for (int g = 0; g < f; g++) {
        double sum = 0, squares = 0;
        for (size_t s = 0; s < samples; s++) {
          const double product = (double)value[f][s] * (double)value[g][s];
          sum += product;
          squares += product * product;
        }
        tally_add(&tally, sum * sum / squares, 1, "%s: seed %#llx, %d at %dx and %d at %dx",
                  of_octaves ? "octaves" : "seeds", (unsigned long long)seed, g / SCALES,
                  1 << g % SCALES, f / SCALES, 1 << f % SCALES);
      }
  }
  for (int i = 0; i < ALL; i++)
    free(value[i]);
  return tally;
}

static void add_moments(struct tally *tally, const double *power, double n, const double *expected,
                        int count, const char *what) {
  for (int k = 0; k < count; k++) {
    const double mean = power[k] / n, variance = power[2 * k + 1] / n - mean * mean;
    const double off = mean - expected[k], z = off == 0 ? 0 : off / sqrt(variance / n);
    tally_add_alone(tally, z * z, 1, "%s: mean of value^%d, %+.1f standard errors", what, k + 1, z);
  }
}

struct tally check_places(const perlane_params *params, int dims, size_t seeds) {
  static const double frequencies[] = {1, 0.01, 3};
  /* Positions in cells: the origin, 1 along x, 1 along all axes, and whole numbers up to 2^43. */
  enum { POSITIONS = 6, MANY = 8 };
  struct tally tally = tally_start();
  double expected[4], varies[2];
  expected_moments(dims, expected, varies);
  for (int octaves = 1; octaves <= MANY; octaves += MANY - 1)
    for (int f = 0; f < 3; f++)
      for (int p = 0; p < POSITIONS; p++) {
        perlane_params field = *params;
        field.frequency = frequencies[f];
        field.octaves = octaves;
        double position[4] = {0}, cell[4] = {0}, power[8] = {0}, squares = 0, sum = 0;
        for (int a = 0; a < dims; a++) {
          const uint64_t any = split_mix((uint64_t)p, (uint64_t)a);
          cell[a] = p == 0   ? 0
                    : p == 1 ? a == 0
                    : p == 2 ? 1
                             : (double)((int64_t)any >> (20 + 14 * (p - 3)));
          position[a] = cell[a] / field.frequency;
        }
        perlane_noise noise;
        must(perlane_init(&noise, &field));
        for (size_t s = 0; s < seeds; s++) {
          must(perlane_reseed(&noise, s % 2 ? split_mix(0x506C6163, s) : s / 2));
          const double v = (double)perlane_at(&noise, dims, position);
          double product = v;
          for (int k = 0; k < 8; k++, product *= v)
            power[k] += product;
        }
        for (int k = 0; k < octaves; k++) {
          const double amplitude = pow(field.gain, k);
          sum += amplitude;
          squares += amplitude * amplitude;
        }
        const double of_sum[2] = {0, expected[1] * squares / (sum * sum)};
        char what[64];
        snprintf(what, sizeof what, "%d octaves, frequency %g, cell %g..", octaves, field.frequency,
                 cell[0]);
        add_moments(&tally, power, (double)seeds, octaves == 1 ? expected : of_sum,
                    octaves == 1 ? 4 : 2, what);
      }
  return tally;
}

struct tally check_whole_numbers(const perlane_params *params, int dims, size_t fields) {
  struct tally tally = tally_start();
  size_t samples = 1;
  perlane_grid grid = {.dims = dims};
  static const size_t count[4][4] = {{65536}, {256, 256}, {32, 32, 64}, {16, 16, 16, 16}};
  for (int a = 0; a < dims; a++)
    samples *= grid.count[a] = count[dims - 1][a];
  float *value = have(samples * sizeof *value);
  for (uint64_t i = 0; i < fields; i++) {
    perlane_params field = *params;
    field.frequency = 1;
    field.seed = i % 2 ? split_mix(0x57686F6C, i) : i / 2;
    perlane_noise noise;
    must(perlane_init(&noise, &field));
    double fraction[4], moment[4], power[2] = {0};
    for (int a = 0; a < dims; a++) {
      const uint64_t stream = split_mix(split_mix(field.seed, 0), (uint64_t)a);
      fraction[a] = (double)(stream & 0xFFFFFF) * 0x1p-24; /* 3.2 */
      grid.step[a] = 2;                                    /* no lattice point is shared */
      grid.origin[a] = (double)((int64_t)split_mix(field.seed, (uint64_t)a + 99) >> 44);
    }
    moments_at(dims, fraction, moment);
    must(perlane_fill(&noise, &grid, value));
    for (size_t s = 0; s < samples; s++) {
      const double v = (double)value[s];
      power[0] += v;
      power[1] += v * v;
    }
    const double n = (double)samples;
    for (int k = 0; k < 2; k++) {
      /* The square hardly varies near a lattice point: there its rounding counts, too. */
      const double rounding = k == 0 ? 0 : 1e-6 * moment[1];
      const double variance = moment[2 * k + 1] - moment[k] * moment[k];
      const double error = sqrt(fmax(variance, 0) / n + rounding * rounding);
      const double z = (power[k] / n - moment[k]) / error;
      tally_add(&tally, z * z, 1, "seed %#llx: mean of value^%d, %+.1f standard errors",
                (unsigned long long)field.seed, k + 1, z);
    }
  }
  free(value);
  return tally;
}

/* ---- Spectrum ---- */

static const double PI = 3.14159265358979323846;

/* Fields of CELLS x CELLS cells, SIDE x SIDE samples. Power is that of the field's variance in a
 * ring and sector. */
enum { CELLS = 32, SIDE = 256, SAMPLES_2D = SIDE * SIDE, RINGS = 10, SECTORS = 12 };
#define RING_WIDTH 0.2 /* cycles a cell */

/* Adds |F|^2 of samples at each frequency, times a factor; 0 cycles come first along both axes. */
static void add_power(double complex *wave, double factor, double *power) {
  fourier(wave, SIDE, SIDE);
  for (size_t i = 0; i < SAMPLES_2D; i++)
    power[i] += factor * (creal(wave[i]) * creal(wave[i]) + cimag(wave[i]) * cimag(wave[i]));
}

static void add_spectrum(const perlane_params *params, uint64_t seed, double *power) {
  perlane_params field = *params;
  field.seed = seed;
  field.phase = PERLANE_PHASE_NONE; /* expected_spectrum, too, samples at lattice points */
  field.frequency = (double)CELLS / SIDE;
  field.period[0] = field.period[1] = CELLS;
  perlane_noise noise;
  must(perlane_init(&noise, &field));
  const perlane_grid grid = perlane_grid_make(SIDE, SIDE, 0, 0);
  static float value[SAMPLES_2D];
  static double complex wave[SAMPLES_2D];
  must(perlane_fill(&noise, &grid, value));
  for (size_t i = 0; i < SAMPLES_2D; i++)
    wave[i] = (double)value[i];
  add_power(wave, 1, power);
}

/* A field is the sum over lattice points of g.x times the kernel (fade around the point) * dx, and
 * g.y times (fade) * dy. Gradients that are independent, of mean 0 and with the same mean square
 * along x and y, and no correlation of the two, have the same power at all frequencies; so the
 * field has that of the kernels. */
static void expected_spectrum(double *power) {
  static double complex wave[SAMPLES_2D];
  const int choices = (int)lattice_choices(&LATTICE, 2);
  for (int a = 0; a < 2; a++) {
    double square = 0;
    for (int i = 0; i < choices; i++)
      square += default_gradient(2, i, a) * default_gradient(2, i, a) / choices;
    for (int i = 0; i < SAMPLES_2D; i++) {
      double distance[2] = {i % SIDE, i / SIDE}, weight = SCALE[1];
      for (int b = 0; b < 2; b++) {
        distance[b] = (distance[b] >= SIDE / 2 ? distance[b] - SIDE : distance[b]) * CELLS / SIDE;
        weight *= fabs(distance[b]) < 1 ? fade(1 - fabs(distance[b])) : 0;
      }
      wave[i] = weight * distance[a];
    }
    add_power(wave, square * CELLS * CELLS, power);
  }
}

/* Adds up the power in each ring and sector, as a share of the samples' variance. Sector s is
 * around the direction s / SECTORS of a half turn. */
static void sort_spectrum(const double *power, double sum[RINGS][SECTORS]) {
  memset(sum, 0, RINGS * sizeof *sum);
  for (int v = -SIDE / 2; v < SIDE / 2; v++)
    for (int u = -SIDE / 2; u < SIDE / 2; u++) {
      const double frequency = hypot(u, v) / CELLS;
      const int ring = (int)(frequency / RING_WIDTH);
      double turn = atan2(v, u) / PI;
      turn = turn < 0 ? turn + 1 : turn;
      if (ring < RINGS && (u || v))
        sum[ring][(int)(turn * SECTORS + 0.5) % SECTORS] +=
            power[(v & (SIDE - 1)) * SIDE + (u & (SIDE - 1))] / ((double)SIDE * SIDE * SIDE * SIDE);
    }
}

struct tally check_spectrum(const perlane_params *params, int dims, size_t fields) {
  (void)dims;   /* it is 2 */
  fields += 20; /* few have no spread to compare with */
  struct tally tally = tally_start();
  static double power[SAMPLES_2D];
  double expected[RINGS][SECTORS], one[RINGS][SECTORS];
  double sum[RINGS][SECTORS] = {{0}}, squares[RINGS][SECTORS] = {{0}};
  memset(power, 0, sizeof power);
  expected_spectrum(power);
  sort_spectrum(power, expected);
  for (uint64_t i = 0; i < fields; i++) {
    memset(power, 0, sizeof power);
    add_spectrum(params, 2000 + i, power);
    sort_spectrum(power, one);
    for (int r = 0; r < RINGS; r++)
      for (int s = 0; s < SECTORS; s++) {
        sum[r][s] += one[r][s];
        squares[r][s] += one[r][s] * one[r][s];
      }
  }
  const double n = (double)fields;
  for (int r = 0; r < RINGS; r++)
    for (int s = 0; s < SECTORS; s++) {
      const double mean = sum[r][s] / n;
      const double error = sqrt((squares[r][s] / n - mean * mean) / (n - 1));
      const double z = normal_of_t((mean - expected[r][s]) / error, n - 1);
      tally_add_alone(&tally, z * z, 1,
                      "%.1f..%.1f cycles a cell, %d degrees, %+.1f standard errors", r * RING_WIDTH,
                      (r + 1) * RING_WIDTH, s * 180 / SECTORS, z);
    }
  return tally;
}

/* ---- All of them ---- */

perlane_params field_with(const char *options) {
  perlane_params params = perlane_params_default();
  must(perlane_params_parse(&params, options, NULL));
  return params;
}

/* clang-format off */
const struct field_check FIELD_CHECK[FIELD_CHECKS] = {
    /*                                    1D to 4D                        must fail */
    [MOMENTS] = {"moments", check_moments_alone,
                                          {200, 200, 200, 200},           "fade=cubic", 2, 1},
    [DISTRIBUTION] = {"distribution", check_distribution,
                                          {400, 400, 0, 0},               "fade=cubic", 2, 1},
    /* Perlin's gradients of 2002 lean towards y; as strong as the default ones, so that nothing else
     * gives them away. */
    [SPECTRUM] = {"spectrum", check_spectrum,
                                          {0, 4000, 0, 0},
                                          "gradients=edges12 value_scale=1.2905869560598577", 2, 80},
    [UNRELATED] = {"unrelated", check_unrelated,
                                          {60, 40, 20, 10},               "octaves_share=on", 1, 1},
    [PLACES] = {"places", check_places,
                                          {400000, 400000, 100000, 100000}, "phase=none", 2, 400},
    [WHOLE_NUMBERS] = {"whole numbers", check_whole_numbers,
                                          {4000, 4000, 4000, 4000},       "phase=none", 2, 2},
};
/* clang-format on */
