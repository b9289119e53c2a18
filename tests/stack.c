/* SPDX-License-Identifier: MIT
 *
 * Stack: no function uses more than PERLANE_STACK_BYTES when compiled with optimisation. Each call
 * runs in a thread of its own, on a stack filled with a pattern; the part that has lost it was
 * used.
 */
#include "support.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Calls ---- */

enum call {
  NOTHING,
  A_HUNDRED_KILOBYTES,
  PRESET,
  PARAMS_PARSE,
  PARAMS_PRINT,
  INIT,
  RANGE,
  GRID_CHECK,
  FILL,
  FILL_EXTREMES,
  FILL_GRADIENT,
  FILL_U16,
  FILL_U8,
  POINTS,
  POINTS_GRADIENT,
  POINTS_DOUBLE,
  AT,
  AT_GRADIENT,
  SELFTEST,
  CALLS
};
static const char *const CALL_NAME[CALLS] = {"nothing",
                                             "100 KB",
                                             "perlane_preset",
                                             "perlane_params_parse",
                                             "perlane_params_print",
                                             "perlane_init",
                                             "perlane_range",
                                             "perlane_grid_check",
                                             "perlane_fill",
                                             "perlane_fill_extremes",
                                             "perlane_fill_gradient",
                                             "perlane_fill_u16",
                                             "perlane_fill_u8",
                                             "perlane_points",
                                             "perlane_points_gradient",
                                             "perlane_points_double",
                                             "perlane_at",
                                             "perlane_at_gradient",
                                             "perlane_selftest"};

/* The arguments of the calls, none of which is on the measured stack. */
enum { MAX_POINTS = 300, MAX_SAMPLES = 1100 * 1000 };
static perlane_params params;
static perlane_noise noise;
static perlane_grid grid;
static size_t points;
static float coordinate[4][MAX_POINTS], value[MAX_SAMPLES], slope[4][MAX_SAMPLES];
static uint16_t word[MAX_SAMPLES];
static uint8_t byte[MAX_SAMPLES];

static __attribute__((noinline)) void use_a_hundred_kilobytes(void) {
  volatile char used[100 * 1000];
  for (size_t i = 0; i < sizeof used; i++)
    used[i] = 0;
}

/* Returns PERLANE_OK for a status that a field without a gradient has to have. */
static perlane_status of_gradient(perlane_status status) {
  return has_gradient(&params)                 ? status
         : status == PERLANE_ERROR_NO_GRADIENT ? PERLANE_OK
                                               : PERLANE_STATUS_COUNT;
}

static perlane_status call_one(enum call call) {
  static float one, other;
  static char text[2048];
  static perlane_params preset;
  static perlane_noise made;
  static const double position[4] = {0.3, 1.7, -5.1, 1e6};
  static const float *const coords[4] = {coordinate[0], coordinate[1], coordinate[2],
                                         coordinate[3]};
  static double wide[MAX_POINTS];
  static const double *const doubles[4] = {wide, wide, wide, wide};
  static float *const slopes[4] = {slope[0], slope[1], slope[2], slope[3]};
  const int dims = grid.dims;
  switch (call) {
  case NOTHING:
    return PERLANE_OK;
  case A_HUNDRED_KILOBYTES:
    use_a_hundred_kilobytes();
    return PERLANE_OK;
  case PRESET:
    return perlane_preset(&preset, "classic");
  case PARAMS_PARSE: /* of numbers that take the largest integers */
    return perlane_params_parse(&preset, "preset=classic value_scale=5e-324 value_offset=1e308",
                                NULL);
  case PARAMS_PRINT:
    return perlane_params_print(&params, text, sizeof text) < sizeof text ? PERLANE_OK
                                                                          : PERLANE_STATUS_COUNT;
  case INIT:
    return perlane_init(&made, &params);
  case RANGE:
    return perlane_range(&noise, dims, &one, &other);
  case GRID_CHECK:
    return perlane_grid_check(&noise, &grid);
  case FILL:
    return perlane_fill(&noise, &grid, value);
  case FILL_EXTREMES:
    return perlane_fill_extremes(&noise, &grid, value, &one, &other);
  case FILL_GRADIENT:
    return of_gradient(perlane_fill_gradient(&noise, &grid, value, slopes));
  case FILL_U16:
    return perlane_fill_u16(&noise, &grid, -1, 1, word);
  case FILL_U8:
    return perlane_fill_u8(&noise, &grid, -1, 1, byte);
  case POINTS:
    return perlane_points(&noise, dims, points, NULL, coords, value);
  case POINTS_GRADIENT:
    return of_gradient(perlane_points_gradient(&noise, dims, points, NULL, coords, value, slopes));
  case POINTS_DOUBLE:
    return perlane_points_double(&noise, dims, points, doubles, value,
                                 has_gradient(&params) ? slopes : NULL);
  case AT:
    one = perlane_at(&noise, dims, position);
    return PERLANE_OK;
  case AT_GRADIENT:
    one = perlane_at_gradient(&noise, dims, position, slope[0]);
    return PERLANE_OK;
  case SELFTEST:
    return perlane_selftest(PERLANE_ISA_AUTO, NULL);
  case CALLS:
    break;
  }
  return PERLANE_STATUS_COUNT;
}

