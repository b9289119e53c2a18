/* SPDX-License-Identifier: MIT
 *
 * Memory bounds of arguments, which end at a page that faults or begin after one: parameters,
 * tables, grids, lists of pointers, names, work memory. parity.c has the outputs and points.
 */
#include "calls.h"
#include "perlane_expression.h"

/* Returns the address of an object of `bytes` that ends at the page after the memory, or begins at
 * the one before. */
enum side { AT_THE_END, AT_THE_START };
static void *place(const struct fence *fence, enum side side, size_t bytes) {
  assert_true(bytes <= fence->bytes);
  return side == AT_THE_END ? fence->start + fence->bytes - bytes : fence->start;
}

/* Returns a copy of an object, placed so. */
static void *placed_copy(const struct fence *fence, enum side side, const void *from,
                         size_t bytes) {
  return memcpy(place(fence, side, bytes), from, bytes);
}

/* The tables that params point to, each at a page. */
static void place_tables(perlane_params *params, const struct fence memory[3], enum side side) {
  if (params->hash_table)
    params->hash_table =
        placed_copy(&memory[0], side, params->hash_table,
                    (params->hash == PERLANE_HASH_PRIMES ? 1024 : 256) * sizeof(int32_t));
  if (params->gradient_table)
    params->gradient_table =
        placed_copy(&memory[1], side, params->gradient_table,
                    (size_t)(params->gradient_count * params->gradient_dims) * sizeof(float));
  if (params->gradient_grid)
    params->gradient_grid =
        placed_copy(&memory[2], side, params->gradient_grid,
                    2 * (size_t)(params->gradient_grid_count[0] * params->gradient_grid_count[1]) *
                        sizeof(float));
}

