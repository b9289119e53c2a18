/* SPDX-License-Identifier: MIT
 *
 * Params as JSON: printed from the tables of options, and set through the options' own parsers.
 */
#include "field/params.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "field/json.h"
#include "field/metadata.h"
#include "options/names.h"
#include "map/output.h"

/* ---- Which options there are ---- */

/* An option of the groups, with its group's values. */
struct entry {
  const struct cli_option *option;
  void *values;
};

static struct entry find_option(const struct cli_group *groups, size_t count, const char *name) {
  for (size_t g = 0; g < count; g++)
    for (size_t i = 0; i < groups[g].count; i++)
      if (strcmp(groups[g].option[i].name, name) == 0 && !groups[g].option[i].local)
        return (struct entry){&groups[g].option[i], groups[g].values};
  return (struct entry){NULL, NULL};
}

static int is_flag(const struct cli_option *option) {
  return option->kind == &CLI_FLAG || option->kind == &CLI_SWITCH;
}

/* Whether an option is to be saved. Of several names for one value it is the first one, of several
 * flags that of the value. */
static int is_saved(const struct cli_group *group, size_t number) {
  const struct cli_option *option = &group->option[number];
  const int value =
      is_flag(option) ? *(const int *)((const char *)group->values + option->offset) : 0;
  if (option->local || option->first)
    return 0;
  for (size_t i = 0; i < group->count; i++) {
    const struct cli_option *other = &group->option[i];
    if (i == number || other->first || other->offset != option->offset)
      continue;
    if (is_flag(option))
      return value == option->flag;
    if (i < number)
      return 0;
  }
  return 1;
}

/* ---- Printing ---- */

struct printer {
  FILE *stream;
  const char *between; /* options */
  const struct cli_field *field;
  int whole; /* tables of any size */
};

static void print_float(FILE *stream, float value) {
  char text[40];
  for (int digits = 6; digits <= 9; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, (double)value);
    if ((float)strtod(text, NULL) == value)
      break;
  }
  /* As an integer, -0 would lose its sign. */
  fputs(strcmp(text, "-0") == 0 ? "-0.0" : text, stream);
}

static void print_floats(FILE *stream, const float *value, size_t count) {
  for (size_t i = 0; i < count; i++) {
    fputs(i ? ", " : "", stream);
    print_float(stream, value[i]);
  }
}

static size_t grid_points(const perlane_params *params) {
  return (size_t)params->gradient_grid_count[0] * (size_t)params->gradient_grid_count[1];
}

static int is_left_out(const struct printer *printer) {
  return !printer->whole && grid_points(&printer->field->params) > CLI_GRID_EMBEDDED;
}

/* Whether there is anything to print for the option with a content. */
static int has_content(const struct printer *printer, int content) {
  const perlane_params *params = &printer->field->params;
  switch (content) {
  case CLI_HAS_HASH_TABLE:
    return params->hash_table != NULL;
  case CLI_HAS_GRADIENTS:
    return params->gradient_table != NULL;
  default:
    return params->gradient_grid && (!is_left_out(printer) || printer->field->gradient_grid);
  }
}

static void print_hash_table(FILE *stream, const perlane_params *params) {
  const int count = params->hash == PERLANE_HASH_PRIMES ? 1024 : 256;
  fputc('[', stream);
  for (int i = 0; i < count; i++)
    fprintf(stream, "%s%" PRId32, i ? ", " : "", params->hash_table[i]);
  fputc(']', stream);
}

static void print_gradients(FILE *stream, const perlane_params *params) {
  const size_t dims = (size_t)params->gradient_dims;
  for (int32_t i = 0; i < params->gradient_count; i++) {
    fputs(i ? ", [" : "[[", stream);
    print_floats(stream, params->gradient_table + (size_t)i * dims, dims);
    fputc(']', stream);
  }
  fputc(']', stream);
}

