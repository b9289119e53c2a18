/* SPDX-License-Identifier: MIT
 *
 * Google Benchmark from C: a case is a function that sets up, then does its work once in each turn
 * of a loop on bench_keep_running, and says how much work a turn was. Strings are copied.
 */
#ifndef PERLANE_BENCH_C_H
#define PERLANE_BENCH_C_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_state bench_state;
typedef void bench_case(bench_state *state, const void *argument);

/* Adds a case. argument goes to it unchanged and must live until bench_run returns. */
void bench_register(const char *name, bench_case *run, const void *argument);

/* A fact about the machine or the build, for the output's context. */
void bench_context(const char *key, const char *value);

/* Runs the cases that the command line asks for. Returns what main should. */
int bench_run(int argc, char **argv);

/* Within a case: whether to go another turn. Time runs from the first call to the last. */
int bench_keep_running(bench_state *state);

/* After the loop: what one turn did. */
void bench_work(bench_state *state, double items, double bytes);

/* Instead of the loop: why the case cannot run. Return from the case then. */
void bench_skip(bench_state *state, const char *why);

#ifdef __cplusplus
}
#endif

#endif
