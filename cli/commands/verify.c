/* SPDX-License-Identifier: MIT
 *
 * perlane verify: computes the chunks of a .zarr array again and compares them with its files.
 */
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "field/field.h"
#include "formats/carried.h"
#include "map/plan.h"
#include "zarr/array.h"

static const struct cli_command VERIFY = {
    .name = "verify",
    .synopsis = "FOLDER [OPTION]...",
    .about = "Computes a .zarr array of 'perlane fill' again, from the options that the array\n"
             "carries, and compares every byte of its chunks. Prints those that are damaged\n"
             "or different, the first ten that are missing, and how many there are of each.\n"
             "Exits with 1 if any is.",
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

/* Notes that another version, whose bits may differ, wrote the array. */
static void note_version(const char *text) {
  static const char name[] = "perlane=";
  if (strncmp(text, name, strlen(name)) != 0)
    return;
  const char *version = text + strlen(name);
  const int length = (int)strcspn(version, " ");
  if (strncmp(version, perlane_version(), (size_t)length) != 0 || perlane_version()[length] != '\0')
    cli_note("perlane %.*s wrote the array, and this is %s", length, version, perlane_version());
}

/* Plans the map that an array's options describe. Heights alone: arrays have no pictures. */
static int plan_map(struct cli_plan *plan, struct cli_request *request,
                    const struct verify *verify) {
  static const int64_t usual_size[2] = {1024, 1024};
  const int status = cli_apply_map(&request->line, &request->field, verify->folder);
  if (status != 0)
    return status;
  request->map.compression = -1; /* the array's own description has it */
  request->work.threads = verify->threads;
  request->picture = *(const struct cli_picture *)request->group[CLI_OF_PICTURE].defaults;
  if (request->map.bits == 0)
    request->map.bits = CLI_ZARR.usual;
  cli_map_complete_size(&request->map, usual_size);
  return cli_plan_make(plan, request);
}

static int verify_array(const struct verify *verify, struct cli_request *request, char *text) {
  static struct cli_plan plan;
  struct cli_array array;
  struct cli_numbers sides; /* of chunks */
  plan = (struct cli_plan){.tiles = {.count = {1, 1}}, .map.params = text};
  int status = cli_array_read_layout(verify->folder, &sides, &plan.map.compression);
  if (status == 0)
    status = plan_map(&plan, request, verify);
  if (status != 0)
    return status;
  const char *problem = cli_array_make(&array, verify->folder, &plan.stream, &sides, &verify->part);
  if (problem)
    return cli_fail("'%s%s' and the array's options do not agree: %s", verify->folder,
                    CLI_DESCRIPTION[CLI_ZARRAY], problem);
  struct cli_progress progress = cli_progress_begin(array.chunks, !verify->quiet);
  progress.name = verify->folder;
  plan.stream.progress = &progress;
  status = CLI_ZARR.verify(&array);
  plan.stream.progress = NULL;
  return status;
}

int cli_verify(char **argv) {
  static struct cli_request request;
  struct verify verify = DEFAULTS;
  struct cli_group group = CLI_GROUP_OF(OPTIONS, &verify, &DEFAULTS);
  const struct cli_command_line line = {.command = &VERIFY, .group = &group, .groups = 1};
  int status = cli_parse(&line, argv);
  if (status != 0)
    return status;
  if (!verify.folder)
    return cli_refuse("FOLDER is missing: the array to verify");
  const char *problem;
  char *text = cli_carried_read(verify.folder, &problem);
  if (!text)
    return cli_fail("cannot read the options of '%s': %s", verify.folder, problem);
  if (!verify.quiet)
    note_version(text);
  cli_request_begin(&request, &VERIFY, cli_points_foreign());
  status = verify_array(&verify, &request, text);
  cli_request_end(&request);
  free(text);
  return status;
}
