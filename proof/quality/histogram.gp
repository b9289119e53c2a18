# SPDX-License-Identifier: MIT
#
# Distributions of values: histogram.gp FOLDER PICTURE.
load ARG0[:strlen(ARG0) - strlen("histogram.gp")] . "style.gp"
set terminal pngcairo size 1000, 420 font "Sans,10" background "white"
set output ARG2
set multiplot layout 1, 2 margins 0.06, 0.985, 0.13, 0.92 spacing 0.06
set grid lc rgb "#d8d8d8" lt 1
set xrange [-1:1]
set yrange [0:3]
set key top right samplen 1.5 width -4
set xlabel "value"
set ylabel "density"
set title "1 octave"
plot ARG1 . "/histogram.dat" using 1:3 with histeps lw 1.5 lc rgb ours title "default", \
     "" using 1:2 with points pt 7 ps 0.5 lc rgb "black" title "default, expected", \
     "" using 1:4 with histeps lw 1.5 lc rgb theirs title "improved"
set title "8 octaves"
plot ARG1 . "/histogram.dat" using 1:5 with histeps lw 1.5 lc rgb ours title "default", \
     "" using 1:6 with histeps lw 1.5 lc rgb theirs title "improved"
unset multiplot
