/* SPDX-License-Identifier: MIT
 *
 * What a grid's fill keeps of a strip of columns, and the lattice rows in it: everything but the y
 * fade, evaluated once for each row of cells. Between rows of cells that are neighbours one lattice
 * row is kept.
 */

enum {
  STRIP_FLOATS = 39 * 512, /* columns, lattice rows and the tile */
  STRIP_MOST_COLUMNS = 1024,
  TILE_ROWS = 16,
  GRADIENT_TILE_ROWS = 8,
  ROW_ENTRIES = PERLANE_MAX_OCTAVES * TILE_ROWS, /* of the table of rows, for all octaves */
  TABLE_PLANES = LANES,                          /* planes whose axis pass is kept */
};
_Static_assert(TILE_ROWS % LANES == 0, "tables are filled by whole vectors");

/* The arrays of a family: a lattice row's value and tilt for the lower and the upper row of the
 * current cell row, mean of the values, and upper less lower value. */
enum { VALUE = 0, TILT = 2, MIDDLE = 4, RISE = 5, FAMILY_ARRAYS = 6 };

/* Of the values, and of their derivatives along x, z and w. */
enum { FAMILY_VALUE, FAMILY_X, FAMILY_Z, FAMILY_W };

/* What one octave keeps of a strip. */
struct strip_octave {
  float *columns;        /* the axis pass */
  float *families;       /* FAMILY_ARRAYS for each */
  struct runs runs;      /* of the columns, where corners are spread */
  int held[2];           /* whether there is a first, a second lattice row */
  uint32_t word[2];      /* their hash words along y: a row is what its word makes it */
  unsigned lower, upper; /* which of them are the current cell row's */
};

/* One position's contribution of an axis. */
struct axis_scalars {
  float centred, a0, a1, slope, b0, b1;
  uint32_t word, next;
};

struct fill {
  const perlane_noise *noise;
  const perlane_grid *grid;
  const struct perlane_output *output;
  int dims, octaves, shaped;
  int slopes, arrays, families;
  struct lattice lattice;
  int direct;   /* the last octave's samples go straight to the output */
  int finished; /* and as they are */
  int stream;
  size_t pitch;     /* columns of the strip's arrays, a multiple of every LANES */
  size_t tile_rows; /* rows of the tile */
  size_t rows_most; /* rows whose axis pass the row table holds */

  size_t x, columns; /* the strip */
  struct samples tile, layer, weights;
  struct ending ending;
  struct extremes extremes;
  struct strip_octave octave[PERLANE_MAX_OCTAVES];
  float *row_memory, *plane_memory;
  struct axis_scalars w[PERLANE_MAX_OCTAVES];
};

PERLANE_INLINE struct axis_arrays columns_of(const struct fill *fill, size_t k) {
  return axis_arrays_in(fill->octave[k].columns, fill->pitch, fill->slopes);
}

PERLANE_INLINE struct axis_arrays rows_of(const struct fill *fill, size_t k) {
  const size_t each = AXIS_FLOATS + AXIS_SLOPE_FLOATS;
  return axis_arrays_in(fill->row_memory + k * fill->rows_most * each, fill->rows_most,
                        fill->slopes);
}

PERLANE_INLINE struct axis_arrays planes_of(const struct fill *fill, size_t k) {
  const size_t each = AXIS_FLOATS + AXIS_SLOPE_FLOATS;
  return axis_arrays_in(fill->plane_memory + k * TABLE_PLANES * each, TABLE_PLANES, fill->slopes);
}

PERLANE_INLINE struct axis_lanes lanes_of(const struct axis_scalars *of) {
  return (struct axis_lanes){
      .centred = f_set(of->centred),
      .a0 = f_set(of->a0),
      .a1 = f_set(of->a1),
      .word = i_set(of->word),
      .next = i_set(of->next),
      .slope = f_set(of->slope),
      .b0 = f_set(of->b0),
      .b1 = f_set(of->b1),
  };
}

static struct axis_scalars scalars_at(const struct axis_arrays *from, size_t i, int slopes) {
  struct axis_scalars at = {.centred = from->centred[i],
                            .a0 = from->a0[i],
                            .a1 = from->a1[i],
                            .word = from->word[i],
                            .next = from->next[i]};
  if (slopes) {
    at.slope = from->slope[i];
    at.b0 = from->b0[i];
    at.b1 = from->b1[i];
  }
  return at;
}

