/* SPDX-License-Identifier: MIT
 *
 * json-c behind functions that say what is wrong, and strings that fit any file.
 */
#include "field/json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "options/values.h"

enum { DEEPEST = 8 }; /* params are 4 deep, in a map's own file 5 */

/* Reads on, and makes room for more. 1 while there may be more, 0 at the end; then *problem is NULL
 * or says why this is no text. */
static int read_part(FILE *stream, char **text, size_t *capacity, size_t *length,
                     const char **problem) {
  const size_t read = fread(*text + *length, 1, *capacity - 1 - *length, stream);
  *problem = NULL;
  if (memchr(*text + *length, '\0', read)) {
    *problem = "a zero byte, so this is no text";
    return 0;
  }
  *length += read;
  if (*length < *capacity - 1) {
    if (ferror(stream))
      *problem = strerror(errno);
    return 0;
  }
  if (*capacity > CLI_JSON_MOST) {
    *problem = "more than 256 MiB";
    return 0;
  }
  char *larger = realloc(*text, 2 * *capacity);
  if (!larger) {
    *problem = strerror(ENOMEM);
    return 0;
  }
  *text = larger;
  *capacity *= 2;
  return 1;
}

char *cli_json_read(FILE *stream, size_t *length, const char **problem) {
  size_t capacity = 2048;
  char *text = malloc(capacity);
  if (!text) {
    *problem = strerror(ENOMEM);
    return NULL;
  }
  *length = 0;
  while (read_part(stream, &text, &capacity, length, problem))
    continue;
  if (*problem) {
    free(text);
    return NULL;
  }
  text[*length] = '\0';
  return text;
}

static uint64_t line_of(const char *text, size_t offset) {
  uint64_t line = 1;
  for (size_t i = 0; i < offset; i++)
    line += text[i] == '\n';
  return line;
}

/* What follows a string that begins here, or the end of the text. */
static const char *skip_string(const char *text) {
  for (text++; *text != '\0' && *text != '"'; text++)
    text += *text == '\\' && text[1] != '\0';
  return text + (*text == '"');
}

/* What follows a number that may begin here; text if none does. *too_large: it is whole, and not
 * one of 64 bits. */
static const char *skip_number(const char *text, int *too_large) {
  const int negative = *text == '-';
  const size_t digits = strspn(text + negative, "0123456789");
  if (digits == 0)
    return text;
  const char *end = text + (size_t)negative + digits;
  uint64_t magnitude;
  int64_t value;
  if (*end != '.' && *end != 'e' && *end != 'E')
    *too_large = !(negative ? cli_scan_i64(text, &value) : cli_scan_decimal(text, &magnitude));
  return end + strspn(end, ".eE+-0123456789");
}

/* Finds what json-c takes although it should not: strings in single quotes, and whole numbers that
 * 64 bits do not hold, for which it gives the nearest that they do. NULL if there is none. */
static const char *find_tolerated(const char *text, const char **problem) {
  while (*text != '\0') {
    int too_large = 0;
    const char *end = *text == '"' ? skip_string(text) : skip_number(text, &too_large);
    *problem = too_large ? "a whole number beyond 64 bits" : "unexpected character";
    if (too_large || *text == '\'')
      return text;
    text = end == text ? text + 1 : end;
  }
  return NULL;
}

struct json_object *cli_json_parse(const char *text, size_t length, char *problem, size_t room) {
  const char *reason, *where = find_tolerated(text, &reason);
  struct json_tokener *tokener = where ? NULL : json_tokener_new_ex(DEEPEST);
  if (where) {
    snprintf(problem, room, "line %" PRIu64 ": %s", line_of(text, (size_t)(where - text)), reason);
    return NULL;
  }
  if (!tokener) {
    snprintf(problem, room, "%s", strerror(ENOMEM));
    return NULL;
  }
  json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
  /* With the zero behind the text, which tells that there is no more of it. */
  struct json_object *root = json_tokener_parse_ex(tokener, text, (int)length + 1);
  const enum json_tokener_error error = json_tokener_get_error(tokener);
  const size_t end = json_tokener_get_parse_end(tokener);
  json_tokener_free(tokener);
  if (error == json_tokener_success && root)
    return root;
  snprintf(problem, room, "line %" PRIu64 ": %s", line_of(text, end < length ? end : length),
           error == json_tokener_success ? "null is not an object"
                                         : json_tokener_error_desc(error));
  return NULL;
}

static const char *skip_digits(const char *text) {
  return text + strspn(text, "0123456789");
}

int cli_json_is_number(const char *text) {
  const char *p = text + (*text == '-');
  const char *end = skip_digits(p);
  if (end == p || (*p == '0' && end != p + 1) || strcmp(text, "-0") == 0)
    return 0;
  if (*end == '.') {
    p = end + 1;
    end = skip_digits(p);
    if (end == p)
      return 0;
  }
  if (*end == 'e' || *end == 'E') {
    p = end + 1;
    p += *p == '+' || *p == '-';
    end = skip_digits(p);
    if (end == p)
      return 0;
  }
  return *end == '\0';
}

/* Takes a character off UTF-8; U+FFFD and one byte for what is none. */
static uint32_t next_character(const unsigned char **text) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  const unsigned char *p = *text;
  const int more = *p < 0x80 ? 0 : (*p & 0xE0) == 0xC0 ? 1 : (*p & 0xF0) == 0xE0 ? 2 : 3;
  uint32_t code = more == 0 ? *p : *p & (0x3FU >> more);
  *text = p + 1;
  if (*p >= 0xF8 || (*p & 0xC0) == 0x80)
    return 0xFFFD;
  for (int i = 1; i <= more; i++) {
    if ((p[i] & 0xC0) != 0x80)
      return 0xFFFD;
    code = code << 6 | (p[i] & 0x3FU);
  }
  if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
    return 0xFFFD;
  *text = p + 1 + more;
  return code;
}

void cli_json_print_string(FILE *stream, const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  uint32_t before = 0;
  fputc('"', stream);
  while (*p != '\0') {
    const uint32_t code = next_character(&p);
    if (code >= 0x10000)
      fprintf(stream, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xD800 + ((code - 0x10000) >> 10),
              0xDC00 + ((code - 0x10000) & 0x3FF));
    else if (code < 0x20 || code >= 0x7F || (code == '-' && before == '-'))
      fprintf(stream, "\\u%04" PRIx32, code);
    else
      fprintf(stream, "%s%c", code == '"' || code == '\\' ? "\\" : "", (int)code);
    before = code;
  }
  fputc('"', stream);
}
