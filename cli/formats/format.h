/* SPDX-License-Identifier: MIT
 *
 * The file formats of maps: each is a struct cli_format that turns a stream of samples into a file.
 */
#ifndef PERLANE_CLI_FORMAT_H
#define PERLANE_CLI_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "perlane.h"

/* What a file is to hold. */
struct cli_map {
  int dims;                        /* 1..4 */
  uint64_t size[PERLANE_MAX_DIMS]; /* samples along x, y, z, w; 1 beyond dims */
  int channels;                    /* 1, or 3 for red, green, blue */
  int bits;                        /* a channel: 8 and 16 for integers, 32 for floats */
  char *params;                    /* JSON on one line, or NULL; it stays as it is */
  const char *compression;         /* one of CLI_COMPRESSIONS */
  int bigtiff;                     /* whether a small TIFF is a BigTIFF, too */
};

/* Bytes that a sample takes, all channels of it. */
size_t cli_sample_bytes(const struct cli_map *map);

/* What one format accepts, and how it is written. The functions return NULL, or what is wrong; the
 * text stays until the writer is freed. */
struct cli_format {
  const char *suffix; /* with its dot */
  unsigned depths;    /* a sum of the bits that it takes, of which the usual ones are */
  int usual;
  unsigned char colour;    /* whether it takes 3 channels */
  unsigned char images;    /* whether it takes images only, dims 2 */
  unsigned char bottom_up; /* whether its last row comes first */
  unsigned char tiff;      /* whether --compression and --bigtiff are for it */
  unsigned char sidecar;   /* whether params lie in a file beside it */
  uint64_t longest;        /* along an axis, or 0 */
  size_t rows; /* writes of an image are whole multiples of so many rows, but the last */
  const char *(*begin)(void **writer, FILE *stream, const struct cli_map *map);
  /* Writes samples that follow one another in the file, in the byte order of this machine; an image
   * comes in whole rows. The samples may be changed. */
  const char *(*write)(void *writer, void *samples, size_t count);
  const char *(*finish)(void *writer);
  void (*free)(void *writer); /* accepts NULL */
};

extern const struct cli_format CLI_PNG, CLI_TIFF, CLI_TIFF_LONG, CLI_R16, CLI_R32, CLI_RAW, CLI_PGM,
    CLI_PFM, CLI_NPY;

/* What follows the last slash of a path. */
const char *cli_last_part(const char *path);

/* Whether a file's name ends in a suffix, letters in either case. */
int cli_has_suffix(const char *file, const char *suffix);

/* The format that a file's suffix tells, letters in either case; "-" is CLI_RAW. NULL for none. */
const struct cli_format *cli_format_of(const char *file);

/* Format number index, or NULL beyond the last. */
const struct cli_format *cli_format_at(int index);

/* What TIFF files may be packed with, then NULL. */
extern const char *const CLI_COMPRESSIONS[];

/* Turns samples of `bits` bits from this machine's byte order into the little endian one, or the
 * big endian one; or back. */
void cli_order_bytes(void *samples, size_t count, int bits, int big);

#endif
