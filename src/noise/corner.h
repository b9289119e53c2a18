/* SPDX-License-Identifier: MIT
 *
 * The gradient, or value, of a lattice point from its axes' hash words (docs/specification.md,
 * 2.5 and 2.8 to 2.10).
 */

/* Gradient sets that fit in registers. In 3D and 4D the components are 0 and +-2, whose top byte
 * says it all: one byte shuffle a component. */
struct gradient_tables {
  vtable8 x2, y2;
  vtable16 x, y, z, w;
};

static inline int is_quick_set(perlane_gradients gradients, int dims) {
  switch (dims) {
  case 1:
    return gradients == PERLANE_GRADIENTS_DEFAULT || gradients == PERLANE_GRADIENTS_SPHERE;
  case 2:
    return gradients <= PERLANE_GRADIENTS_DIAGONAL4;
  default:
    return gradients == PERLANE_GRADIENTS_DEFAULT || gradients == PERLANE_GRADIENTS_EDGES12 ||
           gradients == PERLANE_GRADIENTS_EDGES32;
  }
}

PERLANE_INLINE struct gradient_tables gradient_tables(perlane_gradients gradients, int dims) {
  enum { O = 0, P = 0x40, N = 0xC0 }; /* top bytes of 0, 2 and -2 */
  static const float k = 53.0f / 128.0f;
  static const float offaxis8[2][8] = {{1, -1, 1, -1, k, -k, k, -k}, {k, k, -k, -k, 1, 1, -1, -1}};
  static const float axis4[2][8] = {{1, -1, 0, 0, 1, -1, 0, 0}, {0, 0, 1, -1, 0, 0, 1, -1}};
  static const float diagonal4[2][8] = {{1, -1, -1, 1, 1, -1, -1, 1}, {1, 1, -1, -1, 1, 1, -1, -1}};
  static const uint8_t edges12_x[16] = {P, N, P, N, P, N, P, N, O, O, O, O, P, O, N, O};
  static const uint8_t edges12_y[16] = {P, P, N, N, O, O, O, O, P, N, P, N, P, N, P, N};
  static const uint8_t edges12_z[16] = {O, O, O, O, P, P, N, N, P, P, N, N, O, P, O, N};
  /* 4D: x and w by the index' bits 0 to 3, y and z by its bits 1 to 4. */
  static const uint8_t edges32_w[16] = {P, N, P, N, P, N, O, O, P, N, P, N, P, N, O, O};
  static const uint8_t edges32_x[16] = {O, O, P, P, P, P, P, N, O, O, N, N, N, N, P, N};
  static const uint8_t edges32_y[16] = {P, O, P, P, N, O, P, N, P, O, N, P, N, O, N, N};
  static const uint8_t edges32_z[16] = {P, P, O, P, P, P, O, P, N, N, O, N, N, N, O, N};
  const float(*set)[8] = gradients == PERLANE_GRADIENTS_AXIS4       ? axis4
                         : gradients == PERLANE_GRADIENTS_DIAGONAL4 ? diagonal4
                                                                    : offaxis8;
  return (struct gradient_tables){
      .x2 = table8(set[0]),
      .y2 = table8(set[1]),
      .x = table16(dims == 4 ? edges32_x : edges12_x),
      .y = table16(dims == 4 ? edges32_y : edges12_y),
      .z = table16(dims == 4 ? edges32_z : edges12_z),
      .w = table16(edges32_w),
  };
}

/* Where the corners of a cell find their gradients. A constant wherever it is passed. */
enum source {
  SOURCE_QUICK,  /* the lattice hash, and a gradient set that fits in registers */
  SOURCE_LOOKUP, /* any hash, and gradients from memory */
  SOURCE_VALUES, /* any hash, and values instead of gradients: the other bases */
};

