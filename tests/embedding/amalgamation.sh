#!/bin/sh
# SPDX-License-Identifier: MIT
#
# perlane as two files, in a folder that has nothing else: amalgamation.sh SOURCE WORK CC CXX PYTHON
#
# Kernels take longest to compile: they are only checked for errors here, but for one instruction set.
# tests/proof/matrix has builds at all levels, in other standards and for all machines, and compares more digests;
# tests/proof/run stack has the stack at -O0.
# shellcheck disable=SC2086 # compilers and flags are lists of words
set -eu
source=$1 work=$2 cc=$3 cxx=$4 python=$5
rm -rf "$work"
mkdir -p "$work"
. "$source/tests/embedding/checks.sh"

warnings="-Wall -Wextra -Wpedantic -Wdouble-promotion -Wshadow -Werror"
one_kernel="-DPERLANE_NO_AVX512 -DPERLANE_NO_AVX2"
no_kernels="$one_kernel -DPERLANE_NO_SSE41 -DPERLANE_NO_NEON -DPERLANE_NO_PORTABLE"
check "is written" "$python" "$source/scripts/amalgamate" "$work/files"
cp "$source/tests/embedding/program.c" "$work/files/"
includes_nothing() { ! grep -n '#include "' "$work/files/perlane.h"; }
check "the header needs no other" includes_nothing
check "names its version and its licence" sh -c "head -n 40 '$work/files/perlane.c' >'$work/head' &&
    grep -q ' $version,' '$work/head' && grep -q 'MIT License' '$work/head' && grep -q Generated '$work/head'"
has_no_line() { ! grep -n '^#line\|^#include "[^p]' "$work/files/perlane.c"; }
check "has nothing of another file left to include" has_no_line

# in_folder COMMAND...: where the two files and the program are, and nothing else.
in_folder() { (cd "$work/files" && "$@"); }
builds() { # builds NAME COMPILER FLAGS
    in_folder $2 $3 -c perlane.c -o "$work/$1.o" && in_folder $2 program.c -I. "$work/$1.o" -o "$work/$1"
}
stops() { # stops COMPILER FLAG: with perlane's own message
    ! in_folder $1 $2 -E perlane.c >"$work/fast.log" 2>&1 && grep -q 'error.*perlane: ' "$work/fast.log"
}
# what COMPILER...
each_flag() {
    check "$1: -std=c11 has no warnings" in_folder $1 -std=c11 -O1 $warnings -fsyntax-only perlane.c
    for flag in -ffast-math -Ofast -ffinite-math-only; do
        check "$1: $flag stops with an error" stops "$1" $flag
    done
}

check "$cc builds it" builds cc "$cc" "-O1 $one_kernel $warnings"
check "its digests" prints_perlane "$work/cc"
check "its symbols are prefixed" is_prefixed "$work/cc.o"
each_flag "$cc"
in_cpp() {
    in_folder $cxx $warnings -x c++ program.c -x none -I. "$work/cc.o" -o "$work/cpp" &&
        prints_perlane "$work/cpp"
}
check "a C++ program has it" in_cpp
check "compiled as C++ it stops with an error" stops "$cxx" "-x c++"

has_no_set() { # kernels that a CPU may lack, and no reference
    for flags in "$one_kernel" "$no_kernels"; do
        ! in_folder $cc $flags -DPERLANE_NO_SCALAR -fsyntax-only perlane.c 2>"$work/sets.log" &&
            grep -q 'perlane: a CPU may have none' "$work/sets.log" || return 1
    done
}
case $(uname -m) in
x86_64) check "without the reference it stops with an error" has_no_set ;;
esac
exports_nothing() { test -z "$(exports "$work/cc.o")"; }
check "a plugin exports none of it" exports_nothing
exports_all() {
    in_folder $cc -O1 -DPERLANE_BUILDING $no_kernels -c perlane.c -o "$work/shared.o" &&
        exports "$work/shared.o" >"$work/exported" && declared | diff - "$work/exported"
}
check "a shared library of perlane exports the interface" exports_all

# A second copy under another name, in the same program; gcc optimizes the reference at -O0, too.
has_prefix() {
    "$python" "$source/scripts/amalgamate" "$work/studio" studio_ &&
        sed 's/perlane_/studio_/g' "$work/files/program.c" >"$work/studio/program.c" &&
        (cd "$work/studio" && $cc -O0 $no_kernels $warnings -I. program.c perlane.c "$work/cc.o" -o "$work/both") &&
        nm "$work/both" | grep -q ' studio_fill$' && nm "$work/both" | grep -q ' perlane_fill$'
}
check "another prefix goes with it into one program" has_prefix
check "its digests" prints_perlane "$work/both"

# Without optimization nothing may be inlined: all kernels would take 5 GB and minutes.
debug_builds() {
    (ulimit -v 2000000 && builds debug clang "-O0 -DPERLANE_DEBUG_KERNELS $warnings") &&
        test "$(wc -c <"$work/debug.o")" -lt 8000000
}
check "clang -O0 builds all kernels in 2 GB" debug_builds
check "its digests" prints_perlane "$work/debug"

if [ "$cc" != clang ]; then
    check "clang builds it" builds clang clang "-O1 $no_kernels $warnings"
    check "its digests" prints_perlane "$work/clang"
    each_flag clang
    # wasm32-unknown-unknown has no C library; Rust defines what compilers call.
    is_bare() {
        in_folder clang --target=wasm32-unknown-unknown -O1 $warnings -c perlane.c -o "$work/bare.o" &&
            ! wasm-ld --no-entry --no-gc-sections --error-limit=0 "$work/bare.o" -o "$work/bare" 2>"$work/undefined" &&
            ! grep -v ': \(mem\(cmp\|cpy\|move\|set\)\|strlen\)$' "$work/undefined"
    }
    check "WebAssembly needs no C library" is_bare
fi

total
