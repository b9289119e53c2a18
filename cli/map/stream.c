/* SPDX-License-Identifier: MIT */
#include "map/stream.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- Samples ---- */

uint64_t cli_grid_samples(const perlane_grid *grid) {
  uint64_t samples = 1;
  for (int a = 0; a < grid->dims; a++)
    samples *= grid->count[a];
  return samples;
}

/* Makes integers of values that have been kept, as perlane_fill_u8 and perlane_fill_u16 do. */
static perlane_status convert_values(const struct cli_stream *stream, const perlane_grid *grid,
                                     void *samples) {
  const struct cli_map *map = stream->map;
  const float to_whole = 8388608; /* 2^23: sums are rounded to whole numbers */
  const float low = map->low, most = map->bits == 8 ? 255 : 65535;
  const float levels = (float)((double)most / ((double)map->high - (double)low));
  const size_t row = (size_t)stream->valued.count[0], width = (size_t)grid->count[0];
  const float *value = stream->values + (size_t)(grid->first[1] - stream->valued.first[1]) * row +
                       (size_t)(grid->first[0] - stream->valued.first[0]);
  for (size_t y = 0; y < grid->count[1]; y++, value += row)
    for (size_t x = 0; x < width; x++) {
      const float level = (value[x] - low) * levels;
      const float clamped = level > 0 ? level < most ? level : most : 0; /* 0 for NaN */
      const int integer = (int)(clamped + to_whole - to_whole);
      if (map->bits == 8)
        ((uint8_t *)samples)[y * width + x] = (uint8_t)integer;
      else
        ((uint16_t *)samples)[y * width + x] = (uint16_t)integer;
    }
  return PERLANE_OK;
}

perlane_status cli_stream_fill(const struct cli_stream *stream, perlane_grid grid, void *samples,
                               float *scratch) {
  const struct cli_map *map = stream->map;
  if (stream->values)
    return convert_values(stream, &grid, samples);
  if (stream->plan)
    return perlane_picture_fill(stream->plan, stream->noise, &grid, scratch, samples);
  switch (map->bits) {
  case 8:
    return perlane_fill_u8(stream->noise, &grid, map->low, map->high, samples);
  case 16:
    return perlane_fill_u16(stream->noise, &grid, map->low, map->high, samples);
  default:
    return perlane_fill(stream->noise, &grid, samples);
  }
}

/* ---- Pieces ---- */

/* A map is cut into pieces, which follow one another in the file. They are the same for any number
 * of threads, because what compression makes of them depends on where they end. */
enum { PIECE_BYTES = 1 << 19, MAX_WORKERS_BYTES = 1 << 30 };

/* Rows and planes share lattice edges with their neighbours, so pieces have several whole ones, if
 * these are not too large. Otherwise a piece is a part of a row. */
static void unit_in_order(const perlane_grid *grid, uint64_t sample_bytes,
                          uint64_t unit[PERLANE_MAX_DIMS]) {
  enum { ROWS = 32, PLANES = 8, MAX_BYTES = 32 << 20 };
  const uint64_t row = grid->count[0] * sample_bytes, rows = MAX_BYTES / row;
  if (grid->dims < 2 || rows == 0)
    return;
  unit[0] = grid->count[0];
  unit[1] = rows < ROWS ? rows : ROWS;
  if (grid->dims > 2 && grid->count[1] <= rows / PLANES) {
    unit[1] = grid->count[1];
    unit[2] = PLANES;
  }
}

/* ---- The stream ---- */

/* A run of cli_stream_write. */
struct run {
  const struct cli_stream *stream;
  const struct cli_format *format;
  perlane_grid grid;                       /* the map's */
  uint64_t unit[PERLANE_MAX_DIMS], pieces; /* as perlane_grid_piece takes them */
};

/* A thread's own piece and memory. */
struct worker {
  struct cli_piece piece;
  struct cli_bytes samples, scratch;
  void *work; /* PERLANE_WORK_BYTES, or NULL: fills then take longer */
};

