/* SPDX-License-Identifier: MIT
 *
 * From an expression's text to its program (docs/specification.md, 5). What is read becomes nodes
 * of a graph, in which equal operations are one node. A node that several others use is evaluated
 * once, before the expression.
 */
#include "../strict.h"

#include <string.h>

#include "../decimal.h"
#include "../field.h"
#include "../kernels.h"
#include "../options.h"
#include "../text.h"
#include "expression.h"

/* Texts with fewer than MAX_NODES different operands and operations can fit into a program, where
 * sums with a product take one step. */
enum { MAX_NESTING = 32, MAX_NODES = 192, MAX_OPERANDS = PERLANE_MAX_DIMS };

/* The functions, as messages show them. */
static const char *const FUNCTIONS[] = {
    [PERLANE_ABS] = "abs(A)",
    [PERLANE_SQRT] = "sqrt(A)",
    [PERLANE_FLOOR] = "floor(A)",
    [PERLANE_MIN] = "min(A, B)",
    [PERLANE_MAX] = "max(A, B)",
    [PERLANE_STEP] = "step(EDGE, A)",
    [PERLANE_SMOOTH_MIN] = "smooth_min(A, B, K)",
    [PERLANE_SMOOTH_MAX] = "smooth_max(A, B, K)",
    [PERLANE_MIX] = "mix(A, B, T)",
    [PERLANE_CLAMP] = "clamp(A, LOW, HIGH)",
    [PERLANE_SMOOTH] = "smooth(LOW, HIGH, A)",
    [PERLANE_SELECT] = "select(A, B, T)",
    [PERLANE_FIELD_AT] = "at(X, Y, FIELD)",
};

const char *perlane_expression_form(int operation) {
  return FUNCTIONS[operation];
}

/* A name that stands for a field, which is NULL if the text is only to be explained. */
struct name {
  const char *text;
  size_t length;
  const perlane_noise *field;
  int number; /* 1 + the number of the field in the program; 0 if it is not used */
};

/* An operand, or an operation with the nodes that it is applied to. */
struct node {
  struct perlane_expression_step step;
  unsigned char operand[MAX_OPERANDS], operands;
  unsigned char kept; /* 1 + the depth at which the program keeps its result; 0: it does not */
  unsigned short uses;
};

/* A text that is being read. Functions that return 0 have refused it. */
struct reader {
  const char *text, *next;
  size_t length; /* of the name at `next`, after peek() */
  struct perlane_text *problem;
  int names, nesting, nodes, depth, deepest;
  struct name name[PERLANE_MAX_EXPRESSION_FIELDS];
  unsigned char stack[PERLANE_MAX_EXPRESSION_DEPTH]; /* nodes that wait for an operation */
  struct node node[MAX_NODES];
  perlane_expression program;
};

/* ---- Words ---- */

static int is_decimal_digit(char c) {
  return c >= '0' && c <= '9';
}

static int is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Returns the length of the name at the beginning of a text. */
static size_t name_length(const char *text) {
  size_t length = 0;
  while (is_letter(text[length]) || (length > 0 && is_decimal_digit(text[length])))
    length++;
  return length;
}

/* Returns the operation of a function's name, or 0. */
static int find_function(const char *text, size_t length) {
  int i = sizeof FUNCTIONS / sizeof *FUNCTIONS - 1;
  while (i > 0 && !(FUNCTIONS[i] && strlen(FUNCTIONS[i]) > length && FUNCTIONS[i][length] == '(' &&
                    memcmp(FUNCTIONS[i], text, length) == 0))
    i--;
  return i;
}

/* Returns the axis of a coordinate, or -1. */
static int find_coordinate(const char *text, size_t length) {
  int axis = length == 1 ? PERLANE_MAX_DIMS - 1 : -1;
  while (axis >= 0 && *text != "xyzw"[axis])
    axis--;
  return axis;
}

/* Returns the name's index, or -1. */
static int find_name(const struct reader *reader, const char *text, size_t length) {
  const struct name *name = reader->name;
  int i = reader->names - 1;
  while (i >= 0 && (name[i].length != length || memcmp(name[i].text, text, length) != 0))
    i--;
  return i;
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
  reader->next = skip_blanks(reader->next);
  reader->length = name_length(reader->next);
  return *reader->next;
}

/* Skips a character, if it comes next. */
static int take_mark(struct reader *reader, char c) {
  const int is_next = peek(reader) == c;
  reader->next += is_next;
  return is_next;
}

/* Returns the number of the next character, as messages count them. */
static int character(const struct reader *reader) {
  return (int)(reader->next - reader->text) + 1;
}

