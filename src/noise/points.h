/* SPDX-License-Identifier: MIT
 *
 * Evaluating a list of points, a block at a time: the axis pass of each coordinate, into arrays
 * that stay in the first-level cache, then the corners of LANES cells and their combination.
 */
#ifndef PERLANE_NOISE_POINTS_H
#define PERLANE_NOISE_POINTS_H

#include "finish.h"

#include "quick_points.h"

struct block {
  _Alignas(64) double position[PERLANE_MAX_DIMS][POINT_BLOCK]; /* 0 for points outside the domain */
  float axis_memory[PERLANE_MAX_DIMS][(AXIS_FLOATS + AXIS_SLOPE_FLOATS) * POINT_BLOCK];
  float layer_memory[3][MAX_ARRAYS * POINT_BLOCK];
  uint32_t inside[POINT_BLOCK]; /* mask */
};

/* Loads the positions of points start .. start + n - 1 along an axis, padded with 0 to whole
 * vectors. Returns the largest magnitude among each lane's: of coordinates that are floats, of the
 * coordinate, without the origin. */
static vf load_positions(double *to, const struct perlane_point_list *list, int a, size_t start,
                         size_t n) {
  const vi no_sign = i_set(0x7FFFFFFF);
  const vd origin = d_set(list->origin ? list->origin[a] : 0);
  vi largest = i_set(0);
  for (size_t i = 0; i < n; i += LANES) {
    const size_t left = n - i;
    vf coords;
    vd position;
    if (list->coords64) {
      double last[LANES] = {0};
      const double *from = list->coords64[a] + start + i;
      if (left < LANES)
        from = memcpy(last, from, left * sizeof *last);
      position = d_load(from);
      coords = f_from_d(position);
    } else {
      float last[LANES] = {0};
      const float *from = list->coords[a] + start + i;
      if (left < LANES)
        from = memcpy(last, from, left * sizeof *last);
      coords = f_load(from);
      position = d_add(origin, d_from_f(coords));
    }
    d_store(to + i, position);
    largest = i_max_unsigned(largest, i_and(i_bits(coords), no_sign)); /* NaN is above infinity */
  }
  return f_bits(largest);
}

/* The largest magnitude of coordinates along an axis that load_positions may return for points that
 * are all near; below 0 if no coordinate is near the origin enough. */
static float near_limit(const perlane_noise *noise, const struct perlane_point_list *list, int a) {
  const double origin = list->origin ? magnitude(list->origin[a]) : 0;
  const double limit = NEAR_CELLS / noise->highest_frequency - origin;
  /* A float less by 2^-20 absorbs all roundings, of doubles to float too. */
  return limit > 0 ? (limit < (double)FLT_MAX ? (float)(limit * (1 - 0x1p-20)) : FLT_MAX) : -1;
}

/* Puts points outside the domain at 0 and clears their mask. */
static void mask_points(struct block *block, const perlane_noise *noise, int dims, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int inside = 1;
    for (int a = 0; a < dims; a++)
      inside &= magnitude(block->position[a][i] * noise->highest_frequency) <= 0x1p53;
    for (int a = 0; a < dims && !inside; a++)
      block->position[a][i] = 0;
    block->inside[i] = inside ? 0xFFFFFFFF : 0;
  }
}

