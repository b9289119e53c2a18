/* SPDX-License-Identifier: MIT
 *
 * What a grid's fill keeps for a strip of columns; the layout of its memory, one block; and the
 * plan of strips, made once a call, which says how much of it each part gets.
 *
 * Each column takes 5 floats of axis pass and 5 of a channel for each octave, one for each row of
 * the tile, and in 3D 6 for each slot of edge rows. All of them are read again with every row of
 * cells, so they should fit in the first-level cache: strips are as wide as the block allows,
 * without work memory 176 columns with 4 octaves and 96 with 8.
 *
 * Three kinds of rows: *edge rows* and *lattice rows* (lattice_rows.h), over the columns of the
 * strip, and *sample rows*, those of the output. The sample rows of a *cell row* are between the
 * same two lattice rows.
 */
#ifndef PERLANE_NOISE_GRID_STRIP_H
#define PERLANE_NOISE_GRID_STRIP_H

#include "../lattice/combine.h"
#include "../driver/driver.h"

enum { TABLE_PLANES = LANES }; /* planes of the plane table */
_Static_assert(TILE_ROWS % LANES == 0, "tables are filled with whole vectors");

/* What sample rows are made of: their values, and the derivatives along x, z and w. (Derivatives
 * along y come from the values.) */
enum { CHANNEL_VALUE, CHANNEL_X, CHANNEL_Z, CHANNEL_W };

/* The arrays of a channel: the values of the lattice row that was evaluated last, which the next
 * cell row shares; the tilts of the two lattice rows around the current cell row; the mean of their
 * values, and upper - lower value. */
enum { LAST = 0, TILT = 1, MIDDLE = 3, RISE = 4, CHANNEL_ARRAYS = 5 };

/* The arrays of an edge row: value and tilts along y and z; with derivatives also those of its
 * derivatives along x, and in 4D along w. */
enum { EDGE_ARRAYS = 3, MAX_EDGE_ARRAYS = 3 * EDGE_ARRAYS };

/* The two lattice rows around a cell row, identified by their hash words along y. */
struct row_pair {
  int known; /* 0: neither is there */
  uint32_t last_word, lower_word, upper_word;
  unsigned last, lower, upper; /* indices of their tilts */
};

/* An octave's share of a strip. */
struct strip_octave {
  float *columns;          /* the axis pass */
  float *channels;         /* CHANNEL_ARRAYS each */
  struct runs runs;        /* of columns in a cell, where corners are spread */
  struct row_pair rows;    /* of the current cell row */
  uint16_t slot, slots;    /* the first of its slots, and their number */
  size_t next_lattice_row; /* number of the next one in this plane */
};

/* The edge rows of a plane's n-th lattice row stay in the octave's n-th slot for the next plane:
 * the planes of one layer of cells differ only in how edge rows are folded. The two rows, at the
 * lower and the upper corner along z, are identified by their hash words. */
struct slot {
  int valid[2];
  uint32_t word[2];
  uint32_t y_word;
};

/* The axis pass of one position. */
struct axis_scalars {
  float centred, a0, a1, slope, b0, b1;
  uint32_t word, next;
};

/* How a grid is filled by strips: made once, before anything is evaluated. */
struct plan {
  int slopes, channels; /* of what is evaluated: erosion needs derivatives */
  size_t pitch;         /* floats from one array of the strip to the next */
  size_t slots;
};

/* The memory of the current strip. */
struct strip {
  struct lattice lattice;
  struct strip_octave *octave; /* of each */
  struct slot *slot;           /* the last is for lattice rows without a slot of their own */
  struct axis_scalars *w;      /* of each octave, in 4D */
  const float *nothing;        /* with slopes: a row of -0, which changes no sum */
  float *edge_memory, *row_memory, *plane_memory, *spread_memory;
};

struct lattice_fill {
  struct space space; /* a block's rows are those of the row table */
  struct plan plan;
  struct strip strip;
};

/* Floats of the axis pass per position. */
PERLANE_INLINE size_t axis_floats(const struct lattice_fill *fill) {
  return AXIS_FLOATS + (fill->plan.slopes ? AXIS_SLOPE_FLOATS : 0);
}

