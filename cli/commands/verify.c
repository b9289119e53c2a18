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

static const struct cli_command VERIFY = {
    .name = "verify",
    .synopsis = "FILE... [OPTION]...",
    .about = "Computes files of 'perlane fill' again, from the options that each carries, and\n"
             "compares every sample. Lists the files that are missing or damaged, those that\n"
             "differ, with the first sample that does, and those that cannot be compared,\n"
             "because this build cannot read them or they carry no options. The exit status is\n"
             "0 if all are equal, otherwise 1. A PNG or TIFF that another program compressed\n"
             "again, or a TIFF with other tiles, such as a COG, is equal if its samples are.",
    .examples = "Check a map.\n"
                "  $ perlane verify map.png\n"
                "Check all maps in a folder.\n"
                "  $ perlane verify maps\n"
                "Check the third of eight parts of the tiles map_x0_y0.png, map_x1_y0.png ...\n"
                "  $ perlane verify map.png --tiles 16x16 --part 3/8\n",
};

struct names {
  char **at;
  size_t count;
};

struct verify {
  struct names given;
  struct cli_map_options map; /* its format, engine, tiles, overlap and part */
  struct cli_numbers threads;
};

static const struct verify DEFAULTS = {.map = {.format = -1, .engine = -1, .part = CLI_WHOLE},
                                       .threads = {.count = 1}};

/* ---- Names ---- */

