/* SPDX-License-Identifier: MIT
 *
 * The memory that cases write to and read from: allocated once, in huge pages where the system
 * has them, so that fills and ceilings see the same pages; touched before anything is timed.
 */
#ifndef PERLANE_BENCH_BUFFER_H
#define PERLANE_BENCH_BUFFER_H

#include <stddef.h>

enum bench_buffer_use { BENCH_OUTPUT, BENCH_INPUT };

#define BENCH_OUTPUT_MIB 1024 /* 16384 x 16384 floats */
#define BENCH_INPUT_MIB 32

/* The buffer, its first `bytes` bytes touched; what they hold is what the last case left. Aligned
 * to 64 bytes and more. NULL if memory does not allow it: then *why says so, until the next call.
 */
void *bench_buffer(enum bench_buffer_use use, size_t bytes, const char **why);

#endif
