/* SPDX-License-Identifier: MIT
 *
 * The options of a field: their names, bounds and defaults, from which perlane_params_default,
 * perlane_init's checks and the text form are derived.
 */
#include "strict.h"

#include <stddef.h>
#include <string.h>

#include "decimal.h"
#include "kernels.h"
#include "options.h"
#include "text.h"

/* ---- Records ---- */

enum { D1 = 1, D2 = 2, D3 = 4, D4 = 8, UP_TO_3 = 7, ALL = 15 }; /* dimensions */

#define BASIS(basis, name, summary, dims, ...) {name, summary, dims},
static const perlane_choice BASES[] = {PERLANE_BASES(BASIS)};
#undef BASIS
static const perlane_choice HASHES[] = {
    {"lattice", "hashes 64-bit cell indices with the seed; never repeats", ALL},
    {"perlin", "Perlin's permutation of 2002; repeats every 256 cells", ALL},
    {"shuffled", "a permutation of 256 shuffled from the seed; repeats every 256 cells", ALL},
    {"table", "a table of 256 values that the caller supplies; repeats every 256 cells", ALL},
    {"grid", "a grid of gradients that the caller supplies; needs basis=perlin", D2},
    {"primes", "cell indices times Fibonacci primes index a table of 1024 values", D2},
};
static const perlane_choice GRADIENTS[] = {
    {"default", "slopes -1 and 1 in 1D, offaxis8 in 2D, edges12 in 3D, edges32 in 4D", ALL},
    {"offaxis8", "8 vectors, each 22.5 degrees off an axis", D2},
    {"axis4", "4 unit vectors along the axes", D2},
    {"diagonal4", "4 vectors along the diagonals", D2},
    {"compass8", "8 unit vectors along the diagonals and axes", D2},
    {"edges12", "the 12 midpoints of a cube's edges (Perlin 2002)", D1 | D2 | D3},
    {"edges32", "the 32 midpoints of a 4D cube's edges", D4},
    {"sphere", "256 unit vectors drawn from the seed", ALL},
    {"pnoise", "the gradients of the pnoise functions", D1 | D2 | D3},
    {"table", "2 to 256 vectors that the caller supplies, in the dimensions they have", ALL},
};
static const perlane_choice FADES[] = {
    {"quintic", "6t^5 - 15t^4 + 10t^3 (Perlin 2002): two continuous derivatives", ALL},
    {"cubic", "3t^2 - 2t^3 (Perlin 1985): one continuous derivative", ALL},
    {"linear", "t: no continuous derivative, creases are visible", ALL},
};
static const perlane_choice FRACTALS[] = {
    {"fbm", "n itself: fractal Brownian motion", ALL},
    {"none", "the first octave only, whatever octaves is", ALL},
    {"ridged", "1 - 2|n|: sharp crests", ALL},
    {"billow", "2|n| - 1: round hills and sharp valleys, also called turbulence", ALL},
    {"ping_pong", "n stretched and folded back into [-1, 1]: terraces and rings", ALL},
    {"eroded", "less of each octave where the octaves so far are steep: ridges and valleys", ALL},
};
static const perlane_choice SWITCH[] = {
    {"off", "each octave has a lattice of its own", ALL},
    {"on", "all octaves have the same lattice", ALL},
};
static const perlane_choice PHASES[] = {
    {"seeded", "a fraction of a cell along each axis, from the seed and the octave", ALL},
    {"none", "no shift: noise is 0 where all coordinates in cells are whole numbers", ALL},
};
static const perlane_choice NORMALIZATIONS[] = {
    {"full", "divides by the largest possible value: values are in [-1, 1]", ALL},
    {"octaves", "divides by the sum of the octaves' amplitudes only", ALL},
    {"none", "does not divide", ALL},
    {"spread",
     "as full, but with the root of the sum of the amplitudes' squares: a wider distribution, in "
     "which a few values exceed [-1, 1]",
     ALL},
};
static const perlane_choice METRICS[] = {
    {"euclidean", "root of the sum of squares: round cells", UP_TO_3},
    {"squared", "sum of squares, which is faster", UP_TO_3},
    {"manhattan", "sum of magnitudes: diamonds", UP_TO_3},
    {"chebyshev", "largest magnitude: squares", UP_TO_3},
};
static const perlane_choice OUTPUTS[] = {
    {"f1", "distance to the nearest point", UP_TO_3},
    {"f2", "distance to the second nearest point", UP_TO_3},
    {"f2_minus_f1", "difference of the two: 0 along the borders between points", UP_TO_3},
    {"value", "a random value of the nearest point: flat regions", UP_TO_3},
    {"edge", "distance to the border of the nearest point's region: walls of even width", UP_TO_3},
};
static const perlane_choice VALLEY_OUTPUTS[] = {
    {"height", "the height of the land", D2},
    {"river",
     "the distance to the nearest channel of the main valleys and the two largest "
     "sizes of side valleys, in cells of its size, up to 0.875",
     D2},
};
static const perlane_choice FALLOFF_SHAPES[] = {
    {"radial", "circles around the centre: a round island", ALL},
    {"square", "rounded squares around the centre, which fill a map to its corners", ALL},
};
static const perlane_choice CURVE_SHAPES[] = {
    {"linear", "straight lines between the points", ALL},
    {"smooth", "a smooth curve that rises and falls only where the points do", ALL},
};

