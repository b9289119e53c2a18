# SPDX-License-Identifier: MIT
#
# Power by frequency and direction, and the directions of slopes: directions.gp FOLDER PICTURE.
load ARG0[:strlen(ARG0) - strlen("directions.gp")] . "style.gp"
set terminal pngcairo size 1000, 860 font "Sans,10" background "white"
set output ARG2
set multiplot layout 2, 2 margins 0.075, 0.98, 0.07, 0.955 spacing 0.085, 0.11
set grid lc rgb "#d8d8d8" lt 1
set logscale y
set format y "10^{%T}"
set yrange [1e-6:1]
set xrange [0:2.5]
set xlabel "cycles a cell"
set ylabel "share of the variance per unit of area"
set key top right samplen 2
array name[2] = ["default", "improved"]
do for [i = 0:1] {
  set title "Power along directions, " . name[i + 1]
  plot ARG1 . "/radial.dat" using 1:2 + 3 * i with linespoints pt 7 ps 0.6 lc rgb ours title "x", \
       "" using 1:3 + 3 * i with linespoints pt 9 ps 0.7 lc rgb theirs title "y", \
       "" using 1:4 + 3 * i with linespoints pt 5 ps 0.6 lc rgb third title "diagonals", \
       for [c = 8:10] "" using 1:c with lines dt 3 lc rgb "black" \
           title c == 10 ? "default, expected" : ""
}
unset logscale y
set format y "%g"
set xrange [0:180]
set xtics 45
set yrange [0.5:1.5]
set key top center horizontal maxrows 1 samplen 2 width -3
set xlabel "direction in degrees; 0 is x, 90 is y"
set ylabel "over the mean of all directions"
set title "Power from 0.4 to 1 cycle a cell"
plot ARG1 . "/angular.dat" using 1:2 with linespoints pt 7 ps 0.6 lc rgb ours title "default", \
     "" using 1:3 with linespoints pt 9 ps 0.7 lc rgb theirs title "improved", \
     "" using 1:4 with lines dt 3 lw 1.5 lc rgb "black" title "default, expected"
set xrange [0:360]
set xtics 90
set mxtics 2
set yrange [0:3.2]
set xlabel "direction of the slope in degrees"
set title "How often slopes have a direction"
plot ARG1 . "/directions.dat" using 1:2 with lines lw 1.5 lc rgb ours title "default", \
     "" using 1:3 with lines lw 1.5 lc rgb theirs title "improved", \
     "" using 1:4 with lines lw 1.5 lc rgb third title "sphere: 256 directions"
unset multiplot
