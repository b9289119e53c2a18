/* SPDX-License-Identifier: MIT
 *
 * The words that shaders/ reads: perlane_gpu.h lists them. Shaders have neither double nor 64-bit
 * integers: the positions of columns, rows and planes are split into cells here.
 */
#include "../strict.h"

#include <string.h>

#include "../../include/perlane_gpu.h"
#include "../field.h"
#include "../kernels.h"
#include "../numbers.h"
#include "../options.h"

enum {
  HEAD_WORDS = 48,
  OCTAVE_WORDS = 2,
  SAMPLE_WORDS = 3,       /* of a grid, along each axis */
  POINT_OCTAVE_WORDS = 5, /* of points */
  POINT_WORDS = 3,        /* of points, for each axis */
  PIECE_WORDS = 5,
  MAX_CONTRAST = 2
};

/* Devices may flush subnormal numbers to 0, which these limits keep from changing a sample.
 * Fractions are multiples of 2^-24, so a factor that is multiplied by a fade is 0 or at least
 * 2^-25. A product of an octave is then 0 or normal, unless a factor is a difference of almost
 * equal numbers. Such a product is too small to change the other products of the sum; if those
 * cancel, the octave's value is below 2^-69. In simplex noise, a corner's falloff is 0 or at least
 * 2^-26, and the corner's part is subnormal only near an edge, where another corner's part is
 * about 1. */
#define MIN_AMPLITUDE 0x1p-30f
#define MIN_COMPONENT_2D 0x1p-31f
#define MIN_COMPONENT_3D 0x1p-21f
#define MIN_CONSTANT 0x1p-100f
#define MIN_COEFFICIENT 0x1p-60f /* of a curve */

/* Values of octaves that are not 0 are at least this part of the largest one: fractions are
 * multiples of 2^-24, fades of 2^-25. */
#define MIN_VALUE 0x1p-49

/* With jitter from this on, coordinates of cells' points less the position's are 0 or at least
 * 2^-49, and their squares normal. */
#define MIN_JITTER 0x1p-20f

/* A float's coordinate below 2^-126 makes no difference at these frequencies and origins. */
#define MIN_ORIGIN 0x1p-70
#define MAX_FREQUENCY 0x1p70

