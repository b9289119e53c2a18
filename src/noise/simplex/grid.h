/* SPDX-License-Identifier: MIT
 *
 * Filling grids with simplex noise, a row of samples at a time. Along a row triangles (in 3D,
 * tetrahedra) follow each other in one order, so they are numbered: with i the cell along the
 * lattice's first axis and f the fractions, 2 i - [f0 < f1], or 3 i - [f0 < f1] - [f0 < f2]. A row
 * has a table of the gradients of each number. A vector of samples reads as many entries as it has
 * lanes, from its first sample's on, and picks from these. Where samples are too far apart for that
 * they are evaluated as points; so are derivatives, and positions far from the origin. Short rows
 * are evaluated as points too, one row after the other, so that vectors are whole.
 */
#ifndef PERLANE_NOISE_SIMPLEX_GRID_H
#define PERLANE_NOISE_SIMPLEX_GRID_H

#include "../output/tile.h"
#include "simplex.h"

enum {
  SIMPLEX_COLUMNS = 1024, /* of a strip at most */
  SIMPLEX_COLUMNS_3D = 896,
  SIMPLEX_TILE_COLUMNS = 256, /* of one whose rows are summed in a tile */
  SIMPLEX_TILE_FLOATS = 12 * 256,
  SIMPLEX_NUMBERS = 240, /* of a row at most */
  SIMPLEX_CELLS = 120,   /* of a row along the lattice's first axis: 7 bits */
  SIMPLEX_COMPONENTS = 4 * 3,
  /* Columns at most of rows that take longer one by one than as a list of points: of one octave,
   * and of several. */
  SIMPLEX_SHORT_ROW = 24,
  SIMPLEX_SHORT_ROWS = 40,
  SIMPLEX_FEW_SAMPLES = 64, /* of a grid, at most, for which tables are not worth making */
};

/* The largest distance between samples, in hundredths of a cell, of which tables are faster than
 * points, and a vector's samples have at most as many numbers as it picks from: along the lattice's
 * first axis a sample moves 1.366 times as far in 2D, 4/3 times in 3D. */
enum { SIMPLEX_STEP_2D = 24, SIMPLEX_STEP_3D = 7 };
#define SIMPLEX_STEP(dims) ((dims) == 2 ? SIMPLEX_STEP_2D / 100.0 : SIMPLEX_STEP_3D / 100.0)
_Static_assert((LANES - 1) * SIMPLEX_STEP_2D * 137 <= (LANES / 2 - 1) * 10000,
               "numbers 2U - 1 to 2U + 2c, where a vector enters c cells");
_Static_assert(LANES < 8 || (LANES - 1) * SIMPLEX_STEP_3D * 134 <= (LANES / 3 - 1) * 10000,
               "numbers 3U - 2 to 3U + 3c; shorter vectors look up");

/* The columns of a strip in one octave, and the table of the current row. Lattice coordinates are
 * in units of 2^-24 and relative to the cells of the first column: with the row's parts added,
 * their upper 8 bits are a cell. */
struct simplex_columns {
  _Alignas(64) uint32_t first[SIMPLEX_COLUMNS + 32];     /* along the lattice's first axis */
  _Alignas(64) uint32_t other[SIMPLEX_COLUMNS + 32];     /* along all others */
  _Alignas(64) uint32_t number[SIMPLEX_COLUMNS_3D + 32]; /* in 3D */
  _Alignas(64) uint32_t sample[SIMPLEX_ENTRIES];         /* of each number: in 2D its coordinate in
                                                                  `other`, in 3D its column */
  _Alignas(64) float table[SIMPLEX_COMPONENTS][SIMPLEX_ENTRIES];
  double first_start, other_start;           /* the coordinates of column 0 */
  double first_cell, other_cell;             /* and their cells */
  double columns_per_cell, columns_per_unit; /* along the first axis */
};

/* A row of an octave. */
struct simplex_row {
  uint32_t part[3];  /* is added to the columns' coordinates */
  uint32_t input[3]; /* of the hash one cell before column 0's: columns' cells count from 1 */
};

