/* SPDX-License-Identifier: MIT */
#include "map/map.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "formats/format.h"

#define MOST_SAMPLES ((uint64_t)1 << 53) /* along an axis: beyond, positions could not differ */

/* ---- Kinds of values ---- */

static int parse_size(const char *text, void *value) {
  struct cli_size size = {0};
  for (;; text++) {
    if (size.dims == PERLANE_MAX_DIMS)
      return 0;
    uint64_t *count = &size.count[size.dims++];
    text = cli_scan_count(text, count);
    if (!text || *count < 1 || *count > MOST_SAMPLES)
      return 0;
    if (*text == '\0')
      break;
    if (*text != 'x' && *text != 'X')
      return 0;
  }
  *(struct cli_size *)value = size;
  return 1;
}

static void print_size(FILE *stream, const void *value) {
  const struct cli_size *size = value;
  if (size->dims == 0)
    fputs("1024x1024", stream);
  for (int a = 0; a < size->dims; a++)
    fprintf(stream, "%s%" PRIu64, a ? "x" : "", size->count[a]);
}

static int parse_axes_number(const char *text, void *value) {
  if (text[0] < '1' || text[0] > '0' + PERLANE_MAX_DIMS || text[1] != '\0')
    return 0;
  *(int *)value = text[0] - '0';
  return 1;
}

static void print_axes_number(FILE *stream, const void *value) {
  fprintf(stream, "%d", *(const int *)value);
}

static int parse_bits(const char *text, void *value) {
  static const char *const depths[] = {"8", "16", "32"};
  for (int i = 0; i < 3; i++)
    if (strcmp(text, depths[i]) == 0) {
      *(int *)value = 8 << i;
      return 1;
    }
  return 0;
}

static void print_bits(FILE *stream, const void *value) {
  const int bits = *(const int *)value;
  if (bits == 0)
    fputs("the format's own", stream);
  else
    fprintf(stream, "%d", bits);
}

/* 1 to 4 finite numbers. Returns how many, 0 for none. */
static int scan_axes(const char *text, double value[PERLANE_MAX_DIMS]) {
  for (int dims = 0; dims < PERLANE_MAX_DIMS; text++) {
    text = cli_scan_double(text, &value[dims]);
    if (!text || !isfinite(value[dims]))
      return 0;
    dims++;
    if (*text == '\0')
      return dims;
    if (*text != ',')
      return 0;
  }
  return 0;
}

static void print_axes(FILE *stream, const double *value, int dims) {
  for (int a = 0; a < dims; a++) {
    if (a)
      fputc(',', stream);
    cli_print_double(stream, value[a]);
  }
}

static int parse_origin(const char *text, void *value) {
  struct cli_origin origin = {0};
  origin.dims = scan_axes(text, origin.at);
  if (origin.dims != 0)
    *(struct cli_origin *)value = origin;
  return origin.dims != 0;
}

static void print_origin(FILE *stream, const void *value) {
  const struct cli_origin *origin = value;
  print_axes(stream, origin->at, origin->dims ? origin->dims : 2);
}

static int parse_step(const char *text, void *value) {
  struct cli_step step = {0};
  step.dims = scan_axes(text, step.by);
  for (int a = 0; a < step.dims; a++)
    if (step.by[a] == 0)
      return 0;
  if (step.dims != 0)
    *(struct cli_step *)value = step;
  return step.dims != 0;
}

static void print_step(FILE *stream, const void *value) {
  const struct cli_step *step = value;
  const double standard = 1;
  print_axes(stream, step->dims ? step->by : &standard, step->dims ? step->dims : 1);
}

static int parse_first(const char *text, void *value) {
  struct cli_first first = {0};
  for (;; text++) {
    if (first.dims == PERLANE_MAX_DIMS)
      return 0;
    text = cli_scan_i64(text, &first.at[first.dims++]);
    if (!text)
      return 0;
    if (*text == '\0')
      break;
    if (*text != ',')
      return 0;
  }
  *(struct cli_first *)value = first;
  return 1;
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
  if (range->automatic)
    fputs("auto", stream);
  else
    fprintf(stream, "%.9g,%.9g", (double)range->low, (double)range->high);
}

static const char *format_name(int index) {
  const struct cli_format *format = cli_format_at(index);
  return format ? format->suffix + 1 : NULL;
}

static int parse_format(const char *text, void *value) {
  const char *name;
  for (int i = 0; (name = format_name(i)) != NULL; i++)
    if (strcmp(text, name) == 0) {
      *(const struct cli_format **)value = cli_format_at(i);
      return 1;
    }
  return 0;
}

static void print_format(FILE *stream, const void *value) {
  const struct cli_format *format = *(const struct cli_format *const *)value;
  fputs(format ? format->suffix + 1 : "the suffix", stream);
}

static int parse_compression(const char *text, void *value) {
  for (int i = 0; CLI_COMPRESSIONS[i]; i++)
    if (strcmp(text, CLI_COMPRESSIONS[i]) == 0) {
      *(const char **)value = CLI_COMPRESSIONS[i];
      return 1;
    }
  return 0;
}

