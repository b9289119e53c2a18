#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Space is walked by one loop: sinks are opened, and strips cut, in one place each: loops.sh SOURCE
set -eu
for call in 'open_sink(' 'next_strip('; do
    places=$(grep -rnF "$call" "$1/src" | grep -v ':static ')
    if [ "$(printf '%s\n' "$places" | wc -l)" -ne 1 ]; then
        printf '%s is called in more than one place:\n%s\n' "$call" "$places"
        exit 1
    fi
done
