// SPDX-License-Identifier: MIT
//
// The benchmark: every job of jobs.c with every instruction set, rates to compare with, and the cost of
// small calls. Cases are named dims/job/frequency/isa, and an item is a sample. It takes Google
// Benchmark's options, such as --benchmark_filter and --benchmark_min_time.
#include <algorithm>
#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include <benchmark/benchmark.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <xmmintrin.h>
#endif

extern "C" {
#include "workload.h"
}

using benchmark::State;

// Google Benchmark keeps references to the functions, and calls them in random order.
template <class Function> static void add(const std::string &name, Function run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMicrosecond);
}

static void report(State &state, size_t items, size_t bytes) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * items));
  if (bytes > 0)
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

// Returns whether all went well; skips the case if not.
static bool succeeded(State &state, perlane_status status) {
  if (status)
    state.SkipWithError(perlane_status_string(status));
  return !status;
}

// The memory that cases write to and read from: allocated once, in huge pages if the system has them,
// so that all cases use the same pages, and touched before anything is timed.
static const size_t OUTPUT_BYTES = size_t{1040} << 20; // 16384 x 16384 floats, and more
struct Buffer {
  size_t bytes, touched;
  char *start;

  explicit Buffer(size_t all) : bytes(all), touched(0), start(nullptr) {}
  char *get(State &state, size_t needed) {
    if (!start) {
      start = static_cast<char *>(std::aligned_alloc(2 << 20, bytes));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
      if (start)
        (void)madvise(start, bytes, MADV_HUGEPAGE); // only advice, which may be refused
#endif
    }
    if (!start || needed > bytes) {
      state.SkipWithError("there is not enough memory");
      return nullptr;
    }
    if (needed > touched)
      std::memset(start + touched, 0, needed - touched);
    touched = std::max(touched, needed);
    return start;
  }
};
static Buffer output(OUTPUT_BYTES), input(size_t{32} << 20);

static void run_job(State &state, const bench_job *job, perlane_isa isa) {
  static bench_workload workload;
  const size_t read = bench_job_input_bytes(job);
  char *out = output.get(state, bench_job_span_bytes(job) + LINE_BYTES);
  char *in = out ? input.get(state, read) : nullptr;
  if (!in)
    return;
  out += job->past_line ? job->past_line % LINE_BYTES : MALLOC_PAST_LINE;
  if (!succeeded(state, bench_prepare(&workload, job, out, in)) ||
      !succeeded(state, perlane_force_isa(isa)))
    return;
  if (read)
    bench_make_points(&workload);
  // Not timed: evicts the cache lines of the case before.
  perlane_status status = bench_evaluate(&workload);
  while (!status && state.KeepRunning())
    status = bench_evaluate(&workload);
  if (succeeded(state, status))
    report(state, workload.samples, bench_job_output_bytes(job));
}

// Before timing, a last-level cache may need about 20 turns until it keeps lines that are written
// repeatedly; memset is then several times as fast as on lines that no cache holds. Both rates are of
// interest, and only these two are repeatable: `afresh` writes another part of the memory each time.
static void run_memset(State &state, size_t bytes, bool afresh) {
  char *out = output.get(state, afresh ? OUTPUT_BYTES : bytes);
  if (!out)
    return;
  for (size_t turn = 0; turn < 32 && turn * bytes < size_t{2} << 30; turn++) {
    std::memset(out, 0, bytes);
    benchmark::ClobberMemory();
  }
  size_t at = 0;
  while (state.KeepRunning()) {
    std::memset(out + at, 0, bytes);
    benchmark::ClobberMemory();
    at = afresh ? (at + bytes) % (OUTPUT_BYTES / bytes * bytes) : 0;
  }
  report(state, bytes / sizeof(float), bytes);
}

#if defined(__SSE__)
static void run_stream(State &state, size_t bytes) {
  float *out = reinterpret_cast<float *>(output.get(state, bytes));
  while (out && state.KeepRunning()) {
    for (size_t i = 0; i < bytes / sizeof(float); i += 4)
      _mm_stream_ps(out + i, _mm_set1_ps(0.5f));
    _mm_sfence();
  }
  report(state, bytes / sizeof(float), bytes);
}
#endif

// A chain of dependent additions, each of which takes one cycle. The addend is in a register because
// some cores add small constants in no time.
#if defined(__x86_64__) || defined(__aarch64__)
static void run_clock(State &state) {
  uint64_t sum = 0, one = 1;
  while (state.KeepRunning())
    for (int i = 0; i < 1000; i++)
#if defined(__x86_64__)
      __asm__ volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one) : "cc");
#else
      __asm__ volatile(".rept 64\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(one));
#endif
  report(state, 64000, 0);
}
#endif

