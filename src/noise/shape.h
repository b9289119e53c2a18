/* SPDX-License-Identifier: MIT
 *
 * From octaves to results (docs/specification.md, 2.7, 2.11, 2.12 and 2.14): shaping an octave's
 * noise and adding it up, what is done to the sum at the end, and the forms in which it is
 * delivered. All of it works on runs of samples in first-level cache.
 */

enum { MOST_ARRAYS = 1 + PERLANE_MAX_DIMS };

/* A run of samples: the values, then their derivative along each axis. Room for whole vectors. */
struct samples {
  float *array[MOST_ARRAYS];
};

/* Arrays of `pitch` floats one behind the other. */
PERLANE_INLINE struct samples samples_in(float *memory, size_t pitch) {
  struct samples samples;
  for (size_t j = 0; j < MOST_ARRAYS; j++)
    samples.array[j] = memory + j * pitch;
  return samples;
}

PERLANE_INLINE struct samples samples_from(const struct samples *samples, size_t start) {
  struct samples from;
  for (size_t j = 0; j < MOST_ARRAYS; j++)
    from.array[j] = samples->array[j] + start;
  return from;
}

PERLANE_INLINE vf with_sign_of(vf sign, vf v) {
  return f_bits(i_xor(i_bits(v), i_and(i_bits(sign), i_set(0x80000000))));
}

PERLANE_INLINE vf magnitude_of(vf v) {
  return f_bits(i_and(i_bits(v), i_set(0x7FFFFFFF)));
}

PERLANE_INLINE vf negative(vf v) {
  return f_bits(i_xor(i_bits(v), i_set(0x80000000)));
}

PERLANE_INLINE vf twice(vf v) {
  return f_add(v, v);
}

/* Octave k. */
struct shaping {
  perlane_fractal fractal;
  int first, weighted;
  int arrays; /* 1, or 1 + dims with derivatives */
  float strength, ping_pong, weighting;
};

PERLANE_INLINE struct shaping shaping_of(const perlane_noise *noise, int k, int arrays) {
  const perlane_params *params = &noise->params;
  return (struct shaping){
      .fractal = params->fractal,
      .first = k == 0,
      .weighted = params->weighted_strength != 0 && noise->octaves > 1,
      .arrays = arrays,
      .strength = noise->octave[k].strength,
      .ping_pong = (float)params->ping_pong_strength,
      .weighting = (float)params->weighted_strength,
  };
}

/* What a fractal makes of the noise n: a value, and the weight of the octave to come. The turn's
 * sign is what both derivatives take from n, or from where ping-pong turns. */
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

/* The derivatives of the value and of the weight, for the derivative d of n. */
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

/* Shapes n samples of an octave's noise and adds them to the sums. The weights are the state of a
 * weighted fractal: what each sample's next octave is multiplied by, and its derivatives. `fractal`
 * is a constant. */
PERLANE_INLINE void blend_as(perlane_fractal fractal, const struct shaping *shaping, size_t n,
                             const struct samples *noise, const struct samples *sums,
                             const struct samples *weights) {
  const struct shaping by = *shaping;
  const vf one = f_set(1), none = f_set(0);
  const vf strength = f_set(by.strength), ping_pong = f_set(by.ping_pong);
  const vf weighting = f_set(by.weighting);
  for (size_t i = 0; i < n; i += LANES) {
    const struct shaped v = shape(fractal, f_load(noise->array[0] + i), ping_pong);
    const vf term = f_mul(v.value, strength);
    vf weight = one, share = one;
    vi moves = i_set(0); /* where the weight is not at its limit */
    if (by.weighted) {
      weight = by.first ? one : f_load(weights->array[0] + i);
      const vf kept = f_min(f_max(v.weight, none), one);
      moves =
          i_xor(i_or(f_not_above(v.weight, none), f_not_above(one, v.weight)), i_set(0xFFFFFFFF));
      share = f_add(one, f_mul(weighting, f_sub(kept, one)));
    }
    for (int j = 1; j < by.arrays; j++) {
      const struct shaped d = shape_slope(fractal, f_load(noise->array[j] + i), v.turn, ping_pong);
      vf slope = f_mul(d.value, strength);
      if (by.weighted) {
        const vf weight_slope = by.first ? none : f_load(weights->array[j] + i);
        slope = f_add(f_mul(slope, weight), f_mul(term, weight_slope));
        const vf moved = f_bits(i_and(i_bits(d.weight), moves));
        f_store(weights->array[j] + i,
                f_add(f_mul(weight_slope, share), f_mul(weight, f_mul(weighting, moved))));
      }
      f_store(sums->array[j] + i, by.first ? slope : f_add(f_load(sums->array[j] + i), slope));
    }
    vf value = term;
    if (by.weighted) {
      value = f_mul(term, weight);
      f_store(weights->array[0] + i, f_mul(weight, share));
    }
    f_store(sums->array[0] + i, by.first ? value : f_add(f_load(sums->array[0] + i), value));
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
  default:
    blend_as(PERLANE_FRACTAL_FBM, shaping, n, noise, sums, weights);
    break;
  }
}