static uint32_t word_of_float(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static int is_simplex(const perlane_params *params) {
  return params->basis == PERLANE_BASIS_SIMPLEX;
}

static int has_table(const perlane_params *params) {
  return is_simplex(params) ||
         (params->basis == PERLANE_BASIS_PERLIN && params->gradients != PERLANE_GRADIENTS_DEFAULT);
}

static const float (*table_of(const perlane_noise *noise, int dims))[256] {
  return &noise->vector[dims == 2 ? 1 : 3];
}

/* Returns whether a grid's samples are evaluated as points. */
static int is_placed(const perlane_params *params) {
  return params->warp_amplitude != 0 || params->basis == PERLANE_BASIS_CELLULAR ||
         is_simplex(params);
}

static size_t octave_words(int octaves, int dims) {
  return (size_t)octaves * (POINT_OCTAVE_WORDS + POINT_WORDS * (size_t)dims);
}

/* Returns the number of displacements. */
static int displacements_of(const perlane_params *params, int dims) {
  return params->warp_amplitude != 0 ? params->warp_rounds * dims : 0;
}

static size_t displacement_words(const perlane_params *params, int dims) {
  return HEAD_WORDS + octave_words(params->warp_octaves, dims);
}

/* Returns the number of words before those of octaves. */
static size_t head_words(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  return HEAD_WORDS + (has_table(params) ? 256 * (size_t)dims : 0) +
         PIECE_WORDS * (size_t)params->curve.count +
         (size_t)displacements_of(params, dims) * displacement_words(params, dims);
}

static int octaves_of(const perlane_noise *noise, const perlane_grid *grid) {
  return perlane_field_octaves_of(noise, grid->octaves, grid->dims, grid->step);
}

static size_t words_of(const perlane_noise *noise, const perlane_grid *grid) {
  const int dims = grid->dims, octaves = octaves_of(noise, grid);
  uint64_t positions = 0;
  for (int a = 0; a < dims; a++)
    positions += grid->count[a];
  const uint64_t words =
      head_words(noise, dims) +
      (is_placed(&noise->params) ? octave_words(octaves, dims) + 2 * positions
                                 : (OCTAVE_WORDS + SAMPLE_WORDS * positions) * (uint64_t)octaves);
  return words <= UINT32_MAX ? (size_t)words : 0;
}

/* ---- Checks ---- */

/* The first refusal, if any, and its sentence. */
struct refusal {
  perlane_status status;
  struct perlane_text *problem;
};

static void refuse_option(struct refusal *refusal, int is_refused, const perlane_params *params,
                          const char *known, const char *option) {
  if (refusal->status != PERLANE_OK || !is_refused)
    return;
  perlane_text_print(refusal->problem, "shaders compute %s, not ", known);
  perlane_options_print(refusal->problem, params, option);
  refusal->status = PERLANE_ERROR_GPU;
}

/* Refuses a number that is below `min` in magnitude, but not 0. */
static void refuse_tiny(struct refusal *refusal, const char *what, float v, float min) {
  if (refusal->status != PERLANE_OK || !(v != 0 && v < min && v > -min))
    return;
  refusal->status = PERLANE_REFUSE(PERLANE_ERROR_GPU, refusal->problem,
                                   "shaders compute no field with %s %g: below %g in magnitude "
                                   "results could depend on subnormal numbers",
                                   what, (double)v, (double)min);
}

static void check_params(struct refusal *refusal, const perlane_params *params) {
  const double warp = params->warp_amplitude;
  refuse_option(refusal,
                params->basis == PERLANE_BASIS_GAUSSIAN || params->basis > PERLANE_BASIS_SIMPLEX,
                params, "basis perlin, value, white, cellular and simplex", "basis");
  refuse_option(refusal, params->hash != PERLANE_HASH_LATTICE, params, "hash lattice", "hash");
  refuse_option(refusal, params->fractal > PERLANE_FRACTAL_ERODED, params, "fractals up to eroded",
                "fractal");
  refuse_option(refusal, params->contrast > MAX_CONTRAST, params, "contrast up to 2", "contrast");
  refuse_option(refusal, warp != 0 && !(warp >= MIN_ORIGIN && warp <= 1 / MIN_ORIGIN), params,
                "warps from 2^-70 to 2^70", "warp_amplitude");
  refuse_option(refusal, params->falloff != 0, params, "no falloff", "falloff");
  refuse_option(refusal, params->valleys != 0, params, "no valleys", "valleys");
}

/* Refuses distances of cells that could make subnormal numbers. */
static void check_distances(struct refusal *refusal, const perlane_noise *noise) {
  const perlane_params *params = &noise->params;
  refuse_tiny(refusal, "jitter", (float)params->jitter, MIN_JITTER);
  refuse_option(refusal,
                params->contrast > 1 && noise->octave[0].bias == 0 &&
                    params->cell_output != PERLANE_CELL_OUTPUT_VALUE,
                params, "distances from 0 on with contrast 0 and 1", "contrast");
}

/* Refuses squares of values, and products with value_scale, that could be subnormal. */
static void check_products(struct refusal *refusal, const perlane_noise *noise, int dims,
                           int octaves) {
  const perlane_params *params = &noise->params;
  double size = 0; /* of the largest octave */
  for (int k = 0; k < octaves; k++) {
    const struct perlane_octave *octave = &noise->octave[k];
    const double amplitude = (double)octave->amplitude[dims - 1] * noise->largest[dims - 1] *
                             (noise->shaped ? (double)octave->strength : 1);
    size = perlane_magnitude(amplitude) > size ? perlane_magnitude(amplitude) : size;
  }
  if (size == 0)
    return;
  const double value = (size < 1 ? size : 1) * MIN_VALUE;
  const double power = params->contrast > 1 ? value * value : value;
  if (power < (double)FLT_MIN)
    refuse_tiny(refusal, "contrast 2 and octaves of amplitude", (float)size, 0x1p-14f);
  const double least =
      params->curve.count > 0 && power > (double)MIN_COEFFICIENT ? (double)MIN_COEFFICIENT : power;
  refuse_tiny(refusal, "value_scale", noise->value_scale, (float)((double)FLT_MIN / least));
}

/* Refuses what could make subnormal numbers. */
static void check_sizes(struct refusal *refusal, const perlane_noise *noise, int dims,
                        int octaves) {
  const perlane_params *params = &noise->params;
  const struct perlane_pieces *pieces = &noise->pieces;
  for (int k = 0; k < params->warp_octaves && params->warp_amplitude != 0; k++)
    refuse_tiny(refusal, "a warp's octave of amplitude", noise->warp_octave[k].amplitude[dims - 1],
                MIN_AMPLITUDE);
  for (int k = 0; k < octaves; k++) {
    const struct perlane_octave *octave = &noise->octave[k];
    refuse_tiny(refusal, "an octave of amplitude", octave->amplitude[dims - 1], MIN_AMPLITUDE);
    if (noise->shaped)
      refuse_tiny(refusal, "an octave of amplitude", octave->strength, MIN_AMPLITUDE);
  }
  for (int i = 0; i < 256 * dims && has_table(params) && !is_simplex(params); i++)
    refuse_tiny(refusal, "a gradient's component", table_of(noise, dims)[i / 256][i % 256],
                dims == 2 ? MIN_COMPONENT_2D : MIN_COMPONENT_3D);
  const float *coefficients[] = {pieces->start, pieces->c0, pieces->c1, pieces->c2, pieces->c3};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < params->curve.count; j++)
      refuse_tiny(refusal, "a curve's coefficient", coefficients[i][j], MIN_COEFFICIENT);
  refuse_tiny(refusal, "value_offset", noise->value_offset, MIN_CONSTANT);
  check_products(refusal, noise, dims, octaves);
  if (params->basis == PERLANE_BASIS_CELLULAR)
    check_distances(refusal, noise);
}

