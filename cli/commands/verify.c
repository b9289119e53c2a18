/* SPDX-License-Identifier: MIT
 *
 * perlane verify: computes maps again and compares them with their files.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"
#include "commands/fill.h"
#include "map/compare.h"

static const struct cli_command VERIFY = {
    .name = "verify",
    .synopsis = "FILE... [OPTION]...",
    .about = "Computes files of 'perlane fill' again, from the options that each carries, and\n"
             "compares every sample. Prints those that are missing, damaged or different, the\n"
             "latter with the first sample that differs. Exits with 1 if any is.",
    .examples = "Check a map.\n"
                "  perlane verify map.png\n"
                "Check all maps in a folder.\n"
                "  perlane verify maps\n"
                "Check the third of eight parts of the tiles map_x0_y0.png, map_x1_y0.png ...\n"
                "  perlane verify map.png --tiles 16x16 --part 3/8\n",
};

struct names {
  char **at;
  size_t count;
};

struct verify {
  struct names given;
  int format, engine;
  const char *tile_names;
  struct cli_numbers tiles, threads, part;
  int quiet;
};

static const struct verify DEFAULTS = {
    .format = -1, .engine = -1, .part = CLI_WHOLE, .threads = {.count = 1}};

/* ---- Names ---- */

static int add_name(struct names *names, const char *name) {
  char **at = realloc(names->at, (names->count + 1) * sizeof *at);
  if (!at)
    return 0;
  names->at = at;
  at[names->count] = strdup(name);
  return at[names->count++] != NULL;
}

static void free_names(struct names *names) {
  for (size_t i = 0; i < names->count; i++)
    free(names->at[i]);
  free(names->at);
}

static int is_map(const struct dirent *entry) {
  return entry->d_name[0] != '.' && cli_format_of(entry->d_name);
}

/* Adds the maps in a folder, by their names, or a file. */
static int add_file(struct names *names, const char *file) {
  struct dirent **entry;
  const int count = scandir(file, &entry, is_map, alphasort);
  int added = 1;
  if (count < 0) /* no folder */
    return errno != ENOMEM && add_name(names, file);
  if (count == 0) /* nor a map */
    added = add_name(names, file);
  for (int i = 0; i < count; i++) {
    char name[CLI_NAME];
    snprintf(name, sizeof name, "%s%s%s", file, *cli_last_part(file) ? "/" : "", entry[i]->d_name);
    added = added && add_name(names, name);
    free(entry[i]);
  }
  free(entry);
  return added;
}

/* Makes the list of files: of tiles by their number, of folders by what they hold. Returns 0, or
 * the exit status. */
static int list_files(const struct verify *verify, struct names *files) {
  const struct cli_engine *engine = cli_engine_at(verify->engine);
  char name[CLI_NAME], tile[CLI_NAME];
  int added = 1;
  if (verify->tiles.count > 0) {
    if (verify->given.count > 1)
      return cli_refuse("'%s': with --tiles there is one FILE, as -o of fill has it",
                        verify->given.at[1]);
    const char *file = cli_fill_file(name, verify->given.at[0], engine);
    const struct cli_tiles tiles = {
        .count = {verify->tiles.at[0].whole, verify->tiles.at[verify->tiles.count - 1].whole}};
    for (int64_t i = 0; i < tiles.count[0] * tiles.count[1] && added; i++) {
      cli_tile_name(tile, file, verify->tile_names, engine, &tiles, i);
      added = add_name(files, tile);
    }
  }
  for (size_t i = 0; i < verify->given.count && verify->tiles.count == 0 && added; i++)
    added = add_file(files, verify->given.at[i]);
  return added ? 0 : cli_fail("%s", strerror(ENOMEM));
}

/* ---- Options ---- */

static int add_given(struct cli_command_line *line, void *values, char *text) {
  struct verify *verify = values;
  (void)line;
  return add_name(&verify->given, text) ? 0 : cli_fail("%s", strerror(ENOMEM));
}

#define AT(member) offsetof(struct verify, member)

static const struct cli_option OPTIONS[] = {
    {"file", "FILE", &CLI_FILE, 0, .heading = "Options",
     .help = "A map, or a folder of maps (required); the name of the option may be left out.",
     .required = 1, .is_operand = 1, .apply = add_given},
    {"format", "NAME", &CLI_FORMAT, AT(format),
     .help = "The format, whatever the files' suffix is."},
    {"tiles", "NxM", &CLI_TILES, AT(tiles),
     .help =
         "Compares so many columns and rows of tiles, of which FILE is the name that -o of fill "
         "has. Those that are missing are then known."},
    {"for", "ENGINE", &CLI_ENGINE, AT(engine),
     .help = "Tiles have the names that this engine wants."},
    {"tile-names", "PATTERN", &CLI_TILE_NAMES, AT(tile_names),
     .help = "The names of tiles, as --tile-names of fill has them."},
    {"part", "K/N", &CLI_PART, AT(part),
     .help = "Compares the K-th of N parts of the tiles, as --part of fill writes it, or of the "
             "files."},
    {"threads", "N", &CLI_THREADS, AT(threads),
     .help = "The number of threads, 0 for one per processor."},
    {"quiet", NULL, &CLI_SWITCH, AT(quiet), .help = "Prints nothing on stderr but errors.",
     .letter = 'q'},
};

