# SPDX-License-Identifier: MIT
#
# The fields side by side: fields.gp FOLDER PICTURE.
load ARG0[:strlen(ARG0) - strlen("fields.gp")] . "style.gp"
set terminal pngcairo size 680, 718 font "Sans,10" background "white"
set output ARG2
unset key
unset tics
unset colorbox
set border 15 lw 0.5
set palette gray maxcolors 24
set xrange [-0.5:319.5]
set yrange [319.5:-0.5]
set multiplot layout 2, 2 margins 0.015, 0.985, 0.01, 0.965 spacing 0.03, 0.045
array name[2] = ["default", "improved"]
do for [i = 0:3] {
  octaves = i < 2 ? 1 : 8
  most = i < 2 ? 1 : 0.6
  set cbrange [-most:most]
  set title sprintf(octaves == 1 ? "%s, 1 octave, 16×16 cells; black -1, white 1" : \
                    "%s, 8 octaves, black -0.6, white 0.6", name[i % 2 + 1]) \
      offset 0, -0.7
  plot ARG1 . sprintf("/field-%d-%d.bin", i % 2, octaves) binary array=(320,320) \
       format="%float32" with image
}
unset multiplot
