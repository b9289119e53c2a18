/* SPDX-License-Identifier: MIT
 *
 * Memory bounds: outputs, points, tables and arguments that end at a protected page, or begin right
 * after one, at every length around vectors and blocks.
 */
#include "support.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory between two pages that fault when they are touched. */
struct fenced {
  unsigned char *start;
  size_t bytes;
};

static struct fenced fence(size_t least) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t bytes = (least + page - 1) / page * page;
  unsigned char *all = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(all != MAP_FAILED);
  assert_int_equal(mprotect(all + page, bytes, PROT_READ | PROT_WRITE), 0);
  return (struct fenced){all + page, bytes};
}

static void take_down(struct fenced *fenced) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  munmap(fenced->start - page, fenced->bytes + 2 * page);
}

/* Returns the address of an object of `bytes`: it ends `gap` bytes before the page after the
 * memory, or begins `gap` bytes after the page before it. */
enum side { AT_THE_END, AT_THE_START };
static void *place(const struct fenced *fenced, enum side side, size_t bytes, size_t gap) {
  assert_true(bytes + gap <= fenced->bytes);
  return side == AT_THE_END ? fenced->start + fenced->bytes - bytes - gap : fenced->start + gap;
}

/* Returns a copy of an object, placed so. */
static void *placed_copy(const struct fenced *fenced, enum side side, const void *from,
                         size_t bytes) {
  return memcpy(place(fenced, side, bytes, 0), from, bytes);
}

/* ---- Outputs of fills ---- */

enum form { VALUES, EXTREMES, GRADIENT, GRADIENT_ONLY, INTERLEAVED, WORDS, BYTES, FORMS };
static const char *const FORM_NAME[FORMS] = {
    "values", "values and extremes", "values and gradient", "gradient", "interleaved", "u16", "u8"};
enum { ARRAYS = 1 + PERLANE_MAX_DIMS };

/* The layout of the outputs of a fill. */
struct layout {
  enum form form;
  enum side side;
  size_t gap;         /* elements between the output and the page; they keep a pattern */
  unsigned backwards; /* the axes with negative strides, as bits */
};

static size_t sample_bytes(enum form form) {
  return form == WORDS ? sizeof(uint16_t) : form == BYTES ? 1 : sizeof(float);
}

static int arrays_of(enum form form, int dims) {
  return form == GRADIENT || form == GRADIENT_ONLY ? 1 + dims : 1;
}

/* Returns the number of elements from a grid's lowest to its highest address. With negative strides
 * `before` of them are below the first sample. */
static size_t array_samples(const perlane_grid *grid, enum form form, size_t *before) {
  size_t samples = 1;
  *before = 0;
  for (int a = 0; a < grid->dims; a++) {
    const ptrdiff_t span = (ptrdiff_t)(grid->count[a] - 1) * grid->stride[a];
    samples += (size_t)(span < 0 ? -span : span);
    *before += (size_t)(span < 0 ? -span : 0);
  }
  return samples + (form == INTERLEAVED ? (size_t)grid->dims : 0);
}

static struct perlane_output output_in(const struct fenced memory[ARRAYS], const perlane_grid *grid,
                                       const struct layout *layout, float *extremes) {
  size_t before;
  const size_t size = sample_bytes(layout->form);
  const size_t bytes = array_samples(grid, layout->form, &before) * size;
  struct perlane_output output = {.format = layout->form == WORDS   ? PERLANE_U16
                                            : layout->form == BYTES ? PERLANE_U8
                                                                    : PERLANE_FLOAT,
                                  .low = -1,
                                  .scale = layout->form == BYTES ? 127.5f : 32767.5f};
  void *array[ARRAYS];
  for (int i = 0; i < arrays_of(layout->form, grid->dims); i++) {
    array[i] =
        (unsigned char *)place(&memory[i], layout->side, bytes, layout->gap * size) + before * size;
    fill_pattern(place(&memory[i], layout->side, bytes + layout->gap * size, 0),
                 bytes + layout->gap * size);
  }
  if (layout->form != GRADIENT_ONLY)
    output.value = array[0];
  if (layout->form == EXTREMES)
    output.extremes = extremes;
  for (int a = 0; a < grid->dims; a++)
    if (layout->form == GRADIENT || layout->form == GRADIENT_ONLY)
      output.gradient[a] = array[a + 1];
    else if (layout->form == INTERLEAVED)
      output.gradient[a] = (float *)array[0] + a + 1;
  return output;
}

