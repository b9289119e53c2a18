/* SPDX-License-Identifier: MIT
 *
 * The options that describe a field, for the commands that evaluate one.
 */
#ifndef PERLANE_CLI_FIELD_H
#define PERLANE_CLI_FIELD_H

#include "options/options.h"
#include "perlane_text.h"
#include "perlane_expression.h"

/* The tables of a field: the hash's, gradients, and a grid of gradients. Texts of options have them
 * as lists: hash_table=[0,1,...], gradient_table=[[1,0],...], gradient_grid=[[[1,0],...],...]. */
enum { CLI_HASH_TABLE, CLI_GRADIENT_TABLE, CLI_GRADIENT_GRID, CLI_TABLES };

struct cli_tables {
  const char *text[CLI_TABLES]; /* NULL for none */
  int32_t hash[1024];
  float gradient[256 * PERLANE_MAX_DIMS];
  float *grid; /* to be freed */
};

/* Reads the tables of a field, and selects the hash and the gradient set that use them, unless
 * others are given. A hash or a set from a later source drops a table that it does not use. Returns
 * 0, or the exit status. */
int cli_tables_read(const struct cli_command_line *line, struct cli_tables *tables,
                    perlane_params *params);

/* Several fields in one. The text is NULL for none; when the noise is made, it becomes the whole
 * text, as maps carry it. */
struct cli_expression {
  const char *text;
  char *definitions; /* of --field-as, each with a semicolon after it; to be freed, as the rest */
  char *whole;       /* the text, when the noise is made */
  perlane_noise *fields; /* PERLANE_MAX_EXPRESSION_FIELDS */
};

struct cli_field {
  perlane_params params;
  struct cli_expression expression;
  struct cli_tables tables; /* that params point to */
  int print_params;         /* in place of the result */
  const char *saved;        /* the file that options were loaded from, NULL for none */
  char *saved_text;         /* that it contains; to be freed */
  perlane_noise noise;
};

/* Sets the defaults, and adds the field's options to a command line. The field is to stay where it
 * is. */
void cli_add_field_options(struct cli_command_line *line, struct cli_field *field);

/* Prints the number that a seed given as a negative one has become. */
void cli_field_note_seed(const struct cli_command_line *line, const struct cli_field *field);

/* Frees what the field holds. */
void cli_field_end(struct cli_field *field);

/* Makes the noise that a parsed command line describes. Returns 0, or the exit status. */
int cli_field_make(const struct cli_command_line *line, struct cli_field *field);

/* Makes the noise of the field's params, with tables that have been read. Returns 0, or the exit
 * status. */
int cli_field_init(struct cli_field *field);

/* Refuses a field that does not exist in dims dimensions. Returns 0, or the exit status. */
int cli_field_check_dims(const struct cli_field *field, int32_t dims);

/* The number of octaves that are evaluated. */
int32_t cli_field_octaves(const struct cli_field *field);

/* ---- Expressions ---- */

/* A text, or none. */
extern const struct cli_kind CLI_EXPRESSION;

/* Adds a definition, NAME=OPTIONS, whose options may begin with look=NAME. */
int cli_add_field_as(struct cli_command_line *line, void *values, char *text);
/* Sets *params to a look in the place of the map; returns 0 if there is none (map/look.c). */
int cli_field_look(const struct cli_field *field, const char *name, perlane_params *params);

/* Notes what a text may not mean: definitions that nothing uses, and fields that are alike. */
void cli_expression_note(const char *text);

/* Completes the expression's text and makes its noise. Returns 0, or the exit status. */
int cli_expression_make(const struct cli_command_line *line, struct cli_field *field);

/* Return a text to be freed: that of a file, which a failure names as what it is to be, or NULL
 * after a failure; and that of a noise, with '&' for its blanks. */
char *cli_expression_read(const char *what, const char *file);
char *cli_expression_text(const perlane_noise *noise);

/* Replaces the expression E by E * scale + offset. Returns 0, or the exit status. */
int cli_expression_scale(struct cli_field *field, double scale, double offset);
void cli_expression_end(struct cli_expression *expression);

/* ---- Options as text: --field, --params-of and --print-params ---- */

/* Add the options of a text, of what a map carries, or of that or a file that is a text; values are
 * the field's. Return 0, or the exit status. */
int cli_add_text(struct cli_command_line *line, void *values, char *text);
int cli_add_map(struct cli_command_line *line, void *values, char *map);
int cli_add_file(struct cli_command_line *line, void *values, char *file);

/* Prints the options of a command line as text, with `between` between them: those whose values are
 * not the default, and with a map its size, depth and range. Returns a text to be freed. */
char *cli_text_print(const struct cli_command_line *line, const char *between);

/* Prints it, an option a line, to the standard output. Returns 0, or the exit status. */
int cli_params_print(const struct cli_command_line *line);

#endif
