/* SPDX-License-Identifier: MIT
 *
 * The points of cellular noise in a box (docs/specification.md, 2.20), cell by cell: one way for
 * all instruction sets, as what callers do with a point takes longer than finding it.
 */
#include "strict.h"

#include "field.h"
#include "numbers.h"

enum {
  CELL_DIMS = 3,
  MARGIN = 3 /* cells between a position's cell and the box's: the phase, the jitter, roundings */
};
#define MAX_CELLS 0x1p40 /* of a box: they take hours */

struct box {
  const struct perlane_octave *octave;
  int dims;
  /* j and a of 2.15. (Not doubles: where gcc 12 makes a vector of two that are rounded to float and
   * widened again, it leaves both conversions out.) */
  float unit, start;
  const double *low, *high;
  int64_t first[CELL_DIMS], count[CELL_DIMS]; /* cells; 1 beyond dims */
};

/* ---- Cells ---- */

/* 2.10 */
static uint32_t hash_of_words(uint32_t h) {
  h ^= h >> 16;
  h *= 0x7FEB352D;
  h ^= h >> 15;
  h *= 0x846CA68B;
  return h ^ h >> 16;
}

/* The cell's value of 2.15, without an amplitude. */
static float number_of_cell(uint32_t h) {
  const uint32_t odd = h * 0x9E3779B1 >> 7 | 1;
  return (float)((int32_t)odd - 0x1000000) * 0x1p-24f;
}

/* Stores the position of the point of a cell. Returns 1 if the box has it. */
static int place_point(const struct box *box, const int64_t *cell, uint32_t h, double *position) {
  static const int shift[CELL_DIMS][CELL_DIMS] = {{8}, {16, 0}, {21, 10, 0}};
  static const uint32_t mask[CELL_DIMS] = {0xFFFFFF, 0xFFFF, 0x7FF};
  int is_inside = 1;
  for (int a = 0; a < box->dims; a++) {
    const uint32_t i = h >> shift[box->dims - 1][a] & mask[box->dims - 1];
    const double inside = (double)i * (double)box->unit + (double)box->start;
    const double from_corner = inside - (double)box->octave->phase[a] * 0x1p-24;
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): dims is 3 at most */
    position[a] = ((double)cell[a] + from_corner) / box->octave->frequency;
    is_inside &= position[a] >= box->low[a] && position[a] < box->high[a];
  }
  return is_inside;
}

/* ---- The box ---- */

static PERLANE_NOINLINE perlane_status begin_box(struct box *box, const perlane_noise *noise,
                                                 int32_t dims, const double *low,
                                                 const double *high) {
  static const double bit[CELL_DIMS] = {0x1p-24, 0x1p-16, 0x1p-11};
  const double jitter = noise->params.jitter;
  *box = (struct box){.octave = &noise->octave[0], .dims = dims, .low = low, .high = high};
  box->unit = (float)(jitter * bit[dims - 1]);
  box->start = (float)(0.5 + jitter * (bit[dims - 1] / 2 - 0.5));
  double cells = 1;
  for (int a = 0; a < CELL_DIMS; a++) {
    const double from = a < dims ? low[a] * box->octave->frequency : 0;
    const double to = a < dims ? high[a] * box->octave->frequency : 0;
    if (!(perlane_magnitude(from) <= 0x1p53 && perlane_magnitude(to) <= 0x1p53))
      return PERLANE_ERROR_RANGE;
    box->first[a] = a < dims ? (int64_t)from - MARGIN : 0;
    box->count[a] = a >= dims ? 1 : low[a] < high[a] ? (int64_t)to + MARGIN + 1 - box->first[a] : 0;
    cells *= (double)box->count[a];
  }
  if (cells == 0) /* no loops over the other axes, which may be of any length */
    box->count[CELL_DIMS - 1] = 0;
  return cells <= MAX_CELLS ? PERLANE_OK : PERLANE_ERROR_COUNT;
}

/* Where points go, if anywhere. */
struct scattered {
  uint64_t capacity;
  double *const *position;
  uint32_t *id;
  float *number;
};

static void store_point(const struct scattered *to, uint64_t at, int dims, uint32_t h,
                        const double *position) {
  for (int a = 0; a < dims && to->position; a++)
    if (to->position[a])
      to->position[a][at] = position[a];
  if (to->id)
    to->id[at] = h;
  if (to->number)
    to->number[at] = number_of_cell(h);
}

/* Returns how many points the box has. */
static PERLANE_NOINLINE uint64_t find_points(const struct box *box, const struct scattered *to) {
  uint64_t found = 0;
  for (int64_t z = 0; z < box->count[2]; z++)
    for (int64_t y = 0; y < box->count[1]; y++) {
      int64_t cell[CELL_DIMS] = {0, box->first[1] + y, box->first[2] + z};
      uint32_t row = 0;
      for (int a = 1; a < box->dims; a++) /* NOLINTNEXTLINE(clang-analyzer-core.*): as above */
        row += perlane_cell_word(box->octave, a, cell[a]);
      for (int64_t x = 0; x < box->count[0]; x++) {
        double position[CELL_DIMS];
        cell[0] = box->first[0] + x;
        const uint32_t h = hash_of_words(perlane_cell_word(box->octave, 0, cell[0]) + row);
        if (!place_point(box, cell, h, position))
          continue;
        if (found < to->capacity)
          store_point(to, found, box->dims, h, position);
        found++;
      }
    }
  return found;
}

perlane_status perlane_scatter(const perlane_noise *noise, int32_t dims, const double *low,
                               const double *high, uint64_t capacity, double *const *position,
                               uint32_t *id, float *number, uint64_t *count) {
  if (!noise || !low || !high || !count)
    return PERLANE_ERROR_NULL;
  if (!perlane_field_is_ready(noise))
    return PERLANE_ERROR_NOISE;
  if (dims < 1 || dims > PERLANE_MAX_DIMS)
    return PERLANE_ERROR_DIMS;
  if (noise->is_expression || noise->params.basis != PERLANE_BASIS_CELLULAR ||
      noise->params.warp_amplitude != 0)
    return PERLANE_ERROR_NO_CELLS;
  if (dims > CELL_DIMS)
    return PERLANE_ERROR_FIELD_DIMS;
  const perlane_fp_state caller = perlane_fp_enter();
  const struct scattered to = {capacity, position, id, number};
  struct box box;
  const perlane_status status = begin_box(&box, noise, dims, low, high);
  if (status == PERLANE_OK)
    *count = find_points(&box, &to);
  perlane_fp_leave(caller);
  return status;
}
