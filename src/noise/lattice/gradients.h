/* SPDX-License-Identifier: MIT
 *
 * Gradient sets that fit in registers (docs/specification.md, 2.5 and 2.9).
 */
#ifndef PERLANE_NOISE_LATTICE_GRADIENTS_H
#define PERLANE_NOISE_LATTICE_GRADIENTS_H

#include "../words.h"

struct gradient {
  vf x, y, z, w; /* or in x, a corner's value */
};

/* Components by index. In 3D and 4D they are 0, 2 and -2, which differ in their top bytes only: one
 * byte shuffle looks up a component. */
struct gradient_tables {
  vtable8 x2, y2;
  vtable16 x, y, z, w;
};

PERLANE_INLINE int is_quick_set(perlane_gradients gradients, int dims) {
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
  /* 4D has 32 vectors: x and w are looked up by bits 0 to 3 of the index, y and z by bits 1 to 4.
   */
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

/* The gradient of a corner whose joined words are m. */
PERLANE_INLINE struct gradient quick_gradient(int dims, const struct gradient_tables *tables,
                                              vi m) {
  struct gradient g;
  if (dims == 1) {
    const vi sign = i_and(i_shift_left(m, 18), i_set(0x80000000));
    g.x = f_bits(i_or(sign, i_bits(f_set(1.0f))));
  } else if (dims == 2) {
    const vi index = i_index8(m);
    g.x = f_table8(tables->x2, index);
    g.y = f_table8(tables->y2, index);
  } else {
    const vi low = i_index16(m, 13);
    g.x = f_table16(tables->x, low);
    if (dims == 3) {
      g.y = f_table16(tables->y, low);
      g.z = f_table16(tables->z, low);
    } else {
      const vi high = i_index16(m, 14);
      g.y = f_table16(tables->y, high);
      g.z = f_table16(tables->z, high);
      g.w = f_table16(tables->w, low);
    }
  }
  return g;
}

#endif
