/* SPDX-License-Identifier: MIT
 *
 * Evaluating a list of points, a block at a time.
 *
 * A block's positions are made once, as doubles, and each octave multiplies them by its frequency:
 * the first-level cache holds them, and the words, fractions and sums of all axes, up to 256 points
 * in 2D. A block is near if no coordinate is larger than near_limit, which one comparison at its
 * end finds out; only others are searched for points outside the domain. Then each octave takes
 * the two loops of pairs.h, or those of cells/points.h or simplex/simplex.h.
 */
#ifndef PERLANE_NOISE_POINTS_EVALUATION_H
#define PERLANE_NOISE_POINTS_EVALUATION_H

#include "../cells/points.h"
#include "../octaves/finish.h"
#include "../simplex/simplex.h"
#include "../valleys/land.h"
#include "pairs.h"

/* The source of points' positions along an axis: coordinates, which are added to an origin; the
 * samples of a grid, from the index `first` on; or the origin alone, which all points then have. */
struct point_source {
  const float *coords;
  const double *coords64; /* in place of origin and coords */
  ptrdiff_t stride;       /* of either, in elements */
  const double *stored;   /* positions of samples as d_store stores them */
  int64_t first;
  double origin, step;
  const float *displacement; /* times reach, is added to that; NULL for none */
  double reach;
};

/* The origin of coordinates that are positions: a sum with -0 is the coordinate, even one of -0. */
#define NO_ORIGIN (-0.0)

/* Sets the sources of the points of a list from number `start` on. */
static void list_sources(const struct perlane_point_list *list, size_t start,
                         struct point_source source[PERLANE_MAX_DIMS]) {
  const ptrdiff_t first = (ptrdiff_t)start * list->stride;
  for (int a = 0; a < list->dims; a++)
    source[a] = (struct point_source){.coords = list->coords ? list->coords[a] + first : NULL,
                                      .coords64 = list->coords64 ? list->coords64[a] + first : NULL,
                                      .stride = list->stride,
                                      .origin = list->origin ? list->origin[a] : NO_ORIGIN};
}

/* Floats of the values and derivatives of a block. */
enum { LAYER_FLOATS = 4 * 128 };
_Static_assert((int)POINT_BLOCK == MAX_PAIRS && (int)POINT_BLOCK == CELL_BLOCK &&
                   (int)POINT_BLOCK == LAND_BLOCK,
               "blocks");

/* Returns the maximum number of points of a block. */
PERLANE_INLINE size_t block_points(int dims, int slopes) {
  if (slopes)
    return dims == 4 ? 64 : 128;
  return dims <= 2 ? 256 : dims == 3 ? 160 : 128;
}

/* Returns the number of points of the next block, if `left` are left. Those that do not fill a
 * vector are a block of their own after a long one, which then needs no copy. A list of up to
 * WHOLE_LIST points is one block: it is read before its results are written. */
PERLANE_INLINE size_t next_block(size_t left, size_t block) {
  return left >= block ? block : left <= WHOLE_LIST ? left : left - left % LANES;
}

/* Stack memory of a list. */
struct point_memory {
  _Alignas(64) double position[128 * PERLANE_MAX_DIMS]; /* 0 for points outside the domain */
  union {
    struct pairs pairs;
    struct cell_axis cell[3];
  };
  _Alignas(64) float factor[3][LANES];
  _Alignas(64) float layer[3][LAYER_FLOATS];
  uint32_t inside[POINT_BLOCK]; /* mask */
};

/* What all blocks of a list share. */
struct evaluation {
  const struct field *field;
  int dims, arrays;
  size_t points; /* of a block at most */
  enum source corners;
  int plain; /* whether all axes are plain */
  enum perlane_producer producer;
  const struct point_source *source;
  float limit;                               /* near_limit */
  struct network *network;                   /* of a field with valleys; otherwise NULL */
  float *const (*stretch)[PERLANE_MAX_DIMS]; /* of a warp's run: J of each point (2.18); or NULL */
  struct cells cells;
};