PERLANE_INLINE float *family_array(const struct fill *fill, size_t k, int family, unsigned array) {
  return fill->octave[k].families + ((size_t)family * FAMILY_ARRAYS + array) * fill->pitch;
}

PERLANE_INLINE void store_row(const struct fill *fill, size_t k, int family, unsigned which,
                              size_t i, struct row row) {
  f_store(family_array(fill, k, family, VALUE + which) + i, row.value);
  f_store(family_array(fill, k, family, TILT + which) + i, row.y);
}

/* Evaluates a stretch of one lattice row: its value and tilt at columns begin .. end - 1. What the
 * loop reads is copied first: the compiler must assume that the stores change anything that is in
 * memory. */
PERLANE_INLINE void lattice_row_columns(struct kind kind, const struct fill *fill, size_t k,
                                        uint32_t y_word, const struct axis_scalars *z_scalars,
                                        unsigned which, const struct spread *spread, size_t begin,
                                        size_t end) {
  const struct axis_arrays columns = columns_of(fill, k);
  struct lattice lattice; /* of which a quick row takes the tables, and a spread row nothing */
  lattice.tables = fill->lattice.tables;
  const struct axis_lanes z = lanes_of(z_scalars), w = lanes_of(&fill->w[k]);
  const vi y = i_set(y_word);
  float *value = family_array(fill, k, FAMILY_VALUE, VALUE + which);
  float *tilt = family_array(fill, k, FAMILY_VALUE, TILT + which);
  for (size_t i = begin; i < end; i += LANES) {
    const struct axis_lanes x = axis_load(kind.slopes, &columns, i);
    const struct rows rows = lattice_rows(kind, &lattice, &x, y, &z, &w, spread, i - begin);
    f_store(value + i, rows.value.value);
    f_store(tilt + i, rows.value.y);
    if (kind.slopes) {
      store_row(fill, k, FAMILY_X, which, i, rows.x);
      if (kind.dims >= 3)
        store_row(fill, k, FAMILY_Z, which, i, rows.z);
      if (kind.dims >= 4)
        store_row(fill, k, FAMILY_W, which, i, rows.w);
    }
  }
}

/* The same of a whole row whose corners take long to find. */
PERLANE_INLINE void spread_row_columns(struct kind kind, const struct fill *fill, size_t k,
                                       uint32_t y_word, const struct axis_scalars *z,
                                       unsigned which, const struct lattice *lattice) {
  const struct axis_arrays columns = columns_of(fill, k);
  const struct axis_scalars *w = &fill->w[k];
  const struct runs *runs = &fill->octave[k].runs;
  const int components = components_of(kind.source, kind.dims);
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
    for (int row = 0; row < 1 << (kind.dims - 2); row++) {
      const vi z_word = i_set(row & 1 ? z->next : z->word);
      const vi w_word = i_set(row & 2 ? w->next : w->word);
      evaluate_points_under(kind.source, kind.dims, lattice, &points, i_set(y_word), z_word,
                            w_word);
      spread_points(&spread, components, row, &points, runs, r0, r1, begin, n);
    }
    lattice_row_columns(kind, fill, k, y_word, z, which, &spread, begin, begin + n);
  }
}

PERLANE_INLINE void evaluate_quick_row(int dims, const struct fill *fill, size_t k, uint32_t y,
                                       const struct axis_scalars *z, unsigned which) {
  const struct kind plain = {SOURCE_QUICK, dims, 0}, sloped = {SOURCE_QUICK, dims, 1};
  if (fill->slopes)
    lattice_row_columns(sloped, fill, k, y, z, which, NULL, 0, fill->columns);
  else
    lattice_row_columns(plain, fill, k, y, z, which, NULL, 0, fill->columns);
}

