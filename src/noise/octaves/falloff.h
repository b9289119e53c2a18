/* SPDX-License-Identifier: MIT
 *
 * The falloff: what is subtracted from the sum of the octaves far from a centre
 * (docs/specification.md, 2.19).
 */
#ifndef PERLANE_NOISE_OCTAVES_FALLOFF_H
#define PERLANE_NOISE_OCTAVES_FALLOFF_H

#include "../field.h"
#include "../samples.h"

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

#endif
