/* SPDX-License-Identifier: MIT
 *
 * Plans of pictures. Only plain operations and square roots make them, so that they are the same on
 * every machine.
 */
#include "../strict.h"

#include <stddef.h>
#include <string.h>

#include "../expression/expression.h"
#include "../numbers.h"
#include "palette.h"
#include "plan.h"
#include "roots.h"

uint64_t perlane_picture_layout(void) {
  return PERLANE_PICTURE_LAYOUT;
}

perlane_status(perlane_picture_init)(perlane_picture *picture) {
  static const uint64_t NOT_A_NUMBER = UINT64_C(0x7FF8000000000000);
  if (!picture)
    return PERLANE_ERROR_NULL;
  *picture = (perlane_picture){
      .bits = 8, .low = -1, .high = 1, .azimuth = 315, .altitude = 45, .spacing = {1, 1}};
  memcpy(&picture->relief, &NOT_A_NUMBER, sizeof picture->relief);
  return PERLANE_OK;
}

/* ---- Slopes ---- */

enum { PLACES = 128 };

/* Sets `change` to the change in value from the pixel before each place to the one after, along one
 * axis, per pixel; `before` has room for as many. The row's origin is 0. */
static perlane_status measure_change(const perlane_noise *noise, perlane_grid *row, double step,
                                     int axis, float *before, float *change) {
  row->origin[axis] = -step;
  perlane_status status = perlane_fill(noise, row, before);
  row->origin[axis] = step;
  if (status == PERLANE_OK)
    status = perlane_fill(noise, row, change);
  row->origin[axis] = 0;
  for (int i = 0; i < PLACES && status == PERLANE_OK; i++)
    change[i] = (change[i] - before[i]) * 0.5F;
  return status;
}

/* Returns 1 if a field, or one of an expression, has valleys. */
static int includes_valleys(const perlane_noise *noise) {
  const perlane_expression *expression = &noise->expression;
  if (!noise->is_expression)
    return noise->params.valleys != 0;
  for (int i = 0; i < expression->field_count; i++)
    if (includes_valleys(expression->field[i]))
      return 1;
  return 0;
}

/* Returns the root mean square of the gradient's length, in value per pixel, over some thousand
 * places in a square of 47 cells at the field's origin; the picture's own place does not count, so
 * that all tiles of a map get the same. If the number does not matter, stops where it is not 0.
 * `memory` has room for PLACES floats along each axis. */
static perlane_status measure_slope(const perlane_noise *noise, const perlane_grid *grid,
                                    int has_gradient, int matters, float *memory, double *slope) {
  const double cells = 0.3719; /* no fraction of a cell is met twice */
  float *gradient[PERLANE_MAX_DIMS];
  perlane_grid row = perlane_grid_make(PLACES, 1, 0, 0);
  row.dims = grid->dims;
  for (int a = 0; a < row.dims; a++) {
    gradient[a] = memory + (ptrdiff_t)a * PLACES;
    row.count[a] = a == 0 ? PLACES : 1;
    row.step[a] = cells / noise->params.frequency;
  }
  const float *dx = memory, *dy = memory + PLACES;
  const int apart = includes_valleys(noise) ? 16 : 1; /* a single place of which takes 0.2 ms */
  double sum = 0;
  for (int j = 0; j < PLACES && (matters || sum == 0); j += apart) {
    for (int a = 1; a < row.dims; a++)
      row.first[a] = j;
    perlane_status status = PERLANE_OK;
    if (has_gradient)
      status = perlane_fill_gradient(noise, &row, NULL, gradient);
    else
      for (int a = 0; a < 2 && status == PERLANE_OK; a++)
        status = measure_change(noise, &row, grid->step[a], a, memory + 2 * PLACES,
                                memory + (ptrdiff_t)a * PLACES);
    if (status != PERLANE_OK)
      return status;
    for (int i = 0; i < PLACES; i++) {
      const double x = (double)dx[i] * (has_gradient ? grid->step[0] : 1);
      const double y = (double)dy[i] * (has_gradient ? grid->step[1] : 1);
      sum += x * x + y * y;
    }
  }
  *slope = perlane_root_of_double(sum / (PLACES * PLACES / apart));
  return PERLANE_OK;
}

