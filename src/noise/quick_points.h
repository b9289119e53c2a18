/* SPDX-License-Identifier: MIT
 *
 * Blocks of points in 2 and 3 dimensions whose hash and gradients are quick and whose positions are
 * near: short loops over the block, one a stage. Each is a chain of operations that wait for each
 * other, and the shorter the chains, the more of them a CPU overlaps.
 *
 * A fold takes half the sum of two values. Here the values that reach it are halved already, by
 * their weights along x, and weights that have to be whole again are doubled. Scaling by a power of
 * two is exact, so the bits are those of combine.h; but where products could become subnormal, for
 * amplitudes below MIN_QUICK_AMPLITUDE, combine.h is used itself.
 */
#ifndef PERLANE_NOISE_QUICK_POINTS_H
#define PERLANE_NOISE_QUICK_POINTS_H

#include "combine.h"

enum { POINT_BLOCK = 128 }; /* points of a block */

#define MIN_QUICK_AMPLITUDE 0x1p-40

/* Whether all octaves of the field can be evaluated here. */
static int has_quick_points(const perlane_noise *noise, int dims) {
  if (dims < 2 || dims > 3 || source_of(noise, dims) != SOURCE_QUICK)
    return 0;
  for (int k = 0; k < noise->octaves; k++) {
    const struct perlane_octave *octave = &noise->octave[k];
    if (!(magnitude((double)octave->amplitude[dims - 1]) >= MIN_QUICK_AMPLITUDE))
      return 0;
    for (int a = 0; a < dims; a++)
      if (octave->period[a] != 0)
        return 0;
  }
  return 1;
}

/* The arrays of one axis. `centred` and `slope` of axis_arrays hold the fade less 1/2, doubled, and
 * the fade. */

/* Splits positions: the bits of position plus ROUNDING are the cell, plus a constant that
 * quick_words takes away, and the fraction. */
PERLANE_INLINE void quick_cells(const struct axis_arrays *arrays, const double *position, size_t n,
                                const struct perlane_octave *octave, int a) {
  const struct axis_arrays to = *arrays;
  const vd frequency = d_set(octave->frequency);
  const vd rounding = d_set(ROUNDING + octave->phase[a] * 0x1p-24);
  for (size_t i = 0; i < n; i += LANES) {
    vi high, low;
    d_split(d_add(d_mul(d_load(position + i), frequency), rounding), &high, &low);
    i_store(to.word + i, high);
    f_store(to.a1 + i, f_mul(f_from_i(i_shift_right(low, 8)), f_set(0x1p-24f)));
  }
}

PERLANE_INLINE void quick_words(const struct axis_arrays *arrays, size_t n,
                                const struct perlane_octave *octave, int a) {
  const uint32_t cell_zero = 0xB8000000; /* what quick_cells has for cell 0 */
  const struct axis_arrays to = *arrays;
  const vi multiplier = i_set(AXIS_MULTIPLIERS[a]);
  const vi key = i_set(octave->key[a] - cell_zero * AXIS_MULTIPLIERS[a]);
  for (size_t i = 0; i < n; i += LANES) {
    const vi v = i_add(i_mul(i_load(to.word + i), multiplier), key);
    i_store(to.word + i, axis_word(v));
    i_store(to.next + i, axis_word(i_add(v, multiplier)));
  }
}

/* Weights along x. */
PERLANE_INLINE void quick_weights_x(const struct axis_arrays *arrays, size_t n, struct fade how,
                                    float amplitude) {
  const struct axis_arrays to = *arrays;
  const vf one = f_set(1), scale = f_set(amplitude), opposite = f_set(-amplitude);
  for (size_t i = 0; i < n; i += LANES) {
    const vf t = f_load(to.a1 + i), rest = f_sub(one, t), c = f_sub(t, f_set(0.5f));
    const vf s = f_mul(t, rest);
    const vf bend = f_add(f_set(how.fade1), f_mul(f_set(how.fade2), s));
    const vf fade = f_add(f_set(0.5f), f_add(c, f_mul(c, f_mul(s, bend))));
    f_store(to.slope + i, fade);
    f_store(to.a0 + i, f_mul(f_mul(t, f_sub(one, fade)), scale));
    f_store(to.a1 + i, f_mul(f_mul(rest, fade), opposite));
  }
}

/* Weights of an axis to fold along. Constant: `with_fade`, whether tilts are folded too. */
PERLANE_INLINE void quick_weights(int with_fade, const struct axis_arrays *arrays, size_t n,
                                  struct fade how, float amplitude) {
  const struct axis_arrays to = *arrays;
  const vf half = f_set(0.5f * amplitude), opposite = f_set(-0.5f * amplitude);
  const vf one = f_set(1), two = f_set(2);
  for (size_t i = 0; i < n; i += LANES) {
    const vf t = f_load(to.a1 + i), rest = f_sub(one, t), c = f_sub(t, rest);
    const vf s = f_mul(t, rest);
    const vf bend = f_add(f_set(how.fade1), f_mul(f_set(how.fade2), s));
    const vf centred = f_add(c, f_mul(c, f_mul(s, bend))), fade = f_add(one, centred);
    f_store(to.centred + i, centred);
    f_store(to.a0 + i, f_mul(f_mul(t, f_sub(two, fade)), half));
    f_store(to.a1 + i, f_mul(f_mul(rest, fade), opposite));
    if (with_fade)
      f_store(to.slope + i, f_mul(f_set(0.5f), fade));
  }
}