static void add_name(struct names *names, const char *name) {
  names->at = cli_need(realloc(names->at, (names->count + 1) * sizeof *names->at));
  names->at[names->count++] = cli_need(strdup(name));
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
static void add_file(struct names *names, const char *file) {
  struct dirent **entry = NULL;
  const int count = scandir(file, &entry, is_map, alphasort);
  if (count < 0 && errno == ENOMEM)
    cli_need(NULL);
  if (count <= 0) /* no folder, or no map in it */
    add_name(names, file);
  for (int i = 0; i < count; i++) {
    char name[CLI_NAME];
    snprintf(name, sizeof name, "%s%s%s", file, *cli_last_part(file) ? "/" : "", entry[i]->d_name);
    add_name(names, name);
    free(entry[i]);
  }
  free(entry);
}

/* Makes the list of files: of tiles by their number, of folders by what they hold. Returns 0, or
 * the exit status. */
static int list_files(const struct verify *verify, struct names *files) {
  const struct cli_engine *engine = cli_engine_at(verify->map.engine);
  const struct cli_format *format = cli_format_at(verify->map.format);
  const struct cli_tiles tiles = cli_map_tiles(&verify->map);
  char name[CLI_NAME], tile[CLI_NAME];
  if (tiles.axes > 0) {
    if (verify->given.count > 1)
      return cli_refuse("'%s': with --tiles there is one FILE, as -o of fill has it",
                        verify->given.at[1]);
    const char *file =
        cli_fill_file(name, verify->given.at[0], format || !engine ? format : engine->format[0]);
    if (cli_tiles_check_names(file, &tiles) != 0)
      return CLI_USAGE;
    for (int64_t i = 0; i < cli_tiles_count(&tiles); i++) {
      cli_tile_name(tile, file, engine, &tiles, i);
      add_name(files, tile);
    }
  }
  for (size_t i = 0; i < verify->given.count && tiles.axes == 0; i++)
    add_file(files, verify->given.at[i]);
  return 0;
}

/* ---- Options ---- */

static int add_given(struct cli_command_line *line, void *values, char *text) {
  struct verify *verify = values;
  (void)line;
  add_name(&verify->given, text);
  return 0;
}

#define AT(member) offsetof(struct verify, member)

static const struct cli_option OPTIONS[] = {
    {"file", "FILE", &CLI_FILE, 0, .heading = "Options",
     .help = "A map, or a folder of maps (required); the name of the option may be left out.",
     .required = 1, .is_operand = 1, .apply = add_given},
    {"format", "NAME", &CLI_FORMAT, AT(map.format),
     .help = "The format, whatever the files' suffix is."},
    {"tiles", "NxM[xL]", &CLI_TILES, AT(map.tiles),
     .help = "The files are the tiles of one map, N along x and M along y; FILE is the name that "
             "-o of fill had. Missing tiles are then listed, too."},
    {"for", "ENGINE", &CLI_ENGINE, AT(map.engine),
     .help = "The tiles have the names that --for of fill gave them."},
    {"overlap", "N", &CLI_OVERLAP, AT(map.overlap),
     .help = "The samples that tiles share, as in --overlap of fill."},
    {"part", "K/N", &CLI_PART, AT(map.part),
     .help = "Compares the K-th of N parts of the tiles, as --part of fill writes it, or of the "
             "files."},
    {"threads", "N", &CLI_THREADS, AT(threads), .help = "The number of threads, as for fill."},
};

/* ---- Options of files ---- */

static const char NOTHING[] = "nothing can be made of its options";
static const char NO_SUFFIX[] = "its name has no suffix of a format; --format says what it is";

/* Reads the options of a file, as fill does to write it again. Returns 0, or the exit status. */
static int begin(struct cli_request *request, const struct verify *verify, char *file) {
  cli_request_begin(request, &VERIFY, CLI_MAP);
  const int status = cli_apply(&request->line, cli_add_map(&request->line, &request->field, file));
  request->map.file = file;
  request->map.format = verify->map.format;
  request->work.threads = verify->threads;
  request->is_there = 1;
  return status;
}

/* Returns what all tiles of a map have in common, to be freed: their options without the version,
 * with the `first` of tile 0. */
static char *key_of(const struct verify *verify, struct cli_request *request, int64_t tile) {
  const struct cli_tiles tiles = cli_map_tiles(&verify->map);
  const struct cli_numbers first = request->map.first;
  int64_t begin[CLI_TILE_AXES];
  cli_tile_begin(begin, &tiles, &request->map.size, tile);
  request->map.first.count = request->map.size.count;
  for (int a = 0; a < CLI_TILE_AXES; a++) /* unsigned: whatever a file says */
    request->map.first.at[a].whole = (int64_t)((uint64_t)first.at[a].whole - (uint64_t)begin[a]);
  char *text = cli_text_print(&request->line, " ");
  request->map.first = first;
  const char *const rest = text + strcspn(text, " "); /* without the version */
  return memmove(text, rest, strlen(rest) + 1);
}

/* Returns the key that most tiles have, by Boyer and Moore's vote, to be freed; NULL for none. */
static char *vote(const struct verify *verify, const struct names *files, const int64_t range[2]) {
  static struct cli_request request;
  char *most = NULL;
  int64_t votes = 0;
  for (int64_t tile = range[0]; tile < range[1] && verify->map.tiles.count > 0; tile++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are as many files as tiles */
    const int is_read = begin(&request, verify, files->at[tile]) == 0;
    char *key = is_read ? key_of(verify, &request, tile) : NULL;
    cli_request_end(&request);
    cli_drop_message();
    if (key && votes == 0) {
      free(most);
      most = cli_need(strdup(key));
    }
    if (key)
      votes += strcmp(key, most) == 0 ? 1 : -1;
    free(key);
  }
  return most;
}

/* ---- A file ---- */

enum state { EQUAL, DIFFERENT, DAMAGED, MISSING, UNREAD, STATES, FAILED = STATES };

/* Prints a line on a file that is not equal. Returns its state. */
static enum state say(enum state state, const char *file, const char *what) {
  static const char *const STATE[STATES] = {[DIFFERENT] = "differs ",
                                            [DAMAGED] = "damaged: ",
                                            [MISSING] = "missing",
                                            [UNREAD] = "not compared: "};
  cli_print_text(stdout, file);
  printf(": %s", STATE[state]);
  cli_print_text(stdout, what);
  putchar('\n');
  return state;
}

/* Says how a tile's key differs from that of most tiles. */
static enum state say_foreign(const char *file, const char *key, const char *most) {
  const char *begins = key;
  char *what;
  FILE *stream = cli_open_text(&what);
  for (; *key != '\0' && *key == *most; key++, most++)
    begins = *key == ' ' ? key : begins;
  most -= key - begins;
  fputs("in its options, which are of another ", stream);
  if (strncmp(begins, " first=", 7) == 0 || strncmp(most, " first=", 7) == 0)
    fputs("place in the map, or of another --overlap", stream);
  else
    fprintf(stream, "map: they have%.*s where others have%.*s", (int)strcspn(begins + 1, " ") + 1,
            begins, (int)strcspn(most + 1, " ") + 1, most);
  cli_close_text(stream);
  say(DIFFERENT, file, what);
  free(what);
  return DIFFERENT;
}

/* Compares a file with what a request makes, the head first: it bounds the work, whatever the
 * options say. */
static enum state compare(struct cli_plan *plan, struct cli_request *request, FILE *stream) {
  const char *file = request->map.file, *problem = NULL;
  char place[128] = "from sample ";
  struct cli_difference difference = {0};
  int status = cli_fill_complete(plan, request);
  if (status == 0) {
    cli_plan_shape(plan, request);
    if (!cli_compare_open(&plan->map, plan->format, stream, &difference))
      status = cli_plan_make(plan, request);
    if (status == 0 && !difference.damage) {
      struct cli_progress progress = cli_progress_begin(file, cli_grid_samples(&plan->stream.grid));
      plan->stream.progress = &progress;
      problem = cli_compare(&plan->stream);
      cli_progress_end(&progress);
    }
    cli_compare_close();
  }
  cli_print_message();
  if (problem)
    cli_fail("cannot compare '%s': %s", file, problem);
  for (int a = 0; a < plan->map.dims; a++)
    snprintf(place + strlen(place), 32, "%" PRIu64 "%s", difference.sample[a],
             a + 1 < plan->map.dims ? "," : " on");
  return problem             ? FAILED
         : status != 0       ? say(DAMAGED, file, NOTHING)
         : difference.damage ? say(difference.is_unread ? UNREAD : DAMAGED, file, difference.damage)
         : difference.differs ? say(DIFFERENT, file, place)
                              : EQUAL;
}

/* Compares a file with the options that it carries, and these with `most`, what all tiles have in
 * common, if that is not NULL. */
static enum state look_at(const struct verify *verify, char *file, int64_t tile, const char *most) {
  static struct cli_request request;
  static struct cli_plan plan;
  const char *problem;
  int is_damaged;
  char *text = cli_carried_read(file, &problem, &is_damaged);
  if (!text && access(file, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
    return say(MISSING, file, "");
  if (!text)
    return say(is_damaged ? DAMAGED : UNREAD, file, problem);
  memset(&plan, 0, sizeof plan);
  plan.map.params = cli_fill_options(text);
  const int has_format = verify->map.format >= 0 || cli_format_of(file);
  const int is_read = begin(&request, verify, file) == 0;
  char *key = is_read && most ? key_of(verify, &request, tile) : NULL;
  FILE *stream = fopen(file, "rb");
  if (has_format)
    cli_print_message();
  cli_drop_message();
  const enum state state = !has_format                     ? say(UNREAD, file, NO_SUFFIX)
                           : !is_read                      ? say(DAMAGED, file, NOTHING)
                           : key && strcmp(key, most) != 0 ? say_foreign(file, key, most)
                           : stream                        ? compare(&plan, &request, stream)
                                                           : say(UNREAD, file, strerror(errno));
  if (stream)
    fclose(stream);
  cli_request_end(&request);
  free(key);
  free(text);
  return state;
}

static int verify_files(const struct verify *verify, const struct names *files) {
  uint64_t count[STATES + 1] = {0};
  int64_t range[2];
  enum state state = EQUAL;
  cli_part_range(&verify->map.part, files->count, range);
  char *most = vote(verify, files, range);
  for (int64_t i = range[0]; i < range[1] && state != FAILED; i++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the range is within the files */
    state = look_at(verify, files->at[i], i, most);
    count[state]++;
  }
  free(most);
  if (state == FAILED)
    return CLI_FAILURE;
  printf("%" PRId64 " file%s: %" PRIu64 " equal, %" PRIu64 " different, %" PRIu64
         " damaged, %" PRIu64 " missing",
         range[1] - range[0], range[1] - range[0] == 1 ? "" : "s", count[EQUAL], count[DIFFERENT],
         count[DAMAGED], count[MISSING]);
  if (count[UNREAD] > 0)
    printf(", %" PRIu64 " not compared", count[UNREAD]);
  putchar('\n');
  const int status = cli_finish_stdout();
  if (status != 0 || count[EQUAL] == (uint64_t)(range[1] - range[0]))
    return status;
  return count[DIFFERENT] + count[DAMAGED] + count[MISSING] == 0
             ? cli_fail("not all files can be compared here")
             : cli_fail("not all is there as its options make it; remove the files that are "
                        "different or damaged, and 'perlane fill' writes them again%s",
                        count[MISSING] > 0 && verify->map.tiles.count == 0
                            ? "; for a map in tiles, give its --tiles, too"
                            : "");
}

int cli_verify(char **argv) {
  struct verify verify = DEFAULTS;
  struct names files = {0};
  struct cli_command_line line = {.command = &VERIFY};
  cli_add_options(&line, OPTIONS, CLI_COUNT(OPTIONS), &verify, &DEFAULTS, 0);
  cli_add_quiet(&line);
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
