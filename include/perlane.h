/* SPDX-License-Identifier: MIT
 *
 * perlane: Perlin gradient noise for heightmaps, volumes and point lists, with the same bits on
 * every CPU, compiler, thread count and tiling.
 *
 * A field is a function from a position (double, 1 to 4 coordinates) to one float. perlane_fill,
 * perlane_points and perlane_at, and their variants with gradients, integers or extremes, evaluate
 * that one function: where they meet, their results are equal bit for bit. docs/specification.md
 * defines it operation by operation; docs/systems.md tells how to get the values of other noise
 * systems.
 *
 * The library allocates nothing, starts no threads, prints nothing and keeps no state but the
 * choice of kernels. Every function may be called from any number of threads at once. A fill
 * uses at most PERLANE_STACK_BYTES of stack. Whatever rounding mode, flush-to-zero setting or
 * exception mask the caller runs under, results are the same, and that setting is kept.
 *
 * Gradient noise is 0 where every coordinate times frequency is a whole number: sampling at whole
 * numbers with frequency 1 yields zeros, not noise.
 */
#ifndef PERLANE_H
#define PERLANE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(PERLANE_SHARED)
#ifdef PERLANE_BUILDING
#define PERLANE_API __declspec(dllexport)
#else
#define PERLANE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define PERLANE_API __attribute__((visibility("default")))
#else
#define PERLANE_API
#endif

#define PERLANE_VERSION_MAJOR 0 /* this header's version; perlane_version() tells the library's */
#define PERLANE_VERSION_MINOR 4 /* the same */
#define PERLANE_VERSION_PATCH 0 /* the same */
#define PERLANE_VERSION "0.4.0" /* the three of them */

#define PERLANE_MAX_DIMS 4     /* coordinates of a position, at most */
#define PERLANE_MAX_OCTAVES 32 /* layers of noise, at most */

/* The most stack, in bytes, that any function of this library uses when compiled with optimisation;
 * but perlane_selftest, which fills grids of its own, uses up to 32 KiB more. */
#define PERLANE_STACK_BYTES (128 * 1024)

/* What perlane_selftest computes on a machine that keeps the promise. */
#define PERLANE_SELFTEST_DIGEST UINT64_C(0xAD48C881663186E2)

/* The library's version as "major.minor.patch". Never NULL. */
PERLANE_API const char *perlane_version(void);

/* ---- Status --------------------------------------------------------------------------------- */

