/* SPDX-License-Identifier: MIT
 *
 * Runs over the chunks of a part of an array by all threads: one writes the chunks that are
 * missing, the other computes all of them again and compares them with their files. Whatever ends a
 * run that writes, the chunks that are complete stay, and the same command continues.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "formats/output.h"
#include "zarr/array.h"
#include "zarr/store.h"

/* ---- A chunk ---- */

/* A chunk in a thread's memory. */
struct chunk {
  const struct cli_array *array;
  unsigned char *samples;  /* the whole chunk, little-endian */
  unsigned char *unpacked; /* another one */
  unsigned char *packed;
  void *work; /* PERLANE_WORK_BYTES, or NULL: fills then take longer */
  size_t bytes, packed_room, packed_size;
};

/* Allocates the memory. Returns 0 without it; the chunk is to be freed in any case. */
static int make_chunk(struct chunk *chunk, const struct cli_array *array) {
  memset(chunk, 0, sizeof *chunk);
  chunk->array = array;
  chunk->bytes = cli_array_chunk_bytes(array);
  chunk->packed_room = ZSTD_compressBound(chunk->bytes);
  if (compressBound((uLong)chunk->bytes) > chunk->packed_room)
    chunk->packed_room = compressBound((uLong)chunk->bytes);
  chunk->samples = malloc(chunk->bytes);
  chunk->unpacked = malloc(chunk->bytes);
  chunk->packed = malloc(chunk->packed_room);
  chunk->work = malloc(PERLANE_WORK_BYTES);
  return chunk->samples && chunk->unpacked && chunk->packed;
}

static void free_chunk(struct chunk *chunk) {
  free(chunk->samples);
  free(chunk->unpacked);
  free(chunk->packed);
  free(chunk->work);
}

static const char *compute_chunk(struct chunk *chunk, uint64_t number) {
  const struct cli_array *array = chunk->array;
  const struct cli_map *map = array->stream->map;
  perlane_grid grid = cli_array_grid(array, number);
  for (int a = 0; a < grid.dims; a++)
    if (grid.count[a] < array->side[a]) {
      memset(chunk->samples, 0, chunk->bytes);
      break;
    }
  const perlane_status status =
      cli_stream_fill(array->stream, grid, chunk->samples, NULL, chunk->work);
  cli_order_bytes(chunk->samples, chunk->bytes / cli_sample_bytes(map), map->bits, 0);
  return status == PERLANE_OK ? NULL : perlane_status_string(status);
}

static const char *pack_chunk(struct chunk *chunk) {
  const int level = chunk->array->level;
  uLongf zlib_size = (uLongf)chunk->packed_room;
  switch (chunk->array->stream->map->compression) {
  case CLI_DEFLATE:
    if (compress2(chunk->packed, &zlib_size, chunk->samples, (uLong)chunk->bytes, level) != Z_OK)
      return strerror(ENOMEM);
    chunk->packed_size = zlib_size;
    return NULL;
  case CLI_ZSTD:
    chunk->packed_size =
        ZSTD_compress(chunk->packed, chunk->packed_room, chunk->samples, chunk->bytes, level);
    return ZSTD_isError(chunk->packed_size) ? ZSTD_getErrorName(chunk->packed_size) : NULL;
  default:
    memcpy(chunk->packed, chunk->samples, chunk->bytes);
    chunk->packed_size = chunk->bytes;
    return NULL;
  }
}

/* Unpacks what is packed. Returns 0, ENOMEM, or EINVAL if it is not a whole chunk. */
static int unpack_chunk(struct chunk *chunk) {
  uLongf size = (uLongf)chunk->bytes;
  uLong taken = (uLong)chunk->packed_size;
  int is_whole = chunk->packed_size == chunk->bytes, has_memory = 1;
  switch (chunk->array->stream->map->compression) {
  case CLI_DEFLATE: {
    const int result = uncompress2(chunk->unpacked, &size, chunk->packed, &taken);
    is_whole = result == Z_OK && size == chunk->bytes && taken == chunk->packed_size;
    has_memory = result != Z_MEM_ERROR;
    break;
  }
  case CLI_ZSTD: {
    const size_t result =
        ZSTD_decompress(chunk->unpacked, chunk->bytes, chunk->packed, chunk->packed_size);
    is_whole = result == chunk->bytes;
    has_memory = ZSTD_getErrorCode(result) != ZSTD_error_memory_allocation;
    break;
  }
  default:
    if (is_whole)
      memcpy(chunk->unpacked, chunk->packed, chunk->bytes);
  }
  return !has_memory ? ENOMEM : is_whole ? 0 : EINVAL;
}

/* ---- The run ---- */

