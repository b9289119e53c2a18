/* SPDX-License-Identifier: MIT */
#include "calls.h"
#include "perlane_expression.h"

#include <float.h>
#include <math.h>
#ifndef __wasi__
#include <sys/mman.h>
#include <unistd.h>
#endif

static const char *const FORM_NAME[FORMS] = {
    "values", "values and extremes", "values and gradient", "gradient", "interleaved", "u16", "u8"};

int is_sloped(enum form form) {
  return form == GRADIENT || form == GRADIENT_ONLY || form == INTERLEAVED;
}

size_t sample_bytes(enum form form) {
  return form == WORDS ? sizeof(uint16_t) : form == BYTES ? 1 : sizeof(float);
}

static int is_list(const struct call *call) {
  return call->coords[0] || call->coords64[0];
}

static ptrdiff_t stride_of(const struct call *call) {
  return call->stride != 0 ? (ptrdiff_t)call->stride : 1;
}

/* ---- Grids ---- */

void pack(perlane_grid *grid) {
  int64_t stride = 1;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid->stride[a] = stride;
    stride *= (int64_t)grid->count[a];
  }
}

perlane_grid grid_of(int dims, const size_t *count) {
  perlane_grid grid = {.dims = dims};
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    grid.count[a] = a < dims ? count[a] : 1;
    grid.step[a] = 1;
  }
  pack(&grid);
  return grid;
}

size_t samples_of(const perlane_grid *grid) {
  size_t samples = 1;
  for (int a = 0; a < grid->dims; a++)
    samples *= grid->count[a];
  return samples;
}

ptrdiff_t offset_of(const perlane_grid *grid, size_t sample) {
  ptrdiff_t offset = 0;
  for (int a = 0; a < grid->dims; a++) {
    offset += (ptrdiff_t)(sample % grid->count[a]) * (ptrdiff_t)grid->stride[a];
    sample /= grid->count[a];
  }
  return offset;
}

/* Returns where a sample is in the output of a grid or a list. */
static ptrdiff_t place_of(const struct call *call, size_t sample) {
  return is_list(call) ? (ptrdiff_t)sample : offset_of(&call->grid, sample);
}

static double coordinate_of(const perlane_grid *grid, int axis, size_t i) {
  return grid->origin[axis] + (double)(grid->first[axis] + (int64_t)i) * grid->step[axis];
}

void position_of(const struct call *call, size_t sample, double position[PERLANE_MAX_DIMS]) {
  for (int a = 0; a < call->grid.dims; a++)
    if (is_list(call)) {
      const ptrdiff_t at = (ptrdiff_t)sample * stride_of(call);
      position[a] = call->coords64[0] ? call->coords64[a][at] : (double)call->coords[a][at];
      if (call->origin)
        position[a] = call->origin[a] + position[a];
    } else {
      position[a] = coordinate_of(&call->grid, a, sample % call->grid.count[a]);
      sample /= call->grid.count[a];
    }
}

int is_inside(const perlane_noise *noise, const perlane_grid *grid) {
  if (noise->is_expression)
    return perlane_grid_check(noise, grid) == PERLANE_OK;
  for (int a = 0; a < grid->dims; a++)
    if (!in_domain(noise, coordinate_of(grid, a, 0)) ||
        !in_domain(noise, coordinate_of(grid, a, grid->count[a] - 1)))
      return 0;
  return 1;
}

/* ---- Calls ---- */

perlane_noise limited(const perlane_noise *noise, int32_t octaves) {
  perlane_noise part = *noise;
  if (octaves > 0)
    assert_ok(perlane_limit_octaves(&part, octaves));
  return part;
}

/* (Not inlined: a copy of a noise is not on the stack that tests measure.) */
static __attribute__((noinline)) int octaves_of(const perlane_noise *noise, int32_t octaves) {
  const perlane_noise part = limited(noise, octaves);
  return part.octaves + part.valley_octaves;
}

static perlane_status list_points(const struct perlane_kernels *kernels, const perlane_noise *noise,
                                  const struct call *call, float *value, float *const *gradient) {
  const int dims = call->grid.dims;
  const size_t n = call->grid.count[0];
  if (!kernels) {
    perlane_list list = call->coords64[0] ? list_of_doubles(dims, n, call->coords64)
                                          : list_of(dims, n, call->origin, call->coords);
    list.octaves = call->grid.octaves;
    list.stride = call->stride;
    return perlane_points(noise, &list, value, gradient);
  }
  struct perlane_point_list list = {.dims = dims,
                                    .octaves = octaves_of(noise, call->grid.octaves),
                                    .n = n,
                                    .stride = stride_of(call),
                                    .coords = call->coords64[0] ? NULL : call->coords,
                                    .coords64 = call->coords64[0] ? call->coords64 : NULL,
                                    .origin = call->origin,
                                    .out = value,
                                    .gradient = gradient};
  for (int a = 0; a < dims && call->spacing; a++)
    list.spacing[a] = call->spacing[a];
  kernels->points(noise, &list);
  return PERLANE_OK;
}

