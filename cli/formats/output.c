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
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "formats/format.h"
#include "options/messages.h"

/* Files to be removed if the program ends early: a map and those beside it. */
enum { MAX_UNFINISHED = 3 };
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

void cli_output_catch_signals(void) {
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

/* Sets the names beside the target that all runs use for it. A name that would become too long
 * loses its beginning, so that a map's and its sidecar's still differ. */
static void name_temporary(struct cli_output *output) {
  static const char suffix[] = ".perlane-part", old[] = "-old";
  const size_t max_length = 255 - sizeof suffix - sizeof old;
  const char *name = cli_last_part(output->target);
  const int directory = (int)(name - output->target);
  if (strlen(name) > max_length)
    name += strlen(name) - max_length;
  snprintf(output->temporary, CLI_NAME, "%.*s.%s%s", directory, output->target, name, suffix);
  snprintf(output->old, CLI_NAME, "%.*s.%s%s%s", directory, output->target, name, suffix, old);
}

/* Returns 1 if an open file has a name, 0 if another file has it or none, and -1 if neither is
 * known. */
static int is_same_file(int file, const char *path) {
  struct stat status, named;
  if (fstat(file, &status) != 0)
    return -1;
  if (lstat(path, &named) != 0)
    return errno == ENOENT ? 0 : -1;
  return status.st_dev == named.st_dev && status.st_ino == named.st_ino;
}

/* Creates and locks a file that no other process has. A file that a killed process left is not
 * locked any more: it is removed rather than reused, as it could be a link to another file. Each
 * decision is made under the lock, for the file that then has the name. Returns -1 after setting
 * *problem. */
static int create_locked(const char *path, const char **problem) {
  enum { ATTEMPTS = 1000 }; /* another process ends each but the last */
  static char not_removed[400];
  *problem = NULL;
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const int is_new = file >= 0;
    if (!is_new && errno == EEXIST) {
      file = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
      if (file < 0 && errno == ENOENT) /* its process has just finished */
        continue;
    }
    if (file < 0) {
      *problem = strerror(errno);
      return -1;
    }
    const int locked = flock(file, LOCK_EX | LOCK_NB) == 0;
    /* Some network file systems have no locks; there, a new file is known to be ours. */
    if (!locked && (errno == EWOULDBLOCK || !is_new)) {
      *problem = errno == EWOULDBLOCK ? "another process is writing it" : strerror(errno);
      close(file);
      return -1;
    }
    const int is_same = is_same_file(file, path);
    if (is_same == 1 && is_new)
      return file;
    if (is_same < 0) {
      *problem = strerror(errno);
    } else if (is_same == 1 && unlink(path) != 0 && errno != ENOENT) {
      snprintf(not_removed, sizeof not_removed, "'%s' of an earlier run cannot be removed: %s",
               cli_last_part(path), strerror(errno));
      *problem = not_removed;
    }
    close(file);
    if (*problem)
      return -1;
  }
  *problem = "other processes keep writing it";
  return -1;
}

/* Returns the permissions of a new file. */
static mode_t usual_mode(void) {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* Ends the work on a temporary file that has another name by now, or none. */
static void let_go(struct cli_output *output) {
  replace_unfinished(output->temporary, NULL);
  close(output->lock);
  *output->temporary = '\0';
}

static const char *create(struct cli_output *output, mode_t mode) {
  const char *problem;
  output->lock = create_locked(output->temporary, &problem);
  if (output->lock < 0) {
    *output->temporary = '\0';
    return problem;
  }
  replace_unfinished(NULL, output->temporary);
  (void)fchmod(output->lock, mode); /* fails harmlessly on file systems without permissions */
  /* The lock outlasts the stream, because it belongs to both descriptors. */
  const int file = dup(output->lock);
  output->stream = file < 0 ? NULL : fdopen(file, "wb");
  if (output->stream)
    return NULL;
  problem = strerror(errno);
  if (file >= 0)
    close(file);
  unlink(output->temporary);
  let_go(output);
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
  } else if (lstat(path, &status) == 0) {
    return "it is a link to a file that does not exist";
  }
  cli_output_follow(output->target, path); /* keeps a link and replaces the file it points to */
  name_temporary(output);
  cli_output_catch_signals();
  return create(output, mode);
}

