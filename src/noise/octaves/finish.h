/* SPDX-License-Identifier: MIT
 *
 * What follows the sum of the octaves: falloff, contrast, curve, terraces, value_scale and
 * value_offset (docs/specification.md, 2.12, 2.13, 2.17 and 2.19).
 */
#ifndef PERLANE_NOISE_OCTAVES_FINISH_H
#define PERLANE_NOISE_OCTAVES_FINISH_H

#include "octaves.h"

/* ---- The falloff: what is subtracted far from a centre ---- */

struct falloff {
  int is_square;
  double centre[PERLANE_MAX_DIMS], scale; /* (position - centre) * scale: 1 at falloff_end */
  float start, rise;                      /* of q: A and B */
  float depth, steepness;                 /* F and D */
};

PERLANE_INLINE int has_falloff(const struct field *field) {
  return field->params->falloff != 0;
}

/* Positions of samples, as d_store stores them. */
struct positions {
  const double *at[PERLANE_MAX_DIMS];
  int is_row; /* along all axes but x, they are those of one vector */
};

PERLANE_INLINE struct falloff falloff_of(const perlane_params *params) {
  const double ratio = params->falloff_start / params->falloff_end, start = ratio * ratio;
  return (struct falloff){
      .is_square = params->falloff_shape == PERLANE_FALLOFF_SQUARE,
      .centre = {params->falloff_x, params->falloff_y, params->falloff_z, params->falloff_w},
      .scale = 1 / params->falloff_end,
      .start = (float)start,
      .rise = (float)(1 / (1 - start)),
      .depth = (float)params->falloff,
      .steepness = (float)(12 * params->falloff / (1 - start) / params->falloff_end),
  };
}

/* u: distances from the centre along an axis, clamped to where more makes no difference, so that
 * none is infinite. */
PERLANE_INLINE vf distances(const struct falloff *falloff, int a, vd position) {
  const vf u = f_from_d(d_mul(d_sub(position, d_set(falloff->centre[a])), d_set(falloff->scale)));
  return f_max(f_min(u, f_set(2)), f_set(-2));
}

/* Subtracts the falloff from n sums in place, and its derivatives from theirs. Positions are the
 * same in each vector from axis `moving` on. Axes beyond dims, at the centre, change nothing.
 * Constant: `axes` and `moving`. */
PERLANE_INLINE void subtract_falloff_in(int axes, int moving, const struct falloff *falloff,
                                        int dims, size_t n, int arrays,
                                        const struct positions *positions,
                                        const struct samples *sums) {
  const struct falloff local = *falloff;
  const struct positions at = *positions;
  const vf one = f_set(1), none = f_set(0);
  vf u[PERLANE_MAX_DIMS], square[PERLANE_MAX_DIMS], inside[PERLANE_MAX_DIMS];
  PERLANE_UNROLL for (int a = 0; a < axes; a++) u[a] =
      a < moving || a >= dims ? none : distances(&local, a, d_reload(at.at[a]));
  for (size_t i = 0; i < n; i += LANES) {
    PERLANE_UNROLL for (int a = 0; a < axes; a++) {
      if (a < moving && a < dims)
        u[a] = distances(&local, a, d_reload(at.at[a] + i));
      square[a] = f_mul(u[a], u[a]);
      inside[a] = f_sub(one, f_min(square[a], one));
    }
    vf sum = square[0], product = inside[0];
    PERLANE_UNROLL for (int a = 1; a < axes; a++) {
      sum = f_add(sum, square[a]);
      product = f_mul(product, inside[a]);
    }
    const vf q = local.is_square ? f_sub(one, product) : sum;
    const vf t = f_max(f_min(f_mul(f_sub(q, f_set(local.start)), f_set(local.rise)), one), none);
    const vf s = f_mul(f_mul(t, t), f_sub(f_set(3), f_add(t, t)));
    f_store(sums->array[0] + i, f_sub(f_load(sums->array[0] + i), f_mul(f_set(local.depth), s)));
    const vf d = f_mul(f_mul(t, f_sub(one, t)), f_set(local.steepness));
    PERLANE_UNROLL for (int a = 0; a < axes; a++) if (a + 1 < arrays) {
      vf slope = f_mul(d, u[a]);
      PERLANE_UNROLL for (int b = 0; b < axes; b++) if (local.is_square && b != a) slope =
          f_mul(slope, inside[b]);
      float *const slope_sum = sums->array[1 + a] + i;
      f_store(slope_sum, f_sub(f_load(slope_sum), slope));
    }
  }
}

static PERLANE_NOINLINE void subtract_falloff(const struct falloff *falloff, int dims, size_t n,
                                              int arrays, const struct positions *positions,
                                              const struct samples *sums) {
  if (!positions->is_row)
    subtract_falloff_in(4, 4, falloff, dims, n, arrays, positions, sums);
  else if (dims <= 2)
    subtract_falloff_in(2, 1, falloff, dims, n, arrays, positions, sums);
  else
    subtract_falloff_in(4, 1, falloff, dims, n, arrays, positions, sums);
}

