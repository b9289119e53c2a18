/* SPDX-License-Identifier: MIT
 *
 * Extreme arguments: the largest counts, strides and outputs of more than 2^32 samples.
 */
#define _GNU_SOURCE /* memfd_create */
#include "calls.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Counts and strides ---- */

/* The largest counts pass the check of sizes, and fail for another reason; cases.txt has larger
 * ones, and strides that wrap. */
static void largest_counts(void **state) {
  (void)state;
  const perlane_noise noise = noise_from("");
  perlane_grid grid = perlane_grid_make(PTRDIFF_MAX / sizeof(float), 0, 0, 0);
  grid.step[0] = NAN;
  assert_refused(STEP, perlane_grid_check(&noise, &grid));
  grid = perlane_grid_make(PTRDIFF_MAX / sizeof(float) / 2, 2, 0, 0);
  grid.step[0] = 1e-20;
  grid.step[1] = NAN;
  assert_refused(STEP, perlane_grid_check(&noise, &grid));
}

/* Returns address space that has no memory until it is written to, or NULL if there is none. */
static unsigned char *sparse(size_t bytes) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Few samples, so far apart that offsets in samples and in bytes leave 32 bits. */
static void far_strides(void **state) {
  (void)state;
  struct random random = random_start("far strides");
  const size_t bytes = (size_t)3 << 36;
  unsigned char *memory = sparse(bytes);
  if (!memory) {
    print_message("not run: strides beyond 2^32, there is not enough address space\n");
    return;
  }
  static const int64_t STRIDE[] = {((int64_t)1 << 31) + 5, ((int64_t)1 << 32) + 64,
                                   ((int64_t)1 << 33) - 3, ((int64_t)1 << 30) + 1};
  const size_t cases = effort(60);
  for (size_t c = 0; c < cases; c++) {
    const int dims = 1 + (int)random_below(&random, 4),
              axis = (int)random_below(&random, (uint64_t)dims);
    const perlane_params params = random_params(&random, dims);
    const perlane_noise noise = noise_of(&params);
    float expected[60], slope[60];
    struct call near = {.grid = grid_of(dims, (size_t[]){5, 3, 2, 2})};
    near.form =
        random_below(&random, 2) == 0 && dims == 1 && has_gradient(&params) ? GRADIENT : VALUES;
    for (int a = 0; a < dims; a++)
      near.grid.step[a] = 0.21 / noise.highest_frequency;
    const int64_t stride = STRIDE[c % COUNT_OF(STRIDE)];
    if (((near.grid.count[axis] - 1) * (uint64_t)stride + 200) * sizeof(float) > bytes)
      near.grid.count[axis] = 2;
    pack(&near.grid);
    near.value = expected;
    near.gradient[0] = slope;
    expect(&noise, &near);
    /* One axis goes far, the others stay packed. */
    struct call far = near;
    const uint64_t count = far.grid.count[axis];
    far.grid.count[axis] = 1;
    pack(&far.grid);
    far.grid.count[axis] = count;
    far.grid.stride[axis] = stride;
    float *first = (float *)(void *)memory;
    if (random_below(&random, 2)) {
      first += (count - 1) * (uint64_t)stride;
      far.grid.stride[axis] = -stride;
    }
    far.value = first;
    far.gradient[0] = first + 1;
    force_any(&random);
    assert_ok(evaluate(NULL, &noise, &far));
    for (size_t s = 0; s < samples_of(&far.grid); s++) {
      const ptrdiff_t at = offset_of(&far.grid, s);
      assert_int_equal(bits_of(first[at]), bits_of(expected[s]));
      if (far.form == GRADIENT)
        assert_int_equal(bits_of(first[at + 1]), bits_of(slope[s]));
    }
  }
  munmap(memory, bytes);
  force(PERLANE_ISA_AUTO);
  print_message("fills with far strides: %zu\n", cases);
}

/* ---- More than 2^32 samples ---- */

#ifdef __linux__

/* Maps the same few bytes over and over to fill address space of `bytes`, but for the last
 * window, which has its own: what is never written to, or written elsewhere, shows there. */
struct folded {
  unsigned char *start, *last;
  size_t bytes, window;
  int file;
};

