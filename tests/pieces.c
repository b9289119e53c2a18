/* SPDX-License-Identifier: MIT
 *
 * perlane_grid_cut and perlane_grid_piece: pieces tile a grid, and those with units never
 * change.
 */
#include "support.h"

/* Returns a random number of up to so many bits, small ones as often as large ones. */
static uint64_t random_bits(struct random *random, uint64_t bits) {
  return random_word(random) >> (63 - random_below(random, bits)) >> 1;
}

/* A grid with at most 2^63 - 1 samples, mostly fewer than 2^bits along an axis. */
static perlane_grid random_grid(struct random *random, uint64_t bits) {
  static unsigned char work[1];
  perlane_grid grid = {.dims = 1 + (int32_t)random_below(random, PERLANE_MAX_DIMS)};
  grid.work = work;
  grid.work_bytes = sizeof work;
  uint64_t samples = 1;
  for (int a = 0; a < grid.dims; a++) {
    grid.count[a] = 1 + random_bits(random, bits) % (INT64_MAX / samples);
    samples *= grid.count[a];
    grid.first[a] = (int64_t)random_word(random);
    if (grid.first[a] > INT64_MAX - (int64_t)(grid.count[a] - 1))
      grid.first[a] -= (int64_t)(grid.count[a] - 1);
    grid.step[a] = 1;
  }
  return grid;
}

static uint64_t pieces_of(const perlane_grid *grid, const uint64_t *unit, uint64_t wanted) {
  uint64_t pieces;
  assert_ok(perlane_grid_cut(grid, unit, wanted, &pieces));
  return pieces;
}

static perlane_grid piece_of(const perlane_grid *grid, const uint64_t *unit, uint64_t pieces,
                             uint64_t index, int64_t *offset) {
  perlane_grid piece;
  assert_ok(perlane_grid_piece(grid, unit, pieces, index, &piece, offset));
  assert_null(piece.work); /* other pieces may be filled at the same time */
  assert_int_equal(piece.work_bytes, 0);
  return piece;
}

static uint64_t end_of(const perlane_grid *grid, int axis) {
  return (uint64_t)grid->first[axis] + grid->count[axis];
}

static const uint64_t *random_units(struct random *random, uint64_t bits, uint64_t *unit) {
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    unit[a] = 1 + random_bits(random, bits);
  return random_below(random, 2) ? unit : NULL;
}

/* Every sample is in one piece, at the same place of the output; units are respected. */
static void pieces_tile_a_grid(void **state) {
  (void)state;
  enum { MAX_COUNT = 1 << 16 };
  static unsigned char covered[2 * MAX_COUNT];
  struct random random = random_start("small grids");
  for (size_t n = effort(2000); n > 0; n--) {
    uint64_t unit[PERLANE_MAX_DIMS], samples = 1;
    const uint64_t *units = random_units(&random, 5, unit);
    perlane_grid grid = random_grid(&random, 12);
    for (int a = 0; a < grid.dims; a++) {
      if (grid.count[a] > MAX_COUNT / samples)
        grid.count[a] = 1;
      samples *= grid.count[a];
    }
    const int gap = (int)random_below(&random, 2), reversed = gap && random_below(&random, 2);
    uint64_t packed = 1;
    for (int a = 0; a < grid.dims; packed *= grid.count[a++])
      grid.stride[a] = gap ? (int64_t)packed * (reversed ? -2 : 2) : 0;
    const int64_t begin = reversed ? 2 * (int64_t)samples - 2 : 0;
    const uint64_t pieces = pieces_of(&grid, units, 1 + random_bits(&random, 14));
    memset(covered, 0, sizeof covered);
    for (uint64_t p = 0; p < pieces; p++) {
      int64_t offset;
      const perlane_grid piece = piece_of(&grid, units, pieces, p, &offset);
      uint64_t inside = 1;
      for (int a = 0; a < piece.dims; a++) {
        inside *= piece.count[a];
        assert_true(!units || (uint64_t)(piece.first[a] - grid.first[a]) % unit[a] == 0);
      }
      for (uint64_t s = 0; s < inside; s++) {
        uint64_t rest = s;
        int64_t at = begin + offset, index = 0, place = 1;
        for (int a = 0; a < piece.dims; a++) {
          const int64_t i = (int64_t)(rest % piece.count[a]);
          rest /= piece.count[a];
          at += i * piece.stride[a];
          index += (piece.first[a] - grid.first[a] + i) * place;
          place *= (int64_t)grid.count[a];
        }
        assert_int_equal(at, gap ? reversed ? begin - 2 * index : 2 * index : index);
        covered[at]++;
      }
    }
    for (uint64_t s = 0; s < samples; s++)
      assert_int_equal(covered[gap ? 2 * s : s], 1);
  }
}

/* Counts up to 2^63 - 1: the first piece begins with the grid, the last one ends with it, and the
 * one after any other is next to it along the first axis on which that does not end with the grid.
 */
