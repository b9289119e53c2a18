/* SPDX-License-Identifier: MIT
 *
 * The kernels of one instruction set: the template that src/ID/ID.c compiles with its ID as
 * LANES_ID. On other machines ID/lanes.h defines nothing, and neither does this.
 */
#include "strict.h"

#include "kernels.h"

#define QUOTED(text) #text
/* clang-format off */
#define LANES_HEADER(id) QUOTED(id/lanes.h)
/* clang-format on */
#include LANES_HEADER(LANES_ID)

#ifdef LANES
LANES_BEGIN

#include "noise/line.h"
#include "noise/block_fill.h"
#include "noise/cell_grid.h"
#include "noise/grid.h"
#include "noise/points.h"

/* TEMPORARY */
static int is_new(const perlane_noise *noise) {
  return noise->params.fractal == PERLANE_FRACTAL_ERODED || noise->params.warp_amplitude != 0 ||
         noise->params.curve.count > 0 || noise->params.terraces > 0;
}

void PERLANE_KERNEL(LANES_ID, fill)(const perlane_noise *noise, const struct perlane_region *grid,
                                    const struct perlane_output *output) {
  const struct field field = field_of(noise);
  if (is_new(noise))
    perlane_scalar_kernels.fill(noise, grid, output);
  else if (noise->params.basis == PERLANE_BASIS_CELLULAR)
    fill_cells(&field, grid, output);
  else if (grid->dims == 1)
    fill_line(&field, grid, output);
  else if (!fill_grid(&field, grid, output))
    fill_by_blocks(&field, grid, output);
}

void PERLANE_KERNEL(LANES_ID, points)(const perlane_noise *noise,
                                      const struct perlane_point_list *list) {
  const struct field field = field_of(noise);
  if (is_new(noise))
    perlane_scalar_kernels.points(noise, list);
  else
    evaluate_points(&field, list);
}

LANES_END
#endif
