/* SPDX-License-Identifier: MIT */
#include "map/map.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- Kinds of values ---- */

static int differ(const struct cli_numbers *ends) {
  return ends->at[0].real != ends->at[1].real;
}

static int are_few(const struct cli_numbers *tiles) {
  const struct cli_tiles all = cli_map_tiles(&(struct cli_map_options){.tiles = *tiles});
  return cli_tiles_count(&all) <= CLI_MAX_TILES;
}

static const char *format_name(int index) {
  const struct cli_format *format = cli_format_at(index);
  return format ? format->suffix + 1 : NULL;
}

/* Beyond 2^53 samples, positions could not differ. */
static const struct cli_kind SIZE = CLI_NUMBERS(
    "WIDTHxHEIGHT, or 1 to 4 such numbers, each at least 1; k stands for 1024 and M for 1048576",
    "1024x1024", 0, PERLANE_MAX_DIMS, .separator = 'x', CLI_WHOLES(1, INT64_C(1) << 53));
static const struct cli_kind SCALE =
    CLI_NUMBERS("a whole number from 1 to 1024", NULL, 1, 1, CLI_WHOLES(1, 1024));
static const struct cli_kind ORIGIN =
    CLI_NUMBERS("a finite number for each axis with commas between them, such as -3.5,2", "0,0", 0,
                PERLANE_MAX_DIMS, CLI_REALS(DBL_MAX));
static const struct cli_kind STEP =
    CLI_NUMBERS("a nonzero finite number, or one for each axis with commas between them", NULL, 0,
                PERLANE_MAX_DIMS, .is_nonzero = 1, CLI_REALS(DBL_MAX));
static const struct cli_kind FIRST =
    CLI_NUMBERS("whole numbers with commas between them, such as -512,1024, each from "
                "-9223372036854775808 to 9223372036854775807",
                "0,0", 0, PERLANE_MAX_DIMS, CLI_WHOLES(INT64_MIN, INT64_MAX));
static const struct cli_kind RANGE = CLI_NUMBERS(
    "two numbers up to 3.4e38 with a comma between them, such as -0.5,0.5, or actual, or auto",
    "auto", 2, 2, .other = "actual", .takes_none = 1, CLI_REALS(FLT_MAX));
static const struct cli_kind SPACING =
    CLI_NUMBERS("a number above 0 and up to 1e6, or auto", "auto", 1, 1, .takes_none = 1,
                .is_nonzero = 1, .max.real = 1e6);
static const struct cli_kind HEIGHTS = CLI_NUMBERS(
    "two different numbers up to 1e20 with a comma between them, such as 0,2500, or natural",
    "none", 2, 2, .other = "natural", .accepts = differ, CLI_REALS(1e20));
const struct cli_kind CLI_TILES = CLI_NUMBERS(
    "COLUMNSxROWS, COLUMNSxROWSxPLANES, or one number for columns and rows, of at most "
    "65536 tiles",
    "none", 0, CLI_TILE_AXES, .separator = 'x', .accepts = are_few, CLI_WHOLES(1, CLI_MAX_TILES));
const struct cli_kind CLI_OVERLAP = CLI_NUMBERS("a whole number from 0 to 65536, or auto", "auto",
                                                0, 1, .takes_none = 1, CLI_WHOLES(0, 65536));