static void huge_grids(void **state) {
  (void)state;
  struct random random = random_start("huge grids");
  for (size_t n = effort(20000); n > 0; n--) {
    uint64_t unit[PERLANE_MAX_DIMS];
    const uint64_t *units = random_units(&random, 1 + random_below(&random, 63), unit);
    perlane_grid grid = random_grid(&random, 63);
    uint64_t wanted = random_below(&random, 4) ? 1 + random_bits(&random, 63) : UINT64_MAX;
    if (random_below(&random, 8) == 0) { /* a few samples in each of very many pieces */
      grid.dims = 1;
      grid.count[0] = INT64_MAX;
      grid.first[0] = -(int64_t)random_bits(&random, 63);
      unit[0] = 1;
      units = unit;
      wanted = INT64_MAX / (1 + random_below(&random, 8)) - random_bits(&random, 60);
    }
    const uint64_t pieces = pieces_of(&grid, units, wanted);
    const perlane_grid first = piece_of(&grid, units, pieces, 0, NULL);
    const perlane_grid last = piece_of(&grid, units, pieces, pieces - 1, NULL);
    for (int a = 0; a < grid.dims; a++) {
      assert_true(first.first[a] == grid.first[a]);
      assert_true(end_of(&last, a) == end_of(&grid, a));
    }
    for (int tries = 0; tries < 8 && pieces > 1; tries++) {
      const uint64_t index = random_below(&random, pieces - 1);
      int64_t offset, next_offset;
      const perlane_grid piece = piece_of(&grid, units, pieces, index, &offset);
      const perlane_grid next = piece_of(&grid, units, pieces, index + 1, &next_offset);
      for (int b = 0; b < grid.dims; b++)
        assert_true(piece.count[b] - 1 < grid.count[b]);
      int a = 0;
      for (; end_of(&piece, a) == end_of(&grid, a); a++) {
        assert_true(next.first[a] == grid.first[a]);
        offset -= (piece.first[a] - grid.first[a]) * piece.stride[a];
      }
      assert_true(a < grid.dims);
      assert_true((uint64_t)next.first[a] == end_of(&piece, a));
      assert_true(next_offset == offset + (int64_t)piece.count[a] * piece.stride[a]);
      while (++a < grid.dims)
        assert_true(next.first[a] == piece.first[a] && next.count[a] == piece.count[a]);
    }
  }
}

/* Stored maps are cut like this, so compressed files depend on it. */
static void pieces_with_units_never_change(void **state) {
  (void)state;
  enum { AXES = 2, MAX_PARTS = 9 };
  static const struct {
    uint64_t count[AXES], unit[AXES], wanted, parts[AXES];
    int64_t begin[AXES][MAX_PARTS];
  } CASES[] = {
      {{1000, 1000}, {1000, 16}, 8, {1, 8}, {{0}, {0, 112, 240, 368, 496, 624, 752, 880}}},
      {{1000, 1000}, {64, 300}, 5, {2, 4}, {{0, 512}, {0, 300, 600, 900}}},
      {{1000, 3}, {1, 1}, 8, {3, 3}, {{0, 333, 666}, {0, 1, 2}}},
      {{7, 11}, {1, 1}, 9, {1, 9}, {{0}, {0, 1, 2, 3, 4, 6, 7, 8, 9}}},
      {{100, 70}, {32, 16}, UINT64_MAX, {4, 5}, {{0, 32, 64, 96}, {0, 16, 32, 48, 64}}},
      {{5, 6}, {100, 100}, 100, {1, 1}, {{0}, {0}}},
  };
  for (size_t c = 0; c < COUNT_OF(CASES); c++) {
    const perlane_grid grid = perlane_grid_make(CASES[c].count[0], CASES[c].count[1], 0, 0);
    const uint64_t *parts = CASES[c].parts;
    const uint64_t pieces = pieces_of(&grid, CASES[c].unit, CASES[c].wanted);
    set_context("case %zu", c);
    assert_int_equal(pieces, parts[0] * parts[1]);
    for (uint64_t p = 0; p < pieces; p++) {
      const perlane_grid piece = piece_of(&grid, CASES[c].unit, pieces, p, NULL);
      assert_int_equal(piece.first[0], CASES[c].begin[0][p % parts[0]]);
      assert_int_equal(piece.first[1], CASES[c].begin[1][p / parts[0]]);
    }
  }
}

static void pieces_suit_threads(void **state) {
  (void)state;
  const perlane_grid small = perlane_grid_make(100, 100, 0, 0);
  const perlane_grid large = perlane_grid_make(4096, 4096, 0, 0);
  const perlane_grid long_volume = perlane_grid_make(64, 64, 4096, 0);
  assert_int_equal(pieces_of(&small, NULL, 8), 1);
  assert_int_equal(pieces_of(&large, NULL, 1), 1);
  assert_int_equal(pieces_of(&large, NULL, 2), 8);
  assert_int_equal(pieces_of(&large, NULL, 64), 64);
  assert_int_equal(pieces_of(&large, NULL, UINT64_MAX), 1024); /* of 16384 samples each */
  const uint64_t pieces = pieces_of(&long_volume, NULL, 100);
  assert_int_equal(pieces, 100);
  for (uint64_t p = 0; p < pieces; p++)
    assert_true(piece_of(&long_volume, NULL, pieces, p, NULL).count[2] >= 8);
}

