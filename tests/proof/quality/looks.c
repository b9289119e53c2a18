/* SPDX-License-Identifier: MIT
 *
 * perlane_look_quality: measures the looks of land, as a table in Markdown, in a minute of one
 * core. Ends with 1 if a look is worse than its limit. With a file of floats it measures the basins
 * and axes of real land.
 *
 * - Basins: the part of the land that lies in closed depressions, below the lowest way to the
 *   map's border or to the sea. Real land has valleys instead.
 * - Flat: the largest number of samples at one end of a map's range, where a curve has ended.
 * - Axes: slopes nearer to an axis than to a diagonal, over half of them all, less 1.
 * - Levels: the part of the 2^16 levels that a map of 2048 x 2048 samples uses. The others are
 *   those of a single summit or pit.
 */
#include <math.h>
#include <perlane.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 256, MEDIUM = 512, LARGE = 2048, SEEDS = 24, FLOODED = 8, FULL = 3, LEVELS = 65536 };
static const double MAX_FLAT = 20, MAX_AXES = 0.06, MIN_LEVELS = 0.95;

/* Looks of land. What keeps basins above 0: an octave of gullies knows the slope of the land below
 * it but not where the beds of coarser octaves are, and dams some of them. The deeper gullies are,
 * the more: hence the higher limits of looks that are mostly gullies. */
static const struct land {
  const char *name;
  int has_sea; /* water is below 0 */
  double max_basins;
  int has_no_direction; /* slopes have no direction of their own */
} LANDS[] = {
    {"mountains", 1, 0.1, 1}, {"alps", 0, 0.1, 1},      {"hills", 0, 0.1, 1},
    {"valleys", 0, 0.15, 0},  {"island", 1, 0.1, 1},    {"archipelago", 1, 0.1, 1},
    {"fjords", 1, 0.1, 1},    {"volcano", 1, 0.1, 1},   {"canyon", 0, 0.1, 1},
    {"mesas", 0, 0.1, 1},     {"badlands", 0, 0.15, 1}, {"dunes", 0, 0.1, 0},
    {"planet", 1, 0.15, 1},
};

static void stop(const char *problem) {
  fprintf(stderr, "perlane_look_quality: %s\n", problem);
  exit(2);
}

/* Fills a square map of a look. */
static void fill(float *height, const char *look, int seed, size_t side) {
  static perlane_noise noise;
  perlane_params params;
  const perlane_grid grid = perlane_grid_make(side, side, 0, 0);
  perlane_status status = perlane_look(&params, look, (double)side);
  params.seed = (uint64_t)seed;
  if (status == PERLANE_OK)
    status = perlane_init(&noise, &params);
  if (status == PERLANE_OK)
    status = perlane_fill(&noise, &grid, height);
  if (status != PERLANE_OK)
    stop(perlane_status_string(status));
}

/* ---- Basins ---- */

/* A priority queue of samples, the lowest first. Water of `height` stands at the sample. */
struct waters {
  struct water {
    float height;
    size_t at;
  } * water;
  size_t count;
};

static void push(struct waters *queue, float height, size_t at) {
  size_t i = queue->count++;
  for (; i > 0 && queue->water[(i - 1) / 2].height > height; i = (i - 1) / 2)
    queue->water[i] = queue->water[(i - 1) / 2];
  queue->water[i] = (struct water){height, at};
}

static struct water pop(struct waters *queue) {
  const struct water lowest = queue->water[0], last = queue->water[--queue->count];
  size_t i = 0;
  for (size_t next; (next = 2 * i + 1) < queue->count; i = next) {
    next += next + 1 < queue->count && queue->water[next + 1].height < queue->water[next].height;
    if (queue->water[next].height >= last.height)
      break;
    queue->water[i] = queue->water[next];
  }
  queue->water[i] = last;
  return lowest;
}

/* Floods the land from the border and the sea (Barnes, Lehman and Mulla 2014): returns the part of
 * it that ends up under water. */
static double basins_of(const float *height, size_t side, int has_sea) {
  static unsigned char seen[MEDIUM * MEDIUM];
  static struct water water[MEDIUM * MEDIUM];
  struct waters queue = {water, 0};
  size_t land = 0, flooded = 0;
  for (size_t i = 0; i < side * side; i++) {
    const size_t x = i % side, y = i / side;
    const int is_sea = has_sea && height[i] <= 0;
    seen[i] = is_sea || x == 0 || y == 0 || x == side - 1 || y == side - 1;
    if (seen[i])
      push(&queue, height[i], i);
    land += !is_sea;
  }
  while (queue.count > 0) {
    const struct water from = pop(&queue);
    const size_t x = from.at % side, y = from.at / side;
    for (size_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < side; v++)
      for (size_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < side; u++) {
        const size_t to = v * side + u;
        if (seen[to])
          continue;
        seen[to] = 1;
        flooded += height[to] < from.height;
        push(&queue, fmaxf(height[to], from.height), to);
      }
  }
  return (double)flooded / (double)land;
}

