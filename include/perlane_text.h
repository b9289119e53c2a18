/* SPDX-License-Identifier: MIT
 *
 * perlane_text.h: fields as texts, such as "seed=7 octaves=8 fractal=ridged", options by name,
 * presets, and sentences about what is wrong. The functions are in the library, as those of
 * perlane.h are.
 */
#ifndef PERLANE_TEXT_H
#define PERLANE_TEXT_H

#include "perlane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Functions that write a text have a buffer, or message, with room for size bytes. A text that does
 * not fit is truncated; unless size is 0, a NUL ends it. If the buffer is NULL, nothing is written.
 * They return the length of the complete text, without the NUL: the text was truncated if that is
 * size or more.
 *
 * The perlane_explain functions write why another function refuses its arguments: a sentence
 * without a full stop, empty if it accepts them. A buffer of this size holds any of them. */
#define PERLANE_MESSAGE_BYTES 512

/* ---- Fields as texts ------------------------------------------------------------------------ */

/* Initializes *noise to evaluate the default field with the options listed in text: "seed=7
 * octaves=8", or "preset=improved", as perlane_params_parse reads them. "" is the default field.
 *
 * Returns the statuses of perlane_params_parse or of perlane_init. An error leaves *noise
 * unchanged. */
PERLANE_API perlane_status perlane_init_text(perlane_noise *noise, const char *text);
#define perlane_init_text(...) PERLANE_CHECKED(perlane_init_text(__VA_ARGS__))

/* Sets the options listed in text: NAME=VALUE, separated by white space, as in
 * "seed=7 octaves=8 frequency=0.002 fractal=ridged". Options that are not listed keep their values;
 * if one is listed twice, the last value counts. The list may begin with preset=NAME, which calls
 * perlane_preset first. Tables and gradient grids are not part of the text.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_SYNTAX if the text is not such a list,
 * PERLANE_ERROR_OPTION for an unknown name, PERLANE_ERROR_PRESET for an unknown preset or one that
 * is not at the beginning, or PERLANE_ERROR_PARAMETER for an invalid value. An error leaves *params
 * unchanged; if no argument is NULL, *where receives the byte offset in text of the NAME=VALUE at
 * fault. */
PERLANE_API perlane_status perlane_params_parse(perlane_params *params, const char *text,
                                                size_t *where);

/* Writes the options that differ from perlane_params_default() as text, which perlane_params_parse
 * reads back to the same values. They come in the order of perlane_option_at; the text of the
 * default field is empty. Tables and gradient grids are not part of the text. */
PERLANE_API size_t perlane_params_print(const perlane_params *params, char *buffer, size_t size);

/* Sets *params to a preset: the field of another noise library, with frequency 1, one octave and
 * that library's rule for summing octaves. docs/migrating/presets.md describes each preset.
 *
 * Names: "improved", "grid", "diagonal", "circle", "axis", "compass", "pnoise", "classic". "grid"
 * also requires gradient_grid. "diagonal", "circle", "axis" and "classic" make their tables from
 * the seed; set the library's own tables to get its values.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL or PERLANE_ERROR_PRESET. An error leaves *params
 * unchanged. */
PERLANE_API perlane_status perlane_preset(perlane_params *params, const char *name);

/* Returns the name of a preset by its index, counted from 0; NULL if there is no such index. */
PERLANE_API const char *perlane_preset_name(int index);

/* ---- Sentences ------------------------------------------------------------------------------- */

/* Writes why a text is refused:
 *   - with an option's name, by perlane_params_set: "octaves must be a whole number from 1 to 32,
 *     not 33";
 *   - with NULL, by perlane_params_parse or perlane_init_text: "no option is called 'octave'";
 *   - with "expression", by perlane_expression_init_text (perlane_expression.h): "no field is
 *     called 'hill'"; with the names of fields after the word, "expression hills valleys", by
 *     perlane_expression_init;
 *   - with "notes", what an expression's text that is not refused may not mean: definitions that
 *     nothing uses, and fields with the same seed and frequency, whose values are similar. */
PERLANE_API size_t perlane_explain_text(const char *option, const char *text, char *message,
                                        size_t size);

/* Writes why perlane_init refuses the parameters: which one is wrong, or which do not go together,
 * and what they must be. "hash=table needs hash_table, 256 whole numbers from 0 to 255". */
PERLANE_API size_t perlane_explain_params(const perlane_params *params, char *message, size_t size);

/* Writes why perlane_grid_check refuses a grid: "step along y must be a nonzero finite number, not
 * nan". */
