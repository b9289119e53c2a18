/* SPDX-License-Identifier: MIT
 *
 * From an expression's text to its program (docs/specification.md, 5). What is read becomes nodes
 * of a graph, in which equal operations are one node. A node that several others use is evaluated
 * once, before the expression.
 *
 * text.c writes a program as a text that is read back to it, so limits do not depend on how a text
 * says an expression, or are wider than any text of text.c needs.
 */
#include "../strict.h"

#include <string.h>

#include "../../include/perlane_picture.h"
#include "../decimal.h"
#include "../field.h"
#include "../kernels.h"
#include "../numbers.h"
#include "../options.h"
#include "../text.h"
#include "expression.h"

/* A step needs no more than one pair of parentheses in a text. MAX_NODES is what 40 KiB of stack
 * hold, with the copies; a text of text.c has more only with hundreds of different affine parts.
 * MAX_WORK bounds what definitions that refer to each other can repeat. */
enum {
  MAX_NESTING = PERLANE_MAX_EXPRESSION_STEPS,
  MAX_NODES = 5 * PERLANE_MAX_EXPRESSION_STEPS,
  MAX_WORK = 4096,
  MAX_OPERANDS = PERLANE_MAX_DIMS,
  LOOK_WIDTH = 1024,
  MAX_NAMES = 2 * PERLANE_MAX_EXPRESSION_FIELDS,
  NUMBER_PART = PERLANE_MAX_DIMS, /* of an affine part, after the factors of coordinates */
  REFUSED = -1,                   /* instead of a node: the text has been refused */
  NO_NODE = -2
};

/* The functions, as messages show them. */
static const char *const FUNCTIONS[] = {
    [OP_ABS] = "abs(A)",
    [OP_SQRT] = "sqrt(A)",
    [OP_FLOOR] = "floor(A)",
    [OP_MIN] = "min(A, B)",
    [OP_MAX] = "max(A, B)",
    [OP_STEP] = "step(EDGE, A)",
    [OP_SMOOTH_MIN] = "smooth_min(A, B, K)",
    [OP_SMOOTH_MAX] = "smooth_max(A, B, K)",
    [OP_MIX] = "mix(A, B, T)",
    [OP_CLAMP] = "clamp(A, LOW, HIGH)",
    [OP_SMOOTH] = "smooth(LOW, HIGH, A)",
    [OP_SELECT] = "select(A, B, T)",
    [OP_CURVE] = "curve(A, X:Y, X:Y)",
    [OP_FIELD_AT] = "at(X, Y, FIELD)",
};

const char *perlane_expression_form(int operation) {
  return FUNCTIONS[operation];
}

/* A name that stands for a field, which is NULL if the text is only to be explained, or for an
 * expression, whose text is from `begin` to `end`. */
struct name {
  const char *text;
  size_t length;
  const perlane_noise *field;
  const char *begin, *end; /* NULL for a field */
  int node;                /* of an expression at the position; NO_NODE if it has not been used */
  int number;              /* 1 + the number of the field in the program; 0 if it is not used */
  int is_used;
  uint64_t seed; /* of a field that is defined here, with its frequency and basis */
  double frequency;
  int32_t basis;
};

/* An operand, or an operation with the nodes that it is applied to. */
struct node {
  struct perlane_expression_step step; /* its field is a name's index, not yet a number */
  union {
    unsigned short operand[MAX_OPERANDS];
    double exact; /* of a number, in double */
  };
  unsigned char operands;
  unsigned char depth;   /* results that wait while it is evaluated, and its own */
  unsigned char kept;    /* 1 + the depth at which the program keeps its result; 0: it does not */
  unsigned char is_rest; /* split_argument() has found no affine part */
  unsigned short uses, copy; /* 0: there is no copy */
};

/* Where coordinates and fields are: at the nodes of the `dims` arguments of at(), or, outside of
 * at(), where dims is 0, at the position. */
struct place {
  int dims, argument[PERLANE_MAX_DIMS];
};

/* A text that is being read, up to `end`. Functions that return a node, or 0, may have refused it.
 */
