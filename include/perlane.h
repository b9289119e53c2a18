/* SPDX-License-Identifier: MIT
 *
 * perlane: Perlin, simplex, value, cellular and white noise for heightmaps, volumes and point
 * lists, with the same bits on every CPU, compiler, thread count and tiling.
 *
 *   perlane_params params = perlane_params_default();
 *   static perlane_noise noise;
 *   perlane_grid grid = perlane_grid_make(512, 512, 0, 0);
 *   perlane_init(&noise, &params);
 *   perlane_fill(&noise, &grid, out);
 *
 * A field is a function from a position (1 to 4 coordinates, in double) to one float. perlane_fill,
 * perlane_points, perlane_at and their variants all evaluate that one function: at the same
 * position they return the same bits. docs/specification.md defines the function operation by
 * operation. docs/migrating/presets.md shows how to reproduce the values of other noise libraries.
 *
 * perlane_text.h makes fields of texts and explains errors, perlane_expression.h combines fields,
 * perlane_picture.h draws pictures, perlane_gpu.h is for shaders, perlane_omp.h for OpenMP,
 * perlane.hpp for C++.
 *
 * Structures contain only members of fixed width, without padding between them, so that other
 * languages can declare them. There are two layouts, for 64-bit and for 32-bit pointers.
 * Enumerations are stored as int32_t and passed as int.
 *
 * The library allocates no memory, starts no threads, prints nothing, and has no state except the
 * choice of kernels. Any number of threads may call any functions at once, as long as none writes
 * to an object that another uses. A call needs at most PERLANE_STACK_BYTES of stack, and more
 * with valleys, expressions or a grid's own seed. Results do not depend on the caller's rounding
 * mode, flush-to-zero setting or exception mask, and every call leaves these as they were. A
 * program's own arithmetic with them keeps its bits only if compiled with -ffp-contract=off and
 * without -ffast-math (docs/determinism.md).
 */
#ifndef PERLANE_H
#define PERLANE_H

#include "perlane_params.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* PERLANE_BUILDING is defined while perlane is compiled as a shared library, which exports its
 * functions. A library that contains a static perlane exports none of them, so a process may load
 * several versions. On 32-bit x86 callers may align the stack to 4 bytes, as those on Windows do.
 */
#if defined(_WIN32) && defined(PERLANE_SHARED)
#ifdef PERLANE_BUILDING
#define PERLANE_VISIBLE __declspec(dllexport)
#else
#define PERLANE_VISIBLE __declspec(dllimport)
#endif
#elif defined(__GNUC__) && !defined(_WIN32) && defined(PERLANE_BUILDING)
#define PERLANE_VISIBLE __attribute__((visibility("default")))
#else
#define PERLANE_VISIBLE
#endif
#if defined(__GNUC__) && defined(__i386__)
#define PERLANE_API PERLANE_VISIBLE __attribute__((force_align_arg_pointer))
#else
#define PERLANE_API PERLANE_VISIBLE
#endif

/* Packed structures would differ from the library's, and its vectors would not be aligned. */
struct perlane_unpacked {
  char first;
  void *second;
};
typedef char perlane_must_be_compiled_without_fpack_struct
    [sizeof(struct perlane_unpacked) == 2 * sizeof(void *) ? 1 : -1];

#define PERLANE_VERSION_MAJOR 2 /* major version of this header; the library's: perlane_version */
#define PERLANE_VERSION_MINOR 0 /* minor version of this header */
#define PERLANE_VERSION_PATCH 0 /* patch version of this header */
#define PERLANE_VERSION "2.0.0" /* version of this header as a string */

/* Maximum stack use of a call, in bytes, if the library was compiled with optimization.
 * perlane_selftest needs up to 32 KiB more, because it fills grids of its own, and a grid with
 * has_seed 20 KiB more. A perlane_noise in a local variable adds 19 KiB: where stacks are small,
 * keep it static or on the heap. */
#define PERLANE_STACK_BYTES (60 * 1024)

/* What a field with valleys adds to that, to perlane_selftest and to an expression that has such a
 * field, for the network of channels around a point: more than a thread of musl's has unless it is
 * asked for. A fill with work memory of PERLANE_WORK_BYTES keeps the network there, except
 * with PERLANE_ISA_SCALAR. */
#define PERLANE_VALLEY_STACK_BYTES (128 * 1024)

/* Useful size of work memory in bytes, 320 KiB: more makes no fill faster. perlane_grid.work
 * describes it. */
#define PERLANE_WORK_BYTES 327680

/* Digest that perlane_selftest computes if every result is right. */
#define PERLANE_SELFTEST_DIGEST UINT64_C(0x1F26E347B9DB5EF9)

/* Returns the library's version as "major.minor.patch"; never NULL. */
PERLANE_API const char *perlane_version(void);

/* ---- Status --------------------------------------------------------------------------------- */

