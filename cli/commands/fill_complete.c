/* SPDX-License-Identifier: MIT
 *
 * Completes the options of a map: the format, and the size and depth that were not given. What was
 * given and cannot be is refused; what saved options have gives way to the format.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "commands/fill.h"
#include "formats/carried.h"
#include "formats/output.h"

/* ---- Format ---- */

static int names_format(const char *file) {
  const char *name = cli_last_part(file);
  return *name == '\0' || strchr(name, '.') != NULL || cli_output_is_stream(file);
}

/* Adds the suffix of an engine's best format to a name without one. */
static int complete_name(struct cli_fill *fill) {
  struct cli_map_options *options = &fill->options;
  if (!fill->engine || options->format >= 0 || names_format(options->file))
    return 0;
  fill->name = cli_beside(options->file, fill->engine->format[0]->suffix);
  if (!fill->name)
    return cli_fail(fill->line.command, "%s", strerror(ENOMEM));
  options->file = fill->name;
  return 0;
}

static int refuse_format(const struct cli_fill *fill) {
  const struct cli_format *format;
  FILE *message = cli_begin_message();
  fprintf(message, "-o '%s': unknown format; expected a name that ends in one of ",
          fill->options.file);
  for (int i = 0; (format = cli_format_at(i)) != NULL; i++)
    fprintf(message, "%s%s", i ? ", " : "", format->suffix);
  fputs(", or --format", message);
  return cli_end_refusal(fill->line.command, message);
}

static int check_picture(struct cli_fill *fill) {
  const struct cli_command *command = fill->line.command;
  const struct cli_engine *engine = fill->engine;
  const struct cli_group *group = &fill->group[FILL_PICTURE];
  const int is_plain = engine || !fill->format->colour;
  /* Saved options of a picture make a map of its heights, as deep as usual, where there are only
   * heights. */
  if (is_plain && group->given == 0 && cli_picture_wanted(&fill->picture)) {
    fill->picture = *(const struct cli_picture *)group->defaults;
    if (!cli_fill_given(fill, CLI_MAP_BITS))
      fill->options.bits = 0;
  }
  const int bits = cli_fill_given(fill, CLI_MAP_BITS) ? fill->options.bits : 0;
  const int status = cli_picture_check(command, &fill->picture, group, bits);
  if (status != 0 || !is_plain || !cli_picture_wanted(&fill->picture))
    return status;
  if (engine)
    return cli_refuse(command, "--for %s: it imports heights, not pictures in colour",
                      engine->name);
  return cli_refuse(command, "-o '%s': pictures in colour are .png, .tif or .tiff files",
                    fill->options.file);
}

static int choose_format(struct cli_fill *fill) {
  const struct cli_map_options *options = &fill->options;
  const struct cli_engine *engine = fill->engine;
  const int is_stream = cli_output_is_stream(options->file);
  fill->format =
      options->format >= 0 ? cli_format_at(options->format) : cli_format_of(options->file);
  if (!fill->format && is_stream)
    fill->format = &CLI_RAW;
  if (!fill->format)
    return refuse_format(fill);
  if (fill->format->tiff && is_stream)
    return cli_refuse(fill->line.command,
                      "-o '%s': TIFF needs a regular file, because it is not "
                      "written from start to end; --format selects another format",
                      options->file);
  if (fill->format->store && is_stream)
    return cli_refuse(fill->line.command, "-o '%s': a .zarr array is a folder", options->file);
  if (!engine || cli_engine_has_format(engine, fill->format))
    return 0;
  FILE *message = cli_begin_message();
  fprintf(message, "-o '%s': --for %s imports ", options->file, engine->name);
  for (int f = 0; f < CLI_ENGINE_FORMATS && engine->format[f]; f++)
    fprintf(message, "%s%s", f ? " or " : "", engine->format[f]->suffix);
  return cli_end_refusal(fill->line.command, message);
}

/* Refuses options of other formats, and chooses the compression. The text of options has it only if
 * it is unusual; an array describes its own. */
static int choose_compression(struct cli_fill *fill) {
  const struct cli_format *format = fill->format;
  const struct {
    size_t option;
    int has_effect;
    const char *formats;
  } limited[] = {
      {CLI_MAP_COMPRESSION, format->tiff || format->store, ".tif, .tiff and .zarr"},
      {CLI_MAP_CHUNK, format->store, ".zarr"},
      {CLI_MAP_PART, format->store, ".zarr"},
      {CLI_MAP_RESUME, format->store, ".zarr"},
  };
  for (size_t i = 0; i < sizeof limited / sizeof limited[0]; i++)
    if (!limited[i].has_effect && cli_fill_given(fill, limited[i].option))
      return cli_refuse(fill->line.command, "--%s has an effect on %s only",
                        fill->group[FILL_MAP].option[limited[i].option].name, limited[i].formats);
  int *compression = &fill->options.compression;
  const int usual = format->store ? CLI_ZSTD : CLI_DEFLATE;
  fill->compression = *compression < 0 ? usual : *compression;
  if (fill->compression == usual || format->store)
    *compression = -1;
  return 0;
}

/* ---- Size ---- */

/* Returns 1 if the engine makes one terrain of tiles that it places side by side. */
static int is_joined(const struct cli_fill *fill) {
  return fill->engine && fill->engine->joins_tiles && fill->tiles.overlap == 0 &&
         cli_fill_tile_count(fill) > 1;
}

static struct cli_numbers usual_size(const struct cli_fill *fill) {
  int64_t size[2] = {1024};
  const int joined = is_joined(fill);
  if (joined)
    cli_engine_joined_size(fill->engine, fill->tiles.count, size);
  else if (fill->engine)
    size[0] = fill->engine->usual;
  return (struct cli_numbers){joined ? 2 : 1, {{.whole = size[0]}, {.whole = size[1]}}};
}