#define OPTION(group, member, dimensions)                                                          \
  .heading = (group), .name = #member, .offset = (int32_t)offsetof(perlane_params, member),        \
  .size = (int32_t)sizeof(((perlane_params *)NULL)->member), .dims = (dimensions)
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
/* The list has a choice for every constant: otherwise the structure does not compile. */
#define CHOICES(list, count)                                                                       \
  .kind = PERLANE_OPTION_CHOICE, .max = (count)-1, .choices = (list),                              \
  .choice_count = (count) + 0 * (int32_t)sizeof(struct {                                           \
                              _Static_assert(LENGTH(list) == (count), #list);                      \
                              int none;                                                            \
                            })
#define INTEGER(least, most) .kind = PERLANE_OPTION_INTEGER, .min = (least), .max = (most)
#define REAL(least, most) .kind = PERLANE_OPTION_REAL, .min = (least), .max = (most)
#define FINITE REAL(-DBL_MAX, DBL_MAX)
#define ABOVE_0 REAL(0, DBL_MAX), .min_is_open = 1

/* perlane_init checks them in this order. */
static const perlane_option OPTIONS[] = {
    {OPTION("Field", seed, ALL), .kind = PERLANE_OPTION_SEED, .max = 0x1p64, .max_is_open = 1,
     .default_value = 1337,
     .summary = "Selects one of 2^64 fields; neighbouring seeds give unrelated fields. -1 is 2^64 "
                "- 1, -2 is 2^64 - 2, and so on."},
    {OPTION("Field", frequency, ALL), ABOVE_0, .default_value = 0.01,
     .summary = "Lattice cells per unit of position in the first octave; features are about "
                "1/frequency units wide."},
    {OPTION("Field", basis, ALL), CHOICES(BASES, PERLANE_BASIS_COUNT),
     .summary = "The kind of noise: what the hash chooses at each lattice point or cell."},
    {OPTION("Lattice", hash, ALL), CHOICES(HASHES, PERLANE_HASH_COUNT),
     .summary = "The hash that selects the gradient or value of a lattice point."},
    {OPTION("Lattice", gradients, ALL), CHOICES(GRADIENTS, PERLANE_GRADIENTS_COUNT),
     .summary = "The set of gradients that the hash chooses from, for basis=perlin."},
    {OPTION("Lattice", fade, ALL), CHOICES(FADES, PERLANE_FADE_COUNT),
     .summary = "The curve of the interpolation weights across a cell, for t from 0 to 1."},
    {OPTION("Lattice", period, ALL), .kind = PERLANE_OPTION_AXES, .max = PERLANE_MAX_PERIOD,
     .summary = "Cells of the first octave after which the field repeats along each axis, 0 for "
                "never; period * lacunarity^k must be a whole number at every octave k."},
    {OPTION("Lattice", table_offset, ALL), .kind = PERLANE_OPTION_AXES, .min = INT32_MIN,
     .max = INT32_MAX,
     .summary = "Number added to cell indices along each axis, after the period, by hashes with a "
                "table of 256."},
    {OPTION("Cells", jitter, UP_TO_3), REAL(0, 1), .default_value = 1,
     .summary = "How far the points of basis=cellular may be from the centres of their cells, in "
                "half cells."},
    {OPTION("Cells", cell_metric, UP_TO_3), CHOICES(METRICS, PERLANE_CELL_METRIC_COUNT),
     .summary = "The distance metric of basis=cellular."},
    {OPTION("Cells", cell_output, UP_TO_3), CHOICES(OUTPUTS, PERLANE_CELL_OUTPUT_COUNT),
     .summary = "What basis=cellular returns."},
    {OPTION("Octaves", octaves, ALL), INTEGER(1, PERLANE_MAX_OCTAVES), .default_value = 1,
     .summary = "The number of layers of noise that are added up."},
    {OPTION("Octaves", lacunarity, ALL), ABOVE_0, .default_value = 2,
     .summary = "The frequency of each octave divided by that of the octave before."},
    {OPTION("Octaves", gain, ALL), FINITE, .default_value = 0.5,
     .summary = "The amplitude of each octave divided by that of the octave before; also called "
                "persistence."},
    {OPTION("Octaves", octaves_share, ALL), CHOICES(SWITCH, 2),
     .summary = "Reuses the first octave's lattice for all octaves. Leaves visible artefacts; "
                "presets need it."},
    {OPTION("Octaves", phase, ALL), CHOICES(PHASES, PERLANE_PHASE_COUNT),
     .summary = "Shift of each octave's lattice against the origin."},
    {OPTION("Octaves", fractal, ALL), CHOICES(FRACTALS, PERLANE_FRACTAL_COUNT),
     .summary = "What is done to each octave's noise n before the octaves are added up."},
    {OPTION("Octaves", weighted_strength, ALL), REAL(0, 1),
     .summary = "How much the value of one octave scales the amplitude of the next: 0 not at all, "
                "1 fully, which smooths valleys."},
    {OPTION("Octaves", ping_pong_strength, ALL), REAL(0, PERLANE_MAX_PING_PONG_STRENGTH),
     .min_is_open = 1, .default_value = 2,
     .summary = "The factor by which fractal=ping_pong stretches noise before it folds it."},
    {OPTION("Octaves", erosion, ALL), REAL(0, PERLANE_MAX_EROSION), .default_value = 1,
     .summary = "How strongly slopes dampen the octaves of fractal=eroded: 0 not at all."},
    {OPTION("Warp", warp_amplitude, ALL), REAL(0, DBL_MAX),
     .summary = "The largest displacement of positions along each axis, in units of position; 0 "
                "for no warp."},
    {OPTION("Warp", warp_frequency, ALL), ABOVE_0, .default_value = 0.01,
     .summary = "Lattice cells per unit of position in the first octave of the displacement."},
    {OPTION("Warp", warp_octaves, ALL), INTEGER(1, PERLANE_MAX_WARP_OCTAVES), .default_value = 1,
     .summary = "The number of octaves of the displacement."},
    {OPTION("Warp", warp_lacunarity, ALL), ABOVE_0, .default_value = 2,
     .summary =
         "The frequency of each octave of the displacement divided by that of the octave before."},
    {OPTION("Warp", warp_gain, ALL), FINITE, .default_value = 0.5,
     .summary =
         "The amplitude of each octave of the displacement divided by that of the octave before."},
    {OPTION("Warp", warp_rounds, ALL), INTEGER(1, PERLANE_MAX_WARP_ROUNDS), .default_value = 1,
     .summary = "Number of warp iterations; each samples the displacement at the already warped "
                "position, and folds more."},
    {OPTION("Falloff", falloff, ALL), FINITE,
     .summary = "How much values are lowered far from a centre, before contrast and curve: 2 "
                "lowers values in [-1, 1] beyond falloff_end to at most -1; 0 for no falloff."},
    {OPTION("Falloff", falloff_shape, ALL), CHOICES(FALLOFF_SHAPES, PERLANE_FALLOFF_SHAPE_COUNT),
     .summary = "The contours of the falloff."},
    {OPTION("Falloff", falloff_start, ALL), REAL(0, DBL_MAX),
     .summary = "The distance from the centre where the falloff begins, in units of position."},
    {OPTION("Falloff", falloff_end, ALL), REAL(PERLANE_MIN_FALLOFF_END, DBL_MAX),
     .default_value = 100,
     .summary =
         "The distance from the centre where the falloff is complete, in units of position."},
    {OPTION("Falloff", falloff_x, ALL), FINITE, .summary = "The centre of the falloff along x."},
    {OPTION("Falloff", falloff_y, D2 | D3 | D4), FINITE,
     .summary = "The centre of the falloff along y."},
    {OPTION("Falloff", falloff_z, D3 | D4), FINITE,
     .summary = "The centre of the falloff along z."},
    {OPTION("Falloff", falloff_w, D4), FINITE, .summary = "The centre of the falloff along w."},
    {OPTION("Valleys", valleys, D2), REAL(0, PERLANE_MAX_VALLEYS),
     .summary =
         "The steepness of hillsides above valleys that drain the land: the height that they "
         "gain over one valley cell, in sums of the octaves' amplitudes; 3 to 5 for "
         "mountains, at least 2^-10, or 0 for no valleys."},
    {OPTION("Valleys", valley_octaves, D2), INTEGER(0, PERLANE_MAX_VALLEY_OCTAVES),
     .default_value = 5,
     .summary = "The number of sizes of side valleys, each half the one before."},
    {OPTION("Valleys", valley_cells, D2), REAL(0, PERLANE_MAX_VALLEY_CELLS), .min_is_open = 1,
     .default_value = 2.5,
     .summary = "Valley cells, each with a main valley, along one cell of the field's first "
                "octave."},
    {OPTION("Valleys", valley_gain, D2), REAL(0, 1), .default_value = 0.8,
     .summary = "How much of a hillside's height the side valleys of each size leave to the next; "
                "near 1 they cut deep and are flat."},
    {OPTION("Valleys", valley_floor, D2), REAL(0, PERLANE_MAX_VALLEY_FLOOR), .default_value = 0.02,
     .summary = "Half the width of a main valley's floor, in valley cells."},
    {OPTION("Valleys", valley_output, D2), CHOICES(VALLEY_OUTPUTS, PERLANE_VALLEY_OUTPUT_COUNT),
     .summary = "What a field with valleys computes."},
    {OPTION("Values", normalize, ALL), CHOICES(NORMALIZATIONS, PERLANE_NORMALIZE_COUNT),
     .summary = "What the sum of the octaves is divided by."},
    {OPTION("Values", amplitude, ALL), FINITE, .excludes_zero = 1, .default_value = 1,
     .summary = "The amplitude of the first octave; only its sign matters unless normalize=none."},
    {OPTION("Values", value_scale, ALL), FINITE, .default_value = 1,
     .summary = "The factor that values are multiplied by, after contrast."},
    {OPTION("Values", value_offset, ALL), FINITE,
     .summary = "The number added to values at the end."},
    {OPTION("Values", contrast, ALL), INTEGER(0, PERLANE_MAX_CONTRAST), .default_value = 1,
     .summary = "The power that the magnitude of values is raised to, before value_scale; their "
                "sign is kept, and 0 leaves only -1, 0 and 1."},
    {OPTION("Values", curve, ALL), .kind = PERLANE_OPTION_CURVE, .min = -PERLANE_MAX_CURVE,
     .max = PERLANE_MAX_CURVE,
     .summary = "Points x:y of a remapping curve, applied to values after contrast; values beyond "
                "its ends become the end's y."},
    {OPTION("Values", curve_shape, ALL), CHOICES(CURVE_SHAPES, PERLANE_CURVE_SHAPE_COUNT),
     .summary = "The interpolation between the curve's points."},
    {OPTION("Values", terraces, ALL), INTEGER(0, PERLANE_MAX_TERRACES),
     .summary = "The number of terraces between the values -1 and 1, after the curve; 0 for none."},
    {OPTION("Values", terrace_sharpness, ALL), REAL(0, 1), .max_is_open = 1, .default_value = 0.7,
     .summary = "The shape of terraces: 0 leaves values as they are; towards 1, treads become "
                "level and the rises between them steep."},
};

int32_t perlane_option_count(void) {
  return (int32_t)LENGTH(OPTIONS);
}

const perlane_option *perlane_option_at(int32_t index) {
  return index >= 0 && index < perlane_option_count() ? &OPTIONS[index] : NULL;
}

/* ---- Values of params ---- */

/* Returns an option's member, of the type of its kind. */
static const void *member(const perlane_params *params, const perlane_option *option) {
  return (const char *)params + option->offset;
}

perlane_status(perlane_params_init)(perlane_params *params) {
  if (!params)
    return PERLANE_ERROR_NULL;
  memset(params, 0, sizeof *params); /* the default of all choices, axes and curves, too */
  for (size_t i = 0; i < LENGTH(OPTIONS); i++) {
    const double number = OPTIONS[i].default_value;
    void *member = (char *)params + OPTIONS[i].offset;
    if (OPTIONS[i].kind == PERLANE_OPTION_SEED)
      /* By way of int64_t, as some compilers' conversions to uint64_t raise exceptions, and the
       * caller may have them trap. */
      *(uint64_t *)member = (uint64_t)(int64_t)number;
    else if (OPTIONS[i].kind == PERLANE_OPTION_REAL)
      *(double *)member = number;
    else if (OPTIONS[i].kind == PERLANE_OPTION_INTEGER)
      *(int32_t *)member = (int32_t)number;
  }
  return PERLANE_OK;
}

static inline int is_allowed(const perlane_option *option, double v) {
  return v >= option->min && v <= option->max && !(option->min_is_open && v == option->min) &&
         !(option->max_is_open && v == option->max) && !(option->excludes_zero && v == 0);
}

static void print_axes(struct perlane_text *text, const int32_t *axes) {
  int count = PERLANE_MAX_DIMS;
  while (count > 1 && axes[count - 1] == 0)
    count--;
  for (int a = 0; a < count; a++)
    perlane_text_print(text, a > 0 ? ",%d" : "%d", axes[a]);
}

static void print_curve(struct perlane_text *text, const perlane_curve *curve) {
  if (curve->count == 0)
    perlane_text_print(text, "none");
  else if (curve->count < 0 || curve->count > PERLANE_MAX_CURVE_POINTS)
    perlane_text_print(text, "%d", curve->count);
  else
    for (int32_t i = 0; i < curve->count; i++)
      perlane_text_print(text, i > 0 ? ",%g:%g" : "%g:%g", curve->point[i][0], curve->point[i][1]);
}

static void print_value(struct perlane_text *text, const perlane_option *option,
                        const void *value) {
  switch (option->kind) {
  case PERLANE_OPTION_SEED:
    perlane_text_print(text, "%llu", (unsigned long long)*(const uint64_t *)value);
    break;
  case PERLANE_OPTION_REAL:
    perlane_text_print(text, "%g", *(const double *)value);
    break;
  case PERLANE_OPTION_CHOICE:
    if ((uint32_t) * (const int32_t *)value < (uint32_t)option->choice_count) {
      perlane_text_print(text, "%s", option->choices[*(const int32_t *)value].name);
      break;
    }
    /* fall through */
  case PERLANE_OPTION_INTEGER:
    perlane_text_print(text, "%d", *(const int32_t *)value);
    break;
  case PERLANE_OPTION_AXES:
    print_axes(text, value);
    break;
  case PERLANE_OPTION_CURVE:
    print_curve(text, value);
    break;
  }
}

/* ---- Checks ---- */

static void print_bounds(struct perlane_text *text, const perlane_option *option) {
  const int has_max = option->max < DBL_MAX;
  if (option->min > -DBL_MAX) {
    const int is_from = has_max && !option->max_is_open;
    perlane_text_print(text, "%s%g",
                       option->min_is_open ? " above "
                       : is_from           ? " from "
                                           : " of at least ",
                       option->min);
  }
  if (has_max)
    perlane_text_print(text, "%s%g",
                       option->max_is_open   ? " and below "
                       : option->min_is_open ? " and at most "
                                             : " to ",
                       option->max);
}

static void print_expected(struct perlane_text *text, const perlane_option *option) {
  switch (option->kind) {
  case PERLANE_OPTION_SEED:
    perlane_text_print(text, "a whole number from -%llu to %llu, decimal or 0x hexadecimal",
                       1ULL << 63, (unsigned long long)UINT64_MAX);
    break;
  case PERLANE_OPTION_REAL:
    perlane_text_print(text, option->max < DBL_MAX   ? "a number"
                             : option->excludes_zero ? "a nonzero finite number"
                                                     : "a finite number");
    print_bounds(text, option);
    break;
  case PERLANE_OPTION_INTEGER:
    perlane_text_print(text, "a whole number");
    print_bounds(text, option);
    break;
  case PERLANE_OPTION_CHOICE:
    for (int32_t i = 0; i < option->choice_count; i++)
      perlane_text_print(text, i > 0 ? ", %s" : "one of %s", option->choices[i].name);
    break;
  case PERLANE_OPTION_AXES:
    perlane_text_print(text, "1 to %d whole numbers with commas between them, x first, each",
                       PERLANE_MAX_DIMS);
    print_bounds(text, option);
    break;
  case PERLANE_OPTION_CURVE:
    perlane_text_print(text, "none, or 2 to %d points x:y with commas between them, each number",
                       PERLANE_MAX_CURVE_POINTS);
    print_bounds(text, option);
    perlane_text_print(text, ", whose x increase by at least %g and differ as floats",
                       PERLANE_MIN_CURVE_STEP);
    break;
  }
}

size_t perlane_option_expected(const perlane_option *option, char *buffer, size_t size) {
  struct perlane_text text = perlane_text_begin(buffer, size);
  if (option)
    print_expected(&text, option);
  return perlane_text_end(&text);
}

/* The beginning of a refusal, which ends with the value. */
static void print_must_be(struct perlane_text *problem, const perlane_option *option) {
  perlane_text_print(problem, "%s must be ", option->name);
  if (problem)
    print_expected(problem, option);
  perlane_text_print(problem, ", not ");
}

/* A curve's points are apart as doubles, and as the floats that values are compared with. */
static PERLANE_NOINLINE perlane_status check_curve(const perlane_option *option,
                                                   const perlane_curve *curve,
                                                   struct perlane_text *problem) {
  if (curve->reserved0 != 0)
    return PERLANE_REFUSE(PERLANE_ERROR_LAYOUT, problem, "reserved0 of curve must be 0, not %d",
                          curve->reserved0);
  if (curve->count < 0 || curve->count == 1 || curve->count > PERLANE_MAX_CURVE_POINTS)
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "curve must have 2 to %d points, or 0 for none, not %d",
                          PERLANE_MAX_CURVE_POINTS, curve->count);
  for (int32_t i = 0; i < curve->count; i++) {
    for (int c = 0; c < 2; c++)
      if (!is_allowed(option, curve->point[i][c])) {
        perlane_text_print(problem, "the %c of point %d of curve must be a number", "xy"[c], i + 1);
        print_bounds(problem, option);
        return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem, ", not %g", curve->point[i][c]);
      }
    const double x = curve->point[i][0], before = i > 0 ? curve->point[i - 1][0] : -DBL_MAX;
    if (!(x - before >= PERLANE_MIN_CURVE_STEP && (float)x > (float)before))
      return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                            "the x of the points of curve must increase by at least %g and differ "
                            "as floats; %g does not follow %g",
                            PERLANE_MIN_CURVE_STEP, x, before);
  }
  return PERLANE_OK;
}

