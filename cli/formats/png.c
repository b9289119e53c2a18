/* SPDX-License-Identifier: MIT
 *
 * PNG, grey or colour, which libpng reads. Rows are filtered and compressed a piece of them by each
 * thread, which libpng cannot do: all pieces together are one stream of zlib's format, because each
 * but the last ends with a full flush. The pieces do not depend on the number of threads, so
 * neither does the file.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <zlib.h>

#include "formats/format.h"

static const char KEYWORD[] = "perlane"; /* of the text */

struct writer {
  FILE *stream;
  size_t channels;
  int bits;
  uLong check; /* of all filtered bytes so far: zlib's Adler-32 */
};

/* ---- Chunks ---- */

/* Data of a chunk are no longer than this, and a chunk has 12 bytes besides: the data's length, its
 * name, and a checksum of name and data after them. */
enum { CHUNK = 1 << 20, CHUNK_HEAD = 8, CHUNK_END = 4 };

/* Ends the chunk that begins at `chunk`. */
static void end_chunk(struct cli_bytes *bytes, size_t chunk, const char *name) {
  const size_t length = bytes->size - chunk - CHUNK_HEAD;
  unsigned char *head = bytes->data + chunk;
  png_save_uint_32(head, (png_uint_32)length);
  memcpy(head + 4, name, 4);
  png_save_uint_32(bytes->data + bytes->size, (png_uint_32)crc32(0, head + 4, (uInt)(length + 4)));
  bytes->size += CHUNK_END;
}

static const char *write_bytes(const struct writer *writer, const void *data, size_t size) {
  return fwrite(data, 1, size, writer->stream) == size ? NULL : strerror(errno);
}

/* Writes a chunk of some data, and a text after them if it is not NULL. */
static const char *write_chunk(const struct writer *writer, const char *name, const void *data,
                               size_t size, const char *text) {
  const size_t length = text ? strlen(text) : 0;
  struct cli_bytes chunk = {0};
  if (!cli_bytes_reserve(&chunk, CHUNK_HEAD + size + length + CHUNK_END))
    return strerror(ENOMEM);
  memcpy(chunk.data + CHUNK_HEAD, data, size);
  if (text)
    memcpy(chunk.data + CHUNK_HEAD + size, text, length);
  chunk.size = CHUNK_HEAD + size + length;
  end_chunk(&chunk, 0, name);
  const char *problem = write_bytes(writer, chunk.data, chunk.size);
  free(chunk.data);
  return problem;
}

static unsigned char colour_type(const struct cli_map *map) {
  return map->channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY;
}

static const char *begin(void *opened, FILE *stream, const struct cli_map *map) {
  struct writer *writer = opened;
  unsigned char header[13] = {0}; /* ends with the only compression, filters and no interlacing */
  *writer = (struct writer){stream, (size_t)map->channels, map->bits, adler32(0, NULL, 0)};
  png_save_uint_32(header, (png_uint_32)map->size[0]);
  png_save_uint_32(header + 4, (png_uint_32)map->size[1]);
  header[8] = (unsigned char)map->bits;
  header[9] = colour_type(map);
  const char *problem = write_bytes(writer, "\x89PNG\r\n\x1A\n", 8);
  if (!problem)
    problem = write_chunk(writer, "IHDR", header, sizeof header, NULL);
  return problem || !map->params
             ? problem
             : write_chunk(writer, "tEXt", KEYWORD, sizeof KEYWORD, map->params);
}

/* ---- Filter ---- */

static inline int16_t magnitude(int16_t v) {
  return (int16_t)(v < 0 ? -v : v);
}

/* Returns all ones if a condition holds, or 0. */
static inline int16_t mask(int condition) {
  return (int16_t)-condition;
}

/* Paeth's filter (PNG specification, 9.4): the difference to whichever of the bytes to the left,
 * above, and above to the left is nearest to left + above - corner. No branches: a compiler makes
 * vectors of it. */
static void filter(unsigned char *restrict out, const unsigned char *row, const unsigned char *left,
                   const unsigned char *above, const unsigned char *corner, size_t bytes) {
#ifndef __clang__ /* it needs no asking */
#pragma omp simd
#endif
  for (size_t i = 0; i < bytes; i++) {
    const int16_t a = left[i], b = above[i], c = corner[i];
    const int16_t to_a = magnitude((int16_t)(b - c)), to_b = magnitude((int16_t)(a - c));
    const int16_t to_c = magnitude((int16_t)(a + b - 2 * c));
    const int16_t not_a = mask((to_a > to_b) | (to_a > to_c)), not_b = mask(to_b > to_c);
    const int16_t b_or_c = (int16_t)((b & ~not_b) | (c & not_b));
    out[i] = (unsigned char)(row[i] - ((a & ~not_a) | (b_or_c & not_a)));
  }
}

/* Filters rows of a piece, each after the byte that names the filter. The first row does without
 * the one above, which another thread may have. */
