/* SPDX-License-Identifier: MIT
 *
 * Colours for values, in linear light, and their way to 8-bit sRGB.
 */
#ifndef PERLANE_CLI_PALETTE_H
#define PERLANE_CLI_PALETTE_H

#include <stddef.h>

#include "options/values.h"

enum cli_palette { CLI_PALETTE_GREY, CLI_PALETTE_TERRAIN, CLI_PALETTE_CLOUDS };

extern const struct cli_name CLI_PALETTES[];

/* Colours from the lowest value to the highest. Where a palette has a coast, the first of them that
 * is land is number CLI_COLOURS / 2. */
enum { CLI_COLOURS = 4096 };

struct cli_colour {
  float light[3]; /* red, green, blue: 0..1, linear */
};

void cli_palette_colours(enum cli_palette palette, struct cli_colour colour[CLI_COLOURS]);
int cli_palette_has_coast(enum cli_palette palette);

/* table[i] becomes the sRGB value, 0..255, of the linear light (i + 0.5) / count. */
void cli_srgb_table(unsigned char *table, size_t count);

#endif
