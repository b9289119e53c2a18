/* SPDX-License-Identifier: MIT
 *
 * The fields whose digests are committed, in tests/vectors/digests.txt, and how a digest of each
 * function's results is computed. tests/golden.c compares the kernels with them,
 * tests/proof/digests.c the library as some compiler built it.
 *
 * This may be compiled with any flags, -ffast-math included: its arithmetic on positions yields the
 * same doubles in any order that those allow, so that what differs is the library.
 */
#ifndef PERLANE_TESTS_DIGESTS_H
#define PERLANE_TESTS_DIGESTS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lists.h"
#include "perlane_text.h"

/* ---- Fields ---- */

static const struct field {
  const char *name;
  int dims;
  const char *options; /* as text; tables are made below */
  double origin, step; /* step: 0.7 unless set */
  int64_t first;
  /* SHIFTED: axis a begins at sample first - 7 - a.
   * FANNED: axis a has a + 1 times the origin, and 1 / (a + 1) of the step.
   * TILTED: axis a begins at sample -7, from an origin of 0.3 a; the frequency is 0.17. */
  enum { SHIFTED, FANNED, TILTED } grid;
  size_t count[PERLANE_MAX_DIMS]; /* the grid's default unless set */
} FIELDS[] = {
    {"1d", 1, .options = "frequency=0.11"},
    {"2d", 2, .options = "frequency=0.11"},
    {"3d", 3, .options = "frequency=0.11"},
    {"4d", 4, .options = "frequency=0.11"},
    {"1d-fbm", 1, .options = "frequency=0.013 octaves=8 lacunarity=2.1 gain=0.6"},
    {"2d-fbm", 2, .options = "frequency=0.013 octaves=8"},
    {"3d-fbm", 3, .options = "frequency=0.013 octaves=8 lacunarity=1.9 gain=-0.7"},
    {"4d-fbm", 4, .options = "frequency=0.013 octaves=8"},
    {"2d-most-octaves", 2, .options = "frequency=0.001 octaves=32 lacunarity=1.3 gain=0.9"},
    {"2d-coarse-steps", 2, .options = "frequency=0.9", .step = -3.3},
    {"2d-fine-steps", 2, .options = "", .step = 0.013},
    /* Positions beyond the whole numbers of float, of 32 bits, and at the end of the domain. */
    {"1d-far", 1, .options = "frequency=0.37 octaves=2", .origin = 0x1p31},
    {"2d-far", 2, .options = "frequency=0.37 octaves=3", .origin = 0x1p40, .step = 0.25},
    {"3d-far-tile", 3, .options = "frequency=0.37 octaves=2", .first = INT64_C(1) << 40},
    {"4d-far", 4, .options = "frequency=1.1", .origin = -0x1p31, .step = 0.25},
    {"2d-edge-of-the-domain", 2, .options = "frequency=1", .origin = 0x1p52, .step = -0.5},
    {"2d-ridged", 2, .options = "frequency=0.05 octaves=5 fractal=ridged"},
    {"3d-ridged-weighted", 3,
     .options = "frequency=0.05 octaves=5 fractal=ridged weighted_strength=0.5"},
    {"2d-billow", 2, .options = "frequency=0.05 octaves=5 fractal=billow"},
    {"3d-ping-pong", 3,
     .options = "frequency=0.05 octaves=3 fractal=ping_pong ping_pong_strength=3.7"},
    {"2d-ping-pong-weighted", 2,
     .options = "frequency=0.05 octaves=3 fractal=ping_pong weighted_strength=1"},
    {"2d-none", 2, .options = "frequency=0.05 octaves=3 fractal=none"},
    {"1d-hash-perlin", 1, .options = "frequency=0.2 hash=perlin octaves=2"},
    {"2d-hash-perlin", 2, .options = "frequency=0.2 hash=perlin octaves=2"},
    {"3d-hash-perlin", 3, .options = "frequency=0.2 hash=perlin octaves=2"},
    {"4d-hash-perlin", 4, .options = "frequency=0.2 hash=perlin octaves=2"},
    {"3d-hash-shuffled", 3, .options = "frequency=0.2 hash=shuffled octaves=2"},
    {"2d-hash-table", 2, .options = "frequency=0.2 hash=table octaves=2"},
    {"2d-hash-grid", 2, .options = "frequency=0.2 hash=grid octaves=2"},
    {"2d-hash-primes", 2, .options = "frequency=0.2 hash=primes octaves=2"},
    {"1d-period", 1, .options = "frequency=0.17 period=7,8,9,10 octaves=3"},
    {"2d-period", 2, .options = "frequency=0.17 period=9,10,11,12 octaves=3"},
    {"3d-period", 3, .options = "frequency=0.17 period=12,13,14,15 octaves=3"},
    {"4d-period", 4, .options = "frequency=0.17 period=5,6,7,8 octaves=3"},
    {"2d-offaxis8", 2, .options = "frequency=0.2 gradients=offaxis8 octaves=2"},
    {"2d-axis4", 2, .options = "frequency=0.2 gradients=axis4 octaves=2"},
    {"2d-diagonal4", 2, .options = "frequency=0.2 gradients=diagonal4 octaves=2"},
    {"2d-compass8", 2, .options = "frequency=0.2 gradients=compass8 octaves=2"},
    {"1d-edges12", 1, .options = "frequency=0.2 gradients=edges12 octaves=2"},
    {"2d-edges12", 2, .options = "frequency=0.2 gradients=edges12 octaves=2"},
    {"3d-edges12", 3, .options = "frequency=0.2 gradients=edges12 octaves=2"},
    {"4d-edges32", 4, .options = "frequency=0.2 gradients=edges32 octaves=2"},
    {"2d-sphere", 2, .options = "frequency=0.2 gradients=sphere octaves=2"},
    {"3d-sphere", 3, .options = "frequency=0.2 gradients=sphere octaves=2"},
    {"4d-sphere", 4, .options = "frequency=0.2 gradients=sphere octaves=2"},
    {"1d-pnoise", 1, .options = "frequency=0.2 gradients=pnoise octaves=2"},
    {"2d-pnoise", 2, .options = "frequency=0.2 gradients=pnoise octaves=2"},
    {"3d-pnoise", 3, .options = "frequency=0.2 gradients=pnoise octaves=2"},
    {"2d-table", 2, .options = "frequency=0.2 gradients=table octaves=2"},
    {"4d-table", 4, .options = "frequency=0.2 gradients=table octaves=2"},
    {"2d-cubic", 2, .options = "frequency=0.2 fade=cubic octaves=2"},
    {"3d-linear", 3, .options = "frequency=0.2 fade=linear octaves=2"},
    {"1d-value", 1, .options = "frequency=0.3 basis=value octaves=2"},
    {"2d-value", 2, .options = "frequency=0.3 basis=value fade=cubic octaves=2"},
    {"3d-value", 3, .options = "frequency=0.3 basis=value hash=shuffled octaves=2"},
    {"4d-value", 4, .options = "frequency=0.3 basis=value octaves=2"},
    {"1d-white", 1, .options = "frequency=0.8 basis=white"},
    {"3d-white", 3, .options = "frequency=0.8 basis=white"},
    {"2d-gaussian", 2, .options = "frequency=0.8 basis=gaussian octaves=3"},
    {"4d-gaussian", 4, .options = "frequency=0.8 basis=gaussian"},
    {"2d-contrast", 2, .options = "frequency=0.1 octaves=3 contrast=5"},
    {"3d-size-and-offset", 3,
     .options = "frequency=0.1 octaves=3 value_scale=-20 value_offset=3.3"},
    {"2d-octaves-only", 2, .options = "frequency=0.1 octaves=3 normalize=octaves"},
    {"2d-not-normalized", 2, .options = "frequency=0.1 octaves=3 normalize=none"},
    /* Zeros, where a process that flushes subnormal numbers to zero has its way. */
    {"2d-subnormal", 2, .options = "frequency=0.1 octaves=2 value_scale=1.8367099231598242e-40"},
    /* Written past the caches. */
    {"2d-large", 2, .options = "frequency=0.03", .count = {1031, 1031}},
    {"2d-large-fbm", 2, .options = "frequency=0.03 octaves=2", .count = {1031, 1031}},
    /* Larger grids, far positions and other seeds. */
    {"1d-line", 1, .options = "", .step = 1, .count = {5000}, .grid = FANNED},
    {"2d-map", 2, .options = "", .step = 1, .count = {300, 200}, .grid = FANNED},
    {"3d-volume", 3, .options = "", .step = 1, .count = {70, 40, 30}, .grid = FANNED},
    {"4d-hypervolume", 4, .options = "frequency=0.05", .step = 1, .count = {33, 15, 9, 7},
     .grid = FANNED},
    {"1d-line-of-5-octaves", 1, .options = "seed=1 frequency=0.02 octaves=5", .origin = -33.3,
     .step = 0.7, .first = -100, .count = {5000}, .grid = FANNED},
    {"2d-terrain", 2, .options = "seed=2 frequency=0.005 octaves=8", .step = 1, .first = -128,
     .count = {257, 257}, .grid = FANNED},
    {"3d-clouds", 3, .options = "seed=3 octaves=5 lacunarity=2.1 gain=0.6", .origin = 1000000,
     .step = 1.5, .count = {65, 33, 17}, .grid = FANNED},
    {"4d-moving-clouds", 4, .options = "seed=4 frequency=0.03 octaves=4 lacunarity=1.9 gain=0.45",
     .origin = -100000, .step = 0.3, .first = 7, .count = {33, 17, 9, 5}, .grid = FANNED},
    {"2d-coarse-steps-fanned", 2, .options = "seed=5 frequency=1 octaves=2", .origin = 0.1,
     .step = -3.3, .count = {200, 100}, .grid = FANNED},
    {"2d-far-map", 2, .options = "seed=6 frequency=0.37 octaves=3", .origin = 0x1p40, .step = 0.25,
     .count = {150, 60}, .grid = FANNED},
    {"3d-far-tile", 3, .options = "seed=7 frequency=0.37 octaves=2", .step = 1,
     .first = INT64_C(1) << 40, .count = {50, 20, 10}, .grid = FANNED},
    {"2d-edge-of-the-domain", 2, .options = "seed=8 frequency=1", .origin = 0x1p52, .step = -0.5,
     .count = {100, 50}, .grid = FANNED},
    {"4d-around-2-31-cells", 4, .options = "seed=9 frequency=1", .origin = 0x1p31, .step = 0.25,
     .first = -5, .count = {40, 9, 5, 3}, .grid = FANNED},
    {"2d-most-octaves-fanned", 2,
     .options = "seed=10 frequency=0.001 octaves=32 lacunarity=1.3 gain=0.9", .step = 1,
     .count = {100, 70}, .grid = FANNED},
    {"3d-negative-gain", 3,
     .options = "seed=18446744073709551615 frequency=0.1 octaves=4 gain=-0.7", .step = 1,
     .count = {30, 20, 10}, .grid = FANNED},
    {"2d-large-map", 2, .options = "seed=11 frequency=0.03", .step = 1, .count = {1100, 1000},
     .grid = FANNED},
    /* Values, derivatives and integers of a grid across the origin. */
    {"1d-tilted", 1, .options = "octaves=3", .grid = TILTED},
    {"2d-tilted", 2, .options = "octaves=3", .grid = TILTED},
    {"3d-tilted", 3, .options = "octaves=3", .grid = TILTED},
    {"4d-tilted", 4, .options = "octaves=3", .grid = TILTED},
    {"2d-cubic-tilted", 2, .options = "fade=cubic octaves=3", .grid = TILTED},
    {"3d-linear-tilted", 3, .options = "fade=linear octaves=3", .grid = TILTED},
    {"2d-cubic-value-noise-tilted", 2, .options = "basis=value fade=cubic octaves=3",
     .grid = TILTED},
    {"4d-value-noise-tilted", 4, .options = "basis=value octaves=3", .grid = TILTED},
    {"3d-value-noise-of-a-table-tilted", 3, .options = "basis=value hash=shuffled octaves=3",
     .grid = TILTED},
    {"1d-white-tilted", 1, .options = "basis=white octaves=3", .grid = TILTED},
    {"3d-white-tilted", 3, .options = "basis=white octaves=3", .grid = TILTED},
    {"2d-gaussian-tilted", 2, .options = "basis=gaussian octaves=3", .grid = TILTED},
    {"4d-gaussian-tilted", 4, .options = "basis=gaussian octaves=3", .grid = TILTED},
    {"3d-improved-tilted", 3, .options = "preset=improved octaves=3", .grid = TILTED},
    {"2d-improved-tilted", 2, .options = "preset=improved octaves=3", .grid = TILTED},
    {"1d-improved-tilted", 1, .options = "preset=improved octaves=3", .grid = TILTED},
    {"2d-grid-tilted", 2, .options = "preset=grid octaves=3", .grid = TILTED},
    {"2d-diagonal-tilted", 2, .options = "preset=diagonal octaves=3", .grid = TILTED},
    {"2d-circle-tilted", 2, .options = "preset=circle octaves=3", .grid = TILTED},
    {"2d-axis-tilted", 2, .options = "preset=axis octaves=3", .grid = TILTED},
    {"2d-compass-tilted", 2, .options = "preset=compass octaves=3", .grid = TILTED},
    {"1d-pnoise-tilted", 1, .options = "preset=pnoise octaves=3 period=12,12,12,12",
     .grid = TILTED},
    {"2d-pnoise-tilted", 2, .options = "preset=pnoise octaves=3 period=12,12,12,12",
     .grid = TILTED},
    {"3d-pnoise-tilted", 3, .options = "preset=pnoise octaves=3 period=12,12,12,12",
     .grid = TILTED},
    {"3d-classic-tilted", 3, .options = "preset=classic octaves=3", .grid = TILTED},
    {"4d-unit-vectors-tilted", 4, .options = "gradients=sphere octaves=3", .grid = TILTED},
    {"2d-tables-tilted", 2, .options = "hash=table gradients=table octaves=3", .grid = TILTED},
    {"4d-a-table-of-gradients-tilted", 4, .options = "gradients=table octaves=3", .grid = TILTED},
    {"2d-ridged-tilted", 2, .options = "octaves=5 fractal=ridged", .grid = TILTED},
    {"3d-billow-tilted", 3, .options = "octaves=5 fractal=billow", .grid = TILTED},
    {"2d-ping-pong-tilted", 2, .options = "octaves=5 fractal=ping_pong", .grid = TILTED},
    {"2d-weighted-tilted", 2, .options = "octaves=5 weighted_strength=0.6", .grid = TILTED},
    {"3d-weighted-ridged-tilted", 3, .options = "octaves=5 fractal=ridged weighted_strength=1",
     .grid = TILTED},
    {"1d-weighted-ping-pong-tilted", 1,
     .options = "octaves=5 fractal=ping_pong weighted_strength=0.3", .grid = TILTED},
    {"2d-contrast-tilted", 2, .options = "octaves=3 contrast=3", .grid = TILTED},
    {"2d-steps-size-and-offset-tilted", 2,
     .options = "octaves=3 value_scale=7.3 value_offset=-0.1 contrast=0", .grid = TILTED},
    {"3d-size-and-offset-tilted", 3, .options = "octaves=3 value_scale=-20 value_offset=3",
     .grid = TILTED},
    {"2d-periodic-tilted", 2, .options = "period=9,9,9,9 octaves=3", .grid = TILTED},
    {"4d-periodic-tilted", 4, .options = "period=5,5,5,5 octaves=3", .grid = TILTED},
    /* Falloffs. */
    {"2d-falloff", 2,
     .options = "frequency=0.05 octaves=4 falloff=2 falloff_end=9 falloff_x=5 falloff_y=-3 "
                "curve=-2:-1,0:0,1:1"},
    {"3d-falloff-square-warp", 3,
     .options = "frequency=0.11 octaves=2 fractal=ridged warp_amplitude=5 falloff=-1.3 "
                "falloff_shape=square falloff_start=2 falloff_end=7"},
    {"2d-falloff-map", 2, .options = "frequency=0.01 octaves=5 falloff=1.5 falloff_end=300",
     .step = 1, .count = {1031, 1031}},
    /* Cells: large ones, and more than a cell per sample. */
    {"1d-cells", 1, .options = "frequency=0.3 basis=cellular"},
    {"2d-cells", 2, .options = "frequency=0.05 basis=cellular octaves=2 jitter=0.9"},
    {"2d-cells-many", 2, .options = "frequency=1.7 basis=cellular cell_metric=squared"},
    {"2d-cells-edge", 2, .options = "frequency=0.08 basis=cellular cell_output=edge"},
    {"2d-cells-warp", 2,
     .options = "frequency=0.05 basis=cellular cell_output=f2 warp_amplitude=9 warp_frequency=0.05 "
                "period=7"},
    {"2d-cells-far", 2,
     .options = "frequency=0.37 basis=cellular cell_metric=chebyshev cell_output=value",
     .origin = 0x1p40, .step = 0.25},
    {"3d-cells", 3, .options = "frequency=0.05 basis=cellular"},
    {"3d-cells-manhattan", 3,
     .options = "frequency=0.6 basis=cellular cell_metric=manhattan cell_output=f2_minus_f1"},
    /* Simplex noise: dense samples and sparse ones, far from the origin, past the caches. */
    {"2d-simplex", 2, .options = "frequency=0.11 basis=simplex"},
    {"3d-simplex", 3, .options = "frequency=0.05 basis=simplex octaves=2"},
    {"2d-simplex-fbm", 2, .options = "frequency=0.013 octaves=8 basis=simplex"},
    {"3d-simplex-billow", 3, .options = "frequency=0.4 octaves=2 basis=simplex fractal=billow"},
    {"2d-simplex-far", 2, .options = "frequency=0.37 octaves=3 basis=simplex", .origin = 0x1p40,
     .step = 0.25},
    {"3d-simplex-edge-of-the-domain", 3, .options = "frequency=1 basis=simplex", .origin = 0x1p52,
     .step = -0.5},
    {"2d-simplex-map", 2, .options = "basis=simplex", .step = 1, .count = {1031, 1031}},
    {"3d-simplex-volume", 3, .options = "frequency=0.05 octaves=3 gain=0.6 basis=simplex",
     .step = 1, .count = {70, 40, 30}, .grid = FANNED},
    {"2d-simplex-eroded", 2,
     .options = "frequency=0.02 octaves=4 basis=simplex fractal=eroded warp_amplitude=9", .step = 1,
     .count = {300, 200}},
    {"3d-simplex-tilted", 3, .options = "octaves=3 basis=simplex", .grid = TILTED},
};
enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

