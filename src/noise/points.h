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

/* ---- Quick points ----
 *
 * Plain near points of 2 and 3 dimensions, from gradients in registers: four short loops over the
 * block for each octave. Positions stay in double for all octaves. Values and weights are halved
 * where grids halve a sum, which is exact, so that the bits are those of a grid. */

struct quick_block {
  _Alignas(64) double position[3][POINT_BLOCK];
  _Alignas(64) float fraction[3][POINT_BLOCK]; /* then the upper corner's weight */
  float a0[3][POINT_BLOCK], w[3][POINT_BLOCK], fade[3][POINT_BLOCK];
  uint32_t word[3][POINT_BLOCK], next[3][POINT_BLOCK];
};

/* Takes a whole block's coordinates. Returns the bits of the largest magnitude. */
PERLANE_INLINE vi take_positions(double *to, const float *from, vi largest) {
  for (size_t i = 0; i < POINT_BLOCK; i += LANES) {
    d_store(to + i, d_load_f(from + i));
    largest = i_max_unsigned(largest, i_and(i_bits(f_load(from + i)), i_set(0x7FFFFFFF)));
  }
  return largest;
}

/* The cells, plus a constant that the key takes away again, and the fractions. */
PERLANE_INLINE void quick_places(int dims, struct quick_block *block,
                                 const struct perlane_octave *octave) {
  const vd frequency = d_set(octave->frequency);
  for (int a = 0; a < dims; a++) {
    const vd rounding = d_set(ROUNDING + octave->phase[a] * 0x1p-24);
    for (size_t i = 0; i < POINT_BLOCK; i += LANES) {
      vi high, low;
      d_split(d_add(d_mul(d_load(block->position[a] + i), frequency), rounding), &high, &low);
      i_store(block->word[a] + i, high);
      f_store(block->fraction[a] + i, f_mul(f_from_i(i_shift_right(low, 8)), f_set(0x1p-24f)));
    }
  }
}

PERLANE_INLINE void quick_words(int dims, struct quick_block *block,
                                const struct perlane_octave *octave) {
  static const uint32_t multipliers[3] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35};
  for (int a = 0; a < dims; a++) {
    const vi multiplier = i_set(multipliers[a]);
    const vi key = i_set(octave->key[a] - 0xB8000000 * multipliers[a]);
    for (size_t i = 0; i < POINT_BLOCK; i += LANES) {
      const vi v = i_add(i_mul(i_load(block->word[a] + i), multiplier), key);
      i_store(block->word[a] + i, axis_word(v));
      i_store(block->next[a] + i, axis_word(i_add(v, multiplier)));
    }
  }
}

struct quick_fade {
  float fade1, fade2;
};

/* First axis: halved as often as rows are folded after it. */
PERLANE_INLINE void quick_weights_x(int dims, struct quick_block *block, struct quick_fade how,
                                    float amplitude) {
  const vf half = f_set(dims == 2 ? 0.5f * amplitude : 0.25f * amplitude);
  const vf opposite = f_sub(f_set(-0.0f), half), one = f_set(1);
  for (size_t i = 0; i < POINT_BLOCK; i += LANES) {
    const vf t = f_load(block->fraction[0] + i), rest = f_sub(one, t), c = f_sub(t, f_set(0.5f));
    const vf s = f_mul(t, rest);
    const vf bend = f_add(f_set(how.fade1), f_mul(f_set(how.fade2), s));
    const vf fade = f_add(f_set(0.5f), f_add(c, f_mul(c, f_mul(s, bend))));
    f_store(block->fade[0] + i, fade);
    f_store(block->a0[0] + i, f_mul(f_mul(t, f_sub(one, fade)), half));
    f_store(block->fraction[0] + i, f_mul(f_mul(rest, fade), opposite));
  }
}

