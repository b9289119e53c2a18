/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_PALETTE_H
#define PERLANE_PALETTE_H

#include "perlane.h"

enum { PERLANE_PALETTE_GREY, PERLANE_COLOURS = 4096 };

struct perlane_palette {
  float colour[PERLANE_COLOURS][3]; /* red, green, blue: 0..1, linear; from the lowest value on */
  int has_coast;                    /* the first colour that is land is number COLOURS / 2 */
  float rock[3];                    /* the colour of steep ground */
  double steep, steepest;      /* slopes from which there is some rock, and only rock; 0 for none */
  unsigned char encode[16384]; /* linear light to sRGB */
};

/* Returns the name of a palette by its index, NULL beyond the last. Number 0 is grey. */
PERLANE_API const char *perlane_palette_name(int32_t palette);

/* Makes the palette with an index below the number of palettes. */
PERLANE_API void perlane_palette_make(int32_t index, struct perlane_palette *palette);

#endif
