/* SPDX-License-Identifier: MIT
 *
 * Options that do not go together. What an option needs, and what leaves it without an effect, are
 * two columns of its record; the rest are rules.
 */
#include <math.h>

#include "commands/commands.h"

/* Names of facts in sentences: "--part has no effect without ...", "--range has no effect on ...".
 */
static const struct {
  unsigned fact;
  const char *name;
} NAMES[] = {
    {CLI_IS_TIFF, "a .tif or .tiff file"},
    {CLI_IS_IMAGE_FILE, "a .png, .tif or .tiff file"},
    {CLI_IS_STREAM, "the standard output, a fifo or a device"},
    {CLI_HAS_TILES, "--tiles"},
    {CLI_IS_FLOATS, "floats, which are the field's own values"},
    {CLI_IS_PICTURE, "a picture in colours"},
    {CLI_IS_SHADED, "--shade"},
    {CLI_IS_NORMAL_MAP, "--normal-map"},
    {CLI_IS_MASK, "a mask; --mask none makes the map"},
    {CLI_HAS_SLOPES, "--mask slope"},
    {CLI_HAS_SETTINGS, "--for with --heights LOW,HIGH in metres, or with a look that has heights"},
};

/* Facts of rules alone. */
enum {
  PLANE = 1 << 16,    /* there are two axes */
  COLOURED = 1 << 17, /* by height or light */
  MASK = 1 << 18,     /* instead of a map */
  NEW = 1 << 19,      /* the mask is not of a text, which has its metres already */
  RIVERS = 1 << 20,
  VALLEYS = 1 << 21,
  METRES = 1 << 22,  /* heights are in metres */
  SPACED = 1 << 23,  /* the distance between samples is known */
  NATURAL = 1 << 24, /* --heights natural */
  LAND = 1 << 25     /* a look that has heights */
};

/* A map is refused if all facts of `with` hold, and none of `without` does. */
static const struct {
  unsigned with, without;
  const char *message;
} RULES[] = {
    {CLI_IS_TIFF | CLI_IS_STREAM, 0,
     "-o: TIFF needs a regular file, because it is not written from start to end; --format selects "
     "another format"},
    {MASK, CLI_IS_IMAGE_FILE, "-o: masks are .png, .tif or .tiff files; --mask none makes the map"},
    {MASK, PLANE, "a mask has two axes, WIDTHxHEIGHT; --mask none makes the map"},
    {MASK | CLI_IS_PICTURE, 0, "a mask has no colours; --mask none makes the map"},
    {NEW | CLI_HAS_SLOPES, METRES,
     "--mask slope needs heights in metres: --heights LOW,HIGH, or without --crs a look that has "
     "them"},
    {NATURAL, LAND, "--heights natural needs a look that has heights"},
    {CLI_HAS_SLOPES, SPACED, "--mask slope needs the distance between samples: --spacing METRES"},
    {NEW | RIVERS, VALLEYS,
     "--mask river needs a field with valleys: --valleys STEEPNESS, or a look that has them"},
    {RIVERS, NEW, "a text has no mask=river; valley_output=river is the field of rivers"},
    {CLI_IS_NORMAL_MAP | COLOURED, 0,
     "--normal-map excludes --palette and --shade: the colours of a normal map are directions"},
};

static unsigned fact(int holds, unsigned which) {
  return holds ? which : 0;
}

