/* SPDX-License-Identifier: MIT
 *
 * Simplex noise (docs/specification.md, 2.21): from positions to the lattice, and the sum over the
 * corners of a triangle or a tetrahedron.
 */
#ifndef PERLANE_NOISE_SIMPLEX_H
#define PERLANE_NOISE_SIMPLEX_H

#include "../lattice/axis.h"
#include "../lattice/lattice.h"

PERLANE_INLINE double simplex_skew(int dims) {
  return dims == 2 ? 0x1.76cf5d0b09954p-2 : 0x1.5555555555555p-2;
}

/* ---- The lattice ---- */

/* Constants along an axis, in each lane. `key` is that of near_input where positions are near. */
struct simplex_axis {
  vd start; /* axis_start */
  vi key;
};

/* Makes the fractions of positions near the origin, given in cells, and what their words are hashed
 * from. Each step takes one or two `vectors`, whose chains of operations overlap. Overwrites
 * `cells`. Constant: `dims` and `vectors`. */
PERLANE_INLINE void near_inputs(int dims, int vectors, vd cells[3][2],
                                const struct simplex_axis axis[3], vf fraction[3][2],
                                vi input[3][2]) {
  const vd skew = d_set(simplex_skew(dims));
  vd part[3][2];
#define EACH                                                                                       \
  PERLANE_UNROLL for (int a = 0; a < dims; a++) PERLANE_UNROLL for (int v = 0; v < vectors; v++)
  EACH cells[a][v] = with_units(cells[a][v]);
  EACH part[a][v] = with_units(d_mul(without_units(cells[a][v]), skew));
  EACH part[0][v] = a == 0 ? part[0][v] : d_add_words(part[0][v], part[a][v]);
  EACH input[a][v] = near_input(d_add_words(d_add_words(cells[a][v], part[0][v]), axis[a].start),
                                i_set(AXIS_MULTIPLIERS[a]), axis[a].key, &fraction[a][v]);
#undef EACH
}

/* The cells and fractions of positions given in cells, in any distance from the origin. */
PERLANE_INLINE void far_cells(int dims, const vd cells[3], const struct simplex_axis axis[3],
                              struct axis_cell at[3]) {
  vd unit[3], part[3];
  struct long_sum sum = {d_set(0), d_set(0), d_set(0)};
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    unit[a] = units_far(cells[a]);
    part[a] = units_far(d_mul(unit[a], d_set(simplex_skew(dims))));
    add_long(&sum, part[a]);
  }
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    struct long_sum along = sum;
    add_long(&along, unit[a]);
    at[a] = far_corners(&along, a, axis[a].start, axis[a].key);
  }
}

/* The cells and fractions of positions given in cells. Constant: `dims` and `near`. */
PERLANE_INLINE void simplex_cells(int dims, int near, const vd cells[3],
                                  const struct simplex_axis axis[3], struct axis_cell at[3]) {
  if (!near) {
    far_cells(dims, cells, axis, at);
    return;
  }
  vd near_cells[3][2];
  vf fraction[3][2];
  vi input[3][2];
  PERLANE_UNROLL for (int a = 0; a < dims; a++) near_cells[a][0] = cells[a];
  near_inputs(dims, 1, near_cells, axis, fraction, input);
  PERLANE_UNROLL for (int a = 0; a < dims; a++) at[a] =
      corners_of_input(fraction[a][0], input[a][0], i_set(AXIS_MULTIPLIERS[a]));
}

/* ---- Corners ---- */

/* Gradients by their components along the axes of the lattice. */
struct simplex_tables {
  vtable8 component[3];
};

PERLANE_INLINE struct simplex_tables simplex_tables(int dims) {
  return (struct simplex_tables){{table8(perlane_simplex_components(dims, 0)),
                                  table8(perlane_simplex_components(dims, 1)),
                                  table8(perlane_simplex_components(dims, 2))}};
}

PERLANE_INLINE void simplex_gradient(int dims, const struct simplex_tables *tables, vi word,
                                     vf gradient[3]) {
  const vi index = i_index8(word);
  PERLANE_UNROLL for (int a = 0; a < dims; a++) gradient[a] = f_table8(tables->component[a], index);
}

/* A sum over corners: its value, and its derivatives along the axes of the lattice. */
struct simplex_sum {
  vf value, slope[3];
};

/* A corner's part, from its falloff before that is clamped, the vector from it, and in 3D a quarter
 * of the sum of that vector's components. */
