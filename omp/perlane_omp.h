/* SPDX-License-Identifier: MIT
 *
 * perlane_omp: perlane_fill on several threads, through OpenMP. It is a library of its own
 * (perlane_omp, perlane::omp); perlane itself starts no threads. Programs with their own threads do
 * not need it: see docs/threads.md.
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

#define PERLANE_OMP_MAX_THREADS 1024 /* largest value of `threads` */

/* Fills a grid like perlane_fill, with the same bits, on up to `threads` threads:
 * 0..PERLANE_OMP_MAX_THREADS, where 0 means as many as OpenMP provides (OMP_NUM_THREADS, or one per
 * CPU). Small grids use fewer threads, or only the caller's. A call from within a parallel region
 * also uses only the caller's thread, unless OpenMP is set to nest regions.
 *
 * Each thread needs as much stack as perlane_fill, up to PERLANE_STACK_BYTES; set OMP_STACKSIZE
 * where the default is less. OpenMP ends the program if it cannot start a thread.
 *
 * Returns perlane_fill's status, or PERLANE_ERROR_THREADS. After an error nothing was written. */
PERLANE_OMP_API perlane_status perlane_fill_parallel(const perlane_noise *noise,
                                                     const perlane_grid *grid, float *out,
                                                     int32_t threads);

#ifdef __cplusplus
}
#endif

#endif
