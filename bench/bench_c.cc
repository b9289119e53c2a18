// SPDX-License-Identifier: MIT
//
// bench_c.h by Google Benchmark's C++ interface. A bench_state is a benchmark::State.
#include "bench_c.h"

#include <benchmark/benchmark.h>

static benchmark::State &state_of(bench_state *state) {
  return *reinterpret_cast<benchmark::State *>(state);
}

void bench_register(const char *name, bench_case *run, const void *argument) {
  benchmark::RegisterBenchmark(name, [run, argument](benchmark::State &state) {
    run(reinterpret_cast<bench_state *>(&state), argument);
  })->Unit(benchmark::kMicrosecond);
}

void bench_context(const char *key, const char *value) {
  benchmark::AddCustomContext(key, value);
}

int bench_run(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  const bool none = benchmark::RunSpecifiedBenchmarks() == 0;
  benchmark::Shutdown();
  return none;
}

int bench_keep_running(bench_state *state) {
  return state_of(state).KeepRunning();
}

void bench_work(bench_state *state, double items, double bytes) {
  const double turns = static_cast<double>(state_of(state).iterations());
  state_of(state).SetItemsProcessed(static_cast<int64_t>(turns * items));
  if (bytes > 0)
    state_of(state).SetBytesProcessed(static_cast<int64_t>(turns * bytes));
}

void bench_skip(bench_state *state, const char *why) {
  state_of(state).SkipWithError(why);
}
