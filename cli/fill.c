/* SPDX-License-Identifier: MIT
 *
 * perlane fill: an image of a 2D field, made in bands of rows so that memory does not grow with
 * its height.
 */
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "commands.h"
#include "field.h"
#include "image.h"
#include "options.h"
#include "output.h"
#include "params.h"

/* At most 1.5 MiB: below the size from which a fill bypasses the caches, as pixels are read at
 * once. */
enum { BAND_PIXELS = 768 * 1024 };

#define MOST_PIXELS INT32_MAX /* along one axis of a PNG */

static const struct cli_command FILL = {
    .name = "fill",
    .synopsis = "-o FILE.png [OPTION]...",
    .about = "Writes a grey PNG of a 2D field, one pixel a unit of position, with -1 as black\n"
             "and 1 as white. With --range LOW,HIGH a value v is the pixel\n"
             "(v - LOW)/(HIGH - LOW) * 65535, or * 255 with 8 bits, rounded to nearest, ties\n"
             "to even, and held at both ends. A line on stderr says how long the library took.",
    .examples = "Terrain: hills of 1/0.002 = 500 pixels, and 8 octaves of detail on them.\n"
                "  perlane fill -o map.png --size 2k --frequency 0.002 --octaves 8\n"
                "The tile of that map at column 512 and row 256, with the same pixels.\n"
                "  perlane fill -o tile.png --params-of map.png --size 256 --first 512,256\n"
                "Mountain crests: ridged octaves, weaker in the valleys.\n"
                "  perlane fill -o crests.png --fractal ridged --octaves 7 \\\n"
                "    --frequency 0.004 --weighted-strength 0.4\n"
                "A texture that repeats: 8 cells of 1/0.03125 = 32 pixels are its 256.\n"
                "  perlane fill -o wrap.png --size 256 --frequency 0.03125 --period 8,8\n"
                "Noise of the kind of 1985, its whole range of values from black to white.\n"
                "  perlane fill -o classic.png --preset classic --frequency 0.02 --range auto\n",
};

struct fill_options {
  const char *file;
  uint32_t size[2];
  int bits;
  double origin[2];
  int64_t first[2];
  struct range {
    float low, high;
    int automatic; /* the field's own, which are not known yet */
  } range;
};

