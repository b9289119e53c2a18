/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

/* ---- Which windows ---- */

/* Small seeds, as people choose them, in every other window, and any 64 bits in the others. Windows
 * lie anywhere up to 2^12, 2^24, 2^36 and 2^45 cells from the origin in turn, and every eighth lies
 * across the origin and across 2^31, where cells stop being 32-bit numbers. */
static struct window window_of(uint64_t list, size_t number, int dims) {
  struct window window = {.dims = dims};
  const uint64_t words = split_mix(list, number);
  window.seed = number % 2 ? split_mix(words, 0) : number / 2;
  for (int a = 0; a < 4; a++) {
    static const int far[] = {51, 39, 27, 18};
    window.first[a] = (int64_t)split_mix(words, (uint64_t)a + 1) >> far[number % 4];
    if (number % 8 == 5)
      window.first[a] = a % 2 ? -5 : INT64_C(0x80000000) - 7;
    window.step[a] = 1;
  }
  return window;
}

static const size_t WINDOW[4][4] = {{65536}, {128, 128}, {32, 32, 32}, {16, 16, 16, 16}};

static void count_as(struct window *window, const size_t count[4]) {
  memcpy(window->count, count, sizeof window->count);
}

/* ---- Pairs of indices ---- */

enum { MAX_CHOICES = 256 };
static const int NO_LAG[4];

struct pairs {
  unsigned choices;
  double n, times[MAX_CHOICES * MAX_CHOICES];
};

static void pairs_start(struct pairs *pairs, unsigned choices) {
  memset(pairs->times, 0, choices * choices * sizeof *pairs->times);
  pairs->choices = choices;
  pairs->n = 0;
}

/* Pairs of a[place] and b[place + lag], along all axes. */
static void count_pairs(struct pairs *pairs, const uint8_t *a, const uint8_t *b,
                        const struct window *window, const int lag[4]) {
  ptrdiff_t from[4] = {0}, to[4] = {1, 1, 1, 1}, stride[4] = {0}, next = 1, jump = 0;
  for (int axis = 0; axis < window->dims; axis++) {
    const ptrdiff_t count = (ptrdiff_t)window->count[axis];
    from[axis] = lag[axis] < 0 ? -lag[axis] : 0;
    to[axis] = lag[axis] > 0 ? count - lag[axis] : count;
    stride[axis] = next;
    jump += lag[axis] * next;
    next *= count;
  }
  /* Two tables, so that equal pairs in a row do not wait for each other. */
  static uint32_t times[2][MAX_CHOICES * MAX_CHOICES];
  const unsigned choices = pairs->choices;
  for (int i = 0; i < 2; i++)
    memset(times[i], 0, choices * choices * sizeof *times[i]);
  for (ptrdiff_t w = from[3]; w < to[3]; w++)
    for (ptrdiff_t z = from[2]; z < to[2]; z++)
      for (ptrdiff_t y = from[1]; y < to[1]; y++) {
        const ptrdiff_t row = w * stride[3] + z * stride[2] + y * stride[1];
        const uint8_t *first = a + row, *second = b + row + jump;
        for (ptrdiff_t x = from[0]; x < to[0]; x++)
          times[x & 1][first[x] * choices + second[x]]++;
      }
  for (unsigned i = 0; i < choices * choices; i++) {
    pairs->times[i] += times[0][i] + times[1][i];
    pairs->n += times[0][i] + times[1][i];
  }
}

/* The chi-square of what the two have to do with each other, apart from how often each of their
 * values occurs: the sum of the squares of all products of a Walsh function of one and a Walsh
 * function of the other. Each of these products has mean 0, and no two of different places are
 * correlated, also where the places overlap; Pearson's statistic of overlapping pairs would not be
 * a chi-square. By Parseval's theorem the sum follows from the squares of the counts and of their
 * totals, all of which are exact here. */
