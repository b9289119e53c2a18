/* SPDX-License-Identifier: MIT
 *
 * Parity: every lane kernel writes exactly what the scalar reference writes, and no other byte.
 */
#include "support.h"

#include <float.h>
#include <math.h>

enum { GUARD = 64 }; /* samples */

/* A fill's outputs, and their layout. */
enum form { VALUES, EXTREMES, GRADIENT, GRADIENT_ONLY, INTERLEAVED, WORDS, BYTES, FORMS };
static const char *const FORM_NAME[FORMS] = {
    "values", "values and extremes", "values and gradient", "gradient", "interleaved", "u16", "u8"};

static int is_sloped(enum form form) {
  return form == GRADIENT || form == GRADIENT_ONLY || form == INTERLEAVED;
}

static enum form random_form(struct random *random) {
  return random_below(random, 2) ? VALUES : (enum form)random_below(random, FORMS);
}

/* All forms in turn, or some with less effort. */
static enum form nth_form(struct random *random, size_t i) {
  return effort(FORMS) == FORMS ? (enum form)i : (enum form)random_below(random, FORMS);
}

struct span {
  ptrdiff_t lowest, highest; /* offsets of a grid's samples from its first */
};

static struct span span_of(const perlane_grid *grid) {
  struct span span = {0, 0};
  for (int a = 0; a < grid->dims; a++) {
    const ptrdiff_t end = (ptrdiff_t)(grid->count[a] - 1) * grid->stride[a];
    *(end < 0 ? &span.lowest : &span.highest) += end;
  }
  return span;
}

static float random_level(struct random *random) {
  return (float)(random_below(random, 2) ? (double)random_below(random, 3) - 1
                                         : random_between(random, -2, 2));
}

/* Memory for every output of a fill, with a known pattern around each. */
struct memory {
  unsigned char *start;
  size_t bytes;
  struct perlane_output output;
  float extremes[2];
};

static void lay_out(struct memory *memory, const perlane_grid *grid, enum form form, float low,
                    float scale, size_t misalignment) {
  const size_t size = form == WORDS ? sizeof(uint16_t) : form == BYTES ? 1 : sizeof(float);
  const struct span span = span_of(grid);
  const size_t first = GUARD + misalignment + (size_t)-span.lowest;
  const size_t plane = first + (size_t)span.highest + 1;
  const int outputs = form == GRADIENT || form == GRADIENT_ONLY ? grid->dims + 1 : 1;
  memset(memory, 0, sizeof *memory);
  memory->bytes = ((size_t)outputs * plane + 2 * GUARD) * size;
  memory->start = aligned_alloc(64, (memory->bytes + 63) / 64 * 64);
  assert_non_null(memory->start);
  fill_pattern(memory->start, memory->bytes);
  unsigned char *value = memory->start + first * size;
  memory->output.format = form == WORDS ? PERLANE_U16 : form == BYTES ? PERLANE_U8 : PERLANE_FLOAT;
  memory->output.low = low;
  memory->output.scale = scale;
  memory->output.value = form == GRADIENT_ONLY ? NULL : value;
  if (form == EXTREMES)
    memory->output.extremes = memory->extremes;
  for (int a = 0; a < grid->dims; a++)
    if (form == GRADIENT || form == GRADIENT_ONLY)
      memory->output.gradient[a] = (float *)(void *)(value + (size_t)(a + 1) * plane * size);
    else if (form == INTERLEAVED)
      memory->output.gradient[a] = (float *)(void *)value + a + 1;
}