static perlane_grid piece_grid(const struct run *run, uint64_t p) {
  perlane_grid grid = run->grid;
  perlane_grid_piece(&run->grid, run->unit, run->pieces, p, &grid, NULL);
  memset(grid.stride, 0, sizeof grid.stride);
  return grid;
}

static perlane_status cut_map(struct run *run) {
  const struct cli_stream *stream = run->stream;
  const uint64_t sample_bytes = cli_sample_bytes(stream->map);
  const uint64_t bytes = cli_grid_samples(&stream->grid) * sample_bytes;
  run->grid = stream->grid;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    run->unit[a] = 1;
  if (run->format->piece_unit)
    run->format->piece_unit(stream->map, run->unit);
  else
    unit_in_order(&run->grid, sample_bytes, run->unit);
  return perlane_grid_cut(&run->grid, run->unit, (bytes - 1) / PIECE_BYTES + 1, &run->pieces);
}

/* Returns how many threads there can be without taking too much memory: pieces are small, unless a
 * single row is large. */
static int useful_threads(const struct run *run) {
  const perlane_grid grid = piece_grid(run, 0);
  const uint64_t bytes = cli_grid_samples(&grid) * cli_sample_bytes(run->stream->map);
  const uint64_t room = MAX_WORKERS_BYTES / bytes;
  const uint64_t threads = (uint64_t)run->stream->threads;
  const uint64_t wanted = threads < run->pieces ? threads : run->pieces;
  return wanted <= room ? (int)wanted : room > 1 ? (int)room : 1;
}

/* The smallest and the largest sample are found as a format that writes nothing. */
static const char *write_extremes(void *all, const struct cli_piece *piece) {
  struct cli_piece *ends = all;
  ends->low = fminf(ends->low, piece->low);
  ends->high = fmaxf(ends->high, piece->high);
  return NULL;
}

static const struct cli_format EXTREMES = {.write = write_extremes};

/* Counts the levels of a piece of integers. Signed ones have comparisons in all vectors. */
#define COUNT_LEVELS(name, type, half)                                                             \
  static void name(struct cli_piece *piece) {                                                      \
    enum { BLOCK = 4096 }; /* 16 bits count them */                                                \
    const size_t count = piece->width * piece->rows;                                               \
    const u##type *sample = (const void *)piece->samples;                                          \
    type low = (half)-1, high = -(half);                                                           \
    piece->ends = 0;                                                                               \
    for (size_t begin = 0; begin < count; begin += BLOCK) {                                        \
      const size_t end = count - begin < BLOCK ? count : begin + BLOCK;                            \
      uint16_t ends = 0;                                                                           \
      for (size_t i = begin; i < end; i++) {                                                       \
        const type level = (type)(sample[i] ^ (half));                                             \
        low = level < low ? level : low;                                                           \
        high = level > high ? level : high;                                                        \
        ends = (uint16_t)(ends + ((level == -(half)) | (level == (half)-1)));                      \
      }                                                                                            \
      piece->ends += ends;                                                                         \
    }                                                                                              \
    piece->low = (float)(low + (half));                                                            \
    piece->high = (float)(high + (half));                                                          \
  }
COUNT_LEVELS(count_bytes, int8_t, 128)
COUNT_LEVELS(count_words, int16_t, 32768)

static void add_levels(struct cli_levels *levels, const struct cli_piece *piece) {
  levels->low = levels->samples == 0 ? piece->low : fminf(levels->low, piece->low);
  levels->high = levels->samples == 0 ? piece->high : fmaxf(levels->high, piece->high);
  levels->ends += piece->ends;
  levels->samples += piece->width * piece->rows;
}

