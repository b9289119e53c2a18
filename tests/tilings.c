/* SPDX-License-Identifier: MIT
 *
 * Tilings: a map cut at random, its tiles filled in any order, by any kernels, through any function
 * that yields its samples, equals the map filled at once. PERLANE_TEST_PERCENT=4000 tries 10,000
 * maps.
 */
#include "support.h"

/* A map. */
enum { MAX_SAMPLES = 64 * 50 };
enum kind { VALUES, SLOPES, WORDS, BYTES, KINDS };
struct map {
  float value[MAX_SAMPLES], slope[4][MAX_SAMPLES];
  uint16_t word[MAX_SAMPLES];
  uint8_t byte[MAX_SAMPLES];
};

static const float LOW = -0.7f, HIGH = 0.9f;

struct box {
  uint64_t begin[4], count[4];
};

enum { MAX_BOXES = 1200 };
struct tiling {
  size_t count;
  struct box box[MAX_BOXES];
};

static size_t samples_of(const uint64_t count[4]) {
  return (size_t)(count[0] * count[1] * count[2] * count[3]);
}

/* ---- Cutting ---- */

/* Cuts boxes in two, anywhere, until there are `wanted`. */
static void cut_anywhere(struct random *random, struct tiling *tiling, size_t wanted) {
  for (int tries = 0; tiling->count < wanted && tries < 20000; tries++) {
    struct box *box = &tiling->box[random_below(random, tiling->count)];
    const size_t axis = random_below(random, 4);
    if (box->count[axis] == 1)
      continue;
    struct box *rest = &tiling->box[tiling->count++];
    *rest = *box;
    box->count[axis] = 1 + random_below(random, box->count[axis] - 1);
    rest->begin[axis] += box->count[axis];
    rest->count[axis] -= box->count[axis];
  }
}

/* Cuts the map into boxes of one size, those at the ends smaller. */
static int cut_evenly(const uint64_t count[4], const size_t size[4], struct tiling *tiling) {
  uint64_t begin[4] = {0, 0, 0, 0};
  tiling->count = 0;
  for (;;) {
    if (tiling->count == MAX_BOXES)
      return 0;
    struct box *box = &tiling->box[tiling->count++];
    for (int a = 0; a < 4; a++) {
      const size_t left = count[a] - begin[a];
      box->begin[a] = begin[a];
      box->count[a] = size[a] < left ? size[a] : left;
    }
    int a = 0;
    while (a < 4 && (begin[a] += size[a]) >= count[a])
      begin[a++] = 0;
    if (a == 4)
      return 1;
  }
}

static void cut(struct random *random, const uint64_t count[4], struct tiling *tiling) {
  size_t size[4] = {1, 1, 1, 1}; /* single samples */
  switch (random_below(random, 8)) {
  case 0:
    if (cut_evenly(count, size, tiling))
      return;
    break;
  case 1: /* whole rows */
    size[0] = count[0];
    if (cut_evenly(count, size, tiling))
      return;
    break;
  case 2: /* whole columns */
    size[1] = count[1];
    if (cut_evenly(count, size, tiling))
      return;
    break;
  case 3:
    for (int a = 0; a < 4; a++)
      size[a] = 1 + random_below(random, count[a]);
    if (cut_evenly(count, size, tiling))
      return;
    break;
  default:
    break;
  }
  tiling->count = 1;
  memset(tiling->box, 0, sizeof tiling->box[0]);
  memcpy(tiling->box[0].count, count, sizeof tiling->box[0].count);
  cut_anywhere(random, tiling, 1 + random_below(random, random_below(random, 4) ? 40 : 300));
}

static void shuffle(struct random *random, struct tiling *tiling) {
  for (size_t i = tiling->count - 1; i > 0; i--) {
    const size_t j = random_below(random, i + 1);
    const struct box box = tiling->box[i];
    tiling->box[i] = tiling->box[j];
    tiling->box[j] = box;
  }
}

/* ---- Filling ---- */

