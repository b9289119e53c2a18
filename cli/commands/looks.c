/* SPDX-License-Identifier: MIT
 *
 * perlane looks: the list of looks.
 */
#include "commands/commands.h"
#include "options/options.h"

static const struct cli_command LOOKS = {
    .name = "looks",
    .synopsis = "",
    .about =
        "Lists the looks that 'perlane fill --look' draws, each with a sentence and its size in "
        "nature: the width of the map, and the height of a value difference of 1.",
    .examples = "The names alone.\n"
                "  perlane looks | cut -d ' ' -f 1\n",
};

static void print_look(const perlane_look_record *look) {
  const int is_wide = look->width >= 1000;
  printf("%-15s%s %g %s wide", look->name, look->summary, look->width / (is_wide ? 1000 : 1),
         is_wide ? "km" : "m");
  if (look->height > 0)
    printf(", %g m high", look->height);
  printf(".\n");
}

int cli_looks(char **argv) {
  const int parsed = cli_parse(&(struct cli_command_line){.command = &LOOKS}, argv);
  if (parsed != 0)
    return parsed;
  const perlane_look_record *look;
  for (int i = 0; (look = perlane_look_at(i)) != NULL; i++)
    print_look(look);
  return cli_finish_stdout();
}
