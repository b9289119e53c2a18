/* SPDX-License-Identifier: MIT */
#ifndef STDLIB_H
#define STDLIB_H

#include <stddef.h>

char *getenv(const char *name);

/* For clang's <mm_malloc.h>, which declares functions that nobody calls. */
void *malloc(size_t size);
void free(void *memory);

#endif
