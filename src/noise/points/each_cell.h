/* SPDX-License-Identifier: MIT
 *
 * The arrays of perlane_cells (docs/specification.md, 2.20). Each is a field of its own: one octave
 * of cellular noise, of which nothing is made but the output.
 */
#ifndef PERLANE_NOISE_POINTS_EACH_CELL_H
#define PERLANE_NOISE_POINTS_EACH_CELL_H

#include "warp.h"

/* Numbers of the arrays; that of the offset along x is followed by the others'. */
enum { CELL_ID, CELL_F1, CELL_F2, CELL_OFFSET, CELL_ARRAYS = CELL_OFFSET + 3 };

/* Returns the array of a number, or NULL. Ids are stored as floats of their bits. */
static float *cell_array(const perlane_cells *out, int number) {
  return number == CELL_ID   ? (float *)(void *)out->id
         : number == CELL_F1 ? out->f1
         : number == CELL_F2 ? out->f2
                             : out->offset[number - CELL_OFFSET];
}

/* The field of an array, and its octave. */
struct cell_field {
  struct field field;
  struct perlane_octave octave;
};

/* Makes the field of an array. Returns 0 if there is none in so many dimensions. */
static int make_cell_field(struct cell_field *to, const perlane_noise *noise, int dims,
                           int number) {
  static const perlane_params params = {.basis = PERLANE_BASIS_CELLULAR, .contrast = 1};
  static const int output[] = {CELL_OUTPUT_ID, PERLANE_CELL_OUTPUT_F1, PERLANE_CELL_OUTPUT_F2};
  const int along = number - CELL_OFFSET;
  const double length = 1 / noise->octave[0].frequency;
  to->octave = noise->octave[0];
  to->octave.bias = 0;
  to->octave.amplitude[dims - 1] = 1;
  to->field = (struct field){
      .noise = noise,
      .params = &params,
      .octave = &to->octave,
      .octaves = 1,
      .highest_frequency = noise->highest_frequency,
      .value_scale = along < 0                  ? 1
                     : length < (double)FLT_MAX ? (float)length
                                                : FLT_MAX,
      .cell_output = along < 0 ? output[number] : CELL_OUTPUT_OFFSET + along,
  };
  return along < dims;
}

/* Points of a warped field: before they are displaced, after it, and by how much, in units of the
 * warp's amplitude. */
enum { CELL_BLOCK = 64 };
struct cell_block {
  double from[3][CELL_BLOCK], at[3][CELL_BLOCK];
  float by[3][CELL_BLOCK];
};

/* Displaces n points. */
static PERLANE_NOINLINE void displace_cells(struct cell_block *block, const perlane_noise *noise,
                                            int dims, size_t n) {
  struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES];
  struct point_source source[3];
  for (int a = 0; a < dims; a++)
    source[a] = (struct point_source){.coords64 = block->at[a]};
  memcpy(block->at, block->from, sizeof block->at);
  for (int round = 0; round < noise->params.warp_rounds; round++) {
    for (int a = 0; a < dims; a++) {
      const struct field field = displacement_of(noise, round, a, octave);
      evaluate_points(&field, dims, source, n, block->by[a], NULL);
    }
    for (int a = 0; a < dims; a++)
      for (size_t i = 0; i < n; i++)
        block->at[a][i] =
            block->from[a][i] + noise->params.warp_amplitude * (double)block->by[a][i];
  }
}

/* Evaluates the field of an array at n points. There are no derivatives. */
static PERLANE_NOINLINE void evaluate_cells(const struct field *field, int dims,
                                            const struct point_source *source, size_t n, float *out,
                                            float *const *gradient) {
  (void)gradient;
  const double reach = field->noise->params.warp_amplitude;
  const int along = field->cell_output - CELL_OUTPUT_OFFSET;
  struct cell_block block;
  struct point_source displaced[3];
  if (reach == 0) {
    evaluate_points(field, dims, source, n, out, NULL);
    return;
  }
  for (int a = 0; a < dims; a++)
    displaced[a] = (struct point_source){.coords64 = block.at[a]};
  for (size_t start = 0; start < n; start += CELL_BLOCK) {
    const size_t left = n - start, points = left < CELL_BLOCK ? left : CELL_BLOCK;
    for (int a = 0; a < dims; a++)
      for (size_t i = 0; i < points; i++)
        block.from[a][i] = start_of(&source[a], start + i);
    displace_cells(&block, field->noise, dims, points);
    evaluate_points(field, dims, displaced, points, out + start, NULL);
    for (size_t i = 0; i < points && along >= 0; i++)
      if (out[start + i] == out[start + i]) /* else outside the domain */
        out[start + i] = (float)((double)out[start + i] + reach * (double)block.by[along][i]);
  }
}

#endif