/* What a function found. Anything but PERLANE_OK means that nothing was written. */
typedef enum perlane_status {
  PERLANE_OK = 0,           /* nothing wrong */
  PERLANE_ERROR_NULL,       /* a pointer that must not be null is null */
  PERLANE_ERROR_NOISE,      /* the perlane_noise was not made by perlane_init */
  PERLANE_ERROR_FREQUENCY,  /* frequency is not finite, or is below 2^-1022, at some octave;
                               with gradients, derivatives could leave the range of float */
  PERLANE_ERROR_OCTAVES,    /* octaves is not in 1..PERLANE_MAX_OCTAVES */
  PERLANE_ERROR_LACUNARITY, /* lacunarity is not finite or not above 0 */
  PERLANE_ERROR_GAIN,       /* gain is not finite, or its powers leave the range of double */
  PERLANE_ERROR_RESERVED,   /* a reserved field is not 0 */
  PERLANE_ERROR_DIMS,       /* dims is not in 1..4 */
  PERLANE_ERROR_COUNT,      /* a count is 0, or the samples do not fit in memory's address range */
  PERLANE_ERROR_STEP,       /* a step is 0 or not finite */
  PERLANE_ERROR_STRIDE,     /* strides let samples overlap or leave memory's address range */
  PERLANE_ERROR_RANGE,      /* a sample lies outside the domain: not finite, more than 2^53 cells
                               from the origin at some octave, or first + count - 1 > INT64_MAX */
  PERLANE_ERROR_ISA,        /* an unknown instruction set, or one this build or CPU does not have */
  PERLANE_ERROR_SELFTEST,   /* the kernels' results are not perlane's: see perlane_selftest */
  PERLANE_ERROR_BASIS,      /* an unknown basis */
  PERLANE_ERROR_HASH,       /* an unknown hash, or one that the basis does not have */
  PERLANE_ERROR_GRADIENTS,  /* an unknown gradient set */
  PERLANE_ERROR_FADE,       /* an unknown fade */
  PERLANE_ERROR_FRACTAL,    /* an unknown fractal */
  PERLANE_ERROR_NORMALIZE,  /* an unknown normalization */
  PERLANE_ERROR_FIELD_DIMS, /* the field's hash or gradient set does not exist in that many
                               dimensions */
  PERLANE_ERROR_WEIGHTED_STRENGTH,  /* weighted_strength is not in 0..1 */
  PERLANE_ERROR_PING_PONG_STRENGTH, /* ping_pong_strength is not finite, not above 0, or above
                                       PERLANE_MAX_PING_PONG_STRENGTH */
  PERLANE_ERROR_PERIOD,         /* a period is negative or too long, is not a whole number of cells
                                   at every octave, or is given besides a gradient grid */
  PERLANE_ERROR_TABLE,          /* the hash table is missing, or has a value outside 0..255 */
  PERLANE_ERROR_GRADIENT_COUNT, /* the gradient table is missing, or has fewer than 2 or more than
                                   256 vectors, or vectors of other than 1 to 4 components */
  PERLANE_ERROR_GRADIENT,       /* a gradient has a component that is not finite or too large, or
                                   all gradients are 0 */
  PERLANE_ERROR_GRADIENT_GRID,  /* the gradient grid is missing, empty or too large */
  PERLANE_ERROR_AMPLITUDE,      /* amplitude is 0 or not finite, value_scale or value_offset is not
                                   finite, or values could exceed 2^100 */
  PERLANE_ERROR_CONTRAST,       /* contrast is not in 0..PERLANE_MAX_CONTRAST */
  PERLANE_ERROR_LEVELS,         /* low or high is not finite, or they are equal or too close */
  PERLANE_ERROR_PRESET,         /* an unknown preset */
  PERLANE_ERROR_THREADS,        /* a number of threads is negative or too large (perlane_omp.h) */
  PERLANE_ERROR_OPTION,         /* an unknown name of an option */
  PERLANE_ERROR_SYNTAX,         /* a text of options is not NAME=VALUE NAME=VALUE ... */
  PERLANE_ERROR_SEED,           /* a seed is not a whole number from 0 to 2^64 - 1 */
  PERLANE_ERROR_TABLE_OFFSET,   /* a table offset is not a whole number of 32 bits */
  PERLANE_STATUS_COUNT
} perlane_status;

/* One sentence for a status, in English, without a full stop. Never NULL, also for a value that
 * is no status. */
PERLANE_API const char *perlane_status_string(perlane_status status);

/* ---- The field ------------------------------------------------------------------------------ */

/* What noise is made of, at each lattice point. */
typedef enum perlane_basis {
  PERLANE_BASIS_PERLIN = 0, /* a gradient: Perlin noise */
  PERLANE_BASIS_VALUE,      /* a value in (-1, 1), faded from one point to the next: value noise */
  PERLANE_BASIS_WHITE,      /* a value in (-1, 1) for the whole cell, uniform: white noise, mean 0,
                               deviation 1/sqrt(3) */
  PERLANE_BASIS_GAUSSIAN,   /* the same, normally distributed: mean 0, deviation 1, magnitude below
                               5.8; needs PERLANE_HASH_LATTICE */
  PERLANE_BASIS_COUNT
} perlane_basis;

/* How a lattice point finds its gradient or value. Dimensions: all, unless said. */
typedef enum perlane_hash {
  PERLANE_HASH_LATTICE = 0, /* of the 64-bit cells and the seed; never repeats */
  PERLANE_HASH_PERLIN,      /* the permutation of 256 that Perlin published in 2002; repeats every
                               256 cells, as do the next two */
  PERLANE_HASH_SHUFFLED,    /* a permutation of 256 shuffled from the seed */
  PERLANE_HASH_TABLE,       /* hash_table, of 256 */
  PERLANE_HASH_GRID,        /* the gradients of gradient_grid, repeated along both axes; 2D, for
                               PERLANE_BASIS_PERLIN; the gradient set is not used */
  PERLANE_HASH_PRIMES,      /* cells times Fibonacci primes look up hash_table, of 1024; 2D */
  PERLANE_HASH_COUNT
} perlane_hash;

