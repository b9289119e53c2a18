/* SPDX-License-Identifier: MIT
 *
 * TIFF in tiles, and BigTIFF where a TIFF's 4 GiB could be too few.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <tiffio.h>

#include "formats/format.h"

enum { TILE = 256 }; /* samples along a side */

/* Beyond so many bytes of samples a file is a BigTIFF: with room for what compression adds to what
 * cannot be compressed, and for the tables of tiles. */
#define CLASSIC_BYTES UINT64_C(4000000000)

const char *const CLI_COMPRESSIONS[] = {"deflate", "lzw", "none", "zstd", NULL};
static const uint16_t SCHEMES[] = {COMPRESSION_ADOBE_DEFLATE, COMPRESSION_LZW, COMPRESSION_NONE,
                                   COMPRESSION_ZSTD};

struct writer {
  FILE *stream;
  TIFF *tiff;
  unsigned char *tile;
  size_t width, tile_width, sample_bytes;
  uint32_t row; /* of the next tiles' upper edge */
  uint32_t tile_height;
  char problem[160];
};

/* ---- The stream, for libtiff ---- */

static tmsize_t on_read(thandle_t handle, void *data, tmsize_t size) {
  struct writer *writer = handle;
  return (tmsize_t)fread(data, 1, (size_t)size, writer->stream);
}

static tmsize_t on_write(thandle_t handle, void *data, tmsize_t size) {
  struct writer *writer = handle;
  const size_t written = fwrite(data, 1, (size_t)size, writer->stream);
  if (written != (size_t)size && writer->problem[0] == '\0')
    snprintf(writer->problem, sizeof writer->problem, "%s", strerror(errno));
  return (tmsize_t)written;
}

static toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
  struct writer *writer = handle;
  if (fseeko(writer->stream, (off_t)offset, whence) != 0)
    return (toff_t)-1;
  return (toff_t)ftello(writer->stream);
}

static int on_close(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t on_size(thandle_t handle) {
  struct writer *writer = handle;
  const off_t here = ftello(writer->stream);
  if (here < 0 || fseeko(writer->stream, 0, SEEK_END) != 0)
    return 0;
  const off_t size = ftello(writer->stream);
  fseeko(writer->stream, here, SEEK_SET);
  return size < 0 ? 0 : (toff_t)size;
}

/* libtiff's own handlers print. */
static void on_error(thandle_t handle, const char *module, const char *format, va_list arguments) {
  struct writer *writer = handle;
  (void)module;
  if (writer && writer->problem[0] == '\0') /* the first one is the cause */
    vsnprintf(writer->problem, sizeof writer->problem, format, arguments);
}

static const char *problem_of(struct writer *writer) {
  return writer->problem[0] != '\0' ? writer->problem : "libtiff gives no reason";
}

/* ---- The file ---- */

static int scheme_of(const char *compression) {
  for (int i = 0; CLI_COMPRESSIONS[i]; i++)
    if (strcmp(CLI_COMPRESSIONS[i], compression) == 0)
      return SCHEMES[i];
  return COMPRESSION_NONE;
}

/* A tile's sides are multiples of 16. */
static uint32_t side_of(uint64_t size) {
  return size >= TILE ? TILE : (uint32_t)((size + 15) / 16 * 16);
}

static int set_fields(struct writer *writer, const struct cli_map *map) {
  TIFF *tiff = writer->tiff;
  const int scheme = scheme_of(map->compression);
  int set = TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)map->size[0]) &&
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)map->size[1]) &&
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, map->bits) &&
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, map->channels) &&
            TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                         map->bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                         map->channels == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK) &&
            TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
            TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT) &&
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, (uint32_t)writer->tile_width) &&
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, writer->tile_height) &&
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, scheme) &&
            TIFFSetField(tiff, TIFFTAG_SOFTWARE, "perlane " PERLANE_VERSION);
  /* Differences of neighbours are what packs well in smooth noise. */
  if (set && scheme != COMPRESSION_NONE)
    set = TIFFSetField(tiff, TIFFTAG_PREDICTOR,
                       map->bits == 32 ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
  /* Higher levels take several times as long for a file that is a few percent smaller. */
  if (set && scheme == COMPRESSION_ADOBE_DEFLATE)
    set = TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1);
  if (set && map->params)
    set = TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, map->params);
  return set;
}

