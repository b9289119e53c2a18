/* SPDX-License-Identifier: MIT
 *
 * The network of channels around a box of places (docs/specification.md, 2.22): trunks, then the
 * side channels of each level, whose points stand on hillsides of the levels before.
 */
#ifndef PERLANE_NOISE_VALLEYS_NETWORK_H
#define PERLANE_NOISE_VALLEYS_NETWORK_H

#include "../lattice/split.h"
#include "channels.h"

enum {
  BLOCK_CELLS = 8,  /* of a level, along each axis, that share candidates */
  GROUP_CELLS = 4,  /* of a block, that share a selection of them */
  BEYOND_TRUNKS = 4 /* cells to the target of a target, at most */
};
_Static_assert(GROUP_CELLS *GROUP_CELLS % LANES == 0, "groups of cells are whole vectors");

/* Evaluates a field of 2 dimensions at n positions, in `memory`. */
typedef void heights_at(const struct field *field, void *memory, double *const position[2],
                        size_t n, float *z);

struct network {
  heights_at *evaluate;
  struct perlane_valleys constants;
  const struct field *control; /* the sum of the octaves, and the falloff */
  int64_t X[2];                /* the cell of level 0 at whose corner places begin */
  struct place_box covered;    /* the places that it is for; none if high is below low */
  float largest;               /* the magnitude of its heights */
  int planes;
  struct channel_plane plane[MAX_PLANES];
  void *scratch; /* for `evaluate`, then for near_channels */
  unsigned char *memory;
  size_t bytes;
};

/* ---- Lowest wedges ---- */

/* What cannot be seen in wedges whose values round. */
static float margin_of(const struct network *network, int is_river) {
  return is_river ? 0x1p-12f : 0x1p-17f * (network->largest + 16 * network->constants.slope);
}

/* Gathers the channels of the first planes that can be the lowest in a box. Returns 0 if there are
 * more than MAX_NEAR_CHANNELS. */
static PERLANE_NOINLINE int gather(const struct network *network, int planes, int is_river,
                                   const struct place_box *box, struct near_channels *to) {
  struct gathering found = {.box = box, .margin = margin_of(network, is_river)};
  size_t end[MAX_PLANES], i = 0;
  float extent[2];
  for (int a = 0; a < 2; a++) {
    const int32_t size = box->high[a] - box->low[a];
    found.centre[a] = box->low[a] + size / 2;
    to->origin[a] = box->low[a] & ~15;
    extent[a] = (float)size * (0.5f * PLACE_UNIT) + 2 * PLACE_UNIT;
  }
  found.radius = 1.0001f * root_of(extent[0] * extent[0] + extent[1] * extent[1]);
  f_store(found.top, f_set(is_river ? 0.875f : NO_CHANNEL / 2));
  for (int p = 0; p < planes; p++) {
    if (!(is_river ? gather_rivers : gather_wedges)(&network->plane[p], &found))
      return 0;
    end[p] = found.count;
  }
  const float limit = lowest_lane(f_load(found.top));
  to->count = 0;
  for (int p = 0; p < planes; p++)
    for (; i < end[p]; i++)
      if (found.low[i] <= limit)
        add_near_channel(to, &network->plane[p], found.index[i]);
  complete_near_channels(is_river, to);
  return 1;
}

/* The lowest wedge of the first planes above one place, of all channels around it: without bounds,
 * which are of no use where the heights of a network differ by far more than its slopes make. The
 * channel becomes the only candidate. */
static PERLANE_NOINLINE void gather_lowest(const struct network *network, int planes,
                                           const int32_t place[2], struct near_channels *to) {
  const struct place_box box = {{place[0], place[1]}, {place[0], place[1]}};
  float lowest = NO_CHANNEL;
  size_t lowest_at = 0;
  int lowest_plane = 0;
  for (int p = 0; p < planes; p++) {
    const struct channel_plane *plane = &network->plane[p];
    const struct plane_window window = window_around(plane, &box);
    const vf near = f_set(near_of(plane->level)), far = f_set(far_of(plane->level));
    for (int32_t y = window.from[1]; y <= window.to[1]; y++)
      for (int32_t x = window.from[0]; x <= window.to[0]; x += LANES) {
        const size_t at = (size_t)y * (size_t)plane->count[0] + (size_t)x;
        const struct wedge_numbers numbers = stored_wedge(plane, at);
        const struct wedge wedge =
            wedge_at(&numbers, from_feet(plane->number[FOOT_X] + at, place[0]),
                     from_feet(plane->number[FOOT_Y] + at, place[1]));
        const vf fade = f_div(numbers.slope, f_set((float)(1 << plane->level)));
        float z[LANES];
        f_store(z, faded(wedge.z, stored_head_square(plane, at, &wedge), near, far, fade));
        for (size_t l = 0; l < LANES && x + (int32_t)l <= window.to[0]; l++)
          if (z[l] < lowest) {
            lowest = z[l];
            lowest_at = at + l;
            lowest_plane = p;
          }
      }
  }
  to->origin[0] = place[0] & ~15;
  to->origin[1] = place[1] & ~15;
  to->count = 0;
  add_near_channel(to, &network->plane[lowest_plane], lowest_at);
  complete_near_channels(0, to);
}

