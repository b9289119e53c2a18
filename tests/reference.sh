#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The reference shares nothing with what it is compared with: of the library, the dispatcher's table alone
# refers to it, and it calls what makes the constants of displacements and valleys, and what counts the octaves
# that a field of an expression shows: reference.sh NM ARCHIVE
set -eu
undefined() { # undefined PATTERN: "OBJECT NAME", a line for each name of another object
    "$nm" "$archive" | awk -v pattern="$1" '
        /:$/ { sub(/\.(c\.)?o(bj)?:$/, ""); sub(/.*[:\/(]/, ""); object = $0 }
        $1 == "U" { sub(/^_/, "", $2); if ($2 ~ pattern) print object, $2 }' | sort
}
nm=$1 archive=$2
undefined '^perlane_scalar' >reference.users
undefined '^perlane_' | grep '^scalar ' >reference.uses || true
printf '%s\n' "dispatch perlane_scalar_kernels" | diff - reference.users
printf '%s\n' "scalar perlane_expression_octaves" "scalar perlane_field_displacement" "scalar perlane_field_valleys" | diff - reference.uses