/* The gradients that a hash chooses from (PERLANE_BASIS_PERLIN only), and their dimensions. */
typedef enum perlane_gradients {
  PERLANE_GRADIENTS_DEFAULT = 0, /* 1D: slopes -1 and 1; 2D: offaxis8; 3D: edges12; 4D: edges32 */
  PERLANE_GRADIENTS_OFFAXIS8,    /* 2D: (+-1, +-k), (+-k, +-1), k = 53/128: 22.5 degrees off the
                                    axes */
  PERLANE_GRADIENTS_AXIS4,       /* 2D: (1,0) (-1,0) (0,1) (0,-1) */
  PERLANE_GRADIENTS_DIAGONAL4,   /* 2D: (1,1) (-1,1) (-1,-1) (1,-1) */
  PERLANE_GRADIENTS_COMPASS8,    /* 2D: (+-1, +-1)/sqrt(2), then the four of axis4 */
  PERLANE_GRADIENTS_EDGES12,     /* 3D: the middles of a cube's edges, as Perlin numbered them in
                                    2002; in 1D and 2D the slice of that field where z, or y and z,
                                    are 0 */
  PERLANE_GRADIENTS_EDGES32,     /* 4D: the middles of the 32 edges of a 4D cube */
  PERLANE_GRADIENTS_SPHERE,      /* 256 unit vectors from the seed: on a circle in 2D, on spheres in
                                    3D and 4D; in 1D slopes -1 and 1 */
  PERLANE_GRADIENTS_PNOISE,      /* 1D, 2D, 3D: those of the pnoise functions (docs/systems.md) */
  PERLANE_GRADIENTS_TABLE,       /* gradient_table, in gradient_dims dimensions */
  PERLANE_GRADIENTS_COUNT
} perlane_gradients;

/* How weights go from 0 to 1 across a cell. */
typedef enum perlane_fade {
  PERLANE_FADE_QUINTIC = 0, /* 6t^5 - 15t^4 + 10t^3 (Perlin 2002): two continuous derivatives */
  PERLANE_FADE_CUBIC,       /* 3t^2 - 2t^3 (Perlin 1985): one */
  PERLANE_FADE_LINEAR,      /* t: none, creases show */
  PERLANE_FADE_COUNT
} perlane_fade;

/* What each octave's noise n becomes before the octaves are added up. */
typedef enum perlane_fractal {
  PERLANE_FRACTAL_FBM = 0,   /* n: fractal Brownian motion */
  PERLANE_FRACTAL_NONE,      /* n of the first octave only, whatever `octaves` is */
  PERLANE_FRACTAL_RIDGED,    /* 1 - 2|n|: sharp crests */
  PERLANE_FRACTAL_BILLOW,    /* 2|n| - 1: round hills, sharp valleys; also called turbulence */
  PERLANE_FRACTAL_PING_PONG, /* (n + 1) * ping_pong_strength folded back and forth into [-1, 1]:
                                terraces and rings */
  PERLANE_FRACTAL_COUNT
} perlane_fractal;

/* What values are divided by. */
typedef enum perlane_normalize {
  PERLANE_NORMALIZE_FULL = 0, /* the largest value of the gradient set in each octave, and the sum
                                 of the octaves' amplitudes: values in [-1, 1] */
  PERLANE_NORMALIZE_OCTAVES,  /* the sum of the octaves' amplitudes only */
  PERLANE_NORMALIZE_NONE,     /* nothing */
  PERLANE_NORMALIZE_COUNT
} perlane_normalize;

#define PERLANE_MAX_PERIOD 0x40000000       /* cells, at any octave */
#define PERLANE_MAX_CONTRAST 64             /* of perlane_params.contrast */
#define PERLANE_MAX_PING_PONG_STRENGTH 1024 /* of perlane_params.ping_pong_strength */
#define PERLANE_MAX_GRADIENT 1e6            /* magnitude of a component of a caller's gradient */

/* Which field. Start from perlane_params_default() or perlane_preset() and change what you need:
 * fields that a later version adds then have their default.
 *
 * The value is, with A_k = amplitude * gain^k and n_k the noise at frequency * lacunarity^k,
 *   v = sum over octaves of A_k * fractal(n_k), normalized as `normalize` says,
 *   value = sign(v) * |v|^contrast * value_scale + value_offset. */