/* ---- Points ---- */

/* The word of a cell along an axis (2.4). */
static uint32_t valley_word(const struct network *network, int level, int axis, int32_t cell) {
  static const uint32_t multiplier[2] = {0x9E3779B1, 0x85EBCA6B};
  const int64_t period = (int64_t)network->constants.period[axis] << level;
  int64_t X = network->X[axis] * ((int64_t)1 << level) + cell;
  if (period != 0) {
    X %= period;
    X += X < 0 ? period : 0;
  }
  const uint32_t high = (uint32_t)((uint64_t)(X + ((int64_t)1 << 31)) >> 32);
  const uint32_t low = (uint32_t)X ^ high * 0x9E3779B1u;
  uint32_t word[LANES];
  i_store(word, axis_word(i_set(low * multiplier[axis] + network->constants.key[level][axis])));
  return word[0];
}

/* The points of cells: places, and h and g. */
struct level_points {
  vi x, y, h, g;
};

/* The points of cells at x and y, whose sums of words are `words`. */
PERLANE_INLINE struct level_points points_of_cells(vi words, int level, vi x, vi y) {
  struct level_points point;
  point.h = full_mix(words);
  point.g = full_mix(i_add(point.h, i_set(0x9E3779B9)));
  const vi units = i_set(1u << (24 - level)), sixteens = i_set(0xFFFFFFF0);
  vi along_x = i_shift_left(i_shift_right(point.h, 16), 8);
  vi along_y = i_shift_left(i_and(point.h, i_set(0xFFFF)), 8);
  for (int k = 0; k < level; k++) {
    along_x = i_shift_right(along_x, 1);
    along_y = i_shift_right(along_y, 1);
  }
  point.x = i_add(i_mul(x, units), i_and(along_x, sixteens));
  point.y = i_add(i_mul(y, units), i_and(along_y, sixteens));
  return point;
}

/* byte_n(g) */
#define BYTE_OF(g, n) f_mul(f_from_i(i_and(i_shift_right(g, 8 * (n)), i_set(255))), f_set(0x1p-8f))

/* 2 * byte_n(g) - 1 */
#define SIGNED_BYTE_OF(g, n) f_sub(f_mul(f_set(2), BYTE_OF(g, n)), f_set(1))

/* diff */
PERLANE_INLINE vf apart(vi to, vi from) {
  return f_mul(f_from_i(i_sub(to, from)), f_set(PLACE_UNIT));
}

PERLANE_INLINE vi moved(vi place, vf by) {
  return i_add(place, i_shift_left(i_from_f(f_mul(by, f_set(0x1p20f))), 4));
}

PERLANE_INLINE vf length_of(vf x, vf y) {
  return f_sqrt(f_add(f_mul(x, x), f_mul(y, y)));
}

PERLANE_INLINE vf lean_of(vf s, vf slope) {
  return f_div(s, f_sqrt(f_sub(f_mul(slope, slope), f_mul(s, s))));
}

/* ---- Trunks ---- */

/* The points of level 0 around those whose trunks are wanted, row by row. */
struct trunk_points {
  size_t pitch, rows;
  uint32_t *x, *y, *h, *g, *target; /* target: its index */
  float *z;
};

/* Makes the heights of a row of points. */
static PERLANE_NOINLINE void make_heights(const struct network *network,
                                          const struct trunk_points *points, size_t row,
                                          const int32_t first[2], double *x, double *y) {
  const struct perlane_valleys *constants = &network->constants;
  const size_t at = row * points->pitch;
  double *const position[2] = {x, y};
  for (size_t i = 0; i < points->pitch; i++) {
    const int32_t cell[2] = {first[0] + (int32_t)i, first[1] + (int32_t)row};
    const uint32_t place[2] = {points->x[at + i], points->y[at + i]};
    for (int a = 0; a < 2; a++) {
      const int32_t offset = (int32_t)(place[a] - ((uint32_t)cell[a] << 24));
      int64_t X = network->X[a] + cell[a];
      if (constants->period[a] != 0) {
        X %= constants->period[a];
        X += X < 0 ? constants->period[a] : 0;
      }
      position[a][i] = ((double)X + ((double)offset - (double)constants->phase[a]) * 0x1p-24) /
                       constants->frequency;
    }
  }
  network->evaluate(network->control, network->scratch, position, points->pitch, points->z + at);
}