/* What has become of a chunk. */
enum state { NOT_DONE, DONE, DIFFERENT, DAMAGED, MISSING, STATES };

struct result {
  enum state state;
  const char *problem;               /* with what is damaged */
  uint64_t sample[PERLANE_MAX_DIMS]; /* the index in the array of the first one that differs */
  double filling, packing;           /* seconds */
};

struct run {
  struct cli_array *array;
  int store;              /* a descriptor of the folder */
  unsigned char *present; /* a bit for each chunk of the part that was there; NULL to verify */
  /* Writes or compares a chunk. Returns NULL, or what is wrong. */
  const char *(*work)(const struct run *run, struct chunk *chunk, uint64_t number, const char *name,
                      struct result *result);
  uint64_t count[STATES];
  char problem[160], problem_chunk[CLI_CHUNK_NAME]; /* what ended the run, and with which chunk */
};

/* ---- Chunks that are there ---- */

static int is_present(const struct run *run, uint64_t i) {
  return run->present && (run->present[i / 8] >> (i % 8) & 1);
}

static void ignore(void *context, const char *name) {
  (void)context;
  (void)name;
}

struct folder {
  struct run *run;
  uint64_t first; /* its first chunk in the array */
};

static void visit_chunk(void *context, const char *name) {
  const struct folder *folder = context;
  struct run *run = folder->run;
  struct cli_array *array = run->array;
  uint64_t x;
  const char *end = cli_scan_decimal(name, &x);
  if (!end || *end != '\0' || (name[0] == '0' && name[1] != '\0') || x >= array->count[0])
    return;
  const uint64_t i = folder->first + x - array->first; /* wraps around before the part */
  if (i >= array->chunks || is_present(run, i))
    return;
  run->present[i / 8] |= (unsigned char)(1 << i % 8);
  array->found++;
}

/* Looks for the part's chunks, unless all are to be written again, and removes temporary files that
 * killed processes have left. */
static const char *find_chunks(struct run *run) {
  const struct cli_array *array = run->array;
  const uint64_t row = array->count[0], end = array->first + array->chunks;
  run->present = calloc(1, (size_t)(array->chunks / 8 + 1));
  if (!run->present)
    return strerror(ENOMEM);
  const char *problem = cli_store_list(run->store, CLI_DESCRIPTION[0] + 1, 1, ignore, NULL);
  for (uint64_t first = array->first / row * row; first < end && !problem; first += row) {
    struct folder folder = {.run = run, .first = first};
    char name[CLI_CHUNK_NAME];
    cli_array_chunk_name(array, first, name);
    problem = cli_store_list(run->store, name, 1, array->resumes ? visit_chunk : ignore, &folder);
  }
  return problem;
}

/* ---- All chunks ---- */

enum { MAX_MISSING = 10 }; /* chunks that are printed: of others only the number is */

static void print_result(const struct run *run, const char *name, const struct result *result) {
  const int dims = run->array->stream->map->dims;
  if (result->state == DONE || (result->state == MISSING && run->count[MISSING] > MAX_MISSING))
    return;
  cli_print_text(stdout, run->array->folder);
  printf("/%s: ", name);
  if (result->state == DAMAGED)
    printf("damaged: %s\n", result->problem);
  else if (result->state == MISSING)
    puts("missing");
  else
    for (int a = 0; a < dims; a++)
      printf("%s%" PRIu64 "%s", a ? "," : "differs from sample ", result->sample[a],
             a + 1 < dims ? "" : " on\n");
}

/* Counts what has been done, in the chunks' order. */
static void count_result(struct run *run, uint64_t number, const struct result *result) {
  struct cli_array *array = run->array;
  char name[CLI_CHUNK_NAME];
  run->count[result->state]++;
  if (result->state == NOT_DONE)
    return;
  cli_array_chunk_name(array, number, name);
  if (!run->present)
    print_result(run, name, result);
  const perlane_grid grid = cli_array_grid(array, number);
  array->written++;
  array->written_samples += cli_grid_samples(&grid);
  array->stream->filling += result->filling;
  array->stream->packing += result->packing;
}

