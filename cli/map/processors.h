/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_CLI_PROCESSORS_H
#define PERLANE_CLI_PROCESSORS_H

/* Returns the number of threads to compute with: OMP_NUM_THREADS, or else that of the processors
 * that the process may run on, and its control group may use. */
int cli_processors(void);

/* Returns the number of processors that the control group of this process may use (cpu.max of
 * Linux, or cpu.cfs_quota_us); infinite for all. The root is empty, but for tests. */
double cli_processor_quota(const char *root);

#endif
