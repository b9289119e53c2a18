/* SPDX-License-Identifier: MIT
 *
 * The options of pictures.
 */
#include "map/picture.h"

#include <float.h>
#include <math.h>

static int is_altitude(const struct cli_numbers *light) {
  return light->at[1].real <= 90;
}

static const char *palette_name(int palette) {
  return perlane_palette_name(palette);
}

static const struct cli_kind PALETTE = {.list = palette_name};
static const struct cli_kind LIGHT = {
    .expected = "an azimuth from 0 to 360 and an altitude from 0 to 90 with a comma between them, "
                "such as 315,45",
    .min_count = 2,
    .max_count = 2,
    .max.real = 360,
    .accepts = is_altitude};
static const struct cli_kind HEIGHT = {.expected = "a finite number of pixels such as 80, or auto",
                                       .none = "auto",
                                       .takes_none = 1,
                                       .max_count = 1,
                                       .min.real = -DBL_MAX,
                                       .max.real = DBL_MAX};
static const struct cli_kind WAY = {
    .names = (const struct cli_name[]){{"up", 0}, {"down", 1}, {NULL, 0}},
};

enum { OPTION_PALETTE, SHADE, LIGHT_FROM, RELIEF, NORMAL_MAP, STRENGTH, NORMAL_Y };

#define AT(member) offsetof(struct cli_picture, member)

static const struct cli_option PICTURE[] = {
    [OPTION_PALETTE] =
        {"palette", "NAME", &PALETTE, AT(palette), .heading = "Picture",
         .help =
             "The colours, 8 bits each. terrain: water from the low end of --range up to the "
             "value 0, and land from there up to snow at the high end; clouds: blue sky "
             "below and white above; grey: the map without colours; viridis and embers: dark to "
             "bright; the others are the looks' palettes. With --shade, land, meadow and desert "
             "show rock on steep ground."},
    [SHADE] =
        {"shade", NULL, &CLI_SWITCH, AT(shade),
         .help = "Lights the map as a surface whose heights are the values. Greys become lighter."},
    [LIGHT_FROM] =
        {"light", "AZIMUTH,ALTITUDE", &LIGHT, AT(light),
         .help = "The direction of --shade's light in degrees: clockwise from the top of the "
                 "picture, and above the horizon."},
    [RELIEF] = {"relief", "PIXELS", &HEIGHT, AT(relief),
                .help =
                    "The height of a value difference of 1 for --shade, in pixels. auto makes the "
                    "field's slopes 1 in 2 (root mean square), the same in all its tiles."},
    [NORMAL_MAP] =
        {"normal-map", NULL, &CLI_SWITCH, AT(normal_map),
         .help = "Writes the surface's normals in tangent space instead of values: red to the "
                 "right, green up, blue out of the picture. -1 becomes 0, and 1 becomes 255, or "
                 "65535 with 16 bits."},
    [STRENGTH] =
        {"normal-strength", "PIXELS", &HEIGHT, AT(normal_strength),
         .help = "The height of a value difference of 1 for --normal-map, in pixels; auto as with "
                 "--relief."},
    [NORMAL_Y] =
        {"normal-y", "WAY", &WAY, AT(normal_down),
         .help =
             "The direction of green in a normal map: up as in OpenGL, or down as in Direct3D."},
};

static const struct cli_picture DEFAULTS = {.light = {2, {{.real = 315}, {.real = 45}}}};

struct cli_group cli_picture_group(struct cli_picture *picture) {
  *picture = DEFAULTS;
  return CLI_GROUP_OF(PICTURE, picture, &DEFAULTS);
}

int cli_picture_wanted(const struct cli_picture *picture) {
  return picture->palette != 0 || picture->shade || picture->normal_map;
}

int cli_picture_check(const struct cli_group *group, int bits) {
  struct cli_picture *picture = group->values;
  int given[sizeof PICTURE / sizeof PICTURE[0]] = {0};
  for (size_t i = 0; i < group->count; i++)
    given[i] = cli_is_given(group, &group->option[i]);
  /* What is asked for takes the place of a saved picture of the other kind. */
  const int asks_normals = given[NORMAL_MAP] && picture->normal_map;
  const int asks_colours =
      (given[OPTION_PALETTE] && picture->palette != 0) || (given[SHADE] && picture->shade);
  if (asks_colours && !given[NORMAL_MAP])
    picture->normal_map = 0;
  if (asks_normals && !given[OPTION_PALETTE])
    picture->palette = 0;
  if (asks_normals && !given[SHADE])
    picture->shade = 0;
  const struct {
    size_t option, of;
    int on;
  } parts[] = {
      {LIGHT_FROM, SHADE, picture->shade},
      {RELIEF, SHADE, picture->shade},
      {STRENGTH, NORMAL_MAP, picture->normal_map},
      {NORMAL_Y, NORMAL_MAP, picture->normal_map},
  };
  if (picture->normal_map && picture->palette != 0)
    return cli_refuse("--normal-map and --palette exclude each other: the colours of a normal map "
                      "are directions");
  if (picture->normal_map && picture->shade)
    return cli_refuse("--normal-map and --shade exclude each other");
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (given[parts[i].option] && !parts[i].on)
      return cli_refuse("--%s has no effect without --%s", PICTURE[parts[i].option].name,
                        PICTURE[parts[i].of].name);
  if (bits == 16 && cli_picture_wanted(picture) && !picture->normal_map)
    return cli_refuse("--bits 16: colours have 8 bits; only the grey map and --normal-map have 16");
  return 0;
}

int cli_picture_prepare(perlane_picture_plan *plan, const struct cli_picture *picture,
                        const perlane_noise *noise, const perlane_grid *grid, float low, float high,
                        int bits) {
  const int is_map = picture->normal_map;
  const struct cli_numbers *height = is_map ? &picture->normal_strength : &picture->relief;
  const perlane_picture wanted = {
      .palette = picture->palette,
      .shade = picture->shade,
      .normal_map = is_map,
      .normal_down = picture->normal_down,
      .bits = bits,
      .low = low,
      .high = high,
      .azimuth = picture->light.at[0].real,
      .altitude = picture->light.at[1].real,
      .height = height->count == 0 ? NAN : height->at[0].real,
  };
  const size_t at_fault[] = {[PERLANE_PICTURE_SLOPES] = is_map ? NORMAL_MAP : SHADE,
                             [PERLANE_PICTURE_HEIGHT] = is_map ? STRENGTH : RELIEF};
  int part;
  const char *problem = perlane_picture_prepare(plan, &wanted, noise, grid, &part);
  return !problem ? 0
         : part == PERLANE_PICTURE_LEVELS
             ? cli_refuse("--range: %s", problem)
             : cli_refuse("--%s: %s", PICTURE[at_fault[part]].name, problem);
}
