/* SPDX-License-Identifier: MIT
 *
 * Land above a network of channels (docs/specification.md, 2.22): the lowest wedge at places.
 *
 * A network is made for a box of places and kept as long as places are in it: in a grid of 256
 * columns it takes less time than the samples. Samples are halved until the candidates of a part
 * fit their arrays and its places their floats; then groups of neighbours share a selection.
 */
#ifndef PERLANE_NOISE_VALLEYS_LAND_H
#define PERLANE_NOISE_VALLEYS_LAND_H

#include "network.h"

enum {
  LAND_BLOCK = 256,                /* points of a block */
  MAX_PART = PART_EDGE * PART_EDGE /* samples of a part, which share candidates */
};

/* Samples in rows: places, and the arrays that receive their values and derivatives. */
struct land_samples {
  const uint32_t *x, *y; /* signed places */
  size_t columns, rows, pitch;
  int arrays;
  struct samples to;
};

static struct land_samples land_part(const struct land_samples *whole, size_t column, size_t row,
                                     size_t columns, size_t rows) {
  struct land_samples part = *whole;
  const size_t at = row * whole->pitch + column;
  part.x += at;
  part.y += at;
  part.columns = columns;
  part.rows = rows;
  part.to = samples_from(&whole->to, at);
  return part;
}

/* The first half of samples, or the second, along the longer side. */
static struct land_samples land_half(const struct land_samples *whole, int second) {
  const int by_rows = whole->rows > whole->columns;
  const size_t count = by_rows ? whole->rows : whole->columns, half = count / 2;
  const size_t start = second ? half : 0, n = second ? count - half : half;
  return by_rows ? land_part(whole, 0, start, whole->columns, n)
                 : land_part(whole, start, 0, n, whole->rows);
}

/* Signed words in the order of unsigned ones. */
PERLANE_INLINE vi ordered(vi v) {
  return i_xor(v, i_set(0x80000000));
}

static int32_t largest_lane(vi v) {
  uint32_t lane[LANES];
  i_store(lane, ordered(v));
  int32_t largest = (int32_t)lane[0];
  for (size_t l = 1; l < LANES; l++)
    largest = (int32_t)lane[l] > largest ? (int32_t)lane[l] : largest;
  return largest;
}

static struct place_box box_of(const struct land_samples *samples) {
  struct place_box box;
  const uint32_t *const axis[2] = {samples->x, samples->y};
  const vi all = i_set(0xFFFFFFFF);
  for (int a = 0; a < 2; a++) {
    vi high = i_set(0), low = i_set(0); /* low: of the complements */
    for (size_t r = 0; r < samples->rows; r++) {
      const uint32_t *row = axis[a] + r * samples->pitch;
      size_t i = 0;
      for (; i + LANES <= samples->columns; i += LANES) {
        const vi place = ordered(i_load(row + i));
        high = i_max_unsigned(high, place);
        low = i_max_unsigned(low, i_xor(place, all));
      }
      for (; i < samples->columns; i++) {
        const vi place = ordered(i_set(row[i]));
        high = i_max_unsigned(high, place);
        low = i_max_unsigned(low, i_xor(place, all));
      }
    }
    box.high[a] = largest_lane(high);
    box.low[a] = ~largest_lane(low);
  }
  return box;
}

