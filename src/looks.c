/* SPDX-License-Identifier: MIT
 *
 * Fields with names. Looks: fields by what they show, and how pictures of them are drawn. Lengths
 * are parts of the map's width, so that a map looks alike at any size.
 */
#include "strict.h"

#include "../include/perlane.h"
#include "text.h"

/* Seeds are chosen for their pictures. Marble has basis=simplex, as its veins, the creases of one
 * octave, would show the lattice otherwise. The curves of heights end beyond the field's values:
 * where a curve has ended, land is flat.
 *
 * Land is made of few octaves with weighted_strength=1, which leaves valleys smooth, and gullies.
 * A curve that falls towards 0 and rises again makes valleys where the sum is 0: all at one height
 * and connected, so that nearly all land drains along them. (fractal=billow does so, too, with a
 * crease.) Other sums have basins; their deepest are lakes or the sea. */
static const perlane_look_record LOOKS[] = {
#define BENT "gradients=sphere normalize=spread warp_octaves=6 "
#define LAND "gradients=sphere normalize=spread weighted_strength=1 gully_octaves=6 "
#define FINE "gully_octaves=5 gully_cells=7 "
#define MIDDLE "falloff_x=0.5 falloff_y=0.5 "
#define LIGHT(from, above) .azimuth = (from), .altitude = (above)
#define METRES(across, high)                                                                       \
  .relief = (double)(high) / (across), .width = (across), .height = (high)
    {"mountains", "Mountains with branching gullies around lakes.",
     LAND FINE "seed=4 frequency=1.9 octaves=5 gain=0.42 gullies=0.06 gully_slope=5 "
               "curve=-1.5:-0.5,-0.25:0,-0.2:0.06,0.1:0.24,0.5:0.72,0.75:1.08,1.5:1.7",
     "land", LIGHT(315, 40), METRES(20000, 2400)},
    {"alps", "Snowy ridges above deep valleys that join.",
     LAND "seed=11 frequency=2.2 octaves=5 gain=0.45 weighted_strength=0.8 gullies=0.03 "
          "gully_cells=5 gully_slope=3 curve_shape=smooth "
          "curve=-1.5:1.8,-0.6:1.05,-0.3:0.5,-0.1:0.12,0:0.07,0.1:0.12,0.3:0.5,0.6:1.1,1.5:1.9",
     "land", LIGHT(315, 40), METRES(25000, 3500)},
    {"hills", "Green hills between shallow valleys.",
     LAND "seed=4 frequency=3.2 octaves=4 gain=0.45 gullies=0.03 gully_octaves=5 gully_cells=4 "
          "gully_slope=2 curve_shape=smooth "
          "curve=-1.4:0.9,-0.7:0.6,-0.3:0.17,0:0.02,0.3:0.2,0.7:0.66,1.4:1.1",
     "meadow", LIGHT(315, 40), METRES(8000, 600)},
    {"valleys", "Long valleys that join on their way south.",
     LAND "seed=3 frequency=1.2 octaves=2 gain=0.3 gullies=1.8 gully_slope=0.5 gully_cells=3 "
          "falloff=9 falloff_x=0.4 falloff_y=-1.2 falloff_end=3.4 "
          "curve=-14:0.05,-7:0.29,3.5:0.87,7:0.97",
     "meadow", LIGHT(315, 40), METRES(12000, 900)},
    {"island", "One island with a mountain range in the sea.",
     LAND FINE "seed=4 frequency=2.4 octaves=6 gain=0.45 gullies=0.05 gully_slope=3 "
               "falloff=1.7 falloff_end=0.55 " MIDDLE
               "curve=-2.5:-0.8,-0.5:-0.06,-0.4:0,0.1:0.4,0.5:0.9,1.5:2.4",
     "land", LIGHT(315, 40), METRES(15000, 1800)},
    {"archipelago", "Mountainous islands and shallow water between them.",
     LAND FINE "seed=4 frequency=4.5 octaves=6 gain=0.45 gullies=0.05 gully_slope=3 "
               "falloff=1 falloff_shape=square falloff_start=0.2 falloff_end=0.52 " MIDDLE
               "curve=-2.5:-0.8,-0.1:-0.1,0:0,0.3:0.3,0.6:0.66,1.5:1.3",
     "land", LIGHT(315, 40), METRES(30000, 2000)},
    {"fjords", "Arms of the sea between steep mountains.",
     LAND "seed=5 frequency=2.6 octaves=5 gain=0.45 weighted_strength=0.8 gullies=0.03 "
          "gully_cells=5 gully_slope=3 curve=-1.5:1.2,-0.6:0.8,-0.3:0.45,-0.15:0.08,-0.13:0,"
          "-0.1:-0.2,0:-0.4,0.1:-0.2,0.13:0,0.15:0.08,0.3:0.5,0.6:0.9,1.5:1.4",
     "land", LIGHT(315, 40), METRES(20000, 2200)},
    {"volcano", "A volcanic island with a crater.",
     LAND "seed=3 basis=cellular jitter=0 phase=none frequency=1 amplitude=-1 gullies=0.05 "
          "gully_cells=6 gully_slope=1 warp_amplitude=0.08 warp_frequency=2.5 warp_octaves=6 "
          "curve=-1.5:-0.3,0:0,0.4:0.26,0.65:0.55,0.8:0.94,0.85:0.92,0.92:0.78,1.3:0.7",
     "land", LIGHT(315, 40), METRES(12000, 3200)},
    {"canyon", "Winding gorges with stepped walls in a plateau.",
     LAND "seed=3 frequency=1.8 octaves=5 gain=0.45 weighted_strength=0.7 gullies=0.025 "
          "gully_cells=4 gully_slope=3 curve=-1.5:0.95,-0.4:0.6,-0.16:0.4,-0.07:-0.4,-0.03:-0.6,"
          "0:-0.65,0.03:-0.6,0.07:-0.4,0.16:0.4,0.4:0.6,1.5:0.9 "
          "terraces=14 terrace_sharpness=0.7",
     "desert", LIGHT(315, 42), METRES(10000, 1200)},
    {"mesas", "Flat-topped table mountains above a desert plain.",
     LAND "seed=4 frequency=2.6 octaves=6 gain=0.45 gullies=0.03 gully_slope=3 "
          "curve=-1.3:-0.34,-0.3:-0.1,0:0.08,0.1:0.4,0.13:0.5,0.35:0.55,0.4:0.65,0.5:0.85,1.3:0.97",
     "desert", LIGHT(315, 40), METRES(8000, 700)},
    {"badlands", "Bare slopes of coloured layers, cut by gullies.",
     LAND
     "seed=3 frequency=1.6 octaves=4 gain=0.45 gullies=0.06 gully_cells=5 gully_slope=1.5 "
     "curve_shape=smooth "
     "curve=-1.5:0.2,-0.6:-0.15,-0.3:-0.8,-0.05:-1.17,0:-1.2,0.05:-1.17,0.3:-0.8,0.6:-0.1,1.5:0.25",
     "strata", LIGHT(315, 40), METRES(1500, 120)},
    {"dunes", "Sand dunes with slip faces away from one wind.",
     "seed=3 gradients=sphere normalize=spread frequency=3.5 octaves=2 gain=0.3 falloff=-60 "
     "falloff_x=-3 falloff_y=-0.6 falloff_end=7.5 curve=3.8:0.2,5.2:1,5.4:0.04,6.85:0.85,7.05:0.1,"
     "8.5:0.95,8.7:0.02,10.15:0.8,10.35:0.12,11.8:0.97,12:0.05,13.45:0.86,13.65:0.1,15.1:0.92,"
     "15.3:0,17:0.9",
     "sand", LIGHT(315, 32), METRES(2000, 90)},
    {"cracked-earth", "Dry ground in clods with cracks between them.",
     "seed=3 basis=cellular cell_output=f2_minus_f1 frequency=11 jitter=0.85 "
     "warp_amplitude=0.018 warp_frequency=12 warp_octaves=7 "
     "curve=-1:-1,-0.93:-0.7,-0.85:0.2,-0.7:0.5,-0.3:0.6,1:0.7 curve_shape=smooth",
     "earth", LIGHT(315, 45), METRES(1.5, 0.02)},
    {"clouds", "White clouds in a blue sky.",
     BENT "seed=5 frequency=3.2 octaves=12 gain=0.52 warp_amplitude=0.05 warp_frequency=3",
     "clouds", LIGHT(315, 45), METRES(10000, 0)},
    {"marble", "White marble with dark veins.",
     BENT "seed=7 basis=simplex fractal=billow frequency=2.1 octaves=9 gain=0.48 "
          "warp_amplitude=0.22 warp_frequency=2.4 "
          "curve=-1.35:-1,-1:-0.75,-0.75:-0.4,-0.3:0.2,0.5:0.8 curve_shape=smooth",
     "marble", LIGHT(315, 45), METRES(2, 0)},
    {"wood", "Planed wood with knots.",
     BENT "seed=4 basis=cellular fractal=ping_pong ping_pong_strength=18 frequency=0.8 "
          "warp_amplitude=0.08 warp_frequency=2",
     "wood", LIGHT(315, 45), METRES(0.4, 0)},
    {"planet", "A world map of continents, which continues at its left and right borders.",
     LAND "seed=10 frequency=4 octaves=6 period=4 gain=0.55 weighted_strength=0.4 gullies=0.03 "
          "gully_cells=16 value_offset=-0.03 "
          "curve=-1.5:-1,-0.6:-0.6,0.5:0.5,1.5:0.9",
     "planet", LIGHT(315, 45), .relief = 400 * 8000 / 4e7, .width = 4e7, .height = 8000},
};
enum { LOOK_COUNT = sizeof LOOKS / sizeof LOOKS[0] };

