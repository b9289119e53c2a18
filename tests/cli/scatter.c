/* SPDX-License-Identifier: MIT
 *
 * Prints what perlane_scatter finds, bit for bit: scatter_points FIELD AXES LOW... HIGH...
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "perlane_text.h"

enum { ROOM = 1 << 20, AXES = 3 };

int main(int argc, char **argv) {
  static perlane_noise noise;
  static double x[AXES][ROOM], corner[2 * AXES];
  static uint32_t id[ROOM];
  static float number[ROOM];
  double *const position[AXES] = {x[0], x[1], x[2]};
  uint64_t count;
  const int dims = argc > 2 ? atoi(argv[2]) : 0;
  for (int i = 3; i < argc; i++)
    corner[i - 3] = strtod(argv[i], NULL);
  if (argc != 3 + 2 * dims || perlane_init_text(&noise, argv[1]) != PERLANE_OK ||
      perlane_scatter(&noise, dims, corner, corner + dims, ROOM, position, id, number, &count) !=
          PERLANE_OK ||
      count > ROOM)
    return 1;
  for (uint64_t i = 0; i < count; i++) {
    for (int a = 0; a < dims; a++)
      printf("%a,", x[a][i]);
    printf("%" PRIx32 ",%a\n", id[i], (double)number[i]);
  }
  return 0;
}
