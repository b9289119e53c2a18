/* SPDX-License-Identifier: MIT */
#include "map/map.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "formats/format.h"

#define MOST_SAMPLES ((uint64_t)1 << 53) /* along an axis: beyond, positions could not differ */

/* ---- Kinds of values ---- */

/* Reads 1 to 4 numbers with a separator between them; `scan` reads one of `size` bytes. Returns how
 * many there are, 0 if the text is not such a list. */
static int scan_list(const char *text, char separator, const char *(*scan)(const char *, void *),
                     size_t size, void *values) {
  for (int count = 0; count < PERLANE_MAX_DIMS; text++) {
    text = scan(text, (char *)values + (size_t)count++ * size);
    if (!text)
      return 0;
    if (*text == '\0')
      return count;
    if (*text != separator && (separator != 'x' || *text != 'X'))
      return 0;
  }
  return 0;
}

static const char *scan_samples(const char *text, void *value) {
  uint64_t *count = value;
  const char *end = cli_scan_count(text, count);
  return end && *count >= 1 && *count <= MOST_SAMPLES ? end : NULL;
}

static const char *scan_index(const char *text, void *value) {
  return cli_scan_i64(text, value);
}

static const char *scan_finite(const char *text, void *value) {
  const char *end = cli_scan_double(text, value);
  return end && isfinite(*(double *)value) ? end : NULL;
}

static const char *scan_step(const char *text, void *value) {
  const char *end = scan_finite(text, value);
  return end && *(double *)value != 0 ? end : NULL;
}

static int parse_size(const char *text, void *value) {
  struct cli_size *size = value;
  return (size->dims = scan_list(text, 'x', scan_samples, sizeof size->count[0], size->count)) != 0;
}

static void print_size(FILE *stream, const void *value) {
  const struct cli_size *size = value;
  if (size->dims == 0)
    fputs("1024x1024", stream);
  for (int a = 0; a < size->dims; a++)
    fprintf(stream, "%s%" PRIu64, a ? "x" : "", size->count[a]);
}

static int parse_origin(const char *text, void *value) {
  struct cli_origin *origin = value;
  return (origin->dims = scan_list(text, ',', scan_finite, sizeof origin->at[0], origin->at)) != 0;
}

static int parse_step(const char *text, void *value) {
  struct cli_step *step = value;
  return (step->dims = scan_list(text, ',', scan_step, sizeof step->by[0], step->by)) != 0;
}

static void print_axes(FILE *stream, const double *value, int dims) {
  for (int a = 0; a < dims; a++) {
    fputs(a ? "," : "", stream);
    cli_print_double(stream, value[a]);
  }
}

static void print_origin(FILE *stream, const void *value) {
  const struct cli_origin *origin = value;
  print_axes(stream, origin->at, origin->dims ? origin->dims : 2);
}

static void print_step(FILE *stream, const void *value) {
  const struct cli_step *step = value;
  const double standard = 1;
  print_axes(stream, step->dims ? step->by : &standard, step->dims ? step->dims : 1);
}

static int parse_first(const char *text, void *value) {
  struct cli_first *first = value;
  return (first->dims = scan_list(text, ',', scan_index, sizeof first->at[0], first->at)) != 0;
}

static void print_first(FILE *stream, const void *value) {
  const struct cli_first *first = value;
  const int dims = first->dims ? first->dims : 2;
  for (int a = 0; a < dims; a++)
    fprintf(stream, "%s%" PRId64, a ? "," : "", first->at[a]);
}

static int parse_range(const char *text, void *value) {
  struct cli_range *range = value;
  if (strcmp(text, "auto") == 0) {
    range->automatic = 1;
    return 1;
  }
  double level[2];
  const char *end = cli_scan_double(text, &level[0]);
  end = end && *end == ',' ? cli_scan_double(end + 1, &level[1]) : NULL;
  if (!end || *end != '\0' || !(fabs(level[0]) <= FLT_MAX) || !(fabs(level[1]) <= FLT_MAX))
    return 0;
  *range = (struct cli_range){.low = (float)level[0], .high = (float)level[1]};
  return 1;
}

static void print_range(FILE *stream, const void *value) {
  const struct cli_range *range = value;
  if (range->automatic) {
    fputs("auto", stream);
    return;
  }
  cli_print_float(stream, range->low);
  fputc(',', stream);
  cli_print_float(stream, range->high);
}

static const char *format_name(int index) {
  const struct cli_format *format = cli_format_at(index);
  return format ? format->suffix + 1 : NULL;
}

static const void *format_item(int index) {
  return cli_format_at(index);
}

static const char *compression_name(int index) {
  return CLI_COMPRESSIONS[index];
}

static const void *compression_item(int index) {
  return CLI_COMPRESSIONS[index];
}

