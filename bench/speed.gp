# SPDX-License-Identifier: MIT
#
# Plots samples per second, one row per job: speed.gp DATA PICTURE ISAS STREAM. The last is the
# floats per second that streaming stores write, or 0 if they were not measured.
load ARG0[:strlen(ARG0) - strlen("speed.gp")] . "style.gp"
isas = ARG3
stream = real(ARG4)
set datafile separator "\t"
stats ARG1 using 0 nooutput
rows = STATS_records

set terminal pngcairo size 900, 110 + 26 * rows font "Sans,11" background "white"
set output ARG2
set title "Samples per second, one thread" font ",14"
set logscale x
set xrange [1e6:1e10]
set xtics ("1 million" 1e6, "10 million" 1e7, "100 million" 1e8, "1 billion" 1e9, "10 billion" 1e10)
set yrange [rows - 0.4:-0.6]
set ytics scale 0
set grid xtics ytics lc rgb "#e4e4e4" lt 1
set border 1 lc rgb "#404040"
set key outside bottom center horizontal reverse Left samplen 1 width 2
set lmargin 31
set rmargin 5

if (stream > 0) {
  set arrow from stream, graph 0 to stream, graph 1 nohead lc rgb "#404040" lw 1.5 dt 2
}
plot for [i = 1:words(isas)] ARG1 using 1 + i:0:ytic(1) with points pt shape(word(isas, i)) ps 1.5 \
       lc rgb colour(word(isas, i)) title word(isas, i), \
     NaN with lines lc rgb "#404040" lw 1.5 dt 2 title (stream > 0 ? "streaming stores of floats" : "")
