#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The README's program, compiled by the README's line: readme.sh README INCLUDE LIBRARY WORK CC PERLANE
set -eu
readme=$1 include=$2 library=$3 work=$4 cc=$5 perlane=$6

. "$(dirname "$0")/../checks.sh"

rm -rf "$work"
mkdir -p "$work"
# Prints the first block of this kind.
first_block() { awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } /^```/ { if (on) exit } on' "$readme"; }
first_block c >"$work/noise.c"
line=$(sed -n 's/^\(cc .* -o noise\) && .*$/\1/p' "$readme")
check "has a program" test -s "$work/noise.c"
check "has a compile line" test -n "$line"
line=$(echo "$line" | sed "s|^cc |$cc |; s|-Iinclude|-I$include|; s|build/libperlane.a|$library|")
compile() { (cd "$work" && sh -c "$line $CFLAGS_EXTRA"); }
CFLAGS_EXTRA=${CFLAGS_EXTRA:-}
check "compiles" compile
runs() { (cd "$work" && ./noise >out && grep -Eq '^height at \(100, 50\): -?0\.[0-9]+$' out); }
check "runs" runs
digest=$(sed -n 's/.*self-test digest \(0x[0-9A-F]*\).*/\1/p' "$readme")
digests_agree() { "$perlane" info | grep -q "$digest ok"; }
check "its digest is the library's" digests_agree

total
