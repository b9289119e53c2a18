/* SPDX-License-Identifier: MIT
 *
 * From values and gradients to pixels. All that is not a plain float operation is in tables that
 * are made once: pixels are then the same on every machine.
 *
 * Palettes are a few stops each. Between stops colours are mixed in linear light, as light itself
 * mixes: half a cloud before the sky, or half snow on rock, then has the brightness that the eye
 * expects, where a mean of sRGB's own numbers would be too dark.
 */
#include "map/picture.h"

#include <math.h>
#include <string.h>

/* ---- Palettes ---- */

/* Where, from -1 for the lowest value to 1 for the highest, and which colour, in sRGB. */
struct stop {
  double at;
  unsigned char srgb[3];
};

/* Most values of a sum of octaves lie within a third of their bounds, so most of the colours do.
 * The water ends and the land begins at 0, without a blend. */
static const struct stop TERRAIN[] = {
    {-0.60, {10, 34, 80}},    {-0.25, {20, 66, 124}},                            /* deep water */
    {-0.08, {42, 109, 163}},  {-0.015, {84, 158, 188}}, {0.00, {128, 192, 198}}, /* shallows */
    {0.00, {221, 208, 166}},                                                     /* the shore */
    {0.014, {206, 195, 145}}, {0.032, {143, 166, 88}},                           /* lowland */
    {0.11, {97, 138, 64}},    {0.20, {50, 99, 51}},                              /* forest */
    {0.27, {76, 93, 58}},     {0.33, {121, 107, 87}},                            /* rock */
    {0.42, {141, 132, 123}},  {0.47, {222, 226, 231}},                           /* snow */
    {0.65, {250, 252, 255}},
};

/* For --range actual: the highest value is the highest peak. */
static const struct stop LAND[] = {
    {-1.00, {9, 30, 72}},     {-0.40, {20, 66, 124}},                           /* deep water */
    {-0.12, {42, 109, 163}},  {-0.02, {84, 158, 188}}, {0.00, {128, 192, 198}}, /* shallows */
    {0.00, {221, 208, 166}},                                                    /* the shore */
    {0.015, {206, 195, 145}}, {0.04, {134, 158, 84}},                           /* lowland */
    {0.20, {92, 132, 62}},    {0.42, {58, 104, 54}},                            /* forest */
    {0.56, {98, 108, 70}},    {0.66, {128, 120, 104}},                          /* rock */
    {0.76, {160, 156, 150}},  {0.82, {224, 228, 233}},                          /* snow */
    {1.00, {252, 253, 255}},
};
static const struct stop MEADOW[] = {
    {-1.00, {28, 78, 126}},  {-0.20, {62, 130, 170}}, {0.00, {120, 178, 190}}, /* water */
    {0.00, {196, 188, 132}}, {0.03, {142, 164, 86}},  {0.30, {104, 146, 66}},
    {0.60, {82, 126, 56}},   {1.00, {132, 142, 80}},
};
static const struct stop DESERT[] = {
    {-1.00, {112, 58, 40}}, {-0.50, {168, 92, 58}},  {-0.10, {206, 140, 92}},
    {0.30, {196, 112, 70}}, {0.60, {214, 150, 102}}, {1.00, {240, 208, 162}},
};
static const struct stop SAND[] = {
    {-1.00, {172, 120, 72}}, {0.00, {216, 168, 110}}, {1.00, {246, 218, 168}}};
static const struct stop EARTH[] = {
    {-1.00, {34, 23, 17}},   {-0.60, {78, 54, 40}},   {0.10, {140, 104, 76}},
    {0.60, {178, 140, 104}}, {1.00, {204, 170, 132}},
};
static const struct stop STONE[] = {
    {-1.00, {42, 40, 38}},   {-0.50, {84, 80, 75}},   {0.20, {132, 128, 122}},
    {0.70, {164, 160, 153}}, {1.00, {192, 188, 181}},
};
static const struct stop MARBLE[] = {
    {-1.00, {58, 62, 74}},    {-0.85, {120, 125, 136}}, {-0.60, {190, 193, 199}},
    {-0.10, {228, 228, 230}}, {1.00, {250, 249, 246}},
};
static const struct stop WOOD[] = {
    {-1.00, {88, 50, 26}}, {-0.30, {136, 84, 46}}, {0.50, {182, 124, 74}}, {1.00, {212, 162, 108}}};