/* Result of a call. A failed call writes nothing unless its comment says otherwise. */
typedef enum perlane_status {
  PERLANE_OK = 0,           /* success */
  PERLANE_ERROR_NULL,       /* a required pointer is NULL */
  PERLANE_ERROR_NOISE,      /* the perlane_noise was not initialized by perlane_init, or a field of
                               the expression has changed since */
  PERLANE_ERROR_PARAMETER,  /* a member of perlane_params, or the text of an option, is invalid, or
                               does not go with the others: perlane_explain_params
                               and perlane_explain_text say which and why; or the width of a
                               look is invalid */
  PERLANE_ERROR_OPTION,     /* no option has this name */
  PERLANE_ERROR_PRESET,     /* no preset or look has this name, or a text names the preset after
                               other options */
  PERLANE_ERROR_SYNTAX,     /* the text is not a list of NAME=VALUE, or not an expression
                               (perlane_expression.h) */
  PERLANE_ERROR_DIMS,       /* dims is not in 1..PERLANE_MAX_DIMS */
  PERLANE_ERROR_FIELD_DIMS, /* the field's basis, hash or gradient set does not exist in this many
                               dimensions */
  PERLANE_ERROR_COUNT,      /* a count is 0, or exceeds what memory can address or an output has
                               room for */
  PERLANE_ERROR_STEP,       /* a step or a spacing is 0 or not finite */
  PERLANE_ERROR_STRIDE,     /* strides make samples overlap or interleave, or exceed the range
                               of addresses; or exact_strides is not 0 or 1 */
  PERLANE_ERROR_RANGE,      /* a sample is outside the domain: its position is not finite or is more
                               than 2^53 cells from the origin at some octave, or could be after a
                               warp; or first + count - 1 exceeds INT64_MAX */
  PERLANE_ERROR_LEVELS,     /* low or high is not finite, or they are equal or too close */
  PERLANE_ERROR_NO_GRADIENT, /* the field has no gradient: fractal is eroded, without valleys,
                                or valley_output is river */
  PERLANE_ERROR_NO_CELLS, /* the field has no cells: basis is not cellular; or no edges: cell_metric
                             is not euclidean; or its points cannot be placed: it has a warp */
  PERLANE_ERROR_STEEP,    /* derivatives could exceed the range of float: frequency,
                             warp_frequency, value_scale or another factor is too large */
  PERLANE_ERROR_ISA,      /* the instruction set is unknown, or not supported by this build or
                             this CPU */
  PERLANE_ERROR_SELFTEST, /* the kernels compute wrong results: see perlane_selftest */
  PERLANE_ERROR_LAYOUT,   /* the program was compiled with perlane.h of another version: sizes of
                             structures differ, or a reserved member is not 0 */
  PERLANE_ERROR_THREADS,  /* the number of threads is not in 0..PERLANE_OMP_MAX_THREADS
                             (perlane_omp.h) */
  PERLANE_ERROR_GPU,      /* shaders do not compute the field or the grid: perlane_explain_gpu
                             (perlane_gpu.h) */
  PERLANE_ERROR_OCTAVES,  /* a number of octaves is not in 0..PERLANE_MAX_OCTAVES, nor
                             PERLANE_OCTAVES_SHOWN; for perlane_limit_octaves, not in
                             1..PERLANE_MAX_OCTAVES */
  PERLANE_ERROR_EXPRESSION, /* the noise is an expression (perlane_expression.h), which has no seed
                               and cannot be a field of another expression */
  PERLANE_ERROR_COORDS,     /* a perlane_list has coords64 beside coords or an origin */
  PERLANE_ERROR_PICTURE,    /* kind, palette or bits of a perlane_picture (perlane_picture.h) are
                               invalid, or its plan was not made by perlane_picture_prepare */
  PERLANE_ERROR_LIGHT,      /* azimuth is not in 0..360, or altitude not in 0..90 degrees */
  PERLANE_ERROR_RELIEF,     /* a picture's relief is too high for its grid's steps */
  PERLANE_ERROR_NO_SLOPES,  /* the field has no slopes for light and normals: its gradient is 0 */
  PERLANE_STATUS_COUNT
} perlane_status;

/* Returns a description of a status: one English sentence without a full stop. Never NULL, even for
 * a value that is not a status. */
PERLANE_API const char *perlane_status_string(perlane_status status);

/* ---- The field ------------------------------------------------------------------------------ */

/* perlane_params.h has the parameters of a field and what each means. */

/* Sets *params to the parameters of the default field, whose members perlane_params lists.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL or PERLANE_ERROR_LAYOUT. */
PERLANE_API perlane_status perlane_params_init(perlane_params *params);

/* ---- Noise ----------------------------------------------------------------------------------- */

/* Constants of an octave. Its members are not part of the interface. */
struct perlane_octave {
  double frequency;                  /* cells per unit of position */
  float amplitude[PERLANE_MAX_DIMS]; /* for 1, 2, 3, 4 dimensions, output scale included */
  float strength;                    /* factor of the shaped noise */
  uint32_t key[PERLANE_MAX_DIMS];    /* start of each axis' hash */
  uint32_t phase[PERLANE_MAX_DIMS];  /* shift of the lattice, in 2^-24 of a cell */
  int32_t period[PERLANE_MAX_DIMS];  /* in cells, 0 for none */
  uint32_t shift[PERLANE_MAX_DIMS];  /* added to cells before a table lookup */
  float bias;                        /* added to distances of cellular noise */
};

/* The octaves' constants once more, an array for each, to evaluate octaves side by side. Entries
 * past the last octave repeat it, up to a multiple of 16. Not part of the interface. */
