/* SPDX-License-Identifier: MIT
 *
 * The engines.
 *
 * Unreal: "Recommended Landscape Sizes" of its Landscape Technical Guide; it takes 16-bit grey PNG
 * and .r16. Unity: the heightmap resolutions of its terrain settings, and "Import Raw" with the
 * byte order of Windows. Godot reads PNGs as 8 bits a channel; its terrain add-ons take .r16
 * (Terrain3D, of any size; Zylann's HTerrain, of a power of two and one).
 *
 * Tiles: a terrain of Unity and of HTerrain ends at the samples where its neighbour begins, as the
 * levels of Unreal's World Composition do. Its World Partition places the samples of all tiles side
 * by side and makes one landscape of them.
 */
#include "map/map.h"

static const struct cli_engine ENGINES[] = {
    {.name = "unreal",
     .usual = 2017,
     .size = {127, 253, 505, 1009, 2017, 4033, 8129},
     .format = {&CLI_PNG, &CLI_R16},
     .reads_json = 1,
     .joins_tiles = 1,
     .before_x = "_x",
     .before_y = "_y"},
    {.name = "unity",
     .usual = 1025,
     .size = {33, 65, 129, 257, 513, 1025, 2049, 4097},
     .format = {&CLI_RAW, &CLI_R16},
     .before_x = "_",
     .before_y = "_"},
    {.name = "godot",
     .usual = 1025,
     .size = {513, 1025, 2049, 4097},
     .format = {&CLI_R16, &CLI_RAW},
     .before_x = "_",
     .before_y = "_"},
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

int64_t cli_map_overlap(const struct cli_map_options *map) {
  const struct cli_engine *engine = cli_engine_at(map->engine);
  return map->overlap.count > 0 ? map->overlap.at[0].whole
         : map->tiles.count > 0 ? engine && !engine->joins_tiles
                                : 0;
}

int cli_engine_joins(const struct cli_engine *engine, const struct cli_tiles *tiles) {
  return engine->joins_tiles && tiles->overlap == 0 && tiles->count[0] * tiles->count[1] > 1;
}

/* Sides of Unreal's landscape components in quads, the largest first: fewer are faster. */
static const int64_t QUADS[] = {510, 255, 254, 127, 126, 63, 62, 31, 30, 15, 14, 7};
enum { QUAD_COUNT = sizeof QUADS / sizeof QUADS[0], MAX_COMPONENTS = 256 /* along each axis */ };

static int divides(int64_t quads, int64_t tiles, int64_t size) {
  const int64_t whole = tiles * size - 1;
  return whole > 0 && whole % quads == 0 && whole / quads <= MAX_COMPONENTS;
}

int cli_engine_takes_size(const struct cli_engine *engine, const struct cli_tiles *tiles,
                          const int64_t size[2]) {
  const int joins = cli_engine_joins(engine, tiles);
  int takes = 0;
  for (int i = 0; i < QUAD_COUNT && joins; i++)
    takes |=
        divides(QUADS[i], tiles->count[0], size[0]) && divides(QUADS[i], tiles->count[1], size[1]);
  for (int i = 0; i < CLI_ENGINE_SIZES && engine->size[i] != 0 && !joins; i++)
    takes |= size[0] == engine->size[i] && size[1] == size[0];
  return takes;
}

void cli_engine_usual_size(const struct cli_engine *engine, const struct cli_tiles *tiles,
                           int64_t size[2]) {
  const int joins = cli_engine_joins(engine, tiles);
  size[0] = size[1] = joins ? 0 : engine->usual;
  for (int i = 0; i < QUAD_COUNT && (size[0] == 0 || size[1] == 0); i++)
    for (int a = 0; a < 2; a++) /* the largest size up to the usual one; 0 if none does */
      for (size[a] = engine->usual; size[a] > 0 && !divides(QUADS[i], tiles->count[a], size[a]);)
        size[a]--;
}
