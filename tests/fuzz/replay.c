/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target on files, for builds without libFuzzer. A target aborts on a fault; else the
 * last line has the number of files.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 1 << 20 };

int main(int argc, char **argv) {
  static uint8_t data[MAX_BYTES];
  int failed = 0;
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    const size_t size = file ? fread(data, 1, sizeof data, file) : 0;
    uint8_t *exact = malloc(size ? size : 1); /* so that a read past its end is found */
    fprintf(stderr, "%s\n", argv[i]);
    if (file && exact && !ferror(file)) {
      for (size_t b = 0; b < size; b++)
        exact[b] = data[b];
      LLVMFuzzerTestOneInput(exact, size);
    } else
      failed++;
    free(exact);
    if (file)
      fclose(file);
  }
  printf("%d passed, %d failed\n", argc - 1 - failed, failed);
  return failed != 0 || argc == 1;
}