/* Makes the points, and returns the largest magnitude of their heights. */
static float make_trunk_points(const struct network *network, const struct trunk_points *points,
                               const int32_t first[2], double *x, double *y) {
  float largest = 0;
  for (size_t row = 0; row < points->rows; row++) {
    const size_t at = row * points->pitch;
    const int32_t cell_y = first[1] + (int32_t)row;
    const uint32_t word_y = valley_word(network, 0, 1, cell_y);
    for (size_t i = 0; i < points->pitch; i += LANES) {
      uint32_t words[LANES], cells[LANES];
      for (size_t l = 0; l < LANES; l++) {
        const int32_t cell_x = first[0] + (int32_t)(i + l);
        cells[l] = (uint32_t)cell_x;
        words[l] = word_y + valley_word(network, 0, 0, cell_x);
      }
      const struct level_points point =
          points_of_cells(i_load(words), 0, i_load(cells), i_set((uint32_t)cell_y));
      i_store(points->x + at + i, point.x);
      i_store(points->y + at + i, point.y);
      i_store(points->h + at + i, point.h);
      i_store(points->g + at + i, point.g);
    }
    make_heights(network, points, row, first, x, y);
    for (size_t i = 0; i < points->pitch; i++) {
      const float height = points->z[at + i] < 0 ? -points->z[at + i] : points->z[at + i];
      largest = height > largest ? height : largest;
    }
  }
  return largest;
}

/* The targets of a vector of points, as indices. */
static PERLANE_NOINLINE vi targets_at(const struct trunk_points *points, size_t at) {
  const vf z = f_load(points->z + at), none = f_set(0), half = f_set(0.5f);
  const vi x = i_load(points->x + at), y = i_load(points->y + at);
  const vi h = i_mul(i_load(points->h + at), i_set(0x2C1B3C6D));
  uint32_t own[LANES];
  for (size_t l = 0; l < LANES; l++)
    own[l] = (uint32_t)(at + l);
  vi target[2];
  for (int reach = 1; reach <= 2; reach++) {
    vf best = none;
    vi found = i_load(own);
    for (int j = -reach; j <= reach; j++)
      for (int i = -reach; i <= reach; i++) {
        if (i == 0 && j == 0)
          continue;
        const ptrdiff_t offset = j * (ptrdiff_t)points->pitch + i;
        const size_t r = (size_t)((ptrdiff_t)at + offset);
        const vf dx = apart(i_load(points->x + r), x), dy = apart(i_load(points->y + r), y);
        const vf square = f_add(f_mul(dx, dx), f_mul(dy, dy));
        vf fall = f_div(f_sub(z, f_load(points->z + r)), f_max(f_sqrt(square), f_set(0.125f)));
        if (reach == 1) {
          const vi mix = i_shift_right(i_add(h, i_load(points->h + r)), 24);
          fall = f_mul(fall, f_add(half, f_mul(f_from_i(mix), f_set(0x1p-8f))));
        }
        fall = f_select_below(square, f_set(8.25f), fall, none);
        const vi other = i_add(i_load(own), i_set((uint32_t)(int32_t)offset));
        found = i_bits(f_select_below(best, fall, f_bits(other), f_bits(found)));
        best = f_max(best, fall);
      }
    target[reach - 1] = found;
  }
  return i_select(i_equal(target[0], i_load(own)), target[1], target[0]);
}

/* Finds the targets of all points but those at the borders, which keep their own index. */
static void find_targets(const struct trunk_points *points) {
  const size_t last = points->pitch - 2, count = points->pitch * points->rows;
  for (size_t i = 0; i < count + 2 * LANES; i++)
    points->target[i] = (uint32_t)i;
  for (size_t i = count; i < count + 2 * LANES; i++) { /* which the last vectors read */
    points->x[i] = points->y[i] = points->h[i] = points->g[i] = 0;
    points->z[i] = 0;
  }
  for (size_t row = 2; row + 2 < points->rows; row++)
    for (size_t i = 2; i < last; i += LANES)
      i_store(points->target + row * points->pitch + i,
              targets_at(points, row * points->pitch + i));
}

