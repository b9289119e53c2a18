/* SPDX-License-Identifier: MIT
 *
 * Filling a grid. Along y nothing changes within a cell but the y fade: a lattice row, folded along
 * z and w, is two arrays over the columns (its value, and its tilt along y), evaluated once per
 * cell row. A sample between two rows is then 3 multiplies and 3 adds, in any number of dimensions.
 *
 * A strip of columns is done at a time, so that all its arrays stay in the first-level cache: for
 * each octave the columns' axis pass and the two current lattice rows. Several octaves add up in a
 * tile of a few rows.
 */

enum {
  STRIP_FLOATS = 39 * 512, /* columns, lattice rows and the tile */
  STRIP_MOST_COLUMNS = 1024,
  TILE_ROWS = 16,
  TABLE_ENTRIES = PERLANE_MAX_OCTAVES * TILE_ROWS, /* of the tables of rows and of planes */
  LATTICE_ARRAYS = 6,
  STREAM_BYTES = 4 * 1024 * 1024, /* outputs from here on bypass the caches */
  LINE_BYTES = 64,
};
_Static_assert(TILE_ROWS % LANES == 0, "tables are filled by whole vectors");

/* What one octave keeps of a strip. */
struct strip_octave {
  struct axis_arrays columns;
  float *value[2], *tilt[2]; /* the lower and the upper lattice row of the current cell row */
  float *middle, *rise;      /* mean of the values, and upper less lower value */
  double cell;               /* the current cell row */
  int valid;                 /* whether there is one */
};

struct fill {
  const perlane_noise *noise;
  const perlane_grid *grid;
  float *out;
  struct gradient_tables tables;
  int dims, octaves;
  int via_tile; /* samples are finished in the tile: octaves add up, or x is strided */
  int stream;
  size_t pitch;     /* columns of the strip's arrays, a multiple of every LANES */
  size_t rows_most; /* rows whose axis pass the row table holds */

  size_t x, columns; /* the strip */
  float *tile;
  struct strip_octave octave[PERLANE_MAX_OCTAVES];
  struct axis_arrays rows[PERLANE_MAX_OCTAVES];
  struct axis_arrays planes[PERLANE_MAX_OCTAVES];
  struct axis_lanes w[PERLANE_MAX_OCTAVES];
};

/* Evaluates one lattice row of the strip: its value and tilt at every column. What the loop reads
 * is copied first: the compiler must assume that the stores change anything that is in memory. */
PERLANE_INLINE void lattice_row_columns(const int dims, const struct fill *fill, size_t k,
                                        uint32_t y_word, const struct axis_lanes *z_lanes,
                                        int upper) {
  const struct axis_arrays columns = fill->octave[k].columns;
  const struct gradient_tables tables = fill->tables;
  const struct axis_lanes z = *z_lanes, w = fill->w[k];
  const vi y = i_set(y_word);
  float *value = fill->octave[k].value[upper], *tilt = fill->octave[k].tilt[upper];
  const size_t n = fill->columns;
  for (size_t i = 0; i < n; i += LANES) {
    const struct axis_lanes x = axis_load(&columns, i);
    const struct row row = lattice_row(dims, &tables, &x, y, &z, &w);
    f_store(value + i, row.value);
    f_store(tilt + i, row.y);
  }
}

static void evaluate_row(const struct fill *fill, size_t k, uint32_t y, const struct axis_lanes *z,
                         int upper) {
  if (fill->dims == 2)
    lattice_row_columns(2, fill, k, y, z, upper);
  else if (fill->dims == 3)
    lattice_row_columns(3, fill, k, y, z, upper);
  else
    lattice_row_columns(4, fill, k, y, z, upper);
}

PERLANE_INLINE void swap(float *pair[2]) {
  float *first = pair[0];
  pair[0] = pair[1];
  pair[1] = first;
}

/* Brings the two lattice rows around row r of the row table up to date. Between neighbouring cell
 * rows, upwards or downwards, one of them is already there. */
