/* SPDX-License-Identifier: MIT
 *
 * perlane_picture.h: pixels against formulas of their own, the same on every machine and in every
 * tile, and what is refused.
 */
#include <math.h>

#include "perlane_expression.h"
#include "support.h"

enum { WIDTH = 61, HEIGHT = 23, PIXELS = WIDTH * HEIGHT };
static perlane_noise noise;
static perlane_picture_plan plan;
static float scratch[5 * (WIDTH + 4) * (HEIGHT + 4)];
static uint8_t pixels[6 * PIXELS], others[6 * PIXELS];

static void use_field(const char *text) {
  static perlane_noise field;
  assert_ok(perlane_expression_init_text(&noise, text, 1, &field, NULL));
}

static perlane_picture picture_of(perlane_picture_kind kind, int32_t bits) {
  perlane_picture picture;
  assert_ok(perlane_picture_init(&picture));
  picture.kind = (int32_t)kind;
  picture.bits = bits;
  return picture;
}

static size_t channels_of(const perlane_picture *picture) {
  return picture->kind >= PERLANE_PICTURE_HEIGHT_MASK ? 1 : 3;
}

/* Draws a picture of the whole grid. */
static perlane_grid draw(const perlane_picture *picture) {
  const perlane_grid grid = perlane_grid_make(WIDTH, HEIGHT, 0, 0);
  assert_ok(perlane_picture_prepare(&plan, picture, &noise, &grid));
  assert_in_range(perlane_picture_scratch(&plan, &grid), 1, COUNT_OF(scratch));
  memset(pixels, 0xA5, sizeof pixels);
  assert_ok(perlane_picture_fill(&plan, &noise, &grid, scratch, pixels));
  return grid;
}

/* Returns a channel of a pixel. */
static int level_at(const perlane_picture *picture, size_t x, size_t y, size_t channel) {
  const size_t place = (y * WIDTH + x) * channels_of(picture) + channel;
  uint16_t deep;
  memcpy(&deep, pixels + 2 * place, sizeof deep);
  return picture->bits == 16 ? deep : pixels[place];
}

static void near(int found, double wanted) {
  if (!(fabs(found - wanted) <= 1))
    fail_msg("%d, not %g", found, wanted);
}

/* ---- Pixels ---- */

static void normals_are_those_of_a_plane(void **state) {
  (void)state;
  use_field("x/4 + y/8");
  for (int bits = 8; bits <= 16; bits += 8)
    for (int is_down = 0; is_down <= 1; is_down++) {
      perlane_picture picture =
          picture_of(is_down ? PERLANE_PICTURE_NORMALS_DOWN : PERLANE_PICTURE_NORMALS, bits);
      picture.relief = 2;
      (void)draw(&picture);
      const double half = bits == 8 ? 127.5 : 32767.5, length = sqrt(1 + 0.25 + 0.0625);
      near(level_at(&picture, 3, 5, 0), half - half * 0.5 / length);
      near(level_at(&picture, 3, 5, 1), half + half * (is_down ? -0.25 : 0.25) / length);
      near(level_at(&picture, 3, 5, 2), half + half / length);
    }
}

static void masks_are_smooth_steps(void **state) {
  (void)state;
  use_field("x*x/64 + y/8");
  for (int bits = 8; bits <= 16; bits += 8)
    for (int is_slope = 0; is_slope <= 1; is_slope++)
      for (int is_falling = 0; is_falling <= 1; is_falling++) {
        const double low = is_slope ? 10 : 5, high = is_slope ? 60 : 50;
        perlane_picture picture =
            picture_of(is_slope ? PERLANE_PICTURE_SLOPE_MASK : PERLANE_PICTURE_HEIGHT_MASK, bits);
        picture.low = is_falling ? high : low;
        picture.high = is_falling ? low : high;
        picture.spacing[1] = 2;
        (void)draw(&picture);
        for (size_t x = 0; x < WIDTH; x++) {
          const double across = (double)x / 32, along = 1.0 / 16; /* slopes */
          const double v = is_slope ? atan(hypot(across, along)) * (180 / acos(-1))
                                    : (double)(x * x) / 64 + 3.0 / 8;
          const double t = fmin(fmax((v - picture.low) / (picture.high - picture.low), 0), 1);
          near(level_at(&picture, x, 3, 0), t * t * (3 - 2 * t) * (bits == 8 ? 255 : 65535));
        }
      }
}

