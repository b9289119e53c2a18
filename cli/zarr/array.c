/* SPDX-License-Identifier: MIT */
#include "zarr/array.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/carried.h"
#include "formats/json.h"

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
  *array = (struct cli_array){.folder = folder, .stream = stream, .level = 1};
  if (sides->count > 1 && sides->count != map->dims)
    return "chunks of other axes than the map's";
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

const char *const CLI_DESCRIPTION[2] = {"/.zarray", "/.zattrs"};

static const struct {
  const char *name; /* Zarr's */
  json_int_t max_level;
} CODECS[] = {[CLI_DEFLATE] = {"zlib", 9}, [CLI_NONE] = {"", 0}, [CLI_ZSTD] = {"zstd", 22}};
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
  if (map->compression == CLI_NONE)
    fputs("  \"compressor\": null,\n", stream);
  else
    fprintf(stream, "  \"compressor\": {\"id\": \"%s\", \"level\": %d},\n",
            CODECS[map->compression].name, array->level);
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
    cli_print_real(stream, (double)map->low, 1);
    fputs(",\n  \"high\": ", stream);
    cli_print_real(stream, (double)map->high, 1);
    fputs(",\n", stream);
  }
  json_t *params = json_string(map->params);
  fputs("  \"perlane\": ", stream);
  json_dumpf(params, stream, JSON_ENCODE_ANY);
  fputs("\n}\n", stream);
  json_decref(params);
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

/* Reads a description, to be released. Returns NULL after a message. */
static json_t *read_description(const char *folder, int which) {
  const char *problem;
  char *text = cli_read_beside(folder, CLI_DESCRIPTION[which], CLI_MAX_DESCRIPTION, &problem);
  json_t *json = text ? cli_json_read(text, &problem) : NULL;
  free(text);
  if (!json)
    cli_fail("cannot read '%s%s': %s", folder, CLI_DESCRIPTION[which], problem);
  return json;
}

/* Takes chunks and compression from a .zarray. Returns 0 if perlane writes no such arrays. */
static int parse_layout(json_t *zarray, struct cli_numbers *sides, int *compression, int *level) {
  json_t *chunks = json_object_get(zarray, "chunks"), *value;
  json_t *compressor = json_object_get(zarray, "compressor");
  json_t *id = json_object_get(compressor, "id"), *number = json_object_get(compressor, "level");
  size_t index;
  const size_t dims = json_array_size(chunks);
  int is_known = dims >= 1 && dims <= PERLANE_MAX_DIMS;
  sides->count = is_known ? (int)dims : 0;
  json_array_foreach(chunks, index, value) { /* the last axis first */
    is_known = is_known && json_is_integer(value) && json_integer_value(value) >= 1;
    if (is_known)
      sides->at[dims - 1 - index].whole = json_integer_value(value);
  }
  *compression = CLI_NONE;
  *level = 1;
  if (!is_known || json_is_null(compressor))
    return is_known;
  for (int c = 0; c < CODEC_COUNT; c++)
    if (json_is_string(id) && strcmp(json_string_value(id), CODECS[c].name) == 0)
      *compression = c;
  *level = (int)json_integer_value(number);
  return *compression != CLI_NONE && json_is_integer(number) && json_integer_value(number) >= 0 &&
         json_integer_value(number) <= CODECS[*compression].max_level;
}

int cli_array_read_layout(const char *folder, struct cli_numbers *sides, int *compression) {
  int level;
  json_t *zarray = read_description(folder, CLI_ZARRAY);
  const int is_known = zarray && parse_layout(zarray, sides, compression, &level);
  json_decref(zarray);
  if (zarray && !is_known)
    cli_fail("cannot read '%s%s': it describes no array of perlane's", folder,
             CLI_DESCRIPTION[CLI_ZARRAY]);
  return is_known ? 0 : CLI_FAILURE;
}

static void print_line(const char *label, const json_t *json) {
  enum { DIGITS = 9 }; /* of a float */
  char *line = json_dumps(json, JSON_REAL_PRECISION(DIGITS));
  fprintf(stderr, "  %s: ", label);
  cli_print_text(stderr, line ? line : strerror(ENOMEM));
  fputc('\n', stderr);
  free(line);
}

int cli_array_check(struct cli_array *array, int which) {
  struct cli_numbers sides;
  int compression, level, is_known = 1, status = 0;
  const char *problem = strerror(ENOMEM);
  json_t *stored = read_description(array->folder, which);
  if (!stored)
    return CLI_FAILURE;
  if (which == CLI_ZARRAY)
    is_known = parse_layout(stored, &sides, &compression, &level);
  /* Another writer's level makes the same array. */
  if (which == CLI_ZARRAY && is_known && compression == array->stream->map->compression)
    array->level = level;
  char *text = cli_array_describe(array, which);
  json_t *wanted = text ? cli_json_read(text, &problem) : NULL;
  if (!wanted) {
    status = cli_fail("cannot describe '%s': %s", array->folder, problem);
  } else if (!is_known || !cli_json_includes(stored, wanted)) {
    status = cli_fail("'%s' holds another map, which its %s describes:", array->folder,
                      CLI_DESCRIPTION[which] + 1);
    cli_print_message();
    print_line("stored", stored);
    print_line("wanted", wanted);
  }
  json_decref(stored);
  json_decref(wanted);
  free(text);
  return status;
}
