/* SPDX-License-Identifier: MIT
 *
 * Cellular noise, 2.15 of docs/specification.md. The front end includes this file after
 * perlane_points.h.
 */

/* The cells around a position along an axis: X - R, key, multiplier, period and fraction. */
PERLANE_STRUCT(perlane_line)
perlane_pair cell;
uint key;
uint multiplier;
uint S;
float f;
PERLANE_END

/* The axis whose key, phase and period begin at word `at`. */
PERLANE_FN perlane_line perlane_line_of(PERLANE_WORDS perlane_pair x, uint at, uint multiplier) {
  perlane_place place = perlane_split(x, PERLANE_WORD(at + 1u));
  PERLANE_EXACT float f = PERLANE_FLOAT(place.fraction) * 0.000000059604644775390625f;
  perlane_line along;
  along.key = PERLANE_WORD(at);
  along.multiplier = multiplier;
  along.S = PERLANE_WORD(at + 2u);
  along.f = f;
  perlane_pair first = perlane_minus(place.cell, perlane_pair_of(0u, PERLANE_WORD(34u)));
  along.cell = perlane_modulo(first, along.S);
  return along;
}

PERLANE_FN uint perlane_line_word(perlane_line along) {
  return perlane_axis_word(along.cell, along.multiplier, along.key);
}

/* Goes on to the next cell. */
PERLANE_FN perlane_line perlane_line_next(perlane_line along) {
  perlane_line next = along;
  next.cell = perlane_plus_word(along.cell, 1u);
  if ((along.S != 0u) && (next.cell.lo == along.S)) {
    next.cell.lo = 0u;
  }
  return next;
}

/* A cell's point along an axis: o + R, float(i) * j and d. */
PERLANE_STRUCT(perlane_spot)
float o;
float p;
float d;
PERLANE_END

PERLANE_FN perlane_spot perlane_spot_of(PERLANE_WORDS float f, uint o, uint i) {
  float to = PERLANE_FLOAT(o);
  PERLANE_EXACT float offset = to - PERLANE_FLOAT(PERLANE_WORD(34u));
  PERLANE_EXACT float beside = f - offset;
  PERLANE_EXACT float t = beside - PERLANE_FLOAT_OF_BITS(PERLANE_WORD(36u));
  PERLANE_EXACT float p = PERLANE_FLOAT(i) * PERLANE_FLOAT_OF_BITS(PERLANE_WORD(35u));
  PERLANE_EXACT float d = p - t;
  perlane_spot spot;
  spot.o = to;
  spot.p = p;
  spot.d = d;
  return spot;
}

PERLANE_STRUCT(perlane_cell)
perlane_spot x;
perlane_spot y;
perlane_spot z;
uint h;
float D;
PERLANE_END

/* D of the other metrics than chebyshev, whose z is 0 in 2D. */
PERLANE_FN float perlane_sum_of(float x, float y, float z) {
  PERLANE_EXACT float xz = x + z;
  PERLANE_EXACT float sum = xz + y;
  return sum;
}

PERLANE_FN float perlane_squares(float x, float y, float z) {
  PERLANE_EXACT float xx = x * x;
  PERLANE_EXACT float yy = y * y;
  PERLANE_EXACT float zz = z * z;
  return perlane_sum_of(xx, yy, zz);
}

PERLANE_FN float perlane_distance(uint metric, float dx, float dy, float dz) {
  float x = perlane_magnitude(dx);
  float y = perlane_magnitude(dy);
  float z = perlane_magnitude(dz);
  if (metric < 2u) {
    return perlane_squares(x, y, z);
  }
  if (metric == 2u) {
    return perlane_sum_of(x, y, z);
  }
  float xy = PERLANE_SELECT(x > y, x, y);
  return PERLANE_SELECT(xy > z, xy, z);
}

/* The cell at offsets x - R, y - R, z - R. */
PERLANE_FN perlane_cell perlane_cell_of(PERLANE_WORDS uint word, perlane_line X, perlane_line Y,
                                        perlane_line Z, uint x, uint y, uint z) {
  uint h = perlane_mixed(word);
  perlane_cell cell;
  cell.h = h;
  if (PERLANE_WORD(1u) == 3u) {
    cell.x = perlane_spot_of(PERLANE_PASS X.f, x, h >> 21u);
    cell.y = perlane_spot_of(PERLANE_PASS Y.f, y, (h >> 10u) & 0x7FFu);
    cell.z = perlane_spot_of(PERLANE_PASS Z.f, z, h & 0x7FFu);
  } else {
    cell.x = perlane_spot_of(PERLANE_PASS X.f, x, h >> 16u);
    cell.y = perlane_spot_of(PERLANE_PASS Y.f, y, h & 0xFFFFu);
    cell.z.o = 0.0f;
    cell.z.p = 0.0f;
    cell.z.d = 0.0f;
  }
  cell.D = perlane_distance(PERLANE_WORD(33u), cell.x.d, cell.y.d, cell.z.d);
  return cell;
}

