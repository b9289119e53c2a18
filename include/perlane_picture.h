/* SPDX-License-Identifier: MIT
 *
 * perlane_picture.h: looks, which are fields with names, and pictures of fields: colours, light on
 * a surface, normal maps and masks.
 *
 *   static perlane_noise noise;
 *   static perlane_picture_plan plan;
 *   perlane_params params;
 *   perlane_picture picture;
 *   perlane_grid grid = perlane_grid_make(512, 512, 0, 0);
 *   perlane_look(&params, "alps", 512);
 *   perlane_picture_look(&picture, "alps", 512);
 *   perlane_init(&noise, &params);
 *   perlane_picture_prepare(&plan, &picture, &noise, &grid);
 *   perlane_picture_fill(&plan, &noise, &grid, scratch, pixels);
 *
 * Pixels have the same bits on every machine, whatever the tiling. Nothing is allocated: the plan,
 * scratch and pixels are the caller's. The functions are in the library, as those of perlane.h are.
 */
#ifndef PERLANE_PICTURE_H
#define PERLANE_PICTURE_H

#include "perlane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Palettes ------------------------------------------------------------------------------- */

/* The colours of a picture. Those with a coast are water below the value 0 and land from it on. */
typedef enum perlane_palette {
  PERLANE_PALETTE_GREY = 0, /* black to white; if shaded, from light grey to
                               white */
  PERLANE_PALETTE_TERRAIN,  /* water, lowland, forest, rock, snow, for values in perlane_range; has
                               a coast */
  PERLANE_PALETTE_CLOUDS,   /* blue sky, white clouds */
  PERLANE_PALETTE_LAND,     /* as terrain, for values up to `high`; with rock and a coast */
  PERLANE_PALETTE_MEADOW,   /* grass; with rock and a coast */
  PERLANE_PALETTE_DESERT,   /* red and yellow; with rock */
  PERLANE_PALETTE_STRATA,   /* coloured layers */
  PERLANE_PALETTE_SAND,
  PERLANE_PALETTE_EARTH,
  PERLANE_PALETTE_STONE,
  PERLANE_PALETTE_MARBLE,
  PERLANE_PALETTE_WOOD,
  PERLANE_PALETTE_PLANET,  /* oceans, land, ice; has a coast */
  PERLANE_PALETTE_VIRIDIS, /* Matplotlib's: as bright to the eye as the value is high */
  PERLANE_PALETTE_EMBERS,  /* black, red, yellow, white */
  PERLANE_PALETTE_COUNT
} perlane_palette;

/* Returns the name of a palette, such as "terrain"; NULL if there is none of this number. */
PERLANE_API const char *perlane_palette_name(int32_t palette);

#define PERLANE_COLOURS 4096 /* number of colours of a palette */

/* The colours of a palette as numbers, for shaders and textures. */
typedef struct perlane_colours {
  float colour[PERLANE_COLOURS][3]; /* red, green and blue from the lowest value on, linear, 0..1 */
  float rock[3];                    /* the colour of steep ground, for pictures with light */
  int32_t has_coast; /* 1 if colour PERLANE_COLOURS / 2, that of the value 0, is the first of land,
                        else 0 */
  double steep;      /* slope, height over distance, from which on ground is part rock */
  double steepest;   /* slope from which on it is only rock; 0: the palette has no rock */
} perlane_colours;

/* Sets *colours to those of a palette.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_PICTURE if there is no such palette, or
 * PERLANE_ERROR_LAYOUT. */
PERLANE_API perlane_status perlane_palette_make(perlane_colours *colours, int32_t palette);

/* ---- Pictures ------------------------------------------------------------------------------- */

/* What the pixels of a picture are. M is the largest integer, 255 or 65535. */
typedef enum perlane_picture_kind {
  PERLANE_PICTURE_COLOURS = 0,  /* red, green and blue in sRGB: the colours of a palette */
  PERLANE_PICTURE_SHADED,       /* the same, lit as a surface whose heights are the values */
  PERLANE_PICTURE_NORMALS,      /* normals of that surface in tangent space: red to the right, green
                                   up the picture as in OpenGL, blue out of it; -1 is 0, 1 is M */
  PERLANE_PICTURE_NORMALS_DOWN, /* the same with green down the picture, as in Direct3D */
  PERLANE_PICTURE_HEIGHT_MASK,  /* one channel, a mask of the values: 0 up to low, M from high on,
                                   and a smoothstep between them */
  PERLANE_PICTURE_SLOPE_MASK,   /* a mask of the slopes, with low and high in degrees */
  PERLANE_PICTURE_KIND_COUNT
} perlane_picture_kind;

