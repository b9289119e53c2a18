/* SPDX-License-Identifier: MIT
 *
 * Simplex noise (docs/specification.md, 2.21): from positions to the lattice, and the sum over the
 * corners of a triangle or a tetrahedron.
 */
#ifndef PERLANE_NOISE_SIMPLEX_H
#define PERLANE_NOISE_SIMPLEX_H

#include "../lattice/axis.h"
#include "../lattice/lattice.h"
#include "../samples.h"

PERLANE_INLINE double simplex_skew(int dims) {
  return dims == 2 ? 0x1.76cf5d0b09954p-2 : 0x1.5555555555555p-2;
}

/* ---- The lattice ---- */

/* Rounds numbers near the origin to units of 2^-24: their sum with ROUNDING_TERM has these. */
PERLANE_INLINE vd plus_term(vd v) {
  return d_add(v, d_set(ROUNDING_TERM));
}

/* q of positions near the origin. */
PERLANE_INLINE vd to_units(vd v) {
  return d_sub(plus_term(v), d_set(ROUNDING_TERM));
}

/* The same of any position: what is set aside is a multiple of 2^27. */
PERLANE_INLINE vd to_units_far(vd v) {
  const vd aside = d_mul(d_round(d_mul(v, d_set(0x1p-27))), d_set(0x1p27));
  return d_add(aside, to_units(d_sub(v, aside)));
}

/* A whole number of cells in two halves, and a fraction of a cell: more digits than a double has.
 */
struct long_sum {
  vd high, low, fraction;
};

PERLANE_INLINE void add_long(struct long_sum *sum, vd v) {
  const vd whole = d_floor(v), high = d_floor(d_mul(whole, d_set(0x1p-32)));
  sum->high = d_add(sum->high, high);
  sum->low = d_add(sum->low, d_sub(whole, d_mul(high, d_set(0x1p32))));
  sum->fraction = d_add(sum->fraction, d_sub(v, whole));
}

/* Constants along an axis, in each lane. `key` is that of plain_cell where positions are near. */
struct simplex_axis {
  vd start; /* ROUNDING_TERM plus the phase */
  vi key;
};

PERLANE_INLINE struct axis_cell far_cell(const struct long_sum *sum, int number,
                                         const struct simplex_axis *of) {
  const vd fraction = d_add(sum->fraction, d_sub(of->start, d_set(ROUNDING_TERM)));
  const vd carry = d_floor(fraction), low = d_add(sum->low, carry);
  const struct cell cell = words_of_halves(low, sum->high, 1);
  const vi multiplier = i_set(AXIS_MULTIPLIERS[number]);
  return (struct axis_cell){
      f_from_d(d_sub(fraction, carry)),
      axis_word(i_add(i_mul(cell.lower, multiplier), of->key)),
      axis_word(i_add(i_mul(cell.upper, multiplier), of->key)),
  };
}

/* The cells and fractions of positions given in cells. Constant: `dims` and `near`. */
PERLANE_INLINE void simplex_cells(int dims, int near, const vd cells[3],
                                  const struct simplex_axis of[3], struct axis_cell to[3]) {
  const vd skew = d_set(simplex_skew(dims));
  if (near) { /* sums of words, where all of them have one exponent: the keys take it away */
    vd unit[3], sum = d_set(0);
    PERLANE_UNROLL for (int a = 0; a < dims; a++) {
      unit[a] = plus_term(cells[a]);
      const vd part = plus_term(d_mul(d_sub(unit[a], d_set(ROUNDING_TERM)), skew));
      sum = a == 0 ? part : d_add_words(sum, part);
    }
    PERLANE_UNROLL for (int a = 0; a < dims; a++) {
      const vi multiplier = i_set(AXIS_MULTIPLIERS[a]);
      const vd words = d_add_words(d_add_words(unit[a], sum), of[a].start);
      to[a] = plain_cell(words, multiplier, of[a].key, multiplier);
    }
    return;
  }
  vd unit[3], part[3];
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    unit[a] = to_units_far(cells[a]);
    part[a] = to_units_far(d_mul(unit[a], skew));
  }
  struct long_sum sum = {d_set(0), d_set(0), d_set(0)};
  PERLANE_UNROLL for (int a = 0; a < dims; a++) add_long(&sum, part[a]);
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    struct long_sum along = sum;
    add_long(&along, unit[a]);
    to[a] = far_cell(&along, a, &of[a]);
  }
}

/* ---- Corners ---- */

PERLANE_INLINE vf f_choose(vi mask, vf yes, vf no) {
  return f_bits(i_select(mask, i_bits(yes), i_bits(no)));
}

