/* SPDX-License-Identifier: MIT
 *
 * The kernels of an instruction set, as every call reaches them.
 */
#ifndef PERLANE_KERNELS_H
#define PERLANE_KERNELS_H

#include "bases.h"
#include "isa.h"
#include "../include/perlane.h"

enum { CACHE_LINE_BYTES = 64 };

/* Added to a position in cells it leaves 24 bits for the fraction, so the addition itself rounds to
 * 2^-24; a phase, which is a multiple of that, comes with it for free. */
#define ROUNDING_TERM 0x1.8p28

/* The output of a fill. */
struct perlane_output {
  enum { PERLANE_FLOAT, PERLANE_U16, PERLANE_U8 } format;
  void *value;        /* of that format; NULL for none, with gradients only */
  float low, scale;   /* integers: (value - low) * scale */
  float *gradient[4]; /* one for each axis, or all NULL; with PERLANE_FLOAT only */
  float *extremes;    /* receives the smallest and the largest value; NULL for neither, and with
                         integers or gradients */
};

/* A perlane_grid that has been checked, with every axis and stride filled in: axes from dims on,
 * and strides of axes with a count of 1, are those of a packed grid. */
struct perlane_region {
  int dims;
  int64_t first[PERLANE_MAX_DIMS];
  size_t count[PERLANE_MAX_DIMS];
  double origin[PERLANE_MAX_DIMS], step[PERLANE_MAX_DIMS];
  ptrdiff_t stride[PERLANE_MAX_DIMS];
  int octaves; /* that are evaluated: 1..noise->octaves */
  void *work;  /* the caller's memory, aligned to a cache line */
  size_t work_bytes;
};

/* A list of points, and where their values go. */
struct perlane_point_list {
  int dims, octaves; /* octaves that are evaluated: 1..noise->octaves */
  size_t n;
  const float *const *coords;    /* one array for each axis, or */
  const double *const *coords64; /* one of doubles; the other is NULL */
  ptrdiff_t stride;              /* from one coordinate of an array to the next, in elements */
  const double *origin;          /* added to coords; NULL for 0, and with coords64 */
  float *out;                    /* NULL for none, with gradients only */
  float *const *gradient;        /* one array for each axis, or NULL */
};

typedef void perlane_fill_kernel(const perlane_noise *noise, const struct perlane_region *grid,
                                 const struct perlane_output *output);
typedef void perlane_points_kernel(const perlane_noise *noise,
                                   const struct perlane_point_list *list);
/* The cells of a grid, and of a list without outputs of its own. */
typedef void perlane_fill_cells_kernel(const perlane_noise *noise,
                                       const struct perlane_region *grid, const perlane_cells *out);
typedef void perlane_points_cells_kernel(const perlane_noise *noise,
                                         const struct perlane_point_list *list,
                                         const perlane_cells *out);
/* Returns the value at a position; gradient receives the derivatives, unless it is NULL. */
typedef float perlane_at_kernel(const perlane_noise *noise, int dims, const double *position,
                                float *gradient);

/* Returns 1 if nothing follows the sum of the octaves (docs/specification.md, 2.12). */
static inline int perlane_ends_with_sum(const perlane_params *params, float value_scale,
                                        float value_offset) {
  return params->falloff == 0 && params->gullies == 0 && params->contrast == 1 &&
         params->curve.count == 0 && params->terraces == 0 && value_scale == 1 && value_offset == 0;
}

/* Callers have checked all arguments and set the floating-point control word. A noise may be an
 * expression, but for cells. */
struct perlane_kernels {
  const char *name;
  perlane_isa isa;
  perlane_fill_kernel *fill;
  perlane_points_kernel *points;
  perlane_at_kernel *at;
  perlane_fill_cells_kernel *fill_cells;
  perlane_points_cells_kernel *points_cells;
};

extern const struct perlane_kernels perlane_scalar_kernels;
perlane_at_kernel perlane_scalar_at;

/* Returns the result of an operation of an expression, which has up to 3 operands. */
float perlane_scalar_operation(const struct perlane_expression_step *step, const float *operand);

/* Splits a coordinate in cells of an octave: sets X and the words of the lower and the upper corner
 * (docs/specification.md, 2.2 and 2.4), which are the same if is_flat, and returns the fraction. */
float perlane_scalar_axis(const struct perlane_octave *octave, int axis, int is_flat, double x_k,
                          int64_t X[2], uint32_t word[2]);

/* Returns a gradient of simplex noise along the axes of the lattice (2.21); index: 0..7. */
const float *perlane_scalar_simplex_gradient(int dims, int index);

/* The functions of the instruction set `id`: PERLANE_KERNEL(avx2, fill). Where tests emulate it
 * they have other names, so that a test can have both. */
#ifdef PERLANE_EMULATED
#define PERLANE_KERNEL_NAME(id, function) perlane_emulated_##id##_##function
#else
#define PERLANE_KERNEL_NAME(id, function) perlane_##id##_##function
#endif
#define PERLANE_KERNEL(id, function) PERLANE_KERNEL_NAME(id, function)
#define PERLANE_DECLARE(id, ...)                                                                   \
  perlane_fill_kernel PERLANE_KERNEL(id, fill);                                                    \
  perlane_points_kernel PERLANE_KERNEL(id, points);                                                \
  perlane_at_kernel PERLANE_KERNEL(id, at);                                                        \
  perlane_fill_cells_kernel PERLANE_KERNEL(id, fill_cells);                                        \
  perlane_points_cells_kernel PERLANE_KERNEL(id, points_cells);
PERLANE_LANES(PERLANE_DECLARE, PERLANE_DECLARE, PERLANE_DECLARE, PERLANE_DECLARE)
#undef PERLANE_DECLARE

/* The initialiser of an instruction set's table. */
#define PERLANE_KERNELS(id, ID, name)                                                              \
  {                                                                                                \
    name, PERLANE_ISA_##ID, PERLANE_KERNEL(id, fill), PERLANE_KERNEL(id, points),                  \
        PERLANE_KERNEL(id, at), PERLANE_KERNEL(id, fill_cells), PERLANE_KERNEL(id, points_cells)   \
  }

#endif