/* ---- The end of a sample ---- */

/* What is left to do when the octaves have been added up. */
struct ending {
  perlane_fractal shape; /* of the only octave, where that has not been shaped yet; or FBM */
  float strength, ping_pong;
  int contrast;
  float size, offset; /* 1 and -0 where there is none: those leave every value as it is */
};

PERLANE_INLINE struct ending ending_of(const perlane_noise *noise) {
  return (struct ending){
      .shape = PERLANE_FRACTAL_FBM,
      .strength = noise->octave[0].strength,
      .ping_pong = (float)noise->params.ping_pong_strength,
      .contrast = noise->params.contrast,
      .size = noise->size,
      .offset = noise->offset != 0 ? noise->offset : -0.0f,
  };
}

/* How much there is to do: a constant where it is passed. */
enum ending_kind {
  ENDING_NONE,
  ENDING_LINEAR, /* size and offset */
  ENDING_POWER,  /* contrast too */
  ENDING_RIDGED, /* the only octave has still to be shaped; then all the rest */
  ENDING_BILLOW,
  ENDING_PING_PONG,
};

PERLANE_INLINE enum ending_kind ending_kind_of(const struct ending *end) {
  switch (end->shape) {
  case PERLANE_FRACTAL_RIDGED:
    return ENDING_RIDGED;
  case PERLANE_FRACTAL_BILLOW:
    return ENDING_BILLOW;
  case PERLANE_FRACTAL_PING_PONG:
    return ENDING_PING_PONG;
  default:
    break;
  }
  if (end->contrast != 1)
    return ENDING_POWER;
  return end->size != 1 || end->offset != 0 ? ENDING_LINEAR : ENDING_NONE;
}

static int has_ending(const perlane_noise *noise) {
  return noise->params.contrast != 1 || noise->size != 1 || noise->offset != 0;
}

/* |v|^contrast with the sign of v, and the factor that makes its derivative of that of v. */
PERLANE_INLINE vf contrasted(int contrast, vf v, vf *factor) {
  if (contrast == 0) {
    const vf none = f_set(0);
    const vi not_above = f_not_above(v, none), not_below = f_not_above(none, v);
    const vi one = i_bits(f_set(1)), all = i_set(0xFFFFFFFF);
    const vi up = i_and(i_xor(not_above, all), one);
    const vi down = i_and(i_xor(not_below, all), i_or(one, i_set(0x80000000)));
    *factor = none;
    return f_bits(i_or(up, down));
  }
  const vf a = magnitude_of(v);
  vf power = a;
  for (int i = 2; i < contrast; i++)
    power = f_mul(power, a);
  *factor = f_mul(f_set((float)contrast), power);
  return f_mul(v, power);
}

PERLANE_INLINE vf ended(enum ending_kind kind, const struct ending *end, vf v) {
  if (kind == ENDING_NONE)
    return v;
  if (kind >= ENDING_RIDGED) {
    const perlane_fractal fractal = kind == ENDING_RIDGED   ? PERLANE_FRACTAL_RIDGED
                                    : kind == ENDING_BILLOW ? PERLANE_FRACTAL_BILLOW
                                                            : PERLANE_FRACTAL_PING_PONG;
    v = f_mul(shape(fractal, v, f_set(end->ping_pong)).value, f_set(end->strength));
  }
  if (kind >= ENDING_POWER && end->contrast != 1) { /* the same way for every sample */
    vf factor;
    v = contrasted(end->contrast, v, &factor);
  }
  return f_add(f_mul(v, f_set(end->size)), f_set(end->offset));
}

/* The derivative d of v becomes that of ended(v). Not where v has still to be shaped. */
PERLANE_INLINE vf ended_slope(const struct ending *end, vf v, vf d) {
  if (end->contrast == 0)
    d = f_set(0);
  else if (end->contrast != 1) {
    vf factor;
    (void)contrasted(end->contrast, v, &factor);
    d = f_mul(factor, d);
  }
  return f_mul(d, f_set(end->size));
}

static void finish(const perlane_noise *noise, size_t n, int arrays, const struct samples *sums) {
  const struct ending end = ending_of(noise);
  for (size_t i = 0; i < n; i += LANES) {
    const vf v = f_load(sums->array[0] + i);
    for (int j = 1; j < arrays; j++)
      f_store(sums->array[j] + i, ended_slope(&end, v, f_load(sums->array[j] + i)));
    f_store(sums->array[0] + i, ended(ENDING_POWER, &end, v));
  }
}

/* ---- Delivery ---- */

enum { LINE_BYTES = 64 };