static void print_content(const struct printer *printer, int content) {
  const perlane_params *params = &printer->field->params;
  FILE *stream = printer->stream;
  if (content == CLI_HAS_HASH_TABLE) {
    print_hash_table(stream, params);
  } else if (content == CLI_HAS_GRADIENTS) {
    print_gradients(stream, params);
  } else if (is_left_out(printer)) {
    cli_json_print_string(stream, printer->field->gradient_grid);
  } else {
    fprintf(stream, "{\"count\": [%" PRId32 ", %" PRId32 "], \"gradients\": [",
            params->gradient_grid_count[0], params->gradient_grid_count[1]);
    print_floats(stream, params->gradient_grid, 2 * grid_points(params));
    fputs("]}", stream);
  }
}

/* A value as its option prints it, malloc'ed; NULL without memory. */
static char *printed(const struct cli_option *option, const void *values) {
  char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  cli_print_value(stream, option, values);
  if (fclose(stream) == 0)
    return text;
  free(text);
  return NULL;
}

/* Whether an option takes what it prints: for the help, one that is to be chosen later may print
 * words, and is not saved. */
static int is_taken(const struct cli_option *option, const char *text) {
  union {
    max_align_t alignment;
    char byte[1024]; /* more than any value */
  } scratch = {.byte = {0}};
  return option->kind->names || option->kind->parse(text, &scratch);
}

/* Prints an option and its value, unless there is none. 0 without memory. */
static int print_option(const struct printer *printer, const struct cli_option *option,
                        const void *values, int *any) {
  const char *name = NULL;
  char *text = NULL;
  if (option->content && !has_content(printer, option->content))
    return 1;
  if (option->kind == &CLI_TEXT) {
    name = *(const char *const *)((const char *)values + option->offset);
    if (!name && !option->content)
      return 1;
  } else if (!is_flag(option)) {
    text = printed(option, values);
    if (!text)
      return 0;
    if (!is_taken(option, text)) {
      free(text);
      return 1;
    }
  }
  fprintf(printer->stream, "%s\"%s\": ", *any ? printer->between : "", option->name);
  *any = 1;
  if (option->content)
    print_content(printer, option->content);
  else if (is_flag(option))
    fputs(*(const int *)((const char *)values + option->offset) == option->flag ? "true" : "false",
          printer->stream);
  else if (name)
    cli_json_print_string(printer->stream, name);
  else if (cli_json_is_number(text))
    fputs(text, printer->stream);
  else
    cli_json_print_string(printer->stream, text);
  free(text);
  return 1;
}

/* The params between these texts. */
static char *print_params(const struct cli_command *command, const struct cli_group *groups,
                          size_t count, struct printer *printer, const char *begin,
                          const char *end) {
  char *text = NULL;
  size_t length;
  int any = 0, complete = 1;
  FILE *stream = open_memstream(&text, &length);
  if (!stream)
    return NULL;
  printer->stream = stream;
  fprintf(stream, "{\"perlane\": \"%s\", \"command\": \"%s\", \"options\": {%s", perlane_version(),
          command->name, begin);
  for (size_t g = 0; g < count; g++)
    for (size_t i = 0; i < groups[g].count; i++)
      if (is_saved(&groups[g], i))
        complete &= print_option(printer, &groups[g].option[i], groups[g].values, &any);
  fputs(end, stream);
  complete &= !ferror(stream);
  if (fclose(stream) == 0 && complete)
    return text;
  free(text);
  return NULL;
}

char *cli_params_text(const struct cli_command *command, const struct cli_group *groups,
                      size_t count, const struct cli_field *field) {
  struct printer printer = {.between = ", ", .field = field};
  if (field->params.gradient_grid && is_left_out(&printer)) {
    cli_begin_message(command);
    fprintf(stderr, "note: the gradient grid has more than %d points: the params in the file %s\n",
            CLI_GRID_EMBEDDED,
            field->gradient_grid ? "carry its name only" : "do not carry it; --save-params does");
  }
  return print_params(command, groups, count, &printer, "", "}}");
}

