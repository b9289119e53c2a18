/* SPDX-License-Identifier: MIT
 *
 * Presets: the fields of known implementations (docs/migrating/presets.md).
 */
#include "strict.h"

#include "text.h"

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
