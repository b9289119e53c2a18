/* SPDX-License-Identifier: MIT
 *
 * Preparing a field: from the params to each octave's constants (docs/specification.md, section 3).
 */
#include "strict.h"

#include <stddef.h>
#include <string.h>

#include "field.h"
#include "kernels.h"
#include "numbers.h"
#include "options.h"
#include "range.h"
#include "tables.h"

/* ---- Checks ---- */

/* Checks the vectors of gradient_table, or of a gradient_grid whose rows have nx of them. */
static perlane_status check_vectors(const float *component, int32_t count, int32_t dims, int32_t nx,
                                    struct perlane_text *problem) {
  for (int32_t i = 0; i < count; i++)
    for (int32_t a = 0; a < dims; a++, component++)
      if (!(perlane_magnitude((double)*component) <= PERLANE_MAX_GRADIENT)) {
        perlane_text_print(problem, "%c of ", "xyzw"[a]);
        if (nx > 0)
          perlane_text_print(problem, "gradient_grid[%d][%d]", i / nx, i % nx);
        else
          perlane_text_print(problem, "gradient_table[%d]", i);
        return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                              " must be a number from %g to %g, not %g", -PERLANE_MAX_GRADIENT,
                              PERLANE_MAX_GRADIENT, (double)*component);
      }
  return PERLANE_OK;
}

static perlane_status check_gradient_grid(const perlane_params *params,
                                          struct perlane_text *problem) {
  const int32_t nx = params->gradient_grid_count[0], ny = params->gradient_grid_count[1];
  if (!params->gradient_grid)
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "hash=grid needs gradient_grid, rows of gradients");
  if (nx < 1 || ny < 1 || ny > PERLANE_MAX_PERIOD / nx)
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "gradient_grid must have 1 to %d points, not %d x %d", PERLANE_MAX_PERIOD,
                          nx, ny);
  return check_vectors(params->gradient_grid, nx * ny, 2, nx, problem);
}

static perlane_status check_gradient_table(const perlane_params *params,
                                           struct perlane_text *problem) {
  const int32_t count = params->gradient_count, dims = params->gradient_dims;
  if (!params->gradient_table)
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "gradients=table needs gradient_table, 2 to 256 vectors");
  if (count < 2 || count > 256)
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "gradient_table must have 2 to 256 vectors, not %d", count);
  if (dims < 1 || dims > PERLANE_MAX_DIMS)
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "the vectors of gradient_table must have 1 to %d components, not %d",
                          PERLANE_MAX_DIMS, dims);
  return check_vectors(params->gradient_table, count, dims, 0, problem);
}

static perlane_status check_reserved(const perlane_params *params, struct perlane_text *problem) {
  uint64_t all = (uint32_t)params->reserved0;
  for (size_t i = 0; i < sizeof params->reserved / sizeof params->reserved[0]; i++)
    all |= params->reserved[i];
  if (all == 0 && !params->reserved2)
    return PERLANE_OK;
  return PERLANE_REFUSE(PERLANE_ERROR_LAYOUT, problem,
                        "a reserved member is not 0; start from perlane_params_default()");
}

/* Refuses two options that do not go together. */
static perlane_status refuse_pair(const perlane_params *params, const char *option,
                                  const char *reason, const char *other,
                                  struct perlane_text *problem) {
  perlane_options_print(problem, params, option);
  perlane_text_print(problem, "%s", reason);
  perlane_options_print(problem, params, other);
  return PERLANE_ERROR_PARAMETER;
}

static perlane_status check(const perlane_params *params, struct perlane_text *problem) {
  perlane_status status = check_reserved(params, problem);
  if (status == PERLANE_OK)
    status = perlane_options_check(params, problem);
  if (status != PERLANE_OK)
    return status;
  const int is_perlin = params->basis == PERLANE_BASIS_PERLIN;
  const struct perlane_basis_record *basis = perlane_basis_record(params);
  if (!(basis->hashes >> params->hash & 1))
    return basis->hashes == PERLANE_LATTICE_HASH
               ? refuse_pair(params, "basis", " needs hash=lattice, not ", "hash", problem)
               : refuse_pair(params, "hash", " needs basis=perlin, not ", "basis", problem);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    if (params->period[a] != 0 && !basis->has_periods)
      return refuse_pair(params, "period", " does not exist for ", "basis", problem);
  if (params->fractal == PERLANE_FRACTAL_ERODED && !basis->can_be_eroded)
    return refuse_pair(params, "fractal", " does not exist for ", "basis", problem);
  if (params->valleys != 0) {
    if (!(params->valleys >= PERLANE_MIN_VALLEYS))
      return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                            "valleys must be 0 or at least 2^-10, and is %g", params->valleys);
    if (params->octaves + params->valley_octaves > PERLANE_MAX_OCTAVES)
      return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                            "octaves and valley_octaves must be %d together at most, not %d + %d",
                            PERLANE_MAX_OCTAVES, params->octaves, params->valley_octaves);
  }
  if (params->falloff != 0 && !(params->falloff_start < params->falloff_end))
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "falloff_start must be below falloff_end, but %g is not below %g",
                          params->falloff_start, params->falloff_end);
  if (params->basis == PERLANE_BASIS_CELLULAR && params->cell_output == PERLANE_CELL_OUTPUT_EDGE &&
      params->cell_metric != PERLANE_CELL_METRIC_EUCLIDEAN)
    return refuse_pair(params, "cell_output", " needs cell_metric=euclidean, not ", "cell_metric",
                       problem);
  if (is_perlin && params->hash == PERLANE_HASH_GRID)
    return check_gradient_grid(params, problem);
  if (is_perlin && params->gradients == PERLANE_GRADIENTS_TABLE)
    return check_gradient_table(params, problem);
  return PERLANE_OK;
}

