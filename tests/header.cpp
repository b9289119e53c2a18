/* SPDX-License-Identifier: MIT */
#include <perlane.h>

perlane_grid header_in_cpp();
perlane_grid header_in_cpp() {
  return perlane_grid_make(1, 1, 0, 0);
}
