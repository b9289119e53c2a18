/* SPDX-License-Identifier: MIT
 *
 * Cellular noise (docs/specification.md, 2.15): the point of a cell, its distance, and the noise
 * that the nearest points make. A search visits cells in any number, as long as none is missing
 * that could have one of the two nearest points: more cells change no bit.
 */
#ifndef PERLANE_NOISE_CELLS_H
#define PERLANE_NOISE_CELLS_H

#include "../lattice/axis.h"
#include "../samples.h"

/* The distances that a search keeps: the smallest, D1; D1 and D2; D1, and a tag of the cell that
 * has it; D1, and the distance to the border of its cell's region; all of them. Constant where it
 * is a parameter. */
enum cell_kind { CELL_FIRST, CELL_BOTH, CELL_TAG, CELL_EDGE, CELL_ALL };

/* Constants of the noise, and from begin_cells or begin_cell_octaves on those of an octave, or of
 * an octave for each lane. */
struct cells {
  int dims, reach; /* reach: R */
  perlane_cell_metric metric;
  int output; /* field.h */
  int along;  /* the axis of offsets; -1: another output */
  enum cell_kind kind;
  float jitter;
  float factor, start; /* k and a */
  vf amplitude, bias;
  vf steepness; /* of derivatives, by units of position */
};

static struct cells cells_of(const struct field *field, int dims) {
  const perlane_params *params = &field->noise->params;
  const double jitter = params->jitter, bit = dims == 1 ? 0x1p-24 : dims == 2 ? 0x1p-16 : 0x1p-11;
  struct cells cells; /* not as a whole: setting what begin_cells sets would take longer */
  cells.dims = dims;
  cells.reach = 2;
  cells.metric = (perlane_cell_metric)params->cell_metric;
  cells.output = field->cell_output;
  cells.along = cells.output >= CELL_OUTPUT_OFFSET ? cells.output - CELL_OUTPUT_OFFSET : -1;
  cells.jitter = (float)jitter;
  cells.factor = (float)(jitter * bit);
  cells.start = (float)(0.5 + jitter * (bit / 2 - 0.5));
  if (dims == 1 || cells.metric == PERLANE_CELL_METRIC_CHEBYSHEV)
    cells.reach = 1;
  else if (dims == 3 && cells.metric == PERLANE_CELL_METRIC_MANHATTAN)
    cells.reach = 3;
  cells.kind = cells.output == PERLANE_CELL_OUTPUT_F1     ? CELL_FIRST
               : cells.output < PERLANE_CELL_OUTPUT_VALUE ? CELL_BOTH
               : cells.output == PERLANE_CELL_OUTPUT_EDGE ? CELL_EDGE
                                                          : CELL_TAG;
  return cells;
}

static void begin_cells(struct cells *cells, const struct perlane_octave *octave) {
  const float amplitude = octave->amplitude[cells->dims - 1];
  cells->amplitude = f_set(amplitude);
  cells->bias = f_set(octave->bias);
  cells->steepness = f_set((float)((double)amplitude * octave->frequency));
}

/* Sets lane i to octave k + i, those beyond the field's octaves to its last. */
static void begin_cell_octaves(struct cells *cells, const struct field *field, size_t k) {
  const float *amplitude = field->arrays->amplitude[cells->dims - 1] + k;
  float bias[LANES];
  cells->amplitude = f_load(amplitude);
  cells->bias = f_set(field->octave[k].bias);
  for (size_t i = 0; i < LANES && field->octaves > 1; i++)
    bias[i] = octave_from(field, k + i)->bias;
  if (field->octaves > 1)
    cells->bias = f_load(bias);
  cells->steepness =
      f_from_d(d_mul(d_load_floats(amplitude), d_load(field->arrays->frequency + k)));
}

PERLANE_INLINE int is_square(const struct cells *cells) {
  return cells->metric <= PERLANE_CELL_METRIC_SQUARED;
}

/* Returns 1 if the largest part of a distance counts, not the sum. */
PERLANE_INLINE int is_largest(const struct cells *cells) {
  return cells->metric == PERLANE_CELL_METRIC_CHEBYSHEV;
}

/* ---- Points ---- */