static double linear_of(int srgb) {
  return srgb <= 10 ? srgb / 255.0 / 12.92 : pow((srgb / 255.0 + 0.055) / 1.055, 2.4);
}

static double srgb_of(double light) {
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055);
}

/* Sand has three colours, and is mixed in linear light. */
static void colours_are_those_of_the_palette(void **state) {
  static const int SAND[3][3] = {{172, 120, 72}, {216, 168, 110}, {246, 218, 168}};
  static perlane_colours colours;
  (void)state;
  use_field("x/30 - 1"); /* -1, up to 1 at x = 60 */
  perlane_picture picture = picture_of(PERLANE_PICTURE_COLOURS, 8);
  picture.palette = PERLANE_PALETTE_SAND;
  (void)draw(&picture);
  assert_ok(perlane_palette_make(&colours, PERLANE_PALETTE_SAND));
  for (size_t c = 0; c < 3; c++) {
    for (size_t i = 0; i < 3; i++) {
      near(level_at(&picture, 30 * i, 0, c), SAND[i][c]);
      const size_t place = i * (PERLANE_COLOURS - 1) / 2;
      near((int)srgb_of((double)colours.colour[place][c]), SAND[i][c]);
    }
    near(level_at(&picture, 15, 0, c),
         srgb_of((linear_of(SAND[0][c]) + linear_of(SAND[1][c])) / 2));
  }
}

/* Values next to 0 are water below it, and the shore from it on. */
static void water_ends_at_the_coast(void **state) {
  (void)state;
  use_field("x*1e-9 - 1e-9");
  perlane_picture picture = picture_of(PERLANE_PICTURE_COLOURS, 8);
  picture.palette = PERLANE_PALETTE_LAND;
  (void)draw(&picture);
  near(level_at(&picture, 0, 0, 0), 128);
  near(level_at(&picture, 1, 0, 0), 221);
}

/* A light from the west, 30 degrees high, on a slope of 1 in 2 that rises to the east. */
static void light_falls_on_slopes(void **state) {
  (void)state;
  use_field("x/4 - 1");
  perlane_picture picture = picture_of(PERLANE_PICTURE_SHADED, 8);
  picture.palette = PERLANE_PALETTE_SAND;
  picture.azimuth = 270;
  picture.altitude = 30;
  picture.relief = 2;
  (void)draw(&picture);
  const double cosine = (0.5 + cos(acos(-1) / 6) * 0.5) / sqrt(1.25);
  for (size_t c = 0; c < 3; c++) {
    static const int FIRST[3] = {172, 120, 72};
    near(level_at(&picture, 0, 0, c), srgb_of(linear_of(FIRST[c]) * (0.3 + 0.7 / 0.5 * cosine)));
  }
}

static void what_is_no_number_is_first(void **state) {
  (void)state;
  use_field("sqrt(x - 30)/30");
  for (int kind = 0; kind < PERLANE_PICTURE_KIND_COUNT; kind++) {
    perlane_picture picture = picture_of((perlane_picture_kind)kind, 8);
    picture.palette = PERLANE_PALETTE_SAND;
    picture.relief = 5;
    (void)draw(&picture);
    if (kind == PERLANE_PICTURE_COLOURS)
      near(level_at(&picture, 3, 0, 0), 172);
    else if (channels_of(&picture) == 1)
      near(level_at(&picture, 3, 0, 0), 0);
  }
}

