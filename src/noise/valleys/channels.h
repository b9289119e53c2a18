/* SPDX-License-Identifier: MIT
 *
 * Channels, and the wedges above them (docs/specification.md, 2.22).
 *
 * The channels of a level are arrays of numbers, an entry a cell. Of the hundreds around a position
 * few can have the lowest wedge. `gather` copies those that can be the lowest anywhere in a box;
 * `select_lowest` lists those of them that can be in a smaller one. Neither loses the lowest: in a
 * box of radius r a wedge is within reach * r of its value at the centre, and a margin covers what
 * rounds. With the slope g of the bed, at most 1.5 s, and the lean l of a bed of slope s, the
 * gradient of a wedge is at most S sqrt(1 + l^2 / 4) on its sides and g sqrt(1 + l^2) = 1.5 S l
 * above the middle of its floor.
 */
#ifndef PERLANE_NOISE_VALLEYS_CHANNELS_H
#define PERLANE_NOISE_VALLEYS_CHANNELS_H

#include "../../field.h"
#include "../../thresholds.h"
#include "../samples.h"

/* The numbers of a channel. Planes store the first ones, up to LEAN, and those of trunks HEAD_ALONG
 * and HEAD_ACROSS; candidates have all. */
enum channel_number {
  FOOT_X, /* the place of the lower end, a signed word */
  FOOT_Y,
  ALONG_X, /* u */
  ALONG_Y,
  LENGTH,
  BED_BASE,
  BED_RISE,
  BED_CURVE,
  SLOPE,
  LEAN,
  HEAD_ALONG,
  HEAD_ACROSS,
  FROM_X, /* from the candidates' origin to the foot, in cells of level 0 */
  FROM_Y,
  WIDTH,
  CELLS, /* 1 / size */
  FADE,  /* slope * size */
  NEAR,  /* from the head, as FAR */
  FAR,
  REACH,
  CHANNEL_NUMBERS,
  SIDE_NUMBERS = LEAN + 1,
  TRUNK_NUMBERS = HEAD_ACROSS + 1
};

enum {
  MAX_PLANES = PERLANE_MAX_VALLEY_OCTAVES + 2, /* level 0 has two: channels 1, and channels 2 */
  GROUP = 64 /* samples that share a list of candidates, whole vectors */
};

/* The base of a cell without a channel: no land is as high. */
#define NO_CHANNEL 0x1p120f

/* Places are in units of 2^-24 of a cell of level 0. */
#define PLACE_UNIT 0x1p-24f

/* The channels of a level's cells, row by row, with room for a vector after the last. */
struct channel_plane {
  int level;
  float width;                  /* of its channels */
  int32_t first[2], count[2];   /* cells, relative to those at the corner where places begin */
  float *number[TRUNK_NUMBERS]; /* HEAD_ALONG, HEAD_ACROSS: NULL where they are (length, 0) */
};

struct place_box {
  int32_t low[2], high[2];
};

/* Channels that can be the lowest in a box, in the order of the specification. Samples and feet are
 * relative to `origin`, a multiple of 16 units as feet are: where samples are within 2^21 units of
 * it, or multiples of 16, the difference of two floats is that of the places, rounded once. */
struct near_channels {
  int32_t origin[2];
  size_t count;
  float number[CHANNEL_NUMBERS][MAX_NEAR_CHANNELS + LANES];
};

/* ---- Wedges ---- */

struct wedge_numbers {
  vf along_x, along_y, length, base, rise, curve, slope, lean, width;
};

/* NUMBER(enum channel_number) is a vector. */
#define WEDGE_NUMBERS(NUMBER, width)                                                               \
  ((struct wedge_numbers){NUMBER(ALONG_X), NUMBER(ALONG_Y), NUMBER(LENGTH), NUMBER(BED_BASE),      \
                          NUMBER(BED_RISE), NUMBER(BED_CURVE), NUMBER(SLOPE), NUMBER(LEAN),        \
                          width})

/* A wedge before it fades, at (a, b) from its foot; the t of its bed. */
struct wedge {
  vf z, a, b, t;
};

PERLANE_INLINE vf between(vf v, vf high) {
  return f_min(f_max(v, f_set(0)), high);
}

