/* SPDX-License-Identifier: MIT
 *
 * Filling a grid with an expression, tile by tile: each field's kernels fill the tile in memory,
 * and runs of its samples go through the program to the sink. Lists of points do the same with
 * runs of the list.
 */
#ifndef PERLANE_EXPRESSION_FILL_H
#define PERLANE_EXPRESSION_FILL_H

#include "../noise/output/sink.h"
#include "evaluate.h"

enum {
  TILE_COLUMNS = 256, /* of a tile with enough memory; half of it with less, or in volumes */
  TILE_SAMPLES = 16 * 1024,
  TILE_PLANES = 8,
  SHORT_RUN_ROW = 64,            /* shorter rows share runs */
  READ_PAST_FLOATS = 32,         /* vectors read past the end of arrays */
  MIN_TILE_BYTES = 24 * 1024,    /* the least work memory that brings more than the stack */
  MIN_SCRATCH_BYTES = 88 * 1024, /* the least that brings more than the stack to fields */
};

/* ---- Results ---- */

/* Widens the extremes by n samples, but not by NaN. */
static void include_numbers(struct extremes *extremes, const float *from, size_t n) {
  for (size_t i = 0; i < n; i += i + LANES <= n ? LANES : 1) {
    const vf v = i + LANES <= n ? f_load(from + i) : f_set(from[i]);
    extremes->smallest = lower_of(v, extremes->smallest);
    extremes->largest = higher_of(v, extremes->largest);
  }
}

/* Stores columns of a place, as whole vectors. Constant: `stream`. */
PERLANE_INLINE void deliver_floats(int stream, const float *from, const struct place *place) {
  const vf nan = f_bits(i_set(0x7FC00000));
  float *to = (float *)(void *)place->to;
  for (size_t i = place->begin; i < place->end; i += LANES, to += LANES)
    store_vector(stream, to, result_of(f_load(from + i), nan));
}

/* Constant: `format`. */
PERLANE_INLINE void deliver_integers(int format, const struct perlane_output *output,
                                     const float *from, const struct place *place) {
  const vf low = f_set(output->low);
  unsigned char *to = place->to;
  for (size_t i = place->begin; i < place->end; i += 2 * LANES) {
    const vf a = result_of(f_load(from + i), low), b = result_of(f_load(from + i + LANES), low);
    store_levels(format, to, a, b, output->low, output->scale);
    to += format == PERLANE_U16 ? 4 * LANES : 2 * LANES;
  }
}

/* Stores n samples apart from each other, by way of a piece. */
static void deliver_apart(const struct sink *sink, const float *from, size_t n, unsigned char *to,
                          unsigned char *piece) {
  const struct perlane_output *output = sink->output;
  const vf nan = output->format == PERLANE_FLOAT ? f_bits(i_set(0x7FC00000)) : f_set(output->low);
  const ptrdiff_t stride = sink->grid->stride[0];
  float *const results = (float *)(void *)piece;
  const size_t most = PIECE_BYTES / sizeof(float);
  for (size_t i = 0; i < n; i += most) {
    const size_t left = n - i, part = left < most ? left : most;
    for (size_t l = 0; l < part; l += LANES)
      f_store(results + l, result_of(f_load(from + i + l), nan));
    store_values(output, results, part, to + (ptrdiff_t)i * stride * ((ptrdiff_t)1 << sink->shift),
                 stride);
  }
}

/* Stores n samples of array j, of which the output has the first at `offset`. */
static void deliver(struct sink *sink, int j, const float *from, size_t n, ptrdiff_t offset) {
  _Alignas(CACHE_LINE_BYTES) unsigned char piece[PIECE_BYTES];
  const struct perlane_output *output = sink->output;
  unsigned char *array = output_array(output, j);
  if (j == 0 && output->extremes)
    include_numbers(&sink->extremes, from, n);
  if (!array)
    return;
  array += offset * ((ptrdiff_t)1 << sink->shift);
  if (sink->grid->stride[0] != 1) {
    deliver_apart(sink, from, n, array, piece);
    return;
  }
  struct leaving row = {array, 0, n, &sink->line[j], piece, DIRECT};
  struct place place = {0};
  while (next_place(sink, &row, &place))
    if (output->format == PERLANE_U16)
      deliver_integers(PERLANE_U16, output, from, &place);
    else if (output->format == PERLANE_U8)
      deliver_integers(PERLANE_U8, output, from, &place);
    else if (place.stream)
      deliver_floats(1, from, &place);
    else
      deliver_floats(0, from, &place);
}

