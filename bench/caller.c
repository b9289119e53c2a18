/* SPDX-License-Identifier: MIT
 *
 * The overhead of guarding a call against the caller's floating-point environment. Small calls run
 * under the default control word, which is only read, and under another one, which is saved and
 * restored. Every other control word takes the same path, so rounding upwards, which every C
 * library can set, also stands for flushing to zero and unmasked exceptions.
 */
#include "strict.h"

#include <fenv.h>

#include <perlane.h>

#include "bench_c.h"
#include "cases.h"

enum { GUARD = -1, INIT = -2, INIT_SPHERE = -3, RESEED = -4 };

struct caller_case {
  const char *name;
  int rounding;
  int count; /* samples along each of two axes; 0 for perlane_at; or what is called instead */
};

static const struct caller_case CASES[] = {
    {"-/call of the guard alone, default environment/-/-", FE_TONEAREST, GUARD},
#ifdef FE_UPWARD
    {"-/call of the guard alone, rounding upwards/-/-", FE_UPWARD, GUARD},
#endif
    {"-/call of perlane_at, default environment/-/-", FE_TONEAREST, 0},
#ifdef FE_UPWARD
    {"-/call of perlane_at, rounding upwards/-/-", FE_UPWARD, 0},
#endif
    {"-/call of perlane_fill for 8x8, default environment/-/-", FE_TONEAREST, 8},
#ifdef FE_UPWARD
    {"-/call of perlane_fill for 8x8, rounding upwards/-/-", FE_UPWARD, 8},
#endif
    {"-/call of perlane_init/-/-", FE_TONEAREST, INIT},
    {"-/call of perlane_init, sphere/-/-", FE_TONEAREST, INIT_SPHERE},
    {"-/call of perlane_reseed/-/-", FE_TONEAREST, RESEED},
};

/* The guard that src/perlane.c puts around every call. */
PERLANE_NOINLINE static void guard(void) {
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_fp_leave(caller);
}

static perlane_status call(const struct caller_case *entry, perlane_params *params,
                           perlane_noise *noise, double at, float *out) {
  switch (entry->count) {
  case GUARD:
    guard();
    return PERLANE_OK;
  case INIT:
  case INIT_SPHERE:
    params->seed = (uint64_t)(at * 4);
    return perlane_init(noise, params);
  case RESEED:
    return perlane_reseed(noise, (uint64_t)(at * 4));
  default:
    break;
  }
  if (entry->count == 0) {
    const double position[2] = {at, 0.5};
    *out = perlane_at(noise, 2, position);
    return PERLANE_OK;
  }
  perlane_grid grid = perlane_grid_make((size_t)entry->count, (size_t)entry->count, 0, 0);
  grid.origin[0] = at;
  return perlane_fill(noise, &grid, out);
}

static void run(bench_state *state, const void *argument) {
  const struct caller_case *entry = argument;
  float out[8 * 8];
  perlane_noise noise;
  perlane_params params = perlane_params_default();
  if (entry->count == INIT_SPHERE)
    params.gradients = PERLANE_GRADIENTS_SPHERE;
  perlane_status status = perlane_init(&noise, &params);
  if (!status)
    status = perlane_force_isa(PERLANE_ISA_AUTO);
  if (!status && fesetround(entry->rounding)) {
    bench_skip(state, "this machine does not round upwards");
    return;
  }
  for (double at = 0; !status && bench_keep_running(state); at += 0.25)
    status = call(entry, &params, &noise, at, out);
  fesetround(FE_TONEAREST);
  if (status) {
    bench_skip(state, perlane_status_string(status));
    return;
  }
  bench_work(state, entry->count > 0 ? (double)entry->count * entry->count : 1, 0);
}

void bench_register_caller(void) {
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    bench_register(CASES[i].name, run, &CASES[i]);
}
