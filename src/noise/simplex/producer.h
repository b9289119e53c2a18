/* SPDX-License-Identifier: MIT
 *
 * The producer of grids of simplex noise, a sample row at a time. Along the columns of a strip,
 * positions on the lattice are made once for each octave, as whole numbers: with a row's parts
 * added, their upper 8 bits are cells and the others fractions. Where that has no room, far from
 * the origin, with derivatives, and where rows are short, points are evaluated instead.
 */
#ifndef PERLANE_NOISE_SIMPLEX_PRODUCER_H
#define PERLANE_NOISE_SIMPLEX_PRODUCER_H

#include "../driver/driver.h"
#include "simplex.h"

enum {
  SIMPLEX_COLUMNS = SIMPLEX_BLOCK, /* of a strip */
  SIMPLEX_TILE_FLOATS = 12 * SIMPLEX_TILE_COLUMNS,
};

/* The columns of a strip in one octave. Lattice coordinates are in units of 2^-24 and relative to
 * the cells of the first column. */
struct simplex_columns {
  _Alignas(64) uint32_t first[SIMPLEX_COLUMNS + 32]; /* along the lattice's first axis */
  _Alignas(64) uint32_t other[SIMPLEX_COLUMNS + 32]; /* along all others */
  double first_start, other_start;                   /* the coordinates of column 0 */
  double first_cell, other_cell;                     /* and their cells */
};

/* A row of an octave: what is added to the columns' coordinates along each axis, and the input of
 * the hash in column 0's cell, from which columns' cells count. */
struct simplex_row {
  uint32_t part[3], input[3];
};

struct simplex_fill {
  struct space space;
  struct simplex_octaves octaves;
  struct simplex_row *row;
  struct simplex_columns *columns;
  struct simplex_block *block;
  double *position; /* of the columns */
};

/* ---- Columns and rows ---- */

/* The floor of a number below 2^31 in magnitude. */
static double whole_of(double v) {
  const double whole = (double)(int32_t)v;
  return whole > v ? whole - 1 : whole;
}

/* Begins an octave of the current strip, of which the positions are there. */
static PERLANE_NOINLINE void begin_simplex_columns(struct simplex_columns *columns, int dims,
                                                   const double *position, size_t n,
                                                   double frequency) {
  const double skew = simplex_skew(dims);
  const double unit = unit_of(position[0] * frequency); /* lane 0 is stored first */
  columns->other_start = unit_of(unit * skew);
  columns->first_start = unit + columns->other_start;
  columns->first_cell = whole_of(columns->first_start);
  columns->other_cell = whole_of(columns->other_start);
  const vd first_cell = d_set(columns->first_cell), other_cell = d_set(columns->other_cell);
  for (size_t i = 0; i < n; i += LANES) {
    const vd u = units(d_mul(d_reload(position + i), d_set(frequency)));
    const vd s = units(d_mul(u, d_set(skew)));
    const vd along = d_sub(d_add(u, s), first_cell), across = d_sub(s, other_cell);
    i_store(columns->first + i, i_from_d(d_mul(along, d_set(0x1p24))));
    i_store(columns->other + i, i_from_d(d_mul(across, d_set(0x1p24))));
  }
}

/* The part of a row along an axis of the lattice, which is `along` without the columns'. */
static uint32_t row_part(double along, double start, double cell, uint32_t multiplier, uint32_t key,
                         uint32_t *input) {
  const double column_0 = whole_of(along + start);
  *input = (uint32_t)(int32_t)column_0 * multiplier + key;
  return (uint32_t)(int32_t)((along + cell - column_0) * 0x1p24);
}

