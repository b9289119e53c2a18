/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_PALETTES_H
#define PERLANE_PALETTES_H

#include "../../include/perlane_picture.h"

/* perlane_palette_make, less its checks. */
void perlane_palette_mix(perlane_colours *colours, int32_t palette);

/* table[i] becomes the sRGB value, 0..255, of the linear light (i + 0.5) / count. */
void perlane_palette_encode(uint8_t *table, size_t count);

#endif
