/* SPDX-License-Identifier: MIT
 *
 * The functions that shaders call, perlane_point, perlane_column and perlane_sample: octaves at a
 * position, warps, and octaves of a grid (2.7, 2.18 of docs/specification.md). The front end
 * includes this file last. The samples of most grids take their axes from tables instead of
 * positions.
 */

/* ---- 2.7 Octaves of a position ---- */

PERLANE_STRUCT(perlane_position)
perlane_pair x;
perlane_pair y;
perlane_pair z;
PERLANE_END

PERLANE_FN perlane_position perlane_origin() {
  perlane_position p;
  p.x = perlane_pair_of(0u, 0u);
  p.y = p.x;
  p.z = p.x;
  return p;
}

/* A value; `inside` is 1 if the position is in the domain, else 0. */
PERLANE_STRUCT(perlane_result)
float value;
uint inside;
PERLANE_END

PERLANE_FN perlane_result perlane_octaves(PERLANE_WORDS perlane_position p) {
  uint dims = PERLANE_WORD(1u);
  uint octaves = PERLANE_WORD(5u);
  uint at = PERLANE_WORD(6u);
  uint basis = PERLANE_WORD(8u);
  perlane_result result;
  result.inside = 1u;
  perlane_sum sum = perlane_no_octaves();
  perlane_axis z = perlane_weigh(PERLANE_PASS 0u, 0u, 0.0f, 0.0f);
  for (uint o = 0u; o < octaves; o++) {
    float amplitude = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at));
    float strength = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + 1u));
    perlane_pair frequency = perlane_pair_of(PERLANE_WORD(at + 3u), PERLANE_WORD(at + 2u));
    float bias = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + 4u));
    at += 5u;
    perlane_pair cx = perlane_double_product(p.x, frequency);
    perlane_pair cy = perlane_double_product(p.y, frequency);
    perlane_pair cz = perlane_double_product(p.z, frequency);
    result.inside = result.inside & perlane_is_inside(cx) & perlane_is_inside(cy);
    result.inside = result.inside & perlane_is_inside(cz);
    if (result.inside == 0u) {
      octaves = 0u;
    } else if (basis == 4u) {
      sum = perlane_add_noise(PERLANE_PASS sum, o,
                              perlane_cellular(PERLANE_PASS cx, cy, cz, at, amplitude, bias),
                              strength);
    } else if (basis == 5u) {
      sum = perlane_add_simplex(PERLANE_PASS sum, o,
                                perlane_simplex(PERLANE_PASS cx, cy, cz, at, amplitude), strength);
    } else {
      perlane_axis x = perlane_point_axis(PERLANE_PASS cx, at, 0x9E3779B1u, amplitude);
      perlane_axis y = perlane_point_axis(PERLANE_PASS cy, at + 3u, 0x85EBCA6Bu, amplitude);
      if (dims == 3u) {
        z = perlane_point_axis(PERLANE_PASS cz, at + 6u, 0xC2B2AE35u, amplitude);
      }
      perlane_face low = perlane_face_of(PERLANE_PASS x, y.word0, z, amplitude);
      perlane_face high = perlane_face_of(PERLANE_PASS x, y.word1, z, amplitude);
      sum = perlane_add(PERLANE_PASS sum, o, low, high, y, amplitude, strength);
    }
    at += 3u * dims;
  }
  result.value = perlane_end(PERLANE_PASS sum.value);
  return result;
}

/* ---- 2.18 Warp ---- */

