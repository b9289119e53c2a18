# SPDX-License-Identifier: MIT
#
# The style of both pictures. The colours are distinct for colour-blind readers, and shapes differ
# for print without colour. Instruction sets that are not listed get the last style.
known = "scalar sse4.1 avx2 neon avx512 portable"
colours = "#7f7f7f #0072b2 #d55e00 #009e73 #aa3377 #000000"
shapes = "9 5 7 13 11 1"
place(isa) = (p = 6, sum [i = 1:words(known)] (word(known, i) eq isa ? (p = i) : 0), p)
colour(isa) = word(colours, place(isa))
shape(isa) = int(word(shapes, place(isa)))

set border 3 lc rgb "#404040"
set tics nomirror textcolor rgb "#202020"
