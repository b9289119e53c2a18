/* SPDX-License-Identifier: MIT
 *
 * The producer of grids of land: rows of points, displaced if there is a warp, whose tiles share a
 * network of channels. A network is made for as many rows ahead as it has memory for.
 */
#ifndef PERLANE_NOISE_VALLEYS_PRODUCER_H
#define PERLANE_NOISE_VALLEYS_PRODUCER_H

#include "../points/producer.h"
#include "land.h"

struct land_fill {
  struct point_fill points;
  struct network *network;
  uint32_t *place[2]; /* of the tile's samples */
};

/* ---- Tiles ---- */

/* Makes a network for a box and what is next to it, as far as memory suffices: up to `ahead` units
 * further along y, and `beside` on all sides. Returns 0 if it does not for the box. */
static int cover_box(struct network *network, const struct place_box *box, int32_t ahead,
                     int32_t beside) {
  if (!fits_network(network, box))
    return 0;
  for (;; ahead /= 2, beside /= 2) {
    struct place_box room = *box;
    for (int a = 0; a < 2; a++) {
      room.low[a] -= beside;
      room.high[a] += beside;
    }
    room.low[1] += ahead < 0 ? ahead : 0;
    room.high[1] += ahead > 0 ? ahead : 0;
    if (fits_network(network, &room)) {
      make_network(network, &room);
      return 1;
    }
  }
}

/* Evaluates samples whose network there is or is made: for all of them, or as many as have memory
 * for one. */
static void cover_samples(struct network *network, const struct land_samples *samples,
                          int32_t ahead, int32_t beside) {
  const struct place_box box = box_of(samples);
  if (is_box_in(&network->covered, &box) || cover_box(network, &box, ahead, beside)) {
    evaluate_land(network, samples);
    return;
  }
  for (int i = 0; i < 2; i++) {
    const struct land_samples half = land_half(samples, i);
    cover_samples(network, &half, 0, beside);
  }
}

static int32_t units_of(double cells) {
  const double limit = LAND_REACH / 4;
  return (int32_t)((cells > limit ? limit : cells < -limit ? -limit : cells) * 0x1p24);
}

/* Evaluates the rows of the tile as lists: samples that are too far from each other for a network.
 */
static void land_by_rows(struct land_fill *fill, const struct samples *to) {
  struct point_fill *points = &fill->points;
  const struct space *space = &points->space;
  _Alignas(64) double position[2][LAND_COLUMNS]; /* networks take the place of those of the tile */
  for (size_t r = 0; r < space->rows; r++) {
    const struct samples row = samples_from(to, r * space->tile.pitch);
    load_tile(points, r * space->tile.pitch, space->sink.strips.columns);
    for (int a = 0; a < 2; a++)
      memcpy(position[a], positions_of(&points->evaluation, points->memory, a), sizeof position[a]);
    land_of_points(fill->network, position[0], position[1], space->sink.strips.columns,
                   space->tile.arrays, &row);
  }
}

static void land_of_tile(struct space *space, int k, int sum, const struct samples *to) {
  struct land_fill *fill = (struct land_fill *)space;
  struct point_fill *points = &fill->points;
  struct network *network = fill->network;
  const struct perlane_region *grid = space->grid;
  const double frequency = network->constants.frequency;
  const size_t columns = space->sink.strips.columns, pitch = space->tile.pitch;
  const double down = grid->step[1] * frequency, across = grid->step[0] * frequency;
  const double reach = points->warp.rounds > 0 ? points->warp.reach * frequency : 0;
  (void)k;   /* the only one, */
  (void)sum; /* which is added to none */
  if (!(perlane_magnitude(down) * (double)space->rows +
            perlane_magnitude(across) * (double)columns + 2 * reach <
        LAND_REACH / 2)) {
    land_by_rows(fill, to);
    point_tile(space); /* its positions are gone */
    return;
  }
  const size_t x = (size_t)space->sink.strips.x;
  choose_corner(network,
                (const double[2]){grid_position(grid, 0, x), grid_position(grid, 1, space->y)});
  for (size_t r = 0; r < space->rows; r++) {
    load_tile(points, r * pitch, columns);
    place_row(network, positions_of(&points->evaluation, points->memory, 0),
              positions_of(&points->evaluation, points->memory, 1), columns,
              fill->place[0] + r * pitch, fill->place[1] + r * pitch);
  }
  const struct land_samples samples = {fill->place[0], fill->place[1],     columns, space->rows,
                                       pitch,          space->tile.arrays, *to};
  const size_t band = space->band_rows - space->y % space->band_rows;
  const size_t left = smaller_of(band, grid->count[1] - space->y) - space->rows;
  cover_samples(network, &samples, units_of(down * (double)left), units_of(reach / 4));
  point_tile(space);
}