static struct fenced expected_memory[ARRAYS], actual_memory[ARRAYS];

static void fence_outputs(size_t bytes) {
  for (int i = 0; i < ARRAYS; i++) {
    expected_memory[i] = fence(bytes);
    actual_memory[i] = fence(bytes);
  }
}

static void take_down_outputs(void) {
  for (int i = 0; i < ARRAYS; i++) {
    take_down(&expected_memory[i]);
    take_down(&actual_memory[i]);
  }
}

/* Fills with each table and compares with the reference; the gap as well. */
static size_t fills_stay_within(const struct kernel_list *kernels, const perlane_params *params,
                                const perlane_grid *packed, const struct layout *layout) {
  const perlane_noise noise = noise_of(params);
  perlane_grid grid = *packed;
  const int sloped =
      layout->form == GRADIENT || layout->form == GRADIENT_ONLY || layout->form == INTERLEAVED;
  if (sloped && !has_gradient(params))
    return 0;
  if (layout->form == INTERLEAVED)
    for (int a = 0; a < grid.dims; a++)
      grid.stride[a] *= grid.dims + 1;
  for (int a = 0; a < grid.dims; a++)
    if (layout->backwards >> a & 1)
      grid.stride[a] = -grid.stride[a];
  size_t before;
  const size_t size = sample_bytes(layout->form);
  const size_t bytes = (array_samples(&grid, layout->form, &before) + layout->gap) * size;
  float expected_extremes[2] = {0, 0};
  const struct perlane_region region = region_of(&grid);
  for (size_t i = 0; i < kernels->count; i++) {
    float extremes[2] = {0, 0};
    const struct perlane_output output = output_in(i ? actual_memory : expected_memory, &grid,
                                                   layout, i ? extremes : expected_extremes);
    set_context("%s: %s of %d dims, %zu x %zu x %zu x %zu, at the %s, gap %zu, backwards %x",
                kernels->table[i]->name, FORM_NAME[layout->form], grid.dims, grid.count[0],
                grid.count[1], grid.count[2], grid.count[3],
                layout->side == AT_THE_END ? "end" : "start", layout->gap, layout->backwards);
    kernels->table[i]->fill(&noise, &region, &output);
    if (i == 0)
      continue;
    for (int array = 0; array < arrays_of(layout->form, grid.dims); array++)
      if (memcmp(place(&expected_memory[array], layout->side, bytes, 0),
                 place(&actual_memory[array], layout->side, bytes, 0), bytes) != 0) {
        set_context(" ");
        print_message("%s differs from the reference: %s of %d dims, %zu columns, gap %zu\n",
                      kernels->table[i]->name, FORM_NAME[layout->form], grid.dims, grid.count[0],
                      layout->gap);
        print_params(params);
        fail();
      }
    assert_memory_equal(expected_extremes, extremes, sizeof extremes);
  }
  return kernels->count;
}

static perlane_grid grid_of(int dims, size_t columns, const size_t *rows) {
  perlane_grid grid = perlane_grid_make(columns, rows[0], rows[1], rows[2]);
  grid.dims = dims;
  ptrdiff_t stride = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    if (a >= dims)
      grid.count[a] = 1;
    grid.stride[a] = stride;
    grid.step[a] = a == 0 ? 0.37 : 0.6;
    grid.origin[a] = 0.3 - a;
    stride *= (ptrdiff_t)grid.count[a];
  }
  return grid;
}

