/* SPDX-License-Identifier: MIT
 *
 * Expressions: from text to program.
 */
#ifndef PERLANE_EXPRESSION_PARSE_H
#define PERLANE_EXPRESSION_PARSE_H

#include "../kernels.h"
#include "../text.h"
#include "program.h"

/* The names that stand for fields in an expression's text. A field is NULL if the text is only to
 * be explained. */
struct perlane_names {
  int count;
  struct {
    const char *text;
    size_t length;
    const perlane_noise *field;
  } name[PERLANE_MAX_EXPRESSION_FIELDS];
};

/* Adds a name, and refuses one that cannot be a name or is taken. There is room. */
perlane_status perlane_names_add(struct perlane_names *names, const char *text, size_t length,
                                 const perlane_noise *field, struct perlane_text *problem);

/* Reads definitions of fields off the front of a text, and leaves *text at its expression. Fields
 * are initialized in `fields`, which has room for `room`, or only checked if it is NULL. */
perlane_status perlane_definitions_parse(const char **text, struct perlane_names *names,
                                         perlane_noise *fields, int room,
                                         struct perlane_text *problem);

/* Reads the expression that begins at `begin` in a text. *expression is then complete, unless an
 * error is returned. */
perlane_status perlane_expression_parse(const char *text, const char *begin,
                                        const struct perlane_names *names,
                                        perlane_expression *expression,
                                        struct perlane_text *problem);

/* Bounds an expression's values in a grid, or at any position if it is NULL. */
void perlane_expression_bounds(const perlane_expression *expression, int dims,
                               const struct perlane_region *grid, float *low, float *high);

#endif
