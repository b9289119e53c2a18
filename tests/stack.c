/* SPDX-License-Identifier: MIT
 *
 * Stack: no function uses more than PERLANE_STACK_BYTES when compiled with optimisation. Each call
 * runs in a thread of its own, on a stack filled with a pattern; the part that has lost it was
 * used.
 */
#include "functions.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Calls ---- */

/* Besides those of functions.h. */
enum {
  NOTHING = FUNCTIONS,
  A_HUNDRED_KILOBYTES,
  CALLS,
  /* The calls that evaluate an expression: */
  COMBINED = CALLS,
  COMBINED_EXTREMES,
  COMBINED_SLOPES,
  COMBINED_LIST,
  COMBINED_AT,
  ALL_CALLS
};

/* The arguments of the calls, none of which is on the measured stack. */
enum { WITH_WORK_BYTES = 40 * 1024, LISTED = 300, FILLED = 1100 * 1000 };
static struct arguments in;
static struct results out;
static float coordinate[PERLANE_MAX_DIMS][LISTED];
static double wide[PERLANE_MAX_DIMS][LISTED];
static _Alignas(64) unsigned char work[PERLANE_WORK_BYTES];
static struct call to;
static perlane_noise combined;

static __attribute__((noinline)) void use_a_hundred_kilobytes(void) {
  volatile char used[100 * 1000];
  for (size_t i = 0; i < sizeof used; i++)
    used[i] = 0;
}

static perlane_status call_one(int call) {
  if (call == A_HUNDRED_KILOBYTES)
    use_a_hundred_kilobytes();
  const perlane_grid *grid = &in.call.grid;
  perlane_list list = {.dims = grid->dims, .count = LISTED};
  switch (call) {
  case COMBINED:
    return perlane_fill(&combined, grid, to.value);
  case COMBINED_EXTREMES:
    return perlane_fill_extremes(&combined, grid, to.value, &to.extremes[0], &to.extremes[1]);
  case COMBINED_SLOPES:
    return perlane_fill_gradient(&combined, grid, to.value, to.gradient);
  case COMBINED_LIST:
    memcpy(list.coords64, in.call.coords64, sizeof list.coords64);
    return perlane_points(&combined, &list, to.value, NULL);
  case COMBINED_AT:
    *(float *)to.value = perlane_at(&combined, grid->dims, in.position[0]);
    return PERLANE_OK;
  default:
    return call < FUNCTIONS ? call_function(call, &in, &out, &to) : PERLANE_OK;
  }
}

static void make_arguments(struct random *random) {
  static float value[FILLED], slope[PERLANE_MAX_DIMS][FILLED];
  static const double origin[PERLANE_MAX_DIMS] = {1e5, 3, 0, -7};
  static const double position[PERLANE_MAX_DIMS] = {0.3, 1.7, -5.1, 1e6};
  in.preset = "classic";
  in.text = "preset=classic value_scale=5e-324 value_offset=1e308"; /* the largest integers */
  in.origin = origin;
  in.call.low = -1;
  in.call.high = 1;
  to.value = value;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    in.call.coords[a] = coordinate[a];
    in.call.coords64[a] = wide[a];
    to.gradient[a] = slope[a];
    for (int i = 0; i < POSITIONS; i++)
      in.position[i][a] = position[a];
    for (int i = 0; i < LISTED; i++)
      coordinate[a][i] = (float)random_between(random, i < 256 ? -100 : -1e12, 100);
  }
}

/* Makes a field in the results, too, where the calls find it. */
static int has_valleys; /* the field that is measured, or one of the expression's */

