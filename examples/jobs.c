/* SPDX-License-Identifier: MIT
 *
 * A map filled by several threads. Each takes the next tile from an atomic counter until none is
 * left. The library needs no lock, and the map has the same bits as a single fill. Needs C11's
 * <threads.h>: glibc 2.28, musl, FreeBSD.
 */
#ifdef __STDC_NO_THREADS__
#error "this C library has no <threads.h>; the same works with pthreads"
#endif
#include <perlane.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

/* Tiles of 16 KiB fit in the L1 cache and are many enough to balance the threads. */
enum { SIZE = 2048, TILE = 64, ACROSS = SIZE / TILE, TILES = ACROSS * ACROSS, THREADS = 4 };

struct work {
  const perlane_noise *noise; /* shared, read-only */
  float *map;
  atomic_int next_tile;
  atomic_int status; /* the first error */
};

static perlane_status fill_tile(const struct work *work, int number) {
  static const uint64_t side[] = {TILE, TILE};
  const perlane_grid grid = perlane_grid_make(SIZE, SIZE, 0, 0);
  perlane_grid tile;
  int64_t offset;
  const perlane_status status =
      perlane_grid_piece(&grid, side, TILES, (uint64_t)number, &tile, &offset);
  return status == PERLANE_OK ? perlane_fill(work->noise, &tile, work->map + offset) : status;
}

static int worker(void *argument) {
  struct work *work = argument;
  for (;;) {
    const int tile = atomic_fetch_add(&work->next_tile, 1);
    if (tile >= TILES || atomic_load(&work->status) != PERLANE_OK)
      return 0;
    const perlane_status status = fill_tile(work, tile);
    int none = PERLANE_OK;
    if (status != PERLANE_OK)
      atomic_compare_exchange_strong(&work->status, &none, (int)status);
  }
}

/* Fills the map. The calling thread is a worker, too: if no other can be started, it does all the
 * work. */
static perlane_status fill_in_parallel(const perlane_noise *noise, float *map) {
  struct work work = {.noise = noise, .map = map};
  atomic_init(&work.next_tile, 0);
  atomic_init(&work.status, PERLANE_OK);
  thrd_t thread[THREADS - 1];
  int started = 0;
  while (started < THREADS - 1 && thrd_create(&thread[started], worker, &work) == thrd_success)
    started++;
  worker(&work);
  for (int i = 0; i < started; i++)
    thrd_join(thread[i], NULL);
  return (perlane_status)atomic_load(&work.status);
}

int main(void) {
  perlane_params params = perlane_params_default();
  params.octaves = 4;
  static perlane_noise noise;
  const perlane_grid grid = perlane_grid_make(SIZE, SIZE, 0, 0);
  const size_t bytes = sizeof(float) * SIZE * SIZE;
  float *map = malloc(bytes), *single = malloc(bytes);
  int failed = 1;
  if (!map || !single) {
    fprintf(stderr, "jobs: out of memory\n");
    goto end;
  }
  perlane_status status = perlane_init(&noise, &params);
  if (status == PERLANE_OK)
    status = fill_in_parallel(&noise, map);
  if (status == PERLANE_OK)
    status = perlane_fill(&noise, &grid, single);
  if (status != PERLANE_OK) {
    fprintf(stderr, "jobs: %s\n", perlane_status_string(status));
    goto end;
  }
  if (memcmp(map, single, bytes) != 0) {
    fprintf(stderr, "jobs: the map differs from a single fill\n");
    goto end;
  }
  printf("%d tiles on up to %d threads: the same bits as a single fill\n", TILES, THREADS);
  failed = 0;
end:
  free(map);
  free(single);
  return failed;
}
