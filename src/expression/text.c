/* SPDX-License-Identifier: MIT
 *
 * From an expression's program to a text that reads back to it. A result that the program keeps is
 * the definition of a part, or the text might be longer than any buffer.
 */
#include "../strict.h"

#include <string.h>

#include "../decimal.h"
#include "../field.h"
#include "../options.h"
#include "../text.h"
#include "expression.h"

/* How tightly a text must bind to stand for an operand: anything; a factor of a product; an operand
 * of any operator. */
enum binding { SUM, PRODUCT, OPERAND };

/* A program as a tree: the steps whose results each step pops, and the number of the part that a
 * step's result is, 0 if it is none. */
struct tree {
  const perlane_noise *noise;
  const perlane_expression *program;
  struct perlane_text *text;
  unsigned char operand[PERLANE_MAX_EXPRESSION_STEPS][PERLANE_MAX_DIMS];
  unsigned char part[PERLANE_MAX_EXPRESSION_STEPS];
};

static void print_step(const struct tree *tree, int step, enum binding least);

/* Prints a number without its sign. Texts have no numbers beyond floats, and no infinity. */
static void print_magnitude(struct perlane_text *text, double v) {
  for (; v > (double)FLT_MAX && v - v == 0; v *= 0x1p-100)
    perlane_text_print(text, "1267650600228229401496703205376*");
  if (v - v == 0)
    perlane_text_print(text, "%g", v);
  else
    perlane_text_print(text, v != v ? "sqrt(-1)" : "(1/0)");
}

/* Returns the number above 0 with the fewest digits that is a float, where powers of ten are exact.
 */
static double shortest(float value) {
  const double v = (double)value;
  int exponent = 0; /* of the first digit */
  double power = 1, found = v;
  while (exponent < 22 && power * 10 <= v) {
    power *= 10;
    exponent++;
  }
  while (exponent > -12 && power > v) {
    power /= 10;
    exponent--;
  }
  for (int digits = 1; digits <= 10 && found == v; digits++) {
    double scale = 1;
    const int places = digits - 1 - exponent;
    for (int i = 0; i < places || i < -places; i++)
      scale *= 10;
    const double whole = places >= 0 ? v * scale + 0.5 : v / scale + 0.5;
    if (whole >= 0x1p53)
      break;
    const double rounded = (double)(int64_t)whole;
    const double near = places >= 0 ? rounded / scale : rounded * scale;
    if ((float)near == value)
      found = near;
  }
  return found;
}

static void print_constant(struct perlane_text *text, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const int is_number = value == value;
  if (is_number && bits >> 31 != 0)
    perlane_text_print(text, "-");
  bits &= 0x7FFFFFFF;
  memcpy(&value, &bits, sizeof value);
  print_magnitude(text, is_number && bits != 0x7F800000 ? shortest(value) : (double)value);
}

/* Prints an affine part after a number of terms. Returns the number of them all. */
static int print_affine(struct perlane_text *text, const double *affine, int terms) {
  for (int i = 0; i <= PERLANE_MAX_DIMS; i++) {
    const double v = affine[i];
    const int is_bare = i < PERLANE_MAX_DIMS && (v == 1 || v == -1);
    if (v == 0)
      continue;
    perlane_text_print(text, v < 0 ? "-" : terms > 0 ? "+" : "");
    if (!is_bare)
      print_magnitude(text, v < 0 ? -v : v);
    if (i < PERLANE_MAX_DIMS)
      perlane_text_print(text, is_bare ? "%c" : "*%c", "xyzw"[i]);
    terms++;
  }
  return terms;
}

static void print_field(const struct tree *tree, int number) {
  perlane_text_print(tree->text, "%s", tree->noise->of.names[number]);
}

static void print_place(const struct tree *tree, int step) {
  const int32_t place = tree->program->step[step].operand;
  int popped = 0;
  perlane_text_print(tree->text, "at(");
  for (int k = 0; k < perlane_place_dims(place); k++) {
    const int pops = perlane_place_pops(place, k);
    if (pops)
      print_step(tree, tree->operand[step][popped++], SUM);
    if (print_affine(tree->text, perlane_place_affine(tree->program, place, k), pops) == 0)
      perlane_text_print(tree->text, "0");
    perlane_text_print(tree->text, ",");
  }
  print_field(tree, perlane_place_field(place));
  perlane_text_print(tree->text, ")");
}

/* Prints operands with signs between them: "+", "-*" and so on. */
static void print_sum(const struct tree *tree, int step, const char *signs, enum binding least) {
  const unsigned char *operand = tree->operand[step];
  const enum binding binding = *signs == '*' || *signs == '/' ? PRODUCT : SUM;
  const enum binding own = signs[1] != '\0' ? SUM : binding; /* a sum with a product */
  perlane_text_print(tree->text, own < least ? "(" : "");
  print_step(tree, operand[0], binding);
  for (int i = 0; signs[i] != '\0'; i++) {
    const int is_factor = signs[i] == '*' || signs[i] == '/';
    perlane_text_print(tree->text, "%c", signs[i]);
    print_step(tree, operand[i + 1], is_factor ? OPERAND : PRODUCT);
  }
  perlane_text_print(tree->text, own < least ? ")" : "");
}

static void print_points(struct perlane_text *text, const struct perlane_pieces *pieces,
                         int is_smooth) {
  for (int i = 0; i < pieces->count; i++) {
    perlane_text_print(text, ",");
    print_constant(text, pieces->start[i]);
    perlane_text_print(text, ":");
    print_constant(text, pieces->c0[i]);
  }
  perlane_text_print(text, is_smooth ? ",smooth" : "");
}