PERLANE_INLINE double *positions_of(const struct evaluation *evaluation,
                                    struct point_memory *memory, int a) {
  return memory->position + (size_t)a * evaluation->points;
}

static int has_periods(const struct field *field, int dims) {
  int periods = 0;
  for (int a = 0; a < dims; a++)
    periods |= field->octave[0].period[a] != 0;
  return periods;
}

/* Returns 1 if all axes are plain. */
static int has_plain_axes(const struct field *field, int dims) {
  return field->params->hash == PERLANE_HASH_LATTICE && basis_of(field)->producer == BY_LATTICE &&
         !has_periods(field, dims);
}

/* ---- Positions ---- */

/* Returns the largest magnitude that load_positions may return for points that are all near. */
static float near_limit(const struct field *field, int dims, const struct point_source *source) {
  double frequency = field->highest_frequency, aside = 0;
  for (int a = 0; a < dims; a++) {
    aside += source[a].coords ? perlane_magnitude(source[a].origin) : 0;
    /* By at most 1 times the reach, where the warp is in its domain. */
    if (source[a].displacement) {
      const double warp_frequency = field->noise->highest_warp_frequency;
      frequency = frequency > warp_frequency ? frequency : warp_frequency;
      aside += source[a].reach;
    }
  }
  return near_coordinates(frequency, aside);
}

/* Returns n coordinates, one after the other, in whole vectors: in `copy`, with the last repeated,
 * if they are not stored so. */
#define WHOLE_VECTORS(name, type) /* NOLINTNEXTLINE(bugprone-macro-parentheses) */                 \
  PERLANE_INLINE const type *name(const type *coords, ptrdiff_t stride, size_t n, type *copy) {    \
    if (stride == 1 && n % LANES == 0)                                                             \
      return coords;                                                                               \
    size_t i = 0;                                                                                  \
    for (; stride == 1 && i + LANES <= n; i += LANES) /* loads would wait for single numbers */    \
      memcpy(copy + i, coords + i, LANES * sizeof *copy);                                          \
    for (; i < n; i++)                                                                             \
      copy[i] = coords[(ptrdiff_t)i * stride];                                                     \
    for (; i % LANES != 0; i++)                                                                    \
      copy[i] = copy[n - 1];                                                                       \
    return copy;                                                                                   \
  }
WHOLE_VECTORS(whole_vectors, float)
WHOLE_VECTORS(whole_double_vectors, double)
#undef WHOLE_VECTORS

/* Returns a vector of floats from number i on of n: in `copy`, with 0 after the last, if it is not
 * whole. */
PERLANE_INLINE const float *padded(const float *floats, size_t i, size_t n, float *copy) {
  if (n - i >= LANES)
    return floats + i;
  memset(copy, 0, LANES * sizeof *copy);
  memcpy(copy, floats + i, (n - i) * sizeof *copy);
  return copy;
}

/* Position i before it is displaced. */
static double start_of(const struct point_source *source, size_t i) {
  return source->coords64 ? source->coords64[(ptrdiff_t)i * source->stride]
         : source->coords ? source->origin + (double)source->coords[(ptrdiff_t)i * source->stride]
         : source->stored ? source->origin + (double)(source->first + (int64_t)i) * source->step
                          : source->origin;
}

static double position_of(const struct point_source *source, size_t i) {
  const double start = start_of(source, i);
  return source->displacement ? start + source->reach * (double)source->displacement[i] : start;
}

/* d_stores the positions of points start .. start + n - 1 along an axis. Returns each lane's
 * largest magnitude of a position without its displacement, and without the origin where
 * coordinates are floats. */
