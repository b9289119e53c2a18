# SPDX-License-Identifier: MIT
#
# What the pictures share. Colours that the colour-blind tell apart.
ours = "#0072b2"
theirs = "#d55e00"
third = "#009e73"
set border 3 lc rgb "#404040"
set tics nomirror textcolor rgb "#202020"
set encoding utf8
