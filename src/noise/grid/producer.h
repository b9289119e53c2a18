/* SPDX-License-Identifier: MIT
 *
 * The producer of grids of Perlin and value noise: a sample takes 3 multiplications and 3
 * additions, in 2, 3 and 4 dimensions alike.
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
#ifndef PERLANE_NOISE_GRID_PRODUCER_H
#define PERLANE_NOISE_GRID_PRODUCER_H

#include "emission.h"
#include "lattice_rows.h"

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
PERLANE_INLINE void begin_emission(struct emission *emission, const struct lattice_fill *fill,
                                   size_t k, int j, const struct axis_arrays *rows,
                                   size_t columns) {
  const float *channel = channel_array(fill, k, CHANNEL_OF[j], 0);
  emission->middle = j == Y_SLOPES ? fill->strip.nothing : channel + MIDDLE * fill->plan.pitch;
  emission->rise = channel + RISE * fill->plan.pitch;
  emission->tilts = channel + TILT * fill->plan.pitch;
  emission->centred = j == Y_SLOPES ? rows->slope : rows->centred;
  emission->a0 = j == Y_SLOPES ? rows->b0 : rows->a0;
  emission->a1 = j == Y_SLOPES ? rows->b1 : rows->a1;
  emission->columns = columns;
  emission->sum_pitch = fill->space.tile.pitch;
}

/* Emits the rows of `emission`, from row r of the target on, to array j. */
PERLANE_INLINE void emit_array(struct lattice_fill *fill, const struct emission *emission, int j,
                               const struct target *target, size_t r) {
  if (target->to) {
    emit_rows(emission, target->to->array[j] + r * fill->space.tile.pitch,
              (ptrdiff_t)fill->space.tile.pitch);
    return;
  }
  const ptrdiff_t stride = fill->space.grid->stride[1],
                  offset = target->offset + (ptrdiff_t)r * stride;
  float *array = output_array(fill->space.sink.output, j);
  if (!array)
    return;
  if (fill->space.sink.is_raw && !fill->space.sink.streams)
    emit_rows(emission, array + offset, stride);
  else
    emit_segments(&fill->space.sink, emission, j, offset);
}

/* Emits sample rows r0 .. r1 - 1 of the row table in one octave. */
static void emit_octave(struct lattice_fill *fill, size_t k, size_t plane, size_t r0, size_t r1,
                        const struct target *target) {
  const struct axis_arrays rows = row_table_of(fill, k);
  const uint32_t *word = rows.word, *next = rows.next;
  const struct row_pair *pair = &fill->strip.octave[k].rows;
  const size_t pitch = fill->plan.pitch, tile_pitch = fill->space.tile.pitch;
  const int arrays = fill->space.tile.arrays;
  /* A tile has room for whole vectors, but where its rows follow each other. */
  const size_t columns = fill->space.sink.strips.columns;
  const size_t whole = (columns + LANES - 1) / LANES * LANES;
  const int has_room = target->to && whole <= tile_pitch;
  struct axis_scalars z;
  struct emission emission[MAX_ARRAYS];
  if (fill->space.grid->dims >= 3) {
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
                         ? fill->space.tile.sums.array[j] + (r - r0) * tile_pitch
                         : NULL;
      emit_array(fill, channel, j, target, r - r0);
    }
  }
}

/* ---- The producer ---- */

/* Emits an octave of the current tile. */
static void emit_tile(struct lattice_fill *fill, int k, const struct target *target) {
  const struct space *space = &fill->space;
  const size_t r = space->y - space->block_y;
  emit_octave(fill, (size_t)k, space->z % TABLE_PLANES, r, r + space->rows, target);
}

/* With `sum`, and for erosion, derivatives are added to their sums. */
static void lattice_octave_of_tile(struct space *space, int k, int sum,
                                   const struct samples *samples) {
  const struct target target = {sum, sum || (k > 0 && space->tile.slopes_summed), samples, 0};
  emit_tile((struct lattice_fill *)space, k, &target);
}

static int lattice_leaves(struct space *space, ptrdiff_t offset) {
  const int octaves = space->field->octaves, sum = octaves > 1;
  const struct target target = {sum, sum, NULL, offset};
  emit_tile((struct lattice_fill *)space, octaves - 1, &target);
  return 1;
}

/* Makes the axis passes of the strip's columns. */
static void lattice_columns(struct space *space) {
  struct lattice_fill *fill = (struct lattice_fill *)space;
  const struct grid_axis x_axis = {space->field, space->grid, 0};
  const struct strips *strips = &space->sink.strips;
  for (size_t k = 0; k < (size_t)space->field->octaves; k++) {
    const struct axis_arrays pass = columns_of(fill, k);
    grid_axis_pass(&pass, &x_axis, (size_t)strips->x, strips->columns, &space->field->octave[k]);
    if (fill->strip.lattice.source != SOURCE_QUICK)
      find_runs(&fill->strip.octave[k].runs, &pass, strips->columns);
  }
  begin_volume(fill);
}

