/* SPDX-License-Identifier: MIT
 *
 * Evaluating a list of points, a block at a time: the axis pass of each coordinate, into arrays
 * that stay in the first-level cache, then the corners of LANES cells and their combination.
 */
#ifndef PERLANE_NOISE_POINTS_H
#define PERLANE_NOISE_POINTS_H

#include "cell_points.h"
#include "finish.h"
#include "line.h"
#include "quick_points.h"

/* The state that all blocks of a list share. */
struct point_run {
  const struct field *field;
  const struct perlane_point_list *list;
  struct lattice lattice;
  struct axis axis[PERLANE_MAX_DIMS]; /* of the current octave */
  float limit[PERLANE_MAX_DIMS];      /* near_limit of each axis */
  int arrays;
  int halved; /* halved_corners is used */
  int is_cellular;
  struct cells cells;
};

PERLANE_INLINE struct axis_arrays words_of_block(const struct point_run *run, struct block *block,
                                                 int a) {
  return axis_of_block(block, run->list->dims, run->arrays > 1, 0, a);
}

PERLANE_INLINE double *positions_of(const struct point_run *run, struct block *block, int a) {
  return positions_of_block(block, run->list->dims, run->arrays > 1, a);
}

/* ---- Positions ---- */

/* The largest magnitude of coordinates along an axis that load_positions may return for points that
 * are all near; below 0 if no coordinate is near the origin enough. */
static float near_limit(const struct field *field, const struct perlane_point_list *list, int a) {
  const double origin = list->origin ? magnitude(list->origin[a]) : 0;
  const double limit = NEAR_CELLS / field->highest_frequency - origin;
  /* A float less by 2^-20 absorbs all roundings, of doubles to float too. */
  return limit > 0 ? (limit < (double)FLT_MAX ? (float)(limit * (1 - 0x1p-20)) : FLT_MAX) : -1;
}

/* Pads `size` bytes of coordinates with 0 to whole vectors, in `copy` if they are not whole. */
PERLANE_INLINE const void *padded(const void *coords, size_t n, size_t size, void *copy) {
  if (n % LANES == 0)
    return coords;
  memcpy(copy, coords, n * size);
  memset((char *)copy + n * size, 0, (LANES - n % LANES) * size);
  return copy;
}

/* d_stores the positions of points start .. start + n - 1 along an axis. If the axis is plain,
 * evaluates its words in the current octave too; they hold if all positions turn out to be near.
 * Returns the largest magnitude among each lane's: of coordinates that are floats, of the
 * coordinate, without the origin. */
static PERLANE_NOINLINE vf load_positions(const struct point_run *run, int a, size_t start,
                                          size_t n, struct block *block) {
  const struct perlane_point_list *list = run->list;
  const vi no_sign = i_set(0x7FFFFFFF);
  double *to = positions_of(run, block, a), copy[POINT_BLOCK];
  vi largest = i_set(0);
#define LOAD(coords, position)                                                                     \
  for (size_t i = 0; i < n; i += LANES) {                                                          \
    const vd at = position;                                                                        \
    largest = i_max_unsigned(largest, i_and(i_bits(coords), no_sign)); /* NaN is the largest */    \
    d_store(to + i, at);                                                                           \
  }
  if (list->coords64) {
    const double *from = padded(list->coords64[a] + start, n, sizeof *from, copy);
    LOAD(f_from_d(at), d_load(from + i))
  } else {
    const float *from = padded(list->coords[a] + start, n, sizeof *from, copy);
    const double origin = list->origin ? list->origin[a] : 0;
    if (origin == 0)
      LOAD(f_load(from + i), d_load_floats(from + i))
    else
      LOAD(f_load(from + i), d_add(d_set(origin), d_load_floats(from + i)))
  }
#undef LOAD
  if (run->axis[a].plain) {
    const struct axis_arrays words = words_of_block(run, block, a);
    plain_words(&words, to, n, &run->axis[a]);
  }
  return f_bits(largest);
}

/* The same where not all positions are near: those outside the domain become 0 and clear their mask
 * in `inside`. */
