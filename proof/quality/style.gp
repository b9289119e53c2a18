# SPDX-License-Identifier: MIT
#
# Shared by the pictures. The colour-blind can distinguish these colours.
ours = "#0072b2"
theirs = "#d55e00"
third = "#009e73"
set border 3 lc rgb "#404040"
set tics nomirror textcolor rgb "#202020"
set encoding utf8
