/* SPDX-License-Identifier: MIT
 *
 * The options of pictures.
 */
#include "map/picture.h"

#include <float.h>

static int is_altitude(const struct cli_numbers *light) {
  return light->at[1].real <= 90;
}

static const struct cli_kind PALETTE = {.list = perlane_palette_name};
static const struct cli_kind LIGHT =
    CLI_NUMBERS("an azimuth from 0 to 360 and an altitude from 0 to 90 with a comma between them, "
                "such as 315,45",
                NULL, 2, 2, .max.real = 360, .accepts = is_altitude);
static const struct cli_kind HEIGHT =
    CLI_NUMBERS("a finite number of pixels such as 80, or auto", "auto", 0, 1, .takes_none = 1,
                CLI_REALS(DBL_MAX));
static const struct cli_kind NORMALS = {
    .names =
        (const struct cli_name[]){{"off", 0}, {"on", 1}, {"down", CLI_NORMALS_DOWN}, {NULL, 0}},
};

#define AT(member) offsetof(struct cli_picture, member)

static const struct cli_option PICTURE[] = {
    {"palette", "NAME", &PALETTE, AT(palette), .heading = "Picture",
     .help = "The colours, 8 bits each. terrain: water from the low end of --range up to the "
             "value 0, and land from there up to snow at the high end; clouds: blue sky "
             "below and white above; grey: the map without colours; viridis and embers: dark to "
             "bright; the others are the looks' palettes. With --shade, land, meadow and desert "
             "show rock on steep ground.",
     .needs = CLI_IS_IMAGE_FILE},
    {"shade", NULL, &CLI_SWITCH, AT(shade),
     .help = "Lights the map as a surface whose heights are the values. Without a --palette "
             "its greys are light, so that shadows show.",
     .needs = CLI_IS_IMAGE_FILE},
    {"light", "AZIMUTH,ALTITUDE", &LIGHT, AT(light),
     .help = "The direction of --shade's light in degrees: clockwise from the top of the "
             "picture, and above the horizon.",
     .needs = CLI_IS_SHADED},
    {"relief", "PIXELS", &HEIGHT, AT(relief),
     .help = "The height of a value difference of 1 for --shade and --normal-map, in pixels. auto "
             "makes the field's slopes 1 in 2 (root mean square), the same in all its tiles.",
     .needs = CLI_IS_SHADED | CLI_IS_NORMAL_MAP},
    {"normal-map", NULL, &NORMALS, AT(normal_map),
     .help = "Writes the surface's normals in tangent space instead of values: red to the "
             "right, green up as in OpenGL, or with =down as in Direct3D, blue out of the picture. "
             "-1 becomes 0, and 1 becomes 255, or 65535 with 16 bits.",
     .needs = CLI_IS_IMAGE_FILE},
};

const struct cli_picture CLI_NO_PICTURE = {.light = {2, {{.real = 315}, {.real = 45}}}};

void cli_add_picture_options(struct cli_command_line *line, struct cli_picture *picture,
                             int is_foreign) {
  *picture = CLI_NO_PICTURE;
  cli_add_options(line, PICTURE, CLI_COUNT(PICTURE), picture, &CLI_NO_PICTURE, is_foreign);
}

int cli_picture_wanted(const struct cli_picture *picture) {
  return picture->palette != 0 || picture->shade || picture->normal_map;
}

int cli_picture_choose(const struct cli_command_line *line, struct cli_picture *picture) {
  const enum cli_source normals = cli_source_of(line, "normal-map");
  const enum cli_source palette = cli_source_of(line, "palette");
  const enum cli_source shade = cli_source_of(line, "shade");
  int is_any = 0;
  for (size_t i = 0; i < CLI_COUNT(PICTURE); i++)
    is_any |= cli_is_given(line, PICTURE[i].name);
  if ((picture->palette != 0 && palette > normals) || (picture->shade && shade > normals))
    picture->normal_map = 0;
  if (picture->normal_map && palette < normals)
    picture->palette = 0;
  if (picture->normal_map && shade < normals)
    picture->shade = 0;
  return is_any;
}

perlane_picture cli_picture_describe(const struct cli_picture *options) {
  perlane_picture picture;
  (void)perlane_picture_init(&picture);
  picture.kind = options->normal_map == CLI_NORMALS_DOWN ? PERLANE_PICTURE_NORMALS_DOWN
                 : options->normal_map                   ? PERLANE_PICTURE_NORMALS
                 : options->shade                        ? PERLANE_PICTURE_SHADED
                                                         : PERLANE_PICTURE_COLOURS;
  picture.palette = options->palette;
  picture.azimuth = options->light.at[0].real;
  picture.altitude = options->light.at[1].real;
  if (options->relief.count > 0)
    picture.relief = options->relief.at[0].real;
  return picture;
}

int cli_picture_prepare(perlane_picture_plan *plan, const perlane_picture *picture,
                        const perlane_noise *noise, const perlane_grid *grid) {
  static const char *const AT_FAULT[PERLANE_PICTURE_KIND_COUNT] = {
      "palette", "shade", "normal-map", "normal-map", "mask", "mask"};
  const perlane_status status = perlane_picture_prepare(plan, picture, noise, grid);
  const int is_mask = picture->kind >= PERLANE_PICTURE_HEIGHT_MASK;
  const char *option = status == PERLANE_ERROR_LEVELS && !is_mask ? "range"
                       : status == PERLANE_ERROR_RELIEF           ? "relief"
                                                                  : AT_FAULT[picture->kind];
  return status == PERLANE_OK ? 0 : cli_refuse("--%s: %s", option, perlane_status_string(status));
}
