/* SPDX-License-Identifier: MIT */
#include "formats/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "options/values.h"

enum { MAX_DEPTH = 32 };

static const char *skip_white(const char *p) {
  return p + strspn(p, " \t\r\n");
}

static size_t digits(const char *p) {
  return strspn(p, "0123456789");
}

/* Return the lengths of a number's whole part, 0 for a number too, and of a scalar that is not a
 * string; 0 if there is none. */
static size_t whole_length(const char *p) {
  const size_t sign = *p == '-', more = digits(p + sign);
  return more == 0 || (more > 1 && p[sign] == '0') ? 0 : sign + more;
}

static size_t scalar_length(const char *p) {
  static const char *const word[] = {"null", "true", "false", "NaN", "Infinity", "-Infinity"};
  for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
    if (strncmp(p, word[i], strlen(word[i])) == 0)
      return strlen(word[i]);
  size_t length = whole_length(p);
  if (length > 0 && p[length] == '.')
    length = digits(p + length + 1) > 0 ? length + 1 + digits(p + length + 1) : 0;
  if (length > 0 && (p[length] == 'e' || p[length] == 'E')) {
    const size_t sign = p[length + 1] == '+' || p[length + 1] == '-';
    const size_t exponent = digits(p + length + 1 + sign);
    length = exponent > 0 ? length + 1 + sign + exponent : 0;
  }
  return length;
}