/* What all corners share. The last two are an octave's. */
struct lattice {
  enum source source;
  struct gradient_tables tables; /* SOURCE_QUICK */
  perlane_hash hash;
  int gaussian;
  int index_from;         /* 12 or 13: the lattice hash's bit that an index begins at */
  uint32_t index_mask;    /* and what is kept of it */
  int slices;             /* lookups for axes that the gradient set has and the field has not */
  const uint8_t *table;   /* of the hash */
  const float *vector[4]; /* gradient components by index */
  vf amplitude;           /* SOURCE_VALUES */
  vi line;                /* 1D: the word of y's cell 0 takes part in the lattice hash */
};

static enum source source_of(const perlane_noise *noise, int dims) {
  const perlane_params *params = &noise->params;
  if (params->basis != PERLANE_BASIS_PERLIN)
    return SOURCE_VALUES;
  return params->hash == PERLANE_HASH_LATTICE && is_quick_set(params->gradients, dims)
             ? SOURCE_QUICK
             : SOURCE_LOOKUP;
}

/* Of all octaves. */
static struct lattice lattice_of(const perlane_noise *noise, int dims) {
  static const int vector_start[PERLANE_MAX_DIMS] = {0, 1, 3, 6};
  const perlane_params *params = &noise->params;
  const perlane_gradients set = params->gradients;
  struct lattice lattice;
  lattice.source = source_of(noise, dims);
  lattice.tables = gradient_tables(set, dims);
  lattice.hash = params->hash;
  lattice.gaussian = params->basis == PERLANE_BASIS_GAUSSIAN;
  const int by_sixteen = set == PERLANE_GRADIENTS_EDGES12 || set == PERLANE_GRADIENTS_PNOISE;
  const int by_hundreds =
      set == PERLANE_GRADIENTS_TABLE || (set == PERLANE_GRADIENTS_SPHERE && dims > 1);
  lattice.index_from = by_hundreds ? 12 : 13;
  lattice.index_mask = by_hundreds ? 255 : by_sixteen || dims == 3 ? 15 : dims == 4 ? 31 : 7;
  lattice.slices = set == PERLANE_GRADIENTS_EDGES12 && dims < 3   ? 3 - dims
                   : set == PERLANE_GRADIENTS_PNOISE && dims == 2 ? 1
                                                                  : 0;
  lattice.table = noise->table;
  for (int a = 0; a < dims; a++)
    lattice.vector[a] = params->hash == PERLANE_HASH_GRID
                            ? params->gradient_grid + a
                            : noise->vector[vector_start[dims - 1] + a];
  return lattice;
}

PERLANE_INLINE void enter_octave(struct lattice *lattice, const struct perlane_octave *octave,
                                 int dims) {
  lattice->amplitude = f_set(octave->amplitude[dims - 1]);
  lattice->line = axis_word(i_set(octave->key[1]));
}

/* A corner's words. Axes beyond dims are not looked at. */
struct corner {
  vi x, y, z, w;
};

struct gradient {
  vf x, y, z, w; /* other bases: the value in x */
};

/* The lattice hash. */
PERLANE_INLINE vi mixed(int dims, const struct lattice *lattice, struct corner at) {
  if (dims == 1)
    return i_dot16(at.x, lattice->line);
  if (dims == 2)
    return i_dot16(at.x, at.y);
  if (dims == 3)
    return i_dot16(at.x, i_dot16(at.y, at.z));
  return i_dot16(i_dot16(at.x, at.y), i_dot16(at.z, at.w));
}

/* 2 to the power of `byte`'s table entry: the nibble of `index` that ends at bit 27 picks it. */
PERLANE_INLINE vf top_byte(vtable16 table, vi index) {
  const vi bytes = i_or(i_and(index, i_set(0x0F000000)), i_set(0x00808080));
  return f_bits(i_table16(table, bytes));
}

