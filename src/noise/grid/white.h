/* SPDX-License-Identifier: MIT
 *
 * Filling grids with white and Gaussian noise. A cell has one number, and nothing is interpolated:
 * an octave's sample row follows from one hash word of each column, found once for a strip, and one
 * each of the row, the plane and the volume. It is kept for the rows of the same cells.
 */
#ifndef PERLANE_NOISE_GRID_WHITE_H
#define PERLANE_NOISE_GRID_WHITE_H

#include "../lattice/axis.h"
#include "../lattice/values.h"
#include "../output/tile.h"

enum {
  WHITE_FLOATS = 40 * 256, /* of memory, where store_values reads past rows */
  WHITE_COLUMNS = 512,     /* of a strip, at most */
  WHITE_ROWS = 256,        /* whose words are found together, at most, */
  WHITE_ROW_ENTRIES = 2048 /* and of all octaves */
};

/* An octave in the current strip. */
struct white_octave {
  uint32_t *word;          /* of each column */
  float *fraction;         /* of each column */
  float *number;           /* of each column, in the row of cells with these words: */
  uint32_t y, z, w;        /* 0 along axes that the grid does not have */
  int known;               /* 0: `number` is of no row */
  uint32_t *rows;          /* words of some rows, */
  uint32_t planes[LANES];  /* of some planes, */
  uint32_t volumes[LANES]; /* and of one volume */
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
  struct white_octave octave[PERLANE_MAX_OCTAVES];
};

/* Lays out the memory. Returns the most columns of a strip. */
static size_t lay_out_white(struct white *fill, float *memory) {
  const size_t octaves = (size_t)fill->field->octaves;
  const size_t arrays = sets_of_tile(&fill->tile) * (size_t)fill->tile.arrays;
  const size_t share = WHITE_ROW_ENTRIES / octaves / STRIP_GRANULE * STRIP_GRANULE;
  fill->rows = share < WHITE_ROWS ? share : WHITE_ROWS;
  const size_t left = (WHITE_FLOATS - 2 * LANES - octaves * fill->rows) / (3 * octaves + arrays);
  const size_t pitch = left < WHITE_COLUMNS ? left / STRIP_GRANULE * STRIP_GRANULE : WHITE_COLUMNS;
  for (size_t k = 0; k < octaves; k++) {
    struct white_octave *octave = &fill->octave[k];
    octave->word = (uint32_t *)(void *)memory;
    octave->fraction = memory + pitch;
    octave->number = memory + 2 * pitch;
    octave->rows = (uint32_t *)(void *)(memory + 3 * pitch);
    octave->rows[0] = octave->planes[0] = octave->volumes[0] = 0;
    memory += 3 * pitch + fill->rows;
  }
  lay_out_tile(&fill->tile, memory, pitch);
  if (octaves == 1 && !has_falloff(fill->field)) /* nothing changes the numbers of another row */
    fill->octave[0].number =
        fill->tile.blended ? fill->tile.layer.array[0] : fill->tile.sums.array[0];
  return pitch;
}

/* ---- Words ---- */

/* Stores the words of samples start .. start + n - 1 along an axis. */
static void words_along(const struct white *fill, int axis, size_t start, size_t n, size_t k,
                        uint32_t *word) {
  _Alignas(64) float fraction[WHITE_ROWS];
  _Alignas(64) uint32_t next[WHITE_ROWS];
  const struct grid_axis samples = {fill->field, fill->grid, axis};
  const struct axis_arrays pass = {.a0 = fraction, .word = word, .next = next};
  grid_axis_pass(&pass, &samples, start, n, &fill->field->octave[k]);
}

/* Begins a strip. */
static void column_words(struct white *fill) {
  const struct strips *strips = &fill->sink.strips;
  const struct grid_axis samples = {fill->field, fill->grid, 0};
  for (int k = 0; k < fill->field->octaves; k++) {
    struct white_octave *octave = &fill->octave[k];
    uint32_t *const next = (uint32_t *)(void *)octave->number;
    const struct axis_arrays pass = {.a0 = octave->fraction, .word = octave->word, .next = next};
    octave->known = 0;
    grid_axis_pass(&pass, &samples, (size_t)strips->x, strips->columns, &fill->field->octave[k]);
  }
}

