/* SPDX-License-Identifier: MIT */
#include "options/isa.h"

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
    .parse = parse_isa,
    .print = print_isa,
    .list = isa_name,
};

const char *cli_isa_problem(perlane_isa isa) {
  return perlane_isa_built_in(isa) ? "this CPU does not support it"
                                   : "this build has no kernels for it: it is not supported here";
}