static const char *begin(void **opened, FILE *stream, const struct cli_map *map) {
  struct writer *writer = calloc(1, sizeof *writer);
  *opened = writer;
  if (!writer)
    return strerror(ENOMEM);
  writer->stream = stream;
  writer->width = (size_t)map->size[0];
  writer->tile_width = side_of(map->size[0]);
  writer->tile_height = side_of(map->size[1]);
  writer->sample_bytes = cli_sample_bytes(map);
  if (!TIFFIsCODECConfigured((uint16_t)scheme_of(map->compression)))
    return "this machine's libtiff does not have that compression";
  TIFFSetErrorHandler(NULL);
  TIFFSetErrorHandlerExt(on_error);
  TIFFSetWarningHandler(NULL);
  const uint64_t bytes = map->size[0] * map->size[1] * writer->sample_bytes;
  const char *mode = map->bigtiff || bytes > CLASSIC_BYTES ? "w8" : "w";
  writer->tiff = TIFFClientOpen("map", mode, writer, on_read, on_write, on_seek, on_close, on_size,
                                NULL, NULL);
  if (!writer->tiff || !set_fields(writer, map))
    return problem_of(writer);
  writer->tile = calloc(writer->tile_width * writer->tile_height, writer->sample_bytes);
  return writer->tile ? NULL : strerror(ENOMEM);
}

/* Cuts whole rows, those of a row of tiles, into tiles; those at the edges of the image are not
 * full. */
static const char *write_tiles(struct writer *writer, const unsigned char *samples, size_t rows) {
  const size_t line = writer->width * writer->sample_bytes;
  const size_t full = writer->tile_width * writer->sample_bytes;
  for (size_t x = 0; x < writer->width; x += writer->tile_width) {
    const size_t left = (writer->width - x) * writer->sample_bytes;
    for (size_t y = 0; y < rows; y++)
      memcpy(writer->tile + y * full, samples + y * line + x * writer->sample_bytes,
             left < full ? left : full);
    if (TIFFWriteTile(writer->tiff, writer->tile, (uint32_t)x, writer->row, 0, 0) < 0)
      return problem_of(writer);
  }
  return NULL;
}

static const char *write_samples(void *opened, void *samples, size_t count) {
  struct writer *writer = opened;
  const unsigned char *next = samples;
  for (size_t rows = count / writer->width; rows > 0;) {
    const size_t some = rows < writer->tile_height ? rows : writer->tile_height;
    const char *problem = write_tiles(writer, next, some);
    if (problem)
      return problem;
    next += some * writer->width * writer->sample_bytes;
    writer->row += (uint32_t)some;
    rows -= some;
  }
  return NULL;
}

static const char *finish(void *opened) {
  struct writer *writer = opened;
  return TIFFFlush(writer->tiff) ? NULL : problem_of(writer);
}

static void free_writer(void *opened) {
  struct writer *writer = opened;
  if (!writer)
    return;
  if (writer->tiff)
    TIFFClose(writer->tiff);
  TIFFSetErrorHandlerExt(NULL); /* it takes every file's handle for a writer */
  free(writer->tile);
  free(writer);
}

#define FORMAT(name)                                                                               \
  {                                                                                                \
    .suffix = (name), .depths = 8 + 16 + 32, .usual = 16, .colour = 1, .images = 1, .tiff = 1,     \
    .longest = INT32_MAX, .rows = TILE, .begin = begin, .write = write_samples, .finish = finish,  \
    .free = free_writer,                                                                           \
  }

const struct cli_format CLI_TIFF = FORMAT(".tif");
const struct cli_format CLI_TIFF_LONG = FORMAT(".tiff");