/* Refuses frequencies at which tiny coordinates matter. */
static void check_frequencies(struct refusal *refusal, const perlane_noise *noise) {
  const double highest = perlane_field_highest_frequency(noise);
  if (refusal->status == PERLANE_OK && highest > MAX_FREQUENCY)
    refusal->status =
        PERLANE_REFUSE(PERLANE_ERROR_GPU, refusal->problem,
                       "shaders compute points at frequencies up to 2^70, not %g", highest);
}

/* (Not inlined, as all that computes between perlane_fp_enter and perlane_fp_leave.) */
static PERLANE_NOINLINE perlane_status accept(const perlane_noise *noise, const perlane_grid *grid,
                                              struct perlane_text *problem) {
  struct refusal refusal = {perlane_field_check_grid(noise, grid, problem), problem};
  if (refusal.status != PERLANE_OK)
    return refusal.status;
  if (noise->is_expression)
    return PERLANE_REFUSE(PERLANE_ERROR_GPU, problem, "shaders compute fields, not expressions");
  if (grid->has_seed)
    return PERLANE_REFUSE(PERLANE_ERROR_GPU, problem,
                          "shaders compute the noise's own seed; reseed it instead of the grid");
  if (grid->dims != 2 && grid->dims != 3)
    return PERLANE_REFUSE(PERLANE_ERROR_GPU, problem, "shaders compute 2 and 3 dimensions, not %d",
                          grid->dims);
  check_params(&refusal, &noise->params);
  if (is_placed(&noise->params))
    check_frequencies(&refusal, noise);
  check_sizes(&refusal, noise, grid->dims, octaves_of(noise, grid));
  uint64_t samples = 1;
  for (int a = 0; a < grid->dims && refusal.status == PERLANE_OK; a++) {
    samples = grid->count[a] > UINT32_MAX / samples ? 0 : samples * grid->count[a];
    if (samples == 0 || words_of(noise, grid) == 0)
      return PERLANE_REFUSE(PERLANE_ERROR_GPU, problem,
                            "the grid has too many samples for a shader's indices of 32 bits");
  }
  return refusal.status;
}

/* ---- Words ---- */

/* Writes the two words of a double, and returns what follows. */
static uint32_t *put_double(uint32_t *words, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  words[0] = (uint32_t)bits;
  words[1] = (uint32_t)(bits >> 32);
  return words + 2;
}

static double position_of(const perlane_grid *grid, int axis, size_t i) {
  return grid->origin[axis] + (double)(grid->first[axis] + (int64_t)i) * grid->step[axis];
}

/* Splits a position in cells into its cell, which it returns, and the fraction (2.2): the addition
 * of ROUNDING_TERM leaves 24 bits for the fraction and 28 for the cell. */
static int64_t split(double cells, uint32_t phase, float *fraction) {
  int64_t aside = 0; /* a whole number that leaves less than 2^27 with the phase */
  if (!(perlane_magnitude(cells) < 0x1p26)) {
    aside = (int64_t)cells;
    aside -= (double)aside > cells;
  }
  const double sum = (cells - (double)aside) + (ROUNDING_TERM + phase * 0x1p-24);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  *fraction = (float)(uint32_t)(bits & 0xFFFFFF) * 0x1p-24f;
  return aside + (int64_t)(bits >> 24 & 0xFFFFFFF) - 0x8000000;
}