static double dependence(const struct pairs *pairs, double *freedom) {
  const unsigned n = pairs->choices;
  double second[MAX_CHOICES] = {0}, squares = 0, totals = 0;
  for (unsigned i = 0; i < n; i++) {
    double first = 0;
    for (unsigned j = 0; j < n; j++) {
      const double times = pairs->times[i * n + j];
      first += times;
      second[j] += times;
      squares += times * times;
    }
    totals += first * first;
  }
  for (unsigned j = 0; j < n; j++)
    totals += second[j] * second[j];
  *freedom = (n - 1) * (n - 1);
  return (n * (n * squares - totals) + pairs->n * pairs->n) / pairs->n;
}

/* The chi-square of how often each value of the first of each pair occurs. */
static double unevenness(const struct pairs *pairs, double *freedom) {
  const unsigned n = pairs->choices;
  double sum = 0;
  for (unsigned i = 0; i < n; i++) {
    double times = 0;
    for (unsigned j = 0; j < n; j++)
      times += pairs->times[i * n + j];
    const double expected = pairs->n / n;
    sum += (times - expected) * (times - expected) / expected;
  }
  *freedom = n - 1;
  return sum;
}

/* Tallies how even a's values are, if is_alone; and what b has to do with a at this lag. */
static void tally_pairs(struct tally *tally, unsigned choices, const uint8_t *a, const uint8_t *b,
                        const struct window *window, const int lag[4], int is_alone,
                        const char *where) {
  static struct pairs pairs;
  double freedom;
  pairs_start(&pairs, choices);
  count_pairs(&pairs, a, b, window, lag);
  if (is_alone) {
    const double uneven = unevenness(&pairs, &freedom);
    tally_add(tally, uneven, freedom, "%s, uniformity", where);
  }
  if (a == b && !memcmp(lag, NO_LAG, sizeof NO_LAG)) /* nothing but a itself */
    return;
  const double dependent = dependence(&pairs, &freedom);
  tally_add(tally, dependent, freedom, "%s, lag %d %d %d %d", where, lag[0], lag[1], lag[2],
            lag[3]);
}

/* ---- Neighbours and strides ---- */

/* The next lag after this one, of those up to reach along each axis, that is not the negative of
 * another: the last component that is not 0 is above 0. */
static int next_lag(int lag[4], int dims, int reach) {
  do {
    int a = 0;
    while (a < dims && lag[a] == reach)
      lag[a++] = -reach;
    if (a == dims)
      return 0;
    lag[a]++;
    for (a = dims - 1; a > 0 && lag[a] == 0; a--)
      continue;
    if (lag[a] > 0)
      return 1;
  } while (1);
}

static void tally_window(struct tally *tally, const struct lattice *lattice,
                         const struct window *window, int reach, const char *what) {
  uint8_t *index = have(window_cells(window));
  const unsigned choices = lattice_choices(lattice, window->dims);
  char where[64];
  snprintf(where, sizeof where, "%s, seed %#llx", what, (unsigned long long)window->seed);
  lattice_fill(lattice, window, index);
  int lag[4] = {0};
  do
    tally_pairs(tally, choices, index, index, window, lag, !memcmp(lag, NO_LAG, sizeof lag), where);
  while (next_lag(lag, window->dims, reach));
  free(index);
}

struct tally check_neighbours(const struct lattice *lattice, int dims, size_t windows) {
  static const int reach[] = {16, 3, 1, 1};
  struct tally tally = tally_start();
  for (size_t i = 0; i < windows; i++) {
    struct window window = window_of(0x4E656967, i, dims);
    count_as(&window, WINDOW[dims - 1]);
    tally_window(&tally, lattice, &window, reach[dims - 1], "window");
  }
  return tally;
}

