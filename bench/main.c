/* SPDX-License-Identifier: MIT
 *
 * The benchmark. Cases are named dims/job/frequency/isa, and an item is a sample. It takes Google
 * Benchmark's options, such as --benchmark_filter, --benchmark_min_time and --help.
 */
#include <string.h>

#include <perlane.h>

#include "bench_c.h"
#include "cases.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* Returns the CPU's name, which x86 reports in CPUID. */
static const char *cpu_name(void) {
#if defined(__x86_64__) || defined(__i386__)
  static unsigned words[13]; /* 48 characters and a NUL */
  for (unsigned part = 0; part < 3; part++) {
    unsigned *to = words + (size_t)4 * part;
    if (!__get_cpuid(0x80000002 + part, to, to + 1, to + 2, to + 3))
      return "x86";
  }
  const char *name = (const char *)words;
  return name + strspn(name, " ");
#elif defined(__aarch64__)
  return "AArch64";
#else
  return "unknown";
#endif
}

int main(int argc, char **argv) {
  char isas[128] = "";
  for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++)
    if (perlane_isa_supported((perlane_isa)isa)) {
      strcat(isas, *isas ? " " : "");
      strcat(isas, perlane_isa_name((perlane_isa)isa));
    }
  bench_context("perlane", perlane_version());
  bench_context("cpu", cpu_name());
#ifdef __clang__
  bench_context("compiler", __VERSION__);
#else
  bench_context("compiler", "gcc " __VERSION__);
#endif
  bench_context("build", BENCH_BUILD);
  bench_context("isas", isas);
  bench_register_noise();
  bench_register_ceilings();
  bench_register_caller();
  return bench_run(argc, argv);
}