static uint32_t *write_octave(uint32_t *next, const perlane_noise *noise, const perlane_grid *grid,
                              const struct perlane_octave *octave) {
  const int is_flat = noise->params.basis == PERLANE_BASIS_WHITE;
  *next++ = word_of_float(octave->amplitude[grid->dims - 1]);
  *next++ = word_of_float(octave->strength);
  for (int a = 0; a < grid->dims; a++) {
    const size_t n = (size_t)grid->count[a];
    for (size_t i = 0; i < n; i++) {
      float fraction;
      const int64_t cell =
          split(position_of(grid, a, i) * octave->frequency, octave->phase[a], &fraction);
      next[i] = perlane_cell_word(octave, a, cell);
      next[n + i] = perlane_cell_word(octave, a, cell + !is_flat);
      next[2 * n + i] = word_of_float(fraction);
    }
    next += SAMPLE_WORDS * n;
  }
  return next;
}

static uint32_t *write_axes(uint32_t *next, const struct perlane_octave *octave, int dims) {
  for (int a = 0; a < dims; a++) {
    *next++ = octave->key[a];
    *next++ = octave->phase[a];
    *next++ = (uint32_t)octave->period[a];
  }
  return next;
}

static uint32_t *write_point_octaves(uint32_t *next, const struct perlane_octave *octave,
                                     int octaves, int dims) {
  for (int k = 0; k < octaves; k++, octave++) {
    next[0] = word_of_float(octave->amplitude[dims - 1]);
    next[1] = word_of_float(octave->strength);
    put_double(&next[2], octave->frequency);
    next[4] = word_of_float(octave->bias);
    next = write_axes(next + POINT_OCTAVE_WORDS, octave, dims);
  }
  return next;
}

/* Writes the words of a default field, and 0 for all others. */
static void write_head(uint32_t *words, int dims, int octaves, int fade) {
  static const float A[PERLANE_FADE_COUNT] = {2, 2, 0}, B[PERLANE_FADE_COUNT] = {6, 0, 0};
  memset(words, 0, HEAD_WORDS * sizeof *words);
  words[0] = PERLANE_GPU_LAYOUT;
  words[1] = (uint32_t)dims;
  words[5] = (uint32_t)octaves;
  words[6] = HEAD_WORDS;
  words[10] = word_of_float(A[fade]);
  words[11] = word_of_float(B[fade]);
  words[15] = 1;
  words[16] = word_of_float(1);
}

static uint32_t *write_displacements(uint32_t *next, const perlane_noise *noise, int dims) {
  const int octaves = noise->params.warp_octaves;
  for (int i = 0; i < displacements_of(&noise->params, dims); i++) {
    struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES];
    perlane_field_displacement(noise, i / dims, i % dims, octave);
    write_head(next, dims, octaves, PERLANE_FADE_QUINTIC);
    next = write_point_octaves(next + HEAD_WORDS, octave, octaves, dims);
  }
  return next;
}

static void write_cellular(uint32_t *words, const perlane_params *params, int dims) {
  const int is_far = dims == 3 && params->cell_metric == PERLANE_CELL_METRIC_MANHATTAN;
  const double bit = dims == 2 ? 0x1p-16 : 0x1p-11;
  words[32] = (uint32_t)params->cell_output;
  words[33] = (uint32_t)params->cell_metric;
  words[34] = params->cell_metric == PERLANE_CELL_METRIC_CHEBYSHEV ? 1 : is_far ? 3 : 2;
  words[35] = word_of_float((float)(params->jitter * bit));
  words[36] = word_of_float((float)(0.5 + params->jitter * (bit / 2 - 0.5)));
}

static void write_table(uint32_t *next, const perlane_noise *noise, int dims) {
  if (is_simplex(&noise->params))
    for (int i = 0; i < dims * 256; i++)
      next[i] = word_of_float(perlane_simplex_components(dims, i / 256)[i % 8]);
  else
    memcpy(next, table_of(noise, dims), (size_t)dims * 256 * sizeof *next);
}

