/* SPDX-License-Identifier: MIT
 *
 * A map of any size, made in blocks: all threads compute one while a thread writes the one before,
 * so that memory does not grow with the map. Which thread computes what changes no bit.
 */
#ifndef PERLANE_CLI_STREAM_H
#define PERLANE_CLI_STREAM_H

#include "formats/format.h"
#include "perlane.h"
#include "map/picture.h"
#include "map/progress.h"

struct cli_stream {
  const perlane_noise *noise;
  const struct cli_map *map;
  perlane_grid grid;                   /* the whole map, packed */
  const struct cli_picture_plan *plan; /* of colours; NULL for none */
  int has_gradient;                    /* whether the plan needs it */
  float low, high;                     /* the values that become the ends of an integer's range */
  int threads;
  struct cli_progress *progress;
  double seconds; /* spent in the library, by all threads together */
};

/* Writes the samples. Returns NULL, or what is wrong. */
const char *cli_stream_write(struct cli_stream *stream, const struct cli_format *format,
                             void *writer);

/* Fills a packed grid with the map's samples; scratch has room for cli_stream_scratch floats a
 * sample. */
perlane_status cli_stream_fill(const struct cli_stream *stream, const perlane_grid *grid,
                               void *samples, float *scratch);
size_t cli_stream_scratch(const struct cli_stream *stream);

/* As many threads as there are processors to run on. */
int cli_stream_processors(void);

#endif
