/* SPDX-License-Identifier: MIT
 *
 * Parsing of numbers and of command lines, the help, and the options that describe a field.
 */
#include "options.h"

#include <errno.h>
#include <float.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Messages ---- */

static void begin_message(const struct cli_command *command) {
  fprintf(stderr, "perlane%s%s: ", command ? " " : "", command ? command->name : "");
}

static int end_refusal(const struct cli_command *command) {
  fprintf(stderr, "\ntry 'perlane%s%s --help'\n", command ? " " : "", command ? command->name : "");
  return CLI_USAGE;
}

int cli_fail(const struct cli_command *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin_message(command);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return CLI_FAILURE;
}

int cli_refuse(const struct cli_command *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin_message(command);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  return end_refusal(command);
}

int cli_finish_stdout(const struct cli_command *command) {
  const int failed_before = ferror(stdout);
  if (fflush(stdout) != 0)
    return cli_fail(command, "cannot write to the standard output: %s", strerror(errno));
  if (failed_before)
    return cli_fail(command, "cannot write to the standard output");
  return 0;
}

/* ---- Numbers ---- */

const char *cli_scan_double(const char *text, double *value) {
  if (strchr(" \t\n\v\f\r", *text)) /* strtod would pass over these; '\0' is found too */
    return NULL;
  char *end;
  *value = strtod(text, &end);
  return end == text ? NULL : end;
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 16;
}

/* strtoull would take "-1" and " 1". */
static const char *scan_digits(const char *text, int base, uint64_t *value) {
  const char *p = text;
  uint64_t sum = 0;
  for (; digit_of(*p) < base; p++) {
    const uint64_t digit = (uint64_t)digit_of(*p);
    if (sum > (UINT64_MAX - digit) / (uint64_t)base)
      return NULL;
    sum = sum * (uint64_t)base + digit;
  }
  *value = sum;
  return p == text ? NULL : p;
}

const char *cli_scan_decimal(const char *text, uint64_t *value) {
  return scan_digits(text, 10, value);
}

const char *cli_scan_i64(const char *text, int64_t *value) {
  const int negative = *text == '-';
  uint64_t magnitude;
  const char *end = cli_scan_decimal(text + negative, &magnitude);
  if (!end || magnitude > (uint64_t)INT64_MAX + (uint64_t)negative)
    return NULL;
  if (!negative)
    *value = (int64_t)magnitude;
  else
    *value = magnitude == 0 ? 0 : -(int64_t)(magnitude - 1) - 1; /* INT64_MIN has no opposite */
  return end;
}

void cli_print_double(FILE *stream, double value) {
  char text[40];
  for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  fputs(text, stream);
}

/* ---- Kinds of values ---- */

static int parse_u64(const char *text, void *value) {
  const int hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *end = scan_digits(text + (hexadecimal ? 2 : 0), hexadecimal ? 16 : 10, value);
  return end && *end == '\0';
}

static void print_u64(FILE *stream, const void *value) {
  fprintf(stream, "%" PRIu64, *(const uint64_t *)value);
}

static int parse_int32(const char *text, void *value) {
  int64_t wide;
  const char *end = cli_scan_i64(text, &wide);
  if (!end || *end != '\0' || wide < INT32_MIN || wide > INT32_MAX)
    return 0;
  *(int32_t *)value = (int32_t)wide;
  return 1;
}

static void print_int32(FILE *stream, const void *value) {
  fprintf(stream, "%" PRId32, *(const int32_t *)value);
}

/* "inf" and "nan" are numbers here: whether a field can have them is the library's to say. */
static int parse_double(const char *text, void *value) {
  errno = 0;
  const char *end = cli_scan_double(text, value);
  return end && *end == '\0' && !(errno == ERANGE && isinf(*(double *)value));
}

static void print_double(FILE *stream, const void *value) {
  cli_print_double(stream, *(const double *)value);
}

static int parse_flag(const char *text, void *value) {
  (void)text;
  *(int *)value = 1;
  return 1;
}

static void print_flag(FILE *stream, const void *value) {
  fputs(*(const int *)value ? "on" : "off", stream);
}

static int parse_isa(const char *text, void *value) {
  const perlane_isa isa = perlane_isa_from_name(text);
  if (isa == PERLANE_ISA_COUNT)
    return 0;
  *(perlane_isa *)value = isa;
  return 1;
}

static void print_isa(FILE *stream, const void *value) {
  fputs(perlane_isa_name(*(const perlane_isa *)value), stream);
}

static void list_isas(FILE *stream) {
  for (int isa = 0; isa < PERLANE_ISA_COUNT; isa++)
    fprintf(stream, "%s%s", isa ? ", " : "", perlane_isa_name((perlane_isa)isa));
}

