/* SPDX-License-Identifier: MIT
 *
 * The caller's floating-point environment: under any rounding mode, flushing and exception mask the
 * bits are the same, no exception traps, and the environment is restored. A call may raise sticky
 * exception flags, but lowers none.
 */
#include "functions.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

struct choice {
  const char *name;
  uint32_t bits;
};

#if defined(__x86_64__) || defined(__SSE__)
#include <xmmintrin.h>
typedef uint32_t control_word;
enum { STICKY_FLAGS = 0x3F };
static control_word read_control(void) {
  return _mm_getcsr() & ~(control_word)STICKY_FLAGS;
}
static uint32_t read_flags(void) {
  return _mm_getcsr() & STICKY_FLAGS;
}
static void write_environment(control_word word, uint32_t flags) {
  _mm_setcsr(word | flags);
}
static const struct choice ROUNDING[] = {
    {"round to nearest", 0},
    {"round down", 0x2000},
    {"round up", 0x4000},
    {"round toward zero", 0x6000},
};
static const struct choice FLUSHING[] = {
    {"", 0},
    {", flush to zero", 0x8000},
    {", denormals are zero", 0x0040},
    {", both, as after linking with -ffast-math", 0x8040},
};
static const struct choice TRAPS[] = {{"", 0x1F80}, {", all exceptions trap", 0}};
#elif defined(__aarch64__)
typedef uint64_t control_word;
enum { STICKY_FLAGS = 0x9F };
static control_word read_control(void) {
  control_word word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
static uint32_t read_flags(void) {
  uint64_t word;
  __asm__ volatile("mrs %0, fpsr" : "=r"(word));
  return (uint32_t)word & STICKY_FLAGS;
}
static void write_environment(control_word word, uint32_t flags) {
  __asm__ volatile("msr fpsr, %0" : : "r"((uint64_t)flags));
  __asm__ volatile("msr fpcr, %0" : : "r"(word));
}
static const struct choice ROUNDING[] = {
    {"round to nearest", 0},
    {"round up", UINT32_C(1) << 22},
    {"round down", UINT32_C(2) << 22},
    {"round toward zero", UINT32_C(3) << 22},
};
static const struct choice FLUSHING[] = {
    {"", 0},
    {", flush to zero", UINT32_C(1) << 24},
    {", default NaN", UINT32_C(1) << 25},
    {", flush to zero and default NaN", UINT32_C(3) << 24},
    {", flush halves to zero", UINT32_C(1) << 19},
    {", flush inputs to zero", 1},
    {", alternate handling", 2},
};
static const struct choice TRAPS[] = {{"", 0}, {", all exceptions trap", 0x9F00}};
#else
typedef int control_word;
enum { STICKY_FLAGS = FE_ALL_EXCEPT };
static control_word read_control(void) {
  return fegetround();
}
static uint32_t read_flags(void) {
  return (uint32_t)fetestexcept(FE_ALL_EXCEPT);
}
static void write_environment(control_word word, uint32_t flags) {
  feclearexcept(FE_ALL_EXCEPT);
  feraiseexcept((int)flags);
  fesetround(word);
}
static const struct choice ROUNDING[] = {
    {"round to nearest", FE_TONEAREST},
#ifdef FE_UPWARD
    {"round up", FE_UPWARD},
    {"round down", FE_DOWNWARD},
    {"round toward zero", FE_TOWARDZERO},
#endif
};
static const struct choice FLUSHING[] = {{"", 0}}, TRAPS[] = {{"", 0}};
#endif

/* Everything about a thread that floating-point arithmetic depends on. */
struct setting {
  char name[120];
  control_word word;
  uint32_t flags; /* that are up already */
};
enum {
  ROUNDINGS = COUNT_OF(ROUNDING),
  FLUSHINGS = COUNT_OF(FLUSHING),
  TRAPPINGS = COUNT_OF(TRAPS),
  SETTINGS = ROUNDINGS * FLUSHINGS * TRAPPINGS, /* the first of them the default */
};

static struct setting setting_of(size_t i, uint32_t flags) {
  const struct choice *rounding = &ROUNDING[i % ROUNDINGS];
  const struct choice *flushing = &FLUSHING[i / ROUNDINGS % FLUSHINGS];
  const struct choice *traps = &TRAPS[i / ROUNDINGS / FLUSHINGS];
  struct setting setting = {"", 0, flags};
  snprintf(setting.name, sizeof setting.name, "%s%s%s%s", rounding->name, flushing->name,
           traps->name, flags ? ", flags up" : "");
  setting.word = (control_word)(rounding->bits | flushing->bits | traps->bits);
  return setting;
}

static int is_offered(control_word word) {
  const struct setting standard = setting_of(0, 0);
  write_environment(word, 0);
  const control_word held = read_control();
  write_environment(standard.word, 0);
  return held == word;
}

/* Returns the number of settings that this CPU has. Prints once which it lacks. */
static size_t offered_settings(struct setting setting[SETTINGS]) {
  static int printed;
  size_t count = 0;
  for (size_t i = 0; i < SETTINGS; i++) {
    setting[count] = setting_of(i, i % 3 == 1 ? STICKY_FLAGS : 0);
    const int is_one =
        i < ROUNDINGS ||
        (i % ROUNDINGS == 0 && (i / ROUNDINGS < FLUSHINGS || i / ROUNDINGS % FLUSHINGS == 0));
    if (is_offered(setting[count].word))
      count++;
    else if (is_one && !printed)
      print_message("not run: \"%s\" and its combinations, which this CPU does not have\n",
                    setting_of(i, 0).name);
  }
  printed = 1;
  return count;
}

/* ---- The x87 unit, which 64-bit code need not touch ---- */

struct x87 {
  uint16_t control, status, tags;
};

#if defined(__x86_64__) || defined(__i386__)
static struct x87 read_x87(void) {
  uint16_t word[14] = {0}; /* as FNSTENV lays it out; it masks all exceptions, too */
  __asm__ volatile("fnstenv %0\n\tfldcw %0" : "=m"(word));
  return (struct x87){word[0], word[2], word[4]};
}
static void write_x87(uint16_t control) {
  __asm__ volatile("fninit\n\tfldcw %0" : : "m"(control));
}
static const uint16_t X87[] = {0x037F, /* the default: 64 bits of precision, exceptions masked */
                               0x007F, 0x027F, 0x0F7F, 0x0340, 0x0040, 0x0C40};
#else
static struct x87 read_x87(void) {
  return (struct x87){0, 0, 0};
}
static void write_x87(uint16_t control) {
  (void)control;
}
static const uint16_t X87[] = {0};
#endif
enum { X87_SETTINGS = COUNT_OF(X87) };

/* ---- Every function that computes ---- */

enum { N = 37 * 9 };

/* Fields that between them do every kind of arithmetic. Values, displacements and points of a curve
 * are denormal. */
static const char *const FIELDS[] = {
    "",
    "fractal=ping_pong weighted_strength=0.7 gradients=sphere fade=cubic contrast=3 "
    "value_scale=1e-38 value_offset=1e-40",
    "basis=gaussian normalize=none fractal=ridged",
    "hash=shuffled gradients=compass8 normalize=octaves period=7 gain=1e-9",
    "warp_amplitude=1.3 warp_frequency=0.3 warp_octaves=3 warp_rounds=2 terraces=7 "
    "normalize=spread",
    "fractal=eroded erosion=1e-300 warp_amplitude=1e-310",
    "basis=cellular cell_output=f2_minus_f1 jitter=0.3 octaves=2",
    "curve=-0.9:0.1,-0.3:0.3333333333333333,0.3:1e-310,0.7:0.7 curve_shape=smooth"};
static perlane_params params_of(size_t field) {
  char text[300];
  snprintf(text, sizeof text, "frequency=0.37 octaves=5 gain=0.3 %s", FIELDS[field]);
  return parsed(text);
}

/* All that is written to. */
struct everything {
  struct results results;
  float array[FUNCTIONS][1 + PERLANE_MAX_DIMS][N]; /* or integers */
};

/* Inputs made beforehand, under the default environment. */
static struct arguments make_arguments(void) {
  static float coordinate[2][N];
  static double wide[2][N], origin[2] = {1.0 / 3, -1e5 / 3}; /* sums are rounded */
  for (int i = 0; i < N; i++) {
    coordinate[0][i] = (float)i * 0.37f - 50;
    coordinate[1][i] = (float)i * 1e7f;
    wide[0][i] = 1e5 / (i + 3);
    wide[1][i] = i % 7 ? i / 3.0 : 5e-324;
  }
  memset(&coordinate[0][5], 0x01, sizeof(float)); /* a denormal, values that raise flags */
  coordinate[0][6] = FLT_MAX;
  memset(&coordinate[0][7], 0xFF, sizeof(float));
  static const uint32_t signalling = 0x7FA00001;
  memcpy(&coordinate[1][8], &signalling, sizeof signalling);
  static const double position[POSITIONS][2] = {
      {0.1, 0.7}, {-3.3, 1e9}, {0x1p-1070, 0.3}, {1e-310, -1e-310}};
  struct arguments in = {.points = N, .origin = origin};
  in.call = (struct call){.grid = grid_of(2, (size_t[]){37, 9}), .low = -0.3f, .high = 0.4f};
  in.call.grid.step[0] = 0.1;
  in.call.grid.step[1] = 0x1p-1060; /* positions that are denormal */
  for (int a = 0; a < 2; a++) {
    in.call.coords[a] = coordinate[a];
    in.call.coords64[a] = wide[a];
    for (int i = 0; i < POSITIONS; i++)
      in.position[i][a] = position[i][a];
  }
  return in;
}

/* Every call but some of the self-tests, which take longest. */
static void run(const struct arguments *inputs, const struct setting *setting, uint16_t x87,
                int with_selftest, struct everything *out) {
  const struct setting standard = setting_of(0, 0);
  memset(out, 0, sizeof *out);
  for (int function = 0; function < FUNCTIONS; function++) {
    if (function == SELFTEST && !with_selftest)
      continue;
    set_context("%.99s under \"%s\", x87 %04x", function_name(function), setting->name, x87);
    float(*array)[N] = out->array[function];
    const struct call to = {.value = array[0],
                            .gradient = {array[1], array[2], array[3], array[4]}};
    write_x87(x87);
    const struct x87 x87_before = read_x87();
    write_environment(setting->word, setting->flags);
    const perlane_status status = call_function(function, inputs, &out->results, &to);
    const control_word word = read_control();
    const uint32_t flags = read_flags();
    write_environment(standard.word, 0);
    const struct x87 x87_after = read_x87();
    write_x87(X87[0]);
    if (status != PERLANE_OK || word != setting->word || (setting->flags & ~flags) != 0 ||
        memcmp(&x87_before, &x87_after, sizeof x87_after) != 0) {
      print_message("%s under \"%s\": \"%s\", control word %llx, flags %x, x87 %04x %04x %04x\n",
                    function_name(function), setting->name, perlane_status_string(status),
                    (unsigned long long)word, flags, x87_after.control, x87_after.status,
                    x87_after.tags);
      fail();
    }
  }
}

static void bits_are_kept(const struct arguments *inputs, const struct setting *setting,
                          uint16_t x87, int with_selftest, const struct everything *expected,
                          const char *field) {
  static struct everything actual;
  run(inputs, setting, x87, with_selftest, &actual);
  if (!with_selftest)
    actual.results.digest = expected->results.digest;
  if (memcmp(expected, &actual, sizeof actual) != 0)
    print_message("%s: \"%s\", x87 %04x, changes the bits of %s\n",
                  perlane_isa_name(perlane_isa_current()), setting->name, x87, field);
  assert_memory_equal(expected, &actual, sizeof actual);
}

static struct setting settings[SETTINGS];

static int calls_function(const char *name, size_t length) {
  for (int i = 0; i < FUNCTIONS; i++)
    for (const char *at = function_name(i); (at = strstr(at, "perlane_")) != NULL; at++)
      if (strncmp(at, name, length) == 0 && strchr(", ", at[length]))
        return 1;
  return 0;
}

/* The functions are those of the interface: a line is "TYPE NAME(PARAMETERS)", others are numbers,
 * macros and members. */
static void no_function_escapes(void **state) {
  (void)state;
  char *text = read_file(VECTORS "/interface.txt");
  int functions = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    const size_t end = strcspn(line, "(");
    size_t start = end;
    while (start > 0 && !strchr(" *", line[start - 1]))
      start--;
    if (line[end] == '\0' || strstr(line, " = "))
      continue;
    functions++;
    if (!calls_function(line + start, end - start))
      fail_msg("functions.c does not call %.*s", (int)(end - start), line + start);
  }
  assert_true(functions >= 52);
  free(text);
}

