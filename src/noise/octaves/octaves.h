/* SPDX-License-Identifier: MIT
 *
 * Shaping an octave's noise and adding it to the sum (docs/specification.md, 2.7, 2.11 and 2.13).
 */
#ifndef PERLANE_NOISE_OCTAVES_H
#define PERLANE_NOISE_OCTAVES_H

#include "../field.h"
#include "../samples.h"

PERLANE_INLINE vf with_sign_of(vf sign, vf v) {
  return f_bits(i_xor(i_bits(v), i_and(i_bits(sign), i_set(0x80000000))));
}

PERLANE_INLINE vf twice(vf v) {
  return f_add(v, v);
}

/* How an octave takes part in the sum. */
struct shaping {
  perlane_fractal fractal;
  int first, weighted; /* whether it is octave 0; whether its weight depends on octaves before it */
  int arrays;          /* 1, or 1 + dims with derivatives */
  int slopes_summed;   /* whether derivatives have been added to their sums, for erosion */
  float strength, ping_pong, weighting, erosion;
};

PERLANE_INLINE struct shaping shaping_of(const struct field *field, int k, int arrays) {
  const perlane_params *params = field->params;
  return (struct shaping){
      .fractal = (perlane_fractal)params->fractal,
      .first = k == 0,
      .weighted = params->weighted_strength != 0 && field->octaves > 1,
      .arrays = arrays,
      .strength = field->octave[k].strength,
      .ping_pong = (float)params->ping_pong_strength,
      .weighting = (float)params->weighted_strength,
      .erosion = (float)params->erosion,
  };
}

/* 2.11: v, and g before it is clamped. Both derivatives take the sign of `turn`: that of n, or of
 * ping-pong's t - 1. */
struct shaped {
  vf value, weight, turn;
};

PERLANE_INLINE struct shaped shape(perlane_fractal fractal, vf n, vf ping_pong) {
  const vf one = f_set(1);
  vf turn = n;
  switch (fractal) {
  case PERLANE_FRACTAL_PING_PONG: {
    const vf t = f_mul(f_add(n, one), ping_pong);
    turn = f_sub(f_sub(t, f_mul(f_set(2), f_floor(f_mul(t, f_set(0.5f))))), one);
  } /* fall through */
  case PERLANE_FRACTAL_RIDGED: {
    const vf a = magnitude_of(turn);
    return (struct shaped){f_sub(one, twice(a)), f_sub(one, a), turn};
  }
  case PERLANE_FRACTAL_BILLOW: {
    const vf a = magnitude_of(n);
    return (struct shaped){f_sub(twice(a), one), a, n};
  }
  case PERLANE_FRACTAL_FBM:
  case PERLANE_FRACTAL_NONE:
  case PERLANE_FRACTAL_ERODED:
  case PERLANE_FRACTAL_COUNT:
    break;
  }
  return (struct shaped){n, f_mul(f_add(n, one), f_set(0.5f)), n};
}

/* 2.13: v' and g' for the derivative d of n. */
PERLANE_INLINE struct shaped shape_slope(perlane_fractal fractal, vf d, vf turn, vf ping_pong) {
  switch (fractal) {
  case PERLANE_FRACTAL_PING_PONG:
    d = f_mul(ping_pong, d); /* fall through */
  case PERLANE_FRACTAL_RIDGED: {
    const vf j = negative_of(with_sign_of(turn, d));
    return (struct shaped){twice(j), j, turn};
  }
  case PERLANE_FRACTAL_BILLOW: {
    const vf j = with_sign_of(turn, d);
    return (struct shaped){twice(j), j, turn};
  }
  case PERLANE_FRACTAL_FBM:
  case PERLANE_FRACTAL_NONE:
  case PERLANE_FRACTAL_ERODED:
  case PERLANE_FRACTAL_COUNT:
    break;
  }
  return (struct shaped){d, f_mul(d, f_set(0.5f)), turn};
}

/* 1 + E * q of 2.16 at samples i and on, from the sums of derivatives. */
PERLANE_INLINE vf damping(int arrays, vf erosion, float *const slope[MAX_ARRAYS], size_t i) {
  vf q = f_set(0);
  PERLANE_UNROLL for (int j = 1; j < MAX_ARRAYS; j++) if (j < arrays) {
    const vf g = f_load(slope[j] + i);
    q = f_add(q, f_mul(g, g));
  }
  return f_add(f_set(1), f_mul(erosion, q));
}

