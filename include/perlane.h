/* SPDX-License-Identifier: MIT
 *
 * perlane: Perlin gradient noise for heightmaps, volumes and point lists, with the same bits on
 * every CPU, compiler, thread count and tiling.
 *
 * A field is a function from a position (double, 1 to 4 coordinates) to one float in [-1, 1].
 * perlane_fill, perlane_points and perlane_at evaluate that one function: where they meet, their
 * results are equal bit for bit. docs/specification.md defines it operation by operation.
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

#define PERLANE_VERSION_MAJOR 0
#define PERLANE_VERSION_MINOR 1
#define PERLANE_VERSION_PATCH 0
#define PERLANE_VERSION "0.1.0"

#define PERLANE_MAX_DIMS 4
#define PERLANE_MAX_OCTAVES 32

/* The most stack, in bytes, that any function of this library uses when compiled with optimisation.
 */
#define PERLANE_STACK_BYTES (120 * 1024)

/* What perlane_selftest computes on a machine that keeps the promise. */
#define PERLANE_SELFTEST_DIGEST UINT64_C(0xCE816C092329A804)

/* The library's version as "major.minor.patch". Never NULL. */
PERLANE_API const char *perlane_version(void);

/* ---- Status --------------------------------------------------------------------------------- */

/* What a function found. Anything but PERLANE_OK means that nothing was written. */
typedef enum perlane_status {
  PERLANE_OK = 0,
  PERLANE_ERROR_NULL,       /* a pointer that must not be null is null */
  PERLANE_ERROR_NOISE,      /* the perlane_noise was not made by perlane_init */
  PERLANE_ERROR_FREQUENCY,  /* frequency is not finite or not above 0, or leaves the range of
                               double at some octave */
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
  PERLANE_STATUS_COUNT
} perlane_status;

/* One sentence for a status, in English, without a full stop. Never NULL, also for a value that
 * is no status. */
PERLANE_API const char *perlane_status_string(perlane_status status);

/* ---- The field ------------------------------------------------------------------------------ */

/* Which field. Start from perlane_params_default() and change what you need: fields that a later
 * version adds then have their default. */
typedef struct perlane_params {
  uint64_t seed;     /* any value; neighbouring seeds give unrelated fields. Default 1337 */
  double frequency;  /* lattice cells per unit of position in the first octave; finite, above 0.
                        Features are about 1/frequency units wide. Default 0.01 */
  int32_t octaves;   /* layers of fractal Brownian motion, 1..PERLANE_MAX_OCTAVES. Default 1 */
  int32_t reserved0; /* 0 */
  double lacunarity; /* frequency of each octave over that of the one before; finite, above 0.
                        Default 2 */
  double gain;       /* amplitude of each octave over that of the one before, also known as
                        persistence; finite. Default 0.5 */
  uint64_t octave_seed_step; /* octave k is hashed with seed + k * octave_seed_step (mod 2^64).
                                Default 1; with 0 all octaves share one lattice, and show it */
  uint64_t reserved[32];     /* 0: room for options to come */
} perlane_params;

/* The default field: seed 1337, frequency 0.01, 1 octave, lacunarity 2, gain 0.5. */
PERLANE_API perlane_params perlane_params_default(void);

/* A field made ready to evaluate. Make it with perlane_init, copy it freely, share it between
 * threads; it owns nothing and needs no clean-up. Its members are not part of the interface. */
typedef struct perlane_noise {
  uint64_t ready;
  perlane_params params;
  double highest_frequency;
  struct perlane_octave {
    double frequency;                  /* cells per unit of position */
    float amplitude[PERLANE_MAX_DIMS]; /* for 1, 2, 3, 4 dimensions, output scale included */
    uint32_t key[PERLANE_MAX_DIMS];    /* what the hash of each axis starts from */
  } octave[PERLANE_MAX_OCTAVES];
} perlane_noise;

/* Makes *noise ready to evaluate the field that *params describes.
 *
 * The value is the sum over octaves k of gain^k * n_k, divided by the sum of |gain^k|: it stays
 * within [-1, 1] in every dimension, whatever the octaves, and one octave comes close to both
 * ends.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, _FREQUENCY, _OCTAVES, _LACUNARITY, _GAIN,
 * _RESERVED; then *noise is as it was. */
PERLANE_API perlane_status perlane_init(perlane_noise *noise, const perlane_params *params);

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
 * samples. */
PERLANE_API perlane_grid perlane_grid_make(size_t nx, size_t ny, size_t nz, size_t nw);

/* Fills a grid with the field.
 *
 * Sample (x, y, z, w) goes to
 *   out[x*stride[0] + y*stride[1] + z*stride[2] + w*stride[3]]
 * where a stride of 0 stands for the packed one: 1, count[0], count[0]*count[1], and so on; so a
 * packed grid is out[((w*nz + z)*ny + y)*nx + x] and takes the product of the counts in floats.
 * With strides, out must hold every index above; out itself is the place of sample (0, 0, 0, 0).
 * out needs the alignment of a float, no more. No other byte is written.
 *
 * Values lie in [-1, 1]. Outputs beyond a few MiB bypass the caches.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, _NOISE, _DIMS, _RESERVED, _COUNT, _STEP, _STRIDE,
 * _RANGE; then nothing was written. */
PERLANE_API perlane_status perlane_fill(const perlane_noise *noise, const perlane_grid *grid,
                                        float *out);

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
 * in [-1, 1].
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_NULL, _NOISE, _DIMS, _COUNT; then nothing was written. */
PERLANE_API perlane_status perlane_points(const perlane_noise *noise, int32_t dims, size_t n,
                                          const float *const *coords, float *out);

/* The field's value at one position: position[0..dims-1], in [-1, 1].
 *
 * Returns the quiet NaN 0x7FC00000 for a position outside the domain (see perlane_points), for a
 * null pointer, a noise that was not initialised, or dims outside 1..4. One sample at a time is
 * tens of times slower than a fill: prefer perlane_fill or perlane_points for more than a few. */
PERLANE_API float perlane_at(const perlane_noise *noise, int32_t dims, const double *position);

/* ---- Kernels -------------------------------------------------------------------------------- */

/* Instruction sets. Which one runs changes the speed and never the result. */
typedef enum perlane_isa {
  PERLANE_ISA_AUTO = 0, /* the best that this build and this CPU have */
  PERLANE_ISA_SCALAR,   /* the plain C reference: everywhere, slow */
  PERLANE_ISA_SSE41,    /* x86, 4 samples at a time */
  PERLANE_ISA_AVX2,     /* x86, 8 samples at a time */
  PERLANE_ISA_NEON,     /* AArch64, 4 samples at a time */
  PERLANE_ISA_COUNT
} perlane_isa;

/* The name of an instruction set: "auto", "scalar", "sse4.1", "avx2", "neon"; "unknown" for any
 * other value. Never NULL. */
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
