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
  void *writer = NULL;
  const char *problem = fill->format->begin(&writer, stream, &fill->map);
  if (!problem)
    problem = cli_stream_write(&fill->stream, fill->format, writer);
  if (!problem)
    problem = fill->format->finish(writer);
  problem = keep(problem);
  fill->format->free(writer);
  return problem;
}

/* ---- Files ---- */

static int has_sidecar(const struct cli_fill *fill) {
  return fill->format->sidecar && !cli_output_is_stream(fill->options.file);
}

static int has_shape(const struct cli_fill *fill) {
  return has_sidecar(fill) && fill->engine && fill->engine->reads_json;
}

static const char *write_sidecar(const struct cli_fill *fill, const char *name) {
  struct cli_output output;
  const char *problem = cli_output_open(&output, name);
  return problem ? problem
                 : cli_output_end(&output, cli_sidecar_write(output.stream, &fill->map,
                                                             fill->stream.low, fill->stream.high));
}

static const char *write_shape(const struct cli_fill *fill, const char *name) {
  struct cli_output output;
  const char *problem = cli_output_open(&output, name);
  return problem ? problem : cli_output_end(&output, cli_shape_write(output.stream, &fill->map));
}

/* Refuses a map that does not fit on its disk, or notes that it may not. */
static int check_space(const struct cli_fill *fill, const struct cli_output *output) {
  const char *file = fill->options.file;
  if (fill->work.force)
    return 0;
  uint64_t smallest;
  const uint64_t bytes = cli_format_bytes(fill->format, &fill->map, &smallest);
  const char *problem = cli_output_space(output, smallest);
  if (problem)
    return cli_fail(fill->line.command, "'%s' needs at least %s; --force begins it anyway", file,
                    problem);
  const char *doubt = fill->work.quiet ? NULL : cli_output_space(output, bytes);
  if (doubt)
    cli_note(fill->line.command,
             "'%s' may not fit on its disk, which depends on its compression: without any it "
             "needs %s",
             file, doubt);
  return 0;
}

static int try_file(const struct cli_fill *fill, const char *name) {
  const char *problem = cli_output_try(name);
  return problem ? cli_fail(fill->line.command, "cannot write '%s': %s", name, problem) : 0;
}

/* Writes the map to an open output, and its sidecar unless that is NULL. Both get their names when
 * both are complete. */
static int write_to(struct cli_fill *fill, struct cli_output *output, const char *sidecar) {
  const struct cli_command *command = fill->line.command;
  const char *file = fill->options.file;
  const char *problem = write_map(fill, output->stream);
  if (problem)
    cli_output_drop(output);
  else
    problem = cli_output_complete(output);
  if (!problem && sidecar) {
    problem = write_sidecar(fill, sidecar);
    if (problem) {
      cli_output_drop(output);
      return cli_fail(command, "cannot write '%s': %s", sidecar, problem);
    }
  }
  if (!problem)
    problem = cli_output_close(output);
  if (problem && cli_output_is_stdout(file))
    return cli_fail(command, "cannot write to the standard output: %s", problem);
  return problem ? cli_fail(command, "cannot write '%s': %s", file, problem) : 0;
}

/* Opens the map first, which keeps other processes from all its files. */
static int write_files(struct cli_fill *fill, const char *sidecar, const char *shape) {
  const struct cli_command *command = fill->line.command;
  struct cli_output output;
  const char *problem = cli_output_open(&output, fill->options.file);
  if (problem)
    return cli_fail(command, "cannot create '%s': %s", fill->options.file, problem);
  int status = check_space(fill, &output);
  if (status == 0 && sidecar)
    status = try_file(fill, sidecar);
  if (status == 0 && shape)
    status = try_file(fill, shape);
  if (status != 0) {
    cli_output_drop(&output);
    return status;
  }
  status = write_to(fill, &output, sidecar);
  problem = status == 0 && shape ? write_shape(fill, shape) : NULL;
  return problem ? cli_fail(command, "cannot write '%s': %s", shape, problem) : status;
}

static int write_file(struct cli_fill *fill) {
  const struct cli_command *command = fill->line.command;
  const char *file = fill->options.file;
  if (cli_output_is_stdout(file) && isatty(STDOUT_FILENO))
    return cli_refuse(command,
                      "-o %s: the standard output is a terminal; send it to a file or "
                      "a program",
                      file);
  char *sidecar = has_sidecar(fill) ? cli_beside(file, CLI_SIDECAR) : NULL;
  char *shape = has_shape(fill) ? cli_beside(file, CLI_SHAPE) : NULL;
  const int complete = (sidecar || !has_sidecar(fill)) && (shape || !has_shape(fill));
  const int status =
      complete ? write_files(fill, sidecar, shape) : cli_fail(command, "%s", strerror(ENOMEM));
  free(sidecar);
  free(shape);
  return status;
}

/* ---- Reports ---- */

static uint64_t samples_of(const struct cli_fill *fill) {
  uint64_t samples = 1;
  for (int a = 0; a < fill->map.dims; a++)
    samples *= fill->map.size[a];
  return samples;
}

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
  /* Times of small maps are mostly overhead. */
  if (samples_of(fill) >= 65536 && fill->stream.seconds > 0)
    fprintf(stderr, "; noise: %.4g M samples/s a thread",
            (double)samples_of(fill) / fill->stream.seconds * 1e-6);
  fputc('\n', stderr);
}

/* ---- Options to save ---- */

/* Whether a name is that of the file beside the map. */
static int is_beside(const struct cli_fill *fill, const char *name, const char *suffix) {
  char *beside = cli_beside(fill->options.file, suffix);
  const int same = beside && cli_output_same(name, beside);
  free(beside);
  return same;
}

/* Saved options must not take the place of the map or of a file beside it. That they cannot be
 * written should not turn out when all has been computed. */
static int check_saved(const struct cli_fill *fill) {
  const struct cli_command *command = fill->line.command;
  const char *saved = fill->field.save_params, *file = fill->options.file;
  const char *problem = saved ? cli_output_try(saved) : NULL;
  if (problem)
    return cli_fail(command, "cannot write '%s': %s", saved, problem);
  if (!saved)
    return 0;
  const int is_taken = cli_output_same(saved, file) ||
                       (has_sidecar(fill) && is_beside(fill, saved, CLI_SIDECAR)) ||
                       (has_shape(fill) && is_beside(fill, saved, CLI_SHAPE));
  return is_taken ? cli_refuse(command,
                               "--save-params '%s': the map or its sidecar has this name; "
                               "take another name",
                               saved)
                  : 0;
}

static int write_all(struct cli_fill *fill) {
  fill->progress = cli_progress_begin(samples_of(fill), !fill->work.quiet);
  fill->stream.progress = &fill->progress;
  const int status = write_file(fill);
  const double elapsed = cli_progress_end(&fill->progress);
  if (status == 0 && !fill->work.quiet)
    report(fill, elapsed);
  return status;
}

int cli_fill_write(struct cli_fill *fill) {
  const struct cli_field *field = &fill->field;
  int status = check_saved(fill);
  if (status != 0)
    return status;
  if (!fill->work.quiet && cli_list_exists(field, CLI_GRADIENT_GRID, 1) &&
      !cli_list_exists(field, CLI_GRADIENT_GRID, 0))
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
