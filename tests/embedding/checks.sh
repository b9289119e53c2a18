# SPDX-License-Identifier: MIT
#
# Shared by the tests of perlane in other projects. Needs $source, perlane's folder, and $work.

. "$source/tests/checks.sh"

header=$source/include/perlane.h
version=$(sed -n 's/^#define PERLANE_VERSION "\([^"]*\)".*/\1/p' "$header")
digest=$(sed -n 's/^#define PERLANE_SELFTEST_DIGEST UINT64_C(\(.*\))/\1/p' "$header")

# prints_perlane COMMAND...: runs program.c by that command, and succeeds if its output is right: the
# header's version, then its digest for each instruction set, one or more.
prints_perlane() {
    "$@" >"$work/output" && awk -v version="perlane $version" -v digest="$digest" '
        { print }
        NR == 1 { right = $0 == version; next }
        NF == 2 && $2 == digest { digests++; next }
        { right = 0 }
        END { exit !(right && digests) }' "$work/output"
}

# declared [HEADER...]: prints the functions that the headers of the library, or others, declare, sorted.
declared() {
    [ $# -gt 0 ] || set -- "$header" "${header%.h}_text.h" "${header%.h}_expression.h" \
        "${header%.h}_picture.h" "${header%.h}_gpu.h"
    sed -n 's/^PERLANE_API [^(]*[ *]\(perlane_[a-z0-9_]*\)(.*/\1/p' "$@" | sort
}

# Prints the functions that a shared library would export that an object or static library is part of.
exports() {
    readelf -sW "$1" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }' | sort
}

# Prints the symbols that a shared library exports, sorted, without versions and the linker's own.
exported() {
    nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort
}

exports_the_interface() {
    exported "$1" >"$work/exported"
    declared >"$work/declared"
    test "$(wc -l <"$work/declared")" -gt 10 && diff "$work/declared" "$work/exported"
}

# Succeeds if every global symbol of an object or static library begins with perlane_.
is_prefixed() {
    nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort -u >"$work/symbols"
    grep -q '^perlane_fill$' "$work/symbols" && ! grep -v '^perlane_' "$work/symbols"
}
