#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The WebAssembly module that the test npm has built in WORK: module.sh SOURCE WORK NODE. It imports
# nothing, exports the public interface, and is small.
set -eu
source=$1 work=$2 node=$3
. "$source/tests/embedding/checks.sh"

# Prints the module's imports or exports, sorted.
list() {
    "$node" -e 'const [what, file] = process.argv.slice(1);
        const module = new WebAssembly.Module(require("fs").readFileSync(file));
        WebAssembly.Module[what](module).forEach((each) => console.log(each.name));' "$1" "$work/perlane.wasm" |
        LC_ALL=C sort
}
imports_nothing() { [ -z "$(list imports)" ]; }
exports_the_interface() {
    {
        declared
        printf '%s\n' __heap_base memory perlane_web_at perlane_web_digest perlane_web_layout perlane_web_rgba
    } | LC_ALL=C sort | diff - "$work/exports"
}
has_no_relaxed_simd() { ! grep -r relaxed "$source/src/simd128" "$source/bindings/npm/build" | grep -v ' \* '; }

bytes=$(gzip -9c "$work/perlane.wasm" | wc -c)
echo "perlane.wasm: $(wc -c <"$work/perlane.wasm") bytes, $bytes with gzip"
check "has at most 165,000 bytes with gzip" test "$bytes" -le 165000
check "imports nothing" imports_nothing
bytes=$(gzip -9c "$work/package/noise.js" | wc -c)
check "perlane/noise has at most 9,000 bytes with gzip" test "$bytes" -le 9000
list exports >"$work/exports"
check "exports the public interface" exports_the_interface
check "uses no relaxed SIMD" has_no_relaxed_simd

total