enum { MAX_SAMPLES = 1100 * 1000, MAX_GRADIENTS = 21 * 11 * 7 * 5, POINTS = 509, POSITIONS = 199 };

/* SplitMix64: what tables and positions are made of. */
static uint64_t next_word(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

/* Any of 2^24 numbers in [-1, 1): exact in a float. */
static float next_signed(uint64_t *state) {
  return (float)((int32_t)(next_word(state) >> 40) - 0x800000) * 0x1p-23f;
}

/* Stops the program, as no digest can be computed. */
static void require(const struct field *field, perlane_status status) {
  if (status == PERLANE_OK)
    return;
  fprintf(stderr, "%s: %s\n", field->name, perlane_status_string(status));
  exit(2);
}

static perlane_noise field_noise(const struct field *field) {
  static int32_t hash_table[1024];
  static float vector[PERLANE_MAX_DIMS * 256], lattice[2 * 41 * 29];
  uint64_t random = 1;
  for (size_t i = 0; i < sizeof hash_table / sizeof hash_table[0]; i++)
    hash_table[i] = (int32_t)(next_word(&random) >> 56);
  for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++)
    vector[i] = next_signed(&random);
  for (size_t i = 0; i < sizeof lattice / sizeof lattice[0]; i++)
    lattice[i] = next_signed(&random);

  perlane_params params = perlane_params_default();
  require(field, perlane_params_parse(&params, field->options, NULL));
  if (field->grid == TILTED)
    params.frequency = 0.17;
  if (params.hash == PERLANE_HASH_TABLE || params.hash == PERLANE_HASH_PRIMES)
    params.hash_table = hash_table;
  if (params.hash == PERLANE_HASH_GRID) {
    params.gradient_grid = lattice;
    params.gradient_grid_count[0] = 41;
    params.gradient_grid_count[1] = 29;
  }
  if (params.gradients == PERLANE_GRADIENTS_TABLE) {
    params.gradient_table = vector;
    params.gradient_dims = field->dims;
    params.gradient_count = 211;
  }
  perlane_noise noise = {0};
  require(field, perlane_init(&noise, &params));
  return noise;
}

