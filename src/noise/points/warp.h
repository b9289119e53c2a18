/* SPDX-License-Identifier: MIT
 *
 * Domain warp (docs/specification.md, 2.18): displacements along each axis, which are fields of
 * their own, then the field at the displaced positions. Here the displacements of a run of points
 * are evaluated one after the other; those of grids are in producer.h.
 */
#ifndef PERLANE_NOISE_POINTS_WARP_H
#define PERLANE_NOISE_POINTS_WARP_H

#include "../../field.h"
#include "each_cell.h"

enum {
  /* On the stack, of which a search for cells with wide vectors needs the most. */
  WARP_FLOATS = LANES == 16 ? 19 * 64 : 27 * 64,
  WARP_FLOATS_4D = 30 * 64,
};
/* With two rounds an axis has two arrays of displacements, and two of derivatives by each axis. */
_Static_assert(WARP_FLOATS >= 3 * 2 * (1 + 3) * WARP_LEAST, "runs in 3D");
_Static_assert(WARP_FLOATS_4D >= 4 * 2 * (1 + 4) * WARP_LEAST, "runs in 4D");

/* The displacements of a run of points, and with gradients the derivatives of the positions that
 * they make: of the position along a by b, J[a][b]. Even and odd rounds have a set of arrays each.
 */
struct warp {
  const perlane_noise *noise;
  int dims, rounds;
  double reach;
  size_t pitch;
  struct network *network; /* of a field with valleys; otherwise NULL */
  float *displacement[2][PERLANE_MAX_DIMS];
  float *stretch[2][PERLANE_MAX_DIMS][PERLANE_MAX_DIMS];
};

/* The displacement along an axis, in a round counted from 0. Its octaves are stored in `octave`. */
static struct field displacement_of(const perlane_noise *noise, int round, int axis,
                                    struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES]) {
  static const perlane_params params = {.contrast = 1}; /* otherwise the default, which is 0 */
  perlane_field_displacement(noise, round, axis, octave);
  return (struct field){
      .noise = noise,
      .params = &params,
      .octave = octave,
      .octaves = noise->params.warp_octaves,
      .highest_frequency = noise->highest_warp_frequency,
      .value_scale = 1,
  };
}

/* Returns how many points, a multiple of `granule`, have room for their arrays in `floats`. */
static size_t points_of_warp(const perlane_noise *noise, int dims, int slopes, size_t granule,
                             size_t floats) {
  const int sets = noise->params.warp_rounds > 1 ? 2 : 1, squares = slopes ? sets * dims : 0;
  return floats / ((size_t)dims * (size_t)(sets + squares)) / granule * granule;
}

/* Lays out arrays for runs of `pitch` points, a multiple of `granule`. Without a warp there are no
 * rounds. */
static struct warp warp_of(const perlane_noise *noise, int dims, int slopes, size_t granule,
                           float *memory, size_t floats) {
  struct warp warp = {.noise = noise,
                      .dims = dims,
                      .rounds = noise->params.warp_amplitude != 0 ? noise->params.warp_rounds : 0,
                      .reach = noise->params.warp_amplitude};
  warp.pitch = points_of_warp(noise, dims, slopes, granule, floats);
  for (int set = 0; set < (warp.rounds > 1 ? 2 : 1); set++)
    for (int a = 0; a < dims; a++) {
      warp.displacement[set][a] = memory;
      memory += warp.pitch;
      for (int b = 0; slopes && b < dims; b++) {
        warp.stretch[set][a][b] = memory;
        memory += warp.pitch;
      }
    }
  return warp;
}

/* The displacements after the last round, and J. */
PERLANE_INLINE float *const *last_displacement(const struct warp *warp) {
  return warp->displacement[(warp->rounds + 1) & 1];
}

typedef float *const stretch_row[PERLANE_MAX_DIMS];

PERLANE_INLINE stretch_row *last_stretch(const struct warp *warp) {
  return warp->stretch[(warp->rounds + 1) & 1];
}

/* Row a of J, from that of the round before, in place of the derivatives of a displacement, of n
 * points. */
