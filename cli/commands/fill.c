/* SPDX-License-Identifier: MIT
 *
 * perlane fill: a map of a field in a file, of any size.
 */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"

static const struct cli_command FILL = {
    .name = "fill",
    .synopsis = "-o FILE [OPTION]...",
    .about = "Writes a map of a field: one sample per unit of position, x to the right, y\n"
             "down. The suffix of FILE selects the format:\n"
             "  .png         grey image of 8 or 16 bits\n"
             "  .tif .tiff   the same, or floats; tiled, of any size (BigTIFF)\n"
             "  .r16 .raw    16-bit integers, little-endian, no header\n"
             "  .r32         32-bit floats, little-endian, no header\n"
             "  .exr         OpenEXR with one channel of floats, Y\n"
             "  .npy         a NumPy array of floats or integers\n"
             "Images have two axes; .r16, .r32, .raw and .npy take 1 to 4. --format overrides\n"
             "the suffix.\n"
             "\n"
             "If a run with --tiles ends early, complete tiles stay, and the same command\n"
             "writes the rest; 'perlane verify' checks all. Tiles that are there already, made\n"
             "with other options, are refused.\n"
             "\n"
             "FILE may be - for the standard output, a fifo or a device such as /dev/null. All\n"
             "formats but TIFF can be written there; the default is raw.\n"
             "\n"
             "Floats are the field's values. An integer is (v - LOW)/(HIGH - LOW) * 65535 for\n"
             "a value v, or * 255 with 8 bits, rounded to nearest, ties to even, and clamped;\n"
             "--range sets LOW and HIGH. A line on stderr reports the time taken.",
    .examples = "An island; 'perlane looks' lists other looks.\n"
                "  $ perlane fill -o island.png --look island --size 2k\n"
                "Terrain: hills 1/0.002 = 500 samples wide, with 8 octaves of detail.\n"
                "  $ perlane fill -o map.png --size 2k --frequency 0.002 --octaves 8\n"
                "The tile of that map at column 512 and row 256, with the same samples.\n"
                "  $ perlane fill -o tile.png --params-of map.png --size 256 --first 512,256\n"
                "The same map in 4 times as many samples along each axis.\n"
                "  $ perlane fill -o large.png --params-of map.png --scale 4\n"
                "The same map as a picture: coloured by height, and shaded.\n"
                "  $ perlane fill -o picture.png --params-of map.png --palette terrain --shade\n"
                "A terrain that Unity imports, from a line of options.\n"
                "  $ perlane fill -o terrain --for unity --field \"octaves=8 frequency=0.002\"\n"
                "Mountains for Unreal, as they are in nature, and a mask of their rock.\n"
                "  $ perlane fill -o mountains --for unreal --look mountains\n"
                "  $ perlane fill -o rock --for unreal --look mountains --mask slope=35..45\n"
                "Heights in metres, in the coordinates of UTM zone 33N, 10 m from pixel to pixel.\n"
                "  $ perlane fill -o dem.tif --look alps --heights 400,3200 --crs EPSG:32633 \\\n"
                "    --origin 500000,5200000 --step 10,-10\n"
                "A texture that repeats, with features of about 30 pixels.\n"
                "  $ perlane fill -o wrap.png --size 256 --frequency 0.033 --seamless\n"
                "64 frames of a loop, with one range.\n"
                "  $ perlane fill -o loop.png --size 128x128x1 --tiles 1x1x64 --step 1,1,2 \\\n"
                "    --frequency 0.03 --seamless --range actual\n"
                "A volume of floats for NumPy.\n"
                "  $ perlane fill -o volume.npy --size 128x128x64 --frequency 0.05\n"
                "The second of eight parts of a map in 256 tiles, by one of eight machines.\n"
                "  $ perlane fill -o world.tif --size 2k --octaves 8 --tiles 16x16 --part 2/8\n",
};

/* ---- Notes ---- */

static void note_range(const struct cli_request *request) {
  const struct cli_numbers *range = &request->map.range;
  if (cli_is_given(&request->line, "range") && range->at[0].real > range->at[1].real)
    cli_note("--range %g,%g inverts the map: its low values are white", range->at[0].real,
             range->at[1].real);
}

static int is_whole(double v) {
  return v == floor(v);
}

/* A preset's own frequency puts every sample on a lattice point, where gradient noise is 0. Phases
 * move the lattice away from there. */
static void note_zeros(const struct cli_request *request) {
  const struct cli_map_options *map = &request->map;
  const perlane_params *params = &request->field.params;
  int has_zeros = params->basis == PERLANE_BASIS_PERLIN && params->phase == PERLANE_PHASE_NONE &&
                  is_whole(params->lacunarity);
  for (int a = 0; a < map->size.count; a++)
    has_zeros = has_zeros && is_whole(map->origin.at[a].real * params->frequency) &&
                is_whole(cli_map_step(map, a) * params->frequency);
  if (has_zeros)
    cli_note("with --frequency %g every sample is on a lattice point, where noise is 0; "
             "try --frequency 0.02",
             params->frequency);
}

