/* SPDX-License-Identifier: MIT
 *
 * One instruction set's kernels. Its .c file includes its lanes.h, then this, and puts
 * kernel_fill and kernel_points into its table.
 */
#include "place.h"
#include "axis.h"
#include "corner.h"
#include "spread.h"
#include "lattice.h"
#include "shape.h"
#include "line.h"
#include "strip.h"
#include "rows.h"
#include "emit.h"
#include "grid.h"
#include "points.h"

static void kernel_fill(const perlane_noise *noise, const perlane_grid *grid,
                        const struct perlane_output *output) {
  if (grid->dims == 1)
    fill_line(noise, grid, output);
  else
    fill_grid(noise, grid, output);
}

static void kernel_points(const perlane_noise *noise, int dims, size_t n,
                          const float *const *coords, float *out, float *const *gradient) {
  const struct point_list list = {dims, n, coords, out, gradient};
  evaluate_points(noise, &list, point_kernel_for(noise, dims, gradient != NULL));
}
