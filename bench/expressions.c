/* SPDX-License-Identifier: MIT
 *
 * Measures expressions beside what else combines fields: fills of each field into an array of its
 * own, and a loop over the arrays. Prints nanoseconds a sample of the fastest of many calls, which
 * take turns, and the expression's time as a fraction of that of the fills and memset, and of that
 * of the fills and the loop.
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <perlane_expression.h>

enum { FIELDS = 3, SIDE = 1024, DEPTH = 64, SAMPLES = SIDE * SIDE, ROUNDS = 40 };

/* Each writes an array of its own: what one left in the caches would cost another. */
static float in[FIELDS][SAMPLES], out[SAMPLES], filled[SAMPLES], cleared[SAMPLES];
static volatile float read_back; /* keeps compilers from leaving out the loops */
static unsigned char work[PERLANE_WORK_BYTES];

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static float smooth(float low, float high, float a) {
  const float q = (a - low) / (high - low), t = q > 0 ? (q < 1 ? q : 1) : 0;
  return t * t * (3 - 2 * t);
}

static void sum_loop(void) {
  for (size_t i = 0; i < SAMPLES; i++)
    out[i] = in[0][i] + 0.3f * in[1][i];
}
static void mix_loop(void) {
  for (size_t i = 0; i < SAMPLES; i++)
    out[i] = in[0][i] * (1 - 0.333f) + in[1][i] * 0.333f;
}
static void density_loop(void) {
  for (size_t i = 0; i < SAMPLES; i++) {
    const float z = (float)(i * DEPTH / SAMPLES), solid = in[0][i] - 0.02f * (z - 32);
    const float open = fabsf(in[1][i]) * 2 - 0.2f;
    out[i] = solid < open ? solid : open;
  }
}
static void cells_loop(void) {
  for (size_t i = 0; i < SAMPLES; i++) {
    const float v = in[2][i] * in[0][i] + in[1][i], raised = v > -0.5f ? v : -0.5f;
    out[i] = raised < 0.5f ? raised : 0.5f;
  }
}
static void terrace_loop(void) {
  for (size_t i = 0; i < SAMPLES; i++) {
    const float v = (in[0][i] + 0.5f * in[1][i]) * 8, whole = floorf(v);
    out[i] = (whole + smooth(0.3f, 0.7f, v - whole)) / 8;
  }
}

static const struct {
  const char *name, *text;
  int dims;
  void (*loop)(void);
} TREES[] = {
    {"sum", "a = octaves=4; b = seed=3; a + 0.3*b", 2, sum_loop},
    {"mix", "a = octaves=4; b = octaves=5 fractal=ridged; mix(a, b, 0.333)", 2, mix_loop},
    {"density",
     "a = octaves=4; b = seed=2 octaves=2 frequency=0.03; "
     "min(a - 0.02*(z - 32), abs(b)*2 - 0.2)",
     3, density_loop},
    {"cells",
     "a = octaves=4; b = seed=3; c = basis=cellular frequency=0.02; clamp(c*a + b, -0.5, 0.5)", 2,
     cells_loop},
    {"terrace",
     "a = octaves=4; b = seed=3 frequency=0.03; "
     "(floor((a + 0.5*b)*8) + smooth(0.3, 0.7, (a + 0.5*b)*8 - floor((a + 0.5*b)*8)))/8",
     2, terrace_loop},
};

static void measure(const char *name, const char *text, int dims, void (*loop)(void)) {
  static perlane_noise fields[FIELDS];
  static perlane_noise expression;
  int32_t count;
  if (perlane_expression_init_text(&expression, text, FIELDS, fields, &count) != PERLANE_OK)
    exit(1);
  perlane_grid grid = dims == 2 ? perlane_grid_make(SIDE, SIDE, 0, 0)
                                : perlane_grid_make(SIDE / 8, SIDE / 8, DEPTH, 0);
  grid.work = work;
  grid.work_bytes = sizeof work;
  double best[4] = {1, 1, 1, 1};
  for (int round = 0; round < ROUNDS; round++) {
    double at[5];
    at[0] = seconds();
    for (int f = 0; f < count; f++)
      perlane_fill(&fields[f], &grid, in[f]);
    at[1] = seconds();
    loop();
    at[2] = seconds();
    read_back = out[round];
    perlane_fill(&expression, &grid, filled);
    at[3] = seconds();
    memset(cleared, 0, sizeof cleared);
    at[4] = seconds();
    for (int i = 0; i < 4; i++)
      best[i] = at[i + 1] - at[i] < best[i] ? at[i + 1] - at[i] : best[i];
  }
  printf("%s\t%s", perlane_isa_name(perlane_isa_current()), name);
  for (int i = 0; i < 4; i++)
    printf("\t%.3f", best[i] * 1e9 / SAMPLES);
  printf("\t%.3f\t%.3f\n", best[2] / (best[0] + best[3]), best[2] / (best[0] + best[1]));
}

int main(void) {
  puts("isa\texpression\tfills\tloop\texpression_fill\tmemset\tto_fills_and_memset\tto_fills_and_"
       "loop");
  for (perlane_isa isa = PERLANE_ISA_SSE41; isa < PERLANE_ISA_COUNT; isa++)
    for (size_t i = 0; i < sizeof TREES / sizeof *TREES && perlane_force_isa(isa) == PERLANE_OK;
         i++)
      measure(TREES[i].name, TREES[i].text, TREES[i].dims, TREES[i].loop);
  return 0;
}
