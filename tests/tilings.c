/* SPDX-License-Identifier: MIT
 *
 * Tilings: a map cut at random, its tiles filled in any order, by any kernels, through any function
 * that yields its samples, equals the map filled at once. PERLANE_TEST_PERCENT=4000 tries 16,000
 * maps.
 */
#include "calls.h"

/* A map: values, with derivatives in those of form GRADIENT, or integers. */
enum { MAX_SAMPLES = 64 * 50 };
struct map {
  float value[MAX_SAMPLES], slope[PERLANE_MAX_DIMS][MAX_SAMPLES]; /* or integers in value */
};

struct box {
  uint64_t begin[4], count[4];
};

enum { MAX_BOXES = 1200 };
struct tiling {
  size_t count;
  struct box box[MAX_BOXES];
};

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

/* Cuts the map into boxes of one size, those at the ends smaller. Returns 0 if they are too many.
 */
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

/* Into single samples, whole rows, whole columns, boxes of any one size, or anyhow. */
static void cut(struct random *random, const uint64_t count[4], struct tiling *tiling) {
  size_t size[4] = {1, 1, 1, 1};
  const uint64_t way = random_below(random, 8);
  for (int a = 0; a < 4; a++)
    if (way == 3)
      size[a] = 1 + random_below(random, count[a]);
    else if ((uint64_t)a + 1 == way && a < 2)
      size[a] = count[a];
  if (way <= 3 && cut_evenly(count, size, tiling))
    return;
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
  struct call call;
  int are_floats; /* all positions are */
};

/* Points a call's outputs into a map, from a sample on. */
static void direct(struct call *call, struct map *map, ptrdiff_t first) {
  call->value = (unsigned char *)map->value + first * (ptrdiff_t)sample_bytes(call->form);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    call->gradient[a] = map->slope[a] + first;
}

/* Replaces a call's grid by the list of its positions. */
static void make_list(struct call *call, int of_floats) {
  static float coordinate[PERLANE_MAX_DIMS][MAX_SAMPLES];
  static double position[PERLANE_MAX_DIMS][MAX_SAMPLES];
  const size_t n = samples_of(&call->grid);
  for (size_t s = 0; s < n; s++) {
    double at[PERLANE_MAX_DIMS];
    position_of(call, s, at);
    for (int a = 0; a < call->grid.dims; a++) {
      position[a][s] = at[a];
      coordinate[a][s] = of_floats ? (float)at[a] : 0;
      assert_true(!of_floats || (double)coordinate[a][s] == at[a]);
    }
  }
  for (int a = 0; a < call->grid.dims; a++)
    if (of_floats)
      call->coords[a] = coordinate[a];
    else
      call->coords64[a] = position[a];
  call->grid = grid_of(call->grid.dims, (size_t[]){n, 1, 1, 1});
}

static void one_at_a_time(const perlane_noise *noise, struct call *call) {
  const size_t n = samples_of(&call->grid);
  for (size_t s = 0; s < n; s++) {
    double position[PERLANE_MAX_DIMS];
    float slope[PERLANE_MAX_DIMS];
    position_of(call, s, position);
    const float v = is_sloped(call->form)
                        ? perlane_at_gradient(noise, call->grid.dims, position, slope)
                        : perlane_at(noise, call->grid.dims, position);
    if (call->form != GRADIENT_ONLY)
      ((float *)call->value)[s] = v;
    for (int a = 0; a < call->grid.dims && is_sloped(call->form); a++)
      call->gradient[a][s] = slope[a];
  }
}

/* Copies packed samples to their places in the map. */
static void scatter(const struct call *packed, const perlane_grid *tile, struct call *to) {
  const size_t n = samples_of(tile), size = sample_bytes(packed->form);
  for (size_t s = 0; s < n; s++) {
    const ptrdiff_t at = offset_of(tile, s);
    if (packed->form != GRADIENT_ONLY)
      memcpy((unsigned char *)to->value + at * (ptrdiff_t)size,
             (unsigned char *)packed->value + s * size, size);
    for (int a = 0; a < tile->dims && is_sloped(packed->form); a++)
      to->gradient[a][at] = packed->gradient[a][s];
  }
}

/* Fills a box in one form, straight into the map or by way of packed samples: as a grid, a list, or
 * if there are few, one at a time. */
static void fill_in_form(struct random *random, const struct whole *whole, const struct box *box,
                         enum form form, struct map *map) {
  static struct map packed;
  struct call to = whole->call;
  ptrdiff_t first = 0;
  for (int a = 0; a < to.grid.dims; a++) {
    to.grid.first[a] += (int64_t)box->begin[a];
    to.grid.count[a] = box->count[a];
    first += (ptrdiff_t)box->begin[a] * (ptrdiff_t)to.grid.stride[a];
  }
  to.form = form;
  direct(&to, map, first);
  force_any(random);
  if (random_below(random, 2)) {
    assert_int_equal(evaluate(NULL, &whole->noise, &to), PERLANE_OK);
    return;
  }
  struct call apart = to;
  direct(&apart, &packed, 0);
  pack(&apart.grid);
  const int is_integer = form == WORDS || form == BYTES, is_small = samples_of(&to.grid) <= 100;
  if (!is_integer && is_small && random_below(random, 3) == 0) {
    one_at_a_time(&whole->noise, &apart);
  } else {
    if (!is_integer && form != EXTREMES && random_below(random, 2))
      make_list(&apart, whole->are_floats && random_below(random, 4) != 0);
    assert_int_equal(evaluate(NULL, &whole->noise, &apart), PERLANE_OK);
  }
  scatter(&apart, &to.grid, &to);
}