/* The factor of integers. */
static float scale_of(const struct call *call) {
  return (float)((call->form == BYTES ? 255 : 65535) / ((double)call->high - (double)call->low));
}

struct perlane_region region_of(const perlane_noise *noise, const perlane_grid *grid) {
  struct perlane_region region = {.dims = grid->dims,
                                  .octaves = octaves_of(noise, grid->octaves),
                                  .work = grid->work,
                                  .work_bytes = (size_t)grid->work_bytes};
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    region.first[a] = grid->first[a];
    region.count[a] = (size_t)grid->count[a];
    region.origin[a] = grid->origin[a];
    region.step[a] = grid->step[a];
    region.stride[a] = (ptrdiff_t)grid->stride[a];
  }
  return region;
}

perlane_status evaluate(const struct perlane_kernels *kernels, const perlane_noise *noise,
                        struct call *call) {
  const int dims = call->grid.dims, sloped = is_sloped(call->form);
  void *value = call->form == GRADIENT_ONLY ? NULL : call->value;
  if (is_list(call))
    return list_points(kernels, noise, call, value, sloped ? call->gradient : NULL);
  if (!kernels)
    return sloped ? perlane_fill_gradient(noise, &call->grid, value, call->gradient)
           : call->form == WORDS
               ? perlane_fill_u16(noise, &call->grid, call->low, call->high, value)
           : call->form == BYTES ? perlane_fill_u8(noise, &call->grid, call->low, call->high, value)
           : call->form == EXTREMES ? perlane_fill_extremes(noise, &call->grid, value,
                                                            &call->extremes[0], &call->extremes[1])
                                    : perlane_fill(noise, &call->grid, value);
  struct perlane_output output = {.format = call->form == WORDS   ? FORMAT_U16
                                            : call->form == BYTES ? FORMAT_U8
                                                                  : FORMAT_FLOAT,
                                  .value = value,
                                  .low = call->low,
                                  .scale = scale_of(call),
                                  .extremes = call->form == EXTREMES ? call->extremes : NULL};
  const struct perlane_region region = region_of(noise, &call->grid);
  for (int a = 0; a < dims && sloped; a++)
    output.gradient[a] = call->gradient[a];
  kernels->fill(noise, &region, &output);
  return PERLANE_OK;
}

static uint32_t as_integer(const struct call *call, float value) {
  const float above = value - call->low, scaled = above * scale_of(call);
  const float most = call->form == BYTES ? 255 : 65535;
  return (uint32_t)rintf(fminf(fmaxf(scaled, 0), most)); /* ties to even */
}

/* Points are NaN outside the domain, and there only; which of them a warp takes out is not always
 * known beforehand. */
static void check_domain(const perlane_noise *noise, int dims, const double *position,
                         float value) {
  int inside = 1, beyond = 0;
  for (int a = 0; a < dims; a++) {
    inside &= in_domain(noise, position[a]);
    beyond |= beyond_domain(noise, position[a]);
  }
  if (inside || beyond)
    assert_int_equal(bits_of(value) == 0x7FC00000, beyond);
}

/* Compares a large grid with its bands, which are small enough for the caches. Other tests compare
 * small grids with the reference, which would take a thousand times as long here. */
static void expect_bands(const perlane_noise *noise, const struct perlane_kernels *kernels,
                         struct call *call) {
  enum { BANDS = 32 };
  const int last = call->grid.dims - 1;
  const uint64_t count = call->grid.count[last], rows = count / BANDS + 1;
  struct call band = *call;
  call->extremes[0] = FLT_MAX;
  call->extremes[1] = -FLT_MAX;
  for (uint64_t at = 0; at < count; at += rows) {
    const ptrdiff_t offset = (ptrdiff_t)at * (ptrdiff_t)call->grid.stride[last];
    band.grid.first[last] = call->grid.first[last] + (int64_t)at;
    band.grid.count[last] = count - at < rows ? count - at : rows;
    band.value = (char *)call->value + offset * (ptrdiff_t)sample_bytes(call->form);
    for (int a = 0; a <= last; a++)
      band.gradient[a] = call->gradient[a] + offset;
    assert_ok(evaluate(kernels, noise, &band));
    call->extremes[0] = fminf(call->extremes[0], band.extremes[0]);
    call->extremes[1] = fmaxf(call->extremes[1], band.extremes[1]);
  }
}

