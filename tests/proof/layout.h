/* SPDX-License-Identifier: MIT
 *
 * The layout of the public structures, which bindings in other languages repeat: sizes and offsets
 * with 64-bit and with 32-bit pointers, the same under every compiler and ABI. Included wherever
 * perlane is tested; it only has static assertions.
 */
#ifndef PERLANE_PROOF_LAYOUT_H
#define PERLANE_PROOF_LAYOUT_H

#include <perlane_picture.h>
#include <perlane_text.h>
#include <stddef.h>
#include <stdint.h>

#if UINTPTR_MAX == UINT64_MAX
#define LAYOUT_BY_POINTERS(with64, with32) (with64)
#else
#define LAYOUT_BY_POINTERS(with64, with32) (with32)
#endif

#define LAYOUT_SIZE(type, with64, with32)                                                          \
  _Static_assert(sizeof(type) == LAYOUT_BY_POINTERS(with64, with32), "size of " #type)
#define LAYOUT_MEMBER(type, member, with64, with32)                                                \
  _Static_assert(offsetof(type, member) == LAYOUT_BY_POINTERS(with64, with32),                     \
                 "offset of " #type "." #member)

_Static_assert(sizeof(void *) == 8 || sizeof(void *) == 4, "pointers");

/* The members of 2.0. One that is added later takes the place of part of `reserved`. */
#define LAYOUT_PARAMS(member, with64, with32) LAYOUT_MEMBER(perlane_params, member, with64, with32)
LAYOUT_PARAMS(seed, 0, 0);
LAYOUT_PARAMS(frequency, 8, 8);
LAYOUT_PARAMS(octaves, 16, 16);
LAYOUT_PARAMS(reserved0, 20, 20);
LAYOUT_PARAMS(lacunarity, 24, 24);
LAYOUT_PARAMS(gain, 32, 32);
LAYOUT_PARAMS(octaves_share, 40, 40);
LAYOUT_PARAMS(phase, 44, 44);
LAYOUT_PARAMS(basis, 48, 48);
LAYOUT_PARAMS(hash, 52, 52);
LAYOUT_PARAMS(gradients, 56, 56);
LAYOUT_PARAMS(fade, 60, 60);
LAYOUT_PARAMS(fractal, 64, 64);
LAYOUT_PARAMS(normalize, 68, 68);
LAYOUT_PARAMS(weighted_strength, 72, 72);
LAYOUT_PARAMS(ping_pong_strength, 80, 80);
LAYOUT_PARAMS(erosion, 88, 88);
LAYOUT_PARAMS(period, 96, 96);
LAYOUT_PARAMS(table_offset, 112, 112);
LAYOUT_PARAMS(amplitude, 128, 128);
LAYOUT_PARAMS(value_scale, 136, 136);
LAYOUT_PARAMS(value_offset, 144, 144);
LAYOUT_PARAMS(curve, 152, 152);
LAYOUT_PARAMS(curve_shape, 416, 416);
LAYOUT_PARAMS(terraces, 420, 420);
LAYOUT_PARAMS(terrace_sharpness, 424, 424);
LAYOUT_PARAMS(warp_amplitude, 432, 432);
LAYOUT_PARAMS(warp_frequency, 440, 440);
LAYOUT_PARAMS(warp_lacunarity, 448, 448);
LAYOUT_PARAMS(warp_gain, 456, 456);
LAYOUT_PARAMS(warp_octaves, 464, 464);
LAYOUT_PARAMS(warp_rounds, 468, 468);
LAYOUT_PARAMS(jitter, 472, 472);
LAYOUT_PARAMS(cell_metric, 480, 480);
LAYOUT_PARAMS(cell_output, 484, 484);
LAYOUT_PARAMS(contrast, 488, 488);
LAYOUT_PARAMS(gradient_dims, 492, 492);
LAYOUT_PARAMS(gradient_count, 496, 496);
LAYOUT_PARAMS(gradient_grid_count, 500, 500);
LAYOUT_PARAMS(falloff_shape, 508, 508);
LAYOUT_PARAMS(hash_table, 512, 512);
LAYOUT_PARAMS(gradient_table, 520, 516);
LAYOUT_PARAMS(gradient_grid, 528, 520);
LAYOUT_PARAMS(reserved2, 536, 524);
LAYOUT_PARAMS(falloff, 544, 528);
LAYOUT_PARAMS(falloff_start, 552, 536);
LAYOUT_PARAMS(falloff_end, 560, 544);
LAYOUT_PARAMS(falloff_x, 568, 552);
LAYOUT_PARAMS(falloff_y, 576, 560);
LAYOUT_PARAMS(falloff_z, 584, 568);
LAYOUT_PARAMS(falloff_w, 592, 576);
LAYOUT_PARAMS(valleys, 600, 584);
LAYOUT_PARAMS(valley_cells, 608, 592);
LAYOUT_PARAMS(valley_gain, 616, 600);
LAYOUT_PARAMS(valley_floor, 624, 608);
LAYOUT_PARAMS(valley_octaves, 632, 616);
LAYOUT_PARAMS(valley_output, 636, 620);
LAYOUT_PARAMS(reserved, 640, 624);
LAYOUT_SIZE(perlane_params, 672, 656);
#undef LAYOUT_PARAMS

LAYOUT_MEMBER(perlane_curve, count, 0, 0);
LAYOUT_MEMBER(perlane_curve, point, 8, 8);
LAYOUT_SIZE(perlane_curve, 264, 264);

#define LAYOUT_GRID(member, offset) LAYOUT_MEMBER(perlane_grid, member, offset, offset)
LAYOUT_GRID(dims, 0);
LAYOUT_GRID(exact_strides, 4);
LAYOUT_GRID(first, 8);
LAYOUT_GRID(count, 40);
LAYOUT_GRID(origin, 72);
LAYOUT_GRID(step, 104);
LAYOUT_GRID(stride, 136);
LAYOUT_GRID(work, 168);
LAYOUT_MEMBER(perlane_grid, work_bytes, 176, 172);
LAYOUT_MEMBER(perlane_grid, octaves, 184, 176);
LAYOUT_MEMBER(perlane_grid, has_seed, 188, 180);
LAYOUT_MEMBER(perlane_grid, seed, 192, 184);
LAYOUT_MEMBER(perlane_grid, reserved, 200, 192);
LAYOUT_SIZE(perlane_grid, 224, 216);
#undef LAYOUT_GRID

#define LAYOUT_LIST(member, with64, with32) LAYOUT_MEMBER(perlane_list, member, with64, with32)
LAYOUT_LIST(dims, 0, 0);
LAYOUT_LIST(octaves, 4, 4);
LAYOUT_LIST(count, 8, 8);
LAYOUT_LIST(stride, 16, 16);
LAYOUT_LIST(step, 24, 24);
LAYOUT_LIST(origin, 32, 32);
LAYOUT_LIST(coords, 40, 36);
LAYOUT_LIST(coords64, 72, 52);
LAYOUT_LIST(reserved, 104, 68);
LAYOUT_SIZE(perlane_list, 128, 80);
#undef LAYOUT_LIST

LAYOUT_MEMBER(perlane_cells, id, 0, 0);
LAYOUT_MEMBER(perlane_cells, offset, 8, 4);
LAYOUT_MEMBER(perlane_cells, f1, 40, 20);
LAYOUT_MEMBER(perlane_cells, f2, 48, 24);
LAYOUT_MEMBER(perlane_cells, edge, 56, 28);
LAYOUT_SIZE(perlane_cells, 80, 40);

LAYOUT_MEMBER(perlane_choice, name, 0, 0);
LAYOUT_MEMBER(perlane_choice, summary, 8, 4);
LAYOUT_MEMBER(perlane_choice, dims, 16, 8);
LAYOUT_SIZE(perlane_choice, 24, 12);

#define LAYOUT_OPTION(member, with64, with32) LAYOUT_MEMBER(perlane_option, member, with64, with32)
LAYOUT_OPTION(name, 0, 0);
LAYOUT_OPTION(heading, 8, 4);
LAYOUT_OPTION(summary, 16, 8);
LAYOUT_OPTION(choices, 24, 12);
LAYOUT_OPTION(choice_count, 32, 16);
LAYOUT_OPTION(kind, 36, 20);
LAYOUT_OPTION(offset, 40, 24);
LAYOUT_OPTION(size, 44, 28);
LAYOUT_OPTION(dims, 48, 32);
LAYOUT_OPTION(excludes_zero, 52, 36);
LAYOUT_OPTION(min_is_open, 56, 40);
LAYOUT_OPTION(max_is_open, 60, 44);
LAYOUT_OPTION(min, 64, 48);
LAYOUT_OPTION(max, 72, 56);
LAYOUT_OPTION(default_value, 80, 64);
LAYOUT_SIZE(perlane_option, 88, 72);
#undef LAYOUT_OPTION

#define LAYOUT_PICTURE(member, offset) LAYOUT_MEMBER(perlane_picture, member, offset, offset)
LAYOUT_PICTURE(kind, 0);
LAYOUT_PICTURE(palette, 4);
LAYOUT_PICTURE(bits, 8);
LAYOUT_PICTURE(low, 16);
LAYOUT_PICTURE(high, 24);
LAYOUT_PICTURE(azimuth, 32);
LAYOUT_PICTURE(altitude, 40);
LAYOUT_PICTURE(relief, 48);
LAYOUT_PICTURE(spacing, 56);
LAYOUT_SIZE(perlane_picture, 104, 104);
#undef LAYOUT_PICTURE

LAYOUT_MEMBER(perlane_look_record, name, 0, 0);
LAYOUT_MEMBER(perlane_look_record, summary, 8, 4);
LAYOUT_MEMBER(perlane_look_record, options, 16, 8);
LAYOUT_MEMBER(perlane_look_record, relief, 32, 16);
LAYOUT_MEMBER(perlane_look_record, height, 64, 48);
LAYOUT_MEMBER(perlane_look_record, palette, 72, 56);
LAYOUT_SIZE(perlane_look_record, 80, 64);

/* Of a noise only the size is part of the interface, of a plan its first members are, too. */
LAYOUT_SIZE(perlane_noise, 19528, 19512);
LAYOUT_MEMBER(perlane_picture_plan, relief, 0, 0);
LAYOUT_MEMBER(perlane_picture_plan, slopes, 8, 8);
LAYOUT_MEMBER(perlane_picture_plan, kind, 12, 12);
LAYOUT_SIZE(perlane_picture_plan, 77984, 77984);
LAYOUT_SIZE(perlane_colours, 49184, 49184);

#endif
