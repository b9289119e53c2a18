/* SPDX-License-Identifier: MIT
 *
 * perlane looks: the list of looks.
 */
#include "commands/commands.h"
#include "options/options.h"

static const struct cli_command LOOKS = {
    .name = "looks",
    .synopsis = "",
    .about = "Lists the looks that 'perlane fill --look' draws, each with a sentence.",
    .examples = "The names alone.\n"
                "  perlane looks | cut -d ' ' -f 1\n",
};

int cli_looks(char **argv) {
  const int parsed = cli_parse(&(struct cli_command_line){.command = &LOOKS}, argv);
  if (parsed != 0)
    return parsed;
  const perlane_look_record *look;
  for (int i = 0; (look = perlane_look_at(i)) != NULL; i++)
    printf("%-15s%s\n", look->name, look->summary);
  return cli_finish_stdout();
}
