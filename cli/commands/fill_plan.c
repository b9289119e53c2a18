/* SPDX-License-Identifier: MIT
 *
 * Makes the field and plans the map: all that could go wrong before the first sample is written is
 * checked here.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "commands/fill.h"

/* ---- Shape ---- */

static int refuse_option(const struct cli_fill *fill, size_t option, const char *problem) {
  FILE *message = cli_begin_message();
  cli_fill_print(message, fill, option);
  fprintf(message, ": %s", problem);
  return cli_end_refusal(fill->line.command, message);
}

static int check_size(const struct cli_fill *fill) {
  const struct cli_numbers *size = &fill->options.size;
  const struct cli_format *format = fill->format;
  char problem[160];
  int is_image = size->count >= 2;
  int64_t room = INT64_MAX / 4 / cli_fill_tile_count(fill);
  for (int a = 0; a < size->count; a++) {
    is_image &= a < 2 || size->at[a].whole == 1;
    room /= size->at[a].whole;
  }
  if (format->images && !is_image) {
    snprintf(problem, sizeof problem,
             "%s files hold images, WIDTHxHEIGHT, or slices, WIDTHxHEIGHTx1; volumes go to .npy, "
             ".raw or .r32",
             format->suffix);
    return refuse_option(fill, CLI_MAP_SIZE, problem);
  }
  if (room == 0 || (format->longest != 0 &&
                    (size->at[0].whole > format->longest || size->at[1].whole > format->longest))) {
    snprintf(problem, sizeof problem, "too large for a %s file%s", format->suffix,
             cli_fill_tile_count(fill) > 1 ? " or so many tiles" : "");
    return refuse_option(fill, CLI_MAP_SIZE, problem);
  }
  return 0;
}

static int check_axes(const struct cli_fill *fill) {
  const struct cli_map_options *options = &fill->options;
  const int dims = options->size.count;
  const struct {
    size_t option;
    int dims;
  } places[] = {
      {CLI_MAP_ORIGIN, options->origin.count},
      {CLI_MAP_FIRST, options->first.count},
      {CLI_MAP_STEP, options->step.count == 1 ? 0 : options->step.count},
      {CLI_MAP_CHUNK, options->chunk.count == 1 ? 0 : options->chunk.count},
  };
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (places[i].dims != 0 && places[i].dims != dims) {
      FILE *message = cli_begin_message();
      cli_fill_print(message, fill, places[i].option);
      fprintf(message, ": the map has %d axes by ", dims);
      cli_fill_print(message, fill, CLI_MAP_SIZE);
      return cli_end_refusal(fill->line.command, message);
    }
  return 0;
}

/* ---- The stream ---- */

static void plan_stream(struct cli_fill *fill) {
  const struct cli_map_options *options = &fill->options;
  const int threads = (int)fill->work.threads.at[0].whole;
  fill->map = (struct cli_map){
      .dims = options->size.count,
      .channels = cli_picture_wanted(&fill->picture) ? 3 : 1,
      .bits = options->bits,
      .compression = fill->compression,
  };
  fill->stream = (struct cli_stream){
      .noise = &fill->noise,
      .map = &fill->map,
      .grid = {.dims = options->size.count},
      .low = (float)options->range.at[0].real,
      .high = (float)options->range.at[1].real,
      .threads = threads > 0 ? threads : cli_stream_processors(),
  };
  if (options->range.count == 0)
    perlane_range(&fill->noise, fill->map.dims, &fill->stream.low, &fill->stream.high);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    fill->map.size[a] = a < fill->map.dims ? (uint64_t)options->size.at[a].whole : 1;
    fill->stream.grid.count[a] = (size_t)fill->map.size[a];
    fill->stream.grid.first[a] = options->first.at[a].whole;
    fill->stream.grid.origin[a] = options->origin.at[a].real;
    fill->stream.grid.step[a] = cli_map_step(options, a);
  }
}

static int plan_picture(struct cli_fill *fill) {
  if (!cli_picture_wanted(&fill->picture))
    return 0;
  fill->stream.plan = &fill->plan;
  fill->stream.has_gradient = cli_picture_needs_gradient(&fill->picture);
  fill->stream.by_differences =
      fill->stream.has_gradient && !cli_picture_has_gradient(&fill->noise, fill->map.dims);
  return cli_picture_prepare(fill->line.command, &fill->plan, &fill->picture, &fill->noise,
                             &fill->stream.grid, fill->stream.low, fill->stream.high,
                             fill->map.bits);
}

static int plan_array(struct cli_fill *fill) {
  const struct cli_map_options *options = &fill->options;
  if (!fill->format->store)
    return 0;
  const char *problem =
      cli_array_make(&fill->array, options->file, &fill->stream, &options->chunk, &options->part);
  return problem ? refuse_option(fill, CLI_MAP_CHUNK, problem) : 0;
}

/* Checks the whole map's first and last sample, which bound all others. *grid receives the one at
 * fault. */
