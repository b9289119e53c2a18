/* SPDX-License-Identifier: MIT
 *
 * A .npy file that all ranks of an MPI job write together, with the bits of a single fill:
 *
 *   mpirun -n 4 perlane_mpi map.npy 4096x4096 "octaves=8 frequency=0.002 seed=7" float32
 *
 * The map is cut into slabs, one after the other in the file, of which each rank fills and writes
 * as many: it needs SLAB_BYTES besides MPI's buffers. The file is called map.npy.part until it is
 * complete. An error on any rank stops all: rank 0 prints it and removes the file.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <perlane_text.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SLAB_BYTES
#define SLAB_BYTES (16 << 20)
#endif
enum { AXES = PERLANE_MAX_DIMS, HEADER_BYTES = 128 };

static int rank, ranks, created; /* created: 1 on rank 0 while the temporary file exists */
static const char *path, *size, *options, *type_name; /* the arguments */
static char part[PATH_MAX + sizeof ".part"];          /* the temporary name */
static perlane_noise noise;
static float low, high; /* the bounds of its values, which become the ends of integers */
static perlane_grid map;
static MPI_Datatype type;     /* of a sample */
static int dims, sizes[AXES]; /* samples of the map, x first */
static uint64_t slabs;        /* of all ranks */
static const uint64_t unit[AXES] = {1, 1, 1, 1};
static union {
  float f32[SLAB_BYTES / sizeof(float)];
  uint16_t u16[SLAB_BYTES / sizeof(uint16_t)];
} samples;
static char problem[PATH_MAX + MPI_MAX_ERROR_STRING + 100]; /* the first error, or empty */
#define FAIL(...) (problem[0] ? 0 : snprintf(problem, sizeof problem, __VA_ARGS__))

/* Reports an error of MPI by its class, whose text is one line. */
static void check(const char *action, int code) {
  char text[MPI_MAX_ERROR_STRING];
  int class, length;
  if (code != MPI_SUCCESS && MPI_Error_class(code, &class) == MPI_SUCCESS &&
      MPI_Error_string(class, text, &length) == MPI_SUCCESS)
    FAIL("cannot %s '%s': %s", action, part, text);
}

/* Returns 1 on all ranks if any has failed, with the problem of the first that did. */
static int any_failed(void) {
  int first = problem[0] ? rank : INT_MAX;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first != INT_MAX)
    MPI_Bcast(problem, sizeof problem, MPI_CHAR, first, MPI_COMM_WORLD);
  return first != INT_MAX;
}

/* Reads a size such as 4096x4096. */
static int read_size(const char *text) {
  char *end;
  do {
    const long count = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;
    if (dims == AXES || count < 1 || count > INT_MAX || (*end && *end != 'x'))
      return 0;
    sizes[dims++] = (int)count;
    text = end + 1;
  } while (*end);
  return 1;
}

static void make_field(void) {
  char message[PERLANE_MESSAGE_BYTES];
  type = strcmp(type_name, "uint16") == 0 ? MPI_UINT16_T : MPI_FLOAT;
  if (!size)
    FAIL("usage: perlane_mpi FILE WIDTH[xHEIGHT[xDEPTH[xLENGTH]]] [OPTIONS [float32|uint16]]");
  else if (!read_size(size))
    FAIL("'%s': expected 1 to 4 counts of 1 to %d, as in 4096x4096", size, INT_MAX);
  else if (type == MPI_FLOAT && strcmp(type_name, "float32") != 0)
    FAIL("'%s': expected float32 or uint16", type_name);
  map = perlane_grid_make((uint64_t)sizes[0], (uint64_t)sizes[1], (uint64_t)sizes[2],
                          (uint64_t)sizes[3]);
  if (perlane_init_text(&noise, options) != PERLANE_OK)
    perlane_explain_text(NULL, options, message, sizeof message);
  else if (perlane_explain_grid(&noise, &map, message, sizeof message) == 0 &&
           perlane_range(&noise, dims, &low, &high) == PERLANE_OK)
    return;
  FAIL("%s", message);
}

/* Cuts the map into slabs: runs of rows, planes or volumes, or of samples of a row. Slabs of an
 * axis differ by 1 in length: there are twice as many as would do if all were alike. */
