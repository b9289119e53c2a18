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

const char *cli_amount(char text[16], double value) {
  static const char prefix[] = " kMGTPE";
  int i = 0;
  for (; value >= 999.5 && i < 6; i++)
    value /= 1000;
  snprintf(text, 16, i > 0 ? "%.3g %c" : "%.3g", value, prefix[i]);
  return text;
}

/* ---- Messages ---- */

int cli_is_quiet;
static const char *command; /* NULL before it is known */

/* The message that is kept. */
static struct {
  FILE *stream; /* NULL for none */
  char *text;
  size_t length;
  int status;
} kept;

void cli_name_command(const char *name) {
  command = name;
}

FILE *cli_message(void) {
  return kept.stream;
}

int cli_say(int status, const char *format, ...) {
  va_list arguments;
  cli_print_message();
  kept.status = status;
  kept.stream = open_memstream(&kept.text, &kept.length);
  if (!kept.stream) {
    kept.stream = stderr; /* without memory, the text as it is */
    fputs("perlane: ", stderr);
  }
  va_start(arguments, format);
  vfprintf(kept.stream, format, arguments);
  va_end(arguments);
  return status;
}

void cli_drop_message(void) {
  if (kept.stream && kept.stream != stderr && fclose(kept.stream) == 0)
    free(kept.text);
  kept.stream = NULL;
}

void cli_print_message(void) {
  const char *blank = command ? " " : "", *name = command ? command : "";
  FILE *stream = kept.stream;
  kept.stream = NULL;
  if (!stream)
    return;
  if (stream != stderr && fclose(stream) == 0) {
    fprintf(stderr, "perlane%s%s: ", blank, name);
    cli_print_text(stderr, kept.text);
  }
  if (stream != stderr)
    free(kept.text);
  fputc('\n', stderr);
  if (kept.status == CLI_USAGE)
    fprintf(stderr, "try 'perlane%s%s --help'\n", blank, name);
}

/* ---- Memory ---- */

void *cli_need(void *memory) {
  if (memory)
    return memory;
  cli_fail("%s", strerror(ENOMEM));
  cli_print_message();
  exit(CLI_FAILURE);
}

FILE *cli_open_text(char **text) {
  static size_t length;
  return cli_need(open_memstream(text, &length));
}

void cli_close_text(FILE *stream) {
  const int failed = ferror(stream);
  if (fclose(stream) != 0 || failed)
    cli_need(NULL);
}

int cli_finish_stdout(void) {
  const int failed_before = ferror(stdout), error_before = errno;
  const int failed_now = fflush(stdout) != 0;
  if (!failed_now && !failed_before)
    return 0;
  /* As printing goes on, the last error is that of the output. */
  return cli_fail("cannot write to the standard output: %s",
                  strerror(failed_now ? errno : error_before));
}
