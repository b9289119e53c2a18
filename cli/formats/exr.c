/* SPDX-License-Identifier: MIT
 *
 * OpenEXR: one channel of floats, in compressed chunks of 16 rows. Without OpenEXR's C library the
 * format has no functions, and fill refuses it.
 */
#include "formats/format.h"

#ifdef PERLANE_EXR
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <OpenEXR/openexr.h>

static const char KEYWORD[] = "perlane"; /* of the text, an attribute */

/* A file that is written, or read. */
struct exr {
  exr_context_t context;
  FILE *stream;
};

/* ---- What is wrong ---- */

static _Thread_local char problem[160]; /* the first, which is the cause; empty for none */

static void keep_problem(const char *text) {
  if (*problem == '\0')
    snprintf(problem, sizeof problem, "%s", text);
}

static void on_error(exr_const_context_t context, exr_result_t code, const char *text) {
  (void)context, (void)code;
  keep_problem(text);
}

static int fails(exr_result_t code) {
  if (code != EXR_ERR_SUCCESS)
    keep_problem(exr_get_default_error_message(code));
  return code != EXR_ERR_SUCCESS;
}

/* ---- The stream, for OpenEXR ---- */

static int64_t on_write(exr_const_context_t context, void *opened, const void *data, uint64_t size,
                        uint64_t place, exr_stream_error_func_ptr_t fail) {
  const struct exr *exr = opened;
  (void)context, (void)fail;
  if (fseeko(exr->stream, (off_t)place, SEEK_SET) == 0 &&
      fwrite(data, 1, size, exr->stream) == size)
    return (int64_t)size;
  keep_problem(strerror(errno));
  return -1;
}

static int64_t on_read(exr_const_context_t context, void *opened, void *data, uint64_t size,
                       uint64_t place, exr_stream_error_func_ptr_t fail) {
  const struct exr *exr = opened;
  (void)context, (void)fail;
  const int goes = fseeko(exr->stream, (off_t)place, SEEK_SET) == 0;
  const size_t got = goes ? fread(data, 1, size, exr->stream) : 0;
  if (got != size)
    keep_problem(!goes || ferror(exr->stream) ? strerror(errno) : CLI_CUT_OFF);
  return (int64_t)got;
}

static int64_t on_size(exr_const_context_t context, void *opened) {
  const struct exr *exr = opened;
  (void)context;
  return fseeko(exr->stream, 0, SEEK_END) == 0 ? (int64_t)ftello(exr->stream) : -1;
}

static exr_context_initializer_t start(struct exr *exr, FILE *stream) {
  exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
  *exr = (struct exr){.stream = stream};
  *problem = '\0';
  start.error_handler_fn = on_error;
  start.user_data = exr;
  start.write_fn = on_write;
  start.read_fn = on_read;
  start.size_fn = on_size;
  start.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
  return start;
}

static void release(void *opened) {
  struct exr *exr = opened;
  if (exr->context)
    exr_finish(&exr->context);
}

/* ---- Writing ---- */

enum { CHUNK_ROWS = 16 }; /* of EXR_COMPRESSION_ZIP */

static void piece_unit(const struct cli_map *map, uint64_t unit[PERLANE_MAX_DIMS]) {
  unit[0] = map->size[0];
  unit[1] = CHUNK_ROWS;
}

/* The channel is Y, luminance, which programs show as grey. */
static const char *begin(void *opened, FILE *stream, const struct cli_map *map) {
  struct exr *exr = opened;
  const exr_context_initializer_t initial = start(exr, stream);
  int part;
  return fails(exr_start_write(&exr->context, "map", EXR_WRITE_FILE_DIRECTLY, &initial)) ||
                 fails(exr_add_part(exr->context, NULL, EXR_STORAGE_SCANLINE, &part)) ||
                 fails(exr_initialize_required_attr_simple(exr->context, 0, (int32_t)map->size[0],
                                                           (int32_t)map->size[1],
                                                           EXR_COMPRESSION_ZIP)) ||
                 fails(exr_add_channel(exr->context, 0, "Y", EXR_PIXEL_FLOAT,
                                       EXR_PERCEPTUALLY_LINEAR, 1, 1)) ||
                 (map->params &&
                  fails(exr_attr_set_string(exr->context, 0, KEYWORD, map->params))) ||
                 fails(exr_write_header(exr->context))
             ? problem
             : NULL;
}

/* Appends a chunk's size and its bytes to those of the piece. */
static exr_result_t keep_chunk(exr_encode_pipeline_t *pipe) {
  struct cli_bytes *packed = pipe->encoding_user_data;
  const size_t size = pipe->compressed_bytes;
  if (!cli_bytes_reserve(packed, sizeof size + size))
    return EXR_ERR_OUT_OF_MEMORY;
  memcpy(packed->data + packed->size, &size, sizeof size);
  memcpy(packed->data + packed->size + sizeof size, pipe->compressed_buffer, size);
  packed->size += sizeof size + size;
  return EXR_ERR_SUCCESS;
}

static void set_samples(exr_coding_channel_info_t *channel, size_t width) {
  channel->user_data_type = EXR_PIXEL_FLOAT;
  channel->user_bytes_per_element = sizeof(float);
  channel->user_pixel_stride = sizeof(float);
  channel->user_line_stride = (int32_t)(width * sizeof(float));
}

