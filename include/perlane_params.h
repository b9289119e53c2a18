/* SPDX-License-Identifier: MIT
 *
 * perlane_params.h: the parameters of a field. perlane.h includes it.
 */
#ifndef PERLANE_PARAMS_H
#define PERLANE_PARAMS_H

#include <stdint.h>

#define PERLANE_MAX_DIMS 4           /* maximum number of coordinates of a position */
#define PERLANE_MAX_OCTAVES 32       /* maximum number of octaves */
#define PERLANE_MAX_WARP_OCTAVES 16  /* maximum number of octaves of a warp */
#define PERLANE_MAX_VALLEY_OCTAVES 8 /* maximum of perlane_params.valley_octaves */
#define PERLANE_MAX_WARP_ROUNDS 3    /* maximum of warp_rounds: iterations */
#define PERLANE_MAX_CURVE_POINTS 16  /* maximum number of points of a curve */

/* Kind of noise: what the hash selects at each lattice point or cell. */
typedef enum perlane_basis {
  PERLANE_BASIS_PERLIN = 0, /* Perlin noise: a gradient per lattice point */
  PERLANE_BASIS_VALUE,      /* value noise: a value in (-1, 1) per lattice point, interpolated */
  PERLANE_BASIS_WHITE,      /* white noise: a value in (-1, 1) per cell, uniformly
                               distributed; mean 0, standard deviation 1/sqrt(3) */
  PERLANE_BASIS_GAUSSIAN,   /* Gaussian white noise: a value per cell, normally distributed;
                               mean 0, standard deviation 1, magnitude below 5.8; requires
                               PERLANE_HASH_LATTICE */
  PERLANE_BASIS_CELLULAR,   /* cellular noise (Worley 1996): one random point per cell, and the
                               distance to the nearest ones; 1D to 3D; requires
                               PERLANE_HASH_LATTICE */
  PERLANE_BASIS_SIMPLEX,    /* simplex noise (Perlin 2001): a gradient per corner of triangles or
                               tetrahedra, the same in all directions; 2D and 3D; requires
                               PERLANE_HASH_LATTICE and no period */
  PERLANE_BASIS_COUNT
} perlane_basis;

/* Distance metric of cellular noise. d is the offset to a feature point along an axis, in cells. */
typedef enum perlane_cell_metric {
  PERLANE_CELL_METRIC_EUCLIDEAN = 0, /* square root of the sum of d * d */
  PERLANE_CELL_METRIC_SQUARED,       /* sum of d * d */
  PERLANE_CELL_METRIC_MANHATTAN,     /* sum of |d| */
  PERLANE_CELL_METRIC_CHEBYSHEV,     /* largest |d| */
  PERLANE_CELL_METRIC_COUNT
} perlane_cell_metric;

/* Number that cellular noise returns. */
typedef enum perlane_cell_output {
  PERLANE_CELL_OUTPUT_F1 = 0,      /* distance to the nearest point */
  PERLANE_CELL_OUTPUT_F2,          /* distance to the second nearest point */
  PERLANE_CELL_OUTPUT_F2_MINUS_F1, /* difference of the two: 0 along the borders of the regions
                                      around points */
  PERLANE_CELL_OUTPUT_VALUE, /* value in (-1, 1) of the nearest point, uniformly distributed */
  PERLANE_CELL_OUTPUT_EDGE,  /* distance to the border of the nearest point's region; requires
                                PERLANE_CELL_METRIC_EUCLIDEAN */
  PERLANE_CELL_OUTPUT_COUNT
} perlane_cell_output;

/* Hash that selects the gradient or value of a lattice point. Unless stated otherwise it exists in
 * 1 to 4 dimensions. */
