/* SPDX-License-Identifier: MIT
 *
 * Evaluating a list of points, a block at a time: the axis pass of each coordinate, into arrays
 * that stay in the first-level cache, then the corners of LANES cells and their combination.
 */
#ifndef PERLANE_NOISE_POINTS_H
#define PERLANE_NOISE_POINTS_H

#include "../cells/points.h"
#include "../grid/line.h"
#include "../octaves/finish.h"
#include "../simplex/simplex.h"
#include "lookup_points.h"

/* The source of points' positions along an axis: coordinates, which are added to an origin; the
 * samples of a grid, from the index `first` on; or the origin alone, which all points then have. */
struct point_source {
  const float *coords;
  const double *coords64; /* in place of origin and coords */
  const double *stored;   /* positions of samples as d_store stores them */
  int64_t first;
  double origin, step;
  const float *displacement; /* times reach, is added to that; NULL for none */
  double reach;
};

/* The origin of coordinates that are positions: a sum with -0 is the coordinate, even one of -0. */
#define NO_ORIGIN (-0.0)

PERLANE_INLINE int has_origin(const struct point_source *source) {
  const double none = NO_ORIGIN;
  return memcmp(&source->origin, &none, sizeof none) != 0;
}

/* The sources of a list's points. */
static void list_sources(const struct perlane_point_list *list,
                         struct point_source to[PERLANE_MAX_DIMS]) {
  for (int a = 0; a < list->dims; a++)
    to[a] = (struct point_source){.coords = list->coords ? list->coords[a] : NULL,
                                  .coords64 = list->coords64 ? list->coords64[a] : NULL,
                                  .origin = list->origin ? list->origin[a] : NO_ORIGIN};
}

/* What all blocks of a list share. */
struct evaluation {
  const struct field *field;
  float *(*stretch)[PERLANE_MAX_DIMS]; /* of a warp's run: J of each point (2.18); or NULL */
  int dims;
  struct point_source source[PERLANE_MAX_DIMS];
  struct lattice lattice;
  struct axis axis[PERLANE_MAX_DIMS]; /* of the current octave */
  float limit[PERLANE_MAX_DIMS];      /* near_limit of each axis */
  int arrays;
  int halved; /* halved_corners is used */
  enum perlane_producer producer;
  struct cells cells;
};

PERLANE_INLINE struct axis_arrays words_of_block(const struct evaluation *of, struct block *block,
                                                 int a) {
  return axis_of_block(block, of->dims, of->arrays > 1, 0, a);
}

PERLANE_INLINE double *positions_of(const struct evaluation *of, struct block *block, int a) {
  return positions_of_block(block, of->dims, of->arrays > 1, a);
}

/* ---- Positions ---- */

/* The largest magnitude along an axis that load_positions may return for points that are all near;
 * below 0 if no coordinate is near the origin enough, or floats are too coarse to decide. */
static float near_limit(const struct field *field, const struct point_source *source) {
  const double origin = source->coords ? perlane_magnitude(source->origin) : 0;
  double frequency = field->highest_frequency, reach = 0;
  if (source->displacement) { /* by at most 1 times the reach, where the warp is in its domain */
    const double warp_frequency = field->noise->highest_warp_frequency;
    frequency = frequency > warp_frequency ? frequency : warp_frequency;
    reach = source->reach;
  }
  const double limit = NEAR_CELLS / frequency - origin - reach;
  /* A float less by 2^-20 absorbs all roundings, of doubles to float too. */
  return !(limit >= 2 * (double)FLT_MIN) ? -1 /* NaN, too */
         : limit < (double)FLT_MAX       ? (float)(limit * (1 - 0x1p-20))
                                         : FLT_MAX;
}

/* Returns where a vector of n coordinates' numbers i and on is, of `size` bytes each: in `copy`,
 * with 0 after the last, if it is not whole. */
PERLANE_INLINE const void *padded(const void *coords, size_t i, size_t n, size_t size, void *copy) {
  const char *from = (const char *)coords + i * size;
  if (n - i >= LANES)
    return from;
  memset(copy, 0, LANES * size);
  memcpy(copy, from, (n - i) * size);
  return copy;
}

PERLANE_INLINE vi larger_magnitude(vi largest, vf v) {
  return i_max_unsigned(largest, i_and(i_bits(v), i_set(0x7FFFFFFF))); /* NaN is the largest */
}

