/* SPDX-License-Identifier: MIT
 *
 * Reading of texts from maps, which anybody may have written: no more is read, and no more memory
 * taken, than a text may have.
 */
#include "formats/carried.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "options/values.h"
#include "formats/json.h"

static const char BEGINNING[] = "perlane="; /* of every text */

static int begins(const void *data, size_t size, const char *magic, size_t length) {
  return size >= length && memcmp(data, magic, length) == 0;
}

#define BEGINS(data, size, magic) begins(data, size, magic, sizeof(magic) - 1)

/* ---- Texts ---- */

static const char *too_large(size_t limit) {
  static char problem[80];
  snprintf(problem, sizeof problem, "larger than %zu MiB, the maximum of a text of options",
           limit >> 20);
  return problem;
}

FILE *cli_open_regular(const char *file, const char **problem) {
  struct stat status = {.st_mode = S_IFREG};
  FILE *stream = NULL;
  errno = ENOMEM;
  *problem = NULL;
  const int is_known = file && (stat(file, &status) == 0 || errno == ENOENT);
  if (!S_ISREG(status.st_mode))
    *problem = S_ISDIR(status.st_mode) ? strerror(EISDIR) : "it is not a regular file";
  else if (is_known)
    stream = fopen(file, "rb");
  if (!stream && !*problem)
    *problem = strerror(errno);
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
    return (char *)text.data;
  }
  free(text.data);
  return NULL;
}

/* Reads so many bytes as a text. */
static char *read_bytes(FILE *stream, uint64_t length, const char **problem) {
  if (length >= CLI_MAX_CARRIED) {
    *problem = too_large(CLI_MAX_CARRIED);
    return NULL;
  }
  char *text = malloc((size_t)length + 1);
  if (!text) {
    *problem = strerror(ENOMEM);
    return NULL;
  }
  text[length] = '\0';
  if (fread(text, 1, (size_t)length, stream) == length)
    return text;
  *problem = "damaged: it ends too early";
  free(text);
  return NULL;
}