static perlane_status plan_slopes(perlane_picture_plan *plan, const perlane_picture *picture,
                                  const perlane_noise *noise, const perlane_grid *grid) {
  const double automatic_slope = 0.5;
  const double max_pixels = 1e30; /* heights beyond make every slope a cliff */
  const perlane_list empty = {.dims = grid->dims};
  float *const none[PERLANE_MAX_DIMS] = {NULL};
  double slope;
  const int has_gradient =
      noise->params.basis != PERLANE_BASIS_CELLULAR && /* whose gradient jumps at every border */
      perlane_points(noise, &empty, NULL, none) != PERLANE_ERROR_NO_GRADIENT;
  plan->slopes = has_gradient ? PERLANE_SLOPES_GRADIENT : PERLANE_SLOPES_DIFFERENCES;
  const int is_automatic = picture->relief != picture->relief;
  float *const memory = plan->palette.colour[0]; /* the colours are made after this */
  const perlane_status status =
      measure_slope(noise, grid, has_gradient, is_automatic, memory, &slope);
  if (status != PERLANE_OK)
    return status;
  if (slope == 0)
    return PERLANE_ERROR_NO_SLOPES;
  plan->relief = is_automatic ? automatic_slope / slope : picture->relief;
  for (int a = 0; a < 2; a++) {
    const double pixels = plan->relief * grid->step[a];
    if (!(perlane_magnitude(plan->relief) <= max_pixels && perlane_magnitude(pixels) <= max_pixels))
      return PERLANE_ERROR_RELIEF;
    plan->slope[a] = (float)pixels;
  }
  if (plan->kind == PERLANE_PICTURE_NORMALS)
    plan->slope[1] = -plan->slope[1]; /* the picture's y points down */
  return PERLANE_OK;
}

/* ---- Colours ---- */

/* Returns the sine of an angle from -90 to 450 degrees, by its series: sin is not the same on every
 * machine. */
static double sine(double degrees) {
  const double nearest = degrees > 270 ? degrees - 360 : degrees > 90 ? 180 - degrees : degrees;
  const double x = nearest * (3.14159265358979323846 / 180);
  double rest = 0;
  for (int k = 24; k > 0; k -= 2)
    rest = (1 + rest) * -x * x / (k * (k + 1));
  return x * (1 + rest);
}

/* Some of the light comes from all over the sky. What is flat has the palette's own brightness,
 * unless the light is low. */
static void plan_light(perlane_picture_plan *plan, const perlane_picture *picture) {
  const double ambient = 0.3;
  const double up = sine(picture->altitude), along = sine(picture->altitude + 90);
  plan->light[0] = (float)(sine(picture->azimuth) * along);
  plan->light[1] = (float)(-sine(picture->azimuth + 90) * along);
  plan->light[2] = (float)up;
  plan->ambient = (float)ambient;
  plan->direct = (float)((1 - ambient) / (up > 0.5 ? up : 0.5));
}

/* Returns the sRGB value of a linear light. */
static uint8_t encode(const perlane_picture_plan *plan, float light) {
  const float codes = sizeof plan->encode;
  return plan->encode[(int)(light * codes < codes - 1 ? light * codes : codes - 1)];
}

static perlane_status plan_colours(perlane_picture_plan *plan, const perlane_picture *picture) {
  const perlane_colours *palette = &plan->palette;
  const double half = PERLANE_COLOURS / 2;
  const double low = (double)(float)picture->low, high = (double)(float)picture->high;
  perlane_palette_mix(&plan->palette, picture->palette);
  perlane_palette_encode(plan->encode, sizeof plan->encode);
  for (int i = 0; i < PERLANE_COLOURS; i++)
    for (int c = 0; c < 3; c++)
      plan->unlit[i][c] = encode(plan, palette->colour[i][c]);
  const double middle = palette->has_coast ? 0 : 0.5 * (low + high);
  const int falls = palette->has_coast && high < low;
  const double bottom = falls ? high : low, top = falls ? low : high;
  const double steep = palette->steep * palette->steep;
  const double steepest = palette->steepest * palette->steepest;
  plan->steep = (float)steep;
  plan->more_rock = steepest > 0 ? (float)(1 / (steepest - steep)) : 0;
  plan->middle = (float)middle;
  /* A range without water, or without land, shows the shore's colour beyond its end. */
  plan->below = palette->has_coast && bottom >= 0 ? 0 : (float)(half / (middle - bottom));
  plan->above = palette->has_coast && top <= 0 ? 0 : (float)(half / (top - middle));
  plan->slope_below = palette->has_coast ? 0.15F : 1;
  plan->is_grey = plan->kind == PERLANE_PICTURE_COLOURS && picture->palette == PERLANE_PALETTE_GREY;
  plan->first = (float)low;
  plan->levels = (float)(255 / (high - low));
  return perlane_is_finite((double)plan->below) && perlane_is_finite((double)plan->above) &&
                 perlane_is_finite((double)plan->levels) && perlane_is_finite(low) &&
                 perlane_is_finite(high)
             ? PERLANE_OK
             : PERLANE_ERROR_LEVELS;
}