static void report_difference(const char *name, const perlane_params *params,
                              const perlane_grid *grid, enum form form,
                              const struct memory *expected, const struct memory *actual) {
  print_message("%s differs from the reference: %s, low %a, scale %a\n", name, FORM_NAME[form],
                (double)expected->output.low, (double)expected->output.scale);
  print_params(params);
  for (int a = 0; a < grid->dims; a++)
    print_message("  axis %d: first %lld, count %zu, origin %a, step %a, stride %td\n", a,
                  (long long)grid->first[a], grid->count[a], grid->origin[a], grid->step[a],
                  grid->stride[a]);
  if (form == EXTREMES)
    print_message("  expected extremes %08x %08x, got %08x %08x\n", bits_of(expected->extremes[0]),
                  bits_of(expected->extremes[1]), bits_of(actual->extremes[0]),
                  bits_of(actual->extremes[1]));
  for (size_t i = 0, shown = 0; i + 4 <= expected->bytes && shown < 5; i += 4)
    if (memcmp(expected->start + i, actual->start + i, 4) != 0) {
      uint32_t wanted, got;
      memcpy(&wanted, expected->start + i, 4);
      memcpy(&got, actual->start + i, 4);
      print_message("  byte %zu of %zu: expected %08x, got %08x\n", i, expected->bytes, wanted,
                    got);
      shown++;
    }
}

/* Kernels are given no grid that leaves the domain at some octave, and no gradients to fill where
 * the field has none. */
static int is_filled(const perlane_noise *noise, const perlane_grid *grid, enum form form) {
  if (is_sloped(form) && !has_gradient(&noise->params))
    return 0;
  for (int a = 0; a < grid->dims; a++)
    for (size_t i = 0; i<grid->count[a]; i += grid->count[a]> 1 ? grid->count[a] - 1 : 1)
      if (!in_domain(noise,
                     grid->origin[a] + (double)(grid->first[a] + (int64_t)i) * grid->step[a]))
        return 0;
  return 1;
}

/* Fills the grid with the reference and with each kernel, and compares the whole memory around. */
static void compare_grid(struct random *random, const perlane_params *params,
                         const perlane_grid *packed, enum form form, size_t misalignment) {
  const perlane_noise noise = noise_of(params);
  const struct kernel_list kernels = lane_kernels();
  if (!is_filled(&noise, packed, form))
    return;
  perlane_grid grid = *packed;
  if (form == INTERLEAVED)
    for (int a = 0; a < grid.dims; a++)
      grid.stride[a] *= grid.dims + 1;
  const float low = random_level(random), distance = random_level(random) + 0.25f;
  const float scale = (form == BYTES ? 255.0f : 65535.0f) / distance;
  struct memory expected, actual;
  lay_out(&expected, &grid, form, low, scale, misalignment);
  lay_out(&actual, &grid, form, low, scale, misalignment);
  const struct perlane_region region = region_of(&grid);
  perlane_scalar_kernels.fill(&noise, &region, &expected.output);
  for (size_t i = 0; i < kernels.count; i++) {
    fill_pattern(actual.start, actual.bytes);
    memset(actual.extremes, 0, sizeof actual.extremes);
    kernels.table[i]->fill(&noise, &region, &actual.output);
    if (memcmp(expected.start, actual.start, actual.bytes) != 0 ||
        memcmp(expected.extremes, actual.extremes, sizeof actual.extremes) != 0) {
      report_difference(kernels.table[i]->name, params, &grid, form, &expected, &actual);
      fail();
    }
  }
  free(expected.start);
  free(actual.start);
}

/* Axes nested in a random order, with random gaps, forwards or backwards. */
static void random_strides(struct random *random, perlane_grid *grid) {
  int order[PERLANE_MAX_DIMS] = {0, 1, 2, 3};
  if (random_below(random, 4) == 0)
    for (int i = grid->dims - 1; i > 0; i--) {
      const int j = (int)random_below(random, (uint64_t)i + 1), axis = order[i];
      order[i] = order[j];
      order[j] = axis;
    }
  ptrdiff_t next = random_below(random, 8) == 0 ? 3 : 1;
  for (int i = 0; i < grid->dims; i++) {
    const int axis = order[i];
    grid->stride[axis] = next;
    next = next * (ptrdiff_t)grid->count[axis] +
           (random_below(random, 3) ? 0 : (ptrdiff_t)random_below(random, 9));
    if (random_below(random, 12) == 0)
      grid->stride[axis] = -grid->stride[axis];
  }
}

