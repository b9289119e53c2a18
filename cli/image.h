/* SPDX-License-Identifier: MIT
 *
 * Writes a grey PNG, row by row.
 */
#ifndef PERLANE_CLI_IMAGE_H
#define PERLANE_CLI_IMAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cli_image {
  void *png, *info; /* libpng's */
  FILE *stream;
  char problem[128];
};

/* bits is 8 or 16; params is ASCII text for a chunk of the file. Each returns NULL, or what is
 * wrong. After a successful begin, finish or not, the image is to be freed; a begin that fails has
 * freed it. */
const char *cli_image_begin(struct cli_image *image, FILE *stream, uint32_t width, uint32_t height,
                            int bits, const char *params);
/* A row is width pixels, of 2 bytes each with 16 bits, the upper byte first. */
const char *cli_image_row(struct cli_image *image, const unsigned char *row);
const char *cli_image_finish(struct cli_image *image);
void cli_image_free(struct cli_image *image);

#endif
