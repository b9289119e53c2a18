/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "commands/commands.h"

/* ---- Format ---- */

static int refuse_suffix(const struct cli_request *request, const char *file) {
  const int status = cli_refuse("-o '%s': unknown suffix; for it or --format, ", file);
  cli_print_expected(cli_find(&request->line, "format")->option);
  return status;
}

const char *cli_fill_file(char name[CLI_NAME], const char *file, const struct cli_format *usual) {
  const char *last = cli_last_part(file);
  return usual && *last != '\0' && !strchr(last, '.') ? cli_beside(name, file, usual->suffix)
                                                      : file;
}

static int is_mask(const struct cli_request *request) {
  return request->map.mask.kind != CLI_NO_MASK;
}

/* Chooses the format by --format, the suffix, or the engine's best one; masks are no terrain. A
 * name without a suffix gets that of the format. */
static int choose_format(struct cli_request *request, struct cli_plan *plan) {
  const struct cli_map_options *map = &request->map;
  const int is_stream = map->file && cli_output_is_stream(map->file);
  plan->engine = cli_engine_at(map->engine);
  plan->format = cli_format_at(map->format);
  if (map->file && !is_stream && !request->is_there)
    request->map.file = cli_fill_file(plan->name, map->file,
                                      plan->format || !plan->engine ? plan->format
                                      : is_mask(request)            ? &CLI_PNG
                                                                    : plan->engine->format[0]);
  if (map->file && !plan->format)
    plan->format = cli_format_of(map->file);
  if (!plan->format && is_stream)
    plan->format = &CLI_RAW;
  return !map->file                          ? cli_refuse("-o FILE is missing: the file to write")
         : !plan->format                     ? refuse_suffix(request, map->file)
         : plan->engine && !is_mask(request) ? cli_engine_check_file(plan, map->file)
                                             : 0;
}

static int gives_bits(const struct cli_request *request) {
  return cli_is_given(&request->line, "bits") && request->map.bits != 0; /* which is auto */
}

/* Chooses the picture. One of saved options, or a look's, becomes a map of its heights, or a mask,
 * as deep as usual, where there are only heights. */
static void choose_picture(struct cli_request *request, const struct cli_plan *plan) {
  const int is_bits_given = gives_bits(request);
  const int is_plain = plan->engine || !plan->format->colour ||
                       (is_mask(request) && cli_is_given(&request->line, "mask"));
  const int is_deep = request->map.heights.count != 0 ||
                      (is_bits_given && request->map.bits > 8 && !request->picture.normal_map);
  const int is_given = cli_picture_choose(&request->line, &request->picture);
  if (is_given || !(is_plain || is_deep) || !cli_picture_wanted(&request->picture))
    return;
  request->picture = CLI_NO_PICTURE;
  if (!is_bits_given)
    request->map.bits = 0;
}

/* ---- Size ---- */

