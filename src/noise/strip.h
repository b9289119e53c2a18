/* SPDX-License-Identifier: MIT
 *
 * What a grid's fill keeps while it works on a strip of columns, and how the memory for it is laid
 * out. All of it is one block on the stack.
 */
#ifndef PERLANE_NOISE_STRIP_H
#define PERLANE_NOISE_STRIP_H

#include "combine.h"
#include "extremes.h"
#include "finish.h"

enum {
  STRIP_MOST_COLUMNS = 512,
  STRIP_GRANULE = 16, /* columns are a multiple of it, and so of every LANES */
  TILE_ROWS = 16,
  GRADIENT_TILE_ROWS = 8,
  ROW_ENTRIES = 512,    /* of the table of rows, for all octaves together, but at least TILE_ROWS */
  TABLE_PLANES = LANES, /* planes whose axis pass is kept */
};
_Static_assert(TILE_ROWS % LANES == 0, "tables are filled by whole vectors");
_Static_assert(STRIP_GRANULE % LANES == 0, "so are columns");

/* The arrays of a family: a lattice row's value and tilt for the lower and the upper row of the
 * current cell row, mean of the values, and upper less lower value. */
enum { VALUE = 0, TILT = 2, MIDDLE = 4, RISE = 5, FAMILY_ARRAYS = 6 };

/* Of the values, and of their derivatives along x, z and w. */
enum { FAMILY_VALUE, FAMILY_X, FAMILY_Z, FAMILY_W };

/* The arrays of a row of edges: values and tilts along y and z; with derivatives the same of those
 * along x, and in 4D along w. */
enum { EDGE_ARRAYS = 3, EDGE_MOST_ARRAYS = 3 * EDGE_ARRAYS };

/* All octaves with derivatives in 4D, looked up and shaped, fit on the narrowest strip: their axis
 * passes, families and runs, the tile's layers, one slot, the tables of planes and rows. */
enum {
  MOST_AXIS_FLOATS = AXIS_FLOATS + AXIS_SLOPE_FLOATS,
  MOST_COLUMN_FLOATS =
      PERLANE_MAX_OCTAVES * (MOST_AXIS_FLOATS + PERLANE_MAX_DIMS * FAMILY_ARRAYS + 1) +
      3 * MOST_ARRAYS * GRADIENT_TILE_ROWS + 2 * EDGE_MOST_ARRAYS,
  MOST_TABLE_FLOATS = PERLANE_MAX_OCTAVES * (STRIP_GRANULE + TILE_ROWS) * MOST_AXIS_FLOATS,
  SCRATCH_FLOATS = MOST_COLUMN_FLOATS * STRIP_GRANULE + MOST_TABLE_FLOATS,
};

/* Two things that hash words make what they are, such as the lattice rows around a row of cells. Of
 * two neighbouring pairs one is the same. */
struct pair {
  int held[2]; /* whether there is a first, a second */
  uint32_t word[2];
};

/* What one octave keeps of a strip. */
struct strip_octave {
  float *columns;        /* the axis pass */
  float *families;       /* FAMILY_ARRAYS for each */
  struct runs runs;      /* of the columns, where corners are spread */
  struct pair rows;      /* lattice rows, by their words along y */
  unsigned lower, upper; /* which of them are the current cell row's */
  size_t slot, slots;    /* its slots, see struct slot */
  size_t row_of_plane;   /* lattice rows evaluated so far in this plane */
};

/* In 3D and 4D a plane's n-th lattice row finds its edges in the octave's n-th slot, where the
 * plane before left them: the planes of one layer of cells differ only in how edges are folded. */
struct slot {
  struct pair edges; /* by their words along z */
  uint32_t y_word;
};
enum { SLOTS_MOST = 96 };

/* One position's contribution of an axis. */
struct axis_scalars {
  float centred, a0, a1, slope, b0, b1;
  uint32_t word, next;
};

struct fill {
  const perlane_noise *noise;
  const struct perlane_region *grid;
  const struct perlane_output *output;
  int dims, octaves, shaped;
  int slopes, arrays, families;
  struct lattice lattice;
  int direct;   /* the last octave's samples go straight to the output */
  int finished; /* and as they are */
  int stream;
  size_t pitch;     /* columns of the strip's arrays */
  size_t tile_rows; /* rows of the tile */
  size_t rows_most; /* rows whose axis pass the row table holds */