static uint64_t number_at(const unsigned char *byte, int size, int big) {
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
static char *text_of_chunk(const char *kind, const char *data, size_t length,
                           const char **problem) {
  static const char keyword[] = "perlane";
  if (!begins(data, length, keyword, sizeof keyword))
    return NULL;
  const char *text = data + sizeof keyword, *end = data + length;
  int packed = memcmp(kind, "zTXt", 4) == 0;
  if (memcmp(kind, "tEXt", 4) != 0) {
    packed |= text < end && *text != 0;
    text += packed && memcmp(kind, "zTXt", 4) == 0 ? 1 : 2;
  }
  for (int i = 0; i < 2 && memcmp(kind, "iTXt", 4) == 0 && text < end; i++)
    text += strlen(text) + 1; /* data ends with a zero of its own */
  if (text > end)
    return NULL;
  return packed ? unpack(text, (size_t)(end - text), problem) : strdup(text);
}

static char *read_png(FILE *stream, const char **problem) {
  char *text = NULL;
  int ends = 0;
  while (!text && !*problem && !ends) {
    unsigned char head[8];
    if (fread(head, 1, sizeof head, stream) != sizeof head) {
      *problem = "damaged: it ends too early";
      break;
    }
    const uint64_t length = number_at(head, 4, 1);
    ends = memcmp(head + 4, "IEND", 4) == 0;
    if (memcmp(head + 5, "EXt", 3) != 0 && memcmp(head + 5, "TXt", 3) != 0) {
      if (fseeko(stream, (off_t)length + 4, SEEK_CUR) != 0)
        *problem = strerror(errno);
      continue;
    }
    char *data = read_bytes(stream, length + 4, problem);
    if (!data)
      break;
    const uint64_t sum = number_at((const unsigned char *)data + length, 4, 1);
    data[length] = '\0';
    if (crc32(crc32(0, head + 4, 4), (const Bytef *)data, (uInt)length) == sum)
      text = text_of_chunk((const char *)head + 4, data, (size_t)length, problem);
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
  rewind(stream);
  const int has_head = fread(byte, 1, 16, stream) >= 8;
  const int big = byte[0] == 'M', wide = number_at(byte + 2, 2, big) == 43;
  const int size = wide ? 8 : 4;
  const uint64_t directory = number_at(byte + size, size, big);
  const size_t got =
      has_head && directory <= INT64_MAX && fseeko(stream, (off_t)directory, SEEK_SET) == 0
          ? fread(byte, 1, wide ? 8 : 2, stream)
          : 0;
  uint64_t entries = got == (wide ? 8U : 2U) ? number_at(byte, wide ? 8 : 2, big) : 0;
  if (entries == 0)
    *problem = "damaged: a TIFF without a directory";
  for (; entries > 0; entries--) {
    const size_t entry = 4 + 2 * (size_t)size;
    if (fread(byte, 1, entry, stream) != entry) {
      *problem = "damaged: it ends too early";
      return NULL;
    }
    if (number_at(byte, 2, big) != DESCRIPTION || number_at(byte + 2, 2, big) != ASCII)
      continue;
    const uint64_t length = number_at(byte + 4, size, big);
    const uint64_t place = number_at(byte + 4 + size, size, big);
    if (length <= (uint64_t)size)
      return NULL; /* another program's */
    if (place > INT64_MAX || fseeko(stream, (off_t)place, SEEK_SET) != 0) {
      *problem = "damaged: a text beyond its end";
      return NULL;
    }
    return read_bytes(stream, length, problem);
  }
  return NULL;
}

/* ---- PGM ---- */

/* The comment of the header that is ours: before the third word after P5, which is the last. */
static char *read_pgm(FILE *stream, const char **problem) {
  char *line = calloc(1, CLI_MAX_CARRIED), *text = NULL;
  if (!line)
    *problem = strerror(ENOMEM);
  for (int words = -1; line && !text && words < 3;) {
    if (!fgets(line, CLI_MAX_CARRIED, stream))
      break;
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

/* ---- Zarr ---- */

/* The attribute that is ours. Samples may begin with a brace, too. */
static char *read_zattrs(FILE *stream, const char **problem) {
  rewind(stream);
  char *json = cli_read_bounded(stream, CLI_MAX_DESCRIPTION, problem);
  const int is_json = json && cli_json_is_value(json);
  *problem = is_json ? cli_json_duplicate(json) : NULL;
  const char *value = is_json && !*problem ? cli_json_member(json, "perlane") : NULL;
  char *text = value ? cli_json_string(value) : NULL;
  free(json);
  if (text && strncmp(text, BEGINNING, strlen(BEGINNING)) == 0)
    return text;
  free(text);
  return NULL;
}

static char *read_folder(const char *folder, const char **problem) {
  char *name = cli_beside(folder, "/.zattrs");
  FILE *stream = cli_open_regular(name, problem);
  const int is_missing = !stream && errno == ENOENT;
  char *text = stream ? read_zattrs(stream, problem) : NULL;
  if (!text && (is_missing || !*problem))
    *problem = "it is a folder without options in a file .zattrs";
  if (stream)
    fclose(stream);
  free(name);
  return text;
}

/* ---- All of them ---- */

char *cli_beside(const char *map, const char *suffix) {
  char *name = malloc(strlen(map) + strlen(suffix) + 1);
  if (name) {
    strcpy(name, map);
    strcat(name, suffix);
  }
  return name;
}

static char *read_beside(const char *map, const char **problem) {
  static char wrong[256];
  char *name = cli_beside(map, CLI_SIDECAR);
  const char *reason;
  FILE *stream = cli_open_regular(name, &reason);
  const int is_missing = !stream && errno == ENOENT;
  char *text = NULL;
  if (stream) {
    text = cli_read_bounded(stream, CLI_MAX_CARRIED, &reason);
    fclose(stream);
  }
  free(name);
  if (reason && !is_missing) {
    snprintf(wrong, sizeof wrong, "the file of this name and .txt: %s", reason);
    *problem = wrong;
  }
  return text;
}

/* By the first bytes; NULL for a file that carries nothing itself. */
static char *(*reader_of(const unsigned char *head, size_t size))(FILE *, const char **) {
  if (BEGINS(head, size, "\x89PNG\r\n\x1A\n"))
    return read_png;
  if (BEGINS(head, size, "II*\0") || BEGINS(head, size, "MM\0*") || BEGINS(head, size, "II+\0") ||
      BEGINS(head, size, "MM\0+"))
    return read_tiff;
  if (size > 0 && head[0] == '{')
    return read_zattrs;
  return size > 2 && memcmp(head, "P5", 2) == 0 && strchr("\n \r\t#", head[2]) ? read_pgm : NULL;
}

char *cli_carried_read(const char *map, const char **problem) {
  unsigned char head[8] = {0};
  struct stat status;
  if (stat(map, &status) == 0 && S_ISDIR(status.st_mode))
    return read_folder(map, problem);
  FILE *stream = cli_open_regular(map, problem);
  if (!stream)
    return NULL;
  const size_t size = fread(head, 1, sizeof head, stream);
  if (ferror(stream))
    *problem = strerror(errno);
  char *(*const reader)(FILE *, const char **) = reader_of(head, size);
  if (reader == read_pgm)
    rewind(stream);
  char *text = reader && !*problem ? reader(stream, problem) : NULL;
  fclose(stream);
  if (text && *text != '{' && strncmp(text, BEGINNING, strlen(BEGINNING)) != 0) {
    free(text); /* another program's description */
    text = NULL;
  }
  /* Also of a file of samples alone that happens to begin as another kind does. */
  const char *problem_beside = NULL;
  if (!text)
    text = read_beside(map, &problem_beside);
  if (text || *problem)
    return text;
  *problem = problem_beside ? problem_beside
             : BEGINS(head, size, "perlane=")
                 ? "it is no map, but a text of options; --params reads it"
                 : "it carries no options, and there is no file of this name and .txt";
  return NULL;
}

/* ---- Writing ---- */

const char *cli_sidecar_write(FILE *stream, const struct cli_map *map, float low, float high) {
  fputs("# ", stream);
  for (int a = 0; a < map->dims; a++)
    fprintf(stream, "%s%" PRIu64, a ? " x " : "", map->size[a]);
  if (map->bits == 32) {
    fputs(" samples, x fastest: 32-bit floats, little-endian", stream);
  } else {
    fprintf(stream, " samples, x fastest: %d-bit unsigned integers%s; 0 is ", map->bits,
            map->bits == 8 ? "" : ", little-endian");
    cli_print_float(stream, low);
    fprintf(stream, ", %d is ", map->bits == 8 ? 255 : 65535);
    cli_print_float(stream, high);
  }
  return fprintf(stream, "\n%s\n", map->params) < 0 || ferror(stream) ? strerror(errno) : NULL;
}

const char *cli_shape_write(FILE *stream, const struct cli_map *map) {
  const int written =
      fprintf(stream, "{\"width\": %" PRIu64 ", \"height\": %" PRIu64 ", \"bpp\": %d}\n",
              map->size[0], map->size[1], map->bits);
  return written < 0 ? strerror(errno) : NULL;
}
