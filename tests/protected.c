/* SPDX-License-Identifier: MIT
 *
 * Memory bounds of arguments, which end at a page that faults or begin after one: parameters,
 * tables, grids, lists of pointers, names, work memory. parity.c has the outputs and points.
 */
#include "calls.h"
#include "perlane_expression.h"

/* Returns the address of an object of `bytes` that ends at the page after the memory, begins at the
 * one before, or is at some distance from both. */
enum side { AT_THE_END, AT_THE_START, WITHIN };
static void *place(const struct fence *fence, enum side side, size_t bytes) {
  const size_t margin = side == WITHIN ? 512 : 0;
  assert_true(bytes + 2 * margin <= fence->bytes);
  return side == AT_THE_END ? fence->start + fence->bytes - bytes : fence->start + margin;
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
  enum { N = 37, TABLES = 3, MEMORIES = 8 };
  static struct {
    float range[2], extremes[2], at, at_gradient, at_slope[PERLANE_MAX_DIMS];
    float filled[N], listed[N], slope[2][PERLANE_MAX_DIMS][N];
  } out[2];
  struct random random = random_start("arguments");
  struct fence table[TABLES], memory[MEMORIES];
  for (int i = 0; i < TABLES; i++)
    table[i] = fence(1 << 14);
  for (int i = 0; i < MEMORIES; i++)
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
    const size_t axes = (size_t)dims;
    perlane_grid own_grid = perlane_grid_make(N, 1, 1, 1);
    double own_position[PERLANE_MAX_DIMS];
    float coordinate[PERLANE_MAX_DIMS][N];
    const float *own_coords[PERLANE_MAX_DIMS];
    own_grid.dims = dims;
    for (int a = 0; a < dims; a++) {
      own_position[a] = (double)((int)random_below(&random, 2000) - 1000) * 0.125;
      own_grid.origin[a] = own_position[a];
      own_grid.step[a] = 0.25;
      for (int i = 0; i < N; i++)
        coordinate[a][i] = (float)(own_position[a] + (a == 0 ? i * 0.25 : 0));
      own_coords[a] = coordinate[a];
    }
    memset(out, 0, sizeof out);
    for (int k = 0; k < 2; k++) { /* in ordinary memory, then at pages */
      const enum side at = k == 0 ? WITHIN : side;
      set_context("arguments at the %s, %d dims, hash %d, gradients %d",
                  side == AT_THE_END ? "end" : "start", dims, (int)params.hash,
                  (int)params.gradients);
      if (k == 1)
        place_tables(&params, table, side);
      perlane_noise *noise = place(&memory[0], at, sizeof *noise);
      const perlane_params *from = placed_copy(&memory[1], at, &params, sizeof params);
      assert_ok(perlane_init(noise, from));
      const perlane_grid *grid = placed_copy(&memory[2], at, &own_grid, sizeof own_grid);
      const float *const *coords =
          placed_copy(&memory[3], at, own_coords, axes * sizeof own_coords[0]);
      const double *position =
          placed_copy(&memory[4], at, own_position, axes * sizeof own_position[0]);
      float *one = place(&memory[5], at, sizeof(float)),
            *other = place(&memory[6], at, sizeof(float));
      if (k == 1)
        force_any(&random);
      assert_ok(perlane_range(noise, dims, one, other));
      out[k].range[0] = *one;
      out[k].range[1] = *other;
      assert_ok(perlane_fill_extremes(noise, grid, out[k].filled, one, other));
      out[k].extremes[0] = *one;
      out[k].extremes[1] = *other;
      out[k].at = perlane_at(noise, dims, position);
      assert_ok(points_of(noise, dims, N, NULL, coords, out[k].listed, NULL));
      assert_memory_equal(out[k].listed, out[k].filled, sizeof out[k].filled);
      if (!has_gradient(&params))
        continue;
      float **slopes = place(&memory[7], at, axes * sizeof slopes[0]);
      for (int of_list = 0; of_list < 2; of_list++) {
        for (int a = 0; a < dims; a++)
          slopes[a] = out[k].slope[of_list][a];
        assert_int_equal(of_list ? points_of(noise, dims, N, NULL, coords, NULL, slopes)
                                 : perlane_fill_gradient(noise, grid, NULL, slopes),
                         PERLANE_OK);
      }
      float *slope = place(&memory[5], at, axes * sizeof slope[0]);
      out[k].at_gradient = perlane_at_gradient(noise, dims, position, slope);
      memcpy(out[k].at_slope, slope, axes * sizeof slope[0]);
    }
    assert_memory_equal(&out[0], &out[1], sizeof out[0]);
  }
  for (int i = 0; i < TABLES; i++)
    take_down(&table[i]);
  for (int i = 0; i < MEMORIES; i++)
    take_down(&memory[i]);
  force(PERLANE_ISA_AUTO);
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
    assert_ok(perlane_preset(params, copy));
    assert_refused(PRESET, perlane_preset(params, placed_copy(&memory, AT_THE_END, "", 1)));
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
      assert_ok(perlane_fill(&noise, &grid, out[0]));
      float *const gradient[] = {out[1], out[2], out[3], out[4]};
      if (has_gradient(&params))
        assert_ok(perlane_fill_gradient(&noise, &grid, out[0], gradient));
    }
  take_down(&memory);
}

/* Texts, names and lists of fields end at a page. (expression.c has outputs and work memory.) */
static void expressions(void **state) {
  (void)state;
  static const char TEXT[] = "at(x+3*a,y,b)-a*y+smooth(0,1,(a-b)*2)*(a-b)";
  static const char DEFINED[] = "a=octaves=2\nb=seed=2 # end\na-b#";
  static const double position[] = {3.25, -7};
  static perlane_noise field[2], made[2];
  const perlane_noise *const fields[] = {&field[0], &field[1]};
  struct fence memory[5];
  float value[2] = {0, 0};
  for (int i = 0; i < 5; i++)
    memory[i] = fence(sizeof(perlane_noise) + 1024);
  field[0] = noise_from("octaves=2");
  field[1] = noise_from("seed=2 basis=value");
  for (enum side side = AT_THE_END; side <= WITHIN; side++) {
    const char *const name[] = {placed_copy(&memory[0], AT_THE_END, "a", 2),
                                placed_copy(&memory[1], AT_THE_END, "b", 2)};
    const char *const *names = placed_copy(&memory[2], side, name, sizeof name);
    const perlane_noise *const *list = placed_copy(&memory[3], side, fields, sizeof fields);
    const char *text = placed_copy(&memory[4], AT_THE_END, DEFINED, sizeof DEFINED);
    perlane_noise e;
    assert_ok(perlane_expression_init_text(&e, text, 2, made, NULL));
    text = placed_copy(&memory[4], AT_THE_END, TEXT, sizeof TEXT);
    assert_ok(perlane_expression_init(&e, text, 2, names, list));
    value[side != AT_THE_END] = perlane_at(&e, 2, position);
    assert_true(side == AT_THE_END || bits_of(value[0]) == bits_of(value[1]));
  }
  for (int i = 0; i < 5; i++)
    take_down(&memory[i]);
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