static PERLANE_NOINLINE vi load_positions(const struct point_source *source, size_t start, size_t n,
                                          double *position) {
  if (n == 1) { /* vectors are not put together */
    const double at = start_of(source, start);
    d_store(position, d_set(source->displacement ? position_of(source, start) : at));
    return larger_magnitude(i_set(0), f_set((float)at));
  }
  const ptrdiff_t first = (ptrdiff_t)start * source->stride, stride = source->stride;
  const vd origin = d_set(source->origin), reach = d_set(source->reach);
  const double *const stored = source->stored;
  vi largest = i_set(0);
  if (source->coords64) {
    double copy[POINT_BLOCK];
    const double *coords = whole_double_vectors(source->coords64 + first, stride, n, copy);
    for (size_t i = 0; i < n; i += LANES) {
      const vd v = d_load(coords + i);
      largest = larger_magnitude(largest, f_from_d(v));
      d_store(position + i, v);
    }
  } else if (source->coords) {
    float copy[POINT_BLOCK];
    const float *coords = whole_vectors(source->coords + first, stride, n, copy);
    for (size_t i = 0; i < n; i += LANES) {
      largest = larger_magnitude(largest, f_load(coords + i));
      d_store(position + i, d_add(origin, d_load_floats(coords + i)));
    }
  } else {
    /* A grid is monotonic. */
    largest = larger_magnitude(largest, f_set((float)start_of(source, start)));
    largest = larger_magnitude(largest, f_set((float)start_of(source, start + n - 1)));
    for (size_t i = 0; i < n; i += LANES)
      d_store(position + i, stored ? d_reload(stored + start + i) : origin);
  }
  for (size_t i = 0; i < n && source->displacement; i += LANES) {
    float copy[LANES];
    const vd displacement = d_load_floats(padded(source->displacement + start, i, n, copy));
    d_store(position + i, d_add(d_reload(position + i), d_mul(reach, displacement)));
  }
  return largest;
}

/* Corrects positions that load_positions stored, where not all are near: those outside the domain
 * become 0 and clear their mask in `inside`. */
static PERLANE_NOINLINE void mask_positions(const struct evaluation *evaluation, size_t start,
                                            size_t n, struct point_memory *memory) {
  const double frequency = evaluation->field->highest_frequency;
  const int dims = evaluation->dims;
  for (size_t i = 0; i < n; i += LANES) {
    double position[PERLANE_MAX_DIMS][LANES];
    for (size_t l = 0; l < LANES; l++) {
      uint32_t inside = 0xFFFFFFFF;
      for (int a = 0; a < dims; a++) {
        const size_t point = start + (i + l < n ? i + l : i);
        position[a][l] = position_of(&evaluation->source[a], point);
        if (!(perlane_magnitude(position[a][l] * frequency) <= 0x1p53))
          inside = 0;
      }
      memory->inside[i + l] = inside;
      for (int a = 0; a < dims && !inside; a++)
        position[a][l] = 0;
    }
    for (int a = 0; a < dims; a++)
      d_store(positions_of(evaluation, memory, a) + i, d_load(position[a]));
  }
}

/* Writes a block's results; points outside the domain, if `inside` is not NULL, become NaN. */
static PERLANE_NOINLINE void write_points(const uint32_t *inside, const float *results, size_t n,
                                          float *out) {
  const vi outside = i_set(0), not_a_number = i_set(0x7FC00000);
  for (size_t i = 0; i < n; i += LANES) {
    vi value = i_bits(f_load(results + i));
    if (inside)
      value = i_select(i_equal(i_load(inside + i), outside), not_a_number, value);
    if (i + LANES <= n)
      f_store(out + i, f_bits(value));
    else
      f_store_some(out + i, f_bits(value), n - i);
  }
}

/* ---- Pairs along plain axes ---- */

/* Coordinates of whole vectors of points, and what is added to them; NULL for nothing. */
struct point_coords {
  const float *axis[PERLANE_MAX_DIMS];
  const double *origin;
};

/* Makes the pairs of an octave along plain axes: at coordinates, whose positions it d_stores unless
 * `position` is NULL; or at stored positions if `coords` is NULL. Returns the largest magnitude
 * among each lane's coordinates. Constant: `dims`. */
