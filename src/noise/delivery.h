/* SPDX-License-Identifier: MIT
 *
 * Delivery: finished sample rows of a strip, from the tile to the output.
 */
#ifndef PERLANE_NOISE_DELIVERY_H
#define PERLANE_NOISE_DELIVERY_H

#include "strip.h"

/* One sample row of a streamed output, which begins at `start` in its arrays. `offset` is that of
 * column 0 in the output. */
static void stream_samples(struct fill *fill, const struct samples *samples, size_t start,
                           ptrdiff_t offset) {
  const struct perlane_output *output = fill->output;
  const size_t size = sample_bytes(output);
  _Alignas(CACHE_LINE_BYTES) unsigned char
      converted[MAX_STRIP_COLUMNS * sizeof(uint16_t) + CACHE_LINE_BYTES];
  for (int j = 0; j < fill->outputs; j++) {
    unsigned char *array = output_array(output, j);
    if (!array)
      continue;
    const struct span span = span_of(fill, array, size, offset);
    const float *from = samples->array[j] + start + span.begin;
    const size_t n = span.end - span.begin;
    unsigned char *to = array + (offset + (ptrdiff_t)span.begin) * (ptrdiff_t)size;
    if (output->extremes)
      include_samples(&fill->extremes, from, n);
    if (output->format == PERLANE_FLOAT) {
      stream_bytes((const unsigned char *)from, n * size, to, &fill->line[j]);
      continue;
    }
    struct perlane_output integers = *output;
    integers.value = converted + (uintptr_t)to % CACHE_LINE_BYTES;
    store_values(&integers, from, n, 0, 1);
    stream_bytes(integers.value, n * size, to, &fill->line[j]);
  }
}

/* The same of any output. */
static void store_row(struct fill *fill, const struct samples *samples, size_t start,
                      ptrdiff_t offset) {
  const ptrdiff_t stride = fill->grid->stride[0];
  if (fill->stream && stride == 1)
    stream_samples(fill, samples, start, offset);
  else
    store_samples(fill->output, samples, start, fill->columns, fill->outputs, offset, stride,
                  &fill->extremes);
}

#endif
