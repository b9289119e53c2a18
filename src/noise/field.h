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
  int valley_octaves; /* sizes of side valleys; below 0: no valleys */
  double highest_frequency;
  float value_scale, value_offset;
  int cell_output;
};

/* The first `octaves` octaves of a noise; with valleys all, and as many sizes of side valleys as
 * there are octaves beyond these. */
PERLANE_INLINE struct field field_of(const perlane_noise *noise, int octaves) {
  const int is_land = noise->params.valleys != 0;
  const int beyond = octaves > noise->octaves ? octaves - noise->octaves : 0;
  return (struct field){
      .noise = noise,
      .params = &noise->params,
      .octave = noise->octave,
      .arrays = &noise->of.arrays,
      .octaves = octaves < noise->octaves && !is_land ? octaves : noise->octaves,
      .valley_octaves = is_land ? beyond : -1,
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

/* Returns 1 if the field is land above a network of channels. */
PERLANE_INLINE int has_valleys(const struct field *field) {
  return field->params->valleys != 0;
}

/* Returns 1 if what follows the sum of the octaves depends on the position. */
PERLANE_INLINE int needs_positions(const struct field *field) {
  return field->params->falloff != 0;
}

/* Returns octave k, or the last one if k is beyond it. */
PERLANE_INLINE const struct perlane_octave *octave_from(const struct field *field, size_t k) {
  const size_t last = (size_t)field->octaves - 1;
  return &field->octave[k < last ? k : last];
}

PERLANE_INLINE const struct perlane_basis_record *basis_of(const struct field *field) {
  return perlane_basis_record(field->params);
}

#endif
