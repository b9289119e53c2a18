/* SPDX-License-Identifier: MIT */
#include "jobs.h"

#include <stdio.h>
#include <string.h>

enum { MILLION = 1024 * 1024, SCALAR_SAMPLES = 256 * 256 };

/* clang-format off */
const struct bench_job BENCH_JOBS[] = {
    /* From noise that is nearly flat to more than a cell a sample. */
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 0.1},
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 0.5},
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 1.7},
    {.dims = 2, .word = "fbm", .count = {4096, 4096}, .frequency = 0.005, .octaves = 4},
    {.dims = 2, .word = "fbm", .count = {4096, 4096}, .frequency = 0.005, .octaves = 8},

    /* From the first-level cache to more than the last-level one. With 4096 x 4096 above. */
    {.dims = 2, .word = "grid", .count = {32, 32}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {64, 64}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {128, 128}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {256, 256}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {512, 512}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {1024, 1024}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {2048, 2048}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {8192, 8192}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {16384, 16384}, .frequency = 0.01},

    /* All rows in one row of cells: emission, and two lattice rows. In the first-level cache but
     * for 1024 x 64. Rows added to a grid cost emission only. */
    {.dims = 2, .word = "emission", .count = {64, 64}, .frequency = 0.01, .step_y = 0.01},
    {.dims = 2, .word = "emission", .count = {512, 4}, .frequency = 0.01, .step_y = 0.01},
    {.dims = 2, .word = "emission", .count = {512, 16}, .frequency = 0.01, .step_y = 0.01},
    {.dims = 2, .word = "emission", .count = {1024, 8}, .frequency = 0.01, .step_y = 0.01},
    {.dims = 2, .word = "emission", .count = {1024, 64}, .frequency = 0.01, .step_y = 0.01},
    /* Every row in a row of cells of its own: one lattice row for each. */
    {.dims = 2, .word = "lattice rows", .count = {1024, 64}, .frequency = 0.01, .step_y = 100},

    {.dims = 2, .word = "tile", .count = {64, 64}, .frequency = 0.01, .source = PLACES},
    {.dims = 2, .word = "tile", .count = {64, 64}, .frequency = 0.01, .octaves = 4, .source = PLACES},
    {.dims = 2, .word = "tile", .count = {64, 64}, .frequency = 0.01, .octaves = 8, .source = PLACES},

    {.dims = 3, .word = "grid", .count = {256, 256, 256}, .frequency = 0.01},
    {.dims = 3, .word = "grid", .count = {256, 256, 256}, .frequency = 0.1},
    {.dims = 3, .word = "grid", .count = {256, 256, 256}, .frequency = 0.5},
    {.dims = 3, .word = "grid", .count = {128, 128, 128}, .frequency = 0.01},
    {.dims = 3, .word = "fbm", .count = {256, 256, 256}, .frequency = 0.01, .octaves = 5},
    {.dims = 3, .word = "chunk", .count = {16, 16, 16}, .frequency = 0.01, .source = PLACES},
    {.dims = 3, .word = "chunk", .count = {32, 32, 32}, .frequency = 0.01, .source = PLACES},
    {.dims = 3, .word = "chunk", .count = {16, 16, 16}, .frequency = 0.01, .octaves = 4, .source = PLACES},
    {.dims = 3, .word = "chunk", .count = {32, 32, 32}, .frequency = 0.01, .octaves = 4, .source = PLACES},

    {.dims = 4, .word = "grid", .count = {64, 64, 64, 64}, .frequency = 0.05},
    {.dims = 4, .word = "chunk", .count = {16, 16, 16, 16}, .frequency = 0.05, .source = PLACES},

    /* Frequencies that are powers of two keep positions in float, others need double. */
    {.dims = 2, .word = "points", .count = {MILLION}, .frequency = 1, .source = POINTS},
    {.dims = 2, .word = "points", .count = {MILLION}, .frequency = 0.3, .source = POINTS},
    {.dims = 2, .word = "points", .count = {MILLION}, .frequency = 1, .octaves = 8, .source = POINTS},
    {.dims = 2, .word = "points", .count = {4096}, .frequency = 1, .source = POINTS},
    {.dims = 2, .word = "points", .count = {4096}, .frequency = 0.3, .source = POINTS},
    {.dims = 3, .word = "points", .count = {MILLION}, .frequency = 1, .source = POINTS},
    {.dims = 3, .word = "points", .count = {MILLION}, .frequency = 0.3, .source = POINTS},
    {.dims = 3, .word = "points", .count = {4096}, .frequency = 1, .source = POINTS},
    {.dims = 2, .word = "points of grid", .count = {1024, 1024}, .frequency = 0.01, .source = POINTS_OF_GRID},
    {.dims = 3, .word = "points of grid", .count = {128, 128, 128}, .frequency = 0.01, .source = POINTS_OF_GRID},

    {.dims = 2, .word = "extremes", .count = {4096, 4096}, .frequency = 0.01, .output = EXTREMES},
    {.dims = 2, .word = "u16", .count = {4096, 4096}, .frequency = 0.01, .output = U16},
    {.dims = 2, .word = "gradient", .count = {4096, 4096}, .frequency = 0.01, .output = GRADIENT},
    {.dims = 3, .word = "extremes", .count = {256, 256, 256}, .frequency = 0.01, .output = EXTREMES},
    {.dims = 3, .word = "u16", .count = {256, 256, 256}, .frequency = 0.01, .output = U16},
    {.dims = 3, .word = "gradient", .count = {256, 256, 256}, .frequency = 0.01, .output = GRADIENT},
    {.dims = 2, .word = "extremes tile", .count = {64, 64}, .frequency = 0.01, .source = PLACES, .output = EXTREMES},
    {.dims = 2, .word = "u16 tile", .count = {64, 64}, .frequency = 0.01, .source = PLACES, .output = U16},
    {.dims = 2, .word = "gradient tile", .count = {64, 64}, .frequency = 0.01, .source = PLACES, .output = GRADIENT},
};
/* clang-format on */

