/* SPDX-License-Identifier: MIT
 *
 * Prints a PNG as text: a line with its width, height, bits a sample and colour type, then its
 * samples as they are in the file, one line a row.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <png.h>

struct reader {
  png_structp png;
  png_infop info;
  png_bytep row;
};

static void print_row(const unsigned char *row, size_t samples, int bits) {
  for (size_t i = 0; i < samples; i++) {
    const unsigned sample = bits == 16 ? (unsigned)row[2 * i] << 8 | row[2 * i + 1] : row[i];
    printf("%s%u", i == 0 ? "" : " ", sample);
  }
  putchar('\n');
}

/* 0, or 1 if libpng found an error, which it has printed. */
static int print_image(struct reader *reader, FILE *file) {
  if (setjmp(png_jmpbuf(reader->png)))
    return 1;
  png_init_io(reader->png, file);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_read_info(reader->png, reader->info);
  const png_uint_32 width = png_get_image_width(reader->png, reader->info);
  const png_uint_32 height = png_get_image_height(reader->png, reader->info);
  const int bits = png_get_bit_depth(reader->png, reader->info);
  const png_uint_32 channels = png_get_channels(reader->png, reader->info);
  printf("%lu %lu %d %d\n", (unsigned long)width, (unsigned long)height, bits,
         png_get_color_type(reader->png, reader->info));
  reader->row = malloc(png_get_rowbytes(reader->png, reader->info));
  if (!reader->row || bits < 8 ||
      png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE)
    png_error(reader->png, "not an image that this program can print");
  for (png_uint_32 y = 0; y < height; y++) {
    png_read_row(reader->png, reader->row, NULL);
    print_row(reader->row, (size_t)width * channels, bits);
  }
  png_read_end(reader->png, NULL); /* which checks the checksums up to the end */
  return 0;
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: cli_pixels FILE.png\n");
    return 2;
  }
  struct reader reader = {0};
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  if (reader.png)
    reader.info = png_create_info_struct(reader.png);
  int status = reader.info ? print_image(&reader, file) : 1;
  if (status == 0 && fgetc(file) != EOF) {
    fprintf(stderr, "%s: there are bytes after the image\n", argv[1]);
    status = 1;
  }
  png_destroy_read_struct(&reader.png, &reader.info, NULL);
  free(reader.row);
  fclose(file);
  return fflush(stdout) == 0 ? status : 1;
}