/* A map that is one grid, and where in memory its samples go. */
struct whole {
  perlane_noise noise;
  perlane_grid grid;
  ptrdiff_t stride[4];
  int points; /* all positions are floats */
};

static struct random *chance;

static void position_of(const perlane_grid *grid, size_t sample, double position[4]) {
  for (int a = 0; a < grid->dims; a++) {
    const int64_t i = grid->first[a] + (int64_t)(sample % grid->count[a]);
    position[a] = grid->origin[a] + (double)i * grid->step[a];
    sample /= grid->count[a];
  }
}

/* Samples in a row, x fastest, as the entries without strides yield them. */
static struct map packed;

static void list_points(const struct whole *whole, const perlane_grid *tile, size_t n,
                        int with_slopes) {
  static float coordinate[4][MAX_SAMPLES];
  static const float *const coords[4] = {coordinate[0], coordinate[1], coordinate[2],
                                         coordinate[3]};
  static float *const slopes[4] = {packed.slope[0], packed.slope[1], packed.slope[2],
                                   packed.slope[3]};
  for (size_t s = 0; s < n; s++) {
    double position[4];
    position_of(tile, s, position);
    for (int a = 0; a < tile->dims; a++) {
      coordinate[a][s] = (float)position[a];
      assert_true((double)coordinate[a][s] == position[a]);
    }
  }
  assert_int_equal(with_slopes
                       ? perlane_points_gradient(&whole->noise, tile->dims, n, NULL, coords,
                                                 packed.value, slopes)
                       : perlane_points(&whole->noise, tile->dims, n, NULL, coords, packed.value),
                   PERLANE_OK);
}

static void one_at_a_time(const struct whole *whole, const perlane_grid *tile, size_t n,
                          int with_slopes) {
  for (size_t s = 0; s < n; s++) {
    double position[4];
    float slope[4];
    position_of(tile, s, position);
    packed.value[s] = with_slopes ? perlane_at_gradient(&whole->noise, tile->dims, position, slope)
                                  : perlane_at(&whole->noise, tile->dims, position);
    for (int a = 0; a < tile->dims && with_slopes; a++)
      packed.slope[a][s] = slope[a];
  }
}

/* Copies packed samples to their positions in the map. */
static void scatter(const struct whole *whole, const struct box *box, enum kind kind,
                    struct map *map) {
  const size_t n = samples_of(box->count);
  for (size_t s = 0; s < n; s++) {
    size_t rest = s;
    ptrdiff_t at = 0;
    for (int a = 0; a < 4; a++) {
      at += (ptrdiff_t)(box->begin[a] + rest % box->count[a]) * whole->stride[a];
      rest /= box->count[a];
    }
    if (kind == VALUES)
      map->value[at] = packed.value[s];
    else if (kind == WORDS)
      map->word[at] = packed.word[s];
    else if (kind == BYTES)
      map->byte[at] = packed.byte[s];
    else
      for (int a = 0; a < whole->grid.dims; a++)
        map->slope[a][at] = packed.slope[a][s];
  }
}

/* The number of a function that yields values, one sample at a time only for small boxes. */
static int random_way(const struct whole *whole, size_t n) {
  const int way = (int)random_below(chance, n > 100 ? 5 : 7);
  const int is_by_gradient = way == 2 || ((way == 3 || way == 4) && !whole->points);
  return is_by_gradient && !has_gradient(&whole->noise.params) ? 0 : way;
}

/* One kind of samples of a box, through any function that yields them, straight into the map or by
 * way of packed samples. */
