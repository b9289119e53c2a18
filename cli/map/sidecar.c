/* SPDX-License-Identifier: MIT
 *
 * Sidecars as JSON objects: the members are listed in docs/perlane.1.
 */
#include "map/sidecar.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

char *cli_sidecar_name(const char *file) {
  char *name = malloc(strlen(file) + sizeof ".json");
  if (name) {
    strcpy(name, file);
    strcat(name, ".json");
  }
  return name;
}

/* 0 without memory; the member is then nobody's. */
static int add(struct json_object *object, const char *key, struct json_object *member) {
  if (member && json_object_object_add(object, key, member) == 0)
    return 1;
  json_object_put(member);
  return 0;
}

static struct json_object *sizes_of(const struct cli_map *map) {
  struct json_object *sizes = json_object_new_array();
  for (int a = 0; sizes && a < map->dims; a++)
    if (json_object_array_add(sizes, json_object_new_int64((int64_t)map->size[a])) != 0)
      return sizes;
  return sizes;
}

static struct json_object *levels_of(const struct cli_levels *levels) {
  struct json_object *range = json_object_new_array();
  const float level[] = {levels->low, levels->high};
  for (int i = 0; range && i < 2; i++) {
    char text[32];
    snprintf(text, sizeof text, "%.9g", (double)level[i]);
    json_object_array_add(range, json_object_new_double_s((double)level[i], text));
  }
  return range;
}

static int describe(struct json_object *object, const char *file, const struct cli_map *map,
                    const struct cli_levels *levels) {
  const char *type = map->bits == 32 ? "float32" : map->bits == 16 ? "uint16" : "uint8";
  int complete = add(object, "file", json_object_new_string(cli_last_part(file))) &&
                 add(object, "size", sizes_of(map)) &&
                 add(object, "type", json_object_new_string(type)) &&
                 add(object, "byte_order", json_object_new_string("little")) &&
                 add(object, "range", levels_of(levels));
  /* What Unreal reads beside a raw heightmap. */
  if (complete && map->dims == 2)
    complete = add(object, "width", json_object_new_int64((int64_t)map->size[0])) &&
               add(object, "height", json_object_new_int64((int64_t)map->size[1])) &&
               add(object, "bpp", json_object_new_int(map->bits));
  if (complete && map->params)
    complete = add(object, "params", json_tokener_parse(map->params));
  return complete;
}

const char *cli_sidecar_write(FILE *stream, const char *file, const struct cli_map *map,
                              const struct cli_levels *levels) {
  struct json_object *object = json_object_new_object();
  const char *text = NULL;
  if (object && describe(object, file, map, levels))
    text = json_object_to_json_string_ext(object,
                                          JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
  const char *problem = text ? NULL : strerror(ENOMEM);
  if (text && fprintf(stream, "%s\n", text) < 0)
    problem = strerror(errno);
  json_object_put(object);
  return problem;
}