/* Writes all words but those of octaves and of what is evaluated. Returns where octaves begin. */
static uint32_t *write_field(uint32_t *words, const perlane_noise *noise, int dims, int octaves) {
  const perlane_params *params = &noise->params;
  const struct perlane_pieces *pieces = &noise->pieces;
  const int set = is_simplex(params) ? PERLANE_GRADIENTS_DEFAULT : params->gradients;
  const int is_wide = set == PERLANE_GRADIENTS_SPHERE || set == PERLANE_GRADIENTS_TABLE;
  const int has_16 = set == PERLANE_GRADIENTS_EDGES12 || set == PERLANE_GRADIENTS_PNOISE;
  uint32_t *next = words + HEAD_WORDS;
  write_head(words, dims, octaves, params->fade);
  if (has_table(params)) {
    words[9] = (uint32_t)(next - words);
    write_table(next, noise, dims);
    next += (size_t)dims * 256;
    words[24] = is_wide ? 12 : 13;
    words[25] = is_wide ? 255 : has_16 ? 15 : 7;
  }
  if (params->curve.count > 0) {
    words[18] = (uint32_t)params->curve.count;
    words[19] = (uint32_t)(next - words);
    words[20] = word_of_float(pieces->low);
    words[21] = word_of_float(pieces->high);
    for (int i = 0; i < params->curve.count; i++) {
      const float piece[PIECE_WORDS] = {pieces->start[i], pieces->c0[i], pieces->c1[i],
                                        pieces->c2[i], pieces->c3[i]};
      memcpy(next, piece, sizeof piece);
      next += PIECE_WORDS;
    }
  }
  if (params->warp_amplitude != 0) {
    words[37] = (uint32_t)(next - words);
    words[38] = (uint32_t)displacements_of(params, dims);
    words[39] = (uint32_t)displacement_words(params, dims);
    put_double(&words[40], params->warp_amplitude);
    next = write_displacements(next, noise, dims);
  }
  if (params->basis == PERLANE_BASIS_CELLULAR)
    write_cellular(words, params, dims);
  words[6] = (uint32_t)(next - words);
  words[8] = (uint32_t)params->basis;
  if (noise->shaped)
    words[12] = params->fractal < PERLANE_FRACTAL_RIDGED ? 1 : (uint32_t)params->fractal;
  words[13] = octaves > 1 ? word_of_float((float)params->weighted_strength) : 0;
  words[14] = word_of_float((float)(params->fractal == PERLANE_FRACTAL_ERODED
                                        ? params->erosion
                                        : params->ping_pong_strength));
  words[15] = (uint32_t)params->contrast;
  words[16] = word_of_float(noise->value_scale);
  words[17] = noise->value_offset != 0 ? word_of_float(noise->value_offset) : 0;
  words[22] = word_of_float((float)(params->terraces / 2.0));
  words[23] = word_of_float((float)(params->terrace_sharpness / (1.0 - params->terrace_sharpness)));
  return next;
}

static PERLANE_NOINLINE void write_grid(uint32_t *words, const perlane_noise *noise,
                                        const perlane_grid *grid) {
  const int octaves = octaves_of(noise, grid);
  uint32_t *next = write_field(words, noise, grid->dims, octaves);
  for (int a = 0; a < grid->dims; a++)
    words[2 + a] = (uint32_t)grid->count[a];
  if (is_placed(&noise->params)) {
    next = write_point_octaves(next, noise->octave, octaves, grid->dims);
    words[42] = (uint32_t)(next - words);
    for (int a = 0; a < grid->dims; a++)
      for (size_t i = 0; i < (size_t)grid->count[a]; i++)
        next = put_double(next, position_of(grid, a, i));
    return;
  }
  for (int k = 0; k < octaves; k++)
    next = write_octave(next, noise, grid, &noise->octave[k]);
}

static PERLANE_NOINLINE perlane_status write_points(uint32_t *words, const perlane_noise *noise,
                                                    int dims, const double *origin, size_t room) {
  struct refusal refusal = {PERLANE_OK, NULL};
  check_frequencies(&refusal, noise);
  if (refusal.status != PERLANE_OK)
    return refusal.status;
  for (int a = 0; a < dims && origin; a++)
    if (origin[a] != 0 && perlane_magnitude(origin[a]) < MIN_ORIGIN)
      return PERLANE_ERROR_GPU;
  if (room < head_words(noise, dims) + octave_words(noise->octaves, dims))
    return PERLANE_ERROR_COUNT;
  uint32_t *next = write_field(words, noise, dims, perlane_field_octaves(noise, 0));
  for (int a = 0; a < dims && origin; a++)
    put_double(&words[26 + 2 * a], origin[a]);
  write_point_octaves(next, noise->octave, noise->octaves, dims);
  return PERLANE_OK;
}

/* ---- The functions ---- */

