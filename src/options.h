/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_OPTIONS_H
#define PERLANE_OPTIONS_H

#include "../include/perlane.h"

/* Checks the bounds of the options that are one number or choice. */
perlane_status perlane_options_check(const perlane_params *params);

#endif
