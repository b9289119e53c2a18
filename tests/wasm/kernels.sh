#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the tests of the kernels in WebAssembly: kernels.sh SOURCE WORK BUILT CLANG NODE. The tests are
# compiled for WASI, with tests/plain in place of cmocka, linked with the module's objects that
# bindings/npm/build has made in BUILT, with the scalar kernels, and run by node. Not among them: tests of signals, threads, mappings
# and the floating-point environment, which WebAssembly does not have, and statistics of the field.
# shellcheck disable=SC2086 # flags and tests are lists of words
set -eu
source=$1 work=$2 built=$3 clang=$4 node=$5
flags="--target=wasm32-wasi -msimd128 -mbulk-memory -mnontrapping-fptoint -std=c11 -O2 -ffp-contract=off -w -D_GNU_SOURCE
    -DLANES_ID=simd128
    -I$source/include -I$source/tests/plain -I$source/tests/wasm/include"
tests="cases cells dispatch errors golden gradients interface options parity periods range systems words"
mkdir -p "$work"

objects=
for file in "$source/tests/support.c" "$source/tests/calls.c" "$source/src/dispatch.c" "$source/src/scalar/scalar.c"; do
    object=$work/$(basename "$file" .c).o
    "$clang" $flags -c "$file" -o "$object"
    objects="$objects $object"
done
for object in "$built"/objects/*.o; do
    case $object in
    *module.o | *dispatch.o | *picture.o | *palette.o) ;;
    *) objects="$objects $object" ;;
    esac
done
failed=0
for test in $tests; do
    "$clang" $flags "-DVECTORS=\"$source/tests/vectors\"" "-DCASES_FILE=\"$source/tests/cases.txt\"" "$source/tests/$test.c" $objects \
        -Wl,-z,stack-size=4194304,--stack-first -lm -lc-printscan-long-double -o "$work/$test.wasm"
    # A fifth of the cases of others, which take longer here.
    percent=$((${PERLANE_TEST_PERCENT:-50} / 5))
    if ! PERLANE_TEST_PERCENT=$percent "$node" --no-warnings "$source/tests/wasm/run.mjs" "$work/$test.wasm"; then
        echo "$test: failed in WebAssembly"
        failed=1
    fi
done
exit $failed
