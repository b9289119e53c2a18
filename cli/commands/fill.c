/* SPDX-License-Identifier: MIT
 *
 * perlane fill: a map of a field in a file, of any size and in the format that the file's name
 * tells.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"
#include "commands/curve.h"
#include "field/field.h"
#include "formats/format.h"
#include "map/map.h"
#include "options/options.h"
#include "map/output.h"
#include "field/params.h"
#include "map/picture.h"
#include "map/progress.h"
#include "map/sidecar.h"
#include "map/stream.h"

static const struct cli_command FILL = {
    .name = "fill",
    .synopsis = "-o FILE [OPTION]...",
    .about =
        "Writes a map of a field: a sample a unit of position, x to the right, y down.\n"
        "The suffix of FILE tells the format:\n"
        "  .png         grey image of 8 or 16 bits\n"
        "  .tif .tiff   the same, or floats; in tiles, of any size (BigTIFF)\n"
        "  .r16 .raw    16-bit integers, lowest byte first, no header\n"
        "  .r32         floats, likewise\n"
        "  .pgm .pfm    Netpbm's grey images of integers, and of floats\n"
        "  .npy         a NumPy array of floats or integers\n"
        "--format gives the format of any other name, and of -, the standard output, which is\n"
        "raw otherwise. All formats but TIFF can be written to pipes, fifos and devices.\n"
        "Images have two axes; .r16, .r32, .raw and .npy take from 1 to 4.\n"
        "\n"
        "Floats are the field's values. An integer is (v - LOW)/(HIGH - LOW) * 65535 of a\n"
        "value v, or * 255 with 8 bits, rounded to nearest, ties to even, and held at\n"
        "both ends; --range sets LOW and HIGH. A line on stderr tells how long it took.",
    .examples = "Terrain: hills of 1/0.002 = 500 samples, and 8 octaves of detail on them.\n"
                "  perlane fill -o map.png --size 2k --frequency 0.002 --octaves 8\n"
                "The tile of that map at column 512 and row 256, with the same samples.\n"
                "  perlane fill -o tile.png --params-of map.png --size 256 --first 512,256\n"
                "The same map as a picture: coloured by height, and shaded.\n"
                "  perlane fill -o picture.png --params-of map.png --palette terrain --shade\n"
                "A terrain that Unity imports.\n"
                "  perlane fill -o terrain --for unity --frequency 0.002 --octaves 8\n"
                "Mountain crests: ridged octaves, weaker in the valleys.\n"
                "  perlane fill -o crests.png --fractal ridged --octaves 7 \\\n"
                "    --frequency 0.004 --weighted-strength 0.4\n"
                "A texture that repeats: 8 cells of 1/0.03125 = 32 samples are its 256.\n"
                "  perlane fill -o wrap.png --size 256 --frequency 0.03125 --period 8,8\n"
                "A volume of floats for NumPy, and one slice of it as an image.\n"
                "  perlane fill -o volume.npy --size 128x128x64 --frequency 0.05\n"
                "  perlane fill -o slice.png --size 128x128x1 --frequency 0.05 --first 0,0,9\n"
                "Noise of the kind of 1985, its whole range of values from black to white.\n"
                "  perlane fill -o classic.png --preset classic --frequency 0.02 --range auto\n",
};

enum { MOST_THREADS = 1024 };

struct work {
  int threads; /* 0 for all processors */
  int force;
  int quiet;
};

static int parse_threads(const char *text, void *value) {
  uint64_t count;
  const char *end = cli_scan_decimal(text, &count);
  if (!end || *end != '\0' || count < 1 || count > MOST_THREADS)
    return 0;
  *(int *)value = (int)count;
  return 1;
}

static void print_threads(FILE *stream, const void *value) {
  const int threads = *(const int *)value;
  if (threads == 0)
    fputs("as many as there are processors", stream);
  else
    fprintf(stream, "%d", threads);
}

static const struct cli_kind THREADS = {
    .wrong = "not a number of threads",
    .expected = "a whole number from 1 to 1024",
    .parse = parse_threads,
    .print = print_threads,
};