/* Description of a picture. perlane_picture_init sets all members. */
typedef struct perlane_picture {
  int32_t kind;      /* perlane_picture_kind; default: PERLANE_PICTURE_COLOURS */
  int32_t palette;   /* perlane_palette of colours; default: PERLANE_PALETTE_GREY */
  int32_t bits;      /* of each channel: 8 for bytes, or for normals and masks 16 for uint16_t;
                        default: 8 */
  int32_t reserved0; /* 0 */
  double low, high;  /* values of the first and the last colour, rounded to float, or the ends of a
                        mask; low may be above high; default: -1 and 1 */
  double azimuth;    /* of the light, in degrees clockwise from the top of the picture, 0..360;
                        default: 315 */
  double altitude;   /* of the light, in degrees above the horizon, 0..90; default: 45 */
  double relief;     /* of light and normals: height of a value difference of 1, in pixels; NaN, the
                        default, makes the field's slopes 1 in 2 (root mean square), the same in all
                        tiles of a map */
  double spacing[2]; /* of a mask of slopes: distance between samples along x and y, in the unit of
                        the values; default: 1 */
  uint64_t reserved[4]; /* 0; for later versions */
} perlane_picture;

/* Sets *picture to the defaults.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL or PERLANE_ERROR_LAYOUT. */
PERLANE_API perlane_status perlane_picture_init(perlane_picture *picture);

/* Where the slopes of a picture come from. */
typedef enum perlane_slopes {
  PERLANE_SLOPES_NONE = 0,    /* it has none */
  PERLANE_SLOPES_GRADIENT,    /* the field's gradient */
  PERLANE_SLOPES_DIFFERENCES, /* neighbouring samples: the field has no gradient, or it jumps */
  PERLANE_SLOPES_COUNT
} perlane_slopes;

/* A picture, ready to be drawn, 78 KB. Any number of threads may use one plan. Only its first
 * members are part of the interface. */
typedef struct perlane_picture_plan {
  double relief;  /* as in perlane_picture, with a number for NaN; 0 without light and normals */
  int32_t slopes; /* perlane_slopes */
  int32_t kind;   /* perlane_picture_kind */
  /* Not part of the interface: */
  uint64_t ready;
  double low, high, spacing[2]; /* of masks */
  int32_t bits;
  int32_t is_grey;        /* whether pixels are the grey map's, 0 at `first` */
  float slope[2];         /* of the surface, per pixel, for a gradient of 1 */
  float below, above;     /* colours per unit of value, below `middle` and from there on */
  float middle;           /* the value where colour number PERLANE_COLOURS / 2 begins */
  float slope_below;      /* what slopes under water are multiplied by */
  float steep, more_rock; /* the squared slope where rock begins; rock per unit of it */
  float light[3];         /* towards the light, along the picture's x and y and out of it */
  float ambient, direct;  /* light without and with a surface that faces the light */
  float first, levels;    /* the value of black, levels of grey per unit of value */
  float reserved0;
  perlane_colours palette;
  uint8_t unlit[PERLANE_COLOURS][3]; /* the palette's colours as pixels */
  uint8_t encode[16384];             /* linear light to sRGB */
} perlane_picture_plan;

/* Makes the plan of a picture of a field, with the grid's steps from pixel to pixel along x and y.
 * The grid's first and count have no effect: all tiles of a map have one plan.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_LAYOUT if a reserved member is not 0 or the
 * program was compiled with the header of another version, or
 *   - PERLANE_ERROR_DIMS if the grid does not have 2 to 4 axes,
 *   - PERLANE_ERROR_PICTURE if kind, palette or bits are invalid,
 *   - PERLANE_ERROR_LEVELS if low and high are not finite, or equal or too close,
 *   - PERLANE_ERROR_LIGHT if azimuth or altitude are out of range,
 *   - PERLANE_ERROR_STEP if the spacing of a mask of slopes is 0 or not finite,
 *   - with light or normals: PERLANE_ERROR_NO_SLOPES if the field's gradient is 0, as that of white
 *     noise, PERLANE_ERROR_RELIEF if the relief is too high for the grid's steps, or the statuses
 *     of perlane_fill_gradient but PERLANE_ERROR_NO_GRADIENT.
 *
 * An error leaves a plan that the functions below refuse. */
PERLANE_API perlane_status perlane_picture_prepare(perlane_picture_plan *plan,
                                                   const perlane_picture *picture,
                                                   const perlane_noise *noise,
                                                   const perlane_grid *grid);

/* Returns how many floats `scratch` must have room for in the functions below: up to 5 for each
 * sample of the grid, or with slopes from differences one and a border. 0 if the grid does not have
 * 2 to 4 axes with counts of at least 1, and of 1 from the third axis on, if memory cannot have as
 * many, or if an argument is NULL. */
PERLANE_API size_t perlane_picture_scratch(const perlane_picture_plan *plan,
                                           const perlane_grid *grid);

