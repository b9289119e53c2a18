/* SPDX-License-Identifier: MIT
 *
 * Fuzzing of the command: the input's bytes become its arguments, its standard input and the files
 * that its options name. It must exit with 0, 1 or 2, print a reason unless with 0, and free all
 * memory.
 *
 * The input is text in sections, separated by a line of a single %: the arguments, one a line; the
 * standard input; the contents of the files a, b and c. A first argument of ! is not passed on, and
 * makes the standard output a full disk.
 *
 * The command's sources are compiled as they are, all but output.c, with some names
 * replaced on the compiler's command line (CMakeLists.txt): main; fopen, which finds only a, b
 * (also as a.txt) and c; malloc and realloc where they are for maps, which refuse more than a small
 * image needs; and perlane_selftest, which takes long and always has the same result. Images are
 * compressed, but not written.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../cli/formats/output.h"
#include "perlane.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Behind the replaced names. */
int fuzz_main(int argc, char **argv);
FILE *fuzz_fopen(const char *path, const char *mode);
void *fuzz_malloc(size_t size);
void *fuzz_realloc(void *memory, size_t size);
perlane_status fuzz_selftest(perlane_isa isa, uint64_t *digest);

enum { MAX_ARGUMENTS = 24, FILES = 3, LARGEST = 4096 }; /* of tables: 4 * LARGEST */
enum { MOST_OUTPUTS = 1000 };                           /* of a run: then the disk is full */
static int outputs;

struct section {
  const uint8_t *data;
  size_t size;
};

/* The files of the current input. */
static struct section files[FILES];

static void expect(int holds, const char *what, int status) {
  if (holds)
    return;
  fprintf(stderr, "tests/fuzz/tool: exit status %d: %s\n", status, what);
  abort();
}

/* ---- What the command meets instead of the system ---- */

static FILE *open_section(struct section section) {
  FILE *stream = tmpfile(); /* libtiff takes no stream in memory */
  expect(stream && fwrite(section.data, 1, section.size, stream) == section.size,
         "no temporary file", 0);
  rewind(stream);
  return stream;
}

FILE *fuzz_fopen(const char *path, const char *mode) {
  (void)mode;
  if (strcmp(path, "a.txt") == 0) /* what the map a may have beside it */
    return open_section(files[1]);
  for (int i = 0; i < FILES; i++)
    if (path[0] == 'a' + i && path[1] == '\0')
      return open_section(files[i]);
  errno = ENOENT;
  return NULL;
}

void *fuzz_malloc(size_t size) {
  if (size <= LARGEST)
    return malloc(size);
  errno = ENOMEM;
  return NULL;
}

void *fuzz_realloc(void *memory, size_t size) {
  if (size <= 4 * (size_t)LARGEST)
    return realloc(memory, size);
  errno = ENOMEM;
  return NULL;
}

perlane_status fuzz_selftest(perlane_isa isa, uint64_t *digest) {
  if (!perlane_isa_supported(isa))
    return PERLANE_ERROR_ISA;
  *digest = PERLANE_SELFTEST_DIGEST;
  return PERLANE_OK;
}

int cli_output_is_stream(const char *path) {
  return cli_output_is_stdout(path);
}

int cli_output_check_space(const char *path, const char *tiles, uint64_t bytes) {
  (void)path, (void)tiles, (void)bytes;
  return 0;
}

/* A name with a question mark stands for a file that cannot be created, one with an exclamation
 * mark for a full disk. */
const char *cli_output_open(struct cli_output *output, const char *path) {
  memset(output, 0, sizeof *output);
  if (strchr(path, '?'))
    return strerror(EACCES);
  if (++outputs > MOST_OUTPUTS)
    return strerror(ENOSPC);
  const int is_full = strchr(path, '!') != NULL;
  output->stream = cli_output_is_stdout(path) ? stdout : NULL;
  if (output->stream)
    return NULL;
  output->stream = fopen(is_full ? "/dev/full" : "/dev/null", "wb");
  if (!output->stream)
    return strerror(errno);
  if (is_full)
    setvbuf(output->stream, NULL, _IONBF, 0); /* so that a write fails, and not the last one only */
  return NULL;
}

int cli_output_caught(void) {
  return 0;
}

void cli_output_raise(void) {}

