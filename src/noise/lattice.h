/* SPDX-License-Identifier: MIT
 *
 * The noise mathematics (docs/specification.md, sections 2.2 to 2.6) over lane words: where a
 * position lies in the lattice, fade, hash, gradients, and how the corners of a cell combine.
 * Grids and points are both made of these.
 */

/* Where positions lie: the word of their cell that is hashed, that of the next cell (cell + 1 where
 * positions are near, and then left out), and the fraction of the cell in [0, 1), a whole multiple
 * of 2^-24. */
struct place {
  vi cell, next;
  vf fraction;
};

/* Positions in cells below this magnitude are near: a double holds them to 2^-24 with bits to
 * spare, and their cells fit in a word. */
#define NEAR_CELLS 0x1p27

/* |cells| < NEAR_CELLS. Also tells the cell as a double. */
PERLANE_INLINE struct place place_near(vd cells, vd *cell) {
  /* Adding 1.5 * 2^28 leaves 24 bits for the fraction, so the addition itself rounds to 2^-24. */
  const vd magic = d_set(0x1.8p28);
  const vd rounded = d_sub(d_add(cells, magic), magic);
  struct place place;
  *cell = d_floor(rounded);
  place.fraction = f_from_d(d_sub(rounded, *cell));
  place.cell = i_from_d(*cell);
  return place;
}

/* |cells| <= 2^53: the cell's high word is folded into its low one. */
PERLANE_INLINE struct place place_far(vd cells, vd *cell) {
  const vd units = d_round(d_mul(cells, d_set(0x1p24)));
  *cell = d_floor(d_mul(units, d_set(0x1p-24)));
  struct place place;
  place.fraction = f_from_d(d_mul(d_sub(units, d_mul(*cell, d_set(0x1p24))), d_set(0x1p-24)));
  const vd high = d_floor(d_add(d_mul(*cell, d_set(0x1p-32)), d_set(0.5)));
  const vi low_word = i_from_d(d_sub(*cell, d_mul(high, d_set(0x1p32)))); /* -2^31 .. 2^31 - 1 */
  const vi high_word = i_from_d(high);
  const vi next_high = i_sub(high_word, i_equal(low_word, i_set(0x7FFFFFFF))); /* a mask is -1 */
  const vi fold = i_set(0x9E3779B1);
  place.cell = i_xor(low_word, i_mul(high_word, fold));
  place.next = i_xor(i_add(low_word, i_set(1)), i_mul(next_high, fold));
  return place;
}

/* |cells| < NEAR_CELLS, in float: the same place as place_near finds for the same numbers. From
 * 0.5 on a float is a multiple of 2^-24 already; below, the subtraction or the conversion rounds.
 */
PERLANE_INLINE struct place place_near_float(vf cells) {
  const vf floor = f_floor(cells);
  const vi units = i_from_f(f_mul(f_sub(cells, floor), f_set(0x1p24))); /* 0 .. 2^24 */
  struct place place;
  place.cell = i_add(i_from_f(floor), i_shift_right(units, 24));
  place.fraction = f_mul(f_from_i(i_and(units, i_set(0xFFFFFF))), f_set(0x1p-24));
  return place;
}

/* The fade 6t^5 - 15t^4 + 10t^3 less 1/2: what values are folded with, around their middle. That is
 * more accurate than folding with the fade itself from one end, where the difference of the ends
 * may be above 1 and is rounded accordingly. */
PERLANE_INLINE vf centred_fade(vf t) {
  const vf c = f_sub(t, f_set(0.5f));
  const vf s = f_mul(t, f_sub(f_set(1.0f), t));
  return f_add(c, f_mul(c, f_mul(s, f_add(f_set(2.0f), f_mul(f_set(6.0f), s)))));
}

PERLANE_INLINE vf fade_of(vf centred) {
  return f_add(f_set(0.5f), centred);
}

/* One axis' share of the lattice hash: of the cell's product with the axis' multiplier. */
PERLANE_INLINE vi axis_word(vi product, vi key) {
  vi v = i_add(product, key);
  v = i_xor(v, i_shift_right(v, 15));
  v = i_mul(v, i_set(0x2C1B3C6D));
  return i_xor(v, i_shift_right(v, 13));
}

/* What one axis contributes to all corners of a cell. */
struct axis_lanes {
  vf centred;    /* fade less 1/2 */
  vf a0, a1;     /* the fade's part of the weight for the lower and the upper corner */
  vi word, next; /* hash words of the lower and the upper corner */
};

