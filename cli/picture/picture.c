/* SPDX-License-Identifier: MIT */
#include "picture.h"

#include <math.h>
#include <string.h>

size_t perlane_picture_plan_size(void) {
  return sizeof(perlane_picture_plan);
}

/* ---- The plan ---- */

enum { PLACES = 128 };

/* Sets `change` to the change in value from the pixel before each place to the one after, along one
 * axis, per pixel. */
static perlane_status measure_change(const perlane_noise *noise, const perlane_grid *row,
                                     double step, int axis, float *change) {
  float before[PLACES] = {0};
  perlane_grid beside = *row;
  beside.origin[axis] = -step;
  perlane_status status = perlane_fill(noise, &beside, before);
  beside.origin[axis] = step;
  if (status == PERLANE_OK)
    status = perlane_fill(noise, &beside, change);
  for (int i = 0; i < PLACES; i++)
    change[i] = (change[i] - before[i]) * 0.5F;
  return status;
}

/* Returns the root mean square of the gradient's length, in value per pixel, over some thousand
 * places in a square of 47 cells at the field's origin; the picture's own place does not count, so
 * that all tiles of a map get the same. */
static perlane_status measure_slope(const perlane_noise *noise, const perlane_grid *grid,
                                    int has_gradient, double *slope) {
  const double cells = 0.3719; /* no fraction of a cell is met twice */
  float dx[PLACES] = {0}, dy[PLACES] = {0}, others[2][PLACES];
  float *gradient[PERLANE_MAX_DIMS] = {dx, dy, others[0], others[1]};
  perlane_grid row = perlane_grid_make(PLACES, 1, 0, 0);
  row.dims = grid->dims;
  for (int a = 0; a < row.dims; a++) {
    row.count[a] = a == 0 ? PLACES : 1;
    row.step[a] = cells / noise->params.frequency;
  }
  double sum = 0;
  for (int j = 0; j < PLACES; j++) {
    for (int a = 1; a < row.dims; a++)
      row.first[a] = j;
    perlane_status status = PERLANE_OK;
    if (has_gradient)
      status = perlane_fill_gradient(noise, &row, NULL, gradient);
    else
      for (int a = 0; a < 2 && status == PERLANE_OK; a++)
        status = measure_change(noise, &row, grid->step[a], a, gradient[a]);
    if (status != PERLANE_OK)
      return status;
    for (int i = 0; i < PLACES; i++) {
      const double x = (double)dx[i] * (has_gradient ? grid->step[0] : 1);
      const double y = (double)dy[i] * (has_gradient ? grid->step[1] : 1);
      sum += x * x + y * y;
    }
  }
  *slope = sqrt(sum / (PLACES * PLACES));
  return PERLANE_OK;
}

static const char *plan_slopes(perlane_picture_plan *plan, const perlane_picture *picture,
                               const perlane_noise *noise, const perlane_grid *grid, int *part) {
  const double automatic_slope = 0.5;
  const double max_pixels = 1e30; /* heights beyond make every slope a cliff */
  const perlane_basis basis = (perlane_basis)noise->params.basis;
  double slope;
  plan->slopes = basis == PERLANE_BASIS_CELLULAR || /* whose gradient jumps at every border */
                         perlane_points_gradient(noise, grid->dims, 0, NULL, NULL, NULL, NULL) ==
                             PERLANE_ERROR_NO_GRADIENT
                     ? PERLANE_DIFFERENCES
                     : PERLANE_GRADIENT;
  const perlane_status status =
      measure_slope(noise, grid, plan->slopes == PERLANE_GRADIENT, &slope);
  *part = PERLANE_PICTURE_SLOPES;
  if (status != PERLANE_OK)
    return perlane_status_string(status);
  if (slope == 0 && (basis == PERLANE_BASIS_WHITE || basis == PERLANE_BASIS_GAUSSIAN))
    return "white noise has one value all over each cell, and so no slopes; basis value has";
  if (slope == 0)
    return "this field has no slopes: its gradient is 0";
  const double pixels = isnan(picture->height) ? automatic_slope / slope : picture->height;
  *part = PERLANE_PICTURE_HEIGHT;
  for (int a = 0; a < 2; a++) {
    if (!(fabs(pixels) <= max_pixels) || !(fabs(pixels * grid->step[a]) <= max_pixels))
      return "too high for this step from pixel to pixel";
    plan->slope[a] = (float)(pixels * grid->step[a]);
  }
  return NULL;
}

