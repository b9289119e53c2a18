/* SPDX-License-Identifier: MIT
 *
 * Temporary files, their removal by signals, and the rename that makes a file appear.
 */
#include "formats/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "formats/format.h"
#include "options/messages.h"

/* Files to be removed if the program ends early: a map and the one beside it. */
enum { MAX_UNFINISHED = 2 };
static const char *volatile unfinished[MAX_UNFINISHED];

static volatile sig_atomic_t caught;

static void remove_unfinished(void) {
  for (int i = 0; i < MAX_UNFINISHED; i++)
    if (unfinished[i])
      unlink(unfinished[i]);
}

/* The first signal from outside asks for an end, which comes with the pieces in progress. */
static void on_signal(int number) {
  const int asks = !caught && number != SIGPIPE && number != SIGABRT;
  caught = number;
  if (asks)
    return;
  remove_unfinished();
  cli_output_raise();
}

int cli_output_caught(void) {
  return caught;
}

void cli_output_raise(void) {
  if (!caught)
    return;
  signal(caught, SIG_DFL);
  raise(caught);
}

/* Catches signals. Of those from outside, the first ends nothing by itself, but makes waiting calls
 * fail; a second one ends the program at once. */
static void catch_signals(void) {
  /* LLVM's OpenMP raises SIGABRT if it cannot start threads, and GNU's exits. */
  static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGABRT};
  static int at_exit;
  if (!at_exit)
    at_exit = atexit(remove_unfinished) == 0;
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    struct sigaction action;
    /* Signals that the caller ignores, as nohup does, stay ignored. */
    if (sigaction(signals[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN)
      continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaction(signals[i], &action, NULL);
  }
}

/* Replaces `before` by `now` in the list; NULL is a free place. */
static void replace_unfinished(const char *before, const char *now) {
  for (int i = 0; i < MAX_UNFINISHED; i++)
    if (unfinished[i] == before) {
      unfinished[i] = now;
      return;
    }
}

/* Sets the first folder of a path that does not exist, and the one that it is to be in; the path's
 * folder if all exist. Returns whether one is missing. */
static int find_missing(const char *path, char missing[CLI_NAME], char parent[CLI_NAME]) {
  struct stat status;
  int is_missing = 0;
  for (const char *end = path; !is_missing && (end = strchr(end + 1, '/')) != NULL;) {
    snprintf(missing, CLI_NAME, "%.*s", (int)(end - path), path);
    is_missing = lstat(missing, &status) != 0 && errno == ENOENT;
  }
  const char *within = is_missing ? missing : path;
  const int length = (int)(cli_last_part(within) - within);
  snprintf(parent, CLI_NAME, "%.*s", length > 0 ? length : 1, length > 0 ? within : ".");
  return is_missing;
}

const char *cli_output_make_folders(const char *path) {
  char folder[CLI_NAME], parent[CLI_NAME];
  while (find_missing(path, folder, parent))
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) /* which another process made meanwhile */
      return strerror(errno);
  return NULL;
}

void cli_output_follow(char name[CLI_NAME], const char *path) {
  struct stat status;
  if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode) || !realpath(path, name))
    snprintf(name, CLI_NAME, "%s", path);
}

int cli_output_is_stream(const char *path) {
  struct stat status;
  return cli_output_is_stdout(path) ||
         (stat(path, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)));
}

/* ---- The temporary file ---- */

