/* SPDX-License-Identifier: MIT
 *
 * Emission: the sample rows of a cell row, from the lattice rows around it, 3 multiplications and 3
 * additions a sample. They go to memory, or from registers to the segments of the sink: floats,
 * which are finished there, and whose extremes are found there.
 */
#ifndef PERLANE_NOISE_GRID_EMISSION_H
#define PERLANE_NOISE_GRID_EMISSION_H

#include "../lattice/combine.h"
#include "../output/sink.h"

/* Sample rows to emit, all in the same cell row. Their derivatives along y are the same sum without
 * a middle, which is then a row of -0, from the derivatives of the weights. */
struct emission {
  const float *middle, *rise, *tilts; /* over the columns, of one channel */
  const float *centred, *a0, *a1;     /* over the rows of the row table: the weights along y */
  size_t columns;
  size_t sum_pitch;
  /* These change with the cell row: */
  const float *tilt0, *tilt1;
  size_t first, rows; /* of the row table */
  const float *sum;   /* what the samples are added to, or NULL */
};

/* Vectors of a row whose weights are loaded again for each, after the store of the one before, so
 * that they become operands of its products: with 16 lanes on Zen 4, a broadcast to a register
 * takes a cycle that no other instruction gets. With fewer lanes, a register for all takes less
 * time. */
enum { RELOADS_WEIGHTS = LANES == 16 };

/* The weights of one sample row, in every lane. */
struct fold_y {
  vf centred, a0, a1;
};

struct cell_lanes {
  vf middle, rise, tilt0, tilt1;
};

PERLANE_INLINE struct fold_y fold_y(const struct emission *emission, size_t r) {
  return (struct fold_y){f_set(emission->centred[emission->first + r]),
                         f_set(emission->a0[emission->first + r]),
                         f_set(emission->a1[emission->first + r])};
}

PERLANE_INLINE struct cell_lanes cell_load(const struct emission *emission, size_t i) {
  return (struct cell_lanes){f_load(emission->middle + i), f_load(emission->rise + i),
                             f_load(emission->tilt0 + i), f_load(emission->tilt1 + i)};
}

/* Constant: `add`, whether there is a sum to add to. */
PERLANE_INLINE vf sample(int add, struct cell_lanes cell, struct fold_y y, const float *sum) {
  const vf v = fold_value(cell.middle, cell.rise, cell.tilt0, cell.tilt1, y.centred, y.a0, y.a1);
  return add ? f_add(f_load(sum), v) : v;
}

/* LANES columns of `rows` sample rows, from column i on: the lattice rows are loaded once for all.
 * Constant: `rows`. */
PERLANE_INLINE void emit_column(int rows, int add, const struct emission *emission,
                                const struct fold_y y[ROWS_TOGETHER],
                                float *const out[ROWS_TOGETHER],
                                const float *const sum[ROWS_TOGETHER], size_t i) {
  struct cell_lanes cell = cell_load(emission, i);
  f_keep(cell.middle);
  f_keep(cell.rise);
  f_keep(cell.tilt0);
  f_keep(cell.tilt1);
  vf v[ROWS_TOGETHER];
  PERLANE_UNROLL for (int j = 0; j < rows; j++) v[j] =
      sample(add, cell, y[j], add ? sum[j] + i : NULL);
  PERLANE_UNROLL for (int j = 0; j < rows; j++) f_store(out[j] + i, v[j]);
}

/* Sample rows r .. r + rows - 1 at once. Constant: `rows`. */
PERLANE_INLINE void emit_together(int rows, int add, const struct emission *emission, size_t r,
                                  float *first, ptrdiff_t pitch) {
  const struct emission local = *emission;
  struct fold_y y[ROWS_TOGETHER];
  float *out[ROWS_TOGETHER];
  const float *sum[ROWS_TOGETHER];
  PERLANE_UNROLL for (int j = 0; j < rows; j++) {
    y[j] = fold_y(&local, r + (size_t)j);
    out[j] = first + j * pitch;
    sum[j] = add ? local.sum + (r + (size_t)j) * local.sum_pitch : NULL;
  }
  size_t i = 0;
  for (; i + LANES <= local.columns; i += LANES)
    emit_column(rows, add, &local, y, out, sum, i);
  if (i < local.columns)
    emit_column(rows, add, &local, y, out, sum, local.columns - LANES);
}

