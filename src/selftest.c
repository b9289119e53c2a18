/* SPDX-License-Identifier: MIT
 *
 * The self-test: one number that changes if any bit of about ten thousand samples changes.
 * Its fields cover every number of dimensions, near and far positions, one octave and several,
 * every kind of option, values and gradients, of grids, points and single positions.
 */
#include "strict.h"

#include <string.h>

#include "dispatch.h"
#include "field.h"
#include "range.h"
#include "selftest.h"

enum { SAMPLES = 512, SINGLES = 8, APART = SAMPLES / SINGLES };

uint64_t perlane_digest(uint64_t digest, const float *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t word;
    memcpy(&word, &value[i], sizeof word);
    digest = (digest ^ word) * UINT64_C(0x100000001B3);
  }
  return digest;
}

/* A field, and where it is evaluated. */
static const struct test_field {
  const char *options;
  double origin, step;
  int64_t first;
} FIELD[] = {
    {"frequency=0.11", 0, 1, 0},
    {"frequency=0.25", -3.7, 0.31, -9},
    {"frequency=0.5 octaves=3", 1000.5, -1.3, 17},
    {"frequency=0.013 octaves=4 lacunarity=1.9 gain=0.6", -0x1p33, 7.7, INT64_C(1) << 36},
    {"frequency=0.2 octaves=3 hash=perlin gradients=sphere fractal=ridged weighted_strength=0.5 "
     "contrast=2",
     0, 0.7, 0},
    {"frequency=0.3 octaves=2 gradients=sphere fade=cubic fractal=ping_pong period=7,7,7,7",
     -0x1p40, 0.6, 0},
    {"frequency=0.17 octaves=2 basis=value hash=shuffled fade=linear fractal=billow", 0, -0.9, 0},
    {"frequency=0.8 basis=gaussian", 0, 1.1, 0},
    {"frequency=0.09 octaves=2 warp_amplitude=11.11111111111111 warp_frequency=0.09 warp_octaves=2 "
     "warp_rounds=2 curve=-0.5:-1,0:0.25,0.5:0.75 curve_shape=smooth terraces=5",
     0, 0.9, 0},
    {"frequency=0.15 octaves=3 fractal=eroded warp_amplitude=6.666666666666667 warp_frequency=0.15 "
     "warp_octaves=2",
     0, 1, 0},
    {"frequency=0.04 basis=cellular", 0, 1, 0},
    {"frequency=0.3 octaves=2 basis=cellular period=5,5,5,5 cell_metric=manhattan "
     "cell_output=f2_minus_f1",
     -0x1p35, 1, 0},
    {"frequency=0.8 basis=cellular cell_metric=chebyshev cell_output=value", 0, 1, 0},
};

/* The functions of grids and of points are not inlined: each has arrays of its own on the stack. */
static PERLANE_NOINLINE uint64_t digest_of_grid(uint64_t digest,
                                                const struct perlane_kernels *kernels,
                                                const perlane_noise *noise,
                                                const struct test_field *field, int dims) {
  static const size_t count[PERLANE_MAX_DIMS][PERLANE_MAX_DIMS] = {
      {509, 1, 1, 1}, {43, 11, 1, 1}, {21, 6, 4, 1}, {19, 3, 4, 2}};
  float value[SAMPLES], gradient[PERLANE_MAX_DIMS][SAMPLES];
  struct perlane_output plain = {.format = PERLANE_FLOAT, .value = value}, sloped = plain;
  struct perlane_region grid = {.dims = dims, .octaves = noise->octaves};
  ptrdiff_t samples = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid.first[a] = field->first - a;
    grid.count[a] = count[dims - 1][a];
    grid.origin[a] = field->origin;
    grid.step[a] = field->step / (a + 1);
    grid.stride[a] = samples;
    samples *= (ptrdiff_t)grid.count[a];
    /* cppcheck-suppress legacyUninitvar ; an address */
    sloped.gradient[a] = a < dims ? gradient[a] : NULL;
  }
  kernels->fill(noise, &grid, &plain);
  digest = perlane_digest(digest, value, (size_t)samples);
  if (perlane_field_gradient_status(noise, dims) != PERLANE_OK)
    return digest;
  kernels->fill(noise, &grid, &sloped);
  for (int a = 0; a < dims; a++)
    digest = perlane_digest(digest, gradient[a], (size_t)samples);
  return digest;
}