PERLANE_INLINE vi octave_pairs(int dims, const struct point_coords *coords, double *position,
                               size_t pitch, const struct perlane_octave *octave, size_t n,
                               struct pairs *pairs) {
  struct near_axis axis[PERLANE_MAX_DIMS];
  vi largest = i_set(0);
  PERLANE_UNROLL for (int a = 0; a < dims; a++) axis[a] = near_axis_in(a, octave);
  for (size_t i = 0; i < n; i += LANES) {
    vd vector[PERLANE_MAX_DIMS];
    PERLANE_UNROLL for (int a = 0; a < dims; a++) {
      if (coords) {
        vector[a] = d_load_floats(coords->axis[a] + i);
        largest = larger_magnitude(largest, f_load(coords->axis[a] + i));
        if (coords->origin)
          vector[a] = d_add(d_set(coords->origin[a]), vector[a]);
        if (position)
          d_store(position + (size_t)a * pitch + i, vector[a]);
      } else {
        vector[a] = d_reload(position + (size_t)a * pitch + i);
      }
    }
    plain_pairs(dims, pairs->axis, i, axis, vector);
  }
  return largest;
}

#define OCTAVE_PAIRS(name, dims)                                                                   \
  static PERLANE_NOINLINE vi name(const struct point_coords *coords, double *position,             \
                                  size_t pitch, const struct perlane_octave *octave, size_t n,     \
                                  struct pairs *pairs) {                                           \
    return octave_pairs(dims, coords, position, pitch, octave, n, pairs);                          \
  }
OCTAVE_PAIRS(octave_pairs_1d, 1)
OCTAVE_PAIRS(octave_pairs_2d, 2)
OCTAVE_PAIRS(octave_pairs_3d, 3)
OCTAVE_PAIRS(octave_pairs_4d, 4)
#undef OCTAVE_PAIRS

/* ---- Octaves ---- */

/* Begins an octave of cellular noise. */
static PERLANE_NOINLINE void begin_cell_octave(struct evaluation *evaluation,
                                               struct point_memory *memory, int k) {
  const struct perlane_octave *octave = &evaluation->field->octave[k];
  for (int a = 0; a < evaluation->dims; a++) {
    make_axis(&memory->cell[a].axis, evaluation->field, a);
    begin_axis(&memory->cell[a].axis, octave);
  }
  begin_cells(&evaluation->cells, octave);
}

/* Makes the axes of n points of cellular noise. */
static void place_in_cells(const struct evaluation *evaluation, struct point_memory *memory,
                           size_t n, int near) {
  for (int a = 0; a < evaluation->dims; a++) {
    memory->cell[a].position = positions_of(evaluation, memory, a);
    cell_words(&memory->cell[a], n, near);
  }
}

/* Makes an octave's pairs along any axis. */
static PERLANE_NOINLINE void any_pairs(const struct field *field,
                                       const struct perlane_octave *octave, int number,
                                       const double *position, size_t n, int near,
                                       struct pair_axis *pairs) {
  const struct split_arrays split = {pairs->fraction, {pairs->word, pairs->next}};
  struct axis axis;
  make_axis(&axis, field, number);
  begin_axis(&axis, octave);
  split_run(&split, position, n, near, &axis);
}

/* One octave, the k-th, of simplex noise; with `sum`, added to the results. */
static PERLANE_NOINLINE void simplex_octave(const struct evaluation *evaluation,
                                            struct point_memory *memory, int k, size_t n, int near,
                                            int sum, const struct samples *results) {
  struct simplex_octaves octaves;
  struct simplex_run run = {.octaves = &octaves};
  one_octave(&octaves, evaluation->field, k, evaluation->dims, near);
  for (int a = 0; a < evaluation->dims; a++) {
    run.position[a] = positions_of(evaluation, memory, a);
    run.position_step[a] = 1;
  }
  simplex_run(evaluation->dims, &run, n, sum, evaluation->arrays, results);
}

