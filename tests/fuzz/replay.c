/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target on files, and on all files of folders: for builds without libFuzzer, and for
 * inputs that once crashed. A target aborts on a fault; else the last line has the number of files.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 1 << 20 };

/* Returns 0 if the file cannot be read, as a folder cannot. */
static int replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  uint8_t *data = malloc(MAX_BYTES);
  int read = 0;
  if (file && data) {
    const size_t size = fread(data, 1, MAX_BYTES, file);
    read = !ferror(file);
    uint8_t *exact =
        read ? malloc(size ? size : 1) : NULL; /* so that a read past its end is found */
    if (exact) {
      memcpy(exact, data, size);
      LLVMFuzzerTestOneInput(exact, size);
    }
    free(exact);
  }
  free(data);
  if (file)
    fclose(file);
  return read;
}

/* Returns how many of the folder's files could be read, or -1. */
static int replay_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder)
    return -1;
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    char file[4096];
    if (entry->d_name[0] == '.')
      continue;
    const int length = snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    fprintf(stderr, "%s\n", file);
    if (length > 0 && (size_t)length < sizeof file)
      count += replay_file(file);
  }
  closedir(folder);
  return count;
}

int main(int argc, char **argv) {
  int passed = 0, failed = 0;
  for (int i = 1; i < argc; i++) {
    const int count = replay_folder(argv[i]);
    if (count >= 0)
      passed += count;
    else if (replay_file(argv[i]))
      passed++;
    else
      failed++;
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0 || passed == 0;
}
