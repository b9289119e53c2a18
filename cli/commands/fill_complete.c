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

static int gives_bits(const struct cli_request *request) {
  return cli_is_given(&request->line, "bits") && request->map.bits != 0; /* which is auto */
}

/* Chooses the format by --format, the suffix, or the engine's best one; masks are no terrain. A
 * name without a suffix gets that of the format. */
static int choose_format(struct cli_plan *plan, struct cli_request *request) {
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

/* Chooses the picture. One of saved options, or a look's, becomes a map of its heights, or a mask,
 * as deep as usual, where there are only heights. Engines take floats in metres. */
static int choose_picture(struct cli_plan *plan, struct cli_request *request) {
  if (plan->engine && plan->format->depths == 32 && request->map.heights.count == 0 &&
      request->map.natural_height > 0)
    request->map.heights.count = CLI_OTHER;
  const int is_bits_given = gives_bits(request);
  const int is_plain = plan->engine || !plan->format->colour ||
                       (is_mask(request) && cli_is_given(&request->line, "mask"));
  const int is_deep = request->map.heights.count != 0 ||
                      (is_bits_given && request->map.bits > 8 && !request->picture.normal_map);
  const int is_given = cli_picture_choose(&request->line, &request->picture);
  if (is_given || !(is_plain || is_deep) || !cli_picture_wanted(&request->picture))
    return 0;
  request->picture = CLI_NO_PICTURE;
  if (!is_bits_given)
    request->map.bits = 0;
  return 0;
}

/* ---- Size ---- */

static int choose_tiles(struct cli_plan *plan, struct cli_request *request) {
  plan->tiles = cli_map_tiles(&request->map);
  return cli_tiles_check_names(request->map.file, &plan->tiles);
}

static int choose_size(struct cli_plan *plan, struct cli_request *request) {
  struct cli_map_options *map = &request->map;
  struct cli_numbers *size = &map->size;
  const struct cli_tiles *tiles = &plan->tiles;
  int64_t side[2], room = INT64_MAX / 4 / cli_tiles_count(tiles);
  cli_engine_usual_size(plan->engine, tiles, side);
  if (size->count == 0 && (side[0] == 0 || side[1] == 0))
    return cli_request_refuse(request, "tiles",
                              "--for %s joins fewer tiles; --overlap 1 makes tiles of their own",
                              plan->engine->name);
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

static int choose_depth(struct cli_plan *plan, struct cli_request *request) {
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

int cli_fill_complete(struct cli_plan *plan, struct cli_request *request) {
  static cli_step *const STEPS[] = {
      choose_format, choose_picture, choose_tiles, choose_size,    cli_seamless_choose,
      cli_scale,     choose_size,    choose_depth, cli_fill_rules, NULL};
  return cli_take_steps(plan, request, STEPS);
}
