/* SPDX-License-Identifier: MIT */
#ifdef _OPENMP
#include <perlane_omp.h> /* includes perlane.h first */
#else
#include <perlane.h>
#endif
#include <perlane_expression.h>
#include <perlane_gpu.h>

perlane_grid header_in_cpp();
perlane_grid header_in_cpp() {
  return perlane_grid_make(1, 1, 0, 0);
}
