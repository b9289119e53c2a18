/* SPDX-License-Identifier: MIT
 *
 * Filling a grid. Within a cell only the y fade changes along y: a lattice row, folded along z and
 * w, is two arrays over the columns (its value, and its tilt along y), evaluated once per cell row.
 * A sample between two lattice rows is then 3 multiplications and 3 additions in any number of
 * dimensions. So is each derivative: along y with the derivatives of the y weights, along another
 * axis from the derivatives of the lattice rows, which are a channel of their own.
 *
 * The grid is filled strip by strip, so that the arrays of a strip stay in the first-level cache:
 * for each octave the columns' axis pass and two lattice rows. Octaves that are shaped, or whose
 * samples cannot go to the output at once, are added up in a tile of a few sample rows.
 */
#ifndef PERLANE_NOISE_GRID_H
#define PERLANE_NOISE_GRID_H

#include "lattice_rows.h"
#include "results.h"

enum { STREAM_BYTES = 4 * 1024 * 1024 }; /* larger outputs bypass the caches */

/* Emits sample rows r .. end - 1 of the row table, all in the octave's current cell row: array j of
 * the samples, from a channel, to its target, which begins at row r0. Constant: `slope`, whether
 * these are the derivatives along y. */
PERLANE_INLINE void emit_run(int slope, int j, int channel, struct fill *fill, size_t k,
                             const struct axis_arrays *rows, size_t r0, size_t r, size_t end,
                             const struct target *targets, int stream) {
  struct target target = targets[j];
  if (!target.to && !target.is_result)
    return;
  if (target.sum)
    target.sum += (r - r0) * fill->pitch;
  if (target.is_result) {
    const struct cell_row cell = cell_row_of(fill, k, channel);
    target.offset += (ptrdiff_t)(r - r0) * fill->grid->stride[1];
    result_rows(fill, &cell, rows, r, end, &target);
    return;
  }
  if (stream)
    target.offset += (ptrdiff_t)(r - r0) * target.pitch;
  else
    target.to += (ptrdiff_t)(r - r0) * target.pitch;
  const struct cell_row cell = cell_row_of(fill, k, channel);
  emit_rows(slope, fill, cell, rows, r, end, &target, stream);
}

/* The same for all derivatives. */
static PERLANE_NOINLINE void emit_slopes_run(struct fill *fill, size_t k,
                                             const struct axis_arrays *rows, size_t r0, size_t r,
                                             size_t end, const struct target *targets, int stream) {
  static const int channel[MAX_ARRAYS] = {CHANNEL_VALUE, CHANNEL_X, CHANNEL_VALUE, CHANNEL_Z,
                                          CHANNEL_W};
  enum { Y_SLOPES = 2 };
  for (int j = 1; j < fill->arrays; j++)
    if (j == Y_SLOPES)
      emit_run(1, j, channel[j], fill, k, rows, r0, r, end, targets, stream);
    else
      emit_run(0, j, channel[j], fill, k, rows, r0, r, end, targets, stream);
}

/* Emits sample rows r0 .. r1 - 1 of the row table in one octave. */
static void emit_octave(struct fill *fill, size_t k, size_t plane, size_t r0, size_t r1,
                        const struct target targets[MAX_ARRAYS], int stream) {
  const struct axis_arrays rows = row_table_of(fill, k);
  struct axis_scalars z;
  if (fill->dims >= 3) {
    const struct axis_arrays planes = planes_of(fill, k);
    z = scalars_at(&planes, plane, fill->slopes);
  }
  for (size_t r = r0; r < r1;) {
    size_t end = r + 1;
    while (end < r1 && rows.word[end] == rows.word[r] && rows.next[end] == rows.next[r])
      end++;
    enter_cell_row(fill, k, &rows, r, &z);
    emit_run(0, 0, CHANNEL_VALUE, fill, k, &rows, r0, r, end, targets, stream);
    if (fill->slopes)
      emit_slopes_run(fill, k, &rows, r0, r, end, targets, stream);
    r = end;
  }
}

/* ---- Planes ---- */