/* The bits of all kinds of pixels, the same on every machine. */
static void pixels_are_the_same_everywhere(void **state) {
  (void)state;
  use_field("f = seed=7 frequency=0.04 octaves=4; f");
  uint32_t digest = 2166136261;
  for (int kind = 0; kind < PERLANE_PICTURE_KIND_COUNT; kind++)
    for (int bits = 8; bits <= (kind < PERLANE_PICTURE_NORMALS ? 8 : 16); bits += 8)
      for (int palette = 0; palette < (bits == 8 && kind < 2 ? PERLANE_PALETTE_COUNT : 1);
           palette++) {
        perlane_picture picture = picture_of((perlane_picture_kind)kind, bits);
        picture.palette = palette;
        picture.low = -0.6;
        picture.high = kind == PERLANE_PICTURE_SLOPE_MASK ? 9 : 0.5;
        (void)draw(&picture);
        for (size_t i = 0; i < PIXELS * channels_of(&picture); i++)
          digest = (digest ^ (uint32_t)level_at(&picture, i / channels_of(&picture), 0,
                                                i % channels_of(&picture))) *
                   16777619;
      }
  if (digest != 0x79A9A648)
    fail_msg("digest 0x%08X", (unsigned)digest);
}

/* The automatic relief makes a half of the root mean square of slopes, here at other places. */
static void relief_follows_slopes(void **state) {
  enum { PLACES = 64 };
  (void)state;
  use_field("f = frequency=0.1 basis=cellular; f");
  const perlane_picture picture = picture_of(PERLANE_PICTURE_SHADED, 8);
  double sum = 0;
  draw(&picture);
  for (int i = 0; i < PLACES * PLACES; i++) {
    const double x = 7.3 * (i % PLACES), y = 7.3 * (double)(i / PLACES);
    for (int a = 0; a < 2; a++) {
      const double after[] = {x + (a == 0), y + (a == 1)}, before[] = {x - (a == 0), y - (a == 1)};
      sum += pow((perlane_at(&noise, 2, after) - perlane_at(&noise, 2, before)) * 0.5, 2);
    }
  }
  const double relief = 0.5 / sqrt(sum / (PLACES * PLACES));
  if (!(fabs(plan.relief / relief - 1) < 0.05))
    fail_msg("%g, not %g", plan.relief, relief);
}

/* A tile with its own strides, drawn in two steps. */
static void tiles_are_parts_of_the_whole(void **state) {
  enum { X = 11, Y = 4, COLUMNS = 37, ROWS = 9, STRIDE = 50 };
  (void)state;
  for (int basis = 0; basis <= 1; basis++) {
    use_field(basis ? "f = frequency=0.1 basis=cellular; f" : "f = frequency=0.04 octaves=4; f");
    for (int kind = 0; kind < PERLANE_PICTURE_KIND_COUNT; kind++) {
      perlane_picture picture = picture_of((perlane_picture_kind)kind, 8);
      perlane_grid grid = draw(&picture);
      assert_int_equal(plan.slopes,
                       kind < 1 || kind == PERLANE_PICTURE_HEIGHT_MASK ? PERLANE_SLOPES_NONE
                       : basis || kind == PERLANE_PICTURE_SLOPE_MASK   ? PERLANE_SLOPES_DIFFERENCES
                                                                       : PERLANE_SLOPES_GRADIENT);
      grid.first[0] = X;
      grid.first[1] = Y;
      grid.count[0] = COLUMNS;
      grid.count[1] = ROWS;
      grid.stride[1] = -STRIDE;
      const size_t n = channels_of(&picture);
      assert_ok(perlane_picture_sample(&plan, &noise, &grid, scratch));
      memset(others, 0, sizeof others);
      assert_ok(perlane_picture_draw(&plan, &grid, scratch, others + n * STRIDE * ROWS));
      for (size_t y = 0; y < ROWS; y++)
        assert_memory_equal(others + n * STRIDE * (ROWS - y), pixels + n * (WIDTH * (Y + y) + X),
                            n * COLUMNS);
    }
  }
}