/* All sample rows, one or two columns of vectors after the other: in a narrow strip, rows are too
 * short for a loop each. */
PERLANE_INLINE void emit_narrow(int add, const struct emission *emission, float *out,
                                ptrdiff_t pitch) {
  const struct emission local = *emission;
  const size_t last = local.columns - LANES;
  for (size_t start = 0; start < local.columns; start += 2 * LANES) {
    const size_t i = start < last ? start : last, i2 = i + LANES < last ? i + LANES : last;
    const struct cell_lanes cell = cell_load(&local, i), cell2 = cell_load(&local, i2);
    ptrdiff_t row = 0; /* offsets, as no pointer may go past the last row */
    size_t sum_row = 0;
    for (size_t r = 0; r < local.rows; r++, row += pitch, sum_row += local.sum_pitch) {
      struct fold_y y = fold_y(&local, r);
      const vf v = sample(add, cell, y, add ? local.sum + sum_row + i : NULL);
      if (RELOADS_WEIGHTS) {
        f_store(out + row + i, v);
        y = fold_y(&local, r);
      }
      if (i < last)
        f_store(out + row + i2, sample(add, cell2, y, add ? local.sum + sum_row + i2 : NULL));
      if (!RELOADS_WEIGHTS)
        f_store(out + row + i, v);
    }
  }
}

/* Rows of less than a vector. */
PERLANE_INLINE void emit_parts(int add, const struct emission *emission, float *out,
                               ptrdiff_t pitch) {
  const struct emission local = *emission;
  const struct cell_lanes cell = cell_load(&local, 0);
  for (size_t r = 0; r < local.rows; r++)
    f_store_some(out + (ptrdiff_t)r * pitch,
                 sample(add, cell, fold_y(&local, r), add ? local.sum + r * local.sum_pitch : NULL),
                 local.columns);
}

PERLANE_INLINE void emit_rows_as(int add, const struct emission *emission, float *out,
                                 ptrdiff_t pitch) {
  size_t r = 0;
  if (emission->columns < LANES) {
    emit_parts(add, emission, out, pitch);
    return;
  }
  if (emission->columns <= NARROW_COLUMNS(LANES) && emission->rows > ROWS_TOGETHER) {
    emit_narrow(add, emission, out, pitch);
    return;
  }
  for (; r + ROWS_TOGETHER <= emission->rows; r += ROWS_TOGETHER)
    emit_together(ROWS_TOGETHER, add, emission, r, out + (ptrdiff_t)r * pitch, pitch);
  if (ROWS_TOGETHER > 2 && r + 2 <= emission->rows) {
    emit_together(2, add, emission, r, out + (ptrdiff_t)r * pitch, pitch);
    r += 2;
  }
  if (r < emission->rows)
    emit_together(1, add, emission, r, out + (ptrdiff_t)r * pitch, pitch);
}

/* Emits to memory: row r's first sample goes to to + r * pitch. A row's last vector ends with it,
 * so that it stores some samples again: where they are added to themselves, rows are whole vectors.
 */
static PERLANE_NOINLINE void emit_rows(const struct emission *emission, float *out,
                                       ptrdiff_t pitch) {
  if (emission->sum)
    emit_rows_as(1, emission, out, pitch);
  else
    emit_rows_as(0, emission, out, pitch);
}

/* ---- On their way to the output ---- */

/* LANES results from column i on. Constant: `kind`; and `add`, whether there is a sum to add to. */
PERLANE_INLINE vf result(int kind, int add, const struct finish *finish,
                         const struct emission *emission, struct fold_y y, const float *sum,
                         size_t i) {
  const vf v = sample(add, cell_load(emission, i), y, add ? sum + i : NULL);
  return finish_value(kind, finish, v, NULL);
}

/* Row r's columns of a segment: whole vectors, and unless they are raw, with FINISH_NONE, their
 * extremes. Constant: `kind`, `stream`, `add`. */