static const struct cli_option WORK[] = {
    {
        .name = "threads",
        .placeholder = "N",
        .kind = &THREADS,
        .offset = offsetof(struct work, threads),
        .local = 1,
        .help = "threads that compute, which never changes the result",
    },
    {
        .name = "force",
        .kind = &CLI_SWITCH,
        .offset = offsetof(struct work, force),
        .flag = 1,
        .local = 1,
        .help = "begin even if the file will not fit on its disk. Without it, a map larger than "
                "the free space is refused; a PNG or a compressed TIFF, whose size is not known "
                "before, only if a thousandth of its samples' size is larger",
    },
    {
        .name = "quiet",
        .kind = &CLI_SWITCH,
        .offset = offsetof(struct work, quiet),
        .flag = 1,
        .letter = 'q',
        .local = 1,
        .help = "nothing on stderr but errors",
    },
};

/* ---- What is to be made ---- */

enum { MAP_GROUP, PICTURE_GROUP, WORK_GROUP, OWN_GROUPS, GROUPS = OWN_GROUPS + CLI_FIELD_GROUPS };

struct fill {
  struct cli_map_options options;
  struct cli_picture picture;
  struct work work;
  struct cli_field field;
  struct cli_group groups[GROUPS]; /* the tables of these four */
  const struct cli_format *format;
  struct cli_map map;
  perlane_noise noise;
  struct cli_stream stream;
  struct cli_progress progress;
  struct cli_curve curve; /* of a plot, instead */
  char *name;             /* of the file, if it is not the one that the options have */
};

/* Whether the command line has option number `option` of the map's. */
static int is_given(const struct fill *fill, size_t option) {
  return cli_is_given(&fill->groups[MAP_GROUP], option);
}

static void print_map_option(const struct fill *fill, size_t option) {
  const struct cli_group *group = &fill->groups[MAP_GROUP];
  cli_print_value(stderr, &group->option[option], group->values);
}

/* Begins a message with one of the map's options as it is: "--size 5x5". */
static void begin_about(const struct fill *fill, size_t option) {
  cli_begin_message(&FILL);
  fprintf(stderr, "--%s ", fill->groups[MAP_GROUP].option[option].name);
  print_map_option(fill, option);
}

static void begin_about_size(const struct fill *fill) {
  begin_about(fill, CLI_MAP_SIZE);
  if (!is_given(fill, CLI_MAP_SIZE) && (fill->field.params_file || fill->field.params_of))
    fputs(" of the saved params", stderr);
}

static void list_suffixes(FILE *stream) {
  const struct cli_format *format;
  for (int i = 0; (format = cli_format_at(i)) != NULL; i++)
    fprintf(stream, "%s ", format->suffix);
}

static int refuse_format(const char *file) {
  cli_begin_message(&FILL);
  fprintf(stderr, "-o '%s': unknown format; expected a name that ends in one of ", file);
  list_suffixes(stderr);
  fputs("; or use --format", stderr);
  return cli_end_refusal(&FILL);
}

static int tells_format(const char *file) {
  const char *name = cli_last_part(file);
  return *name == '\0' || strchr(name, '.') != NULL || cli_output_is_stream(file);
}

/* Adds the suffix of an engine's best format to a name that tells none. Returns 0, or the exit
 * status after a message. */
static int complete_name(struct fill *fill) {
  struct cli_map_options *options = &fill->options;
  if (!options->engine || options->format || tells_format(options->file))
    return 0;
  const char *suffix = options->engine->format[0]->suffix;
  fill->name = malloc(strlen(options->file) + strlen(suffix) + 1);
  if (!fill->name)
    return cli_fail(&FILL, "%s", strerror(ENOMEM));
  strcpy(fill->name, options->file);
  strcat(fill->name, suffix);
  options->file = fill->name;
  return 0;
}