typedef struct perlane_params {
  uint64_t seed;     /* any value; neighbouring seeds give unrelated fields. Default 1337 */
  double frequency;  /* lattice cells per unit of position in the first octave; finite, above 0.
                        Features are about 1/frequency units wide. Default 0.01 */
  int32_t octaves;   /* layers of noise, 1..PERLANE_MAX_OCTAVES. Default 1 */
  int32_t reserved0; /* 0 */
  double lacunarity; /* frequency of each octave over that of the one before; finite, above 0.
                        Default 2 */
  double gain;       /* amplitude of each octave over that of the one before, also known as
                        persistence; finite. Default 0.5 */
  uint64_t octave_seed_step; /* octave k is hashed with seed + k * octave_seed_step (mod 2^64); with
                                a table, its cells are shifted instead. Default 1; with 0 all
                                octaves share one lattice, and show it */
  perlane_basis basis;       /* Default PERLANE_BASIS_PERLIN */
  perlane_hash hash;         /* Default PERLANE_HASH_LATTICE */
  perlane_gradients gradients; /* Default PERLANE_GRADIENTS_DEFAULT */
  perlane_fade fade;           /* Default PERLANE_FADE_QUINTIC */
  perlane_fractal fractal;     /* Default PERLANE_FRACTAL_FBM */
  perlane_normalize normalize; /* Default PERLANE_NORMALIZE_FULL */
  double weighted_strength;  /* 0..1: how much an octave's amplitude depends on the value of the one
                                before at the same place; valleys become smoother. Default 0 */
  double ping_pong_strength; /* above 0, at most PERLANE_MAX_PING_PONG_STRENGTH. Default 2 */
  int32_t period[PERLANE_MAX_DIMS];       /* cells of the first octave after which the field repeats
                                             along the axis, 0 for never. At every octave, period *
                                             lacunarity^k must be a whole number up to
                                             PERLANE_MAX_PERIOD. Default 0 */
  int32_t table_offset[PERLANE_MAX_DIMS]; /* added to the cell along the axis, after the period, by
                                             the hashes with a table of 256. Default 0 */
  double amplitude;    /* of the first octave; finite, not 0. Only its sign counts where the sum is
                          normalized. Default 1 */
  double value_scale;  /* what values are multiplied by at the end; finite. Default 1 */
  double value_offset; /* what is added to them then; finite. Default 0 */
  int32_t contrast;    /* 0..PERLANE_MAX_CONTRAST: the power that values are raised to, their sign
                          kept. Default 1; with 0 values are -1, 0 and 1 */
  int32_t gradient_dims;          /* components of a vector of gradient_table, 1..4 */
  int32_t gradient_count;         /* vectors in gradient_table, 2..256 */
  int32_t gradient_grid_count[2]; /* lattice points of gradient_grid along x and y, each at least 1,
                                     their product at most PERLANE_MAX_PERIOD */
  int32_t reserved1;              /* 0 */
  const int32_t *hash_table;      /* 256 values in 0..255 (PERLANE_HASH_TABLE), or 1024
                                     (PERLANE_HASH_PRIMES; NULL there for one made from the seed).
                                     perlane_init takes a copy */
  const float *gradient_table; /* gradient_table[i * gradient_dims + axis], finite, each component's
                                  magnitude up to PERLANE_MAX_GRADIENT. perlane_init takes a copy */
  const float *gradient_grid;  /* gradient_grid[2 * (j * gradient_grid_count[0] + i) + axis], the
                                  same. Not copied: it must stay as it is for as long as the noise
                                  is used */
  uint64_t reserved[16];       /* 0: room for options to come */
} perlane_params;

/* The default field: seed 1337, frequency 0.01, 1 octave, lacunarity 2, gain 0.5, and the first
 * choice of everything else. */
PERLANE_API perlane_params perlane_params_default(void);

/* Sets *params to the field of a known noise system, so that it yields that system's values
 * (docs/systems.md): frequency 1, one octave, and the system's own rule should octaves be raised.
 * Names: "improved", "grid" (set gradient_grid too), "diagonal", "circle", "axis", "compass",
 * "pnoise", "classic". diagonal, circle and axis have tables of their own to set.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, _PRESET; then *params is as it was. */
PERLANE_API perlane_status perlane_preset(perlane_params *params, const char *name);

/* The name of preset number index, counted from 0; NULL from the number of presets on. */
PERLANE_API const char *perlane_preset_name(int index);

/* ---- Options by name ------------------------------------------------------------------------ */

/* In names of options, choices and presets, texts may have '-' for '_': "ping-pong". Numbers have a
 * decimal point in every locale, and are rounded to the nearest double whatever the caller's
 * rounding mode. */

