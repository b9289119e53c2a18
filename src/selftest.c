/* SPDX-License-Identifier: MIT
 *
 * The self-test: one number that changes if any of a few thousand samples changes in any bit. Its
 * fields go through every dimension, through near and far positions, through one octave and
 * several, and through both entry points.
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

static const struct {
  double frequency, lacunarity, gain, origin, step;
  int64_t first;
  int octaves;
} FIELD[] = {
    {0.11, 2.0, 0.5, 0.0, 1.0, 0, 1},
    {0.25, 2.0, 0.5, -3.7, 0.31, -9, 1},
    {0.5, 2.0, 0.5, 1000.5, -1.3, 17, 3},
    {0.013, 1.9, 0.6, -0x1p33, 7.7, INT64_C(1) << 36, 4},
};

static uint64_t digest_fields(const struct perlane_kernels *kernels) {
  static const size_t count[PERLANE_MAX_DIMS][PERLANE_MAX_DIMS] = {
      {509, 1, 1, 1}, {43, 11, 1, 1}, {21, 6, 4, 1}, {19, 3, 4, 2}};
  float value[SAMPLES], coordinate[PERLANE_MAX_DIMS][SAMPLES];
  uint64_t digest = PERLANE_DIGEST_START;
  for (size_t f = 0; f < sizeof FIELD / sizeof FIELD[0]; f++) {
    perlane_noise noise;
    perlane_params params = perlane_params_default();
    params.seed = 0x9E3779B97F4A7C15u * (f + 1);
    params.frequency = FIELD[f].frequency;
    params.lacunarity = FIELD[f].lacunarity;
    params.gain = FIELD[f].gain;
    params.octaves = FIELD[f].octaves;
    if (perlane_field_make(&noise, &params) != PERLANE_OK)
      return 0;
    for (int dims = 1; dims <= PERLANE_MAX_DIMS; dims++) {
      const float *coords[PERLANE_MAX_DIMS];
      perlane_grid grid;
      memset(&grid, 0, sizeof grid);
      grid.dims = dims;
      ptrdiff_t samples = 1;
      for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
        grid.first[a] = FIELD[f].first - a;
        grid.count[a] = count[dims - 1][a];
        grid.origin[a] = FIELD[f].origin;
        grid.step[a] = FIELD[f].step / (a + 1);
        grid.stride[a] = samples;
        samples *= (ptrdiff_t)grid.count[a];
        coords[a] = coordinate[a];
        for (size_t i = 0; i < (size_t)SAMPLES; i++)
          coordinate[a][i] =
              (float)(FIELD[f].origin + (double)(i * (i + 13 + (size_t)a)) * 0.37 * FIELD[f].step);
      }
      kernels->fill(&noise, &grid, value);
      digest = perlane_digest(digest, value, (size_t)samples);
      kernels->points(&noise, dims, SAMPLES - 3, coords, value);
      digest = perlane_digest(digest, value, SAMPLES - 3);
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