struct simplex_fill {
  const struct field *field;
  const struct perlane_region *grid;
  struct sink sink;
  struct open_line line[MAX_ARRAYS];
  struct tile tile;
  int dims;
  int direct;  /* rows go straight to the output */
  int is_list; /* rows are short: a tile is a list of their points, whole rows of the grid */
  size_t max_rows;
  size_t y, z, rows; /* of the tile; of a list, the rows only */
  struct simplex_octaves octaves;
  union {
    struct simplex_columns columns;
    _Alignas(64) double list[2][SIMPLEX_COLUMNS + 32]; /* positions along y and z, as `position` */
  };
  _Alignas(64) double position[SIMPLEX_COLUMNS + 32];
  _Alignas(64) float samples[SIMPLEX_TILE_FLOATS + 2 * LANES]; /* store_values reads past rows */
};

PERLANE_INLINE vi lane_numbers(void) {
  static const uint32_t number[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return i_load(number);
}

/* ---- Columns and rows ---- */

static double unit_of(double v) {
  return (v + ROUNDING_TERM) - ROUNDING_TERM;
}

/* Of numbers below 2^31 in magnitude. */
static double whole_of(double v) {
  const double whole = (double)(int32_t)v;
  return whole > v ? whole - 1 : whole;
}

/* Begins an octave of the current strip, of which the positions are there. */
static PERLANE_NOINLINE void begin_simplex_columns(struct simplex_columns *columns, int dims,
                                                   const double *position, size_t n, double step,
                                                   double frequency) {
  const double skew = simplex_skew(dims);
  const double unit = unit_of(position[0] * frequency); /* lane 0 is stored first */
  columns->other_start = unit_of(unit * skew);
  columns->first_start = unit + columns->other_start;
  columns->first_cell = whole_of(columns->first_start);
  columns->other_cell = whole_of(columns->other_start);
  columns->columns_per_cell = 1 / (step * frequency * (1 + skew));
  columns->columns_per_unit = columns->columns_per_cell * 0x1p-24;
  const vd first_cell = d_set(columns->first_cell), other_cell = d_set(columns->other_cell);
  for (size_t i = 0; i < n; i += LANES) {
    const vd u = to_units(d_mul(d_reload(position + i), d_set(frequency)));
    const vd s = to_units(d_mul(u, d_set(skew)));
    const vd along = d_sub(d_add(u, s), first_cell), across = d_sub(s, other_cell);
    i_store(columns->first + i, i_from_d(d_mul(along, d_set(0x1p24))));
    i_store(columns->other + i, i_from_d(d_mul(across, d_set(0x1p24))));
  }
}

/* The part of a row along an axis of the lattice, which is `along` without the columns'. */
static uint32_t row_part(double along, double start, double cell, uint32_t multiplier, uint32_t key,
                         uint32_t *input) {
  const double below = whole_of(along + start) - 1;
  *input = (uint32_t)(int32_t)below * multiplier + key;
  return (uint32_t)(int32_t)((along + cell - below) * 0x1p24);
}

static struct simplex_row row_at(const struct simplex_columns *columns, int dims,
                                 const struct perlane_octave *octave, const double position[3]) {
  const double skew = simplex_skew(dims);
  double unit[3] = {0, 0, 0}, sum = 0;
  struct simplex_row row = {{0, 0, 0}, {0, 0, 0}};
  for (int a = 1; a < dims; a++) {
    unit[a] = unit_of(position[a] * octave->frequency);
    sum += unit_of(unit[a] * skew);
  }
  for (int a = 0; a < dims; a++)
    row.part[a] = row_part(unit[a] + sum + octave->phase[a] * 0x1p-24,
                           a == 0 ? columns->first_start : columns->other_start,
                           a == 0 ? columns->first_cell : columns->other_cell, AXIS_MULTIPLIERS[a],
                           octave->key[a], &row.input[a]);
  return row;
}

/* ---- Tables ---- */

/* The coordinate of columns along an axis, from those in `columns`. */
PERLANE_INLINE vi coordinate(const struct simplex_row *row, int a, vi column) {
  return i_add(column, i_set(row->part[a]));
}

PERLANE_INLINE vi fraction_units(vi coordinate) {
  return i_and(coordinate, i_set(0xFFFFFF));
}

PERLANE_INLINE vf fraction_of(vi coordinate) {
  return f_mul(f_from_i(fraction_units(coordinate)), f_set(0x1p-24f));
}

/* The numbers of samples at columns i and on, from 1 on. Constant: `dims`. */
PERLANE_INLINE vi numbers_at(int dims, const struct simplex_row *row, vi first, vi other) {
  const vi along = coordinate(row, 0, first), fraction = fraction_units(along);
  const vi cell = i_shift_right(along, 24);
  vi number = i_add(cell, cell);
  if (dims == 3)
    number = i_add(number, cell);
  PERLANE_UNROLL for (int a = 1; a < dims; a++) number =
      i_sub(number, i_shift_right(i_sub(fraction, fraction_units(coordinate(row, a, other))), 31));
  return number;
}

/* Finds samples in a row's triangles: of each number, what it is along the other axes. A row comes
 * to the upper triangle of a cell when it enters the cell along the first axis, and to the lower
 * one before it leaves: the samples there are in these triangles, if any are. Returns the last
 * number. */
static PERLANE_NOINLINE size_t find_triangles(struct simplex_columns *columns,
                                              const struct simplex_row *row, size_t n) {
  const uint32_t *const first = columns->first, *const other = columns->other;
  const uint32_t cells = (first[n - 1] + row->part[0]) >> 24;
  uint32_t *sample = columns->sample;
  sample[1] = other[0];
  uint32_t border = (1U << 24) - row->part[0];
  double nearest = 0.5 - (double)(first[0] - border) * columns->columns_per_unit;
  for (size_t i = 2; i <= cells; i++) {
    border += 1U << 24;
    nearest += columns->columns_per_cell;
    /* The cell begins at the nearest column or at the next one. */
    size_t column = (size_t)(ptrdiff_t)nearest;
    column += first[column] < border;
    sample[2 * i - 2] = other[column - 1];
    sample[2 * i - 1] = other[column];
  }
  sample[2 * cells] = other[n - 1];
  return 2 * cells;
}

/* Stores a vector of the table, from number t on. Of the first two axes, the one with the larger
 * fraction comes first: x in the lanes of a mask. */
PERLANE_INLINE void store_gradients(int dims, struct simplex_columns *columns, size_t t,
                                    vi x_is_larger, const struct simplex_gradients *gradients) {
  PERLANE_UNROLL for (int c = 0; c <= dims; c++) {
    float(*const table)[SIMPLEX_ENTRIES] = columns->table + dims * c;
    vf g[3];
    simplex_gradient(dims, gradients, c, g);
    f_store(table[0] + t, f_choose(x_is_larger, g[0], g[1]));
    f_store(table[1] + t, f_choose(x_is_larger, g[1], g[0]));
    if (dims == 3)
      f_store(table[2] + t, g[2]);
  }
}

/* Makes the table of a row in 2D. */
static PERLANE_NOINLINE void make_triangles(struct simplex_columns *columns,
                                            const struct simplex_row *row, size_t n) {
  const struct simplex_tables tables = simplex_tables(2);
  const size_t last = find_triangles(columns, row, n);
  const vi x_multiplier = i_set(AXIS_MULTIPLIERS[0]), y_multiplier = i_set(AXIS_MULTIPLIERS[1]);
  const vi x_input = i_set(row->input[0]), y_input = i_set(row->input[1]);
  vi number = lane_numbers();
  const vi lower = i_sub(i_and(number, i_set(1)), i_set(1));
  for (size_t t = 0; t <= last; t += LANES) {
    const vi cell = i_shift_right(i_add(number, i_set(1)), 1);
    const vi other = coordinate(row, 1, i_load_aligned(columns->sample + t));
    const vi x = i_add(i_mul(cell, x_multiplier), x_input);
    const vi y = i_add(i_mul(i_shift_right(other, 24), y_multiplier), y_input);
    const struct axis_cell axis[3] = {
        {.word = axis_word(x), .next = axis_word(i_add(x, x_multiplier))},
        {.word = axis_word(y), .next = axis_word(i_add(y, y_multiplier))},
    };
    struct simplex_gradients gradients = {.tables = &tables};
    triangle_words(axis, lower, gradients.word);
    store_gradients(2, columns, t, lower, &gradients);
    number = i_add(number, i_set(LANES));
  }
}

/* Makes the table of a row in 3D, from one sample of each number. */
static PERLANE_NOINLINE void make_tetrahedra(struct simplex_columns *columns,
                                             const struct simplex_row *row, size_t n) {
  const struct simplex_tables tables = simplex_tables(3);
  uint32_t last = UINT32_MAX;
  for (size_t i = 0; i < n; i += LANES) {
    uint32_t *const number = columns->number + i;
    i_store(number, numbers_at(3, row, i_load_aligned(columns->first + i),
                               i_load_aligned(columns->other + i)));
    if (number[LANES - 1] == last)
      continue;
    last = number[LANES - 1];
    PERLANE_UNROLL for (size_t l = 0; l < LANES; l++) columns->sample[number[l]] =
        (uint32_t)(i + l);
  }
  for (size_t t = 0; t <= last; t += LANES) {
    const vi column = i_load_aligned(columns->sample + t);
    const vi first = i_bits(f_look_up((const float *)(const void *)columns->first, column));
    const vi other = i_bits(f_look_up((const float *)(const void *)columns->other, column));
    struct axis_cell axis[3];
    vf f[3];
    PERLANE_UNROLL for (int a = 0; a < 3; a++) {
      const vi along = coordinate(row, a, a == 0 ? first : other);
      const vi multiplier = i_set(AXIS_MULTIPLIERS[a]);
      const vi v = i_add(i_mul(i_shift_right(along, 24), multiplier), i_set(row->input[a]));
      axis[a].word = axis_word(v);
      axis[a].next = axis_word(i_add(v, multiplier));
      f[a] = fraction_of(along);
    }
    const struct middle_corners middle = middle_corners(f);
    struct simplex_gradients gradients = {.tables = &tables};
    tetrahedron_words(axis, &middle, gradients.word);
    store_gradients(3, columns, t, f_not_above(f[1], f[0]), &gradients);
  }
}

/* Evaluates a place of a row; with `sum`, adds to what is there. Constant: `dims`, `sum` and
 * `stream`. */
PERLANE_INLINE void emit_samples(int dims, int sum, int stream,
                                 const struct simplex_columns *columns,
                                 const struct simplex_row *constants, float amplitude,
                                 const struct place *place) {
  const struct simplex_row row = *constants;
  const vf scale = f_set(amplitude);
  const size_t begin = place->begin, end = place->end;
  float *out = (float *)(void *)place->to;
  for (size_t i = begin; i < end; i += LANES, out += LANES) {
    const vi first = i_load(columns->first + i), other = i_load(columns->other + i);
    uint32_t pair[LANES];
    const uint32_t *number = dims == 2 ? pair : columns->number + i;
    if (dims == 2)
      i_store(pair, numbers_at(2, &row, first, other));
    const vi numbers = i_load(number);
    const uint32_t start = number[0];
    const vi more = i_sub(numbers, i_set(start));
    const struct simplex_gradients gradients = {
        .row = columns->table[0] + start,
        .entry = i_and(more, i_set(7)),
        .pick = i_pick(more),
        .is_wide = dims == 3 && LANES < 8 && number[LANES - 1] - start >= LANES,
    };
    vf f[3];
    f[0] = fraction_of(coordinate(&row, 0, first));
    PERLANE_UNROLL for (int a = 1; a < dims; a++) f[a] = fraction_of(coordinate(&row, a, other));
    const vf p = f_max(f[0], f[1]), q = f_min(f[0], f[1]), sorted[3] = {p, q, f[2]};
    struct simplex_sum n;
    if (dims == 2) {
      n = sum_triangle(0, p, q, f_sub(p, f_set(1)), q, &gradients);
    } else {
      const vi none = i_set(0), all = i_set(0xFFFFFFFF);
      const vi after_p = f_not_above(f[2], p), after_q = f_not_above(f[2], q);
      const struct middle_corners middle = {
          {{after_p, none, i_xor(after_p, all)}, {all, after_q, i_xor(after_q, all)}}};
      n = sum_tetrahedron(0, sorted, &middle, &gradients);
    }
    vf value = f_mul(n.value, scale);
    if (sum)
      value = f_add(f_load(out), value);
    store_vector(stream, out, value);
  }
}

#define ROW_KERNEL(name, dims)                                                                     \
  static PERLANE_NOINLINE void name(const struct simplex_columns *columns,                         \
                                    const struct simplex_row *row, float amplitude, int sum,       \
                                    const struct place *place) {                                   \
    if (place->stream)                                                                             \
      emit_samples(dims, 0, 1, columns, row, amplitude, place);                                    \
    else if (sum)                                                                                  \
      emit_samples(dims, 1, 0, columns, row, amplitude, place);                                    \
    else                                                                                           \
      emit_samples(dims, 0, 0, columns, row, amplitude, place);                                    \
  }
ROW_KERNEL(emit_2d, 2)
ROW_KERNEL(emit_3d, 3)
#undef ROW_KERNEL

/* ---- Octaves of rows ---- */

/* Returns 1 if an octave's rows have tables. Samples must be so evenly apart that rounding moves
 * none by more than 2^-7 of a column. */
static int has_tables(const struct simplex_fill *fill, int k) {
  const struct perlane_region *grid = fill->grid;
  const double frequency = fill->field->octave[k].frequency, step = grid->step[0] * frequency;
  const double begin = (double)grid->first[0] * step, end = begin + (double)grid->count[0] * step;
  return fill->tile.arrays == 1 && !fill->is_list && fill->octaves.near && step >= 0x1p-14 &&
         step <= SIMPLEX_STEP(fill->dims) && begin > -0x1p30 && end < 0x1p30;
}

/* The positions of row y of plane z. */
static void row_position(const struct perlane_region *grid, size_t y, size_t z,
                         double position[3]) {
  position[0] = 0;
  position[1] = grid_position(grid, 1, y);
  position[2] = grid->dims > 2 ? grid_position(grid, 2, z) : 0;
}

/* Begins an octave in the current strip. */
static void begin_simplex_octave(struct simplex_fill *fill, int k) {
  const double frequency = fill->field->octave[k].frequency;
  int near = 1;
  for (int a = 0; a < fill->dims; a++)
    near &= grid_axis_is_near(fill->grid, a, frequency);
  one_octave(&fill->octaves, fill->field, k, fill->dims, near);
  if (has_tables(fill, k))
    begin_simplex_columns(&fill->columns, fill->dims, fill->position, fill->sink.strips.columns,
                          fill->grid->step[0], frequency);
}

/* Evaluates the current strip's part of a row as points. */
static void row_of_points(struct simplex_fill *fill, const double position[3], int sum,
                          const struct samples *samples) {
  _Alignas(64) double others[2][LANES];
  struct simplex_run run = {.position = {fill->position, others[0], others[1]},
                            .position_step = {1, 0, 0},
                            .octaves = &fill->octaves};
  d_store(others[0], d_set(position[1]));
  d_store(others[1], d_set(position[2]));
  simplex_run(fill->dims, &run, fill->sink.strips.columns, sum, fill->tile.arrays, samples);
}

/* The positions of a list. */
PERLANE_INLINE struct positions positions_of_list(const struct simplex_fill *fill) {
  return (struct positions){{fill->position, fill->list[0], fill->list[1]}, 0};
}

/* Evaluates an octave of a row into a tile; with `sum`, adds to it. */
static void row_in_tile(struct simplex_fill *fill, int k, const double position[3], int sum,
                        const struct samples *samples) {
  const struct perlane_octave *octave = &fill->field->octave[k];
  const size_t n = fill->sink.strips.columns;
  if (!has_tables(fill, k)) {
    row_of_points(fill, position, sum, samples);
    return;
  }
  const struct place place = {.end = n, .to = (unsigned char *)samples->array[0]};
  const struct simplex_row row = row_at(&fill->columns, fill->dims, octave, position);
  (fill->dims == 2 ? make_triangles : make_tetrahedra)(&fill->columns, &row, n);
  (fill->dims == 2 ? emit_2d : emit_3d)(&fill->columns, &row, octave->amplitude[fill->dims - 1],
                                        sum, &place);
}

/* Evaluates a row of a single octave on its way to the output. */
static void row_in_places(struct simplex_fill *fill, const double position[3], ptrdiff_t offset) {
  _Alignas(CACHE_LINE_BYTES) unsigned char piece[PIECE_BYTES];
  const struct perlane_octave *octave = &fill->field->octave[0];
  const struct simplex_row row = row_at(&fill->columns, fill->dims, octave, position);
  struct leaving leaving = row_leaving(&fill->sink, 0, offset, piece);
  struct place place;
  (fill->dims == 2 ? make_triangles : make_tetrahedra)(&fill->columns, &row,
                                                       fill->sink.strips.columns);
  while (next_place(&fill->sink, &leaving, &place))
    (fill->dims == 2 ? emit_2d : emit_3d)(&fill->columns, &row, octave->amplitude[fill->dims - 1],
                                          0, &place);
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
  for (size_t r = 0; r < fill->rows; r++) {
    const struct samples row = samples_from(samples, r * fill->tile.pitch);
    double position[3];
    row_position(fill->grid, fill->y + r, fill->z, position);
    row_in_tile(fill, k, position, sum, &row);
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
  const int direct = fill->direct && has_tables(fill, 0);
  for (fill->z = 0; fill->z < grid->count[2]; fill->z++)
    for (fill->y = 0; fill->y < grid->count[1]; fill->y += direct ? 1 : fill->max_rows) {
      const size_t left = grid->count[1] - fill->y;
      const size_t row[PERLANE_MAX_DIMS] = {0, fill->y, fill->z, 0};
      if (direct) {
        double position[3];
        row_position(grid, fill->y, fill->z, position);
        row_in_places(fill, position, offset_of_row(&fill->sink, row));
        continue;
      }
      fill->rows = left < fill->max_rows ? left : fill->max_rows;
      deliver_rows(&fill->tile, fill->rows, row, simplex_in_tile, fill);
    }
}

/* Returns the most columns of a strip, whose numbers and cells have room in all octaves. */
static size_t columns_of_strip(const struct simplex_fill *fill) {
  const size_t direct = fill->dims == 2 ? SIMPLEX_COLUMNS : SIMPLEX_COLUMNS_3D;
  const size_t most = fill->direct ? direct : SIMPLEX_TILE_COLUMNS;
  double step = fill->grid->step[0] * fill->field->highest_frequency;
  if (!(step > 0)) /* no octave has numbers: all are evaluated at points */
    return most;
  step = step < SIMPLEX_STEP(fill->dims) ? step : SIMPLEX_STEP(fill->dims);
  const double cells = step * (1 + simplex_skew(fill->dims));
  const double numbers = (SIMPLEX_NUMBERS - 8) / (cells * fill->dims) - 32;
  const double columns = SIMPLEX_CELLS / cells - 32;
  const double less = numbers < columns ? numbers : columns;
  return less < (double)most ? (size_t)less / STRIP_GRANULE * STRIP_GRANULE : most;
}

/* Divides the tile among the samples that its rows need. */
static void lay_out_simplex(struct simplex_fill *fill) {
  const size_t arrays = sets_of_tile(&fill->tile) * (size_t)fill->tile.arrays;
  size_t floats = SIMPLEX_TILE_FLOATS / arrays / STRIP_GRANULE * STRIP_GRANULE;
  if (fill->is_list && floats > SIMPLEX_COLUMNS)
    floats = SIMPLEX_COLUMNS;
  fill->tile.pitch = fill->is_list ? fill->grid->count[0] : fill->sink.strips.width;
  fill->max_rows = floats / fill->tile.pitch;
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
  fill.direct = is_plain_octave(&fill.tile);
  fill.is_list = grid->count[0] <= (field->octaves == 1 ? SIMPLEX_SHORT_ROW : SIMPLEX_SHORT_ROWS) ||
                 samples_of_grid(grid) <= SIMPLEX_FEW_SAMPLES;
  balance_strips(strips, columns_of_strip(&fill));
  lay_out_simplex(&fill);
  if (fill.is_list) {
    fill_simplex_lists(&fill);
  } else {
    memset(fill.columns.sample, 0, sizeof fill.columns.sample); /* numbers that no sample has */
    first_strip(strips);
    do
      fill_simplex_strip(&fill);
    while (next_strip(strips));
  }
  close_sink(&fill.sink);
  return 1;
}

#endif