static void palettes_and_looks(void **state) {
  static perlane_colours colours;
  (void)state;
  int count = 0;
  for (; perlane_palette_name(count); count++)
    for (int other = 0; other < count; other++)
      assert_string_not_equal(perlane_palette_name(count), perlane_palette_name(other));
  assert_int_equal(count, PERLANE_PALETTE_COUNT);
  assert_null(perlane_palette_name(-1));
  assert_string_equal(perlane_palette_name(PERLANE_PALETTE_EMBERS), "embers");
  assert_ok(perlane_palette_make(&colours, PERLANE_PALETTE_LAND));
  assert_true(colours.has_coast && colours.steep > 0 && colours.steepest > colours.steep);
  assert_refused(PICTURE, perlane_palette_make(&colours, count));
  assert_refused(NULL, perlane_palette_make(NULL, 0));

  perlane_picture picture, kept;
  memset(&kept, 0x5A, sizeof kept);
  picture = kept;
  assert_refused(PRESET, perlane_picture_look(&picture, "alp", 100));
  assert_refused(PARAMETER, perlane_picture_look(&picture, "alps", 0));
  assert_refused(NULL, perlane_picture_look(&picture, NULL, 100));
  assert_refused(NULL, perlane_picture_look(NULL, "alps", 100));
  assert_refused(NULL, perlane_picture_init(NULL));
  assert_memory_equal(&picture, &kept, sizeof kept);
  for (int i = 0; perlane_look_at(i); i++) {
    const perlane_look_record *look = perlane_look_at(i);
    assert_ok(perlane_picture_look(&picture, look->name, 100));
    assert_int_equal(picture.palette, look->palette);
    assert_int_equal(picture.kind,
                     look->relief > 0 ? PERLANE_PICTURE_SHADED : PERLANE_PICTURE_COLOURS);
    assert_true(look->relief > 0 ? picture.relief == look->relief * 100 : isnan(picture.relief));
    assert_true(picture.azimuth == look->azimuth && picture.altitude == look->altitude);
  }
}

/* ---- What is refused ---- */