/* At x and y from a channel's foot. */
PERLANE_INLINE struct wedge wedge_at(const struct wedge_numbers *c, vf x, vf y) {
  struct wedge wedge;
  wedge.a = f_add(f_mul(x, c->along_x), f_mul(y, c->along_y));
  wedge.b = f_sub(f_mul(x, c->along_y), f_mul(y, c->along_x));
  wedge.t = between(f_sub(wedge.a, f_mul(magnitude_of(wedge.b), c->lean)), c->length);
  const vf e = f_sub(wedge.a, wedge.t), square = f_add(f_mul(e, e), f_mul(wedge.b, wedge.b));
  const vf bed = f_add(c->base, f_mul(wedge.t, f_add(c->rise, f_mul(c->curve, wedge.t))));
  wedge.z = f_add(bed, f_mul(c->slope, f_sqrt(f_add(square, f_mul(c->width, c->width)))));
  return wedge;
}

/* The distance from a channel, in cells of its level, in place of a wedge's height. */
PERLANE_INLINE struct wedge river_at(const struct wedge_numbers *c, vf cells, vf x, vf y) {
  struct wedge wedge;
  wedge.a = f_add(f_mul(x, c->along_x), f_mul(y, c->along_y));
  wedge.b = f_sub(f_mul(x, c->along_y), f_mul(y, c->along_x));
  wedge.t = between(wedge.a, c->length);
  const vf e = f_sub(wedge.a, wedge.t), square = f_add(f_mul(e, e), f_mul(wedge.b, wedge.b));
  const vf none = f_set(NO_CHANNEL);
  wedge.z = f_select_below(c->base, none, f_mul(f_sqrt(square), cells), none);
  return wedge;
}

/* q */
PERLANE_INLINE vf head_square(const struct wedge *wedge, vf head_along, vf head_across) {
  const vf m = f_sub(wedge->a, head_along), n = f_sub(wedge->b, head_across);
  return f_add(f_mul(m, m), f_mul(n, n));
}

/* f; garbage where q is not below far's square. */
PERLANE_INLINE vf head_fade(vf square, vf near, vf far) {
  const vf above = f_max(f_sub(square, f_mul(near, near)), f_set(0));
  return f_div(above, f_sub(f_mul(far, far), square));
}

PERLANE_INLINE vf faded(vf z, vf square, vf near, vf far, vf fade) {
  const vf f = head_fade(square, near, far), sum = f_add(z, f_mul(fade, f_mul(f, f)));
  return f_select_below(square, f_mul(far, far), sum, f_set(NO_CHANNEL));
}

/* ---- Levels ---- */

/* Returns how many cells on either side of a place's have channels with a wedge above it. */
PERLANE_INLINE int32_t window_of(int level) {
  return level == 0 ? 4 : 3;
}

/* Radii around a wedge's head: where it begins to fade, and where it ends, a sixteenth of a cell
 * within the window, so that no rounding decides. */
PERLANE_INLINE float near_of(int level) {
  return level == 0 ? 3 : 2.25f / (float)(1 << level);
}

PERLANE_INLINE float far_of(int level) {
  return level == 0 ? 3.9375f : 2.9375f / (float)(1 << level);
}

/* Returns the cell of a place, which may be negative. */
PERLANE_INLINE int32_t place_cell(int32_t place, int level) {
  const int32_t size = 1 << (24 - level);
  return place >= 0 ? place / size : -((-1 - place) / size) - 1;
}

/* ---- Candidates ---- */

PERLANE_INLINE float root_of(float v) {
  float root[LANES];
  f_store(root, f_sqrt(f_set(v)));
  return root[0];
}

PERLANE_INLINE float lowest_lane(vf v) {
  float lane[LANES];
  f_store(lane, v);
  float lowest = lane[0];
  for (size_t l = 1; l < LANES; l++)
    lowest = lane[l] < lowest ? lane[l] : lowest;
  return lowest;
}

/* The largest change of a wedge's height in a unit of distance; a little more, for rounding. */
PERLANE_INLINE vf reach_of(int is_river, vf slope, vf lean, vf cells) {
  if (is_river)
    return cells;
  const vf square = f_mul(lean, lean);
  const vf side = f_add(f_set(1), f_mul(f_set(0.25f), square));
  return f_mul(f_mul(slope, f_set(1.00001f)), f_sqrt(f_max(side, f_mul(f_set(2.25f), square))));
}

PERLANE_INLINE vf stored_number(const struct channel_plane *plane, enum channel_number number,
                                size_t at) {
  return f_load(plane->number[number] + at);
}

