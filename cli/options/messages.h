/* SPDX-License-Identifier: MIT
 *
 * Messages on stderr. Control characters and bytes that are not UTF-8 are printed as \xNN, whoever
 * wrote them, so that a file's name cannot reach the terminal's controls.
 */
#ifndef PERLANE_CLI_MESSAGES_H
#define PERLANE_CLI_MESSAGES_H

#include <stdio.h>

enum { CLI_FAILURE = 1, CLI_USAGE = 2 }; /* exit statuses */

/* Sets the subcommand that messages name. */
void cli_name_command(const char *name);

/* Keeps a message and returns the status: that of a failure, that of a refusal, which ends with a
 * hint at --help, or 0 for a note. A message that is kept already is printed first. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int cli_say(int status, const char *format, ...);

#define cli_fail(...) cli_say(CLI_FAILURE, __VA_ARGS__)
#define cli_refuse(...) cli_say(CLI_USAGE, __VA_ARGS__)

/* Returns the stream to print more of the message to that was kept last. */
FILE *cli_message(void);

/* Prints the message that is kept, if any, as "perlane COMMAND: message". */
void cli_print_message(void);

/* Forgets it. */
void cli_drop_message(void);

/* Prints a note, unless --quiet, which sets this. */
extern int cli_is_quiet;
#define cli_note(...)                                                                              \
  (cli_is_quiet ? (void)0 : ((void)cli_say(0, "note: " __VA_ARGS__), cli_print_message()))

/* Prints a text with control characters, and bytes that are not UTF-8, as \xNN. */
void cli_print_text(FILE *stream, const char *text);

/* Makes three digits of a number, and the prefix of what it counts: "85.3 M". */
const char *cli_amount(char text[16], double value);

/* Returns memory, or ends the program if there is none; for threads that are alone. */
void *cli_need(void *memory);

/* Opens a stream whose text is in memory, to be freed; and closes it. */
FILE *cli_open_text(char **text);
void cli_close_text(FILE *stream);

/* Makes sure that all output has reached stdout. Returns 0, or the exit status. */
int cli_finish_stdout(void);

#endif