/* ---- Rows ---- */

/* White numbers of the lattice hash. `scale` is the amplitude times 2^-24, so large that nothing
 * underflows: then the order of these products does not matter, and no number is 0. Constant:
 * `stream`. */
PERLANE_INLINE void white_columns(int stream, const struct white_octave *octave, float scale,
                                  const struct place *place) {
  const uint32_t *const word = octave->word + place->begin;
  float *const out = (float *)(void *)place->to;
  const size_t n = place->end - place->begin;
  const vi others = i_set(octave->y + octave->z + octave->w);
  const vf factor = f_set(scale);
  for (size_t i = 0; i < n; i += LANES)
    store_vector(stream, out + i,
                 f_mul(uniform(full_mix(i_add(i_load(word + i), others))), factor));
}

static PERLANE_NOINLINE void white_numbers(const struct white_octave *octave, float scale,
                                           const struct place *place) {
  if (place->stream)
    white_columns(1, octave, scale, place);
  else
    white_columns(0, octave, scale, place);
}

/* The source of an octave's numbers, which may be 0. Constant where it is a parameter. */
enum number_source { GAUSSIAN_NUMBERS, ANY_NUMBERS };

/* Interpolating between equal numbers changes no more than the sign of a zero, as adding `zero`
 * does. Constant: `source`. */
PERLANE_INLINE void columns_with_zeros(enum number_source source, const struct white *fill,
                                       const struct white_octave *octave, float amplitude,
                                       const struct place *place) {
  const int dims = fill->grid->dims;
  const vi y = i_set(octave->y), z = i_set(octave->z), w = i_set(octave->w);
  const vi others = i_set(octave->y + octave->z + octave->w);
  const vf factor = f_set(amplitude);
  float *const out = (float *)(void *)place->to;
  for (size_t i = place->begin; i < place->end; i += LANES) {
    const vi x = i_load(octave->word + i);
    const vf number = source == GAUSSIAN_NUMBERS ? gaussian(full_mix(i_add(x, others)))
                                                 : number_at(dims, &fill->lattice, x, y, z, w);
    vf zero = f_set(0);
    if (dims == 1)
      zero = f_mul(f_sub(f_load(octave->fraction + i), f_set(0.5f)), zero);
    store_vector(place->stream, out + (i - place->begin), f_add(f_mul(number, factor), zero));
  }
}

static PERLANE_NOINLINE void gaussian_numbers(const struct white *fill,
                                              const struct white_octave *octave, float amplitude,
                                              const struct place *place) {
  columns_with_zeros(GAUSSIAN_NUMBERS, fill, octave, amplitude, place);
}

static PERLANE_NOINLINE void any_numbers(const struct white *fill,
                                         const struct white_octave *octave, float amplitude,
                                         const struct place *place) {
  columns_with_zeros(ANY_NUMBERS, fill, octave, amplitude, place);
}

/* Stores an octave's numbers in the row of its words. */
static void store_numbers(const struct white *fill, size_t k, const struct place *place) {
  const float amplitude = fill->field->octave[k].amplitude[fill->grid->dims - 1];
  const float scale = amplitude * 0x1p-24f;
  const int is_tiny = !(scale >= FLT_MIN || scale <= -FLT_MIN);
  if (fill->lattice.corner == PERLANE_NORMAL)
    gaussian_numbers(fill, &fill->octave[k], amplitude, place);
  else if (is_tiny || fill->lattice.hash != PERLANE_HASH_LATTICE)
    any_numbers(fill, &fill->octave[k], amplitude, place);
  else
    white_numbers(&fill->octave[k], scale, place);
}

/* The numbers of an octave in the current row, which have no derivatives. */
static void numbers_in_tile(void *producer, int k, int sum, const struct samples *samples) {
  const struct white *fill = producer;
  const float *number = fill->octave[k].number;
  float *value = samples->array[0];
  const size_t n = fill->sink.strips.columns;
  for (size_t i = 0; i < n && sum; i += LANES)
    f_store(value + i, f_add(f_load(value + i), f_load(number + i)));
  if (!sum && number != value)
    memcpy(value, number, n * sizeof *value);
  for (int j = 1; j < fill->tile.arrays && !sum; j++)
    memset(samples->array[j], 0, fill->tile.pitch * sizeof(float));
}