/* One octave at n points, from the block's axis passes; with `sum`, added to those in `to`. */
PERLANE_INLINE void sum_corners(struct kind kind, const struct lattice *of, struct block *block,
                                size_t n, int sum, const struct samples *to) {
  const struct lattice lattice = *of;
  struct axis_arrays arrays[PERLANE_MAX_DIMS];
  for (int a = 0; a < kind.dims; a++)
    arrays[a] = axis_arrays_in(block->axis_memory[a], POINT_BLOCK, kind.slopes);
  const struct samples out = *to;
  for (size_t i = 0; i < n; i += LANES) {
    struct axis_lanes axis[PERLANE_MAX_DIMS];
    for (int a = 0; a < kind.dims; a++)
      axis[a] = axis_load(kind.slopes, &arrays[a], i);
    const struct axis_lanes *x = &axis[0], *y = &axis[1], *z = &axis[2], *w = &axis[3];
    vf v[MAX_ARRAYS];
    if (kind.dims == 1) {
      const struct lattice_row rows = lattice_row_at(kind, &lattice, x, x->word, NULL, NULL);
      v[0] = rows.value.value;
      v[1] = rows.x.value;
    } else {
      const struct lattice_row lower = lattice_row_at(kind, &lattice, x, y->word, z, w);
      const struct lattice_row upper = lattice_row_at(kind, &lattice, x, y->next, z, w);
#define FOLD_Y(fold, channel)                                                                      \
  fold(lower.channel.value, upper.channel.value, lower.channel.y, upper.channel.y, y)
      v[0] = FOLD_Y(fold_rows, value);
      if (kind.slopes) {
        v[1] = FOLD_Y(fold_rows, x);
        v[2] = FOLD_Y(fold_rows_slope, value);
        if (kind.dims >= 3)
          v[3] = FOLD_Y(fold_rows, z);
        if (kind.dims >= 4)
          v[4] = FOLD_Y(fold_rows, w);
      }
#undef FOLD_Y
    }
    for (int j = 0; j < (kind.slopes ? 1 + kind.dims : 1); j++)
      f_store(out.array[j] + i, sum ? f_add(f_load(out.array[j] + i), v[j]) : v[j]);
  }
}

/* Writes a block's results; points outside the domain become NaN. */
static void write_points(const struct block *block, const float *from, size_t n, float *out) {
  const vi not_a_number = i_set(0x7FC00000);
  for (size_t i = 0; i < n; i += LANES) {
    const vi value = i_select(i_load(block->inside + i), i_bits(f_load(from + i)), not_a_number);
    if (i + LANES <= n)
      f_store(out + i, f_bits(value));
    else
      f_store_some(out + i, f_bits(value), n - i);
  }
}

/* sum_corners of one kind. */
typedef void point_kernel(const struct lattice *lattice, struct block *block, size_t n, int sum,
                          const struct samples *to);

/* What all blocks of a list share. */
struct point_run {
  const perlane_noise *noise;
  const struct perlane_point_list *list;
  point_kernel *kernel;
  struct lattice lattice;
  int arrays;
  int quick; /* near blocks are quick_points.h's */
};

static PERLANE_NOINLINE void quick_octave_2d(const perlane_noise *noise, size_t k,
                                             const struct lattice *lattice, struct block *block,
                                             const struct axis_arrays *arrays, size_t n,
                                             float *out) {
  quick_octave(2, noise, &noise->octave[k], &lattice->tables, block->position, arrays, n, k > 0,
               out);
}

static PERLANE_NOINLINE void quick_octave_3d(const perlane_noise *noise, size_t k,
                                             const struct lattice *lattice, struct block *block,
                                             const struct axis_arrays *arrays, size_t n,
                                             float *out) {
  quick_octave(3, noise, &noise->octave[k], &lattice->tables, block->position, arrays, n, k > 0,
               out);
}

/* All octaves at n positions. */
static void block_octaves(struct point_run *run, struct block *block, size_t n, int near,
                          const struct samples *sums) {
  const perlane_noise *noise = run->noise;
  const int dims = run->list->dims, slopes = run->arrays > 1;
  const int quick = run->quick && near;
  const struct samples layer = samples_in(block->layer_memory[1], POINT_BLOCK);
  const struct samples weights = samples_in(block->layer_memory[2], POINT_BLOCK);
  struct axis_arrays arrays[PERLANE_MAX_DIMS];
  for (int a = 0; a < dims; a++)
    arrays[a] = axis_arrays_in(block->axis_memory[a], POINT_BLOCK, quick || slopes);
  for (int k = 0; k < noise->octaves; k++) {
    const struct perlane_octave *octave = &noise->octave[k];
    if (quick) {
      (dims == 2 ? quick_octave_2d : quick_octave_3d)(noise, (size_t)k, &run->lattice, block,
                                                      arrays, n, sums->array[0]);
      continue;
    }
    for (int a = 0; a < dims; a++) {
      const struct axis axis = axis_of(noise, octave, dims, a);
      point_axis_pass(&arrays[a], block->position[a], n, near, octave, &axis);
    }
    enter_octave(&run->lattice, octave, dims);
    if (noise->shaped) {
      const struct shaping shaping = shaping_of(noise, k, run->arrays);
      run->kernel(&run->lattice, block, n, 0, &layer);
      blend(&shaping, n, &layer, sums, &weights);
    } else {
      run->kernel(&run->lattice, block, n, k > 0, sums);
    }
  }
  if (needs_finish(noise))
    finish(noise, n, run->arrays, sums);
}