static int choose_size(struct cli_request *request, const struct cli_plan *plan) {
  struct cli_map_options *map = &request->map;
  struct cli_numbers *size = &map->size;
  const struct cli_tiles *tiles = &plan->tiles;
  int64_t side[2] = {1024, 1024}, room = INT64_MAX / 4 / cli_tiles_count(tiles);
  if (size->count == 0 && plan->engine)
    cli_engine_usual_size(plan->engine, tiles, side);
  if (size->count == 0)
    *size =
        (struct cli_numbers){side[0] == side[1] ? 1 : 2, {{.whole = side[0]}, {.whole = side[1]}}};
  for (int axes = size->count == 1 ? map->axes : 0; size->count < axes; size->count++)
    size->at[size->count] = size->at[0];
  side[0] = size->at[0].whole;
  side[1] = size->at[1].whole;
  const int axes = map->axes, is_tiled = map->tiles.count > 0;
  int is_image = size->count >= 2;
  for (int a = 0; a < size->count; a++) {
    is_image &= a < 2 || size->at[a].whole == 1;
    room /= size->at[a].whole;
  }
  const int64_t longest = plan->format->longest ? plan->format->longest : INT64_MAX;
  map->axes = size->count;
  if (cli_is_given(&request->line, "axes") && axes != size->count)
    return cli_request_refuse(request, "size", "--axes %d needs as many numbers, or one", axes);
  if (plan->engine && (size->count != 2 || !cli_engine_takes_size(plan->engine, tiles, side)))
    return cli_engine_refuse_size(request, plan);
  if (is_tiled && (size->count > 3 || size->count < tiles->axes))
    return cli_request_refuse(request, "size", "--tiles takes maps of 2 or 3 axes, NxMxL of 3");
  if (is_tiled && (tiles->overlap >= side[0] || tiles->overlap >= side[1]))
    return cli_request_refuse(request, "size", "tiles must be larger than --overlap %" PRId64,
                              tiles->overlap);
  if (plan->format->images && !is_image)
    return cli_request_refuse(request, "size",
                              "%s files hold images, WIDTHxHEIGHT, or slices, WIDTHxHEIGHTx1; "
                              "volumes go to .npy, .raw or .r32",
                              plan->format->suffix);
  if (room == 0 || side[0] > longest || (size->count > 1 && side[1] > longest))
    return cli_request_refuse(request, "size", "too large for a %s file%s", plan->format->suffix,
                              is_tiled ? " or so many tiles" : "");
  return 0;
}

/* ---- Depth ---- */

static int choose_depth(struct cli_request *request, const struct cli_plan *plan) {
  static const char *const depths_of[] = {
      [8] = "8", [16] = "16", [24] = "8 or 16", [32] = "32", [56] = "8, 16 or 32"};
  const struct cli_format *format = plan->format;
  const int is_picture = cli_picture_wanted(&request->picture);
  const int is_given = gives_bits(request), is_terrain = plan->engine && !is_mask(request);
  const unsigned depths = is_mask(request) ? format->depths & (8 + 16) /* sums, as in cli_format */
                          : plan->engine   ? format->depths == 32 ? 32 : 16
                          : !is_picture    ? format->depths
                          : request->picture.normal_map ? 8 + 16
                                                        : 8;
  int *bits = &request->map.bits;
  if (request->map.heights.count != 0 && !is_given && !is_mask(request))
    *bits = 32;
  if (((unsigned)*bits & depths) || depths == 0) /* a rule refuses such a file */
    return 0;
  if (is_given)
    return cli_refuse("--bits %d: %s%s %s %s bits%s", *bits, is_terrain ? "--for " : "",
                      is_terrain         ? plan->engine->name
                      : is_mask(request) ? "mask"
                      : is_picture       ? "colour"
                                         : format->suffix,
                      is_terrain ? "imports" : "files hold", depths_of[depths],
                      *bits == 32 ? "; floats go to .tif, .exr, .npy or .r32" : "");
  *bits = is_mask(request) || is_picture ? 8 : depths == 16 ? 16 : format->usual;
  return 0;
}

/* ---- Maps that repeat ---- */

/* Moves a frequency to the nearest one within a factor of 2 that makes whole cells along all axes.
 * Returns 0 if there is none. */
static int make_whole(const double *length, int axes, double *frequency) {
  const double cells = fmax(1, rint(length[0] * *frequency));
  const int most = (int)fmin(cells, 1000);
  for (int off = 0; off <= most; off = off > 0 ? -off : 1 - off) {
    int is_whole = cells + off >= cells / 2 && cells + off >= 1;
    for (int a = 1; a < axes && is_whole; a++) {
      const double others = length[a] / length[0] * (cells + off);
      is_whole = others >= 0.5 && fabs(others - rint(others)) <= others * 1e-12;
    }
    if (is_whole) {
      *frequency = (cells + off) / length[0];
      return 1;
    }
  }
  return 0;
}

