/* SPDX-License-Identifier: MIT
 *
 * Parsing of command lines, the help, and messages.
 */
#include "options/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Messages ---- */

void cli_begin_message(const struct cli_command *command) {
  fprintf(stderr, "perlane%s%s: ", command ? " " : "", command ? command->name : "");
}

int cli_end_refusal(const struct cli_command *command) {
  fprintf(stderr, "\ntry 'perlane%s%s --help'\n", command ? " " : "", command ? command->name : "");
  return CLI_USAGE;
}

/* ---- Values ---- */

int cli_parse_value(const struct cli_option *option, const char *text, void *values) {
  void *value = (char *)values + option->offset;
  if (option->kind == &CLI_FLAG) {
    *(int *)value = option->flag;
    return 1;
  }
  if (!option->kind->names)
    return option->kind->parse(text, value);
  for (const struct cli_name *name = option->kind->names; name->name; name++)
    if (strcmp(name->name, text) == 0) {
      *(int *)value = name->value;
      return 1;
    }
  return 0;
}

void cli_print_value(FILE *stream, const struct cli_option *option, const void *values) {
  const void *value = (const char *)values + option->offset;
  if (option->kind == &CLI_FLAG)
    fputs(*(const int *)value == option->flag ? "on" : "off", stream);
  else if (option->kind->names)
    fputs(cli_name_of(option->kind->names, *(const int *)value), stream);
  else
    option->kind->print(stream, value);
}

/* Name number index of all that a kind has, or NULL. */
static const char *listed(const struct cli_kind *kind, int index) {
  if (kind->names)
    return kind->names[index].name;
  return kind->list ? kind->list(index) : NULL;
}

static void print_list(FILE *stream, const struct cli_kind *kind, const char *between) {
  const char *name;
  for (int i = 0; (name = listed(kind, i)) != NULL; i++)
    fprintf(stream, "%s%s", i ? between : "", name);
}

void cli_print_wrong(FILE *stream, const struct cli_option *option) {
  fprintf(stream, "%s; expected %s", option->kind->wrong, option->kind->expected);
  print_list(stream, option->kind, ", ");
}

/* ---- Command lines ---- */

int cli_is_given(const struct cli_group *group, size_t option) {
  return (group->given >> option & 1) != 0;
}

static size_t options_of(const struct cli_group *groups, size_t count) {
  size_t sum = 0;
  for (size_t g = 0; g < count; g++)
    sum += groups[g].count;
  return sum;
}

static int refuse_value(const struct cli_command *command, const struct cli_option *option,
                        const char *text) {
  cli_begin_message(command);
  fprintf(stderr, "--%s '%s': ", option->name, text);
  cli_print_wrong(stderr, option);
  return cli_end_refusal(command);
}

enum { HELP = 'h', FIRST_LONG = 256 }; /* getopt's values: long options' are above every letter */

/* What getopt_long does not accept. It says no more than that, so look again. */
static void refuse_unknown(const struct cli_command *command, const struct option *longs,
                           const char *argument) {
  const int takes_no_value = optopt == HELP || optopt >= FIRST_LONG;
  if (optopt != 0 && !takes_no_value) {
    cli_refuse(command, "unknown option '-%c'", optopt);
    return;
  }
  const size_t length = strcspn(argument + 2, "=");
  size_t matches = 0;
  for (const struct option *option = longs; option->name; option++)
    matches += strncmp(option->name, argument + 2, length) == 0;
  if (takes_no_value || matches == 0) {
    cli_refuse(command, "'%s': %s", argument,
               takes_no_value ? "it takes no value" : "unknown option");
    return;
  }
  cli_begin_message(command);
  fprintf(stderr, "'%s': it could be one of several options:", argument);
  for (const struct option *option = longs; option->name; option++)
    if (strncmp(option->name, argument + 2, length) == 0)
      fprintf(stderr, " --%s", option->name);
  cli_end_refusal(command);
}

static void refuse_missing(const struct cli_command *command, const struct cli_option *option,
                           const char *argument) {
  if (option->kind->expected)
    cli_refuse(command, "%s: its value %s is missing; expected %s%s", argument, option->placeholder,
               option->kind->expected, listed(option->kind, 0) ? "the names in the help" : "");
  else
    cli_refuse(command, "%s: its value %s is missing", argument, option->placeholder);
}