/* Values and derivatives in one call, or each by itself. */
static void fill_box(struct random *random, const struct whole *whole, const struct box *box,
                     struct map *map) {
  const enum form form = whole->call.form;
  if (form == VALUES) {
    fill_in_form(random, whole, box, random_below(random, 3) ? VALUES : EXTREMES, map);
  } else if (form == GRADIENT && random_below(random, 2)) {
    fill_in_form(random, whole, box, VALUES, map);
    fill_in_form(random, whole, box, GRADIENT_ONLY, map);
  } else {
    fill_in_form(random, whole, box, form, map);
  }
}

/* ---- Maps ---- */

static struct whole random_whole(struct random *random) {
  static const size_t max[4][4] = {{900, 1, 1, 1}, {64, 50, 1, 1}, {24, 14, 9, 1}, {12, 9, 6, 4}};
  static const enum form forms[] = {VALUES, VALUES, GRADIENT, WORDS, BYTES};
  const int dims = 1 + (int)random_below(random, 4);
  struct whole whole = {.call = {.grid = grid_of(dims, max[dims - 1]), .low = -0.7f, .high = 0.9f}};
  perlane_params params = random_params(random, dims);
  params.octaves = 1 + params.octaves % 4;
  whole.are_floats = random_below(random, 4) != 0;
  if (!whole.are_floats) {
    set_frequency(&params, random_between(random, 0.01, 0.9));
    params.warp_octaves = 1;
    params.lacunarity = 2;
  }
  make_valid(&params, dims);
  whole.noise = noise_of(&params);
  do
    whole.call.form = forms[random_below(random, COUNT_OF(forms))];
  while (whole.call.form == GRADIENT && !has_gradient(&params));
  perlane_grid *grid = &whole.call.grid;
  for (int a = 0; a < dims; a++) {
    static const double far_origin[] = {0, 0.3, -1e6, 0x1p40, -0x1p49, 0x1p50};
    static const int64_t far_first[] = {0, -17, INT64_C(1) << 40, -(INT64_C(1) << 40)};
    grid->count[a] = 1 + random_below(random, max[dims - 1][a]);
    if (whole.are_floats) { /* all within 24 bits */
      grid->first[a] = (int64_t)random_below(random, 2000) - 1000;
      grid->origin[a] = (double)((int64_t)random_below(random, 1 << 20) - (1 << 19)) * 0x1p-10;
      grid->step[a] = 0x1p-6 * (double)(1 + random_below(random, 200));
    } else {
      grid->first[a] = far_first[random_below(random, 4)];
      grid->origin[a] = far_origin[random_below(random, COUNT_OF(far_origin))];
      grid->step[a] = random_between(random, 0.01, 3.3);
    }
    if (random_below(random, 2))
      grid->step[a] = -grid->step[a];
  }
  /* Mostly x fastest, else any order of axes. */
  int order[4] = {0, 1, 2, 3};
  if (random_below(random, 3) == 0)
    shuffle_axes(random, order, dims);
  int64_t stride = 1;
  for (int i = 0; i < 4; i++) {
    grid->stride[order[i]] = stride;
    stride *= (int64_t)grid->count[order[i]];
  }
  return whole;
}

static void tilings(void **state) {
  (void)state;
  struct random random = random_start("tilings");
  static struct map expected, actual;
  static struct tiling tiling;
  const size_t cases = effort(400);
  size_t boxes = 0, max = 0;
  for (size_t c = 0; c < cases; c++) {
    struct whole whole = random_whole(&random);
    fill_pattern(&expected, sizeof expected);
    actual = expected;
    direct(&whole.call, &expected, 0);
    force_any(&random);
    assert_int_equal(evaluate(NULL, &whole.noise, &whole.call), PERLANE_OK);
    cut(&random, whole.call.grid.count, &tiling);
    boxes += tiling.count;
    max = tiling.count > max ? tiling.count : max;
    shuffle(&random, &tiling);
    for (size_t b = 0; b < tiling.count; b++)
      fill_box(&random, &whole, &tiling.box[b], &actual);
    if (memcmp(&expected, &actual, sizeof expected) == 0)
      continue;
    print_message("%zu tiles differ from the whole\n", tiling.count);
    describe("tilings", &whole.noise.params, &whole.call);
    fail();
  }
  assert_true(boxes > cases);
  force(PERLANE_ISA_AUTO);
  print_message("maps cut at random: %zu, into %zu tiles, one into %zu\n", cases, boxes, max);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tilings)};
  return cmocka_run_group_tests_name("tilings", tests, NULL, NULL);
}
