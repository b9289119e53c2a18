/* SPDX-License-Identifier: MIT
 *
 * One instruction set's kernels. Its .c file includes its lanes.h, then this, and puts
 * kernel_fill and kernel_points into its table.
 */
#include "lattice.h"
#include "axis.h"
#include "line.h"
#include "grid.h"
#include "points.h"

static void kernel_fill(const perlane_noise *noise, const perlane_grid *grid, float *out) {
  if (grid->dims == 1)
    fill_line(noise, grid, out);
  else
    fill_grid(noise, grid, out);
}

static void kernel_points(const perlane_noise *noise, int dims, size_t n,
                          const float *const *coords, float *out) {
  switch (dims) {
  case 1:
    evaluate_points_1d(noise, n, coords, out);
    break;
  case 2:
    evaluate_points_2d(noise, n, coords, out);
    break;
  case 3:
    evaluate_points_3d(noise, n, coords, out);
    break;
  default:
    evaluate_points_4d(noise, n, coords, out);
    break;
  }
}