/* Gradients by their components along the axes of the lattice: whole numbers of 8 binary digits. */
struct simplex_tables {
  vtable8 component[3];
};

PERLANE_INLINE struct simplex_tables simplex_tables(int dims) {
  static const float set2[2][8] = {{176, -176, 29, -29, -135, 135, -220, 220},
                                   {29, -29, 176, -176, 220, -220, 135, -135}};
  static const float set3[3][8] = {{23, -23, 1, -1, 1, -1, -21, 21},
                                   {-1, 1, 25, -25, -11, 11, 15, -15},
                                   {-1, 1, -11, 11, 25, -25, 15, -15}};
  return (struct simplex_tables){{table8(dims == 2 ? set2[0] : set3[0]),
                                  table8(dims == 2 ? set2[1] : set3[1]), table8(set3[2])}};
}

/* Gradients of the corners of LANES samples: by their joined words or, if `row` is not NULL, picked
 * from the table of a row, whose arrays are SIMPLEX_ENTRIES apart. Around a lattice point, samples
 * of few columns may have up to six numbers in 3D: more than the shortest vectors pick from. Then
 * `is_wide`, and entries are looked up. They are found when they are needed: all would not have
 * room in registers. */
struct simplex_gradients {
  const struct simplex_tables *tables;
  vi word[4];
  const float *row;
  vi entry, pick;
  int is_wide;
};

enum { SIMPLEX_ENTRIES = 256 };

PERLANE_INLINE void simplex_gradient(int dims, const struct simplex_gradients *of, int corner,
                                     vf gradient[3]) {
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    if (!of->row) {
      gradient[a] = f_table8(of->tables->component[a], i_index8(of->word[corner]));
      continue;
    }
    const float *table = of->row + (corner * dims + a) * SIMPLEX_ENTRIES;
    gradient[a] = of->is_wide ? f_look_up(table, of->entry) : f_pick(table, of->pick);
  }
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

/* The sum over a triangle: of the vectors from its lower corner, (a, b), and from its middle one.
 * Neither it nor its gradients change if both axes are exchanged. */
PERLANE_INLINE struct simplex_sum sum_triangle(int slopes, vf a, vf b, vf middle_a, vf middle_b,
                                               const struct simplex_gradients *gradients) {
  vf g[3];
  const vf one = f_set(1), most = f_set(0.75f), none = f_set(0);
  const vf lower[3] = {a, b, none}, middle[3] = {middle_a, middle_b, none},
           upper[3] = {f_sub(a, one), f_sub(b, one), none};
  const vf d = f_sub(a, b), D = f_sub(most, f_mul(d, d));
  simplex_gradient(2, gradients, 0, g);
  struct simplex_sum c0 = corner_part(2, slopes, f_sub(D, f_mul(a, b)), lower, g, none);
  f_keep(c0.value); /* gcc would find all gradients before it evaluates a corner */
  simplex_gradient(2, gradients, 2, g);
  struct simplex_sum c2 =
      corner_part(2, slopes, f_sub(D, f_mul(upper[0], upper[1])), upper, g, none);
  f_keep(c2.value);
  const vf e = f_sub(middle_a, middle_b), E = f_sub(most, f_mul(e, e));
  simplex_gradient(2, gradients, 1, g);
  const struct simplex_sum c1 =
      corner_part(2, slopes, f_sub(E, f_mul(middle_a, middle_b)), middle, g, none);
  return sum_parts(2, slopes, sum_parts(2, slopes, c0, c2), c1);
}

/* Which axes are at their upper end in the two middle corners of a tetrahedron: masks. */
struct middle_corners {
  vi upper[2][3];
};

PERLANE_INLINE struct middle_corners middle_corners(const vf f[3]) {
  const vi all = i_set(0xFFFFFFFF);
  const vi xy = f_not_above(f[1], f[0]), xz = f_not_above(f[2], f[0]), yz = f_not_above(f[2], f[1]);
  struct middle_corners to;
  to.upper[0][0] = i_and(xy, xz);
  to.upper[0][1] = i_xor(i_or(xy, yz), xy);
  to.upper[0][2] = i_xor(i_or(xz, yz), all);
  to.upper[1][0] = i_or(xy, xz);
  to.upper[1][1] = i_or(i_xor(xy, all), yz);
  to.upper[1][2] = i_xor(i_and(xz, yz), all);
  return to;
}

/* A corner of a tetrahedron: the number of axes at whose upper ends it is. `square` is that of the
 * vector's length in the cube, `sum` that of the fractions. */