static PERLANE_NOINLINE void mask_positions(const struct point_run *run, size_t start, size_t n,
                                            struct block *block, uint32_t *inside) {
  const struct field *field = run->field;
  const struct perlane_point_list *list = run->list;
  memset(inside, 0xFF, POINT_BLOCK * sizeof *inside);
  for (int pass = 0; pass < 2; pass++)
    for (int a = 0; a < list->dims; a++) {
      const double origin = list->origin ? list->origin[a] : 0;
      double *to = positions_of(run, block, a), position[POINT_BLOCK] = {0};
      for (size_t i = 0; i < n; i++) {
        position[i] = list->coords64 ? list->coords64[a][start + i]
                                     : origin + (double)list->coords[a][start + i];
        if (!(magnitude(position[i] * field->highest_frequency) <= 0x1p53))
          inside[i] = 0;
        if (!inside[i])
          position[i] = 0;
      }
      for (size_t i = 0; i < n; i += LANES)
        d_store(to + i, d_load(position + i));
    }
}

/* Writes a block's results; points outside the domain become NaN. */
static PERLANE_NOINLINE void write_points(const uint32_t *inside, const float *from, size_t n,
                                          float *out) {
  const vi not_a_number = i_set(0x7FC00000);
  for (size_t i = 0; i < n; i += LANES) {
    const vi value = i_select(i_load(inside + i), i_bits(f_load(from + i)), not_a_number);
    if (i + LANES <= n)
      f_store(out + i, f_bits(value));
    else
      f_store_some(out + i, f_bits(value), n - i);
  }
}

/* ---- Octaves ---- */

/* Floats of the values and derivatives of a block: those of 128 points in 3D, which others do
 * not exceed. */
enum { LAYER_FLOATS = 4 * 128 };

static void enter_point_octave(struct point_run *run, int k) {
  const struct perlane_octave *octave = &run->field->octave[k];
  enter_octave(&run->lattice, octave, run->list->dims);
  for (int a = 0; a < run->list->dims; a++)
    enter_axis(&run->axis[a], octave, run->list->dims);
  if (run->is_cellular)
    enter_cells(&run->cells, octave);
}

/* One octave of cellular noise; with `sum`, added to what is in `to`. */
static void cellular_octave(const struct point_run *run, struct block *block, size_t n, int near,
                            int sum, float *to) {
  struct cell_axis axis[3];
  for (int a = 0; a < run->list->dims; a++) {
    const struct axis_arrays words = words_of_block(run, block, a);
    axis[a] = cell_axis_in(&words, positions_of(run, block, a));
    cell_words(&axis[a], n, near, &run->axis[a]);
  }
  cell_points(&run->cells, run->axis, axis, n, sum, to);
}

#define POINT_KERNEL(name, ...)                                                                    \
  static PERLANE_NOINLINE void name(const struct point_run *run, struct block *block, size_t n,    \
                                    int sum, const struct samples *to) {                           \
    __VA_ARGS__;                                                                                   \
  }
POINT_KERNEL(halved_points_2d, halved_corners(2, &run->lattice, run->axis, block, n, sum, to))
POINT_KERNEL(halved_points_3d, halved_corners(3, &run->lattice, run->axis, block, n, sum, to))
#define POINTS(dims, slopes)                                                                       \
  sum_corners((struct kind){SOURCE_QUICK, dims, slopes}, &run->lattice, block, n, sum, to)
POINT_KERNEL(quick_slopes_2d, POINTS(2, 1))
POINT_KERNEL(quick_slopes_3d, POINTS(3, 1))
POINT_KERNEL(quick_points_4d, POINTS(4, 0))
POINT_KERNEL(quick_slopes_4d, POINTS(4, 1))
#undef POINTS
#undef POINT_KERNEL

/* Combines corners; with `sum`, adds to what is in `to`. */
static void combine_points(const struct point_run *run, struct block *block, size_t n, int sum,
                           const struct samples *to) {
  const int dims = run->list->dims, slopes = run->arrays > 1;
  if (run->halved) {
    (dims == 2 ? halved_points_2d : halved_points_3d)(run, block, n, sum, to);
    return;
  }
  struct axis_arrays arrays[PERLANE_MAX_DIMS];
  for (int a = 0; a < dims; a++) {
    arrays[a] = axis_of_block(block, dims, slopes, slopes, a);
    axis_weights(&arrays[a], n, &run->axis[a]);
  }
  if (dims == 1)
    line_octave(&run->lattice, arrays, n, sum, to, block->row);
  else if (run->lattice.source != SOURCE_QUICK || (dims < 4 && !slopes))
    any_corners(dims, &run->lattice, arrays, n, sum, to, block->row);
  else if (dims == 4)
    (slopes ? quick_slopes_4d : quick_points_4d)(run, block, n, sum, to);
  else
    (dims == 2 ? quick_slopes_2d : quick_slopes_3d)(run, block, n, sum, to);
}

