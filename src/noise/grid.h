/* SPDX-License-Identifier: MIT
 *
 * Filling a grid. Along y nothing changes within a cell but the y fade: a lattice row, folded along
 * z and w, is two arrays over the columns (its value, and its tilt along y), evaluated once per
 * cell row. A sample between two rows is then 3 multiplies and 3 adds, in any number of dimensions.
 * So is each derivative: along y with the derivatives of the y fade, along the other axes between
 * the derivatives of the rows, which are a family of arrays for each axis.
 *
 * A strip of columns is done at a time, so that all its arrays stay in the first-level cache: for
 * each octave the columns' axis pass and the two current lattice rows. Where samples are not
 * finished at once (several octaves, shaping, integers) they come together in a tile of a few rows.
 */

enum {
  STRIP_FLOATS = 37 * 512, /* columns, lattice rows and the tile */
  STRIP_MOST_COLUMNS = 1024,
  TILE_ROWS = 16,
  GRADIENT_TILE_ROWS = 8,
  TABLE_ENTRIES = PERLANE_MAX_OCTAVES * TILE_ROWS, /* of the tables of rows and of planes */
  STREAM_BYTES = 4 * 1024 * 1024,                  /* outputs from here on bypass the caches */
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
  enum source source, words;
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
  return axis_arrays_in(fill->plane_memory + k * TILE_ROWS * each, TILE_ROWS, fill->slopes);
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

/* ---- Lattice rows ---- */

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
                                        unsigned which, const struct lattice *of,
                                        const struct spread *spread, size_t begin, size_t end) {
  const struct axis_arrays columns = columns_of(fill, k);
  const struct lattice lattice = *of;
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
    lattice_row_columns(kind, fill, k, y_word, z, which, lattice, &spread, begin, begin + n);
  }
}

PERLANE_INLINE void evaluate_row_in(int dims, const struct fill *fill, size_t k, uint32_t y,
                                    const struct axis_scalars *z, unsigned which) {
  const struct lattice lattice = lattice_of(fill->noise, &fill->noise->octave[k], dims);
#define QUICK(slopes)                                                                              \
  lattice_row_columns((struct kind){SOURCE_QUICK, dims, slopes}, fill, k, y, z, which, &lattice,   \
                      NULL, 0, fill->columns)
#define SPREAD(source, slopes)                                                                     \
  spread_row_columns((struct kind){source, dims, slopes}, fill, k, y, z, which, &lattice)
  switch (fill->source) {
  case SOURCE_QUICK:
    if (fill->slopes)
      QUICK(1);
    else
      QUICK(0);
    break;
  case SOURCE_LOOKUP:
    if (fill->slopes)
      SPREAD(SOURCE_LOOKUP, 1);
    else
      SPREAD(SOURCE_LOOKUP, 0);
    break;
  case SOURCE_VALUES:
    if (fill->slopes)
      SPREAD(SOURCE_VALUES, 1);
    else
      SPREAD(SOURCE_VALUES, 0);
    break;
  }
#undef QUICK
#undef SPREAD
}