struct perlane_octave_arrays {
  double frequency[PERLANE_MAX_OCTAVES];
  double start[PERLANE_MAX_DIMS][PERLANE_MAX_OCTAVES]; /* added to positions in cells: the phase */
  float amplitude[PERLANE_MAX_DIMS][PERLANE_MAX_OCTAVES];
  uint32_t key[PERLANE_MAX_DIMS][PERLANE_MAX_OCTAVES];
  float strength[PERLANE_MAX_OCTAVES];
};

/* Pieces of a curve: x - start is t of c0 + (c1 + (c2 + c3 * t) * t) * t. Not part of the
 * interface. */
struct perlane_pieces {
  float start[PERLANE_MAX_CURVE_POINTS], c0[PERLANE_MAX_CURVE_POINTS], c1[PERLANE_MAX_CURVE_POINTS],
      c2[PERLANE_MAX_CURVE_POINTS], c3[PERLANE_MAX_CURVE_POINTS];
  float low, high; /* the smallest and the largest y */
  int32_t count;   /* number of pieces; the last one is the last point alone */
};

/* The program of an expression (perlane_expression.h). Not part of the interface. */
struct perlane_expression {
  /* of steps, fields, affine parts, and curves */
  int32_t count, field_count, affine_count, curve_count;
  struct perlane_expression_step {
    int32_t operation, operand;
    float number;
  } step[128];
  const struct perlane_noise *field[16];
  uint64_t identity[16];                    /* of the fields when the expression was made */
  double affine[128][PERLANE_MAX_DIMS + 1]; /* factors of the coordinates, and a number */
  struct perlane_pieces curve[8];
};

/* A field, ready to be evaluated. Initialize it with perlane_init, or from others with
 * perlane_expression_init. It may be copied and shared between threads, owns nothing and needs no
 * clean-up. An expression points to its fields, and a field with PERLANE_HASH_GRID to
 * gradient_grid. Its members are not part of the interface: other languages need not declare them,
 * only provide as many bytes as perlane_layout() says, aligned to 8. */
typedef struct perlane_noise {
  uint64_t ready;
  perlane_params params;
  double highest_frequency;
  double highest_warp_frequency;
  double largest[PERLANE_MAX_DIMS]; /* bound of one octave's raw noise, for 1, 2, 3, 4 dimensions;
                                       0 where the field does not exist */
  float value_scale;                /* factor of the octaves' sum; 1 if part of amplitude */
  float value_offset;               /* added to the product */
  int32_t octaves;                  /* number of octaves evaluated */
  int32_t shaped;                   /* 1 if octaves need more than adding up */
  int32_t plain; /* 1 if values are sums of Perlin noise that have the lattice hash, no periods, and
                    nothing done to them */
  int32_t sloped;         /* bit d - 1: 1 if the field has a gradient in d dimensions */
  int32_t valley_octaves; /* number of sizes of side valleys evaluated; 0 without valleys */
  int32_t is_expression;
  struct perlane_octave octave[PERLANE_MAX_OCTAVES];
  struct perlane_octave warp_octave[PERLANE_MAX_WARP_OCTAVES]; /* of each displacement, without its
                                                                  keys and phases */
  union {
    struct perlane_octave_arrays arrays;
    char names[16][128]; /* of an expression's fields */
  } of;
  struct perlane_pieces pieces; /* of the curve */
  uint8_t table[1024 + 8];      /* the hash's table, padded for 4-byte reads at its end */
  uint32_t reserved0; /* makes the size the same where words of 64 bits are aligned to 4 */
  union {
    float vector[10][256]; /* gradient components: 1D, 2D x y, 3D x y z, 4D x y z w */
    struct perlane_expression expression;
  };
  uint64_t identity;     /* hash of what values follow from */
  uint64_t reserved[14]; /* for later versions */
} perlane_noise;

/* Initializes *noise to evaluate the field with the parameters *params.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_PARAMETER or PERLANE_ERROR_LAYOUT. An error
 * leaves *noise unchanged. */
PERLANE_API perlane_status perlane_init(perlane_noise *noise, const perlane_params *params);

/* Changes the seed of an initialized *noise. It then evaluates the field that perlane_init makes of
 * the same parameters with this seed, bit for bit. It does not read the caller's tables again, and
 * takes less than half of its time; with PERLANE_GRADIENTS_SPHERE, whose vectors are drawn from the
 * seed, as long.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_NOISE or PERLANE_ERROR_EXPRESSION. */
PERLANE_API perlane_status perlane_reseed(perlane_noise *noise, uint64_t seed);

/* Keeps only the first octaves of an initialized *noise, for example of a copy for a level of
 * detail. Every function then computes what a fill with this many perlane_grid.octaves does, bit
 * for bit. The domain stays that of all octaves, and perlane_range may become narrower. A noise
 * with fewer octaves does not change. A field with valleys keeps all of its octaves, which are the
 * heights of its valleys; sizes of side valleys count after them.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_NOISE, or PERLANE_ERROR_OCTAVES if octaves
 * is not in 1..PERLANE_MAX_OCTAVES. */
PERLANE_API perlane_status perlane_limit_octaves(perlane_noise *noise, int32_t octaves);

