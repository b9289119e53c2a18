/* SPDX-License-Identifier: MIT
 *
 * Formats with a short header or none before the uncompressed samples: raw, and NumPy's.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

/* A writer, or a reader. */
struct plain {
  FILE *stream;
  int bits;
};

/* Begins to write, or to read. */
static const char *open_raw(void *opened, FILE *stream, const struct cli_map *map) {
  *(struct plain *)opened = (struct plain){stream, map->bits};
  return NULL;
}

/* Format version 1.0: the magic, the header's length in two bytes, and the header, padded so that
 * the samples begin at a multiple of 64 bytes. A failed write is reported when the samples are
 * written. */
static const char *begin_npy(void *writer, FILE *stream, const struct cli_map *map) {
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
  return open_raw(writer, stream, map);
}

static const char *pack(const void *opened, struct cli_piece *piece) {
  const struct plain *writer = opened;
  cli_order_bytes(piece->samples, piece->width * piece->rows, writer->bits, 0);
  return NULL;
}

static const char *write_piece(void *opened, const struct cli_piece *piece) {
  const struct plain *writer = opened;
  const size_t count = piece->width * piece->rows;
  const size_t written = fwrite(piece->samples, (size_t)(writer->bits / 8), count, writer->stream);
  return written == count ? NULL : strerror(errno);
}

/* ---- Reading ---- */

static const char *check_length(FILE *stream, const struct cli_map *map) {
  uint64_t bytes = cli_sample_bytes(map);
  for (int a = 0; a < map->dims; a++)
    bytes *= map->size[a];
  return cli_check_length(stream, bytes);
}

static const char *open_samples(void *reader, FILE *stream, const struct cli_map *map) {
  open_raw(reader, stream, map);
  return check_length(stream, map);
}

/* Compares the header with the one of this map. */
static const char *open_npy(void *reader, FILE *stream, const struct cli_map *map) {
  char *head = NULL;
  int is_same = 1;
  FILE *memory = cli_open_text(&head);
  begin_npy(reader, memory, map);
  const size_t length = (size_t)ftello(memory);
  cli_close_text(memory);
  for (size_t i = 0; i < length && is_same; i++)
    is_same = getc(stream) == (unsigned char)head[i];
  free(head);
  ((struct plain *)reader)->stream = stream;
  return is_same ? check_length(stream, map) : CLI_OTHER_LAYOUT;
}

static const char *read_plain(void *opened, const struct cli_piece *piece, unsigned char *samples) {
  const struct plain *reader = opened;
  const size_t count = piece->width * piece->rows;
  if (fread(samples, (size_t)(reader->bits / 8), count, reader->stream) != count)
    return ferror(reader->stream) ? strerror(errno) : CLI_CUT_OFF;
  cli_order_bytes(samples, count, reader->bits, 0);
  return NULL;
}

#define FORMAT(name, begins, opens, takes, default_depth)                                          \
  {                                                                                                \
    .suffix = (name), .depths = (takes), .usual = (default_depth), .sidecar = 1,                   \
    .writer_bytes = sizeof(struct plain), .begin = (begins), .pack = pack, .write = write_piece,   \
    .reader_bytes = sizeof(struct plain), .open = (opens), .read = read_plain,                     \
  }

const struct cli_format CLI_R16 = FORMAT(".r16", open_raw, open_samples, 16, 16);
const struct cli_format CLI_R32 = FORMAT(".r32", open_raw, open_samples, 32, 32);
const struct cli_format CLI_RAW = FORMAT(".raw", open_raw, open_samples, 8 + 16 + 32, 16);
const struct cli_format CLI_NPY = FORMAT(".npy", begin_npy, open_npy, 8 + 16 + 32, 32);