void expect(const perlane_noise *noise, struct call *call) {
  enum { LARGE = 1 << 19 };
  const struct kernel_list kernels = lane_kernels();
  if (!is_list(call) && samples_of(&call->grid) > LARGE && kernels.count > 0) {
    const float before[2] = {call->extremes[0], call->extremes[1]};
    expect_bands(noise, kernels.table[0], call);
    if (call->form != EXTREMES)
      memcpy(call->extremes, before, sizeof before);
    return;
  }
  const perlane_noise part = limited(noise, call->grid.octaves);
  const int dims = call->grid.dims, sloped = is_sloped(call->form);
  const size_t samples = samples_of(&call->grid);
  float low = INFINITY, high = -INFINITY;
  for (size_t s = 0; s < samples; s++) {
    double position[PERLANE_MAX_DIMS];
    float slope[PERLANE_MAX_DIMS];
    position_of(call, s, position);
    const ptrdiff_t at = place_of(call, s);
    const float v = call->known[0]
                        ? call->known[0][at]
                        : perlane_scalar_kernels.at(&part, dims, position, sloped ? slope : NULL);
    if (is_list(call) && !noise->is_expression)
      check_domain(noise, dims, position, v);
    if (call->form == WORDS)
      ((uint16_t *)call->value)[at] = (uint16_t)as_integer(call, v);
    else if (call->form == BYTES)
      ((uint8_t *)call->value)[at] = (uint8_t)as_integer(call, v);
    else if (call->form != GRADIENT_ONLY)
      ((float *)call->value)[at] = v;
    for (int a = 0; a < dims && sloped; a++)
      call->gradient[a][at] = call->known[0] ? call->known[1 + a][at] : slope[a];
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
  const int has_any = low <= high; /* that is a number */
  if (call->form == EXTREMES) {    /* + 0: no zero is negative */
    call->extremes[0] = has_any ? low + 0.0f : float_of(0x7FC00000);
    call->extremes[1] = has_any ? high + 0.0f : float_of(0x7FC00000);
  }
}

/* ---- Memory between pages that fault ---- */

#ifdef __wasi__ /* which has none */
struct fence fence(size_t least) {
  const size_t bytes = (least + 63) / 64 * 64;
  return (struct fence){aligned_alloc(64, bytes), bytes};
}

void take_down(struct fence *fence) {
  free(fence->start);
}
#else
struct fence fence(size_t least) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t bytes = (least + page - 1) / page * page;
  unsigned char *all = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(all != MAP_FAILED);
  assert_int_equal(mprotect(all + page, bytes, PROT_READ | PROT_WRITE), 0);
  return (struct fence){all + page, bytes};
}

void take_down(struct fence *fence) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  munmap(fence->start - page, fence->bytes + 2 * page);
}
#endif

/* ---- Comparison ---- */

/* Values, derivatives, coordinates: a fence for each, once for what a call must write, and once for
 * what it does. An array has `before` elements of a pattern before it, and others after it. */
enum { ARRAYS = 1 + 2 * PERLANE_MAX_DIMS, COORDINATES = 1 + PERLANE_MAX_DIMS, GUARD = 64 };
static struct fence memory[2][ARRAYS];
static struct array { size_t bytes, before; /* bytes 0: the array is not used */ } arrays[ARRAYS];
static int at_end; /* of the fences */
static int64_t list_stride;

static unsigned char *start_of(int which, int array) {
  const struct fence *fence = &memory[which][array];
  return at_end ? fence->start + fence->bytes - arrays[array].bytes : fence->start;
}

static void use_array(struct random *random, int array, size_t elements, size_t size) {
  const size_t gap = random_below(random, 2) ? 0 : random_below(random, 16);
  arrays[array] = (struct array){(elements + GUARD + gap) * size, (at_end ? GUARD : gap) * size};
  for (int which = 0; which < 2; which++) {
    if (memory[which][array].bytes >= arrays[array].bytes)
      continue;
    if (memory[which][array].bytes > 0)
      take_down(&memory[which][array]);
    memory[which][array] = fence(arrays[array].bytes + (1 << 16));
  }
}

/* The arrays that receive results: some of a list's take the place of coordinates. */
static void use_arrays(struct random *random, const struct call *call, int array[COORDINATES]) {
  const int dims = call->grid.dims, has_own = call->form == GRADIENT || call->form == GRADIENT_ONLY;
  size_t elements = 1 + (call->form == INTERLEAVED ? (size_t)dims : 0);
  for (int a = 0; a < dims; a++)
    elements += (size_t)(llabs(call->grid.stride[a]) * (int64_t)(call->grid.count[a] - 1));
  at_end = (int)random_below(random, 2);
  memset(arrays, 0, sizeof arrays);
  int taken[PERLANE_MAX_DIMS] = {0};
  list_stride = random_below(random, 4) ? 1 : (int64_t)random_below(random, 7) - 3;
  for (int a = 0; a < dims && is_list(call); a++)
    use_array(random, COORDINATES + a, elements * (size_t)(list_stride ? llabs(list_stride) : 1),
              call->coords64[0] ? sizeof(double) : sizeof(float));
  for (int r = 0; r <= (has_own ? dims : 0); r++) {
    const int replaced = (int)random_below(random, (uint64_t)dims);
    array[r] = r;
    if (call->coords[0] && list_stride == 1 && random_below(random, 4) == 0 && !taken[replaced]++)
      array[r] = COORDINATES + replaced;
    else
      use_array(random, r, elements, sample_bytes(call->form));
  }
}

