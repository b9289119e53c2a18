/* SPDX-License-Identifier: MIT
 *
 * The options that describe a field.
 */
#include "field/field.h"

#include <inttypes.h>
#include <string.h>

#include "options/names.h"
#include "field/params.h"

/* ---- Kinds of values ---- */

static int parse_preset(const char *text, void *value) {
  return perlane_preset(value, text) == PERLANE_OK;
}

static void print_preset(FILE *stream, const void *value) {
  (void)value; /* for the help only: params do not tell which preset they come from */
  fputs("none", stream);
}

static int parse_axes(const char *text, void *value) {
  int32_t axes[PERLANE_MAX_DIMS] = {0};
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    int64_t wide;
    const char *end = cli_scan_i64(text, &wide);
    if (!end || wide < INT32_MIN || wide > INT32_MAX)
      return 0;
    axes[a] = (int32_t)wide;
    if (*end == '\0') {
      memcpy(value, axes, sizeof axes);
      return 1;
    }
    if (*end != ',')
      return 0;
    text = end + 1;
  }
  return 0;
}

static void print_axes(FILE *stream, const void *value) {
  const int32_t *axes = value;
  int count = PERLANE_MAX_DIMS;
  while (count > 1 && axes[count - 1] == 0)
    count--;
  for (int a = 0; a < count; a++)
    fprintf(stream, "%s%" PRId32, a ? "," : "", axes[a]);
}

static int parse_all_axes(const char *text, void *value) {
  int32_t *axes = value;
  if (!CLI_INT32.parse(text, axes))
    return 0;
  for (int a = 1; a < PERLANE_MAX_DIMS; a++)
    axes[a] = axes[0];
  return 1;
}

static const struct cli_kind PRESET = {
    .wrong = "unknown preset",
    .expected = "one of ",
    .parse = parse_preset,
    .print = print_preset,
    .list = perlane_preset_name,
};
static const struct cli_kind BASIS = {
    .wrong = "unknown basis",
    .expected = "one of ",
    .names = CLI_BASES,
};
static const struct cli_kind HASH = {
    .wrong = "unknown hash",
    .expected = "one of ",
    .names = CLI_HASHES,
};
static const struct cli_kind GRADIENT_SET = {
    .wrong = "unknown gradient set",
    .expected = "one of ",
    .names = CLI_GRADIENTS,
};
static const struct cli_kind FADE = {
    .wrong = "unknown fade",
    .expected = "one of ",
    .names = CLI_FADES,
};
static const struct cli_kind FRACTAL = {
    .wrong = "unknown fractal",
    .expected = "one of ",
    .names = CLI_FRACTALS,
};
static const struct cli_kind AXES = {
    .wrong = "not such numbers",
    .expected = "1 to 4 whole numbers with commas between them, such as 256,128",
    .parse = parse_axes,
    .print = print_axes,
};
static const struct cli_kind ALL_AXES = {
    .wrong = "not such a number",
    .expected = "a whole number",
    .parse = parse_all_axes,
    .print = print_axes,
};

/* ---- The options ---- */

static const struct cli_option FIELD[] = {
    {
        .name = "preset",
        .placeholder = "NAME",
        .kind = &PRESET,
        .offset = offsetof(struct cli_field, params),
        .first = 1,
        .help = "start from the field of a known noise system ('perlane info' shows what it sets); "
                "all other options, before or after it, change that. Frequency is then 1: an image "
                "usually needs --frequency as well",
    },
    {
        .name = "seed",
        .placeholder = "N",
        .kind = &CLI_U64,
        .offset = offsetof(struct cli_field, params.seed),
        .help = "which field; neighbouring seeds give unrelated ones",
    },
    {
        .name = "frequency",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.frequency),
        .help = "lattice cells per unit of position in the first octave; features are about 1/F "
                "units wide",
    },
    {
        .name = "basis",
        .placeholder = "NAME",
        .kind = &BASIS,
        .offset = offsetof(struct cli_field, params.basis),
        .help = "what noise is made of: perlin has gradients at lattice points, value has values "
                "there; white (uniform) and gaussian (normally distributed, with --hash lattice "
                "only) have one value for each cell",
    },
};