PERLANE_INLINE void evaluate_spread_row(int dims, const struct fill *fill, size_t k, uint32_t y,
                                        const struct axis_scalars *z, unsigned which) {
  struct lattice lattice = fill->lattice;
  enter_octave(&lattice, &fill->noise->octave[k], dims);
#define SPREAD(source, slopes)                                                                     \
  spread_row_columns((struct kind){source, dims, slopes}, fill, k, y, z, which, &lattice)
  if (fill->lattice.source == SOURCE_LOOKUP)
    fill->slopes ? SPREAD(SOURCE_LOOKUP, 1) : SPREAD(SOURCE_LOOKUP, 0);
  else
    fill->slopes ? SPREAD(SOURCE_VALUES, 1) : SPREAD(SOURCE_VALUES, 0);
#undef SPREAD
}

/* Apart, as its frame is large. */
static PERLANE_NOINLINE void evaluate_spread_row_in(const struct fill *fill, size_t k, uint32_t y,
                                                    const struct axis_scalars *z, unsigned which) {
  if (fill->dims == 2)
    evaluate_spread_row(2, fill, k, y, z, which);
  else if (fill->dims == 3)
    evaluate_spread_row(3, fill, k, y, z, which);
  else
    evaluate_spread_row(4, fill, k, y, z, which);
}

static void evaluate_row(const struct fill *fill, size_t k, uint32_t y,
                         const struct axis_scalars *z, unsigned which) {
  if (fill->lattice.source != SOURCE_QUICK)
    evaluate_spread_row_in(fill, k, y, z, which);
  else if (fill->dims == 2)
    evaluate_quick_row(2, fill, k, y, z, which);
  else if (fill->dims == 3)
    evaluate_quick_row(3, fill, k, y, z, which);
  else
    evaluate_quick_row(4, fill, k, y, z, which);
}

/* The row of that word, if it is there, or 2. */
PERLANE_INLINE unsigned row_holding(const struct strip_octave *octave, uint32_t word) {
  for (unsigned row = 0; row < 2; row++)
    if (octave->held[row] && octave->word[row] == word)
      return row;
  return 2;
}

static void hold_row(struct fill *fill, size_t k, uint32_t word, const struct axis_scalars *z,
                     unsigned row) {
  evaluate_row(fill, k, word, z, row);
  fill->octave[k].word[row] = word;
  fill->octave[k].held[row] = 1;
}

static void drop_rows(struct fill *fill) {
  for (int k = 0; k < fill->octaves; k++)
    fill->octave[k].held[0] = fill->octave[k].held[1] = 0;
}

/* The middle and the rise of each family's two rows. */
static void meet_rows(const struct fill *fill, size_t k, unsigned lower, unsigned upper) {
  const size_t n = fill->columns;
  for (int family = 0; family < fill->families; family++) {
    const float *value0 = family_array(fill, k, family, VALUE + lower);
    const float *value1 = family_array(fill, k, family, VALUE + upper);
    float *means = family_array(fill, k, family, MIDDLE);
    float *rise = family_array(fill, k, family, RISE);
    for (size_t i = 0; i < n; i += LANES) {
      const vf v0 = f_load(value0 + i), v1 = f_load(value1 + i);
      f_store(means + i, middle(v0, v1));
      f_store(rise + i, f_sub(v1, v0));
    }
  }
}

/* Brings the two lattice rows around row r of the row table up to date. Between neighbouring cell
 * rows, upwards or downwards, one of them is already there; where a cell has but one value, its two
 * rows are the same. */
static void enter_cell_row(struct fill *fill, size_t k, const struct axis_arrays *rows, size_t r,
                           const struct axis_scalars *z) {
  struct strip_octave *octave = &fill->octave[k];
  const uint32_t lower_word = rows->word[r], upper_word = rows->next[r];
  if (octave->held[octave->lower] && octave->word[octave->lower] == lower_word &&
      octave->held[octave->upper] && octave->word[octave->upper] == upper_word)
    return;
  unsigned lower = row_holding(octave, lower_word), upper = row_holding(octave, upper_word);
  if (lower == 2) {
    lower = upper == 0 ? 1 : 0;
    hold_row(fill, k, lower_word, z, lower);
  }
  if (upper_word == lower_word) {
    upper = lower;
  } else if (upper == 2) {
    upper = 1 - lower;
    hold_row(fill, k, upper_word, z, upper);
  }
  meet_rows(fill, k, lower, upper);
  octave->lower = lower;
  octave->upper = upper;
}
