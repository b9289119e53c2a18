/* SPDX-License-Identifier: MIT
 *
 * Thresholds: the numbers at which code takes another way. The samples are the same on either side
 * of each: tests/joints.c reads this header, and compares both. A change of one is a matter of
 * speed, or of memory.
 *
 * Where a threshold depends on the lanes of a vector, it is a macro of their number.
 */
#ifndef PERLANE_THRESHOLDS_H
#define PERLANE_THRESHOLDS_H

/* ---- Positions ---- */

/* Positions of a smaller magnitude, in cells, are near: a double holds them to 2^-24 with bits to
 * spare, and their cells fit in a word. ROUNDING_TERM plus this and a phase is below 2^29. */
#define NEAR_CELLS (0x1p27 - 1)

/* The reference sets whole cells aside from here on, so that an int64_t holds a position in units
 * of 2^-24. Cells beyond words of 32 bits, and beyond doubles of whole numbers, are these: */
#define ASIDE_CELLS 0x1p28
#define WORD_CELLS 0x1p31
#define DOMAIN_CELLS 0x1p53

/* Indices of a grid's samples, and their products with the step in cells, up to which samples are
 * as far apart as the step says: doubles hold the indices, and the products' roundings are small
 * parts of a cell. Beyond them positions may stand still, or leap over many cells. */
#define EVEN_INDEX 0x1p52
#define EVEN_CELLS 0x1p40

/* Columns of plain grids, points of lists, octaves of single values that are left to 8 lanes by a
 * set of more. */
enum { FEW_LANES = 8 };

/* ---- Output ---- */

enum {
  STREAM_BYTES = 4 * 1024 * 1024, /* from which stores bypass the caches: more than most hold */
  SHORT_ROWS = 128,  /* samples of rows that are not streamed: few of their lines are whole */
  PIECE_BYTES = 512, /* integers are streamed in pieces, so that one is on its way to memory while
                        the next is computed */
  SHORT_RUN = 128, /* samples up to which a run is copied by vectors: memcpy takes longer to call */
  BAND_SAMPLES =
      1 << 18, /* of a band of rows, which stays in the caches, where none are streamed */
  MIN_BAND_ROWS = 64,
};

/* ---- Memory of fills ---- */

/* Without work memory, fills have this much on the stack: less where functions with large frames of
 * their own are called. */
enum { SCRATCH_BYTES = 41 * 1024, SMALL_SCRATCH_BYTES = 79 * 512 };

/* ---- Grids of interpolated noise ---- */

enum {
  STRIP_GRANULE = 16, /* columns of a strip are a multiple of it */
  MAX_STRIP_COLUMNS = 512,
  NARROW_GRID = 96, /* columns up to which tiles have more rows, for up to MANY_OCTAVES */
  MANY_OCTAVES = 8,
  TILE_ROWS = 16,
  TALL_TILE_ROWS = 32,    /* of narrow strips */
  GRADIENT_TILE_ROWS = 8, /* with derivatives */
  SHORT_TILE_ROWS = 4,    /* of a single octave */
  DIRECT_ROWS = 64,       /* of a tile that is not written; their ends are fetched ahead together */
  MAX_BORDER_ROWS = 4,    /* a border of so few rows is no tile of its own */
  PACKED_SAMPLES = 1024,  /* of a tile of one octave whose rows are short and follow each other */
  ROW_ENTRIES = 256,      /* of the row table, for all octaves together; at least TILE_ROWS each */
  MAX_SLOTS = 64,         /* of edge rows that planes share */
  SCULPTED_COLUMNS = 64,  /* whose positions are made together for falloffs */
};

/* Planes further apart, in cells, hardly share edge rows. */
#define SHARED_PLANES 0.75

/* Columns of a narrow strip: none with 4 lanes, where broadcasting a row's weights takes as long as
 * its samples. */
#define NARROW_COLUMNS(lanes) ((lanes) > 4 ? 8 * (lanes) : 0)

/* Small grids: what has a fixed place on the stack. Larger outputs of an octave are written row by
 * row, which the caches prefer. */
enum {
  SMALL_COUNT = 64,        /* samples along an axis */
  SMALL_SAMPLES = 1 << 16, /* samples for each octave */
  SMALL_ROWS = 256,        /* lattice rows of all octaves */
};
#define SMALL_ENTRIES(lanes) ((lanes) == 16 ? 768 : 640) /* of the axis passes of all octaves */
#define SMALL_OCTAVE_ROWS(lanes)                                                                   \
  ((lanes) == 16 ? 48 : 512 / (lanes))       /* lattice rows of an octave */
#define SMALL_ROWS_3D(lanes) (320 / (lanes)) /* of all octaves in 3D, where edges are kept */

/* Lattice points along x of a block whose gradients, from tables, are spread over the columns. */
enum { MAX_SPREAD_POINTS = 256 };

/* ---- White noise ---- */

enum {
  WHITE_COLUMNS = 512, /* of a strip */
  WHITE_TILE_ROWS = 4,
  WHITE_ROWS = 256,        /* whose words are found together, */
  WHITE_ROW_ENTRIES = 2048 /* and of all octaves */
};

/* ---- Simplex noise ---- */

enum {
  SIMPLEX_BLOCK = 512,        /* columns of a strip, */
  SIMPLEX_TILE_COLUMNS = 256, /* and of one whose rows are summed in a tile */
  SIMPLEX_MIN_COLUMNS = 64,
  SIMPLEX_ROWS = 48,   /* prepared at a time */
  SIMPLEX_CELLS = 120, /* of a strip along the lattice's first axis: 7 bits */
  /* Columns of rows that take longer one by one than as points: of one octave, and of several. */
  SIMPLEX_SHORT_ROW = 24,
  SIMPLEX_SHORT_ROWS = 40,
  SIMPLEX_FEW_SAMPLES = 64, /* of a grid for which rows are not worth preparing */
  SIMPLEX_LONG_RUN = 128,   /* points from which two vectors are evaluated together */
};