struct tally check_strides(const struct lattice *lattice, int dims, size_t windows) {
  static const int64_t odd[] = {3,   5,   7,   9,   15,   17,   31,   33,    63,    65,
                                127, 129, 255, 257, 1023, 1025, 4095, 65535, 65537, 16777213};
  enum { POWERS = 40, ALL = POWERS + sizeof odd / sizeof odd[0] };
  struct tally tally = tally_start();
  for (size_t i = 0; i < windows; i++)
    for (size_t s = 0; s < ALL; s++)
      for (int along = dims == 1; along <= dims; along++) { /* 0: along all axes at once */
        const int64_t stride = s < POWERS ? INT64_C(2) << s : odd[s - POWERS];
        struct window window = window_of(0x53747269, (i * ALL + s) * 5 + (size_t)along, dims);
        count_as(&window, WINDOW[dims - 1]);
        if (stride > INT64_C(1) << 34) /* to stay in the domain */
          window.count[0] /= dims == 1 ? 8 : 1;
        for (int a = 0; a < dims; a++) {
          window.first[a] >>= 1;
          if (along == 0 || along == a + 1)
            window.step[a] = stride;
        }
        char what[48];
        snprintf(what, sizeof what, "%lld cells along %c", (long long)stride, "*xyzw"[along]);
        tally_window(&tally, lattice, &window, 1, what);
      }
  return tally;
}

/* ---- Corners ---- */

/* Subsets of the corners that are others moved by a cell say nothing new: only those that touch the
 * lower side of each axis are looked at. */
static int is_at_the_lower_sides(unsigned subset, int dims, unsigned side) {
  unsigned points = 1;
  for (int a = 0; a < dims; a++) {
    int touches = 0;
    unsigned all = 1;
    for (int b = 0; b < dims; b++)
      all *= side;
    for (unsigned p = 0; p < all; p++)
      touches |= (int)(subset >> p & 1) && p / points % side == 0;
    if (!touches)
      return 0;
    points *= side;
  }
  return 1;
}

static void tally_corners(struct tally *tally, const uint8_t *index, const struct window *window,
                          unsigned bit) {
  const int dims = window->dims;
  const unsigned side = dims <= 2 ? 3 : 2;
  unsigned points = 1, place[16];
  size_t from[4] = {0}, count[4] = {1, 1, 1, 1}, stride[4] = {0}, next = 1;
  for (int a = 0; a < dims; a++) {
    count[a] = window->count[a] - side + 1;
    stride[a] = next;
    next *= window->count[a];
    points *= side;
  }
  for (unsigned p = 0; p < points; p++) {
    size_t at = 0;
    unsigned rest = p;
    for (int a = 0; a < dims; a++, rest /= side)
      at += rest % side * stride[a];
    place[p] = (unsigned)at;
  }
  const size_t patterns = (size_t)1 << points;
  double *times = have(patterns * sizeof *times), n = 0;
  memset(times, 0, patterns * sizeof *times);
  for (from[3] = 0; from[3] < count[3]; from[3]++)
    for (from[2] = 0; from[2] < count[2]; from[2]++)
      for (from[1] = 0; from[1] < count[1]; from[1]++)
        for (from[0] = 0; from[0] < count[0]; from[0]++) {
          const uint8_t *corner = index + from[3] * stride[3] + from[2] * stride[2] +
                                  from[1] * stride[1] + from[0] * stride[0];
          unsigned pattern = 0;
          for (unsigned p = 0; p < points; p++)
            pattern |= (corner[place[p]] >> bit & 1u) << p;
          times[pattern]++;
          n++;
        }
  walsh(times, patterns);
  for (unsigned subset = 1; subset < patterns; subset++)
    if (is_at_the_lower_sides(subset, dims, side))
      tally_add(tally, times[subset] * times[subset] / n, 1, "seed %#llx, bit %u, corners %#x",
                (unsigned long long)window->seed, bit, subset);
  free(times);
}

struct tally check_corners(const struct lattice *lattice, int dims, size_t windows) {
  static const size_t count[4][4] = {{65536}, {256, 256}, {40, 40, 40}, {16, 16, 16, 16}};
  struct tally tally = tally_start();
  for (size_t i = 0; i < windows; i++) {
    struct window window = window_of(0x436F726E, i, dims);
    count_as(&window, count[dims - 1]);
    uint8_t *index = have(window_cells(&window));
    lattice_fill(lattice, &window, index);
    for (unsigned bit = 0; 1u << bit < lattice_choices(lattice, dims); bit++)
      tally_corners(&tally, index, &window, bit);
    free(index);
  }
  return tally;
}

/* ---- Slices ---- */

