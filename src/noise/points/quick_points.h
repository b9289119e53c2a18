/* SPDX-License-Identifier: MIT
 *
 * Combines the corners of points whose gradients are quick, in 2 to 4 dimensions: short loops over
 * a block. Each is a chain of operations that wait for each other, and the shorter the chains, the
 * more of them a CPU overlaps.
 *
 * A fold takes half the sum of two values. In 2D and 3D without derivatives the values that reach
 * it are halved already, by their weights along x, and weights that have to be whole again are
 * doubled. Scaling by a power of two is exact, so the bits are those of combine.h; but where
 * products could become subnormal, for amplitudes below MIN_HALVED_AMPLITUDE, any_corners.h is
 * used.
 */
#ifndef PERLANE_NOISE_POINTS_QUICK_POINTS_H
#define PERLANE_NOISE_POINTS_QUICK_POINTS_H

#include "../lattice/any_corners.h"
#include "../samples.h"

enum {
  POINT_BLOCK = 256, /* points of a block at most */
  /* Floats of the axis passes of a block: those of 128 points along 3 axes with derivatives, which
   * others do not exceed. Arrays of two axes are not a multiple of 4 KiB apart: a load would wait
   * for a store of another axis that has the same last 12 bits. */
  AXIS_GAP = 48,
  BLOCK_AXIS_FLOATS = 128 * 3 * (AXIS_FLOATS + AXIS_SLOPE_FLOATS) + 4 * AXIS_GAP,
  ROW_FLOATS = 64 * 4 * 9 > ANY_FLOATS ? 64 * 4 * 9 : ANY_FLOATS,
};

/* Stack memory of a block of points, laid out by block_points and axis_of_block. */
struct block {
  _Alignas(64) double position[128 * PERLANE_MAX_DIMS]; /* 0 for points outside the domain */
  _Alignas(64) float axis[BLOCK_AXIS_FLOATS];
  _Alignas(64) float row[ROW_FLOATS];
};

/* Points of a block. */
PERLANE_INLINE size_t block_points(int dims, int slopes) {
  if (slopes)
    return dims == 4 ? 64 : 128;
  return dims <= 2 ? 256 : dims == 3 ? 160 : 128;
}

/* The axis pass of axis a, with room for derivatives if `room`. */
PERLANE_INLINE struct axis_arrays axis_of_block(struct block *block, int dims, int slopes, int room,
                                                int a) {
  const size_t n = block_points(dims, slopes);
  const size_t floats = AXIS_FLOATS + (slopes ? AXIS_SLOPE_FLOATS : dims == 3);
  return axis_arrays_in(block->axis + (size_t)a * (floats * n + AXIS_GAP), n, room);
}

PERLANE_INLINE double *positions_of_block(struct block *block, int dims, int slopes, int a) {
  return block->position + (size_t)a * block_points(dims, slopes);
}

/* ---- Values in 2D and 3D ---- */

#define MIN_HALVED_AMPLITUDE 0x1p-40

static int can_be_halved(const struct field *field, int dims) {
  for (int k = 0; k < field->octaves; k++)
    if (!(perlane_magnitude((double)field->octave[k].amplitude[dims - 1]) >= MIN_HALVED_AMPLITUDE))
      return 0;
  return 1;
}

/* Replaces fractions by weights along x. `centred` receives the fade. */
static PERLANE_NOINLINE void halved_weights_x(const struct axis_arrays *arrays, size_t n,
                                              const struct axis *axis, float amplitude) {
  const struct axis_arrays to = *arrays;
  const vf one = f_set(1), half = f_set(0.5f);
  const vf scale = f_set(amplitude), opposite = f_set(-amplitude);
  const vf fade1 = f_set(axis->fade.bend1), fade2 = f_set(axis->fade.bend2);
  for (size_t i = 0; i < n; i += LANES) {
    const vf t = f_load(to.a0 + i), rest = f_sub(one, t), c = f_sub(t, half);
    const vf s = f_mul(t, rest);
    const vf bend = f_add(fade1, f_mul(fade2, s));
    const vf fade = f_add(half, f_add(c, f_mul(c, f_mul(s, bend))));
    f_store(to.centred + i, fade);
    f_store(to.a0 + i, f_mul(f_mul(t, f_sub(one, fade)), scale));
    f_store(to.a1 + i, f_mul(f_mul(rest, fade), opposite));
  }
}

/* Weights of an axis to fold along. `centred` receives the fade less 1/2, doubled; `slope` the
 * fade, if tilts remain to be folded. Constant: `tilts`. */