static void enter_cell_row(struct fill *fill, size_t k, size_t r, const struct axis_lanes *z) {
  struct strip_octave *octave = &fill->octave[k];
  const struct axis_arrays *rows = &fill->rows[k];
  const double cell = rows->cell[r];
  const int same = octave->valid && cell == octave->cell;
  const int next = octave->valid && cell == octave->cell + 1;
  const int previous = octave->valid && cell == octave->cell - 1;
  if (same)
    return;
  if (next || previous) {
    swap(octave->value);
    swap(octave->tilt);
  }
  if (!next)
    evaluate_row(fill, k, rows->word[r], z, 0);
  if (!previous)
    evaluate_row(fill, k, rows->next[r], z, 1);
  const float *lower = octave->value[0], *upper = octave->value[1];
  float *means = octave->middle, *rise = octave->rise;
  const size_t n = fill->columns;
  for (size_t i = 0; i < n; i += LANES) {
    const vf v0 = f_load(lower + i), v1 = f_load(upper + i);
    f_store(means + i, middle(v0, v1));
    f_store(rise + i, f_sub(v1, v0));
  }
  octave->cell = cell;
  octave->valid = 1;
}

/* What the samples of a cell row are made of: the middle and the rise of its two lattice rows'
 * values, and both rows' tilts. */
struct cell_row {
  const float *middle, *rise, *tilt0, *tilt1;
};

/* One row's y fold, in every lane. */
struct fold_y {
  vf centred, a0, a1;
};

PERLANE_INLINE struct fold_y fold_y(const struct axis_arrays *rows, size_t r) {
  return (struct fold_y){f_set(rows->centred[r]), f_set(rows->a0[r]), f_set(rows->a1[r])};
}

struct cell_lanes {
  vf middle, rise, tilt0, tilt1;
};

PERLANE_INLINE struct cell_lanes cell_load(const struct cell_row *cell, size_t i) {
  return (struct cell_lanes){f_load(cell->middle + i), f_load(cell->rise + i),
                             f_load(cell->tilt0 + i), f_load(cell->tilt1 + i)};
}

/* A vector of samples, 3 multiplies and 3 adds, plus the sum of the octaves before unless that is
 * NULL. */
PERLANE_INLINE vf sample(struct cell_lanes cell, struct fold_y y, const float *sum) {
  const vf v = fold_value(cell.middle, cell.rise, cell.tilt0, cell.tilt1, y.centred, y.a0, y.a1);
  return sum ? f_add(f_load(sum), v) : v;
}

PERLANE_INLINE const float *at(const float *sum, size_t i) {
  return sum ? sum + i : NULL;
}

/* The samples from `begin` to before `end` of one row. */
PERLANE_INLINE void emit_row(const struct cell_row *cell, struct fold_y y, size_t begin, size_t end,
                             float *to, const float *sum) {
  size_t i = begin;
  for (; i + LANES <= end; i += LANES)
    f_store(to + i, sample(cell_load(cell, i), y, at(sum, i)));
  if (i < end)
    f_store_some(to + i, sample(cell_load(cell, i), y, at(sum, i)), end - i);
}

/* Two rows of the same cell row at once: the lattice rows are loaded once for both. */
PERLANE_INLINE void emit_two_rows(const struct cell_row *cell, struct fold_y y, struct fold_y y2,
                                  size_t n, float *to, float *to2, const float *sum,
                                  const float *sum2) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    struct cell_lanes lanes = cell_load(cell, i);
    f_keep(lanes.middle);
    f_keep(lanes.rise);
    f_keep(lanes.tilt0);
    f_keep(lanes.tilt1);
    const vf v = sample(lanes, y, at(sum, i)), v2 = sample(lanes, y2, at(sum2, i));
    f_store(to + i, v);
    f_store(to2 + i, v2);
  }
  if (i < n) {
    const struct cell_lanes lanes = cell_load(cell, i);
    f_store_some(to + i, sample(lanes, y, at(sum, i)), n - i);
    f_store_some(to2 + i, sample(lanes, y2, at(sum2, i)), n - i);
  }
}

/* One row past the caches, in whole lines; what precedes the first line and follows the last goes
 * through the caches. */
PERLANE_INLINE void stream_row(const struct cell_row *cell, struct fold_y y, size_t n, float *to,
                               const float *sum) {
  const size_t in_line = LINE_BYTES / sizeof(float);
  const size_t before = (0 - (uintptr_t)to / sizeof(float)) % in_line;
  const size_t head = before < n ? before : n, tail = n - (n - head) % in_line;
  emit_row(cell, y, 0, head, to, sum);
  for (size_t i = head; i < tail; i += LANES)
    f_stream(to + i, sample(cell_load(cell, i), y, at(sum, i)));
  emit_row(cell, y, tail, n, to, sum);
}

