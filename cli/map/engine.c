/* SPDX-License-Identifier: MIT
 *
 * The engines.
 *
 * Unreal: a landscape has whole components, all of one size, which "Recommended Landscape Sizes" of
 * its Landscape Technical Guide lists; it takes 16-bit grey PNG and .r16. Unity: the heightmap
 * resolutions of its terrain settings, and "Import Raw" with the byte order of Windows. Godot reads
 * PNGs as 8 bits a channel; its terrain add-ons take .r16 and .exr (Terrain3D, of any size;
 * Zylann's HTerrain, of a power of two and one). EXR has heights as they are.
 *
 * Tiles: a terrain of Unity and of HTerrain ends at the samples where its neighbour begins, as the
 * levels of Unreal's World Composition do. Its World Partition places the samples of all tiles side
 * by side and makes one landscape of them.
 */
#include "map/plan.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- What to type ---- */

/* At a scale of 1 Unreal's levels span 512 cm around the height of the actor. */
static void print_unreal(FILE *stream, const struct cli_terrain *terrain) {
  fprintf(stream, "Scale X %.9g, Y %.9g, Z %.9g; Location Z %.9g", terrain->spacing * 100,
          terrain->spacing * 100, (terrain->high - terrain->low) * 100 / 512,
          (terrain->low + terrain->high) * 50);
}

static void print_unity(FILE *stream, const struct cli_terrain *terrain) {
  fprintf(stream, "Terrain Width %.9g, Length %.9g, Height %.9g; Position Y %.9g",
          (double)(terrain->size[0] - 1) * terrain->spacing,
          (double)(terrain->size[1] - 1) * terrain->spacing, terrain->high - terrain->low,
          terrain->low);
}

static void print_godot(FILE *stream, const struct cli_terrain *terrain) {
  if (!terrain->is_floats)
    fprintf(stream, "R16 Range %.9g, %.9g; R16 Size %" PRId64 ", %" PRId64 "; ", terrain->low,
            terrain->high, terrain->size[0], terrain->size[1]);
  fprintf(stream, "Vertex Spacing %.9g", terrain->spacing);
}

void cli_engine_print(FILE *stream, const struct cli_engine *engine,
                      const struct cli_terrain *terrain, int bits) {
  const double sea = (0 - terrain->low) / (terrain->high - terrain->low);
  if (engine) {
    fprintf(stream, "for %s: ", engine->name);
    engine->print_settings(stream, terrain);
  }
  if (sea >= 0 && sea <= 1 && !terrain->is_floats)
    fprintf(stream, "%sthe sea, 0 m, is level %.0f", engine ? "; " : "",
            rint(sea * (bits == 8 ? 255 : 65535)));
}

/* ---- The engines ---- */

/* Sides of components in samples less one, the largest first. */
static const int64_t UNREAL[] = {510, 255, 254, 127, 126, 63, 62, 31, 30, 15, 14, 7, 0};
static const int64_t UNITY[] = {4096, 2048, 1024, 512, 256, 128, 64, 32, 0};
static const int64_t ANY[] = {0};

static const struct cli_engine ENGINES[] = {
    {.name = "unreal",
     .usual = 2017,
     .sizes = "landscapes of whole components, best 505, 1009, 2017, 4033 or 8129 samples a side",
     .quads = UNREAL,
     .most = 32,
     .most_joined = 256,
     .format = {&CLI_PNG, &CLI_R16},
     .print_settings = print_unreal},
    {.name = "unity",
     .usual = 1025,
     .sizes = "squares of 33, 65, 129, and so on up to 4097 samples a side",
     .quads = UNITY,
     .most = 1,
     .format = {&CLI_RAW, &CLI_R16},
     .print_settings = print_unity,
     .numbers_tiles = 1},
    {.name = "godot",
     .usual = 1024,
     .sizes = "maps with two axes",
     .quads = ANY,
     .format = {&CLI_R16, &CLI_RAW, &CLI_EXR},
     .print_settings = print_godot,
     .numbers_tiles = 1},
};
enum { ENGINE_COUNT = sizeof ENGINES / sizeof ENGINES[0] };

const struct cli_engine *cli_engine_at(int index) {
  return index >= 0 && index < ENGINE_COUNT ? &ENGINES[index] : NULL;
}

