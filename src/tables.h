/* SPDX-License-Identifier: MIT
 *
 * The tables of hashes, and gradient sets.
 */
#ifndef PERLANE_TABLES_H
#define PERLANE_TABLES_H

#include "../include/perlane.h"
#include "text.h"

enum { TABLE_BYTES = sizeof(((perlane_noise *)0)->table) };

/* Returns whether the params' hash has a table. */
int perlane_table_is_used(const perlane_params *params);

/* Stores the table of the params' hash, if it has one. */
perlane_status perlane_table_make(const perlane_params *params, uint8_t table[TABLE_BYTES],
                                  struct perlane_text *problem);

/* Stores the table again if the seed makes it. Does not read hash_table, which the caller may have
 * freed. */
void perlane_table_reseed(const perlane_params *params, uint8_t table[TABLE_BYTES]);

/* A gradient set in one number of dimensions. */
struct perlane_gradient_set {
  int exists;
  double unit;    /* vectors times this have the lengths of the set's definition */
  double largest; /* noise that the vectors can yield; 0 if all are 0 */
};

/* Returns whether the field looks vectors up: those of gradient_grid stay where they are, and the
 * default set with the lattice hash is computed. */
int perlane_vectors_are_used(const perlane_params *params);

/* Returns the set of the params and, if vectors are used, stores its components, vector i's along
 * axis a in vector[a][i], repeated to 256 vectors. */
struct perlane_gradient_set perlane_gradient_set_make(const perlane_params *params, int dims,
                                                      float vector[][256]);

#endif