// Small calls, also under another control word than the default, which is saved and restored. Every
// other one takes the same path, so rounding upwards also stands for flushing to zero.
template <class Call> static void add_call(const char *name, const char *options, int rounding, Call call) {
  add(std::string("-/call of ") + name + "/-/-", [=](State &state) {
    static perlane_noise noise;
    perlane_params params = perlane_params_default();
    perlane_status status = perlane_params_parse(&params, options, nullptr);
    if (!status)
      status = perlane_init(&noise, &params);
    if (!succeeded(state, status) || !succeeded(state, perlane_force_isa(PERLANE_ISA_AUTO)))
      return;
    std::fesetround(rounding);
    for (double at = 0; !status && state.KeepRunning(); at += 0.25)
      status = call(params, noise, at);
    std::fesetround(FE_TONEAREST);
    if (succeeded(state, status))
      report(state, 1, 0);
  });
}

static perlane_status value(perlane_params &, perlane_noise &noise, double at) {
  const double position[2] = {at, 0.5};
  benchmark::DoNotOptimize(perlane_at(&noise, 2, position));
  return PERLANE_OK;
}

static perlane_status tile(perlane_params &, perlane_noise &noise, double at) {
  float out[8 * 8];
  perlane_grid grid = perlane_grid_make(8, 8, 0, 0);
  grid.origin[0] = at;
  return perlane_fill(&noise, &grid, out);
}

static perlane_status init(perlane_params &params, perlane_noise &noise, double at) {
  params.seed = static_cast<uint64_t>(at * 4);
  return perlane_init(&noise, &params);
}

static perlane_status reseed(perlane_params &, perlane_noise &noise, double at) {
  return perlane_reseed(&noise, static_cast<uint64_t>(at * 4));
}

static void add_cases() {
  std::set<size_t> sizes; // that jobs write
  for (size_t i = 0; i < BENCH_JOB_COUNT; i++) {
    const bench_job *job = &BENCH_JOBS[i];
    char name[BENCH_NAME_BYTES];
    bench_job_name(job, name, sizeof name);
    sizes.insert(bench_job_output_bytes(job));
    for (int id = PERLANE_ISA_SCALAR; id < PERLANE_ISA_COUNT; id++) {
      const perlane_isa isa = static_cast<perlane_isa>(id);
      // The reference runs small jobs only: its time per sample hardly depends on their number.
      if (perlane_isa_supported(isa) && (id != PERLANE_ISA_SCALAR || bench_job_samples(job) <= 256 * 256))
        add(name + std::string("/") + perlane_isa_name(isa), [=](State &state) { run_job(state, job, isa); });
    }
  }
  for (const size_t bytes : sizes) {
    const int shift = bytes % (1 << 20) == 0 ? 20 : 10;
    const std::string size = std::to_string(bytes >> shift) + (shift == 20 ? " MiB/-/-" : " KiB/-/-");
    add("-/memset " + size, [=](State &state) { run_memset(state, bytes, false); });
#if defined(__SSE__)
    add("-/stream " + size, [=](State &state) { run_stream(state, bytes); });
#endif
  }
  add("-/memset afresh 64 MiB/-/-", [](State &state) { run_memset(state, size_t{64} << 20, true); });
#if defined(__x86_64__) || defined(__aarch64__)
  add("-/clock/-/-", run_clock);
#endif
  add_call("perlane_at, default environment", "", FE_TONEAREST, value);
  add_call("perlane_fill for 8x8, default environment", "", FE_TONEAREST, tile);
#ifdef FE_UPWARD
  add_call("perlane_at, rounding upwards", "", FE_UPWARD, value);
  add_call("perlane_fill for 8x8, rounding upwards", "", FE_UPWARD, tile);
#endif
  add_call("perlane_init", "", FE_TONEAREST, init);
  add_call("perlane_init, 8 octaves", "octaves=8", FE_TONEAREST, init);
  add_call("perlane_init, sphere", "gradients=sphere", FE_TONEAREST, init);
  add_call("perlane_reseed", "", FE_TONEAREST, reseed);
}

// Returns the CPU's name, which x86 reports in CPUID.
static std::string cpu_name() {
#if defined(__x86_64__) || defined(__i386__)
  unsigned words[13] = {0}; // 48 characters and a NUL
  for (unsigned part = 0; part < 3; part++) {
    unsigned *to = words + 4 * part;
    if (!__get_cpuid(0x80000002 + part, to, to + 1, to + 2, to + 3))
      return "x86";
  }
  const char *name = reinterpret_cast<const char *>(words);
  return name + std::strspn(name, " ");
#else
  return "unknown";
#endif
}

int main(int argc, char **argv) {
  std::string isas;
  for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++)
    if (perlane_isa_supported(static_cast<perlane_isa>(isa)))
      isas += (isas.empty() ? "" : " ") + std::string(perlane_isa_name(static_cast<perlane_isa>(isa)));
  benchmark::AddCustomContext("perlane", perlane_version());
  benchmark::AddCustomContext("cpu", cpu_name());
#ifdef __clang__
  benchmark::AddCustomContext("compiler", __VERSION__);
#else
  benchmark::AddCustomContext("compiler", "gcc " __VERSION__);
#endif
  benchmark::AddCustomContext("build", BENCH_BUILD);
  benchmark::AddCustomContext("isas", isas);
  add_cases();
  benchmark::Initialize(&argc, argv);
  return benchmark::ReportUnrecognizedArguments(argc, argv) || benchmark::RunSpecifiedBenchmarks() == 0;
}
