/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_OPTIONS_H
#define PERLANE_OPTIONS_H

#include "../include/perlane_text.h"
#include "text.h"

/* Checks each option by itself. */
perlane_status perlane_options_check(const perlane_params *params, struct perlane_text *problem);

/* Appends the options that are not the default as text: all, or those whose names are listed, with
 * blanks between them. */
void perlane_options_print(struct perlane_text *text, const perlane_params *params,
                           const char *names);

/* perlane_params_set. `problem` gets the sentence of perlane_explain_text, unless it is NULL. */
perlane_status perlane_options_set(perlane_params *params, const char *name, const char *text,
                                   struct perlane_text *problem);

/* perlane_params_parse, of the first `length` bytes of a text. `problem` gets the sentence of
 * perlane_explain_text, unless it is NULL. */
perlane_status perlane_options_parse(perlane_params *params, const char *text, size_t length,
                                     size_t *where, struct perlane_text *problem);

#endif
