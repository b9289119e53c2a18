/* SPDX-License-Identifier: MIT */
#include "map/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "options/messages.h"

/* Seconds. The line of a terminal appears after a delay and changes at intervals. Of lines in a
 * log, the first comes after a delay, and others at least as long after the one before, when a
 * tenth more is done or an interval has passed. */
static const struct { double delay, interval; } ON_TERMINAL = {0.5, 0.2}, IN_LOG = {10, 600};

struct cli_progress cli_progress_begin(const char *name, uint64_t total) {
  const double now = cli_now();
  return (struct cli_progress){
      .name = name,
      .total = total,
      .begin = now,
      .shown = now,
      .visible = !cli_is_quiet,
      .terminal = isatty(STDERR_FILENO),
  };
}

/* A line that is wider than the terminal would go on in the next one, and stay there. */
static int columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void show(const struct cli_progress *progress, double elapsed) {
  const double rate = (double)(progress->done - progress->found) / elapsed;
  const double left = (double)(progress->total - progress->done) / rate;
  const long long seconds = left < 1e9 ? (long long)(left + 0.5) : 999999999;
  char line[120], done[16], total[16], speed[16];
  snprintf(line, sizeof line, "%d%%, %s of %s samples, %s samples/s, %lld:%02lld:%02lld left",
           (int)((double)progress->done / (double)progress->total * 100),
           cli_amount(done, (double)progress->done), cli_amount(total, (double)progress->total),
           cli_amount(speed, rate), seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (progress->terminal) {
    fprintf(stderr, "\r%.*s\033[K", columns() - 1, line);
  } else {
    cli_print_text(stderr, progress->name);
    fprintf(stderr, ": %s\n", line);
  }
  fflush(stderr);
}

void cli_progress_found(struct cli_progress *progress, uint64_t samples) {
  progress->done += samples;
  progress->found += samples;
  progress->shown_done += samples;
}

static int is_due(const struct cli_progress *progress, double now) {
  const double since = now - progress->shown;
  const int is_first = progress->shown <= progress->begin;
  if (progress->terminal)
    return since >= (is_first ? ON_TERMINAL.delay : ON_TERMINAL.interval);
  return since >= IN_LOG.delay && (is_first || since >= IN_LOG.interval ||
                                   progress->done - progress->shown_done >= progress->total / 10);
}

void cli_progress_add(struct cli_progress *progress, uint64_t samples) {
  progress->done += samples;
  const double now = cli_now();
  if (!progress->visible || !is_due(progress, now))
    return;
  progress->shown = now;
  progress->shown_done = progress->done;
  progress->drawn = progress->terminal;
  show(progress, now - progress->begin);
}

void cli_progress_hide(struct cli_progress *progress) {
  if (progress->drawn)
    fputs("\r\033[K", stderr);
  progress->drawn = 0;
}

double cli_progress_end(struct cli_progress *progress) {
  cli_progress_hide(progress);
  progress->visible = 0;
  return cli_now() - progress->begin;
}