/* The kind of value that an option takes, and how its text looks. */
typedef enum perlane_option_kind {
  PERLANE_OPTION_SEED = 0, /* uint64_t: "7", or hexadecimal "0x1F" */
  PERLANE_OPTION_REAL,     /* double: "0.002", "-3", "1e-5"; no hexadecimal, infinity or NaN */
  PERLANE_OPTION_INTEGER,  /* int32_t: "8" */
  PERLANE_OPTION_CHOICE,   /* an enumeration: the name of a choice, "ridged" */
  PERLANE_OPTION_AXES,     /* int32_t for each axis: "8,8"; axes that are left out have 0 */
  PERLANE_OPTION_KIND_COUNT
} perlane_option_kind;

/* One choice of a PERLANE_OPTION_CHOICE. Its index in perlane_option.choices is its value in
 * perlane_params. */
typedef struct perlane_choice {
  const char *name;    /* as texts have it */
  const char *summary; /* one phrase, without a full stop */
  int32_t dims;        /* dimensions it exists in: bit d - 1 for d dimensions */
} perlane_choice;

/* An option of a field: a member of perlane_params that is neither a table nor about one. */
typedef struct perlane_option {
  const char *name;    /* of the member, and in texts: "weighted_strength" */
  const char *heading; /* options of one heading follow one another: "Field", "Lattice", "Octaves",
                          "Values" */
  const char *summary; /* one sentence, with its full stop */
  perlane_option_kind kind;
  perlane_status status; /* the error that reports a wrong value of it */
  double min, max;       /* bounds of a value; of a choice, of its index; -DBL_MAX and DBL_MAX where
                            a value only has to be finite */
  int32_t min_is_open;   /* 1 if the value must be above min, 0 if it may be min */
  int32_t max_is_open;   /* 1 if the value must be below max, 0 if it may be max */
  int32_t excludes_zero; /* 1 if the value must not be 0 */
  double default_value;  /* of every axis, for PERLANE_OPTION_AXES */
  int32_t dims;          /* dimensions in which it has an effect: bit d - 1 for d dimensions */
  int32_t choice_count;  /* 0 but for PERLANE_OPTION_CHOICE */
  const perlane_choice *choices;
} perlane_option;

/* Returns the number of options. */
PERLANE_API int32_t perlane_option_count(void);

/* Returns option number index, counted from 0, in the order of the documentation; NULL for an index
 * that does not exist. */
PERLANE_API const perlane_option *perlane_option_at(int32_t index);

/* Returns the option of that name, or NULL if there is none or name is NULL. */
PERLANE_API const perlane_option *perlane_option_find(const char *name);

/* Sets the option of that name to the value that text describes, without white space.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, PERLANE_ERROR_OPTION for an unknown name, or the
 * option's own status if text is not a value within its bounds; then *params is as it was. */
PERLANE_API perlane_status perlane_params_set(perlane_params *params, const char *name,
                                              const char *text);

/* Writes the value of the option of that name as text that perlane_params_set reads back to the
 * same value, in the fewest digits. A value out of bounds is written as a number, "nan" or "inf",
 * which perlane_params_set refuses.
 *
 * Returns the length of the whole text, without its terminating NUL; if size is not above it, the
 * text in buffer is cut short, and ends with a NUL if size is not 0. buffer may be NULL if size is
 * 0. Returns 0, with an empty text, if there is no such option or a pointer is null. */
PERLANE_API size_t perlane_params_get(const perlane_params *params, const char *name, char *buffer,
                                      size_t size);

/* Sets the options that a text lists: NAME=VALUE with white space between them, as in
 * "seed=7 octaves=8 frequency=0.002 fractal=ridged". Options that the text does not name keep their
 * values; of two values for one option the later one counts. A text may begin with preset=NAME,
 * which first does what perlane_preset does. Tables are not part of a text.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, PERLANE_ERROR_SYNTAX where NAME=VALUE is expected,
 * PERLANE_ERROR_OPTION for an unknown name, PERLANE_ERROR_PRESET for an unknown preset or one that
 * is not at the beginning, or an option's own status if its value is not within its bounds. On an
 * error *params is as it was, and if where is not NULL and neither params nor text is, *where
 * receives the offset in text, in bytes, of the NAME=VALUE at fault. */
PERLANE_API perlane_status perlane_params_parse(perlane_params *params, const char *text,
                                                size_t *where);