/* Points that a vector of indices selects. */
struct chosen_points {
  vi x, y, g, target;
  vf z;
};

PERLANE_INLINE vi words_at(const uint32_t *table, vi index) {
  return i_bits(f_look_up((const void *)table, index));
}

static struct chosen_points points_at(const struct trunk_points *points, vi index) {
  return (struct chosen_points){.x = words_at(points->x, index),
                                .y = words_at(points->y, index),
                                .g = words_at(points->g, index),
                                .target = words_at(points->target, index),
                                .z = f_look_up(points->z, index)};
}

/* Channels 1 and 2 of trunks. */
struct trunks {
  vi foot_x[2], foot_y[2];
  vf along_x[2], along_y[2], length[2], base[2], head_along, head_across;
  vf slope, rise, lean;
};

static PERLANE_NOINLINE struct trunks draw_trunks(const struct network *network,
                                                  const struct chosen_points *c, vi foot_x,
                                                  vi foot_y, vf foot_z) {
  const vf none = f_set(0), one = f_set(1), half = f_set(0.5f);
  const vf width = f_set(network->constants.width[0]), S = f_set(network->constants.slope);
  const vf x = apart(c->x, foot_x), y = apart(c->y, foot_y);
  const vf bend = f_mul(f_set(0.3125f), SIGNED_BYTE_OF(c->g, 1));
  struct trunks trunk;
  trunk.foot_x[0] = foot_x;
  trunk.foot_y[0] = foot_y;
  trunk.foot_x[1] = moved(foot_x, f_sub(f_mul(half, x), f_mul(bend, y)));
  trunk.foot_y[1] = moved(foot_y, f_add(f_mul(half, y), f_mul(bend, x)));
  for (int i = 0; i < 2; i++) {
    const vf dx = apart(i == 0 ? trunk.foot_x[1] : c->x, trunk.foot_x[i]);
    const vf dy = apart(i == 0 ? trunk.foot_y[1] : c->y, trunk.foot_y[i]);
    const vf length = length_of(dx, dy);
    trunk.length[i] = length;
    trunk.along_x[i] = f_select_below(none, length, f_div(dx, length), one);
    trunk.along_y[i] = f_select_below(none, length, f_div(dy, length), none);
  }
  trunk.slope = f_mul(S, f_add(one, f_mul(f_set(0.1875f), SIGNED_BYTE_OF(c->g, 0))));
  const vf sum = f_add(trunk.length[0], trunk.length[1]);
  const vf s = f_select_below(none, sum, f_div(f_sub(c->z, foot_z), sum), none);
  trunk.rise = f_min(f_max(s, none), f_mul(f_set(0.875f), trunk.slope));
  trunk.lean = lean_of(trunk.rise, trunk.slope);
  const vf sunk = f_mul(trunk.slope, width);
  trunk.base[0] = f_sub(foot_z, sunk);
  trunk.base[1] = f_sub(f_add(foot_z, f_mul(trunk.rise, trunk.length[0])), sunk);
  trunk.head_along = f_add(f_mul(x, trunk.along_x[0]), f_mul(y, trunk.along_y[0]));
  trunk.head_across = f_sub(f_mul(x, trunk.along_y[0]), f_mul(y, trunk.along_x[0]));
  return trunk;
}

/* Where minor trunks join the trunks of their targets T: `foot` of T's own trunk, if they may. */
struct joint {
  vi x, y;
  vf z;
};

static PERLANE_NOINLINE struct joint joint_on(const struct network *network,
                                              const struct trunks *trunk, vi g) {
  const vf J = BYTE_OF(g, 2), half = f_set(0.5f), steep = f_set(1.5f);
  const vf first = f_add(f_set(0.25f), f_mul(steep, J)), second = f_mul(f_sub(J, half), steep);
#define ON_PART(one, two) f_select_below(J, half, one, two)
  const vf e = f_mul(ON_PART(first, second), ON_PART(trunk->length[0], trunk->length[1]));
  const vi x = i_bits(ON_PART(f_bits(trunk->foot_x[0]), f_bits(trunk->foot_x[1])));
  const vi y = i_bits(ON_PART(f_bits(trunk->foot_y[0]), f_bits(trunk->foot_y[1])));
  struct joint joint;
  joint.x = moved(x, f_mul(ON_PART(trunk->along_x[0], trunk->along_x[1]), e));
  joint.y = moved(y, f_mul(ON_PART(trunk->along_y[0], trunk->along_y[1]), e));
  const vf base = ON_PART(trunk->base[0], trunk->base[1]);
#undef ON_PART
  joint.z = f_add(f_add(base, f_mul(trunk->rise, e)),
                  f_mul(trunk->slope, f_set(network->constants.width[0])));
  return joint;
}