const size_t BENCH_JOB_COUNT = sizeof BENCH_JOBS / sizeof *BENCH_JOBS;

size_t bench_job_samples(const struct bench_job *job) {
  size_t samples = 1;
  for (int axis = 0; axis < PERLANE_MAX_DIMS && job->count[axis]; axis++)
    samples *= job->count[axis];
  return samples;
}

size_t bench_job_bytes(const struct bench_job *job) {
  const size_t samples = bench_job_samples(job);
  switch (job->output) {
  case U16:
    return samples * sizeof(uint16_t);
  case GRADIENT:
    return samples * sizeof(float) * (size_t)(1 + job->dims);
  default:
    return samples * sizeof(float);
  }
}

int bench_job_suits(const struct bench_job *job, perlane_isa isa) {
  return isa != PERLANE_ISA_SCALAR || bench_job_samples(job) <= SCALAR_SAMPLES;
}

/* 4096x4096, 32^3, 1M */
static void size_name(const size_t *count, char *name, size_t size) {
  if (!count[1])
    snprintf(name, size, count[0] % MILLION ? "%zu" : "%zuM",
             count[0] % MILLION ? count[0] : count[0] / MILLION);
  else if (!count[2])
    snprintf(name, size, "%zux%zu", count[0], count[1]);
  else
    snprintf(name, size, "%zu^%d", count[0], count[3] ? 4 : 3);
}

void bench_job_name(const struct bench_job *job, perlane_isa isa, char *name, size_t size) {
  char samples[64], octaves[16] = "";
  size_name(job->count, samples, sizeof samples);
  if (job->octaves > 1)
    snprintf(octaves, sizeof octaves, "%d", job->octaves);
  if (!strcmp(job->word, "fbm")) /* fbm8 4096x4096 */
    snprintf(name, size, "%dD/fbm%s %s", job->dims, octaves, samples);
  else /* chunk 32^3 fbm4 */
    snprintf(name, size, "%dD/%s %s%s%s", job->dims, job->word, samples,
             job->octaves > 1 ? " fbm" : "", octaves);
  const size_t used = strlen(name);
  snprintf(name + used, size - used, "/%g/%s", job->frequency, perlane_isa_name(isa));
}
