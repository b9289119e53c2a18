/* SPDX-License-Identifier: MIT
 *
 * The producer of grids that are evaluated as points: all warped fields, and what no other producer
 * has: grids of so few samples that strips would take longer to set up, fields whose octaves leave
 * strips no room, far and sparse cellular noise, short rows of simplex noise,
 * derivatives, 1D. A tile is a block of points.
 *
 * Displacements are made for a block of rows at a time: those of the first round by the lattice's
 * producer, which is several times as fast.
 */
#ifndef PERLANE_NOISE_POINTS_PRODUCER_H
#define PERLANE_NOISE_POINTS_PRODUCER_H

#include "../grid/producer.h"
#include "warp.h"

enum { POINT_TILE_FLOATS = 3 * LAYER_FLOATS };

/* Returns 1 if setting up strips takes longer than evaluating points. They are set up for each
 * octave. */
static int has_few_samples(const struct field *field, const struct perlane_region *grid) {
  const size_t samples = samples_of_grid(grid);
  if (grid->dims == 1 || source_of(field, grid->dims) != SOURCE_QUICK)
    return samples <= FEW_POINTS;
  return samples <= (field->octaves == 1 ? FEW_SAMPLES_OF_ONE : FEW_SAMPLES(LANES));
}

struct point_fill {
  struct space space;
  const perlane_cells *cells; /* receives the grid's cells; NULL: the sink receives values */
  struct evaluation evaluation;
  struct point_source source[PERLANE_MAX_DIMS];
  struct warp warp; /* of the current block; without a warp it has no rounds */
  int near;         /* all samples are */
  int slopes;       /* of displacements */
  size_t loaded;    /* the first of the tile's samples whose positions are in memory */
  double *x;        /* positions of columns, as d_store stores them */
  float *displaced; /* displaced_floats of them, in front of vectors of zeros */
  size_t displaced_floats;
  /* While displacements are made, a lattice's fill has the memory of the points. */
  union {
    struct point_memory *memory; /* whose layers are the tile's arrays */
    void *scratch;
  };
  size_t scratch_bytes;
};

PERLANE_INLINE int is_warped(const struct field *field) {
  return field->noise->params.warp_amplitude != 0; /* cells have params of their own */
}

/* ---- Displacements ---- */

/* Evaluates the first round's displacement along an axis. Returns 0 if it needs more memory. */
static PERLANE_NOINLINE int fill_displacement(const struct point_fill *fill,
                                              const struct perlane_region *region, int a) {
  struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES];
  const struct field field = displacement_of(fill->warp.noise, 0, a, octave);
  const struct perlane_output output = {.format = FORMAT_FLOAT,
                                        .value = fill->warp.displacement[0][a]};
  const size_t bytes = fill->scratch_bytes - READ_PAST_BYTES;
  struct lattice_fill lattice;
  begin_lattice(&lattice, &LATTICE_PRODUCER, &field, region, &output);
  if (!plan_lattice(&lattice.space, bytes))
    return 0;
  poison(fill->scratch, fill->scratch_bytes);
  drive(&lattice.space, fill->scratch, bytes);
  return 1;
}

/* The current strip's part of `rows` sample rows from row y on, as a grid in memory. */
static struct perlane_region region_of(const struct space *space, size_t y, size_t rows) {
  struct perlane_region region = *space->grid;
  const size_t index[PERLANE_MAX_DIMS] = {(size_t)space->sink.strips.x, y, space->z, space->w};
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    region.first[a] += (int64_t)(ptrdiff_t)index[a];
    region.stride[a] = a == 0 ? 1 : (ptrdiff_t)space->tile.pitch;
    region.count[a] = a == 0 ? space->sink.strips.columns : a == 1 ? rows : 1;
  }
  return region;
}

static struct warp_runs runs_of(const struct point_fill *fill,
                                const struct perlane_region *region) {
  struct warp_runs runs = {.region = region,
                           .rows = region->count[1],
                           .points = region->count[0],
                           .width = fill->space.tile.pitch};
  runs.source[0] = (struct point_source){.stored = fill->x,
                                         .first = region->first[0],
                                         .origin = region->origin[0],
                                         .step = region->step[0]};
  for (int a = 1; a < region->dims; a++)
    runs.source[a] = (struct point_source){.origin = grid_position(region, a, 0)};
  return runs;
}

/* Sets what vectors read after the ends of rows: rows of a strip's width are whole vectors. */
static void end_rows(float *displacement, const struct warp_runs *runs) {
  const size_t gap = runs->width - runs->points;
  for (size_t r = 1; r <= runs->rows && gap > 0; r++)
    memset(displacement + r * runs->width - gap, 0, gap * sizeof(float));
  if (runs->width % LANES != 0)
    f_store(displacement + runs->rows * runs->width, f_set(0));
}