/* The trunks of a vector of points, from number `at` on. */
static PERLANE_NOINLINE struct trunks
trunks_at(const struct network *network, const struct trunk_points *points, size_t at, vm *is_pit) {
  uint32_t own[LANES];
  for (size_t l = 0; l < LANES; l++)
    own[l] = (uint32_t)(at + l);
  const vi index = i_load(own);
  const struct chosen_points c = points_at(points, index), T = points_at(points, c.target);
  const struct chosen_points U = points_at(points, T.target);
  *is_pit = i_equal(c.target, index);
  const struct trunks beyond = draw_trunks(network, &T, U.x, U.y, U.z);
  const struct joint joint = joint_on(network, &beyond, c.g);
  const vi top_bit = i_set(0x80000000);
  const vm is_minor = i_equal(i_and(c.g, top_bit), i_set(0));
  const vm is_major = i_equal(i_and(T.g, top_bit), top_bit);
  const vm is_trunk_of = m_not(i_equal(T.target, c.target));
  const vf x = apart(joint.x, c.x), y = apart(joint.y, c.y);
  const vm is_long = f_not_above(f_set(8.25f), f_add(f_mul(x, x), f_mul(y, y)));
  const vm is_up = f_not_above(c.z, joint.z);
  const vm joins =
      m_and(m_and(m_and(is_minor, is_major), is_trunk_of), m_not(m_or(is_long, is_up)));
  return draw_trunks(network, &c, i_select(joins, joint.x, T.x), i_select(joins, joint.y, T.y),
                     f_select(joins, joint.z, T.z));
}

static void store_trunks(struct channel_plane *plane, int part, size_t at,
                         const struct trunks *trunks) {
  i_store((void *)(plane->number[FOOT_X] + at), trunks->foot_x[part]);
  i_store((void *)(plane->number[FOOT_Y] + at), trunks->foot_y[part]);
  f_store(plane->number[ALONG_X] + at, trunks->along_x[part]);
  f_store(plane->number[ALONG_Y] + at, trunks->along_y[part]);
  f_store(plane->number[LENGTH] + at, trunks->length[part]);
  f_store(plane->number[BED_BASE] + at, trunks->base[part]);
  f_store(plane->number[BED_RISE] + at, trunks->rise);
  f_store(plane->number[BED_CURVE] + at, f_set(0));
  f_store(plane->number[SLOPE] + at, trunks->slope);
  f_store(plane->number[LEAN] + at, trunks->lean);
  if (part == 0) {
    f_store(plane->number[HEAD_ALONG] + at, trunks->head_along);
    f_store(plane->number[HEAD_ACROSS] + at, trunks->head_across);
  }
}

/* Makes what is after a plane's last channel none. */
static void end_plane(struct channel_plane *plane) {
  const size_t end = (size_t)plane->count[0] * (size_t)plane->count[1];
  for (int number = 0; number < TRUNK_NUMBERS; number++)
    if (plane->number[number])
      f_store(plane->number[number] + end, f_set(number == BED_BASE ? NO_CHANNEL : 0));
}

/* Makes planes 0 and 1. Rows are stored in their order: a vector's end is the next row's begin. */
static void make_trunks(struct network *network, const struct trunk_points *points) {
  struct channel_plane *first = &network->plane[0], *second = &network->plane[1];
  for (int32_t y = 0; y < first->count[1]; y++)
    for (int32_t x = 0; x < first->count[0]; x += LANES) {
      const size_t at = (size_t)(y + BEYOND_TRUNKS) * points->pitch + (size_t)(x + BEYOND_TRUNKS);
      const size_t to = (size_t)y * (size_t)first->count[0] + (size_t)x;
      vm is_pit;
      struct trunks trunks = trunks_at(network, points, at, &is_pit);
      store_trunks(first, 0, to, &trunks);
      trunks.base[1] = f_select(is_pit, f_set(NO_CHANNEL), trunks.base[1]);
      store_trunks(second, 1, to, &trunks);
    }
  end_plane(first);
  end_plane(second);
}

/* ---- Side channels ---- */

/* Channels of a group of cells, as they are stored. */
struct side_channels {
  float number[SIDE_NUMBERS][GROUP];
};

