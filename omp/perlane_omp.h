/* SPDX-License-Identifier: MIT
 *
 * perlane_omp: perlane_fill on several threads, by OpenMP. A library of its own (perlane_omp,
 * perlane::omp); perlane itself starts no threads. Programs with threads of their own do without
 * it: docs/threads.md.
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
#elif defined(__GNUC__)
#define PERLANE_OMP_API __attribute__((visibility("default")))
#else
#define PERLANE_OMP_API
#endif

#define PERLANE_OMP_MAX_THREADS 1024 /* largest number of threads that may be asked for */

/* perlane_fill on up to `threads` threads, 0..PERLANE_OMP_MAX_THREADS; 0 for as many as OpenMP
 * gives (OMP_NUM_THREADS, or the CPUs). The bits are perlane_fill's. Small grids are filled by
 * fewer threads, or by the caller's alone; and so are all where it is called from within a parallel
 * region, unless OpenMP allows regions to nest.
 *
 * Each thread uses the stack that perlane_fill does, up to PERLANE_STACK_BYTES: see OMP_STACKSIZE
 * where threads get less by default. OpenMP ends the program if it cannot start a thread.
 *
 * Returns as perlane_fill, or PERLANE_ERROR_THREADS; then nothing was written. */
PERLANE_OMP_API perlane_status perlane_fill_parallel(const perlane_noise *noise,
                                                     const perlane_grid *grid, float *out,
                                                     int32_t threads);

#ifdef __cplusplus
}
#endif

#endif
