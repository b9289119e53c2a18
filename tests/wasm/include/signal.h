/* SPDX-License-Identifier: MIT
 *
 * WebAssembly has no signals: handlers are never called. */
#ifndef SIGNAL_H
#define SIGNAL_H

enum { SIGILL = 4, SIGBUS = 7, SIGFPE = 8, SIGSEGV = 11 };
enum { SA_SIGINFO = 4, SA_NODEFER = 0x40000000 };
struct sigaction {
  void (*sa_handler)(int);
  int sa_flags, sa_mask;
};
#define SIG_DFL ((void (*)(int))0)
static inline int sigaction(int number, const struct sigaction *now, struct sigaction *before) {
  (void)number;
  (void)now;
  if (before) {
    before->sa_handler = SIG_DFL;
    before->sa_flags = before->sa_mask = 0;
  }
  return 0;
}
static inline int sigemptyset(int *set) {
  return *set = 0;
}

#endif