PERLANE_INLINE struct wedge_numbers stored_wedge(const struct channel_plane *plane, size_t at) {
#define NUMBER(name) stored_number(plane, name, at)
  return WEDGE_NUMBERS(NUMBER, f_set(plane->width));
#undef NUMBER
}

PERLANE_INLINE vf stored_head_square(const struct channel_plane *plane, size_t at,
                                     const struct wedge *wedge) {
  return plane->number[HEAD_ALONG] ? head_square(wedge, stored_number(plane, HEAD_ALONG, at),
                                                 stored_number(plane, HEAD_ACROSS, at))
                                   : head_square(wedge, stored_number(plane, LENGTH, at), f_set(0));
}

/* Returns 1 if all lanes of v are above those of limit. */
PERLANE_INLINE int are_above(vf v, vf limit) {
  return m_all(m_not(f_not_above(v, limit)));
}

/* The distance from feet to a place. */
PERLANE_INLINE vf from_feet(const float *feet, int32_t place) {
  const vi units = i_sub(i_set((uint32_t)place), i_bits(f_load(feet)));
  return f_mul(f_from_i(units), f_set(PLACE_UNIT));
}

/* The cells of a plane whose channels can have wedges above a box: indices of the first and the
 * last along each axis. */
struct plane_window {
  int32_t from[2], to[2];
};

PERLANE_INLINE struct plane_window window_around(const struct channel_plane *plane,
                                                 const struct place_box *box) {
  struct plane_window window;
  for (int a = 0; a < 2; a++) {
    window.from[a] =
        place_cell(box->low[a], plane->level) - window_of(plane->level) - plane->first[a];
    window.to[a] =
        place_cell(box->high[a], plane->level) + window_of(plane->level) - plane->first[a];
  }
  return window;
}

/* A box, and lower bounds of the wedges of channels that can be the lowest there. */
struct gathering {
  const struct place_box *box;
  int32_t centre[2];
  float radius, margin;
  float top[LANES]; /* the least upper bound in each lane so far */
  size_t count;
  float low[MAX_NEAR_CHANNELS + 1];
  uint32_t index[MAX_NEAR_CHANNELS + 1];
};

/* Adds the channels of a plane. Returns 0 if there is no room. Constant: `is_river`. */
PERLANE_INLINE int gather_plane(int is_river, const struct channel_plane *plane,
                                struct gathering *to) {
  const struct plane_window window = window_around(plane, to->box);
  const vf cells = f_set((float)(1 << plane->level)), none = f_set(NO_CHANNEL);
  const vf radius = f_set(to->radius), margin = f_set(to->margin);
  const vf near = f_sub(f_set(near_of(plane->level)), radius);
  const vf far = f_add(f_set(far_of(plane->level)), radius);
  vf best = f_load(to->top);
  for (int32_t y = window.from[1]; y <= window.to[1]; y++)
    for (int32_t x = window.from[0]; x <= window.to[0]; x += LANES) {
      const size_t at = (size_t)y * (size_t)plane->count[0] + (size_t)x;
      const vf dx = from_feet(plane->number[FOOT_X] + at, to->centre[0]);
      const vf dy = from_feet(plane->number[FOOT_Y] + at, to->centre[1]);
      const struct wedge_numbers numbers = stored_wedge(plane, at);
      const struct wedge wedge =
          is_river ? river_at(&numbers, cells, dx, dy) : wedge_at(&numbers, dx, dy);
      const vf reach = reach_of(is_river, numbers.slope, numbers.lean, cells);
      const vf slack = f_add(f_mul(reach, radius), margin);
      vf high = f_add(wedge.z, slack), low = f_sub(wedge.z, slack);
      if (!is_river) {
        const vf distance = f_sqrt(stored_head_square(plane, at, &wedge));
        high = f_select_below(distance, near, high, none);
        low = f_select_below(distance, far, low, none);
      }
      best = f_min(best, high);
      if (are_above(low, best))
        continue;
      float bound[LANES], limit[LANES];
      f_store(bound, low);
      f_store(limit, best);
      for (size_t l = 0; l < LANES && x + (int32_t)l <= window.to[0]; l++) {
        if (to->count == MAX_NEAR_CHANNELS)
          return 0;
        to->low[to->count] = bound[l];
        to->index[to->count] = (uint32_t)(at + l);
        to->count += bound[l] <= limit[l];
      }
    }
  f_store(to->top, best);
  return 1;
}