/* Sets the factors of an octave's pairs. Constant: `slopes`, whether there are derivatives. */
PERLANE_INLINE void octave_factors(int slopes, const struct field *field, int dims,
                                   const struct perlane_octave *octave,
                                   struct point_memory *memory) {
  memory->pairs.factors =
      (struct pair_factors){memory->factor[0], memory->factor[1], memory->factor[2], 0};
  f_store(memory->factor[0], f_set(octave->amplitude[dims - 1]));
  if (slopes) {
    const struct factors factors = factors_in(field, octave, dims);
    f_store(memory->factor[1], factors.steepness);
    f_store(memory->factor[2], factors.cells);
  }
}

/* One octave of interpolated noise, the k-th; with `sum`, added to the results. Constant: `plain`.
 */
PERLANE_INLINE void lattice_octave(int plain, struct evaluation *evaluation,
                                   struct point_memory *memory, int k, size_t n, int near, int sum,
                                   const struct samples *results) {
  const struct perlane_octave *octave = &evaluation->field->octave[k];
  const int slopes = evaluation->arrays > 1;
  if (plain || (evaluation->plain && near)) {
    if (!plain || k > 0)
      IN_DIMS(evaluation->dims, octave_pairs)
    (NULL, memory->position, evaluation->points, octave, n, &memory->pairs);
  } else {
    for (int a = 0; a < evaluation->dims; a++)
      any_pairs(evaluation->field, octave, a, positions_of(evaluation, memory, a), n, near,
                &memory->pairs.axis[a]);
  }
  octave_factors(slopes, evaluation->field, evaluation->dims, octave, memory);
  combine_pairs(plain ? SOURCE_QUICK : evaluation->corners, evaluation->dims, slopes,
                evaluation->field, &memory->pairs, n, sum, results);
}

/* One octave of any basis, the k-th; with `sum`, added to the results. */
static void octave_of_points(struct evaluation *evaluation, struct point_memory *memory, int k,
                             size_t n, int near, int sum, const struct samples *results) {
  switch (evaluation->producer) {
  case BY_LATTICE:
  case BY_WHITE:
    lattice_octave(0, evaluation, memory, k, n, near, sum, results);
    break;
  case BY_CELLS:
    if (k > 0)
      begin_cell_octave(evaluation, memory, k);
    place_in_cells(evaluation, memory, n, near);
    cell_points(&evaluation->cells, memory->cell, n, sum, evaluation->arrays, results);
    break;
  case BY_SIMPLEX:
    simplex_octave(evaluation, memory, k, n, near, sum, results);
  }
}

/* Sums all octaves at n positions, or evaluates the land there. Constant: `plain`. */
PERLANE_INLINE void block_octaves(int plain, struct evaluation *evaluation,
                                  struct point_memory *memory, size_t n, int near,
                                  const struct samples *sums) {
  const struct field *field = evaluation->field;
  if (!plain && evaluation->network) {
    land_of_points(evaluation->network, positions_of(evaluation, memory, 0),
                   positions_of(evaluation, memory, 1), n, evaluation->arrays, sums);
    return;
  }
  for (int k = 0; k < field->octaves; k++) {
    if (plain) {
      lattice_octave(1, evaluation, memory, k, n, 1, k > 0, sums);
    } else if (field->shaped) {
      const struct shaping shaping = shaping_of(field, k, evaluation->arrays);
      const struct samples layer = samples_in(memory->layer[1], evaluation->points);
      const struct samples weights = samples_in(memory->layer[2], evaluation->points);
      octave_of_points(evaluation, memory, k, n, near, 0, &layer);
      blend(&shaping, n, &layer, sums, &weights);
    } else {
      octave_of_points(evaluation, memory, k, n, near, k > 0, sums);
    }
  }
}

/* Turns derivatives by displaced positions into those by the positions, in place, of points
 * start .. start + n - 1 of a run. */