PERLANE_INLINE struct simplex_sum tetrahedron_corner(int slopes, int corner, const vf f[3],
                                                     const struct middle_corners *middle, vf square,
                                                     vf sum,
                                                     const struct simplex_gradients *gradients) {
  const vf quarter = f_set(0.25f), S = corner == 0 ? sum : f_sub(sum, f_set((float)corner));
  const vf falloff = f_sub(f_add(f_set(0.5f), f_mul(f_mul(S, S), quarter)), square);
  vf g[3], from[3];
  simplex_gradient(3, gradients, corner, g);
  PERLANE_UNROLL for (int a = 0; a < 3; a++) {
    const vf upper = f_sub(f[a], f_set(1));
    from[a] = corner == 0   ? f[a]
              : corner == 3 ? upper
                            : f_choose(middle->upper[corner - 1][a], upper, f[a]);
  }
  return corner_part(3, slopes, falloff, from, g, f_mul(S, quarter));
}

/* The sum over a tetrahedron. Falloffs are of fractions in their order, the largest first. Neither
 * it nor its gradients change if the first two axes are exchanged. */
PERLANE_INLINE struct simplex_sum sum_tetrahedron(int slopes, const vf f[3],
                                                  const struct middle_corners *middle,
                                                  const struct simplex_gradients *gradients) {
  const vf one = f_set(1);
  const vf high = f_max(f[0], f[1]), low = f_min(f[0], f[1]);
  const vf p = f_max(high, f[2]), r = f_min(low, f[2]), q = f_max(low, f_min(high, f[2]));
  const vf p1 = f_sub(p, one), q1 = f_sub(q, one), r1 = f_sub(r, one);
  const vf pp1 = f_mul(p1, p1), qq = f_mul(q, q), rr = f_mul(r, r);
  const vf both = f_add(pp1, f_mul(q1, q1)), sum = f_add(f_add(p, q), r);
#define CORNER(c, square) tetrahedron_corner(slopes, c, f, middle, square, sum, gradients)
  const struct simplex_sum c0 = CORNER(0, f_add(f_add(f_mul(p, p), qq), rr));
  const struct simplex_sum c1 = CORNER(1, f_add(f_add(pp1, qq), rr));
  const struct simplex_sum c2 = CORNER(2, f_add(both, rr));
  const struct simplex_sum c3 = CORNER(3, f_add(both, f_mul(r1, r1)));
#undef CORNER
  return sum_parts(3, slopes, sum_parts(3, slopes, c0, c1), sum_parts(3, slopes, c2, c3));
}

/* The joined words of a triangle's corners: lower, middle, upper. `lower` is a mask of the
 * triangles whose middle corner is at the upper end of x. */
PERLANE_INLINE void triangle_words(const struct axis_cell at[3], vi lower, vi word[4]) {
  const vi x = i_select(lower, at[0].next, at[0].word), y = i_select(lower, at[1].word, at[1].next);
  word[0] = i_dot16(at[0].word, at[1].word);
  word[1] = i_dot16(x, y);
  word[2] = i_dot16(at[0].next, at[1].next);
}

PERLANE_INLINE void tetrahedron_words(const struct axis_cell at[3],
                                      const struct middle_corners *middle, vi word[4]) {
  PERLANE_UNROLL for (int c = 0; c < 4; c++) {
    vi of[3];
    PERLANE_UNROLL for (int a = 0; a < 3; a++) of[a] =
        c == 0   ? at[a].word
        : c == 3 ? at[a].next
                 : i_select(middle->upper[c - 1][a], at[a].next, at[a].word);
    word[c] = i_dot16(of[0], i_dot16(of[1], of[2]));
  }
}

/* The sum at LANES positions. Constant: `dims` and `slopes`. */
PERLANE_INLINE struct simplex_sum simplex_at(int dims, int slopes,
                                             const struct simplex_tables *tables,
                                             const struct axis_cell at[3]) {
  struct simplex_gradients gradients = {.tables = tables};
  if (dims == 2) {
    const vf a = at[0].fraction, b = at[1].fraction, one = f_set(1);
    const vi lower = f_not_above(b, a);
    triangle_words(at, lower, gradients.word);
    const vf middle_a = f_choose(lower, f_sub(a, one), a);
    const vf middle_b = f_choose(lower, b, f_sub(b, one));
    return sum_triangle(slopes, a, b, middle_a, middle_b, &gradients);
  }
  const vf f[3] = {at[0].fraction, at[1].fraction, at[2].fraction};
  const struct middle_corners middle = middle_corners(f);
  tetrahedron_words(at, &middle, gradients.word);
  return sum_tetrahedron(slopes, f, &middle, &gradients);
}

