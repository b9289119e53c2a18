/* SPDX-License-Identifier: MIT
 *
 * The table of bases. Besides it, each basis has a scale (scale_of in field.c, which includes its
 * bounds), and the reference.
 */
#ifndef PERLANE_BASES_H
#define PERLANE_BASES_H

#include "../include/perlane.h"

/* The kernels of a basis. Each producer has a case where grids, blocks of points and single
 * positions are evaluated: in lane_kernels.h, noise/points/points.h and noise/points/one_value.h.
 */
enum perlane_producer {
  PERLANE_LATTICE, /* corners of cells are combined */
  PERLANE_WHITE,   /* cells have one number */
  PERLANE_CELLS,   /* the points of cells are searched */
  PERLANE_SIMPLEX, /* corners of simplices are summed */
};

/* The numbers at a lattice point. */
enum perlane_corner {
  PERLANE_GRADIENTS,
  PERLANE_UNIFORM,
  PERLANE_NORMAL,
  PERLANE_OWN, /* the producer makes its own, from axis words that it makes, too */
};

/* Hashes, eroded octaves and periods, as a mask of the hashes that exist for a basis, and 0 or 1.
 */
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
  {dims, PERLANE_##producer, PERLANE_##corner, PERLANE_##hashes, eroded, periods},
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

#endif