/* Lengths up to several vectors, and around the sizes of blocks and strips. */
static size_t lengths(size_t length[], size_t consecutive, size_t longest) {
  size_t count = 0;
  for (size_t n = 1; n <= consecutive; n++)
    length[count++] = n;
  for (size_t n = 64; n <= longest; n += n < 512 ? 32 : 512)
    for (size_t i = n - 1; i <= n + 1; i++)
      if (i > consecutive)
        length[count++] = i;
  return count;
}
enum { MAX_LENGTHS = 200, LONGEST = 2049 };

static void fills(void **state) {
  (void)state;
  struct random random = random_start("fills");
  const struct kernel_list kernels = all_kernels();
  size_t length[MAX_LENGTHS], cases = 0;
  const size_t count = lengths(length, 50, 1536);
  fence_outputs(2 * LONGEST * 5 * sizeof(float));
  for (int dims = 1; dims <= 4; dims++)
    for (int form = 0; form < FORMS; form++)
      for (size_t i = 0; i < count; i++) {
        static const size_t rows[3][3] = {{1, 1, 1}, {3, 1, 1}, {2, 2, 2}};
        const size_t *few = rows[length[i] > 300 ? 0 : random_below(&random, 3)];
        const perlane_grid grid = grid_of(dims, length[i], few);
        perlane_params params = perlane_params_default();
        params.frequency = 0.4;
        if (random_below(&random, 3) == 0) {
          params = random_params(&random, dims);
          params.octaves = 1 + params.octaves % 3;
          make_valid(&params, dims);
        }
        for (int side = 0; side < 2; side++) {
          if (!chosen(&random))
            continue;
          const unsigned backwards =
              random_below(&random, 4) ? 0 : (unsigned)random_below(&random, 16);
          const struct layout layout = {(enum form)form, (enum side)side, 0, backwards};
          cases += fills_stay_within(&kernels, &params, &grid, &layout);
        }
      }
  take_down_outputs();
  print_message("fills at protected pages: %zu\n", cases);
}

/* Every short length at every distance from the pages: all alignments that a float may have, and
 * all of integers. */
static void alignments(void **state) {
  (void)state;
  struct random random = random_start("alignments");
  const struct kernel_list kernels = all_kernels();
  static const size_t row[2][3] = {{1, 1, 1}, {2, 1, 1}};
  perlane_params params = perlane_params_default();
  params.frequency = 0.3;
  size_t cases = 0;
  fence_outputs(4096);
  for (int dims = 1; dims <= 2; dims++)
    for (int form = 0; form < FORMS; form++)
      for (size_t n = 1; n <= 34; n++)
        for (size_t gap = 0; gap < 16; gap++) {
          if (!chosen(&random) || random_below(&random, 2))
            continue;
          const perlane_grid grid = grid_of(dims, n, row[dims - 1]);
          const struct layout layout = {(enum form)form, (enum side)random_below(&random, 2), gap,
                                        0};
          cases += fills_stay_within(&kernels, &params, &grid, &layout);
        }
  take_down_outputs();
  print_message("fills at alignments: %zu\n", cases);
}

/* Outputs that bypass the caches. */
static void streamed(void **state) {
  (void)state;
  struct random random = random_start("streamed");
  const struct kernel_list kernels = all_kernels();
  const size_t count = effort(FORMS + 1);
  size_t cases = 0, first = random_below(&random, FORMS);
  fence_outputs(16 << 20);
  for (size_t c = 0; c < count; c++) {
    const struct layout layout = {(enum form)((first + c) % FORMS),
                                  (enum side)random_below(&random, 2), random_below(&random, 16),
                                  random_below(&random, 4) ? 0 : 2};
    const int dims = 2 + (layout.form != INTERLEAVED && random_below(&random, 2));
    const size_t rows[3] = {dims == 2 ? 1009 : 67, 17, 1};
    const perlane_grid grid = grid_of(dims, 1030 + random_below(&random, 40), rows);
    perlane_params params = perlane_params_default();
    params.octaves = random_below(&random, 2) ? 1 : 2;
    params.frequency = 0.03;
    cases += fills_stay_within(&kernels, &params, &grid, &layout);
  }
  take_down_outputs();
  print_message("streamed fills: %zu\n", cases);
}

