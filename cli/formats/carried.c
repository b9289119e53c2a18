/* SPDX-License-Identifier: MIT
 *
 * Reading of texts from maps, which anybody may have written: no more is read, and no more memory
 * taken, than a text may have. libpng would unpack an image to look for a text after it, and
 * libtiff read tables of any size.
 */
#include "formats/carried.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "options/options.h"

static const char BEGINNING[] = "perlane="; /* of every text */
static const char CUT_OFF[] = "damaged: it ends too early";

/* ---- Texts ---- */

static const char *too_large(size_t limit) {
  static char problem[80];
  snprintf(problem, sizeof problem, "larger than %zu MiB, the maximum of a text of options",
           limit >> 20);
  return problem;
}

/* Opens a file if it is a regular one. Returns NULL with *problem and errno set, which is EISDIR
 * for all others. */
static FILE *open_regular(const char *file, const char **problem) {
  struct stat status = {.st_mode = S_IFREG};
  FILE *stream = NULL;
  const int is_known = stat(file, &status) == 0 || errno == ENOENT;
  if (is_known && S_ISREG(status.st_mode))
    stream = fopen(file, "rb");
  if (!S_ISREG(status.st_mode))
    errno = EISDIR;
  *problem = stream ? NULL : strerror(errno);
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    *problem = "it is not a regular file";
  return stream;
}

char *cli_read_bounded(FILE *stream, size_t limit, const char **problem) {
  enum { ROOM = 2048 };
  struct stat status;
  struct cli_bytes text = {0};
  *problem = NULL;
  if (fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size >= (off_t)limit)
    *problem = too_large(limit);
  while (!*problem) {
    if (!cli_bytes_reserve(&text, ROOM)) {
      *problem = strerror(ENOMEM);
      break;
    }
    unsigned char *next = text.data + text.size;
    const size_t count = fread(next, 1, text.capacity - text.size - 1, stream);
    if (memchr(next, '\0', count))
      *problem = "it holds a zero byte, so it is not a text";
    else if (count == 0 && ferror(stream))
      *problem = strerror(errno);
    else if (text.size + count >= limit)
      *problem = too_large(limit);
    else if (count == 0)
      break;
    text.size += count;
  }
  if (text.data && !*problem) {
    text.data[text.size] = '\0';
    const char *begin = cli_skip_mark((char *)text.data);
    return memmove(text.data, begin, strlen(begin) + 1);
  }
  free(text.data);
  return NULL;
}

/* Reads so many bytes as a text. */
static char *read_bytes(FILE *stream, uint64_t length, const char **problem) {
  char *text = length < CLI_MAX_CARRIED ? malloc((size_t)length + 1) : NULL;
  if (!text) {
    *problem = length < CLI_MAX_CARRIED ? strerror(ENOMEM) : too_large(CLI_MAX_CARRIED);
    return NULL;
  }
  text[length] = '\0';
  if (fread(text, 1, (size_t)length, stream) == length)
    return text;
  *problem = CUT_OFF;
  free(text);
  return NULL;
}

static uint64_t number_at(const void *bytes, int size, int big) {
  const unsigned char *byte = bytes;
  uint64_t number = 0;
  for (int i = 0; i < size; i++)
    number = number << 8 | byte[big ? i : size - 1 - i];
  return number;
}

/* ---- PNG ---- */

/* Unpacks a text that zlib has packed. */
static char *unpack(const char *packed, size_t length, const char **problem) {
  uLongf size = CLI_MAX_CARRIED;
  char *text = malloc(CLI_MAX_CARRIED + 1);
  const int result =
      text ? uncompress((Bytef *)text, &size, (const Bytef *)packed, length) : Z_MEM_ERROR;
  if (result == Z_OK) {
    text[size] = '\0';
    return text;
  }
  *problem = result == Z_BUF_ERROR ? too_large(CLI_MAX_CARRIED) : "damaged: a text does not unpack";
  free(text);
  return NULL;
}

/* The text of a chunk, if its keyword is ours: after the keyword's zero in tEXt; after that and a
 * byte in zTXt, packed; in iTXt after a byte for whether it is packed, another, and two texts. */
static char *text_of_chunk(char kind, const char *data, size_t length, const char **problem) {
  static const char keyword[] = "perlane";
  const char *text = data + sizeof keyword, *end = data + length;
  if (length < sizeof keyword || memcmp(data, keyword, sizeof keyword) != 0)
    return NULL;
  const int is_packed = kind == 'z' || (kind == 'i' && text < end && *text != 0);
  text += kind == 'z' ? 1 : kind == 'i' ? 2 : 0;
  for (int i = 0; i < 2 && kind == 'i' && text < end; i++)
    text += strlen(text) + 1; /* data ends with a zero of its own */
  if (text > end)
    return NULL;
  return is_packed ? unpack(text, (size_t)(end - text), problem) : strdup(text);
}