static double random_step(struct random *random) {
  static const double step[] = {0.001, 0.01, 0.1, 0.25, 0.5, 0.9, 1.0, 1.7, 2.0, 3.3};
  const double size = random_below(random, 2)
                          ? step[random_below(random, sizeof step / sizeof step[0])]
                          : random_between(random, 0.001, 3.3);
  return random_below(random, 4) ? size : -size;
}

static void random_axis(struct random *random, perlane_grid *grid, int axis) {
  static const double origin[] = {0,      0,      0.5,     -1,     1e3,    -1e6,
                                  0x1p24, 0x1p31, -0x1p31, 0x1p32, -0x1p40};
  grid->step[axis] = random_step(random);
  grid->origin[axis] = random_below(random, 2)
                           ? origin[random_below(random, sizeof origin / sizeof origin[0])]
                           : random_between(random, -1e4, 1e4);
  grid->first[axis] = (int64_t)random_below(random, 2001) - 1000;
  if (random_below(random, 8) == 0)
    grid->first[axis] *= INT64_C(0x10000001);
  if (random_below(random, 12) ==
      0) { /* indices that no double represents, at steps that show it */
    const int64_t first = (int64_t)(random_word(random) >> 2 >> random_below(random, 7) | 1);
    grid->first[axis] = random_below(random, 2) ? first : -first;
    grid->step[axis] =
        ldexp(random_unit(random) + 1, 30 + (int)random_below(random, 17)) / (double)first;
  }
}

static perlane_grid unused_axes(int dims) {
  perlane_grid grid;
  memset(&grid, 0, sizeof grid);
  grid.dims = dims;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid.count[a] = 1;
    grid.step[a] = 1;
  }
  return grid;
}

static void random_grids(void **state) {
  (void)state;
  struct random random = random_start("random grids");
  static const size_t max[PERLANE_MAX_DIMS][PERLANE_MAX_DIMS] = {
      {600, 1, 1, 1}, {70, 40, 1, 1}, {45, 9, 7, 1}, {37, 5, 4, 3}};
  const size_t cases = effort(10000);
  for (size_t c = 0; c < cases; c++) {
    perlane_grid grid = unused_axes(1 + (int)random_below(&random, PERLANE_MAX_DIMS));
    const perlane_params params = random_params(&random, grid.dims);
    for (int a = 0; a < grid.dims; a++) {
      grid.count[a] = 1 + random_below(&random, max[grid.dims - 1][a]);
      random_axis(&random, &grid, a);
    }
    random_strides(&random, &grid);
    compare_grid(&random, &params, &grid, random_form(&random), random_below(&random, 16));
  }
}

/* Each length from 1 to more than four vectors, at each alignment, in each form. */
static void every_short_length(void **state) {
  (void)state;
  struct random random = random_start("every short length");
  perlane_params params = perlane_params_default();
  params.frequency = 0.17;
  params.octaves = 2;
  params.lacunarity = 2.1;
  params.gain = 0.6;
  for (int dims = 1; dims <= 2; dims++)
    for (size_t n = 1; n <= 70; n++)
      for (size_t misalignment = 0; misalignment < 16; misalignment += 1 + n % 3) {
        perlane_grid grid = unused_axes(dims);
        grid.count[0] = n;
        grid.count[1] = dims == 2 ? 3 : 1;
        grid.stride[0] = 1;
        grid.stride[1] = (ptrdiff_t)n;
        for (size_t i = 0; i < effort(FORMS); i++)
          compare_grid(&random, &params, &grid, nth_form(&random, i), misalignment);
      }
}

/* Grids that begin near the origin, where cells are small integers, and end far from it; or the
 * other way round. */
