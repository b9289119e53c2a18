/* SPDX-License-Identifier: MIT
 *
 * Writes a planned map, and the files beside it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/fill.h"
#include "field/saved.h"
#include "formats/carried.h"
#include "formats/output.h"

/* A copy of a problem, whose text may be the writer's that is about to be freed; NULL for none. */
static const char *keep(const char *problem) {
  static char kept[160];
  if (problem)
    snprintf(kept, sizeof kept, "%s", problem);
  return problem ? kept : NULL;
}

static const char *write_map(struct cli_fill *fill, FILE *stream) {
  const struct cli_format *format = fill->format;
  void *writer = calloc(1, format->writer_bytes);
  if (!writer)
    return strerror(ENOMEM);
  const char *problem = format->begin(writer, stream, &fill->map);
  if (!problem)
    problem = cli_stream_write(&fill->stream, format, writer);
  if (!problem)
    problem = format->finish(writer);
  problem = keep(problem);
  if (format->release)
    format->release(writer);
  free(writer);
  return problem;
}

/* ---- Files ---- */

static const char *write_beside(const struct cli_fill *fill, int kind) {
  struct cli_output output;
  const char *problem = cli_output_open(&output, fill->beside[kind]);
  if (problem)
    return problem;
  return cli_output_end(&output, kind == FILL_SHAPE
                                     ? cli_shape_write(output.stream, &fill->map)
                                     : cli_sidecar_write(output.stream, &fill->map,
                                                         fill->stream.low, fill->stream.high));
}

/* Fails if a file, which may be NULL for none, could not be written. */
static int try_file(const struct cli_fill *fill, const char *name) {
  const char *problem = name ? cli_output_try(name) : NULL;
  return problem ? cli_fail(fill->line.command, "cannot write '%s': %s", name, problem) : 0;
}

/* Writes the map to an open output, and the files beside it. The map gets its name when all are
 * complete. */
static int write_to(struct cli_fill *fill, struct cli_output *output) {
  const struct cli_command *command = fill->line.command;
  const char *file = fill->options.file;
  const char *problem = write_map(fill, output->stream);
  if (problem)
    cli_output_drop(output);
  else
    problem = cli_output_complete(output);
  for (int i = 0; i < FILL_BESIDE && !problem; i++) {
    problem = fill->beside[i] ? write_beside(fill, i) : NULL;
    if (problem) {
      cli_output_drop(output);
      file = fill->beside[i];
    }
  }
  if (!problem)
    problem = cli_output_close(output);
  if (problem)
    cli_progress_hide(&fill->progress);
  if (problem && cli_output_is_stdout(file))
    return cli_fail(command, "cannot write to the standard output: %s", problem);
  return problem ? cli_fail(command, "cannot write '%s': %s", file, problem) : 0;
}

/* ---- Interruptions ---- */

/* Prints how many tiles are complete, and the name of the first that is not. */
static void print_complete(FILE *stream, const struct cli_fill *fill, int64_t tiles,
                           const char *next) {
  fprintf(stream, "complete: %" PRId64 " of %" PRId64 " tiles, those before '", tiles,
          cli_fill_tile_count(fill));
  cli_print_text(stream, next);
  fputs("', row by row", stream);
}

/* Returns what a signal prints once so many tiles are complete: nothing if all are. Returns NULL
 * without memory. */
static char *interrupted_after(const struct cli_fill *fill, int64_t tiles) {
  char *text = NULL;
  size_t length;
  if (tiles == cli_fill_tile_count(fill) || cli_output_is_stream(fill->options.file))
    return strdup("");
  char *next = tiles > 0 ? cli_fill_tile_name(fill, tiles) : strdup(fill->options.file);
  FILE *stream = next ? open_memstream(&text, &length) : NULL;
  if (stream) {
    cli_progress_print_end(stream, &fill->progress);
    fputs("perlane fill: interrupted; ", stream);
    if (tiles > 0) {
      print_complete(stream, fill, tiles, next);
      fputs("; the same command makes all of them again\n", stream);
    } else {
      fputs("nothing was written to '", stream);
      cli_print_text(stream, next);
      fputs("'\n", stream);
    }
    if (fclose(stream) != 0)
      text = NULL;
  }
  free(next);
  return text;
}

/* ---- The map, or a tile ---- */

/* Opens the map first, which keeps other processes from all its files. */
static int write_files(struct cli_fill *fill) {
  const char *file = fill->options.file;
  if (cli_output_is_stdout(file) && isatty(STDOUT_FILENO))
    return cli_refuse(fill->line.command,
                      "-o %s: the standard output is a terminal; send it to a file or a program",
                      file);
  const uint64_t bytes = cli_grid_samples(&fill->stream.grid) * cli_sample_bytes(&fill->map);
  struct cli_output output;
  const char *problem = cli_output_open(&output, file);
  if (problem)
    return cli_fail(fill->line.command, "cannot create '%s': %s", file, problem);
  output.interrupted = fill->interrupted;
  int status = cli_fill_check_space(fill, fileno(output.stream), bytes);
  for (int i = 0; i < FILL_BESIDE && status == 0; i++)
    status = try_file(fill, fill->beside[i]);
  if (status == 0)
    return write_to(fill, &output);
  cli_output_drop(&output);
  return status;
}