static const char *engine_name(int index) {
  const struct cli_engine *engine = cli_engine_at(index);
  return engine ? engine->name : NULL;
}

const struct cli_kind CLI_ENGINE = {.list = engine_name, .none = "none"};

int cli_map_has_settings(const struct cli_map_options *map) {
  return map->engine >= 0 && map->mask.kind == CLI_NO_MASK &&
         (map->heights.count != 0 || map->natural_height > 0);
}

struct cli_tiles cli_map_tiles(const struct cli_map_options *map) {
  const struct cli_engine *engine = cli_engine_at(map->engine);
  const struct cli_numbers *tiles = &map->tiles;
  if (tiles->count == 0)
    return (struct cli_tiles){.count = {1, 1, 1}};
  return (struct cli_tiles){
      .axes = tiles->count > 2 ? 3 : 2,
      .count = {tiles->at[0].whole, tiles->at[tiles->count > 1].whole,
                tiles->count > 2 ? tiles->at[2].whole : 1},
      .overlap = map->overlap.count > 0 ? map->overlap.at[0].whole : engine && !engine->most_joined,
  };
}

/* ---- Names of tiles ---- */

/* Returns the axis whose index replaces the beginning of a text, {x}, {y} or {z}; -1 for none. */
static int axis_at(const char *text) {
  return text[0] == '{' && text[1] >= 'x' && text[1] <= 'z' && text[2] == '}' ? text[1] - 'x' : -1;
}

int cli_tiles_are_named(const char *file) {
  while (*file != '\0' && axis_at(file) < 0)
    file++;
  return *file != '\0';
}

int cli_tiles_check_names(const char *file, const struct cli_tiles *tiles) {
  const char *first = NULL, *end = NULL; /* index; and after the last one */
  int axes = 0, needed = 0, is_unique = 1;
  for (const char *at = file; *at != '\0'; at++)
    if (axis_at(at) >= 0) {
      is_unique &= !end || strspn(end, "0123456789") < (size_t)(at - end);
      first = first ? first : at;
      end = at + 3;
      axes |= 1 << axis_at(at);
    }
  for (int a = 0; a < tiles->axes; a++)
    needed |= (tiles->count[a] > 1) << a;
  return !first || tiles->axes == 0 ||
                 (is_unique && (needed & ~axes) == 0 && axes >> tiles->axes == 0 &&
                  !strstr(first, "/../"))
             ? 0
             : cli_refuse("'%s': each tile needs a name of its own: {x} and {y}, and {z} for NxMxL "
                          "tiles, with more than digits between them and no .. after them",
                          file);
}

void cli_tile_name(char name[CLI_NAME], const char *file, const struct cli_engine *engine,
                   const struct cli_tiles *tiles, int64_t tile) {
  enum { INDEX = 24 }; /* room for _x and a number */
  const char *dot = strrchr(cli_last_part(file), '.');
  const char *suffix = dot ? dot : file + strlen(file);
  const int has_letters = !engine || !engine->numbers_tiles;
  const int axes = cli_tiles_are_named(file) ? 0 : tiles->axes; /* whose index is added */
  int64_t index[CLI_TILE_AXES];
  int length = 0;
  for (int a = 0; a < CLI_TILE_AXES; tile /= tiles->count[a++])
    index[a] = tile % tiles->count[a];
  for (const char *at = file; length < CLI_NAME - CLI_TILE_AXES * INDEX; at++) {
    for (int a = 0; a < CLI_TILE_AXES && a < axes && at == suffix; a++)
      length += snprintf(name + length, INDEX, "_%.*s%" PRId64, has_letters, &"xyz"[a], index[a]);
    const int axis = axis_at(at);
    if (axis >= 0) {
      length += snprintf(name + length, INDEX, "%" PRId64, index[axis]);
      at += 2;
    } else if ((name[length++] = *at) == '\0') {
      return;
    }
  }
  name[length] = '\0';
}

int64_t cli_tiles_whole(const struct cli_tiles *tiles, int64_t size, int axis) {
  const int64_t more = axis < CLI_TILE_AXES ? tiles->count[axis] - 1 : 0;
  return size + more * (size - (axis < 2 ? tiles->overlap : 0));
}

int64_t cli_tiles_count(const struct cli_tiles *tiles) {
  return tiles->count[0] * tiles->count[1] * tiles->count[2];
}

