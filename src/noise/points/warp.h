/* SPDX-License-Identifier: MIT
 *
 * Domain warp (docs/specification.md, 2.18): displacements along each axis, which are fields of
 * their own, then the field at the displaced positions. The displacements of a run of points, or of
 * a tile of a grid, are evaluated one after the other: those of a grid's first round by the grid's
 * own kernels, which are several times as fast as points.
 */
#ifndef PERLANE_NOISE_POINTS_WARP_H
#define PERLANE_NOISE_POINTS_WARP_H

#include "../../field.h"
#include "../grid/grid.h"
#include "each_cell.h"

enum {
  /* On the stack, of which a search for cells with wide vectors needs the most. */
  WARP_FLOATS = LANES == 16 ? 19 * 64 : 27 * 64,
  WARP_FLOATS_4D = 30 * 64,
  WARP_TILE_BYTES = LANES == 16 ? 17 * 512 : 20 * 512,
  WARP_SCRATCH_BYTES = 24 * 1024,
  WARP_COLUMNS = 128,
  WARP_WORK_BYTES = 64 * 1024, /* the least work memory that brings more than the stack */
  WARP_WORK_TILE_BYTES = 128 * 1024,
  WARP_WORK_COLUMNS = 512,
  WARP_GRANULE = 16, /* with derivatives, runs have a multiple of so many points, */
  WARP_LEAST = 48    /* and at least so many */
};
/* With two rounds an axis has two arrays of displacements, and two of derivatives by each axis. */
_Static_assert(WARP_FLOATS >= 3 * 2 * (1 + 3) * WARP_LEAST, "runs in 3D");
_Static_assert(WARP_FLOATS_4D >= 4 * 2 * (1 + 4) * WARP_LEAST, "runs in 4D");

/* The displacements of a run of points, and with gradients the derivatives of the positions that
 * they make: of the position along a by b, J[a][b]. Even and odd rounds have a set of arrays each.
 */
struct warp {
  const perlane_noise *noise;
  int dims, rounds;
  double reach;
  size_t pitch;
  float *displacement[2][PERLANE_MAX_DIMS];
  float *stretch[2][PERLANE_MAX_DIMS][PERLANE_MAX_DIMS];
};

/* The displacement along an axis, in a round counted from 0. Its octaves are stored in `octave`. */
static struct field displacement_of(const perlane_noise *noise, int round, int axis,
                                    struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES]) {
  static const perlane_params params = {.contrast = 1}; /* otherwise the default, which is 0 */
  perlane_field_displacement(noise, round, axis, octave);
  return (struct field){
      .noise = noise,
      .params = &params,
      .octave = octave,
      .octaves = noise->params.warp_octaves,
      .highest_frequency = noise->highest_warp_frequency,
      .value_scale = 1,
  };
}

/* Lays out arrays for runs of `pitch` points, a multiple of `granule`. Without a warp there are no
 * rounds. */
static struct warp warp_of(const perlane_noise *noise, int dims, int slopes, size_t granule,
                           float *memory, size_t floats) {
  struct warp warp = {.noise = noise,
                      .dims = dims,
                      .rounds = noise->params.warp_amplitude != 0 ? noise->params.warp_rounds : 0,
                      .reach = noise->params.warp_amplitude};
  const int sets = warp.rounds > 1 ? 2 : 1, squares = slopes ? sets * dims : 0;
  const size_t arrays = (size_t)dims * (size_t)(sets + squares);
  warp.pitch = floats / arrays / granule * granule;
  for (int set = 0; set < sets; set++)
    for (int a = 0; a < dims; a++) {
      warp.displacement[set][a] = memory;
      memory += warp.pitch;
      for (int b = 0; slopes && b < dims; b++) {
        warp.stretch[set][a][b] = memory;
        memory += warp.pitch;
      }
    }
  return warp;
}

/* Row a of J, from that of the round before, in place of the derivatives of a displacement, of n
 * points. */
static void stretch_positions(const struct warp *warp, int round, int a, size_t n) {
  const vf reach = f_set((float)warp->reach), one = f_set(1);
  float *const *row = warp->stretch[round & 1][a];
  if (round > 0)
    apply_stretch(warp->dims, warp->stretch[(round + 1) & 1], 0, n, row);
  for (int b = 0; b < warp->dims; b++)
    for (size_t i = 0; i < n; i += LANES) {
      const vf product = f_mul(reach, f_load(row[b] + i));
      f_store(row[b] + i, a == b ? f_add(one, product) : product);
    }
}

/* ---- Runs ---- */

/* Points that a warp moves, in rows of `points` whose displacements are `width` floats apart: a
 * list is one row. Rows of a grid differ in their position along y. */
struct warp_runs {
  struct point_source source[PERLANE_MAX_DIMS]; /* of the first row */
  const struct perlane_region *region;          /* with more than one row */
  size_t rows, points, width;
};

