/* SPDX-License-Identifier: MIT
 *
 * Fills a map of 512 x 512 heights with six octaves of noise and prints every 64th height in
 * metres. The output is the same on every machine, to the last digit.
 */
#include <perlane.h>
#include <stdio.h>

enum { SIZE = 512, EVERY = 64 };

int main(void) {
  static float height[SIZE * SIZE];

  perlane_params params = perlane_params_default();
  params.seed = 2024;
  params.frequency = 1.0 / 200; /* hills are about 200 samples wide */
  params.octaves = 6;
  params.value_scale = 1000; /* -1000 to 1000 m */

  static perlane_noise noise;
  const perlane_grid grid = perlane_grid_make(SIZE, SIZE, 0, 0);
  perlane_status status = perlane_init(&noise, &params);
  if (status == PERLANE_OK)
    status = perlane_fill(&noise, &grid, height);
  if (status != PERLANE_OK) {
    fprintf(stderr, "minimal: %s\n", perlane_status_string(status));
    return 1;
  }

  for (int y = 0; y < SIZE; y += EVERY) {
    for (int x = 0; x < SIZE; x += EVERY)
      printf("%9.3f", (double)height[y * SIZE + x]);
    printf("\n");
  }
  return 0;
}
