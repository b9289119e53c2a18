/* SPDX-License-Identifier: MIT
 *
 * perlane fill: an image of a 2D field, made in bands of rows so that memory does not grow with
 * its height.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "commands.h"
#include "image.h"
#include "options.h"
#include "output.h"

/* 3 MiB: below the size from which a fill bypasses the caches, as the samples are read at once. */
enum { BAND_SAMPLES = 768 * 1024 };

#define MOST_PIXELS INT32_MAX /* along one axis of a PNG */

static const struct cli_command FILL = {
    .name = "fill",
    .synopsis = "-o FILE.png [OPTION]...",
    .about =
        "Writes a grey PNG of a 2D field, one pixel a unit of position, with -1 as black and 1 as\n"
        "white: a value v is the pixel round((v + 1)/2 * 65535), or * 255 with 8 bits, halves\n"
        "rounded up. A line on stderr says how long the library took.",
    .examples = "  perlane fill -o noise.png --octaves 6 --frequency 0.008\n"
                "  perlane fill -o tile.png --octaves 6 --size 256x256 --first 512,-256\n",
};

struct fill_options {
  const char *file;
  uint32_t size[2];
  int bits;
  double origin[2];
  int64_t first[2];
};

static int parse_text(const char *text, void *value) {
  *(const char **)value = text;
  return 1;
}

static int parse_size(const char *text, void *value) {
  uint64_t size[2];
  const char *end = cli_scan_decimal(text, &size[0]);
  if (end && (*end == 'x' || *end == 'X'))
    end = cli_scan_decimal(end + 1, &size[1]);
  else
    return 0;
  if (!end || *end != '\0')
    return 0;
  for (int a = 0; a < 2; a++) {
    if (size[a] < 1 || size[a] > MOST_PIXELS)
      return 0;
    ((uint32_t *)value)[a] = (uint32_t)size[a];
  }
  return 1;
}

static void print_size(FILE *stream, const void *value) {
  const uint32_t *size = value;
  fprintf(stream, "%" PRIu32 "x%" PRIu32, size[0], size[1]);
}

static int parse_bits(const char *text, void *value) {
  const int bits = strcmp(text, "8") == 0 ? 8 : strcmp(text, "16") == 0 ? 16 : 0;
  if (bits != 0)
    *(int *)value = bits;
  return bits != 0;
}

static void print_bits(FILE *stream, const void *value) {
  fprintf(stream, "%d", *(const int *)value);
}

static int parse_origin(const char *text, void *value) {
  double *origin = value;
  const char *end = cli_scan_double(text, &origin[0]);
  end = end && *end == ',' ? cli_scan_double(end + 1, &origin[1]) : NULL;
  return end && *end == '\0' && isfinite(origin[0]) && isfinite(origin[1]);
}

static void print_origin(FILE *stream, const void *value) {
  const double *origin = value;
  cli_print_double(stream, origin[0]);
  fputc(',', stream);
  cli_print_double(stream, origin[1]);
}

static int parse_first(const char *text, void *value) {
  int64_t *first = value;
  const char *end = cli_scan_i64(text, &first[0]);
  end = end && *end == ',' ? cli_scan_i64(end + 1, &first[1]) : NULL;
  return end && *end == '\0';
}

static void print_first(FILE *stream, const void *value) {
  const int64_t *first = value;
  fprintf(stream, "%" PRId64 ",%" PRId64, first[0], first[1]);
}

static const struct cli_kind TEXT = {.parse = parse_text};
static const struct cli_kind SIZE = {
    .wrong = "impossible size",
    .expected = "WIDTHxHEIGHT, each from 1 to 2147483647",
    .parse = parse_size,
    .print = print_size,
};
static const struct cli_kind BITS = {
    .wrong = "impossible depth",
    .expected = "8 or 16",
    .parse = parse_bits,
    .print = print_bits,
};
static const struct cli_kind ORIGIN = {
    .wrong = "not a position",
    .expected = "two finite numbers with a comma between them, such as -3.5,2",
    .parse = parse_origin,
    .print = print_origin,
};
static const struct cli_kind FIRST = {
    .wrong = "not a pair of indices",
    .expected = "two whole numbers with a comma between them, such as -512,1024, each from\n"
                "-9223372036854775808 to 9223372036854775807",
    .parse = parse_first,
    .print = print_first,
};

