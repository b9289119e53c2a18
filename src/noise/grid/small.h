/* SPDX-License-Identifier: MIT
 *
 * Filling small grids of plain sums of octaves.
 *
 * A grid of W x H samples needs W + H evaluations of an axis, and one lattice row more than it has
 * rows of cells. For a tile of 8x8 samples that is less work than to lay out the arrays of a strip
 * (strip.h). So nothing is laid out here: two vectors of columns are filled at a time, from the top
 * of the grid to its bottom and plane after plane, and everything that is kept has a fixed place on
 * the stack. For each octave these are
 *   - the axis passes of the two vectors, of all rows and of all planes;
 *   - the cell rows, each a run of sample rows between the same two lattice rows;
 *   - in 3D, at each lattice row, the edges at both z around the current plane.
 * In 2D the edges are the lattice rows; in 3D one fold of them for each plane is. The rest is
 * emission (emission.h), in which the two vectors share the weights of a sample row.
 */
#ifndef PERLANE_NOISE_GRID_SMALL_H
#define PERLANE_NOISE_GRID_SMALL_H

#include "emission.h"
#include "lattice_rows.h"

enum { SMALL_VECTORS = 2 }; /* vectors of columns that are filled together */

/* Sample rows begin .. end - 1, and the indices of the lattice rows around them. */
struct cell_row {
  uint16_t begin, end, lower, upper;
};

/* A lattice row at the columns that are filled together. */
struct small_row {
  vf value[SMALL_VECTORS], tilt[SMALL_VECTORS];
};

/* The edges of a lattice row at two words along z. */
struct small_edges {
  float slot[2][SMALL_VECTORS][EDGE_ARRAYS * LANES];
};

struct small_octave {
  struct axis_arrays axis[3];
  struct cell_row *cell_row;
  uint32_t *lattice_row; /* hash words along y */
  size_t cell_rows, lattice_rows;
  struct small_edges *edges; /* of each lattice row, at these words along z: */
  uint32_t z_word[2];
  int lower; /* index of the word at the lower corner of the current plane */
};

struct small_fill {
  const perlane_noise *noise;
  const struct perlane_region *grid;
  float *out;
  size_t vectors;         /* of columns that are filled together: 1 or 2 */
  size_t column, further; /* where the first begins, and how much further the second */
  struct small_octave octave[PERLANE_MAX_OCTAVES];
  struct cell_row cell_row[SMALL_ROWS];
  uint32_t lattice_row[SMALL_ROWS];
  _Alignas(64) float table[AXIS_FLOATS * SMALL_ENTRIES(LANES)];
  union {
    _Alignas(64) struct small_row row[SMALL_OCTAVE_ROWS(LANES)];
    struct {
      _Alignas(64) struct small_row row_3d[SMALL_ROWS_3D(LANES)]; /* those of `row` that 3D has */
      _Alignas(64) struct small_edges edges[SMALL_ROWS_3D(LANES)];
    };
  };
  _Alignas(64) float tile[SMALL_COUNT * SMALL_VECTORS * LANES];
};

/* ---- Axes ---- */

/* Makes the axis pass of n samples along an axis in octave k. The first vector begins at sample
 * `start`, each other one `further` samples after the one before. */
static PERLANE_NOINLINE void small_axis_pass(const struct axis_arrays *arrays,
                                             const struct small_fill *fill, int axis, size_t start,
                                             size_t n, size_t further, int k) {
  const struct axis_arrays pass = *arrays;
  const struct perlane_region *grid = fill->grid;
  const struct perlane_octave *octave = &fill->noise->octave[k];
  const vd origin = d_set(grid->origin[axis]), step = d_set(grid->step[axis]);
  const vd advance = d_set((double)further);
  const struct near_axis constants = near_axis_in(axis, octave);
  const struct fade fade = fade_constants((perlane_fade)fill->noise->params.fade);
  const struct factors factors = {.amplitude = f_set(octave->amplitude[grid->dims - 1])};
  vd index = d_add(d_set((double)(grid->first[axis] + (int64_t)start)), d_lane_number());
  for (size_t i = 0; i < n; i += LANES) {
    const vd sum = near_sum(d_add(origin, d_mul(index, step)), &constants);
    const struct axis_cell cell = near_corners(sum, &constants);
    struct axis_lanes lanes;
    weigh(0, cell.fraction, fade, factors, &lanes);
    axis_store_weights(0, &pass, i, &lanes);
    i_store(pass.word + i, cell.word);
    i_store(pass.next + i, cell.next);
    index = d_add(index, advance);
  }
}