/* Targets the output's arrays from `offset` on: with samples as they are, or with results. */
static void target_output(struct fill *fill, ptrdiff_t offset, struct target targets[MAX_ARRAYS]) {
  if (!fill->finished) {
    targets[0].to = NULL;
    targets[0].is_result = 1;
    targets[0].offset = offset;
    return;
  }
  float *value = fill->output->value;
  for (int j = 0; j < fill->arrays; j++) {
    float *array = j == 0 ? value : fill->output->gradient[j - 1];
    targets[j].to = array && !fill->stream ? array + offset : array;
    targets[j].pitch = fill->grid->stride[1];
    targets[j].offset = offset;
    targets[j].line = &fill->line[j];
  }
}

static void target_samples(const struct fill *fill, const struct samples *samples,
                           struct target targets[MAX_ARRAYS]) {
  for (int j = 0; j < fill->arrays; j++) {
    targets[j].to = samples->array[j];
    targets[j].pitch = (ptrdiff_t)fill->pitch;
  }
}

/* Fills sample rows r0 .. r1 - 1 of the row table, at most a tile, octave by octave. */
static void fill_tile(struct fill *fill, size_t plane, size_t r0, size_t r1, ptrdiff_t offset) {
  const size_t last = (size_t)fill->octaves - 1;
  for (size_t k = 0; k <= last; k++) {
    struct target targets[MAX_ARRAYS] = {{.to = NULL}};
    if (fill->shaped && !fill->direct) {
      target_samples(fill, &fill->layer, targets);
      emit_octave(fill, k, plane, r0, r1, targets, 0);
      const struct shaping shaping = shaping_of(fill->noise, (int)k, fill->arrays);
      for (size_t j = 0; j < r1 - r0; j++) {
        const struct samples layer = samples_from(&fill->layer, j * fill->pitch);
        const struct samples sums = samples_from(&fill->tile, j * fill->pitch);
        const struct samples weights = samples_from(&fill->weights, j * fill->pitch);
        blend(&shaping, fill->columns, &layer, &sums, &weights);
      }
      continue;
    }
    const int to_output = k == last && fill->direct;
    target_samples(fill, &fill->tile, targets);
    for (int j = 0; j < fill->arrays && k > 0; j++)
      targets[j].sum = targets[j].to;
    if (to_output)
      target_output(fill, offset, targets);
    emit_octave(fill, k, plane, r0, r1, targets, to_output && fill->stream);
  }
  if (fill->direct)
    return;
  for (size_t j = 0; j < r1 - r0; j++) {
    /* Not a running sum: it would overflow after the last row of the largest stride. */
    const ptrdiff_t to = offset + (ptrdiff_t)j * fill->grid->stride[1];
    const struct samples row = samples_from(&fill->tile, j * fill->pitch);
    if (needs_finish(fill->noise))
      finish(fill->noise, fill->columns, fill->arrays, &row);
    store_row(fill, &row, to);
  }
}

/* Fills one plane of the strip with the rows of the row table. `offset` is the first sample's. */
static void fill_plane(struct fill *fill, size_t plane, size_t rows, ptrdiff_t offset) {
  const ptrdiff_t y_stride = fill->grid->stride[1];
  if (fill->direct && fill->octaves == 1) {
    struct target targets[MAX_ARRAYS] = {{.to = NULL}};
    target_output(fill, offset, targets);
    emit_octave(fill, 0, plane, 0, rows, targets, fill->stream);
    return;
  }
  for (size_t r = 0; r < rows; r += fill->tile_rows) {
    const size_t end = r + fill->tile_rows < rows ? r + fill->tile_rows : rows;
    fill_tile(fill, plane, r, end, offset + (ptrdiff_t)r * y_stride);
  }
}