PERLANE_INLINE struct gradient gradient_of_index(int dims, const struct lattice *lattice, vi m) {
  const struct gradient_tables *tables = &lattice->tables;
  struct gradient g;
  if (dims == 1) {
    const vi sign = i_and(i_shift_left(m, 18), i_set(0x80000000));
    g.x = f_bits(i_or(sign, i_bits(f_set(1.0f))));
  } else if (dims == 2) {
    const vi index = i_shift_right(m, 13);
    g.x = f_table8(tables->x2, index);
    g.y = f_table8(tables->y2, index);
  } else {
    const vi low = i_shift_left(m, 11); /* the index starts at bit 13 */
    g.x = top_byte(tables->x, low);
    if (dims == 3) {
      g.y = top_byte(tables->y, low);
      g.z = top_byte(tables->z, low);
    } else {
      const vi high = i_shift_left(m, 10);
      g.y = top_byte(tables->y, high);
      g.z = top_byte(tables->z, high);
      g.w = top_byte(tables->w, low);
    }
  }
  return g;
}

PERLANE_INLINE struct gradient quick_gradient(int dims, const struct lattice *lattice,
                                              struct corner at) {
  return gradient_of_index(dims, lattice, mixed(dims, lattice, at));
}

/* The table's hash of all axes; along x the table has been looked up already. */
PERLANE_INLINE vi chained(int dims, const struct lattice *lattice, struct corner at) {
  const vi byte = i_set(0xFF);
  vi h = at.x;
  if (dims >= 2)
    h = i_look_up(lattice->table, i_and(i_add(h, at.y), byte));
  if (dims >= 3)
    h = i_look_up(lattice->table, i_and(i_add(h, at.z), byte));
  if (dims >= 4)
    h = i_look_up(lattice->table, i_and(i_add(h, at.w), byte));
  return h;
}

PERLANE_INLINE vi index_of(int dims, const struct lattice *lattice, struct corner at) {
  switch (lattice->hash) {
  case PERLANE_HASH_LATTICE: {
    const vi m = mixed(dims, lattice, at);
    const vi index = lattice->index_from == 13 ? i_shift_right(m, 13) : i_shift_right(m, 12);
    return i_and(index, i_set(lattice->index_mask));
  }
  case PERLANE_HASH_GRID:
    return i_add(at.x, at.y);
  case PERLANE_HASH_PRIMES:
    return i_look_up(lattice->table, i_xor(at.x, at.y));
  default: {
    vi h = chained(dims, lattice, at);
    for (int i = 0; i < lattice->slices; i++)
      h = i_look_up(lattice->table, h);
    return h;
  }
  }
}

/* Not inlined: the lookups take longer than the call, and there are up to 32 of these in a row. */
static PERLANE_NOINLINE struct gradient looked_up_gradient(int dims, const struct lattice *lattice,
                                                           struct corner at) {
  const vi index = index_of(dims, lattice, at);
  struct gradient g;
  g.x = f_look_up(lattice->vector[0], index);
  if (dims >= 2)
    g.y = f_look_up(lattice->vector[1], index);
  if (dims >= 3)
    g.z = f_look_up(lattice->vector[2], index);
  if (dims >= 4)
    g.w = f_look_up(lattice->vector[3], index);
  return g;
}

/* A mixer of 32 bits by Chris Wellons ("lowbias32"). */
PERLANE_INLINE vi full_mix(vi h) {
  h = i_xor(h, i_shift_right(h, 16));
  h = i_mul(h, i_set(0x7FEB352D));
  h = i_xor(h, i_shift_right(h, 15));
  h = i_mul(h, i_set(0x846CA68B));
  return i_xor(h, i_shift_right(h, 16));
}

PERLANE_INLINE vf horner(vf sum, vf x, float next) {
  return f_add(f_set(next), f_mul(x, sum));
}