/* Computes bounds of the field's values in dims dimensions: no sample is below *low or above *high.
 * The bounds follow from the parameters, without evaluating the field. They are -1 and 1 for
 * PERLANE_NORMALIZE_FULL with the default basis, value_scale and value_offset, and no curve,
 * falloff or valleys, and otherwise close to the tightest possible.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_NOISE, PERLANE_ERROR_DIMS or
 * PERLANE_ERROR_FIELD_DIMS. */
PERLANE_API perlane_status perlane_range(const perlane_noise *noise, int32_t dims, float *low,
                                         float *high);

/* ---- Grids ---------------------------------------------------------------------------------- */

#define PERLANE_OCTAVES_SHOWN (-1) /* as a number of octaves: those that the samples can show */

/* A uniform grid of samples. Axes 0 to 3 are x, y, z and w; entries from dims on are ignored.
 *
 * Sample i of axis a, i = 0..count[a]-1, has the coordinate
 *
 *   origin[a] + (double)(first[a] + i) * step[a]
 *
 * A tile of a larger map has the map's origin and step; `first` is the index of its first sample
 * within the map. Its samples are the map's own, bit for bit.
 *
 * Set work and work_bytes wherever memory is available, with a buffer for each thread.
 * PERLANE_WORK_BYTES of it make grids of several octaves, warps and gradients faster
 * (docs/performance.md); less memory helps in part, and no bit changes.
 *
 * For a coarse level of detail, set octaves to PERLANE_OCTAVES_SHOWN: all up to the last whose
 * frequency is at most half a cell per sample, and at least 1. The octaves left out would alias
 * there, and cost time. The remaining octaves are scaled as in the whole field, so levels differ
 * only by the octaves left out. The longest step decides, that of an axis with one sample, too, so
 * that tiles have the octaves of the whole. Each field of an expression has the octaves that its
 * own steps show: at(2*x, 2*y, hills) doubles those of hills.
 *
 * For many worlds, or many maps of one kind, set has_seed and seed: fills then store the bits of a
 * noise that perlane_reseed gave this seed, without a noise for each thread. Such a call takes 20
 * KiB more of stack. Expressions, whose seeds belong to their fields, and shaders refuse it. */
typedef struct perlane_grid {
  int32_t dims;          /* number of axes, 1..4 */
  int32_t exact_strides; /* 0: a stride of 0 stands for the packed one; 1: strides are taken
                            literally, as in NumPy */
  int64_t first[PERLANE_MAX_DIMS];  /* index of the first sample; may be negative */
  uint64_t count[PERLANE_MAX_DIMS]; /* number of samples along the axis, at least 1 */
  double origin[PERLANE_MAX_DIMS];  /* coordinate of index 0; finite */
  double step[PERLANE_MAX_DIMS];    /* distance between samples in units of position; finite, not 0,
                                       may be negative */
  int64_t stride[PERLANE_MAX_DIMS]; /* distance between samples in the output, in elements; may be
                                       negative; 0: packed, x fastest, unless exact_strides is 1 */
  void *work;        /* work memory for this call alone, of any alignment; NULL: stack only */
  size_t work_bytes; /* its size: at most PERLANE_WORK_BYTES of it are used */
  int32_t octaves;   /* number of octaves that are evaluated, from the first on, then sizes of side
                        valleys, at most PERLANE_MAX_OCTAVES; 0, or more than the
                        field has: all; or PERLANE_OCTAVES_SHOWN */
  int32_t has_seed;  /* 1: this call evaluates the field with `seed`; 0: with its own */
  uint64_t seed;     /* any value */
  uint64_t reserved[3]; /* 0; for later versions */
} perlane_grid;

/* Sets *grid to a packed grid with origin 0, step 1 and first 0 along every axis. Its axes end
 * before the first count of 0: counts of 512, 256, 0, 0 are a 2D map of 512 x 256 samples. If nx is
 * 0, or a count of 0 comes before one that is not, the grid has no axes: dims is 0, and fills
 * return PERLANE_ERROR_DIMS.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_LAYOUT, or PERLANE_ERROR_DIMS if the grid
 * has no axes. */
PERLANE_API perlane_status perlane_grid_init(perlane_grid *grid, uint64_t nx, uint64_t ny,
                                             uint64_t nz, uint64_t nw);

/* Returns what perlane_fill would return for this grid, without filling it.
 *
 * If a grid passes this check, so does every part of it: a grid with its own first and count, and
 * otherwise the members of the whole grid, with strides of 0 replaced by the packed ones. A program
 * that fills the parts on several threads needs to check only once (docs/embedding.md).
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_NOISE, PERLANE_ERROR_DIMS,
 * PERLANE_ERROR_FIELD_DIMS, PERLANE_ERROR_COUNT, PERLANE_ERROR_STEP, PERLANE_ERROR_STRIDE,
 * PERLANE_ERROR_RANGE, PERLANE_ERROR_OCTAVES or PERLANE_ERROR_LAYOUT. (PERLANE_ERROR_NULL also if
 * work is NULL and work_bytes is not 0.) */
PERLANE_API perlane_status perlane_grid_check(const perlane_noise *noise, const perlane_grid *grid);