static void filter_rows(const struct cli_piece *piece, size_t pixel, size_t row_bytes,
                        unsigned char *out) {
  enum { LEFT = 1, PAETH = 4 };
  static const unsigned char none[8] = {0}; /* left of the image */
  const unsigned char *row = piece->samples, *above = row;
  for (size_t y = 0; y < piece->rows; y++, above = row, row += row_bytes, out += row_bytes + 1) {
    out[0] = y == 0 ? LEFT : PAETH;
    for (size_t i = 0; i < row_bytes && y == 0; i++)
      out[1 + i] = (unsigned char)(row[i] - (i < pixel ? 0 : row[i - pixel]));
    if (y > 0) {
      filter(out + 1, row, none, above, none, pixel);
      filter(out + 1 + pixel, row + pixel, row, above + pixel, above, row_bytes - pixel);
    }
  }
}

/* ---- Compression ---- */

/* Strings in filtered noise are runs of one byte if there are any: looking for others takes three
 * times as long and makes a file no smaller. Where runs are rare, looking for them takes half of
 * the time and gains nothing. */
static int strategy_of(const unsigned char *data, size_t size) {
  enum { RARE = 128, RUN = 4 };
  size_t runs = 0;
  for (size_t i = RUN - 1; i < size; i++)
    /* NOLINTNEXTLINE(clang-analyzer-core.*): filter_rows has written all of it */
    runs += (data[i] == data[i - 1]) & (data[i] == data[i - 2]) & (data[i] == data[i - 3]);
  return runs < size / RARE ? Z_HUFFMAN_ONLY : Z_RLE;
}

/* Compresses until the output is full, or all data up to `end` are flushed. */
static void compress_some(z_stream *z, const unsigned char *end) {
  do {
    z->avail_in = end - z->next_in < CHUNK ? (uInt)(end - z->next_in) : CHUNK;
    deflate(z, z->next_in + z->avail_in == end ? Z_FULL_FLUSH : Z_NO_FLUSH);
  } while (z->next_in != end && z->avail_out > 0);
}

/* Compresses data to chunks. Those of the first piece begin with the head of zlib's format. */
static const char *compress_piece(struct cli_piece *piece, unsigned char *data, size_t size) {
  static const unsigned char zlib_head[] = {0x78, 0x01};
  struct cli_bytes *packed = &piece->packed;
  size_t head = piece->row == 0 ? sizeof zlib_head : 0;
  int is_full = 1; /* there is more */
  z_stream z = {.next_in = data};
  if (deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, strategy_of(data, size)) != Z_OK)
    return strerror(ENOMEM);
  while (is_full && cli_bytes_reserve(packed, CHUNK_HEAD + CHUNK + CHUNK_END)) {
    const size_t chunk = packed->size;
    memcpy(packed->data + chunk + CHUNK_HEAD, zlib_head, head);
    z.next_out = packed->data + chunk + CHUNK_HEAD + head;
    z.avail_out = (uInt)(CHUNK - head);
    compress_some(&z, data + size);
    packed->size = (size_t)(z.next_out - packed->data);
    if (z.next_out == packed->data + chunk + CHUNK_HEAD)
      packed->size = chunk; /* the one before took all */
    else
      end_chunk(packed, chunk, "IDAT");
    is_full = z.avail_out == 0;
    head = 0;
  }
  deflateEnd(&z);
  return is_full ? strerror(ENOMEM) : NULL;
}

/* ---- Pieces ---- */

/* The first row of a piece is a little larger than the others, so there are several to a piece,
 * unless they take too much memory. */
static void piece_unit(const struct cli_map *map, uint64_t unit[PERLANE_MAX_DIMS]) {
  enum { ROWS = 16, BYTES = 32 << 20 };
  const uint64_t rows = BYTES / (map->size[0] * cli_sample_bytes(map));
  unit[0] = map->size[0];
  unit[1] = rows < 1 ? 1 : rows < ROWS ? rows : ROWS;
}

static const char *pack(const void *opened, struct cli_piece *piece) {
  const struct writer *writer = opened;
  const size_t pixel = writer->channels * (size_t)(writer->bits / 8);
  const size_t row_bytes = piece->width * pixel, size = (row_bytes + 1) * piece->rows;
  unsigned char *filtered = malloc(size);
  if (!filtered)
    return strerror(ENOMEM);
  cli_order_bytes(piece->samples, piece->width * piece->rows * writer->channels, writer->bits, 1);
  filter_rows(piece, pixel, row_bytes, filtered);
  piece->check = adler32_z(adler32(0, NULL, 0), filtered, size);
  const char *problem = compress_piece(piece, filtered, size);
  free(filtered);
  return problem;
}

static const char *write_piece(void *opened, const struct cli_piece *piece) {
  struct writer *writer = opened;
  const size_t row_bytes = piece->width * writer->channels * (size_t)(writer->bits / 8);
  writer->check =
      adler32_combine(writer->check, piece->check, (z_off_t)((row_bytes + 1) * piece->rows));
  return write_bytes(writer, piece->packed.data, piece->packed.size);
}

