/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <math.h>
#include <signal.h>
#include <unistd.h>

#ifdef EMULATED
#include "emulated.h"

static void add_emulated(struct kernel_list *list) {
  print_message("not run: simd128, of which SIMDe has only parts: tests/wasm runs it\n");
  for (size_t i = 0; i < emulated_count; i++)
    list->table[list->count++] = &emulated_kernels[i];
}
#else
static void add_emulated(struct kernel_list *list) {
  (void)list;
  print_message("not run: the kernels of other machines, which PERLANE_TEST_EMULATED leaves out\n");
}
#endif

static struct kernel_list find_kernels(void) {
  struct kernel_list list = {1, {&perlane_scalar_kernels}};
  for (int isa = PERLANE_ISA_SCALAR + 1; isa < PERLANE_ISA_COUNT; isa++) {
    const struct perlane_kernels *table = perlane_kernels_for((perlane_isa)isa);
    if (table)
      list.table[list.count++] = table;
    else if (perlane_isa_built_in((perlane_isa)isa))
      print_message("not run: %s, which this CPU does not have\n",
                    perlane_isa_name((perlane_isa)isa));
  }
  if (getenv("PERLANE_TEST_NATIVE"))
    print_message("not run: the kernels of other machines, which PERLANE_TEST_NATIVE leaves out\n");
  else
    add_emulated(&list);
  return list;
}

struct kernel_list all_kernels(void) {
  static struct kernel_list found;
  if (found.count == 0)
    found = find_kernels();
  return found;
}

struct kernel_list lane_kernels(void) {
  struct kernel_list list = all_kernels();
  list.count--;
  for (size_t i = 0; i < list.count; i++)
    list.table[i] = list.table[i + 1];
  return list;
}

/* The same on every run, so that a test that passes always passes. `make proof` sets others. */
static const uint64_t DEFAULT_SEED = 20260101;

struct random random_seeded(uint64_t seed) {
  return (struct random){.state = seed};
}

struct random random_start(const char *what) {
  const char *text = getenv("PERLANE_TEST_SEED");
  const struct random random = random_seeded(text ? strtoull(text, NULL, 0) : DEFAULT_SEED);
  print_message("%s: PERLANE_TEST_SEED=%llu\n", what, (unsigned long long)random.state);
  return random;
}