/* One field under all settings, with each instruction set. */
static void field_under_every_setting(struct random *random, const struct arguments *inputs,
                                      int with_selftest, const char *name) {
  const struct setting standard = setting_of(0, 0);
  const size_t count = offered_settings(settings);
  static struct everything expected, first;
  int is_first = 1;
  for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO; isa = next_isa(isa)) {
    force(isa);
    run(inputs, &standard, X87[0], with_selftest, &expected);
    if (with_selftest)
      assert_true(expected.results.digest == PERLANE_SELFTEST_DIGEST);
    if (is_first)
      first = expected;
    is_first = 0;
    assert_memory_equal(&first, &expected, sizeof first);
    for (size_t s = 0; s < count; s++)
      if (chosen(random))
        bits_are_kept(inputs, &settings[s], X87[0], with_selftest && s % 4 == 1, &expected, name);
  }
  force(PERLANE_ISA_AUTO);
}

/* The fields above, those of presets, and any whose levels are apart and whose domain has the
 * inputs. */
static void every_setting(void **state) {
  (void)state;
  struct random random = random_start("every setting");
  struct arguments inputs = make_arguments();
  for (size_t field = 0; field < COUNT_OF(FIELDS); field++) {
    inputs.params = params_of(field);
    field_under_every_setting(&random, &inputs, field == 0, FIELDS[field]);
  }
  for (int i = 0; (inputs.preset = perlane_preset_name(i)) != NULL; i++) {
    assert_ok(perlane_preset(&inputs.params, inputs.preset));
    give_tables(&inputs.params, 2);
    inputs.params.octaves = 4;
    inputs.params.frequency = 0.37;
    field_under_every_setting(&random, &inputs, 0, inputs.preset);
  }
  for (size_t c = effort(5); c > 0; c--) {
    perlane_noise noise;
    float low, high;
    do
      inputs.params = random_params(&random, 2);
    while (perlane_init(&noise, &inputs.params) != PERLANE_OK || noise.highest_frequency > 1e3 ||
           perlane_range(&noise, 2, &low, &high) != PERLANE_OK);
    field_under_every_setting(&random, &inputs, 0, "a random field");
  }
}

