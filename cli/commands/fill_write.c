/* SPDX-License-Identifier: MIT
 *
 * Writes a planned map, or its tiles: files of one size, each with the samples that the whole map
 * has there; and the files beside them.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/commands.h"

enum { MAP, SIDECAR, FILES };

struct run {
  struct cli_request *request;
  struct cli_plan *plan;
  const char *output;         /* the name of the map, or without indices that of its tiles */
  struct cli_numbers first;   /* of tile 0 */
  char file[FILES][CLI_NAME]; /* its files; empty for none */
  int64_t part[2];            /* the tiles to be written, and the first one after them */
  int64_t absent;             /* of them: those that have no file yet */
  int64_t found, written;     /* of them: complete before, and by this run */
  struct cli_progress progress;
  struct cli_levels levels;
};

static unsigned char is_there[CLI_MAX_TILES]; /* of the tiles: complete before */

static int is_tiled(const struct run *run) {
  return run->request->map.tiles.count > 0;
}

static int makes_folders(const struct run *run) {
  return is_tiled(run) && cli_tiles_are_named(run->output);
}

/* Fails because of a file. After a signal that is no news. */
static int fail_file(const char *what, const char *file, const char *problem) {
  return cli_output_caught() ? CLI_FAILURE
         : cli_output_is_stdout(file)
             ? cli_fail("cannot %s to the standard output: %s", what, problem)
             : cli_fail("cannot %s '%s': %s", what, file, problem);
}

/* ---- Names ---- */

/* Returns 1 if there is a file of this kind; an earlier map's is removed otherwise. */
static int has(const struct run *run, int kind) {
  return kind == MAP || run->plan->format->sidecar || cli_map_has_settings(&run->request->map);
}

/* Makes the names of a tile's files, or those of the map's. */
static void name_files(struct run *run, int64_t tile) {
  if (is_tiled(run))
    cli_tile_name(run->file[MAP], run->output, run->plan->engine, &run->plan->tiles, tile);
  else
    snprintf(run->file[MAP], CLI_NAME, "%s", run->output);
  *run->file[SIDECAR] = '\0';
  if (!cli_output_is_stream(run->file[MAP])) {
    char map[CLI_NAME];
    cli_output_follow(map, run->file[MAP]);
    cli_beside(run->file[SIDECAR], map, CLI_SIDECAR);
  }
}

/* Makes the options, the grid and the files' names those of a tile. */
static void go_to(struct run *run, int64_t tile) {
  struct cli_map_options *map = &run->request->map;
  struct cli_plan *plan = run->plan;
  int64_t begin[CLI_TILE_AXES];
  name_files(run, tile);
  cli_tile_begin(begin, &plan->tiles, &map->size, tile);
  map->first = run->first;
  if (tile > 0)
    map->first.count = map->size.count;
  for (int a = 0; a < CLI_TILE_AXES; a++) {
    map->first.at[a].whole += begin[a];
    plan->stream.grid.first[a] = map->first.at[a].whole;
  }
  for (int a = 0; a < 2; a++) {
    plan->map.step[a] = cli_map_step(map, a);
    plan->map.corner[a] =
        map->origin.at[a].real + (double)map->first.at[a].whole * plan->map.step[a];
  }
}

/* Whether a file may be replaced: --force says so, nothing would be lost with it, or it is of the
 * kind that is written and the user gave its name. find_tiles looks at tiles. */
static int may_replace(const struct run *run, int kind) {
  const char *file = run->file[kind];
  if (run->request->work.force || cli_output_is_stream(file) || (kind == MAP && is_tiled(run)))
    return 1;
  const enum cli_content content = cli_content_of(file);
  return content == CLI_NOTHING || content == (kind == MAP ? CLI_A_MAP : CLI_DESCRIPTION);
}

/* Checks that all files can be written, and that none takes the place of another's. */
static int check_names(struct run *run) {
  const char *name = NULL, *problem = NULL;
  for (int64_t tile = run->part[0]; tile < run->part[1] && !problem; tile++) {
    name_files(run, tile);
    struct stat status;
    const int exists = is_tiled(run) && stat(run->file[MAP], &status) == 0;
    /* A tile that exists is often to stay, and then needs no trial. */
    const int keeps = exists && S_ISREG(status.st_mode) && access(run->file[MAP], W_OK) == 0;
    run->absent += !exists;
    for (int i = 0; i < FILES && !problem; i++) {
      if (!*run->file[i] || !has(run, i) || keeps)
        continue;
      name = run->file[i];
      problem = cli_output_try(name, makes_folders(run));
      if (!problem && !may_replace(run, i))
        return cli_fail("'%s' is there, and nothing in it says that perlane wrote it; take another "
                        "name, or --force writes over it",
                        name);
    }
  }
  return problem ? fail_file("write", name, problem) : 0;
}

/* Checks that all files fit on the disk of the first one. Tiles that exist have their room. The
 * size of a PNG is not known. */
