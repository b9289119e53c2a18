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

/* The largest distance to the nearest point, or the second nearest. At a corner of a cell, the
 * points of all cells around it are at least as near as their own farthest corners allow; at the
 * centre of a cell, whose point is on an edge as the others are, it is the next cells' points that
 * count. */
static double largest_distance(const struct model *model) {
  const int dims = model->dims, first = model->params.cell_output == PERLANE_CELL_OUTPUT_F1;
  double at_corner[3], at_centre[3], squares[2] = {0, 0}, sums[2] = {0, 0}, most[2] = {0, 0};
  for (int a = 0; a < dims; a++) {
    at_corner[a] = 0.5 + model->params.jitter / 2;
    at_centre[a] = model->params.jitter / 2 + (a == 0);
    squares[0] += at_corner[a] * at_corner[a];
    squares[1] += at_centre[a] * at_centre[a];
    sums[0] += at_corner[a];
    sums[1] += at_centre[a];
    most[0] = fmax(most[0], at_corner[a]);
    most[1] = fmax(most[1], at_centre[a]);
  }
  switch (model->params.cell_metric) {
  case PERLANE_CELL_METRIC_MANHATTAN:
    return first ? sums[0] : fmax(sums[0], sums[1]);
  case PERLANE_CELL_METRIC_CHEBYSHEV:
    return first ? most[0] : fmax(most[0], most[1]);
  case PERLANE_CELL_METRIC_SQUARED:
    return first ? squares[0] : fmax(squares[0], squares[1]);
  default:
    return sqrt(first ? squares[0] : fmax(squares[0], squares[1]));
  }
}

static int is_distance(const struct model *model) {
  return model->params.basis == PERLANE_BASIS_CELLULAR &&
         model->params.cell_output != PERLANE_CELL_OUTPUT_VALUE;
}