const char *cli_output_make_folders(const char *path) {
  (void)path;
  return NULL;
}

const char *cli_output_try(const char *path, int makes_folders) {
  (void)makes_folders;
  return strchr(path, '?') ? strerror(EACCES) : NULL;
}

void cli_output_follow(char name[CLI_NAME], const char *path) {
  snprintf(name, CLI_NAME, "%s", path);
}

const char *cli_output_close_all(struct cli_output *output, int count, int *failed) {
  int error = 0;
  for (int i = 0; i < count; i++) {
    FILE *stream = output[i].stream;
    output[i].stream = NULL;
    if (stream && (stream == stdout ? fflush(stream) : fclose(stream)) != 0) {
      error = errno;
      *failed = i;
    }
  }
  return error ? strerror(error) : NULL;
}

void cli_output_drop(struct cli_output *output) {
  if (output->stream && output->stream != stdout)
    fclose(output->stream);
}

/* ---- One input ---- */

/* Takes the next section off the input, up to a line that holds nothing but %. */
static struct section next_section(struct section *input) {
  struct section section = *input;
  for (size_t i = 0; i + 2 <= input->size; i++)
    if ((i == 0 || input->data[i - 1] == '\n') && memcmp(input->data + i, "%\n", 2) == 0) {
      section.size = i;
      input->data += i + 2;
      input->size -= i + 2;
      return section;
    }
  input->size = 0;
  return section;
}

/* The next argument, in memory of its own; NULL if there is none. */
static char *next_argument(struct section *arguments) {
  if (arguments->size == 0)
    return NULL;
  const uint8_t *end = memchr(arguments->data, '\n', arguments->size);
  const size_t length = end ? (size_t)(end - arguments->data) : arguments->size;
  char *argument = malloc(length + 1);
  if (argument) {
    memcpy(argument, arguments->data, length);
    argument[length] = '\0'; /* there may be others before */
  }
  arguments->data += length + (end != NULL);
  arguments->size -= length + (end != NULL);
  return argument;
}

/* Runs the command, and returns what it has told on stderr, which is to be freed. */
static char *run(int argc, char **argv, struct section input, const char *out, int *status) {
  FILE *const usual[] = {stdin, stdout, stderr};
  char *message = NULL;
  size_t length = 0;
  FILE *streams[] = {open_section(input), fopen(out, "w"), open_memstream(&message, &length)};
  for (int i = 0; i < 3; i++)
    expect(streams[i] != NULL, "no stream", -1);
  stdin = streams[0];
  stdout = streams[1];
  stderr = streams[2];
  perlane_force_isa(PERLANE_ISA_AUTO);
  outputs = 0;
  *status = fuzz_main(argc, argv);
  stdin = usual[0];
  stdout = usual[1];
  stderr = usual[2];
  for (int i = 0; i < 3; i++)
    fclose(streams[i]);
  return message;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct section rest = {data, size};
  struct section arguments = next_section(&rest);
  const struct section input = next_section(&rest);
  for (int i = 0; i < FILES; i++)
    files[i] = next_section(&rest);
  const int is_full = arguments.size >= 2 && memcmp(arguments.data, "!\n", 2) == 0;
  if (is_full) {
    arguments.data += 2;
    arguments.size -= 2;
  }
  char name[] = "perlane";
  char *argv[MAX_ARGUMENTS + 1] = {name}, *owned[MAX_ARGUMENTS];
  int argc = 1, status;
  while (argc < MAX_ARGUMENTS && (argv[argc] = next_argument(&arguments)) != NULL) {
    owned[argc] = argv[argc];
    argc++;
  }
  argv[argc] = NULL;
  char *message = run(argc, argv, input, is_full ? "/dev/full" : "/dev/null", &status);
  expect(status >= 0 && status <= 2, "there is no such status", status);
  /* An image may be made, and reported, before its params cannot be saved. */
  expect(status == 0 || strncmp(message, "perlane", 7) == 0 || strstr(message, "\nperlane"),
         "nothing says why", status);
  expect(status != 2 || strstr(message, "--help'\n"), "no hint at the help", status);
  free(message);
  for (int i = 1; i < argc; i++) /* the command may have put them in another order */
    free(owned[i]);
  return 0;
}