/* Displaces the samples of the current block. */
static void displace_block(struct space *space) {
  struct point_fill *fill = (struct point_fill *)space;
  const int dims = space->grid->dims;
  if (fill->warp.rounds == 0)
    return;
  const struct perlane_region region = region_of(space, space->block_y, space->block_count);
  const struct warp_runs runs = runs_of(fill, &region);
  int filled = !fill->slopes && dims > 1 && runs.points * runs.rows >= WARP_LEAST;
  for (int a = 0; a < dims && filled; a++)
    filled = fill_displacement(fill, &region, a);
  for (int round = filled; round < fill->warp.rounds; round++)
    for (int a = 0; a < dims; a++)
      displace_runs(&fill->warp, fill->memory, &runs, round, a, fill->slopes);
  for (int a = 0; a < dims; a++)
    end_rows(last_displacement(&fill->warp)[a], &runs);
}

/* ---- Positions ---- */

/* The positions of n columns of the current strip from `start` on. */
static void column_positions(const struct space *space, size_t start, size_t n, double *to) {
  const struct grid_axis x_axis = {space->field, space->grid, 0};
  grid_positions(to, &x_axis, (size_t)space->sink.strips.x + start, n);
}

/* A line needs each of its positions once; cells are made of those of columns. */
PERLANE_INLINE int is_line(const struct point_fill *fill) {
  return fill->space.grid->dims == 1 && !is_warped(fill->space.field) && !fill->cells;
}

static void point_columns(struct space *space) {
  struct point_fill *fill = (struct point_fill *)space;
  if (!is_line(fill)) /* and after the strip's columns, where vectors read them */
    column_positions(space, 0, space->tile.pitch, fill->x);
}

static void point_tile(struct space *space) {
  ((struct point_fill *)space)->loaded = SIZE_MAX;
}

/* Stores n positions in place as vectors hold them, and zeros up to a whole vector. */
static void store_list(double *position, size_t n) {
  for (size_t i = n; i % LANES != 0; i++)
    position[i] = 0;
  for (size_t i = 0; i < n; i += LANES)
    d_store(position + i, d_load(position + i));
}

PERLANE_INLINE vd moved_by(vd at, vd reach, const float *displacement) {
  return d_add(at, d_mul(reach, d_load_floats(displacement)));
}

/* Displaces n positions, unless `moved` is NULL. */
static void displace(size_t n, vd reach, const float *moved, double *positions) {
  for (size_t i = 0; i < n && moved; i += LANES)
    d_store(positions + i, moved_by(d_reload(positions + i), reach, moved + i));
}

/* Makes the positions along an axis of n samples of the tile from `start` on, displaced by what
 * begins at `moved`, unless it is NULL. Rows that are whole vectors are copied as they are stored.
 */
static void load_axis(const struct point_fill *fill, int a, size_t start, size_t n,
                      const float *moved, double *to) {
  const struct space *space = &fill->space;
  const size_t pitch = space->tile.pitch;
  const int is_whole = pitch % LANES == 0;
  const vd reach = d_set(fill->warp.reach);
  size_t y = start / pitch, column = start - y * pitch, z = 0;
  if (is_line(fill)) {
    column_positions(space, start, n, to);
    displace(n, reach, moved, to);
    return;
  }
  for (; y >= space->tile_rows; y -= space->tile_rows)
    z++;
  for (size_t done = 0, run; done < n; done += run, column = 0) {
    const size_t index = a == 1 ? space->y + y : a == 2 ? space->z + z : space->w;
    const double other = grid_position(space->grid, a, index);
    run = smaller_of(n - done, pitch - column);
    for (size_t i = done; i < done + run && is_whole; i += LANES) {
      const vd at = a == 0 ? d_reload(fill->x + column + (i - done)) : d_set(other);
      d_store(to + i, moved ? moved_by(at, reach, moved + i) : at);
    }
    for (size_t i = 0; i < run && !is_whole; i++)
      to[done + i] = a == 0 ? grid_position(space->grid, 0, column + i) : other;
    if (++y == space->tile_rows) {
      y = 0;
      z++;
    }
  }
  if (!is_whole) {
    store_list(to, n);
    displace(n, reach, moved, to);
  }
}

