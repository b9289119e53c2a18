/* SPDX-License-Identifier: MIT
 *
 * Filling a grid: a sample takes 3 multiplications and 3 additions, in 2, 3 and 4 dimensions alike.
 *
 * Gradient noise combines the 2^D corners of a cell: along x first, then along w, z and y
 * (docs/specification.md, 2.6). Each of the later steps folds two values that are a cell apart, and
 * their tilts along the axis, with weights that depend on the position along this axis alone. So
 * within a cell only the weights of the last step change along y. Everything before it is the same
 * for all sample rows of a row of cells: a *lattice row*, which is two arrays over the columns, its
 * value and its tilt along y. With those of the lattice rows below and above,
 *
 *     middle = (value0 + value1) / 2        rise = value1 - value0
 *
 * a sample is
 *
 *     (middle + c * rise) + (a0 * tilt0 + a1 * tilt1)
 *
 * where c, a0 and a1 are the same for the whole sample row: 6 operations and 4 loads for a vector,
 * without a gather, permutation or branch. At 0.01 cells per sample one lattice row is evaluated
 * for a hundred sample rows, as the upper one of a row of cells is the lower one of the next. A
 * derivative is such a sum, too: along y with the derivatives of the weights, along another axis
 * from the derivatives of the lattice rows, which are a channel of their own.
 *
 * The arrays must be in the first-level cache when they are read again. So the grid is filled strip
 * by strip, each from top to bottom: for each octave the columns' axis pass and two lattice rows.
 * Octaves that are shaped, or whose samples cannot go to the output at once, are added up in a tile
 * of a few sample rows.
 */
#ifndef PERLANE_NOISE_GRID_H
#define PERLANE_NOISE_GRID_H

#include "emission.h"
#include "lattice_rows.h"

enum { DIRECT_ROWS = 64 }; /* whose ends are fetched ahead together */

/* The channel of each array of the samples. Derivatives along y come from the values. */
static const int CHANNEL_OF[MAX_ARRAYS] = {CHANNEL_VALUE, CHANNEL_X, CHANNEL_VALUE, CHANNEL_Z,
                                           CHANNEL_W};
enum { Y_SLOPES = 2 };

/* The destination of an octave's sample rows: memory, or the arrays of the output. */
struct target {
  int sum, slopes_sum;      /* values, and derivatives, are added to those in the tile */
  const struct samples *to; /* of the tile; NULL for the output */
  ptrdiff_t offset;         /* of the output's column 0, which a strip may begin before */
};

/* Begins the emission of array j of an octave's samples: what does not change with the cell row.
 * (Structures that are filled here and copied would cost more than a row: the copy waits for the
 * stores.) */
PERLANE_INLINE void begin_emission(struct emission *emission, const struct fill *fill, size_t k,
                                   int j, const struct axis_arrays *rows, size_t columns) {
  const float *channel = channel_array(fill, k, CHANNEL_OF[j], 0);
  emission->middle = j == Y_SLOPES ? fill->strip.nothing : channel + MIDDLE * fill->plan.pitch;
  emission->rise = channel + RISE * fill->plan.pitch;
  emission->tilts = channel + TILT * fill->plan.pitch;
  emission->centred = j == Y_SLOPES ? rows->slope : rows->centred;
  emission->a0 = j == Y_SLOPES ? rows->b0 : rows->a0;
  emission->a1 = j == Y_SLOPES ? rows->b1 : rows->a1;
  emission->columns = columns;
  emission->sum_pitch = fill->tile.pitch;
}

/* Emits the rows of `emission`, from row r of the target on, to array j. */
PERLANE_INLINE void emit_array(struct fill *fill, const struct emission *emission, int j,
                               const struct target *target, size_t r) {
  if (target->to) {
    emit_rows(emission, target->to->array[j] + r * fill->tile.pitch, (ptrdiff_t)fill->tile.pitch);
    return;
  }
  const ptrdiff_t stride = fill->grid->stride[1], offset = target->offset + (ptrdiff_t)r * stride;
  float *array = output_array(fill->sink.output, j);
  if (!array)
    return;
  if (fill->sink.is_raw && !fill->sink.streams)
    emit_rows(emission, array + offset, stride);
  else
    result_rows(&fill->sink, emission, j, offset);
}

