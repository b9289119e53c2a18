/* SPDX-License-Identifier: MIT
 *
 * Measures grids of every width from 17 to 130 with 4 octaves: rows of instruction set, dimensions,
 * width and nanoseconds of the fastest of many calls, which widths.gp draws. All widths are
 * measured in turn, so that a machine that slows down affects all of them.
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <perlane.h>

enum { FIRST = 17, LAST = 130, WIDTHS = LAST + 1, ROUNDS = 60, CALLS = 4 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(perlane_isa isa, const perlane_noise *noise, int dims) {
  static float out[LAST * 33 * 33];
  double best[WIDTHS] = {0};
  for (int round = 0; round < ROUNDS; round++)
    for (uint64_t width = FIRST; width <= LAST; width++) {
      const perlane_grid grid =
          perlane_grid_make(width, dims == 2 ? 64 : 33, dims == 2 ? 0 : 33, 0);
      const double start = seconds();
      for (int call = 0; call < CALLS; call++)
        if (perlane_fill(noise, &grid, out))
          abort();
      const double time = (seconds() - start) / CALLS;
      if (round == 0 || time < best[width])
        best[width] = time;
    }
  for (int width = FIRST; width <= LAST; width++)
    printf("%s\t%d\t%d\t%.0f\n", perlane_isa_name(isa), dims, width, 1e9 * best[width]);
}

int main(void) {
  perlane_params params = perlane_params_default();
  perlane_noise noise;
  params.octaves = 4;
  if (perlane_init(&noise, &params))
    return 1;
  for (perlane_isa isa = PERLANE_ISA_SCALAR + 1; isa < PERLANE_ISA_COUNT; isa++)
    for (int dims = 2; dims <= 3 && perlane_force_isa(isa) == PERLANE_OK; dims++)
      measure(isa, &noise, dims);
  return 0;
}