/* (Not inlined: the checks of all options are then a loop without calls.) */
static PERLANE_NOINLINE perlane_status refuse_value(const perlane_option *option, const void *value,
                                                    struct perlane_text *problem) {
  print_must_be(problem, option);
  print_value(problem, option, value);
  return PERLANE_ERROR_PARAMETER;
}

static inline perlane_status check_value(const perlane_option *option, const void *value,
                                         struct perlane_text *problem) {
  int is_valid = 1;
  switch (option->kind) {
  case PERLANE_OPTION_REAL:
    is_valid = is_allowed(option, *(const double *)value);
    break;
  case PERLANE_OPTION_INTEGER:
  case PERLANE_OPTION_CHOICE:
    is_valid = is_allowed(option, *(const int32_t *)value);
    break;
  case PERLANE_OPTION_AXES:
    for (int a = 0; a < PERLANE_MAX_DIMS; a++)
      is_valid &= is_allowed(option, ((const int32_t *)value)[a]);
    break;
  case PERLANE_OPTION_CURVE:
    return check_curve(option, value, problem);
  }
  return is_valid ? PERLANE_OK : refuse_value(option, value, problem);
}

perlane_status perlane_options_check(const perlane_params *params, struct perlane_text *problem) {
  for (size_t i = 0; i < LENGTH(OPTIONS); i++) {
    const perlane_status status = check_value(&OPTIONS[i], member(params, &OPTIONS[i]), problem);
    if (status != PERLANE_OK)
      return status;
  }
  return PERLANE_OK;
}

