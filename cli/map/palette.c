/* SPDX-License-Identifier: MIT
 *
 * Palettes are a few stops each. Between stops colours are mixed in linear light, as light itself
 * mixes: half a cloud before the sky, or half snow on rock, then has the brightness that the eye
 * expects, where a mean of sRGB's own numbers would be too dark.
 */
#include "map/picture.h"

#include <math.h>

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

void cli_srgb_table(unsigned char *table, size_t count) {
  unsigned level = 0;
  double end = linear_of(0.5 / 255); /* of what is nearest to this level */
  for (size_t i = 0; i < count; i++) {
    while (level < 255 && ((double)i + 0.5) / (double)count >= end)
      end = linear_of((++level + 0.5) / 255);
    table[i] = (unsigned char)level;
  }
}

/* ---- Palettes ---- */

static const struct palette {
  const char *name;
  const struct stop *stop; /* NULL for greys */
  size_t stops;
  int has_coast;
} PALETTES[] = {
    [CLI_PALETTE_GREY] = {.name = "grey"},
    {"terrain", TERRAIN, sizeof TERRAIN / sizeof TERRAIN[0], .has_coast = 1},
    {"clouds", CLOUDS, sizeof CLOUDS / sizeof CLOUDS[0], .has_coast = 0},
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

int cli_palette_colours(int palette, struct cli_colour colour[CLI_COLOURS]) {
  const struct palette *from = &PALETTES[palette];
  for (int i = 0; i < CLI_COLOURS; i++) {
    const double at = (2.0 * i + 1) / CLI_COLOURS - 1;
    float *light = colour[i].light;
    /* Greys are only for shading, of which a dark surface would show little; evenly spaced to the
     * eye, as the map without colours is. */
    if (from->stop)
      mix(from->stop, from->stops, at, light);
    else
      light[0] = light[1] = light[2] = (float)linear_of(0.25 * at + 0.7);
  }
  return from->has_coast;
}
