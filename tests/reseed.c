/* SPDX-License-Identifier: MIT
 *
 * perlane_reseed makes the very structure that perlane_init makes of the other seed, and reads none
 * of the caller's tables, which may be gone by then.
 */
#include "support.h"

enum { SAMPLES = 67 };

/* Fills a line or a small block of the field in dims dimensions. */
static void sample(const perlane_noise *noise, int dims, float *out) {
  perlane_grid grid = perlane_grid_make(SAMPLES, dims > 1, dims > 2, dims > 3);
  for (int a = 0; a < dims; a++) {
    grid.origin[a] = 3.3 * a;
    grid.step[a] = 0.37;
  }
  assert_int_equal(perlane_fill(noise, &grid, out), PERLANE_OK);
}

static void check_seeds(perlane_params params, int dims, uint64_t from, uint64_t to) {
  perlane_noise made, reseeded;
  memset(&made, 0, sizeof made);
  memset(&reseeded, 0, sizeof reseeded);
  int32_t hash_table[1024];
  if (params.hash_table)
    params.hash_table = memcpy(hash_table, params.hash_table, sizeof hash_table);
  params.seed = to;
  assert_int_equal(perlane_init(&made, &params), PERLANE_OK);
  params.seed = from;
  assert_int_equal(perlane_init(&reseeded, &params), PERLANE_OK);
  memset(hash_table, 0xFF, sizeof hash_table);
  assert_int_equal(perlane_reseed(&reseeded, to), PERLANE_OK);
  float of_made[SAMPLES], of_reseeded[SAMPLES];
  sample(&made, dims, of_made);
  sample(&reseeded, dims, of_reseeded);
  if (memcmp(&made, &reseeded, sizeof made) != 0 ||
      memcmp(of_made, of_reseeded, sizeof of_made) != 0) {
    print_params(&params);
    fail_msg("reseeded from %llu to %llu: another field", (unsigned long long)from,
             (unsigned long long)to);
  }
}

/* Every hash with every gradient set and basis. */
static void fields_of_other_seeds(void **state) {
  (void)state;
  struct random random = random_start("fields of other seeds");
  int fields = 0;
  for (int dims = 1; dims <= PERLANE_MAX_DIMS; dims++)
    for (int basis = 0; basis < PERLANE_BASIS_COUNT; basis++)
      for (int hash = 0; hash < PERLANE_HASH_COUNT; hash++)
        for (int set = 0; set < PERLANE_GRADIENTS_COUNT; set++)
          for (int tables = 0; tables < 2; tables++) {
            perlane_params params = perlane_params_default();
            params.basis = (int32_t)basis;
            params.hash = (int32_t)hash;
            params.gradients = (int32_t)set;
            params.octaves = 1 + (int32_t)random_below(&random, 5);
            params.octaves_share = (int32_t)random_below(&random, 2);
            params.phase = (int32_t)random_below(&random, PERLANE_PHASE_COUNT);
            params.seed = random_word(&random);
            if (random_below(&random, 2)) {
              params.warp_amplitude = 3;
              params.warp_octaves = 1 + (int32_t)random_below(&random, 3);
              params.warp_rounds = 1 + (int32_t)random_below(&random, 2);
            }
            give_tables(&params, dims);
            if (tables == 0 && params.hash == PERLANE_HASH_PRIMES)
              params.hash_table = NULL; /* made from the seed */
            perlane_noise noise;
            float low, high;
            if (perlane_init(&noise, &params) != PERLANE_OK ||
                perlane_range(&noise, dims, &low, &high) != PERLANE_OK)
              continue;
            check_seeds(params, dims, params.seed, random_word(&random));
            check_seeds(params, dims, params.seed, params.seed);
            fields++;
          }
  print_message("%d fields\n", fields);
  assert_true(fields > 200);
}

/* A seed changes the displacements, too: of a field that no seed else has an effect on. */
static void warp_of_other_seeds(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.hash = PERLANE_HASH_PERLIN;
  params.octaves_share = 1;
  params.phase = PERLANE_PHASE_NONE;
  for (int is_warped = 0; is_warped < 2; is_warped++) {
    params.warp_amplitude = is_warped * 30;
    perlane_noise noise = noise_of(&params);
    float before[SAMPLES], after[SAMPLES];
    sample(&noise, 2, before);
    assert_int_equal(perlane_reseed(&noise, params.seed + 1), PERLANE_OK);
    sample(&noise, 2, after);
    int differ = 0;
    for (int i = 0; i < SAMPLES; i++)
      differ += before[i] != after[i];
    assert_true(is_warped ? differ > SAMPLES / 2 : differ == 0);
  }
}

static void refused(void **state) {
  (void)state;
  perlane_noise noise, before;
  memset(&noise, 0x55, sizeof noise);
  before = noise;
  assert_int_equal(perlane_reseed(NULL, 1), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_reseed(&noise, 1), PERLANE_ERROR_NOISE);
  assert_memory_equal(&noise, &before, sizeof noise);
}

/* A field reads no member that perlane_init does not write: with all others NaN, samples are the
 * same. */
static void unused_members(void **state) {
  (void)state;
  struct random random = random_start("unused members");
  for (size_t i = 0; i < effort(400); i++) {
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    const perlane_params params = random_params(&random, dims);
    perlane_noise zeros;
    memset(&zeros, 0, sizeof zeros);
    assert_int_equal(perlane_init(&zeros, &params), PERLANE_OK);
    const perlane_noise nans = noise_of(&params); /* which poisons its structure */
    for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++) {
      if (!perlane_isa_supported((perlane_isa)isa))
        continue;
      float of_zeros[SAMPLES], of_nans[SAMPLES];
      force((perlane_isa)isa);
      sample(&zeros, dims, of_zeros);
      sample(&nans, dims, of_nans);
      assert_memory_equal(of_zeros, of_nans, sizeof of_zeros);
    }
  }
  force(PERLANE_ISA_AUTO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_of_other_seeds),
      cmocka_unit_test(warp_of_other_seeds),
      cmocka_unit_test(refused),
      cmocka_unit_test(unused_members),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
