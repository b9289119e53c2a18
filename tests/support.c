/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <time.h>

#if defined(PERLANE_X86)
extern const struct perlane_kernels perlane_neon_kernels;
static const struct perlane_kernels *const EMULATED[] = {&perlane_neon_kernels};
#elif defined(PERLANE_AARCH64)
extern const struct perlane_kernels perlane_sse41_kernels, perlane_avx2_kernels;
static const struct perlane_kernels *const EMULATED[] = {&perlane_sse41_kernels,
                                                         &perlane_avx2_kernels};
#else
extern const struct perlane_kernels perlane_sse41_kernels, perlane_avx2_kernels,
    perlane_neon_kernels;
static const struct perlane_kernels *const EMULATED[] = {
    &perlane_sse41_kernels, &perlane_avx2_kernels, &perlane_neon_kernels};
#endif

struct kernel_list lane_kernels(void) {
  struct kernel_list list = {0, {NULL}};
  for (int isa = PERLANE_ISA_SCALAR + 1; isa < PERLANE_ISA_COUNT; isa++) {
    const struct perlane_kernels *table = perlane_kernels_for((perlane_isa)isa);
    if (table)
      list.table[list.count++] = table;
    else if (perlane_isa_built_in((perlane_isa)isa))
      print_message("not run: %s, which this CPU does not have\n",
                    perlane_isa_name((perlane_isa)isa));
  }
  for (size_t i = 0; i < sizeof EMULATED / sizeof EMULATED[0]; i++)
    list.table[list.count++] = EMULATED[i];
  return list;
}

struct random random_start(const char *what) {
  const char *text = getenv("PERLANE_TEST_SEED");
  struct random random = {text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL)};
  print_message("%s: PERLANE_TEST_SEED=%llu\n", what, (unsigned long long)random.state);
  return random;
}

uint64_t random_word(struct random *random) {
  uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

uint64_t random_below(struct random *random, uint64_t n) {
  return random_word(random) % n;
}

double random_unit(struct random *random) {
  return (double)(random_word(random) >> 11) * 0x1p-53;
}

double random_between(struct random *random, double low, double high) {
  return low + (high - low) * random_unit(random);
}

size_t effort(size_t n) {
  const char *text = getenv("PERLANE_TEST_PERCENT");
  const size_t percent = text ? strtoul(text, NULL, 10) : 100;
  const size_t less = n / 100 * percent + n % 100 * percent / 100;
  return less > 0 ? less : 1;
}

perlane_params random_params(struct random *random) {
  perlane_params params = perlane_params_default();
  params.seed = random_word(random) >> random_below(random, 64);
  params.octaves = random_below(random, 2) ? 1 : 1 + (int32_t)random_below(random, 8);
  params.frequency = random_below(random, 3) ? random_between(random, 0.001, 1.5)
                                             : 1.0 / (double)(1 << random_below(random, 12));
  if (random_below(random, 3) == 0)
    params.lacunarity = random_between(random, 0.4, 3.5);
  if (random_below(random, 3) == 0)
    params.gain = random_between(random, -1, 1.2);
  if (random_below(random, 4) == 0)
    params.octave_seed_step = random_below(random, 3) * 7;
  return params;
}

void print_params(const perlane_params *params) {
  print_message("  seed %llu, frequency %a, octaves %d, lacunarity %a, gain %a, octave seed step "
                "%llu\n",
                (unsigned long long)params->seed, params->frequency, (int)params->octaves,
                params->lacunarity, params->gain, (unsigned long long)params->octave_seed_step);
}

perlane_noise noise_of(const perlane_params *params) {
  perlane_noise noise;
  assert_int_equal(perlane_init(&noise, params), PERLANE_OK);
  return noise;
}

uint32_t bits_of(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

void fill_pattern(void *memory, size_t bytes) {
  unsigned char *byte = memory;
  for (size_t i = 0; i < bytes; i++)
    byte[i] = (unsigned char)(0xA5 ^ i * 37);
}