/* ---- Cellular noise ---- */

enum {
  BRICK_SAMPLES = 3072,
  BRICK_COLUMNS = 128,
  BRICK_ROWS = 32,
  BRICK_PLANES = 8,
  BOX_ROWS = 8,      /* rows are a multiple of it, in the arrays */
  DEEP_COLUMNS = 32, /* that share arrays in 3D */
  MAX_BOX_CELLS = 512,
  MAX_CANDIDATES = 104,
  /* Twice the largest distance between samples, in cells, of which columns are faster than points.
   */
  MAX_STEP_HALVES = 3,
};
#define MAX_STEP ((double)MAX_STEP_HALVES / 2)
#define MAX_SLOPE_STEP 0.1 /* with derivatives, which fill a brick for each axis, too */

/* The largest boxes, in cells and with what is around them, that are faster than columns. */
#define MAX_BOX_AREA(lanes) ((lanes) == 4 ? 6.0 : 8.0)
#define MAX_BOX_VOLUME 17.0
#define MAX_SMALL_BOX 5.0 /* one ring of cells is enough for most */

/* Distances between samples, in cells, up to which boxes have more of them. */
#define DENSE_STEP 0.015
#define CLOSE_STEP 0.03
#define BOX_STEP 0.15
#define BORDER_STEP 0.07 /* of distances to borders in 3D */
#define PLANE_STEP 0.1
#define TALL_BRICK_STEP 0.12

/* ---- Points ---- */

enum {
  POINT_BLOCK = 256, /* points that are evaluated together */
  WHOLE_LIST = 64,   /* points of a list that is one block: it is read before it is written */
  /* Samples of a grid for which setting up strips takes longer than evaluating points: in 1D and of
   * gradients from tables, of one octave, of several. */
  FEW_POINTS = 4,
  FEW_SAMPLES_OF_ONE = 16,
  POINT_COLUMNS = POINT_BLOCK, /* of a strip, */
  WARP_COLUMNS = 128,          /* of one whose displacements are on the stack, */
  SLOPE_COLUMNS = 64,          /* have derivatives, */
  DISPLACED_FLOATS = 24 * 128, /* a block's displacements on the stack */
  WARP_GRANULE = 16,           /* with derivatives, points of runs are a multiple of this, */
  WARP_LEAST = 48,             /* and at least this */
  WARP_WORK_BYTES = 64 * 1024, /* the least work memory that brings more than the stack */
  WARP_WORK_TILE_BYTES = 128 * 1024,
};
#define FEW_SAMPLES(lanes) ((lanes) < 8 ? 32 : 64)

/* ---- Expressions ---- */

enum {
  RUN_GRANULE = 16,         /* samples that are stored and read at once: a cache line */
  RUN_SAMPLES = 1024,       /* of a run */
  RUN_FLOATS = 7 * 1024,    /* of a list's runs, on the stack */
  SHORT_RUN_ROW = 64,       /* samples of rows that share runs */
  TILE_COLUMNS = 256,       /* of a tile */
  NARROW_TILE_COLUMNS = 64, /* of one that may be of fewer rows, */
  VALLEY_TILE_COLUMNS = 16, /* of one for fields with valleys at other positions: points that are
                               close along y, too, share a network and its candidates */
  NARROW_TILE_ROWS = 4,
  KEPT_ROWS = 64,                  /* of tiles whose fills are kept from one to the next */
  TILE_PLANES = 8,                 /* of others */
  SHARED_RESULTS = 4,              /* results that planes share: each takes memory of a tile */
  MIN_SCRATCH_BYTES = 88 * 1024,   /* the least that brings more than the stack to fields */
  STACK_SCRATCH_BYTES = 44 * 1024, /* what replaces it */
  LIST_WORK_BYTES = 34 * 1024,     /* of fields at other positions, instead of their stack, */
  VALLEY_LIST_BYTES = 144 * 1024,  /* and of those with valleys */
  SMALL_STACK = 55 * 512,          /* fields' fills have a stack of their own besides */
  LARGE_STACK = 54 * 1024,
};

/* The most of `bytes` that are work memory of fields' fills: tiles have the rest. */
#define MAX_SCRATCH(bytes) ((bytes) / 8 * 5)

/* ---- Pieces of grids ---- */

/* Pieces of fewer samples take less time than starting a thread. Pieces of 8 MiB bypass the caches
 * as the whole fill would, and are many enough that no thread waits long for the last one. */
enum { MIN_PIECE_SAMPLES = 16 * 1024, MAX_PIECE_SAMPLES = 2 * 1024 * 1024 };

/* ---- Valleys ---- */

enum {
  NETWORK_BYTES = 76 * 1024, /* of the network around one place, with as many levels as there are */
  MAX_NEAR_CHANNELS = 256,   /* that can be the lowest in a part; otherwise it is halved */
  PART_EDGE = 32,            /* samples of a part, along each axis */
  PART_PLACES = 1 << 21,     /* extent of a part in 2^-24 cells, for exact floats */
  LAND_REACH = 48,           /* cells between a place and the corner where places begin */
  LAND_COLUMNS = 128,        /* of a strip at most, */
  LAND_STACK_COLUMNS = 64,   /* of one on the stack, or with derivatives of a warp */
  LAND_BAND_ROWS = 256,      /* that share a network, if it has memory */
  LAND_WORK_BYTES = 132 * 1024, /* the least work memory that brings more than the stack */
  LAND_TILE_BYTES = 110 * 1024  /* of work memory, what networks do not have */
};

#endif