PERLANE_INLINE void columns_as(int kind, int stream, int add, struct sink *sink,
                               const struct emission *emission, size_t r,
                               const struct segment *segment) {
  const struct emission local = *emission;
  const struct fold_y y = fold_y(&local, r);
  const struct finish finish = sink->finish;
  const float *sum = add ? local.sum + r * local.sum_pitch : NULL;
  float *const out = segment->to;
  const size_t begin = segment->begin, end = segment->end;
  struct extremes extremes = sink->extremes;
  for (size_t i = begin; i < end; i += LANES) {
    const vf v = result(kind, add, &finish, &local, y, sum, i);
    if (kind != FINISH_NONE)
      include_vector(&extremes, v);
    store_vector(stream, out + (i - begin), v);
  }
  if (kind != FINISH_NONE)
    sink->extremes = extremes;
}

/* Row r's columns of a segment, any number of them: few. */
static PERLANE_NOINLINE void few_columns(struct sink *sink, const struct emission *emission,
                                         size_t r, const struct segment *segment) {
  const struct fold_y y = fold_y(emission, r);
  const int add = emission->sum != NULL;
  const float *sum = add ? emission->sum + r * emission->sum_pitch : NULL;
  for (size_t i = segment->begin; i < segment->end; i += LANES)
    f_store(segment->to + (i - segment->begin),
            result(sink->ending, add, &sink->finish, emission, y, sum, i));
  include_samples(&sink->extremes, segment->to, segment->end - segment->begin);
}

/* The same of raw samples, most of which are part of a cache line. (By columns_as, volumes
 * take 1.05 of the time.) */
PERLANE_INLINE void few_raw_columns(const struct emission *emission, size_t r,
                                    const struct segment *segment) {
  const struct fold_y y = fold_y(emission, r);
  const float *sum = emission->sum ? emission->sum + r * emission->sum_pitch : NULL;
  for (size_t i = segment->begin; i < segment->end; i += LANES) {
    const vf v = sample(0, cell_load(emission, i), y, NULL);
    f_store(segment->to + (i - segment->begin), sum ? f_add(f_load(sum + i), v) : v);
  }
}

static PERLANE_NOINLINE void finished_columns(struct sink *sink, const struct emission *emission,
                                              size_t r, const struct segment *segment) {
#define FLOATS(kind, add)                                                                          \
  segment->stream ? columns_as(kind, 1, add, sink, emission, r, segment)                           \
                  : columns_as(kind, 0, add, sink, emission, r, segment)
#define SHAPED(fractal)                                                                            \
  case PERLANE_FRACTAL_##fractal: /* a single octave */                                            \
    FLOATS(FINISH_CURVED + PERLANE_FRACTAL_##fractal, 0);                                          \
    return;
  if ((segment->end - segment->begin) % LANES != 0) {
    few_columns(sink, emission, r, segment);
    return;
  }
  switch (sink->finish.shape) {
    SHAPED(RIDGED)
    SHAPED(BILLOW)
    SHAPED(PING_PONG)
  case PERLANE_FRACTAL_FBM:
  case PERLANE_FRACTAL_NONE:
  case PERLANE_FRACTAL_ERODED:
  case PERLANE_FRACTAL_COUNT:
    break;
  }
  if (sink->ending == FINISH_CURVED && emission->sum)
    FLOATS(FINISH_CURVED, 1);
  else if (sink->ending == FINISH_CURVED)
    FLOATS(FINISH_CURVED, 0);
  else if (emission->sum)
    FLOATS(FINISH_LINEAR, 1);
  else
    FLOATS(FINISH_LINEAR, 0);
#undef SHAPED
#undef FLOATS
}

/* Emits to segments of the output's array j: row r's column 0 is at offset + r * stride. */
static PERLANE_NOINLINE void emit_segments(struct sink *sink, const struct emission *emission,
                                           int j, ptrdiff_t offset) {
  float piece[MAX_GRANULE];
  for (size_t r = 0; r < emission->rows; r++) {
    /* Not a running sum: it would overflow after the last row of the largest stride. */
    struct leaving row = row_leaving(sink, j, offset + (ptrdiff_t)r * sink->grid->stride[1], piece);
    struct segment segment = {0};
    while (next_segment(sink, &row, &segment))
      if (!sink->is_raw)
        finished_columns(sink, emission, r, &segment);
      else if (!segment.stream)
        few_raw_columns(emission, r, &segment);
      else if (emission->sum)
        columns_as(FINISH_NONE, 1, 1, sink, emission, r, &segment);
      else
        columns_as(FINISH_NONE, 1, 0, sink, emission, r, &segment);
  }
}

#endif
