/* SPDX-License-Identifier: MIT
 *
 * An endless world in chunks of 64 x 64 samples, with a cache of fixed size: a new chunk replaces
 * the least recently used one. A camera moves across the origin, and again far from it. Every view
 * is compared bit for bit with a single fill of the same area.
 */
#include <perlane.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 64, CHUNKS = 24, VIEW_X = 160, VIEW_Y = 96, STEPS = 200 };

struct chunk {
  int64_t x, y;  /* position in chunks */
  uint64_t used; /* time of the last use, 0 if empty */
  float height[CHUNK][CHUNK];
};

struct world {
  perlane_noise noise;
  uint64_t now, fills;
  struct chunk chunk[CHUNKS];
};

/* Rounds down on both sides of 0. C's division rounds towards 0: -1 / 64 is 0, which would put the
 * samples -63 to 63 into one chunk, and -1 % 64 is -1. */
static int64_t chunk_of(int64_t sample) {
  return sample / CHUNK - (sample % CHUNK < 0);
}

static int64_t index_in_chunk(int64_t sample) {
  return sample - chunk_of(sample) * CHUNK;
}

/* Returns a chunk, filling it if necessary; NULL, after a message, if it is outside the domain. All
 * chunks have the world's origin and step and differ in `first`: different origins would round
 * positions differently, which would be visible at the borders. */
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
  if (status != PERLANE_OK) { /* nothing was written: the oldest chunk is still valid */
    fprintf(stderr, "chunks: %s\n", perlane_status_string(status));
    return NULL;
  }
  oldest->x = x;
  oldest->y = y;
  oldest->used = world->now;
  world->fills++;
  return oldest;
}

/* Copies the view from the chunks, one run of a row at a time. Returns 0, or 1 on failure. */
static int look(struct world *world, int64_t left, int64_t top, float view[VIEW_Y][VIEW_X]) {
  for (int64_t y = 0; y < VIEW_Y; y++)
    for (int64_t x = 0, run = 0; x < VIEW_X; x += run) {
      const int64_t index = index_in_chunk(left + x);
      const struct chunk *chunk = find_chunk(world, chunk_of(left + x), chunk_of(top + y));
      if (!chunk)
        return 1;
      run = CHUNK - index < VIEW_X - x ? CHUNK - index : VIEW_X - x;
      memcpy(&view[y][x], &chunk->height[index_in_chunk(top + y)][index],
             (size_t)run * sizeof(float));
    }
  return 0;
}

/* Fills the same view without chunks. */
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
      fprintf(stderr, "chunks: a border is visible at %lld, %lld\n", (long long)left,
              (long long)top);
      return 1;
    }
  }
  return 0;
}

int main(void) {
  static struct world world; /* zero: all chunks are empty */
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