/* ---- Points ---- */

static float some_coordinate(struct random *random) {
  static const uint32_t odd[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0x7FA00001, 0x7F7FFFFF,
                                 0x00000001, 0x80000000, 0x80000001, 0x4F000000, 0xDF000000};
  float value = (float)random_between(random, -90, 90);
  if (random_below(random, 16) == 0)
    memcpy(&value, &odd[random_below(random, sizeof odd / sizeof odd[0])], sizeof value);
  return value;
}

/* The whole memory of a list: coordinates, then results. */
struct lists {
  struct fenced memory[PERLANE_MAX_DIMS + ARRAYS];
};

static struct lists fence_lists(size_t bytes) {
  struct lists lists;
  for (int i = 0; i < PERLANE_MAX_DIMS + ARRAYS; i++)
    lists.memory[i] = fence(bytes);
  return lists;
}

static void take_down_lists(struct lists *lists) {
  for (int i = 0; i < PERLANE_MAX_DIMS + ARRAYS; i++)
    take_down(&lists->memory[i]);
}

static void points(void **state) {
  (void)state;
  struct random random = random_start("points");
  const struct kernel_list kernels = all_kernels();
  size_t length[MAX_LENGTHS], cases = 0;
  const size_t count = lengths(length, 70, 544);
  struct lists expected = fence_lists(4096), actual = fence_lists(4096);
  static float coordinate[PERLANE_MAX_DIMS][1024];
  for (int dims = 1; dims <= 4; dims++)
    for (size_t l = 0; l < count; l++)
      for (int kind = 0; kind < 6; kind++) {
        if (!chosen(&random))
          continue;
        const size_t n = length[l], bytes = n * sizeof(float);
        const int has_slopes = kind % 3 > 0, has_value = kind % 3 < 2, in_place = kind >= 3;
        perlane_params params = perlane_params_default();
        params.frequency = 0.4;
        if (random_below(&random, 2))
          params = random_params(&random, dims);
        if (has_slopes && !has_gradient(&params))
          continue;
        const perlane_noise noise = noise_of(&params);
        const int tame = (int)random_below(&random, 2);
        for (int a = 0; a < dims; a++)
          for (size_t i = 0; i < n; i++)
            coordinate[a][i] =
                tame ? (float)random_between(&random, -50, 50) : some_coordinate(&random);
        const enum side side = (enum side)random_below(&random, 2);
        const size_t gap = random_below(&random, 2) ? 0 : random_below(&random, 16);
        for (size_t k = 0; k < kernels.count; k++) {
          const struct lists *lists = k ? &actual : &expected;
          const float *coords[PERLANE_MAX_DIMS];
          float *result[ARRAYS];
          for (int a = 0; a < dims; a++) /* the arrays of points have no gap */
            coords[a] = placed_copy(&lists->memory[a], side, coordinate[a], bytes);
          for (int r = 0; r <= dims; r++) {
            const struct fenced *memory = &lists->memory[PERLANE_MAX_DIMS + r];
            result[r] = place(memory, side, bytes, gap * sizeof(float));
            fill_pattern(place(memory, side, bytes + gap * sizeof(float), 0),
                         bytes + gap * sizeof(float));
            if (in_place && r < dims)
              result[r] = place(&lists->memory[r], side, bytes, 0);
          }
          set_context("%s: %zu points, %d dims, kind %d, at the %s, gap %zu",
                      kernels.table[k]->name, n, dims, kind, side == AT_THE_END ? "end" : "start",
                      gap);
          const struct perlane_point_list list = list_of(
              dims, n, coords, has_value ? result[0] : NULL, has_slopes ? result + 1 : NULL);
          kernels.table[k]->points(&noise, &list);
          cases++;
          if (k == 0)
            continue;
          for (int i = 0; i < PERLANE_MAX_DIMS + ARRAYS; i++) {
            if (i >= dims && i < PERLANE_MAX_DIMS)
              continue;
            if (i > PERLANE_MAX_DIMS + dims)
              continue;
            const size_t whole = bytes + (i < PERLANE_MAX_DIMS ? 0 : gap * sizeof(float));
            if (memcmp(place(&expected.memory[i], side, whole, 0),
                       place(&actual.memory[i], side, whole, 0), whole) == 0)
              continue;
            print_message("%s differs from the reference: %zu points, %d dims, kind %d, array %d\n",
                          kernels.table[k]->name, n, dims, kind, i);
            print_params(&params);
            fail();
          }
        }
      }
  take_down_lists(&expected);
  take_down_lists(&actual);
  print_message("lists of points at protected pages: %zu\n", cases);
}