int cli_params_save(const struct cli_command *command, const struct cli_group *groups, size_t count,
                    const struct cli_field *field) {
  struct printer printer = {.between = ",\n  ", .field = field, .whole = 1};
  const char *file = field->save_params;
  struct cli_output output;
  if (!file)
    return 0;
  char *text = print_params(command, groups, count, &printer, "\n  ", "\n}}\n");
  if (!text)
    return cli_fail(command, "cannot write '%s': %s", file, strerror(ENOMEM));
  const char *problem = "with this gradient grid it is larger than what can be loaded, 256 MiB";
  if (strlen(text) <= CLI_JSON_MOST) {
    problem = cli_output_open(&output, file);
    if (!problem) {
      fputs(text, output.stream); /* closing tells whether it was written */
      problem = cli_output_close(&output);
    }
  }
  free(text);
  return problem ? cli_fail(command, "cannot write '%s': %s", file, problem) : 0;
}

/* ---- Loading ---- */

struct loader {
  const struct cli_command *command;
  const char *file;
  struct cli_field *field;
  const char *version; /* that the file says it is of; may be NULL */
  int other_command;   /* the file is of another one, which may have other options */
};

/* A text from a file, which may be anything, as part of a message. */
static void print_strange(const char *text) {
  enum { MOST = 40 };
  int shown = 0;
  for (; *text != '\0' && shown < MOST; text++, shown++)
    fputc((unsigned char)*text < ' ' || *text == 0x7F ? '?' : *text, stderr);
  if (*text != '\0')
    fputs("...", stderr);
}

static void begin_failure(const struct loader *loader) {
  cli_begin_message(loader->command);
  fprintf(stderr, "params of '%s': ", loader->file);
}

CLI_PRINTF(3, 4)
static int fail_option(const struct loader *loader, const char *name, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin_failure(loader);
  if (name) {
    print_strange(name);
    fputs(": ", stderr);
  }
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return CLI_FAILURE;
}

static int has_zero(struct json_object *string) {
  return strlen(json_object_get_string(string)) != (size_t)json_object_get_string_len(string);
}

/* A number's double, and whether it is one in JSON: json-c takes NaN and Infinity too. */
static int get_number(struct json_object *value, double *number) {
  if (!json_object_is_type(value, json_type_int) && !json_object_is_type(value, json_type_double))
    return 0;
  *number = json_object_get_double(value);
  return isfinite(*number) != 0;
}

static int get_integer(struct json_object *value, int64_t least, int64_t most, int32_t *integer) {
  if (!json_object_is_type(value, json_type_int))
    return 0;
  const int64_t wide = json_object_get_int64(value); /* held at the ends of int64_t */
  if (wide < least || wide > most)
    return 0;
  *integer = (int32_t)wide;
  return 1;
}

static size_t length_of(struct json_object *value) {
  return json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;
}

/* Floats from an array. Returns 0, or the exit status after a message. */
static int load_floats(const struct loader *loader, const char *name, struct json_object *array,
                       size_t count, float *value) {
  for (size_t i = 0; i < count; i++) {
    double number;
    if (!get_number(json_object_array_get_idx(array, i), &number) ||
        fabs(number) > PERLANE_MAX_GRADIENT)
      return fail_option(loader, name, "component %zu is not a number from %g to %g", i,
                         -PERLANE_MAX_GRADIENT, PERLANE_MAX_GRADIENT);
    value[i] = (float)number;
  }
  return 0;
}

static int load_hash_table(const struct loader *loader, const char *name,
                           struct json_object *value) {
  struct cli_tables *tables = &loader->field->tables;
  const size_t count = length_of(value);
  if (count != 256 && count != 1024)
    return fail_option(loader, name,
                       "not a table; expected 256 numbers in brackets, or 1024 for hash primes");
  for (size_t i = 0; i < count; i++)
    if (!get_integer(json_object_array_get_idx(value, i), 0, 255, &tables->hash[i]))
      return fail_option(loader, name, "number %zu is not a whole number from 0 to 255", i);
  tables->hash_count = (int)count;
  loader->field->params.hash_table = tables->hash;
  return 0;
}

