/* SPDX-License-Identifier: MIT
 *
 * The driver: the one loop over space, which every fill runs.
 *
 * A grid is cut into bands of rows, a band into strips of columns, a strip into blocks of rows, and
 * a block, in one plane after the other, into tiles, which stay in the first-level cache. A
 * producer evaluates a basis: it makes what the samples of a strip, a block or a plane share, and
 * then one octave after the other at all samples of a tile. The driver owns everything else: it
 * finds the memory, shapes and sums the octaves, lowers and finishes the sums, and hands them to
 * the sink. Where nothing is left to do but to finish in registers, a producer may send the last
 * octave straight to the sink's segments.
 *
 *   band (rows) > strip (columns) > block (rows) > volume (w) > planes (z) > tile (rows)
 *
 * Blocks are outside planes, because what rows share is made once for all planes. Most grids have
 * one band, and only those whose rows are dear to make again have several blocks.
 */
#ifndef PERLANE_NOISE_DRIVER_H
#define PERLANE_NOISE_DRIVER_H

#include "../lattice/axis.h"
#include "../output/sink.h"
#include "memory.h"

struct space;

/* How a basis is evaluated. All functions but `plan` and `lay_out` may be NULL where they are not
 * needed. */
struct producer {
  int has_small_stack;
  /* Chooses the strips, blocks and tiles that fit in `bytes`. Returns 0 if not even the smallest
   * do. */
  int (*plan)(struct space *space, size_t bytes);
  /* Hands out the memory of the plan, or only measures it: see `take`. */
  void (*lay_out)(struct space *space, struct arena *arena);
  void (*columns)(struct space *space); /* a strip begins */
  void (*rows)(struct space *space);    /* a block of rows begins, which all planes have */
  void (*planes)(struct space *space);  /* the current block begins in other planes */
  void (*tile)(struct space *space);    /* a tile begins */
  /* Stores octave k of all samples of the tile, or with `sum` adds it to what is there. */
  void (*octave)(struct space *space, int k, int sum, const struct samples *to);
  /* Evaluates the last octave on its way to the output, whose first sample is at `offset`, and adds
   * the sums of the others. Returns 0, having done nothing, if the tile cannot leave so. */
  int (*leave)(struct space *space, ptrdiff_t offset);
  /* Turns derivatives by displaced positions into those by the positions, in the tile's sums:
   * before these are finished if that needs positions, otherwise after (2.18). */
  void (*stretch)(struct space *space);
};

/* The octaves of a tile: sums, and where octaves are shaped one by one, one octave and weights. */
struct tile {
  int arrays;        /* of each octave: 1, or 1 + dims with derivatives, which erosion needs */
  int blended;       /* octaves are shaped one by one, in `layer`, before they are added */
  int slopes_summed; /* the producer adds derivatives to the sums, for erosion */
  size_t pitch;      /* floats from one sample row to the next */
  struct samples sums, layer, weights;
};

/* A grid and its field, how they are cut, and where the loop is. A producer's state begins with it.
 */
struct space {
  const struct producer *producer;
  const struct field *field; /* NULL for a program, whose samples leave finished */
  const struct perlane_region *grid;
  struct sink sink; /* with the current strip */
  int octaves;
  int is_positional; /* the sums are lowered where they are far from a place */
  struct tile tile;
  /* The plan: */
  size_t band_rows;  /* that all strips fill before the first goes on */
  size_t block_rows; /* at most, a multiple of tile_rows */
  size_t tile_rows, tile_planes;
  int direct; /* the last octave goes straight to the output, by `leave` */
  int packed; /* tiles are one run of the output, whose rows are short */
  int joined; /* rows of a tile follow each other without a gap: a list of points */
  /* The current block's first row and number of rows, then those of the current tile, which begins
   * in plane z of volume w and has `planes` of them. */
  size_t block_y, block_count;
  size_t y, z, w, rows, planes;
};

/* Begins a fill: opens the sink, and plans one tile of the whole grid. */
static void begin_space(struct space *space, const struct producer *producer,
                        const struct field *field, const struct perlane_region *grid,
                        const struct perlane_output *output) {
  struct tile *tile = &space->tile;
  space->producer = producer;
  space->field = field;
  space->grid = grid;
  open_sink(&space->sink, grid, output, field);
  space->octaves = field ? field->octaves : 1;
  space->is_positional = field && needs_positions(field);
  tile->arrays = space->sink.arrays > 1 || (field && is_eroded(field)) ? 1 + grid->dims : 1;
  tile->blended = field && field->shaped && space->sink.finish.shape == PERLANE_FRACTAL_FBM;
  tile->slopes_summed = 0;
  space->band_rows = space->block_rows = space->tile_rows = grid->count[1];
  space->tile_planes = 1;
  space->direct = space->packed = space->joined = 0;
}

/* ---- What producers plan with ---- */

/* Returns 1 if the last octave may go straight to segments, where its vectors are finished. */
PERLANE_INLINE int may_leave(const struct space *space) {
  return space->sink.in_registers && !space->tile.blended;
}

