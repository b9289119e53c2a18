/* SPDX-License-Identifier: MIT */
#include <perlane.h>

perlane_grid header_in_c(void);
perlane_grid header_in_c(void) {
  return perlane_grid_make(1, 1, 0, 0);
}
