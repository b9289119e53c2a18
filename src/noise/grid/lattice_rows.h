/* SPDX-License-Identifier: MIT
 *
 * Lattice rows at each column of a strip.
 *
 * In 2D a lattice row is an *edge row*: at each column the edge between two corners of its cell, 19
 * operations for a vector with middle and rise. Rows of cells follow each other, so of the two
 * lattice rows around one, the last one evaluated is usually there, and the other is missing.
 *
 * In 3D and 4D a lattice row is folded along z from two edge rows, which take 28 and 77 operations.
 * The planes within a layer of cells differ only in the weights of this fold. So edge rows are kept
 * in slots (strip.h) from plane to plane, and a plane's lattice row is one fold, 17 operations.
 * This makes 3D 1.2 and 4D 1.9 times as fast.
 */
#ifndef PERLANE_NOISE_GRID_LATTICE_ROWS_H
#define PERLANE_NOISE_GRID_LATTICE_ROWS_H

#include "strip.h"

/* ---- Edges ---- */

/* The arrays of a lattice row. */
struct channel_arrays {
  float *last, *tilt, *middle, *rise;
};

PERLANE_INLINE struct channel_arrays channel_arrays(const struct lattice_fill *fill, size_t k,
                                                    int channel, unsigned which) {
  return (struct channel_arrays){
      channel_array(fill, k, channel, LAST), channel_array(fill, k, channel, TILT + which),
      channel_array(fill, k, channel, MIDDLE), channel_array(fill, k, channel, RISE)};
}

/* The place of a new lattice row, seen from the last one: */
enum order { ALONE, ABOVE_LAST, BELOW_LAST };

PERLANE_INLINE void lattice_row_store(const struct channel_arrays *channel, size_t i,
                                      struct edge row, enum order order) {
  f_store(channel->tilt + i, row.y);
  if (order != ALONE) {
    const vf last = f_load(channel->last + i);
    const vf lower = order == ABOVE_LAST ? last : row.value;
    const vf upper = order == ABOVE_LAST ? row.value : last;
    f_store(channel->middle + i, middle(lower, upper));
    f_store(channel->rise + i, f_sub(upper, lower));
  }
  f_store(channel->last + i, row.value);
}

/* The arrays of an edge row, `pitch` floats each: value and tilts of its edges, and with slopes
 * those of their derivatives along x and w. */
enum { EDGE_X = EDGE_ARRAYS, EDGE_W = 2 * EDGE_ARRAYS };

PERLANE_INLINE void edge_store(float *edges, size_t pitch, struct edge row) {
  f_store(edges, row.value);
  f_store(edges + pitch, row.y);
  f_store(edges + 2 * pitch, row.z);
}

PERLANE_INLINE struct edge edge_load(const float *edges, size_t pitch) {
  return (struct edge){
      .value = f_load(edges), .y = f_load(edges + pitch), .z = f_load(edges + 2 * pitch)};
}

/* An edge row to evaluate: its words, and the slot and index in it where it is stored. In 2D it is
 * a lattice row: `which` is that of its tilt, and z and the slot are not used. */
struct new_row {
  uint32_t y, z;
  size_t slot;
  unsigned which;
  enum order order;
};

/* Evaluates a new row at columns begin .. end - 1. Whatever the loop reads is copied to locals
 * first, because the compiler must assume that the loop's stores change anything in memory. */
