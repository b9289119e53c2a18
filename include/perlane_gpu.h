/* SPDX-License-Identifier: MIT
 *
 * perlane_gpu.h: fields for shaders, which compute samples with the bits of perlane_fill and
 * perlane_points (docs/gpu.md). The functions are in the library, as those of perlane.h are.
 */
#ifndef PERLANE_GPU_H
#define PERLANE_GPU_H

#include "perlane_text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Shaders read the noise and the grid from one array of words, which the program uploads:
 *
 *   0          PERLANE_GPU_LAYOUT
 *   1          dims, 2 or 3
 *   2, 3, 4    count of the grid's axes; 0 for z in 2D, and for points
 *   5, 6       number of octaves; index of the first one's words
 *   7          0
 *   8          basis
 *   9          index of the table of gradients; 0 for those that are computed
 *   10, 11     A and B of the fade
 *   12         0 for a plain sum of octaves, 1 for fbm with weights, else fractal
 *   13, 14     weighted_strength, 0 if it has no effect; ping_pong_strength, or erosion
 *   15, 16, 17 contrast, value_scale, value_offset, less what amplitudes include
 *   18, 19     number of a curve's pieces, or 0; index of the first one's words
 *   20, 21     the curve's lowest and highest value
 *   22, 23     H of terraces, or 0; C of terraces
 *   24, 25     bits that a gradient's hash is shifted by to the right; mask of its index then
 *   26 to 31   points: the origin along x, y and z, a double each, its lower word first
 *   32, 33, 34 cell_output, cell_metric and R of basis cellular
 *   35, 36     j and a of basis cellular
 *   37, 38, 39 index of the first displacement's words; displacements; words of each
 *   40, 41     M of the warp, a double
 *   42         index of the positions of a grid of basis cellular or simplex or with a warp, else 0
 *
 * Floats are stored as their bits. The names are those of docs/specification.md. A table of
 * gradients is an array of 256 floats for each axis. A piece of a curve is start, c0, c1, c2, c3.
 * An octave is its amplitude and strength, and then for each axis three arrays of `count` words:
 * word0, word1 and the fraction of each sample. For points it is the amplitude, the strength, the
 * frequency as two words, the lower one first, the bias, and the key, phase and period of each
 * axis. With basis cellular or simplex or a warp, a grid has the octaves of points, and the
 * positions of its columns, rows and planes, a double each. The displacements d_(1,x), d_(1,y) and
 * so on are fields of points; indexes in their words count from their own word 0. */
#define PERLANE_GPU_LAYOUT 0x70670001 /* "pg", version 1 of the layout */

/* Returns the number of words that perlane_gpu_tables writes for this grid; 0 if it refuses the
 * grid. */
PERLANE_API size_t perlane_gpu_words(const perlane_noise *noise, const perlane_grid *grid);

/* Writes the words of a grid to an array with room for `room` words. Strides and work memory are
 * not used.
 *
 * Returns the statuses of perlane_grid_check, PERLANE_ERROR_NULL if words is NULL,
 * PERLANE_ERROR_COUNT if room is below what perlane_gpu_words returns, or PERLANE_ERROR_GPU. An
 * error writes nothing. */
PERLANE_API perlane_status perlane_gpu_tables(const perlane_noise *noise, const perlane_grid *grid,
                                              uint32_t *words, size_t room);

/* Writes the words with which shaders evaluate the field at points, as perlane_points does, in dims
 * dimensions around an origin, which may be NULL for 0. There are at most PERLANE_GPU_POINT_WORDS.
 *
 * Returns the statuses of perlane_gpu_tables for a grid of one sample at 0, and PERLANE_ERROR_GPU
 * also for frequencies above 2^70, or an origin that is below 2^-70 in magnitude and not 0. */
PERLANE_API perlane_status perlane_gpu_points(const perlane_noise *noise, int32_t dims,
                                              const double *origin, uint32_t *words, size_t room);
#define PERLANE_GPU_POINT_WORDS 3792 /* maximum number of words of points */

/* Writes why perlane_gpu_tables refuses a noise or a grid, as perlane_explain_params does: "shaders
 * compute hash lattice, not hash=perlin". The text is empty if it accepts them. */
PERLANE_API size_t perlane_explain_gpu(const perlane_noise *noise, const perlane_grid *grid,
                                       char *message, size_t size);

/* Self-tests of shaders, which perlane_gpu_selftest prepares. */
#define PERLANE_GPU_SELFTESTS 6         /* number of self-tests */
#define PERLANE_GPU_SELFTEST_WORDS 4688 /* maximum number of words of a self-test */

/* Writes the words of self-test index, 0..PERLANE_GPU_SELFTESTS - 1, and the digest that a shader
 * must compute: the sum of the shader's perlane_digest(k, value) over all samples k, x fastest,
 * modulo 2^32. Run the self-tests on each device before you trust it: drivers may reorder or fuse
 * operations in spite of all declarations.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL or, for another index, PERLANE_ERROR_RANGE. */
PERLANE_API perlane_status perlane_gpu_selftest(int32_t index,
                                                uint32_t words[PERLANE_GPU_SELFTEST_WORDS],
                                                uint32_t *digest);

#ifdef __cplusplus
}
#endif

#endif