static const char *fill_piece(const struct run *run, struct worker *worker, uint64_t p) {
  struct cli_piece *piece = &worker->piece;
  perlane_grid grid = piece_grid(run, p);
  piece->column = (size_t)(grid.first[0] - run->grid.first[0]);
  piece->row = grid.dims > 1 ? (size_t)(grid.first[1] - run->grid.first[1]) : 0;
  piece->width = grid.count[0];
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no map is empty */
  piece->rows = (size_t)cli_grid_samples(&grid) / piece->width;
  piece->packed.size = 0;
  grid.work = worker->work;
  grid.work_bytes = worker->work ? PERLANE_WORK_BYTES : 0;
  const perlane_picture_plan *plan = run->stream->plan;
  const size_t scratch_floats = plan ? perlane_picture_scratch(plan, &grid) : 0;
  if (!cli_bytes_reserve(&worker->samples,
                         piece->width * piece->rows * cli_sample_bytes(run->stream->map)) ||
      !cli_bytes_reserve(&worker->scratch, scratch_floats * sizeof(float)))
    return strerror(ENOMEM);
  piece->samples = worker->samples.data;
  float *floats = (float *)(void *)piece->samples, *scratch = (float *)(void *)worker->scratch.data;
  if (run->format == &EXTREMES && run->stream->values) /* a piece is a run of the map's samples */
    floats = run->stream->values + piece->row * run->grid.count[0] + piece->column;
  const perlane_status status =
      run->format == &EXTREMES
          ? perlane_fill_extremes(run->stream->noise, &grid, floats, &piece->low, &piece->high)
          : cli_stream_fill(run->stream, grid, piece->samples, scratch);
  if (run->stream->levels)
    (run->stream->map->bits == 8 ? count_bytes : count_words)(piece);
  return status == PERLANE_OK ? NULL : perlane_status_string(status);
}

/* Computes and packs pieces by all threads, each of which then waits until it is its turn to write.
 * As all pieces take about the same time, a thread seldom waits long. */
const char *cli_stream_write(struct cli_stream *stream, const struct cli_format *format,
                             void *writer) {
  enum { BATCH = 4096 }; /* pieces until threads agree on going on */
  static char problem[160];
  struct run run = {.stream = stream, .format = format};
  atomic_int stopped = 0;
  int ended = 0;
  const perlane_status status = cut_map(&run);
  if (status != PERLANE_OK)
    return perlane_status_string(status);
  stream->threads = useful_threads(&run);
#pragma omp parallel num_threads(stream->threads)
  {
    struct worker worker = {.work = malloc(PERLANE_WORK_BYTES)};
    for (uint64_t begin = 0; begin < run.pieces && !ended; begin += BATCH) {
      const uint64_t left = run.pieces - begin, end = begin + (left > BATCH ? BATCH : left);
#pragma omp for ordered schedule(dynamic, 1)
      for (uint64_t p = begin; p < end; p++) {
        const char *wrong = stopped               ? NULL
                            : cli_output_caught() ? "interrupted"
                                                  : fill_piece(&run, &worker, p);
        if (!wrong && !stopped && format->pack)
          wrong = format->pack(writer, &worker.piece);
#pragma omp ordered
        if (!stopped) {
          if (!wrong)
            wrong = format->write(writer, &worker.piece);
          if (stream->levels)
            add_levels(stream->levels, &worker.piece);
          cli_progress_add(stream->progress, worker.piece.width * worker.piece.rows);
          snprintf(problem, sizeof problem, "%s", wrong ? wrong : "");
          stopped = wrong != NULL;
        }
      }
#pragma omp single
      ended = stopped;
    }
    free(worker.samples.data);
    free(worker.scratch.data);
    free(worker.work);
    free(worker.piece.packed.data);
  }
  return stopped ? problem : NULL;
}

const char *cli_stream_extremes(const struct cli_stream *stream, const perlane_grid *grid,
                                float *low, float *high) {
  const struct cli_map map = {.dims = grid->dims, .channels = 1, .bits = 32};
  struct cli_piece ends = {.low = FLT_MAX, .high = -FLT_MAX};
  struct cli_stream floats = *stream;
  floats.map = &map;
  floats.grid = *grid;
  floats.plan = NULL;
  const char *problem = cli_stream_write(&floats, &EXTREMES, &ends);
  *low = ends.low;
  *high = ends.high;
  return problem;
}
