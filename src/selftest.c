/* SPDX-License-Identifier: MIT
 *
 * The self-test: one digest that changes if any bit of 270,000 numbers does. Its fields cover every
 * number of dimensions, near and far positions, one octave and several, every kind of option but a
 * caller's tables; values and gradients of grids, points and single positions; integers, extremes
 * and cells.
 */
#include "strict.h"

#include <string.h>

#include "../include/perlane_text.h"
#include "dispatch.h"
#include "field.h"
#include "range.h"

enum { SAMPLES = 512, LAND_SAMPLES = 32, SINGLES = 8 };

/* A field, and where it is evaluated. */
struct test_field {
  const char *options;
  double origin, step;
  int64_t first;
};

/* The fields of PERLANE_SELFTEST_DIGEST, which was there before the others. */
static const struct test_field FIELD[] = {
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

/* Fields that are evaluated in the other forms of output, too, and the digest of them all. */
static const struct test_field MORE_FIELDS[] = {
    {"frequency=0.11 basis=simplex", 0, 1, -7},
    {"frequency=0.27 octaves=3 basis=simplex fractal=ridged weighted_strength=0.4", -0x1p35, 0.7,
     0},
    {"frequency=0.13 octaves=2 falloff=1.3 falloff_start=3 falloff_end=17 falloff_x=11 "
     "falloff_y=1.5",
     0, 1, 0},
    {"frequency=0.3 basis=value falloff=-0.7 falloff_shape=square falloff_end=9 value_scale=0.7 "
     "value_offset=0.1 curve=-1:-1,0.3:0.2,1:0.9",
     -3.7, 0.31, 0},
    {"frequency=0.09 basis=cellular cell_output=edge", 0, 1, 0},
    {"frequency=0.4 octaves=2 basis=cellular cell_output=edge jitter=0.7 period=5,5,5,5", -0x1p33,
     1, 0},
    {"frequency=0.2 basis=cellular cell_metric=squared cell_output=f2 warp_amplitude=3 "
     "warp_frequency=0.1",
     0, 0.9, 0},
    {"frequency=0.3 octaves=3 hash=perlin gradients=pnoise table_offset=3,-5 octaves_share=on "
     "phase=none normalize=spread contrast=3",
     0, -0.7, 0},
    {"frequency=0.05 octaves=2 valleys=3 valley_octaves=2 falloff=0.5 falloff_end=30 "
     "warp_amplitude=3",
     0, 0.7, 0},
    {"frequency=0.1 basis=simplex fractal=ridged valleys=2 valley_octaves=1 valley_cells=1.5",
     -0x1p35, 1.1, -9},
    {"frequency=0.7 octaves=2 basis=white normalize=none contrast=0 value_scale=6e4", 0, 1.1, 0},
};
#define MORE_DIGEST UINT64_C(0xBCFBA123178DC16B)

/* A field in a number of dimensions, and the digest so far. */
struct test {
  const struct perlane_kernels *kernels;
  const struct test_field *field;
  const perlane_noise *noise;
  int dims;
  uint64_t digest;
};

/* A sample of valleys takes the reference as long as 10,000 of other fields. */
static int has_land(const struct test *test) {
  return test->noise->params.valleys != 0;
}

static struct perlane_region region_of(const struct test *test, size_t *samples) {
  static const size_t counts[PERLANE_MAX_DIMS][PERLANE_MAX_DIMS] = {
      {509, 1, 1, 1}, {43, 11, 1, 1}, {21, 6, 4, 1}, {19, 3, 4, 2}};
  static const size_t land[PERLANE_MAX_DIMS] = {9, 3, 1, 1};
  const size_t *const count = has_land(test) ? land : counts[test->dims - 1];
  const struct test_field *field = test->field;
  struct perlane_region grid = {.dims = test->dims,
                                .octaves = perlane_field_octaves(test->noise, 0)};
  *samples = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid.first[a] = field->first - a;
    grid.count[a] = count[a];
    grid.origin[a] = field->origin;
    grid.step[a] = field->step / (a + 1);
    grid.stride[a] = (ptrdiff_t)*samples;
    *samples *= grid.count[a];
  }
  return grid;
}

/* Continues the digest with n values: FNV-1a over their words instead of bytes, so that it does not
 * depend on byte order. */
static void digest(struct test *test, const float *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t word;
    memcpy(&word, &value[i], sizeof word);
    test->digest = (test->digest ^ word) * UINT64_C(0x100000001B3);
  }
}

static float coordinate_of(const struct test *test, int axis, size_t i) {
  return (float)(test->field->origin +
                 (double)(i * (i + 13 + (size_t)axis)) * 0.37 * test->field->step);
}

/* The functions below are not inlined: each has arrays of its own on the stack. */
static PERLANE_NOINLINE void digest_grid(struct test *test) {
  float value[SAMPLES], gradient[PERLANE_MAX_DIMS][SAMPLES];
  struct perlane_output output = {.format = FORMAT_FLOAT, .value = value};
  size_t samples;
  const struct perlane_region grid = region_of(test, &samples);
  test->kernels->fill(test->noise, &grid, &output);
  digest(test, value, samples);
  if (perlane_field_gradient_status(test->noise, test->dims) != PERLANE_OK)
    return;
  for (int a = 0; a < test->dims; a++)
    output.gradient[a] = gradient[a];
  test->kernels->fill(test->noise, &grid, &output);
  for (int a = 0; a < test->dims; a++)
    digest(test, gradient[a], samples);
}

