/* SPDX-License-Identifier: MIT */
#ifndef PERLANE_QUALITY_PICTURES_H
#define PERLANE_QUALITY_PICTURES_H

/* Writes what the gnuplot scripts show into a folder: images as raw floats, tables as text. */
void write_picture_data(const char *folder);

#endif
