/* SPDX-License-Identifier: MIT
 *
 * The producer of grids of an expression. A tile begins with its inputs, each of which is filled in
 * memory by its field's own producer; then runs of its samples go through the program to the sink.
 * Lists of points do the same with runs of the list.
 */
#ifndef PERLANE_EXPRESSION_FILL_H
#define PERLANE_EXPRESSION_FILL_H

#include "../noise/grid/producer.h"
#include "evaluate.h"

enum { READ_PAST = 128 }; /* bytes: vectors read past the end of arrays */

/* How a grid is filled: in one tile, without memory for fields' fills; in tiles, with all fields'
 * fills going on from one to the next; in any tiles. */
enum way { IN_ONE_TILE, ALL_KEPT, ANY_WAY };

struct expression_fill {
  struct space space;
  struct run run;
  struct perlane_output output; /* without extremes: the sink's are not for NaN */
  struct extremes extremes;
  const struct perlane_output *wanted;
  int in_place;                 /* the last step stores to the output */
  size_t max[PERLANE_MAX_DIMS]; /* samples of a tile along each axis at most */
  int moved;                    /* the axes, as bits, along which the tile has moved */
  int all_kept;                 /* all fields' fills go on from tile to tile */
  void *scratch;                /* work memory of fields' fills, and of fields as points */
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
  struct sink *sink = &fill->space.sink;
  if (!fill->in_place) {
    store_array(sink, j, result + (size_t)j * fill->run.samples + start, n, offset);
    return;
  }
  float piece[MAX_GRANULE];
  float *const to = (float *)fill->output.value + offset;
  struct leaving row = {to, 0, n, line_of(sink, 0), piece, DIRECT};
  struct segment segment = {0};
  while (next_segment(sink, &row, &segment))
    evaluate_last(&fill->run, segment.stream, start + segment.begin, segment.end - segment.begin,
                  segment.to);
}