/* ---- Constants ---- */

/* Bytes of a field before its table, less the octaves that it does not have. */
static size_t used_head_bytes(int octaves) {
  return offsetof(perlane_noise, octave) + (size_t)octaves * sizeof(struct perlane_octave);
}

static int exists(const perlane_params *params, int dims, const struct perlane_gradient_set *set) {
  const int is_2d_only = params->valleys != 0 || params->hash == PERLANE_HASH_PRIMES;
  return (dims == 2 || !is_2d_only) && (perlane_basis_record(params)->dims >> (dims - 1) & 1) &&
         (params->basis != PERLANE_BASIS_PERLIN || set->exists);
}

/* Returns 1 / largest; unless that is exact, less two units in the last place of a float, so that
 * rounding cannot carry a sample past 1. A scale beyond the range of float, which is refused, is
 * returned as it is. */
static double full_scale(double largest) {
  uint64_t bits;
  memcpy(&bits, &largest, sizeof bits);
  if ((bits & UINT64_C(0xFFFFFFFFFFFFF)) == 0 || 1 / largest > (double)FLT_MAX)
    return 1 / largest;
  float scale = (float)(1 / largest);
  uint32_t word;
  memcpy(&word, &scale, sizeof word);
  word -= 2;
  memcpy(&scale, &word, sizeof scale);
  return (double)scale;
}

/* The factor of an octave's noise, the number that is added then, and the largest value of the
 * sum. */
struct scale {
  double factor, bias, largest;
};

/* The bound of distances (docs/specification.md, 3.4). */
static double largest_distance(const perlane_params *params, int dims) {
  const double half = params->jitter * 0.5;
  /* Along each axis, to the own cell's point and to the next cell's, from a corner of the cell and
   * from its centre. */
  const double corner = 0.5 + half, centre = half, next = 1 + half;
  const int first = params->cell_output == PERLANE_CELL_OUTPUT_F1;
  if (params->cell_metric == PERLANE_CELL_METRIC_CHEBYSHEV)
    return first ? corner : next;
  if (params->cell_metric == PERLANE_CELL_METRIC_MANHATTAN) {
    const double sum = dims * corner, other = (dims - 1) * centre + next;
    return first || sum > other ? sum : other;
  }
  const double sum = dims * (corner * corner);
  const double other = (dims - 1) * (centre * centre) + next * next;
  const double square = first || sum > other ? sum : other;
  if (params->cell_metric == PERLANE_CELL_METRIC_SQUARED)
    return square;
  const double distance = perlane_root(square);
  return params->cell_output == PERLANE_CELL_OUTPUT_EDGE ? 0.5 * distance : distance;
}

/* The largest sums of a simplex' corners (docs/specification.md, 3.4). */
#define LARGEST_SIMPLEX_2D 13.7527482505538
#define LARGEST_SIMPLEX_3D 0.28729746051450

/* Returns 1 if an octave's noise is scaled to [-1, 1]. */
static int is_scaled(const perlane_params *params) {
  return params->normalize == PERLANE_NORMALIZE_FULL ||
         params->normalize == PERLANE_NORMALIZE_SPREAD;
}

