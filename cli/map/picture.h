/* SPDX-License-Identifier: MIT
 *
 * Pictures of a field beyond the grey map: palettes, shading by the gradient, and normal maps. Rows
 * of pixels come from rows of values and gradients by functions that any number of threads may call
 * with one plan.
 */
#ifndef PERLANE_CLI_PICTURE_H
#define PERLANE_CLI_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "options/options.h"
#include "perlane.h"

/* The index of the palette without colours, the first one. */
enum { CLI_PALETTE_GREY };

/* Returns the name of a palette by its index, NULL beyond the last. */
const char *cli_palette_name(int palette);

struct cli_picture {
  int palette; /* an index */
  int shade;
  struct cli_numbers light; /* azimuth and altitude, in degrees */
  /* The height of a value difference of 1, in pixels; none for one that suits the field. */
  struct cli_numbers relief, normal_strength;
  int normal_map;
  int normal_down; /* green grows down the picture instead of up */
};

/* Sets the defaults, and returns the group of options whose values are the picture's. */
struct cli_group cli_picture_group(struct cli_picture *picture);

/* Refuses options that contradict each other, and 16 bits where there are only 8. A picture of
 * saved options gives way to what the command line asks for. bits is the command line's, 0 for
 * nothing. Returns 0, or the exit status. */
int cli_picture_check(const struct cli_group *group, int bits);

/* Returns 1 if pixels are RGB, from cli_picture_row; 0 if the picture is the grey map. */
int cli_picture_wanted(const struct cli_picture *picture);

enum { CLI_COLOURS = 4096 };

/* What a picture's pixels are made by; about 70 KiB. */
struct cli_picture_plan {
  /* Where slopes are from: the gradient, or neighbouring samples if there is none or it jumps. */
  enum { CLI_NO_SLOPES, CLI_GRADIENT, CLI_DIFFERENCES } slopes;
  int normal_map, shade, bits;
  float slope[2];               /* of the surface, per pixel, for a gradient of 1 */
  float below, above;           /* colours per unit of value, below `middle` and from there on */
  float middle;                 /* the value where colour number CLI_COLOURS / 2 begins */
  float slope_below;            /* what slopes under water are multiplied by */
  float steep, more_rock;       /* the squared slope where rock begins; rock per unit of it */
  float rock[3];                /* its colour, linear */
  float light[3];               /* towards the light, along the picture's x and y and out of it */
  float ambient, direct;        /* light without and with a surface that faces the light */
  float colour[CLI_COLOURS][3]; /* red, green, blue: 0..1, linear */
  unsigned char encode[16384];  /* linear light to sRGB */
};

/* Makes the plan for the pixels of a field whose picture lies along the x and y of a grid, with
 * steps from one pixel to the next that are the grid's; its counts do not matter. bits is 8, or 16
 * for a normal map. Refuses to shade a field without slopes. Returns 0, or the exit status. */
int cli_picture_prepare(struct cli_picture_plan *plan, const struct cli_picture *picture,
                        const perlane_noise *noise, const perlane_grid *grid, float low, float high,
                        int bits);

/* Makes n samples n pixels of 3 bytes, or of 3 uint16_t with 16 bits. dx and dy are the library's
 * gradient, per unit of position, if the plan has slopes. A normal map does not look at
 * the values. */
void cli_picture_row(const struct cli_picture_plan *plan, size_t n, const float *value,
                     const float *dx, const float *dy, void *rgb);

#endif