/* getopt's tables for the groups' options: value FIRST_LONG + n for option n of them all. */
static void describe(const struct cli_group *groups, size_t count, struct option *longs,
                     char *letters) {
  size_t n = 0, m = 0;
  letters[m++] = ':'; /* no messages of getopt's own */
  letters[m++] = (char)HELP;
  for (size_t g = 0; g < count; g++)
    for (size_t i = 0; i < groups[g].count; i++) {
      const struct cli_option *option = &groups[g].option[i];
      longs[n].name = option->name;
      longs[n].has_arg = option->placeholder           ? required_argument
                         : option->kind == &CLI_SWITCH ? optional_argument
                                                       : no_argument;
      longs[n].val = FIRST_LONG + (int)n;
      n++;
      if (option->letter) {
        letters[m++] = option->letter;
        if (option->placeholder)
          letters[m++] = ':';
      }
    }
  longs[n].name = "help";
  longs[n].val = HELP;
}

/* Passes through the command line: each sets the values of some options. */
enum pass { PASS_LOADS, PASS_FIRST, PASS_OTHERS, PASS_COUNT };

static enum pass pass_of(const struct cli_option *option) {
  return option->loads ? PASS_LOADS : option->first ? PASS_FIRST : PASS_OTHERS;
}

static enum cli_parsed parse_pass(const struct cli_command *command, int argc, char **argv,
                                  struct cli_group *groups, size_t count,
                                  const struct option *longs, const char *letters, enum pass pass) {
  optind = 0; /* which makes getopt begin again */
  for (;;) {
    const int found = getopt_long(argc, argv, letters, longs, NULL);
    if (found == -1)
      return CLI_PARSED;
    if (found == HELP)
      return CLI_WANTS_HELP;
    if (found == '?') {
      refuse_unknown(command, longs, argv[optind - 1]);
      return CLI_WRONG;
    }
    const int wanted = found == ':' ? optopt : found;
    int number = FIRST_LONG;
    for (size_t g = 0; g < count; g++)
      for (size_t i = 0; i < groups[g].count; i++, number++) {
        const struct cli_option *option = &groups[g].option[i];
        if (wanted != number && wanted != option->letter)
          continue;
        if (found == ':') {
          refuse_missing(command, option, argv[optind - 1]);
          return CLI_WRONG;
        }
        if (pass_of(option) != pass)
          continue;
        if (!cli_parse_value(option, optarg, groups[g].values)) {
          refuse_value(command, option, optarg);
          return CLI_WRONG;
        }
        groups[g].given |= UINT64_C(1) << i;
      }
  }
}

static enum cli_parsed load(const struct cli_command *command, struct cli_group *groups,
                            size_t count) {
  for (size_t g = 0; g < count; g++) {
    const int status =
        groups[g].load ? groups[g].load(command, groups, count, groups[g].values) : 0;
    if (status != 0)
      return status == CLI_USAGE ? CLI_WRONG : CLI_FAILED;
  }
  return CLI_PARSED;
}

static void unload(struct cli_group *groups, size_t count) {
  for (size_t g = 0; g < count; g++)
    if (groups[g].unload)
      groups[g].unload(groups[g].values);
}

enum cli_parsed cli_parse(const struct cli_command *command, int argc, char **argv,
                          struct cli_group *groups, size_t count) {
  const size_t options = options_of(groups, count);
  struct option *longs = calloc(options + 2, sizeof *longs);
  char *letters = calloc(2 * options + 3, 1);
  enum cli_parsed parsed = CLI_FAILED;
  if (longs && letters) {
    describe(groups, count, longs, letters);
    parsed = CLI_PARSED;
    for (int pass = 0; pass < PASS_COUNT && parsed == CLI_PARSED; pass++) {
      parsed = parse_pass(command, argc, argv, groups, count, longs, letters, (enum pass)pass);
      if (parsed == CLI_PARSED && pass == PASS_LOADS)
        parsed = load(command, groups, count);
    }
    if (parsed == CLI_PARSED && optind < argc) {
      cli_refuse(command, "'%s' is one argument too many; options begin with --", argv[optind]);
      parsed = CLI_WRONG;
    }
  } else {
    cli_fail(command, "%s", strerror(ENOMEM));
  }
  if (parsed != CLI_PARSED)
    unload(groups, count);
  free(longs);
  free(letters);
  return parsed;
}

