#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compiles each header of the library's sources by itself: headers.sh SOURCE CC
# shellcheck disable=SC2086 # a compiler is a list of words
set -eu
cd "$1"
bad=0
for header in include/perlane.h src/*.h src/noise/*.h src/noise/*/*.h src/*/lanes.h; do
    [ $header != src/lane_kernels.h ] || continue # a template, which needs LANES_ID
    if $2 -std=c11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only -x c "$header"; then
        echo "$header: compiles alone"
    else
        echo "$header: does not compile alone"
        bad=1
    fi
done
exit $bad