/* Returns how many entries the axis pass of a grid has along y or z. */
PERLANE_INLINE size_t small_entries(const struct perlane_region *grid, int axis) {
  return (grid->count[axis] + LANES - 1) / LANES * LANES;
}

/* Makes the axis passes along y and z, and finds room for those of columns. */
static void begin_small_axes(struct small_fill *fill) {
  const struct perlane_region *grid = fill->grid;
  float *memory = fill->table;
  for (int axis = 1; axis < grid->dims; axis++)
    for (int k = 0; k < grid->octaves; k++) {
      struct axis_arrays *arrays = &fill->octave[k].axis[axis];
      *arrays = axis_arrays_in(memory, small_entries(grid, axis), 0);
      small_axis_pass(arrays, fill, axis, 0, grid->count[axis], LANES, k);
      memory += AXIS_FLOATS * small_entries(grid, axis);
    }
  for (int k = 0; k < grid->octaves; k++, memory += AXIS_FLOATS * SMALL_VECTORS * LANES)
    fill->octave[k].axis[0] = axis_arrays_in(memory, SMALL_VECTORS * LANES, 0);
}

/* Makes the axis passes of the columns from `start` on: of one or two vectors, the last of which
 * ends with the row. */
static void begin_small_columns(struct small_fill *fill, size_t start) {
  const size_t count = fill->grid->count[0], last = count > LANES ? count - LANES : 0;
  const size_t second = start + LANES < last ? start + LANES : last;
  fill->vectors = start < last ? 2 : 1;
  fill->column = start < last ? start : last;
  fill->further = second - fill->column;
  for (int k = 0; k < fill->grid->octaves; k++)
    small_axis_pass(&fill->octave[k].axis[0], fill, 0, fill->column, fill->vectors * LANES,
                    fill->further, k);
}

/* ---- Cell rows ---- */

/* Returns the index of the lattice row with this word: one of the last, which are those around the
 * cell row before, or a new one. */
PERLANE_INLINE uint16_t find_lattice_row(struct small_octave *octave, uint32_t word) {
  const size_t n = octave->lattice_rows;
  for (size_t i = n; i > 0 && i + 3 > n; i--)
    if (octave->lattice_row[i - 1] == word)
      return (uint16_t)(i - 1);
  octave->lattice_row[n] = word;
  octave->lattice_rows++;
  return (uint16_t)n;
}

/* Finds the cell rows of an octave, and the lattice rows around them. Cells may
 * share a word, but not both. */
static void find_cell_rows(struct small_octave *octave, size_t rows) {
  const uint32_t *const word = octave->axis[1].word, *const next = octave->axis[1].next;
  octave->cell_rows = octave->lattice_rows = 0;
  for (size_t r = 0, end; r < rows; r = end) {
    const vi here = i_set(word[r]), above = i_set(next[r]);
    for (end = r + 1; end + LANES <= rows && m_all(m_and(i_equal(i_load(word + end), here),
                                                         i_equal(i_load(next + end), above)));)
      end += LANES;
    while (end < rows && word[end] == word[r] && next[end] == next[r])
      end++;
    const uint16_t lower = find_lattice_row(octave, word[r]);
    const uint16_t upper = find_lattice_row(octave, next[r]);
    octave->cell_row[octave->cell_rows++] =
        (struct cell_row){(uint16_t)r, (uint16_t)end, lower, upper};
  }
}