/* The derivatives of the lowest wedges of a vector of a group (2.22), along x and y. */
static PERLANE_NOINLINE void slopes_of_land(const struct network *network,
                                            const struct near_channels *from,
                                            const struct group *group, size_t i, float *along_x,
                                            float *along_y) {
  const vi c = i_load(group->which + i);
#define NUMBER(name) f_look_up(from->number[name], c)
  const struct wedge_numbers numbers = WEDGE_NUMBERS(NUMBER, NUMBER(WIDTH));
  const vf none = f_set(0), one = f_set(1), two = f_set(2), four = f_set(4);
  const struct wedge w = wedge_at(&numbers, f_sub(f_load(group->x + i), NUMBER(FROM_X)),
                                  f_sub(f_load(group->y + i), NUMBER(FROM_Y)));
  const vf across = magnitude_of(w.b), free = f_sub(w.a, f_mul(across, numbers.lean));
  const vf e = f_sub(w.a, w.t), square = f_add(f_mul(e, e), f_mul(w.b, w.b));
  const vf r = f_sqrt(f_add(square, f_mul(numbers.width, numbers.width)));
  const vf p = f_add(numbers.rise, f_mul(two, f_mul(numbers.curve, w.t)));
  const vf steep = f_select_below(none, r, f_div(numbers.slope, r), none);
  const vf along = f_mul(steep, e), sideways = f_mul(steep, across);
  const vf leaning = f_add(sideways, f_mul(numbers.lean, f_sub(along, p)));
#define IF_FREE(yes, no)                                                                           \
  f_select_below(none, free, f_select_below(free, numbers.length, yes, no), no)
  vf A = IF_FREE(p, along), B = IF_FREE(leaning, sideways);
#undef IF_FREE
  B = f_bits(i_xor(i_bits(B), i_and(i_bits(w.b), i_set(0x80000000))));
  const vf m = f_sub(w.a, NUMBER(HEAD_ALONG)), n = f_sub(w.b, NUMBER(HEAD_ACROSS));
  const vf q = f_add(f_mul(m, m), f_mul(n, n)), far = NUMBER(FAR);
  const vf f = head_fade(q, NUMBER(NEAR), far);
  const vf rest = f_sub(f_mul(far, far), q);
  const vf h = f_mul(NUMBER(FADE), f_mul(f, f_div(f_add(one, f), rest)));
#undef NUMBER
  A = f_add(A, f_mul(f_mul(four, h), m));
  B = f_add(B, f_mul(f_mul(four, h), n));
  const vf G = f_set((float)network->constants.frequency);
  f_store(along_x, f_mul(f_add(f_mul(A, numbers.along_x), f_mul(B, numbers.along_y)), G));
  f_store(along_y, f_mul(f_sub(f_mul(A, numbers.along_y), f_mul(B, numbers.along_x)), G));
}

/* Evaluates up to GROUP samples of a part. */
static PERLANE_NOINLINE void land_of_group(const struct network *network,
                                           const struct near_channels *from,
                                           const struct land_samples *samples) {
  struct group group = {.count = samples->columns * samples->rows};
  for (size_t r = 0, i = 0; r < samples->rows; r++)
    for (size_t c = 0; c < samples->columns; c++, i++) {
      const size_t at = r * samples->pitch + c;
      group.x[i] = (float)((int32_t)samples->x[at] - from->origin[0]) * PLACE_UNIT;
      group.y[i] = (float)((int32_t)samples->y[at] - from->origin[1]) * PLACE_UNIT;
    }
  for (size_t i = group.count; i % LANES != 0; i++) {
    group.x[i] = group.x[group.count - 1];
    group.y[i] = group.y[group.count - 1];
  }
  float slope[2][GROUP];
  const int is_river = network->constants.is_river;
  if (is_river)
    nearest_rivers(from, margin_of(network, 1), &group);
  else
    lowest_wedges(from, margin_of(network, 0), samples->arrays > 1, &group);
  for (size_t i = 0; i < group.count && samples->arrays > 1; i += LANES)
    slopes_of_land(network, from, &group, i, slope[0] + i, slope[1] + i);
  for (size_t r = 0, i = 0; r < samples->rows; r++)
    for (size_t c = 0; c < samples->columns; c++, i++) {
      const size_t at = r * samples->pitch + c;
      samples->to.array[0][at] = group.z[i] + 0.0f;
      for (int a = 0; a < 2 && samples->arrays > 1; a++)
        samples->to.array[1 + a][at] = slope[a][i];
    }
}