/* Emits sample rows r0 .. r1 - 1 of the row table in one octave. */
static void emit_octave(struct fill *fill, size_t k, size_t plane, size_t r0, size_t r1,
                        const struct target *target) {
  const struct axis_arrays rows = row_table_of(fill, k);
  const uint32_t *word = rows.word, *next = rows.next;
  const struct row_pair *pair = &fill->strip.octave[k].rows;
  const size_t pitch = fill->plan.pitch, tile_pitch = fill->tile.pitch;
  const int arrays = fill->tile.arrays;
  /* A tile has room for whole vectors, but where its rows follow each other. */
  const size_t columns = fill->sink.strips.columns;
  const size_t whole = (columns + LANES - 1) / LANES * LANES;
  const int has_room = target->to && whole <= tile_pitch;
  struct axis_scalars z;
  struct emission emission[MAX_ARRAYS];
  if (fill->plan.dims >= 3) {
    const struct axis_arrays planes = planes_of(fill, k);
    z = scalars_at(&planes, plane, fill->plan.slopes);
  }
  for (int j = 0; j < arrays; j++)
    begin_emission(&emission[j], fill, k, j, &rows, has_room ? whole : columns);
  for (size_t r = r0, end; r < r1; r = end) {
    const uint32_t lower = word[r], upper = next[r];
    for (end = r + 1; end < r1 && word[end] == lower && next[end] == upper;)
      end++;
    if (!pair->known || pair->lower_word != lower || pair->upper_word != upper)
      begin_cell_row(fill, k, lower, upper, &z);
    for (int j = 0; j < arrays; j++) {
      struct emission *channel = &emission[j];
      channel->tilt0 = channel->tilts + pair->lower * pitch;
      channel->tilt1 = channel->tilts + pair->upper * pitch;
      channel->first = r;
      channel->rows = end - r;
      channel->sum = (j > 0 ? target->slopes_sum : target->sum)
                         ? fill->tile.sums.array[j] + (r - r0) * tile_pitch
                         : NULL;
      emit_array(fill, channel, j, target, r - r0);
    }
  }
}

/* ---- Planes ---- */

/* Moves the tile's rows together. What a row writes after its end, the next row overwrites. */
static void pack_tile(const struct fill *fill, size_t rows) {
  const size_t count = fill->grid->count[0], pitch = fill->tile.pitch;
  for (int j = 0; j < fill->tile.arrays && pitch > count; j++)
    for (size_t r = 1; r < rows; r++)
      for (size_t i = 0; i < count; i += LANES) {
        float *const row = fill->tile.sums.array[j] + i;
        f_store(row + r * count, f_load(row + r * pitch));
      }
}

/* Sample rows of the row table, at most a tile. */
struct tile_rows {
  struct fill *fill;
  size_t plane, begin, end;
};

/* An octave of a tile. With `sum`, and for erosion, derivatives are added to their sums. */
static void lattice_in_tile(void *producer, int k, int sum, const struct samples *samples) {
  const struct tile_rows *rows = producer;
  struct fill *fill = rows->fill;
  const struct target target = {sum, sum || (k > 0 && fill->tile.slopes_summed), samples, 0};
  emit_octave(fill, (size_t)k, rows->plane, rows->begin, rows->end, &target);
}