/* The destination of a field at runs: values, and derivatives if there are any, or cells, which
 * `cells` begins with. */
struct warp_target {
  float *value, *const *gradient;
  struct cell_target *cells;
  float *const (*stretch)[PERLANE_MAX_DIMS];
};

/* Evaluates a field at runs of points, moved by displacements; NULL for none. (Not inlined: its
 * stack is not that of the rounds before.) */
static PERLANE_NOINLINE void evaluate_runs(const struct warp *warp, struct point_memory *memory,
                                           const struct field *field, const struct warp_runs *runs,
                                           float *const *displacement, int slopes,
                                           const struct warp_target *target) {
  struct evaluation evaluation;
  struct point_source source[PERLANE_MAX_DIMS];
  for (size_t r = 0; r < runs->rows; r++) {
    const size_t start = r * runs->width;
    for (int a = 0; a < warp->dims; a++) {
      source[a] = runs->source[a];
      if (a == 1 && runs->rows > 1)
        source[a].origin = grid_position(runs->region, 1, r);
      if (displacement && warp->rounds > 0) {
        source[a].displacement = displacement[a] + start;
        source[a].reach = warp->reach;
      }
    }
    if (r == 0) {
      begin_points(&evaluation, field, warp->dims, source, slopes);
      evaluation.stretch = target->stretch;
    }
    if (target->cells) {
      evaluate_cells(&evaluation, memory, runs->points, target->cells);
      target->cells->offset += target->cells->row;
    } else {
      evaluate_blocks(&evaluation, memory, runs->points,
                      target->value ? target->value + start : NULL, target->gradient);
    }
  }
}

/* The displacement along an axis in one round. (Not inlined: the octaves are not on the stack with
 * a cellular field's search.) */
static PERLANE_NOINLINE void displace_runs(const struct warp *warp, struct point_memory *memory,
                                           const struct warp_runs *runs, int round, int a,
                                           int slopes) {
  struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES];
  const struct field field = displacement_of(warp->noise, round, a, octave);
  const struct warp_target target = {.value = warp->displacement[round & 1][a],
                                     .gradient = slopes ? warp->stretch[round & 1][a] : NULL};
  evaluate_runs(warp, memory, &field, runs, round > 0 ? warp->displacement[(round + 1) & 1] : NULL,
                slopes, &target);
  if (slopes)
    stretch_positions(warp, round, a, runs->points);
}

/* Evaluates the rounds from `round` on, and the field. With `slopes` there is one row. */
static PERLANE_NOINLINE void evaluate_displaced(const struct warp *warp, const struct field *field,
                                                const struct warp_runs *runs, int round, int slopes,
                                                struct warp_target *target) {
  const int last = (warp->rounds + 1) & 1; /* the last round's set */
  struct point_memory memory;
  for (; round < warp->rounds; round++)
    for (int a = 0; a < warp->dims; a++)
      displace_runs(warp, &memory, runs, round, a, slopes);
  if (slopes)
    target->stretch = warp->stretch[last];
  evaluate_runs(warp, &memory, field, runs, warp->displacement[last], slopes, target);
}

/* ---- Lists ---- */

/* The source of points from `start` on. */
static struct point_source source_from(const struct point_source *source, size_t start) {
  struct point_source rest = *source;
  if (rest.coords)
    rest.coords += (ptrdiff_t)start * rest.stride;
  if (rest.coords64)
    rest.coords64 += (ptrdiff_t)start * rest.stride;
  return rest;
}

/* Evaluates a field with a warp at points, in runs whose displacements fit in `floats`: its values,
 * derivatives or both, or with `cells` its cells. */
static void evaluate_list_in(float *floats, size_t count, const struct field *field, int dims,
                             const struct point_source *source, size_t n, float *out,
                             float *const *gradient, const perlane_cells *cells) {
  const int slopes = gradient || field->gullies > 0;
  const size_t granule = slopes ? WARP_GRANULE : block_points(dims, 0);
  const struct warp warp = warp_of(field->noise, dims, slopes, granule, floats, count);
  for (size_t start = 0; start < n; start += warp.pitch) {
    const size_t left = n - start;
    struct warp_runs runs; /* nothing else is read */
    runs.rows = 1;
    runs.width = 0;
    runs.points = left < warp.pitch ? left : warp.pitch;
    float *slope[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      runs.source[a] = source_from(&source[a], start);
      slope[a] = gradient ? gradient[a] + start : NULL;
    }
    struct cell_target cell_target = {cells, (ptrdiff_t)start, 1, 0, SIZE_MAX};
    struct warp_target target = {.value = out ? out + start : NULL,
                                 .gradient = gradient ? slope : NULL,
                                 .cells = cells ? &cell_target : NULL};
    evaluate_displaced(&warp, field, &runs, 0, slopes, &target);
  }
}

