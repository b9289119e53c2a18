/* SPDX-License-Identifier: MIT
 *
 * Filling grids with simplex noise, a row of samples at a time. Along the columns of a strip,
 * positions on the lattice are made once for each octave, as whole numbers: with a row's parts
 * added, their upper 8 bits are cells and the others fractions. Where that has no room, and far
 * from the origin, a row is evaluated as points. Short rows are evaluated as points too, one row
 * after the other, so that vectors are whole.
 */
#ifndef PERLANE_NOISE_SIMPLEX_GRID_H
#define PERLANE_NOISE_SIMPLEX_GRID_H

#include "../output/tile.h"
#include "simplex.h"

enum {
  SIMPLEX_COLUMNS = SIMPLEX_BLOCK, /* of a strip at most */
  SIMPLEX_TILE_COLUMNS = 256,      /* of one whose rows are summed in a tile */
  SIMPLEX_TILE_FLOATS = 12 * SIMPLEX_TILE_COLUMNS,
  SIMPLEX_ROWS = 48,   /* prepared at a time, at most */
  SIMPLEX_CELLS = 120, /* of a strip along the lattice's first axis: 7 bits */
  /* Columns at most of rows that take longer one by one than as a list of points: of one octave,
   * and of several. */
  SIMPLEX_SHORT_ROW = 24,
  SIMPLEX_SHORT_ROWS = 40,
  SIMPLEX_FEW_SAMPLES = 64, /* of a grid, at most, for which rows are not worth preparing */
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
  const struct field *field;
  const struct perlane_region *grid;
  struct sink sink;
  struct open_line line[MAX_ARRAYS];
  struct tile tile;
  int dims;
  int is_list; /* rows are short: a tile is a list of their points, whole rows of the grid */
  size_t max_rows;
  size_t y, z, rows; /* of the tile; of a list, the rows only */
  struct simplex_octaves octaves;
  struct simplex_block block;
  struct simplex_row row[SIMPLEX_ROWS];
  union {
    struct simplex_columns columns;
    _Alignas(64) double list[2][SIMPLEX_COLUMNS + 32]; /* positions along y and z, as `position` */
  };
  _Alignas(64) double position[SIMPLEX_COLUMNS + 32];
  _Alignas(64) float samples[SIMPLEX_TILE_FLOATS + 2 * LANES]; /* store_values reads past rows */
};

/* ---- Columns and rows ---- */