typedef enum perlane_hash {
  PERLANE_HASH_LATTICE = 0, /* hash of the 64-bit cell indices and the seed; never repeats */
  PERLANE_HASH_PERLIN,      /* Perlin's permutation of 0..255, published in 2002; repeats every 256
                               cells */
  PERLANE_HASH_SHUFFLED, /* permutation of 0..255 shuffled from the seed; repeats every 256 cells */
  PERLANE_HASH_TABLE,    /* the caller's hash_table of 256 values; repeats every 256 cells */
  PERLANE_HASH_GRID,     /* no hash: the gradients of gradient_grid, repeated along both axes; 2D,
                            PERLANE_BASIS_PERLIN only; ignores the gradient set */
  PERLANE_HASH_PRIMES,   /* hash_table of 1024 values, indexed by cell indices times Fibonacci
                            primes; 2D only; repeats every 1024 cells */
  PERLANE_HASH_COUNT
} perlane_hash;

/* Set of gradients that the hash selects from, and the dimensions that it exists in. Only
 * PERLANE_BASIS_PERLIN uses it. */
typedef enum perlane_gradients {
  PERLANE_GRADIENTS_DEFAULT = 0, /* 1D: slopes -1 and 1; 2D: offaxis8; 3D: edges12; 4D: edges32 */
  PERLANE_GRADIENTS_OFFAXIS8,    /* 2D: (+-1, +-k), (+-k, +-1), k = 53/128: 22.5 degrees off the
                                    axes */
  PERLANE_GRADIENTS_AXIS4,       /* 2D: (1,0) (-1,0) (0,1) (0,-1) */
  PERLANE_GRADIENTS_DIAGONAL4,   /* 2D: (1,1) (-1,1) (-1,-1) (1,-1) */
  PERLANE_GRADIENTS_COMPASS8,    /* 2D: (+-1, +-1)/sqrt(2), then those of axis4 */
  PERLANE_GRADIENTS_EDGES12,     /* 3D: the midpoints of a cube's edges, in Perlin's order of 2002;
                                    1D, 2D: the slice of that field at y = z = 0 or z = 0 */
  PERLANE_GRADIENTS_EDGES32,     /* 4D: the midpoints of the 32 edges of a 4D cube */
  PERLANE_GRADIENTS_SPHERE, /* 2D, 3D, 4D: 256 random unit vectors, from the seed; 1D: slopes -1
                               and 1 */
  PERLANE_GRADIENTS_PNOISE, /* 1D, 2D, 3D: those of pnoise (docs/migrating/noise.md) */
  PERLANE_GRADIENTS_TABLE,  /* gradient_dims dimensions: the caller's gradient_table */
  PERLANE_GRADIENTS_COUNT
} perlane_gradients;

/* Interpolation weight at the fraction t, 0..1, of a cell. */
typedef enum perlane_fade {
  PERLANE_FADE_QUINTIC = 0, /* 6t^5 - 15t^4 + 10t^3 (Perlin 2002): two continuous derivatives */
  PERLANE_FADE_CUBIC,       /* 3t^2 - 2t^3 (Perlin 1985): one continuous derivative */
  PERLANE_FADE_LINEAR,      /* t: no continuous derivative, visible creases at cell borders */
  PERLANE_FADE_COUNT
} perlane_fade;

/* Function that is applied to each octave's noise n before the octaves are summed. */
typedef enum perlane_fractal {
  PERLANE_FRACTAL_FBM = 0,   /* n: fractal Brownian motion */
  PERLANE_FRACTAL_NONE,      /* n, of the first octave only; `octaves` is ignored */
  PERLANE_FRACTAL_RIDGED,    /* 1 - 2|n|: sharp crests */
  PERLANE_FRACTAL_BILLOW,    /* 2|n| - 1: round hills, sharp valleys; also called turbulence */
  PERLANE_FRACTAL_PING_PONG, /* (n + 1) * ping_pong_strength, folded back and forth into [-1, 1]:
                                terraces and rings */
  PERLANE_FRACTAL_ERODED,    /* n / (1 + erosion * |G|^2), with G the sum of the gradients of this
                                octave and those before it, in cells: steep places get less detail,
                                which leaves ridges and valleys; no gradient */
  PERLANE_FRACTAL_COUNT
} perlane_fractal;