/* ---- From text ---- */

struct slice {
  const char *text;
  size_t length;
};

static struct slice whole(const char *text) {
  return (struct slice){text, strlen(text)};
}

/* Compares a name with '-' taken for '_'. */
static int is_name(struct slice slice, const char *name) {
  for (size_t i = 0; i < slice.length; i++, name++)
    if (*name == '\0' || (*name != slice.text[i] && !(*name == '_' && slice.text[i] == '-')))
      return 0;
  return *name == '\0';
}

static const perlane_option *find(struct slice name) {
  for (size_t i = 0; i < LENGTH(OPTIONS); i++)
    if (is_name(name, OPTIONS[i].name))
      return &OPTIONS[i];
  return NULL;
}

const perlane_option *perlane_option_find(const char *name) {
  return name ? find(whole(name)) : NULL;
}

/* Returns the value of a digit in base 10 or 16; base if it is none. */
static uint64_t digit_of(char c, uint64_t base) {
  const char lower = (char)(c | 0x20);
  if (c >= '0' && c <= '9')
    return (uint64_t)(c - '0');
  return base == 16 && lower >= 'a' && lower <= 'f' ? (uint64_t)(lower - 'a') + 10 : base;
}

/* Reads digits after a sign, "0x" or nothing; the number is at most `max` without its sign. */
static int parse_digits(struct slice slice, size_t before, uint64_t base, uint64_t max,
                        uint64_t *value) {
  uint64_t result = 0;
  for (size_t i = before; i < slice.length; i++) {
    const uint64_t digit = digit_of(slice.text[i], base);
    if (digit == base || result > (max - digit) / base)
      return 0;
    result = result * base + digit;
  }
  *value = before > 0 && slice.text[0] == '-' ? 0 - result : result;
  return slice.length > before;
}