static const struct cli_kind SIZE = {
    .expected = "WIDTHxHEIGHT, or 1 to 4 such numbers, each at least 1; k stands for 1024 and M "
                "for 1048576",
    .parse = parse_size,
    .print = print_size,
};
static const struct cli_kind AXES = {
    .names = (const struct cli_name[]){{"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {NULL, 0}},
};
static const struct cli_kind BITS = {
    .names = (const struct cli_name[]){{"8", 8}, {"16", 16}, {"32", 32}, {"auto", 0}, {NULL, 0}},
};
static const struct cli_kind ORIGIN = {
    .expected = "a finite number for each axis with commas between them, such as -3.5,2",
    .parse = parse_origin,
    .print = print_origin,
};
static const struct cli_kind STEP = {
    .expected = "a nonzero finite number, or one for each axis with commas between them",
    .parse = parse_step,
    .print = print_step,
};
static const struct cli_kind FIRST = {
    .expected = "whole numbers with commas between them, such as -512,1024, each from "
                "-9223372036854775808 to 9223372036854775807",
    .parse = parse_first,
    .print = print_first,
};
static const struct cli_kind RANGE = {
    .expected = "two numbers up to 3.4e38 with a comma between them, such as -0.5,0.5, or auto",
    .parse = parse_range,
    .print = print_range,
};
static const struct cli_kind FORMAT = {
    .list = format_name, .item = format_item, .none = "the suffix"};
static const struct cli_kind COMPRESSION = {.list = compression_name, .item = compression_item};

/* ---- The options ---- */

#define AT(member) offsetof(struct cli_map_options, member)

static const struct cli_option OPTIONS[] = {
    [CLI_MAP_OUTPUT] = {.heading = "Map",
                        CLI_OPTION("output", "FILE", &CLI_FILE, AT(file),
                                   "The file to write (required); - is the standard output."),
                        .letter = 'o',
                        .required = 1,
                        .in_text = CLI_NEVER},
    [CLI_MAP_FORMAT] = {CLI_OPTION("format", "NAME", &FORMAT, AT(format),
                                   "The format, whatever the file's suffix is."),
                        .in_text = CLI_NEVER},
    [CLI_MAP_SIZE] =
        {CLI_OPTION("size", "WxH[xD[xE]]", &SIZE, AT(size),
                    "Samples along each axis; one number for a square. k stands for 1024 and M for "
                    "1048576: 4k is 4096x4096."),
         .in_text = CLI_ALWAYS},
    [CLI_MAP_AXES] = {CLI_OPTION(
        "axes", "N", &AXES, AT(axes),
        "The number of axes for a --size of one number: 1 for a line, 3 for a cube.")},
    [CLI_MAP_BITS] =
        {CLI_OPTION(
             "bits", "N", &BITS, AT(bits),
             "Bits a sample: 8 or 16 for integers, 32 for floats. auto is 16, or 32 for .r32, "
             ".pfm and .npy."),
         .in_text = CLI_ALWAYS},
    [CLI_MAP_ORIGIN] = {CLI_OPTION("origin", "X,Y[,...]", &ORIGIN, AT(origin),
                                   "The position of the map's sample 0,0.")},
    [CLI_MAP_FIRST] = {CLI_OPTION(
        "first", "I,J[,...]", &FIRST, AT(first),
        "The index of the file's first sample in the map, the upper left pixel of an "
        "image: a tile has the samples that the whole map has there.")},
    [CLI_MAP_STEP] = {CLI_OPTION(
        "step", "F[,F...]", &STEP, AT(step),
        "Units of position from one sample to the next, along all axes or each.")},
    [CLI_MAP_RANGE] =
        {CLI_OPTION("range", "LOW,HIGH", &RANGE, AT(range),
                    "The values that become black and white, 0 and the largest integer; auto for "
                    "the bounds of the field's values."),
         .in_text = CLI_ALWAYS},
    [CLI_MAP_ENGINE] =
        {CLI_OPTION(
             "for",
             "ENGINE",
             &CLI_ENGINE, AT(engine),
             "Makes a terrain for a game engine: chooses the size and the format unless they "
             "are given, and refuses those that the engine does not import."),
         .in_text = CLI_NEVER},
    [CLI_MAP_COMPRESSION] = {CLI_OPTION("compression", "NAME", &COMPRESSION, AT(compression),
                                        "The compression of TIFF files.")},
    [CLI_MAP_BIGTIFF] = {CLI_OPTION(
        "bigtiff", NULL, &CLI_SWITCH, AT(bigtiff),
        "Makes a TIFF file a BigTIFF, as those near 4 GB and larger are anyway.")},
};

struct cli_map_options cli_map_default(void) {
  return (struct cli_map_options){
      .axes = 2,
      .range = {-1, 1, 0},
      .compression = CLI_COMPRESSIONS[0],
  };
}

struct cli_group cli_map_group(struct cli_map_options *map) {
  static struct cli_map_options defaults;
  defaults = cli_map_default();
  return (struct cli_group){
      .option = OPTIONS,
      .count = sizeof OPTIONS / sizeof OPTIONS[0],
      .values = map,
      .defaults = &defaults,
  };
}

double cli_map_step(const struct cli_map_options *map, int axis) {
  const struct cli_step *step = &map->step;
  return step->dims == 0 ? 1 : step->by[step->dims == 1 ? 0 : axis];
}
