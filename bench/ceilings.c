/* SPDX-License-Identifier: MIT
 *
 * What there is to compare with: writing the same memory without computing anything, and the
 * core's clock, so that times can be told in cycles.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <perlane.h>

#include "bench_c.h"
#include "buffer.h"
#include "cases.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/* As many bytes as the floats of 32 x 32 to 16384 x 16384. */
static const size_t SIZES[] = {
    (size_t)4 << 10, (size_t)16 << 10, (size_t)64 << 10, (size_t)256 << 10, (size_t)1 << 20,
    (size_t)4 << 20, (size_t)16 << 20, (size_t)64 << 20, (size_t)256 << 20, (size_t)1 << 30,
};

/* Tells the compiler that the memory is read. */
static void used(const void *memory) {
  __asm__ volatile("" : : "r"(memory) : "memory");
}

static void run_memset(bench_state *state, const void *argument) {
  const size_t bytes = *(const size_t *)argument;
  const char *why;
  void *out = bench_buffer(BENCH_OUTPUT, bytes, &why);
  if (!out) {
    bench_skip(state, why);
    return;
  }
  while (bench_keep_running(state)) {
    memset(out, 0, bytes);
    used(out);
  }
  bench_work(state, (double)(bytes / sizeof(float)), (double)bytes);
}

static void run_stream(bench_state *state, const void *argument) {
#if defined(__SSE__)
  const size_t bytes = *(const size_t *)argument;
  const char *why;
  float *out = bench_buffer(BENCH_OUTPUT, bytes, &why);
  if (!out) {
    bench_skip(state, why);
    return;
  }
  const __m128 value = _mm_set1_ps(0.5f);
  while (bench_keep_running(state)) {
    for (size_t i = 0; i < bytes / sizeof(float); i += 16) { /* a cache line */
      _mm_stream_ps(out + i, value);
      _mm_stream_ps(out + i + 4, value);
      _mm_stream_ps(out + i + 8, value);
      _mm_stream_ps(out + i + 12, value);
    }
    _mm_sfence();
  }
  bench_work(state, (double)(bytes / sizeof(float)), (double)bytes);
#else
  (void)argument;
  bench_skip(state, "stores that bypass the caches are written for x86 only");
#endif
}

/* A chain of additions that each need the one before: one a cycle. The addend is in a register,
 * because some cores add small constants without taking a cycle. */
static void run_clock(bench_state *state, const void *argument) {
  (void)argument;
#if defined(__x86_64__) || defined(__aarch64__)
  enum { TURNS = 1000, CHAIN = 64 };
  uint64_t sum = 0, one = 1;
  while (bench_keep_running(state))
    for (int i = 0; i < TURNS; i++)
#if defined(__x86_64__)
      __asm__ volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one) : "cc");
#else
      __asm__ volatile(".rept 64\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(one));
#endif
  bench_work(state, (double)TURNS * CHAIN, 0);
#else
  bench_skip(state, "the chain of additions is written for x86-64 and AArch64 only");
#endif
}

static void run_init(bench_state *state, const void *argument) {
  static perlane_noise noise;
  perlane_params params = perlane_params_default();
  params.octaves = *(const int *)argument;
  while (bench_keep_running(state)) {
    const perlane_status status = perlane_init(&noise, &params);
    if (status) {
      bench_skip(state, perlane_status_string(status));
      return;
    }
    used(&noise);
  }
  bench_work(state, 1, 0);
}

void bench_register_ceilings(void) {
  static const int one = 1, eight = 8;
  char name[64];
  for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
    const int mib = SIZES[i] >= 1 << 20;
    snprintf(name, sizeof name, "-/memset %zu %s/-/-", SIZES[i] >> (mib ? 20 : 10),
             mib ? "MiB" : "KiB");
    bench_register(name, run_memset, &SIZES[i]);
    snprintf(name, sizeof name, "-/stream %zu %s/-/-", SIZES[i] >> (mib ? 20 : 10),
             mib ? "MiB" : "KiB");
    bench_register(name, run_stream, &SIZES[i]);
  }
  bench_register("-/clock/-/-", run_clock, NULL);
  bench_register("-/perlane_init/-/-", run_init, &one);
  bench_register("-/perlane_init fbm8/-/-", run_init, &eight);
}