/* A point's coordinate along axis a of its cell, less `start`, from the cell's hash. Constant:
 * `dims`. */
PERLANE_INLINE vf point_along(int dims, int a, vi hash, vf factor) {
  const vi bits = dims == 1            ? i_shift_right(hash, 8)
                  : dims == 2 && a > 0 ? i_and(hash, i_set(0xFFFF))
                  : dims == 2          ? i_shift_right(hash, 16)
                  : a == 0             ? i_shift_right(hash, 21)
                  : a == 1             ? i_and(i_shift_right(hash, 10), i_set(0x7FF))
                                       : i_and(hash, i_set(0x7FF));
  return f_mul(f_from_i(bits), factor);
}

/* The number of a cell, times the amplitude. */
PERLANE_INLINE vf number_of_cell(vi h, vf amplitude) {
  const vi odd = i_or(i_shift_right(i_mul(h, i_set(0x9E3779B1)), 7), i_set(1));
  const vf number = f_mul(f_from_i(i_sub(odd, i_set(0x1000000))), f_set(0x1p-24f));
  return f_mul(number, amplitude);
}

/* The tag of a cell: its number times the amplitude, or its hash. */
PERLANE_INLINE vf tag_of_cell(const struct cells *cells, vi h) {
  return cells->output == PERLANE_CELL_OUTPUT_VALUE ? number_of_cell(h, cells->amplitude)
                                                    : f_bits(h);
}

/* The output, from the hash of the nearest cell as a float of its bits, or the distance along the
 * axis of offsets. (Distances are scaled by the end of a sample: a compiler might multiply hashes
 * by 1 here instead of choosing, and change those that are signalling NaN.) */
PERLANE_INLINE vf output_of_tag(const struct cells *cells, vf tag) {
  return cells->along < 0 ? tag_of_cell(cells, i_bits(tag)) : tag;
}

/* ---- Distances ---- */

/* An axis' part of a distance that is d along it. */
PERLANE_INLINE vf distance_part(int square, vf d) {
  return square ? f_mul(d, d) : magnitude_of(d);
}

/* Parts of two axes together. */
PERLANE_INLINE vf joined_parts(int largest, vf a, vf b) {
  return largest ? f_max(a, b) : f_add(a, b);
}

/* Constant: `metric` and `dims`. */
PERLANE_INLINE vf cell_distance(perlane_cell_metric metric, int dims, const vf along[3]) {
  const int square = metric <= PERLANE_CELL_METRIC_SQUARED;
  const int largest = metric == PERLANE_CELL_METRIC_CHEBYSHEV;
  vf distance = distance_part(square, along[0]);
  if (dims > 2)
    distance = joined_parts(largest, distance, distance_part(square, along[2]));
  if (dims > 1)
    distance = joined_parts(largest, distance, distance_part(square, along[1]));
  return distance;
}

/* The point of a cell: the cell's hash, the point's coordinates in it, less `start`, and the
 * distances to it along each axis. */
struct cell_point {
  vi hash;
  vf point[3], along[3];
};

/* The point of the cell with a hash, from positions less `start` in this cell's coordinates.
 * Constant: `dims`. */
PERLANE_INLINE struct cell_point cell_point(int dims, vf factor, vi hash, vf x, vf y, vf z) {
  const vf from[3] = {x, y, z};
  struct cell_point to = {.hash = hash};
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    to.point[a] = point_along(dims, a, to.hash, factor);
    to.along[a] = f_sub(to.point[a], from[a]);
  }
  return to;
}

/* Returns the distances to a point. Constant: `dims`. */
PERLANE_INLINE vf distance_to(int dims, const struct cells *cells, const struct cell_point *point) {
  return is_square(cells)    ? cell_distance(PERLANE_CELL_METRIC_SQUARED, dims, point->along)
         : is_largest(cells) ? cell_distance(PERLANE_CELL_METRIC_CHEBYSHEV, dims, point->along)
                             : cell_distance(PERLANE_CELL_METRIC_MANHATTAN, dims, point->along);
}

/* The tag of a cell, as output_of_tag takes it. (An index would keep the point in memory.) */
PERLANE_INLINE vf tag_at(const struct cells *cells, const struct cell_point *to) {
  return cells->along < 0    ? f_bits(to->hash)
         : cells->along == 0 ? to->along[0]
         : cells->along == 1 ? to->along[1]
                             : to->along[2];
}

