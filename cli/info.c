/* SPDX-License-Identifier: MIT
 *
 * perlane info: which kernels there are, which one runs, and whether they keep the promise.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "commands.h"
#include "options.h"

static const struct cli_command INFO = {
    .name = "info",
    .synopsis = "",
    .about =
        "Prints the version, and for each instruction set whether its kernels are part of this\n"
        "build, supported by this CPU and in use, and what they compute in the self-test.\n"
        "Exits with 1 if that is wrong for any supported one.",
    .examples = "  perlane info\n"
                "  PERLANE_ISA=scalar perlane info\n",
};

static void print_environment(void) {
  const char *wish = getenv("PERLANE_ISA");
  if (!wish)
    return;
  const perlane_isa isa = perlane_isa_from_name(wish);
  printf("\nThe environment variable PERLANE_ISA is set to '%s'%s\n", wish,
         isa == PERLANE_ISA_COUNT      ? ": no such instruction set, ignored"
         : !perlane_isa_supported(isa) ? ": not supported here, ignored"
                                       : "");
}

int cli_info(int argc, char **argv) {
  switch (cli_parse(&INFO, argc, argv, NULL, 0)) {
  case CLI_PARSED:
    break;
  case CLI_WANTS_HELP:
    return cli_help(&INFO, NULL, 0);
  case CLI_WRONG:
    return CLI_USAGE;
  }
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
  const int status = cli_finish_stdout(&INFO);
  if (wrong)
    return cli_fail(&INFO, "%s", perlane_status_string(PERLANE_ERROR_SELFTEST));
  return status;
}