static int check_space(const struct run *run) {
  const struct cli_request *request = run->request;
  uint64_t bytes = (uint64_t)(run->absent * request->map.bits / 8) *
                   (cli_picture_wanted(&request->picture) ? 3 : 1);
  char tiles[32] = "";
  for (int a = 0; a < request->map.size.count; a++)
    bytes *= (uint64_t)request->map.size.at[a].whole;
  if (run->absent > 1)
    snprintf(tiles, sizeof tiles, ", %" PRId64 " tiles,", run->absent);
  return cli_output_check_space(run->output, tiles, bytes);
}

static struct run begin(struct cli_request *request, struct cli_plan *plan) {
  struct run run = {
      .request = request, .plan = plan, .output = request->map.file, .first = request->map.first};
  cli_part_range(&request->map.part, (uint64_t)cli_tiles_count(&plan->tiles), run.part);
  return run;
}

int cli_fill_check(struct cli_plan *plan, struct cli_request *request) {
  if (request->field.print_params)
    return 0;
  struct run run = begin(request, plan);
  const int is_stdout = cli_output_is_stdout(run.output);
  const int is_large = !request->work.force && plan->format != &CLI_PNG &&
                       (is_stdout || !cli_output_is_stream(run.output));
  if (is_stdout && isatty(STDOUT_FILENO))
    return cli_refuse("-o %s: the standard output is a terminal; send it to a file or a program",
                      run.output);
  const int status = check_names(&run);
  return status == 0 && is_large && run.absent > 0 ? check_space(&run) : status;
}

/* ---- The map, or a tile ---- */

static const char *write_map(struct run *run, FILE *stream) {
  static char kept[160]; /* of a problem whose text is the writer's */
  const struct cli_format *format = run->plan->format;
  void *writer = cli_need(calloc(1, format->writer_bytes));
  const char *problem = format->begin(writer, stream, &run->plan->map);
  if (!problem)
    problem = cli_stream_write(&run->plan->stream, format, writer);
  if (!problem && format->finish)
    problem = format->finish(writer);
  if (problem)
    snprintf(kept, sizeof kept, "%s", problem);
  if (format->release)
    format->release(writer);
  free(writer);
  return problem ? kept : NULL;
}

/* Prepares the file beside the map, or removes that of an earlier one. */
static const char *describe(const struct run *run, struct cli_output *output) {
  if (!has(run, SIDECAR))
    return cli_beside_remove(run->file[SIDECAR]);
  const char *problem = cli_output_open(output, run->file[SIDECAR]);
  if (!problem)
    cli_sidecar_write(output->stream, &run->plan->map);
  return problem;
}

/* Writes the map and the file beside it. */
static int write_files(struct run *run) {
  static struct cli_output output[FILES];
  int failed = MAP;
  memset(output, 0, sizeof output);
  const char *problem = makes_folders(run) ? cli_output_make_folders(run->file[MAP]) : NULL;
  if (!problem)
    problem = cli_output_open(&output[MAP], run->file[MAP]);
  if (!problem)
    problem = write_map(run, output[MAP].stream);
  if (!problem && *run->file[SIDECAR]) {
    failed = SIDECAR;
    problem = describe(run, &output[SIDECAR]);
  }
  for (int i = 0; i < FILES && problem; i++)
    cli_output_drop(&output[i]);
  if (!problem)
    problem = cli_output_close_all(output, FILES, &failed);
  if (!problem)
    return 0;
  cli_progress_hide(&run->progress);
  return fail_file("write", run->file[failed], problem);
}

/* ---- Tiles that are there ---- */

char *cli_fill_options(char *text) {
  while (*text == '#') {
    text += strcspn(text, "\n");
    text += strspn(text, "\n");
  }
  text[strcspn(text, "\r\n")] = '\0';
  return text;
}

/* Returns 1 if a file carries these options: the samples of every version 2.x are the same. */
static int carries(const char *file, const char *options) {
  const char *problem;
  char *text = cli_carried_read(file, &problem, NULL);
  const char *other = text ? cli_fill_options(text) : "";
  const int is_same = strcmp(other + strcspn(other, " "), options + strcspn(options, " ")) == 0;
  free(text);
  return is_same;
}

/* Finds the tiles that are complete, before anything is written. Others of their names stay, unless
 * they are to be written over. */
static int find_tiles(struct run *run) {
  for (int64_t tile = run->part[0]; tile < run->part[1]; tile++) {
    go_to(run, tile);
    if (access(run->file[MAP], F_OK) != 0 || cli_output_is_stream(run->file[MAP]))
      continue;
    char *options = cli_text_print(&run->request->line, " ");
    is_there[tile] = (unsigned char)carries(run->file[MAP], options);
    free(options);
    run->found += is_there[tile];
    if (!is_there[tile] && !run->request->work.force)
      return cli_fail("'%s' is there already and does not carry these options; take another name, "
                      "or --force writes over it",
                      run->file[MAP]);
  }
  return 0;
}

static int write_tile(struct run *run, int64_t tile) {
  struct cli_map *map = &run->plan->map;
  go_to(run, tile);
  map->params = cli_text_print(&run->request->line, " ");
  cli_progress_hide(&run->progress);
  const int status = write_files(run);
  free(map->params);
  return status;
}

