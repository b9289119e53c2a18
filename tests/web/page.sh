#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the page and runs its tests: page.sh SOURCE WORK CLANG NODE CHROMIUM COMMAND LIBRARY PYTHON
set -eu
source=$1 work=$2 node=$4
rm -rf "$work"
CLANG=$3 "$source/web/build" "$work/web"
"$source/web/page/build" "$work/web/package" "$work/page"
PERLANE=$6 PERLANE_LIBRARY=$7 PERLANE_PACKAGE=$work/web/package PERLANE_PAGE=$work/page CHROMIUM=$5 \
    PYTHON=$8 exec "$node" "$source/web/page/test/page.test.js"