PERLANE_INLINE void edge_columns(struct corner_kind kind, const struct lattice_fill *fill, size_t k,
                                 const struct new_row *row, const struct spread *spread,
                                 size_t begin, size_t end) {
  const struct axis_arrays columns = columns_of(fill, k);
  struct lattice lattice; /* edge_row_at reads only the tables */
  lattice.tables = fill->strip.lattice.tables;
  struct axis_lanes w;
  if (kind.dims == 4)
    w = lanes_of(&fill->strip.w[k]);
  const vi y = i_set(row->y), z = i_set(kind.dims == 2 ? 0 : row->z);
  const enum order order = row->order;
  const size_t pitch = fill->plan.pitch;
  float *out = kind.dims == 2 ? NULL : edge_array(fill, row->slot, row->which);
  struct channel_arrays value, x_slope;
  if (kind.dims == 2)
    value = channel_arrays(fill, k, CHANNEL_VALUE, row->which);
  if (kind.dims == 2 && kind.slopes)
    x_slope = channel_arrays(fill, k, CHANNEL_X, row->which);
  for (size_t i = begin; i < end; i += LANES) {
    const struct axis_lanes x = axis_load(kind.slopes, &columns, i);
    struct edge_row edges;
    if (spread) {
      const struct ends ends = spread_ends(kind.source, kind.dims, spread, 0, i - begin);
      struct ends upper;
      if (kind.dims == 4)
        upper = spread_ends(kind.source, kind.dims, spread, 1, i - begin);
      edges = edge_row_of(kind, &ends, &upper, &x, &w);
    } else {
      edges = edge_row_at(kind, &lattice, &x, y, z, &w);
    }
    if (kind.dims == 2) {
      lattice_row_store(&value, i, edges.value, order);
      if (kind.slopes)
        lattice_row_store(&x_slope, i, edges.x, order);
      continue;
    }
    edge_store(out + i, pitch, edges.value);
    if (kind.slopes)
      edge_store(out + EDGE_X * pitch + i, pitch, edges.x);
    if (kind.slopes && kind.dims == 4)
      edge_store(out + EDGE_W * pitch + i, pitch, edges.w);
  }
}

/* Evaluates a new row at all columns, where corners are spread: looking them up takes so long that
 * the dimensions and slopes need not be constant. */
static PERLANE_NOINLINE void spread_edge_columns(struct corner_kind kind, struct lattice_fill *fill,
                                                 size_t k, const struct new_row *wanted) {
  const struct axis_arrays columns = columns_of(fill, k);
  const uint32_t w_words[2] = {kind.dims == 4 ? fill->strip.w[k].word : 0,
                               kind.dims == 4 ? fill->strip.w[k].next : 0};
  const struct runs *runs = &fill->strip.octave[k].runs;
  const int components = components_of(kind.source, kind.dims);
  begin_octave(&fill->strip.lattice, &fill->space.field->octave[k], kind.dims);
  struct lattice_points points;
  struct spread spread;
  spread_in(fill->strip.spread_memory, &spread, &points);
  spread.columns = spread_columns(kind.source, kind.dims);
  size_t r0 = 0;
  for (size_t begin = 0; begin < fill->space.sink.strips.columns; begin += spread.columns) {
    const size_t left = fill->space.sink.strips.columns - begin,
                 n = left < spread.columns ? left : spread.columns;
    while (runs->start[r0 + 1] <= begin)
      r0++;
    size_t r1 = r0 + 1;
    while (r1 < runs->count && runs->start[r1] < begin + n)
      r1++;
    collect_points(&points, runs, r0, r1, &columns);
    for (int row = 0; row < spread_edge_rows(kind.dims); row++) {
      evaluate_lattice_points(kind.source, kind.dims, &fill->strip.lattice, &points,
                              i_set(wanted->y), i_set(kind.dims == 2 ? 0 : wanted->z),
                              i_set(w_words[row]));
      spread_points(&spread, components, row, &points, runs, r0, r1, begin, n);
    }
    edge_columns(kind, fill, k, wanted, &spread, begin, begin + n);
  }
}

#define QUICK_ROW(name, dims, slopes)                                                              \
  static PERLANE_NOINLINE void name(const struct lattice_fill *fill, size_t k,                     \
                                    const struct new_row *row) {                                   \
    edge_columns((struct corner_kind){SOURCE_QUICK, dims, slopes}, fill, k, row, NULL, 0,          \
                 fill->space.sink.strips.columns);                                                 \
  }
QUICK_ROW(quick_row_2d, 2, 0)
QUICK_ROW(quick_row_3d, 3, 0)
QUICK_ROW(quick_row_4d, 4, 0)
QUICK_ROW(quick_row_slopes_2d, 2, 1)
QUICK_ROW(quick_row_slopes_3d, 3, 1)
QUICK_ROW(quick_row_slopes_4d, 4, 1)
#undef QUICK_ROW