/* The x87 unit in other precisions, rounding or trapping, and as it was afterwards: its control and
 * status, and all registers empty. */
static void x87_is_left_alone(void **state) {
  (void)state;
  if (X87_SETTINGS == 1) {
    print_message("not run: x87 settings, as this machine has no x87 unit\n");
    return;
  }
  struct random random = random_start("x87");
  const struct setting standard = setting_of(0, 0);
  const size_t count = offered_settings(settings);
  struct setting hostile = settings[count - 1];
  hostile.flags = 0;
  struct arguments inputs = make_arguments();
  static struct everything expected;
  for (size_t field = 0; field < COUNT_OF(FIELDS); field++) {
    inputs.params = params_of(field);
    run(&inputs, &standard, X87[0], field == 0, &expected);
    for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO;
         isa = next_isa(isa)) {
      force(isa);
      for (size_t i = 1; i < X87_SETTINGS; i++)
        if (chosen(&random)) {
          bits_are_kept(&inputs, &standard, X87[i], field == 0, &expected, "a field");
          bits_are_kept(&inputs, &hostile, X87[i], 0, &expected, "a field");
        }
    }
  }
  force(PERLANE_ISA_AUTO);
}

/* ---- Errors ---- */

/* Arguments of any kind, made beforehand: damaged fields and grids, levels and positions. */
enum { CASES = 300, SAMPLES = 12 };
static struct odd {
  perlane_params params;
  perlane_grid grid;
  float level[2], coordinate[2][SAMPLES];
  double position[2];
} odd[CASES];

