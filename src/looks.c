/* SPDX-License-Identifier: MIT
 *
 * Looks: fields by what they show, and how pictures of them are drawn. Lengths are parts of the
 * map's width, so that a map looks alike at any size.
 */
#include "strict.h"

#include "../include/perlane.h"
#include "text.h"

/* Seeds are chosen for their pictures. Eroded octaves show the directions of gradients, hence the
 * 256 of gradients=sphere; a warp of many octaves bends what would follow the lattice. Marble has
 * basis=simplex, as its veins, the creases of one octave, would show the lattice all the same. The
 * curves of heights end beyond the field's values: where a curve has ended, land is flat. */
static const perlane_look_record LOOKS[] = {
#define ERODED                                                                                     \
  "fractal=eroded lacunarity=2.1 gradients=sphere normalize=spread warp_octaves=7 warp_rounds=2 "
#define BENT "gradients=sphere normalize=spread warp_octaves=6 "
    {"mountains", "Eroded mountains around lakes.",
     ERODED "seed=8 frequency=3.7 octaves=12 gain=0.5 erosion=1.2 warp_amplitude=0.09 "
            "warp_frequency=3.7 curve=-1.2:-0.58,-0.28:0.03,0:0.34,0.26:0.8,0.6:1.05,1.2:1.4 "
            "curve_shape=smooth",
     "land", 0.2, 315, 40},
    {"alps", "Sharp ridges with snow above deep valleys.",
     BENT "seed=3 fractal=ridged frequency=2.6 octaves=12 lacunarity=2.07 gain=0.47 "
          "weighted_strength=0.7 warp_amplitude=0.16 warp_frequency=2.2 "
          "curve=-1:0.02,-0.3:0.1,0.3:0.36,1:0.8,1.7:1.15 curve_shape=smooth",
     "land", 0.14, 315, 38},
    {"hills", "Soft green hills.",
     BENT "seed=5 frequency=4 octaves=11 gain=0.4 warp_amplitude=0.05 warp_frequency=4 "
          "curve=-1.3:0.01,-0.3:0.12,0:0.25,1.4:1.04 curve_shape=smooth",
     "meadow", 0.2, 315, 40},
    {"island", "One island with a mountain range in the sea.",
     ERODED "seed=25 frequency=3.4 octaves=12 gain=0.5 erosion=0.9 warp_amplitude=0.09 "
            "warp_frequency=3.4 falloff=1.6 falloff_end=0.5 falloff_x=0.5 falloff_y=0.5 "
            "curve=-2.5:-0.8,-0.3:-0.06,-0.2:0.03,0.1:0.3,1.1:1.5 curve_shape=smooth",
     "land", 0.2, 315, 40},
    {"archipelago", "Many islands and shallow water between them.",
     ERODED "seed=4 frequency=7 octaves=11 gain=0.49 erosion=0.6 warp_amplitude=0.05 "
            "warp_frequency=6 falloff=1 falloff_shape=square falloff_start=0.2 falloff_end=0.52 "
            "falloff_x=0.5 falloff_y=0.5 "
            "curve=-2.5:-1.1,-0.1:-0.12,0.1:0.02,0.3:0.2,1.5:1.2 curve_shape=smooth",
     "land", 0.12, 315, 40},
    {"canyon", "Winding gorges with stepped walls in a plateau.",
     BENT "seed=11 fractal=billow frequency=2.4 octaves=10 gain=0.3 warp_amplitude=0.14 "
          "warp_frequency=2.6 curve=-1.45:-1.15,-1.15:-0.85,-0.95:-0.1,-0.8:0.3,0:0.55,1:0.9 "
          "curve_shape=smooth terraces=14 terrace_sharpness=0.8",
     "desert", 0.14, 315, 42},
    {"mesas", "Flat-topped table mountains above a desert plain.",
     BENT "seed=5 frequency=4.5 octaves=11 lacunarity=2.1 gain=0.42 warp_amplitude=0.07 "
          "warp_frequency=5 "
          "curve=-1.3:-0.14,-0.1:0.03,0:0.08,0.1:0.4,0.13:0.5,0.35:0.53,0.4:0.6,0.5:0.85,1.3:0.93 "
          "curve_shape=smooth",
     "desert", 0.12, 315, 40},
    {"dunes", "Sand dunes with sharp crests.",
     BENT "seed=7 fractal=ridged frequency=4.5 octaves=4 lacunarity=4.3 gain=0.1 "
          "warp_amplitude=0.15 warp_frequency=2.5 warp_gain=0.35",
     "sand", 0.06, 340, 28},
    {"cracked-earth", "Dry ground in clods with cracks between them.",
     "seed=3 basis=cellular cell_output=f2_minus_f1 frequency=11 jitter=0.85 "
     "warp_amplitude=0.018 warp_frequency=12 warp_octaves=7 "
     "curve=-1:-1,-0.93:-0.7,-0.85:0.2,-0.7:0.5,-0.3:0.6,1:0.7 curve_shape=smooth",
     "earth", 0.012, 315, 45},
    {"cobblestones", "A pavement of rounded stones.",
     "seed=12 basis=cellular cell_output=f2_minus_f1 frequency=14 jitter=0.8 warp_amplitude=0.02 "
     "warp_frequency=9 warp_octaves=5 warp_gain=0.4 "
     "curve=-1:-1,-0.9:-0.8,-0.75:-0.1,-0.5:0.35,0:0.6,1:0.7 curve_shape=smooth",
     "stone", 0.02, 315, 45},
    {"rivers", "Rivers that wind through a green plain.",
     BENT "seed=2 basis=cellular cell_output=f2_minus_f1 frequency=3 "
          "warp_amplitude=0.2 warp_frequency=2.6 warp_gain=0.52 normalize=full "
          "curve=-1:-0.2,-0.96:-0.14,-0.93:0.01,-0.8:0.1,-0.3:0.3,0.5:0.5 curve_shape=smooth",
     "meadow", 0.12, 315, 40},
    {"clouds", "White clouds in a blue sky.",
     BENT "seed=5 frequency=3.2 octaves=12 gain=0.52 warp_amplitude=0.05 warp_frequency=3",
     "clouds", 0, 315, 45},
    {"marble", "White marble with dark veins.",
     BENT "seed=7 basis=simplex fractal=billow frequency=2.1 octaves=9 gain=0.48 "
          "warp_amplitude=0.22 warp_frequency=2.4 "
          "curve=-1.35:-1,-1:-0.75,-0.75:-0.4,-0.3:0.2,0.5:0.8 curve_shape=smooth",
     "marble", 0, 315, 45},
    {"wood", "Grain of a burl.",
     BENT "seed=8 fractal=ping_pong ping_pong_strength=18 frequency=1.1 warp_amplitude=0.03 "
          "warp_frequency=6",
     "wood", 0, 315, 45},
    {"planet", "A world map of continents, which continues at its left and right borders.",
     ERODED "seed=6 frequency=4 octaves=12 lacunarity=2 period=4 gain=0.51 erosion=0.4 "
            "warp_amplitude=0.08 warp_frequency=4 warp_rounds=1 value_offset=-0.03",
     "planet", 0.08, 315, 45},
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
  made.octaves = perlane_octaves_for(&noise, 1);
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