/* ---- Help ---- */

enum { HELP_COLUMN = 30, HELP_WIDTH = 80 };

static const struct cli_option HELP_OPTION = {
    .name = "help",
    .letter = 'h',
    .help = "print this",
};

/* Prints words from the help's column on, with the breaks that the text has and those it needs. A
 * starting value stays in one piece. */
static void print_wrapped(const char *text) {
  size_t column = HELP_COLUMN;
  while (*text) {
    const size_t length =
        strncmp(text, "(default: ", 10) == 0 ? strlen(text) : strcspn(text, " \n");
    if (column + length > HELP_WIDTH && column > HELP_COLUMN) {
      printf("\n%*s", HELP_COLUMN, "");
      column = HELP_COLUMN;
    } else if (column > HELP_COLUMN) {
      putchar(' ');
    }
    printf("%.*s", (int)length, text);
    column += length + 1;
    text += length;
    if (*text == '\n')
      column = HELP_WIDTH;
    text += *text != '\0';
  }
  putchar('\n');
}

/* The help of an option, with the names that it takes and its starting value; NULL without memory
 * for it. */
static char *explain(const struct cli_option *option, const void *values) {
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  fputs(option->help, stream);
  if (option->kind && listed(option->kind, 0)) {
    fputs(":\n", stream);
    print_list(stream, option->kind, ", ");
  }
  if (option->kind && !option->required) {
    fputs(" (default: ", stream);
    cli_print_value(stream, option, values);
    fputc(')', stream);
  }
  if (fclose(stream) == 0)
    return text;
  free(text);
  return NULL;
}

/* 0 without memory. */
static int print_option(const struct cli_option *option, const void *values) {
  char *text = explain(option, values);
  if (!text)
    return 0;
  const int width =
      printf("  %c%c%s --%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
             option->letter ? "," : " ", option->name, option->placeholder ? " " : "",
             option->placeholder ? option->placeholder : "");
  if (width > HELP_COLUMN - 2)
    printf("\n%*s", HELP_COLUMN, "");
  else
    printf("%*s", HELP_COLUMN - width, "");
  print_wrapped(text);
  free(text);
  return 1;
}

/* ---- The same for programs ---- */

static int help_is_table;

void cli_help_as_table(int as_table) {
  help_is_table = as_table;
}

static void print_values(const struct cli_option *option) {
  if (!option->kind || option->kind == &CLI_FLAG || option->kind == &CLI_SWITCH) {
    putchar('-');
  } else if (option->kind == &CLI_TEXT) {
    fputs("file", stdout);
  } else if (listed(option->kind, 0)) {
    fputs("names ", stdout);
    print_list(stdout, option->kind, " ");
  } else {
    fputs("text", stdout);
  }
}

static void print_row(const struct cli_option *option, const void *values) {
  printf("option\t%s\t%c\t%s\t", option->name, option->letter ? option->letter : '-',
         option->placeholder ? option->placeholder : "-");
  print_values(option);
  putchar('\t');
  if (option->kind && !option->required)
    cli_print_value(stdout, option, values);
  else
    putchar('-');
  printf("\t%s\n", option->help);
}

static void print_table(const struct cli_group *groups, size_t count) {
  for (size_t g = 0; g < count; g++) {
    printf("group\t%s\n", groups[g].title);
    for (size_t i = 0; i < groups[g].count; i++)
      print_row(&groups[g].option[i], groups[g].values);
  }
  puts("group\t-");
  print_row(&HELP_OPTION, NULL);
}

int cli_help(const struct cli_command *command, const struct cli_group *groups, size_t count) {
  int complete = 1;
  if (help_is_table) {
    print_table(groups, count);
    return cli_finish_stdout(command);
  }
  printf("Usage: perlane %s %s\n\n%s\n", command->name, command->synopsis, command->about);
  for (size_t g = 0; g < count; g++) {
    printf("\n%s:\n", groups[g].title);
    for (size_t i = 0; i < groups[g].count; i++)
      complete &= print_option(&groups[g].option[i], groups[g].values);
  }
  putchar('\n');
  complete &= print_option(&HELP_OPTION, NULL);
  printf("\nExamples:\n%s", command->examples);
  const int status = cli_finish_stdout(command);
  return complete ? status : cli_fail(command, "%s", strerror(ENOMEM));
}