/* Shift of each octave's lattice against the origin. */
typedef enum perlane_phase {
  PERLANE_PHASE_SEEDED = 0, /* a fraction of a cell along each axis, from the seed and the octave */
  PERLANE_PHASE_NONE,       /* no shift: gradient noise is 0 where all coordinates in cells are
                               whole numbers, for example at the origin */
  PERLANE_PHASE_COUNT
} perlane_phase;

/* Normalization: what values are divided by. */
typedef enum perlane_normalize {
  PERLANE_NORMALIZE_FULL = 0, /* the gradient set's largest value times the sum of the octaves'
                                 amplitudes: values are in [-1, 1] */
  PERLANE_NORMALIZE_OCTAVES,  /* the sum of the octaves' amplitudes */
  PERLANE_NORMALIZE_NONE,     /* nothing */
  PERLANE_NORMALIZE_SPREAD,   /* the gradient set's largest value times the root of the sum of the
                                 octaves' squared amplitudes: values of many octaves vary as widely
                                 as those of one, and may exceed [-1, 1] */
  PERLANE_NORMALIZE_COUNT
} perlane_normalize;

/* Interpolation between a curve's points. */
typedef enum perlane_curve_shape {
  PERLANE_CURVE_LINEAR = 0, /* straight lines */
  PERLANE_CURVE_SMOOTH, /* cubics with a continuous derivative, which rise and fall only where the
                           points do (Steffen 1990) */
  PERLANE_CURVE_SHAPE_COUNT
} perlane_curve_shape;

/* A remapping curve, applied to each value. Values below the first point's x become its y, values
 * above the last point's x the last y. */
typedef struct perlane_curve {
  int32_t count;                             /* points, 2..PERLANE_MAX_CURVE_POINTS; 0: no curve */
  int32_t reserved0;                         /* 0 */
  double point[PERLANE_MAX_CURVE_POINTS][2]; /* x and y of each point, at most PERLANE_MAX_CURVE in
                                                magnitude; x increases by at least
                                                PERLANE_MIN_CURVE_STEP, also as floats */
} perlane_curve;

#define PERLANE_MAX_PERIOD 0x40000000       /* maximum period at any octave, in cells */
#define PERLANE_MAX_CONTRAST 64             /* maximum of perlane_params.contrast */
#define PERLANE_MAX_PING_PONG_STRENGTH 1024 /* maximum of perlane_params.ping_pong_strength */
#define PERLANE_MAX_GRADIENT 1e6            /* maximum magnitude of a caller's gradient component */
#define PERLANE_MAX_EROSION 1000            /* maximum of perlane_params.erosion */
#define PERLANE_MAX_TERRACES 1024           /* maximum of perlane_params.terraces */
#define PERLANE_MAX_CURVE 1e6               /* maximum magnitude of a curve's coordinates */
#define PERLANE_MIN_CURVE_STEP 1e-6         /* minimum distance between the x of a curve's points */
#define PERLANE_MIN_FALLOFF_END 1e-300      /* minimum of perlane_params.falloff_end */
#define PERLANE_MIN_VALLEYS 0x1p-10         /* minimum of perlane_params.valleys, unless it is 0 */
#define PERLANE_MAX_VALLEYS 1024            /* maximum of perlane_params.valleys */
#define PERLANE_MAX_VALLEY_CELLS 1024       /* maximum of perlane_params.valley_cells */
#define PERLANE_MAX_VALLEY_FLOOR 0.5        /* maximum of perlane_params.valley_floor */

/* Contours of a falloff. */
typedef enum perlane_falloff_shape {
  PERLANE_FALLOFF_RADIAL = 0, /* circles, spheres */
  PERLANE_FALLOFF_SQUARE,     /* squares, cubes; rounded towards the centre */
  PERLANE_FALLOFF_SHAPE_COUNT
} perlane_falloff_shape;

