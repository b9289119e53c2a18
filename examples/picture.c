/* SPDX-License-Identifier: MIT
 *
 * A look as a picture, and a mask of its steep ground: `picture alps.ppm` also writes the picture.
 */
#include <perlane_picture.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 256 };

static unsigned char pixels[SIZE * SIZE][3], rock[SIZE * SIZE];

/* Fills a grid with the pixels of a picture. */
static perlane_status draw(const perlane_picture *picture, const perlane_noise *noise,
                           const perlane_grid *grid, void *out) {
  static perlane_picture_plan plan;
  perlane_status status = perlane_picture_prepare(&plan, picture, noise, grid);
  if (status != PERLANE_OK)
    return status;
  float *scratch = malloc(perlane_picture_scratch(&plan, grid) * sizeof *scratch);
  status = scratch ? perlane_picture_fill(&plan, noise, grid, scratch, out) : PERLANE_ERROR_COUNT;
  free(scratch);
  return status;
}

int main(int argc, char **argv) {
  static perlane_noise noise;
  const perlane_grid grid = perlane_grid_make(SIZE, SIZE, 0, 0);
  const perlane_look_record *alps = perlane_look_find("alps");
  perlane_params params;
  perlane_picture picture;
  perlane_status status = perlane_look(&params, alps->name, SIZE);
  if (status == PERLANE_OK)
    status = perlane_picture_look(&picture, alps->name, SIZE);
  if (status == PERLANE_OK)
    status = perlane_init(&noise, &params);
  if (status == PERLANE_OK)
    status = draw(&picture, &noise, &grid, pixels);

  picture.kind = PERLANE_PICTURE_SLOPE_MASK; /* from 20 degrees some rock, from 30 only rock */
  picture.low = 20;
  picture.high = 30;
  for (int a = 0; a < 2; a++) /* the field's values are up to 1 in so many metres */
    picture.spacing[a] = alps->width / SIZE / alps->height;
  if (status == PERLANE_OK)
    status = draw(&picture, &noise, &grid, rock);
  if (status != PERLANE_OK) {
    fprintf(stderr, "picture: %s\n", perlane_status_string(status));
    return 1;
  }

  int steep = 0;
  for (int i = 0; i < SIZE * SIZE; i++)
    steep += rock[i] == 255;
  printf("%d %% of the alps are steeper than 30 degrees\n", steep * 100 / (SIZE * SIZE));
  FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;
  if (file) {
    fprintf(file, "P6 %d %d 255\n", SIZE, SIZE);
    fwrite(pixels, sizeof pixels, 1, file);
    fclose(file);
  }
  return steep > 0 ? 0 : 1;
}
