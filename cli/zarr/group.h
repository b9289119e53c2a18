/* SPDX-License-Identifier: MIT
 *
 * A group of Zarr arrays in one folder, with coordinates: an array of positions for each axis. Maps
 * of the same positions may be in one group.
 */
#ifndef PERLANE_CLI_GROUP_H
#define PERLANE_CLI_GROUP_H

#include "perlane.h"

/* Makes a folder a group with the coordinates of a grid, or checks that it is one. Any number of
 * processes may do so at the same time. Returns 0, or the exit status. */
int cli_group_make(const char *folder, const perlane_grid *grid);

#endif
