/* SPDX-License-Identifier: MIT
 *
 * The functions that shaders call, perlane_point and perlane_sample, and what both do: octaves at a
 * position, and warps (2.7, 2.18 of docs/specification.md). The front end includes this file last.
 * The samples of most grids take their axes from tables instead of positions.
 */

/* ---- 2.7 Octaves of a position ---- */

/* A position, or the indices of a sample whose axes are in tables. */
PERLANE_STRUCT(perlane_position)
perlane_pair x;
perlane_pair y;
perlane_pair z;
uint i;
uint j;
uint k;
PERLANE_END

PERLANE_FN perlane_position perlane_origin(uint i, uint j, uint k) {
  perlane_position p;
  p.x = perlane_pair_of(0u, 0u);
  p.y = p.x;
  p.z = p.x;
  p.i = i;
  p.j = j;
  p.k = k;
  return p;
}

/* Sample i of n along an axis. */
PERLANE_FN perlane_axis perlane_axis_of(PERLANE_WORDS uint at, uint n, uint i, float amplitude) {
  return perlane_weigh(PERLANE_PASS PERLANE_WORD(at + i), PERLANE_WORD(at + n + i),
                       PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + n + n + i)), amplitude);
}

/* A value; `inside` is 1 if the position is in the domain, else 0. */
PERLANE_STRUCT(perlane_result)
float value;
uint inside;
PERLANE_END

PERLANE_FN perlane_result perlane_octaves(PERLANE_WORDS perlane_position p) {
  uint dims = PERLANE_WORD(1u);
  uint nx = PERLANE_WORD(2u);
  uint ny = PERLANE_WORD(3u);
  uint nz = PERLANE_WORD(4u);
  uint octaves = PERLANE_WORD(5u);
  uint at = PERLANE_WORD(6u);
  uint basis = PERLANE_WORD(8u);
  perlane_result result;
  result.inside = 1u;
  perlane_sum sum = perlane_no_octaves();
  perlane_axis ax = perlane_weigh(PERLANE_PASS 0u, 0u, 0.0f, 0.0f);
  perlane_axis ay = ax;
  perlane_axis az = ax;
  for (uint o = 0u; o < octaves; o++) {
    float amplitude = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at));
    float strength = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + 1u));
    if ((nx != 0u) && (PERLANE_WORD(42u) == 0u)) {
      at += 2u;
      ax = perlane_axis_of(PERLANE_PASS at, nx, p.i, amplitude);
      at += 3u * nx;
      ay = perlane_axis_of(PERLANE_PASS at, ny, p.j, amplitude);
      at += 3u * ny;
      if (nz != 0u) {
        az = perlane_axis_of(PERLANE_PASS at, nz, p.k, amplitude);
        at += 3u * nz;
      }
    } else {
      perlane_pair frequency = perlane_pair_of(PERLANE_WORD(at + 3u), PERLANE_WORD(at + 2u));
      float bias = PERLANE_FLOAT_OF_BITS(PERLANE_WORD(at + 4u));
      perlane_pair cx = perlane_double_product(p.x, frequency);
      perlane_pair cy = perlane_double_product(p.y, frequency);
      perlane_pair cz = perlane_double_product(p.z, frequency);
      result.inside = result.inside & perlane_is_inside(cx) & perlane_is_inside(cy);
      result.inside = result.inside & perlane_is_inside(cz);
      if (result.inside == 0u) {
        octaves = 0u;
      } else if (basis == 4u) {
        sum = perlane_add_noise(PERLANE_PASS sum, o,
                                perlane_cellular(PERLANE_PASS cx, cy, cz, at + 5u, amplitude, bias),
                                strength);
      } else if (basis == 5u) {
        sum = perlane_add_simplex(PERLANE_PASS sum, o,
                                  perlane_simplex(PERLANE_PASS cx, cy, cz, at + 5u, amplitude),
                                  strength);
      } else {
        ax = perlane_point_axis(PERLANE_PASS cx, at + 5u, 0x9E3779B1u, amplitude);
        ay = perlane_point_axis(PERLANE_PASS cy, at + 8u, 0x85EBCA6Bu, amplitude);
        if (dims == 3u) {
          az = perlane_point_axis(PERLANE_PASS cz, at + 11u, 0xC2B2AE35u, amplitude);
        }
      }
      at += 5u + 3u * dims;
    }
    if (basis < 4u) {
      sum = perlane_add(PERLANE_PASS sum, o, ax, ay, az, amplitude, strength);
    }
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
  perlane_position p = perlane_origin(0u, 0u, 0u);
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

PERLANE_FN float perlane_grid_value(PERLANE_WORDS uint i, uint j, uint k) {
  uint at = PERLANE_WORD(42u);
  perlane_position p = perlane_origin(i, j, k);
  if (at != 0u) {
    uint at_y = at + 2u * PERLANE_WORD(2u);
    p.x = perlane_double_at(PERLANE_PASS at, i);
    p.y = perlane_double_at(PERLANE_PASS at_y, j);
    if (PERLANE_WORD(4u) != 0u) {
      p.z = perlane_double_at(PERLANE_PASS at_y + 2u * PERLANE_WORD(3u), k);
    }
  }
  return perlane_value_at(PERLANE_PASS p);
}

/* Returns sample (i, j, k) of the grid, as perlane_fill computes it; k is 0 in 2D. */
PERLANE_FN float perlane_sample(PERLANE_ENTRY uint i, uint j, uint k) {
  return perlane_grid_value(PERLANE_ENTER i, j, k);
}

/* Returns the part of sample number `index` in a self-test's digest, the sum of all parts. */
PERLANE_FN uint perlane_digest(uint index, float value) {
  return perlane_mixed(PERLANE_BITS_OF_FLOAT(value) + index * 0x9E3779B1u);
}