/* ---- The plan ---- */

static void lay_out_land(struct space *space, struct arena *arena) {
  struct land_fill *fill = (struct land_fill *)space;
  const size_t n = space->tile_rows * space->tile.pitch + LANES;
  float *tile = take_floats(arena, arrays_of_tile(&space->tile) * n);
  for (int a = 0; a < 2; a++)
    fill->place[a] = take(arena, n, sizeof *fill->place[a]);
  lay_out_points(space, arena);
  lay_out_tile(&space->tile, tile, n);
  fill->network->scratch = fill->points.memory; /* where nothing has to stay */
}

/* Returns how many floats displacements take for each sample. */
static size_t displaced_arrays(const struct field *field, int slopes) {
  const size_t sets = field->params->warp_rounds > 1 ? 2 : 1;
  return is_warped(field) ? 2 * sets * (slopes ? 3 : 1) : 0;
}

/* Chooses as many rows as have memory, up to PART_EDGE. */
static int plan_land(struct space *space, size_t bytes) {
  struct land_fill *fill = (struct land_fill *)space;
  struct point_fill *points = &fill->points;
  struct strips *strips = &space->sink.strips;
  const size_t count = space->grid->count[0];
  points->slopes = is_warped(space->field) && space->sink.arrays > 1;
  const size_t columns =
      bytes < WARP_WORK_BYTES || points->slopes ? LAND_STACK_COLUMNS : LAND_COLUMNS;
  if (count <= columns)
    *strips = (struct strips){.count = count};
  balance_strips(strips, columns);
  space->tile.pitch = strips->width;
  const size_t displaced = displaced_arrays(space->field, points->slopes);
  struct arena arena;
  for (space->tile_rows = smaller_of(PART_EDGE, space->grid->count[1]);; space->tile_rows--) {
    points->displaced_floats = displaced * (space->tile_rows * space->tile.pitch + LANES);
    points->scratch_bytes = sizeof *points->memory;
    arena = (struct arena){.next = NULL};
    lay_out_land(space, &arena);
    if (arena.bytes <= bytes)
      break;
    if (space->tile_rows == 1)
      return 0;
  }
  points->scratch_bytes += (bytes - arena.bytes) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
  space->tile_planes = 1;
  space->block_rows = space->tile_rows;
  space->band_rows = LAND_BAND_ROWS / space->tile_rows * space->tile_rows;
  return 1;
}

static const struct producer LAND_PRODUCER = {.has_small_stack = 1,
                                              .plan = plan_land,
                                              .lay_out = lay_out_land,
                                              .columns = point_columns,
                                              .planes = displace_block,
                                              .tile = point_tile,
                                              .octave = land_of_tile,
                                              .stretch = stretch_tile};

/* Fills a grid. Its tiles have the grid's work memory, the network has `bytes` of other memory. */
static void fill_land_in(const struct field *field, const struct perlane_region *grid,
                         const struct perlane_output *output, unsigned char *memory, size_t bytes) {
  struct valleys *const valleys = (struct valleys *)(void *)memory;
  struct land_fill fill;
  begin_valleys(valleys, field, NULL, memory + sizeof(struct valleys),
                bytes - sizeof(struct valleys));
  begin_space(&fill.points.space, &LAND_PRODUCER, &valleys->fields.land, grid, output);
  fill.points.cells = NULL;
  fill.network = &valleys->network;
  fill_space(&fill.points.space);
}

static PERLANE_NOINLINE void fill_land_on_stack(const struct field *field,
                                                const struct perlane_region *grid,
                                                const struct perlane_output *output) {
  _Alignas(CACHE_LINE_BYTES) unsigned char memory[sizeof(struct valleys) + NETWORK_BYTES];
  fill_land_in(field, grid, output, memory, sizeof memory);
}

/* Fills a grid with a field that has valleys. */
static PERLANE_NOINLINE void fill_land(const struct field *field, const struct perlane_region *grid,
                                       const struct perlane_output *output) {
  if (grid->work_bytes < LAND_WORK_BYTES) {
    fill_land_on_stack(field, grid, output);
    return;
  }
  struct perlane_region region = *grid; /* with the end of the work memory */
  const size_t tiles =
      smaller_of(LAND_TILE_BYTES, grid->work_bytes - sizeof(struct valleys) - NETWORK_BYTES);
  const size_t bytes = (grid->work_bytes - tiles) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
  region.work = (unsigned char *)grid->work + bytes;
  region.work_bytes = grid->work_bytes - bytes;
  fill_land_in(field, &region, output, grid->work, bytes);
}

#endif