/* Sets the periods of a map that repeats after the samples of all its tiles. */
static int choose_periods(struct cli_request *request, const struct cli_plan *plan) {
  struct cli_map_options *map = &request->map;
  perlane_params *params = &request->field.params;
  double length[PERLANE_MAX_DIMS];
  int axes = 0, axis[PERLANE_MAX_DIMS];
  for (int a = 0; a < map->size.count; a++) {
    const int64_t samples = cli_tiles_whole(&plan->tiles, map->size.at[a].whole, a);
    length[axes] = (double)samples * fabs(cli_map_step(map, a));
    axis[axes] = a;
    axes += samples > 1;
  }
  if (cli_is_given(&request->line, "period"))
    return cli_refuse("--seamless and --period exclude each other");
  if (request->field.expression.text)
    return cli_refuse("--seamless: each field of an expression has a period of its own");
  if (axes == 0) /* a single sample */
    return 0;
  if (params->falloff != 0)
    return cli_refuse("--seamless: a map with a falloff does not repeat; --falloff 0");
  const int is_whole = make_whole(length, axes, &params->frequency);
  if (!is_whole ||
      (params->warp_amplitude != 0 && !make_whole(length, axes, &params->warp_frequency)))
    return cli_request_refuse(request, "size",
                              "--seamless finds no %s near %g with whole cells along all axes; "
                              "sides with a large common factor have more of them",
                              is_whole ? "warp frequency" : "frequency",
                              is_whole ? params->warp_frequency : params->frequency);
  int32_t common = 0;
  memset(params->period, 0, sizeof params->period);
  for (int i = 0; i < axes; i++) {
    int32_t period = (int32_t)fmin(rint(length[i] * params->frequency), INT32_MAX);
    params->period[axis[i]] = period;
    for (int32_t rest; period > 0; period = rest) { /* Euclid */
      rest = common % period;
      common = period;
    }
  }
  if (params->valleys != 0)
    params->valley_cells = fmax(1, rint(params->valley_cells * common)) / common;
  return 0;
}

/* ---- Maps of more samples ---- */

/* Multiplies the samples along axes that have several. What neighbouring tiles share, they share
 * again; an odd number of samples, which engines import, has samples at both its borders. */
static int scale_map(struct cli_request *request, const struct cli_plan *plan) {
  struct cli_map_options *map = &request->map;
  const int64_t scale = map->scale.at[0].whole;
  const double natural = map->natural_spacing > 0 ? map->natural_spacing : plan->engine != NULL;
  const struct cli_numbers step = map->step;
  map->step.count = map->size.count;
  for (int a = 0; a < map->size.count; a++) {
    int64_t *size = &map->size.at[a].whole, *first = &map->first.at[a].whole;
    const int64_t shared = plan->tiles.axes > 0 ? (a < 2) * plan->tiles.overlap
                           : plan->engine       ? *size % 2
                                                : 0;
    const int64_t by = *size > 1 ? scale : 1;
    map->step.at[a].real = step.at[step.count == 1 ? 0 : a].real / (double)by;
    if (*first > INT64_MAX / by || *first < INT64_MIN / by)
      return cli_request_refuse(request, "first", "too large for --scale %" PRId64, scale);
    if (*size > (INT64_C(1) << 53) / by)
      return cli_request_refuse(request, "size", "too large");
    *first *= by;
    *size = (*size - shared) * by + shared;
  }
  map->natural_spacing = natural / (double)scale;
  map->spacing.at[0].real /= (double)scale;
  request->picture.relief.at[0].real *= (double)scale;
  return choose_size(request, plan);
}

int cli_fill_complete(struct cli_request *request, struct cli_plan *plan) {
  int status = choose_format(request, plan);
  if (status != 0)
    return status;
  if (plan->engine && plan->format->depths == 32 && request->map.heights.count == 0 &&
      request->map.natural_height > 0)
    request->map.heights.count = CLI_OTHER; /* engines take metres */
  choose_picture(request, plan);
  plan->tiles = cli_map_tiles(&request->map);
  status = cli_tiles_check_names(request->map.file, &plan->tiles);
  if (status == 0)
    status = choose_size(request, plan);
  if (status == 0 && request->map.seamless)
    status = choose_periods(request, plan);
  if (status == 0 && request->map.scale.at[0].whole > 1)
    status = scale_map(request, plan);
  if (status == 0)
    status = choose_depth(request, plan);
  return status == 0 ? cli_fill_rules(request, plan) : status;
}