static void make_odd(struct random *random, struct odd *to) {
  *to = (struct odd){.params = parsed("octaves=3"), .grid = perlane_grid_make(4, 3, 0, 0)};
  if (random_below(random, 2))
    to->params = parsed("octaves=2 basis=cellular terraces=3 warp_amplitude=0.5 curve=0:0,1:1");
  const size_t none = SIZE_MAX;
  if (random_below(random, 3))
    damage(random, &to->params, PARAMS_POINTERS, sizeof to->params);
  else
    damage(random, to->grid.origin, &none, 2 * sizeof to->grid.origin); /* and steps */
  damage(random, to->level, &none, sizeof to->level);
  damage(random, to->position, &none, sizeof to->position);
  for (int i = 0; i < SAMPLES; i++)
    for (int a = 0; a < 2; a++)
      damage(random, to->coordinate[a], &none, sizeof to->coordinate[a]);
}

/* The statuses, sentences and values that the functions return. */
struct answers {
  perlane_status status[11];
  char sentence[2][PERLANE_MESSAGE_BYTES];
  float range[2], value[SAMPLES], shown[SAMPLES], slope[2][SAMPLES], at[4];
  int32_t octaves;
  uint32_t words[PERLANE_GPU_POINT_WORDS];
  uint16_t word[SAMPLES];
  uint8_t byte[SAMPLES];
};

