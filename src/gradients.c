/* SPDX-License-Identifier: MIT
 *
 * Gradient sets (docs/specification.md, 2.5 and 2.9): their vectors, and the largest noise that
 * each can yield.
 */
#include "strict.h"

#include <string.h>

#include "compiler.h"
#include "gradients.h"
#include "numbers.h"

#define K (53.0f / 128.0f)
#define R 0x1.6a09e6p-1f /* 1 / sqrt(2) */

static const float SLOPES2[][1] = {{1}, {-1}};
static const float OFFAXIS8[][2] = {{1, K}, {-1, K}, {1, -K}, {-1, -K},
                                    {K, 1}, {-K, 1}, {K, -1}, {-K, -1}};
static const float AXIS4[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
static const float DIAGONAL4[][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
static const float COMPASS8[][2] = {{R, R}, {-R, R}, {R, -R}, {-R, -R},
                                    {1, 0}, {-1, 0}, {0, 1},  {0, -1}};
static const float PNOISE_SLOPES[][1] = {{1},  {2},  {3},  {4},  {5},  {6},  {7},  {8},
                                         {-1}, {-1}, {-1}, {-1}, {-1}, {-1}, {-1}, {-1}};

/* Components of edges are 0 and +-2 and their unit is 1/2: lanes look such floats up by one byte.
 */
static const float EDGES12[][3] = {
    {2, 2, 0}, {-2, 2, 0}, {2, -2, 0}, {-2, -2, 0}, {2, 0, 2}, {-2, 0, 2}, {2, 0, -2}, {-2, 0, -2},
    {0, 2, 2}, {0, -2, 2}, {0, 2, -2}, {0, -2, -2}, {2, 2, 0}, {0, -2, 2}, {-2, 2, 0}, {0, -2, -2}};
static const float PNOISE_EDGES[][3] = {{2, 2, 0},  {-2, 2, 0},  {2, -2, 0}, {-2, -2, 0},
                                        {2, 0, 2},  {-2, 0, 2},  {2, 0, -2}, {-2, 0, -2},
                                        {0, 2, 2},  {0, -2, 2},  {0, 2, -2}, {0, -2, -2},
                                        {2, 0, -2}, {-2, 0, -2}, {0, -2, 2}, {0, 2, 2}};

static const float EDGES32[][4] = {
    {0, 2, 2, 2},    {0, 2, 2, -2},  {2, 0, 2, 2},    {2, 0, 2, -2},  {2, 2, 0, 2},
    {2, 2, 0, -2},   {2, 2, 2, 0},   {-2, 2, 2, 0},   {0, -2, 2, 2},  {0, -2, 2, -2},
    {-2, 0, 2, 2},   {-2, 0, 2, -2}, {-2, 2, 0, 2},   {-2, 2, 0, -2}, {2, -2, 2, 0},
    {-2, -2, 2, 0},  {0, 2, -2, 2},  {0, 2, -2, -2},  {2, 0, -2, 2},  {2, 0, -2, -2},
    {2, -2, 0, 2},   {2, -2, 0, -2}, {2, 2, -2, 0},   {-2, 2, -2, 0}, {0, -2, -2, 2},
    {0, -2, -2, -2}, {-2, 0, -2, 2}, {-2, 0, -2, -2}, {-2, -2, 0, 2}, {-2, -2, 0, -2},
    {2, -2, -2, 0},  {-2, -2, -2, 0}};

struct set {
  const float *vectors; /* NULL: none, or unit_vectors */
  int count, components;
  double unit; /* vectors times this have the lengths of the set's definition */
  /* By fade: the largest noise of these vectors, found by giving every corner its best gradient at
   * the position that is best for it; 0 for the bound that follows from the longest vector. */
  double largest[PERLANE_FADE_COUNT];
};

#define SET(name, fades_unit, ...)                                                                 \
  {                                                                                                \
    name[0], (int)(sizeof name / sizeof name[0]), (int)(sizeof name[0] / sizeof(float)),           \
        fades_unit, __VA_ARGS__                                                                    \
  }
#define EDGES3D                                                                                    \
  { 2 * 1.0363538112118027, 2 * 1.044905189609876, 2 * 1.0648281623434037 }

static const struct set NONE = {NULL, 0, 0, 0, {0}};
static const struct set SLOPES_1D = SET(SLOPES2, 1, {0.5, 0.5, 0.5});
static const struct set OFFAXIS8_2D =
    SET(OFFAXIS8, 1, {0.7151921741517465, 0.717213607737851, 0.7222057363604975});
static const struct set AXIS4_2D = SET(AXIS4, 1, {0.5352764390514958, 0.5435095264191646, 0.5625});
static const struct set DIAGONAL4_2D = SET(DIAGONAL4, 1, {1, 1, 1});
static const struct set COMPASS8_2D = SET(COMPASS8, 1, {0});
static const struct set EDGES12_1D = SET(EDGES12, 0.5, {1, 1, 1});
static const struct set EDGES12_2D = SET(EDGES12, 0.5, {2, 2, 2});
static const struct set EDGES12_3D = SET(EDGES12, 0.5, EDGES3D);
static const struct set EDGES32_4D =
    SET(EDGES32, 0.5, {2 * 1.53658233404682, 2 * 1.5451999215279837, 2 * 1.565313239720565});
static const struct set PNOISE_1D =
    SET(PNOISE_SLOPES, 0.4, {2.38013054114538, 2.305206365099435, 2.25});
static const struct set PNOISE_2D = SET(PNOISE_EDGES, 0.5, {2, 2, 2});
static const struct set PNOISE_3D = SET(PNOISE_EDGES, 0.5, EDGES3D);
/* Unit vectors, with room for their rounding: sqrt(dims) / 2 and a few units in the last place. */
static const struct set SPHERE_2D = {NULL, 256, 0, 1, {0.7071069, 0.7071069, 0.7071069}};
static const struct set SPHERE_3D = {NULL, 256, 0, 1, {0.8660256, 0.8660256, 0.8660256}};
static const struct set SPHERE_4D = {NULL, 256, 0, 1, {1.0000002, 1.0000002, 1.0000002}};

static const struct set *const SETS[PERLANE_GRADIENTS_COUNT][PERLANE_MAX_DIMS] = {
    [PERLANE_GRADIENTS_DEFAULT] = {&SLOPES_1D, &OFFAXIS8_2D, &EDGES12_3D, &EDGES32_4D},
    [PERLANE_GRADIENTS_OFFAXIS8] = {&NONE, &OFFAXIS8_2D, &NONE, &NONE},
    [PERLANE_GRADIENTS_AXIS4] = {&NONE, &AXIS4_2D, &NONE, &NONE},
    [PERLANE_GRADIENTS_DIAGONAL4] = {&NONE, &DIAGONAL4_2D, &NONE, &NONE},
    [PERLANE_GRADIENTS_COMPASS8] = {&NONE, &COMPASS8_2D, &NONE, &NONE},
    [PERLANE_GRADIENTS_EDGES12] = {&EDGES12_1D, &EDGES12_2D, &EDGES12_3D, &NONE},
    [PERLANE_GRADIENTS_EDGES32] = {&NONE, &NONE, &NONE, &EDGES32_4D},
    [PERLANE_GRADIENTS_SPHERE] = {&SLOPES_1D, &SPHERE_2D, &SPHERE_3D, &SPHERE_4D},
    [PERLANE_GRADIENTS_PNOISE] = {&PNOISE_1D, &PNOISE_2D, &PNOISE_3D, &NONE},
    [PERLANE_GRADIENTS_TABLE] = {&NONE, &NONE, &NONE, &NONE},
};

/* 1 / sqrt(v) of a normal v above 0, to within 2^-34 of it. */
PERLANE_INLINE double inverse_root(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  bits = UINT64_C(0x5FE6EB50C7B537A9) - (bits >> 1);
  double root;
  memcpy(&root, &bits, sizeof root);
  for (int i = 0; i < 3; i++)
    root = root * (1.5 - 0.5 * v * (root * root));
  return root;
}

/* Directions are uniform because only the points of the cube that are inside the ball are kept.
 * Constant: `dims`. */
PERLANE_INLINE void draw_unit_vectors(uint64_t seed, int dims, float vector[][256]) {
  uint64_t state = seed ^ (UINT64_C(0x7370686572650000) + (unsigned)dims); /* "sphere" */
  const int bits = dims == 2 ? 31 : 64 / dims;
  const uint64_t longest = UINT64_C(1) << 2 * bits, shortest = longest >> 6;
  int32_t component[PERLANE_MAX_DIMS][256];
  double square[256];
  for (int i = 0; i < 256;) { /* without a branch on the outcome, which would be mispredicted */
    const uint64_t word = perlane_splitmix64(&state);
    int64_t sum = 0;
    for (int a = 0; a < dims; a++) {
      const uint64_t part = word >> a * bits & ((UINT64_C(1) << bits) - 1);
      const int64_t odd = (int64_t)(2 * part + 1) - (INT64_C(1) << bits);
      component[a][i] = (int32_t)odd;
      sum += odd * odd;
    }
    square[i] = (double)sum;
    i += (uint64_t)sum - shortest <= longest - shortest;
  }
  for (int i = 0; i < 256; i++)
    square[i] = inverse_root(square[i]);
  for (int a = 0; a < dims; a++)
    for (int i = 0; i < 256; i++)
      vector[a][i] = (float)((double)component[a][i] * square[i]);
}

static void unit_vectors(uint64_t seed, int dims, float vector[][256]) {
  if (dims == 2)
    draw_unit_vectors(seed, 2, vector);
  else if (dims == 3)
    draw_unit_vectors(seed, 3, vector);
  else
    draw_unit_vectors(seed, 4, vector);
}

static void store_vectors(const float *components, int count, int stride, int dims,
                          float vector[][256]) {
  for (int i = 0, from = 0; i < 256; i++, from = from + 1 < count ? from + 1 : 0)
    for (int a = 0; a < dims; a++)
      vector[a][i] = components[from * stride + a];
}

/* The sum of w |d| over a cell's corners, w their weights and d their distances, is at most the
 * root of the sum of w d^2, and that is at most sqrt(dims) / 2 with each of the fades. */
static double largest_by_length(int dims, double longest_square) {
  static const double root_of_dims[] = {1, 0x1.6a09e667f3bcdp+0, 0x1.bb67ae8584caap+0, 2};
  return longest_square > 0 ? perlane_root(longest_square) * root_of_dims[dims - 1] * 0.5 : 0;
}

static double largest_of_vectors(int dims, const float (*vector)[256]) {
  double longest = 0;
  for (int i = 0; i < 256; i++) {
    double square = 0;
    for (int a = 0; a < dims; a++)
      square += (double)vector[a][i] * (double)vector[a][i];
    longest = square > longest ? square : longest;
  }
  return largest_by_length(dims, longest);
}

static double largest_of_grid(const float *grid, size_t points) {
  double longest = 0;
  for (size_t i = 0; i < points; i++) {
    const double x = (double)grid[2 * i], y = (double)grid[2 * i + 1], square = x * x + y * y;
    longest = square > longest ? square : longest;
  }
  return largest_by_length(2, longest);
}

int perlane_vectors_are_used(const perlane_params *params) {
  return params->basis == PERLANE_BASIS_PERLIN && params->hash != PERLANE_HASH_GRID &&
         (params->hash != PERLANE_HASH_LATTICE || params->gradients != PERLANE_GRADIENTS_DEFAULT);
}

struct perlane_gradient_set perlane_gradient_set_make(const perlane_params *params, int dims,
                                                      float vector[][256]) {
  if (params->hash == PERLANE_HASH_GRID) {
    const size_t points =
        (size_t)params->gradient_grid_count[0] * (size_t)params->gradient_grid_count[1];
    return dims == 2
               ? (struct perlane_gradient_set){1, 1, largest_of_grid(params->gradient_grid, points)}
               : (struct perlane_gradient_set){0, 0, 0};
  }
  const struct set *known = SETS[params->gradients][dims - 1];
  struct perlane_gradient_set set = {known->count > 0, known->unit, known->largest[params->fade]};
  if (params->gradients == PERLANE_GRADIENTS_TABLE && params->gradient_dims == dims) {
    set.exists = 1;
    set.unit = 1;
    store_vectors(params->gradient_table, params->gradient_count, dims, dims, vector);
  } else if (params->gradients == PERLANE_GRADIENTS_SPHERE && dims > 1) {
    unit_vectors(params->seed, dims, vector);
  } else if (set.exists && perlane_vectors_are_used(params)) {
    store_vectors(known->vectors, known->count, known->components, dims, vector);
  }
  if (set.exists && set.largest == 0)
    set.largest = largest_of_vectors(dims, (const float(*)[256])vector);
  return set;
}
