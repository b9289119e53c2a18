# SPDX-License-Identifier: MIT
#
# Plots the time of a fill against the width of its rows: widths.gp DATA PICTURE ISAS.
load ARG0[:strlen(ARG0) - strlen("widths.gp")] . "style.gp"
isas = ARG3

set terminal pngcairo size 900, 800 font "Sans,11" background "white"
set output ARG2
set datafile separator "\t"
set multiplot layout 2, 1
set xrange [16:131]
set yrange [0:*]
set xtics 16
set grid xtics ytics lc rgb "#d8d8d8" lt 1
set key top left reverse Left samplen 3 opaque
set ylabel "time, µs"
set lmargin 9
array rows[3] = ["", "64", "33x33"]
do for [dims = 2:3] {
  set title sprintf("Fill of width x%s, 4 octaves from 0.01 cells per sample, one thread", rows[dims]) font ",14"
  if (dims == 3) { set xlabel "width, samples" }
  plot for [i = 1:words(isas)] ARG1 \
         using 3:(strcol(1) eq word(isas, i) && $2 == dims ? $4 / 1000 : NaN) \
         with steps lw 2 lc rgb colour(word(isas, i)) title word(isas, i)
}
unset multiplot