static void pictures_that_are_refused(void **state) {
  static const struct {
    const char *field;      /* NULL: one with slopes */
    perlane_picture change; /* its numbers but 0 are taken; 99 stands for 0 */
    perlane_status status;
  } CASES[] = {
      {NULL, {.kind = PERLANE_PICTURE_SLOPE_MASK}, PERLANE_OK},
      {NULL, {.kind = -1}, PERLANE_ERROR_PICTURE},
      {NULL, {.kind = PERLANE_PICTURE_KIND_COUNT}, PERLANE_ERROR_PICTURE},
      {NULL, {.palette = -1}, PERLANE_ERROR_PICTURE},
      {NULL, {.palette = PERLANE_PALETTE_COUNT}, PERLANE_ERROR_PICTURE},
      {NULL, {.bits = 16}, PERLANE_ERROR_PICTURE},
      {NULL, {.kind = PERLANE_PICTURE_SHADED, .bits = 16}, PERLANE_ERROR_PICTURE},
      {NULL, {.kind = PERLANE_PICTURE_NORMALS, .bits = 16}, PERLANE_OK},
      {NULL, {.kind = PERLANE_PICTURE_NORMALS, .bits = 32}, PERLANE_ERROR_PICTURE},
      {NULL, {.reserved0 = 1}, PERLANE_ERROR_LAYOUT},
      {NULL, {.reserved = {0, 0, 0, 1}}, PERLANE_ERROR_LAYOUT},
      {NULL, {.azimuth = -1}, PERLANE_ERROR_LIGHT},
      {NULL, {.azimuth = 361}, PERLANE_ERROR_LIGHT},
      {NULL, {.altitude = NAN}, PERLANE_ERROR_LIGHT},
      {NULL, {.altitude = 91}, PERLANE_ERROR_LIGHT},
      {NULL, {.low = 1}, PERLANE_ERROR_LEVELS},
      {NULL, {.high = INFINITY}, PERLANE_ERROR_LEVELS},
      {NULL, {.high = 1e300}, PERLANE_ERROR_LEVELS},
      {NULL, {.kind = PERLANE_PICTURE_HEIGHT_MASK, .high = 1e300}, PERLANE_OK},
      {NULL, {.kind = PERLANE_PICTURE_HEIGHT_MASK, .high = -1}, PERLANE_ERROR_LEVELS},
      {NULL, {.kind = PERLANE_PICTURE_HEIGHT_MASK, .low = NAN}, PERLANE_ERROR_LEVELS},
      {NULL, {.kind = PERLANE_PICTURE_HEIGHT_MASK, .low = -INFINITY}, PERLANE_ERROR_LEVELS},
      {NULL, {.kind = PERLANE_PICTURE_SLOPE_MASK, .spacing = {99}}, PERLANE_ERROR_STEP},
      {NULL, {.kind = PERLANE_PICTURE_SLOPE_MASK, .spacing = {1, INFINITY}}, PERLANE_ERROR_STEP},
      {NULL, {.kind = PERLANE_PICTURE_SHADED, .relief = 1e31}, PERLANE_ERROR_RELIEF},
      {NULL, {.kind = PERLANE_PICTURE_SHADED, .relief = -INFINITY}, PERLANE_ERROR_RELIEF},
      {"0.5", {.kind = PERLANE_PICTURE_SHADED}, PERLANE_ERROR_NO_SLOPES},
      {"0.5", {.kind = PERLANE_PICTURE_COLOURS}, PERLANE_OK},
      {"f = basis=white; f", {.kind = PERLANE_PICTURE_NORMALS}, PERLANE_ERROR_NO_SLOPES},
      {"f = fractal=eroded octaves=3; f", {.kind = PERLANE_PICTURE_NORMALS}, PERLANE_OK},
      {"f = value_scale=1e30; f", {.kind = PERLANE_PICTURE_SHADED}, PERLANE_ERROR_STEEP},
  };
  (void)state;
  for (size_t i = 0; i < COUNT_OF(CASES); i++) {
    const perlane_picture *change = &CASES[i].change;
    const perlane_grid grid = perlane_grid_make(WIDTH, HEIGHT, 0, 0);
    perlane_picture picture = picture_of((perlane_picture_kind)change->kind, 8);
    set_context("case %zu", i);
    use_field(CASES[i].field ? CASES[i].field : "f = frequency=0.04; f");
    picture.palette = change->palette;
    picture.reserved0 = change->reserved0;
    memcpy(picture.reserved, change->reserved, sizeof picture.reserved);
    if (change->bits != 0)
      picture.bits = change->bits;
    double *const to[] = {&picture.low,       &picture.high,   &picture.azimuth,
                          &picture.altitude,  &picture.relief, &picture.spacing[0],
                          &picture.spacing[1]};
    const double from[] = {change->low,    change->high,       change->azimuth,   change->altitude,
                           change->relief, change->spacing[0], change->spacing[1]};
    for (size_t k = 0; k < COUNT_OF(to); k++)
      if (from[k] != 0)
        *to[k] = from[k] == 99 ? 0 : from[k];
    const perlane_status status = perlane_picture_prepare(&plan, &picture, &noise, &grid);
    if (status != CASES[i].status)
      fail_msg("case %zu: %s", i, perlane_status_string(status));
    if (status != PERLANE_OK)
      assert_refused(PICTURE, perlane_picture_draw(&plan, &grid, scratch, pixels));
  }
}

