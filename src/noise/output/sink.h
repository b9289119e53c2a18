/* SPDX-License-Identifier: MIT
 *
 * The sink: the way out of a fill. It owns the output's format, strides, extremes (but for
 * those of expressions, which skip NaN) and stores, and whether stores bypass the caches. A
 * producer that has samples in memory hands it runs of them; one that has them in registers asks it
 * for segments, stores them there, and so goes straight to the output.
 */
#ifndef PERLANE_NOISE_OUTPUT_SINK_H
#define PERLANE_NOISE_OUTPUT_SINK_H

#include "../octaves/finish.h"
#include "store.h"

/* ---- Extremes ---- */

/* Smallest and largest so far, in each lane. */
struct extremes {
  vf smallest, largest;
};

PERLANE_INLINE struct extremes empty_extremes(void) {
  return (struct extremes){f_set(FLT_MAX), f_set(-FLT_MAX)};
}

PERLANE_INLINE void include_vector(struct extremes *extremes, vf v) {
  extremes->smallest = f_min(extremes->smallest, v);
  extremes->largest = f_max(extremes->largest, v);
}

static void include_samples(struct extremes *extremes, const float *samples, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    include_vector(extremes, f_load(samples + i));
  for (; i < n; i++)
    include_vector(extremes, f_set(samples[i]));
}

/* A zero of either sign becomes +0. */
static void write_extremes(const struct perlane_output *output, const struct extremes *extremes) {
  if (!output->extremes)
    return;
  float low[LANES], high[LANES];
  f_store(low, extremes->smallest);
  f_store(high, extremes->largest);
  for (size_t l = 1; l < LANES; l++) {
    low[0] = low[l] < low[0] ? low[l] : low[0];
    high[0] = high[l] > high[0] ? high[l] : high[0];
  }
  output->extremes[0] = low[0] + 0.0f;
  output->extremes[1] = high[0] + 0.0f;
}

/* ---- Strips ---- */

_Static_assert(STRIP_GRANULE % LANES == 0, "strips are whole vectors");

/* The strips of columns that are computed together. Where stores bypass the caches, no two share a
 * cache line of the output. */
struct strips {
  size_t count;   /* columns of the grid */
  size_t in_line; /* samples of a cache line, or 0 where rows are not streamed */
  size_t width;   /* of a strip at most */
  size_t advance; /* columns from one strip to the next */
  size_t lead;    /* columns before the grid in the first strip */
  size_t overlap; /* columns that a strip shares with the next */
  /* The current strip: */
  ptrdiff_t x; /* its first column, below 0 where a cache line begins before the grid */
  size_t columns;
  int last; /* no strip follows */
};

/* Decides where strips begin. For rows that are streamed: where all begin at the same place in a
 * cache line, a strip begins there; otherwise strips overlap by a line, and each row takes its own
 * part. */
static struct strips strips_of(const struct perlane_region *grid,
                               const struct perlane_output *output, int stream) {
  struct strips strips = {.count = grid->count[0]};
  if (!stream)
    return strips;
  const unsigned shift = sample_shift(output);
  const size_t in_line = strips.in_line = (size_t)CACHE_LINE_BYTES >> shift;
  const uintptr_t first = (uintptr_t)(output->value ? output->value : output->gradient[0]) >> shift;
  int alike = 1;
  for (int a = 1; a < grid->dims; a++)
    alike &= grid->count[a] == 1 || grid->stride[a] % (ptrdiff_t)in_line == 0;
  for (int a = 0; output->gradient[0] && a < grid->dims; a++)
    alike &= (((uintptr_t)output->gradient[a] >> shift) - first) % in_line == 0;
  if (alike)
    strips.lead = first % in_line;
  else
    strips.overlap = in_line;
  return strips;
}

/* Makes all strips about equal, of at most `max` columns. Where rows are streamed, whole cache
 * lines are from one strip to the next. */
static void balance_strips(struct strips *strips, size_t max) {
  const size_t granule = strips->in_line > STRIP_GRANULE ? strips->in_line : STRIP_GRANULE;
  const size_t count = strips->lead + strips->count, overlap = strips->overlap;
  if (count <= max) {
    strips->overlap = 0;
    strips->width = strips->advance = (count + STRIP_GRANULE - 1) / STRIP_GRANULE * STRIP_GRANULE;
    return;
  }
  const size_t number = (count - overlap + max - overlap - 1) / (max - overlap);
  const size_t even = (count - overlap + number - 1) / number;
  strips->advance = (even + granule - 1) / granule * granule;
  if (strips->advance + overlap > max)
    strips->advance = (max - overlap) / granule * granule;
  strips->width = strips->advance + overlap;
}

