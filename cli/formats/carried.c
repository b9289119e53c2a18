/* SPDX-License-Identifier: MIT */
#include "formats/format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options/options.h"

static const char BEGINNING[] = "perlane="; /* of every text */

/* ---- Texts ---- */

static const char BINARY[] = "it holds a zero byte, so it is not a text";
static const char NOT_REGULAR[] = "it is not a regular file";
static const char NO_OPTIONS[] =
    "it carries no options, and there is no file of this name and .txt";
static const char TOO_LARGE[] = "larger than 4 MiB, the maximum of a text of options";

/* Opens a file if it is a regular one: reading of others may wait for ever, or not end. Returns
 * NULL with *problem and errno set, which is EISDIR for others. */
static FILE *open_regular(const char *file, const char **problem) {
  struct stat status;
  const int is_other = stat(file, &status) == 0 && !S_ISREG(status.st_mode);
  FILE *stream = is_other ? NULL : fopen(file, "rb");
  if (is_other)
    errno = EISDIR;
  *problem = stream ? NULL : is_other && !S_ISDIR(status.st_mode) ? NOT_REGULAR : strerror(errno);
  return stream;
}

char *cli_read_bounded(FILE *stream, const char **problem) {
  char *text = cli_need(malloc(CLI_MAX_CARRIED));
  const size_t size = fread(text, 1, CLI_MAX_CARRIED, stream);
  *problem = ferror(stream)             ? strerror(errno)
             : memchr(text, '\0', size) ? BINARY
             : size == CLI_MAX_CARRIED  ? TOO_LARGE
                                        : NULL;
  if (!*problem) {
    text[size] = '\0';
    const char *begin = cli_skip_mark(text);
    return memmove(text, begin, strlen(begin) + 1);
  }
  free(text);
  return NULL;
}

/* ---- In the map, and beside it ---- */

/* Formats that carry a text, by the first bytes. Samples alone may happen to begin so, too. */
static const struct kind {
  const char *magic;
  char *(*read)(FILE *stream, const char **problem);
} KINDS[] = {
    {"\x89PNG", cli_png_text}, {"II*\0", cli_tiff_text}, {"MM\0*", cli_tiff_text},
    {"II+\0", cli_tiff_text},  {"MM\0+", cli_tiff_text}, {"\x76/1\1", cli_exr_text},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const char *cli_beside(char name[CLI_NAME], const char *map, const char *suffix) {
  const size_t room = CLI_NAME - strlen(suffix);
  snprintf(name, CLI_NAME, "%.*s%s", (int)room - 1, map, suffix);
  return name;
}

/* Reads what a file itself carries. */
static char *read_map(FILE *stream, const char **problem) {
  char head[8] = {0}, *text = NULL;
  fread(head, 1, sizeof head, stream);
  if (ferror(stream))
    *problem = strerror(errno);
  rewind(stream);
  for (int i = 0; i < KIND_COUNT && !*problem && !text; i++)
    if (memcmp(head, KINDS[i].magic, 4) == 0)
      text = KINDS[i].read(stream, problem);
  if (text && strlen(text) >= CLI_MAX_CARRIED)
    *problem = TOO_LARGE;
  else if (!text || strncmp(text, BEGINNING, strlen(BEGINNING)) == 0)
    return text;
  free(text); /* another program's description */
  return NULL;
}

char *cli_carried_read(const char *map, const char **problem, int *is_damaged) {
  static char wrong[256];
  char name[CLI_NAME], target[CLI_NAME];
  const char *beside;
  int unused;
  FILE *stream = open_regular(map, problem);
  is_damaged = is_damaged ? is_damaged : &unused;
  *is_damaged = 0;
  if (!stream)
    return NULL;
  char *text = read_map(stream, problem);
  *is_damaged = *problem != NULL;
  fclose(stream);
  if (text)
    return text;
  cli_output_follow(target, map);
  stream = open_regular(cli_beside(name, target, CLI_SIDECAR), &beside);
  const int is_missing = !stream && errno == ENOENT;
  text = stream ? cli_read_bounded(stream, &beside) : NULL;
  if (stream)
    fclose(stream);
  if (text || *problem)
    return text;
  snprintf(wrong, sizeof wrong, "the file of this name and .txt: %s", beside);
  *problem = is_missing ? NO_OPTIONS : wrong;
  return NULL;
}

char *cli_options_read(const char *file, const char **problem) {
  const char *problem_of_text;
  char *text = cli_carried_read(file, problem, NULL);
  FILE *stream =
      !text && (*problem == NO_OPTIONS || *problem == NOT_REGULAR) ? fopen(file, "rb") : NULL;
  if (!stream)
    return text;
  text = cli_read_bounded(stream, &problem_of_text);
  fclose(stream);
  if (!text && problem_of_text != BINARY)
    *problem = problem_of_text;
  if (text && *text != '\0')
    return text;
  free(text);
  return NULL;
}

/* ---- Writing ---- */

/* In the first lines of the files beside maps, and of no other files. */
static const char LAYOUT[] = " samples, x fastest: ";

void cli_sidecar_write(FILE *stream, const struct cli_map *map) {
  fputs("# ", stream);
  for (int a = 0; a < map->dims; a++)
    fprintf(stream, "%s%" PRIu64, a ? " x " : "", map->size[a]);
  fputs(LAYOUT, stream);
  if (map->bits == 32) {
    fputs("32-bit floats, little-endian", stream);
  } else {
    fprintf(stream, "%d-bit unsigned integers%s; 0 is ", map->bits,
            map->bits == 8 ? "" : ", little-endian");
    cli_print_real(stream, (double)map->low, 1);
    fprintf(stream, ", %d is ", map->bits == 8 ? 255 : 65535);
    cli_print_real(stream, (double)map->high, 1);
  }
  if (map->note)
    fprintf(stream, "\n# %s", map->note);
  fprintf(stream, "\n%s\n", map->params);
}

/* ---- Files that are there ---- */

/* Reads a file's first line, which is empty if there is none. Returns 0 if there is no regular file
 * that can be read. */
static int read_line(const char *file, char line[160]) {
  const char *problem;
  FILE *stream = open_regular(file, &problem);
  const size_t length = stream ? fread(line, 1, 159, stream) : 0;
  line[length] = '\0';
  line[strcspn(line, "\n")] = '\0';
  if (stream)
    fclose(stream);
  return stream != NULL;
}

static int is_beside(const char *line) {
  return *line == '#' && strstr(line, LAYOUT);
}

const char *cli_beside_remove(const char *file) {
  char line[160];
  if (!read_line(file, line))
    return errno == ENOENT || errno == EISDIR || errno == ENAMETOOLONG ? NULL : strerror(errno);
  return !is_beside(line) || unlink(file) == 0 ? NULL : strerror(errno);
}

enum cli_content cli_content_of(const char *file) {
  struct stat status;
  const char *problem;
  char line[160];
  if (stat(file, &status) != 0)
    return errno == ENOENT ? CLI_NOTHING : CLI_FOREIGN;
  if (!S_ISREG(status.st_mode) || status.st_size == 0)
    return CLI_NOTHING;
  if (read_line(file, line) && is_beside(line))
    return CLI_DESCRIPTION;
  char *text = cli_carried_read(file, &problem, NULL);
  free(text);
  return text ? CLI_A_MAP : CLI_FOREIGN;
}
