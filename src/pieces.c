/* SPDX-License-Identifier: MIT
 *
 * Cutting grids into pieces: integers only, so under any floating-point environment. Along every
 * axis a piece is a run of units. The outermost axis is cut first, and an inner one only if the
 * outer ones are too short: pieces of whole rows and planes are contiguous.
 */
#include "strict.h"

#include "../include/perlane.h"
#include "thresholds.h"

/* What a fill does anew for each piece sets the smallest useful one: along x the set-up of columns,
 * along y a tile of rows, along z the edges that neighbouring planes share. Nothing is shared along
 * w. All units but w's are whole cache lines of packed floats. */
static const uint64_t FILL_UNIT[PERLANE_MAX_DIMS] = {1024, 16, 8, 1};

/* Checks a grid, writes its packed strides out, and counts its samples and the units along its
 * axes. What remains of an axis after its last whole unit belongs to that unit if it is one for
 * filling, and is a unit of its own otherwise. */
static perlane_status complete(perlane_grid *grid, const uint64_t *unit, uint64_t *samples,
                               uint64_t units[PERLANE_MAX_DIMS]) {
  if (grid->dims < 1 || grid->dims > PERLANE_MAX_DIMS)
    return PERLANE_ERROR_DIMS;
  if (grid->exact_strides != 0 && grid->exact_strides != 1)
    return PERLANE_ERROR_STRIDE;
  uint64_t span = 0;
  *samples = 1;
  for (int a = 0; a < grid->dims; a++) {
    const uint64_t count = grid->count[a];
    if (count == 0 || count > INT64_MAX / *samples || (unit && unit[a] == 0))
      return PERLANE_ERROR_COUNT;
    if (grid->first[a] > INT64_MAX - (int64_t)(count - 1))
      return PERLANE_ERROR_RANGE;
    if (grid->stride[a] == 0 && !grid->exact_strides)
      grid->stride[a] = (int64_t)*samples;
    const uint64_t stride = (uint64_t)grid->stride[a];
    const uint64_t distance = grid->stride[a] < 0 ? 0 - stride : stride;
    if (count > 1 && distance > (INT64_MAX - span) / (count - 1))
      return PERLANE_ERROR_STRIDE;
    span += (count - 1) * distance;
    *samples *= count;
    if (unit)
      units[a] = (count - 1) / unit[a] + 1;
    else
      units[a] = count < FILL_UNIT[a] ? 1 : count / FILL_UNIT[a];
  }
  return PERLANE_OK;
}

/* Sets how many parts each axis is cut into for about `wanted` pieces. Returns their number, for
 * which the parts are the same. */
static uint64_t divide_axes(int dims, const uint64_t *units, uint64_t wanted,
                            uint64_t parts[PERLANE_MAX_DIMS]) {
  uint64_t pieces = 1;
  for (int a = dims - 1; a >= 0; a--) {
    parts[a] = wanted < units[a] ? wanted : units[a];
    pieces *= parts[a];
    wanted = (wanted - 1) / parts[a] + 1;
  }
  return pieces;
}

perlane_status perlane_grid_cut(const perlane_grid *grid, const uint64_t *unit, uint64_t wanted,
                                uint64_t *pieces) {
  if (!grid || !pieces)
    return PERLANE_ERROR_NULL;
  perlane_grid whole = *grid;
  uint64_t samples, units[PERLANE_MAX_DIMS], parts[PERLANE_MAX_DIMS];
  const perlane_status status = complete(&whole, unit, &samples, units);
  if (status != PERLANE_OK)
    return status;
  if (wanted == 0)
    return PERLANE_ERROR_COUNT;
  if (!unit && wanted > 1) {
    const uint64_t large = samples / MAX_PIECE_SAMPLES, useful = samples / MIN_PIECE_SAMPLES;
    wanted = large > wanted ? large : wanted;
    wanted = useful < wanted ? useful : wanted;
    wanted = wanted > 1 ? wanted : 1;
  }
  *pieces = divide_axes(whole.dims, units, wanted, parts);
  return PERLANE_OK;
}

/* Returns the first sample of a part: unit * (units * part / parts), without a product that could
 * overflow. If there are 2^32 parts or more, the first ones get the remaining units instead. */
static uint64_t start_of(uint64_t unit, uint64_t units, uint64_t part, uint64_t parts) {
  const uint64_t rest = units % parts, longer = part < rest ? part : rest;
  return unit * (units / parts * part + (parts <= UINT32_MAX ? rest * part / parts : longer));
}

perlane_status perlane_grid_piece(const perlane_grid *grid, const uint64_t *unit, uint64_t pieces,
                                  uint64_t index, perlane_grid *piece, int64_t *offset) {
  if (!grid || !piece)
    return PERLANE_ERROR_NULL;
  perlane_grid made = *grid;
  uint64_t samples, units[PERLANE_MAX_DIMS], parts[PERLANE_MAX_DIMS];
  const perlane_status status = complete(&made, unit, &samples, units);
  if (status != PERLANE_OK)
    return status;
  if (index >= pieces || divide_axes(made.dims, units, pieces, parts) != pieces)
    return PERLANE_ERROR_COUNT;
  int64_t distance = 0;
  for (int a = 0; a < made.dims; a++) {
    /* NOLINTBEGIN(clang-analyzer-core.*): divide_axes and complete have set these */
    const uint64_t part = index % parts[a], length = unit ? unit[a] : FILL_UNIT[a];
    const uint64_t begin = start_of(length, units[a], part, parts[a]);
    /* NOLINTEND(clang-analyzer-core.*) */
    if (part + 1 < parts[a])
      made.count[a] = start_of(length, units[a], part + 1, parts[a]);
    made.count[a] -= begin;
    made.first[a] += (int64_t)begin;
    distance += (int64_t)begin * made.stride[a];
    index /= parts[a];
  }
  made.work = NULL; /* pieces are filled on several threads */
  made.work_bytes = 0;
  *piece = made;
  if (offset)
    *offset = distance;
  return PERLANE_OK;
}