static const char *pack(const void *opened, struct cli_piece *piece) {
  const struct exr *exr = opened;
  int failed = 0;
  *problem = '\0';
  for (size_t y = 0; y < piece->rows && !failed; y += CHUNK_ROWS) {
    exr_encode_pipeline_t pipe = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_chunk_info_t chunk;
    failed = fails(exr_write_scanline_chunk_info(exr->context, 0, (int)(piece->row + y), &chunk)) ||
             fails(exr_encoding_initialize(exr->context, 0, &chunk, &pipe));
    if (failed)
      break;
    set_samples(pipe.channels, piece->width);
    pipe.channels->encode_from_ptr = piece->samples + y * piece->width * sizeof(float);
    failed = fails(exr_encoding_choose_default_routines(exr->context, 0, &pipe));
    pipe.encoding_user_data = &piece->packed;
    pipe.write_fn = keep_chunk;
    pipe.yield_until_ready_fn = NULL;
    failed = failed || fails(exr_encoding_run(exr->context, 0, &pipe));
    exr_encoding_destroy(exr->context, &pipe);
  }
  return failed ? problem : NULL;
}

static const char *write_piece(void *opened, const struct cli_piece *piece) {
  struct exr *exr = opened;
  const unsigned char *data = piece->packed.data;
  for (size_t y = 0; y < piece->rows; y += CHUNK_ROWS) {
    size_t size;
    memcpy(&size, data, sizeof size);
    data += sizeof size;
    if (fails(exr_write_scanline_chunk(exr->context, 0, (int)(piece->row + y), data, size)))
      return problem;
    data += size;
  }
  return NULL;
}

/* Writes the table of chunks. */
static const char *finish(void *opened) {
  struct exr *exr = opened;
  return fails(exr_finish(&exr->context)) ? problem : NULL;
}

/* ---- Reading ---- */

static const char *begin_reading(struct exr *exr, FILE *stream) {
  const exr_context_initializer_t initial = start(exr, stream);
  return fails(exr_start_read(&exr->context, "map", &initial)) ? problem : NULL;
}

static int has_layout(exr_const_context_t context, const struct cli_map *map) {
  const exr_attr_chlist_t *channels = NULL;
  exr_attr_box2i_t window;
  exr_storage_t storage;
  exr_compression_t compression;
  return !fails(exr_get_storage(context, 0, &storage)) && storage == EXR_STORAGE_SCANLINE &&
         !fails(exr_get_compression(context, 0, &compression)) &&
         compression == EXR_COMPRESSION_ZIP && !fails(exr_get_data_window(context, 0, &window)) &&
         window.min.x == 0 && window.min.y == 0 && (uint64_t)window.max.x + 1 == map->size[0] &&
         (uint64_t)window.max.y + 1 == map->size[1] &&
         !fails(exr_get_channels(context, 0, &channels)) && channels->num_channels == 1 &&
         channels->entries->pixel_type == EXR_PIXEL_FLOAT && channels->entries->x_sampling == 1 &&
         channels->entries->y_sampling == 1;
}

static const char *open_exr(void *opened, FILE *stream, const struct cli_map *map) {
  struct exr *exr = opened;
  const char *wrong = begin_reading(exr, stream);
  return wrong || has_layout(exr->context, map) ? wrong : CLI_OTHER_LAYOUT;
}

static const char *read_exr(void *opened, const struct cli_piece *piece, unsigned char *samples) {
  struct exr *exr = opened;
  int failed = 0;
  *problem = '\0';
  for (size_t y = 0; y < piece->rows && !failed; y += CHUNK_ROWS) {
    exr_decode_pipeline_t pipe = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_chunk_info_t chunk;
    failed = fails(exr_read_scanline_chunk_info(exr->context, 0, (int)(piece->row + y), &chunk)) ||
             fails(exr_decoding_initialize(exr->context, 0, &chunk, &pipe));
    if (failed)
      break;
    set_samples(pipe.channels, piece->width);
    pipe.channels->decode_to_ptr = samples + y * piece->width * sizeof(float);
    failed = fails(exr_decoding_choose_default_routines(exr->context, 0, &pipe)) ||
             fails(exr_decoding_run(exr->context, 0, &pipe));
    exr_decoding_destroy(exr->context, &pipe);
  }
  return failed ? problem : NULL;
}

/* The last chunk, which has been read last, ends where the file does. */
static const char *end_exr(void *opened) {
  const struct exr *exr = opened;
  const off_t place = ftello(exr->stream);
  return on_size(exr->context, opened) == place ? NULL : CLI_TOO_LONG;
}

char *cli_exr_text(FILE *stream, const char **wrong) {
  static struct exr exr;
  const char *text = NULL;
  int32_t length;
  char *copy = NULL;
  *wrong = begin_reading(&exr, stream);
  if (!*wrong && exr_attr_get_string(exr.context, 0, KEYWORD, &length, &text) == EXR_ERR_SUCCESS)
    copy = strdup(text);
  release(&exr);
  return copy;
}
#else
char *cli_exr_text(FILE *stream, const char **wrong) {
  (void)stream;
  *wrong = CLI_NO_EXR;
  return NULL;
}
#endif

const struct cli_format CLI_EXR = {
    .suffix = ".exr",
    .depths = 32,
    .usual = 32,
    .images = 1,
    .seeks = 1,
    .longest = INT32_MAX / 4, /* a row's bytes are an int32_t */
#ifdef PERLANE_EXR
    .piece_unit = piece_unit,
    .writer_bytes = sizeof(struct exr),
    .begin = begin,
    .pack = pack,
    .write = write_piece,
    .finish = finish,
    .release = release,
    .reader_bytes = sizeof(struct exr),
    .open = open_exr,
    .read = read_exr,
    .end = end_exr,
    .close = release,
#endif
};