static int parse_size(const char *text, void *value) {
  uint64_t size[2];
  const char *end = cli_scan_count(text, &size[0]);
  size[1] = size[0]; /* of a square */
  if (end && (*end == 'x' || *end == 'X'))
    end = cli_scan_count(end + 1, &size[1]);
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

static int parse_range(const char *text, void *value) {
  struct range *range = value;
  if (strcmp(text, "auto") == 0) {
    range->automatic = 1;
    return 1;
  }
  double level[2];
  const char *end = cli_scan_double(text, &level[0]);
  end = end && *end == ',' ? cli_scan_double(end + 1, &level[1]) : NULL;
  if (!end || *end != '\0' || !(fabs(level[0]) <= FLT_MAX) || !(fabs(level[1]) <= FLT_MAX))
    return 0;
  *range = (struct range){.low = (float)level[0], .high = (float)level[1]};
  return 1;
}

static void print_range(FILE *stream, const void *value) {
  const struct range *range = value;
  if (range->automatic)
    fputs("auto", stream);
  else
    fprintf(stream, "%.9g,%.9g", (double)range->low, (double)range->high);
}

static const struct cli_kind SIZE = {
    .wrong = "impossible size",
    .expected = "WIDTHxHEIGHT, or one number for a square, each from 1 to 2147483647; k stands\n"
                "for 1024 and M for 1048576: 4k is 4096x4096",
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
static const struct cli_kind RANGE = {
    .wrong = "not a range",
    .expected = "two numbers with a comma between them, such as -0.5,0.5, or auto",
    .parse = parse_range,
    .print = print_range,
};

static const struct cli_option OPTIONS[] = {
    {
        .name = "output",
        .placeholder = "FILE.png",
        .kind = &CLI_TEXT,
        .offset = offsetof(struct fill_options, file),
        .letter = 'o',
        .required = 1,
        .local = 1,
        .help = "the file to write (required)",
    },
    {
        .name = "size",
        .placeholder = "WxH",
        .kind = &SIZE,
        .offset = offsetof(struct fill_options, size),
        .help = "width and height in pixels, or one number for a square; k stands for 1024 and M "
                "for 1048576, so 4k is 4096x4096",
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
        .help = "the map's sample that is the image's upper left pixel: a tile has the pixels that "
                "the whole map has there",
    },
    {
        .name = "range",
        .placeholder = "LOW,HIGH",
        .kind = &RANGE,
        .offset = offsetof(struct fill_options, range),
        .help = "the values that become black and white; auto for the bounds that the field's "
                "options give its values",
    },
};

static struct fill_options fill_default(void) {
  return (struct fill_options){.size = {1024, 1024}, .bits = 16, .range = {-1, 1, 0}};
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
  perlane_grid grid; /* a band: some rows of the whole width */
  void *pixels;
  double seconds;     /* spent in the library */
  const char *params; /* that the file carries */
};

static perlane_status fill_pixels(const struct fill_options *options, const perlane_noise *noise,
                                  const perlane_grid *grid, void *pixels) {
  const float low = options->range.low, high = options->range.high;
  return options->bits == 8 ? perlane_fill_u8(noise, grid, low, high, pixels)
                            : perlane_fill_u16(noise, grid, low, high, pixels);
}

/* Whether the library accepts the image's first and last sample, which bound all others. */
static perlane_status check_ends(const struct fill_options *options, const perlane_noise *noise) {
  perlane_grid grid = perlane_grid_make(1, 1, 0, 0);
  for (int a = 0; a < 2; a++) {
    grid.origin[a] = options->origin[a];
    grid.first[a] = options->first[a];
    if (options->first[a] > INT64_MAX - ((int64_t)options->size[a] - 1))
      return PERLANE_ERROR_RANGE;
  }
  uint16_t pixel;
  const perlane_status status = fill_pixels(options, noise, &grid, &pixel);
  if (status != PERLANE_OK)
    return status;
  for (int a = 0; a < 2; a++)
    grid.first[a] += (int64_t)options->size[a] - 1;
  return fill_pixels(options, noise, &grid, &pixel);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A PNG has the upper byte first. */
static void order_bytes(uint16_t *pixel, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint16_t value = pixel[i];
    unsigned char *byte = (unsigned char *)&pixel[i];
    byte[0] = (unsigned char)(value >> 8);
    byte[1] = (unsigned char)(value & 255);
  }
}

static const char *write_rows(struct fill *fill, struct cli_image *image) {
  const size_t width = fill->options->size[0], height = fill->options->size[1];
  const size_t band = fill->grid.count[1], row_bytes = width * (size_t)(fill->options->bits / 8);
  for (size_t y = 0; y < height; y += band) {
    const size_t rows = height - y < band ? height - y : band;
    fill->grid.first[1] = fill->options->first[1] + (int64_t)y;
    fill->grid.count[1] = rows;
    const double begin = now();
    const perlane_status status =
        fill_pixels(fill->options, fill->noise, &fill->grid, fill->pixels);
    fill->seconds += now() - begin;
    if (status != PERLANE_OK)
      return perlane_status_string(status);
    if (fill->options->bits == 16)
      order_bytes(fill->pixels, width * rows);
    for (size_t r = 0; r < rows; r++) {
      const char *problem =
          cli_image_row(image, (const unsigned char *)fill->pixels + r * row_bytes);
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
  problem = cli_image_begin(&image, output.stream, options->size[0], options->size[1],
                            options->bits, fill->params);
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

static int make_image(const struct fill_options *options, const perlane_noise *noise,
                      int32_t octaves, const char *params) {
  const size_t width = options->size[0], height = options->size[1];
  const size_t most = width < BAND_PIXELS ? BAND_PIXELS / width : 1;
  struct fill fill = {
      .options = options,
      .noise = noise,
      .params = params,
      .grid = perlane_grid_make(width, height < most ? height : most, 0, 0),
  };
  for (int a = 0; a < 2; a++) {
    fill.grid.origin[a] = options->origin[a];
    fill.grid.first[a] = options->first[a];
  }
  const size_t bytes = width * fill.grid.count[1] * (size_t)(options->bits / 8);
  fill.pixels = malloc(bytes);
  if (!fill.pixels)
    return cli_fail(&FILL, "not enough memory for rows of %zu pixels", width);
  /* Otherwise the first fill's time would be that of the system handing out the pages. */
  memset(fill.pixels, 1, bytes);
  const int status = write_file(&fill);
  free(fill.pixels);
  if (status == 0)
    fprintf(stderr, "%s: %zux%zu, %" PRId32 " octave%s, %s, %.6f s, %.4g samples per second\n",
            options->file, width, height, octaves, octaves == 1 ? "" : "s",
            perlane_isa_name(perlane_isa_current()), fill.seconds,
            fill.seconds > 0 ? (double)width * (double)height / fill.seconds : 0.0);
  return status;
}

static int is_png(const char *file) {
  const size_t length = strlen(file);
  return length >= 4 && strcasecmp(file + length - 4, ".png") == 0;
}

static int refuse_image(const struct fill_options *options, perlane_status status) {
  cli_begin_message(&FILL);
  if (status == PERLANE_ERROR_LEVELS) {
    fputs("--range ", stderr);
    print_range(stderr, &options->range);
  } else {
    fputs("--first ", stderr);
    print_first(stderr, options->first);
    fputs(" --origin ", stderr);
    print_origin(stderr, options->origin);
    fputs(" --size ", stderr);
    print_size(stderr, options->size);
  }
  fprintf(stderr, ": %s", perlane_status_string(status));
  return cli_end_refusal(&FILL);
}

/* A preset's own frequency puts every pixel on a lattice point, where gradient noise is 0. */
static void warn_of_zeros(const struct fill_options *options, const perlane_params *params) {
  const double whole[] = {params->frequency, params->lacunarity,
                          options->origin[0] * params->frequency,
                          options->origin[1] * params->frequency};
  for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
    if (whole[i] != floor(whole[i]))
      return;
  if (params->basis != PERLANE_BASIS_PERLIN)
    return;
  cli_begin_message(&FILL);
  fprintf(stderr,
          "note: with --frequency %g every pixel is on a lattice point, where noise is 0; "
          "try --frequency 0.02\n",
          params->frequency);
}

static int fill_image(struct fill_options *options, struct cli_field *field,
                      const struct cli_group *groups) {
  perlane_noise noise;
  int status = cli_field_make(&FILL, field, groups + 1, &noise);
  if (status == 0)
    status = cli_field_check_dims(&FILL, field, &noise, 2);
  if (status != 0)
    return status;
  if (options->range.automatic)
    perlane_range(&noise, 2, &options->range.low, &options->range.high);
  const perlane_status ends = check_ends(options, &noise);
  if (ends != PERLANE_OK)
    return refuse_image(options, ends);
  warn_of_zeros(options, &field->params);
  char *params = cli_params_text(&FILL, groups, 1 + CLI_FIELD_GROUPS, field);
  if (!params)
    return cli_fail(&FILL, "%s", strerror(ENOMEM));
  status = make_image(options, &noise, cli_field_octaves(field), params);
  free(params);
  return status == 0 ? cli_params_save(&FILL, groups, 1 + CLI_FIELD_GROUPS, field) : status;
}

static int check_file(const struct fill_options *options) {
  if (!options->file)
    return cli_refuse(&FILL, "-o FILE.png is missing: the file to write");
  if (!is_png(options->file))
    return cli_refuse(&FILL, "-o '%s': unknown format; the name must end in .png, the only format",
                      options->file);
  return 0;
}

int cli_fill(int argc, char **argv) {
  struct cli_field field = cli_field_default();
  struct fill_options options = fill_default();
  struct cli_group groups[1 + CLI_FIELD_GROUPS] = {fill_group(&options)};
  cli_field_groups(&field, groups + 1);
  switch (cli_parse(&FILL, argc, argv, groups, 1 + CLI_FIELD_GROUPS)) {
  case CLI_PARSED:
    break;
  case CLI_WANTS_HELP:
    field = cli_field_default();
    options = fill_default();
    return cli_help(&FILL, groups, 1 + CLI_FIELD_GROUPS);
  case CLI_WRONG:
    return CLI_USAGE;
  case CLI_FAILED:
    return CLI_FAILURE;
  }
  int status = check_file(&options);
  if (status == 0)
    status = fill_image(&options, &field, groups);
  cli_field_free(&field);
  return status;
}