static int check_format(struct fill *fill) {
  const struct cli_map_options *options = &fill->options;
  const struct cli_engine *engine = options->engine;
  /* Of saved params that made a picture, a format of heights has the heights, as deep as usual. */
  if ((engine || !fill->format->colour) && fill->groups[PICTURE_GROUP].given == 0 &&
      cli_picture_wanted(&fill->picture)) {
    fill->picture = cli_picture_default();
    if (!is_given(fill, CLI_MAP_BITS))
      fill->options.bits = 0;
  }
  if (cli_picture_wanted(&fill->picture)) {
    if (engine)
      return cli_refuse(&FILL, "--for %s: it imports heights, not pictures in colour",
                        engine->name);
    if (!fill->format->colour)
      return cli_refuse(&FILL, "-o '%s': pictures in colour are .png, .tif or .tiff files",
                        options->file);
  }
  if (fill->format->tiff && cli_output_is_stream(options->file))
    return cli_refuse(&FILL,
                      "-o '%s': TIFF files cannot be streamed; write a file, or use another "
                      "--format",
                      options->file);
  if (!fill->format->tiff)
    for (size_t option = CLI_MAP_COMPRESSION; option <= CLI_MAP_BIGTIFF; option++)
      if (is_given(fill, option))
        return cli_refuse(&FILL, "--%s: it is for .tif and .tiff files",
                          fill->groups[MAP_GROUP].option[option].name);
  if (engine && !cli_engine_has_format(engine, fill->format)) {
    cli_begin_message(&FILL);
    fprintf(stderr, "-o '%s': --for %s imports ", options->file, engine->name);
    for (int f = 0; f < CLI_ENGINE_FORMATS && engine->format[f]; f++)
      fprintf(stderr, "%s%s", f ? " or " : "", engine->format[f]->suffix);
    return cli_end_refusal(&FILL);
  }
  return 0;
}

/* Sets the size that is not given, and makes one number a square or a cube. */
static int complete_size(struct fill *fill, struct cli_size usual) {
  struct cli_map_options *options = &fill->options;
  struct cli_size *size = &options->size;
  if (size->dims == 0)
    *size = usual;
  if (size->dims == 1)
    for (; size->dims < options->axes; size->dims++)
      size->count[size->dims] = size->count[0];
  if (is_given(fill, CLI_MAP_AXES) && options->axes != size->dims) {
    begin_about(fill, CLI_MAP_AXES);
    fputs(": --size ", stderr);
    print_map_option(fill, CLI_MAP_SIZE);
    fprintf(stderr, " has %d", size->dims);
    return cli_end_refusal(&FILL);
  }
  options->axes = size->dims;
  return 0;
}

static int choose_size(struct fill *fill) {
  struct cli_size *size = &fill->options.size;
  const struct cli_engine *engine = fill->options.engine;
  const uint64_t side = engine ? engine->usual : 1024;
  const int status = complete_size(fill, (struct cli_size){1, {side}});
  if (status != 0)
    return status;
  if (!engine || (size->dims == 2 && size->count[0] == size->count[1] &&
                  cli_engine_has_size(engine, size->count[0])))
    return 0;
  begin_about_size(fill);
  fprintf(stderr, ": --for %s imports squares of", engine->name);
  for (int i = 0; i < CLI_ENGINE_SIZES && engine->size[i] != 0; i++)
    fprintf(stderr, "%s %" PRIu64, i ? "," : "", engine->size[i]);
  fputs(" samples a side", stderr);
  return cli_end_refusal(&FILL);
}

/* The depths that there may be, as in cli_format. */
static unsigned depths_of(const struct fill *fill) {
  if (fill->options.engine)
    return 16;
  if (!cli_picture_wanted(&fill->picture))
    return fill->format->depths;
  return fill->picture.normal_map ? 8 + 16 : 8;
}

static int refuse_depth(const struct fill *fill) {
  static const char *const wants[] = {
      [0] = "none", [8] = "8", [16] = "16", [24] = "8 or 16", [32] = "32", [56] = "8, 16 or 32"};
  const char *suffix = fill->format->suffix;
  if (fill->options.engine)
    return cli_refuse(&FILL, "--bits %d: --for %s imports 16", fill->options.bits,
                      fill->options.engine->name);
  return cli_refuse(&FILL, "--bits %d: %s files hold %s%s", fill->options.bits, suffix,
                    wants[depths_of(fill)],
                    fill->options.bits == 32 && !cli_picture_wanted(&fill->picture)
                        ? "; floats go to .tif, .pfm, .npy or .r32"
                        : "");
}

