/* SPDX-License-Identifier: MIT
 *
 * The bases, and the kernels of an instruction set, as every call reaches them. To add one:
 * docs/internals/architecture.md.
 */
#ifndef PERLANE_KERNELS_H
#define PERLANE_KERNELS_H

#include "isa.h"
#include "../include/perlane.h"

/* The kernels of a basis. X(name, id): grids are filled by fill_id, which lane_kernels.h puts in a
 * table; blocks of points and single positions have a case of each in noise/points/evaluation.h and
 * noise/points/one_value.h. */
#define PERLANE_PRODUCERS(X)                                                                       \
  X(LATTICE, lattice) /* corners of cells are combined */                                          \
  X(WHITE, white)     /* cells have one number */                                                  \
  X(CELLS, bricks)    /* the points of cells are searched */                                       \
  X(SIMPLEX, simplex) /* corners of simplices are summed */

enum perlane_producer {
#define PERLANE_PRODUCER(producer, id) BY_##producer,
  PERLANE_PRODUCERS(PERLANE_PRODUCER)
#undef PERLANE_PRODUCER
};

/* The numbers at a lattice point. */
enum perlane_corner {
  CORNER_GRADIENTS,
  CORNER_UNIFORM,
  CORNER_NORMAL,
  CORNER_OWN, /* the producer makes its own, from axis words that it makes, too */
};

/* Masks of the hashes that a basis may have. */
#define PERLANE_ANY_HASH ((1U << PERLANE_HASH_COUNT) - 1)
#define PERLANE_NUMBER_HASH (PERLANE_ANY_HASH & ~(1U << PERLANE_HASH_GRID))
#define PERLANE_LATTICE_HASH (1U << PERLANE_HASH_LATTICE)

/* clang-format off */
/* X(value in perlane_basis, name, summary, mask of dimensions, producer, corner, hashes, whether it
 * can be eroded, whether it has periods), in the order of perlane_basis. */
#define PERLANE_BASES(X)                                                                            \
  X(PERLIN, "perlin", "a gradient at each lattice point: Perlin noise",                             \
    0xF, LATTICE, GRADIENTS, ANY_HASH, 1, 1)                                                        \
  X(VALUE, "value", "a value at each lattice point, interpolated: value noise",                     \
    0xF, LATTICE, UNIFORM, NUMBER_HASH, 1, 1)                                                       \
  X(WHITE, "white", "one value per cell, uniformly distributed: white noise",                       \
    0xF, WHITE, UNIFORM, NUMBER_HASH, 1, 1)                                                         \
  X(GAUSSIAN, "gaussian", "one value per cell, normally distributed; needs hash=lattice",           \
    0xF, WHITE, NORMAL, LATTICE_HASH, 1, 1)                                                         \
  X(CELLULAR, "cellular",                                                                           \
    "distances to random points, one per cell: cellular noise; needs hash=lattice",                 \
    0x7, CELLS, OWN, LATTICE_HASH, 0, 1)                                                            \
  X(SIMPLEX, "simplex",                                                                             \
    "a gradient at each corner of triangles or tetrahedra: simplex noise, the same in all "         \
    "directions; needs hash=lattice and no period",                                                 \
    0x6, SIMPLEX, OWN, LATTICE_HASH, 1, 0)
/* clang-format on */

struct perlane_basis_record {
  int dims;
  enum perlane_producer producer;
  enum perlane_corner corner;
  unsigned hashes;
  int can_be_eroded, has_periods;
};

static inline const struct perlane_basis_record *
perlane_basis_record(const perlane_params *params) {
#define PERLANE_RECORD(basis, name, summary, dims, producer, corner, hashes, eroded, periods)      \
  {dims, BY_##producer, CORNER_##corner, PERLANE_##hashes, eroded, periods},
  static const struct perlane_basis_record records[] = {PERLANE_BASES(PERLANE_RECORD)};
#undef PERLANE_RECORD
#define PERLANE_LISTED(basis, ...) PERLANE_LISTED_##basis,
  enum { PERLANE_BASES(PERLANE_LISTED) PERLANE_LISTED_COUNT };
#undef PERLANE_LISTED
#define PERLANE_IN_ORDER(basis, ...)                                                               \
  _Static_assert((int)PERLANE_LISTED_##basis == (int)PERLANE_BASIS_##basis, #basis);
  PERLANE_BASES(PERLANE_IN_ORDER)
#undef PERLANE_IN_ORDER
  _Static_assert((int)PERLANE_LISTED_COUNT == (int)PERLANE_BASIS_COUNT, "every basis is listed");
  return &records[params->basis];
}

/* Returns the components along an axis of the lattice of simplex noise's 8 gradients
 * (docs/specification.md, 2.21): whole numbers of 8 binary digits. */
static inline const float *perlane_simplex_components(int dims, int axis) {
  static const float set[2][3][8] = {
      {{176, -176, 29, -29, -135, 135, -220, 220}, {29, -29, 176, -176, 220, -220, 135, -135}, {0}},
      {{23, -23, 1, -1, 1, -1, -21, 21},
       {-1, 1, 25, -25, -11, 11, 15, -15},
       {-1, 1, -11, 11, 25, -25, 15, -15}}};
  return set[dims - 2][axis];
}

enum { CACHE_LINE_BYTES = 64 };

/* Added to a position in cells it leaves 24 bits for the fraction, so the addition itself rounds to
 * 2^-24; a phase, which is a multiple of that, comes with it for free. */
#define ROUNDING_TERM 0x1.8p28

/* The output of a fill. */
struct perlane_output {
  enum { FORMAT_FLOAT, FORMAT_U16, FORMAT_U8 } format;
  void *value;        /* of that format; NULL for none, with gradients only */
  float low, scale;   /* integers: (value - low) * scale */
  float *gradient[4]; /* one for each axis, or all NULL; with FORMAT_FLOAT only */
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
  int octaves;                      /* that are evaluated: 1..noise->octaves */
  double spacing[PERLANE_MAX_DIMS]; /* of an expression whose fields have the octaves that samples
                                     so far apart show; otherwise 0 */
  void *work;                       /* the caller's memory, aligned to a cache line */
  size_t work_bytes;
};

/* A list of points, and where their values go. */
struct perlane_point_list {
  int dims, octaves;                /* octaves that are evaluated: 1..noise->octaves */
  double spacing[PERLANE_MAX_DIMS]; /* as in perlane_region */
  size_t n;
  const float *const *coords;    /* one array for each axis, or */
  const double *const *coords64; /* one of doubles; the other is NULL */
  ptrdiff_t stride;              /* from one coordinate of an array to the next, in elements */
  const double *origin;          /* added to coords; NULL for 0, and with coords64 */
  float *out;                    /* NULL for none, with gradients only */
  float *const *gradient;        /* one array for each axis, or NULL */
  void *work;                    /* memory instead of the stack's, or NULL */
  size_t work_bytes; /* used from LIST_WORK_BYTES on, with valleys from VALLEY_LIST_BYTES on */
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
  return params->falloff == 0 && params->valleys == 0 && params->contrast == 1 &&
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

/* The reference, which only the dispatcher and tests call. */
extern const struct perlane_kernels perlane_scalar_kernels;
perlane_at_kernel perlane_scalar_at;

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