  ptrdiff_t x;    /* the strip's first column; below 0 where lines begin before the grid does */
  size_t columns; /* of the strip */
  size_t advance; /* columns from one strip to the next */
  int last;       /* no strip follows */
  int64_t lead;
  struct samples tile, layer, weights;
  struct ending ending;
  struct extremes extremes;
  struct strip_octave octave[PERLANE_MAX_OCTAVES];
  struct slot slot[SLOTS_MOST + 1]; /* the last for what finds no slot of its own */
  size_t slots;
  float *edge_memory, *row_memory, *plane_memory;
  struct axis_scalars w[PERLANE_MAX_OCTAVES];
};

/* Floats of one position's axis pass. */
PERLANE_INLINE size_t axis_floats(const struct fill *fill) {
  return AXIS_FLOATS + (fill->slopes ? AXIS_SLOPE_FLOATS : 0);
}

PERLANE_INLINE struct axis_arrays columns_of(const struct fill *fill, size_t k) {
  return axis_arrays_in(fill->octave[k].columns, fill->pitch, fill->slopes);
}

PERLANE_INLINE struct axis_arrays rows_of(const struct fill *fill, size_t k) {
  return axis_arrays_in(fill->row_memory + k * fill->rows_most * axis_floats(fill), fill->rows_most,
                        fill->slopes);
}

PERLANE_INLINE struct axis_arrays planes_of(const struct fill *fill, size_t k) {
  return axis_arrays_in(fill->plane_memory + k * TABLE_PLANES * axis_floats(fill), TABLE_PLANES,
                        fill->slopes);
}

/* Columns of the strip that belong to a row whose first one, of the strip, would be at `to`: from a
 * line on, so that no line is written in parts but at the ends of a row. */
struct span {
  size_t begin, end;
};

PERLANE_INLINE struct span span_of(const struct fill *fill, uintptr_t to, size_t size) {
  struct span span = {0, fill->columns};
  const size_t distance = fill->stream ? (0 - to / size) % (64 / size) : 0;
  if (fill->x > 0)
    span.begin = distance;
  else
    span.begin = (size_t)-fill->x;
  if (!fill->last)
    span.end = fill->advance + distance;
  if (span.end > fill->columns)
    span.end = fill->columns;
  if (span.begin > span.end)
    span.begin = span.end;
  return span;
}

PERLANE_INLINE struct axis_lanes lanes_of(const struct axis_scalars *of) {
  return (struct axis_lanes){
      .centred = f_set(of->centred),
      .a0 = f_set(of->a0),
      .a1 = f_set(of->a1),
      .word = i_set(of->word),
      .next = i_set(of->next),
      .slope = f_set(of->slope),
      .b0 = f_set(of->b0),
      .b1 = f_set(of->b1),
  };
}

static struct axis_scalars scalars_at(const struct axis_arrays *from, size_t i, int slopes) {
  struct axis_scalars at = {.centred = from->centred[i],
                            .a0 = from->a0[i],
                            .a1 = from->a1[i],
                            .word = from->word[i],
                            .next = from->next[i]};
  if (slopes) {
    at.slope = from->slope[i];
    at.b0 = from->b0[i];
    at.b1 = from->b1[i];
  }
  return at;
}

PERLANE_INLINE float *family_array(const struct fill *fill, size_t k, int family, unsigned array) {
  return fill->octave[k].families + ((size_t)family * FAMILY_ARRAYS + array) * fill->pitch;
}

/* Arrays of one row of edges. */
PERLANE_INLINE size_t edge_arrays(const struct fill *fill) {
  return (size_t)EDGE_ARRAYS * (fill->slopes ? (size_t)fill->dims - 1 : 1);
}

PERLANE_INLINE float *edge_array(const struct fill *fill, size_t slot, unsigned which) {
  return fill->edge_memory + (slot * 2 + which) * edge_arrays(fill) * fill->pitch;
}

/* ---- The layout ---- */

/* How many lattice rows of an octave a plane's `rows` rows lie between, or 0 where the planes are
 * so far apart that hardly two have edges in common. */
static size_t lattice_rows_of_plane(const struct fill *fill, size_t k, size_t rows) {
  const struct perlane_region *grid = fill->grid;
  const double frequency = fill->noise->octave[k].frequency;
  const double between_planes = magnitude(grid->step[2]) * frequency;
  const double cells = magnitude(grid->step[1]) * frequency * (double)rows;
  if (fill->dims < 3 || grid->count[2] == 1 || between_planes > 0.75)
    return 0;
  return cells > SLOTS_MOST ? SLOTS_MOST : (size_t)cells + 3;
}

