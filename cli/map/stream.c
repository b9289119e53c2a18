/* SPDX-License-Identifier: MIT */
#include "map/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "map/clock.h"
#include "formats/output.h"

int cli_stream_processors(void) {
#ifdef _OPENMP
  return omp_get_num_procs();
#else
  return 1;
#endif
}

/* ---- Samples ---- */

uint64_t cli_grid_samples(const perlane_grid *grid) {
  uint64_t samples = 1;
  for (int a = 0; a < grid->dims; a++)
    samples *= grid->count[a];
  return samples;
}

size_t cli_stream_scratch(const struct cli_stream *stream, const perlane_grid *grid) {
  const size_t width = grid->count[0], count = (size_t)cli_grid_samples(grid);
  if (!stream->plan)
    return 0;
  if (stream->by_differences) /* samples with a border, and two rows of slopes */
    return (width + 2) * (count / width + 2) + 2 * width;
  return count * (stream->has_gradient ? 1 + (size_t)stream->map->dims : 1);
}

/* Computes the samples with a border of one sample, and each row of pixels from three rows of them:
 * tiles have the slopes that the whole map has there. */
static perlane_status fill_by_differences(const struct cli_stream *stream, const perlane_grid *grid,
                                          unsigned char *samples, ptrdiff_t row_bytes,
                                          float *scratch) {
  const size_t width = grid->count[0], height = grid->count[1];
  perlane_grid wide = *grid;
  memset(wide.stride, 0, sizeof wide.stride);
  for (int a = 0; a < 2; a++) {
    if (grid->first[a] == INT64_MIN || grid->first[a] > INT64_MAX - (int64_t)grid->count[a])
      return PERLANE_ERROR_RANGE;
    wide.first[a]--;
    wide.count[a] += 2;
  }
  const perlane_status status = perlane_fill(stream->noise, &wide, scratch);
  float *dx = scratch + (width + 2) * (height + 2), *dy = dx + width;
  for (size_t y = 0; status == PERLANE_OK && y < height; y++) {
    const float *above = scratch + y * (width + 2) + 1;
    const float *value = above + width + 2, *below = value + width + 2;
    for (size_t x = 0; x < width; x++) {
      dx[x] = (float)(((double)value[x + 1] - value[(ptrdiff_t)x - 1]) / (2 * grid->step[0]));
      dy[x] = (float)(((double)below[x] - above[x]) / (2 * grid->step[1]));
    }
    cli_picture_row(stream->plan, width, value, dx, dy, samples + (ptrdiff_t)y * row_bytes);
  }
  return status;
}

/* Computes packed values and gradients in `scratch`, then rows of pixels from them. */
static perlane_status fill_picture(const struct cli_stream *stream, const perlane_grid *grid,
                                   unsigned char *samples, float *scratch) {
  const size_t width = grid->count[0], count = (size_t)cli_grid_samples(grid);
  const ptrdiff_t stride = grid->stride[1] ? grid->stride[1] : (ptrdiff_t)width;
  const ptrdiff_t row_bytes = stride * (ptrdiff_t)cli_sample_bytes(stream->map);
  if (stream->by_differences)
    return fill_by_differences(stream, grid, samples, row_bytes, scratch);
  perlane_grid packed = *grid;
  memset(packed.stride, 0, sizeof packed.stride);
  float *array[1 + PERLANE_MAX_DIMS];
  for (int i = 0; i <= PERLANE_MAX_DIMS; i++)
    array[i] = scratch + (i <= grid->dims ? (size_t)i * count : 0);
  const perlane_status status =
      stream->has_gradient ? perlane_fill_gradient(stream->noise, &packed, array[0], array + 1)
                           : perlane_fill(stream->noise, &packed, array[0]);
  for (size_t y = 0; status == PERLANE_OK && y < grid->count[1]; y++)
    cli_picture_row(stream->plan, width, array[0] + y * width,
                    stream->has_gradient ? array[1] + y * width : NULL,
                    stream->has_gradient ? array[2] + y * width : NULL,
                    samples + (ptrdiff_t)y * row_bytes);
  return status;
}

perlane_status cli_stream_fill(const struct cli_stream *stream, const perlane_grid *grid,
                               void *samples, float *scratch) {
  if (stream->plan)
    return fill_picture(stream, grid, samples, scratch);
  switch (stream->map->bits) {
  case 8:
    return perlane_fill_u8(stream->noise, grid, stream->low, stream->high, samples);
  case 16:
    return perlane_fill_u16(stream->noise, grid, stream->low, stream->high, samples);
  default:
    return perlane_fill(stream->noise, grid, samples);
  }
}

