/* SPDX-License-Identifier: MIT
 *
 * What the command line calls the library's choices.
 */
#ifndef PERLANE_CLI_NAMES_H
#define PERLANE_CLI_NAMES_H

#include "perlane.h"
#include "options/values.h"

extern const struct cli_name CLI_BASES[], CLI_HASHES[], CLI_GRADIENTS[], CLI_FADES[],
    CLI_FRACTALS[], CLI_NORMALIZATIONS[];
extern const struct cli_kind CLI_ISA;

/* Why an instruction set cannot be used here. */
const char *cli_isa_problem(perlane_isa isa);

#endif