PERLANE_INLINE struct axis_arrays columns_of(const struct lattice_fill *fill, size_t k) {
  return axis_arrays_in(fill->strip.octave[k].columns, fill->plan.pitch, fill->plan.slopes);
}

PERLANE_INLINE struct axis_arrays row_table_of(const struct lattice_fill *fill, size_t k) {
  return axis_arrays_in(fill->strip.row_memory + k * fill->space.block_rows * axis_floats(fill),
                        fill->space.block_rows, fill->plan.slopes);
}

PERLANE_INLINE struct axis_arrays planes_of(const struct lattice_fill *fill, size_t k) {
  return axis_arrays_in(fill->strip.plane_memory + k * TABLE_PLANES * axis_floats(fill),
                        TABLE_PLANES, fill->plan.slopes);
}

PERLANE_INLINE struct axis_lanes lanes_of(const struct axis_scalars *scalars) {
  return (struct axis_lanes){
      .centred = f_set(scalars->centred),
      .a0 = f_set(scalars->a0),
      .a1 = f_set(scalars->a1),
      .word = i_set(scalars->word),
      .next = i_set(scalars->next),
      .slope = f_set(scalars->slope),
      .b0 = f_set(scalars->b0),
      .b1 = f_set(scalars->b1),
  };
}

static struct axis_scalars scalars_at(const struct axis_arrays *arrays, size_t i, int slopes) {
  struct axis_scalars scalars = {.centred = arrays->centred[i],
                                 .a0 = arrays->a0[i],
                                 .a1 = arrays->a1[i],
                                 .word = arrays->word[i],
                                 .next = arrays->next[i]};
  if (slopes) {
    scalars.slope = arrays->slope[i];
    scalars.b0 = arrays->b0[i];
    scalars.b1 = arrays->b1[i];
  }
  return scalars;
}

PERLANE_INLINE float *channel_array(const struct lattice_fill *fill, size_t k, int channel,
                                    unsigned array) {
  return fill->strip.octave[k].channels +
         ((size_t)channel * CHANNEL_ARRAYS + array) * fill->plan.pitch;
}

/* Arrays of an edge row. */
PERLANE_INLINE size_t edge_array_count(const struct lattice_fill *fill) {
  return (size_t)EDGE_ARRAYS * (fill->plan.slopes ? (size_t)fill->space.grid->dims - 1 : 1);
}

PERLANE_INLINE float *edge_array(const struct lattice_fill *fill, size_t slot, unsigned which) {
  return fill->strip.edge_memory + (slot * 2 + which) * edge_array_count(fill) * fill->plan.pitch;
}

/* ---- The layout ---- */

/* Returns how many lattice rows of an octave the row table's rows need in a plane at most, or 0 if
 * planes are so far apart that hardly two share edge rows. */
static size_t lattice_rows_in_plane(const struct lattice_fill *fill, size_t k) {
  const struct perlane_region *grid = fill->space.grid;
  const double frequency = fill->space.field->octave[k].frequency;
  const double between_planes = perlane_magnitude(grid->step[2]) * frequency;
  const double cells =
      perlane_magnitude(grid->step[1]) * frequency * (double)fill->space.block_rows;
  if (fill->space.grid->dims < 3 || grid->count[2] == 1 || between_planes > SHARED_PLANES)
    return 0;
  return cells > (double)MAX_SLOTS ? MAX_SLOTS : (size_t)cells + 3;
}

/* Assigns the slots to the octaves in turn. */
static void share_slots(struct lattice_fill *fill) {
  size_t first = 0;
  for (size_t k = 0; k < (size_t)fill->space.field->octaves; k++) {
    const size_t wanted = lattice_rows_in_plane(fill, k), left = fill->plan.slots - first;
    fill->strip.octave[k].slot = (uint16_t)first;
    fill->strip.octave[k].slots = (uint16_t)(wanted < left ? wanted : left);
    first += fill->strip.octave[k].slots;
  }
}

/* Lays out the memory of a fill whose rows, slots and columns have been chosen. While it is only
 * measured, columns need not have been chosen. */
