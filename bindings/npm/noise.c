/* SPDX-License-Identifier: MIT
 *
 * The module of perlane/noise: Perlin and simplex noise at one position in 2D or 3D. The words are
 * those of the lane kernels, but a lane has an axis or a corner of the cell instead of a position,
 * because the caller waits for each value: this takes half the time of one octave in one of four
 * lanes.
 */
#include "../../src/strict.h"

#include "../../src/simd128/lanes.h"

#pragma GCC diagnostic ignored "-Wunused-function" /* the kernels' headers have more of them */

#include "../../src/noise/lattice/combine.h"
#include "../../src/noise/simplex/simplex.h"

_Static_assert(LANES == 4, "a lane for each axis, and for each corner of a tetrahedron");
#define SPREAD(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)

/* The constants of an octave (docs/specification.md, 3); noise.js knows this layout. The last entry
 * of arrays is not used. */
struct octave {
  double start[LANES]; /* axis_start */
  uint32_t key[LANES];
  double frequency;
  float amplitude;
};

/* ---- Perlin noise ---- */

/* The gradients at the corners of one side of a cell, at the words z along the third axis. */
PERLANE_INLINE struct gradient side(int dims, const struct gradient_tables *tables,
                                    const struct axis_lanes *axis, vi z) {
  const vi low = axis->word, high = axis->next;
  const struct corner at = {.x = __builtin_shufflevector(low, high, 0, 4, 0, 4),
                            .y = __builtin_shufflevector(low, high, 1, 1, 5, 5),
                            .z = z};
  return quick_gradient(dims, tables, joined_words(dims, at));
}

/* The sum of the lower and the upper ramp of the two edges of a side, and of two more. */
PERLANE_INLINE vf ramps(vf v) {
  return f_add(SPREAD(v, 0, 2, 0, 2), SPREAD(v, 1, 3, 1, 3));
}

/* The tilts of both edges. */
PERLANE_INLINE vf tilts(vf fade, vf v) {
  return lerp(fade, SPREAD(v, 0, 2, 0, 2), SPREAD(v, 1, 3, 1, 3));
}

PERLANE_INLINE float perlin(int dims, const struct octave *of, int near, vd cells) {
  const vd start = d_load(of->start);
  vf fraction;
  vi lower, upper; /* cells as words that the hash takes */
  if (near) {
    lower = near_cell(d_add(cells, start), &fraction);
    upper = i_add(lower, i_set(1));
  } else {
    const struct cell_halves cell = halves_of(far_cell(cells, start, &fraction), d_set(0));
    lower = word_of_halves(cell, 0);
    upper = word_of_halves(cell, 1);
  }
  const vi multiplier = i_load(AXIS_MULTIPLIERS), key = i_load(of->key);
  struct axis_lanes axis = {.word = axis_word(i_add(i_mul(lower, multiplier), key)),
                            .next = axis_word(i_add(i_mul(upper, multiplier), key))};
  const struct factors factors = {.amplitude = f_set(of->amplitude)};
  weigh(0, fraction, fade_constants(PERLANE_FADE_QUINTIC), factors, &axis);

  const struct gradient_tables tables = gradient_tables(PERLANE_GRADIENTS_DEFAULT, dims);
  const vf weights = __builtin_shufflevector(axis.a0, axis.a1, 0, 4, 0, 4);
  const vf fade = fade_of(axis.centred), fade_x = SPREAD(fade, 0, 0, 0, 0);
  const struct axis_lanes y = {.centred = SPREAD(axis.centred, 1, 1, 1, 1),
                               .a0 = SPREAD(axis.a0, 1, 1, 1, 1),
                               .a1 = SPREAD(axis.a1, 1, 1, 1, 1)};
  const struct axis_lanes z = {.centred = SPREAD(axis.centred, 2, 2, 2, 2),
                               .a0 = SPREAD(axis.a0, 2, 2, 2, 2),
                               .a1 = SPREAD(axis.a1, 2, 2, 2, 2)};
  const struct gradient near_z = side(dims, &tables, &axis, SPREAD(axis.word, 2, 2, 2, 2));
  struct edge edges = {.value = ramps(f_mul(weights, near_z.x)), .y = tilts(fade_x, near_z.y)};
  if (dims == 3) {
    const struct gradient far_z = side(dims, &tables, &axis, SPREAD(axis.next, 2, 2, 2, 2));
    edges.z = tilts(fade_x, near_z.z);
    edges = fold_z(0, edges,
                   (struct edge){.value = ramps(f_mul(weights, far_z.x)),
                                 .y = tilts(fade_x, far_z.y),
                                 .z = tilts(fade_x, far_z.z)},
                   &z);
  }
  return fold_ends(0, edges.value, SPREAD(edges.value, 1, 1, 1, 1), edges.y,
                   SPREAD(edges.y, 1, 1, 1, 1), &y)[0];
}

/* ---- Simplex noise ---- */

/* Selects 1 in the lanes of corners that are at the upper end of an axis, which `larger` other axes
 * precede: corner c is at those of the c first. */
