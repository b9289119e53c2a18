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

static const uint16_t SCHEMES[] = {[CLI_DEFLATE] = COMPRESSION_ADOBE_DEFLATE,
                                   [CLI_NONE] = COMPRESSION_NONE,
                                   [CLI_ZSTD] = COMPRESSION_ZSTD};

/* Whom libtiff calls back, by the handle that it was given. */
struct client {
  FILE *stream;
  char problem[160];
};

struct writer {
  struct client client;
  TIFF *tiff;
  struct cli_map map;
  uint64_t tile_size[PERLANE_MAX_DIMS]; /* width and height */
};

static void keep_problem(struct client *client, const char *problem) {
  if (client->problem[0] == '\0') /* the first problem is the cause */
    snprintf(client->problem, sizeof client->problem, "%s", problem);
}

/* ---- The stream, for libtiff ---- */

static tmsize_t on_read(thandle_t handle, void *data, tmsize_t size) {
  struct client *client = handle;
  const size_t got = fread(data, 1, (size_t)size, client->stream);
  if (got != (size_t)size && ferror(client->stream))
    keep_problem(client, strerror(errno));
  return (tmsize_t)got;
}

static tmsize_t on_write(thandle_t handle, void *data, tmsize_t size) {
  struct client *client = handle;
  const size_t written = fwrite(data, 1, (size_t)size, client->stream);
  if (written != (size_t)size)
    keep_problem(client, strerror(errno));
  return (tmsize_t)written;
}

static toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
  struct client *client = handle;
  const int sought = fseeko(client->stream, (off_t)offset, whence) == 0;
  const off_t place = sought ? ftello(client->stream) : -1;
  if (place < 0)
    keep_problem(client, strerror(errno));
  return (toff_t)place;
}

static int on_close(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t on_size(thandle_t handle) {
  const toff_t here = on_seek(handle, 0, SEEK_CUR), size = on_seek(handle, 0, SEEK_END);
  on_seek(handle, here, SEEK_SET);
  return size;
}

/* Replaces libtiff's handlers, which print. */
static void on_error(thandle_t handle, const char *module, const char *format, va_list arguments) {
  char problem[160];
  (void)module;
  vsnprintf(problem, sizeof problem, format, arguments);
  if (handle)
    keep_problem(handle, problem);
}

static void take_messages(void) {
  TIFFSetErrorHandler(NULL);
  TIFFSetErrorHandlerExt(on_error);
  TIFFSetWarningHandler(NULL);
}

static TIFF *open_client(struct client *client, FILE *stream, const char *mode) {
  client->stream = stream;
  return TIFFClientOpen("map", mode, client, on_read, on_write, on_seek, on_close, on_size, NULL,
                        NULL);
}

static const char *problem_of(const struct client *client) {
  return client->problem[0] != '\0' ? client->problem : "libtiff gives no reason";
}

/* ---- The file ---- */

/* Sides of tiles are multiples of 16. */
static void tile_size(const struct cli_map *map, uint64_t size[PERLANE_MAX_DIMS]) {
  uint64_t side = MIN_TILE;
  while (side < MAX_TILE &&
         (map->size[0] / side + 1) * (map->size[1] / side + 1) > (uint64_t)MAX_TILES)
    side *= 2;
  for (int a = 0; a < 2; a++)
    size[a] = map->size[a] >= side ? side : (map->size[a] + 15) / 16 * 16;
}

/* Sets what a file of one tile has in common with the image. */
static int set_coding(TIFF *tiff, const struct cli_map *map, const uint64_t *tile) {
  const int scheme = SCHEMES[map->compression];
  int set = TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, map->bits) &&
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, map->channels) &&
            TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                         map->bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                         map->channels == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK) &&
            TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, (uint32_t)tile[0]) &&
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, (uint32_t)tile[1]) &&
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, scheme);
  /* Differences of neighbours in smooth noise compress well. Those of floats, predictor 3, many
   * programs do not read. */
  if (set && scheme != COMPRESSION_NONE && map->bits < 32)
    set = TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
  /* Higher levels take several times as long to make a file a few percent smaller. */
  if (set && scheme == COMPRESSION_ADOBE_DEFLATE)
    set = TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1);
  return set;
}

static int set_size(TIFF *tiff, uint64_t width, uint64_t height) {
  return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)width) &&
         TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)height);
}

static int set_fields(TIFF *tiff, const struct cli_map *map, const uint64_t *tile) {
  return set_size(tiff, map->size[0], map->size[1]) && set_coding(tiff, map, tile) &&
         TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT) &&
         TIFFSetField(tiff, TIFFTAG_SOFTWARE, "perlane " PERLANE_VERSION) &&
         (!map->params || TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, map->params));
}