static int usual_depth(const struct fill *fill) {
  if (fill->options.engine)
    return 16;
  return cli_picture_wanted(&fill->picture) ? 8 : fill->format->usual;
}

/* Depths that do not fit are refused if they were given, and replaced if they come from saved
 * params, which were another format's. */
static int choose_depth(struct fill *fill) {
  int *bits = &fill->options.bits;
  if (((unsigned)*bits & depths_of(fill)) != 0)
    return 0;
  if (*bits != 0 && is_given(fill, CLI_MAP_BITS))
    return refuse_depth(fill);
  *bits = usual_depth(fill);
  return 0;
}

/* Saved params have two zeros where nothing was given. */
static int is_usual_place(const struct cli_map_options *options) {
  for (int a = 0; a < PERLANE_MAX_DIMS; a++)
    if (options->origin.at[a] != 0 || options->first.at[a] != 0)
      return 0;
  return 1;
}

static int check_shape(const struct fill *fill) {
  const struct cli_map_options *options = &fill->options;
  const struct cli_size *size = &options->size;
  uint64_t planes = 1;
  for (int a = 2; a < size->dims; a++)
    planes *= size->count[a] == 1 ? 1 : 2;
  if (fill->format->images && (size->dims < 2 || planes != 1)) {
    begin_about_size(fill);
    fprintf(
        stderr,
        ": %s files hold images, WIDTHxHEIGHT, or slices, WIDTHxHEIGHTx1; volumes go to .npy, .raw "
        "or .r32",
        fill->format->suffix);
    return cli_end_refusal(&FILL);
  }
  uint64_t bytes = (uint64_t)INT64_MAX / 4;
  for (int a = 0; a < size->dims; a++)
    bytes /= size->count[a];
  if (bytes == 0 || (fill->format->longest != 0 && (size->count[0] > fill->format->longest ||
                                                    size->count[1] > fill->format->longest))) {
    begin_about_size(fill);
    fprintf(stderr, ": too large for a %s file", fill->format->suffix);
    return cli_end_refusal(&FILL);
  }
  if (options->origin.dims != 0 && options->origin.dims != size->dims &&
      (is_given(fill, CLI_MAP_ORIGIN) || !is_usual_place(options))) {
    begin_about(fill, CLI_MAP_ORIGIN);
  } else if (options->first.dims != 0 && options->first.dims != size->dims &&
             (is_given(fill, CLI_MAP_FIRST) || !is_usual_place(options))) {
    begin_about(fill, CLI_MAP_FIRST);
  } else if (options->step.dims > 1 && options->step.dims != size->dims) {
    begin_about(fill, CLI_MAP_STEP);
  } else if (options->bits == 32 && is_given(fill, CLI_MAP_RANGE)) {
    return cli_refuse(&FILL,
                      "--range: floats are the field's own values, which it does not change");
  } else {
    return 0;
  }
  fprintf(stderr, ": the map has %d axes, as --size says", size->dims);
  return cli_end_refusal(&FILL);
}

/* Whether the library accepts the map's first and last sample, which bound all others. */
static perlane_status check_ends(const struct fill *fill) {
  perlane_grid grid = fill->stream.grid;
  for (int a = 0; a < grid.dims; a++) {
    if (grid.first[a] > INT64_MAX - ((int64_t)grid.count[a] - 1))
      return PERLANE_ERROR_RANGE;
    grid.count[a] = 1;
  }
  float sample[3], scratch[16];
  const perlane_status status = cli_stream_fill(&fill->stream, &grid, sample, scratch);
  if (status != PERLANE_OK)
    return status;
  for (int a = 0; a < grid.dims; a++)
    grid.first[a] += (int64_t)fill->stream.grid.count[a] - 1;
  return cli_stream_fill(&fill->stream, &grid, sample, scratch);
}