/* Fills `rows` sample rows from row y on, in all planes of the strip. */
static void fill_rows(struct fill *fill, size_t y, size_t rows) {
  const struct perlane_region *grid = fill->grid;
  const size_t octaves = (size_t)fill->octaves;
  const struct grid_axis y_axis = {fill->noise, grid, 1}, z_axis = {fill->noise, grid, 2};
  const struct grid_axis w_axis = {fill->noise, grid, 3};
  for (size_t k = 0; k < octaves; k++) {
    const struct axis_arrays to = row_table_of(fill, k);
    grid_axis_pass(&to, &y_axis, y, rows, &fill->noise->octave[k]);
  }
  const ptrdiff_t start = fill->x * grid->stride[0] + (ptrdiff_t)y * grid->stride[1];
  for (size_t w = 0; w < grid->count[3]; w++) {
    const ptrdiff_t offset = start + (ptrdiff_t)w * grid->stride[3];
    if (fill->dims == 4) {
      for (size_t k = 0; k < octaves; k++) {
        const struct axis_arrays to = planes_of(fill, k);
        grid_axis_pass(&to, &w_axis, w, 1, &fill->noise->octave[k]);
        fill->w[k] = scalars_at(&to, 0, fill->slopes);
      }
      enter_volume(fill);
    }
    for (size_t z = 0; z < grid->count[2]; z++) {
      const size_t entry = z % TABLE_PLANES, left = grid->count[2] - z;
      if (fill->dims >= 3) {
        if (entry == 0)
          for (size_t k = 0; k < octaves; k++) {
            const struct axis_arrays to = planes_of(fill, k);
            grid_axis_pass(&to, &z_axis, z, left < TABLE_PLANES ? left : TABLE_PLANES,
                           &fill->noise->octave[k]);
          }
        enter_plane(fill);
      }
      fill_plane(fill, entry, rows, offset + (ptrdiff_t)z * grid->stride[2]);
    }
  }
}

/* ---- The fill ---- */

/* Returns 0, having filled nothing, if the field needs too much scratch memory. */
static PERLANE_NOINLINE int fill_grid(const perlane_noise *noise, const struct perlane_region *grid,
                                      const struct perlane_output *output) {
  /* A streamed row's last vector may start at any column, and read past the array; hence the room
   * for a vector after the last one. */
  _Alignas(CACHE_LINE_BYTES) float memory[SCRATCH_FLOATS + LANES];
  struct fill fill;
  const size_t octaves = (size_t)noise->octaves;
  const size_t samples = grid->count[0] * grid->count[1] * grid->count[2] * grid->count[3];
  fill.noise = noise;
  fill.grid = grid;
  fill.output = output;
  fill.dims = grid->dims;
  fill.octaves = noise->octaves;
  fill.shaped = noise->shaped;
  fill.slopes = output->gradient[0] != NULL;
  fill.arrays = fill.slopes ? 1 + grid->dims : 1;
  fill.channels = fill.slopes ? grid->dims : 1;
  fill.lattice = lattice_of(noise, grid->dims);
  fill.direct = grid->stride[0] == 1 &&
                (fill.slopes ? !noise->shaped && !needs_finish(noise) && !output->extremes
                             : !noise->shaped || octaves == 1);
  fill.finished = fill.direct && !noise->shaped && !needs_finish(noise) &&
                  output->format == PERLANE_FLOAT && !output->extremes;
  fill.finish = finish_of(noise);
  if (noise->shaped)
    fill.finish.shape = (perlane_fractal)noise->params.fractal;
  fill.stream = samples >= STREAM_BYTES / sample_bytes(output);
  fill.tile_rows = fill.slopes ? GRADIENT_TILE_ROWS : TILE_ROWS;
  fill.extremes = empty_extremes();
  for (int j = 0; j < fill.arrays; j++)
    fill.line[j].begin = fill.line[j].end = 0;
  align_strips(&fill);
  if (!lay_out(&fill, memory))
    return 0;

  const struct grid_axis x_axis = {noise, grid, 0};
  for (fill.x = -(ptrdiff_t)fill.lead;; fill.x += (ptrdiff_t)fill.advance) {
    const size_t left = (size_t)((ptrdiff_t)grid->count[0] - fill.x);
    fill.last = left <= fill.pitch;
    fill.columns = fill.last ? left : fill.pitch;
    for (size_t k = 0; k < octaves; k++) {
      const struct axis_arrays to = columns_of(&fill, k);
      grid_axis_pass(&to, &x_axis, (size_t)fill.x, fill.columns, &noise->octave[k]);
      if (fill.lattice.source != SOURCE_QUICK)
        find_runs(&fill.octave[k].runs, &to, fill.columns);
    }
    enter_volume(&fill);
    for (size_t y = 0; y < grid->count[1]; y += fill.max_rows) {
      const size_t rows = grid->count[1] - y;
      fill_rows(&fill, y, rows < fill.max_rows ? rows : fill.max_rows);
    }
    if (fill.last)
      break;
  }
  for (int j = 0; j < fill.arrays; j++)
    write_line(&fill.line[j]);
  if (fill.stream)
    stream_fence();
  write_extremes(output, &fill.extremes);
  return 1;
}

#endif