/* Makes the positions of n samples of the tile from `start` on, unless they are there. */
static PERLANE_NOINLINE void load_tile(struct point_fill *fill, size_t start, size_t n) {
  const struct space *space = &fill->space;
  const size_t block = (space->y - space->block_y) * space->tile.pitch;
  if (fill->loaded == start)
    return;
  fill->loaded = start;
  for (int a = 0; a < space->grid->dims; a++) {
    const float *moved =
        fill->warp.rounds > 0 ? last_displacement(&fill->warp)[a] + block + start : NULL;
    load_axis(fill, a, start, n, moved, positions_of(&fill->evaluation, fill->memory, a));
  }
}

/* ---- The producer ---- */

static void point_octave_of_tile(struct space *space, int k, int sum,
                                 const struct samples *samples) {
  struct point_fill *fill = (struct point_fill *)space;
  const size_t n = samples_of_tile(space), points = fill->evaluation.points;
  if (fill->evaluation.producer == BY_CELLS && k == 0)
    begin_cell_octave(&fill->evaluation, fill->memory, 0);
  for (size_t start = 0; start < n; start += points) {
    const size_t count = smaller_of(n - start, points);
    const struct samples part = samples_from(samples, start);
    load_tile(fill, start, count);
    octave_of_points(&fill->evaluation, fill->memory, k, (count + LANES - 1) / LANES * LANES,
                     fill->near, sum, &part);
  }
}

/* Stores the arrays of perlane_cells. */
static int cells_leave(struct space *space, ptrdiff_t offset) {
  struct point_fill *fill = (struct point_fill *)space;
  const struct perlane_region region = region_of(space, space->y, space->rows);
  const struct warp_runs runs = runs_of(fill, &region);
  struct cell_target cells = {fill->cells, offset, space->grid->stride[0], space->grid->stride[1],
                              runs.points};
  const struct warp_target target = {.cells = &cells};
  float *displacement[PERLANE_MAX_DIMS];
  for (int a = 0; a < space->grid->dims && fill->warp.rounds > 0; a++)
    displacement[a] = last_displacement(&fill->warp)[a] + (space->y - space->block_y) * runs.width;
  evaluate_runs(&fill->warp, fill->memory, space->field, &runs, displacement, 0, &target);
  return 1;
}

static void stretch_tile(struct space *space) {
  struct point_fill *fill = (struct point_fill *)space;
  const size_t row = space->y - space->block_y;
  if (fill->slopes)
    apply_stretch(space->grid->dims, last_stretch(&fill->warp), row * space->tile.pitch,
                  samples_of_tile(space), &space->tile.sums.array[1]);
}

/* ---- The plan ---- */

/* Returns 1 if all samples are near, however they are displaced. */
static int is_near_grid(const struct perlane_region *grid, float limit) {
  vi largest = i_set(0);
  for (int a = 0; a < grid->dims; a++) {
    largest = larger_magnitude(largest, f_set((float)grid_position(grid, a, 0)));
    largest = larger_magnitude(largest, f_set((float)grid_position(grid, a, grid->count[a] - 1)));
  }
  return are_within(largest, limit);
}

/* Chooses the memory of displacements, and that of points. */
static void share_memory(struct point_fill *fill, size_t bytes) {
  const size_t x = whole_lines((POINT_COLUMNS + 32) * sizeof *fill->x);
  const size_t zeros = 2 * LANES * sizeof(float);
  size_t displaced = whole_lines(DISPLACED_FLOATS * sizeof(float) + zeros);
  fill->displaced_floats = 0;
  fill->scratch_bytes = sizeof *fill->memory;
  if (!is_warped(fill->space.field))
    return;
  if (bytes >= WARP_WORK_BYTES)
    displaced = smaller_of(bytes / 2 / CACHE_LINE_BYTES * CACHE_LINE_BYTES, WARP_WORK_TILE_BYTES);
  fill->displaced_floats = (displaced - zeros) / sizeof(float);
  fill->scratch_bytes = (bytes - x - displaced) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
}

/* Returns how many samples a tile has at most: a block, whose positions are loaded once for all
 * octaves; of a single octave as many blocks as the arrays hold. */
static size_t points_of_tile(const struct space *space) {
  const size_t points = block_points(space->grid->dims, space->tile.arrays > 1);
  const size_t room = POINT_TILE_FLOATS / arrays_of_tile(&space->tile) / points * points;
  return space->octaves == 1 ? room : points;
}

/* Returns the most columns of a strip. */
static size_t point_columns_of_strip(const struct point_fill *fill, size_t bytes) {
  const struct space *space = &fill->space;
  const size_t points = points_of_tile(space);
  if (is_line(fill))
    return points;
  size_t most = POINT_COLUMNS;
  if (is_warped(space->field)) { /* a row and a vector after it have room */
    const size_t room = points_of_warp(space->field->noise, space->grid->dims, fill->slopes, LANES,
                                       fill->displaced_floats);
    most = fill->slopes ? SLOPE_COLUMNS : bytes < WARP_WORK_BYTES ? WARP_COLUMNS : POINT_COLUMNS;
    most = smaller_of(most, room - LANES);
  }
  return smaller_of(points, most);
}