struct reader {
  const char *text, *next, *end;
  size_t length; /* of the name at `next`, after peek() */
  struct perlane_text *problem;
  int names, fields, nesting, nodes, work;
  int first; /* node of the copies, when these are made */
  struct place place;
  perlane_params params; /* of the curve whose points are being read: no point has a curve */
  struct perlane_pieces pieces;
  struct name name[MAX_NAMES];
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

/* Returns the first character of a text after white space and comments, or its end. */
static const char *skip_blanks(const char *text, const char *end) {
  int is_comment = 0;
  for (; text < end; text++) {
    is_comment = *text == '#' || (is_comment && *text != '\n');
    if (!is_comment && !perlane_text_is_space(*text))
      break;
  }
  return text;
}

/* Moves to the next word, and returns its first character; '\0' at the end. */
static char peek(struct reader *reader) {
  reader->next = skip_blanks(reader->next, reader->end);
  reader->length = reader->next < reader->end ? name_length(reader->next) : 0;
  return reader->next < reader->end ? *reader->next : '\0';
}

/* Skips a character, if it comes next. */
static int take_mark(struct reader *reader, char c) {
  const int is_next = peek(reader) == c;
  reader->next += is_next;
  return is_next;
}

/* Returns the number of the next character, which UTF-8 may write in several bytes. */
static int character(const struct reader *reader) {
  int count = 1;
  for (const char *at = reader->text; at < reader->next; at++)
    count += (*at & 0xC0) != 0x80;
  return count;
}

/* Refuses the next `length` characters, where something else was expected. */
static int refuse(struct reader *reader, size_t length, const char *expected) {
  perlane_text_print(reader->problem, "expected %s, not ", expected);
  perlane_text_quote(reader->problem, reader->next, length);
  return PERLANE_REFUSE(REFUSED, reader->problem, " (character %d)", character(reader));
}

/* Refuses the next word, where something else was expected. */
static int refuse_word(struct reader *reader, const char *expected) {
  if (peek(reader) == '\0')
    return PERLANE_REFUSE(REFUSED, reader->problem, "expected %s, not the end of the expression",
                          expected);
  size_t length = reader->length;
  if (length == 0) /* a whole character of UTF-8 */
    for (length = 1; (reader->next[length] & 0xC0) == 0x80;)
      length++;
  return refuse(reader, length, expected);
}

static int expect(struct reader *reader, char c, const char *expected) {
  const int is_next = take_mark(reader, c);
  if (!is_next)
    refuse_word(reader, expected);
  return is_next;
}

/* ---- Nodes ---- */

static int refuse_size(struct reader *reader) {
  return PERLANE_REFUSE(REFUSED, reader->problem,
                        "an expression has at most %d names, numbers and operations",
                        PERLANE_MAX_EXPRESSION_STEPS);
}

static int is_number(const struct reader *reader, int node) {
  return reader->node[node].step.operation == OP_NUMBER;
}

/* Returns the node that equals this one, which is added if there is none. */
static int find_node(struct reader *reader, const struct node *node) {
  int same = reader->first;
  while (same < reader->nodes &&
         (memcmp(&reader->node[same].step, &node->step, sizeof node->step) != 0 ||
          memcmp(reader->node[same].operand, node->operand, sizeof node->operand) != 0))
    same++;
  if (same == MAX_NODES)
    return refuse_size(reader);
  if (same == reader->nodes)
    reader->node[reader->nodes++] = *node;
  return same;
}

static int number_node(struct reader *reader, float number, double exact) {
  const struct perlane_expression_step step = {OP_NUMBER, 0,
                                               number == number ? number : perlane_nan()};
  return find_node(reader, &(struct node){.step = step, .exact = exact, .depth = 1});
}

/* Returns the node of an operand. */
static int operand_node(struct reader *reader, int operation, int32_t operand) {
  return find_node(reader, &(struct node){.step = {operation, operand, 0}, .depth = 1});
}

/* Returns an operation on doubles: their number in an affine part. */
static double exactly(int operation, double a, double b, double other) {
  return operation == OP_NEGATE     ? -a
         : operation == OP_ADD      ? a + b
         : operation == OP_SUBTRACT ? a - b
         : operation == OP_MULTIPLY ? a * b
         : operation == OP_DIVIDE   ? a / b
                                    : other;
}

/* Returns the node of an operation on nodes, which is a number if these are. */
static int operation_node(struct reader *reader, struct perlane_expression_step step, int operands,
                          const int *operand) {
  struct node made = {.step = step, .operands = (unsigned char)operands, .depth = 1};
  const struct node *x[MAX_OPERANDS] = {NULL};
  float numbers[MAX_OPERANDS] = {0};
  int are_numbers = step.operation != OP_FIELD_AT && step.operation != OP_CURVE;
  for (int i = 0; i < operands; i++) {
    x[i] = &reader->node[operand[i]];
    made.operand[i] = (unsigned short)operand[i];
    if (made.depth < i + x[i]->depth)
      made.depth = (unsigned char)(i + x[i]->depth);
    numbers[i] = x[i]->step.number;
    are_numbers &= is_number(reader, operand[i]);
  }
  if (made.depth > PERLANE_MAX_EXPRESSION_DEPTH)
    return PERLANE_REFUSE(REFUSED, reader->problem,
                          "more than %d results would wait for an operation (character %d)",
                          PERLANE_MAX_EXPRESSION_DEPTH, character(reader));
  if (!are_numbers)
    return find_node(reader, &made);
  const float number = perlane_operation_on_numbers(&step, numbers);
  return number_node(reader, number,
                     exactly(step.operation, x[0]->exact, x[operands - 1]->exact, (double)number));
}

static int operator_node(struct reader *reader, int operation, int a, int b) {
  return operation_node(reader, (struct perlane_expression_step){operation, 0, 0},
                        b == NO_NODE ? 1 : 2, (int[]){a, b});
}

/* ---- Places ---- */

/* Splits an argument of at() into its affine part, in double, which was 0, and the rest, NO_NODE if
 * there is none. Returns 0 if the text has been refused. */
static int split_argument(struct reader *reader, int argument, double *affine, int *rest) {
  const struct node node = reader->node[argument];
  const int operation = node.step.operation, a = node.operand[0], b = node.operand[1];
  const int is_sum = operation == OP_ADD || operation == OP_SUBTRACT;
  const int scales = (operation == OP_MULTIPLY && is_number(reader, a)) ||
                     ((operation == OP_MULTIPLY || operation == OP_DIVIDE) && is_number(reader, b));
  double other[NUMBER_PART + 1] = {0};
  int more = NO_NODE;
  *rest = node.is_rest ? argument : NO_NODE;
  if (node.is_rest)
    return 1;
  if (reader->work++ == MAX_WORK || reader->nesting++ == 2 * MAX_NESTING)
    return refuse_size(reader) != REFUSED;
  if (operation == OP_NUMBER) {
    affine[NUMBER_PART] = node.exact;
  } else if (operation == OP_COORDINATE) {
    affine[node.step.operand] = 1;
  } else if (operation == OP_NEGATE) {
    if (!split_argument(reader, a, affine, rest))
      return 0;
    for (int i = 0; i <= NUMBER_PART; i++)
      affine[i] = 0 - affine[i];
    if (*rest != NO_NODE)
      *rest = operator_node(reader, operation, *rest, NO_NODE);
  } else if (is_sum) {
    if (!split_argument(reader, a, affine, rest) || !split_argument(reader, b, other, &more))
      return 0;
    for (int i = 0; i <= NUMBER_PART; i++)
      affine[i] = exactly(operation, affine[i], other[i], 0);
    if (*rest == NO_NODE)
      *rest = more == NO_NODE || operation == OP_ADD
                  ? more
                  : operator_node(reader, OP_NEGATE, more, NO_NODE);
    else if (more != NO_NODE)
      *rest = operator_node(reader, operation, *rest, more);
  } else if (scales) {
    const int is_left = !is_number(reader, b);
    const double factor = reader->node[is_left ? a : b].exact;
    if (!split_argument(reader, is_left ? b : a, affine, rest))
      return 0;
    for (int i = 0; i <= NUMBER_PART; i++)
      affine[i] = affine[i] != 0 ? exactly(operation, affine[i], factor, 0) : 0;
    if (*rest != NO_NODE)
      *rest = operator_node(reader, operation, is_left ? a : *rest, is_left ? *rest : b);
  } else {
    *rest = argument;
  }
  reader->nesting--;
  reader->node[argument].is_rest = *rest == argument; /* which has no affine part then */
  return *rest != REFUSED;
}

/* Returns the first of some affine parts, which one place has after each other. Equal places have
 * the same. Returns REFUSED if there are too many. */
static int find_affine(struct reader *reader, int dims, double *affine) {
  perlane_expression *const program = &reader->program;
  const size_t bytes = (size_t)dims * sizeof *program->affine;
  for (int i = 0; i < dims * (NUMBER_PART + 1); i++) /* texts have no -0, and one NaN */
    affine[i] = affine[i] == affine[i] ? affine[i] + 0 : (double)perlane_nan();
  for (const struct node *node = reader->node; node < reader->node + reader->nodes; node++) {
    const int32_t place = node->step.operand;
    if (node->step.operation == OP_FIELD_AT && perlane_place_dims(place) == dims &&
        memcmp(perlane_place_affine(program, place, 0), affine, bytes) == 0)
      return perlane_place_first(place);
  }
  const int first = program->affine_count;
  if (first + dims > (int)(sizeof program->affine / sizeof *program->affine))
    return refuse_size(reader);
  memcpy(program->affine[first], affine, bytes);
  program->affine_count += dims;
  return first;
}

/* Returns the node of a field at a place. */
static int place_node(struct reader *reader, int name, const struct place *place) {
  const int dims = place->dims;
  double affine[PERLANE_MAX_DIMS][NUMBER_PART + 1] = {{0}};
  int operand[MAX_OPERANDS], operands = 0, pops = 0;
  for (int k = 0; k < dims; k++) {
    if (!split_argument(reader, place->argument[k], affine[k], &operand[operands]))
      return REFUSED;
    pops |= (operand[operands] != NO_NODE) << k;
    operands += operand[operands] != NO_NODE;
  }
  const int first = find_affine(reader, dims, affine[0]);
  if (first == REFUSED)
    return REFUSED;
  return operation_node(
      reader,
      (struct perlane_expression_step){OP_FIELD_AT, perlane_place_make(name, dims, pops, first), 0},
      operands, operand);
}

/* ---- The program ---- */

static int has_field(const struct node *node) {
  return node->step.operation == OP_FIELD || node->step.operation == OP_FIELD_AT;
}

/* Returns the copy of a node, or REFUSED. Copies come after those of the nodes that they use, which
 * count their uses, and only a result's are made: their order and number do not depend on how a
 * text says it. Numbers that are equal as floats become one. No path through a program is longer
 * than it. */
static int copy_node(struct reader *reader, int index, int length) {
  struct node copy = reader->node[index];
  if (copy.copy > 0)
    return copy.copy;
  if (length == PERLANE_MAX_EXPRESSION_STEPS)
    return refuse_size(reader);
  for (int i = 0; i < copy.operands; i++) {
    const int operand = copy_node(reader, copy.operand[i], length + 1);
    if (operand == REFUSED)
      return REFUSED;
    copy.operand[i] = (unsigned short)operand;
  }
  if (copy.step.operation == OP_NUMBER)
    copy.exact = 0;
  const int nodes = reader->nodes, made = find_node(reader, &copy);
  if (made == REFUSED)
    return REFUSED;
  for (int i = 0; i < copy.operands && made == nodes; i++)
    reader->node[copy.operand[i]].uses++;
  if (has_field(&copy))
    reader->name[perlane_place_field(copy.step.operand)].number = 1;
  reader->node[index].copy = (unsigned short)made;
  return made;
}

/* Numbers the fields of marked names, in the order of their definitions. Names of the same field
 * have different numbers, so that it depends on the text alone whether the program is too long. */
static void number_fields(struct reader *reader) {
  perlane_expression *const program = &reader->program;
  for (struct name *name = reader->name; name < reader->name + reader->names; name++)
    if (name->number > 0) {
      program->field[program->field_count++] = name->field;
      name->number = program->field_count;
    }
}

/* Adds the steps of a node to the program. A sum or a difference is one step with a product that is
 * one of its operands. Returns 0 if the program is too long. */
static int emit(struct reader *reader, const struct node *node) {
  perlane_expression *const program = &reader->program;
  struct perlane_expression_step step = node->step, *last;
  for (int i = 0; i < node->operands && !node->kept; i++)
    if (!emit(reader, &reader->node[node->operand[i]]))
      return 0;
  if (node->kept)
    step = (struct perlane_expression_step){OP_RESULT, node->kept - 1, 0};
  else if (has_field(node)) {
    const int index = perlane_place_field(step.operand);
    step.operand += reader->name[index].number - 1 - index;
  }
  if (step.operation == OP_ADD || step.operation == OP_SUBTRACT) {
    const int is_difference = step.operation == OP_SUBTRACT;
    last = &program->step[program->count - 1];
    if (last->operation == OP_MULTIPLY) {
      last->operation = OP_ADD_PRODUCT + is_difference;
      return 1;
    }
    if (last[-1].operation == OP_MULTIPLY && last->operation <= OP_RESULT) {
      last[-1] = *last;
      *last = (struct perlane_expression_step){OP_PRODUCT_ADD + is_difference, 0, 0};
      return 1;
    }
  }
  if (program->count == PERLANE_MAX_EXPRESSION_STEPS)
    return refuse_size(reader) != REFUSED;
  program->step[program->count++] = step;
  return 1;
}

/* Makes the program of a node, after those that it uses more than once. */
static int emit_all(struct reader *reader, int result) {
  const int depth = reader->node[result].depth;
  int kept = 0;
  reader->first = reader->nodes;
  result = copy_node(reader, result, 0);
  if (result == REFUSED)
    return 0;
  number_fields(reader);
  for (struct node *node = reader->node + reader->first; node < reader->node + reader->nodes;
       node++)
    if (node->uses > 1 && node->step.operation >= OP_FIELD_AT &&
        kept + depth < PERLANE_MAX_EXPRESSION_DEPTH) {
      if (!emit(reader, node))
        return 0;
      node->kept = (unsigned char)++kept;
    }
  return emit(reader, &reader->node[result]);
}

/* ---- The grammar ----
 *
 * Functions return the node of what they read. */

static int read_sum(struct reader *reader, int level);

static int read_number(struct reader *reader) {
  const char *text = reader->next;
  size_t length = 0;
  while (is_letter(text[length]) || is_decimal_digit(text[length]) || text[length] == '.' ||
         ((text[length] == '-' || text[length] == '+') && (text[length - 1] | 0x20) == 'e'))
    length++;
  double value;
  if (!perlane_decimal_parse(text, length, &value) || value > (double)FLT_MAX)
    return refuse(reader, length, "a number that a float can hold");
  reader->next += length;
  return number_node(reader, (float)value, value);
}

static int coordinate_node(struct reader *reader, int axis) {
  const struct place *place = &reader->place;
  if (place->dims == 0)
    return operand_node(reader, OP_COORDINATE, axis);
  return axis < place->dims ? place->argument[axis] : number_node(reader, 0, 0);
}

/* Returns the node of a name at a place. The text of an expression, which has been read before, is
 * read once more: its coordinates are the place's. */
static int name_node(struct reader *reader, int index, const struct place *place) {
  struct name *name = &reader->name[index];
  const char *const next = reader->next, *const end = reader->end;
  const struct place own = reader->place;
  name->is_used = 1;
  if (!name->begin)
    return place->dims == 0 ? operand_node(reader, OP_FIELD, index)
                            : place_node(reader, index, place);
  if (place->dims == 0 && name->node != NO_NODE)
    return name->node;
  if (reader->work++ >= MAX_WORK)
    return refuse_size(reader);
  reader->place = *place;
  reader->next = name->begin;
  reader->end = name->end;
  const int node = read_sum(reader, 0);
  reader->place = own;
  reader->next = next;
  reader->end = end;
  if (place->dims == 0)
    name->node = node;
  return node;
}

/* Reads the arguments of at(). */
static int read_place(struct reader *reader) {
  struct place place = {0};
  for (;; place.dims++) {
    peek(reader);
    const int name = find_name(reader, reader->next, reader->length);
    const char *const after = skip_blanks(reader->next + reader->length, reader->end);
    if (place.dims == PERLANE_MAX_DIMS && name < 0)
      return refuse_word(reader, "the name of a field after 4 coordinates");
    if (place.dims == PERLANE_MAX_DIMS || (place.dims > 0 && name >= 0 && *after == ')')) {
      reader->next += reader->length;
      return expect(reader, ')', "')'") ? name_node(reader, name, &place) : REFUSED;
    }
    const int argument = place.argument[place.dims] = read_sum(reader, 0);
    if (argument == REFUSED ||
        !expect(reader, ',', "',' or an operator, for at() ends with the name of a field"))
      return REFUSED;
  }
}

/* Reads a number, and sets its float. */
static int read_constant(struct reader *reader, double *value) {
  const char *const begin = reader->next;
  const int node = read_sum(reader, 0);
  if (node == REFUSED)
    return 0;
  *value = (double)reader->node[node].step.number;
  if (is_number(reader, node))
    return 1;
  reader->next = begin;
  refuse_word(reader, "a number");
  return 0;
}

/* Reads the points of a curve, each after its comma, and its shape. */
static int read_curve(struct reader *reader) {
  static const char POINTS[] = "2 to 16 points X:Y, and 'smooth' or nothing, in curve(A, X:Y, X:Y)";
  perlane_expression *const program = &reader->program;
  perlane_params *const params = &reader->params;
  int index = 0;
  const int argument = read_sum(reader, 0);
  if (argument == REFUSED)
    return REFUSED;
  perlane_params_init(params);
  while (take_mark(reader, ',')) {
    double *const point = params->curve.point[params->curve.count];
    peek(reader);
    if (reader->length == 6 && memcmp(reader->next, "smooth", 6) == 0) {
      params->curve_shape = PERLANE_CURVE_SMOOTH;
      reader->next += reader->length;
      break;
    }
    if (params->curve.count == PERLANE_MAX_CURVE_POINTS)
      return refuse_word(reader, POINTS);
    if (!read_constant(reader, &point[0]) || !expect(reader, ':', POINTS) ||
        !read_constant(reader, &point[1]))
      return REFUSED;
    params->curve.count++;
  }
  if (params->curve.count < 2 || peek(reader) != ')')
    return refuse_word(reader, POINTS);
  reader->next++;
  if (perlane_options_check(params, reader->problem) != PERLANE_OK)
    return REFUSED;
  perlane_field_make_pieces(&reader->pieces, params);
  while (index < program->curve_count &&
         memcmp(&program->curve[index], &reader->pieces, sizeof reader->pieces) != 0)
    index++;
  if (index == (int)(sizeof program->curve / sizeof *program->curve))
    return PERLANE_REFUSE(REFUSED, reader->problem, "an expression has at most %d curves", index);
  program->curve[index] = reader->pieces;
  program->curve_count += index == program->curve_count;
  const struct perlane_expression_step step = {OP_CURVE, index | params->curve_shape << 8, 0};
  return operation_node(reader, step, 1, &argument);
}

/* Reads the arguments of another function. */
static int read_arguments(struct reader *reader, int function) {
  const int has_k = function == OP_SMOOTH_MIN || function == OP_SMOOTH_MAX;
  const int operands = perlane_arity(function);
  struct perlane_expression_step step = {function, 0, 0};
  int argument[MAX_OPERANDS];
  for (int i = 0; i < operands + has_k; i++) {
    argument[i] = read_sum(reader, 0);
    if (argument[i] == REFUSED ||
        !expect(reader, i + 1 < operands + has_k ? ',' : ')', FUNCTIONS[function]))
      return REFUSED;
  }
  if (has_k) {
    step.number = reader->node[argument[operands]].step.number;
    /* With a smaller K, 0.5 / K might be infinite. */
    if (!is_number(reader, argument[operands]) ||
        !(step.number >= FLT_MIN && step.number <= FLT_MAX))
      return PERLANE_REFUSE(REFUSED, reader->problem, "K of %s must be a number of at least 2^-126",
                            FUNCTIONS[function]);
  }
  return operation_node(reader, step, operands, argument);
}

static int refuse_unknown(struct reader *reader, const char *text, size_t length) {
  const int is_call = *skip_blanks(text + length, reader->end) == '(';
  perlane_text_print(reader->problem, is_call ? "no function is called " : "no field is called ");
  perlane_text_quote(reader->problem, text, length);
  for (int i = 0, known = 0; i < (int)(sizeof FUNCTIONS / sizeof *FUNCTIONS) && is_call; i++)
    if (FUNCTIONS[i])
      perlane_text_print(reader->problem, "%s%s", known++ ? ", " : "; there are ", FUNCTIONS[i]);
  return REFUSED;
}

static int read_name(struct reader *reader) {
  const char *const text = reader->next;
  const size_t length = reader->length;
  const int function = find_function(text, length), axis = find_coordinate(text, length);
  const int name = find_name(reader, text, length);
  if (function == 0 && axis < 0 && name < 0)
    return refuse_unknown(reader, text, length);
  reader->next += length;
  if (function > 0 && !expect(reader, '(', FUNCTIONS[function]))
    return REFUSED;
  return function == OP_FIELD_AT ? read_place(reader)
         : function == OP_CURVE  ? read_curve(reader)
         : function > 0          ? read_arguments(reader, function)
         : axis >= 0             ? coordinate_node(reader, axis)
                                 : name_node(reader, name, &reader->place);
}

/* Reads an operand with its signs. */
static int read_operand(struct reader *reader) {
  int is_negative = 0, node = REFUSED;
  while (take_mark(reader, '-'))
    is_negative = !is_negative;
  if (reader->nesting++ == MAX_NESTING)
    return PERLANE_REFUSE(REFUSED, reader->problem,
                          "parentheses are more than %d deep (character %d)", MAX_NESTING,
                          character(reader));
  const char c = peek(reader);
  if (is_decimal_digit(c) || c == '.')
    node = read_number(reader);
  else if (is_letter(c))
    node = read_name(reader);
  else if (expect(reader, '(', "a number, a name or '('")) {
    node = read_sum(reader, 0);
    if (node != REFUSED && !expect(reader, ')', "')' or an operator"))
      return REFUSED;
  }
  reader->nesting--;
  return node != REFUSED && is_negative ? operator_node(reader, OP_NEGATE, node, NO_NODE) : node;
}

/* Reads operands with the operators between them; at level 1 products, at level 2 an operand. */
static int read_sum(struct reader *reader, int level) {
  int node = read_operand(reader);
  while (node != REFUSED) {
    const char c = peek(reader);
    int i = 0; /* in the order of the operations */
    while (i < 4 && c != "+-*/"[i])
      i++;
    if (i == 4 || i / 2 < level)
      break;
    reader->next++;
    const int right = read_sum(reader, i / 2 + 1);
    node = right == REFUSED ? REFUSED : operator_node(reader, OP_ADD + i, node, right);
  }
  return node;
}

/* ---- Texts ---- */

static void begin_reading(struct reader *reader, const char *text, struct perlane_text *problem) {
  memset(reader, 0, sizeof *reader);
  reader->text = reader->next = text;
  reader->end = text + strlen(text);
  reader->problem = problem;
}

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
  else if (length > MAX_FIELD_NAME)
    wrong = "a name has at most 127 letters, unlike ";
  if (wrong) {
    perlane_text_print(reader->problem, "%s", wrong);
    perlane_text_quote(reader->problem, text, length);
    return PERLANE_ERROR_SYNTAX;
  }
  reader->name[reader->names++] =
      (struct name){.text = text, .length = length, .field = field, .node = NO_NODE};
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

/* Reads an expression up to the end. Returns its node. */
static int read_whole(struct reader *reader) {
  int result = read_sum(reader, 0);
  while (result != REFUSED && take_mark(reader, ';'))
    continue;
  if (result != REFUSED && reader->next < reader->end)
    result = refuse_word(reader, "an operator or the end");
  return result;
}

/* Checks the definition of an expression, which ends with its line or a semicolon outside
 * parentheses, and has the names before its own. What has been read is forgotten: a name that is
 * used is read again. */
static perlane_status read_definition(struct reader *reader, struct name *name) {
  const char *const text_end = reader->end, *end = name->begin;
  for (int open = 0, is_comment = 0; end < text_end; end++) {
    is_comment = *end == '#' || (is_comment && *end != '\n');
    open += is_comment ? 0 : (*end == '(') - (*end == ')');
    if (open <= 0 && !is_comment && (*end == ';' || *end == '\n'))
      break;
  }
  reader->next = name->begin;
  reader->end = name->end = end;
  reader->names--;
  const int result = read_whole(reader);
  reader->names++;
  reader->end = text_end;
  reader->nodes = reader->work = 0;
  reader->program.affine_count = reader->program.curve_count = 0;
  for (int i = 0; i < reader->names; i++) {
    reader->name[i].node = NO_NODE;
    reader->name[i].is_used = 0;
  }
  return result == REFUSED ? PERLANE_ERROR_SYNTAX : PERLANE_OK;
}

/* Takes "look=NAME" or "look=NAME:WIDTH" off the front of options. */
static perlane_status read_look(struct reader *reader, perlane_params *params, const char **text,
                                const char *end) {
  static const char LOOK[] = "look=";
  const char *const begin = skip_blanks(*text, end), *next = begin;
  for (size_t i = 0; i < sizeof LOOK - 1; i++, next++)
    if (next == end || *next != LOOK[i])
      return PERLANE_OK;
  char name[MAX_FIELD_NAME + 1] = "";
  double width = LOOK_WIDTH;
  const char *letters = next;
  while (next < end && *next != ':' && !perlane_text_is_space(*next))
    next++;
  const size_t length = (size_t)(next - letters);
  memcpy(name, letters, length < sizeof name ? length : 0);
  if (!perlane_look_find(name)) {
    perlane_text_print(reader->problem, "no look is called ");
    perlane_text_quote(reader->problem, letters, length);
    return PERLANE_ERROR_PRESET;
  }
  if (next < end && *next == ':') {
    letters = ++next;
    while (next < end && !perlane_text_is_space(*next))
      next++;
    if (!perlane_decimal_parse(letters, (size_t)(next - letters), &width))
      width = 0; /* which is refused */
  }
  *text = next;
  return perlane_look(params, name, width) == PERLANE_OK
             ? PERLANE_OK
             : PERLANE_REFUSE(PERLANE_ERROR_PARAMETER, reader->problem,
                              "WIDTH of look=NAME:WIDTH must be a number of at least 1");
}

/* Makes a field of options, or only checks them if it is NULL. */
static perlane_status read_options(struct reader *reader, perlane_noise *field, const char *text,
                                   const char *end) {
  perlane_params params = perlane_params_default();
  perlane_status status = read_look(reader, &params, &text, end);
  if (status == PERLANE_OK)
    status = perlane_options_parse(&params, text, (size_t)(end - text), NULL, reader->problem);
  struct name *const name = &reader->name[reader->names - 1];
  name->seed = params.seed;
  name->frequency = params.frequency;
  name->basis = params.basis;
  reader->next = end;
  return status == PERLANE_OK ? perlane_field_make(field, &params, reader->problem) : status;
}

/* Reads definitions off the front of a text: of fields, whose options are none or have '=', and of
 * expressions. Fields are made in `fields`, which has room for `room`, or only checked if it is
 * NULL. */
static perlane_status read_definitions(struct reader *reader, perlane_noise *fields, int room) {
  perlane_status status = PERLANE_OK;
  while (status == PERLANE_OK) {
    while (take_mark(reader, ';'))
      continue;
    const char *const text = reader->next, *end = text, *equals = NULL, *last = NULL;
    for (; end < reader->end && *end != ';' && *end != '\n' && *end != '#'; end++)
      if (*end == '=') {
        equals = equals ? equals : end;
        last = end;
      }
    if (!equals)
      break;
    const int is_field = last > equals || skip_blanks(equals + 1, end) == end;
    if (is_field && reader->fields == room)
      return PERLANE_REFUSE(PERLANE_ERROR_COUNT, reader->problem, "more than %d fields are defined",
                            room);
    if (reader->names == MAX_NAMES)
      return PERLANE_REFUSE(PERLANE_ERROR_COUNT, reader->problem, "more than %d names are defined",
                            MAX_NAMES);
    perlane_noise *const field = fields && is_field ? &fields[reader->fields] : NULL;
    size_t length = (size_t)(equals - text);
    while (length > 0 && perlane_text_is_space(text[length - 1]))
      length--;
    struct name *const name = &reader->name[reader->names];
    status = add_name(reader, text, length, field);
    if (status == PERLANE_OK && is_field) {
      reader->fields++;
      status = read_options(reader, field, equals + 1, end);
    } else if (status == PERLANE_OK) {
      name->begin = equals + 1;
      status = read_definition(reader, name);
    }
  }
  return status;
}

/* Reads an expression and makes *noise, unless it is NULL. The text may define fields if `room` is
 * not negative. */
static perlane_status read_text(struct reader *reader, perlane_noise *noise, perlane_noise *fields,
                                int room) {
  const perlane_fp_state caller = perlane_fp_enter();
  perlane_status status = room < 0 ? PERLANE_OK : read_definitions(reader, fields, room);
  if (status == PERLANE_OK && reader->names > 0 && room >= 0 && peek(reader) == '\0') {
    const struct name *last = &reader->name[reader->names - 1];
    perlane_text_print(reader->problem, "no expression follows the definition of ");
    perlane_text_quote(reader->problem, last->text, last->length);
    status = PERLANE_ERROR_SYNTAX;
  }
  if (status == PERLANE_OK) {
    const int result = read_whole(reader);
    if (result == REFUSED || !emit_all(reader, result))
      status = PERLANE_ERROR_SYNTAX;
    else if (noise) {
      perlane_expression_make(noise, &reader->program);
      for (const struct name *name = reader->name; name < reader->name + reader->names; name++)
        if (noise->is_expression && name->number > 0)
          memcpy(noise->of.names[name->number - 1], name->text, name->length); /* the rest is 0 */
    }
  }
  perlane_fp_leave(caller);
  return status;
}

perlane_status(perlane_expression_init)(perlane_noise *noise, const char *text, int32_t count,
                                        const char *const *names,
                                        const perlane_noise *const *fields) {
  struct reader reader;
  if (!noise || !text)
    return PERLANE_ERROR_NULL;
  begin_reading(&reader, text, NULL);
  const perlane_status status = take_names(&reader, count, names, fields, noise);
  return status == PERLANE_OK ? read_text(&reader, noise, NULL, -1) : status;
}

perlane_status(perlane_expression_init_text)(perlane_noise *noise, const char *text, int32_t room,
                                             perlane_noise *fields, int32_t *count) {
  struct reader reader;
  if (!noise || !text || (room > 0 && !fields))
    return PERLANE_ERROR_NULL;
  if (room < 0)
    return PERLANE_ERROR_COUNT;
  if (room > PERLANE_MAX_EXPRESSION_FIELDS)
    room = PERLANE_MAX_EXPRESSION_FIELDS;
  for (int32_t i = 0; i < room; i++)
    if (&fields[i] == noise)
      return PERLANE_ERROR_EXPRESSION;
  begin_reading(&reader, text, NULL);
  const perlane_status status = read_text(&reader, noise, fields, room);
  if (status == PERLANE_OK && count)
    *count = reader.fields;
  return status;
}

/* Begins another note. Returns 0 when there are many, which PERLANE_MESSAGE_BYTES may not hold. */
static int begin_note(struct perlane_text *text) {
  const int is_full = text->length > PERLANE_MESSAGE_BYTES / 2;
  if (text->length > 0)
    perlane_text_print(text, is_full ? "; and others" : "; ");
  return !is_full;
}

/* Appends what a text that has been read may not mean. Cells of one seed are meant: fields of their
 * values, distances and borders go together. */
static void print_notes(const struct reader *reader, struct perlane_text *text) {
  for (const struct name *a = reader->name; a < reader->name + reader->names; a++) {
    if (!a->is_used) {
      if (!begin_note(text))
        return;
      perlane_text_print(text, "nothing uses the definition of ");
      perlane_text_quote(text, a->text, a->length);
    }
    for (const struct name *b = reader->name; b < a && a->is_used && !a->begin; b++)
      if (b->is_used && !b->begin && b->seed == a->seed && b->frequency == a->frequency &&
          b->basis == a->basis && a->basis != PERLANE_BASIS_CELLULAR) {
        if (!begin_note(text))
          return;
        perlane_text_quote(text, b->text, b->length);
        perlane_text_print(text, " and ");
        perlane_text_quote(text, a->text, a->length);
        perlane_text_print(text, " have the same seed and frequency, and therefore similar values");
      }
  }
}

static const char OPTION[] = "expression", NOTES[] = "notes";

static size_t word_length(const char *text) {
  size_t length = 0;
  while (text[length] != '\0' && text[length] != ' ')
    length++;
  return length;
}

int perlane_expression_is_option(const char *option) {
  const size_t length = sizeof OPTION - 1;
  if (perlane_text_is(option, NOTES))
    return 1;
  return strlen(option) >= length && memcmp(option, OPTION, length) == 0 &&
         (option[length] == '\0' || option[length] == ' ');
}

void perlane_expression_explain(const char *option, const char *text,
                                struct perlane_text *problem) {
  struct reader reader;
  perlane_status status = PERLANE_OK;
  if (perlane_text_is(option, NOTES)) {
    begin_reading(&reader, text, NULL);
    if (read_text(&reader, NULL, NULL, PERLANE_MAX_EXPRESSION_FIELDS) == PERLANE_OK)
      print_notes(&reader, problem);
    return;
  }
  begin_reading(&reader, text, problem);
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