static int fold(struct folded *folded, size_t window, size_t bytes) {
  *folded = (struct folded){NULL, NULL, (bytes + window - 1) / window * window, window, -1};
  void *all =
      mmap(NULL, folded->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return 0;
  folded->start = all;
  folded->last = folded->start + folded->bytes - window;
  folded->file = memfd_create("folded", 0);
  int fits = folded->file >= 0 && ftruncate(folded->file, (off_t)(2 * window)) == 0;
  for (size_t at = 0; at < folded->bytes && fits; at += window)
    fits = mmap(folded->start + at, window, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                folded->file, folded->start + at == folded->last ? (off_t)window : 0) != MAP_FAILED;
  return fits;
}

static void unfold(struct folded *folded) {
  if (folded->start)
    munmap(folded->start, folded->bytes);
  if (folded->file >= 0)
    close(folded->file);
}

/* Grids that repeat as the memory under them does, so that every sample is compared: each falls on
 * those whose bits are the same. The field's period is 64 cells, of 4 samples. */
enum { WIDTH = 4096, PERIOD_SAMPLES = 256, WINDOW = WIDTH * PERIOD_SAMPLES };
static const struct huge {
  const char *name;
  enum form form;
  int dims;
} HUGE[] = {
    {"a line of floats", VALUES, 1}, {"a map of bytes", BYTES, 2}, {"a volume of u16", WORDS, 3}};

static void fill_huge(const struct huge *huge, perlane_isa isa) {
  const size_t over = ((size_t)1 << 32) + 3 * 16 * WIDTH, size = sample_bytes(huge->form);
  const size_t slice[] = {1, WIDTH, WIDTH * 16};
  const perlane_noise noise = noise_from("frequency=1 period=64,64,64");
  struct call call = {.form = huge->form, .low = -1, .high = 1}, small;
  call.grid = huge->dims == 1   ? grid_of(1, (size_t[]){over})
              : huge->dims == 2 ? grid_of(2, (size_t[]){WIDTH, over / WIDTH})
                                : grid_of(3, (size_t[]){WIDTH, 16, over / WIDTH / 16});
  for (int a = 0; a < 3; a++) { /* of the planes of a volume, 16 are a period */
    call.grid.origin[a] = 0.0625;
    call.grid.step[a] = a < 2 ? 0.25 : 4;
  }
  small = call; /* what a window holds */
  small.grid.count[huge->dims - 1] = WINDOW / slice[huge->dims - 1];
  struct folded folded;
  if (!fold(&folded, WINDOW * size, over * size)) {
    print_message("not run: %s of more than 2^32 samples, there is not enough address space\n",
                  huge->name);
  } else {
    call.value = folded.start;
    small.value = malloc(WINDOW * size);
    assert_non_null(small.value);
    force(isa);
    assert_ok(evaluate(NULL, &noise, &call));
    force(PERLANE_ISA_SCALAR);
    assert_ok(evaluate(NULL, &noise, &small));
    assert_true(memcmp(folded.start, small.value, WINDOW * size) == 0 &&
                memcmp(folded.last, small.value, over % WINDOW * size) == 0);
    print_message("%s: %s of %zu samples\n", perlane_isa_name(isa), huge->name, over);
    free(small.value);
  }
  unfold(&folded);
  force(PERLANE_ISA_AUTO);
}

static void beyond_32_bits(void **state) {
  (void)state;
  if (!long_run()) {
    print_message("not run: more than 2^32 samples in a call, which take minutes: "
                  "PERLANE_TEST_PERCENT=101 has them run\n");
    return;
  }
  print_message("not run: more than 2^32 samples with scalar, which would take hours\n");
  for (size_t i = 0; i < COUNT_OF(HUGE); i++)
    for (perlane_isa isa = next_isa(PERLANE_ISA_SCALAR); isa != PERLANE_ISA_AUTO;
         isa = next_isa(isa))
      fill_huge(&HUGE[i], isa);
}

#else
static void beyond_32_bits(void **state) {
  (void)state;
  print_message("not run: more than 2^32 samples in a call, which take Linux's memory files\n");
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(largest_counts),
      cmocka_unit_test(far_strides),
      cmocka_unit_test(beyond_32_bits),
  };
  return cmocka_run_group_tests_name("extremes", tests, NULL, NULL);
}
