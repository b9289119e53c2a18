/* SPDX-License-Identifier: MIT
 *
 * The folder of a Zarr array on disk. Any number of processes on any machines may work in it:
 * docs/scale.md, "The protocol".
 */
#ifndef PERLANE_CLI_STORE_H
#define PERLANE_CLI_STORE_H

#include <stddef.h>

/* Opens a folder, and creates it if `creates` is not NULL; *creates is then whether it is new.
 * Returns a descriptor to be closed, or -1 with *problem set. */
int cli_store_open(const char *folder, int *creates, const char **problem);

/* Calls visit for each entry of the folder in the store that a file is in; none if there is no such
 * folder. Temporary files are not visited, and with `sweeps` removed if their process is
 * gone. Returns NULL, or what is wrong. */
const char *cli_store_list(int store, const char *file, int sweeps,
                           void (*visit)(void *context, const char *name), void *context);

/* Writes a file and the folders that it is in. A file of that name is replaced, or stays if `keeps`
 * is nonzero. Returns NULL, or what is wrong; then there is no new file. */
const char *cli_store_write(int store, const char *name, const void *data, size_t size, int keeps);

/* Reads a file of at most `capacity` bytes. Returns NULL, or what is wrong; *error is errno if the
 * file cannot be read, and otherwise 0. */
const char *cli_store_read(int store, const char *name, void *data, size_t capacity, size_t *size,
                           int *error);

#endif