/* Refuses the next word, where something else was expected. */
static int refuse_word(struct reader *reader, const char *expected) {
  size_t length = reader->length;
  perlane_text_print(reader->problem, "expected %s, not ", expected);
  if (*reader->next == '\0')
    return PERLANE_REFUSE(0, reader->problem, "the end of the expression");
  if (length == 0) /* a whole character of UTF-8 */
    for (length = 1; (reader->next[length] & 0xC0) == 0x80;)
      length++;
  perlane_text_quote(reader->problem, reader->next, length);
  return PERLANE_REFUSE(0, reader->problem, " (character %d)", character(reader));
}

static int expect(struct reader *reader, char c, const char *expected) {
  return take_mark(reader, c) || refuse_word(reader, expected);
}

/* ---- Nodes ---- */

static int refuse_size(struct reader *reader) {
  return PERLANE_REFUSE(0, reader->problem,
                        "an expression has at most %d names, numbers and operations",
                        PERLANE_MAX_EXPRESSION_STEPS);
}

/* Returns whether two nodes have the same result. Equal operands are one node, but for numbers. */
static int is_same(const struct node *node, int a, int b) {
  int same = a == b || (memcmp(&node[a].step, &node[b].step, sizeof node->step) == 0 &&
                        node[a].operands == node[b].operands);
  for (int i = 0; i < node[a].operands && same; i++) {
    const int x = node[a].operand[i], y = node[b].operand[i];
    same = x == y || (node[x].operands == 0 && is_same(node, x, y));
  }
  return same;
}

/* Reads a step that pops so many results and pushes one. An operation on numbers becomes a number.
 */
static int push(struct reader *reader, int operation, int32_t operand, float number, int pops) {
  if (reader->nodes == MAX_NODES)
    return refuse_size(reader);
  if (reader->depth - pops == PERLANE_MAX_EXPRESSION_DEPTH)
    return PERLANE_REFUSE(0, reader->problem,
                          "more than %d results would wait for an operation (character %d)",
                          PERLANE_MAX_EXPRESSION_DEPTH, character(reader));
  struct node *node = &reader->node[reader->nodes];
  float numbers[MAX_OPERANDS] = {0};
  int are_numbers = operation > PERLANE_FIELD_AT, same = 0;
  *node = (struct node){.step = {operation, operand, number}, .operands = (unsigned char)pops};
  reader->depth -= pops;
  for (int i = 0; i < pops; i++) {
    node->operand[i] = reader->stack[reader->depth + i];
    numbers[i] = reader->node[node->operand[i]].step.number;
    are_numbers &= reader->node[node->operand[i]].step.operation == PERLANE_NUMBER;
  }
  if (are_numbers) { /* which are the last nodes */
    number = perlane_operation_on_numbers(&node->step, numbers);
    node = &reader->node[reader->nodes -= pops];
    *node = (struct node){.step = {PERLANE_NUMBER, 0, number}};
  }
  if (node->step.operation == PERLANE_NUMBER)
    same = reader->nodes;
  while (!is_same(reader->node, same, reader->nodes))
    same++;
  if (same == reader->nodes) {
    reader->nodes++;
    for (int i = 0; i < node->operands; i++)
      reader->node[node->operand[i]].uses++;
  }
  reader->stack[reader->depth++] = (unsigned char)same;
  reader->deepest = reader->depth > reader->deepest ? reader->depth : reader->deepest;
  return 1;
}

/* Adds the steps of a node to the program. A sum or a difference is one step with a product that is
 * one of its operands. */
static int emit(struct reader *reader, const struct node *node) {
  perlane_expression *const program = &reader->program;
  struct perlane_expression_step step = node->step, *last;
  for (int i = 0; i < node->operands && !node->kept; i++)
    if (!emit(reader, &reader->node[node->operand[i]]))
      return 0;
  if (node->kept)
    step = (struct perlane_expression_step){PERLANE_RESULT, node->kept - 1, 0};
  if (step.operation == PERLANE_ADD || step.operation == PERLANE_SUBTRACT) {
    const int is_difference = step.operation == PERLANE_SUBTRACT;
    last = &program->step[program->count - 1];
    if (last->operation == PERLANE_MULTIPLY) {
      last->operation = PERLANE_ADD_PRODUCT + is_difference;
      return 1;
    }
    if (last[-1].operation == PERLANE_MULTIPLY && last->operation <= PERLANE_RESULT) {
      last[-1] = *last;
      *last = (struct perlane_expression_step){PERLANE_PRODUCT_ADD + is_difference, 0, 0};
      return 1;
    }
  }
  if (program->count == PERLANE_MAX_EXPRESSION_STEPS)
    return refuse_size(reader);
  program->step[program->count++] = step;
  return 1;
}