PERLANE_INLINE vi upper_corners(int dims, int larger) {
  const vi corner = dims == 2 ? (vi){0, 1, 2, 2} : (vi){0, 1, 2, 3};
  return (vi)(corner > (vi)i_set((uint32_t)larger));
}

PERLANE_INLINE float simplex(int dims, const struct octave *of, int near, const double x_k[3]) {
  vd cells[3];
  struct simplex_axis axis[3];
  struct axis_cell at[3];
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    cells[a] = d_set(x_k[a]);
    axis[a] =
        (struct simplex_axis){d_set(of->start[a]), simplex_key(dims, near, a, i_set(of->key[a]))};
  }
  simplex_cells(dims, near, cells, axis, at);

  float f[3];
  PERLANE_UNROLL for (int a = 0; a < dims; a++) f[a] = at[a].fraction[0];
  const int xy = f[0] >= f[1], xz = dims == 3 && f[0] >= f[2], yz = dims == 3 && f[1] >= f[2];
  const int larger[3] = {dims == 2 ? !xy : !xy + !xz, dims == 2 ? xy : xy + !yz, xz + yz};
  vf from[3];
  vi word[3];
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    const vi upper = upper_corners(dims, larger[a]);
    from[a] = f_sub(at[a].fraction, f_bits(i_and(upper, i_bits(f_set(1)))));
    word[a] = i_select(upper, at[a].next, at[a].word);
  }
  vf falloff;
  if (dims == 2) {
    const vf e = f_sub(from[0], from[1]);
    falloff = f_sub(f_sub(f_set(0.75f), f_mul(e, e)), f_mul(from[0], from[1]));
  } else {
    const vf x = at[0].fraction, y = at[1].fraction, z = at[2].fraction;
    const vf high = f_max(x, y), low = f_min(x, y);
    vf p = f_max(high, z), r = f_min(low, z), q = f_max(low, f_min(high, z));
    const vf sum = f_sub(f_add(f_add(p, q), r), (vf){0, 1, 2, 3});
    p = f_sub(p, (vf){0, 1, 1, 1});
    q = f_sub(q, (vf){0, 0, 1, 1});
    r = f_sub(r, (vf){0, 0, 0, 1});
    const vf square = f_add(f_add(f_mul(p, p), f_mul(q, q)), f_mul(r, r));
    falloff = f_sub(f_add(f_set(0.5f), f_mul(f_mul(sum, sum), f_set(0.25f))), square);
  }
  const struct corner corner = {word[0], word[1], word[dims - 1], word[0]};
  const vi index = i_index8(joined_words(dims, corner));
  const struct simplex_tables tables = simplex_tables(dims);
  vf g[3];
  PERLANE_UNROLL for (int a = 0; a < dims; a++) g[a] = f_table8(tables.component[a], index);
  const vf part = corner_part(dims, 0, falloff, from, g, falloff).value;
  const float sum =
      dims == 2 ? (part[0] + part[2]) + part[1] : (part[0] + part[1]) + (part[2] + part[3]);
  return sum * of->amplitude;
}

/* ---- What JavaScript calls ---- */

PERLANE_INLINE float octave_at(int dims, int is_simplex, const struct octave *of,
                               const double position[3]) {
  double x_k[3] = {0, 0, 0}, farthest = 0;
  PERLANE_UNROLL for (int a = 0; a < dims; a++) {
    x_k[a] = position[a] * of->frequency;
    const double cells = __builtin_fabs(x_k[a]);
    if (!(cells <= 0x1p53))
      return __builtin_nanf("");
    farthest = cells > farthest ? cells : farthest;
  }
  const int near = farthest < NEAR_CELLS;
  if (is_simplex)
    return near ? simplex(dims, of, 1, x_k) : simplex(dims, of, 0, x_k);
  const vd cells = {{x_k[0], x_k[1]}, {x_k[2], 0}};
  return near ? perlin(dims, of, 1, cells) : perlin(dims, of, 0, cells);
}

PERLANE_INLINE float value(int dims, int is_simplex, const struct octave *of, int octaves, double x,
                           double y, double z) {
  const double position[3] = {x, y, z};
  float sum = -0.0f; /* the sum with any number is that number */
  for (int k = 0; k < octaves; k++)
    sum += octave_at(dims, is_simplex, of + k, position);
  return sum;
}

#define EXPORT __attribute__((visibility("default")))

EXPORT float perlin2(const struct octave *of, int octaves, double x, double y) {
  return value(2, 0, of, octaves, x, y, 0);
}
EXPORT float perlin3(const struct octave *of, int octaves, double x, double y, double z) {
  return value(3, 0, of, octaves, x, y, z);
}
EXPORT float simplex2(const struct octave *of, int octaves, double x, double y) {
  return value(2, 1, of, octaves, x, y, 0);
}
EXPORT float simplex3(const struct octave *of, int octaves, double x, double y, double z) {
  return value(3, 1, of, octaves, x, y, z);
}
