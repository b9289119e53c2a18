/* SPDX-License-Identifier: MIT */
#include "zarr/group.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/carried.h"
#include "formats/json.h"
#include "options/messages.h"
#include "zarr/store.h"

/* A chunk has 1 GiB of them. */
#define MAX_COORDINATES (UINT64_C(1) << 27)

enum { MAX_TEXT = 400 };

static const char MARKER[] = ".zgroup";

struct group {
  const char *folder;
  int store;
};

static int fail(const struct group *group, const char *what, const char *name,
                const char *problem) {
  return cli_fail("cannot %s '%s/%s': %s", what, group->folder, name, problem);
}

static int refuse(const struct group *group, const char *name) {
  return cli_fail("'%s' is a group of other positions: '%s' differs", group->folder, name);
}

/* Writes a description unless there is one. Returns 0, or the exit status. */
static int keep_text(const struct group *group, const char *name, char *text) {
  char path[16];
  const char *problem = cli_store_write(group->store, name, text, strlen(text), 1);
  if (problem)
    return fail(group, "write", name, problem);
  snprintf(path, sizeof path, "/%s", name);
  char *found = cli_read_beside(group->folder, path, CLI_MAX_DESCRIPTION, &problem);
  json_t *stored = found ? cli_json_read(found, &problem) : NULL;
  free(found);
  if (!stored)
    return fail(group, "read", name, problem);
  json_t *wanted = cli_json_read(text, &problem);
  const int is_same = wanted && cli_json_includes(stored, wanted);
  json_decref(stored);
  json_decref(wanted);
  return is_same ? 0 : refuse(group, name);
}

/* Writes coordinates unless there are some. Returns 0, or the exit status. */
static int keep_values(const struct group *group, const char *name, double *value, size_t count) {
  const size_t bytes = count * sizeof *value;
  size_t size;
  int error;
  cli_order_bytes(value, count, 64, 0);
  const char *problem = cli_store_write(group->store, name, value, bytes, 1);
  if (problem)
    return fail(group, "write", name, problem);
  void *stored = malloc(bytes);
  if (!stored)
    return fail(group, "read", name, strerror(ENOMEM));
  problem = cli_store_read(group->store, name, stored, bytes, &size, &error);
  const int is_same = !problem && size == bytes && memcmp(stored, value, bytes) == 0;
  free(stored);
  return is_same ? 0 : refuse(group, name);
}

static int keep_axis(const struct group *group, const perlane_grid *grid, int axis) {
  const uint64_t count = grid->count[axis];
  const char letter = "xyzw"[axis];
  char name[16], text[MAX_TEXT];
  double *value = malloc((size_t)count * sizeof *value);
  if (!value)
    return cli_fail("%s", strerror(ENOMEM));
  for (uint64_t i = 0; i < count; i++)
    value[i] = grid->origin[axis] + (double)(grid->first[axis] + (int64_t)i) * grid->step[axis];
  snprintf(name, sizeof name, "%c/0", letter);
  int status = keep_values(group, name, value, (size_t)count);
  free(value);
  if (status == 0) {
    snprintf(name, sizeof name, "%c/.zattrs", letter);
    snprintf(text, sizeof text, "{\"_ARRAY_DIMENSIONS\": [\"%c\"]}\n", letter);
    status = keep_text(group, name, text);
  }
  if (status == 0) {
    snprintf(name, sizeof name, "%c/.zarray", letter);
    snprintf(text, sizeof text,
             "{\"chunks\": [%" PRIu64 "], \"compressor\": null, \"dimension_separator\": \"/\",\n"
             " \"dtype\": \"<f8\", \"fill_value\": \"NaN\", \"filters\": null, \"order\": \"C\",\n"
             " \"shape\": [%" PRIu64 "], \"zarr_format\": 2}\n",
             count, count);
    status = keep_text(group, name, text);
  }
  return status;
}

enum { HAS_MARKER = 1, HAS_OTHERS = 2 };

static void visit(void *context, const char *name) {
  *(unsigned *)context |= strcmp(name, MARKER) == 0 ? HAS_MARKER : HAS_OTHERS;
}

static int keep_group(const struct group *group, const perlane_grid *grid) {
  char text[] = "{\"zarr_format\": 2}\n";
  unsigned has = 0;
  const char *problem = cli_store_list(group->store, MARKER, 0, visit, &has);
  if (problem)
    return cli_fail("cannot read '%s': %s", group->folder, problem);
  if (has == HAS_OTHERS)
    return cli_fail("'%s' is a folder with other files and no %s; take another name", group->folder,
                    MARKER);
  int status = keep_text(group, MARKER, text);
  for (int a = 0; a < grid->dims && status == 0; a++)
    status = keep_axis(group, grid, a);
  return status;
}

int cli_group_make(const char *folder, const perlane_grid *grid) {
  const char *problem;
  int is_new;
  for (int a = 0; a < grid->dims; a++)
    if (grid->count[a] > MAX_COORDINATES)
      return cli_refuse("--name: a group has coordinates of at most 2^27 samples along an axis");
  struct group group = {folder, cli_store_open(folder, &is_new, &problem)};
  if (group.store < 0)
    return cli_fail("cannot create '%s': %s", folder, problem);
  const int status = keep_group(&group, grid);
  close(group.store);
  return status;
}