/* Strides are set, for kernels that are called directly. */
static perlane_grid field_grid(const struct field *field) {
  static const size_t shifted[4][4] = {{1009}, {61, 23}, {29, 11, 5}, {17, 7, 5, 3}};
  static const size_t tilted[4][4] = {{2000}, {67, 41}, {37, 19, 11}, {21, 11, 7, 5}};
  const size_t *count = field->count[0] != 0     ? field->count
                        : field->grid == SHIFTED ? shifted[field->dims - 1]
                                                 : tilted[field->dims - 1];
  perlane_grid grid = {.dims = field->dims};
  ptrdiff_t stride = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid.first[a] = field->first;
    grid.origin[a] = field->origin;
    grid.step[a] = field->step != 0 ? field->step : 0.7;
    grid.count[a] = a < field->dims ? count[a] : 1;
    grid.stride[a] = stride;
    stride *= (ptrdiff_t)grid.count[a];
    switch (field->grid) {
    case SHIFTED:
      grid.first[a] -= 7 + a;
      break;
    case FANNED:
      grid.origin[a] *= a + 1;
      grid.step[a] /= a + 1;
      break;
    case TILTED:
      grid.first[a] = -7;
      grid.origin[a] = 0.3 * a;
      break;
    }
  }
  return grid;
}

