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
  const perlane_list empty = {.dims = grid->dims};
  float *const none[PERLANE_MAX_DIMS] = {NULL};
  double slope;
  plan->slopes = basis == PERLANE_BASIS_CELLULAR || /* whose gradient jumps at every border */
                         perlane_points(noise, &empty, NULL, none) == PERLANE_ERROR_NO_GRADIENT
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
  plan->height = pixels;
  *part = PERLANE_PICTURE_HEIGHT;
  for (int a = 0; a < 2; a++) {
    if (!(fabs(pixels) <= max_pixels) || !(fabs(pixels * grid->step[a]) <= max_pixels))
      return "too high for this step from pixel to pixel";
    plan->slope[a] = (float)(pixels * grid->step[a]);
  }
  return NULL;
}

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
static unsigned char encode(const struct perlane_palette *palette, float light) {
  const float codes = sizeof palette->encode;
  return palette->encode[(int)(light * codes < codes - 1 ? light * codes : codes - 1)];
}

static int plan_colours(perlane_picture_plan *plan, const perlane_picture *picture) {
  const struct perlane_palette *palette = &plan->palette;
  const double half = PERLANE_COLOURS / 2, low = (double)picture->low, high = (double)picture->high;
  perlane_palette_make(picture->palette, &plan->palette);
  for (int i = 0; i < PERLANE_COLOURS; i++)
    for (int c = 0; c < 3; c++)
      plan->unlit[i][c] = encode(palette, palette->colour[i][c]);
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
  plan->grey = picture->palette == PERLANE_PALETTE_GREY && !picture->shade;
  plan->low = picture->low;
  plan->levels = (float)(255 / (high - low));
  return isfinite(plan->below) && isfinite(plan->above) && isfinite(plan->levels);
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

/* Keeps squares of slopes, and what is divided by their root, finite. */
static float clamp(float value, float most) {
  return value < -most ? -most : value > most ? most : value;
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
    const float cosine = towards / sqrtf(1 + x * x + y * y);
    const float share = (x * x + y * y - plan->steep) * plan->more_rock;
    rock[i] = !(share > 0) || weaker < 1 ? 0 : share < 1 ? share : 1;
    light[i] = plan->ambient + plan->direct * (cosine > 0 ? cosine : 0);
  }
}

static void make_colours(const perlane_picture_plan *plan, size_t n, const float *value,
                         const float *dx, const float *dy, unsigned char *rgb) {
  const struct perlane_palette *palette = &plan->palette;
  const float codes = sizeof palette->encode;
  int32_t colour[AT_ONCE], code[3 * AT_ONCE];
  float light[AT_ONCE], rock[AT_ONCE], lit[3 * AT_ONCE];
  find_colours(plan, n, value, colour);
  if (!plan->shade) {
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
    rgb[i] = palette->encode[code[i]];
}

/* Makes the pixels of perlane_fill_u8. */
static void make_greys(const perlane_picture_plan *plan, size_t n, const float *value,
                       unsigned char *rgb) {
  const float to_even = 8388608; /* from which on floats are whole */
  for (size_t i = 0; i < n; i++) {
    const float place = (value[i] - plan->low) * plan->levels;
    const float level = place > 0 ? (place < 255 ? place : 255) : 0;
    for (size_t c = 0; c < 3; c++)
      rgb[3 * i + c] = (unsigned char)((level + to_even) - to_even);
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
                     const float *dx, const float *dy, unsigned char *rgb) {
  for (size_t i = 0; i < n; i += AT_ONCE) {
    const size_t count = n - i < AT_ONCE ? n - i : AT_ONCE;
    unsigned char *to = rgb + 3 * i * (size_t)plan->bits / 8;
    if (plan->normal_map)
      make_normals(plan, count, dx + i, dy + i, to);
    else if (plan->grey)
      make_greys(plan, count, value + i, to);
    else
      make_colours(plan, count, value + i, dx + i, dy + i, to);
  }
}

/* ---- Grids ---- */

static size_t samples_of(const perlane_grid *grid) {
  size_t samples = 1;
  for (int a = 0; a < grid->dims; a++)
    samples *= (size_t)grid->count[a];
  return samples;
}

size_t perlane_picture_scratch(const perlane_picture_plan *plan, const perlane_grid *grid) {
  const size_t width = (size_t)grid->count[0], count = samples_of(grid);
  if (plan->slopes == PERLANE_DIFFERENCES) /* samples with a border, two rows of slopes */
    return (width + 2) * (count / width + 2) + 2 * width;
  return count * (plan->slopes == PERLANE_GRADIENT ? 1 + (size_t)grid->dims : 1);
}

perlane_status perlane_picture_sample(const perlane_picture_plan *plan, const perlane_noise *noise,
                                      const perlane_grid *grid, float *scratch) {
  perlane_grid packed = *grid;
  memset(packed.stride, 0, sizeof packed.stride);
  if (plan->slopes == PERLANE_GRADIENT) {
    float *gradient[PERLANE_MAX_DIMS];
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      gradient[a] = scratch + (size_t)(a < grid->dims ? a + 1 : 0) * samples_of(grid);
    return perlane_fill_gradient(noise, &packed, scratch, gradient);
  }
  for (int a = 0; a < 2 && plan->slopes == PERLANE_DIFFERENCES; a++) {
    if (grid->first[a] == INT64_MIN || grid->first[a] > INT64_MAX - (int64_t)grid->count[a])
      return PERLANE_ERROR_RANGE;
    packed.first[a]--;
    packed.count[a] += 2;
  }
  return perlane_fill(noise, &packed, scratch);
}

/* Draws each row of pixels. Differences are those of three rows of samples: tiles have the slopes
 * that the whole map has there. */
void perlane_picture_draw(const perlane_picture_plan *plan, const perlane_grid *grid,
                          float *scratch, void *pixels) {
  const size_t width = (size_t)grid->count[0], height = (size_t)grid->count[1];
  const ptrdiff_t stride = grid->stride[1] ? (ptrdiff_t)grid->stride[1] : (ptrdiff_t)width;
  const ptrdiff_t row_bytes = stride * 3 * plan->bits / 8;
  const int differs = plan->slopes == PERLANE_DIFFERENCES;
  const size_t row = width + (differs ? 2 : 0);
  float *dx = scratch, *dy = scratch; /* not used without slopes */
  if (differs) {
    dx = scratch + row * (height + 2);
    dy = dx + width;
  }
  for (size_t y = 0; y < height; y++) {
    const float *value = scratch + y * row;
    if (plan->slopes == PERLANE_GRADIENT) {
      dx = scratch + samples_of(grid) + y * width;
      dy = dx + samples_of(grid);
    }
    if (differs) {
      const float *above = value + 1, *below = above + 2 * row;
      value = above + row;
      for (size_t x = 0; x < width; x++) {
        dx[x] = (float)(((double)value[x + 1] - value[(ptrdiff_t)x - 1]) / (2 * grid->step[0]));
        dy[x] = (float)(((double)below[x] - above[x]) / (2 * grid->step[1]));
      }
    }
    make_row(plan, width, value, dx, dy, (unsigned char *)pixels + (ptrdiff_t)y * row_bytes);
  }
}

perlane_status perlane_picture_fill(const perlane_picture_plan *plan, const perlane_noise *noise,
                                    const perlane_grid *grid, float *scratch, void *pixels) {
  const perlane_status status = perlane_picture_sample(plan, noise, grid, scratch);
  if (status == PERLANE_OK)
    perlane_picture_draw(plan, grid, scratch, pixels);
  return status;
}