static void stretch_positions(const struct warp *warp, int round, int a, size_t n) {
  const vf reach = f_set((float)warp->reach), one = f_set(1);
  float *const *row = warp->stretch[round & 1][a];
  if (round > 0)
    apply_stretch(warp->dims, warp->stretch[(round + 1) & 1], 0, n, row);
  for (int b = 0; b < warp->dims; b++)
    for (size_t i = 0; i < n; i += LANES) {
      const vf product = f_mul(reach, f_load(row[b] + i));
      f_store(row[b] + i, a == b ? f_add(one, product) : product);
    }
}

/* ---- Runs ---- */

/* Points that a warp moves, in rows of `points` whose displacements are `width` floats apart: a
 * list is one row. Rows of a grid differ in their position along y. */
struct warp_runs {
  struct point_source source[PERLANE_MAX_DIMS]; /* of the first row */
  const struct perlane_region *region;          /* with more than one row */
  size_t rows, points, width;
};

/* The destination of a field at runs: values, and derivatives if there are any, or cells, which
 * `cells` begins with. */
struct warp_target {
  float *value, *const *gradient;
  struct cell_target *cells;
  float *const (*stretch)[PERLANE_MAX_DIMS];
};

/* Evaluates a field at runs of points, moved by displacements; NULL for none. (Not inlined: its
 * stack is not that of the rounds before.) */
static PERLANE_NOINLINE void evaluate_runs(const struct warp *warp, struct point_memory *memory,
                                           const struct field *field, const struct warp_runs *runs,
                                           float *const *displacement, int slopes,
                                           const struct warp_target *target) {
  struct evaluation evaluation;
  struct point_source source[PERLANE_MAX_DIMS];
  float *slope[PERLANE_MAX_DIMS];
  for (size_t r = 0; r < runs->rows; r++) {
    const size_t start = r * runs->width;
    for (int a = 0; a < warp->dims; a++) {
      slope[a] = target->gradient ? target->gradient[a] + start : NULL;
      source[a] = runs->source[a];
      if (a == 1 && runs->rows > 1)
        source[a].origin = grid_position(runs->region, 1, r);
      if (displacement && warp->rounds > 0) {
        source[a].displacement = displacement[a] + start;
        source[a].reach = warp->reach;
      }
    }
    if (r == 0) {
      begin_points(&evaluation, field, warp->dims, source, slopes);
      evaluation.stretch = target->stretch;
      evaluation.network = has_valleys(field) ? warp->network : NULL;
    }
    if (target->cells) {
      evaluate_cells(&evaluation, memory, runs->points, target->cells);
      target->cells->offset += target->cells->row;
    } else {
      evaluate_any_blocks(&evaluation, memory, runs->points,
                          target->value ? target->value + start : NULL,
                          target->gradient ? slope : NULL);
    }
  }
}

/* The displacement along an axis in one round. (Not inlined: the octaves are not on the stack with
 * a cellular field's search.) */
static PERLANE_NOINLINE void displace_runs(const struct warp *warp, struct point_memory *memory,
                                           const struct warp_runs *runs, int round, int a,
                                           int slopes) {
  struct perlane_octave octave[PERLANE_MAX_WARP_OCTAVES];
  const struct field field = displacement_of(warp->noise, round, a, octave);
  const struct warp_target target = {.value = warp->displacement[round & 1][a],
                                     .gradient = slopes ? warp->stretch[round & 1][a] : NULL};
  evaluate_runs(warp, memory, &field, runs, round > 0 ? warp->displacement[(round + 1) & 1] : NULL,
                slopes, &target);
  if (slopes)
    stretch_positions(warp, round, a, (runs->rows - 1) * runs->width + runs->points);
}

