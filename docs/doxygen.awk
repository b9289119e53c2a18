# SPDX-License-Identifier: MIT
#
# Turns the plain comments of a public header into what doxygen reads, so that the header itself
# stays free of markup: awk -f docs/doxygen.awk include/perlane.h
#
# - The first comment becomes the main page; of another header than perlane.h, the file's text.
# - A line "/* ---- Grids ---- */" begins a group.
# - A comment at the margin documents what follows it. One that stands for two declarations counts
#   for both.
# - A comment after a member, an enumerator or a macro documents that one.
# - "Returns ..." at the beginning of a line is what a function returns; there _NULL stands for
#   PERLANE_ERROR_NULL.
# - Lines indented within a comment are set as code.
# - Left out: the members of perlane_noise, which are not part of the interface, and the last
#   enumerators, which count the others.

function name_of(declaration) {
    sub(/\(.*/, "", declaration)
    sub(/.*[ *]/, "", declaration)
    return declaration
}

# One line of a comment at the margin.
function comment_line(line,    indented) {
    if (line ~ /^ \* Returns /) {
        sub(/Returns /, "@return ", line)
        returns = 1
    } else if (line ~ /^ \*( *\*\/)?$/) {
        returns = 0
    }
    if (returns)
        while (match(line, /[ (]_[A-Z]/))
            line = substr(line, 1, RSTART) "PERLANE_ERROR" substr(line, RSTART + 1)
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

# A comment at the margin that goes on.
inside {
    comment_line($0)
    if (/\*\//)
        inside = returns = code = 0
    next
}

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
    returns = code = 0
    sub(/^\/\* Returns /, "/** @return ")
    sub(/^\/\* /, "/** ")
    inside = !/\*\//
    print
    next
}

/^PERLANE_(OMP_)?API/ {
    if (!documented && last != "")
        print "/** @copydoc " last " */"
    last = name_of($0)
    documented = 0
}

/^typedef struct perlane_noise \{/ {
    print
    print "/** @cond */"
    private = 1
    next
}

private && /^}/ {
    print "/** @endcond */"
    private = 0
}

/^  PERLANE_[A-Z]+_COUNT$/ {
    print "/** @cond */"
    print
    print "/** @endcond */"
    next
}

# A comment after something on its line, which may go on over the next ones.
!private && /[^ ].* \/\* / { sub(/ \/\* /, " /**< ") }

/^}|;$/ { if (!/^PERLANE_(OMP_)?API/ && !/^  /) documented = 0 }

{ print }

END {
    if (group)
        print "/** @} */"
}