static int refuse_ends(const struct fill *fill, perlane_status status) {
  if (status == PERLANE_ERROR_LEVELS) {
    begin_about(fill, CLI_MAP_RANGE);
  } else {
    begin_about(fill, CLI_MAP_FIRST);
    fputs(" --origin ", stderr);
    print_map_option(fill, CLI_MAP_ORIGIN);
    fputs(" --step ", stderr);
    print_map_option(fill, CLI_MAP_STEP);
    fputs(" --size ", stderr);
    print_map_option(fill, CLI_MAP_SIZE);
    fputs(" --frequency ", stderr);
    cli_print_double(stderr, fill->field.params.frequency);
  }
  fprintf(stderr, ": %s", perlane_status_string(status));
  return cli_end_refusal(&FILL);
}

static double step_of(const struct cli_map_options *options, int axis) {
  const struct cli_step *step = &options->step;
  return step->dims == 0 ? 1 : step->by[step->dims == 1 ? 0 : axis];
}

static int is_whole(double v) {
  return v == floor(v);
}

/* A preset's own frequency puts every sample on a lattice point, where gradient noise is 0. */
static void warn_of_zeros(const struct fill *fill) {
  const struct cli_map_options *options = &fill->options;
  const perlane_params *params = &fill->field.params;
  if (fill->work.quiet || params->basis != PERLANE_BASIS_PERLIN || !is_whole(params->lacunarity))
    return;
  for (int a = 0; a < options->size.dims; a++)
    if (!is_whole(options->origin.at[a] * params->frequency) ||
        !is_whole(step_of(options, a) * params->frequency))
      return;
  cli_begin_message(&FILL);
  fprintf(stderr,
          "note: with --frequency %g every sample is on a lattice point, where noise is 0; "
          "try --frequency 0.02\n",
          params->frequency);
}

static void set_map(struct fill *fill) {
  const struct cli_map_options *options = &fill->options;
  fill->map = (struct cli_map){
      .dims = options->size.dims,
      .channels = cli_picture_wanted(&fill->picture) ? 3 : 1,
      .bits = options->bits,
      .compression = options->compression,
      .bigtiff = options->bigtiff,
  };
  fill->stream = (struct cli_stream){
      .noise = &fill->noise,
      .map = &fill->map,
      .grid = {.dims = options->size.dims},
      .low = options->range.low,
      .high = options->range.high,
      .threads = fill->work.threads ? fill->work.threads : cli_stream_processors(),
  };
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    const int inside = a < fill->map.dims;
    fill->map.size[a] = inside ? options->size.count[a] : 1;
    fill->stream.grid.count[a] = (size_t)fill->map.size[a];
    fill->stream.grid.first[a] = options->first.at[a];
    fill->stream.grid.origin[a] = options->origin.at[a];
    fill->stream.grid.step[a] = step_of(options, a);
  }
}

/* ---- The file ---- */

/* A copy of a problem, whose text may be the writer's that is about to be freed; NULL for none. */
static const char *keep(const char *problem) {
  static char kept[160];
  if (problem)
    snprintf(kept, sizeof kept, "%s", problem);
  return problem ? kept : NULL;
}

static const char *write_map(struct fill *fill, FILE *stream) {
  void *writer = NULL;
  const char *problem = fill->format->begin(&writer, stream, &fill->map);
  if (!problem)
    problem = cli_stream_write(&fill->stream, fill->format, writer);
  if (!problem)
    problem = fill->format->finish(writer);
  problem = keep(problem);
  fill->format->free(writer);
  return problem;
}

static const char *write_sidecar(const struct fill *fill, const char *name) {
  struct cli_output output;
  const char *problem = cli_output_open(&output, name);
  if (problem)
    return problem;
  const struct cli_levels levels = {fill->stream.low, fill->stream.high};
  return cli_output_end(&output,
                        cli_sidecar_write(output.stream, fill->options.file, &fill->map, &levels));
}

/* Refuses a map that does not fit on the disk, or notes that it may not. */
static int check_space(const struct fill *fill, const struct cli_output *output) {
  if (fill->work.force)
    return 0;
  uint64_t smallest;
  const uint64_t bytes = cli_format_bytes(fill->format, &fill->map, &smallest);
  const char *problem = cli_output_space(output, smallest);
  if (problem)
    return cli_fail(&FILL, "'%s' needs at least %s on its disk; --force begins it anyway",
                    fill->options.file, problem);
  const char *note = fill->work.quiet ? NULL : cli_output_space(output, bytes);
  if (note) {
    cli_begin_message(&FILL);
    fprintf(stderr,
            "note: '%s' may not fit on its disk: its samples are %s; it depends on their "
            "compression\n",
            fill->options.file, note);
  }
  return 0;
}