/* Returns coordinate a of position i: within 1024 of 0, or within twice the field's origin of that
 * origin, so that some positions of the field at the edge of the domain are outside. */
static double coordinate_of(const struct field *field, int a, size_t i) {
  uint64_t random = i * PERLANE_MAX_DIMS + (uint64_t)a;
  const double reach = field->origin != 0 ? 2 * field->origin : 1024;
  return field->origin + reach * (double)next_signed(&random);
}

/* ---- Digests ---- */

/* FNV-1a over words instead of bytes, so that byte order makes no difference. */
static uint64_t add_word(uint64_t digest, uint32_t word) {
  return (digest ^ word) * UINT64_C(0x100000001B3);
}

static uint64_t add_floats(uint64_t digest, const float *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t word;
    memcpy(&word, &value[i], sizeof word);
    digest = add_word(digest, word);
  }
  return digest;
}

/* The arguments of a digest. */
struct input {
  const struct field *field;
  const perlane_noise *noise;
  perlane_grid grid;
  size_t samples;
};

/* Output of the functions. */
static float result[MAX_SAMPLES], slope[PERLANE_MAX_DIMS][MAX_GRADIENTS];
static float *const slopes[] = {slope[0], slope[1], slope[2], slope[3]};

static uint64_t add_slopes(uint64_t digest, int dims, size_t n) {
  for (int a = 0; a < dims; a++)
    digest = add_floats(digest, slope[a], n);
  return digest;
}

