/* SPDX-License-Identifier: MIT
 *
 * Lists of points of any length: by blocks, or as single values where octaves fill vectors better
 * than points.
 */
#ifndef PERLANE_NOISE_POINTS_LISTS_H
#define PERLANE_NOISE_POINTS_LISTS_H

#include "one_value.h"
#include "evaluation.h"

/* Evaluates a plain sum at the coordinates of a list, up to a block that is not near the origin.
 * Returns how many points. */
static PERLANE_NOINLINE size_t evaluate_plain(const perlane_noise *noise,
                                              const struct perlane_point_list *list) {
  const int slopes = list->gradient != NULL;
  struct point_memory memory;
  struct evaluation evaluation; /* only what is set is read */
  struct field field;
  field.params = &noise->params;
  field.octave = noise->octave;
  field.octaves = list->octaves;
  evaluation.field = &field;
  evaluation.dims = list->dims;
  evaluation.arrays = slopes ? 1 + list->dims : 1;
  evaluation.points = block_points(list->dims, slopes);
  double aside = 0;
  poison(&memory, sizeof memory);
  for (int a = 0; a < list->dims && list->origin; a++)
    aside += perlane_magnitude(list->origin[a]);
  evaluation.limit = near_coordinates(noise->highest_frequency, aside);
  return evaluate_blocks(1, &evaluation, &memory, list, list->n, list->out, list->gradient);
}

/* Returns 1 if points fill more vectors than the octaves of each do. */
static int are_octaves_better(size_t points, int octaves) {
  const size_t vectors = ((size_t)octaves + LANES - 1) / LANES;
  return points < LANES && points * vectors <= (size_t)octaves + 1;
}

/* Evaluates a list point by point. */
static void evaluate_singly(const perlane_noise *noise, const struct perlane_point_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    double position[PERLANE_MAX_DIMS];
    float slope[PERLANE_MAX_DIMS];
    for (int a = 0; a < list->dims; a++) {
      const ptrdiff_t element = (ptrdiff_t)i * list->stride;
      position[a] = list->coords ? (double)list->coords[a][element] : list->coords64[a][element];
      if (list->origin)
        position[a] += list->origin[a];
    }
    const float value =
        one_value(noise, list->octaves, list->dims, position, list->gradient ? slope : NULL);
    if (list->out)
      list->out[i] = value;
    for (int a = 0; list->gradient && a < list->dims; a++)
      list->gradient[a][i] = slope[a];
  }
}

/* Evaluates a list. */
static void evaluate_list(const perlane_noise *noise, const struct perlane_point_list *list) {
  const int is_plain = noise->plain && list->coords &&
                       is_quick_set((perlane_gradients)noise->params.gradients, list->dims);
  /* Blocks of other fields, and derivatives, take less time for each point. */
  const size_t points = is_plain && !list->gradient ? list->n : 2 * list->n;
  if (!is_value_of_list(noise, list->gradient != NULL) &&
      are_octaves_better(points, list->octaves)) {
    evaluate_singly(noise, list);
    return;
  }
  const size_t done = is_plain ? evaluate_plain(noise, list) : 0;
  if (done < list->n)
    evaluate_rest(noise, list, done);
}

#endif
