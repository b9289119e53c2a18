/* SPDX-License-Identifier: MIT
 *
 * Filling a grid. Along y nothing changes within a cell but the y fade: a lattice row, folded along
 * z and w, is two arrays over the columns (its value, and its tilt along y), evaluated once per
 * cell row. A sample between two rows is then 3 multiplies and 3 adds, in any number of dimensions.
 * So is each derivative: along y with the derivatives of the y fade, along the other axes between
 * the derivatives of the rows, which are a family of arrays for each axis.
 *
 * A strip of columns is done at a time, so that all its arrays stay in the first-level cache: for
 * each octave the columns' axis pass and the two current lattice rows. Where samples are not
 * finished at once (several octaves, shaping, integers) they come together in a tile of a few rows.
 */
#ifndef PERLANE_NOISE_GRID_H
#define PERLANE_NOISE_GRID_H

#include "lattice_rows.h"
#include "results.h"

enum { STREAM_BYTES = 4 * 1024 * 1024 }; /* outputs from here on bypass the caches */

/* Rows r .. end - 1 of the row table, all in the octave's current cell row, to the targets of rows
 * from r0 on: array j of the samples, values or derivatives along an axis. `slope` is a constant:
 * whether that axis is y. */
PERLANE_INLINE void run_of_rows(int slope, int j, int family, struct fill *fill, size_t k,
                                const struct axis_arrays *rows, size_t r0, size_t r, size_t end,
                                const struct target *targets, int stream) {
  struct target target = targets[j];
  if (!target.to && !target.is_result)
    return;
  if (target.sum)
    target.sum += (r - r0) * fill->pitch;
  if (target.is_result) {
    const struct cell_row cell = cell_row_of(fill, k, family);
    target.place += (ptrdiff_t)(r - r0) * fill->grid->stride[1];
    result_rows(fill, &cell, rows, r, end, &target);
    return;
  }
  target.to += (ptrdiff_t)(r - r0) * target.pitch;
  emit_rows(slope, fill, cell_row_of(fill, k, family), rows, r, end, &target, stream);
}

/* The same of all derivatives. */
static void run_of_slopes(struct fill *fill, size_t k, const struct axis_arrays *rows, size_t r0,
                          size_t r, size_t end, const struct target *targets, int stream) {
  static const int family[MOST_ARRAYS] = {FAMILY_VALUE, FAMILY_X, FAMILY_VALUE, FAMILY_Z, FAMILY_W};
  enum { Y_SLOPES = 2 };
  for (int j = 1; j < fill->arrays; j++)
    if (j == Y_SLOPES)
      run_of_rows(1, j, family[j], fill, k, rows, r0, r, end, targets, stream);
    else
      run_of_rows(0, j, family[j], fill, k, rows, r0, r, end, targets, stream);
}

/* Rows r0 .. r1 - 1 of the row table in one octave. */
static void octave_rows(struct fill *fill, size_t k, size_t plane, size_t r0, size_t r1,
                        const struct target targets[MOST_ARRAYS], int stream) {
  const struct axis_arrays rows = rows_of(fill, k);
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
    run_of_rows(0, 0, FAMILY_VALUE, fill, k, &rows, r0, r, end, targets, stream);
    if (fill->slopes)
      run_of_slopes(fill, k, &rows, r0, r, end, targets, stream);
    r = end;
  }
}

/* ---- Planes ---- */

/* The output's own arrays from `place` on, or where samples are not finished yet, its results. */
static void target_output(const struct fill *fill, ptrdiff_t place,
                          struct target targets[MOST_ARRAYS]) {
  if (!fill->finished) {
    targets[0].to = NULL;
    targets[0].is_result = 1;
    targets[0].place = place;
    return;
  }
  float *value = fill->output->value;
  for (int j = 0; j < fill->arrays; j++) {
    float *array = j == 0 ? value : fill->output->gradient[j - 1];
    targets[j].to = array ? array + place : NULL;
    targets[j].pitch = fill->grid->stride[1];
  }
}

static void target_samples(const struct fill *fill, const struct samples *samples,
                           struct target targets[MOST_ARRAYS]) {
  for (int j = 0; j < fill->arrays; j++) {
    targets[j].to = samples->array[j];
    targets[j].pitch = (ptrdiff_t)fill->pitch;
  }
}