static void fill_box(const struct whole *whole, const struct box *box, enum kind kind,
                     struct map *map) {
  perlane_grid tile = whole->grid;
  const int in_place = random_below(chance, 2) == 0;
  ptrdiff_t first = 0;
  for (int a = 0; a < tile.dims; a++) {
    tile.first[a] += (int64_t)box->begin[a];
    tile.count[a] = box->count[a];
    tile.stride[a] = in_place ? whole->stride[a] : 0;
    first += in_place ? (ptrdiff_t)box->begin[a] * whole->stride[a] : 0;
  }
  const size_t n = samples_of(box->count);
  struct map *to = in_place ? map : &packed;
  float *const slope[4] = {to->slope[0] + first, to->slope[1] + first, to->slope[2] + first,
                           to->slope[3] + first};
  float *value = to->value + first, smallest, largest;
  if (kind == WORDS || kind == BYTES) {
    assert_int_equal(kind == WORDS
                         ? perlane_fill_u16(&whole->noise, &tile, LOW, HIGH, to->word + first)
                         : perlane_fill_u8(&whole->noise, &tile, LOW, HIGH, to->byte + first),
                     PERLANE_OK);
    if (!in_place)
      scatter(whole, box, kind, map);
    return;
  }
  switch (random_way(whole, n)) {
  case 0:
    if (kind == VALUES) {
      assert_int_equal(perlane_fill(&whole->noise, &tile, value), PERLANE_OK);
      break;
    }
    assert_int_equal(perlane_fill_gradient(&whole->noise, &tile, NULL, slope), PERLANE_OK);
    break;
  case 1:
    if (kind == VALUES) {
      assert_int_equal(perlane_fill_extremes(&whole->noise, &tile, value, &smallest, &largest),
                       PERLANE_OK);
      break;
    }
    assert_int_equal(perlane_fill_gradient(&whole->noise, &tile, NULL, slope), PERLANE_OK);
    break;
  case 2: /* the other kind is right as well, or to come */
    assert_int_equal(perlane_fill_gradient(&whole->noise, &tile, value, slope), PERLANE_OK);
    break;
  case 3:
  case 4:
    if (whole->points) {
      list_points(whole, &tile, n, kind == SLOPES);
      scatter(whole, box, kind, map);
      return;
    }
    assert_int_equal(perlane_fill_gradient(&whole->noise, &tile, value, slope), PERLANE_OK);
    break;
  default:
    one_at_a_time(whole, &tile, n, kind == SLOPES);
    scatter(whole, box, kind, map);
    return;
  }
  if (!in_place)
    scatter(whole, box, kind, map);
}

/* ---- Maps ---- */

static struct whole random_whole(struct random *random) {
  static const size_t max[4][4] = {{900, 1, 1, 1}, {64, 50, 1, 1}, {24, 14, 9, 1}, {12, 9, 6, 4}};
  const int dims = 1 + (int)random_below(random, 4);
  struct whole whole = {.grid = perlane_grid_make(1, 1, 1, 1)};
  perlane_params params = random_params(random, dims);
  params.octaves = 1 + params.octaves % 4;
  whole.points = random_below(random, 4) != 0;
  if (!whole.points) {
    set_frequency(&params, random_between(random, 0.01, 0.9));
    params.warp_octaves = 1;
    params.lacunarity = 2;
  }
  make_valid(&params, dims);
  whole.noise = noise_of(&params);
  perlane_grid *grid = &whole.grid;
  grid->dims = dims;
  for (int a = 0; a < dims; a++) {
    static const double far_origin[] = {0, 0.3, -1e6, 0x1p40, -0x1p49};
    static const int64_t far_first[] = {0, -17, INT64_C(1) << 40, -(INT64_C(1) << 40)};
    grid->count[a] = 1 + random_below(random, max[dims - 1][a]);
    if (whole.points) { /* all within 24 bits */
      grid->first[a] = (int64_t)random_below(random, 2000) - 1000;
      grid->origin[a] = (double)((int64_t)random_below(random, 1 << 20) - (1 << 19)) * 0x1p-10;
      grid->step[a] = 0x1p-6 * (double)(1 + random_below(random, 200));
    } else {
      grid->first[a] = far_first[random_below(random, 4)];
      grid->origin[a] = far_origin[random_below(random, 5)];
      grid->step[a] = random_between(random, 0.01, 3.3);
    }
    if (random_below(random, 2))
      grid->step[a] = -grid->step[a];
  }
  /* Mostly x fastest, else any order of axes. */
  int order[4] = {0, 1, 2, 3};
  for (int i = dims - 1; i > 0 && random_below(random, 3) == 0; i--) {
    const int j = (int)random_below(random, (uint64_t)i + 1), axis = order[i];
    order[i] = order[j];
    order[j] = axis;
  }
  ptrdiff_t stride = 1;
  for (int i = 0; i < 4; i++) {
    whole.stride[order[i]] = grid->stride[order[i]] = stride;
    stride *= (ptrdiff_t)grid->count[order[i]];
  }
  return whole;
}

