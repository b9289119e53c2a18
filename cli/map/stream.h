/* SPDX-License-Identifier: MIT
 *
 * The samples of a map: of any part of it, and of all of it piece by piece. Threads compute pieces
 * and compress them, and write them in turn, so memory does not grow with the map. The threads'
 * schedule changes no bit.
 */
#ifndef PERLANE_CLI_STREAM_H
#define PERLANE_CLI_STREAM_H

#include "formats/format.h"
#include "map/picture.h"
#include "map/progress.h"
#include "perlane.h"

/* The integers of a map: the smallest, the largest, and how many are at the ends of the range. */
struct cli_levels {
  float low, high;
  uint64_t ends, samples;
};

struct cli_stream {
  const perlane_noise *noise;
  const struct cli_map *map;
  perlane_grid grid;                /* the whole map, packed */
  const perlane_picture_plan *plan; /* of a picture or a mask; or NULL */
  float *values; /* of all tiles, if they are in memory; their grid is `valued` */
  perlane_grid valued;
  int threads; /* at most; then those that were used */
  struct cli_progress *progress;
  struct cli_levels *levels; /* collects the levels of grey integers; NULL if nobody asks */
};

/* Returns the number of a grid's samples. */
uint64_t cli_grid_samples(const perlane_grid *grid);

/* Computes and writes all samples. Returns NULL, or what is wrong. */
const char *cli_stream_write(struct cli_stream *stream, const struct cli_format *format,
                             void *writer);

/* Fills a grid with the map's samples. Pictures and masks need perlane_picture_scratch
 * floats in `scratch`. */
perlane_status cli_stream_fill(const struct cli_stream *stream, perlane_grid grid, void *samples,
                               float *scratch);

/* Finds the smallest and the largest value of a field on a packed grid, by all threads, and keeps
 * the values if the stream has memory for them. Returns NULL, or what is wrong. */
const char *cli_stream_extremes(const struct cli_stream *stream, const perlane_grid *grid,
                                float *low, float *high);

/* ---- A file of a map, compared with what its options make, sample by sample ---- */

struct cli_difference {
  const char *damage;                /* why the file is none of its options; NULL if it is one */
  int is_unread;                     /* it is no damage, but cannot be read here */
  int differs;                       /* whether a sample does, and */
  uint64_t sample[PERLANE_MAX_DIMS]; /* the index of the first one in the file's order */
};

/* Opens a file to be compared with a map, whose head and, without compression, length are compared
 * at once. Returns the damage. One file is open at a time. */
const char *cli_compare_open(const struct cli_map *map, const struct cli_format *format, FILE *file,
                             struct cli_difference *difference);

/* Computes the samples of the map again, piece by piece, and compares them until one differs.
 * Returns NULL, or what keeps it from comparing. */
const char *cli_compare(struct cli_stream *stream);
void cli_compare_close(void);

#endif
