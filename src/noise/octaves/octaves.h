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

PERLANE_INLINE vf negative(vf v) {
  return f_bits(i_xor(i_bits(v), i_set(0x80000000)));
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
  switch (fractal) {
  case PERLANE_FRACTAL_RIDGED: {
    const vf a = magnitude_of(n);
    return (struct shaped){f_sub(one, twice(a)), f_sub(one, a), n};
  }
  case PERLANE_FRACTAL_BILLOW: {
    const vf a = magnitude_of(n);
    return (struct shaped){f_sub(twice(a), one), a, n};
  }
  case PERLANE_FRACTAL_PING_PONG: {
    vf t = f_mul(f_add(n, one), ping_pong);
    t = f_sub(t, f_mul(f_set(2), f_floor(f_mul(t, f_set(0.5f)))));
    const vf from_turn = f_sub(t, one), b = magnitude_of(from_turn);
    return (struct shaped){f_sub(one, twice(b)), f_sub(one, b), from_turn};
  }
  default:
    return (struct shaped){n, f_mul(f_add(n, one), f_set(0.5f)), n};
  }
}

/* 2.13: v' and g' for the derivative d of n. */
PERLANE_INLINE struct shaped shape_slope(perlane_fractal fractal, vf d, vf turn, vf ping_pong) {
  switch (fractal) {
  case PERLANE_FRACTAL_RIDGED: {
    const vf j = with_sign_of(turn, d);
    return (struct shaped){negative(twice(j)), negative(j), turn};
  }
  case PERLANE_FRACTAL_BILLOW: {
    const vf j = with_sign_of(turn, d);
    return (struct shaped){twice(j), j, turn};
  }
  case PERLANE_FRACTAL_PING_PONG: {
    const vf j = with_sign_of(turn, f_mul(ping_pong, d));
    return (struct shaped){negative(twice(j)), negative(j), turn};
  }
  default:
    return (struct shaped){d, f_mul(d, f_set(0.5f)), turn};
  }
}

/* Shapes n samples of an octave's noise and adds them to the sums. `weights` holds the factors of
 * the next octave of a weighted fractal (W), and their derivatives. Constant: `fractal`. */
PERLANE_INLINE void blend_as(perlane_fractal fractal, const struct shaping *shaping, size_t n,
                             const struct samples *noise, const struct samples *sums,
                             const struct samples *weights) {
  const struct shaping local = *shaping;
  const vf one = f_set(1), none = f_set(0);
  const vf strength = f_set(local.strength), ping_pong = f_set(local.ping_pong);
  const vf weighting = f_set(local.weighting);
  for (size_t i = 0; i < n; i += LANES) {
    const struct shaped v = shape(fractal, f_load(noise->array[0] + i), ping_pong);
    const vf term = f_mul(v.value, strength);
    vf weight = one, share = one;
    vi moves = i_set(0); /* mask: 0 < g < 1, so that the weight has a derivative */
    if (local.weighted) {
      weight = local.first ? one : f_load(weights->array[0] + i);
      const vf kept = f_min(f_max(v.weight, none), one);
      moves =
          i_xor(i_or(f_not_above(v.weight, none), f_not_above(one, v.weight)), i_set(0xFFFFFFFF));
      share = f_add(one, f_mul(weighting, f_sub(kept, one)));
    }
    for (int j = 1; j < local.arrays; j++) {
      const struct shaped d = shape_slope(fractal, f_load(noise->array[j] + i), v.turn, ping_pong);
      vf slope = f_mul(d.value, strength);
      if (local.weighted) {
        const vf weight_slope = local.first ? none : f_load(weights->array[j] + i);
        slope = f_add(f_mul(slope, weight), f_mul(term, weight_slope));
        const vf moved = f_bits(i_and(i_bits(d.weight), moves));
        f_store(weights->array[j] + i,
                f_add(f_mul(weight_slope, share), f_mul(weight, f_mul(weighting, moved))));
      }
      f_store(sums->array[j] + i, local.first ? slope : f_add(f_load(sums->array[j] + i), slope));
    }
    vf value = term;
    if (local.weighted) {
      value = f_mul(term, weight);
      f_store(weights->array[0] + i, f_mul(weight, share));
    }
    f_store(sums->array[0] + i, local.first ? value : f_add(f_load(sums->array[0] + i), value));
  }
}