static int parse_seed(struct slice slice, uint64_t *value) {
  const int is_hexadecimal =
      slice.length > 2 && slice.text[0] == '0' && (slice.text[1] == 'x' || slice.text[1] == 'X');
  const int is_negative = slice.length > 0 && slice.text[0] == '-';
  return parse_digits(slice, is_hexadecimal ? 2 : (size_t)is_negative, is_hexadecimal ? 16 : 10,
                      is_negative ? UINT64_C(1) << 63 : UINT64_MAX, value);
}

static int parse_integer(struct slice slice, int32_t *value) {
  const int is_negative = slice.length > 0 && slice.text[0] == '-';
  const int is_signed = is_negative || (slice.length > 0 && slice.text[0] == '+');
  uint64_t number;
  if (!parse_digits(slice, (size_t)is_signed, 10, (uint64_t)INT32_MAX + (uint64_t)is_negative,
                    &number))
    return 0;
  *value = (int32_t)(int64_t)number;
  return 1;
}

static int parse_choice(struct slice slice, const perlane_option *option, int32_t *value) {
  for (int32_t i = 0; i < option->choice_count; i++)
    if (is_name(slice, option->choices[i].name)) {
      *value = i;
      return 1;
    }
  return 0;
}

/* Takes the text up to `end`, or all of it, off the front of a slice. */
static struct slice take(struct slice *slice, char end, int *ended) {
  struct slice taken = {slice->text, 0};
  while (taken.length < slice->length && slice->text[taken.length] != end)
    taken.length++;
  *ended = taken.length < slice->length;
  const size_t used = taken.length + (size_t)*ended;
  *slice = (struct slice){slice->text + used, slice->length - used};
  return taken;
}

