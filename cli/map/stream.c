/* SPDX-License-Identifier: MIT
 *
 * Blocks and the pieces of them that threads compute.
 */
#include "map/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "commands/clock.h"

/* A fill of a piece stays below the size from which it bypasses the caches, as its samples are read
 * at once. A block has several for each thread, so that they end together. */
enum { PIECE_BYTES = 1 << 20, PIECES_PER_THREAD = 4, MOST_BLOCK_BYTES = 32 << 20 };

/* How a map is cut: a block is whole along the axes before `axis`, `count` long along it, and one
 * sample thick along those after it, so that it lies in the file in one piece. */
struct cut {
  int axis;
  uint64_t count;     /* along the axis; the last block's may be fewer */
  uint64_t steps;     /* blocks along the axis */
  uint64_t blocks;    /* of the map */
  uint64_t layer;     /* samples of a block that is one long along the axis */
  uint64_t per_piece; /* along the axis */
};

struct buffers {
  unsigned char *samples[2];
  float *scratch; /* of all threads */
};

int cli_stream_processors(void) {
#ifdef _OPENMP
  return omp_get_num_procs();
#else
  return 1;
#endif
}

static int thread_number(void) {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

/* b is not 0: of sizes, which are at least 1. */
static uint64_t quotient_up(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0); /* NOLINT(clang-analyzer-core.DivideZero) */
}

static struct cut cut_map(const struct cli_map *map, const struct cli_format *format, int threads) {
  const uint64_t sample = cli_sample_bytes(map);
  const uint64_t wanted = (uint64_t)threads * PIECES_PER_THREAD * PIECE_BYTES;
  const uint64_t most = wanted < MOST_BLOCK_BYTES ? wanted : MOST_BLOCK_BYTES;
  struct cut cut = {.axis = map->dims > 1, .layer = map->dims > 1 ? map->size[0] : 1};
  while (!format->images && cut.axis + 1 < map->dims &&
         cut.layer * map->size[cut.axis] * sample <= most)
    cut.layer *= map->size[cut.axis++];
  const uint64_t size = map->size[cut.axis];
  const uint64_t rows = format->rows > 1 ? format->rows : 1;
  cut.count = most / (cut.layer * sample) / rows * rows;
  if (cut.count == 0)
    cut.count = rows;
  if (cut.count > size)
    cut.count = size;
  cut.steps = quotient_up(size, cut.count);
  cut.blocks = cut.steps;
  for (int a = cut.axis + 1; a < map->dims; a++)
    cut.blocks *= map->size[a];
  cut.per_piece = PIECE_BYTES / (cut.layer * sample);
  const uint64_t fair = quotient_up(cut.count, (uint64_t)threads);
  if (cut.per_piece > fair)
    cut.per_piece = fair;
  if (cut.per_piece == 0)
    cut.per_piece = 1;
  return cut;
}

/* The part of the map that block number b is. */
static perlane_grid block_grid(const struct cli_stream *stream, const struct cut *cut, uint64_t b,
                               int bottom_up) {
  perlane_grid grid = stream->grid;
  uint64_t step = b % cut->steps, outer = b / cut->steps;
  for (int a = cut->axis + 1; a < grid.dims; a++) {
    grid.first[a] += (int64_t)(outer % grid.count[a]);
    outer /= grid.count[a];
    grid.count[a] = 1;
  }
  const uint64_t size = grid.count[cut->axis];
  uint64_t begin = step * cut->count;
  uint64_t end = size - begin < cut->count ? size : begin + cut->count;
  if (bottom_up) {
    const uint64_t first = size - end;
    end = size - begin;
    begin = first;
  }
  grid.first[cut->axis] += (int64_t)begin;
  grid.count[cut->axis] = (size_t)(end - begin);
  return grid;
}

static size_t samples_of(const perlane_grid *grid) {
  size_t count = 1;
  for (int a = 0; a < grid->dims; a++)
    count *= grid->count[a];
  return count;
}

/* ---- Pieces ---- */

size_t cli_stream_scratch(const struct cli_stream *stream) {
  return !stream->plan ? 0 : stream->has_gradient ? 1 + (size_t)stream->map->dims : 1;
}

