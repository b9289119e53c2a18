/* SPDX-License-Identifier: MIT */
#include "map/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Takes the place of a writer: pieces come in the file's order. */
struct comparison {
  const struct cli_format *format;
  const struct cli_map *map;
  void *reader;
  struct cli_bytes stored; /* a piece as the file has it */
  uint64_t done;           /* samples of the pieces before */
  struct cli_difference *difference;
};

static struct comparison current;

/* Keeps what is wrong with a file beyond its reader. Returns it. */
static const char *keep(struct cli_difference *difference, const char *damage) {
  static char kept[160];
  difference->is_unread = damage == CLI_NO_CODEC;
  snprintf(kept, sizeof kept, "%s", damage ? damage : "");
  return difference->damage = damage ? kept : NULL;
}

/* Makes an index of a sample's number in the file. */
static void find_sample(const struct comparison *comparison, uint64_t number) {
  const struct cli_map *map = comparison->map;
  uint64_t *sample = comparison->difference->sample;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    sample[a] = number % map->size[a];
    number /= map->size[a];
  }
}

static const char *compare_piece(void *compared, const struct cli_piece *piece) {
  static const char ended[] = "ended";
  struct comparison *comparison = compared;
  const size_t sample = cli_sample_bytes(comparison->map), count = piece->width * piece->rows;
  comparison->stored.size = 0;
  if (!cli_bytes_reserve(&comparison->stored, count * sample))
    return strerror(ENOMEM);
  const unsigned char *stored = comparison->stored.data;
  const char *damage = comparison->format->read(comparison->reader, piece, comparison->stored.data);
  if (keep(comparison->difference, damage))
    return ended;
  if (memcmp(stored, piece->samples, count * sample) == 0) {
    comparison->done += count;
    return NULL;
  }
  uint64_t at = 0;
  while (stored[at] == piece->samples[at])
    at++;
  at /= sample;
  comparison->difference->differs = 1;
  find_sample(comparison, comparison->format->piece_unit
                              ? (piece->row + at / piece->width) * comparison->map->size[0] +
                                    piece->column + at % piece->width
                              : comparison->done + at);
  return ended;
}

const char *cli_compare_open(const struct cli_map *map, const struct cli_format *format, FILE *file,
                             struct cli_difference *difference) {
  current = (struct comparison){.format = format,
                                .map = map,
                                .reader = cli_need(calloc(1, format->reader_bytes)),
                                .difference = difference};
  return keep(difference, format->open(current.reader, file, map));
}

const char *cli_compare(struct cli_stream *stream) {
  const struct cli_format *format = current.format;
  struct cli_format comparing = *format;
  comparing.pack = NULL;
  comparing.write = compare_piece;
  if (format->read_unit)
    comparing.piece_unit = format->read_unit;
  const char *problem = cli_stream_write(stream, &comparing, &current);
  if (!problem && format->end)
    keep(current.difference, format->end(current.reader));
  return current.difference->damage || current.difference->differs ? NULL : problem;
}

void cli_compare_close(void) {
  if (current.format->close)
    current.format->close(current.reader);
  free(current.reader);
  free(current.stored.data);
}