/* ---- Masks ---- */

static perlane_status plan_mask(perlane_picture_plan *plan, const perlane_picture *picture) {
  plan->low = picture->low;
  plan->high = picture->high;
  if (!perlane_is_finite(plan->low) || !perlane_is_finite(plan->high) ||
      !perlane_is_finite(1 / (plan->high - plan->low)))
    return PERLANE_ERROR_LEVELS;
  if (plan->kind == PERLANE_PICTURE_HEIGHT_MASK)
    return PERLANE_OK;
  plan->slopes = PERLANE_SLOPES_DIFFERENCES;
  for (int a = 0; a < 2; a++) {
    plan->spacing[a] = picture->spacing[a];
    if (!perlane_is_finite(plan->spacing[a]) || plan->spacing[a] == 0)
      return PERLANE_ERROR_STEP;
  }
  return PERLANE_OK;
}

/* ---- The plan ---- */

static perlane_status check_picture(const perlane_picture *picture, const perlane_grid *grid) {
  const int is_deep = picture->bits == 16 && picture->kind >= PERLANE_PICTURE_NORMALS;
  uint64_t reserved = (uint64_t)picture->reserved0;
  for (size_t i = 0; i < sizeof picture->reserved / sizeof picture->reserved[0]; i++)
    reserved |= picture->reserved[i];
  if (reserved != 0)
    return PERLANE_ERROR_LAYOUT;
  if (grid->dims < 2 || grid->dims > PERLANE_MAX_DIMS)
    return PERLANE_ERROR_DIMS;
  if (picture->kind < 0 || picture->kind >= PERLANE_PICTURE_KIND_COUNT ||
      !perlane_palette_name(picture->palette) || !(picture->bits == 8 || is_deep))
    return PERLANE_ERROR_PICTURE;
  if (!(picture->azimuth >= 0 && picture->azimuth <= 360 && picture->altitude >= 0 &&
        picture->altitude <= 90))
    return PERLANE_ERROR_LIGHT;
  return PERLANE_OK;
}

static PERLANE_NOINLINE perlane_status make_plan(perlane_picture_plan *plan,
                                                 const perlane_picture *picture,
                                                 const perlane_noise *noise,
                                                 const perlane_grid *grid) {
  memset(plan, 0, sizeof *plan);
  plan->kind = picture->kind;
  plan->bits = picture->bits;
  perlane_status status = check_picture(picture, grid);
  if (status == PERLANE_OK && perlane_plan_is_mask(plan))
    status = plan_mask(plan, picture);
  else if (status == PERLANE_OK && plan->kind != PERLANE_PICTURE_COLOURS)
    status = plan_slopes(plan, picture, noise, grid);
  if (status == PERLANE_OK && perlane_plan_has_colours(plan)) {
    plan_light(plan, picture);
    status = plan_colours(plan, picture);
  }
  if (status == PERLANE_OK)
    plan->ready = PERLANE_PLAN_READY;
  return status;
}

perlane_status(perlane_picture_prepare)(perlane_picture_plan *plan, const perlane_picture *picture,
                                        const perlane_noise *noise, const perlane_grid *grid) {
  if (!plan || !picture || !noise || !grid)
    return PERLANE_ERROR_NULL;
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = make_plan(plan, picture, noise, grid);
  perlane_fp_leave(caller);
  return status;
}
