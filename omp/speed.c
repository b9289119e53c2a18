/* SPDX-License-Identifier: MIT
 *
 * How fast perlane_fill_parallel is with 1, 2, 4 ... threads: samples a second in each of a few
 * fills, medians, and the ratio to one thread. Leave the machine alone meanwhile.
 */
#include "perlane_omp.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 9 };

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median seconds of a fill; 0 if it fails. */
static double seconds(const perlane_noise *noise, const perlane_grid *grid, float *out,
                      int32_t threads) {
  double taken[REPETITIONS];
  for (int i = 0; i < REPETITIONS; i++) {
    const double begin = omp_get_wtime();
    if (perlane_fill_parallel(noise, grid, out, threads) != PERLANE_OK)
      return 0;
    taken[i] = omp_get_wtime() - begin;
  }
  qsort(taken, REPETITIONS, sizeof taken[0], by_size);
  return taken[REPETITIONS / 2];
}

static int measure(const char *name, perlane_grid grid, int octaves, float *out) {
  const double samples =
      (double)grid.count[0] * (double)grid.count[1] * (double)(grid.dims > 2 ? grid.count[2] : 1);
  perlane_params params = perlane_params_default();
  params.octaves = octaves;
  perlane_noise noise;
  if (perlane_init(&noise, &params) != PERLANE_OK || seconds(&noise, &grid, out, 0) == 0)
    return 0; /* that was also the first touch of the memory, and the threads' start */
  double alone = 0;
  for (int32_t threads = 1; threads <= omp_get_max_threads(); threads *= 2) {
    const double taken = seconds(&noise, &grid, out, threads);
    alone = threads == 1 ? taken : alone;
    printf("%-22s %4d threads %8.3f Gsamples/s %6.2f\n", name, (int)threads, samples / taken / 1e9,
           alone / taken);
  }
  return 1;
}

int main(void) {
  float *out = malloc((size_t)4096 * 4096 * sizeof *out);
  const int ok = out &&
                 measure("2D 4096^2, 1 octave", perlane_grid_make(4096, 4096, 0, 0), 1, out) &&
                 measure("2D 4096^2, 8 octaves", perlane_grid_make(4096, 4096, 0, 0), 8, out) &&
                 measure("2D 512^2, 8 octaves", perlane_grid_make(512, 512, 0, 0), 8, out) &&
                 measure("3D 256^3, 1 octave", perlane_grid_make(256, 256, 256, 0), 1, out) &&
                 measure("3D 256^3, 5 octaves", perlane_grid_make(256, 256, 256, 0), 5, out);
  free(out);
  if (!ok)
    fprintf(stderr, "perlane_omp_speed: no memory, or a fill failed\n");
  return !ok;
}
