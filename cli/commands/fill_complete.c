/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "commands/fill.h"
#include "formats/carried.h"
#include "formats/output.h"

/* ---- Format ---- */

static int refuse_suffix(const char *file) {
  if (cli_is_array(file))
    return cli_refuse("-o '%s': arrays of chunks are written by Python's perlane.zarr.write; "
                      "here --tiles makes files of a large map",
                      file);
  const struct cli_format *format;
  const int status =
      cli_refuse("-o '%s': unknown format; expected a name that ends in one of ", file);
  for (int i = 0; (format = cli_format_at(i)) != NULL; i++)
    fprintf(cli_message(), "%s%s", i ? ", " : "", format->suffix);
  fputs(", or --format", cli_message());
  return status;
}

static int check_engine_format(const struct cli_job *job, const char *file) {
  const struct cli_engine *engine = job->engine;
  int count = 0;
  for (; count < CLI_ENGINE_FORMATS && engine->format[count]; count++)
    if (engine->format[count] == job->format)
      return 0;
  const int status = cli_refuse("-o '%s': --for %s imports ", file, engine->name);
  for (int f = 0; f < count; f++)
    fprintf(cli_message(), "%s%s", f ? " or " : "", engine->format[f]->suffix);
  return status;
}

const char *cli_fill_file(char name[CLI_NAME], const char *file, const struct cli_engine *engine) {
  const char *last = cli_last_part(file);
  return engine && *last != '\0' && !strchr(last, '.')
             ? cli_beside(name, file, engine->format[0]->suffix)
             : file;
}

/* Chooses the format by --format, the suffix, or the engine, whose best format's suffix is then
 * added to the name. */
static int choose_format(struct cli_request *request, struct cli_job *job) {
  const struct cli_map_options *map = &request->map;
  const int is_stream = map->file && cli_output_is_stream(map->file);
  job->engine = cli_engine_at(map->engine);
  if (map->file && map->format < 0 && !is_stream)
    request->map.file = cli_fill_file(job->name, map->file, job->engine);
  if (map->file)
    job->format = map->format >= 0 ? cli_format_at(map->format) : cli_format_of(map->file);
  if (!job->format && is_stream)
    job->format = &CLI_RAW;
  return !map->file     ? cli_refuse("-o FILE is missing: the file to write")
         : !job->format ? refuse_suffix(map->file)
         : is_stream && job->format->tiff
             ? cli_refuse("-o '%s': TIFF needs a regular file, because it is not written from "
                          "start to end; --format selects another format",
                          map->file)
         : job->engine ? check_engine_format(job, map->file)
                       : 0;
}

/* Refuses options of other formats. */
static int check_format(const struct cli_request *request, const struct cli_job *job) {
  static const size_t of_tiff[] = {CLI_MAP_COMPRESSION, CLI_MAP_CRS};
  for (size_t i = 0; i < sizeof of_tiff / sizeof of_tiff[0]; i++)
    if (!job->format->tiff && cli_request_gives(request, of_tiff[i]))
      return cli_refuse("--%s has an effect on .tif and .tiff only",
                        request->group[CLI_OF_MAP].option[of_tiff[i]].name);
  return 0;
}

/* Chooses the compression. The text of options has it only if it is unusual. */
static void choose_compression(struct cli_request *request, struct cli_job *job) {
  const int given = request->map.compression;
  job->plan.map.compression = given < 0 ? CLI_DEFLATE : given;
  if (given == CLI_DEFLATE)
    request->map.compression = -1;
}

/* Rows of a GeoTIFF go from north to south, and columns to the east, as all programs read them. */
static int check_place(const struct cli_request *request, const struct cli_job *job) {
  const double x = cli_map_step(&request->map, 0), y = cli_map_step(&request->map, 1);
  if (request->map.crs == 0 || !job->format->tiff || (x > 0 && y < 0))
    return 0;
  return cli_request_refuse(request, CLI_MAP_STEP,
                            "with --crs rows go from north to south and columns to the east; "
                            "--step %g,%g does that",
                            fabs(x), -fabs(y));
}