/* ---- Measuring ---- */

enum { STACK_BYTES = 512 * 1024, STACK_WORDS = STACK_BYTES / 8 };
static const uint64_t PAINT = UINT64_C(0xC3A5C85C97CB3127);
static uint64_t *stack; /* with a page below that faults */

static void make_stack(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *memory =
      mmap(NULL, page + STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(memory != MAP_FAILED);
  assert_int_equal(mprotect(memory, page, PROT_NONE), 0);
  stack = (uint64_t *)(void *)(memory + page);
}

struct job {
  enum call call;
  perlane_status status;
  const uint64_t *top;
};

static void *run_job(void *argument) {
  struct job *job = argument;
  job->top = __builtin_frame_address(0);
  job->status = call_one(job->call);
  return NULL;
}

/* Bytes of stack from the frame that makes the call down to the lowest that was written to. */
static size_t stack_of(enum call call) {
  struct job job = {call, PERLANE_STATUS_COUNT, NULL};
  pthread_attr_t attributes;
  pthread_t thread;
  for (size_t i = 0; i < STACK_WORDS; i++)
    stack[i] = PAINT;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK_BYTES), 0);
  assert_int_equal(pthread_create(&thread, &attributes, run_job, &job), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
  assert_int_equal(job.status, PERLANE_OK);
  size_t lowest = 0;
  while (lowest < STACK_WORDS && stack[lowest] == PAINT)
    lowest++;
  return (size_t)(job.top - (stack + lowest)) * sizeof stack[0];
}

/* ---- Fields ---- */

/* The largest use by each call, and how often it was too much. */
struct largest {
  size_t bytes[CALLS], exceeded;
};

static size_t limit_of(enum call call) {
  return PERLANE_STACK_BYTES + (call == SELFTEST ? 32 * 1024 : 0);
}

static void measure(enum call call, struct largest *largest) {
  const size_t bytes = stack_of(call), before = largest->bytes[call];
  if (bytes > before)
    largest->bytes[call] = bytes;
  if (bytes <= limit_of(call))
    return;
  largest->exceeded++;
  if (bytes <= before)
    return;
  print_message("%s with %s uses %zu bytes of stack, %d dims:\n", CALL_NAME[call],
                perlane_isa_name(perlane_isa_current()), bytes, (int)grid.dims);
  print_params(&params);
}

/* All calls, with grids of enough columns for several strips and rows of odd sizes. The reference
 * works sample by sample: a few show as much. */
static void measure_field(int dims, struct largest *largest) {
  static const size_t many[4][4] = {{700, 0, 0, 0}, {330, 7, 0, 0}, {70, 5, 3, 0}, {39, 3, 2, 2}};
  const int few = perlane_isa_current() == PERLANE_ISA_SCALAR;
  const size_t *count = many[dims - 1];
  grid = few ? perlane_grid_make(3, dims > 1 ? 2 : 0, dims > 2 ? 2 : 0, dims > 3 ? 1 : 0)
             : perlane_grid_make(count[0], count[1], count[2], count[3]);
  for (int a = 0; a < dims; a++) {
    grid.origin[a] = -7.3;
    grid.step[a] = 0.37 + a;
  }
  points = few ? 3 : MAX_POINTS;
  for (int call = PRESET; call < SELFTEST; call++)
    measure((enum call)call, largest);
}

/* The worst that options add up to: derivatives and values from tables, shaped, weighted, raised,
 * with and without a sum. */
enum { OLD_FIELDS = 24, FIELDS = OLD_FIELDS + 3 };
static perlane_params field_of(int field, int dims) {
  static const perlane_basis basis[3] = {PERLANE_BASIS_PERLIN, PERLANE_BASIS_PERLIN,
                                         PERLANE_BASIS_VALUE};
  perlane_params field_params = perlane_params_default();
  if (field >= OLD_FIELDS) { /* a warp and all that follows, around noise, cells, erosion */
    field_params.octaves = PERLANE_MAX_OCTAVES;
    field_params.lacunarity = 1.2;
    field_params.warp_amplitude = 3;
    field_params.warp_octaves = PERLANE_MAX_WARP_OCTAVES;
    field_params.warp_lacunarity = 1.2;
    field_params.warp_rounds = 2;
    field_params.curve.count = 2;
    field_params.curve.point[1][0] = field_params.curve.point[1][1] = 1;
    field_params.terraces = 5;
    field_params.basis =
        field == OLD_FIELDS + 1 && dims < 4 ? PERLANE_BASIS_CELLULAR : PERLANE_BASIS_PERLIN;
    field_params.fractal = field == OLD_FIELDS + 2 ? PERLANE_FRACTAL_ERODED : PERLANE_FRACTAL_FBM;
    return field_params;
  }
  const int source = field % 3, hash = field / 3 % 2, shaped = field / 6 % 2, many = field / 12;
  field_params.basis = (int32_t)basis[source];
  if (source == 1)
    field_params.gradients = PERLANE_GRADIENTS_SPHERE;
  if (hash)
    field_params.hash = dims == 2 && source == 1 ? PERLANE_HASH_GRID : PERLANE_HASH_SHUFFLED;
  field_params.frequency = 0.21;
  field_params.octaves = many ? PERLANE_MAX_OCTAVES : 1;
  field_params.lacunarity = 1.2;
  field_params.gain = 0.8;
  if (shaped) {
    field_params.fractal = PERLANE_FRACTAL_PING_PONG;
    field_params.weighted_strength = 0.7;
    field_params.contrast = 5;
    field_params.value_offset = 0.1;
  }
  give_tables(&field_params, dims);
  return field_params;
}