/* Fills the arrays with the pattern, copies the coordinates there, and points the call to them. */
static struct call bound(const struct call *call, int which, const int array[COORDINATES]) {
  struct call made = *call;
  const int dims = call->grid.dims, has_own = call->form == GRADIENT || call->form == GRADIENT_ONLY;
  unsigned char *address[ARRAYS] = {NULL};
  for (int i = 0; i < ARRAYS; i++)
    if (arrays[i].bytes > 0) {
      fill_pattern(start_of(which, i), arrays[i].bytes);
      address[i] = start_of(which, i) + arrays[i].before;
    }
  made.stride = list_stride;
  for (int a = 0; a < dims && is_list(call); a++) {
    const ptrdiff_t stride = stride_of(&made), n = (ptrdiff_t)call->grid.count[0];
    const ptrdiff_t start = stride < 0 ? (n - 1) * -stride : 0;
    float *const floats = (float *)(void *)address[COORDINATES + a] + start;
    double *const doubles = (double *)(void *)address[COORDINATES + a] + start;
    for (ptrdiff_t i = 0; i < n; i++)
      if (call->coords64[0])
        doubles[i * stride] = call->coords64[a][i];
      else
        memcpy(&floats[i * stride], &call->coords[a][i],
               sizeof(float)); /* of signalling NaNs, too */
    if (call->coords64[0])
      made.coords64[a] = doubles;
    else
      made.coords[a] = floats;
  }
  ptrdiff_t before = 0; /* samples below the first */
  for (int a = 0; a < dims; a++)
    if (call->grid.stride[a] < 0)
      before -= (ptrdiff_t)call->grid.stride[a] * (ptrdiff_t)(call->grid.count[a] - 1);
  made.value = address[array[0]] + (size_t)before * sample_bytes(call->form);
  for (int a = 0; a < dims; a++)
    made.gradient[a] = has_own ? (float *)(void *)address[array[a + 1]] + before
                               : (float *)made.value + a + 1; /* INTERLEAVED */
  return made;
}

static void describe(const char *who, const perlane_params *params, const struct call *call) {
  print_message("%s: %s of a %s, %d dims, octaves %d, at the %s, low %a, high %a\n", who,
                FORM_NAME[call->form], is_list(call) ? "list" : "grid", (int)call->grid.dims,
                (int)call->grid.octaves, at_end ? "end" : "start", (double)call->low,
                (double)call->high);
  if (call->expression) {
    char text[4096];
    perlane_expression_text(call->expression, text, sizeof text);
    print_message("  %s\n", text);
  }
  print_params(params);
  for (int a = 0; a < call->grid.dims; a++)
    print_message("  axis %d: first %lld, count %llu, origin %a, step %a, stride %lld\n", a,
                  (long long)call->grid.first[a], (unsigned long long)call->grid.count[a],
                  call->origin ? call->origin[a] : call->grid.origin[a], call->grid.step[a],
                  (long long)call->grid.stride[a]);
}

static void same_memory(const char *who, const perlane_params *params, const struct call *expected,
                        const struct call *actual) {
  int differs = memcmp(expected->extremes, actual->extremes, sizeof actual->extremes) != 0;
  for (int i = 0; i < ARRAYS; i++)
    differs |= arrays[i].bytes > 0 && memcmp(start_of(0, i), start_of(1, i), arrays[i].bytes) != 0;
  if (!differs)
    return;
  set_context(" ");
  describe(who, params, actual);
  if (actual->form == EXTREMES)
    print_message("  expected extremes %a %a, got %a %a\n", (double)expected->extremes[0],
                  (double)expected->extremes[1], (double)actual->extremes[0],
                  (double)actual->extremes[1]);
  for (int i = 0; i < ARRAYS; i++)
    for (size_t at = 0, shown = 0; at + 4 <= arrays[i].bytes && shown < 5; at += 4)
      if (memcmp(start_of(0, i) + at, start_of(1, i) + at, 4) != 0) {
        uint32_t wanted, got;
        memcpy(&wanted, start_of(0, i) + at, 4);
        memcpy(&got, start_of(1, i) + at, 4);
        print_message("  array %d, %td bytes from its first: expected %08x, got %08x\n", i,
                      (ptrdiff_t)at - (ptrdiff_t)arrays[i].before, wanted, got);
        shown++;
      }
  fail();
}

/* Makes the same structure of another seed, `elder`, by perlane_reseed, which reads none of the
 * caller's hash tables. What a field does not use is 0 in one and NaN in the other of the two that
 * the tests evaluate; a member that is read nevertheless shows. */
static perlane_noise made_by_reseeding(struct random *random, const perlane_params *params,
                                       perlane_noise *by_init, perlane_noise *elder) {
  perlane_params other = *params;
  int32_t hash_table[1024];
  if (params->hash_table) /* as many as the hash reads */
    other.hash_table = memcpy(hash_table, params->hash_table,
                              (params->hash == PERLANE_HASH_PRIMES ? 1024 : 256) * sizeof(int32_t));
  memset(elder, 0, sizeof *elder);
  memset(by_init, 0, sizeof *by_init);
  assert_ok(perlane_init(by_init, &other));
  other.seed = random_below(random, 4) ? random_word(random) : params->seed;
  assert_ok(perlane_init(elder, &other));
  memset(hash_table, 0xFF, sizeof hash_table);
  perlane_noise noise = *elder;
  assert_ok(perlane_reseed(&noise, params->seed));
  assert_memory_equal(&noise, by_init, sizeof noise);
  return noise;
}