const struct cli_kind CLI_FORMAT = {.list = format_name, .none = "the suffix"};
static const struct cli_kind AXES = {
    .names = (const struct cli_name[]){{"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {NULL, 0}}};
static const struct cli_kind UNIT = {
    .names = (const struct cli_name[]){{"none", 0}, {"m", CLI_METRES}, {NULL, 0}}};
static const struct cli_kind BITS = {
    .names = (const struct cli_name[]){{"8", 8}, {"16", 16}, {"32", 32}, {"auto", 0}, {NULL, 0}}};

static int is_part(const struct cli_numbers *part) {
  return part->at[0].whole <= part->at[1].whole;
}

/* The number of parts is limited so that its products with remainders fit in 64 bits. */
const struct cli_kind CLI_PART =
    CLI_NUMBERS("K/N for the K-th of N parts, such as 3/8, K from 1 to N, N up to 1000000000", NULL,
                2, 2, .separator = '/', .accepts = is_part, CLI_WHOLES(1, 1000000000));

void cli_part_range(const struct cli_numbers *part, uint64_t count, int64_t range[2]) {
  const uint64_t number = (uint64_t)part->at[0].whole, parts = (uint64_t)part->at[1].whole;
  range[0] = (int64_t)(count * (number - 1) / parts);
  range[1] = (int64_t)(count * number / parts);
}

/* Reads a code of those that a GeoTIFF holds. Returns what follows it, or NULL. */
static const char *scan_code(const char *text, int *code) {
  int64_t number;
  const char *end = cli_scan_whole(text, &number);
  *code = (int)number;
  return end && number >= 1024 && number <= 32766 ? end : NULL;
}

static int parse_crs(const char *text, void *value) {
  struct cli_crs crs = {0, 0};
  const int is_none = strcmp(text, "none") == 0;
  const char *end =
      strncasecmp(text, "EPSG:", 5) == 0 ? scan_code(text + 5, &crs.horizontal) : NULL;
  if (end && *end == '+')
    end = scan_code(end + 1, &crs.vertical);
  if (!is_none && (!end || *end != '\0'))
    return 0;
  *(struct cli_crs *)value = crs;
  return 1;
}

static void print_crs(FILE *stream, const void *value) {
  const struct cli_crs *crs = value;
  fprintf(stream, crs->horizontal ? "EPSG:%d" : "none", crs->horizontal);
  if (crs->vertical)
    fprintf(stream, "+%d", crs->vertical);
}

const struct cli_kind CLI_CRS = {
    .expected = "EPSG: and a code from 1024 to 32766, such as EPSG:32633, with that of heights "
                "EPSG:32633+5773, or none",
    .parse = parse_crs,
    .print = print_crs,
};

/* Copies what is before two dots. Returns what is after them, or NULL. */
static const char *split_at_dots(const char *text, char before[32]) {
  const char *dots = strstr(text, "..");
  if (!dots || dots - text >= 32)
    return NULL;
  snprintf(before, 32, "%.*s", (int)(dots - text), text);
  return dots + 2;
}

static const char *const MASK_NAMES[CLI_MASK_KINDS] = {"none", "height=", "slope=", "river"};

static int parse_end(const char *text, double *end) {
  const char *rest = text ? cli_scan_double(text, end) : NULL;
  return rest && *rest == '\0' && fabs(*end) <= FLT_MAX;
}

static int parse_mask(const char *text, void *value) {
  struct cli_mask mask = {CLI_NO_MASK, 0, 0};
  char before[32];
  while (mask.kind < CLI_MASK_KINDS &&
         strncmp(text, MASK_NAMES[mask.kind], strlen(MASK_NAMES[mask.kind])) != 0)
    mask.kind++;
  if (mask.kind == CLI_MASK_KINDS)
    return 0;
  text += strlen(MASK_NAMES[mask.kind]);
  const int has_ends = mask.kind == CLI_HEIGHT_MASK || mask.kind == CLI_SLOPE_MASK;
  const char *after = split_at_dots(text, before);
  if (has_ends ? !parse_end(after ? before : NULL, &mask.low) || !parse_end(after, &mask.high) ||
                     mask.low == mask.high
               : *text != '\0')
    return 0;
  *(struct cli_mask *)value = mask;
  return 1;
}

static void print_mask(FILE *stream, const void *value) {
  const struct cli_mask *mask = value;
  fputs(MASK_NAMES[mask->kind], stream);
  if (mask->kind != CLI_HEIGHT_MASK && mask->kind != CLI_SLOPE_MASK)
    return;
  cli_print_real(stream, mask->low, 0);
  fputs("..", stream);
  cli_print_real(stream, mask->high, 0);
}

static const struct cli_kind MASK = {
    .expected = "slope=LOW..HIGH in degrees or height=LOW..HIGH in metres, two different numbers "
                "such as 30..45, or river, or none",
    .parse = parse_mask,
    .print = print_mask,
};

/* Takes an option of earlier versions, whose maps have the same samples without it. */
static int ignore(struct cli_command_line *line, void *values, char *text) {
  (void)line, (void)values, (void)text;
  return 0;
}

/* ---- The options ---- */

#define AT(member) offsetof(struct cli_map_options, member)

static const struct cli_option OPTIONS[] = {
    {"output", "FILE", &CLI_FILE, AT(file), .heading = "Map",
     .help = "The file to write (required); - is the standard output.", .letter = 'o',
     .required = 1, .in_text = CLI_NEVER},
    {"format", "NAME", &CLI_FORMAT, AT(format),
     .help = "The format, whatever FILE's suffix is. A FILE without a suffix gets that of the "
             "format.",
     .in_text = CLI_NEVER},
    {"size", "WxH[xD[xE]]", &SIZE, AT(size),
     .help = "Samples along each axis; one number for a square. k stands for 1024 and M for "
             "1048576: 4k is 4096x4096.",
     .stage = CLI_STAGE_PLACE, .in_text = CLI_ALWAYS},
    {"axes", "N", &AXES, AT(axes),
     .help = "The number of axes for a --size of one number: 1 for a line, 3 for a cube."},
    {"scale", "N", &SCALE, AT(scale),
     .help =
         "Makes the same map in N times as many samples along each axis that has several: "
         "multiplies --size, --first and --relief, and divides --step and --spacing. Tiles that "
         "overlap, and terrains with samples at their borders, keep these: 1025 become 4097 "
         "with 4.",
     .in_text = CLI_NEVER},
    {"bits", "N", &BITS, AT(bits),
     .help = "Bits per sample: 8 or 16 for integers, 32 for floats. auto is 32 for .r32, "
             ".npy and .exr, 8 for pictures, and 16 for all others.",
     .in_text = CLI_ALWAYS},
    {"origin", "X,Y[,...]", &ORIGIN, AT(origin), .help = "The position of the map's sample 0,0.",
     .stage = CLI_STAGE_PLACE},
    {"first", "I,J[,...]", &FIRST, AT(first),
     .help = "The index in the map of the file's first sample, the upper left pixel of an "
             "image. A tile contains the map's samples, bit for bit."},
    {"step", "F[,F...]", &STEP, AT(step),
     .help = "Units of position between samples, along each axis, or one "
             "number for all.",
     .stage = CLI_STAGE_PLACE},
    {"seamless", NULL, &CLI_SWITCH, AT(seamless),
     .help =
         "Makes a map that repeats where its copies meet: sets --period, and moves --frequency, "
         "--warp-frequency and --valley-cells to the nearest values that make whole cells.",
     .in_text = CLI_NEVER},
    {"range", "LOW,HIGH", &RANGE, AT(range),
     .help = "The values that become 0, black, and the largest integer, white. actual: the "
             "smallest and the largest value of the map, which takes a second pass. auto: the "
             "bounds of the field's values, the same for all its maps.",
     .in_text = CLI_ALWAYS, .excludes = CLI_IS_FLOATS | CLI_IS_MASK},
    {"heights", "LOW,HIGH", &HEIGHTS, AT(heights),
     .help =
         "Scales the map so that the two values of --range become LOW and HIGH, such as heights "
         "in metres: sets --value-scale, --value-offset and --range. natural: the heights of a "
         "look in nature. Makes floats where the format has them, unless --bits is given.",
     .in_text = CLI_NEVER, .excludes = CLI_IS_PICTURE | CLI_IS_MASK},
    {"spacing", "METRES", &SPACING, AT(spacing),
     .help =
         "The distance between samples, for --mask slope and for the engine of --for: if heights "
         "are in metres, by --heights LOW,HIGH or by a look, what to type there is printed, and "
         "written to FILE.txt. auto: the --step of a --crs that is known to be in metres; without "
         "--crs that of the look in nature, or 1 in an engine.",
     .needs = CLI_HAS_SETTINGS | CLI_HAS_SLOPES},
    {"mask", "MASK", &MASK, AT(mask),
     .help = "Writes a mask of the map instead. slope=LOW..HIGH is 0 up to LOW degrees, the "
             "largest integer from HIGH degrees on, and smooth between; height=LOW..HIGH likewise "
             "in metres, which --heights or a look defines; river is the largest integer in the "
             "beds of valleys and falls to 0 at a distance of 0.875 of their cells."},
    {"crs", "EPSG:CODE[+CODE]", &CLI_CRS, AT(crs),
     .help = "Makes a TIFF a GeoTIFF: positions are those of this coordinate system, and a "
             "pixel is a point. The --step along y must be negative, as rows go from north to "
             "south. A second code is the system of --heights: EPSG:32633+5773.",
     .needs = CLI_IS_TIFF},
    {"unit", "NAME", &UNIT, AT(unit), .in_text = CLI_TEXT_ONLY},
    {"for", "ENGINE", &CLI_ENGINE, AT(engine),
     .help = "Makes a terrain for a game engine: chooses the size and the format unless they "
             "are given, and refuses those that the engine does not import.",
     .stage = CLI_STAGE_PLACE, .in_text = CLI_NEVER, .excludes = CLI_IS_PICTURE},
    {"tiles", "NxM[xL]", &CLI_TILES, AT(tiles),
     .help = "Writes N columns and M rows of tiles, each of --size: -o map.png writes "
             "map_x0_y0.png (at --first), map_x1_y0.png, ..., and for Unity and Godot map_0_0.raw; "
             "-o 'map/{x}/{y}.png' gives each its place, in folders that are made. "
             "NxMxL writes L planes of them, map_x0_y0_z0.png, ..., or by {z}: 1x1xL tiles of "
             "WxHx1 are the frames of an animation, with one --range.",
     .stage = CLI_STAGE_PLACE, .in_text = CLI_NEVER, .excludes = CLI_IS_STREAM},
    {"overlap", "N", &CLI_OVERLAP, AT(overlap),
     .help = "The columns or rows of samples that neighbouring tiles share. auto is 1 for "
             "Unity and Godot; 0 for Unreal, whose World Partition places tiles side by side; "
             "and 0 without --for.",
     .stage = CLI_STAGE_PLACE, .in_text = CLI_NEVER, .needs = CLI_HAS_TILES},
    {"compression", "NAME", &CLI_TEXT, 0, .in_text = CLI_TEXT_ONLY, .apply = ignore},
    {"part", "K/N", &CLI_PART, AT(part),
     .help = "Writes the K-th of N parts of the tiles, row by row. Any number of "
             "processes on any machines may write parts at the same time.",
     .in_text = CLI_NEVER, .needs = CLI_HAS_TILES},
    {"look", "NAME", &CLI_LOOK, 0, .heading = "Look",
     .help = "Draws a look ('perlane looks' lists them): sets the field, and how "
             "its picture is drawn, for a map of --size, with --range actual. A larger --size "
             "draws the same land larger; with --params-of such a map, it draws more land. "
             "All other options, before or after it, override this.",
     .stage = CLI_STAGE_LOOK, .in_text = CLI_NEVER, .apply = cli_apply_look},
};

static const struct cli_map_options DEFAULTS = {
    .format = -1,
    .scale = {1, {{.whole = 1}}},
    .axes = 2,
    .step = {1, {{.real = 1}}},
    .engine = -1,
    .part = CLI_WHOLE,
};

void cli_add_map_options(struct cli_command_line *line, struct cli_map_options *map,
                         int is_foreign) {
  *map = DEFAULTS;
  cli_add_options(line, OPTIONS, CLI_COUNT(OPTIONS), map, &DEFAULTS, is_foreign);
}

double cli_map_step(const struct cli_map_options *map, int axis) {
  return map->step.at[map->step.count == 1 ? 0 : axis].real;
}

double cli_map_spacing(const struct cli_map_options *map, int axis) {
  return map->spacing.count > 0                            ? map->spacing.at[0].real
         : cli_crs_kind(map->crs.horizontal) == CLI_METRIC ? fabs(cli_map_step(map, axis))
         : map->crs.horizontal != 0                        ? 0
         : map->natural_spacing > 0                        ? map->natural_spacing
         : map->engine >= 0                                ? 1
                                                           : 0;
}