/* 1 + E * q of 2.16 at samples i and on, from the sums of derivatives. Constant: `arrays`. */
PERLANE_INLINE vf damping(int arrays, vf erosion, float *const slope[MAX_ARRAYS], size_t i) {
  vf q = f_set(0);
  PERLANE_UNROLL for (int j = 1; j < arrays; j++) {
    const vf g = f_load(slope[j] + i);
    q = j == 1 ? f_mul(g, g) : f_add(q, f_mul(g, g));
  }
  return f_add(f_set(1), f_mul(erosion, q));
}

/* Blends eroded octaves, as blend_as does others: their derivatives have been added to the sums.
 * Constant: `arrays`. */
PERLANE_INLINE void erode_as(int arrays, const struct shaping *shaping, size_t n,
                             const struct samples *noise, const struct samples *sums,
                             const struct samples *weights) {
  const struct shaping local = *shaping;
  float *const values = noise->array[0], *const sum = sums->array[0],
               *const next = weights->array[0];
  float *slope[MAX_ARRAYS];
  PERLANE_UNROLL for (int j = 1; j < arrays; j++) slope[j] = sums->array[j];
  const vf one = f_set(1), none = f_set(0), strength = f_set(local.strength);
  const vf erosion = f_set(local.erosion), weighting = f_set(local.weighting);
  for (size_t i = 0; i < n; i += LANES) {
    const vf v = f_load(values + i);
    vf value = f_div(f_mul(v, strength), damping(arrays, erosion, slope, i));
    if (local.weighted) {
      const vf weight = local.first ? one : f_load(next + i);
      const vf kept = f_min(f_max(shape(PERLANE_FRACTAL_FBM, v, none).weight, none), one);
      value = f_mul(value, weight);
      f_store(next + i, f_mul(weight, f_add(one, f_mul(weighting, f_sub(kept, one)))));
    }
    f_store(sum + i, local.first ? value : f_add(f_load(sum + i), value));
  }
}

static PERLANE_NOINLINE void erode(const struct shaping *shaping, size_t n,
                                   const struct samples *noise, const struct samples *sums,
                                   const struct samples *weights) {
  for (int j = 1; j < shaping->arrays && !shaping->slopes_summed; j++)
    for (size_t i = 0; i < n; i += LANES) {
      const vf g = f_load(noise->array[j] + i);
      f_store(sums->array[j] + i, shaping->first ? g : f_add(f_load(sums->array[j] + i), g));
    }
  switch (shaping->arrays) {
  case 2:
    erode_as(2, shaping, n, noise, sums, weights);
    break;
  case 3:
    erode_as(3, shaping, n, noise, sums, weights);
    break;
  case 4:
    erode_as(4, shaping, n, noise, sums, weights);
    break;
  default:
    erode_as(5, shaping, n, noise, sums, weights);
  }
}

static void blend(const struct shaping *shaping, size_t n, const struct samples *noise,
                  const struct samples *sums, const struct samples *weights) {
  switch (shaping->fractal) {
  case PERLANE_FRACTAL_RIDGED:
    blend_as(PERLANE_FRACTAL_RIDGED, shaping, n, noise, sums, weights);
    break;
  case PERLANE_FRACTAL_BILLOW:
    blend_as(PERLANE_FRACTAL_BILLOW, shaping, n, noise, sums, weights);
    break;
  case PERLANE_FRACTAL_PING_PONG:
    blend_as(PERLANE_FRACTAL_PING_PONG, shaping, n, noise, sums, weights);
    break;
  case PERLANE_FRACTAL_ERODED:
    erode(shaping, n, noise, sums, weights);
    break;
  default:
    blend_as(PERLANE_FRACTAL_FBM, shaping, n, noise, sums, weights);
    break;
  }
}

#endif