static void evaluate_points(const perlane_noise *noise, const struct perlane_point_list *list,
                            point_kernel *kernel) {
  struct block block;
  struct point_run run = {
      .noise = noise,
      .list = list,
      .kernel = kernel,
      .lattice = lattice_of(noise, list->dims),
      .arrays = list->gradient ? 1 + list->dims : 1,
      .quick = !list->gradient && !noise->shaped && has_quick_points(noise, list->dims),
  };
  float limit[PERLANE_MAX_DIMS];
  for (int a = 0; a < list->dims; a++)
    limit[a] = near_limit(noise, list, a);
  for (size_t start = 0; start < list->n; start += POINT_BLOCK) {
    const size_t left = list->n - start, n = left < POINT_BLOCK ? left : POINT_BLOCK;
    struct samples sums = samples_in(block.layer_memory[0], POINT_BLOCK);
    int near = 1;
    for (int a = 0; a < list->dims; a++) {
      const vf largest = load_positions(block.position[a], list, a, start, n);
      near &= i_all(f_not_above(largest, f_set(limit[a])));
    }
    if (!near)
      mask_points(&block, noise, list->dims, n);
    /* Whole blocks of near points, which nearly all are, go straight to the output. */
    const int direct = near && n == POINT_BLOCK;
    if (direct && list->out)
      sums.array[0] = list->out + start;
    for (int j = 1; direct && j < run.arrays; j++)
      sums.array[j] = list->gradient[j - 1] + start;
    block_octaves(&run, &block, n, near, &sums);
    if (direct)
      continue;
    if (near)
      memset(block.inside, 0xFF, sizeof block.inside);
    if (list->out)
      write_points(&block, sums.array[0], n, list->out + start);
    for (int j = 1; j < run.arrays; j++)
      write_points(&block, sums.array[j], n, list->gradient[j - 1] + start);
  }
}

#define POINT_KERNELS(dims)                                                                        \
  POINT_KERNEL(quick_points_##dims, SOURCE_QUICK, dims, 0)                                         \
  POINT_KERNEL(looked_up_points_##dims, SOURCE_LOOKUP, dims, 0)                                    \
  POINT_KERNEL(value_points_##dims, SOURCE_VALUES, dims, 0)                                        \
  POINT_KERNEL(quick_slopes_##dims, SOURCE_QUICK, dims, 1)                                         \
  POINT_KERNEL(looked_up_slopes_##dims, SOURCE_LOOKUP, dims, 1)                                    \
  POINT_KERNEL(value_slopes_##dims, SOURCE_VALUES, dims, 1)
#define POINT_KERNEL(name, source, dims, slopes)                                                   \
  static void name(const struct lattice *lattice, struct block *block, size_t n, int sum,          \
                   const struct samples *to) {                                                     \
    const struct kind kind = {source, dims, slopes};                                               \
    sum_corners(kind, lattice, block, n, sum, to);                                                 \
  }
POINT_KERNELS(1)
POINT_KERNELS(2)
POINT_KERNELS(3)
POINT_KERNELS(4)
#undef POINT_KERNEL
#undef POINT_KERNELS

static point_kernel *point_kernel_for(const perlane_noise *noise, int dims, int slopes) {
#define OF_DIMS(dims)                                                                              \
  {                                                                                                \
    {quick_points_##dims, quick_slopes_##dims},                                                    \
        {looked_up_points_##dims, looked_up_slopes_##dims},                                        \
        {value_points_##dims, value_slopes_##dims},                                                \
  }
  static point_kernel *const kernels[PERLANE_MAX_DIMS][3][2] = {OF_DIMS(1), OF_DIMS(2), OF_DIMS(3),
                                                                OF_DIMS(4)};
#undef OF_DIMS
  return kernels[dims - 1][source_of(noise, dims)][slopes];
}

#endif
