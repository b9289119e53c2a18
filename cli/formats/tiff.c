/* SPDX-License-Identifier: MIT
 *
 * TIFF in tiles without compression, and BigTIFF where a file could exceed the 4 GiB of a TIFF.
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

/* A file with more bytes of samples is a BigTIFF. That leaves room for tiles beyond the border, and
 * for the table of tiles. */
#define CLASSIC_BYTES UINT64_C(4000000000)

/* A writer, or a reader. */
struct file {
  TIFF *tiff;
  struct cli_map map;
  uint64_t tile[PERLANE_MAX_DIMS]; /* width and height */
};

/* ---- What is wrong ---- */

static char problem[160]; /* the first, which is the cause; empty for none */

/* Replaces libtiff's handlers, which print. */
static void on_error(thandle_t handle, const char *module, const char *format, va_list arguments) {
  (void)handle, (void)module;
  if (*problem == '\0' && errno != 0)
    snprintf(problem, sizeof problem, "%s", strerror(errno));
  else if (*problem == '\0')
    vsnprintf(problem, sizeof problem, format, arguments);
}

/* ---- The stream, for libtiff ---- */

static tmsize_t on_read(thandle_t stream, void *data, tmsize_t size) {
  return (tmsize_t)fread(data, 1, (size_t)size, stream);
}

static tmsize_t on_write(thandle_t stream, void *data, tmsize_t size) {
  return (tmsize_t)fwrite(data, 1, (size_t)size, stream);
}

/* libtiff does not look whether it succeeds. */
static toff_t on_seek(thandle_t stream, toff_t offset, int whence) {
  const off_t place = fseeko(stream, (off_t)offset, whence) == 0 ? ftello(stream) : -1;
  if (place < 0 && *problem == '\0')
    snprintf(problem, sizeof problem, "%s", strerror(errno));
  return (toff_t)place;
}

static toff_t on_size(thandle_t stream) {
  const toff_t here = on_seek(stream, 0, SEEK_CUR), size = on_seek(stream, 0, SEEK_END);
  on_seek(stream, here, SEEK_SET);
  return size;
}

static int on_close(thandle_t stream) {
  (void)stream;
  return 0;
}

static TIFF *open_file(FILE *stream, const char *mode) {
  TIFFSetErrorHandler(NULL);
  TIFFSetErrorHandlerExt(on_error);
  TIFFSetWarningHandler(NULL);
  *problem = '\0';
  errno = 0;
  return TIFFClientOpen("map", mode, stream, on_read, on_write, on_seek, on_close, on_size, NULL,
                        NULL);
}

/* libtiff goes on after some failures. */
static const char *problem_of(int succeeds) {
  return *problem != '\0' ? problem : succeeds ? NULL : "libtiff gives no reason";
}

static void release(void *opened) {
  const struct file *file = opened;
  if (file->tiff)
    TIFFClose(file->tiff);
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

static int set_fields(TIFF *tiff, const struct cli_map *map, const uint64_t *tile) {
  return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)map->size[0]) &&
         TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)map->size[1]) &&
         TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, map->bits) &&
         TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, map->channels) &&
         TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                      map->bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
         TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                      map->channels == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK) &&
         TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
         TIFFSetField(tiff, TIFFTAG_TILEWIDTH, (uint32_t)tile[0]) &&
         TIFFSetField(tiff, TIFFTAG_TILELENGTH, (uint32_t)tile[1]) &&
         TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE) &&
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

/* Sets what integers stand for, level * scale + offset, and the values' unit, unless that of the
 * system may be another. */
static int set_values(TIFF *tiff, const struct cli_map *map) {
  const double low = (double)map->low, most = map->bits == 8 ? 255 : 65535;
  char text[320];
  const int is_metres = map->is_metres && (map->crs.vertical != 0 ||
                                           cli_crs_kind(map->crs.horizontal) != CLI_PROJECTED);
  int length = snprintf(text, sizeof text, "<GDALMetadata>");
  if (map->bits < 32)
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "<Item name=\"OFFSET\" sample=\"0\" role=\"offset\">%.17g</Item>"
                       "<Item name=\"SCALE\" sample=\"0\" role=\"scale\">%.17g</Item>",
                       low, ((double)map->high - low) / most);
  snprintf(text + length, sizeof text - (size_t)length, "%s</GDALMetadata>",
           is_metres ? "<Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">m</Item>" : "");
  return (map->bits == 32 && !is_metres) || map->channels != 1 ||
         TIFFSetField(tiff, GDAL_METADATA, text);
}

