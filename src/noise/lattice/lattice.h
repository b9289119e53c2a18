/* SPDX-License-Identifier: MIT
 *
 * The lattice of a field: what all its corners share, and the hash of a corner's axis words
 * (docs/specification.md, 2.5 and 2.8).
 */
#ifndef PERLANE_NOISE_LATTICE_H
#define PERLANE_NOISE_LATTICE_H

#include "../field.h"
#include "gradients.h"
#include "hash.h"

/* Where corners find their gradients. Constant where it is a parameter. */
enum source {
  SOURCE_QUICK,  /* the lattice hash, and a gradient set that fits in registers */
  SOURCE_LOOKUP, /* any hash, and gradients from memory */
  SOURCE_VALUES, /* any hash, and values instead of gradients */
};

/* What all corners share; amplitude and line change with the octave. */
struct lattice {
  enum source source;
  struct gradient_tables tables; /* SOURCE_QUICK */
  perlane_hash hash;
  enum perlane_corner corner;
  int index_shift; /* 13 or 12: the joined words' first bit of an index */
  uint32_t index_mask;
  int slices;             /* table lookups for axes that the gradient set has beyond the field's */
  const uint8_t *table;   /* of the hash */
  const float *vector[4]; /* gradient components by index */
  vf amplitude;           /* SOURCE_VALUES */
};

static enum source source_of(const struct field *field, int dims) {
  const perlane_params *params = field->params;
  if (basis_of(field)->corner != CORNER_GRADIENTS)
    return SOURCE_VALUES;
  return params->hash == PERLANE_HASH_LATTICE &&
                 is_quick_set((perlane_gradients)params->gradients, dims)
             ? SOURCE_QUICK
             : SOURCE_LOOKUP;
}

/* (Not returned: the copy would cost a small grid 5 % of its time.) */
static void make_lattice(struct lattice *lattice, const struct field *field, int dims) {
  static const int vector_start[PERLANE_MAX_DIMS] = {0, 1, 3, 6};
  const perlane_params *params = field->params;
  const perlane_gradients set = (perlane_gradients)params->gradients;
  lattice->source = source_of(field, dims);
  lattice->tables = gradient_tables(set, dims);
  lattice->hash = (perlane_hash)params->hash;
  lattice->corner = basis_of(field)->corner;
  const int by_sixteen = set == PERLANE_GRADIENTS_EDGES12 || set == PERLANE_GRADIENTS_PNOISE;
  const int by_hundreds =
      set == PERLANE_GRADIENTS_TABLE || (set == PERLANE_GRADIENTS_SPHERE && dims > 1);
  lattice->index_shift = by_hundreds ? 12 : 13;
  lattice->index_mask = by_hundreds ? 255 : by_sixteen || dims == 3 ? 15 : dims == 4 ? 31 : 7;
  lattice->slices = set == PERLANE_GRADIENTS_EDGES12 && dims < 3   ? 3 - dims
                    : set == PERLANE_GRADIENTS_PNOISE && dims == 2 ? 1
                                                                   : 0;
  lattice->table = field->noise->table;
  for (int a = 0; a < dims; a++)
    lattice->vector[a] = params->hash == PERLANE_HASH_GRID
                             ? params->gradient_grid + a
                             : field->noise->vector[vector_start[dims - 1] + a];
}

PERLANE_INLINE void begin_octave(struct lattice *lattice, const struct perlane_octave *octave,
                                 int dims) {
  lattice->amplitude = f_set(octave->amplitude[dims - 1]);
}

/* The hash words of a corner's axes. Axes beyond dims are not read. */
struct corner {
  vi x, y, z, w;
};

/* 2.5: m. */
PERLANE_INLINE vi joined_words(int dims, struct corner at) {
  if (dims == 1)
    return i_dot16(i_xor(at.x, i_shift_right(at.x, 15)), i_set(0x2C1B3C6D));
  if (dims == 2)
    return i_dot16(at.x, at.y);
  if (dims == 3)
    return i_dot16(at.x, i_dot16(at.y, at.z));
  return i_dot16(i_dot16(at.x, at.y), i_dot16(at.z, at.w));
}

/* 2.8: h. The axis pass has looked up x. */
PERLANE_INLINE vi chained_bytes(int dims, const struct lattice *lattice, struct corner at) {
  const vi byte = i_set(0xFF);
  vi h = at.x;
  if (dims >= 2)
    h = i_look_up(lattice->table, i_and(i_add(h, at.y), byte));
  if (dims >= 3)
    h = i_look_up(lattice->table, i_and(i_add(h, at.z), byte));
  if (dims >= 4)
    h = i_look_up(lattice->table, i_and(i_add(h, at.w), byte));
  return h;
}

PERLANE_INLINE vi index_of(int dims, const struct lattice *lattice, struct corner at) {
  switch (lattice->hash) {
  case PERLANE_HASH_LATTICE: {
    const vi m = joined_words(dims, at);
    const vi index = lattice->index_shift == 13 ? i_shift_right(m, 13) : i_shift_right(m, 12);
    return i_and(index, i_set(lattice->index_mask));
  }
  case PERLANE_HASH_GRID:
    return i_add(at.x, at.y);
  case PERLANE_HASH_PRIMES:
    return i_look_up(lattice->table, i_xor(at.x, at.y));
  default: {
    vi h = chained_bytes(dims, lattice, at);
    for (int i = 0; i < lattice->slices; i++)
      h = i_look_up(lattice->table, h);
    return h;
  }
  }
}

#endif