/* Rows r0 .. r1 - 1 of the row table, all in the octave's current cell row. */
PERLANE_INLINE void emit_rows(const struct fill *fill, size_t k, size_t r0, size_t r1, float *to,
                              ptrdiff_t pitch, const float *sum, int stream) {
  const struct strip_octave *octave = &fill->octave[k];
  const struct cell_row cell = {octave->middle, octave->rise, octave->tilt[0], octave->tilt[1]};
  const struct axis_arrays *rows = &fill->rows[k];
  const size_t n = fill->columns, sum_pitch = sum ? fill->pitch : 0;
  size_t r = r0;
  if (stream) {
    for (; r < r1; r++, to += pitch)
      stream_row(&cell, fold_y(rows, r), n, to, sum ? sum + (r - r0) * sum_pitch : NULL);
    return;
  }
  for (; r + 2 <= r1; r += 2, to += 2 * pitch) {
    const float *sum1 = sum ? sum + (r - r0) * sum_pitch : NULL;
    emit_two_rows(&cell, fold_y(rows, r), fold_y(rows, r + 1), n, to, to + pitch, sum1,
                  sum ? sum1 + sum_pitch : NULL);
  }
  if (r < r1)
    emit_row(&cell, fold_y(rows, r), 0, n, to, sum ? sum + (r - r0) * sum_pitch : NULL);
}

/* Rows r0 .. r1 - 1 of the row table in one octave, to rows starting at `to`. */
static void octave_rows(struct fill *fill, size_t k, size_t plane, size_t r0, size_t r1, float *to,
                        ptrdiff_t pitch, const float *sum, int stream) {
  const double *cell = fill->rows[k].cell;
  struct axis_lanes z = {0};
  if (fill->dims >= 3)
    z = axis_broadcast(&fill->planes[k], plane);
  for (size_t r = r0; r < r1;) {
    size_t end = r + 1;
    while (end < r1 && cell[end] == cell[r])
      end++;
    enter_cell_row(fill, k, r, &z);
    if (sum)
      emit_rows(fill, k, r, end, to, pitch, sum, stream);
    else
      emit_rows(fill, k, r, end, to, pitch, NULL, stream);
    to += (ptrdiff_t)(end - r) * pitch;
    sum = sum ? sum + (end - r) * fill->pitch : NULL;
    r = end;
  }
}

/* The `rows` rows of the row table in one plane, to the strip whose first sample is at `to`. */
static void fill_plane(struct fill *fill, size_t plane, size_t rows, float *to) {
  const ptrdiff_t x_stride = fill->grid->stride[0], y_stride = fill->grid->stride[1];
  if (!fill->via_tile) {
    octave_rows(fill, 0, plane, 0, rows, to, y_stride, NULL, fill->stream);
    return;
  }
  const size_t last = (size_t)fill->octaves - 1;
  const ptrdiff_t tile_pitch = (ptrdiff_t)fill->pitch;
  for (size_t r = 0; r < rows; r += TILE_ROWS, to += TILE_ROWS * y_stride) {
    const size_t end = r + TILE_ROWS < rows ? r + TILE_ROWS : rows;
    for (size_t k = 0; k <= last; k++) {
      const float *sum = k == 0 ? NULL : fill->tile;
      if (k == last && x_stride == 1)
        octave_rows(fill, k, plane, r, end, to, y_stride, sum, fill->stream);
      else
        octave_rows(fill, k, plane, r, end, fill->tile, tile_pitch, sum, 0);
    }
    if (x_stride != 1)
      for (size_t j = 0; j < end - r; j++)
        for (size_t i = 0; i < fill->columns; i++)
          to[(ptrdiff_t)j * y_stride + (ptrdiff_t)i * x_stride] = fill->tile[j * fill->pitch + i];
  }
}