/* Fills a grid with the pixels of a picture. A pixel is 3 channels, or 1 of masks, next to each
 * other, each a byte or with 16 bits a uint16_t; the grid's strides count pixels. Pixels of a row
 * are packed: the stride of x has no effect. The grid may be a tile of the map, or a piece that
 * perlane_grid_piece makes; its work has the effect that it has in fills. Slopes from differences
 * need samples one step beyond the grid. Samples that are not a number have the first colour, and a
 * mask of 0.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_PICTURE if the plan was not made by
 * perlane_picture_prepare, PERLANE_ERROR_DIMS if the grid does not have 2 to 4 axes,
 * PERLANE_ERROR_COUNT if a count is 0, or is not 1 from the third axis on, PERLANE_ERROR_STRIDE if
 * rows overlap, or the statuses of perlane_fill and perlane_fill_gradient. An error leaves the
 * pixels unchanged. */
PERLANE_API perlane_status perlane_picture_fill(const perlane_picture_plan *plan,
                                                const perlane_noise *noise,
                                                const perlane_grid *grid, float *scratch,
                                                void *pixels);

/* The two steps of perlane_picture_fill, to draw the same samples in other colours or another
 * light. perlane_picture_sample computes what pixels are made from, in `scratch`;
 * perlane_picture_draw draws them, with this plan or another that has the same `slopes`.
 *
 * They return the statuses of perlane_picture_fill. */
PERLANE_API perlane_status perlane_picture_sample(const perlane_picture_plan *plan,
                                                  const perlane_noise *noise,
                                                  const perlane_grid *grid, float *scratch);
PERLANE_API perlane_status perlane_picture_draw(const perlane_picture_plan *plan,
                                                const perlane_grid *grid, float *scratch,
                                                void *pixels);

/* ---- Looks ---------------------------------------------------------------------------------- */

/* A look: a field named by what it shows, and how a picture of it is drawn. */
typedef struct perlane_look_record {
  const char *name;      /* "cracked-earth" */
  const char *summary;   /* one sentence, with its full stop */
  const char *options;   /* the field of a map 1 unit wide, for perlane_params_parse */
  const void *reserved0; /* NULL */
  double relief;         /* height of a value difference of 1 as part of the width, as in nature;
                            0: no light */
  double azimuth;        /* of the light, as in perlane_picture */
  double altitude;       /* of the light */
  double width;          /* of the map in nature, in metres */
  double height;         /* of a value difference of 1 in nature, in metres; 0: no heights */
  int32_t palette;       /* perlane_palette */
  int32_t reserved1;     /* 0 */
} perlane_look_record;

/* Returns a look by its index, counted from 0, or by its name; NULL if there is none. */
PERLANE_API const perlane_look_record *perlane_look_at(int32_t index);
PERLANE_API const perlane_look_record *perlane_look_find(const char *name);

/* Sets *params to a look, for a map that is `width` units of position wide, usually its samples
 * along x, from 1 to 2^53, or one less for a map with samples at both borders, such as 513 of 512.
 * Maps of all widths look alike; the narrower they are, the fewer octaves they have. An island
 * fills a square map that begins at position 0.
 *
 * Names: "alps", "mountains", "hills", "island", "archipelago", "fjords", "canyon", "badlands",
 * "dunes", "cracked-earth", "clouds", "marble".
 * Looks may change between versions: to keep a map, keep its options, not the look's name.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_PRESET if no look has this name, or
 * PERLANE_ERROR_PARAMETER for another width. An error leaves *params unchanged. */
PERLANE_API perlane_status perlane_look(perlane_params *params, const char *name, double width);

/* Sets *picture to a look's colours and light, for a map with `width` pixels along x; low and high
 * are -1 and 1.
 *
 * Returns what perlane_look returns, or PERLANE_ERROR_LAYOUT. An error leaves *picture
 * unchanged. */
PERLANE_API perlane_status perlane_picture_look(perlane_picture *picture, const char *name,
                                                double width);

/* ---- The layout of structures --------------------------------------------------------------- */

/* Returns the sizes of structures as PERLANE_PICTURE_LAYOUT has those of this header, 16 bits each,
 * in units of 8 bytes: perlane_picture_plan, perlane_colours and perlane_picture. */
PERLANE_API uint64_t perlane_picture_layout(void);

#define PERLANE_PICTURE_LAYOUT                                                                     \
  (UINT64_C(0x100000000) * (sizeof(perlane_picture_plan) / 8) +                                    \
   UINT64_C(0x10000) * (sizeof(perlane_colours) / 8) + sizeof(perlane_picture) / 8)

#define PERLANE_PICTURE_CHECKED(...)                                                               \
  (perlane_picture_layout() == PERLANE_PICTURE_LAYOUT ? (__VA_ARGS__) : PERLANE_ERROR_LAYOUT)
#define perlane_palette_make(...) PERLANE_PICTURE_CHECKED(perlane_palette_make(__VA_ARGS__))
#define perlane_picture_init(...) PERLANE_PICTURE_CHECKED(perlane_picture_init(__VA_ARGS__))
#define perlane_picture_look(...) PERLANE_PICTURE_CHECKED(perlane_picture_look(__VA_ARGS__))
#define perlane_picture_prepare(...) PERLANE_PICTURE_CHECKED(perlane_picture_prepare(__VA_ARGS__))

#ifdef __cplusplus
}
#endif

#endif