/* The displacements, in the order in which they are evaluated, and then the field itself. */
PERLANE_FN float perlane_value_at(PERLANE_WORDS perlane_position p) {
  uint dims = PERLANE_WORD(1u);
  uint displacements = PERLANE_WORD(38u);
  perlane_pair M = perlane_pair_of(PERLANE_WORD(41u), PERLANE_WORD(40u));
  perlane_position q = p;
  perlane_position next = p;
  uint inside = perlane_is_finite(p.x) & perlane_is_finite(p.y) & perlane_is_finite(p.z);
  uint axis = 0u;
  float value = 0.0f;
  for (uint i = 0u; i <= displacements; i++) {
    uint at = PERLANE_SELECT(i < displacements, PERLANE_WORD(37u) + i * PERLANE_WORD(39u), 0u);
    perlane_result result = perlane_octaves(PERLANE_PART(at) q);
    value = result.value;
    inside = inside & result.inside;
    if (i < displacements) {
      perlane_pair d = perlane_double(PERLANE_BITS_OF_FLOAT(value));
      perlane_pair added = perlane_double_product(M, d);
      if (axis == 0u) {
        next.x = perlane_double_sum(p.x, added);
      } else if (axis == 1u) {
        next.y = perlane_double_sum(p.y, added);
      } else {
        next.z = perlane_double_sum(p.z, added);
      }
      axis++;
    }
    if (axis == dims) {
      q = next;
      axis = 0u;
    }
  }
  uint bits = PERLANE_BITS_OF_FLOAT(value);
  return PERLANE_FLOAT_OF_BITS(PERLANE_SELECT(inside == 1u, bits, 0x7FC00000u));
}

/* ---- Points ---- */

PERLANE_FN float perlane_point_value(PERLANE_WORDS float x, float y, float z) {
  perlane_position p = perlane_origin();
  p.x = perlane_position_of(PERLANE_PASS 0u, PERLANE_BITS_OF_FLOAT(x));
  p.y = perlane_position_of(PERLANE_PASS 1u, PERLANE_BITS_OF_FLOAT(y));
  if (PERLANE_WORD(1u) == 3u) {
    p.z = perlane_position_of(PERLANE_PASS 2u, PERLANE_BITS_OF_FLOAT(z));
  }
  return perlane_value_at(PERLANE_PASS p);
}

/* Returns the value at the origin plus (x, y, z), as perlane_points computes it; z is not used in
 * 2D. */
PERLANE_FN float perlane_point(PERLANE_ENTRY float x, float y, float z) {
  return perlane_point_value(PERLANE_ENTER x, y, z);
}

/* ---- Grids ---- */

/* Entry i of an array of doubles. */
PERLANE_FN perlane_pair perlane_double_at(PERLANE_WORDS uint at, uint i) {
  return perlane_pair_of(PERLANE_WORD(at + i + i + 1u), PERLANE_WORD(at + i + i));
}

/* Sample (i, j, k) of a grid whose samples are evaluated as points. */
PERLANE_FN float perlane_placed(PERLANE_WORDS uint i, uint j, uint k) {
  uint at = PERLANE_WORD(42u);
  uint at_y = at + 2u * PERLANE_WORD(2u);
  perlane_position p = perlane_origin();
  p.x = perlane_double_at(PERLANE_PASS at, i);
  p.y = perlane_double_at(PERLANE_PASS at_y, j);
  if (PERLANE_WORD(4u) != 0u) {
    p.z = perlane_double_at(PERLANE_PASS at_y + 2u * PERLANE_WORD(3u), k);
  }
  return perlane_value_at(PERLANE_PASS p);
}

/* Sample i of n along an axis. */
PERLANE_FN perlane_axis perlane_axis_of(PERLANE_WORDS uint at, uint n, uint i, float amplitude) {
  return perlane_weigh(PERLANE_PASS PERLANE_WORD(at + i), PERLANE_WORD(at + n + i),
                       PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + n + n + i)), amplitude);
}

/* Samples of a column, along y. */
#define PERLANE_ROWS 8u

PERLANE_STRUCT(perlane_samples)
float value[PERLANE_ROWS];
PERLANE_END

/* Samples (i, j, k), (i, j + 1, k) and so on of a grid whose axes are in tables, as many as `rows`.
 * Those in a row of cells share its faces, and the upper face of a cell is the lower one of the
 * next. */
