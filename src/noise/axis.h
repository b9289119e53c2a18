/* SPDX-License-Identifier: MIT
 *
 * The axis pass: what one axis contributes at each of a run of positions, kept in arrays. A grid
 * makes it once for its columns, rows, planes; a list of points for each of its blocks.
 */

/* Arrays with room for whole vectors. cell is NULL where it is not needed. */
struct axis_arrays {
  float *centred, *a0, *a1;
  uint32_t *word, *next;
  double *cell;
};

/* Floats that the arrays of n positions take; n is a multiple of LANES. */
#define AXIS_FLOATS(n) (5 * (n))
#define AXIS_FLOATS_WITH_CELL(n) (7 * (n))

/* Lays the arrays out in `memory`, which is aligned to 64 bytes. */
PERLANE_INLINE struct axis_arrays axis_arrays_in(float *memory, size_t n, int with_cell) {
  float *from = memory + (with_cell ? 2 * n : 0);
  return (struct axis_arrays){
      .centred = from,
      .a0 = from + n,
      .a1 = from + 2 * n,
      .word = (uint32_t *)(void *)(from + 3 * n),
      .next = (uint32_t *)(void *)(from + 4 * n),
      .cell = with_cell ? (double *)(void *)memory : NULL,
  };
}

PERLANE_INLINE void axis_store(const struct axis_arrays *to, size_t i, struct axis_lanes axis) {
  f_store(to->centred + i, axis.centred);
  f_store(to->a0 + i, axis.a0);
  f_store(to->a1 + i, axis.a1);
  i_store(to->word + i, axis.word);
  i_store(to->next + i, axis.next);
}

PERLANE_INLINE struct axis_lanes axis_load(const struct axis_arrays *from, size_t i) {
  return (struct axis_lanes){f_load(from->centred + i), f_load(from->a0 + i), f_load(from->a1 + i),
                             i_load(from->word + i), i_load(from->next + i)};
}

/* The contribution of one position, in every lane. */
PERLANE_INLINE struct axis_lanes axis_broadcast(const struct axis_arrays *from, size_t i) {
  return (struct axis_lanes){f_set(from->centred[i]), f_set(from->a0[i]), f_set(from->a1[i]),
                             i_set(from->word[i]), i_set(from->next[i])};
}

PERLANE_INLINE struct axis_constants axis_constants(const struct perlane_octave *octave, int dims,
                                                    int axis) {
  static const uint32_t multiplier[PERLANE_MAX_DIMS] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35,
                                                        0x27D4EB2F};
  return (struct axis_constants){f_set(octave->amplitude[dims - 1]), i_set(multiplier[axis]),
                                 i_set(octave->key[axis])};
}

/* In 1D the hash takes the word of y's cell 0. */
PERLANE_INLINE vi word_of_the_line(const struct perlane_octave *octave) {
  return axis_word(i_set(0), i_set(octave->key[1]));
}

/* (double)(index + 0), (double)(index + 1), ...: each rounded once, over all of int64. A multiple
 * of 2^20 below 2^63 is exact in a double, and so is what is left of the index. */
PERLANE_INLINE vd lane_indices(int64_t index) {
  const int64_t rest = index & 0xFFFFF;
  return d_add(d_set((double)(index - rest)), d_add(d_set((double)rest), d_lane_number()));
}

PERLANE_INLINE double magnitude(double v) {
  return v < 0 ? -v : v;
}

/* Whether all samples of a grid's axis are near at this frequency: its ends decide. */
PERLANE_INLINE int grid_axis_is_near(const perlane_grid *grid, int axis, double frequency) {
  const int64_t last = grid->first[axis] + (int64_t)(grid->count[axis] - 1);
  const double x0 = grid->origin[axis] + (double)grid->first[axis] * grid->step[axis];
  const double x1 = grid->origin[axis] + (double)last * grid->step[axis];
  return magnitude(x0 * frequency) < NEAR_CELLS && magnitude(x1 * frequency) < NEAR_CELLS;
}

/* The pass over samples start .. start + n - 1 of a grid's axis, in one octave. Whole vectors are
 * written: lanes past n hold what lies beyond. */
static void axis_pass_grid(const struct axis_arrays *to, const perlane_grid *grid, int axis,
                           size_t start, size_t n, const struct perlane_octave *octave) {
  const int64_t first = (int64_t)((uint64_t)grid->first[axis] + start);
  const vd origin = d_set(grid->origin[axis]), step = d_set(grid->step[axis]);
  const vd frequency = d_set(octave->frequency);
  const struct axis_constants constants = axis_constants(octave, grid->dims, axis);
  const struct axis_arrays out = *to;
  const int near = grid_axis_is_near(grid, axis, octave->frequency);
  for (size_t i = 0; i < n; i += LANES) {
    const vd index = lane_indices(first + (int64_t)i);
    const vd cells = d_mul(d_add(origin, d_mul(index, step)), frequency);
    vd cell;
    if (near)
      axis_store(&out, i, axis_at(1, place_near(cells, &cell), &constants));
    else
      axis_store(&out, i, axis_at(0, place_far(cells, &cell), &constants));
    if (out.cell)
      d_store(out.cell + i, cell);
  }
}

/* How a block of points finds its places. */
enum point_path {
  POINTS_FAR,        /* somewhere a point is not near */
  POINTS_NEAR,       /* all near; position * frequency needs a double */
  POINTS_NEAR_FLOAT, /* all near, and position * frequency is exact in float */
};

/* The pass over n float coordinates, all inside the domain; whole vectors are read and written. */
PERLANE_INLINE void axis_pass_points(enum point_path path, const struct axis_arrays *to,
                                     const float *position, size_t n, int dims, int axis,
                                     const struct perlane_octave *octave) {
  const struct axis_constants constants = axis_constants(octave, dims, axis);
  const struct axis_arrays out = *to;
  const vf frequency_f = f_set((float)octave->frequency);
  const vd frequency = d_set(octave->frequency);
  for (size_t i = 0; i < n; i += LANES) {
    const vf x = f_load(position + i);
    vd cell;
    if (path == POINTS_NEAR_FLOAT)
      axis_store(&out, i, axis_at(1, place_near_float(f_mul(x, frequency_f)), &constants));
    else if (path == POINTS_NEAR)
      axis_store(&out, i, axis_at(1, place_near(d_mul(d_from_f(x), frequency), &cell), &constants));
    else
      axis_store(&out, i, axis_at(0, place_far(d_mul(d_from_f(x), frequency), &cell), &constants));
  }
}

static void axis_pass_points_by(enum point_path path, const struct axis_arrays *to,
                                const float *position, size_t n, int dims, int axis,
                                const struct perlane_octave *octave) {
  if (path == POINTS_NEAR_FLOAT)
    axis_pass_points(POINTS_NEAR_FLOAT, to, position, n, dims, axis, octave);
  else if (path == POINTS_NEAR)
    axis_pass_points(POINTS_NEAR, to, position, n, dims, axis, octave);
  else
    axis_pass_points(POINTS_FAR, to, position, n, dims, axis, octave);
}
