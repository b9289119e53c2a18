/* SPDX-License-Identifier: MIT
 *
 * perlane_fill on several threads: OpenMP hands out the pieces of the grid.
 */
#include "perlane_omp.h"

#include <omp.h>
#include <stdlib.h>

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
  uint64_t pieces = 1;
  perlane_grid_cut(grid, NULL, (uint64_t)team, &pieces);
  if (pieces == 1)
    return perlane_fill(noise, grid, out);
  /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the pragma reads it */
  const int useful = pieces < (uint64_t)team ? (int)pieces : team;
#pragma omp parallel num_threads(useful)
  {
    void *work = malloc(PERLANE_WORK_BYTES); /* fills only take longer without it */
#pragma omp for schedule(dynamic)
    for (uint64_t p = 0; p < pieces; p++) {
      perlane_grid piece;
      int64_t offset;
      perlane_status found = perlane_grid_piece(grid, NULL, pieces, p, &piece, &offset);
      piece.work = work;
      piece.work_bytes = work ? PERLANE_WORK_BYTES : 0;
      if (found == PERLANE_OK)
        found = perlane_fill(noise, &piece, out + offset);
      if (found != PERLANE_OK) { /* only if the noise was changed meanwhile */
#pragma omp atomic write
        status = found;
      }
    }
    free(work);
  }
  return status;
}