PERLANE_INLINE void halved_weights(int tilts, const struct axis_arrays *arrays, size_t n,
                                   const struct axis *axis, float amplitude) {
  const struct axis_arrays to = *arrays;
  const vf one = f_set(1), two = f_set(2), half = f_set(0.5f);
  const vf scale = f_set(0.5f * amplitude), opposite = f_set(-0.5f * amplitude);
  const vf fade1 = f_set(axis->fade.bend1), fade2 = f_set(axis->fade.bend2);
  for (size_t i = 0; i < n; i += LANES) {
    const vf t = f_load(to.a0 + i), rest = f_sub(one, t), c = f_sub(t, rest);
    const vf s = f_mul(t, rest);
    const vf bend = f_add(fade1, f_mul(fade2, s));
    const vf centred = f_add(c, f_mul(c, f_mul(s, bend))), fade = f_add(one, centred);
    f_store(to.centred + i, centred);
    if (tilts)
      f_store(to.slope + i, f_mul(half, fade));
    f_store(to.a0 + i, f_mul(f_mul(t, f_sub(two, fade)), scale));
    f_store(to.a1 + i, f_mul(f_mul(rest, fade), opposite));
  }
}

static PERLANE_NOINLINE void halved_weights_y(const struct axis_arrays *arrays, size_t n,
                                              const struct axis *axis, float amplitude) {
  halved_weights(0, arrays, n, axis, amplitude);
}

static PERLANE_NOINLINE void halved_weights_z(const struct axis_arrays *arrays, size_t n,
                                              const struct axis *axis, float amplitude) {
  halved_weights(1, arrays, n, axis, amplitude);
}

PERLANE_INLINE vf halved_fold(vf lower, vf upper, vf tilt0, vf tilt1, const struct axis_lanes *by) {
  return f_add(f_add(f_add(lower, upper), f_mul(by->centred, f_sub(upper, lower))),
               f_add(f_mul(by->a0, tilt0), f_mul(by->a1, tilt1)));
}

/* An edge along x: its value, halved, and its tilts. `word` is that of its other axes. */
PERLANE_INLINE struct edge halved_edge(int dims, const struct gradient_tables *tables,
                                       const struct axis_lanes *x, vi word) {
  const struct gradient g0 = quick_gradient(dims, tables, i_dot16(x->word, word));
  const struct gradient g1 = quick_gradient(dims, tables, i_dot16(x->next, word));
  struct edge edge = flat_edge(f_add(f_mul(x->a0, g0.x), f_mul(x->a1, g1.x)));
  edge.y = lerp(x->centred, g0.y, g1.y);
  if (dims == 3)
    edge.z = lerp(x->centred, g0.z, g1.z);
  return edge;
}

/* The edges at one corner along y, folded along z. */
PERLANE_INLINE struct edge halved_edges(int dims, const struct gradient_tables *tables,
                                        const struct axis_lanes *x, const struct axis_lanes *z,
                                        vi y) {
  if (dims == 2)
    return halved_edge(2, tables, x, y);
  const struct edge lower = halved_edge(3, tables, x, i_dot16(y, z->word));
  const struct edge upper = halved_edge(3, tables, x, i_dot16(y, z->next));
  struct edge edge = flat_edge(halved_fold(lower.value, upper.value, lower.z, upper.z, z));
  edge.y = lerp(z->slope, lower.y, upper.y);
  return edge;
}

PERLANE_INLINE void halved_corners(int dims, const struct lattice *lattice, const struct axis *axes,
                                   struct block *block, size_t n, int sum,
                                   const struct samples *to) {
  const struct gradient_tables tables = lattice->tables;
  const struct axis_arrays x_arrays = axis_of_block(block, dims, 0, 0, 0);
  const struct axis_arrays y_arrays = axis_of_block(block, dims, 0, 0, 1);
  const struct axis_arrays z_arrays = axis_of_block(block, dims, 0, dims == 3, dims - 1);
  const float amplitude = axes->amplitude;
  halved_weights_x(&x_arrays, n, axes, dims == 3 ? 0.25f * amplitude : 0.5f * amplitude);
  halved_weights_y(&y_arrays, n, axes, amplitude);
  if (dims == 3)
    halved_weights_z(&z_arrays, n, axes, 0.5f * amplitude);
  float *out = to->array[0], *value = block->row, *tilt = value + block_points(dims, 0);
  const int apart = dims == 3 && EDGES_APART;
  if (apart)
    for (size_t i = 0; i < n; i += LANES) {
      const struct axis_lanes x = axis_load(0, &x_arrays, i), z = axis_load(1, &z_arrays, i);
      const struct edge edge = halved_edges(3, &tables, &x, &z, i_load(y_arrays.word + i));
      f_store(value + i, edge.value);
      f_store(tilt + i, edge.y);
    }
  for (size_t i = 0; i < n; i += LANES) {
    const struct axis_lanes x = axis_load(0, &x_arrays, i), y = axis_load(0, &y_arrays, i);
    const struct axis_lanes z = axis_load(dims == 3, &z_arrays, i);
    struct edge lower = {.value = f_load(value + i), .y = f_load(tilt + i)};
    if (!apart)
      lower = halved_edges(dims, &tables, &x, &z, y.word);
    const struct edge upper = halved_edges(dims, &tables, &x, &z, y.next);
    store_sum(out + i, sum, halved_fold(lower.value, upper.value, lower.y, upper.y, &y));
  }
}

/* ---- Derivatives, and 4D ---- */