PERLANE_INLINE struct simplex_sum corner_part(int dims, int slopes, vf falloff, const vf from[3],
                                              const vf g[3], vf quarter) {
  const vf t = f_max(falloff, f_set(0)), h = f_mul(t, t), k = f_mul(h, h);
  vf ramp = f_add(f_mul(g[0], from[0]), f_mul(g[1], from[1]));
  if (dims == 3)
    ramp = f_add(ramp, f_mul(g[2], from[2]));
  struct simplex_sum part = {.value = f_mul(k, ramp)};
  if (slopes) {
    const vf w = f_mul(f_mul(f_mul(h, t), ramp), f_set(dims == 2 ? 4 : 8));
    PERLANE_UNROLL for (int a = 0; a < dims; a++) {
      const vf bend =
          dims == 2 ? f_sub(f_sub(from[1 - a], from[a]), from[a]) : f_sub(quarter, from[a]);
      part.slope[a] = f_add(f_mul(k, g[a]), f_mul(w, bend));
    }
  }
  return part;
}

PERLANE_INLINE struct simplex_sum sum_parts(int dims, int slopes, struct simplex_sum a,
                                            struct simplex_sum b) {
  a.value = f_add(a.value, b.value);
  if (slopes)
    PERLANE_UNROLL for (int i = 0; i < dims; i++) a.slope[i] = f_add(a.slope[i], b.slope[i]);
  return a;
}

/* The sum over a triangle. */
PERLANE_INLINE struct simplex_sum sum_triangle(int slopes, const struct simplex_tables *tables,
                                               const struct axis_cell at[3]) {
  vf g[3];
  const vf none = f_set(0), one = f_set(1), most = f_set(0.75f);
  const vf a = at[0].fraction, b = at[1].fraction, d = f_sub(a, b), D = f_sub(most, f_mul(d, d));
  const vf lower[3] = {a, b, none}, upper[3] = {f_sub(a, one), f_sub(b, one), none};
  const vm is_x = f_not_above(b, a); /* the middle corner is at the upper end of x, not of y */
  const vf middle[3] = {f_select(is_x, upper[0], a), f_select(is_x, b, upper[1]), none};
  const vi middle_x = i_select(is_x, at[0].next, at[0].word);
  const vi middle_y = i_select(is_x, at[1].word, at[1].next);
  simplex_gradient(2, tables, i_dot16(at[0].word, at[1].word), g);
  struct simplex_sum c0 = corner_part(2, slopes, f_sub(D, f_mul(a, b)), lower, g, none);
  f_keep(c0.value); /* gcc would find all gradients before it evaluates a corner */
  simplex_gradient(2, tables, i_dot16(at[0].next, at[1].next), g);
  struct simplex_sum c2 =
      corner_part(2, slopes, f_sub(D, f_mul(upper[0], upper[1])), upper, g, none);
  f_keep(c2.value);
  const vf e = f_sub(middle[0], middle[1]), E = f_sub(most, f_mul(e, e));
  simplex_gradient(2, tables, i_dot16(middle_x, middle_y), g);
  const struct simplex_sum c1 =
      corner_part(2, slopes, f_sub(E, f_mul(middle[0], middle[1])), middle, g, none);
  return sum_parts(2, slopes, sum_parts(2, slopes, c0, c2), c1);
}

/* Selects, along an axis of a corner of a tetrahedron, the lower end or the upper end. Masks are
 * those of the middle corners; along the last axis, of the lower end. */
#define OF_CORNER(select, corner, axis, mask, lower, upper)                                        \
  ((corner) == 0   ? (lower)                                                                       \
   : (corner) == 3 ? (upper)                                                                       \
   : (axis) == 2   ? select((mask)[(corner)-1][2], lower, upper)                                   \
                   : select((mask)[(corner)-1][axis], upper, lower))

/* A corner of a tetrahedron: the number of axes at whose upper ends it is. `square` is that of the
 * vector's length in the cube, `half` half the sum of the fractions. */