/* Makes the program of the node that has been read, after those that it uses more than once. */
static int emit_all(struct reader *reader) {
  int kept = 0;
  for (struct node *node = reader->node; node < reader->node + reader->nodes; node++)
    if (node->uses > 1 && node->step.operation >= PERLANE_FIELD_AT &&
        kept + reader->deepest < PERLANE_MAX_EXPRESSION_DEPTH) {
      if (!emit(reader, node))
        return 0;
      node->kept = (unsigned char)++kept;
    }
  return emit(reader, &reader->node[reader->stack[0]]);
}

/* ---- The grammar ---- */

static int read_sum(struct reader *reader, int level);

static int read_number(struct reader *reader) {
  const char *text = reader->next;
  size_t length = 0;
  while (is_letter(text[length]) || is_decimal_digit(text[length]) || text[length] == '.' ||
         ((text[length] == '-' || text[length] == '+') && (text[length - 1] | 0x20) == 'e'))
    length++;
  double value;
  reader->length = length;
  if (!perlane_decimal_parse(text, length, &value) || value > (double)FLT_MAX)
    return refuse_word(reader, "a number that a float can hold");
  reader->next += length;
  return push(reader, PERLANE_NUMBER, 0, (float)value, 0);
}

/* Takes the name of a field. Returns the field's number in the program; names of the same field
 * have different ones, so that it depends on the text alone whether the program is too long. */
static int take_field(struct reader *reader, int index) {
  struct name *name = &reader->name[index];
  reader->next += reader->length;
  if (name->number == 0) {
    reader->program.field[reader->program.field_count++] = name->field;
    name->number = reader->program.field_count;
  }
  return name->number - 1;
}

/* Reads the arguments of at(). One that is a coordinate, or a sum that begins with one, pushes what
 * is left of it. */
static int read_place(struct reader *reader) {
  const int depth = reader->depth;
  int32_t place = 0;
  for (int argument = 0;; argument++) {
    peek(reader);
    const char *const after = skip_blanks(reader->next + reader->length);
    const int name = find_name(reader, reader->next, reader->length);
    if (argument == PERLANE_MAX_DIMS && name < 0)
      return refuse_word(reader, "the name of a field after 4 coordinates");
    if (argument == PERLANE_MAX_DIMS || (argument > 0 && name >= 0 && *after == ')')) {
      place |= argument << 4 | take_field(reader, name);
      return expect(reader, ')', "')'") &&
             push(reader, PERLANE_FIELD_AT, place, 0, reader->depth - depth);
    }
    int axis = find_coordinate(reader->next, reader->length);
    if (axis >= 0 && (*after == '+' || *after == '-' || *after == ','))
      reader->next = after + (*after == '+'); /* '-' is the sign of what follows */
    else
      axis = -1;
    const int pops = axis < 0 || *after != ',';
    place |= perlane_place_argument(argument, axis, pops);
    if ((pops && !read_sum(reader, 0)) ||
        !expect(reader, ',', "',' or an operator, for at() ends with the name of a field"))
      return 0;
  }
}

/* Reads the arguments of another function. */
static int read_arguments(struct reader *reader, int function) {
  const int has_k = function == PERLANE_SMOOTH_MIN || function == PERLANE_SMOOTH_MAX;
  const int operands = perlane_arity(function);
  float k = 0;
  for (int left = operands + has_k; left > 0; left--)
    if (!read_sum(reader, 0) || !expect(reader, left > 1 ? ',' : ')', FUNCTIONS[function]))
      return 0;
  if (has_k) {
    const struct perlane_expression_step *step = &reader->node[reader->stack[--reader->depth]].step;
    k = step->number;
    /* With a smaller K, 0.5 / K might be infinite. */
    if (step->operation != PERLANE_NUMBER || !(k >= FLT_MIN && k <= FLT_MAX))
      return PERLANE_REFUSE(0, reader->problem, "K of %s must be a number of at least 2^-126",
                            FUNCTIONS[function]);
    reader->nodes--;
  }
  return push(reader, function, 0, k, operands);
}

