#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Build options of the kernels: isas.sh SOURCE WORK CMAKE CC. Builds one kernel, in Debug.
set -eu
source=$1 work=$2 cmake=$3 cc=$4
rm -rf "$work"
mkdir -p "$work/app"
. "$source/tests/embedding/checks.sh"
unset CFLAGS LDFLAGS
case $(uname -m) in
x86_64 | amd64 | i?86) isa=avx2 others="sse avx512" ;;
aarch64 | arm64) isa=neon others= ;;
*) isa=portable others= ;;
esac

# The program exits with 0 if it has the scalar kernels and those of $isa, and both are right.
cat >"$work/program.c" <<'END'
#include <perlane.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int wrong = argc < 2;
  for (int i = PERLANE_ISA_SCALAR; i < PERLANE_ISA_COUNT; i++) {
    const perlane_isa isa = (perlane_isa)i;
    const int wanted = isa == PERLANE_ISA_SCALAR || (argc > 1 && isa == perlane_isa_from_name(argv[1]));
    wrong |= perlane_isa_built_in(isa) != wanted;
    if (perlane_isa_supported(isa))
      wrong |= perlane_selftest(isa, NULL) != PERLANE_OK;
    printf("%s: built in %d, supported %d\n", perlane_isa_name(isa), perlane_isa_built_in(isa),
           perlane_isa_supported(isa));
  }
  return wrong;
}
END
cat >"$work/app/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.18)
project(app C)
add_subdirectory($source perlane)
END

configures() { # configures FOLDER SOURCE FLAGS...
    folder=$1 from=$2
    shift 2
    "$cmake" -S "$from" -B "$work/$folder" -DCMAKE_C_COMPILER="$cc" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
        -DPERLANE_BUILD_CLI=OFF -DPERLANE_BUILD_OMP=OFF "$@" >"$work/log"
}
# optimises FOLDER FILE: whether the file is compiled with -O2 or -O3.
optimises() {
    grep '"command"' "$work/$1/compile_commands.json" | grep -- "/$2 *\"" | grep -q -- ' -O[23] '
}
optimises_not() { ! optimises "$@"; }

check "configures Debug with $isa alone" configures debug "$source" -DCMAKE_BUILD_TYPE=Debug -DPERLANE_ISAS=$isa
check "Debug optimises the kernels" optimises debug $isa.c
check "but not other files" optimises_not debug field.c
check "builds" "$cmake" --build "$work/debug"
check "links" "$cc" -I"$source/include" "$work/program.c" "$work/debug/libperlane.a" -o "$work/program"
check "has $isa alone" "$work/program" $isa
for other in $others; do
    has_not() { ! nm -g --defined-only "$work/debug/libperlane.a" 2>/dev/null | grep -q "perlane_${other}_"; }
    check "has no function of $other" has_not
done
check "configures another project's tree without a build type" configures plain "$work/app"
check "it optimises the kernels" optimises plain $isa.c
check "configures PERLANE_DEBUG_KERNELS" configures slow "$work/app" -DPERLANE_DEBUG_KERNELS=ON
check "it does not" optimises_not slow $isa.c
check "configures Release" configures release "$source" -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON
has_no_unity() { ! grep -q unity_ "$work/release/compile_commands.json"; }
check "its kernels are never put into one file" has_no_unity
check "Release keeps its own level" optimises release $isa.c
refuses() { ! configures wrong "$source" -DPERLANE_ISAS="$isa;mmx" 2>"$work/errors" && grep -q mmx "$work/errors"; }
check "refuses an unknown instruction set" refuses

total
