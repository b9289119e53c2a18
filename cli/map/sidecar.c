/* SPDX-License-Identifier: MIT */
#include "map/sidecar.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

const char *cli_sidecar_write(FILE *stream, const struct cli_map *map, float low, float high) {
  fputs("# ", stream);
  for (int a = 0; a < map->dims; a++)
    fprintf(stream, "%s%" PRIu64, a ? " x " : "", map->size[a]);
  if (map->bits == 32)
    fputs(" samples, x fastest: 32-bit floats, little-endian\n", stream);
  else
    fprintf(stream, " samples, x fastest: %d-bit unsigned integers%s; 0 is %.9g, %d is %.9g\n",
            map->bits, map->bits == 8 ? "" : ", little-endian", (double)low,
            map->bits == 8 ? 255 : 65535, (double)high);
  return fprintf(stream, "%s\n", map->params) < 0 || ferror(stream) ? strerror(errno) : NULL;
}

const char *cli_shape_write(FILE *stream, const struct cli_map *map) {
  const int written =
      fprintf(stream, "{\"width\": %" PRIu64 ", \"height\": %" PRIu64 ", \"bpp\": %d}\n",
              map->size[0], map->size[1], map->bits);
  return written < 0 ? strerror(errno) : NULL;
}
