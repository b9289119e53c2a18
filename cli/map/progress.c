/* SPDX-License-Identifier: MIT */
#include "map/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "commands/clock.h"

enum { BAR = 30 };

struct cli_progress cli_progress_begin(uint64_t total, int wanted) {
  return (struct cli_progress){
      .total = total,
      .begin = cli_now(),
      .visible = wanted && isatty(STDERR_FILENO),
  };
}

static void show(const struct cli_progress *progress, double elapsed) {
  const double part = (double)progress->done / (double)progress->total;
  const double rate = (double)progress->done / elapsed;
  const double left = (double)(progress->total - progress->done) / rate;
  char bar[BAR + 1];
  for (int i = 0; i < BAR; i++)
    bar[i] = part * BAR > i ? '#' : '.';
  bar[BAR] = '\0';
  const long long seconds = left < 1e9 ? (long long)(left + 0.5) : 999999999;
  fprintf(stderr, "\r%3d%% %s %.3g M samples/s, %lld:%02lld left \033[K", (int)(part * 100), bar,
          rate * 1e-6, seconds / 60, seconds % 60);
  fflush(stderr);
}

void cli_progress_add(struct cli_progress *progress, uint64_t samples) {
  progress->done += samples;
  if (!progress->visible)
    return;
  const double time = cli_now(), elapsed = time - progress->begin;
  if (elapsed < 0.5 || time - progress->shown < 0.2)
    return;
  progress->shown = time;
  show(progress, elapsed);
}

double cli_progress_end(struct cli_progress *progress) {
  if (progress->shown > 0)
    fputs("\r\033[K", stderr);
  return cli_now() - progress->begin;
}