PERLANE_INLINE void begin_strip(struct strips *strips, ptrdiff_t x) {
  const size_t left = (size_t)((ptrdiff_t)strips->count - x);
  strips->x = x;
  strips->last = left <= strips->width;
  strips->columns = strips->last ? left : strips->width;
}

static void first_strip(struct strips *strips) {
  begin_strip(strips, -(ptrdiff_t)strips->lead);
}

/* Returns 0 after the last strip. */
static int next_strip(struct strips *strips) {
  if (strips->last)
    return 0;
  begin_strip(strips, strips->x + (ptrdiff_t)strips->advance);
  return 1;
}

/* The strip's columns that are stored in one row of an output. */
struct span {
  size_t begin, end;
};

/* The part of a row whose column 0 is at `offset` of `array`, which has elements of 1 << shift
 * bytes. A streamed row begins and ends at cache lines, but at the ends of the grid. */
PERLANE_INLINE struct span span_of(const struct strips *strips, const void *array, unsigned shift,
                                   ptrdiff_t offset) {
  struct span span = {strips->x < 0 ? (size_t)-strips->x : 0, strips->columns};
  if (strips->overlap == 0)
    return span;
  const size_t to_line =
      (0 - (((uintptr_t)array >> shift) + (uintptr_t)offset)) & (strips->in_line - 1);
  if (strips->x > 0)
    span.begin = to_line < span.end ? to_line : span.end;
  if (!strips->last)
    span.end = strips->advance + to_line < span.end ? strips->advance + to_line : span.end;
  return span;
}

/* ---- The sink ---- */

struct sink {
  const struct perlane_output *output;
  const struct perlane_region *grid;
  unsigned shift;   /* bytes of a sample: 1 << shift */
  size_t granule;   /* columns that are stored directly are a multiple of this power of 2 */
  int arrays;       /* 1, or 1 + dims with derivatives */
  int streams;      /* stores bypass the caches */
  int is_raw;       /* floats, of which nothing is to be found or finished */
  int in_registers; /* vectors of samples may be finished before they are stored: contiguous rows of
                       floats, whose finish needs no positions */
  struct finish finish;
  int ending; /* the kind of `finish` */
  struct strips strips;
  struct extremes extremes;
  struct open_line *line; /* of each array; NULL unless `streams` */
};

PERLANE_INLINE size_t samples_of_grid(const struct perlane_region *grid) {
  return grid->count[0] * grid->count[1] * grid->count[2] * grid->count[3];
}

PERLANE_INLINE int is_large(const struct perlane_region *grid,
                            const struct perlane_output *output) {
  return samples_of_grid(grid) >= (size_t)STREAM_BYTES >> sample_shift(output);
}

/* Returns 1 if rows are so short that few of their cache lines are whole, unless one row follows
 * the other. */
PERLANE_INLINE int has_short_rows(const struct perlane_region *grid) {
  return grid->count[0] <= SHORT_ROWS && grid->stride[0] == 1;
}

PERLANE_INLINE int is_packed(const struct perlane_region *grid) {
  return grid->stride[0] == 1 && grid->stride[1] == (ptrdiff_t)grid->count[0];
}

/* Decides how samples of `field` are finished, from the sum of its octaves on. A single octave is
 * shaped here, too, where it needs no derivatives and nothing comes in between. */
static void choose_finish(struct sink *sink, const struct field *field) {
  const int is_float = sink->output->format == FORMAT_FLOAT;
  const int is_lowered = field && needs_positions(field);
  sink->finish = field ? finish_of(field) : no_finish();
  if (field && field->shaped && field->octaves == 1 && sink->arrays == 1 && !is_lowered &&
      !is_eroded(field))
    sink->finish.shape = (perlane_fractal)field->params->fractal;
  sink->ending = finish_kind_of(&sink->finish);
  sink->is_raw = is_float && !sink->output->extremes && sink->ending == FINISH_NONE && !is_lowered;
  sink->in_registers =
      is_float && sink->grid->stride[0] == 1 && !is_lowered && (sink->is_raw || sink->arrays == 1);
}