static const struct cli_option OPTIONS[] = {
    {
        .name = "output",
        .placeholder = "FILE.png",
        .kind = &TEXT,
        .offset = offsetof(struct fill_options, file),
        .letter = 'o',
        .required = 1,
        .help = "the file to write (required)",
    },
    {
        .name = "size",
        .placeholder = "WxH",
        .kind = &SIZE,
        .offset = offsetof(struct fill_options, size),
        .help = "width and height in pixels",
    },
    {
        .name = "bits",
        .placeholder = "8|16",
        .kind = &BITS,
        .offset = offsetof(struct fill_options, bits),
        .help = "bits a pixel",
    },
    {
        .name = "origin",
        .placeholder = "X,Y",
        .kind = &ORIGIN,
        .offset = offsetof(struct fill_options, origin),
        .help = "position of the map's sample 0,0",
    },
    {
        .name = "first",
        .placeholder = "I,J",
        .kind = &FIRST,
        .offset = offsetof(struct fill_options, first),
        .help = "the map's sample that is the image's upper left pixel:\n"
                "a tile has the pixels that the whole map has there",
    },
};

static struct fill_options fill_default(void) {
  return (struct fill_options){.size = {1024, 1024}, .bits = 16};
}

static struct cli_group fill_group(struct fill_options *options) {
  return (struct cli_group){
      .title = "The image",
      .option = OPTIONS,
      .count = sizeof OPTIONS / sizeof OPTIONS[0],
      .values = options,
  };
}

/* ---- The image ---- */

struct fill {
  const struct fill_options *options;
  const perlane_noise *noise;
  perlane_grid grid;
  size_t columns, rows; /* samples that are computed at a time */
  float *samples;
  size_t row_bytes;
  unsigned char *pixels; /* rows of the whole width */
  double seconds;        /* spent in perlane_fill */
};