/* d_stores n positions, whole vectors, from coordinates, without displacements. Returns the largest
 * magnitude among each lane's: of coordinates that are floats, of the coordinate, without the
 * origin. */
PERLANE_INLINE vi load_vectors(const struct point_source *source, const void *coords, size_t n,
                               double *to) {
  vi largest = i_set(0);
#define LOAD(type, coordinate, position)                                                           \
  for (size_t i = 0; i < n; i += LANES) {                                                          \
    const type *from = (const type *)coords + i;                                                   \
    const vd at = position;                                                                        \
    largest = larger_magnitude(largest, coordinate);                                               \
    d_store(to + i, at);                                                                           \
  }
  const vd origin = d_set(source->origin);
  if (source->coords64)
    LOAD(double, f_from_d(at), d_load(from))
  else if (!has_origin(source))
    LOAD(float, f_load(from), d_load_floats(from))
  else
    LOAD(float, f_load(from), d_add(origin, d_load_floats(from)))
#undef LOAD
  return largest;
}

/* The same of any number of coordinates; lanes after the last receive 0. */
static vi load_coordinates(const struct point_source *source, size_t start, size_t n, double *to) {
  const size_t size = source->coords64 ? sizeof(double) : sizeof(float), whole = n - n % LANES;
  const void *all = source->coords64 ? (const void *)source->coords64 : source->coords;
  const char *from = (const char *)all + start * size;
  const vi largest = load_vectors(source, from, whole, to);
  if (whole == n)
    return largest;
  double copy[LANES];
  return i_max_unsigned(
      largest, load_vectors(source, padded(from, whole, n, size, copy), LANES, to + whole));
}

/* Constant: `moving`, whether positions differ before they are displaced; if so, they are d_stored
 * at `from`. */
PERLANE_INLINE void displace(int moving, const double *from, const struct point_source *source,
                             size_t start, size_t n, double *to) {
  float copy[LANES];
  const float *all = source->displacement + start;
  const vd reach = d_set(source->reach), fixed = d_set(source->origin);
  for (size_t i = 0; i < n; i += LANES) {
    const float *by = padded(all, i, n, sizeof *all, copy);
    d_store(to + i, d_add(moving ? d_reload(from + i) : fixed, d_mul(reach, d_load_floats(by))));
  }
}

/* Position i before it is displaced. */
static double start_of(const struct point_source *source, size_t i) {
  return source->coords64 ? source->coords64[i]
         : source->coords ? source->origin + (double)source->coords[i]
         : source->stored ? source->origin + (double)(source->first + (int64_t)i) * source->step
                          : source->origin;
}

/* d_stores n positions. Returns the largest magnitude among each lane's before they are displaced,
 * as load_coordinates. */
PERLANE_INLINE vi load_source(const struct point_source *source, size_t start, size_t n,
                              double *to) {
  if (source->coords || source->coords64) {
    const vi largest = load_coordinates(source, start, n, to);
    if (source->displacement)
      displace(1, to, source, start, n, to);
    return largest;
  }
  const double *stored = source->stored ? source->stored + start : NULL;
  for (size_t i = 0; i < n && !source->displacement; i += LANES)
    d_store(to + i, stored ? d_reload(stored + i) : d_set(source->origin));
  if (source->displacement && stored)
    displace(1, stored, source, start, n, to);
  else if (source->displacement)
    displace(0, NULL, source, start, n, to);
  const double first = perlane_magnitude(start_of(source, start)); /* a grid is monotonic */
  const double last = perlane_magnitude(start_of(source, start + n - 1));
  return i_bits(f_set((float)(first > last ? first : last)));
}

/* d_stores the positions of points start .. start + n - 1 along an axis. If the axis is plain,
 * evaluates its words in the current octave too; they hold if all positions turn out to be near.
 * Returns what near_limit limits. */
static PERLANE_NOINLINE vf load_positions(const struct evaluation *of, int a, size_t start,
                                          size_t n, struct block *block) {
  const struct point_source *source = &of->source[a];
  double *to = positions_of(of, block, a);
  const vi largest = load_source(source, start, n, to);
  if (of->axis[a].plain) {
    const struct axis_arrays words = words_of_block(of, block, a);
    plain_words(&words, to, n, &of->axis[a]);
  }
  return f_bits(largest);
}

static double position_of(const struct point_source *source, size_t i) {
  const double at = start_of(source, i);
  return source->displacement ? at + source->reach * (double)source->displacement[i] : at;
}

