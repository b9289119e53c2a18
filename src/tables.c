/* SPDX-License-Identifier: MIT
 *
 * What lattice points look up: the tables of hashes (docs/specification.md, section 3), and the
 * gradient sets (2.5 and 2.9) with the largest noise that each can yield.
 */
#include "strict.h"

#include <string.h>

#include "compiler.h"
#include "numbers.h"
#include "tables.h"

/* ---- Hashes ---- */

/* Ken Perlin, "Improving Noise", SIGGRAPH 2002. */
static const uint8_t PERMUTATION[256] = {
    151, 160, 137, 91,  90,  15,  131, 13,  201, 95,  96,  53,  194, 233, 7,   225, 140, 36,  103,
    30,  69,  142, 8,   99,  37,  240, 21,  10,  23,  190, 6,   148, 247, 120, 234, 75,  0,   26,
    197, 62,  94,  252, 219, 203, 117, 35,  11,  32,  57,  177, 33,  88,  237, 149, 56,  87,  174,
    20,  125, 136, 171, 168, 68,  175, 74,  165, 71,  134, 139, 48,  27,  166, 77,  146, 158, 231,
    83,  111, 229, 122, 60,  211, 133, 230, 220, 105, 92,  41,  55,  46,  245, 40,  244, 102, 143,
    54,  65,  25,  63,  161, 1,   216, 80,  73,  209, 76,  132, 187, 208, 89,  18,  169, 200, 196,
    135, 130, 116, 188, 159, 86,  164, 100, 109, 198, 173, 186, 3,   64,  52,  217, 226, 250, 124,
    123, 5,   202, 38,  147, 118, 126, 255, 82,  85,  212, 207, 206, 59,  227, 47,  16,  58,  17,
    182, 189, 28,  42,  223, 183, 170, 213, 119, 248, 152, 2,   44,  154, 163, 70,  221, 153, 101,
    155, 167, 43,  172, 9,   129, 22,  39,  253, 19,  98,  108, 110, 79,  113, 224, 232, 178, 185,
    112, 104, 218, 246, 97,  228, 251, 34,  242, 193, 238, 210, 144, 12,  191, 179, 162, 241, 81,
    51,  145, 235, 249, 14,  239, 107, 49,  192, 214, 31,  181, 199, 106, 157, 184, 84,  204, 176,
    115, 121, 50,  45,  127, 4,   150, 254, 138, 236, 205, 93,  222, 114, 67,  29,  24,  72,  243,
    141, 128, 195, 78,  66,  215, 61,  156, 180};

/* The Fisher-Yates shuffle. */
static void shuffle(uint64_t seed, uint8_t table[256]) {
  uint64_t state = seed ^ UINT64_C(0x73687566666C6500); /* "shuffle" */
  for (unsigned i = 0; i < 256; i++)
    table[i] = (uint8_t)i;
  for (unsigned i = 255; i >= 1; i--) {
    const uint64_t j = (perlane_splitmix64(&state) >> 32) * (i + 1) >> 32;
    const uint8_t entry = table[i];
    table[i] = table[j];
    table[j] = entry;
  }
}

static perlane_status copy_entries(const int32_t *entry, int count, uint8_t *table,
                                   struct perlane_text *problem) {
  for (int i = 0; i < count; i++) {
    if (entry[i] < 0 || entry[i] > 255)
      return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                            "hash_table[%d] must be a whole number from 0 to 255, not %d", i,
                            entry[i]);
    table[i] = (uint8_t)entry[i];
  }
  return PERLANE_OK;
}

static void draw_bytes(uint64_t seed, uint8_t table[1024]) {
  uint64_t state = seed ^ UINT64_C(0x7072696D65730000); /* "primes" */
  for (int i = 0; i < 1024; i++)
    table[i] = (uint8_t)(perlane_splitmix64(&state) >> 56);
}

int perlane_table_is_used(const perlane_params *params) {
  return params->hash != PERLANE_HASH_LATTICE && params->hash != PERLANE_HASH_GRID;
}

void perlane_table_reseed(const perlane_params *params, uint8_t table[TABLE_BYTES]) {
  if (params->hash == PERLANE_HASH_SHUFFLED)
    shuffle(params->seed, table);
  else if (params->hash == PERLANE_HASH_PRIMES && !params->hash_table)
    draw_bytes(params->seed, table);
}

perlane_status perlane_table_make(const perlane_params *params, uint8_t table[TABLE_BYTES],
                                  struct perlane_text *problem) {
  if (!perlane_table_is_used(params))
    return PERLANE_OK;
  memset(table, 0, TABLE_BYTES); /* hashes of 256 leave the rest */
  if (params->hash == PERLANE_HASH_TABLE && !params->hash_table)
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "hash=table needs hash_table, 256 whole numbers from 0 to 255");
  if (params->hash == PERLANE_HASH_TABLE)
    return copy_entries(params->hash_table, 256, table, problem);
  if (params->hash == PERLANE_HASH_PRIMES && params->hash_table)
    return copy_entries(params->hash_table, 1024, table, problem);
  if (params->hash == PERLANE_HASH_PERLIN)
    memcpy(table, PERMUTATION, sizeof PERMUTATION);
  perlane_table_reseed(params, table);
  return PERLANE_OK;
}

