/* SPDX-License-Identifier: MIT
 *
 * The field behind a perlane_noise. perlane.c calls these functions and those of range.h after its
 * checks, and under the standard floating-point environment.
 */
#ifndef PERLANE_FIELD_H
#define PERLANE_FIELD_H

#include "../include/perlane.h"

struct perlane_text;

/* perlane_init, less its null checks. noise may be NULL, only to check the params. `problem` gets
 * the sentence of perlane_explain_params, unless it is NULL. */
perlane_status perlane_field_make(perlane_noise *noise, const perlane_params *params,
                                  struct perlane_text *problem);

/* Makes the pieces of the curve of *params, which has been checked. */
void perlane_field_make_pieces(struct perlane_pieces *pieces, const perlane_params *params);

/* perlane_reseed, less its checks. */
void perlane_field_reseed(perlane_noise *noise, uint64_t seed);

/* Makes a copy of a field with another seed, as far as fills read it. */
void perlane_field_with_seed(perlane_noise *made, const perlane_noise *noise, uint64_t seed);

/* perlane_grid_check; `problem` gets the sentence of perlane_explain_grid, unless it is NULL. */
perlane_status perlane_field_check_grid(const perlane_noise *noise, const perlane_grid *grid,
                                        struct perlane_text *problem);

/* Returns how many octaves a field is made with; perlane_limit_octaves may leave out the last. */
static inline int perlane_field_all_octaves(const perlane_params *params) {
  return params->fractal == PERLANE_FRACTAL_NONE ? 1 : params->octaves;
}

/* Returns the frequency that limits the domain: that of the warp too, if it moves positions. */
static inline double perlane_field_highest_frequency(const perlane_noise *noise) {
  return noise->params.warp_amplitude != 0 &&
                 noise->highest_warp_frequency > noise->highest_frequency
             ? noise->highest_warp_frequency
             : noise->highest_frequency;
}

/* Returns 1 if a position along any axis is inside the domain, and each that a warp may move it to.
 */
int perlane_field_in_domain(const perlane_noise *noise, double position);

/* Returns the hash word of a cell along an axis (docs/specification.md, 2.4). */
static inline uint32_t perlane_cell_word(const struct perlane_octave *octave, int axis,
                                         int64_t cell) {
  static const uint32_t FACTOR[] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F};
  const int32_t period = octave->period[axis];
  if (period != 0) {
    cell %= period;
    cell += cell < 0 ? period : 0;
  }
  const uint32_t low = (uint32_t)cell;
  const uint32_t high = (uint32_t)((uint64_t)cell >> 32) + (low >> 31);
  const uint32_t v = (low ^ high * FACTOR[0]) * FACTOR[axis] + octave->key[axis];
  const int32_t product = (int16_t)v * 0x3C6D + (int16_t)(v >> 16) * 0x2C1B;
  return (uint32_t)product ^ v;
}

/* Leaves the first octaves of a field. With valleys all octaves stay, and side valleys of as many
 * sizes as there are octaves beyond these. */
void perlane_field_limit(perlane_noise *noise, int octaves);

#define PERLANE_READY UINT64_C(0x7065726C616E6505) /* "perlane", layout 5 */

/* Returns whether perlane_field_make made the noise, and for an expression whether its fields are
 * those that it was made of. */
static inline int perlane_field_is_ready(const perlane_noise *noise) {
  if (noise->ready != PERLANE_READY)
    return 0;
  const struct perlane_expression *expression = &noise->expression;
  for (int i = 0; noise->is_expression && i < expression->field_count; i++)
    if (expression->field[i]->ready != PERLANE_READY ||
        expression->field[i]->identity != expression->identity[i])
      return 0;
  return 1;
}

/* Returns how many octaves are evaluated if `octaves` are asked for: the first of those of the
 * noise, then the sizes of side valleys; 0 or below: all. */
static inline int perlane_field_octaves(const perlane_noise *noise, int octaves) {
  const int all = noise->octaves + noise->valley_octaves;
  return octaves > 0 && octaves < all ? octaves : all;
}

/* Returns how many octaves of a field samples so far apart show. */
int perlane_field_shown(const perlane_noise *noise, double step);

/* Returns how many octaves are evaluated in a grid or a list whose member `octaves` is this, along
 * axes with these steps. Of an expression, whose fields differ, it is a maximum. */
int perlane_field_octaves_of(const perlane_noise *noise, int octaves, int axes, const double *step);

/* A period of 2^21 cells of level 0 is one of 2^29 in the last level. */
#define PERLANE_MAX_VALLEY_PERIOD 2097152

/* The constants of valleys (docs/specification.md, 2.22). */
struct perlane_valleys {
  int levels, is_river; /* levels: the last one, L; is_river: the distance is the value */
  double frequency;     /* F, of the cells of level 0 */
  float slope;          /* S */
  float depth[PERLANE_MAX_VALLEY_OCTAVES + 1], width[PERLANE_MAX_VALLEY_OCTAVES + 1];
  uint32_t key[PERLANE_MAX_VALLEY_OCTAVES + 1][2], phase[2];
  int32_t period[2]; /* in cells of level 0; 0: none */
};

/* Makes the constants of the levels 0 .. levels. */
void perlane_field_valleys(const perlane_noise *noise, int levels, struct perlane_valleys *valleys);

/* Makes the octaves of the field that displaces positions along an axis, in a round counted from 0.
 */
void perlane_field_displacement(const perlane_noise *noise, int round, int axis,
                                struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES]);

/* Copies octaves to arrays, and the last one again up to a multiple of `lanes`. */
void perlane_field_arrays(struct perlane_octave_arrays *arrays, const struct perlane_octave *octave,
                          int octaves, int dims, int lanes);

#endif