/* Returns 1 if a single octave's samples are the output's: rows may go to segments as they are.
 */
PERLANE_INLINE int is_plain_octave(const struct space *space) {
  return may_leave(space) && space->sink.is_raw && space->tile.arrays == 1 && space->octaves == 1;
}

/* Returns how many arrays the tile has. */
PERLANE_INLINE size_t arrays_of_tile(const struct tile *tile) {
  return (tile->blended ? 3 : 1) * (size_t)tile->arrays;
}

/* Lays out the tile's arrays, of n floats each, one after the other, if there is memory. */
static void lay_out_tile(struct tile *tile, float *memory, size_t n) {
  if (!memory)
    return;
  const size_t set = tile->blended ? (size_t)tile->arrays * n : 0;
  tile->sums = samples_in(memory, n);
  tile->layer = samples_in(memory + set, n);
  tile->weights = samples_in(memory + 2 * set, n);
}

/* ---- Tiles ---- */

/* Returns how many samples the current tile has, with those between its planes. */
PERLANE_INLINE size_t samples_of_tile(const struct space *space) {
  return ((space->planes - 1) * space->tile_rows + space->rows) * space->tile.pitch;
}

/* Evaluates octaves first .. end - 1 of the tile, and adds them up. */
static void sum_octaves(struct space *space, int first, int end) {
  const struct tile *tile = &space->tile;
  for (int k = first; k < end; k++) {
    if (!tile->blended) {
      space->producer->octave(space, k, k > 0, &tile->sums);
      continue;
    }
    const size_t n = (samples_of_tile(space) + LANES - 1) / LANES * LANES;
    struct shaping shaping = shaping_of(space->field, k, tile->arrays);
    shaping.slopes_summed = tile->slopes_summed;
    space->producer->octave(space, k, 0, &tile->layer);
    blend(&shaping, n, &tile->layer, &tile->sums, &tile->weights);
  }
}

/* Subtracts the falloff from the tile's rows in plane z. */
static PERLANE_NOINLINE void lower_rows(const struct space *space, const struct samples *rows,
                                        size_t z) {
  _Alignas(64) double x[SCULPTED_COLUMNS], others[PERLANE_MAX_DIMS][LANES];
  const struct perlane_region *grid = space->grid;
  const struct strips *strips = &space->sink.strips;
  const struct grid_axis x_axis = {space->field, grid, 0};
  const struct falloff falloff = falloff_of(space->field->params);
  const struct positions positions = {{x, others[1], others[2], others[3]}, 1};
  for (int a = 2; a < grid->dims; a++)
    d_store(others[a], d_set(grid_position(grid, a, a == 2 ? z : space->w)));
  for (size_t start = 0; start < strips->columns; start += SCULPTED_COLUMNS) {
    const size_t columns = smaller_of(strips->columns - start, SCULPTED_COLUMNS);
    grid_positions(x, &x_axis, (size_t)strips->x + start, columns);
    for (size_t r = 0; r < space->rows; r++) {
      const struct samples part = samples_from(rows, r * space->tile.pitch + start);
      d_store(others[1], d_set(grid_position(grid, 1, space->y + r)));
      subtract_falloff(&falloff, grid->dims, columns, space->sink.arrays, &positions, &part);
    }
  }
}

/* The offset in the output of column 0 of the current strip in a sample row. */
PERLANE_INLINE ptrdiff_t offset_of_row(const struct space *space, size_t y, size_t z, size_t w) {
  const ptrdiff_t *stride = space->grid->stride;
  return space->sink.strips.x * stride[0] + (ptrdiff_t)y * stride[1] + (ptrdiff_t)z * stride[2] +
         (ptrdiff_t)w * stride[3];
}

/* Stores the tile's rows in plane p of it. */
static void store_plane(struct space *space, size_t p) {
  struct sink *sink = &space->sink;
  const size_t pitch = space->tile.pitch, start = p * space->tile_rows * pitch;
  const ptrdiff_t offset = offset_of_row(space, space->y, space->z + p, space->w);
  if (space->joined && is_packed(space->grid)) {
    store_samples(sink, &space->tile.sums, start, space->rows * pitch, offset);
    return;
  }
  /* Not a running sum: it would overflow after the last row of the largest stride. */
  for (size_t r = 0; r < space->rows; r++)
    store_row(sink, &space->tile.sums, start + r * pitch,
              offset + (ptrdiff_t)r * space->grid->stride[1]);
}

/* Lowers, finishes and stores the sums of the current tile. A list's planes follow each other; of
 * others there may be rows in between that have not been evaluated. */
static void finish_tile(struct space *space) {
  const struct samples *sums = &space->tile.sums;
  const size_t plane = space->tile_rows * space->tile.pitch;
  if (space->producer->stretch && space->is_positional)
    space->producer->stretch(space);
  if (space->joined)
    finish_in_sink(&space->sink, samples_of_tile(space), sums);
  for (size_t p = 0; p < space->planes && !space->joined; p++) {
    const struct samples rows = samples_from(sums, p * plane);
    if (space->is_positional)
      lower_rows(space, &rows, space->z + p);
    finish_in_sink(&space->sink, space->rows * space->tile.pitch, &rows);
  }
  if (space->producer->stretch && !space->is_positional)
    space->producer->stretch(space);
  for (size_t p = 0; p < space->planes; p++)
    store_plane(space, p);
}

