/* SPDX-License-Identifier: MIT */
#include "pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

static const double PI = 3.14159265358979323846;

static FILE *create(const char *folder, const char *name) {
  char path[4096];
  const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "wb") : NULL;
  if (!file) {
    fprintf(stderr, "cannot write %s/%s\n", folder, name);
    exit(2);
  }
  return file;
}

static void close_file(FILE *file) {
  if (ferror(file) | fclose(file)) {
    fprintf(stderr, "cannot write a file of the pictures\n");
    exit(2);
  }
}

static void must(perlane_status status) {
  if (status != PERLANE_OK) {
    fprintf(stderr, "%s\n", perlane_status_string(status));
    exit(2);
  }
}

/* The field of Perlin's reference of 2002 where z is 0, with normalized octaves. */
static perlane_params improved(void) {
  perlane_params params;
  must(perlane_preset(&params, "improved"));
  return params;
}

static perlane_params field_of(int which) {
  return which == 0 ? perlane_params_default() : improved();
}

/* ---- Fields ---- */

static void fields(const char *folder) {
  enum { WIDE = 320 };
  static float value[WIDE * WIDE];
  for (int which = 0; which < 2; which++)
    for (int octaves = 1; octaves <= 8; octaves += 7) {
      perlane_params params = field_of(which);
      params.octaves = octaves;
      params.frequency = octaves == 1 ? 1.0 / 20 : 1.0 / 80;
      perlane_noise noise;
      must(perlane_init(&noise, &params));
      perlane_grid grid = perlane_grid_make(WIDE, WIDE, 0, 0);
      must(perlane_fill(&noise, &grid, value));
      char name[64];
      snprintf(name, sizeof name, "field-%d-%d.bin", which, octaves);
      FILE *file = create(folder, name);
      fwrite(value, sizeof *value, WIDE * WIDE, file);
      close_file(file);
    }
}

/* ---- Spectra ---- */

enum { FIELD_CELLS = 64, FIELD_SIDE = 512, HALF = 160, FIELDS = 200 };

/* Frequencies up to 2.5 cycles a cell, in decibels over the largest mean power of white noise of
 * the same variance; and mean power along directions. */
static void spectra(const char *folder) {
  const size_t n = FIELD_SIDE * FIELD_SIDE;
  double *power[3];
  for (int which = 0; which < 3; which++) {
    power[which] = have(n * sizeof *power[which]);
    memset(power[which], 0, n * sizeof *power[which]);
    if (which < 2) {
      const perlane_params params = field_of(which);
      for (uint64_t i = 0; i < FIELDS; i++) {
        perlane_params part = params;
        if (which == 1) /* it has no seed: other places of its one lattice */
          part.table_offset[0] = (int32_t)(i * 17), part.table_offset[1] = (int32_t)(i * 29);
        add_spectrum(&part, i, FIELD_CELLS, FIELD_SIDE, power[which]);
      }
    } else {
      expected_spectrum(FIELD_CELLS, FIELD_SIDE, power[which]);
    }
    double variance = 0;
    for (size_t i = 1; i < n; i++)
      variance += power[which][i];
    for (size_t i = 0; i < n; i++) /* share of the variance per unit of area, cycles a cell */
      power[which][i] *= FIELD_CELLS * FIELD_CELLS / variance;
  }
  for (int which = 0; which < 2; which++) {
    char name[64];
    snprintf(name, sizeof name, "spectrum-%d.bin", which);
    FILE *file = create(folder, name);
    for (int v = -HALF; v <= HALF; v++)
      for (int u = -HALF; u <= HALF; u++) {
        const double p = power[which][(v & (FIELD_SIDE - 1)) * FIELD_SIDE + (u & (FIELD_SIDE - 1))];
        const float level = (float)(10 * log10(fmax(p, 1e-9)));
        fwrite(&level, sizeof level, 1, file);
      }
    close_file(file);
  }
  /* Rings of an eighth of a cycle a cell; directions within 7.5 degrees of 0, 90 and 45. */
  enum { RADII = 20 };
  FILE *file = create(folder, "radial.dat");
  fprintf(file, "# cycles a cell; along x, y and the diagonals: default, improved, expected of the "
                "default\n");
  for (int ring = 0; ring < RADII; ring++) {
    double sum[3][3] = {{0}}, count[3] = {0};
    for (int v = -HALF; v <= HALF; v++)
      for (int u = -HALF; u <= HALF; u++) {
        if ((int)(hypot(u, v) / FIELD_CELLS * 8) != ring || (!u && !v))
          continue;
        double degrees = fabs(atan2(v, u)) * 180 / PI; /* 0 .. 180 */
        degrees = degrees > 90 ? 180 - degrees : degrees;
        const int direction = degrees < 7.5              ? 0
                              : degrees > 82.5           ? 1
                              : fabs(degrees - 45) < 7.5 ? 2
                                                         : -1;
        if (direction < 0)
          continue;
        count[direction]++;
        for (int which = 0; which < 3; which++)
          sum[which][direction] +=
              power[which][(v & (FIELD_SIDE - 1)) * FIELD_SIDE + (u & (FIELD_SIDE - 1))];
      }
    fprintf(file, "%g", (ring + 0.5) / 8);
    for (int which = 0; which < 3; which++)
      for (int direction = 0; direction < 3; direction++)
        fprintf(file, " %g", sum[which][direction] / count[direction]);
    fprintf(file, "\n");
  }
  close_file(file);
  /* The band that has most of the power, 0.4 to 1 cycles a cell, by direction. */
  enum { DIRECTIONS = 36 };
  file = create(folder, "angular.dat");
  double sum[3][DIRECTIONS] = {{0}}, count[DIRECTIONS] = {0}, all[3] = {0}, total = 0;
  for (int v = -HALF; v <= HALF; v++)
    for (int u = -HALF; u <= HALF; u++) {
      const double frequency = hypot(u, v) / FIELD_CELLS;
      if (frequency < 0.4 || frequency >= 1)
        continue;
      const int direction =
          (int)(fmod(atan2(v, u) / PI + 1 + 0.5 / DIRECTIONS, 1) * DIRECTIONS) % DIRECTIONS;
      count[direction]++;
      total++;
      for (int which = 0; which < 3; which++) {
        const double p = power[which][(v & (FIELD_SIDE - 1)) * FIELD_SIDE + (u & (FIELD_SIDE - 1))];
        sum[which][direction] += p;
        all[which] += p;
      }
    }
  for (int direction = 0; direction <= DIRECTIONS; direction++) {
    const int d = direction % DIRECTIONS;
    fprintf(file, "%g", direction * 180.0 / DIRECTIONS);
    for (int which = 0; which < 3; which++)
      fprintf(file, " %g", sum[which][d] / count[d] / (all[which] / total));
    fprintf(file, "\n");
  }
  close_file(file);
  for (int which = 0; which < 3; which++)
    free(power[which]);
}

