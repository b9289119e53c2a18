/* SPDX-License-Identifier: MIT
 *
 * Pixels of samples. Only plain operations and square roots make them, so that they are the same on
 * every machine.
 */
#include "../strict.h"

#include <stddef.h>
#include <string.h>

#include "plan.h"
#include "roots.h"

/* ---- Rows ---- */

/* Keeps squares of slopes, and what is divided by their root, finite. */
static float clamp(float value, float most) {
  const float above = value > -most ? value : -most; /* also for NaN */
  return above < most ? above : most;
}

static const float STEEPEST = 1e6F;

/* The pixels that are drawn at once: loops over some of them are made lanes by the compiler. */
enum { AT_ONCE = 256 };

/* Sets the index of each value's colour. A palette with a range from high to low has negative
 * factors, with which values beyond the middle change sides. */
static void find_colours(const perlane_picture_plan *plan, size_t n, const float *value,
                         int32_t *colour) {
  const float half = PERLANE_COLOURS / 2;
  /* Values below the coast are water, even if rounding makes them the coast's colour. */
  const float lowest = plan->below > 0 ? half - 1 : 2 * half - 1;
  for (size_t i = 0; i < n; i++) {
    const float away = value[i] - plan->middle;
    const float place = clamp(away * (away < 0 ? plan->below : plan->above), half) + half;
    const float most = away < 0 ? lowest : 2 * half - 1;
    colour[i] = (int32_t)(place < most ? place : most);
  }
}

/* The light that falls on each pixel's surface, whose normal is (-x, -y, 1) over its length, and
 * the share of it that is rock. */
static void make_light(const perlane_picture_plan *plan, size_t n, const float *value,
                       const float *dx, const float *dy, float *light, float *rock) {
  const float slope_below = plan->slope_below;
  for (size_t i = 0; i < n; i++) {
    const float weaker = value[i] < plan->middle ? slope_below : 1;
    const float x = clamp(dx[i] * plan->slope[0] * weaker, STEEPEST);
    const float y = clamp(dy[i] * plan->slope[1] * weaker, STEEPEST);
    const float towards = plan->light[2] - x * plan->light[0] - y * plan->light[1];
    const float cosine = towards / perlane_root_of_float(1 + x * x + y * y);
    const float share = (x * x + y * y - plan->steep) * plan->more_rock;
    rock[i] = !(share > 0) || weaker < 1 ? 0 : share < 1 ? share : 1;
    light[i] = plan->ambient + plan->direct * (cosine > 0 ? cosine : 0);
  }
}

static void make_colours(const perlane_picture_plan *plan, size_t n, const float *value,
                         const float *dx, const float *dy, uint8_t *rgb) {
  const perlane_colours *palette = &plan->palette;
  const float codes = sizeof plan->encode;
  int32_t colour[AT_ONCE], code[3 * AT_ONCE];
  float light[AT_ONCE], rock[AT_ONCE], lit[3 * AT_ONCE];
  find_colours(plan, n, value, colour);
  if (plan->kind == PERLANE_PICTURE_COLOURS) {
    for (size_t i = 0; i < n; i++)
      memcpy(rgb + 3 * i, plan->unlit[colour[i]], 3);
    return;
  }
  make_light(plan, n, value, dx, dy, light, rock);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < 3; c++) {
      const float own = palette->colour[colour[i]][c];
      lit[3 * i + c] = (own + rock[i] * (palette->rock[c] - own)) * light[i];
    }
  for (size_t i = 0; i < 3 * n; i++)
    code[i] = (int32_t)(lit[i] * codes < codes - 1 ? lit[i] * codes : codes - 1);
  for (size_t i = 0; i < 3 * n; i++)
    rgb[i] = plan->encode[code[i]];
}

/* Makes the pixels of perlane_fill_u8. */
static void make_greys(const perlane_picture_plan *plan, size_t n, const float *value,
                       uint8_t *rgb) {
  const float to_even = 8388608; /* from which on floats are whole */
  for (size_t i = 0; i < n; i++) {
    const float place = (value[i] - plan->first) * plan->levels;
    const float level = place > 0 ? (place < 255 ? place : 255) : 0;
    for (size_t c = 0; c < 3; c++)
      rgb[3 * i + c] = (uint8_t)((level + to_even) - to_even);
  }
}

/* From a component in -1..1 to 0..most, rounded to nearest. */
static float level_of(float component, float half) {
  return component * half + half + 0.5F;
}