static char *read_png(FILE *stream, const char **problem) {
  enum { MAX_CHUNKS = 1 << 20 }; /* a sparse file may have any number of empty ones */
  char *text = NULL, head[8];
  fseeko(stream, 8, SEEK_SET);
  for (int chunks = 0; !text && !*problem; chunks++) {
    if (chunks == MAX_CHUNKS || fread(head, 1, sizeof head, stream) != sizeof head) {
      *problem = chunks == MAX_CHUNKS ? "more than 2^20 chunks, the maximum of a map" : CUT_OFF;
      break;
    }
    const uint64_t length = number_at(head, 4, 1);
    if (memcmp(head + 4, "IEND", 4) == 0)
      break;
    if (memcmp(head + 5, "EXt", 3) != 0 && memcmp(head + 5, "TXt", 3) != 0) {
      if (fseeko(stream, (off_t)length + 4, SEEK_CUR) != 0)
        *problem = strerror(errno);
      continue;
    }
    char *data = read_bytes(stream, length + 4, problem);
    if (!data)
      break;
    const uint64_t sum = number_at(data + length, 4, 1);
    data[length] = '\0';
    if (crc32(crc32(0, (Bytef *)head + 4, 4), (Bytef *)data, (uInt)length) == sum)
      text = text_of_chunk(head[4], data, (size_t)length, problem);
    else
      *problem = "damaged: a checksum is wrong";
    free(data);
  }
  return text;
}

/* ---- TIFF ---- */

/* The first directory's entry for ImageDescription, whose text is longer than what fits into it. */
static char *read_tiff(FILE *stream, const char **problem) {
  enum { DESCRIPTION = 270, ASCII = 2 };
  unsigned char byte[20] = {0};
  const int has_head = fread(byte, 1, 16, stream) >= 8;
  const int big = byte[0] == 'M', wide = number_at(byte + 2, 2, big) == 43;
  const int size = wide ? 8 : 4, count_size = wide ? 8 : 2;
  const uint64_t directory = number_at(byte + size, size, big);
  uint64_t entries = 0;
  if (has_head && directory <= INT64_MAX && fseeko(stream, (off_t)directory, SEEK_SET) == 0 &&
      fread(byte, 1, (size_t)count_size, stream) == (size_t)count_size)
    entries = number_at(byte, count_size, big);
  if (entries == 0)
    *problem = "damaged: a TIFF without a directory";
  if (entries > UINT16_MAX) { /* the maximum of a TIFF that is no BigTIFF */
    *problem = "damaged: a directory of more than 65535 entries";
    return NULL;
  }
  for (; entries > 0; entries--) {
    const size_t entry = 4 + 2 * (size_t)size;
    if (fread(byte, 1, entry, stream) != entry) {
      *problem = CUT_OFF;
      return NULL;
    }
    if (number_at(byte, 2, big) != DESCRIPTION || number_at(byte + 2, 2, big) != ASCII)
      continue;
    const uint64_t length = number_at(byte + 4, size, big);
    const uint64_t place = number_at(byte + 4 + size, size, big);
    if (length <= (uint64_t)size)
      return NULL; /* another program's */
    if (place <= INT64_MAX && fseeko(stream, (off_t)place, SEEK_SET) == 0)
      return read_bytes(stream, length, problem);
    *problem = "damaged: a text beyond its end";
    return NULL;
  }
  return NULL;
}

/* ---- PGM ---- */

/* The comment of the header that is ours: before the third word after P5, which is the last. */
static char *read_pgm(FILE *stream, const char **problem) {
  char *line = calloc(1, CLI_MAX_CARRIED), *text = NULL;
  if (!line)
    *problem = strerror(ENOMEM);
  for (int words = -1; line && !text && words < 3 && ftello(stream) < CLI_MAX_CARRIED &&
                       fgets(line, CLI_MAX_CARRIED, stream);) {
    char *comment = strchr(line, '#');
    if (comment)
      *comment++ = '\0';
    for (char *word = strtok(line, " \t\r\n"); word; word = strtok(NULL, " \t\r\n"))
      words++;
    if (comment && strncmp(comment + strspn(comment, " "), BEGINNING, strlen(BEGINNING)) == 0)
      text = strdup(comment + strspn(comment, " "));
  }
  free(line);
  return text;
}

/* ---- All of them ---- */