static void evaluate_row(const struct fill *fill, size_t k, uint32_t y,
                         const struct axis_scalars *z, unsigned which) {
  if (fill->dims == 2)
    evaluate_row_in(2, fill, k, y, z, which);
  else if (fill->dims == 3)
    evaluate_row_in(3, fill, k, y, z, which);
  else
    evaluate_row_in(4, fill, k, y, z, which);
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

/* ---- Emission ---- */

/* What the samples of a cell row are made of: the middle and the rise of its two lattice rows'
 * values, and both rows' tilts. */
struct cell_row {
  const float *middle, *rise, *tilt0, *tilt1;
};

/* One row's y fold, in every lane, or the derivative of it. */
struct fold_y {
  vf centred, a0, a1;
};

struct cell_lanes {
  vf middle, rise, tilt0, tilt1;
};

/* How rows are emitted: constants where they are passed. */
struct emission {
  int slope;  /* the derivative along y: without the middle */
  int sum;    /* added to what the octaves before yielded */
  int stream; /* past the caches */
};

PERLANE_INLINE struct fold_y fold_y(int slope, const struct axis_arrays *rows, size_t r) {
  if (slope)
    return (struct fold_y){f_set(rows->slope[r]), f_set(rows->b0[r]), f_set(rows->b1[r])};
  return (struct fold_y){f_set(rows->centred[r]), f_set(rows->a0[r]), f_set(rows->a1[r])};
}

PERLANE_INLINE struct cell_lanes cell_load(int slope, const struct cell_row *cell, size_t i) {
  struct cell_lanes lanes;
  if (!slope)
    lanes.middle = f_load(cell->middle + i);
  lanes.rise = f_load(cell->rise + i);
  lanes.tilt0 = f_load(cell->tilt0 + i);
  lanes.tilt1 = f_load(cell->tilt1 + i);
  return lanes;
}

/* A vector of samples, 3 multiplies and 3 adds, plus the sum of the octaves before. */
PERLANE_INLINE vf sample(struct emission how, struct cell_lanes cell, struct fold_y y,
                         const float *sum, size_t i) {
  const vf v =
      how.slope ? fold_slope(cell.rise, cell.tilt0, cell.tilt1, y.centred, y.a0, y.a1)
                : fold_value(cell.middle, cell.rise, cell.tilt0, cell.tilt1, y.centred, y.a0, y.a1);
  return how.sum ? f_add(f_load(sum + i), v) : v;
}

/* The samples from `begin` to before `end` of one row. */
PERLANE_INLINE void emit_row(struct emission how, const struct cell_row *cell, struct fold_y y,
                             size_t begin, size_t end, float *to, const float *sum) {
  size_t i = begin;
  for (; i + LANES <= end; i += LANES)
    f_store(to + i, sample(how, cell_load(how.slope, cell, i), y, sum, i));
  if (i < end)
    f_store_some(to + i, sample(how, cell_load(how.slope, cell, i), y, sum, i), end - i);
}

/* Two rows of the same cell row at once: the lattice rows are loaded once for both. */
PERLANE_INLINE void emit_two_rows(struct emission how, const struct cell_row *cell, struct fold_y y,
                                  struct fold_y y2, size_t n, float *to, float *to2,
                                  const float *sum, const float *sum2) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    struct cell_lanes lanes = cell_load(how.slope, cell, i);
    if (!how.slope)
      f_keep(lanes.middle);
    f_keep(lanes.rise);
    f_keep(lanes.tilt0);
    f_keep(lanes.tilt1);
    const vf v = sample(how, lanes, y, sum, i), v2 = sample(how, lanes, y2, sum2, i);
    f_store(to + i, v);
    f_store(to2 + i, v2);
  }
  if (i < n) {
    const struct cell_lanes lanes = cell_load(how.slope, cell, i);
    f_store_some(to + i, sample(how, lanes, y, sum, i), n - i);
    f_store_some(to2 + i, sample(how, lanes, y2, sum2, i), n - i);
  }
}

/* One row past the caches, in whole lines; what precedes the first line and follows the last goes
 * through the caches. */
PERLANE_INLINE void stream_row(struct emission how, const struct cell_row *cell, struct fold_y y,
                               size_t n, float *to, const float *sum) {
  const struct lines lines = lines_of(to, n);
  emit_row(how, cell, y, 0, lines.head, to, sum);
  for (size_t i = lines.head; i < lines.tail; i += LANES)
    f_stream(to + i, sample(how, cell_load(how.slope, cell, i), y, sum, i));
  emit_row(how, cell, y, lines.tail, n, to, sum);
}

/* Where an octave's rows go, and the sums that they are added to, NULL for none. Results go to the
 * output's values, in its format, from `place` on. */
struct target {
  float *to;
  ptrdiff_t pitch;
  const float *sum;
  int is_result;
  ptrdiff_t place;
};

/* Rows r0 .. r1 - 1 of the row table, all in the octave's current cell row. */
PERLANE_INLINE void emit_rows_as(struct emission how, const struct fill *fill,
                                 const struct cell_row *cell, const struct axis_arrays *rows,
                                 size_t r0, size_t r1, const struct target *target) {
  const size_t n = fill->columns, sum_pitch = how.sum ? fill->pitch : 0;
  const float *sum = target->sum;
  float *to = target->to;
  size_t r = r0;
  if (how.stream) {
    for (; r < r1; r++, to += target->pitch, sum += sum_pitch)
      stream_row(how, cell, fold_y(how.slope, rows, r), n, to, sum);
    return;
  }
  for (; r + 2 <= r1; r += 2, to += 2 * target->pitch, sum += 2 * sum_pitch)
    emit_two_rows(how, cell, fold_y(how.slope, rows, r), fold_y(how.slope, rows, r + 1), n, to,
                  to + target->pitch, sum, sum + sum_pitch);
  if (r < r1)
    emit_row(how, cell, fold_y(how.slope, rows, r), 0, n, to, sum);
}