/* ---- Arguments ---- */

/* The tables that params point to, each at a page. */
static void place_tables(perlane_params *params, const struct fenced memory[3], enum side side) {
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
  struct fenced table[3], memory[8];
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
    perlane_noise *noise = place(&memory[0], side, sizeof *noise, 0);
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
    float *one = place(&memory[6], side, sizeof(float), 0);
    float *other = place(&memory[7], side, sizeof(float), 0);
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
    assert_int_equal(perlane_points(noise, dims, N, NULL, placed_coords, listed), PERLANE_OK);
    assert_memory_equal(listed, filled, sizeof filled);

    if (!has_gradient(&params))
      continue;
    assert_int_equal(perlane_fill_gradient(&plain, &grid, NULL, plain_slopes), PERLANE_OK);
    memcpy(sloped, slope, sizeof slope);
    fill_pattern(slope, sizeof slope);
    assert_int_equal(
        perlane_points_gradient(noise, dims, N, NULL, placed_coords, NULL, placed_slopes),
        PERLANE_OK);
    assert_memory_equal(slope, sloped, (size_t)dims * sizeof slope[0]);
    fill_pattern(slope, sizeof slope);
    assert_int_equal(perlane_fill_gradient(noise, placed_grid, NULL, placed_slopes), PERLANE_OK);
    assert_memory_equal(slope, sloped, (size_t)dims * sizeof slope[0]);
    float *at_slope = place(&memory[6], side, (size_t)dims * sizeof(float), 0);
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
  struct fenced memory = fence(4096), params_memory = fence(4096);
  static const char *const name[] = {"avx2", "SSE4.1", ".", "", "scalar", "avx512.", "neo"};
  for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
    const char *copy = placed_copy(&memory, AT_THE_END, name[i], strlen(name[i]) + 1);
    set_context("the name \"%s\"", name[i]);
    assert_int_equal(perlane_isa_from_name(copy), perlane_isa_from_name(name[i]));
  }
  for (int i = 0; perlane_preset_name(i); i++) {
    const char *known = perlane_preset_name(i);
    const char *copy = placed_copy(&memory, AT_THE_END, known, strlen(known) + 1);
    perlane_params *params = place(&params_memory, AT_THE_END, sizeof *params, 0);
    assert_int_equal(perlane_preset(params, copy), PERLANE_OK);
    assert_int_equal(perlane_preset(params, placed_copy(&memory, AT_THE_END, "", 1)),
                     PERLANE_ERROR_PRESET);
  }
  take_down(&memory);
  take_down(&params_memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fills),  cmocka_unit_test(alignments), cmocka_unit_test(streamed),
      cmocka_unit_test(points), cmocka_unit_test(arguments),  cmocka_unit_test(names),
  };
  return cmocka_run_group_tests_name("protected", tests, NULL, NULL);
}