/* A sample is the value at its position: the pixel is a point. Vertical systems of all codes are
 * GeoTIFF 1.1's; GDAL ignores those of a file that says 1.0. */
static int set_place(TIFF *tiff, const struct cli_map *map) {
  enum { MODEL = 1024, RASTER = 1025, GEOGRAPHIC = 2048, PROJECTED = 3072, POINT = 2 };
  enum { VERTICAL = 4096, VERTICAL_UNITS = 4099, METRE = 9001 };
  const int geographic = cli_crs_kind(map->crs.horizontal) == CLI_GEOGRAPHIC;
  const int is_compound = map->crs.vertical != 0 && map->channels == 1;
  const int has_unit = is_compound && cli_crs_kind(map->crs.vertical) == CLI_HEIGHTS;
  const uint16_t count = (uint16_t)(3 + is_compound + has_unit);
  const double scale[3] = {map->step[0], -map->step[1], 0}; /* rows go to the south */
  const double tie[6] = {0, 0, 0, map->corner[0], map->corner[1], 0};
  const uint16_t keys[6][4] = {
      {1, 1, (uint16_t)is_compound, count}, /* versions, and the number of keys */
      {MODEL, 0, 1, (uint16_t)(geographic ? 2 : 1)},
      {RASTER, 0, 1, POINT},
      {(uint16_t)(geographic ? GEOGRAPHIC : PROJECTED), 0, 1, (uint16_t)map->crs.horizontal},
      {VERTICAL, 0, 1, (uint16_t)map->crs.vertical},
      {VERTICAL_UNITS, 0, 1, METRE},
  };
  return map->crs.horizontal == 0 ||
         (TIFFMergeFieldInfo(tiff, GEO_FIELDS, sizeof GEO_FIELDS / sizeof GEO_FIELDS[0]) == 0 &&
          TIFFSetField(tiff, PIXEL_SCALE, 3, scale) && TIFFSetField(tiff, TIEPOINT, 6, tie) &&
          TIFFSetField(tiff, GEO_KEYS, 4 + 4 * count, keys) && set_values(tiff, map));
}

static const char *begin(void *opened, FILE *stream, const struct cli_map *map) {
  struct file *file = opened;
  const uint64_t bytes = map->size[0] * map->size[1] * cli_sample_bytes(map);
  file->map = *map;
  tile_size(map, file->tile);
  file->tiff = open_file(stream, bytes > CLASSIC_BYTES ? "w8" : "w");
  return problem_of(file->tiff && set_fields(file->tiff, map, file->tile) &&
                    set_place(file->tiff, map));
}

/* ---- Pieces ---- */

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

static size_t tile_bytes(const struct file *file) {
  return file->tile[0] * file->tile[1] * cli_sample_bytes(&file->map);
}

/* Copies between the tile at (x, y) of a piece and the piece's samples. What is beyond the piece is
 * 0. */
static void copy_tile(const struct file *file, const struct cli_piece *piece, size_t x, size_t y,
                      unsigned char *tile, unsigned char *samples, int to_tile) {
  const size_t sample = cli_sample_bytes(&file->map), tile_row = file->tile[0] * sample;
  const size_t columns = smaller(piece->width - x, file->tile[0]);
  const size_t rows = smaller(piece->rows - y, file->tile[1]);
  if (to_tile)
    memset(tile, 0, tile_bytes(file));
  for (size_t row = 0; row < rows; row++) {
    unsigned char *in_piece = samples + ((y + row) * piece->width + x) * sample;
    unsigned char *in_tile = tile + row * tile_row;
    memcpy(to_tile ? in_tile : in_piece, to_tile ? in_piece : in_tile, columns * sample);
  }
}

static const char *pack(const void *opened, struct cli_piece *piece) {
  const struct file *file = opened;
  for (size_t y = 0; y < piece->rows; y += file->tile[1])
    for (size_t x = 0; x < piece->width; x += file->tile[0]) {
      if (!cli_bytes_reserve(&piece->packed, tile_bytes(file)))
        return strerror(ENOMEM);
      copy_tile(file, piece, x, y, piece->packed.data + piece->packed.size, piece->samples, 1);
      piece->packed.size += tile_bytes(file);
    }
  return NULL;
}

/* Returns the number in the image of the tile at (x, y) of a piece. */
static uint32_t number_of(const struct file *file, const struct cli_piece *piece, size_t x,
                          size_t y) {
  return TIFFComputeTile(file->tiff, (uint32_t)(piece->column + x), (uint32_t)(piece->row + y), 0,
                         0);
}