static int read_name(struct reader *reader) {
  const char *const text = reader->next;
  const size_t length = reader->length;
  const int function = find_function(text, length), axis = find_coordinate(text, length);
  const int name = find_name(reader, text, length);
  if (function > 0) {
    reader->next += length;
    return expect(reader, '(', FUNCTIONS[function]) &&
           (function == PERLANE_FIELD_AT ? read_place(reader) : read_arguments(reader, function));
  }
  if (axis >= 0) {
    reader->next += length;
    return push(reader, PERLANE_COORDINATE, axis, 0, 0);
  }
  if (name >= 0)
    return push(reader, PERLANE_FIELD, take_field(reader, name), 0, 0);
  const int is_call = *skip_blanks(text + length) == '(';
  perlane_text_print(reader->problem, is_call ? "no function is called " : "no field is called ");
  perlane_text_quote(reader->problem, text, length);
  for (int i = 0, known = 0; i < (int)(sizeof FUNCTIONS / sizeof *FUNCTIONS) && is_call; i++)
    if (FUNCTIONS[i])
      perlane_text_print(reader->problem, "%s%s", known++ ? ", " : "; there are ", FUNCTIONS[i]);
  return 0;
}

/* Reads an operand with its signs. */
static int read_operand(struct reader *reader) {
  int is_negative = 0, is_read;
  while (take_mark(reader, '-'))
    is_negative = !is_negative;
  if (reader->nesting++ == MAX_NESTING)
    return PERLANE_REFUSE(0, reader->problem, "parentheses are more than %d deep (character %d)",
                          MAX_NESTING, character(reader));
  const char c = *reader->next;
  if (is_decimal_digit(c) || c == '.')
    is_read = read_number(reader);
  else if (is_letter(c))
    is_read = read_name(reader);
  else
    is_read = expect(reader, '(', "a number, a name or '('") && read_sum(reader, 0) &&
              expect(reader, ')', "')' or an operator");
  reader->nesting--;
  return is_read && (!is_negative || push(reader, PERLANE_NEGATE, 0, 0, 1));
}

/* Reads operands with the operators between them; at level 1 products, at level 2 an operand. */
static int read_sum(struct reader *reader, int level) {
  int is_read = read_operand(reader);
  while (is_read) {
    const char c = peek(reader);
    int i = 0; /* in the order of the operations */
    while (i < 4 && c != "+-*/"[i])
      i++;
    if (i == 4 || i / 2 < level)
      break;
    reader->next++;
    is_read = read_sum(reader, i / 2 + 1) && push(reader, PERLANE_ADD + i, 0, 0, 2);
  }
  return is_read;
}

/* ---- Texts ---- */

/* Adds a name, and refuses one that cannot be a name or is taken. There is room. */
static perlane_status add_name(struct reader *reader, const char *text, size_t length,
                               const perlane_noise *field) {
  const char *wrong = NULL;
  if (length == 0 || name_length(text) != length)
    wrong = "a name has letters, digits and '_', and no digit first, unlike ";
  else if (find_function(text, length) || find_coordinate(text, length) >= 0)
    wrong = "a field cannot have the name of a function or a coordinate, ";
  else if (find_name(reader, text, length) >= 0)
    wrong = "more than one field is called ";
  else if (length > PERLANE_MAX_NAME)
    wrong = "a name has at most 255 letters, unlike ";
  if (wrong) {
    perlane_text_print(reader->problem, "%s", wrong);
    perlane_text_quote(reader->problem, text, length);
    return PERLANE_ERROR_SYNTAX;
  }
  reader->name[reader->names++] = (struct name){text, length, field, 0};
  return PERLANE_OK;
}

/* Takes the names of fields, which an expression of *noise can have. */
static perlane_status take_names(struct reader *reader, int32_t count, const char *const *names,
                                 const perlane_noise *const *fields, const perlane_noise *noise) {
  perlane_status status = PERLANE_OK;
  if (count < 0 || count > PERLANE_MAX_EXPRESSION_FIELDS)
    return PERLANE_ERROR_COUNT;
  for (int32_t i = 0; i < count && status == PERLANE_OK; i++) {
    if (!names || !names[i] || !fields || !fields[i])
      return PERLANE_ERROR_NULL;
    if (!perlane_field_is_ready(fields[i]))
      return PERLANE_ERROR_NOISE;
    if (fields[i]->is_expression || fields[i] == noise)
      return PERLANE_ERROR_EXPRESSION;
    status = add_name(reader, names[i], strlen(names[i]), fields[i]);
  }
  return status;
}

/* Reads definitions of fields off the front of a text. Fields are made in `fields`, which has room
 * for `room`, or only checked if it is NULL. */
