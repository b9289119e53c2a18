/* SPDX-License-Identifier: MIT
 *
 * The list of formats, and what they share.
 */
#include "formats/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const struct cli_format *const FORMATS[] = {
    &CLI_PNG, &CLI_TIFF, &CLI_TIFF_LONG, &CLI_R16, &CLI_R32, &CLI_RAW, &CLI_NPY, &CLI_EXR,
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

const char CLI_CUT_OFF[] = "it ends too early";
static const char TOO_LONG[] = "it is longer than its map";
const char CLI_OTHER_LAYOUT[] = "its size, its depth or its layout is not that of its options";
const char CLI_NO_CODEC[] = "this build's libtiff cannot unpack its compression";

const struct cli_format *cli_format_at(int index) {
  return index >= 0 && index < FORMAT_COUNT ? FORMATS[index] : NULL;
}

const char *cli_last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const struct cli_format *cli_format_of(const char *file) {
  const char *end = file + strlen(file);
  for (int i = 0; i < FORMAT_COUNT; i++) {
    const ptrdiff_t length = (ptrdiff_t)strlen(FORMATS[i]->suffix);
    if (end - file >= length && strcasecmp(end - length, FORMATS[i]->suffix) == 0)
      return FORMATS[i];
  }
  return NULL;
}

const char *cli_check_length(FILE *stream, uint64_t bytes) {
  struct stat status;
  const off_t here = ftello(stream);
  if (fstat(fileno(stream), &status) != 0 || here < 0)
    return strerror(errno);
  const uint64_t found = (uint64_t)(status.st_size - here);
  return found < bytes ? CLI_CUT_OFF : found > bytes ? TOO_LONG : NULL;
}

size_t cli_sample_bytes(const struct cli_map *map) {
  return (size_t)map->channels * (size_t)(map->bits / 8);
}

int cli_bytes_reserve(struct cli_bytes *bytes, size_t more) {
  if (more <= bytes->capacity - bytes->size)
    return 1;
  const size_t wanted = bytes->size + more + bytes->capacity / 2;
  unsigned char *data = wanted >= more ? realloc(bytes->data, wanted) : NULL;
  if (!data)
    return 0;
  bytes->data = data;
  bytes->capacity = wanted;
  return 1;
}

void cli_order_bytes(void *samples, size_t count, int bits, int big) {
  const uint16_t probe = 1;
  const int is_big = *(const unsigned char *)&probe == 0;
  const size_t size = (size_t)(bits / 8);
  if (is_big == big || size == 1)
    return;
  unsigned char *byte = samples;
  for (size_t i = 0; i < count; i++, byte += size)
    for (size_t low = 0, high = size - 1; low < high; low++, high--) {
      const unsigned char swapped = byte[low];
      byte[low] = byte[high];
      byte[high] = swapped;
    }
}
