/* SPDX-License-Identifier: MIT */
#include "zarr/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/format.h"

static const char SUFFIX[] = ".perlane-part";

/* Names in a store are short: of chunks, up to four numbers. */
enum { MAX_NAME = 255 };

int cli_store_open(const char *folder, int *creates, const char **problem) {
  if (creates)
    *creates = mkdir(folder, 0777) == 0;
  if (creates && !*creates && errno != EEXIST) {
    *problem = strerror(errno);
    return -1;
  }
  const int store = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (store < 0)
    *problem = errno == ENOTDIR ? "it is a file, and a .zarr array is a folder" : strerror(errno);
  return store;
}

/* ---- Folders ---- */

/* Opens the folder of a file in the store, and with `makes` creates what is missing of it. */
static int open_folder(int store, const char *file, int makes) {
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int folder = openat(store, ".", flags);
  for (const char *slash; folder >= 0 && (slash = strchr(file, '/')); file = slash + 1) {
    char name[MAX_NAME];
    snprintf(name, sizeof name, "%.*s", (int)(slash - file), file);
    int inner = openat(folder, name, flags);
    if (inner < 0 && errno == ENOENT && makes &&
        (mkdirat(folder, name, 0777) == 0 || errno == EEXIST))
      inner = openat(folder, name, flags);
    const int error = errno;
    close(folder);
    errno = error;
    folder = inner;
  }
  return folder;
}

static const char *describe(int error) {
  return error == ENOTDIR || error == ELOOP
             ? "a link or a file is in the place of a folder of chunks"
             : strerror(error);
}

/* ---- Temporary files ---- */

static int is_temporary(const char *name) {
  return name[0] == '.' && cli_has_suffix(name, SUFFIX);
}

static void sweep(int folder, const char *name) {
  const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return;
  if (flock(file, LOCK_EX | LOCK_NB) == 0)
    unlinkat(folder, name, 0);
  close(file);
}

/* Creates a file whose name no other process and no other thread uses. */
static int create_temporary(int folder, const char *name, char path[MAX_NAME]) {
  static atomic_uint number;
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  snprintf(path, MAX_NAME, ".%s.%s-%ld-%u%s", name, host, (long)getpid(),
           atomic_fetch_add(&number, 1), SUFFIX);
  const int file = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0)
    (void)flock(file, LOCK_EX | LOCK_NB); /* some network file systems have no locks */
  return file;
}

static int write_all(int file, const unsigned char *data, size_t size) {
  while (size > 0) {
    const ssize_t written = write(file, data, size);
    if (written == 0)
      errno = ENOSPC;
    if (written == 0 || (written < 0 && errno != EINTR))
      return -1;
    data += written > 0 ? written : 0;
    size -= written > 0 ? (size_t)written : 0;
  }
  return 0;
}

/* Gives a complete file its name. File systems without links cannot keep what another process has
 * just written. */
static int publish(int folder, const char *path, const char *name, int keeps) {
  if (!keeps)
    return renameat(folder, path, folder, name);
  if (linkat(folder, path, folder, name, 0) == 0 || errno == EEXIST)
    return unlinkat(folder, path, 0);
  return errno == ENOENT ? -1 : renameat(folder, path, folder, name);
}

/* Returns 0 or an error. */
static int try_to_write(int folder, const char *name, const void *data, size_t size, int keeps) {
  char path[MAX_NAME];
  const int file = create_temporary(folder, name, path);
  if (file < 0)
    return errno;
  const int written = write_all(file, data, size) == 0 && fsync(file) == 0 &&
                      publish(folder, path, name, keeps) == 0;
  const int error = written ? 0 : errno;
  if (!written)
    unlinkat(folder, path, 0);
  close(file);
  return error;
}

const char *cli_store_write(int store, const char *name, const void *data, size_t size, int keeps) {
  enum { ATTEMPTS = 64 };
  int error = ENOENT;
  /* The file may be swept away, and a killed process of the same number may have left one. */
  for (int attempt = 0; attempt < ATTEMPTS && (error == ENOENT || error == EEXIST); attempt++) {
    const int folder = open_folder(store, name, 1);
    error = folder < 0 ? errno : try_to_write(folder, cli_last_part(name), data, size, keeps);
    if (folder >= 0)
      close(folder);
  }
  return error == 0 ? NULL : describe(error);
}

/* ---- Reading ---- */

const char *cli_store_list(int store, const char *file, int sweeps,
                           void (*visit)(void *context, const char *name), void *context) {
  const int folder = open_folder(store, file, 0);
  DIR *entries = folder < 0 ? NULL : fdopendir(folder);
  if (!entries) {
    const int error = errno;
    if (folder >= 0)
      close(folder);
    return error == ENOENT ? NULL : describe(error);
  }
  const struct dirent *entry;
  while (errno = 0, (entry = readdir(entries)) != NULL) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    if (!is_temporary(entry->d_name))
      visit(context, entry->d_name);
    else if (sweeps)
      sweep(folder, entry->d_name);
  }
  const char *problem = errno ? strerror(errno) : NULL;
  closedir(entries);
  return problem;
}

const char *cli_store_read(int store, const char *name, void *data, size_t capacity, size_t *size,
                           int *error) {
  const int file = openat(store, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  *error = file < 0 ? errno : 0;
  const char *problem = *error ? strerror(*error) : NULL;
  unsigned char *at = data;
  unsigned char beyond;
  *size = 0;
  while (!problem) {
    const size_t room = capacity - *size;
    const ssize_t count = read(file, room ? at + *size : &beyond, room ? room : 1);
    if (count == 0)
      break;
    if (count < 0 && errno != EINTR)
      problem = strerror(*error = errno);
    else if (room == 0)
      problem = "longer than a chunk can be";
    *size += count > 0 ? (size_t)count : 0;
  }
  if (file >= 0)
    close(file);
  return problem;
}