/* ---- Gradient sets ---- */

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

#define SET(name, unit, ...)                                                                       \
  { name[0], (int)LENGTH_OF(name), (int)LENGTH_OF(name[0]), unit, __VA_ARGS__ }
#define LENGTH_OF(array) (sizeof(array) / sizeof(array)[0])
#define SLOPES_1D SET(SLOPES2, 1, {0.5, 0.5, 0.5})
#define OFFAXIS8_2D SET(OFFAXIS8, 1, {0.7151921741517465, 0.717213607737851, 0.7222057363604975})
#define EDGES_3D(name)                                                                             \
  SET(name, 0.5, {2 * 1.0363538112118027, 2 * 1.044905189609876, 2 * 1.0648281623434037})
#define EDGES32_4D                                                                                 \
  SET(EDGES32, 0.5, {2 * 1.53658233404682, 2 * 1.5451999215279837, 2 * 1.565313239720565})

static const struct set SETS[PERLANE_GRADIENTS_COUNT][PERLANE_MAX_DIMS] = {
    [PERLANE_GRADIENTS_DEFAULT] = {SLOPES_1D, OFFAXIS8_2D, EDGES_3D(EDGES12), EDGES32_4D},
    [PERLANE_GRADIENTS_OFFAXIS8] = {[1] = OFFAXIS8_2D},
    [PERLANE_GRADIENTS_AXIS4] = {[1] = SET(AXIS4, 1,
                                           {0.5352764390514958, 0.5435095264191646, 0.5625})},
    [PERLANE_GRADIENTS_DIAGONAL4] = {[1] = SET(DIAGONAL4, 1, {1, 1, 1})},
    [PERLANE_GRADIENTS_COMPASS8] = {[1] = SET(COMPASS8, 1, {0})},
    [PERLANE_GRADIENTS_EDGES12] = {SET(EDGES12, 0.5, {1, 1, 1}), SET(EDGES12, 0.5, {2, 2, 2}),
                                   EDGES_3D(EDGES12)},
    [PERLANE_GRADIENTS_EDGES32] = {[3] = EDGES32_4D},
    /* Unit vectors, with room for rounding: sqrt(dims) / 2 and a few units in the last place. */
    [PERLANE_GRADIENTS_SPHERE] = {SLOPES_1D,
                                  {NULL, 256, 0, 1, {0.7071069, 0.7071069, 0.7071069}},
                                  {NULL, 256, 0, 1, {0.8660256, 0.8660256, 0.8660256}},
                                  {NULL, 256, 0, 1, {1.0000002, 1.0000002, 1.0000002}}},
    [PERLANE_GRADIENTS_PNOISE] = {SET(PNOISE_SLOPES, 0.4,
                                      {2.38013054114538, 2.305206365099435, 2.25}),
                                  SET(PNOISE_EDGES, 0.5, {2, 2, 2}), EDGES_3D(PNOISE_EDGES)},
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
  for (int i = 0, index = 0; i < 256; i++, index = index + 1 < count ? index + 1 : 0)
    for (int a = 0; a < dims; a++)
      vector[a][i] = components[index * stride + a];
}

/* Returns a bound of the noise of vectors, whose components are `apart` from axis to axis. The sum
 * of w |d| over a cell's corners, w their weights and d their distances, is at most the root of the
 * sum of w d^2, and that is at most sqrt(dims) / 2 with each of the fades. */
static double largest_by_length(int dims, const float *component, size_t count, size_t stride,
                                size_t apart) {
  static const double root_of_dims[] = {1, 0x1.6a09e667f3bcdp+0, 0x1.bb67ae8584caap+0, 2};
  double longest = 0;
  for (size_t i = 0; i < count; i++, component += stride) {
    double square = 0;
    for (int a = 0; a < dims; a++) {
      const double v = (double)component[(size_t)a * apart];
      square += v * v;
    }
    longest = square > longest ? square : longest;
  }
  return longest > 0 ? perlane_root(longest) * root_of_dims[dims - 1] * 0.5 : 0;
}

int perlane_vectors_are_used(const perlane_params *params) {
  return params->basis == PERLANE_BASIS_PERLIN && params->hash != PERLANE_HASH_GRID &&
         (params->hash != PERLANE_HASH_LATTICE || params->gradients != PERLANE_GRADIENTS_DEFAULT);
}

struct perlane_gradient_set perlane_gradient_set_make(const perlane_params *params, int dims,
                                                      float vector[][256]) {
  struct perlane_gradient_set set = {dims == 2, 1, 0};
  if (params->hash == PERLANE_HASH_GRID) {
    const size_t points =
        (size_t)params->gradient_grid_count[0] * (size_t)params->gradient_grid_count[1];
    if (set.exists)
      set.largest = largest_by_length(2, params->gradient_grid, points, 2, 1);
    return set;
  }
  const struct set *known = &SETS[params->gradients][dims - 1];
  set = (struct perlane_gradient_set){known->count > 0, known->unit, known->largest[params->fade]};
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
    set.largest = largest_by_length(dims, vector[0], 256, 1, 256);
  return set;
}
