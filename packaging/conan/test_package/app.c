/* SPDX-License-Identifier: MIT */
#include <perlane.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const perlane_status status = perlane_selftest(PERLANE_ISA_AUTO, NULL);
  printf("perlane %s: %s\n", perlane_version(), perlane_status_string(status));
  return status != PERLANE_OK || strcmp(perlane_version(), PERLANE_VERSION) != 0;
}
