/* SPDX-License-Identifier: MIT
 *
 * From an expression's text to its program (docs/specification.md, 5).
 */
#include "../strict.h"

#include <string.h>

#include "../decimal.h"
#include "../field.h"
#include "../kernels.h"
#include "../options.h"
#include "parse.h"

enum { MAX_NESTING = 32 };

static const struct function {
  const char *name, *usage;
  int operation, arguments;
} FUNCTIONS[] = {
    {"abs", "abs(A)", PERLANE_ABS, 1},
    {"sqrt", "sqrt(A)", PERLANE_SQRT, 1},
    {"floor", "floor(A)", PERLANE_FLOOR, 1},
    {"min", "min(A, B)", PERLANE_MIN, 2},
    {"max", "max(A, B)", PERLANE_MAX, 2},
    {"step", "step(EDGE, A)", PERLANE_STEP, 2},
    {"smooth_min", "smooth_min(A, B, K)", PERLANE_SMOOTH_MIN, 3},
    {"smooth_max", "smooth_max(A, B, K)", PERLANE_SMOOTH_MAX, 3},
    {"mix", "mix(A, B, T)", PERLANE_MIX, 3},
    {"clamp", "clamp(A, LOW, HIGH)", PERLANE_CLAMP, 3},
    {"smooth", "smooth(LOW, HIGH, A)", PERLANE_SMOOTH, 3},
    {"at", "at(X, Y, FIELD)", PERLANE_FIELD_AT, 0},
};

/* A text that is being read. Functions that return 0 have refused it. */
struct reader {
  const char *text, *next;
  const struct perlane_names *names;
  perlane_expression *program;
  int depth, nesting;
  struct perlane_text *problem;
};

/* ---- Words ---- */

static int is_decimal_digit(char c) {
  return c >= '0' && c <= '9';
}

static int is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Returns the length of the name at the beginning of a text of `most` bytes. */
static size_t name_length(const char *text, size_t most) {
  size_t length = 0;
  while (length < most &&
         (is_letter(text[length]) || (length > 0 && is_decimal_digit(text[length]))))
    length++;
  return length;
}

static int is_word(const char *text, size_t length, const char *word) {
  return length == strlen(word) && memcmp(text, word, length) == 0;
}

static const struct function *find_function(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++)
    if (is_word(text, length, FUNCTIONS[i].name))
      return &FUNCTIONS[i];
  return NULL;
}

/* Returns the axis of a coordinate, or -1. */
static int find_coordinate(const char *text, size_t length) {
  int axis = length == 1 ? PERLANE_MAX_DIMS - 1 : -1;
  while (axis >= 0 && *text != "xyzw"[axis])
    axis--;
  return axis;
}

/* Skips white space and comments. */
static const char *skip_blanks(const char *text) {
  for (;; text++) {
    if (*text == '#')
      while (text[1] != '\0' && *text != '\n')
        text++;
    else if (!perlane_text_is_space(*text))
      return text;
  }
}

/* Moves to the next word, and returns its first character. */
static char peek(struct reader *reader) {
  return *(reader->next = skip_blanks(reader->next));
}

/* Skips a character, if it comes next. */
static int take_mark(struct reader *reader, char c) {
  const int is_next = peek(reader) == c;
  reader->next += is_next;
  return is_next;
}

/* Refuses the next word, where something else was expected. */
static int refuse_word(struct reader *reader, const char *expected) {
  const char c = peek(reader);
  size_t length = name_length(reader->next, strlen(reader->next));
  if (length == 0 && c != '\0') /* a whole character of UTF-8 */
    for (length = 1; (reader->next[length] & 0xC0) == 0x80;)
      length++;
  perlane_text_print(reader->problem, "expected %s, not ", expected);
  if (c == '\0')
    perlane_text_print(reader->problem, "the end of the expression");
  else
    perlane_text_quote(reader->problem, reader->next, length);
  if (c != '\0')
    perlane_text_print(reader->problem, " (character %d)", (int)(reader->next - reader->text) + 1);
  return 0;
}

static int expect(struct reader *reader, char c, const char *expected) {
  return take_mark(reader, c) || refuse_word(reader, expected);
}

