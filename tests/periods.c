/* SPDX-License-Identifier: MIT
 *
 * Periods: a periodic field repeats to the bit, value and gradient, near and far, on both sides of
 * the origin; and periods that do not fit are refused.
 */
#include "support.h"

#include <math.h>

/* A field with a period along every axis, and the shift along each after which it repeats. */
static perlane_params periodic_params(struct random *random, perlane_hash hash, int dims,
                                      int64_t *cycle) {
  static const int32_t length[] = {1, 2, 3, 5, 7, 16, 37, 100, 256, 257, 1024, 99999, 1073741789};
  perlane_params params = random_params(random, dims);
  if ((params.basis != PERLANE_BASIS_PERLIN && hash != PERLANE_HASH_LATTICE) ||
      params.basis == PERLANE_BASIS_SIMPLEX) /* which has no periods */
    params.basis = PERLANE_BASIS_PERLIN;
  params.hash = (int32_t)hash;
  give_tables(&params, dims);
  params.frequency = 1.0 / (double)(1 << random_below(random, 8));
  params.lacunarity = (double)(1 + random_below(random, 3));
  params.octaves = 1 + (int32_t)random_below(random, 4);
  const int own = hash != PERLANE_HASH_LATTICE && random_below(random, 2) == 0;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    params.period[a] = own || a >= dims || (hash == PERLANE_HASH_GRID && a < 2)
                           ? 0
                           : length[random_below(random, COUNT_OF(length))];
    cycle[a] = hash == PERLANE_HASH_GRID && a < 2 ? params.gradient_grid_count[a]
               : params.period[a] != 0            ? params.period[a]
               : hash == PERLANE_HASH_PRIMES      ? 1024
                                                  : 256;
  }
  for (int a = 0; a < dims; a++)
    if (params.period[a] > PERLANE_MAX_PERIOD / 27) /* 3^3 */
      params.octaves = 1;
  if (!own && hash != PERLANE_HASH_GRID && random_below(random, 3) == 0) {
    params.lacunarity = 1.5; /* a power of two lasts for some octaves */
    for (int a = 0; a < dims; a++)
      cycle[a] = params.period[a] = 8 << random_below(random, 5);
  }
  params.warp_amplitude = 0; /* warped_fields has these */
  params.falloff = 0;        /* has one centre, not one in each period */
  params.valleys = 0;        /* valleys_repeat has these */
  make_valid(&params, dims);
  return params;
}

enum { SAMPLES = 12 * 4 * 3 * 2 };
struct piece {
  float value[SAMPLES], slope[4][SAMPLES];
};

static void fill_piece(struct random *random, const perlane_noise *noise, const perlane_grid *grid,
                       struct piece *piece) {
  float *const gradient[4] = {piece->slope[0], piece->slope[1], piece->slope[2], piece->slope[3]};
  memset(piece, 0, sizeof *piece);
  force_any(random);
  const int sloped = has_gradient(&noise->params);
  assert_int_equal(sloped ? perlane_fill_gradient(noise, grid, piece->value, gradient)
                          : perlane_fill(noise, grid, piece->value),
                   PERLANE_OK);
  static float value[SAMPLES];
  size_t samples = 1;
  for (int a = 0; a < grid->dims; a++)
    samples *= grid->count[a];
  force_any(random);
  assert_ok(perlane_fill(noise, grid, value));
  assert_memory_equal(piece->value, value, samples * sizeof(float));
}

/* A piece of the field whose first cell is `cell`, in steps of 2^-bits of a cell. */
static perlane_grid piece_at(const perlane_params *params, int dims, const double *cell, int bits) {
  perlane_grid grid = perlane_grid_make(12, 4, 3, 2);
  grid.dims = dims;
  for (int a = 0; a < dims; a++) {
    grid.origin[a] = cell[a] / params->frequency;
    grid.step[a] = ldexp(3, -bits) / params->frequency;
  }
  return grid;
}

/* Pieces around the origin and others, whole periods away: up to `reach` cells. All positions and
 * their places in cells are exact. */