const struct cli_kind CLI_U64 = {
    .wrong = "not such a number",
    .expected = "a whole number from 0 to 18446744073709551615, decimal or 0x hexadecimal",
    .parse = parse_u64,
    .print = print_u64,
};
const struct cli_kind CLI_INT32 = {
    .wrong = "not such a number",
    .expected = "a whole number",
    .parse = parse_int32,
    .print = print_int32,
};
const struct cli_kind CLI_DOUBLE = {
    .wrong = "not a number",
    .expected = "a number such as 0.5, 1e-3 or 0x1p-4, within the range of double",
    .parse = parse_double,
    .print = print_double,
};
const struct cli_kind CLI_FLAG = {
    .parse = parse_flag,
    .print = print_flag,
};
const struct cli_kind CLI_ISA = {
    .wrong = "unknown instruction set",
    .expected = "one of ",
    .parse = parse_isa,
    .print = print_isa,
    .list = list_isas,
};

/* ---- Command lines ---- */

static size_t options_of(const struct cli_group *groups, size_t count) {
  size_t sum = 0;
  for (size_t g = 0; g < count; g++)
    sum += groups[g].count;
  return sum;
}

static int refuse_value(const struct cli_command *command, const struct cli_option *option,
                        const char *text) {
  begin_message(command);
  fprintf(stderr, "--%s '%s': %s; expected %s", option->name, text, option->kind->wrong,
          option->kind->expected);
  if (option->kind->list)
    option->kind->list(stderr);
  return end_refusal(command);
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
  const char *problem = takes_no_value ? "it takes no value"
                        : matches == 0 ? "unknown option"
                                       : "it could be one of several options";
  cli_refuse(command, "'%s': %s", argument, problem);
}

static void refuse_missing(const struct cli_command *command, const struct cli_option *option,
                           const char *argument) {
  if (option->kind->expected)
    cli_refuse(command, "%s: its value %s is missing; expected %s%s", argument, option->placeholder,
               option->kind->expected, option->kind->list ? "the names in the help" : "");
  else
    cli_refuse(command, "%s: its value %s is missing", argument, option->placeholder);
}