/* ---- A file ---- */

enum state { EQUAL, DIFFERENT, DAMAGED, MISSING, STATES };

/* Plans the map of a file's options as fill does to write it again. Returns 0, or the exit status.
 */
static int plan_map(struct cli_plan *plan, struct cli_request *request, const struct verify *verify,
                    char *file) {
  int status = cli_apply(&request->line, cli_add_map(&request->line, &request->field, file));
  request->map.file = file;
  request->map.format = verify->format;
  request->work.threads = verify->threads;
  if (status == 0)
    status = cli_fill_complete(request, plan);
  return status == 0 ? cli_plan_make(plan, request) : status;
}

/* Compares a file with the samples of a plan. Returns 0, or the exit status. */
static int compare(struct cli_plan *plan, const struct verify *verify, const char *file,
                   struct cli_difference *difference) {
  FILE *stream = fopen(file, "rb");
  if (!stream)
    return cli_fail("cannot read '%s': %s", file, strerror(errno));
  struct cli_progress progress =
      cli_progress_begin(file, cli_grid_samples(&plan->stream.grid), !verify->quiet);
  plan->stream.progress = &progress;
  const char *problem = cli_compare(&plan->stream, plan->format, stream, difference);
  cli_progress_end(&progress);
  fclose(stream);
  return problem ? cli_fail("cannot compare '%s': %s", file, problem) : 0;
}

static void print_state(const char *file, enum state state, const struct cli_difference *difference,
                        int dims) {
  if (state == EQUAL)
    return;
  cli_print_text(stdout, file);
  if (state == MISSING)
    puts(": missing");
  else if (state == DAMAGED)
    printf(": damaged: %s\n", difference->damage);
  for (int a = 0; a < dims && state == DIFFERENT; a++)
    printf("%s%" PRIu64 "%s", a ? "," : ": differs from sample ", difference->sample[a],
           a + 1 < dims ? "" : " on\n");
}

static int verify_file(const struct verify *verify, char *file, uint64_t count[STATES]) {
  static struct cli_request request;
  static struct cli_plan plan;
  struct cli_difference difference = {0};
  enum state state = EQUAL;
  int status = 0;
  char *text = cli_carried_read(file, &difference.damage);
  memset(&plan, 0, sizeof plan);
  if (text) {
    difference.damage = NULL;
    plan.map.params = cli_fill_options(text);
    cli_request_begin(&request, &VERIFY, 0);
    if (plan_map(&plan, &request, verify, file) != 0) {
      cli_print_message();
      difference.damage = "nothing can be made of its options";
    } else {
      status = compare(&plan, verify, file, &difference);
    }
    cli_request_end(&request);
  }
  if (difference.damage)
    state = access(file, F_OK) != 0 ? MISSING : DAMAGED;
  else if (difference.differs)
    state = DIFFERENT;
  if (status == 0) {
    print_state(file, state, &difference, plan.map.dims);
    count[state]++;
  }
  free(text);
  return status;
}

static int verify_files(const struct verify *verify, const struct names *files) {
  uint64_t count[STATES] = {0};
  int64_t range[2];
  int status = 0;
  cli_part_range(&verify->part, files->count, range);
  for (int64_t i = range[0]; i < range[1] && status == 0; i++)
    status = verify_file(verify, files->at[i], count);
  if (status != 0)
    return status;
  printf("%" PRId64 " file%s: %" PRIu64 " equal, %" PRIu64 " different, %" PRIu64
         " damaged, %" PRIu64 " missing\n",
         range[1] - range[0], range[1] - range[0] == 1 ? "" : "s", count[EQUAL], count[DIFFERENT],
         count[DAMAGED], count[MISSING]);
  status = cli_finish_stdout();
  return status != 0 || count[EQUAL] == (uint64_t)(range[1] - range[0])
             ? status
             : cli_fail("not all is there as its options make it; remove the files listed, and "
                        "'perlane fill' writes them again");
}

int cli_verify(char **argv) {
  struct verify verify = DEFAULTS;
  struct names files = {0};
  struct cli_command_line line = {.command = &VERIFY};
  cli_add_options(&line, OPTIONS, CLI_COUNT(OPTIONS), &verify, &DEFAULTS, 0);
  int status = cli_parse(&line, argv);
  if (status == 0 && verify.given.count == 0)
    status = cli_refuse("FILE is missing: the map to verify");
  if (status == 0)
    status = list_files(&verify, &files);
  if (status == 0)
    status = verify_files(&verify, &files);
  free_names(&files);
  free_names(&verify.given);
  return status;
}