/* Evaluates samples whose network there is. */
static void land_of_samples(const struct network *network, struct near_channels *candidates,
                            const struct land_samples *samples) {
  const struct place_box box = box_of(samples);
  const size_t n = samples->columns * samples->rows;
  const int is_small = n <= MAX_PART && box.high[0] - box.low[0] < PART_PLACES &&
                       box.high[1] - box.low[1] < PART_PLACES;
  if (is_small && gather(network, network->planes, network->constants.is_river, &box, candidates)) {
    const size_t rows = samples->rows < 8 ? samples->rows : 8, columns = GROUP / rows;
    for (size_t r = 0; r < samples->rows; r += rows)
      for (size_t c = 0; c < samples->columns; c += columns) {
        const size_t right = samples->columns - c, below = samples->rows - r;
        const struct land_samples group = land_part(
            samples, c, r, right < columns ? right : columns, below < rows ? below : rows);
        land_of_group(network, candidates, &group);
      }
    return;
  }
  /* No place is within 0.875 cells of more channels than there is room for: of the 260 around it 32
   * begin 4 cells away, and are upper halves of trunks. So this is a height. */
  if (n == 1) {
    const int32_t place[2] = {(int32_t)samples->x[0], (int32_t)samples->y[0]};
    gather_lowest(network, network->planes, place, candidates);
    land_of_group(network, candidates, samples);
    return;
  }
  for (int i = 0; i < 2; i++) {
    const struct land_samples half = land_half(samples, i);
    land_of_samples(network, candidates, &half);
  }
}

static void evaluate_land(const struct network *network, const struct land_samples *samples) {
  land_of_samples(network, network->scratch, samples);
}

/* ---- Positions ---- */

/* The cells of level 0 from a corner to positions that d_store has stored. */
struct valley_place {
  vi units; /* any word where it is more than 127 cells */
  vf cells; /* about */
};

PERLANE_INLINE struct valley_place place_of(const struct network *network, int axis, vd position) {
  const struct perlane_valleys *constants = &network->constants;
  const vd cells = d_mul(position, d_set(constants->frequency));
  const vd from_corner =
      cells_from(cells, constants->phase[axis] * 0x1p-24, (double)network->X[axis]);
  return (struct valley_place){i_from_d(d_mul(from_corner, d_set(0x1p24))), f_from_d(from_corner)};
}

/* Lets places begin at the cell of a position, unless they begin near it. */
static void choose_corner(struct network *network, const double position[2]) {
  for (int a = 0; a < 2; a++) {
    const double cell = position[a] * network->constants.frequency;
    const double away = cell - (double)network->X[a];
    if (!(away < (double)LAND_REACH && away > -(double)LAND_REACH)) {
      network->X[a] = (int64_t)cell;
      network->covered = (struct place_box){{0, 0}, {-1, -1}};
    }
  }
}

/* ---- Points ---- */

/* Points of a block: places, and those that are evaluated already or are too far from the corner.
 */
struct land_points {
  uint32_t x[LAND_BLOCK], y[LAND_BLOCK];
  uint8_t is_away[LAND_BLOCK];
};

/* The places of n positions in a row. */
static void place_row(const struct network *network, const double *x, const double *y, size_t n,
                      uint32_t *to_x, uint32_t *to_y) {
  for (size_t i = 0; i < n; i += LANES) {
    i_store(to_x + i, place_of(network, 0, d_reload(x + i)).units);
    i_store(to_y + i, place_of(network, 1, d_reload(y + i)).units);
  }
}

static void place_points(const struct network *network, const double *x, const double *y, size_t n,
                         struct land_points *points) {
  for (size_t i = 0; i < n; i += LANES) {
    const struct valley_place at_x = place_of(network, 0, d_reload(x + i));
    const struct valley_place at_y = place_of(network, 1, d_reload(y + i));
    i_store(points->x + i, at_x.units);
    i_store(points->y + i, at_y.units);
    float away[LANES];
    f_store(away, f_max(magnitude_of(at_x.cells), magnitude_of(at_y.cells)));
    for (size_t l = 0; l < LANES && i + l < n; l++)
      points->is_away[i + l] = !(away[l] < LAND_REACH + 8);
  }
}

static int is_in_box(const struct place_box *box, int32_t x, int32_t y) {
  return x >= box->low[0] && x <= box->high[0] && y >= box->low[1] && y <= box->high[1];
}

static int is_box_in(const struct place_box *box, const struct place_box *part) {
  return is_in_box(box, part->low[0], part->low[1]) && is_in_box(box, part->high[0], part->high[1]);
}