/* Writes a map whose interruption, now and once it is complete, prints what is complete then. */
static int write_interruptible(struct cli_fill *fill, int64_t tile) {
  char *now = tile > 0 ? fill->interrupted : interrupted_after(fill, 0);
  if (tile == 0)
    cli_output_on_interrupt(now);
  fill->interrupted = interrupted_after(fill, tile + 1);
  const int status = now && fill->interrupted
                         ? write_files(fill)
                         : cli_fail(fill->line.command, "%s", strerror(ENOMEM));
  cli_output_on_interrupt(status == 0 ? fill->interrupted : NULL);
  free(now);
  return status;
}

static int write_tile(struct cli_fill *fill, int64_t tile) {
  int status = cli_fill_go_to(fill, tile);
  if (status != 0)
    return status;
  fill->map.params = cli_text_print(&fill->line, " ", 0);
  if (!fill->map.params)
    return cli_fail(fill->line.command, "%s", strerror(ENOMEM));
  cli_progress_hide(&fill->progress);
  status = fill->format->store ? cli_fill_store(fill) : write_interruptible(fill, tile);
  free(fill->map.params);
  if (status != 0 && tile > 0) {
    FILE *message = cli_begin_message();
    print_complete(message, fill, tile, fill->options.file);
    cli_end_note(fill->line.command, message);
  }
  return status;
}

/* ---- All files ---- */

/* Checks that options can be saved, and that all tiles can be written, before any is computed.
 * Saved options must not take the place of a map or of a file beside it. */
static int check_names(struct cli_fill *fill) {
  const char *saved = fill->field.save_params;
  int status = try_file(fill, saved);
  for (int64_t t = 0; t < cli_fill_tile_count(fill) && status == 0; t++) {
    status = cli_fill_go_to(fill, t);
    if (status == 0 && fill->options.tiles.count > 0)
      status = try_file(fill, fill->options.file);
    int is_taken = status == 0 && saved && cli_output_same(saved, fill->options.file);
    for (int i = 0; i < FILL_BESIDE && status == 0; i++) {
      if (fill->options.tiles.count > 0)
        status = try_file(fill, fill->beside[i]);
      is_taken |= saved && fill->beside[i] && cli_output_same(saved, fill->beside[i]);
    }
    if (status == 0 && is_taken)
      status = cli_refuse(fill->line.command,
                          "--save-params '%s': the map or its sidecar has this name; "
                          "take another name",
                          saved);
  }
  return status;
}

static void print_rate(const char *work, double amount, const char *unit, double seconds) {
  if (seconds > 0)
    fprintf(stderr, "; %s: %.4g %s/s a thread", work, amount / seconds, unit);
}

static void report(const struct cli_fill *fill, double elapsed) {
  const struct cli_group *group = &fill->group[FILL_MAP];
  const int threads = fill->stream.threads;
  const int32_t octaves = cli_field_octaves(&fill->field);
  cli_print_text(stderr, fill->tiles.output);
  fputs(": ", stderr);
  if (fill->options.tiles.count > 0)
    fprintf(stderr, "%" PRId64 "x%" PRId64 " tiles of ", fill->tiles.count[0],
            fill->tiles.count[1]);
  cli_print_value(stderr, &group->option[CLI_MAP_SIZE], group->values);
  fprintf(stderr, ", %d bits, %" PRId32 " octave%s, %s, %d thread%s, %.3f s", fill->map.bits,
          octaves, octaves == 1 ? "" : "s", perlane_isa_name(perlane_isa_current()), threads,
          threads == 1 ? "" : "s", elapsed);
  if (fill->format->store)
    fprintf(stderr, "; chunks: %" PRIu64 " written, %" PRIu64 " were there", fill->run.written,
            fill->run.found);
  /* Times of small maps are mostly overhead. */
  const uint64_t samples = fill->format->store ? fill->run.written_samples : cli_fill_samples(fill);
  if (samples >= 65536) {
    print_rate("noise", (double)samples * 1e-6, "M samples", fill->stream.filling);
    if (cli_format_compresses(fill->format, &fill->map))
      print_rate("compression", (double)(samples * cli_sample_bytes(&fill->map)) * 1e-6, "MB",
                 fill->stream.packing);
  }
  fputc('\n', stderr);
}

static int write_all(struct cli_fill *fill) {
  int status = 0;
  fill->progress = cli_progress_begin(cli_fill_samples(fill), !fill->work.quiet);
  fill->progress.name = fill->tiles.output;
  fill->stream.progress = &fill->progress;
  for (int64_t t = 0; t < cli_fill_tile_count(fill) && status == 0; t++)
    status = write_tile(fill, t);
  const double elapsed = cli_progress_end(&fill->progress);
  cli_output_on_interrupt(NULL);
  if (status == 0 && !fill->work.quiet)
    report(fill, elapsed);
  return status;
}

int cli_fill_write(struct cli_fill *fill) {
  const struct cli_field *field = &fill->field;
  int status = check_names(fill);
  if (status != 0)
    return status;
  const int is_too_large =
      cli_list_exists(field, CLI_GRADIENT_GRID, 1) && !cli_list_exists(field, CLI_GRADIENT_GRID, 0);
  if (is_too_large && fill->format->store) /* resuming and verifying need the whole field */
    return cli_refuse(fill->line.command,
                      "-o '%s': a .zarr array carries gradient grids of at most %d points",
                      fill->options.file, CLI_MAX_CARRIED_POINTS);
  if (is_too_large && !fill->work.quiet)
    cli_note(fill->line.command,
             "the map does not carry the gradient grid, which has more than %d points; "
             "--save-params does",
             CLI_MAX_CARRIED_POINTS);
  status = write_all(fill);
  fill->options.first = fill->tiles.first;
  return status == 0 ? cli_save_params(&fill->line, field) : status;
}