/* Returns the permissions of a new file. */
static mode_t usual_mode(void) {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* Ends the work on a temporary file that has another name by now, or none. */
static void let_go(struct cli_output *output) {
  replace_unfinished(output->temporary, NULL);
  *output->temporary = '\0';
}

static const char *create(struct cli_output *output, mode_t mode) {
  const char *name = cli_last_part(output->target);
  /* A long name is cut, so that the temporary one is not longer than file systems take. */
  snprintf(output->temporary, CLI_NAME, "%.*s.%.230s.perlane-XXXXXX", (int)(name - output->target),
           output->target, name);
  const int file = mkstemp(output->temporary);
  if (file < 0) {
    *output->temporary = '\0';
    return strerror(errno);
  }
  replace_unfinished(NULL, output->temporary);
  (void)fchmod(file, mode); /* fails harmlessly on file systems without permissions */
  output->stream = fdopen(file, "wb");
  if (output->stream)
    return NULL;
  const char *problem = strerror(errno);
  close(file);
  cli_output_drop(output);
  return problem;
}

/* ---- Outputs ---- */

static const char *open_stream(struct cli_output *output, const char *path) {
  if (cli_output_is_stdout(path)) {
    output->stream = stdout;
    return NULL;
  }
  const int file = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  output->stream = file < 0 ? NULL : fdopen(file, "wb");
  return output->stream ? NULL : strerror(errno);
}

const char *cli_output_open(struct cli_output *output, const char *path) {
  memset(output, 0, sizeof *output);
  if (cli_output_is_stream(path))
    return open_stream(output, path);
  struct stat status;
  mode_t mode = usual_mode();
  if (stat(path, &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return strerror(EISDIR);
    if (!S_ISREG(status.st_mode))
      return "it is neither a regular file nor a stream";
    if (access(path, W_OK) != 0) /* rename would not check this */
      return strerror(errno);
    mode = status.st_mode & 0777;
  } else if (errno != ENOENT) {
    return strerror(errno);
  } else if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) { /* not made meanwhile */
    return "it is a link to a file that does not exist";
  }
  cli_output_follow(output->target, path); /* keeps a link and replaces the file it points to */
  catch_signals();
  return create(output, mode);
}

const char *cli_output_try(const char *path, int makes_folders) {
  char folder[CLI_NAME], parent[CLI_NAME];
  if (cli_output_is_stream(path))
    return NULL;
  if (makes_folders && find_missing(path, folder, parent))
    return access(parent, W_OK | X_OK) == 0 ? NULL : strerror(errno);
  static struct cli_output output;
  const char *problem = cli_output_open(&output, path);
  if (!problem)
    cli_output_drop(&output);
  return problem;
}

/* Returns the bytes that are free on the disk of an output; UINT64_MAX if that is unknown. */
static uint64_t free_bytes(const char *path) {
  char name[CLI_NAME], missing[CLI_NAME], folder[CLI_NAME];
  struct stat status;
  struct statvfs disk;
  cli_output_follow(name, path);
  find_missing(name, missing, folder);
  const int is_known = cli_output_is_stdout(path)
                           ? fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
                                 fstatvfs(STDOUT_FILENO, &disk) == 0
                           : !cli_output_is_stream(path) && statvfs(folder, &disk) == 0;
  return is_known && disk.f_blocks != 0 ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
}

int cli_output_check_space(const char *path, const char *tiles, uint64_t bytes) {
  char needed[16], available[16];
  const uint64_t room = free_bytes(path);
  return bytes <= room ? 0
                       : cli_fail("'%s'%s needs %" PRIu64 " bytes (%s), and %" PRIu64
                                  " (%s) are free; --force begins it anyway",
                                  path, tiles, bytes, cli_amount(needed, (double)bytes), room,
                                  cli_amount(available, (double)room));
}

/* Writes out everything and closes the stream. */
static const char *complete(struct cli_output *output) {
  const char *problem = NULL;
  if (!output->stream)
    return NULL;
  if (fflush(output->stream) != 0 || ferror(output->stream))
    problem = strerror(errno);
  /* A file that has its name is whole, after a power failure, too. */
  if (*output->temporary && !problem && fsync(fileno(output->stream)) != 0 && errno != EINVAL &&
      errno != EROFS && errno != ENOTSUP)
    problem = strerror(errno);
  if (output->stream != stdout && fclose(output->stream) != 0 && !problem)
    problem = strerror(errno);
  output->stream = NULL;
  return problem;
}

/* Gives a file its name, if there is one to be renamed. */
static const char *give_name(struct cli_output *output) {
  if (*output->temporary && rename(output->temporary, output->target) != 0)
    return strerror(errno);
  if (*output->temporary)
    let_go(output);
  return NULL;
}

/* A description must never be beside samples that it is not of, not even after a kill between two
 * renames. So earlier ones go first; then a new map comes last, but one that replaces an earlier
 * map comes before its descriptions. */
const char *cli_output_close_all(struct cli_output *output, int count, int *failed) {
  const char *problem = NULL;
  const int replaces = *output->target && access(output->target, F_OK) == 0;
  for (int i = 0; i < count && !problem; i++) {
    *failed = i;
    problem = complete(&output[i]);
  }
  for (int i = 1; i < count && !problem; i++) {
    *failed = i;
    if (*output[i].target && unlink(output[i].target) != 0 && errno != ENOENT)
      problem = strerror(errno);
  }
  for (int i = 0; i < count && !problem; i++) {
    *failed = replaces ? i : count - 1 - i;
    problem = give_name(&output[*failed]);
  }
  for (int i = 0; i < count && problem; i++)
    cli_output_drop(&output[i]);
  return problem;
}

void cli_output_drop(struct cli_output *output) {
  if (output->stream && output->stream != stdout)
    fclose(output->stream);
  output->stream = NULL;
  if (!*output->temporary)
    return;
  unlink(output->temporary);
  let_go(output);
}
