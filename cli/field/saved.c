/* SPDX-License-Identifier: MIT */
#include "field/saved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field/text.h"
#include "formats/carried.h"
#include "map/output.h"

int cli_apply_text(const struct cli_command_line *line, void *values, const char *text) {
  (void)values;
  return cli_text_apply(line, &(struct cli_text){.text = text});
}

static int apply(const struct cli_command_line *line, struct cli_field *field, const char *file,
                 char *text) {
  if (field->saved) {
    free(text);
    return cli_refuse(line->command, "--params and --params-of exclude each other, and a second "
                                     "file of options");
  }
  field->saved = file;
  const int status = cli_text_apply(line, &(struct cli_text){.text = text, .file = file});
  free(text);
  return status;
}

static int is_map(const char *file) {
  const char *problem;
  char *text = cli_carried_read(file, &problem);
  free(text);
  return text != NULL;
}

int cli_apply_file(const struct cli_command_line *line, void *values, const char *file) {
  const char *problem = NULL;
  FILE *stream = fopen(file, "rb");
  char *text = NULL;
  if (stream) {
    text = cli_read_bounded(stream, CLI_MAX_PARAMS, &problem);
    fclose(stream);
  } else {
    problem = strerror(errno);
  }
  return text
             ? apply(line, values, file, text)
             : cli_fail(line->command, "cannot read the options in '%s': %s%s", file, problem,
                        is_map(file) ? "; it is a map, and --params-of reads what it carries" : "");
}

int cli_apply_map(const struct cli_command_line *line, void *values, const char *map) {
  const char *problem;
  char *text = cli_carried_read(map, &problem);
  return text ? apply(line, values, map, text)
              : cli_fail(line->command, "cannot read the options of '%s': %s", map, problem);
}

int cli_save_params(const struct cli_command_line *line, const struct cli_field *field) {
  const char *file = field->save_params;
  struct cli_output output;
  if (!file)
    return 0;
  char *text = cli_text_print(line, "\n", 1);
  const char *problem = !text                            ? strerror(ENOMEM)
                        : strlen(text) >= CLI_MAX_PARAMS ? "its tables are larger than the 64 MiB "
                                                           "that --params reads"
                                                         : cli_output_open(&output, file);
  if (!problem) {
    fprintf(output.stream, "%s\n", text); /* closing reports a failed write */
    problem = cli_output_close(&output);
  }
  free(text);
  return problem ? cli_fail(line->command, "cannot write '%s': %s", file, problem) : 0;
}