/* ---- The nearest points ---- */

struct nearest {
  vf first, second; /* D1; D2, the tag, or the distance to the border */
};

/* Returns 1 if a search needs the two nearest points. */
PERLANE_INLINE int is_second_needed(const struct cells *cells) {
  return cells->kind == CELL_BOTH || cells->kind == CELL_ALL;
}

PERLANE_INLINE struct nearest none_near(void) {
  return (struct nearest){f_set(FLT_MAX), f_set(FLT_MAX)};
}

/* Cells must come in the order of 2.15 where they have tags: of equal distances the first counts.
 */
PERLANE_INLINE void include_cell(enum cell_kind kind, struct nearest *nearest, vf distance,
                                 vf tag) {
  if (kind == CELL_BOTH)
    nearest->second = f_min(nearest->second, f_max(nearest->first, distance));
  if (kind >= CELL_TAG)
    nearest->second = f_select_below(distance, nearest->first, tag, nearest->second);
  nearest->first = f_min(nearest->first, distance);
}

/* ---- Borders ---- */

/* The half of the unit vector from points to others, from the vectors e between them,
 * whose components from `dims` on are 0. Of a point and itself: not numbers. Returns the mask of
 * points that differ. */
PERLANE_INLINE vm normal_of(int dims, const vf e[3], vf normal[3]) {
  const vf squares = cell_distance(PERLANE_CELL_METRIC_SQUARED, dims, e);
  const vf scale = f_div(f_set(0.5f), f_sqrt(squares));
  for (int a = 0; a < 3; a++)
    normal[a] = f_mul(e[a], scale);
  return f_not_above(f_set(FLT_MIN), squares);
}

/* The noise, from the smallest distance to a border plane. */
PERLANE_INLINE vf noise_of_border(const struct cells *cells, vf border) {
  const vf none = f_set(0);
  border = f_select_below(none, border, border, none);
  return f_add(f_mul(border, cells->amplitude), cells->bias);
}

/* F1 or F2, from D1 or D2. */
PERLANE_INLINE vf distance_of_part(const struct cells *cells, vf part) {
  return cells->metric == PERLANE_CELL_METRIC_EUCLIDEAN ? f_sqrt(part) : part;
}

/* The noise, of any output but value and edge. Constant: `kind`. */
PERLANE_INLINE vf noise_of_distances(enum cell_kind kind, const struct cells *cells,
                                     const struct nearest *nearest) {
  vf v = distance_of_part(cells, kind == CELL_BOTH ? nearest->second : nearest->first);
  if (kind == CELL_BOTH && cells->output == PERLANE_CELL_OUTPUT_F2_MINUS_F1)
    v = f_sub(v, distance_of_part(cells, nearest->first));
  return f_add(f_mul(v, cells->amplitude), cells->bias);
}

/* The noise of any output but edge. Constant, where that pays: `kind`. */
PERLANE_INLINE vf noise_of_nearest(enum cell_kind kind, const struct cells *cells,
                                   const struct nearest *nearest) {
  return kind == CELL_TAG    ? output_of_tag(cells, nearest->second)
         : kind == CELL_BOTH ? noise_of_distances(CELL_BOTH, cells, nearest)
                             : noise_of_distances(CELL_FIRST, cells, nearest);
}

/* ---- How far to search ---- */

/* A bound of the distances, as D is, of points in the cells `ring` away or further, for a position
 * that is `inside` away from its cell's nearest side. The factor absorbs roundings. */
PERLANE_INLINE vf ring_distance(const struct cells *cells, int ring, vf inside) {
  const float rest = (float)ring - 0.5f - 0.5f * cells->jitter;
  const vf least = f_mul(f_add(f_set(rest), inside), f_set(1 - 0x1p-13f));
  return is_square(cells) ? f_mul(least, least) : least;
}

/* The distance of a fraction to the nearer side of its cell. */
PERLANE_INLINE vf inside_of(vf fraction) {
  return f_min(fraction, f_sub(f_set(1), fraction));
}

#endif
