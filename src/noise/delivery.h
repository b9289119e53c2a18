/* SPDX-License-Identifier: MIT
 *
 * Delivery: finished sample rows of a strip, from the tile to the output.
 */
#ifndef PERLANE_NOISE_DELIVERY_H
#define PERLANE_NOISE_DELIVERY_H

#include "strip.h"

/* Stores a finished sample row, columns from 0 on. `offset` is that of column 0. */
static void store_row(struct fill *fill, const struct samples *row, ptrdiff_t offset) {
  const struct perlane_output *output = fill->output;
  if (!fill->stream || fill->grid->stride[0] != 1) {
    store_samples(output, row, fill->columns, fill->arrays, offset, fill->grid->stride[0],
                  &fill->extremes);
    return;
  }
  const size_t size = sample_bytes(output);
  for (int j = 0; j < fill->arrays; j++) {
    unsigned char *array = j == 0 ? output->value : (void *)output->gradient[j - 1];
    const struct span span = span_of(fill, array, size, offset);
    const float *from = row->array[j] + span.begin;
    const size_t n = span.end - span.begin;
    if (!array)
      continue;
    array += (offset + (ptrdiff_t)span.begin) * (ptrdiff_t)size;
    if (j == 0 && output->extremes)
      include_samples(&fill->extremes, from, n);
    if (output->format == PERLANE_FLOAT) {
      stream_bytes((const unsigned char *)from, n * size, array, &fill->line[j]);
      continue;
    }
    struct perlane_output integers = *output;
    integers.value = fill->integers + (uintptr_t)array % CACHE_LINE_BYTES;
    store_values(&integers, from, n, 0, 1, NULL);
    stream_bytes(integers.value, n * size, array, &fill->line[j]);
  }
}

#endif