/* Of numbers below 2^31 in magnitude. */
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
static PERLANE_NOINLINE void prepare_rows(struct simplex_fill *fill, int k) {
  const struct simplex_columns *columns = &fill->columns;
  const struct perlane_octave *octave = &fill->field->octave[k];
  const int dims = fill->dims;
  const double skew = simplex_skew(dims);
  for (size_t r = 0; r < fill->rows; r++) {
    struct simplex_row *row = &fill->row[r];
    double unit[3] = {0, 0, 0}, sum = 0;
    for (int a = 1; a < dims; a++) {
      const double position = grid_position(fill->grid, a, a == 1 ? fill->y + r : fill->z);
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
      PERLANE_UNROLL for (int a = 0; a < dims; a++) {                                              \
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
static void block_of_row(struct simplex_fill *fill, size_t r) {
  (fill->dims == 2 ? row_block_2d : row_block_3d)(&fill->columns, &fill->row[r],
                                                  fill->sink.strips.columns, &fill->block);
}

/* ---- Octaves of rows ---- */

/* Returns 1 if an octave's columns have room in 32 bits. */
static int has_columns(const struct simplex_fill *fill, int k) {
  const double step = fill->grid->step[0] * fill->field->octave[k].frequency;
  const double cells = step * (1 + simplex_skew(fill->dims)) * (double)fill->sink.strips.width;
  return fill->tile.arrays == 1 && !fill->is_list && fill->octaves.near && step > 0 &&
         cells <= SIMPLEX_CELLS;
}

/* Begins an octave in the current strip. */
static void begin_simplex_octave(struct simplex_fill *fill, int k) {
  const double frequency = fill->field->octave[k].frequency;
  int near = 1;
  for (int a = 0; a < fill->dims; a++)
    near &= grid_axis_is_near(fill->grid, a, frequency);
  one_octave(&fill->octaves, fill->field, k, fill->dims, near);
  if (has_columns(fill, k))
    begin_simplex_columns(&fill->columns, fill->dims, fill->position, fill->sink.strips.columns,
                          frequency);
}

/* Evaluates the current strip's part of row r of the tile as points. */
static void row_of_points(struct simplex_fill *fill, size_t r, int sum,
                          const struct samples *samples) {
  _Alignas(64) double others[2][LANES];
  struct simplex_run run = {.position = {fill->position, others[0], others[1]},
                            .position_step = {1, 0, 0},
                            .octaves = &fill->octaves};
  for (int a = 1; a < fill->dims; a++)
    d_store(others[a - 1], d_set(grid_position(fill->grid, a, a == 1 ? fill->y + r : fill->z)));
  simplex_run(fill->dims, &run, fill->sink.strips.columns, sum, fill->tile.arrays, samples);
}

/* The positions of a list. */
PERLANE_INLINE struct positions positions_of_list(const struct simplex_fill *fill) {
  return (struct positions){{fill->position, fill->list[0], fill->list[1]}, 0};
}

/* Evaluates row r of a single octave on its way to the output. */
static void row_in_places(struct simplex_fill *fill, size_t r, ptrdiff_t offset) {
  _Alignas(CACHE_LINE_BYTES) unsigned char piece[PIECE_BYTES];
  struct leaving leaving = row_leaving(&fill->sink, 0, offset, piece);
  struct place place = {.begin = 0};
  block_of_row(fill, r);
  while (next_place(&fill->sink, &leaving, &place))
    simplex_block(fill->dims, &fill->block, place.begin, place.end, &fill->octaves,
                  place.stream ? STREAMED : STORED, (float *)(void *)place.to);
}

/* ---- The fill ---- */

static size_t samples_of_tile(const struct simplex_fill *fill) {
  return (fill->rows * fill->tile.pitch + LANES - 1) / LANES * LANES;
}

/* Evaluates an octave of a tile. */
static void simplex_in_tile(void *producer, int k, int sum, const struct samples *samples) {
  struct simplex_fill *fill = producer;
  begin_simplex_octave(fill, k);
  if (fill->is_list) {
    const struct positions position = positions_of_list(fill);
    const struct simplex_run run = {.position = {position.at[0], position.at[1], position.at[2]},
                                    .position_step = {1, 1, 1},
                                    .octaves = &fill->octaves};
    simplex_run(fill->dims, &run, samples_of_tile(fill), sum, fill->tile.arrays, samples);
    return;
  }
  const int has_blocks = has_columns(fill, k);
  if (has_blocks)
    prepare_rows(fill, k);
  for (size_t r = 0; r < fill->rows; r++) {
    const struct samples row = samples_from(samples, r * fill->tile.pitch);
    if (!has_blocks) {
      row_of_points(fill, r, sum, &row);
      continue;
    }
    block_of_row(fill, r);
    simplex_block(fill->dims, &fill->block, 0, fill->sink.strips.columns, &fill->octaves,
                  sum ? ADDED : STORED, row.array[0]);
  }
}

/* d_stores n positions in place, and zeros up to a whole vector. */
static void store_list(double *position, size_t n) {
  for (size_t i = n; i % LANES != 0; i++)
    position[i] = 0;
  for (size_t i = 0; i < n; i += LANES)
    d_store(position + i, d_load(position + i));
}

/* Fills a grid of short rows, as many at a time as a tile has room for. */
static void fill_simplex_lists(struct simplex_fill *fill) {
  const struct perlane_region *grid = fill->grid;
  const struct positions positions = positions_of_list(fill);
  const size_t width = grid->count[0], all = grid->count[1] * grid->count[2];
  const size_t joined = is_packed(grid) ? grid->count[1] : 1; /* rows that follow each other */
  fill->max_rows = fill->max_rows < all ? fill->max_rows : all;
  for (size_t i = 0; i < fill->max_rows * width; i++)
    fill->position[i] = i < width ? grid_position(grid, 0, i) : fill->position[i - width];
  store_list(fill->position, fill->max_rows * width);
  for (size_t row = 0; row < all; row += fill->rows) {
    const size_t rows = all - row < fill->max_rows ? all - row : fill->max_rows;
    fill->rows = rows;
    for (int a = 1; a < fill->dims; a++) {
      double *list = fill->list[a - 1];
      for (size_t r = row; r < row + rows; r++) {
        const size_t index = a == 1 ? r % grid->count[1] : r / grid->count[1];
        const double position = grid_position(grid, a, index);
        for (size_t i = 0; i < width; i++)
          *list++ = position;
      }
      store_list(fill->list[a - 1], rows * width);
    }
    const size_t samples = samples_of_tile(fill);
    sum_octaves(&fill->tile, fill->field->octaves, samples, simplex_in_tile, fill);
    sculpt_list(fill->field, fill->dims, samples, fill->sink.arrays, &positions, &fill->tile.sums);
    finish_in_sink(&fill->sink, samples, &fill->tile.sums);
    for (size_t r = 0, run; r < rows; r += run) {
      const size_t y = (row + r) % grid->count[1], z = (row + r) / grid->count[1];
      const size_t left = joined == 1 ? 1 : grid->count[1] - y;
      run = left < rows - r ? left : rows - r;
      store_samples(&fill->sink, &fill->tile.sums, r * width, run * width,
                    (ptrdiff_t)y * grid->stride[1] + (ptrdiff_t)z * grid->stride[2]);
    }
  }
}

/* Fills the current strip. */
static void fill_simplex_strip(struct simplex_fill *fill) {
  const struct perlane_region *grid = fill->grid;
  const struct strips *strips = &fill->sink.strips;
  const struct grid_axis x_axis = {fill->field, grid, 0};
  grid_positions(fill->position, &x_axis, (size_t)strips->x, strips->columns);
  begin_simplex_octave(fill, 0);
  const int direct = is_plain_octave(&fill->tile) && has_columns(fill, 0);
  for (fill->z = 0; fill->z < grid->count[2]; fill->z++)
    for (fill->y = 0; fill->y < grid->count[1]; fill->y += fill->rows) {
      const size_t left = grid->count[1] - fill->y;
      const size_t index[PERLANE_MAX_DIMS] = {0, fill->y, fill->z, 0};
      fill->rows = left < fill->max_rows ? left : fill->max_rows;
      if (!direct) {
        deliver_rows(&fill->tile, fill->rows, index, simplex_in_tile, fill);
        continue;
      }
      const ptrdiff_t offset = offset_of_row(&fill->sink, index);
      prepare_rows(fill, 0);
      for (size_t r = 0; r < fill->rows; r++)
        row_in_places(fill, r, offset + (ptrdiff_t)r * grid->stride[1]);
    }
}

/* Returns the most columns of a strip, whose cells have room in all octaves if they are not very
 * far apart. */
static size_t columns_of_strip(const struct simplex_fill *fill) {
  const size_t most = is_plain_octave(&fill->tile) ? SIMPLEX_COLUMNS : SIMPLEX_TILE_COLUMNS;
  const double step = fill->grid->step[0] * fill->field->highest_frequency;
  const double columns = SIMPLEX_CELLS / (step * (1 + simplex_skew(fill->dims)));
  return columns >= 64 && columns < (double)most ? (size_t)columns / STRIP_GRANULE * STRIP_GRANULE
                                                 : most;
}

/* Divides the tile among the samples that its rows need. */
static void lay_out_simplex(struct simplex_fill *fill) {
  const size_t arrays = sets_of_tile(&fill->tile) * (size_t)fill->tile.arrays;
  size_t floats = SIMPLEX_TILE_FLOATS / arrays / STRIP_GRANULE * STRIP_GRANULE;
  if (fill->is_list && floats > SIMPLEX_COLUMNS)
    floats = SIMPLEX_COLUMNS;
  fill->tile.pitch = fill->is_list ? fill->grid->count[0] : fill->sink.strips.width;
  fill->max_rows = floats / fill->tile.pitch;
  if (!fill->is_list && fill->max_rows > SIMPLEX_ROWS)
    fill->max_rows = SIMPLEX_ROWS;
  lay_out_tile(&fill->tile, fill->samples, floats);
}

static PERLANE_NOINLINE int fill_simplex(const struct field *field,
                                         const struct perlane_region *grid,
                                         const struct perlane_output *output) {
  struct simplex_fill fill;
  struct strips *strips = &fill.sink.strips;
  fill.field = field;
  fill.grid = grid;
  fill.dims = grid->dims;
  open_sink(&fill.sink, grid, output, field, 1, fill.line, MAX_ARRAYS);
  begin_tile(&fill.tile, field, &fill.sink);
  fill.is_list = grid->count[0] <= (field->octaves == 1 ? SIMPLEX_SHORT_ROW : SIMPLEX_SHORT_ROWS) ||
                 samples_of_grid(grid) <= SIMPLEX_FEW_SAMPLES;
  balance_strips(strips, columns_of_strip(&fill));
  lay_out_simplex(&fill);
  if (fill.is_list) {
    fill_simplex_lists(&fill);
  } else {
    first_strip(strips);
    do
      fill_simplex_strip(&fill);
    while (next_strip(strips));
  }
  close_sink(&fill.sink);
  return 1;
}

#endif