static struct scale scale_of(const perlane_params *params, int dims,
                             const struct perlane_gradient_set *set) {
  const int scaled = is_scaled(params);
  switch ((perlane_basis)params->basis) {
  case PERLANE_BASIS_GAUSSIAN:
    return (struct scale){1, 0, 5.8};
  case PERLANE_BASIS_WHITE:
    return (struct scale){1, 0, 1};
  case PERLANE_BASIS_VALUE:
    return (struct scale){scaled ? 0x1.fffffp-1 : 1, 0, 1}; /* room for the rounding of the folds */
  case PERLANE_BASIS_CELLULAR: {
    if (params->cell_output == PERLANE_CELL_OUTPUT_VALUE)
      return (struct scale){1, 0, 1};
    const double largest = largest_distance(params, dims);
    const double room = 1 - 0x1p-20; /* for the rounding of distances */
    return scaled ? (struct scale){2 / largest * room, -1, 1}
                  : (struct scale){1, 0, largest * (1 + 0x1p-20)};
  }
  case PERLANE_BASIS_SIMPLEX: /* whose sum has no size of its own */
    return (struct scale){1 / (dims == 2 ? LARGEST_SIMPLEX_2D : LARGEST_SIMPLEX_3D) * (1 - 0x1p-18),
                          0, 1};
  case PERLANE_BASIS_PERLIN:
  case PERLANE_BASIS_COUNT:
    break;
  }
  return scaled && set->largest > 0 ? (struct scale){full_scale(set->largest), 0, 1}
                                    : (struct scale){set->unit, 0, set->largest * set->unit};
}

static void make_gradients(perlane_noise *noise, const perlane_params *params,
                           struct perlane_gradient_set sets[PERLANE_MAX_DIMS]) {
  static const int first_vector[PERLANE_MAX_DIMS] = {0, 1, 3, 6};
  for (int d = 0; d < PERLANE_MAX_DIMS; d++)
    sets[d] = params->basis == PERLANE_BASIS_PERLIN
                  ? perlane_gradient_set_make(params, d + 1, &noise->vector[first_vector[d]])
                  : (struct perlane_gradient_set){0, 0, 0};
}

/* The keys and phases of an octave, from the seed's stream. */
static void make_octave_keys(struct perlane_octave *octave, int phased, uint64_t *stream) {
#ifdef __clang__ /* 14, for WebAssembly with -Os, would make vectors with wrong products */
#pragma clang loop vectorize(disable)
#endif
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    const uint64_t word = perlane_splitmix64(stream);
    octave->key[a] = (uint32_t)(word >> 32);
    octave->phase[a] = phased ? (uint32_t)word & 0xFFFFFF : 0;
  }
}

/* Each octave's keys, phases and shifts, from the stream that the seed starts. Octaves that share a
 * lattice have those of the first. */
static void make_keys(perlane_noise *noise) {
  const perlane_params *params = &noise->params;
  uint64_t state = params->seed;
  const uint64_t start = perlane_splitmix64(&state);
  uint64_t stream = start;
  for (int k = 0; k < noise->octaves; k++) {
    struct perlane_octave *octave = &noise->octave[k];
    if (params->octaves_share)
      stream = start;
    make_octave_keys(octave, params->phase == PERLANE_PHASE_SEEDED, &stream);
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      octave->shift[a] =
          (uint32_t)params->table_offset[a] + (params->octaves_share ? 0 : octave->key[a]);
  }
}

/* Entries up to the next multiple of every LANES repeat the last octave. */
void perlane_field_arrays(struct perlane_octave_arrays *arrays, const struct perlane_octave *octave,
                          int octaves, int dims, int lanes) {
  const struct perlane_octave *last = octave + octaves - 1;
  for (int k = 0; k < octaves || k % lanes != 0; k++) {
    arrays->frequency[k] = octave->frequency;
    arrays->strength[k] = octave->strength;
    for (int a = 0; a < dims; a++) {
      arrays->start[a][k] = ROUNDING_TERM + octave->phase[a] * 0x1p-24;
      arrays->amplitude[a][k] = octave->amplitude[a];
      arrays->key[a][k] = octave->key[a];
    }
    if (octave < last)
      octave++;
  }
}

void perlane_field_displacement(const perlane_noise *noise, int round, int axis,
                                struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES]) {
  uint64_t seeds = noise->params.seed ^ UINT64_C(0x7761727000000000); /* "warp" */
  seeds += (uint64_t)(PERLANE_MAX_DIMS * round + axis) * UINT64_C(0x9E3779B97F4A7C15);
  uint64_t state = perlane_splitmix64(&seeds); /* the displacement's seed */
  uint64_t stream = perlane_splitmix64(&state);
  const int octaves = noise->params.warp_octaves;
  memcpy(octave, noise->warp_octave, (size_t)octaves * sizeof *octave);
  for (int k = 0; k < octaves; k++)
    make_octave_keys(&octave[k], 1, &stream);
}

/* The sum of the magnitudes of the octaves' amplitudes. */
static double total_strength(const perlane_noise *noise) {
  const int octaves = perlane_field_all_octaves(&noise->params);
  double total = 0;
  for (int k = 0; k < octaves; k++)
    total += perlane_magnitude((double)noise->octave[k].strength);
  return total;
}

