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

perlane_grid header_in_cpp();
perlane_grid header_in_cpp() {
  return perlane_grid_make(1, 1, 0, 0);
}

/* The macros are compiled as the caller's own code. */
perlane_status macros_in_cpp(perlane_noise *noise, const perlane_params *params);
perlane_status macros_in_cpp(perlane_noise *noise, const perlane_params *params) {
  return perlane_init_text(noise, "") == PERLANE_OK ? perlane_init(noise, params) : PERLANE_OK;
}
perlane_status picture_in_cpp(perlane_picture *picture);
perlane_status picture_in_cpp(perlane_picture *picture) {
  return perlane_picture_init(picture) == PERLANE_OK ? perlane_picture_look(picture, "alps", 9)
                                                     : PERLANE_OK;
}