static void far_ends(void **state) {
  (void)state;
  struct random random = random_start("far ends");
  const size_t cases = 40 + effort(400);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    perlane_grid grid = unused_axes(dims);
    perlane_params params = random_params(&random, dims);
    set_frequency(&params, random_between(&random, 0.5, 1));
    params.octaves = 1 + (int)random_below(&random, 2);
    make_valid(&params, dims);
    const int leaving = (int)random_below(&random, (uint64_t)dims);
    ptrdiff_t stride = 1;
    for (int a = 0; a < dims; a++) {
      grid.count[a] = a == leaving ? 40 : 1 + random_below(&random, 4);
      grid.stride[a] = stride;
      stride *= (ptrdiff_t)grid.count[a];
    }
    const double last = ldexp(random_between(&random, 1, 2), 26 + (int)random_below(&random, 25));
    grid.step[leaving] = last / 39 * (random_below(&random, 2) ? 1 : -1);
    if (random_below(&random, 2))
      grid.origin[leaving] = -39 * grid.step[leaving];
    compare_grid(&random, &params, &grid, random_form(&random), random_below(&random, 16));
  }
}

/* Sizes around the kernels' strips, tables of rows and planes, and tiles, for each number of
 * octaves that changes them. */
static void block_boundaries(void **state) {
  (void)state;
  static const size_t width[] = {31,  32,  33,  48,  63,  64,  65,  81,  127, 128,  129,
                                 176, 177, 224, 225, 256, 257, 511, 512, 513, 1025, 2049};
  static const size_t height[] = {1, 2, 15, 16, 17, 33};
  static const int octaves[] = {1, 2, 3, 8, 17, 32};
  struct random random = random_start("block boundaries");
  for (size_t o = 0; o < sizeof octaves / sizeof octaves[0]; o++)
    for (size_t i = 0; i < sizeof width / sizeof width[0]; i++) {
      if (random_below(&random, 100) >= 20 + effort(100))
        continue;
      perlane_params params = random_params(&random, 2);
      params.octaves = octaves[o];
      params.lacunarity = 1.3;
      make_valid(&params, 2);
      perlane_grid grid = unused_axes(2);
      grid.count[0] = width[i];
      grid.count[1] = height[random_below(&random, 6)];
      grid.step[0] = 0.7;
      grid.step[1] = random_between(&random, -0.4, 0.4);
      grid.stride[0] = 1;
      grid.stride[1] = (ptrdiff_t)width[i];
      compare_grid(&random, &params, &grid, random_form(&random), i % 16);
    }
  static const size_t rows[] = {511, 512, 513, 1025};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int k = 1; k <= 9; k += 4) {
      if (random_below(&random, 100) >= 20 + effort(100))
        continue;
      perlane_params params = random_params(&random, 3);
      params.octaves = k;
      make_valid(&params, 3);
      perlane_grid grid = unused_axes(3);
      grid.count[0] = 5;
      grid.count[1] = rows[i];
      grid.count[2] = 1 + i % 2;
      grid.step[1] = random_between(&random, 0.01, 1.1);
      grid.stride[0] = 1;
      grid.stride[1] = 5;
      grid.stride[2] = 5 * (ptrdiff_t)rows[i];
      compare_grid(&random, &params, &grid, random_form(&random), i);
      grid.count[2] = rows[i];
      grid.count[1] = 2;
      grid.stride[2] = 10;
      compare_grid(&random, &params, &grid, random_form(&random), i);
    }
}

/* Cells and warps, which the reference takes long for. */
static int is_slow(const perlane_params *params) {
  return params->basis == PERLANE_BASIS_CELLULAR || params->warp_amplitude != 0;
}

/* Volumes whose planes have edges in common, in either direction: of few and of many rows of cells,
 * with more of them than are kept, on one strip and on several. */