void perlane_field_valleys(const perlane_noise *noise, int levels,
                           struct perlane_valleys *valleys) {
  const perlane_params *params = &noise->params;
  valleys->levels = levels;
  valleys->is_river = params->valley_output == PERLANE_VALLEY_OUTPUT_RIVER;
  valleys->frequency = params->frequency * params->valley_cells;
  valleys->slope = (float)(params->valleys * total_strength(noise));
  uint64_t state = params->seed ^ UINT64_C(0x76616C6C65797300); /* "valleys" */
  uint64_t stream = perlane_splitmix64(&state);
  double gain = 1, width = params->valley_floor;
  for (int k = 0; k <= levels; k++, gain *= params->valley_gain, width *= 0.375) {
    struct perlane_octave octave = {0};
    make_octave_keys(&octave, params->phase == PERLANE_PHASE_SEEDED, &stream);
    valleys->depth[k] = (float)(1 - gain);
    valleys->width[k] = (float)width;
    for (int a = 0; a < 2; a++) {
      valleys->key[k][a] = octave.key[a];
      if (k == 0) {
        valleys->phase[a] = octave.phase[a];
        valleys->period[a] = (int32_t)(params->period[a] * params->valley_cells);
      }
    }
  }
}

/* Checks the network's cells, and includes them and the distance to its points in the domain. */
static perlane_status check_valleys(perlane_noise *noise, const perlane_params *params,
                                    struct perlane_text *problem) {
  const double frequency = params->frequency * params->valley_cells, highest = 0x1p48 * frequency;
  if (!(frequency >= DBL_MIN) || !(frequency <= 0x1p100) || !(noise->highest_frequency <= highest))
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "frequency * valley_cells must be at least 2^-1022, at least 2^-48 of "
                          "the octaves' highest frequency and at most 2^100, and is %g",
                          frequency);
  const double slope = params->valleys * total_strength(noise);
  if (!(slope >= 0x1p-60) || !(slope <= 0x1p60))
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "valleys times the sum of the octaves' amplitudes must be from 2^-60 to "
                          "2^60, and is %g",
                          slope);
  for (int a = 0; a < 2; a++) {
    const double period = params->period[a] * params->valley_cells;
    if (params->period[a] != 0 && (!(period >= 1 && period <= PERLANE_MAX_VALLEY_PERIOD) ||
                                   period != (double)(int32_t)period))
      return PERLANE_REFUSE(
          PERLANE_ERROR_PARAMETER, problem,
          "period along %c is %g valley cells, with valley_cells=%g; it must be a "
          "whole number from 1 to %d",
          "xy"[a], period, params -> valley_cells, PERLANE_MAX_VALLEY_PERIOD);
  }
  /* Of up to 2^52 cells: the points of the network around a position are within 2^53. */
  noise->highest_frequency =
      2 * (frequency > noise->highest_frequency ? frequency : noise->highest_frequency);
  return PERLANE_OK;
}

/* Each octave's frequency and periods. *highest receives the highest frequency. `of_warp` is the
 * beginning of the names of options: "warp_", or "". */
static perlane_status make_lattices(struct perlane_octave *octave, int octaves,
                                    const perlane_params *params, double *highest,
                                    const char *of_warp, struct perlane_text *problem) {
  double frequency = params->frequency, period[PERLANE_MAX_DIMS];
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    period[a] = params->period[a];
  if (params->hash == PERLANE_HASH_GRID && (params->period[0] != 0 || params->period[1] != 0))
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "period must be 0 with hash=grid: the field repeats after the size of "
                          "gradient_grid");
  for (int k = 0; k < octaves; k++, octave++) {
    if (!perlane_is_finite(frequency) || !(frequency >= DBL_MIN)) {
      perlane_text_print(problem,
                         "%sfrequency must be finite and at least 2^-1022 at every octave, "
                         "and is %g at octave %d of %d",
                         of_warp, frequency, k + 1, octaves);
      if (k > 0)
        perlane_text_print(problem, "; set %slacunarity, now %g, closer to 1", of_warp,
                           params->lacunarity);
      return PERLANE_ERROR_PARAMETER;
    }
    octave->frequency = frequency;
    if (frequency > *highest)
      *highest = frequency;
    for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
      if (params->period[a] != 0) {
        if (!(period[a] >= 1 && period[a] <= PERLANE_MAX_PERIOD) ||
            period[a] != (double)(int32_t)period[a])
          return PERLANE_REFUSE(
              PERLANE_ERROR_PARAMETER, problem,
              "period along %c is %g cells at octave %d of %d, with %slacunarity=%g; at "
              "every octave it must be a whole number from 1 to %d",
              "xyzw"[a], period[a], k + 1, octaves, of_warp, params->lacunarity,
              PERLANE_MAX_PERIOD);
        octave->period[a] = (int32_t)period[a];
      }
      period[a] *= params->lacunarity;
    }
    if (params->hash == PERLANE_HASH_GRID)
      memcpy(octave->period, params->gradient_grid_count, sizeof params->gradient_grid_count);
    frequency *= params->lacunarity;
  }
  return PERLANE_OK;
}

