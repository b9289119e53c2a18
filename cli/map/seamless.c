/* SPDX-License-Identifier: MIT
 *
 * --seamless: a map that repeats where its copies meet. --scale: the same map in more samples.
 */
#include "map/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Moves a frequency to the nearest one within a factor of 2 that makes whole cells along all axes.
 * Returns 0 if there is none. */
static int make_whole(const double *length, int axes, double *frequency) {
  const double cells = fmax(1, rint(length[0] * *frequency));
  const int most = (int)fmin(cells, 1000);
  for (int off = 0; off <= most; off = off > 0 ? -off : 1 - off) {
    int is_whole = cells + off >= cells / 2 && cells + off >= 1;
    for (int a = 1; a < axes && is_whole; a++) {
      const double others = length[a] / length[0] * (cells + off);
      is_whole = others >= 0.5 && fabs(others - rint(others)) <= others * 1e-12;
    }
    if (is_whole) {
      *frequency = (cells + off) / length[0];
      return 1;
    }
  }
  return 0;
}

int cli_seamless_choose(struct cli_plan *plan, struct cli_request *request) {
  struct cli_map_options *map = &request->map;
  perlane_params *params = &request->field.params;
  double length[PERLANE_MAX_DIMS];
  int axes = 0, axis[PERLANE_MAX_DIMS];
  if (!map->seamless)
    return 0;
  for (int a = 0; a < map->size.count; a++) {
    const int64_t samples = cli_tiles_whole(&plan->tiles, map->size.at[a].whole, a);
    length[axes] = (double)samples * fabs(cli_map_step(map, a));
    axis[axes] = a;
    axes += samples > 1;
  }
  if (cli_is_given(&request->line, "period"))
    return cli_refuse("--seamless and --period exclude each other");
  if (request->field.expression.text)
    return cli_refuse("--seamless: each field of an expression has a period of its own");
  if (axes == 0) /* a single sample */
    return 0;
  if (params->falloff != 0)
    return cli_refuse("--seamless: a map with a falloff does not repeat; --falloff 0");
  const int is_whole = make_whole(length, axes, &params->frequency);
  if (!is_whole ||
      (params->warp_amplitude != 0 && !make_whole(length, axes, &params->warp_frequency)))
    return cli_request_refuse(request, "size",
                              "--seamless finds no %s near %g with whole cells along all axes; "
                              "sides with a large common factor have more of them",
                              is_whole ? "warp frequency" : "frequency",
                              is_whole ? params->warp_frequency : params->frequency);
  int32_t common = 0;
  memset(params->period, 0, sizeof params->period);
  for (int i = 0; i < axes; i++) {
    int32_t period = (int32_t)fmin(rint(length[i] * params->frequency), INT32_MAX);
    params->period[axis[i]] = period;
    for (int32_t rest; period > 0; period = rest) { /* Euclid */
      rest = common % period;
      common = period;
    }
  }
  if (params->valleys != 0)
    params->valley_cells = fmax(1, rint(params->valley_cells * common)) / common;
  return 0;
}

int cli_seamless_refuse(const struct cli_field *field) {
  static const struct {
    const char *option, *value, *problem;
  } CHANGES[] = {
      {"basis", "perlin", "does not repeat; --basis perlin does"},
      {"hash", "lattice", "repeats after cells of its own; --hash lattice takes any"},
      {"lacunarity", "2", "does not make whole cells in every octave; --lacunarity 2 does"},
      {"warp_lacunarity", "2",
       "does not make whole cells in every octave; --warp-lacunarity 2 does"},
      {"octaves", "1",
       "makes too many cells in the last octave; fewer --octaves or a lower --frequency"},
      {"period", "1", "is too many cells; a lower --frequency makes fewer"},
  };
  static perlane_noise noise;
  perlane_params params = field->params;
  perlane_params_set(&params, "period", "0");
  if (perlane_init(&noise, &params) != PERLANE_OK) /* it does not exist at all */
    return CLI_USAGE;
  params = field->params;
  for (size_t i = 0; i < CLI_COUNT(CHANGES); i++) {
    char text[CLI_VALUE_TEXT];
    perlane_params_get(&params, CHANGES[i].option, text, sizeof text);
    perlane_params_set(&params, CHANGES[i].option, CHANGES[i].value);
    if (perlane_init(&noise, &params) != PERLANE_OK)
      continue;
    cli_drop_message();
    return cli_refuse("--seamless: %s=%s %s", CHANGES[i].option, text, CHANGES[i].problem);
  }
  return CLI_USAGE;
}

/* ---- --scale ---- */

/* Multiplies the samples along axes that have several. What neighbouring tiles share, they share
 * again; an odd number of samples, which engines import, has samples at both its borders. */
int cli_scale(struct cli_plan *plan, struct cli_request *request) {
  struct cli_map_options *map = &request->map;
  const int64_t scale = map->scale.at[0].whole;
  const double natural = map->natural_spacing > 0 ? map->natural_spacing : plan->engine != NULL;
  const struct cli_numbers step = map->step;
  if (scale == 1)
    return 0;
  map->step.count = map->size.count;
  for (int a = 0; a < map->size.count; a++) {
    int64_t *size = &map->size.at[a].whole, *first = &map->first.at[a].whole;
    const int64_t shared = plan->tiles.axes > 0 ? (a < 2) * plan->tiles.overlap
                           : plan->engine       ? *size % 2
                                                : 0;
    const int64_t by = *size > 1 ? scale : 1;
    map->step.at[a].real = step.at[step.count == 1 ? 0 : a].real / (double)by;
    if (*first > INT64_MAX / by || *first < INT64_MIN / by)
      return cli_request_refuse(request, "first", "too large for --scale %" PRId64, scale);
    if (*size > (INT64_C(1) << 53) / by)
      return cli_request_refuse(request, "size", "too large");
    *first *= by;
    *size = (*size - shared) * by + shared;
  }
  map->natural_spacing = natural / (double)scale;
  map->spacing.at[0].real /= (double)scale;
  request->picture.relief.at[0].real *= (double)scale;
  return 0;
}
