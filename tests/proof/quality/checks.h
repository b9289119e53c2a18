/* SPDX-License-Identifier: MIT
 *
 * The checks: of the hash (hash_checks.c) and of the field (field_checks.c). Windows, seeds and
 * lines come from a fixed list; the number given is how many of them a check uses.
 */
#ifndef PERLANE_QUALITY_CHECKS_H
#define PERLANE_QUALITY_CHECKS_H

#include "lattice.h"
#include "statistics.h"

/* ---- The hash: gradient indices are uniform, and independent of each other ---- */

/* Windows of cells: each index as often as any other, and every pair of neighbours at each lag (2D:
 * up to 3 cells along each axis, 3D and 4D: up to 1, 1D: up to 16) as often as any other pair. */
struct tally check_neighbours(const struct lattice *lattice, int dims, size_t windows);

/* The same for cells that are 2^j or an odd number apart. */
struct tally check_strides(const struct lattice *lattice, int dims, size_t windows);

/* One bit of the indices at the corners of a cell (2D: of 2x2 cells): the product of any subset of
 * them, as signs, is 1 as often as -1. */
struct tally check_corners(const struct lattice *lattice, int dims, size_t windows);

/* Lines (2D), planes (3D) and volumes (4D) across an axis, one by one: each is uniform, and
 * independent of the next one, cell by cell. */
struct tally check_slices(const struct lattice *lattice, int dims, size_t windows);

/* Seeds s and s + delta, for small deltas and for powers of two: cell by cell, and next to it. */
struct tally check_seeds(const struct lattice *lattice, int dims, size_t windows);

/* An octave and another one, of the same seed or a later one, cell X with cells 2^j X and next to
 * it: octaves of one seed, seeds at scaled positions, and octave k of seed s with octaves of seed
 * s + k. */
struct tally check_octaves(const struct lattice *lattice, int dims, size_t windows);

/* The power spectrum of one bit of the indices in a plane of 512x512 cells along any two axes: no
 * frequency stands out, and powers are distributed as those of white noise. */
struct tally check_planes_spectra(const struct lattice *lattice, int dims, size_t windows);

/* Runs of 64 indices, among the 2^20 that start along each axis, that occur twice; where has the
 * first ones found. Fair numbers have one with a probability of 3e-8 for each line in 1D, and
 * next to none in 2D to 4D. */
size_t count_repeats(const struct lattice *lattice, int dims, int axis, uint64_t seed,
                     int64_t where[2]);

/* The checks above that tally, how much of each is run, by dimensions (0: none), and a bad hash
 * that the check must find out (NULL: none). */
struct hash_check {
  const char *name;
  struct tally (*check)(const struct lattice *lattice, int dims, size_t windows);
  size_t full[4];
  const struct lattice *control;
  int control_dims;
  size_t control_windows;
};
enum { NEIGHBOURS, STRIDES, CORNERS, SLICES, SEEDS, OCTAVES, SPECTRA, HASH_CHECKS };
extern const struct hash_check HASH_CHECK[HASH_CHECKS];  /* of the default gradients */
extern const struct hash_check LARGE_CHECK[HASH_CHECKS]; /* of sets of 256 gradients */

/* ---- The field ---- */

/* Component of a default gradient, as section 2.5 of the specification lists them. */
double default_gradient(int dims, int index, int axis);

/* Mean, variance, third and fourth moment of one octave, on samples that share no lattice point,
 * against their values for independent uniform gradients, computed on the same fractions. */
struct moments {
  double expected[4], measured[4], error[4]; /* of value^1 .. value^4; standard errors */
  double smallest, largest;
  size_t samples;
};
struct tally check_moments(const perlane_params *params, int dims, size_t fields,
                           struct moments *moments);

/* The distribution of one octave of the default field in 1D or 2D, in 41 equal bins of [-1, 1],
 * against that of all combinations of gradients. */
struct tally check_distribution(const perlane_params *params, int dims, size_t fields);

/* Fields are unrelated if none of their lattices is another's. Of all pairs among 12 fields of 8
 * equal octaves, the seeds s, s + 1, s + 2, s + 3 at the positions x, 2x, 4x; and among the first
 * four octaves of one seed, each alone, at these positions: the correlation of their samples. */
struct tally check_unrelated(const perlane_params *params, int dims, size_t fields);

/* Mean, variance, third and fourth moment of one octave over many seeds, half of them consecutive,
 * at the origin and at multiples of 1/frequency, for several frequencies: those of any position.
 * And mean and variance of eight octaves there. */
struct tally check_places(const perlane_params *params, int dims, size_t seeds);

/* Fields of frequency 1 at whole numbers, which all have the same fraction of a cell: the mean is 0
 * and the variance that of the fraction, which the phase gives. */
struct tally check_whole_numbers(const perlane_params *params, int dims, size_t fields);

/* The power spectrum of periodic 2D fields, 20 more than these, in rings of frequency and sectors
 * of direction, against what independent uniform gradients of the default set have. */
struct tally check_spectrum(const perlane_params *params, int dims, size_t fields);

/* The checks of the field, how many fields (places: seeds) each uses, by dimensions, and options
 * that give a field which the check must find out. */
struct field_check {
  const char *name;
  struct tally (*check)(const perlane_params *params, int dims, size_t fields);
  size_t full[4];
  const char *control;
  int control_dims;
  size_t control_fields;
};
enum { MOMENTS, DISTRIBUTION, SPECTRUM, UNRELATED, PLACES, WHOLE_NUMBERS, FIELD_CHECKS };
extern const struct field_check FIELD_CHECK[FIELD_CHECKS];

/* The default field with these options; a check's control, for one. */
perlane_params field_with(const char *options);

#endif
