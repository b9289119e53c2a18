/* SPDX-License-Identifier: MIT
 *
 * perlane fill: a map of a field in a file, of any size.
 */
#include "commands/fill.h"

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
             "  .r32         floats, likewise\n"
             "  .pgm .pfm    Netpbm's grey images of integers, and of floats\n"
             "  .npy         a NumPy array of floats or integers\n"
             "  .zarr        a Zarr array of floats or integers: a folder of chunks\n"
             "Images have two axes; .r16, .r32, .raw, .npy and .zarr take 1 to 4. --format\n"
             "overrides the suffix.\n"
             "\n"
             "In the folder of a .zarr array, chunks that are complete stay, whatever ends a\n"
             "run: the same command again writes those that are missing. 'perlane verify'\n"
             "checks them.\n"
             "\n"
             "FILE may be - for the standard output, a fifo or a device such as /dev/null. All\n"
             "formats but TIFF and .zarr can be written there; without a suffix and --format\n"
             "it is raw.\n"
             "\n"
             "Floats are the field's values. An integer is (v - LOW)/(HIGH - LOW) * 65535 for\n"
             "a value v, or * 255 with 8 bits, rounded to nearest, ties to even, and clamped;\n"
             "--range sets LOW and HIGH. A line on stderr reports the time taken.",
    .examples = "Terrain: hills 1/0.002 = 500 samples wide, with 8 octaves of detail.\n"
                "  perlane fill -o map.png --size 2k --frequency 0.002 --octaves 8\n"
                "The tile of that map at column 512 and row 256, with the same samples.\n"
                "  perlane fill -o tile.png --params-of map.png --size 256 --first 512,256\n"
                "The same map as a picture: coloured by height, and shaded.\n"
                "  perlane fill -o picture.png --params-of map.png --palette terrain --shade\n"
                "A terrain that Unity imports, from a line of options.\n"
                "  perlane fill -o terrain --for unity --field \"octaves=8 frequency=0.002\"\n"
                "A larger one, as 16 terrains that share the samples at their borders.\n"
                "  perlane fill -o terrain --for unity --tiles 4x4 --octaves 8 \\\n"
                "    --frequency 0.002\n"
                "Mountain crests: ridged octaves, bent so that they do not show the lattice.\n"
                "  perlane fill -o crests.png --fractal ridged --octaves 7 --frequency 0.004 \\\n"
                "    --warp-amplitude 200 --warp-frequency 0.003 --warp-octaves 6\n"
                "A texture that repeats: its 256 samples are 8 cells of 1/0.03125 = 32.\n"
                "  perlane fill -o wrap.png --size 256 --frequency 0.03125 --period 8,8\n"
                "A volume of floats for NumPy, and one slice of it as an image.\n"
                "  perlane fill -o volume.npy --size 128x128x64 --frequency 0.05\n"
                "  perlane fill -o slice.png --size 128x128x1 --frequency 0.05 --first 0,0,9\n"
                "The second of eight parts of a large array, by one of eight machines.\n"
                "  perlane fill -o world.zarr --size 8k --frequency 0.001 --octaves 8 --part 2/8\n"
                "Noise as of 1985, its whole range of values from black to white.\n"
                "  perlane fill -o classic.png --preset classic --frequency 0.02 --range auto\n",
};

/* ---- Options of the work ---- */

const struct cli_kind CLI_THREADS = {
    .expected = "a whole number from 0 to 1024", .max_count = 1, .is_whole = 1, .max.whole = 1024};

#define AT(member) offsetof(struct cli_work, member)

static const struct cli_option WORK[] = {
    {"threads", "N", &CLI_THREADS, AT(threads), .heading = "Work",
     .help = "The number of threads, 0 for one per processor. It never changes the result.",
     .in_text = CLI_NEVER},
    {"force", NULL, &CLI_SWITCH, AT(force),
     .help = "Begins a map for which there is not enough free space on its disk. Without it, "
             "such a map is refused, but .png and compressed TIFF files, whose size is not "
             "known, only if a thousandth of their samples' size does not fit.",
     .in_text = CLI_NEVER},
    {"quiet", NULL, &CLI_SWITCH, AT(quiet),
     .help =
         "Prints nothing on stderr but errors: no notes, no report, and of long runs no bar on a "
         "terminal nor a line now and then in a log, with the rate and the time left.",
     .letter = 'q', .in_text = CLI_NEVER},
};

static const struct cli_work DEFAULTS = {.threads = {.count = 1}};

/* ---- The command ---- */

void cli_fill_begin(struct cli_fill *fill, const struct cli_command *command) {
  memset(fill, 0, sizeof *fill);
  fill->work = DEFAULTS;
  fill->line = (struct cli_command_line){command, fill->group, FILL_GROUPS};
  fill->group[FILL_MAP] = cli_map_group(&fill->options);
  fill->group[FILL_PICTURE] = cli_picture_group(&fill->picture);
  fill->group[FILL_WORK] = cli_group_of(WORK, sizeof WORK / sizeof WORK[0], &fill->work, &DEFAULTS);
  fill->group[FILL_FIELD] = cli_field_group(&fill->field);
  fill->group[FILL_FOREIGN] = cli_points_foreign();
}

void cli_fill_end(struct cli_fill *fill) {
  cli_field_free(&fill->field);
  free(fill->name);
  free(fill->tiles.name);
  free(fill->interrupted);
  for (int i = 0; i < FILL_BESIDE; i++)
    free(fill->beside[i]);
}

int cli_fill(int argc, char **argv) {
  static struct cli_fill fill;
  cli_fill_begin(&fill, &FILL);
  int status = cli_parse(&fill.line, argc, argv);
  if (status == CLI_PARSED)
    status = cli_fill_complete(&fill);
  if (status == 0 && fill.format)
    status = cli_fill_plan(&fill);
  if (status == 0 && fill.format)
    status = cli_fill_write(&fill);
  cli_fill_end(&fill);
  return status;
}