/* Writes the options that differ from perlane_params_default as a text that perlane_params_parse
 * reads back to the same values, in the order of perlane_option_at; an empty text for the default
 * field. Tables are not part of it. Returns what perlane_params_get returns. */
PERLANE_API size_t perlane_params_print(const perlane_params *params, char *buffer, size_t size);

/* ---- Noise ----------------------------------------------------------------------------------- */

/* A field made ready to evaluate, about 15 KiB. Make it with perlane_init, copy it freely, share it
 * between threads; it owns nothing and needs no clean-up. Its members are not part of the
 * interface. */
typedef struct perlane_noise {
  uint64_t ready;
  perlane_params params;
  double highest_frequency;
  double largest[PERLANE_MAX_DIMS]; /* bound of one octave's raw noise, for 1, 2, 3, 4 dimensions;
                                       0 where the field does not exist */
  float size, offset;               /* what is left to do at the end */
  int32_t octaves;                  /* evaluated */
  int32_t shaped;                   /* whether octaves are more than added up */
  struct perlane_octave {
    double frequency;                  /* cells per unit of position */
    float amplitude[PERLANE_MAX_DIMS]; /* for 1, 2, 3, 4 dimensions, output scale included */
    float strength;                    /* what the shaped noise is multiplied by */
    uint32_t key[PERLANE_MAX_DIMS];    /* what the hash of each axis starts from */
    int32_t period[PERLANE_MAX_DIMS];  /* cells, 0 for none */
    uint32_t shift[PERLANE_MAX_DIMS];  /* added to cells before a table is looked up */
  } octave[PERLANE_MAX_OCTAVES];
  uint8_t table[1024 + 4]; /* the hash's, and room for a word's read at its end */
  float vector[10][256];   /* gradient components: 1D, 2D x y, 3D x y z, 4D x y z w */
} perlane_noise;

/* Makes *noise ready to evaluate the field that *params describes.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, _FREQUENCY, _OCTAVES, _LACUNARITY, _GAIN, _RESERVED,
 * _BASIS, _HASH, _GRADIENTS, _FADE, _FRACTAL, _NORMALIZE, _WEIGHTED_STRENGTH, _PING_PONG_STRENGTH,
 * _PERIOD, _TABLE, _GRADIENT_COUNT, _GRADIENT, _GRADIENT_GRID, _AMPLITUDE, _CONTRAST; then *noise
 * is as it was. */
PERLANE_API perlane_status perlane_init(perlane_noise *noise, const perlane_params *params);

/* Bounds of the field's values in dims dimensions: no sample is below *low or above *high. They
 * come from the params alone: -1 and 1 where normalize is PERLANE_NORMALIZE_FULL and value_scale,
 * value_offset and basis are the default, and close to the least possible otherwise.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, _NOISE, _DIMS, _FIELD_DIMS; then nothing was written.
 */
PERLANE_API perlane_status perlane_range(const perlane_noise *noise, int32_t dims, float *low,
                                         float *high);

/* ---- Grids ---------------------------------------------------------------------------------- */

/* A uniform grid of samples. Axis 0 is x, 1 y, 2 z, 3 w; entries beyond dims are ignored.
 *
 * Sample i of axis a lies at   origin[a] + (double)(first[a] + i) * step[a]   , i = 0..count[a]-1.
 *
 * A tile of a larger map keeps the map's origin and step and says with `first` where it starts:
 * its samples are then the map's own, bit for bit. */
typedef struct perlane_grid {
  int32_t dims;                       /* 1..4 */
  int32_t reserved0;                  /* 0 */
  int64_t first[PERLANE_MAX_DIMS];    /* index of the first sample, may be negative */
  size_t count[PERLANE_MAX_DIMS];     /* samples along the axis, at least 1 */
  double origin[PERLANE_MAX_DIMS];    /* position of index 0; finite */
  double step[PERLANE_MAX_DIMS];      /* position units between samples; finite, not 0, may be
                                         negative */
  ptrdiff_t stride[PERLANE_MAX_DIMS]; /* floats from one sample to the next in `out`; 0 for
                                         packed, x fastest; may be negative */
} perlane_grid;

/* A packed grid with origin 0, step 1 and first 0 along every axis; an axis whose count is 0 is
 * left out along with those after it: perlane_grid_make(512, 256, 0, 0) is a 2D map of 512 x 256
 * samples. With nx 0 no axis is left, and fills return PERLANE_ERROR_DIMS. */