/* Gives a fill no work memory, or some of any size that ends at a page that faults. That of kernels
 * is aligned. */
static void give_work(struct random *random, int is_aligned, perlane_grid *grid) {
  enum { LINE = 64, LINES = PERLANE_WORK_BYTES / LINE };
  static struct fence work;
  if (work.bytes == 0)
    work = fence((size_t)LINES * LINE);
  const size_t lines = random_below(random, 3) ? random_below(random, LINES + 1) : 0;
  if (lines == 0)
    return;
  grid->work_bytes = lines * LINE - (is_aligned ? 0 : random_below(random, LINE));
  grid->work = work.start + work.bytes - grid->work_bytes;
}

/* Compares one sample with its position alone. (Results may be in place of coordinates.) */
static void compare_single(struct random *random, const perlane_noise *noise,
                           const struct call *call, const struct call *expected) {
  const struct kernel_list kernels = all_kernels();
  const int dims = expected->grid.dims, sloped = expected->form == GRADIENT;
  const size_t sample = random_below(random, samples_of(&expected->grid));
  const ptrdiff_t at = place_of(expected, sample);
  double position[PERLANE_MAX_DIMS];
  float wanted[1 + PERLANE_MAX_DIMS], got[1 + PERLANE_MAX_DIMS];
  position_of(call, sample, position);
  fill_pattern(wanted, sizeof wanted);
  fill_pattern(got, sizeof got);
  wanted[0] = ((float *)expected->value)[at];
  for (int a = 0; a < dims && sloped; a++)
    wanted[1 + a] = expected->gradient[a][at];
  for (size_t k = 0; k <= kernels.count; k++)
    for (int slopes = 0; slopes <= sloped; slopes++) {
      force_any(random);
      got[0] = k < kernels.count
                   ? kernels.table[k]->at(noise, dims, position, slopes ? got + 1 : NULL)
               : slopes ? perlane_at_gradient(noise, dims, position, got + 1)
                        : perlane_at(noise, dims, position);
      if (bits_of(got[0]) != bits_of(wanted[0]) ||
          (slopes == sloped && memcmp(got, wanted, sizeof wanted) != 0)) {
        describe(k < kernels.count ? kernels.table[k]->name : "public", &noise->params, call);
        fail_msg("sample %zu alone is %a%s, not %a", sample, (double)got[0],
                 slopes ? ", or its derivatives differ" : "", (double)wanted[0]);
      }
    }
}

/* Fails unless values are in the range of their field; outside the domain they are NaN. */
static void check_range(const perlane_noise *noise, const struct call *expected) {
  float low, high;
  assert_ok(perlane_range(noise, expected->grid.dims, &low, &high));
  for (size_t i = 0; i < samples_of(&expected->grid); i++) {
    const float value = ((float *)expected->value)[place_of(expected, i)];
    if (value < low || value > high) {
      describe("perlane_range", &noise->params, expected);
      fail_msg("sample %zu is %a, outside of %a to %a", i, (double)value, (double)low,
               (double)high);
    }
  }
}

int compare(struct random *random, const perlane_params *params, const struct call *call) {
  const struct kernel_list kernels = lane_kernels();
  perlane_noise reference, noise, elder;
  if (call->expression) {
    reference = noise = elder = *call->expression;
  } else {
    const int is_reseeded = random_below(random, 4) == 0;
    noise = made_by_reseeding(random, params, &reference, &elder);
    if (!is_reseeded)
      noise = noise_of(params);
  }
  if (is_sloped(call->form) && gradient_of(&noise, call->grid.dims) != PERLANE_OK)
    return 0;
  if (!is_list(call) && !call->known[0] && !is_inside(&noise, &call->grid))
    return 0;
  struct call part = *call;
  if (!call->known[0] && random_below(random, 3) == 0)
    part.grid.octaves =
        1 + (int32_t)random_below(random, (uint64_t)(noise.octaves + noise.valley_octaves));
  call = &part;
  int array[COORDINATES];
  use_arrays(random, call, array);
  struct call expected = bound(call, 0, array);
  expect(&reference, &expected);
  if (call->form == VALUES || call->form == GRADIENT) {
    const perlane_noise part_noise = limited(&reference, part.grid.octaves);
    compare_single(random, &part_noise, call, &expected);
    check_range(&part_noise, &expected);
  }
  if (part.grid.octaves > 0 && !call->known[0] && random_below(random, 2)) {
    noise = limited(&noise, part.grid.octaves);
    elder = limited(&elder, part.grid.octaves);
    part.grid.octaves = random_below(random, 2) ? 0 : PERLANE_MAX_OCTAVES;
  }
  for (size_t i = 0; i <= kernels.count; i++) {
    const struct perlane_kernels *by = i < kernels.count ? kernels.table[i] : NULL;
    if (!by && random_below(random, 3))
      continue;
    if (!by && call->known[0]) /* the reference would take long */
      force_lanes(random);
    else if (!by)
      force_any(random);
    struct call actual = bound(call, 1, array);
    if (!call->grid.work)
      give_work(random, by != NULL, &actual.grid);
    const char *who = by ? by->name : perlane_isa_name(perlane_isa_current());
    set_context("%s: %s, %d dims, %llu x %llu x %llu x %llu, at the %s", who, FORM_NAME[call->form],
                (int)call->grid.dims, (unsigned long long)call->grid.count[0],
                (unsigned long long)call->grid.count[1], (unsigned long long)call->grid.count[2],
                (unsigned long long)call->grid.count[3], at_end ? "end" : "start");
    actual.grid.seed = params->seed;
    actual.grid.has_seed = !by && !is_list(call) && !call->expression && random_below(random, 2);
    assert_ok(evaluate(by, actual.grid.has_seed ? &elder : &noise, &actual));
    same_memory(who, params, &expected, &actual);
  }
  force(PERLANE_ISA_AUTO);
  return 1;
}

