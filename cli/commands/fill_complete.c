/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "commands/commands.h"

/* ---- Format ---- */

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
  const char **file = &request->map.file;
  plan->engine = cli_engine_at(request->map.engine);
  plan->format = cli_format_at(request->map.format);
  if (!*file)
    return cli_refuse("-o FILE is missing: the file to write");
  const int is_stream = cli_output_is_stream(*file), is_terrain = plan->engine && !is_mask(request);
  if (!is_stream && !request->is_there)
    *file = cli_fill_file(plan->name, *file,
                          plan->format   ? plan->format
                          : is_terrain   ? plan->engine->format[0]
                          : plan->engine ? &CLI_PNG
                                         : NULL);
  if (!plan->format)
    plan->format = cli_format_of(*file);
  if (!plan->format && is_stream)
    plan->format = &CLI_RAW;
  if (plan->format)
    return is_terrain ? cli_engine_check_file(plan, *file) : 0;
  const int status = cli_refuse("-o '%s': unknown suffix; for it or --format, ", *file);
  cli_print_expected(cli_find(&request->line, "format")->option);
  return status;
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
    status = cli_seamless_choose(request, &plan->tiles);
  if (status == 0 && request->map.scale.at[0].whole > 1)
    status = scale_map(request, plan);
  if (status == 0)
    status = choose_depth(request, plan);
  return status == 0 ? cli_fill_rules(request, plan) : status;
}