static void volumes(void **state) {
  (void)state;
  static const size_t width[] = {15, 40, 95, 96, 97, 113, 260}, height[] = {3, 16, 17, 33, 49, 97};
  struct random random = random_start("volumes");
  const size_t cases = effort(60);
  for (size_t c = 0; c < cases; c++) {
    const int dims = c % 4 ? 3 : 4;
    perlane_params params = random_params(&random, dims);
    params.octaves =
        1 + (int32_t)random_below(&random, params.basis == PERLANE_BASIS_CELLULAR ? 2 : 6);
    make_valid(&params, dims);
    perlane_grid grid = unused_axes(dims);
    grid.count[0] = width[random_below(&random, sizeof width / sizeof width[0])];
    grid.count[1] = height[random_below(&random, is_slow(&params) ? 3 : 6)];
    grid.count[2] = 2 + random_below(&random, dims == 3 && !is_slow(&params) ? 40 : 10);
    grid.count[3] = dims == 3 ? 1 : 2 + random_below(&random, 3);
    ptrdiff_t stride = 1;
    for (int a = 0; a < dims; a++) {
      static const double cells[] = {0.002, 0.02, 0.1, 0.4, 1.3};
      const double max = cells[random_below(&random, 5)] / params.frequency;
      grid.step[a] = random_below(&random, 3) ? max : -max;
      grid.origin[a] = random_between(&random, -100, 100);
      grid.stride[a] = stride;
      stride *= (ptrdiff_t)grid.count[a];
    }
    compare_grid(&random, &params, &grid, random_form(&random), random_below(&random, 16));
  }
}

/* Fields that kernels may take short ways for, and any other. */
/* As many octaves as there may be, which take more scratch memory than strips have. */
static void many_octaves(void **state) {
  (void)state;
  struct random random = random_start("many octaves");
  const size_t cases = effort(60);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 2 + (int)(c % 3);
    perlane_params params = random_params(&random, dims);
    params.lacunarity = random_between(&random, 1, 1.5);
    params.octaves = PERLANE_MAX_OCTAVES - (int32_t)random_below(&random, 16);
    make_valid(&params, dims);
    perlane_grid grid = unused_axes(dims);
    ptrdiff_t stride = 1;
    for (int a = 0; a < dims; a++) {
      grid.count[a] = a == 0 ? 1 + random_below(&random, 300) : 1 + random_below(&random, 4);
      grid.step[a] = random_between(&random, 0.1, 1);
      grid.origin[a] = random_between(&random, -100, 100);
      grid.stride[a] = stride;
      stride *= (ptrdiff_t)grid.count[a];
    }
    compare_grid(&random, &params, &grid, random_form(&random), random_below(&random, 16));
  }
}

enum kind { DEFAULT, SUM_AND_OFFSET, ONE_RIDGED_OCTAVE, POWER, ANY };
static perlane_params params_of(struct random *random, enum kind kind, int dims) {
  perlane_params params = perlane_params_default();
  params.seed = random_word(random);
  params.frequency = random_between(random, 0.01, 0.3);
  switch (kind) {
  case DEFAULT:
    break;
  case SUM_AND_OFFSET:
    params.octaves = 2;
    params.value_offset = 0.1;
    break;
  case ONE_RIDGED_OCTAVE:
    params.fractal = PERLANE_FRACTAL_RIDGED;
    break;
  case POWER:
    params.octaves = 2;
    params.contrast = 3;
    params.value_scale = 7;
    break;
  case ANY:
    do
      params = random_params(random, dims);
    while (is_slow(&params) && (dims == 3 || random_below(random, 2)));
    params.octaves = 1 + (int32_t)random_below(random, 2);
    params.warp_octaves = params.warp_rounds = 1;
    set_frequency(&params, random_between(random, 0.01, 0.3));
    make_valid(&params, dims);
  }
  return params;
}

