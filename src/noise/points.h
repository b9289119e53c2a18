/* SPDX-License-Identifier: MIT
 *
 * Evaluating a list of points, a block at a time: the axis pass of each coordinate, into arrays
 * that stay in the first-level cache, then the corners of LANES cells and their combination.
 */
#ifndef PERLANE_NOISE_POINTS_H
#define PERLANE_NOISE_POINTS_H

#include "combine.h"
#include "finish.h"

enum { POINT_BLOCK = 128 };

struct block {
  _Alignas(64) float position[PERLANE_MAX_DIMS][POINT_BLOCK]; /* 0 for points outside the domain */
  float axis_memory[PERLANE_MAX_DIMS][(AXIS_FLOATS + AXIS_SLOPE_FLOATS) * POINT_BLOCK];
  float layer_memory[3][MAX_ARRAYS * POINT_BLOCK];
  uint32_t inside[POINT_BLOCK]; /* mask */
};

PERLANE_INLINE float float_above(float v) { /* v >= 0 */
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  bits++;
  memcpy(&v, &bits, sizeof v);
  return v;
}

PERLANE_INLINE float float_below(float v) { /* v > 0 */
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  bits--;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* Returns the largest float x with (double)x * frequency <= cells. Comparing a coordinate with it
 * is the same as multiplying first, because rounded multiplication is monotonic. */
static float largest_within(double cells, double frequency) {
  const double guess = cells / frequency;
  float x = guess < FLT_MAX ? (float)guess : FLT_MAX;
  while (x > 0 && (double)x * frequency > cells)
    x = float_below(x);
  while (x < FLT_MAX && (double)float_above(x) * frequency <= cells)
    x = float_above(x);
  return x;
}

/* Whether x * frequency is exact in float for every float x that is near, or so small that its
 * fraction is 0 anyway: frequency is a power of two within float's range. */
static int exact_in_float(double frequency) {
  uint64_t bits;
  memcpy(&bits, &frequency, sizeof bits);
  return (bits & UINT64_C(0xFFFFFFFFFFFFF)) == 0 && frequency >= 0x1p-100 && frequency <= 0x1p100;
}

/* Whether all coordinates of a block are within the limit. */
static int all_within(float limit, const float *coords) {
  const vi no_sign = i_set(0x7FFFFFFF);
  const vf limits = f_set(limit);
  vi within = i_set(0xFFFFFFFF);
  for (size_t i = 0; i < POINT_BLOCK; i += LANES) {
    const vf distance = f_bits(i_and(i_bits(f_load(coords + i)), no_sign));
    within = i_and(within, f_not_above(distance, limits));
  }
  return i_all(within);
}

/* Copies n coordinates into the block, with 0 for those outside the domain, and clears the mask of
 * such points. */
static void load_coordinates(struct block *block, int axis, const float *coords, size_t n,
                             float limit) {
  const vi no_sign = i_set(0x7FFFFFFF);
  const vf limits = f_set(limit);
  float *position = block->position[axis];
  uint32_t *inside = block->inside;
  for (size_t i = 0; i < n; i += LANES) {
    float last[LANES] = {0};
    const float *from = coords + i;
    if (n - i < LANES)
      from = memcpy(last, from, (n - i) * sizeof(float));
    const vi x = i_bits(f_load(from));
    const vi here = f_not_above(f_bits(i_and(x, no_sign)), limits);
    i_store(inside + i, axis == 0 ? here : i_and(i_load(inside + i), here));
    f_store(position + i, f_bits(i_and(x, here)));
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

struct point_list {
  int dims;
  size_t n;
  const float *const *coords;
  float *out;
  float *const *gradient; /* NULL for none */
};

/* sum_corners of one kind. */
typedef void point_kernel(const struct lattice *lattice, struct block *block, size_t n, int sum,
                          const struct samples *to);

/* What all blocks of a list share. */
struct point_run {
  const perlane_noise *noise;
  const struct point_list *list;
  point_kernel *kernel;
  struct lattice lattice;
  int arrays;
};

/* All octaves at n positions. */
static void block_octaves(struct point_run *run, struct block *block, size_t n,
                          const float *const *position, int near, const struct samples *sums) {
  const perlane_noise *noise = run->noise;
  const int dims = run->list->dims, slopes = run->arrays > 1;
  const struct samples layer = samples_in(block->layer_memory[1], POINT_BLOCK);
  const struct samples weights = samples_in(block->layer_memory[2], POINT_BLOCK);
  for (int k = 0; k < noise->octaves; k++) {
    const struct perlane_octave *octave = &noise->octave[k];
    const enum reach reach = !near                               ? REACH_FAR
                             : exact_in_float(octave->frequency) ? REACH_NEAR_FLOAT
                                                                 : REACH_NEAR;
    for (int a = 0; a < dims; a++) {
      const struct axis axis = axis_of(noise, octave, dims, a);
      const struct axis_arrays to = axis_arrays_in(block->axis_memory[a], POINT_BLOCK, slopes);
      point_axis_pass(&to, position[a], n, reach, octave, &axis);
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

static void evaluate_points(const perlane_noise *noise, const struct point_list *list,
                            point_kernel *kernel) {
  struct block block;
  struct point_run run = {noise, list, kernel, lattice_of(noise, list->dims),
                          list->gradient ? 1 + list->dims : 1};
  const float limit = largest_within(0x1p53, noise->highest_frequency);
  const float near_limit = largest_within(NEAR_CELLS - 1, noise->highest_frequency);
  for (size_t start = 0; start < list->n; start += POINT_BLOCK) {
    const size_t left = list->n - start, n = left < POINT_BLOCK ? left : POINT_BLOCK;
    const float *position[PERLANE_MAX_DIMS];
    struct samples sums = samples_in(block.layer_memory[0], POINT_BLOCK);
    int near = n == POINT_BLOCK;
    for (int a = 0; a < list->dims; a++) {
      position[a] = list->coords[a] + start;
      near = near && all_within(near_limit, position[a]);
    }
    /* Whole blocks of near points, which nearly all are, need no copy of their coordinates. A
     * single octave is evaluated straight into the output; several would read coordinates again
     * that the output, if it is the same array, has overwritten. */
    const int direct = near && noise->octaves == 1;
    if (direct && list->out)
      sums.array[0] = list->out + start;
    for (int j = 1; direct && j < run.arrays; j++)
      sums.array[j] = list->gradient[j - 1] + start;
    if (!near)
      for (int a = 0; a < list->dims; a++) {
        load_coordinates(&block, a, position[a], n, limit);
        position[a] = block.position[a];
      }
    block_octaves(&run, &block, n, position, near, &sums);
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
