/* SPDX-License-Identifier: MIT
 *
 * Errors: each bad argument has its status, and the outputs stay as they were.
 */
#include "support.h"

#include <math.h>

enum { SAMPLES = 64 };

static perlane_noise default_noise(void) {
  const perlane_params params = perlane_params_default();
  return noise_of(&params);
}

static void init_fails(const perlane_params *params, perlane_status expected) {
  perlane_noise noise, before;
  fill_pattern(&noise, sizeof noise);
  memcpy(&before, &noise, sizeof noise);
  assert_int_equal(perlane_init(&noise, params), expected);
  assert_memory_equal(&noise, &before, sizeof noise);
}

static void params_out_of_range(void **state) {
  (void)state;
  static const double not_positive[] = {0, -0.0, -1, NAN, INFINITY, -INFINITY};
  const perlane_params standard = perlane_params_default();
  perlane_params params;
  for (size_t i = 0; i < sizeof not_positive / sizeof not_positive[0]; i++) {
    params = standard;
    params.frequency = not_positive[i];
    init_fails(&params, PERLANE_ERROR_FREQUENCY);
    params = standard;
    params.lacunarity = not_positive[i];
    init_fails(&params, PERLANE_ERROR_LACUNARITY);
  }
  static const int32_t octaves[] = {0, -1, PERLANE_MAX_OCTAVES + 1, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof octaves / sizeof octaves[0]; i++) {
    params = standard;
    params.octaves = octaves[i];
    init_fails(&params, PERLANE_ERROR_OCTAVES);
  }
  static const double gain[] = {NAN, INFINITY, -INFINITY, 1e300};
  for (size_t i = 0; i < sizeof gain / sizeof gain[0]; i++) {
    params = standard;
    params.octaves = 5;
    params.gain = gain[i];
    init_fails(&params, PERLANE_ERROR_GAIN);
  }
  params = standard; /* leaves the range of double upwards, and downwards, on the way */
  params.octaves = 32;
  params.lacunarity = 1e20;
  init_fails(&params, PERLANE_ERROR_FREQUENCY);
  params.lacunarity = 1e-20;
  init_fails(&params, PERLANE_ERROR_FREQUENCY);
  params = standard;
  params.reserved0 = 1;
  init_fails(&params, PERLANE_ERROR_RESERVED);
  for (size_t i = 0; i < sizeof params.reserved / sizeof params.reserved[0]; i++) {
    params = standard;
    params.reserved[i] = 1;
    init_fails(&params, PERLANE_ERROR_RESERVED);
  }
  perlane_noise noise;
  assert_int_equal(perlane_init(NULL, &standard), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_init(&noise, NULL), PERLANE_ERROR_NULL);
  params = standard; /* extremes that are allowed */
  params.octaves = 32;
  params.gain = 0;
  assert_int_equal(perlane_init(&noise, &params), PERLANE_OK);
  params.gain = -1;
  assert_int_equal(perlane_init(&noise, &params), PERLANE_OK);
}

static void fill_fails(const perlane_noise *noise, const perlane_grid *grid,
                       perlane_status expected) {
  float out[SAMPLES], before[SAMPLES];
  fill_pattern(out, sizeof out);
  memcpy(before, out, sizeof out);
  const perlane_status status = perlane_fill(noise, grid, out);
  if (status != expected)
    print_message("expected \"%s\", got \"%s\"\n", perlane_status_string(expected),
                  perlane_status_string(status));
  assert_int_equal(status, expected);
  assert_memory_equal(out, before, sizeof out);
}