/* Evaluates the displacements of a run, and the field. */
static void evaluate_displaced(const struct warp *warp, struct point_memory *memory,
                               const struct field *field, const struct warp_runs *runs, int slopes,
                               struct warp_target *target) {
  poison(memory, sizeof *memory);
  for (int round = 0; round < warp->rounds; round++)
    for (int a = 0; a < warp->dims; a++)
      displace_runs(warp, memory, runs, round, a, slopes);
  if (slopes)
    target->stretch = last_stretch(warp);
  evaluate_runs(warp, memory, field, runs, last_displacement(warp), slopes, target);
}

/* ---- Lists ---- */

/* The source of points from `start` on. */
static struct point_source source_from(const struct point_source *source, size_t start) {
  struct point_source rest = *source;
  if (rest.coords)
    rest.coords += (ptrdiff_t)start * rest.stride;
  if (rest.coords64)
    rest.coords64 += (ptrdiff_t)start * rest.stride;
  return rest;
}

/* Evaluates a field with a warp at points, in runs whose displacements fit in `floats`: its values,
 * derivatives or both, or with `cells` its cells. */
static PERLANE_NOINLINE void evaluate_list_in(struct point_memory *memory, float *floats,
                                              size_t count, const struct field *field, int dims,
                                              const struct point_source *source, size_t n,
                                              float *out, float *const *gradient,
                                              const perlane_cells *cells, struct network *network) {
  const int slopes = gradient != NULL;
  const size_t granule = slopes ? WARP_GRANULE : block_points(dims, 0);
  struct warp warp = warp_of(field->noise, dims, slopes, granule, floats, count);
  warp.network = network;
  for (size_t start = 0; start < n; start += warp.pitch) {
    const size_t left = n - start;
    struct warp_runs runs; /* nothing else is read */
    runs.rows = 1;
    runs.width = 0;
    runs.points = left < warp.pitch ? left : warp.pitch;
    float *slope[PERLANE_MAX_DIMS];
    for (int a = 0; a < dims; a++) {
      runs.source[a] = source_from(&source[a], start);
      slope[a] = gradient ? gradient[a] + start : NULL;
    }
    struct cell_target cell_target = {cells, (ptrdiff_t)start, 1, 0, SIZE_MAX};
    struct warp_target target = {.value = out ? out + start : NULL,
                                 .gradient = gradient ? slope : NULL,
                                 .cells = cells ? &cell_target : NULL};
    evaluate_displaced(&warp, memory, field, &runs, slopes, &target);
  }
}

static PERLANE_NOINLINE void evaluate_warped(const struct field *field, int dims,
                                             const struct point_source *source, size_t n,
                                             float *out, float *const *gradient,
                                             const perlane_cells *cells) {
  _Alignas(64) float floats[WARP_FLOATS];
  struct point_memory memory;
  poison(floats, sizeof floats);
  evaluate_list_in(&memory, floats, WARP_FLOATS, field, dims, source, n, out, gradient, cells,
                   NULL);
}

/* (Apart from the others, as there is no cellular search in 4D that would need the stack.) */
static PERLANE_NOINLINE void evaluate_warped_4d(const struct field *field,
                                                const struct point_source *source, size_t n,
                                                float *out, float *const *gradient) {
  _Alignas(64) float floats[WARP_FLOATS_4D];
  struct point_memory memory;
  poison(floats, sizeof floats);
  evaluate_list_in(&memory, floats, WARP_FLOATS_4D, field, 4, source, n, out, gradient, NULL, NULL);
}

_Static_assert(sizeof(struct near_channels) <= sizeof(struct point_memory), "networks' scratch");

/* The heights of a network's points. */
static void evaluate_control(const struct field *field, void *memory, double *const position[2],
                             size_t n, float *z) {
  const struct point_source source[2] = {
      {.coords64 = position[0], .stride = 1, .origin = NO_ORIGIN},
      {.coords64 = position[1], .stride = 1, .origin = NO_ORIGIN}};
  evaluate_points_in(memory, field, 2, source, n, z, NULL, NULL);
}

/* A field with valleys: what it is made of, and its network, whose memory follows. */
struct valleys {
  _Alignas(CACHE_LINE_BYTES) struct valley_fields fields;
  struct network network;
};