/* ---- Runs ---- */

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
  const uint32_t terms = (uint32_t)dims + 2; /* as many as simplex_cells adds */
  return i_sub(key, i_set(near ? terms * CELL_ZERO * AXIS_MULTIPLIERS[a] : 0));
}

/* Sets all lanes to one octave. */
static void one_octave(struct simplex_octaves *to, const struct field *field, int k, int dims,
                       int near) {
  const struct perlane_octave *octave = &field->octave[k];
  const float amplitude = octave->amplitude[dims - 1];
  to->near = near;
  d_store(to->frequency, d_set(octave->frequency));
  f_store(to->amplitude, f_set(amplitude));
  f_store(to->steepness,
          f_set((float)((double)amplitude * (is_eroded(field) ? 1 : octave->frequency))));
  for (int a = 0; a < dims; a++) {
    d_store(to->start[a], d_set(axis_start(octave, a)));
    i_store(to->key[a], simplex_key(dims, near, a, i_set(octave->key[a])));
  }
}

/* Positions of a run, as d_store stores them, and their octaves. With a step of 0 coordinates are
 * the same in each vector. */
struct simplex_run {
  const double *position[3];
  size_t position_step[3];
  const struct simplex_octaves *octaves;
};

/* Evaluates n positions; with `sum`, adds to what is in `to`. Constant: `dims`, `slopes`, which
 * says whether there are derivatives, and `near`. */
PERLANE_INLINE void run_of_kind(int dims, int slopes, int near, const struct simplex_run *of,
                                size_t n, int sum, int arrays, const struct samples *to) {
  const struct simplex_run run = *of;
  const struct samples out = *to; /* which a store to an array might change */
  const struct simplex_octaves *octaves = run.octaves;
  const struct simplex_tables tables = simplex_tables(dims);
  const vf skew = f_set((float)simplex_skew(dims));
  for (size_t i = 0; i < n; i += LANES) {
    vd cells[3];
    struct simplex_axis axis[3];
    struct axis_cell at[3];
    PERLANE_UNROLL for (int a = 0; a < dims; a++) {
      cells[a] =
          d_mul(d_reload(run.position[a] + i * run.position_step[a]), d_reload(octaves->frequency));
      axis[a] = (struct simplex_axis){d_reload(octaves->start[a]), i_load_aligned(octaves->key[a])};
    }
    simplex_cells(dims, near, cells, axis, at);
    const struct simplex_sum n_at = simplex_at(dims, slopes, &tables, at);
    const vf value = f_mul(n_at.value, f_load_aligned(octaves->amplitude));
    store_sum(out.array[0] + i, sum, value);
    if (!slopes || arrays == 1)
      continue;
    vf all = f_add(n_at.slope[0], n_at.slope[1]);
    if (dims == 3)
      all = f_add(all, n_at.slope[2]);
    const vf skewed = f_mul(all, skew), steepness = f_load_aligned(octaves->steepness);
    PERLANE_UNROLL for (int a = 0; a < dims; a++) {
      const vf slope = f_mul(f_add(n_at.slope[a], skewed), steepness);
      store_sum(out.array[1 + a] + i, sum, slope);
    }
  }
}

#define SIMPLEX_KERNEL(name, dims, slopes, near)                                                   \
  static PERLANE_NOINLINE void name(const struct simplex_run *run, size_t n, int sum, int arrays,  \
                                    const struct samples *to) {                                    \
    run_of_kind(dims, slopes, near, run, n, sum, arrays, to);                                      \
  }
SIMPLEX_KERNEL(simplex_2d, 2, 0, 1)
SIMPLEX_KERNEL(simplex_3d, 3, 0, 1)
SIMPLEX_KERNEL(simplex_slopes_2d, 2, 1, 1)
SIMPLEX_KERNEL(simplex_slopes_3d, 3, 1, 1)
SIMPLEX_KERNEL(simplex_far_2d, 2, 1, 0)
SIMPLEX_KERNEL(simplex_far_3d, 3, 1, 0)
#undef SIMPLEX_KERNEL

/* Evaluates n positions: values, or with more than one array, derivatives too. */
static void simplex_run(int dims, const struct simplex_run *run, size_t n, int sum, int arrays,
                        const struct samples *to) {
  if (!run->octaves->near)
    (dims == 2 ? simplex_far_2d : simplex_far_3d)(run, n, sum, arrays, to);
  else if (arrays > 1)
    (dims == 2 ? simplex_slopes_2d : simplex_slopes_3d)(run, n, sum, arrays, to);
  else
    (dims == 2 ? simplex_2d : simplex_3d)(run, n, sum, arrays, to);
}

#endif