const perlane_look_record *perlane_look_at(int32_t index) {
  return index >= 0 && index < LOOK_COUNT ? &LOOKS[index] : NULL;
}

const perlane_look_record *perlane_look_find(const char *name) {
  for (int i = 0; name && i < LOOK_COUNT; i++)
    if (perlane_text_is(name, LOOKS[i].name))
      return &LOOKS[i];
  return NULL;
}

static void scale_lengths(perlane_params *params, double width) {
  params->frequency /= width;
  if (params->warp_amplitude != 0) {
    params->warp_frequency /= width;
    params->warp_amplitude *= width;
  }
  if (params->falloff != 0) {
    double *const length[] = {&params->falloff_start, &params->falloff_end, &params->falloff_x,
                              &params->falloff_y};
    for (size_t i = 0; i < sizeof length / sizeof length[0]; i++)
      *length[i] *= width;
  }
}

static PERLANE_NOINLINE perlane_status make_look(perlane_params *params, const char *options,
                                                 double width) {
  if (!(width >= 1 && width <= 0x1p53))
    return PERLANE_ERROR_PARAMETER;
  perlane_params made = perlane_params_default();
  perlane_noise noise; /* of all octaves, to leave out those that the map cannot show */
  perlane_status status = perlane_params_parse(&made, options, NULL);
  scale_lengths(&made, width);
  if (status == PERLANE_OK)
    status = perlane_init(&noise, &made);
  if (status != PERLANE_OK)
    return status;
  const int32_t shown = perlane_octaves_for(&noise, 1), gullies = shown - made.octaves;
  if (gullies > 0)
    made.gully_octaves = gullies;
  else {
    made.octaves = shown;
    made.gullies = 0;
  }
  *params = made;
  return PERLANE_OK;
}

