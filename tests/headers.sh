#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compiles each header of the library's sources by itself, and checks that those of src/noise/ include
# only what docs/internals/architecture.md allows them, and that one splits positions: headers.sh SOURCE CC
# (The other headers of src/expression/ are parts of templates.)
# shellcheck disable=SC2086 # a compiler is a list of words
set -eu
cd "$1"
bad=0
for header in include/perlane.h include/perlane_params.h include/perlane_text.h include/perlane_expression.h include/perlane_picture.h include/perlane_gpu.h src/*.h src/expression/expression.h src/expression/operations.h src/noise/*.h src/noise/*/*.h src/*/lanes.h src/picture/*.h; do
    [ $header != src/lane_kernels.h ] || continue # a template, which needs LANES_ID
    if $2 -std=c11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only -x c "$header"; then
        echo "$header: compiles alone"
    else
        echo "$header: does not compile alone"
        bad=1
    fi
done
awk -v rooms="lattice octaves output driver simplex grid cells valleys points" '
    BEGIN { for (n = split(rooms, room, " "); n > 0; n--) rank[room[n]] = n }
    match($0, /^#include "\.\.\/[a-z]+\//) {
        if (FILENAME ~ /\/producer\.h$/ && /\/producer\.h"$/) next # producers may use one of any room
        split(FILENAME, own, "/"); split($0, other, "/")
        if (!(own[3] in rank) || !(other[2] in rank) || rank[other[2]] >= rank[own[3]]) {
            print FILENAME ": " $0 ": not a room before its own"
            bad = 1
        }
    }
    END { exit bad }' src/noise/*/*.h || bad=1
# One header decides which positions are near and splits them, near or far. (words.h declares d_split.)
for term in NEAR_CELLS ROUNDING_TERM CELL_ZERO 'd_split(' 0x1p27 0x1p-27; do
    files=$(grep -rlF "$term" src/noise src/expression | grep -v '^src/noise/words.h$' || true)
    if [ "$files" = src/noise/lattice/split.h ]; then
        echo "$term: in one header"
    else
        echo "$term: not in src/noise/lattice/split.h alone:" $files
        bad=1
    fi
done
exit $bad
