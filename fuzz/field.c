/* SPDX-License-Identifier: MIT
 *
 * Fuzzing of the library: the input's bytes become params, tables and one job, a grid or a list of
 * points. Whatever they are, the library must refuse them and write nothing, or every lane kernel
 * must write what the scalar reference writes, every value within perlane_range, and no other byte.
 * The bytes choose from values that matter as often as they are values: most inputs are fields.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/dispatch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Limits. MAX_WORK is samples times octaves times corners, for the reference. */
enum { MAX_WORK = 2048, MAX_SAMPLES = 1024, MAX_SPAN = 1 << 14, GUARD = 32 };

static void expect(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "fuzz/field: %s\n", what);
  abort();
}

/* ---- Choices from bytes ---- */

/* An input that has come to its end is zeros from there on. */
struct input {
  const uint8_t *data;
  size_t left;
};

static unsigned byte_of(struct input *in) {
  if (in->left == 0)
    return 0;
  in->left--;
  return *in->data++;
}

static uint64_t word_of(struct input *in) {
  uint64_t word = 0;
  for (int i = 0; i < 8; i++)
    word = word << 8 | byte_of(in);
  return word;
}

static size_t below(struct input *in, size_t n) {
  return byte_of(in) % n;
}

/* SplitMix64, for arrays that would take too many bytes. */
static uint64_t random_word(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static double double_of_bits(uint64_t bits) {
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static float float_of_bits(uint32_t bits) {
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static uint32_t bits_of(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

/* A number that is usually `usual`. */
static double number_of(struct input *in, double usual) {
  static const double special[] = {
      0,      -0.0,   0.5,     -0.5,    1,        -1,     2,       3,     0.01,     0.1,
      1.0,    1e-3,   0x1p24,  0x1p27,  0x1p31,   0x1p32, 0x1p52,  1e18,  0x1p53,   -0x1p53,
      0x1p54, 0x1p63, -0x1p63, 0x1p100, 0x1p-100, 1e38,   -3.5e38, 1e308, -1e308,   0x1p-1022,
      1e-310, 1e-38,  1e-45,   64,      1024,     255,    65535,   1e6,   INFINITY, -INFINITY};
  switch (byte_of(in) % 8) {
  case 1:
    return special[below(in, sizeof special / sizeof special[0])];
  case 2:
    return double_of_bits(word_of(in));
  case 3:
    return (double)(int8_t)byte_of(in) / 16;
  case 4:
    return (double)(int16_t)(byte_of(in) << 8 | byte_of(in));
  case 5: {
    const int exponent = (int8_t)byte_of(in);
    return ldexp(1 + byte_of(in) / 256.0, exponent);
  }
  case 6: /* next to a special one */
    return nextafter(special[below(in, sizeof special / sizeof special[0])],
                     byte_of(in) & 1 ? INFINITY : -INFINITY);
  case 7:
    return byte_of(in) < 128 ? usual : (double)NAN;
  default:
    return usual;
  }
}

static int32_t int_of(struct input *in, int32_t usual) {
  static const int32_t special[] = {
      0, 1, -1, 2, 3, 32, 33, 64, 65, 256, 257, 1 << 30, (1 << 30) + 1, INT32_MAX, INT32_MIN, 7};
  switch (byte_of(in) % 4) {
  case 1:
    return special[below(in, sizeof special / sizeof special[0])];
  case 2:
    return (int32_t)byte_of(in);
  case 3:
    return (int32_t)(uint32_t)(word_of(in) >> 16);
  default:
    return usual;
  }
}

/* One of an enumeration's values, or now and then none. */
static int choice_of(struct input *in, int count) {
  const int b = (int)byte_of(in);
  return b < 248 ? b % count : b == 248 ? count : b == 249 ? -1 : (int)int_of(in, 1000);
}

/* ---- Fields ---- */

/* Tables in memory of exactly their size, so that a read past their end is found. */
struct tables {
  int32_t *hash;
  float *gradients, *grid;
};

static float component_of(uint64_t *state, unsigned mode) {
  const uint64_t word = random_word(state);
  switch (mode) {
  case 1: /* anything */
    return float_of_bits((uint32_t)word);
  case 2:
    return 0;
  case 3:
    return word & 1 ? 1e6f : -1e6f;
  case 4:
    return (float)(word >> 40) * 0x1p-149f;
  default:
    return (float)(word >> 40) * 0x1p-23f - 1;
  }
}

static float *components_of(struct input *in, size_t count) {
  float *component = malloc(count * sizeof *component);
  expect(component != NULL, "no memory");
  uint64_t state = byte_of(in);
  const unsigned mode = byte_of(in) % 16;
  for (size_t i = 0; i < count; i++)
    component[i] = component_of(&state, mode);
  if (byte_of(in) == 1)
    component[byte_of(in) % count] = (float)number_of(in, 1);
  return component;
}

/* The library reads a table only as far as the params say, and only if they make sense. */
static struct tables give_tables(struct input *in, perlane_params *params) {
  struct tables tables = {NULL, NULL, NULL};
  if (params->hash >= PERLANE_HASH_TABLE && byte_of(in) < 250) {
    const size_t count = params->hash == PERLANE_HASH_TABLE    ? 256
                         : params->hash == PERLANE_HASH_PRIMES ? 1024
                                                               : 1;
    uint64_t state = byte_of(in);
    tables.hash = malloc(count * sizeof *tables.hash);
    expect(tables.hash != NULL, "no memory");
    for (size_t i = 0; i < count; i++)
      tables.hash[i] = (int32_t)(random_word(&state) >> 56);
    if (byte_of(in) == 1)
      tables.hash[word_of(in) % count] = int_of(in, 255);
  }
  if (params->gradients == PERLANE_GRADIENTS_TABLE && byte_of(in) < 250) {
    params->gradient_dims = int_of(in, 1 + (int32_t)below(in, PERLANE_MAX_DIMS));
    params->gradient_count = int_of(in, 2 + (int32_t)byte_of(in));
    const int32_t dims = params->gradient_dims, count = params->gradient_count;
    const int fits = dims >= 1 && dims <= PERLANE_MAX_DIMS && count >= 2 && count <= 256;
    tables.gradients = components_of(in, fits ? (size_t)dims * (size_t)count : 1);
  }
  if (params->hash == PERLANE_HASH_GRID && byte_of(in) < 250) {
    int32_t *const points = params->gradient_grid_count;
    points[0] = int_of(in, 1 + (int32_t)below(in, 7));
    points[1] = int_of(in, 1 + (int32_t)below(in, 5));
    const int sensible = points[0] > 0 && points[1] > 0;
    const int64_t count = sensible ? (int64_t)points[0] * points[1] : 1;
    /* No memory is allocated for tables that would be refused as too large. */
    if (count <= 4096)
      tables.grid = components_of(in, 2 * (size_t)count);
    else if (count > PERLANE_MAX_PERIOD)
      tables.grid = components_of(in, 2);
  }
  params->hash_table = tables.hash;
  params->gradient_table = tables.gradients;
  params->gradient_grid = tables.grid;
  return tables;
}

/* Points that usually are in order. */
static void curve_of(struct input *in, perlane_curve *curve) {
  curve->count = int_of(in, 2 + (int32_t)below(in, 4));
  double x = -1;
  for (int i = 0; i < PERLANE_MAX_CURVE_POINTS && (i < 2 || i < curve->count); i++) {
    curve->point[i][0] = number_of(in, x);
    curve->point[i][1] = number_of(in, (int8_t)byte_of(in) / 128.0);
    x += byte_of(in) / 256.0 + 1e-6;
  }
}

/* The options of warps, erosion, cells, curves and terraces. */
static void more_params_of(struct input *in, perlane_params *params) {
  const unsigned more = byte_of(in);
  if (more & 1) {
    params->warp_amplitude = number_of(in, byte_of(in) / 64.0 / params->frequency);
    params->warp_frequency = number_of(in, params->frequency);
    params->warp_octaves = int_of(in, 1 + (int32_t)below(in, 3));
    params->warp_lacunarity = number_of(in, 2);
    params->warp_gain = number_of(in, 0.5);
    params->warp_rounds = int_of(in, 1 + (int32_t)below(in, 3));
  }
  if (more & 2)
    params->erosion = number_of(in, byte_of(in));
  if (more & 4) {
    params->jitter = number_of(in, byte_of(in) / 255.0);
    params->cell_metric = choice_of(in, PERLANE_CELL_METRIC_COUNT);
    params->cell_output = choice_of(in, PERLANE_CELL_OUTPUT_COUNT);
  }
  if (more & 8) {
    curve_of(in, &params->curve);
    params->curve_shape = choice_of(in, PERLANE_CURVE_SHAPE_COUNT);
    if (byte_of(in) == 1)
      params->curve.reserved0 = int_of(in, 1);
  }
  if (more & 16) {
    params->terraces = int_of(in, (int32_t)byte_of(in));
    params->terrace_sharpness = number_of(in, byte_of(in) / 256.0);
  }
  if (more & 32) {
    params->falloff = number_of(in, byte_of(in) / 64.0);
    params->falloff_shape = choice_of(in, PERLANE_FALLOFF_SHAPE_COUNT);
    params->falloff_start = number_of(in, 0);
    params->falloff_end = number_of(in, byte_of(in));
    params->falloff_x = number_of(in, 0);
    params->falloff_y = number_of(in, byte_of(in));
  }
}

static perlane_params params_of(struct input *in, struct tables *tables) {
  static const double frequency[] = {0.01, 0.17, 0.5, 1, 1.37, 0x1p-7};
  perlane_params params = perlane_params_default();
  params.basis = (int32_t)choice_of(in, PERLANE_BASIS_COUNT);
  params.hash = (int32_t)choice_of(in, PERLANE_HASH_COUNT);
  params.gradients = (int32_t)choice_of(in, PERLANE_GRADIENTS_COUNT);
  params.fade = (int32_t)choice_of(in, PERLANE_FADE_COUNT);
  params.fractal = (int32_t)choice_of(in, PERLANE_FRACTAL_COUNT);
  params.normalize = (int32_t)choice_of(in, PERLANE_NORMALIZE_COUNT);
  params.seed = byte_of(in) < 128 ? byte_of(in) : word_of(in);
  params.frequency = number_of(in, frequency[below(in, 6)]);
  params.octaves = int_of(in, 1 + (int32_t)below(in, 4));
  params.lacunarity = number_of(in, 2);
  params.gain = number_of(in, 0.5);
  params.octaves_share = choice_of(in, 2);
  params.phase = choice_of(in, PERLANE_PHASE_COUNT);
  const unsigned more = byte_of(in); /* what differs from the default besides */
  if (more & 1)
    params.weighted_strength = number_of(in, byte_of(in) / 255.0);
  if (more & 2)
    params.ping_pong_strength = number_of(in, byte_of(in) / 16.0);
  if (more & 4)
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      params.period[a] = int_of(in, (int32_t)below(in, 16));
  if (more & 8)
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      params.table_offset[a] = int_of(in, (int32_t)byte_of(in));
  if (more & 16)
    params.amplitude = number_of(in, 1);
  if (more & 32)
    params.value_scale = number_of(in, 1);
  if (more & 64)
    params.value_offset = number_of(in, 0);
  if (more & 128)
    params.contrast = int_of(in, (int32_t)below(in, 5));
  *tables = give_tables(in, &params);
  const unsigned reserved = byte_of(in);
  if (reserved >= 128)
    more_params_of(in, &params);
  switch (reserved) {
  case 1:
    params.reserved0 = int_of(in, 1);
    break;
  case 2:
    params.falloff_end = number_of(in, 1);
    break;
  case 3:
    params.reserved[below(in, 9)] = word_of(in);
    break;
  default:
    break;
  }
  return params;
}

/* Length in bytes of the pattern that memory holds before a call. */
enum { PATTERN = 4096 };

static const unsigned char *pattern(void) {
  static unsigned char byte[PATTERN];
  if (byte[0] == 0)
    for (size_t i = 0; i < PATTERN; i++)
      byte[i] = (unsigned char)(0xA5 ^ i * 37);
  return byte;
}

static void fill_pattern(void *memory, size_t bytes) {
  unsigned char *byte = memory;
  for (size_t i = 0; i < bytes; i += PATTERN)
    memcpy(byte + i, pattern(), bytes - i < PATTERN ? bytes - i : PATTERN);
}

static int has_pattern(const void *memory, size_t bytes) {
  const unsigned char *byte = memory;
  for (size_t i = 0; i < bytes; i += PATTERN)
    if (memcmp(byte + i, pattern(), bytes - i < PATTERN ? bytes - i : PATTERN) != 0)
      return 0;
  return 1;
}

/* ---- Kernels ---- */

#ifdef FUZZ_EMULATED
#include "../tests/emulated.h"
#endif

struct kernel_list {
  size_t count;
  const struct perlane_kernels *table[PERLANE_ISA_COUNT];
};

/* Found once: asking a virtual machine's CPU what it is takes longer than a fill. */
static const struct kernel_list *lane_kernels(void) {
  static struct kernel_list list;
  if (list.count > 0)
    return &list;
  perlane_force_isa(PERLANE_ISA_SCALAR); /* of the public functions, from here on */
  for (int isa = PERLANE_ISA_SCALAR + 1; isa < PERLANE_ISA_COUNT; isa++) {
    const struct perlane_kernels *table = perlane_kernels_for((perlane_isa)isa);
    if (table)
      list.table[list.count++] = table;
  }
#ifdef FUZZ_EMULATED
  for (size_t i = 0; i < emulated_count; i++)
    if (!perlane_isa_built_in(emulated_kernels[i].isa)) /* of another machine */
      list.table[list.count++] = &emulated_kernels[i];
#endif
  return &list;
}

static int has_dims(int32_t dims) {
  return dims >= 1 && dims <= PERLANE_MAX_DIMS;
}

/* Corners of a sample, or cells, and those of its displacements: of a noise that was never made,
 * too. */
static size_t work_of(const perlane_noise *noise, int dims) {
  static const size_t cells[] = {3, 25, 343};
  const perlane_params *params = &noise->params;
  size_t work = (size_t)noise->octaves << dims;
  if (params->basis == PERLANE_BASIS_CELLULAR && dims <= 3)
    work = (size_t)noise->octaves * cells[dims - 1];
  if (params->warp_amplitude != 0)
    work += ((size_t)(params->warp_rounds & 3) * (size_t)(params->warp_octaves & 31) * (size_t)dims)
            << dims;
  return work;
}

/* ---- Grids ---- */

static size_t count_of(struct input *in, int dims) {
  static const size_t special[] = {0, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1, (size_t)1 << 40};
  static const size_t max[] = {255, 80, 24, 12};
  const unsigned b = byte_of(in);
  if (b >= 250)
    return special[b - 250 < 5 ? b - 250 : 0];
  return 1 + b % max[dims - 1];
}

static ptrdiff_t stride_of(struct input *in) {
  static const ptrdiff_t special[] = {PTRDIFF_MAX, PTRDIFF_MIN, PTRDIFF_MIN + 1, PTRDIFF_MAX / 4,
                                      (ptrdiff_t)1 << 32};
  const unsigned b = byte_of(in);
  switch (b % 8) {
  case 1:
    return (int8_t)byte_of(in);
  case 2:
    return (int16_t)(byte_of(in) << 8 | byte_of(in));
  case 3:
    return b < 224 ? 1 : special[below(in, 5)];
  default:
    return 0;
  }
}

static int64_t first_of(struct input *in) {
  static const int64_t special[] = {INT64_MAX,
                                    INT64_MIN,
                                    -1,
                                    1,
                                    INT64_MAX - 5,
                                    INT64_C(1) << 53,
                                    -(INT64_C(1) << 53),
                                    INT64_C(1) << 32,
                                    INT64_C(1) << 20};
  switch (byte_of(in) % 8) {
  case 1:
    return special[below(in, sizeof special / sizeof special[0])];
  case 2:
    return (int64_t)word_of(in);
  case 3:
    return (int16_t)(byte_of(in) << 8 | byte_of(in));
  default:
    return 0;
  }
}

static perlane_grid grid_of(struct input *in) {
  static const double step[] = {1, 0.25, 0.1, -0.3, 3.3, 0.01};
  perlane_grid grid;
  memset(&grid, 0, sizeof grid);
  const unsigned b = byte_of(in);
  grid.dims = b < 250 ? 1 + (int32_t)b % PERLANE_MAX_DIMS : int_of(in, 0);
  const int dims = has_dims(grid.dims) ? grid.dims : 1;
  for (int a = 0; a < dims; a++) {
    grid.count[a] = count_of(in, dims);
    grid.step[a] = number_of(in, step[below(in, 6)]);
    grid.origin[a] = number_of(in, 0);
    grid.first[a] = first_of(in);
  }
  if (byte_of(in) & 1)
    for (int a = 0; a < dims; a++)
      grid.stride[a] = stride_of(in);
  if (byte_of(in) == 1)
    grid.exact_strides = int_of(in, 1);
  if (byte_of(in) & 1)
    grid.octaves = (int32_t)below(in, PERLANE_MAX_OCTAVES + 2);
  for (int a = dims; a < PERLANE_MAX_DIMS; a++) /* which nobody looks at */
    memset(&grid.step[a], 0xFF, sizeof grid.step[a]);
  return grid;
}

/* Completes the strides, and bounds the offsets of samples, in numbers that cannot overflow here.
 * Returns 0 for a grid that there is no room for, or that the library should refuse; *refuse says
 * which. This is the header's text, written apart from the library. */
struct extent {
  ptrdiff_t lowest, highest; /* offsets from the first sample */
};

static int extent_of(perlane_grid *grid, struct extent *extent, int *refuse) {
  __extension__ typedef __int128 wide;
  const wide max = PTRDIFF_MAX / (ptrdiff_t)sizeof(float);
  wide samples = 1, lowest = 0, highest = 0;
  *refuse = 1;
  if (!has_dims(grid->dims) || (grid->exact_strides != 0 && grid->exact_strides != 1) ||
      grid->octaves > PERLANE_MAX_OCTAVES)
    return 0;
  for (int a = grid->dims; a < PERLANE_MAX_DIMS; a++) {
    grid->count[a] = 1;
    grid->stride[a] = 0;
  }
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    if (grid->count[a] == 0 || grid->count[a] > (size_t)PTRDIFF_MAX)
      return 0;
    if (grid->count[a] == 1 || (grid->stride[a] == 0 && !grid->exact_strides))
      grid->stride[a] = (ptrdiff_t)samples;
    samples *= grid->count[a];
    if (samples > max)
      return 0;
    const wide end = (wide)(grid->count[a] - 1) * grid->stride[a];
    *(end < 0 ? &lowest : &highest) += end;
    if (highest - lowest > 2 * max)
      return 0;
  }
  if (highest - lowest > max)
    return 0;
  *refuse = 0;
  if (samples > MAX_SAMPLES || highest - lowest > MAX_SPAN)
    return 0;
  *extent = (struct extent){(ptrdiff_t)lowest, (ptrdiff_t)highest};
  return 1;
}

enum form { VALUES, EXTREMES, GRADIENT, GRADIENT_ONLY, INTERLEAVED, WORDS, BYTES, FORMS, CELLS };

/* A fill's outputs and their formats. */
struct job {
  enum form form;
  size_t misalignment;
  float low, high;
  unsigned arrays; /* of CELLS: bit i is set if array i is filled */
};

static size_t sample_bytes(enum form form) {
  return form == WORDS ? sizeof(uint16_t) : form == BYTES ? 1 : sizeof(float);
}

/* Memory for all outputs of a fill, one after the other, each with a guard. */
struct memory {
  unsigned char *start;
  size_t bytes, plane; /* samples from one output to the next */
  struct perlane_output output;
  perlane_cells cells;
  float extremes[2];
};

/* Sets the arrays of cells whose bit is set, `plane` samples apart, and that the noise has. */
static perlane_cells cells_of(const perlane_noise *noise, float *array, size_t plane, int dims,
                              unsigned arrays) {
  perlane_cells cells;
  memset(&cells, 0, sizeof cells);
  cells.f1 = arrays & 1 ? array : NULL;
  cells.f2 = arrays & 2 ? array + plane : NULL;
  cells.id = arrays & 4 ? (uint32_t *)(void *)(array + 2 * plane) : NULL;
  for (int a = 0; a < dims; a++)
    cells.offset[a] = arrays & 8U << a ? array + (size_t)(3 + a) * plane : NULL;
  if (arrays & 64 && noise->params.cell_metric == PERLANE_CELL_METRIC_EUCLIDEAN)
    cells.edge = array + (size_t)(3 + dims) * plane;
  return cells;
}

static struct memory lay_out(const perlane_noise *noise, const perlane_grid *grid,
                             const struct extent *extent, const struct job *job) {
  const enum form form = job->form;
  struct memory memory;
  memset(&memory, 0, sizeof memory);
  const size_t size = sample_bytes(form);
  const size_t first = GUARD + job->misalignment + (size_t)-extent->lowest;
  const int dims = has_dims(grid->dims) ? grid->dims : 0;
  const int outputs = form == GRADIENT || form == GRADIENT_ONLY ? dims + 1
                      : form == CELLS                           ? dims + 4
                                                                : 1;
  memory.plane = first + (size_t)extent->highest + 1;
  memory.bytes = ((size_t)outputs * memory.plane + GUARD) * size;
  memory.start = aligned_alloc(64, (memory.bytes + 63) / 64 * 64);
  expect(memory.start != NULL, "no memory");
  fill_pattern(memory.start, memory.bytes);
  fill_pattern(memory.extremes, sizeof memory.extremes);
  unsigned char *value = memory.start + first * size;
  memory.output.format = form == WORDS ? PERLANE_U16 : form == BYTES ? PERLANE_U8 : PERLANE_FLOAT;
  memory.output.value = form == GRADIENT_ONLY || form == CELLS ? NULL : value;
  if (form == CELLS)
    memory.cells = cells_of(noise, (float *)(void *)value, memory.plane, dims, job->arrays);
  for (int a = 0; a < dims; a++)
    if (form == GRADIENT || form == GRADIENT_ONLY)
      memory.output.gradient[a] = (float *)(void *)(value + (size_t)(a + 1) * memory.plane * size);
    else if (form == INTERLEAVED)
      memory.output.gradient[a] = (float *)(void *)value + a + 1;
  return memory;
}

static perlane_status public_fill(const perlane_noise *noise, const perlane_grid *grid,
                                  const struct job *job, struct memory *memory) {
  void *value = memory->output.value;
  switch (job->form) {
  case VALUES:
    return perlane_fill(noise, grid, value);
  case EXTREMES:
    return perlane_fill_extremes(noise, grid, value, &memory->extremes[0], &memory->extremes[1]);
  case WORDS:
    return perlane_fill_u16(noise, grid, job->low, job->high, value);
  case BYTES:
    return perlane_fill_u8(noise, grid, job->low, job->high, value);
  case CELLS:
    return perlane_fill_cells(noise, grid, &memory->cells);
  default:
    return perlane_fill_gradient(noise, grid, value, memory->output.gradient);
  }
}

/* Moves on to a grid's next sample. Returns 0 after the last one. */
static int next_sample(const perlane_grid *grid, size_t index[PERLANE_MAX_DIMS],
                       ptrdiff_t *offset) {
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    if (index[a] + 1 < grid->count[a]) {
      index[a]++;
      *offset += grid->stride[a];
      return 1;
    }
    *offset -= (ptrdiff_t)index[a] * grid->stride[a]; /* which may be huge where the count is 1 */
    index[a] = 0;
  }
  return 0;
}

/* Checks that samples alone have been written, and no two of them to the same bytes. */
static void check_writes(const perlane_grid *grid, const struct memory *memory, size_t size) {
  unsigned char *copy = malloc(memory->bytes), *taken = calloc(memory->bytes, 1);
  expect(copy && taken, "no memory");
  memcpy(copy, memory->start, memory->bytes);
  const struct perlane_output *output = &memory->output;
  const perlane_cells *cells = &memory->cells;
  const void *const array[] = {output->value,       output->gradient[0], output->gradient[1],
                               output->gradient[2], output->gradient[3], cells->id,
                               cells->f1,           cells->f2,           cells->offset[0],
                               cells->offset[1],    cells->offset[2],    cells->edge};
  for (size_t j = 0; j < sizeof array / sizeof array[0]; j++) {
    if (!array[j])
      continue;
    const ptrdiff_t first = (const unsigned char *)array[j] - memory->start;
    size_t index[PERLANE_MAX_DIMS] = {0};
    ptrdiff_t offset = 0;
    do {
      const size_t byte = (size_t)(first + offset * (ptrdiff_t)size);
      expect(!taken[byte], "accepted strides let samples overlap");
      taken[byte] = 1;
      for (size_t i = byte; i < byte + size; i++)
        copy[i] = pattern()[i % PATTERN];
    } while (next_sample(grid, index, &offset));
  }
  expect(has_pattern(copy, memory->bytes), "the reference writes outside its samples");
  free(copy);
  free(taken);
}

/* Every value within the range, and the extremes those of the values. */
static void check_values(const perlane_noise *noise, const perlane_grid *grid,
                         const struct memory *memory, int has_extremes) {
  float low, high, smallest = INFINITY, largest = -INFINITY;
  expect(perlane_range(noise, grid->dims, &low, &high) == PERLANE_OK, "a field without a range");
  size_t index[PERLANE_MAX_DIMS] = {0};
  ptrdiff_t offset = 0;
  const float *value = memory->output.value;
  do {
    const float v = value[offset];
    expect(v >= low && v <= high, "a value outside of perlane_range");
    smallest = v < smallest ? v : smallest;
    largest = v > largest ? v : largest;
  } while (next_sample(grid, index, &offset));
  if (has_extremes) {
    expect(bits_of(smallest + 0.0f) == bits_of(memory->extremes[0]), "the smallest value is not");
    expect(bits_of(largest + 0.0f) == bits_of(memory->extremes[1]), "the largest value is not");
  }
}

/* Samples are those of perlane_at: a few of them. */
static void check_at(const perlane_noise *noise, const perlane_grid *grid,
                     const struct memory *memory) {
  size_t index[PERLANE_MAX_DIMS] = {0};
  ptrdiff_t offset = 0;
  if (grid->octaves > 0 && grid->octaves < noise->octaves)
    return; /* single values are those of all octaves */
  for (int n = 0; n < 3; n++) {
    double position[PERLANE_MAX_DIMS];
    for (int a = 0; a < grid->dims; a++)
      position[a] = grid->origin[a] + (double)(grid->first[a] + (int64_t)index[a]) * grid->step[a];
    float slope[PERLANE_MAX_DIMS];
    const int slopes = memory->output.gradient[0] != NULL;
    const float v = slopes ? perlane_at_gradient(noise, grid->dims, position, slope)
                           : perlane_at(noise, grid->dims, position);
    const float *value = memory->output.value;
    expect(!value || bits_of(value[offset]) == bits_of(v), "a sample is not that of perlane_at");
    for (int a = 0; slopes && a < grid->dims; a++) {
      expect(isfinite(slope[a]), "a derivative is not finite");
      expect(bits_of(memory->output.gradient[a][offset]) == bits_of(slope[a]),
             "a derivative is not that of perlane_at_gradient");
    }
    if (!next_sample(grid, index, &offset))
      return;
  }
}

/* Cells are those of points: of a few samples. */
static void check_cells(const perlane_noise *noise, const perlane_grid *grid,
                        const perlane_cells *cells) {
  size_t index[PERLANE_MAX_DIMS] = {0};
  ptrdiff_t offset = 0;
  for (int n = 0; n < 3; n++) {
    double position[PERLANE_MAX_DIMS];
    static const float zero = 0;
    const float *const coords[] = {&zero, &zero, &zero, &zero};
    for (int a = 0; a < grid->dims; a++)
      position[a] = grid->origin[a] + (double)(grid->first[a] + (int64_t)index[a]) * grid->step[a];
    float array[4 + PERLANE_MAX_DIMS];
    const perlane_cells point = cells_of(noise, array, 1, grid->dims, ~0U);
    expect(perlane_points_cells(noise, grid->dims, 1, position, coords, &point) == PERLANE_OK,
           "a sample that is no point");
    int same = (!cells->id || cells->id[offset] == *point.id) &&
               (!cells->f1 || bits_of(cells->f1[offset]) == bits_of(*point.f1)) &&
               (!cells->f2 || bits_of(cells->f2[offset]) == bits_of(*point.f2)) &&
               (!cells->edge || bits_of(cells->edge[offset]) == bits_of(*point.edge));
    for (int a = 0; a < grid->dims; a++)
      same &= !cells->offset[a] || bits_of(cells->offset[a][offset]) == bits_of(*point.offset[a]);
    expect(same, "a sample's cell is not that of perlane_points_cells");
    if (!next_sample(grid, index, &offset))
      return;
  }
}

static void report(const struct perlane_kernels *kernels, const struct memory *expected,
                   const struct memory *actual) {
  for (size_t i = 0; i < expected->bytes; i++)
    if (expected->start[i] != actual->start[i]) {
      fprintf(stderr, "fuzz/field: %s differs from the reference at byte %zu of %zu\n",
              kernels->name, i, expected->bytes);
      abort();
    }
  fprintf(stderr, "fuzz/field: %s has other extremes than the reference\n", kernels->name);
  abort();
}

/* Cuts a grid down to what there is time for; but counts that are more by far stay. */
static void cut_down(perlane_grid *grid, const perlane_noise *noise) {
  enum { FAR = 256 };
  for (int a = grid->dims - 1; a >= 0; a--)
    while (grid->count[a] > 1 && grid->count[a] < FAR) {
      size_t samples = 1;
      for (int b = 0; b < grid->dims; b++)
        samples *= grid->count[b] < FAR ? grid->count[b] : 1;
      if (samples * work_of(noise, grid->dims) <= MAX_WORK || samples <= 2)
        break;
      grid->count[a] = (grid->count[a] + 1) / 2;
    }
}

/* Sets strides that leave room for the derivatives next to each value. Returns 0 if the counts do
 * not allow it. */
static int interleave(perlane_grid *grid) {
  ptrdiff_t stride = grid->dims + 1;
  for (int a = 0; a < grid->dims; a++) {
    if (grid->count[a] > MAX_SAMPLES)
      return 0;
    grid->stride[a] = stride;
    stride *= (ptrdiff_t)grid->count[a];
  }
  return stride != 0;
}

/* Fills with each lane kernel and compares the whole memory around. */
static void compare_kernels(const perlane_noise *noise, const perlane_grid *grid,
                            const struct extent *extent, const struct job *job,
                            const struct memory *expected) {
  struct memory actual = lay_out(noise, grid, extent, job);
  if (job->form == EXTREMES)
    actual.output.extremes = actual.extremes;
  if (job->form == WORDS || job->form == BYTES) {
    const double max = job->form == WORDS ? 65535 : 255;
    actual.output.low = job->low;
    actual.output.scale = (float)(max / ((double)job->high - (double)job->low));
  }
  const int32_t octaves = grid->octaves;
  struct perlane_region region = {
      .dims = grid->dims,
      .octaves = octaves > 0 && octaves < noise->octaves ? octaves : noise->octaves};
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    region.first[a] = grid->first[a];
    region.count[a] = grid->count[a];
    region.origin[a] = grid->origin[a];
    region.step[a] = grid->step[a];
    region.stride[a] = grid->stride[a];
  }
  const struct kernel_list *kernels = lane_kernels();
  for (size_t i = 0; i < kernels->count; i++) {
    fill_pattern(actual.start, actual.bytes);
    fill_pattern(actual.extremes, sizeof actual.extremes);
    if (job->form == CELLS)
      kernels->table[i]->fill_cells(noise, &region, &actual.cells);
    else
      kernels->table[i]->fill(noise, &region, &actual.output);
    if (memcmp(expected->start, actual.start, actual.bytes) != 0 ||
        memcmp(expected->extremes, actual.extremes, sizeof actual.extremes) != 0)
      report(kernels->table[i], expected, &actual);
  }
  free(actual.start);
}

static void fuzz_grid(struct input *in, const perlane_noise *noise) {
  const unsigned form = byte_of(in);
  const int has_cells = noise->params.basis == PERLANE_BASIS_CELLULAR && form >= 128;
  struct job job = {.form = has_cells ? CELLS : (enum form)(form % FORMS), .arrays = form};
  job.misalignment = below(in, 16);
  job.low = (float)number_of(in, -1);
  job.high = (float)number_of(in, 1);
  perlane_grid grid = grid_of(in);
  char message[PERLANE_MESSAGE_BYTES];
  const size_t length = perlane_explain_grid(noise, &grid, message, sizeof message);
  expect(length < sizeof message, "a sentence about a grid is too long");
  expect((length == 0) == (perlane_grid_check(noise, &grid) == PERLANE_OK),
         "the sentence about a grid disagrees with the status");
  if (has_dims(grid.dims))
    cut_down(&grid, noise);
  if (job.form == INTERLEAVED && (!has_dims(grid.dims) || !interleave(&grid)))
    return;
  perlane_grid complete = grid;
  struct extent extent = {0, 0};
  int refuse;
  if (!extent_of(&complete, &extent, &refuse) && !refuse)
    return;
  struct memory expected = lay_out(noise, &complete, &extent, &job);
  const perlane_status status = public_fill(noise, &grid, &job, &expected);
  if (status != PERLANE_OK) {
    expect(has_pattern(expected.start, expected.bytes) &&
               has_pattern(expected.extremes, sizeof expected.extremes),
           "a fill that fails has written");
  } else {
    expect(!refuse, "a grid that leaves memory is accepted");
    check_writes(&complete, &expected, sample_bytes(job.form));
    if (expected.output.format == PERLANE_FLOAT && expected.output.value)
      check_values(noise, &complete, &expected, job.form == EXTREMES);
    if (job.form == CELLS)
      check_cells(noise, &complete, &expected.cells);
    else if (expected.output.format == PERLANE_FLOAT)
      check_at(noise, &complete, &expected);
    compare_kernels(noise, &complete, &extent, &job, &expected);
  }
  free(expected.start);
}

/* ---- Points ---- */

/* Lists longer than two of the kernels' blocks. */
enum { MAX_POINTS = 300, ARRAYS = 2 * PERLANE_MAX_DIMS + 4, POINT_ARRAY = MAX_POINTS + GUARD };

struct point_memory {
  float array[ARRAYS][POINT_ARRAY];
};

static float coordinate_of(struct input *in) {
  static const uint32_t special[] = {
      0,          0x80000000, 1,          0x80000001, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF,
      0x7F800000, 0xFF800000, 0x7FC00000, 0x7FA00001, 0xFFFFFFFF, 0x3F7FFFFF, 0xB2FFFFFF,
      0x5A000000, 0xDA000000, 0x5A000001, 0x4D000000, 0x4CFFFFFF, 0xCD000001, 0x4F000000};
  switch (byte_of(in) % 4) {
  case 1:
    return float_of_bits(special[below(in, sizeof special / sizeof special[0])]);
  case 2:
    return float_of_bits((uint32_t)word_of(in));
  default:
    return (float)number_of(in, 0.75);
  }
}

static void fuzz_points(struct input *in, const perlane_noise *noise) {
  const unsigned b = byte_of(in);
  const int32_t dims = b < 250 ? 1 + (int32_t)b % PERLANE_MAX_DIMS : int_of(in, 0);
  const unsigned what = byte_of(in);
  const int with_gradient = (what & 1) != 0, has_value = !with_gradient || (what & 2) != 0;
  const int in_place = (what & 12) == 12;
  const int has_cells = noise->params.basis == PERLANE_BASIS_CELLULAR && what >= 128;
  size_t n = (size_t)byte_of(in) + byte_of(in) % 46;
  if (has_dims(dims) && n > MAX_WORK / work_of(noise, dims))
    n = 1 + MAX_WORK / work_of(noise, dims);
  static const float scale[] = {1, 50, 1e4f, 0x1p31f, 1e-3f, 0x1p60f, 1e-40f, 0x1p26f};
  const float max = scale[below(in, 8)];
  uint64_t state = byte_of(in);
  static struct point_memory original, expected, actual;
  fill_pattern(&original, sizeof original);
  const size_t misalignment = below(in, 16);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    for (size_t i = 0; i < n; i++)
      original.array[a][misalignment + i] =
          ((float)(random_word(&state) >> 40) * 0x1p-23f - 1) * max;
  for (unsigned more = byte_of(in) % 16; more > 0 && n > 0; more--) {
    const size_t at = (byte_of(in) << 8 | byte_of(in)) % n;
    original.array[below(in, PERLANE_MAX_DIMS)][misalignment + at] = coordinate_of(in);
  }
  /* Floats, floats from an origin, or doubles around one. */
  static double position[PERLANE_MAX_DIMS][MAX_POINTS];
  const double *positions[PERLANE_MAX_DIMS];
  double origin[PERLANE_MAX_DIMS];
  const unsigned source = byte_of(in) % (has_cells ? 3 : 4);
  const int has_origin = source == 2, is_double = source == 3;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    origin[a] = has_origin || is_double ? number_of(in, 1e7) : 0;
    positions[a] = position[a];
    for (size_t i = 0; is_double && i < n; i++)
      position[a][i] = origin[a] + (double)original.array[a][misalignment + i] * 1.1;
  }
  const struct kernel_list *kernels = lane_kernels();
  for (size_t i = 0; i <= kernels->count; i++) {
    struct point_memory *memory = i == 0 ? &expected : &actual;
    *memory = original;
    const float *coords[PERLANE_MAX_DIMS];
    float *gradient[PERLANE_MAX_DIMS];
    for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
      coords[a] = memory->array[a] + misalignment;
      gradient[a] = memory->array[in_place ? a : PERLANE_MAX_DIMS + a] + misalignment;
    }
    float *out = memory->array[in_place && !with_gradient ? 0 : 2 * PERLANE_MAX_DIMS];
    out = has_value ? out + misalignment : NULL;
    const struct perlane_point_list list = {.dims = dims,
                                            .n = n,
                                            .origin = has_origin ? origin : NULL,
                                            .coords = is_double ? NULL : coords,
                                            .coords64 = is_double ? positions : NULL,
                                            .out = out,
                                            .gradient = with_gradient ? gradient : NULL};
    const perlane_cells cells = cells_of(noise, memory->array[PERLANE_MAX_DIMS] + misalignment,
                                         POINT_ARRAY, PERLANE_MAX_DIMS, what);
    if (i == 0) {
      const perlane_status status =
          has_cells   ? perlane_points_cells(noise, dims, n, list.origin, coords, &cells)
          : is_double ? perlane_points_double(noise, dims, n, positions, out, list.gradient)
          : with_gradient
              ? perlane_points_gradient(noise, dims, n, list.origin, coords, out, gradient)
              : perlane_points(noise, dims, n, list.origin, coords, out);
      if (status != PERLANE_OK || n == 0) {
        expect(memcmp(&expected, &original, sizeof original) == 0,
               "points that fail, or none, have written");
        return;
      }
      float low, high;
      expect(perlane_range(noise, dims, &low, &high) == PERLANE_OK, "a field without a range");
      for (size_t j = 0; out && !has_cells && j < n; j++)
        expect(isnan(out[j]) ? bits_of(out[j]) == 0x7FC00000 : out[j] >= low && out[j] <= high,
               "a point's value outside of perlane_range");
    } else {
      if (has_cells)
        kernels->table[i - 1]->points_cells(noise, &list, &cells);
      else
        kernels->table[i - 1]->points(noise, &list);
      if (memcmp(&expected, &actual, sizeof actual) != 0) {
        fprintf(stderr, "fuzz/field: %s differs from the reference at points\n",
                kernels->table[i - 1]->name);
        abort();
      }
    }
  }
}