static perlane_status try_ends(const struct cli_fill *fill, perlane_grid *grid) {
  float sample[3], scratch[16];
  *grid = fill->stream.grid;
  for (int a = 0; a < grid->dims; a++)
    grid->count[a] = 1;
  for (int a = 0; a < grid->dims; a++)
    if (grid->first[a] > INT64_MAX - ((int64_t)cli_fill_whole(fill, a) - 1)) {
      grid->count[a] = cli_fill_whole(fill, a);
      return PERLANE_ERROR_RANGE;
    }
  const perlane_status status = cli_stream_fill(&fill->stream, grid, sample, scratch);
  if (status != PERLANE_OK)
    return status;
  for (int a = 0; a < grid->dims; a++)
    grid->first[a] += (int64_t)cli_fill_whole(fill, a) - 1;
  return cli_stream_fill(&fill->stream, grid, sample, scratch);
}

static int check_ends(const struct cli_fill *fill) {
  char message[PERLANE_MESSAGE_BYTES];
  perlane_grid grid;
  const perlane_status status = try_ends(fill, &grid);
  if (status == PERLANE_OK)
    return 0;
  if (status == PERLANE_ERROR_LEVELS)
    return refuse_option(fill, CLI_MAP_RANGE, perlane_status_string(status));
  /* A picture's border may be outside where the grid is not. */
  const size_t length = perlane_explain_grid(&fill->noise, &grid, message, sizeof message);
  return cli_refuse(fill->line.command, "%s", length ? message : perlane_status_string(status));
}

/* ---- Notes ---- */

static int is_whole(double v) {
  return v == floor(v);
}

/* A preset's own frequency puts every sample on a lattice point, where gradient noise is 0. Phases
 * move the lattice away from there. */
static void note_zeros(const struct cli_fill *fill) {
  const struct cli_map_options *options = &fill->options;
  const perlane_params *params = &fill->field.params;
  if (params->basis != PERLANE_BASIS_PERLIN || params->phase != PERLANE_PHASE_NONE ||
      !is_whole(params->lacunarity))
    return;
  for (int a = 0; a < options->size.count; a++)
    if (!is_whole(options->origin.at[a].real * params->frequency) ||
        !is_whole(cli_map_step(options, a) * params->frequency))
      return;
  cli_note(fill->line.command,
           "with --frequency %g every sample is on a lattice point, where noise is 0; "
           "try --frequency 0.02",
           params->frequency);
}

static int is_nearly_whole(double v) {
  return fabs(v - rint(v)) <= 1e-9 * fmax(1, fabs(v));
}

/* The fewest samples along an axis that hold whole periods of so many samples; 0 if none do. */
static double tiling_samples(double period) {
  enum { MAX_PERIODS = 1000 };
  for (int n = 1; n <= MAX_PERIODS; n++)
    if (is_nearly_whole(n * period))
      return rint(n * period);
  return 0;
}

/* A map that does not hold whole periods does not repeat where its copies meet. A tile of a larger
 * one does not have to. */
static void note_period(const struct cli_fill *fill) {
  const struct cli_map_options *options = &fill->options;
  const perlane_params *params = &fill->field.params;
  for (int a = 0; a < options->size.count; a++)
    if (options->first.at[a].whole != 0)
      return;
  for (int a = 0; a < options->size.count; a++) {
    const double cells = fabs(cli_map_step(options, a)) * params->frequency; /* per sample */
    const double samples = (double)cli_fill_whole(fill, a), period = params->period[a] / cells;
    if (params->period[a] == 0 || samples == 1 ||
        (samples / period >= 0.5 && is_nearly_whole(samples / period)))
      continue;
    const double tiling = tiling_samples(period);
    FILE *message = cli_begin_message();
    fprintf(message,
            "note: the map does not tile along %c, where it has %.4g of --period's %" PRId32
            " cells; ",
            "xyzw"[a], samples * cells, params -> period[a]);
    if (tiling > 0)
      fprintf(message, "%.0f samples along %c, or a multiple, would tile", tiling, "xyzw"[a]);
    else
      fprintf(message, "with --frequency %.9g it would",
              params->frequency * fmax(1, rint(samples / period)) * period / samples);
    cli_end_note(fill->line.command, message);
  }
}

int cli_fill_plan(struct cli_fill *fill) {
  int status = check_size(fill);
  if (status == 0)
    status = check_axes(fill);
  if (status == 0)
    status = cli_field_make(&fill->line, &fill->field, &fill->noise);
  if (status == 0)
    status = cli_field_check_dims(&fill->line, &fill->noise, fill->options.size.count);
  if (status != 0)
    return status;
  plan_stream(fill);
  status = plan_picture(fill);
  if (status == 0)
    status = plan_array(fill);
  if (status == 0)
    status = check_ends(fill);
  if (status == 0 && !fill->work.quiet) {
    note_zeros(fill);
    note_period(fill);
  }
  return status;
}