#define START UINT64_C(0xCBF29CE484222325)

static uint64_t fill(const struct input *in) {
  require(in->field, perlane_fill(in->noise, &in->grid, result));
  return add_floats(START, result, in->samples);
}

static uint64_t fill_u16(const struct input *in) {
  static uint16_t integer[MAX_GRADIENTS];
  require(in->field, perlane_fill_u16(in->noise, &in->grid, -0.7f, 0.8f, integer));
  uint64_t digest = START;
  for (size_t i = 0; i < in->samples; i++)
    digest = add_word(digest, integer[i]);
  return digest;
}

static uint64_t fill_u8(const struct input *in) {
  static uint8_t integer[MAX_GRADIENTS];
  require(in->field, perlane_fill_u8(in->noise, &in->grid, 0.9f, -0.9f, integer));
  uint64_t digest = START;
  for (size_t i = 0; i < in->samples; i++)
    digest = add_word(digest, integer[i]);
  return digest;
}

static uint64_t fill_gradient(const struct input *in) {
  require(in->field, perlane_fill_gradient(in->noise, &in->grid, result, slopes));
  return add_slopes(add_floats(START, result, in->samples), in->field->dims, in->samples);
}

static uint64_t fill_extremes(const struct input *in) {
  float extreme[2];
  require(in->field, perlane_fill_extremes(in->noise, &in->grid, result, &extreme[0], &extreme[1]));
  return add_floats(add_floats(START, result, in->samples), extreme, 2);
}