static void use_field(const perlane_params *params) {
  has_valleys = params->valleys != 0;
  in.params = *params;
  out.noise = noise_of(params);
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
  int call;
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
static size_t stack_of(int call) {
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

/* The largest use by each call, what it may be there, and how often it was too much. */
struct largest {
  size_t bytes[FUNCTIONS], limit[FUNCTIONS], exceeded;
};

static size_t limit_of(int call) {
  if (in.call.grid.work_bytes >= PERLANE_WORK_BYTES && call >= FIRST_WAY) /* only fills */
    return WITH_WORK_BYTES;
  const size_t valleys = has_valleys || call == SELFTEST ? PERLANE_VALLEY_STACK_BYTES : 0;
  if (call == EXPRESSION)
    return PERLANE_EXPRESSION_STACK_BYTES + valleys;
  return PERLANE_STACK_BYTES + valleys + (call == SELFTEST ? 32 * 1024 : 0);
}

static void measure(int call, struct largest *largest) {
  const size_t bytes = stack_of(call), limit = limit_of(call);
  if (bytes > largest->bytes[call]) {
    largest->bytes[call] = bytes;
    largest->limit[call] = limit;
  }
  if (bytes <= limit)
    return;
  largest->exceeded++;
  print_message("%s with %s uses %zu bytes of stack, %d dims:\n", function_name(call),
                perlane_isa_name(perlane_isa_current()), bytes, (int)in.call.grid.dims);
  print_params(&in.params);
}

/* All calls, with grids of enough columns for several strips and rows of odd sizes. The reference
 * works sample by sample: a few show as much. */
static void measure_field(int dims, struct largest *largest) {
  static const size_t many[4][4] = {{700}, {330, 7}, {70, 5, 3}, {39, 3, 2, 2}};
  const int few = perlane_isa_current() == PERLANE_ISA_SCALAR;
  in.call.grid = grid_of(dims, few ? (const size_t[]){3, 2, 2, 1} : many[dims - 1]);
  for (int a = 0; a < dims; a++) {
    in.call.grid.origin[a] = -7.3;
    in.call.grid.step[a] = 0.37 + a;
  }
  in.points = few ? 3 : LISTED;
  for (int call = 0; call < FUNCTIONS; call++)
    if (call != SELFTEST)
      measure(call, largest);
  if (few)
    return;
  in.call.grid.work = work;
  in.call.grid.work_bytes = sizeof work;
  for (int call = FIRST_WAY; call < FIRST_WAY + FILLS; call++)
    measure(call, largest);
}

#define WARP "octaves=32 lacunarity=1.2 warp_amplitude=3 warp_octaves=16 warp_lacunarity=1.2 "
#define LAND "frequency=0.1 octaves=24 lacunarity=1.1 valleys=3 valley_octaves=1 falloff=1 "
static const struct {
  int32_t dims; /* in which it exists: bits */
  const char *options;
} LARGE[] = {
    /* a warp and all that follows, around noise, cells, erosion */
    {15, WARP "warp_rounds=2 curve=0:0,1:1 terraces=5"},
    {7, WARP "warp_rounds=2 curve=0:0,1:1 terraces=5 basis=cellular"},
    {15, WARP "warp_rounds=2 curve=0:0,1:1 terraces=5 fractal=eroded"},
    /* rows with tables and rows of points */
    {6, "frequency=0.2 basis=simplex"},
    {6, "frequency=0.2 basis=simplex octaves=32 lacunarity=1.01 fractal=eroded "
        "weighted_strength=0.5 contrast=5"},
    {6, "frequency=0.2 basis=simplex falloff=1 " WARP},
    /* boxes of borders */
    {7, "frequency=0.05 octaves=4 weighted_strength=0.5 basis=cellular cell_output=edge"},
    /* valleys, without and with a warp, and between samples, above white noise */
    {2, LAND "gradients=sphere fractal=ridged"},
    {2, LAND "warp_amplitude=3"},
    {2, "frequency=2 octaves=2 basis=white valleys=3 valley_octaves=1"},
};
enum { SUMS = 24, BOXES = SUMS + 6, FIELDS = SUMS + COUNT_OF(LARGE) };

/* The worst that options add up to: derivatives and values from tables, shaped, weighted, raised,
 * with and without a sum; then those of the table, or the default where they do not exist. */
static perlane_params field_of(int field, int dims) {
  static const char *const source[3] = {"", "gradients=sphere", "basis=value"};
  if (field >= SUMS)
    return parsed(LARGE[field - SUMS].dims >> (dims - 1) & 1 ? LARGE[field - SUMS].options : "");
  char text[300];
  const int hashed = field / 3 % 2, shaped = field / 6 % 2, many = field / 12;
  snprintf(text, sizeof text, "frequency=0.21 octaves=%d lacunarity=1.2 gain=0.8 %s hash=%s %s",
           many ? PERLANE_MAX_OCTAVES : 1, source[field % 3],
           !hashed                       ? "lattice"
           : dims == 2 && field % 3 == 1 ? "grid"
                                         : "shuffled",
           shaped ? "fractal=ping_pong weighted_strength=0.7 contrast=5 value_offset=0.1" : "");
  perlane_params params = parsed(text);
  give_tables(&params, dims);
  return params;
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
  make_arguments(random);
  return 1;
}

/* A field and a grid to start with; and every function once, as the first call of all finds
 * functions of the C library through the dynamic linker, on the same stack. */
static void first_calls(void) {
  const perlane_params params = field_of(0, 2);
  use_field(&params);
  in.call.grid = grid_of(2, (size_t[]){3, 3});
  in.points = 3;
  for (int call = 0; call < CALLS; call++)
    assert_int_equal(call_one(call), PERLANE_OK);
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
      const perlane_params params = field_of(field, dims);
      use_field(&params);
      measure_field(dims, largest);
    }
    const size_t others = effort(20);
    for (size_t i = 0; i < others; i++) {
      const perlane_params params = random_params(random, dims);
      use_field(&params);
      if (out.noise.highest_frequency < 1e3)
        measure_field(dims, largest);
    }
  }
  if (perlane_isa_current() == PERLANE_ISA_SCALAR)
    return;
  perlane_params params =
      field_of(0, 2); /* past the caches, which the reference knows nothing of */
  params.octaves = 2;
  use_field(&params);
  in.call.grid = grid_of(2, (size_t[]){1077, 1000});
  for (int call = FIRST_WAY; call < FUNCTIONS; call++)
    measure(call, largest);
}

