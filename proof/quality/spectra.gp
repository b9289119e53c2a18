# SPDX-License-Identifier: MIT
#
# Power spectra as images, on one scale: spectra.gp FOLDER PICTURE.
load ARG0[:strlen(ARG0) - strlen("spectra.gp")] . "style.gp"
set terminal pngcairo size 900, 430 font "Sans,10" background "white"
set output ARG2
unset key
set border 15 lw 0.5
set palette maxcolors 24 defined (0 "#000004", 1 "#3b0f70", 2 "#8c2981", 3 "#de4968", 4 "#fe9f6d", 5 "#fcfdbf")
set cbrange [-60:0]
set xrange [-2.5:2.5]
set yrange [-2.5:2.5]
set size ratio -1
set xlabel "cycles a cell along x"
set ylabel "cycles a cell along y" offset 1
set tics out
set cblabel "dB"
set multiplot layout 1, 2
set title "default"
plot ARG1 . "/spectrum-0.bin" binary array=(321,321) format="%float32" \
     origin=(-2.5,-2.5) dx=0.015625 dy=0.015625 with image
set title "improved (Perlin's table, edges12, slice z = 0)"
plot ARG1 . "/spectrum-1.bin" binary array=(321,321) format="%float32" \
     origin=(-2.5,-2.5) dx=0.015625 dy=0.015625 with image
unset multiplot