/* Finds the cell rows of all octaves. */
static void begin_small_rows(struct small_fill *fill) {
  size_t cell_rows = 0, lattice_rows = 0;
  for (int k = 0; k < fill->grid->octaves; k++) {
    struct small_octave *octave = &fill->octave[k];
    octave->cell_row = fill->cell_row + cell_rows;
    octave->lattice_row = fill->lattice_row + lattice_rows;
    octave->edges = fill->edges + (fill->grid->dims > 2 ? lattice_rows : 0);
    find_cell_rows(octave, fill->grid->count[1]);
    cell_rows += octave->cell_rows;
    lattice_rows += octave->lattice_rows;
  }
}

/* ---- Lattice rows ---- */

PERLANE_INLINE struct edge small_edge(int dims, const struct lattice *lattice,
                                      const struct axis_arrays *columns, size_t vector, uint32_t y,
                                      uint32_t z) {
  const struct axis_lanes x = axis_load(0, columns, vector * LANES);
  const struct ends ends = ends_of(SOURCE_QUICK, dims, lattice, &x, i_set(y), i_set(z), i_set(0));
  return edge_between(0, SOURCE_QUICK, dims, &ends, &x);
}

PERLANE_INLINE void small_tables(struct lattice *lattice, int dims, const struct small_fill *fill) {
  lattice->tables = gradient_tables((perlane_gradients)fill->noise->params.gradients, dims);
}

/* Evaluates the lattice rows of an octave in 2D. */
static PERLANE_NOINLINE void small_rows(struct small_fill *fill,
                                        const struct small_octave *octave) {
  struct lattice lattice;
  small_tables(&lattice, 2, fill);
  for (size_t n = 0; n < octave->lattice_rows; n++)
    for (size_t v = 0; v < fill->vectors; v++) {
      const struct edge edge =
          small_edge(2, &lattice, &octave->axis[0], v, octave->lattice_row[n], 0);
      fill->row[n].value[v] = edge.value;
      fill->row[n].tilt[v] = edge.y;
    }
}

/* Evaluates the edges of all lattice rows of an octave at a word along z. */
static PERLANE_NOINLINE void evaluate_small_edges(const struct small_fill *fill,
                                                  struct small_octave *octave, int slot,
                                                  uint32_t z) {
  struct lattice lattice;
  small_tables(&lattice, 3, fill);
  for (size_t n = 0; n < octave->lattice_rows; n++)
    for (size_t v = 0; v < fill->vectors; v++)
      edge_store(octave->edges[n].slot[slot][v], LANES,
                 small_edge(3, &lattice, &octave->axis[0], v, octave->lattice_row[n], z));
  octave->z_word[slot] = z;
}

/* Finds or evaluates the edges of an octave around a plane. */
static void find_small_edges(const struct small_fill *fill, struct small_octave *octave,
                             size_t plane) {
  const uint32_t words[2] = {octave->axis[2].word[plane], octave->axis[2].next[plane]};
  const uint32_t *held = octave->z_word;
  if (plane > 0 && held[octave->lower] == words[0] && held[1 - octave->lower] == words[1])
    return;
  octave->lower = plane > 0 && (held[1] == words[0] || held[0] == words[1]);
  for (int corner = 0; corner < 2; corner++) {
    const int slot = corner ^ octave->lower;
    if (plane == 0 || held[slot] != words[corner])
      evaluate_small_edges(fill, octave, slot, words[corner]);
  }
}

/* Folds the lattice rows of an octave from the edges around a plane. Constant: `vectors`. */
PERLANE_INLINE void fold_small_rows_as(size_t vectors, struct small_fill *fill,
                                       const struct small_octave *octave, size_t plane) {
  const struct axis_arrays *planes = &octave->axis[2];
  const struct axis_lanes z = {.centred = f_set(planes->centred[plane]),
                               .a0 = f_set(planes->a0[plane]),
                               .a1 = f_set(planes->a1[plane])};
  const struct small_edges *edges = octave->edges;
  struct small_row *row = fill->row, *const end = row + octave->lattice_rows;
  const int lower = octave->lower;
  for (; row < end; row++, edges++)
    PERLANE_UNROLL for (size_t v = 0; v < vectors; v++) {
      const struct edge folded = fold_z(0, edge_load(edges->slot[lower][v], LANES),
                                        edge_load(edges->slot[1 - lower][v], LANES), &z);
      row->value[v] = folded.value;
      row->tilt[v] = folded.y;
    }
}