/* sqrt(-2 ln u), u in (0, 1]: u = m * 2^e with m around 1, ln m = 2 artanh((m - 1) / (m + 1)). */
PERLANE_INLINE vf gaussian_radius(vf u) {
  const vi bits = i_bits(u);
  const vi biased = i_shift_right(i_add(bits, i_set(0x3F800000 - 0x3F3504F3)), 23);
  const vf m = f_bits(i_add(i_sub(bits, i_shift_left(biased, 23)), i_set(0x3F800000)));
  const vf e = f_sub(f_from_i(biased), f_set(127));
  const vf one = f_set(1);
  const vf s = f_div(f_sub(m, one), f_add(m, one)), q = f_mul(s, s);
  const vf series =
      horner(horner(horner(f_set(0x1.c71c72p-4f), q, 0x1.24924ap-3f), q, 0x1.99999ap-3f), q,
             0x1.555556p-2f);
  const vf t = f_add(s, f_mul(s, f_mul(q, series)));
  const vf log = f_add(f_mul(e, f_set(0x1.62e43p-1f)), f_add(t, t));
  return f_sqrt(f_add(f_mul(log, f_set(-2)), f_set(0)));
}

/* sin(2 pi z), |z| <= 1/4. */
PERLANE_INLINE vf sine_of_turns(vf z) {
  const vf y = f_mul(z, z);
  vf sum = f_set(0x1.e8f434p+1f);
  sum = horner(sum, y, -0x1.e3075p+3f);
  sum = horner(sum, y, 0x1.507834p+5f);
  sum = horner(sum, y, -0x1.32d2ccp+6f);
  sum = horner(sum, y, 0x1.466bc6p+6f);
  sum = horner(sum, y, -0x1.4abbcep+5f);
  sum = horner(sum, y, 0x1.921fb6p+2f);
  return f_mul(z, sum);
}

/* Box and Muller. */
PERLANE_INLINE vf gaussian(vi h) {
  const vf u = f_mul(f_from_i(i_add(i_shift_right(h, 8), i_set(1))), f_set(0x1p-24f));
  const vi h2 = full_mix(i_add(h, i_set(0x9E3779B9)));
  const vf v = f_mul(f_from_i(i_shift_right(h2, 8)), f_set(0x1p-24f));
  const vf distance = f_bits(i_and(i_bits(f_sub(v, f_set(0.5f))), i_set(0x7FFFFFFF)));
  return f_mul(gaussian_radius(u), sine_of_turns(f_sub(f_set(0.25f), distance)));
}

static PERLANE_NOINLINE vf corner_value(int dims, const struct lattice *lattice, struct corner at) {
  if (lattice->hash != PERLANE_HASH_LATTICE) {
    const vi h = lattice->hash == PERLANE_HASH_PRIMES ? i_look_up(lattice->table, i_xor(at.x, at.y))
                                                      : chained(dims, lattice, at);
    return f_mul(f_from_i(i_sub(i_add(h, h), i_set(255))), f_set(0x1p-8f));
  }
  vi sum = at.x;
  if (dims >= 2)
    sum = i_add(sum, at.y);
  if (dims >= 3)
    sum = i_add(sum, at.z);
  if (dims >= 4)
    sum = i_add(sum, at.w);
  const vi h = full_mix(sum);
  if (lattice->gaussian)
    return gaussian(h);
  const vi odd = i_or(i_shift_right(h, 7), i_set(1));
  return f_mul(f_from_i(i_sub(odd, i_set(0x1000000))), f_set(0x1p-24f));
}

/* `source` is a constant where this is called, so that only its own case remains. */
PERLANE_INLINE struct gradient corner_gradient(enum source source, int dims,
                                               const struct lattice *lattice, struct corner at) {
  if (source == SOURCE_QUICK)
    return quick_gradient(dims, lattice, at);
  if (source == SOURCE_LOOKUP)
    return looked_up_gradient(dims, lattice, at);
  struct gradient g;
  g.x = corner_value(dims, lattice, at);
  return g;
}

/* The two ends of an edge. */
struct ends {
  struct gradient lower, upper;
};