/* ---- Tiles ---- */

/* A part of a grid: its first sample and counts. */
struct tile_of {
  size_t at[PERLANE_MAX_DIMS], count[PERLANE_MAX_DIMS];
};

/* Chooses the samples of a tile along each axis, of which memory has room for `samples`. */
static struct tile_of choose_tile(const struct perlane_region *grid, size_t samples) {
  struct tile_of tile = {.count = {1, 1, 1, 1}};
  const size_t wide = (size_t)TILE_COLUMNS >> (grid->dims > 2) >> (samples < TILE_SAMPLES);
  const size_t *count = grid->count;
  tile.count[0] = count[0] <= 2 * wide ? count[0] : wide;
  if (tile.count[0] > samples)
    tile.count[0] = samples;
  size_t left = samples / tile.count[0];
  const size_t planes = count[2] < TILE_PLANES ? count[2] : TILE_PLANES;
  tile.count[1] = left / planes > 0 ? left / planes : left;
  tile.count[1] = tile.count[1] < count[1] ? tile.count[1] : count[1];
  left /= tile.count[1];
  tile.count[2] = left < count[2] ? left : count[2];
  return tile;
}

/* Lays out the inputs' arrays for tiles of `most` samples along each axis. */
static void lay_out_inputs(struct evaluation_of *of, const struct tile_of *most, float *memory) {
  for (int s = 0; s < of->inputs; s++) {
    struct input *input = &of->input[s];
    size_t size = 1;
    for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
      input->stride[a] = input->axes >> a & 1 ? size : 0;
      size *= input->axes >> a & 1 ? most->count[a] : 1;
    }
    size = (size + RUN_GRANULE - 1) / RUN_GRANULE * RUN_GRANULE;
    for (int j = 0; j < (of->arrays > 1 ? 1 + input->dims : 1); j++, memory += size)
      input->array[j] = memory;
  }
}

/* Fills a input in a tile of the grid. */
static void fill_input(const struct evaluation_of *of, const struct input *input,
                       const struct perlane_region *grid, const struct tile_of *tile, void *work,
                       size_t work_bytes) {
  struct perlane_region region = {.dims = input->dims,
                                  .octaves = perlane_field_octaves(input->field, of->octaves),
                                  .work = work,
                                  .work_bytes = work_bytes};
  struct perlane_output output = {.format = PERLANE_FLOAT, .value = input->array[0]};
  size_t packed = 1;
  for (int a = 0, k = 0; a < 2 * PERLANE_MAX_DIMS && k < PERLANE_MAX_DIMS; a++) {
    const int is_axis = a < PERLANE_MAX_DIMS && input->axes >> a & 1;
    if (!is_axis && a < PERLANE_MAX_DIMS)
      continue;
    region.first[k] = is_axis ? grid->first[a] + (int64_t)tile->at[a] : 0;
    region.count[k] = is_axis ? tile->count[a] : 1;
    region.origin[k] = is_axis ? grid->origin[a] : 0;
    region.step[k] = is_axis ? grid->step[a] : 1;
    region.stride[k] = (ptrdiff_t)(region.count[k] > 1 ? input->stride[a] : packed);
    packed *= region.count[k];
    if (is_axis && of->arrays > 1)
      output.gradient[k] = input->array[1 + k];
    k++;
  }
  PERLANE_KERNEL(LANES_ID, fill)(input->field, &region, &output);
}

/* Sets the positions and coordinates of a run along x, from those of the tile's columns, and along
 * y. */
static void list_run(struct evaluation_of *of, const struct perlane_region *grid,
                     const struct tile_of *tile, const double *x, const float *x_coordinate) {
  double *const position = of->position_memory;
  float *const coordinate = of->coordinate_memory;
  size_t column = of->at[0], y = tile->at[1] + of->at[1];
  for (size_t i = 0; i < of->n; column = 0, y++) {
    const double v = grid_position(grid, 1, y);
    for (; i < of->n && column < of->row; i++, column++) {
      position[i] = x[column];
      coordinate[i] = x_coordinate[column];
      position[of->samples + i] = v;
      coordinate[of->samples + i] = (float)v;
    }
  }
  for (int a = 0; a < 2 && a < of->dims; a++) {
    of->position[a] = (struct position_column){position + (size_t)a * of->samples, SIZE_MAX};
    of->coordinate[a] = (struct column){coordinate + (size_t)a * of->samples, SIZE_MAX};
  }
}

