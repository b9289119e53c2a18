/* SPDX-License-Identifier: MIT
 *
 * Filling a grid with an expression, tile by tile: each field's kernels fill the tile in memory,
 * and runs of its samples go through the program to the sink. Lists of points do the same with
 * runs of the list.
 */
#ifndef PERLANE_EXPRESSION_FILL_H
#define PERLANE_EXPRESSION_FILL_H

#include "../noise/grid/grid.h"
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

/* A fill of an input that goes on from tile to tile. */
struct kept_fill {
  struct perlane_region region;
  struct perlane_output output;
  struct field field;
  struct fill fill;
};

struct expression_fill {
  struct run run;
  struct sink sink;
  struct perlane_output output; /* without extremes: the sink's are not for NaN */
  struct extremes extremes;
  const struct perlane_output *wanted;
  int in_place;                 /* the last step stores to the output */
  size_t max[PERLANE_MAX_DIMS]; /* samples of a tile along each axis at most */
  void *scratch;                /* work memory of fields' fills */
  size_t scratch_bytes;
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

/* Stores n samples of the run from `start` on, of which the output has the first at `offset`. */
static void deliver_samples(struct expression_fill *fill, const float *result, size_t start,
                            size_t n, int j, ptrdiff_t offset) {
  struct sink *sink = &fill->sink;
  if (!fill->in_place) {
    store_array(sink, j, &sink->line[j], result + (size_t)j * fill->run.samples + start, n, offset);
    return;
  }
  _Alignas(CACHE_LINE_BYTES) unsigned char piece[PIECE_BYTES];
  unsigned char *const to = (unsigned char *)((float *)fill->output.value + offset);
  struct leaving row = {to, 0, n, &sink->line[0], piece, DIRECT};
  struct place place = {0};
  while (next_place(sink, &row, &place))
    evaluate_last(&fill->run, place.stream ? stream_results : make_results, start + place.begin,
                  place.end - place.begin, (float *)(void *)place.to);
}

/* Evaluates and stores the run, row by row. */
static void deliver_run(struct expression_fill *fill) {
  struct run *run = &fill->run;
  struct sink *sink = &fill->sink;
  const struct grid_part *part = &run->part;
  const size_t lead = part->first[0] - (size_t)sink->strips.x, width = part->count[0];
  const int is_one_row = is_packed(run->grid) && width == run->grid->count[0];
  const float *result = NULL;
  evaluate_terms(run);
  if (!fill->in_place)
    result = evaluate_run(run);
  if (fill->wanted->extremes)
    include_numbers(&fill->extremes, result, run->n);
  size_t index[PERLANE_MAX_DIMS] = {0}, column = lead + run->at[0];
  for (int a = 1; a < PERLANE_MAX_DIMS; a++)
    index[a] = part->first[a] + run->at[a];
  for (size_t i = 0, n; i < run->n; i += n, column = lead, index[1]++) {
    const size_t left = run->n - i, in_row = lead + width - column;
    const ptrdiff_t offset = offset_of_row(sink, index);
    n = is_one_row || left < in_row ? left : in_row;
    for (int j = 0; j < sink->arrays; j++) {
      struct span span =
          span_of(&sink->strips, output_array(&fill->output, j), sink->shift, offset);
      span.begin = span.begin > column ? span.begin : column;
      span.end = is_one_row || span.end > column + n ? column + n : span.end;
      if (span.begin < span.end)
        deliver_samples(fill, result, i + span.begin - column, span.end - span.begin, j,
                        offset + (ptrdiff_t)span.begin * run->grid->stride[0]);
    }
  }
}

/* ---- Tiles ---- */

/* Chooses the most samples of a tile along each axis, of about `samples`. */
static void choose_tile(struct expression_fill *fill, size_t samples) {
  const struct perlane_region *grid = fill->run.grid;
  const size_t wide = (size_t)TILE_COLUMNS >> (grid->dims > 2) >> (samples < TILE_SAMPLES);
  const size_t columns = grid->count[0] <= 2 * wide ? grid->count[0] : wide;
  const size_t planes = grid->count[2] < TILE_PLANES ? grid->count[2] : TILE_PLANES;
  fill->max[0] = columns < samples ? columns : samples;
  const size_t rows = samples / fill->max[0], share = rows / planes > 0 ? rows / planes : rows;
  fill->max[1] = share < grid->count[1] ? share : grid->count[1];
  fill->max[2] = rows / fill->max[1] < grid->count[2] ? rows / fill->max[1] : grid->count[2];
  fill->max[3] = 1;
}

/* Lays out the inputs' arrays in so many floats, as large as tiles may be then. Returns how many
 * they take. */
static size_t lay_out_inputs(struct expression_fill *fill, float *memory, size_t floats) {
  struct run *run = &fill->run;
  size_t samples = floats, taken;
  do {
    choose_tile(fill, samples);
    taken = 0;
    for (int s = 0; s < run->inputs; s++) {
      struct input *input = &run->input[s];
      size_t size = 1;
      for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
        input->stride[a] = input->axes >> a & 1 ? size : 0;
        size *= input->axes >> a & 1 ? fill->max[a] : 1;
      }
      input->pitch = (size + RUN_GRANULE - 1) / RUN_GRANULE * RUN_GRANULE;
      input->values = memory + (taken < floats ? taken : 0);
      taken += input->axes ? (size_t)input->arrays * input->pitch : 0;
    }
    samples -= samples / 16 + 1;
  } while (taken > floats);
  return taken;
}

