/* SPDX-License-Identifier: MIT
 *
 * A planet: heights on a sphere, as a map of longitude and latitude. 3D noise is evaluated at
 * points of the sphere, so the left and right edges of the map match, and features keep their size
 * at the poles. `planet FILE.pgm` also writes the map as a picture.
 */
#include <math.h>
#include <perlane.h>
#include <stdio.h>

/* Column WIDTH is at the same longitude as column 0 and only serves to check the seam. The first
 * and the last row are the poles. */
enum { WIDTH = 720, COLUMNS = WIDTH + 1, ROWS = WIDTH / 2 + 1 };

static float height[ROWS][COLUMNS];

static perlane_status fill_row(const perlane_noise *noise, int row) {
  static float x[COLUMNS], y[COLUMNS], z[COLUMNS];
  const double pi = acos(-1), latitude = pi * ((double)row / (ROWS - 1) - 0.5);
  for (int column = 0; column < COLUMNS; column++) {
    const double longitude = 2 * pi * column / WIDTH;
    x[column] = (float)(cos(latitude) * cos(longitude));
    y[column] = (float)(cos(latitude) * sin(longitude));
    z[column] = (float)sin(latitude);
  }
  const perlane_list list = {.dims = 3, .count = COLUMNS, .coords = {x, y, z}};
  return perlane_points(noise, &list, height[row], NULL);
}

static float largest_step_down(int row) {
  float largest = 0;
  for (int column = 0; column < WIDTH; column++)
    largest = fmaxf(largest, fabsf(height[row + 1][column] - height[row][column]));
  return largest;
}

/* Checks the seam and the poles, within the rounding of cos and sin. Returns 1 if they are right.
 */
static int check(void) {
  float seam = 0, poles = 0, near_poles = 0, elsewhere = 0;
  for (int row = 0; row < ROWS; row++)
    seam = fmaxf(seam, fabsf(height[row][WIDTH] - height[row][0]));
  for (int column = 1; column < WIDTH; column++) {
    poles = fmaxf(poles, fabsf(height[0][column] - height[0][0]));
    poles = fmaxf(poles, fabsf(height[ROWS - 1][column] - height[ROWS - 1][0]));
  }
  for (int row = 0; row + 1 < ROWS; row++) {
    const float step = largest_step_down(row);
    if (row < ROWS / 20 || row >= ROWS - ROWS / 20)
      near_poles = fmaxf(near_poles, step);
    else
      elsewhere = fmaxf(elsewhere, step);
  }
  printf("left and right edge differ by %.1g, heights at a pole by %.1g;\n"
         "the steepest step from row to row is %.3f near the poles, %.3f elsewhere\n",
         (double)seam, (double)poles, (double)near_poles, (double)elsewhere);
  return seam < 1e-5F && poles < 1e-5F && near_poles < 1.5F * elsewhere;
}

static int write_picture(const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file) {
    perror(path);
    return 0;
  }
  fprintf(file, "P5\n%d %d\n255\n", WIDTH, ROWS);
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < WIDTH; column++)
      fputc((int)lrintf((height[row][column] + 1) * 127.5F), file);
  const int failed = ferror(file);
  if (fclose(file) != 0 || failed) {
    fprintf(stderr, "%s: write error\n", path);
    return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  perlane_params params = perlane_params_default();
  params.frequency = 2; /* the sphere's radius is 1: four cells from pole to pole */
  params.octaves = 8;
  static perlane_noise noise;
  perlane_status status = perlane_init(&noise, &params);
  for (int row = 0; row < ROWS && status == PERLANE_OK; row++)
    status = fill_row(&noise, row);
  if (status != PERLANE_OK) {
    fprintf(stderr, "planet: %s\n", perlane_status_string(status));
    return 1;
  }
  if (!check()) {
    fprintf(stderr, "planet: a seam or a pole is visible\n");
    return 1;
  }
  return argc > 1 && !write_picture(argv[1]);
}