static PERLANE_NOINLINE void evaluate_warped(const struct field *field, int dims,
                                             const struct point_source *source, size_t n,
                                             float *out, float *const *gradient,
                                             const perlane_cells *cells) {
  _Alignas(64) float floats[WARP_FLOATS];
  evaluate_list_in(floats, WARP_FLOATS, field, dims, source, n, out, gradient, cells);
}

/* (Apart from the others, as there is no cellular search in 4D that would need the stack.) */
static PERLANE_NOINLINE void evaluate_warped_4d(const struct field *field,
                                                const struct point_source *source, size_t n,
                                                float *out, float *const *gradient) {
  _Alignas(64) float floats[WARP_FLOATS_4D];
  evaluate_list_in(floats, WARP_FLOATS_4D, field, 4, source, n, out, gradient, NULL);
}

/* Evaluates a field at n points, with its warp if it has one. */
static void evaluate_noise(const struct field *field, int dims, const struct point_source *source,
                           size_t n, float *out, float *const *gradient) {
  if (field->params->warp_amplitude != 0 && dims == 4)
    evaluate_warped_4d(field, source, n, out, gradient);
  else if (field->params->warp_amplitude != 0)
    evaluate_warped(field, dims, source, n, out, gradient, NULL);
  else
    evaluate_points(field, dims, source, n, out, gradient);
}

/* Evaluates the points of a list from number `start` on. (Not inlined: lists that have none do not
 * pay for its stack.) */
static PERLANE_NOINLINE void evaluate_rest(const perlane_noise *noise,
                                           const struct perlane_point_list *list, size_t start) {
  const struct field field = field_of(noise, list->octaves);
  struct point_source source[PERLANE_MAX_DIMS];
  float *gradient[PERLANE_MAX_DIMS];
  list_sources(list, start, source);
  for (int a = 0; a < list->dims && list->gradient; a++)
    gradient[a] = list->gradient[a] + start;
  evaluate_noise(&field, list->dims, source, list->n - start, list->out ? list->out + start : NULL,
                 list->gradient ? gradient : NULL);
}

/* ---- Grids ---- */

/* A tile of a grid, which may have no warp if its cells are wanted. Each of its rows is evaluated
 * as a run of points. */
struct warp_tile {
  struct perlane_region region;
  double *x;     /* positions of its columns, as d_store stores them */
  size_t width;  /* floats from one row of displacements to the next */
  void *scratch; /* to fill displacements in; NULL: the stack */
  size_t scratch_bytes;
  const perlane_cells *cells; /* receives the grid's cells; NULL: the sink receives its values */
};

static struct warp_runs runs_of_tile(const struct warp_tile *tile) {
  const struct perlane_region *region = &tile->region;
  struct warp_runs runs = {
      .region = region, .rows = region->count[1], .points = region->count[0], .width = tile->width};
  runs.source[0] = (struct point_source){.stored = tile->x,
                                         .first = region->first[0],
                                         .origin = region->origin[0],
                                         .step = region->step[0]};
  for (int a = 1; a < region->dims; a++)
    runs.source[a] = (struct point_source){.origin = grid_position(region, a, 0)};
  return runs;
}

/* Evaluates the first round's displacement along an axis. Returns 0 if it needs more memory. */
static PERLANE_NOINLINE int fill_displacement_in(void *memory, size_t bytes,
                                                 const struct warp *warp,
                                                 const struct warp_tile *tile, int a) {
  struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES];
  const struct field field = displacement_of(warp->noise, 0, a, octave);
  const struct perlane_output output = {.format = PERLANE_FLOAT, .value = warp->displacement[0][a]};
  struct fill fill;
  struct open_line line[MAX_ARRAYS];
  begin_fill(&fill, &field, &tile->region, &output, line);
  if (!plan_within(&fill, bytes - READ_PAST_BYTES))
    return 0;
  fill_strips(&fill, memory);
  return 1;
}

static PERLANE_NOINLINE int fill_displacement_on_stack(const struct warp *warp,
                                                       const struct warp_tile *tile, int a) {
  _Alignas(CACHE_LINE_BYTES) unsigned char memory[WARP_SCRATCH_BYTES + READ_PAST_BYTES];
  return fill_displacement_in(memory, sizeof memory, warp, tile, a);
}