static int parse_axes(struct slice slice, int32_t *axes) {
  memset(axes, 0, PERLANE_MAX_DIMS * sizeof *axes);
  int more = 1;
  for (int a = 0; more; a++) {
    const struct slice number = take(&slice, ',', &more);
    if (a == PERLANE_MAX_DIMS || !parse_integer(number, &axes[a]))
      return 0;
  }
  return 1;
}

static int parse_curve(struct slice slice, perlane_curve *curve) {
  memset(curve, 0, sizeof *curve);
  if (is_name(slice, "none"))
    return 1;
  for (int more = 1, has_y; more; curve->count++) {
    if (curve->count == PERLANE_MAX_CURVE_POINTS)
      return 0;
    struct slice y = take(&slice, ',', &more);
    const struct slice x = take(&y, ':', &has_y);
    double *point = curve->point[curve->count];
    if (!has_y || !perlane_decimal_parse(x.text, x.length, &point[0]) ||
        !perlane_decimal_parse(y.text, y.length, &point[1]))
      return 0;
  }
  return 1;
}

/* Returns 0 if the text has not the form of a value of this kind; bounds are not checked. */
static int parse_value(const perlane_option *option, struct slice text, void *value) {
  switch (option->kind) {
  case PERLANE_OPTION_SEED:
    return parse_seed(text, value);
  case PERLANE_OPTION_REAL:
    return perlane_decimal_parse(text.text, text.length, value);
  case PERLANE_OPTION_INTEGER:
    return parse_integer(text, value);
  case PERLANE_OPTION_CHOICE:
    return parse_choice(text, option, value);
  case PERLANE_OPTION_AXES:
    return parse_axes(text, value);
  case PERLANE_OPTION_CURVE:
    return parse_curve(text, value);
  }
  return 0;
}

