/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <math.h>
#include <string.h>

/* ---- Tables ---- */

/* Output number n, from 1, of SplitMix64. */
static uint64_t split_mix(uint64_t seed, uint64_t n) {
  uint64_t z = seed + n * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static const uint8_t PERLIN_2002[256] = {
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

static void make_table(struct model *model) {
  const perlane_params *params = &model->params;
  const uint64_t shuffle = params->seed ^ 0x73687566666C6500u;
  const uint64_t primes = params->seed ^ 0x7072696D65730000u;
  switch (params->hash) {
  case PERLANE_HASH_PERLIN:
    memcpy(model->table, PERLIN_2002, sizeof PERLIN_2002);
    break;
  case PERLANE_HASH_SHUFFLED:
    for (int i = 0; i < 256; i++)
      model->table[i] = (uint8_t)i;
    for (uint64_t i = 255; i > 0; i--) {
      const uint64_t j = ((split_mix(shuffle, 256 - i) >> 32) * (i + 1)) >> 32;
      const uint8_t swapped = model->table[i];
      model->table[i] = model->table[j];
      model->table[j] = swapped;
    }
    break;
  case PERLANE_HASH_TABLE:
    for (int i = 0; i < 256; i++)
      model->table[i] = (uint8_t)params->hash_table[i];
    break;
  case PERLANE_HASH_PRIMES:
    for (int i = 0; i < 1024; i++)
      model->table[i] = params->hash_table ? (uint8_t)params->hash_table[i]
                                           : (uint8_t)(split_mix(primes, (uint64_t)i + 1) >> 56);
    break;
  default:
    break;
  }
}

/* ---- Gradient sets, and the largest noise that each can have ---- */

static perlane_gradients set_of(const struct model *model) {
  static const perlane_gradients standard[] = {
      PERLANE_GRADIENTS_DEFAULT, PERLANE_GRADIENTS_OFFAXIS8, PERLANE_GRADIENTS_EDGES12,
      PERLANE_GRADIENTS_EDGES32};
  const perlane_gradients set = (perlane_gradients)model->params.gradients;
  if (set == PERLANE_GRADIENTS_SPHERE && model->dims == 1)
    return PERLANE_GRADIENTS_DEFAULT;
  return set == PERLANE_GRADIENTS_DEFAULT ? standard[model->dims - 1] : set;
}

static void add(struct model *model, double x, double y, double z, double w) {
  double *vector = model->vector[model->vectors++];
  vector[0] = x;
  vector[1] = y;
  vector[2] = z;
  vector[3] = w;
}

static void add_unit_vectors(struct model *model) {
  const uint64_t seed = model->params.seed ^ (0x7370686572650000u + (uint64_t)model->dims);
  for (uint64_t n = 1; model->vectors < 256;) {
    double c[4] = {0}, square = 0;
    const int bits = model->dims == 2 ? 31 : 64 / model->dims;
    const uint64_t word = split_mix(seed, n++);
    for (int a = 0; a < model->dims; a++) {
      c[a] = ldexp((double)(word << (64 - bits - a * bits) >> (64 - bits)) + 0.5, 1 - bits) - 1;
      square += c[a] * c[a];
    }
    const double length = sqrt(square);
    if (square <= 1 && square >= 0x1p-6)
      add(model, c[0] / length, c[1] / length, c[2] / length, c[3] / length);
  }
}

/* A bit of an index as a sign. */
static double sign(int index, int bit) {
  return index >> bit & 1 ? -1 : 1;
}

static void make_vectors(struct model *model) {
  const perlane_gradients set = set_of(model);
  const double k = 0.4140625, half_root = sqrt(0.5);
  static const int rest[4][3] = {{3, 1, 2}, {3, 0, 2}, {3, 0, 1}, {0, 1, 2}};
  switch (set) {
  case PERLANE_GRADIENTS_DEFAULT:
    add(model, 1, 0, 0, 0);
    add(model, -1, 0, 0, 0);
    break;
  case PERLANE_GRADIENTS_OFFAXIS8:
    for (int i = 0; i < 8; i++)
      add(model, sign(i, 0) * (i < 4 ? 1 : k), sign(i, 1) * (i < 4 ? k : 1), 0, 0);
    break;
  case PERLANE_GRADIENTS_COMPASS8:
    for (int i = 0; i < 4; i++)
      add(model, sign(i, 0) * half_root, sign(i, 1) * half_root, 0, 0);
    /* fall through */
  case PERLANE_GRADIENTS_AXIS4:
    for (int i = 0; i < 4; i++)
      add(model, i < 2 ? sign(i, 0) : 0, i < 2 ? 0 : sign(i, 0), 0, 0);
    break;
  case PERLANE_GRADIENTS_DIAGONAL4:
    for (int i = 0; i < 4; i++)
      add(model, i == 1 || i == 2 ? -1 : 1, i < 2 ? 1 : -1, 0, 0);
    break;
  case PERLANE_GRADIENTS_EDGES12:
  case PERLANE_GRADIENTS_PNOISE:
    if (set == PERLANE_GRADIENTS_PNOISE && model->dims == 1) {
      for (int h = 0; h < 16; h++)
        add(model, 0.4 * (h & 8 ? -1 : (h & 7) + 1), 0, 0, 0);
      break;
    }
    for (int h = 0; h < 16; h++) { /* Perlin's u and v, by the axes that they are */
      int u = h < 8 ? 0 : 1, v = h < 4 ? 1 : h == 12 || h == 14 ? 0 : 2;
      double component[3] = {0};
      int signs = h;
      if (set == PERLANE_GRADIENTS_PNOISE && h >= 12) {
        u = h < 14 ? 0 : 1;
        v = 2;
        signs = h == 12 ? 2 : h == 13 ? 3 : h == 14 ? 1 : 0;
      }
      component[u] = sign(signs, 0);
      component[v] = sign(signs, 1);
      add(model, component[0], component[1], component[2], 0);
    }
    break;
  case PERLANE_GRADIENTS_EDGES32:
    for (int h = 0; h < 32; h++) {
      const int *axis = rest[h >> 1 & 3];
      double component[4] = {0};
      component[axis[0]] = sign(h, 0);
      component[axis[1]] = sign(h, 3);
      component[axis[2]] = sign(h, 4);
      add(model, component[0], component[1], component[2], component[3]);
    }
    break;
  case PERLANE_GRADIENTS_SPHERE:
    add_unit_vectors(model);
    break;
  case PERLANE_GRADIENTS_TABLE:
    for (int i = 0; i < model->params.gradient_count; i++) {
      double component[4] = {0};
      for (int a = 0; a < model->dims; a++)
        component[a] = (double)model->params.gradient_table[i * model->dims + a];
      add(model, component[0], component[1], component[2], component[3]);
    }
    break;
  case PERLANE_GRADIENTS_COUNT:
    break;
  }
}

/* Bounds the noise by the longest vector: the weighted distances to a cell's corners add up to at
 * most sqrt(dims) / 2. */
static double largest_by_length(const struct model *model) {
  double longest = 0;
  if (model->params.hash == PERLANE_HASH_GRID) {
    const int32_t *count = model->params.gradient_grid_count;
    for (int64_t i = 0; i < (int64_t)count[0] * count[1]; i++)
      longest = fmax(longest, hypot((double)model->params.gradient_grid[2 * i],
                                    (double)model->params.gradient_grid[2 * i + 1]));
  } else {
    for (int i = 0; i < model->vectors; i++) {
      double square = 0;
      for (int a = 0; a < model->dims; a++)
        square += model->vector[i][a] * model->vector[i][a];
      longest = fmax(longest, sqrt(square));
    }
  }
  return longest * sqrt(model->dims) / 2;
}

static double largest_of(const struct model *model) {
  static const double offaxis8[] = {0.7151921741517465, 0.717213607737851, 0.7222057363604975};
  static const double axis4[] = {0.5352764390514958, 0.5435095264191646, 0.5625};
  static const double edges12[] = {1.0363538112118027, 1.044905189609876, 1.0648281623434037};
  static const double edges32[] = {1.53658233404682, 1.5451999215279837, 1.565313239720565};
  static const double pnoise[] = {2.38013054114538, 2.305206365099435, 2.25};
  if (model->params.basis == PERLANE_BASIS_GAUSSIAN)
    return 5.8;
  if (model->params.basis != PERLANE_BASIS_PERLIN)
    return 1;
  if (model->params.hash == PERLANE_HASH_GRID)
    return largest_by_length(model);
  const perlane_fade fade = (perlane_fade)model->params.fade;
  switch (set_of(model)) {
  case PERLANE_GRADIENTS_DEFAULT:
    return 0.5;
  case PERLANE_GRADIENTS_OFFAXIS8:
    return offaxis8[fade];
  case PERLANE_GRADIENTS_AXIS4:
    return axis4[fade];
  case PERLANE_GRADIENTS_PNOISE:
    if (model->dims == 1)
      return 0.4 * pnoise[fade];
    /* fall through */
  case PERLANE_GRADIENTS_EDGES12:
    return model->dims == 1 ? 0.5 : model->dims == 2 ? 1 : edges12[fade];
  case PERLANE_GRADIENTS_EDGES32:
    return edges32[fade];
  default:
    return largest_by_length(model);
  }
}

/* ---- The hash ---- */

/* Key, in the upper half, and phase, in the lower 24 bits, of an axis in an octave. */
static uint64_t axis_start(uint64_t seed, int octave, int axis) {
  return split_mix(split_mix(seed, 1), (uint64_t)(4 * octave + axis + 1));
}

static uint32_t dot16(uint32_t a, uint32_t b) {
  return (uint32_t)((int16_t)a * (int16_t)b) + (uint32_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));
}

static uint32_t word_of(int64_t cell, int axis, uint64_t seed, int octave) {
  static const uint32_t p[4] = {2654435761u, 2246822507u, 3266489909u, 668265263u};
  const int64_t high = (int64_t)floor(((double)cell + 2147483648.0) / 4294967296.0);
  uint32_t v = ((uint32_t)cell ^ (uint32_t)high * 2654435761u) * p[axis];
  v += (uint32_t)(axis_start(seed, octave, axis) >> 32);
  return dot16(v, 739982445u) ^ v;
}

uint32_t model_hash(int dims, const int64_t *cell, uint64_t seed, int octave) {
  const uint32_t x = word_of(cell[0], 0, seed, octave);
  if (dims == 1)
    return dot16(x ^ (x >> 15), 0x2C1B3C6D);
  uint32_t y = word_of(cell[1], 1, seed, octave);
  if (dims == 3)
    y = dot16(y, word_of(cell[2], 2, seed, octave));
  if (dims < 4)
    return dot16(x, y);
  const uint32_t z = word_of(cell[2], 2, seed, octave), w = word_of(cell[3], 3, seed, octave);
  return dot16(dot16(x, y), dot16(z, w));
}

/* The octave whose lattice this one has. */
static int lattice_of(const struct model *model, int octave) {
  return model->params.octaves_share ? 0 : octave;
}

/* Returns the index that a hash with a table has for a lattice point. */
static int table_index(const struct model *model, int octave, const int64_t *cell, int axes) {
  const uint8_t *table = model->table;
  if (model->params.hash == PERLANE_HASH_PRIMES)
    return table[((uint64_t)cell[0] * 1836311903u ^
                  ((uint64_t)cell[1] * 2971215073u + 4807526976u)) %
                 1024];
  int h = 0;
  for (int a = 0; a < axes; a++) {
    uint64_t shifted = (uint64_t)h;
    if (a < model->dims) {
      shifted += (uint64_t)cell[a] + (uint64_t)(int64_t)model->params.table_offset[a];
      if (!model->params.octaves_share)
        shifted += axis_start(model->params.seed, octave, a) >> 32;
    }
    h = table[shifted % 256];
  }
  return h;
}

static int vector_index(const struct model *model, int octave, const int64_t *cell) {
  const perlane_gradients set = set_of(model);
  if (model->params.hash != PERLANE_HASH_LATTICE) {
    /* 1D and 2D are slices of these fields of 3D. */
    const int slice =
        set == PERLANE_GRADIENTS_EDGES12 || (set == PERLANE_GRADIENTS_PNOISE && model->dims == 2);
    return table_index(model, octave, cell, slice ? 3 : model->dims) % model->vectors;
  }
  const uint32_t m = model_hash(model->dims, cell, model->params.seed, lattice_of(model, octave));
  if (set == PERLANE_GRADIENTS_SPHERE || set == PERLANE_GRADIENTS_TABLE)
    return (int)(m >> 12 & 255) % model->vectors;
  return (int)(m >> 13) & (model->vectors - 1);
}

static uint32_t mixed(uint32_t h) {
  h = (h ^ (h >> 16)) * 0x7FEB352Du;
  h = (h ^ (h >> 15)) * 0x846CA68Bu;
  return h ^ (h >> 16);
}

/* The value of a lattice point, for the bases other than Perlin's. */
static double lattice_value(const struct model *model, int octave, const int64_t *cell) {
  if (model->params.hash != PERLANE_HASH_LATTICE)
    return (2 * table_index(model, octave, cell, model->dims) - 255) / 256.0;
  uint32_t h = 0;
  for (int a = 0; a < model->dims; a++)
    h += word_of(cell[a], a, model->params.seed, lattice_of(model, octave));
  h = mixed(h);
  if (model->params.basis != PERLANE_BASIS_GAUSSIAN)
    return ldexp((double)(h >> 7 | 1), -24) - 1;
  const double u = ldexp((double)(h >> 8) + 1, -24);
  const double v = ldexp((double)(mixed(h + 0x9E3779B9u) >> 8), -24);
  return -sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* ---- Noise ---- */

static double fade(const struct model *model, double t) {
  switch (model->params.fade) {
  case PERLANE_FADE_CUBIC:
    return t * t * (3 - 2 * t);
  case PERLANE_FADE_LINEAR:
    return t;
  default:
    return t * t * t * (t * (t * 6 - 15) + 10);
  }
}

/* Interpolates the corners' values. Bit a of a corner's number says which end of axis a it is at.
 */
static double interpolate(const struct model *model, const double *fraction, double *corner) {
  for (int a = 0; a < model->dims; a++) {
    const double u = fade(model, fraction[a]);
    for (int c = 0; c < 1 << (model->dims - 1 - a); c++)
      corner[c] = corner[2 * c] + u * (corner[2 * c + 1] - corner[2 * c]);
  }
  return corner[0];
}

static double ramp(const struct model *model, int vector, const double *fraction, int corner) {
  double dot = 0;
  for (int a = 0; a < model->dims; a++)
    dot += model->vector[vector][a] * (fraction[a] - (corner >> a & 1));
  return dot;
}

static int64_t wrapped(int64_t cell, double period) {
  if (period == 0)
    return cell;
  const int64_t length = llround(period), rest = cell % length;
  return rest < 0 ? rest + length : rest;
}

static void mark(struct creases *creases, int64_t side, double distance) {
  creases->side = (creases->side ^ (uint64_t)side) * 0x100000001B3u;
  creases->nearest = fmin(creases->nearest, distance);
}

static double noise_at(const struct model *model, int octave, const double *cells,
                       struct creases *creases) {
  const perlane_params *params = &model->params;
  const int flat = params->basis == PERLANE_BASIS_WHITE || params->basis == PERLANE_BASIS_GAUSSIAN;
  int64_t side[4][2] = {{0}};
  double fraction[4], corner[16];
  for (int a = 0; a < model->dims; a++) {
    double phase = 0;
    if (params->phase == PERLANE_PHASE_SEEDED)
      phase = (double)(axis_start(params->seed, lattice_of(model, octave), a) & 0xFFFFFF) * 0x1p-24;
    const double shifted = cells[a] - floor(cells[a]) + phase; /* far cells have no room for it */
    const int64_t cell = (int64_t)floor(cells[a]) + (shifted >= 1);
    fraction[a] = shifted - (shifted >= 1);
    double period = params->period[a];
    if (params->hash == PERLANE_HASH_GRID)
      period = params->gradient_grid_count[a];
    else
      for (int k = 0; k < octave; k++)
        period *= params->lacunarity;
    side[a][0] = wrapped(cell, period);
    side[a][1] = flat ? side[a][0] : wrapped(cell + 1, period);
    mark(creases, cell, INFINITY);
  }
  for (int c = 0; c < 1 << model->dims; c++) {
    int64_t cell[4];
    for (int a = 0; a < 4; a++)
      cell[a] = side[a][c >> a & 1];
    if (params->basis != PERLANE_BASIS_PERLIN) {
      corner[c] = lattice_value(model, octave, cell);
    } else if (params->hash == PERLANE_HASH_GRID) {
      const float *g =
          params->gradient_grid + 2 * (cell[1] * params->gradient_grid_count[0] + cell[0]);
      corner[c] = (double)g[0] * (fraction[0] - (c & 1)) + (double)g[1] * (fraction[1] - (c >> 1));
    } else {
      corner[c] = ramp(model, vector_index(model, octave, cell), fraction, c);
    }
  }
  return interpolate(model, fraction, corner);
}

double model_best(const struct model *model, const double *fraction, int direction, int *best) {
  double corner[16];
  for (int c = 0; c < 1 << model->dims; c++) {
    best[c] = 0;
    for (int i = 1; i < model->vectors; i++)
      if (direction * ramp(model, i, fraction, c) > direction * ramp(model, best[c], fraction, c))
        best[c] = i;
    corner[c] = ramp(model, best[c], fraction, c);
  }
  return interpolate(model, fraction, corner);
}

/* ---- The sum ---- */

void model_make(struct model *model, const perlane_params *params, int dims) {
  memset(model, 0, sizeof *model);
  model->params = *params;
  model->dims = dims;
  model->octaves = params->fractal == PERLANE_FRACTAL_NONE ? 1 : params->octaves;
  make_table(model);
  make_vectors(model);
  model->largest = largest_of(model);
  const int full = params->normalize == PERLANE_NORMALIZE_FULL;
  model->scale = full && params->basis == PERLANE_BASIS_PERLIN ? 1 / model->largest : 1;
  if (full && params->basis == PERLANE_BASIS_VALUE)
    model->scale = 0x1.fffffp-1;
  double total = 0;
  for (int k = 0; k < model->octaves; k++) {
    model->share[k] = params->amplitude * pow(params->gain, k);
    total += fabs(model->share[k]);
  }
  /* Several octaves are held back by 2^-23 each, for the rounding of their sum. */
  const double margin = full && model->octaves > 1 ? 1 - model->octaves * 0x1p-23 : 1;
  if (params->normalize != PERLANE_NORMALIZE_NONE)
    for (int k = 0; k < model->octaves; k++)
      model->share[k] *= margin / total;
}

/* Applies the fractal to one octave's noise, and sets the weight that it gives to the next. */
static double shaped(const struct model *model, double n, double *weight, struct creases *creases) {
  const double strength = model->params.ping_pong_strength;
  double height;
  switch (model->params.fractal) {
  case PERLANE_FRACTAL_RIDGED:
    mark(creases, n < 0, fabs(n));
    *weight = 1 - fabs(n);
    return 1 - 2 * fabs(n);
  case PERLANE_FRACTAL_BILLOW:
    mark(creases, n < 0, fabs(n));
    *weight = fabs(n);
    return 2 * fabs(n) - 1;
  case PERLANE_FRACTAL_PING_PONG:
    height = (n + 1) * strength;
    mark(creases, (int64_t)floor(height), fabs(height - round(height)) / strength);
    height = fabs(height - 2 * floor(height / 2) - 1); /* 1 where it turns below, 0 above */
    *weight = 1 - height;
    return 1 - 2 * height;
  default:
    *weight = (n + 1) / 2;
    return n;
  }
}

struct shape model_shape(const struct model *model) {
  const double strength = model->params.ping_pong_strength;
  const double largest = model->largest * model->scale;
  struct shape shape = {1, 0.5, largest, largest};
  switch (model->params.fractal) {
  case PERLANE_FRACTAL_RIDGED:
  case PERLANE_FRACTAL_BILLOW:
    shape = (struct shape){2, 1, fmax(1, 2 * largest - 1), largest};
    break;
  case PERLANE_FRACTAL_PING_PONG:
    shape = (struct shape){2 * strength, strength, fmax(1, strength), largest};
    break;
  default:
    break;
  }
  shape.weight *= model->params.weighted_strength;
  return shape;
}

double model_at(const struct model *model, const double *position, struct creases *creases) {
  const perlane_params *params = &model->params;
  struct creases found = {0, INFINITY};
  double sum = 0, weight = 1, frequency = params->frequency;
  for (int k = 0; k < model->octaves; k++) {
    double cells[4] = {0}, next;
    for (int a = 0; a < model->dims; a++)
      cells[a] = position[a] * frequency;
    const double n = noise_at(model, k, cells, &found) * model->scale;
    sum += model->share[k] * weight * shaped(model, n, &next, &found);
    if (params->weighted_strength != 0 && model->octaves > 1) {
      mark(&found, next <= 0 ? -1 : next >= 1, fmin(fabs(next), fabs(next - 1)));
      weight *= 1 + params->weighted_strength * (fmin(fmax(next, 0), 1) - 1);
    }
    frequency *= params->lacunarity;
  }
  if (creases)
    *creases = found;
  if (params->contrast != 1)
    sum = sum == 0 ? 0 : copysign(pow(fabs(sum), params->contrast), sum);
  return sum * params->value_scale + params->value_offset;
}
