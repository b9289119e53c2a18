/* SPDX-License-Identifier: MIT */
#include "zarr/chunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

int cli_chunk_make(struct cli_chunk *chunk, const struct cli_array *array) {
  memset(chunk, 0, sizeof *chunk);
  chunk->array = array;
  chunk->bytes = cli_array_chunk_bytes(array);
  chunk->packed_room = ZSTD_compressBound(chunk->bytes);
  if (compressBound((uLong)chunk->bytes) > chunk->packed_room)
    chunk->packed_room = compressBound((uLong)chunk->bytes);
  chunk->samples = malloc(chunk->bytes);
  chunk->unpacked = malloc(chunk->bytes);
  chunk->packed = malloc(chunk->packed_room);
  return chunk->samples && chunk->unpacked && chunk->packed;
}

void cli_chunk_free(struct cli_chunk *chunk) {
  free(chunk->samples);
  free(chunk->unpacked);
  free(chunk->packed);
}

const char *cli_chunk_compute(struct cli_chunk *chunk, uint64_t number) {
  const struct cli_array *array = chunk->array;
  const struct cli_map *map = array->stream->map;
  const perlane_grid grid = cli_array_grid(array, number);
  for (int a = 0; a < grid.dims; a++)
    if (grid.count[a] < array->side[a]) {
      memset(chunk->samples, 0, chunk->bytes);
      break;
    }
  const perlane_status status = cli_stream_fill(array->stream, &grid, chunk->samples, NULL);
  cli_order_bytes(chunk->samples, chunk->bytes / cli_sample_bytes(map), map->bits, 0);
  return status == PERLANE_OK ? NULL : perlane_status_string(status);
}

const char *cli_chunk_pack(struct cli_chunk *chunk) {
  const int level = chunk->array->level;
  uLongf zlib_size = (uLongf)chunk->packed_room;
  switch (chunk->array->stream->map->compression) {
  case CLI_DEFLATE:
    if (compress2(chunk->packed, &zlib_size, chunk->samples, (uLong)chunk->bytes, level) != Z_OK)
      return strerror(ENOMEM);
    chunk->packed_size = zlib_size;
    return NULL;
  case CLI_ZSTD:
    chunk->packed_size =
        ZSTD_compress(chunk->packed, chunk->packed_room, chunk->samples, chunk->bytes, level);
    return ZSTD_isError(chunk->packed_size) ? ZSTD_getErrorName(chunk->packed_size) : NULL;
  default:
    memcpy(chunk->packed, chunk->samples, chunk->bytes);
    chunk->packed_size = chunk->bytes;
    return NULL;
  }
}

int cli_chunk_unpack(struct cli_chunk *chunk) {
  uLongf size = (uLongf)chunk->bytes;
  uLong taken = (uLong)chunk->packed_size;
  switch (chunk->array->stream->map->compression) {
  case CLI_DEFLATE:
    return uncompress2(chunk->unpacked, &size, chunk->packed, &taken) == Z_OK &&
           size == chunk->bytes && taken == chunk->packed_size;
  case CLI_ZSTD:
    return ZSTD_decompress(chunk->unpacked, chunk->bytes, chunk->packed, chunk->packed_size) ==
           chunk->bytes;
  default:
    if (chunk->packed_size != chunk->bytes)
      return 0;
    memcpy(chunk->unpacked, chunk->packed, chunk->bytes);
    return 1;
  }
}