/* ---- Kinds of finish ---- */

struct finish {
  perlane_fractal shape; /* of a single octave that has not been shaped yet; else FBM */
  float strength, ping_pong;
  int contrast;
  const struct perlane_pieces *pieces; /* of the curve, or NULL */
  float half_terraces, bend;           /* half_terraces is 0 without terraces */
  float value_scale,
      value_offset; /* 1 and -0 where there is none: those leave every value as it is */
};

/* Finishes sums, whose octaves are shaped, after the falloff. */
PERLANE_INLINE struct finish finish_of(const struct field *field) {
  const double sharpness = field->params->terraces != 0 ? field->params->terrace_sharpness : 0;
  return (struct finish){
      .shape = PERLANE_FRACTAL_FBM,
      .strength = field->octave[0].strength,
      .ping_pong = (float)field->params->ping_pong_strength,
      .contrast = field->params->contrast,
      .pieces = field->params->curve.count > 0 ? &field->noise->pieces : NULL,
      .half_terraces = (float)(field->params->terraces * 0.5),
      .bend = (float)(sharpness / (1 - sharpness)),
      .value_scale = field->value_scale,
      .value_offset = field->value_offset != 0 ? field->value_offset : -0.0f,
  };
}

/* Leaves values as they are. */
PERLANE_INLINE struct finish no_finish(void) {
  return (struct finish){.contrast = 1, .value_scale = 1, .value_offset = -0.0f};
}

PERLANE_INLINE int is_bent(const struct finish *end) {
  return end->pieces || end->half_terraces != 0;
}

/* How much there is to do. A single octave that has not been shaped yet adds its fractal to
 * FINISH_CURVED. Constant where it is a parameter. */
enum {
  FINISH_NONE,
  FINISH_LINEAR, /* scale and offset */
  FINISH_CURVED, /* contrast, curve, terraces, scale and offset */
};
_Static_assert(PERLANE_FRACTAL_FBM == 0, "other fractals make other kinds");

PERLANE_INLINE int finish_kind_of(const struct finish *end) {
  if (end->shape != PERLANE_FRACTAL_FBM || end->contrast != 1 || is_bent(end))
    return FINISH_CURVED + (int)end->shape;
  return end->value_scale != 1 || end->value_offset != 0 ? FINISH_LINEAR : FINISH_NONE;
}

/* ---- Curve and terraces ---- */

/* A value; the factor of its derivatives; and which of those are not +0. */
struct bent {
  vf value, slope;
  vm moves;
};

PERLANE_INLINE vf slope_on(const struct bent *bent, vf slope) {
  return f_select(bent->moves, f_mul(bent->slope, slope), f_set(0));
}

/* Comparisons select instead of f_min and f_max, which may return either of two zeros. */
PERLANE_INLINE struct bent curved(const struct perlane_pieces *pieces, vf v) {
  const vf last = f_set(pieces->start[pieces->count - 1]), first = f_set(pieces->start[0]);
  const vm not_above = f_not_above(v, last), not_below = f_not_above(first, v);
  const vf c = f_select(not_below, f_select(not_above, v, last), first);
  vf start = first, c0 = f_set(pieces->c0[0]), c1 = f_set(pieces->c1[0]);
  vf c2 = f_set(pieces->c2[0]), c3 = f_set(pieces->c3[0]);
  for (int i = 1; i < pieces->count; i++) {
    const vf next = f_set(pieces->start[i]);
    const vm reached = f_not_above(next, c);
    start = f_select(reached, next, start);
    c0 = f_select(reached, f_set(pieces->c0[i]), c0);
    c1 = f_select(reached, f_set(pieces->c1[i]), c1);
    c2 = f_select(reached, f_set(pieces->c2[i]), c2);
    c3 = f_select(reached, f_set(pieces->c3[i]), c3);
  }
  const vf t = f_sub(c, start), low = f_set(pieces->low), high = f_set(pieces->high);
  const vf y = f_add(c0, f_mul(f_add(c1, f_mul(f_add(c2, f_mul(c3, t)), t)), t));
  const vf slope = f_add(c1, f_mul(f_add(f_mul(f_set(2), c2), f_mul(f_mul(f_set(3), c3), t)), t));
  const vf capped = f_select(f_not_above(y, high), y, high);
  return (struct bent){f_select(f_not_above(low, y), capped, low), slope,
                       m_and(not_above, not_below)};
}