static const struct stop PLANET[] = {
    {-1.00, {6, 20, 58}},    {-0.35, {14, 50, 108}},  {-0.06, {30, 90, 150}},
    {0.00, {74, 146, 180}},  {0.00, {170, 166, 116}}, {0.05, {104, 138, 72}},
    {0.25, {84, 120, 58}},   {0.45, {150, 134, 88}},  {0.65, {142, 122, 100}},
    {0.82, {226, 226, 226}}, {1.00, {252, 253, 255}},
};

/* Blue all over below, then thicker and thicker: what shines through is 1 - exp(-thickness). */
static const struct stop CLOUDS[] = {
    {-0.80, {44, 100, 174}}, {-0.05, {72, 134, 202}}, {0.04, {118, 167, 219}},
    {0.13, {176, 203, 233}}, {0.23, {217, 229, 242}}, {0.36, {240, 244, 248}},
    {0.60, {252, 253, 254}},
};

/* ---- sRGB ---- */

static double linear_of(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
}

/* table[i] becomes the sRGB value, 0..255, of the linear light (i + 0.5) / count. */
static void make_srgb(unsigned char *table, size_t count) {
  unsigned level = 0;
  double end = linear_of(0.5 / 255); /* of what is nearest to this level */
  for (size_t i = 0; i < count; i++) {
    while (level < 255 && ((double)i + 0.5) / (double)count >= end)
      end = linear_of((++level + 0.5) / 255);
    table[i] = (unsigned char)level;
  }
}

static const struct palette {
  const char *name;
  const struct stop *stop; /* NULL for greys */
  size_t stops;
  int has_coast;
  unsigned char rock[3];  /* of steep ground, where the palette is shaded */
  double steep, steepest; /* slopes from which there is some rock, and only rock; 0 for none */
} PALETTES[] = {
#define STOPS(stops) stops, sizeof(stops) / sizeof(stops)[0]
    [CLI_PALETTE_GREY] = {.name = "grey"},
    {"terrain", STOPS(TERRAIN), .has_coast = 1},
    {"clouds", STOPS(CLOUDS), .has_coast = 0},
    {"land", STOPS(LAND), 1, {116, 106, 94}, 0.55, 1.3},
    {"meadow", STOPS(MEADOW), 1, {138, 124, 98}, 0.6, 1.4},
    {"desert", STOPS(DESERT), 0, {136, 66, 44}, 0.5, 1.6},
    {"sand", STOPS(SAND), .has_coast = 0},
    {"earth", STOPS(EARTH), .has_coast = 0},
    {"stone", STOPS(STONE), .has_coast = 0},
    {"marble", STOPS(MARBLE), .has_coast = 0},
    {"wood", STOPS(WOOD), .has_coast = 0},
    {"planet", STOPS(PLANET), .has_coast = 1},
#undef STOPS
};

const char *cli_palette_name(int palette) {
  return palette < (int)(sizeof PALETTES / sizeof PALETTES[0]) ? PALETTES[palette].name : NULL;
}

static void mix(const struct stop *stop, size_t count, double at, float light[3]) {
  size_t above = 0;
  while (above < count && stop[above].at <= at)
    above++;
  const size_t below = above > 0 ? above - 1 : 0;
  if (above == count)
    above = count - 1;
  const double between = stop[above].at - stop[below].at;
  const double share = between > 0 ? (at - stop[below].at) / between : 0;
  for (int c = 0; c < 3; c++) {
    const double low = linear_of(stop[below].srgb[c] / 255.0);
    const double high = linear_of(stop[above].srgb[c] / 255.0);
    light[c] = (float)(low + share * (high - low));
  }
}