static void lay_out_lattice(struct space *space, struct arena *arena) {
  struct lattice_fill *fill = (struct lattice_fill *)space;
  struct tile *tile = &space->tile;
  const int is_measured = !arena->next;
  const size_t octaves = (size_t)space->field->octaves, floats = axis_floats(fill);
  const size_t tile_rows = space->tile_rows, arrays = (size_t)tile->arrays;
  const int dims = space->grid->dims, is_spread = fill->strip.lattice.source != SOURCE_QUICK;
  fill->strip.octave = take(arena, octaves, sizeof *fill->strip.octave);
  fill->strip.w = take(arena, dims == 4 ? octaves : 0, sizeof *fill->strip.w);
  fill->strip.slot = take(arena, fill->plan.slots + 1, sizeof *fill->strip.slot);
  for (size_t k = 0; k < octaves; k++) {
    float *columns = take_columns(arena, floats);
    float *channels = take_columns(arena, (size_t)fill->plan.channels * CHANNEL_ARRAYS);
    float *runs = take_columns(arena, (size_t)is_spread); /* a column may be a run */
    if (!is_measured) {
      fill->strip.octave[k].columns = columns;
      fill->strip.octave[k].channels = channels;
      fill->strip.octave[k].runs.start = (uint16_t *)(void *)runs;
    }
  }
  float *sums = take_columns(arena, space->direct && octaves == 1 ? 0 : arrays * tile_rows);
  /* Erosion keeps no octave's derivatives. */
  const size_t blended = !tile->blended ? 0 : tile->slopes_summed ? tile_rows : arrays * tile_rows;
  float *layer = take_columns(arena, blended), *weights = take_columns(arena, blended);
  float *nothing = take_columns(arena, (size_t)fill->plan.slopes);
  fill->strip.edge_memory =
      take_columns(arena, dims < 3 ? 0 : (fill->plan.slots + 1) * 2 * edge_array_count(fill));
  fill->strip.plane_memory = take_floats(arena, dims < 3 ? 0 : octaves * TABLE_PLANES * floats);
  fill->strip.spread_memory = take_floats(arena, is_spread ? SPREAD_SCRATCH : 0);
  fill->strip.row_memory = take_floats(arena, octaves * space->block_rows * floats);
  if (is_measured)
    return;
  share_slots(fill);
  tile->sums = samples_in(sums, tile_rows * arena->pitch);
  tile->layer = samples_in(layer, tile_rows * arena->pitch);
  tile->weights = samples_in(weights, tile_rows * arena->pitch);
  for (size_t j = 1; j < arrays && tile->slopes_summed; j++)
    tile->layer.array[j] = tile->sums.array[j];
  for (size_t k = 0; k < octaves && dims == 4; k++)
    fill->strip.w[k] = (struct axis_scalars){0};
  for (size_t i = 0; i < arena->pitch && fill->plan.slopes; i++)
    nothing[i] = -0.0f;
  fill->strip.nothing = nothing;
}

/* ---- The plan ---- */

/* The most columns of a strip that fits in `bytes` with the fill's rows and slots, if fewer than
 * `count` and MAX_STRIP_COLUMNS; otherwise the smaller of these. */
static size_t columns_within(struct lattice_fill *fill, size_t bytes, size_t count) {
  const size_t max = count < MAX_STRIP_COLUMNS
                         ? (count + STRIP_GRANULE - 1) / STRIP_GRANULE * STRIP_GRANULE
                         : MAX_STRIP_COLUMNS;
  struct arena arena = {.next = NULL};
  lay_out_lattice(&fill->space, &arena);
  const size_t column = arena.columns * sizeof(float);
  if (arena.bytes > bytes)
    return 0;
  return bytes - arena.bytes >= column * max
             ? max
             : (bytes - arena.bytes) / (column * STRIP_GRANULE) * STRIP_GRANULE;
}

/* Chooses the numbers of rows in the row table, of slots, and of columns in a strip, for `bytes` of
 * memory. Returns 0 if not even the narrowest strip fits. */