static void grids_out_of_range(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  const perlane_grid good = perlane_grid_make(8, 8, 0, 0);
  perlane_grid grid;
  float out[SAMPLES];
  assert_int_equal(perlane_fill(&noise, &good, out), PERLANE_OK);

  assert_int_equal(perlane_fill(NULL, &good, out), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_fill(&noise, NULL, out), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_fill(&noise, &good, NULL), PERLANE_ERROR_NULL);
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  fill_fails(&raw, &good, PERLANE_ERROR_NOISE);

  static const int32_t dims[] = {0, -1, 5, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++) {
    grid = good;
    grid.dims = dims[i];
    fill_fails(&noise, &grid, PERLANE_ERROR_DIMS);
  }
  grid = good;
  grid.reserved0 = 1;
  fill_fails(&noise, &grid, PERLANE_ERROR_RESERVED);
  for (int a = 0; a < 2; a++) {
    grid = good;
    grid.count[a] = 0;
    fill_fails(&noise, &grid, PERLANE_ERROR_COUNT);
    grid.count[a] = SIZE_MAX;
    fill_fails(&noise, &grid, PERLANE_ERROR_COUNT);
    grid.count[a] = SIZE_MAX / 8 + 2; /* the product wraps to a small number */
    fill_fails(&noise, &grid, PERLANE_ERROR_COUNT);
    grid.count[a] = PTRDIFF_MAX / sizeof(float) / 8 + 1;
    fill_fails(&noise, &grid, PERLANE_ERROR_COUNT);
    static const double step[] = {0, -0.0, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
      grid = good;
      grid.step[a] = step[i];
      fill_fails(&noise, &grid, PERLANE_ERROR_STEP);
    }
    static const double origin[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 1e308};
    for (size_t i = 0; i < sizeof origin / sizeof origin[0]; i++) {
      grid = good;
      grid.origin[a] = origin[i];
      fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
    }
    grid = good;
    grid.first[a] = INT64_MAX - 6; /* the eighth sample's index does not fit */
    grid.step[a] = 1e-6;
    fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
    grid = good;
    grid.step[a] = 1e300; /* only the last sample is outside */
    fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
  }
  grid = good;
  grid.stride[1] = 7; /* rows overlap by one sample */
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
  grid.stride[1] = -7;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
  grid = good;
  grid.stride[0] = 2; /* rows interleave, which packed strides would not */
  grid.stride[1] = 8;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
  grid = good;
  grid.stride[1] = PTRDIFF_MAX / 4;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
  grid.stride[1] = PTRDIFF_MIN;
  fill_fails(&noise, &grid, PERLANE_ERROR_STRIDE);
}

/* The domain ends at 2^53 cells, at every octave, and is legal up to there. */
static void domain_ends(void **state) {
  (void)state;
  perlane_params params = perlane_params_default();
  params.frequency = 1;
  perlane_grid grid = perlane_grid_make(3, 3, 0, 0);
  float out[9];
  for (int sign = -1; sign <= 1; sign += 2) {
    perlane_noise noise = noise_of(&params);
    grid.origin[0] = sign * 0x1p53;
    grid.step[0] = -sign;
    assert_int_equal(perlane_fill(&noise, &grid, out), PERLANE_OK);
    grid.step[0] = sign * 4.0;
    fill_fails(&noise, &grid, PERLANE_ERROR_RANGE);
    double position[2] = {sign * 0x1p53, 0.5};
    assert_true(perlane_at(&noise, 2, position) <= 1);
    position[0] = sign * (0x1p53 + 2);
    assert_int_equal(bits_of(perlane_at(&noise, 2, position)), 0x7FC00000);
    perlane_params octaves = params;
    octaves.octaves = 2;
    noise = noise_of(&octaves);
    position[0] = sign * 0x1p52;
    assert_true(perlane_at(&noise, 2, position) <= 1);
    position[0] = sign * (0x1p52 + 1);
    assert_int_equal(bits_of(perlane_at(&noise, 2, position)), 0x7FC00000);
  }
  /* The ends of int64 with a step that fits. */
  const perlane_noise noise = noise_of(&params);
  grid = perlane_grid_make(3, 3, 0, 0);
  grid.first[0] = INT64_MIN;
  grid.first[1] = INT64_MAX - 2;
  grid.step[0] = grid.step[1] = 0x1p-11;
  assert_int_equal(perlane_fill(&noise, &grid, out), PERLANE_OK);
}

