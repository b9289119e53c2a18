/* SPDX-License-Identifier: MIT
 *
 * Lattice rows: everything but the y fade, folded along z and w, at each column of a strip. They
 * are evaluated once for each row of cells, and the next row of cells has one of them in common. In
 * 3D and 4D they are folded from edges, which the planes of a layer of cells have in common.
 */
#ifndef PERLANE_NOISE_LATTICE_ROWS_H
#define PERLANE_NOISE_LATTICE_ROWS_H

#include "strip.h"

/* ---- Pairs ---- */

/* Where the two things of these words are, or are to be: those missing have to be evaluated. */
struct places {
  unsigned lower, upper;
  int lower_missing, upper_missing;
};

PERLANE_INLINE unsigned pair_holding(const struct pair *pair, uint32_t word) {
  return pair->held[0] && pair->word[0] == word   ? 0
         : pair->held[1] && pair->word[1] == word ? 1
                                                  : 2;
}

/* Where a cell has but one value, both words are the same. */
static struct places pair_take(struct pair *pair, uint32_t lower_word, uint32_t upper_word) {
  struct places at = {pair_holding(pair, lower_word), pair_holding(pair, upper_word), 0, 0};
  if (at.lower == 2) {
    at.lower = at.upper == 0 ? 1 : 0;
    at.lower_missing = 1;
    pair->held[at.lower] = 1;
    pair->word[at.lower] = lower_word;
  }
  if (upper_word == lower_word) {
    at.upper = at.lower;
  } else if (at.upper == 2) {
    at.upper = 1 - at.lower;
    at.upper_missing = 1;
    pair->held[at.upper] = 1;
    pair->word[at.upper] = upper_word;
  }
  return at;
}

PERLANE_INLINE void pair_drop(struct pair *pair) {
  pair->held[0] = pair->held[1] = 0;
}

/* ---- Edges ---- */

/* Where a row of edges, or a lattice row, goes: values and tilts. */
struct row_arrays {
  float *value, *y, *z;
};

/* What becomes of an upper lattice row's values at once: with those of the lower one, their middle
 * and rise. lower is NULL for nothing. */
struct meeting {
  const float *lower;
  float *middle, *rise;
};

PERLANE_INLINE void meet(const struct meeting *meeting, size_t i, vf upper) {
  const vf lower = f_load(meeting->lower + i);
  f_store(meeting->middle + i, middle(lower, upper));
  f_store(meeting->rise + i, f_sub(upper, lower));
}

/* The same of the derivatives. */
struct edges_arrays {
  struct row_arrays value, x, w;
  struct meeting meeting; /* of a lattice row */
};

/* In 2D a row of edges is a lattice row. */
PERLANE_INLINE struct edges_arrays lattice_row_2d(const struct fill *fill, size_t k,
                                                  unsigned which) {
  struct edges_arrays to = {
      .value = {family_array(fill, k, FAMILY_VALUE, VALUE + which),
                family_array(fill, k, FAMILY_VALUE, TILT + which), NULL},
  };
  if (fill->slopes) {
    to.x.value = family_array(fill, k, FAMILY_X, VALUE + which);
    to.x.y = family_array(fill, k, FAMILY_X, TILT + which);
  }
  return to;
}

PERLANE_INLINE struct row_arrays row_arrays_in(float *memory, size_t pitch) {
  return (struct row_arrays){memory, memory + pitch, memory + 2 * pitch};
}

PERLANE_INLINE struct edges_arrays edges_in_slot(const struct fill *fill, size_t slot,
                                                 unsigned which) {
  float *memory = edge_array(fill, slot, which);
  const size_t each = EDGE_ARRAYS * fill->pitch;
  struct edges_arrays to = {.value = row_arrays_in(memory, fill->pitch)};
  if (fill->slopes) {
    to.x = row_arrays_in(memory + each, fill->pitch);
    if (fill->dims == 4)
      to.w = row_arrays_in(memory + 2 * each, fill->pitch);
  }
  return to;
}

PERLANE_INLINE void row_store(int dims, const struct row_arrays *to, size_t i, struct row row) {
  f_store(to->value + i, row.value);
  f_store(to->y + i, row.y);
  if (dims >= 3)
    f_store(to->z + i, row.z);
}

PERLANE_INLINE struct row row_load(const struct row_arrays *from, size_t i) {
  return (struct row){
      .value = f_load(from->value + i), .y = f_load(from->y + i), .z = f_load(from->z + i)};
}

/* Evaluates the edges of columns begin .. end - 1. What the loop reads is copied first: the
 * compiler must assume that the stores change anything that is in memory. */
