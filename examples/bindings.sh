#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the example of another language, runs it and compares what it prints with the C program:
# bindings.sh csharp|rust FOLDER LIBRARY REFERENCE, where FOLDER takes what is built, LIBRARY is
# shared for csharp, and REFERENCE is bindings.c, built.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
language=$1 work=$2 library=$3 reference=$4
rm -rf "$work"
mkdir -p "$work"

. "$here/../tests/checks.sh"

# Programs find a shared library in the folder; Mono and rustc know it by this name.
case $library in
*.a) ln -s "$library" "$work/libperlane.a" ;;
*.dylib) ln -s "$library" "$work/libperlane.dylib" ;;
*) ln -s "$library" "$work/libperlane.so" ;;
esac
LD_LIBRARY_PATH=$work:$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

builds() {
    case $language in
    csharp) mcs -unsafe -langversion:latest -warnaserror -out:"$work/Example.exe" "$here"/../bindings/csharp/*.cs ;;
    rust)
        # Without the crate that compiles C, as this library is there already, and nothing is fetched.
        cp -R "$here/../bindings/rust" "$work/rust"
        rm -rf "$work/rust/Cargo.lock" "$work/rust/target"
        sed -i '/^cc = /d; s/"dep:cc"//' "$work/rust/perlane-sys/Cargo.toml"
        PERLANE_LIBRARY_DIR=$work RUSTFLAGS=-Dwarnings cargo build --quiet --offline \
            --no-default-features --example bindings \
            --manifest-path "$work/rust/perlane/Cargo.toml" --target-dir "$work/target"
        ;;
    esac
}
runs() {
    case $language in
    csharp) mono "$work/Example.exe" >"$work/out" ;;
    rust) "$work/target/debug/examples/bindings" >"$work/out" ;;
    esac
}
same() { "$reference" >"$work/expected" && diff "$work/expected" "$work/out"; }
complete() { [ "$(grep -cE '^(map|tile|points): 0x[0-9A-F]{16}$' "$work/out")" = 3 ]; }

check "examples/$language builds" builds
check "it runs" runs
check "it prints three digests" complete
check "they are those of C" same
total