PERLANE_INLINE void emit_rows_of(int slope, const struct fill *fill, const struct cell_row *cell,
                                 const struct axis_arrays *rows, size_t r0, size_t r1,
                                 const struct target *target, int stream) {
#define EMIT(sum, stream)                                                                          \
  emit_rows_as((struct emission){slope, sum, stream}, fill, cell, rows, r0, r1, target)
  if (target->sum && stream)
    EMIT(1, 1);
  else if (target->sum)
    EMIT(1, 0);
  else if (stream)
    EMIT(0, 1);
  else
    EMIT(0, 0);
#undef EMIT
}

static void emit_values(const struct fill *fill, const struct cell_row *cell,
                        const struct axis_arrays *rows, size_t r0, size_t r1,
                        const struct target *target, int stream) {
  emit_rows_of(0, fill, cell, rows, r0, r1, target, stream);
}

static void emit_y_slopes(const struct fill *fill, const struct cell_row *cell,
                          const struct axis_arrays *rows, size_t r0, size_t r1,
                          const struct target *target, int stream) {
  emit_rows_of(1, fill, cell, rows, r0, r1, target, stream);
}

/* ---- Results ---- */

/* How results are stored: a constant where it is passed. */
enum result_format { RESULT_FLOAT, RESULT_STREAM, RESULT_U16, RESULT_U8 };

/* What is made of samples on their way to the output: constants where they are passed. */
struct making {
  enum ending_kind ending;
  enum result_format format;
  int sum;      /* added to what the octaves before yielded */
  int extremes; /* told in the end */
};

/* The last n samples of a row, from i on, less than a vector. */
static PERLANE_NOINLINE void result_rest(struct fill *fill, const struct cell_row *cell,
                                         struct fold_y y, size_t i, size_t n, const float *sums,
                                         ptrdiff_t place) {
  const struct emission how = {.sum = 1}, alone = {.sum = 0};
  const struct cell_lanes lanes = cell_load(0, cell, i);
  const vf v = sums ? sample(how, lanes, y, sums, i) : sample(alone, lanes, y, NULL, i);
  float last[LANES];
  switch (ending_kind_of(&fill->ending)) {
  case ENDING_RIDGED:
    f_store(last, ended(ENDING_RIDGED, &fill->ending, v));
    break;
  case ENDING_BILLOW:
    f_store(last, ended(ENDING_BILLOW, &fill->ending, v));
    break;
  case ENDING_PING_PONG:
    f_store(last, ended(ENDING_PING_PONG, &fill->ending, v));
    break;
  default:
    f_store(last, ended(ENDING_POWER, &fill->ending, v));
  }
  const struct samples rest = {.array = {last}};
  deliver(fill->output, &rest, n, 1, place + (ptrdiff_t)i, 1, 0, &fill->extremes);
}

/* Samples begin .. end - 1 of a row, written to the output from `place` on. */
PERLANE_INLINE void result_row(struct making how, struct fill *fill, const struct cell_row *cell,
                               struct fold_y y, size_t begin, size_t end, const float *sums,
                               ptrdiff_t place) {
  const struct emission emission = {.sum = how.sum};
  const struct ending ending = fill->ending;
  const struct perlane_output output = *fill->output;
  const struct cell_row from = *cell;
  float *floats = (float *)output.value + place;
  uint16_t *words = (uint16_t *)output.value + place;
  uint8_t *bytes = (uint8_t *)output.value + place;
  vf low = f_set(fill->extremes.smallest), high = f_set(fill->extremes.largest);
  size_t i = begin;
  for (; i + LANES <= end; i += LANES) {
    const vf n = sample(emission, cell_load(0, &from, i), y, sums, i);
    const vf v = ended(how.ending, &ending, n);
    if (how.extremes) {
      low = f_min(low, v);
      high = f_max(high, v);
    }
    if (how.format == RESULT_FLOAT)
      f_store(floats + i, v);
    else if (how.format == RESULT_STREAM)
      f_stream(floats + i, v);
    else if (how.format == RESULT_U16)
      u16_store(words + i, integer_levels(v, output.low, output.scale, 65535));
    else
      u8_store(bytes + i, integer_levels(v, output.low, output.scale, 255));
  }
  if (how.extremes)
    merge_extremes(&fill->extremes, low, high);
  if (i < end)
    result_rest(fill, &from, y, i, end - i, how.sum ? sums : NULL, place);
}

