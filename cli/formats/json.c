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

/* Makes each NaN and Infinity that is not in a string a 0. */
static void replace_words(char *text) {
  static const char *const word[] = {"NaN", "Infinity"};
  int is_string = 0;
  for (char *p = text; *p != '\0'; p++) {
    for (int i = 0; i < 2 && !is_string; i++)
      if (strncmp(p, word[i], strlen(word[i])) == 0) {
        memset(p, '0', strlen(word[i]));
        p[1] = 'e';
      }
    is_string ^= *p == '"';
    p += is_string && *p == '\\' && p[1] != '\0';
  }
}

json_t *cli_json_read(char *text, const char **problem) {
  static char wrong[JSON_ERROR_TEXT_LENGTH + 80];
  const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL;
  json_error_t error;
  replace_words(text);
  allocated = 0;
  json_set_alloc_funcs(allocate, free);
  json_t *json = json_loads(text, flags, &error);
  /* Attributes may have numbers beyond 64 bits, which no description of perlane's has. */
  if (!json && json_error_code(&error) == json_error_numeric_overflow)
    json = json_loads(text, flags | JSON_DECODE_INT_AS_REAL, &error);
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
