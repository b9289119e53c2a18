/* SPDX-License-Identifier: MIT
 *
 * The names of tiles.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "map/map.h"

/* Reads an index of a pattern, after its %: + if it counts from 1, its digits, and its letter,
 * which it returns, or 0 if there is none. */
static char scan_index(const char **pattern, int *first, int *digits) {
  const char *p = *pattern;
  *first = *p == '+';
  p += *first;
  *digits = isdigit((unsigned char)*p) ? *p++ - '0' : 1;
  *pattern = p + (*p != '\0');
  return *p == 'X' || *p == 'Y' || *p == 'V' ? *p : '\0';
}

/* Takes a pattern that gives every tile a name of its own: it has a column and a row, and something
 * that is no digit between them. */
static int parse_pattern(const char *text, void *value) {
  int has_column = 0, has_row = 0, is_apart = 1, first, digits;
  for (const char *p = text; *p != '\0';) {
    const char next = *p++;
    if (next != '%') {
      is_apart |= !isdigit((unsigned char)next);
      if (next == '/')
        return 0;
      continue;
    }
    const char index = scan_index(&p, &first, &digits);
    if (index == '\0' || !is_apart)
      return 0;
    has_column |= index == 'X';
    has_row |= index != 'X';
    is_apart = 0;
  }
  *(const char **)value = text;
  return has_column && has_row;
}

static void print_pattern(FILE *stream, const void *value) {
  const char *pattern = *(const char *const *)value;
  fputs(pattern ? pattern : "auto", stream);
}

const struct cli_kind CLI_TILE_NAMES = {
    .expected = "a name with %X for the column and %Y or %V for the row, and more than digits "
                "between them, such as x%X_y%Y",
    .parse = parse_pattern,
    .print = print_pattern,
};

void cli_tile_name(char name[CLI_NAME], const char *file, const char *pattern,
                   const struct cli_engine *engine, const struct cli_tiles *tiles, int64_t tile) {
  const char *dot = strrchr(cli_last_part(file), '.');
  const size_t stem = dot ? (size_t)(dot - file) : strlen(file);
  const int64_t column = tile % tiles->count[0], row = tile / tiles->count[0];
  int length = snprintf(name, CLI_NAME, "%.*s_", (int)stem, file), first, digits;
  for (const char *p = pattern  ? pattern
                       : engine ? engine->tile_names
                                : "x%X_y%Y";
       *p != '\0' && length < CLI_NAME;) {
    const char next = *p++, index = next == '%' ? scan_index(&p, &first, &digits) : '\0';
    const int64_t number = index == 'X' ? column : index == 'Y' ? row : tiles->count[1] - 1 - row;
    const size_t room = (size_t)(CLI_NAME - length);
    length += index ? snprintf(name + length, room, "%0*" PRId64, digits, number + first)
                    : snprintf(name + length, room, "%c", next);
  }
  if (length < CLI_NAME)
    snprintf(name + length, (size_t)(CLI_NAME - length), "%s", file + stem);
}