/* ---- Directions of the slope ---- */

static void directions(const char *folder) {
  enum { WIDE = 1024, BIN = 90, MANY = 40 };
  static float memory[2][WIDE * WIDE];
  static double times[3][BIN];
  memset(times, 0, sizeof times);
  for (int which = 0; which < 3; which++)
    for (uint64_t i = 0; i < MANY; i++) {
      perlane_params params = field_of(which == 1);
      params.seed = i;
      params.frequency = 1;
      params.gradients = which == 2 ? PERLANE_GRADIENTS_SPHERE : params.gradients;
      perlane_noise noise;
      must(perlane_init(&noise, &params));
      perlane_grid grid = perlane_grid_make(WIDE, WIDE, 0, 0);
      for (int a = 0; a < 2; a++) {
        grid.origin[a] = (double)i * 0.01234567;
        grid.step[a] = 0.618033988749895 + 0.1 * a;
      }
      float *const gradient[] = {memory[0], memory[1]};
      must(perlane_fill_gradient(&noise, &grid, NULL, gradient));
      for (size_t s = 0; s < WIDE * WIDE; s++) {
        const double turn = atan2((double)memory[1][s], (double)memory[0][s]) / (2 * PI);
        times[which][(int)((turn + 1) * BIN + 0.5) % BIN]++;
      }
    }
  FILE *file = create(folder, "directions.dat");
  for (int b = 0; b <= BIN; b++)
    fprintf(file, "%g %g %g %g\n", b * 360.0 / BIN,
            times[0][b % BIN] * BIN / ((double)MANY * WIDE * WIDE),
            times[1][b % BIN] * BIN / ((double)MANY * WIDE * WIDE),
            times[2][b % BIN] * BIN / ((double)MANY * WIDE * WIDE));
  close_file(file);
}

/* ---- Histograms ---- */

static void histograms(const char *folder) {
  enum { WIDE = 1024, MANY = 40 };
  static float value[WIDE * WIDE];
  double expected[BINS], measured[BINS], times[4][BINS];
  const perlane_params params = perlane_params_default();
  check_distribution(&params, 2, 1, expected, measured);
  memset(times, 0, sizeof times);
  for (int kind = 0; kind < 4; kind++)
    for (uint64_t i = 0; i < MANY; i++) {
      perlane_params field = field_of(kind & 1);
      field.seed = i;
      field.frequency = 1;
      field.octaves = kind < 2 ? 1 : 8;
      perlane_noise noise;
      must(perlane_init(&noise, &field));
      perlane_grid grid = perlane_grid_make(WIDE, WIDE, 0, 0);
      for (int a = 0; a < 2; a++) {
        grid.origin[a] = (double)i * 0.01234567;
        grid.step[a] = 0.618033988749895 + 0.1 * a;
      }
      must(perlane_fill(&noise, &grid, value));
      for (size_t s = 0; s < WIDE * WIDE; s++)
        times[kind][(int)fmin(((double)value[s] + 1) / 2 * BINS, BINS - 1)]++;
    }
  FILE *file = create(folder, "histogram.dat");
  const double density = BINS / 2.0;
  for (int b = 0; b < BINS; b++) {
    fprintf(file, "%g %g", (b + 0.5) / BINS * 2 - 1, expected[b] * density);
    for (int kind = 0; kind < 4; kind++)
      fprintf(file, " %g", times[kind][b] * density / ((double)MANY * WIDE * WIDE));
    fprintf(file, "\n");
  }
  close_file(file);
}

void write_picture_data(const char *folder) {
  fields(folder);
  spectra(folder);
  directions(folder);
  histograms(folder);
}