/* Outputs large enough to bypass the caches, at every alignment of their rows. */
static void streamed(void **state) {
  (void)state;
  struct random random = random_start("streamed");
  static const struct {
    int dims;
    enum form form;
    enum kind kind;
    size_t columns; /* if not those of the others; then rows are packed, or by chance apart */
  } CASES[] = {{2, VALUES, DEFAULT, 0},
               {2, EXTREMES, DEFAULT, 0},
               {2, VALUES, SUM_AND_OFFSET, 0},
               {2, EXTREMES, SUM_AND_OFFSET, 0},
               {2, VALUES, ONE_RIDGED_OCTAVE, 0},
               {2, VALUES, POWER, 0},
               {2, VALUES, ANY, 0},
               {2, EXTREMES, ANY, 0},
               {2, GRADIENT, DEFAULT, 0},
               {2, GRADIENT, ANY, 0},
               {2, GRADIENT_ONLY, ANY, 0},
               {2, INTERLEAVED, ANY, 0},
               {2, WORDS, ANY, 0},
               {2, BYTES, ANY, 0},
               {3, VALUES, DEFAULT, 0},
               {3, VALUES, ANY, 0},
               {3, VALUES, DEFAULT, 61},
               {3, VALUES, DEFAULT, 128},
               {3, VALUES, SUM_AND_OFFSET, 96},
               {3, VALUES, ANY, 80},
               {3, GRADIENT, DEFAULT, 64},
               {3, GRADIENT_ONLY, ANY, 77},
               {3, WORDS, ANY, 96}};
  enum { COUNT = sizeof CASES / sizeof CASES[0] };
  static const size_t count[4][3] = {{1}, {1}, {1049, 1001, 1}, {133, 91, 89}};
  for (size_t i = 0; i < effort(COUNT); i++) {
    const size_t c = effort(COUNT) == COUNT ? i : random_below(&random, COUNT);
    const int dims = CASES[c].dims;
    perlane_grid grid = unused_axes(dims);
    ptrdiff_t stride = 1;
    const int packed = CASES[c].columns != 0 && random_below(&random, 4) != 0;
    for (int a = 0; a < dims; a++) {
      grid.count[a] = count[dims][a];
      if (CASES[c].columns)
        grid.count[a] = a == 0 ? CASES[c].columns : 135;
      grid.stride[a] = stride;
      stride = stride * (ptrdiff_t)grid.count[a] + (a == 0 && !packed ? 4 : 0);
    }
    const perlane_params params = params_of(&random, CASES[c].kind, dims);
    compare_grid(&random, &params, &grid, CASES[c].form, random_below(&random, 16));
  }
}

static float random_coordinate(struct random *random, double frequency) {
  switch (random_below(random, 16)) {
  case 0: { /* special values, and the edge of the domain */
    static const float special[] = {0.0f,       -0.0f,           0x1p-149f,       -0x1p-149f,
                                    0x1p-126f,  -0x1p-25f,       -0x1.8p-25f,     0x1p-25f,
                                    0x1.8p-24f, -0x1p-24f,       0x1.fffffep-1f,  0.5f,
                                    -0.5f,      0x1.fffffep127f, -0x1.fffffep127f};
    return special[random_below(random, sizeof special / sizeof special[0])];
  }
  case 1: {
    static const uint32_t bits[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0x7FA00001, 0xFFFFFFFF};
    float value;
    memcpy(&value, &bits[random_below(random, sizeof bits / sizeof bits[0])], sizeof value);
    return value;
  }
  case 2: { /* cell counts where a path or a word of the hash changes, one float to either side */
    static const double cells[] = {0x1p27, 0x1p31, 0x1p32, 0x1p33, 0x1p40, 0x1p52, 0x1p53, 0x1p54};
    const double at = cells[random_below(random, sizeof cells / sizeof cells[0])] / frequency;
    const float value = at > 3e38 ? 3e38f : (float)at;
    uint32_t bits = bits_of(value) + (uint32_t)random_below(random, 5) - 2;
    float moved;
    memcpy(&moved, &bits, sizeof moved);
    return random_below(random, 2) ? moved : -moved;
  }
  case 3:
    return (float)(random_between(random, -0x1p40, 0x1p40) / frequency);
  case 4: /* lattice points */
    return (float)((double)((int64_t)random_below(random, 2000) - 1000) / frequency);
  case 5:
    return (float)random_between(random, -1e-6, 1e-6);
  default:
    return (float)random_between(random, -1000, 1000);
  }
}

/* Arrays of points and of results, side by side with a known pattern between. */
enum { MAX_POINTS = 700, ARRAY = MAX_POINTS + GUARD, ARRAYS = 2 * PERLANE_MAX_DIMS + 1 };
struct arrays {
  float memory[ARRAYS * ARRAY + GUARD];
};