static void points_out_of_range(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  float x[4] = {0.5f, NAN, 1, INFINITY}, y[4] = {1, 2, -INFINITY, 3}, out[4], before[4];
  const float *coords[5] = {x, y, NULL, NULL, NULL};
  fill_pattern(out, sizeof out);
  memcpy(before, out, sizeof out);
  assert_int_equal(perlane_points(NULL, 2, 4, coords, out), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points(&noise, 2, 4, NULL, out), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points(&noise, 2, 4, coords, NULL), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points(&noise, 3, 4, coords, out), PERLANE_ERROR_NULL);
  assert_int_equal(perlane_points(&noise, 0, 4, coords, out), PERLANE_ERROR_DIMS);
  assert_int_equal(perlane_points(&noise, 5, 4, coords, out), PERLANE_ERROR_DIMS);
  assert_int_equal(perlane_points(&noise, 2, SIZE_MAX, coords, out), PERLANE_ERROR_COUNT);
  assert_int_equal(perlane_points(&noise, 2, SIZE_MAX / 4 + 2, coords, out), PERLANE_ERROR_COUNT);
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  assert_int_equal(perlane_points(&raw, 2, 4, coords, out), PERLANE_ERROR_NOISE);
  assert_int_equal(perlane_points(&noise, 2, 0, coords, out), PERLANE_OK);
  assert_int_equal(perlane_points(&noise, 2, 0, NULL, NULL), PERLANE_OK);
  assert_memory_equal(out, before, sizeof out);
  /* Points outside the domain are not an error. */
  assert_int_equal(perlane_points(&noise, 2, 4, coords, out), PERLANE_OK);
  assert_true(out[0] >= -1 && out[0] <= 1);
  for (int i = 1; i < 4; i++)
    assert_int_equal(bits_of(out[i]), 0x7FC00000);
}

static void at_out_of_range(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  perlane_noise raw;
  memset(&raw, 0, sizeof raw);
  const double position[4] = {1.5, 2.5, 3.5, 4.5};
  const float bad[] = {perlane_at(NULL, 2, position), perlane_at(&noise, 2, NULL),
                       perlane_at(&noise, 0, position), perlane_at(&noise, 5, position),
                       perlane_at(&raw, 2, position)};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(bits_of(bad[i]), 0x7FC00000);
}

/* A fill at the limits of what the address space holds fails before it writes; so does one whose
 * unused axes hold junk succeed, as they are not looked at. */
static void unused_axes_are_ignored(void **state) {
  (void)state;
  const perlane_noise noise = default_noise();
  perlane_grid grid;
  memset(&grid, 0xFF, sizeof grid);
  grid.dims = 1;
  grid.reserved0 = 0;
  grid.first[0] = 0;
  grid.count[0] = 4;
  grid.origin[0] = 0;
  grid.step[0] = 1;
  grid.stride[0] = 0;
  float out[4], expected[4];
  assert_int_equal(perlane_fill(&noise, &grid, out), PERLANE_OK);
  grid = perlane_grid_make(4, 0, 0, 0);
  assert_int_equal(perlane_fill(&noise, &grid, expected), PERLANE_OK);
  assert_memory_equal(out, expected, sizeof out);
}

static void every_status_has_a_text(void **state) {
  (void)state;
  for (int i = 0; i < PERLANE_STATUS_COUNT; i++) {
    assert_string_not_equal(perlane_status_string((perlane_status)i), "unknown status");
    for (int j = 0; j < i; j++)
      assert_string_not_equal(perlane_status_string((perlane_status)i),
                              perlane_status_string((perlane_status)j));
  }
  assert_string_equal(perlane_status_string(PERLANE_STATUS_COUNT), "unknown status");
  assert_string_equal(perlane_status_string((perlane_status)9999), "unknown status");
}

static void version_agrees_with_itself(void **state) {
  (void)state;
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", PERLANE_VERSION_MAJOR, PERLANE_VERSION_MINOR,
           PERLANE_VERSION_PATCH);
  assert_string_equal(text, PERLANE_VERSION);
  assert_string_equal(text, perlane_version());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(params_out_of_range),
      cmocka_unit_test(grids_out_of_range),
      cmocka_unit_test(domain_ends),
      cmocka_unit_test(points_out_of_range),
      cmocka_unit_test(at_out_of_range),
      cmocka_unit_test(unused_axes_are_ignored),
      cmocka_unit_test(every_status_has_a_text),
      cmocka_unit_test(version_agrees_with_itself),
  };
  return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
