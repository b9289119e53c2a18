/* SPDX-License-Identifier: MIT
 *
 * A grid is cut into blocks, and each block filled by perlane_fill: as a tile of the whole, by its
 * own `first`, so that its samples are the whole's, bit for bit. What there is to decide is only
 * where to cut.
 */
#include "perlane_omp.h"

#include <omp.h>

/* What a fill starts anew with each block, and so what a block should not be smaller than: along z
 * the edges that neighbouring planes share, along y a tile of rows, along x the columns' set-up.
 * Along w nothing is shared. All but w are whole cache lines of a packed grid's samples. */
static const size_t THICKNESS[PERLANE_MAX_DIMS] = {1024, 16, 8, 1};

/* Fewer samples than this take about as long as it takes to wake a thread. */
enum { SAMPLES_LEAST = 16 * 1024 };

/* Blocks of 8 MiB still bypass the caches as the whole fill would, and, being many, leave no thread
 * waiting long for the last. */
enum { SAMPLES_LARGE = 2 * 1024 * 1024, BLOCKS_MOST = 64 * 1024 };

/* A grid, and into how many blocks each axis is cut. */
struct cut {
  perlane_grid grid; /* with its strides written out */
  size_t parts[PERLANE_MAX_DIMS], blocks;
};

static size_t at_least(size_t least, size_t n) {
  return n < least ? least : n;
}

/* A thread each, or more where blocks remain large, but none that is too small. */
static size_t wanted_blocks(size_t samples, size_t threads) {
  const size_t most = at_least(1, samples / SAMPLES_LEAST);
  const size_t wanted = at_least(threads, samples / SAMPLES_LARGE);
  const size_t blocks = wanted < most ? wanted : most;
  return blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST;
}

/* Cuts the outermost axis first, and an inner one only if the outer ones are too short: blocks of
 * whole rows and planes are contiguous. */
static struct cut cut_of(const perlane_grid *grid, size_t threads) {
  struct cut cut = {.grid = *grid, .parts = {1, 1, 1, 1}, .blocks = 1};
  size_t samples = 1;
  for (int a = 0; a < grid->dims; a++) {
    if (grid->stride[a] == 0)
      cut.grid.stride[a] = (ptrdiff_t)samples;
    samples *= grid->count[a];
  }
  size_t wanted = threads == 1 ? 1 : wanted_blocks(samples, threads);
  for (int a = grid->dims - 1; a >= 0 && wanted > 1; a--) {
    const size_t most = at_least(1, grid->count[a] / THICKNESS[a]);
    cut.parts[a] = wanted < most ? wanted : most;
    cut.blocks *= cut.parts[a];
    wanted = (wanted + cut.parts[a] - 1) / cut.parts[a];
  }
  return cut;
}

/* The first sample of a part: parts are whole thicknesses, but for the last. */
static size_t part_start(size_t count, size_t thickness, size_t parts, size_t part) {
  if (part == parts)
    return count;
  const size_t units = count / thickness;
  /* units * part / parts, without the product */
  return (units / parts * part + units % parts * part / parts) * thickness;
}

static perlane_status fill_block(const perlane_noise *noise, const struct cut *cut, size_t block,
                                 float *out) {
  perlane_grid grid = cut->grid;
  for (int a = 0; a < grid.dims; a++) {
    const size_t part = block % cut->parts[a];
    block /= cut->parts[a];
    const size_t start = part_start(grid.count[a], THICKNESS[a], cut->parts[a], part);
    grid.count[a] = part_start(grid.count[a], THICKNESS[a], cut->parts[a], part + 1) - start;
    grid.first[a] += (int64_t)start;
    out += (ptrdiff_t)start * grid.stride[a];
  }
  return perlane_fill(noise, &grid, out);
}

perlane_status perlane_fill_parallel(const perlane_noise *noise, const perlane_grid *grid,
                                     float *out, int32_t threads) {
  if (!noise || !grid || !out)
    return PERLANE_ERROR_NULL;
  perlane_status status = perlane_grid_check(noise, grid);
  if (status != PERLANE_OK)
    return status;
  if (threads < 0 || threads > PERLANE_OMP_MAX_THREADS)
    return PERLANE_ERROR_THREADS;
  const int team = threads == 0 ? omp_get_max_threads() : (int)threads;
  const struct cut cut = cut_of(grid, (size_t)team);
  if (cut.blocks == 1)
    return perlane_fill(noise, grid, out);
  /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the pragma reads it */
  const int useful = cut.blocks < (size_t)team ? (int)cut.blocks : team;
#pragma omp parallel for schedule(dynamic) num_threads(useful)
  for (size_t block = 0; block < cut.blocks; block++) {
    const perlane_status found = fill_block(noise, &cut, block, out);
    if (found != PERLANE_OK) { /* only if the noise was changed meanwhile */
#pragma omp atomic write
      status = found;
    }
  }
  return status;
}