static double largest_of(const struct model *model) {
  static const double offaxis8[] = {0.7151921741517465, 0.717213607737851, 0.7222057363604975};
  static const double axis4[] = {0.5352764390514958, 0.5435095264191646, 0.5625};
  static const double edges12[] = {1.0363538112118027, 1.044905189609876, 1.0648281623434037};
  static const double edges32[] = {1.53658233404682, 1.5451999215279837, 1.565313239720565};
  static const double pnoise[] = {2.38013054114538, 2.305206365099435, 2.25};
  if (model->params.basis == PERLANE_BASIS_GAUSSIAN)
    return 5.8;
  if (is_distance(model))
    return largest_distance(model);
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
  return split_mix(split_mix(seed, 1), 4 * (uint64_t)octave + (uint64_t)axis + 1);
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

static double fade_slope(const struct model *model, double t) {
  switch (model->params.fade) {
  case PERLANE_FADE_CUBIC:
    return 6 * t * (1 - t);
  case PERLANE_FADE_LINEAR:
    return 1;
  default:
    return 30 * t * t * (1 - t) * (1 - t);
  }
}

/* Interpolates the corners' values. Bit a of a corner's number says which end of axis a it is at.
 * Along the axis `along`, if that is not -1, it is the derivative of the interpolation. */
static double interpolated(const struct model *model, const double *fraction, const double *corner,
                           int along) {
  double value[16];
  memcpy(value, corner, sizeof value);
  for (int a = 0; a < model->dims; a++) {
    const double u = a == along ? fade_slope(model, fraction[a]) : fade(model, fraction[a]);
    for (int c = 0; c < 1 << (model->dims - 1 - a); c++)
      value[c] = (a == along ? 0 : value[2 * c]) + u * (value[2 * c + 1] - value[2 * c]);
  }
  return value[0];
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

/* Splits a coordinate in cells, whose octave's lattice is shifted. */
static int64_t split(const struct model *model, int octave, int axis, double cells,
                     double *fraction) {
  double phase = 0;
  if (model->params.phase == PERLANE_PHASE_SEEDED)
    phase = (double)(axis_start(model->params.seed, lattice_of(model, octave), axis) & 0xFFFFFF) *
            0x1p-24;
  const double shifted = cells - floor(cells) + phase; /* far cells have no room for it */
  *fraction = shifted - (shifted >= 1);
  return (int64_t)floor(cells) + (shifted >= 1);
}

static double period_of(const struct model *model, int octave, int axis) {
  if (model->params.hash == PERLANE_HASH_GRID)
    return model->params.gradient_grid_count[axis];
  return model->params.period[axis] * pow(model->params.lacunarity, octave);
}

/* A jump of the noise at this distance in cells, or more. */
static void mark_border(struct creases *creases, const struct model *model, int octave,
                        double cells) {
  const double frequency = model->params.frequency * pow(model->params.lacunarity, octave);
  creases->border = fmin(creases->border, cells / frequency);
}

/* slope, if not NULL, receives the derivatives along the axes, per cell. */
static double noise_at(const struct model *model, int octave, const double *cells, double *slope,
                       struct creases *creases) {
  const perlane_params *params = &model->params;
  const int flat = params->basis == PERLANE_BASIS_WHITE || params->basis == PERLANE_BASIS_GAUSSIAN;
  int64_t side[4][2] = {{0}};
  double fraction[4], corner[16] = {0}, tilt[4][16] = {{0}};
  for (int a = 0; a < model->dims; a++) {
    const int64_t cell = split(model, octave, a, cells[a], &fraction[a]);
    const double period = period_of(model, octave, a);
    side[a][0] = wrapped(cell, period);
    side[a][1] = flat ? side[a][0] : wrapped(cell + 1, period);
    mark(creases, cell, INFINITY);
    if (flat || (slope && params->fade == PERLANE_FADE_LINEAR))
      mark_border(creases, model, octave, fmin(fraction[a], 1 - fraction[a]));
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
      for (int a = 0; a < 2; a++)
        tilt[a][c] = (double)g[a];
      corner[c] = (double)g[0] * (fraction[0] - (c & 1)) + (double)g[1] * (fraction[1] - (c >> 1));
    } else {
      const int vector = vector_index(model, octave, cell);
      for (int a = 0; a < model->dims; a++)
        tilt[a][c] = model->vector[vector][a];
      corner[c] = ramp(model, vector, fraction, c);
    }
  }
  for (int a = 0; a < model->dims && slope; a++)
    slope[a] =
        interpolated(model, fraction, corner, a) + interpolated(model, fraction, tilt[a], -1);
  return interpolated(model, fraction, corner, -1);
}

/* ---- Cells ---- */

static double distance(const struct model *model, const double *d) {
  double squares = 0, sum = 0, most = 0;
  for (int a = 0; a < model->dims; a++) {
    squares += d[a] * d[a];
    sum += fabs(d[a]);
    most = fmax(most, fabs(d[a]));
  }
  switch (model->params.cell_metric) {
  case PERLANE_CELL_METRIC_MANHATTAN:
    return sum;
  case PERLANE_CELL_METRIC_CHEBYSHEV:
    return most;
  default:
    return sqrt(squares);
  }
}

/* The point of a cell, from its corner: the bits of its hash as a fraction along each axis. */
static uint32_t point_of(const struct model *model, int octave, const int64_t *cell,
                         double *point) {
  static const int BITS[4] = {0, 24, 16, 11};
  const int dims = model->dims, bits = BITS[dims];
  uint32_t h = 0;
  for (int a = 0; a < dims; a++)
    h += word_of(wrapped(cell[a], period_of(model, octave, a)), a, model->params.seed,
                 lattice_of(model, octave));
  h = mixed(h);
  /* From the top down; in 3D the last field is at the bottom. */
  const uint32_t field[3] = {h >> (32 - bits), dims == 2 ? h & 0xFFFF : h >> 10 & 0x7FF, h & 0x7FF};
  for (int a = 0; a < dims; a++)
    point[a] = 0.5 + model->params.jitter * (ldexp(field[a] + 0.5, -bits) - 0.5);
  return h;
}

void model_point(const perlane_params *params, int dims, const int64_t *cell, double *point) {
  static struct model model;
  model.params = *params;
  model.dims = dims;
  point_of(&model, 0, cell, point);
}

/* Searches all cells up to three away, whose points are at least 2.5 cells away from the middle
 * cell beyond these: more than the largest distance to the second nearest. */
static double cellular_at(const struct model *model, int octave, const double *cells,
                          struct creases *creases) {
  const int dims = model->dims;
  double fraction[4], best[2] = {INFINITY, INFINITY};
  int64_t cell[4];
  uint32_t winner = 0;
  for (int a = 0; a < dims; a++)
    cell[a] = split(model, octave, a, cells[a], &fraction[a]);
  for (int i = 0; i < (dims == 1 ? 7 : dims == 2 ? 49 : 343); i++) {
    int64_t there[4];
    double point[3], d[3];
    for (int a = 0, rest = i; a < dims; a++, rest /= 7)
      there[a] = cell[a] + rest % 7 - 3;
    const uint32_t h = point_of(model, octave, there, point);
    for (int a = 0; a < dims; a++)
      d[a] = (double)(there[a] - cell[a]) + point[a] - fraction[a];
    const double length = distance(model, d);
    if (length < best[0])
      winner = h;
    best[1] = fmin(best[1], fmax(best[0], length));
    best[0] = fmin(best[0], length);
  }
  const double gap = best[1] - best[0];
  if (model->params.cell_metric == PERLANE_CELL_METRIC_SQUARED)
    for (int i = 0; i < 2; i++)
      best[i] *= best[i];
  switch (model->params.cell_output) {
  case PERLANE_CELL_OUTPUT_F2:
    return best[1];
  case PERLANE_CELL_OUTPUT_F2_MINUS_F1:
    return best[1] - best[0];
  case PERLANE_CELL_OUTPUT_VALUE: /* distances change by at most dims times the way */
    mark_border(creases, model, octave, gap / (2 * dims));
    return ldexp((double)(winner * 0x9E3779B1u >> 7 | 1), -24) - 1;
  default:
    return best[0];
  }
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
  return interpolated(model, fraction, corner, -1);
}

/* ---- The sum ---- */

/* Sets each octave's factor. */
static void make_shares(struct model *model) {
  const perlane_params *params = &model->params;
  const int full = params->normalize == PERLANE_NORMALIZE_FULL;
  double total = 0, squares = 0;
  for (int k = 0; k < model->octaves; k++) {
    model->share[k] = params->amplitude * pow(params->gain, k);
    total += fabs(model->share[k]);
    squares += pow(params->gain, 2 * k);
  }
  if (params->normalize == PERLANE_NORMALIZE_SPREAD)
    total = fabs(params->amplitude) * sqrt(squares);
  /* Several octaves are held back by 2^-23 each, for the rounding of their sum. */
  const double margin = full && model->octaves > 1 ? 1 - model->octaves * 0x1p-23 : 1;
  if (params->normalize != PERLANE_NORMALIZE_NONE)
    for (int k = 0; k < model->octaves; k++)
      model->share[k] *= margin / total;
}

void model_make(struct model *model, const perlane_params *params, int dims) {
  memset(model, 0, sizeof *model);
  model->params = *params;
  model->dims = dims;
  model->octaves = params->fractal == PERLANE_FRACTAL_NONE ? 1 : params->octaves;
  make_table(model);
  make_vectors(model);
  model->largest = largest_of(model);
  const int scaled =
      params->normalize == PERLANE_NORMALIZE_FULL || params->normalize == PERLANE_NORMALIZE_SPREAD;
  model->scale = scaled && params->basis == PERLANE_BASIS_PERLIN ? 1 / model->largest : 1;
  if (scaled && params->basis == PERLANE_BASIS_VALUE)
    model->scale = 0x1.fffffp-1;
  if (scaled && is_distance(model)) {
    model->scale = 2 / model->largest * (1 - 0x1p-20);
    model->bias = -1;
  }
  make_shares(model);
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
  const double largest = model->bias != 0 ? 1 : model->largest * model->scale;
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

/* The sum of the octaves at a position. */
static double sum_at(const struct model *model, const double *position, struct creases *creases) {
  const perlane_params *params = &model->params;
  const int eroded = params->fractal == PERLANE_FRACTAL_ERODED;
  double sum = 0, weight = 1, frequency = params->frequency, tilt[4] = {0};
  for (int k = 0; k < model->octaves; k++) {
    double cells[4] = {0}, slope[4] = {0}, next, steepness = 0;
    for (int a = 0; a < model->dims; a++)
      cells[a] = position[a] * frequency;
    const double raw = params->basis == PERLANE_BASIS_CELLULAR
                           ? cellular_at(model, k, cells, creases)
                           : noise_at(model, k, cells, eroded ? slope : NULL, creases);
    const double n = raw * model->scale + model->bias;
    for (int a = 0; a < model->dims; a++) {
      tilt[a] += slope[a] * model->scale;
      steepness += tilt[a] * tilt[a];
    }
    const double damping = eroded ? 1 + params->erosion * steepness : 1;
    sum += model->share[k] * weight * shaped(model, n, &next, creases) / damping;
    if (params->weighted_strength != 0 && model->octaves > 1) {
      mark(creases, next <= 0 ? -1 : next >= 1, fmin(fabs(next), fabs(next - 1)));
      weight *= 1 + params->weighted_strength * (fmin(fmax(next, 0), 1) - 1);
    }
    frequency *= params->lacunarity;
  }
  return sum;
}

/* ---- Warp ---- */

/* Returns the field that displaces positions along an axis, in a round counted from 0: until the
 * next call. */
static const struct model *displacement(const struct model *model, int round, int axis) {
  static struct model standard[PERLANE_MAX_DIMS + 1];
  struct model *made = &standard[model->dims];
  const perlane_params *params = &model->params;
  if (made->dims == 0) {
    const perlane_params plain = {
        .frequency = 1, .octaves = 1, .lacunarity = 2, .gain = 0.5, .amplitude = 1};
    model_make(made, &plain, model->dims);
  }
  made->params.seed =
      split_mix(params->seed ^ 0x7761727000000000u, 4 * (uint64_t)round + (uint64_t)axis + 1);
  made->params.frequency = params->warp_frequency;
  made->params.lacunarity = params->warp_lacunarity;
  made->params.gain = params->warp_gain;
  made->octaves = made->params.octaves = params->warp_octaves;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    made->params.period[a] =
        (int32_t)llround(params->period[a] * (params->warp_frequency / params->frequency));
  make_shares(made);
  return made;
}

/* The position that the warp moves one to. */
static void warp(const struct model *model, const double *position, double *moved) {
  double before[4], next[4] = {0};
  memcpy(next, position, (size_t)model->dims * sizeof next[0]);
  for (int round = 0; round < model->params.warp_rounds && model->params.warp_amplitude != 0;
       round++) {
    memcpy(before, next, sizeof before);
    for (int a = 0; a < model->dims; a++) {
      struct creases unused = {0, INFINITY, INFINITY, 0};
      next[a] = position[a] + model->params.warp_amplitude *
                                  sum_at(displacement(model, round, a), before, &unused);
    }
  }
  memcpy(moved, next, sizeof next);
}

struct stretch model_stretch(const struct model *model, double noise) {
  const perlane_params *params = &model->params;
  struct stretch stretch = {0, 1};
  if (params->warp_amplitude == 0)
    return stretch;
  const struct model *field = displacement(model, 0, 0);
  double steepness = 0; /* the noise's slope along an axis is at most 4 */
  for (int k = 0; k < field->octaves; k++)
    steepness +=
        4 * fabs(field->share[k]) * params->warp_frequency * pow(params->warp_lacunarity, k);
  const double factor = model->dims * params->warp_amplitude * steepness;
  for (int round = 0; round < params->warp_rounds; round++) {
    stretch.error = params->warp_amplitude * noise + factor * stretch.error;
    stretch.factor = 1 + factor * stretch.factor;
  }
  return stretch;
}

/* ---- The end ---- */

/* The slope of a smooth curve at point i, which is Steffen's (1990). */
static double smooth_slope(const perlane_curve *curve, int i) {
  const double(*p)[2] = curve->point;
  const int last = curve->count - 1;
  if (i == 0 || i == last) {
    const int j = i == 0 ? 0 : last - 1;
    return (p[j + 1][1] - p[j][1]) / (p[j + 1][0] - p[j][0]);
  }
  const double h0 = p[i][0] - p[i - 1][0], h1 = p[i + 1][0] - p[i][0];
  const double s0 = (p[i][1] - p[i - 1][1]) / h0, s1 = (p[i + 1][1] - p[i][1]) / h1;
  const double parabola = (s0 * h1 + s1 * h0) / (h0 + h1);
  const double signs = (s0 > 0) - (s0 < 0) + (s1 > 0) - (s1 < 0);
  return signs * fmin(fmin(fabs(s0), fabs(s1)), fabs(parabola) / 2);
}

static double curved(const perlane_params *params, double v) {
  const perlane_curve *curve = &params->curve;
  const double(*p)[2] = curve->point;
  const int last = curve->count - 1;
  if (v <= p[0][0] || v >= p[last][0])
    return v <= p[0][0] ? p[0][1] : p[last][1];
  int i = 0;
  while (v >= p[i + 1][0])
    i++;
  const double width = p[i + 1][0] - p[i][0], t = (v - p[i][0]) / width;
  if (params->curve_shape == PERLANE_CURVE_LINEAR)
    return p[i][1] * (1 - t) + p[i + 1][1] * t;
  /* Hermite's form. */
  const double begin = smooth_slope(curve, i) * width, end = smooth_slope(curve, i + 1) * width;
  return (1 + 2 * t) * (1 - t) * (1 - t) * p[i][1] + t * (1 - t) * (1 - t) * begin +
         t * t * (3 - 2 * t) * p[i + 1][1] - t * t * (1 - t) * end;
}

/* Schlick's gain on each terrace: t / ((1 / g - 2) * (1 - 2t) + 1) in its lower half. */
static double terraced(const perlane_params *params, double v) {
  const double sharpness = params->terrace_sharpness, half = params->terraces / 2.0;
  const double height = (v + 1) * half, terrace = floor(height), t = height - terrace;
  const double low = t < 0.5 ? t : 1 - t;
  const double gain = low / (sharpness / (1 - sharpness) * (1 - 2 * low) + 1);
  return (terrace + (t < 0.5 ? gain : 1 - gain)) / half - 1;
}

/* Without scale and offset. */
static double bent(const struct model *model, double sum) {
  const perlane_params *params = &model->params;
  if (params->contrast != 1)
    sum = sum == 0 ? 0 : copysign(pow(fabs(sum), params->contrast), sum);
  if (params->curve.count > 0)
    sum = curved(params, sum);
  return params->terraces > 0 ? terraced(params, sum) : sum;
}

double model_end(const struct model *model, double sum) {
  return bent(model, sum) * model->params.value_scale + model->params.value_offset;
}

/* Floats round at each step: as if the step's argument, or its result, were a little off. */
static double deviation(double (*function)(const perlane_params *params, double v),
                        const perlane_params *params, double v, double error) {
  const double here = function(params, v);
  double most =
      fmax(fabs(function(params, v - error) - here), fabs(function(params, v + error) - here));
  if (function == curved)
    for (int i = 0; i < params->curve.count; i++)
      if (fabs(params->curve.point[i][0] - v) <= error)
        most = fmax(most, fabs(params->curve.point[i][1] - here));
  return most;
}

/* The points' x are rounded to float, which tilts the pieces between them. */
static double tilt_of_points(const perlane_curve *curve) {
  double most = 0;
  for (int i = 1; i < curve->count; i++) {
    const double(*p)[2] = &curve->point[i - 1];
    const double rounding = fmax(fabs(p[0][0]), fabs(p[1][0])) * 0x1p-23;
    most = fmax(most, fabs(p[1][1] - p[0][1]) * rounding / (p[1][0] - p[0][0]));
  }
  return 2 * most;
}

double model_end_error(const struct model *model, double sum, double error) {
  const perlane_params *params = &model->params;
  const double scaled = fabs(bent(model, sum) * params->value_scale);
  if (params->contrast != 1) {
    const double power = copysign(pow(fabs(sum), params->contrast), sum);
    const double farther = pow(fabs(sum) + error, params->contrast);
    error = farther - fabs(power) + farther * params->contrast * 0x1p-22;
    sum = power;
  }
  if (params->curve.count > 0) {
    error = deviation(curved, params, sum, error + (fabs(sum) + 2) * 0x1p-22);
    sum = curved(params, sum);
    error += (fabs(sum) + 1) * 0x1p-22 + tilt_of_points(&params->curve);
  }
  if (params->terraces > 0)
    error = deviation(terraced, params, sum, error + (fabs(sum) + 1) * 0x1p-22) +
            (fabs(terraced(params, sum)) + 1) * 0x1p-22;
  return error * fabs(params->value_scale) + 0x1p-22 * (scaled + fabs(params->value_offset));
}

/* By central differences, which a piece of a curve or a terrace is smooth enough for. */
static double slope_near(const struct model *model, double sum) {
  const double step = 0x1p-30;
  return (bent(model, sum + step) - bent(model, sum - step)) / (2 * step);
}

double model_end_slope(const struct model *model, double sum, double error, double *slope_error) {
  const perlane_params *params = &model->params;
  *slope_error = 0;
  if (params->contrast == 1 && params->curve.count == 0 && params->terraces == 0)
    return 1;
  const double slope = slope_near(model, sum), reach = error + (fabs(sum) + 2) * 0x1p-22;
  *slope_error = fabs(slope) * 0x1p-20;
  for (int i = -4; i <= 4; i++)
    *slope_error =
        fmax(*slope_error, fabs(slope_near(model, sum + reach * i / 4) - slope) * 1.5 + 0x1p-20);
  return slope;
}

double model_at(const struct model *model, const double *position, struct creases *creases) {
  struct creases found = {0, INFINITY, INFINITY, 0};
  double moved[4];
  warp(model, position, moved);
  found.sum = sum_at(model, moved, &found);
  if (creases)
    *creases = found;
  return model_end(model, found.sum);
}
