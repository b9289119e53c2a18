/* SPDX-License-Identifier: MIT
 *
 * The arrays of perlane_cells (docs/specification.md, 2.19). Each is a field of its own: one octave
 * of cellular noise, of which nothing is made but the output.
 */
#ifndef PERLANE_NOISE_POINTS_EACH_CELL_H
#define PERLANE_NOISE_POINTS_EACH_CELL_H

#include "points.h"

/* Numbers of the arrays; that of the offset along x is followed by the others'. */
enum { CELL_ID, CELL_F1, CELL_F2, CELL_OFFSET, CELL_ARRAYS = CELL_OFFSET + 3 };

/* Returns the array of a number, or NULL. Ids are stored as floats of their bits. */
static float *cell_array(const perlane_cells *out, int number) {
  return number == CELL_ID   ? (float *)(void *)out->id
         : number == CELL_F1 ? out->f1
         : number == CELL_F2 ? out->f2
                             : out->offset[number - CELL_OFFSET];
}

/* The field of an array, and what it refers to. */
struct cell_field {
  struct field field;
  perlane_params params;
  struct perlane_octave octave;
};

/* Makes the field of an array. Returns 0 if there is none in so many dimensions. */
static int make_cell_field(struct cell_field *to, const perlane_noise *noise, int dims,
                           int number) {
  static const int output[] = {CELL_OUTPUT_ID, PERLANE_CELL_OUTPUT_F1, PERLANE_CELL_OUTPUT_F2};
  const int along = number - CELL_OFFSET;
  const double length = 1 / noise->octave[0].frequency;
  to->params = noise->params;
  to->params.fractal = PERLANE_FRACTAL_FBM;
  to->params.contrast = 1;
  to->params.curve.count = to->params.terraces = 0;
  to->octave = noise->octave[0];
  to->octave.bias = 0;
  to->octave.amplitude[dims - 1] = along < 0                  ? 1
                                   : length < (double)FLT_MAX ? (float)length
                                                              : FLT_MAX;
  to->field = (struct field){
      .noise = noise,
      .params = &to->params,
      .octave = &to->octave,
      .octaves = 1,
      .highest_frequency = noise->highest_frequency,
      .value_scale = 1,
      .cell_output = along < 0 ? output[number] : CELL_OUTPUT_OFFSET + along,
  };
  return along < dims;
}

#endif