/* Returns the status of both functions, which write nothing if they fail. */
static perlane_status status_of(const perlane_grid *grid, const uint64_t *unit) {
  uint64_t pieces = 77;
  int64_t offset = 77;
  perlane_grid piece, before;
  fill_pattern(&piece, sizeof piece);
  before = piece;
  const perlane_status status = perlane_grid_cut(grid, unit, 3, &pieces);
  assert_int_equal(perlane_grid_piece(grid, unit, 1, 0, &piece, &offset), status);
  if (status != PERLANE_OK) {
    assert_int_equal(pieces, 77);
    assert_int_equal(offset, 77);
    assert_memory_equal(&piece, &before, sizeof piece);
  }
  return status;
}

static void errors(void **state) {
  (void)state;
  const uint64_t unit[] = {4, 4, 0, 0}, none[] = {4, 0, 0, 0};
  const perlane_grid good = perlane_grid_make(400, 10, 0, 0);
  perlane_grid grid = good;
  assert_ok(status_of(&good, unit));
  assert_refused(NULL, status_of(NULL, unit));
  assert_refused(COUNT, status_of(&good, none));
  for (grid.dims = 0; grid.dims <= 5; grid.dims += 5)
    assert_refused(DIMS, status_of(&grid, NULL));
  for (int a = 0; a < 2; a++) {
    grid = good;
    grid.count[a] = 0;
    assert_refused(COUNT, status_of(&grid, unit));
    grid.count[a] = INT64_MAX / good.count[1 - a];
    assert_ok(status_of(&grid, unit));
    grid.count[a]++;
    assert_refused(COUNT, status_of(&grid, unit));
    grid.count[a] = UINT64_MAX;
    assert_refused(COUNT, status_of(&grid, unit));
    grid = good;
    grid.first[a] = INT64_MAX - (int64_t)good.count[a] + 1;
    assert_ok(status_of(&grid, unit));
    grid.first[a]++;
    assert_refused(RANGE, status_of(&grid, unit));
    grid = good;
    for (int sign = -1; sign <= 1; sign += 2) {
      grid.stride[a] = sign * ((INT64_MAX - 4000) / (int64_t)(good.count[a] - 1));
      assert_ok(status_of(&grid, unit));
      grid.stride[a] += sign * 4000;
      assert_refused(STRIDE, status_of(&grid, unit));
    }
    grid.stride[a] = INT64_MIN;
    assert_refused(STRIDE, status_of(&grid, unit));
    grid.count[a] = 1; /* whose stride is never used */
    assert_ok(status_of(&grid, unit));
  }
  grid = good;
  grid.stride[0] = grid.stride[1] = INT64_MAX / 400; /* either reaches its own end, but not both */
  assert_refused(STRIDE, status_of(&grid, unit));
  grid = good;
  grid.exact_strides = 2;
  assert_refused(STRIDE, status_of(&grid, unit));

  uint64_t pieces = 77;
  assert_refused(NULL, perlane_grid_cut(&good, unit, 3, NULL));
  assert_refused(COUNT, perlane_grid_cut(&good, unit, 0, &pieces));
  assert_refused(COUNT, perlane_grid_cut(&good, NULL, 0, &pieces));
  assert_int_equal(pieces, 77);
  assert_refused(NULL, perlane_grid_piece(&good, unit, 3, 0, NULL, NULL));
  /* 3 units along y: 4 pieces would not cover the grid, 6 do. */
  assert_refused(COUNT, perlane_grid_piece(&good, unit, 0, 0, &grid, NULL));
  assert_refused(COUNT, perlane_grid_piece(&good, unit, 4, 0, &grid, NULL));
  assert_refused(COUNT, perlane_grid_piece(&good, unit, 301, 0, &grid, NULL));
  assert_refused(COUNT, perlane_grid_piece(&good, unit, 6, 6, &grid, NULL));
  const perlane_grid piece = piece_of(&good, unit, 6, 5, NULL);
  grid = good;
  assert_ok(perlane_grid_piece(&grid, unit, 6, 5, &grid, NULL));
  assert_memory_equal(&grid, &piece, sizeof grid);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_tile_a_grid),
      cmocka_unit_test(huge_grids),
      cmocka_unit_test(pieces_with_units_never_change),
      cmocka_unit_test(pieces_suit_threads),
      cmocka_unit_test(errors),
  };
  return cmocka_run_group_tests_name("pieces", tests, NULL, NULL);
}
