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

/* ---- Temporary files ---- */

static int is_temporary(const char *name) {
  return name[0] == '.' && cli_has_suffix(name, SUFFIX);
}

/* The process that writes a temporary file has it locked. One that loses its file before the lock
 * writes it again. */
static void sweep(int folder, const char *name) {
  const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return;
  if (flock(file, LOCK_EX | LOCK_NB) == 0)
    unlinkat(folder, name, 0);
  close(file);
}

/* Makes the folders that a file is in. */
static int make_folders(int store, const char *name) {
  char path[MAX_NAME];
  for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
    snprintf(path, sizeof path, "%.*s", (int)(slash - name), name);
    if (mkdirat(store, path, 0777) != 0 && errno != EEXIST)
      return -1;
  }
  return 0;
}

/* Creates a file whose name no other process and no other thread uses. */
static int create_temporary(int store, const char *name, char path[MAX_NAME]) {
  static atomic_uint number;
  const char *last = cli_last_part(name);
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  for (int has_folders = 0;;) {
    snprintf(path, MAX_NAME, "%.*s.%s.%s-%ld-%u%s", (int)(last - name), name, last, host,
             (long)getpid(), atomic_fetch_add(&number, 1), SUFFIX);
    const int file = openat(store, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      (void)flock(file, LOCK_EX | LOCK_NB); /* some network file systems have no locks */
      return file;
    }
    if (errno == ENOENT && !has_folders) {
      if (make_folders(store, name) != 0)
        return -1;
      has_folders = 1;
    } else if (errno != EEXIST) {
      return -1;
    }
  }
}

static int write_all(int file, const unsigned char *data, size_t size) {
  while (size > 0) {
    const ssize_t written = write(file, data, size);
    if (written < 0 && errno != EINTR)
      return -1;
    data += written > 0 ? written : 0;
    size -= written > 0 ? (size_t)written : 0;
  }
  return 0;
}

/* Gives a complete file its name. File systems without links cannot keep what another process has
 * just written; it is the same, unless two runs with different options began at that moment. */
static int publish(int store, const char *path, const char *name, int keeps) {
  if (!keeps)
    return renameat(store, path, store, name);
  if (linkat(store, path, store, name, 0) == 0 || errno == EEXIST)
    return unlinkat(store, path, 0);
  return errno == ENOENT ? -1 : renameat(store, path, store, name);
}

const char *cli_store_write(int store, const char *name, const void *data, size_t size, int keeps) {
  enum { ATTEMPTS = 8 };
  for (int attempt = 1;; attempt++) {
    char path[MAX_NAME];
    const int file = create_temporary(store, name, path);
    if (file < 0)
      return strerror(errno);
    /* A file that has its name survives a power failure. */
    const int written = write_all(file, data, size) == 0 && fsync(file) == 0 &&
                        publish(store, path, name, keeps) == 0;
    const int error = errno;
    if (!written)
      unlinkat(store, path, 0);
    close(file);
    if (written)
      return NULL;
    if (error != ENOENT || attempt == ATTEMPTS) /* swept away before it was locked */
      return strerror(error);
  }
}

/* ---- Reading ---- */

const char *cli_store_list(int store, const char *folder, int sweeps,
                           void (*visit)(void *context, const char *name), void *context) {
  const int file = openat(store, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = file < 0 ? NULL : fdopendir(file);
  if (!entries) {
    const int error = errno;
    if (file >= 0)
      close(file);
    return error == ENOENT ? NULL : strerror(error);
  }
  const struct dirent *entry;
  while (errno = 0, (entry = readdir(entries)) != NULL) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    if (!is_temporary(entry->d_name))
      visit(context, entry->d_name);
    else if (sweeps)
      sweep(file, entry->d_name);
  }
  const char *problem = errno ? strerror(errno) : NULL;
  closedir(entries);
  return problem;
}

const char *cli_store_read(int store, const char *name, void *data, size_t capacity, size_t *size,
                           int *missing) {
  const int file = openat(store, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  *missing = file < 0 && errno == ENOENT;
  const char *problem = file < 0 ? strerror(errno) : NULL;
  unsigned char *at = data;
  unsigned char beyond;
  *size = 0;
  while (!problem) {
    const size_t room = capacity - *size;
    const ssize_t count = read(file, room ? at + *size : &beyond, room ? room : 1);
    if (count == 0)
      break;
    if (count < 0 && errno != EINTR)
      problem = strerror(errno);
    else if (room == 0)
      problem = "longer than a chunk can be";
    *size += count > 0 ? (size_t)count : 0;
  }
  if (file >= 0)
    close(file);
  return problem;
}
