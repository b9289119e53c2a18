/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_FIELD_H
#define PERLANE_FIELD_H

#include "perlane.h"

/* perlane_init less its null checks, under the standard floating-point environment. */
perlane_status perlane_field_make(perlane_noise *noise, const perlane_params *params);

/* Whether perlane_field_make made it. */
int perlane_field_is_ready(const perlane_noise *noise);

#endif
