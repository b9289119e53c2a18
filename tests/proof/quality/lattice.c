/* SPDX-License-Identifier: MIT */
#include "lattice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "statistics.h"

size_t window_cells(const struct window *window) {
  size_t n = 1;
  for (int a = 0; a < window->dims; a++)
    n *= window->count[a];
  return n;
}

unsigned lattice_choices(const struct lattice *lattice, int dims) {
  static const unsigned choices[] = {2, 8, 16, 32};
  return lattice->is_large ? 256 : choices[dims - 1];
}

/* ---- The library ---- */

/* All octaves have the same frequency, so their lattices coincide, and each is 1024 times as strong
 * as the one before: rounded to a whole number, the derivative is the index of the last one. */
static void fill_from_library(const struct lattice *lattice, const struct window *window,
                              uint8_t *index) {
  static float vector[256 * 4];
  const int dims = window->dims;
  for (int i = 0; i < 256; i++)
    vector[i * dims] = (float)i;
  perlane_params params = perlane_params_default();
  params.seed = window->seed;
  params.frequency = 1;
  params.octaves = window->octave + 1;
  params.lacunarity = 1;
  params.gain = 1024;
  params.amplitude = ldexp(1, -10 * window->octave);
  params.normalize = PERLANE_NORMALIZE_NONE;
  params.phase = PERLANE_PHASE_NONE;
  params.octaves_share = lattice->hash != PERLANE_HASH_LATTICE; /* or tables would be shifted */
  params.hash = (int32_t)lattice->hash;
  params.gradients = PERLANE_GRADIENTS_TABLE;
  params.gradient_table = vector;
  params.gradient_dims = dims;
  params.gradient_count = 256;
  perlane_noise noise;
  perlane_status status = perlane_init(&noise, &params);
  perlane_grid grid = {.dims = dims};
  for (int a = 0; a < dims; a++) {
    grid.count[a] = window->count[a];
    grid.origin[a] = (double)window->first[a];
    grid.step[a] = (double)window->step[a];
  }
  const size_t cells = window_cells(window);
  float *memory = have((size_t)dims * cells * sizeof *memory), *gradient[4];
  for (int a = 0; a < dims; a++)
    gradient[a] = memory + (size_t)a * cells;
  if (status == PERLANE_OK)
    status = perlane_fill_gradient(&noise, &grid, NULL, gradient);
  if (status != PERLANE_OK) {
    fprintf(stderr, "%s\n", perlane_status_string(status));
    exit(2);
  }
  /* Row i of the table goes with bits 12 and up of m, and smaller sets with bits 13 and up. */
  const int shift = lattice->hash == PERLANE_HASH_LATTICE && !lattice->is_large;
  const uint8_t mask = (uint8_t)(lattice_choices(lattice, dims) - 1);
  for (size_t i = 0; i < cells; i++)
    index[i] = (uint8_t)(lrintf(gradient[0][i]) >> shift) & mask;
  free(memory);
}

/* ---- The model, and what becomes of it when something is left out ---- */

static const uint32_t MULTIPLIER[] = {0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F};

static uint32_t first_multiply(int64_t cell, int axis, uint64_t seed, int octave) {
  const uint64_t key = split_mix(split_mix(seed, 0), (uint64_t)(4 * octave + axis)) >> 32;
  const int64_t high = (int64_t)((uint64_t)cell + 0x80000000u) >> 32; /* seeds may wrap around */
  return ((uint32_t)cell ^ (uint32_t)high * 0x9E3779B1) * MULTIPLIER[axis] + (uint32_t)key;
}

static uint32_t model_dot(uint32_t a, uint32_t b) {
  const int32_t low = (int16_t)(uint16_t)a * (int16_t)(uint16_t)b;
  const int32_t high = (int16_t)(uint16_t)(a >> 16) * (int16_t)(uint16_t)(b >> 16);
  return (uint32_t)low + (uint32_t)high;
}

static uint32_t model_word(int64_t cell, int axis, uint64_t seed, int octave) {
  const uint32_t v = first_multiply(cell, axis, seed, octave);
  return model_dot(v, 0x2C1B3C6D) ^ v;
}

static uint32_t word_of_shifted_seed(int64_t cell, int axis, uint64_t seed, int octave) {
  return model_word(axis == 0 ? (int64_t)((uint64_t)cell + seed) : cell, axis, 0, octave);
}

static uint32_t word_of_shared_stream(int64_t cell, int axis, uint64_t seed, int octave) {
  return model_word(cell, axis, seed + (uint64_t)octave, 0);
}

static uint32_t word_times_prime(int64_t cell, int axis, uint64_t seed, int octave) {
  return (uint32_t)cell * MULTIPLIER[axis] ^ (axis == 0 ? (uint32_t)seed + (uint32_t)octave : 0);
}

