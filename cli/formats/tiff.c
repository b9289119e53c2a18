/* SPDX-License-Identifier: MIT
 *
 * TIFF in tiles, and BigTIFF where a file could exceed the 4 GiB of a TIFF.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <tiffio.h>

#include "formats/format.h"

/* Tiles are MIN_TILE samples a side, which all programs read well. libtiff keeps 18 bytes in memory
 * for each tile, so images of more than MAX_TILES tiles get larger ones. The table then stays below
 * 20 MiB up to 2 Mi x 2 Mi samples, and grows by 4 bytes per million samples from there on. */
enum { MIN_TILE = 256, MAX_TILE = 2048, MAX_TILES = 1 << 20 };

/* A file with more bytes of samples is a BigTIFF. That leaves room for data that compression makes
 * larger, and for the table of tiles. */
#define CLASSIC_BYTES UINT64_C(4000000000)

const char *const CLI_COMPRESSIONS[] = {
    [CLI_DEFLATE] = "deflate", [CLI_LZW] = "lzw", [CLI_NONE] = "none", [CLI_ZSTD] = "zstd", NULL};
static const uint16_t SCHEMES[] = {COMPRESSION_ADOBE_DEFLATE, COMPRESSION_LZW, COMPRESSION_NONE,
                                   COMPRESSION_ZSTD};

struct writer {
  FILE *stream;
  TIFF *tiff;
  unsigned char *tile;
  size_t width, sample_bytes;
  size_t tile_size[PERLANE_MAX_DIMS]; /* width and height */
  size_t x, y;                        /* the next block's corner */
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

/* Replaces libtiff's handlers, which print. */
static void on_error(thandle_t handle, const char *module, const char *format, va_list arguments) {
  struct writer *writer = handle;
  (void)module;
  if (writer && writer->problem[0] == '\0') /* the first problem is the cause */
    vsnprintf(writer->problem, sizeof writer->problem, format, arguments);
}

static const char *problem_of(struct writer *writer) {
  return writer->problem[0] != '\0' ? writer->problem : "libtiff gives no reason";
}

/* ---- The file ---- */

/* Sides of tiles are multiples of 16. */
static void tile_size(const struct cli_map *map, size_t size[PERLANE_MAX_DIMS]) {
  uint64_t side = MIN_TILE;
  while (side < MAX_TILE &&
         (map->size[0] / side + 1) * (map->size[1] / side + 1) > (uint64_t)MAX_TILES)
    side *= 2;
  for (int a = 0; a < 2; a++)
    size[a] = (size_t)(map->size[a] >= side ? side : (map->size[a] + 15) / 16 * 16);
}

static int set_fields(struct writer *writer, const struct cli_map *map) {
  TIFF *tiff = writer->tiff;
  const int scheme = SCHEMES[map->compression];
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
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, (uint32_t)writer->tile_size[0]) &&
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, (uint32_t)writer->tile_size[1]) &&
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, scheme) &&
            TIFFSetField(tiff, TIFFTAG_SOFTWARE, "perlane " PERLANE_VERSION);
  /* Differences of neighbours in smooth noise compress well. */
  if (set && scheme != COMPRESSION_NONE)
    set = TIFFSetField(tiff, TIFFTAG_PREDICTOR,
                       map->bits == 32 ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
  /* Higher levels take several times as long to make a file a few percent smaller. */
  if (set && scheme == COMPRESSION_ADOBE_DEFLATE)
    set = TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1);
  if (set && map->params)
    set = TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, map->params);
  return set;
}

static const char *begin(void *opened, FILE *stream, const struct cli_map *map) {
  struct writer *writer = opened;
  writer->stream = stream;
  writer->width = (size_t)map->size[0];
  tile_size(map, writer->tile_size);
  writer->sample_bytes = cli_sample_bytes(map);
  if (!TIFFIsCODECConfigured(SCHEMES[map->compression]))
    return "this libtiff was built without that compression";
  TIFFSetErrorHandler(NULL);
  TIFFSetErrorHandlerExt(on_error);
  TIFFSetWarningHandler(NULL);
  const uint64_t bytes = map->size[0] * map->size[1] * writer->sample_bytes;
  const char *mode = map->bigtiff || bytes > CLASSIC_BYTES ? "w8" : "w";
  writer->tiff = TIFFClientOpen("map", mode, writer, on_read, on_write, on_seek, on_close, on_size,
                                NULL, NULL);
  if (!writer->tiff || !set_fields(writer, map))
    return problem_of(writer);
  writer->tile = calloc(writer->tile_size[0] * writer->tile_size[1], writer->sample_bytes);
  return writer->tile ? NULL : strerror(ENOMEM);
}

/* Writes the tile at (x, y), of which the image contains `columns` x `rows` samples. */
static const char *write_tile(struct writer *writer, const unsigned char *samples, size_t stride,
                              size_t x, size_t y, size_t columns, size_t rows) {
  const size_t tile_stride = writer->tile_size[0] * writer->sample_bytes;
  for (size_t row = 0; row < rows; row++)
    memcpy(writer->tile + row * tile_stride, samples + row * stride,
           columns * writer->sample_bytes);
  return TIFFWriteTile(writer->tiff, writer->tile, (uint32_t)x, (uint32_t)y, 0, 0) < 0
             ? problem_of(writer)
             : NULL;
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

static const char *write_samples(void *opened, void *samples, size_t width, size_t rows) {
  struct writer *writer = opened;
  const size_t *tile = writer->tile_size, stride = width * writer->sample_bytes;
  const char *problem = NULL;
  for (size_t y = 0; y < rows && !problem; y += tile[1])
    for (size_t x = 0; x < width && !problem; x += tile[0])
      problem = write_tile(writer, (unsigned char *)samples + y * stride + x * writer->sample_bytes,
                           stride, writer->x + x, writer->y + y, smaller(width - x, tile[0]),
                           smaller(rows - y, tile[1]));
  writer->x += width;
  if (writer->x == writer->width) {
    writer->x = 0;
    writer->y += rows;
  }
  return problem;
}

static const char *finish(void *opened) {
  struct writer *writer = opened;
  return TIFFFlush(writer->tiff) ? NULL : problem_of(writer);
}

static void release(void *opened) {
  struct writer *writer = opened;
  if (writer->tiff)
    TIFFClose(writer->tiff);
  TIFFSetErrorHandlerExt(NULL); /* on_error takes every handle for a writer */
  free(writer->tile);
}

#define FORMAT(name)                                                                               \
  {                                                                                                \
    .suffix = (name), .depths = 8 + 16 + 32, .usual = 16, .colour = 1, .images = 1, .tiff = 1,     \
    .longest = INT32_MAX, .block_unit = tile_size, .writer_bytes = sizeof(struct writer),          \
    .begin = begin, .write = write_samples, .finish = finish, .release = release,                  \
  }

const struct cli_format CLI_TIFF = FORMAT(".tif");
const struct cli_format CLI_TIFF_LONG = FORMAT(".tiff");