/* Computes bounds of the values in a grid. For an expression they follow from the bounds of its
 * fields and of the grid's positions, operation by operation; values that are not numbers, such as
 * those of a field that at() may evaluate outside its domain, are not bounded. A field has the
 * bounds of perlane_range.
 *
 * Returns PERLANE_ERROR_NULL or the statuses of perlane_grid_check. */
PERLANE_API perlane_status perlane_range_in(const perlane_noise *noise, const perlane_grid *grid,
                                            float *low, float *high);

/* Computes into how many pieces to cut a grid, for threads or for the chunks of a file.
 * perlane_grid_piece makes the pieces.
 *
 * If unit is NULL, *pieces is a good number for `wanted` threads: more than one for each thread if
 * the grid is large, fewer if it is small, and 1 for one thread.
 *
 * Otherwise pieces begin at multiples of unit[a] samples along each axis a < grid->dims, counted
 * from the grid's first sample. *pieces is at least `wanted`, or one for each unit if there are
 * fewer: UINT64_MAX cuts at every multiple.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_DIMS, PERLANE_ERROR_STRIDE if a sample's
 * distance from the first exceeds INT64_MAX, PERLANE_ERROR_RANGE if first + count - 1 does, or
 * PERLANE_ERROR_COUNT if a count, a unit or `wanted` is 0 or there are more than INT64_MAX samples.
 * perlane_grid_check makes all checks of a grid that is to be filled. */
PERLANE_API perlane_status perlane_grid_cut(const perlane_grid *grid, const uint64_t *unit,
                                            uint64_t wanted, uint64_t *pieces);

/* Sets *piece to a piece of a grid, index 0..pieces-1 in the order of x, y, z and w. pieces is what
 * perlane_grid_cut computes for this grid and these units. Every sample is in one piece.
 *
 * A piece is a grid with its own first and count, and the strides of the whole grid, with strides
 * of 0 replaced by the packed ones. Its work is NULL: set the buffer of its thread. Filled at
 * out + *offset, it gets the bits that filling the whole grid stores there. offset may be NULL, and
 * piece may be the grid itself.
 *
 * Axes are cut from the last one to the first, each only if those after it are cut at every unit.
 * If all units are 1, pieces are runs of samples of a packed output, in their order.
 *
 * With units, the pieces are the same in every version 2.x; without, a version may change them.
 *
 * Returns the same statuses as perlane_grid_cut, or PERLANE_ERROR_COUNT if `pieces` is another
 * number or index is not below it. */
PERLANE_API perlane_status perlane_grid_piece(const perlane_grid *grid, const uint64_t *unit,
                                              uint64_t pieces, uint64_t index, perlane_grid *piece,
                                              int64_t *offset);

/* Fills a grid with the field. Sample (x, y, z, w) is stored at
 *
 *   out[x*stride[0] + y*stride[1] + z*stride[2] + w*stride[3]]
 *
 * A stride of 0 stands for the packed one: 1, count[0], count[0]*count[1], and so on. A packed grid
 * is out[((w*nz + z)*ny + y)*nx + x] and takes as many floats as the product of the counts.
 * Otherwise out points to sample (0, 0, 0, 0), and every index above must be valid.
 *
 * Set exact_strides to 1 for strides that come from elsewhere, such as a NumPy array: a stride of 0
 * is then taken literally. The stride of an axis with a count of 1 is never used. Every other
 * stride must be at least as long as the span of all axes with shorter strides, or the grid is
 * refused with PERLANE_ERROR_STRIDE: its samples would overlap, or its rows interleave, as those of
 * 3 x 2 samples with strides of 2 and 3 do.
 *
 * out needs only the alignment of a float. Large outputs are written fastest if the length of their
 * rows is a multiple of 64 bytes (docs/performance.md). Outputs of 4 MiB and more bypass the
 * caches. No byte except the samples' is written.
 *
 * Values are within perlane_range, [-1, 1] by default, whatever grid->octaves.
 *
 * Returns the same statuses as perlane_grid_check. */
PERLANE_API perlane_status perlane_fill(const perlane_noise *noise, const perlane_grid *grid,
                                        float *out);

/* Fills a grid as perlane_fill does, and finds the smallest and the largest value in the same pass.
 * A zero among these is +0.
 *
 * Returns the same statuses as perlane_fill. */
PERLANE_API perlane_status perlane_fill_extremes(const perlane_noise *noise,
                                                 const perlane_grid *grid, float *out,
                                                 float *smallest, float *largest);

/* Fills a grid as perlane_fill does, and with the field's gradient in the same pass: gradient[a]
 * receives the derivatives along axis a, for each axis a < grid->dims, in value per unit of
 * position. Each gradient[a] is an array with the layout of out and the same strides, so values and
 * derivatives may be interleaved. If out is NULL, only the gradient is filled.
 *
 * Derivatives are analytic and exact to a few roundings of float at every sample. With
 * PERLANE_FRACTAL_FBM or PERLANE_FRACTAL_NONE and the quintic or cubic fade they are continuous.
 * Other fields have creases or steps, where the gradient jumps: ridged and billow where n is 0,
 * ping-pong where it folds, weighted octaves where a weight reaches 0 or 1, the linear fade at cell
 * borders, contrast 0 where the value is 0. The gradient of white noise is 0.
 *
 * The gradient of cellular noise is 0 at feature points. It jumps at these points, and at borders:
 * where another point becomes the nearest or the second nearest. With PERLANE_CELL_OUTPUT_EDGE it
 * also jumps where another border becomes the nearest, and with PERLANE_CELL_METRIC_MANHATTAN or
 * PERLANE_CELL_METRIC_CHEBYSHEV on lines through feature points. With PERLANE_CELL_OUTPUT_VALUE it
 * is 0 everywhere.
 *
 * Returns the same statuses as perlane_fill, PERLANE_ERROR_NO_GRADIENT for fields without a
 * gradient (with PERLANE_FRACTAL_ERODED, whose gradient needs second derivatives, unless it has
 * valleys; or with PERLANE_VALLEY_OUTPUT_RIVER), or
 * PERLANE_ERROR_STEEP if derivatives could exceed the range of float: if frequency, amplitude,
 * contrast, value_scale and the warp together, or warp_frequency alone, exceed about 1e20. */