/* Every pointer that a public function takes leads to as much as the header says and no more. */
static void arguments(void **state) {
  (void)state;
  struct random random = random_start("arguments");
  enum { N = 37 };
  struct fence table[3], memory[8];
  for (int i = 0; i < 3; i++)
    table[i] = fence(1 << 14);
  for (int i = 0; i < 8; i++)
    memory[i] = fence(1 << 15);
  const size_t cases = effort(2500);
  for (size_t c = 0; c < cases; c++) {
    const int is_grid = c % 10 == 0, dims = is_grid ? 2 : 1 + (int)random_below(&random, 4);
    const enum side side = (enum side)random_below(&random, 2);
    perlane_params params = random_params(&random, dims);
    if (is_grid) { /* the one table that is not copied */
      params = perlane_params_default();
      params.seed = random_word(&random);
      params.frequency = random_between(&random, 0.1, 0.9);
      params.hash = PERLANE_HASH_GRID;
      give_tables(&params, dims);
    }
    const perlane_noise plain = noise_of(&params);
    place_tables(&params, table, side);
    set_context("arguments at the %s, %d dims, hash %d, gradients %d",
                side == AT_THE_END ? "end" : "start", dims, (int)params.hash,
                (int)params.gradients);
    perlane_noise *noise = place(&memory[0], side, sizeof *noise);
    const perlane_params *placed = placed_copy(&memory[1], side, &params, sizeof params);
    assert_int_equal(perlane_init(noise, placed), PERLANE_OK);
    perlane_grid grid = perlane_grid_make(N, 1, 1, 1);
    grid.dims = dims;
    double place_of[PERLANE_MAX_DIMS];
    float coordinate[PERLANE_MAX_DIMS][N], filled[N], slope[PERLANE_MAX_DIMS][N];
    const float *coords[PERLANE_MAX_DIMS];
    float *slopes[PERLANE_MAX_DIMS], *const plain_slopes[4] = {slope[0], slope[1], slope[2],
                                                               slope[3]};
    for (int a = 0; a < dims; a++) {
      grid.origin[a] = place_of[a] = (double)((int)random_below(&random, 2000) - 1000) * 0.125;
      grid.step[a] = 0.25;
      for (int i = 0; i < N; i++)
        coordinate[a][i] = (float)(place_of[a] + (a == 0 ? i * 0.25 : 0));
      coords[a] = coordinate[a];
      slopes[a] = slope[a];
    }
    /* The same through arguments in ordinary memory. */
    float low[2], high[2], at[2], smallest[2], largest[2], listed[N], sloped[4][N];
    assert_int_equal(perlane_range(&plain, dims, &low[0], &high[0]), PERLANE_OK);
    assert_int_equal(perlane_fill_extremes(&plain, &grid, filled, &smallest[0], &largest[0]),
                     PERLANE_OK);
    at[0] = perlane_at(&plain, dims, place_of);

    force_any(&random);
    const perlane_grid *placed_grid = placed_copy(&memory[2], side, &grid, sizeof grid);
    const float *const *placed_coords =
        placed_copy(&memory[3], side, coords, (size_t)dims * sizeof coords[0]);
    float *const *placed_slopes =
        placed_copy(&memory[4], side, slopes, (size_t)dims * sizeof slopes[0]);
    const double *position =
        placed_copy(&memory[5], side, place_of, (size_t)dims * sizeof place_of[0]);
    float *one = place(&memory[6], side, sizeof(float));
    float *other = place(&memory[7], side, sizeof(float));
    assert_int_equal(perlane_range(noise, dims, one, other), PERLANE_OK);
    low[1] = *one;
    high[1] = *other;
    assert_int_equal(perlane_fill_extremes(noise, placed_grid, listed, one, other), PERLANE_OK);
    assert_memory_equal(listed, filled, sizeof filled);
    smallest[1] = *one;
    largest[1] = *other;
    at[1] = perlane_at(noise, dims, position);
    assert_int_equal(bits_of(low[0]), bits_of(low[1]));
    assert_int_equal(bits_of(high[0]), bits_of(high[1]));
    assert_int_equal(bits_of(smallest[0]), bits_of(smallest[1]));
    assert_int_equal(bits_of(largest[0]), bits_of(largest[1]));
    assert_int_equal(bits_of(at[0]), bits_of(at[1]));
    assert_int_equal(points_of(noise, dims, N, NULL, placed_coords, listed, NULL), PERLANE_OK);
    assert_memory_equal(listed, filled, sizeof filled);

    if (!has_gradient(&params))
      continue;
    assert_int_equal(perlane_fill_gradient(&plain, &grid, NULL, plain_slopes), PERLANE_OK);
    memcpy(sloped, slope, sizeof slope);
    fill_pattern(slope, sizeof slope);
    assert_int_equal(points_of(noise, dims, N, NULL, placed_coords, NULL, placed_slopes),
                     PERLANE_OK);
    assert_memory_equal(slope, sloped, (size_t)dims * sizeof slope[0]);
    fill_pattern(slope, sizeof slope);
    assert_int_equal(perlane_fill_gradient(noise, placed_grid, NULL, placed_slopes), PERLANE_OK);
    assert_memory_equal(slope, sloped, (size_t)dims * sizeof slope[0]);
    float *at_slope = place(&memory[6], side, (size_t)dims * sizeof(float));
    assert_int_equal(bits_of(perlane_at_gradient(noise, dims, position, at_slope)), bits_of(at[0]));
    for (int a = 0; a < dims; a++)
      assert_int_equal(bits_of(at_slope[a]), bits_of(slope[a][0]));
  }
  for (int i = 0; i < 3; i++)
    take_down(&table[i]);
  for (int i = 0; i < 8; i++)
    take_down(&memory[i]);
  force(PERLANE_ISA_AUTO);
  print_message("calls with arguments at protected pages: %zu\n", 7 * cases);
}

/* Names and statuses, whose strings end at a page. */
static void names(void **state) {
  (void)state;
  struct fence memory = fence(4096), params_memory = fence(4096);
  static const char *const name[] = {"avx2", "SSE4.1", ".", "", "scalar", "avx512.", "neo"};
  for (size_t i = 0; i < COUNT_OF(name); i++) {
    const char *copy = placed_copy(&memory, AT_THE_END, name[i], strlen(name[i]) + 1);
    set_context("the name \"%s\"", name[i]);
    assert_int_equal(perlane_isa_from_name(copy), perlane_isa_from_name(name[i]));
  }
  for (int i = 0; perlane_preset_name(i); i++) {
    const char *known = perlane_preset_name(i);
    const char *copy = placed_copy(&memory, AT_THE_END, known, strlen(known) + 1);
    perlane_params *params = place(&params_memory, AT_THE_END, sizeof *params);
    assert_int_equal(perlane_preset(params, copy), PERLANE_OK);
    assert_int_equal(perlane_preset(params, placed_copy(&memory, AT_THE_END, "", 1)),
                     PERLANE_ERROR_PRESET);
  }
  take_down(&memory);
  take_down(&params_memory);
}

