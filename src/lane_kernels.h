/* SPDX-License-Identifier: MIT
 *
 * The kernels of one instruction set: the template that src/ID/ID.c compiles with its ID as
 * LANES_ID. On other machines ID/lanes.h defines nothing, and neither does this.
 */
#include "strict.h"

#include "kernels.h"

#define QUOTED(text) #text
/* clang-format off */
#define LANES_HEADER(id) QUOTED(id/lanes.h) /* NOLINT(bugprone-macro-parentheses): a path */
/* clang-format on */
#include LANES_HEADER(LANES_ID)

#ifdef LANES
LANES_BEGIN

#include "noise/cells/producer.h"
#include "noise/grid/producer.h"
#include "noise/grid/small.h"
#include "noise/grid/white.h"
#include "noise/points/lists.h"
#include "noise/points/producer.h"
#include "noise/simplex/producer.h"
#include "noise/valleys/producer.h"
#include "expression/fill.h"

/* The producers of grids, each of which returns 0, having filled nothing, where points are faster,
 * or are needed. */
typedef int fill_function(const struct field *field, const struct perlane_region *grid,
                          const struct perlane_output *output);
#define FILL_BY(producer, id) fill_##id,
static fill_function *const FILL_BY_PRODUCER[] = {PERLANE_PRODUCERS(FILL_BY)};
#undef FILL_BY

/* Fills a grid with a field: the one place that chooses. */
static void fill_field(const struct field *field, const struct perlane_region *grid,
                       const struct perlane_output *output) {
  fill_function *const by_producer = FILL_BY_PRODUCER[basis_of(field)->producer];
  if (has_valleys(field)) {
    fill_land(field, grid, output);
    return;
  }
  if (is_warped(field) || has_few_samples(field, grid) || !by_producer(field, grid, output))
    fill_points(field, grid, output, NULL);
}

/* Calls with so little to do that half of 16 lanes would be empty are left to AVX2's kernels, and
 * so are single values, whose lanes are octaves. */
#if LANES == 16 && !defined(PERLANE_EMULATED) && !defined(PERLANE_NO_AVX2)
#define LEAVES_FEW 1
#else
#define LEAVES_FEW 0
#endif

void PERLANE_KERNEL(LANES_ID, fill)(const perlane_noise *noise, const struct perlane_region *grid,
                                    const struct perlane_output *output) {
#if LEAVES_FEW
  if (noise->plain && grid->count[0] <= FEW_LANES) {
    PERLANE_KERNEL(avx2, fill)(noise, grid, output);
    return;
  }
#endif
  if (is_small(noise, grid, output)) { /* an expression is not plain */
    fill_small(noise, grid, output);
    return;
  }
  if (noise->is_expression) {
    fill_expression(noise, grid, output);
    return;
  }
  const struct field field = field_of(noise, grid->octaves);
  fill_field(&field, grid, output);
}

void PERLANE_KERNEL(LANES_ID, points)(const perlane_noise *noise,
                                      const struct perlane_point_list *list) {
#if LEAVES_FEW
  if (list->n <= FEW_LANES) {
    PERLANE_KERNEL(avx2, points)(noise, list);
    return;
  }
#endif
  if (noise->is_expression)
    list_expression(noise, list);
  else
    evaluate_list(noise, list);
}

float PERLANE_KERNEL(LANES_ID, at)(const perlane_noise *noise, int dims, const double *position,
                                   float *gradient) {
  if (noise->is_expression)
    return value_of_list(list_expression, noise, noise->octaves, dims, position, gradient);
#if LEAVES_FEW
  if (noise->octaves <= FEW_LANES)
    return PERLANE_KERNEL(avx2, at)(noise, dims, position, gradient);
#endif
  return one_value(noise, noise->octaves + noise->valley_octaves, dims, position, gradient);
}

void PERLANE_KERNEL(LANES_ID, fill_cells)(const perlane_noise *noise,
                                          const struct perlane_region *grid,
                                          const perlane_cells *out) {
  const struct perlane_output none = {.format = FORMAT_FLOAT};
  struct cell_field cells;
  make_cell_field(&cells, noise, grid->dims, CELL_ID);
  if (noise->params.warp_amplitude != 0 || !can_share_cells(&cells.field, grid, MAX_STEP)) {
    fill_points(&cells.field, grid, &none, out);
    return;
  }
  for (int i = 0; i < CELL_ARRAYS; i++) {
    const struct perlane_output output = {.format = FORMAT_FLOAT, .value = cell_array(out, i)};
    if (output.value && make_cell_field(&cells, noise, grid->dims, i))
      fill_bricks(&cells.field, grid, &output);
  }
}

void PERLANE_KERNEL(LANES_ID, points_cells)(const perlane_noise *noise,
                                            const struct perlane_point_list *list,
                                            const perlane_cells *out) {
  struct point_source source[PERLANE_MAX_DIMS];
  struct cell_field cells;
  list_sources(list, 0, source);
  make_cell_field(&cells, noise, list->dims, CELL_ID);
  evaluate_warped(&cells.field, list->dims, source, list->n, NULL, NULL, out);
}

#undef LEAVES_FEW

LANES_END
#endif
