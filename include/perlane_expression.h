/* SPDX-License-Identifier: MIT
 *
 * perlane_expression.h: fields combined in one text, such as
 *
 *   mix(plains, mountains, smooth(-0.1, 0.3, regions)) - 0.01*y
 *
 * An expression is a perlane_noise: the functions of perlane.h take it as they take a field, with
 * the exceptions that perlane_expression_init lists, and with the same bits on every machine,
 * whatever the tiling.
 *
 *   static perlane_noise plains, mountains, land;
 *   const char *const names[] = {"plains", "mountains"};
 *   const perlane_noise *const fields[] = {&plains, &mountains};
 *   perlane_init_text(&plains, "octaves=4");
 *   perlane_init_text(&mountains, "seed=2 octaves=6 fractal=ridged");
 *   perlane_expression_init(&land, "max(plains, mountains)", 2, names, fields);
 *   perlane_fill(&land, &grid, out);
 *
 * docs/specification.md, section 5, defines every operation.
 */
#ifndef PERLANE_EXPRESSION_H
#define PERLANE_EXPRESSION_H

#include "perlane_text.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PERLANE_MAX_EXPRESSION_FIELDS 16 /* maximum number of fields of an expression */
#define PERLANE_MAX_EXPRESSION_STEPS 128 /* maximum number of operands and operations */
#define PERLANE_MAX_EXPRESSION_DEPTH 16  /* maximum number of results that wait for an operation */

/* Maximum stack use of a call with a noise that is an expression, in bytes, as PERLANE_STACK_BYTES;
 * PERLANE_VALLEY_STACK_BYTES more if a field has valleys. With work memory of PERLANE_WORK_BYTES a
 * fill needs at most 40 KiB, except with PERLANE_ISA_SCALAR. */
#define PERLANE_EXPRESSION_STACK_BYTES (PERLANE_STACK_BYTES + 40 * 1024)

/* Initializes *noise to evaluate an expression, in whose text names[i] stands for fields[i], i <
 * count. It refers to these fields, which must stay where they are for as long as it is used; they
 * cannot be expressions. If one is moved and its memory overwritten, reseeded, limited or
 * initialized with other parameters, calls with the expression return PERLANE_ERROR_NOISE until it
 * is made again. An expression that is the name of a field alone copies the field.
 *
 * Some functions of perlane.h mean this for an expression:
 *   - perlane_grid.octaves, perlane_list.octaves and perlane_limit_octaves count the octaves of
 *     each field; with PERLANE_OCTAVES_SHOWN each has those that its own steps show, which at()
 *     scales by the factors of coordinates;
 *   - a value that is not a number, such as sqrt(-1), or of a field outside its domain, is the
 *     quiet NaN 0x7FC00000; as an integer it is 0; extremes are those of numbers, NaN if there are
 *     none;
 *   - gradients follow the chain rule: where min, max, abs, clamp or smooth have a crease, the
 *     derivative is that of the branch which is taken; those of floor and step are 0;
 *   - perlane_range is for any position, so it may be infinite where a coordinate or a quotient has
 *     no bound; perlane_range_in is for a grid;
 *   - perlane_reseed and grids with has_seed return PERLANE_ERROR_EXPRESSION: seeds belong to the
 *     fields;
 *   - there are no cells of it, and shaders do not compute it.
 *
 * A name begins with a letter or '_', continues with letters, digits and '_', and is not the name
 * of a function or a coordinate.
 *
 *   sums and products    + - * / and parentheses, with the usual precedence
 *   numbers              0.3, -2, 1e-3
 *   x, y, z, w           the position
 *   NAME                 the field at the position
 *   at(X, Y, NAME)       the field at another position, with one to four coordinates:
 *                        at(x + 20*a, y, hills) displaces it; at(x, y, hills) is a 2D field in a
 *                        volume. Sums of coordinates times numbers are in double, so that moved,
 *                        rotated and scaled fields hold as far out as positions do
 *   min(A, B)  max(A, B)  abs(A)  sqrt(A)  floor(A)
 *   mix(A, B, T)         A where T is 0, B where T is 1, a blend in between
 *   select(A, B, T)      A where T is below 0.5, B elsewhere; the one not taken may be NaN
 *   clamp(A, LOW, HIGH)
 *   smooth(LOW, HIGH, A) smoothstep: 0 up to LOW, 1 from HIGH on, smooth in between
 *   curve(A, -1:0, 0:0.2, 1:1)
 *                        A on the curve through points X:Y, numbers, as the option curve of fields;
 *                        with `smooth` as the last argument, as with curve_shape=smooth. At most 8
 *                        curves in an expression
 *   step(EDGE, A)        0 below EDGE, 1 from EDGE on
 *   smooth_min(A, B, K)  smooth_max(A, B, K): as min and max, with the crease between values closer
 *                        than the number K, at least 2^-126, rounded
 *
 * names and fields may be NULL if count is 0.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_NOISE if a field was not initialized,
 * PERLANE_ERROR_EXPRESSION if one is an expression or *noise itself, PERLANE_ERROR_COUNT if count
 * is not in 0..PERLANE_MAX_EXPRESSION_FIELDS, or PERLANE_ERROR_SYNTAX for a text that is no such
 * expression or exceeds the limits above; perlane_explain_text says why. An error leaves
 * *noise unchanged. */