/* Measures with each instruction set: all functions but the self-test, or that alone. */
static void every_isa(const char *name, int selftest) {
  struct random random = random_start(name);
  if (!can_measure(&random))
    return;
  size_t exceeded = 0;
  for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO; isa = next_isa(isa)) {
    force(isa);
    struct largest largest = {{0}, {0}, 0};
    if (selftest) {
      first_calls();
      measure(SELFTEST, &largest);
    } else {
      measure_everything(&random, &largest);
    }
    int max = 0;
    for (int call = 0; call < FUNCTIONS; call++)
      max = largest.bytes[call] > largest.bytes[max] ? call : max;
    for (int call = 0; call < FUNCTIONS; call++)
      if (long_run() && largest.bytes[call] != 0)
        print_message("%s: %s uses %zu\n", perlane_isa_name(isa), function_name(call),
                      largest.bytes[call]);
    print_message("%s: at most %zu of %zu bytes of stack, by %s\n", perlane_isa_name(isa),
                  largest.bytes[max], largest.limit[max], function_name(max));
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

/* ---- Expressions ---- */

enum { COMBINED_FIELDS = 3 };

/* Makes an expression of random fields: of the worst of the list, of any, and of those that a
 * random text has; or of boxes, whose frames are the largest. Returns 0 if there is none. */
static int combine(struct random *random, int dims, int of_boxes, char text[RANDOM_TEXT]) {
  has_valleys = 0;
  static perlane_noise field[COMBINED_FIELDS];
  static const char *const names[COMBINED_FIELDS] = {"a", "b", "c"};
  static const perlane_noise *const fields[COMBINED_FIELDS] = {&field[0], &field[1], &field[2]};
  static const char *const places[] = {"at(%s + 10*c, %s, a)", "at(%s, %s - b, a) * b",
                                       "b + at(%s + c, %s + c, a)",
                                       "min(at(%s, %s, a), at(%s, b))"};
  for (int f = 0; f < COMBINED_FIELDS; f++) {
    perlane_params params = of_boxes ? field_of(BOXES, dims)
                            : random_below(random, 2)
                                ? random_params(random, dims)
                                : field_of((int)random_below(random, FIELDS), dims);
    params.gradient_grid = NULL; /* one table is shared */
    if (params.hash == PERLANE_HASH_GRID)
      params = parsed("");
    if (perlane_init(&field[f], &params) != PERLANE_OK || field[f].highest_frequency > 1e3)
      return 0;
    has_valleys |= params.valleys != 0;
  }
  if (random_below(random, 2))
    random_expression(random, dims, text);
  else
    snprintf(text, RANDOM_TEXT, places[random_below(random, dims > 1 ? 3 : 1)], "x",
             dims == 1   ? "0"
             : dims == 2 ? "y"
             : dims == 3 ? "y, z"
                         : "y, z, w");
  return perlane_expression_init(&combined, text, COMBINED_FIELDS, names, fields) == PERLANE_OK;
}

/* Measures calls of random expressions with and without work memory. */
static void expressions(void **state) {
  (void)state;
  struct random random = random_start("expressions");
  if (!can_measure(&random))
    return;
  first_calls();
  size_t exceeded = 0;
  for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO; isa = next_isa(isa)) {
    size_t most[2] = {0, 0};
    force(isa);
    const int is_reference = isa == PERLANE_ISA_SCALAR;
    for (size_t i = 0; i < effort(is_reference ? 20 : 150); i++) {
      static const size_t counts[4][4] = {{700}, {150, 33}, {33, 17, 9}, {33, 7, 3, 2}};
      char text[RANDOM_TEXT];
      const int dims = 1 + (int)random_below(&random, 4);
      if (!combine(&random, dims, i % 2 == 0, text))
        continue;
      in.call.grid = grid_of(dims, is_reference ? (const size_t[]){3, 2, 2, 1} : counts[dims - 1]);
      if (random_below(&random, 4) == 0) /* runs of a few points, and rows that end with one */
        in.call.grid.count[0] = (const size_t[]){1, 3, 1025}[random_below(&random, 3)];
      pack(&in.call.grid);
      for (int a = 0; a < dims; a++)
        in.call.grid.step[a] = 0.37;
      if (perlane_grid_check(&combined, &in.call.grid) != PERLANE_OK)
        continue;
      for (int has_work = 0; has_work < (is_reference ? 1 : 2); has_work++) {
        in.call.grid.work = has_work ? work : NULL;
        in.call.grid.work_bytes = has_work ? sizeof work : 0;
        for (int call = COMBINED; call < (has_work ? COMBINED_LIST : ALL_CALLS); call++) {
          const perlane_list none = {.dims = dims};
          if (call == COMBINED_SLOPES &&
              perlane_points(&combined, &none, NULL, to.gradient) != PERLANE_OK)
            continue;
          const size_t bytes = stack_of(call);
          const size_t limit = has_work ? WITH_WORK_BYTES : limit_of(EXPRESSION);
          if (bytes > limit) {
            print_message("%s, call %d, work %d: %zu bytes of stack by %s, %d dims\n",
                          perlane_isa_name(isa), call - COMBINED, has_work, bytes, text, dims);
            for (int f = 0; f < combined.expression.field_count; f++)
              print_params(&combined.expression.field[f]->params);
          }
          exceeded += bytes > limit;
          most[has_work] = bytes > most[has_work] ? bytes : most[has_work];
        }
      }
    }
    print_message("%s: expressions take at most %zu bytes of stack, with work memory %zu\n",
                  perlane_isa_name(isa), most[0], most[1]);
  }
  force(PERLANE_ISA_AUTO);
  in.call.grid.work = NULL;
  assert_int_equal(exceeded, 0);
}

