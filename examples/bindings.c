/* SPDX-License-Identifier: MIT
 *
 * What bindings/csharp/Example.cs and bindings/rust's bindings.rs do, in C: a map, a tile by its
 * first sample, points around an origin far away. Each program prints digests of the bits that it
 * got, and the sizes of structures; test.sh compares what they print with this.
 */
#include <inttypes.h>
#include <perlane_text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 512, TILE = 64, POINTS = 1000 };

/* FNV-1a over the bytes of n floats, the lowest byte of each first. */
static uint64_t digest(const float *value, size_t n) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    for (int shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (bits >> shift & 0xFF)) * UINT64_C(0x100000001B3);
  }
  return hash;
}

static void require(perlane_status status) {
  if (status != PERLANE_OK) {
    fprintf(stderr, "bindings: %s\n", perlane_status_string(status));
    exit(1);
  }
}

int main(void) {
  static float map[SIZE * SIZE], tile[TILE * TILE], x[POINTS], y[POINTS], value[POINTS];
  printf("perlane %s: params %zu, grid %zu, noise %zu bytes\n", perlane_version(),
         sizeof(perlane_params), sizeof(perlane_grid), sizeof(perlane_noise));

  perlane_params params;
  require(perlane_params_init(&params));
  params.seed = UINT64_C(0xFEDCBA9876543210);
  params.frequency = 0.005;
  params.octaves = 6;
  params.fractal = PERLANE_FRACTAL_RIDGED;
  params.period[1] = 40;
  params.value_scale = 800;
  params.value_offset = 100;
  params.contrast = 2;
  params.curve.count = 3;
  params.curve.point[0][0] = -1;
  params.curve.point[1][1] = 0.25;
  params.curve.point[2][0] = params.curve.point[2][1] = 1;
  params.terraces = 8;
  params.warp_amplitude = 20;
  params.warp_rounds = 2;
  static perlane_noise noise;
  require(perlane_init(&noise, &params));

  perlane_grid grid;
  require(perlane_grid_init(&grid, SIZE, SIZE, 0, 0));
  grid.first[0] = -SIZE / 2;
  grid.origin[1] = 0.25;
  grid.step[0] = 0.5;
  grid.stride[1] = -SIZE; /* the last row first in memory */
  require(perlane_fill(&noise, &grid, map + (ptrdiff_t)SIZE * (SIZE - 1)));
  printf("map: 0x%016" PRIX64 "\n", digest(map, sizeof map / sizeof *map));

  perlane_grid far_tile = perlane_grid_make(TILE, TILE, 0, 0);
  far_tile.first[0] = INT64_C(1) << 40;
  far_tile.first[1] = -1000;
  require(perlane_fill(&noise, &far_tile, tile));
  printf("tile: 0x%016" PRIX64 "\n", digest(tile, sizeof tile / sizeof *tile));

  const double origin[] = {2e7, -3e7};
  for (int i = 0; i < POINTS; i++) {
    x[i] = (float)i;
    y[i] = (float)i * 0.25F;
  }
  const perlane_list list = {.dims = 2, .count = POINTS, .origin = origin, .coords = {x, y}};
  require(perlane_points(&noise, &list, value, NULL));
  printf("points: 0x%016" PRIX64 "\n", digest(value, POINTS));

  char message[PERLANE_MESSAGE_BYTES];
  params.octaves = 0;
  perlane_explain_params(&params, message, sizeof message);
  printf("without octaves: %s\n", message);
  return 0;
}