static void evaluate_edge_row(struct lattice_fill *fill, size_t k, const struct new_row *row) {
  if (fill->strip.lattice.source != SOURCE_QUICK)
    spread_edge_columns(
        (struct corner_kind){fill->strip.lattice.source, fill->space.grid->dims, fill->plan.slopes},
        fill, k, row);
  else if (fill->space.grid->dims == 2)
    (fill->plan.slopes ? quick_row_slopes_2d : quick_row_2d)(fill, k, row);
  else if (fill->space.grid->dims == 3)
    (fill->plan.slopes ? quick_row_slopes_3d : quick_row_3d)(fill, k, row);
  else
    (fill->plan.slopes ? quick_row_slopes_4d : quick_row_4d)(fill, k, row);
}

/* ---- Lattice rows ---- */

/* Finds or evaluates the edge rows of the plane's next lattice row, at z's lower and upper corner.
 * Returns their slot, and in `which` their indices in it. */
static size_t find_edge_rows(struct lattice_fill *fill, size_t k, uint32_t y_word,
                             const struct axis_scalars *z, unsigned which[2]) {
  struct strip_octave *octave = &fill->strip.octave[k];
  const size_t n = octave->next_lattice_row++;
  const size_t s = n < octave->slots ? octave->slot + n : fill->plan.slots;
  const uint32_t words[2] = {z->word, z->next};
  struct slot *slot = &fill->strip.slot[s];
  if (slot->y_word != y_word || n >= octave->slots)
    slot->valid[0] = slot->valid[1] = 0;
  slot->y_word = y_word;
  int kept = 0; /* mask of the rows that are needed */
  for (unsigned j = 0; j < 2; j++)
    for (int corner = 0; corner < 2; corner++)
      if (slot->valid[j] && slot->word[j] == words[corner])
        kept |= 1 << j;
  for (int corner = 0; corner < 2; corner++) {
    unsigned j = 0;
    while (j < 2 && !(slot->valid[j] && slot->word[j] == words[corner]))
      j++;
    if (j == 2) {
      j = kept & 1;
      const struct new_row row = {y_word, words[corner], s, j, ALONE};
      evaluate_edge_row(fill, k, &row);
      slot->valid[j] = 1;
      slot->word[j] = words[corner];
      kept |= 1 << j;
    }
    which[corner] = j;
  }
  return s;
}

PERLANE_INLINE struct edge_row edge_row_load(struct corner_kind kind, const float *arrays,
                                             size_t pitch) {
  struct edge_row edges;
  edges.value = edge_load(arrays, pitch);
  if (kind.slopes)
    edges.x = edge_load(arrays + EDGE_X * pitch, pitch);
  if (kind.slopes && kind.dims == 4)
    edges.w = edge_load(arrays + EDGE_W * pitch, pitch);
  return edges;
}

/* Folds a lattice row from its two edge rows. */
PERLANE_INLINE void fold_columns(struct corner_kind kind, const struct lattice_fill *fill, size_t k,
                                 const float *lower, const float *upper,
                                 const struct axis_scalars *z_scalars, unsigned which,
                                 enum order order) {
  const struct axis_lanes z = lanes_of(z_scalars);
  const size_t n = fill->space.sink.strips.columns, pitch = fill->plan.pitch;
  struct channel_arrays channels[PERLANE_MAX_DIMS];
  for (int channel = 0; channel < (kind.slopes ? kind.dims : 1); channel++)
    channels[channel] = channel_arrays(fill, k, channel, which);
  for (size_t i = 0; i < n; i += LANES) {
    const struct edge_row e0 = edge_row_load(kind, lower + i, pitch);
    const struct edge_row e1 = edge_row_load(kind, upper + i, pitch);
    const struct lattice_row rows = fold_edge_rows(kind, &e0, &e1, &z);
    lattice_row_store(&channels[CHANNEL_VALUE], i, rows.value, order);
    if (kind.slopes) {
      lattice_row_store(&channels[CHANNEL_X], i, rows.x, order);
      lattice_row_store(&channels[CHANNEL_Z], i, rows.z, order);
      if (kind.dims == 4)
        lattice_row_store(&channels[CHANNEL_W], i, rows.w, order);
    }
  }
}

