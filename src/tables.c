/* SPDX-License-Identifier: MIT
 *
 * The tables of the hashes that have one (docs/specification.md, section 3).
 */
#include "strict.h"

#include <string.h>

#include "numbers.h"
#include "tables.h"

/* Ken Perlin, "Improving Noise", SIGGRAPH 2002. */
static const uint8_t PERMUTATION[256] = {
    151, 160, 137, 91,  90,  15,  131, 13,  201, 95,  96,  53,  194, 233, 7,   225, 140, 36,  103,
    30,  69,  142, 8,   99,  37,  240, 21,  10,  23,  190, 6,   148, 247, 120, 234, 75,  0,   26,
    197, 62,  94,  252, 219, 203, 117, 35,  11,  32,  57,  177, 33,  88,  237, 149, 56,  87,  174,
    20,  125, 136, 171, 168, 68,  175, 74,  165, 71,  134, 139, 48,  27,  166, 77,  146, 158, 231,
    83,  111, 229, 122, 60,  211, 133, 230, 220, 105, 92,  41,  55,  46,  245, 40,  244, 102, 143,
    54,  65,  25,  63,  161, 1,   216, 80,  73,  209, 76,  132, 187, 208, 89,  18,  169, 200, 196,
    135, 130, 116, 188, 159, 86,  164, 100, 109, 198, 173, 186, 3,   64,  52,  217, 226, 250, 124,
    123, 5,   202, 38,  147, 118, 126, 255, 82,  85,  212, 207, 206, 59,  227, 47,  16,  58,  17,
    182, 189, 28,  42,  223, 183, 170, 213, 119, 248, 152, 2,   44,  154, 163, 70,  221, 153, 101,
    155, 167, 43,  172, 9,   129, 22,  39,  253, 19,  98,  108, 110, 79,  113, 224, 232, 178, 185,
    112, 104, 218, 246, 97,  228, 251, 34,  242, 193, 238, 210, 144, 12,  191, 179, 162, 241, 81,
    51,  145, 235, 249, 14,  239, 107, 49,  192, 214, 31,  181, 199, 106, 157, 184, 84,  204, 176,
    115, 121, 50,  45,  127, 4,   150, 254, 138, 236, 205, 93,  222, 114, 67,  29,  24,  72,  243,
    141, 128, 195, 78,  66,  215, 61,  156, 180};

/* The Fisher-Yates shuffle. */
static void shuffle(uint64_t seed, uint8_t table[256]) {
  uint64_t state = seed ^ UINT64_C(0x73687566666C6500); /* "shuffle" */
  for (unsigned i = 0; i < 256; i++)
    table[i] = (uint8_t)i;
  for (unsigned i = 255; i >= 1; i--) {
    const uint64_t j = (perlane_splitmix64(&state) >> 32) * (i + 1) >> 32;
    const uint8_t entry = table[i];
    table[i] = table[j];
    table[j] = entry;
  }
}

static perlane_status copy_entries(const int32_t *from, int count, uint8_t *table,
                                   struct perlane_text *problem) {
  for (int i = 0; i < count; i++) {
    if (from[i] < 0 || from[i] > 255)
      return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                            "hash_table[%d] must be a whole number from 0 to 255, not %d", i,
                            from[i]);
    table[i] = (uint8_t)from[i];
  }
  return PERLANE_OK;
}

static void draw_bytes(uint64_t seed, uint8_t table[1024]) {
  uint64_t state = seed ^ UINT64_C(0x7072696D65730000); /* "primes" */
  for (int i = 0; i < 1024; i++)
    table[i] = (uint8_t)(perlane_splitmix64(&state) >> 56);
}

int perlane_table_is_used(const perlane_params *params) {
  return params->hash != PERLANE_HASH_LATTICE && params->hash != PERLANE_HASH_GRID;
}

void perlane_table_reseed(const perlane_params *params, uint8_t table[PERLANE_TABLE_BYTES]) {
  if (params->hash == PERLANE_HASH_SHUFFLED)
    shuffle(params->seed, table);
  else if (params->hash == PERLANE_HASH_PRIMES && !params->hash_table)
    draw_bytes(params->seed, table);
}

perlane_status perlane_table_make(const perlane_params *params, uint8_t table[PERLANE_TABLE_BYTES],
                                  struct perlane_text *problem) {
  if (!perlane_table_is_used(params))
    return PERLANE_OK;
  memset(table, 0, PERLANE_TABLE_BYTES); /* hashes of 256 leave the rest */
  if (params->hash == PERLANE_HASH_TABLE && !params->hash_table)
    return PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, problem,
                          "hash=table needs hash_table, 256 whole numbers from 0 to 255");
  if (params->hash == PERLANE_HASH_TABLE)
    return copy_entries(params->hash_table, 256, table, problem);
  if (params->hash == PERLANE_HASH_PRIMES && params->hash_table)
    return copy_entries(params->hash_table, 1024, table, problem);
  if (params->hash == PERLANE_HASH_PERLIN)
    memcpy(table, PERMUTATION, sizeof PERMUTATION);
  perlane_table_reseed(params, table);
  return PERLANE_OK;
}