PERLANE_API perlane_grid perlane_grid_make(size_t nx, size_t ny, size_t nz, size_t nw);

/* What perlane_fill would return for this grid, without filling it. Where the whole is fit to be
 * filled, so is every part of it, by its own first, count and out and by the whole's strides: those
 * who fill parts on several threads check once, before (docs/threads.md).
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, _NOISE, _DIMS, _FIELD_DIMS, _RESERVED, _COUNT, _STEP,
 * _STRIDE, _RANGE. */
PERLANE_API perlane_status perlane_grid_check(const perlane_noise *noise, const perlane_grid *grid);

/* Fills a grid with the field.
 *
 * Sample (x, y, z, w) goes to
 *   out[x*stride[0] + y*stride[1] + z*stride[2] + w*stride[3]]
 * where a stride of 0 stands for the packed one: 1, count[0], count[0]*count[1], and so on; so a
 * packed grid is out[((w*nz + z)*ny + y)*nx + x] and takes the product of the counts in floats.
 * With strides, out must hold every index above; out itself is the place of sample (0, 0, 0, 0).
 * out needs the alignment of a float, no more. No other byte is written.
 *
 * Values lie within perlane_range, which is [-1, 1] by default. Outputs beyond a few MiB bypass the
 * caches.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, _NOISE, _DIMS, _FIELD_DIMS, _RESERVED, _COUNT, _STEP,
 * _STRIDE, _RANGE; then nothing was written. */
PERLANE_API perlane_status perlane_fill(const perlane_noise *noise, const perlane_grid *grid,
                                        float *out);

/* perlane_fill that also tells, in the same pass, the smallest and the largest value it wrote (a
 * zero as +0). Errors as perlane_fill. */
PERLANE_API perlane_status perlane_fill_extremes(const perlane_noise *noise,
                                                 const perlane_grid *grid, float *out,
                                                 float *smallest, float *largest);

/* Fills a grid with the field and its gradient in one pass: out as perlane_fill does, and
 * gradient[a], for each axis a below grid->dims, with the derivative of the value along that axis,
 * in units of value per unit of position. gradient[a] is laid out as out is, by the same strides:
 * with strides that leave room, values and gradients may interleave. out may be NULL, when only the
 * gradient is wanted.
 *
 * The derivatives are analytic, and exact to a few float roundings at every sample. The quintic and
 * cubic fade make them continuous, with fractal FBM or NONE. Where |n| is 0 (ridged, billow), where
 * ping-pong turns, where a weight meets its limit, on cell borders with the linear fade, and where
 * contrast is 0, the field has creases or steps, and the gradient jumps; white noise has gradient 0
 * everywhere.
 *
 * Returns as perlane_fill, or PERLANE_ERROR_FREQUENCY where derivatives could leave the range of
 * float: frequency, amplitude, contrast and value_scale together are beyond some 1e20. */
PERLANE_API perlane_status perlane_fill_gradient(const perlane_noise *noise,
                                                 const perlane_grid *grid, float *out,
                                                 float *const *gradient);

/* Fills a grid with the field as integers: 65535 * (value - low) / (high - low), or 255 * that,
 * rounded to nearest, ties to even, and held at 0 and 65535 or 255. In float, operation by
 * operation: (value - low) * scale, where scale is float(65535 / (high - low)) computed in double.
 * low may be above high. Strides count integers. Otherwise as perlane_fill, or returns
 * PERLANE_ERROR_LEVELS. */
PERLANE_API perlane_status perlane_fill_u16(const perlane_noise *noise, const perlane_grid *grid,
                                            float low, float high, uint16_t *out);
PERLANE_API perlane_status perlane_fill_u8(const perlane_noise *noise, const perlane_grid *grid,
                                           float low, float high, uint8_t *out);

/* ---- Points --------------------------------------------------------------------------------- */

/* Evaluates the field at n positions: out[i] is its value at (coords[0][i], ...,
 * coords[dims-1][i]).
 *
 * coords holds dims pointers to n floats each; out takes n floats. All need the alignment of a
 * float, no more. out may be one of the coordinate arrays, but must not overlap one otherwise.
 * n may be 0: then coords and out are not looked at.
 *
 * A point outside the domain (a coordinate that is not finite, or more than 2^53 cells from the
 * origin at some octave) yields the quiet NaN 0x7FC00000 and is not an error; all other values lie
 * within perlane_range.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, _NOISE, _DIMS, _FIELD_DIMS, _COUNT; then nothing was
 * written. */