/* Corrects positions that load_positions stored, where not all are near: those outside the domain
 * become 0 and clear their mask in `inside`. */
static PERLANE_NOINLINE void mask_positions(const struct evaluation *of, size_t start, size_t n,
                                            struct block *block, uint32_t *inside) {
  memset(inside, 0xFF, POINT_BLOCK * sizeof *inside);
  for (int pass = 0; pass < 2; pass++)
    for (int a = 0; a < of->dims; a++) {
      double *to = positions_of(of, block, a);
      for (size_t i = 0; i < n; i += LANES) {
        double position[LANES] = {0};
        for (size_t l = 0; l < LANES && i + l < n; l++) {
          position[l] = position_of(&of->source[a], start + i + l);
          if (!(perlane_magnitude(position[l] * of->field->highest_frequency) <= 0x1p53))
            inside[i + l] = 0;
          if (!inside[i + l])
            position[l] = 0;
        }
        d_store(to + i, d_load(position));
      }
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

static void begin_point_octave(struct evaluation *of, int k) {
  const struct perlane_octave *octave = &of->field->octave[k];
  begin_octave(&of->lattice, octave, of->dims);
  for (int a = 0; a < of->dims; a++)
    begin_axis(&of->axis[a], octave, of->dims);
  if (of->producer == PERLANE_CELLS)
    begin_cells(&of->cells, octave);
}

/* The axes of n points of cellular noise. */
static void place_in_cells(const struct evaluation *of, struct block *block, size_t n, int near,
                           struct cell_axis axis[3]) {
  for (int a = 0; a < of->dims; a++) {
    const struct axis_arrays words = words_of_block(of, block, a);
    axis[a] = cell_axis_in(&words, positions_of(of, block, a));
    cell_words(&axis[a], n, near, &of->axis[a]);
  }
}

/* One octave of cellular noise; with `sum`, added to what is in `to`. */
static void cellular_octave(const struct evaluation *of, struct block *block, size_t n, int near,
                            int sum, const struct samples *to) {
  struct cell_axis axis[3];
  place_in_cells(of, block, n, near, axis);
  cell_points(&of->cells, of->axis, axis, n, sum, of->arrays, to);
}

/* One octave, the k-th, of simplex noise; with `sum`, added to what is in `to`. */
static PERLANE_NOINLINE void simplex_octave(const struct evaluation *of, struct block *block, int k,
                                            size_t n, int near, int sum, const struct samples *to) {
  struct simplex_octaves octaves;
  struct simplex_run run = {.octaves = &octaves};
  one_octave(&octaves, of->field, k, of->dims, near);
  for (int a = 0; a < of->dims; a++) {
    run.position[a] = positions_of(of, block, a);
    run.position_step[a] = 1;
  }
  simplex_run(of->dims, &run, n, sum, of->arrays, to);
}

#define POINT_KERNEL(name, ...)                                                                    \
  static PERLANE_NOINLINE void name(const struct evaluation *of, struct block *block, size_t n,    \
                                    int sum, const struct samples *to) {                           \
    __VA_ARGS__;                                                                                   \
  }
POINT_KERNEL(halved_points_2d, halved_corners(2, &of->lattice, of->axis, block, n, sum, to))
POINT_KERNEL(halved_points_3d, halved_corners(3, &of->lattice, of->axis, block, n, sum, to))
#define POINTS(dims, slopes)                                                                       \
  sum_corners((struct corner_kind){SOURCE_QUICK, dims, slopes}, &of->lattice, block, n, sum, to)
POINT_KERNEL(quick_slopes_2d, POINTS(2, 1))
POINT_KERNEL(quick_slopes_3d, POINTS(3, 1))
POINT_KERNEL(quick_points_4d, POINTS(4, 0))
POINT_KERNEL(quick_slopes_4d, POINTS(4, 1))
#undef POINTS
POINT_KERNEL(lookup_points_2d, lookup_corners(0, &of->lattice, block, n, sum, to))
POINT_KERNEL(lookup_slopes_2d, lookup_corners(1, &of->lattice, block, n, sum, to))
#undef POINT_KERNEL

/* Combines corners; with `sum`, adds to what is in `to`. */
static void combine_points(const struct evaluation *of, struct block *block, size_t n, int sum,
                           const struct samples *to) {
  const int dims = of->dims, slopes = of->arrays > 1;
  if (of->halved) {
    (dims == 2 ? halved_points_2d : halved_points_3d)(of, block, n, sum, to);
    return;
  }
  struct axis_arrays arrays[PERLANE_MAX_DIMS];
  for (int a = 0; a < dims; a++) {
    arrays[a] = axis_of_block(block, dims, slopes, slopes, a);
    axis_weights(&arrays[a], n, &of->axis[a]);
  }
  if (dims == 1)
    line_octave(&of->lattice, arrays, n, sum, to, block->row);
  else if (is_simple_lookup(&of->lattice, dims))
    (slopes ? lookup_slopes_2d : lookup_points_2d)(of, block, n, sum, to);
  else if (of->lattice.source != SOURCE_QUICK || (dims < 4 && !slopes))
    any_corners(dims, &of->lattice, arrays, n, sum, to, block->row);
  else if (dims == 4)
    (slopes ? quick_slopes_4d : quick_points_4d)(of, block, n, sum, to);
  else
    (dims == 2 ? quick_slopes_2d : quick_slopes_3d)(of, block, n, sum, to);
}

/* One octave, the k-th, of any basis; with `sum`, added to what is in `to`. */
PERLANE_INLINE void any_octave(const struct evaluation *of, struct block *block, int k, size_t n,
                               int near, int sum, const struct samples *to) {
  switch (of->producer) {
  case PERLANE_LATTICE:
  case PERLANE_WHITE:
    combine_points(of, block, n, sum, to);
    break;
  case PERLANE_CELLS:
    cellular_octave(of, block, n, near, sum, to);
    break;
  case PERLANE_SIMPLEX:
    simplex_octave(of, block, k, n, near, sum, to);
  }
}

/* Sums all octaves at n positions. With `near`, the words of plain axes are there for octave 0. */
static void block_octaves(struct evaluation *of, struct block *block, size_t n, int near,
                          const struct samples *sums, float (*memory)[LAYER_FLOATS]) {
  const struct field *field = of->field;
  for (int k = 0; k < field->octaves; k++) {
    if (k > 0)
      begin_point_octave(of, k);
    for (int a = 0; a < of->dims; a++)
      if (!of->axis[a].makes_words && (k > 0 || !near || !of->axis[a].plain)) {
        const struct axis_arrays words = words_of_block(of, block, a);
        axis_words(&words, positions_of(of, block, a), n, near, &of->axis[a]);
      }
    if (field->shaped) {
      const struct shaping shaping = shaping_of(field, k, of->arrays);
      const size_t pitch = block_points(of->dims, of->arrays > 1);
      const struct samples layer = samples_in(memory[1], pitch);
      const struct samples weights = samples_in(memory[2], pitch);
      any_octave(of, block, k, n, near, 0, &layer);
      blend(&shaping, n, &layer, sums, &weights);
    } else {
      any_octave(of, block, k, n, near, k > 0, sums);
    }
  }
}

/* Turns derivatives by displaced positions into those by the positions, in place, of points
 * start .. start + n - 1 of a run. */
static void apply_stretch(const struct evaluation *of, size_t start, size_t n,
                          const struct samples *sums) {
  for (size_t i = 0; i < n; i += LANES) {
    vf slope[PERLANE_MAX_DIMS];
    for (int a = 0; a < of->dims; a++)
      slope[a] = f_load(sums->array[1 + a] + i);
    for (int b = 0; b < of->dims; b++) {
      vf sum = f_mul(slope[0], f_load(of->stretch[0][b] + start + i));
      for (int a = 1; a < of->dims; a++)
        sum = f_add(sum, f_mul(slope[a], f_load(of->stretch[a][b] + start + i)));
      f_store(sums->array[1 + b] + i, sum);
    }
  }
}

/* Finishes the first `outputs` arrays of a block's sums: the values, or the derivatives too. The
 * falloff is one of the positions before the warp. */
static PERLANE_NOINLINE void finish_block(const struct evaluation *of, struct block *block,
                                          size_t start, size_t n, int outputs,
                                          const struct samples *sums) {
  const int is_lowered = has_falloff(of->field);
  struct positions at = {.is_row = 0};
  for (int a = 0; a < of->dims && is_lowered; a++) {
    struct point_source source = of->source[a];
    at.at[a] = positions_of(of, block, a);
    if (source.displacement) {
      source.displacement = NULL;
      load_source(&source, start, n, positions_of(of, block, a));
    }
  }
  if (!is_lowered && !ends_with_sum(of->field))
    finish(of->field, of->dims, n, outputs, &at, sums);
  if (of->stretch)
    apply_stretch(of, start, n, sums);
  if (is_lowered)
    finish(of->field, of->dims, n, outputs, &at, sums);
}

/* Stack memory of a list. */
struct point_memory {
  struct block block;
  float layer[3][LAYER_FLOATS];
  uint32_t inside[POINT_BLOCK]; /* mask */
};

/* Returns the number of points that a block of this evaluation has. */
PERLANE_INLINE size_t points_of_block(const struct evaluation *of) {
  return block_points(of->dims, of->arrays > 1);
}

/* Begins to evaluate a field at points from of->source. */
static void begin_points(struct evaluation *of, const struct field *field, int dims,
                         int with_gradient) {
  of->field = field;
  of->dims = dims;
  of->stretch = NULL;
  make_lattice(&of->lattice, field, dims);
  of->arrays = with_gradient || is_eroded(field) ? 1 + dims : 1;
  of->halved = of->lattice.source == SOURCE_QUICK && of->arrays == 1 && (dims == 2 || dims == 3) &&
               can_be_halved(field, dims);
  of->producer = basis_of(field)->producer;
  if (of->producer == PERLANE_CELLS)
    of->cells = cells_of(field, dims);
  for (int a = 0; a < dims; a++) {
    make_axis(&of->axis[a], field, a);
    of->limit[a] = near_limit(field, &of->source[a]);
  }
  begin_point_octave(of, 0);
}

/* Loads the positions of points start .. start + n - 1. Returns 1 if all are near, which leaves
 * memory->inside as it is. */
static int load_block(const struct evaluation *of, struct point_memory *memory, size_t start,
                      size_t n) {
  int near = 1;
  for (int a = 0; a < of->dims; a++) {
    const vf largest = load_positions(of, a, start, n, &memory->block);
    near &= i_all(f_not_above(largest, f_set(of->limit[a])));
  }
  if (!near)
    mask_positions(of, start, n, &memory->block, memory->inside);
  return near;
}

/* Evaluates a block: points start .. start + n - 1. out or gradient may be NULL. */
static void evaluate_block(struct evaluation *of, struct point_memory *memory, size_t start,
                           size_t n, float *out, float *const *gradient) {
  const size_t points = points_of_block(of);
  if (of->field->octaves > 1)
    begin_point_octave(of, 0);
  const int near = load_block(of, memory, start, n);
  /* Whole vectors of near points, which nearly all are, go straight to the output, unless it may be
   * in the place of positions that are still to be read. */
  const int is_read_again = has_falloff(of->field) && of->source[0].displacement;
  const int direct = near && n % LANES == 0 && !is_read_again;
  struct samples sums;
  for (int j = 0; j < of->arrays; j++) {
    float *to = j == 0 ? out : gradient ? gradient[j - 1] : NULL;
    sums.array[j] = direct && to ? to + start : memory->layer[0] + (size_t)j * points;
  }
  block_octaves(of, &memory->block, n, near, &sums, memory->layer);
  if (of->stretch || !ends_with_sum(of->field))
    finish_block(of, &memory->block, start, n, gradient ? 1 + of->dims : 1, &sums);
  if (direct)
    return;
  if (near)
    memset(memory->inside, 0xFF, n * sizeof *memory->inside);
  if (out)
    write_points(memory->inside, sums.array[0], n, out + start);
  for (int a = 0; gradient && a < of->dims; a++)
    write_points(memory->inside, sums.array[1 + a], n, gradient[a] + start);
}

static void evaluate_blocks(struct evaluation *of, struct point_memory *memory, size_t n,
                            float *out, float *const *gradient) {
  const size_t points = points_of_block(of);
  for (size_t start = 0; start < n; start += points) {
    const size_t left = n - start;
    evaluate_block(of, memory, start, left < points ? left : points, out, gradient);
  }
}

/* Evaluates a field at n points: values, derivatives or both. */
static PERLANE_NOINLINE void evaluate_points(const struct field *field, int dims,
                                             const struct point_source *source, size_t n,
                                             float *out, float *const *gradient) {
  struct point_memory memory;
  struct evaluation of;
  memcpy(of.source, source, (size_t)dims * sizeof *source);
  begin_points(&of, field, dims, gradient != NULL);
  evaluate_blocks(&of, &memory, n, out, gradient);
}

#endif