/* By the first bytes. Samples alone may happen to begin so, too. */
static const struct kind {
  const char *magic;
  size_t length;
  char *(*read)(FILE *stream, const char **problem); /* from the beginning on */
} KINDS[] = {
    {"\x89PNG\r\n\x1A\n", 8, read_png},
    {"II*\0", 4, read_tiff},
    {"MM\0*", 4, read_tiff},
    {"II+\0", 4, read_tiff},
    {"MM\0+", 4, read_tiff},
    {"P5", 2, read_pgm},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const char *cli_beside(char name[CLI_NAME], const char *map, const char *suffix) {
  const size_t room = CLI_NAME - strlen(suffix);
  snprintf(name, CLI_NAME, "%.*s%s", (int)room - 1, map, suffix);
  return name;
}

char *cli_read_beside(const char *map, const char *suffix, size_t limit, const char **problem) {
  char name[CLI_NAME];
  FILE *stream = open_regular(cli_beside(name, map, suffix), problem);
  const int error = errno;
  char *text = stream ? cli_read_bounded(stream, limit, problem) : NULL;
  if (stream)
    fclose(stream);
  errno = error;
  return text;
}

/* Reads what a file itself carries, by the first bytes. Sets *is_text if they are those of a text
 * of options. */
static char *read_map(FILE *stream, const char **problem, int *is_text) {
  const struct kind *kind = NULL;
  char head[8] = {0};
  const size_t size = fread(head, 1, sizeof head, stream);
  if (ferror(stream))
    *problem = strerror(errno);
  for (int i = 0; i < KIND_COUNT && !kind; i++)
    if (size >= KINDS[i].length && memcmp(head, KINDS[i].magic, KINDS[i].length) == 0)
      kind = &KINDS[i];
  *is_text = memcmp(head, BEGINNING, sizeof head) == 0;
  rewind(stream);
  char *text = kind && !*problem ? kind->read(stream, problem) : NULL;
  if (!text || strncmp(text, BEGINNING, strlen(BEGINNING)) == 0)
    return text;
  free(text); /* another program's description */
  return NULL;
}

char *cli_carried_read(const char *map, const char **problem) {
  static char wrong[256];
  FILE *stream = open_regular(map, problem);
  const int is_folder = !stream && errno == EISDIR;
  int is_text = 0;
  char name[CLI_NAME];
  char *text = stream ? read_map(stream, problem, &is_text) : NULL;
  if (stream)
    fclose(stream);
  if (is_folder && cli_is_array(map))
    *problem = "arrays of chunks are read by Python: perlane.open_map, and perlane.zarr.verify";
  if (text || !stream)
    return text;
  const char *beside;
  cli_output_follow(name, map);
  text = cli_read_beside(name, CLI_SIDECAR, CLI_MAX_CARRIED, &beside);
  if (!text && errno == ENOENT) /* versions up to 1.1 wrote it beside a link */
    text = cli_read_beside(map, CLI_SIDECAR, CLI_MAX_CARRIED, &beside);
  if (text || *problem)
    return text;
  snprintf(wrong, sizeof wrong, "the file of this name and .txt: %s", beside);
  *problem = errno != ENOENT ? wrong
             : is_text       ? "it is no map, but a text of options; --params reads it"
                             : "it carries no options, and there is no file of this name and .txt";
  return NULL;
}

/* ---- Writing ---- */

void cli_sidecar_write(FILE *stream, const struct cli_map *map) {
  fputs("# ", stream);
  for (int a = 0; a < map->dims; a++)
    fprintf(stream, "%s%" PRIu64, a ? " x " : "", map->size[a]);
  if (map->bits == 32) {
    fputs(" samples, x fastest: 32-bit floats, little-endian", stream);
  } else {
    fprintf(stream, " samples, x fastest: %d-bit unsigned integers%s; 0 is ", map->bits,
            map->bits == 8 ? "" : ", little-endian");
    cli_print_real(stream, (double)map->low, 1);
    fprintf(stream, ", %d is ", map->bits == 8 ? 255 : 65535);
    cli_print_real(stream, (double)map->high, 1);
  }
  fprintf(stream, "\n%s\n", map->params);
}

static const char SHAPE[] = "{\"width\": ";

const char *cli_shape_remove(const char *file) {
  char begin[sizeof SHAPE] = "";
  const char *problem;
  FILE *stream = open_regular(file, &problem);
  if (!stream)
    return errno == ENOENT || errno == EISDIR || errno == ENAMETOOLONG ? NULL : problem;
  fread(begin, 1, strlen(SHAPE), stream);
  problem = ferror(stream) ? strerror(errno) : NULL;
  fclose(stream);
  if (!problem && strcmp(begin, SHAPE) == 0 && unlink(file) != 0)
    problem = strerror(errno);
  return problem;
}

void cli_shape_write(FILE *stream, const struct cli_map *map) {
  fprintf(stream, "%s%" PRIu64 ", \"height\": %" PRIu64 ", \"bpp\": %d}\n", SHAPE, map->size[0],
          map->size[1], map->bits);
}
