/* SPDX-License-Identifier: MIT */
#include "map/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "../../omp/cut.h"
#include "commands/clock.h"

/* A map is cut into blocks, which follow one another in the file, and a block into pieces for the
 * threads. A fill of a piece stays below the size from which it bypasses the caches, because its
 * samples are read at once. Several pieces per thread let the threads finish together. */
enum { PIECE_BYTES = 1 << 20, PIECES_PER_THREAD = 4, MAX_BLOCK_BYTES = 32 << 20 };

int cli_stream_processors(void) {
#ifdef _OPENMP
  return omp_get_num_procs();
#else
  return 1;
#endif
}

static struct grid_cut cut_map(const struct cli_stream *stream, const struct cli_format *format) {
  const uint64_t wanted = (uint64_t)stream->threads * PIECES_PER_THREAD * PIECE_BYTES;
  const uint64_t max_bytes = wanted < MAX_BLOCK_BYTES ? wanted : MAX_BLOCK_BYTES;
  size_t unit[PERLANE_MAX_DIMS] = {1, 1, 1, 1};
  if (format->block_unit)
    format->block_unit(stream->map, unit);
  const uint64_t bytes = grid_samples(&stream->grid) * cli_sample_bytes(stream->map);
  return grid_cut_make(&stream->grid, unit, 1, quotient_up(bytes, max_bytes));
}

/* Returns the grid of block b, packed: in a bottom-up format the blocks and the rows in each of
 * them are in reverse order. */
static perlane_grid block_grid(const struct grid_cut *cut, uint64_t b, int bottom_up) {
  if (bottom_up)
    b = (cut->parts[1] - 1 - b / cut->parts[0]) * cut->parts[0] + b % cut->parts[0];
  ptrdiff_t offset;
  perlane_grid block = grid_cut_block(cut, b, &offset);
  memset(block.stride, 0, sizeof block.stride);
  if (bottom_up) {
    block.stride[0] = 1;
    block.stride[1] = -(ptrdiff_t)block.count[0];
  }
  return block;
}

/* ---- Samples ---- */

size_t cli_stream_scratch(const struct cli_stream *stream, const perlane_grid *grid) {
  const size_t width = grid->count[0], count = (size_t)grid_samples(grid);
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
  const size_t width = grid->count[0], count = (size_t)grid_samples(grid);
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

/* ---- The stream ---- */

/* A run of cli_stream_write. Threads share what follows `writer`. */
struct run {
  struct cli_stream *stream;
  const struct cli_format *format;
  void *writer;
  unsigned char *buffer[2]; /* for the block being computed and the one being written, in turn */
  const char *problem;
  _Atomic uint64_t stopped; /* the block during which there was a problem, or NEVER */
};
#define NEVER UINT64_MAX

struct scratch {
  float *samples; /* one thread's */
  size_t size;
};

static void stop(struct run *run, uint64_t block, const char *problem) {
#pragma omp critical
  run->problem = run->problem ? run->problem : problem;
  run->stopped = block;
}

static const char *write_block(struct run *run, const perlane_grid *block, unsigned char *samples) {
  const uint64_t count = grid_samples(block);
  const size_t rows = (size_t)(count / block->count[0]);
  const char *problem = run->format->write(run->writer, samples, block->count[0], rows);
  cli_progress_add(run->stream->progress, count);
  return problem;
}

/* Computes piece p of a block. */
static const char *fill_piece(struct run *run, const struct grid_cut *pieces, uint64_t p,
                              unsigned char *samples, struct scratch *scratch) {
  ptrdiff_t offset;
  const perlane_grid piece = grid_cut_block(pieces, p, &offset);
  const size_t wanted = cli_stream_scratch(run->stream, &piece);
  if (wanted > scratch->size) {
    free(scratch->samples);
    scratch->samples = malloc(wanted * sizeof(float));
    scratch->size = scratch->samples ? wanted : 0;
    if (!scratch->samples)
      return strerror(ENOMEM);
  }
  if (run->format->bottom_up) /* sample (0, 0) is in the last row */
    offset -= (ptrdiff_t)(pieces->grid.count[1] - 1) * pieces->grid.stride[1];
  samples += offset * (ptrdiff_t)cli_sample_bytes(run->stream->map);
  const perlane_status status = cli_stream_fill(run->stream, &piece, samples, scratch->samples);
  return status == PERLANE_OK ? NULL : perlane_status_string(status);
}

/* Allocates a buffer for any block. Touches its pages: otherwise the first fills would be charged
 * for the time that the system takes to map them. */
static unsigned char *make_buffer(const struct run *run, const struct grid_cut *cut) {
  const uint64_t bytes = grid_cut_max_samples(cut) * cli_sample_bytes(run->stream->map);
  unsigned char *buffer = bytes <= PTRDIFF_MAX ? malloc((size_t)bytes) : NULL;
  if (buffer)
    memset(buffer, 1, (size_t)bytes);
  return buffer;
}

static void compute_and_write(struct run *run, const struct grid_cut *cut) {
  struct cli_stream *stream = run->stream;
  const uint64_t threads = (uint64_t)stream->threads;
  const uint64_t piece_samples = PIECE_BYTES / cli_sample_bytes(stream->map);
  const int bottom_up = run->format->bottom_up;
  double seconds = 0;
#pragma omp parallel num_threads(stream->threads) reduction(+ : seconds)
  {
    struct scratch scratch = {NULL, 0};
    /* All threads meet at the end of each block, and leave after the one with a problem: what goes
     * wrong for a thread that is ahead by then belongs to the next block. */
    for (uint64_t b = 0; b <= cut->blocks && run->stopped >= b; b++) {
      /* One thread writes block b - 1 while the others begin with block b. */
#pragma omp single nowait
      if (b > 0) {
        const perlane_grid done = block_grid(cut, b - 1, bottom_up);
        const char *problem = write_block(run, &done, run->buffer[(b - 1) & 1]);
        if (problem)
          stop(run, b, problem);
      }
      struct grid_cut pieces = {.blocks = 0};
      if (b < cut->blocks) {
        const perlane_grid block = block_grid(cut, b, bottom_up);
        pieces =
            grid_cut_make(&block, FILL_UNIT, 0, parallel_blocks(&block, threads, piece_samples));
      }
#pragma omp for schedule(dynamic, 1)
      for (uint64_t p = 0; p < pieces.blocks; p++) {
        if (run->stopped != NEVER)
          continue;
        const double begin = cli_now();
        const char *problem = fill_piece(run, &pieces, p, run->buffer[b & 1], &scratch);
        seconds += cli_now() - begin;
        if (problem)
          stop(run, b, problem);
      }
    }
    free(scratch.samples);
  }
  stream->seconds = seconds;
}

const char *cli_stream_write(struct cli_stream *stream, const struct cli_format *format,
                             void *writer) {
  const struct grid_cut cut = cut_map(stream, format);
  struct run run = {.stream = stream, .format = format, .writer = writer, .stopped = NEVER};
  run.buffer[0] = make_buffer(&run, &cut);
  run.buffer[1] = cut.blocks > 1 ? make_buffer(&run, &cut) : run.buffer[0];
  if (run.buffer[0] && run.buffer[1])
    compute_and_write(&run, &cut);
  else
    run.problem = strerror(ENOMEM);
  if (cut.blocks > 1)
    free(run.buffer[1]);
  free(run.buffer[0]);
  return run.problem;
}
