/* SPDX-License-Identifier: MIT
 *
 * Filling grids with white and Gaussian noise. A cell has one number, and nothing is interpolated:
 * an octave's sample row follows from one hash word of each column, found once for a strip, and one
 * each of the row, the plane and the volume. Rows in the same cells of all octaves are evaluated
 * once.
 */
#ifndef PERLANE_NOISE_GRID_WHITE_H
#define PERLANE_NOISE_GRID_WHITE_H

#include "../lattice/axis.h"
#include "../lattice/values.h"
#include "../output/tile.h"

enum {
  WHITE_FLOATS = 32 * 256, /* of memory, where store_values reads past rows */
  WHITE_COLUMNS = 512,     /* of a strip, at most */
  WHITE_ROWS = 256,        /* whose words are found together, at most, */
  WHITE_ROW_ENTRIES = 2048 /* and of all octaves */
};

/* The hash words of an octave: of each column of the current strip, some rows, LANES planes
 * and a volume; 0 along axes that the grid does not have. `scale` is the amplitude times 2^-24, of
 * white numbers of the lattice hash, if it is so large that nothing underflows: then the order of
 * these products does not matter, and no number is 0. Otherwise it is 0. */
struct white_octave {
  uint32_t *columns, *rows, z[LANES], w[LANES];
  float *fraction; /* of each column */
  float amplitude, scale;
};

struct white {
  const struct field *field;
  const struct perlane_region *grid;
  struct lattice lattice;
  struct sink sink;
  struct tile tile; /* of one row, which is finished */
  int direct;       /* rows that do not recur go straight to the output */
  size_t rows;      /* whose words are found together, from row y on */
  size_t y, z, w;   /* of the current rows */
  size_t row;       /* the current one, from y on */
  struct white_octave octave[PERLANE_MAX_OCTAVES];
};

/* Lays out the memory. Returns the most columns of a strip. */
static size_t lay_out_white(struct white *fill, float *memory) {
  const size_t octaves = (size_t)fill->field->octaves;
  const size_t arrays = sets_of_tile(&fill->tile) * (size_t)fill->tile.arrays;
  const size_t share = WHITE_ROW_ENTRIES / octaves / STRIP_GRANULE * STRIP_GRANULE;
  fill->rows = share < WHITE_ROWS ? share : WHITE_ROWS;
  const size_t left = (WHITE_FLOATS - 2 * LANES - octaves * fill->rows) / (2 * octaves + arrays);
  const size_t pitch = left < WHITE_COLUMNS ? left / STRIP_GRANULE * STRIP_GRANULE : WHITE_COLUMNS;
  for (size_t k = 0; k < octaves; k++) {
    struct white_octave *octave = &fill->octave[k];
    octave->columns = (uint32_t *)(void *)memory;
    octave->fraction = memory + pitch;
    octave->rows = (uint32_t *)(void *)(memory + 2 * pitch);
    octave->rows[0] = octave->z[0] = octave->w[0] = 0;
    memory += 2 * pitch + fill->rows;
    octave->amplitude = fill->field->octave[k].amplitude[fill->grid->dims - 1];
    octave->scale = octave->amplitude * 0x1p-24f;
    const int is_tiny = !(octave->scale >= FLT_MIN || octave->scale <= -FLT_MIN);
    if (is_tiny || fill->lattice.corner == PERLANE_NORMAL ||
        fill->lattice.hash != PERLANE_HASH_LATTICE)
      octave->scale = 0;
  }
  lay_out_tile(&fill->tile, memory, pitch);
  return pitch;
}

/* Stores octave k's words of samples start .. start + n - 1 along an axis, and their fractions
 * unless that is NULL. */
static PERLANE_NOINLINE void white_words(const struct white *fill, int axis, size_t start, size_t n,
                                         size_t k, uint32_t *word, float *fraction) {
  _Alignas(64) float unused[WHITE_COLUMNS];
  _Alignas(64) uint32_t next[WHITE_COLUMNS];
  const struct grid_axis samples = {fill->field, fill->grid, axis};
  const struct axis_arrays pass = {.a0 = fraction ? fraction : unused, .word = word, .next = next};
  grid_axis_pass(&pass, &samples, start, n, &fill->field->octave[k]);
}

