/* SPDX-License-Identifier: MIT
 *
 * Range: no sample is outside perlane_range, which is [-1, 1] by default, of random fields, extreme
 * ones and cells. cases.txt has bounds that can be said in advance.
 */
#include "perlane_gpu.h"
#include "support.h"

#include <float.h>
#include <math.h>

enum { BLOCK = 1 << 16 };
static float sampled[BLOCK];

/* Climbs from a position to a local maximum of sign * value. */
static double climb(const perlane_noise *noise, int dims, double *p, double sign) {
  const double cell = 1 / noise->octave[noise->octaves - 1].frequency;
  double best = sign * (double)perlane_at(noise, dims, p);
  for (double step = 0.05; step > 1e-8; step /= 2)
    for (int again = 1; again;) {
      again = 0;
      for (int a = 0; a < dims; a++)
        for (int direction = -1; direction <= 1; direction += 2) {
          const double before = p[a];
          p[a] += direction * step * cell;
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

/* A number of any magnitude that a double has; subnormal floats, and the numbers around them, are
 * frequent. Never 0. */
static double any_magnitude(struct random *random) {
  static const int exponent[][2] = {{-1074, 1023}, {-160, -120}, {-60, 60}, {-3, 3}};
  const int *between = exponent[random_below(random, 4)];
  const double magnitude = ldexp(
      random_between(random, 1, 2),
      between[0] + (int)random_below(random, (uint64_t)((int64_t)between[1] - between[0] + 1)));
  return random_below(random, 2) ? magnitude : -magnitude;
}

/* Points of a curve that are as close as points may be, or far away, and on any level. */
static void extreme_curve(struct random *random, perlane_params *params) {
  perlane_curve *curve = &params->curve;
  curve->count = 2 + (int32_t)random_below(random, 4);
  double x = random_between(random, -1, 1) * (random_below(random, 3) ? 1 : 200);
  for (int32_t i = 0; i < curve->count; i++) {
    curve->point[i][0] = x;
    curve->point[i][1] = random_below(random, 3) ? random_between(random, -1, 1)
                                                 : fmax(fmin(any_magnitude(random), 1e6), -1e6);
    const double steps[] = {1.5e-6, 1e-5, 0.01, 0.3};
    x += steps[random_below(random, 4)];
  }
  params->curve_shape = (int32_t)random_below(random, PERLANE_CURVE_SHAPE_COUNT);
}

/* Parameters of any magnitude. */
static perlane_params extreme_params(struct random *random, int dims) {
  perlane_params params = random_params(random, dims);
  double *const any[] = {&params.amplitude, &params.gain, &params.value_scale,
                         &params.value_offset};
  for (size_t i = 0; i < COUNT_OF(any); i++)
    if (random_below(random, 3) == 0)
      *any[i] = any_magnitude(random);
  if (random_below(random, 4) == 0)
    params.gain = random_below(random, 2) ? 1 : -1;
  if (random_below(random, 2))
    extreme_curve(random, &params);
  if (random_below(random, 4) == 0)
    params.terraces = 1 + (int32_t)random_below(random, PERLANE_MAX_TERRACES);
  if (random_below(random, 4) == 0)
    params.terrace_sharpness = 1 - ldexp(1, -1 - (int)random_below(random, 53));
  if (random_below(random, 8) == 0)
    params.ping_pong_strength = fmin(fabs(any_magnitude(random)), PERLANE_MAX_PING_PONG_STRENGTH);
  if (random_below(random, 8) == 0)
    params.normalize = PERLANE_NORMALIZE_NONE;
  return params;
}

/* Every kernel computes the reference's bits, and neither these samples nor those that climb from
 * the highest and the lowest are outside the range, of random fields and of those of extreme
 * parameters, a third of which is refused. */
static void random_fields(void **state) {
  (void)state;
  struct random random = random_start("random fields");
  enum { WIDTH = 64 };
  const size_t cases = effort(8000);
  size_t refused = 0;
  double widest = 0;
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4);
    const perlane_params params =
        c % 4 ? extreme_params(&random, dims) : random_params(&random, dims);
    perlane_noise noise;
    float low, high, expected[WIDTH];
    if (perlane_init(&noise, &params) != PERLANE_OK ||
        perlane_range(&noise, dims, &low, &high) != PERLANE_OK) {
      assert_true(c % 4);
      refused++;
      continue;
    }
    if (params.normalize == PERLANE_NORMALIZE_FULL && params.basis != PERLANE_BASIS_GAUSSIAN &&
        params.value_scale == 1 && params.value_offset == 0 && params.falloff == 0 &&
        params.curve.count == 0 && params.valleys == 0)
      assert_true(low >= -1 && high <= 1);
    perlane_grid grid = perlane_grid_make(WIDTH, 1, 1, 1);
    grid.dims = dims;
    for (int a = 0; a < dims; a++) {
      grid.origin[a] = random_between(&random, -1e4, 1e4);
      grid.step[a] = random_between(&random, 0.05, 0.7) / params.frequency;
    }
    force(PERLANE_ISA_SCALAR);
    assert_ok(perlane_fill(&noise, &grid, expected));
    force_any(&random);
    assert_ok(perlane_fill(&noise, &grid, sampled));
    int outside = memcmp(sampled, expected, sizeof expected) != 0;
    size_t top = 0, bottom = 0;
    for (size_t i = 0; i < WIDTH; i++) {
      top = expected[i] > expected[top] ? i : top;
      bottom = expected[i] < expected[bottom] ? i : bottom;
    }
    double ends[2];
    for (int is_top = 0; is_top < 2; is_top++) {
      double p[4];
      memcpy(p, grid.origin, sizeof p);
      p[0] += (double)(is_top ? top : bottom) * grid.step[0];
      ends[is_top] = (is_top ? 1 : -1) * climb(&noise, dims, p, is_top ? 1 : -1);
      outside |= !(ends[is_top] >= (double)low && ends[is_top] <= (double)high);
    }
    outside |= !(expected[bottom] >= low && expected[top] <= high);
    if (outside) {
      print_message("%dD: values in [%a, %a], expected in [%a, %a]; kernels differ: %d\n", dims,
                    ends[0], ends[1], (double)low, (double)high,
                    memcmp(sampled, expected, sizeof expected) != 0);
      print_params(&params);
      fail();
    }
    if (high > low)
      widest = fmax(widest, (ends[1] - ends[0]) / ((double)high - (double)low));
  }
  print_message("%zu of %zu fields refused; values fill up to %.6f of their range\n", refused,
                cases, widest);
  assert_true(refused < cases / 2);
  force(PERLANE_ISA_AUTO);
}

/* Fields whose values once left their range: a step on the edge of a terrace, subnormal sizes;
 * octaves with a weight of almost 0, as the noise is never near 0; curves whose first piece ends,
 * by rounding, 6e-5 beyond the point at 0, the lowest or the highest that values reach, which are
 * next to 0 next to lattice points. */
static void once_outside(void **state) {
  (void)state;
  static const float vector[] = {0.1f, -0.1f};
#define WEIGHTS                                                                                    \
  "frequency=0.37 octaves=4 gain=1 normalize=none weighted_strength=1 gradients=table "
  static const struct {
    int dims;
    double origin;
    const char *options;
  } FIELD[] = {
      {2, 0, "frequency=0.2 terraces=25 curve=-0.2:-1,0.2:0.44"},
      {2, 0, "frequency=0.3 basis=white octaves=4 gain=1 value_scale=4e-45"},
      {2, 0, "frequency=0.3 fractal=ridged normalize=none amplitude=-2.6e9 value_scale=-9.9e-46"},
      {1, 0, WEIGHTS "fractal=ridged"},
      {1, 0, WEIGHTS "fractal=billow"},
      {1, 0x1p-24, "frequency=1 phase=none curve=-5.3:1000,0:0,7:2000,8:-1000"},
      {1, 0x1p-24, "frequency=1 phase=none curve=-5.3:-1000,0:0,7:-2000,8:1000"},
  };
  for (size_t i = 0; i < COUNT_OF(FIELD); i++) {
    perlane_params params = parsed(FIELD[i].options);
    if (params.gradients == PERLANE_GRADIENTS_TABLE) {
      params.gradient_table = vector;
      params.gradient_dims = 1;
      params.gradient_count = 2;
    }
    const perlane_noise noise = noise_of(&params);
    perlane_grid grid = perlane_grid_make(256, 256, 0, 0);
    grid.dims = FIELD[i].dims;
    grid.origin[0] = FIELD[i].origin;
    float low, high, smallest, largest;
    assert_ok(perlane_range(&noise, grid.dims, &low, &high));
    assert_ok(perlane_fill_extremes(&noise, &grid, sampled, &smallest, &largest));
    if (smallest < low || largest > high || (FIELD[i].origin != 0 && smallest >= 0 && largest <= 0))
      fail_msg("%s: values in [%a, %a] are outside [%a, %a]", FIELD[i].options, (double)smallest,
               (double)largest, (double)low, (double)high);
  }
}

/* Contrast 0 leaves -1 and 1, so that only size and offset round: to both ends of the range. */
static void ends_of_the_range(void **state) {
  (void)state;
  struct random random = random_start("ends of the range");
  for (size_t c = 0; c < effort(3000); c++) {
    perlane_params params = perlane_params_default();
    params.contrast = 0;
    params.frequency = 1;
    params.value_scale = random_between(&random, -3, 3);
    params.value_offset =
        random_between(&random, -3, 3) * ldexp(1, (int)random_below(&random, 24) - 12);
    const perlane_noise noise = noise_of(&params);
    float low, high;
    assert_ok(perlane_range(&noise, 1, &low, &high));
    for (int i = 0; i < 16; i++) {
      const double position = i + 0.3;
      const float value = perlane_at(&noise, 1, &position);
      assert_true(value >= low && value <= high);
    }
    const double reach = fabs(params.value_scale) + fabs(params.value_offset);
    assert_true((double)high - (double)low <= 2 * fabs(params.value_scale) + reach * 0x1p-20);
  }
}

/* A warp of any octaves and rounds moves a position by at most its amplitude: in white noise, to
 * one of the cells within that distance. */
static void a_warp_stays_within_its_amplitude(void **state) {
  (void)state;
  struct random random = random_start("reach of warps");
  enum { REACH = 3, CELLS = 60, STEPS = 40 };
  size_t moved = 0;
  for (size_t c = 0; c < effort(60); c++) {
    perlane_params params = parsed("frequency=1 phase=none basis=white");
    params.seed = random_word(&random);
    const perlane_noise still = noise_of(&params);
    params.warp_amplitude = REACH;
    params.warp_frequency = random_between(&random, 0.05, 2);
    params.warp_octaves = 1 + (int32_t)(c % 3);
    params.warp_rounds = 1 + (int32_t)(c % 2);
    params.warp_lacunarity = params.warp_gain = c % 4 ? 1 : 2;
    const perlane_noise noise = noise_of(&params);
    for (int i = 0; i < CELLS * STEPS; i++) {
      const double at = (double)i / STEPS - CELLS / 2;
      const float value = perlane_at(&noise, 1, &at);
      int found = 0;
      for (double cell = floor(at - REACH); cell <= floor(at + REACH); cell++)
        found |= perlane_at(&still, 1, &cell) == value;
      assert_true(found);
      moved += perlane_at(&still, 1, &at) != value;
    }
  }
  assert_true(moved > 1000);
}

/* Fields whose bounds are those of cells, by the metric, the output and the jitter: values come
 * close to what points could be at worst. The search starts at the likeliest places. */
static void cellular_bounds(void **state) {
  (void)state;
  static const struct {
    const char *options;
    double bound[3];   /* in 1D to 3D */
    double reached[3]; /* share of the bound that a search finds, at least */
  } CASES[] = {
      {"", {1, 1.4142136, 1.7320508}, {0.95, 0.8, 0.6}},
      {"cell_output=f2", {1.5, 1.5811388, 1.7320508}, {0.95, 0.8, 0.65}},
      {"cell_output=f2_minus_f1", {1.5, 1.5811388, 1.7320508}, {0.9, 0.7, 0.5}},
      {"cell_metric=squared", {1, 2, 3}, {0.95, 0.55, 0.4}},
      {"cell_metric=squared cell_output=f2", {2.25, 2.5, 3}, {0.9, 0.6, 0.4}},
      {"cell_metric=manhattan", {1, 2, 3}, {0.95, 0.7, 0.55}},
      {"cell_metric=manhattan cell_output=f2", {1.5, 2, 3}, {0.95, 0.75, 0.6}},
      {"cell_metric=chebyshev", {1, 1, 1}, {0.95, 0.85, 0.75}},
      {"cell_metric=chebyshev cell_output=f2", {1.5, 1.5, 1.5}, {0.95, 0.7, 0.6}},
      {"jitter=0.5", {0.75, 1.0606602, 1.2990381}, {0.95, 0.85, 0.75}},
      {"jitter=0.5 cell_output=f2", {1.25, 1.2747549, 1.2990381}, {0.97, 0.85, 0.8}},
      {"jitter=0", {0.5, 0.7071068, 0.8660254}, {0.999, 0.999, 0.999}},
      {"jitter=0 cell_output=f2", {1, 1, 1}, {0.999, 0.999, 0.999}},
      {"jitter=0 cell_output=f2_minus_f1", {1, 1, 1}, {0.999, 0.999, 0.999}},
      {"jitter=0 cell_metric=chebyshev cell_output=f2", {1, 1, 1}, {0.999, 0.999, 0.999}},
      {"cell_output=edge", {0.75, 0.7905694, 0.8660254}, {0.9, 0.75, 0.6}},
      {"jitter=0.5 cell_output=edge", {0.625, 0.6373774, 0.6495191}, {0.95, 0.85, 0.75}},
      {"jitter=0 cell_output=edge", {0.5, 0.5, 0.5}, {0.999, 0.999, 0.999}},
  };
  struct random random = random_start("cellular bounds");
  enum { SAMPLES = 4096, ROUNDS = 6 };
  const size_t rounds = effort(ROUNDS);
  if (rounds < ROUNDS)
    print_message("not run: how close values come to the bounds of cells, at this effort\n");
  int too_low = 0;
  for (size_t i = 0; i < COUNT_OF(CASES); i++)
    for (int dims = 1; dims <= 3; dims++) {
      perlane_params params = parsed(CASES[i].options);
      params.basis = PERLANE_BASIS_CELLULAR;
      params.frequency = 1;
      params.normalize = PERLANE_NORMALIZE_NONE;
      const double bound = CASES[i].bound[dims - 1];
      perlane_noise noise = noise_of(&params);
      float low, high, smallest, largest;
      assert_ok(perlane_range(&noise, dims, &low, &high));
      assert_true(fabs((double)high - bound) < bound * 1e-5 && low <= 0 && low > -1e-5f);
      double highest = 0;
      for (size_t round = 0; round < rounds; round++) {
        perlane_reseed(&noise, random_word(&random));
        static const size_t count[3][3] = {{SAMPLES, 1, 1}, {64, 64, 1}, {16, 16, 16}};
        perlane_grid grid = perlane_grid_make(1, 1, 1, 0);
        grid.dims = dims;
        for (int a = 0; a < dims; a++) {
          grid.count[a] = count[dims - 1][a];
          grid.step[a] = 0.37;
          grid.origin[a] = floor(random_between(&random, -1e6, 1e6));
        }
        assert_ok(perlane_fill_extremes(&noise, &grid, sampled, &smallest, &largest));
        assert_true(smallest >= low && largest <= high);
        size_t top = 0;
        for (size_t s = 0; s < SAMPLES; s++)
          top = sampled[s] > sampled[top] ? s : top;
        double p[4];
        for (int a = 0; a < dims; a++) {
          p[a] = grid.origin[a] + (double)(top % grid.count[a]) * grid.step[a];
          top /= grid.count[a];
        }
        highest = fmax(highest, climb(&noise, dims, p, 1));
      }
      assert_true(highest <= (double)high);
      if (rounds >= ROUNDS && !(highest >= CASES[i].reached[dims - 1] * bound)) {
        print_message("%dD, %s: reached %.4f of %.4f\n", dims, CASES[i].options, highest, bound);
        too_low++;
      }
      params.normalize = PERLANE_NORMALIZE_FULL;
      noise = noise_of(&params);
      assert_ok(perlane_range(&noise, dims, &low, &high));
      assert_true(low == -1 && high == 1);
    }
  assert_int_equal(too_low, 0);
}

/* A fill of a field's first octaves is within its range, and differs from one with the next octave
 * by what that may add. */
static void first_octaves(void **state) {
  (void)state;
  static const struct {
    int dims;
    const char *options;
  } FIELD[] = {
      {2, "octaves=8"},
      {2, "octaves=5 fractal=ridged weighted_strength=0.7"},
      {2, "octaves=4 fractal=billow normalize=spread"},
      {2, "octaves=4 fractal=ping_pong value_scale=3 value_offset=100"},
      {2, "octaves=6 fractal=eroded"},
      {2, "octaves=5 warp_amplitude=40"},
      {2, "octaves=3 gain=-1"},
      {2, "octaves=3 basis=value"},
      {2, "octaves=3 basis=white"},
      {2, "octaves=3 basis=cellular"},
      {2, "octaves=3 basis=cellular normalize=none"},
      /* Every octave is from 0.5 to 1: without one of them the sum is below the whole field's. */
      {1, "octaves=3 basis=cellular cell_metric=squared jitter=0 fractal=ridged normalize=none "
          "gain=1"},
  };
  static float more[64 * 64];
  for (size_t i = 0; i < COUNT_OF(FIELD); i++) {
    const perlane_params params = parsed(FIELD[i].options);
    const perlane_noise noise = noise_of(&params);
    const int dims = FIELD[i].dims;
    perlane_grid grid = perlane_grid_make(dims == 1 ? 64 * 64 : 64, dims == 1 ? 0 : 64, 0, 0);
    grid.step[0] = grid.step[1] = 3.7;
    assert_ok(perlane_fill(&noise, &grid, more));
    for (grid.octaves = noise.octaves; grid.octaves > 0; grid.octaves--) {
      perlane_noise first = noise;
      float low, high;
      assert_ok(perlane_limit_octaves(&first, grid.octaves));
      assert_ok(perlane_range(&first, dims, &low, &high));
      assert_ok(perlane_fill(&noise, &grid, sampled));
      const double largest = fmax(noise.largest[dims - 1], 1) * fabs((double)noise.value_scale);
      const double share = grid.octaves < noise.octaves
                               ? fabs((double)noise.octave[grid.octaves].strength) * largest
                               : 0;
      for (size_t s = 0; s < COUNT_OF(more); s++) {
        const double distance = fabs((double)more[s] - (double)sampled[s]);
        if (sampled[s] < low || sampled[s] > high ||
            distance > share * (1 + 0x1p-20) + fabs((double)more[s]) * 0x1p-20)
          fail_msg("%s, %d octaves: %a is outside [%a, %a], or more than %a from %a",
                   FIELD[i].options, grid.octaves, (double)sampled[s], (double)low, (double)high,
                   share, (double)more[s]);
      }
      assert_int_equal(memcmp(more, sampled, sizeof more) == 0, share == 0);
      memcpy(more, sampled, sizeof more);
    }
  }
}

/* The first of several octaves at its largest, times an amplitude that is rounded. */
static void rounded_amplitude(void **state) {
  (void)state;
  perlane_noise noise =
      noise_from("seed=219978519993423877 frequency=0.26786284909537256 octaves=5");
  const double position = 0x1.528c61d622eep+9 - 223 * 0x1.0624dd2f1a9fcp-10;
  float low, high;
  assert_ok(perlane_limit_octaves(&noise, 1));
  assert_ok(perlane_range(&noise, 1, &low, &high));
  const float value = perlane_at(&noise, 1, &position);
  assert_true(value >= low && value <= high);
}

/* Octaves that a step shows, of lists and of shaders; cases.txt has those of grids. */
static void octaves_shown(void **state) {
  (void)state;
  enum { SIDE = 7, COUNT = SIDE * SIDE, SHOWN = 3 };
  const perlane_params params = parsed("frequency=0.01 octaves=8");
  const perlane_noise noise = noise_of(&params);
  float x[COUNT], shown[COUNT], first[COUNT];
  perlane_grid grid = perlane_grid_make(SIDE, SIDE, 0, 0);
  perlane_list list = {.dims = 2, .count = COUNT, .coords = {x, x}, .step = -8};
  for (int i = 0; i < COUNT; i++)
    x[i] = (float)(8 * i);
  grid.step[1] = -8;
  grid.octaves = list.octaves = PERLANE_OCTAVES_SHOWN;
  assert_ok(perlane_points(&noise, &list, shown, NULL));
  const size_t words = perlane_gpu_words(&noise, &grid);
  for (int octaves = 1; octaves <= params.octaves; octaves++) {
    grid.octaves = list.octaves = octaves;
    assert_ok(perlane_points(&noise, &list, first, NULL));
    assert_int_equal(memcmp(shown, first, sizeof shown) == 0, octaves == SHOWN);
    assert_int_equal(perlane_gpu_words(&noise, &grid) == words, octaves == SHOWN);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_fields),     cmocka_unit_test(once_outside),
      cmocka_unit_test(ends_of_the_range), cmocka_unit_test(a_warp_stays_within_its_amplitude),
      cmocka_unit_test(cellular_bounds),   cmocka_unit_test(first_octaves),
      cmocka_unit_test(rounded_amplitude), cmocka_unit_test(octaves_shown),
  };
  return cmocka_run_group_tests_name("range", tests, NULL, NULL);
}
