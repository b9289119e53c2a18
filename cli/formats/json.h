/* SPDX-License-Identifier: MIT
 *
 * The little JSON that describes a Zarr array. Files may be anybody's: a text is checked once with
 * cli_json_is_value, and the other functions take what has passed.
 */
#ifndef PERLANE_CLI_JSON_H
#define PERLANE_CLI_JSON_H

#include <stdint.h>
#include <stdio.h>

/* Returns 1 if a text is one value, of which arrays and objects are nested at most 32 deep. NaN and
 * Infinity count as values, as many programs write them. */
int cli_json_is_value(const char *text);

/* Returns NULL, or the problem that an object in a value has a key twice, of which some readers
 * take the first value and others the last; the text stays until the next call. */
const char *cli_json_duplicate(const char *value);

/* Return the value of an object's key, and an element of an array; NULL if there is none. */
const char *cli_json_member(const char *object, const char *key);
const char *cli_json_element(const char *array, int index);

/* Returns the text of a string, to be freed; NULL for other values, and without memory. */
char *cli_json_string(const char *value);

/* Returns 1 after storing a value that is a whole number, 0 if it is anything else. */
int cli_json_whole(const char *value, uint64_t *number);

/* Returns 1 if a value is equal to `wanted`; an object may have more keys, in any order. */
int cli_json_includes(const char *value, const char *wanted);

/* Print a text as a string, and a value without the white space between its parts. */
void cli_json_print_string(FILE *stream, const char *text);
void cli_json_print(FILE *stream, const char *value);

#endif