/* Makes the channels of a vector of points on the hillsides of candidates. */
static PERLANE_NOINLINE void make_side_channels(const struct network *network, int level,
                                                const struct near_channels *from,
                                                const struct group *group, size_t i, vi px, vi py,
                                                vi g, struct side_channels *to) {
  const vi c = i_load(group->which + i);
#define NUMBER(name) f_look_up(from->number[name], c)
  const vf none = f_set(0), one = f_set(1), z = f_load(group->z + i), length_p = NUMBER(LENGTH);
  const vf along_x = NUMBER(ALONG_X), along_y = NUMBER(ALONG_Y), slope_p = NUMBER(SLOPE);
  const vi foot_x = i_bits(NUMBER(FOOT_X)), foot_y = i_bits(NUMBER(FOOT_Y));
  const vf dx = apart(px, foot_x), dy = apart(py, foot_y);
  const vf a = f_add(f_mul(dx, along_x), f_mul(dy, along_y));
  const vf b = magnitude_of(f_sub(f_mul(dx, along_y), f_mul(dy, along_x)));
  const vf lean = f_add(f_set(0.125f), f_mul(f_set(0.875f), BYTE_OF(g, 1)));
  const vf t = between(f_sub(a, f_mul(b, lean)), length_p);
  const vf bed =
      f_add(NUMBER(BED_BASE), f_mul(t, f_add(NUMBER(BED_RISE), f_mul(NUMBER(BED_CURVE), t))));
  const vf foot = f_add(bed, f_mul(slope_p, NUMBER(WIDTH)));
#undef NUMBER
  const vi A_x = moved(foot_x, f_mul(along_x, t)), A_y = moved(foot_y, f_mul(along_y, t));
  const vf x = apart(px, A_x), y = apart(py, A_y), distance = length_of(x, y);
  const vf size = f_set(1.0f / (float)(1 << level)), width = f_set(network->constants.width[level]);
  const vf shortest = f_mul(f_set(0.25f), size), longest = f_mul(f_set(2), size);
  const vm is_fit = m_and(f_not_above(shortest, distance), f_not_above(distance, longest));
  const vm exists = m_and(is_fit, f_not_above(f_set(0.0625f), BYTE_OF(g, 2)));
  const vf length = f_select(exists, distance, one); /* to divide by */
  const vf slope = f_mul(slope_p, f_add(one, f_mul(f_set(0.0625f), BYTE_OF(g, 3))));
  const vf share = f_add(one, f_mul(f_set(0.125f), SIGNED_BYTE_OF(g, 0)));
  const vf depth = f_mul(f_set(network->constants.depth[level]), share);
  const vf rise = f_div(f_mul(depth, f_max(f_sub(z, foot), none)), length);
  const vf s = f_min(rise, f_mul(f_set(0.875f), slope));
  const vf base = f_sub(foot, f_mul(slope, width));
  const vf half = f_set(0.5f);
  f_store(to->number[FOOT_X] + i, f_bits(A_x));
  f_store(to->number[FOOT_Y] + i, f_bits(A_y));
  f_store(to->number[ALONG_X] + i, f_div(x, length));
  f_store(to->number[ALONG_Y] + i, f_div(y, length));
  f_store(to->number[LENGTH] + i, length);
  f_store(to->number[BED_BASE] + i, f_select(exists, base, f_set(NO_CHANNEL)));
  f_store(to->number[BED_RISE] + i, f_mul(s, half));
  f_store(to->number[BED_CURVE] + i, f_mul(s, f_div(half, length)));
  f_store(to->number[SLOPE] + i, slope);
  f_store(to->number[LEAN] + i, lean_of(s, slope));
}

/* A rectangle of cells of a plane. */
struct cell_block {
  int32_t x, y, columns, rows; /* x and y are indices */
};