/* Works on all chunks, but those that are there, until there is a problem or a signal is caught. */
static void run_chunks(struct run *run) {
  enum { BATCH = 1024 }; /* chunks that are done in any order before they are counted */
  static struct result results[BATCH];
  const struct cli_array *array = run->array;
  atomic_int stopped = 0;
  int ended = 0;
#pragma omp parallel num_threads(array->stream->threads)
  {
    struct chunk chunk;
    const int has_memory = make_chunk(&chunk, array);
    for (uint64_t begin = 0; begin < array->chunks && !ended; begin += BATCH) {
      const uint64_t left = array->chunks - begin, end = begin + (left > BATCH ? BATCH : left);
#pragma omp for schedule(dynamic, 1)
      for (uint64_t i = begin; i < end; i++) {
        struct result *result = &results[i - begin];
        *result = (struct result){.state = NOT_DONE};
        if (stopped || cli_output_caught() || is_present(run, i))
          continue;
        char name[CLI_CHUNK_NAME];
        cli_array_chunk_name(array, array->first + i, name);
        const char *problem =
            has_memory ? run->work(run, &chunk, array->first + i, name, result) : strerror(ENOMEM);
#pragma omp critical
        if (!problem) {
          cli_progress_add(array->stream->progress, 1);
        } else if (!stopped) {
          stopped = 1;
          snprintf(run->problem, sizeof run->problem, "%s", problem);
          memcpy(run->problem_chunk, name, sizeof name);
        }
        if (problem)
          result->state = NOT_DONE;
      }
#pragma omp single
      {
        for (uint64_t i = begin; i < end; i++)
          count_result(run, array->first + i, &results[i - begin]);
        ended = stopped || cli_output_caught();
      }
    }
    free_chunk(&chunk);
  }
}

/* ---- Writing ---- */

static const char *write_chunk(const struct run *run, struct chunk *chunk, uint64_t number,
                               const char *name, struct result *result) {
  const double begin = cli_now();
  const char *problem = compute_chunk(chunk, number);
  const double computed = cli_now();
  if (!problem)
    problem = pack_chunk(chunk);
  result->state = DONE;
  result->filling = computed - begin;
  result->packing = cli_now() - computed;
  return problem ? problem
                 : cli_store_write(run->store, name, chunk->packed, chunk->packed_size, 0);
}

static int write_chunks(struct run *run) {
  const struct cli_array *array = run->array;
  cli_output_catch_signals();
  run_chunks(run);
  cli_progress_hide(array->stream->progress);
  if (run->problem[0] == '\0' && !cli_output_caught())
    return 0;
  const int status = cli_output_caught() ? cli_fail("interrupted: ")
                                         : cli_fail("cannot write '%s/%s': %s; ", array->folder,
                                                    run->problem_chunk, run->problem);
  fprintf(
      cli_message(), "%" PRIu64 " of %" PRIu64 " chunks are complete; the same command%s continues",
      array->found + array->written, array->chunks, array->resumes ? "" : " without --resume=off");
  return status;
}

static int write_description(struct cli_array *array, int store, int which) {
  const char *name = CLI_DESCRIPTION[which] + 1;
  char *text = cli_array_describe(array, which);
  const char *problem =
      text ? cli_store_write(store, name, text, strlen(text), 1) : strerror(ENOMEM);
  free(text);
  if (problem)
    return cli_fail("cannot write '%s/%s': %s", array->folder, name, problem);
  return cli_array_check(array, which); /* another process may have been faster */
}

enum { HAS_ZARRAY = 1, HAS_ZATTRS = 2, HAS_OTHERS = 4 };

static void visit(void *context, const char *name) {
  unsigned *has = context;
  *has |= strcmp(name, ".zarray") == 0   ? HAS_ZARRAY
          : strcmp(name, ".zattrs") == 0 ? HAS_ZATTRS
                                         : HAS_OTHERS;
}

/* Checks that a folder has this array, or nothing else. Sets *is_described if it has. */
static int check_folder(struct cli_array *array, int store, int *is_described) {
  unsigned has = 0;
  /* Another process may write chunks while the folder is read, but not before .zarray. */
  for (int i = 0; i < 2 && (has & (HAS_ZARRAY | HAS_OTHERS)) != HAS_ZARRAY; i++) {
    const char *problem = cli_store_list(store, CLI_DESCRIPTION[0] + 1, 0, visit, &has);
    if (problem)
      return cli_fail("cannot read '%s': %s", array->folder, problem);
  }
  *is_described = (has & HAS_ZARRAY) != 0;
  if ((has & HAS_OTHERS) && !*is_described)
    return cli_fail("'%s' is a folder with other files and no .zarray; take another name",
                    array->folder);
  const int status = has & (HAS_ZARRAY | HAS_ZATTRS) ? cli_array_check(array, CLI_ZATTRS) : 0;
  return status == 0 && *is_described ? cli_array_check(array, CLI_ZARRAY) : status;
}

