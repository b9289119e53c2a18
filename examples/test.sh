#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the examples, compares what they print with expected/, and builds them again by the lines of
# README.md: test.sh BUILT LIBRARY NAME... with CC and CXX set.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
built=$1 library=$2
shift 2
work=$built/work
# For programs built here with a shared library, which have no path to it.
LD_LIBRARY_PATH=$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
rm -rf "$work"
mkdir -p "$work"

. "$here/../tests/checks.sh"

# Samples are the same everywhere; where cos and sin come in, only the shape of the lines is.
runs() { "$built/$1" >"$work/$1.out" && diff "$here/expected/$1.txt" "$work/$1.out"; }
runs_like() {
    "$built/$1" >"$work/$1.out" && cat "$work/$1.out" &&
        sed 's/[0-9][-+.0-9e]*/N/g' "$work/$1.out" | diff "$here/expected/$1.txt" -
}
picture() {
    "$built/planet" "$work/planet.pgm" >/dev/null && head -n 3 "$work/planet.pgm" | tr '\n' ' ' |
        grep -qx 'P5 720 361 255 ' && [ "$(wc -c <"$work/planet.pgm")" = $((15 + 720 * 361)) ]
}
unwritable() { ! "$built/planet" "$work/none/planet.pgm" >/dev/null 2>"$work/error" && grep -q none "$work/error"; }

# The line of README.md that builds an example, for this compiler and library.
line() { sed -n "s|^\(c[c+]* .* examples/$1\.c[p]* .*\)\$|\1|p" "$here/README.md"; }
builds() {
    command=$(line "$1" | sed "s|examples/|$here/|; s|^cc |$CC |; s|^c++ |$CXX |
        s|-Iinclude|-I$here/../include|; s|build/libperlane.a|$library|; s|-o $1|-o $work/$1|")
    [ -n "$command" ] && sh -c "$command ${CFLAGS_EXTRA:-}" && "$work/$1" >/dev/null
}

for name in "$@"; do
    case $name in
    planet | loop | normals) check "$name runs and finds its result right" runs_like "$name" ;;
    *) check "$name runs and prints what it should" runs "$name" ;;
    esac
    check "$name builds by its line" builds "$name"
done
check "planet writes a picture" picture
check "planet says where it cannot" unwritable

total
