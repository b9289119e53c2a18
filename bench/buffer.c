/* SPDX-License-Identifier: MIT */
#include "buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { HUGE_PAGE = 2 * 1024 * 1024 };
static const size_t MIB = (size_t)1024 * 1024;

/* Memory that may still be taken without swapping or being killed, in bytes; SIZE_MAX where the
 * system does not tell. */
static size_t memory_free(void) {
  size_t least = SIZE_MAX;
  FILE *file = fopen("/proc/meminfo", "r");
  char line[128];
  while (file && fgets(line, sizeof line, file)) {
    unsigned long long kib;
    if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
      least = (size_t)kib * 1024;
  }
  if (file)
    fclose(file);
  /* A container may have less than the machine. */
  file = fopen("/sys/fs/cgroup/memory.max", "r");
  unsigned long long bytes;
  if (file && fscanf(file, "%llu", &bytes) == 1 && bytes < least)
    least = (size_t)bytes;
  if (file)
    fclose(file);
  return least;
}

struct buffer {
  char *start;
  size_t bytes, touched;
};

static struct buffer allocate(size_t bytes) {
  struct buffer buffer = {aligned_alloc(HUGE_PAGE, bytes), bytes, 0};
  while (!buffer.start && buffer.bytes > HUGE_PAGE)
    buffer.start = aligned_alloc(HUGE_PAGE, buffer.bytes /= 2);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (buffer.start)
    (void)madvise(buffer.start, buffer.bytes, MADV_HUGEPAGE); /* advice: no harm if refused */
#endif
  return buffer;
}

void *bench_buffer(enum bench_buffer_use use, size_t bytes, const char **why) {
  static struct buffer buffers[2];
  static char message[128];
  struct buffer *buffer = &buffers[use];
  *why = message;
  if (!buffer->start)
    *buffer = allocate((use == BENCH_OUTPUT ? BENCH_OUTPUT_MIB : BENCH_INPUT_MIB) * MIB);
  if (!buffer->start || bytes > buffer->bytes) {
    snprintf(message, sizeof message, "needs %zu MiB, of which the system gave %zu", bytes / MIB,
             buffer->start ? buffer->bytes / MIB : 0);
    return NULL;
  }
  if (bytes > buffer->touched) {
    const size_t more = bytes - buffer->touched, available = memory_free();
    if (more > available / 4 * 3) { /* the rest stays for everyone else */
      snprintf(message, sizeof message, "needs %zu MiB more memory, and only %zu are free",
               more / MIB, available / MIB);
      return NULL;
    }
    memset(buffer->start + buffer->touched, 0, more);
    buffer->touched = bytes;
  }
  return buffer->start;
}
