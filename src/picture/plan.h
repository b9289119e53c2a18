/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_PLAN_H
#define PERLANE_PLAN_H

#include "../../include/perlane_picture.h"

#define PERLANE_PLAN_READY UINT64_C(0x70696374757265) /* "picture" */

static inline int perlane_plan_is_mask(const perlane_picture_plan *plan) {
  return plan->kind >= PERLANE_PICTURE_HEIGHT_MASK;
}

static inline int perlane_plan_has_colours(const perlane_picture_plan *plan) {
  return plan->kind <= PERLANE_PICTURE_SHADED;
}

#endif
