# SPDX-License-Identifier: MIT
#
# Tests of the manual: sh man.sh PERLANE SOURCE WORK, where SOURCE is the project's folder. The pages
# are what scripts/man makes of the help, and all examples of both succeed.

if [ $# -ne 3 ]; then
    echo "usage: sh man.sh PERLANE SOURCE WORK" >&2
    exit 2
fi
perlane=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
rm -rf "$3"
mkdir -p "$3/bin" && cd "$3" || exit 2
ln -s "$perlane" bin/perlane
PATH=$PWD/bin:$PATH
work=.
. "$source/tests/checks.sh"

check "scripts/man makes pages" "$source/scripts/man" "$perlane" .
for page in "$source"/docs/perlane-*.1; do
    check "$(basename "$page") is fresh" diff "$page" .
done
choices=$(perlane fill --help | grep -c '^ \{32\}[a-z]')
check "there are choices" test "$choices" -gt 0
check "all are in the table of their option" test "$(grep -c '^\.TP 20$' perlane-fill.1)" -eq "$choices"
check "mandoc finds nothing wrong" mandoc -T lint -W warning "$source"/docs/perlane*.1

# Smaller, as only their success is of interest.
: >positions.csv
{
    perlane --help | sed -n 's/^  \$ //p'
    sed -n 's/^\.Dl //p' "$source/docs/perlane.1"
    cat perlane-fill.1 perlane-points.1 perlane-scatter.1 | sed -n 's/^\\f(CW\$ \(.*\)\\fR$/\1/p'
} | sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s/--size 2k/--size 256/" >examples
bare=$(cat perlane-*.1 | sed 's/\\-//g' | grep -c "^.f(CW.*[-']")
check "examples have characters that a shell takes" test "$bare" -eq 0
check "there are examples" test "$(grep -c perlane examples)" -ge 20
while IFS= read -r example; do
    # shellcheck disable=SC2016 # the inner shell expands it
    check "example: $example" sh -c '(eval "$1") >out.log && { case $1 in echo*) test -s out.log ;; esac; }' \
        sh "$example"
done <examples

total