/* Fills a tile, whose first row is at `offset`. */
static void fill_tile(const struct tile_rows *rows, ptrdiff_t offset) {
  struct fill *fill = rows->fill;
  struct tile *tile = &fill->tile;
  const int octaves = fill->plan.octaves;
  const size_t n = rows->end - rows->begin;
  const size_t index[PERLANE_MAX_DIMS] = {0, fill->y + rows->begin, fill->z, fill->w};
  prefetch_ends(&fill->sink, n, offset);
  sum_octaves(tile, octaves - fill->plan.direct, n * tile->pitch, lattice_in_tile, (void *)rows);
  if (fill->plan.direct) {
    const int sum = octaves > 1;
    const struct target target = {sum, sum, NULL, offset};
    emit_octave(fill, (size_t)octaves - 1, rows->plane, rows->begin, rows->end, &target);
  } else if (fill->plan.packed) {
    pack_tile(fill, n);
    store_samples(&fill->sink, &tile->sums, 0, n * fill->grid->count[0], offset);
  } else {
    finish_rows(tile, 0, n, index);
    store_rows(tile, 0, n, offset);
  }
}

/* Fills one plane of the strip with the rows of the row table. `offset` is the first sample's. */
static void fill_plane(struct fill *fill, size_t plane, size_t rows, ptrdiff_t offset) {
  const int is_direct = fill->plan.direct && fill->plan.octaves == 1; /* no tile is written */
  const size_t step = is_direct ? DIRECT_ROWS : fill->plan.tile_rows;
  for (size_t r = 0; r < rows; r += step) {
    const struct tile_rows tile = {fill, plane, r, r + step < rows ? r + step : rows};
    fill_tile(&tile, offset + (ptrdiff_t)r * fill->grid->stride[1]);
  }
}

/* Fills `rows` sample rows from row y on, in all planes of the strip. */
static void fill_rows(struct fill *fill, size_t y, size_t rows) {
  const struct perlane_region *grid = fill->grid;
  const size_t octaves = (size_t)fill->plan.octaves;
  const struct grid_axis y_axis = {fill->field, grid, 1}, z_axis = {fill->field, grid, 2};
  const struct grid_axis w_axis = {fill->field, grid, 3};
  fill->y = y;
  for (size_t k = 0; k < octaves; k++) {
    const struct axis_arrays pass = row_table_of(fill, k);
    grid_axis_pass(&pass, &y_axis, y, rows, &fill->field->octave[k]);
  }
  const ptrdiff_t start = fill->sink.strips.x * grid->stride[0] + (ptrdiff_t)y * grid->stride[1];
  for (size_t w = fill->w = 0; w < grid->count[3]; fill->w = ++w) {
    const ptrdiff_t offset = start + (ptrdiff_t)w * grid->stride[3];
    if (fill->plan.dims == 4) {
      for (size_t k = 0; k < octaves; k++) {
        const struct axis_arrays pass = planes_of(fill, k);
        grid_axis_pass(&pass, &w_axis, w, 1, &fill->field->octave[k]);
        fill->strip.w[k] = scalars_at(&pass, 0, fill->plan.slopes);
      }
      begin_volume(fill);
    }
    for (size_t z = fill->z = 0; z < grid->count[2]; fill->z = ++z) {
      const size_t entry = z % TABLE_PLANES, left = grid->count[2] - z;
      if (fill->plan.dims >= 3) {
        if (entry == 0)
          for (size_t k = 0; k < octaves; k++) {
            const struct axis_arrays pass = planes_of(fill, k);
            grid_axis_pass(&pass, &z_axis, z, left < TABLE_PLANES ? left : TABLE_PLANES,
                           &fill->field->octave[k]);
          }
        begin_plane(fill);
      }
      fill_plane(fill, entry, rows, offset + (ptrdiff_t)z * grid->stride[2]);
    }
  }
}

/* ---- The fill ---- */

/* Makes the axis passes of the current strip's columns. */
static void pass_over_columns(struct fill *fill) {
  const struct grid_axis x_axis = {fill->field, fill->grid, 0};
  const struct strips *strips = &fill->sink.strips;
  for (size_t k = 0; k < (size_t)fill->plan.octaves; k++) {
    const struct axis_arrays pass = columns_of(fill, k);
    grid_axis_pass(&pass, &x_axis, (size_t)strips->x, strips->columns, &fill->field->octave[k]);
    if (fill->strip.lattice.source != SOURCE_QUICK)
      find_runs(&fill->strip.octave[k].runs, &pass, strips->columns);
  }
  begin_volume(fill);
}