/* Returns whether a name differs from an option's in a letter or two, or is what many other
 * libraries call it. */
static int is_like(struct slice name, const char *option) {
  if (is_name(name, "persistence"))
    return perlane_text_is(option, "gain");
  const size_t letters = strlen(option);
  size_t same = 0, last = 0;
  while (same < name.length && name.text[same] == option[same])
    same++;
  while (same + last < name.length && same + last < letters &&
         name.text[name.length - 1 - last] == option[letters - 1 - last])
    last++;
  const size_t all = same + last;
  return all >= 3 && name.length - all <= 2 && letters - all <= 2;
}

static perlane_status refuse_name(struct slice name, struct perlane_text *problem) {
  const char *between = "; did you mean ";
  perlane_text_print(problem, "no option is called ");
  perlane_text_quote(problem, name.text, name.length);
  for (size_t i = 0; i < LENGTH(OPTIONS); i++)
    if (is_like(name, OPTIONS[i].name)) {
      perlane_text_print(problem, "%s%s", between, OPTIONS[i].name);
      between = ", ";
    }
  perlane_text_print(problem, "%s",
                     *between == ','         ? "?"
                     : is_name(name, "look") ? "; in an expression, look=NAME is the first of a "
                                               "field's options"
                                             : "");
  return PERLANE_ERROR_OPTION;
}

/* Returns whether a value ends in a comma, or goes on with another option after it: "8,seed=7". */
static int is_joined(struct slice value) {
  const int ends = value.length > 0 && value.text[value.length - 1] == ',';
  int more, has_name;
  take(&value, ',', &more);
  take(&value, '=', &has_name);
  return ends || has_name;
}