static void tilings(void **state) {
  (void)state;
  struct random random = random_start("tilings");
  chance = &random;
  static struct map expected, actual, pattern;
  static struct tiling tiling;
  const size_t cases = effort(250);
  size_t boxes = 0, max = 0;
  fill_pattern(&pattern, sizeof pattern);
  for (size_t c = 0; c < cases; c++) {
    const struct whole whole = random_whole(&random);
    expected = actual = pattern;
    /* Values always, and any of the other kinds. */
    int wanted[KINDS] = {1, 0, 0, 0};
    for (int kind = SLOPES; kind < KINDS; kind++)
      wanted[kind] = random_below(&random, 3) == 0;
    wanted[SLOPES] &= has_gradient(&whole.noise.params);
    float *const slope[4] = {expected.slope[0], expected.slope[1], expected.slope[2],
                             expected.slope[3]};
    force_any(&random);
    assert_int_equal(perlane_fill(&whole.noise, &whole.grid, expected.value), PERLANE_OK);
    force_any(&random);
    assert_int_equal(perlane_fill_gradient(&whole.noise, &whole.grid, NULL, slope),
                     has_gradient(&whole.noise.params) ? PERLANE_OK : PERLANE_ERROR_NO_GRADIENT);
    assert_int_equal(perlane_fill_u16(&whole.noise, &whole.grid, LOW, HIGH, expected.word),
                     PERLANE_OK);
    assert_int_equal(perlane_fill_u8(&whole.noise, &whole.grid, LOW, HIGH, expected.byte),
                     PERLANE_OK);
    cut(&random, whole.grid.count, &tiling);
    boxes += tiling.count;
    max = tiling.count > max ? tiling.count : max;
    for (int kind = VALUES; kind < KINDS; kind++) {
      if (!wanted[kind])
        continue;
      shuffle(&random, &tiling);
      for (size_t b = 0; b < tiling.count; b++) {
        force_any(&random);
        fill_box(&whole, &tiling.box[b], (enum kind)kind, &actual);
      }
    }
    const int same =
        memcmp(expected.value, actual.value, sizeof expected.value) == 0 &&
        (!wanted[SLOPES] || memcmp(expected.slope, actual.slope, sizeof expected.slope) == 0) &&
        (!wanted[WORDS] || memcmp(expected.word, actual.word, sizeof expected.word) == 0) &&
        (!wanted[BYTES] || memcmp(expected.byte, actual.byte, sizeof expected.byte) == 0);
    if (!same) {
      print_message("%zu tiles differ from the whole, %d dims:\n", tiling.count, whole.grid.dims);
      print_params(&whole.noise.params);
      for (int a = 0; a < whole.grid.dims; a++)
        print_message("  axis %d: first %lld, count %zu, origin %a, step %a, stride %td\n", a,
                      (long long)whole.grid.first[a], whole.grid.count[a], whole.grid.origin[a],
                      whole.grid.step[a], whole.stride[a]);
    }
    assert_true(same);
  }
  assert_true(boxes > cases);
  force(PERLANE_ISA_AUTO);
  print_message("maps cut at random: %zu, into %zu tiles, one into %zu\n", cases, boxes, max);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tilings)};
  return cmocka_run_group_tests_name("tilings", tests, NULL, NULL);
}