/* Fills rows y .. end - 1 of the current strip. */
static void fill_more_rows(struct fill *fill, size_t y, size_t end) {
  for (; y < end; y += fill->plan.max_rows)
    fill_rows(fill, y, end - y < fill->plan.max_rows ? end - y : fill->plan.max_rows);
}

/* Fills the grid in memory that it fits in. */
static PERLANE_NOINLINE void fill_strips(struct fill *fill, void *memory) {
  const size_t rows = fill->grid->count[1], band = fill->plan.band_rows;
  lay_out(fill, memory);
  for (size_t y = 0; y < rows; y += band) {
    first_strip(&fill->sink.strips);
    do {
      pass_over_columns(fill);
      fill_more_rows(fill, y, rows - y < band ? rows : y + band);
    } while (next_strip(&fill->sink.strips));
  }
  close_sink(&fill->sink);
}

static PERLANE_NOINLINE void fill_on_stack(struct fill *fill) {
  _Alignas(CACHE_LINE_BYTES) unsigned char memory[SCRATCH_BYTES + READ_PAST_BYTES];
  fill_strips(fill, memory);
}

/* Returns 0, having filled nothing, if the field needs too much memory. */
static PERLANE_NOINLINE int fill_grid(const struct field *field, const struct perlane_region *grid,
                                      const struct perlane_output *output) {
  struct fill fill;
  struct open_line line[MAX_ARRAYS];
  begin_fill(&fill, field, grid, output, line);
  if (grid->work_bytes > SCRATCH_BYTES + READ_PAST_BYTES &&
      plan_within(&fill, grid->work_bytes - READ_PAST_BYTES))
    fill_strips(&fill, grid->work);
  else if (plan_within(&fill, SCRATCH_BYTES))
    fill_on_stack(&fill);
  else
    return 0;
  return 1;
}

/* ---- Part by part ---- */

/* A fill of one part of a grid after the other. Parts of the same columns share their axis passes,
 * and lattice rows. */
struct kept_fill {
  struct perlane_region part;
  struct perlane_output output;
  struct field field;
  struct fill fill;
};

/* Begins to fill parts of a grid, of up to its columns, in so many bytes of memory. Returns how
 * many it takes; 0 if they are too few, or the field is not filled by strips. */
static size_t keep_fill(struct kept_fill *kept, const perlane_noise *noise,
                        const struct perlane_region *grid, const struct perlane_output *output,
                        void *memory, size_t bytes) {
  struct fill *fill = &kept->fill;
  kept->field = field_of(noise, grid->octaves);
  kept->part = *grid;
  kept->output = *output;
  if (basis_of(&kept->field)->producer != PERLANE_LATTICE || grid->dims == 1 ||
      kept->field.params->warp_amplitude != 0 || bytes < READ_PAST_BYTES)
    return 0;
  kept->part.count[1] = kept->part.count[2] = kept->part.count[3] = 1; /* a part is not large */
  begin_fill(fill, &kept->field, &kept->part, &kept->output, NULL);
  kept->part = *grid;
  if (!plan_within(fill, bytes - READ_PAST_BYTES) || fill->sink.strips.width < grid->count[0])
    return 0;
  const struct room room = lay_out(fill, NULL);
  lay_out(fill, memory);
  first_strip(&fill->sink.strips);
  kept->part.count[0] = 0; /* no part yet */
  return room.bytes + room.columns * fill->plan.pitch * sizeof(float) + READ_PAST_BYTES;
}

/* Fills another part, to other memory. */
static void fill_next_part(struct kept_fill *kept, const struct perlane_region *part,
                           const struct perlane_output *output) {
  const int has_moved =
      part->first[0] != kept->part.first[0] || part->count[0] != kept->part.count[0];
  kept->part = *part;
  kept->output = *output;
  kept->fill.sink.strips.columns = part->count[0];
  if (has_moved)
    pass_over_columns(&kept->fill);
  fill_more_rows(&kept->fill, 0, part->count[1]);
}

#endif
