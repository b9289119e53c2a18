/* SPDX-License-Identifier: MIT
 *
 * Lines are read character by character: a zero byte then stops the reading of a device without an
 * end before memory runs out.
 */
#include "field/lines.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "options/values.h"

struct cli_lines cli_lines_of(FILE *stream) {
  return (struct cli_lines){.stream = stream};
}

static int grow(struct cli_lines *lines) {
  const size_t capacity = lines->capacity ? 2 * lines->capacity : 256;
  char *buffer = realloc(lines->buffer, capacity);
  if (!buffer)
    return 0;
  lines->buffer = buffer;
  lines->capacity = capacity;
  return 1;
}

int cli_lines_next(struct cli_lines *lines) {
  size_t length = 0;
  int c;
  lines->number++;
  do {
    c = getc_unlocked(lines->stream);
    if (c == EOF && ferror(lines->stream)) {
      lines->problem = strerror(errno);
      return 0;
    }
    if (c == EOF && length == 0)
      return 0;
    if (c == '\0') {
      lines->problem = "a zero byte, so this is no text";
      return 0;
    }
    if (length == lines->capacity && !grow(lines)) {
      lines->problem = strerror(ENOMEM);
      return 0;
    }
    lines->buffer[length++] = c == '\n' || c == EOF ? '\0' : (char)c;
  } while (c != '\n' && c != EOF);
  if (length >= 2 && lines->buffer[length - 2] == '\r')
    lines->buffer[length - 2] = '\0';
  /* Some programs begin UTF-8 with a byte order mark. */
  const int marked = lines->number == 1 && strncmp(lines->buffer, "\xEF\xBB\xBF", 3) == 0;
  lines->text = lines->buffer + (marked ? 3 : 0);
  return 1;
}

void cli_lines_free(struct cli_lines *lines) {
  free(lines->buffer);
  *lines = (struct cli_lines){0};
}

const char *cli_skip_blanks(const char *text) {
  return text + strspn(text, " \t");
}

int cli_scan_numbers(const char *line, int max_count, double *number, const char **wrong) {
  int count = 0;
  const char *p = cli_skip_blanks(line);
  for (;;) {
    double value;
    const char *end = cli_scan_double(p, &value);
    *wrong = p;
    if (!end || !strchr(" \t,", *end)) /* strchr also finds the end of the line */
      return -1;
    if (count < max_count)
      number[count] = value;
    if (count < INT_MAX)
      count++;
    p = cli_skip_blanks(end);
    if (*p == '\0')
      return count;
    if (*p == ',')
      p = cli_skip_blanks(p + 1);
  }
}

int cli_shown_length(const char *wrong) {
  const size_t length = strcspn(wrong, " \t,");
  return length < 40 ? (int)length : 40;
}
