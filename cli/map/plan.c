/* SPDX-License-Identifier: MIT */
#include "map/plan.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "map/processors.h"

/* ---- Requests ---- */

const struct cli_kind CLI_THREADS =
    CLI_NUMBERS("a whole number from 0 to 1024", NULL, 0, 1, CLI_WHOLES(0, 1024));

static const struct cli_kind DIMS = {
    .names =
        (const struct cli_name[]){{"any", 0}, {"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {NULL, 0}}};

static const struct cli_option POINTS[] = {
    {"dims", "N", &DIMS, offsetof(struct cli_points, dims), .heading = "Input and output",
     .help = "Coordinates per line, 1 to 4; any for the number on the first line."},
    {"with-gradient", NULL, &CLI_SWITCH, offsetof(struct cli_points, with_gradient),
     .help = "Prints the derivatives along the axes after each value, separated by blanks, in "
             "units of value per unit of position."},
    {"bits-out", NULL, &CLI_SWITCH, offsetof(struct cli_points, bits_out),
     .help = "Prints the 32 bits of each float as 8 hexadecimal digits."},
};

#define AT(member) offsetof(struct cli_scatter, member)

static const struct cli_kind CORNER =
    CLI_NUMBERS("1 to 3 finite numbers with commas between them, such as -3.5,2", "none", 0, 3,
                CLI_REALS(DBL_MAX));

static const struct cli_option SCATTER[] = {
    {"from", "X[,Y[,Z]]", &CORNER, AT(from), .heading = "Box and points",
     .help = "The lowest position of the box along each axis (required).", .required = 1},
    {"to", "X[,Y[,Z]]", &CORNER, AT(to),
     .help = "The positions where the box ends (required): points there are the next box's.",
     .required = 1},
    {"density", "TEXT", &CLI_EXPRESSION, AT(density),
     .help = "Keeps the points whose number is below the value of another field, and prints that "
             "value: -1 keeps no point, 1 keeps all. TEXT is the options of a field, 'seed=5 "
             "frequency=0.02', or an expression after its definitions, 'a = seed=5; b = seed=6; "
             "max(a, b)'. @FILE reads it from a file."},
    {"crs", "EPSG:CODE[+CODE]", &CLI_CRS, AT(crs),
     .help = "Prints GeoJSON with positions of this coordinate system. A second code is the system "
             "of z."},
};

#undef AT
#define AT(member) offsetof(struct cli_work, member)

static const struct cli_option WORK[] = {
    {"threads", "N", &CLI_THREADS, AT(threads), .heading = "Work",
     .help = "The number of threads. 0: as many as OMP_NUM_THREADS says, or one for each processor "
             "that the process and its container may use. The result is the same with any number.",
     .in_text = CLI_NEVER},
    {"force", NULL, &CLI_SWITCH, AT(force),
     .help = "Writes the map even if the disk appears too full, and over files of other programs "
             "and tiles of other options. Without it, these are refused. The size of .png files is "
             "not known in advance.",
     .in_text = CLI_NEVER},
};

static const struct cli_option QUIET[] = {
    {"quiet", NULL, &CLI_SWITCH, 0,
     .help = "Prints errors only: no notes, no report, and no progress of long runs.",
     .letter = 'q', .in_text = CLI_NEVER},
};

static const struct cli_points NO_POINTS;
static const struct cli_scatter NO_SCATTER;
static const struct cli_work DEFAULTS = {.threads = {.count = 1}};

void cli_add_quiet(struct cli_command_line *line) {
  static const int NOT_QUIET;
  cli_add_options(line, QUIET, CLI_COUNT(QUIET), &cli_is_quiet, &NOT_QUIET, 0);
}

void cli_request_begin(struct cli_request *request, const struct cli_command *command,
                       enum cli_result result) {
  const int is_no_map = result != CLI_MAP, is_scatter = result == CLI_SCATTER;
  memset(request, 0, sizeof *request);
  request->work = DEFAULTS;
  request->line.command = command;
  cli_add_options(&request->line, POINTS, CLI_COUNT(POINTS), &request->points, &NO_POINTS,
                  result != CLI_POINTS);
  if (is_scatter) /* before the map's --crs */
    cli_add_options(&request->line, SCATTER, CLI_COUNT(SCATTER), &request->scatter, &NO_SCATTER, 0);
  cli_add_map_options(&request->line, &request->map, is_no_map);
  cli_add_picture_options(&request->line, &request->picture, is_no_map);
  cli_add_options(&request->line, WORK, CLI_COUNT(WORK), &request->work, &DEFAULTS, is_no_map);
  cli_add_quiet(&request->line);
  cli_add_field_options(&request->line, &request->field);
  if (!is_scatter)
    cli_add_options(&request->line, SCATTER, CLI_COUNT(SCATTER), &request->scatter, &NO_SCATTER, 1);
}

void cli_request_end(struct cli_request *request) {
  cli_field_end(&request->field);
}

int cli_request_run(struct cli_request *request, char **argv,
                    int (*check)(struct cli_request *request),
                    int (*work)(struct cli_request *request)) {
  int status = cli_parse(&request->line, argv);
  if (status == 0)
    status = cli_field_make(&request->line, &request->field);
  if (status == 0)
    status = check(request);
  if (status == 0)
    cli_field_note_seed(&request->line, &request->field);
  if (status == 0)
    status = request->field.print_params ? cli_params_print(&request->line) : work(request);
  cli_request_end(request);
  return status;
}

/* Prints one of the map's options: "--size 5x5", with the file that it is from, if any. */
static void print_option(FILE *stream, const struct cli_request *request, const char *name) {
  const struct cli_entry *entry = cli_find(&request->line, name);
  fprintf(stream, "--%s ", name);
  cli_print_value(stream, entry->option, entry->values);
  if (strcmp(name, "size") == 0 && request->map.scale.at[0].whole > 1)
    fprintf(stream, " by --scale %" PRId64, request->map.scale.at[0].whole);
  if (entry->source == CLI_SAVED)
    fprintf(stream, " from '%s'", request->field.saved);
}

int cli_request_refuse(const struct cli_request *request, const char *name, const char *format,
                       ...) {
  va_list arguments;
  const int status = cli_refuse("%s", "");
  print_option(cli_message(), request, name);
  fputs(": ", cli_message());
  va_start(arguments, format);
  vfprintf(cli_message(), format, arguments);
  va_end(arguments);
  return status;
}

/* ---- Plans ---- */

int cli_take_steps(struct cli_plan *plan, struct cli_request *request, cli_step *const *step) {
  int status = 0;
  for (; status == 0 && *step; step++)
    status = (*step)(plan, request);
  return status;
}

static int check_axes(struct cli_plan *plan, struct cli_request *request) {
  static const char *const PLACES[] = {"origin", "first", "step"};
  const int axes = request->map.size.count;
  (void)plan;
  for (size_t i = 0; i < CLI_COUNT(PLACES); i++) {
    const struct cli_entry *entry = cli_find(&request->line, PLACES[i]);
    const struct cli_numbers *place =
        (const void *)((const char *)entry->values + entry->option->offset);
    if (place->count == 0 || place->count == axes ||
        (place == &request->map.step && place->count == 1))
      continue;
    const int status = cli_request_refuse(request, PLACES[i], "the map has %d axes by ", axes);
    print_option(cli_message(), request, "size");
    return status;
  }
  return 0;
}

void cli_plan_shape(struct cli_plan *plan, const struct cli_request *request) {
  struct cli_map *map = &plan->map;
  map->dims = request->map.size.count;
  map->channels = cli_picture_wanted(&request->picture) ? 3 : 1;
  map->bits = request->map.bits;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    map->size[a] = a < map->dims ? (uint64_t)request->map.size.at[a].whole : 1;
}

static int plan_stream(struct cli_plan *plan, struct cli_request *request) {
  const struct cli_map_options *options = &request->map;
  const int threads = (int)request->work.threads.at[0].whole;
  struct cli_map *map = &plan->map;
  struct cli_stream *stream = &plan->stream;
  cli_plan_shape(plan, request);
  map->low = (float)options->range.at[0].real;
  map->high = (float)options->range.at[1].real;
  map->crs = options->crs;
  map->is_metres = options->unit == CLI_METRES;
  if (options->range.count <= 0)
    perlane_range(&request->field.noise, map->dims, &map->low, &map->high);
  *stream = (struct cli_stream){
      .noise = &request->field.noise,
      .map = map,
      .grid = {.dims = map->dims},
      .plan = map->channels == 3 || options->mask.kind != CLI_NO_MASK ? &plan->picture : NULL,
      .threads = threads > 0 ? threads : cli_processors(),
  };
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    stream->grid.count[a] = (size_t)map->size[a];
    stream->grid.first[a] = options->first.at[a].whole;
    stream->grid.origin[a] = options->origin.at[a].real;
    stream->grid.step[a] = cli_map_step(options, a);
  }
  return 0;
}

/* Keeps the range, and whether the field's values may be beyond it. That of --range actual is found
 * by then. */
static int keep_range(struct cli_plan *plan, struct cli_request *request) {
  const struct cli_map *map = &plan->map;
  float low = 0, high = 0;
  perlane_range(&request->field.noise, map->dims, &low, &high);
  plan->range[0] = (double)map->low;
  plan->range[1] = (double)map->high;
  plan->clamps = cli_is_given(&request->line, "range") && plan->seconds == 0 &&
                 (low < fminf(map->low, map->high) || high > fmaxf(map->low, map->high));
  return 0;
}

/* The range of masks. */
static const struct cli_numbers ALL_LEVELS = {2, {{.real = 0}, {.real = 1}}};

/* Bounds of expressions may be wide. One that has been made before has its range. */
static int choose_range(struct cli_plan *plan, struct cli_request *request) {
  const struct cli_expression *expression = &request->field.expression;
  (void)plan;
  if (expression->text != expression->whole &&
      cli_source_of(&request->line, "range") == CLI_DEFAULT)
    request->map.range.count = CLI_OTHER; /* actual */
  return 0;
}

/* Returns 1 for a mask of the command line, not of saved options. */
static int is_new_mask(const struct cli_request *request) {
  return request->map.mask.kind != CLI_NO_MASK && cli_is_given(&request->line, "mask");
}

/* Completes a mask of the command line, before the field is made: its own options, without a look
 * or an engine, make it again. */
static int complete_mask(struct cli_plan *plan, struct cli_request *request) {
  struct cli_map_options *map = &request->map;
  perlane_params *params = &request->field.params;
  const double spacing = cli_map_spacing(map, 0);
  (void)plan;
  if (!is_new_mask(request))
    return 0;
  map->unit = 0;
  map->crs.vertical = 0;
  if (map->mask.kind == CLI_RIVER_MASK) { /* a field of its own, which is the mask as it is */
    map->mask.kind = CLI_NO_MASK;
    map->range = (struct cli_numbers){2, {{.real = 0}, {.real = 0.875}}};
    perlane_params_parse(params,
                         "valley_output=river contrast=1 curve=none terraces=0 value_scale=-1 "
                         "value_offset=0.875",
                         NULL);
    map->natural_height = 0;
  } else if (map->heights.count == 0) {
    map->range = ALL_LEVELS;
    if (map->natural_height > 0) {
      params->value_scale *= map->natural_height;
      params->value_offset *= map->natural_height;
    }
  }
  if (spacing > 0 && spacing == cli_map_spacing(map, 1))
    map->spacing = (struct cli_numbers){1, {{.real = spacing}}};
  return 0;
}

static int make_field(struct cli_plan *plan, struct cli_request *request) {
  const struct cli_map_options *map = &request->map;
  struct cli_field *field = &request->field;
  int status = cli_field_make(&request->line, field);
  (void)plan;
  if (status == CLI_USAGE && map->seamless && !field->expression.text)
    status = cli_seamless_refuse(field);
  if (status == 0 && is_new_mask(request) && field->expression.text && map->natural_height > 0 &&
      map->heights.count == 0)
    status = cli_expression_scale(field, map->natural_height, 0);
  return status == 0 ? cli_field_check_dims(field, map->size.count) : status;
}

/* Makes the range LOW,HIGH of --heights, by the field's last two steps, which then are in every
 * text of options. */
static int apply_heights(struct cli_plan *plan, struct cli_request *request) {
  struct cli_map *map = &plan->map;
  perlane_params *params = &request->field.params;
  const double low = (double)map->low, high = (double)map->high;
  const int is_natural = request->map.heights.count == CLI_OTHER;
  const double unit = request->map.natural_height;
  const double bottom = is_natural ? low * unit : request->map.heights.at[0].real;
  const double top = is_natural ? high * unit : request->map.heights.at[1].real;
  const double scale = is_natural ? unit : (top - bottom) / (high - low);
  const double from = is_natural ? 0 : low,
               to = is_natural ? 0 : bottom; /* a value that is known */
  if (request->map.heights.count == 0)
    return 0;
  if (low == high)
    return cli_request_refuse(request, "range", "both ends are %g; --heights needs two values",
                              low);
  if (request->map.mask.kind != CLI_NO_MASK) { /* of the heights */
    request->map.range = ALL_LEVELS;
    map->low = 0;
    map->high = 1;
  } else {
    request->map.range = (struct cli_numbers){2, {{.real = bottom}, {.real = top}}};
    request->map.unit = CLI_METRES;
    map->is_metres = 1;
    map->low = (float)bottom;
    map->high = (float)top;
  }
  if (request->field.expression.text)
    return cli_expression_scale(&request->field, scale, to - from * scale);
  params->value_scale *= scale;
  params->value_offset = (params->value_offset - from) * scale + to;
  return cli_field_init(&request->field);
}

/* Makes the note of what to type in the engine, and of the level of the sea: the ends of the range
 * are --heights, or what a look says of nature. */
static int note_settings(struct cli_plan *plan, struct cli_request *request) {
  const struct cli_map_options *map = &request->map;
  const double unit = map->heights.count != 0 ? 1 : map->natural_height;
  const double spacing = cli_map_spacing(map, 0);
  const struct cli_terrain terrain = {
      .size = {map->size.at[0].whole, map->size.at[1].whole},
      .low = (double)plan->map.low * unit,
      .high = (double)plan->map.high * unit,
      .spacing = spacing > 0 ? spacing : 1,
      .is_floats = plan->map.bits == 32,
  };
  const int is_map = plan->map.channels == 1 && !plan->stream.plan;
  if (!is_map || (terrain.is_floats && !plan->engine) ||
      (map->heights.count == 0 && map->natural_height == 0))
    return 0;
  if (plan->engine && terrain.low > terrain.high)
    return cli_request_refuse(request, map->heights.count != 0 ? "heights" : "range",
                              "--for takes the lower height first");
  FILE *stream = fmemopen(plan->note, sizeof plan->note, "w");
  if (!stream)
    return cli_fail("%s", strerror(errno));
  cli_engine_print(stream, plan->engine, &terrain, plan->map.bits);
  fclose(stream);
  plan->map.note = *plan->note ? plan->note : NULL;
  return 0;
}

/* Makes --range actual the extremes of the whole map, which the map then carries. What is wrong
 * with the grid, check_ends says. */
static int find_range(struct cli_plan *plan, struct cli_request *request) {
  enum { MAX_VALUES = 1 << 26 }; /* that are kept for the second pass: 256 MiB */
  struct cli_map *map = &plan->map;
  struct cli_numbers *range = &request->map.range;
  perlane_grid whole = plan->stream.grid;
  for (int a = 0; a < whole.dims; a++)
    whole.count[a] = (size_t)cli_tiles_whole(&plan->tiles, (int64_t)whole.count[a], a);
  if (range->count != CLI_OTHER || request->picture.normal_map ||
      (map->bits == 32 && request->map.heights.count <= 0) ||
      perlane_grid_check(&request->field.noise, &whole) != PERLANE_OK)
    return 0;
  if (request->is_there)
    return cli_refuse("range=actual: a map of integers carries the two values instead");
  struct cli_progress progress = cli_progress_begin("--range actual", cli_grid_samples(&whole));
  plan->stream.progress = &progress;
  plan->stream.valued = whole;
  if (whole.dims == 2 && map->channels == 1 && request->map.heights.count == 0 &&
      cli_grid_samples(&whole) <= MAX_VALUES)
    plan->stream.values = malloc(cli_grid_samples(&whole) * sizeof(float)); /* or NULL */
  const char *problem = cli_stream_extremes(&plan->stream, &whole, &map->low, &map->high);
  plan->seconds += cli_progress_end(&progress);
  if (problem)
    return cli_fail("--range actual: %s", problem);
  if (!isfinite(map->low) || !isfinite(map->high) || map->low > map->high)
    return cli_refuse("--range actual: samples are infinite, or none is a number; --range LOW,HIGH "
                      "clamps them");
  if (map->low == map->high)
    return cli_refuse("--range actual: all samples are %g", (double)map->low);
  *range = (struct cli_numbers){2, {{.real = (double)map->low}, {.real = (double)map->high}}};
  return 0;
}

/* Tries the whole map's first and last sample, which bound all others. *grid receives the one at
 * fault. Kept values are evaluated again: the library refuses what it cannot make integers of. */
static perlane_status try_ends(const struct cli_plan *plan, perlane_grid *grid) {
  struct cli_stream stream = plan->stream;
  perlane_status status = PERLANE_OK;
  stream.values = NULL;
  for (int is_last = 0; is_last < 2 && status == PERLANE_OK; is_last++) {
    float sample[3], scratch[16];
    *grid = plan->stream.grid;
    for (int a = 0; a < grid->dims; a++) {
      const int64_t last = cli_tiles_whole(&plan->tiles, (int64_t)grid->count[a], a) - 1;
      grid->count[a] = 1;
      if (grid->first[a] > INT64_MAX - last) {
        grid->count[a] = (uint64_t)last + 1;
        return PERLANE_ERROR_RANGE;
      }
      grid->first[a] += is_last ? last : 0;
    }
    status = cli_stream_fill(&stream, *grid, sample, scratch);
  }
  return status;
}

static int check_ends(struct cli_plan *plan, struct cli_request *request) {
  char message[PERLANE_MESSAGE_BYTES];
  perlane_grid grid;
  const perlane_status problem = try_ends(plan, &grid);
  if (problem == PERLANE_OK)
    return 0;
  if (problem == PERLANE_ERROR_LEVELS)
    return cli_request_refuse(request, "range", "%s", perlane_status_string(problem));
  /* A picture's border may be outside where the grid is not. */
  const size_t length = perlane_explain_grid(&request->field.noise, &grid, message, sizeof message);
  return cli_refuse("%s", length ? message : perlane_status_string(problem));
}

static int prepare_picture(struct cli_plan *plan, struct cli_request *request) {
  const struct cli_map_options *map = &request->map;
  if (!plan->stream.plan)
    return 0;
  perlane_picture picture = cli_picture_describe(&request->picture);
  picture.bits = plan->map.bits;
  picture.low = (double)plan->map.low;
  picture.high = (double)plan->map.high;
  if (map->mask.kind != CLI_NO_MASK) {
    const struct cli_mask *mask = &map->mask;
    picture.kind =
        mask->kind == CLI_SLOPE_MASK ? PERLANE_PICTURE_SLOPE_MASK : PERLANE_PICTURE_HEIGHT_MASK;
    picture.low = mask->low;
    picture.high = mask->high;
    for (int a = 0; a < 2 && mask->kind == CLI_SLOPE_MASK; a++)
      picture.spacing[a] = cli_map_spacing(map, a);
  }
  return cli_picture_prepare(&plan->picture, &picture, &request->field.noise, &plan->stream.grid);
}

int cli_plan_make(struct cli_plan *plan, struct cli_request *request) {
  static cli_step *const STEPS[] = {check_axes,    choose_range,    complete_mask, make_field,
                                    plan_stream,   find_range,      keep_range,    apply_heights,
                                    note_settings, prepare_picture, check_ends,    NULL};
  return cli_take_steps(plan, request, STEPS);
}