static void apply_stretch(int dims, float *const (*stretch)[PERLANE_MAX_DIMS], size_t start,
                          size_t n, float *const *slopes) {
  for (size_t i = 0; i < n; i += LANES) {
    vf slope[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++)
      slope[a] = f_load(slopes[a] + i);
    for (int b = 0; b < dims; b++) {
      vf sum = f_mul(slope[0], f_load(stretch[0][b] + start + i));
      for (int a = 1; a < dims; a++)
        sum = f_add(sum, f_mul(slope[a], f_load(stretch[a][b] + start + i)));
      f_store(slopes[b] + i, sum);
    }
  }
}

/* Finishes the first `outputs` arrays of a block's sums: the values, or the derivatives too. The
 * falloff is one of the positions before the warp. */
static PERLANE_NOINLINE void finish_block(const struct evaluation *evaluation,
                                          struct point_memory *memory, size_t start, size_t n,
                                          int outputs, const struct samples *sums) {
  const int is_positional = needs_positions(evaluation->field);
  struct positions positions = {.is_row = 0};
  for (int a = 0; a < evaluation->dims && is_positional; a++) {
    struct point_source source = evaluation->source[a];
    positions.at[a] = positions_of(evaluation, memory, a);
    if (source.displacement) {
      source.displacement = NULL;
      load_positions(&source, start, n, positions_of(evaluation, memory, a));
    }
  }
  if (!is_positional && !ends_with_sum(evaluation->field))
    finish(evaluation->field, evaluation->dims, n, outputs, &positions, sums);
  if (evaluation->stretch)
    apply_stretch(evaluation->dims, evaluation->stretch, start, n, &sums->array[1]);
  if (is_positional)
    finish(evaluation->field, evaluation->dims, n, outputs, &positions, sums);
}

/* Begins to evaluate a field at points. */
static void begin_points(struct evaluation *evaluation, const struct field *field, int dims,
                         const struct point_source *source, int with_gradient) {
  evaluation->field = field;
  evaluation->dims = dims;
  evaluation->source = source;
  evaluation->arrays = with_gradient || is_eroded(field) ? 1 + dims : 1;
  evaluation->points = block_points(dims, evaluation->arrays > 1);
  evaluation->corners = source_of(field, dims);
  evaluation->plain = has_plain_axes(field, dims);
  evaluation->producer = basis_of(field)->producer;
  evaluation->stretch = NULL;
  evaluation->network = NULL;
  evaluation->limit = near_limit(field, dims, source);
  if (evaluation->producer == BY_CELLS)
    evaluation->cells = cells_of(field, dims);
}

/* Loads the positions of points start .. start + n - 1, and begins octave 0. Returns 1 if all are
 * near, which leaves memory->inside as it is. */
static int load_block(struct evaluation *evaluation, struct point_memory *memory, size_t start,
                      size_t n) {
  vi largest = i_set(0);
  for (int a = 0; a < evaluation->dims; a++)
    largest = i_max_unsigned(largest, load_positions(&evaluation->source[a], start, n,
                                                     positions_of(evaluation, memory, a)));
  const int near = are_within(largest, evaluation->limit);
  if (!near)
    mask_positions(evaluation, start, n, memory);
  if (evaluation->producer == BY_CELLS && (start == 0 || evaluation->field->octaves > 1))
    begin_cell_octave(evaluation, memory, 0);
  return near;
}

/* Makes the pairs of octave 0 at coordinates of a list, from number `start` on, and stores their
 * positions if other octaves need them. Returns 1 if all are near. */
static int split_coords(const struct evaluation *evaluation, struct point_memory *memory,
                        const struct perlane_point_list *list, size_t start, size_t n) {
  const size_t pitch = evaluation->points;
  const ptrdiff_t first = (ptrdiff_t)start * list->stride;
  struct point_coords coords;
  coords.origin = list->origin;
  for (int a = 0; a < list->dims; a++)
    coords.axis[a] = whole_vectors(list->coords[a] + first, list->stride, n,
                                   memory->layer[0] + (size_t)a * pitch);
  double *const position = evaluation->field->octaves > 1 ? memory->position : NULL;
  const vi largest = IN_DIMS(list->dims, octave_pairs)(
      &coords, position, pitch, evaluation->field->octave, n, &memory->pairs);
  return are_within(largest, evaluation->limit);
}

