/* SPDX-License-Identifier: MIT
 *
 * The arrays of perlane_cells (docs/specification.md, 2.20), of one octave of cellular noise.
 * Points have one search for all arrays. Grids that are filled by bricks are filled once for each
 * array, as a field of its own: bricks share more than a search could.
 */
#ifndef PERLANE_NOISE_POINTS_EACH_CELL_H
#define PERLANE_NOISE_POINTS_EACH_CELL_H

#include "../output/store.h"
#include "evaluation.h"

/* Numbers of the arrays; that of the offset along x is followed by the others'. */
enum { CELL_ID, CELL_F1, CELL_F2, CELL_BORDER, CELL_OFFSET, CELL_ARRAYS = CELL_OFFSET + 3 };

/* Returns the array of a number, or NULL. Ids are stored as floats of their bits. */
static float *cell_array(const perlane_cells *out, int number) {
  return number == CELL_ID       ? (float *)(void *)out->id
         : number == CELL_F1     ? out->f1
         : number == CELL_F2     ? out->f2
         : number == CELL_BORDER ? out->edge
                                 : out->offset[number - CELL_OFFSET];
}

/* The field of an array, and its octave. */
struct cell_field {
  struct field field;
  struct perlane_octave octave;
};

/* Makes the field of an array. Returns 0 if there is none in `dims` dimensions. */
static int make_cell_field(struct cell_field *cells, const perlane_noise *noise, int dims,
                           int number) {
  static const perlane_params params = {.basis = PERLANE_BASIS_CELLULAR, .contrast = 1};
  static const int output[CELL_ARRAYS] = {
      CELL_OUTPUT_ID,     PERLANE_CELL_OUTPUT_F1, PERLANE_CELL_OUTPUT_F2, PERLANE_CELL_OUTPUT_EDGE,
      CELL_OUTPUT_OFFSET, CELL_OUTPUT_OFFSET + 1, CELL_OUTPUT_OFFSET + 2};
  const int along = number - CELL_OFFSET;
  const double length = 1 / noise->octave[0].frequency;
  cells->octave = noise->octave[0];
  cells->octave.bias = 0;
  cells->octave.amplitude[dims - 1] = 1;
  cells->field = (struct field){
      .noise = noise,
      .params = &params,
      .octave = &cells->octave,
      .octaves = 1,
      .highest_frequency = noise->highest_frequency,
      .value_scale = along < 0                  ? 1
                     : length < (double)FLT_MAX ? (float)length
                                                : FLT_MAX,
      .cell_output = output[number],
  };
  return along < dims;
}

/* The places of a run's outputs in each array: rows of `width` points. Columns and rows are
 * `column` and `row` elements apart, and the first point is at `offset`. */
struct cell_target {
  const perlane_cells *out;
  ptrdiff_t offset, column, row;
  size_t width;
};

/* Stores outputs of points start .. start + n - 1 in an array. */
static void store_outputs(const struct cell_target *target, float *array, const float *outputs,
                          size_t start, size_t n) {
  for (size_t done = 0, run; done < n; done += run) {
    const size_t row = (start + done) / target->width, column = (start + done) % target->width;
    run = n - done < target->width - column ? n - done : target->width - column;
    store_floats(outputs + done, run,
                 array + target->offset + (ptrdiff_t)row * target->row +
                     (ptrdiff_t)column * target->column,
                 target->column);
  }
}

/* Turns distances along an axis into offsets: in units of position, and from positions before they
 * are displaced. */
static void make_offsets(float *offset, float length, const struct point_source *source,
                         size_t start, size_t n) {
  float copy[LANES];
  const vd reach = d_set(source->reach);
  for (size_t i = 0; i < n; i += LANES) {
    vf v = f_mul(f_load(offset + i), f_set(length));
    if (source->displacement) {
      f_store(offset + i, v);
      const float *moved = padded(source->displacement + start, i, n, copy);
      v = f_from_d(d_add(d_load_floats(offset + i), d_mul(reach, d_load_floats(moved))));
    }
    f_store(offset + i, v);
  }
}

/* Makes all outputs that a target has arrays for, of n points that an evaluation has begun with. */
static PERLANE_NOINLINE void evaluate_cells(struct evaluation *evaluation,
                                            struct point_memory *memory, size_t n,
                                            const struct cell_target *target) {
  struct cell_field offsets;
  const size_t points = evaluation->points;
  float *buffer[CELL_ARRAYS], *layer = (float *)(void *)memory->layer;
  _Static_assert(sizeof memory->layer >= (CELL_ARRAYS - 1) * 256 * sizeof(float), "in 2D");
  _Static_assert(sizeof memory->layer >= CELL_ARRAYS * 160 * sizeof(float), "in 3D");
  make_cell_field(&offsets, evaluation->field->noise, evaluation->dims, CELL_OFFSET);
  for (int j = 0; j < CELL_ARRAYS; j++) {
    const int exists = j < CELL_OFFSET + evaluation->dims && cell_array(target->out, j);
    buffer[j] = exists ? layer : NULL;
    layer += exists ? points : 0;
  }
  evaluation->cells.kind = buffer[CELL_BORDER] ? CELL_ALL : buffer[CELL_F2] ? CELL_BOTH : CELL_TAG;
  const struct cell_outputs outputs = {
      buffer[CELL_ID],
      buffer[CELL_F1],
      buffer[CELL_F2],
      buffer[CELL_BORDER],
      {buffer[CELL_OFFSET], buffer[CELL_OFFSET + 1], buffer[CELL_OFFSET + 2]}};
  for (size_t start = 0; start < n; start += points) {
    const size_t left = n - start, count = left < points ? left : points;
    const int near = load_block(evaluation, memory, start, count);
    place_in_cells(evaluation, memory, count, near);
    sample_points(&evaluation->cells, memory->cell, count, &outputs);
    for (int j = 0; j < CELL_ARRAYS; j++) {
      if (!buffer[j])
        continue;
      if (j >= CELL_OFFSET)
        make_offsets(buffer[j], offsets.field.value_scale, &evaluation->source[j - CELL_OFFSET],
                     start, count);
      if (!near)
        write_points(memory->inside, buffer[j], count, buffer[j]);
      store_outputs(target, cell_array(target->out, j), buffer[j], start, count);
    }
  }
}

#endif