static int load_gradients(const struct loader *loader, const char *name,
                          struct json_object *value) {
  struct cli_field *field = loader->field;
  const size_t count = length_of(value);
  const size_t dims = count ? length_of(json_object_array_get_idx(value, 0)) : 0;
  if (count < 2 || count > 256 || dims < 1 || dims > PERLANE_MAX_DIMS)
    return fail_option(loader, name,
                       "not vectors; expected [[x, y], ...], 2 to 256 of 1 to %d numbers",
                       PERLANE_MAX_DIMS);
  for (size_t i = 0; i < count; i++) {
    struct json_object *vector = json_object_array_get_idx(value, i);
    if (length_of(vector) != dims)
      return fail_option(loader, name, "vector %zu does not have %zu components as the first", i,
                         dims);
    const int status = load_floats(loader, name, vector, dims, field->tables.gradient + i * dims);
    if (status != 0)
      return status;
  }
  field->params.gradient_table = field->tables.gradient;
  field->params.gradient_dims = (int32_t)dims;
  field->params.gradient_count = (int32_t)count;
  return 0;
}

static int load_grid(const struct loader *loader, const char *name, struct json_object *value) {
  struct cli_field *field = loader->field;
  struct json_object *size, *gradients;
  int32_t count[2];
  if (!json_object_is_type(value, json_type_object) ||
      !json_object_object_get_ex(value, "count", &size) ||
      !json_object_object_get_ex(value, "gradients", &gradients) || length_of(size) != 2)
    return fail_option(loader, name,
                       "not a grid; expected {\"count\": [NX, NY], \"gradients\": "
                       "[...]}");
  for (size_t a = 0; a < 2; a++)
    if (!get_integer(json_object_array_get_idx(size, a), 1, PERLANE_MAX_PERIOD, &count[a]))
      return fail_option(loader, name, "count %zu is not a whole number from 1 to %d", a,
                         PERLANE_MAX_PERIOD);
  const uint64_t floats = 2 * (uint64_t)count[0] * (uint64_t)count[1];
  if (length_of(gradients) != floats)
    return fail_option(loader, name,
                       "%zu components; %" PRId32 " x %" PRId32 " gradients have %" PRIu64,
                       length_of(gradients), count[0], count[1], floats);
  float *grid = malloc((size_t)floats * sizeof *grid);
  if (!grid)
    return fail_option(loader, name, "%s", strerror(ENOMEM));
  const int status = load_floats(loader, name, gradients, (size_t)floats, grid);
  free(field->tables.grid);
  field->tables.grid = grid;
  field->params.gradient_grid = grid;
  memcpy(field->params.gradient_grid_count, count, sizeof count);
  return status;
}

/* A table, or as a string the name of its file. */
static int load_content(const struct loader *loader, const struct cli_option *option,
                        struct json_object *value) {
  struct cli_field *field = loader->field;
  const int is_name = json_object_is_type(value, json_type_string);
  if (is_name && has_zero(value))
    return fail_option(loader, option->name, "a file's name cannot have a zero in it");
  const char *name = is_name ? json_object_get_string(value) : NULL;
  switch (option->content) {
  case CLI_HAS_HASH_TABLE:
    field->loaded.hash_table = name;
    return is_name ? 0 : load_hash_table(loader, option->name, value);
  case CLI_HAS_GRADIENTS:
    field->loaded.gradients = name;
    return is_name ? 0 : load_gradients(loader, option->name, value);
  default:
    field->loaded.gradient_grid = name;
    return is_name ? 0 : load_grid(loader, option->name, value);
  }
}

static int fail_value(const struct loader *loader, const struct cli_option *option,
                      const char *text) {
  begin_failure(loader);
  fprintf(stderr, "%s: '", option->name);
  print_strange(text);
  fputs("': ", stderr);
  cli_print_wrong(stderr, option);
  fputc('\n', stderr);
  return CLI_FAILURE;
}

