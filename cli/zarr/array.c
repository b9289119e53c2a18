/* SPDX-License-Identifier: MIT */
#include "zarr/array.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/carried.h"
#include "formats/json.h"

const struct cli_format CLI_ZARR = {
    .suffix = ".zarr", .depths = 8 + 16 + 32, .usual = 32, .store = 1};

/* Most readers keep a chunk's bytes below 2 GiB. */
#define MAX_CHUNK_BYTES (UINT64_C(1) << 30)

/* Every process has a bit for each. */
#define MAX_CHUNKS (UINT64_C(1) << 32)

/* ---- Chunks ---- */

/* About a million samples: 4 MiB of floats. */
static uint64_t usual_side(int dims) {
  static const uint64_t side[PERLANE_MAX_DIMS] = {1 << 20, 1024, 128, 32};
  return side[dims - 1];
}

const char *cli_array_make(struct cli_array *array, const char *folder, struct cli_stream *stream,
                           const struct cli_numbers *sides, const struct cli_part *part) {
  const struct cli_map *map = stream->map;
  array->folder = folder;
  array->stream = stream;
  array->compression = map->compression;
  array->level = 1;
  uint64_t total = 1, room = MAX_CHUNK_BYTES / cli_sample_bytes(map);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    const uint64_t wanted = sides->count == 0
                                ? usual_side(map->dims)
                                : (uint64_t)sides->at[sides->count == 1 ? 0 : a].whole;
    array->side[a] = wanted < map->size[a] ? wanted : map->size[a];
    if (a >= map->dims)
      array->side[a] = 1;
    array->count[a] = (map->size[a] - 1) / array->side[a] + 1;
    room /= array->side[a];
    if (array->count[a] > MAX_CHUNKS / total)
      return "more than 2^32 chunks";
    total *= array->count[a];
  }
  if (room == 0)
    return "chunks of more than 1 GiB";
  const uint64_t share = total / part->of, rest = total % part->of;
  array->first = share * (part->number - 1) + rest * (part->number - 1) / part->of;
  array->chunks = share * part->number + rest * part->number / part->of - array->first;
  return NULL;
}

size_t cli_array_chunk_bytes(const struct cli_array *array) {
  size_t bytes = cli_sample_bytes(array->stream->map);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    bytes *= (size_t)array->side[a];
  return bytes;
}

perlane_grid cli_array_grid(const struct cli_array *array, uint64_t chunk) {
  const uint64_t *count = array->count;
  perlane_grid grid = array->stream->grid;
  perlane_grid_piece(&grid, array->side, count[0] * count[1] * count[2] * count[3], chunk, &grid,
                     NULL);
  int64_t stride = 1;
  for (int a = 0; a < grid.dims; a++) {
    grid.stride[a] = stride;
    stride *= (int64_t)array->side[a];
  }
  return grid;
}

uint64_t cli_array_chunk_samples(const struct cli_array *array, uint64_t chunk) {
  const perlane_grid grid = cli_array_grid(array, chunk);
  return cli_grid_samples(&grid);
}

void cli_array_chunk_name(const struct cli_array *array, uint64_t chunk,
                          char name[CLI_CHUNK_NAME]) {
  uint64_t number[PERLANE_MAX_DIMS];
  int length = 0;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    number[a] = chunk % array->count[a];
    chunk /= array->count[a];
  }
  for (int a = array->stream->map->dims - 1; a >= 0; a--)
    length += snprintf(name + length, (size_t)(CLI_CHUNK_NAME - length), "%s%" PRIu64,
                       length ? "/" : "", number[a]);
}

/* ---- Descriptions ---- */

const char *const CLI_DESCRIPTION[CLI_DESCRIPTIONS] = {"/.zarray", "/.zattrs"};

/* Zarr's names. */
static const char *const CODECS[] = {[CLI_DEFLATE] = "zlib", [CLI_ZSTD] = "zstd"};
enum { CODEC_COUNT = sizeof CODECS / sizeof CODECS[0] };

static void print_list(FILE *stream, const char *key, const uint64_t *value, int dims) {
  fprintf(stream, "  \"%s\": [", key);
  for (int a = dims - 1; a >= 0; a--)
    fprintf(stream, "%" PRIu64 "%s", value[a], a ? ", " : "],\n");
}