PERLANE_API perlane_status perlane_fill_gradient(const perlane_noise *noise,
                                                 const perlane_grid *grid, float *out,
                                                 float *const *gradient);

/* Fills a grid with the field as integers of 16 or 8 bits: low becomes 0, and high becomes the
 * largest integer M, 65535 or 255. low may be above high. An integer is
 *
 *   (value - low) * (float)(M / ((double)high - (double)low))
 *
 * clamped to 0..M and rounded to nearest, ties to even. The layout of out is that of perlane_fill,
 * with strides in integers instead of floats.
 *
 * Returns the same statuses as perlane_fill, or PERLANE_ERROR_LEVELS. */
PERLANE_API perlane_status perlane_fill_u16(const perlane_noise *noise, const perlane_grid *grid,
                                            float low, float high, uint16_t *out);
PERLANE_API perlane_status perlane_fill_u8(const perlane_noise *noise, const perlane_grid *grid,
                                           float low, float high, uint8_t *out);

/* ---- Points --------------------------------------------------------------------------------- */

/* A list of positions. The coordinate of position i along axis a < dims is
 *
 *   origin[a] + (double)coords[a][i * stride], rounded once, to double, or coords64[a][i * stride].
 *
 * Floats have 24 bits: far from 0, neighbouring positions become the same float, so give coords
 * relative to an origin near the points, such as the corner of a tile or the camera. Coordinates
 * may be members of other structures: those of vertices {float x, y, z;} have a stride of 3.
 * Initialize all members: {.dims = 3, .count = n, .coords = {x, y, z}}. */
typedef struct perlane_list {
  int32_t dims;    /* number of axes, 1..4 */
  int32_t octaves; /* number of octaves that are evaluated, as in perlane_grid; 0: all; or
                      PERLANE_OCTAVES_SHOWN, with a step */
  uint64_t count;  /* number of positions, may be 0; coordinates and outputs may then be NULL */
  int64_t stride;  /* distance between the coordinates of positions along each axis, in
                      elements; may be negative; 0: 1, for arrays of coordinates */
  double step;     /* distance between neighbouring samples, of a mesh for example, for
                      PERLANE_OCTAVES_SHOWN: finite, not 0; otherwise it has no effect */
  const double *origin; /* dims doubles, added to coords; NULL: 0. Only with coords */
  const float *coords[PERLANE_MAX_DIMS];    /* first position's coordinate along each axis, or */
  const double *coords64[PERLANE_MAX_DIMS]; /* the same in double; the others are NULL */
  void *reserved[3];                        /* NULL; for later versions */
} perlane_list;

/* Evaluates the field at the positions of a list: out[i] is the value at position i, count floats.
 * If gradient is not NULL, gradient[a][i] is the derivative along axis a < dims, as in
 * perlane_fill_gradient, and out may be NULL.
 *
 * All arrays need only the alignment of their type. With a stride of 1 each output may be one of
 * the arrays of coords; otherwise outputs must not overlap the coordinates or each other.
 *
 * Values and derivatives are the quiet NaN 0x7FC00000 at a position outside the domain: one with a
 * coordinate that is not finite or is more than 2^53 cells from the origin of positions at some
 * octave of the field or of its warp, displaced or not. This is not an error, nor is an origin that
 * is not finite. All other values are within perlane_range.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_NOISE, PERLANE_ERROR_DIMS,
 * PERLANE_ERROR_FIELD_DIMS, PERLANE_ERROR_COUNT if memory cannot have count coordinates,
 * PERLANE_ERROR_OCTAVES, PERLANE_ERROR_STEP if octaves is PERLANE_OCTAVES_SHOWN and step is 0 or
 * not finite, PERLANE_ERROR_STRIDE if the stride exceeds the range of addresses,
 * PERLANE_ERROR_COORDS if coords64 is given beside coords or an origin, or PERLANE_ERROR_LAYOUT if
 * a reserved member is not NULL; with a gradient also PERLANE_ERROR_NO_GRADIENT or
 * PERLANE_ERROR_STEEP. With a count of 0 and a gradient it answers whether the field has one in
 * dims dimensions. */
PERLANE_API perlane_status perlane_points(const perlane_noise *noise, const perlane_list *list,
                                          float *out, float *const *gradient);

