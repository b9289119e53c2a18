/* SPDX-License-Identifier: MIT
 *
 * Filling grids with white and Gaussian noise. A cell has one number, and nothing is interpolated:
 * an octave's sample row follows from one hash word of each column, found once for a strip, and one
 * each of the row, the plane and the volume.
 */
#ifndef PERLANE_NOISE_GRID_WHITE_H
#define PERLANE_NOISE_GRID_WHITE_H

#include "../lattice/axis.h"
#include "../lattice/values.h"
#include "../driver/driver.h"

/* The hash words of an octave: of each column of the current strip, some rows, LANES planes
 * and a volume; 0 along axes that the grid does not have. `scale` is the amplitude times 2^-24, of
 * white numbers of the lattice hash, if it is so large that nothing underflows: then the order of
 * these products does not matter, and no number is 0. Otherwise it is 0. */
struct white_octave {
  uint32_t *columns, *rows, z[LANES], w[LANES];
  float *fraction; /* of each column */
  float amplitude, scale;
};

struct white_fill {
  struct space space;
  struct lattice lattice;
  struct white_octave *octave;
};

static void lay_out_white(struct space *space, struct arena *arena) {
  struct white_fill *fill = (struct white_fill *)space;
  const size_t octaves = (size_t)space->field->octaves;
  const size_t tile_rows = space->direct ? 1 : space->tile_rows;
  fill->octave = take(arena, octaves, sizeof *fill->octave);
  for (size_t k = 0; k < octaves; k++) {
    uint32_t *rows = take(arena, space->block_rows, sizeof *rows);
    float *columns = take_columns(arena, 1), *fraction = take_columns(arena, 1);
    if (!arena->next)
      continue;
    struct white_octave *octave = &fill->octave[k];
    octave->columns = (uint32_t *)(void *)columns;
    octave->fraction = fraction;
    octave->rows = rows;
    octave->rows[0] = octave->z[0] = octave->w[0] = 0;
    octave->amplitude = space->field->octave[k].amplitude[space->grid->dims - 1];
    octave->scale = octave->amplitude * 0x1p-24f;
    const int is_tiny = !(octave->scale >= FLT_MIN || octave->scale <= -FLT_MIN);
    if (is_tiny || fill->lattice.corner == CORNER_NORMAL ||
        fill->lattice.hash != PERLANE_HASH_LATTICE)
      octave->scale = 0;
  }
  float *tile = take_columns(arena, arrays_of_tile(&space->tile) * tile_rows);
  lay_out_tile(&space->tile, tile, tile_rows * arena->pitch);
}

/* Stores octave k's words of samples start .. start + n - 1 along an axis, and their fractions
 * unless that is NULL. */
static PERLANE_NOINLINE void white_words(const struct white_fill *fill, int axis, size_t start,
                                         size_t n, size_t k, uint32_t *word, float *fraction) {
  _Alignas(64) float unused[WHITE_COLUMNS];
  _Alignas(64) uint32_t next[WHITE_COLUMNS];
  const struct grid_axis samples = {fill->space.field, fill->space.grid, axis};
  const struct axis_arrays pass = {.a0 = fraction ? fraction : unused, .word = word, .next = next};
  grid_axis_pass(&pass, &samples, start, n, &fill->space.field->octave[k]);
}

/* ---- Rows ---- */

/* White numbers of the lattice hash. `others` is the sum of the other axes' words. Constant:
 * `stream`; and `sum`, whether numbers are added to what is there. */
PERLANE_INLINE void white_columns(int stream, int sum, const struct white_octave *octave,
                                  uint32_t others, const struct segment *segment) {
  const uint32_t *const columns = octave->columns + segment->begin;
  float *const out = segment->to;
  const size_t n = segment->end - segment->begin;
  const vi other_words = i_set(others);
  const vf factor = f_set(octave->scale);
  for (size_t i = 0; i < n; i += LANES) {
    const vf v = f_mul(uniform(full_mix(i_add(i_load(columns + i), other_words))), factor);
    store_vector(stream, out + i, sum ? f_add(f_load(out + i), v) : v);
  }
}