static void fill_tile_warped(const struct warp *warp, const struct field *field,
                             const struct warp_tile *tile, struct sink *sink, ptrdiff_t offset) {
  const size_t columns = tile->region.count[0];
  const struct perlane_region *grid = sink->grid;
  struct cell_target cell_target = {tile->cells, offset, grid->stride[0], grid->stride[1], columns};
  int filled = grid->dims > 1 && warp->rounds > 0 && columns * tile->region.count[1] >= WARP_LEAST;
  for (int a = 0; a < grid->dims && filled; a++)
    filled = tile->scratch ? fill_displacement_in(tile->scratch, tile->scratch_bytes, warp, tile, a)
                           : fill_displacement_on_stack(warp, tile, a);
  const struct warp_runs runs = runs_of_tile(tile);
  struct warp_target target = {.value = warp->displacement[0][0],
                               .cells = tile->cells ? &cell_target : NULL};
  evaluate_displaced(warp, field, &runs, filled, 0, &target);
  if (tile->cells)
    return;
  for (size_t r = 0; r < tile->region.count[1]; r++)
    store_array(sink, 0, columns < grid->count[0] ? &sink->line[r] : sink->line,
                target.value + r * tile->width, columns, offset + (ptrdiff_t)r * grid->stride[1]);
}

/* Fills a grid with the values of a field with a warp, or with cells, tile by tile. The memory
 * holds a tile's positions and displacements, and the open lines of its rows. */
static void fill_warped_tiles(const struct field *field, const struct perlane_region *grid,
                              const struct perlane_output *output, struct warp_tile *tile,
                              size_t columns, unsigned char *memory, size_t bytes) {
  const struct grid_axis x_axis = {field, grid, 0};
  const size_t vectors = (grid->count[0] + LANES - 1) / LANES * LANES;
  const size_t width = vectors < columns ? vectors : columns;
  const size_t sets = field->noise->params.warp_rounds > 1 ? 2 : 1;
  const size_t row_floats = width * (size_t)grid->dims * sets;
  const size_t row_bytes = row_floats * sizeof(float) + sizeof(struct open_line);
  size_t rows = (bytes - columns * sizeof(double) - READ_PAST_BYTES) / row_bytes;
  rows = rows < grid->count[1] ? rows : grid->count[1];
  struct open_line *line = (struct open_line *)(void *)memory; /* of rows of adjacent tiles */
  tile->x = (double *)(void *)(line + rows);
  tile->width = width;
  tile->region = *grid;
  const struct warp warp = warp_of(field->noise, grid->dims, 0, width,
                                   (float *)(void *)(tile->x + columns), row_floats * rows);
  struct sink sink;
  open_sink(&sink, grid, output, NULL, 1, line, (int)rows);
  size_t index[PERLANE_MAX_DIMS];
  tile->region.stride[0] = 1;
  tile->region.stride[1] = tile->region.stride[2] = tile->region.stride[3] = (ptrdiff_t)width;
  tile->region.count[2] = tile->region.count[3] = 1;
  for (index[3] = 0; index[3] < grid->count[3]; index[3]++)
    for (index[2] = 0; index[2] < grid->count[2]; index[2]++)
      for (index[1] = 0; index[1] < grid->count[1]; index[1] += rows)
        for (index[0] = 0; index[0] < grid->count[0]; index[0] += width) {
          ptrdiff_t offset = 0;
          for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
            tile->region.first[a] = grid->first[a] + (int64_t)index[a];
            offset += (ptrdiff_t)index[a] * grid->stride[a];
          }
          const size_t x_left = grid->count[0] - index[0], y_left = grid->count[1] - index[1];
          tile->region.count[0] = x_left < width ? x_left : width;
          tile->region.count[1] = y_left < rows ? y_left : rows;
          grid_positions(tile->x, &x_axis, index[0], tile->region.count[0]);
          fill_tile_warped(&warp, field, tile, &sink, offset);
        }
  close_sink(&sink);
}

static PERLANE_NOINLINE void fill_warped_on_stack(const struct field *field,
                                                  const struct perlane_region *grid,
                                                  const struct perlane_output *output,
                                                  const perlane_cells *cells) {
  _Alignas(CACHE_LINE_BYTES) unsigned char memory[WARP_TILE_BYTES];
  struct warp_tile tile = {.scratch = NULL, .cells = cells};
  fill_warped_tiles(field, grid, output, &tile, WARP_COLUMNS, memory, sizeof memory);
}

/* Fills a grid with the values of a field with a warp; or, unless `cells` is NULL, with the cells
 * of any field. */
static void fill_warped(const struct field *field, const struct perlane_region *grid,
                        const struct perlane_output *output, const perlane_cells *cells) {
  if (grid->work_bytes < WARP_WORK_BYTES) {
    fill_warped_on_stack(field, grid, output, cells);
    return;
  }
  const size_t half = grid->work_bytes / 2 / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
  const size_t bytes = half < WARP_WORK_TILE_BYTES ? half : WARP_WORK_TILE_BYTES;
  struct warp_tile tile = {.scratch = (unsigned char *)grid->work + bytes,
                           .scratch_bytes = grid->work_bytes - bytes,
                           .cells = cells};
  fill_warped_tiles(field, grid, output, &tile, WARP_WORK_COLUMNS, grid->work, bytes);
}

#endif
