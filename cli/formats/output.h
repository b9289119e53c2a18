/* SPDX-License-Identifier: MIT
 *
 * Output files that appear whole or not at all: each is written under a temporary name beside its
 * target and renamed when it is complete. The standard output, fifos and devices are written as
 * they are.
 */
#ifndef PERLANE_CLI_OUTPUT_H
#define PERLANE_CLI_OUTPUT_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Room for the name of a file. No system opens files with names as long as this, so that one that
 * is cut off is refused, too. */
enum { CLI_NAME = 8192 };

/* Returns whether a name stands for the standard output. */
static inline int cli_output_is_stdout(const char *path) {
  return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

/* Sets the name of the file that a link leads to; others keep theirs. */
void cli_output_follow(char name[CLI_NAME], const char *path);

/* Returns whether an output has no temporary file: the standard output, a fifo or a device. */
int cli_output_is_stream(const char *path);

struct cli_output {
  FILE *stream;             /* NULL once it is complete */
  char target[CLI_NAME];    /* empty for the standard output, fifos and devices */
  char temporary[CLI_NAME]; /* .NAME.perlane-XXXXXX beside the target; empty once it is renamed */
};

/* Opens an output. A regular file's temporary file has a name that no other run uses, and the
 * permissions of the file that it will replace, if there is one; of several runs that write one
 * target, the last to finish replaces it. Exit and signals that end the program remove temporary
 * files; only a run that is killed leaves one, which no other run touches. Returns NULL, or what is
 * wrong; then there is nothing to drop. */
const char *cli_output_open(struct cli_output *output, const char *path);

/* Returns the signal that has been caught, 0 for none; lets it end the program, if there is one. */
int cli_output_caught(void);
void cli_output_raise(void);

/* Makes the folders of a file that are missing. Returns NULL, or what is wrong. */
const char *cli_output_make_folders(const char *path);

/* Checks that cli_output_open could open a file that is needed only after long work; in folders
 * that are made first, if makes_folders. Returns NULL, or what is wrong. */
const char *cli_output_try(const char *path, int makes_folders);

/* Refuses what does not fit on the disk of a file that will be written. The message has `tiles`
 * after the name. Returns 0, or the exit status. */
int cli_output_check_space(const char *path, const char *tiles, uint64_t bytes);

/* Completes outputs and gives files their names: that of a map, and then that of the file that
 * describes it. They change together: at any time, the file beside a map is that of its samples, or
 * missing. Returns NULL; or what is wrong with output number *failed, and all that are
 * not there yet are dropped. */
const char *cli_output_close_all(struct cli_output *output, int count, int *failed);

/* Removes the temporary file; the target stays as it was. */
void cli_output_drop(struct cli_output *output);

#endif