PERLANE_INLINE void result_rows_as(struct making how, struct fill *fill,
                                   const struct cell_row *cell, const struct axis_arrays *rows,
                                   size_t r0, size_t r1, const struct target *target) {
  const size_t n = fill->columns;
  for (size_t r = r0; r < r1; r++) {
    const struct fold_y y = fold_y(0, rows, r);
    const float *sums = how.sum ? target->sum + (r - r0) * fill->pitch : NULL;
    const ptrdiff_t place = target->place + (ptrdiff_t)(r - r0) * fill->grid->stride[1];
    if (how.format != RESULT_STREAM) {
      result_row(how, fill, cell, y, 0, n, sums, place);
      continue;
    }
    struct making edges = how;
    edges.format = RESULT_FLOAT;
    const struct lines lines = lines_of((float *)fill->output->value + place, n);
    result_row(edges, fill, cell, y, 0, lines.head, sums, place);
    result_row(how, fill, cell, y, lines.head, lines.tail, sums, place);
    result_row(edges, fill, cell, y, lines.tail, n, sums, place);
  }
}

PERLANE_INLINE void result_rows_in(enum ending_kind ending, enum result_format format, int extremes,
                                   struct fill *fill, const struct cell_row *cell,
                                   const struct axis_arrays *rows, size_t r0, size_t r1,
                                   const struct target *target) {
  struct making how = {ending, format, 0, extremes};
  if (target->sum && ending < ENDING_RIDGED) { /* only a single octave is shaped here */
    how.sum = 1;
    result_rows_as(how, fill, cell, rows, r0, r1, target);
  } else {
    result_rows_as(how, fill, cell, rows, r0, r1, target);
  }
}

PERLANE_INLINE void result_rows_of(enum ending_kind ending, struct fill *fill,
                                   const struct cell_row *cell, const struct axis_arrays *rows,
                                   size_t r0, size_t r1, const struct target *target) {
#define RESULTS(format, extremes)                                                                  \
  result_rows_in(ending, format, extremes, fill, cell, rows, r0, r1, target)
  if (fill->output->extremes) /* of floats */
    fill->stream ? RESULTS(RESULT_STREAM, 1) : RESULTS(RESULT_FLOAT, 1);
  else if (fill->output->format == PERLANE_U16)
    RESULTS(RESULT_U16, 0);
  else if (fill->output->format == PERLANE_U8)
    RESULTS(RESULT_U8, 0);
  else
    fill->stream ? RESULTS(RESULT_STREAM, 0) : RESULTS(RESULT_FLOAT, 0);
#undef RESULTS
}

static void result_rows(struct fill *fill, const struct cell_row *cell,
                        const struct axis_arrays *rows, size_t r0, size_t r1,
                        const struct target *target) {
#define RESULTS(ending)                                                                            \
  case ending:                                                                                     \
    result_rows_of(ending, fill, cell, rows, r0, r1, target);                                      \
    break
  switch (ending_kind_of(&fill->ending)) {
    RESULTS(ENDING_NONE);
    RESULTS(ENDING_LINEAR);
    RESULTS(ENDING_POWER);
    RESULTS(ENDING_RIDGED);
    RESULTS(ENDING_BILLOW);
    RESULTS(ENDING_PING_PONG);
  }
#undef RESULTS
}