/* An axis in one octave, in every lane. */
struct axis_constants {
  vf amplitude;
  vi multiplier, key;
};

/* `near` is a constant where this is called: the next cell's product is then one addition away. */
PERLANE_INLINE struct axis_lanes axis_at(int near, struct place place,
                                         const struct axis_constants *constants) {
  struct axis_lanes axis;
  const vf t = place.fraction, one = f_set(1.0f);
  axis.centred = centred_fade(t);
  const vf fade = fade_of(axis.centred);
  axis.a0 = f_mul(f_mul(t, f_sub(one, fade)), constants->amplitude);
  axis.a1 = f_mul(f_mul(f_sub(t, one), fade), constants->amplitude);
  const vi product = i_mul(place.cell, constants->multiplier);
  const vi next =
      near ? i_add(product, constants->multiplier) : i_mul(place.next, constants->multiplier);
  axis.word = axis_word(product, constants->key);
  axis.next = axis_word(next, constants->key);
  return axis;
}

/* Gradient tables in the form that lanes look up. In 3D and 4D the components are 0 and +-2, whose
 * top byte says it all: one byte shuffle a component. */
struct gradient_tables {
  vtable8 x2, y2;
  vtable16 x, y, z, w;
};

PERLANE_INLINE struct gradient_tables gradient_tables(int dims) {
  enum { O = 0, P = 0x40, N = 0xC0 }; /* top bytes of 0, 2 and -2 */
  static const float k = 53.0f / 128.0f;
  static const float offaxis8_x[8] = {1, -1, 1, -1, k, -k, k, -k};
  static const float offaxis8_y[8] = {k, k, -k, -k, 1, 1, -1, -1};
  static const uint8_t edges12_x[16] = {P, N, P, N, P, N, P, N, O, O, O, O, P, O, N, O};
  static const uint8_t edges12_y[16] = {P, P, N, N, O, O, O, O, P, N, P, N, P, N, P, N};
  static const uint8_t edges12_z[16] = {O, O, O, O, P, P, N, N, P, P, N, N, O, P, O, N};
  /* 4D: x and w by the index' bits 0 to 3, y and z by its bits 1 to 4. */
  static const uint8_t edges32_w[16] = {P, N, P, N, P, N, O, O, P, N, P, N, P, N, O, O};
  static const uint8_t edges32_x[16] = {O, O, P, P, P, P, P, N, O, O, N, N, N, N, P, N};
  static const uint8_t edges32_y[16] = {P, O, P, P, N, O, P, N, P, O, N, P, N, O, N, N};
  static const uint8_t edges32_z[16] = {P, P, O, P, P, P, O, P, N, N, O, N, N, N, O, N};
  struct gradient_tables tables;
  if (dims <= 2) {
    tables.x2 = table8(offaxis8_x);
    tables.y2 = table8(offaxis8_y);
  } else if (dims == 3) {
    tables.x = table16(edges12_x);
    tables.y = table16(edges12_y);
    tables.z = table16(edges12_z);
  } else {
    tables.x = table16(edges32_x);
    tables.y = table16(edges32_y);
    tables.z = table16(edges32_z);
    tables.w = table16(edges32_w);
  }
  return tables;
}

struct gradient {
  vf x, y, z, w;
};

/* 2 to the power of `byte`'s table entry: the nibble of `index` that ends at bit 27 picks it. */
PERLANE_INLINE vf top_byte(vtable16 table, vi index) {
  const vi bytes = i_or(i_and(index, i_set(0x0F000000)), i_set(0x00808080));
  return f_bits(i_table16(table, bytes));
}

/* The gradient at a corner. x is the corner's word along x; z the sum of its words along z and w;
 * yz its word along y, xored with z. */
PERLANE_INLINE struct gradient corner_gradient(int dims, const struct gradient_tables *tables, vi x,
                                               vi z, vi yz) {
  struct gradient g;
  if (dims == 1) {
    const vi sign = i_and(i_shift_left(i_dot16(x, yz), 14), i_set(0x80000000));
    g.x = f_bits(i_or(sign, i_bits(f_set(1.0f))));
  } else if (dims == 2) {
    const vi index = i_shift_right(i_dot16(x, yz), 17);
    g.x = f_table8(tables->x2, index);
    g.y = f_table8(tables->y2, index);
  } else {
    const vi m = i_dot16(i_add(x, z), yz); /* the index starts at bit 16 */
    const vi low = i_shift_left(m, 8);
    g.x = top_byte(tables->x, low);
    if (dims == 3) {
      g.y = top_byte(tables->y, low);
      g.z = top_byte(tables->z, low);
    } else {
      const vi high = i_shift_left(m, 7);
      g.y = top_byte(tables->y, high);
      g.z = top_byte(tables->z, high);
      g.w = top_byte(tables->w, low);
    }
  }
  return g;
}