/* Lets an octave's words be those of a row. Returns 0 if they are already. */
PERLANE_INLINE int set_row(struct white_octave *octave, size_t plane, size_t r) {
  const uint32_t y = octave->rows[r], z = octave->planes[plane], w = octave->volumes[0];
  if (octave->known && octave->y == y && octave->z == z && octave->w == w)
    return 0;
  octave->known = 1;
  octave->y = y;
  octave->z = z;
  octave->w = w;
  return 1;
}

/* Evaluates a row in the tile, if it does not have the same numbers already. */
static void evaluate_row(struct white *fill, size_t plane, size_t r) {
  const size_t n = (fill->sink.strips.columns + LANES - 1) / LANES * LANES;
  const size_t index[PERLANE_MAX_DIMS] = {0, fill->y + r, fill->z, fill->w};
  int changes = has_falloff(fill->field);
  for (int k = 0; k < fill->field->octaves; k++)
    if (set_row(&fill->octave[k], plane, r)) {
      const struct place place = {.end = n, .to = (unsigned char *)fill->octave[k].number};
      store_numbers(fill, (size_t)k, &place);
      changes = 1;
    }
  if (!changes)
    return;
  sum_octaves(&fill->tile, fill->field->octaves, n, numbers_in_tile, fill);
  finish_rows(&fill->tile, 0, 1, index);
}

/* Evaluates a row of a single octave on its way to the output. */
static void evaluate_directly(struct white *fill, size_t plane, size_t r, ptrdiff_t offset) {
  _Alignas(CACHE_LINE_BYTES) unsigned char piece[PIECE_BYTES];
  const struct sink *sink = &fill->sink;
  struct place place = {.end = sink->strips.columns};
  set_row(&fill->octave[0], plane, r);
  fill->octave[0].known = 0;
  if (!sink->streams && place.end % LANES == 0) { /* most short rows */
    place.to = (unsigned char *)((float *)sink->output->value + offset);
    store_numbers(fill, 0, &place);
    return;
  }
  struct leaving row = row_leaving(sink, 0, offset, piece);
  while (next_place(sink, &row, &place))
    store_numbers(fill, 0, &place);
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

/* Fills rows of a plane. */
static void fill_white_rows(struct white *fill, size_t plane, size_t rows) {
  const size_t index[PERLANE_MAX_DIMS] = {0, fill->y, fill->z, fill->w};
  const ptrdiff_t offset = offset_of_row(&fill->sink, index);
  for (size_t r = 0, end; r < rows; r = end) {
    const ptrdiff_t row = offset + (ptrdiff_t)r * fill->grid->stride[1];
    for (end = r + 1; end < rows && are_equal_rows(fill, r, end);)
      end++;
    if (fill->direct && end == r + 1) {
      evaluate_directly(fill, plane, r, row);
    } else {
      evaluate_row(fill, plane, r);
      store_equal_rows(&fill->sink, &fill->tile.sums, end - r, row);
    }
  }
}

/* Fills rows of the current strip in all planes, from row fill->y on. */
static void fill_white_strip(struct white *fill, size_t rows) {
  const struct perlane_region *grid = fill->grid;
  const size_t octaves = (size_t)fill->field->octaves;
  column_words(fill);
  for (fill->w = 0; fill->w < grid->count[3]; fill->w++) {
    for (size_t k = 0; k < octaves && grid->dims > 3; k++)
      words_along(fill, 3, fill->w, 1, k, fill->octave[k].volumes);
    for (fill->z = 0; fill->z < grid->count[2]; fill->z++) {
      const size_t left = grid->count[2] - fill->z, planes = left < LANES ? left : LANES;
      for (size_t k = 0; fill->z % LANES == 0 && k < octaves && grid->dims > 2; k++)
        words_along(fill, 2, fill->z, planes, k, fill->octave[k].planes);
      fill_white_rows(fill, fill->z % LANES, rows);
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
      words_along(&fill, 1, fill.y, rows, k, fill.octave[k].rows);
    first_strip(strips);
    do
      fill_white_strip(&fill, rows);
    while (next_strip(strips));
  }
  close_sink(&fill.sink);
  return 1;
}

#endif
