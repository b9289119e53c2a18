# SPDX-License-Identifier: MIT
#
# Converts the plain comments of a public header to doxygen's markup, which keeps the header itself
# free of it. Usage: awk -f docs/doxygen.awk include/perlane.h
#
# - The first comment of perlane.h becomes the main page; that of another header documents the file.
# - A line "/* ---- Grids ---- */" begins a group.
# - A comment at the margin documents the declarations that follow, up to the next comment.
# - A comment after a member, an enumerator or a macro documents that one.
# - "Returns ..." at the beginning of a line becomes @return.
# - Indented lines within a comment become code.
# - Omitted: the members of perlane_noise and what only they use, which are not part of the interface;
#   the last enumerators, which count the others; macros that add an argument to a function's call.

function name_of(declaration) {
    sub(/\(.*/, "", declaration)
    sub(/.*[ *]/, "", declaration)
    return declaration
}

# One line of a comment at the margin.
function comment_line(line,    indented) {
    if (line ~ /^ \* Returns /)
        sub(/Returns /, "@return ", line)
    indented = line ~ /^ \*   [^ ]/
    if (indented) {
        if (!code)
            print " *"
        sub(/^ \*   /, " *     ", line)
    } else if (code) {
        print " *"
    }
    code = indented
    print line
}

# A comment at the margin, from its second line on.
inside {
    comment_line($0)
    if (/\*\//)
        inside = code = 0
    next
}

/^\/\* Packed structures/ { next }

/^\/\* SPDX/ {
    if (FILENAME ~ /perlane\.h$/)
        print "/** @file */"
    print FILENAME ~ /perlane\.h$/ ? "/** @mainpage perlane" : "/** @file"
    inside = !/\*\//
    next
}

/^\/\* ---- / {
    heading = $0
    sub(/^\/\* ---- /, "", heading)
    sub(/ -*[ -]*\*\/.*/, "", heading)
    label = tolower(heading)
    gsub(/[^a-z]/, "_", label)
    if (group)
        print "/** @} */"
    print "/** @defgroup " label " " heading
    print " * @{ */"
    group = 1
    next
}

/^\/\*/ {
    documented = 1
    code = 0
    sub(/^\/\* Returns /, "/** @return ")
    sub(/^\/\* /, "/** ")
    inside = !/\*\//
    print
    next
}

/^PERLANE_API/ {
    if (!documented && last != "")
        print "/** @copydoc " last " */"
    last = name_of($0)
    documented = 0
}

/^#define perlane_/ { next }

/^struct perlane_unpacked/ { unpacked = 1 }
unpacked {
    unpacked = !/-1\];/
    next
}

/^(typedef )?struct perlane_(noise|octave|octave_arrays) \{/ {
    print
    print "/** @cond */"
    private = 1
    next
}

private && /^}/ {
    print "/** @endcond */"
    private = 0
}

/^  PERLANE_[A-Z_]+_COUNT$/ {
    print "/** @cond */"
    print
    print "/** @endcond */"
    next
}

# A comment after code on the same line; it may continue on the next lines.
!private && /[^ ].* \/\* / { sub(/ \/\* /, " /**< ") }

/^}|;$/ { if (!/^PERLANE_API/ && !/^  /) documented = 0 }

{ print }

END {
    if (group)
        print "/** @} */"
}
