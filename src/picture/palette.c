/* SPDX-License-Identifier: MIT
 *
 * Palettes are a few stops each. Between stops colours are mixed in linear light, as light itself
 * mixes: half a cloud before the sky, or half snow on rock, then has the brightness that the eye
 * expects, where a mean of sRGB's own numbers would be too dark.
 */
#include "../strict.h"

#include <stddef.h>

#include "palette.h"

/* ---- sRGB ---- */

/* Returns x to the power of 2.4 for x of at least 0.09, by Newton's method for the fifth root of
 * its square: pow is not the same on every machine. */
static double power(double x) {
  const double square = x * x;
  double root = 1;
  for (int i = 0; i < 12; i++)
    root = 0.2 * (4 * root + square / (root * root * root * root));
  return square * root;
}

static double linear_of(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : power((srgb + 0.055) / 1.055);
}

void perlane_palette_encode(uint8_t *table, size_t count) {
  unsigned level = 0;
  double end = linear_of(0.5 / 255); /* of what is nearest to this level */
  for (size_t i = 0; i < count; i++) {
    while (level < 255 && ((double)i + 0.5) / (double)count >= end)
      end = linear_of((++level + 0.5) / 255);
    table[i] = (uint8_t)level;
  }
}

/* ---- Palettes ---- */

/* Where, from -1 for the lowest value to 1 for the highest, and which colour, in sRGB. */
struct stop {
  double at;
  uint8_t srgb[3];
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
    {0.00, {196, 188, 132}}, {0.03, {150, 164, 94}},  {0.30, {118, 146, 78}},
    {0.60, {98, 128, 68}},   {1.00, {156, 152, 104}},
};
static const struct stop DESERT[] = {
    {-1.00, {182, 112, 72}}, {-0.50, {204, 140, 94}}, {-0.10, {214, 152, 102}},
    {0.30, {196, 112, 70}},  {0.60, {214, 150, 102}}, {1.00, {240, 208, 162}},
};
static const struct stop STRATA[] = {
    {-1.00, {118, 92, 74}},   {-0.70, {170, 142, 112}}, {-0.48, {206, 186, 152}},
    {-0.42, {166, 98, 72}},   {-0.26, {178, 112, 82}},  {-0.20, {222, 202, 170}},
    {-0.06, {208, 178, 142}}, {0.00, {158, 84, 62}},    {0.16, {176, 104, 76}},
    {0.22, {226, 208, 178}},  {0.36, {196, 160, 124}},  {0.42, {150, 82, 64}},
    {0.62, {184, 122, 90}},   {0.70, {220, 198, 164}},  {1.00, {232, 216, 186}},
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

/* Matplotlib's viridis: as bright to the eye as the value is high. */
static const struct stop VIRIDIS[] = {
    {-1.00, {68, 1, 84}},    {-0.75, {71, 44, 122}}, {-0.50, {59, 81, 139}},
    {-0.25, {44, 113, 142}}, {0.00, {33, 144, 141}}, {0.25, {39, 173, 129}},
    {0.50, {92, 200, 99}},   {0.75, {170, 220, 50}}, {1.00, {253, 231, 37}},
};
static const struct stop EMBERS[] = {
    {-1.00, {8, 6, 20}},    {-0.50, {48, 12, 58}},  {-0.15, {122, 28, 62}},  {0.10, {196, 62, 38}},
    {0.35, {240, 128, 32}}, {0.65, {252, 204, 96}}, {1.00, {255, 250, 222}},
};

/* ---- The list ---- */

static const struct record {
  const char *name;
  const struct stop *stop; /* NULL for greys */
  size_t stops;
  int has_coast;
  uint8_t rock[3];        /* of steep ground, where the palette is shaded */
  double steep, steepest; /* slopes from which there is some rock, and only rock; 0 for none */
} PALETTES[PERLANE_PALETTE_COUNT] = {
#define PALETTE(ID, name, ...)                                                                     \
  [PERLANE_PALETTE_##ID] = {name, ID, sizeof(ID) / sizeof(ID)[0], __VA_ARGS__}
    [PERLANE_PALETTE_GREY] = {.name = "grey"},
    PALETTE(TERRAIN, "terrain", .has_coast = 1),
    PALETTE(CLOUDS, "clouds", .has_coast = 0),
    PALETTE(LAND, "land", 1, {116, 106, 94}, 0.55, 1.3),
    PALETTE(MEADOW, "meadow", 1, {138, 124, 98}, 0.6, 1.4),
    PALETTE(DESERT, "desert", 0, {136, 66, 44}, 0.5, 1.6),
    PALETTE(STRATA, "strata", .has_coast = 0),
    PALETTE(SAND, "sand", .has_coast = 0),
    PALETTE(EARTH, "earth", .has_coast = 0),
    PALETTE(STONE, "stone", .has_coast = 0),
    PALETTE(MARBLE, "marble", .has_coast = 0),
    PALETTE(WOOD, "wood", .has_coast = 0),
    PALETTE(PLANET, "planet", .has_coast = 1),
    PALETTE(VIRIDIS, "viridis", .has_coast = 0),
    PALETTE(EMBERS, "embers", .has_coast = 0),
#undef PALETTE
};

const char *perlane_palette_name(int32_t palette) {
  return palette >= 0 && palette < PERLANE_PALETTE_COUNT ? PALETTES[palette].name : NULL;
}

/* Sets `light` to the colour at a place between stops; linear[i] is the linear light of level i. */
static void mix(const struct stop *stop, size_t count, const double *linear, double at,
                float light[3]) {
  size_t above = 0;
  while (above < count && stop[above].at <= at)
    above++;
  const size_t below = above > 0 ? above - 1 : 0;
  if (above == count)
    above = count - 1;
  const double between = stop[above].at - stop[below].at;
  const double share = between > 0 ? (at - stop[below].at) / between : 0;
  for (int c = 0; c < 3; c++) {
    const double low = linear[stop[below].srgb[c]], high = linear[stop[above].srgb[c]];
    light[c] = (float)(low + share * (high - low));
  }
}

PERLANE_NOINLINE void perlane_palette_mix(perlane_colours *colours, int32_t palette) {
  const struct record *from = &PALETTES[palette];
  double linear[256];
  for (int level = 0; level < 256; level++)
    linear[level] = linear_of(level / 255.0);
  for (int i = 0; i < PERLANE_COLOURS; i++) {
    const double at = (2.0 * i + 1) / PERLANE_COLOURS - 1;
    float *light = colours->colour[i];
    /* Greys are only for shading, of which a dark surface would show little; evenly spaced to the
     * eye, as the map without colours is. */
    if (from->stop)
      mix(from->stop, from->stops, linear, at, light);
    else
      light[0] = light[1] = light[2] = (float)linear_of(0.25 * at + 0.7);
  }
  for (int c = 0; c < 3; c++)
    colours->rock[c] = (float)linear[from->rock[c]];
  colours->has_coast = from->has_coast;
  colours->steep = from->steep;
  colours->steepest = from->steepest;
}

perlane_status(perlane_palette_make)(perlane_colours *colours, int32_t palette) {
  if (!colours)
    return PERLANE_ERROR_NULL;
  if (!perlane_palette_name(palette))
    return PERLANE_ERROR_PICTURE;
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_palette_mix(colours, palette);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}