/* Rows r0 .. r1 - 1 of the row table in one octave: values, and derivatives along each axis. */
static void octave_rows(struct fill *fill, size_t k, size_t plane, size_t r0, size_t r1,
                        const struct target targets[MOST_ARRAYS], int stream) {
  static const int family[MOST_ARRAYS] = {FAMILY_VALUE, FAMILY_X, FAMILY_VALUE, FAMILY_Z, FAMILY_W};
  enum { Y_SLOPES = 2 };
  const struct axis_arrays rows = rows_of(fill, k), planes = planes_of(fill, k);
  struct axis_scalars z = {0};
  if (fill->dims >= 3)
    z = scalars_at(&planes, plane, fill->slopes);
  for (size_t r = r0; r < r1;) {
    size_t end = r + 1;
    while (end < r1 && rows.word[end] == rows.word[r] && rows.next[end] == rows.next[r])
      end++;
    enter_cell_row(fill, k, &rows, r, &z);
    const struct strip_octave *octave = &fill->octave[k];
    for (int j = 0; j < fill->arrays; j++) {
      if (!targets[j].to && !targets[j].is_result)
        continue;
      const struct cell_row cell = {
          family_array(fill, k, family[j], MIDDLE),
          family_array(fill, k, family[j], RISE),
          family_array(fill, k, family[j], TILT + octave->lower),
          family_array(fill, k, family[j], TILT + octave->upper),
      };
      struct target target = targets[j];
      if (target.to)
        target.to += (ptrdiff_t)(r - r0) * target.pitch;
      target.place += (ptrdiff_t)(r - r0) * fill->grid->stride[1];
      if (target.sum)
        target.sum += (r - r0) * fill->pitch;
      if (target.is_result)
        result_rows(fill, &cell, &rows, r, end, &target);
      else if (j == Y_SLOPES)
        emit_y_slopes(fill, &cell, &rows, r, end, &target, stream);
      else
        emit_values(fill, &cell, &rows, r, end, &target, stream);
    }
    r = end;
  }
}

/* ---- Planes ---- */

/* The output's own arrays from `place` on, or where samples are not finished yet, its results. */
static void target_output(const struct fill *fill, ptrdiff_t place,
                          struct target targets[MOST_ARRAYS]) {
  if (!fill->finished) {
    targets[0].to = NULL;
    targets[0].is_result = 1;
    targets[0].place = place;
    return;
  }
  float *value = fill->output->value;
  for (int j = 0; j < fill->arrays; j++) {
    float *array = j == 0 ? value : fill->output->gradient[j - 1];
    targets[j].to = array ? array + place : NULL;
    targets[j].pitch = fill->grid->stride[1];
  }
}

static void target_samples(const struct fill *fill, const struct samples *samples,
                           struct target targets[MOST_ARRAYS]) {
  for (int j = 0; j < fill->arrays; j++) {
    targets[j].to = samples->array[j];
    targets[j].pitch = (ptrdiff_t)fill->pitch;
  }
}

/* Rows r0 .. r1 - 1 of the row table, at most a tile, octave by octave. */
static void fill_tile(struct fill *fill, size_t plane, size_t r0, size_t r1, ptrdiff_t place) {
  const size_t last = (size_t)fill->octaves - 1;
  for (size_t k = 0; k <= last; k++) {
    struct target targets[MOST_ARRAYS] = {{NULL, 0, NULL, 0, 0}};
    if (fill->shaped && !fill->direct) {
      target_samples(fill, &fill->layer, targets);
      octave_rows(fill, k, plane, r0, r1, targets, 0);
      const struct shaping shaping = shaping_of(fill->noise, (int)k, fill->arrays);
      for (size_t j = 0; j < r1 - r0; j++) {
        const struct samples layer = samples_from(&fill->layer, j * fill->pitch);
        const struct samples sums = samples_from(&fill->tile, j * fill->pitch);
        const struct samples weights = samples_from(&fill->weights, j * fill->pitch);
        blend(&shaping, fill->columns, &layer, &sums, &weights);
      }
      continue;
    }
    const int to_output = k == last && fill->direct;
    target_samples(fill, &fill->tile, targets);
    for (int j = 0; j < fill->arrays && k > 0; j++)
      targets[j].sum = targets[j].to;
    if (to_output)
      target_output(fill, place, targets);
    octave_rows(fill, k, plane, r0, r1, targets, to_output && fill->stream);
  }
  if (fill->direct)
    return;
  for (size_t j = 0; j < r1 - r0; j++, place += fill->grid->stride[1]) {
    const struct samples row = samples_from(&fill->tile, j * fill->pitch);
    if (has_ending(fill->noise))
      finish(fill->noise, fill->columns, fill->arrays, &row);
    deliver(fill->output, &row, fill->columns, fill->arrays, place, fill->grid->stride[0],
            fill->stream, &fill->extremes);
  }
}

