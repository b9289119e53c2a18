/* SPDX-License-Identifier: MIT
 *
 * Masks of heights, as docs/engines.md defines them.
 */
#ifndef PERLANE_MASK_H
#define PERLANE_MASK_H

#include <stddef.h>
#include <stdint.h>

#include "perlane.h"

typedef struct perlane_mask {
  int32_t is_slope;
  int32_t bits;      /* 8, or 16 */
  double low, high;  /* degrees or metres: 0 up to low, 1 from high on; low may be above high */
  double spacing[2]; /* metres from sample to sample along x and y, for slopes */
} perlane_mask;

/* Makes packed rows of a mask, bytes or uint16_t, from heights in metres with a border of one
 * sample around them: (width + 2) * (rows + 2) floats. */
PERLANE_API void perlane_mask_draw(const perlane_mask *mask, size_t width, size_t rows,
                                   const float *heights, void *levels);

#endif