/* ---- Pieces ---- */

/* A map is cut into pieces, which follow one another in the file. They are the same for any number
 * of threads, because what compression makes of them depends on where they end. */
enum { PIECE_BYTES = 1 << 19, MAX_WORKERS_BYTES = 1 << 30 };

/* Planes of a volume share lattice edges with their neighbours, so pieces have several, if these
 * are not too large. Otherwise a piece is a part of a plane or a row. */
static void unit_in_order(const perlane_grid *grid, uint64_t sample_bytes,
                          uint64_t unit[PERLANE_MAX_DIMS]) {
  enum { PLANES = 8, MAX_PLANES_BYTES = 32 << 20 };
  const uint64_t plane = grid->count[0] * grid->count[1] * sample_bytes;
  if (grid->dims < 3 || plane > MAX_PLANES_BYTES / PLANES)
    return;
  unit[0] = grid->count[0];
  unit[1] = grid->count[1];
  unit[2] = PLANES;
}

/* ---- The stream ---- */

/* A run of cli_stream_write. */
struct run {
  struct cli_stream *stream;
  const struct cli_format *format;
  void *writer;
  uint64_t unit[PERLANE_MAX_DIMS], pieces; /* as perlane_grid_piece takes them */
  uint64_t piece_bytes;                    /* of the largest one, with the rows above it */
  char problem[160];
  _Atomic int stopped; /* whether there is a problem */
};

/* A thread's own piece and memory. */
struct worker {
  struct cli_piece piece;
  unsigned char *samples; /* of the largest piece, and the rows above it; NULL without memory */
  struct cli_bytes scratch;
};

static void stop(struct run *run, const char *problem) {
#pragma omp critical
  if (!run->stopped) {
    snprintf(run->problem, sizeof run->problem, "%s", problem);
    run->stopped = 1;
  }
}

/* Returns the grid of piece p, packed: in a bottom-up format, whose units are samples, the pieces
 * and the rows in each of them are in reverse order. */
static perlane_grid piece_grid(const struct run *run, uint64_t p) {
  const perlane_grid *map = &run->stream->grid;
  const int bottom_up = run->format->bottom_up;
  const uint64_t across =
      bottom_up && run->pieces > map->count[1] ? run->pieces / map->count[1] : 1;
  if (bottom_up)
    p = run->pieces - across - p + 2 * (p % across);
  perlane_grid grid = *map;
  perlane_grid_piece(map, run->unit, run->pieces, p, &grid, NULL);
  memset(grid.stride, 0, sizeof grid.stride);
  if (bottom_up) {
    grid.stride[0] = 1;
    grid.stride[1] = -(int64_t)grid.count[0];
  }
  return grid;
}

static perlane_status cut_map(struct run *run) {
  const struct cli_stream *stream = run->stream;
  const uint64_t sample_bytes = cli_sample_bytes(stream->map);
  const uint64_t bytes = cli_grid_samples(&stream->grid) * sample_bytes;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    run->unit[a] = 1;
  if (run->format->piece_unit)
    run->format->piece_unit(stream->map, run->unit);
  else
    unit_in_order(&stream->grid, sample_bytes, run->unit);
  const perlane_status status =
      perlane_grid_cut(&stream->grid, run->unit, (bytes - 1) / PIECE_BYTES + 1, &run->pieces);
  for (uint64_t p = 0; p < run->pieces; p++) {
    const perlane_grid grid = piece_grid(run, p);
    const uint64_t above = run->format->above * grid.count[0];
    const uint64_t samples = cli_grid_samples(&grid) + above;
    if (samples * sample_bytes > run->piece_bytes)
      run->piece_bytes = samples * sample_bytes;
  }
  return status;
}

/* Returns how many threads there can be without taking too much memory: pieces are small, unless a
 * single row is large. */
static int useful_threads(const struct run *run) {
  const uint64_t room = MAX_WORKERS_BYTES / run->piece_bytes;
  const uint64_t threads = (uint64_t)run->stream->threads;
  const uint64_t wanted = threads < run->pieces ? threads : run->pieces;
  return wanted <= room ? (int)wanted : room > 1 ? (int)room : 1;
}

/* Allocates the samples. Touches their pages: otherwise the first fills would be charged for the
 * time that the system takes to map them. */