/* Each octave's share of the sum. `of_warp` as for make_lattices. */
static perlane_status make_shares(double share[PERLANE_MAX_OCTAVES], int octaves,
                                  const perlane_params *params, const char *of_warp,
                                  struct perlane_text *problem) {
  const int is_raw = params->normalize == PERLANE_NORMALIZE_NONE;
  double power = is_raw ? params->amplitude : params->amplitude < 0 ? -1 : 1;
  double total = 0, squares = 0;
  for (int k = 0; k < octaves; k++) {
    share[k] = power;
    total += perlane_magnitude(power);
    squares += power * power;
    power *= params->gain;
  }
  if (params->normalize == PERLANE_NORMALIZE_SPREAD && perlane_is_finite(total))
    total = perlane_is_finite(squares) ? perlane_root(squares) : squares;
  if (!perlane_is_finite(total))
    return PERLANE_REFUSE(
        PERLANE_ERROR_PARAMETER, problem,
        "%sgain=%g makes the sum of the amplitudes of %d octaves exceed the range "
        "of double; set it closer to 0%s",
        of_warp, params->gain, octaves, is_raw ? ", or amplitude" : "");
  /* Each octave's amplitude and each addition rounds: where several octaves are at their largest
   * value, the sum could pass 1 by that much, hence the margin. */
  double margin = 1;
  if (params->normalize == PERLANE_NORMALIZE_FULL && octaves > 1)
    margin = 1.0 - octaves * 0x1p-23;
  for (int k = 0; k < octaves && !is_raw; k++)
    share[k] = share[k] / total * margin;
  return PERLANE_OK;
}

static perlane_status refuse_values(const perlane_params *params, struct perlane_text *problem) {
  perlane_text_print(problem, "values could exceed 2^100 in magnitude with ");
  perlane_options_print(problem, params,
                        params->normalize == PERLANE_NORMALIZE_NONE
                            ? "amplitude gain falloff value_scale value_offset contrast octaves"
                            : "falloff value_scale value_offset contrast octaves");
  return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem, "; choose smaller numbers");
}

/* Each octave's amplitude, and the scale and offset of their sum. */
static perlane_status make_amplitudes(perlane_noise *noise, const perlane_params *params,
                                      const struct perlane_gradient_set sets[PERLANE_MAX_DIMS],
                                      struct perlane_text *problem) {
  double share[PERLANE_MAX_OCTAVES];
  const perlane_status status = make_shares(share, noise->octaves, params, "", problem);
  if (status != PERLANE_OK)
    return status;
  const int size_is_free = !noise->shaped && perlane_ends_with_sum(params, 1, 0);
  for (int d = 0; d < PERLANE_MAX_DIMS; d++) {
    if (!exists(params, d + 1, &sets[d]))
      continue;
    const struct scale scale = scale_of(params, d + 1, &sets[d]);
    if (!(scale.largest > 0) || !(scale.factor <= (double)FLT_MAX))
      return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                            "the vectors of %s are all 0, or too short to be scaled to [-1, 1]",
                            params->hash == PERLANE_HASH_GRID ? "gradient_grid" : "gradient_table");
    noise->largest[d] = scale.largest;
    for (int k = 0; k < noise->octaves; k++) {
      struct perlane_octave *octave = &noise->octave[k];
      octave->strength = (float)share[k];
      const double size = size_is_free ? params->value_scale : 1;
      octave->amplitude[d] = (float)(noise->shaped ? scale.factor : share[k] * scale.factor * size);
      octave->bias = (float)(noise->shaped ? scale.bias : share[k] * scale.bias * size);
      if (!perlane_is_finite((double)octave->strength) ||
          !perlane_is_finite((double)octave->amplitude[d]))
        return refuse_values(params, problem);
    }
  }
  noise->value_scale = size_is_free ? 1 : (float)params->value_scale;
  noise->value_offset = (float)params->value_offset;
  if (!perlane_is_finite((double)noise->value_scale) ||
      !perlane_is_finite((double)noise->value_offset))
    return refuse_values(params, problem);
  return PERLANE_OK;
}

