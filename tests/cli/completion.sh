# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2046,SC2086 # lists of words are meant to be split
#
# Tests of cli/perlane.bash: bash completion.sh PERLANE perlane.bash WORK. Calls the function as bash
# does when somebody presses tab, and looks at what it offers.

work=$3
. "$(dirname "$0")/../checks.sh"
perlane=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
script=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
rm -rf "$3"
mkdir -p "$3/maps" "$3/bin" "$3/other" && cd "$3" || exit 2
ln -s "$perlane" bin/perlane
PATH=$PWD/bin:$PATH
printf '#!/bin/sh\ntouch "%s/was_run"\n' "$PWD" >other/perlane
chmod +x other/perlane
: >'my map.png'
: >mine.txt
# shellcheck disable=SC1090
. "$script"

# offers WORD... -- OFFER...: after these words, the last of which is being typed
offers() {
    local words=()
    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    shift
    COMP_WORDS=("${typed:-perlane}" "${words[@]}")
    COMP_CWORD=${#words[@]}
    COMPREPLY=(stale)
    _perlane "${typed:-perlane}" "${words[${#words[@]}-1]}" x 2>stderr.log
    printf '%s\n' "${COMPREPLY[@]}" | sort >got
    printf '%s\n' "$@" | sort >want
    check "perlane ${words[*]}" sh -c 'diff want got && [ ! -s stderr.log ]'
    rm -f stderr.log got want
}

# names COMMAND OPTION: all that the option can be, from what it says of anything else
names() {
    "$perlane" "$1" "--$2" "?" 2>&1 | sed -n "s/, not '?'$//; s/.* one of //p" | tr -d ,
}

commands='fill verify points scatter info looks'
offers '' -- $commands --help --version
offers f -- fill
offers --v -- --version
offers x -- ''
offers nonsense -- ''
offers nonsense '' -- ''
for command in $commands; do
    offers "$command" '' -- $("$perlane" "$command" --help | sed -En 's/^  (-.,|   ) (--[a-z-]*).*/\2/p')
done
offers fill --oct -- --octaves --octaves-share
offers fill --size 4k --warp-o -- --warp-octaves
offers fill --zzz -- ''
for option in preset basis hash gradients fade cell-output fractal normalize; do
    offers fill --$option '' -- $(names fill $option)
    offers points --$option = '' -- $(names points $option)
done
offers fill --format '' -- $(names fill format)
offers fill --fractal ri -- ridged
offers fill --fractal = -- $(names fill fractal)
offers fill --fractal = b -- billow
offers fill --normalize none --fade cu -- cubic
offers fill --normalize none --fra -- --fractal
offers fill -o m -- maps 'my map.png' mine.txt
offers fill --output = my -- 'my map.png'
offers fill --params-of mi -- mine.txt
offers points --params-of 'my' -- 'my map.png'
offers verify ma -- maps
offers verify maps --part 1/2 --th -- --threads
offers fill --seed '' -- ''
offers fill --field oct -- ''
offers fill --size = 1 -- ''
for typed in ./other/perlane other/perlane "$PWD/other/perlane"; do
    offers f -- fill
done
typed=
usual=$PATH
cd other && PATH=.:/usr/bin:/bin && offers f -- ''
cd .. && PATH=$usual
check "no other program is run" [ ! -e was_run ]
printf '#!/bin/sh\ncase "$*" in *--help) exec "%s" "$@" ;; *) echo "$*" >>was_run ;; esac\n' "$perlane" >bin/spy
chmod +x bin/spy && mv bin/spy bin/perlane
COMP_WORDS=(perlane looks -- '') COMP_CWORD=3
_perlane
offers fill --shade '' -- $("$perlane" fill --help | sed -En 's/^  (-.,|   ) (--[a-z-]*).*/\2/p')
check "and a command only for its help, or for an option that lacks its value" [ ! -e was_run ]
check "bash knows of it" [ "$(complete -p perlane)" = 'complete -F _perlane perlane' ]

total