#define FOLDED_ROW(name, dims, slopes)                                                             \
  static PERLANE_NOINLINE void name(const struct lattice_fill *fill, size_t k, const float *lower, \
                                    const float *upper, const struct axis_scalars *z,              \
                                    unsigned which, enum order order) {                            \
    fold_columns((struct corner_kind){SOURCE_QUICK, dims, slopes}, fill, k, lower, upper, z,       \
                 which, order);                                                                    \
  }
FOLDED_ROW(folded_row, 3, 0) /* in 4D, too, where edge rows are folded along w already */
FOLDED_ROW(folded_row_slopes_3d, 3, 1)
FOLDED_ROW(folded_row_slopes_4d, 4, 1)
#undef FOLDED_ROW

static void evaluate_lattice_row(struct lattice_fill *fill, size_t k, uint32_t y,
                                 const struct axis_scalars *z, unsigned which, enum order order) {
  if (fill->space.grid->dims == 2) {
    const struct new_row row = {y, 0, 0, which, order};
    evaluate_edge_row(fill, k, &row);
    return;
  }
  unsigned edges[2];
  const size_t slot = find_edge_rows(fill, k, y, z, edges);
  const float *lower = edge_array(fill, slot, edges[0]);
  const float *upper = edge_array(fill, slot, edges[1]);
  if (!fill->plan.slopes)
    folded_row(fill, k, lower, upper, z, which, order);
  else if (fill->space.grid->dims == 3)
    folded_row_slopes_3d(fill, k, lower, upper, z, which, order);
  else
    folded_row_slopes_4d(fill, k, lower, upper, z, which, order);
}

/* The cell row of a cell that has one value: both lattice rows are the last one. */
static void repeat_last_row(const struct lattice_fill *fill, size_t k) {
  for (int channel = 0; channel < fill->plan.channels; channel++) {
    const struct channel_arrays row = channel_arrays(fill, k, channel, 0);
    memcpy(row.middle, row.last, fill->plan.pitch * sizeof(float));
    memset(row.rise, 0, fill->plan.pitch * sizeof(float));
  }
}

/* Evaluates what is missing of the two lattice rows at these words. */
static void begin_cell_row(struct lattice_fill *fill, size_t k, uint32_t lower, uint32_t upper,
                           const struct axis_scalars *z) {
  struct row_pair *pair = &fill->strip.octave[k].rows;
  if (!pair->known || (pair->last_word != lower && pair->last_word != upper)) {
    /* First the row that the next cell row does not share. */
    pair->last_word = fill->space.grid->step[1] < 0 ? upper : lower;
    pair->last = 0;
    evaluate_lattice_row(fill, k, pair->last_word, z, 0, ALONE);
  }
  pair->lower = pair->upper = pair->last;
  if (lower == upper) {
    repeat_last_row(fill, k);
  } else {
    const int above = pair->last_word == lower;
    pair->last = 1 - pair->last;
    pair->last_word = above ? upper : lower;
    evaluate_lattice_row(fill, k, pair->last_word, z, pair->last, above ? ABOVE_LAST : BELOW_LAST);
    if (above)
      pair->upper = pair->last;
    else
      pair->lower = pair->last;
  }
  pair->lower_word = lower;
  pair->upper_word = upper;
  pair->known = 1;
}

/* Begins another plane, which has other lattice rows. */
static void begin_plane(struct lattice_fill *fill) {
  for (int k = 0; k < fill->space.field->octaves; k++) {
    fill->strip.octave[k].rows.known = 0;
    fill->strip.octave[k].next_lattice_row = 0;
  }
}

/* Begins another strip, or another w, which has other edge rows, too. */
static void begin_volume(struct lattice_fill *fill) {
  begin_plane(fill);
  for (size_t s = 0; s <= fill->plan.slots; s++) {
    fill->strip.slot[s].valid[0] = fill->strip.slot[s].valid[1] = 0;
    fill->strip.slot[s].y_word = 0;
  }
}

#endif
