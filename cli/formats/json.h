/* SPDX-License-Identifier: MIT
 *
 * JSON that describes a Zarr array, as jansson reads it. Files may be anybody's.
 */
#ifndef PERLANE_CLI_JSON_H
#define PERLANE_CLI_JSON_H

#include <jansson.h>

/* Returns the object or array that a text is, to be released with json_decref; or NULL, and
 * *problem is what is wrong, in a text that stays until the next call. NaN and Infinity, which many
 * programs write, become 0 in it. An object that has a key twice is refused: some readers take the
 * first value, others the last. */
json_t *cli_json_read(char *text, const char **problem);

/* Returns 1 if `has`, which may be NULL, is equal to `wants`. Its objects may have more keys, and
 * numbers may be written in another way. */
int cli_json_includes(json_t *has, json_t *wants);

#endif