static int write_store(struct run *run) {
  struct cli_array *array = run->array;
  struct cli_progress *progress = array->stream->progress;
  int is_described = 0, status = check_folder(array, run->store, &is_described);
  if (status != 0)
    return status;
  const char *problem = find_chunks(run);
  if (problem)
    return cli_fail("cannot read '%s': %s", array->folder, problem);
  if (!array->force)
    status = cli_output_check_space(run->store, array->folder, "",
                                    (array->chunks - array->found) * cli_array_chunk_bytes(array),
                                    array->stream->map->compression != CLI_NONE, !array->quiet);
  if (status == 0 && !is_described)
    status = write_description(array, run->store, CLI_ZATTRS);
  if (status == 0 && !is_described)
    status = write_description(array, run->store, CLI_ZARRAY);
  progress->unit = "chunks";
  progress->total = array->chunks;
  cli_progress_found(progress, array->found);
  return status == 0 ? write_chunks(run) : status;
}

static int fill(struct cli_array *array) {
  struct run run = {.array = array, .work = write_chunk};
  const char *problem;
  int is_new;
  run.store = cli_store_open(array->folder, &is_new, &problem);
  if (run.store < 0)
    return cli_fail("cannot create '%s': %s", array->folder, problem);
  const int status = write_store(&run);
  free(run.present);
  close(run.store);
  if (status != 0 && is_new)
    rmdir(array->folder); /* fails if the array has been begun */
  return status;
}

/* ---- Comparing ---- */

/* Finds the first sample that differs, which may be beyond the array's edge. */
static void find_difference(const struct chunk *chunk, uint64_t number, uint64_t *sample) {
  const struct cli_array *array = chunk->array;
  uint64_t at = 0;
  while (chunk->samples[at] == chunk->unpacked[at])
    at++;
  at /= cli_sample_bytes(array->stream->map);
  for (int a = 0; a < PERLANE_MAX_DIMS; a++) {
    sample[a] = number % array->count[a] * array->side[a] + at % array->side[a];
    number /= array->count[a];
    at /= array->side[a];
  }
}

static const char *compare_chunk(const struct run *run, struct chunk *chunk, uint64_t number,
                                 const char *name, struct result *result) {
  int error;
  result->problem = cli_store_read(run->store, name, chunk->packed, chunk->packed_room,
                                   &chunk->packed_size, &error);
  const int is_known = error == ENOENT || error == ENOTDIR || error == ELOOP || error == EISDIR;
  if (!result->problem && (error = unpack_chunk(chunk)) != 0)
    result->problem = "it does not unpack to a whole chunk";
  else if (error != 0 && !is_known)
    return strerror(error); /* says nothing about the chunk */
  if (error == ENOMEM)
    return strerror(error);
  result->state = !result->problem ? DONE : error == ENOENT ? MISSING : DAMAGED;
  const char *problem = result->problem ? NULL : compute_chunk(chunk, number);
  if (result->state == DONE && !problem &&
      memcmp(chunk->samples, chunk->unpacked, chunk->bytes) != 0) {
    result->state = DIFFERENT;
    find_difference(chunk, number, result->sample);
  }
  return problem;
}

static int verify(struct cli_array *array) {
  struct run run = {.array = array, .work = compare_chunk};
  const uint64_t *count = run.count;
  const char *problem;
  int status = cli_array_check(array, CLI_ZARRAY);
  if (status == 0)
    status = cli_array_check(array, CLI_ZATTRS);
  if (status != 0)
    return status;
  run.store = cli_store_open(array->folder, NULL, &problem);
  if (run.store < 0)
    return cli_fail("cannot read '%s': %s", array->folder, problem);
  array->stream->progress->unit = "chunks";
  array->stream->progress->total = array->chunks;
  run_chunks(&run);
  cli_progress_hide(array->stream->progress);
  close(run.store);
  if (run.problem[0] != '\0')
    return cli_fail("cannot compare '%s/%s': %s", array->folder, run.problem_chunk, run.problem);
  if (count[MISSING] > MAX_MISSING)
    printf("and %" PRIu64 " more that are missing\n", count[MISSING] - MAX_MISSING);
  cli_print_text(stdout, array->folder);
  printf(": %" PRIu64 " chunks: %" PRIu64 " equal, %" PRIu64 " different, %" PRIu64
         " damaged, %" PRIu64 " missing\n",
         array->chunks, count[DONE], count[DIFFERENT], count[DAMAGED], count[MISSING]);
  status = cli_finish_stdout();
  if (status != 0 || count[DONE] == array->chunks)
    return status;
  return cli_fail("'%s' is not what its options make; remove the files listed, and 'perlane fill' "
                  "writes those chunks again",
                  array->folder);
}

const struct cli_format CLI_ZARR = {
    .suffix = ".zarr", .depths = 8 + 16 + 32, .usual = 32, .fill = fill, .verify = verify};
