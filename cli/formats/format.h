/* SPDX-License-Identifier: MIT
 *
 * The file formats of maps: each is a struct cli_format that turns a stream of samples into a file.
 */
#ifndef PERLANE_CLI_FORMAT_H
#define PERLANE_CLI_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "formats/output.h"
#include "options/messages.h"
#include "perlane.h"

/* A coordinate system by EPSG's codes; 0 for none. */
struct cli_crs {
  int horizontal, vertical;
};

/* The shape and the samples of a map, and what else its file contains. */
struct cli_map {
  int dims;                        /* 1..4 */
  uint64_t size[PERLANE_MAX_DIMS]; /* samples along x, y, z, w; 1 beyond dims */
  int channels;                    /* 1, or 3 for red, green, blue */
  int bits;                        /* per channel: 8 and 16 for integers, 32 for floats */
  float low, high;                 /* the values that 0 and the largest integer stand for */
  char *params;                    /* one line of text, or NULL; it is not changed */
  const char *note;                /* one more line for the file beside the map, or NULL */
  struct cli_crs crs;
  int is_metres;             /* the values are heights in metres */
  double corner[2], step[2]; /* in it: the first sample's position, from one to the next */
};

/* Returns the size of a sample with all its channels. */
size_t cli_sample_bytes(const struct cli_map *map);

/* Bytes that grow. */
struct cli_bytes {
  unsigned char *data;
  size_t size, capacity;
};

/* Makes room for `more` bytes. Returns 0 without memory; then nothing has changed. */
int cli_bytes_reserve(struct cli_bytes *bytes, size_t more);

/* A piece of a map: of images whole rows, or whole tiles. Pieces follow one another x first. */
struct cli_piece {
  size_t column, row;      /* of its first sample in an image */
  size_t width, rows;      /* of samples, packed in this machine's byte order */
  unsigned char *samples;  /* a format may change them */
  struct cli_bytes packed; /* what packing has made of them, empty before */
  unsigned long check;     /* a checksum of what has been packed */
  float low, high;         /* the smallest and the largest sample, if these are looked for */
  uint64_t ends;           /* how many integers are 0 or the largest, likewise */
};

/* A format: what it accepts, and the functions that write it. They return NULL, or what is wrong;
 * the text is valid until the writer is released. */
struct cli_format {
  const char *suffix;    /* with its dot */
  unsigned depths;       /* the sum of the bits per channel that it takes */
  int usual;             /* the default among them */
  unsigned char colour;  /* takes 3 channels */
  unsigned char images;  /* takes images only, dims 2 */
  unsigned char tiff;    /* has --crs; is not written from start to end */
  unsigned char sidecar; /* its params are in a file beside it */
  int64_t longest;       /* maximum size along an axis, or 0 */
  /* Sets along each axis what pieces must be multiples of, except the last ones; NULL if they are
   * to follow one another in the file. */
  void (*piece_unit)(const struct cli_map *map, uint64_t unit[PERLANE_MAX_DIMS]);
  size_t writer_bytes; /* of the writer, which is zero before begin */
  const char *(*begin)(void *writer, FILE *stream, const struct cli_map *map);
  /* Prepares a piece for `write`, or NULL. Threads call it at the same time, each for a piece of
   * its own. */
  const char *(*pack)(const void *writer, struct cli_piece *piece);
  /* Writes a piece. Pieces come in their order. */
  const char *(*write)(void *writer, const struct cli_piece *piece);
  const char *(*finish)(void *writer); /* or NULL */
  void (*release)(void *writer);       /* frees what the writer holds, after begin; or NULL */
  /* To read a file of this format that has the samples of a map: its head; its pieces in their
   * order, as samples in this machine's byte order; and its end, or NULL. They return NULL, or why
   * the file is none; a reader is zero before `open`, and `close`, which may be NULL, frees what it
   * holds.
   */
  size_t reader_bytes;
  void (*read_unit)(const struct cli_map *map, uint64_t unit[PERLANE_MAX_DIMS]); /* as piece_unit,
      of the file that is open; NULL if other programs cut files as this one does */
  const char *(*open)(void *reader, FILE *stream, const struct cli_map *map);
  const char *(*read)(void *reader, const struct cli_piece *piece, unsigned char *samples);
  const char *(*end)(void *reader);
  void (*close)(void *reader);
};