static enum cli_parsed parse_with(const struct cli_command *command, int argc, char **argv,
                                  struct cli_group *groups, size_t count, struct option *longs,
                                  char *letters) {
  size_t n = 0, m = 0;
  letters[m++] = ':'; /* no messages of getopt's own */
  letters[m++] = (char)HELP;
  for (size_t g = 0; g < count; g++)
    for (size_t i = 0; i < groups[g].count; i++) {
      const struct cli_option *option = &groups[g].option[i];
      longs[n].name = option->name;
      longs[n].has_arg = option->placeholder ? required_argument : no_argument;
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

  for (;;) {
    const int found = getopt_long(argc, argv, letters, longs, NULL);
    if (found == -1)
      break;
    if (found == HELP)
      return CLI_WANTS_HELP;
    if (found == '?') {
      refuse_unknown(command, longs, argv[optind - 1]);
      return CLI_WRONG;
    }
    const int wanted = found == ':' ? optopt : found;
    int value = FIRST_LONG;
    for (size_t g = 0; g < count; g++)
      for (size_t i = 0; i < groups[g].count; i++, value++) {
        const struct cli_option *option = &groups[g].option[i];
        if (wanted != value && wanted != option->letter)
          continue;
        if (found == ':') {
          refuse_missing(command, option, argv[optind - 1]);
          return CLI_WRONG;
        }
        if (!option->kind->parse(optarg, (char *)groups[g].values + option->offset)) {
          refuse_value(command, option, optarg);
          return CLI_WRONG;
        }
        groups[g].given |= UINT64_C(1) << i;
      }
  }
  if (optind < argc) {
    cli_refuse(command, "'%s' is one argument too many; options begin with --", argv[optind]);
    return CLI_WRONG;
  }
  return CLI_PARSED;
}

enum cli_parsed cli_parse(const struct cli_command *command, int argc, char **argv,
                          struct cli_group *groups, size_t count) {
  const size_t options = options_of(groups, count);
  struct option *longs = calloc(options + 2, sizeof *longs);
  char *letters = calloc(2 * options + 3, 1);
  enum cli_parsed parsed = CLI_WRONG;
  if (longs && letters)
    parsed = parse_with(command, argc, argv, groups, count, longs, letters);
  else
    cli_fail(command, "%s", strerror(ENOMEM));
  free(longs);
  free(letters);
  return parsed;
}

/* ---- Help ---- */

enum { HELP_COLUMN = 28 };

static void print_option(const struct cli_option *option, const void *value) {
  char left[80];
  snprintf(left, sizeof left, "  %c%c%s --%s %s", option->letter ? '-' : ' ',
           option->letter ? option->letter : ' ', option->letter ? "," : " ", option->name,
           option->placeholder ? option->placeholder : "");
  printf("%-*s", HELP_COLUMN, left);
  for (const char *p = option->help; *p; p++) {
    putchar(*p);
    if (*p == '\n')
      printf("%*s", HELP_COLUMN, "");
  }
  if (option->kind && option->kind->list)
    option->kind->list(stdout);
  if (option->kind && !option->required) {
    fputs(" (default: ", stdout);
    option->kind->print(stdout, value);
    putchar(')');
  }
  putchar('\n');
}

int cli_help(const struct cli_command *command, const struct cli_group *groups, size_t count) {
  printf("Usage: perlane %s %s\n\n%s\n", command->name, command->synopsis, command->about);
  for (size_t g = 0; g < count; g++) {
    printf("\n%s:\n", groups[g].title);
    for (size_t i = 0; i < groups[g].count; i++) {
      const struct cli_option *option = &groups[g].option[i];
      print_option(option, (const char *)groups[g].values + option->offset);
    }
  }
  printf("\n");
  print_option(&(const struct cli_option){.name = "help", .letter = 'h', .help = "print this"},
               NULL);
  printf("\nExamples:\n%s", command->examples);
  return cli_finish_stdout(command);
}

/* ---- The field's options ---- */

static const struct cli_option FIELD_OPTIONS[] = {
    {
        .name = "seed",
        .placeholder = "N",
        .kind = &CLI_U64,
        .offset = offsetof(struct cli_field, params.seed),
        .help = "which field; neighbouring seeds give unrelated ones",
    },
    {
        .name = "frequency",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.frequency),
        .status = PERLANE_ERROR_FREQUENCY,
        .help = "lattice cells per unit of position in the first octave;\n"
                "features are about 1/F units wide",
    },
    {
        .name = "octaves",
        .placeholder = "N",
        .kind = &CLI_INT32,
        .offset = offsetof(struct cli_field, params.octaves),
        .status = PERLANE_ERROR_OCTAVES,
        .help = "layers of fractal Brownian motion, 1 to 32",
    },
    {
        .name = "lacunarity",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.lacunarity),
        .status = PERLANE_ERROR_LACUNARITY,
        .help = "frequency of each octave over that of the one before",
    },
    {
        .name = "gain",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.gain),
        .status = PERLANE_ERROR_GAIN,
        .help = "amplitude of each octave over that of the one before",
    },
    {
        .name = "persistence",
        .placeholder = "F",
        .kind = &CLI_DOUBLE,
        .offset = offsetof(struct cli_field, params.gain),
        .status = PERLANE_ERROR_GAIN,
        .help = "another name for --gain",
    },
    {
        .name = "octave-seed-step",
        .placeholder = "N",
        .kind = &CLI_U64,
        .offset = offsetof(struct cli_field, params.octave_seed_step),
        .help = "octave k has the seed SEED + k*N; with 0 all octaves\nshare one lattice, and "
                "show it",
    },
    {
        .name = "isa",
        .placeholder = "NAME",
        .kind = &CLI_ISA,
        .offset = offsetof(struct cli_field, isa),
        .status = PERLANE_ERROR_ISA,
        .help = "the kernels to run, which never changes the result:\n",
    },
};

struct cli_field cli_field_default(void) {
  return (struct cli_field){.params = perlane_params_default(), .isa = PERLANE_ISA_AUTO};
}

struct cli_group cli_field_group(struct cli_field *field) {
  return (struct cli_group){
      .title = "The field",
      .option = FIELD_OPTIONS,
      .count = sizeof FIELD_OPTIONS / sizeof FIELD_OPTIONS[0],
      .values = field,
  };
}

/* Names the option that the library found wrong: of two names for one value, the one used. */
static int refuse_status(const struct cli_command *command, const struct cli_group *group,
                         perlane_status status, const char *problem) {
  const struct cli_option *culprit = NULL;
  for (size_t i = 0; i < group->count; i++)
    if (group->option[i].status == status && (!culprit || group->given >> i & 1))
      culprit = &group->option[i];
  begin_message(command);
  if (culprit) {
    fprintf(stderr, "--%s ", culprit->name);
    culprit->kind->print(stderr, (const char *)group->values + culprit->offset);
    fputs(": ", stderr);
  }
  fputs(problem, stderr);
  return end_refusal(command);
}

int cli_field_make(const struct cli_command *command, const struct cli_group *group,
                   perlane_noise *noise) {
  const struct cli_field *field = group->values;
  perlane_status status = perlane_force_isa(field->isa);
  if (status != PERLANE_OK)
    return refuse_status(command, group, status,
                         perlane_isa_built_in(field->isa)
                             ? "this CPU does not support it"
                             : "this build has no kernels for it: it is not supported here");
  status = perlane_init(noise, &field->params);
  if (status != PERLANE_OK)
    return refuse_status(command, group, status, perlane_status_string(status));
  return 0;
}