/* Value of a field with valleys. */
typedef enum perlane_valley_output {
  PERLANE_VALLEY_OUTPUT_HEIGHT = 0, /* the height of the land */
  PERLANE_VALLEY_OUTPUT_RIVER,      /* distance to the nearest channel of the main valleys and the
                                       two largest sizes of side valleys, in cells of its size, up
                                       to 0.875 */
  PERLANE_VALLEY_OUTPUT_COUNT
} perlane_valley_output;

/* Parameters of a field. Start from perlane_params_default() or perlane_preset() and change the
 * members you need; members that a later version adds then have their defaults. Defaults that are
 * not stated are 0, which is the first value of an enumeration.
 *
 * With n_k the noise of octave k, at frequency * lacunarity^k, and A_k = amplitude * gain^k:
 *
 *   v = (sum over octaves of A_k * fractal(n_k), normalized) - falloff * s(p)
 *   value = terraced(curved(sign(v) * |v|^contrast)) * value_scale + value_offset
 *
 * where octaves are evaluated at the position p, or with a warp at p + warp_amplitude * d(p). Each
 * component of d is a field of its own with values in [-1, 1]. s rises from 0 around the falloff's
 * centre to 1 beyond its end; it is never warped. With valleys, v at the points of a network of
 * channels is the height of these, and the land around them replaces v. */