static PERLANE_NOINLINE int gather_wedges(const struct channel_plane *plane, struct gathering *to) {
  return gather_plane(0, plane, to);
}

static PERLANE_NOINLINE int gather_rivers(const struct channel_plane *plane, struct gathering *to) {
  return gather_plane(1, plane, to);
}

/* Copies the channel with this index of a plane to the end of the candidates. */
static void add_near_channel(struct near_channels *to, const struct channel_plane *plane,
                             size_t index) {
  const size_t i = to->count++;
  const int is_trunk = plane->number[HEAD_ALONG] != NULL;
  for (int number = 0; number < (is_trunk ? TRUNK_NUMBERS : SIDE_NUMBERS); number++)
    memcpy(&to->number[number][i], plane->number[number] + index, sizeof(float));
  if (!is_trunk) {
    to->number[HEAD_ALONG][i] = to->number[LENGTH][i];
    to->number[HEAD_ACROSS][i] = 0;
  }
  for (int a = 0; a < 2; a++) {
    uint32_t foot;
    memcpy(&foot, plane->number[FOOT_X + a] + index, sizeof foot);
    to->number[FROM_X + a][i] = (float)(int32_t)(foot - (uint32_t)to->origin[a]) * PLACE_UNIT;
  }
  to->number[WIDTH][i] = plane->width;
  to->number[CELLS][i] = (float)(1 << plane->level);
  to->number[FADE][i] = to->number[SLOPE][i] / (float)(1 << plane->level);
  to->number[NEAR][i] = near_of(plane->level);
  to->number[FAR][i] = far_of(plane->level);
}

/* Completes the candidates: their reach, and copies of the last up to a whole vector. */
static void complete_near_channels(int is_river, struct near_channels *to) {
  for (size_t i = to->count; i % LANES != 0; i++)
    for (int number = 0; number < CHANNEL_NUMBERS; number++)
      memcpy(&to->number[number][i], &to->number[number][to->count - 1], sizeof(float));
  for (size_t i = 0; i < to->count; i += LANES)
    f_store(to->number[REACH] + i,
            reach_of(is_river, f_load(to->number[SLOPE] + i), f_load(to->number[LEAN] + i),
                     f_load(to->number[CELLS] + i)));
}

/* ---- The lowest of candidates ---- */

/* Samples relative to the candidates' origin. Those from `count` on repeat one of them. */
struct group {
  size_t count;
  float x[GROUP], y[GROUP];
  float z[GROUP];        /* the lowest wedge */
  uint32_t which[GROUP]; /* its candidate; only if it is asked for */
};

/* Candidates that can be the lowest of a group, and whether they can fade there. */
struct selection {
  size_t count;
  uint16_t index[MAX_NEAR_CHANNELS];
  uint8_t fades[MAX_NEAR_CHANNELS];
};

/* Returns half the extent of numbers that are whole vectors, and stores their middle. */
static float half_extent(const float *v, size_t n, float *middle) {
  vf low = f_load(v), high = low;
  for (size_t i = LANES; i < n; i += LANES) {
    low = f_min(low, f_load(v + i));
    high = f_max(high, f_load(v + i));
  }
  const float least = lowest_lane(low), most = -lowest_lane(f_sub(f_set(0), high));
  *middle = (least + most) * 0.5f;
  return (most - least) * 0.5f + 4 * PLACE_UNIT;
}