/* The `rows` rows of the row table in one plane of the strip, whose first sample is at `place`. */
static void fill_plane(struct fill *fill, size_t plane, size_t rows, ptrdiff_t place) {
  const ptrdiff_t y_stride = fill->grid->stride[1];
  if (fill->direct && fill->octaves == 1) {
    struct target targets[MOST_ARRAYS] = {{NULL, 0, NULL, 0, 0}};
    target_output(fill, place, targets);
    octave_rows(fill, 0, plane, 0, rows, targets, fill->stream);
    return;
  }
  for (size_t r = 0; r < rows; r += fill->tile_rows) {
    const size_t end = r + fill->tile_rows < rows ? r + fill->tile_rows : rows;
    fill_tile(fill, plane, r, end, place + (ptrdiff_t)r * y_stride);
  }
}

/* All planes of `rows` rows from row y on, of the current strip. */
static void fill_rows(struct fill *fill, size_t y, size_t rows) {
  const perlane_grid *grid = fill->grid;
  const size_t octaves = (size_t)fill->octaves;
  const struct grid_axis y_axis = {fill->noise, grid, 1}, z_axis = {fill->noise, grid, 2};
  const struct grid_axis w_axis = {fill->noise, grid, 3};
  for (size_t k = 0; k < octaves; k++) {
    const struct axis_arrays to = rows_of(fill, k);
    axis_pass(fill->words, &to, &y_axis, y, rows, &fill->noise->octave[k]);
  }
  ptrdiff_t place = (ptrdiff_t)fill->x * grid->stride[0] + (ptrdiff_t)y * grid->stride[1];
  for (size_t w = 0; w < grid->count[3]; w++, place += grid->stride[3]) {
    if (fill->dims == 4)
      for (size_t k = 0; k < octaves; k++) {
        const struct axis_arrays to = planes_of(fill, k);
        axis_pass(fill->words, &to, &w_axis, w, 1, &fill->noise->octave[k]);
        fill->w[k] = scalars_at(&to, 0, fill->slopes);
      }
    for (size_t z = 0; z < grid->count[2]; z++) {
      const size_t entry = z % TILE_ROWS, left = grid->count[2] - z;
      if (fill->dims >= 3) {
        if (entry == 0)
          for (size_t k = 0; k < octaves; k++) {
            const struct axis_arrays to = planes_of(fill, k);
            axis_pass(fill->words, &to, &z_axis, z, left < TILE_ROWS ? left : TILE_ROWS,
                      &fill->noise->octave[k]);
          }
        drop_rows(fill); /* they were another plane's */
      }
      fill_plane(fill, entry, rows, place + (ptrdiff_t)z * grid->stride[2]);
    }
  }
}

/* ---- The fill ---- */

/* How many columns a strip has, so that its arrays fit in STRIP_FLOATS. */
static size_t strip_columns(size_t octaves, size_t octave_floats, size_t tile_floats,
                            size_t count) {
  const size_t granule = 16; /* a multiple of every LANES */
  const size_t floats = octaves * octave_floats + tile_floats;
  size_t columns = STRIP_FLOATS / floats / granule * granule;
  if (columns > STRIP_MOST_COLUMNS)
    columns = STRIP_MOST_COLUMNS;
  if (columns > count)
    columns = (count + granule - 1) / granule * granule;
  return columns;
}

