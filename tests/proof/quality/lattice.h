/* SPDX-License-Identifier: MIT
 *
 * Where gradient indices come from: the library, a model of its hash written from the
 * specification, or hashes that are known to be bad, which the checks must find out.
 */
#ifndef PERLANE_QUALITY_LATTICE_H
#define PERLANE_QUALITY_LATTICE_H

#include <perlane.h>

/* Cells first[a] + i * step[a] along each axis, x fastest. */
struct window {
  uint64_t seed;
  int octave; /* 0 is the first */
  int dims;
  int64_t first[4], step[4];
  size_t count[4];
};
size_t window_cells(const struct window *window);

/* Makes the axis' word of a cell, as section 2.4 of the specification; joins a corner's words into
 * a number that stands for m in 2.5. */
typedef uint32_t lattice_word(int64_t cell, int axis, uint64_t seed, int octave);
typedef uint32_t lattice_join(int dims, const uint32_t *word);

struct lattice {
  const char *name;
  perlane_hash hash; /* of the library, if there is no word */
  lattice_word *word;
  lattice_join *join;
  int first_bit; /* of the index in the joined words */
  int is_large;  /* 1: the indices of a set of 256 gradients, as sphere and tables have */
};

/* Gradients that an index chooses from, a power of two: 256, or 2, 8, 16 and 32 in 1D to 4D. */
unsigned lattice_choices(const struct lattice *lattice, int dims);

/* The gradient index at each cell of the window. From the library it is read off the derivatives at
 * lattice points: there a field's gradient is the lattice's own, and with a table of the gradients
 * (0, 0, 0), (1, 0, 0), ... (255, 0, 0) the derivative along x is the index. */
void lattice_fill(const struct lattice *lattice, const struct window *window, uint8_t *index);

extern const struct lattice LATTICE;      /* the library's own */
extern const struct lattice LARGE;        /* the library's own, of sets of 256 */
extern const struct lattice MODEL;        /* the specification's: must be equal to it */
extern const struct lattice LARGE_MODEL;  /* the specification's, of sets of 256 */
extern const struct lattice CELL_HIGH;    /* the numbers of cellular noise: 8 bits of x in 2D, 3D */
extern const struct lattice CELL_LOW;     /* 8 bits of y in 2D, of y and z in 3D */
extern const struct lattice PERLIN_TABLE; /* the library's, with Perlin's permutation of 256 */
extern const struct lattice ONE_MULTIPLY; /* v of 2.4 instead of the word */
extern const struct lattice ADDED_PLANES; /* 3D and 4D: sums of words instead of their product */
extern const struct lattice PRIMES_XOR;   /* coordinates times primes, exclusive or, one mixing */
extern const struct lattice SHIFTED_SEEDS;  /* the seed only moves the lattice along x */
extern const struct lattice SHARED_STREAMS; /* octave k of seed s is octave 0 of seed s + k */
extern const struct lattice LOW_BITS;       /* of sets of 256: the lowest bits of m */

#endif
