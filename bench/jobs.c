/* SPDX-License-Identifier: MIT */
#include "jobs.h"

#include <stdio.h>
#include <string.h>

enum { MILLION = 1024 * 1024 };

/* clang-format off */
const struct bench_job BENCH_JOBS[] = {
    /* From 100 samples per lattice cell to more than a cell per sample. */
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 0.1},
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 0.5},
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 1.7},
    {.dims = 2, .word = "fbm", .count = {4096, 4096}, .frequency = 0.005, .octaves = 4},
    {.dims = 2, .word = "fbm", .count = {4096, 4096}, .frequency = 0.005, .octaves = 8},
    {.dims = 2, .word = "fbm", .count = {512, 512}, .frequency = 0.005, .octaves = 8},

    /* Outputs that fit into the first-level cache up to ones larger than the last-level cache; 4096
     * x 4096 is above. */
    {.dims = 2, .word = "grid", .count = {32, 32}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {64, 64}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {128, 128}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {256, 256}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {512, 512}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {1024, 1024}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {2048, 2048}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {8192, 8192}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {16384, 16384}, .frequency = 0.01},

    /* All sample rows in one row of cells: each further row costs emission only. All but 1024 x 64
     * fit into the first-level cache. */
    {.dims = 2, .word = "emission", .count = {64, 64}, .frequency = 0.01, .step_y = 0.01},
    {.dims = 2, .word = "emission", .count = {512, 4}, .frequency = 0.01, .step_y = 0.01},
    {.dims = 2, .word = "emission", .count = {512, 16}, .frequency = 0.01, .step_y = 0.01},
    {.dims = 2, .word = "emission", .count = {1024, 8}, .frequency = 0.01, .step_y = 0.01},
    {.dims = 2, .word = "emission", .count = {1024, 64}, .frequency = 0.01, .step_y = 0.01},
    /* Each sample row in another row of cells: one lattice row per sample row. */
    {.dims = 2, .word = "lattice rows", .count = {1024, 64}, .frequency = 0.01, .step_y = 100},

    {.dims = 2, .word = "tile", .count = {8, 8}, .frequency = 0.01, .source = MOVING_GRID},
    {.dims = 2, .word = "tile", .count = {64, 64}, .frequency = 0.01, .source = MOVING_GRID},
    {.dims = 2, .word = "tile", .count = {64, 64}, .frequency = 0.01, .octaves = 4, .source = MOVING_GRID},
    {.dims = 2, .word = "tile", .count = {64, 64}, .frequency = 0.01, .octaves = 8, .source = MOVING_GRID},

    {.dims = 3, .word = "grid", .count = {256, 256, 256}, .frequency = 0.01},
    {.dims = 3, .word = "grid", .count = {256, 256, 256}, .frequency = 0.1},
    {.dims = 3, .word = "grid", .count = {256, 256, 256}, .frequency = 0.5},
    {.dims = 3, .word = "grid", .count = {128, 128, 128}, .frequency = 0.01},
    {.dims = 3, .word = "fbm", .count = {256, 256, 256}, .frequency = 0.01, .octaves = 5},
    {.dims = 3, .word = "chunk", .count = {8, 8, 8}, .frequency = 0.01, .octaves = 4, .source = MOVING_GRID},
    {.dims = 3, .word = "chunk", .count = {16, 16, 16}, .frequency = 0.01, .source = MOVING_GRID},
    {.dims = 3, .word = "chunk", .count = {32, 32, 32}, .frequency = 0.01, .source = MOVING_GRID},
    {.dims = 3, .word = "chunk", .count = {16, 16, 16}, .frequency = 0.01, .octaves = 4, .source = MOVING_GRID},
    {.dims = 3, .word = "chunk", .count = {32, 32, 32}, .frequency = 0.01, .octaves = 4, .source = MOVING_GRID},

    {.dims = 4, .word = "grid", .count = {64, 64, 64, 64}, .frequency = 0.05},
    {.dims = 4, .word = "chunk", .count = {16, 16, 16, 16}, .frequency = 0.05, .source = MOVING_GRID},

    /* Positions times a frequency that is a power of two stay in float; others need double. */
    {.dims = 2, .word = "points", .count = {MILLION}, .frequency = 1, .source = POINTS},
    {.dims = 2, .word = "points", .count = {MILLION}, .frequency = 0.3, .source = POINTS},
    {.dims = 2, .word = "points", .count = {MILLION}, .frequency = 1, .octaves = 8, .source = POINTS},
    {.dims = 2, .word = "points", .count = {4096}, .frequency = 1, .source = POINTS},
    {.dims = 2, .word = "points", .count = {4096}, .frequency = 0.3, .source = POINTS},
    {.dims = 3, .word = "points", .count = {MILLION}, .frequency = 1, .source = POINTS},
    {.dims = 3, .word = "points", .count = {MILLION}, .frequency = 0.3, .source = POINTS},
    {.dims = 3, .word = "points", .count = {4096}, .frequency = 1, .source = POINTS},
    {.dims = 2, .word = "points of grid", .count = {1024, 1024}, .frequency = 0.01, .source = GRID_POINTS},
    {.dims = 3, .word = "points of grid", .count = {128, 128, 128}, .frequency = 0.01, .source = GRID_POINTS},

    /* One position a call, and short lists. */
    {.dims = 2, .word = "at", .count = {4096}, .frequency = 0.01, .source = VALUES_AT},
    {.dims = 2, .word = "at", .count = {4096}, .frequency = 0.01, .octaves = 4, .source = VALUES_AT},
    {.dims = 2, .word = "at", .count = {4096}, .frequency = 0.01, .octaves = 8, .source = VALUES_AT},
    {.dims = 3, .word = "at", .count = {4096}, .frequency = 0.01, .source = VALUES_AT},
    {.dims = 3, .word = "at", .count = {4096}, .frequency = 0.01, .octaves = 4, .source = VALUES_AT},
    {.dims = 3, .word = "at", .count = {4096}, .frequency = 0.01, .octaves = 8, .source = VALUES_AT},
    {.dims = 2, .word = "cells at", .count = {4096}, .frequency = 0.01, .source = VALUES_AT, .options = "basis=cellular"},
    {.dims = 2, .word = "ridged at", .count = {4096}, .frequency = 0.01, .octaves = 8, .source = VALUES_AT, .options = "fractal=ridged"},
    {.dims = 2, .word = "lists of 8", .count = {4096}, .frequency = 0.01, .octaves = 4, .source = LISTS, .list = 8},
    {.dims = 2, .word = "lists of 64", .count = {4096}, .frequency = 0.01, .octaves = 4, .source = LISTS, .list = 64},
    {.dims = 3, .word = "lists of 8", .count = {4096}, .frequency = 0.01, .octaves = 4, .source = LISTS, .list = 8},
    {.dims = 3, .word = "lists of 64", .count = {4096}, .frequency = 0.01, .octaves = 4, .source = LISTS, .list = 64},

    /* Cellular noise: boxes, columns, points. */
    {.dims = 2, .word = "cells", .count = {2048, 2048}, .frequency = 0.01, .options = "basis=cellular"},
    {.dims = 2, .word = "cells", .count = {2048, 2048}, .frequency = 0.1, .options = "basis=cellular"},
    {.dims = 2, .word = "cells", .count = {2048, 2048}, .frequency = 0.5, .options = "basis=cellular"},
    {.dims = 2, .word = "cells F2 - F1", .count = {2048, 2048}, .frequency = 0.01, .options = "basis=cellular cell_output=f2_minus_f1"},
    {.dims = 2, .word = "cells edge", .count = {2048, 2048}, .frequency = 0.01, .options = "basis=cellular cell_output=edge"},
    {.dims = 2, .word = "cells value", .count = {2048, 2048}, .frequency = 0.01, .options = "basis=cellular cell_output=value"},
    {.dims = 3, .word = "cells", .count = {256, 256, 256}, .frequency = 0.01, .options = "basis=cellular"},
    {.dims = 3, .word = "cells", .count = {256, 256, 256}, .frequency = 0.05, .options = "basis=cellular"},
    {.dims = 2, .word = "cells ids", .count = {2048, 2048}, .frequency = 0.01, .output = CELL_IDS, .options = "basis=cellular"},
    {.dims = 2, .word = "cells ids", .count = {2048, 2048}, .frequency = 0.05, .output = CELL_IDS, .options = "basis=cellular"},
    {.dims = 2, .word = "cells offsets", .count = {2048, 2048}, .frequency = 0.01, .output = CELL_OFFSETS, .options = "basis=cellular"},
    {.dims = 2, .word = "cells offsets", .count = {2048, 2048}, .frequency = 0.05, .output = CELL_OFFSETS, .options = "basis=cellular"},
    {.dims = 3, .word = "cells ids", .count = {256, 256, 256}, .frequency = 0.01, .output = CELL_IDS, .options = "basis=cellular"},
    {.dims = 3, .word = "cells offsets", .count = {256, 256, 256}, .frequency = 0.01, .output = CELL_OFFSETS, .options = "basis=cellular"},
    {.dims = 2, .word = "cells gradient", .count = {2048, 2048}, .frequency = 0.01, .output = GRADIENT, .options = "basis=cellular"},
    {.dims = 3, .word = "cells gradient", .count = {256, 256, 256}, .frequency = 0.01, .output = GRADIENT, .options = "basis=cellular"},
    {.dims = 2, .word = "cells points", .count = {4096}, .frequency = 1, .source = POINTS, .options = "basis=cellular"},
    {.dims = 3, .word = "cells points", .count = {4096}, .frequency = 1, .source = POINTS, .options = "basis=cellular"},

    /* Simplex noise: rows with tables, and as points. */
    {.dims = 2, .word = "simplex", .count = {2048, 2048}, .frequency = 0.01, .options = "basis=simplex"},
    {.dims = 2, .word = "simplex", .count = {2048, 2048}, .frequency = 0.05, .options = "basis=simplex"},
    {.dims = 2, .word = "simplex", .count = {2048, 2048}, .frequency = 0.1, .options = "basis=simplex"},
    {.dims = 2, .word = "simplex", .count = {2048, 2048}, .frequency = 0.5, .options = "basis=simplex"},
    {.dims = 2, .word = "simplex fbm", .count = {2048, 2048}, .frequency = 0.005, .octaves = 6, .options = "basis=simplex"},
    {.dims = 3, .word = "simplex", .count = {128, 128, 128}, .frequency = 0.01, .options = "basis=simplex"},
    {.dims = 3, .word = "simplex", .count = {128, 128, 128}, .frequency = 0.1, .options = "basis=simplex"},
    {.dims = 2, .word = "simplex points", .count = {4096}, .frequency = 1, .source = POINTS, .options = "basis=simplex"},
    {.dims = 3, .word = "simplex points", .count = {4096}, .frequency = 1, .source = POINTS, .options = "basis=simplex"},
    {.dims = 2, .word = "simplex at", .count = {4096}, .frequency = 0.01, .source = VALUES_AT, .options = "basis=simplex"},

    {.dims = 2, .word = "white", .count = {2048, 2048}, .frequency = 0.01, .options = "basis=white"},
    {.dims = 2, .word = "white", .count = {2048, 2048}, .frequency = 1, .options = "basis=white"},
    {.dims = 3, .word = "white", .count = {128, 128, 128}, .frequency = 1, .options = "basis=white"},
    {.dims = 2, .word = "gaussian", .count = {2048, 2048}, .frequency = 1, .options = "basis=gaussian"},

    /* Chunks with a border: rows that do not end with a vector, beside 32^3, and rows that do. */
    {.dims = 3, .word = "chunk", .count = {33, 33, 33}, .frequency = 0.01, .octaves = 4, .source = MOVING_GRID},
    {.dims = 3, .word = "chunk", .count = {40, 33, 33}, .frequency = 0.01, .octaves = 4, .source = MOVING_GRID},

    /* Outputs that begin at a cache line, 4 bytes past one, and 4 before; rows of other lengths. */
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 0.01, .past_line = 64},
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 0.01, .past_line = 4},
    {.dims = 2, .word = "grid", .count = {4096, 4096}, .frequency = 0.01, .past_line = 60},
    {.dims = 2, .word = "grid", .count = {4097, 4096}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {1000, 16384}, .frequency = 0.01},
    {.dims = 2, .word = "grid", .count = {4000, 4096}, .frequency = 0.01, .pitch = 4099},
    {.dims = 2, .word = "fbm", .count = {4096, 4096}, .frequency = 0.005, .octaves = 4, .past_line = 64},
    {.dims = 2, .word = "fbm", .count = {4096, 4096}, .frequency = 0.005, .octaves = 4, .past_line = 4},
    {.dims = 3, .word = "grid", .count = {256, 256, 256}, .frequency = 0.01, .past_line = 64},
    {.dims = 3, .word = "grid", .count = {256, 256, 256}, .frequency = 0.01, .past_line = 4},
    {.dims = 3, .word = "grid", .count = {250, 256, 256}, .frequency = 0.01},
    {.dims = 2, .word = "u16", .count = {4096, 4096}, .frequency = 0.01, .output = U16, .past_line = 64},
    {.dims = 2, .word = "gradient", .count = {4096, 4096}, .frequency = 0.01, .output = GRADIENT, .past_line = 64},

    {.dims = 2, .word = "warp", .count = {2048, 2048}, .frequency = 0.01, .options = "warp_amplitude=20"},
    {.dims = 2, .word = "warp", .count = {16, 16}, .frequency = 0.01, .options = "warp_amplitude=20", .source = MOVING_GRID},
    {.dims = 2, .word = "warp of 4", .count = {2048, 2048}, .frequency = 0.01, .octaves = 5, .options = "warp_amplitude=20 warp_octaves=4"},
    {.dims = 2, .word = "warp, 2 rounds", .count = {2048, 2048}, .frequency = 0.01, .options = "warp_amplitude=20 warp_rounds=2"},
    {.dims = 3, .word = "warp", .count = {128, 128, 128}, .frequency = 0.01, .options = "warp_amplitude=20"},
    {.dims = 3, .word = "warp of 4", .count = {128, 128, 128}, .frequency = 0.01, .octaves = 5, .options = "warp_amplitude=20 warp_octaves=4"},
    {.dims = 2, .word = "eroded", .count = {2048, 2048}, .frequency = 0.005, .octaves = 4, .options = "fractal=eroded"},
    {.dims = 2, .word = "eroded", .count = {2048, 2048}, .frequency = 0.005, .octaves = 8, .options = "fractal=eroded"},

    /* Work memory, which all other jobs have, and none. */
    {.dims = 2, .word = "fbm", .count = {4096, 4096}, .frequency = 0.002, .octaves = 10},
    {.dims = 2, .word = "fbm", .count = {4096, 4096}, .frequency = 0.002, .octaves = 10, .on_stack = 1},
    {.dims = 2, .word = "fbm", .count = {4096, 4096}, .frequency = 0.005, .octaves = 8, .on_stack = 1},
    {.dims = 3, .word = "fbm", .count = {256, 256, 256}, .frequency = 0.01, .octaves = 5, .on_stack = 1},
    {.dims = 2, .word = "warp", .count = {2048, 2048}, .frequency = 0.01, .options = "warp_amplitude=20", .on_stack = 1},
    {.dims = 2, .word = "eroded", .count = {2048, 2048}, .frequency = 0.005, .octaves = 8, .options = "fractal=eroded", .on_stack = 1},
    /* The map of the README. */
    {.dims = 2, .word = "terrain", .count = {512, 512}, .frequency = 0.002, .octaves = 10,
     .options = "fractal=eroded erosion=0.8 lacunarity=2.1 gain=0.54 gradients=sphere warp_amplitude=150 warp_frequency=0.002 warp_octaves=8 warp_rounds=2 normalize=spread"},

    {.dims = 2, .word = "curve", .count = {2048, 2048}, .frequency = 0.01, .options = "curve=-1:-1,-0.2:0,0.3:0.1,1:1 curve_shape=smooth"},
    {.dims = 2, .word = "terraces", .count = {2048, 2048}, .frequency = 0.01, .options = "terraces=6"},

    {.dims = 2, .word = "extremes", .count = {4096, 4096}, .frequency = 0.01, .output = EXTREMES},
    {.dims = 2, .word = "u16", .count = {4096, 4096}, .frequency = 0.01, .output = U16},
    {.dims = 2, .word = "gradient", .count = {4096, 4096}, .frequency = 0.01, .output = GRADIENT},
    {.dims = 3, .word = "extremes", .count = {256, 256, 256}, .frequency = 0.01, .output = EXTREMES},
    {.dims = 3, .word = "u16", .count = {256, 256, 256}, .frequency = 0.01, .output = U16},
    {.dims = 3, .word = "gradient", .count = {256, 256, 256}, .frequency = 0.01, .output = GRADIENT},
    {.dims = 2, .word = "extremes tile", .count = {64, 64}, .frequency = 0.01, .source = MOVING_GRID, .output = EXTREMES},
    {.dims = 2, .word = "u16 tile", .count = {64, 64}, .frequency = 0.01, .source = MOVING_GRID, .output = U16},
    {.dims = 2, .word = "gradient tile", .count = {64, 64}, .frequency = 0.01, .source = MOVING_GRID, .output = GRADIENT},
};
/* clang-format on */

