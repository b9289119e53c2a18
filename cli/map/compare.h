/* SPDX-License-Identifier: MIT
 *
 * A file of a map compared with what its options make, sample by sample.
 */
#ifndef PERLANE_CLI_COMPARE_H
#define PERLANE_CLI_COMPARE_H

#include "map/stream.h"

struct cli_difference {
  const char *damage;                /* why the file is none of its options; NULL if it is one */
  int is_unread;                     /* it is no damage, but cannot be read here */
  int differs;                       /* whether a sample does, and */
  uint64_t sample[PERLANE_MAX_DIMS]; /* the index of the first one in the file's order */
};

/* Compares the head of a file, and the length of one without compression, with a map. */
void cli_compare_head(const struct cli_map *map, const struct cli_format *format, FILE *file,
                      struct cli_difference *difference);

/* Computes the samples of a file's map again, piece by piece, and compares them until one differs.
 * Returns NULL, or what keeps it from comparing. */
const char *cli_compare(struct cli_stream *stream, const struct cli_format *format, FILE *file,
                        struct cli_difference *difference);

#endif