static const struct cli_option LATTICE[] = {
    {
        .name = "hash",
        .placeholder = "NAME",
        .kind = &HASH,
        .offset = offsetof(struct cli_field, params.hash),
        .help = "how a lattice point finds its gradient or value; lattice never repeats, perlin, "
                "shuffled and table do so every 256 cells",
    },
    {
        .name = "table",
        .placeholder = "FILE",
        .kind = &CLI_TEXT,
        .offset = offsetof(struct cli_field, hash_table),
        .content = CLI_HAS_HASH_TABLE,
        .help = "the table for --hash table, which it implies: 256 numbers from 0 to 255, with "
                "blanks, commas or line ends between them; or 1024 for --hash primes",
    },
    {
        .name = "gradient-set",
        .placeholder = "NAME",
        .kind = &GRADIENT_SET,
        .offset = offsetof(struct cli_field, params.gradients),
        .help = "the gradients to choose from; sphere and circle are the same 256 from the seed",
    },
    {
        .name = "gradients",
        .placeholder = "FILE",
        .kind = &CLI_TEXT,
        .offset = offsetof(struct cli_field, gradients),
        .content = CLI_HAS_GRADIENTS,
        .status = PERLANE_ERROR_GRADIENT,
        .help = "the vectors of --gradient-set table, which it implies: 2 to 256, one a line, as "
                "x,y or 1 to 4 numbers",
    },
    {
        .name = "gradient-grid",
        .placeholder = "FILE",
        .kind = &CLI_TEXT,
        .offset = offsetof(struct cli_field, gradient_grid),
        .content = CLI_HAS_GRADIENT_GRID,
        .status = PERLANE_ERROR_GRADIENT,
        .help = "the gradients of --hash grid, which it implies: a CSV with the columns i, j, gx "
                "and gy, a line for every point from 0,0 to the largest i and j; the field "
                "repeats beyond. In all files # begins a comment",
    },
    {
        .name = "fade",
        .placeholder = "NAME",
        .kind = &FADE,
        .offset = offsetof(struct cli_field, params.fade),
        .help = "how weights go from 0 to 1 across a cell",
    },
    {
        .name = "period",
        .placeholder = "X[,Y[,Z[,W]]]",
        .kind = &AXES,
        .offset = offsetof(struct cli_field, params.period),
        .status = PERLANE_ERROR_PERIOD,
        .help = "cells of the first octave after which the field repeats along each axis, 0 for "
                "never; times --lacunarity for each further octave it must stay whole",
    },
    {
        .name = "repeat",
        .placeholder = "X[,Y[,Z]]",
        .kind = &AXES,
        .offset = offsetof(struct cli_field, params.period),
        .status = PERLANE_ERROR_PERIOD,
        .help = "another name for --period",
    },
    {
        .name = "table-offset",
        .placeholder = "X[,Y[,Z[,W]]]",
        .kind = &AXES,
        .offset = offsetof(struct cli_field, params.table_offset),
        .help = "added to the cells, after the period, before a table of 256 is looked up",
    },
    {
        .name = "base",
        .placeholder = "N",
        .kind = &ALL_AXES,
        .offset = offsetof(struct cli_field, params.table_offset),
        .help = "the same --table-offset along all axes",
    },
};

static const struct cli_option OCTAVES[] = {
    {
        .name = "octaves",
        .placeholder = "N",
        .kind = &CLI_INT32,
        .offset = offsetof(struct cli_field, params.octaves),
        .status = PERLANE_ERROR_OCTAVES,
        .help = "layers of noise, 1 to 32",
    },
    {
        .name = "lacunarity",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.lacunarity),
        .status = PERLANE_ERROR_LACUNARITY,
        .help = "frequency of each octave over that of the one before",
    },
    {
        .name = "gain",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.gain),
        .status = PERLANE_ERROR_GAIN,
        .help = "amplitude of each octave over that of the one before",
    },
    {
        .name = "persistence",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.gain),
        .status = PERLANE_ERROR_GAIN,
        .help = "another name for --gain",
    },
    {
        .name = "octave-seed-step",
        .placeholder = "N",
        .kind = &CLI_U64,
        .offset = offsetof(struct cli_field, params.octave_seed_step),
        .help = "octave k has the seed SEED + k*N, or with a table, its cells shifted; with 0 all "
                "octaves share one lattice, and show it",
    },
    {
        .name = "fractal",
        .placeholder = "NAME",
        .kind = &FRACTAL,
        .offset = offsetof(struct cli_field, params.fractal),
        .help = "what becomes of each octave before they are added up: fbm leaves it as it is, "
                "ridged has sharp crests, billow (turbulence) sharp valleys, ping-pong terraces; "
                "none leaves out all octaves but the first",
    },
    {
        .name = "ping-pong-strength",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.ping_pong_strength),
        .status = PERLANE_ERROR_PING_PONG_STRENGTH,
        .help = "how far --fractal ping-pong stretches values before it folds them",
    },
    {
        .name = "weighted-strength",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.weighted_strength),
        .status = PERLANE_ERROR_WEIGHTED_STRENGTH,
        .help = "0 to 1: how much weaker an octave is where the one before is low; valleys become "
                "smoother",
    },
};

