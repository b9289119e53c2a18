/* SPDX-License-Identifier: MIT
 *
 * perlane_fill on several threads: OpenMP hands out the blocks that cut.h makes.
 */
#include "perlane_omp.h"

#include <omp.h>

#include "cut.h"

/* Blocks of 8 MiB bypass the caches as the whole fill would, and are many enough that no thread
 * waits long for the last one. */
enum { MAX_BLOCK_SAMPLES = 2 * 1024 * 1024, MAX_BLOCKS = 64 * 1024 };

static struct grid_cut cut_for(const perlane_grid *grid, int threads) {
  uint64_t blocks = 1;
  if (threads > 1)
    blocks = parallel_blocks(grid, (uint64_t)threads, MAX_BLOCK_SAMPLES);
  return grid_cut_make(grid, FILL_UNIT, 0, blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS);
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
  const struct grid_cut cut = cut_for(grid, team);
  if (cut.blocks == 1)
    return perlane_fill(noise, grid, out);
  /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the pragma reads it */
  const int useful = cut.blocks < (uint64_t)team ? (int)cut.blocks : team;
#pragma omp parallel for schedule(dynamic) num_threads(useful)
  for (uint64_t b = 0; b < cut.blocks; b++) {
    ptrdiff_t offset;
    const perlane_grid block = grid_cut_block(&cut, b, &offset);
    const perlane_status found = perlane_fill(noise, &block, out + offset);
    if (found != PERLANE_OK) { /* only if the noise was changed meanwhile */
#pragma omp atomic write
      status = found;
    }
  }
  return status;
}