perlane_status perlane_look(perlane_params *params, const char *name, double width) {
  if (!params || !name)
    return PERLANE_ERROR_NULL;
  const perlane_look_record *look = perlane_look_find(name);
  if (!look)
    return PERLANE_ERROR_PRESET;
  const perlane_fp_state caller = perlane_fp_enter();
  const perlane_status status = make_look(params, look->options, width);
  perlane_fp_leave(caller);
  return status;
}

/* ---- Presets: the fields of known implementations (docs/migrating/presets.md) ---- */

static const struct preset {
  const char *name, *options;
} PRESETS[] = {
#define ORIGINAL "frequency=1 octaves_share=on phase=none "
    {"improved", ORIGINAL "hash=perlin gradients=edges12 normalize=octaves"},
    {"grid", ORIGINAL "hash=grid normalize=octaves"},
    {"diagonal", ORIGINAL "hash=shuffled gradients=diagonal4 normalize=none"},
    {"circle", ORIGINAL "hash=shuffled gradients=sphere normalize=octaves table_offset=0,1"},
    {"axis", ORIGINAL "hash=primes gradients=axis4 normalize=octaves"},
    {"compass", ORIGINAL "hash=perlin gradients=compass8 normalize=none"},
    {"pnoise", ORIGINAL "hash=perlin gradients=pnoise normalize=octaves"},
    {"classic", ORIGINAL "hash=shuffled gradients=sphere fade=cubic normalize=none"},
};
enum { PRESET_COUNT = sizeof PRESETS / sizeof PRESETS[0] };

const char *perlane_preset_name(int index) {
  return index >= 0 && index < PRESET_COUNT ? PRESETS[index].name : NULL;
}

perlane_status perlane_preset(perlane_params *params, const char *name) {
  if (!params || !name)
    return PERLANE_ERROR_NULL;
  for (int i = 0; i < PRESET_COUNT; i++)
    if (perlane_text_is(name, PRESETS[i].name)) {
      *params = perlane_params_default();
      return perlane_params_parse(params, PRESETS[i].options, NULL);
    }
  return PERLANE_ERROR_PRESET;
}
