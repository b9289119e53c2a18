# SPDX-License-Identifier: MIT
#
# Draws the table of docs/performance.md against FastNoise2, with AVX2:
#
#   gnuplot -c bench/compared.gp docs/performance.md docs/images/compared.png
#
# A bar is perlane's rate over FastNoise2's, on a logarithmic scale: to the right of 1, perlane is
# faster.
rows = sprintf("<awk -F ' *[|] *' '/^## / { here = /FastNoise2/ } here && $6 ~ /^[0-9.]+$/ { print $6 \"\\t\" $2 }' %s", ARG1)
stats rows using 1 nooutput
set terminal pngcairo size 900, 30 + 21 * STATS_records font "sans,10"
set output ARG2
set datafile separator "\t"
set logscale x 2
set xrange [0.25:64]
set xtics ("1/4" 0.25, "1/2" 0.5, "1" 1, "2" 2, "4" 4, "8" 8, "16" 16, "32" 32)
set yrange [STATS_records - 0.5:-0.5]
set ytics scale 0
set grid xtics lc rgb "#dddddd"
set border 0
unset key
set title "perlane's rate / FastNoise2's, one thread, AVX2"
set arrow from 1, -0.5 to 1, STATS_records - 0.5 nohead lc rgb "#444444" lw 1.5
plot rows using (1):0:($1 < 1 ? $1 : 1):($1 < 1 ? 1 : $1):($0 - 0.35):($0 + 0.35):($1 < 1 ? 0xc0792f : 0x2f7fc0):ytic(2) \
         with boxxyerror fs solid noborder lc rgb variable, \
     rows using ($1 < 1 ? 1.1 : $1 * 1.08):0:1 with labels left font "sans,9"
