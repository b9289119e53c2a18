/* SPDX-License-Identifier: MIT
 *
 * A file that appears whole or not at all: written under a temporary name beside its target, and
 * renamed when it is complete.
 */
#ifndef PERLANE_CLI_OUTPUT_H
#define PERLANE_CLI_OUTPUT_H

#include <stdio.h>

/* Whether two names are those of one file, which need not exist yet. */
int cli_output_same(const char *a, const char *b);

struct cli_output {
  FILE *stream; /* NULL once it is complete */
  char *target;
  char *temporary;
};

/* Creates the temporary file, with the permissions of the file that it is to replace, if there is
 * one. Until the output is closed or dropped, SIGINT, SIGTERM and others that end a program from
 * outside remove it before they do, and so does exit. Returns NULL, or what is wrong; then there is
 * nothing to drop. */
const char *cli_output_open(struct cli_output *output, const char *path);

/* Whether cli_output_open could now create a file that is opened only after long work. Returns
 * NULL, or what is wrong. */
const char *cli_output_try(const char *path);

/* Makes sure that the file is whole, and closes its stream: what is left is to name it, by
 * cli_output_close. Returns NULL, or what is wrong; then it is dropped. */
const char *cli_output_complete(struct cli_output *output);

/* Completes the file, if it is not, and gives it its name. Returns NULL, or what is wrong; then it
 * is dropped. */
const char *cli_output_close(struct cli_output *output);

/* Removes the temporary file; the target stays as it was. */
void cli_output_drop(struct cli_output *output);

/* Drops the output if there is a problem, and closes it otherwise. Returns the problem, or what
 * goes wrong with closing, or NULL. */
static inline const char *cli_output_end(struct cli_output *output, const char *problem) {
  if (!problem)
    return cli_output_close(output);
  cli_output_drop(output);
  return problem;
}

#endif