/* Descriptions of damaged files: one that is cut off, one whose size or kind of samples is not that
 * of its options. */
extern const char CLI_CUT_OFF[], CLI_OTHER_LAYOUT[];

/* Why a file is not read, which is no damage: this build lacks what reads it. */
extern const char CLI_NO_CODEC[];

/* Returns NULL if a file has `bytes` bytes from here on, or how it is damaged. */
const char *cli_check_length(FILE *stream, uint64_t bytes);

extern const struct cli_format CLI_PNG, CLI_TIFF, CLI_TIFF_LONG, CLI_R16, CLI_R32, CLI_RAW, CLI_NPY,
    CLI_EXR;

/* Bytes of a text of options. */
enum { CLI_MAX_CARRIED = 4 << 20 };

/* Returns the text for options in a file of these formats, to be freed; or NULL if it has none, or
 * after setting *problem. */
char *cli_png_text(FILE *stream, const char **problem);
char *cli_tiff_text(FILE *stream, const char **problem);
char *cli_exr_text(FILE *stream, const char **problem);

/* The kind of coordinate system that EPSG has given a code to, if that is certain; METRIC is a
 * projected one whose units are metres on the ground, HEIGHTS a vertical one in metres. */
enum cli_crs_kind { CLI_OTHER_CRS, CLI_PROJECTED, CLI_METRIC, CLI_GEOGRAPHIC, CLI_HEIGHTS };
enum cli_crs_kind cli_crs_kind(int code);

/* Returns NULL if a system is known, or what is wrong. */
const char *cli_crs_check(struct cli_crs crs);

/* Returns the part of a path after its last slash. */
const char *cli_last_part(const char *path);

/* Returns the format of a file's suffix, ignoring case, or NULL. */
const struct cli_format *cli_format_of(const char *file);

/* Returns format number index, or NULL if there is none. */
const struct cli_format *cli_format_at(int index);

/* Converts samples of `bits` bits from this machine's byte order to little endian, or to big
 * endian; or back. */
void cli_order_bytes(void *samples, size_t count, int bits, int big);

/* ---- The options that maps carry, as a line of text ----
 *
 *   PNG    a text chunk with the keyword perlane
 *   TIFF   the tag ImageDescription
 *   EXR    the attribute perlane
 *   others a file of the same name with .txt after it
 */

/* Suffix of the file of options beside a map, after its whole name. */
#define CLI_SIDECAR ".txt"

/* Returns the text that a map carries, to be freed; or NULL, and *problem is what is wrong, in a
 * text that stays until the next call. is_damaged, which may be NULL, receives 1 if the file is of
 * a format that carries a text, and cannot be read to its end. */
char *cli_carried_read(const char *map, const char **problem, int *is_damaged);

/* Returns the text that a file carries, or a file that is such a text itself; likewise. */
char *cli_options_read(const char *file, const char **problem);

/* What would be lost with a file: nothing if it does not exist, is empty, or no regular file. */
enum cli_content { CLI_NOTHING, CLI_DESCRIPTION, CLI_A_MAP, CLI_FOREIGN };
enum cli_content cli_content_of(const char *file);

/* Reads a text to its end, if it has less than CLI_MAX_CARRIED bytes and no zero byte. Returns it,
 * to be freed; or NULL with *problem set. */
char *cli_read_bounded(FILE *stream, const char **problem);

/* Adds a suffix to a file's name. Returns the new name. */
const char *cli_beside(char name[CLI_NAME], const char *map, const char *suffix);

/* Writes the map's options and, as comments, the layout of its samples and its note. */
void cli_sidecar_write(FILE *stream, const struct cli_map *map);

/* Removes a file that cli_sidecar_write has written; others stay. Returns NULL, or what is wrong.
 */
const char *cli_beside_remove(const char *file);

#endif