#if !defined(__OPTIMIZE__)
static const char *const NOT_RUN = "which is promised of optimised code only";
#elif defined(SANITIZED)
static const char *const NOT_RUN = "which sanitizers add to";
#else
static const char *const NOT_RUN = NULL;
#endif

/* Returns 1 if the stack can be measured, after it has set up the stack and the points. */
static int can_measure(struct random *random) {
  if (NOT_RUN) {
    print_message("not run: the use of stack, %s\n", NOT_RUN);
    return 0;
  }
  if (!stack)
    make_stack();
  for (int i = 0; i < MAX_POINTS; i++)
    for (int a = 0; a < 4; a++)
      coordinate[a][i] = (float)random_between(random, i < 256 ? -100 : -1e12, 100);
  return 1;
}

/* A field and a grid to start with; and every function once, as the first call of all finds
 * functions of the C library through the dynamic linker, on the same stack. */
static void first_calls(void) {
  params = field_of(0, 2);
  noise = noise_of(&params);
  grid = perlane_grid_make(3, 3, 0, 0);
  points = 3;
  for (int call = PRESET; call < CALLS; call++)
    assert_int_equal(call_one((enum call)call), PERLANE_OK);
}

/* Checks the measurement itself with functions that use a known amount of stack. */
static void measurement(void **state) {
  (void)state;
  struct random random = random_start("measurement");
  if (!can_measure(&random))
    return;
  first_calls();
  print_message("the measurement itself: %zu bytes of stack\n", stack_of(NOTHING));
  assert_in_range(stack_of(NOTHING), 0, 4096);
  assert_in_range(stack_of(A_HUNDRED_KILOBYTES), 100 * 1000, 100 * 1000 + 4096);
}

static void measure_everything(struct random *random, struct largest *largest) {
  first_calls();
  for (int dims = 1; dims <= 4; dims++) {
    for (int field = 0; field < FIELDS; field++) {
      if (!chosen(random))
        continue;
      params = field_of(field, dims);
      noise = noise_of(&params);
      measure_field(dims, largest);
    }
    const size_t others = effort(20);
    for (size_t i = 0; i < others; i++) {
      params = random_params(random, dims);
      noise = noise_of(&params);
      if (noise.highest_frequency < 1e3)
        measure_field(dims, largest);
    }
  }
  if (perlane_isa_current() == PERLANE_ISA_SCALAR)
    return;
  params = field_of(0, 2); /* past the caches, which the reference knows nothing of */
  params.octaves = 2;
  noise = noise_of(&params);
  grid = perlane_grid_make(1077, 1000, 0, 0);
  for (int call = FILL; call <= FILL_U8; call++)
    measure((enum call)call, largest);
}

/* Measures with each instruction set: all functions but the self-test, or that alone. */
static void every_isa(const char *name, int selftest) {
  struct random random = random_start(name);
  if (!can_measure(&random))
    return;
  size_t exceeded = 0;
  for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++) {
    if (!perlane_isa_supported((perlane_isa)isa)) {
      if (perlane_isa_built_in((perlane_isa)isa))
        print_message("not run: %s, which this CPU does not have\n",
                      perlane_isa_name((perlane_isa)isa));
      continue;
    }
    force((perlane_isa)isa);
    struct largest largest = {{0}, 0};
    if (selftest) {
      first_calls();
      measure(SELFTEST, &largest);
    } else {
      measure_everything(&random, &largest);
    }
    int max = PRESET;
    for (int call = PRESET; call < CALLS; call++)
      max = largest.bytes[call] > largest.bytes[max] ? call : max;
    for (int call = PRESET; call < CALLS; call++)
      if (long_run() && largest.bytes[call] != 0)
        print_message("%s: %s uses %zu\n", perlane_isa_name((perlane_isa)isa), CALL_NAME[call],
                      largest.bytes[call]);
    print_message("%s: at most %zu of %zu bytes of stack, by %s\n",
                  perlane_isa_name((perlane_isa)isa), largest.bytes[max], limit_of((enum call)max),
                  CALL_NAME[max]);
    exceeded += largest.exceeded;
  }
  force(PERLANE_ISA_AUTO);
  assert_int_equal(exceeded, 0);
}

static void every_function(void **state) {
  (void)state;
  every_isa("every function", 0);
}

static void selftest(void **state) {
  (void)state;
  every_isa("self-test", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(measurement),
                                     cmocka_unit_test(every_function), cmocka_unit_test(selftest)};
  return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
