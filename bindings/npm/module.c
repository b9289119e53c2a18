/* SPDX-License-Identifier: MIT
 *
 * What the WebAssembly module has besides the library: the C library's functions that the library
 * calls, so that the module imports nothing; and for JavaScript, the layout of the public
 * structures, pixels with an alpha, and single values.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../include/perlane_expression.h"
#include "../../include/perlane_gpu.h"
#include "../../include/perlane_picture.h"

/* ---- The C library ---- */

/* With bulk memory, clang compiles the builtins to single instructions. */
void *memcpy(void *to, const void *from, size_t size) {
  return __builtin_memcpy(to, from, size);
}

void *memmove(void *to, const void *from, size_t size) {
  return __builtin_memmove(to, from, size);
}

void *memset(void *memory, int byte, size_t size) {
  return __builtin_memset(memory, byte, size);
}

int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < size; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length] != '\0')
    length++;
  return length;
}

/* ---- Layout ---- */

struct layout {
  const char *name; /* NULL after the last entry */
  int32_t value;
};

#define KIND(name, KIND)                                                                           \
  { "kind " name, PERLANE_OPTION_##KIND }
#define ARGUMENT(name, STATUS)                                                                     \
  { "argument " name, PERLANE_ERROR_##STATUS }
#define STATUS(STATUS)                                                                             \
  { #STATUS, PERLANE_##STATUS }
#define SIZE(type)                                                                                 \
  { #type, sizeof(type) }
#define MEMBER(type, member)                                                                       \
  { #type "." #member, offsetof(type, member) }

_Static_assert(PERLANE_OPTION_KIND_COUNT == 6, "LAYOUT has each kind");

/* Returns what JavaScript has to know of the header: sizes and offsets of structures, kinds of
 * options, and the arguments that statuses are about, besides the options. */
PERLANE_API const struct layout *perlane_web_layout(void);
const struct layout *perlane_web_layout(void) {
  static const struct layout LAYOUT[] = {
      SIZE(perlane_noise),
      SIZE(perlane_params),
      MEMBER(perlane_params, hash_table),
      MEMBER(perlane_params, gradient_table),
      MEMBER(perlane_params, gradient_dims),
      MEMBER(perlane_params, gradient_count),
      MEMBER(perlane_params, gradient_grid),
      MEMBER(perlane_params, gradient_grid_count),
      SIZE(perlane_grid),
      MEMBER(perlane_grid, dims),
      MEMBER(perlane_grid, first),
      MEMBER(perlane_grid, count),
      MEMBER(perlane_grid, origin),
      MEMBER(perlane_grid, step),
      MEMBER(perlane_grid, work),
      MEMBER(perlane_grid, work_bytes),
      MEMBER(perlane_grid, octaves),
      SIZE(perlane_list),
      MEMBER(perlane_list, dims),
      MEMBER(perlane_list, count),
      MEMBER(perlane_list, origin),
      MEMBER(perlane_list, coords),
      MEMBER(perlane_list, coords64),
      {"PERLANE_WORK_BYTES", PERLANE_WORK_BYTES},
      {"PERLANE_MAX_EXPRESSION_FIELDS", PERLANE_MAX_EXPRESSION_FIELDS},
      {"PERLANE_GPU_POINT_WORDS", PERLANE_GPU_POINT_WORDS},
      {"PERLANE_GPU_SELFTESTS", PERLANE_GPU_SELFTESTS},
      {"PERLANE_GPU_SELFTEST_WORDS", PERLANE_GPU_SELFTEST_WORDS},
      SIZE(perlane_option),
      MEMBER(perlane_option, name),
      MEMBER(perlane_option, heading),
      MEMBER(perlane_option, summary),
      MEMBER(perlane_option, choices),
      MEMBER(perlane_option, choice_count),
      MEMBER(perlane_option, kind),
      MEMBER(perlane_option, dims),
      MEMBER(perlane_option, min),
      MEMBER(perlane_option, max),
      MEMBER(perlane_option, min_is_open),
      MEMBER(perlane_option, max_is_open),
      MEMBER(perlane_option, excludes_zero),
      MEMBER(perlane_option, default_value),
      MEMBER(perlane_look_record, name),
      MEMBER(perlane_look_record, summary),
      MEMBER(perlane_look_record, palette),
      MEMBER(perlane_look_record, relief),
      MEMBER(perlane_look_record, azimuth),
      MEMBER(perlane_look_record, altitude),
      MEMBER(perlane_look_record, width),
      MEMBER(perlane_look_record, height),
      SIZE(perlane_picture),
      MEMBER(perlane_picture, kind),
      MEMBER(perlane_picture, palette),
      MEMBER(perlane_picture, low),
      MEMBER(perlane_picture, high),
      MEMBER(perlane_picture, azimuth),
      MEMBER(perlane_picture, altitude),
      MEMBER(perlane_picture, relief),
      SIZE(perlane_picture_plan),
      MEMBER(perlane_picture_plan, slopes),
      MEMBER(perlane_picture_plan, relief),
      {"PERLANE_COLOURS", PERLANE_COLOURS},
      SIZE(perlane_colours),
      MEMBER(perlane_colours, colour),
      MEMBER(perlane_colours, has_coast),
      MEMBER(perlane_colours, rock),
      MEMBER(perlane_colours, steep),
      MEMBER(perlane_colours, steepest),
      SIZE(perlane_choice),
      MEMBER(perlane_choice, name),
      MEMBER(perlane_choice, summary),
      MEMBER(perlane_choice, dims),
      KIND("seed", SEED),
      KIND("real", REAL),
      KIND("integer", INTEGER),
      KIND("choice", CHOICE),
      KIND("axes", AXES),
      KIND("curve", CURVE),
      ARGUMENT("preset", PRESET),
      ARGUMENT("dims", DIMS),
      ARGUMENT("dims", FIELD_DIMS),
      ARGUMENT("size", COUNT),
      ARGUMENT("step", STEP),
      ARGUMENT("first", RANGE),
      ARGUMENT("low", LEVELS),
      ARGUMENT("gradient", NO_GRADIENT),
      ARGUMENT("gradient", STEEP),
      ARGUMENT("basis", NO_CELLS),
      ARGUMENT("octaves", OCTAVES),
      ARGUMENT("light", LIGHT),
      ARGUMENT("relief", RELIEF),
      STATUS(ERROR_OPTION),
      {NULL, 0},
  };
  return LAYOUT;
}

/* Returns the digest that the self-test has to find. */
PERLANE_API uint64_t perlane_web_digest(void);
uint64_t perlane_web_digest(void) {
  return PERLANE_SELFTEST_DIGEST;
}

/* ---- Pixels ---- */

/* Spreads the n pixels of red, green and blue in the last 3 n of 4 n bytes to pixels of red, green,
 * blue and an alpha of 255. */
PERLANE_API void perlane_web_rgba(unsigned char *pixels, size_t n);
void perlane_web_rgba(unsigned char *pixels, size_t n) {
  const unsigned char *from = pixels + n;
  for (size_t i = 0; i < n; i++) {
    const unsigned char red = from[3 * i], green = from[3 * i + 1], blue = from[3 * i + 2];
    pixels[4 * i] = red;
    pixels[4 * i + 1] = green;
    pixels[4 * i + 2] = blue;
    pixels[4 * i + 3] = 255;
  }
}

/* ---- Single values ---- */

/* Returns perlane_at, or perlane_at_gradient unless `gradient` is NULL, of a position that
 * JavaScript passes as numbers: writing it to memory would take longer than the noise. */
PERLANE_API float perlane_web_at(const perlane_noise *noise, int32_t dims, double x, double y,
                                 double z, double w, float *gradient);
float perlane_web_at(const perlane_noise *noise, int32_t dims, double x, double y, double z,
                     double w, float *gradient) {
  const double position[PERLANE_MAX_DIMS] = {x, y, z, w};
  return gradient ? perlane_at_gradient(noise, dims, position, gradient)
                  : perlane_at(noise, dims, position);
}
