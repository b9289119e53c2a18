/* SPDX-License-Identifier: MIT
 *
 * perlane_omp: perlane_fill on several threads, through OpenMP. It is a separate library
 * (perlane_omp, in CMake perlane::omp); perlane itself starts no threads. Programs that have
 * threads of their own do not need it: see docs/embedding.md.
 */
#ifndef PERLANE_OMP_H
#define PERLANE_OMP_H

#include "perlane.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(PERLANE_SHARED)
#ifdef PERLANE_OMP_BUILDING
#define PERLANE_OMP_API __declspec(dllexport)
#else
#define PERLANE_OMP_API __declspec(dllimport)
#endif
#elif defined(__GNUC__) && !defined(_WIN32) && defined(PERLANE_OMP_BUILDING)
#define PERLANE_OMP_API __attribute__((visibility("default")))
#else
#define PERLANE_OMP_API
#endif

#define PERLANE_OMP_MAX_THREADS 1024 /* maximum number of threads */

/* Fills a grid as perlane_fill does, with the same bits, on up to `threads` threads,
 * 0..PERLANE_OMP_MAX_THREADS, each of which allocates work memory of its own if it can. 0 stands
 * for OpenMP's default: OMP_NUM_THREADS, or one per CPU. Small grids use fewer threads, down to the
 * caller's alone. Within a parallel region only the caller's thread is used, unless OpenMP allows
 * nested regions.
 *
 * Each thread needs the stack of perlane_fill, at most PERLANE_STACK_BYTES; where threads get less
 * by default, raise OMP_STACKSIZE. OpenMP ends the program if it cannot start a thread.
 *
 * Returns the same statuses as perlane_fill, or PERLANE_ERROR_THREADS if threads is out of range.
 */
PERLANE_OMP_API perlane_status perlane_fill_parallel(const perlane_noise *noise,
                                                     const perlane_grid *grid, float *out,
                                                     int32_t threads);

#ifdef __cplusplus
}
#endif

#endif