/* ---- Rows ---- */

/* White numbers of the lattice hash. `others` is the sum of the other axes' words. Constant:
 * `stream`; and `sum`, whether numbers are added to what is there. */
PERLANE_INLINE void white_columns(int stream, int sum, const struct white_octave *octave,
                                  uint32_t others, const struct place *place) {
  const uint32_t *const columns = octave->columns + place->begin;
  float *const out = (float *)(void *)place->to;
  const size_t n = place->end - place->begin;
  const vi other_words = i_set(others);
  const vf factor = f_set(octave->scale);
  for (size_t i = 0; i < n; i += LANES) {
    const vf v = f_mul(uniform(full_mix(i_add(i_load(columns + i), other_words))), factor);
    store_vector(stream, out + i, sum ? f_add(f_load(out + i), v) : v);
  }
}

/* Numbers that may be 0. Interpolating between equal numbers changes no more than the sign of a
 * zero, as adding `zero` does. Constant: `is_gaussian`. */
PERLANE_INLINE void columns_with_zeros(int is_gaussian, const struct white *fill,
                                       const struct white_octave *octave, int sum,
                                       const struct place *place) {
  const struct place local = *place;
  const uint32_t *const columns = octave->columns;
  const vf amplitude = f_set(octave->amplitude);
  const int dims = fill->grid->dims;
  const vi y = i_set(octave->rows[fill->row]), z = i_set(octave->z[fill->z % LANES]);
  const vi w = i_set(octave->w[0]), others = i_add(i_add(y, z), w);
  for (size_t i = local.begin; i < local.end; i += LANES) {
    const vi x = i_load(columns + i);
    const vf number = is_gaussian ? gaussian(full_mix(i_add(x, others)))
                                  : number_at(dims, &fill->lattice, x, y, z, w);
    vf zero = f_set(0);
    if (dims == 1)
      zero = f_mul(f_sub(f_load(octave->fraction + i), f_set(0.5f)), zero);
    const vf v = f_add(f_mul(number, amplitude), zero);
    float *const out = (float *)(void *)local.to + (i - local.begin);
    store_vector(local.stream, out, sum ? f_add(f_load(out), v) : v);
  }
}

static PERLANE_NOINLINE void numbers_with_zeros(const struct white *fill,
                                                const struct white_octave *octave, int sum,
                                                const struct place *place) {
  if (fill->lattice.corner == PERLANE_NORMAL)
    columns_with_zeros(1, fill, octave, sum, place);
  else
    columns_with_zeros(0, fill, octave, sum, place);
}

/* Stores an octave's numbers in the current row, or with `sum` adds them to what is there. */
static PERLANE_NOINLINE void white_numbers(const struct white *fill,
                                           const struct white_octave *octave, int sum,
                                           const struct place *place) {
  const uint32_t others = octave->rows[fill->row] + octave->z[fill->z % LANES] + octave->w[0];
  if (octave->scale == 0)
    numbers_with_zeros(fill, octave, sum, place);
  else if (place->stream)
    white_columns(1, 0, octave, others, place);
  else if (sum)
    white_columns(0, 1, octave, others, place);
  else
    white_columns(0, 0, octave, others, place);
}

/* The numbers of an octave in the current row, which have no derivatives. */
static void white_in_tile(void *producer, int k, int sum, const struct samples *samples) {
  const struct white *fill = producer;
  const struct place place = {.end = fill->sink.strips.columns,
                              .to = (unsigned char *)samples->array[0]};
  white_numbers(fill, &fill->octave[k], sum, &place);
  for (int j = 1; j < fill->tile.arrays && !sum; j++)
    memset(samples->array[j], 0, fill->tile.pitch * sizeof(float));
}

/* Evaluates the current row of a single octave on its way to the output. */
static void white_directly(struct white *fill, ptrdiff_t offset) {
  _Alignas(CACHE_LINE_BYTES) unsigned char piece[PIECE_BYTES];
  const struct sink *sink = &fill->sink;
  struct place place = {.end = sink->strips.columns};
  if (!sink->streams && place.end % LANES == 0) { /* most short rows */
    place.to = (unsigned char *)((float *)sink->output->value + offset);
    white_numbers(fill, fill->octave, 0, &place);
    return;
  }
  struct leaving row = row_leaving(sink, 0, offset, piece);
  while (next_place(sink, &row, &place))
    white_numbers(fill, fill->octave, 0, &place);
}