/* ---- The program ---- */

/* Adds a step that pops so many results and pushes one. An operation on numbers becomes a number.
 */
static int push(struct reader *reader, int operation, int32_t operand, float number, int pops) {
  perlane_expression *program = reader->program;
  struct perlane_expression_step step = {operation, operand, number};
  float numbers[3] = {0, 0, 0};
  int are_numbers = operation > PERLANE_FIELD_AT;
  for (int i = 0; i < pops && are_numbers; i++) {
    const struct perlane_expression_step *from = &program->step[program->count - pops + i];
    are_numbers = from->operation == PERLANE_NUMBER;
    numbers[i] = from->number;
  }
  if (are_numbers) {
    step.number = perlane_scalar_operation(&step, numbers);
    step.operation = PERLANE_NUMBER;
    program->count -= pops;
  }
  if (program->count == PERLANE_MAX_EXPRESSION_STEPS) {
    perlane_text_print(reader->problem,
                       "an expression has at most %d names, numbers and operations",
                       PERLANE_MAX_EXPRESSION_STEPS);
    return 0;
  }
  reader->depth += 1 - pops;
  if (reader->depth > PERLANE_MAX_EXPRESSION_DEPTH) {
    perlane_text_print(reader->problem,
                       "more than %d results would wait for an operation (character %d)",
                       PERLANE_MAX_EXPRESSION_DEPTH, (int)(reader->next - reader->text) + 1);
    return 0;
  }
  program->step[program->count++] = step;
  return 1;
}

/* Returns the name's index, or -1. */
static int find_name(const struct perlane_names *names, const char *text, size_t length) {
  int i = names->count - 1;
  while (i >= 0 && (names->name[i].length != length || memcmp(names->name[i].text, text, length)))
    i--;
  return i;
}

/* Returns the number of a name's field in the program, which has each field once. */
static int field_number(perlane_expression *program, const struct perlane_names *names, int name) {
  const perlane_noise *field = names->name[name].field;
  int i = 0;
  while (i < program->field_count && program->field[i] != field)
    i++;
  if (i == program->field_count)
    program->field[program->field_count++] = field;
  return i;
}

/* ---- The grammar ---- */

enum { SUM, PRODUCT, UNARY };

static int read_level(struct reader *reader, int level);

/* Adds a sum or a difference; with a product that is one of its operands, as one step. */
static int push_sum(struct reader *reader, int operation) {
  struct perlane_expression_step *step = reader->program->step;
  const int last = reader->program->count - 1, is_difference = operation == PERLANE_SUBTRACT;
  if (step[last].operation == PERLANE_MULTIPLY) {
    step[last].operation = PERLANE_ADD_PRODUCT + is_difference;
  } else if (step[last - 1].operation == PERLANE_MULTIPLY &&
             step[last].operation <= PERLANE_FIELD) {
    step[last - 1] = step[last];
    step[last] = (struct perlane_expression_step){PERLANE_PRODUCT_ADD + is_difference, 0, 0};
  } else {
    return push(reader, operation, 0, 0, 2);
  }
  reader->depth--;
  return 1;
}

/* Reads the rest of a sum or a product, whose first operand has been read. */
static int read_rest(struct reader *reader, int level) {
  for (;;) {
    const char c = peek(reader);
    const int operation = level == SUM ? (c == '+'   ? PERLANE_ADD
                                          : c == '-' ? PERLANE_SUBTRACT
                                                     : 0)
                                       : (c == '*'   ? PERLANE_MULTIPLY
                                          : c == '/' ? PERLANE_DIVIDE
                                                     : 0);
    if (operation == 0)
      return 1;
    reader->next++;
    if (!read_level(reader, level + 1) ||
        !(level == SUM ? push_sum(reader, operation) : push(reader, operation, 0, 0, 2)))
      return 0;
  }
}

