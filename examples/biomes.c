/* SPDX-License-Identifier: MIT
 *
 * Biomes: regions of cellular noise, each with one climate. The climate of a region is that of its
 * point: temperature and moisture are evaluated there. Towards the border it gives way to the
 * climate of the place itself, which is the same on both sides, so that neighbours blend.
 * `biomes FILE.ppm` also writes the map as a picture.
 */
#include <math.h>
#include <perlane_text.h>
#include <stdint.h>
#include <stdio.h>

enum { WIDTH = 720, HEIGHT = 432, SAMPLES = WIDTH * HEIGHT };

/* A climate, of the place or of its region. */
struct climate {
  float temperature[SAMPLES], moisture[SAMPLES];
};

static uint32_t id[SAMPLES];
static float offset[2][SAMPLES], edge[SAMPLES], height[SAMPLES], slope[2][SAMPLES];
static struct climate of_place, of_region;

static perlane_noise make(const char *options) {
  perlane_noise noise;
  if (perlane_init_text(&noise, options) != PERLANE_OK)
    noise.ready = 0; /* fills will refuse it */
  return noise;
}

#define REGIONS                                                                                    \
  "seed=11 basis=cellular frequency=0.017 normalize=none warp_amplitude=26 warp_frequency=0.012 "  \
  "warp_octaves=5"

static int fill_map(void) {
  static float x[SAMPLES], y[SAMPLES];
  const perlane_grid grid = perlane_grid_make(WIDTH, HEIGHT, 0, 0);
  const perlane_noise regions = make(REGIONS), borders = make(REGIONS " cell_output=edge");
  const perlane_noise temperature = make("seed=4 frequency=0.0045 octaves=2 normalize=spread");
  const perlane_noise moisture = make("seed=5 frequency=0.0055 octaves=2 normalize=spread");
  const perlane_noise land = make("seed=23 frequency=0.004 octaves=8 gain=0.46 normalize=spread "
                                  "gradients=sphere");
  const perlane_cells cells = {.id = id, .offset = {offset[0], offset[1]}};
  float *const slopes[] = {slope[0], slope[1]};
  if (perlane_fill_cells(&regions, &grid, &cells) != PERLANE_OK ||
      perlane_fill(&borders, &grid, edge) != PERLANE_OK ||
      perlane_fill(&temperature, &grid, of_place.temperature) != PERLANE_OK ||
      perlane_fill(&moisture, &grid, of_place.moisture) != PERLANE_OK ||
      perlane_fill_gradient(&land, &grid, height, slopes) != PERLANE_OK)
    return 0;
  for (int i = 0; i < SAMPLES; i++) {
    const int column = i % WIDTH, row = i / WIDTH;
    x[i] = (float)column + offset[0][i];
    y[i] = (float)row + offset[1][i];
  }
  const perlane_list points = {.dims = 2, .count = SAMPLES, .coords = {x, y}};
  return perlane_points(&temperature, &points, of_region.temperature, NULL) == PERLANE_OK &&
         perlane_points(&moisture, &points, of_region.moisture, NULL) == PERLANE_OK;
}

/* Checks that neighbouring samples with the same id have the same climate, within the rounding of
 * the point's position. Returns 1 if they do. */
static int check(void) {
  float within = 0, across = 0;
  for (int i = 0; i + 1 < SAMPLES; i++) {
    const float step = fabsf(of_region.temperature[i + 1] - of_region.temperature[i]);
    if (id[i] == id[i + 1])
      within = fmaxf(within, step);
    else
      across = fmaxf(across, step);
  }
  printf("temperature differs by %.1g within regions, by up to %.1f between neighbours\n",
         (double)within, (double)across);
  return within < 1e-5F && across > 0.1F;
}

static float mix(float a, float b, float weight) {
  return a + (b - a) * weight;
}

static float smooth(float low, float high, float v) {
  const float t = fminf(fmaxf((v - low) / (high - low), 0), 1);
  return t * t * (3 - 2 * t);
}

/* Sets the colour of a climate: dry to wet from left to right, cold to hot from top to bottom. */
static void colour_of(float temperature, float moisture, float rgb[3]) {
  static const float palette[3][3][3] = {
      {{176, 182, 176}, {214, 222, 224}, {236, 242, 246}},
      {{196, 178, 112}, {128, 158, 84}, {62, 112, 78}},
      {{228, 198, 138}, {178, 164, 82}, {48, 120, 62}},
  };
  const float x = smooth(-1, 1, moisture * 1.4F) * 1.999F;
  const float y = smooth(-1, 1, temperature * 1.4F + 0.12F) * 1.999F;
  const int i = (int)x, j = (int)y;
  for (int c = 0; c < 3; c++)
    rgb[c] = mix(mix(palette[j][i][c], palette[j][i + 1][c], x - (float)i),
                 mix(palette[j + 1][i][c], palette[j + 1][i + 1][c], x - (float)i), y - (float)j);
}

static void paint(int i, float rgb[3]) {
  const float inside = smooth(0, 0.11F, edge[i]), sea = -0.12F;
  const float tint = ((float)(id[i] >> 8) * 0x1p-24F - 0.5F) * 0.11F * inside;
  const float depth = (sea - height[i]) * 1.6F;
  colour_of(mix(of_place.temperature[i], of_region.temperature[i], inside),
            mix(of_place.moisture[i], of_region.moisture[i], inside), rgb);
  const float dx = slope[0][i] * 17, dy = slope[1][i] * 17; /* light from the north-west */
  float light = (1 + 0.75F * (dx + dy)) / sqrtf(1 + dx * dx + dy * dy);
  light = fminf(fmaxf(light, 0.4F), 1.25F) * (1 + tint) * (0.88F + 0.12F * inside);
  for (int c = 0; c < 3; c++) {
    static const float shallow[3] = {104, 168, 178}, deep[3] = {28, 62, 104};
    const float water = mix(shallow[c], deep[c], smooth(0, 0.75F, depth));
    const float shore = smooth(0, 0.012F, depth);
    rgb[c] = fminf(fmaxf(mix(rgb[c] * light, water * mix(1, light, 0.12F), shore), 0), 255);
  }
}

static int write_picture(const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file) {
    perror(path);
    return 0;
  }
  fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
  for (int i = 0; i < SAMPLES; i++) {
    float rgb[3];
    paint(i, rgb);
    for (int c = 0; c < 3; c++)
      fputc((int)(rgb[c] + 0.5F), file);
  }
  const int failed = ferror(file);
  if (fclose(file) != 0 || failed) {
    fprintf(stderr, "%s: write error\n", path);
    return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (!fill_map()) {
    fprintf(stderr, "the map cannot be filled\n");
    return 1;
  }
  if (!check())
    return 1;
  return argc > 1 && !write_picture(argv[1]);
}