struct tally check_slices(const struct lattice *lattice, int dims, size_t windows) {
  static const size_t slice[4][4] = {{1}, {4096}, {128, 128}, {32, 32, 16}};
  const size_t longer = lattice->is_large && dims == 2 ? 4 : 1; /* enough for pairs of 256 */
  enum { LAYERS = 64 };
  struct tally tally = tally_start();
  for (size_t i = 0; i < windows; i++)
    for (int across = 0; across < dims; across++) {
      struct window window = window_of(0x536C6963, i * 4 + (size_t)across, dims);
      for (int a = 0, b = 0; a < dims; a++)
        window.count[a] = a == across ? LAYERS : slice[dims - 1][b++] * longer;
      const size_t cells = window_cells(&window);
      uint8_t *index = have(cells), *sorted = have(cells);
      lattice_fill(lattice, &window, index);
      size_t inner = 1; /* cells of one slice that lie together */
      for (int a = 0; a < across; a++)
        inner *= window.count[a];
      const size_t n = cells / LAYERS;
      for (size_t s = 0; s < LAYERS; s++)
        for (size_t c = 0; c < n; c++)
          sorted[s * n + c] = index[(c / inner * LAYERS + s) * inner + c % inner];
      const struct window line = {.dims = 1, .count = {n}};
      for (size_t s = 0; s + 1 < LAYERS; s++) {
        char where[64];
        snprintf(where, sizeof where, "seed %#llx, slice %lld across %c",
                 (unsigned long long)window.seed, (long long)window.first[across] + (long long)s,
                 "xyzw"[across]);
        tally_pairs(&tally, lattice_choices(lattice, dims), sorted + s * n, sorted + (s + 1) * n,
                    &line, NO_LAG, 1, where);
      }
      free(index);
      free(sorted);
    }
  return tally;
}

/* ---- Seeds and octaves ---- */

struct tally check_seeds(const struct lattice *lattice, int dims, size_t windows) {
  static const uint64_t delta[] = {
      1,        2,          3,          4,          16,
      255,      256,        65536,      1u << 18,   1u << 24,
      1u << 31, 1ull << 32, 1ull << 48, 1ull << 63, UINT64_C(0x9E3779B97F4A7C15)};
  struct tally tally = tally_start();
  for (size_t i = 0; i < windows; i++) {
    struct window window = window_of(0x53656564, i, dims);
    count_as(&window, WINDOW[dims - 1]);
    const size_t cells = window_cells(&window);
    uint8_t *index = have(cells), *other = have(cells);
    lattice_fill(lattice, &window, index);
    for (size_t d = 0; d < sizeof delta / sizeof delta[0]; d++) {
      struct window next = window;
      next.seed += delta[d];
      lattice_fill(lattice, &next, other);
      for (int move = -dims; move <= dims; move++) {
        int lag[4] = {0};
        char where[64];
        if (move != 0)
          lag[abs(move) - 1] = move < 0 ? -1 : 1;
        snprintf(where, sizeof where, "seed %#llx, delta %#llx", (unsigned long long)window.seed,
                 (unsigned long long)delta[d]);
        tally_pairs(&tally, lattice_choices(lattice, dims), index, other, &window, lag, 0, where);
      }
    }
    free(index);
    free(other);
  }
  return tally;
}