const size_t BENCH_JOB_COUNT = sizeof BENCH_JOBS / sizeof *BENCH_JOBS;

size_t bench_job_samples(const struct bench_job *job) {
  size_t samples = 1;
  for (int axis = 0; axis < PERLANE_MAX_DIMS && job->count[axis]; axis++)
    samples *= job->count[axis];
  return samples;
}

size_t bench_job_output_bytes(const struct bench_job *job) {
  const size_t samples = bench_job_samples(job);
  switch (job->output) {
  case U16:
    return samples * sizeof(uint16_t);
  case GRADIENT:
    return samples * sizeof(float) * (size_t)(1 + job->dims);
  case CELL_OFFSETS:
    return samples * sizeof(float) * (size_t)job->dims;
  default:
    return samples * sizeof(float);
  }
}

size_t bench_job_span_bytes(const struct bench_job *job) {
  const size_t bytes = bench_job_output_bytes(job);
  return job->pitch ? bytes / job->count[0] * job->pitch : bytes;
}

size_t bench_job_input_bytes(const struct bench_job *job) {
  const int has_input = job->source >= POINTS;
  return has_input ? bench_job_samples(job) * sizeof(float) * (size_t)job->dims : 0;
}

/* 4096x4096, 32^3, 1M */
static void size_name(const size_t *count, char *name, size_t size) {
  int dims = 1, is_cube = 1;
  for (; dims < PERLANE_MAX_DIMS && count[dims]; dims++)
    is_cube = is_cube && count[dims] == count[0];
  if (dims == 1 && count[0] % MILLION == 0)
    snprintf(name, size, "%zuM", count[0] / MILLION);
  else if (dims > 2 && is_cube)
    snprintf(name, size, "%zu^%d", count[0], dims);
  else
    for (int axis = 0; axis < dims; axis++) {
      const size_t used = axis ? strlen(name) : 0;
      snprintf(name + used, size - used, axis ? "x%zu" : "%zu", count[axis]);
    }
}

void bench_job_name(const struct bench_job *job, char *name, size_t size) {
  char samples[200], octaves[16] = "";
  size_name(job->count, samples, sizeof samples - 100);
  if (job->pitch)
    snprintf(samples + strlen(samples), 30, " of %zu", job->pitch);
  if (job->past_line)
    snprintf(samples + strlen(samples), 20, " at %d", job->past_line % LINE_BYTES);
  if (job->on_stack)
    snprintf(samples + strlen(samples), 20, " on the stack");
  if (job->octaves > 1)
    snprintf(octaves, sizeof octaves, "%d", job->octaves);
  if (!strcmp(job->word, "fbm")) /* fbm8 4096x4096 */
    snprintf(name, size, "%dD/fbm%s %s/%g", job->dims, octaves, samples, job->frequency);
  else /* chunk 32^3 fbm4 */
    snprintf(name, size, "%dD/%s %s%s%s/%g", job->dims, job->word, samples,
             job->octaves > 1 ? " fbm" : "", octaves, job->frequency);
}