/* An empty last block and the checksum end the stream. */
static const char *finish(void *opened) {
  const struct writer *writer = opened;
  unsigned char last[6] = {3};
  png_save_uint_32(last + 2, (png_uint_32)writer->check);
  const char *problem = write_chunk(writer, "IDAT", last, sizeof last, NULL);
  return problem ? problem : write_chunk(writer, "IEND", "", 0, NULL);
}

/* ---- Reading ---- */

struct reader {
  png_struct *png;
  png_info *info;
  size_t channels;
  int bits;
  char problem[160];
};

static void on_error(png_struct *png, const char *problem) {
  struct reader *reader = png_get_error_ptr(png);
  snprintf(reader->problem, sizeof reader->problem, "%s", problem);
  png_longjmp(png, 1);
}

static void on_warning(png_struct *png, const char *warning) {
  (void)png;
  (void)warning;
}

static void on_read(png_struct *png, unsigned char *data, size_t size) {
  FILE *stream = png_get_io_ptr(png);
  if (fread(data, 1, size, stream) != size)
    png_error(png, ferror(stream) ? strerror(errno) : CLI_CUT_OFF);
}

/* Reads up to the image data. Skips all optional chunks but texts. */
static const char *begin_reading(struct reader *reader, FILE *stream) {
  static const unsigned char texts[] = "tEXt\0zTXt\0iTXt";
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
  if (!reader->info)
    return strerror(ENOMEM);
  if (setjmp(png_jmpbuf(reader->png)))
    return reader->problem;
  png_set_read_fn(reader->png, stream, on_read);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(reader->png, CLI_MAX_CARRIED);
  png_set_crc_action(reader->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_benign_errors(reader->png, 0); /* data after the image's last row are an error */
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_AS_DEFAULT, texts, 3);
  png_read_info(reader->png, reader->info);
  return NULL;
}

static const char *open_png(void *opened, FILE *stream, const struct cli_map *map) {
  struct reader *reader = opened;
  const char *problem = begin_reading(reader, stream);
  reader->channels = (size_t)map->channels;
  reader->bits = map->bits;
  return problem ? problem
         : png_get_image_width(reader->png, reader->info) == map->size[0] &&
                 png_get_image_height(reader->png, reader->info) == map->size[1] &&
                 png_get_bit_depth(reader->png, reader->info) == map->bits &&
                 png_get_color_type(reader->png, reader->info) == colour_type(map) &&
                 png_get_interlace_type(reader->png, reader->info) == PNG_INTERLACE_NONE
             ? NULL
             : CLI_OTHER_LAYOUT;
}

static const char *read_png(void *opened, const struct cli_piece *piece, unsigned char *samples) {
  const struct reader *reader = opened;
  const size_t row_bytes = piece->width * reader->channels * (size_t)(reader->bits / 8);
  if (setjmp(png_jmpbuf(reader->png)))
    return reader->problem;
  for (size_t y = 0; y < piece->rows; y++)
    png_read_row(reader->png, samples + y * row_bytes, NULL);
  cli_order_bytes(samples, piece->width * piece->rows * reader->channels, reader->bits, 1);
  return NULL;
}

static const char *end_png(void *opened) {
  const struct reader *reader = opened;
  if (setjmp(png_jmpbuf(reader->png)))
    return reader->problem;
  png_read_end(reader->png, reader->info);
  return NULL;
}

static void close_png(void *opened) {
  struct reader *reader = opened;
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
}

/* Returns the text among those that have been read. */
static char *find_text(const struct reader *reader) {
  png_text *text = NULL;
  const int count = png_get_text(reader->png, reader->info, &text, NULL);
  for (int i = 0; i < count; i++)
    if (strcmp(text[i].key, KEYWORD) == 0)
      return strdup(text[i].text);
  return NULL;
}

/* Reads what another program may have put after the image. libpng unpacks the image for that, and
 * needs memory for a row. */
static const char *skip_image(struct reader *reader) {
  enum { MAX_ROW = 64 << 20 };
  if (png_get_rowbytes(reader->png, reader->info) > MAX_ROW)
    return NULL;
  if (setjmp(png_jmpbuf(reader->png)))
    return reader->problem;
  png_set_benign_errors(reader->png, 1); /* for rows that nobody reads */
  png_read_update_info(reader->png, reader->info);
  png_read_end(reader->png, reader->info);
  return NULL;
}

char *cli_png_text(FILE *stream, const char **problem) {
  static struct reader reader;
  reader = (struct reader){0};
  *problem = begin_reading(&reader, stream);
  char *text = *problem ? NULL : find_text(&reader);
  if (!*problem && !text) {
    *problem = skip_image(&reader);
    text = *problem ? NULL : find_text(&reader);
  }
  close_png(&reader);
  return text;
}

const struct cli_format CLI_PNG = {
    .suffix = ".png",
    .depths = 8 + 16,
    .usual = 16,
    .colour = 1,
    .images = 1,
    .longest = INT32_MAX,
    .piece_unit = piece_unit,
    .writer_bytes = sizeof(struct writer),
    .begin = begin,
    .pack = pack,
    .write = write_piece,
    .finish = finish,
    .reader_bytes = sizeof(struct reader),
    .open = open_png,
    .read = read_png,
    .end = end_png,
    .close = close_png,
};