struct tally check_octaves(const struct lattice *lattice, int dims, size_t windows) {
  /* An octave, and an octave of this seed or of a later one, at cells scaled by so much. */
  static const struct {
    int octave, other;
    uint64_t delta;
    int64_t scale;
  } against[] = {{0, 1, 0, 1}, {0, 1, 0, 2}, {1, 2, 0, 2}, {0, 2, 0, 4}, {0, 3, 0, 8}, {2, 3, 0, 1},
                 {1, 0, 1, 1}, {2, 0, 2, 1}, {3, 0, 3, 1}, {1, 0, 1, 2}, {0, 1, 1, 2}, {0, 2, 1, 4},
                 {0, 0, 1, 2}, {0, 0, 2, 4}, {2, 1, 1, 1}, {3, 1, 1, 4}};
  enum { COUNT = sizeof against / sizeof against[0] };
  struct tally tally = tally_start();
  for (size_t i = 0; i < windows; i++) {
    struct window window = window_of(0x4F637461, i, dims);
    count_as(&window, WINDOW[dims - 1]);
    const size_t cells = window_cells(&window);
    uint8_t *index = have(cells), *other = have(cells);
    for (int c = 0; c < COUNT; c++) {
      window.octave = against[c].octave;
      lattice_fill(lattice, &window, index);
      for (int corner = 0; corner < 1 << dims; corner++) {
        struct window next = window;
        char where[64];
        next.seed += against[c].delta;
        next.octave = against[c].other;
        for (int a = 0; a < dims; a++) {
          next.first[a] = against[c].scale * window.first[a] + (corner >> a & 1);
          next.step[a] = against[c].scale;
        }
        lattice_fill(lattice, &next, other);
        snprintf(where, sizeof where, "seed %#llx, octave %d; seed + %d, octave %d, x%d, corner %d",
                 (unsigned long long)window.seed, against[c].octave, (int)against[c].delta,
                 against[c].other, (int)against[c].scale, corner);
        tally_pairs(&tally, lattice_choices(lattice, dims), index, other, &window, NO_LAG, 0,
                    where);
      }
    }
    free(index);
    free(other);
  }
  return tally;
}

/* ---- Spectra ---- */

struct tally check_planes_spectra(const struct lattice *lattice, int dims, size_t windows) {
  enum { PLANE = 512, QUANTILES = 16 };
  struct tally tally = tally_start();
  uint8_t *index = have(PLANE * PLANE);
  double complex *value = have(PLANE * PLANE * sizeof *value);
  for (size_t i = 0; i < windows; i++)
    for (int u = 0; u < dims; u++)
      for (int v = u + 1; v < dims; v++) {
        struct window window = window_of(0x53706563, i * 6 + (size_t)(u + v), dims);
        for (int a = 0; a < dims; a++)
          window.count[a] = a == u || a == v ? PLANE : 1;
        lattice_fill(lattice, &window, index);
        for (unsigned bit = 0; 1u << bit < lattice_choices(lattice, dims); bit++) {
          for (size_t c = 0; c < PLANE * PLANE; c++)
            value[c] = index[c] >> bit & 1 ? -1 : 1;
          fourier(value, PLANE, PLANE);
          /* A frequency and its negative have the same power, so half of them are looked at, but
           * for those that are their own negative. The power of white noise over its mean is
           * exponentially distributed, half a chi-square of 2 degrees. */
          double share[QUANTILES] = {0}, n = 0;
          for (size_t y = 0; y <= PLANE / 2; y++)
            for (size_t x = 0; x < PLANE; x++) {
              if (y % (PLANE / 2) == 0 && (x == 0 || x >= PLANE / 2))
                continue;
              const double complex f = value[y * PLANE + x];
              const double power = (creal(f) * creal(f) + cimag(f) * cimag(f)) / (PLANE * PLANE);
              share[(int)fmin(QUANTILES * exp(-power), QUANTILES - 1)]++;
              n++;
              tally_add_alone(&tally, 2 * power, 2, "seed %#llx, plane %c%c, bit %u, at %zu %zu",
                              (unsigned long long)window.seed, "xyzw"[u], "xyzw"[v], bit, x, y);
            }
          double uneven = 0;
          for (int q = 0; q < QUANTILES; q++)
            uneven += (share[q] - n / QUANTILES) * (share[q] - n / QUANTILES) * QUANTILES / n;
          /* One degree less for the total power, which is the same for all planes of signs. */
          tally_add(&tally, uneven, QUANTILES - 2, "seed %#llx, plane %c%c, bit %u, distribution",
                    (unsigned long long)window.seed, "xyzw"[u], "xyzw"[v], bit);
        }
      }
  free(index);
  free(value);
  return tally;
}

/* ---- Repeats ---- */

enum { LINE = 1 << 20, RUN = 64, SLOTS = 4 * LINE };

