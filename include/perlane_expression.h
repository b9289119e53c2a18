/* SPDX-License-Identifier: MIT
 *
 * perlane_expression.h: fields combined in one text, such as
 *
 *   mix(plains, mountains, smooth(-0.1, 0.3, regions)) - 0.01*y
 *
 * The functions are in the library, as those of perlane.h are, and make the same promises: the same
 * bits on every machine, whatever the tiling; no allocation, no threads, no state.
 *
 *   perlane_noise fields[2];
 *   perlane_expression land;
 *   perlane_init_text(&fields[0], "octaves=4");
 *   perlane_init_text(&fields[1], "seed=2 octaves=6 fractal=ridged");
 *   const char *const names[] = {"plains", "mountains"};
 *   const perlane_noise *const noises[] = {&fields[0], &fields[1]};
 *   perlane_expression_init(&land, "max(plains, mountains)", 2, names, noises);
 *   perlane_expression_fill(&land, &grid, out);
 *
 * docs/specification.md, section 5, defines every operation.
 */
#ifndef PERLANE_EXPRESSION_H
#define PERLANE_EXPRESSION_H

#include "perlane.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PERLANE_MAX_EXPRESSION_FIELDS 16 /* maximum number of fields of an expression */
#define PERLANE_MAX_EXPRESSION_STEPS 128 /* maximum number of operands and operations */
#define PERLANE_MAX_EXPRESSION_DEPTH 16  /* maximum number of results that wait for an operation */

/* Maximum stack use of a call with an expression, in bytes, as PERLANE_STACK_BYTES. */
#define PERLANE_EXPRESSION_STACK_BYTES (PERLANE_STACK_BYTES + 40 * 1024)

/* A step of an expression. Its members are not part of the interface. */
struct perlane_expression_step {
  int32_t operation;
  int32_t operand;
  float number;
};

/* An expression, ready to be evaluated. Initialize it with perlane_expression_init or
 * perlane_expression_init_text. It refers to its fields, which must stay valid and unchanged for as
 * long as it is used; otherwise it may be copied and shared between threads, owns nothing and needs
 * no clean-up. Its members are not part of the interface. */
typedef struct perlane_expression {
  uint64_t ready;
  int32_t count;       /* of steps */
  int32_t field_count; /* of fields */
  struct perlane_expression_step step[PERLANE_MAX_EXPRESSION_STEPS];
  const perlane_noise *field[PERLANE_MAX_EXPRESSION_FIELDS];
  uint64_t reserved[8];
} perlane_expression;

/* Returns the size of a perlane_expression in bytes. */
PERLANE_API size_t perlane_expression_size(void);

/* Initializes *expression from its text, in which names[i] stands for fields[i], i < count. A field
 * may have several names. A name begins with a letter or '_', continues with letters, digits and
 * '_', and is not the name of a function or a coordinate.
 *
 *   sums and products    + - * / and parentheses, with the usual precedence
 *   numbers              0.3, -2, 1e-3
 *   x, y, z, w           the position
 *   NAME                 the field at the position
 *   at(X, Y, NAME)       the field at another position, with one to four coordinates:
 *                        at(x + 20*a, y, hills) displaces it; at(x, y, hills) is a 2D field in a
 *                        volume. An argument that begins with a coordinate is added to it in double
 *   min(A, B)  max(A, B)  abs(A)  sqrt(A)  floor(A)
 *   mix(A, B, T)         A where T is 0, B where T is 1, a blend in between
 *   clamp(A, LOW, HIGH)
 *   smooth(LOW, HIGH, A) smoothstep: 0 up to LOW, 1 from HIGH on, smooth in between
 *   step(EDGE, A)        0 below EDGE, 1 from EDGE on
 *   smooth_min(A, B, K)  smooth_max(A, B, K): as min and max, with the crease between values closer
 *                        than the number K, above 0, rounded
 *
 * names and fields may be NULL if count is 0.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_NOISE if a field was not initialized,
 * PERLANE_ERROR_COUNT if count is not in 0..PERLANE_MAX_EXPRESSION_FIELDS, or PERLANE_ERROR_SYNTAX
 * for a text that is no such expression or exceeds the limits above; perlane_explain_expression
 * says why. An error leaves *expression unchanged. */
PERLANE_API perlane_status perlane_expression_init(perlane_expression *expression, const char *text,
                                                   int32_t count, const char *const *names,
                                                   const perlane_noise *const *fields);