static void make_normals(const perlane_picture_plan *plan, size_t n, const float *dx,
                         const float *dy, void *rgb) {
  uint8_t *rgb8 = rgb;
  uint16_t *rgb16 = rgb;
  const float half = plan->bits == 16 ? 32767.5F : 127.5F;
  for (size_t i = 0; i < n; i++) {
    const float x = clamp(dx[i] * plan->slope[0], STEEPEST);
    const float y = clamp(dy[i] * plan->slope[1], STEEPEST);
    const float length = perlane_root_of_float(1 + x * x + y * y);
    const float level[3] = {level_of(-x / length, half), level_of(-y / length, half),
                            level_of(1 / length, half)};
    for (size_t c = 0; c < 3; c++)
      if (plan->bits == 16)
        rgb16[3 * i + c] = (uint16_t)level[c];
      else
        rgb8[3 * i + c] = (uint8_t)level[c];
  }
}

/* Returns the angle of a slope in degrees. Three times half the angle has a tangent below 0.2,
 * whose series is short; atan is not the same on every machine. */
static double degrees(double slope) {
  const double steepest = 1e9;
  double tangent = slope > steepest ? steepest : slope, series = 0;
  for (int i = 0; i < 3; i++)
    tangent /= 1 + perlane_root_of_double(1 + tangent * tangent);
  for (int k = 19; k > 0; k -= 2)
    series = 1.0 / k - series * tangent * tangent;
  return tangent * series * (8 * 180 / 3.14159265358979323846);
}

/* Returns the angle at a sample, which has a border. */
static double slope_at(const perlane_picture_plan *plan, const float *height, ptrdiff_t row) {
  const double x = ((double)height[1] - (double)height[-1]) / (2 * plan->spacing[0]);
  const double y = ((double)height[row] - (double)height[-row]) / (2 * plan->spacing[1]);
  return degrees(perlane_root_of_double(x * x + y * y));
}

static void make_mask(const perlane_picture_plan *plan, size_t n, const float *height,
                      ptrdiff_t row, void *levels) {
  const double to_whole = 4503599627370496; /* 2^52: sums are rounded to whole numbers */
  uint8_t *levels8 = levels;
  uint16_t *levels16 = levels;
  for (size_t i = 0; i < n; i++) {
    const double v = plan->kind == PERLANE_PICTURE_SLOPE_MASK ? slope_at(plan, height + i, row)
                                                              : (double)height[i];
    const double part = (v - plan->low) / (plan->high - plan->low);
    const double t = part > 0 ? part < 1 ? part : 1 : 0, share = t * t * (3 - 2 * t);
    const double level = share * (plan->bits == 8 ? 255 : 65535) + to_whole - to_whole;
    if (plan->bits == 8)
      levels8[i] = (uint8_t)level;
    else
      levels16[i] = (uint16_t)level;
  }
}

/* Makes n samples n pixels, of normals and colours. A normal map does not look at the values. */
static void make_row(const perlane_picture_plan *plan, size_t n, const float *value,
                     const float *dx, const float *dy, uint8_t *rgb) {
  for (size_t i = 0; i < n; i += AT_ONCE) {
    const size_t count = n - i < AT_ONCE ? n - i : AT_ONCE;
    uint8_t *to = rgb + 3 * i * (size_t)plan->bits / 8;
    if (!perlane_plan_has_colours(plan))
      make_normals(plan, count, dx + i, dy + i, to);
    else if (plan->is_grey)
      make_greys(plan, count, value + i, to);
    else
      make_colours(plan, count, value + i, dx + i, dy + i, to);
  }
}

/* ---- Grids ---- */

/* Returns what is wrong with a plan, and with a grid as that of a picture. */
static perlane_status check_grid_of(const perlane_picture_plan *plan, const perlane_grid *grid) {
  if (!plan || !grid)
    return PERLANE_ERROR_NULL;
  if (plan->ready != PERLANE_PLAN_READY)
    return PERLANE_ERROR_PICTURE;
  if (grid->dims < 2 || grid->dims > PERLANE_MAX_DIMS)
    return PERLANE_ERROR_DIMS;
  for (int a = 0; a < grid->dims; a++)
    if (grid->count[a] == 0 || (a > 1 && grid->count[a] > 1))
      return PERLANE_ERROR_COUNT;
  const uint64_t border = plan->slopes == PERLANE_SLOPES_DIFFERENCES ? 2 : 0;
  const uint64_t most = PTRDIFF_MAX / sizeof(float) / (1 + PERLANE_MAX_DIMS);
  if (grid->count[0] > most - border || grid->count[1] > most / (grid->count[0] + border) - border)
    return PERLANE_ERROR_COUNT;
  return PERLANE_OK;
}

static size_t samples_of(const perlane_grid *grid) {
  return (size_t)grid->count[0] * (size_t)grid->count[1];
}