/* Values and gradients first, then pixels. */
static perlane_status fill_picture(const struct cli_stream *stream, const perlane_grid *grid,
                                   void *samples, float *scratch) {
  const size_t count = samples_of(grid);
  float *array[1 + PERLANE_MAX_DIMS];
  for (int i = 0; i <= PERLANE_MAX_DIMS; i++)
    array[i] = scratch + (i <= grid->dims ? (size_t)i * count : 0);
  const perlane_status status =
      stream->has_gradient ? perlane_fill_gradient(stream->noise, grid, array[0], array + 1)
                           : perlane_fill(stream->noise, grid, array[0]);
  if (status == PERLANE_OK)
    cli_picture_row(stream->plan, count, array[0], stream->has_gradient ? array[1] : NULL,
                    stream->has_gradient ? array[2] : NULL, samples);
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

/* Computes piece number p of a block. */
static perlane_status fill_piece(const struct cli_stream *stream, const struct cut *cut,
                                 const perlane_grid *block, uint64_t p, unsigned char *samples,
                                 float *scratch, int bottom_up) {
  perlane_grid grid = *block;
  const uint64_t begin = p * cut->per_piece, left = block->count[cut->axis] - begin;
  const uint64_t count = left < cut->per_piece ? left : cut->per_piece;
  grid.first[cut->axis] += (int64_t)begin;
  grid.count[cut->axis] = (size_t)count;
  uint64_t place = begin;
  if (bottom_up) {
    grid.stride[0] = 1;
    grid.stride[1] = -(ptrdiff_t)grid.count[0];
    place = block->count[1] - 1 - begin;
  }
  samples += place * cut->layer * cli_sample_bytes(stream->map);
  return cli_stream_fill(stream, &grid, samples, scratch);
}

/* ---- The stream ---- */

static int is_set(const int *flag) {
  int value;
#pragma omp atomic read
  value = *flag;
  return value;
}

static void set(int *flag) {
#pragma omp atomic write
  *flag = 1;
}

static void free_buffers(struct buffers *buffers) {
  free(buffers->samples[0]);
  free(buffers->samples[1]);
  free(buffers->scratch);
}

/* 0 without memory. The pages are touched: otherwise the first fills' time would be that of the
 * system handing them out. */
static int make_buffers(struct buffers *buffers, const struct cli_stream *stream,
                        const struct cut *cut) {
  const size_t sample = cli_sample_bytes(stream->map);
  const size_t floats = cli_stream_scratch(stream);
  *buffers = (struct buffers){{NULL, NULL}, NULL};
  if (cut->layer > PTRDIFF_MAX / sample / cut->count ||
      cut->layer > PTRDIFF_MAX / sizeof(float) / 5 / cut->per_piece / (uint64_t)stream->threads)
    return 0;
  const size_t bytes = cut->layer * cut->count * sample;
  const size_t scratch = cut->layer * cut->per_piece * floats * (size_t)stream->threads;
  for (int i = 0; i < 2; i++)
    if (i == 0 || cut->blocks > 1) {
      buffers->samples[i] = malloc(bytes);
      if (!buffers->samples[i])
        return 0;
      memset(buffers->samples[i], 1, bytes);
    }
  if (scratch > 0) {
    buffers->scratch = malloc(scratch * sizeof(float));
    if (!buffers->scratch)
      return 0;
    memset(buffers->scratch, 1, scratch * sizeof(float));
  }
  return 1;
}

const char *cli_stream_write(struct cli_stream *stream, const struct cli_format *format,
                             void *writer) {
  const struct cut cut = cut_map(stream->map, format, stream->threads);
  const int bottom_up = format->bottom_up;
  const size_t scratch = cut.layer * cut.per_piece * cli_stream_scratch(stream);
  struct buffers buffers;
  if (!make_buffers(&buffers, stream, &cut)) {
    free_buffers(&buffers);
    return strerror(ENOMEM);
  }
  const char *problem = NULL;
  perlane_status worst = PERLANE_OK;
  int stop = 0;
  double seconds = 0;
#pragma omp parallel num_threads(stream->threads)
  for (uint64_t b = 0; b <= cut.blocks; b++) {
    /* One thread writes block b - 1, and the others begin with block b. After a problem all go on
     * to the end without doing anything, as they have to meet at the end of each block. */
#pragma omp single nowait
    if (b > 0 && !is_set(&stop)) {
      const perlane_grid done = block_grid(stream, &cut, b - 1, bottom_up);
      problem = format->write(writer, buffers.samples[(b - 1) & 1], samples_of(&done));
      if (problem)
        set(&stop);
      cli_progress_add(stream->progress, samples_of(&done));
    }
    uint64_t pieces = 0;
    perlane_grid block = stream->grid;
    if (b < cut.blocks) {
      block = block_grid(stream, &cut, b, bottom_up);
      pieces = quotient_up(block.count[cut.axis], cut.per_piece);
    }
#pragma omp for schedule(dynamic, 1) reduction(+ : seconds)
    for (uint64_t p = 0; p < pieces; p++) {
      if (is_set(&stop))
        continue;
      const double begin = cli_now();
      const perlane_status status = fill_piece(
          stream, &cut, &block, p, buffers.samples[b & 1],
          buffers.scratch ? buffers.scratch + scratch * (size_t)thread_number() : NULL, bottom_up);
      seconds += cli_now() - begin;
      if (status != PERLANE_OK) {
#pragma omp atomic write
        worst = status;
        set(&stop);
      }
    }
  }
  stream->seconds = seconds;
  free_buffers(&buffers);
  return worst != PERLANE_OK ? perlane_status_string(worst) : problem;
}
