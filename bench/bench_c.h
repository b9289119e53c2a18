/* SPDX-License-Identifier: MIT
 *
 * Google Benchmark for C. A case is a function that sets up, does its work once in each turn of a
 * loop on bench_keep_running, and reports how much work a turn did. Strings are copied.
 */
#ifndef PERLANE_BENCH_C_H
#define PERLANE_BENCH_C_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_state bench_state;
typedef void bench_case(bench_state *state, const void *argument);

/* Adds a case, which receives argument. The argument must stay valid until bench_run returns. */
void bench_register(const char *name, bench_case *run, const void *argument);

/* Adds a fact about the machine or the build to the output. */
void bench_context(const char *key, const char *value);

/* Runs the cases that the command line selects. Returns main's exit status. */
int bench_run(int argc, char **argv);

/* Returns whether a case's loop goes on. The time from the first call to the last is measured. */
int bench_keep_running(bench_state *state);

/* Reports, after the loop, the work of one turn. */
void bench_work(bench_state *state, double items, double bytes);

/* Reports, instead of the loop, why the case cannot run. The case must then return. */
void bench_skip(bench_state *state, const char *why);

#ifdef __cplusplus
}
#endif

#endif
