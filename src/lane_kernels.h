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
#include "noise/grid.h"
#include "noise/points.h"

void PERLANE_KERNEL(LANES_ID, fill)(const perlane_noise *noise, const struct perlane_region *grid,
                                    const struct perlane_output *output) {
  if (grid->dims == 1)
    fill_line(noise, grid, output);
  else if (!fill_grid(noise, grid, output))
    fill_by_blocks(noise, grid, output);
}

void PERLANE_KERNEL(LANES_ID, points)(const perlane_noise *noise,
                                      const struct perlane_point_list *list) {
  evaluate_points(noise, list);
}

LANES_END
#endif
