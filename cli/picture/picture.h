/* SPDX-License-Identifier: MIT
 *
 * Pictures of a field beyond the grey map: palettes, shading by the gradient, and normal maps. The
 * command and the Python package compile this folder; it is no part of the library. All that is not
 * a plain float operation is in tables that are made once.
 */
#ifndef PERLANE_PICTURE_H
#define PERLANE_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "palette.h"
#include "perlane.h"

/* Returns the name of a palette by its index, NULL beyond the last. Number 0 is grey. */
PERLANE_API const char *perlane_palette_name(int32_t palette);

typedef struct perlane_picture {
  int32_t palette;          /* an index */
  int32_t shade;            /* whether colours are lit as a surface */
  int32_t normal_map;       /* normals instead of colours */
  int32_t normal_down;      /* green grows down the picture instead of up */
  int32_t bits;             /* of red, green and blue: 8, or 16 for a normal map */
  float low, high;          /* the values of the first and the last colour */
  double azimuth, altitude; /* of the light, in degrees */
  double height; /* of a value difference of 1, in pixels; NaN: one that suits the field */
} perlane_picture;

/* A prepared picture: factors and a palette, about 70 KiB. */
typedef struct perlane_picture_plan {
  /* Source of slopes: the gradient, or neighbouring samples if there is none or it jumps. */
  enum { PERLANE_NO_SLOPES, PERLANE_GRADIENT, PERLANE_DIFFERENCES } slopes;
  int normal_map, shade, bits;
  float slope[2];         /* of the surface, per pixel, for a gradient of 1 */
  float below, above;     /* colours per unit of value, below `middle` and from there on */
  float middle;           /* the value where colour number PERLANE_COLOURS / 2 begins */
  float slope_below;      /* what slopes under water are multiplied by */
  float steep, more_rock; /* the squared slope where rock begins; rock per unit of it */
  float light[3];         /* towards the light, along the picture's x and y and out of it */
  float ambient, direct;  /* light without and with a surface that faces the light */
  struct perlane_palette palette;
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

/* Returns how many floats perlane_picture_fill needs for a grid. */
PERLANE_API size_t perlane_picture_scratch(const perlane_picture_plan *plan,
                                           const perlane_grid *grid);

/* Fills a grid with pixels of 3 bytes, or of 3 uint16_t with 16 bits. The grid's strides are in
 * pixels; along x they are packed, and only the first plane is drawn. Any number of threads may use
 * one plan. Returns a status of perlane_fill or perlane_fill_gradient. */
PERLANE_API perlane_status perlane_picture_fill(const perlane_picture_plan *plan,
                                                const perlane_noise *noise,
                                                const perlane_grid *grid, float *scratch,
                                                void *pixels);

#endif