/* Makes a network for a point and those that are left around it, as far as memory suffices. */
static void cover_points(struct network *network, const struct land_points *points, size_t first,
                         size_t n, const uint8_t *is_done) {
  const int32_t x = (int32_t)points->x[first], y = (int32_t)points->y[first];
  struct place_box room, box = {{x, y}, {x, y}};
  int32_t radius = 8 << 24;
  do {
    radius = radius < 1 << 16 ? 0 : radius / 2;
    room = (struct place_box){{x - radius, y - radius}, {x + radius, y + radius}};
  } while (radius > 0 && !fits_network(network, &room));
  for (size_t i = first + 1; i < n; i++) {
    const int32_t place[2] = {(int32_t)points->x[i], (int32_t)points->y[i]};
    if (is_done[i] || points->is_away[i] || !is_in_box(&room, place[0], place[1]))
      continue;
    for (int a = 0; a < 2; a++) {
      box.low[a] = place[a] < box.low[a] ? place[a] : box.low[a];
      box.high[a] = place[a] > box.high[a] ? place[a] : box.high[a];
    }
  }
  make_network(network, &box);
}

/* Evaluates the land at n positions that d_store has stored, up to LAND_BLOCK. */
static PERLANE_NOINLINE void land_of_points(struct network *network, const double *x,
                                            const double *y, size_t n, int arrays,
                                            const struct samples *to) {
  struct land_points points;
  uint32_t px[LAND_BLOCK], py[LAND_BLOCK];
  uint16_t index[LAND_BLOCK];
  float result[3][LAND_BLOCK];
  uint8_t is_done[LAND_BLOCK] = {0};
  double number[LANES];
  size_t slot[LANES]; /* of a lane that d_store has stored */
  d_store(number, d_lane_number());
  for (size_t s = 0; s < LANES; s++)
    slot[(size_t)number[s]] = s;
  for (size_t first = 0; first < n; first++) {
    if (is_done[first])
      continue;
    const size_t stored = first / LANES * LANES + slot[first % LANES];
    choose_corner(network, (const double[2]){x[stored], y[stored]});
    place_points(network, x, y, n, &points);
    if (!is_in_box(&network->covered, (int32_t)points.x[first], (int32_t)points.y[first]))
      cover_points(network, &points, first, n, is_done);
    struct land_samples samples = {.x = px, .y = py, .rows = 1, .arrays = arrays};
    samples.to = (struct samples){{result[0], result[1], result[2]}};
    for (size_t i = first; i < n; i++)
      if (!is_done[i] && !points.is_away[i] &&
          is_in_box(&network->covered, (int32_t)points.x[i], (int32_t)points.y[i])) {
        px[samples.columns] = points.x[i];
        py[samples.columns] = points.y[i];
        index[samples.columns++] = (uint16_t)i;
        is_done[i] = 1;
      }
    samples.pitch = samples.columns;
    evaluate_land(network, &samples);
    for (size_t i = 0; i < samples.columns; i++)
      for (int j = 0; j < arrays; j++)
        to->array[j][index[i]] = result[j][i];
  }
}

/* ---- Fields ---- */

/* The two fields that one with valleys is made of: the control, whose values are the heights of the
 * network's points; and the land, whose only octave is the height above the network. */
struct valley_fields {
  struct field control, land;
  perlane_params control_params, land_params;
};

static void make_valley_fields(struct valley_fields *fields, const struct field *field) {
  perlane_params *params = &fields->control_params;
  *params = fields->land_params = *field->params;
  params->valleys = params->warp_amplitude = 0;
  params->curve.count = params->terraces = 0;
  params->contrast = 1;
  fields->control = *field;
  fields->control.params = params;
  fields->control.value_scale = 1;
  fields->control.value_offset = 0;
  fields->control.highest_frequency = 0; /* the points of the network are in the octaves' domain */
  for (int k = 0; k < field->octaves; k++)
    if (field->octave[k].frequency > fields->control.highest_frequency)
      fields->control.highest_frequency = field->octave[k].frequency;
  params = &fields->land_params;
  params->falloff = 0;
  params->fractal = PERLANE_FRACTAL_FBM;
  params->basis = PERLANE_BASIS_PERLIN;
  params->hash = PERLANE_HASH_LATTICE;
  params->gradients = PERLANE_GRADIENTS_DEFAULT;
  fields->land = *field;
  fields->land.params = params;
  fields->land.octaves = 1;
  fields->land.shaped = 0;
}

#endif