static uint32_t model_join(int dims, const uint32_t *word) {
  if (dims == 1)
    return model_dot(word[0] ^ word[0] >> 15, 0x2C1B3C6D);
  if (dims == 2)
    return model_dot(word[0], word[1]);
  if (dims == 3)
    return model_dot(word[0], model_dot(word[1], word[2]));
  return model_dot(model_dot(word[0], word[1]), model_dot(word[2], word[3]));
}

/* h of 2.15: the mixed sum of the words. */
static uint32_t cell_join(int dims, const uint32_t *word) {
  uint32_t h = 0;
  for (int a = 0; a < dims; a++)
    h += word[a];
  h = (h ^ h >> 16) * 0x7FEB352D;
  h = (h ^ h >> 15) * 0x846CA68B;
  return h ^ h >> 16;
}

static uint32_t join_by_sums(int dims, const uint32_t *word) {
  const uint32_t s = dims == 4 ? word[2] + word[3] : dims == 3 ? word[2] : 0;
  return model_dot(word[0] + s, word[1] + s);
}

static uint32_t join_by_xor(int dims, const uint32_t *word) {
  uint32_t v = word[0];
  for (int a = 1; a < dims; a++)
    v ^= word[a];
  v *= 0x27D4EB2D;
  return (v ^ v >> 15) << 16;
}

static void fill_from_words(const struct lattice *lattice, const struct window *window,
                            uint8_t *index) {
  uint32_t *word[4];
  size_t count[4];
  for (int a = 0; a < 4; a++) {
    count[a] = a < window->dims ? window->count[a] : 1;
    word[a] = have(count[a] * sizeof *word[a]);
    for (size_t i = 0; i < count[a]; i++)
      word[a][i] =
          lattice->word(a < window->dims ? window->first[a] + (int64_t)i * window->step[a] : 0, a,
                        window->seed, window->octave);
  }
  const int shift = lattice->first_bit;
  const uint8_t mask = (uint8_t)(lattice_choices(lattice, window->dims) - 1);
  for (size_t w = 0; w < count[3]; w++)
    for (size_t z = 0; z < count[2]; z++)
      for (size_t y = 0; y < count[1]; y++)
        for (size_t x = 0; x < count[0]; x++) {
          const uint32_t corner[4] = {word[0][x], word[1][y], word[2][z], word[3][w]};
          *index++ = (uint8_t)(lattice->join(window->dims, corner) >> shift) & mask;
        }
  for (int a = 0; a < 4; a++)
    free(word[a]);
}

void lattice_fill(const struct lattice *lattice, const struct window *window, uint8_t *index) {
  if (lattice->word)
    fill_from_words(lattice, window, index);
  else
    fill_from_library(lattice, window, index);
}

#define FROM_LIBRARY(title, its_hash, large)                                                       \
  { .name = (title), .hash = (its_hash), .is_large = (large) }
#define FROM_WORDS(title, its_word, its_join, bit, large)                                          \
  {                                                                                                \
    .name = (title), .word = (its_word), .join = (its_join), .first_bit = (bit),                   \
    .is_large = (large)                                                                            \
  }

/* clang-format off */
const struct lattice LATTICE = FROM_LIBRARY("lattice (default)", PERLANE_HASH_LATTICE, 0);
const struct lattice LARGE = FROM_LIBRARY("lattice, sets of 256", PERLANE_HASH_LATTICE, 1);
const struct lattice PERLIN_TABLE = FROM_LIBRARY("Perlin's table", PERLANE_HASH_PERLIN, 0);
const struct lattice MODEL = FROM_WORDS("the specification's", model_word, model_join, 13, 0);
const struct lattice LARGE_MODEL = FROM_WORDS("the specification's, sets of 256", model_word, model_join, 12, 1);
const struct lattice CELL_HIGH = FROM_WORDS("cells, bits from 24 on", model_word, cell_join, 24, 1);
const struct lattice CELL_LOW = FROM_WORDS("cells, bits from 8 on", model_word, cell_join, 8, 1);
const struct lattice ONE_MULTIPLY = FROM_WORDS("one multiplication", first_multiply, model_join, 13, 0);
const struct lattice ADDED_PLANES = FROM_WORDS("planes added", model_word, join_by_sums, 13, 0);
const struct lattice PRIMES_XOR = FROM_WORDS("primes, xor", word_times_prime, join_by_xor, 16, 0);
const struct lattice SHIFTED_SEEDS = FROM_WORDS("seed added to x", word_of_shifted_seed, model_join, 13, 0);
const struct lattice SHARED_STREAMS = FROM_WORDS("octaves as seeds", word_of_shared_stream, model_join, 13, 0);
const struct lattice LOW_BITS = FROM_WORDS("bits from 0 on", model_word, model_join, 0, 1);
/* clang-format on */
