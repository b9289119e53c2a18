/* SPDX-License-Identifier: MIT
 *
 * The self-test as a Windows program of MSVC's ABI, without MSVC, its headers or its libraries: it
 * imports four functions of kernel32.dll, and has what perlane and the compiler need of the C
 * library here. clang-cl compiles it, lld-link links it (tests/proof/matrix).
 *
 * -fno-builtin keeps the compiler from replacing the loops of memcpy and others by calls of these.
 *
 * Prints a line for each instruction set; exit status 1 if any computes another digest.
 */
#include <perlane.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../layout.h"

__declspec(dllimport) void *GetStdHandle(uint32_t which);
__declspec(dllimport) int WriteFile(void *file, const void *bytes, uint32_t size, uint32_t *written,
                                    void *overlapped);
__declspec(dllimport) uint32_t
    GetEnvironmentVariableA(const char *name, char *value, uint32_t size);
__declspec(dllimport) void ExitProcess(uint32_t status);

/* ---- The C library ---- */

void *memcpy(void *to, const void *from, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  if ((uintptr_t)to <= (uintptr_t)from)
    return memcpy(to, from, size);
  for (size_t i = size; i > 0; i--)
    ((char *)to)[i - 1] = ((const char *)from)[i - 1];
  return to;
}

void *memset(void *memory, int byte, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((char *)memory)[i] = (char)byte;
  return memory;
}

int memcmp(const void *a, const void *b, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i])
      return ((const unsigned char *)a)[i] < ((const unsigned char *)b)[i] ? -1 : 1;
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length] != '\0')
    length++;
  return length;
}

char *getenv(const char *name) {
  static char value[64];
  const uint32_t length = GetEnvironmentVariableA(name, value, sizeof value);
  return length > 0 && length < sizeof value ? value : NULL;
}

/* ---- What the compiler refers to ---- */

int _fltused = 1;
uintptr_t __security_cookie = 0x2B992DDFA232;

void __security_check_cookie(uintptr_t cookie) {
  if (cookie != __security_cookie)
    ExitProcess(3);
}

/* Touches every page of a frame of rax bytes; changes no register. */
__attribute__((naked)) void __chkstk(void) {
  __asm__("pushq %rcx\n"
          "pushq %rax\n"
          "leaq 24(%rsp), %rcx\n"
          "1: cmpq $0x1000, %rax\n"
          "jb 2f\n"
          "subq $0x1000, %rcx\n"
          "testq %rcx, (%rcx)\n"
          "subq $0x1000, %rax\n"
          "jmp 1b\n"
          "2: subq %rax, %rcx\n"
          "testq %rcx, (%rcx)\n"
          "popq %rax\n"
          "popq %rcx\n"
          "retq\n");
}

/* ---- The program ---- */

static void print(const char *text) {
  const uint32_t standard_output = (uint32_t)-11;
  uint32_t written;
  WriteFile(GetStdHandle(standard_output), text, (uint32_t)strlen(text), &written, NULL);
}

static void print_digest(uint64_t digest) {
  char text[] = "0x0000000000000000";
  for (int i = 0; i < 16; i++)
    text[17 - i] = "0123456789ABCDEF"[digest >> 4 * i & 15];
  print(text);
}

void start(void) {
  uint32_t failed = 0;
  print("in use: ");
  print(perlane_isa_name(perlane_isa_current()));
  print("\n");
  for (int isa = PERLANE_ISA_SCALAR; isa < PERLANE_ISA_COUNT; isa++) {
    if (!perlane_isa_built_in((perlane_isa)isa))
      continue;
    print(perlane_isa_name((perlane_isa)isa));
    uint64_t digest = 0;
    const perlane_status status = perlane_selftest((perlane_isa)isa, &digest);
    if (status == PERLANE_ERROR_ISA) {
      print(": not run: this CPU does not have it\n");
      continue;
    }
    failed |= status != PERLANE_OK;
    print(status == PERLANE_OK ? ": perlane_selftest passes, " : ": perlane_selftest fails, ");
    print_digest(digest);
    print("\n");
  }
  ExitProcess(failed);
}
