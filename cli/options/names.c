/* SPDX-License-Identifier: MIT
 *
 * Of two names for one value, the second is what some of its users know it by.
 */
#include "options/names.h"

const struct cli_name CLI_BASES[] = {
    {"perlin", PERLANE_BASIS_PERLIN},
    {"value", PERLANE_BASIS_VALUE},
    {"white", PERLANE_BASIS_WHITE},
    {"gaussian", PERLANE_BASIS_GAUSSIAN},
    {NULL, 0},
};

const struct cli_name CLI_HASHES[] = {
    {"lattice", PERLANE_HASH_LATTICE},
    {"perlin", PERLANE_HASH_PERLIN},
    {"shuffled", PERLANE_HASH_SHUFFLED},
    {"table", PERLANE_HASH_TABLE},
    {"grid", PERLANE_HASH_GRID},
    {"primes", PERLANE_HASH_PRIMES},
    {NULL, 0},
};

const struct cli_name CLI_GRADIENTS[] = {
    {"default", PERLANE_GRADIENTS_DEFAULT},   {"offaxis8", PERLANE_GRADIENTS_OFFAXIS8},
    {"axis4", PERLANE_GRADIENTS_AXIS4},       {"diagonal4", PERLANE_GRADIENTS_DIAGONAL4},
    {"compass8", PERLANE_GRADIENTS_COMPASS8}, {"edges12", PERLANE_GRADIENTS_EDGES12},
    {"edges32", PERLANE_GRADIENTS_EDGES32},   {"sphere", PERLANE_GRADIENTS_SPHERE},
    {"circle", PERLANE_GRADIENTS_SPHERE},     {"pnoise", PERLANE_GRADIENTS_PNOISE},
    {"table", PERLANE_GRADIENTS_TABLE},       {NULL, 0},
};

const struct cli_name CLI_FADES[] = {
    {"quintic", PERLANE_FADE_QUINTIC},
    {"cubic", PERLANE_FADE_CUBIC},
    {"linear", PERLANE_FADE_LINEAR},
    {NULL, 0},
};

const struct cli_name CLI_FRACTALS[] = {
    {"none", PERLANE_FRACTAL_NONE},
    {"fbm", PERLANE_FRACTAL_FBM},
    {"ridged", PERLANE_FRACTAL_RIDGED},
    {"billow", PERLANE_FRACTAL_BILLOW},
    {"turbulence", PERLANE_FRACTAL_BILLOW},
    {"ping-pong", PERLANE_FRACTAL_PING_PONG},
    {NULL, 0},
};

const struct cli_name CLI_NORMALIZATIONS[] = {
    {"full", PERLANE_NORMALIZE_FULL},
    {"octaves", PERLANE_NORMALIZE_OCTAVES},
    {"none", PERLANE_NORMALIZE_NONE},
    {NULL, 0},
};

static int parse_isa(const char *text, void *value) {
  const perlane_isa isa = perlane_isa_from_name(text);
  if (isa == PERLANE_ISA_COUNT)
    return 0;
  *(perlane_isa *)value = isa;
  return 1;
}

static void print_isa(FILE *stream, const void *value) {
  fputs(perlane_isa_name(*(const perlane_isa *)value), stream);
}

static const char *isa_name(int index) {
  return index < PERLANE_ISA_COUNT ? perlane_isa_name((perlane_isa)index) : NULL;
}

const struct cli_kind CLI_ISA = {
    .wrong = "unknown instruction set",
    .expected = "one of ",
    .parse = parse_isa,
    .print = print_isa,
    .list = isa_name,
};

const char *cli_isa_problem(perlane_isa isa) {
  return perlane_isa_built_in(isa) ? "this CPU does not support it"
                                   : "this build has no kernels for it: it is not supported here";
}
