/* SPDX-License-Identifier: MIT
 *
 * Writes random fields and their bits, as the native library evaluates them, for parity.mjs:
 * wasm_fields FILE. A record is the length of a text, the text, JSON that describes the field and
 * the call, and the outputs of the call.
 */
#include "../support.h"

#include <math.h>

enum { CASES = 1500, MAX_SAMPLES = 6000, MAX_TEXT = 4096 };

enum call { FILL, UINT16, UINT8, EXTREMES, GRADIENT, POINTS, SLOPES, DOUBLES, AT, CALLS };
static const char *const CALL_NAME[CALLS] = {"fill",   "uint16", "uint8",   "extremes", "gradient",
                                             "points", "slopes", "doubles", "at"};

static FILE *file;
static char json[1 << 20];
static size_t length;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  length += (size_t)vsnprintf(json + length, sizeof json - length, format, arguments);
  va_end(arguments);
  assert_true(length < sizeof json);
}

static void write_bytes(const void *bytes, size_t n) {
  assert_int_equal(fwrite(bytes, 1, n, file), n);
}

static void say_reals(const char *name, const double *value, size_t n) {
  say(",\"%s\":[", name);
  for (size_t i = 0; i < n; i++)
    say("%s%.17g", i > 0 ? "," : "", value[i]);
  say("]");
}

static void say_floats(const float *value, size_t n) {
  say("[");
  for (size_t i = 0; i < n; i++)
    say("%s%.9g", i > 0 ? "," : "", (double)value[i]);
  say("]");
}

static void say_tables(const perlane_params *params) {
  if (params->hash_table) {
    say(",\"hash_table\":[");
    const int n = params->hash == PERLANE_HASH_PRIMES ? 1024 : 256;
    for (int i = 0; i < n; i++)
      say("%s%d", i > 0 ? "," : "", params->hash_table[i]);
    say("]");
  }
  if (params->gradient_table) {
    say(",\"gradient_table\":[");
    for (int i = 0; i < params->gradient_count; i++) {
      say("%s", i > 0 ? "," : "");
      say_floats(params->gradient_table + i * params->gradient_dims, (size_t)params->gradient_dims);
    }
    say("]");
  }
  if (params->gradient_grid) {
    const int32_t *size = params->gradient_grid_count;
    say(",\"gradient_grid\":{\"size\":[%d,%d],\"vectors\":", size[0], size[1]);
    say_floats(params->gradient_grid, 2 * (size_t)size[0] * (size_t)size[1]);
    say("}");
  }
}

/* Positions near and far, whole numbers that only 64 bits hold, and steps in both directions. */
static perlane_grid random_grid(struct random *random, int dims) {
  static const uint64_t max_count[4] = {3000, 70, 17, 8};
  perlane_grid grid = perlane_grid_make(1, dims > 1, dims > 2, dims > 3);
  for (int a = 0; a < dims; a++) {
    grid.count[a] = 1 + random_below(random, max_count[dims - 1]);
    grid.step[a] = random_between(random, 0.01, 3) * (random_below(random, 4) ? 1 : -1);
    grid.origin[a] = random_below(random, 3)
                         ? random_between(random, -1e4, 1e4)
                         : ldexp(random_unit(random), 20 + (int)random_below(random, 22));
    grid.first[a] = (int64_t)random_below(random, 2001) - 1000;
    if (random_below(random, 6) == 0) { /* beyond the whole numbers of double */
      grid.first[a] = (int64_t)(random_word(random) >> 2 | 1) * (random_below(random, 2) ? 1 : -1);
      grid.step[a] = random_between(random, 1, 2) * 0x1p-30;
    }
  }
  return grid;
}

static size_t written;

