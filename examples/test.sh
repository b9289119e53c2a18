#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the examples, compares their output with expected/, and builds them with the commands of
# README.md: test.sh BUILT LIBRARY NAME... with CC and CXX set.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
built=$1 library=$2
shift 2
work=$built/work
# Programs built here with a shared library have no run-time path to it.
LD_LIBRARY_PATH=$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
rm -rf "$work"
mkdir -p "$work"

. "$here/../tests/checks.sh"

# Samples are the same everywhere. With cos and sin, numbers may differ: compare the text only.
runs() { "$built/$1" >"$work/$1.out" && diff "$here/expected/$1.txt" "$work/$1.out"; }
runs_like() {
    "$built/$1" >"$work/$1.out" && cat "$work/$1.out" &&
        sed 's/[0-9][-+.0-9e]*/N/g' "$work/$1.out" | diff "$here/expected/$1.txt" -
}
picture() {
    "$built/planet" "$work/planet.pgm" >/dev/null && head -n 3 "$work/planet.pgm" | tr '\n' ' ' |
        grep -qx 'P5 720 361 255 ' && [ "$(wc -c <"$work/planet.pgm")" = $((15 + 720 * 361)) ]
}
biomes_picture() {
    "$built/biomes" "$work/biomes.ppm" >/dev/null && head -n 3 "$work/biomes.ppm" | tr '\n' ' ' |
        grep -qx 'P6 720 432 255 ' && [ "$(wc -c <"$work/biomes.ppm")" = $((15 + 3 * 720 * 432)) ]
}
picture_of_alps() {
    "$built/picture" "$work/alps.ppm" >/dev/null && head -n 1 "$work/alps.ppm" | grep -qx 'P6 256 256 255' &&
        [ "$(wc -c <"$work/alps.ppm")" = $((15 + 3 * 256 * 256)) ]
}
unwritable() { ! "$built/planet" "$work/none/planet.pgm" >/dev/null 2>"$work/error" && grep -q none "$work/error"; }

# Prints the command of README.md that builds an example.
# README.md's command for a program: that of planet.c is for all in C.
line() {
    [ "$1" = cpp ] && like=cpp || like=planet
    sed -n "s/\b$like\b/$1/g; /^c[c+]* .* examples\/$1\.c/p" "$here/README.md"
}
builds() {
    command=$(line "$1" | sed "s|examples/|$here/|; s|^cc |$CC |; s|^c++ |$CXX |
        s|-Iinclude|-I$here/../include|; s|build/libperlane.a|$library|; s|-o $1|-o $work/$1|")
    [ -n "$command" ] && sh -c "$command ${CFLAGS_EXTRA:-}" && "$work/$1" >/dev/null
}

for name in "$@"; do
    case $name in
    planet | loop | normals | biomes) check "$name runs and its check passes" runs_like "$name" ;;
    *) check "$name prints the expected output" runs "$name" ;;
    esac
    check "$name builds with README.md's command" builds "$name"
done
check "planet writes a picture" picture
check "biomes writes a picture" biomes_picture
check "picture writes a picture" picture_of_alps
check "planet reports a file that it cannot write" unwritable

total
