/* SPDX-License-Identifier: MIT
 *
 * --look: a field of the library's table, and the picture of it that the table describes.
 */
#include <math.h>
#include <string.h>

#include "map/plan.h"

static const char *look_name(int index) {
  const perlane_look_record *look = perlane_look_at(index);
  return look ? look->name : NULL;
}

const struct cli_kind CLI_LOOK = {.list = look_name};

/* Widths of the whole map along x and y, as far as the options of a command line say by now. A map
 * with an odd number of samples, which engines import, has samples at both its borders: 513 are
 * every second one of 1025. */
static void measure(const struct cli_map_options *map, double side[2]) {
  const struct cli_numbers *size = &map->size;
  const struct cli_tiles tiles = cli_map_tiles(map);
  int64_t usual[2];
  cli_engine_usual_size(cli_engine_at(map->engine), &tiles, usual);
  for (int a = 0; a < 2; a++) {
    side[a] = (double)(size->count > 0 ? size->at[size->count > 1 ? a : 0].whole : usual[a]);
    side[a] = (double)tiles.count[a] * (side[a] - (double)tiles.overlap) + (double)tiles.overlap;
    side[a] = fmax(side[a], 1); /* other sizes are refused later */
    if (fmod(side[a], 2) == 1 && side[a] > 1)
      side[a]--;
  }
}

/* Makes the options of a look, whose lengths in samples become units of position, from the map's
 * origin on. The falloff of a square map becomes one as long as the map's shorter side; one around
 * a place beyond the map is a slope, which stays. Returns the map's width, 0 if there is no such
 * look. */
static double place(perlane_params *params, const char *name, const struct cli_map_options *map) {
  double side[2];
  measure(map, side);
  if (perlane_look(params, name, side[0]) != PERLANE_OK)
    return 0;
  const int is_inside = params->falloff_y >= 0 && params->falloff_y <= side[0];
  const double unit = fabs(cli_map_step(map, 0)), ratio = is_inside ? side[1] / side[0] : 1;
  params->frequency /= unit;
  if (params->warp_amplitude != 0) {
    params->warp_frequency /= unit;
    params->warp_amplitude *= unit;
  }
  if (params->falloff == 0)
    return side[0];
  params->falloff_start *= fmin(ratio, 1) * unit;
  params->falloff_end *= fmin(ratio, 1) * unit;
  params->falloff_x = map->origin.at[0].real + params->falloff_x * cli_map_step(map, 0);
  params->falloff_y = map->origin.at[1].real + params->falloff_y * ratio * cli_map_step(map, 1);
  return side[0];
}

int cli_field_look(const struct cli_field *field, const char *name, perlane_params *params) {
  const void *request = (const char *)field - offsetof(struct cli_request, field);
  return place(params, name, &((const struct cli_request *)request)->map) > 0;
}

int cli_apply_look(struct cli_command_line *line, void *values, char *text) {
  struct cli_map_options *map = values;
  struct cli_request *request =
      (struct cli_request *)((char *)values - offsetof(struct cli_request, map));
  struct cli_picture *picture = &request->picture;
  struct cli_field *field = &request->field;
  const perlane_look_record *look = perlane_look_find(text);
  (void)line;
  const double width = look ? place(&field->params, text, map) : 0;
  if (!look || width == 0)
    return CLI_WRONG;
  memset(field->tables.text, 0, sizeof field->tables.text); /* a look has none */
  picture->palette = look->palette;
  picture->shade = look->relief > 0;
  picture->relief = (struct cli_numbers){1, {{.real = look->relief * width}}};
  picture->light = (struct cli_numbers){2, {{.real = look->azimuth}, {.real = look->altitude}}};
  map->range = (struct cli_numbers){.count = CLI_OTHER};
  map->natural_spacing = look->width / width;
  map->natural_height = look->height;
  return 0;
}