/* Begins a fill whose samples are to be finished as those of `field`; NULL if they arrive finished.
 */
static void open_sink(struct sink *sink, const struct perlane_region *grid,
                      const struct perlane_output *output, const struct field *field) {
  sink->output = output;
  sink->grid = grid;
  sink->shift = sample_shift(output);
  sink->arrays = output->gradient[0] ? 1 + grid->dims : 1;
  sink->streams = STREAMS && grid->stride[0] == 1 && is_large(grid, output) &&
                  (!has_short_rows(grid) || is_packed(grid));
  sink->granule = sink->streams ? (size_t)CACHE_LINE_BYTES >> sink->shift : 2 * LANES;
  sink->line = NULL;
  choose_finish(sink, field);
  sink->strips = strips_of(grid, output, sink->streams);
  sink->extremes = empty_extremes();
}

/* Gives the sink the lines that it needs if it streams. */
static void open_lines(struct sink *sink, struct open_line line[MAX_ARRAYS]) {
  if (!sink->streams)
    return;
  sink->line = line;
  for (int j = 0; j < sink->arrays; j++)
    line[j].begin = line[j].end = 0;
}

/* Ends a fill: writes the open lines and the extremes, and orders streamed stores before later
 * ones.
 */
static void close_sink(struct sink *sink) {
  for (int j = 0; j < sink->arrays && sink->streams; j++)
    write_line(&sink->line[j]);
  if (sink->streams)
    stream_fence();
  write_extremes(sink->output, &sink->extremes);
}

/* ---- Places ---- */

/* Where columns begin .. end - 1 of a run of floats are stored, as whole vectors; of the last one,
 * only the lanes before end. */
struct segment {
  size_t begin, end;
  float *to;
  int stream; /* by store_vector past the caches: whole cache lines */
};

/* The part of a run that is less than a vector, before it is copied. */
enum { MAX_GRANULE = 32 };
_Static_assert(MAX_GRANULE >= 2 * LANES, "a piece");

/* A run of an array's samples, which leaves by one segment after the other. */
struct leaving {
  float *to; /* of column `begin`, the first that has no segment yet */
  size_t begin, end;
  struct open_line *line;
  float *piece;                           /* MAX_GRANULE floats */
  enum { DIRECT, IN_LINE, IN_PIECE } way; /* of the last segment */
};

/* The next segment of a run, after the one before has been written. Returns 0 after the last. (A
 * copy of a structure that has just been filled would wait for the stores, so none is made.) */
PERLANE_INLINE int next_segment(const struct sink *sink, struct leaving *row,
                                struct segment *segment) {
  const size_t written = segment->end - segment->begin;
  if (row->way == IN_LINE)
    close_line(row->line);
  else if (row->way == IN_PIECE)
    memcpy(row->to - written, row->piece, written * sizeof *row->to);
  if (row->begin == row->end)
    return 0;
  const size_t n = row->end - row->begin, rest = n & (sink->granule - 1);
  const size_t offset = (uintptr_t)row->to % CACHE_LINE_BYTES;
  size_t columns = rest == n ? n : n - rest, back = 0;
  row->way = DIRECT;
  if (sink->streams && (offset > 0 || rest == n)) {
    const size_t most = (CACHE_LINE_BYTES - offset) / sizeof *row->to;
    columns = n < most ? n : most;
    row->way = IN_LINE;
  } else if (rest == n && row->begin >= sink->granule - n) {
    back = sink->granule - n; /* the last columns, together with some before them, again */
  } else if (rest == n) {
    row->way = IN_PIECE;
  }
  segment->begin = row->begin - back;
  segment->end = row->begin + columns;
  segment->stream = sink->streams && row->way == DIRECT;
  segment->to = row->way == IN_LINE
                    ? open_line(row->line, (unsigned char *)row->to, columns * sizeof *row->to)
                : row->way == IN_PIECE ? row->piece
                                       : row->to - back;
  row->to += columns;
  row->begin = segment->end;
  return 1;
}

/* The open line of array j, which there is if the sink streams. */
PERLANE_INLINE struct open_line *line_of(const struct sink *sink, int j) {
  return sink->streams ? &sink->line[j] : NULL;
}