PERLANE_API size_t perlane_explain_grid(const perlane_noise *noise, const perlane_grid *grid,
                                        char *message, size_t size);

/* ---- Options by name ------------------------------------------------------------------------ */

/* Type of an option's value, and its form in text. Numbers have a decimal point in every locale and
 * are rounded to the nearest double in every rounding mode. Names of options, choices and presets
 * may contain '-' instead of '_': "ping-pong". */
typedef enum perlane_option_kind {
  PERLANE_OPTION_SEED = 0, /* uint64_t: "7", "0x1F", or "-1" for 2^64 - 1 */
  PERLANE_OPTION_REAL,     /* double: "0.002", "-3", "1e-5"; no hexadecimal, infinity or NaN */
  PERLANE_OPTION_INTEGER,  /* int32_t: "8" */
  PERLANE_OPTION_CHOICE,   /* enumeration: the name of a choice, "ridged" */
  PERLANE_OPTION_AXES,     /* one int32_t per axis: "8,8"; omitted axes are set to 0 */
  PERLANE_OPTION_CURVE,    /* perlane_curve: "-1:-1,0:0.2,1:1", the points' x and y; or "none" */
  PERLANE_OPTION_KIND_COUNT
} perlane_option_kind;

/* One value of an option of kind PERLANE_OPTION_CHOICE. Its index in perlane_option.choices is its
 * value in perlane_params. */
typedef struct perlane_choice {
  const char *name;    /* name in text */
  const char *summary; /* one phrase, without a full stop */
  int32_t dims;        /* dimensions it exists in: bit d - 1 is set for d dimensions */
} perlane_choice;

/* Description of one option of a field: of every member of perlane_params except the tables, their
 * sizes and the reserved members. */
typedef struct perlane_option {
  const char *name;    /* name in text, and of the member: "weighted_strength" */
  const char *heading; /* group in the documentation, such as "Octaves"; options of a group have
                          consecutive indices */
  const char *summary; /* one sentence, with its full stop */
  const perlane_choice *choices; /* choice_count choices; NULL unless kind is
                                    PERLANE_OPTION_CHOICE */
  int32_t choice_count;          /* number of choices; 0 for every other kind */
  int32_t kind;                  /* type of the value: perlane_option_kind */
  int32_t offset;                /* of the member in perlane_params, in bytes */
  int32_t size;                  /* of the member, in bytes */
  int32_t dims;                  /* dimensions in which it has an effect: bit d - 1 is set for d
                                    dimensions */
  int32_t excludes_zero;         /* 1 if 0 is not a valid value, else 0 */
  int32_t min_is_open;           /* 1 if min itself is not a valid value, else 0 */
  int32_t max_is_open;           /* 1 if max itself is not a valid value, else 0 */
  double min;           /* lower bound of the value; for a choice, of its index; -DBL_MAX if the
                           value only has to be finite */
  double max;           /* upper bound, in the same way */
  double default_value; /* default; for PERLANE_OPTION_AXES, of every axis */
} perlane_option;

/* Returns the number of options. */
PERLANE_API int32_t perlane_option_count(void);

/* Returns an option by its index, 0..perlane_option_count() - 1, in the order of the documentation;
 * NULL for any other index. */
PERLANE_API const perlane_option *perlane_option_at(int32_t index);

/* Returns an option by its name; NULL if there is none or name is NULL. */
PERLANE_API const perlane_option *perlane_option_find(const char *name);

/* Writes what an option's value may be, to follow "must be": "a whole number from 1 to 32", "one of
 * lattice, perlin, ...". The text of NULL is empty. */
PERLANE_API size_t perlane_option_expected(const perlane_option *option, char *buffer, size_t size);

/* Sets the option called name to the value given as text, without white space.
 *
 * Returns PERLANE_OK, PERLANE_ERROR_NULL, PERLANE_ERROR_OPTION if no option has this name, or
 * PERLANE_ERROR_PARAMETER if text is not a valid value. An error leaves *params unchanged. */
PERLANE_API perlane_status perlane_params_set(perlane_params *params, const char *name,
                                              const char *text);

/* Writes the value of the option called name as text, which perlane_params_set reads back to the
 * same value. Numbers have as few digits as that allows. An invalid value is written as a number,
 * "nan" or "inf", which perlane_params_set refuses. If no option has this name, or params or name
 * is NULL, the text is empty. */
PERLANE_API size_t perlane_params_get(const perlane_params *params, const char *name, char *buffer,
                                      size_t size);

#ifdef __cplusplus
}
#endif

#endif
