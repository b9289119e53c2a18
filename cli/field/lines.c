/* SPDX-License-Identifier: MIT */
#include "field/lines.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "options/values.h"

int cli_lines_next(struct cli_lines *lines) {
  static const char mark[] = "\xEF\xBB\xBF"; /* some programs begin UTF-8 with it */
  lines->number++;
  /* A device of zero bytes has no end of a line. */
  const int first = getc(lines->stream);
  if (first > 0)
    ungetc(first, lines->stream);
  const ssize_t length = first == 0 ? 0 : getline(&lines->text, &lines->capacity, lines->stream);
  if (length < 0) {
    lines->problem = feof(lines->stream) ? NULL : strerror(errno);
    return 0;
  }
  if (first == 0 || strlen(lines->text) != (size_t)length) {
    lines->problem = "a zero byte, so this is no text";
    return 0;
  }
  char *end = lines->text + length;
  if (end[-1] == '\n')
    *--end = '\0';
  if (end > lines->text && end[-1] == '\r')
    *--end = '\0';
  if (lines->number == 1 && strncmp(lines->text, mark, strlen(mark)) == 0)
    memmove(lines->text, lines->text + strlen(mark), (size_t)length - strlen(mark) + 1);
  return 1;
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