/* The arrays of rows: of each row its channels, and of each channel its value and tilts. */
PERLANE_INLINE float *row_array(struct block *block, struct corner_kind kind, int row, int channel,
                                int component) {
  const int channels = kind.slopes ? 3 : 1, components = kind.dims == 4 ? 3 : 2;
  const size_t pitch = block_points(kind.dims, kind.slopes);
  return block->row + (size_t)((row * channels + channel) * components + component) * pitch;
}

PERLANE_INLINE void row_store(struct block *block, struct corner_kind kind, int row, int channel,
                              size_t i, struct edge edge) {
  f_store(row_array(block, kind, row, channel, 0) + i, edge.value);
  f_store(row_array(block, kind, row, channel, 1) + i, edge.y);
  if (kind.dims == 4)
    f_store(row_array(block, kind, row, channel, 2) + i, edge.z);
}

PERLANE_INLINE struct edge row_load(struct block *block, struct corner_kind kind, int row,
                                    int channel, size_t i) {
  struct edge edge = flat_edge(f_load_aligned(row_array(block, kind, row, channel, 0) + i));
  edge.y = f_load_aligned(row_array(block, kind, row, channel, 1) + i);
  if (kind.dims == 4)
    edge.z = f_load_aligned(row_array(block, kind, row, channel, 2) + i);
  return edge;
}

PERLANE_INLINE struct edge_row edge_row_of(struct block *block, struct corner_kind kind, int row,
                                           size_t i) {
  struct edge_row edges = {.value = row_load(block, kind, row, 0, i)};
  if (kind.slopes) {
    edges.x = row_load(block, kind, row, 1, i);
    edges.w = row_load(block, kind, row, 2, i);
  }
  return edges;
}

PERLANE_INLINE void sum_corners(struct corner_kind kind, const struct lattice *of,
                                struct block *block, size_t n, int sum, const struct samples *to) {
  struct lattice lattice; /* of which nothing else is read */
  lattice.tables = of->tables;
  struct axis_arrays arrays[PERLANE_MAX_DIMS];
  for (int a = 0; a < kind.dims; a++)
    arrays[a] = axis_of_block(block, kind.dims, kind.slopes, kind.slopes, a);
  const struct samples out = *to;
  /* Edge rows, folded along z in 3D and along w in 4D. */
  const int rows = kind.dims == 4 ? 4 : 2;
  for (int row = 0; kind.dims > 2 && row < rows; row++) {
    const uint32_t *y_word = row & 1 ? arrays[1].next : arrays[1].word;
    const uint32_t *z_word = row & 2 ? arrays[2].next : arrays[2].word;
    for (size_t i = 0; i < n; i += LANES) {
      const struct axis_lanes x = axis_load(kind.slopes, &arrays[0], i);
      const struct axis_lanes last = axis_load(kind.slopes, &arrays[kind.dims - 1], i);
      const vi y = i_load(y_word + i);
      if (kind.dims == 4) {
        const struct edge_row edges =
            edge_row_at(kind, &lattice, &x, y, i_load(z_word + i), &last, NULL, 0);
        row_store(block, kind, row, 0, i, edges.value);
        if (kind.slopes) {
          row_store(block, kind, row, 1, i, edges.x);
          row_store(block, kind, row, 2, i, edges.w);
        }
      } else {
        const struct lattice_row edges = lattice_row_at(kind, &lattice, &x, y, &last, NULL);
        row_store(block, kind, row, 0, i, edges.value);
        if (kind.slopes) {
          row_store(block, kind, row, 1, i, edges.x);
          row_store(block, kind, row, 2, i, edges.z);
        }
      }
    }
  }
  for (size_t i = 0; i < n; i += LANES) {
    const struct axis_lanes y = axis_load(kind.slopes, &arrays[1], i);
    struct lattice_row lower, upper;
    if (kind.dims == 2) {
      const struct axis_lanes x = axis_load(kind.slopes, &arrays[0], i);
      lower = lattice_row_at(kind, &lattice, &x, y.word, NULL, NULL);
      upper = lattice_row_at(kind, &lattice, &x, y.next, NULL, NULL);
    } else if (kind.dims == 3) {
      const struct edge_row row0 = edge_row_of(block, kind, 0, i);
      const struct edge_row row1 = edge_row_of(block, kind, 1, i);
      lower = (struct lattice_row){.value = row0.value, .x = row0.x, .z = row0.w};
      upper = (struct lattice_row){.value = row1.value, .x = row1.x, .z = row1.w};
    } else {
      const struct axis_lanes z = axis_load(kind.slopes, &arrays[2], i);
      const struct edge_row row0 = edge_row_of(block, kind, 0, i);
      const struct edge_row row2 = edge_row_of(block, kind, 2, i);
      lower = fold_edge_rows(kind, &row0, &row2, &z);
      const struct edge_row row1 = edge_row_of(block, kind, 1, i);
      const struct edge_row row3 = edge_row_of(block, kind, 3, i);
      upper = fold_edge_rows(kind, &row1, &row3, &z);
    }
    fold_lattice_rows(kind, &lower, &upper, &y, sum, &out, i);
  }
}

#endif