/* All planes of `rows` rows from row y on, of the current strip. */
static void fill_rows(struct fill *fill, size_t y, size_t rows) {
  const perlane_grid *grid = fill->grid;
  const size_t octaves = (size_t)fill->octaves;
  for (size_t k = 0; k < octaves; k++)
    axis_pass_grid(&fill->rows[k], grid, 1, y, rows, &fill->noise->octave[k]);
  float *to = fill->out + (ptrdiff_t)fill->x * grid->stride[0] + (ptrdiff_t)y * grid->stride[1];
  for (size_t w = 0; w < grid->count[3]; w++, to += grid->stride[3]) {
    if (fill->dims == 4)
      for (size_t k = 0; k < octaves; k++) {
        axis_pass_grid(&fill->planes[k], grid, 3, w, 1, &fill->noise->octave[k]);
        fill->w[k] = axis_broadcast(&fill->planes[k], 0);
      }
    for (size_t z = 0; z < grid->count[2]; z++) {
      const size_t entry = z % TILE_ROWS, left = grid->count[2] - z;
      if (fill->dims >= 3) {
        if (entry == 0)
          for (size_t k = 0; k < octaves; k++)
            axis_pass_grid(&fill->planes[k], grid, 2, z, left < TILE_ROWS ? left : TILE_ROWS,
                           &fill->noise->octave[k]);
        for (size_t k = 0; k < octaves; k++)
          fill->octave[k].valid = 0; /* the lattice rows were those of another plane */
      }
      fill_plane(fill, entry, rows, to + (ptrdiff_t)z * grid->stride[2]);
    }
  }
}

/* How many columns a strip has, so that its arrays fit in STRIP_FLOATS. */
static size_t strip_columns(size_t octaves, int via_tile, size_t count) {
  const size_t granule = 32; /* a multiple of every LANES */
  const size_t floats = octaves * (AXIS_FLOATS(1) + LATTICE_ARRAYS) + (via_tile ? TILE_ROWS : 0);
  size_t columns = STRIP_FLOATS / floats / granule * granule;
  if (columns > STRIP_MOST_COLUMNS)
    columns = STRIP_MOST_COLUMNS;
  if (columns > count)
    columns = (count + granule - 1) / granule * granule;
  return columns;
}

static void fill_grid(const perlane_noise *noise, const perlane_grid *grid, float *out) {
  /* A streamed row's last vector may start at any column and read past the last one: what is behind
   * an array, or the room for a vector behind them all. */
  _Alignas(LINE_BYTES) float strip_memory[STRIP_FLOATS + LANES];
  _Alignas(LINE_BYTES) float row_memory[AXIS_FLOATS_WITH_CELL(TABLE_ENTRIES)];
  _Alignas(LINE_BYTES) float plane_memory[AXIS_FLOATS(TABLE_ENTRIES)];
  struct fill fill;
  const size_t octaves = (size_t)noise->params.octaves;
  const size_t samples = grid->count[0] * grid->count[1] * grid->count[2] * grid->count[3];
  fill.noise = noise;
  fill.grid = grid;
  fill.out = out;
  fill.tables = gradient_tables(grid->dims);
  fill.dims = grid->dims;
  fill.octaves = noise->params.octaves;
  fill.via_tile = octaves > 1 || grid->stride[0] != 1;
  fill.stream = samples >= STREAM_BYTES / sizeof(float);
  fill.pitch = strip_columns(octaves, fill.via_tile, grid->count[0]);
  fill.rows_most = TABLE_ENTRIES / octaves / TILE_ROWS * TILE_ROWS;
  float *memory = strip_memory;
  for (size_t k = 0; k < octaves; k++) {
    struct strip_octave *octave = &fill.octave[k];
    octave->columns = axis_arrays_in(memory, fill.pitch, 0);
    memory += AXIS_FLOATS(fill.pitch);
    float **array[LATTICE_ARRAYS] = {&octave->value[0], &octave->value[1], &octave->tilt[0],
                                     &octave->tilt[1],  &octave->middle,   &octave->rise};
    for (int a = 0; a < LATTICE_ARRAYS; a++, memory += fill.pitch)
      *array[a] = memory;
    fill.rows[k] =
        axis_arrays_in(row_memory + k * AXIS_FLOATS_WITH_CELL(fill.rows_most), fill.rows_most, 1);
    fill.planes[k] = axis_arrays_in(plane_memory + k * AXIS_FLOATS(TILE_ROWS), TILE_ROWS, 0);
  }
  fill.tile = memory;

  for (fill.x = 0; fill.x < grid->count[0]; fill.x += fill.pitch) {
    const size_t left = grid->count[0] - fill.x;
    fill.columns = left < fill.pitch ? left : fill.pitch;
    for (size_t k = 0; k < octaves; k++) {
      axis_pass_grid(&fill.octave[k].columns, grid, 0, fill.x, fill.columns, &noise->octave[k]);
      fill.octave[k].valid = 0;
    }
    for (size_t y = 0; y < grid->count[1]; y += fill.rows_most) {
      const size_t rows = grid->count[1] - y;
      fill_rows(&fill, y, rows < fill.rows_most ? rows : fill.rows_most);
    }
  }
  if (fill.stream)
    stream_fence();
}
