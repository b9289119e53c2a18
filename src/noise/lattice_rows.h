/* SPDX-License-Identifier: MIT
 *
 * Lattice rows at each column of a strip. They are evaluated once for each cell row, and the next
 * cell row shares one of them. In 3D and 4D they are folded from edge rows, which the planes of a
 * layer of cells share.
 */
#ifndef PERLANE_NOISE_LATTICE_ROWS_H
#define PERLANE_NOISE_LATTICE_ROWS_H

#include "strip.h"

/* ---- Cached rows ---- */

/* Indices of the two cached rows for a pair of hash words. Those missing have yet to be
 * evaluated. */
struct row_indices {
  unsigned lower, upper;
  int lower_missing, upper_missing;
};

/* Returns the index of the row of that word, or 2. */
PERLANE_INLINE unsigned cache_find(const struct row_cache *cache, uint32_t word) {
  return cache->valid[0] && cache->word[0] == word   ? 0
         : cache->valid[1] && cache->word[1] == word ? 1
                                                     : 2;
}

/* Finds both rows or, where they are missing, overwrites rows of other words. The words are the
 * same where a cell has one value. */
static struct row_indices cache_reserve(struct row_cache *cache, uint32_t lower_word,
                                        uint32_t upper_word) {
  struct row_indices index = {cache_find(cache, lower_word), cache_find(cache, upper_word), 0, 0};
  if (index.lower == 2) {
    index.lower = index.upper == 0 ? 1 : 0;
    index.lower_missing = 1;
    cache->valid[index.lower] = 1;
    cache->word[index.lower] = lower_word;
  }
  if (upper_word == lower_word) {
    index.upper = index.lower;
  } else if (index.upper == 2) {
    index.upper = 1 - index.lower;
    index.upper_missing = 1;
    cache->valid[index.upper] = 1;
    cache->word[index.upper] = upper_word;
  }
  return index;
}

PERLANE_INLINE void cache_clear(struct row_cache *cache) {
  cache->valid[0] = cache->valid[1] = 0;
}

/* ---- Edges ---- */

/* Where edges of a row are stored: values and tilts. */
struct edge_arrays {
  float *value, *y, *z;
};

/* Where the mean of two lattice rows' values and their difference are stored, while the upper ones
 * are at hand. lower is NULL to store neither. */
struct middle_rise {
  const float *lower;
  float *middle, *rise;
};

PERLANE_INLINE void store_middle_rise(const struct middle_rise *to, size_t i, vf upper) {
  const vf lower = f_load(to->lower + i);
  f_store(to->middle + i, middle(lower, upper));
  f_store(to->rise + i, f_sub(upper, lower));
}

/* Where an edge row is stored, and its derivatives along x and w. */
struct edge_row_arrays {
  struct edge_arrays value, x, w;
  struct middle_rise middle_rise; /* 2D only */
};

/* In 2D an edge row is a lattice row. */
PERLANE_INLINE struct edge_row_arrays lattice_row_2d(const struct fill *fill, size_t k,
                                                     unsigned which) {
  struct edge_row_arrays to = {
      .value = {channel_array(fill, k, CHANNEL_VALUE, VALUE + which),
                channel_array(fill, k, CHANNEL_VALUE, TILT + which), NULL},
  };
  if (fill->slopes) {
    to.x.value = channel_array(fill, k, CHANNEL_X, VALUE + which);
    to.x.y = channel_array(fill, k, CHANNEL_X, TILT + which);
  }
  return to;
}

PERLANE_INLINE struct edge_arrays edge_arrays_in(float *memory, size_t pitch) {
  return (struct edge_arrays){memory, memory + pitch, memory + 2 * pitch};
}

PERLANE_INLINE struct edge_row_arrays edge_row_in_slot(const struct fill *fill, size_t slot,
                                                       unsigned which) {
  float *memory = edge_array(fill, slot, which);
  const size_t each = EDGE_ARRAYS * fill->pitch;
  struct edge_row_arrays to = {.value = edge_arrays_in(memory, fill->pitch)};
  if (fill->slopes) {
    to.x = edge_arrays_in(memory + each, fill->pitch);
    if (fill->dims == 4)
      to.w = edge_arrays_in(memory + 2 * each, fill->pitch);
  }
  return to;
}