uint64_t random_word(struct random *random) {
  if (random->left > 0) {
    uint64_t word = 0;
    for (int i = 0; i < 8 && random->left > 0; i++, random->left--)
      word = word << 8 | *random->bytes++;
    return word;
  }
  uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

uint64_t random_below(struct random *random, uint64_t n) {
  if (random->left > 0 && n <= 256)
    return random->left--, *random->bytes++ % n;
  return random_word(random) % n;
}

double random_unit(struct random *random) {
  return (double)(random_word(random) >> 11) * 0x1p-53;
}

double random_between(struct random *random, double low, double high) {
  return low + (high - low) * random_unit(random);
}

void shuffle_axes(struct random *random, int *order, int dims) {
  for (int i = dims - 1; i > 0; i--) {
    const int j = (int)random_below(random, (uint64_t)i + 1), axis = order[i];
    order[i] = order[j];
    order[j] = axis;
  }
}

size_t effort(size_t n) {
  const char *text = getenv("PERLANE_TEST_PERCENT");
  const size_t percent = text ? strtoul(text, NULL, 10) : 100;
  const size_t less = n / 100 * percent + n % 100 * percent / 100;
  return less > 0 ? less : 1;
}

int chosen(struct random *random) {
  return random_below(random, 100) < 5 + effort(100);
}

int long_run(void) {
  return effort(100) > 100;
}

void assert_status(perlane_status status, perlane_status expected, const char *call,
                   const char *file, int line) {
  if (status != expected)
    fail_msg("%s:%d: %s: \"%s\", not \"%s\"", file, line, call, perlane_status_string(status),
             perlane_status_string(expected));
}

/* ---- Signals ---- */

static char context[400];
static const int FATAL[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { FATAL_COUNT = COUNT_OF(FATAL) };
static struct sigaction caught[FATAL_COUNT];

/* Prints the context, and calls the handler that was there before. */
static void on_signal(int signal_number) {
  const ssize_t written = write(STDOUT_FILENO, context, strlen(context));
  (void)written;
  for (int i = 0; i < FATAL_COUNT; i++)
    if (FATAL[i] == signal_number) {
      sigaction(signal_number, &caught[i], NULL);
      if (caught[i].sa_handler != SIG_DFL && !(caught[i].sa_flags & SA_SIGINFO))
        caught[i].sa_handler(signal_number);
    }
}

void set_context(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(context, sizeof context - 1, format, arguments);
  va_end(arguments);
  assert_true(length > 0 && length < (int)sizeof context - 1);
  context[length] = '\n';
  context[length + 1] = '\0';
  for (int i = 0; i < FATAL_COUNT; i++) { /* cmocka handles them anew in each test */
    struct sigaction now;
    sigaction(FATAL[i], NULL, &now);
    if (now.sa_handler == on_signal)
      continue;
    caught[i] = now;
    struct sigaction own;
    memset(&own, 0, sizeof own);
    own.sa_handler = on_signal;
    sigemptyset(&own.sa_mask);
    own.sa_flags = SA_NODEFER; /* the handler before may jump out */
    sigaction(FATAL[i], &own, NULL);
  }
}

/* ---- Fields ---- */

void give_tables(perlane_params *params, int dims) {
  static int32_t hash_table[1024];
  static float vector[4 * 256], point[2 * 41 * 29];
  struct random random = random_seeded(params->seed);
  const double longest = random_below(&random, 3) ? 2 : 0.1;
  if (params->hash == PERLANE_HASH_TABLE || params->hash == PERLANE_HASH_PRIMES) {
    for (int i = 0; i < 1024; i++)
      hash_table[i] = (int32_t)random_below(&random, 256);
    params->hash_table = hash_table;
  }
  if (params->gradients == PERLANE_GRADIENTS_TABLE) {
    params->gradient_dims = dims;
    params->gradient_count = 2 + (int32_t)random_below(&random, 255);
    for (int i = 0; i < params->gradient_count * dims; i++)
      vector[i] = (float)random_between(&random, -longest, longest);
    params->gradient_table = vector;
  }
  if (params->hash == PERLANE_HASH_GRID) {
    params->gradient_grid_count[0] = 1 + (int32_t)random_below(&random, 41);
    params->gradient_grid_count[1] = 1 + (int32_t)random_below(&random, 29);
    for (size_t i = 0; i < COUNT_OF(point); i++)
      point[i] = (float)random_between(&random, -longest, longest);
    params->gradient_grid = point;
  }
}

void init_says(const perlane_params *params, const char *words) {
  init_fails(params, words ? PERLANE_ERROR_PARAMETER : PERLANE_OK, words);
}

void init_fails(const perlane_params *params, perlane_status expected, const char *words) {
  char message[PERLANE_MESSAGE_BYTES];
  perlane_noise noise, before;
  fill_pattern(&noise, sizeof noise);
  memcpy(&before, &noise, sizeof noise);
  const perlane_status status = perlane_init(&noise, params);
  const size_t length = perlane_explain_params(params, message, sizeof message);
  if (status != expected || (words != NULL) != (length > 0) || length >= sizeof message ||
      (words && !strstr(message, words)))
    fail_msg("status %d: \"%s\", not \"%s\"", (int)status, message, words ? words : "");
  if (words)
    assert_memory_equal(&noise, &before, sizeof noise);
}

static int is_refused_for(const perlane_params *params, const char *words) {
  char message[PERLANE_MESSAGE_BYTES];
  perlane_explain_params(params, message, sizeof message);
  return strstr(message, words) != NULL;
}

void make_valid(perlane_params *params, int dims) {
  perlane_noise noise;
  if (params->basis == PERLANE_BASIS_CELLULAR && params->fractal == PERLANE_FRACTAL_ERODED)
    params->fractal = PERLANE_FRACTAL_FBM;
  if (is_refused_for(params, "valley"))
    params->valleys = 0;
  if (is_refused_for(params, "period"))
    memset(params->period, 0, sizeof params->period);
  float low, high;
  if (is_refused_for(params, "values could exceed") ||
      (perlane_init(&noise, params) == PERLANE_OK &&
       perlane_range(&noise, dims, &low, &high) == PERLANE_OK && (low < -1e6f || high > 1e6f)))
    params->contrast = 1;
  if (perlane_init(&noise, params) == PERLANE_OK &&
      gradient_of(&noise, dims) == PERLANE_ERROR_STEEP) {
    params->warp_amplitude = params->curve.count = params->terraces = 0;
    params->contrast = 1;
  }
}

void set_frequency(perlane_params *params, double frequency) {
  const double ratio = frequency / params->frequency;
  params->frequency = frequency;
  params->warp_frequency *= ratio;
  params->warp_amplitude /= ratio;
}

int has_gradient(const perlane_params *params) {
  return params->valleys != 0 ? params->valley_output != PERLANE_VALLEY_OUTPUT_RIVER
                              : params->fractal != PERLANE_FRACTAL_ERODED;
}

/* The highest of a field's frequencies, or of its displacements'. */
static double highest(double frequency, double lacunarity, int octaves) {
  double found = frequency;
  for (int k = 1; k < octaves; k++) {
    frequency *= lacunarity;
    found = frequency > found ? frequency : found;
  }
  return found;
}

static double field_frequency(const perlane_params *params) {
  const double summed = highest(params->frequency, params->lacunarity,
                                params->fractal == PERLANE_FRACTAL_NONE ? 1 : params->octaves);
  const double valleys = params->frequency * params->valley_cells;
  return params->valleys == 0 ? summed : 2 * (valleys > summed ? valleys : summed);
}

static int is_within(double position, double frequency) {
  const double cells = position * frequency;
  return cells >= -0x1p53 && cells <= 0x1p53;
}

int in_domain(const perlane_noise *noise, double position) {
  const perlane_params *params = &noise->params;
  const double reach = params->warp_amplitude, frequency = field_frequency(params);
  if (reach == 0)
    return is_within(position, frequency);
  const double warp =
      highest(params->warp_frequency, params->warp_lacunarity, params->warp_octaves);
  for (int side = -1; side <= 1; side += 2)
    if (!is_within(position + side * reach, frequency) || !is_within(position + side * reach, warp))
      return 0;
  return 1;
}

int beyond_domain(const perlane_noise *noise, double position) {
  const perlane_params *params = &noise->params;
  const double reach = params->warp_amplitude, frequency = field_frequency(params);
  if (reach == 0)
    return !is_within(position, frequency);
  const double nearest = fabs(position) - reach; /* of all displaced positions, to the origin */
  return !is_within(position, highest(params->warp_frequency, params->warp_lacunarity,
                                      params->warp_octaves)) ||
         (nearest > 0 && !is_within(nearest, frequency));
}

double domain_end(const perlane_noise *noise) {
  double end = 0x1p53 / noise->highest_frequency;
  while (end * noise->highest_frequency > 0x1p53)
    end = nextafter(end, 0);
  while (nextafter(end, INFINITY) * noise->highest_frequency <= 0x1p53)
    end = nextafter(end, INFINITY);
  return end;
}

/* The first choice of an option in half of the cases, else any, that exists in dims dimensions, as
 * errors.c has it that records say. */
static int32_t choice(struct random *random, const char *name, int dims) {
  const perlane_option *option = perlane_option_find(name);
  int32_t chosen;
  do
    chosen =
        random_below(random, 2) ? 0 : (int32_t)random_below(random, (uint64_t)option->choice_count);
  while (!(option->choices[chosen].dims >> (dims - 1) & 1));
  return chosen;
}

static int hash_goes_with(const perlane_params *params) {
  return params->hash == PERLANE_HASH_LATTICE || params->basis == PERLANE_BASIS_PERLIN ||
         (params->hash != PERLANE_HASH_GRID &&
          (params->basis == PERLANE_BASIS_VALUE || params->basis == PERLANE_BASIS_WHITE));
}

static void random_periods(struct random *random, perlane_params *params, int dims) {
  static const double lacunarity[] = {2, 2, 1, 3, 1.5, 0.5};
  static const int32_t length[] = {1,   2,   3,   5,     8,       24,         37,
                                   128, 256, 640, 65536, 1 << 24, 1073741789, 1 << 30};
  params->lacunarity = lacunarity[random_below(random, COUNT_OF(lacunarity))];
  for (int a = 0; a < dims; a++)
    if (random_below(random, 3))
      params->period[a] = length[random_below(random, COUNT_OF(length))];
  if (params->hash == PERLANE_HASH_GRID)
    params->period[0] = params->period[1] = 0;
}

/* Points that are apart, over the usual range of values or a part of it. */
static void random_curve(struct random *random, perlane_params *params) {
  perlane_curve *curve = &params->curve;
  curve->count = 2 + (int32_t)random_below(random, PERLANE_MAX_CURVE_POINTS - 1);
  const int has_steps = random_below(random, 8) == 0; /* in which a float has few places */
  double x = random_between(random, -1.2, 0);
  for (int32_t i = 0; i < curve->count; i++) {
    curve->point[i][0] = x;
    curve->point[i][1] = random_below(random, 8) ? random_between(random, -1, 1) : 0;
    x += has_steps && random_below(random, 4) == 0 ? 2e-6 : random_between(random, 0.01, 0.4);
  }
  params->curve_shape = (int32_t)random_below(random, PERLANE_CURVE_SHAPE_COUNT);
}

static void random_terraces(struct random *random, perlane_params *params) {
  params->terraces = 1 + (int32_t)random_below(random, random_below(random, 4) ? 12 : 1024);
  params->terrace_sharpness = random_below(random, 8) ? 0.3 * (int)random_below(random, 4) : 0.999;
}

/* Displacements from a thousandth of a cell to some thirty cells. */
static void random_warp(struct random *random, perlane_params *params) {
  static const double amplitude[] = {0x1p-10, 0.01, 0.1, 0.5, 1, 4, 32};
  static const double ratio[] = {0.25, 0.5, 1, 1, 2, 0.37};
  params->warp_amplitude = amplitude[random_below(random, COUNT_OF(amplitude))] / params->frequency;
  params->warp_frequency = ratio[random_below(random, COUNT_OF(ratio))] * params->frequency;
  params->warp_octaves = random_below(random, 2) ? 1 : 1 + (int32_t)random_below(random, 4);
  params->warp_rounds =
      random_below(random, 2) ? 1 : 1 + (int32_t)random_below(random, PERLANE_MAX_WARP_ROUNDS);
  if (random_below(random, 3) == 0)
    params->warp_lacunarity = random_between(random, 0.4, 3.5);
  if (random_below(random, 3) == 0)
    params->warp_gain = random_between(random, -1, 1.2);
}

/* In cells: around the positions that tests use, beyond them, or a step. */
static void random_falloff(struct random *random, perlane_params *params) {
  const double cell = 1 / params->frequency;
  params->falloff = random_between(random, -3, 3);
  params->falloff_shape = (int32_t)random_below(random, PERLANE_FALLOFF_SHAPE_COUNT);
  params->falloff_end = cell * random_between(random, 0.1, random_below(random, 3) ? 20 : 1000);
  params->falloff_start = random_below(random, 3) ? params->falloff_end * random_unit(random) : 0;
  double *const centre[] = {&params->falloff_x, &params->falloff_y, &params->falloff_z,
                            &params->falloff_w};
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    *centre[a] = random_below(random, 3) ? cell * random_between(random, -9, 9) : 0;
}

/* Gives a field valleys. (Few levels, and seldom: the reference takes milliseconds a sample.) */
static void random_valleys(struct random *random, perlane_params *params) {
  static const double steepness[] = {PERLANE_MIN_VALLEYS, 0.5, 4, PERLANE_MAX_VALLEYS};
  int periods = 0;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    periods |= params->period[a];
  if (periods > 1 << 16)
    return;
  params->valleys =
      random_below(random, 2) ? steepness[random_below(random, 4)] : random_between(random, 1, 6);
  params->valley_octaves = (int32_t)random_below(random, 2);
  params->valley_cells =
      periods ? 1 + (double)random_below(random, 6) : random_between(random, 0.1, 9);
  params->valley_gain = random_below(random, 3) ? random_unit(random) : 1;
  params->valley_floor = random_below(random, 3) ? random_between(random, 0, 0.5) : 0;
  params->valley_output = random_below(random, 4) == 0;
}

static void random_cells(struct random *random, perlane_params *params) {
  params->cell_metric = (int32_t)random_below(random, PERLANE_CELL_METRIC_COUNT);
  params->cell_output = (int32_t)random_below(random, PERLANE_CELL_OUTPUT_COUNT);
  if (params->cell_output == PERLANE_CELL_OUTPUT_EDGE)
    params->cell_metric = PERLANE_CELL_METRIC_EUCLIDEAN;
  if (random_below(random, 3) == 0)
    params->jitter = random_below(random, 3) ? random_unit(random) : 0;
}

static void random_options(struct random *random, perlane_params *params, int dims) {
  params->basis = choice(random, "basis", dims);
  do
    params->hash = choice(random, "hash", dims);
  while (!hash_goes_with(params));
  params->gradients = choice(random, "gradients", dims);
  params->fade = choice(random, "fade", dims);
  do
    params->fractal = choice(random, "fractal", dims);
  while (params->basis == PERLANE_BASIS_CELLULAR && params->fractal == PERLANE_FRACTAL_ERODED);
  params->normalize = choice(random, "normalize", dims);
  if (random_below(random, 4) == 0)
    params->weighted_strength = random_below(random, 4) ? random_unit(random) : 1;
  if (random_below(random, 2))
    params->ping_pong_strength = random_between(random, 0.1, 9);
  if (random_below(random, 2))
    params->erosion = random_below(random, 4) ? random_between(random, 0, 9) : 1000;
  random_cells(random, params);
  if (params->basis == PERLANE_BASIS_CELLULAR) /* which takes long */
    params->octaves = 1 + params->octaves % 3;
  if (random_below(random, 5) == 0)
    random_warp(random, params);
  give_tables(params, dims);
  if (params->hash == PERLANE_HASH_PRIMES && random_below(random, 3) == 0)
    params->hash_table = NULL;
  if (random_below(random, 3) == 0)
    random_periods(random, params, dims);
  if (random_below(random, 3) == 0)
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      params->table_offset[a] = (int32_t)(random_word(random) >> random_below(random, 63));
  if (random_below(random, 4) == 0)
    params->amplitude = random_between(random, -3, 3);
  if (random_below(random, 4) == 0)
    params->value_scale = random_between(random, -50, 50);
  if (random_below(random, 4) == 0)
    params->value_offset = random_between(random, -50, 50);
  if (random_below(random, 4) == 0)
    params->contrast = (int32_t)random_below(random, random_below(random, 4) ? 5 : 65);
  if (random_below(random, 5) == 0)
    random_curve(random, params);
  if (random_below(random, 5) == 0)
    random_terraces(random, params);
  if (random_below(random, 5) == 0)
    random_falloff(random, params);
  if (dims == 2 && random_below(random, 50) == 0)
    random_valleys(random, params);
  make_valid(params, dims);
}

perlane_params random_params(struct random *random, int dims) {
  perlane_params params = perlane_params_default();
  params.seed = random_word(random) >> random_below(random, 64);
  params.octaves = random_below(random, 2) ? 1 : 1 + (int32_t)random_below(random, 8);
  params.frequency = random_below(random, 3) ? random_between(random, 0.001, 1.5)
                                             : 1.0 / (double)(1 << random_below(random, 12));
  if (random_below(random, 3) == 0)
    params.lacunarity = random_between(random, 0.4, 3.5);
  if (random_below(random, 3) == 0)
    params.gain = random_between(random, -1, 1.2);
  if (random_below(random, 4) == 0)
    params.octaves_share = 1;
  if (random_below(random, 4) == 0)
    params.phase = PERLANE_PHASE_NONE;
  if (random_below(random, 3))
    random_options(random, &params, dims);
  return params;
}

perlane_params parsed(const char *options) {
  perlane_params params = perlane_params_default();
  if (perlane_params_parse(&params, options, NULL) != PERLANE_OK)
    fail_msg("not a field: %s", options);
  return params;
}

void print_params(const perlane_params *params) {
  char text[2048];
  perlane_params_print(params, text, sizeof text);
  print_message("  %s\n", text);
  if (params->hash_table || params->gradient_table || params->gradient_grid)
    print_message("  tables:%s %d gradients of %d components, a grid of %d x %d\n",
                  params->hash_table ? " a hash table," : "", (int)params->gradient_count,
                  (int)params->gradient_dims, (int)params->gradient_grid_count[0],
                  (int)params->gradient_grid_count[1]);
}

perlane_noise noise_of(const perlane_params *params) {
  perlane_noise noise;
  memset(&noise, 0xFF, sizeof noise); /* what a field does not use is NaN */
  const perlane_status status = perlane_init(&noise, params);
  if (status != PERLANE_OK) {
    print_message("%s\n", perlane_status_string(status));
    print_params(params);
  }
  assert_int_equal(status, PERLANE_OK);
  return noise;
}

perlane_noise noise_from(const char *options) {
  const perlane_params params = parsed(options);
  return noise_of(&params);
}

/* ---- Damage ---- */

const size_t PARAMS_POINTERS[] = {
    offsetof(perlane_params, hash_table),    offsetof(perlane_params, gradient_table),
    offsetof(perlane_params, gradient_dims), offsetof(perlane_params, gradient_grid_count),
    offsetof(perlane_params, gradient_grid), SIZE_MAX};
const size_t GRID_POINTERS[] = {offsetof(perlane_grid, work), offsetof(perlane_grid, work_bytes),
                                SIZE_MAX};

void damage(struct random *random, void *memory, const size_t *pointers, size_t bytes) {
  static const double numbers[] = {0,         -0.0,     0.5,       -1,         2,       1e-3,
                                   0x1p27,    0x1p31,   0x1p53,    0x1p54,     -0x1p63, 0x1p100,
                                   0x1p-100,  1e38,     1e308,     -1e308,     1e-310,  1e-45,
                                   0x1p-1022, INFINITY, -INFINITY, (double)NAN};
  static const int64_t integers[] = {0,
                                     1,
                                     -1,
                                     2,
                                     3,
                                     33,
                                     64,
                                     257,
                                     1 << 30,
                                     INT32_MAX,
                                     INT32_MIN,
                                     INT64_MAX,
                                     INT64_MIN,
                                     INT64_C(1) << 40,
                                     INT64_C(1) << 53};
  for (uint64_t n = 1 + random_below(random, 3); n > 0; n--) {
    size_t at = random_below(random, bytes / 4) * 4;
    double number = numbers[random_below(random, COUNT_OF(numbers))];
    int64_t integer = integers[random_below(random, COUNT_OF(integers))];
    switch (random_below(random, 6)) {
    case 0:
      integer = (int64_t)random_word(random);
      memcpy(&number, &integer, sizeof number);
      break;
    case 1:
      number = nextafter(number, random_below(random, 2) ? INFINITY : -INFINITY);
      break;
    case 2:
      number = ldexp(random_between(random, -2, 2), (int)random_below(random, 200) - 100);
      break;
    default:
      break;
    }
    int is_pointer = 0;
    for (const size_t *p = pointers; *p < bytes; p++)
      is_pointer |= at / 8 == *p / 8;
    if (is_pointer)
      continue;
    const int is_real = (int)random_below(random, 3);
    if (is_real == 2 || at / 8 * 8 + 8 > bytes) /* an int32_t */
      memcpy((char *)memory + at, &(int32_t){(int32_t)integer}, 4);
    else
      memcpy((char *)memory + at / 8 * 8, is_real ? (const void *)&number : &integer, 8);
  }
}

/* ---- Kernels and memory ---- */

void force(perlane_isa isa) {
  assert_ok(perlane_force_isa(isa));
}

static perlane_isa any_isa(struct random *random) {
  perlane_isa isa;
  do
    isa = (perlane_isa)random_below(random, PERLANE_ISA_COUNT);
  while (!perlane_isa_supported(isa));
  return isa;
}

void force_any(struct random *random) {
  force(any_isa(random));
}

void force_lanes(struct random *random) {
  perlane_isa isa;
  do
    isa = any_isa(random);
  while (isa == PERLANE_ISA_SCALAR);
  force(isa);
}

perlane_isa next_isa(perlane_isa isa) {
  do
    isa = isa + 1 < PERLANE_ISA_COUNT ? (perlane_isa)(isa + 1) : PERLANE_ISA_AUTO;
  while (!perlane_isa_supported(isa)); /* PERLANE_ISA_AUTO always is */
  return isa;
}

perlane_isa best_isa(void) {
  perlane_isa isa = PERLANE_ISA_SCALAR;
#define PREFER(id, ID, ...)                                                                        \
  if (perlane_isa_supported(PERLANE_ISA_##ID))                                                     \
    isa = PERLANE_ISA_##ID;
  PERLANE_NATIVE_LANES(PREFER)
#undef PREFER
  return isa;
}

float float_of(uint32_t bits) {
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

uint32_t bits_of(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

void fill_pattern(void *memory, size_t bytes) {
  unsigned char *byte = memory;
  for (size_t i = 0; i < bytes; i++)
    byte[i] = (unsigned char)(0xA5 ^ i * 37);
}

/* ---- Files ---- */

char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    print_message("cannot open %s\n", path);
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  const long bytes = ftell(file);
  assert_true(bytes > 0);
  rewind(file);
  char *text = malloc((size_t)bytes + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)bytes, file), bytes);
  text[bytes] = '\0';
  fclose(file);
  return text;
}

/* Splits a line at the commas that are not within quotes, and returns the number of its cells. */
static int split(char *line, const char **cell) {
  int n = 0;
  while (line) {
    assert_true(n < MAX_COLUMNS);
    const int is_quoted = *line == '"';
    cell[n++] = line += is_quoted;
    if (is_quoted) {
      line = strchr(line, '"');
      *line++ = '\0';
    }
    line = strchr(line, ',');
    if (line)
      *line++ = '\0';
  }
  return n;
}

struct table *read_table(const char *path) {
  struct table *table = calloc(1, sizeof *table);
  assert_non_null(table);
  table->text = read_file(path);
  for (char *line = table->text, *next; *line; line = next) {
    next = line + strcspn(line, "\r\n");
    while (*next == '\r' || *next == '\n')
      *next++ = '\0';
    if (*line == '#')
      continue;
    if (table->columns == 0) {
      table->columns = split(line, table->name);
      continue;
    }
    assert_true(table->rows < MAX_ROWS);
    assert_int_equal(split(line, table->cell[table->rows++]), table->columns);
  }
  return table;
}

void free_table(struct table *table) {
  free(table->text);
  free(table);
}

const char *text_of(const struct table *table, int row, const char *name) {
  for (int i = 0; i < table->columns; i++)
    if (strcmp(table->name[i], name) == 0)
      return table->cell[row][i];
  fail_msg("no column \"%s\"", name);
  return "";
}

double number(const struct table *table, int row, const char *name) {
  const char *text = text_of(table, row, name);
  if (!strstr(name, "_bits"))
    return strtod(text, NULL);
  const uint64_t word = strtoull(text, NULL, 16);
  if (strlen(text) == 16) {
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
  }
  assert_int_equal(strlen(text), 8);
  return (double)float_of((uint32_t)word);
}

/* Writes a form in which each # is an expression of less depth, each $ a field, and @ the arguments
 * of at() before its field. Returns the length. */
static size_t write_form(struct random *random, int dims, int depth, const char *form, char *text) {
  static const char *const LEAVES[] = {"$", "$", "$", "x", "y", "z", "0.3", "2", "-1.25", "1e-3"};
  static const char *const FORMS[] = {"#+#",
                                      "(#-#)",
                                      "(#)*(#)",
                                      "(#)/(#)",
                                      "-(#)",
                                      "abs(#)",
                                      "sqrt(#)",
                                      "floor(#)",
                                      "min(#,#)",
                                      "@",
                                      "max(#,#)",
                                      "mix(#,#,#)",
                                      "select(#,#,#)",
                                      "step(#,#)",
                                      "@",
                                      "$-0.1*$",
                                      "clamp(#,#,#)",
                                      "$*0.5-#",
                                      "#+2*$",
                                      "#-$*$",
                                      "smooth(#,#,#)",
                                      "curve(#,-1:0.5,0:-0.2,2:3)",
                                      "curve(#,-0.4:0,0.1:0.2,0.7:-1,smooth)",
                                      "smooth_min(#,#,0.3)",
                                      "smooth_max(#,#,1/8)"};
  static const char *const ARGUMENTS[] = {"$",     "x",       "y+$",         "x-$*3+y",
                                          "z",     "-x",      "0.8*x-0.6*y", "(y-2*$)*0.3",
                                          "7-x/3", "$+y*1e4", "9+y*2"};
  size_t length = 0;
  for (; *form != '\0'; form++)
    if (*form == '#') {
      const int is_leaf = depth == 0 || random_below(random, 4) == 0;
      length += write_form(random, dims, is_leaf ? 0 : depth - 1,
                           is_leaf ? LEAVES[random_below(random, COUNT_OF(LEAVES))]
                                   : FORMS[random_below(random, COUNT_OF(FORMS))],
                           text + length);
    } else if (*form == '@') {
      const int is_bare = random_below(random, 2) == 0;
      length += write_form(random, dims, 0, "at(", text + length);
      for (int a = 0; a < dims; a++, text[length++] = ',') {
        const char axis[] = {"xyzw"[a], '\0'};
        length += write_form(random, dims, 0,
                             is_bare ? axis : ARGUMENTS[random_below(random, COUNT_OF(ARGUMENTS))],
                             text + length);
      }
      length += write_form(random, dims, 0, "$)", text + length);
    } else {
      text[length++] = *form == '$' ? "abc"[random_below(random, 3)] : *form;
    }
  return length;
}

void random_expression(struct random *random, int dims, char text[RANDOM_TEXT]) {
  text[write_form(random, dims, 1 + (int)random_below(random, 3), "#", text)] = '\0';
}
