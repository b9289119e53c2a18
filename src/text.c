/* SPDX-License-Identifier: MIT */
#include "strict.h"

#include <stdarg.h>
#include <string.h>

#include "decimal.h"
#include "text.h"

struct perlane_text perlane_text_begin(char *buffer, size_t size) {
  return (struct perlane_text){buffer, buffer ? size : 0, 0};
}

void perlane_text_add(struct perlane_text *text, const char *bytes, size_t length) {
  for (size_t i = 0; text && i < length; i++, text->length++)
    if (text->length < text->size)
      text->buffer[text->length] = bytes[i];
}

/* Returns 1 for a byte of a control character of UTF-8, which a terminal would obey. */
static int is_control(const char *bytes, size_t i, size_t length) {
  const unsigned char *c = (const unsigned char *)bytes + i;
  return *c < 0x20 || *c == 0x7F || (*c == 0xC2 && i + 1 < length && (c[1] & 0xE0) == 0x80) ||
         ((*c & 0xE0) == 0x80 && i > 0 && c[-1] == 0xC2);
}

void perlane_text_quote(struct perlane_text *text, const char *bytes, size_t length) {
  enum { MAX_SHOWN = 40 };
  static const char HEX[] = "0123456789ABCDEF";
  size_t shown = length;
  if (length > MAX_SHOWN)
    for (shown = MAX_SHOWN; shown > 0 && (bytes[shown] & 0xC0) == 0x80;) /* within a character */
      shown--;
  perlane_text_add(text, "'", 1);
  for (size_t i = 0; i < shown; i++)
    if (is_control(bytes, i, shown))
      perlane_text_print(text, "\\x%c%c", HEX[(unsigned char)bytes[i] / 16],
                         HEX[(unsigned char)bytes[i] % 16]);
    else
      perlane_text_add(text, bytes + i, 1);
  perlane_text_print(text, shown < length ? "...'" : "'");
}

static void add_decimal(struct perlane_text *text, uint64_t value, int is_negative) {
  char digits[21];
  size_t start = sizeof digits;
  do
    digits[--start] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  if (is_negative)
    digits[--start] = '-';
  perlane_text_add(text, digits + start, sizeof digits - start);
}

static void add_real(struct perlane_text *text, double value) {
  char digits[PERLANE_DECIMAL_BYTES];
  perlane_text_add(text, digits, perlane_decimal_print(value, digits));
}

/* The conversion of a whole number: "d", "lld" or "llu". Returns its last character. */
static const char *add_whole(struct perlane_text *text, const char *conversion,
                             va_list *arguments) {
  if (*conversion == 'd') {
    const int64_t value = va_arg(*arguments, int);
    add_decimal(text, (uint64_t)(value < 0 ? -value : value), value < 0);
    return conversion;
  }
  const unsigned long long value = va_arg(*arguments, unsigned long long);
  const int is_negative = conversion[2] == 'd' && value > LLONG_MAX;
  add_decimal(text, is_negative ? 0 - value : value, is_negative);
  return conversion + 2;
}

void perlane_text_print(struct perlane_text *text, const char *format, ...) {
  va_list arguments;
  if (!text)
    return;
  va_start(arguments, format);
  for (const char *c = format; *c != '\0'; c++) {
    const char *string;
    if (*c != '%') {
      perlane_text_add(text, c, 1);
    } else if (*++c == 's') {
      string = va_arg(arguments, const char *);
      perlane_text_add(text, string, strlen(string));
    } else if (*c == 'c') {
      const char character = (char)va_arg(arguments, int);
      perlane_text_add(text, &character, 1);
    } else if (*c == 'g') {
      add_real(text, va_arg(arguments, double));
    } else {
      c = add_whole(text, c, &arguments);
    }
  }
  va_end(arguments);
}

perlane_status perlane_text_refuse(struct perlane_text *text, perlane_status status) {
  return PERLANE_REFUSE(status, text, "%s", perlane_status_string(status));
}

size_t perlane_text_end(struct perlane_text *text) {
  if (text->size > 0)
    text->buffer[text->length < text->size ? text->length : text->size - 1] = '\0';
  return text->length;
}