PERLANE_FN perlane_samples perlane_tabled(PERLANE_WORDS uint i, uint j, uint k, uint rows) {
  uint nx = PERLANE_WORD(2u);
  uint ny = PERLANE_WORD(3u);
  uint nz = PERLANE_WORD(4u);
  uint octaves = PERLANE_WORD(5u);
  uint at = PERLANE_WORD(6u);
  perlane_samples samples;
  perlane_sum sums[PERLANE_ROWS];
  for (uint r = 0u; r < PERLANE_ROWS; r++) {
    samples.value[r] = 0.0f;
    sums[r] = perlane_no_octaves();
  }
  perlane_axis z = perlane_weigh(PERLANE_PASS 0u, 0u, 0.0f, 0.0f);
  for (uint o = 0u; o < octaves; o++) {
    float amplitude = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at));
    float strength = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + 1u));
    uint at_y = at + 2u + 3u * nx;
    perlane_axis x = perlane_axis_of(PERLANE_PASS at + 2u, nx, i, amplitude);
    at = at_y + 3u * ny;
    if (nz != 0u) {
      z = perlane_axis_of(PERLANE_PASS at, nz, k, amplitude);
      at += 3u * nz;
    }
    perlane_face low;
    low.n = perlane_no_row();
    low.x = low.n;
    low.z = low.n;
    perlane_face high = low;
    uint word0 = 0u;
    uint word1 = 0u;
    for (uint r = 0u; r < rows; r++) {
      perlane_axis y = perlane_axis_of(PERLANE_PASS at_y, ny, j + r, amplitude);
      if ((r == 0u) || (y.word0 != word0) || (y.word1 != word1)) {
        low = high;
        if ((r == 0u) || (y.word0 != word1)) {
          low = perlane_face_of(PERLANE_PASS x, y.word0, z, amplitude);
        }
        high = perlane_face_of(PERLANE_PASS x, y.word1, z, amplitude);
        word0 = y.word0;
        word1 = y.word1;
      }
      sums[r] = perlane_add(PERLANE_PASS sums[r], o, low, high, y, amplitude, strength);
    }
  }
  for (uint r = 0u; r < rows; r++) {
    samples.value[r] = perlane_end(PERLANE_PASS sums[r].value);
  }
  return samples;
}

PERLANE_FN perlane_samples perlane_samples_of(PERLANE_WORDS uint i, uint j, uint k, uint most) {
  uint left = PERLANE_WORD(3u) - j;
  uint rows = PERLANE_SELECT(left < most, left, most);
  if (PERLANE_WORD(42u) == 0u) {
    return perlane_tabled(PERLANE_PASS i, j, k, rows);
  }
  perlane_samples samples;
  for (uint r = 0u; r < PERLANE_ROWS; r++) {
    samples.value[r] = 0.0f;
    if (r < rows) {
      samples.value[r] = perlane_placed(PERLANE_PASS i, j + r, k);
    }
  }
  return samples;
}

/* Returns samples (i, j, k) to (i, j + 7, k) of the grid, those inside it, as perlane_fill computes
 * them; k is 0 in 2D. */
PERLANE_FN perlane_samples perlane_column(PERLANE_ENTRY uint i, uint j, uint k) {
  return perlane_samples_of(PERLANE_ENTER i, j, k, PERLANE_ROWS);
}

/* Returns sample (i, j, k) alone. */
PERLANE_FN float perlane_sample(PERLANE_ENTRY uint i, uint j, uint k) {
  return perlane_samples_of(PERLANE_ENTER i, j, k, 1u).value[0];
}

/* Returns the part of sample number `index` in a self-test's digest, the sum of all parts. */
PERLANE_FN uint perlane_digest(uint index, float value) {
  return perlane_mixed(PERLANE_BITS_OF_FLOAT(value) + index * 0x9E3779B1u);
}