PERLANE_INLINE void edge_store(int dims, const struct edge_arrays *to, size_t i, struct edge row) {
  f_store(to->value + i, row.value);
  f_store(to->y + i, row.y);
  if (dims >= 3)
    f_store(to->z + i, row.z);
}

PERLANE_INLINE struct edge edge_load(const struct edge_arrays *from, size_t i) {
  return (struct edge){
      .value = f_load(from->value + i), .y = f_load(from->y + i), .z = f_load(from->z + i)};
}

/* Evaluates an edge row at columns begin .. end - 1. Whatever the loop reads is copied to locals
 * first, because the compiler must assume that the loop's stores change anything in memory. */
PERLANE_INLINE void edge_columns(struct kind kind, const struct fill *fill, size_t k,
                                 uint32_t y_word, uint32_t z_word,
                                 const struct edge_row_arrays *arrays, const struct spread *spread,
                                 size_t begin, size_t end) {
  const struct axis_arrays columns = columns_of(fill, k);
  struct lattice lattice; /* edge_row_at reads only the tables, or nothing if spread */
  lattice.tables = fill->lattice.tables;
  const struct axis_lanes w = lanes_of(&fill->w[k]);
  const vi y = i_set(y_word), z = i_set(z_word);
  const struct edge_row_arrays to = *arrays;
  for (size_t i = begin; i < end; i += LANES) {
    const struct axis_lanes x = axis_load(kind.slopes, &columns, i);
    const struct edge_row edges = edge_row_at(kind, &lattice, &x, y, z, &w, spread, i - begin);
    edge_store(kind.dims, &to.value, i, edges.value);
    if (kind.dims == 2 && to.middle_rise.lower)
      store_middle_rise(&to.middle_rise, i, edges.value.value);
    if (kind.slopes) {
      edge_store(kind.dims, &to.x, i, edges.x);
      if (kind.dims == 4)
        edge_store(kind.dims, &to.w, i, edges.w);
    }
  }
}

/* The same for all columns, where corners are spread. */
PERLANE_INLINE void spread_edge_columns(struct kind kind, const struct fill *fill, size_t k,
                                        uint32_t y_word, uint32_t z_word,
                                        const struct edge_row_arrays *to) {
  const struct axis_arrays columns = columns_of(fill, k);
  const struct axis_scalars *w = &fill->w[k];
  const struct runs *runs = &fill->octave[k].runs;
  const int components = components_of(kind.source, kind.dims);
  struct lattice lattice = fill->lattice;
  enter_octave(&lattice, &fill->noise->octave[k], kind.dims);
  struct lattice_points points;
  struct spread spread;
  spread.columns = spread_columns(kind.source, kind.dims);
  size_t r0 = 0;
  for (size_t begin = 0; begin < fill->columns; begin += spread.columns) {
    const size_t left = fill->columns - begin, n = left < spread.columns ? left : spread.columns;
    while (runs->start[r0 + 1] <= begin)
      r0++;
    size_t r1 = r0 + 1;
    while (r1 < runs->count && runs->start[r1] < begin + n)
      r1++;
    collect_points(&points, runs, r0, r1, &columns);
    for (int row = 0; row < spread_edge_rows(kind.dims); row++) {
      evaluate_lattice_points(kind.source, kind.dims, &lattice, &points, i_set(y_word),
                              i_set(z_word), i_set(row ? w->next : w->word));
      spread_points(&spread, components, row, &points, runs, r0, r1, begin, n);
    }
    edge_columns(kind, fill, k, y_word, z_word, to, &spread, begin, begin + n);
  }
}

PERLANE_INLINE void evaluate_edge_row_of(enum source source, int dims, const struct fill *fill,
                                         size_t k, uint32_t y, uint32_t z,
                                         const struct edge_row_arrays *to) {
  const struct kind plain = {source, dims, 0}, sloped = {source, dims, 1};
  if (source == SOURCE_QUICK && fill->slopes)
    edge_columns(sloped, fill, k, y, z, to, NULL, 0, fill->columns);
  else if (source == SOURCE_QUICK)
    edge_columns(plain, fill, k, y, z, to, NULL, 0, fill->columns);
  else if (fill->slopes)
    spread_edge_columns(sloped, fill, k, y, z, to);
  else
    spread_edge_columns(plain, fill, k, y, z, to);
}