/* Moves the tile's rows together, and stores them as one run. What a row writes after its end, the
 * next row overwrites. */
static void store_packed(struct space *space, ptrdiff_t offset) {
  const size_t count = space->grid->count[0], pitch = space->tile.pitch;
  for (int j = 0; j < space->tile.arrays && pitch > count; j++)
    for (size_t r = 1; r < space->rows; r++)
      for (size_t i = 0; i < count; i += LANES) {
        float *const row = space->tile.sums.array[j] + i;
        f_store(row + r * count, f_load(row + r * pitch));
      }
  store_samples(&space->sink, &space->tile.sums, 0, space->rows * count, offset);
}

/* Fills the current tile. */
static void drive_tile(struct space *space) {
  const ptrdiff_t offset = offset_of_row(space, space->y, space->z, space->w);
  const int before = space->octaves - space->direct;
  prefetch_ends(&space->sink, space->rows, offset);
  if (space->producer->tile)
    space->producer->tile(space);
  sum_octaves(space, 0, before);
  if (space->direct && space->producer->leave(space, offset))
    return;
  sum_octaves(space, before, space->octaves);
  if (space->packed)
    store_packed(space, offset);
  else
    finish_tile(space);
}

/* ---- The loop ---- */

/* Fills `rows` sample rows from row y on, in all planes of the strip. */
static void drive_block(struct space *space, size_t y, size_t rows) {
  const size_t *count = space->grid->count;
  const struct producer *producer = space->producer;
  space->block_y = y;
  space->block_count = rows;
  if (producer->rows)
    producer->rows(space);
  for (space->w = 0; space->w < count[3]; space->w++)
    for (space->z = 0; space->z < count[2]; space->z += space->planes) {
      space->planes = smaller_of(space->tile_planes, count[2] - space->z);
      if (producer->planes)
        producer->planes(space);
      for (size_t r = 0; r < rows; r += space->tile_rows) {
        space->y = y + r;
        space->rows = smaller_of(space->tile_rows, rows - r);
        drive_tile(space);
      }
    }
}

/* Fills rows y .. end - 1 of the current strip. */
static void drive_rows(struct space *space, size_t y, size_t end) {
  for (; y < end; y += space->block_rows)
    drive_block(space, y, smaller_of(space->block_rows, end - y));
}

/* Fills the grid, whose plan fits in `bytes` of memory. */
static PERLANE_NOINLINE void drive(struct space *space, void *memory, size_t bytes) {
  struct open_line line[MAX_ARRAYS];
  struct arena arena = {.next = memory, .pitch = space->sink.strips.width};
  const size_t rows = space->grid->count[1];
  space->producer->lay_out(space, &arena);
  PERLANE_ENSURE(arena.next <= (unsigned char *)memory + bytes);
  open_lines(&space->sink, line);
  for (size_t y = 0; y < rows; y += space->band_rows) {
    first_strip(&space->sink.strips);
    do {
      if (space->producer->columns)
        space->producer->columns(space);
      drive_rows(space, y, smaller_of(rows, y + space->band_rows));
    } while (next_strip(&space->sink.strips));
  }
  close_sink(&space->sink);
}

#define DRIVE_ON_STACK(name, bytes)                                                                \
  static PERLANE_NOINLINE void name(struct space *space) {                                         \
    _Alignas(CACHE_LINE_BYTES) unsigned char memory[(bytes) + READ_PAST_BYTES];                    \
    poison(memory, sizeof memory);                                                                 \
    drive(space, memory, bytes);                                                                   \
  }
DRIVE_ON_STACK(drive_on_stack, SCRATCH_BYTES)
DRIVE_ON_STACK(drive_on_small_stack, SMALL_SCRATCH_BYTES)
#undef DRIVE_ON_STACK

/* Fills the grid in its work memory, or on the stack where that has more. Returns 0, having filled
 * nothing, if it needs more memory than either has. */
static int fill_space(struct space *space) {
  const struct perlane_region *grid = space->grid;
  const struct producer *producer = space->producer;
  const size_t stack = producer->has_small_stack ? SMALL_SCRATCH_BYTES : SCRATCH_BYTES;
  const size_t work =
      grid->work_bytes > stack + READ_PAST_BYTES ? grid->work_bytes - READ_PAST_BYTES : 0;
  if (work > 0 && producer->plan(space, work)) {
    poison(grid->work, grid->work_bytes);
    drive(space, grid->work, work);
  } else if (!producer->plan(space, stack))
    return 0;
  else if (producer->has_small_stack)
    drive_on_small_stack(space);
  else
    drive_on_stack(space);
  return 1;
}

#endif