static void print_zarray(FILE *stream, const struct cli_array *array) {
  const struct cli_map *map = array->stream->map;
  fputs("{\n", stream);
  print_list(stream, "chunks", array->side, map->dims);
  if (array->compression == CLI_NONE)
    fputs("  \"compressor\": null,\n", stream);
  else
    fprintf(stream, "  \"compressor\": {\"id\": \"%s\", \"level\": %d},\n",
            CODECS[array->compression], array->level);
  fprintf(stream,
          "  \"dimension_separator\": \"/\",\n"
          "  \"dtype\": \"%s\",\n"
          "  \"fill_value\": %s,\n"
          "  \"filters\": null,\n"
          "  \"order\": \"C\",\n",
          map->bits == 8    ? "|u1"
          : map->bits == 16 ? "<u2"
                            : "<f4",
          map->bits == 32 ? "\"NaN\"" : "null");
  print_list(stream, "shape", map->size, map->dims);
  fputs("  \"zarr_format\": 2\n}\n", stream);
}

static void print_zattrs(FILE *stream, const struct cli_array *array) {
  const struct cli_map *map = array->stream->map;
  fputs("{\n  \"_ARRAY_DIMENSIONS\": [", stream);
  for (int a = map->dims - 1; a >= 0; a--)
    fprintf(stream, "\"%c\"%s", "xyzw"[a], a ? ", " : "],\n");
  if (map->bits != 32) {
    fputs("  \"low\": ", stream);
    cli_print_float(stream, array->stream->low);
    fputs(",\n  \"high\": ", stream);
    cli_print_float(stream, array->stream->high);
    fputs(",\n", stream);
  }
  fputs("  \"perlane\": ", stream);
  cli_json_print_string(stream, map->params);
  fputs("\n}\n", stream);
}

char *cli_array_describe(const struct cli_array *array, int which) {
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  (which == CLI_ZARRAY ? print_zarray : print_zattrs)(stream, array);
  const int failed = ferror(stream);
  if (fclose(stream) == 0 && !failed)
    return text;
  free(text);
  return NULL;
}

char *cli_array_read(const char *folder, int which, const char **problem) {
  char *path = cli_beside(folder, CLI_DESCRIPTION[which]);
  FILE *stream = cli_open_regular(path, problem);
  free(path);
  if (!stream)
    return NULL;
  char *text = cli_read_bounded(stream, CLI_MAX_DESCRIPTION, problem);
  fclose(stream);
  if (text)
    *problem = cli_json_is_value(text) ? cli_json_duplicate(text) : "it is not JSON";
  if (!*problem)
    return text;
  free(text);
  return NULL;
}

/* Reads a list of numbers for axes, of which the file has the last one first. */
static int parse_sides(const char *list, struct cli_numbers *sides) {
  uint64_t value;
  sides->count = 0;
  while (sides->count < PERLANE_MAX_DIMS && cli_json_element(list, sides->count))
    sides->count++;
  for (int a = 0; a < sides->count; a++) {
    if (!cli_json_whole(cli_json_element(list, sides->count - 1 - a), &value) || value < 1 ||
        value > INT64_MAX)
      return 0;
    sides->at[a].whole = (int64_t)value;
  }
  return sides->count > 0;
}

int cli_array_parse(const char *zarray, struct cli_numbers *sides, int *compression, int *level) {
  const char *chunks = cli_json_member(zarray, "chunks");
  const char *compressor = cli_json_member(zarray, "compressor");
  if (!chunks || !compressor || !parse_sides(chunks, sides))
    return 0;
  *compression = CLI_NONE;
  *level = 1;
  if (strncmp(compressor, "null", 4) == 0)
    return 1;
  const char *number = cli_json_member(compressor, "level");
  uint64_t value;
  for (int c = 0; c < CODEC_COUNT; c++) {
    char name[32];
    snprintf(name, sizeof name, "{\"id\": \"%s\"}", CODECS[c] ? CODECS[c] : "");
    if (cli_json_includes(compressor, name))
      *compression = c;
  }
  if (*compression == CLI_NONE || !number || !cli_json_whole(number, &value) ||
      value > (*compression == CLI_ZSTD ? 22 : 9))
    return 0;
  *level = (int)value;
  return 1;
}