static perlane_status accept_in_environment(const perlane_noise *noise, const perlane_grid *grid,
                                            struct perlane_text *problem) {
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = accept(noise, grid, problem);
  perlane_fp_leave(caller);
  return status;
}

size_t perlane_gpu_words(const perlane_noise *noise, const perlane_grid *grid) {
  return accept_in_environment(noise, grid, NULL) == PERLANE_OK ? words_of(noise, grid) : 0;
}

perlane_status perlane_gpu_tables(const perlane_noise *noise, const perlane_grid *grid,
                                  uint32_t *words, size_t room) {
  const perlane_status status = accept_in_environment(noise, grid, NULL);
  if (status != PERLANE_OK)
    return status;
  if (!words)
    return PERLANE_ERROR_NULL;
  if (room < words_of(noise, grid))
    return PERLANE_ERROR_COUNT;
  const perlane_fp_state caller = perlane_fp_enter();
  write_grid(words, noise, grid);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}

perlane_status perlane_gpu_points(const perlane_noise *noise, int32_t dims, const double *origin,
                                  uint32_t *words, size_t room) {
  const perlane_grid grid = perlane_grid_make(1, dims > 1, dims > 2, dims > 3);
  perlane_status status = accept_in_environment(noise, &grid, NULL);
  if (status != PERLANE_OK)
    return grid.dims == dims ? status : PERLANE_ERROR_DIMS;
  if (!words)
    return PERLANE_ERROR_NULL;
  const perlane_fp_state caller = perlane_fp_enter();
  status = write_points(words, noise, dims, origin, room);
  perlane_fp_leave(caller);
  return status;
}

size_t perlane_explain_gpu(const perlane_noise *noise, const perlane_grid *grid, char *message,
                           size_t size) {
  struct perlane_text problem = perlane_text_begin(message, size);
  accept_in_environment(noise, grid, &problem);
  return perlane_text_end(&problem);
}

perlane_status perlane_gpu_selftest(int32_t index, uint32_t words[PERLANE_GPU_SELFTEST_WORDS],
                                    uint32_t *digest) {
  static const struct {
    const char *options;
    uint64_t count[3];
    uint32_t digest;
  } TESTS[PERLANE_GPU_SELFTESTS] = {
      {"seed=1 frequency=0.37 octaves=6 lacunarity=1.9 fractal=ridged weighted_strength=0.7 "
       "contrast=2 curve=-1:-1,0:-0.6,0.3:0.5,1:1 curve_shape=smooth terraces=6",
       {128, 128, 0},
       0x36EFC629},
      {"seed=2 frequency=0.093 octaves=5 gain=0.6 fade=cubic gradients=sphere fractal=ping-pong "
       "value_scale=3 value_offset=0.1 period=31,31,31",
       {32, 32, 32},
       0xC60ED524},
      {"seed=3 frequency=0.71 octaves=4 basis=value normalize=spread", {24, 32, 32}, 0x50030DFF},
      {"seed=4 frequency=0.31 octaves=2 basis=cellular cell_output=f2_minus_f1 jitter=0.9 "
       "warp_amplitude=3 warp_frequency=0.11 warp_octaves=2 warp_rounds=2",
       {64, 32, 0},
       0x196D8841},
      {"seed=5 frequency=0.23 octaves=3 basis=simplex fractal=eroded", {24, 16, 16}, 0xF603B5FB},
      {"seed=6 frequency=0.29 octaves=3 fractal=eroded erosion=2", {16, 44, 16}, 0x0F8384B5},
  };
  if (!words || !digest)
    return PERLANE_ERROR_NULL;
  if (index < 0 || index >= PERLANE_GPU_SELFTESTS)
    return PERLANE_ERROR_RANGE;
  perlane_params params = perlane_params_default();
  perlane_noise noise;
  const uint64_t *count = TESTS[index].count;
  perlane_grid grid = perlane_grid_make(count[0], count[1], count[2], 0);
  for (int a = 0; a < 3; a++) {
    grid.first[a] = -40;
    grid.origin[a] = a == 0 ? 0x1p40 : 0.25;
  }
  perlane_status status = perlane_params_parse(&params, TESTS[index].options, NULL);
  if (status == PERLANE_OK)
    status = perlane_init(&noise, &params);
  if (status == PERLANE_OK)
    status = perlane_gpu_tables(&noise, &grid, words, PERLANE_GPU_SELFTEST_WORDS);
  if (status == PERLANE_OK)
    *digest = TESTS[index].digest;
  return status;
}
