/* SPDX-License-Identifier: MIT
 *
 * Runs over the chunks of a part of an array by all threads: one writes the chunks that are
 * missing, the other computes all of them again and compares them with their files.
 */
#ifndef PERLANE_CLI_RUN_H
#define PERLANE_CLI_RUN_H

#include "zarr/array.h"

struct cli_run {
  const struct cli_array *array;
  int store;              /* a descriptor of the folder */
  unsigned char *present; /* a bit for each chunk of the part */
  uint64_t found;         /* chunks that were there */
  uint64_t written, written_samples;
  int signal;                         /* that ended the run, 0 for none */
  char problem_chunk[CLI_CHUNK_NAME]; /* of the chunk that there was a problem with */
};

/* Looks for the part's chunks, unless all are to be written again, and removes temporary files that
 * killed processes have left. The store stays open, and is to be closed by the caller. Returns
 * NULL, or what is wrong. */
const char *cli_run_begin(struct cli_run *run, const struct cli_array *array, int store,
                          int resumes);
void cli_run_free(struct cli_run *run);

/* Writes the chunks that are missing, and counts their samples in the stream's progress and its
 * seconds. SIGHUP, SIGINT and SIGTERM end it after the chunks in progress. Returns NULL, or what is
 * wrong. */
const char *cli_run_write(struct cli_run *run);

/* The result of comparing a chunk. */
struct cli_difference {
  enum { CLI_EQUAL, CLI_MISSING, CLI_DAMAGED, CLI_DIFFERENT, CLI_RESULTS } result;
  const char *problem;               /* what is damaged */
  uint64_t sample[PERLANE_MAX_DIMS]; /* the index in the array of the first one that differs */
};

/* Compares all chunks of the part, and reports each in C order. Returns NULL, or what is wrong. */
const char *cli_run_compare(const struct cli_array *array, int store,
                            void (*report)(void *context, const char *chunk,
                                           const struct cli_difference *difference),
                            void *context);

#endif