void cli_tile_begin(int64_t begin[CLI_TILE_AXES], const struct cli_tiles *tiles,
                    const struct cli_numbers *size, int64_t tile) {
  for (int a = 0; a < CLI_TILE_AXES; a++) { /* unsigned: whatever a file says */
    const uint64_t from_tile = (uint64_t)size->at[a].whole - (uint64_t)(a < 2 ? tiles->overlap : 0);
    begin[a] = (int64_t)((uint64_t)(tile % tiles->count[a]) * from_tile);
    tile /= tiles->count[a];
  }
}

/* Returns 1 if the engine makes one terrain of tiles that it places side by side. */
static int joins(const struct cli_engine *engine, const struct cli_tiles *tiles) {
  return engine->most_joined > 0 && tiles->overlap == 0 && cli_tiles_count(tiles) > 1;
}

/* ---- Sizes ---- */

/* Returns 1 if tiles of this size along an axis, of a landscape that may have several, are whole
 * components. */
static int divides(const struct cli_engine *engine, const struct cli_tiles *tiles, int axis,
                   int64_t quads, int64_t size) {
  const int is_joined = joins(engine, tiles);
  const int64_t whole = (is_joined ? tiles->count[axis] : 1) * size - 1;
  return whole > 0 && whole % quads == 0 &&
         whole / quads <= (is_joined ? engine->most_joined : engine->most);
}

int cli_engine_takes_size(const struct cli_engine *engine, const struct cli_tiles *tiles,
                          const int64_t size[2]) {
  int takes = engine->quads == ANY;
  for (const int64_t *quads = engine->quads; *quads != 0; quads++)
    takes |=
        divides(engine, tiles, 0, *quads, size[0]) && divides(engine, tiles, 1, *quads, size[1]);
  return takes;
}

void cli_engine_usual_size(const struct cli_engine *engine, const struct cli_tiles *tiles,
                           int64_t size[2]) {
  size[0] = size[1] = !engine ? 1024 : joins(engine, tiles) ? 0 : engine->usual;
  for (const int64_t *quads = engine ? engine->quads : ANY;
       *quads != 0 && (size[0] == 0 || size[1] == 0); quads++)
    for (int a = 0; a < 2; a++) /* the largest size up to the usual one; 0 if none is whole */
      for (size[a] = engine->usual; size[a] > 0 && !divides(engine, tiles, a, *quads, size[a]);)
        size[a]--;
}

/* Returns 1 if the engine takes digits in a file's name for the place of a tile, and makes a better
 * name. */
static int misreads(const struct cli_engine *engine, const char *file, char better[CLI_NAME]) {
  int is_misread = 0;
  snprintf(better, CLI_NAME, "%s", file);
  char *name = better + (cli_last_part(better) - better);
  for (char *x = strchr(name, 'x'); x && engine->most_joined; x = strchr(x + 1, 'x'))
    if (x > name && isdigit((unsigned char)x[-1]) && isdigit((unsigned char)x[1])) {
      *x = '-';
      is_misread = 1;
    }
  return is_misread;
}

/* ---- What it does not import ---- */

int cli_engine_check_file(const struct cli_plan *plan, const char *file) {
  static char better[CLI_NAME];
  const struct cli_engine *engine = plan->engine;
  int count = 0, takes = 0;
  if (misreads(engine, file, better))
    return cli_refuse(
        "-o '%s': --for %s takes digits around an x for the place of a tile; a better "
        "name is '%s'",
        file, engine->name, better);
  for (; count < CLI_ENGINE_FORMATS && engine->format[count]; count++)
    takes |= engine->format[count] == plan->format;
  if (takes)
    return 0;
  const int status = cli_refuse("-o '%s': --for %s imports ", file, engine->name);
  for (int f = 0; f < count; f++)
    fprintf(cli_message(), "%s%s", f ? " or " : "", engine->format[f]->suffix);
  return status;
}

int cli_engine_refuse_size(const struct cli_request *request, const struct cli_plan *plan) {
  const struct cli_engine *engine = plan->engine;
  const int status =
      cli_request_refuse(request, "size", "--for %s imports %s", engine->name, engine->sizes);
  if (joins(engine, &plan->tiles))
    fputs("; without --size tiles fit one another, and --overlap 1 makes tiles that share their "
          "borders, of other sizes",
          cli_message());
  return status;
}