/* Some of the light comes from all over the sky. What is flat has the palette's own brightness,
 * unless the light is low. */
static void plan_light(perlane_picture_plan *plan, const perlane_picture *picture) {
  const double degree = 3.14159265358979323846 / 180, ambient = 0.3;
  const double azimuth = picture->azimuth * degree, altitude = picture->altitude * degree;
  plan->light[0] = (float)(sin(azimuth) * cos(altitude));
  plan->light[1] = (float)(-cos(azimuth) * cos(altitude));
  plan->light[2] = (float)sin(altitude);
  plan->ambient = (float)ambient;
  plan->direct = (float)((1 - ambient) / fmax(sin(altitude), 0.5));
}

static int plan_colours(perlane_picture_plan *plan, const perlane_picture *picture) {
  const struct perlane_palette *palette = &plan->palette;
  const double half = PERLANE_COLOURS / 2, low = (double)picture->low, high = (double)picture->high;
  perlane_palette_make(picture->palette, &plan->palette);
  const double middle = palette->has_coast ? 0 : 0.5 * (low + high);
  const double bottom = palette->has_coast ? fmin(low, high) : low;
  const double top = palette->has_coast ? fmax(low, high) : high;
  const double steep = palette->steep * palette->steep;
  const double steepest = palette->steepest * palette->steepest;
  plan->steep = (float)steep;
  plan->more_rock = steepest > 0 ? (float)(1 / (steepest - steep)) : 0;
  plan->middle = (float)middle;
  /* A range without water, or without land, shows the shore's colour beyond its end. */
  plan->below = palette->has_coast && bottom >= 0 ? 0 : (float)(half / (middle - bottom));
  plan->above = palette->has_coast && top <= 0 ? 0 : (float)(half / (top - middle));
  plan->slope_below = palette->has_coast ? 0.15F : 1;
  return isfinite(plan->below) && isfinite(plan->above);
}

const char *perlane_picture_prepare(perlane_picture_plan *plan, const perlane_picture *picture,
                                    const perlane_noise *noise, const perlane_grid *grid,
                                    int *part) {
  memset(plan, 0, sizeof *plan);
  plan->normal_map = picture->normal_map;
  plan->shade = picture->shade;
  plan->bits = picture->bits;
  const char *problem =
      plan->normal_map || plan->shade ? plan_slopes(plan, picture, noise, grid, part) : NULL;
  if (problem)
    return problem;
  if (picture->normal_map) {
    if (!picture->normal_down)
      plan->slope[1] = -plan->slope[1]; /* the picture's y points down */
    return NULL;
  }
  plan_light(plan, picture);
  *part = PERLANE_PICTURE_LEVELS;
  return plan_colours(plan, picture) ? NULL : perlane_status_string(PERLANE_ERROR_LEVELS);
}

/* ---- Rows ---- */

/* Returns the sRGB value of a linear light. */
static unsigned char encode(const perlane_picture_plan *plan, float light) {
  const float last = sizeof plan->palette.encode - 1;
  const float place = light * (float)sizeof plan->palette.encode;
  return plan->palette.encode[(int)(place < last ? place : last)];
}

/* Keeps squares of slopes, and what is divided by their root, finite. */
static float clamp(float value, float most) {
  return value < -most ? -most : value > most ? most : value;
}

static const float STEEPEST = 1e6F;

/* A palette with a range from high to low has negative factors, with which values beyond the middle
 * change sides. */
