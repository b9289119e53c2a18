/* SPDX-License-Identifier: MIT
 *
 * Range: no sample leaves [-1, 1], also where a cell's gradients conspire to reach the largest
 * value that the noise can have; and the bound is tight.
 */
#include "reference.h"

#include <math.h>

#include "support.h"

struct extremes {
  double low, high;
  size_t samples;
};

static void take(struct extremes *extremes, const float *value, size_t n) {
  float low = value[0], high = value[0];
  for (size_t i = 0; i < n; i++) {
    low = value[i] < low ? value[i] : low;
    high = value[i] > high ? value[i] : high;
  }
  extremes->low = fmin(extremes->low, (double)low);
  extremes->high = fmax(extremes->high, (double)high);
  extremes->samples += n;
}

static void check(const char *what, const struct extremes *extremes) {
  print_message("%s: %zu samples in [%.9g, %.9g]\n", what, extremes->samples, extremes->low,
                extremes->high);
  assert_true(extremes->low >= -1.0);
  assert_true(extremes->high <= 1.0);
}

enum { BLOCK = 1 << 16 };
static float sampled[BLOCK];

/* All 2^24 fractions of a cell, for each pair of slopes at its ends. */
static void every_fraction_1d(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  const perlane_noise noise = noise_of(&params);
  struct extremes extremes = {0, 0, 0};
  unsigned seen = 0; /* bit per pair of slopes */
  for (int64_t cell = 0; seen != 15 && cell < 1000; cell++) {
    const double near_start = (double)cell + 0.01, near_end = (double)cell + 0.99;
    const unsigned pair = (perlane_at(&noise, 1, &near_start) < 0 ? 1u : 0u) |
                          (perlane_at(&noise, 1, &near_end) < 0 ? 2u : 0u);
    if (seen & 1u << pair)
      continue;
    seen |= 1u << pair;
    const size_t blocks = effort((1 << 24) / BLOCK);
    for (size_t block = 0; block < blocks; block++) {
      perlane_grid grid = perlane_grid_make(BLOCK, 0, 0, 0);
      grid.origin[0] = (double)cell;
      grid.step[0] = 0x1p-24;
      /* With less effort: the middle of the cell, where the largest values are. */
      grid.first[0] = (1 << 23) + ((int64_t)block - (int64_t)blocks / 2) * BLOCK;
      assert_int_equal(perlane_fill(&noise, &grid, sampled), PERLANE_OK);
      take(&extremes, sampled, BLOCK);
    }
  }
  assert_int_equal(seen, 15);
  check("1D, every fraction", &extremes);
  assert_true(extremes.high == 1.0 && extremes.low == -1.0);
}

/* Climbs from a position to a local maximum of sign * value. */
static double climb(const perlane_noise *noise, int dims, double *p, double sign) {
  double best = sign * (double)perlane_at(noise, dims, p);
  for (double step = 0.05; step > 1e-8; step /= 2)
    for (int again = 1; again;) {
      again = 0;
      for (int a = 0; a < dims; a++)
        for (int direction = -1; direction <= 1; direction += 2) {
          const double before = p[a];
          p[a] += direction * step;
          const double here = sign * (double)perlane_at(noise, dims, p);
          if (here > best) {
            best = here;
            again = 1;
          } else {
            p[a] = before;
          }
        }
    }
  return best;
}

/* Finds the highest and lowest places among many cells, then samples densely around each. */
static void around_extremes(int dims, double at_least) {
  struct random random = random_start("around extremes");
  static const size_t width[4] = {BLOCK, 256, 40, 16};
  struct extremes extremes = {0, 0, 0};
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  for (size_t round = 0; extremes.samples < effort(30 * 1000 * 1000); round++) {
    params.seed = random_word(&random);
    const perlane_noise noise = noise_of(&params);
    /* A coarse look at the field: 2D about 4000 cells, 4D about 250. */
    perlane_grid grid =
        perlane_grid_make(width[dims - 1], width[dims - 1], width[dims - 1], width[dims - 1]);
    grid.dims = dims;
    size_t samples = 1;
    for (int a = 0; a < dims; a++) {
      grid.step[a] = 0.25;
      grid.origin[a] = floor(random_between(&random, -1e6, 1e6));
      samples *= grid.count[a];
    }
    assert_int_equal(perlane_fill(&noise, &grid, sampled), PERLANE_OK);
    take(&extremes, sampled, samples);
    size_t high = 0, low = 0;
    for (size_t i = 0; i < samples; i++) {
      high = sampled[i] > sampled[high] ? i : high;
      low = sampled[i] < sampled[low] ? i : low;
    }
    for (int side = 0; side < 2; side++) {
      double p[4];
      size_t rest = side ? low : high;
      for (int a = 0; a < dims; a++) {
        p[a] = grid.origin[a] + (double)(rest % grid.count[a]) * 0.25;
        rest /= grid.count[a];
      }
      climb(&noise, dims, p, side ? -1 : 1);
      static const double step[] = {0x1p-24, 0x1p-21, 0x1p-17, 0x1p-13};
      for (size_t s = 0; s < sizeof step / sizeof step[0]; s++) {
        perlane_grid close = grid;
        for (int a = 0; a < dims; a++) {
          close.origin[a] = p[a];
          close.step[a] = step[s];
          close.first[a] = -(int64_t)(close.count[a] / 2);
        }
        assert_int_equal(perlane_fill(&noise, &close, sampled), PERLANE_OK);
        take(&extremes, sampled, samples);
      }
    }
  }
  char what[32];
  snprintf(what, sizeof what, "%dD around extremes", dims);
  check(what, &extremes);
  assert_true(extremes.high >= at_least && extremes.low <= -at_least);
}

