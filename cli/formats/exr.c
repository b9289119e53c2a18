/* SPDX-License-Identifier: MIT
 *
 * OpenEXR: one channel of floats, Y, which programs show as grey. Compression makes noise hardly
 * smaller; without it, a file is a head, a table of the rows' places, and the rows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

/* The beginning of a file: the magic, the version, and the attributes that all maps share, each a
 * name, a type, the size of its value, and the value. */
static const char HEAD[] = "\x76/1\1\2\0\0\0"
                           "channels\0chlist\0\x13\0\0\0Y\0\2\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\0"
                           "compression\0compression\0\1\0\0\0\0"
                           "lineOrder\0lineOrder\0\1\0\0\0\0"
                           "pixelAspectRatio\0float\0\4\0\0\0\0\0\x80\x3F"
                           "screenWindowCenter\0v2f\0\x08\0\0\0\0\0\0\0\0\0\0\0"
                           "screenWindowWidth\0float\0\4\0\0\0\0\0\x80\x3F";

/* The name and the type of the text. */
static const char TEXT[] = "perlane\0string";

enum { NUMBER = 8 }; /* bytes of a row's place, and before a row of its index and its size */

/* A writer, or a reader. */
struct exr {
  FILE *stream;
  size_t head, rows, row_bytes;
};

static void put(FILE *stream, uint64_t number, int bytes) {
  for (; bytes > 0; bytes--, number >>= 8)
    putc((int)(number & 0xFF), stream);
}

/* Returns a map's head, to be freed. */
static char *make_head(struct exr *exr, FILE *file, const struct cli_map *map) {
  char *head = NULL;
  *exr = (struct exr){file, 0, (size_t)map->size[1], (size_t)map->size[0] * sizeof(float)};
  FILE *stream = cli_open_text(&head);
  fwrite(HEAD, 1, sizeof HEAD - 1, stream);
  for (int i = 0; i < 2; i++) {
    fprintf(stream, "%s%cbox2i%c", i ? "displayWindow" : "dataWindow", 0, 0);
    put(stream, 16, 4);
    put(stream, 0, 8); /* the first column and row; then the last ones */
    put(stream, map->size[0] - 1, 4);
    put(stream, map->size[1] - 1, 4);
  }
  if (map->params) {
    fwrite(TEXT, 1, sizeof TEXT, stream);
    put(stream, strlen(map->params), 4);
    fputs(map->params, stream);
  }
  putc(0, stream);
  exr->head = (size_t)ftello(stream);
  cli_close_text(stream);
  return head;
}

static uint64_t place_of(const struct exr *exr, size_t row) {
  return exr->head + exr->rows * NUMBER + row * (NUMBER + exr->row_bytes);
}

static uint64_t number_of(const struct exr *exr, size_t row) {
  return row | (uint64_t)exr->row_bytes << 32;
}

static void piece_unit(const struct cli_map *map, uint64_t unit[PERLANE_MAX_DIMS]) {
  unit[0] = map->size[0];
  unit[1] = 1;
}

/* ---- Writing ---- */

/* A failed write is reported when the samples are written. */
static const char *begin(void *opened, FILE *stream, const struct cli_map *map) {
  struct exr *exr = opened;
  char *head = make_head(exr, stream, map);
  fwrite(head, 1, exr->head, stream);
  free(head);
  for (size_t y = 0; y < exr->rows; y++)
    put(stream, place_of(exr, y), NUMBER);
  return NULL;
}

static const char *pack(const void *opened, struct cli_piece *piece) {
  (void)opened;
  cli_order_bytes(piece->samples, piece->width * piece->rows, 32, 0);
  return NULL;
}

static const char *write_piece(void *opened, const struct cli_piece *piece) {
  const struct exr *exr = opened;
  for (size_t y = 0; y < piece->rows; y++) {
    put(exr->stream, number_of(exr, piece->row + y), NUMBER);
    fwrite(piece->samples + y * exr->row_bytes, 1, exr->row_bytes, exr->stream);
  }
  return ferror(exr->stream) ? strerror(errno) : NULL;
}

/* ---- Reading ---- */

static uint64_t get(FILE *stream, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++)
    number |= (uint64_t)(getc(stream) & 0xFF) << 8 * i;
  return number;
}

/* Compares the head and the table with those of this map. */
static const char *open_exr(void *opened, FILE *stream, const struct cli_map *map) {
  struct exr *exr = opened;
  char *head = make_head(exr, stream, map);
  int is_same = 1;
  for (size_t i = 0; i < exr->head && is_same; i++)
    is_same = getc(stream) == (unsigned char)head[i];
  free(head);
  for (size_t y = 0; y < exr->rows && is_same; y++)
    is_same = get(stream, NUMBER) == place_of(exr, y);
  return is_same ? cli_check_length(stream, exr->rows * (NUMBER + exr->row_bytes))
                 : CLI_OTHER_LAYOUT;
}

static const char *read_exr(void *opened, const struct cli_piece *piece, unsigned char *samples) {
  const struct exr *exr = opened;
  for (size_t y = 0; y < piece->rows; y++)
    if (get(exr->stream, NUMBER) != number_of(exr, piece->row + y))
      return CLI_OTHER_LAYOUT;
    else if (fread(samples + y * exr->row_bytes, 1, exr->row_bytes, exr->stream) != exr->row_bytes)
      return ferror(exr->stream) ? strerror(errno) : CLI_CUT_OFF;
  cli_order_bytes(samples, piece->width * piece->rows, 32, 0);
  return NULL;
}

/* Looks for the text where a head can be. No letter but the first is a p. */
char *cli_exr_text(FILE *stream, const char **problem) {
  enum { MAX_PLACE = 1 << 20 };
  size_t same = 0;
  for (int i = 0, next; i < MAX_PLACE && same < sizeof TEXT && (next = getc(stream)) != EOF; i++)
    same = next == TEXT[same] ? same + 1 : next == *TEXT;
  const size_t size = same == sizeof TEXT ? (size_t)get(stream, 4) : CLI_MAX_CARRIED;
  char *text = size < CLI_MAX_CARRIED ? calloc(1, size + 1) : NULL;
  if (!text || fread(text, 1, size, stream) == size)
    return text;
  *problem = ferror(stream) ? strerror(errno) : CLI_CUT_OFF;
  free(text);
  return NULL;
}

const struct cli_format CLI_EXR = {
    .suffix = ".exr",
    .depths = 32,
    .usual = 32,
    .images = 1,
    .longest = INT32_MAX / 4, /* a row's bytes are an int32_t */
    .piece_unit = piece_unit,
    .writer_bytes = sizeof(struct exr),
    .begin = begin,
    .pack = pack,
    .write = write_piece,
    .reader_bytes = sizeof(struct exr),
    .open = open_exr,
    .read = read_exr,
};