static int load_value(const struct loader *loader, struct entry entry, struct json_object *value) {
  const struct cli_option *option = entry.option;
  const enum json_type type = json_object_get_type(value);
  if (option->content)
    return load_content(loader, option, value);
  if (is_flag(option)) {
    if (type != json_type_boolean)
      return fail_option(loader, option->name, "expected true or false");
    if (json_object_get_boolean(value)) /* false leaves it as it is without the option */
      (void)cli_parse_value(option, NULL, entry.values);
    return 0;
  }
  if (type != json_type_string && type != json_type_int && type != json_type_double)
    return fail_option(loader, option->name, "expected a number or a string");
  const char *text = json_object_get_string(value);
  if (type != json_type_string && !cli_json_is_number(text))
    return fail_option(loader, option->name, "'%.20s' is not a number in JSON", text);
  if (type == json_type_string && has_zero(value))
    return fail_option(loader, option->name, "a string with a zero in it");
  return cli_parse_value(option, text, entry.values) ? 0 : fail_value(loader, option, text);
}

/* Whether version a.b.c is above that of this command. */
static int is_newer(const char *version) {
  const char *own = perlane_version();
  for (int i = 0; i < 3; i++) {
    uint64_t theirs, ours;
    version = cli_scan_decimal(version, &theirs);
    own = cli_scan_decimal(own, &ours);
    if (!version || !own)
      return 0;
    if (theirs != ours)
      return theirs > ours;
    version += *version == '.';
    own += *own == '.';
  }
  return 0;
}

static int fail_unknown(const struct loader *loader, const char *key) {
  begin_failure(loader);
  fputc('\'', stderr);
  print_strange(key);
  fprintf(stderr, "': there is no such option of '%s' among those that are saved",
          loader->command->name);
  if (loader->version && is_newer(loader->version)) {
    fputs("; the params are of perlane ", stderr);
    print_strange(loader->version);
    fprintf(stderr, ", and this is %s", perlane_version());
  }
  fputc('\n', stderr);
  return CLI_FAILURE;
}

/* A preset before all others, as on the command line. */
static int load_options(const struct loader *loader, const struct cli_group *groups, size_t count,
                        struct json_object *options) {
  for (int first = 1; first >= 0; first--) {
    json_object_object_foreach(options, key, value) {
      const struct entry entry = find_option(groups, count, key);
      if (!entry.option && !loader->other_command)
        return fail_unknown(loader, key);
      if (!entry.option || entry.option->first != first)
        continue;
      const int status = load_value(loader, entry, value);
      if (status != 0)
        return status;
    }
  }
  return 0;
}

/* As tables on the command line do, those loaded imply what uses them, but do not override
 * another. */
static int check_tables(const struct loader *loader, struct json_object *options) {
  perlane_params *params = &loader->field->params;
  const struct cli_field *field = loader->field;
  const int has_table = params->hash_table || field->loaded.hash_table;
  const int has_grid = params->gradient_grid || field->loaded.gradient_grid;
  const int has_gradients = params->gradient_table || field->loaded.gradients;
  if (!json_object_object_get_ex(options, "hash", NULL)) {
    if (has_table && params->hash != PERLANE_HASH_PRIMES)
      params->hash = PERLANE_HASH_TABLE;
    if (has_grid)
      params->hash = PERLANE_HASH_GRID;
  }
  if (has_gradients && !json_object_object_get_ex(options, "gradient-set", NULL))
    params->gradients = PERLANE_GRADIENTS_TABLE;
  const char *hash = cli_name_of(CLI_HASHES, (int)params->hash);
  if (has_table && params->hash != PERLANE_HASH_TABLE && params->hash != PERLANE_HASH_PRIMES)
    return fail_option(loader, "table", "hash %s uses no table", hash);
  if (has_grid && params->hash != PERLANE_HASH_GRID)
    return fail_option(loader, "gradient-grid", "hash %s uses no grid", hash);
  if (has_gradients && params->gradients != PERLANE_GRADIENTS_TABLE)
    return fail_option(loader, "gradients", "gradient-set %s has its own",
                       cli_name_of(CLI_GRADIENTS, (int)params->gradients));
  const int count = params->hash == PERLANE_HASH_PRIMES ? 1024 : 256;
  if (params->hash_table && field->tables.hash_count != count)
    return fail_option(loader, "table", "%d numbers; hash %s takes %d", field->tables.hash_count,
                       hash, count);
  return 0;
}