/* Writes the map, and the file beside it unless that is NULL. Both files get their names when both
 * are complete. Returns 0, or the exit status after a message. */
static int write_files(struct fill *fill, const char *beside) {
  const char *file = fill->options.file;
  struct cli_output output;
  const char *problem = cli_output_open(&output, file);
  if (problem)
    return cli_fail(&FILL, "cannot create '%s': %s", file, problem);
  const char *untried = beside ? cli_output_try(beside) : NULL;
  const int status = untried ? cli_fail(&FILL, "cannot write '%s': %s", beside, untried)
                             : check_space(fill, &output);
  if (status != 0) {
    cli_output_drop(&output);
    return status;
  }
  problem = write_map(fill, output.stream);
  if (problem)
    cli_output_drop(&output);
  else
    problem = cli_output_complete(&output);
  if (!problem && beside) {
    problem = write_sidecar(fill, beside);
    if (problem) {
      cli_output_drop(&output);
      return cli_fail(&FILL, "cannot write '%s': %s", beside, problem);
    }
  }
  if (!problem)
    problem = cli_output_close(&output);
  if (!problem)
    return 0;
  if (cli_output_is_stdout(file))
    return cli_fail(&FILL, "cannot write to the standard output: %s", problem);
  return cli_fail(&FILL, "cannot write '%s': %s", file, problem);
}

/* Returns 0, or the exit status after a message. */
static int write_file(struct fill *fill) {
  if (cli_output_is_stdout(fill->options.file) && isatty(STDOUT_FILENO))
    return cli_refuse(&FILL,
                      "-o -: the standard output is a terminal; send it to a file or program");
  if (!fill->format->sidecar || cli_output_is_stream(fill->options.file))
    return write_files(fill, NULL);
  char *beside = cli_sidecar_name(fill->options.file);
  const int status = beside ? write_files(fill, beside) : cli_fail(&FILL, "%s", strerror(ENOMEM));
  free(beside);
  return status;
}

static uint64_t samples_of(const struct fill *fill) {
  uint64_t samples = 1;
  for (int a = 0; a < fill->map.dims; a++)
    samples *= fill->map.size[a];
  return samples;
}

static void report(const struct fill *fill, double elapsed) {
  const int threads = fill->stream.threads;
  const int32_t octaves = cli_field_octaves(&fill->field);
  fprintf(stderr, "%s: ", fill->options.file);
  print_map_option(fill, CLI_MAP_SIZE);
  fprintf(stderr, ", %d bits, %" PRId32 " octave%s, %s, %d thread%s, %.3f s", fill->map.bits,
          octaves, octaves == 1 ? "" : "s", perlane_isa_name(perlane_isa_current()), threads,
          threads == 1 ? "" : "s", elapsed);
  /* The times of small maps tell more of the clock than of the noise. */
  if (samples_of(fill) >= 65536 && fill->stream.seconds > 0)
    fprintf(stderr, "; noise: %.4g M samples/s a thread",
            (double)samples_of(fill) / fill->stream.seconds * 1e-6);
  fputc('\n', stderr);
}

static int make_map(struct fill *fill) {
  fill->progress = cli_progress_begin(samples_of(fill), !fill->work.quiet);
  fill->stream.progress = &fill->progress;
  const int status = write_file(fill);
  const double elapsed = cli_progress_end(&fill->progress);
  if (status == 0 && !fill->work.quiet)
    report(fill, elapsed);
  return status;
}

/* The params must not take the place of what they are the params of. That they cannot be written
 * should not turn out when all has been computed. */
