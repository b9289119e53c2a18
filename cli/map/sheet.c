/* SPDX-License-Identifier: MIT */
#include "map/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In pixels: the longest side of a small picture, and the space between them, which is DARK. */
enum { SIDE = 256, SPACE = 8, DARK = 24 };

struct sheet {
  unsigned char *pixels;
  size_t channels, columns, rows; /* of pictures */
  size_t width, height;           /* of a picture */
  size_t row_bytes;               /* of the sheet */
};

/* Makes the sheet as wide as high, or a little wider. */
static int begin_sheet(struct sheet *sheet, size_t count) {
  const size_t width = sheet->width + SPACE, height = sheet->height + SPACE;
  do
    sheet->rows = (count + sheet->columns) / (sheet->columns + 1);
  while (++sheet->columns * width < sheet->rows * height);
  sheet->row_bytes = (sheet->columns * width + SPACE) * sheet->channels;
  const size_t bytes = sheet->row_bytes * (sheet->rows * height + SPACE);
  sheet->pixels = malloc(bytes);
  if (sheet->pixels)
    memset(sheet->pixels, DARK, bytes);
  return sheet->pixels ? 0 : cli_fail("%s", strerror(ENOMEM));
}

/* Makes the request that of a small picture of the whole map, with as many octaves as it shows. */
static void shrink(struct cli_request *request) {
  struct cli_map_options *map = &request->map;
  const double factor =
      fmax(1, fmax((double)map->size.at[0].whole, (double)map->size.at[1].whole) / SIDE);
  struct cli_numbers step = {.count = map->size.count};
  for (int a = 0; a < map->size.count; a++) {
    step.at[a].real = cli_map_step(map, a);
    map->origin.at[a].real += (double)map->first.at[a].whole * step.at[a].real;
    if (a >= 2)
      continue;
    map->size.at[a].whole = (int64_t)fmax(1, (double)map->size.at[a].whole / factor);
    step.at[a].real *= factor;
  }
  map->step = step;
  map->first = (struct cli_numbers){.count = 0};
  map->bits = 8;
  request->picture.relief.at[0].real /= factor;
}

static int draw(const struct sheet *sheet, struct cli_plan *plan, struct cli_request *request,
                size_t index) {
  unsigned char *picture =
      sheet->pixels +
      ((index / sheet->columns) * (sheet->height + SPACE) + SPACE) * sheet->row_bytes +
      ((index % sheet->columns) * (sheet->width + SPACE) + SPACE) * sheet->channels;
  const struct cli_numbers range = request->map.range;
  request->field.params.seed = request->map.seeds.first + index;
  const int status = cli_plan_make(plan, request);
  request->map.range = range;
  if (status != 0)
    return status;
  perlane_grid grid = plan->stream.grid;
  grid.stride[0] = 1;
  grid.stride[1] = (int64_t)(sheet->row_bytes / sheet->channels);
  grid.octaves = perlane_octaves_for(plan->stream.noise, grid.step[0]);
  float *scratch = malloc((cli_stream_scratch(&plan->stream, &grid) + 1) * sizeof *scratch);
  const perlane_status filled =
      scratch ? cli_stream_fill(&plan->stream, grid, picture, scratch) : PERLANE_ERROR_COUNT;
  free(scratch);
  return filled == PERLANE_OK ? 0 : cli_fail("%s", perlane_status_string(filled));
}

static void note_seeds(const struct sheet *sheet, const struct cli_seeds *seeds) {
  (void)cli_say(0, "note: the rows of pictures begin with the seeds ");
  for (uint64_t row = 0; row < sheet->rows; row++)
    fprintf(cli_message(), "%s%" PRIu64, row ? ", " : "", seeds->first + row * sheet->columns);
  cli_print_message();
}

/* Plans the file of a sheet. */
static void plan_file(struct cli_plan *plan, const struct sheet *sheet) {
  struct cli_map *map = &plan->map;
  perlane_grid *grid = &plan->stream.grid;
  map->dims = 2;
  map->crs = 0;
  map->size[0] = sheet->row_bytes / sheet->channels;
  map->size[1] = sheet->rows * (sheet->height + SPACE) + SPACE;
  plan->stream.pixels = sheet->pixels;
  *grid = perlane_grid_make(map->size[0], map->size[1], 0, 0);
}

int cli_sheet_make(struct cli_plan *plan, unsigned char **pixels, struct cli_request *request) {
  const struct cli_map_options map = request->map;
  const struct cli_picture picture = request->picture;
  const size_t count = (size_t)map.seeds.count;
  shrink(request);
  struct sheet sheet = {
      .channels = cli_picture_wanted(&picture) ? 3 : 1,
      .width = (size_t)request->map.size.at[0].whole,
      .height = (size_t)request->map.size.at[1].whole,
  };
  int status = begin_sheet(&sheet, count);
  *pixels = sheet.pixels;
  for (size_t i = 0; i < count && status == 0; i++)
    status = draw(&sheet, plan, request, i);
  if (status == 0 && !request->work.quiet)
    note_seeds(&sheet, &map.seeds);
  request->map = map;
  request->picture = picture;
  request->field.params.seed = map.seeds.first;
  plan_file(plan, &sheet);
  return status;
}
