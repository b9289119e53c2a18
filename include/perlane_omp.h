/* SPDX-License-Identifier: MIT
 *
 * perlane_omp.h: perlane_fill on several threads, through OpenMP. Compile with -fopenmp, and link
 * perlane as usual; perlane itself starts no threads. Programs that have threads of their own do
 * not need this header: see docs/embedding.md.
 */
#ifndef PERLANE_OMP_H
#define PERLANE_OMP_H

#ifndef _OPENMP
#error "perlane_omp.h needs OpenMP: compile with -fopenmp"
#endif

#include "perlane.h"

#include <omp.h>
#include <stdlib.h>

#define PERLANE_OMP_MAX_THREADS 1024 /* maximum number of threads */

#ifdef __cplusplus /* whose -Wold-style-cast a caller may have */
#define PERLANE_OMP_CAST(type, value) static_cast<type>(value)
#else
#define PERLANE_OMP_CAST(type, value) ((type)(value))
#endif

/* Fills a grid as perlane_fill does, with the same bits, on up to `threads` threads,
 * 0..PERLANE_OMP_MAX_THREADS, each of which allocates work memory of its own if it can. 0 stands
 * for OpenMP's default: OMP_NUM_THREADS, or one per CPU. Small grids use fewer threads, down to the
 * caller's alone. Within a parallel region only the caller's thread is used, unless OpenMP allows
 * nested regions.
 *
 * Each thread needs the stack of perlane_fill, PERLANE_STACK_BYTES and what valleys, expressions
 * and a grid's own seed add; where threads get less by default, raise OMP_STACKSIZE. OpenMP ends
 * the program if it cannot start a thread.
 *
 * Returns the same statuses as perlane_fill, or PERLANE_ERROR_THREADS if threads is out of range.
 */
static inline perlane_status perlane_fill_parallel(const perlane_noise *noise,
                                                   const perlane_grid *grid, float *out,
                                                   int32_t threads) {
  if (!noise || !grid || !out)
    return PERLANE_ERROR_NULL;
  perlane_status status = perlane_grid_check(noise, grid);
  if (status != PERLANE_OK)
    return status;
  if (threads < 0 || threads > PERLANE_OMP_MAX_THREADS)
    return PERLANE_ERROR_THREADS;
  int team = threads == 0 ? omp_get_max_threads() : threads;
  uint64_t pieces = 1;
  perlane_grid_cut(grid, NULL, PERLANE_OMP_CAST(uint64_t, team), &pieces);
  if (pieces < PERLANE_OMP_CAST(uint64_t, team))
    team = PERLANE_OMP_CAST(int, pieces);
  if (team == 1)
    return perlane_fill(noise, grid, out);
#pragma omp parallel num_threads(team)
  {
    void *work = malloc(PERLANE_WORK_BYTES); /* fills only take longer without it */
#pragma omp for schedule(dynamic)
    for (int64_t p = 0; p < PERLANE_OMP_CAST(int64_t, pieces); p++) { /* signed for OpenMP 2 */
      perlane_grid piece;
      int64_t offset;
      perlane_status found =
          perlane_grid_piece(grid, NULL, pieces, PERLANE_OMP_CAST(uint64_t, p), &piece, &offset);
      piece.work = work;
      piece.work_bytes = work ? PERLANE_WORK_BYTES : 0;
      if (found == PERLANE_OK)
        found = perlane_fill(noise, &piece, out + offset);
      if (found != PERLANE_OK) { /* only if the noise was changed meanwhile */
#pragma omp critical(perlane_fill_parallel)
        status = found;
      }
    }
    free(work);
  }
  return status;
}

#undef PERLANE_OMP_CAST

#endif