static PERLANE_NOINLINE perlane_status set_option(perlane_params *params, struct slice name,
                                                  struct slice text, struct perlane_text *problem) {
  const perlane_option *option = find(name);
  if (!option)
    return refuse_name(name, problem);
  perlane_params made = *params;
  void *value = (char *)&made + option->offset;
  if (!parse_value(option, text, value)) {
    print_must_be(problem, option);
    perlane_text_quote(problem, text.text, text.length);
    if (is_joined(text))
      perlane_text_print(problem, "; options are separated by blanks");
    return PERLANE_ERROR_PARAMETER;
  }
  const perlane_status status = check_value(option, value, problem);
  if (status == PERLANE_OK)
    *params = made;
  return status;
}

perlane_status perlane_options_set(perlane_params *params, const char *name, const char *text,
                                   struct perlane_text *problem) {
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = set_option(params, whole(name), whole(text), problem);
  perlane_fp_leave(caller);
  return status;
}

perlane_status perlane_params_set(perlane_params *params, const char *name, const char *text) {
  return params && name && text ? perlane_options_set(params, name, text, NULL)
                                : PERLANE_ERROR_NULL;
}

static perlane_status set_preset(perlane_params *params, struct slice name,
                                 struct perlane_text *problem) {
  for (int i = 0; perlane_preset_name(i) != NULL; i++)
    if (is_name(name, perlane_preset_name(i)))
      return perlane_preset(params, perlane_preset_name(i));
  for (int i = 0; perlane_preset_name(i) != NULL; i++)
    perlane_text_print(problem, i > 0 ? ", %s" : "preset must be one of %s",
                       perlane_preset_name(i));
  perlane_text_print(problem, ", not ");
  perlane_text_quote(problem, name.text, name.length);
  return PERLANE_ERROR_PRESET;
}

/* Sets the option of one NAME=VALUE. */
static perlane_status parse_item(perlane_params *params, struct slice item, int is_first,
                                 struct perlane_text *problem) {
  int has_value;
  struct slice value = item;
  const struct slice name = take(&value, '=', &has_value);
  if (!has_value || name.length == 0) {
    perlane_text_print(problem, "expected NAME=VALUE without blanks, not ");
    perlane_text_quote(problem, item.text, item.length);
    return PERLANE_ERROR_SYNTAX;
  }
  if (!is_name(name, "preset"))
    return set_option(params, name, value, problem);
  if (is_first)
    return set_preset(params, value, problem);
  return PERLANE_REFUSE(PERLANE_ERROR_PRESET, problem, "preset must come before all other options");
}

PERLANE_NOINLINE perlane_status perlane_options_parse(perlane_params *params, const char *text,
                                                      size_t length, size_t *where,
                                                      struct perlane_text *problem) {
  perlane_params result = *params;
  const char *next = text, *const end = text + length;
  for (int is_first = 1;; is_first = 0) {
    while (next < end && perlane_text_is_space(*next))
      next++;
    if (next == end)
      break;
    struct slice item = {next, 0};
    while (next < end && !perlane_text_is_space(*next))
      next++;
    item.length = (size_t)(next - item.text);
    const perlane_status status = parse_item(&result, item, is_first, problem);
    if (status != PERLANE_OK) {
      if (where)
        *where = (size_t)(item.text - text);
      return status;
    }
  }
  *params = result;
  return PERLANE_OK;
}

perlane_status perlane_params_parse(perlane_params *params, const char *text, size_t *where) {
  if (!params || !text)
    return PERLANE_ERROR_NULL;
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = perlane_options_parse(params, text, strlen(text), where, NULL);
  perlane_fp_leave(caller);
  return status;
}

/* ---- To text ---- */

size_t perlane_params_get(const perlane_params *params, const char *name, char *buffer,
                          size_t size) {
  struct perlane_text text = perlane_text_begin(buffer, size);
  const perlane_option *option = params ? perlane_option_find(name) : NULL;
  if (option)
    print_value(&text, option, member(params, option));
  return perlane_text_end(&text);
}

static int is_listed(const char *names, const char *name) {
  struct slice rest = whole(names);
  for (int more = 1; more;)
    if (is_name(take(&rest, ' ', &more), name))
      return 1;
  return 0;
}

void perlane_options_print(struct perlane_text *text, const perlane_params *params,
                           const char *names) {
  const perlane_params standard = perlane_params_default();
  const char *between = "";
  for (size_t i = 0; i < LENGTH(OPTIONS); i++) {
    const perlane_option *option = &OPTIONS[i];
    const void *value = member(params, option);
    if (memcmp(value, member(&standard, option), (size_t)option->size) == 0 ||
        (names && !is_listed(names, option->name)))
      continue;
    perlane_text_print(text, "%s%s=", between, option->name);
    print_value(text, option, value);
    between = " ";
  }
}

size_t perlane_params_print(const perlane_params *params, char *buffer, size_t size) {
  struct perlane_text text = perlane_text_begin(buffer, size);
  if (params)
    perlane_options_print(&text, params, NULL);
  return perlane_text_end(&text);
}