/* Prepares the tile's rows, one after the other: a row alone would wait for its constants. */
static PERLANE_NOINLINE void prepare_rows(const struct simplex_fill *fill, int k) {
  const struct space *space = &fill->space;
  const struct simplex_columns *columns = fill->columns;
  const struct perlane_octave *octave = &space->field->octave[k];
  const int dims = space->grid->dims;
  const double skew = simplex_skew(dims);
  for (size_t r = 0; r < space->rows; r++) {
    struct simplex_row *row = &fill->row[r];
    double unit[3] = {0, 0, 0}, sum = 0;
    for (int a = 1; a < dims; a++) {
      const double position = grid_position(space->grid, a, a == 1 ? space->y + r : space->z);
      unit[a] = unit_of(position * octave->frequency);
      sum += unit_of(unit[a] * skew);
    }
    for (int a = 0; a < dims; a++)
      row->part[a] = row_part(unit[a] + sum + octave->phase[a] * 0x1p-24,
                              a == 0 ? columns->first_start : columns->other_start,
                              a == 0 ? columns->first_cell : columns->other_cell,
                              AXIS_MULTIPLIERS[a], octave->key[a], &row->input[a]);
  }
}

/* Makes the block of n columns of a row. */
#define ROW_BLOCK(name, dims)                                                                      \
  static PERLANE_NOINLINE void name(const struct simplex_columns *columns,                         \
                                    const struct simplex_row *row, size_t n,                       \
                                    struct simplex_block *block) {                                 \
    for (size_t i = 0; i < n; i += LANES)                                                          \
      PERLANE_UNROLL for (int a = 0; a < (dims); a++) {                                            \
        const vi column = i_load_aligned((a == 0 ? columns->first : columns->other) + i);          \
        const vi along = i_add(column, i_set(row->part[a])), cell = i_shift_right(along, 24);      \
        const vf units = f_from_i(i_and(along, i_set(0xFFFFFF)));                                  \
        const vi product = i_mul(cell, i_set(AXIS_MULTIPLIERS[a]));                                \
        f_store(block->fraction[a] + i, f_mul(units, f_set(0x1p-24f)));                            \
        i_store(block->input[a] + i, i_add(product, i_set(row->input[a])));                        \
      }                                                                                            \
  }
ROW_BLOCK(row_block_2d, 2)
ROW_BLOCK(row_block_3d, 3)
#undef ROW_BLOCK

/* Makes the block of row r of the tile. */
static void block_of_row(const struct simplex_fill *fill, size_t r) {
  (fill->space.grid->dims == 2 ? row_block_2d : row_block_3d)(
      fill->columns, &fill->row[r], fill->space.sink.strips.columns, fill->block);
}

/* ---- The producer ---- */

/* Returns 1 if columns and rows are near in all octaves, and so close to each other that the cells
 * of a strip of `columns` fit in 32 bits. */
static int has_room(const struct field *field, const struct perlane_region *grid, size_t columns) {
  const double step = grid->step[0] * field->highest_frequency;
  for (int a = 0; a < grid->dims; a++)
    if (!grid_axis_is_near(grid, a, field->highest_frequency))
      return 0;
  return step > 0 &&
         step * (1 + simplex_skew(grid->dims)) * (double)columns <= (double)SIMPLEX_CELLS;
}

/* Returns 1 if rows are faster than points. */
static int has_simplex_rows(const struct field *field, const struct perlane_region *grid,
                            const struct perlane_output *output) {
  const size_t short_row = field->octaves == 1 ? SIMPLEX_SHORT_ROW : SIMPLEX_SHORT_ROWS;
  return grid->count[0] > short_row && samples_of_grid(grid) > SIMPLEX_FEW_SAMPLES &&
         !output->gradient[0] && !is_eroded(field) && has_room(field, grid, SIMPLEX_MIN_COLUMNS);
}

static void lay_out_simplex(struct space *space, struct arena *arena) {
  struct simplex_fill *fill = (struct simplex_fill *)space;
  fill->row = take(arena, SIMPLEX_ROWS, sizeof *fill->row);
  fill->columns = take(arena, 1, sizeof *fill->columns);
  fill->block = take(arena, 1, sizeof *fill->block);
  fill->position = take(arena, SIMPLEX_COLUMNS + 32, sizeof *fill->position);
  const size_t n = SIMPLEX_TILE_FLOATS / arrays_of_tile(&space->tile);
  lay_out_tile(&space->tile, take_floats(arena, SIMPLEX_TILE_FLOATS), n);
}