static void one_case(struct random *random, size_t number) {
  static float value[MAX_SAMPLES], slope[4][MAX_SAMPLES], coord[4][MAX_SAMPLES];
  static double coord64[4][MAX_SAMPLES];
  static uint16_t word[MAX_SAMPLES];
  static uint8_t byte[MAX_SAMPLES];
  float *const gradient[4] = {slope[0], slope[1], slope[2], slope[3]};
  const float *const coords[4] = {coord[0], coord[1], coord[2], coord[3]};
  const double *const coords64[4] = {coord64[0], coord64[1], coord64[2], coord64[3]};
  const int dims = 1 + (int)random_below(random, 4);
  const perlane_params params = random_params(random, dims);
  const enum call call = (enum call)(number % CALLS);
  const perlane_noise noise = noise_of(&params);
  const perlane_grid grid = random_grid(random, dims);
  const float low = (float)random_between(random, -2, 0),
              high = (float)random_between(random, 0.1, 2);
  float ends[2];
  double origin[4];
  size_t n = 1;
  for (int a = 0; a < dims; a++)
    n *= grid.count[a];
  if (call >= POINTS)
    n = 1 + random_below(random, call == AT ? 60 : 600);
  for (int a = 0; a < dims; a++) {
    origin[a] = random_below(random, 2) ? 0 : random_between(random, -1e9, 1e9);
    for (size_t i = 0; i < n && call >= POINTS; i++) {
      coord64[a][i] = ldexp(random_between(random, -1, 1), (int)random_below(random, 40));
      coord[a][i] = (float)coord64[a][i];
    }
    if (call >= POINTS && random_below(random, 4) == 0)
      coord64[a][n / 2] = coord[a][n / 2] = 1e30f; /* outside the domain */
    if (call >= POINTS)
      coord64[a][n / 2] = (double)coord[a][n / 2];
  }
  perlane_status status = PERLANE_OK;
  switch (call) {
  case FILL:
    status = perlane_fill(&noise, &grid, value);
    break;
  case UINT16:
    status = perlane_fill_u16(&noise, &grid, low, high, word);
    break;
  case UINT8:
    status = perlane_fill_u8(&noise, &grid, high, low, byte);
    break;
  case EXTREMES:
    status = perlane_fill_extremes(&noise, &grid, value, &ends[0], &ends[1]);
    break;
  case GRADIENT:
    status = perlane_fill_gradient(&noise, &grid, value, gradient);
    break;
  case POINTS:
    status = perlane_points(&noise, dims, n, origin, coords, value);
    break;
  case DOUBLES:
    status = perlane_points_double(&noise, dims, n, coords64, value, NULL);
    break;
  case AT:
    status = perlane_points_double(&noise, dims, n, coords64, value, NULL);
    for (size_t i = 0; i < n; i++) {
      double position[4];
      for (int a = 0; a < dims; a++)
        position[a] = coord64[a][i];
      value[i] = perlane_at(&noise, dims, position);
    }
    break;
  default:
    status = perlane_points_gradient(&noise, dims, n, origin, coords, value, gradient);
  }
  char text[MAX_TEXT];
  perlane_params_print(&params, text, sizeof text);
  length = 0;
  say("{\"call\":\"%s\",\"status\":%d,\"dims\":%d,\"n\":%zu,\"text\":\"%s\"", CALL_NAME[call],
      (int)status, dims, n, text);
  say_tables(&params);
  say(",\"first\":[");
  for (int a = 0; a < dims; a++)
    say("%s\"%lld\"", a > 0 ? "," : "", (long long)grid.first[a]);
  say("],\"size\":[");
  for (int a = 0; a < dims; a++)
    say("%s%llu", a > 0 ? "," : "", (unsigned long long)grid.count[a]);
  say("]");
  say_reals("origin", call >= POINTS ? origin : grid.origin, (size_t)dims);
  say_reals("step", grid.step, (size_t)dims);
  say_reals("levels", (double[]){(double)low, (double)high}, 2);
  say("}");
  while (length % 8 != 0)
    say(" ");
  const uint32_t head[2] = {(uint32_t)length, (uint32_t)number};
  write_bytes(head, sizeof head);
  write_bytes(json, length);
  for (int a = 0; a < dims && call >= POINTS; a++)
    write_bytes(call >= DOUBLES ? (const void *)coord64[a] : coord[a],
                n * (call >= DOUBLES ? sizeof(double) : sizeof(float)));
  if (status == PERLANE_OK) {
    if (call == UINT16)
      write_bytes(word, n * sizeof word[0]);
    else if (call == UINT8)
      write_bytes(byte, n);
    else
      write_bytes(value, n * sizeof value[0]);
    if (call == EXTREMES)
      write_bytes(ends, sizeof ends);
    for (int a = 0; a < dims && (call == GRADIENT || call == SLOPES); a++)
      write_bytes(slope[a], n * sizeof value[0]);
    written++;
  }
  const long end = ftell(file), rest = -end & 7;
  write_bytes("\0\0\0\0\0\0\0", (size_t)rest);
}

int main(int argc, char **argv) {
  assert_int_equal(argc, 2);
  file = fopen(argv[1], "wb");
  assert_non_null(file);
  struct random random = random_start("fields");
  const size_t cases = effort(CASES);
  for (size_t i = 0; i < cases; i++)
    one_case(&random, i);
  assert_int_equal(fclose(file), 0);
  print_message("%zu calls, of which %zu have results\n", cases, written);
  return 0;
}
