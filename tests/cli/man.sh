# SPDX-License-Identifier: MIT
#
# Tests of docs/perlane.1: sh man.sh PERLANE SOURCE WORK, where SOURCE is the project's folder. The
# page has the options that the help has, is what scripts/man makes of the command, and its examples
# do what they say, as do those of `perlane --help`.

# Inner scripts expand on their own.
# shellcheck shell=sh disable=SC2016

if [ $# -ne 3 ]; then
    echo "usage: sh man.sh PERLANE SOURCE WORK" >&2
    exit 2
fi
perlane=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
page=$source/docs/perlane.1
rm -rf "$3"
mkdir -p "$3/bin" && cd "$3" || exit 2
ln -s "$perlane" bin/perlane
PATH=$PWD/bin:$PATH
work=.
. "$source/tests/checks.sh"

check "the page is fresh" "$source/scripts/man" --check "$perlane"
for command in $(perlane --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    perlane "$command" --help >"help.$command"
    sed -En 's/^  (-.,|   ) (--[a-z-]*).*/\2/p' "help.$command" | sort >help.txt
    # The section's items: .It Fl o Ar FILE , Fl "\-output" Ar FILE
    awk -v section=".Ss Options of $command" '
        /^\.S[sh]/ { inside = $0 == section }
        inside && /^\.It Fl/ { sub(/.* Fl "\\-/, "--"); sub(/".*/, ""); gsub(/\\/, ""); print }' \
        "$page" | sort >page.txt
    check "the page has the options of $command, and no other" diff help.txt page.txt
    check "which are some" test -s page.txt
done
check "mandoc finds nothing wrong" mandoc -T lint -W warning "$page"

# Smaller, as only their success is of interest.
sed -n 's/^\.Dl //p' "$page" | sed 's/\\-/-/g; s/--size 2k/--size 256/' >examples
: >positions.csv
perlane --help | cat - help.fill help.points help.scatter | tr '\n' '\001' | sed 's/\\\x01 *//g' | tr '\001' '\n' |
    sed -En 's/^  (.*perlane (fill|points|scatter) .*)/\1/p' | sed 's/--size 2k/--size 256/' >>examples
check "there are examples" test "$(grep -c perlane examples)" -ge 20
while IFS= read -r example; do
    check "example: $example" sh -c '(eval "$1") >out.log && { case $1 in echo*) test -s out.log ;; esac; }' \
        sh "$example"
done <examples

total