static int choose_layout(struct lattice_fill *fill, size_t bytes) {
  struct strips *strips = &fill->space.sink.strips;
  const size_t octaves = (size_t)fill->space.field->octaves, count = strips->lead + strips->count;
  /* Fewer rows need fewer slots, which leaves room for more columns; so do fewer slots. */
  const size_t want = octaves == 1 ? 256 + CACHE_LINE_BYTES / sizeof(float) : 48;
  const size_t need = octaves == 1 ? 96 : 48;
  const size_t wide = fill->space.grid->dims < 3 ? 0 : count < want ? count : want;
  const size_t narrow = count < need ? count : need;
  const size_t entries = fill->plan.slopes ? ROW_ENTRIES / 2 : ROW_ENTRIES;
  const size_t least = (fill->space.tile_rows + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
  size_t rows = least, slots = MAX_SLOTS, columns;
  if (fill->space.grid->count[1] > least) { /* divisions are dear to small grids */
    rows = entries / octaves / least * least;
    if (rows > fill->space.grid->count[1])
      rows = (fill->space.grid->count[1] + least - 1) / least * least;
    if (rows < least)
      rows = least;
  }
  fill->plan.pitch = 0;
  for (;;) {
    size_t wanted = 0;
    fill->space.block_rows = rows;
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
  fill->space.tile.pitch = fill->space.packed && octaves == 1 ? count : fill->plan.pitch;
  return 1;
}

/* Without streaming stores, strips from the top of a large map to its bottom would come back to
 * each page of the output after all others, which costs a fifth more time. So such maps are filled
 * in bands, whose pages stay in the caches. Returns a band's rows: of other grids, all. */
static size_t rows_of_band(const struct perlane_region *grid, const struct perlane_output *output) {
  if (STREAMS || grid->dims != 2 || grid->count[0] <= MAX_STRIP_COLUMNS || output->gradient[0] ||
      output->extremes || !is_large(grid, output))
    return grid->count[1];
  const size_t rows = BAND_SAMPLES / grid->count[0];
  return rows > MIN_BAND_ROWS ? rows : MIN_BAND_ROWS;
}

/* Plans tiles and strips in `bytes`, for packed tiles or for others. */
static int plan_strips(struct lattice_fill *fill, int packed, size_t bytes) {
  struct space *space = &fill->space;
  const struct perlane_region *grid = space->grid;
  const int octaves = space->field->octaves;
  const int narrow = grid->dims > 2 || grid->count[0] <= NARROW_GRID;
  if (packed != space->packed)
    space->sink.strips = strips_of(grid, space->sink.output, space->sink.streams && !packed);
  space->packed = packed;
  space->direct = may_leave(space) && !packed;
  space->tile_rows = octaves == 1 && packed              ? PACKED_SAMPLES / grid->count[0]
                     : fill->plan.slopes                 ? GRADIENT_TILE_ROWS
                     : octaves == 1                      ? SHORT_TILE_ROWS
                     : narrow && octaves <= MANY_OCTAVES ? TALL_TILE_ROWS
                                                         : TILE_ROWS;
  if (space->tile_rows > TALL_TILE_ROWS)
    space->tile_rows = TALL_TILE_ROWS;
  /* A border of a few rows is no tile of its own. */
  if (grid->count[1] > space->tile_rows && grid->count[1] <= space->tile_rows + MAX_BORDER_ROWS)
    space->tile_rows = grid->count[1];
  if (!choose_layout(fill, bytes))
    return 0;
  if (space->direct && octaves == 1)
    space->tile_rows = DIRECT_ROWS; /* of a tile that is not written */
  return 1;
}

static int plan_lattice(struct space *space, size_t bytes) {
  struct lattice_fill *fill = (struct lattice_fill *)space;
  const struct sink *sink = &space->sink;
  const int packed =
      sink->streams && sink->is_raw && !space->tile.blended && has_short_rows(space->grid);
  if (!plan_strips(fill, packed, bytes))
    return 0;
  return !packed || fill->plan.pitch >= space->grid->count[0] || plan_strips(fill, 0, bytes);
}

/* Begins a fill, with the part of its plan that does not depend on memory. */
static void begin_lattice(struct lattice_fill *fill, const struct producer *producer,
                          const struct field *field, const struct perlane_region *grid,
                          const struct perlane_output *output) {
  struct space *space = &fill->space;
  begin_space(space, producer, field, grid, output);
  space->band_rows = rows_of_band(grid, output);
  space->tile.slopes_summed = is_eroded(field);
  fill->plan.slopes = space->tile.arrays > 1;
  fill->plan.channels = fill->plan.slopes ? grid->dims : 1;
  make_lattice(&fill->strip.lattice, field, grid->dims);
}

#endif
