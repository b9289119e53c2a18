/* SPDX-License-Identifier: MIT
 *
 * The field that the kernels evaluate: that of a noise, or a displacement of its warp
 * (docs/specification.md, 2.18).
 */
#ifndef PERLANE_NOISE_FIELD_H
#define PERLANE_NOISE_FIELD_H

#include "words.h"

/* Outputs of cellular noise besides those of perlane_cell_output: the arrays of perlane_cells. */
enum {
  CELL_OUTPUT_ID = PERLANE_CELL_OUTPUT_COUNT,
  CELL_OUTPUT_OFFSET, /* along x; along the other axes, the next numbers */
};

struct field {
  const perlane_noise *noise; /* its table, vectors and curve */
  const perlane_params *params;
  const struct perlane_octave *octave;
  const struct perlane_octave_arrays *arrays; /* of octaves; for single values only */
  int octaves, shaped;
  int gullies; /* octaves of them */
  double highest_frequency;
  float value_scale, value_offset;
  int cell_output;
};

/* The first `octaves` octaves of a noise, those of gullies last. */
PERLANE_INLINE struct field field_of(const perlane_noise *noise, int octaves) {
  return (struct field){
      .noise = noise,
      .params = &noise->params,
      .octave = noise->octave,
      .arrays = &noise->of.arrays,
      .octaves = octaves < noise->octaves ? octaves : noise->octaves,
      .gullies = octaves < noise->octaves ? 0 : octaves - noise->octaves,
      .shaped = noise->shaped,
      .highest_frequency = noise->highest_frequency,
      .value_scale = noise->value_scale,
      .value_offset = noise->value_offset,
      .cell_output = noise->params.cell_output,
  };
}

/* Returns 1 if octaves need their derivatives, which are then per cell instead of per unit of
 * position. */
PERLANE_INLINE int is_eroded(const struct field *field) {
  return field->params->fractal == PERLANE_FRACTAL_ERODED;
}

/* Returns 1 if the derivatives of the octaves' sum are needed for its value. */
PERLANE_INLINE int needs_slopes(const struct field *field) {
  return is_eroded(field) || field->gullies > 0;
}

/* Returns 1 if what follows the sum of the octaves depends on the position. */
PERLANE_INLINE int needs_positions(const struct field *field) {
  return field->params->falloff != 0 || field->gullies > 0;
}

PERLANE_INLINE const struct perlane_basis_record *basis_of(const struct field *field) {
  return perlane_basis_record(field->params);
}

#endif