/* Says what is there of a map that is not complete. */
static int fail_incomplete(struct run *run, int status) {
  const int is_caught = cli_output_caught();
  const int64_t tiles = run->found + run->written;
  cli_progress_hide(&run->progress);
  name_files(run, run->part[0]);
  if (tiles == 0 && (!is_caught || cli_output_is_stream(run->file[MAP])))
    return status;
  cli_fail("%s", is_caught ? "interrupted; " : ""); /* one more line, unless it is the first */
  if (tiles > 0)
    fprintf(cli_message(), "complete: %" PRId64 " of %" PRId64 " tiles; the same command continues",
            tiles, run->part[1] - run->part[0]);
  else
    fprintf(cli_message(), "nothing was written to '%s'", run->file[MAP]);
  return CLI_FAILURE;
}

/* ---- All files ---- */

static void report(const struct run *run, double elapsed) {
  const struct cli_plan *plan = run->plan;
  const int threads = plan->stream.threads;
  const int32_t octaves = cli_field_octaves(&run->request->field);
  const int64_t tiles = cli_tiles_count(&plan->tiles);
  cli_print_text(stderr, run->output);
  fputs(": ", stderr);
  if (is_tiled(run))
    fprintf(stderr, "%" PRId64 " tile%s of ", tiles, tiles == 1 ? "" : "s");
  for (int a = 0; a < plan->map.dims; a++)
    fprintf(stderr, "%s%" PRIu64, a ? "x" : "", plan->map.size[a]);
  fprintf(stderr, ", %d bits, %" PRId32 " octave%s, %s, %d thread%s, %.3f s", plan->map.bits,
          octaves, octaves == 1 ? "" : "s", perlane_isa_name(perlane_isa_current()), threads,
          threads == 1 ? "" : "s", elapsed);
  if (run->written < tiles)
    fprintf(stderr, "; tiles: %" PRId64 " written, %" PRId64 " were there", run->written,
            run->found);
  fputc('\n', stderr);
  if (plan->map.note)
    cli_note("%s", plan->map.note);
}

/* Notes that values are clamped, or that they use few of the levels, and what would use all. */
static void note_levels(const struct cli_plan *plan) {
  enum { MIN_SAMPLES = 64 * 64 };
  static const double LEAST_USED = 0.75, LEAST_CLAMPED = 0.001;
  const struct cli_levels *levels = plan->stream.levels;
  const double samples = (double)levels->samples, clamped = (double)levels->ends / samples;
  const double most = plan->map.bits == 8 ? 255 : 65535;
  const double used = ((double)levels->high - (double)levels->low) / most;
  const double low = plan->range[0], span = plan->range[1] - low;
  if (plan->clamps && clamped >= LEAST_CLAMPED) {
    cli_note("%.3g %% of the samples are beyond --range and clamped; --range actual holds all",
             clamped * 100);
  } else if (used < LEAST_USED && used > 0 && span > 0 && samples >= MIN_SAMPLES) {
    /* The ends are half a level off, and rounded to three digits of what is between them. */
    const double unit = pow(10, floor(log10(span * used)) - 2);
    cli_note("the values use %.0f %% of --range %g,%g; --range %g,%g would use all levels",
             used * 100, low, low + span,
             floor((low + ((double)levels->low - 0.5) / most * span) / unit) * unit,
             ceil((low + ((double)levels->high + 0.5) / most * span) / unit) * unit);
  }
}

static int write_all(struct run *run) {
  struct cli_plan *plan = run->plan;
  const uint64_t samples = cli_grid_samples(&plan->stream.grid);
  run->progress =
      cli_progress_begin(run->output, (uint64_t)(run->part[1] - run->part[0]) * samples);
  plan->stream.progress = &run->progress;
  plan->stream.levels =
      !cli_is_quiet && plan->map.channels == 1 && plan->map.bits < 32 && !plan->stream.plan
          ? &run->levels
          : NULL;
  memset(is_there, 0, sizeof is_there);
  int status = is_tiled(run) ? find_tiles(run) : 0;
  if (status != 0)
    return status;
  cli_progress_found(&run->progress, (uint64_t)run->found * samples);
  for (int64_t t = run->part[0]; t < run->part[1] && status == 0 && !cli_output_caught(); t++) {
    status = is_there[t] ? 0 : write_tile(run, t);
    run->written += status == 0 && !is_there[t];
  }
  const double elapsed = cli_progress_end(&run->progress);
  if (run->found + run->written < run->part[1] - run->part[0])
    return fail_incomplete(run, status);
  if (!cli_is_quiet)
    report(run, plan->seconds + elapsed);
  if (plan->stream.levels && run->written == cli_tiles_count(&plan->tiles))
    note_levels(plan);
  return 0;
}

int cli_fill_write(struct cli_plan *plan, struct cli_request *request) {
  struct run run = begin(request, plan);
  return request->field.print_params ? cli_params_print(&request->line) : write_all(&run);
}
