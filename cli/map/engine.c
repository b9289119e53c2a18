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
#include "map/engine.h"

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

int cli_engine_has_size(const struct cli_engine *engine, int64_t size) {
  for (int i = 0; i < CLI_ENGINE_SIZES && engine->size[i] != 0; i++)
    if (engine->size[i] == size)
      return 1;
  return 0;
}

int cli_engine_has_format(const struct cli_engine *engine, const struct cli_format *format) {
  for (int i = 0; i < CLI_ENGINE_FORMATS && engine->format[i]; i++)
    if (engine->format[i] == format)
      return 1;
  return 0;
}

/* ---- Tiles that are placed side by side ---- */

/* Sides of Unreal's landscape components in quads, the largest first: fewer are faster. */
static const int64_t QUADS[] = {510, 255, 254, 127, 126, 63, 62, 31, 30, 15, 14, 7};
enum { QUAD_COUNT = sizeof QUADS / sizeof QUADS[0], MAX_COMPONENTS = 256 /* along each axis */ };

static int divides(int64_t quads, int64_t tiles, int64_t size) {
  const int64_t whole = tiles * size - 1;
  return whole > 0 && whole % quads == 0 && whole / quads <= MAX_COMPONENTS;
}

int cli_engine_joins(const int64_t tiles[2], const int64_t size[2]) {
  for (int i = 0; i < QUAD_COUNT; i++)
    if (divides(QUADS[i], tiles[0], size[0]) && divides(QUADS[i], tiles[1], size[1]))
      return 1;
  return 0;
}

/* Returns the largest size of tiles that does, up to the usual one; 0 if none does. */
static int64_t size_for(int64_t quads, int64_t tiles, int64_t usual) {
  while (usual > 0 && !divides(quads, tiles, usual))
    usual--;
  return usual;
}

void cli_engine_joined_size(const struct cli_engine *engine, const int64_t tiles[2],
                            int64_t size[2]) {
  size[0] = size[1] = 0;
  for (int i = 0; i < QUAD_COUNT && (size[0] == 0 || size[1] == 0); i++)
    for (int a = 0; a < 2; a++)
      size[a] = size_for(QUADS[i], tiles[a], engine->usual);
}