/* Chooses the rows of blocks, whose displacements have room, and of tiles. */
static void plan_displacements(struct point_fill *fill) {
  struct space *space = &fill->space;
  const size_t pitch = space->tile.pitch;
  const size_t points = points_of_warp(space->field->noise, space->grid->dims, fill->slopes, LANES,
                                       fill->displaced_floats);
  /* The last vector of rows that are not whole vectors ends after them. */
  const size_t rows = (points - (pitch % LANES ? LANES : 0)) / pitch;
  space->tile_planes = 1;
  space->tile_rows = smaller_of(space->tile_rows, rows);
  space->block_rows = smaller_of(rows, space->grid->count[1]) / space->tile_rows * space->tile_rows;
  if (space->block_rows == 0)
    space->block_rows = space->tile_rows;
  space->band_rows = space->block_rows;
}

static void lay_out_points(struct space *space, struct arena *arena) {
  struct point_fill *fill = (struct point_fill *)space;
  const struct perlane_region *grid = space->grid;
  const size_t zeros = fill->displaced_floats ? 2 * LANES : 0;
  fill->x = take(arena, POINT_COLUMNS + 32, sizeof *fill->x);
  fill->displaced = take_floats(arena, fill->displaced_floats + zeros);
  fill->scratch = take(arena, fill->scratch_bytes, 1);
  if (!arena->next)
    return;
  memset(fill->displaced + fill->displaced_floats, 0, zeros * sizeof(float));
  fill->warp = warp_of(space->field->noise, grid->dims, fill->slopes, LANES, fill->displaced,
                       fill->displaced_floats);
  lay_out_tile(&space->tile, fill->memory->layer[0],
               POINT_TILE_FLOATS / arrays_of_tile(&space->tile) / LANES * LANES);
  for (int a = 0; a < grid->dims; a++)
    fill->source[a] = (struct point_source){
        .displacement = fill->warp.rounds > 0 ? fill->displaced : NULL, .reach = fill->warp.reach};
  begin_points(&fill->evaluation, space->field, grid->dims, fill->source, space->tile.arrays > 1);
  fill->near = is_near_grid(grid, fill->evaluation.limit);
}

static int plan_points(struct space *space, size_t bytes) {
  struct point_fill *fill = (struct point_fill *)space;
  const struct perlane_region *grid = space->grid;
  struct strips *strips = &space->sink.strips;
  struct tile *tile = &space->tile;
  struct arena arena = {.next = NULL};
  fill->slopes = is_warped(space->field) && space->sink.arrays > 1;
  share_memory(fill, bytes);
  lay_out_points(space, &arena);
  if (arena.bytes > bytes)
    return 0;
  const size_t columns = point_columns_of_strip(fill, bytes), count = grid->count[0];
  if (count <= columns)
    *strips = (struct strips){.count = count};
  balance_strips(strips, columns);
  space->direct = fill->cells != NULL;
  space->joined = count <= columns && !needs_positions(space->field) && !fill->cells;
  tile->pitch = space->joined ? count : strips->width;
  const size_t points = points_of_tile(space);
  space->tile_rows = points / tile->pitch > 0 ? points / tile->pitch : 1;
  space->tile_planes = 1;
  if (space->joined && grid->count[1] <= space->tile_rows) {
    space->tile_planes = space->tile_rows / grid->count[1];
    space->tile_rows = grid->count[1];
  }
  space->band_rows = space->block_rows = grid->count[1];
  if (is_warped(space->field))
    plan_displacements(fill);
  return 1;
}

static const struct producer POINT_PRODUCER = {.has_small_stack = 1,
                                               .plan = plan_points,
                                               .lay_out = lay_out_points,
                                               .columns = point_columns,
                                               .planes = displace_block,
                                               .tile = point_tile,
                                               .octave = point_octave_of_tile,
                                               .leave = cells_leave,
                                               .stretch = stretch_tile};

/* Fills any grid with values, or unless `cells` is NULL with cells. */
static PERLANE_NOINLINE void fill_points(const struct field *field,
                                         const struct perlane_region *grid,
                                         const struct perlane_output *output,
                                         const perlane_cells *cells) {
  struct point_fill fill;
  begin_space(&fill.space, &POINT_PRODUCER, field, grid, output);
  fill.cells = cells;
  fill_space(&fill.space);
}

#endif
