/* SPDX-License-Identifier: MIT
 *
 * Writes a map as a .zarr array: the chunks of a part that are missing. Whatever ends the run, the
 * chunks that are complete stay, and the same command continues.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/fill.h"
#include "formats/output.h"
#include "formats/json.h"
#include "zarr/store.h"

/* ---- Descriptions ---- */

static void print_line(const char *label, const char *json) {
  char *line = NULL;
  size_t length;
  FILE *stream = open_memstream(&line, &length);
  if (!stream)
    return;
  cli_json_print(stream, json);
  if (fclose(stream) == 0) {
    fprintf(stderr, "  %s: ", label);
    cli_print_text(stderr, line);
    fputc('\n', stderr);
  }
  free(line);
}

/* Another writer's level makes the same array. Returns 0 if no program could have written it. */
static int adopt_level(struct cli_array *array, const char *zarray) {
  struct cli_numbers sides;
  int compression, level;
  if (!cli_array_parse(zarray, &sides, &compression, &level))
    return 0;
  if (compression == array->compression)
    array->level = level;
  return 1;
}

int cli_fill_check_store(struct cli_fill *fill, int description) {
  const struct cli_command *command = fill->line.command;
  const char *folder = fill->options.file, *problem;
  char *stored = cli_array_read(folder, description, &problem);
  if (!stored)
    return cli_fail(command, "cannot read '%s%s': %s", folder, CLI_DESCRIPTION[description],
                    problem);
  const int is_valid = description != CLI_ZARRAY || adopt_level(&fill->array, stored);
  char *wanted = cli_array_describe(&fill->array, description);
  int status = 0;
  if (!wanted) {
    status = cli_fail(command, "%s", strerror(ENOMEM));
  } else if (!is_valid || !cli_json_includes(stored, wanted)) {
    status = cli_fail(command, "'%s' holds another map, which its %s describes:", folder,
                      CLI_DESCRIPTION[description] + 1);
    print_line("stored", stored);
    print_line("wanted", wanted);
  }
  free(stored);
  free(wanted);
  return status;
}

static int write_description(struct cli_fill *fill, int store, int description) {
  const char *name = CLI_DESCRIPTION[description] + 1;
  char *text = cli_array_describe(&fill->array, description);
  const char *problem =
      text ? cli_store_write(store, name, text, strlen(text), 1) : strerror(ENOMEM);
  free(text);
  if (problem)
    return cli_fail(fill->line.command, "cannot write '%s/%s': %s", fill->options.file, name,
                    problem);
  return cli_fill_check_store(fill, description); /* another process may have been faster */
}

/* ---- The folder ---- */

enum { HAS_ZARRAY = 1, HAS_ZATTRS = 2, HAS_OTHERS = 4 };

static void visit(void *context, const char *name) {
  unsigned *has = context;
  *has |= strcmp(name, ".zarray") == 0   ? HAS_ZARRAY
          : strcmp(name, ".zattrs") == 0 ? HAS_ZATTRS
                                         : HAS_OTHERS;
}

/* Checks that a folder has this array, or nothing else. Sets *is_described if it has. */
static int check_folder(struct cli_fill *fill, int store, int *is_described) {
  const char *folder = fill->options.file;
  unsigned has = 0;
  /* Another process may write chunks while the folder is read, but not before .zarray. */
  for (int i = 0; i < 2 && (has & (HAS_ZARRAY | HAS_OTHERS)) != HAS_ZARRAY; i++) {
    const char *problem = cli_store_list(store, CLI_DESCRIPTION[0] + 1, 0, visit, &has);
    if (problem)
      return cli_fail(fill->line.command, "cannot read '%s': %s", folder, problem);
  }
  *is_described = (has & HAS_ZARRAY) != 0;
  if ((has & HAS_OTHERS) && !*is_described)
    return cli_fail(fill->line.command,
                    "'%s' is a folder with other files and no .zarray; take another name", folder);
  int status = has & (HAS_ZARRAY | HAS_ZATTRS) ? cli_fill_check_store(fill, CLI_ZATTRS) : 0;
  if (status == 0 && *is_described)
    status = cli_fill_check_store(fill, CLI_ZARRAY);
  return status;
}

/* ---- The chunks ---- */

static int write_chunks(struct cli_fill *fill) {
  struct cli_run *run = &fill->run;
  const char *problem = cli_run_write(run);
  cli_progress_hide(&fill->progress);
  if (!problem && !run->signal)
    return 0;
  FILE *message = cli_begin_message();
  if (problem)
    fprintf(message, "cannot write '%s/%s': %s; ", fill->options.file, run->problem_chunk, problem);
  else
    fputs("interrupted: ", message);
  fprintf(message, "%" PRIu64 " of %" PRIu64 " chunks are complete; the same command%s continues",
          run->found + run->written, run->array->chunks,
          fill->options.resume ? "" : " without --resume=off");
  const int status = cli_end_failure(fill->line.command, message);
  if (run->signal)
    raise(run->signal); /* its handler is gone, so this ends the process */
  return status;
}

static int write_store(struct cli_fill *fill, int store) {
  int is_described = 0;
  int status = check_folder(fill, store, &is_described);
  if (status != 0)
    return status;
  const char *problem = cli_run_begin(&fill->run, &fill->array, store, fill->options.resume);
  if (problem)
    return cli_fail(fill->line.command, "cannot read '%s': %s", fill->options.file, problem);
  status = cli_fill_check_space(
      fill, store, (fill->array.chunks - fill->run.found) * cli_array_chunk_bytes(&fill->array));
  if (status == 0 && !is_described)
    status = write_description(fill, store, CLI_ZATTRS);
  if (status == 0 && !is_described)
    status = write_description(fill, store, CLI_ZARRAY);
  fill->progress.unit = "chunks";
  fill->progress.total = fill->array.chunks;
  cli_progress_found(&fill->progress, fill->run.found);
  return status == 0 ? write_chunks(fill) : status;
}

int cli_fill_store(struct cli_fill *fill) {
  const char *folder = fill->options.file, *problem;
  int is_new;
  const int store = cli_store_open(folder, &is_new, &problem);
  if (store < 0)
    return cli_fail(fill->line.command, "cannot create '%s': %s", folder, problem);
  const int status = write_store(fill, store);
  cli_run_free(&fill->run);
  close(store);
  if (status != 0 && is_new)
    rmdir(folder); /* fails if the array has been begun */
  return status;
}
