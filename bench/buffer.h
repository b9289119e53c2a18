/* SPDX-License-Identifier: MIT
 *
 * The memory that cases write to and read from. It is allocated once, in huge pages if the system
 * has them, so that all cases use the same pages, and touched before anything is timed.
 */
#ifndef PERLANE_BENCH_BUFFER_H
#define PERLANE_BENCH_BUFFER_H

#include <stddef.h>

enum bench_buffer_use { BENCH_OUTPUT, BENCH_INPUT };

#define BENCH_OUTPUT_MIB 1024 /* 16384 x 16384 floats */
#define BENCH_INPUT_MIB 32

/* Returns a buffer whose first `bytes` bytes have been touched and hold what the last case left
 * there. It is aligned to at least 64 bytes. Returns NULL if there is not enough memory, with a
 * message in *why that is valid until the next call. */
void *bench_buffer(enum bench_buffer_use use, size_t bytes, const char **why);

#endif
