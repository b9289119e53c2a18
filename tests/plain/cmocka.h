/* SPDX-License-Identifier: MIT
 *
 * What the tests use of cmocka, where it is not installed: for other machines, with the memory
 * sanitizer, which would have to compile it, too, and for WebAssembly, which has no setjmp. The
 * first assertion that fails ends the program.
 */
#ifndef CMOCKA_H
#define CMOCKA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
  const char *name;
  void (*test)(void **state);
};
#define cmocka_unit_test(function)                                                                 \
  { #function, function }

#define print_message printf
#define fail_msg(...) (printf(__VA_ARGS__), printf("\n"), assert_at(0, "fail", __FILE__, __LINE__))
#define fail() assert_at(0, "fail", __FILE__, __LINE__)
#define assert_true(c) assert_at(!!(c), #c, __FILE__, __LINE__)
#define assert_false(c) assert_true(!(c))
#define assert_null(p) assert_true((p) == NULL)
#define assert_non_null(p) assert_true((p) != NULL)
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_ptr_not_equal(a, b) assert_true((a) != (b))
#define assert_int_equal(a, b) assert_numbers((int64_t)(a), (int64_t)(b), #a, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) assert_true((a) != (b))
#define assert_in_range(v, low, high) assert_true((v) >= (low) && (v) <= (high))
#define assert_string_equal(a, b) assert_texts(a, b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)

static const char *cmocka_test = "";

static inline void assert_at(int holds, const char *what, const char *file, int line) {
  if (holds)
    return;
  printf("%s:%d: %s\n[  FAILED  ] 1 test: %s\n", file, line, what, cmocka_test);
  exit(1);
}

static inline void assert_numbers(int64_t a, int64_t b, const char *what, const char *file,
                                  int line) {
  if (a != b)
    printf("%lld != %lld\n", (long long)a, (long long)b);
  assert_at(a == b, what, file, line);
}

static inline void assert_texts(const char *a, const char *b, const char *file, int line) {
  if (strcmp(a, b) != 0)
    printf("\"%s\" != \"%s\"\n", a, b);
  assert_at(strcmp(a, b) == 0, "texts differ", file, line);
}

#define cmocka_run_group_tests(tests, set_up, tear_down)                                           \
  cmocka_run_group_tests_name("tests", tests, set_up, tear_down)
#define cmocka_run_group_tests_name(name, tests, set_up, tear_down)                                \
  cmocka_run(name, tests, sizeof(tests) / sizeof(tests)[0])
static inline int cmocka_run(const char *name, const struct CMUnitTest *tests, size_t n) {
  for (size_t i = 0; i < n; i++) {
    void *state = NULL;
    cmocka_test = tests[i].name;
    tests[i].test(&state);
  }
  printf("[  PASSED  ] %zu test(s): %s\n", n, name);
  return 0;
}

#endif