static int is_nearly_whole(double v) {
  return fabs(v - rint(v)) <= 1e-9 * fmax(1, fabs(v));
}

/* A map that does not hold whole periods does not repeat where its copies meet. A tile of a larger
 * one does not have to. */
static void note_period(const struct cli_request *request, const struct cli_plan *plan) {
  const struct cli_map_options *map = &request->map;
  const perlane_params *params = &request->field.params;
  int is_tile = 0;
  for (int a = 0; a < map->size.count; a++)
    is_tile |= map->first.at[a].whole != 0;
  for (int a = 0; a < map->size.count && !is_tile; a++) {
    const double cells = fabs(cli_map_step(map, a)) * params->frequency; /* per sample */
    const double samples = (double)cli_tiles_whole(&plan->tiles, map->size.at[a].whole, a);
    const double period = params->period[a] / cells;
    if (params->period[a] == 0 || samples == 1 ||
        (samples / period >= 0.5 && is_nearly_whole(samples / period)))
      continue;
    cli_note("the map does not tile along %c, where it has %.4g of --period's %" PRId32
             " cells; --seamless chooses a frequency with which it does",
             "xyzw"[a], samples * cells, params -> period[a]);
  }
}

/* An octave with less than two samples per cell only makes neighbouring samples differ. */
static void note_octaves(const struct cli_request *request) {
  const struct cli_field *field = &request->field;
  const int32_t octaves = cli_field_octaves(field);
  int32_t shown = octaves;
  double step = 0;
  if (field->expression.text || field->params.valleys != 0)
    return;
  for (int a = 0; a < request->map.size.count; a++)
    if (request->map.size.at[a].whole > 1) /* others are no samples of anything */
      step = fmax(step, fabs(cli_map_step(&request->map, a)));
  while (shown > 1 && !(step * field->noise.octave[shown - 1].frequency <= 0.5))
    shown--;
  if (shown < octaves)
    cli_note("all but the first %" PRId32 " of %" PRId32
             " octaves are finer than the samples; --octaves %" PRId32 " leaves them out",
             shown, octaves, shown);
}

static void note_look(const struct cli_request *request, const struct cli_plan *plan) {
  const struct cli_map_options *map = &request->map;
  if (cli_is_given(&request->line, "look") && plan->map.channels == 3 && plan->map.bits == 8 &&
      !cli_is_given(&request->line, "palette") && !cli_is_given(&request->line, "shade"))
    cli_note("a picture in colours; --bits 16 makes a map of the look's values");
  if (plan->map.bits == 32 && map->natural_height > 0 && map->heights.count == 0)
    cli_note("the floats are the look's values; --heights natural makes metres of them");
  if (plan->seconds > 0 && map->size.count > 2 && map->size.at[2].whole == 1 &&
      !cli_is_given(&request->line, "range"))
    cli_note("--range is that of this slice alone; slices that follow one another need the same, "
             "such as --range %g,%g",
             plan->range[0], plan->range[1]);
}

/* Readers, 'perlane verify' among them, go by the suffix. */
static void note_suffix(const struct cli_request *request, const struct cli_plan *plan) {
  const struct cli_format *named = cli_format_of(request->map.file);
  if (named && named != plan->format && !(named->tiff && plan->format->tiff))
    cli_note("a %s file with the suffix %s; 'perlane verify' needs --format %s",
             plan->format->suffix, named->suffix, plan->format->suffix + 1);
}

static void note_wide(const struct cli_plan *plan) {
  enum { LIBPNG_SIDE = 1000000 }; /* what libpng reads unless a program asks for more */
  if (plan->format == &CLI_PNG &&
      (plan->map.size[0] > LIBPNG_SIDE || plan->map.size[1] > LIBPNG_SIDE))
    cli_note("GDAL, OpenCV and netpbm refuse PNGs of more than %d samples a side; they read .tif",
             LIBPNG_SIDE);
}

static int note(struct cli_plan *plan, struct cli_request *request) {
  cli_field_note_seed(&request->line, &request->field);
  note_range(request);
  note_zeros(request);
  note_period(request, plan);
  note_octaves(request);
  note_look(request, plan);
  note_suffix(request, plan);
  note_wide(plan);
  return 0;
}

/* ---- The command ---- */

int cli_fill(char **argv) {
  static cli_step *const STEPS[] = {
      cli_fill_complete, cli_fill_check, cli_plan_make, note, cli_fill_write, NULL};
  static struct cli_request request;
  static struct cli_plan plan;
  memset(&plan, 0, sizeof plan);
  cli_request_begin(&request, &FILL, CLI_MAP);
  int status = cli_parse(&request.line, argv);
  if (status == 0)
    status = cli_take_steps(&plan, &request, STEPS);
  cli_request_end(&request);
  free(plan.stream.values);
  return status;
}
