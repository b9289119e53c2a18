# Comments of the headers, which contain no markup, as doxygen reads them.
s/^\/\* SPDX.*/\/** @file/
s/^\/\* ---- \(.*[^ -]\) -*-- \*\/$/\/** @name \1 *\//
s/^\/\* /\/** /
s/\([^ ].*\) \/\* /\1 \/**< /
