/* SPDX-License-Identifier: MIT
 *
 * The part of the C library that perlane uses, where there is none. bindings/npm/module.c and
 * clang-cl's test define it. */
#ifndef STRING_H
#define STRING_H

#include <stddef.h>

int memcmp(const void *a, const void *b, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *memory, int byte, size_t size);
size_t strlen(const char *text);

#endif