PERLANE_API perlane_status perlane_points(const perlane_noise *noise, int32_t dims, size_t n,
                                          const float *const *coords, float *out);

/* perlane_points with the gradient: gradient[a][i] is the derivative along axis a, as in
 * perlane_fill_gradient; NaN outside the domain. out may be NULL. No two outputs may overlap; each
 * may be one of the coordinate arrays. Returns as perlane_points, or PERLANE_ERROR_FREQUENCY. */
PERLANE_API perlane_status perlane_points_gradient(const perlane_noise *noise, int32_t dims,
                                                   size_t n, const float *const *coords, float *out,
                                                   float *const *gradient);

/* The field's value at one position: position[0..dims-1].
 *
 * Returns the quiet NaN 0x7FC00000 for a position outside the domain (see perlane_points), for a
 * null pointer, a noise that was not initialised, dims outside 1..4 or that the field does not
 * have. One sample at a time is tens of times slower than a fill: prefer perlane_fill or
 * perlane_points for more than a few. */
PERLANE_API float perlane_at(const perlane_noise *noise, int32_t dims, const double *position);

/* perlane_at with the gradient at the position: gradient[0..dims-1], see perlane_fill_gradient.
 * Where the result is NaN, so is the gradient, and where derivatives could leave the range of float
 * both are; with a null pointer, a noise that was not initialised or wrong dims nothing is written.
 */
PERLANE_API float perlane_at_gradient(const perlane_noise *noise, int32_t dims,
                                      const double *position, float *gradient);

/* ---- Kernels -------------------------------------------------------------------------------- */

/* Instruction sets. Which one runs changes the speed and never the result. */
typedef enum perlane_isa {
  PERLANE_ISA_AUTO = 0, /* the best that this build and this CPU have */
  PERLANE_ISA_SCALAR,   /* the plain C reference: everywhere, slow */
  PERLANE_ISA_SSE41,    /* x86, 4 samples at a time */
  PERLANE_ISA_AVX2,     /* x86, 8 samples at a time */
  PERLANE_ISA_AVX512,   /* x86 with AVX-512 F, VL, BW and DQ, 16 samples at a time */
  PERLANE_ISA_NEON,     /* AArch64, 4 samples at a time */
  PERLANE_ISA_COUNT
} perlane_isa;

/* The name of an instruction set: "auto", "scalar", "sse4.1", "avx2", "avx512", "neon"; "unknown"
 * for any other value. Never NULL. */
PERLANE_API const char *perlane_isa_name(perlane_isa isa);

/* The instruction set of that name, letters in either case, with or without its dot;
 * PERLANE_ISA_COUNT if there is none or name is NULL. */
PERLANE_API perlane_isa perlane_isa_from_name(const char *name);

/* 1 if kernels for isa are part of this build, else 0. PERLANE_ISA_AUTO and _SCALAR always are. */
PERLANE_API int perlane_isa_built_in(perlane_isa isa);

/* 1 if kernels for isa are part of this build and this CPU and operating system run them. */
PERLANE_API int perlane_isa_supported(perlane_isa isa);

/* The instruction set in use. It is chosen on first use: the best supported one, or a lower
 * supported one if the environment variable PERLANE_ISA names it; other values of the variable
 * are ignored. */
PERLANE_API perlane_isa perlane_isa_current(void);

/* Makes every later call use the kernels of isa; PERLANE_ISA_AUTO chooses again as on first use.
 * Calls that are running finish with the kernels they began with.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_ISA if isa is not supported; then the choice stays. */
PERLANE_API perlane_status perlane_force_isa(perlane_isa isa);

/* Evaluates a fixed set of fields with the kernels of isa (PERLANE_ISA_AUTO: the current ones) and
 * digests every bit; takes about a millisecond. Compiler flags that break floating-point
 * arithmetic show here. If digest is not NULL, *digest receives the result.
 *
 * Returns PERLANE_OK if the digest is PERLANE_SELFTEST_DIGEST, PERLANE_ERROR_SELFTEST if not, or
 * PERLANE_ERROR_ISA if isa is not supported; then *digest is as it was. */
PERLANE_API perlane_status perlane_selftest(perlane_isa isa, uint64_t *digest);

#ifdef __cplusplus
}
#endif

#endif