static int colour_of(const perlane_picture_plan *plan, float value) {
  const float half = PERLANE_COLOURS / 2;
  const float away = value - plan->middle;
  const float place = away * (away < 0 ? plan->below : plan->above);
  const float shifted = clamp(place, half) + half;
  /* Values below the coast are water, even if rounding makes them the coast's colour. */
  const int most = away < 0 && plan->below > 0 ? PERLANE_COLOURS / 2 - 1 : PERLANE_COLOURS - 1;
  const int colour = (int)shifted;
  return colour < most ? colour : most;
}

/* The light that falls on each pixel's surface, whose normal is (-x, -y, 1) over its length, and
 * the share of it that is rock. */
static void make_light(const perlane_picture_plan *plan, size_t n, const float *value,
                       const float *dx, const float *dy, float *light, float *rock) {
  for (size_t i = 0; i < n; i++) {
    const float weaker = value[i] < plan->middle ? plan->slope_below : 1;
    const float x = clamp(dx[i] * plan->slope[0] * weaker, STEEPEST);
    const float y = clamp(dy[i] * plan->slope[1] * weaker, STEEPEST);
    const float towards = plan->light[2] - x * plan->light[0] - y * plan->light[1];
    const float cosine = towards / sqrtf(1 + x * x + y * y);
    const float share = (x * x + y * y - plan->steep) * plan->more_rock;
    rock[i] = !(share > 0) || weaker < 1 ? 0 : share < 1 ? share : 1;
    light[i] = plan->ambient + plan->direct * (cosine > 0 ? cosine : 0);
  }
}

static void make_colours(const perlane_picture_plan *plan, size_t n, const float *value,
                         const float *dx, const float *dy, unsigned char *rgb) {
  enum { AT_ONCE = 256 }; /* two loops, of which the compiler makes the first one's lanes */
  float light[AT_ONCE], rock[AT_ONCE];
  for (size_t i = 0; i < AT_ONCE; i++) {
    light[i] = 1;
    rock[i] = 0;
  }
  for (size_t begin = 0; begin < n; begin += AT_ONCE) {
    const size_t count = n - begin < AT_ONCE ? n - begin : AT_ONCE;
    if (plan->shade)
      make_light(plan, count, value + begin, dx + begin, dy + begin, light, rock);
    for (size_t i = 0; i < count; i++) {
      const float *colour = plan->palette.colour[colour_of(plan, value[begin + i])];
      for (int c = 0; c < 3; c++)
        rgb[3 * (begin + i) + (size_t)c] =
            encode(plan, (colour[c] + rock[i] * (plan->palette.rock[c] - colour[c])) * light[i]);
    }
  }
}

/* From a component in -1..1 to 0..most, rounded to nearest. */
static float level_of(float component, float half) {
  return component * half + half + 0.5F;
}

static void make_normals(const perlane_picture_plan *plan, size_t n, const float *dx,
                         const float *dy, void *rgb) {
  unsigned char *rgb8 = rgb;
  uint16_t *rgb16 = rgb;
  const float half = plan->bits == 16 ? 32767.5F : 127.5F;
  for (size_t i = 0; i < n; i++) {
    const float x = clamp(dx[i] * plan->slope[0], STEEPEST);
    const float y = clamp(dy[i] * plan->slope[1], STEEPEST);
    const float length = sqrtf(1 + x * x + y * y);
    const float level[3] = {level_of(-x / length, half), level_of(-y / length, half),
                            level_of(1 / length, half)};
    for (size_t c = 0; c < 3; c++)
      if (plan->bits == 16)
        rgb16[3 * i + c] = (uint16_t)level[c];
      else
        rgb8[3 * i + c] = (unsigned char)level[c];
  }
}

/* Makes n samples n pixels. A normal map does not look at the values. */
static void make_row(const perlane_picture_plan *plan, size_t n, const float *value,
                     const float *dx, const float *dy, void *rgb) {
  if (plan->normal_map)
    make_normals(plan, n, dx, dy, rgb);
  else
    make_colours(plan, n, value, dx, dy, rgb);
}

