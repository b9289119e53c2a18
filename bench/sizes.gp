# SPDX-License-Identifier: MIT
#
# Plots samples per second against the number of samples: sizes.gp DATA PICTURE ISAS.
load ARG0[:strlen(ARG0) - strlen("sizes.gp")] . "style.gp"
isas = ARG3

set terminal pngcairo size 900, 480 font "Sans,11" background "white"
set output ARG2
set datafile separator "\t"
set logscale xy
set xrange [700:4e8]
set xtics ("32²" 2**10, "64²" 2**12, "128²" 2**14, "256²" 2**16, "512²" 2**18, "1024²" 2**20, \
           "2048²" 2**22, "4096²" 2**24, "8192²" 2**26, "16384²" 2**28)
set ytics ("1 million" 1e6, "10 million" 1e7, "100 million" 1e8, "1 billion" 1e9, "10 billion" 1e10)
set grid xtics ytics lc rgb "#e4e4e4" lt 1
set title "Samples per second of a 2D fill, one octave, one thread" font ",14"
set xlabel "samples"
set key at graph 0.98, 0.55 reverse Left samplen 3 opaque
plot for [i = 1:words(isas)] ARG1 using 1:(column(1) / column(2 + i)) with linespoints lw 2 \
       pt shape(word(isas, i)) ps 1.2 lc rgb colour(word(isas, i)) title word(isas, i), \
     ARG1 using 1:(column(1) / column(2)) with lines lw 1.5 dt 2 lc rgb "#404040" \
       title "memset of as many bytes"
