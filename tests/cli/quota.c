/* SPDX-License-Identifier: MIT
 *
 * Prints the processors that a control group may use, by the files below a folder: quota ROOT.
 */
#include <stdio.h>

#include "cli/map/processors.h"

int main(int argc, char **argv) {
  return argc == 2 && printf("%g\n", cli_processor_quota(argv[1])) > 0 ? 0 : 1;
}
