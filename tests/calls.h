/* SPDX-License-Identifier: MIT
 *
 * The ways to evaluate a field: grids and lists of points, in every form of output, by any kernels
 * or through the public functions. One function says what each must yield, sample by sample, and
 * one compares: in memory between pages that fault, every byte of it.
 */
#ifndef PERLANE_TESTS_CALLS_H
#define PERLANE_TESTS_CALLS_H

#include "support.h"

enum form { VALUES, EXTREMES, GRADIENT, GRADIENT_ONLY, INTERLEAVED, WORDS, BYTES, FORMS };
int is_sloped(enum form form);
size_t sample_bytes(enum form form);

/* A fill of a grid or, if there are coordinates, the evaluation of a list of points: of a field or,
 * if there is one, of an expression. */
struct call {
  const perlane_noise *expression;
  enum form form;
  perlane_grid grid; /* complete: see grid_of. A list has dims, and count[0] points */
  const float *coords[PERLANE_MAX_DIMS];
  const double *coords64[PERLANE_MAX_DIMS]; /* instead of coords */
  const double *origin;                     /* of coords; NULL for none */
  int64_t stride;                           /* of coordinates; 0 for 1 */
  const double *spacing;                    /* between points, for kernels alone; NULL for none */
  float low, high;                          /* of integers */
  void *value;
  float *gradient[PERLANE_MAX_DIMS], extremes[2];
  /* What the reference computes, if that is known: values and derivatives where the output has
   * them, or list by list. */
  const float *known[1 + PERLANE_MAX_DIMS];
};

/* Returns a packed grid whose axes beyond dims have a count of 1, for kernels, too. */
perlane_grid grid_of(int dims, const size_t *count);

/* Sets the strides of a packed grid. */
void pack(perlane_grid *grid);

size_t samples_of(const perlane_grid *grid);

/* Returns where a sample, counted with x fastest, is in the output. */
ptrdiff_t offset_of(const perlane_grid *grid, size_t sample);

/* Sets the position of a sample. */
void position_of(const struct call *call, size_t sample, double position[PERLANE_MAX_DIMS]);

/* Returns 1 if a grid is inside the domain; points may be outside. */
int is_inside(const perlane_noise *noise, const perlane_grid *grid);

/* Returns a grid of samples as kernels have it. */
struct perlane_region region_of(const perlane_noise *noise, const perlane_grid *grid);

/* Returns the noise with its first octaves; with 0, with all of them. */
perlane_noise limited(const perlane_noise *noise, int32_t octaves);

/* Evaluates by these kernels or, if that is NULL, by the public function for it. */
perlane_status evaluate(const struct perlane_kernels *kernels, const perlane_noise *noise,
                        struct call *call);

/* Writes what a call must yield: at each sample the reference's value at one position, as floats or
 * integers, and the smallest and largest of them. */
void expect(const perlane_noise *noise, struct call *call);

/* Evaluates a call, and its position of one sample, by all kernels and through the public
 * functions, and compares with what it must yield: a third of those without given octaves for the
 * first octaves, in a call of all or by a noise that has lost the others. Values and derivatives
 * are in arrays of their own or, in lists, some of the time in place of coordinates, which are
 * packed or apart, forwards or backwards. Each array ends at a page that faults or begins after
 * one, at any alignment. The noise of params is made in two ways, one of them by perlane_reseed, or
 * has its seed from the grid. A grid that leaves the domain is left out, and so is a form that the
 * field does not have; returns 0 then. */
int compare(struct random *random, const perlane_params *params, const struct call *call);

/* Fails unless a grid is refused by the check, with a sentence, and by every fill, which writes
 * nothing. Returns the status. */
perlane_status refused_grid(const perlane_noise *noise, const perlane_grid *grid,
                            char sentence[PERLANE_MESSAGE_BYTES]);

/* Random cases. Grids have up to some thousand samples, with axes nested in a random order, with
 * gaps, forwards or backwards. Positions of lists are floats, floats added to an origin, or
 * doubles; half of the lists are near, so that whole blocks take the near paths. Half of the forms
 * are VALUES. */
enum { MAX_LIST = 700 };
perlane_grid random_grid(struct random *random, const perlane_params *params, int dims);
void random_strides(struct random *random, perlane_grid *grid);
enum form random_form(struct random *random);
float random_coordinate(struct random *random, const perlane_noise *noise);

/* Returns a double near or beyond the end of the domain in one of 16, and what it was otherwise. */
double near_the_end(struct random *random, const perlane_noise *noise, double position);

/* Compare a call in a form, with random levels of integers; a grid; a list of random points. */
int compare_form(struct random *random, const perlane_params *params, struct call call,
                 enum form form);
int compare_grid(struct random *random, const perlane_params *params, const perlane_grid *grid,
                 enum form form);
void compare_list(struct random *random, const perlane_params *params, int dims, size_t n);

/* Compares the cells of a grid and of a list, but for some arrays that are left out, by all kernels
 * with those of the reference. What is not written stays as it is. */
struct perlane_point_list;
void compare_cells(struct random *random, const perlane_noise *noise, const perlane_grid *grid,
                   const struct perlane_point_list *list);

/* The same for a random grid, with gaps between samples, and a random list. */
void compare_random_cells(struct random *random, const perlane_params *params, int dims);

/* Memory of at least so many bytes between two pages that fault when they are touched. */
struct fence {
  unsigned char *start;
  size_t bytes;
};
struct fence fence(size_t bytes);
void take_down(struct fence *fence);

#endif
