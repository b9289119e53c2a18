/* SPDX-License-Identifier: MIT
 *
 * Cuts a grid into blocks for threads or for a file. Each block is a grid of its own with its own
 * `first`, so filling it writes the bits that filling the whole grid would write there.
 */
#ifndef PERLANE_CUT_H
#define PERLANE_CUT_H

#include "perlane.h"

struct grid_cut {
  perlane_grid grid;             /* the whole grid, with its strides written out */
  size_t unit[PERLANE_MAX_DIMS]; /* blocks begin at multiples of these */
  uint64_t units[PERLANE_MAX_DIMS], parts[PERLANE_MAX_DIMS], blocks;
};

/* Overhead that a fill repeats in each block sets its smallest useful size: along x the set-up of
 * columns, along y a tile of rows, along z the edges that neighbouring planes share. Nothing is
 * shared along w. All units but w's are whole cache lines of packed floats. */
static const size_t FILL_UNIT[PERLANE_MAX_DIMS] = {1024, 16, 8, 1};

static inline uint64_t grid_samples(const perlane_grid *grid) {
  uint64_t samples = 1;
  for (int a = 0; a < grid->dims; a++)
    samples *= grid->count[a];
  return samples;
}

static inline uint64_t at_least_one(uint64_t n) {
  return n > 0 ? n : 1;
}

static inline uint64_t quotient_up(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0); /* NOLINT(clang-analyzer-core.*): never called with 0 */
}

/* Returns the number of blocks to fill in parallel: one per thread, more where they would exceed
 * `max_samples`, fewer where waking a thread would take longer than its block. */
static inline uint64_t parallel_blocks(const perlane_grid *grid, uint64_t threads,
                                       uint64_t max_samples) {
  enum { MIN_SAMPLES = 16 * 1024 };
  const uint64_t samples = grid_samples(grid), large = samples / max_samples;
  const uint64_t wanted = large > threads ? large : threads;
  const uint64_t useful = at_least_one(samples / MIN_SAMPLES);
  return wanted < useful ? wanted : useful;
}

/* Cuts a grid into about `wanted` blocks. The outermost axis is cut first, and an inner one only if
 * the outer ones are too short: blocks of whole rows and planes are contiguous. What remains of an
 * axis after its last whole unit belongs to the last block, or is a unit too if `apart`. */
static inline struct grid_cut grid_cut_make(const perlane_grid *grid, const size_t *unit, int apart,
                                            uint64_t wanted) {
  struct grid_cut cut = {.grid = *grid, .parts = {1, 1, 1, 1}, .blocks = 1};
  uint64_t stride = 1;
  for (int a = 0; a < grid->dims; a++) {
    if (grid->stride[a] == 0)
      cut.grid.stride[a] = (ptrdiff_t)stride;
    stride *= grid->count[a];
  }
  for (int a = PERLANE_MAX_DIMS - 1; a >= 0; a--) {
    if (a >= grid->dims)
      continue;
    cut.unit[a] = unit[a];
    cut.units[a] = at_least_one((grid->count[a] + (apart ? unit[a] - 1 : 0)) / unit[a]);
    cut.parts[a] = wanted < cut.units[a] ? wanted : cut.units[a];
    cut.blocks *= cut.parts[a];
    wanted = quotient_up(wanted, cut.parts[a]);
  }
  return cut;
}

static inline size_t grid_part_start(const struct grid_cut *cut, int axis, uint64_t part) {
  const uint64_t parts = cut->parts[axis], units = cut->units[axis];
  if (part == parts)
    return cut->grid.count[axis];
  /* units * part / parts, without a product that could overflow */
  return (size_t)(units / parts * part + units % parts * part / parts) * cut->unit[axis];
}

/* Returns an upper bound of the samples in a block. */
static inline uint64_t grid_cut_max_samples(const struct grid_cut *cut) {
  uint64_t samples = 1;
  for (int a = 0; a < cut->grid.dims; a++) {
    const uint64_t count = cut->grid.count[a], whole = cut->units[a] * cut->unit[a];
    const uint64_t longest = quotient_up(cut->units[a], cut->parts[a]) * cut->unit[a] +
                             (count > whole ? count - whole : 0);
    samples *= count < longest ? count : longest;
  }
  return samples;
}

/* Returns block number `block`, counted along x first, and sets *offset to its first sample's
 * distance from the whole grid's. */
static inline perlane_grid grid_cut_block(const struct grid_cut *cut, uint64_t block,
                                          ptrdiff_t *offset) {
  perlane_grid grid = cut->grid;
  *offset = 0;
  for (int a = 0; a < PERLANE_MAX_DIMS && a < grid.dims; a++) {
    const uint64_t part = block % cut->parts[a];
    block /= cut->parts[a];
    const size_t start = grid_part_start(cut, a, part);
    grid.count[a] = grid_part_start(cut, a, part + 1) - start;
    grid.first[a] += (int64_t)start;
    *offset += (ptrdiff_t)start * grid.stride[a];
  }
  return grid;
}

#endif
