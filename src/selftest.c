/* SPDX-License-Identifier: MIT
 *
 * The self-test: one number that changes if any of some ten thousand samples changes in any bit.
 * Its fields cover every number of dimensions, near and far positions, one octave and several,
 * every kind of option, values and gradients, and both entry points.
 */
#include "strict.h"

#include <string.h>

#include "field.h"
#include "kernels.h"

enum { SAMPLES = 512 };

uint64_t perlane_digest(uint64_t digest, const float *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t word;
    memcpy(&word, &value[i], sizeof word);
    digest = (digest ^ word) * UINT64_C(0x100000001B3);
  }
  return digest;
}

static const struct test_field {
  double frequency, lacunarity, gain, origin, step;
  int64_t first;
  int octaves;
  perlane_basis basis;
  perlane_hash hash;
  perlane_gradients gradients;
  perlane_fade fade;
  perlane_fractal fractal;
  double weighted_strength;
  int period, contrast;
  int warp_rounds, bent; /* 0: no warp; whether there are a curve and terraces */
  perlane_cell_metric cell_metric;
  perlane_cell_output cell_output;
} FIELD[] = {
    {.frequency = 0.11, .step = 1, .octaves = 1},
    {.frequency = 0.25, .origin = -3.7, .step = 0.31, .first = -9, .octaves = 1},
    {.frequency = 0.5, .origin = 1000.5, .step = -1.3, .first = 17, .octaves = 3},
    {.frequency = 0.013,
     .lacunarity = 1.9,
     .gain = 0.6,
     .origin = -0x1p33,
     .step = 7.7,
     .first = INT64_C(1) << 36,
     .octaves = 4},
    {.frequency = 0.2,
     .step = 0.7,
     .octaves = 3,
     .hash = PERLANE_HASH_PERLIN,
     .gradients = PERLANE_GRADIENTS_SPHERE,
     .fractal = PERLANE_FRACTAL_RIDGED,
     .weighted_strength = 0.5,
     .contrast = 2},
    {.frequency = 0.3,
     .origin = -0x1p40,
     .step = 0.6,
     .octaves = 2,
     .gradients = PERLANE_GRADIENTS_SPHERE,
     .fade = PERLANE_FADE_CUBIC,
     .fractal = PERLANE_FRACTAL_PING_PONG,
     .period = 7},
    {.frequency = 0.17,
     .step = -0.9,
     .octaves = 2,
     .basis = PERLANE_BASIS_VALUE,
     .hash = PERLANE_HASH_SHUFFLED,
     .fade = PERLANE_FADE_LINEAR,
     .fractal = PERLANE_FRACTAL_BILLOW},
    {.frequency = 0.8, .step = 1.1, .octaves = 1, .basis = PERLANE_BASIS_GAUSSIAN},
    {.frequency = 0.09, .step = 0.9, .octaves = 2, .warp_rounds = 2, .bent = 1},
    {.frequency = 0.15,
     .step = 1,
     .octaves = 3,
     .fractal = PERLANE_FRACTAL_ERODED,
     .warp_rounds = 1},
    {.frequency = 0.04, .step = 1, .octaves = 1, .basis = PERLANE_BASIS_CELLULAR},
    {.frequency = 0.3,
     .origin = -0x1p35,
     .step = 1,
     .octaves = 2,
     .basis = PERLANE_BASIS_CELLULAR,
     .period = 5,
     .cell_metric = PERLANE_CELL_METRIC_MANHATTAN,
     .cell_output = PERLANE_CELL_OUTPUT_F2_MINUS_F1},
    {.frequency = 0.8,
     .step = 1,
     .octaves = 1,
     .basis = PERLANE_BASIS_CELLULAR,
     .cell_metric = PERLANE_CELL_METRIC_CHEBYSHEV,
     .cell_output = PERLANE_CELL_OUTPUT_VALUE},
};

static perlane_params params_of(size_t f) {
  const struct test_field *field = &FIELD[f];
  perlane_params params = perlane_params_default();
  params.seed = 0x9E3779B97F4A7C15u * (f + 1);
  params.frequency = field->frequency;
  if (field->lacunarity != 0)
    params.lacunarity = field->lacunarity;
  if (field->gain != 0)
    params.gain = field->gain;
  params.octaves = field->octaves;
  params.basis = (int32_t)field->basis;
  params.hash = (int32_t)field->hash;
  params.gradients = (int32_t)field->gradients;
  params.fade = (int32_t)field->fade;
  params.fractal = (int32_t)field->fractal;
  params.weighted_strength = field->weighted_strength;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    params.period[a] = field->period;
  if (field->contrast != 0)
    params.contrast = field->contrast;
  params.cell_metric = (int32_t)field->cell_metric;
  params.cell_output = (int32_t)field->cell_output;
  if (field->warp_rounds > 0) {
    params.warp_amplitude = 1 / field->frequency;
    params.warp_frequency = field->frequency;
    params.warp_octaves = 2;
    params.warp_rounds = field->warp_rounds;
  }
  if (field->bent) {
    params.curve = (perlane_curve){.count = 3, .point = {{-0.5, -1}, {0, 0.25}, {0.5, 0.75}}};
    params.curve_shape = PERLANE_CURVE_SMOOTH;
    params.terraces = 5;
  }
  return params;
}

/* The functions of grids and of points are not inlined: each has arrays of its own on the stack. */
static PERLANE_NOINLINE uint64_t digest_of_grid(uint64_t digest,
                                                const struct perlane_kernels *kernels,
                                                const perlane_noise *noise,
                                                const struct test_field *field, int dims) {
  static const size_t count[PERLANE_MAX_DIMS][PERLANE_MAX_DIMS] = {
      {509, 1, 1, 1}, {43, 11, 1, 1}, {21, 6, 4, 1}, {19, 3, 4, 2}};
  float value[SAMPLES], gradient[PERLANE_MAX_DIMS][SAMPLES];
  struct perlane_output plain = {.format = PERLANE_FLOAT, .value = value}, sloped = plain;
  struct perlane_region grid = {.dims = dims};
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
  digest = perlane_digest(digest, value, list.n);
  if (perlane_field_gradient_status(noise, dims) != PERLANE_OK)
    return digest;
  list.out = NULL;
  list.gradient = gradient;
  kernels->points(noise, &list);
  for (int a = 0; a < dims; a++)
    digest = perlane_digest(digest, gradient[a], list.n);
  return digest;
}

static uint64_t digest_fields(const struct perlane_kernels *kernels) {
  uint64_t digest = PERLANE_DIGEST_START;
  for (size_t f = 0; f < sizeof FIELD / sizeof FIELD[0]; f++) {
    perlane_noise noise;
    const perlane_params params = params_of(f);
    if (perlane_field_make(&noise, &params) != PERLANE_OK)
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