/* ---- The place of a map ---- */

/* GeoTIFF's and GDAL's tags, which libtiff does not know by itself. */
enum { PIXEL_SCALE = 33550, TIEPOINT = 33922, GEO_KEYS = 34735, GDAL_METADATA = 42112 };
static const TIFFFieldInfo GEO_FIELDS[] = {
    {PIXEL_SCALE, TIFF_VARIABLE, TIFF_VARIABLE, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelPixelScale"},
    {TIEPOINT, TIFF_VARIABLE, TIFF_VARIABLE, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelTiepoint"},
    {GEO_KEYS, TIFF_VARIABLE, TIFF_VARIABLE, TIFF_SHORT, FIELD_CUSTOM, 1, 1, "GeoKeyDirectory"},
    {GDAL_METADATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "GDALMetadata"},
};

/* Sets what integers stand for: level * scale + offset. */
static int set_values(TIFF *tiff, const struct cli_map *map) {
  const double low = (double)map->low, most = map->bits == 8 ? 255 : 65535;
  char text[256];
  snprintf(text, sizeof text,
           "<GDALMetadata><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">%.17g</Item>"
           "<Item name=\"SCALE\" sample=\"0\" role=\"scale\">%.17g</Item></GDALMetadata>",
           low, ((double)map->high - low) / most);
  return map->bits == 32 || map->channels != 1 || TIFFSetField(tiff, GDAL_METADATA, text);
}

/* A sample is the value at its position: the pixel is a point. */
static int set_place(TIFF *tiff, const struct cli_map *map) {
  enum { MODEL = 1024, RASTER = 1025, GEOGRAPHIC = 2048, PROJECTED = 3072, POINT = 2 };
  const int geographic = cli_crs_of(map->crs) == CLI_GEOGRAPHIC;
  const double scale[3] = {map->step[0], -map->step[1], 0}; /* rows go to the south */
  const double tie[6] = {0, 0, 0, map->corner[0], map->corner[1], 0};
  const uint16_t keys[4][4] = {
      {1, 1, 0, 3}, /* versions, and the number of keys */
      {MODEL, 0, 1, (uint16_t)(geographic ? 2 : 1)},
      {RASTER, 0, 1, POINT},
      {(uint16_t)(geographic ? GEOGRAPHIC : PROJECTED), 0, 1, (uint16_t)map->crs},
  };
  return map->crs == 0 ||
         (TIFFMergeFieldInfo(tiff, GEO_FIELDS, sizeof GEO_FIELDS / sizeof GEO_FIELDS[0]) == 0 &&
          TIFFSetField(tiff, PIXEL_SCALE, 3, scale) && TIFFSetField(tiff, TIEPOINT, 6, tie) &&
          TIFFSetField(tiff, GEO_KEYS, 16, keys) && set_values(tiff, map));
}

static const char *begin(void *opened, FILE *stream, const struct cli_map *map) {
  struct writer *writer = opened;
  writer->map = *map;
  tile_size(map, writer->tile_size);
  if (!TIFFIsCODECConfigured(SCHEMES[map->compression]))
    return "this libtiff was built without that compression";
  take_messages();
  const uint64_t bytes = map->size[0] * map->size[1] * cli_sample_bytes(map);
  writer->tiff = open_client(&writer->client, stream, bytes > CLASSIC_BYTES ? "w8" : "w");
  return writer->tiff && set_fields(writer->tiff, map, writer->tile_size) &&
                 set_place(writer->tiff, map)
             ? NULL
             : problem_of(&writer->client);
}

/* ---- Pieces ---- */

/* Appends a tile's size and its compressed bytes, as libtiff compresses them in a file of their
 * own, which is in memory. */
static const char *pack_tile(const struct writer *writer, struct client *client,
                             unsigned char *samples, struct cli_bytes *packed) {
  const uint64_t *tile = writer->tile_size;
  char *file = NULL;
  size_t file_size, size = 0;
  uint64_t place = 0;
  FILE *stream = open_memstream(&file, &file_size);
  TIFF *tiff = stream ? open_client(client, stream, "w") : NULL;
  int packs = tiff && set_size(tiff, tile[0], tile[1]) && set_coding(tiff, &writer->map, tile) &&
              TIFFWriteEncodedTile(tiff, 0, samples, -1) >= 0;
  if (packs) {
    place = TIFFGetStrileOffset(tiff, 0);
    size = (size_t)TIFFGetStrileByteCount(tiff, 0);
  }
  if (tiff)
    TIFFCleanup(tiff); /* without a directory for the tile */
  if (!stream || fclose(stream) != 0 || !cli_bytes_reserve(packed, sizeof size + size)) {
    keep_problem(client, strerror(ENOMEM));
    packs = 0;
  }
  if (packs) {
    memcpy(packed->data + packed->size, &size, sizeof size);
    memcpy(packed->data + packed->size + sizeof size, file + place, size);
    packed->size += sizeof size + size;
  }
  free(file);
  return packs ? NULL : problem_of(client);
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Copies the tile at (x, y) of a piece. What is beyond the piece is 0. */
static void copy_tile(const struct writer *writer, const struct cli_piece *piece, size_t x,
                      size_t y, unsigned char *tile) {
  const size_t sample = cli_sample_bytes(&writer->map), tile_row = writer->tile_size[0] * sample;
  const size_t columns = smaller(piece->width - x, writer->tile_size[0]);
  const size_t rows = smaller(piece->rows - y, writer->tile_size[1]);
  memset(tile, 0, tile_row * writer->tile_size[1]);
  for (size_t row = 0; row < rows; row++)
    memcpy(tile + row * tile_row, piece->samples + ((y + row) * piece->width + x) * sample,
           columns * sample);
}

static const char *pack(const void *opened, struct cli_piece *piece) {
  static _Thread_local struct client client;
  const struct writer *writer = opened;
  const uint64_t *size = writer->tile_size;
  unsigned char *tile = malloc(size[0] * size[1] * cli_sample_bytes(&writer->map));
  const char *problem = NULL;
  if (!tile)
    return strerror(ENOMEM);
  client.problem[0] = '\0';
  for (size_t y = 0; y < piece->rows && !problem; y += size[1])
    for (size_t x = 0; x < piece->width && !problem; x += size[0]) {
      copy_tile(writer, piece, x, y, tile);
      problem = pack_tile(writer, &client, tile, &piece->packed);
    }
  free(tile);
  return problem;
}

static const char *write_piece(void *opened, const struct cli_piece *piece) {
  struct writer *writer = opened;
  const uint64_t *tile = writer->tile_size;
  unsigned char *data = piece->packed.data;
  for (size_t y = 0; y < piece->rows; y += tile[1])
    for (size_t x = 0; x < piece->width; x += tile[0]) {
      size_t size;
      memcpy(&size, data, sizeof size);
      data += sizeof size;
      const uint32_t index = TIFFComputeTile(writer->tiff, (uint32_t)(piece->column + x),
                                             (uint32_t)(piece->row + y), 0, 0);
      if (TIFFWriteRawTile(writer->tiff, index, data, (tmsize_t)size) < 0)
        return problem_of(&writer->client);
      data += size;
    }
  return NULL;
}

static const char *finish(void *opened) {
  struct writer *writer = opened;
  /* libtiff goes on after some failures. */
  return TIFFFlush(writer->tiff) && writer->client.problem[0] == '\0' ? NULL
                                                                      : problem_of(&writer->client);
}

static void release(void *opened) {
  struct writer *writer = opened;
  if (writer->tiff)
    TIFFClose(writer->tiff);
}

/* ---- Reading ---- */

static int has(TIFF *tiff, uint32_t tag, uint32_t wanted, int is_short) {
  uint32_t number = 0;
  uint16_t few = 0;
  const int found =
      is_short ? TIFFGetFieldDefaulted(tiff, tag, &few) : TIFFGetFieldDefaulted(tiff, tag, &number);
  return found && (is_short ? few : number) == wanted;
}

/* The tiles of the file that was opened last, or some rows of one in strips. */
static uint64_t stored[2];

static void read_unit(const struct cli_map *map, uint64_t unit[PERLANE_MAX_DIMS]) {
  (void)map;
  memcpy(unit, stored, sizeof stored);
}

/* Other programs cut an image into other tiles, or into strips. */
static const char *find_tiles(struct writer *reader) {
  enum { ROWS = 16, MAX_BYTES = 256 << 20 };
  const uint64_t sample = cli_sample_bytes(&reader->map);
  uint32_t width = 0, height = 0;
  uint16_t scheme = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_COMPRESSION, &scheme);
  if (!TIFFIsCODECConfigured(scheme))
    return CLI_NO_CODEC;
  stored[0] = reader->map.size[0];
  stored[1] = stored[0] * sample * ROWS <= MAX_BYTES ? ROWS : 1;
  if (TIFFIsTiled(reader->tiff)) {
    TIFFGetField(reader->tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(reader->tiff, TIFFTAG_TILELENGTH, &height);
    stored[0] = width;
    stored[1] = height;
  }
  memcpy(reader->tile_size, stored, sizeof stored);
  return stored[0] == 0 || stored[1] == 0 || stored[1] > MAX_BYTES / sample / stored[0]
             ? "its tiles are empty, or larger than 256 MiB"
             : NULL;
}

static const char *open_tiff(void *opened, FILE *stream, const struct cli_map *map) {
  struct writer *reader = opened;
  reader->map = *map;
  take_messages();
  TIFF *tiff = reader->tiff = open_client(&reader->client, stream, "r");
  if (!tiff)
    return problem_of(&reader->client);
  return has(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)map->size[0], 0) &&
                 has(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)map->size[1], 0) &&
                 has(tiff, TIFFTAG_BITSPERSAMPLE, (uint32_t)map->bits, 1) &&
                 has(tiff, TIFFTAG_SAMPLESPERPIXEL, (uint32_t)map->channels, 1) &&
                 has(tiff, TIFFTAG_SAMPLEFORMAT,
                     map->bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT, 1) &&
                 has(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG, 1)
             ? find_tiles(reader)
             : CLI_OTHER_LAYOUT;
}

static const char *read_rows(struct writer *reader, const struct cli_piece *piece,
                             unsigned char *samples) {
  const size_t row = piece->width * cli_sample_bytes(&reader->map);
  for (size_t y = 0; y < piece->rows; y++)
    if (TIFFReadScanline(reader->tiff, samples + y * row, (uint32_t)(piece->row + y), 0) != 1)
      return problem_of(&reader->client);
  return NULL;
}

static const char *read_tiff(void *opened, const struct cli_piece *piece, unsigned char *samples) {
  struct writer *reader = opened;
  const uint64_t *size = reader->tile_size;
  const size_t sample = cli_sample_bytes(&reader->map), tile_row = size[0] * sample;
  if (!TIFFIsTiled(reader->tiff))
    return read_rows(reader, piece, samples);
  unsigned char *tile = malloc(tile_row * size[1]);
  int is_read = tile != NULL;
  for (size_t y = 0; y < piece->rows && is_read; y += size[1])
    for (size_t x = 0; x < piece->width && is_read; x += size[0]) {
      const uint32_t index = TIFFComputeTile(reader->tiff, (uint32_t)(piece->column + x),
                                             (uint32_t)(piece->row + y), 0, 0);
      const tmsize_t bytes = (tmsize_t)(tile_row * size[1]);
      is_read = TIFFReadEncodedTile(reader->tiff, index, tile, bytes) == bytes;
      const size_t columns = smaller(piece->width - x, size[0]);
      for (size_t row = 0; row < smaller(piece->rows - y, size[1]) && is_read; row++)
        memcpy(samples + ((y + row) * piece->width + x) * sample, tile + row * tile_row,
               columns * sample);
    }
  free(tile);
  return is_read ? NULL : tile ? problem_of(&reader->client) : strerror(ENOMEM);
}

/* With D, libtiff does not read the table of tiles, which may be large. */
char *cli_tiff_text(FILE *stream, const char **problem) {
  static struct client client;
  const char *text = NULL;
  char *copy = NULL;
  client = (struct client){0};
  take_messages();
  TIFF *tiff = open_client(&client, stream, "rD");
  if (tiff && TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text))
    copy = strdup(text);
  *problem =
      !tiff ? problem_of(&client)
      : !copy && TIFFGetField(tiff, TIFFTAG_SOFTWARE, &text) && strncmp(text, "perlane ", 8) == 0
          ? CLI_CUT_OFF /* libtiff ignores tags beyond the end */
          : NULL;
  if (tiff)
    TIFFClose(tiff);
  return copy;
}

#define FORMAT(name)                                                                               \
  {                                                                                                \
    .suffix = (name), .depths = 8 + 16 + 32, .usual = 16, .colour = 1, .images = 1, .tiff = 1,     \
    .longest = INT32_MAX, .piece_unit = tile_size, .writer_bytes = sizeof(struct writer),          \
    .begin = begin, .pack = pack, .write = write_piece, .finish = finish, .release = release,      \
    .reader_bytes = sizeof(struct writer), .read_unit = read_unit, .open = open_tiff,              \
    .read = read_tiff, .close = release,                                                           \
  }

const struct cli_format CLI_TIFF = FORMAT(".tif");
const struct cli_format CLI_TIFF_LONG = FORMAT(".tiff");