/* Values and derivatives, then the integers of fill_u16 as floats. */
static uint64_t combined(const struct input *in) {
  static uint16_t integer[MAX_GRADIENTS];
  const uint64_t digest = fill_gradient(in);
  require(in->field, perlane_fill_u16(in->noise, &in->grid, -0.7f, 0.8f, integer));
  for (size_t i = 0; i < in->samples; i++)
    result[i] = (float)integer[i];
  return add_floats(digest, result, in->samples);
}

/* Three of the points are outside the domain: infinity, NaN, and too far. */
static const float *const *coordinates_of(const struct field *field) {
  static float coordinate[PERLANE_MAX_DIMS][POINTS];
  static const float *const coords[] = {coordinate[0], coordinate[1], coordinate[2], coordinate[3]};
  static const uint32_t outside[] = {0x7F800000, 0x7FC00000, 0xFF7FFFFF};
  for (int a = 0; a < field->dims; a++)
    for (size_t i = 0; i < POINTS; i++)
      coordinate[a][i] = (float)coordinate_of(field, a, i);
  memcpy(&coordinate[0][POINTS / 2], outside, sizeof outside);
  return coords;
}

static uint64_t points(const struct input *in) {
  const int dims = in->field->dims;
  require(in->field,
          points_of(in->noise, dims, POINTS, NULL, coordinates_of(in->field), result, NULL));
  return add_floats(START, result, POINTS);
}

