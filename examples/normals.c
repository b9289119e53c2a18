/* SPDX-License-Identifier: MIT
 *
 * Terrain vertices with normals. perlane_fill_gradient computes heights and derivatives in one
 * pass, and strides interleave them in an array of vertices. The derivatives are analytic;
 * differences of neighbouring heights only approximate them.
 */
#include <math.h>
#include <perlane.h>
#include <stdio.h>

enum { SIZE = 256 };

struct vertex {
  float height, slope_x, slope_y; /* written by the fill */
  float normal[3];                /* computed from the slopes */
};
/* Unit of strides: floats. */
enum { FLOATS = sizeof(struct vertex) / sizeof(float) };

static struct vertex vertices[SIZE][SIZE];

static perlane_grid vertex_grid(void) {
  perlane_grid grid = perlane_grid_make(SIZE, SIZE, 0, 0);
  grid.stride[0] = FLOATS;
  grid.stride[1] = (ptrdiff_t)FLOATS * SIZE;
  return grid;
}

/* Sets the normal of the surface z = height(x, y): (-dz/dx, -dz/dy, 1), normalized. */
static void set_normal(struct vertex *vertex) {
  const float x = -vertex->slope_x, y = -vertex->slope_y;
  const float scale = 1 / sqrtf(x * x + y * y + 1);
  vertex->normal[0] = x * scale;
  vertex->normal[1] = y * scale;
  vertex->normal[2] = scale;
}

/* Returns the slope along an axis as a central difference. */
static float difference(const perlane_noise *noise, int x, int y, int axis) {
  const double apart = 1.0 / 8;
  double before[] = {x, y}, after[] = {x, y};
  before[axis] -= apart;
  after[axis] += apart;
  return (perlane_at(noise, 2, after) - perlane_at(noise, 2, before)) / (float)(2 * apart);
}

/* Returns the largest error of the slopes against differences, and of the normals' lengths. */
static float largest_error(const perlane_noise *noise) {
  float largest = 0;
  for (int y = 0; y < SIZE; y += 5)
    for (int x = 0; x < SIZE; x += 5) {
      const struct vertex *v = &vertices[y][x];
      const float *n = v->normal;
      largest = fmaxf(largest, fabsf(v->slope_x - difference(noise, x, y, 0)));
      largest = fmaxf(largest, fabsf(v->slope_y - difference(noise, x, y, 1)));
      largest = fmaxf(largest, fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1));
    }
  return largest;
}

int main(void) {
  perlane_params params = perlane_params_default();
  params.octaves = 4;
  params.value_scale = 40; /* heights in the unit of positions, so that slopes are to scale */
  static perlane_noise noise;
  const perlane_grid grid = vertex_grid();
  float *const slopes[] = {&vertices[0][0].slope_x, &vertices[0][0].slope_y};
  perlane_status status = perlane_init(&noise, &params);
  if (status == PERLANE_OK)
    status = perlane_fill_gradient(&noise, &grid, &vertices[0][0].height, slopes);
  if (status != PERLANE_OK) {
    fprintf(stderr, "normals: %s\n", perlane_status_string(status));
    return 1;
  }

  float steepest = 1;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      set_normal(&vertices[y][x]);
      steepest = fminf(steepest, vertices[y][x].normal[2]);
    }
  const float error = largest_error(&noise);
  printf("the steepest slope is %.0f degrees; differences are within %.1g of the slopes\n",
         acos((double)steepest) * 180 / acos(-1), (double)error);
  if (!(error < 2e-3F) || !(steepest < 0.9F)) {
    fprintf(stderr, "normals: the slopes are wrong\n");
    return 1;
  }
  return 0;
}
