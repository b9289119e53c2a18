/* SPDX-License-Identifier: MIT
 *
 * Maps in tiles: files of one size, each with the samples that the whole map has there.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/fill.h"
#include "formats/carried.h"
#include "formats/output.h"

int cli_fill_choose_tiles(struct cli_fill *fill) {
  const struct cli_map_options *options = &fill->options;
  const struct cli_command *command = fill->line.command;
  const struct cli_numbers *tiles = &options->tiles;
  fill->tiles = (struct cli_fill_tiles){
      .count = {1, 1}, .first = options->first, .output = options->file, .tile = -1};
  if (tiles->count == 0)
    return options->overlap.count == 0
               ? 0
               : cli_refuse(command, "--overlap has no effect without --tiles");
  for (int a = 0; a < 2; a++)
    fill->tiles.count[a] = tiles->at[tiles->count == 1 ? 0 : a].whole;
  fill->tiles.overlap = options->overlap.count > 0 ? options->overlap.at[0].whole
                        : fill->engine             ? !fill->engine->joins_tiles
                                                   : 0;
  if (fill->format->store)
    return cli_refuse(command, "-o '%s': --tiles are files; an array has chunks (--chunk)",
                      options->file);
  return cli_output_is_stream(options->file)
             ? cli_refuse(command, "-o '%s': --tiles needs names for files", options->file)
             : 0;
}

int64_t cli_fill_tile_count(const struct cli_fill *fill) {
  return fill->tiles.count[0] * fill->tiles.count[1];
}

uint64_t cli_fill_samples(const struct cli_fill *fill) {
  return (uint64_t)cli_fill_tile_count(fill) * cli_grid_samples(&fill->stream.grid);
}

uint64_t cli_fill_whole(const struct cli_fill *fill, int axis) {
  const uint64_t size = (uint64_t)fill->options.size.at[axis].whole;
  const uint64_t more = axis < 2 ? (uint64_t)fill->tiles.count[axis] - 1 : 0;
  return size + more * (size - (uint64_t)fill->tiles.overlap);
}

/* Puts the tile's indices before the suffix. */
char *cli_fill_tile_name(const struct cli_fill *fill, int64_t tile) {
  const struct cli_engine *engine = fill->engine;
  const int64_t x = tile % fill->tiles.count[0], y = tile / fill->tiles.count[0];
  const char *path = fill->tiles.output, *dot = strrchr(cli_last_part(path), '.');
  const size_t stem = dot ? (size_t)(dot - path) : strlen(path);
  const size_t size = strlen(path) + 64;
  char *name = malloc(size);
  if (name)
    snprintf(name, size, "%.*s%s%" PRId64 "%s%" PRId64 "%s", (int)stem, path,
             engine ? engine->before_x : "_x", x, engine ? engine->before_y : "_y", y, path + stem);
  return name;
}

/* Chooses the names of the files beside the map. Returns 0 without memory. */
static int name_beside(struct cli_fill *fill) {
  const char *file = fill->options.file;
  const int has_sidecar = fill->format->sidecar && !cli_output_is_stream(file);
  const int has_shape = has_sidecar && fill->engine && fill->engine->reads_json;
  for (int i = 0; i < FILL_BESIDE; i++) {
    free(fill->beside[i]);
    fill->beside[i] = NULL;
  }
  if (has_sidecar)
    fill->beside[FILL_SIDECAR] = cli_beside(file, CLI_SIDECAR);
  if (has_shape)
    fill->beside[FILL_SHAPE] = cli_beside(file, CLI_SHAPE);
  return (!has_sidecar || fill->beside[FILL_SIDECAR]) && (!has_shape || fill->beside[FILL_SHAPE]);
}

int cli_fill_go_to(struct cli_fill *fill, int64_t tile) {
  struct cli_fill_tiles *tiles = &fill->tiles;
  const int64_t index[2] = {tile % tiles->count[0], tile / tiles->count[0]};
  char *name = fill->options.tiles.count > 0 ? cli_fill_tile_name(fill, tile) : NULL;
  int is_named = name || fill->options.tiles.count == 0;
  free(tiles->name);
  tiles->name = name;
  tiles->tile = tile;
  fill->options.file = name ? name : tiles->output;
  fill->options.first = tiles->first;
  if (tile > 0)
    fill->options.first.count = 2;
  for (int a = 0; a < 2; a++) {
    fill->options.first.at[a].whole += index[a] * (fill->options.size.at[a].whole - tiles->overlap);
    fill->stream.grid.first[a] = fill->options.first.at[a].whole;
  }
  is_named = is_named && name_beside(fill);
  return is_named ? 0 : cli_fail(fill->line.command, "%s", strerror(ENOMEM));
}