/* Gives slots to the octaves, first come first served, up to `most`. Returns how many are wanted.
 */
static size_t share_slots(struct fill *fill, size_t rows, size_t most) {
  size_t all_wanted = 0;
  fill->slots = 0;
  for (size_t k = 0; k < (size_t)fill->octaves; k++) {
    const size_t wanted = lattice_rows_of_plane(fill, k, rows), left = most - fill->slots;
    fill->octave[k].slot = fill->slots;
    fill->octave[k].slots = wanted < left ? wanted : left;
    fill->slots += fill->octave[k].slots;
    all_wanted += wanted;
  }
  return all_wanted;
}

/* Chooses the rows of the row table, the slots and the columns of a strip, and lays out `memory`,
 * SCRATCH_FLOATS of them. */
static void lay_out(struct fill *fill, float *memory) {
  const size_t octaves = (size_t)fill->octaves, count = fill->grid->count[0];
  const size_t columns_floats = axis_floats(fill);
  const size_t families_floats = (size_t)fill->families * FAMILY_ARRAYS;
  const size_t runs_floats = fill->lattice.source == SOURCE_QUICK ? 0 : 1; /* a run a column */
  const size_t layers = fill->direct && octaves == 1 ? 0 : fill->shaped ? 3 : 1;
  const size_t layer_floats = (size_t)fill->arrays * fill->tile_rows;
  const size_t planes_floats = fill->dims < 3 ? 0 : octaves * TABLE_PLANES * axis_floats(fill);
  const size_t fixed =
      octaves * (columns_floats + families_floats + runs_floats) + layers * layer_floats;
  const size_t slot_floats = 2 * edge_arrays(fill);
  /* Fewer rows need fewer slots and leave room for more columns. */
  const size_t wide = fill->dims < 3 ? 0 : count < 96 ? count : 96;
  size_t rows = ROW_ENTRIES / octaves / TILE_ROWS * TILE_ROWS, slots = SLOTS_MOST, columns;
  if (rows > fill->grid->count[1])
    rows = (fill->grid->count[1] + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
  if (rows < TILE_ROWS)
    rows = TILE_ROWS;
  for (;;) {
    const size_t tables = planes_floats + octaves * rows * axis_floats(fill);
    const size_t wanted = share_slots(fill, rows, slots);
    const size_t edges = fill->dims < 3 ? 0 : (fill->slots + 1) * slot_floats;
    columns = (SCRATCH_FLOATS - tables) / (fixed + edges) / STRIP_GRANULE * STRIP_GRANULE;
    if (columns >= wide && (fill->slots == wanted || rows == TILE_ROWS))
      break;
    if (fill->slots == 0 && rows == TILE_ROWS)
      break;
    if (rows > TILE_ROWS)
      rows = rows / 2 / TILE_ROWS * TILE_ROWS;
    else
      slots = fill->slots / 2;
  }
  if (columns > STRIP_MOST_COLUMNS)
    columns = STRIP_MOST_COLUMNS;
  if (columns > count)
    columns = (count + STRIP_GRANULE - 1) / STRIP_GRANULE * STRIP_GRANULE;
  fill->rows_most = rows;
  fill->pitch = columns;

  for (size_t k = 0; k < octaves; k++) {
    fill->octave[k].columns = memory;
    memory += columns_floats * columns;
    fill->octave[k].families = memory;
    memory += families_floats * columns;
    fill->octave[k].runs.start = (uint16_t *)(void *)memory;
    memory += runs_floats * columns;
    fill->octave[k].lower = fill->octave[k].upper = 0;
    fill->w[k] = (struct axis_scalars){0};
  }
  fill->tile = samples_in(memory, fill->tile_rows * columns);
  fill->layer = fill->weights = fill->tile;
  if (layers > 1) {
    fill->layer = samples_in(memory + layer_floats * columns, fill->tile_rows * columns);
    fill->weights = samples_in(memory + 2 * layer_floats * columns, fill->tile_rows * columns);
  }
  memory += layers * layer_floats * columns;
  fill->edge_memory = memory;
  if (fill->dims >= 3)
    memory += (fill->slots + 1) * slot_floats * columns;
  fill->plane_memory = memory;
  fill->row_memory = memory + planes_floats;
}

#endif
