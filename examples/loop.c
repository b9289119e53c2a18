/* SPDX-License-Identifier: MIT
 *
 * An animation that repeats without a jump, by two methods. In 4D, time follows a circle in z and
 * w, for any length and frequency. In 3D, the field itself repeats along z after a whole number of
 * cells (`period`): this is half the work, and the frame after the last has the bits of the first.
 */
#include <math.h>
#include <perlane.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 128, HEIGHT = 96, FRAMES = 64 };
typedef float frame[HEIGHT][WIDTH];

static const double FREQUENCY = 1.0 / 32;

static perlane_params cloud_params(void) {
  perlane_params params = perlane_params_default();
  params.frequency = FREQUENCY;
  params.octaves = 4;
  return params;
}

/* Makes a frame on a circle whose circumference is four cells. The axes z and w have one sample
 * each, whose position is their origin. */
static perlane_status circle_frame(int number, frame out) {
  perlane_params params = cloud_params();
  const double turn = 2 * acos(-1), radius = 4 / FREQUENCY / turn;
  static perlane_noise noise;
  perlane_grid grid = perlane_grid_make(WIDTH, HEIGHT, 1, 1);
  grid.origin[2] = radius * cos(turn * number / FRAMES);
  grid.origin[3] = radius * sin(turn * number / FRAMES);
  const perlane_status status = perlane_init(&noise, &params);
  return status ? status : perlane_fill(&noise, &grid, &out[0][0]);
}

/* Makes a frame of a field that repeats every four cells along z, which is FRAMES steps. Later
 * octaves repeat every 8, 16 and 32 cells: with a lacunarity of 2, every period is whole. */
static perlane_status period_frame(int number, frame out) {
  perlane_params params = cloud_params();
  params.period[2] = 4;
  static perlane_noise noise;
  perlane_grid grid = perlane_grid_make(WIDTH, HEIGHT, 1, 0);
  grid.step[2] = 4 / FREQUENCY / FRAMES;
  grid.first[2] = number;
  const perlane_status status = perlane_init(&noise, &params);
  return status ? status : perlane_fill(&noise, &grid, &out[0][0]);
}

static float largest_difference(frame a, frame b) {
  float largest = 0;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      largest = fmaxf(largest, fabsf(a[y][x] - b[y][x]));
  return largest;
}

/* Makes all frames and the one after the last, which should equal the first. */
static int play(const char *name, perlane_status (*make)(int, frame), float tolerance) {
  static frame first, before, now;
  float smallest = 2, largest = 0;
  perlane_status status = make(0, first);
  memcpy(before, first, sizeof before);
  for (int number = 1; number <= FRAMES && status == PERLANE_OK; number++) {
    status = make(number, now);
    const float change = largest_difference(before, now);
    smallest = fminf(smallest, change);
    largest = fmaxf(largest, change);
    memcpy(before, now, sizeof before);
  }
  if (status != PERLANE_OK) {
    fprintf(stderr, "loop: %s\n", perlane_status_string(status));
    return 1;
  }
  const float jump = largest_difference(first, now);
  printf("%s: a frame changes by up to %.3f to %.3f; the loop closes within %.1g\n", name,
         (double)smallest, (double)largest, (double)jump);
  if (jump > tolerance || largest > 3 * smallest) {
    fprintf(stderr, "loop: %s: the animation jumps\n", name);
    return 1;
  }
  return 0;
}

int main(void) {
  /* cos and sin of a full turn are not exactly those of 0. */
  return play("circle", circle_frame, 1e-5F) | play("period", period_frame, 0);
}