/* Evaluates and stores the run, row by row. */
static void deliver_run(struct expression_fill *fill) {
  struct run *run = &fill->run;
  struct sink *sink = &fill->space.sink;
  const struct grid_tile *tile = &run->tile;
  const size_t lead = tile->first[0] - (size_t)sink->strips.x, width = tile->count[0];
  const int is_one_row = is_packed(run->grid) && width == run->grid->count[0];
  const float *result = NULL;
  evaluate_terms(run, EACH_PLANE);
  if (!fill->in_place)
    result = evaluate_run(run);
  if (fill->wanted->extremes)
    include_numbers(&fill->extremes, result, run->n);
  size_t index[PERLANE_MAX_DIMS] = {0}, column = lead + run->at[0];
  for (int a = 1; a < PERLANE_MAX_DIMS; a++)
    index[a] = tile->first[a] + run->at[a];
  for (size_t i = 0, n; i < run->n; i += n, column = lead, index[1]++) {
    const size_t left = run->n - i, in_row = lead + width - column;
    const ptrdiff_t offset = offset_of_row(&fill->space, index[1], index[2], index[3]);
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

/* Lays out the inputs' arrays for the largest tiles. Returns how many floats they take. */
static size_t lay_out_inputs(struct expression_fill *fill, float *memory) {
  size_t taken = 0;
  for (int s = 0; s < fill->run.inputs; s++) {
    struct input *input = &fill->run.input[s];
    size_t size = 1;
    for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
      input->stride[a] = input->axes >> a & 1 ? size : 0;
      size *= input->axes >> a & 1 ? fill->max[a] : 1;
    }
    input->pitch = (size + RUN_GRANULE - 1) / RUN_GRANULE * RUN_GRANULE;
    input->values = memory + taken;
    taken += input->axes ? (size_t)input->arrays * input->pitch : 0;
  }
  return taken;
}

/* Returns 1 if a field with valleys is evaluated at other positions. */
static int moves_valleys(const struct run *run) {
  return run->moved_bytes == VALLEY_LIST_BYTES;
}

/* Chooses the columns of tiles, and with them the strips, of which TILE_ROWS rows take at most so
 * many floats, or NARROW_TILE_ROWS where columns are few: fields take longer in narrower ones. */
static void choose_columns(struct expression_fill *fill, float *memory, size_t floats) {
  struct strips *strips = &fill->space.sink.strips;
  const size_t count = fill->run.grid->count[0];
  fill->max[0] = moves_valleys(&fill->run) ? VALLEY_TILE_COLUMNS : TILE_COLUMNS;
  fill->max[1] = fill->max[2] = fill->max[3] = 1;
  while (fill->max[0] > RUN_GRANULE &&
         lay_out_inputs(fill, memory) *
                 (fill->max[0] > NARROW_TILE_COLUMNS ? TILE_ROWS : NARROW_TILE_ROWS) >
             floats)
    fill->max[0] /= 2;
  if (count <= fill->max[0] || fill->max[0] < 2 * CACHE_LINE_BYTES)
    *strips = (struct strips){.count = count};
  balance_strips(strips, fill->max[0]);
  fill->max[0] = strips->width < count ? strips->width : count;
}

/* Returns n, but at least 1, and then at most `most`. */
static size_t one_to(size_t most, size_t n) {
  return smaller_of(n > 0 ? n : 1, most);
}

/* Chooses the rows and planes of tiles, as many as fit in `floats`; rather TILE_ROWS than planes,
 * for each plane interpolates the lattice rows of its rows anew. */
static void choose_rows(struct expression_fill *fill, size_t planes, float *memory, size_t floats) {
  const size_t *count = fill->run.grid->count, most = fill->max[1];
  size_t rows = floats / fill->max[0];
  do {
    const size_t share = rows / one_to(smaller_of(planes, count[2]), rows / TILE_ROWS);
    fill->max[1] = one_to(most, share > 4 * TILE_ROWS ? share / TILE_ROWS * TILE_ROWS : share);
    fill->max[2] = one_to(count[2], rows / fill->max[1]);
    rows -= rows / 16 + 1;
  } while (lay_out_inputs(fill, memory) > floats);
}

/* Returns the current tile as the grid of an input, and sets its output. */
static struct perlane_region tile_of_input(const struct expression_fill *fill,
                                           const struct input *input,
                                           struct perlane_output *output) {
  const struct perlane_region *grid = fill->run.grid;
  const struct grid_tile *tile = &fill->run.tile;
  struct perlane_region region = {.dims = input->dims,
                                  .octaves = input->octaves,
                                  .count = {1, 1, 1, 1},
                                  .step = {1, 1, 1, 1},
                                  .work = fill->scratch,
                                  .work_bytes = fill->scratch_bytes};
  *output = (struct perlane_output){.format = FORMAT_FLOAT, .value = input->values};
  for (int a = 0, k = 0; a < PERLANE_MAX_DIMS; a++) {
    if (!(input->axes >> a & 1))
      continue;
    region.first[k] = grid->first[a] + (int64_t)tile->first[a];
    region.count[k] = tile->count[a];
    region.origin[k] = grid->origin[a];
    region.step[k] = grid->step[a];
    region.stride[k] = (ptrdiff_t)input->stride[a];
    if (input->arrays > 1)
      output->gradient[k] = input->values + (size_t)(1 + k) * input->pitch;
    k++;
  }
  size_t packed = 1;
  for (int k = 0; k < PERLANE_MAX_DIMS; packed *= region.count[k++])
    if (region.count[k] == 1)
      region.stride[k] = (ptrdiff_t)packed;
  return region;
}

/* Fills an input in the current tile. */
static void fill_input(const struct expression_fill *fill, const struct input *input) {
  struct perlane_output output;
  const struct perlane_region region = tile_of_input(fill, input, &output);
  const int is_outside = input->axes >> fill->run.dims != 0;
  if (input->kept)
    fill_next_part(input->kept, &region, &output);
  else if (input->field)
    PERLANE_KERNEL(LANES_ID, fill)(input->field, &region, &output);
  else
    for (size_t i = 0; i < region.count[0]; i++)
      input->values[i] = is_outside ? 0 : (float)grid_position(&region, 0, i);
}

/* Begins fills that go on from tile to tile, for as many fields as fit in `bytes` bytes of memory,
 * whole cache lines each. Limits tiles to the rows that these fills have tables of. Returns the
 * number of bytes they take. */
static size_t keep_fills(struct expression_fill *fill, unsigned char *memory, size_t bytes) {
  struct run *run = &fill->run;
  size_t taken = 0;
  memcpy(run->tile.count, run->grid->count, sizeof run->tile.count);
  run->tile.count[0] = fill->max[0];
  fill->max[1] = run->grid->count[1];
  fill->all_kept = 1;
  for (int s = FIRST_FIELD; s < run->first_flat; s++) {
    struct input *input = &run->input[s];
    const size_t left = bytes - taken, size = whole_lines(sizeof(struct kept_fill));
    struct kept_fill *kept = (struct kept_fill *)(void *)(memory + taken);
    struct perlane_output output;
    struct perlane_region grid = tile_of_input(fill, input, &output);
    grid.count[1] = grid.count[1] < KEPT_ROWS ? grid.count[1] : KEPT_ROWS;
    const size_t room = left > size ? keep_fill(kept, input->field, &grid, &output,
                                                memory + taken + size, left - size)
                                    : 0;
    input->kept = room > 0 ? kept : NULL;
    if (room > 0) {
      taken += size + whole_lines(room);
      fill->max[1] = smaller_of(kept->fill.space.block_rows, fill->max[1]);
    } else {
      fill->all_kept = 0;
    }
  }
  return taken;
}

/* Evaluates and stores a tile whose inputs are filled. Runs go on in the next row where the inputs
 * do, or where rows are short. */
static void deliver_tile(struct expression_fill *fill) {
  struct run *run = &fill->run;
  const size_t columns = run->tile.count[0];
  int joins = 1;
  for (int s = 0; s < run->inputs; s++)
    joins &= (run->input[s].axes & 3) == 0 || is_full(run, &run->input[s]);
  joins |= run->grid->count[0] < SHORT_RUN_ROW;
  const size_t rows = joins && columns == fill->max[0] ? run->tile.count[1] : 1;
  run->at[3] = 0;
  for (run->at[2] = 0; run->at[2] < run->tile.count[2]; run->at[2]++)
    for (size_t y = 0; y < run->tile.count[1]; y += rows)
      for (size_t i = 0; i < rows * columns; i += run->n) {
        const size_t left = rows * columns - i;
        run->n = left < run->samples ? left : run->samples;
        run->at[0] = i % columns;
        run->at[1] = y + i / columns;
        deliver_run(fill);
      }
}

/* ---- The producer ---- */

static void expression_columns(struct space *space) {
  struct expression_fill *fill = (struct expression_fill *)space;
  const struct strips *strips = &space->sink.strips;
  const size_t lead = strips->x < 0 ? (size_t)-strips->x : 0;
  fill->run.tile.first[0] = (size_t)(strips->x + (ptrdiff_t)lead);
  fill->run.tile.count[0] = strips->columns - lead;
  fill->moved = 15;
}

/* Evaluates the results of a tile that all planes share. */
static void fill_flat(struct run *run) {
  run->at[2] = run->at[3] = 0;
  for (run->at[1] = 0; run->at[1] < run->tile.count[1]; run->at[1]++)
    for (run->at[0] = 0; run->at[0] < run->tile.count[0]; run->at[0] += run->n) {
      const size_t left = run->tile.count[0] - run->at[0];
      run->n = left < run->samples ? left : run->samples;
      evaluate_terms(run, ALL_PLANES);
    }
}

/* Fills the inputs of a tile, but for those that depend on no axis along which it has moved. */
static void expression_tile(struct space *space) {
  struct expression_fill *fill = (struct expression_fill *)space;
  struct grid_tile *tile = &fill->run.tile;
  const size_t first[] = {tile->first[0], space->y, space->z, space->w};
  const size_t count[] = {tile->count[0], space->rows, space->planes, 1};
  for (int a = 1; a < PERLANE_MAX_DIMS; a++) {
    fill->moved |= (tile->first[a] != first[a] || tile->count[a] != count[a]) << a;
    tile->first[a] = first[a];
    tile->count[a] = count[a];
  }
  for (int s = 0; s < fill->run.first_flat; s++)
    if (fill->run.input[s].axes & fill->moved)
      fill_input(fill, &fill->run.input[s]);
  if (fill->run.inputs > fill->run.first_flat && (fill->moved & 3) != 0)
    fill_flat(&fill->run);
  fill->moved = 0;
}

static int expression_leaves(struct space *space, ptrdiff_t offset) {
  (void)offset; /* deliver_run finds that of each row */
  deliver_tile((struct expression_fill *)space);
  return 1;
}

/* Memory is laid out with the plan: a kept fill has to be begun to know how much it needs. */
static void lay_out_expression(struct space *space, struct arena *arena) {
  (void)space, (void)arena;
}

static const struct producer EXPRESSION_PRODUCER = {.lay_out = lay_out_expression,
                                                    .columns = expression_columns,
                                                    .tile = expression_tile,
                                                    .leave = expression_leaves};

/* Returns how much work memory the fill of a field needs to be faster than on the stack, or not to
 * use it. */
static size_t scratch_of_field(const perlane_params *params) {
  const enum perlane_producer producer = perlane_basis_record(params)->producer;
  return params->valleys != 0                                    ? LAND_WORK_BYTES
         : params->warp_amplitude != 0 || producer == BY_LATTICE ? MIN_SCRATCH_BYTES
                                                                 : STACK_SCRATCH_BYTES;
}

/* Returns how many of `bytes` of memory are work memory of fields that no kept fill fills. */
static size_t scratch_of(const struct run *run, size_t bytes) {
  size_t least = run->moved_bytes;
  for (int s = FIRST_FIELD; s < run->first_flat; s++) {
    const size_t own = run->input[s].kept ? 0 : scratch_of_field(&run->input[s].field->params);
    least = own > least ? own : least;
  }
  return least <= MAX_SCRATCH(bytes)      ? least
         : MIN_SCRATCH_BYTES <= bytes / 2 ? MIN_SCRATCH_BYTES
                                          : 0;
}

/* The most arrays that a program has, of a run and of a tile: results, with those that samples
 * share; inputs that runs collect; positions in double and derivatives of a field at them; inputs.
 */
enum {
  MOST_ARRAYS = 2 * PERLANE_MAX_EXPRESSION_DEPTH * (1 + PERLANE_MAX_DIMS) + FIRST_FIELD +
                FIELDS * PERLANE_MAX_DIMS + 3 * PERLANE_MAX_DIMS +
                MAX_INPUTS * (1 + PERLANE_MAX_DIMS)
};
_Static_assert(RUN_GRANULE * sizeof(float) * MOST_ARRAYS + READ_PAST <= SMALL_STACK,
               "there is room for the smallest tile of the largest program");

/* Chooses tiles and lays out memory from `next` to `end`. Returns 0 if the grid is not to be filled
 * in this way. In small grids, and in little memory, fills take less time than what they would
 * keep.
 */
static int choose_tiles(struct expression_fill *fill, enum way way, unsigned char *next,
                        const unsigned char *end) {
  const size_t *count = fill->run.grid->count, left = (size_t)(end - next);
  const int is_small =
      count[0] <= SMALL_COUNT && count[1] <= SMALL_COUNT && count[2] <= SMALL_COUNT;
  size_t most = way == ALL_KEPT || (!is_small && left > SMALL_STACK) ? left / 4 * 3 : 0, kept = 0;
  float *memory = (float *)(void *)next;
  for (int s = FIRST_FIELD; s < fill->run.first_flat; s++)
    fill->run.input[s].kept = NULL;
  fill->scratch_bytes = scratch_of(&fill->run, left);
  memcpy(fill->max, count, sizeof fill->max);
  fill->max[3] = 1;
  const int is_one = way != ALL_KEPT && samples_of_grid(fill->run.grid) <= left &&
                     (count[0] <= VALLEY_TILE_COLUMNS || !moves_valleys(&fill->run)) &&
                     lay_out_inputs(fill, memory) * sizeof(float) <= left - fill->scratch_bytes;
  if (!is_one && way == IN_ONE_TILE)
    return 0;
  if (!is_one) {
    choose_columns(fill, memory, left / 4 / sizeof(float));
    const size_t least = lay_out_inputs(fill, memory) * sizeof(float);
    most = (most < left - least ? most : left - least) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    kept = keep_fills(fill, next, most);
    if (!fill->all_kept && way == ALL_KEPT)
      return 0;
    fill->scratch_bytes = scratch_of(&fill->run, left);
    if (fill->scratch_bytes > 0)
      kept = keep_fills(fill, next, most - smaller_of(most, fill->scratch_bytes));
  }
  fill->scratch = next + kept;
  fill->run.work = fill->scratch;
  fill->run.work_bytes = fill->scratch_bytes;
  next += kept + fill->scratch_bytes;
  memory = (float *)(void *)next;
  if (is_one) {
    fill->space.sink.strips = (struct strips){.count = count[0]};
    balance_strips(&fill->space.sink.strips, count[0]);
    lay_out_inputs(fill, memory);
  } else {
    choose_rows(fill, fill->all_kept ? 1 : TILE_PLANES, memory,
                (size_t)(end - next) / sizeof(float));
  }
  return 1;
}

/* Fills the grid in `bytes` bytes of memory. Returns 0, having filled nothing, if `way` has no room
 * there; the caller then takes the next way. */
static int fill_in_memory(struct expression_fill *fill, enum way way, void *memory, size_t bytes) {
  struct space *space = &fill->space;
  struct arena arena = {.next = memory};
  poison(memory, bytes);
  lay_out_run(&fill->run, &arena, bytes / 4);
  begin_space(space, &EXPRESSION_PRODUCER, NULL, fill->run.grid, &fill->output);
  if (space->sink.granule < RUN_GRANULE)
    space->sink.granule = RUN_GRANULE;
  if (!choose_tiles(fill, way, arena.next, (unsigned char *)memory + bytes - READ_PAST))
    return 0;
  space->direct = 1;
  space->block_rows = space->tile_rows = fill->max[1];
  space->tile_planes = fill->max[2];
  drive(space, memory, bytes);
  return 1;
}

#define FILL_ON_STACK(name, bytes)                                                                 \
  static PERLANE_NOINLINE int name(struct expression_fill *fill, enum way way) {                   \
    _Alignas(CACHE_LINE_BYTES) unsigned char memory[bytes];                                        \
    return fill_in_memory(fill, way, memory, sizeof memory);                                       \
  }
FILL_ON_STACK(fill_on_small_stack, SMALL_STACK)
FILL_ON_STACK(fill_on_large_stack, LARGE_STACK)
#undef FILL_ON_STACK

/* ---- Expressions, as lane_kernels.h calls them ---- */

static PERLANE_NOINLINE void fill_expression(const perlane_noise *noise,
                                             const struct perlane_region *grid,
                                             const struct perlane_output *output) {
  struct expression_fill fill;
  const vf infinity = f_bits(i_set(0x7F800000));
  fill.output = *output;
  fill.output.extremes = NULL;
  fill.wanted = output;
  fill.extremes = (struct extremes){infinity, negative_of(infinity)};
  fill.in_place = output->format == FORMAT_FLOAT && output->value && !output->gradient[0] &&
                  !output->extremes && grid->stride[0] == 1;
  begin_evaluation(&fill.run, &noise->expression, grid->dims, output->gradient[0] != NULL,
                   grid->octaves, grid, NULL);
  if (output->format != FORMAT_FLOAT)
    fill.run.nan = f_set(output->low);
  if (grid->work_bytes >= LARGE_STACK)
    fill_in_memory(&fill, ANY_WAY, grid->work, grid->work_bytes);
  else if (!fill_on_small_stack(&fill, IN_ONE_TILE) &&
           /* Fields at other positions, which are points, have a stack of their own besides. */
           (fill.run.moved_bytes > 0 || !fill_on_large_stack(&fill, ALL_KEPT)))
    fill_on_small_stack(&fill, ANY_WAY);
  write_extremes(output, &fill.extremes);
  if (output->extremes && output->extremes[0] > output->extremes[1]) { /* there are no numbers */
    const uint32_t nan = 0x7FC00000;
    memcpy(&output->extremes[0], &nan, sizeof nan);
    memcpy(&output->extremes[1], &nan, sizeof nan);
  }
}

/* Evaluates the inputs of a run, which is a list. */
static void begin_run(struct run *run) {
  for (int s = 0; s < FIRST_FIELD; s++)
    for (size_t i = 0; run->input[s].axes && i < run->n; i++)
      run->input[s].memory[i] = s < run->dims ? (float)list_position(run->list, s, i) : 0;
  for (int s = FIRST_FIELD; s < run->inputs; s++) {
    const struct input *input = &run->input[s];
    float *gradient[PERLANE_MAX_DIMS];
    for (int a = 0; a < input->dims; a++)
      gradient[a] = input->memory + (size_t)(1 + a) * run->samples;
    struct perlane_point_list list = *run->list;
    list.octaves = input->octaves;
    list.out = input->memory;
    list.gradient = run->arrays > 1 ? gradient : NULL;
    PERLANE_KERNEL(LANES_ID, points)(input->field, &list);
  }
}

static PERLANE_NOINLINE void list_expression(const perlane_noise *noise,
                                             const struct perlane_point_list *list) {
  _Alignas(CACHE_LINE_BYTES) float memory[RUN_FLOATS + READ_PAST / sizeof(float)];
  const float *coords[PERLANE_MAX_DIMS];
  const double *coords64[PERLANE_MAX_DIMS];
  struct perlane_point_list points = *list;
  struct run run;
  poison(memory, sizeof memory);
  points.coords = list->coords ? coords : NULL;
  points.coords64 = list->coords ? NULL : coords64;
  begin_evaluation(&run, &noise->expression, list->dims, list->gradient != NULL, list->octaves,
                   NULL, &points);
  struct arena arena = {.next = (unsigned char *)memory};
  lay_out_run(&run, &arena, RUN_FLOATS * sizeof *memory);
  for (size_t start = 0; start < list->n; start += run.n) {
    const size_t left = list->n - start;
    points.n = run.n = left < run.samples ? left : run.samples;
    for (int a = 0; a < list->dims; a++)
      if (list->coords)
        coords[a] = list->coords[a] + (ptrdiff_t)start * list->stride;
      else
        coords64[a] = list->coords64[a] + (ptrdiff_t)start * list->stride;
    begin_run(&run);
    evaluate_terms(&run, EACH_PLANE);
    const float *result = evaluate_run(&run);
    for (int j = 0; j < run.arrays; j++, result += run.samples) {
      float *to = j == 0 ? list->out : list->gradient[j - 1];
      if (to)
        copy_floats(result, run.n, to + start);
    }
  }
}

#endif