static unsigned facts_of(const struct cli_request *request, const struct cli_plan *plan) {
  const struct cli_map_options *map = &request->map;
  const struct cli_picture *picture = &request->picture;
  const int has_heights = map->heights.count != 0, is_mask = map->mask.kind != CLI_NO_MASK;
  const int is_new = is_mask && cli_is_given(&request->line, "mask");
  const int is_river = map->mask.kind == CLI_RIVER_MASK;
  return fact(plan->format->tiff, CLI_IS_TIFF) | fact(plan->format->colour, CLI_IS_IMAGE_FILE) |
         fact(cli_output_is_stream(map->file), CLI_IS_STREAM) |
         fact(map->tiles.count > 0, CLI_HAS_TILES) | fact(map->size.count == 2, PLANE) |
         fact(map->bits == 32 && map->heights.count <= 0, CLI_IS_FLOATS) |
         fact(cli_picture_wanted(picture), CLI_IS_PICTURE) |
         fact(picture->palette != 0 || picture->shade, COLOURED) |
         fact(picture->shade, CLI_IS_SHADED) | fact(picture->normal_map, CLI_IS_NORMAL_MAP) |
         fact(is_mask, MASK) | fact(is_new, NEW) | fact(is_river, RIVERS) |
         fact(is_mask && !(is_new && has_heights && !is_river), CLI_IS_MASK) |
         fact(map->mask.kind == CLI_SLOPE_MASK, CLI_HAS_SLOPES) |
         fact(!request->field.expression.text && request->field.params.valleys != 0, VALLEYS) |
         fact(has_heights || map->unit == CLI_METRES ||
                  (map->natural_height > 0 && map->crs.horizontal == 0),
              METRES) |
         fact(map->heights.count == CLI_OTHER, NATURAL) | fact(map->natural_height > 0, LAND) |
         fact(cli_map_spacing(map, 0) > 0, SPACED) |
         fact(cli_map_has_settings(map), CLI_HAS_SETTINGS);
}

static int refuse(const struct cli_option *option, const char *how, unsigned facts) {
  const char *between = "";
  const int status = cli_refuse("--%s has no effect %s ", option->name, how);
  for (size_t i = 0; i < CLI_COUNT(NAMES); i++)
    if (facts & NAMES[i].fact) {
      fprintf(cli_message(), "%s%s", between, NAMES[i].name);
      between = ", or ";
    }
  return status;
}

/* Rows of a GeoTIFF go from north to south, and columns to the east, as all programs read them. */
static int check_place(const struct cli_request *request, unsigned facts) {
  const double x = cli_map_step(&request->map, 0), y = cli_map_step(&request->map, 1);
  const struct cli_crs crs = request->map.crs;
  /* Maps that are there stay readable. */
  const int is_new = cli_source_of(&request->line, "crs") > CLI_SAVED;
  if (crs.horizontal == 0 || !(facts & CLI_IS_TIFF))
    return 0;
  if (is_new && cli_crs_check(crs))
    return cli_request_refuse(request, "crs", "%s", cli_crs_check(crs));
  if (is_new && crs.vertical != 0 && (facts & (METRES | MASK | CLI_IS_PICTURE)) != METRES)
    return cli_request_refuse(request, "crs",
                              "the second code is the system of heights in metres; --heights "
                              "LOW,HIGH makes them, without a mask or colours");
  if (x > 0 && y < 0)
    return 0;
  const int status = cli_request_refuse(
      request, "step", "with --crs rows go from north to south and columns to the east; --step ");
  cli_print_real(cli_message(), fabs(x), 0);
  fputc(',', cli_message());
  cli_print_real(cli_message(), -fabs(y), 0);
  fputs(" does that", cli_message());
  return status;
}

int cli_fill_rules(struct cli_plan *plan, struct cli_request *request) {
  const unsigned facts = facts_of(request, plan);
  for (size_t i = 0; i < CLI_COUNT(RULES); i++)
    if ((facts & RULES[i].with) == RULES[i].with && (facts & RULES[i].without) == 0)
      return cli_refuse("%s", RULES[i].message);
  for (size_t i = 0; i < request->line.entries; i++) {
    const struct cli_entry *entry = &request->line.entry[i];
    const struct cli_option *option = entry->option;
    if (entry->source != CLI_ARGUMENT || !cli_is_changed(entry))
      continue;
    if (option->needs && (facts & option->needs) == 0)
      return refuse(option, "without", option->needs);
    if (facts & option->excludes)
      return refuse(option, "on", facts & option->excludes);
  }
  return check_place(request, facts);
}