static void grids_that_are_refused(void **state) {
  static const struct {
    int32_t dims, exact_strides;
    uint64_t count[PERLANE_MAX_DIMS];
    int64_t stride;
    perlane_status status;
  } CASES[] = {
      {2, 0, {5, 4}, 0, PERLANE_OK},
      {4, 0, {5, 4, 1, 1}, 5, PERLANE_OK},
      {2, 0, {5, 4}, -5, PERLANE_OK},
      {2, 0, {5, 1}, 1, PERLANE_OK}, /* the only row */
      {1, 0, {5}, 0, PERLANE_ERROR_DIMS},
      {5, 0, {5, 4, 1, 1}, 0, PERLANE_ERROR_DIMS},
      {2, 0, {0, 4}, 0, PERLANE_ERROR_COUNT},
      {2, 0, {5, 0}, 0, PERLANE_ERROR_COUNT},
      {3, 0, {5, 4, 2}, 0, PERLANE_ERROR_COUNT},
      {2, 0, {SIZE_MAX, 4}, 0, PERLANE_ERROR_COUNT},
      {2, 0, {SIZE_MAX / 16, 16}, 0, PERLANE_ERROR_COUNT},
      {2, 0, {5, 4}, 4, PERLANE_ERROR_STRIDE},
      {2, 0, {5, 4}, INT64_MIN, PERLANE_ERROR_STRIDE},
      {2, 0, {5, 4}, INT64_MAX / 2, PERLANE_ERROR_STRIDE},
      {2, 1, {5, 4}, 0, PERLANE_ERROR_STRIDE},
  };
  (void)state;
  use_field("x");
  const perlane_picture picture = picture_of(PERLANE_PICTURE_COLOURS, 8);
  perlane_grid grid = draw(&picture);
  uint8_t *const middle = pixels + sizeof pixels / 2;
  assert_refused(NULL, perlane_picture_prepare(&plan, &picture, &noise, NULL));
  assert_refused(NULL, perlane_picture_prepare(NULL, &picture, &noise, &grid));
  assert_refused(NULL, perlane_picture_fill(&plan, &noise, &grid, scratch, NULL));
  assert_refused(NULL, perlane_picture_fill(&plan, NULL, &grid, scratch, pixels));
  assert_refused(NULL, perlane_picture_draw(&plan, NULL, scratch, pixels));
  assert_refused(NULL, perlane_picture_sample(NULL, &noise, &grid, scratch));
  for (size_t i = 0; i < COUNT_OF(CASES); i++) {
    set_context("case %zu", i);
    grid.dims = CASES[i].dims;
    grid.exact_strides = CASES[i].exact_strides;
    grid.stride[1] = CASES[i].stride;
    for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
      grid.count[a] = CASES[i].count[a];
      grid.step[a] = 1;
    }
    const perlane_status wanted = CASES[i].status;
    const perlane_status status = perlane_picture_fill(&plan, &noise, &grid, scratch, middle);
    if (status != wanted)
      fail_msg("case %zu: %s", i, perlane_status_string(status));
    assert_int_equal(perlane_picture_scratch(&plan, &grid) > 0,
                     wanted == PERLANE_OK || wanted == PERLANE_ERROR_STRIDE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normals_are_those_of_a_plane),
      cmocka_unit_test(masks_are_smooth_steps),
      cmocka_unit_test(colours_are_those_of_the_palette),
      cmocka_unit_test(water_ends_at_the_coast),
      cmocka_unit_test(light_falls_on_slopes),
      cmocka_unit_test(what_is_no_number_is_first),
      cmocka_unit_test(pixels_are_the_same_everywhere),
      cmocka_unit_test(relief_follows_slopes),
      cmocka_unit_test(tiles_are_parts_of_the_whole),
      cmocka_unit_test(palettes_and_looks),
      cmocka_unit_test(pictures_that_are_refused),
      cmocka_unit_test(grids_that_are_refused),
  };
  return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