static void compare(struct random *random, perlane_hash hash, int dims, double reach, int bits) {
  static struct piece near, far;
  int64_t cycle[4];
  perlane_params params = periodic_params(random, hash, dims, cycle);
  double highest = 1;
  for (int k = 1; k < params.octaves; k++)
    highest *= params.lacunarity;
  if (params.lacunarity != 1 && reach * highest > 0x1p52) /* no room for octaves */
    params.octaves = 1;
  const perlane_noise noise = noise_of(&params);
  double cell[4], moved[4];
  for (int a = 0; a < dims; a++) {
    cell[a] =
        floor(random_between(random, -4, 4)) + (double)random_below(random, 8) * ldexp(1, -bits);
    if (random_below(random, 2)) /* across the seam */
      cell[a] += (double)cycle[a] - 1;
  }
  const perlane_grid grid = piece_at(&params, dims, cell, bits);
  fill_piece(random, &noise, &grid, &near);
  for (int side = -1; side <= 1; side += 2) {
    for (int a = 0; a < dims; a++) {
      const double cycles = floor(random_between(random, 0, reach / (double)cycle[a]));
      moved[a] = cell[a] + side * (cycles + 1) * (double)cycle[a];
    }
    const perlane_grid there = piece_at(&params, dims, moved, bits);
    fill_piece(random, &noise, &there, &far);
    if (memcmp(&near, &far, sizeof near) != 0) {
      print_message("%dD: the piece at", dims);
      for (int a = 0; a < dims; a++)
        print_message(" %.17g", cell[a]);
      print_message(" differs from that at");
      for (int a = 0; a < dims; a++)
        print_message(" %.17g", moved[a]);
      print_message("\n");
      print_params(&params);
      fail();
    }
  }
}

/* Valleys repeat with the field: the cells of each level have a period of their own. */
static void valleys_repeat(void **state) {
  (void)state;
  static struct piece near, far;
  struct random random = random_start("valleys repeat");
  for (size_t c = 0; c < effort(20); c++) { /* the reference takes long */
    perlane_params params = parsed("frequency=0.0625 octaves=2 valleys=3");
    params.seed = random_word(&random);
    params.valley_octaves = (int32_t)random_below(&random, 4);
    params.valley_cells = 0.5 * (double)(1 + random_below(&random, 9));
    double cell[2], moved[2];
    for (int a = 0; a < 2; a++) {
      params.period[a] = 2 * (int32_t)(1 + random_below(&random, 8));
      cell[a] = (double)random_below(&random, 3) - 1;
      moved[a] = cell[a] + params.period[a] * (double)random_below(&random, 1 << 20);
    }
    const perlane_noise noise = noise_of(&params);
    const perlane_grid here = piece_at(&params, 2, cell, 3), there = piece_at(&params, 2, moved, 3);
    fill_piece(&random, &noise, &here, &near);
    fill_piece(&random, &noise, &there, &far);
    assert_memory_equal(&near, &far, sizeof near);
  }
  force(PERLANE_ISA_AUTO);
}

static int hash_is_2d(perlane_hash hash) {
  return hash == PERLANE_HASH_GRID || hash == PERLANE_HASH_PRIMES;
}

static void compare_all(const char *what, double reach, int bits) {
  struct random random = random_start(what);
  for (int hash = 0; hash < PERLANE_HASH_COUNT; hash++)
    for (int dims = 1; dims <= 4; dims++)
      for (size_t c = 0; c < effort(100); c++)
        if (dims == 2 || !hash_is_2d((perlane_hash)hash))
          compare(&random, (perlane_hash)hash, dims, reach, bits);
  force(PERLANE_ISA_AUTO);
}

static void repeats_near(void **state) {
  (void)state;
  compare_all("repeats near", 1e4, 10);
}

static void repeats_beyond_32_bits(void **state) {
  (void)state;
  compare_all("repeats beyond 2^32 cells", 0x1p35, 9);
}

static void repeats_far(void **state) {
  (void)state;
  compare_all("repeats near 2^52 cells", 0x1p52 - 0x1p20, 1);
}