static const char *write_piece(void *opened, const struct cli_piece *piece) {
  const struct file *file = opened;
  const tmsize_t size = (tmsize_t)tile_bytes(file);
  unsigned char *data = piece->packed.data;
  errno = 0;
  for (size_t y = 0; y < piece->rows; y += file->tile[1])
    for (size_t x = 0; x < piece->width; x += file->tile[0], data += size)
      if (TIFFWriteRawTile(file->tiff, number_of(file, piece, x, y), data, size) != size)
        return problem_of(0);
  return NULL;
}

static const char *finish(void *opened) {
  const struct file *file = opened;
  errno = 0;
  return problem_of(TIFFFlush(file->tiff));
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
static const char *find_tiles(struct file *file) {
  enum { ROWS = 16, MAX_BYTES = 256 << 20 };
  const uint64_t sample = cli_sample_bytes(&file->map);
  uint32_t width = 0, height = 0;
  uint16_t scheme = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(file->tiff, TIFFTAG_COMPRESSION, &scheme);
  if (!TIFFIsCODECConfigured(scheme))
    return CLI_NO_CODEC;
  stored[0] = file->map.size[0];
  stored[1] = stored[0] * sample * ROWS <= MAX_BYTES ? ROWS : 1;
  if (TIFFIsTiled(file->tiff)) {
    TIFFGetField(file->tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(file->tiff, TIFFTAG_TILELENGTH, &height);
    stored[0] = width;
    stored[1] = height;
  }
  memcpy(file->tile, stored, sizeof stored);
  return stored[0] == 0 || stored[1] == 0 || stored[1] > MAX_BYTES / sample / stored[0]
             ? "its tiles are empty, or larger than 256 MiB"
             : NULL;
}

static const char *open_tiff(void *opened, FILE *stream, const struct cli_map *map) {
  struct file *file = opened;
  TIFF *tiff = file->tiff = open_file(stream, "r");
  file->map = *map;
  if (!tiff)
    return problem_of(0);
  return has(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)map->size[0], 0) &&
                 has(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)map->size[1], 0) &&
                 has(tiff, TIFFTAG_BITSPERSAMPLE, (uint32_t)map->bits, 1) &&
                 has(tiff, TIFFTAG_SAMPLESPERPIXEL, (uint32_t)map->channels, 1) &&
                 has(tiff, TIFFTAG_SAMPLEFORMAT,
                     map->bits == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT, 1) &&
                 has(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG, 1)
             ? find_tiles(file)
             : CLI_OTHER_LAYOUT;
}

static const char *read_tiff(void *opened, const struct cli_piece *piece, unsigned char *samples) {
  const struct file *file = opened;
  const size_t row = piece->width * cli_sample_bytes(&file->map);
  const tmsize_t size = (tmsize_t)tile_bytes(file);
  int is_read = 1;
  errno = 0;
  if (!TIFFIsTiled(file->tiff)) {
    for (size_t y = 0; y < piece->rows && is_read; y++)
      is_read = TIFFReadScanline(file->tiff, samples + y * row, (uint32_t)(piece->row + y), 0) == 1;
    return problem_of(is_read);
  }
  unsigned char *tile = malloc((size_t)size);
  if (!tile)
    return strerror(ENOMEM);
  for (size_t y = 0; y < piece->rows && is_read; y += file->tile[1])
    for (size_t x = 0; x < piece->width && is_read; x += file->tile[0]) {
      is_read = TIFFReadEncodedTile(file->tiff, number_of(file, piece, x, y), tile, size) == size;
      copy_tile(file, piece, x, y, tile, samples, 0);
    }
  free(tile);
  return problem_of(is_read);
}

/* With D, libtiff does not read the table of tiles, which may be large. */
char *cli_tiff_text(FILE *stream, const char **wrong) {
  const char *text = NULL;
  char *copy = NULL;
  TIFF *tiff = open_file(stream, "rD");
  if (tiff && TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text))
    copy = strdup(text);
  *wrong =
      !tiff ? problem_of(0)
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
    .longest = INT32_MAX, .piece_unit = tile_size, .writer_bytes = sizeof(struct file),            \
    .begin = begin, .pack = pack, .write = write_piece, .finish = finish, .release = release,      \
    .reader_bytes = sizeof(struct file), .read_unit = read_unit, .open = open_tiff,                \
    .read = read_tiff, .close = release,                                                           \
  }

const struct cli_format CLI_TIFF = FORMAT(".tif");
const struct cli_format CLI_TIFF_LONG = FORMAT(".tiff");