/* ---- Random cases ---- */

static const size_t ONE[PERLANE_MAX_DIMS] = {1, 1, 1, 1};

static float random_level(struct random *random) {
  return (float)(random_below(random, 2) ? (double)random_below(random, 3) - 1
                                         : random_between(random, -2, 2));
}

/* In a form, with random levels. Those of a quarter are the ends of the range, if they are apart;
 * of another, so near each other that levels of most values are beyond every integer. */
int compare_form(struct random *random, const perlane_params *params, struct call call,
                 enum form form) {
  const perlane_noise noise = call.expression ? *call.expression : noise_of(params);
  float low, high;
  call.form = form;
  call.low = random_level(random);
  call.high = call.low + random_level(random) + 0.25f;
  const uint64_t kind = random_below(random, 4);
  if (kind == 0 && perlane_range(&noise, call.grid.dims, &low, &high) == PERLANE_OK &&
      high - low > 1e-30f && high - low < INFINITY) {
    call.low = low;
    call.high = high;
  } else if (kind == 1) {
    call.low = 0x1p-4f;
    call.high = call.low + 0x1p-27f;
  }
  return compare(random, params, &call);
}

enum form random_form(struct random *random) {
  return random_below(random, 2) ? VALUES : (enum form)random_below(random, FORMS);
}

int compare_grid(struct random *random, const perlane_params *params, const perlane_grid *grid,
                 enum form form) {
  struct call call = {.grid = *grid};
  for (int a = 0; a < grid->dims && form == INTERLEAVED; a++)
    call.grid.stride[a] *= grid->dims + 1;
  return compare_form(random, params, call, form);
}

/* Axes nested in a random order, with random gaps, forwards or backwards. */
void random_strides(struct random *random, perlane_grid *grid) {
  int order[PERLANE_MAX_DIMS] = {0, 1, 2, 3};
  if (random_below(random, 4) == 0)
    shuffle_axes(random, order, grid->dims);
  int64_t next = random_below(random, 8) == 0 ? 3 : 1;
  for (int i = 0; i < grid->dims; i++) {
    const int axis = order[i];
    grid->stride[axis] = next;
    next = next * (int64_t)grid->count[axis] +
           (random_below(random, 3) ? 0 : (int64_t)random_below(random, 9));
    if (random_below(random, 8) == 0)
      grid->stride[axis] = -grid->stride[axis];
  }
}

static double random_step(struct random *random) {
  static const double step[] = {0.001, 0.01, 0.1, 0.25, 0.5, 0.9, 1.0, 1.7, 2.0, 3.3};
  const double size = random_below(random, 2) ? step[random_below(random, COUNT_OF(step))]
                                              : random_between(random, 0.001, 3.3);
  return random_below(random, 4) ? size : -size;
}

