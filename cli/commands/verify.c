/* SPDX-License-Identifier: MIT
 *
 * perlane verify: computes the chunks of a .zarr array again and compares them with its files.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"
#include "commands/fill.h"
#include "field/saved.h"
#include "formats/carried.h"
#include "zarr/store.h"

static const struct cli_command VERIFY = {
    .name = "verify",
    .synopsis = "FOLDER [OPTION]...",
    .about = "Computes a .zarr array that `perlane fill` wrote again, from the options that it\n"
             "carries, and compares every byte of its chunks. Prints those that are missing,\n"
             "damaged or different, and how many there are of each. Exits with 1 if any is.",
    .examples = "Check a whole array.\n"
                "  perlane verify map.zarr\n"
                "Check the third of eight parts, on one of eight machines.\n"
                "  perlane verify map.zarr --part 3/8\n",
};

struct verify {
  const char *folder;
  struct cli_part part;
  struct cli_numbers threads;
  int quiet;
};

static const struct verify DEFAULTS = {.part = {1, 1}, .threads = {.count = 1}};

#define AT(member) offsetof(struct verify, member)

static const struct cli_option OPTIONS[] = {
    {"array", "FOLDER", &CLI_FILE, AT(folder), .heading = "Options",
     .help = "The array (required); the name of the option may be left out.", .required = 1,
     .is_operand = 1},
    {"part", "K/N", &CLI_PART, AT(part), .help = "Compares the K-th of N parts of the array."},
    {"threads", "N", &CLI_THREADS, AT(threads),
     .help = "The number of threads, 0 for one per processor."},
    {"quiet", NULL, &CLI_SWITCH, AT(quiet), .help = "Prints nothing on stderr but errors.",
     .letter = 'q'},
};

/* ---- The array ---- */

/* Notes that another version, whose bits may differ, wrote the array. */
static void note_version(const char *text) {
  static const char name[] = "perlane=";
  if (strncmp(text, name, strlen(name)) != 0)
    return;
  const char *version = text + strlen(name);
  const int length = (int)strcspn(version, " ");
  if (strncmp(version, perlane_version(), (size_t)length) != 0 || perlane_version()[length] != '\0')
    cli_note(&VERIFY, "perlane %.*s wrote the array, and this is %s", length, version,
             perlane_version());
}

/* Takes the chunks and the compression from the array's own description. */
static int read_layout(struct cli_fill *fill, const char *folder) {
  const char *problem;
  int level;
  char *zarray = cli_array_read(folder, CLI_ZARRAY, &problem);
  if (zarray && !cli_array_parse(zarray, &fill->options.chunk, &fill->options.compression, &level))
    problem = "it describes no array of perlane's";
  else if (zarray)
    problem = NULL;
  free(zarray);
  return problem ? cli_fail(&VERIFY, "cannot read '%s%s': %s", folder, CLI_DESCRIPTION[CLI_ZARRAY],
                            problem)
                 : 0;
}

static int format_index(void) {
  int index = 0;
  while (cli_format_at(index) != &CLI_ZARR)
    index++;
  return index;
}

/* Makes the fill that writes the array, whose options are a text that stays the caller's. */
static int plan(struct cli_fill *fill, const struct verify *verify, char *text) {
  int status = cli_apply_map(&fill->line, &fill->field, verify->folder);
  if (status == 0)
    status = read_layout(fill, verify->folder);
  if (status != 0)
    return status;
  fill->options.file = verify->folder;
  fill->options.format = format_index();
  fill->options.part = verify->part;
  fill->work.threads = verify->threads;
  fill->work.quiet = 1; /* the notes are about options */
  status = cli_fill_complete(fill);
  if (status == 0)
    status = cli_fill_plan(fill);
  fill->map.params = text;
  if (status == 0)
    status = cli_fill_check_store(fill, CLI_ZARRAY);
  if (status == 0)
    status = cli_fill_check_store(fill, CLI_ZATTRS);
  return status;
}

/* ---- Comparing ---- */

struct results {
  const char *folder;
  int dims;
  uint64_t count[CLI_RESULTS];
};

static void report(void *context, const char *chunk, const struct cli_difference *difference) {
  struct results *results = context;
  results->count[difference->result]++;
  if (difference->result == CLI_EQUAL)
    return;
  cli_print_text(stdout, results->folder);
  printf("/%s: ", chunk);
  if (difference->result == CLI_DIFFERENT) {
    fputs("differs from sample ", stdout);
    for (int a = 0; a < results->dims; a++)
      printf("%s%" PRIu64, a ? "," : "", difference->sample[a]);
    puts(" on");
  } else if (difference->result == CLI_MISSING) {
    puts("missing");
  } else {
    printf("damaged: %s\n", difference->problem);
  }
}

static int compare(struct cli_fill *fill, int quiet) {
  const struct cli_array *array = &fill->array;
  struct results results = {.folder = array->folder, .dims = fill->map.dims};
  const char *problem;
  const int store = cli_store_open(array->folder, NULL, &problem);
  if (store < 0)
    return cli_fail(&VERIFY, "cannot read '%s': %s", array->folder, problem);
  fill->progress = cli_progress_begin(array->chunks, !quiet);
  fill->progress.unit = "chunks";
  fill->progress.name = array->folder;
  fill->stream.progress = &fill->progress;
  problem = cli_run_compare(array, store, report, &results);
  cli_progress_end(&fill->progress);
  close(store);
  if (problem)
    return cli_fail(&VERIFY, "%s", problem);
  const uint64_t *count = results.count;
  cli_print_text(stdout, array->folder);
  printf(": %" PRIu64 " chunks: %" PRIu64 " equal, %" PRIu64 " different, %" PRIu64
         " damaged, %" PRIu64 " missing\n",
         array->chunks, count[CLI_EQUAL], count[CLI_DIFFERENT], count[CLI_DAMAGED],
         count[CLI_MISSING]);
  const int status = cli_finish_stdout(&VERIFY);
  if (status != 0 || count[CLI_EQUAL] == array->chunks)
    return status;
  return cli_fail(&VERIFY,
                  "'%s' is not what its options make; remove the files listed, and 'perlane fill' "
                  "writes those chunks again",
                  array->folder);
}

/* ---- The command ---- */

int cli_verify(int argc, char **argv) {
  static struct cli_fill fill;
  struct verify verify = DEFAULTS;
  struct cli_group group =
      cli_group_of(OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0], &verify, &DEFAULTS);
  const struct cli_command_line line = {.command = &VERIFY, .group = &group, .groups = 1};
  int status = cli_parse(&line, argc, argv);
  if (status != CLI_PARSED)
    return status;
  if (!verify.folder)
    return cli_refuse(&VERIFY, "FOLDER is missing: the array to verify");
  const char *problem;
  char *text = cli_carried_read(verify.folder, &problem);
  if (!text)
    return cli_fail(&VERIFY, "cannot read the options of '%s': %s", verify.folder, problem);
  if (!verify.quiet)
    note_version(text);
  cli_fill_begin(&fill, &VERIFY);
  status = plan(&fill, &verify, text);
  if (status == 0)
    status = compare(&fill, verify.quiet);
  cli_fill_end(&fill);
  free(text);
  return status;
}
