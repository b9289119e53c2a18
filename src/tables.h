/* SPDX-License-Identifier: MIT
 *
 * The tables of hashes.
 */
#ifndef PERLANE_TABLES_H
#define PERLANE_TABLES_H

#include "../include/perlane.h"
#include "text.h"

enum { PERLANE_TABLE_BYTES = sizeof(((perlane_noise *)0)->table) };

/* Returns whether the params' hash has a table. */
int perlane_table_is_used(const perlane_params *params);

/* Stores the table of the params' hash, if it has one. */
perlane_status perlane_table_make(const perlane_params *params, uint8_t table[PERLANE_TABLE_BYTES],
                                  struct perlane_text *problem);

/* Stores the table again if the seed makes it. Does not read hash_table, which the caller may have
 * freed. */
void perlane_table_reseed(const perlane_params *params, uint8_t table[PERLANE_TABLE_BYTES]);

#endif