/* ---- Grids ---- */

static size_t samples_of(const perlane_grid *grid) {
  size_t samples = 1;
  for (int a = 0; a < grid->dims; a++)
    samples *= (size_t)grid->count[a];
  return samples;
}

size_t perlane_picture_scratch(const perlane_picture_plan *plan, const perlane_grid *grid) {
  const size_t width = grid->count[0], count = samples_of(grid);
  if (plan->slopes == PERLANE_DIFFERENCES) /* samples with a border, two rows of slopes */
    return (width + 2) * (count / width + 2) + 2 * width;
  return count * (plan->slopes == PERLANE_GRADIENT ? 1 + (size_t)grid->dims : 1);
}

/* Computes the samples with a border of one sample, and each row of pixels from three rows of them:
 * tiles have the slopes that the whole map has there. */
static perlane_status fill_by_differences(const perlane_picture_plan *plan,
                                          const perlane_noise *noise, const perlane_grid *grid,
                                          unsigned char *samples, ptrdiff_t row_bytes,
                                          float *scratch) {
  const size_t width = grid->count[0], height = grid->count[1];
  perlane_grid wide = *grid;
  memset(wide.stride, 0, sizeof wide.stride);
  for (int a = 0; a < 2; a++) {
    if (grid->first[a] == INT64_MIN || grid->first[a] > INT64_MAX - (int64_t)grid->count[a])
      return PERLANE_ERROR_RANGE;
    wide.first[a]--;
    wide.count[a] += 2;
  }
  const perlane_status status = perlane_fill(noise, &wide, scratch);
  float *dx = scratch + (width + 2) * (height + 2), *dy = dx + width;
  for (size_t y = 0; status == PERLANE_OK && y < height; y++) {
    const float *above = scratch + y * (width + 2) + 1;
    const float *value = above + width + 2, *below = value + width + 2;
    for (size_t x = 0; x < width; x++) {
      dx[x] = (float)(((double)value[x + 1] - value[(ptrdiff_t)x - 1]) / (2 * grid->step[0]));
      dy[x] = (float)(((double)below[x] - above[x]) / (2 * grid->step[1]));
    }
    make_row(plan, width, value, dx, dy, samples + (ptrdiff_t)y * row_bytes);
  }
  return status;
}

/* Computes packed values and gradients in `scratch`, then rows of pixels from them. */
perlane_status perlane_picture_fill(const perlane_picture_plan *plan, const perlane_noise *noise,
                                    const perlane_grid *grid, float *scratch, void *pixels) {
  const size_t width = grid->count[0], count = samples_of(grid);
  const size_t pixel_bytes = 3 * (size_t)plan->bits / 8;
  unsigned char *samples = pixels;
  const ptrdiff_t stride = grid->stride[1] ? grid->stride[1] : (ptrdiff_t)width;
  const ptrdiff_t row_bytes = stride * (ptrdiff_t)pixel_bytes;
  if (plan->slopes == PERLANE_DIFFERENCES)
    return fill_by_differences(plan, noise, grid, pixels, row_bytes, scratch);
  const int has_gradient = plan->slopes == PERLANE_GRADIENT;
  perlane_grid packed = *grid;
  memset(packed.stride, 0, sizeof packed.stride);
  float *array[1 + PERLANE_MAX_DIMS];
  for (int i = 0; i <= PERLANE_MAX_DIMS; i++)
    array[i] = scratch + (has_gradient && i <= grid->dims ? (size_t)i * count : 0);
  const perlane_status status = has_gradient
                                    ? perlane_fill_gradient(noise, &packed, array[0], array + 1)
                                    : perlane_fill(noise, &packed, array[0]);
  for (size_t y = 0; status == PERLANE_OK && y < grid->count[1]; y++)
    make_row(plan, width, array[0] + y * width, array[1] + y * width, array[2] + y * width,
             samples + (ptrdiff_t)y * row_bytes);
  return status;
}
