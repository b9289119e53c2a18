/* SPDX-License-Identifier: MIT
 *
 * Reading of params from files of each kind.
 */
#include "field/metadata.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>
#include <png.h>
#include <tiffio.h>

#include "field/json.h"
#include "map/sidecar.h"

static const char KEYWORD[] = "perlane";

static const char *out_of_memory(void) {
  return strerror(ENOMEM);
}

static char *copy_of(const char *text, size_t length, const char **problem) {
  char *copy = malloc(length + 1);
  if (!copy) {
    *problem = out_of_memory();
    return NULL;
  }
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

/* ---- PNG ---- */

struct png {
  png_structp png;
  png_infop info, end;
  FILE *stream;
  char problem[128];
};

static void on_error(png_structp png, png_const_charp message) {
  struct png *reader = png_get_error_ptr(png);
  snprintf(reader->problem, sizeof reader->problem, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void on_read(png_structp png, png_bytep data, size_t size) {
  const struct png *reader = png_get_io_ptr(png);
  if (fread(data, 1, size, reader->stream) != size)
    png_error(png, "the file ends too early");
}

/* The text of a chunk with the keyword, which belongs to the reader; NULL if there is none. */
static const char *find_chunk(const struct png *reader, png_infop info) {
  png_textp text;
  int count = 0;
  png_get_text(reader->png, info, &text, &count);
  for (int i = 0; i < count; i++)
    if (strcmp(text[i].key, KEYWORD) == 0)
      return text[i].text;
  return NULL;
}

/* Chunks before the pixels first, as the search behind them has to pass over all pixels, with
 * memory for two rows: where a header tells of longer ones than this, only before. */
enum { LONGEST_ROW = 16 << 20 };

/* What a chunk may unpack to: params with all that they embed have less. */
enum { LONGEST_TEXT = 4 << 20 };

/* A chunk's length is no more than a claim, too, of which libpng only warns. */
static png_voidp png_memory(png_structp png, png_alloc_size_t size) {
  (void)png;
  return size > LONGEST_ROW + 64 ? NULL : malloc(size);
}

static void png_release(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

static const char *read_chunks(struct png *reader) {
  if (setjmp(png_jmpbuf(reader->png)))
    return NULL;
  png_set_read_fn(reader->png, reader, on_read);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(reader->png, LONGEST_TEXT);
  png_read_info(reader->png, reader->info);
  const char *text = find_chunk(reader, reader->info);
  if (text || png_get_rowbytes(reader->png, reader->info) > LONGEST_ROW)
    return text;
  png_read_update_info(reader->png, reader->info); /* so that it can pass over the pixels */
  png_read_end(reader->png, reader->end);
  return find_chunk(reader, reader->end);
}

static char *read_png(FILE *stream, const char **problem) {
  static char damaged[160];
  struct png reader = {.stream = stream};
  char *copy = NULL;
  reader.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning, NULL,
                                        png_memory, png_release);
  if (reader.png) {
    reader.info = png_create_info_struct(reader.png);
    reader.end = png_create_info_struct(reader.png);
  }
  if (reader.info && reader.end) {
    const char *text = read_chunks(&reader);
    if (text) {
      copy = copy_of(text, strlen(text), problem);
    } else if (reader.problem[0] != '\0') {
      snprintf(damaged, sizeof damaged, "a damaged PNG: %s", reader.problem);
      *problem = damaged;
    }
  } else {
    *problem = out_of_memory();
  }
  png_destroy_read_struct(&reader.png, &reader.info, &reader.end);
  return copy;
}

/* ---- TIFF ---- */

static tmsize_t tiff_read(thandle_t handle, void *data, tmsize_t size) {
  return (tmsize_t)fread(data, 1, (size_t)size, handle);
}

static tmsize_t tiff_write(thandle_t handle, void *data, tmsize_t size) {
  (void)handle;
  (void)data;
  (void)size;
  return 0;
}

static toff_t tiff_seek(thandle_t handle, toff_t offset, int whence) {
  return fseeko(handle, (off_t)offset, whence) == 0 ? (toff_t)ftello(handle) : (toff_t)-1;
}

static int tiff_close(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t tiff_size(thandle_t handle) {
  const off_t before = ftello(handle);
  toff_t size = 0;
  if (fseeko(handle, 0, SEEK_END) == 0)
    size = (toff_t)ftello(handle);
  (void)fseeko(handle, before, SEEK_SET);
  return size;
}

static char *read_tiff(FILE *stream, const char **problem) {
  TIFFSetErrorHandler(NULL);
  TIFFSetErrorHandlerExt(NULL);
  TIFFSetWarningHandler(NULL);
  TIFF *tiff = TIFFClientOpen("map", "rm", stream, tiff_read, tiff_write, tiff_seek, tiff_close,
                              tiff_size, NULL, NULL);
  if (!tiff) {
    *problem = "a damaged TIFF";
    return NULL;
  }
  const char *text;
  char *copy = NULL;
  /* Other programs describe their images too. */
  if (TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text && text[0] == '{')
    copy = copy_of(text, strlen(text), problem);
  TIFFClose(tiff);
  return copy;
}

/* ---- Comments ---- */

/* The comment that begins behind #, up to the end of its line; NULL without memory for it. */
static char *read_comment(FILE *stream) {
  char *comment = NULL;
  size_t length = 0;
  FILE *text = open_memstream(&comment, &length);
  if (!text)
    return NULL;
  int c;
  for (size_t i = 0; i < CLI_JSON_MOST && (c = getc_unlocked(stream)) != EOF && c != '\n'; i++)
    putc_unlocked(c, text);
  const int failed = ferror(text);
  if (fclose(text) == 0 && !failed)
    return comment;
  free(comment);
  return NULL;
}

/* Between the header's words, of which width, height and the largest value follow P5. */
static char *read_pgm(FILE *stream, const char **problem) {
  static const char begin[] = " perlane {";
  int words = 0, in_word = 0, c;
  (void)fseeko(stream, 2, SEEK_SET);
  while (words < 3 && (c = getc_unlocked(stream)) != EOF) {
    if (c == '#') {
      char *comment = read_comment(stream), *copy = NULL;
      if (!comment) {
        *problem = out_of_memory();
        return NULL;
      }
      const int found = strncmp(comment, begin, sizeof begin - 1) == 0;
      if (found)
        copy = copy_of(comment + sizeof begin - 2, strlen(comment) + 2 - sizeof begin, problem);
      free(comment);
      if (found)
        return copy;
      c = '\n';
    }
    const int blank = strchr(" \t\r\n", c) != NULL;
    words += in_word && blank;
    in_word = !blank;
  }
  return NULL;
}

/* The part of a file in which the last comment is looked for. */
enum { TAIL = 64 << 20 };

/* The last "<!-- perlane {" of a text with a zero behind it, at its brace. */
static const char *last_comment(const char *text, size_t length) {
  static const char begin[] = "<!-- perlane {";
  const size_t size = sizeof begin - 1;
  for (size_t i = length < size ? 0 : length - size + 1; i-- > 0;)
    if (text[i] == '<' && memcmp(text + i, begin, size) == 0)
      return text + i + size - 1;
  return NULL;
}

static char *read_svg(FILE *stream, const char **problem) {
  char *copy = NULL;
  off_t size = -1;
  if (fseeko(stream, 0, SEEK_END) == 0)
    size = ftello(stream);
  const size_t length = size < 0 ? 0 : size < TAIL ? (size_t)size : TAIL;
  char *text = malloc(length + 1);
  if (!text) {
    *problem = out_of_memory();
    return NULL;
  }
  if (size < 0 || fseeko(stream, size - (off_t)length, SEEK_SET) != 0 ||
      fread(text, 1, length, stream) != length) {
    *problem = strerror(errno);
  } else {
    text[length] = '\0';
    const char *comment = last_comment(text, length);
    const char *end = comment ? strstr(comment, "-->") : NULL;
    if (end)
      copy = copy_of(comment, (size_t)(end - comment), problem);
  }
  free(text);
  return copy;
}

/* ---- Files beside others ---- */

/* Of the text of such a file, the member params. */
static char *find_member(const char *text, size_t length, const char **problem) {
  static char wrong[160];
  struct json_object *root = cli_json_parse(text, length, wrong, sizeof wrong), *params;
  char *copy = NULL;
  if (!root) {
    *problem = wrong;
    return NULL;
  }
  if (json_object_is_type(root, json_type_object) &&
      json_object_object_get_ex(root, "params", &params) &&
      json_object_is_type(params, json_type_object)) {
    const char *printed = json_object_to_json_string_ext(params, JSON_C_TO_STRING_PLAIN);
    if (printed)
      copy = copy_of(printed, strlen(printed), problem);
    else
      *problem = out_of_memory();
  } else {
    *problem = "it has no object \"params\"";
  }
  json_object_put(root);
  return copy;
}

static char *read_beside(const char *file, const char **problem) {
  static char wrong[256];
  char *name = cli_sidecar_name(file);
  if (!name) {
    *problem = out_of_memory();
    return NULL;
  }
  FILE *stream = fopen(name, "rb");
  free(name);
  if (!stream) {
    if (errno != ENOENT) {
      snprintf(wrong, sizeof wrong, "the file of this name and .json: %s", strerror(errno));
      *problem = wrong;
    }
    return NULL;
  }
  size_t size;
  const char *reason;
  char *copy = NULL, *text = cli_json_read(stream, &size, &reason);
  fclose(stream);
  if (text)
    copy = find_member(text, size, &reason);
  free(text);
  if (!copy) {
    snprintf(wrong, sizeof wrong, "the file of this name and .json: %s", reason);
    *problem = wrong;
  }
  return copy;
}

/* ---- All of them ---- */

static int begins(const unsigned char *head, size_t size, const char *magic, size_t length) {
  return size >= length && memcmp(head, magic, length) == 0;
}

#define BEGINS(head, size, magic) begins(head, size, magic, sizeof(magic) - 1)

/* By its first bytes; NULL for a file that carries nothing itself. */
static char *(*reader_of(const unsigned char *head, size_t size))(FILE *, const char **) {
  if (BEGINS(head, size, "\x89PNG\r\n\x1A\n"))
    return read_png;
  if (BEGINS(head, size, "II*\0") || BEGINS(head, size, "MM\0*") || BEGINS(head, size, "II+\0") ||
      BEGINS(head, size, "MM\0+"))
    return read_tiff;
  if (BEGINS(head, size, "P5\n") || BEGINS(head, size, "P5 ") || BEGINS(head, size, "P5\r") ||
      BEGINS(head, size, "P5\t") || BEGINS(head, size, "P5#"))
    return read_pgm;
  if (BEGINS(head, size, "<?xml") || BEGINS(head, size, "<svg") || BEGINS(head, size, "<!--") ||
      BEGINS(head, size, "\xEF\xBB\xBF<"))
    return read_svg;
  return NULL;
}

char *cli_metadata_read(const char *file, const char **problem) {
  unsigned char head[8];
  FILE *stream = fopen(file, "rb");
  if (!stream) {
    *problem = strerror(errno);
    return NULL;
  }
  *problem = NULL;
  const size_t size = fread(head, 1, sizeof head, stream);
  if (ferror(stream))
    *problem = strerror(errno);
  char *(*const reader)(FILE *, const char **) = reader_of(head, size);
  char *text = NULL;
  rewind(stream);
  if (reader && !*problem)
    text = reader(stream, problem);
  fclose(stream);
  /* Also of a file of pixels alone that happens to begin as another kind does. */
  const char *problem_beside = NULL;
  if (!text)
    text = read_beside(file, &problem_beside);
  if (!*problem)
    *problem = problem_beside;
  if (!text && !*problem && BEGINS(head, size, "{"))
    *problem = "it is no map, but JSON; --params reads saved params";
  if (!text && !*problem)
    *problem = "it carries no params, and no file of this name and .json is there";
  return text;
}
