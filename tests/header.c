/* SPDX-License-Identifier: MIT */
#ifdef _OPENMP
#include <perlane_omp.h> /* includes perlane.h first */
#else
#include <perlane.h>
#endif
#include <perlane_expression.h>
#include <perlane_gpu.h>
#include <perlane_picture.h>
#include <perlane_text.h>

_Static_assert(sizeof(void *) != 8 || sizeof(perlane_noise) == 19528, "perlane.h states the size");

perlane_grid header_in_c(void);
perlane_grid header_in_c(void) {
  return perlane_grid_make(1, 1, 0, 0);
}