/* The periods of a displacement that repeats with the field: whole numbers of its own cells. */
static perlane_status make_warp_periods(perlane_params *warp, const perlane_params *params,
                                        struct perlane_text *problem) {
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    if (params->period[a] == 0)
      continue;
    const double cells = params->period[a] * (params->warp_frequency / params->frequency);
    const int is_near = cells >= 0.5 && cells <= PERLANE_MAX_PERIOD;
    const double whole = is_near ? (double)(int32_t)(cells + 0.5) : 0;
    if (!(perlane_magnitude(cells - whole) <= whole * 0x1p-40)) /* quotients round */
      return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                            "period along %c is %g cells of the warp: period * warp_frequency / "
                            "frequency must be a whole number from 1 to %d",
                            "xyzw"[a], cells, PERLANE_MAX_PERIOD);
    warp->period[a] = (int32_t)whole;
  }
  return PERLANE_OK;
}

/* The octaves of a displacement, less what differs from axis to axis: those of a default field. */
static perlane_status make_warp(perlane_noise *noise, const perlane_params *params,
                                struct perlane_text *problem) {
  struct perlane_octave *octave = noise->warp_octave;
  const int octaves = params->warp_octaves;
  memset(octave, 0, (size_t)octaves * sizeof *octave);
  perlane_params warp = perlane_params_default();
  warp.frequency = params->warp_frequency;
  warp.lacunarity = params->warp_lacunarity;
  warp.gain = params->warp_gain;
  double share[PERLANE_MAX_OCTAVES];
  perlane_status status = make_warp_periods(&warp, params, problem);
  if (status == PERLANE_OK)
    status =
        make_lattices(octave, octaves, &warp, &noise->highest_warp_frequency, "warp_", problem);
  if (status == PERLANE_OK)
    status = make_shares(share, octaves, &warp, "warp_", problem);
  if (status != PERLANE_OK)
    return status;
  for (int d = 0; d < PERLANE_MAX_DIMS; d++) {
    const struct perlane_gradient_set set = perlane_gradient_set_make(&warp, d + 1, NULL);
    for (int k = 0; k < octaves; k++)
      octave[k].amplitude[d] = (float)(share[k] * full_scale(set.largest));
  }
  return PERLANE_OK;
}

/* The slope of a smooth curve at an inner point, from those of the lines on either side (Steffen
 * 1990): 0 where they have opposite signs, and nowhere so steep that the curve would overshoot. */
static double smooth_slope(double before, double after, double width_before, double width_after) {
  if ((before < 0) != (after < 0) || before == 0 || after == 0)
    return 0;
  const double parabola =
      (before * width_after + after * width_before) / (width_before + width_after);
  double slope = 0.5 * perlane_magnitude(parabola);
  if (perlane_magnitude(before) < slope)
    slope = perlane_magnitude(before);
  if (perlane_magnitude(after) < slope)
    slope = perlane_magnitude(after);
  return before < 0 ? -2 * slope : 2 * slope;
}

/* The pieces of a curve (docs/specification.md, 3.11). */
void perlane_field_make_pieces(struct perlane_pieces *pieces, const perlane_params *params) {
  const perlane_curve *curve = &params->curve;
  double width[PERLANE_MAX_CURVE_POINTS], line[PERLANE_MAX_CURVE_POINTS] = {0};
  double slope[PERLANE_MAX_CURVE_POINTS];
  const int n = curve->count - 1;
  memset(pieces, 0, sizeof *pieces);
  for (int i = 0; i < n; i++) {
    width[i] = curve->point[i + 1][0] - curve->point[i][0];
    line[i] = (curve->point[i + 1][1] - curve->point[i][1]) / width[i];
  }
  slope[0] = line[0];
  slope[n] = line[n - 1];
  for (int i = 1; i < n; i++)
    slope[i] = smooth_slope(line[i - 1], line[i], width[i - 1], width[i]);
  for (int i = 0; i < n; i++) {
    const int smooth = params->curve_shape == PERLANE_CURVE_SMOOTH;
    const double begin = smooth ? slope[i] : line[i], end = smooth ? slope[i + 1] : line[i];
    pieces->start[i] = (float)curve->point[i][0];
    pieces->c0[i] = (float)curve->point[i][1];
    pieces->c1[i] = (float)begin;
    if (smooth) {
      pieces->c2[i] = (float)((3 * line[i] - 2 * begin - end) / width[i]);
      pieces->c3[i] = (float)((begin + end - 2 * line[i]) / (width[i] * width[i]));
    }
  }
  pieces->start[n] = (float)curve->point[n][0];
  pieces->c0[n] = (float)curve->point[n][1];
  pieces->count = curve->count;
  pieces->low = pieces->high = pieces->c0[0];
  for (int i = 1; i <= n; i++) {
    pieces->low = pieces->c0[i] < pieces->low ? pieces->c0[i] : pieces->low;
    pieces->high = pieces->c0[i] > pieces->high ? pieces->c0[i] : pieces->high;
  }
}