static void fill_grid(const perlane_noise *noise, const perlane_grid *grid,
                      const struct perlane_output *output) {
  enum { AXIS_MOST = AXIS_FLOATS + AXIS_SLOPE_FLOATS };
  /* A streamed row's last vector may start at any column and read past the last one: what is behind
   * an array, or the room for a vector behind them all. */
  _Alignas(LINE_BYTES) float strip_memory[STRIP_FLOATS + LANES];
  _Alignas(LINE_BYTES) float row_memory[AXIS_MOST * TABLE_ENTRIES];
  _Alignas(LINE_BYTES) float plane_memory[AXIS_MOST * TABLE_ENTRIES];
  struct fill fill;
  const size_t octaves = (size_t)noise->octaves;
  const size_t samples = grid->count[0] * grid->count[1] * grid->count[2] * grid->count[3];
  fill.noise = noise;
  fill.grid = grid;
  fill.output = output;
  fill.dims = grid->dims;
  fill.octaves = noise->octaves;
  fill.shaped = noise->shaped;
  fill.slopes = output->gradient[0] != NULL;
  fill.arrays = fill.slopes ? 1 + grid->dims : 1;
  fill.families = fill.slopes ? grid->dims : 1;
  fill.source = source_of(noise, grid->dims);
  fill.words = has_plain_words(noise, grid->dims) ? SOURCE_QUICK : SOURCE_LOOKUP;
  fill.direct = grid->stride[0] == 1 &&
                (fill.slopes ? !noise->shaped && !has_ending(noise) && !output->extremes
                             : !noise->shaped || octaves == 1);
  fill.finished = fill.direct && !noise->shaped && !has_ending(noise) &&
                  output->format == PERLANE_FLOAT && !output->extremes;
  fill.ending = ending_of(noise);
  if (noise->shaped)
    fill.ending.shape = noise->params.fractal;
  fill.stream = samples >= STREAM_BYTES / sizeof(float);
  fill.tile_rows = fill.slopes ? GRADIENT_TILE_ROWS : TILE_ROWS;
  fill.rows_most = TABLE_ENTRIES / octaves / TILE_ROWS * TILE_ROWS;
  fill.extremes = NO_EXTREMES;
  fill.row_memory = row_memory;
  fill.plane_memory = plane_memory;

  const size_t columns_floats = AXIS_FLOATS + (fill.slopes ? AXIS_SLOPE_FLOATS : 0);
  const size_t families_floats = (size_t)fill.families * FAMILY_ARRAYS;
  const size_t runs_floats = fill.source == SOURCE_QUICK ? 0 : 1; /* at most a run a column */
  const size_t layers = fill.direct && octaves == 1 ? 0 : noise->shaped ? 3 : 1;
  const size_t layer_floats = (size_t)fill.arrays * fill.tile_rows;
  fill.pitch = strip_columns(octaves, columns_floats + families_floats + runs_floats,
                             layers * layer_floats, grid->count[0]);
  float *memory = strip_memory;
  for (size_t k = 0; k < octaves; k++) {
    fill.octave[k].columns = memory;
    memory += columns_floats * fill.pitch;
    fill.octave[k].families = memory;
    memory += families_floats * fill.pitch;
    fill.octave[k].runs.start = (uint16_t *)(void *)memory;
    memory += runs_floats * fill.pitch;
    fill.octave[k].lower = fill.octave[k].upper = 0;
    fill.w[k] = (struct axis_scalars){0};
  }
  fill.tile = samples_in(memory, fill.tile_rows * fill.pitch);
  fill.layer = fill.weights = fill.tile;
  if (layers > 1) {
    fill.layer = samples_in(memory + layer_floats * fill.pitch, fill.tile_rows * fill.pitch);
    fill.weights = samples_in(memory + 2 * layer_floats * fill.pitch, fill.tile_rows * fill.pitch);
  }

  const struct grid_axis x_axis = {noise, grid, 0};
  for (fill.x = 0; fill.x < grid->count[0]; fill.x += fill.pitch) {
    const size_t left = grid->count[0] - fill.x;
    fill.columns = left < fill.pitch ? left : fill.pitch;
    for (size_t k = 0; k < octaves; k++) {
      const struct axis_arrays to = columns_of(&fill, k);
      axis_pass(fill.words, &to, &x_axis, fill.x, fill.columns, &noise->octave[k]);
      if (fill.source != SOURCE_QUICK)
        find_runs(&fill.octave[k].runs, &to, fill.columns);
    }
    drop_rows(&fill);
    for (size_t y = 0; y < grid->count[1]; y += fill.rows_most) {
      const size_t rows = grid->count[1] - y;
      fill_rows(&fill, y, rows < fill.rows_most ? rows : fill.rows_most);
    }
  }
  if (fill.stream)
    stream_fence();
  report_extremes(output, &fill.extremes);
}