static const struct cli_option RESULT[] = {
    {
        .name = "normalize",
        .kind = &CLI_FLAG,
        .offset = offsetof(struct cli_field, params.normalize),
        .flag = PERLANE_NORMALIZE_FULL,
        .help = "divide by the largest value that there could be, so that values lie in [-1, 1]",
    },
    {
        .name = "normalize-octaves",
        .kind = &CLI_FLAG,
        .offset = offsetof(struct cli_field, params.normalize),
        .flag = PERLANE_NORMALIZE_OCTAVES,
        .help = "divide by the sum of the octaves' amplitudes only",
    },
    {
        .name = "raw",
        .kind = &CLI_FLAG,
        .offset = offsetof(struct cli_field, params.normalize),
        .flag = PERLANE_NORMALIZE_NONE,
        .help = "divide by nothing; the last one given of these three counts",
    },
    {
        .name = "amplitude",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.amplitude),
        .status = PERLANE_ERROR_AMPLITUDE,
        .help = "amplitude of the first octave; without --raw only its sign counts",
    },
    {
        .name = "contrast",
        .placeholder = "N",
        .kind = &CLI_INT32,
        .offset = offsetof(struct cli_field, params.contrast),
        .status = PERLANE_ERROR_CONTRAST,
        .help = "0 to 64: the power that values are then raised to, their sign kept",
    },
    {
        .name = "value-scale",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.value_scale),
        .status = PERLANE_ERROR_AMPLITUDE,
        .help = "what they are then multiplied by",
    },
    {
        .name = "value-offset",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.value_offset),
        .status = PERLANE_ERROR_AMPLITUDE,
        .help = "what is added to them in the end",
    },
};

static const struct cli_option SAVED[] = {
    {
        .name = "save-params",
        .placeholder = "FILE.json",
        .kind = &CLI_TEXT,
        .offset = offsetof(struct cli_field, save_params),
        .local = 1,
        .help = "write all options that make the result to a file, tables by their content",
    },
    {
        .name = "params",
        .placeholder = "FILE.json",
        .kind = &CLI_TEXT,
        .offset = offsetof(struct cli_field, params_file),
        .loads = 1,
        .local = 1,
        .help = "start from the options in such a file; all other options, before or after it, "
                "change them. Those of another command that this one does not have are passed over",
    },
    {
        .name = "params-of",
        .placeholder = "MAP",
        .kind = &CLI_TEXT,
        .offset = offsetof(struct cli_field, params_of),
        .loads = 1,
        .local = 1,
        .help =
            "the same with the options that a file made by perlane carries; what they switch on "
            "is switched off like this: --shade=off",
    },
};

static const struct cli_option COMPUTATION[] = {
    {
        .name = "isa",
        .placeholder = "NAME",
        .kind = &CLI_ISA,
        .offset = offsetof(struct cli_field, isa),
        .local = 1,
        .status = PERLANE_ERROR_ISA,
        .help = "the kernels to run, which never changes the result",
    },
};

struct cli_field cli_field_default(void) {
  return (struct cli_field){.params = perlane_params_default(), .isa = PERLANE_ISA_AUTO};
}

static int load(const struct cli_command *command, struct cli_group *groups, size_t count,
                void *values) {
  return cli_params_load(command, groups, count, values);
}

static void unload(void *values) {
  cli_field_free(values);
}

#define GROUP(text, options)                                                                       \
  ((struct cli_group){.title = (text),                                                             \
                      .option = (options),                                                         \
                      .count = sizeof(options) / sizeof(options)[0],                               \
                      .values = field})

void cli_field_groups(struct cli_field *field, struct cli_group groups[CLI_FIELD_GROUPS]) {
  groups[0] = GROUP("The field", FIELD);
  groups[1] = GROUP("Its lattice", LATTICE);
  groups[2] = GROUP("Its octaves", OCTAVES);
  groups[3] = GROUP("Its values", RESULT);
  groups[4] = GROUP("Saved options", SAVED);
  groups[4].load = load;
  groups[4].unload = unload;
  groups[5] = GROUP("The computation", COMPUTATION);
}
