/* SPDX-License-Identifier: MIT
 *
 * A voxel world: chunks of 32^3 cells, each with one more sample on its far sides, so that a mesh
 * closes without its neighbours; density with caves and its normals from one expression; coarser
 * chunks far away, without the octaves that they cannot show; and work memory, as a worker thread
 * has it. Checks that chunks agree at their borders bit for bit, and levels of detail as closely as
 * they should.
 */
#include <perlane_expression.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 32, SIDE = CELLS + 1, SAMPLES = SIDE * SIDE * SIDE };

struct chunk {
  float density[SAMPLES]; /* above 0: solid */
  float slope[3][SAMPLES];
};

/* Memory of a worker thread, on the heap: it is too large for a fiber's stack. */
struct worker {
  perlane_noise fields[2]; /* of the density: rock and caves */
  perlane_noise density;
  unsigned char work[PERLANE_WORK_BYTES];
};

/* Fills the chunk at (x, y, z), in chunks, of the level of detail whose samples are 2^level apart.
 */
static perlane_status fill_chunk(struct worker *worker, struct chunk *chunk, int level, int64_t x,
                                 int64_t y, int64_t z) {
  float *const slope[] = {chunk->slope[0], chunk->slope[1], chunk->slope[2]};
  const int64_t at[] = {x, y, z};
  perlane_grid grid = perlane_grid_make(SIDE, SIDE, SIDE, 0);
  for (int a = 0; a < 3; a++) {
    grid.first[a] = at[a] * CELLS;
    grid.step[a] = (double)(1 << level);
  }
  grid.octaves = PERLANE_OCTAVES_SHOWN;
  grid.work = worker->work;
  grid.work_bytes = sizeof worker->work;
  return perlane_fill_gradient(&worker->density, &grid, chunk->density, slope);
}

static int index_of(int x, int y, int z) {
  return (z * SIDE + y) * SIDE + x;
}

/* The normal points out of the ground, against the slope of the density. */
static void normal_at(const struct chunk *chunk, int i, double normal[3]) {
  double length = 0;
  for (int a = 0; a < 3; a++)
    length += (double)chunk->slope[a][i] * (double)chunk->slope[a][i];
  for (int a = 0; a < 3; a++)
    normal[a] = -(double)chunk->slope[a][i] / sqrt(length);
}

int main(void) {
  struct worker *worker = malloc(sizeof *worker);
  struct chunk *chunk = malloc(3 * sizeof *chunk);
  /* The ground is at z = 40: density falls by 1/50 per unit upwards. Caves are where a second field
   * is near 0. */
  const char *text = "rock = octaves=6 frequency=0.015625\n"
                     "caves = seed=2 frequency=0.03\n"
                     "min(rock + (40 - z)/50, 4*abs(caves) - 0.4)";
  if (!worker || !chunk ||
      perlane_expression_init_text(&worker->density, text, 2, worker->fields, NULL) != PERLANE_OK ||
      fill_chunk(worker, &chunk[0], 0, -1, 4, 1) || fill_chunk(worker, &chunk[1], 0, 0, 4, 1) ||
      fill_chunk(worker, &chunk[2], 2, -1, 1, 0)) {
    fprintf(stderr, "density: not enough memory, or a chunk outside the domain\n");
    free(worker);
    free(chunk);
    return 1;
  }

  int solid = 0, differ = 0;
  for (int i = 0; i < SAMPLES; i++)
    solid += chunk[0].density[i] > 0;
  for (int z = 0; z < SIDE; z++)
    for (int y = 0; y < SIDE; y++)
      differ += memcmp(&chunk[0].density[index_of(CELLS, y, z)],
                       &chunk[1].density[index_of(0, y, z)], sizeof(float)) != 0;
  printf("%d of %d samples are solid, %d of %d differ at the border\n", solid, SAMPLES, differ,
         SIDE * SIDE);

  /* Sample n of a level is sample 4n of the finest one: the coarse chunk's last quarter along x and
   * its first along y are the fine chunk. */
  double largest = 0;
  for (int z = 8; z <= 16; z++)
    for (int y = 0; y <= 8; y++)
      for (int x = 24; x <= 32; x++) {
        const int fine = index_of((x - 24) * 4, y * 4, (z - 8) * 4);
        const float apart = chunk[0].density[fine] - chunk[2].density[index_of(x, y, z)];
        largest = fmax(largest, fabs((double)apart));
      }
  const perlane_params *rock = &worker->fields[0].params;
  double all = 0, left_out = 0;
  for (int k = 0; k < rock->octaves; k++) {
    const int is_shown = 4 * rock->frequency * pow(rock->lacunarity, k) <= 0.5;
    all += pow(rock->gain, k);
    left_out += is_shown ? 0 : pow(rock->gain, k);
  }
  printf("at 4 times the distance: off by %.4f, at most %.4f\n", largest, left_out / all);

  double normal[3];
  normal_at(&chunk[0], index_of(16, 16, 8), normal);
  printf("a normal: %.3f %.3f %.3f\n", normal[0], normal[1], normal[2]);
  free(chunk);
  free(worker);
  return differ != 0 || largest > left_out / all;
}