static void cut(void) {
  const uint64_t room = (uint64_t)SLAB_BYTES / (type == MPI_FLOAT ? 4 : 2);
  uint64_t wanted = 2;
  for (int a = 0; a < dims; a++)
    wanted *= (uint64_t)sizes[a];
  wanted = wanted / room + 1;
  if (wanted < (uint64_t)ranks)
    wanted = (uint64_t)ranks;
  if (perlane_grid_cut(&map, unit, wanted, &slabs) != PERLANE_OK)
    FAIL("cannot cut the map into slabs");
}

/* Creates the file on rank 0 alone, which reports best why it could not. */
static void create(void) {
  struct stat status;
  if (rank == 0 && stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    FAIL("cannot replace '%s': it is not a regular file", path);
  if (rank > 0 || problem[0])
    return;
  const int file = open(part, O_WRONLY | O_CREAT | O_EXCL, 0666);
  created = file >= 0;
  if (!created) {
    FAIL("cannot create '%s': %s%s", part, strerror(errno),
         errno == EEXIST ? "; remove it unless another job is writing it" : "");
    return;
  }
  const uint16_t one = 1;
  int n = dprintf(file, "\x93NUMPY\1%c%c%c{'descr': '%c%s', 'fortran_order': False, 'shape': (", 0,
                  HEADER_BYTES - 10, 0, *(const char *)&one ? '<' : '>',
                  type == MPI_FLOAT ? "f4" : "u2");
  for (int a = dims - 1; a >= 0; a--)
    n += dprintf(file, "%d%s", sizes[a], a > 0 ? ", " : dims == 1 ? "," : "");
  n += dprintf(file, "), }%*s\n", HEADER_BYTES - 5 - n, "");
  if (n != HEADER_BYTES || close(file) != 0)
    FAIL("cannot write '%s': %s", part, strerror(errno));
}

/* Fills a slab. Returns the number of its samples, and its place in the file. */
static int fill(uint64_t index, MPI_Offset *place) {
  perlane_grid slab;
  int64_t offset;
  int total = 1;
  if (perlane_grid_piece(&map, unit, slabs, index, &slab, &offset) != PERLANE_OK ||
      (type == MPI_FLOAT ? perlane_fill(&noise, &slab, samples.f32)
                         : perlane_fill_u16(&noise, &slab, low, high, samples.u16))) {
    FAIL("cannot fill a slab on rank %d", rank);
    return 0;
  }
  for (int a = 0; a < dims; a++)
    total *= (int)slab.count[a];
  *place = HEADER_BYTES + offset * (type == MPI_FLOAT ? 4 : 2);
  return total;
}

/* Collective writes are in step: where the slabs do not go into the ranks, the last one is empty.
 */
static void write_slabs(void) {
  const uint64_t share = (slabs - 1) / (uint64_t)ranks + 1;
  MPI_File file;
  check("open", MPI_File_open(MPI_COMM_WORLD, part, MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
  if (any_failed())
    return;
  for (uint64_t i = 0; i < share && !any_failed(); i++) {
    const uint64_t slab = (uint64_t)rank * share + i;
    MPI_Offset place = 0;
    const int count = slab < slabs ? fill(slab, &place) : 0;
    check("write", MPI_File_write_at_all(file, place, &samples, count, type, MPI_STATUS_IGNORE));
  }
  check("close", MPI_File_close(&file));
  if (!any_failed() && rank == 0 && rename(part, path) != 0)
    FAIL("cannot rename '%s': %s", part, strerror(errno));
}

int main(int argc, char **argv) {
  static void (*const steps[])(void) = {make_field, cut, create, write_slabs};
  int failed = 0;
  signal(SIGXFSZ, SIG_IGN);           /* makes a limit of the file's size an error of the write */
  setenv("OMPI_MCA_io", "^ompio", 1); /* Open MPI's own MPI-IO loses such errors; ROMIO does not */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  path = argv[1];
  size = argc > 2 && argc < 6 ? argv[2] : NULL;
  options = argc > 3 ? argv[3] : "";
  type_name = argc > 4 ? argv[4] : "float32";
  snprintf(part, sizeof part, "%s.part", path ? path : "");
  for (size_t i = 0; i < sizeof steps / sizeof *steps && !failed; i++, failed = any_failed())
    steps[i]();
  if (failed && created)
    unlink(part);
  if (failed && rank == 0)
    fprintf(stderr, "perlane_mpi: %s\n", problem);
  MPI_Finalize();
  return failed;
}
