/* SPDX-License-Identifier: MIT
 *
 * PNG, grey or colour. libpng reports errors by longjmp; the functions here return them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <zlib.h>

#include "formats/format.h"

struct writer {
  FILE *stream;
  png_structp png;
  png_infop info;
  size_t channels;
  int bits;
  char problem[128];
};

static void keep_problem(struct writer *writer, const char *problem) {
  if (writer->problem[0] == '\0') /* the first problem is the cause */
    snprintf(writer->problem, sizeof writer->problem, "%s", problem);
}

static void on_error(png_structp png, png_const_charp message) {
  keep_problem(png_get_error_ptr(png), message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void on_write(png_structp png, png_bytep data, size_t size) {
  struct writer *writer = png_get_io_ptr(png);
  if (fwrite(data, 1, size, writer->stream) != size) {
    keep_problem(writer, strerror(errno));
    png_error(png, "write error");
  }
}

static void on_flush(png_structp png) {
  (void)png;
}

static void write_params(struct writer *writer, char *params) {
  char keyword[] = "perlane";
  png_text entry = {
      .compression = PNG_TEXT_COMPRESSION_NONE, /* for grep */
      .key = keyword,
      .text = params,
  };
  png_set_text(writer->png, writer->info, &entry, 1);
}

static void write_header(struct writer *writer, const struct cli_map *map) {
  png_structp png = writer->png;
  png_set_write_fn(png, writer, on_write, on_flush);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* the default is a million */
  png_set_IHDR(png, writer->info, (png_uint_32)map->size[0], (png_uint_32)map->size[1], map->bits,
               map->channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  /* The filter's differences of smooth noise repeat no strings: searching for them takes three
   * times as long and makes a file no smaller. */
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
  png_set_compression_strategy(png, Z_RLE);
  if (map->params)
    write_params(writer, map->params);
  png_write_info(png, writer->info);
}

static const char *begin(void *opened, FILE *stream, const struct cli_map *map) {
  struct writer *writer = opened;
  writer->stream = stream;
  writer->channels = (size_t)map->channels;
  writer->bits = map->bits;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
  if (writer->png)
    writer->info = png_create_info_struct(writer->png);
  if (!writer->info)
    return strerror(ENOMEM);
  if (setjmp(png_jmpbuf(writer->png)))
    return writer->problem;
  write_header(writer, map);
  return NULL;
}

static void block_unit(const struct cli_map *map, size_t unit[PERLANE_MAX_DIMS]) {
  unit[0] = (size_t)map->size[0]; /* libpng takes whole rows */
}

static const char *write_samples(void *opened, void *samples, size_t width, size_t rows) {
  struct writer *writer = opened;
  const size_t row_bytes = width * writer->channels * (size_t)(writer->bits / 8);
  const unsigned char *row = samples;
  cli_order_bytes(samples, width * rows * writer->channels, writer->bits, 1);
  if (setjmp(png_jmpbuf(writer->png)))
    return writer->problem;
  for (size_t y = 0; y < rows; y++)
    png_write_row(writer->png, row + y * row_bytes);
  return NULL;
}

static const char *finish(void *opened) {
  struct writer *writer = opened;
  if (setjmp(png_jmpbuf(writer->png)))
    return writer->problem;
  png_write_end(writer->png, writer->info);
  return NULL;
}

static void release(void *opened) {
  struct writer *writer = opened;
  png_destroy_write_struct(&writer->png, &writer->info);
}

const struct cli_format CLI_PNG = {
    .suffix = ".png",
    .depths = 8 + 16,
    .usual = 16,
    .colour = 1,
    .images = 1,
    .longest = INT32_MAX,
    .block_unit = block_unit,
    .writer_bytes = sizeof(struct writer),
    .begin = begin,
    .write = write_samples,
    .finish = finish,
    .release = release,
};
