/* SPDX-License-Identifier: MIT
 *
 * The fields of known implementations (docs/migrating/presets.md).
 */
#include "strict.h"

#include "../include/perlane.h"
#include "text.h"

static const struct preset {
  const char *name;
  int32_t hash, gradients, fade, normalize;
  int32_t offset_y; /* of the table */
} PRESETS[] = {
    {"improved", PERLANE_HASH_PERLIN, PERLANE_GRADIENTS_EDGES12, PERLANE_FADE_QUINTIC,
     PERLANE_NORMALIZE_OCTAVES, 0},
    {"grid", PERLANE_HASH_GRID, PERLANE_GRADIENTS_DEFAULT, PERLANE_FADE_QUINTIC,
     PERLANE_NORMALIZE_OCTAVES, 0},
    {"diagonal", PERLANE_HASH_SHUFFLED, PERLANE_GRADIENTS_DIAGONAL4, PERLANE_FADE_QUINTIC,
     PERLANE_NORMALIZE_NONE, 0},
    {"circle", PERLANE_HASH_SHUFFLED, PERLANE_GRADIENTS_SPHERE, PERLANE_FADE_QUINTIC,
     PERLANE_NORMALIZE_OCTAVES, 1},
    {"axis", PERLANE_HASH_PRIMES, PERLANE_GRADIENTS_AXIS4, PERLANE_FADE_QUINTIC,
     PERLANE_NORMALIZE_OCTAVES, 0},
    {"compass", PERLANE_HASH_PERLIN, PERLANE_GRADIENTS_COMPASS8, PERLANE_FADE_QUINTIC,
     PERLANE_NORMALIZE_NONE, 0},
    {"pnoise", PERLANE_HASH_PERLIN, PERLANE_GRADIENTS_PNOISE, PERLANE_FADE_QUINTIC,
     PERLANE_NORMALIZE_OCTAVES, 0},
    {"classic", PERLANE_HASH_SHUFFLED, PERLANE_GRADIENTS_SPHERE, PERLANE_FADE_CUBIC,
     PERLANE_NORMALIZE_NONE, 0},
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
      params->frequency = 1;
      params->octaves_share = 1;
      params->phase = PERLANE_PHASE_NONE;
      params->hash = PRESETS[i].hash;
      params->gradients = PRESETS[i].gradients;
      params->fade = PRESETS[i].fade;
      params->normalize = PRESETS[i].normalize;
      params->table_offset[1] = PRESETS[i].offset_y;
      return PERLANE_OK;
    }
  return PERLANE_ERROR_PRESET;
}
