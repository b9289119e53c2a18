/* SPDX-License-Identifier: MIT */
#include "functions.h"

static const struct {
  const char *name;
  enum form form;
  enum { GRID, LIST, ORIGIN, DOUBLES } of;
} WAY[WAYS] = {{"perlane_fill", VALUES, GRID},
               {"perlane_fill_extremes", EXTREMES, GRID},
               {"perlane_fill_gradient", GRADIENT, GRID},
               {"perlane_fill_u16", WORDS, GRID},
               {"perlane_fill_u8", BYTES, GRID},
               {"perlane_points", VALUES, LIST},
               {"perlane_points with an origin", VALUES, ORIGIN},
               {"perlane_points_gradient", GRADIENT, LIST},
               {"perlane_points_double", VALUES, DOUBLES},
               {"perlane_points_double with gradients", GRADIENT_ONLY, DOUBLES}};

const char *function_name(int function) {
  static const char *const name[FIRST_WAY] = {
      "perlane_params_default", "perlane_preset",       "perlane_params_set",
      "perlane_params_get",     "perlane_params_print", "perlane_params_parse",
      "perlane_init",           "perlane_init_text",    "perlane_limit_octaves",
      "perlane_range",          "perlane_grid_check",   "perlane_at",
      "perlane_at_gradient",    "perlane_fill_cells",   "perlane_points_cells",
      "perlane_selftest",       "perlane_gpu_selftest"};
  return function < FIRST_WAY ? name[function] : WAY[function - FIRST_WAY].name;
}

static perlane_status evaluate_way(int way, const struct arguments *in, struct results *out,
                                   const struct call *to) {
  struct call call = *to;
  call.form = WAY[way].form;
  call.grid = in->call.grid;
  call.low = in->call.low;
  call.high = in->call.high;
  call.origin = WAY[way].of == ORIGIN ? in->origin : NULL;
  for (int a = 0; a < PERLANE_MAX_DIMS && WAY[way].of != GRID; a++) {
    call.coords[a] = WAY[way].of == DOUBLES ? NULL : in->call.coords[a];
    call.coords64[a] = WAY[way].of == DOUBLES ? in->call.coords64[a] : NULL;
    call.grid.count[a] = a == 0 ? in->points : 1;
  }
  const perlane_status status = evaluate(NULL, &out->noise, &call);
  if (call.form == EXTREMES)
    memcpy(out->extremes, call.extremes, sizeof out->extremes);
  if (!is_sloped(call.form) || has_gradient(&in->params))
    return status;
  return status == PERLANE_ERROR_NO_GRADIENT ? PERLANE_OK : PERLANE_STATUS_COUNT;
}

/* Numbers that every rounding mode rounds differently, and denormal ones. */
static perlane_status set_options(perlane_params *params) {
  static const char *const OPTIONS[][2] = {
      {"frequency", "0.1"},          {"lacunarity", "1.9999999999999999"}, {"gain", "-3e-310"},
      {"ping_pong_strength", "0.3"}, {"value_offset", "5e-324"},           {"octaves", "7"}};
  perlane_status status = PERLANE_OK;
  for (size_t i = 0; i < COUNT_OF(OPTIONS) && status == PERLANE_OK; i++)
    status = perlane_params_set(params, OPTIONS[i][0], OPTIONS[i][1]);
  return status;
}

/* Stores cells in the arrays of values and derivatives, of which cells have one less. */
static perlane_status find_cells(int is_list, const struct arguments *in, struct results *out,
                                 const struct call *to) {
  const perlane_cells cells = {.id = (uint32_t *)(void *)to->value,
                               .offset = {to->gradient[0], to->gradient[1], to->gradient[2]},
                               .f2 = to->gradient[3]};
  const int32_t dims = in->call.grid.dims;
  const perlane_status status = is_list ? perlane_points_cells(&out->noise, dims, in->points,
                                                               in->origin, in->call.coords, &cells)
                                        : perlane_fill_cells(&out->noise, &in->call.grid, &cells);
  return in->params.basis == PERLANE_BASIS_CELLULAR ? status
         : status == PERLANE_ERROR_NO_CELLS         ? PERLANE_OK
                                                    : PERLANE_STATUS_COUNT;
}

perlane_status call_function(int function, const struct arguments *in, struct results *out,
                             const struct call *to) {
  const int dims = in->call.grid.dims;
  switch (function) {
  case PARAMS_DEFAULT:
    out->standard = perlane_params_default();
    return PERLANE_OK;
  case PRESET:
    return in->preset ? perlane_preset(&out->preset, in->preset) : PERLANE_OK;
  case PARAMS_SET:
    return set_options(&out->set);
  case PARAMS_GET:
    perlane_params_get(&out->set, "gain", out->value, sizeof out->value);
    return PERLANE_OK;
  case PARAMS_PRINT:
    perlane_params_print(&in->params, out->text, sizeof out->text);
    return PERLANE_OK;
  case PARAMS_PARSE:
    return perlane_params_parse(&out->parsed, in->text ? in->text : out->text, NULL);
  case INIT:
    memset(&out->noise, 0, sizeof out->noise); /* some members are not written */
    return perlane_init(&out->noise, &in->params);
  case INIT_TEXT: /* not of `text`, which leaves out tables */
    memset(&out->of_text, 0, sizeof out->of_text);
    return perlane_init_text(&out->of_text, "octaves=7 gain=0.3 lacunarity=1.9 warp_amplitude=0.1");
  case LIMIT_OCTAVES:
    return perlane_limit_octaves(&out->of_text, 3);
  case RANGE:
    return perlane_range(&out->noise, dims, &out->range[0], &out->range[1]);
  case GRID_CHECK:
    return perlane_grid_check(&out->noise, &in->call.grid);
  case AT:
    for (int i = 0; i < POSITIONS; i++)
      out->at[0][i] = perlane_at(&out->noise, dims, in->position[i]);
    return PERLANE_OK;
  case AT_GRADIENT:
    for (int i = 0; i < POSITIONS; i++)
      out->at[1][i] = perlane_at_gradient(&out->noise, dims, in->position[i], out->slope[i]);
    return PERLANE_OK;
  case FILL_CELLS:
  case POINTS_CELLS:
    return find_cells(function == POINTS_CELLS, in, out, to);
  case SELFTEST:
    return perlane_selftest(PERLANE_ISA_AUTO, &out->digest);
  case GPU_SELFTEST: /* calls perlane_gpu_tables */
    return perlane_gpu_selftest(1, out->words, &out->gpu_digest);
  default:
    return evaluate_way(function - FIRST_WAY, in, out, to);
  }
}