PERLANE_INLINE struct simplex_sum tetrahedron_corner(int slopes, int corner,
                                                     const struct simplex_tables *tables,
                                                     const struct axis_cell at[3], vm mask[2][3],
                                                     vf square, vf half) {
  vf g[3], from[3];
  vi word[3];
  PERLANE_UNROLL for (int a = 0; a < 3; a++) {
    const vf fraction = at[a].fraction, upper = f_sub(fraction, f_set(1));
    word[a] = OF_CORNER(i_select, corner, a, mask, at[a].word, at[a].next);
    from[a] = OF_CORNER(f_select, corner, a, mask, fraction, upper);
  }
  if (corner > 0)
    half = f_sub(half, f_set(0.5f * (float)corner));
  const vf falloff = f_sub(f_add(f_set(0.5f), f_mul(half, half)), square);
  simplex_gradient(3, tables, i_dot16(word[0], i_dot16(word[1], word[2])), g);
  return corner_part(3, slopes, falloff, from, g, f_mul(half, f_set(0.5f)));
}

/* The sum over a tetrahedron. Falloffs are of fractions in their order, the largest first. */
PERLANE_INLINE struct simplex_sum sum_tetrahedron(int slopes, const struct simplex_tables *tables,
                                                  const struct axis_cell at[3]) {
  const vf x = at[0].fraction, y = at[1].fraction, z = at[2].fraction, one = f_set(1);
  const vm xy = f_not_above(y, x), xz = f_not_above(z, x), yz = f_not_above(z, y);
  const vm yx = m_not(xy);
  vm mask[2][3] = {{m_and(xy, xz), m_and(yx, yz), m_or(xz, yz)},
                   {m_or(xy, xz), m_or(yx, yz), m_and(xz, yz)}};
  const vf high = f_max(x, y), low = f_min(x, y);
  const vf p = f_max(high, z), r = f_min(low, z), q = f_max(low, f_min(high, z));
  const vf p1 = f_sub(p, one), q1 = f_sub(q, one), r1 = f_sub(r, one);
  const vf pp1 = f_mul(p1, p1), qq = f_mul(q, q), rr = f_mul(r, r);
  const vf both = f_add(pp1, f_mul(q1, q1)), half = f_mul(f_add(f_add(p, q), r), f_set(0.5f));
#define CORNER(c, square) tetrahedron_corner(slopes, c, tables, at, mask, square, half)
  const struct simplex_sum c0 = CORNER(0, f_add(f_add(f_mul(p, p), qq), rr));
  struct simplex_sum lower = sum_parts(3, slopes, c0, CORNER(1, f_add(f_add(pp1, qq), rr)));
  f_keep(lower.value);
  const struct simplex_sum c2 = CORNER(2, f_add(both, rr));
  const struct simplex_sum upper = sum_parts(3, slopes, c2, CORNER(3, f_add(both, f_mul(r1, r1))));
#undef CORNER
  return sum_parts(3, slopes, lower, upper);
}
#undef OF_CORNER

/* The sum at LANES positions. Constant: `dims` and `slopes`. */
PERLANE_INLINE struct simplex_sum simplex_at(int dims, int slopes,
                                             const struct simplex_tables *tables,
                                             const struct axis_cell at[3]) {
  return dims == 2 ? sum_triangle(slopes, tables, at) : sum_tetrahedron(slopes, tables, at);
}

/* ---- Runs ---- */

/* Terms of an octave are stored, stored past the caches, or added to what is there. */
enum delivery { STORED, STREAMED, ADDED };

/* Constants of a vector of octaves, one to a lane, or of one octave in all lanes; doubles as
 * d_store stores them. */
struct simplex_octaves {
  _Alignas(64) double frequency[LANES], start[3][LANES];
  _Alignas(64) uint32_t key[3][LANES];
  _Alignas(64) float amplitude[LANES], steepness[LANES];
  int near;
};

/* The key of simplex_axis. */
PERLANE_INLINE vi simplex_key(int dims, int near, int a, vi key) {
  const uint32_t terms = (uint32_t)dims + 2; /* as many as near_inputs adds */
  return near ? near_key(AXIS_MULTIPLIERS[a], terms, key) : key;
}

/* Sets all lanes to one octave. */
static void one_octave(struct simplex_octaves *octaves, const struct field *field, int k, int dims,
                       int near) {
  const struct perlane_octave *octave = &field->octave[k];
  const struct factors factors = factors_in(field, octave, dims);
  octaves->near = near;
  d_store(octaves->frequency, d_set(octave->frequency));
  f_store(octaves->amplitude, factors.amplitude);
  f_store(octaves->steepness, factors.steepness);
  for (int a = 0; a < dims; a++) {
    d_store(octaves->start[a], d_set(axis_start(octave, a)));
    i_store(octaves->key[a], simplex_key(dims, near, a, i_set(octave->key[a])));
  }
}

/* Positions of a run, as d_store stores them, and their octaves. With a step of 0 coordinates are
 * the same in each vector. */