PERLANE_INLINE vf quick_fold(vf lower, vf upper, vf tilt0, vf tilt1, const struct axis_lanes *by) {
  return f_add(f_add(f_add(lower, upper), f_mul(by->centred, f_sub(upper, lower))),
               f_add(f_mul(by->a0, tilt0), f_mul(by->a1, tilt1)));
}

/* An edge along x: its value, halved, and its tilts. `word` is that of its other axes. */
PERLANE_INLINE struct edge quick_edge(int dims, const struct gradient_tables *tables,
                                      const struct axis_lanes *x, vi word) {
  const struct gradient g0 = quick_gradient(dims, tables, i_dot16(x->word, word));
  const struct gradient g1 = quick_gradient(dims, tables, i_dot16(x->next, word));
  struct edge edge;
  edge.value = f_add(f_mul(x->a0, g0.x), f_mul(x->a1, g1.x));
  edge.y = lerp(x->slope, g0.y, g1.y);
  if (dims == 3)
    edge.z = lerp(x->slope, g0.z, g1.z);
  return edge;
}

/* The edges at one corner along y, folded along z. */
PERLANE_INLINE struct edge quick_edges(int dims, const struct gradient_tables *tables,
                                       const struct axis_lanes *x, const struct axis_lanes *z,
                                       vi y) {
  if (dims == 2)
    return quick_edge(2, tables, x, y);
  const struct edge lower = quick_edge(3, tables, x, i_dot16(y, z->word));
  const struct edge upper = quick_edge(3, tables, x, i_dot16(y, z->next));
  struct edge edge;
  edge.value = quick_fold(lower.value, upper.value, lower.z, upper.z, z);
  edge.y = lerp(z->slope, lower.y, upper.y);
  return edge;
}

/* Combines the corners of n cells; with `sum`, adds to what is in `out`. */
PERLANE_INLINE void quick_corners(int dims, const struct gradient_tables *of,
                                  const struct axis_arrays *arrays, size_t n, int sum, float *out) {
  const struct gradient_tables tables = *of;
  const struct axis_arrays x_arrays = arrays[0], y_arrays = arrays[1];
  const struct axis_arrays z_arrays = arrays[dims == 3 ? 2 : 1];
#define STORE(lower, upper)                                                                        \
  const vf v = f_in_order(quick_fold((lower).value, (upper).value, (lower).y, (upper).y, &y));     \
  f_store(out + i, sum ? f_add(f_load(out + i), v) : v)
  if (dims == 3 && EDGES_APART) {
    float *value = x_arrays.b0, *tilt = x_arrays.b1; /* of the lower edges */
    for (size_t i = 0; i < n; i += LANES) {
      const struct axis_lanes x = axis_load(1, &x_arrays, i), z = axis_load(1, &z_arrays, i);
      const struct edge lower = quick_edges(3, &tables, &x, &z, i_load(y_arrays.word + i));
      f_store(value + i, lower.value);
      f_store(tilt + i, lower.y);
    }
    for (size_t i = 0; i < n; i += LANES) {
      const struct axis_lanes x = axis_load(1, &x_arrays, i), z = axis_load(1, &z_arrays, i);
      const struct axis_lanes y = axis_load(0, &y_arrays, i);
      const struct edge lower = {.value = f_load(value + i), .y = f_load(tilt + i)};
      const struct edge upper = quick_edges(3, &tables, &x, &z, y.next);
      STORE(lower, upper);
    }
    return;
  }
  for (size_t i = 0; i < n; i += LANES) {
    const struct axis_lanes x = axis_load(1, &x_arrays, i), z = axis_load(1, &z_arrays, i);
    const struct axis_lanes y = axis_load(0, &y_arrays, i);
    const struct edge lower = quick_edges(dims, &tables, &x, &z, y.word);
    const struct edge upper = quick_edges(dims, &tables, &x, &z, y.next);
    STORE(lower, upper);
  }
#undef STORE
}

/* One octave at n points; with `sum`, added to what is in `out`. Reads and writes whole vectors.
 * arrays[a] are those of axis a, with room for slopes. */
PERLANE_INLINE void quick_octave(int dims, const perlane_noise *noise,
                                 const struct perlane_octave *octave,
                                 const struct gradient_tables *tables,
                                 double position[][POINT_BLOCK], const struct axis_arrays *arrays,
                                 size_t n, int sum, float *out) {
  const struct fade how = fade_constants((perlane_fade)noise->params.fade);
  const float amplitude = octave->amplitude[dims - 1];
  for (int a = 0; a < dims; a++)
    quick_cells(&arrays[a], position[a], n, octave, a);
  for (int a = 0; a < dims; a++)
    quick_words(&arrays[a], n, octave, a);
  quick_weights_x(&arrays[0], n, how, dims == 3 ? 0.25f * amplitude : 0.5f * amplitude);
  quick_weights(0, &arrays[1], n, how, amplitude);
  if (dims == 3)
    quick_weights(1, &arrays[2], n, how, 0.5f * amplitude);
  if (sum)
    quick_corners(dims, tables, arrays, n, 1, out);
  else
    quick_corners(dims, tables, arrays, n, 0, out);
}

#endif