/* ---- Values and slopes ---- */

static void range_of(const float *height, size_t count, float *low, float *high) {
  *low = *high = height[0];
  for (size_t i = 1; i < count; i++) {
    *low = fminf(*low, height[i]);
    *high = fmaxf(*high, height[i]);
  }
}

static double flat_of(const float *height, size_t count) {
  float low, high;
  size_t at_low = 0, at_high = 0;
  range_of(height, count, &low, &high);
  for (size_t i = 0; i < count; i++) {
    at_low += height[i] == low;
    at_high += height[i] == high;
  }
  return fmax((double)at_low, (double)at_high);
}

static double levels_of(const float *height, size_t count) {
  static unsigned char is_used[LEVELS];
  float low, high;
  size_t used = 0;
  range_of(height, count, &low, &high);
  memset(is_used, 0, sizeof is_used);
  for (size_t i = 0; i < count; i++)
    is_used[lrintf((height[i] - low) / (high - low) * (LEVELS - 1))] = 1;
  for (size_t i = 0; i < LEVELS; i++)
    used += is_used[i];
  return (double)used / LEVELS;
}

/* Counts slopes, and those nearer to an axis than to a diagonal. */
static void count_directions(const float *height, size_t side, double *slopes, double *axes) {
  const float tangent = 0.41421356F; /* of 22.5 degrees */
  for (size_t y = 1; y + 1 < side; y++)
    for (size_t x = 1; x + 1 < side; x++) {
      const float *at = height + y * side + x;
      const float dx = fabsf(at[1] - at[-1]), dy = fabsf(at[side] - at[-(ptrdiff_t)side]);
      *slopes += dx > 0 || dy > 0;
      *axes += (dx > 0 || dy > 0) && fminf(dx, dy) < tangent * fmaxf(dx, dy);
    }
}

/* Prints a number, in bold if it is bad. Returns whether it is. */
static int cell(const char *format, double value, int is_bad) {
  printf(is_bad ? " **" : " ");
  printf(format, value);
  printf(is_bad ? "** |" : " |");
  return is_bad;
}

static int measure(const struct land *land) {
  static float height[LARGE * LARGE];
  double basins = 0, flat = 0, slopes = 0, axes = 0, levels = 0;
  for (int seed = 1; seed <= FLOODED; seed++) {
    fill(height, land->name, seed, MEDIUM);
    basins += basins_of(height, MEDIUM, land->has_sea) / FLOODED;
  }
  for (int seed = 1; seed <= SEEDS; seed++) {
    fill(height, land->name, seed, SMALL);
    flat = fmax(flat, flat_of(height, SMALL * SMALL));
    count_directions(height, SMALL, &slopes, &axes);
  }
  for (int seed = 1; seed <= FULL; seed++) {
    fill(height, land->name, seed, LARGE);
    levels += levels_of(height, LARGE * LARGE) / FULL;
  }
  const double bias = axes / slopes / 0.5 - 1;
  printf("| %s |", land->name);
  int is_bad = cell("%.1f %%", 100 * basins, basins > land->max_basins);
  is_bad |= cell("%.0f", flat, flat >= MAX_FLAT);
  is_bad |= cell("%+.1f %%", 100 * bias, land->has_no_direction && fabs(bias) > MAX_AXES);
  is_bad |= cell("%.1f %%", 100 * levels, levels < MIN_LEVELS);
  printf("\n");
  fflush(stdout);
  return is_bad;
}

/* Measures real land, a square map of at most MEDIUM x MEDIUM floats in a file. */
static int measure_file(const char *name) {
  static float height[MEDIUM * MEDIUM];
  FILE *file = fopen(name, "rb");
  if (!file)
    stop("cannot read the file");
  const size_t count = fread(height, sizeof *height, MEDIUM * MEDIUM, file);
  const int is_longer = fgetc(file) != EOF;
  fclose(file);
  const size_t side = (size_t)(sqrt((double)count) + 0.5);
  if (is_longer || side < 3 || side * side != count)
    stop("the file is not a square of floats, of 3 to 512 on each side");
  double slopes = 0, axes = 0;
  count_directions(height, side, &slopes, &axes);
  printf("| %s | %.1f %% | %+.1f %% |\n", name, 100 * basins_of(height, side, 0),
         100 * (axes / slopes / 0.5 - 1));
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return measure_file(argv[1]);
  int is_bad = 0;
  printf("| look | basins | flat | axes | levels |\n|---|---:|---:|---:|---:|\n");
  for (size_t i = 0; i < sizeof LANDS / sizeof LANDS[0]; i++)
    is_bad |= measure(&LANDS[i]);
  return is_bad;
}