PERLANE_INLINE void evaluate_edge_row_in(enum source source, const struct fill *fill, size_t k,
                                         uint32_t y, uint32_t z, const struct edge_row_arrays *to) {
  if (fill->dims == 2)
    evaluate_edge_row_of(source, 2, fill, k, y, z, to);
  else if (fill->dims == 3)
    evaluate_edge_row_of(source, 3, fill, k, y, z, to);
  else
    evaluate_edge_row_of(source, 4, fill, k, y, z, to);
}

/* Not inlined: its frame is large. */
static PERLANE_NOINLINE void evaluate_spread_edge_row(const struct fill *fill, size_t k, uint32_t y,
                                                      uint32_t z,
                                                      const struct edge_row_arrays *to) {
  if (fill->lattice.source == SOURCE_LOOKUP)
    evaluate_edge_row_in(SOURCE_LOOKUP, fill, k, y, z, to);
  else
    evaluate_edge_row_in(SOURCE_VALUES, fill, k, y, z, to);
}

/* z is not used in 2D. */
static void evaluate_edge_row(const struct fill *fill, size_t k, uint32_t y, uint32_t z,
                              const struct edge_row_arrays *to) {
  if (fill->lattice.source == SOURCE_QUICK)
    evaluate_edge_row_in(SOURCE_QUICK, fill, k, y, z, to);
  else
    evaluate_spread_edge_row(fill, k, y, z, to);
}

/* ---- Lattice rows ---- */

/* Finds or evaluates the edge rows of the plane's next lattice row, at z's lower and upper corner.
 * Returns their indices in *which_slot. */
static struct row_indices find_edge_rows(struct fill *fill, size_t k, uint32_t y_word,
                                         const struct axis_scalars *z, size_t *which_slot) {
  struct strip_octave *octave = &fill->octave[k];
  const size_t n = octave->next_lattice_row++;
  const size_t s = n < octave->slots ? octave->slot + n : fill->slots;
  struct slot *slot = &fill->slot[s];
  if (slot->y_word != y_word || n >= octave->slots)
    cache_clear(&slot->edge_rows);
  slot->y_word = y_word;
  const struct row_indices index = cache_reserve(&slot->edge_rows, z->word, z->next);
  if (index.lower_missing) {
    const struct edge_row_arrays to = edge_row_in_slot(fill, s, index.lower);
    evaluate_edge_row(fill, k, y_word, z->word, &to);
  }
  if (index.upper_missing) {
    const struct edge_row_arrays to = edge_row_in_slot(fill, s, index.upper);
    evaluate_edge_row(fill, k, y_word, z->next, &to);
  }
  *which_slot = s;
  return index;
}

PERLANE_INLINE struct edge_row edge_row_load(struct kind kind, const struct edge_row_arrays *from,
                                             size_t i) {
  struct edge_row edges;
  edges.value = edge_load(&from->value, i);
  if (kind.slopes) {
    edges.x = edge_load(&from->x, i);
    if (kind.dims == 4)
      edges.w = edge_load(&from->w, i);
  }
  return edges;
}

/* Folds a lattice row from its two edge rows. */
PERLANE_INLINE void fold_columns(struct kind kind, const struct fill *fill, size_t k,
                                 const struct edge_row_arrays *lower_edges,
                                 const struct edge_row_arrays *upper_edges,
                                 const struct axis_scalars *z_scalars, unsigned which,
                                 const struct middle_rise *meets) {
  const struct edge_row_arrays lower = *lower_edges, upper = *upper_edges;
  const struct middle_rise middle_rise = *meets;
  const struct axis_lanes z = lanes_of(z_scalars);
  const size_t n = fill->columns, pitch = fill->pitch;
  float *value = channel_array(fill, k, CHANNEL_VALUE, VALUE + which);
  const size_t tilt = (TILT - VALUE) * pitch, channel = CHANNEL_ARRAYS * pitch;
  for (size_t i = 0; i < n; i += LANES) {
    const struct edge_row e0 = edge_row_load(kind, &lower, i), e1 = edge_row_load(kind, &upper, i);
    const struct lattice_row rows = fold_edge_rows(kind, &e0, &e1, &z);
    f_store(value + i, rows.value.value);
    f_store(value + tilt + i, rows.value.y);
    if (middle_rise.lower)
      store_middle_rise(&middle_rise, i, rows.value.value);
    if (kind.slopes) {
      f_store(value + CHANNEL_X * channel + i, rows.x.value);
      f_store(value + CHANNEL_X * channel + tilt + i, rows.x.y);
      f_store(value + CHANNEL_Z * channel + i, rows.z.value);
      f_store(value + CHANNEL_Z * channel + tilt + i, rows.z.y);
      if (kind.dims == 4) {
        f_store(value + CHANNEL_W * channel + i, rows.w.value);
        f_store(value + CHANNEL_W * channel + tilt + i, rows.w.y);
      }
    }
  }
}