struct simplex_run {
  const double *position[3];
  size_t position_step[3];
  const struct simplex_octaves *octaves;
};

PERLANE_INLINE struct simplex_axis simplex_axis(const struct simplex_octaves *octaves, int a) {
  return (struct simplex_axis){d_reload(octaves->start[a]), i_load_aligned(octaves->key[a])};
}

/* The position of a run's sample i and the following ones along an axis, in cells. */
PERLANE_INLINE vd cells_along(const struct simplex_run *run, int a, size_t i) {
  return d_mul(d_reload(run->position[a] + i * run->position_step[a]),
               d_reload(run->octaves->frequency));
}

/* The cells of a run. Constant: `dims` and `near`. */
PERLANE_INLINE void cells_of_run(int dims, int near, const struct simplex_run *run, size_t i,
                                 struct axis_cell at[3]) {
  struct simplex_axis axis[3];
  vd cells[3];
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    axis[a] = simplex_axis(run->octaves, a);
    cells[a] = cells_along(run, a, i);
  }
  simplex_cells(dims, near, cells, axis, at);
}
/* Fractions and what words are hashed from, of a block of samples near the origin. */
struct simplex_block {
  _Alignas(64) float fraction[3][SIMPLEX_BLOCK];
  _Alignas(64) uint32_t input[3][SIMPLEX_BLOCK];
};

PERLANE_INLINE void cells_of_block(int dims, const struct simplex_block *block, size_t i,
                                   struct axis_cell at[3]) {
  PERLANE_UNROLL for (int a = 0; a < dims; a++) at[a] = corners_of_input(
      f_load(block->fraction[a] + i), i_load(block->input[a] + i), i_set(AXIS_MULTIPLIERS[a]));
}

/* Stores the terms of LANES samples, number i and on: values, or with more than one array,
 * derivatives too. Constant: `dims` and `slopes`, which says whether there may be derivatives. */
PERLANE_INLINE void store_terms(int dims, int slopes, const struct simplex_tables *tables,
                                const struct axis_cell at[3], const struct simplex_octaves *octaves,
                                size_t i, enum delivery delivery, int arrays,
                                const struct samples *to) {
  const struct simplex_sum term = simplex_at(dims, slopes, tables, at);
  const vf value = f_mul(term.value, f_load_aligned(octaves->amplitude));
  if (delivery == STREAMED)
    f_stream(to->array[0] + i, value);
  else
    store_sum(to->array[0] + i, delivery == ADDED, value);
  if (!slopes || arrays == 1)
    return;
  const vf steepness = f_load_aligned(octaves->steepness);
  vf all = f_add(term.slope[0], term.slope[1]);
  if (dims == 3)
    all = f_add(all, term.slope[2]);
  const vf skewed = f_mul(all, f_set((float)simplex_skew(dims)));
  PERLANE_UNROLL for (int a = 0; a < dims; a++) store_sum(
      to->array[1 + a] + i, delivery == ADDED, f_mul(f_add(term.slope[a], skewed), steepness));
}

/* Evaluates samples begin .. end - 1 of a run or of a block; `to` is where the first one's term
 * goes. `cells` sets `at` to the cells of LANES samples, number i and on. */
#define SIMPLEX_KERNEL(name, dims, slopes, source, cells) /* NOLINTNEXTLINE(bugprone-*) */         \
  static PERLANE_NOINLINE void name(const struct source *source, size_t begin, size_t end,         \
                                    const struct simplex_octaves *octaves, enum delivery delivery, \
                                    int arrays, const struct samples *to) {                        \
    const struct simplex_tables tables = simplex_tables(dims);                                     \
    const struct samples out = *to; /* which a store to an array might change */                   \
    for (size_t i = begin; i < end; i += LANES) {                                                  \
      struct axis_cell at[3];                                                                      \
      cells;                                                                                       \
      store_terms(dims, slopes, &tables, at, octaves, i - begin, delivery, arrays, &out);          \
    }                                                                                              \
  }