static int is_plain(const perlane_noise *noise) {
  const perlane_params *params = &noise->params;
  int periods = 0;
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    periods |= params->period[a];
  return params->basis == PERLANE_BASIS_PERLIN && params->hash == PERLANE_HASH_LATTICE &&
         periods == 0 && params->warp_amplitude == 0 && !noise->shaped &&
         perlane_ends_with_sum(params, noise->value_scale, noise->value_offset);
}

/* ---- Identity ----
 *
 * An expression remembers the identities of its fields: a hash of the parameters and the caller's
 * tables, and of what changes later, the seed and the octaves, so that these can be replaced. */

static uint64_t add_words(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *from = bytes;
  for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, from + i, sizeof word);
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
  }
  return hash;
}

static uint64_t identity_of_seed(uint64_t seed) {
  uint64_t state = seed ^ UINT64_C(0x7365656400000000); /* "seed" */
  return perlane_splitmix64(&state);
}

static uint64_t identity_of_octaves(const perlane_noise *noise) {
  uint64_t state = (uint64_t)noise->octaves << 8 | (unsigned)noise->valley_octaves;
  return perlane_splitmix64(&state);
}

static void identify(perlane_noise *noise) {
  const perlane_params *params = &noise->params;
  const size_t after_seed = sizeof params->seed;
  uint64_t hash = add_words(1, (const char *)params + after_seed, sizeof *params - after_seed);
  if (params->hash_table && perlane_table_is_used(params))
    hash = add_words(hash, noise->table, sizeof noise->table);
  if (params->gradients == PERLANE_GRADIENTS_TABLE && perlane_vectors_are_used(params))
    hash = add_words(hash, noise->vector, sizeof noise->vector);
  noise->identity = hash + identity_of_seed(params->seed) + identity_of_octaves(noise);
}

static void find_slopes(perlane_noise *noise) {
  for (int dims = 1; dims <= PERLANE_MAX_DIMS; dims++)
    if (noise->largest[dims - 1] > 0 && perlane_field_gradient_status(noise, dims) == PERLANE_OK)
      noise->sloped |= 1 << (dims - 1);
}

/* Makes the members that the field reads; the rest of its table and vectors, and what it does not
 * have of octaves, warp and curve, stay as they are. */
static perlane_status make(perlane_noise *noise, const perlane_params *params,
                           struct perlane_text *problem) {
  const int octaves = perlane_field_all_octaves(params);
  memset(noise, 0, used_head_bytes(octaves));
  if (perlane_vectors_are_used(params))
    memset(noise->vector, 0, sizeof noise->vector); /* sets do not exist in all dimensions */
  noise->params = *params;
  noise->octaves = octaves;
  const int weighted = params->weighted_strength != 0 && noise->octaves > 1;
  noise->shaped = weighted || (params->fractal != PERLANE_FRACTAL_FBM &&
                               params->fractal != PERLANE_FRACTAL_NONE);
  struct perlane_gradient_set sets[PERLANE_MAX_DIMS];
  make_gradients(noise, params, sets);
  perlane_status status = perlane_table_make(params, noise->table, problem);
  if (status == PERLANE_OK)
    status = make_lattices(noise->octave, octaves, params, &noise->highest_frequency, "", problem);
  if (status == PERLANE_OK)
    status = make_amplitudes(noise, params, sets, problem);
  if (status == PERLANE_OK && params->valleys != 0) {
    noise->valley_octaves = params->valley_octaves;
    status = check_valleys(noise, params, problem);
  }
  if (status == PERLANE_OK && params->warp_amplitude != 0)
    status = make_warp(noise, params, problem);
  if (status == PERLANE_OK && params->curve.count > 0)
    perlane_field_make_pieces(&noise->pieces, params);
  for (int dims = 1; dims <= PERLANE_MAX_DIMS && status == PERLANE_OK; dims++)
    if (noise->largest[dims - 1] > 0) {
      float low, high;
      if (!perlane_field_range(noise, dims, &low, &high))
        status = refuse_values(params, problem);
    }
  make_keys(noise);
  noise->plain = is_plain(noise);
  if (status == PERLANE_OK)
    find_slopes(noise);
  noise->ready = PERLANE_READY;
  return status;
}