const char *cli_output_try(const char *path) {
  if (cli_output_is_stream(path))
    return NULL;
  static struct cli_output output;
  const char *problem = cli_output_open(&output, path);
  if (!problem)
    cli_output_drop(&output);
  return problem;
}

/* Makes a text such as "1.5 GiB (1610612736 bytes)". */
static const char *size_text(char text[64], uint64_t bytes) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = (double)bytes;
  int unit = 0;
  for (; value >= 1000 && unit < 6; unit++)
    value /= 1024;
  if (unit == 0)
    snprintf(text, 64, "%" PRIu64 " bytes", bytes);
  else
    snprintf(text, 64, "%.3g %s (%" PRIu64 " bytes)", value, units[unit], bytes);
  return text;
}

/* Returns the bytes that are free on the disk of an open file or folder; UINT64_MAX if that is
 * unknown. */
static uint64_t free_bytes(int file) {
  struct stat status;
  struct statvfs disk;
  const int is_known = fstat(file, &status) == 0 &&
                       (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) &&
                       fstatvfs(file, &disk) == 0 && disk.f_blocks != 0;
  return is_known ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
}

int cli_output_check_space(int file, const char *name, const char *tiles, uint64_t bytes,
                           int is_packed, int is_noted) {
  /* Deflate packs a constant map 1032 to 1. Noise of 16 bits is packed 1.2 to 10 to 1, but no bound
   * nearer to that holds for all fields. */
  enum { MAX_PACKING = 1000 };
  char needed[64], available[64];
  const uint64_t room = free_bytes(file), smallest = is_packed ? bytes / MAX_PACKING : bytes;
  size_text(available, room);
  if (smallest > room)
    return cli_fail("'%s'%s needs at least %s, and %s are free; --force begins it anyway", name,
                    tiles, size_text(needed, smallest), available);
  if (bytes > room && is_noted)
    cli_note(
        "'%s'%s may not fit on its disk, which depends on its compression: without any it needs "
        "%s, and %s are free",
        name, tiles, size_text(needed, bytes), available);
  return 0;
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

/* Takes a file that is to be replaced out of the way. Returns 1, or 0 if there is none or after
 * setting *problem. */
static int set_aside(const struct cli_output *output, const char **problem) {
  if (!*output->target || rename(output->target, output->old) == 0)
    return *output->target != '\0';
  if (errno != ENOENT)
    *problem = strerror(errno);
  else
    unlink(output->old); /* of a run that was killed */
  return 0;
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
  struct stat status;
  const char *problem = NULL;
  const int replaces = *output->target && lstat(output->target, &status) == 0;
  unsigned aside = 0, renamed = 0; /* a bit for each */
  for (int i = 0; i < count && !problem; i++) {
    *failed = i;
    problem = complete(&output[i]);
  }
  for (int i = 1; i < count && !problem; i++) {
    *failed = i;
    aside |= (unsigned)set_aside(&output[i], &problem) << i;
  }
  for (int i = 0; i < count && !problem; i++) {
    *failed = replaces ? i : count - 1 - i;
    problem = give_name(&output[*failed]);
    renamed |= (unsigned)!problem << *failed;
  }
  const int restores = problem && !(renamed & 1);
  for (int i = 1; i < count; i++) {
    if (restores && (renamed >> i & 1))
      unlink(output[i].target);
    if (!(aside >> i & 1))
      continue;
    if ((restores ? rename(output[i].old, output[i].target) : unlink(output[i].old)) != 0 &&
        !problem) {
      *failed = i;
      problem = strerror(errno);
    }
  }
  for (int i = 0; i < count && problem; i++)
    cli_output_drop(&output[i]);
  return problem;
}

const char *cli_output_close(struct cli_output *output) {
  int unused;
  return cli_output_close_all(output, 1, &unused);
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