/* Fills use at most PERLANE_WORK_BYTES of work memory, however much there is. */
static void work_memory(void **state) {
  (void)state;
  struct fence memory = fence(PERLANE_WORK_BYTES);
  static float out[5][512 * 32];
  static const char *const FIELDS[] = {"octaves=16", "octaves=8 fractal=eroded",
                                       "octaves=16 basis=value warp_amplitude=3", "falloff=1"};
  for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO; isa = next_isa(isa))
    for (size_t i = 0; i < COUNT_OF(FIELDS); i++) {
      force(isa);
      const perlane_params params = parsed(FIELDS[i]);
      const perlane_noise noise = noise_of(&params);
      perlane_grid grid = perlane_grid_make(512, 4, 8, 0);
      if (isa == PERLANE_ISA_SCALAR)
        grid.count[0] = 3;
      grid.work = place(&memory, AT_THE_END, PERLANE_WORK_BYTES);
      grid.work_bytes = 64 * PERLANE_WORK_BYTES;
      set_context("%s with %s", FIELDS[i], perlane_isa_name(isa));
      assert_int_equal(perlane_fill(&noise, &grid, out[0]), PERLANE_OK);
      float *const gradient[] = {out[1], out[2], out[3], out[4]};
      if (has_gradient(&params))
        assert_int_equal(perlane_fill_gradient(&noise, &grid, out[0], gradient), PERLANE_OK);
    }
  take_down(&memory);
}

/* Texts, names and lists of fields end at a page; so do outputs and work memory of an expression.
 */
static void expressions(void **state) {
  (void)state;
  enum { MOST = 300 * 40 };
  static const char TEXT[] = "at(x+3*a,y,b)-a*y+smooth(0,1,(a-b)*2)*(a-b)";
  static const char DEFINED[] = "a=octaves=2\nb=seed=2 # end\na-b#";
  struct random random = random_start("expressions");
  struct fence memory[8];
  for (int i = 0; i < 8; i++)
    memory[i] = fence(i < 4 ? PERLANE_WORK_BYTES : sizeof(perlane_noise));
  static perlane_noise field[2], plain, made[2];
  static float out[3][MOST];
  const perlane_noise *const fields[] = {&field[0], &field[1]};
  assert_int_equal(perlane_init_text(&field[0], "octaves=2"), PERLANE_OK);
  assert_int_equal(perlane_init_text(&field[1], "seed=2 basis=value"), PERLANE_OK);
  assert_int_equal(
      perlane_expression_init(&plain, TEXT, 2, (const char *const[]){"a", "b"}, fields),
      PERLANE_OK);
  for (size_t c = 0; c < effort(300); c++) {
    const enum side side = (enum side)random_below(&random, 2);
    const char *const name[] = {placed_copy(&memory[4], AT_THE_END, "a", 2),
                                placed_copy(&memory[5], AT_THE_END, "b", 2)};
    const char *const *names = placed_copy(&memory[6], side, name, sizeof name);
    const perlane_noise *const *list = placed_copy(&memory[3], side, fields, sizeof fields);
    perlane_noise *noise = place(&memory[7], side, sizeof *noise);
    const char *text = placed_copy(&memory[0], AT_THE_END, DEFINED, sizeof DEFINED);
    assert_int_equal(perlane_expression_init_text(noise, text, 2, made, NULL), PERLANE_OK);
    text = placed_copy(&memory[0], AT_THE_END, TEXT, sizeof TEXT);
    assert_int_equal(perlane_expression_init(noise, text, 2, names, list), PERLANE_OK);
    perlane_grid grid =
        perlane_grid_make(1 + random_below(&random, 300), 1 + random_below(&random, 40), 0, 0);
    const size_t bytes = (size_t)(grid.count[0] * grid.count[1]) * sizeof(float);
    float *const expected[] = {out[1], out[2]};
    assert_int_equal(perlane_fill_gradient(&plain, &grid, out[0], expected), PERLANE_OK);
    force_any(&random);
    grid.work_bytes = random_below(&random, PERLANE_WORK_BYTES + 1);
    grid.work = place(&memory[3], side, (size_t)grid.work_bytes);
    float *const value = place(&memory[0], side, bytes);
    float *const slopes[] = {place(&memory[1], side, bytes), place(&memory[2], side, bytes)};
    assert_int_equal(perlane_fill(noise, &grid, value), PERLANE_OK);
    assert_memory_equal(value, out[0], bytes);
    assert_int_equal(perlane_fill_gradient(noise, &grid, value, slopes), PERLANE_OK);
    assert_memory_equal(value, out[0], bytes);
    for (int a = 0; a < 2; a++)
      assert_memory_equal(slopes[a], expected[a], bytes);
  }
  for (int i = 0; i < 8; i++)
    take_down(&memory[i]);
  force(PERLANE_ISA_AUTO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arguments),
      cmocka_unit_test(names),
      cmocka_unit_test(work_memory),
      cmocka_unit_test(expressions),
  };
  return cmocka_run_group_tests_name("protected", tests, NULL, NULL);
}