/* Initializes *expression and its fields from one text, whose last statement is the expression;
 * those before it define fields, NAME = OPTIONS, as perlane_init_text reads options:
 *
 *   plains = octaves=4; mountains = seed=2 octaves=6 fractal=ridged; max(plains, mountains)
 *
 * Statements are separated by semicolons or line ends; a comment extends from '#' to the end of the
 * line. fields has room for `room` noises, of which the first *count are initialized. count may be
 * NULL.
 *
 * Returns the statuses of perlane_expression_init and perlane_init_text, or PERLANE_ERROR_COUNT if
 * the text defines more than `room` or PERLANE_MAX_EXPRESSION_FIELDS fields. An error leaves
 * *expression unchanged; the contents of fields are then undefined. */
PERLANE_API perlane_status perlane_expression_init_text(perlane_expression *expression,
                                                        const char *text, int32_t room,
                                                        perlane_noise *fields, int32_t *count);

/* Writes why perlane_expression_init refuses a text: "no field is called 'hill'". If count is 0,
 * the text may define its fields, as for perlane_expression_init_text. Empty if the text is
 * accepted.
 *
 * The buffer and the result are as for perlane_params_get. */
PERLANE_API size_t perlane_explain_expression(const char *text, int32_t count,
                                              const char *const *names, char *message, size_t size);

/* Returns what perlane_expression_fill would return for this grid, as perlane_grid_check does. The
 * coordinates z and w of a grid that does not have them are 0. */
PERLANE_API perlane_status perlane_expression_check(const perlane_expression *expression,
                                                    const perlane_grid *grid);

/* Fills a grid with the expression, as perlane_fill does with a field: the same layout, strides and
 * tiling. Fields are evaluated with the grid's first octaves each, if grid->octaves is not 0. Work
 * memory of PERLANE_WORK_BYTES makes fills up to twice as fast.
 *
 * A value that is not a number, such as sqrt(-1), is the quiet NaN 0x7FC00000. So are fields at a
 * position of at() outside their domain.
 *
 * Returns the statuses of perlane_fill for each field. */
PERLANE_API perlane_status perlane_expression_fill(const perlane_expression *expression,
                                                   const perlane_grid *grid, float *out);

/* Fill a grid as perlane_fill_u16 and perlane_fill_u8 do; what is not a number becomes 0. */
PERLANE_API perlane_status perlane_expression_fill_u16(const perlane_expression *expression,
                                                       const perlane_grid *grid, float low,
                                                       float high, uint16_t *out);
PERLANE_API perlane_status perlane_expression_fill_u8(const perlane_expression *expression,
                                                      const perlane_grid *grid, float low,
                                                      float high, uint8_t *out);

/* Fills a grid and finds the extremes as perlane_fill_extremes does, of all values but those that
 * are not numbers; if there are no others, both are NaN. */
PERLANE_API perlane_status perlane_expression_fill_extremes(const perlane_expression *expression,
                                                            const perlane_grid *grid, float *out,
                                                            float *smallest, float *largest);

/* Fills a grid and the gradient as perlane_fill_gradient does, by the chain rule. Where min, max,
 * abs, clamp or smooth have a crease, the derivative is that of the branch which is taken; those of
 * floor and step are 0.
 *
 * Returns the statuses of perlane_fill_gradient for each field. */
PERLANE_API perlane_status perlane_expression_fill_gradient(const perlane_expression *expression,
                                                            const perlane_grid *grid, float *out,
                                                            float *const *gradient);

/* Evaluates the expression at a list of positions as perlane_points_list does. */
PERLANE_API perlane_status perlane_expression_points(const perlane_expression *expression,
                                                     const perlane_list *list, float *out,
                                                     float *const *gradient);

/* Returns the expression's value at one position, as perlane_at does, and stores the gradient in
 * gradient[0..dims-1] unless gradient is NULL, as perlane_at_gradient does. */
PERLANE_API float perlane_expression_at(const perlane_expression *expression, int32_t dims,
                                        const double *position, float *gradient);

/* Computes bounds of the values in a grid, or in dims dimensions at any position if grid is NULL:
 * no sample is below *low or above *high. They follow from the bounds of the fields and the
 * positions, operation by operation, so they may be wide; infinite, where a quotient or a position
 * has no bound. What is not a number is not bounded.
 *
 * Returns the statuses of perlane_range for each field, or of perlane_expression_check if grid is
 * not NULL. */
PERLANE_API perlane_status perlane_expression_range(const perlane_expression *expression,
                                                    int32_t dims, const perlane_grid *grid,
                                                    float *low, float *high);

#ifdef __cplusplus
}
#endif

#endif
