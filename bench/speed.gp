# SPDX-License-Identifier: MIT
#
# Plots samples per second, one row per job: speed.gp DATA PICTURE ISAS MEMSET STREAM. The last two
# are floats per second, or 0 if they were not measured.
load ARG0[:strlen(ARG0) - strlen("speed.gp")] . "style.gp"
isas = ARG3
memset = real(ARG4)
stream = real(ARG5)
stats ARG1 using 1 nooutput
rows = STATS_records

set terminal pngcairo size 1100, 150 + 21 * rows font "Sans,11" background "white"
set output ARG2
set datafile separator "\t"
set title "Samples per second, one thread (the number after each job: cells per sample)" font ",14"
set logscale x
set xrange [1e6:1e11]
set format x "%.0s%c"
set yrange [-0.7:rows - 0.3]
set grid xtics lc rgb "#d8d8d8" lt 1
set key outside bottom center horizontal samplen 2 spacing 1.2 width 2
set lmargin 34
set rmargin 4

if (memset > 0) set arrow from memset, graph 0 to memset, graph 1 nohead front lc rgb "black" lw 2
if (stream > 0) set arrow from stream, graph 0 to stream, graph 1 nohead front lc rgb "black" lw 1.5 dt 2

plot ARG1 using (1e6):1:(1e5 * 1e6):(0):yticlabels(2) with vectors nohead lc rgb "#ececec" lw 1 notitle, \
     NaN with lines lc rgb "black" lw 2 title "memset 64 MiB", \
     NaN with lines lc rgb "black" lw 1.5 dt 2 title "streaming stores, 64 MiB", \
     ARG1 using 3:1 with points pt 2 ps 0.9 lc rgb "black" title "memset, as many bytes", \
     for [i = 1:words(isas)] ARG1 using 3 + i:1 with points pt shape(word(isas, i)) ps 1.3 \
       lc rgb colour(word(isas, i)) title word(isas, i)
