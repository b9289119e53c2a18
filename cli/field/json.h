/* SPDX-License-Identifier: MIT
 *
 * JSON from files that anybody may have written: read whole, parsed strictly, bounded in size and
 * depth.
 */
#ifndef PERLANE_CLI_JSON_H
#define PERLANE_CLI_JSON_H

#include <stddef.h>
#include <stdio.h>

struct json_object; /* json-c's */

enum { CLI_JSON_MOST = 256 << 20 }; /* bytes of a text */

/* Reads a text to its end. Returns it, malloc'ed and with a zero behind it, or NULL with *problem
 * set. */
char *cli_json_read(FILE *stream, size_t *length, const char **problem);

/* Parses a whole text, which has a zero behind it. Returns an object to be put, or NULL with what
 * is wrong printed to problem, of `room` bytes. */
struct json_object *cli_json_parse(const char *text, size_t length, char *problem, size_t room);

/* Whether a text is a number as JSON writes it, and one that no reader takes for another: not -0,
 * which is 0 for some. */
int cli_json_is_number(const char *text);

/* Prints a string in quotes, in ASCII alone and without "--", which may not be in comments of XML.
 * What is no UTF-8 becomes the replacement character. */
void cli_json_print_string(FILE *stream, const char *text);

#endif
