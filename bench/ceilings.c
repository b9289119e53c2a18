/* SPDX-License-Identifier: MIT
 *
 * Rates to compare with: writes of the same memory without any computation, and the core's clock,
 * which turns times into cycles.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perlane.h>

#include "bench_c.h"
#include "buffer.h"
#include "cases.h"
#include "jobs.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/* Makes the compiler assume that the memory is read. */
static void use(const void *memory) {
  __asm__ volatile("" : : "r"(memory) : "memory");
}

/* Returns the turns of memset before timing starts. A last-level cache may need about 20 until it
 * keeps lines that are written repeatedly; memset is then several times as fast as on lines that no
 * cache holds. Both rates are of interest, and only these two are repeatable. */
static size_t warm_up_turns(size_t bytes) {
  enum { TURNS = 32 };
  const size_t max_bytes = (size_t)2 << 30; /* no cache keeps more anyway */
  return bytes * TURNS < max_bytes ? TURNS : 1 + max_bytes / bytes;
}

static void run_memset(bench_state *state, const void *argument) {
  const size_t bytes = *(const size_t *)argument;
  const char *why;
  void *out = bench_buffer(BENCH_OUTPUT, bytes, &why);
  if (!out) {
    bench_skip(state, why);
    return;
  }
  for (size_t turns = warm_up_turns(bytes); turns; turns--) {
    memset(out, 0, bytes);
    use(out);
  }
  while (bench_keep_running(state)) {
    memset(out, 0, bytes);
    use(out);
  }
  bench_work(state, (double)(bytes / sizeof(float)), (double)bytes);
}

/* Writes memory that no cache holds: each turn writes the next part of a large buffer. */
static void run_memset_afresh(bench_state *state, const void *argument) {
  const size_t bytes = *(const size_t *)argument, all = (size_t)BENCH_OUTPUT_MIB << 20;
  const char *why;
  char *out = bench_buffer(BENCH_OUTPUT, all, &why);
  if (!out) {
    bench_skip(state, why);
    return;
  }
  memset(out, 0, all);
  size_t at = 0;
  while (bench_keep_running(state)) {
    memset(out + at, 0, bytes);
    use(out);
    at = (at + bytes) % all;
  }
  bench_work(state, (double)(bytes / sizeof(float)), (double)bytes);
}

#if defined(__SSE__)
static void stream(float *out, size_t floats) {
  const __m128 value = _mm_set1_ps(0.5f);
  for (size_t i = 0; i < floats; i += 16) { /* a cache line */
    _mm_stream_ps(out + i, value);
    _mm_stream_ps(out + i + 4, value);
    _mm_stream_ps(out + i + 8, value);
    _mm_stream_ps(out + i + 12, value);
  }
  _mm_sfence();
}
#endif

static void run_stream(bench_state *state, const void *argument) {
#if defined(__SSE__)
  const size_t bytes = *(const size_t *)argument;
  const char *why;
  float *out = bench_buffer(BENCH_OUTPUT, bytes, &why);
  if (!out) {
    bench_skip(state, why);
    return;
  }
  stream(out, bytes / sizeof(float));
  while (bench_keep_running(state))
    stream(out, bytes / sizeof(float));
  bench_work(state, (double)(bytes / sizeof(float)), (double)bytes);
#else
  (void)argument;
  bench_skip(state, "streaming stores are implemented for x86 only");
#endif
}

/* Runs a chain of dependent additions, which takes one cycle per addition. The addend is in a
 * register because some cores add small constants in no time. */
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
  bench_skip(state, "the chain of additions is implemented for x86-64 and AArch64 only");
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
    use(&noise);
  }
  bench_work(state, 1, 0);
}

static int compare_sizes(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Registers memset and streaming stores for every number of bytes that a job writes. */
static void register_memory(void) {
  size_t *sizes =
      malloc(BENCH_JOB_COUNT * sizeof *sizes); /* stays allocated until the process ends */
  if (!sizes)
    abort();
  for (size_t i = 0; i < BENCH_JOB_COUNT; i++)
    sizes[i] = bench_job_output_bytes(&BENCH_JOBS[i]);
  qsort(sizes, BENCH_JOB_COUNT, sizeof *sizes, compare_sizes);
  for (size_t i = 0; i < BENCH_JOB_COUNT; i++) {
    if (i && sizes[i] == sizes[i - 1])
      continue;
    char name[64];
    const int mib = sizes[i] % (1 << 20) == 0;
    const size_t count = sizes[i] >> (mib ? 20 : 10);
    snprintf(name, sizeof name, "-/memset %zu %s/-/-", count, mib ? "MiB" : "KiB");
    bench_register(name, run_memset, &sizes[i]);
    snprintf(name, sizeof name, "-/stream %zu %s/-/-", count, mib ? "MiB" : "KiB");
    bench_register(name, run_stream, &sizes[i]);
  }
}

void bench_register_ceilings(void) {
  static const int one = 1, eight = 8;
  static const size_t fresh = (size_t)64 << 20;
  register_memory();
  bench_register("-/memset afresh 64 MiB/-/-", run_memset_afresh, &fresh);
  bench_register("-/clock/-/-", run_clock, NULL);
  bench_register("-/perlane_init/-/-", run_init, &one);
  bench_register("-/perlane_init fbm8/-/-", run_init, &eight);
}
