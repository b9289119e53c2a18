/* SPDX-License-Identifier: MIT */
#include "formats/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Millions of small values take a hundred times the memory of their text: no text of perlane's own
 * takes a hundredth of this. */
enum { MAX_BYTES = 256 << 20 };

static size_t allocated; /* by jansson since cli_json_read */

static void *allocate(size_t size) {
  allocated += size < MAX_BYTES ? size : MAX_BYTES;
  return allocated < MAX_BYTES ? malloc(size) : NULL;
}

/* Copies a text with null for each NaN and Infinity that is not in a string. */
static char *standard(const char *text) {
  static const char *const word[] = {"NaN", "-Infinity", "Infinity"};
  char *copy = NULL;
  size_t size;
  FILE *stream = open_memstream(&copy, &size);
  int is_string = 0;
  for (const char *p = text; stream && *p != '\0'; p++) {
    size_t length = 0;
    for (size_t i = 0; i < sizeof word / sizeof word[0] && length == 0 && !is_string; i++)
      length = strncmp(p, word[i], strlen(word[i])) == 0 ? strlen(word[i]) : 0;
    is_string ^= *p == '"';
    if (length > 0)
      fputs("null", stream);
    else
      fputc(*p, stream);
    if (length > 0)
      p += length - 1;
    else if (is_string && *p == '\\' && p[1] != '\0')
      fputc(*++p, stream);
  }
  if (!stream || fclose(stream) == 0)
    return copy;
  free(copy);
  return NULL;
}

json_t *cli_json_read(const char *text, const char **problem) {
  static char wrong[JSON_ERROR_TEXT_LENGTH + 80];
  const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL;
  json_error_t error = {.text = "out of memory"};
  char *copy = standard(text);
  allocated = 0;
  json_set_alloc_funcs(allocate, free);
  json_t *json = copy ? json_loads(copy, flags, &error) : NULL;
  /* Attributes may have numbers beyond 64 bits, which no description of perlane's has. */
  if (copy && !json && json_error_code(&error) == json_error_numeric_overflow)
    json = json_loads(copy, flags | JSON_DECODE_INT_AS_REAL, &error);
  free(copy);
  snprintf(wrong, sizeof wrong, "it is not JSON that all readers read alike, line %d: %s",
           error.line, error.text);
  *problem = json ? NULL : wrong;
  return json;
}

int cli_json_includes(json_t *has, json_t *wants) {
  const char *key;
  size_t index;
  json_t *value;
  json_object_foreach(wants, key, value) {
    if (!cli_json_includes(json_object_get(has, key), value))
      return 0;
  }
  json_array_foreach(wants, index, value) {
    if (!cli_json_includes(json_array_get(has, index), value))
      return 0;
  }
  if (json_is_object(wants) || json_is_array(wants))
    return has && json_typeof(has) == json_typeof(wants) &&
           json_array_size(has) == json_array_size(wants);
  if (json_is_number(wants) && json_is_number(has) && json_typeof(has) != json_typeof(wants))
    return json_number_value(has) == json_number_value(wants);
  return json_equal(has, wants);
}
