/* SPDX-License-Identifier: MIT
 *
 * Delivery: finished sample rows of a strip, from the tile to the output.
 */
#ifndef PERLANE_NOISE_DELIVERY_H
#define PERLANE_NOISE_DELIVERY_H

#include "strip.h"

/* One sample row, which begins at `start` in its arrays. `offset` is that of column 0 in the
 * output.
 */
static void store_row(struct fill *fill, const struct samples *samples, size_t start,
                      ptrdiff_t offset) {
  const struct perlane_output *output = fill->output;
  const ptrdiff_t stride = fill->grid->stride[0];
  const int stream = fill->stream && stride == 1;
  const size_t size = sample_bytes(output);
  _Alignas(CACHE_LINE_BYTES) unsigned char
      converted[MAX_STRIP_COLUMNS * sizeof(uint16_t) + CACHE_LINE_BYTES];
  for (int j = 0; j < fill->arrays; j++) {
    unsigned char *array = j == 0 ? output->value : (void *)output->gradient[j - 1];
    if (!array)
      continue;
    const struct span span =
        stream ? span_of(fill, array, size, offset) : (struct span){0, fill->columns};
    const float *from = samples->array[j] + start + span.begin;
    const size_t n = span.end - span.begin;
    if (output->extremes)
      include_samples(&fill->extremes, from, n);
    unsigned char *to = array + (offset + (ptrdiff_t)span.begin) * (ptrdiff_t)size;
    if (!stream && j == 0) {
      store_values(output, from, n, offset, stride);
    } else if (!stream) {
      store_floats(from, n, (float *)(void *)to, stride);
    } else if (output->format == PERLANE_FLOAT) {
      stream_bytes((const unsigned char *)from, n * size, to, &fill->line[j]);
    } else {
      struct perlane_output integers = *output;
      integers.value = converted + (uintptr_t)to % CACHE_LINE_BYTES;
      store_values(&integers, from, n, 0, 1);
      stream_bytes(integers.value, n * size, to, &fill->line[j]);
    }
  }
}

#endif