/* ---- One input ---- */

static void check_ranges(const perlane_noise *noise) {
  for (int32_t dims = -1; dims <= PERLANE_MAX_DIMS + 1; dims++) {
    float bound[2];
    fill_pattern(bound, sizeof bound);
    if (perlane_range(noise, dims, &bound[0], &bound[1]) == PERLANE_OK)
      expect(has_dims(dims) && isfinite(bound[0]) && isfinite(bound[1]) && bound[0] <= bound[1],
             "a range that is none");
    else
      expect(has_pattern(bound, sizeof bound), "perlane_range fails and has written");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)lane_kernels();
  struct input in = {data, size};
  struct tables tables;
  const unsigned job = byte_of(&in);
  const perlane_params params = params_of(&in, &tables);
  static perlane_noise noise;
  fill_pattern(&noise, sizeof noise);
  char message[PERLANE_MESSAGE_BYTES];
  const size_t length = perlane_explain_params(&params, message, sizeof message);
  expect(length < sizeof message, "a sentence about params is too long");
  expect((length == 0) == (perlane_init(&noise, &params) == PERLANE_OK),
         "the sentence about params disagrees with the status");
  if (length > 0) {
    expect(has_pattern(&noise, sizeof noise), "perlane_init fails and has written");
    if (job % 64 == 1) /* a noise that was never made */
      fuzz_grid(&in, &noise);
  } else {
    check_ranges(&noise);
    if (job % 3 == 2)
      fuzz_points(&in, &noise);
    else
      fuzz_grid(&in, &noise);
  }
  free(tables.hash);
  free(tables.gradients);
  free(tables.grid);
  return 0;
}