SIMPLEX_KERNEL(simplex_2d, 2, 0, simplex_run, cells_of_run(2, 1, simplex_run, i, at))
SIMPLEX_KERNEL(simplex_3d, 3, 0, simplex_run, cells_of_run(3, 1, simplex_run, i, at))
SIMPLEX_KERNEL(simplex_slopes_2d, 2, 1, simplex_run, cells_of_run(2, 1, simplex_run, i, at))
SIMPLEX_KERNEL(simplex_slopes_3d, 3, 1, simplex_run, cells_of_run(3, 1, simplex_run, i, at))
SIMPLEX_KERNEL(simplex_far_2d, 2, 1, simplex_run, cells_of_run(2, 0, simplex_run, i, at))
SIMPLEX_KERNEL(simplex_far_3d, 3, 1, simplex_run, cells_of_run(3, 0, simplex_run, i, at))
SIMPLEX_KERNEL(simplex_block_2d, 2, 0, simplex_block, cells_of_block(2, simplex_block, i, at))
SIMPLEX_KERNEL(simplex_block_3d, 3, 0, simplex_block, cells_of_block(3, simplex_block, i, at))
#undef SIMPLEX_KERNEL

/* Makes a block of n samples of a run, from number `start` on. */
#define RUN_BLOCK(name, dims)                                                                      \
  static PERLANE_NOINLINE void name(const struct simplex_run *positions, size_t start, size_t n,   \
                                    struct simplex_block *block) {                                 \
    const struct simplex_run run = *positions; /* which a store to the block might change */       \
    struct simplex_axis axis[3];                                                                   \
    PERLANE_UNROLL for (int a = 0; a < (dims); a++) axis[a] = simplex_axis(run.octaves, a);        \
    for (size_t i = 0; i < n; i += 2 * LANES) {                                                    \
      const size_t second = i + LANES < n ? i + LANES : i;                                         \
      vd cells[3][2];                                                                              \
      vf fraction[3][2];                                                                           \
      vi input[3][2];                                                                              \
      PERLANE_UNROLL for (int a = 0; a < (dims); a++) {                                            \
        cells[a][0] = cells_along(&run, a, start + i);                                             \
        cells[a][1] = cells_along(&run, a, start + second);                                        \
      }                                                                                            \
      near_inputs(dims, 2, cells, axis, fraction, input);                                          \
      PERLANE_UNROLL for (int a = 0; a < (dims); a++) {                                            \
        f_store(block->fraction[a] + i, fraction[a][0]);                                           \
        i_store(block->input[a] + i, input[a][0]);                                                 \
        f_store(block->fraction[a] + second, fraction[a][1]);                                      \
        i_store(block->input[a] + second, input[a][1]);                                            \
      }                                                                                            \
    }                                                                                              \
  }
RUN_BLOCK(run_block_2d, 2)
RUN_BLOCK(run_block_3d, 3)
#undef RUN_BLOCK

/* Evaluates samples begin .. end - 1 of a block. */
static void simplex_block(int dims, const struct simplex_block *block, size_t begin, size_t end,
                          const struct simplex_octaves *octaves, enum delivery delivery,
                          float *to) {
  const struct samples samples = {{to}};
  (dims == 2 ? simplex_block_2d : simplex_block_3d)(block, begin, end, octaves, delivery, 1,
                                                    &samples);
}

/* Evaluates a long run: two loops overlap more of their steps than one does. */
static PERLANE_NOINLINE void simplex_by_blocks(int dims, const struct simplex_run *run, size_t n,
                                               enum delivery delivery, float *to) {
  struct simplex_block block;
  for (size_t start = 0; start < n; start += SIMPLEX_BLOCK) {
    const size_t left = n - start, count = left < SIMPLEX_BLOCK ? left : SIMPLEX_BLOCK;
    (dims == 2 ? run_block_2d : run_block_3d)(run, start, count, &block);
    simplex_block(dims, &block, 0, count, run->octaves, delivery, to + start);
  }
}

/* Evaluates n positions: values, or with more than one array, derivatives too. */
static void simplex_run(int dims, const struct simplex_run *run, size_t n, int sum, int arrays,
                        const struct samples *to) {
  const struct simplex_octaves *octaves = run->octaves;
  const enum delivery delivery = sum ? ADDED : STORED;
  if (!octaves->near)
    (dims == 2 ? simplex_far_2d : simplex_far_3d)(run, 0, n, octaves, delivery, arrays, to);
  else if (arrays > 1)
    (dims == 2 ? simplex_slopes_2d : simplex_slopes_3d)(run, 0, n, octaves, delivery, arrays, to);
  else if (n >= SIMPLEX_LONG_RUN)
    simplex_by_blocks(dims, run, n, delivery, to->array[0]);
  else
    (dims == 2 ? simplex_2d : simplex_3d)(run, 0, n, octaves, delivery, 1, to);
}

#endif