static int check_picture(struct cli_request *request, const struct cli_job *job) {
  const struct cli_group *group = &request->group[CLI_OF_PICTURE];
  const int gives_bits = cli_request_gives(request, CLI_MAP_BITS);
  const int is_plain = job->engine || !job->format->colour;
  const int is_deep = request->map.heights.count > 0 ||
                      (gives_bits && request->map.bits > 8 && !request->picture.normal_map);
  /* Saved options of a picture, or a look's, make a map of its heights, as deep as usual, where
   * there are only heights. */
  if ((is_plain || is_deep) && group->given == 0 && cli_picture_wanted(&request->picture)) {
    request->picture = *(const struct cli_picture *)group->defaults;
    if (!gives_bits)
      request->map.bits = 0;
  }
  const int status = cli_picture_check(group, gives_bits ? request->map.bits : 0);
  return status != 0 || !is_plain || !cli_picture_wanted(&request->picture) ? status
         : job->engine
             ? cli_refuse("--for %s: it imports heights, not pictures in colour", job->engine->name)
             : cli_refuse("-o '%s': pictures in colour are .png, .tif or .tiff files",
                          request->map.file);
}

/* ---- Size ---- */

static int choose_tiles(const struct cli_request *request, struct cli_job *job) {
  const struct cli_map_options *map = &request->map;
  struct cli_tiles *tiles = &job->plan.tiles;
  const int is_tiled = map->tiles.count > 0;
  for (int a = 0; a < 2; a++)
    tiles->count[a] = is_tiled ? map->tiles.at[map->tiles.count == 1 ? 0 : a].whole : 1;
  tiles->overlap = cli_map_overlap(map);
  return !is_tiled && cli_request_gives(request, CLI_MAP_PART)
             ? cli_refuse("--part has no effect without --tiles")
         : !is_tiled && map->overlap.count > 0
             ? cli_refuse("--overlap has no effect without --tiles")
         : is_tiled && cli_output_is_stream(map->file)
             ? cli_refuse("-o '%s': --tiles needs names for files", map->file)
             : 0;
}

static int refuse_engine_size(const struct cli_request *request, const struct cli_job *job) {
  const struct cli_engine *engine = job->engine;
  int64_t size[2];
  cli_engine_usual_size(engine, &job->plan.tiles, size);
  if (cli_engine_joins(engine, &job->plan.tiles))
    return cli_request_refuse(
        request, CLI_MAP_SIZE,
        "--for %s places tiles side by side, and these do not add up to whole components of a "
        "landscape; --size %" PRId64 "x%" PRId64 " does, or --overlap 1 makes tiles that share "
        "their borders",
        engine->name, size[0], size[1]);
  const int status =
      cli_request_refuse(request, CLI_MAP_SIZE, "--for %s imports squares of", engine->name);
  for (int i = 0; i < CLI_ENGINE_SIZES && engine->size[i] != 0; i++)
    fprintf(cli_message(), "%s %" PRId64, i ? "," : "", engine->size[i]);
  fputs(" samples a side", cli_message());
  return status;
}

static int choose_size(struct cli_request *request, const struct cli_job *job) {
  struct cli_map_options *map = &request->map;
  struct cli_numbers *size = &map->size;
  const struct cli_tiles *tiles = &job->plan.tiles;
  int64_t side[2] = {1024, 1024}, room = INT64_MAX / 4 / (tiles->count[0] * tiles->count[1]);
  if (size->count == 0 && job->engine)
    cli_engine_usual_size(job->engine, tiles, side);
  cli_map_complete_size(map, side);
  side[0] = size->at[0].whole;
  side[1] = size->at[1].whole;
  int is_image = size->count >= 2, status = 0;
  for (int a = 0; a < size->count; a++) {
    is_image &= a < 2 || size->at[a].whole == 1;
    room /= size->at[a].whole;
  }
  const int64_t longest = job->format->longest ? job->format->longest : INT64_MAX;
  if (cli_request_gives(request, CLI_MAP_AXES) && map->axes != size->count) {
    status = cli_request_refuse(request, CLI_MAP_AXES, "%s", "");
    cli_request_print(cli_message(), request, CLI_MAP_SIZE);
    fprintf(cli_message(), " has %d", size->count);
  } else if (job->engine &&
             (size->count != 2 || !cli_engine_takes_size(job->engine, tiles, side))) {
    status = refuse_engine_size(request, job);
  } else if (map->tiles.count > 0 && size->count != 2) {
    status =
        cli_request_refuse(request, CLI_MAP_SIZE, "--tiles takes maps with two axes, WIDTHxHEIGHT");
  } else if (map->tiles.count > 0 && (tiles->overlap >= side[0] || tiles->overlap >= side[1])) {
    status = cli_request_refuse(request, CLI_MAP_SIZE,
                                "tiles must be larger than --overlap %" PRId64, tiles->overlap);
  } else if (job->format->images && !is_image) {
    status = cli_request_refuse(request, CLI_MAP_SIZE,
                                "%s files hold images, WIDTHxHEIGHT, or slices, WIDTHxHEIGHTx1; "
                                "volumes go to .npy, .raw or .r32",
                                job->format->suffix);
  } else if (room == 0 || side[0] > longest || (size->count > 1 && side[1] > longest)) {
    status =
        cli_request_refuse(request, CLI_MAP_SIZE, "too large for a %s file%s", job->format->suffix,
                           map->tiles.count > 0 ? " or so many tiles" : "");
  }
  map->axes = size->count;
  return status;
}