/* Fills an input in the current tile. */
static void fill_input(struct expression_fill *fill, struct input *input) {
  const struct perlane_region *grid = fill->run.grid;
  const struct grid_part *part = &fill->run.part;
  struct perlane_region region = {
      .dims = input->dims, .work = fill->scratch, .work_bytes = fill->scratch_bytes};
  struct perlane_output output = {.format = PERLANE_FLOAT, .value = input->values};
  size_t packed = 1;
  for (int a = 0, k = 0; a < 2 * PERLANE_MAX_DIMS && k < PERLANE_MAX_DIMS; a++) {
    const int is_axis = a < PERLANE_MAX_DIMS && input->axes >> a & 1;
    if (!is_axis && a < PERLANE_MAX_DIMS)
      continue;
    region.first[k] = is_axis ? grid->first[a] + (int64_t)part->first[a] : 0;
    region.count[k] = is_axis ? part->count[a] : 1;
    region.origin[k] = is_axis ? grid->origin[a] : 0;
    region.step[k] = is_axis ? grid->step[a] : 1;
    region.stride[k] = (ptrdiff_t)(region.count[k] > 1 ? input->stride[a] : packed);
    packed *= region.count[k];
    if (is_axis && input->arrays > 1)
      output.gradient[k] = input->values + (size_t)(1 + k) * input->pitch;
    k++;
  }
  if (!input->field) {
    for (size_t i = 0; i < packed; i++)
      input->values[i] = input->axes >> grid->dims ? 0 : (float)grid_position(&region, 0, i);
    return;
  }
  region.octaves = perlane_field_octaves(input->field, fill->run.octaves);
  PERLANE_KERNEL(LANES_ID, fill)(input->field, &region, &output);
}

/* Evaluates and stores a tile whose inputs are filled. Runs go on in the next row where the inputs
 * do, or where rows are short. */
static void deliver_tile(struct expression_fill *fill) {
  struct run *run = &fill->run;
  const size_t columns = run->part.count[0];
  int joins = 1;
  for (int s = 0; s < run->inputs; s++)
    joins &= (run->input[s].axes & 3) == 0 || is_full(run, &run->input[s]);
  joins |= run->grid->count[0] < SHORT_RUN_ROW;
  const size_t rows = joins && columns == fill->max[0] ? run->part.count[1] : 1;
  run->at[3] = 0;
  for (run->at[2] = 0; run->at[2] < run->part.count[2]; run->at[2]++)
    for (size_t y = 0; y < run->part.count[1]; y += rows)
      for (size_t i = 0; i < rows * columns; i += run->n) {
        const size_t left = rows * columns - i;
        run->n = left < run->samples ? left : run->samples;
        run->at[0] = i % columns;
        run->at[1] = y + i / columns;
        deliver_run(fill);
      }
}

/* Fills the tiles of the current strip. Inputs that do not depend on an axis are filled again only
 * where another axis changes. */
static void fill_tiles(struct expression_fill *fill) {
  const struct perlane_region *grid = fill->run.grid;
  struct grid_part *part = &fill->run.part;
  int changed = 15;
  for (part->first[3] = 0; part->first[3] < grid->count[3]; part->first[3]++, changed |= 10)
    for (part->first[1] = 0; part->first[1] < grid->count[1];
         part->first[1] += fill->max[1], changed |= 2)
      for (part->first[2] = 0; part->first[2] < grid->count[2]; part->first[2] += fill->max[2]) {
        for (int a = 1; a < PERLANE_MAX_DIMS; a++) {
          const size_t left = grid->count[a] - part->first[a];
          part->count[a] = left < fill->max[a] ? left : fill->max[a];
        }
        for (int s = 0; s < fill->run.inputs; s++)
          if (fill->run.input[s].axes & (changed | 4))
            fill_input(fill, &fill->run.input[s]);
        deliver_tile(fill);
        changed = 0;
      }
}

/* Fills the grid strip by strip, with the inputs' arrays in so many floats of memory. */
static void fill_strips_of_tiles(struct expression_fill *fill, float *memory, size_t floats) {
  struct open_line line[MAX_ARRAYS];
  struct grid_part *part = &fill->run.part;
  struct strips *strips = &fill->sink.strips;
  const struct perlane_region *grid = fill->run.grid;
  open_sink(&fill->sink, grid, &fill->output, NULL, 1, line, MAX_ARRAYS);
  if (fill->sink.granule < RUN_GRANULE)
    fill->sink.granule = RUN_GRANULE;
  lay_out_inputs(fill, memory, floats);
  if (fill->max[0] == grid->count[0] || fill->max[0] < 2 * CACHE_LINE_BYTES)
    *strips = (struct strips){.count = grid->count[0]};
  else if (fill->max[0] < 4 * strips->overlap)
    strips->overlap = 0; /* too much would be computed twice */
  balance_strips(strips, fill->max[0]);
  first_strip(strips);
  do {
    const size_t lead = strips->x < 0 ? (size_t)-strips->x : 0;
    part->first[0] = (size_t)(strips->x + (ptrdiff_t)lead);
    part->count[0] = strips->columns - lead;
    fill_tiles(fill);
  } while (next_strip(strips));
  close_sink(&fill->sink);
}