/* Return what follows a string, and any value; NULL if there is none. */
static const char *skip_string(const char *p) {
  if (*p != '"')
    return NULL;
  for (p++; *p != '"'; p++) {
    if ((unsigned char)*p < 0x20)
      return NULL;
    if (*p != '\\')
      continue;
    p++;
    if (*p == '\0' || !strchr("\"\\/bfnrtu", *p) ||
        (*p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") < 4))
      return NULL;
  }
  return p + 1;
}

static const char *skip_value(const char *p, int depth) {
  p = skip_white(p);
  if (*p == '"')
    return skip_string(p);
  if (*p != '{' && *p != '[') {
    const size_t length = scalar_length(p);
    return length > 0 ? p + length : NULL;
  }
  const char close = *p == '{' ? '}' : ']';
  p = skip_white(p + 1);
  if (*p == close)
    return p + 1;
  for (; depth > 0; p = skip_white(p + 1)) {
    if (close == '}') {
      p = skip_string(p);
      p = p ? skip_white(p) : NULL;
      if (!p || *p++ != ':')
        return NULL;
    }
    p = skip_value(p, depth - 1);
    p = p ? skip_white(p) : NULL;
    if (!p || *p == close)
      return p ? p + 1 : NULL;
    if (*p != ',')
      return NULL;
  }
  return NULL;
}

int cli_json_is_value(const char *text) {
  const char *end = skip_value(text, MAX_DEPTH);
  return end && *skip_white(end) == '\0';
}

/* ---- Objects and arrays ---- */

struct members {
  const char *next, *key, *value; /* an empty key in an array */
  char close;
};

static struct members members_of(const char *container) {
  const char *p = skip_white(container);
  return (struct members){.next = p + 1, .key = "\"\"", .close = *p == '{' ? '}' : ']'};
}

static int next_member(struct members *members) {
  const char *p = skip_white(members->next);
  if (*p == ',')
    p = skip_white(p + 1);
  if (*p == members->close)
    return 0;
  if (members->close == '}') {
    members->key = p;
    p = skip_string(p);
    p = p ? skip_white(p) + 1 : "";
  }
  members->value = skip_white(p);
  members->next = skip_value(p, MAX_DEPTH);
  return members->next != NULL; /* as there is in what has been checked */
}

const char *cli_json_member(const char *object, const char *key) {
  const size_t length = strlen(key);
  if (*skip_white(object) != '{')
    return NULL;
  for (struct members members = members_of(object); next_member(&members);)
    if (strncmp(members.key + 1, key, length) == 0 && members.key[1 + length] == '"')
      return members.value;
  return NULL;
}

const char *cli_json_element(const char *array, int index) {
  if (*skip_white(array) != '[')
    return NULL;
  struct members members = members_of(array);
  for (; next_member(&members); index--)
    if (index == 0)
      return members.value;
  return NULL;
}

/* ---- Values ---- */

static unsigned unescaped(const char **p) {
  static const char letters[] = "bfnrt", characters[] = "\b\f\n\r\t";
  const char *letter = strchr(letters, **p);
  if (**p != 'u')
    return (unsigned char)(letter ? characters[letter - letters] : **p);
  char digits[5] = {0};
  memcpy(digits, *p + 1, 4);
  *p += 4;
  return (unsigned)strtoul(digits, NULL, 16);
}

/* Appends a character in UTF-8: 0 in two bytes, as it would end the text. */
static char *append(char *out, unsigned code) {
  const int is_ascii = code > 0 && code < 0x80;
  if (code >= 0x800) {
    *out++ = (char)(0xE0 | code >> 12);
    *out++ = (char)(0x80 | (code >> 6 & 0x3F));
  } else if (!is_ascii) {
    *out++ = (char)(0xC0 | code >> 6);
  }
  *out++ = (char)(is_ascii ? code : 0x80 | (code & 0x3F));
  return out;
}

char *cli_json_string(const char *value) {
  const char *p = skip_white(value), *end = skip_string(p);
  char *text = end ? malloc((size_t)(end - p)) : NULL, *out = text;
  if (!text)
    return NULL;
  for (p++; *p != '"'; p++) {
    if (*p == '\\')
      out = append(out, (p++, unescaped(&p)));
    else
      *out++ = *p;
  }
  *out = '\0';
  return text;
}

/* Numbers may be written in several ways, unless both are whole: those may have more digits than a
 * double. */
static int same_scalars(const char *a, const char *b) {
  const size_t length_a = scalar_length(a), length_b = scalar_length(b);
  if (length_a == length_b && strncmp(a, b, length_a) == 0)
    return 1;
  const size_t whole_a = whole_length(a), whole_b = whole_length(b);
  if (whole_a == 0 || whole_b == 0 || (whole_a == length_a && whole_b == length_b))
    return 0;
  return strtod(a, NULL) == strtod(b, NULL);
}

int cli_json_whole(const char *value, uint64_t *number) {
  const size_t length = scalar_length(value);
  return length > 0 && cli_scan_decimal(value, number) == value + length;
}

static int same_strings(const char *a, const char *b) {
  char *text_a = cli_json_string(a), *text_b = cli_json_string(b);
  const int same = text_a && text_b && strcmp(text_a, text_b) == 0;
  free(text_a);
  free(text_b);
  return same;
}

static int includes_members(const char *object, const char *wanted) {
  for (struct members members = members_of(wanted); next_member(&members);) {
    char *key = cli_json_string(members.key);
    const char *value = key ? cli_json_member(object, key) : NULL;
    free(key);
    if (!value || !cli_json_includes(value, members.value))
      return 0;
  }
  return 1;
}

int cli_json_includes(const char *value, const char *wanted) {
  value = skip_white(value);
  wanted = skip_white(wanted);
  if (*wanted == '{')
    return includes_members(value, wanted);
  if (*wanted == '[' || *wanted == '"') {
    if (*value != *wanted)
      return 0;
    if (*wanted == '"')
      return same_strings(value, wanted);
    struct members a = members_of(value), b = members_of(wanted);
    for (;;) {
      const int more = next_member(&a);
      if (more != next_member(&b))
        return 0;
      if (!more)
        return 1;
      if (!cli_json_includes(a.value, b.value))
        return 0;
    }
  }
  return scalar_length(value) > 0 && same_scalars(value, wanted);
}

/* ---- Keys ---- */

static int compare_keys(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *cli_json_duplicate(const char *value) {
  static char twice[80];
  struct cli_bytes keys = {0};
  const char *problem = NULL;
  const int is_object = *skip_white(value) == '{';
  if (!is_object && *skip_white(value) != '[')
    return NULL;
  for (struct members members = members_of(value); !problem && next_member(&members);) {
    char *key = is_object ? cli_json_string(members.key) : NULL;
    problem = cli_json_duplicate(members.value);
    if (!is_object)
      continue;
    if (!key || !cli_bytes_reserve(&keys, sizeof key)) {
      problem = strerror(ENOMEM);
      free(key);
      continue;
    }
    memcpy(keys.data + keys.size, &key, sizeof key);
    keys.size += sizeof key;
  }
  char **key = (char **)(void *)keys.data;
  const size_t count = keys.size / sizeof *key;
  if (count > 0)
    qsort(key, count, sizeof *key, compare_keys);
  for (size_t i = 1; i < count && !problem; i++)
    if (strcmp(key[i - 1], key[i]) == 0) {
      snprintf(twice, sizeof twice, "an object has the key '%.40s' twice", key[i]);
      problem = twice;
    }
  for (size_t i = 0; i < count; i++)
    free(key[i]);
  free(key);
  return problem;
}

/* ---- Printing ---- */

void cli_json_print_string(FILE *stream, const char *text) {
  fputc('"', stream);
  for (; *text != '\0'; text++)
    if ((unsigned char)*text < 0x20)
      fprintf(stream, "\\u%04x", *text);
    else
      fprintf(stream, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
  fputc('"', stream);
}

void cli_json_print(FILE *stream, const char *value) {
  for (const char *p = skip_white(value); *p != '\0'; p = skip_white(p)) {
    const char *end = *p == '"' ? skip_string(p) : p + 1;
    if (!end)
      return;
    fwrite(p, 1, (size_t)(end - p), stream);
    if (*p == ',' || *p == ':')
      fputc(' ', stream);
    p = end;
  }
}
