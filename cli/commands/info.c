/* SPDX-License-Identifier: MIT
 *
 * perlane info: the kernels and their self-tests, and the presets. perlane looks: the looks.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "commands/commands.h"
#include "perlane_picture.h"

static const struct cli_command INFO = {
    .name = "info",
    .synopsis = "",
    .about = "Prints the version; for each instruction set whether its kernels are part of\n"
             "this build, supported by this CPU and in use, and their self-test's digest; then\n"
             "the presets with the options they set. Exits with 1 if\n"
             "a self-test is wrong.",
    .examples = "Check that this machine computes the same bits as all others.\n"
                "  $ perlane info\n"
                "The same with the kernels that run on every machine.\n"
                "  $ PERLANE_ISA=scalar perlane info\n",
};

static void print_environment(void) {
  const char *wish = getenv("PERLANE_ISA");
  if (!wish)
    return;
  const perlane_isa isa = perlane_isa_from_name(wish);
  fputs("\nThe environment variable PERLANE_ISA is set to '", stdout);
  cli_print_text(stdout, wish);
  puts(isa == PERLANE_ISA_COUNT      ? "': no such instruction set, ignored"
       : !perlane_isa_supported(isa) ? "': not supported here, ignored"
                                     : "'");
}

/* ---- Presets ---- */

static void print_presets(void) {
  char text[CLI_VALUE_TEXT];
  const char *name;
  printf("\n%-12s%s\n", "--preset", "as --field");
  for (int i = 0; (name = perlane_preset_name(i)) != NULL; i++) {
    perlane_params params;
    perlane_preset(&params, name);
    perlane_params_print(&params, text, sizeof text);
    printf("%-12s%s\n", name, text);
  }
}

int cli_info(char **argv) {
  const int parsed = cli_parse(&(struct cli_command_line){.command = &INFO}, argv);
  if (parsed != 0)
    return parsed;
  const perlane_isa chosen = perlane_isa_current();
  int wrong = 0;
  printf("perlane %s\n", perlane_version());
  printf("self-test digest: expected 0x%016" PRIX64 "\n\n", (uint64_t)PERLANE_SELFTEST_DIGEST);
  printf("%-10s%-10s%-11s%-8s%s\n", "kernels", "built in", "supported", "chosen", "self-test");
  for (int i = PERLANE_ISA_AUTO + 1; i < PERLANE_ISA_COUNT; i++) {
    const perlane_isa isa = (perlane_isa)i;
    printf("%-10s%-10s%-11s%-8s", perlane_isa_name(isa), perlane_isa_built_in(isa) ? "yes" : "no",
           perlane_isa_supported(isa) ? "yes" : "no", isa == chosen ? "yes" : "no");
    if (!perlane_isa_supported(isa)) {
      puts("-");
      continue;
    }
    uint64_t digest = 0;
    const int ok = perlane_selftest(isa, &digest) == PERLANE_OK;
    printf("0x%016" PRIX64 " %s\n", digest, ok ? "ok" : "WRONG");
    wrong |= !ok;
  }
  print_environment();
  print_presets();
  const int status = cli_finish_stdout();
  if (wrong)
    return cli_fail("%s", perlane_status_string(PERLANE_ERROR_SELFTEST));
  return status;
}

/* ---- Looks ---- */

static const struct cli_command LOOKS = {
    .name = "looks",
    .synopsis = "",
    .about = "Lists the looks that 'perlane fill --look' draws, each with a sentence and its\n"
             "size in nature: the width of the map, and the height of a value difference of 1.",
    .examples = "The names alone.\n"
                "  $ perlane looks | cut -d ' ' -f 1\n",
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