/* Returns the field's value at one position, position[0..dims-1]. For more than a few positions use
 * perlane_fill or perlane_points, which take far less time for each (docs/performance.md).
 *
 * Returns the quiet NaN 0x7FC00000 if the position is outside the domain (see perlane_points), a
 * pointer is NULL, the noise was not initialized, dims is not in 1..4, or the field does not exist
 * in dims dimensions. */
PERLANE_API float perlane_at(const perlane_noise *noise, int32_t dims, const double *position);

/* Returns what perlane_at returns, and stores the gradient at the position in gradient[0..dims-1],
 * as in perlane_fill_gradient.
 *
 * If the position is outside the domain, the field has no gradient or derivatives could exceed the
 * range of float, the value and the gradient are NaN. If a pointer is NULL, the noise was not
 * initialized or dims is wrong, the value is NaN and gradient is unchanged. */
PERLANE_API float perlane_at_gradient(const perlane_noise *noise, int32_t dims,
                                      const double *position, float *gradient);

/* ---- Cells ---------------------------------------------------------------------------------- */

/* Outputs of perlane_fill_cells and perlane_points_cells: the nearest points that
 * PERLANE_BASIS_CELLULAR finds in the lattice of the first octave. Arrays that are NULL are not
 * computed; the others must not overlap. In grids of a field without a warp each computed array
 * takes about as long as a fill, otherwise all together little longer than a fill. */
typedef struct perlane_cells {
  uint32_t *id; /* number of the cell that the nearest point belongs to: its hash, which all samples
                   of the point's region share. Two of 10,000 cells are equal with a probability of
                   1 % (docs/internals/quality.md) */
  float *offset[PERLANE_MAX_DIMS]; /* vector from the sample to the nearest point, in units of
                                      position: the point is at position[a] + offset[a], also in a
                                      warped field. Entries from dims on are ignored */
  float *f1;         /* distance to the nearest point in the field's metric, in cells */
  float *f2;         /* distance to the second nearest point */
  float *edge;       /* distance to the border of the nearest point's region, in cells, as
                        PERLANE_CELL_OUTPUT_EDGE; only with PERLANE_CELL_METRIC_EUCLIDEAN */
  void *reserved[2]; /* NULL; for later versions */
} perlane_cells;

/* Fills a grid with the cells of a field whose basis is PERLANE_BASIS_CELLULAR: for each sample,
 * the cell that it belongs to, and the vector and distance to that cell's point. Other fields can
 * be evaluated at that point, which gives one value per region (examples/biomes.c).
 *
 * Each array has the layout of perlane_fill's out, with the grid's strides.
 *
 * Returns the same statuses as perlane_fill, or PERLANE_ERROR_NO_CELLS. */
PERLANE_API perlane_status perlane_fill_cells(const perlane_noise *noise, const perlane_grid *grid,
                                              const perlane_cells *out);

/* Finds the cells of a list's positions as perlane_fill_cells does: out's arrays have list->count
 * entries each, which must not overlap the coordinates. Outside the domain every entry has the bits
 * 0x7FC00000, those of NaN. The octaves of the list have no effect.
 *
 * Returns the same statuses as perlane_points without a gradient, or PERLANE_ERROR_NO_CELLS. */
PERLANE_API perlane_status perlane_points_cells(const perlane_noise *noise,
                                                const perlane_list *list, const perlane_cells *out);

/* Finds the points of a field whose basis is PERLANE_BASIS_CELLULAR and that has no warp: one in
 * each cell of the first octave, to place trees, rocks or towns at. The box has the positions from
 * low[a] up to, but without, high[a] along each axis a < dims; of boxes side by side one has the
 * point. Points come cell by cell, x fastest.
 *
 * *count receives the number of points in the box; of more than `capacity` the first are written:
 * to position[a] the coordinates along axis a < dims; to id the number of the cell, as
 * perlane_cells.id; to number another, evenly distributed in (-1, 1): where it is below the value
 * of a second field, keep the point, and that field is a density, from -1 for no points to 1 for
 * all. Each array, and position itself, may be NULL; a capacity of 0 counts the points. With jitter
 * 1 a point may be anywhere in its cell; less keeps points apart.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_NOISE, PERLANE_ERROR_DIMS,
 * PERLANE_ERROR_FIELD_DIMS, PERLANE_ERROR_NO_CELLS, PERLANE_ERROR_RANGE if a corner of the box is
 * not finite or more than 2^53 cells from the origin, or PERLANE_ERROR_COUNT if the box has more
 * than 2^40 cells. An error writes nothing. */
PERLANE_API perlane_status perlane_scatter(const perlane_noise *noise, int32_t dims,
                                           const double *low, const double *high, uint64_t capacity,
                                           double *const *position, uint32_t *id, float *number,
                                           uint64_t *count);

/* ---- Kernels -------------------------------------------------------------------------------- */

/* Instruction set. The choice affects speed, never results. */
typedef enum perlane_isa {
  PERLANE_ISA_AUTO = 0, /* the best one that this build and this CPU support */
  PERLANE_ISA_SCALAR,   /* plain C, the reference: supported everywhere, slow */
  PERLANE_ISA_SSE41,    /* x86, 4 samples at a time */
  PERLANE_ISA_AVX2,     /* x86, 8 samples at a time */
  PERLANE_ISA_AVX512,   /* x86 with AVX-512 F, VL, BW and DQ, 16 samples at a time */
  PERLANE_ISA_NEON,     /* AArch64, 4 samples at a time */
  PERLANE_ISA_SIMD128,  /* WebAssembly, 4 samples at a time */
  PERLANE_ISA_PORTABLE, /* other machines, 4 samples at a time, with gcc and clang */
  PERLANE_ISA_COUNT
} perlane_isa;