/* The object of options of whole params, and what goes with it; NULL after a message. */
static struct json_object *open_params(struct loader *loader, struct json_object *root) {
  struct json_object *options = NULL;
  const char *command = NULL;
  if (!json_object_is_type(root, json_type_object)) {
    fail_option(loader, NULL, "not an object, but other JSON");
    return NULL;
  }
  if (json_object_object_get_ex(root, "file", NULL) &&
      json_object_object_get_ex(root, "params", NULL)) {
    fail_option(loader, NULL, "this file belongs to a map: give --params-of the map's own name");
    return NULL;
  }
  json_object_object_foreach(root, key, value) {
    const int is_string = json_object_is_type(value, json_type_string);
    const char *problem = NULL;
    if (strcmp(key, "perlane") == 0) {
      loader->version = json_object_get_string(value);
      problem = is_string ? NULL : "expected a version as a string";
    } else if (strcmp(key, "command") == 0) {
      command = json_object_get_string(value);
      problem = is_string ? NULL : "expected a command's name as a string";
    } else if (strcmp(key, "options") == 0) {
      options = value;
      problem = json_object_is_type(value, json_type_object) ? NULL : "expected an object";
    } else {
      problem = "no such member; expected perlane, command and options";
    }
    if (problem) {
      fail_option(loader, key, "%s", problem);
      return NULL;
    }
  }
  if (!options)
    fail_option(loader, NULL, "there is no object \"options\"");
  loader->other_command = command && strcmp(command, loader->command->name) != 0;
  return options;
}

/* Reads the text of --params or --params-of. */
static char *read_text(const struct cli_field *field, size_t *length, const char **problem) {
  if (!field->params_file) {
    char *text = cli_metadata_read(field->params_of, problem);
    *length = text ? strlen(text) : 0;
    return text;
  }
  FILE *stream = fopen(field->params_file, "rb");
  if (!stream) {
    *problem = strerror(errno);
    return NULL;
  }
  char *text = cli_json_read(stream, length, problem);
  fclose(stream);
  return text;
}

static int carries_params(const char *file) {
  const char *problem;
  char *text = cli_metadata_read(file, &problem);
  free(text);
  return text != NULL;
}

int cli_params_load(const struct cli_command *command, struct cli_group *groups, size_t count,
                    struct cli_field *field) {
  if (!field->params_file && !field->params_of)
    return 0;
  if (field->params_file && field->params_of)
    return cli_refuse(command, "--params and --params-of exclude each other");
  struct loader loader = {
      .command = command,
      .file = field->params_file ? field->params_file : field->params_of,
      .field = field,
  };
  const char *problem;
  char wrong[160];
  size_t length;
  char *text = read_text(field, &length, &problem);
  if (!text)
    return cli_fail(command, "cannot read the params of '%s': %s%s", loader.file, problem,
                    field->params_file && carries_params(loader.file)
                        ? "; it is a map, and --params-of reads the params that it carries"
                        : "");
  struct json_object *root = cli_json_parse(text, length, wrong, sizeof wrong);
  free(text);
  if (!root)
    return fail_option(&loader, NULL, "%s", wrong);
  field->loaded.json = root;
  struct json_object *options = open_params(&loader, root);
  const int status = options ? load_options(&loader, groups, count, options) : CLI_FAILURE;
  return status == 0 ? check_tables(&loader, options) : status;
}