/* Shapes n samples of an octave's noise and adds them to the sums, those of eroded octaves to which
 * derivatives have been added. `weights` holds the factors of the next octave of a weighted fractal
 * (W), and their derivatives. Constant: `fractal`; arrays is shaping->arrays. */
PERLANE_INLINE void blend_as(perlane_fractal fractal, int arrays, const struct shaping *shaping,
                             size_t n, const struct samples *noise, const struct samples *sums,
                             const struct samples *weights) {
  const struct shaping local = *shaping;
  const struct samples sum = *sums;
  const int is_eroded = fractal == PERLANE_FRACTAL_ERODED;
  const vf one = f_set(1), none = f_set(0);
  const vf strength = f_set(local.strength), ping_pong = f_set(local.ping_pong);
  const vf weighting = f_set(local.weighting), erosion = f_set(local.erosion);
  for (size_t i = 0; i < n; i += LANES) {
    const struct shaped v = shape(fractal, f_load(noise->array[0] + i), ping_pong);
    vf term = f_mul(v.value, strength);
    if (is_eroded)
      term = f_div(term, damping(arrays, erosion, sum.array, i));
    vf weight = one, share = one;
    /* Mask: 0 < g < 1, so that the weight has a derivative. (With a vm, ridged octaves without
     * weights take 1.07 of the time.) */
    vi moves = i_set(0);
    if (local.weighted) {
      weight = local.first ? one : f_load(weights->array[0] + i);
      const vf kept = f_min(f_max(v.weight, none), one);
      moves = m_bits(m_not(m_or(f_not_above(v.weight, none), f_not_above(one, v.weight))));
      share = f_add(one, f_mul(weighting, f_sub(kept, one)));
    }
    for (int j = 1; j < arrays && !is_eroded; j++) {
      const struct shaped d = shape_slope(fractal, f_load(noise->array[j] + i), v.turn, ping_pong);
      vf slope = f_mul(d.value, strength);
      if (local.weighted) {
        const vf weight_slope = local.first ? none : f_load(weights->array[j] + i);
        slope = f_add(f_mul(slope, weight), f_mul(term, weight_slope));
        const vf moved = f_bits(i_and(i_bits(d.weight), moves));
        f_store(weights->array[j] + i,
                f_add(f_mul(weight_slope, share), f_mul(weight, f_mul(weighting, moved))));
      }
      store_sum(sum.array[j] + i, !local.first, slope);
    }
    if (local.weighted) {
      term = f_mul(term, weight);
      f_store(weights->array[0] + i, f_mul(weight, share));
    }
    store_sum(sum.array[0] + i, !local.first, term);
  }
}

/* Adds the derivatives of n samples of an octave to their sums. */
static void sum_slopes(const struct shaping *shaping, size_t n, const struct samples *noise,
                       const struct samples *sums) {
  for (int j = 1; j < shaping->arrays; j++)
    for (size_t i = 0; i < n; i += LANES)
      store_sum(sums->array[j] + i, !shaping->first, f_load(noise->array[j] + i));
}

static void blend(const struct shaping *shaping, size_t n, const struct samples *noise,
                  const struct samples *sums, const struct samples *weights) {
  const int arrays = shaping->arrays;
  switch (shaping->fractal) {
  case PERLANE_FRACTAL_RIDGED:
    blend_as(PERLANE_FRACTAL_RIDGED, arrays, shaping, n, noise, sums, weights);
    break;
  case PERLANE_FRACTAL_BILLOW:
    blend_as(PERLANE_FRACTAL_BILLOW, arrays, shaping, n, noise, sums, weights);
    break;
  case PERLANE_FRACTAL_PING_PONG:
    blend_as(PERLANE_FRACTAL_PING_PONG, arrays, shaping, n, noise, sums, weights);
    break;
  case PERLANE_FRACTAL_ERODED:
    if (!shaping->slopes_summed)
      sum_slopes(shaping, n, noise, sums);
    if (arrays == 3) /* in 2D, as a constant */
      blend_as(PERLANE_FRACTAL_ERODED, 3, shaping, n, noise, sums, weights);
    else
      blend_as(PERLANE_FRACTAL_ERODED, arrays, shaping, n, noise, sums, weights);
    break;
  case PERLANE_FRACTAL_FBM:
  case PERLANE_FRACTAL_NONE:
  case PERLANE_FRACTAL_COUNT:
    blend_as(PERLANE_FRACTAL_FBM, arrays, shaping, n, noise, sums, weights);
    break;
  }
}

#endif
