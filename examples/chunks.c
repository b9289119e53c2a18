/* SPDX-License-Identifier: MIT
 *
 * An endless world in chunks of 64 x 64 samples, of which the least recently used are overwritten:
 * memory is fixed, nothing is allocated. A camera walks across the origin, and once far from it;
 * all that it sees is compared with one fill of the same area, bit for bit.
 */
#include <perlane.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 64, CHUNKS = 24, VIEW_X = 160, VIEW_Y = 96, STEPS = 200 };

struct chunk {
  int64_t x, y;  /* in chunks */
  uint64_t used; /* when, 0 for never */
  float height[CHUNK][CHUNK];
};

struct world {
  perlane_noise noise;
  uint64_t now, fills;
  struct chunk chunk[CHUNKS];
};

/* C divides towards 0: -1 / 64 is 0, which would put the samples -63 to 63 into one chunk, and
 * -1 % 64 is -1. These round down, on both sides of 0. */
static int64_t chunk_of(int64_t sample) {
  return sample / CHUNK - (sample % CHUNK < 0);
}

static int64_t place_in_chunk(int64_t sample) {
  return sample - chunk_of(sample) * CHUNK;
}

/* The chunk, filled if need be; NULL with a message if it lies outside of the noise's domain. A
 * chunk says with `first` where it starts and has the world's origin and step: moving the origin
 * instead would round positions otherwise in each chunk, and show at the borders. */
static const struct chunk *find_chunk(struct world *world, int64_t x, int64_t y) {
  struct chunk *oldest = &world->chunk[0];
  world->now++;
  for (int i = 0; i < CHUNKS; i++) {
    struct chunk *chunk = &world->chunk[i];
    if (chunk->used && chunk->x == x && chunk->y == y) {
      chunk->used = world->now;
      return chunk;
    }
    if (chunk->used < oldest->used)
      oldest = chunk;
  }
  perlane_grid grid = perlane_grid_make(CHUNK, CHUNK, 0, 0);
  grid.first[0] = x * CHUNK;
  grid.first[1] = y * CHUNK;
  const perlane_status status = perlane_fill(&world->noise, &grid, &oldest->height[0][0]);
  if (status != PERLANE_OK) { /* and nothing was written: the chunk is still what it was */
    fprintf(stderr, "chunks: %s\n", perlane_status_string(status));
    return NULL;
  }
  oldest->x = x;
  oldest->y = y;
  oldest->used = world->now;
  world->fills++;
  return oldest;
}

/* Copies what the camera sees out of the chunks, one run of a row at a time. Returns 0, or 1. */
static int look(struct world *world, int64_t left, int64_t top, float view[VIEW_Y][VIEW_X]) {
  for (int64_t y = 0; y < VIEW_Y; y++)
    for (int64_t x = 0, run = 0; x < VIEW_X; x += run) {
      const int64_t place = place_in_chunk(left + x);
      const struct chunk *chunk = find_chunk(world, chunk_of(left + x), chunk_of(top + y));
      if (!chunk)
        return 1;
      run = CHUNK - place < VIEW_X - x ? CHUNK - place : VIEW_X - x;
      memcpy(&view[y][x], &chunk->height[place_in_chunk(top + y)][place],
             (size_t)run * sizeof(float));
    }
  return 0;
}

/* The same without chunks. */
static int look_at_once(const struct world *world, int64_t left, int64_t top,
                        float view[VIEW_Y][VIEW_X]) {
  perlane_grid grid = perlane_grid_make(VIEW_X, VIEW_Y, 0, 0);
  grid.first[0] = left;
  grid.first[1] = top;
  return perlane_fill(&world->noise, &grid, &view[0][0]) != PERLANE_OK;
}

static int walk(struct world *world, int64_t left, int64_t top) {
  static float seen[VIEW_Y][VIEW_X], expected[VIEW_Y][VIEW_X];
  world->fills = 0;
  for (int step = 0; step < STEPS; step++, left += 3, top += 2) {
    if (look(world, left, top, seen) || look_at_once(world, left, top, expected))
      return 1;
    if (memcmp(seen, expected, sizeof seen) != 0) {
      fprintf(stderr, "chunks: a border shows at %lld, %lld\n", (long long)left, (long long)top);
      return 1;
    }
  }
  return 0;
}

int main(void) {
  static struct world world; /* all bytes 0: no chunk is in use */
  perlane_params params = perlane_params_default();
  params.octaves = 5;
  const perlane_status status = perlane_init(&world.noise, &params);
  if (status != PERLANE_OK) {
    fprintf(stderr, "chunks: %s\n", perlane_status_string(status));
    return 1;
  }
  const int64_t far = INT64_C(1) << 40; /* float positions are 131072 samples apart there */
  const int64_t left[] = {-400, far}, top[] = {-250, -far};
  for (int i = 0; i < 2; i++) {
    if (walk(&world, left[i], top[i]))
      return 1;
    printf("from %lld, %lld: %d views, %llu chunks filled, no border\n", (long long)left[i],
           (long long)top[i], STEPS, (unsigned long long)world.fills);
  }
  return 0;
}
