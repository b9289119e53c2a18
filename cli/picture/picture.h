/* SPDX-License-Identifier: MIT
 *
 * Pictures of a field: palettes, shading by the gradient, and normal maps. The command, the Python
 * package and the WebAssembly module compile this folder; it is no part of the library. Only plain
 * operations and square roots make pixels, so all of them draw the same picture.
 */
#ifndef PERLANE_PICTURE_H
#define PERLANE_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "palette.h"
#include "perlane.h"

typedef struct perlane_picture {
  int32_t palette;          /* an index */
  int32_t shade;            /* whether colours are lit as a surface */
  int32_t normal_map;       /* normals instead of colours */
  int32_t normal_down;      /* green grows down the picture instead of up */
  int32_t bits;             /* of red, green and blue: 8, or 16 for a normal map */
  float low, high;          /* the values of the first and the last colour */
  double azimuth, altitude; /* of the light, in degrees: 0..360, 0..90 */
  double height; /* of a value difference of 1, in pixels; NaN: one that suits the field */
} perlane_picture;

/* A prepared picture: factors and a palette, about 80 KiB. */
typedef struct perlane_picture_plan {
  /* Source of slopes: the gradient, or neighbouring samples if there is none or it jumps. */
  enum { PERLANE_NO_SLOPES, PERLANE_GRADIENT, PERLANE_DIFFERENCES } slopes;
  int normal_map, shade, bits;
  double height;          /* of a value difference of 1, in pixels; 0 without slopes */
  float slope[2];         /* of the surface, per pixel, for a gradient of 1 */
  float below, above;     /* colours per unit of value, below `middle` and from there on */
  float middle;           /* the value where colour number PERLANE_COLOURS / 2 begins */
  float slope_below;      /* what slopes under water are multiplied by */
  float steep, more_rock; /* the squared slope where rock begins; rock per unit of it */
  float light[3];         /* towards the light, along the picture's x and y and out of it */
  float ambient, direct;  /* light without and with a surface that faces the light */
  int grey;               /* whether pixels are the grey map's, 0 at `low` */
  float low, levels;      /* levels of grey per unit of value */
  struct perlane_palette palette;
  unsigned char unlit[PERLANE_COLOURS][3]; /* the palette's colours as pixels */
} perlane_picture_plan;

PERLANE_API size_t perlane_picture_plan_size(void);

/* Parts of a picture that can be wrong. */
enum { PERLANE_PICTURE_SLOPES, PERLANE_PICTURE_HEIGHT, PERLANE_PICTURE_LEVELS };

/* Makes the plan for the pixels of a field whose picture lies along the x and y of a grid, with
 * steps from one pixel to the next that are the grid's; its counts do not matter. Refuses to shade
 * a field without slopes. Returns NULL, or what is wrong, with *part. */
PERLANE_API const char *perlane_picture_prepare(perlane_picture_plan *plan,
                                                const perlane_picture *picture,
                                                const perlane_noise *noise,
                                                const perlane_grid *grid, int *part);

/* Returns how many floats perlane_picture_fill and perlane_picture_sample need for a grid. */
PERLANE_API size_t perlane_picture_scratch(const perlane_picture_plan *plan,
                                           const perlane_grid *grid);

/* Computes what pixels are made from, in `scratch`: the grid's samples, packed, and after them
 * their derivatives along each axis; or, with differences as slopes, the samples with a border of
 * one sample. Returns a status of perlane_fill or perlane_fill_gradient. */
PERLANE_API perlane_status perlane_picture_sample(const perlane_picture_plan *plan,
                                                  const perlane_noise *noise,
                                                  const perlane_grid *grid, float *scratch);

/* Draws pixels from the samples of this grid, which may be those of a plan with other colours,
 * light or height, but the same slopes. */
PERLANE_API void perlane_picture_draw(const perlane_picture_plan *plan, const perlane_grid *grid,
                                      float *scratch, void *pixels);

/* Fills a grid with pixels of 3 bytes, or of 3 uint16_t with 16 bits: samples it, and draws. The
 * grid's strides are in pixels; along x they are packed, and only the first plane is drawn. Any
 * number of threads may use one plan. Returns the status of perlane_picture_sample. */
PERLANE_API perlane_status perlane_picture_fill(const perlane_picture_plan *plan,
                                                const perlane_noise *noise,
                                                const perlane_grid *grid, float *scratch,
                                                void *pixels);

#endif
