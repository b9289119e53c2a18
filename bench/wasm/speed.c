/* SPDX-License-Identifier: MIT
 *
 * The same jobs as in speed.mjs, by the native library: speed ISA prints each job's name and rate,
 * in millions of samples per second of CPU time.
 */
#define _POSIX_C_SOURCE 200809L
#include <perlane_text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ROUNDS = 31, POINTS = 65536 };

static perlane_noise noise;
static float *out;
static const float *coords[3];

static void make(const char *text) {
  if (perlane_init_text(&noise, text))
    abort();
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints the median rate of a call. */
#define MEASURE(name, rounds, samples, call)                                                       \
  do {                                                                                             \
    double seconds[MAX_ROUNDS];                                                                    \
    for (int i = -2; i < (rounds); i++) {                                                          \
      const double start = now();                                                                  \
      if (call)                                                                                    \
        abort();                                                                                   \
      seconds[i < 0 ? 0 : i] = now() - start;                                                      \
    }                                                                                              \
    qsort(seconds, (rounds), sizeof seconds[0], compare);                                          \
    printf("%s\t%.1f\n", name, (samples) / seconds[(rounds) / 2] * 1e-6);                          \
  } while (0)

static perlane_status fill(uint64_t nx, uint64_t ny, uint64_t nz) {
  const perlane_grid grid = perlane_grid_make(nx, ny, nz, 0);
  return perlane_fill(&noise, &grid, out);
}

static perlane_status points(int32_t dims) {
  const perlane_list list = {
      .dims = dims, .count = POINTS, .coords = {coords[0], coords[1], coords[2]}};
  return perlane_points(&noise, &list, out, NULL);
}

int main(int argc, char **argv) {
  if (argc != 2 || perlane_force_isa(perlane_isa_from_name(argv[1])))
    return 2;
  out = malloc(4096 * 4096 * sizeof *out);
  uint32_t random = 12345;
  for (int a = 0; a < 3; a++) {
    float *coord = malloc(POINTS * sizeof *coord);
    for (int i = 0; i < POINTS; i++) {
      random = random * 1664525 + 1013904223;
      coord[i] = (float)(random * 0x1p-32 * 10000);
    }
    coords[a] = coord;
  }
  make("frequency=0.01");
  MEASURE("2D 4096x4096, 0.01", 7, 0x1p24, fill(4096, 4096, 0));
  MEASURE("2D 512x512, 0.01", 31, 0x1p18, fill(512, 512, 0));
  MEASURE("3D 256x256x64, 0.01", 9, 0x1p22, fill(256, 256, 64));
  make("frequency=0.002 octaves=8");
  MEASURE("2D 2048x2048, 8 octaves from 0.002", 7, 0x1p22, fill(2048, 2048, 0));
  make("frequency=0.002 octaves=4 warp_amplitude=100 warp_frequency=0.004");
  MEASURE("2D 512x512, warp and 4 octaves", 9, 0x1p18, fill(512, 512, 0));
  make("frequency=0.01 basis=cellular");
  MEASURE("2D 512x512, cells, 0.01", 15, 0x1p18, fill(512, 512, 0));
  make("frequency=0.01");
  MEASURE("points in 2D", 31, POINTS, points(2));
  MEASURE("points in 3D", 31, POINTS, points(3));
  return 0;
}