/* Whether the library accepts the image's first and last sample, which bound all others. */
static perlane_status check_ends(const struct fill_options *options, const perlane_noise *noise) {
  perlane_grid grid = perlane_grid_make(1, 1, 0, 0);
  for (int a = 0; a < 2; a++) {
    grid.origin[a] = options->origin[a];
    grid.first[a] = options->first[a];
    if (options->size[a] < 1)
      return PERLANE_ERROR_COUNT;
    if (options->first[a] > INT64_MAX - ((int64_t)options->size[a] - 1))
      return PERLANE_ERROR_RANGE;
  }
  float sample;
  const perlane_status status = perlane_fill(noise, &grid, &sample);
  if (status != PERLANE_OK)
    return status;
  for (int a = 0; a < 2; a++)
    grid.first[a] += (int64_t)options->size[a] - 1;
  return perlane_fill(noise, &grid, &sample);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static unsigned pixel_of(float sample, double most) {
  const double pixel = round(((double)sample + 1) / 2 * most);
  return (unsigned)(pixel < 0 ? 0 : pixel > most ? most : pixel);
}

/* Computes the samples of grid, which is part of a band, and makes them the band's pixels from
 * column x on. */
static perlane_status fill_part(struct fill *fill, size_t x) {
  const double begin = now();
  const perlane_status status = perlane_fill(fill->noise, &fill->grid, fill->samples);
  fill->seconds += now() - begin;
  if (status != PERLANE_OK)
    return status;
  const size_t columns = fill->grid.count[0], rows = fill->grid.count[1];
  for (size_t r = 0; r < rows; r++) {
    const float *sample = fill->samples + r * columns;
    unsigned char *row = fill->pixels + r * fill->row_bytes;
    if (fill->options->bits == 8) {
      for (size_t i = 0; i < columns; i++)
        row[x + i] = (unsigned char)pixel_of(sample[i], 255);
      continue;
    }
    for (size_t i = 0; i < columns; i++) {
      const unsigned pixel = pixel_of(sample[i], 65535);
      row[2 * (x + i)] = (unsigned char)(pixel >> 8);
      row[2 * (x + i) + 1] = (unsigned char)(pixel & 255);
    }
  }
  return PERLANE_OK;
}

static const char *write_rows(struct fill *fill, struct cli_image *image) {
  const size_t width = fill->options->size[0], height = fill->options->size[1];
  perlane_grid *grid = &fill->grid;
  for (size_t y = 0; y < height; y += fill->rows) {
    grid->first[1] = fill->options->first[1] + (int64_t)y;
    grid->count[1] = height - y < fill->rows ? height - y : fill->rows;
    for (size_t x = 0; x < width; x += fill->columns) {
      grid->first[0] = fill->options->first[0] + (int64_t)x;
      grid->count[0] = width - x < fill->columns ? width - x : fill->columns;
      const perlane_status status = fill_part(fill, x);
      if (status != PERLANE_OK)
        return perlane_status_string(status);
    }
    for (size_t r = 0; r < grid->count[1]; r++) {
      const char *problem = cli_image_row(image, fill->pixels + r * fill->row_bytes);
      if (problem)
        return problem;
    }
  }
  return cli_image_finish(image);
}

/* Writes the file. Returns 0, or the exit status after a message. */
static int write_file(struct fill *fill) {
  const struct fill_options *options = fill->options;
  struct cli_output output;
  const char *problem = cli_output_open(&output, options->file);
  if (problem)
    return cli_fail(&FILL, "cannot create '%s': %s", options->file, problem);
  struct cli_image image;
  problem =
      cli_image_begin(&image, output.stream, options->size[0], options->size[1], options->bits);
  if (!problem) {
    problem = write_rows(fill, &image);
    cli_image_free(&image);
  }
  if (problem)
    cli_output_drop(&output);
  else
    problem = cli_output_close(&output);
  if (problem)
    return cli_fail(&FILL, "cannot write '%s': %s", options->file, problem);
  return 0;
}

static int make_image(const struct fill_options *options, const perlane_noise *noise) {
  const size_t width = options->size[0], height = options->size[1];
  struct fill fill = {.options = options, .noise = noise, .grid = perlane_grid_make(1, 1, 0, 0)};
  for (int a = 0; a < 2; a++)
    fill.grid.origin[a] = options->origin[a];
  fill.columns = width < BAND_SAMPLES ? width : BAND_SAMPLES;
  fill.rows = BAND_SAMPLES / fill.columns;
  if (fill.rows > height)
    fill.rows = height;
  fill.row_bytes = width * (size_t)(options->bits / 8);
  fill.samples = malloc(fill.columns * fill.rows * sizeof *fill.samples);
  fill.pixels = malloc(fill.row_bytes * fill.rows); /* one row, or at most 2 * BAND_SAMPLES */
  int status = CLI_FAILURE;
  if (fill.samples && fill.pixels) {
    /* Otherwise the first fill's time would be that of the system handing out the pages. */
    memset(fill.samples, 1, fill.columns * fill.rows * sizeof *fill.samples);
    status = write_file(&fill);
  } else {
    cli_fail(&FILL, "not enough memory for rows of %zu pixels", width);
  }
  free(fill.samples);
  free(fill.pixels);
  if (status == 0) {
    const double samples = (double)width * (double)height;
    const int32_t octaves = noise->params.octaves;
    fprintf(stderr, "%s: %zux%zu, %" PRId32 " octave%s, %s, %.6f s, %.4g samples per second\n",
            options->file, width, height, octaves, octaves == 1 ? "" : "s",
            perlane_isa_name(perlane_isa_current()), fill.seconds,
            fill.seconds > 0 ? samples / fill.seconds : 0.0);
  }
  return status;
}

static int is_png(const char *file) {
  const size_t length = strlen(file);
  return length >= 4 && strcasecmp(file + length - 4, ".png") == 0;
}

static int refuse_grid(const struct fill_options *options, perlane_status status) {
  return cli_refuse(&FILL,
                    "--first %" PRId64 ",%" PRId64 " --origin %.17g,%.17g --size %" PRIu32
                    "x%" PRIu32 ": %s",
                    options->first[0], options->first[1], options->origin[0], options->origin[1],
                    options->size[0], options->size[1], perlane_status_string(status));
}

int cli_fill(int argc, char **argv) {
  struct cli_field field = cli_field_default();
  struct fill_options options = fill_default();
  struct cli_group groups[] = {fill_group(&options), cli_field_group(&field)};
  switch (cli_parse(&FILL, argc, argv, groups, 2)) {
  case CLI_PARSED:
    break;
  case CLI_WANTS_HELP:
    field = cli_field_default();
    options = fill_default();
    return cli_help(&FILL, groups, 2);
  case CLI_WRONG:
    return CLI_USAGE;
  }
  if (!options.file)
    return cli_refuse(&FILL, "-o FILE.png is missing: the file to write");
  if (!is_png(options.file))
    return cli_refuse(&FILL, "-o '%s': unknown format; the name must end in .png, the only format",
                      options.file);
  perlane_noise noise;
  const int status = cli_field_make(&FILL, &groups[1], &noise);
  if (status != 0)
    return status;
  const perlane_status ends = check_ends(&options, &noise);
  if (ends != PERLANE_OK)
    return refuse_grid(&options, ends);
  return make_image(&options, &noise);
}
