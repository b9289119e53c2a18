/* SPDX-License-Identifier: MIT
 *
 * Evaluating a list of points, a block at a time: the axis pass of each coordinate into arrays that
 * stay in the first-level cache, then all corners of the cells, fades and folds per lane.
 */

enum { POINT_BLOCK = 128 };

struct block {
  float position[PERLANE_MAX_DIMS][POINT_BLOCK]; /* 0 where a point is outside the domain */
  float axis_memory[PERLANE_MAX_DIMS][AXIS_FLOATS(POINT_BLOCK)];
  float sum[POINT_BLOCK];
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

/* The largest float x for which (double)x * frequency, rounded, is at most `cells`: comparing with
 * it is the same as multiplying first, because the multiplication is monotonic. */
static float largest_within(double cells, double frequency) {
  const double guess = cells / frequency;
  float x = guess < FLT_MAX ? (float)guess : FLT_MAX;
  while (x > 0 && (double)x * frequency > cells)
    x = float_below(x);
  while (x < FLT_MAX && (double)float_above(x) * frequency <= cells)
    x = float_above(x);
  return x;
}

/* Whether (float)x * frequency is exact in float for every x that is near and not so small that
 * its place is 0 anyhow: frequency is a power of two in float's range. */
static int exact_in_float(double frequency) {
  uint64_t bits;
  memcpy(&bits, &frequency, sizeof bits);
  return (bits & UINT64_C(0xFFFFFFFFFFFFF)) == 0 && frequency >= 0x1p-100 && frequency <= 0x1p100;
}

/* Takes n coordinates into the block, 0 for those outside the domain, and narrows the mask of the
 * points inside. Returns whether all are near at `near_limit`. */
static int take_coordinates(struct block *block, int axis, const float *coords, size_t n,
                            float limit, float near_limit) {
  const vi no_sign = i_set(0x7FFFFFFF);
  const vf limits = f_set(limit), near_limits = f_set(near_limit);
  float *position = block->position[axis];
  uint32_t *inside = block->inside;
  vi near = i_set(0xFFFFFFFF);
  for (size_t i = 0; i < n; i += LANES) {
    float last[LANES] = {0};
    const float *from = coords + i;
    if (n - i < LANES)
      from = memcpy(last, from, (n - i) * sizeof(float));
    const vi x = i_bits(f_load(from));
    const vf distance = f_bits(i_and(x, no_sign));
    const vi here = f_not_above(distance, limits);
    i_store(inside + i, axis == 0 ? here : i_and(i_load(inside + i), here));
    f_store(position + i, f_bits(i_and(x, here)));
    near = i_and(near, f_not_above(distance, near_limits));
  }
  return i_all(near);
}

PERLANE_INLINE void sum_corners(const int dims, struct block *block, size_t n, int first,
                                const struct perlane_octave *octave) {
  const struct gradient_tables tables = gradient_tables(dims);
  struct axis_arrays arrays[PERLANE_MAX_DIMS];
  for (int a = 0; a < dims; a++)
    arrays[a] = axis_arrays_in(block->axis_memory[a], POINT_BLOCK, 0);
  const vi line = word_of_the_line(octave);
  for (size_t i = 0; i < n; i += LANES) {
    struct axis_lanes axis[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++)
      axis[a] = axis_load(&arrays[a], i);
    vf v;
    if (dims == 1) {
      v = row_edge(1, &tables, &axis[0], line, line).value;
    } else {
      const struct row lower =
          lattice_row(dims, &tables, &axis[0], axis[1].word, &axis[2], &axis[3]);
      const struct row upper =
          lattice_row(dims, &tables, &axis[0], axis[1].next, &axis[2], &axis[3]);
      v = fold_rows(lower.value, upper.value, lower.y, upper.y, &axis[1]);
    }
    f_store(block->sum + i, first ? v : f_add(f_load(block->sum + i), v));
  }
}

PERLANE_INLINE void evaluate_points(const int dims, const perlane_noise *noise, size_t n,
                                    const float *const *coords, float *out) {
  struct block block;
  const float limit = largest_within(0x1p53, noise->highest_frequency);
  const float near_limit = largest_within(NEAR_CELLS - 1, noise->highest_frequency);
  const vi not_a_number = i_set(0x7FC00000);
  for (size_t start = 0; start < n; start += POINT_BLOCK) {
    const size_t left = n - start, count = left < POINT_BLOCK ? left : POINT_BLOCK;
    int near = 1;
    for (int a = 0; a < dims; a++)
      near &= take_coordinates(&block, a, coords[a] + start, count, limit, near_limit);
    for (int k = 0; k < noise->params.octaves; k++) {
      const struct perlane_octave *octave = &noise->octave[k];
      const enum point_path path = !near                               ? POINTS_FAR
                                   : exact_in_float(octave->frequency) ? POINTS_NEAR_FLOAT
                                                                       : POINTS_NEAR;
      for (int a = 0; a < dims; a++) {
        const struct axis_arrays to = axis_arrays_in(block.axis_memory[a], POINT_BLOCK, 0);
        axis_pass_points_by(path, &to, block.position[a], count, dims, a, octave);
      }
      sum_corners(dims, &block, count, k == 0, octave);
    }
    for (size_t i = 0; i < count; i += LANES) {
      const vi value =
          i_select(i_load(block.inside + i), i_bits(f_load(block.sum + i)), not_a_number);
      if (i + LANES <= count)
        f_store(out + start + i, f_bits(value));
      else
        f_store_some(out + start + i, f_bits(value), count - i);
    }
  }
}

static void evaluate_points_1d(const perlane_noise *noise, size_t n, const float *const *coords,
                               float *out) {
  evaluate_points(1, noise, n, coords, out);
}

static void evaluate_points_2d(const perlane_noise *noise, size_t n, const float *const *coords,
                               float *out) {
  evaluate_points(2, noise, n, coords, out);
}

static void evaluate_points_3d(const perlane_noise *noise, size_t n, const float *const *coords,
                               float *out) {
  evaluate_points(3, noise, n, coords, out);
}

static void evaluate_points_4d(const perlane_noise *noise, size_t n, const float *const *coords,
                               float *out) {
  evaluate_points(4, noise, n, coords, out);
}