typedef struct perlane_params {
  uint64_t seed;     /* any value; neighbouring seeds give unrelated fields. Default 1337 */
  double frequency;  /* lattice cells per unit of position in the first octave; finite, above 0.
                        Features are about 1/frequency units wide. Default 0.01 */
  int32_t octaves;   /* number of octaves, 1..PERLANE_MAX_OCTAVES. Default 1 */
  int32_t reserved0; /* 0 */
  double lacunarity; /* ratio of each octave's frequency to that of the octave before; finite, above
                        0. Default 2 */
  double gain;       /* ratio of each octave's amplitude to that of the octave before, also called
                        persistence; finite. Default 0.5 */
  int32_t octaves_share;    /* 1: all octaves share the lattice of the first, as in the originals of
                               presets; 0: each has its own */
  int32_t phase;            /* perlane_phase */
  int32_t basis;            /* perlane_basis */
  int32_t hash;             /* perlane_hash */
  int32_t gradients;        /* perlane_gradients */
  int32_t fade;             /* perlane_fade */
  int32_t fractal;          /* perlane_fractal */
  int32_t normalize;        /* perlane_normalize */
  double weighted_strength; /* 0..1: how strongly a low value in one octave reduces the next octaves
                               at the same position; smoother valleys */
  double ping_pong_strength; /* above 0, at most PERLANE_MAX_PING_PONG_STRENGTH; used by
                                PERLANE_FRACTAL_PING_PONG only. Default 2 */
  double erosion;            /* 0..PERLANE_MAX_EROSION: how strongly slopes dampen octaves; used by
                                PERLANE_FRACTAL_ERODED only. Default 1 */
  int32_t period[PERLANE_MAX_DIMS]; /* cells of the first octave after which the field repeats along
                                       the axis; 0: never. period * lacunarity^k must be a whole
                                       number in 1..PERLANE_MAX_PERIOD at every octave k */
  int32_t table_offset[PERLANE_MAX_DIMS]; /* number added to the cell index along the axis, after
                                             the period, by hashes with a table of 256 */
  double amplitude; /* amplitude of the first octave; finite, not 0. If values are normalized, only
                       its sign has an effect. Default 1 */
  double value_scale;  /* factor applied to each value; finite. Default 1 */
  double value_offset; /* constant added to each value after value_scale; finite */
  perlane_curve curve; /* curve that values follow, after contrast; none by default */
  int32_t curve_shape; /* perlane_curve_shape */
  int32_t terraces;    /* number of terraces between the values -1 and 1, applied after the curve,
                          0..PERLANE_MAX_TERRACES; 0: none */
  double terrace_sharpness; /* 0 to below 1: 0 leaves values as they are; towards 1, treads become
                               level and the rises between them steep. Default 0.7 */
  double warp_amplitude; /* largest displacement of positions along each axis, in units of position;
                            0: no warp; finite, not negative */
  double warp_frequency; /* lattice cells per unit of position in the first octave of the
                            displacement; finite, above 0. Default 0.01 */
  double warp_lacunarity; /* as lacunarity, of the displacement. Default 2 */
  double warp_gain;       /* as gain, of the displacement. Default 0.5 */
  int32_t warp_octaves;   /* octaves of the displacement, 1..PERLANE_MAX_WARP_OCTAVES. Default 1 */
  int32_t warp_rounds; /* 1..PERLANE_MAX_WARP_ROUNDS: 2 displaces by d2(p + warp_amplitude * d1(p)),
                          which folds more; 3 once more. Default 1 */
  double jitter; /* 0..1: how far the points of PERLANE_BASIS_CELLULAR may be from the centres of
                    their cells, in half cells. Default 1 */
  int32_t cell_metric; /* perlane_cell_metric */
  int32_t cell_output; /* perlane_cell_output */
  int32_t contrast; /* exponent, 0..PERLANE_MAX_CONTRAST, that magnitudes are raised to; signs are
                       kept. 0 leaves only the values -1, 0 and 1. Default 1 */
  int32_t gradient_dims;          /* components of each vector of gradient_table, 1..4 */
  int32_t gradient_count;         /* vectors in gradient_table, 2..256 */
  int32_t gradient_grid_count[2]; /* lattice points of gradient_grid along x and y; each at least 1,
                                     their product at most PERLANE_MAX_PERIOD */
  int32_t falloff_shape;          /* perlane_falloff_shape */
  const int32_t *hash_table;      /* values in 0..255: 256 for PERLANE_HASH_TABLE, 1024 for
                                     PERLANE_HASH_PRIMES (NULL there: made from the seed).
                                     perlane_init makes a copy */
  const float *gradient_table; /* gradient_table[i * gradient_dims + axis], finite, of magnitude up
                                  to PERLANE_MAX_GRADIENT. perlane_init makes a copy */
  const float *gradient_grid; /* gradient_grid[2 * (j * gradient_grid_count[0] + i) + axis], finite,
                                 of magnitude up to PERLANE_MAX_GRADIENT. Not copied: it must stay
                                 valid and unchanged for as long as the perlane_noise is used */
  const void *reserved2;      /* NULL */
  double falloff; /* how much values are lowered from falloff_end on, before contrast; below 0:
                     raised; 0: no falloff; finite */
  double falloff_start; /* distance from the centre up to which nothing is lowered, 0 or more, below
                           falloff_end */
  double falloff_end; /* distance from the centre from which everything is lowered in full, above 0.
                         Default 100 */
  double falloff_x;   /* centre of the falloff; finite */
  double falloff_y;   /* likewise, in 2 or more dimensions */
  double falloff_z;   /* likewise, in 3 or 4 dimensions */
  double falloff_w;   /* likewise, in 4 dimensions */
  double valleys; /* steepness of hillsides in 2D: the height that they gain over one valley cell,
                     in sums of the octaves' amplitudes; PERLANE_MIN_VALLEYS..PERLANE_MAX_VALLEYS, 3
                     to 5 for mountains; 0: no valleys. A point alone then takes about 0.2 ms */
  double valley_cells; /* valley cells, each with a main valley, along one cell of the field's first
                          octave; above 0, at most PERLANE_MAX_VALLEY_CELLS. Default 2.5 */
  double valley_gain;  /* how much of a hillside's height the side valleys of each size leave to the
                          next: 0..1; near 1 they cut deep and are flat. Default 0.8 */
  double valley_floor; /* half the width of a main valley's floor, in valley cells:
                          0..PERLANE_MAX_VALLEY_FLOOR. Default 0.02 */
  int32_t valley_octaves; /* sizes of side valleys, each half the one before:
                             0..PERLANE_MAX_VALLEY_OCTAVES. Default 5 */
  int32_t valley_output;  /* perlane_valley_output */
  uint64_t reserved[4];   /* 0; for later versions */
} perlane_params;

#endif