static int engine_has_size(const struct cli_fill *fill) {
  const int64_t side[2] = {fill->options.size.at[0].whole, fill->options.size.at[1].whole};
  if (fill->options.size.count != 2)
    return 0;
  return is_joined(fill) ? cli_engine_joins(fill->tiles.count, side)
                         : side[0] == side[1] && cli_engine_has_size(fill->engine, side[0]);
}

static int refuse_joined(const struct cli_fill *fill, FILE *message) {
  const struct cli_numbers size = usual_size(fill);
  fputc(' ', message);
  cli_fill_print(message, fill, CLI_MAP_TILES);
  fprintf(message,
          ": --for %s places tiles side by side, and these do not add up to whole components of a "
          "landscape; --size %" PRId64 "x%" PRId64 " does, or --overlap 1 makes tiles that share "
          "their borders",
          fill->engine->name, size.at[0].whole, size.at[1].whole);
  return cli_end_refusal(fill->line.command, message);
}

/* Refuses tiles that are not parts of an image, or that are not larger than what they share. */
static int check_tiles(const struct cli_fill *fill) {
  const struct cli_numbers *size = &fill->options.size;
  const int64_t overlap = fill->tiles.overlap;
  if (fill->options.tiles.count == 0 ||
      (size->count == 2 && overlap < size->at[0].whole && overlap < size->at[1].whole))
    return 0;
  FILE *message = cli_begin_message();
  cli_fill_print(message, fill, CLI_MAP_SIZE);
  if (size->count != 2)
    fputs(": --tiles takes maps with two axes, WIDTHxHEIGHT", message);
  else
    fprintf(message, ": tiles must be larger than --overlap %" PRId64, overlap);
  return cli_end_refusal(fill->line.command, message);
}

static int choose_size(struct cli_fill *fill) {
  struct cli_map_options *options = &fill->options;
  struct cli_numbers *size = &options->size;
  const struct cli_engine *engine = fill->engine;
  if (size->count == 0)
    *size = usual_size(fill);
  if (size->count == 1)
    for (; size->count < options->axes; size->count++)
      size->at[size->count] = size->at[0];
  if (cli_fill_given(fill, CLI_MAP_AXES) && options->axes != size->count) {
    FILE *message = cli_begin_message();
    cli_fill_print(message, fill, CLI_MAP_AXES);
    fputs(": ", message);
    cli_fill_print(message, fill, CLI_MAP_SIZE);
    fprintf(message, " has %d", size->count);
    return cli_end_refusal(fill->line.command, message);
  }
  options->axes = size->count;
  if (!engine || engine_has_size(fill))
    return check_tiles(fill);
  FILE *message = cli_begin_message();
  cli_fill_print(message, fill, CLI_MAP_SIZE);
  if (is_joined(fill))
    return refuse_joined(fill, message);
  fprintf(message, ": --for %s imports squares of", engine->name);
  for (int i = 0; i < CLI_ENGINE_SIZES && engine->size[i] != 0; i++)
    fprintf(message, "%s %" PRId64, i ? "," : "", engine->size[i]);
  fputs(" samples a side", message);
  return cli_end_refusal(fill->line.command, message);
}

/* ---- Depth ---- */

/* The depths that there may be, as in cli_format. */
static unsigned depths_of(const struct cli_fill *fill) {
  if (fill->engine)
    return 16;
  if (!cli_picture_wanted(&fill->picture))
    return fill->format->depths;
  return fill->picture.normal_map ? 8 + 16 : 8;
}

static int refuse_depth(const struct cli_fill *fill) {
  static const char *const wants[] = {
      [0] = "none", [8] = "8", [16] = "16", [24] = "8 or 16", [32] = "32", [56] = "8, 16 or 32"};
  const int bits = fill->options.bits;
  if (fill->engine)
    return cli_refuse(fill->line.command, "--bits %d: --for %s imports 16", bits,
                      fill->engine->name);
  return cli_refuse(fill->line.command, "--bits %d: %s files hold %s%s", bits, fill->format->suffix,
                    wants[depths_of(fill)],
                    bits == 32 && !cli_picture_wanted(&fill->picture)
                        ? "; floats go to .tif, .pfm, .npy or .r32"
                        : "");
}

static int choose_depth(struct cli_fill *fill) {
  int *bits = &fill->options.bits;
  const int is_picture = cli_picture_wanted(&fill->picture);
  if (((unsigned)*bits & depths_of(fill)) == 0) {
    if (cli_fill_given(fill, CLI_MAP_BITS))
      return refuse_depth(fill);
    *bits = fill->engine ? 16 : is_picture ? 8 : fill->format->usual;
  }
  if (*bits == 32 && cli_fill_given(fill, CLI_MAP_RANGE))
    return cli_refuse(fill->line.command,
                      "--range has no effect on floats, which are the field's own values");
  return 0;
}

int cli_fill_complete(struct cli_fill *fill) {
  if (!fill->options.file)
    return cli_refuse(fill->line.command, "-o FILE is missing: the file to write");
  fill->engine = cli_engine_at(fill->options.engine);
  int status = complete_name(fill);
  if (status == 0)
    status = choose_format(fill);
  if (status == 0)
    status = choose_compression(fill);
  if (status == 0)
    status = check_picture(fill);
  if (status == 0)
    status = cli_fill_choose_tiles(fill);
  if (status == 0)
    status = choose_size(fill);
  return status == 0 ? choose_depth(fill) : status;
}