static int check_params_file(const struct fill *fill) {
  const char *params = fill->field.save_params, *file = fill->options.file;
  const char *problem = params ? cli_output_try(params) : NULL;
  if (problem)
    return cli_fail(&FILL, "cannot write '%s': %s", params, problem);
  if (!params)
    return 0;
  if (cli_output_same(params, file))
    return cli_refuse(&FILL, "--save-params '%s': this is the file to write; take another name",
                      params);
  char *sidecar = fill->format && fill->format->sidecar && !cli_output_is_stream(file)
                      ? cli_sidecar_name(file)
                      : NULL;
  const int same = sidecar && cli_output_same(params, sidecar);
  free(sidecar);
  if (!same)
    return 0;
  return cli_refuse(&FILL, "--save-params '%s': '%s' has its own params there; take another name",
                    params, file);
}

/* Makes the file, which carries the params, and then the file for them alone if there is to be one.
 */
static int with_params(struct fill *fill, int (*make)(struct fill *fill)) {
  int status = check_params_file(fill);
  if (status != 0)
    return status;
  char *params = cli_params_text(&FILL, fill->groups, GROUPS, &fill->field);
  if (!params)
    return cli_fail(&FILL, "%s", strerror(ENOMEM));
  fill->map.params = params;
  status = make(fill);
  free(params);
  if (status == 0)
    status = cli_params_save(&FILL, fill->groups, GROUPS, &fill->field);
  return status;
}

static int fill_map(struct fill *fill) {
  struct cli_map_options *options = &fill->options;
  int status = complete_name(fill);
  if (status != 0)
    return status;
  fill->format = options->format ? options->format : cli_format_of(options->file);
  if (!fill->format && cli_output_is_stream(options->file))
    fill->format = &CLI_RAW;
  if (!fill->format)
    return refuse_format(options->file);
  status = check_format(fill);
  if (status == 0)
    status = choose_size(fill);
  if (status == 0)
    status = choose_depth(fill);
  if (status == 0)
    status = check_shape(fill);
  if (status == 0)
    status = cli_field_make(&FILL, &fill->field, fill->groups + OWN_GROUPS, &fill->noise);
  if (status == 0)
    status = cli_field_check_dims(&FILL, &fill->field, &fill->noise, options->size.dims);
  if (status != 0)
    return status;
  if (options->range.automatic)
    perlane_range(&fill->noise, options->size.dims, &options->range.low, &options->range.high);
  set_map(fill);
  static struct cli_picture_plan plan;
  if (cli_picture_wanted(&fill->picture)) {
    status = cli_picture_prepare(&FILL, &plan, &fill->picture, &fill->noise, &fill->stream.grid,
                                 options->range.low, options->range.high, options->bits);
    if (status != 0)
      return status;
    fill->stream.plan = &plan;
    fill->stream.has_gradient = cli_picture_needs_gradient(&fill->picture);
  }
  const perlane_status ends = check_ends(fill);
  if (ends != PERLANE_OK)
    return refuse_ends(fill, ends);
  warn_of_zeros(fill);
  return with_params(fill, make_map);
}

/* ---- Plots ---- */

/* An option for both axes says where samples lie along x; along y there are none. */
static int check_plot(const struct cli_map_options *options) {
  if (!cli_has_suffix(options->file, ".png") && !cli_has_suffix(options->file, ".svg"))
    return cli_refuse(&FILL, "-o '%s': --curve draws .png and .svg files", options->file);
  if (options->size.dims != 2)
    return cli_refuse(&FILL, "--size: a plot's is WIDTHxHEIGHT, in pixels");
  for (int a = 1; a < PERLANE_MAX_DIMS; a++)
    if (options->origin.at[a] != 0 || options->first.at[a] != 0)
      return cli_refuse(&FILL,
                        "--curve: a plot has positions along x only; let those of other axes "
                        "be 0 in --origin and --first");
  if (options->step.dims > 1)
    return cli_refuse(&FILL, "--curve: a plot has one --step");
  return 0;
}

static const char *write_pixels(FILE *stream, const perlane_params *params,
                                const struct cli_curve *curve, char *text) {
  const size_t pixels = (size_t)curve->width * curve->height;
  unsigned char *rgb = malloc(pixels * 3);
  if (!rgb)
    return strerror(ENOMEM);
  const struct cli_map map = {
      .dims = 2,
      .size = {curve->width, curve->height},
      .channels = 3,
      .bits = 8,
      .params = text,
  };
  void *writer = NULL;
  const char *problem = cli_curve_pixels(params, curve, rgb);
  if (!problem)
    problem = CLI_PNG.begin(&writer, stream, &map);
  if (!problem)
    problem = CLI_PNG.write(writer, rgb, curve->width, curve->height);
  if (!problem)
    problem = CLI_PNG.finish(writer);
  problem = keep(problem);
  CLI_PNG.free(writer);
  free(rgb);
  return problem;
}

