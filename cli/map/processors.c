/* SPDX-License-Identifier: MIT */
#include "map/processors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* Returns the quotient of two numbers, which are the words of a file, or each in a file of its own;
 * infinite if there is no limit: "max", -1, or no file. */
static double read_quota(const char *folder, const char *quota_file, const char *period_file) {
  const char *const file[] = {quota_file, period_file};
  double number[2] = {-1, -1};
  int found = 0;
  for (int i = 0; i < 2 && found == i && file[i]; i++) {
    char name[1024];
    snprintf(name, sizeof name, "%s/%s", folder, file[i]);
    FILE *stream = fopen(name, "r");
    if (!stream)
      break;
    found += fscanf(stream, "%lf %lf", &number[i], &number[1]);
    fclose(stream);
  }
  return number[0] > 0 && number[1] > 0 ? number[0] / number[1] : INFINITY;
}

/* Returns the processors that a control group may use, and those that it is in. In a container the
 * group's path may be that of the host: what is mounted is then the group itself. */
static double group_quota(const char *mount, const char *path, int version) {
  double quota = INFINITY;
  char folder[1024];
  int length = snprintf(folder, sizeof folder, "%s%s", mount, path);
  for (size_t end = strlen(mount); length < (int)sizeof folder;) {
    quota = fmin(quota, version == 2 ? read_quota(folder, "cpu.max", NULL)
                                     : read_quota(folder, "cpu.cfs_quota_us", "cpu.cfs_period_us"));
    char *slash = strrchr(folder + end, '/');
    if (!slash)
      break;
    *slash = '\0';
  }
  return quota;
}

double cli_processor_quota(const char *root) {
  char name[512], line[1024], *path;
  double quota = INFINITY;
  snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
  FILE *stream = fopen(name, "r");
  while (stream && fgets(line, sizeof line, stream)) { /* NUMBER:CONTROLLER,CONTROLLER,...:PATH */
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':');
    if (!controllers || !(path = strchr(++controllers, ':')))
      continue;
    *path++ = '\0';
    const int is_cpu = strncmp(controllers, "cpu,", 4) == 0 || strcmp(controllers, "cpu") == 0;
    snprintf(name, sizeof name, "%s/sys/fs/cgroup%s", root, *controllers ? "/cpu" : "");
    if (is_cpu || *controllers == '\0')
      quota = fmin(quota, group_quota(name, path, is_cpu ? 1 : 2));
  }
  if (stream)
    fclose(stream);
  return quota;
}

int cli_processors(void) {
#ifdef _OPENMP
  const char *wish = getenv("OMP_NUM_THREADS");
  const double quota = wish && *wish != '\0' ? INFINITY : ceil(cli_processor_quota(""));
  return (int)fmax(1, fmin(omp_get_max_threads(), quota));
#else
  return 1;
#endif
}
