/* SPDX-License-Identifier: MIT
 *
 * Texts that are written to a caller's buffer, as far as they fit: options, and what is wrong with
 * them.
 */
#ifndef PERLANE_TEXTS_H
#define PERLANE_TEXTS_H

#include <stddef.h>
#include <string.h>

#include "../include/perlane_text.h"

/* Returns 1 if two texts are equal. Of the C library, the library needs strlen and what compilers
 * call themselves (memcmp, memcpy, memmove, memset), which WebAssembly has without one. */
static inline int perlane_text_is(const char *a, const char *b) {
  const size_t length = strlen(a);
  return length == strlen(b) && memcmp(a, b, length) == 0;
}

/* Returns 1 for white space. */
static inline int perlane_text_is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

struct perlane_text {
  char *buffer;
  size_t size, length; /* of the buffer, and of the text, which may be longer */
};

/* Windows' compilers check formats against an older standard. */
#if defined(__GNUC__) && !defined(_WIN32)
#define PERLANE_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define PERLANE_FORMAT
#endif

/* Returns an empty text. A buffer that is NULL has no room. */
struct perlane_text perlane_text_begin(char *buffer, size_t size);

/* Appends bytes. Like the functions below, does nothing if text is NULL. */
void perlane_text_add(struct perlane_text *text, const char *bytes, size_t length);

/* Appends bytes of a caller's in quotation marks, the first of them if there are many; control
 * characters as \x1B. */
void perlane_text_quote(struct perlane_text *text, const char *bytes, size_t length);

/* Appends what printf would print. The format has no widths, and these conversions: %s, %c, %d,
 * %lld, %llu, and %g, which prints the fewest digits that identify a double. */
void perlane_text_print(struct perlane_text *text, const char *format, ...) PERLANE_FORMAT;

/* Ends a text with a NUL, in place of its last character if it was truncated. Returns its length.
 */
size_t perlane_text_end(struct perlane_text *text);

/* Appends the sentence of a status, and returns the status. */
perlane_status perlane_text_refuse(struct perlane_text *text, perlane_status status);

/* Appends what is wrong, and has the value of the status to return. */
#define PERLANE_REFUSE(status, ...) (perlane_text_print(__VA_ARGS__), (status))

#endif
