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
#include "map/output.h"

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

static uint64_t samples_of(const struct cli_fill *fill) {
  uint64_t samples = 1;
  for (int a = 0; a < fill->map.dims; a++)
    samples *= fill->map.size[a];
  return samples;
}

/* Chooses the names of the files beside the map. */
static int name_beside(struct cli_fill *fill) {
  const char *file = fill->options.file;
  const int has_sidecar = fill->format->sidecar && !cli_output_is_stream(file);
  const int has_shape = has_sidecar && fill->engine && fill->engine->reads_json;
  if (has_sidecar)
    fill->beside[FILL_SIDECAR] = cli_beside(file, CLI_SIDECAR);
  if (has_shape)
    fill->beside[FILL_SHAPE] = cli_beside(file, CLI_SHAPE);
  return (has_sidecar && !fill->beside[FILL_SIDECAR]) || (has_shape && !fill->beside[FILL_SHAPE])
             ? cli_fail(fill->line.command, "%s", strerror(ENOMEM))
             : 0;
}

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

int cli_fill_check_space(const struct cli_fill *fill, int descriptor, uint64_t bytes) {
  const char *file = fill->options.file;
  if (fill->work.force)
    return 0;
  const char *problem =
      cli_output_space(descriptor, cli_format_smallest(fill->format, &fill->map, bytes));
  if (problem)
    return cli_fail(fill->line.command, "'%s' needs at least %s; --force begins it anyway", file,
                    problem);
  const char *doubt = fill->work.quiet ? NULL : cli_output_space(descriptor, bytes);
  if (doubt)
    cli_note(fill->line.command,
             "'%s' may not fit on its disk, which depends on its compression: without any it "
             "needs %s",
             file, doubt);
  return 0;
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
  if (problem && cli_output_is_stdout(file))
    return cli_fail(command, "cannot write to the standard output: %s", problem);
  return problem ? cli_fail(command, "cannot write '%s': %s", file, problem) : 0;
}

/* Opens the map first, which keeps other processes from all its files. */
static int write_files(struct cli_fill *fill) {
  const char *file = fill->options.file;
  if (cli_output_is_stdout(file) && isatty(STDOUT_FILENO))
    return cli_refuse(fill->line.command,
                      "-o %s: the standard output is a terminal; send it to a file or a program",
                      file);
  struct cli_output output;
  const char *problem = cli_output_open(&output, file);
  if (problem)
    return cli_fail(fill->line.command, "cannot create '%s': %s", file, problem);
  int status = cli_fill_check_space(fill, fileno(output.stream),
                                    samples_of(fill) * cli_sample_bytes(&fill->map));
  for (int i = 0; i < FILL_BESIDE && status == 0; i++)
    status = try_file(fill, fill->beside[i]);
  if (status == 0)
    return write_to(fill, &output);
  cli_output_drop(&output);
  return status;
}

/* ---- Reports ---- */

static void report(const struct cli_fill *fill, double elapsed) {
  const struct cli_group *group = &fill->group[FILL_MAP];
  const int threads = fill->stream.threads;
  const int32_t octaves = cli_field_octaves(&fill->field);
  cli_print_text(stderr, fill->options.file);
  fputs(": ", stderr);
  cli_print_value(stderr, &group->option[CLI_MAP_SIZE], group->values);
  fprintf(stderr, ", %d bits, %" PRId32 " octave%s, %s, %d thread%s, %.3f s", fill->map.bits,
          octaves, octaves == 1 ? "" : "s", perlane_isa_name(perlane_isa_current()), threads,
          threads == 1 ? "" : "s", elapsed);
  if (fill->format->store)
    fprintf(stderr, "; chunks: %" PRIu64 " written, %" PRIu64 " were there", fill->run.written,
            fill->run.found);
  /* Times of small maps are mostly overhead. */
  const uint64_t samples = fill->progress.done;
  if (samples >= 65536 && fill->stream.seconds > 0)
    fprintf(stderr, "; noise: %.4g M samples/s a thread",
            (double)samples / fill->stream.seconds * 1e-6);
  fputc('\n', stderr);
}

/* ---- Options to save ---- */

/* Saved options must not take the place of the map or of a file beside it. That they cannot be
 * written should not turn out when all has been computed. */
static int check_saved(const struct cli_fill *fill) {
  const char *saved = fill->field.save_params;
  const int status = try_file(fill, saved);
  if (status != 0 || !saved)
    return status;
  int is_taken = cli_output_same(saved, fill->options.file);
  for (int i = 0; i < FILL_BESIDE; i++)
    is_taken |= fill->beside[i] && cli_output_same(saved, fill->beside[i]);
  return is_taken ? cli_refuse(fill->line.command,
                               "--save-params '%s': the map or its sidecar has this name; "
                               "take another name",
                               saved)
                  : 0;
}

static int write_all(struct cli_fill *fill) {
  fill->progress = cli_progress_begin(samples_of(fill), !fill->work.quiet);
  fill->stream.progress = &fill->progress;
  const int status = fill->format->store ? cli_fill_store(fill) : write_files(fill);
  const double elapsed = cli_progress_end(&fill->progress);
  if (status == 0 && !fill->work.quiet)
    report(fill, elapsed);
  return status;
}

int cli_fill_write(struct cli_fill *fill) {
  const struct cli_field *field = &fill->field;
  int status = name_beside(fill);
  if (status == 0)
    status = check_saved(fill);
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
  fill->map.params = cli_text_print(&fill->line, " ", 0);
  if (!fill->map.params)
    return cli_fail(fill->line.command, "%s", strerror(ENOMEM));
  status = write_all(fill);
  free(fill->map.params);
  return status == 0 ? cli_save_params(&fill->line, field) : status;
}
