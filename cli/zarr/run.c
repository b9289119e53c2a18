/* SPDX-License-Identifier: MIT */
#include "zarr/run.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "map/clock.h"
#include "zarr/chunk.h"
#include "zarr/store.h"

/* ---- Chunks that are there ---- */

static int is_present(const struct cli_run *run, uint64_t i) {
  return run->present[i / 8] >> (i % 8) & 1;
}

static void ignore(void *context, const char *name) {
  (void)context;
  (void)name;
}

struct folder {
  struct cli_run *run;
  uint64_t first; /* its first chunk in the array */
};

static void visit(void *context, const char *name) {
  const struct folder *folder = context;
  struct cli_run *run = folder->run;
  const struct cli_array *array = run->array;
  uint64_t x;
  const char *end = cli_scan_decimal(name, &x);
  if (!end || *end != '\0' || (name[0] == '0' && name[1] != '\0') || x >= array->count[0])
    return;
  const uint64_t i = folder->first + x - array->first; /* wraps around before the part */
  if (i >= array->chunks || is_present(run, i))
    return;
  run->present[i / 8] |= (unsigned char)(1 << i % 8);
  run->found++;
}

const char *cli_run_begin(struct cli_run *run, const struct cli_array *array, int store,
                          int resumes) {
  const uint64_t row = array->count[0], end = array->first + array->chunks;
  *run = (struct cli_run){.array = array, .store = store};
  const size_t bytes = (size_t)(array->chunks / 8 + 1);
  run->present = malloc(bytes);
  if (!run->present)
    return strerror(ENOMEM);
  memset(run->present, 0, bytes);
  const char *problem = cli_store_list(store, CLI_DESCRIPTION[0] + 1, 1, ignore, NULL);
  for (uint64_t first = array->first / row * row; first < end && !problem; first += row) {
    struct folder folder = {.run = run, .first = first};
    char name[CLI_CHUNK_NAME];
    cli_array_chunk_name(array, first, name);
    problem = cli_store_list(store, name, 1, resumes ? visit : ignore, &folder);
  }
  return problem;
}

void cli_run_free(struct cli_run *run) {
  free(run->present);
}

/* ---- Writing ---- */

static atomic_int caught;

static void catch_signal(int number) {
  caught = number;
}

/* A second signal ends the process at once. Signals that the caller ignores stay ignored. */
static void catch_signals(void) {
  static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN)
      continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = catch_signal;
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigaction(signals[i], &action, NULL);
  }
}

static const char *write_chunk(struct cli_run *run, struct cli_chunk *chunk, uint64_t number,
                               const char *name, double *filling, double *packing) {
  const double begin = cli_now();
  const char *problem = cli_chunk_compute(chunk, number);
  const double computed = cli_now();
  if (!problem)
    problem = cli_chunk_pack(chunk);
  *filling += computed - begin;
  *packing += cli_now() - computed;
  return problem ? problem
                 : cli_store_write(run->store, name, chunk->packed, chunk->packed_size, 0);
}

const char *cli_run_write(struct cli_run *run) {
  enum { BATCH = 4096 }; /* chunks until threads agree on going on */
  const struct cli_array *array = run->array;
  struct cli_stream *stream = array->stream;
  const char *problem = NULL;
  atomic_int stopped = 0;
  double filling = 0, packing = 0;
  int ended = 0;
  catch_signals();
#pragma omp parallel num_threads(stream->threads) reduction(+ : filling, packing)
  {
    struct cli_chunk chunk;
    const int has_memory = cli_chunk_make(&chunk, array);
    for (uint64_t begin = 0; begin < array->chunks && !ended; begin += BATCH) {
      const uint64_t end = array->chunks - begin > BATCH ? begin + BATCH : array->chunks;
#pragma omp for schedule(dynamic, 1)
      for (uint64_t i = begin; i < end; i++) {
        if (stopped || caught || is_present(run, i))
          continue;
        char name[CLI_CHUNK_NAME];
        cli_array_chunk_name(array, array->first + i, name);
        const char *wrong =
            has_memory ? write_chunk(run, &chunk, array->first + i, name, &filling, &packing)
                       : strerror(ENOMEM);
#pragma omp critical
        if (!wrong) {
          run->written++;
          run->written_samples += cli_array_chunk_samples(array, array->first + i);
          cli_progress_add(stream->progress, 1);
        } else if (!stopped) {
          stopped = 1;
          problem = wrong;
          memcpy(run->problem_chunk, name, sizeof name);
        }
      }
#pragma omp single
      ended = stopped || caught;
    }
    cli_chunk_free(&chunk);
  }
  stream->filling = filling;
  stream->packing = packing;
  run->signal = caught;
  return problem;
}