PERLANE_INLINE struct bent terraced(float half_terraces, float bend, vf v) {
  const vf one = f_set(1), half = f_set(0.5f), height = f_set(half_terraces);
  const vf t = f_mul(f_add(v, one), height);
  const vf whole = f_floor(t), f = f_sub(t, whole);
  const vm lower = f_not_above(f, half);
  const vf m = f_select(lower, f, f_sub(one, f));
  const vf b = f_add(f_mul(f_set(bend), f_sub(one, f_add(m, m))), one);
  const vf r = f_div(m, b);
  const vf s = f_select(lower, r, f_sub(one, r));
  return (struct bent){f_sub(f_div(f_add(whole, s), height), one),
                       f_div(f_add(f_set(bend), one), f_mul(b, b)), f_not_above(half, one)};
}

/* Bends v by the curve and the terraces, and unless d is NULL, the derivative in it. */
PERLANE_INLINE vf bend(const struct finish *end, vf v, vf *d) {
  if (end->pieces) {
    const struct bent curve = curved(end->pieces, v);
    v = curve.value;
    if (d)
      *d = slope_on(&curve, *d);
  }
  if (end->half_terraces != 0) {
    const struct bent terrace = terraced(end->half_terraces, end->bend, v);
    v = terrace.value;
    if (d)
      *d = slope_on(&terrace, *d);
  }
  return v;
}

/* Bends a value. Not inlined: it takes longer than a call, in many places. */
static PERLANE_NOINLINE vf bent_value(const struct finish *end, vf v) {
  return bend(end, v, NULL);
}

/* ---- Finishing ---- */

/* Returns |v|^contrast with the sign of v. Unless d is NULL, changes the derivative in it. */
PERLANE_INLINE vf contrasted(int contrast, vf v, vf *d) {
  if (contrast == 0) {
    const vf none = f_set(0);
    if (d)
      *d = none;
    return f_select(f_not_above(v, none), f_select(f_not_above(none, v), none, f_set(-1)),
                    f_set(1));
  }
  const vf a = magnitude_of(v);
  vf power = a;
  for (int i = 2; i < contrast; i++)
    power = f_mul(power, a);
  if (d)
    *d = f_mul(f_mul(f_set((float)contrast), power), *d);
  return f_mul(v, power);
}

/* Returns the finished value. Unless d is NULL, finishes the derivative in it, whose octaves are
 * shaped. Constant: whether d is NULL. */
PERLANE_INLINE vf finish_value(int kind, const struct finish *end, vf v, vf *d) {
  if (kind == FINISH_NONE)
    return v;
  if (kind > FINISH_CURVED)
    v = f_mul(shape((perlane_fractal)(kind - FINISH_CURVED), v, f_set(end->ping_pong)).value,
              f_set(end->strength));
  /* These branches go the same way for every sample. */
  if (kind >= FINISH_CURVED && end->contrast != 1)
    v = contrasted(end->contrast, v, d);
  if (kind >= FINISH_CURVED && is_bent(end))
    v = d ? bend(end, v, d) : bent_value(end, v);
  if (d)
    *d = f_mul(*d, f_set(end->value_scale));
  return f_add(f_mul(v, f_set(end->value_scale)), f_set(end->value_offset));
}

/* Constant: `kind`. */
PERLANE_INLINE void finish_values(int kind, const struct finish *end, size_t n, float *value) {
  const struct finish local = *end;
  for (size_t i = 0; i < n; i += LANES)
    f_store(value + i, finish_value(kind, &local, f_load(value + i), NULL));
}

/* Finishes n samples in place. */
static PERLANE_NOINLINE void finish_samples(const struct finish *end, size_t n, int arrays,
                                            const struct samples *samples) {
  const struct finish local = *end;
  float *const value = samples->array[0];
  for (int j = 1; j < arrays; j++) /* derivatives are of octaves that are shaped */
    for (size_t i = 0; i < n; i += LANES) {
      vf d = f_load(samples->array[j] + i);
      finish_value(FINISH_CURVED, &local, f_load(value + i), &d);
      f_store(samples->array[j] + i, d);
    }
  if (finish_kind_of(end) == FINISH_LINEAR)
    finish_values(FINISH_LINEAR, end, n, value);
  else
    finish_values(FINISH_CURVED + (int)end->shape, end, n, value);
}

PERLANE_INLINE int ends_with_sum(const struct field *field) {
  return perlane_ends_with_sum(field->params, field->value_scale, field->value_offset);
}

/* Subtracts the falloff from n samples in a list. */
static void lower_list(const struct field *field, int dims, size_t n, int arrays,
                       const struct positions *positions, const struct samples *samples) {
  if (has_falloff(field)) {
    const struct falloff falloff = falloff_of(field->params);
    subtract_falloff(&falloff, dims, n, arrays, positions, samples);
  }
}

/* Subtracts the falloff from n samples in a list, and finishes `arrays` of them in place. */
static void finish(const struct field *field, int dims, size_t n, int arrays,
                   const struct positions *positions, const struct samples *samples) {
  lower_list(field, dims, n, arrays, positions, samples);
  const struct finish end = finish_of(field);
  finish_samples(&end, n, arrays, samples);
}

#endif
