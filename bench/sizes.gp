# SPDX-License-Identifier: MIT
#
# Plots time and samples per second against the number of samples: sizes.gp DATA PICTURE ISAS.
load ARG0[:strlen(ARG0) - strlen("sizes.gp")] . "style.gp"
isas = ARG3

set terminal pngcairo size 900, 1000 font "Sans,11" background "white"
set output ARG2
set datafile separator "\t"
set multiplot layout 2, 1
set logscale xy
set xrange [700:4e8]
set xtics ("32²" 2**10, "64²" 2**12, "128²" 2**14, "256²" 2**16, "512²" 2**18, "1024²" 2**20, \
           "2048²" 2**22, "4096²" 2**24, "8192²" 2**26, "16384²" 2**28)
set grid xtics ytics lc rgb "#d8d8d8" lt 1
set lmargin 11
set rmargin 4

set title "Time of a 2D fill at 0.01 cells per sample, one thread" font ",14"
set ylabel "time"
set ytics ("10 ns" 1e-8, "100 ns" 1e-7, "1 µs" 1e-6, "10 µs" 1e-5, "100 µs" 1e-4, "1 ms" 1e-3, \
           "10 ms" 1e-2, "100 ms" 1e-1, "1 s" 1)
set key bottom right reverse Left samplen 3 opaque
plot for [i = 1:words(isas)] ARG1 using 1:2 + i with linespoints lw 2 pt shape(word(isas, i)) ps 1.2 \
       lc rgb colour(word(isas, i)) title word(isas, i), \
     ARG1 using 1:2 with linespoints lw 1.5 dt 2 pt 2 ps 0.8 lc rgb "black" title "memset, as many bytes"

set title "Samples per second" font ",14"
set xlabel "samples"
set ylabel "samples per second"
set ytics auto
set format y "%.0s%c"
unset key
plot for [i = 1:words(isas)] ARG1 using 1:(column(1) / column(2 + i)) with linespoints lw 2 \
       pt shape(word(isas, i)) ps 1.2 lc rgb colour(word(isas, i)), \
     ARG1 using 1:(column(1) / column(2)) with linespoints lw 1.5 dt 2 pt 2 ps 0.8 lc rgb "black"
unset multiplot