static struct worker begin_worker(const struct run *run) {
  const uint64_t bytes = run->piece_bytes;
  struct worker worker = {.samples = bytes <= PTRDIFF_MAX ? malloc((size_t)bytes) : NULL};
  if (worker.samples)
    memset(worker.samples, 1, (size_t)bytes);
  return worker;
}

static void end_worker(struct worker *worker) {
  free(worker->samples);
  free(worker->scratch.data);
  free(worker->piece.packed.data);
}

/* Computes piece p, and rows above it that the format needs. Rows above the map are 0. */
static const char *fill_piece(struct run *run, struct worker *worker, uint64_t p) {
  struct cli_piece *piece = &worker->piece;
  struct cli_stream *stream = run->stream;
  const size_t sample_bytes = cli_sample_bytes(stream->map), above = run->format->above;
  perlane_grid grid = piece_grid(run, p);
  unsigned char *samples = worker->samples;
  if (!samples)
    return strerror(ENOMEM);
  piece->column = (size_t)(grid.first[0] - stream->grid.first[0]);
  piece->row = grid.dims > 1 ? (size_t)(grid.first[1] - stream->grid.first[1]) : 0;
  piece->width = grid.count[0];
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no map is empty */
  piece->rows = (size_t)cli_grid_samples(&grid) / piece->width;
  piece->samples = samples + above * piece->width * sample_bytes;
  piece->packed.size = 0;
  if (above > piece->row) {
    memset(samples, 0, (size_t)(piece->samples - samples));
    samples = piece->samples;
  } else {
    grid.first[1] -= (int64_t)above;
    grid.count[1] += above;
  }
  if (run->format->bottom_up) /* sample (0, 0) is in the last row */
    samples -= (ptrdiff_t)(grid.count[1] - 1) * grid.stride[1] * (ptrdiff_t)sample_bytes;
  const size_t scratch = cli_stream_scratch(stream, &grid) * sizeof(float);
  if (!cli_bytes_reserve(&worker->scratch, scratch))
    return strerror(ENOMEM);
  const perlane_status status =
      cli_stream_fill(stream, &grid, samples, (float *)(void *)worker->scratch.data);
  return status == PERLANE_OK ? NULL : perlane_status_string(status);
}

/* Computes and packs pieces by all threads, each of which then waits until it is its turn to write.
 * As all pieces take about the same time, a thread seldom waits long. */
static void compute_and_write(struct run *run) {
  enum { BATCH = 4096 }; /* pieces until threads agree on going on */
  struct cli_stream *stream = run->stream;
  const struct cli_format *format = run->format;
  const uint64_t pieces = run->pieces;
  double filling = 0, packing = 0, writing = 0;
  int ended = 0;
  const sigset_t held = cli_output_hold_signals();
#pragma omp parallel num_threads(stream->threads) reduction(+ : filling, packing, writing)
  {
#pragma omp master
    cli_output_release_signals(held);
    struct worker worker = begin_worker(run);
    for (uint64_t begin = 0; begin < pieces && !ended; begin += BATCH) {
      const uint64_t end = pieces - begin > BATCH ? begin + BATCH : pieces;
#pragma omp for ordered schedule(dynamic, 1)
      for (uint64_t p = begin; p < end; p++) {
        const double start = cli_now();
        const char *problem = run->stopped ? NULL : fill_piece(run, &worker, p);
        const double filled = cli_now();
        if (!problem && !run->stopped)
          problem = format->pack(run->writer, &worker.piece);
        packing += cli_now() - filled;
        filling += filled - start;
#pragma omp ordered
        {
          const double turn = cli_now();
          if (!problem && !run->stopped) {
            problem = format->write(run->writer, &worker.piece);
            cli_progress_add(stream->progress, worker.piece.width * worker.piece.rows);
          }
          writing += cli_now() - turn;
          if (problem)
            stop(run, problem);
        }
      }
#pragma omp single
      ended = run->stopped;
    }
    end_worker(&worker);
  }
  stream->filling += filling;
  stream->packing += packing;
  stream->writing += writing;
}

const char *cli_stream_write(struct cli_stream *stream, const struct cli_format *format,
                             void *writer) {
  static struct run run;
  run = (struct run){.stream = stream, .format = format, .writer = writer};
  const perlane_status status = cut_map(&run);
  if (status != PERLANE_OK)
    return perlane_status_string(status);
  stream->threads = useful_threads(&run);
  compute_and_write(&run);
  return run.stopped ? run.problem : NULL;
}
