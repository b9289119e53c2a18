/* SPDX-License-Identifier: MIT
 *
 * perlane info: which kernels there are, which one runs, whether they keep the promise, and what
 * there is to choose from.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "commands/commands.h"
#include "options/names.h"
#include "options/options.h"

static const struct cli_command INFO = {
    .name = "info",
    .synopsis = "",
    .about = "Prints the version, and for each instruction set whether its kernels are part of\n"
             "this build, supported by this CPU and in use, and what they compute in the\n"
             "self-test; then what fields are made of: the presets with the options they stand\n"
             "for, and the names that options take. Exits with 1 if a self-test is wrong.",
    .examples = "Whether this machine computes the bits that all others do.\n"
                "  perlane info\n"
                "The same with the kernels that every machine has.\n"
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

/* ---- What there is to choose from ---- */

/* Prints the dimensions in which the field exists that some params describe, provided with tables
 * where they need some. */
static void print_dims(perlane_params params) {
  static const int32_t table[1024];
  static const float gradient[2] = {1, 0};
  params.hash_table = table;
  params.gradient_grid = gradient;
  params.gradient_grid_count[0] = params.gradient_grid_count[1] = 1;
  perlane_noise noise;
  if (perlane_init(&noise, &params) != PERLANE_OK) {
    fputs(" as its file", stdout);
    return;
  }
  for (int32_t dims = 1; dims <= PERLANE_MAX_DIMS; dims++) {
    float low, high;
    if (perlane_range(&noise, dims, &low, &high) == PERLANE_OK)
      printf(" %" PRId32 "D", dims);
  }
}

static void print_presets(void) {
  printf("\n%-12s%-11s%-11s%-15s%-10s%s\n", "--preset", "--basis", "--hash", "--gradient-set",
         "--fade", "normalize, dimensions");
  const char *name;
  for (int i = 0; (name = perlane_preset_name(i)) != NULL; i++) {
    perlane_params params;
    perlane_preset(&params, name);
    printf("%-12s%-11s%-11s%-15s%-10s%s,", name, cli_name_of(CLI_BASES, (int)params.basis),
           cli_name_of(CLI_HASHES, (int)params.hash),
           cli_name_of(CLI_GRADIENTS, (int)params.gradients),
           cli_name_of(CLI_FADES, (int)params.fade),
           cli_name_of(CLI_NORMALIZATIONS, (int)params.normalize));
    print_dims(params);
    putchar('\n');
  }
}

static void print_names(const char *option, const struct cli_name *names) {
  printf("%-16s", option);
  for (; names->name; names++)
    printf("%s%s", names->name, names[1].name ? ", " : "\n");
}

static void print_choices(void) {
  print_presets();
  printf("\n%-16s%s\n", "--hash", "dimensions");
  for (const struct cli_name *hash = CLI_HASHES; hash->name; hash++) {
    perlane_params params = perlane_params_default();
    params.hash = (perlane_hash)hash->value;
    printf("%-15s", hash->name);
    print_dims(params);
    putchar('\n');
  }
  printf("\n%-16s%s\n", "--gradient-set", "dimensions");
  for (const struct cli_name *set = CLI_GRADIENTS; set->name; set++) {
    perlane_params params = perlane_params_default();
    params.gradients = (perlane_gradients)set->value;
    printf("%-15s", set->name);
    print_dims(params);
    putchar('\n');
  }
  putchar('\n');
  print_names("--basis", CLI_BASES);
  print_names("--fade", CLI_FADES);
  print_names("--fractal", CLI_FRACTALS);
}

int cli_info(int argc, char **argv) {
  switch (cli_parse(&INFO, argc, argv, NULL, 0)) {
  case CLI_PARSED:
    break;
  case CLI_WANTS_HELP:
    return cli_help(&INFO, NULL, 0);
  case CLI_WRONG:
    return CLI_USAGE;
  case CLI_FAILED:
    return CLI_FAILURE;
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
  print_choices();
  const int status = cli_finish_stdout(&INFO);
  if (wrong)
    return cli_fail(&INFO, "%s", perlane_status_string(PERLANE_ERROR_SELFTEST));
  return status;
}