static void begin_valleys(struct valleys *valleys, const struct field *field, void *scratch,
                          unsigned char *memory, size_t bytes) {
  make_valley_fields(&valleys->fields, field);
  begin_networks(&valleys->network, &valleys->fields.control, field->valley_octaves,
                 evaluate_control, scratch, memory, bytes);
}

/* The memory of a list, and of a list of a field with valleys. */
struct list_memory {
  struct point_memory points;
  _Alignas(64) float displaced[WARP_FLOATS_4D];
};
_Static_assert(sizeof(struct list_memory) <= LIST_WORK_BYTES, "the memory of a list");
struct valley_memory {
  struct list_memory list;
  struct point_memory control;
  struct valleys valleys;
  unsigned char network[NETWORK_BYTES];
};
_Static_assert(sizeof(struct valley_memory) <= VALLEY_LIST_BYTES, "the memory with valleys");

static void evaluate_in(struct list_memory *memory, const struct field *field, int dims,
                        const struct point_source *source, size_t n, float *out,
                        float *const *gradient, struct network *network) {
  if (field->params->warp_amplitude != 0)
    evaluate_list_in(&memory->points, memory->displaced, WARP_FLOATS_4D, field, dims, source, n,
                     out, gradient, NULL, network);
  else
    evaluate_points_in(&memory->points, field, dims, source, n, out, gradient, network);
}

static PERLANE_NOINLINE void evaluate_valleys_in(struct valley_memory *memory,
                                                 const struct field *field,
                                                 const struct point_source *source, size_t n,
                                                 float *out, float *const *gradient) {
  struct valleys *valleys = &memory->valleys;
  begin_valleys(valleys, field, &memory->control, memory->network, sizeof memory->network);
  evaluate_in(&memory->list, &valleys->fields.land, 2, source, n, out, gradient, &valleys->network);
}

/* (Not inlined: others do not pay for its stack.) */
static PERLANE_NOINLINE void evaluate_valleys(const struct field *field,
                                              const struct point_source *source, size_t n,
                                              float *out, float *const *gradient) {
  struct valley_memory memory;
  evaluate_valleys_in(&memory, field, source, n, out, gradient);
}

/* Evaluates a field at n points, with its warp if it has one, in memory if there is enough. */
static void evaluate_noise(const struct field *field, int dims, const struct point_source *source,
                           size_t n, float *out, float *const *gradient, void *memory,
                           size_t bytes) {
  if (has_valleys(field) && bytes >= VALLEY_LIST_BYTES)
    evaluate_valleys_in(memory, field, source, n, out, gradient);
  else if (has_valleys(field))
    evaluate_valleys(field, source, n, out, gradient);
  else if (bytes >= LIST_WORK_BYTES)
    evaluate_in(memory, field, dims, source, n, out, gradient, NULL);
  else if (field->params->warp_amplitude != 0 && dims == 4)
    evaluate_warped_4d(field, source, n, out, gradient);
  else if (field->params->warp_amplitude != 0)
    evaluate_warped(field, dims, source, n, out, gradient, NULL);
  else
    evaluate_points(field, dims, source, n, out, gradient);
}

/* Evaluates the points of a list from number `start` on. (Not inlined: lists that have none do not
 * pay for its stack.) */
static PERLANE_NOINLINE void evaluate_rest(const perlane_noise *noise,
                                           const struct perlane_point_list *list, size_t start) {
  const struct field field = field_of(noise, list->octaves);
  struct point_source source[PERLANE_MAX_DIMS];
  float *gradient[PERLANE_MAX_DIMS];
  list_sources(list, start, source);
  for (int a = 0; a < list->dims && list->gradient; a++)
    gradient[a] = list->gradient[a] + start;
  evaluate_noise(&field, list->dims, source, list->n - start, list->out ? list->out + start : NULL,
                 list->gradient ? gradient : NULL, list->work, list->work_bytes);
}

/* Evaluates a list of any field. */
static void evaluate_any_list(const perlane_noise *noise, const struct perlane_point_list *list) {
  evaluate_rest(noise, list, 0);
}

#endif