/* ---- Expressions, as lane_kernels.h calls them ---- */

static PERLANE_NOINLINE void fill_expression(const perlane_noise *noise,
                                             const struct perlane_region *grid,
                                             const struct perlane_output *output) {
  _Alignas(CACHE_LINE_BYTES) float memory[RUN_FLOATS + READ_PAST_FLOATS];
  struct expression_fill fill;
  const vf infinity = f_bits(i_set(0x7F800000));
  fill.output = *output;
  fill.output.extremes = NULL;
  fill.wanted = output;
  fill.extremes = (struct extremes){infinity, negative_of(infinity)};
  fill.in_place = output->format == PERLANE_FLOAT && output->value && !output->gradient[0] &&
                  !output->extremes && grid->stride[0] == 1;
  begin_evaluation(&fill.run, &noise->of.expression, grid->dims, output->gradient[0] != NULL,
                   grid->octaves, grid, NULL);
  if (output->format != PERLANE_FLOAT)
    fill.run.nan = f_set(output->low);
  if (grid->work_bytes >= MIN_TILE_BYTES) {
    fill.scratch_bytes = grid->work_bytes / 2 >= MIN_SCRATCH_BYTES ? MIN_SCRATCH_BYTES : 0;
    fill.scratch = grid->work;
    lay_out_run(&fill.run, memory, RUN_FLOATS);
    unsigned char *const tile = (unsigned char *)grid->work + fill.scratch_bytes;
    fill_strips_of_tiles(&fill, (float *)(void *)tile,
                         (grid->work_bytes - fill.scratch_bytes) / sizeof(float) -
                             READ_PAST_FLOATS);
  } else {
    fill.scratch_bytes = 0;
    fill.scratch = NULL;
    float *const tile = lay_out_run(&fill.run, memory, RUN_FLOATS / 2);
    fill_strips_of_tiles(&fill, tile, (size_t)(memory + RUN_FLOATS - tile));
  }
  write_extremes(output, &fill.extremes);
  if (output->extremes && output->extremes[0] > output->extremes[1]) { /* there are no numbers */
    const uint32_t nan = 0x7FC00000;
    memcpy(&output->extremes[0], &nan, sizeof nan);
    memcpy(&output->extremes[1], &nan, sizeof nan);
  }
}

/* Evaluates the inputs of a run of a list. */
static void begin_run(struct run *run) {
  const struct perlane_point_list *list = run->list;
  const ptrdiff_t first = (ptrdiff_t)run->start * list->stride;
  const float *coords[PERLANE_MAX_DIMS];
  const double *coords64[PERLANE_MAX_DIMS];
  struct perlane_point_list part = *list;
  for (int a = 0; a < list->dims && list->coords; a++)
    coords[a] = list->coords[a] + first;
  for (int a = 0; a < list->dims && list->coords64; a++)
    coords64[a] = list->coords64[a] + first;
  part.coords = list->coords ? coords : NULL;
  part.coords64 = list->coords ? NULL : coords64;
  part.n = run->n;
  for (int s = 0; s < run->inputs; s++) {
    const struct input *input = &run->input[s];
    float *gradient[PERLANE_MAX_DIMS];
    for (size_t i = 0; s < FIRST_FIELD && input->axes && i < run->n; i++)
      input->run[i] = s < list->dims ? (float)list_position(list, s, run->start + i) : 0;
    if (s < FIRST_FIELD)
      continue;
    for (int a = 0; a < input->dims; a++)
      gradient[a] = input->run + (size_t)(1 + a) * run->samples;
    part.octaves = perlane_field_octaves(input->field, run->octaves);
    part.out = input->run;
    part.gradient = run->arrays > 1 ? gradient : NULL;
    PERLANE_KERNEL(LANES_ID, points)(input->field, &part);
  }
}

static PERLANE_NOINLINE void list_expression(const perlane_noise *noise,
                                             const struct perlane_point_list *list) {
  _Alignas(CACHE_LINE_BYTES) float memory[RUN_FLOATS + READ_PAST_FLOATS];
  struct run run;
  begin_evaluation(&run, &noise->of.expression, list->dims, list->gradient != NULL, list->octaves,
                   NULL, list);
  lay_out_run(&run, memory, RUN_FLOATS);
  for (run.start = 0; run.start < list->n; run.start += run.n) {
    run.n = list->n - run.start < run.samples ? list->n - run.start : run.samples;
    begin_run(&run);
    evaluate_terms(&run);
    const float *result = evaluate_run(&run);
    for (int j = 0; j < run.arrays; j++, result += run.samples) {
      float *to = j == 0 ? list->out : list->gradient[j - 1];
      if (to)
        copy_floats(result, run.n, to + run.start);
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