/* Stores a run's results, row by row. */
static void deliver_run(const struct evaluation_of *of, struct sink *sink,
                        const struct tile_of *tile) {
  const struct perlane_region *grid = sink->grid;
  const float *result[MAX_ARRAYS];
  evaluate_run(of, result);
  ptrdiff_t row = 0;
  for (int a = 1; a < of->dims; a++)
    row += (ptrdiff_t)(tile->at[a] + of->at[a]) * grid->stride[a];
  const int joined =
      grid->stride[1] == (ptrdiff_t)of->row && grid->stride[0] == 1 && of->row == grid->count[0];
  size_t column = of->at[0];
  for (size_t i = 0, n; i < of->n; i += n, row += grid->stride[1], column = 0) {
    n = joined || of->n - i < of->row - column ? of->n - i : of->row - column;
    for (int j = 0; j < sink->arrays; j++) {
      size_t begin = column, end = column + n;
      if (sink->strips.overlap > 0) {
        const struct span span = span_of(&sink->strips, output_array(sink->output, j), sink->shift,
                                         row + sink->strips.x);
        begin = begin > span.begin ? begin : span.begin;
        end = end < span.end ? end : span.end;
      }
      if (begin >= end)
        continue;
      deliver(sink, j, result[j] + i + (begin - column), end - begin,
              row + (ptrdiff_t)(tile->at[0] + begin) * grid->stride[0]);
    }
  }
}

/* Returns whether runs of a tile may continue in the next row. */
static int may_join_rows(const struct evaluation_of *of) {
  int joined = !(of->coordinates & 3) && !of->moves;
  for (int s = 0; s < of->inputs; s++)
    joined &= of->input[s].stride[0] == 1 && of->input[s].stride[1] == of->row;
  return joined || of->lists;
}

/* Evaluates and stores a tile whose inputs are filled. x and x_coordinate are those of its
 * columns. */
static void deliver_tile(struct evaluation_of *of, struct sink *sink, const struct tile_of *tile,
                         const double *x, const float *x_coordinate) {
  const size_t columns = of->row = tile->count[0];
  const size_t rows = may_join_rows(of) ? tile->count[1] : 1;
  double position[PERLANE_MAX_DIMS];
  _Alignas(64) float coordinate[PERLANE_MAX_DIMS][LANES];
  for (of->at[3] = 0; of->at[3] < tile->count[3]; of->at[3]++)
    for (of->at[2] = 0; of->at[2] < tile->count[2]; of->at[2]++)
      for (size_t y = 0; y < tile->count[1]; y += rows)
        for (size_t i = 0; i < rows * columns; i += of->n) {
          const size_t left = rows * columns - i;
          of->n = left < of->samples ? left : of->samples;
          of->at[0] = i % columns;
          of->at[1] = y + i / columns;
          for (int a = 0; a < of->dims; a++) {
            position[a] = grid_position(sink->grid, a, tile->at[a] + of->at[a]);
            f_store(coordinate[a], f_set((float)position[a]));
            of->position[a] = a == 0 ? (struct position_column){x + i, SIZE_MAX}
                                     : (struct position_column){&position[a], 0};
            of->coordinate[a] = a == 0 ? (struct column){x_coordinate + i, SIZE_MAX}
                                       : (struct column){coordinate[a], 0};
          }
          if (of->lists && (of->coordinates & 3 || of->moves))
            list_run(of, sink->grid, tile, x, x_coordinate);
          deliver_run(of, sink, tile);
        }
}

/* Fills the tiles of the current strip, whose columns are set. Sources that do not depend on an
 * axis are filled again only where another axis changes. */