static void random_axis(struct random *random, perlane_grid *grid, int axis) {
  static const double origin[] = {0,      0,      0.5,     -1,     1e3,    -1e6,
                                  0x1p24, 0x1p31, -0x1p31, 0x1p32, -0x1p40};
  grid->step[axis] = random_step(random);
  grid->origin[axis] = random_below(random, 2) ? origin[random_below(random, COUNT_OF(origin))]
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

perlane_grid random_grid(struct random *random, const perlane_params *params, int dims) {
  static const size_t max[PERLANE_MAX_DIMS][PERLANE_MAX_DIMS] = {
      {600, 1, 1, 1}, {70, 40, 1, 1}, {45, 9, 7, 1}, {37, 5, 4, 3}};
  perlane_grid grid = grid_of(dims, ONE);
  for (int a = 0; a < grid.dims; a++) {
    grid.count[a] = 1 + random_below(random, max[dims - 1][a]);
    random_axis(random, &grid, a);
    if (random_below(random, 8) == 0) { /* lattice points, if there is no phase */
      grid.origin[a] = 0;
      grid.step[a] = 1 / params->frequency;
    }
  }
  random_strides(random, &grid);
  return grid;
}

float random_coordinate(struct random *random, const perlane_noise *noise) {
  const double frequency = noise->params.frequency;
  switch (random_below(random, 16)) {
  case 0: { /* around -2^-25, which is in the cell below unless it rounds to 0; numbers that are
               none */
    static const uint32_t special[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000,
        0xB3000000, 0xB2FFFFFF, 0xB3000001, 0xB3400000, 0x33000000, 0x33C00000, 0xB3800000,
        0x3F7FFFFF, 0xBF7FFFFF, 0x3F000000, 0xBF000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000,
        0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001, 0x7FA00001, 0xFFFFFFFF};
    return float_of(special[random_below(random, COUNT_OF(special))]);
  }
  case 1: { /* cell counts where a path or a word of the hash changes, one float to either side */
    static const double cells[] = {0x1p24, 0x1p27, 0x1p31, 0x1p32, 0x1p33,
                                   0x1p40, 0x1p52, 0x1p53, 0x1p54, 0x1p63};
    const double at = cells[random_below(random, COUNT_OF(cells))] / frequency;
    const float value = at > 3e38 ? 3e38f : (float)at;
    const float moved = float_of(bits_of(value) + (uint32_t)random_below(random, 5) - 2);
    return random_below(random, 2) ? moved : -moved;
  }
  case 2:
    return (float)(random_between(random, -0x1p40, 0x1p40) / frequency);
  case 3: /* lattice points */
    return (float)((double)((int64_t)random_below(random, 2000) - 1000) / frequency);
  case 4:
    return (float)random_between(random, -1e-6, 1e-6);
  default:
    return (float)random_between(random, -1000, 1000);
  }
}

/* An origin that floats are added to. Some are so far that sums leave the domain, or no numbers. */
static double random_origin(struct random *random, const perlane_noise *noise) {
  static const double special[] = {0,      -0.0,    1e7,     -2e7,    0x1p24,   0x1p32,
                                   0x1p53, 0x1p-30, 0x1p300, DBL_MAX, INFINITY, NAN};
  switch (random_below(random, 8)) {
  case 0:
  case 1:
    return special[random_below(random, COUNT_OF(special))];
  case 2:
  case 3:
    return random_between(random, -1e5, 1e5);
  case 4: /* around the end of what is near, and of the domain */
    return ldexp(random_between(random, -2, 2), random_below(random, 2) ? 26 : 52) /
           noise->params.frequency;
  case 5:
    return domain_end(noise) * (random_below(random, 2) ? 1 : -1);
  default:
    return ldexp(random_between(random, -2, 2), (int)random_below(random, 60));
  }
}

/* Returns a double near or beyond the end of the domain in one of 16, and what it was otherwise. */
double near_the_end(struct random *random, const perlane_noise *noise, double position) {
  const double end = domain_end(noise);
  const double at[] = {end, nextafter(end, INFINITY), -end, -nextafter(end, INFINITY)};
  return random_below(random, 16) ? position : at[random_below(random, 4)];
}

/* Positions are floats, floats added to the origin, or doubles; half of the lists are near, so that
 * whole blocks take the near paths. */
void compare_list(struct random *random, const perlane_params *params, int dims, size_t n) {
  static float coordinate[PERLANE_MAX_DIMS][MAX_LIST];
  static double position[PERLANE_MAX_DIMS][MAX_LIST];
  double origin[PERLANE_MAX_DIMS];
  static const enum form forms[] = {VALUES, VALUES, GRADIENT, GRADIENT_ONLY};
  const perlane_noise noise = noise_of(params);
  struct call call = {.grid = grid_of(dims, ONE)};
  const uint64_t source = random_below(random, 4), is_near = random_below(random, 2);
  call.grid.count[0] = n;
  for (int a = 0; a < dims; a++) {
    origin[a] = random_below(random, 4) ? random_origin(random, &noise) : 0;
    if (is_near && source == 3)
      origin[a] = random_between(random, -1e5, 1e5);
    for (size_t i = 0; i < n; i++) {
      coordinate[a][i] =
          is_near ? (float)random_between(random, -50, 50) : random_coordinate(random, &noise);
      position[a][i] = origin[a] + 1.1 * (double)coordinate[a][i];
      if (!is_near)
        position[a][i] = near_the_end(random, &noise, position[a][i]);
    }
    if (source == 3)
      call.coords64[a] = position[a];
    else
      call.coords[a] = coordinate[a];
  }
  call.origin = source == 2 ? origin : NULL;
  compare_form(random, params, call, forms[random_below(random, 4)]);
}

enum { MAX_CELLS = 6000, CELL_ARRAYS = 7 };

/* All arrays but some that are left out, and that of borders where there are none. */
static perlane_cells cells_in(float to[CELL_ARRAYS][MAX_CELLS], const perlane_noise *noise,
                              uint64_t left_out) {
  const int has_edge = noise->params.cell_metric == PERLANE_CELL_METRIC_EUCLIDEAN;
  float *array[CELL_ARRAYS];
  for (int i = 0; i < CELL_ARRAYS; i++)
    array[i] = left_out >> i & 1 ? NULL : to[i];
  return (perlane_cells){.id = (uint32_t *)(void *)array[0],
                         .offset = {array[1], array[2], array[3]},
                         .f1 = array[4],
                         .f2 = array[5],
                         .edge = has_edge ? array[6] : NULL};
}

void compare_cells(struct random *random, const perlane_noise *noise, const perlane_grid *grid,
                   const struct perlane_point_list *list) {
  static float cells[2][CELL_ARRAYS][MAX_CELLS]; /* of the reference, and of other kernels */
  const struct kernel_list kernels = all_kernels();
  const struct perlane_region region = region_of(noise, grid);
  const uint64_t left_out = random_below(random, 2) ? random_below(random, 128) : 0;
  assert_true(samples_of(grid) <= MAX_CELLS && list->n <= MAX_CELLS);
  for (int is_list = 0; is_list < 2; is_list++)
    for (size_t k = 0; k < kernels.count; k++) {
      const perlane_cells out = cells_in(cells[k > 0], noise, left_out);
      memset(cells[k > 0], 0x55, sizeof cells[0]);
      if (is_list)
        kernels.table[k]->points_cells(noise, list, &out);
      else
        kernels.table[k]->fill_cells(noise, &region, &out);
      if (k > 0 && memcmp(cells[0], cells[1], sizeof cells[0]) != 0) {
        print_params(&noise->params);
        fail_msg("%s: cells of a %s in %dD differ", kernels.table[k]->name,
                 is_list ? "list" : "grid", (int)grid->dims);
      }
    }
}

void compare_random_cells(struct random *random, const perlane_params *params, int dims) {
  enum { LIST = 100 };
  static const size_t max[3][3] = {{400, 1, 1}, {90, 30, 1}, {35, 9, 8}};
  static float coordinate[3][LIST];
  const perlane_noise noise = noise_of(params);
  perlane_grid grid = grid_of(dims, ONE);
  for (int a = 0; a < dims; a++) {
    grid.count[a] = 1 + random_below(random, max[dims - 1][a]);
    grid.first[a] = (int64_t)random_below(random, 200) - 100;
    grid.step[a] = random_between(random, 0.001, 2) / params->frequency;
    for (int i = 0; i < LIST; i++)
      coordinate[a][i] =
          i == LIST / 2 ? 1e38f : (float)(random_between(random, -99, 99) / params->frequency);
  }
  pack(&grid);
  if (random_below(random, 2) && 2 * samples_of(&grid) <= MAX_CELLS)
    for (int a = 0; a < dims; a++)
      grid.stride[a] *= 2;
  const float *const coords[3] = {coordinate[0], coordinate[1], coordinate[2]};
  const struct perlane_point_list list = {
      .dims = dims, .octaves = noise.octaves, .n = LIST, .coords = coords, .stride = 1};
  if (perlane_grid_check(&noise, &grid) == PERLANE_OK)
    compare_cells(random, &noise, &grid, &list);
}

perlane_status refused_grid(const perlane_noise *noise, const perlane_grid *grid,
                            char sentence[PERLANE_MESSAGE_BYTES]) {
  static struct {
    float value[64], slope[4][64], smallest, largest;
    uint16_t word[64];
    uint8_t byte[64];
  } out, before;
  const perlane_status status = perlane_grid_check(noise, grid);
  const size_t length = perlane_explain_grid(noise, grid, sentence, PERLANE_MESSAGE_BYTES);
  assert_in_range(length, 10, PERLANE_MESSAGE_BYTES - 1);
  assert_int_equal(length, strlen(sentence));
  assert_int_not_equal(status, PERLANE_OK);
  fill_pattern(&out, sizeof out);
  before = out;
  float *const slopes[4] = {out.slope[0], out.slope[1], out.slope[2], out.slope[3]};
  const perlane_cells cells = {.f1 = out.value};
  assert_int_equal(perlane_fill(noise, grid, out.value), status);
  assert_int_equal(perlane_fill_extremes(noise, grid, out.value, &out.smallest, &out.largest),
                   status);
  assert_int_equal(perlane_fill_u16(noise, grid, -1, 1, out.word), status);
  assert_int_equal(perlane_fill_u8(noise, grid, -1, 1, out.byte), status);
  for (int i = 0; i < 2; i++) { /* of fields that may have none, too */
    const perlane_status found = perlane_fill_gradient(noise, grid, i ? out.value : NULL, slopes);
    assert_true(found == status || found == PERLANE_ERROR_NO_GRADIENT ||
                found == PERLANE_ERROR_STEEP);
  }
  assert_int_not_equal(perlane_fill_cells(noise, grid, &cells), PERLANE_OK);
  assert_memory_equal(&out, &before, sizeof out);
  return status;
}
