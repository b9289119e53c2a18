/* SPDX-License-Identifier: MIT
 *
 * The field behind a perlane_noise. perlane.c calls these functions after its checks, and under the
 * standard floating-point environment. field.c uses the others in turn: range.c, gradients.c and
 * tables.c do not use each other.
 */
#ifndef PERLANE_FIELD_H
#define PERLANE_FIELD_H

#include "../include/perlane.h"
#include "text.h"

/* perlane_init, less its null checks. noise may be NULL, only to check the params. `problem` gets
 * the sentence of perlane_explain_params, unless it is NULL (field.c). */
perlane_status perlane_field_make(perlane_noise *noise, const perlane_params *params,
                                  struct perlane_text *problem);

/* perlane_reseed, less its checks (field.c). */
void perlane_field_reseed(perlane_noise *noise, uint64_t seed);

/* Returns whether perlane_field_make made the noise (field.c). */
int perlane_field_is_ready(const perlane_noise *noise);

/* perlane_range, less its checks. Returns whether values stay within the range of float (range.c).
 */
int perlane_field_range(const perlane_noise *noise, int dims, float *low, float *high);

/* Returns whether the field has a gradient, all of whose values stay within the range of float:
 * PERLANE_OK, PERLANE_ERROR_NO_GRADIENT or PERLANE_ERROR_STEEP (range.c). */
perlane_status perlane_field_gradient_status(const perlane_noise *noise, int dims);

/* Checks each option by itself (options.c). */
perlane_status perlane_options_check(const perlane_params *params, struct perlane_text *problem);

/* Appends the options that are not the default as text: all, or those whose names are listed, with
 * blanks between them (options.c). */
void perlane_options_print(struct perlane_text *text, const perlane_params *params,
                           const char *names);

/* A gradient set in one number of dimensions. */
struct perlane_gradient_set {
  int exists;
  double unit;    /* vectors times this have the lengths of the set's definition */
  double largest; /* noise that the vectors can yield; 0 if all are 0 */
};

/* Returns whether the field looks vectors up: those of gradient_grid stay where they are, and the
 * default set with the lattice hash is computed (gradients.c). */
int perlane_vectors_are_used(const perlane_params *params);

/* Returns the set of the params and, if vectors are used, stores its components, vector i's along
 * axis a in vector[a][i], repeated to 256 vectors (gradients.c). */
struct perlane_gradient_set perlane_gradient_set_make(const perlane_params *params, int dims,
                                                      float vector[][256]);

enum { PERLANE_TABLE_BYTES = sizeof(((perlane_noise *)0)->table) };

/* Returns whether the params' hash has a table (tables.c). */
int perlane_table_is_used(const perlane_params *params);

/* Stores the table of the params' hash, if it has one (tables.c). */
perlane_status perlane_table_make(const perlane_params *params, uint8_t table[PERLANE_TABLE_BYTES],
                                  struct perlane_text *problem);

/* Stores the table again if the seed makes it. Does not read hash_table, which the caller may have
 * freed (tables.c). */
void perlane_table_reseed(const perlane_params *params, uint8_t table[PERLANE_TABLE_BYTES]);

#endif