PERLANE_INLINE void edge_columns(struct kind kind, const struct fill *fill, size_t k,
                                 uint32_t y_word, uint32_t z_word,
                                 const struct edges_arrays *arrays, const struct spread *spread,
                                 size_t begin, size_t end) {
  const struct axis_arrays columns = columns_of(fill, k);
  struct lattice lattice; /* of which a quick row takes the tables, and a spread row nothing */
  lattice.tables = fill->lattice.tables;
  const struct axis_lanes w = lanes_of(&fill->w[k]);
  const vi y = i_set(y_word), z = i_set(z_word);
  const struct edges_arrays to = *arrays;
  for (size_t i = begin; i < end; i += LANES) {
    const struct axis_lanes x = axis_load(kind.slopes, &columns, i);
    const struct edges edges = lattice_edges(kind, &lattice, &x, y, z, &w, spread, i - begin);
    row_store(kind.dims, &to.value, i, edges.value);
    if (kind.dims == 2 && to.meeting.lower)
      meet(&to.meeting, i, edges.value.value);
    if (kind.slopes) {
      row_store(kind.dims, &to.x, i, edges.x);
      if (kind.dims == 4)
        row_store(kind.dims, &to.w, i, edges.w);
    }
  }
}

/* The same of all columns where corners take long to find. */
PERLANE_INLINE void spread_edge_columns(struct kind kind, const struct fill *fill, size_t k,
                                        uint32_t y_word, uint32_t z_word,
                                        const struct edges_arrays *to) {
  const struct axis_arrays columns = columns_of(fill, k);
  const struct axis_scalars *w = &fill->w[k];
  const struct runs *runs = &fill->octave[k].runs;
  const int components = components_of(kind.source, kind.dims);
  struct lattice lattice = fill->lattice;
  enter_octave(&lattice, &fill->noise->octave[k], kind.dims);
  struct points_under points;
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
    for (int row = 0; row < spread_rows(kind.dims); row++) {
      evaluate_points_under(kind.source, kind.dims, &lattice, &points, i_set(y_word), i_set(z_word),
                            i_set(row ? w->next : w->word));
      spread_points(&spread, components, row, &points, runs, r0, r1, begin, n);
    }
    edge_columns(kind, fill, k, y_word, z_word, to, &spread, begin, begin + n);
  }
}