static PERLANE_NOINLINE void digest_points(struct test *test) {
  const int dims = test->dims;
  const size_t samples = has_land(test) ? LAND_SAMPLES : SAMPLES, apart = samples / SINGLES;
  float value[SAMPLES], coordinate[PERLANE_MAX_DIMS][SAMPLES];
  const float *coords[PERLANE_MAX_DIMS];
  float *gradient[PERLANE_MAX_DIMS]; /* in place of the coordinates */
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    coords[a] = gradient[a] = coordinate[a];
    for (size_t i = 0; i < samples; i++)
      coordinate[a][i] = coordinate_of(test, a, i);
  }
  struct perlane_point_list list = {.dims = dims,
                                    .octaves = perlane_field_octaves(test->noise, 0),
                                    .n = samples - 3,
                                    .coords = coords,
                                    .stride = 1,
                                    .out = value};
  test->kernels->points(test->noise, &list);
  /* Single values, which have the same bits, take the place of some. */
  double position[SINGLES][PERLANE_MAX_DIMS];
  for (size_t i = 0; i < SINGLES; i++) {
    for (int a = 0; a < dims; a++)
      position[i][a] = (double)coordinate[a][i * apart];
    value[i * apart] = test->kernels->at(test->noise, dims, position[i], NULL);
  }
  digest(test, value, list.n);
  if (perlane_field_gradient_status(test->noise, dims) != PERLANE_OK)
    return;
  list.out = NULL;
  list.gradient = gradient;
  test->kernels->points(test->noise, &list);
  for (size_t i = 0; i < SINGLES; i++) {
    float slope[PERLANE_MAX_DIMS];
    test->kernels->at(test->noise, dims, position[i], slope);
    for (int a = 0; a < dims; a++)
      gradient[a][i * apart] = slope[a];
  }
  for (int a = 0; a < dims; a++)
    digest(test, gradient[a], list.n);
}

/* A grid's integers, some of them saturated, and its extremes. */
static PERLANE_NOINLINE void digest_integers(struct test *test) {
  float value[SAMPLES], extremes[2];
  uint16_t word[SAMPLES];
  uint8_t byte[SAMPLES];
  const struct perlane_output output[] = {
      {.format = FORMAT_FLOAT, .value = value, .extremes = extremes},
      {.format = FORMAT_U16, .value = word, .low = -0.4f, .scale = 65535 / 0.9f},
      {.format = FORMAT_U8, .value = byte, .low = 0.3f, .scale = -255 / 0.7f}};
  size_t samples;
  const struct perlane_region grid = region_of(test, &samples);
  for (size_t i = 0; i < sizeof output / sizeof output[0]; i++)
    test->kernels->fill(test->noise, &grid, &output[i]);
  for (size_t i = 0; i < samples; i++)
    value[i] = (float)(word[i] << 8 | byte[i]);
  digest(test, value, samples);
  digest(test, extremes, 2);
}

/* The cells of a grid and of points. */
static PERLANE_NOINLINE void digest_cells(struct test *test) {
  enum { POINTS = 61, MAX_CELL_DIMS = 3 };
  uint32_t id[SAMPLES];
  float distance[2][SAMPLES], offset[MAX_CELL_DIMS][SAMPLES], coordinate[MAX_CELL_DIMS][POINTS];
  const float *coords[MAX_CELL_DIMS];
  perlane_cells cells = {.id = id, .f1 = distance[0], .f2 = distance[1]};
  for (int a = 0; a < test->dims; a++) {
    cells.offset[a] = offset[a];
    coords[a] = coordinate[a];
    for (size_t i = 0; i < (size_t)POINTS; i++)
      coordinate[a][i] = coordinate_of(test, a, i);
  }
  size_t samples;
  const struct perlane_region grid = region_of(test, &samples);
  const struct perlane_point_list list = {
      .dims = test->dims, .n = POINTS, .coords = coords, .stride = 1};
  for (int is_list = 0; is_list < 2; is_list++, samples = POINTS) {
    if (is_list)
      test->kernels->points_cells(test->noise, &list, &cells);
    else
      test->kernels->fill_cells(test->noise, &grid, &cells);
    digest(test, (const float *)(const void *)id, samples);
    for (int j = 0; j < 2; j++)
      digest(test, distance[j], samples);
    for (int a = 0; a < test->dims; a++)
      digest(test, offset[a], samples);
  }
}

static PERLANE_NOINLINE uint64_t digest_fields(const struct perlane_kernels *kernels, int more) {
  const struct test_field *fields = more ? MORE_FIELDS : FIELD;
  const size_t count = (more ? sizeof MORE_FIELDS : sizeof FIELD) / sizeof FIELD[0];
  struct test test = {.kernels = kernels, .digest = UINT64_C(0xCBF29CE484222325)};
  for (size_t f = 0; f < count; f++) {
    perlane_noise noise;
    perlane_params params = perlane_params_default();
    params.seed = UINT64_C(0x9E3779B97F4A7C15) * (f + 1);
    if (perlane_params_parse(&params, fields[f].options, NULL) != PERLANE_OK ||
        perlane_field_make(&noise, &params, NULL) != PERLANE_OK)
      return 0;
    test.field = &fields[f];
    test.noise = &noise;
    for (test.dims = 1; test.dims <= PERLANE_MAX_DIMS; test.dims++) {
      if (!(noise.largest[test.dims - 1] > 0)) /* simplex noise does not exist in 1D */
        continue;
      digest_grid(&test);
      digest_points(&test);
      if (more && test.dims == 2) /* the code that stores them knows nothing of dimensions */
        digest_integers(&test);
      if (more && params.basis == PERLANE_BASIS_CELLULAR)
        digest_cells(&test);
    }
  }
  return test.digest;
}

uint64_t perlane_kernels_digest(const struct perlane_kernels *kernels) {
  const perlane_fp_state caller = perlane_fp_enter();
  const uint64_t result = digest_fields(kernels, 0) ^ digest_fields(kernels, 1) ^ MORE_DIGEST;
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