PERLANE_API perlane_status perlane_expression_init(perlane_noise *noise, const char *text,
                                                   int32_t count, const char *const *names,
                                                   const perlane_noise *const *fields);

/* Initializes *noise and its fields from one text, whose last statement is the expression;
 * those before it define fields, NAME = OPTIONS, as perlane_init_text reads options, or
 * expressions, NAME = EXPRESSION:
 *
 *   plains = octaves=4; mountains = seed=2 octaves=6 fractal=ridged; bend = seed=3 frequency=0.004
 *   land = max(plains, mountains)
 *   at(x + 20*bend, y, land)
 *
 * "look=NAME" before other options of a field stands for those of a look (perlane_look) in a map
 * 1024 units wide, "look=NAME:WIDTH" for those in a map of another width.
 *
 * Statements are separated by semicolons or line ends, but for line ends in parentheses; a comment
 * extends from '#' to the end of the line. The text of an expression takes the place of its name,
 * in at() with its coordinates and the places of its fields replaced; the program that results has
 * the limits above. fields has room for `room` noises, of which the first *count are initialized.
 * count may be NULL. A text has at most 2 * PERLANE_MAX_EXPRESSION_FIELDS definitions.
 *
 * Returns the statuses of perlane_expression_init, perlane_init_text and perlane_look, or
 * PERLANE_ERROR_COUNT if the text defines more than `room` or PERLANE_MAX_EXPRESSION_FIELDS fields,
 * or too many names. An error leaves *noise unchanged; the contents of fields are then undefined.
 */
PERLANE_API perlane_status perlane_expression_init_text(perlane_noise *noise, const char *text,
                                                        int32_t room, perlane_noise *fields,
                                                        int32_t *count);

/* Writes an expression as a text that perlane_expression_init_text reads back to the same values:
 * definitions of the fields that it uses, in their order, and the expression, with operations on
 * numbers done and blanks only between the options of a field: "plains=octaves=4;hills=seed=2
 * octaves=6;max(plains,hills)" on one line. Operations that are used more than once are defined
 * before it as "part1", "part2" and so on. A field is the expression "f=octaves=4;f". Tables are
 * not part of the text, nor is what perlane_limit_octaves left out. The text is empty if noise is
 * NULL or any other function would return PERLANE_ERROR_NOISE.
 *
 * The buffer and the result are as for perlane_params_print. */
PERLANE_API size_t perlane_expression_text(const perlane_noise *noise, char *buffer, size_t size);

#define perlane_expression_init(...) PERLANE_CHECKED(perlane_expression_init(__VA_ARGS__))
#define perlane_expression_init_text(...) PERLANE_CHECKED(perlane_expression_init_text(__VA_ARGS__))

#ifdef __cplusplus
}
#endif

#endif