/* Makes the channels of up to GROUP_CELLS cells along each axis. */
static PERLANE_NOINLINE void make_group_of_channels(struct network *network,
                                                    struct channel_plane *plane,
                                                    const struct cell_block *block,
                                                    const struct near_channels *from) {
  struct group group = {.count = GROUP_CELLS * GROUP_CELLS};
  struct side_channels channels;
  uint32_t words[GROUP], x[GROUP], y[GROUP], g[GROUP];
  for (size_t i = 0; i < group.count; i++) { /* cells beyond the block are its last ones */
    const int32_t column = (int32_t)i % GROUP_CELLS, row = (int32_t)i / GROUP_CELLS;
    const int32_t cell_x = block->x + (column < block->columns ? column : block->columns - 1);
    const int32_t cell_y = block->y + (row < block->rows ? row : block->rows - 1);
    x[i] = (uint32_t)(plane->first[0] + cell_x);
    y[i] = (uint32_t)(plane->first[1] + cell_y);
    words[i] = valley_word(network, plane->level, 0, (int32_t)x[i]) +
               valley_word(network, plane->level, 1, (int32_t)y[i]);
  }
  for (size_t i = 0; i < group.count; i += LANES) {
    const struct level_points point =
        points_of_cells(i_load(words + i), plane->level, i_load(x + i), i_load(y + i));
    i_store(x + i, point.x);
    i_store(y + i, point.y);
    i_store(g + i, point.g);
    f_store(group.x + i, apart(point.x, i_set((uint32_t)from->origin[0])));
    f_store(group.y + i, apart(point.y, i_set((uint32_t)from->origin[1])));
  }
  lowest_wedges(from, margin_of(network, 0), 1, &group);
  for (size_t i = 0; i < group.count; i += LANES)
    make_side_channels(network, plane->level, from, &group, i, i_load(x + i), i_load(y + i),
                       i_load(g + i), &channels);
  for (int32_t row = 0; row < block->rows; row++) {
    const size_t to = (size_t)(block->y + row) * (size_t)plane->count[0] + (size_t)block->x;
    for (int number = 0; number < SIDE_NUMBERS; number++)
      memcpy(plane->number[number] + to, channels.number[number] + row * GROUP_CELLS,
             (size_t)block->columns * sizeof(float));
  }
}

/* Makes the channels of a block. Returns 0 if it has too many candidates. */
static int make_block_of_channels(struct network *network, int p, const struct cell_block *block,
                                  struct near_channels *candidates) {
  struct channel_plane *plane = &network->plane[p];
  const int32_t size = 1 << (24 - plane->level);
  const struct place_box box = {
      {(plane->first[0] + block->x) * size, (plane->first[1] + block->y) * size},
      {(plane->first[0] + block->x + block->columns) * size - 1,
       (plane->first[1] + block->y + block->rows) * size - 1}};
  if (!gather(network, p, 0, &box, candidates)) {
    if (block->columns > 1 || block->rows > 1)
      return 0;
    const int32_t cell[2] = {plane->first[0] + block->x, plane->first[1] + block->y};
    uint32_t place[2][LANES];
    const struct level_points point =
        points_of_cells(i_set(valley_word(network, plane->level, 0, cell[0]) +
                              valley_word(network, plane->level, 1, cell[1])),
                        plane->level, i_set((uint32_t)cell[0]), i_set((uint32_t)cell[1]));
    i_store(place[0], point.x);
    i_store(place[1], point.y);
    gather_lowest(network, p, (const int32_t[2]){(int32_t)place[0][0], (int32_t)place[1][0]},
                  candidates);
  }
  for (int32_t y = 0; y < block->rows; y += GROUP_CELLS)
    for (int32_t x = 0; x < block->columns; x += GROUP_CELLS) {
      const int32_t columns = block->columns - x, rows = block->rows - y;
      const struct cell_block group = {block->x + x, block->y + y,
                                       columns < GROUP_CELLS ? columns : GROUP_CELLS,
                                       rows < GROUP_CELLS ? rows : GROUP_CELLS};
      make_group_of_channels(network, plane, &group, candidates);
    }
  return 1;
}

/* Makes the channels of a level, in blocks of up to BLOCK_CELLS along each axis. */
static PERLANE_NOINLINE void make_side_level(struct network *network, int p,
                                             struct near_channels *candidates) {
  const struct channel_plane *plane = &network->plane[p];
  for (int32_t y = 0; y < plane->count[1]; y += BLOCK_CELLS)
    for (int32_t x = 0; x < plane->count[0]; x += BLOCK_CELLS) {
      const int32_t columns = plane->count[0] - x, rows = plane->count[1] - y;
      const struct cell_block block = {x, y, columns < BLOCK_CELLS ? columns : BLOCK_CELLS,
                                       rows < BLOCK_CELLS ? rows : BLOCK_CELLS};
      if (make_block_of_channels(network, p, &block, candidates))
        continue;
      for (int32_t i = 0; i < block.columns * block.rows; i++)
        make_block_of_channels(
            network, p, &(struct cell_block){x + i % block.columns, y + i / block.columns, 1, 1},
            candidates);
    }
  end_plane(&network->plane[p]);
}

/* ---- The network ---- */

/* Sets the cells of each plane that a box of places needs, lays their arrays out in `memory`, and
 * returns the bytes that the network takes; it measures them only if `memory` is NULL. */
