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
               {"perlane_points with a gradient", GRADIENT, LIST},
               {"perlane_points of doubles", VALUES, DOUBLES},
               {"perlane_points of doubles, the gradient alone", GRADIENT_ONLY, DOUBLES}};

const char *function_name(int function) {
  static const char *const name[FIRST_WAY] = {
      [NO_ARITHMETIC] =
          ("perlane_version, perlane_status_string, perlane_preset_name, perlane_look_at, "
           "perlane_look_find, perlane_option_count, perlane_option_at, perlane_option_find, "
           "perlane_layout, perlane_picture_layout, perlane_palette_name, perlane_isa_name, "
           "perlane_isa_from_name, perlane_isa_built_in, perlane_isa_supported, "
           "perlane_isa_current, perlane_force_isa"),
      [PARAMS_DEFAULT] = "perlane_params_init",
      [PRESET] = "perlane_preset",
      [LOOK] = "perlane_look",
      [PARAMS_SET] = "perlane_params_set",
      [PARAMS_GET] = "perlane_params_get",
      [PARAMS_PRINT] = "perlane_params_print",
      [PARAMS_PARSE] = "perlane_params_parse",
      [INIT] = "perlane_init",
      [INIT_TEXT] = "perlane_init_text",
      [LIMIT_OCTAVES] = "perlane_limit_octaves",
      [RESEED] = "perlane_reseed",
      [EXPLAIN] = ("perlane_option_expected, perlane_explain_text, perlane_explain_params, "
                   "perlane_explain_grid, perlane_explain_gpu"),
      [RANGE] = "perlane_range, perlane_range_in",
      [GRID_CHECK] = "perlane_grid_check",
      [GRID_CUT] = "perlane_grid_init, perlane_grid_cut, perlane_grid_piece",
      [AT] = "perlane_at",
      [AT_GRADIENT] = "perlane_at_gradient",
      [FILL_CELLS] = "perlane_fill_cells",
      [POINTS_CELLS] = "perlane_points_cells, perlane_scatter",
      [SELFTEST] = "perlane_selftest",
      [EXPRESSION] =
          "perlane_expression_init, perlane_expression_init_text, perlane_expression_text",
      [GPU] = "perlane_gpu_words, perlane_gpu_tables, perlane_gpu_points",
      [GPU_SELFTEST] = "perlane_gpu_selftest",
      [PICTURE] = ("perlane_palette_make, perlane_picture_init, perlane_picture_look, "
                   "perlane_picture_prepare, perlane_picture_scratch, perlane_picture_fill, "
                   "perlane_picture_sample, perlane_picture_draw")};
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
  const int is_double = WAY[way].of == DOUBLES;
  for (int a = 0; a < PERLANE_MAX_DIMS && WAY[way].of != GRID; a++) {
    call.coords[a] = is_double ? NULL : in->call.coords[a];
    call.coords64[a] = is_double ? in->call.coords64[a] : NULL;
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

/* Calls what no field or number has a part in. */
static perlane_status call_integers(void) {
  const perlane_isa isa = perlane_isa_current();
  const int found = perlane_version() != NULL && perlane_status_string(PERLANE_OK) != NULL &&
                    perlane_preset_name(0) != NULL && perlane_look_find("island") != NULL &&
                    perlane_look_at(0) != NULL && perlane_option_find("gain") != NULL &&
                    perlane_option_at(perlane_option_count() - 1) != NULL &&
                    perlane_layout() == PERLANE_LAYOUT &&
                    perlane_picture_layout() == PERLANE_PICTURE_LAYOUT &&
                    perlane_palette_name(PERLANE_PALETTE_LAND) != NULL &&
                    perlane_isa_from_name(perlane_isa_name(isa)) == isa &&
                    perlane_isa_built_in(isa) && perlane_isa_supported(isa);
  return found ? perlane_force_isa(isa) : PERLANE_STATUS_COUNT;
}

static void explain(const struct arguments *in, struct results *out) {
  size_t (*const of_grid[])(const perlane_noise *, const perlane_grid *, char *,
                            size_t) = {perlane_explain_grid, perlane_explain_gpu};
  enum { ROOM = PERLANE_MESSAGE_BYTES };
  perlane_params params = in->params;
  params.warp_lacunarity = 1e300; /* too much for two octaves */
  params.warp_octaves = 2;
  params.warp_amplitude = 0.1;
  perlane_grid grid = in->call.grid;
  grid.origin[0] = 1e300;
  perlane_option_expected(perlane_option_find("erosion"), out->explanation[0], ROOM);
  perlane_explain_text("lacunarity", "-0.3", out->explanation[1], ROOM);
  perlane_explain_text(NULL, "gain=0.1 jitter=1.1", out->explanation[2], ROOM);
  perlane_explain_params(&params, out->explanation[3], ROOM);
  perlane_explain_text(NULL, "hash=table gain=0.3", out->explanation[6], ROOM);
  for (int i = 0; i < 2; i++)
    of_grid[i](&out->noise, i ? &in->call.grid : &grid, out->explanation[4 + i], ROOM);
}

static perlane_status cut(struct results *out) {
  perlane_grid grid = perlane_grid_make(3000, 500, 0, 0);
  perlane_status status = perlane_grid_init(&grid, 3000, 500, 0, 0);
  uint64_t pieces = 0;
  int64_t offset;
  if (status == PERLANE_OK)
    status = perlane_grid_cut(&grid, NULL, 7, &pieces);
  return status == PERLANE_OK
             ? perlane_grid_piece(&grid, NULL, pieces, pieces - 1, &out->piece, &offset)
             : status;
}

static void write_words(const struct arguments *in, struct results *out) {
  enum { ROOM = PERLANE_GPU_SELFTEST_WORDS };
  const perlane_grid *grid = &in->call.grid;
  if (perlane_gpu_words(&out->noise, grid) <= ROOM)
    out->status[0] = perlane_gpu_tables(&out->noise, grid, out->words[0], ROOM);
  out->status[1] = perlane_gpu_points(&out->noise, grid->dims, in->origin, out->words[1], ROOM);
}

/* Stores cells in the arrays of values and derivatives, of which there are as many in 3D as there
 * are arrays of cells without the second distance. */
static perlane_status find_cells(int is_list, const struct arguments *in, struct results *out,
                                 const struct call *to) {
  const perlane_cells cells = {.id = (uint32_t *)(void *)to->value,
                               .offset = {to->gradient[0], to->gradient[1], to->gradient[2]},
                               .f1 = to->gradient[3],
                               .f2 = in->call.grid.dims < 3 ? to->gradient[2] : NULL};
  const int32_t dims = in->call.grid.dims;
  static const double end[PERLANE_MAX_DIMS] = {1.1, 2.3, -4.4};
  double *const axes[] = {out->scattered[0], out->scattered[1], out->scattered[2]};
  const double *high = in->params.frequency < 10 ? end : in->position[0]; /* not too many cells */
  if (is_list)
    out->status[0] = perlane_scatter(&out->noise, dims, in->position[0], high, SCATTERED, axes,
                                     NULL, NULL, &out->scattered_count);
  const perlane_status status =
      is_list ? cells_of_list(&out->noise, dims, in->points, in->origin, in->call.coords, &cells)
              : perlane_fill_cells(&out->noise, &in->call.grid, &cells);
  return in->params.basis == PERLANE_BASIS_CELLULAR ? status
         : status == PERLANE_ERROR_NO_CELLS         ? PERLANE_OK
                                                    : PERLANE_STATUS_COUNT;
}

/* Calls all functions of expressions, with a field that is displaced by itself. */
static perlane_status express(const struct arguments *in, struct results *out,
                              const struct call *to) {
  static const char *const TEXT[] = {"abs(f) - 0.3/at(x + f, f)", "abs(f) - 0.3/at(x + f, y, f)",
                                     "abs(f) - 0.3/at(x + f, y, z, f)",
                                     "abs(f) - 0.3/at(x + f, y, z, w, f)"};
  const char *const name[] = {"f"};
  const perlane_noise *const field[] = {&out->noise};
  const perlane_grid *grid = &in->call.grid;
  const perlane_list list = {
      .dims = grid->dims,
      .count = in->points,
      .origin = in->origin,
      .coords = {in->call.coords[0], in->call.coords[1], in->call.coords[2], in->call.coords[3]}};
  const int slopes = has_gradient(&in->params);
  static _Thread_local perlane_noise e;
  perlane_status status = perlane_expression_init_text(&e, "1/3 + x*1e-40", 0, NULL, NULL);
  if (status == PERLANE_OK)
    status = perlane_expression_init(&e, TEXT[grid->dims - 1], 1, name, field);
  if (status == PERLANE_OK)
    status = perlane_grid_check(&e, grid);
  if (status == PERLANE_OK)
    status = perlane_range_in(&e, grid, &out->expression[1], &out->expression[2]);
  if (status == PERLANE_OK && slopes)
    status = perlane_fill_gradient(&e, grid, to->value, to->gradient);
  if (status == PERLANE_OK)
    status = perlane_fill_u16(&e, grid, -1, 1, to->value);
  if (status == PERLANE_OK)
    status = perlane_fill_u8(&e, grid, -1, 1, to->value);
  if (status == PERLANE_OK)
    status = perlane_fill_extremes(&e, grid, to->value, &out->expression[3], &out->expression[4]);
  if (status == PERLANE_OK)
    status = perlane_points(&e, &list, to->value, slopes ? to->gradient : NULL);
  if (status == PERLANE_OK)
    status = perlane_fill(&e, grid, to->value);
  out->expression[0] = perlane_at(&e, grid->dims, in->position[0]);
  perlane_expression_text(&e, out->explanation[8], PERLANE_MESSAGE_BYTES);
  perlane_explain_text("expression", "f = octaves=4; 0.1*g", out->explanation[7],
                       PERLANE_MESSAGE_BYTES);
  return status;
}

/* Draws a look's picture of the field, which may have no slopes, and a mask. */
static perlane_status draw(struct results *out) {
  static _Thread_local perlane_picture_plan plan;
  static _Thread_local perlane_colours colours;
  static _Thread_local float scratch[200];
  perlane_picture picture;
  perlane_grid grid = perlane_grid_make(7, 5, 0, 0);
  if (perlane_palette_make(&colours, PERLANE_PALETTE_DESERT) != PERLANE_OK ||
      perlane_picture_init(&picture) != PERLANE_OK ||
      perlane_picture_look(&picture, "canyon", 70.7) != PERLANE_OK)
    return PERLANE_STATUS_COUNT;
  memcpy(out->colour, colours.colour[1000], sizeof out->colour);
  for (int kind = PERLANE_PICTURE_SHADED; kind <= PERLANE_PICTURE_SLOPE_MASK; kind += 4) {
    picture.kind = kind;
    perlane_status status = perlane_picture_prepare(&plan, &picture, &out->noise, &grid);
    if (status == PERLANE_OK && perlane_picture_scratch(&plan, &grid) <= COUNT_OF(scratch))
      status = perlane_picture_sample(&plan, &out->noise, &grid, scratch);
    if (status == PERLANE_OK)
      status = perlane_picture_draw(&plan, &grid, scratch, out->pixels[kind / 4]);
    if (status == PERLANE_OK)
      status = perlane_picture_fill(&plan, &out->noise, &grid, scratch, out->pixels[kind / 4]);
    out->status[2 + kind / 4] = status;
  }
  return PERLANE_OK;
}

perlane_status call_function(int function, const struct arguments *in, struct results *out,
                             const struct call *to) {
  const int dims = in->call.grid.dims;
  switch (function) {
  case NO_ARITHMETIC:
    return call_integers();
  case PARAMS_DEFAULT:
    out->standard = perlane_params_default();
    return perlane_params_init(&out->standard);
  case PRESET:
    return in->preset ? perlane_preset(&out->preset, in->preset) : PERLANE_OK;
  case LOOK: /* of an odd width, which makes numbers that are rounded */
    return perlane_look(&out->look, "island", 700.7);
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
  case RESEED:
    return perlane_reseed(&out->noise, in->params.seed);
  case EXPLAIN:
    explain(in, out);
    return PERLANE_OK;
  case INIT_TEXT: /* not of `text`, which leaves out tables */
    memset(&out->of_text, 0, sizeof out->of_text);
    return perlane_init_text(&out->of_text, "octaves=7 gain=0.3 lacunarity=1.9 warp_amplitude=0.1");
  case LIMIT_OCTAVES:
    return perlane_limit_octaves(&out->of_text, 3);
  case RANGE:
    return perlane_range(&out->noise, dims, &out->range[0], &out->range[1]);
  case GRID_CHECK:
    return perlane_grid_check(&out->noise, &in->call.grid);
  case GRID_CUT:
    return cut(out);
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
  case EXPRESSION:
    return express(in, out, to);
  case GPU:
    write_words(in, out);
    return PERLANE_OK;
  case GPU_SELFTEST:
    return perlane_gpu_selftest(1, out->words[2], &out->gpu_digest);
  case PICTURE:
    return draw(out);
  default:
    return evaluate_way(function - FIRST_WAY, in, out, to);
  }
}