static int write_plot(struct fill *fill) {
  const struct cli_curve *curve = &fill->curve;
  const char *file = fill->options.file;
  char *text = fill->map.params;
  struct cli_output output;
  const char *problem = cli_output_open(&output, file);
  if (problem)
    return cli_fail(&FILL, "cannot create '%s': %s", file, problem);
  problem = cli_has_suffix(file, ".svg")
                ? cli_curve_svg(output.stream, &fill->field.params, curve, text)
                : write_pixels(output.stream, &fill->field.params, curve, text);
  problem = cli_output_end(&output, problem);
  return problem ? cli_fail(&FILL, "cannot write '%s': %s", file, problem) : 0;
}

static int fill_plot(struct fill *fill) {
  struct cli_map_options *options = &fill->options;
  int status = complete_size(fill, (struct cli_size){2, {1024, 640}});
  if (status == 0)
    status = check_plot(options);
  if (status == 0)
    status = cli_field_make(&FILL, &fill->field, fill->groups + OWN_GROUPS, &fill->noise);
  if (status == 0)
    status = cli_field_check_dims(&FILL, &fill->field, &fill->noise, 1);
  if (status != 0)
    return status;
  if (options->range.automatic)
    perlane_range(&fill->noise, 1, &options->range.low, &options->range.high);
  const uint64_t most = UINT32_MAX;
  const uint64_t *size = options->size.count;
  fill->curve = (struct cli_curve){
      .width = (uint32_t)(size[0] < most ? size[0] : most),
      .height = (uint32_t)(size[1] < most ? size[1] : most),
      .samples = (size_t)size[0],
      .origin = options->origin.at[0],
      .step = step_of(options, 0),
      .first = options->first.at[0],
      .low = options->range.low,
      .high = options->range.high,
  };
  const char *problem = cli_curve_problem(&fill->curve);
  if (problem)
    return cli_refuse(&FILL, "--curve: %s", problem);
  return with_params(fill, write_plot);
}

static struct fill fill_default(void) {
  return (struct fill){
      .options = cli_map_default(),
      .picture = cli_picture_default(),
      .field = cli_field_default(),
  };
}

static void set_groups(struct fill *fill) {
  fill->groups[MAP_GROUP] = cli_map_group(&fill->options);
  fill->groups[PICTURE_GROUP] = cli_picture_group(&fill->picture);
  fill->groups[WORK_GROUP] = (struct cli_group){
      .title = "The work",
      .option = WORK,
      .count = sizeof WORK / sizeof WORK[0],
      .values = &fill->work,
  };
  cli_field_groups(&fill->field, fill->groups + OWN_GROUPS);
}

static int make(struct fill *fill) {
  if (!fill->options.file)
    return cli_refuse(&FILL, "-o FILE is missing: the file to write");
  const int bits = is_given(fill, CLI_MAP_BITS) ? fill->options.bits : 0;
  const int status = cli_picture_check(&FILL, &fill->picture, &fill->groups[PICTURE_GROUP], bits);
  if (status != 0)
    return status;
  return fill->picture.curve ? fill_plot(fill) : fill_map(fill);
}

int cli_fill(int argc, char **argv) {
  static struct fill fill;
  fill = fill_default();
  set_groups(&fill);
  switch (cli_parse(&FILL, argc, argv, fill.groups, GROUPS)) {
  case CLI_PARSED:
    break;
  case CLI_WANTS_HELP:
    fill = fill_default();
    set_groups(&fill);
    return cli_help(&FILL, fill.groups, GROUPS);
  case CLI_WRONG:
    return CLI_USAGE;
  case CLI_FAILED:
    return CLI_FAILURE;
  }
  const int status = make(&fill);
  cli_field_free(&fill.field);
  free(fill.name);
  return status;
}