/* Evaluates a block: points start .. start + n - 1. out or gradient may be NULL. Constant: `plain`,
 * whether the field is a plain sum at the coordinates of a list, where octave 0 is split as
 * positions are loaded and nothing follows the sum. Then it returns 0, having written nothing, if
 * not all points are near. */
PERLANE_INLINE int evaluate_block(int plain, struct evaluation *evaluation,
                                  struct point_memory *memory,
                                  const struct perlane_point_list *list, size_t start, size_t n,
                                  float *out, float *const *gradient) {
  const int near = plain ? split_coords(evaluation, memory, list, start, n)
                         : load_block(evaluation, memory, start, n);
  if (plain && !near)
    return 0;
  /* Whole vectors of near points, which nearly all are, go straight to the output, unless it may be
   * in the place of positions that are still to be read. */
  const int is_read_again =
      !plain && needs_positions(evaluation->field) && evaluation->source[0].displacement;
  const int unbuffered = near && n % LANES == 0 && !is_read_again;
  struct samples sums;
  for (int j = 0; j < evaluation->arrays; j++) {
    float *output = j == 0 ? out : gradient ? gradient[j - 1] : NULL;
    sums.array[j] =
        unbuffered && output ? output + start : memory->layer[0] + (size_t)j * evaluation->points;
  }
  block_octaves(plain, evaluation, memory, n, near, &sums);
  if (!plain && (evaluation->stretch || !ends_with_sum(evaluation->field)))
    finish_block(evaluation, memory, start, n, gradient ? 1 + evaluation->dims : 1, &sums);
  if (unbuffered)
    return 1;
  const uint32_t *inside = near ? NULL : memory->inside;
  if (out)
    write_points(inside, sums.array[0], n, out + start);
  for (int a = 0; gradient && a < evaluation->dims; a++)
    write_points(inside, sums.array[1 + a], n, gradient[a] + start);
  return 1;
}

/* Evaluates n points block by block. Returns how many: all, but of a plain sum those before a block
 * that is not near. Constant: `plain`. */
PERLANE_INLINE size_t evaluate_blocks(int plain, struct evaluation *evaluation,
                                      struct point_memory *memory,
                                      const struct perlane_point_list *list, size_t n, float *out,
                                      float *const *gradient) {
  for (size_t start = 0, count; start < n; start += count) {
    count = next_block(n - start, evaluation->points);
    if (!evaluate_block(plain, evaluation, memory, list, start, count, out, gradient))
      return start;
  }
  return n;
}

/* The same of any field at points that `evaluation` has begun with. */
static PERLANE_NOINLINE void evaluate_any_blocks(struct evaluation *evaluation,
                                                 struct point_memory *memory, size_t n, float *out,
                                                 float *const *gradient) {
  (void)evaluate_blocks(0, evaluation, memory, NULL, n, out, gradient);
}

/* Evaluates a field at n points: values, derivatives or both. `network` is that of a field with
 * valleys. */
static void evaluate_points_in(struct point_memory *memory, const struct field *field, int dims,
                               const struct point_source *source, size_t n, float *out,
                               float *const *gradient, struct network *network) {
  struct evaluation evaluation;
  poison(memory, sizeof *memory);
  begin_points(&evaluation, field, dims, source, gradient != NULL);
  evaluation.network = network;
  evaluate_any_blocks(&evaluation, memory, n, out, gradient);
}

static PERLANE_NOINLINE void evaluate_points(const struct field *field, int dims,
                                             const struct point_source *source, size_t n,
                                             float *out, float *const *gradient) {
  struct point_memory memory;
  evaluate_points_in(&memory, field, dims, source, n, out, gradient, NULL);
}

#endif
