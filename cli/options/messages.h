/* SPDX-License-Identifier: MIT
 *
 * Messages on stderr. Control characters and bytes that are not UTF-8 are printed as \xNN, whoever
 * wrote them, so that a file's name cannot reach the terminal's controls.
 */
#ifndef PERLANE_CLI_MESSAGES_H
#define PERLANE_CLI_MESSAGES_H

#include <stdio.h>

enum { CLI_FAILURE = 1, CLI_USAGE = 2 }; /* exit statuses */

struct cli_command {
  const char *name;
  const char *synopsis;
  const char *about;
  const char *examples;
};

#if defined(__GNUC__)
#define CLI_PRINTF(text, rest) __attribute__((format(printf, text, rest)))
#else
#define CLI_PRINTF(text, rest)
#endif

/* Print "perlane COMMAND: message" on stderr: a failure, a refusal with a hint at --help, a note.
 * The first two return the exit status. command may be NULL. */
int cli_fail(const struct cli_command *command, const char *format, ...) CLI_PRINTF(2, 3);
int cli_refuse(const struct cli_command *command, const char *format, ...) CLI_PRINTF(2, 3);
void cli_note(const struct cli_command *command, const char *format, ...) CLI_PRINTF(2, 3);

/* The same in parts: begins a message, whose text is what is printed to the stream until one of the
 * others ends it. */
FILE *cli_begin_message(void);
int cli_end_failure(const struct cli_command *command, FILE *message);
int cli_end_refusal(const struct cli_command *command, FILE *message);
void cli_end_note(const struct cli_command *command, FILE *message);

/* Prints a text with control characters, and bytes that are not UTF-8, as \xNN. */
void cli_print_text(FILE *stream, const char *text);

/* Makes sure that all output has reached stdout. Returns 0, or the exit status after a message. */
int cli_finish_stdout(const struct cli_command *command);

#endif