/* Expressions that took more with work memory: fields whose own fills no longer had room, and
 * points that were evaluated one by one. */
static void expressions_in_work(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t count[2];
    int slopes;
  } CASES[] = {
      {"a=seed=1 octaves=5 frequency=0.03 lacunarity=1.15; b=seed=2 octaves=5 frequency=0.03 "
       "lacunarity=1.15; c=seed=3 octaves=5 frequency=0.03 lacunarity=1.15; d=seed=4 octaves=5 "
       "frequency=0.03 lacunarity=1.15; e=seed=5 octaves=5 frequency=0.03 lacunarity=1.15; "
       "at(x + 10*a, y, a) + a + b + c + d + e",
       {300, 40},
       0},
      {"a=warp_amplitude=5; at(x + 0.5, y, a)", {1, 1}, 1},
      {"a=warp_amplitude=5; at(x + 0.5, y, a)", {1025, 1}, 1},
      {"a=warp_amplitude=5; at(x + 1e30, y, a)", {1, 1}, 0},
      {"a=octaves=1; at(x + 1e30, y, a)", {1, 1}, 0},
  };
  struct random random = random_start("expressions in work");
  if (!can_measure(&random))
    return;
  first_calls();
  for (perlane_isa isa = next_isa(PERLANE_ISA_SCALAR); isa != PERLANE_ISA_AUTO;
       isa = next_isa(isa)) {
    force(isa);
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
      static perlane_noise field[5];
      assert_ok(perlane_expression_init_text(&combined, CASES[i].text, 5, field, NULL));
      in.call.grid = grid_of(2, CASES[i].count);
      in.call.grid.work = work;
      in.call.grid.work_bytes = sizeof work;
      const size_t bytes = stack_of(CASES[i].slopes ? COMBINED_SLOPES : COMBINED);
      if (bytes > WITH_WORK_BYTES)
        fail_msg("%s uses %zu bytes of stack for %s", perlane_isa_name(isa), bytes, CASES[i].text);
    }
  }
  force(PERLANE_ISA_AUTO);
  in.call.grid.work = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measurement), cmocka_unit_test(every_function), cmocka_unit_test(selftest),
      cmocka_unit_test(expressions), cmocka_unit_test(expressions_in_work)};
  return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
