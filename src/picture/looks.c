/* SPDX-License-Identifier: MIT
 *
 * Fields by what they show, and how pictures of them are drawn. Lengths are parts of the map's
 * width, so that a map looks alike at any size.
 */
#include "../strict.h"

#include "../../include/perlane_picture.h"
#include "../field.h"
#include "../text.h"

/* Seeds are chosen for their pictures. Marble has basis=simplex, as its veins, the creases of one
 * octave, would show the lattice otherwise.
 *
 * Land is valleys above a control of few octaves. Its highest peak is about 1, and a sea is below
 * 0; without one, the valleys of nearly all seeds are above 0. A map is about three and a half
 * valley cells wide: the more there are, the more of the land is in closed basins. */
static const perlane_look_record LOOKS[] = {
#define BENT "gradients=sphere normalize=spread warp_octaves=6 "
#define LAND "valley_octaves=8 warp_octaves=7 warp_gain=0.42 "
#define MIDDLE "falloff_x=0.5 falloff_y=0.5 "
#define LIGHT(from, above) .azimuth = (from), .altitude = (above)
#define METRES(across, high)                                                                       \
  .relief = (double)(high) / (across), .width = (across), .height = (high)
    {"alps", "Snowy ridges above deep valleys that join.",
     LAND "seed=9 frequency=1.25 octaves=3 valleys=4 valley_cells=2.667 warp_amplitude=0.048 "
          "warp_frequency=3.33 value_scale=0.5 value_offset=0.33",
     .palette = PERLANE_PALETTE_LAND, LIGHT(315, 40), METRES(20000, 1740)},
    {"mountains", "Mountains with branching valleys.",
     LAND "seed=21 frequency=1.1 octaves=3 gain=0.4 valleys=4.4 valley_gain=0.65 valley_cells=3.3 "
          "valley_floor=0.04 warp_amplitude=0.045 warp_frequency=3.6 value_scale=0.29 "
          "value_offset=0.2",
     .palette = PERLANE_PALETTE_LAND, LIGHT(315, 40), METRES(24000, 2580)},
    {"hills", "Green hills between wide valleys.",
     LAND "seed=14 frequency=1 octaves=3 valleys=3.5 valley_gain=0.6 valley_cells=3.1 "
          "valley_floor=0.04 warp_amplitude=0.063 warp_frequency=3 value_scale=0.385 "
          "value_offset=0.2",
     .palette = PERLANE_PALETTE_MEADOW, LIGHT(315, 40), METRES(7000, 390)},
    {"island", "One island with a mountain range in the sea.",
     LAND "seed=12 frequency=2.1 octaves=4 gain=0.6 valleys=3 valley_cells=2.9 "
          "warp_amplitude=0.026 warp_frequency=6.15 falloff=2 falloff_end=0.64 " MIDDLE
          "value_scale=0.781 value_offset=0.39",
     .palette = PERLANE_PALETTE_LAND, LIGHT(315, 40), METRES(16000, 630)},
    {"archipelago", "Mountainous islands and the straits between them.",
     LAND "seed=6 frequency=3.3 octaves=4 valleys=3.4 valley_cells=2.27 warp_amplitude=0.02 "
          "warp_frequency=7.5 value_scale=0.952 value_offset=-0.19",
     .palette = PERLANE_PALETTE_LAND, LIGHT(315, 40), METRES(30000, 680)},
    {"fjords", "Arms of the sea between steep mountains.",
     LAND "seed=17 frequency=1.7 octaves=3 valleys=3.5 valley_cells=2.35 valley_gain=0.75 "
          "warp_amplitude=0.04 warp_frequency=4 value_scale=1.144 value_offset=-0.4",
     .palette = PERLANE_PALETTE_LAND, LIGHT(315, 40), METRES(24000, 790)},
    {"canyon", "Gorges that branch into a plateau.",
     LAND "seed=9 frequency=1.3 octaves=3 valleys=8 valley_cells=1.8 valley_gain=0.9 "
          "warp_amplitude=0.05 warp_frequency=3 curve=-1:-1,0:0,0.35:0.5,0.6:0.7,8:1.4 "
          "value_scale=0.756 value_offset=0.398",
     .palette = PERLANE_PALETTE_DESERT, LIGHT(315, 42), METRES(12000, 740)},
    {"badlands", "Bare slopes of coloured layers, cut by ravines.",
     LAND "seed=10 frequency=1.32 octaves=3 valleys=4.5 valley_cells=2.5 valley_gain=0.85 "
          "warp_amplitude=0.057 warp_frequency=3.3 terraces=12 terrace_sharpness=0.3 "
          "value_scale=0.547 value_offset=0.242",
     .palette = PERLANE_PALETTE_STRATA, LIGHT(315, 40), METRES(1500, 115)},
    {"dunes", "Sand dunes with slip faces away from one wind.",
     "seed=3 gradients=sphere normalize=spread frequency=3.5 octaves=2 gain=0.3 falloff=-60 "
     "falloff_x=-3 falloff_y=-0.6 falloff_end=7.5 curve=3.8:0.2,5.2:1,5.4:0.04,6.85:0.85,7.05:0.1,"
     "8.5:0.95,8.7:0.02,10.15:0.8,10.35:0.12,11.8:0.97,12:0.05,13.45:0.86,13.65:0.1,15.1:0.92,"
     "15.3:0,17:0.9",
     .palette = PERLANE_PALETTE_SAND, LIGHT(315, 32), METRES(2000, 90)},
    {"cracked-earth", "Dry ground in clods with cracks between them.",
     "seed=3 basis=cellular cell_output=f2_minus_f1 frequency=11 jitter=0.85 "
     "warp_amplitude=0.018 warp_frequency=12 warp_octaves=7 "
     "curve=-1:-1,-0.93:-0.7,-0.85:0.2,-0.7:0.5,-0.3:0.6,1:0.7 curve_shape=smooth",
     .palette = PERLANE_PALETTE_EARTH, LIGHT(315, 45), METRES(1.5, 0.02)},
    {"clouds", "White clouds in a blue sky.",
     BENT "seed=5 frequency=3.2 octaves=12 gain=0.52 warp_amplitude=0.05 warp_frequency=3",
     .palette = PERLANE_PALETTE_CLOUDS, LIGHT(315, 45), METRES(10000, 0)},
    {"marble", "White marble with dark veins.",
     BENT "seed=7 basis=simplex fractal=billow frequency=2.1 octaves=9 gain=0.48 "
          "warp_amplitude=0.22 warp_frequency=2.4 "
          "curve=-1.35:-1,-1:-0.75,-0.75:-0.4,-0.3:0.2,0.5:0.8 curve_shape=smooth",
     .palette = PERLANE_PALETTE_MARBLE, LIGHT(315, 45), METRES(2, 0)},
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

static int is_width(double width) {
  return width >= 1 && width <= 0x1p53;
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
  if (!is_width(width))
    return PERLANE_ERROR_PARAMETER;
  perlane_params made = perlane_params_default();
  perlane_noise noise; /* of all octaves, to leave out those that the map cannot show */
  perlane_status status = perlane_params_parse(&made, options, NULL);
  scale_lengths(&made, width);
  if (status == PERLANE_OK)
    status = perlane_init(&noise, &made);
  if (status != PERLANE_OK)
    return status;
  /* The finest valleys have 8 samples: narrower ones are lost between samples. Small maps keep two
   * sizes, without which the land would be higher. */
  if (made.valleys != 0) {
    const int32_t shown = perlane_field_shown(&noise, 4) - made.octaves;
    made.valley_octaves = shown > 2 ? shown : 2;
  } else
    made.octaves = perlane_field_shown(&noise, 1);
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

static PERLANE_NOINLINE void make_picture(perlane_picture *picture, const perlane_look_record *look,
                                          double width) {
  (void)perlane_picture_init(picture);
  picture->palette = look->palette;
  picture->azimuth = look->azimuth;
  picture->altitude = look->altitude;
  if (look->relief > 0) {
    picture->kind = PERLANE_PICTURE_SHADED;
    picture->relief = look->relief * width;
  }
}

perlane_status(perlane_picture_look)(perlane_picture *picture, const char *name, double width) {
  if (!picture || !name)
    return PERLANE_ERROR_NULL;
  const perlane_look_record *look = perlane_look_find(name);
  if (!look)
    return PERLANE_ERROR_PRESET;
  if (!is_width(width))
    return PERLANE_ERROR_PARAMETER;
  const perlane_fp_state caller = perlane_fp_enter();
  make_picture(picture, look, width);
  perlane_fp_leave(caller);
  return PERLANE_OK;
}
