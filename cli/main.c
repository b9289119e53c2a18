/* SPDX-License-Identifier: MIT
 *
 * The perlane command: chooses the subcommand.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;
} COMMANDS[] = {
    {"fill", cli_fill, "write an image of a field, or a tile of a larger one"},
    {"points", cli_points, "evaluate a field at the positions on the standard input"},
    {"info", cli_info, "show the version, test the kernels, list presets and choices"},
    {"bench", cli_bench, "measure how fast each instruction set is on this machine"},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static int print_help(void) {
  puts("Usage: perlane COMMAND [OPTION]...\n\n"
       "Perlin gradient noise with the same bits on every CPU.\n\nCommands:");
  for (int i = 0; i < COMMAND_COUNT; i++)
    printf("  %-8s%s\n", COMMANDS[i].name, COMMANDS[i].summary);
  puts("\n'perlane COMMAND --help' lists a command's options.\n"
       "  -h, --help     print this\n"
       "  -V, --version  print the version\n\n"
       "Examples:\n"
       "  perlane fill -o noise.png --octaves 6\n"
       "  echo 3.14,42,7 | perlane points --preset improved\n\n"
       "Exit status: 0, or 1 after a failure, or 2 for arguments that make no sense.");
  return cli_finish_stdout(NULL);
}

int main(int argc, char **argv) {
  /* A write beyond the file size limit is then an error like a full disk, and is reported. */
  signal(SIGXFSZ, SIG_IGN);

  if (argc < 2)
    return cli_refuse(NULL, "a command is missing; expected fill, points, info or bench");
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(argv[1], COMMANDS[i].name) == 0)
      return COMMANDS[i].run(argc - 1, argv + 1);
  const int help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
  const int version = strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0;
  if (!help && !version)
    return cli_refuse(NULL, "unknown %s '%s'; expected fill, points, info or bench",
                      argv[1][0] == '-' ? "option" : "command", argv[1]);
  if (argc > 2)
    return cli_refuse(NULL, "'%s' after %s is one argument too many", argv[2], argv[1]);
  if (help)
    return print_help();
  printf("perlane %s\n", perlane_version());
  return cli_finish_stdout(NULL);
}