/* Makes the row table. */
static void lattice_row_table(struct space *space) {
  struct lattice_fill *fill = (struct lattice_fill *)space;
  const struct grid_axis y_axis = {space->field, space->grid, 1};
  for (size_t k = 0; k < (size_t)space->field->octaves; k++) {
    const struct axis_arrays pass = row_table_of(fill, k);
    grid_axis_pass(&pass, &y_axis, space->block_y, space->block_count, &space->field->octave[k]);
  }
}

/* Makes the table of planes, and begins the current one. */
static void lattice_plane(struct space *space) {
  struct lattice_fill *fill = (struct lattice_fill *)space;
  const size_t octaves = (size_t)space->field->octaves, left = space->grid->count[2] - space->z;
  const struct grid_axis z_axis = {space->field, space->grid, 2};
  const struct grid_axis w_axis = {space->field, space->grid, 3};
  if (space->grid->dims < 3)
    return;
  if (space->z == 0 && space->grid->dims == 4) {
    for (size_t k = 0; k < octaves; k++) {
      const struct axis_arrays pass = planes_of(fill, k);
      grid_axis_pass(&pass, &w_axis, space->w, 1, &space->field->octave[k]);
      fill->strip.w[k] = scalars_at(&pass, 0, fill->plan.slopes);
    }
    begin_volume(fill);
  }
  for (size_t k = 0; space->z % TABLE_PLANES == 0 && k < octaves; k++) {
    const struct axis_arrays pass = planes_of(fill, k);
    grid_axis_pass(&pass, &z_axis, space->z, smaller_of(left, TABLE_PLANES),
                   &space->field->octave[k]);
  }
  begin_plane(fill);
}

static const struct producer LATTICE_PRODUCER = {.plan = plan_lattice,
                                                 .lay_out = lay_out_lattice,
                                                 .columns = lattice_columns,
                                                 .rows = lattice_row_table,
                                                 .planes = lattice_plane,
                                                 .octave = lattice_octave_of_tile,
                                                 .leave = lattice_leaves};

/* Returns 0, having filled nothing, if the field needs too much memory, and in 1D, where there are
 * no rows to share work. */
static PERLANE_NOINLINE int fill_lattice(const struct field *field,
                                         const struct perlane_region *grid,
                                         const struct perlane_output *output) {
  struct lattice_fill fill;
  if (grid->dims == 1)
    return 0;
  begin_lattice(&fill, &LATTICE_PRODUCER, field, grid, output);
  return fill_space(&fill.space);
}

/* ---- Part by part ---- */

/* A fill of one part of a grid after the other. Parts of the same columns share their axis passes,
 * and lattice rows. */
struct kept_fill {
  struct perlane_region part;
  struct perlane_output output;
  struct field field;
  struct lattice_fill fill;
};

/* Begins to fill parts of a grid, which have at most its columns, in `bytes` bytes of memory.
 * Returns the number of bytes it takes, or 0 if they are too few or the field is not filled by
 * strips. */
static size_t keep_fill(struct kept_fill *kept, const perlane_noise *noise,
                        const struct perlane_region *grid, const struct perlane_output *output,
                        void *memory, size_t bytes) {
  struct space *space = &kept->fill.space;
  struct arena measured = {.next = NULL}, arena = {.next = memory};
  kept->field = field_of(noise, grid->octaves);
  kept->part = *grid;
  kept->output = *output;
  if (basis_of(&kept->field)->producer != BY_LATTICE || grid->dims == 1 ||
      kept->field.params->warp_amplitude != 0 || has_valleys(&kept->field) ||
      bytes < READ_PAST_BYTES)
    return 0;
  kept->part.count[1] = kept->part.count[2] = kept->part.count[3] = 1; /* a part is not large */
  begin_lattice(&kept->fill, &LATTICE_PRODUCER, &kept->field, &kept->part, &kept->output);
  kept->part = *grid;
  if (!plan_lattice(space, bytes - READ_PAST_BYTES) || space->sink.strips.width < grid->count[0])
    return 0;
  arena.pitch = space->sink.strips.width;
  lay_out_lattice(space, &measured);
  lay_out_lattice(space, &arena);
  first_strip(&space->sink.strips);
  kept->part.count[0] = 0; /* no part yet */
  return measured.bytes + measured.columns * arena.pitch * sizeof(float) + READ_PAST_BYTES;
}

/* Fills another part, to other memory. */
static void fill_next_part(struct kept_fill *kept, const struct perlane_region *part,
                           const struct perlane_output *output) {
  struct space *space = &kept->fill.space;
  const int has_moved =
      part->first[0] != kept->part.first[0] || part->count[0] != kept->part.count[0];
  kept->part = *part;
  kept->output = *output;
  space->sink.strips.columns = part->count[0];
  if (has_moved)
    lattice_columns(space);
  drive_rows(space, 0, part->count[1]);
}

#endif