/* ---- Depth ---- */

static int choose_heights(struct cli_request *request, const struct cli_job *job, unsigned depths) {
  int *bits = &request->map.bits;
  const int is_whole = cli_request_gives(request, CLI_MAP_BITS) && *bits < 32;
  *bits = 32;
  return !(depths & 32)
             ? cli_refuse("--heights makes floats, and %s holds integers; .tif, .pfm, .npy "
                          "and .r32 take floats",
                          job->engine                             ? "the engine's file"
                          : cli_picture_wanted(&request->picture) ? "a picture"
                                                                  : job->format->suffix)
         : is_whole ? cli_refuse("--heights has no effect on integers, which are parts of --range; "
                                 "--bits 32 makes floats")
                    : 0;
}

static int choose_depth(struct cli_request *request, const struct cli_job *job) {
  static const char *const wants[] = {
      [0] = "none", [8] = "8", [16] = "16", [24] = "8 or 16", [32] = "32", [56] = "8, 16 or 32"};
  const struct cli_format *format = job->format;
  const int is_picture = cli_picture_wanted(&request->picture);
  const unsigned depths = job->engine                   ? 16 /* sums of bits, as in cli_format */
                          : !is_picture                 ? format->depths
                          : request->picture.normal_map ? 8 + 16
                                                        : 8;
  int *bits = &request->map.bits;
  if (request->map.heights.count > 0)
    return choose_heights(request, job, depths);
  const int fits = ((unsigned)*bits & depths) != 0;
  const int given = cli_request_gives(request, CLI_MAP_BITS);
  if (!fits && !given)
    *bits = job->engine ? 16 : is_picture ? 8 : format->usual;
  return !fits && given && job->engine
             ? cli_refuse("--bits %d: --for %s imports 16", *bits, job->engine->name)
         : !fits && given
             ? cli_refuse("--bits %d: %s files hold %s%s", *bits, format->suffix, wants[depths],
                          *bits == 32 && !is_picture ? "; floats go to .tif, .pfm, .npy or .r32"
                                                     : "")
         : *bits == 32 && cli_request_gives(request, CLI_MAP_RANGE)
             ? cli_refuse("--range has no effect on floats, which are the field's own values")
             : 0;
}

/* Refuses what a sheet of pictures has no use for. */
static int check_sheet(const struct cli_request *request, const struct cli_job *job) {
  static const size_t unused[] = {CLI_MAP_TILES, CLI_MAP_CRS, CLI_MAP_HEIGHTS, CLI_MAP_ENGINE};
  if (!cli_map_has_seeds(&request->map))
    return 0;
  if (!job->format->colour)
    return cli_refuse("-o '%s': the sheet of --seeds is a .png, .tif or .tiff file",
                      request->map.file);
  for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++)
    if (cli_request_gives(request, unused[i]))
      return cli_refuse("--%s has no effect on the sheet of --seeds",
                        request->group[CLI_OF_MAP].option[unused[i]].name);
  return cli_field_gives(&request->line, "seed")
             ? cli_refuse("--seed has no effect on the sheet of --seeds")
             : 0;
}

int cli_fill_complete(struct cli_request *request, struct cli_job *job) {
  int status = choose_format(request, job);
  if (status == 0)
    status = check_format(request, job);
  if (status != 0)
    return status;
  choose_compression(request, job);
  status = check_picture(request, job);
  if (status == 0)
    status = choose_tiles(request, job);
  if (status == 0)
    status = choose_size(request, job);
  if (status == 0)
    status = choose_depth(request, job);
  if (status == 0)
    status = check_place(request, job);
  return status == 0 ? check_sheet(request, job) : status;
}