PERLANE_NOINLINE perlane_status perlane_field_make(perlane_noise *noise,
                                                   const perlane_params *params,
                                                   struct perlane_text *problem) {
  perlane_status status = check(params, problem);
  if (status != PERLANE_OK)
    return status;
  perlane_noise made;
  status = make(&made, params, problem);
  if (status != PERLANE_OK || !noise)
    return status;
  memcpy(noise, &made, used_head_bytes(made.octaves));
  if (params->warp_amplitude != 0)
    memcpy(noise->warp_octave, made.warp_octave,
           (size_t)params->warp_octaves * sizeof made.warp_octave[0]);
  if (params->curve.count > 0)
    noise->pieces = made.pieces;
  if (perlane_table_is_used(params))
    memcpy(noise->table, made.table, sizeof made.table);
  if (perlane_vectors_are_used(params))
    memcpy(noise->vector, made.vector, sizeof made.vector);
  perlane_field_arrays(&noise->of.arrays, noise->octave, noise->octaves, PERLANE_MAX_DIMS, 16);
  identify(noise);
  return PERLANE_OK;
}

PERLANE_NOINLINE void perlane_field_reseed(perlane_noise *noise, uint64_t seed) {
  perlane_params *params = &noise->params;
  noise->identity += identity_of_seed(seed) - identity_of_seed(params->seed);
  params->seed = seed;
  make_keys(noise);
  perlane_field_arrays(&noise->of.arrays, noise->octave, noise->octaves, PERLANE_MAX_DIMS, 16);
  perlane_table_reseed(params, noise->table);
  if (perlane_vectors_are_used(params) && params->gradients == PERLANE_GRADIENTS_SPHERE) {
    struct perlane_gradient_set sets[PERLANE_MAX_DIMS];
    make_gradients(noise, params, sets);
  }
}

PERLANE_NOINLINE void perlane_field_with_seed(perlane_noise *made, const perlane_noise *noise,
                                              uint64_t seed) {
  const perlane_params *params = &noise->params;
  const int octaves = perlane_field_all_octaves(params);
  memcpy(made, noise, used_head_bytes(octaves)); /* those that were left out count for valleys */
  if (params->warp_amplitude != 0)
    memcpy(made->warp_octave, noise->warp_octave,
           (size_t)params->warp_octaves * sizeof made->warp_octave[0]);
  if (params->curve.count > 0)
    made->pieces = noise->pieces;
  if (perlane_table_is_used(params))
    memcpy(made->table, noise->table, sizeof made->table);
  if (perlane_vectors_are_used(params) && params->gradients != PERLANE_GRADIENTS_SPHERE)
    memcpy(made->vector, noise->vector, sizeof made->vector);
  made->identity = 0; /* no expression is made of it */
  perlane_field_reseed(made, seed);
}

PERLANE_NOINLINE int perlane_field_shown(const perlane_noise *noise, double step) {
  int octaves = noise->octaves;
  const double length = perlane_magnitude(step);
  if (noise->params.valleys != 0) { /* the network has the heights of all octaves */
    double cells = length * (noise->params.frequency * noise->params.valley_cells);
    for (int k = 0; k < noise->valley_octaves && (cells *= 2) <= 0.5; k++)
      octaves++;
    return octaves;
  }
  while (octaves > 1 && !(length * noise->octave[octaves - 1].frequency <= 0.5))
    octaves--;
  return octaves;
}

static PERLANE_NOINLINE int shown_by(const perlane_noise *noise, int axes, const double *step) {
  double longest = 0;
  for (int a = 0; a < axes; a++)
    longest = perlane_magnitude(step[a]) > longest ? perlane_magnitude(step[a]) : longest;
  return perlane_field_shown(noise, longest);
}

int perlane_field_octaves_of(const perlane_noise *noise, int octaves, int axes,
                             const double *step) {
  if (octaves != PERLANE_OCTAVES_SHOWN || noise->is_expression)
    return perlane_field_octaves(noise, octaves);
  const perlane_fp_state caller = perlane_fp_enter(); /* shaders' words need it for nothing else */
  const int shown = shown_by(noise, axes, step);
  perlane_fp_leave(caller);
  return shown;
}

PERLANE_NOINLINE void perlane_field_limit(perlane_noise *noise, int octaves) {
  octaves = perlane_field_octaves(noise, octaves);
  if (noise->is_expression) {
    noise->octaves = octaves;
    return;
  }
  noise->identity -= identity_of_octaves(noise);
  noise->valley_octaves = octaves > noise->octaves ? octaves - noise->octaves : 0;
  if (noise->params.valleys == 0) /* the network keeps the heights of all octaves */
    noise->octaves = octaves > noise->octaves ? noise->octaves : octaves;
  noise->identity += identity_of_octaves(noise);
  perlane_field_arrays(&noise->of.arrays, noise->octave, noise->octaves, PERLANE_MAX_DIMS, 16);
  find_slopes(noise); /* fewer octaves may have a gradient where all of them are too steep */
}