/* Offsets of the coordinates and results of one call in struct arrays. */
struct layout {
  int dims;
  size_t n;
  int has_value, has_gradient;
  size_t coordinate[PERLANE_MAX_DIMS], value, gradient[PERLANE_MAX_DIMS];
};

/* Positions are floats, floats added to the origin, or doubles. */
struct positions {
  const double *origin;          /* NULL for none */
  const double *const *coords64; /* NULL for floats */
};

/* Each result in an array of its own or, some of the time, in place of a coordinate. */
static struct layout random_layout(struct random *random, int dims, size_t n, int sloped) {
  struct layout layout = {.dims = dims, .n = n};
  int taken[PERLANE_MAX_DIMS] = {0};
  for (int a = 0; a < dims; a++)
    layout.coordinate[a] = (size_t)a * ARRAY + GUARD + random_below(random, 16);
  layout.has_gradient = random_below(random, 2) == 0 && sloped;
  layout.has_value = !layout.has_gradient || random_below(random, 4) != 0;
  for (int result = 0; result <= dims; result++) {
    size_t at = (size_t)(PERLANE_MAX_DIMS + result) * ARRAY + GUARD + random_below(random, 16);
    const int replaced = (int)random_below(random, (uint64_t)dims);
    if (random_below(random, 4) == 0 && !taken[replaced]) {
      taken[replaced] = 1;
      at = layout.coordinate[replaced];
    }
    *(result == 0 ? &layout.value : &layout.gradient[result - 1]) = at;
  }
  return layout;
}

static void run_points(const struct perlane_kernels *kernels, const perlane_noise *noise,
                       const struct layout *layout, const struct positions *positions,
                       struct arrays *arrays) {
  const float *coords[PERLANE_MAX_DIMS];
  float *gradient[PERLANE_MAX_DIMS];
  for (int a = 0; a < layout->dims; a++) {
    coords[a] = arrays->memory + layout->coordinate[a];
    gradient[a] = arrays->memory + layout->gradient[a];
  }
  struct perlane_point_list list =
      list_of(layout->dims, layout->n, positions->coords64 ? NULL : coords,
              layout->has_value ? arrays->memory + layout->value : NULL,
              layout->has_gradient ? gradient : NULL);
  list.origin = positions->origin;
  list.coords64 = positions->coords64;
  kernels->points(noise, &list);
}

/* An origin that floats are added to. Some are so far that sums leave the domain, or no numbers. */
static double random_origin(struct random *random, double frequency) {
  static const double special[] = {0,       -0.0,    1e7,     -2e7,     0x1p24, 0x1p32,
                                   0x1p-30, 0x1p300, DBL_MAX, INFINITY, NAN};
  switch (random_below(random, 4)) {
  case 0:
    return special[random_below(random, sizeof special / sizeof special[0])];
  case 1:
    return random_between(random, -1e5, 1e5);
  case 2: /* around the end of what is near, and of the domain */
    return ldexp(random_between(random, -2, 2), random_below(random, 2) ? 26 : 52) / frequency;
  default:
    return ldexp(random_between(random, -2, 2), (int)random_below(random, 60));
  }
}

