/* SPDX-License-Identifier: MIT
 *
 * One chunk of an array in a thread's memory: computed, packed and unpacked.
 */
#ifndef PERLANE_CLI_CHUNK_H
#define PERLANE_CLI_CHUNK_H

#include "zarr/array.h"

struct cli_chunk {
  const struct cli_array *array;
  unsigned char *samples;  /* the whole chunk, little-endian */
  unsigned char *unpacked; /* another one */
  unsigned char *packed;
  size_t bytes, packed_room, packed_size;
};

/* Allocates the memory. Returns 0 without it; the chunk is to be freed in any case. */
int cli_chunk_make(struct cli_chunk *chunk, const struct cli_array *array);
void cli_chunk_free(struct cli_chunk *chunk);

/* Computes the samples of chunk `number`. Returns NULL, or what is wrong. */
const char *cli_chunk_compute(struct cli_chunk *chunk, uint64_t number);

/* Packs the samples. Returns NULL, or what is wrong. */
const char *cli_chunk_pack(struct cli_chunk *chunk);

/* Unpacks what is packed. Returns 0 if it is not a whole chunk. */
int cli_chunk_unpack(struct cli_chunk *chunk);

#endif