/* Makes the colours from the lowest value to the highest. Returns 1 if the palette has a coast: the
 * first colour that is land is then number CLI_COLOURS / 2. */
static int make_palette(int palette, float (*colour)[3]) {
  const struct palette *from = &PALETTES[palette];
  for (int i = 0; i < CLI_COLOURS; i++) {
    const double at = (2.0 * i + 1) / CLI_COLOURS - 1;
    float *light = colour[i];
    /* Greys are only for shading, of which a dark surface would show little; evenly spaced to the
     * eye, as the map without colours is. */
    if (from->stop)
      mix(from->stop, from->stops, at, light);
    else
      light[0] = light[1] = light[2] = (float)linear_of(0.25 * at + 0.7);
  }
  return from->has_coast;
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

static int plan_slopes(struct cli_picture_plan *plan, const struct cli_picture *picture,
                       const perlane_noise *noise, const perlane_grid *grid) {
  const double automatic_slope = 0.5;
  const double max_pixels = 1e30; /* heights beyond make every slope a cliff */
  const int is_map = picture->normal_map;
  const struct cli_numbers height = is_map ? picture->normal_strength : picture->relief;
  const char *option = is_map ? "normal-map" : "shade";
  const perlane_basis basis = (perlane_basis)noise->params.basis;
  double slope;
  plan->slopes = basis == PERLANE_BASIS_CELLULAR || /* whose gradient jumps at every border */
                         perlane_points_gradient(noise, grid->dims, 0, NULL, NULL, NULL, NULL) ==
                             PERLANE_ERROR_NO_GRADIENT
                     ? CLI_DIFFERENCES
                     : CLI_GRADIENT;
  const perlane_status status = measure_slope(noise, grid, plan->slopes == CLI_GRADIENT, &slope);
  if (status != PERLANE_OK)
    return cli_refuse("--%s: %s", option, perlane_status_string(status));
  if (slope == 0 && (basis == PERLANE_BASIS_WHITE || basis == PERLANE_BASIS_GAUSSIAN))
    return cli_refuse("--%s: white noise has one value all over each cell, and so no slopes; "
                      "--basis value has",
                      option);
  if (slope == 0)
    return cli_refuse("--%s: this field has no slopes: its gradient is 0", option);
  const double pixels = height.count == 0 ? automatic_slope / slope : height.at[0].real;
  for (int a = 0; a < 2; a++) {
    if (!(fabs(pixels) <= max_pixels) || !(fabs(pixels * grid->step[a]) <= max_pixels))
      return cli_refuse("--%s %g: too high for steps of %g from pixel to pixel",
                        is_map ? "normal-strength" : "relief", pixels, grid->step[a]);
    plan->slope[a] = (float)(pixels * grid->step[a]);
  }
  return 0;
}

/* Some of the light comes from all over the sky. What is flat has the palette's own brightness,
 * unless the light is low. */
static void plan_light(struct cli_picture_plan *plan, const struct cli_numbers *light) {
  const double degree = 3.14159265358979323846 / 180, ambient = 0.3;
  const double azimuth = light->at[0].real * degree, altitude = light->at[1].real * degree;
  plan->light[0] = (float)(sin(azimuth) * cos(altitude));
  plan->light[1] = (float)(-cos(azimuth) * cos(altitude));
  plan->light[2] = (float)sin(altitude);
  plan->ambient = (float)ambient;
  plan->direct = (float)((1 - ambient) / fmax(sin(altitude), 0.5));
}

static void plan_rock(struct cli_picture_plan *plan, const struct palette *palette) {
  const double steep = palette->steep * palette->steep;
  const double steepest = palette->steepest * palette->steepest;
  plan->steep = (float)steep;
  plan->more_rock = steepest > 0 ? (float)(1 / (steepest - steep)) : 0;
  for (int c = 0; c < 3; c++)
    plan->rock[c] = (float)linear_of(palette->rock[c] / 255.0);
}

static int plan_colours(struct cli_picture_plan *plan, int palette, float low, float high) {
  const double half = CLI_COLOURS / 2;
  plan_rock(plan, &PALETTES[palette]);
  const int coast = make_palette(palette, plan->colour);
  const double middle = coast ? 0 : 0.5 * ((double)low + (double)high);
  const double bottom = coast ? fmin((double)low, (double)high) : (double)low;
  const double top = coast ? fmax((double)low, (double)high) : (double)high;
  plan->middle = (float)middle;
  /* Where the range has no water, or no land, all that lies beyond it is the shore's. */
  plan->below = coast && bottom >= 0 ? 0 : (float)(half / (middle - bottom));
  plan->above = coast && top <= 0 ? 0 : (float)(half / (top - middle));
  plan->slope_below = coast ? 0.35F : 1;
  make_srgb(plan->encode, sizeof plan->encode);
  return isfinite(plan->below) && isfinite(plan->above);
}

int cli_picture_prepare(struct cli_picture_plan *plan, const struct cli_picture *picture,
                        const perlane_noise *noise, const perlane_grid *grid, float low, float high,
                        int bits) {
  memset(plan, 0, sizeof *plan);
  plan->normal_map = picture->normal_map;
  plan->shade = picture->shade;
  plan->bits = bits;
  const int status = plan->normal_map || plan->shade ? plan_slopes(plan, picture, noise, grid) : 0;
  if (status != 0)
    return status;
  if (picture->normal_map) {
    if (!picture->normal_down)
      plan->slope[1] = -plan->slope[1]; /* the picture's y points down */
    return 0;
  }
  plan_light(plan, &picture->light);
  if (!plan_colours(plan, picture->palette, low, high))
    return cli_refuse("--range: %s", perlane_status_string(PERLANE_ERROR_LEVELS));
  return 0;
}

/* ---- Rows ---- */

/* Returns the sRGB value of a linear light. */
static unsigned char encode(const struct cli_picture_plan *plan, float light) {
  const float last = sizeof plan->encode - 1;
  const float place = light * (float)sizeof plan->encode;
  return plan->encode[(int)(place < last ? place : last)];
}

/* Keeps squares of slopes, and what is divided by their root, finite. */
static float clamp(float value, float most) {
  return value < -most ? -most : value > most ? most : value;
}

static const float STEEPEST = 1e6F;

/* A palette with a range from high to low has negative factors, with which values beyond the middle
 * change sides. */
static int colour_of(const struct cli_picture_plan *plan, float value) {
  const float half = CLI_COLOURS / 2;
  const float away = value - plan->middle;
  const float place = away * (away < 0 ? plan->below : plan->above);
  const float shifted = clamp(place, half) + half;
  /* What is below the coast by less than a rounding is still water. */
  const int most = away < 0 && plan->below > 0 ? CLI_COLOURS / 2 - 1 : CLI_COLOURS - 1;
  const int colour = (int)shifted;
  return colour < most ? colour : most;
}

/* The light that falls on each pixel's surface, whose normal is (-x, -y, 1) over its length, and
 * the share of it that is rock. */
static void make_light(const struct cli_picture_plan *plan, size_t n, const float *value,
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

static void make_colours(const struct cli_picture_plan *plan, size_t n, const float *value,
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
      const float *colour = plan->colour[colour_of(plan, value[begin + i])];
      for (int c = 0; c < 3; c++)
        rgb[3 * (begin + i) + (size_t)c] =
            encode(plan, (colour[c] + rock[i] * (plan->rock[c] - colour[c])) * light[i]);
    }
  }
}

/* From a component in -1..1 to 0..most, rounded to nearest. */
static float level_of(float component, float half) {
  return component * half + half + 0.5F;
}

static void make_normals(const struct cli_picture_plan *plan, size_t n, const float *dx,
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

void cli_picture_row(const struct cli_picture_plan *plan, size_t n, const float *value,
                     const float *dx, const float *dy, void *rgb) {
  if (plan->normal_map)
    make_normals(plan, n, dx, dy, rgb);
  else
    make_colours(plan, n, value, dx, dy, rgb);
}
