#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `make check` fails where something is missing, and names it: missing.sh SOURCE WORK CMAKE CC
set -eu
source=$1 work=$2 cmake=$3 cc=$4
rm -rf "$work"
mkdir -p "$work/tree/bindings/python/tests" "$work/tree/page/node_modules" "$work/tree/build/cmocka/src" "$work/bin"

. "$source/tests/checks.sh"

# fails TEXT COMMAND...
fails() {
    text=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        return 1
    fi
    cat "$work/log"
    grep -qF "$text" "$work/log"
}
check "cmake without node" fails "missing: WebAssembly: no node" "$cmake" -S "$source" -B "$work/build" \
    -DCMAKE_C_COMPILER="$cc" -DPERLANE_BUILD_TESTS=ON -DPERLANE_TESTS=all -DPERLANE_REQUIRE_ALL=ON \
    -DPERLANE_TEST_EMULATED=OFF -DPERLANE_TOOL_node=OFF

# A clone for which nothing has been fetched.
cp -R "$source/scripts" "$work/tree/"
cp "$source"/page/*.json "$work/tree/page/"
cp "$source/bindings/python/requirements-test.txt" "$work/tree/bindings/python/"
cp "$source/bindings/python/tests/environment.py" "$work/tree/bindings/python/tests/"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/npm"
chmod +x "$work/bin/npm"
check "setup where npm fails" fails "npm could not fetch" env PATH="$work/bin:$PATH" "$work/tree/scripts/setup" page
touch "$work/tree/page/node_modules/.package-lock.json" "$work/tree/build/cmocka/src/cmocka.c"
check "setup where pip fails" fails "pip could not fetch" env PIP_NO_INDEX=1 "$work/tree/scripts/setup" check

# Plain make only lists; make deps installs.
mkdir "$work/none"
printf '#!/bin/sh\nexit 1\n' >"$work/none/cc"
printf '#!/bin/sh\necho "$@" >>"%s"\n' "$work/installed" >"$work/none/apt-get"
cp "$work/none/apt-get" "$work/none/sudo"
chmod +x "$work/none"/*
check "make without libtiff" fails "missing, by the names of Debian's packages:" env PATH="$work/none:$PATH" \
    make -C "$source" build
check "names it, and what installs it" fails "libtiff-dev" env PATH="$work/none:$PATH" make -C "$source"
check "and installs nothing" [ ! -e "$work/installed" ]
check "make deps does" sh -c 'PATH="$1:$PATH" make -C "$2" deps && grep -q "install .* libtiff-dev" "$3"' sh \
    "$work/none" "$source" "$work/installed"

total
