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

/* Returns the bytes that can be allocated without swapping or being killed, or SIZE_MAX if the
 * system does not report them. */
static size_t available_memory(void) {
  size_t available = SIZE_MAX;
  FILE *file = fopen("/proc/meminfo", "r");
  char line[128];
  while (file && fgets(line, sizeof line, file)) {
    unsigned long long kib;
    if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
      available = (size_t)kib * 1024;
  }
  if (file)
    fclose(file);
  /* A container's limit may be below the machine's memory. */
  file = fopen("/sys/fs/cgroup/memory.max", "r");
  unsigned long long bytes;
  if (file && fscanf(file, "%llu", &bytes) == 1 && bytes < available)
    available = (size_t)bytes;
  if (file)
    fclose(file);
  return available;
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
    (void)madvise(buffer.start, buffer.bytes,
                  MADV_HUGEPAGE); /* only advice, which may be refused */
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
    const size_t more = bytes - buffer->touched, available = available_memory();
    if (more > available / 4 * 3) { /* leaves some to other programs */
      snprintf(message, sizeof message, "needs %zu MiB more memory, and only %zu are free",
               more / MIB, available / MIB);
      return NULL;
    }
    memset(buffer->start + buffer->touched, 0, more);
    buffer->touched = bytes;
  }
  return buffer->start;
}
