#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the page with the npm package that the test npm has built, and runs its tests: page.sh SOURCE
# WORK PACKAGE NODE CHROMIUM COMMAND LIBRARY
set -eu
source=$1 work=$2 package=$3 node=$4
rm -rf "$work"
"$source/page/build" "$package" "$work/page"
PERLANE=$6 PERLANE_LIBRARY=$7 PERLANE_PACKAGE=$package PERLANE_PAGE=$work/page CHROMIUM=$5 \
    exec "$node" "$source/page/test/page.test.js"