static void fill_tiles(struct evaluation_of *of, struct sink *sink, const struct tile_of *most,
                       struct tile_of *tile, void *work, size_t work_bytes) {
  const struct perlane_region *grid = sink->grid;
  _Alignas(64) double x[2 * TILE_COLUMNS];
  _Alignas(64) float x_coordinate[2 * TILE_COLUMNS];
  for (size_t i = 0; i < tile->count[0] && (of->coordinates & 1 || of->moves); i++) {
    x[i] = grid_position(grid, 0, tile->at[0] + i);
    x_coordinate[i] = (float)x[i];
  }
  int changed = 15;
  for (tile->at[3] = 0; tile->at[3] < grid->count[3]; tile->at[3]++, changed |= 10)
    for (tile->at[1] = 0; tile->at[1] < grid->count[1]; tile->at[1] += most->count[1], changed |= 2)
      for (tile->at[2] = 0; tile->at[2] < grid->count[2]; tile->at[2] += most->count[2]) {
        for (int a = 1; a < 3; a++) {
          const size_t left = grid->count[a] - tile->at[a];
          tile->count[a] = left < most->count[a] ? left : most->count[a];
        }
        for (int s = 0; s < of->inputs; s++)
          if (of->input[s].axes & (changed | 4))
            fill_input(of, &of->input[s], grid, tile, work, work_bytes);
        deliver_tile(of, sink, tile, x, x_coordinate);
        changed = 0;
      }
}

/* Fills a grid with an expression, with the inputs' arrays in `memory`. */
static void fill_in(struct evaluation_of *of, const struct perlane_region *grid,
                    const struct perlane_output *output, float *memory, size_t floats, void *work,
                    size_t work_bytes) {
  struct sink sink;
  struct open_line line[MAX_ARRAYS];
  size_t arrays = 0;
  for (int s = 0; s < of->inputs; s++)
    arrays += of->arrays > 1 ? 1 + (size_t)of->input[s].dims : 1;
  const struct tile_of most =
      choose_tile(grid, floats / (arrays > 0 ? arrays : 1) / RUN_GRANULE * RUN_GRANULE);
  struct tile_of tile = most;
  open_sink(&sink, grid, output, NULL, 1, line, MAX_ARRAYS);
  sink.extremes = (struct extremes){f_bits(i_set(0x7F800000)), f_bits(i_set(0xFF800000))};
  lay_out_inputs(of, &most, memory);
  if (most.count[0] == grid->count[0]) {
    sink.strips = (struct strips){.last = 1};
    fill_tiles(of, &sink, &most, &tile, work, work_bytes);
  } else {
    if (most.count[0] < 2 * CACHE_LINE_BYTES)
      sink.strips = (struct strips){.count = grid->count[0]};
    else if (most.count[0] < 4 * sink.strips.overlap)
      sink.strips.overlap = 0; /* too much would be computed twice */
    balance_strips(&sink.strips, most.count[0]);
    first_strip(&sink.strips);
    do {
      const size_t lead = sink.strips.x < 0 ? (size_t)-sink.strips.x : 0;
      tile.at[0] = (size_t)(sink.strips.x + (ptrdiff_t)lead);
      tile.count[0] = sink.strips.columns - lead;
      fill_tiles(of, &sink, &most, &tile, work, work_bytes);
    } while (next_strip(&sink.strips));
  }
  close_sink(&sink);
  if (output->extremes && output->extremes[0] > output->extremes[1]) { /* there are no numbers */
    const uint32_t nan = 0x7FC00000;
    memcpy(&output->extremes[0], &nan, sizeof nan);
    memcpy(&output->extremes[1], &nan, sizeof nan);
  }
}

/* ---- Lists ---- */

/* Evaluates the inputs and positions of a run of a list, from point `start` on. */
static void begin_run(struct evaluation_of *of, const struct perlane_point_list *list,
                      size_t start) {
  const ptrdiff_t first = (ptrdiff_t)start * list->stride;
  const float *coords[PERLANE_MAX_DIMS];
  const double *coords64[PERLANE_MAX_DIMS];
  for (int a = 0; a < list->dims; a++) {
    coords[a] = list->coords ? list->coords[a] + first : NULL;
    coords64[a] = list->coords ? NULL : list->coords64[a] + first;
  }
  for (int s = 0; s < of->inputs; s++) {
    const struct input *input = &of->input[s];
    struct perlane_point_list part = *list;
    part.octaves = perlane_field_octaves(input->field, of->octaves);
    part.n = of->n;
    part.coords = list->coords ? coords : NULL;
    part.coords64 = list->coords ? NULL : coords64;
    part.out = input->array[0];
    part.gradient = of->arrays > 1 ? (float *const *)&input->array[1] : NULL;
    PERLANE_KERNEL(LANES_ID, points)(input->field, &part);
  }
  for (int a = 0; a < list->dims && (of->coordinates || of->moves); a++) {
    double *position = of->position_memory + (size_t)a * of->samples;
    float *coordinate = of->coordinate_memory + (size_t)a * of->samples;
    for (size_t i = 0; i < of->n; i++) {
      const ptrdiff_t at = (ptrdiff_t)i * list->stride;
      position[i] = !list->coords  ? coords64[a][at]
                    : list->origin ? list->origin[a] + (double)coords[a][at]
                                   : (double)coords[a][at];
      coordinate[i] = (float)position[i];
    }
    of->position[a] = (struct position_column){position, SIZE_MAX};
    of->coordinate[a] = (struct column){coordinate, SIZE_MAX};
  }
}

