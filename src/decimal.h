/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_DECIMAL_H
#define PERLANE_DECIMAL_H

#include <stddef.h>

/* Bytes of the longest text that perlane_decimal_print writes, rounded up. */
#define PERLANE_DECIMAL_BYTES 32

/* Reads a decimal number, such as "-0.25" or "1e-5", that takes up all of text[0..length-1], and
 * rounds it to the nearest double, ties to even. Returns 1, or 0 if text is no such number or is
 * too large for a double; then *value is unchanged. */
int perlane_decimal_parse(const char *text, size_t length, double *value);

/* Writes the number with the fewest digits that perlane_decimal_parse reads back to value; of
 * several, the nearest to value. Values that are not finite become "nan", "inf" and "-inf". Returns
 * the length; no NUL is written. */
size_t perlane_decimal_print(double value, char text[PERLANE_DECIMAL_BYTES]);

#endif