/* Returns the name of an instruction set: "auto", "scalar", "sse4.1", "avx2", "avx512", "neon",
 * "simd128" or "portable"; "unknown" for any other value. Never NULL. */
PERLANE_API const char *perlane_isa_name(perlane_isa isa);

/* Returns the instruction set with this name, in upper or lower case, with or without the dot;
 * PERLANE_ISA_COUNT if there is none or name is NULL. */
PERLANE_API perlane_isa perlane_isa_from_name(const char *name);

/* Returns 1 if this build contains kernels for isa, else 0. PERLANE_ISA_AUTO and PERLANE_ISA_SCALAR
 * are in every build. */
PERLANE_API int perlane_isa_built_in(perlane_isa isa);

/* Returns 1 if this build contains kernels for isa and this CPU and operating system can run them,
 * else 0. */
PERLANE_API int perlane_isa_supported(perlane_isa isa);

/* Returns the instruction set in use. The first call that needs it chooses: the set named by the
 * environment variable PERLANE_ISA if it is supported, else the best supported one. */
PERLANE_API perlane_isa perlane_isa_current(void);

/* Sets the instruction set for all later calls, in all threads. PERLANE_ISA_AUTO repeats the choice
 * described at perlane_isa_current. Calls in progress finish with the kernels they started with.
 *
 * Returns PERLANE_OK, or PERLANE_ERROR_ISA if isa is not supported; the choice is then
 * unchanged. */
PERLANE_API perlane_status perlane_force_isa(perlane_isa isa);

/* Tests the kernels of isa (PERLANE_ISA_AUTO: those in use) by evaluating a fixed set of fields and
 * computing a digest of all their bits: values, derivatives, integers and cells, of all options but
 * tables. It detects compiler flags that break floating-point arithmetic, and takes 10 to
 * 20 milliseconds, with PERLANE_ISA_SCALAR about a second. If digest is not NULL, *digest receives
 * the digest, right or wrong.
 *
 * Returns PERLANE_OK if the digest is PERLANE_SELFTEST_DIGEST, PERLANE_ERROR_SELFTEST if it is not,
 * or PERLANE_ERROR_ISA if isa is not supported; then nothing is written. */
PERLANE_API perlane_status perlane_selftest(perlane_isa isa, uint64_t *digest);

/* ---- The layout of structures --------------------------------------------------------------- */

/* Returns the sizes of the library's structures as PERLANE_LAYOUT has those of this header, 12 bits
 * each, in units of 8 bytes: perlane_noise, 19,528 bytes if pointers have 64 bits, perlane_params,
 * perlane_grid, perlane_list and perlane_cells. They are the same in all versions 2.x. Other
 * languages compare it with the sizes that they declare, or take the first two from it. */
PERLANE_API uint64_t perlane_layout(void);

#define PERLANE_LAYOUT                                                                             \
  (UINT64_C(0x1000000000000) * (sizeof(perlane_noise) / 8) +                                       \
   UINT64_C(0x1000000000) * (sizeof(perlane_params) / 8) +                                         \
   UINT64_C(0x1000000) * (sizeof(perlane_grid) / 8) +                                              \
   UINT64_C(0x1000) * (sizeof(perlane_list) / 8) + sizeof(perlane_cells) / 8)

/* The functions that initialize a structure are called through macros of their names, which return
 * PERLANE_ERROR_LAYOUT, before the library writes anything, if the program was compiled with the
 * header of another version. */
#define PERLANE_CHECKED(...)                                                                       \
  (perlane_layout() == PERLANE_LAYOUT ? (__VA_ARGS__) : PERLANE_ERROR_LAYOUT)
#define perlane_params_init(...) PERLANE_CHECKED(perlane_params_init(__VA_ARGS__))
#define perlane_init(...) PERLANE_CHECKED(perlane_init(__VA_ARGS__))
#define perlane_grid_init(...) PERLANE_CHECKED(perlane_grid_init(__VA_ARGS__))

#ifdef __cplusplus
#define PERLANE_ZEROS                                                                              \
  {}
#else
#define PERLANE_ZEROS                                                                              \
  { 0 }
#endif

/* Returns the parameters of the default field; after PERLANE_ERROR_LAYOUT, zeros. */
static inline perlane_params perlane_params_default(void) {
  perlane_params params = PERLANE_ZEROS;
  (void)perlane_params_init(&params);
  return params;
}

/* Returns what perlane_grid_init makes: perlane_grid_make(512, 256, 0, 0) is a 2D map. */
static inline perlane_grid perlane_grid_make(uint64_t nx, uint64_t ny, uint64_t nz, uint64_t nw) {
  perlane_grid grid = PERLANE_ZEROS;
  (void)perlane_grid_init(&grid, nx, ny, nz, nw);
  return grid;
}

#undef PERLANE_ZEROS

#ifdef __cplusplus
}
#endif

#endif