static void store_results(const float *from, size_t n, float *to) {
  const vf nan = f_bits(i_set(0x7FC00000));
  for (size_t i = 0; i < n; i += LANES) {
    const vf v = result_of(f_load(from + i), nan);
    if (n - i >= LANES)
      f_store(to + i, v);
    else
      f_store_some(to + i, v, n - i);
  }
}

/* ---- Expressions, as lane_kernels.h calls them ---- */

static PERLANE_NOINLINE void fill_expression(const perlane_noise *noise,
                                             const struct perlane_region *grid,
                                             const struct perlane_output *output) {
  _Alignas(CACHE_LINE_BYTES) float memory[RUN_FLOATS + READ_PAST_FLOATS];
  struct evaluation_of of;
  begin_evaluation(&of, &noise->of.expression, grid->dims, output->gradient[0] != NULL,
                   grid->octaves, grid);
  const int lists = grid->count[0] < SHORT_RUN_ROW;
  if (grid->work_bytes >= MIN_TILE_BYTES) {
    const size_t scratch = grid->work_bytes / 2 >= MIN_SCRATCH_BYTES ? MIN_SCRATCH_BYTES : 0;
    unsigned char *const tile = (unsigned char *)grid->work + scratch;
    lay_out_run(&of, memory, RUN_FLOATS, lists, 0);
    fill_in(&of, grid, output, (float *)(void *)tile,
            (grid->work_bytes - scratch) / sizeof(float) - READ_PAST_FLOATS, grid->work, scratch);
    return;
  }
  lay_out_run(&of, memory, RUN_FLOATS / 2, lists, 0);
  fill_in(&of, grid, output, memory + RUN_FLOATS / 2, RUN_FLOATS / 2, NULL, 0);
}

static PERLANE_NOINLINE void list_expression(const perlane_noise *noise,
                                             const struct perlane_point_list *list) {
  _Alignas(CACHE_LINE_BYTES) float memory[RUN_FLOATS + READ_PAST_FLOATS];
  struct evaluation_of of;
  begin_evaluation(&of, &noise->of.expression, list->dims, list->gradient != NULL, list->octaves,
                   NULL);
  lay_out_run(&of, memory, RUN_FLOATS, 1, 1);
  of.row = SIZE_MAX;
  for (size_t start = 0; start < list->n; start += of.n) {
    of.n = list->n - start < of.samples ? list->n - start : of.samples;
    begin_run(&of, list, start);
    const float *result[MAX_ARRAYS];
    evaluate_run(&of, result);
    for (int j = 0; j < of.arrays; j++) {
      float *to = j == 0 ? list->out : list->gradient[j - 1];
      if (to)
        store_results(result[j], of.n, to + start);
    }
  }
}

static PERLANE_NOINLINE float value_of_expression(const perlane_noise *noise, int dims,
                                                  const double *position, float *gradient) {
  const double *coords[PERLANE_MAX_DIMS];
  float value, *slope[PERLANE_MAX_DIMS];
  for (int a = 0; a < dims; a++) {
    coords[a] = position + a;
    slope[a] = gradient ? gradient + a : NULL;
  }
  const struct perlane_point_list list = {.dims = dims,
                                          .octaves = noise->octaves,
                                          .n = 1,
                                          .coords64 = coords,
                                          .stride = 1,
                                          .out = &value,
                                          .gradient = gradient ? slope : NULL};
  list_expression(noise, &list);
  return value;
}

#endif