static PERLANE_NOINLINE void fold_small_rows(struct small_fill *fill,
                                             const struct small_octave *octave, size_t plane) {
  if (fill->vectors == 1)
    fold_small_rows_as(1, fill, octave, plane);
  else
    fold_small_rows_as(2, fill, octave, plane);
}

/* ---- Samples ---- */

/* A destination of sample rows: the tile or the output. */
struct small_target {
  float *to;
  ptrdiff_t pitch; /* from one row to the next */
  size_t further;  /* from the first vector of a row to the second */
};

/* Emits the sample rows of an octave; with `add`, added to those in the tile. Constant: `vectors`
 * and `add`. */
PERLANE_INLINE void emit_small_as(size_t vectors, int add, const struct small_fill *fill,
                                  const struct small_octave *octave,
                                  const struct small_target *target) {
  const struct axis_arrays rows = octave->axis[1];
  const struct small_target local = *target;
  for (size_t n = 0; n < octave->cell_rows; n++) {
    const struct cell_row cell_row = octave->cell_row[n];
    const struct small_row *lower = &fill->row[cell_row.lower], *upper = &fill->row[cell_row.upper];
    struct cell_lanes cell[SMALL_VECTORS];
    PERLANE_UNROLL for (size_t v = 0; v < vectors; v++) cell[v] = (struct cell_lanes){
        middle(lower->value[v], upper->value[v]), f_sub(upper->value[v], lower->value[v]),
        lower->tilt[v], upper->tilt[v]};
    const float *sum = fill->tile + (size_t)cell_row.begin * SMALL_VECTORS * LANES;
    ptrdiff_t row = cell_row.begin * local.pitch; /* no pointer may go past the last row */
    for (size_t r = cell_row.begin; r < cell_row.end; r++) {
      struct fold_y y;
      PERLANE_UNROLL for (size_t v = 0; v < vectors; v++) {
        if (v == 0 || RELOADS_WEIGHTS)
          y = (struct fold_y){f_set(rows.centred[r]), f_set(rows.a0[r]), f_set(rows.a1[r])};
        f_store(local.to + row + (v == 0 ? 0 : local.further),
                sample(add, cell[v], y, sum + v * LANES));
      }
      row += local.pitch;
      sum += SMALL_VECTORS * LANES;
    }
  }
}

static PERLANE_NOINLINE void emit_small(const struct small_fill *fill, int k,
                                        const struct small_target *target) {
  const struct small_octave *octave = &fill->octave[k];
  if (fill->vectors == 1 && k == 0)
    emit_small_as(1, 0, fill, octave, target);
  else if (fill->vectors == 1)
    emit_small_as(1, 1, fill, octave, target);
  else if (k == 0)
    emit_small_as(2, 0, fill, octave, target);
  else
    emit_small_as(2, 1, fill, octave, target);
}

/* Fills the current columns of a plane. */
static void fill_small_plane(struct small_fill *fill, size_t plane) {
  const struct perlane_region *grid = fill->grid;
  const int last = grid->octaves - 1;
  float *const out = fill->out + fill->column + (ptrdiff_t)plane * grid->stride[2];
  const struct small_target tile = {fill->tile, SMALL_VECTORS * LANES, LANES};
  const struct small_target rows = {out, grid->stride[1], fill->further};
  const int is_part = grid->count[0] < LANES; /* rows are less than a vector */
  for (int k = 0; k <= last; k++) {
    struct small_octave *octave = &fill->octave[k];
    if (grid->dims == 2) {
      small_rows(fill, octave);
    } else {
      find_small_edges(fill, octave, plane);
      fold_small_rows(fill, octave, plane);
    }
    emit_small(fill, k, k == last && !is_part ? &rows : &tile);
  }
  for (size_t r = 0; r < grid->count[1] && is_part; r++)
    f_store_some(out + (ptrdiff_t)r * grid->stride[1],
                 f_load(fill->tile + r * SMALL_VECTORS * LANES), grid->count[0]);
}