PERLANE_INLINE void evaluate_edges_of(enum source source, int dims, const struct fill *fill,
                                      size_t k, uint32_t y, uint32_t z,
                                      const struct edges_arrays *to) {
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

PERLANE_INLINE void evaluate_edges_in(enum source source, const struct fill *fill, size_t k,
                                      uint32_t y, uint32_t z, const struct edges_arrays *to) {
  if (fill->dims == 2)
    evaluate_edges_of(source, 2, fill, k, y, z, to);
  else if (fill->dims == 3)
    evaluate_edges_of(source, 3, fill, k, y, z, to);
  else
    evaluate_edges_of(source, 4, fill, k, y, z, to);
}

/* Apart, as its frame is large. */
static PERLANE_NOINLINE void evaluate_spread_edges(const struct fill *fill, size_t k, uint32_t y,
                                                   uint32_t z, const struct edges_arrays *to) {
  if (fill->lattice.source == SOURCE_LOOKUP)
    evaluate_edges_in(SOURCE_LOOKUP, fill, k, y, z, to);
  else
    evaluate_edges_in(SOURCE_VALUES, fill, k, y, z, to);
}

/* z is not looked at in 2D. */
static void evaluate_edges(const struct fill *fill, size_t k, uint32_t y, uint32_t z,
                           const struct edges_arrays *to) {
  if (fill->lattice.source == SOURCE_QUICK)
    evaluate_edges_in(SOURCE_QUICK, fill, k, y, z, to);
  else
    evaluate_spread_edges(fill, k, y, z, to);
}

/* ---- Lattice rows ---- */

/* Finds or evaluates the edges of the plane's next lattice row: their slot, and which of its two
 * are those of z's lower and upper corner. */
static struct places take_edges(struct fill *fill, size_t k, uint32_t y_word,
                                const struct axis_scalars *z, size_t *which_slot) {
  struct strip_octave *octave = &fill->octave[k];
  const size_t n = octave->row_of_plane++;
  const size_t s = n < octave->slots ? octave->slot + n : fill->slots;
  struct slot *slot = &fill->slot[s];
  if (slot->y_word != y_word || n >= octave->slots)
    pair_drop(&slot->edges);
  slot->y_word = y_word;
  const struct places at = pair_take(&slot->edges, z->word, z->next);
  if (at.lower_missing) {
    const struct edges_arrays to = edges_in_slot(fill, s, at.lower);
    evaluate_edges(fill, k, y_word, z->word, &to);
  }
  if (at.upper_missing) {
    const struct edges_arrays to = edges_in_slot(fill, s, at.upper);
    evaluate_edges(fill, k, y_word, z->next, &to);
  }
  *which_slot = s;
  return at;
}

PERLANE_INLINE struct edges edges_load(struct kind kind, const struct edges_arrays *from,
                                       size_t i) {
  struct edges edges;
  edges.value = row_load(&from->value, i);
  if (kind.slopes) {
    edges.x = row_load(&from->x, i);
    if (kind.dims == 4)
      edges.w = row_load(&from->w, i);
  }
  return edges;
}

/* A lattice row from its edges. */
PERLANE_INLINE void fold_columns(struct kind kind, const struct fill *fill, size_t k,
                                 const struct edges_arrays *lower_edges,
                                 const struct edges_arrays *upper_edges,
                                 const struct axis_scalars *z_scalars, unsigned which,
                                 const struct meeting *meets) {
  const struct edges_arrays lower = *lower_edges, upper = *upper_edges;
  const struct meeting meeting = *meets;
  const struct axis_lanes z = lanes_of(z_scalars);
  const size_t n = fill->columns, pitch = fill->pitch;
  float *value = family_array(fill, k, FAMILY_VALUE, VALUE + which);
  const size_t tilt = (TILT - VALUE) * pitch, family = FAMILY_ARRAYS * pitch;
  for (size_t i = 0; i < n; i += LANES) {
    const struct edges e0 = edges_load(kind, &lower, i), e1 = edges_load(kind, &upper, i);
    const struct rows rows = fold_edges(kind, &e0, &e1, &z);
    f_store(value + i, rows.value.value);
    f_store(value + tilt + i, rows.value.y);
    if (meeting.lower)
      meet(&meeting, i, rows.value.value);
    if (kind.slopes) {
      f_store(value + FAMILY_X * family + i, rows.x.value);
      f_store(value + FAMILY_X * family + tilt + i, rows.x.y);
      f_store(value + FAMILY_Z * family + i, rows.z.value);
      f_store(value + FAMILY_Z * family + tilt + i, rows.z.y);
      if (kind.dims == 4) {
        f_store(value + FAMILY_W * family + i, rows.w.value);
        f_store(value + FAMILY_W * family + tilt + i, rows.w.y);
      }
    }
  }
}

static void evaluate_row(struct fill *fill, size_t k, uint32_t y, const struct axis_scalars *z,
                         unsigned which, const struct meeting *meeting) {
  if (fill->dims == 2) {
    struct edges_arrays to = lattice_row_2d(fill, k, which);
    to.meeting = *meeting;
    evaluate_edges(fill, k, y, y, &to);
    return;
  }
  size_t slot;
  const struct places at = take_edges(fill, k, y, z, &slot);
  const struct edges_arrays lower = edges_in_slot(fill, slot, at.lower);
  const struct edges_arrays upper = edges_in_slot(fill, slot, at.upper);
#define FOLD(dims, slopes)                                                                         \
  fold_columns((struct kind){SOURCE_QUICK, dims, slopes}, fill, k, &lower, &upper, z, which,       \
               meeting)
  if (!fill->slopes)
    FOLD(3, 0); /* a fourth dimension has been folded already */
  else if (fill->dims == 3)
    FOLD(3, 1);
  else
    FOLD(4, 1);
#undef FOLD
}

/* The middle and the rise of a family's two rows. */
static void meet_rows(const struct fill *fill, size_t k, int family, unsigned lower,
                      unsigned upper) {
  const struct meeting meeting = {family_array(fill, k, family, VALUE + lower),
                                  family_array(fill, k, family, MIDDLE),
                                  family_array(fill, k, family, RISE)};
  const float *upper_value = family_array(fill, k, family, VALUE + upper);
  const size_t n = fill->columns;
  for (size_t i = 0; i < n; i += LANES)
    meet(&meeting, i, f_load(upper_value + i));
}

/* Brings the two lattice rows around row r of the row table up to date: rows of cells that are
 * neighbours, upwards or downwards, have one in common. */
static void enter_cell_row(struct fill *fill, size_t k, const struct axis_arrays *rows, size_t r,
                           const struct axis_scalars *z) {
  struct strip_octave *octave = &fill->octave[k];
  const uint32_t lower_word = rows->word[r], upper_word = rows->next[r];
  const struct pair *pair = &octave->rows;
  if (pair->held[octave->lower] && pair->word[octave->lower] == lower_word &&
      pair->held[octave->upper] && pair->word[octave->upper] == upper_word)
    return;
  const struct places at = pair_take(&octave->rows, lower_word, upper_word);
  const struct meeting none = {NULL, NULL, NULL};
  const struct meeting meeting = {family_array(fill, k, FAMILY_VALUE, VALUE + at.lower),
                                  family_array(fill, k, FAMILY_VALUE, MIDDLE),
                                  family_array(fill, k, FAMILY_VALUE, RISE)};
  if (at.lower_missing)
    evaluate_row(fill, k, lower_word, z, at.lower, &none);
  if (at.upper_missing)
    evaluate_row(fill, k, upper_word, z, at.upper, &meeting);
  else
    meet_rows(fill, k, FAMILY_VALUE, at.lower, at.upper);
  for (int family = 1; family < fill->families; family++)
    meet_rows(fill, k, family, at.lower, at.upper);
  octave->lower = at.lower;
  octave->upper = at.upper;
}

/* Forgets the lattice rows: another plane's are to come. */
static void enter_plane(struct fill *fill) {
  for (int k = 0; k < fill->octaves; k++) {
    pair_drop(&fill->octave[k].rows);
    fill->octave[k].row_of_plane = 0;
  }
}

/* Forgets the edges too: those at another w, or of another strip, are to come. */
static void enter_volume(struct fill *fill) {
  enter_plane(fill);
  for (size_t s = 0; s <= fill->slots; s++) {
    pair_drop(&fill->slot[s].edges);
    fill->slot[s].y_word = 0;
  }
}

#endif
