/* SPDX-License-Identifier: MIT
 *
 * The plan of a grid that is filled by strips: what is evaluated, the way that samples take to the
 * output, and how much of the memory each part of a strip gets. It is made once a call, before
 * anything is evaluated.
 */
#ifndef PERLANE_NOISE_GRID_PLAN_H
#define PERLANE_NOISE_GRID_PLAN_H

#include "strip.h"

enum {
  BAND_SAMPLES = 1 << 18, /* of a band of rows, where none do */
  MIN_BAND_ROWS = 64,
  MAX_BORDER_ROWS = 4,
};

/* The most columns of a strip in so many bytes, with the fill's rows and slots, if that is less
 * than `count` or MAX_STRIP_COLUMNS; otherwise the smaller of these. */
static size_t columns_within(struct fill *fill, size_t bytes, size_t count) {
  const size_t max = count < MAX_STRIP_COLUMNS
                         ? (count + STRIP_GRANULE - 1) / STRIP_GRANULE * STRIP_GRANULE
                         : MAX_STRIP_COLUMNS;
  const struct room room = lay_out(fill, NULL);
  const size_t column = room.columns * sizeof(float);
  if (room.bytes > bytes)
    return 0;
  return bytes - room.bytes >= column * max
             ? max
             : (bytes - room.bytes) / (column * STRIP_GRANULE) * STRIP_GRANULE;
}

/* Chooses the numbers of rows in the row table, of slots, and of columns in a strip, for so many
 * bytes of memory. Returns 0 if not even the narrowest strip fits. */
static int choose_layout(struct fill *fill, size_t bytes) {
  struct strips *strips = &fill->sink.strips;
  const size_t octaves = (size_t)fill->plan.octaves, count = strips->lead + strips->count;
  /* Fewer rows need fewer slots, which leaves room for more columns; so do fewer slots. */
  const size_t want = octaves == 1 ? 256 + CACHE_LINE_BYTES / sizeof(float) : 48;
  const size_t need = octaves == 1 ? 96 : 48;
  const size_t wide = fill->plan.dims < 3 ? 0 : count < want ? count : want;
  const size_t narrow = count < need ? count : need;
  const size_t entries = fill->plan.slopes ? ROW_ENTRIES / 2 : ROW_ENTRIES;
  const size_t least = (fill->plan.tile_rows + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
  size_t rows = least, slots = MAX_SLOTS, columns;
  if (fill->grid->count[1] > least) { /* divisions are dear to small grids */
    rows = entries / octaves / least * least;
    if (rows > fill->grid->count[1])
      rows = (fill->grid->count[1] + least - 1) / least * least;
    if (rows < least)
      rows = least;
  }
  fill->plan.pitch = 0;
  for (;;) {
    size_t wanted = 0;
    fill->plan.max_rows = rows;
    for (size_t k = 0; k < octaves; k++)
      wanted += lattice_rows_in_plane(fill, k);
    fill->plan.slots = wanted < slots ? wanted : slots;
    columns = columns_within(fill, bytes, count);
    if ((columns >= wide && fill->plan.slots == wanted) || (columns >= narrow && rows == least) ||
        (fill->plan.slots == 0 && rows == least))
      break;
    if (rows > least)
      rows -= least;
    else
      slots = fill->plan.slots / 2;
  }
  if (columns == 0)
    return 0;
  if (columns < 4 * strips->overlap)
    strips->overlap = 0; /* too much would be computed twice */
  balance_strips(strips, columns);
  fill->plan.pitch = strips->width;
  fill->tile.pitch = fill->plan.packed && octaves == 1 ? count : fill->plan.pitch;
  return 1;
}

/* Without streaming stores, strips from the top of a large map to its bottom would come back to
 * each page of the output after all others, which costs a fifth more time. So such maps are filled
 * in bands of so many rows, each of which stays in the caches. Other grids are one band. */
static size_t rows_of_band(const struct perlane_region *grid, const struct perlane_output *output) {
  if (STREAMS || grid->dims != 2 || grid->count[0] <= MAX_STRIP_COLUMNS || output->gradient[0] ||
      output->extremes || !is_large(grid, output))
    return grid->count[1];
  const size_t rows = BAND_SAMPLES / grid->count[0];
  return rows > MIN_BAND_ROWS ? rows : MIN_BAND_ROWS;
}

/* Plans tiles and strips for packed tiles, or for others, in so many bytes. */
static int plan_strips(struct fill *fill, int packed, size_t bytes) {
  struct plan *plan = &fill->plan;
  const struct perlane_region *grid = fill->grid;
  const int narrow = grid->dims > 2 || grid->count[0] <= NARROW_GRID;
  if (packed != plan->packed)
    fill->sink.strips = strips_of(grid, fill->sink.output, fill->sink.streams && !packed);
  plan->packed = packed;
  plan->direct = fill->tile.direct && !packed;
  plan->tile_rows = plan->octaves == 1 && packed              ? PACKED_SAMPLES / grid->count[0]
                    : fill->field->gullies > 0                ? GULLY_ROWS
                    : plan->slopes                            ? GRADIENT_TILE_ROWS
                    : plan->octaves == 1                      ? SHORT_TILE_ROWS
                    : narrow && plan->octaves <= MANY_OCTAVES ? TALL_TILE_ROWS
                                                              : TILE_ROWS;
  if (plan->tile_rows > TALL_TILE_ROWS)
    plan->tile_rows = TALL_TILE_ROWS;
  /* A border of a few rows is no tile of its own. */
  if (grid->count[1] > plan->tile_rows && grid->count[1] <= plan->tile_rows + MAX_BORDER_ROWS)
    plan->tile_rows = grid->count[1];
  return choose_layout(fill, bytes);
}

/* Plans the fill for so many bytes of memory. Returns 0 if they are too few. */
static int plan_within(struct fill *fill, size_t bytes) {
  const struct sink *sink = &fill->sink;
  const int packed =
      sink->streams && sink->is_raw && !fill->tile.blended && has_short_rows(fill->grid);
  if (!plan_strips(fill, packed, bytes))
    return 0;
  return !packed || fill->plan.pitch >= fill->grid->count[0] || plan_strips(fill, 0, bytes);
}

/* Begins a fill, with the part of its plan that does not depend on memory. */
static void begin_fill(struct fill *fill, const struct field *field,
                       const struct perlane_region *grid, const struct perlane_output *output,
                       struct open_line line[MAX_ARRAYS]) {
  struct plan *plan = &fill->plan;
  fill->field = field;
  fill->grid = grid;
  plan->dims = grid->dims;
  plan->octaves = field->octaves;
  plan->packed = 0;
  open_sink(&fill->sink, grid, output, field, 1, line, MAX_ARRAYS);
  begin_tile(&fill->tile, field, &fill->sink);
  fill->tile.slopes_summed = is_eroded(field);
  plan->slopes = fill->tile.arrays > 1;
  plan->channels = plan->slopes ? grid->dims : 1;
  plan->band_rows = rows_of_band(grid, output);
  make_lattice(&fill->strip.lattice, field, grid->dims);
}

#endif