/* ---- The fill ---- */

/* Returns 1 if an axis has few samples, all near at this frequency, whose indices are doubles. */
PERLANE_INLINE int is_small_axis(const struct perlane_region *grid, int axis, double frequency) {
  const double farthest = perlane_magnitude((double)grid->first[axis]) + (double)SMALL_COUNT;
  const double reach =
      perlane_magnitude(grid->origin[axis]) + farthest * perlane_magnitude(grid->step[axis]);
  return grid->count[axis] <= SMALL_COUNT && farthest <= 0x1p52 && is_near(reach * frequency);
}

/* Returns 1 if there is room for the axis passes and the lattice rows of all octaves. Samples
 * that cover c cells meet at most c + 3 lattice rows, and each sample row meets two. */
static int has_small_octaves(const perlane_noise *noise, const struct perlane_region *grid) {
  const double rows = (double)grid->count[1],
               max = grid->dims == 2 ? SMALL_ROWS : SMALL_ROWS_3D(LANES);
  const size_t entries = SMALL_VECTORS * LANES + small_entries(grid, 1) +
                         (grid->dims == 2 ? 0 : small_entries(grid, 2));
  double all = 0;
  for (int k = 0; k < grid->octaves; k++) {
    const double cells = perlane_magnitude(grid->step[1]) * noise->octave[k].frequency * rows;
    const double lattice_rows = cells + 3 < 2 * rows ? cells + 3 : 2 * rows;
    all += lattice_rows;
    if (lattice_rows > SMALL_OCTAVE_ROWS(LANES))
      return 0;
  }
  return all <= max && entries * (size_t)grid->octaves <= SMALL_ENTRIES(LANES);
}

/* Returns 1 if a grid is small, and its samples are sums that are stored as they are. Octaves
 * fill vectors better where they are as many as the samples. */
static PERLANE_NOINLINE int is_small(const perlane_noise *noise, const struct perlane_region *grid,
                                     const struct perlane_output *output) {
  if (!noise->plain || output->format != FORMAT_FLOAT || output->gradient[0] || output->extremes ||
      grid->stride[0] != 1 || (grid->dims != 2 && grid->dims != 3) ||
      !is_quick_set((perlane_gradients)noise->params.gradients, grid->dims))
    return 0;
  for (int a = 0; a < grid->dims; a++)
    if (!is_small_axis(grid, a, noise->highest_frequency))
      return 0;
  const size_t samples = grid->count[0] * grid->count[1] * grid->count[2];
  const size_t octaves = (size_t)grid->octaves;
  return (octaves == 1 || samples > octaves) && samples <= octaves * SMALL_SAMPLES &&
         has_small_octaves(noise, grid);
}

static PERLANE_NOINLINE void fill_small_in(struct small_fill *fill, const perlane_noise *noise,
                                           const struct perlane_region *grid, float *out) {
  poison(fill, sizeof *fill);
  fill->noise = noise;
  fill->grid = grid;
  fill->out = out;
  begin_small_axes(fill);
  begin_small_columns(fill, 0); /* first, as begin_small_rows waits for the axis passes along y */
  begin_small_rows(fill);
  for (size_t start = 0;;) {
    for (size_t plane = 0; plane < grid->count[2]; plane++)
      fill_small_plane(fill, plane);
    start += SMALL_VECTORS * LANES;
    if (start >= grid->count[0])
      return;
    begin_small_columns(fill, start);
  }
}

static PERLANE_NOINLINE void fill_small_on_stack(const perlane_noise *noise,
                                                 const struct perlane_region *grid, float *out) {
  struct small_fill fill;
  fill_small_in(&fill, noise, grid, out);
}

/* Fills a small grid, in its work memory if that has room. */
static void fill_small(const perlane_noise *noise, const struct perlane_region *grid,
                       const struct perlane_output *output) {
  if (grid->work_bytes < sizeof(struct small_fill))
    fill_small_on_stack(noise, grid, output->value);
  else
    fill_small_in(grid->work, noise, grid, output->value);
}

#endif
