/* SPDX-License-Identifier: MIT
 *
 * Cellular noise at one position: each lane has one of the 3^D cells around it.
 */
#ifndef PERLANE_NOISE_CELLS_ONE_H
#define PERLANE_NOISE_CELLS_ONE_H

#include "points.h"

/* A position in LANES octaves: its fractions, and the words at offsets -1, 0 and 1 along each axis.
 */
struct one_position {
  float fraction[3][LANES];
  uint32_t word[3][3][LANES];
};

/* The position in octaves k and on, near the origin and without periods. */
static void place_near(struct one_position *to, const struct perlane_octave_arrays *of, int dims,
                       size_t k, const double *position) {
  for (int a = 0; a < dims; a++) {
    const struct near_axis axis =
        near_axis(a, d_load(of->frequency + k), d_load(of->start[a] + k), i_load(of->key[a] + k));
    vi word[3];
    vf fraction;
    const vi input =
        near_input(near_sum(d_set(position[a]), &axis), axis.multiplier, axis.key, &fraction);
    words_of_input(input, axis.step, -1, 1, word);
    f_store(to->fraction[a], fraction);
    for (int o = 0; o < 3; o++)
      i_store(to->word[a][o], word[o]);
  }
}

/* Any position inside the domain in one octave, alike in all lanes. */
static PERLANE_NOINLINE void place_anywhere(struct one_position *to, const struct field *field,
                                            int dims, const struct perlane_octave *octave,
                                            const double *position) {
  for (int a = 0; a < dims; a++) {
    _Alignas(64) double stored[LANES];
    struct axis axis;
    struct cells_around around;
    make_axis(&axis, field, a);
    begin_axis(&axis, octave);
    d_store(stored, d_set(position[a]));
    cells_around(&around, &axis, stored, -1, 1);
    f_store(to->fraction[a], around.fraction);
    for (int o = 0; o < 3; o++)
      i_store(to->word[a][o], around.word[MAX_REACH - 1 + o]);
  }
}

/* Offsets of the cells along each axis, in the order of 2.15; in 2D of the first 9. */
#define ROW -1, 0, 1
#define ROWS -1, -1, -1, 0, 0, 0, 1, 1, 1
#define PLANE(o) o, o, o, o, o, o, o, o, o
static const float OFFSETS_AROUND[3][32] = {{ROW, ROW, ROW, ROW, ROW, ROW, ROW, ROW, ROW},
                                            {ROWS, ROWS, ROWS},
                                            {PLANE(-1), PLANE(0), PLANE(1)}};
#undef ROW
#undef ROWS
#undef PLANE

/* Returns D1 and D2 of all lanes, in each. */
static struct nearest nearest_of_lanes(const struct nearest *lanes) {
  float first[LANES], second[LANES];
  f_store(first, lanes->first);
  f_store(second, lanes->second);
  PERLANE_UNROLL for (int half = LANES / 2; half > 0; half /= 2) {
    PERLANE_UNROLL for (int i = 0; i < half; i++) {
      const float a = first[i], b = first[i + half], c = second[i], d = second[i + half];
      const float next = c < d ? c : d, larger = a < b ? b : a;
      first[i] = a < b ? a : b;
      second[i] = next < larger ? next : larger;
    }
  }
  return (struct nearest){f_set(first[0]), f_set(second[0])};
}

/* Stores the noise in octave i in all lanes and returns 1, or returns 0 if a cell further away
 * might have a nearer point. Constant: `dims`, 2 or 3. Not for borders. */
PERLANE_INLINE int noise_of_one(int dims, const struct cells *cells, const struct one_position *at,
                                int i, float *noise) {
  const size_t count = dims == 2 ? 9 : 27;
  const vf factor = f_set(cells->factor), start = f_set(cells->start), none = f_set(0);
  const vf lane = f_from_d(d_lane_number());
  struct nearest nearest = none_near();
  vf inside = f_set(1);
  float distance[32];
  uint32_t tag[32];
  for (size_t j = 0; j < count; j += LANES) {
    vf from[3];
    vi word = i_set(0);
    PERLANE_UNROLL for (int a = 0; a < dims; a++) {
      const vf offset = f_load(OFFSETS_AROUND[a] + j);
      vf w = f_bits(i_set(at->word[a][1][i]));
      w = f_select_below(offset, none, f_bits(i_set(at->word[a][0][i])), w);
      w = f_select_below(none, offset, f_bits(i_set(at->word[a][2][i])), w);
      word = i_add(word, i_bits(w));
      from[a] = f_sub(f_sub(f_set(at->fraction[a][i]), offset), start);
    }
    const struct cell_point to = cell_point(dims, factor, word, from[0], from[1], from[dims - 1]);
    vf d;
    distances_to(dims, 1, cells, &to, &d);
    if (j + LANES > count) /* lanes past the last cell */
      d = f_select_below(lane, f_set((float)(count - j)), d, f_set(FLT_MAX));
    include_cell(CELL_BOTH, &nearest, d, d);
    if (cells->kind == CELL_TAG) {
      f_store(distance + j, d);
      i_store(tag + j, i_bits(tag_at(cells, &to)));
    }
  }
  nearest = nearest_of_lanes(&nearest);
  for (int a = 0; a < dims; a++)
    inside = f_min(inside, inside_of(f_set(at->fraction[a][i])));
  const vf worst = cells->kind == CELL_BOTH ? nearest.second : nearest.first;
  if (cells->reach > 1 && !i_all(f_not_above(worst, ring_distance(cells, 2, inside))))
    return 0;
  if (cells->kind == CELL_TAG) {
    float first[LANES];
    f_store(first, nearest.first);
    size_t n = 0;
    while (distance[n] > first[0])
      n++;
    nearest.second = f_bits(i_set(tag[n]));
  }
  f_store(noise, noise_of_nearest(cells->kind, cells, &nearest));
  return 1;
}

static PERLANE_NOINLINE int noise_of_one_2d(const struct cells *cells,
                                            const struct one_position *at, int i, float *noise) {
  return noise_of_one(2, cells, at, i, noise);
}
static PERLANE_NOINLINE int noise_of_one_3d(const struct cells *cells,
                                            const struct one_position *at, int i, float *noise) {
  return noise_of_one(3, cells, at, i, noise);
}

#endif