static int read_number(struct reader *reader) {
  const char *text = reader->next;
  size_t length = 0;
  while (is_letter(text[length]) || is_decimal_digit(text[length]) || text[length] == '.' ||
         ((text[length] == '-' || text[length] == '+') && (text[length - 1] | 0x20) == 'e'))
    length++;
  double value;
  if (!perlane_decimal_parse(text, length, &value) || value > (double)FLT_MAX) {
    perlane_text_print(reader->problem, "expected a number that a float can hold, not ");
    perlane_text_quote(reader->problem, text, length);
    perlane_text_print(reader->problem, " (character %d)", (int)(text - reader->text) + 1);
    return 0;
  }
  reader->next += length;
  return push(reader, PERLANE_NUMBER, 0, (float)value, 0);
}

/* Reads an argument of at() that is not the last. Adds it to *place. */
static int read_place_argument(struct reader *reader, int argument, int32_t *place) {
  const char *const text = reader->next;
  const size_t length = name_length(text, strlen(text));
  const int axis = find_coordinate(text, length);
  const char *const after = skip_blanks(text + length);
  int pops = 1;
  if (axis >= 0 && (*after == '+' || *after == '-' || *after == ',')) {
    reader->next = after;
    pops = *after != ',';
    reader->next += pops;
    if (pops &&
        (!read_level(reader, PRODUCT) ||
         (*after == '-' && !push(reader, PERLANE_NEGATE, 0, 0, 1)) || !read_rest(reader, SUM)))
      return 0;
    *place |= perlane_place_argument(argument, axis, pops);
  } else {
    if (!read_level(reader, SUM))
      return 0;
    *place |= perlane_place_argument(argument, -1, 1);
  }
  return expect(reader, ',', "',' or an operator, for at() ends with the name of a field");
}

/* Reads the arguments of at(), up to the field. */
static int read_place(struct reader *reader) {
  const int depth = reader->depth;
  int32_t place = 0;
  for (int argument = 0;; argument++) {
    peek(reader);
    const size_t length = name_length(reader->next, strlen(reader->next));
    const int name = find_name(reader->names, reader->next, length);
    const int is_last = name >= 0 && *skip_blanks(reader->next + length) == ')';
    if ((argument > 0 && is_last) || argument == PERLANE_MAX_DIMS) {
      if (name < 0)
        return refuse_word(reader, "the name of a field after 4 coordinates");
      reader->next += length;
      place |= argument << 4 | field_number(reader->program, reader->names, name);
      return expect(reader, ')', "')'") &&
             push(reader, PERLANE_FIELD_AT, place, 0, reader->depth - depth);
    }
    if (!read_place_argument(reader, argument, &place))
      return 0;
  }
}

/* Reads the arguments of another function. */
static int read_arguments(struct reader *reader, const struct function *function) {
  for (int i = 1; i <= function->arguments; i++) {
    const int is_last = i == function->arguments;
    if (!read_level(reader, SUM) || !expect(reader, is_last ? ')' : ',', function->usage))
      return 0;
  }
  if (function->operation != PERLANE_SMOOTH_MIN && function->operation != PERLANE_SMOOTH_MAX)
    return push(reader, function->operation, 0, 0, function->arguments);
  const struct perlane_expression_step *k = &reader->program->step[reader->program->count - 1];
  if (k->operation != PERLANE_NUMBER || !(k->number > 0 && k->number <= FLT_MAX)) {
    perlane_text_print(reader->problem, "K of %s must be a number above 0", function->usage);
    return 0;
  }
  reader->program->count--;
  reader->depth--;
  return push(reader, function->operation, 0, k->number, 2);
}

static int read_name(struct reader *reader) {
  const char *const text = reader->next;
  const size_t length = name_length(text, strlen(text));
  const struct function *function = find_function(text, length);
  const int axis = find_coordinate(text, length), name = find_name(reader->names, text, length);
  if (!function && axis < 0 && name < 0) {
    perlane_text_print(reader->problem, "no field is called ");
    perlane_text_quote(reader->problem, text, length);
    return 0;
  }
  reader->next += length;
  if (function) {
    if (!expect(reader, '(', function->usage))
      return 0;
    return function->operation == PERLANE_FIELD_AT ? read_place(reader)
                                                   : read_arguments(reader, function);
  }
  return axis >= 0 ? push(reader, PERLANE_COORDINATE, axis, 0, 0)
                   : push(reader, PERLANE_FIELD, field_number(reader->program, reader->names, name),
                          0, 0);
}