/* How many of n floats come before the first whole line, and up to where whole lines go. */
struct lines {
  size_t head, tail;
};

PERLANE_INLINE struct lines lines_of(const float *to, size_t n) {
  const size_t in_line = LINE_BYTES / sizeof(float);
  const size_t before = (0 - (uintptr_t)to / sizeof(float)) % in_line;
  const size_t head = before < n ? before : n;
  return (struct lines){head, n - (n - head) % in_line};
}

/* stream: past the caches. */
static void deliver_floats(const float *from, size_t n, float *to, ptrdiff_t stride, int stream) {
  if (stride != 1) {
    for (size_t i = 0; i < n; i++)
      to[(ptrdiff_t)i * stride] = from[i];
    return;
  }
  if (!stream) {
    memcpy(to, from, n * sizeof *to);
    return;
  }
  const struct lines lines = lines_of(to, n);
  memcpy(to, from, lines.head * sizeof *to);
  for (size_t i = lines.head; i < lines.tail; i += LANES)
    f_stream(to + i, f_load(from + i));
  memcpy(to + lines.tail, from + lines.tail, (n - lines.tail) * sizeof *to);
}

/* Below 0 as well: storing saturates. Above, a float may be beyond a word's range. */
PERLANE_INLINE vi integer_levels(vf v, float low, float scale, float most) {
  const vf level = f_mul(f_sub(v, f_set(low)), f_set(scale));
  return i_from_f(f_min(level, f_set(most)));
}

static void deliver_u16(const float *from, size_t n, float low, float scale, uint16_t *to,
                        ptrdiff_t stride) {
  for (size_t i = 0; i < n; i += LANES) {
    const vi level = integer_levels(f_load(from + i), low, scale, 65535);
    const size_t left = n - i;
    if (stride == 1 && left >= LANES) {
      u16_store(to + i, level);
      continue;
    }
    uint16_t lane[LANES];
    u16_store(lane, level);
    for (size_t l = 0; l < LANES && l < left; l++)
      to[(ptrdiff_t)(i + l) * stride] = lane[l];
  }
}

static void deliver_u8(const float *from, size_t n, float low, float scale, uint8_t *to,
                       ptrdiff_t stride) {
  for (size_t i = 0; i < n; i += LANES) {
    const vi level = integer_levels(f_load(from + i), low, scale, 255);
    const size_t left = n - i;
    if (stride == 1 && left >= LANES) {
      u8_store(to + i, level);
      continue;
    }
    uint8_t lane[LANES];
    u8_store(lane, level);
    for (size_t l = 0; l < LANES && l < left; l++)
      to[(ptrdiff_t)(i + l) * stride] = lane[l];
  }
}

/* Smallest and largest so far, in each lane. */
struct extremes {
  vf smallest, largest;
};

PERLANE_INLINE struct extremes no_extremes(void) {
  return (struct extremes){f_set(FLT_MAX), f_set(-FLT_MAX)};
}

PERLANE_INLINE void take_vector(struct extremes *extremes, vf v) {
  extremes->smallest = f_min(extremes->smallest, v);
  extremes->largest = f_max(extremes->largest, v);
}

static void take_extremes(struct extremes *extremes, const float *from, size_t n) {
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    take_vector(extremes, f_load(from + i));
  for (; i < n; i++)
    take_vector(extremes, f_set(from[i]));
}

/* A run of n samples along x, the first of which belongs at `place` of the output's arrays. */
static PERLANE_NOINLINE void deliver(const struct perlane_output *output,
                                     const struct samples *samples, size_t n, int arrays,
                                     ptrdiff_t place, ptrdiff_t stride, int stream,
                                     struct extremes *extremes) {
  const float *value = samples->array[0];
  if (output->extremes)
    take_extremes(extremes, value, n);
  if (output->format == PERLANE_U16)
    deliver_u16(value, n, output->low, output->scale, (uint16_t *)output->value + place, stride);
  else if (output->format == PERLANE_U8)
    deliver_u8(value, n, output->low, output->scale, (uint8_t *)output->value + place, stride);
  else if (output->value)
    deliver_floats(value, n, (float *)output->value + place, stride, stream);
  for (int j = 1; j < arrays; j++)
    deliver_floats(samples->array[j], n, output->gradient[j - 1] + place, stride, stream);
}

/* Zeros of either sign are reported as +0. */
static void report_extremes(const struct perlane_output *output, const struct extremes *extremes) {
  if (!output->extremes)
    return;
  float low[LANES], high[LANES];
  f_store(low, extremes->smallest);
  f_store(high, extremes->largest);
  for (size_t l = 1; l < LANES; l++) {
    low[0] = low[l] < low[0] ? low[l] : low[0];
    high[0] = high[l] > high[0] ? high[l] : high[0];
  }
  output->extremes[0] = low[0] + 0.0f;
  output->extremes[1] = high[0] + 0.0f;
}