static perlane_status read_definitions(struct reader *reader, perlane_noise *fields, int room) {
  for (;;) {
    while (take_mark(reader, ';'))
      continue;
    const char *const text = reader->next, *end = text, *equals = NULL;
    for (; *end != '\0' && *end != ';' && *end != '\n' && *end != '#'; end++)
      equals = *end == '=' && !equals ? end : equals;
    if (!equals)
      return PERLANE_OK;
    if (reader->names == room)
      return PERLANE_REFUSE(PERLANE_ERROR_COUNT, reader->problem, "more than %d fields are defined",
                            room);
    perlane_noise *const field = fields ? &fields[reader->names] : NULL;
    perlane_params params = perlane_params_default();
    size_t length = (size_t)(equals - text);
    while (length > 0 && perlane_text_is_space(text[length - 1]))
      length--;
    perlane_status status = add_name(reader, text, length, field);
    if (status == PERLANE_OK)
      status = perlane_options_parse(&params, equals + 1, (size_t)(end - equals) - 1, NULL,
                                     reader->problem);
    if (status == PERLANE_OK)
      status = perlane_field_make(field, &params, reader->problem);
    if (status != PERLANE_OK)
      return status;
    reader->next = end;
  }
}

/* Reads an expression and makes *noise, unless it is NULL. The text may define fields if `room` is
 * not negative. */
static perlane_status read_text(struct reader *reader, perlane_noise *noise, perlane_noise *fields,
                                int room) {
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_status status = room < 0 ? PERLANE_OK : read_definitions(reader, fields, room);
  if (status == PERLANE_OK) {
    int is_read = read_sum(reader, 0);
    while (is_read && take_mark(reader, ';'))
      continue;
    if (is_read && *reader->next != '\0')
      is_read = refuse_word(reader, "an operator or the end");
    if (!is_read || !emit_all(reader))
      status = PERLANE_ERROR_SYNTAX;
    else if (noise) {
      perlane_expression_make(noise, &reader->program);
      for (const struct name *name = reader->name; name < reader->name + reader->names; name++)
        if (noise->is_expression && name->number > 0)
          memcpy((char *)noise->vector + (name->number - 1) * (PERLANE_MAX_NAME + 1), name->text,
                 name->length); /* the rest is 0 */
    }
  }
  perlane_fp_leave(caller);
  return status;
}

perlane_status(perlane_expression_init)(perlane_noise *noise, const char *text, int32_t count,
                                        const char *const *names,
                                        const perlane_noise *const *fields) {
  struct reader reader = {.text = text, .next = text};
  if (!noise || !text)
    return PERLANE_ERROR_NULL;
  const perlane_status status = take_names(&reader, count, names, fields, noise);
  return status == PERLANE_OK ? read_text(&reader, noise, NULL, -1) : status;
}

perlane_status(perlane_expression_init_text)(perlane_noise *noise, const char *text, int32_t room,
                                             perlane_noise *fields, int32_t *count) {
  struct reader reader = {.text = text, .next = text};
  if (!noise || !text || (room > 0 && !fields))
    return PERLANE_ERROR_NULL;
  if (room < 0)
    return PERLANE_ERROR_COUNT;
  if (room > PERLANE_MAX_EXPRESSION_FIELDS)
    room = PERLANE_MAX_EXPRESSION_FIELDS;
  for (int32_t i = 0; i < room; i++)
    if (&fields[i] == noise)
      return PERLANE_ERROR_EXPRESSION;
  const perlane_status status = read_text(&reader, noise, fields, room);
  if (status == PERLANE_OK && count)
    *count = reader.names;
  return status;
}

static const char OPTION[] = "expression";

static size_t word_length(const char *text) {
  size_t length = 0;
  while (text[length] != '\0' && text[length] != ' ')
    length++;
  return length;
}

int perlane_expression_is_option(const char *option) {
  const size_t length = sizeof OPTION - 1;
  return strlen(option) >= length && memcmp(option, OPTION, length) == 0 &&
         (option[length] == '\0' || option[length] == ' ');
}

void perlane_expression_explain(const char *option, const char *text,
                                struct perlane_text *problem) {
  struct reader reader = {.text = text, .next = text, .problem = problem};
  perlane_status status = PERLANE_OK;
  option += sizeof OPTION - 1;
  const int room = *option == '\0' ? PERLANE_MAX_EXPRESSION_FIELDS : -1;
  for (; *option != '\0' && status == PERLANE_OK; option += word_length(option)) {
    option++;
    if (reader.names == PERLANE_MAX_EXPRESSION_FIELDS)
      status = PERLANE_REFUSE(PERLANE_ERROR_COUNT, problem, "an expression has at most %d fields",
                              PERLANE_MAX_EXPRESSION_FIELDS);
    else
      status = add_name(&reader, option, word_length(option), NULL);
  }
  if (status == PERLANE_OK)
    (void)read_text(&reader, NULL, NULL, room);
}