/* Numbers that may be 0. Interpolating between equal numbers changes no more than the sign of a
 * zero, as adding `zero` does. Constant: `is_gaussian`. */
PERLANE_INLINE void columns_with_zeros(int is_gaussian, const struct white_fill *fill,
                                       const struct white_octave *octave, size_t row, int sum,
                                       const struct segment *segment) {
  const struct segment local = *segment;
  const uint32_t *const columns = octave->columns;
  const vf amplitude = f_set(octave->amplitude);
  const int dims = fill->space.grid->dims;
  const vi y = i_set(octave->rows[row]), z = i_set(octave->z[fill->space.z % LANES]);
  const vi w = i_set(octave->w[0]), others = i_add(i_add(y, z), w);
  for (size_t i = local.begin; i < local.end; i += LANES) {
    const vi x = i_load(columns + i);
    const vf number = is_gaussian ? gaussian(full_mix(i_add(x, others)))
                                  : number_at(dims, &fill->lattice, x, y, z, w);
    vf zero = f_set(0);
    if (dims == 1)
      zero = f_mul(f_sub(f_load(octave->fraction + i), f_set(0.5f)), zero);
    const vf v = f_add(f_mul(number, amplitude), zero);
    float *const out = local.to + (i - local.begin);
    store_vector(local.stream, out, sum ? f_add(f_load(out), v) : v);
  }
}

static PERLANE_NOINLINE void numbers_with_zeros(const struct white_fill *fill,
                                                const struct white_octave *octave, size_t row,
                                                int sum, const struct segment *segment) {
  if (fill->lattice.corner == CORNER_NORMAL)
    columns_with_zeros(1, fill, octave, row, sum, segment);
  else
    columns_with_zeros(0, fill, octave, row, sum, segment);
}

/* Stores an octave's numbers in a row of the block, or with `sum` adds them to what is there. */
static PERLANE_NOINLINE void white_numbers(const struct white_fill *fill,
                                           const struct white_octave *octave, size_t row, int sum,
                                           const struct segment *segment) {
  const uint32_t others = octave->rows[row] + octave->z[fill->space.z % LANES] + octave->w[0];
  if (octave->scale == 0)
    numbers_with_zeros(fill, octave, row, sum, segment);
  else if (segment->stream)
    white_columns(1, 0, octave, others, segment);
  else if (sum)
    white_columns(0, 1, octave, others, segment);
  else
    white_columns(0, 0, octave, others, segment);
}

/* ---- The producer ---- */

static int plan_white(struct space *space, size_t bytes) {
  struct strips *strips = &space->sink.strips;
  struct arena arena = {.next = NULL};
  const size_t octaves = (size_t)space->field->octaves;
  const size_t share = WHITE_ROW_ENTRIES / octaves / STRIP_GRANULE * STRIP_GRANULE;
  space->direct = is_plain_octave(space);
  space->block_rows = smaller_of(share, WHITE_ROWS);
  space->band_rows = space->block_rows; /* whose words all strips share */
  space->tile_rows = WHITE_TILE_ROWS;
  lay_out_white(space, &arena);
  const size_t columns = (bytes - arena.bytes) / (arena.columns * sizeof(float));
  balance_strips(strips, smaller_of(columns / STRIP_GRANULE * STRIP_GRANULE, WHITE_COLUMNS));
  space->tile.pitch = strips->width;
  if (space->direct)
    space->tile_rows = DIRECT_ROWS;
  return 1;
}

static void white_columns_of_strip(struct space *space) {
  struct white_fill *fill = (struct white_fill *)space;
  const struct strips *strips = &space->sink.strips;
  for (size_t k = 0; k < (size_t)space->field->octaves; k++)
    white_words(fill, 0, (size_t)strips->x, strips->columns, k, fill->octave[k].columns,
                fill->octave[k].fraction);
}

