/* SPDX-License-Identifier: MIT
 *
 * The perlane command: chooses the subcommand.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"

static const struct {
  const char *name;
  int (*run)(char **argv);
  const char *summary;
} COMMANDS[] = {
    {"fill", cli_fill, "writes a map of a field, or a tile of a larger one"},
    {"verify", cli_verify, "checks files of fill against the options that they carry"},
    {"points", cli_points, "evaluates a field at the positions on the standard input"},
    {"scatter", cli_scatter, "prints points to place things at"},
    {"info", cli_info, "shows the version, tests the kernels, lists presets"},
    {"looks", cli_looks, "lists the looks that fill --look draws"},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static int print_help(void) {
  puts("Usage: perlane COMMAND [OPTION]...\n\n"
       "Makes heightmaps, textures and lists of values from Perlin, simplex, value,\n"
       "cellular and white noise, with the same bits on every CPU.\n\nCommands:");
  for (int i = 0; i < COMMAND_COUNT; i++)
    printf("  %-8s%s\n", COMMANDS[i].name, COMMANDS[i].summary);
  puts("\n'perlane help COMMAND' lists a command's options; 'man perlane' is the manual.\n"
       "  -h, --help     prints this\n"
       "  -V, --version  prints the version\n\n"
       "A terrain, with features of up to 500 pixels and detail down to a few:\n"
       "  $ perlane fill -o terrain.png --size 2k --frequency 0.002 --octaves 8\n\n"
       "A texture that repeats after its 512 pixels:\n"
       "  $ perlane fill -o tile.png --size 512 --frequency 0.015 --seamless --octaves 5\n\n"
       "The terrain's values at positions of your own:\n"
       "  $ echo 1000 250.5 | perlane points --params-of terrain.png\n\n"
       "Exit status: 0, 1 after a failure, 2 for invalid arguments.");
  return cli_finish_stdout();
}

static int refuse_command(const char *problem, const char *argument) {
  const int status = argument ? cli_refuse("'%s': %s; expected", argument, problem)
                              : cli_refuse("%s; expected", problem);
  const char *between = CLI_DID_YOU_MEAN;
  for (int i = 0; i < COMMAND_COUNT; i++)
    fprintf(cli_message(), "%s %s", i ? "," : " one of", COMMANDS[i].name);
  for (int i = 0; argument && i < COMMAND_COUNT; i++)
    between = cli_suggest(between, "", COMMANDS[i].name, argument);
  fputs(*between == ',' ? "?" : "", cli_message());
  return status;
}

static int run(int argc, char **argv) {
  if (argc < 2)
    return refuse_command("a command is missing", NULL);
  const int help =
      strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(argv[1], COMMANDS[i].name) == 0)
      return COMMANDS[i].run(argv + 1);
    else if (help && argc == 3 && strcmp(argv[2], COMMANDS[i].name) == 0)
      return COMMANDS[i].run((char *[]){argv[2], (char[]){"--help"}, NULL});
  const int version = strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0;
  if (!help && !version)
    return refuse_command(argv[1][0] == '-' ? "unknown option" : "unknown command", argv[1]);
  if (help && argc == 3)
    return refuse_command("unknown command", argv[2]);
  if (argc > 2)
    return cli_refuse("'%s' after %s is one argument too many", argv[2], argv[1]);
  if (help)
    return print_help();
  printf("perlane %s\n", perlane_version());
  return cli_finish_stdout();
}

/* Opens the standard streams that the caller has closed: otherwise a map would be opened as one of
 * them, and messages be written into it. Reading and writing them still fails. */
static void reserve_streams(void) {
  static const int mode[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int file = 0; file <= STDERR_FILENO; file++)
    if (fcntl(file, F_GETFD) < 0)
      (void)open("/dev/null", mode[file]);
}

int main(int argc, char **argv) {
  reserve_streams();
  /* A write beyond the file size limit is then an error like a full disk, and is reported. */
  signal(SIGXFSZ, SIG_IGN);
  cli_name_command(NULL);
  cli_is_quiet = 0;
  const int status = run(argc, argv);
  cli_print_message();
  cli_output_raise();
  return status == CLI_HELPED ? 0 : status;
}