static void print_compression(FILE *stream, const void *value) {
  fputs(*(const char *const *)value, stream);
}

static const char *compression_name(int index) {
  return CLI_COMPRESSIONS[index];
}

static const struct cli_kind SIZE = {
    .expected = "WIDTHxHEIGHT, or 1 to 4 such numbers, each at least 1; k stands for 1024 and M "
                "for 1048576",
    .parse = parse_size,
    .print = print_size,
};
static const struct cli_kind AXES = {
    .expected = "1, 2, 3 or 4",
    .parse = parse_axes_number,
    .print = print_axes_number,
};
static const struct cli_kind BITS = {
    .expected = "8, 16 or 32",
    .parse = parse_bits,
    .print = print_bits,
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
    .parse = parse_format,
    .print = print_format,
    .list = format_name,
};
static const struct cli_kind COMPRESSION = {
    .parse = parse_compression,
    .print = print_compression,
    .list = compression_name,
};

/* ---- The options ---- */

static const struct cli_option OPTIONS[] = {
    [CLI_MAP_OUTPUT] =
        {
            .heading = "Map",
            .name = "output",
            .placeholder = "FILE",
            .kind = &CLI_FILE,
            .offset = offsetof(struct cli_map_options, file),
            .letter = 'o',
            .required = 1,
            .in_text = CLI_NEVER,
            .help = "The file to write (required); - is the standard output.",
        },
    [CLI_MAP_FORMAT] =
        {
            .name = "format",
            .placeholder = "NAME",
            .kind = &FORMAT,
            .offset = offsetof(struct cli_map_options, format),
            .in_text = CLI_NEVER,
            .help = "The format, whatever the file's suffix is.",
        },
    [CLI_MAP_SIZE] =
        {
            .name = "size",
            .placeholder = "WxH[xD[xE]]",
            .kind = &SIZE,
            .offset = offsetof(struct cli_map_options, size),
            .in_text = CLI_ALWAYS,
            .help = "Samples along each axis; one number for a square. k stands for 1024 and M for "
                    "1048576: 4k is 4096x4096.",
        },
    [CLI_MAP_AXES] =
        {
            .name = "axes",
            .placeholder = "N",
            .kind = &AXES,
            .offset = offsetof(struct cli_map_options, axes),
            .help = "The number of axes for a --size of one number: 1 for a line, 3 for a cube.",
        },
    [CLI_MAP_BITS] =
        {
            .name = "bits",
            .placeholder = "8|16|32",
            .kind = &BITS,
            .offset = offsetof(struct cli_map_options, bits),
            .in_text = CLI_ALWAYS,
            .help = "Bits a sample: 8 or 16 for integers, 32 for floats. The format's own default "
                    "is 16, or 32 for .r32, .pfm and .npy.",
        },
    [CLI_MAP_ORIGIN] =
        {
            .name = "origin",
            .placeholder = "X,Y[,...]",
            .kind = &ORIGIN,
            .offset = offsetof(struct cli_map_options, origin),
            .help = "The position of the map's sample 0,0.",
        },
    [CLI_MAP_FIRST] =
        {
            .name = "first",
            .placeholder = "I,J[,...]",
            .kind = &FIRST,
            .offset = offsetof(struct cli_map_options, first),
            .help = "The index of the file's first sample in the map, the upper left pixel of an "
                    "image: a tile has the samples that the whole map has there.",
        },
    [CLI_MAP_STEP] =
        {
            .name = "step",
            .placeholder = "F[,F...]",
            .kind = &STEP,
            .offset = offsetof(struct cli_map_options, step),
            .help = "Units of position from one sample to the next, along all axes or each.",
        },
    [CLI_MAP_RANGE] =
        {
            .name = "range",
            .placeholder = "LOW,HIGH",
            .kind = &RANGE,
            .offset = offsetof(struct cli_map_options, range),
            .in_text = CLI_ALWAYS,
            .help = "The values that become black and white, 0 and the largest integer; auto for "
                    "the bounds of the field's values.",
        },
    [CLI_MAP_ENGINE] =
        {
            .name = "for",
            .placeholder = "ENGINE",
            .kind = &CLI_ENGINE,
            .offset = offsetof(struct cli_map_options, engine),
            .in_text = CLI_NEVER,
            .help =
                "Makes a terrain for a game engine: chooses the size and the format unless they "
                "are given, and refuses those that the engine does not import.",
        },
    [CLI_MAP_COMPRESSION] =
        {
            .name = "compression",
            .placeholder = "NAME",
            .kind = &COMPRESSION,
            .offset = offsetof(struct cli_map_options, compression),
            .help = "The compression of TIFF files.",
        },
    [CLI_MAP_BIGTIFF] =
        {
            .name = "bigtiff",
            .kind = &CLI_SWITCH,
            .offset = offsetof(struct cli_map_options, bigtiff),
            .help = "Makes a TIFF file a BigTIFF, as those near 4 GB and larger are anyway.",
        },
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
