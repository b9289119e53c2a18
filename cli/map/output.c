/* SPDX-License-Identifier: MIT
 *
 * Temporary files, their removal by signals, and the rename that makes a file appear.
 */
#include "map/output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/format.h"

/* The names of files that a signal has to remove: a map, and the file beside it. Changed only while
 * these signals are blocked. */
enum { MOST_UNFINISHED = 2 };
static const char *volatile unfinished[MOST_UNFINISHED];

/* SIGABRT is how LLVM's OpenMP ends a program for which it cannot start threads. */
static const int SIGNALS[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGABRT};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof SIGNALS[0] };

static void remove_unfinished(void) {
  for (int i = 0; i < MOST_UNFINISHED; i++)
    if (unfinished[i])
      unlink(unfinished[i]);
}

static void remove_and_die(int number) {
  remove_unfinished();
  raise(number); /* the handler is gone by SA_RESETHAND, so this ends the process */
}

static void install_handlers(void) {
  /* GNU's OpenMP exits where it cannot start a thread. */
  static int at_exit;
  if (!at_exit)
    at_exit = atexit(remove_unfinished) == 0;
  for (int i = 0; i < SIGNAL_COUNT; i++) {
    struct sigaction action;
    /* What the caller ignores, as nohup does, stays ignored. */
    if (sigaction(SIGNALS[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN)
      continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = remove_and_die;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (int j = 0; j < SIGNAL_COUNT; j++)
      sigaddset(&action.sa_mask, SIGNALS[j]);
    sigaction(SIGNALS[i], &action, NULL);
  }
}

static sigset_t block_signals(void) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  for (int i = 0; i < SIGNAL_COUNT; i++)
    sigaddset(&blocked, SIGNALS[i]);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  return before;
}

static void restore_signals(sigset_t before) {
  sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Puts `now` where `before` is; NULL for neither. */
static void replace_unfinished(const char *before, const char *now) {
  for (int i = 0; i < MOST_UNFINISHED; i++)
    if (unfinished[i] == before) {
      unfinished[i] = now;
      return;
    }
}

static int stat_directory_of(const char *path, struct stat *status) {
  const size_t length = (size_t)(cli_last_part(path) - path);
  if (length == 0)
    return stat(".", status);
  char *directory = strndup(path, length);
  const int result = directory ? stat(directory, status) : -1;
  free(directory);
  return result;
}

int cli_output_same(const char *a, const char *b) {
  struct stat status_a, status_b;
  const int exist = (stat(a, &status_a) == 0) + (stat(b, &status_b) == 0);
  if (exist == 1)
    return 0;
  if (exist == 0 && (strcmp(cli_last_part(a), cli_last_part(b)) != 0 ||
                     stat_directory_of(a, &status_a) != 0 || stat_directory_of(b, &status_b) != 0))
    return 0;
  return status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
}

static char *temporary_beside(const char *target) {
  static const char name[] = ".perlane-XXXXXX";
  const size_t directory = (size_t)(cli_last_part(target) - target);
  char *path = malloc(directory + sizeof name);
  if (path) {
    memcpy(path, target, directory);
    memcpy(path + directory, name, sizeof name);
  }
  return path;
}

static void free_names(struct cli_output *output) {
  free(output->target);
  free(output->temporary);
  memset(output, 0, sizeof *output);
}

/* Permissions of a new file. */
static mode_t usual_mode(void) {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static const char *create(struct cli_output *output, mode_t mode) {
  const int file = mkstemp(output->temporary);
  if (file < 0)
    return strerror(errno);
  replace_unfinished(NULL, output->temporary);
  /* mkstemp's files are private. Where a file system has no permissions, this fails harmlessly. */
  (void)fchmod(file, mode);
  output->stream = fdopen(file, "wb");
  if (output->stream)
    return NULL;
  const char *problem = strerror(errno);
  close(file);
  unlink(output->temporary);
  replace_unfinished(output->temporary, NULL);
  return problem;
}

const char *cli_output_open(struct cli_output *output, const char *path) {
  memset(output, 0, sizeof *output);
  struct stat status;
  mode_t mode = usual_mode();
  if (stat(path, &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return strerror(EISDIR);
    if (!S_ISREG(status.st_mode))
      return "it exists and is not a regular file";
    if (access(path, W_OK) != 0) /* which renaming would not ask for */
      return strerror(errno);
    mode = status.st_mode & 0777;
    output->target = realpath(path, NULL); /* a link stays, what it points to is replaced */
  } else if (errno != ENOENT) {
    return strerror(errno);
  } else if (lstat(path, &status) == 0) {
    return "it is a link to a file that is not there";
  } else {
    output->target = strdup(path);
  }
  if (output->target)
    output->temporary = temporary_beside(output->target);
  if (!output->temporary) {
    const char *problem = strerror(errno);
    free_names(output);
    return problem;
  }
  install_handlers();
  const sigset_t before = block_signals();
  const char *problem = create(output, mode);
  restore_signals(before);
  if (problem)
    free_names(output);
  return problem;
}

const char *cli_output_try(const char *path) {
  struct cli_output output;
  const char *problem = cli_output_open(&output, path);
  if (output.temporary)
    cli_output_drop(&output);
  return problem;
}

const char *cli_output_complete(struct cli_output *output) {
  const char *problem = NULL;
  if (fflush(output->stream) != 0 || ferror(output->stream))
    problem = strerror(errno);
  if (fclose(output->stream) != 0 && !problem)
    problem = strerror(errno);
  output->stream = NULL;
  if (problem)
    cli_output_drop(output);
  return problem;
}

const char *cli_output_close(struct cli_output *output) {
  const char *problem = output->stream ? cli_output_complete(output) : NULL;
  if (problem)
    return problem;
  const sigset_t before = block_signals();
  if (rename(output->temporary, output->target) == 0)
    replace_unfinished(output->temporary, NULL);
  else
    problem = strerror(errno);
  restore_signals(before);
  if (problem)
    cli_output_drop(output);
  else
    free_names(output);
  return problem;
}

void cli_output_drop(struct cli_output *output) {
  if (output->stream)
    fclose(output->stream);
  const sigset_t before = block_signals();
  unlink(output->temporary);
  replace_unfinished(output->temporary, NULL);
  restore_signals(before);
  free_names(output);
}