static void around_extremes_2d(void **state) {
  (void)state;
  around_extremes(2, 0.95);
}

static void around_extremes_3d(void **state) {
  (void)state;
  around_extremes(3, 0.8);
}

/* 8 corners agree less often than 4, and 16 seldom: chosen_gradients goes all the way. */
static void around_extremes_4d(void **state) {
  (void)state;
  around_extremes(4, 0.5);
}

/* Every corner's gradient chosen to make a place's value as large as it can be, which a search for
 * such a cell would hardly meet in 3D and 4D. */
static void choose_gradients(int dims, const float t[4], float gradient[16][4]) {
  for (int c = 0; c < 1 << dims; c++) {
    double best = -1e9;
    for (uint32_t index = 0; index < 32; index++) {
      float candidate[4] = {0};
      const uint32_t shift = dims <= 2 ? 17 : 16;
      const uint32_t m = index << shift;
      const uint32_t word[4] = {m >> 14, 1u << 14, 0, 0}; /* their hash is m */
      corner_gradient(dims, word, candidate);
      double value = 0;
      for (int a = 0; a < dims; a++)
        value += (double)candidate[a] * ((double)t[a] - (c >> a & 1));
      if (value > best) {
        best = value;
        memcpy(gradient[c], candidate, sizeof candidate);
      }
    }
  }
}

static void chosen_gradients(void **state) {
  (void)state;
  static const double peak[5][4] = {
      {0},
      {0.5},
      {0.443810605, 0.5},
      {0.5, 0.644743306, 0.48149221},
      {0.518374832, 0.356412479, 0.5, 0.491925506},
  };
  struct random random = random_start("chosen gradients");
  const perlane_params params = perlane_params_default();
  const perlane_noise noise = noise_of(&params);
  for (int dims = 1; dims <= 4; dims++) {
    const float amplitude = noise.octave[0].amplitude[dims - 1];
    struct extremes extremes = {0, 0, 0};
    float gradient[16][4];
    struct weights at[4];
    float t[4];
    for (int a = 0; a < dims; a++)
      t[a] = (float)peak[dims][a];
    choose_gradients(dims, t, gradient);
    const size_t samples = effort(4 * 1000 * 1000);
    for (size_t i = 0; i < samples; i++) {
      const double reach = ldexp(1, -4 - (int)random_below(&random, 18));
      for (int a = 0; a < dims; a++) {
        const double near = peak[dims][a] + random_between(&random, -reach, reach);
        at[a] = weights_at((float)(floor(near * 0x1p24) * 0x1p-24), amplitude);
      }
      const float here = combine_corners(dims, gradient, at);
      take(&extremes, &here, 1);
    }
    char what[32];
    snprintf(what, sizeof what, "%dD, chosen gradients", dims);
    check(what, &extremes);
    assert_true(extremes.high > 0.9999995);
  }
}

/* Octaves that are all the same field at the same place: every one at its largest at once. */
static void coinciding_octaves(void **state) {
  (void)state;
  for (int dims = 1; dims <= 3; dims++) {
    struct extremes extremes = {0, 0, 0};
    for (int octaves = 2; octaves <= PERLANE_MAX_OCTAVES; octaves += 3) {
      perlane_params params = perlane_params_default();
      params.frequency = 1;
      params.octaves = octaves;
      params.lacunarity = 1;
      params.gain = 1.0 - octaves * 0.01;
      params.octave_seed_step = 0;
      const perlane_noise noise = noise_of(&params);
      double best[4] = {0}, highest = 0;
      for (int cell = 0; cell < 3000; cell++) {
        double p[4] = {cell + 0.4438, 0.5, 0.4815};
        if (dims == 1)
          p[0] = cell + 0.5;
        const double here = (double)perlane_at(&noise, dims, p);
        if (here > highest) {
          highest = here;
          memcpy(best, p, sizeof best);
        }
      }
      climb(&noise, dims, best, 1);
      perlane_grid close = perlane_grid_make(dims == 1 ? 4096 : 64, 64, 1, 0);
      close.dims = dims;
      for (int a = 0; a < dims; a++) {
        close.origin[a] = best[a];
        close.step[a] = 0x1p-22;
        close.first[a] = -(int64_t)(close.count[a] / 2);
      }
      assert_int_equal(perlane_fill(&noise, &close, sampled), PERLANE_OK);
      take(&extremes, sampled, 4096);
    }
    check("coinciding octaves", &extremes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_fraction_1d),  cmocka_unit_test(around_extremes_2d),
      cmocka_unit_test(around_extremes_3d), cmocka_unit_test(around_extremes_4d),
      cmocka_unit_test(chosen_gradients),   cmocka_unit_test(coinciding_octaves),
  };
  return cmocka_run_group_tests_name("range", tests, NULL, NULL);
}