static uint64_t points_gradient(const struct input *in) {
  const int dims = in->field->dims;
  require(in->field,
          points_of(in->noise, dims, POINTS, NULL, coordinates_of(in->field), result, slopes));
  return add_slopes(add_floats(START, result, POINTS), dims, POINTS);
}

/* An origin that rounds the sums, and is far enough for floats alone to miss them. */
static uint64_t points_origin(const struct input *in) {
  static const double origin[PERLANE_MAX_DIMS] = {2e7 + 0.1, -3e5 - 0.7, 0x1p-30, 1e3};
  const int dims = in->field->dims;
  require(in->field,
          points_of(in->noise, dims, POINTS, origin, coordinates_of(in->field), result, NULL));
  return add_floats(START, result, POINTS);
}

static uint64_t points_double(const struct input *in) {
  static double position[PERLANE_MAX_DIMS][POINTS];
  static const double *const coords[] = {position[0], position[1], position[2], position[3]};
  const int dims = in->field->dims;
  for (int a = 0; a < dims; a++)
    for (size_t i = 0; i < POINTS; i++)
      position[a][i] = coordinate_of(in->field, a, i);
  require(in->field, points_of_doubles(in->noise, dims, POINTS, coords, result, slopes));
  return add_slopes(add_floats(START, result, POINTS), dims, POINTS);
}

static uint64_t at(const struct input *in) {
  for (size_t i = 0; i < POSITIONS; i++) {
    double position[PERLANE_MAX_DIMS];
    for (int a = 0; a < in->field->dims; a++)
      position[a] = coordinate_of(in->field, a, i);
    result[i] = perlane_at(in->noise, in->field->dims, position);
  }
  return add_floats(START, result, POSITIONS);
}

static uint64_t at_gradient(const struct input *in) {
  uint64_t digest = START;
  for (size_t i = 0; i < POSITIONS; i++) {
    double position[PERLANE_MAX_DIMS];
    float gradient[PERLANE_MAX_DIMS];
    for (int a = 0; a < in->field->dims; a++)
      position[a] = coordinate_of(in->field, a, i);
    result[i] = perlane_at_gradient(in->noise, in->field->dims, position, gradient);
    digest = add_floats(digest, gradient, (size_t)in->field->dims);
  }
  return add_floats(digest, result, POSITIONS);
}

/* Ids, then offsets along each axis, then both distances. */
static uint32_t cell_id[MAX_GRADIENTS];
static float cell_f2[MAX_GRADIENTS];
static const perlane_cells cell_arrays = {
    .id = cell_id, .offset = {slope[0], slope[1], slope[2]}, .f1 = result, .f2 = cell_f2};

