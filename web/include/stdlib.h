/* SPDX-License-Identifier: MIT
 *
 * What perlane uses of the C library: web/module.c defines it. */
#ifndef STDLIB_H
#define STDLIB_H

char *getenv(const char *name);

#endif
