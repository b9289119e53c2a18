/* SPDX-License-Identifier: MIT
 *
 * Formats with a short header or none before the uncompressed samples: raw, PGM, PFM, NumPy's.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

struct writer {
  FILE *stream;
  int bits;
  int big; /* byte order */
};

static const char *begin(void *writer, FILE *stream, const struct cli_map *map, int big) {
  *(struct writer *)writer = (struct writer){stream, map->bits, big};
  return NULL;
}

static const char *pack(const void *opened, struct cli_piece *piece) {
  const struct writer *writer = opened;
  cli_order_bytes(piece->samples, piece->width * piece->rows, writer->bits, writer->big);
  return NULL;
}

static const char *write_piece(void *opened, const struct cli_piece *piece) {
  struct writer *writer = opened;
  const size_t count = piece->width * piece->rows;
  const size_t written = fwrite(piece->samples, (size_t)(writer->bits / 8), count, writer->stream);
  return written == count ? NULL : strerror(errno);
}

static const char *begin_raw(void *opened, FILE *stream, const struct cli_map *map) {
  return begin(opened, stream, map, 0);
}

/* A failed write is reported when the samples are written. */
static const char *begin_pgm(void *opened, FILE *stream, const struct cli_map *map) {
  fputs("P5\n", stream);
  if (map->params)
    fprintf(stream, "# %s\n", map->params);
  fprintf(stream, "%" PRIu64 " %" PRIu64 "\n%d\n", map->size[0], map->size[1],
          map->bits == 8 ? 255 : 65535);
  return begin(opened, stream, map, 1);
}

/* The negative scale means little endian. */
static const char *begin_pfm(void *opened, FILE *stream, const struct cli_map *map) {
  fprintf(stream, "Pf\n%" PRIu64 " %" PRIu64 "\n-1.0\n", map->size[0], map->size[1]);
  return begin(opened, stream, map, 0);
}

/* Format version 1.0: the magic, the header's length in two bytes, and the header, padded so that
 * the samples begin at a multiple of 64 bytes. */
static const char *begin_npy(void *opened, FILE *stream, const struct cli_map *map) {
  const char *type = map->bits == 32 ? "<f4" : map->bits == 16 ? "<u2" : "|u1";
  char header[256];
  int length =
      snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
  for (int a = map->dims - 1; a >= 0; a--)
    length +=
        snprintf(header + length, sizeof header - (size_t)length, "%" PRIu64 "%s", map->size[a],
                 a > 0            ? ", "
                 : map->dims == 1 ? ",)"
                                  : ")");
  length += snprintf(header + length, sizeof header - (size_t)length, ", }");
  const int padded = (10 + length + 1 + 63) / 64 * 64 - 10;
  fprintf(stream, "\x93NUMPY%c%c%c%c%-*s\n", 1, 0, padded % 256, padded / 256, padded - 1, header);
  return begin(opened, stream, map, 0);
}

/* ---- Reading ---- */

static const char *open_plain(void *reader, FILE *stream, const struct cli_map *map,
                              const struct cli_format *format) {
  const char *problem = cli_format_compare_head(format, reader, stream, map);
  ((struct writer *)reader)->stream = stream;
  return problem;
}

static const char *read_plain(void *opened, const struct cli_piece *piece, unsigned char *samples) {
  const struct writer *reader = opened;
  const size_t count = piece->width * piece->rows;
  if (fread(samples, (size_t)(reader->bits / 8), count, reader->stream) != count)
    return ferror(reader->stream) ? strerror(errno) : CLI_CUT_OFF;
  cli_order_bytes(samples, count, reader->bits, reader->big);
  return NULL;
}

static const char *end_plain(void *opened) {
  const struct writer *reader = opened;
  return getc(reader->stream) == EOF ? NULL : CLI_TOO_LONG;
}

#define FORMAT(name, header)                                                                       \
  .suffix = (name), .begin = (header), .pack = pack, .write = write_piece,                         \
  .writer_bytes = sizeof(struct writer), .reader_bytes = sizeof(struct writer),                    \
  .open = open_plain, .read = read_plain, .end = end_plain

const struct cli_format CLI_R16 = {FORMAT(".r16", begin_raw), .depths = 16, .usual = 16,
                                   .sidecar = 1};
const struct cli_format CLI_R32 = {FORMAT(".r32", begin_raw), .depths = 32, .usual = 32,
                                   .sidecar = 1};
const struct cli_format CLI_RAW = {FORMAT(".raw", begin_raw), .depths = 8 + 16 + 32, .usual = 16,
                                   .sidecar = 1};
const struct cli_format CLI_PGM = {FORMAT(".pgm", begin_pgm), .depths = 8 + 16, .usual = 16,
                                   .images = 1};
const struct cli_format CLI_PFM = {FORMAT(".pfm", begin_pfm),
                                   .depths = 32,
                                   .usual = 32,
                                   .images = 1,
                                   .bottom_up = 1,
                                   .sidecar = 1};
const struct cli_format CLI_NPY = {FORMAT(".npy", begin_npy), .depths = 8 + 16 + 32, .usual = 32,
                                   .sidecar = 1};
