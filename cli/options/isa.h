/* SPDX-License-Identifier: MIT
 *
 * Instruction sets as values of options.
 */
#ifndef PERLANE_CLI_ISA_H
#define PERLANE_CLI_ISA_H

#include "perlane.h"
#include "options/values.h"

extern const struct cli_kind CLI_ISA; /* of a perlane_isa */

/* Returns why an instruction set cannot be used here, as a phrase. */
const char *cli_isa_problem(perlane_isa isa);

#endif