size_t count_repeats(const struct lattice *lattice, int dims, int axis, uint64_t seed,
                     int64_t where[2]) {
  struct window window = {.seed = seed, .dims = dims};
  for (int a = 0; a < dims; a++) {
    window.first[a] = (int64_t)split_mix(seed, (uint64_t)a) >> 40;
    window.step[a] = 1;
    window.count[a] = a == axis ? LINE + RUN - 1 : 1;
  }
  uint8_t *index = have(LINE + RUN - 1);
  lattice_fill(lattice, &window, index);
  /* Runs with equal digests are compared. The digest rolls: a polynomial in an odd number, with a
   * random word for each index. */
  const uint64_t base = UINT64_C(0xD1342543DE82EF95);
  uint64_t word[MAX_CHOICES], last = 1, digest = 0;
  for (int i = 0; i < MAX_CHOICES; i++)
    word[i] = split_mix(0x52756E73, (uint64_t)i);
  for (int i = 0; i < RUN; i++) {
    digest = digest * base + word[index[i]];
    last *= base;
  }
  uint32_t *slot = have(SLOTS * sizeof *slot);
  memset(slot, 0, SLOTS * sizeof *slot);
  uint64_t *digests = have(LINE * sizeof *digests);
  size_t repeats = 0;
  for (uint32_t i = 0; i < LINE; i++) {
    digests[i] = digest;
    uint64_t at = split_mix(digest, 0) % SLOTS;
    for (; slot[at]; at = (at + 1) % SLOTS) {
      const uint32_t other = slot[at] - 1;
      if (digests[other] == digest && memcmp(index + other, index + i, RUN) == 0) {
        if (repeats++ == 0) {
          where[0] = window.first[axis] + other;
          where[1] = window.first[axis] + i;
        }
        break;
      }
    }
    if (!slot[at])
      slot[at] = i + 1;
    if (i + 1 < LINE)
      digest = digest * base + word[index[i + RUN]] - last * word[index[i]];
  }
  free(digests);
  free(slot);
  free(index);
  return repeats;
}

/* clang-format off */
const struct hash_check HASH_CHECK[HASH_CHECKS] = {
    /*                              1D to 4D                  must fail       */
    [NEIGHBOURS] = {"neighbours", check_neighbours,
                                    {4000, 8000, 2000, 500},  &PERLIN_TABLE, 3, 1},
    [STRIDES] = {"strides", check_strides,
                                    {200, 60, 10, 3},         &ONE_MULTIPLY, 2, 4},
    [CORNERS] = {"corners", check_corners,
                                    {4000, 2000, 1000, 100},  &ADDED_PLANES, 3, 200},
    [SLICES] = {"slices", check_slices,
                                    {0, 1500, 120, 40},       &PRIMES_XOR, 2, 4},
    [SEEDS] = {"seeds", check_seeds,
                                    {400, 800, 150, 60},      &SHIFTED_SEEDS, 2, 1},
    [OCTAVES] = {"octaves", check_octaves,
                                    {100, 200, 20, 4},        &SHARED_STREAMS, 2, 1},
    [SPECTRA] = {"spectra", check_planes_spectra,
                                    {0, 400, 60, 20},         &PRIMES_XOR, 2, 1},
};
const struct hash_check LARGE_CHECK[HASH_CHECKS] = {
    [NEIGHBOURS] = {"neighbours", check_neighbours,
                                    {800, 1600, 400, 100},    &LOW_BITS, 2, 1},
    [STRIDES] = {"strides", check_strides,
                                    {50, 20, 6, 2},           &LOW_BITS, 2, 1},
    [CORNERS] = {"corners", check_corners,
                                    {1000, 1000, 500, 50},    &LOW_BITS, 2, 1},
    [SLICES] = {"slices", check_slices,
                                    {0, 300, 60, 20},         &LOW_BITS, 2, 1},
    [SEEDS] = {"seeds", check_seeds,
                                    {200, 200, 60, 20},       NULL, 0, 0},
    [OCTAVES] = {"octaves", check_octaves,
                                    {50, 60, 10, 2},          NULL, 0, 0},
    [SPECTRA] = {"spectra", check_planes_spectra,
                                    {0, 100, 20, 6},          NULL, 0, 0},
};
/* clang-format on */