/* Returns 1 if two rows have the same values: they are in the same cells, and nothing else depends
 * on positions. */
PERLANE_INLINE int are_equal_rows(const struct white *fill, size_t a, size_t b) {
  int differ = has_falloff(fill->field);
  for (int k = 0; k < fill->field->octaves; k++)
    differ |= fill->octave[k].rows[a] != fill->octave[k].rows[b];
  return !differ;
}

/* ---- The fill ---- */

/* Fills `rows` rows of the current plane. */
static void fill_white_rows(struct white *fill, size_t rows) {
  const size_t first[PERLANE_MAX_DIMS] = {0, fill->y, fill->z, fill->w};
  const ptrdiff_t offset = offset_of_row(&fill->sink, first);
  const size_t columns = (fill->sink.strips.columns + LANES - 1) / LANES * LANES;
  for (size_t end; fill->row < rows; fill->row = end) {
    const size_t r = fill->row, index[PERLANE_MAX_DIMS] = {0, fill->y + r, fill->z, fill->w};
    const ptrdiff_t row = offset + (ptrdiff_t)r * fill->grid->stride[1];
    for (end = r + 1; end < rows && are_equal_rows(fill, r, end);)
      end++;
    if (fill->direct && end == r + 1) {
      white_directly(fill, row);
      continue;
    }
    sum_octaves(&fill->tile, fill->field->octaves, columns, white_in_tile, fill);
    finish_rows(&fill->tile, 0, 1, index);
    store_equal_rows(&fill->sink, &fill->tile.sums, end - r, row);
  }
}

/* Fills rows of the current strip in all planes, from row fill->y on. */
static void fill_white_strip(struct white *fill, size_t rows) {
  const struct perlane_region *grid = fill->grid;
  const struct strips *strips = &fill->sink.strips;
  const size_t octaves = (size_t)fill->field->octaves;
  for (size_t k = 0; k < octaves; k++)
    white_words(fill, 0, (size_t)strips->x, strips->columns, k, fill->octave[k].columns,
                fill->octave[k].fraction);
  for (fill->w = 0; fill->w < grid->count[3]; fill->w++) {
    for (size_t k = 0; k < octaves && grid->dims > 3; k++)
      white_words(fill, 3, fill->w, 1, k, fill->octave[k].w, NULL);
    for (fill->z = 0; fill->z < grid->count[2]; fill->z++) {
      for (size_t k = 0; fill->z % LANES == 0 && k < octaves && grid->dims > 2; k++)
        white_words(fill, 2, fill->z, 1, k, fill->octave[k].z, NULL);
      fill->row = 0;
      fill_white_rows(fill, rows);
    }
  }
}

static PERLANE_NOINLINE int fill_white(const struct field *field, const struct perlane_region *grid,
                                       const struct perlane_output *output) {
  _Alignas(CACHE_LINE_BYTES) float memory[WHITE_FLOATS];
  struct open_line line[MAX_ARRAYS];
  struct white fill;
  struct strips *strips = &fill.sink.strips;
  fill.field = field;
  fill.grid = grid;
  make_lattice(&fill.lattice, field, grid->dims);
  open_sink(&fill.sink, grid, output, field, 0, line, MAX_ARRAYS);
  begin_tile(&fill.tile, field, &fill.sink);
  fill.direct = is_plain_octave(&fill.tile);
  balance_strips(strips, lay_out_white(&fill, memory));
  fill.tile.pitch = strips->width;
  for (fill.y = 0; fill.y < grid->count[1]; fill.y += fill.rows) {
    const size_t left = grid->count[1] - fill.y, rows = left < fill.rows ? left : fill.rows;
    for (size_t k = 0; k < (size_t)field->octaves && grid->dims > 1; k++)
      white_words(&fill, 1, fill.y, rows, k, fill.octave[k].rows, NULL);
    first_strip(strips);
    do
      fill_white_strip(&fill, rows);
    while (next_strip(strips));
  }
  close_sink(&fill.sink);
  return 1;
}

#endif