static PERLANE_NOINLINE uint64_t digest_of_points(uint64_t digest,
                                                  const struct perlane_kernels *kernels,
                                                  const perlane_noise *noise,
                                                  const struct test_field *field, int dims) {
  float value[SAMPLES], coordinate[PERLANE_MAX_DIMS][SAMPLES];
  const float *coords[PERLANE_MAX_DIMS];
  float *gradient[PERLANE_MAX_DIMS]; /* in place of the coordinates */
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    coords[a] = coordinate[a];
    gradient[a] = coordinate[a];
    for (size_t i = 0; i < (size_t)SAMPLES; i++)
      coordinate[a][i] =
          (float)(field->origin + (double)(i * (i + 13 + (size_t)a)) * 0.37 * field->step);
  }
  struct perlane_point_list list = {.dims = dims, .n = SAMPLES - 3, .coords = coords, .out = value};
  kernels->points(noise, &list);
  /* Single values, which have the same bits, take the place of some. */
  double position[SINGLES][PERLANE_MAX_DIMS];
  for (size_t i = 0; i < SINGLES; i++) {
    for (int a = 0; a < dims; a++)
      position[i][a] = (double)coordinate[a][i * APART];
    value[i * APART] = kernels->at(noise, dims, position[i], NULL);
  }
  digest = perlane_digest(digest, value, list.n);
  if (perlane_field_gradient_status(noise, dims) != PERLANE_OK)
    return digest;
  list.out = NULL;
  list.gradient = gradient;
  kernels->points(noise, &list);
  for (size_t i = 0; i < SINGLES; i++) {
    float slope[PERLANE_MAX_DIMS];
    kernels->at(noise, dims, position[i], slope);
    for (int a = 0; a < dims; a++)
      gradient[a][i * APART] = slope[a];
  }
  for (int a = 0; a < dims; a++)
    digest = perlane_digest(digest, gradient[a], list.n);
  return digest;
}

static uint64_t digest_fields(const struct perlane_kernels *kernels) {
  uint64_t digest = PERLANE_DIGEST_START;
  for (size_t f = 0; f < sizeof FIELD / sizeof FIELD[0]; f++) {
    perlane_noise noise;
    perlane_params params = perlane_params_default();
    params.seed = UINT64_C(0x9E3779B97F4A7C15) * (f + 1);
    if (perlane_params_parse(&params, FIELD[f].options, NULL) != PERLANE_OK ||
        perlane_field_make(&noise, &params, NULL) != PERLANE_OK)
      return 0;
    for (int dims = 1; dims <= PERLANE_MAX_DIMS && noise.largest[dims - 1] > 0; dims++) {
      digest = digest_of_grid(digest, kernels, &noise, &FIELD[f], dims);
      digest = digest_of_points(digest, kernels, &noise, &FIELD[f], dims);
    }
  }
  return digest;
}

uint64_t perlane_kernels_digest(const struct perlane_kernels *kernels) {
  const perlane_fp_state caller = perlane_fp_enter();
  uint64_t (*volatile digest)(const struct perlane_kernels *) = digest_fields; /* not inlined */
  const uint64_t result = digest(kernels);
  perlane_fp_leave(caller);
  return result;
}

perlane_status perlane_selftest(perlane_isa isa, uint64_t *digest) {
  const struct perlane_kernels *kernels =
      isa == PERLANE_ISA_AUTO ? perlane_kernels_current() : perlane_kernels_for(isa);
  if (!kernels)
    return PERLANE_ERROR_ISA;
  const uint64_t result = perlane_kernels_digest(kernels);
  if (digest)
    *digest = result;
  return result == PERLANE_SELFTEST_DIGEST ? PERLANE_OK : PERLANE_ERROR_SELFTEST;
}