/* Rows r0 .. r1 - 1 of the row table, at most a tile, octave by octave. */
static void fill_tile(struct fill *fill, size_t plane, size_t r0, size_t r1, ptrdiff_t place) {
  const size_t last = (size_t)fill->octaves - 1;
  for (size_t k = 0; k <= last; k++) {
    struct target targets[MOST_ARRAYS] = {{NULL, 0, NULL, 0, 0}};
    if (fill->shaped && !fill->direct) {
      target_samples(fill, &fill->layer, targets);
      octave_rows(fill, k, plane, r0, r1, targets, 0);
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
      target_output(fill, place, targets);
    octave_rows(fill, k, plane, r0, r1, targets, to_output && fill->stream);
  }
  if (fill->direct)
    return;
  for (size_t j = 0; j < r1 - r0; j++) {
    /* A sum would leave its type after the last row of a stride that only one row can have. */
    const ptrdiff_t to = place + (ptrdiff_t)j * fill->grid->stride[1];
    const struct samples row = samples_from(&fill->tile, j * fill->pitch);
    if (has_ending(fill->noise))
      finish(fill->noise, fill->columns, fill->arrays, &row);
    deliver(fill->output, &row, fill->columns, fill->arrays, to, fill->grid->stride[0],
            fill->stream, &fill->extremes);
  }
}

/* The `rows` rows of the row table in one plane of the strip, whose first sample is at `place`. */
static void fill_plane(struct fill *fill, size_t plane, size_t rows, ptrdiff_t place) {
  const ptrdiff_t y_stride = fill->grid->stride[1];
  if (fill->direct && fill->octaves == 1) {
    struct target targets[MOST_ARRAYS] = {{NULL, 0, NULL, 0, 0}};
    target_output(fill, place, targets);
    octave_rows(fill, 0, plane, 0, rows, targets, fill->stream);
    return;
  }
  for (size_t r = 0; r < rows; r += fill->tile_rows) {
    const size_t end = r + fill->tile_rows < rows ? r + fill->tile_rows : rows;
    fill_tile(fill, plane, r, end, place + (ptrdiff_t)r * y_stride);
  }
}

/* All planes of `rows` rows from row y on, of the current strip. */
static void fill_rows(struct fill *fill, size_t y, size_t rows) {
  const struct perlane_region *grid = fill->grid;
  const size_t octaves = (size_t)fill->octaves;
  const struct grid_axis y_axis = {fill->noise, grid, 1}, z_axis = {fill->noise, grid, 2};
  const struct grid_axis w_axis = {fill->noise, grid, 3};
  for (size_t k = 0; k < octaves; k++) {
    const struct axis_arrays to = rows_of(fill, k);
    grid_axis_pass(&to, &y_axis, y, rows, &fill->noise->octave[k]);
  }
  const ptrdiff_t start = fill->x * grid->stride[0] + (ptrdiff_t)y * grid->stride[1];
  for (size_t w = 0; w < grid->count[3]; w++) {
    const ptrdiff_t place = start + (ptrdiff_t)w * grid->stride[3];
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
      fill_plane(fill, entry, rows, place + (ptrdiff_t)z * grid->stride[2]);
    }
  }
}

/* ---- The fill ---- */

static void fill_grid(const perlane_noise *noise, const struct perlane_region *grid,
                      const struct perlane_output *output) {
  /* A streamed row's last vector may start at any column and read past the last one: what is behind
   * an array, or the room for a vector behind them all. */
  _Alignas(LINE_BYTES) float memory[SCRATCH_FLOATS + LANES];
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
  fill.families = fill.slopes ? grid->dims : 1;
  fill.lattice = lattice_of(noise, grid->dims);
  fill.direct = grid->stride[0] == 1 &&
                (fill.slopes ? !noise->shaped && !has_ending(noise) && !output->extremes
                             : !noise->shaped || octaves == 1);
  fill.finished = fill.direct && !noise->shaped && !has_ending(noise) &&
                  output->format == PERLANE_FLOAT && !output->extremes;
  fill.ending = ending_of(noise);
  if (noise->shaped)
    fill.ending.shape = noise->params.fractal;
  fill.stream = samples >= STREAM_BYTES / sizeof(float);
  fill.tile_rows = fill.slopes ? GRADIENT_TILE_ROWS : TILE_ROWS;
  fill.extremes = no_extremes();
  lay_out(&fill, memory);

  const struct grid_axis x_axis = {noise, grid, 0};
  size_t overlap = 0;
  fill.lead = 0;
  if (fill.stream && output->format == PERLANE_FLOAT && fill.direct && !fill.slopes) {
    int uniform = 1;
    for (int a = 1; a < grid->dims; a++)
      uniform &= grid->count[a] == 1 || grid->stride[a] % 16 == 0;
    if (uniform)
      fill.lead = (ptrdiff_t)((uintptr_t)output->value / 4 % 16);
    else
      overlap = 16;
  }
  fill.advance = fill.pitch - overlap;
  fill.x = -fill.lead;
  for (;;) {
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
    for (size_t y = 0; y < grid->count[1]; y += fill.rows_most) {
      const size_t rows = grid->count[1] - y;
      fill_rows(&fill, y, rows < fill.rows_most ? rows : fill.rows_most);
    }
    if (fill.last)
      break;
    fill.x += (ptrdiff_t)fill.advance;
  }
  if (fill.stream)
    stream_fence();
  report_extremes(output, &fill.extremes);
}

#endif