/* In the first period, up to the cells before the seam, the field is the one without a period. */
static void first_period_is_the_field(void **state) {
  (void)state;
  struct random random = random_start("first period");
  for (size_t c = 0; c < effort(2000); c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    perlane_params params = random_params(&random, dims);
    if (params.basis == PERLANE_BASIS_SIMPLEX)
      params.basis = PERLANE_BASIS_VALUE;
    params.valleys = 0; /* whose cells are seldom whole numbers */
    memset(params.period, 0, sizeof params.period);
    params.lacunarity = 2;
    params.warp_amplitude = 0; /* which reaches across the seam */
    const int reach = params.basis == PERLANE_BASIS_CELLULAR ? 3 : 0; /* cells before and after */
    const perlane_noise endless = noise_of(&params);
    for (int a = 0; a < dims; a++)
      if (params.hash != PERLANE_HASH_GRID)
        params.period[a] = 2 + 3 * reach + (int32_t)random_below(&random, 1000);
    const perlane_noise periodic = noise_of(&params);
    for (int i = 0; i < 16; i++) {
      double position[4];
      for (int a = 0; a < dims; a++)
        position[a] =
            random_between(&random, reach, fmax(params.period[a] - reach - 2.001, reach)) /
            params.frequency;
      float there[4], here[4];
      assert_int_equal(bits_of(perlane_at(&endless, dims, position)),
                       bits_of(perlane_at(&periodic, dims, position)));
      perlane_at_gradient(&endless, dims, position, there);
      perlane_at_gradient(&periodic, dims, position, here);
      assert_memory_equal(there, here, (size_t)dims * sizeof(float));
    }
  }
}

/* A warped field repeats as far as its positions do: those that it displaces are rounded, by more
 * the farther out they are. Within 2^12 cells that moves hardly one in 2^12 of them into the next
 * of the 2^24 parts of a cell, whose value differs by its slope. */
static void warped_fields(void **state) {
  (void)state;
  struct random random = random_start("warped fields");
  enum { N = 64 };
  size_t same = 0, all = 0;
  for (size_t c = 0; c < effort(600); c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    static const int32_t length[] = {1, 3, 8, 24, 37, 100};
    perlane_params params = perlane_params_default();
    params.seed = random_word(&random);
    params.frequency = random_below(&random, 2) ? 0.125 : 0.1;
    params.octaves = 1 + (int32_t)random_below(&random, 3);
    params.warp_amplitude = random_between(&random, 0.01, 1) / params.frequency;
    params.warp_frequency = params.frequency * (double)(1 + random_below(&random, 3));
    params.warp_octaves = 1 + (int32_t)random_below(&random, 3);
    params.warp_rounds = 1 + (int32_t)random_below(&random, 2);
    for (int a = 0; a < dims; a++)
      params.period[a] = length[random_below(&random, COUNT_OF(length))];
    if (dims < 4 && random_below(&random, 3) == 0)
      params.basis = PERLANE_BASIS_CELLULAR;
    const perlane_noise noise = noise_of(&params);
    force_any(&random);
    static double position[2][4][N];
    static float value[2][N];
    const double *coords[2][4];
    for (int a = 0; a < dims; a++) {
      const double cycles = floor(random_between(&random, -20, 20)) * params.period[a];
      for (int i = 0; i < N; i++) {
        position[0][a][i] =
            floor(random_between(&random, -4, 4) * 0x1p20) * 0x1p-20 / params.frequency;
        position[1][a][i] = position[0][a][i] + cycles / params.frequency;
      }
      coords[0][a] = position[0][a];
      coords[1][a] = position[1][a];
    }
    for (int i = 0; i < 2; i++)
      assert_ok(points_of_doubles(&noise, dims, N, coords[i], value[i], NULL));
    for (int i = 0; i < N; i++, all++) {
      same += bits_of(value[0][i]) == bits_of(value[1][i]);
      assert_true(fabs((double)value[0][i] - (double)value[1][i]) < 1e-4);
    }
  }
  force(PERLANE_ISA_AUTO);
  print_message("warped fields: %zu of %zu values repeat to the bit\n", same, all);
  assert_true(same > all - all / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(repeats_near),
      cmocka_unit_test(valleys_repeat),
      cmocka_unit_test(repeats_beyond_32_bits),
      cmocka_unit_test(repeats_far),
      cmocka_unit_test(first_period_is_the_field),
      cmocka_unit_test(warped_fields),
  };
  return cmocka_run_group_tests_name("periods", tests, NULL, NULL);
}