/* A lattice row's edge between two corners, or several rows folded into one: the value on it, and
 * how it tilts along the axes still to fold. */
struct row {
  vf value, y, z, w;
};

PERLANE_INLINE vf lerp(vf t, vf a, vf b) {
  return f_add(a, f_mul(t, f_sub(b, a)));
}

/* The edge between x and the next cell's corner, on the lattice row given by z and yz. */
PERLANE_INLINE struct row row_edge(int dims, const struct gradient_tables *tables,
                                   const struct axis_lanes *x, vi z, vi yz) {
  const struct gradient g0 = corner_gradient(dims, tables, x->word, z, yz);
  const struct gradient g1 = corner_gradient(dims, tables, x->next, z, yz);
  struct row row;
  row.value = f_add(f_mul(x->a0, g0.x), f_mul(x->a1, g1.x));
  const vf fade = fade_of(x->centred);
  if (dims >= 2)
    row.y = lerp(fade, g0.y, g1.y);
  if (dims >= 3)
    row.z = lerp(fade, g0.z, g1.z);
  if (dims >= 4)
    row.w = lerp(fade, g0.w, g1.w);
  return row;
}

PERLANE_INLINE vf middle(vf lower, vf upper) {
  return f_mul(f_add(lower, upper), f_set(0.5f));
}

/* The value between two rows a cell apart along an axis: from their values' middle and rise, and
 * their tilts along the axis. */
PERLANE_INLINE vf fold_value(vf middle, vf rise, vf tilt0, vf tilt1, vf centred, vf a0, vf a1) {
  return f_add(f_add(middle, f_mul(centred, rise)), f_add(f_mul(a0, tilt0), f_mul(a1, tilt1)));
}

PERLANE_INLINE vf fold_rows(vf lower, vf upper, vf tilt0, vf tilt1, const struct axis_lanes *axis) {
  return fold_value(middle(lower, upper), f_sub(upper, lower), tilt0, tilt1, axis->centred,
                    axis->a0, axis->a1);
}

PERLANE_INLINE struct row fold_w(struct row lower, struct row upper, const struct axis_lanes *w) {
  const vf fade = fade_of(w->centred);
  struct row row;
  row.value = fold_rows(lower.value, upper.value, lower.w, upper.w, w);
  row.y = lerp(fade, lower.y, upper.y);
  row.z = lerp(fade, lower.z, upper.z);
  return row;
}

PERLANE_INLINE struct row fold_z(struct row lower, struct row upper, const struct axis_lanes *z) {
  struct row row;
  row.value = fold_rows(lower.value, upper.value, lower.z, upper.z, z);
  row.y = lerp(fade_of(z->centred), lower.y, upper.y);
  return row;
}

/* Everything but y: the row of word y, folded along w and z as far as dims has them. `dims` is a
 * constant wherever this is called, so that only its own case remains. */
PERLANE_INLINE struct row lattice_row(int dims, const struct gradient_tables *tables,
                                      const struct axis_lanes *x, vi y, const struct axis_lanes *z,
                                      const struct axis_lanes *w) {
  if (dims <= 2)
    return row_edge(dims, tables, x, y, y);
  if (dims == 3)
    return fold_z(row_edge(3, tables, x, z->word, i_xor(y, z->word)),
                  row_edge(3, tables, x, z->next, i_xor(y, z->next)), z);
  const vi z00 = i_add(z->word, w->word), z10 = i_add(z->next, w->word);
  const vi z01 = i_add(z->word, w->next), z11 = i_add(z->next, w->next);
  return fold_z(fold_w(row_edge(4, tables, x, z00, i_xor(y, z00)),
                       row_edge(4, tables, x, z01, i_xor(y, z01)), w),
                fold_w(row_edge(4, tables, x, z10, i_xor(y, z10)),
                       row_edge(4, tables, x, z11, i_xor(y, z11)), w),
                z);
}