/* All octaves at n positions. With `near`, the words of plain axes are there for octave 0. */
static void block_octaves(struct point_run *run, struct block *block, size_t n, int near,
                          const struct samples *sums, float memory[3][LAYER_FLOATS]) {
  const struct field *field = run->field;
  for (int k = 0; k < field->octaves; k++) {
    if (k > 0)
      enter_point_octave(run, k);
    for (int a = 0; a < run->list->dims; a++)
      if (!run->is_cellular && (k > 0 || !near || !run->axis[a].plain)) {
        const struct axis_arrays words = words_of_block(run, block, a);
        axis_words(&words, positions_of(run, block, a), n, near, &run->axis[a]);
      }
    if (field->shaped) {
      const struct shaping shaping = shaping_of(field, k, run->arrays);
      const size_t pitch = block_points(run->list->dims, run->arrays > 1);
      const struct samples layer = samples_in(memory[1], pitch);
      const struct samples weights = samples_in(memory[2], pitch);
      if (run->is_cellular)
        cellular_octave(run, block, n, near, 0, layer.array[0]);
      else
        combine_points(run, block, n, 0, &layer);
      blend(&shaping, n, &layer, sums, &weights);
    } else if (run->is_cellular) {
      cellular_octave(run, block, n, near, k > 0, sums->array[0]);
    } else {
      combine_points(run, block, n, k > 0, sums);
    }
  }
  finish(field, n, run->arrays, sums);
}

static PERLANE_NOINLINE void evaluate_points(const struct field *field,
                                             const struct perlane_point_list *list) {
  struct block block;
  float memory[3][LAYER_FLOATS];
  uint32_t inside[POINT_BLOCK]; /* mask */
  struct point_run run = {
      .field = field,
      .list = list,
      .lattice = lattice_of(field, list->dims),
      .arrays = list->gradient ? 1 + list->dims : 1,
      .is_cellular = field->params->basis == PERLANE_BASIS_CELLULAR,
  };
  if (run.is_cellular)
    run.cells = cells_of(field, list->dims);
  run.halved = run.lattice.source == SOURCE_QUICK && !list->gradient &&
               (list->dims == 2 || list->dims == 3) && can_be_halved(field, list->dims);
  for (int a = 0; a < list->dims; a++) {
    run.axis[a] = axis_of(field, a);
    run.limit[a] = near_limit(field, list, a);
  }
  const size_t points = block_points(list->dims, list->gradient != NULL);
  for (size_t start = 0; start < list->n; start += points) {
    const size_t left = list->n - start, n = left < points ? left : points;
    int near = 1;
    if (start == 0 || field->octaves > 1)
      enter_point_octave(&run, 0);
    for (int a = 0; a < list->dims; a++) {
      const vf largest = load_positions(&run, a, start, n, &block);
      near &= i_all(f_not_above(largest, f_set(run.limit[a])));
    }
    if (!near)
      mask_positions(&run, start, n, &block, inside);
    /* Whole blocks of near points, which nearly all are, go straight to the output. */
    const int direct = near && n == points;
    struct samples sums;
    for (int j = 0; j < run.arrays; j++) {
      float *out = j == 0 ? list->out : list->gradient[j - 1];
      sums.array[j] = direct && out ? out + start : memory[0] + (size_t)j * points;
    }
    block_octaves(&run, &block, n, near, &sums, memory);
    if (direct)
      continue;
    if (near)
      memset(inside, 0xFF, sizeof inside);
    if (list->out)
      write_points(inside, sums.array[0], n, list->out + start);
    for (int j = 1; j < run.arrays; j++)
      write_points(inside, sums.array[j], n, list->gradient[j - 1] + start);
  }
}

#endif