static void random_points(void **state) {
  (void)state;
  struct random random = random_start("random points");
  const struct kernel_list kernels = lane_kernels();
  static struct arrays original, expected, actual;
  const size_t cases = effort(12000);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    perlane_params params = random_params(&random, dims);
    if (random_below(&random, 10) == 0)
      set_frequency(&params, random_below(&random, 2) ? 0x1p-110 : 1e18);
    make_valid(&params, dims);
    const perlane_noise noise = noise_of(&params);
    const size_t n = 1 + random_below(&random, random_below(&random, 2) ? 40 : MAX_POINTS - 16);
    const struct layout layout = random_layout(&random, dims, n, has_gradient(&params));
    const int tame = random_below(&random, 2) == 0; /* whole blocks take the near paths */
    fill_pattern(&original, sizeof original);
    for (int a = 0; a < dims; a++)
      for (size_t i = 0; i < n; i++)
        original.memory[layout.coordinate[a] + i] =
            tame ? (float)random_between(&random, -50, 50)
                 : random_coordinate(&random, params.frequency);
    static double position[PERLANE_MAX_DIMS][MAX_POINTS];
    const double *coords64[PERLANE_MAX_DIMS];
    double origin[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      origin[a] = random_below(&random, 4) ? random_origin(&random, params.frequency) : 0;
      coords64[a] = position[a];
      for (size_t i = 0; i < n; i++)
        position[a][i] = origin[a] + 1.1 * (double)original.memory[layout.coordinate[a] + i];
    }
    const uint64_t source = random_below(&random, 4);
    const struct positions positions = {source == 2 ? origin : NULL, source == 3 ? coords64 : NULL};
    expected = original;
    run_points(&perlane_scalar_kernels, &noise, &layout, &positions, &expected);
    for (size_t i = 0; i < kernels.count; i++) {
      actual = original;
      run_points(kernels.table[i], &noise, &layout, &positions, &actual);
      if (memcmp(&expected, &actual, sizeof expected) == 0)
        continue;
      print_message("%s differs from the reference, %d dims, %zu points%s%s\n",
                    kernels.table[i]->name, dims, n, layout.has_value ? ", values" : "",
                    layout.has_gradient ? ", gradient" : "");
      print_params(&params);
      for (size_t j = 0, shown = 0; j < n && shown < 5; j++)
        for (int result = 0; result <= dims; result++) {
          const size_t at = (result == 0 ? layout.value : layout.gradient[result - 1]) + j;
          if (bits_of(expected.memory[at]) == bits_of(actual.memory[at]))
            continue;
          print_message("  point %zu:", j);
          for (int a = 0; a < dims; a++)
            print_message(" %a", source == 3
                                     ? position[a][j]
                                     : (source == 2 ? origin[a] : 0) +
                                           (double)original.memory[layout.coordinate[a] + j]);
          print_message(": result %d: expected %08x, got %08x\n", result,
                        bits_of(expected.memory[at]), bits_of(actual.memory[at]));
          shown++;
        }
      fail();
    }
  }
}

/* One position at a time, as doubles. */
static void single_positions(void **state) {
  (void)state;
  struct random random = random_start("single positions");
  const struct kernel_list kernels = lane_kernels();
  const size_t cases = effort(2000);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, PERLANE_MAX_DIMS);
    const perlane_params params = random_params(&random, dims);
    const perlane_noise noise = noise_of(&params);
    double position[PERLANE_MAX_DIMS] = {0};
    for (int a = 0; a < dims; a++)
      position[a] = random_below(&random, 2) ? (double)random_coordinate(&random, params.frequency)
                                             : random_between(&random, -1e9, 1e9);
    float expected[5], actual[5];
    fill_pattern(expected, sizeof expected);
    float *slope = has_gradient(&params) ? expected : NULL;
    expected[4] = perlane_scalar_kernels.at(&noise, dims, position, slope);
    for (size_t i = 0; i < kernels.count; i++) {
      fill_pattern(actual, sizeof actual);
      actual[4] = kernels.table[i]->at(&noise, dims, position, slope ? actual : NULL);
      assert_memory_equal(expected, actual, sizeof actual);
      const float value = kernels.table[i]->at(&noise, dims, position, NULL);
      assert_int_equal(bits_of(value), bits_of(expected[4]));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_grids),     cmocka_unit_test(every_short_length),
      cmocka_unit_test(far_ends),         cmocka_unit_test(block_boundaries),
      cmocka_unit_test(volumes),          cmocka_unit_test(many_octaves),
      cmocka_unit_test(streamed),         cmocka_unit_test(random_points),
      cmocka_unit_test(single_positions),
  };
  const struct kernel_list kernels = lane_kernels();
  for (size_t i = 0; i < kernels.count; i++)
    print_message("checked against the reference: %s\n", kernels.table[i]->name);
  return cmocka_run_group_tests_name("parity", tests, NULL, NULL);
}