size_t perlane_picture_scratch(const perlane_picture_plan *plan, const perlane_grid *grid) {
  if (check_grid_of(plan, grid) != PERLANE_OK)
    return 0;
  const size_t width = (size_t)grid->count[0], height = (size_t)grid->count[1];
  if (plan->slopes == PERLANE_SLOPES_DIFFERENCES) /* samples with a border, two rows of slopes */
    return (width + 2) * (height + 2) + 2 * width;
  return samples_of(grid) * (plan->slopes == PERLANE_SLOPES_GRADIENT ? 1 + (size_t)grid->dims : 1);
}

/* Scratch is the grid's samples, packed, and after them their derivatives along each axis; or, with
 * differences as slopes, the samples with a border of one sample. */
perlane_status perlane_picture_sample(const perlane_picture_plan *plan, const perlane_noise *noise,
                                      const perlane_grid *grid, float *scratch) {
  const perlane_status status = noise && scratch ? check_grid_of(plan, grid) : PERLANE_ERROR_NULL;
  if (status != PERLANE_OK)
    return status;
  perlane_grid packed = *grid;
  memset(packed.stride, 0, sizeof packed.stride);
  packed.exact_strides = 0;
  if (plan->slopes == PERLANE_SLOPES_GRADIENT) {
    float *gradient[PERLANE_MAX_DIMS];
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      gradient[a] = scratch + (size_t)(a < grid->dims ? a + 1 : 0) * samples_of(grid);
    return perlane_fill_gradient(noise, &packed, scratch, gradient);
  }
  for (int a = 0; a < 2 && plan->slopes == PERLANE_SLOPES_DIFFERENCES; a++) {
    if (grid->first[a] == INT64_MIN || grid->first[a] > INT64_MAX - (int64_t)grid->count[a])
      return PERLANE_ERROR_RANGE;
    packed.first[a]--;
    packed.count[a] += 2;
  }
  return perlane_fill(noise, &packed, scratch);
}

/* Draws each row of pixels. Differences are those of three rows of samples: tiles have the slopes
 * that the whole map has there. */
static PERLANE_NOINLINE void draw(const perlane_picture_plan *plan, const perlane_grid *grid,
                                  float *scratch, uint8_t *pixels, ptrdiff_t row_bytes) {
  const size_t width = (size_t)grid->count[0], height = (size_t)grid->count[1];
  const int differs = plan->slopes == PERLANE_SLOPES_DIFFERENCES;
  const size_t row = width + (differs ? 2 : 0);
  float *dx = scratch, *dy = scratch; /* not used without slopes */
  if (differs) {
    dx = scratch + row * (height + 2);
    dy = dx + width;
  }
  for (size_t y = 0; y < height; y++, pixels += row_bytes) {
    const float *value = scratch + y * row;
    if (plan->slopes == PERLANE_SLOPES_GRADIENT) {
      dx = scratch + samples_of(grid) + y * width;
      dy = dx + samples_of(grid);
    }
    if (differs)
      value += row + 1;
    if (perlane_plan_is_mask(plan)) {
      make_mask(plan, width, value, (ptrdiff_t)row, pixels);
      continue;
    }
    for (size_t x = 0; differs && x < width; x++) {
      const float *at = value + x;
      dx[x] = (float)(((double)at[1] - (double)at[-1]) / (2 * grid->step[0]));
      dy[x] = (float)(((double)at[row] - (double)*(at - row)) / (2 * grid->step[1]));
    }
    make_row(plan, width, value, dx, dy, pixels);
  }
}

perlane_status perlane_picture_draw(const perlane_picture_plan *plan, const perlane_grid *grid,
                                    float *scratch, void *pixels) {
  perlane_status status = scratch && pixels ? check_grid_of(plan, grid) : PERLANE_ERROR_NULL;
  if (status != PERLANE_OK)
    return status;
  const int64_t width = (int64_t)grid->count[0];
  const int64_t stride = grid->stride[1] != 0 || grid->exact_strides ? grid->stride[1] : width;
  const int64_t bytes = perlane_plan_is_mask(plan) ? plan->bits / 8 : 3 * plan->bits / 8;
  const int64_t most = PTRDIFF_MAX / bytes / (int64_t)grid->count[1];
  if (grid->count[1] > 1 &&
      (stride > most || stride < -most || (stride < width && -stride < width)))
    return PERLANE_ERROR_STRIDE;
  const perlane_fp_state caller = perlane_fp_enter();
  draw(plan, grid, scratch, pixels, (ptrdiff_t)(grid->count[1] > 1 ? stride * bytes : 0));
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_status perlane_picture_fill(const perlane_picture_plan *plan, const perlane_noise *noise,
                                    const perlane_grid *grid, float *scratch, void *pixels) {
  if (!pixels)
    return PERLANE_ERROR_NULL;
  const perlane_status status = perlane_picture_sample(plan, noise, grid, scratch);
  return status == PERLANE_OK ? perlane_picture_draw(plan, grid, scratch, pixels) : status;
}