static int read_operand(struct reader *reader) {
  const char c = peek(reader);
  if (is_decimal_digit(c) || c == '.')
    return read_number(reader);
  if (is_letter(c))
    return read_name(reader);
  return expect(reader, '(', "a number, a name or '('") && read_level(reader, SUM) &&
         expect(reader, ')', "')' or an operator");
}

/* Reads a sum, a product or an operand with its signs. */
static int read_level(struct reader *reader, int level) {
  if (level < UNARY)
    return read_level(reader, level + 1) && read_rest(reader, level);
  int is_negative = 0;
  while (take_mark(reader, '-'))
    is_negative = !is_negative;
  if (reader->nesting++ == MAX_NESTING) {
    perlane_text_print(reader->problem, "parentheses are more than %d deep (character %d)",
                       MAX_NESTING, (int)(reader->next - reader->text) + 1);
    return 0;
  }
  const int is_read =
      read_operand(reader) && (!is_negative || push(reader, PERLANE_NEGATE, 0, 0, 1));
  reader->nesting--;
  return is_read;
}

/* ---- Texts ---- */

perlane_status perlane_names_add(struct perlane_names *names, const char *text, size_t length,
                                 const perlane_noise *field, struct perlane_text *problem) {
  const char *wrong = NULL;
  if (length == 0 || name_length(text, length) != length)
    wrong = "a name has letters, digits and '_', and no digit first, unlike ";
  else if (find_function(text, length) || find_coordinate(text, length) >= 0)
    wrong = "a field cannot have the name of a function or a coordinate, ";
  else if (find_name(names, text, length) >= 0)
    wrong = "more than one field is called ";
  if (wrong) {
    perlane_text_print(problem, "%s", wrong);
    perlane_text_quote(problem, text, length);
    return PERLANE_ERROR_SYNTAX;
  }
  names->name[names->count].text = text;
  names->name[names->count].length = length;
  names->name[names->count++].field = field;
  return PERLANE_OK;
}

/* Makes the field of a definition, from its options. */
static perlane_status define(perlane_noise *field, const char *options, size_t length,
                             struct perlane_text *problem) {
  perlane_params params = perlane_params_default();
  const perlane_status status = perlane_options_parse(&params, options, length, NULL, problem);
  return status == PERLANE_OK ? perlane_field_make(field, &params, problem) : status;
}

perlane_status perlane_definitions_parse(const char **text, struct perlane_names *names,
                                         perlane_noise *fields, int room,
                                         struct perlane_text *problem) {
  for (;;) {
    while (*(*text = skip_blanks(*text)) == ';')
      ++*text;
    const char *const name = *text;
    size_t end = 0, equals = SIZE_MAX;
    for (; name[end] != '\0' && name[end] != ';' && name[end] != '\n' && name[end] != '#'; end++)
      equals = equals == SIZE_MAX && name[end] == '=' ? end : equals;
    if (equals == SIZE_MAX)
      return PERLANE_OK;
    if (names->count == room)
      return PERLANE_REFUSE(PERLANE_ERROR_COUNT, problem, "more than %d fields are defined", room);
    size_t length = equals;
    while (length > 0 && perlane_text_is_space(name[length - 1]))
      length--;
    perlane_noise *field = fields ? &fields[names->count] : NULL;
    perlane_status status = perlane_names_add(names, name, length, field, problem);
    if (status == PERLANE_OK)
      status = define(field, name + equals + 1, end - equals - 1, problem);
    if (status != PERLANE_OK)
      return status;
    *text = name + end;
  }
}

perlane_status perlane_expression_parse(const char *text, const char *begin,
                                        const struct perlane_names *names,
                                        perlane_expression *expression,
                                        struct perlane_text *problem) {
  struct reader reader = {
      .text = text, .next = begin, .names = names, .program = expression, .problem = problem};
  memset(expression, 0, sizeof *expression);
  if (!read_level(&reader, SUM))
    return PERLANE_ERROR_SYNTAX;
  while (take_mark(&reader, ';'))
    continue;
  if (peek(&reader) != '\0' && !refuse_word(&reader, "an operator or the end"))
    return PERLANE_ERROR_SYNTAX;
  return PERLANE_OK;
}