/* An axis to fold along: twice the fade, so that it takes halved values. */
PERLANE_INLINE void quick_weights(int a, int with_fade, struct quick_block *block,
                                  struct quick_fade how, float amplitude) {
  const vf half = f_set(0.5f * amplitude), opposite = f_set(-0.5f * amplitude);
  const vf one = f_set(1), two = f_set(2);
  for (size_t i = 0; i < POINT_BLOCK; i += LANES) {
    const vf t = f_load(block->fraction[a] + i), rest = f_sub(one, t), c = f_sub(t, rest);
    const vf s = f_mul(t, rest);
    const vf bend = f_add(f_set(how.fade1), f_mul(f_set(how.fade2), s));
    const vf centred = f_add(c, f_mul(c, f_mul(s, bend))), fade = f_add(one, centred);
    f_store(block->w[a] + i, centred);
    f_store(block->a0[a] + i, f_mul(f_mul(t, f_sub(two, fade)), half));
    f_store(block->fraction[a] + i, f_mul(f_mul(rest, fade), opposite));
    if (with_fade)
      f_store(block->fade[a] + i, f_mul(f_set(0.5f), fade));
  }
}

struct quick_axis {
  vf w, fade, a0, a1;
  vi word, next;
};

PERLANE_INLINE struct quick_axis quick_load(const struct quick_block *block, int a, size_t i) {
  return (struct quick_axis){
      .w = f_load(block->w[a] + i),
      .fade = f_load(block->fade[a] + i),
      .a0 = f_load(block->a0[a] + i),
      .a1 = f_load(block->fraction[a] + i),
      .word = i_load(block->word[a] + i),
      .next = i_load(block->next[a] + i),
  };
}

PERLANE_INLINE vf quick_fold(vf lower, vf upper, vf tilt0, vf tilt1, const struct quick_axis *by) {
  return f_add(f_add(f_add(lower, upper), f_mul(by->w, f_sub(upper, lower))),
               f_add(f_mul(by->a0, tilt0), f_mul(by->a1, tilt1)));
}

/* A row's value, halved, and its tilts. */
PERLANE_INLINE struct row quick_row(int dims, const struct lattice *lattice,
                                    const struct quick_axis *x, vi yz) {
  struct gradient g0, g1;
  g0 = quick_gradient(dims, &lattice->tables, i_dot16(x->word, yz));
  g1 = quick_gradient(dims, &lattice->tables, i_dot16(x->next, yz));
  struct row row;
  row.value = f_add(f_mul(x->a0, g0.x), f_mul(x->a1, g1.x));
  row.y = lerp(x->fade, g0.y, g1.y);
  if (dims == 3)
    row.z = lerp(x->fade, g0.z, g1.z);
  return row;
}

/* The corners of a vector of points at one y, folded along z. */
PERLANE_INLINE struct row quick_rows(int dims, const struct lattice *lattice,
                                     const struct quick_axis *x, const struct quick_axis *z, vi y) {
  if (dims == 2)
    return quick_row(2, lattice, x, y);
  const struct row lower = quick_row(3, lattice, x, i_dot16(y, z->word));
  const struct row upper = quick_row(3, lattice, x, i_dot16(y, z->next));
  struct row row;
  row.value = quick_fold(lower.value, upper.value, lower.z, upper.z, z);
  row.y = lerp(z->fade, lower.y, upper.y);
  return row;
}

PERLANE_INLINE void quick_corners(int dims, const struct lattice *of, struct quick_block *block,
                                  int sum, float *out) {
  const struct lattice lattice = *of;
  if (QUICK_ROWS_APART && dims == 3) {
    _Alignas(64) float value[POINT_BLOCK], tilt[POINT_BLOCK];
    for (size_t i = 0; i < POINT_BLOCK; i += LANES) {
      const struct quick_axis x = quick_load(block, 0, i), z = quick_load(block, 2, i);
      const struct row lower = quick_rows(3, &lattice, &x, &z, i_load(block->word[1] + i));
      f_store(value + i, lower.value);
      f_store(tilt + i, lower.y);
    }
    for (size_t i = 0; i < POINT_BLOCK; i += LANES) {
      const struct quick_axis x = quick_load(block, 0, i), z = quick_load(block, 2, i);
      const struct quick_axis y = quick_load(block, 1, i);
      const struct row upper = quick_rows(3, &lattice, &x, &z, y.next);
      const vf v = f_unsplit(quick_fold(f_load(value + i), upper.value, f_load(tilt + i), upper.y, &y));
      f_store(out + i, sum ? f_add(f_load(out + i), v) : v);
    }
    return;
  }
  for (size_t i = 0; i < POINT_BLOCK; i += LANES) {
    const struct quick_axis x = quick_load(block, 0, i), y = quick_load(block, 1, i);
    const struct quick_axis z = dims == 3 ? quick_load(block, 2, i) : y;
    const struct row lower = quick_rows(dims, &lattice, &x, &z, y.word);
    const struct row upper = quick_rows(dims, &lattice, &x, &z, y.next);
    const vf v = f_unsplit(quick_fold(lower.value, upper.value, lower.y, upper.y, &y));
    f_store(out + i, sum ? f_add(f_load(out + i), v) : v);
  }
}