/* Constant: `is_river`. */
PERLANE_INLINE void select_channels(int is_river, const struct near_channels *from, float margin,
                                    const struct group *group, struct selection *to) {
  float x, y, low[MAX_NEAR_CHANNELS + LANES], edge[MAX_NEAR_CHANNELS + LANES];
  const size_t n = (group->count + LANES - 1) / LANES * LANES;
  const float extent[2] = {half_extent(group->x, n, &x), half_extent(group->y, n, &y)};
  const vf radius = f_set(1.0001f * root_of(extent[0] * extent[0] + extent[1] * extent[1]));
  const vf none = f_set(NO_CHANNEL), zero = f_set(0);
  vf top = f_set(is_river ? 0.875f : NO_CHANNEL / 2);
  for (size_t i = 0; i < from->count; i += LANES) {
    const vf dx = f_sub(f_set(x), f_load(from->number[FROM_X] + i));
    const vf dy = f_sub(f_set(y), f_load(from->number[FROM_Y] + i));
#define NUMBER(name) f_load(from->number[name] + i)
    const struct wedge_numbers numbers = WEDGE_NUMBERS(NUMBER, NUMBER(WIDTH));
#undef NUMBER
    const struct wedge wedge = is_river
                                   ? river_at(&numbers, f_load(from->number[CELLS] + i), dx, dy)
                                   : wedge_at(&numbers, dx, dy);
    const vf slack = f_add(f_mul(f_load(from->number[REACH] + i), radius), f_set(margin));
    vf high = f_add(wedge.z, slack), least = f_sub(wedge.z, slack);
    if (!is_river) {
      const vf near = f_load(from->number[NEAR] + i), far = f_load(from->number[FAR] + i);
      const vf distance = f_sqrt(head_square(&wedge, f_load(from->number[HEAD_ALONG] + i),
                                             f_load(from->number[HEAD_ACROSS] + i)));
      const vf farthest = f_sub(f_add(distance, radius), near);
      const vf nearest = f_max(f_sub(distance, radius), zero), square = f_mul(nearest, nearest);
      const vf fade = f_mul(f_set(0.999f), f_load(from->number[FADE] + i));
      high = f_select_below(farthest, zero, high, none);
      least = faded(least, square, near, far, fade);
      f_store(edge + i, f_add(farthest, f_set(0x1p-20f)));
    }
    top = f_min(top, high);
    f_store(low + i, least);
  }
  const float limit = lowest_lane(top);
  to->count = 0;
  for (size_t i = 0; i < from->count; i++) {
    to->index[to->count] = (uint16_t)i;
    to->fades[to->count] = !is_river && !(edge[i] < 0);
    to->count += low[i] <= limit;
  }
}

/* The lowest wedges of a group. Constant: `is_river`, `with_which`. */
PERLANE_INLINE void lowest_of_selection(int is_river, int with_which,
                                        const struct near_channels *from,
                                        const struct selection *selection, struct group *group) {
  const size_t n = group->count;
  for (size_t i = 0; i < n; i += LANES)
    f_store(group->z + i, f_set(is_river ? 0.875f : NO_CHANNEL));
  for (size_t s = 0; s < selection->count; s++) {
    const size_t c = selection->index[s];
#define NUMBER(name) f_set(from->number[name][c])
    const struct wedge_numbers numbers = WEDGE_NUMBERS(NUMBER, NUMBER(WIDTH));
    const vf from_x = NUMBER(FROM_X), from_y = NUMBER(FROM_Y), cells = NUMBER(CELLS);
    const vf head_along = NUMBER(HEAD_ALONG), head_across = NUMBER(HEAD_ACROSS);
    const vf near = NUMBER(NEAR), far = NUMBER(FAR), fade = NUMBER(FADE);
#undef NUMBER
    for (size_t i = 0; i < n; i += LANES) {
      const vf x = f_sub(f_load(group->x + i), from_x), y = f_sub(f_load(group->y + i), from_y);
      const struct wedge wedge =
          is_river ? river_at(&numbers, cells, x, y) : wedge_at(&numbers, x, y);
      vf z = wedge.z;
      if (!is_river && selection->fades[s])
        z = faded(z, head_square(&wedge, head_along, head_across), near, far, fade);
      const vf best = f_load(group->z + i);
      if (with_which)
        i_store(group->which + i, i_bits(f_select_below(z, best, f_bits(i_set((uint32_t)c)),
                                                        f_bits(i_load(group->which + i)))));
      f_store(group->z + i, f_min(z, best));
    }
  }
}

/* Finds the lowest wedges of a group, and which they are if `with_which`. */
static PERLANE_NOINLINE void lowest_wedges(const struct near_channels *from, float margin,
                                           int with_which, struct group *group) {
  struct selection selection;
  select_channels(0, from, margin, group, &selection);
  if (with_which)
    lowest_of_selection(0, 1, from, &selection, group);
  else
    lowest_of_selection(0, 0, from, &selection, group);
}

/* Finds the distances of a group to the nearest channels. */
static PERLANE_NOINLINE void nearest_rivers(const struct near_channels *from, float margin,
                                            struct group *group) {
  struct selection selection;
  select_channels(1, from, margin, group, &selection);
  lowest_of_selection(1, 0, from, &selection, group);
}

#endif