static void print_function(const struct tree *tree, int step) {
  const struct perlane_expression_step *of = &tree->program->step[step];
  const char *const form = perlane_expression_form(of->operation);
  size_t length = 0;
  while (form[length] != '(')
    length++;
  perlane_text_add(tree->text, form, length);
  for (int i = 0; i < perlane_arity(of->operation); i++) {
    perlane_text_print(tree->text, i > 0 ? "," : "(");
    print_step(tree, tree->operand[step][i], SUM);
  }
  if (of->operation == OP_SMOOTH_MIN || of->operation == OP_SMOOTH_MAX) {
    perlane_text_print(tree->text, ",");
    print_constant(tree->text, of->number);
  }
  if (of->operation == OP_CURVE)
    print_points(tree->text, &tree->program->curve[of->operand & 255], of->operand >> 8);
  perlane_text_print(tree->text, ")");
}

/* Returns the signs of a sum, product or quotient; NULL for other operations. */
static const char *sign_of(int operation) {
  static const char *const SIGNS[OP_SELECT + 1] = {
      [OP_ADD] = "+",          [OP_SUBTRACT] = "-",          [OP_MULTIPLY] = "*",
      [OP_DIVIDE] = "/",       [OP_ADD_PRODUCT] = "+*",      [OP_SUBTRACT_PRODUCT] = "-*",
      [OP_PRODUCT_ADD] = "*+", [OP_PRODUCT_SUBTRACT] = "*-",
  };
  return SIGNS[operation];
}

static void print_operation(const struct tree *tree, int step, enum binding least) {
  const struct perlane_expression_step *of = &tree->program->step[step];
  const int operand = tree->operand[step][0];
  const char *const sign = sign_of(of->operation);
  switch (of->operation) {
  case OP_NUMBER:
    print_constant(tree->text, of->number);
    break;
  case OP_COORDINATE:
    perlane_text_print(tree->text, "%c", "xyzw"[of->operand]);
    break;
  case OP_FIELD:
    print_field(tree, of->operand);
    break;
  case OP_FIELD_AT:
    print_place(tree, step);
    break;
  case OP_NEGATE: { /* of a negation in parentheses: two signs are none */
    const int is_negation =
        tree->program->step[operand].operation == OP_NEGATE && tree->part[operand] == 0;
    perlane_text_print(tree->text, is_negation ? "-(" : "-");
    print_step(tree, operand, OPERAND);
    perlane_text_print(tree->text, is_negation ? ")" : "");
    break;
  }
  default:
    if (sign)
      print_sum(tree, step, sign, least);
    else
      print_function(tree, step);
  }
}

static void print_part(struct perlane_text *text, int number) {
  perlane_text_print(text, "part%d", number);
}

static void print_step(const struct tree *tree, int step, enum binding least) {
  if (tree->part[step] > 0)
    print_part(tree->text, tree->part[step]);
  else
    print_operation(tree, step, least);
}

/* Returns whether a field has the name of a part. */
static int is_field(const struct tree *tree, int number) {
  char name[16];
  struct perlane_text text = perlane_text_begin(name, sizeof name);
  int i = 0;
  print_part(&text, number);
  perlane_text_end(&text);
  while (i < tree->program->field_count && !perlane_text_is(tree->noise->of.names[i], name))
    i++;
  return i < tree->program->field_count;
}

/* Prints the results that the program keeps, each of which is the last at its depth of the stack,
 * as definitions. */
static void print_parts(struct tree *tree, const unsigned char *slot) {
  const int count = tree->program->count, kept = slot[count - 1];
  unsigned char last[PERLANE_MAX_EXPRESSION_DEPTH] = {0};
  for (int i = 0; i < count; i++)
    if (slot[i] < kept)
      last[slot[i]] = (unsigned char)i;
  for (int k = 0, number = 1; k < kept; k++, number++) {
    while (is_field(tree, number))
      number++;
    print_part(tree->text, number);
    perlane_text_print(tree->text, "=");
    print_operation(tree, last[k], SUM);
    perlane_text_print(tree->text, ";");
    tree->part[last[k]] = (unsigned char)number;
  }
}

static void print_definition(struct perlane_text *text, const char *name,
                             const perlane_noise *field) {
  perlane_text_print(text, "%s=", name);
  perlane_options_print(text, &field->params, NULL);
  perlane_text_print(text, ";");
}

static PERLANE_NOINLINE void print_expression(struct perlane_text *text,
                                              const perlane_noise *noise) {
  struct tree tree = {.noise = noise, .program = &noise->expression, .text = text};
  if (!noise->is_expression) {
    print_definition(text, "f", noise);
    perlane_text_print(text, "f");
    return;
  }
  for (int i = 0; i < tree.program->field_count; i++)
    print_definition(text, noise->of.names[i], tree.program->field[i]);
  unsigned char slot[PERLANE_MAX_EXPRESSION_STEPS];
  const int result = perlane_expression_arguments(tree.program, tree.operand, slot);
  print_parts(&tree, slot);
  print_step(&tree, result, SUM);
}

size_t perlane_expression_text(const perlane_noise *noise, char *buffer, size_t size) {
  struct perlane_text text = perlane_text_begin(buffer, size);
  const perlane_fp_state caller = perlane_fp_enter();
  if (noise && perlane_field_is_ready(noise))
    print_expression(&text, noise);
  perlane_fp_leave(caller);
  return perlane_text_end(&text);
}