PERLANE_INLINE void quick_octave_of(int dims, const perlane_noise *noise,
                                 const struct perlane_octave *octave, const struct lattice *lattice,
                                 struct quick_block *block, int sum, float *out) {
  static const float fade1[PERLANE_FADE_COUNT] = {2, 2, 0}, fade2[PERLANE_FADE_COUNT] = {6, 0, 0};
  const struct quick_fade how = {fade1[noise->params.fade], fade2[noise->params.fade]};
  const float amplitude = octave->amplitude[dims - 1];
  quick_places(dims, block, octave);
  quick_words(dims, block, octave);
  quick_weights_x(dims, block, how, amplitude);
  quick_weights(1, 0, block, how, amplitude);
  if (dims == 3)
    quick_weights(2, 1, block, how, 0.5f * amplitude);
  if (sum)
    quick_corners(dims, lattice, block, 1, out);
  else
    quick_corners(dims, lattice, block, 0, out);
}

static PERLANE_NOINLINE void quick_octave_2(const perlane_noise *noise, const struct perlane_octave *octave, const struct lattice *lattice, struct quick_block *block, int sum, float *out) { quick_octave_of(2, noise, octave, lattice, block, sum, out); }
static PERLANE_NOINLINE void quick_octave_3(const perlane_noise *noise, const struct perlane_octave *octave, const struct lattice *lattice, struct quick_block *block, int sum, float *out) { quick_octave_of(3, noise, octave, lattice, block, sum, out); }

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
    const enum reach reach = near ? REACH_NEAR : REACH_FAR;
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
  struct quick_block quick_points;
  int quick = run.lattice.source == SOURCE_QUICK && !noise->shaped && !has_ending(noise) && (list->dims == 2 || list->dims == 3) && !list->gradient;
  for (int k = 0; quick && k < noise->octaves; k++) {
    for (int a = 0; a < list->dims; a++)
      quick = quick && noise->octave[k].period[a] == 0;
    quick = quick && magnitude((double)noise->octave[k].amplitude[list->dims - 1]) >= 0x1p-40;
  }
  const float limit = largest_within(0x1p53, noise->highest_frequency);
  const float near_limit = largest_within(NEAR_CELLS - 1, noise->highest_frequency);
  for (size_t start = 0; start < list->n; start += POINT_BLOCK) {
    const size_t left = list->n - start, n = left < POINT_BLOCK ? left : POINT_BLOCK;
    const float *position[PERLANE_MAX_DIMS];
    struct samples sums = samples_in(block.layer_memory[0], POINT_BLOCK);
    int near = n == POINT_BLOCK;
    for (int a = 0; a < list->dims; a++)
      position[a] = list->coords[a] + start;
    if (quick && n == POINT_BLOCK) {
      vi largest = i_set(0);
      for (int a = 0; a < list->dims; a++)
        largest = take_positions(quick_points.position[a], position[a], largest);
      if (i_all(f_not_above(f_bits(largest), f_set(near_limit)))) {
        float *out = list->out + start;
        for (int k = 0; k < noise->octaves; k++)
          (list->dims == 2 ? quick_octave_2 : quick_octave_3)(noise, &noise->octave[k], &run.lattice, &quick_points, k > 0, out);
        continue;
      }
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