/* e */
PERLANE_FN float perlane_apart(perlane_spot n, perlane_spot c) {
  PERLANE_EXACT float p = c.p - n.p;
  PERLANE_EXACT float o = c.o - n.o;
  PERLANE_EXACT float e = p + o;
  return e;
}

PERLANE_FN float perlane_part(perlane_spot n, perlane_spot c, float e, float s) {
  PERLANE_EXACT float d = n.d + c.d;
  PERLANE_EXACT float es = e * s;
  PERLANE_EXACT float part = d * es;
  return part;
}

/* t */
PERLANE_FN float perlane_border(perlane_cell n, perlane_cell c) {
  float x = perlane_apart(n.x, c.x);
  float y = perlane_apart(n.y, c.y);
  float z = perlane_apart(n.z, c.z);
  float s = perlane_quotient(0.5f, perlane_root(perlane_squares(x, y, z)));
  return perlane_sum_of(perlane_part(n.x, c.x, x, s), perlane_part(n.y, c.y, y, s),
                        perlane_part(n.z, c.z, z, s));
}

/* F1 and F2 */
PERLANE_FN float perlane_length(PERLANE_WORDS float D) {
  if (PERLANE_WORD(33u) == 0u) {
    return perlane_root(D);
  }
  return D;
}

/* n at x_k. The keys, phases and periods of the axes begin at word `at`. */
PERLANE_FN float perlane_cellular(PERLANE_WORDS perlane_pair x_k, perlane_pair y_k,
                                  perlane_pair z_k, uint at, float amplitude, float bias) {
  uint is_volume = PERLANE_SELECT(PERLANE_WORD(1u) == 3u, 1u, 0u);
  perlane_line X = perlane_line_of(PERLANE_PASS x_k, at, 0x9E3779B1u);
  perlane_line Y = perlane_line_of(PERLANE_PASS y_k, at + 3u, 0x85EBCA6Bu);
  perlane_line Z = X;
  if (is_volume == 1u) {
    Z = perlane_line_of(PERLANE_PASS z_k, at + 6u, 0xC2B2AE35u);
  }
  uint asked = PERLANE_WORD(32u);
  uint side = 2u * PERLANE_WORD(34u) + 1u;
  uint planes = PERLANE_SELECT(is_volume == 1u, side, 1u);
  uint searches = PERLANE_SELECT(asked == 4u, 2u, 1u); /* the second one is for borders */
  float far_off = 1e30f;
  perlane_cell first = perlane_cell_of(PERLANE_PASS 0u, X, Y, Z, 0u, 0u, 0u);
  first.D = far_off;
  float second = far_off;
  float edge = far_off;
  for (uint search = 0u; search < searches; search++) {
    perlane_line lz = Z;
    for (uint z = 0u; z < planes; z++) {
      uint word_z = perlane_line_word(lz) * is_volume;
      lz = perlane_line_next(lz);
      perlane_line ly = Y;
      for (uint y = 0u; y < side; y++) {
        uint word_yz = perlane_line_word(ly) + word_z;
        ly = perlane_line_next(ly);
        perlane_line lx = X;
        for (uint x = 0u; x < side; x++) {
          uint word = perlane_line_word(lx) + word_yz;
          lx = perlane_line_next(lx);
          perlane_cell c = perlane_cell_of(PERLANE_PASS word, X, Y, Z, x, y, z);
          if (search == 1u) {
            if ((c.x.o != first.x.o) || (c.y.o != first.y.o) || (c.z.o != first.z.o)) {
              float t = perlane_border(first, c);
              edge = PERLANE_SELECT(t < edge, t, edge);
            }
          } else if (c.D < first.D) {
            second = first.D;
            first = c;
          } else {
            second = PERLANE_SELECT(c.D < second, c.D, second);
          }
        }
      }
    }
  }
  if (asked == 3u) {
    PERLANE_EXACT float number = perlane_uniform(first.h * 0x9E3779B1u) * amplitude;
    return number;
  }
  float F1 = perlane_length(PERLANE_PASS first.D);
  float F2 = perlane_length(PERLANE_PASS second);
  PERLANE_EXACT float between = F2 - F1;
  float F = PERLANE_SELECT(asked == 0u, F1, F2);
  F = PERLANE_SELECT(asked == 2u, between, F);
  F = PERLANE_SELECT(asked == 4u, PERLANE_SELECT(edge > 0.0f, edge, 0.0f), F);
  PERLANE_EXACT float scaled = F * amplitude;
  PERLANE_EXACT float n = scaled + bias;
  return n;
}