static void evaluate_lattice_row(struct fill *fill, size_t k, uint32_t y,
                                 const struct axis_scalars *z, unsigned which,
                                 const struct middle_rise *middle_rise) {
  if (fill->dims == 2) {
    struct edge_row_arrays to = lattice_row_2d(fill, k, which);
    to.middle_rise = *middle_rise;
    evaluate_edge_row(fill, k, y, y, &to);
    return;
  }
  size_t slot;
  const struct row_indices index = find_edge_rows(fill, k, y, z, &slot);
  const struct edge_row_arrays lower = edge_row_in_slot(fill, slot, index.lower);
  const struct edge_row_arrays upper = edge_row_in_slot(fill, slot, index.upper);
#define FOLD(dims, slopes)                                                                         \
  fold_columns((struct kind){SOURCE_QUICK, dims, slopes}, fill, k, &lower, &upper, z, which,       \
               middle_rise)
  if (!fill->slopes)
    FOLD(3, 0); /* edge rows are folded along w already */
  else if (fill->dims == 3)
    FOLD(3, 1);
  else
    FOLD(4, 1);
#undef FOLD
}

/* Renews middle and rise of a channel's two lattice rows. */
static void update_middle_rise(const struct fill *fill, size_t k, int channel, unsigned lower,
                               unsigned upper) {
  const struct middle_rise middle_rise = {channel_array(fill, k, channel, VALUE + lower),
                                          channel_array(fill, k, channel, MIDDLE),
                                          channel_array(fill, k, channel, RISE)};
  const float *upper_value = channel_array(fill, k, channel, VALUE + upper);
  const size_t n = fill->columns;
  for (size_t i = 0; i < n; i += LANES)
    store_middle_rise(&middle_rise, i, f_load(upper_value + i));
}

/* Evaluates what is missing of the two lattice rows around sample row r of the row table. */
static void enter_cell_row(struct fill *fill, size_t k, const struct axis_arrays *rows, size_t r,
                           const struct axis_scalars *z) {
  struct strip_octave *octave = &fill->octave[k];
  const uint32_t lower_word = rows->word[r], upper_word = rows->next[r];
  const struct row_cache *cache = &octave->lattice_rows;
  if (cache->valid[octave->lower] && cache->word[octave->lower] == lower_word &&
      cache->valid[octave->upper] && cache->word[octave->upper] == upper_word)
    return;
  const struct row_indices index = cache_reserve(&octave->lattice_rows, lower_word, upper_word);
  const struct middle_rise none = {NULL, NULL, NULL};
  const struct middle_rise middle_rise = {
      channel_array(fill, k, CHANNEL_VALUE, VALUE + index.lower),
      channel_array(fill, k, CHANNEL_VALUE, MIDDLE), channel_array(fill, k, CHANNEL_VALUE, RISE)};
  if (index.lower_missing)
    evaluate_lattice_row(fill, k, lower_word, z, index.lower, &none);
  if (index.upper_missing)
    evaluate_lattice_row(fill, k, upper_word, z, index.upper, &middle_rise);
  else
    update_middle_rise(fill, k, CHANNEL_VALUE, index.lower, index.upper);
  for (int channel = 1; channel < fill->channels; channel++)
    update_middle_rise(fill, k, channel, index.lower, index.upper);
  octave->lower = index.lower;
  octave->upper = index.upper;
}

/* Begins another plane, which has other lattice rows. */
static void enter_plane(struct fill *fill) {
  for (int k = 0; k < fill->octaves; k++) {
    cache_clear(&fill->octave[k].lattice_rows);
    fill->octave[k].next_lattice_row = 0;
  }
}

/* Begins another strip, or another w, which has other edge rows, too. */
static void enter_volume(struct fill *fill) {
  enter_plane(fill);
  for (size_t s = 0; s <= fill->slots; s++) {
    cache_clear(&fill->slot[s].edge_rows);
    fill->slot[s].y_word = 0;
  }
}

#endif