static uint64_t add_cells(int dims, size_t n) {
  uint64_t digest = START;
  for (size_t i = 0; i < n; i++)
    digest = add_word(digest, cell_id[i]);
  digest = add_slopes(digest, dims, n);
  return add_floats(add_floats(digest, result, n), cell_f2, n);
}

static uint64_t fill_cells(const struct input *in) {
  require(in->field, perlane_fill_cells(in->noise, &in->grid, &cell_arrays));
  return add_cells(in->field->dims, in->samples);
}

static uint64_t points_cells(const struct input *in) {
  const int dims = in->field->dims;
  require(in->field,
          cells_of_list(in->noise, dims, POINTS, NULL, coordinates_of(in->field), &cell_arrays));
  return add_cells(dims, POINTS);
}

static const struct function {
  const char *name;
  uint64_t (*digest)(const struct input *in);
} FUNCTIONS[] = {
    {"fill", fill},
    {"fill_u16", fill_u16},
    {"fill_u8", fill_u8},
    {"fill_gradient", fill_gradient},
    {"fill_extremes", fill_extremes},
    {"points", points},
    {"points_gradient", points_gradient},
    {"points_origin", points_origin},
    {"points_double", points_double},
    {"at", at},
    {"at_gradient", at_gradient},
    {"combined", combined},
    {"fill_cells", fill_cells},
    {"points_cells", points_cells},
};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

/* Returns whether a field's digest through a function is committed: that of TILTED grids through
 * `combined`, of grids of a size of their own through `fill`, of all others through every function
 * but `combined`, and those of cells of cellular noise only. */
static int is_committed(const struct field *field, const struct function *function) {
  if (function->digest == fill_cells || function->digest == points_cells)
    return strstr(field->options, "basis=cellular") != NULL;
  if (field->grid == TILTED || function->digest == combined)
    return field->grid == TILTED && function->digest == combined;
  return field->count[0] == 0 || function->digest == fill;
}

/* ---- The table ---- */

struct digest {
  char name[64];
  uint64_t value;
};
enum { MAX_DIGESTS = FIELD_COUNT * FUNCTION_COUNT };

/* Computes the digests, and returns their number. Those of grids of more samples are left out: 0.
 */
static size_t compute_digests(struct digest *digest, size_t max_samples) {
  size_t n = 0;
  for (size_t f = 0; f < FIELD_COUNT; f++) {
    const struct field *field = &FIELDS[f];
    const perlane_noise noise = field_noise(field);
    struct input in = {field, &noise, field_grid(field), 1};
    for (int a = 0; a < field->dims; a++)
      in.samples *= in.grid.count[a];
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
      if (is_committed(field, &FUNCTIONS[i])) {
        snprintf(digest[n].name, sizeof digest[n].name, "%s/%s", field->name, FUNCTIONS[i].name);
        digest[n++].value = in.samples > max_samples ? 0 : FUNCTIONS[i].digest(&in);
      }
  }
  return n;
}

/* Reads a file of digests, and returns their number. */
static size_t read_digests(const char *path, struct digest *digest) {
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    exit(2);
  }
  size_t n = 0;
  while (n < MAX_DIGESTS && fscanf(file, "%63s %" SCNx64, digest[n].name, &digest[n].value) == 2)
    n++;
  fclose(file);
  return n;
}

/* Prints how the digests that some kernels computed differ from those expected, and returns in how
 * many lines. */
static int compare_digests(const char *kernels, const struct digest *expected, size_t expected_n,
                           const struct digest *found, size_t n) {
  int differences = n != expected_n;
  if (n != expected_n)
    printf("%s: %zu digests, but %zu are committed\n", kernels, n, expected_n);
  for (size_t i = 0; i < n && i < expected_n; i++)
    if ((found[i].value != 0 && found[i].value != expected[i].value) ||
        strcmp(found[i].name, expected[i].name) != 0) {
      printf("%s: expected %s %016" PRIX64 ", got %s %016" PRIX64 "\n", kernels, expected[i].name,
             expected[i].value, found[i].name, found[i].value);
      differences++;
    }
  return differences;
}

#endif
