/* SPDX-License-Identifier: MIT
 *
 * libpng behind functions that return: it leaves its own by longjmp.
 */
#include "image.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>

#include <png.h>
#include <zlib.h>

static void keep_problem(struct cli_image *image, const char *problem) {
  if (image->problem[0] == '\0') /* the first one is the cause */
    snprintf(image->problem, sizeof image->problem, "%s", problem);
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
  struct cli_image *image = png_get_io_ptr(png);
  if (fwrite(data, 1, size, image->stream) != size) {
    keep_problem(image, strerror(errno));
    png_error(png, "write error");
  }
}

static void on_flush(png_structp png) {
  (void)png;
}

static void set_params(struct cli_image *image, const char *params) {
  enum { PLAIN = 4096 }; /* bytes that need no compression */
  char key[] = "perlane";
  const size_t length = strlen(params);
  png_text text;
  memset(&text, 0, sizeof text);
  text.compression = length > PLAIN ? PNG_TEXT_COMPRESSION_zTXt : PNG_TEXT_COMPRESSION_NONE;
  text.key = key;
  text.text = (char *)(uintptr_t)params; /* which libpng copies */
  text.text_length = length;
  png_set_text(image->png, image->info, &text, 1);
}

static void write_header(struct cli_image *image, uint32_t width, uint32_t height, int bits,
                         const char *params) {
  png_structp png = image->png;
  png_set_write_fn(png, image, on_write, on_flush);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* the default is a million */
  png_set_IHDR(png, image->info, width, height, bits, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  /* Smooth noise is all in the filter's differences, among which there are no strings to find:
   * with the search for them a file takes three times as long and is no smaller. */
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
  png_set_compression_strategy(png, Z_RLE);
  set_params(image, params);
  png_write_info(png, image->info);
}

const char *cli_image_begin(struct cli_image *image, FILE *stream, uint32_t width, uint32_t height,
                            int bits, const char *params) {
  memset(image, 0, sizeof *image);
  image->stream = stream;
  image->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, image, on_error, on_warning);
  if (image->png)
    image->info = png_create_info_struct(image->png);
  if (!image->info) {
    keep_problem(image, strerror(ENOMEM));
    cli_image_free(image);
    return image->problem;
  }
  if (setjmp(png_jmpbuf((png_structp)image->png))) {
    cli_image_free(image);
    return image->problem;
  }
  write_header(image, width, height, bits, params);
  return NULL;
}

const char *cli_image_row(struct cli_image *image, const unsigned char *row) {
  if (setjmp(png_jmpbuf((png_structp)image->png)))
    return image->problem;
  png_write_row(image->png, row);
  return NULL;
}

const char *cli_image_finish(struct cli_image *image) {
  if (setjmp(png_jmpbuf((png_structp)image->png)))
    return image->problem;
  png_write_end(image->png, image->info);
  return NULL;
}

void cli_image_free(struct cli_image *image) {
  png_structp png = image->png;
  png_infop info = image->info;
  png_destroy_write_struct(&png, &info);
  image->png = NULL;
  image->info = NULL;
}