static void white_rows(struct space *space) {
  struct white_fill *fill = (struct white_fill *)space;
  for (size_t k = 0; k < (size_t)space->field->octaves && space->grid->dims > 1; k++)
    white_words(fill, 1, space->block_y, space->block_count, k, fill->octave[k].rows, NULL);
}

static void white_planes(struct space *space) {
  struct white_fill *fill = (struct white_fill *)space;
  for (size_t k = 0; k < (size_t)space->field->octaves; k++) {
    if (space->z == 0 && space->grid->dims > 3)
      white_words(fill, 3, space->w, 1, k, fill->octave[k].w, NULL);
    if (space->z % LANES == 0 && space->grid->dims > 2)
      white_words(fill, 2, space->z, 1, k, fill->octave[k].z, NULL);
  }
}

/* Numbers have no derivatives. */
static void white_octave_of_tile(struct space *space, int k, int sum,
                                 const struct samples *samples) {
  const struct white_fill *fill = (const struct white_fill *)space;
  const size_t pitch = space->tile.pitch;
  for (size_t r = 0; r < space->rows; r++) {
    const struct segment segment = {.end = space->sink.strips.columns,
                                    .to = samples->array[0] + r * pitch};
    white_numbers(fill, &fill->octave[k], space->y - space->block_y + r, sum, &segment);
  }
  for (int j = 1; j < space->tile.arrays && !sum; j++)
    memset(samples->array[j], 0, space->rows * pitch * sizeof(float));
}

/* Evaluates a row of the block on its way to the output, whose column 0 is at `offset`. */
static void white_row_leaves(struct space *space, size_t row, ptrdiff_t offset) {
  float piece[MAX_GRANULE];
  const struct white_fill *fill = (const struct white_fill *)space;
  const struct sink *sink = &space->sink;
  struct segment segment = {.end = sink->strips.columns};
  if (!sink->streams && segment.end % LANES == 0) { /* most short rows */
    segment.to = (float *)sink->output->value + offset;
    white_numbers(fill, fill->octave, row, 0, &segment);
    return;
  }
  struct leaving leaving = row_leaving(sink, 0, offset, piece);
  while (next_segment(sink, &leaving, &segment))
    white_numbers(fill, fill->octave, row, 0, &segment);
}

/* Rows in the same cells are evaluated once. */
static int white_leaves(struct space *space, ptrdiff_t offset) {
  const struct white_fill *fill = (const struct white_fill *)space;
  const uint32_t *const words = fill->octave->rows + (space->y - space->block_y);
  const ptrdiff_t stride = space->grid->stride[1];
  for (size_t r = 0, end; r < space->rows; r = end) {
    for (end = r + 1; end < space->rows && words[end] == words[r];)
      end++;
    if (end == r + 1) {
      white_row_leaves(space, space->y - space->block_y + r, offset + (ptrdiff_t)r * stride);
      continue;
    }
    const struct segment segment = {.end = space->sink.strips.columns,
                                    .to = space->tile.sums.array[0]};
    white_numbers(fill, fill->octave, space->y - space->block_y + r, 0, &segment);
    for (size_t equal = r; equal < end; equal++)
      store_row(&space->sink, &space->tile.sums, 0, offset + (ptrdiff_t)equal * stride);
  }
  return 1;
}

static const struct producer WHITE_PRODUCER = {.plan = plan_white,
                                               .lay_out = lay_out_white,
                                               .columns = white_columns_of_strip,
                                               .rows = white_rows,
                                               .planes = white_planes,
                                               .octave = white_octave_of_tile,
                                               .leave = white_leaves};

static PERLANE_NOINLINE int fill_white(const struct field *field, const struct perlane_region *grid,
                                       const struct perlane_output *output) {
  struct white_fill fill;
  make_lattice(&fill.lattice, field, grid->dims);
  begin_space(&fill.space, &WHITE_PRODUCER, field, grid, output);
  return fill_space(&fill.space);
}

#endif