static int plan_simplex(struct space *space, size_t bytes) {
  struct tile *tile = &space->tile;
  struct arena arena = {.next = NULL};
  size_t columns = SIMPLEX_COLUMNS;
  lay_out_simplex(space, &arena);
  if (arena.bytes > bytes)
    return 0;
  while (columns > SIMPLEX_MIN_COLUMNS && !has_room(space->field, space->grid, columns))
    columns /= 2;
  space->direct = is_plain_octave(space);
  balance_strips(&space->sink.strips,
                 space->direct ? columns : smaller_of(columns, SIMPLEX_TILE_COLUMNS));
  tile->pitch = space->sink.strips.width;
  space->tile_rows = SIMPLEX_ROWS;
  if (!space->direct)
    space->tile_rows =
        smaller_of(SIMPLEX_TILE_FLOATS / arrays_of_tile(tile) / tile->pitch, SIMPLEX_ROWS);
  return 1;
}

static void simplex_columns_of_strip(struct space *space) {
  struct simplex_fill *fill = (struct simplex_fill *)space;
  const struct grid_axis x_axis = {space->field, space->grid, 0};
  grid_positions(fill->position, &x_axis, (size_t)space->sink.strips.x, space->sink.strips.columns);
}

/* Begins an octave of the tile. */
static void begin_simplex_tile(struct simplex_fill *fill, int k) {
  const struct space *space = &fill->space;
  one_octave(&fill->octaves, space->field, k, space->grid->dims, 1);
  begin_simplex_columns(fill->columns, space->grid->dims, fill->position,
                        space->sink.strips.columns, space->field->octave[k].frequency);
  prepare_rows(fill, k);
}

static void simplex_octave_of_tile(struct space *space, int k, int sum,
                                   const struct samples *samples) {
  struct simplex_fill *fill = (struct simplex_fill *)space;
  begin_simplex_tile(fill, k);
  for (size_t r = 0; r < space->rows; r++) {
    block_of_row(fill, r);
    simplex_block(space->grid->dims, fill->block, 0, space->sink.strips.columns, &fill->octaves,
                  sum ? ADDED : STORED, samples->array[0] + r * space->tile.pitch);
  }
}

static int simplex_leaves(struct space *space, ptrdiff_t offset) {
  float piece[MAX_GRANULE];
  struct simplex_fill *fill = (struct simplex_fill *)space;
  begin_simplex_tile(fill, 0);
  for (size_t r = 0; r < space->rows; r++) {
    struct leaving leaving =
        row_leaving(&space->sink, 0, offset + (ptrdiff_t)r * space->grid->stride[1], piece);
    struct segment segment = {.begin = 0};
    block_of_row(fill, r);
    while (next_segment(&space->sink, &leaving, &segment))
      simplex_block(space->grid->dims, fill->block, segment.begin, segment.end, &fill->octaves,
                    segment.stream ? STREAMED : STORED, segment.to);
  }
  return 1;
}

static const struct producer SIMPLEX_PRODUCER = {.plan = plan_simplex,
                                                 .lay_out = lay_out_simplex,
                                                 .columns = simplex_columns_of_strip,
                                                 .octave = simplex_octave_of_tile,
                                                 .leave = simplex_leaves};

/* Returns 0, having filled nothing, if points are faster. */
static PERLANE_NOINLINE int fill_simplex(const struct field *field,
                                         const struct perlane_region *grid,
                                         const struct perlane_output *output) {
  struct simplex_fill fill;
  if (!has_simplex_rows(field, grid, output))
    return 0;
  begin_space(&fill.space, &SIMPLEX_PRODUCER, field, grid, output);
  return fill_space(&fill.space);
}

#endif