static size_t lay_out_network(struct network *network, const struct place_box *box,
                              unsigned char *memory, struct trunk_points *points,
                              double *position[2]) {
  const int levels = network->constants.levels;
  struct place_box needed = *box;
  network->planes = levels + 2;
  for (int k = levels; k >= 0; k--) {
    struct channel_plane *plane = &network->plane[k == 0 ? 0 : k + 1];
    plane->level = k;
    plane->width = network->constants.width[k];
    for (int a = 0; a < 2; a++) {
      const int32_t size = 1 << (24 - k);
      plane->first[a] = place_cell(needed.low[a], k) - window_of(k);
      plane->count[a] = place_cell(needed.high[a], k) + window_of(k) + 1 - plane->first[a];
      needed.low[a] = plane->first[a] * size;
      needed.high[a] = (plane->first[a] + plane->count[a]) * size - 1;
    }
  }
  memcpy(&network->plane[1], &network->plane[0], sizeof network->plane[0]);
  size_t bytes = 0, trunks_end = 0;
  for (int p = 0; p < network->planes; p++) {
    struct channel_plane *plane = &network->plane[p];
    const size_t cells = (size_t)plane->count[0] * (size_t)plane->count[1] + LANES;
    for (int number = 0; number < TRUNK_NUMBERS; number++) {
      const int is_stored = p == 0 || number < SIDE_NUMBERS;
      plane->number[number] = memory && is_stored ? (float *)(void *)(memory + bytes) : NULL;
      bytes += is_stored ? cells * sizeof(float) : 0;
    }
    if (p == 1)
      trunks_end = bytes;
  }
  /* The points of trunks take the place of side channels, which are made after them. */
  points->pitch = (size_t)network->plane[0].count[0] + 2 * (size_t)BEYOND_TRUNKS;
  points->rows = (size_t)network->plane[0].count[1] + 2 * (size_t)BEYOND_TRUNKS;
  const size_t row =
      (points->pitch * sizeof(double) + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
  const size_t array = (points->pitch * points->rows + 2 * LANES) * sizeof(float);
  size_t end = (trunks_end + 7) / 8 * 8;
  for (int a = 0; a < 2; a++, end += row)
    position[a] = memory ? (double *)(void *)(memory + end) : NULL;
  void *arrays[6];
  for (int i = 0; i < 6; i++, end += array)
    arrays[i] = memory ? memory + end : NULL;
  points->x = arrays[0];
  points->y = arrays[1];
  points->h = arrays[2];
  points->g = arrays[3];
  points->target = arrays[4];
  points->z = arrays[5];
  return end > bytes ? end : bytes;
}

/* Returns 1 if memory suffices for the network around a box. */
static int fits_network(struct network *network, const struct place_box *box) {
  struct network measured;
  struct trunk_points points;
  double *position[2];
  measured.constants = network->constants;
  return lay_out_network(&measured, box, NULL, &points, position) <= network->bytes;
}

static void make_trunk_planes(struct network *network, const struct trunk_points *points,
                              double *const position[2]) {
  const struct channel_plane *trunks = &network->plane[0];
  const int32_t first[2] = {trunks->first[0] - BEYOND_TRUNKS, trunks->first[1] - BEYOND_TRUNKS};
  network->largest = make_trunk_points(network, points, first, position[0], position[1]);
  find_targets(points);
  make_trunks(network, points);
}

static void make_side_planes(struct network *network) {
  for (int p = 2; p < network->planes; p++)
    make_side_level(network, p, network->scratch);
}

/* Makes the network around a box, which fits. */
static void make_network(struct network *network, const struct place_box *box) {
  struct trunk_points points;
  double *position[2];
  lay_out_network(network, box, network->memory, &points, position);
  network->covered = *box;
  make_trunk_planes(network, &points, position);
  make_side_planes(network);
}

/* Begins networks of a field's first levels, in `bytes` of memory. */
static void begin_networks(struct network *network, const struct field *control, int levels,
                           heights_at *evaluate, void *scratch, unsigned char *memory,
                           size_t bytes) {
  network->evaluate = evaluate;
  perlane_field_valleys(control->noise, levels, &network->constants);
  if (network->constants.is_river && levels > 2)
    network->constants.levels = 2;
  network->control = control;
  network->X[0] = network->X[1] = 0;
  network->covered = (struct place_box){{0, 0}, {-1, -1}};
  network->scratch = scratch;
  network->memory = memory;
  network->bytes = bytes;
}

#endif
