/* SPDX-License-Identifier: MIT */
#include "options/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts that a terminal can show ---- */

/* The number of bytes of the UTF-8 character that a text begins with; 0 for a control character
 * and for what is not UTF-8. */
static size_t printable_length(const unsigned char *text) {
  static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (*text < 0x80)
    return *text >= 0x20 && *text != 0x7F;
  const size_t length = *text >= 0xF0 ? 4 : *text >= 0xE0 ? 3 : 2;
  unsigned code = *text & (0x7FU >> length);
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xC0) != 0x80)
      return 0;
    code = code << 6 | (text[i] & 0x3FU);
  }
  const int is_character = *text >= 0xC2 && *text < 0xF8 && code >= smallest[length] &&
                           code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000);
  return is_character && code >= 0xA0 ? length : 0; /* U+0080 to U+009F are controls */
}

void cli_print_text(FILE *stream, const char *text) {
  for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
    const size_t length = printable_length(p);
    if (length == 0)
      fprintf(stream, "\\x%02X", *p);
    else
      fwrite(p, 1, length, stream);
    p += length == 0 ? 1 : length;
  }
}

/* ---- Messages ---- */

/* The message in progress; it ends before the next one begins. */
static char *kept;
static size_t kept_length;

FILE *cli_begin_message(void) {
  FILE *message = open_memstream(&kept, &kept_length);
  if (message)
    return message;
  fputs("perlane: ", stderr); /* without memory, the text as it is */
  return stderr;
}

static void end_message(const struct cli_command *command, FILE *message) {
  if (message != stderr && fclose(message) == 0) {
    fprintf(stderr, "perlane%s%s: ", command ? " " : "", command ? command->name : "");
    cli_print_text(stderr, kept);
  }
  if (message != stderr)
    free(kept);
  fputc('\n', stderr);
}

int cli_end_failure(const struct cli_command *command, FILE *message) {
  end_message(command, message);
  return CLI_FAILURE;
}

int cli_end_refusal(const struct cli_command *command, FILE *message) {
  end_message(command, message);
  fprintf(stderr, "try 'perlane%s%s --help'\n", command ? " " : "", command ? command->name : "");
  return CLI_USAGE;
}

void cli_end_note(const struct cli_command *command, FILE *message) {
  end_message(command, message);
}

static FILE *formatted(const char *before, const char *format, va_list arguments) {
  FILE *message = cli_begin_message();
  fputs(before, message);
  vfprintf(message, format, arguments);
  return message;
}

int cli_fail(const struct cli_command *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  FILE *message = formatted("", format, arguments);
  va_end(arguments);
  return cli_end_failure(command, message);
}

int cli_refuse(const struct cli_command *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  FILE *message = formatted("", format, arguments);
  va_end(arguments);
  return cli_end_refusal(command, message);
}

void cli_note(const struct cli_command *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  FILE *message = formatted("note: ", format, arguments);
  va_end(arguments);
  cli_end_note(command, message);
}

int cli_finish_stdout(const struct cli_command *command) {
  const int failed_before = ferror(stdout), error_before = errno;
  if (fflush(stdout) != 0)
    return cli_fail(command, "cannot write to the standard output: %s", strerror(errno));
  if (failed_before) /* as printing goes on, the last error is that of the output */
    return cli_fail(command, "cannot write to the standard output: %s", strerror(error_before));
  return 0;
}