static void ask(const struct odd *in, struct answers *out) {
  perlane_noise noise;
  memset(out, 0, sizeof *out);
  float *const slope[2] = {out->slope[0], out->slope[1]};
  const float *const coords[2] = {in->coordinate[0], in->coordinate[1]};
  perlane_explain_params(&in->params, out->sentence[0], PERLANE_MESSAGE_BYTES);
  perlane_params look;
  out->status[9] = perlane_look(&look, "hills", in->position[0]);
  out->octaves = out->status[9] == PERLANE_OK ? look.octaves : 0;
  out->status[0] = perlane_init(&noise, &in->params);
  if (out->status[0] != PERLANE_OK)
    return;
  perlane_explain_grid(&noise, &in->grid, out->sentence[1], PERLANE_MESSAGE_BYTES);
  out->status[1] = perlane_range(&noise, 2, &out->range[0], &out->range[1]);
  out->status[2] = perlane_fill_u16(&noise, &in->grid, in->level[0], in->level[1], out->word);
  out->status[3] = perlane_fill_u8(&noise, &in->grid, in->level[0], in->level[1], out->byte);
  out->status[4] = perlane_fill_extremes(&noise, &in->grid, out->value, &out->at[2], &out->at[3]);
  out->status[5] = perlane_fill_gradient(&noise, &in->grid, NULL, slope);
  out->status[6] = points_of(&noise, 2, SAMPLES, NULL, coords, out->value, NULL);
  out->status[7] = points_of(&noise, 2, SAMPLES, NULL, coords, NULL, slope);
  out->status[8] = perlane_gpu_points(&noise, 2, in->position, out->words, COUNT_OF(out->words));
  perlane_list list = list_of(2, SAMPLES, NULL, coords);
  list.octaves = PERLANE_OCTAVES_SHOWN;
  list.step = in->position[1];
  out->status[10] = perlane_points(&noise, &list, out->shown, NULL);
  out->at[0] = perlane_at(&noise, 2, in->position);
  out->at[1] = perlane_at_gradient(&noise, 2, in->position, out->slope[0]);
}

/* Refusals too cost arithmetic: the same, without a trap. */
static void errors_under_every_setting(void **state) {
  (void)state;
  struct random random = random_start("errors under every setting");
  const struct setting standard = setting_of(0, 0);
  const size_t count = offered_settings(settings);
  static struct answers expected[CASES], actual;
  for (int c = 0; c < CASES; c++)
    make_odd(&random, &odd[c]);
  for (perlane_isa isa = next_isa(PERLANE_ISA_AUTO); isa != PERLANE_ISA_AUTO; isa = next_isa(isa)) {
    force(isa);
    for (size_t s = 0; s < count; s++) {
      if (s > 0 && !chosen(&random))
        continue;
      for (int c = 0; c < CASES; c++) {
        struct answers *answers = s == 0 ? &expected[c] : &actual;
        set_context("odd arguments under \"%s\"", settings[s].name);
        write_environment(settings[s].word, settings[s].flags);
        ask(&odd[c], answers);
        const control_word word = read_control();
        const uint32_t flags = read_flags();
        write_environment(standard.word, 0);
        assert_true(word == settings[s].word && (settings[s].flags & ~flags) == 0);
        if (memcmp(&expected[c], answers, sizeof actual) != 0) {
          print_params(&odd[c].params);
          fail_msg("%s: \"%s\" changes what functions answer", perlane_isa_name(isa),
                   settings[s].name);
        }
      }
    }
  }
  force(PERLANE_ISA_AUTO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_function_escapes),
      cmocka_unit_test(every_setting),
      cmocka_unit_test(x87_is_left_alone),
      cmocka_unit_test(errors_under_every_setting),
  };
  return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