/* ---- Comparing ---- */

/* Finds the first sample that differs, which may be beyond the array's edge. */
static void find_difference(const struct cli_chunk *chunk, uint64_t number,
                            struct cli_difference *difference) {
  const struct cli_array *array = chunk->array;
  uint64_t at = 0;
  while (chunk->samples[at] == chunk->unpacked[at])
    at++;
  at /= cli_sample_bytes(array->stream->map);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    difference->sample[a] = number % array->count[a] * array->side[a] + at % array->side[a];
    number /= array->count[a];
    at /= array->side[a];
  }
}

static const char *compare_chunk(struct cli_chunk *chunk, int store, uint64_t number,
                                 const char *name, struct cli_difference *difference) {
  int missing;
  *difference = (struct cli_difference){.result = CLI_EQUAL};
  difference->problem =
      cli_store_read(store, name, chunk->packed, chunk->packed_room, &chunk->packed_size, &missing);
  if (!difference->problem && !cli_chunk_unpack(chunk))
    difference->problem = "it does not unpack to a whole chunk";
  if (difference->problem) {
    difference->result = missing ? CLI_MISSING : CLI_DAMAGED;
    return NULL;
  }
  const char *problem = cli_chunk_compute(chunk, number);
  if (!problem && memcmp(chunk->samples, chunk->unpacked, chunk->bytes) != 0) {
    difference->result = CLI_DIFFERENT;
    find_difference(chunk, number, difference);
  }
  return problem;
}

const char *cli_run_compare(const struct cli_array *array, int store,
                            void (*report)(void *context, const char *chunk,
                                           const struct cli_difference *difference),
                            void *context) {
  enum { BATCH = 1024 }; /* chunks that are compared in any order before they are reported */
  static struct cli_difference difference[BATCH];
  struct cli_stream *stream = array->stream;
  const char *problem = NULL;
  atomic_int has_memory = 1;
#pragma omp parallel num_threads(stream->threads)
  {
    struct cli_chunk chunk;
    if (!cli_chunk_make(&chunk, array))
      has_memory = 0;
#pragma omp barrier
    for (uint64_t begin = 0; begin < array->chunks && has_memory; begin += BATCH) {
      const uint64_t end = begin + BATCH < array->chunks ? begin + BATCH : array->chunks;
      char name[CLI_CHUNK_NAME];
#pragma omp for schedule(dynamic, 1)
      for (uint64_t i = begin; i < end; i++) {
        const uint64_t number = array->first + i;
        cli_array_chunk_name(array, number, name);
        const char *wrong = compare_chunk(&chunk, store, number, name, &difference[i - begin]);
#pragma omp critical
        if (wrong)
          problem = wrong;
        else
          cli_progress_add(stream->progress, 1);
      }
#pragma omp single
      for (uint64_t i = begin; i < end && !problem; i++) {
        cli_array_chunk_name(array, array->first + i, name);
        report(context, name, &difference[i - begin]);
      }
    }
    cli_chunk_free(&chunk);
  }
  return has_memory ? problem : strerror(ENOMEM);
}