/* The part of a sample row of the current strip that goes to array j, where the row's column 0 is
 * at `offset`. */
PERLANE_INLINE struct leaving row_leaving(const struct sink *sink, int j, ptrdiff_t offset,
                                          float piece[MAX_GRANULE]) {
  float *array = output_array(sink->output, j);
  const struct span span = span_of(&sink->strips, array, sink->shift, offset);
  return (struct leaving){array + offset + (ptrdiff_t)span.begin,
                          span.begin,
                          span.end,
                          line_of(sink, j),
                          piece,
                          DIRECT};
}

/* ---- Runs from memory ---- */

/* Finishes n samples in place. */
static void finish_in_sink(const struct sink *sink, size_t n, const struct samples *samples) {
  if (sink->ending != FINISH_NONE)
    finish_samples(&sink->finish, n, sink->arrays, samples);
}

/* Stores n samples of array j, of which the output has the first at `offset`. Runs that follow each
 * other in the output share a line. */
static void store_array(struct sink *sink, int j, const float *values, size_t n, ptrdiff_t offset) {
  const struct perlane_output *output = sink->output;
  unsigned char *array = output_array(output, j);
  if (j == 0 && output->extremes)
    include_samples(&sink->extremes, values, n);
  if (!array)
    return;
  array += offset * ((ptrdiff_t)1 << sink->shift);
  if (!sink->streams) {
    store_values(output, values, n, array, sink->grid->stride[0]);
    return;
  }
  struct open_line *const line = line_of(sink, j);
  if (output->format == FORMAT_FLOAT) {
    stream_bytes(line, (const unsigned char *)values, n * sizeof *values, array);
    return;
  }
  _Alignas(CACHE_LINE_BYTES) unsigned char piece[PIECE_BYTES];
  const size_t max = PIECE_BYTES >> sink->shift;
  for (size_t i = 0; i < n; i += max) {
    const size_t columns = n - i < max ? n - i : max;
    store_values(output, values + i, columns, piece, 1);
    stream_bytes(line, piece, columns << sink->shift, array + (i << sink->shift));
  }
}

/* Stores n samples that begin at `start` in their arrays, and at `offset` in the output's. */
static PERLANE_NOINLINE void store_samples(struct sink *sink, const struct samples *samples,
                                           size_t start, size_t n, ptrdiff_t offset) {
  for (int j = 0; j < sink->arrays; j++)
    store_array(sink, j, samples->array[j] + start, n, offset);
}

/* Stores a sample row of the current strip, whose column 0 is at `offset`. */
static void store_row(struct sink *sink, const struct samples *samples, size_t start,
                      ptrdiff_t offset) {
  for (int j = 0; j < sink->arrays; j++) {
    const struct span span =
        span_of(&sink->strips, output_array(sink->output, j), sink->shift, offset);
    store_array(sink, j, samples->array[j] + start + span.begin, span.end - span.begin,
                offset + (ptrdiff_t)span.begin);
  }
}

/* ---- Fetching ahead ---- */

/* Fetches the cache lines at the ends of sample rows that will soon be written, array by array, if
 * they are not written whole. `offset` is that of the first one's column 0. (Inlined: gcc drops
 * calls of a function that only prefetches.) */
PERLANE_INLINE void prefetch_ends(const struct sink *sink, size_t rows, ptrdiff_t offset) {
  const struct strips *strips = &sink->strips;
  if (!sink->streams || strips->in_line == 0 || (strips->x > 0 && !strips->last))
    return;
  const uintptr_t size = (uintptr_t)1 << sink->shift;
  for (int j = 0; j < sink->arrays; j++) {
    const uintptr_t array = (uintptr_t)output_array(sink->output, j);
    for (size_t r = 0; r < rows; r++) {
      const ptrdiff_t row = offset + (ptrdiff_t)r * sink->grid->stride[1];
      const uintptr_t begin = array + size * (uintptr_t)(row - strips->x);
      const uintptr_t end = array + size * (uintptr_t)(row + (ptrdiff_t)strips->columns);
      if (strips->x <= 0 && begin % CACHE_LINE_BYTES != 0)
        PERLANE_PREFETCH(begin);
      if (strips->last && end % CACHE_LINE_BYTES != 0)
        PERLANE_PREFETCH(end);
    }
  }
}

#endif
