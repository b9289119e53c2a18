# SPDX-License-Identifier: MIT
#
# Tests of the perlane command: sh cli.sh PERLANE PIXELS WORK, where PIXELS is the program that
# prints a PNG as text and WORK a directory to write in. Prints a line per check, ends with their
# number, and exits with 1 if any failed. Images are compared with what `perlane points` gives at
# the same positions, turned into pixels here by the rule that include/perlane.h states.

# Lists of options are split into words, inputs hold escapes, and inner scripts expand on their own.
# shellcheck shell=sh disable=SC2016,SC2059,SC2086

if [ $# -ne 3 ]; then
  echo "usage: sh cli.sh PERLANE PIXELS WORK" >&2
  exit 2
fi
absolute() {
  case $1 in
  /*) printf '%s\n' "$1" ;;
  *) printf '%s\n' "$PWD/$1" ;;
  esac
}
perlane=$(absolute "$1")
pixels=$(absolute "$2")
work=$(absolute "$3")
for program in "$perlane" "$pixels"; do
  if [ ! -x "$program" ]; then
    echo "$program is not there to be tested" >&2
    exit 2
  fi
done
mkdir -p "$work" && cd "$work" || exit 2
rm -rf out empty
mkdir out empty || exit 2
unset PERLANE_ISA POSIXLY_CORRECT
LC_ALL=C
export LC_ALL

passed=0
failed=0

pass() {
  passed=$((passed + 1))
  printf 'ok: %s\n' "$1"
}

# fail NAME [FILE]: with what FILE holds as the explanation
fail() {
  failed=$((failed + 1))
  printf 'FAILED: %s\n' "$1"
  [ $# -lt 2 ] || sed -n 's/^/  | /;1,5p' "$2"
}

skip() {
  printf 'skipped: %s\n' "$1"
}

# check NAME COMMAND...: passes if the command succeeds
check() {
  check_name=$1
  shift
  if "$@" >check.log 2>&1; then pass "$check_name"; else fail "$check_name" check.log; fi
}

same() {
  check "$1" cmp "$2" "$3"
}

# prints NAME TEXT COMMAND...: passes if the command succeeds and prints exactly TEXT
prints() {
  prints_name=$1
  printf '%s\n' "$2" >want
  shift 2
  if "$@" >got 2>stderr && cmp -s want got; then
    pass "$prints_name"
  else
    cat got stderr >explanation
    fail "$prints_name" explanation
  fi
}

# refuses STATUS TEXT ARGUMENT...: passes if perlane exits with STATUS, says TEXT on stderr and
# nothing on stdout, and leaves the directory it runs in empty
refuses() {
  refuses_status=$1
  refuses_text=$2
  shift 2
  (cd empty && exec "$perlane" "$@" </dev/null) >stdout 2>stderr
  refuses_got=$?
  if [ $refuses_got -eq "$refuses_status" ] && grep -qF -e "$refuses_text" stderr &&
    [ ! -s stdout ] && [ -z "$(ls -A empty)" ]; then
    pass "refuses: $*"
  else
    {
      echo "status $refuses_got, expected $refuses_status and '$refuses_text'"
      cat stderr
      ls -A empty
    } >explanation
    fail "refuses: $*" explanation
  fi
}

# The same, for arguments that make no sense: these also point at the help.
misused() {
  refuses 2 "$@"
  check "and points at the help" grep -q "^try 'perlane.* --help'\$" stderr
}

points() {
  "$perlane" points "$@"
}

# evaluates NAME VALUES INPUT ARGUMENT...: what points makes of INPUT, given as to printf
evaluates() {
  evaluates_name=$1
  evaluates_input=$3
  printf '%s' "$2" >want
  shift 3
  if printf "$evaluates_input" | points "$@" >got 2>stderr && cmp -s want got; then
    pass "$evaluates_name"
  else
    cat got stderr >explanation
    fail "$evaluates_name" explanation
  fi
}

# stumbles NAME TEXT LINES INPUT ARGUMENT...: points exits with 1 and TEXT after LINES values
stumbles() {
  stumbles_name=$1
  stumbles_text=$2
  stumbles_lines=$3
  stumbles_input=$4
  shift 4
  printf "$stumbles_input" | points "$@" >got 2>stderr
  stumbles_status=$?
  if [ $stumbles_status -eq 1 ] && grep -qF -e "$stumbles_text" stderr &&
    [ "$(wc -l <got)" -eq "$stumbles_lines" ]; then
    pass "$stumbles_name"
  else
    {
      echo "status $stumbles_status"
      cat stderr got
    } >explanation
    fail "$stumbles_name" explanation
  fi
}

# The value of a float given as 8 hexadecimal digits: exact, as awk computes in double.
float_awk='
function float(hex,   i, n, sign, exponent, mantissa) {
  n = 0
  for (i = 1; i <= 8; i++)
    n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
  sign = 1
  if (n >= 2147483648) { sign = -1; n -= 2147483648 }
  exponent = int(n / 8388608)
  mantissa = n - exponent * 8388608
  if (exponent == 0)
    return sign * mantissa * 2 ^ -149
  return sign * (mantissa + 8388608) * 2 ^ (exponent - 150)
}
# x >= 0 as an integer, ties to even
function even(x,   n) {
  n = int(x)
  return n + (x - n > 0.5 || (x - n == 0.5 && n % 2 == 1))
}
# x rounded to float, if it is not subnormal as such
function rounded(x,   sign, unit) {
  sign = x < 0 ? -1 : 1
  x *= sign
  if (x == 0)
    return x
  unit = 2 ^ -126
  while (x >= 2 * unit)
    unit *= 2
  return sign * even(x / unit * 8388608) / 8388608 * unit
}'

range='' # LOW,HIGH, with which an image is to be made; empty for no --range

# expect WIDTH HEIGHT BITS I J X Y [FIELD OPTION...]: what the image has to be, as `pixels` prints
expect() {
  expect_width=$1
  expect_height=$2
  expect_bits=$3
  expect_positions="-v width=$1 -v height=$2 -v i=$4 -v j=$5 -v x=$6 -v y=$7"
  shift 7
  printf '%s %s %s 0\n' "$expect_width" "$expect_height" "$expect_bits"
  awk $expect_positions 'BEGIN {
    for (r = 0; r < height; r++)
      for (c = 0; c < width; c++)
        printf "%.17g %.17g\n", x + (i + c), y + (j + r)
  }' | points --bits-out "$@" | awk -v width="$expect_width" -v bits="$expect_bits" \
    -v range="${range:--1,1}" "$float_awk"'
  BEGIN {
    split(range, level, ",")
    low = rounded(level[1])
    most = 2 ^ bits - 1
    scale = rounded(most / (rounded(level[2]) - low))
  }
  {
    pixel = rounded(rounded(float($1) - low) * scale)
    pixel = even(pixel < 0 ? 0 : pixel > most ? most : pixel)
    printf "%d%s", pixel, NR % width == 0 ? "\n" : " "
  }'
}

# fills NAME WIDTH HEIGHT BITS I J X Y [FIELD OPTION...]: the image is what points says
fills() {
  fills_name=$1
  shift
  expect "$@" >want
  fills_size=$1x$2 fills_bits=$3 fills_first=$4,$5 fills_origin=$6,$7
  shift 7
  if "$perlane" fill -o out/image.png --size "$fills_size" --bits "$fills_bits" \
    ${range:+"--range=$range"} --first "$fills_first" --origin "$fills_origin" "$@" 2>stderr &&
    "$pixels" out/image.png >got 2>>stderr; then
    same "$fills_name" want got
  else
    fail "$fills_name" stderr
  fi
}

# crop FILE COLUMN ROW WIDTH HEIGHT: a part of an image's text
crop() {
  sed -n "$(($3 + 2)),$(($3 + 1 + $5))p" "$1" | cut -d ' ' -f "$(($2 + 1))-$(($2 + $4))"
}

# tiles MAP.png COLUMN ROW WIDTH HEIGHT ARGUMENT...: a tile has the map's pixels
tiles() {
  "$pixels" "$1" >map
  crop map "$2" "$3" "$4" "$5" >want
  tiles_name="tile ${4}x$5 at $2,$3 of $1"
  tiles_size=$4x$5
  tiles_first=$2,$3
  shift 5
  "$perlane" fill -o out/tile.png --size "$tiles_size" --first "$tiles_first" "$@" 2>stderr
  "$pixels" out/tile.png >tile
  sed 1d tile >got
  if [ -s want ]; then same "$tiles_name" want got; else fail "$tiles_name" map; fi
}

octaves='--octaves 6 --frequency 0.031 --seed 42 --lacunarity 1.9 --gain 0.6 --phase none'

echo "-- images"

fills "defaults, 16 bits" 61 43 16 0 0 0 0
fills "defaults, 8 bits" 61 43 8 0 0 0 0
fills "a tall image" 1 300 16 0 0 0.5 0.5
fills "one pixel" 1 1 16 3 4 0.5 0.5
fills "every field option" 67 31 16 0 0 0.25 0.5 $octaves
fills "8 bits with every field option" 67 31 8 0 0 0.25 0.5 $octaves
fills "negative origin and first" 40 30 16 -5 -7 -3.5 -2.25 --frequency 0.07
fills "far from the origin" 40 30 16 1099511627776 -1099511627777 0.5 0 --frequency 0.07
fills "values near both ends" 300 200 16 0 0 0.13 0.29 --frequency 0.173 --seed 7
fills "8 bits, values near both ends" 300 200 8 0 0 0.13 0.29 --frequency 0.173 --seed 7
fills "32 octaves" 20 20 16 0 0 0 0 --octaves 32 --frequency 0.003 --lacunarity 1.5
for range in -0.5,0.5 0.25,-0.125 0,1 -1e3,1000.5 0.3,0.3001; do
  fills "--range $range" 61 23 16 0 0 0.25 0.5 --frequency 0.07
  fills "--range $range, 8 bits" 61 23 8 0 0 0.25 0.5 --frequency 0.07
done
range=-4,6
fills "a range around all values" 61 23 16 0 0 0.25 0.5 --frequency 0.07 --value-scale 5 \
  --value-offset 1
range=''
"$perlane" fill -o out/a.png --size 200x200 --normalize none --octaves 3 --value-scale -9 --range auto 2>stderr
"$pixels" out/a.png | sed 1d | tr ' ' '\n' | sort -nu >got
check "--range auto holds all values" awk '
  NR == 1 { least = $1 }
  END { exit !(least > 0 && least < 25000 && $1 < 65535 && $1 > 40000) }' got
"$perlane" fill -o out/a.png --size 61x23 --range auto 2>stderr
"$perlane" fill -o out/b.png --size 61x23 2>>stderr
"$pixels" out/a.png >want
"$pixels" out/b.png >got
same "and is -1,1 by default" want got

"$perlane" fill -o out/a.png --size 33x21 --origin=-3.5,2 --first=-5,7 2>stderr
"$perlane" fill -o out/b.png --size 33x21 --origin -3.5,2 --first -5,7 2>>stderr
same "values after = and after a blank are the same" out/a.png out/b.png
"$perlane" fill --output out/b.png --size 33X21 --origin -0x1.cp1,2e0 --first -5,7 2>>stderr
same "hexadecimal and exponents, --output, a capital X" out/a.png out/b.png
"$perlane" fill -oout/b.PNG --size 33x21 --orig -3.5,2 --firs -5,7 2>>stderr
"$perlane" fill -o out/c.png --size 33 2>>stderr
prints "one number is a square's size" "33 33 16 0" sh -c "'$pixels' out/c.png | sed 1q"
"$perlane" fill -o out/c.png --size 3Kx2k --bits 8 2>>stderr
prints "k stands for 1024" "3072 2048 8 0" sh -c "'$pixels' out/c.png | sed 1q"
"$perlane" fill -o out/c.png --size 1Mx1 2>>stderr
prints "M for 1048576" "1048576 1 16 0" sh -c "'$pixels' out/c.png | sed 1q"
same "abbreviations of options and an upper-case .PNG" out/a.png out/b.PNG
"$perlane" fill -o out/a.png --size 33x21 --octaves 4 --gain 0.7 --seed 0xFFFFFFFFFFFFFFFF 2>stderr
"$perlane" fill -o out/b.png --size 33x21 --octaves 4 --gain 0.7 \
  --seed 18446744073709551615 2>stderr
same "a seed may be hexadecimal" out/a.png out/b.png
"$perlane" fill -o out/a.png 2>report
prints "1024x1024 and 16 bits by default" "1024 1024 16 0" sh -c "'$pixels' out/a.png | sed 1q"
check "one line about the run" awk 'END { exit NR != 1 }' report
check "with size, kernels, time, rate and file" grep -Eq \
  '^out/a\.png: 1024x1024, 16 bits, 1 octave, [a-z0-9.]+, [0-9]+ threads?, [0-9.]+ s; noise: [0-9.e+]+ M samples/s a thread; compression: [0-9.e+]+ MB/s a thread$' report
"$perlane" fill -o out/a.npy 2>report
check "without a rate of compression where there is none" grep -Eq 'M samples/s a thread$' report

"$perlane" fill -o out/a.png --size 9x9 --preset improved 2>report
check "a note where all pixels are on lattice points" grep -q 'note: with --frequency 1 every' report
"$perlane" fill -o out/a.png --size 9x9 --preset improved --origin 0.5,0 2>report
check "and none otherwise" awk 'END { exit NR != 1 }' report
"$perlane" fill -o out/a.png --size 9x9 --frequency 1 2>report
check "nor where phases move the lattice" awk 'END { exit NR != 1 }' report
"$perlane" fill -o out/a.png --size 9x9 --frequency 1 --phase none 2>report
check "but with --phase none" grep -q 'note: with --frequency 1 every' report

"$perlane" fill -o out/a.png --size 300x256 --frequency 0.03125 --period 8,8 2>report
check "a note where a period does not fit the size" grep -qx "perlane fill: note: the map does not \
tile along x, where it has 9.375 of --period's 8 cells; 256 samples along x, or a multiple, would \
tile" report
check "along that axis only" awk 'END { exit NR != 2 }' report
"$perlane" fill -o out/a.png --size 100x512 --frequency 0.03 --step 1,0.5 --period 3,8 2>report
check "with --step, another size where there is one" grep -q "along y, where it has 7.68 of --period's 8 \
cells; 1600 samples" report
"$perlane" fill -o out/a.png --size 64 --frequency 0.7071067811865476 --period 8 2>report
check "and another frequency where there is none" grep -q "; with --frequency 0.75 it would\$" report
"$perlane" fill -o out/a.png --size 64 --frequency 0.75 --period 8 2>report
check "which then tiles" awk 'END { exit NR != 1 }' report
"$perlane" fill -o out/a.png --size 300 --first 300,0 --frequency 0.03125 --period 8,8 2>report
check "a tile does not have to" awk 'END { exit NR != 1 }' report
"$perlane" fill -qo out/a.png --size 300 --frequency 0.03125 --period 8,8 2>report
check "and --quiet leaves the note out" test ! -s report

echo "-- tiles"

"$perlane" fill -o out/map.png --size 1024x800 --octaves 3 2>stderr
tiles out/map.png 0 0 64 64 --octaves 3
tiles out/map.png 101 203 77 59 --octaves 3
tiles out/map.png 0 760 1024 20 --octaves 3
tiles out/map.png 1000 740 24 60 --octaves 3
"$perlane" fill -o out/tall.png --size 7x120000 --octaves 2 --bits 8 2>stderr
tiles out/tall.png 2 112300 5 80 --octaves 2 --bits 8
"$perlane" fill -o out/wide.png --size 1600000x3 2>stderr
tiles out/wide.png 786400 1 100 2
tiles out/wide.png 1599990 0 10 3
fills "a part of that by points" 100 2 16 786400 1 0 0

echo "-- kernels"

"$perlane" info >table 2>stderr
check "info succeeds" test $? -eq 0
awk '$3 == "yes" { print $1 }' table >supported
awk '$3 == "no" { print $1 }' table >unsupported
check "scalar kernels are supported" grep -qx scalar supported
check "one kernel is chosen" awk '$4 == "yes" { n++ } END { exit n != 1 }' table
prints "info begins with the version" "$("$perlane" --version)" sed -n 1p table
expected=$(sed -n 's/.*expected \(0x[0-9A-F]*\)$/\1/p' table)
check "info tells the expected digest" test -n "$expected"
check "every supported kernel has it" awk -v want="$expected" '
  $3 == "yes" && !($5 == want && $6 == "ok") { exit 1 }' table
check "the self-tests agree" awk '$3 == "yes" { if (n++ && $5 != d) exit 1; d = $5 }' table
check "info lists the presets" awk '/^--preset/ { at = NR } at && /^improved .*edges12 .*octaves  *1D 2D 3D$/ { found = 1 }
  END { exit !found }' table
for line in 'primes 2D' 'edges32 4D' 'table 1D 2D 3D 4D' '--fade quintic, cubic, linear'; do
  check "info says $line" sh -c "tr -s ' ' <table | grep -qx -e '$line'"
done
check "info does not mention an unset PERLANE_ISA" sh -c '! grep -q PERLANE_ISA table'
PERLANE_ISA=scalar "$perlane" info >info.scalar
check "info mentions PERLANE_ISA" grep -q "PERLANE_ISA is set to 'scalar'\$" info.scalar
check "and it chooses the kernels" awk '$4 == "yes" { exit $1 != "scalar" }' info.scalar
PERLANE_ISA=abacus "$perlane" info >info.unknown
check "info tells that PERLANE_ISA is unknown" grep -q "'abacus': no such" info.unknown

"$perlane" fill -o out/scalar.png --isa scalar --size 523x307 $octaves 2>stderr
check "--isa scalar is what ran" grep -q ', scalar,' stderr
printf '%s\n' '0.5 0.25' '-17.3 1e6' >positions
points --isa scalar --bits-out $octaves <positions >scalar.values
others=0
while read -r isa; do
  [ "$isa" != scalar ] || continue
  others=$((others + 1))
  "$perlane" fill -o out/isa.png --isa "$isa" --size 523x307 $octaves 2>stderr
  check "--isa $isa is what ran" grep -qF ", $isa," stderr
  same "$isa and scalar images are the same" out/scalar.png out/isa.png
  points --isa "$isa" --bits-out $octaves <positions >isa.values
  same "$isa and scalar points are the same" scalar.values isa.values
done <supported
[ $others -gt 0 ] || skip "this machine supports the scalar kernels only: nothing to compare"
while read -r isa; do
  misused "support" fill -o x.png --isa "$isa"
  misused "support" points --isa "$isa"
done <unsupported
[ -s unsupported ] || skip "this machine supports all kernels: none to refuse"
misused "expected one of auto, scalar, sse4.1, avx2, avx512, neon, simd128" fill -o x.png --isa mmx
misused "mmx" points --isa mmx

echo "-- bench"

# The titles of a bench's columns.
columns() {
  sed -n 's/  */ /g; s/^ memset/memset/p' "$1"
}
chosen=$(awk '$4 == "yes" { print $1 }' table)

begin=$(date +%s)
"$perlane" bench --seconds 2 >measured 2>stderr
check "bench succeeds and says nothing on stderr" test $? -eq 0 -a ! -s stderr
elapsed=$(($(date +%s) - begin))
check "bench takes about the time that it was given" test $elapsed -ge 1 -a $elapsed -le 60
check "bench begins with the version and memset's rate" sh -c "
  sed 1q measured | grep -q '^$("$perlane" --version); memset writes [0-9.]* GB/s, '"
prints "bench has a column for each supported instruction set and marks the chosen one" \
  "memset$(awk '$3 == "yes" { printf " %s%s", $1, $4 == "yes" ? "*" : "" }' table)" columns measured
check "bench explains the mark" grep -q '^\* chosen' measured
sed -n '/^[1-4]D/p' measured >rows
check "bench has 7 rows" test "$(wc -l <rows)" -eq 7
for row in '2D/grid [0-9]*x[0-9]*/0.01' '2D/grid [0-9]*x[0-9]*/0.1' '2D/fbm8 [0-9]*x[0-9]*/0.005' \
  '3D/grid [0-9x^]*/0.01' '4D/grid [0-9x^]*/0.05' '2D/points [0-9M]*/0.3' '3D/points [0-9M]*/0.3'; do
  check "bench has a row for $row" grep -q "^$row  *[0-9]" rows
done
cut -c 25- rows >numbers
check "a rate for memset, a rate and a percentage for each instruction set" \
  awk -v isas="$(wc -l <supported)" 'NF != 1 + 2 * isas { exit 1 }
    { for (i = 3; i <= NF; i += 2) if ($i !~ /%$/) exit 1 }' numbers
check "all are positive numbers" \
  awk '{ gsub(/[<%]/, ""); for (i = 1; i <= NF; i++) if (!($i + 0 > 0)) exit 1 }' numbers
check "percentages are those of the rates" awk '{ gsub(/%/, "")
    for (i = 2; i < NF; i += 2) {
      share = $i / $1 * 100
      if ($(i + 1) == "<.01") {
        if (share > 0.01) exit 1
      } else if ($(i + 1) < 0.5 * share || $(i + 1) > 2 * share) exit 1
    } }' numbers
if [ "$(wc -l <supported)" -le 4 ]; then
  check "bench fits 80 columns" awk 'length > 80 { exit 1 }' measured
fi

"$perlane" bench --seconds 0.01 >measured 2>stderr
check "a short bench succeeds" test $? -eq 0 -a ! -s stderr
check "it has at least 3 rounds" \
  awk '/^one thread, medians of/ { n = $5 } END { exit !(n >= 3) }' measured
check "its jobs shrink" grep -q '^2D/grid 256x256/0.01 ' measured
check "and it says so" grep -q '^The jobs shrank: 0.01 s' measured
"$perlane" bench --isa auto --seconds 1e-2 >measured
prints "bench --isa auto measures the chosen kernels" "memset $chosen*" columns measured
PERLANE_ISA=scalar "$perlane" bench --isa auto --seconds 0.01 >measured
prints "which PERLANE_ISA chooses" "memset scalar*" columns measured
PERLANE_ISA=abacus "$perlane" bench --isa scalar --seconds 0.01 >measured
prints "unless it is unknown; --isa scalar measures those" \
  "memset scalar$([ "$chosen" != scalar ] || echo '*')" columns measured
if [ "$chosen" != scalar ]; then
  check "without the chosen ones there is no mark to explain" sh -c '! grep -q "\*" measured'
fi
while read -r isa; do
  misused "--isa $isa: this " bench --isa "$isa"
done <unsupported
misused "--isa 'mmx': expected one of all, auto, scalar" bench --isa mmx
misused "--isa '': expected" bench --isa ''
for seconds in 0 -1 nan inf 3601 1e400 '' ' 1' '1 ' 1s 1,5 four; do
  misused "--seconds '$seconds': expected" bench --seconds "$seconds"
done
# shellcheck disable=SC3045 # where the shell has no ulimit -v the condition is false
if (ulimit -v 60000 && exec "$perlane" --version) >got 2>&1; then
  (ulimit -v 60000 && exec "$perlane" bench --seconds 0.01) >got 2>stderr
  check "a bench without memory" test $? -eq 1 -a ! -s got
  check "is reported" grep -q '^perlane bench: no memory: 76 MiB are needed$' stderr
else
  skip "the command does not start under ulimit -v: no memory limit to run into"
fi

echo "-- the field's options"

awk 'BEGIN {
  srand(30)
  for (i = 0; i < 60; i++)
    printf "%.17g,%.17g\n", rand() * 90 - 20, rand() * 400
}' >positions
base='--frequency 0.37 --octaves 3'

# The bits of the field at those positions, on one line.
field() {
  points --bits-out "$@" <positions 2>stderr | tr '\n' ' '
}

# changes OPTION... [-- OPTION...]: the former are accepted and change the field of the latter
changes() {
  changes_with=''
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    changes_with="$changes_with $1"
    shift
  done
  [ $# -eq 0 ] || shift
  changes_got=$(field $base "$@" $changes_with)
  if [ -n "$changes_got" ] && [ "$changes_got" != "$(field $base "$@")" ]; then
    pass "changes the field:$changes_with"
  else
    fail "changes the field:$changes_with" stderr
  fi
}

# equal NAME OPTIONS OPTIONS: both describe the same field
equal() {
  equal_got=$(field $2)
  if [ -n "$equal_got" ] && [ "$equal_got" = "$(field $3)" ]; then
    pass "$1"
  else
    fail "$1" stderr
  fi
}

# different NAME OPTION VALUE...: each value makes another field
different() {
  different_name=$1
  different_option=$2
  shift 2
  different_count=$#
  for different_value; do
    field $base "$different_option" $different_value
    echo
  done | sort -u >different
  if [ "$(grep -c ' ' different)" -eq $different_count ]; then
    pass "$different_name"
  else
    fail "$different_name" stderr
  fi
}

awk 'BEGIN { for (i = 0; i < 256; i++) print (i * 197 + 31) % 256 }' >table256
awk 'BEGIN { for (i = 0; i < 1024; i++) print (i * i * 7 + i * 13) % 256 }' >table1024
printf '1,0\n-1,0\n0,1\n0,-1\n' >vectors
printf '1,0\n0.6,-0.8\n0,1\n\n-1,0\n0.5,0.5\n-0.6,0.8\n' >grid

different "bases" --basis perlin value white gaussian
different "hashes" --hash lattice perlin shuffled primes 'table --hash-table table256' \
  'primes --hash-table table1024' 'grid --gradient-grid grid'
different "gradient sets in 2D" --gradients default axis4 diagonal4 compass8 edges12 sphere pnoise \
  'table --gradient-table vectors'
different "fades" --fade quintic cubic linear
different "fractals" --fractal fbm none ridged billow ping_pong
different "normalizations" --normalize full octaves none
equal "default gradients are offaxis8 in 2D" "$base" "$base --gradients offaxis8"
equal "--fractal none is one octave" "--octaves 5 --fractal none" "--octaves 1"
equal "--normalize full is the default" "$base" "$base --normalize full"
equal "the last of two values counts" "$base --normalize none --normalize octaves" \
  "$base --normalize octaves"
equal "defaults" "" "--basis perlin --hash lattice --gradients default --fade quintic \
  --fractal fbm --normalize full --weighted-strength 0 --ping-pong-strength 2 --period 0 \
  --table-offset 0 \
  --amplitude 1 --contrast 1 --value-scale 1 --value-offset 0 --octaves-share off --phase seeded"
echo '0.3 1.7 2.2 3.9' >four
different_4d=$(for set in default sphere 'table --gradient-table vectors4'; do
  printf '1 0 0 0\n0 1 1 1\n' >vectors4
  points --bits-out --frequency 0.37 --gradients $set <four
done | sort -u | wc -l)
check "gradient sets in 4D" test "$different_4d" -eq 3
prints "default gradients are edges32 in 4D" "$(points --frequency 0.37 <four)" \
  sh -c "'$perlane' points --frequency 0.37 --gradients edges32 <four"

changes --seed 7
changes --frequency 0.38
changes --octaves 4
changes --lacunarity 1.9
changes --gain 0.6
changes --octaves-share on
changes --weighted-strength 0.5
changes --ping-pong-strength 3 -- --fractal ping_pong
changes --period 5
changes --period 5,0
changes --period 0,7
changes --period 5,7,0
changes --table-offset 3 -- --hash perlin
changes --table-offset 0,3,0,0 -- --hash perlin
changes --amplitude=-1
changes --amplitude 3 -- --normalize none
changes --contrast 2
changes --value-scale 0.5
changes --value-offset 0.25
printf '1.25 2.5\n4.25 2.5\n1.25 7.5\n-1.75 -2.5\n' >positions.period
prints "a period of 3 and 5 cells" 1 sh -c \
  "'$perlane' points --frequency 1 --period 3,5 --octaves 4 <positions.period | sort -u | wc -l"

equal "a preset before other options" "--preset compass --fade cubic --frequency 0.3 --seed 9" \
  "--frequency 0.3 --seed 9 --preset compass --fade cubic"
equal "and after them" "--preset compass --fade cubic --frequency 0.3 --seed 9" \
  "--fade cubic --seed 9 --frequency 0.3 --preset compass"
equal "the last preset counts" "--preset axis --preset compass" "--preset compass"
equal "improved, spelled out" "--preset improved" "--hash perlin --gradients edges12 \
  --normalize octaves --octaves-share on --phase none --frequency 1"
equal "circle, spelled out" "--preset circle" "--hash shuffled --gradients sphere \
  --normalize octaves --octaves-share on --phase none --frequency 1 --table-offset 0,1"
different "presets" --preset improved diagonal circle axis compass pnoise classic \
  'grid --gradient-grid grid'
for options in '--preset circle' '--preset axis --octaves 3' '--preset pnoise --period 5,4 --octaves 2' \
  '--gradient-grid grid' '--hash table --hash-table table256 --gradient-table vectors' '--basis value' \
  '--basis gaussian' '--fractal ridged --octaves 4 --weighted-strength 0.5 --contrast 2' \
  '--fractal ping_pong --fade linear'; do
  fills "an image: $options" 67 31 16 -3 5 0.25 0.5 --frequency 0.11 $options
done
echo 3.14,42,7 | points --preset improved >got
check "Perlin's noise of 2002 at a point" \
  awk '{ d = $1 - 0.13691995878400012; exit d * d > 1e-12 }' got

echo "-- files of tables"

equal "--hash-table implies its hash" "$base --hash-table table256" "$base --hash table --hash-table table256"
equal "also over a preset's" "--preset diagonal --hash-table table256" \
  "--preset diagonal --hash table --hash-table table256"
equal "but not over primes" "--preset axis --hash-table table1024" \
  "--hash primes --hash-table table1024 --preset axis"
equal "--gradients imply their set" "$base --gradient-table vectors" \
  "$base --gradients table --gradient-table vectors"
equal "and are what they say" "--hash perlin --normalize none --gradient-table vectors" \
  "--hash perlin --normalize none --gradients axis4"
equal "--gradient-grid implies its hash" "$base --gradient-grid grid" \
  "$base --hash grid --gradient-grid grid"
printf '\357\273\277# a comment\r\n' >fancy
awk '{ printf "%s%s", $1, NR % 9 == 0 ? ", # nine\r\n\r\n" : NR % 2 ? " ,\t" : "," }' table256 >>fancy
equal "a table with comments, commas, CRLF and no last line end" "--frequency 0.3 --hash-table fancy" \
  "--frequency 0.3 --hash-table table256"
tr '\n' ' ' <table1024 >fancy
equal "a table on one line" "--preset axis --hash-table fancy" "--preset axis --hash-table table1024"
printf '#x,y\r\n\r\n 0x1p0\t0 # east\r\n-1 , 0\n0,1e0\n\t#\n+0 -1' >fancy
equal "gradients with comments, blanks, CRLF and no last line end" \
  "--frequency 0.3 --gradient-table fancy" "--frequency 0.3 --gradient-table vectors"
printf '\r\n\r\n# 3 x 2\r\n 1\t0\r\n#\r\n0x.9999999999999ap0 -8e-1 # one\n+0 , 1,\n \t\n\n# second\n' >fancy
printf -- '-1,-0\n 5e-1 .5#\n-0.6 0.8\n\n#' >>fancy
equal "a grid with comments, blanks, CRLF and more empty lines" \
  "--frequency 0.3 --gradient-grid fancy" "--frequency 0.3 --gradient-grid grid"
equal "and as a list in a text" "--frequency 0.3 --gradient-grid grid" \
  "--frequency 0.3 --field gradient_grid=[[[1,0],[0.6,-0.8],[0,1]],[[-1,0],[0.5,0.5],[-0.6,0.8]]]"
printf '1 0' >one
evaluates "a grid of one gradient: x less its fade" "0.146484375
" '0.25 3\n' --frequency 1 --phase none --normalize none --gradient-grid one
(cd out && cp ../table256 ./-)
(cd out && echo 1.5 2.5 | points --hash-table - --frequency 1) >got 2>stderr
prints "a file named - is a file" "$(cat got)" \
  sh -c "echo 1.5 2.5 | '$perlane' points --hash-table table256 --frequency 1"
rm -f out/-

# bad TEXT CONTENT OPTION...: a file with that content, as to printf, ends the command with TEXT
bad() {
  bad_text=$1
  printf "$2" >bad
  shift 2
  refuses 1 "$bad_text" fill -o x.png "$@" "$work/bad"
}
numbers() {
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print i % 256 }'
}

count="expected 256 or, for the hash primes, 1024 numbers"
bad "bad': $count" '' --hash-table
bad "bad': $count" '# none\n' --hash primes --hash-table
bad "bad': $count" "$(numbers 255)" --hash-table
bad "bad': $count" "$(numbers 257)" --hash-table
bad "bad': $count" "$(numbers 1025)" --preset axis --hash-table
numbers 256 >table.short
misused "the hash table has 256 numbers; the hash primes takes 1024" fill -o x.png --preset axis \
  --hash-table "$work/table.short"
numbers 1024 >table.long
misused "the hash table has 1024 numbers; the hash table takes 256" fill -o x.png \
  --hash-table "$work/table.long"
for number in 1.5 99999999999999999999 x + nan; do
  bad "bad' line 3: '$number': expected a whole number" "1 2 # 3\n4\n5, $number 6\n" --hash-table
done
for number in 256 -1 0x101 1e3; do
  bad "bad': hash_table[255] must be a whole number from 0 to 255, not " "$(numbers 255) $number" \
    --hash-table
done
bad "bad' line 1: '1;2': expected blanks or a comma between numbers" '0,1;2' --hash-table
bad "bad' line 1: expected a whole number" '0,,1' --hash-table
bad "cannot read line 2 of" '1 2\n3 \0004\n' --hash-table
check "because of a zero byte" grep -q "bad': a zero byte" stderr
vectors="gradient_table must have 2 to 256 vectors, not"
bad "bad': $vectors 0" '# x,y\n\n' --gradient-table
bad "bad': $vectors 1" '1,0\n' --gradient-table
bad "bad': the vectors of gradient_table must have 1 to 4 components, not 5" \
  '1 0 0 0 0\n0 1 0 0 0' --gradient-table
bad "bad': $vectors 257" "$(numbers 257)" --gradient-table
bad "bad' line 2: '1y': expected blanks or a comma" '1,0\n1y,0\n' --gradient-table
bad "bad' line 1: expected a number" '1,,0\n' --gradient-table
bad "bad' line 3: the vectors differ in length" '1,0\n#\n1\n' --gradient-table
for number in 1000001 -2e6 nan inf 1e400; do
  bad "bad': y of gradient_table[1] must be a number from -1000000 to 1000000, not " \
    "1,0\n1,$number\n" --gradient-table
done
rows="expected rows of vectors of 2 numbers"
bad "bad': $rows" '' --gradient-grid
bad "bad': $rows" '\n# x y\n' --gradient-grid
bad "bad': $rows" '1 0 0\n0 1 0\n' --gradient-grid
bad "bad' line 1: 'i': expected a number" 'i,j,gx,gy\n0,0,1,0\n' --gradient-grid
bad "bad' line 3: the vectors differ in length" '1 0\n\n1\n' --gradient-grid
bad "bad' line 5: the rows differ in length" '1 0\n0 1\n\n1 0\n\n0 1\n' --gradient-grid
bad "bad' line 5: the rows differ in length" '1 0\n0 1\n\n1 0\n' --gradient-grid
bad "bad': y of gradient_grid[1][0] must be a number from -1000000 to 1000000, not -1" \
  '1 0\n\n# one\n0,-1e7\n' --gradient-grid
for option in --hash-table --gradient-table --gradient-grid; do
  refuses 1 "cannot read 'none': No such file" fill -o x.png $option none
  refuses 1 "cannot read line 1 of '.': Is a directory" fill -o x.png $option .
  refuses 1 "cannot read '': No such file" points $option ''
  [ ! -c /dev/zero ] || refuses 1 "of '/dev/zero': a zero byte" fill -o x.png $option /dev/zero
done

misused "a hash table has no effect with the hash perlin; choose table or primes" \
  fill -o x.png --hash perlin --hash-table "$work/table256"
misused "a hash table has no effect with the hash grid" \
  fill -o x.png --hash grid --hash-table "$work/table256"
misused "a gradient table has no effect with the gradients axis4; choose table" \
  points --gradients axis4 --gradient-table "$work/vectors"
misused "a gradient grid has no effect with the hash table; choose grid" \
  points --gradient-grid "$work/grid" --hash table
misused "a hash table and a gradient grid exclude each other" \
  points --gradient-grid "$work/grid" --hash-table "$work/table256"
misused "hash=table needs hash_table" fill -o x.png --hash table
misused "gradients=table needs gradient_table" fill -o x.png --gradients table
misused "hash=grid needs gradient_grid" fill -o x.png --hash grid
misused "hash=grid needs gradient_grid" points --preset grid
printf '0,0\n0,0\n' >zeros
refuses 1 "zeros': the vectors of gradient_table are all 0" fill -o x.png --gradient-table "$work/zeros"
printf '0,0\n' >zeros
refuses 1 "zeros': the vectors of gradient_grid are all 0" fill -o x.png --gradient-grid "$work/zeros"

echo "-- gradients"

points --with-gradient --bits-out $base <positions >gradients
points --bits-out $base <positions >want
cut -d ' ' -f 1 gradients >got
same "values with gradients are the values" want got
check "in 2D there are two derivatives" awk 'NF != 3 { exit 1 }' gradients
points --with-gradient $base <positions >decimal
cut -d ' ' -f 2 gradients >bits
cut -d ' ' -f 2 decimal | paste -d ' ' bits - >both
check "decimals and bits are the same derivatives" awk "$float_awk"'
  {
    difference = float($1) - $2
    if (difference * difference > $2 * $2 * 25e-18)
      exit 1
  }' both
awk -F, 'BEGIN { OFMT = CONVFMT = "%.17g" } {
  print $1 + 1e-3, $2
  print $1 - 1e-3, $2
  print $1, $2 + 1e-3
  print $1, $2 - 1e-3
}' positions | points $base | paste -d ' ' - - - - | paste -d ' ' decimal - >both
check "and close to differences" awk '
  {
    x = ($4 - $5) * 500 - $2
    y = ($6 - $7) * 500 - $3
    if (x * x > 1e-6 || y * y > 1e-6)
      exit 1
  }' both
for dims in 1 3 4; do
  cut -d ' ' -f "1-$dims" four | points --with-gradient >got
  check "$dims derivatives in ${dims}D" awk -v n=$dims 'NF != n + 1 { exit 1 }' got
done
evaluates "outside the domain" "nan nan nan
" 'inf 1\n' --with-gradient
echo 1 2 >one
points --with-gradient --frequency 1e39 <one >got 2>stderr
check "a frequency beyond float" test $? -eq 2 -a ! -s got
check "is explained" grep -q -e '--with-gradient: derivatives could exceed the range of float' stderr

echo "-- points"

awk 'BEGIN {
  srand(20)
  for (i = 0; i < 500; i++)
    printf "%.17g,%.17g\n", rand() * 1e4 - 5e3, rand() * 99
}' >positions
points --octaves 4 <positions >decimal
points --octaves 4 --bits-out <positions >bits
check "as many values as positions" test "$(wc -l <decimal)" -eq 500
check "bits are 8 lower-case hexadecimal digits" \
  awk '!/^[0-9a-f]+$/ || length($0) != 8 { exit 1 }' bits
paste -d ' ' bits decimal >both
check "decimals and bits are the same values" awk "$float_awk"'
  {
    value = float($1)
    difference = value - $2
    if (difference * difference > value * value * 25e-18)
      exit 1
  }' both
check "values lie in [-1, 1] and differ" awk '
  $1 < -1 || $1 > 1 { exit 1 }
  !seen[$1]++ { different++ }
  END { if (different < 490) exit 1 }' decimal

value=$(echo 12 -0.5 | points --bits-out)
other=$(echo 13 -0.5 | points --bits-out)
newline='
'
both="$value$newline$other$newline"
one="$value$newline"
evaluates "blanks" "$both" '12 -0.5\n13 -0.5\n' --bits-out
evaluates "tabs, commas, blanks around" "$both" '\t12\t-0.5\n  13 , -0.5  \n' --bits-out
evaluates "commas without blanks" "$both" '12,-0.5\n13,-0.5\n' --bits-out
evaluates "hexadecimal" "$both" '0x1.8p+3 -0x1p-1\n0xD,-0X.8\n' --bits-out
evaluates "exponents and signs" "$one" '+1.2e1 -5E-1\n' --bits-out
evaluates "CRLF" "$both" '12 -0.5\r\n13 -0.5\r\n' --bits-out
evaluates "no newline at the end" "$both" '12 -0.5\n13 -0.5' --bits-out
evaluates "comments and blank lines stay where they are" \
  "# x y$newline$newline$value$newline $newline$newline #13$newline$other$newline" \
  '# x y\n\n12 -0.5\n \n\r\n #13\n13 -0.5\n' --bits-out
evaluates "no lines" '' ''
evaluates "only comments" "# nothing$newline" '# nothing\n'
evaluates "--dims that the lines have" "$one" '12 -0.5\n' --bits-out --dims 2
evaluates "--dims any" "$one" '12 -0.5\n' --bits-out --dims 2 --dims any
evaluates "the default frequency is 0.01" "$one" '12 -0.5\n' --bits-out --frequency 0.01
evaluates "the other defaults" "$one" '12 -0.5\n' --bits-out --seed 1337 --octaves 1 \
  --lacunarity 2 --gain 0.5 --octaves-share off --phase seeded --isa auto
evaluates "nan and inf" "nan${newline}nan${newline}nan$newline" 'nan 1\n1 inf\n-inf 1\n'
evaluates "their bits" "7fc00000${newline}7fc00000$newline" 'nan 1\n1 1e400\n' --bits-out
evaluates "outside the domain" "nan$newline" '1e19 0\n'
check "which is counted" grep -q '1 of 1 position is outside the domain' stderr
evaluates "zero at lattice points" "0${newline}0$newline" '0 0 0\n0 0 0\n' --phase none
: >alldims
for dims in 1 2 3 4; do
  echo '0.25 1.5 -3.75 7.125' | cut -d ' ' -f "1-$dims" >positions
  points --bits-out --frequency 0.37 <positions >want
  points --bits-out --frequency 0.37 --dims $dims <positions >got
  same "$dims coordinates" want got
  cat want >>alldims
done
check "dimensions differ" test "$(sort -u alldims | wc -l)" -eq 4
awk 'BEGIN {
  printf "12"
  for (i = 0; i < 300000; i++)
    printf " "
  printf "-0.5"
  for (i = 0; i < 100000; i++)
    printf "0"
  print ""
}' >positions
points --bits-out <positions >got
printf '%s' "$one" >want
same "a line of 400000 characters" want got
if locale -a 2>/dev/null | grep -q '^de_DE'; then
  printf '12 -0.5\n' | LC_ALL=$(locale -a | sed -n '/^de_DE/{p;q;}') points --bits-out >got
  same "a locale with a decimal comma" want got
else
  skip "no locale with a decimal comma is installed: nothing to run under"
fi

stumbles "too few coordinates" "line 3: 1 coordinate; expected 2" 2 '1 2\n3 4\n5\n6 7\n'
stumbles "too many coordinates" "line 2: 3 coordinates; expected 2" 1 '1 2\n3 4 5\n'
stumbles "comments count as lines" "line 4: 3 coordinates; expected 2" 3 '#\n1 2\n\n3 4 5\n'
stumbles "not as many as --dims" "line 1: 2 coordinates; expected 3" 0 '1 2\n' --dims 3
stumbles "five coordinates" "line 1: 5 coordinates; expected 1 to 4" 0 '1 2 3 4 5\n'
stumbles "a word" "line 2: not a number: 'two'" 1 '1 2\n1 two\n'
stumbles "junk after a number" "line 1: not a number: '2x'" 0 '1 2x\n'
stumbles "a decimal comma too many" "line 1: not a number: ''" 0 '1,,2\n'
stumbles "a comma at the end" "line 1: not a number: ''" 0 '1,2,\n'
stumbles "a comma at the start" "line 1: not a number: ''" 0 ',1\n'
stumbles "a semicolon" "line 1: not a number: '1;2'" 0 '1;2\n'
stumbles "a vertical tab" "line 1: not a number" 0 '1 \0132\n'
stumbles "a zero byte" "line 2: a zero byte" 1 '1 2\n1 2\0003\n'
points <out >got 2>stderr
check "a directory as the input" test $? -eq 1 -a ! -s got
points <&- >got 2>stderr
check "a closed input" test $? -eq 1 -a ! -s got

echo "-- help"

"$perlane" --help >help
check "perlane --help succeeds" test $? -eq 0
for word in fill points info bench --help --version; do
  check "perlane --help mentions $word" grep -q -e "$word" help
done
field='--preset --seed --frequency --basis --hash --hash-table --gradients --gradient-table
  --gradient-grid --fade --period --table-offset --octaves --lacunarity --gain
  --octaves-share --phase --fractal --ping-pong-strength --weighted-strength --normalize
  --amplitude --contrast --value-scale --value-offset --field
  --save-params --params --params-of --isa --help'
for command in fill points info bench; do
  "$perlane" $command --help >help 2>stderr
  check "$command --help succeeds and says nothing on stderr" test $? -eq 0 -a ! -s stderr
  check "$command --help has an example" grep -q "^  .*perlane $command" help
  case $command in
  fill) options="-o --output --size --bits --origin --first --range $field" ;;
  points) options="--dims --with-gradient --bits-out $field" ;;
  info) options="--help" ;;
  bench) options="--seconds --isa --help" ;;
  esac
  for option in $options; do
    check "$command --help mentions $option" grep -Eq -e "^ +(-., )?$option( |,|\$)" help
  done
  check "$command --help tells every starting value" awk '
    /^  (-.,|   ) --/ { options++ } /\(default: |\(required\)/ { values++ }
    END { exit options != values + 1 }' help # all but --help itself
  check "$command --help fits 80 columns" awk 'length > 80 { exit 1 }' help
  "$perlane" $command -h >got
  same "$command -h is $command --help" help got
done
"$perlane" fill --help >help
for value in 1024x1024 auto 0 deflate 0,0 -1,1 none 1337 0.01 perlin lattice default quintic 0 1 2 0.5 fbm full \
  off auto; do
  check "fill --help tells the starting value $value" grep -qF "(default: $value)" help
done
"$perlane" fill --octaves 9 --help >got
same "options before --help do not change it" help got
prints "--version" "perlane $(sed -n 's/^perlane //p' table | sed 1q)" "$perlane" --version
prints "-V" "$("$perlane" --version)" "$perlane" -V

echo "-- arguments that make no sense"

misused "a command is missing"
misused "unknown command 'fil'" fil
misused "unknown option '--bogus'" --bogus
misused "'more' after --help" --help more
misused "'more' after --version" --version more
misused "is missing" fill
misused "is missing" fill --size 5x5
for file in x.bmp png tif x.png/ x.pngx --; do
  misused "-o '$file': unknown format; expected a name that ends in one of .png" fill -o "$file"
done
misused "-o '': unknown format" fill -o ''
for size in 0x5 5x0 0 -5 -5x5 5x-5 5x x5 5x5x 5G 5kk 5m 5xk k 2M1 1x5T 1x1x1x1x1 1x18014398509481984k 9007199254740993x1 99999999999999999999x1 \
  1x18446744073709551617 abc '' ' 5x5' '5 x5' '5x5 ' +5x5 5.5x5 0x10x0x10 infxinf 1024,1024; do
  misused "--size '$size': expected WIDTHxHEIGHT" fill -o x.png --size "$size"
done
for bits in 0 1 12 24 64 16.0 08 -8 '' ' 8' eight; do
  misused "--bits '$bits': expected one of 8, 16, 32, auto" fill -o x.png --bits "$bits"
done
for origin in '1,' ,1 1,2,3,4,5 nan,1 1,inf 1e400,1 '1, 2' ' 1,2' 1,2x '' x,y 1x2; do
  misused "--origin '$origin': expected" fill -o x.png --origin "$origin"
done
for first in '1,' ,1 1,2,3,4,5 1.5,1 9223372036854775808,0 0,-9223372036854775809 '1, 2' 1,2x '' \
  0x10,1 --1,1 1e3,1; do
  misused "--first '$first': expected" fill -o x.png --first "$first"
done
for seed in -1 18446744073709551616 0x10000000000000000 1.5 1e3 0x '' ' 1' '1 ' +1 12z 0xg nan; do
  misused "seed must be a whole" fill -o x.png --seed "$seed"
done
for octaves_wrong in 1.5 '' ' 1' 1e1 2147483648 -2147483649 99999999999999999999 two 0x2; do
  misused "octaves must be" fill -o x.png --octaves "$octaves_wrong"
done
for number in '' ' 1' '1 ' 1,5 1x 1e400 -1e400 abc 0x 1e 1..2 --; do
  for option in frequency lacunarity gain; do
    misused "$option must be a finite number" fill -o x.png "--$option=$number"
  done
done
for octaves_wrong in 0 33 -1 2147483647; do
  misused "octaves must be a whole number from 1 to 32" \
    fill -o x.png --octaves "$octaves_wrong"
  misused "octaves must be" points --octaves "$octaves_wrong"
done
for number in 0 -1 nan inf -inf 1e-5000; do
  misused "frequency must be a finite number above 0" \
    fill -o x.png --frequency "$number"
  misused "frequency must be" points --frequency "$number"
done
misused "frequency must be" fill -o x.png --frequency 1e-320
for number in 0 -2 nan inf; do
  misused "lacunarity must be a finite number above 0" \
    fill -o x.png --lacunarity "$number"
done
for number in nan inf -inf; do
  misused "gain must be a finite number" fill -o x.png --gain "$number"
done
misused "gain=1e200 makes the sum of the amplitudes of 3 octaves exceed" fill -o x.png --gain 1e200 --octaves 3
misused "and is inf at octave 3 of 3; set lacunarity, now 1e300, closer to 1" \
  fill -o x.png --lacunarity 1e300 --octaves 3
for option in basis hash gradients fade fractal normalize; do
  misused "$option must be one of" fill -o x.png --$option mist
  misused "not ''" points --$option ''
done
misused "--preset 'mist': expected one of" points --preset mist
misused "expected one of improved, grid, diagonal, circle" points --preset Improved
misused "fade must be one of quintic, cubic, linear, not 'QUINTIC'" points --fade QUINTIC
for axes in '' '1,' ,1 1,2,3,4,5 1.5 1x2 ' 1' '1 ,2' 2147483648 -2147483649 x nan; do
  misused "period must be" fill -o x.png --period "$axes"
  misused "table_offset must be" points --table-offset "$axes"
done
misused "period along x is 4.5 cells at octave 2 of 3, with lacunarity=1.5" \
  fill -o x.png --period 3,5 --octaves 3 --lacunarity 1.5
misused "period along y is 13.5 cells at octave 3 of 3, with lacunarity=1.5" \
  fill -o x.png --period 4,6 --octaves 3 --lacunarity 1.5
misused "period must be 1 to 4 whole numbers with commas between them, x first, each from 0" \
  points --period 0,0,-7
misused "along x is 2147483648 cells at octave 2 of 2" points --period 1073741824 --octaves 2
misused "period must be 0 with hash=grid" points --period 8 --gradient-grid "$work/grid"
misused "basis=gaussian needs hash=lattice, not hash=perlin" fill -o x.png --basis gaussian \
  --preset compass
misused "hash=grid needs basis=perlin, not basis=value" points --basis value --hash grid
for number in -0.5 1.5 nan inf; do
  misused "weighted_strength must be a number from 0 to 1" \
    fill -o x.png --weighted-strength $number
done
for number in 0 -1 1025 nan inf; do
  misused "ping_pong_strength must be a number above 0 and at most 1024" \
    fill -o x.png --ping-pong-strength $number
done
for number in -1 65; do
  misused "contrast must be a whole number from 0 to 64" \
    fill -o x.png --contrast $number
done
for option in amplitude value-scale value-offset; do
  for number in nan inf; do
    misused "finite number, not '$number'" fill -o x.png --normalize none --$option $number
  done
  misused "values could exceed 2^100" fill -o x.png --normalize none --$option 1e+300
done
misused "amplitude must be a nonzero finite number" fill -o x.png --amplitude 0
misused "2^100 in magnitude with amplitude=1e300 value_scale=2; choose" \
  fill -o x.png --normalize none --value-scale 2 --amplitude 1e300
for levels in '' 1 '1,' ,1 1,2,3 nan,1 0,inf 1e39,0 '1, 2' x,y Auto; do
  misused "--range '$levels': expected" fill -o x.png --range "$levels"
done
misused "--range 1,1: " fill -o x.png --range 1,1
misused "--range 0,1e-44: " fill -o x.png --range 0,1e-44
misused "--range auto: " fill -o x.png --range auto --value-scale 0
misused "gradients=edges32 does not exist in 2 dimensions, only in 4" \
  fill -o x.png --gradients edges32
printf '1 0 0\n0 1 0\n' >vectors3
misused "does not exist in 2 dimensions, only in 3" fill -o x.png --gradient-table "$work/vectors3"
misused "hash=primes does not exist in 3 dimensions, only in 2" \
  points --dims 3 --hash primes
echo 1 2 3 4 | points --preset improved >got 2>stderr
check "a position in dimensions that the field does not have" test $? -eq 2 -a ! -s got
check "is explained" grep -q "does not exist in 4 dimensions, only in 1, 2, 3" stderr
for dims in 0 5 -1 1.0 '' 22 two; do
  misused "--dims '$dims': expected one of any, 1, 2, 3, 4" \
    points --dims "$dims"
done
for command in fill points info bench; do
  misused "'--bogus': unknown option" $command --bogus
  misused "'--bogus=3': unknown option" $command --bogus=3
  misused "unknown option '-x'" $command -x
  misused "'surplus' is one argument too many" $command surplus
  misused "'--help=yes': --help takes no value" $command --help=yes
done
misused "unknown option '-x'" points --bits-out -xy
misused "--bits-out '1': expected" points --bits-out=1
misused "'--o': unknown option; did you mean --output, --origin, --overlap, --octaves, --octaves-share" \
  fill --o x.png
misused "'--normal-=1': unknown option; did you mean --normal-map, --normal-strength, --normal-y" \
  fill -o x.png --normal-=1
misused "'--octave': unknown option; did you mean --octaves, --octaves-share" fill -o x.png --octave 3
misused "'--frequncy': unknown option; did you mean --frequency" fill -o x.png --frequncy 3
misused "'--freqeuncy=3': unknown option; did you mean --frequency" points --freqeuncy=3
misused "'--ssize': unknown option; did you mean --size" fill -o x.png --ssize 3
misused "'--zzze': unknown option" fill -o x.png --zzze 3
"$perlane" fill -o out/a.png --octaves 3 --octaves-share on --size 9 2>stderr
"$perlane" fill -qo out/b.png --octaves-s on --octaves 3 --siz 9 2>stderr
same "an abbreviation is the only option that begins with it" out/a.png out/b.png
check "two short options in one argument" test ! -s stderr
misused "'surplus' is one argument too many" fill -o x.png surplus
misused "'-o' is one argument too many" fill -o x.png -- -o
misused "'--size': unknown option" points --size 5x5
for option in o size bits origin first range preset seed frequency basis hash hash-table gradients \
  gradient-table gradient-grid fade period table-offset octaves lacunarity gain octaves-share phase \
  fractal ping-pong-strength weighted-strength normalize amplitude contrast value-scale \
  value-offset field save-params params params-of axes step threads for isa; do
  case $option in o) option=-o ;; *) option=--$option ;; esac
  misused "$option: its value" fill "$option"
done
misused "--dims: its value N is missing" points --dims
misused "--seconds: its value S is missing" bench --seconds
misused "hexadecimal, not '--octaves'" fill -o x.png --seed --octaves

misused "--bits 32: .png files hold 8 or 16; floats go to .tif, .pfm, .npy or .r32" \
  fill -o x.png --bits 32
misused "--range '-1e39,1e39': expected two numbers up to 3.4e38" \
  fill -o x.png --range=-1e39,1e39

misused "first along x must be at most 9223372036854774784 with a count of 1024" \
  fill -o x.png --first 9223372036854775807,0
misused "first along y must be at most" fill -o x.png --first 0,9223372036854775000
misused "sample 0 along x is at 1e300; positions must be within 900719925474099200 of 0" \
  fill -o x.png --origin 1e300,0
misused "sample 0 along y is at" fill -o x.png --origin 0,-1e19
misused "sample 3 along x is at 3e300" fill -o x.png --size 4 --step 1e300
misused "positions must be within 9.007199254740992e-285" fill -o x.png --size 4 --frequency 1e300
misused "sample 900719925474102095 along x" fill -o x.png --first 900719925474098000,0 --size 4096x1
misused "sample 900719925474102095 along y" fill -o x.png --first 0,900719925474098000 --size 1x4096
check "where the first sample lies inside" "$perlane" fill -o out/in.png \
  --first 0,900719925474098000 --size 1x1

echo "-- names that a terminal must not get"

escape=$(printf '\033]0;x\007\233\302\233\377\303\251\n.')
for arguments in "fill -o" "fill -o x.png --size" "fill -o x.png --hash-table" \
  "fill -o x.png --params" "fill -o x.png --params-of" "points --hash" "bench --seconds" "" points; do
  # shellcheck disable=SC2086 # lists of words
  (cd empty && exec "$perlane" $arguments "$escape") >stdout 2>stderr
  check "control characters and broken UTF-8 are escaped: $arguments" sh -c '
    grep -qF "\x1B]0;x\x07\x9B\xC2\x9B\xFF$(printf "\303\251")\x0A." stderr &&
      ! tr -d "\n\40-\176\303\251" <stderr | grep -q .'
done
"$perlane" fill -o "out/$(printf 'a\033b').png" --size 4 2>stderr
check "also in the line about the run" grep -qF 'out/a\x1Bb.png: 4x4' stderr
PERLANE_ISA=$(printf '\033[31m') "$perlane" info >got
check "and in what info prints" grep -qF "'\x1B[31m'" got

echo "-- files"

rm -rf out
mkdir out out/directory.png
refuses 1 "No such file or directory" fill -o missing/x.png
(cd out && "$perlane" fill -o directory.png) >stdout 2>stderr
check "a directory as the target" test $? -eq 1
check "is named as such" grep -q "'directory.png': .*directory" stderr
echo text >out/file
(cd out && "$perlane" fill -o file/x.png) >stdout 2>stderr
check "a file as the directory" test $? -eq 1
check "is named as such" grep -q 'Not a directory' stderr
prints "nothing was left behind" "directory.png file" sh -c 'echo $(ls -A out)'

(umask 027 && "$perlane" fill -o out/mode.png --size 5x5 2>stderr)
prints "permissions follow umask 027" "-rw-r-----" sh -c "ls -l out/mode.png | cut -c 1-10"
(umask 0 && "$perlane" fill -o out/mode.png --size 6x6 2>stderr)
prints "and those of an old file stay" "-rw-r-----" sh -c "ls -l out/mode.png | cut -c 1-10"
prints "while it is replaced" "6 6 16 0" sh -c "'$pixels' out/mode.png | sed 1q"
(umask 0 && "$perlane" fill -o out/mode0.png --size 5x5 2>stderr)
prints "permissions follow umask 0" "-rw-rw-rw-" sh -c "ls -l out/mode0.png | cut -c 1-10"
chmod a-w out/mode0.png
chmod a+rwx out
# Root may write everything: nobody stands in.
as_nobody=
[ ! -w out/mode0.png ] || as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
# shellcheck disable=SC2086 # a list of words
if ! $as_nobody test -w out || ! $as_nobody test -x "$perlane"; then
  skip "no user to be had who may not write a file"
else
  $as_nobody "$perlane" fill -o out/mode0.png --size 6x6 2>stderr
  check "a file that may not be written" test $? -eq 1
  check "is named as such" grep -q "'out/mode0.png': Permission denied" stderr
  prints "and stays" "5 5 16 0" sh -c "'$pixels' out/mode0.png | sed 1q"
fi
rm -f out/mode0.png
ln -s mode.png out/link.png
"$perlane" fill -o out/link.png --size 7x3 2>stderr
prints "a link's file is replaced" "7 3 16 0" sh -c "'$pixels' out/mode.png | sed 1q"
check "and the link stays" test -h out/link.png
ln -s missing.png out/dangling.png
"$perlane" fill -o out/dangling.png --size 7x3 2>stderr
check "a link to nothing" test $? -eq 1
check "is named as such" grep -q "'out/dangling.png': it is a link to a file that does not exist" stderr
check "and stays" test -h out/dangling.png
ln -s turning.png out/turning.png
"$perlane" fill -o out/turning.png --size 7x3 2>stderr
check "a link to itself" test $? -eq 1
check "stays" test -h out/turning.png
name=$(awk 'BEGIN { for (i = 0; i < 251; i++) printf "n" }').png
if (: >"out/$name") 2>/dev/null; then
  rm -f "out/$name"
  check "a name as long as can be" "$perlane" fill -o "out/$name" --size 5x5
else
  skip "this file system has no names of 255 bytes"
fi
(cd out && "$perlane" fill -o .png --size 5x5) 2>stderr
check "a name without a directory" test -s out/.png
rm -rf out
mkdir out

if (ulimit -f 16) 2>/dev/null; then
  (ulimit -f 16 && exec "$perlane" fill -o out/big.png --size 512x512) 2>stderr
  check "an image beyond the file size limit" test $? -eq 1
  check "is reported" grep -q "cannot write 'out/big.png': File too large" stderr
  check "and leaves nothing behind" rmdir out
  mkdir out
  echo old >out/big.png
  (ulimit -f 16 && exec "$perlane" fill -o out/big.png --size 512x512) 2>stderr
  check "nor a change of an old file" test $? -eq 1
  prints "which stays as it was" old cat out/big.png
  prints "alone" big.png ls -A out
  rm -f out/big.png
  awk 'BEGIN { for (i = 0; i < 20000; i++) print i + 0.5 }' >positions
  (ulimit -f 16 && exec "$perlane" points <positions) 2>stderr >out/values
  check "values beyond the file size limit" test $? -eq 1
  check "are reported" grep -q 'standard output: File too large' stderr
  rm -f out/values
else
  skip "ulimit -f is refused here: no limit to run into"
fi
# Threads that cannot start: their stacks are larger than any memory.
(OMP_STACKSIZE=1000000G exec "$perlane" fill -o out/threads.png --size 512 --threads 64) 2>stderr
if [ $? -ne 0 ]; then
  check "that threads do not start is told" grep -qi thread stderr
  check "and nothing is left behind" rmdir out
  mkdir -p out
else
  skip "this OpenMP starts threads with stacks of any size, or does without"
  rm -f out/threads.png
fi

if [ -c /dev/full ]; then
  for command in points 'fill --help' 'points --help' info 'bench --seconds 0.01' 'bench --help' \
    --help --version; do
    echo 1 2 | "$perlane" $command >/dev/full 2>stderr
    check "a full disk: $command" test $? -eq 1
    check "is reported" grep -q 'standard output: No space left' stderr
  done
else
  skip "there is no /dev/full to stand for a full disk"
fi

# interrupts NAME NUMBER: the signal ends a fill that has begun to write, and nothing is left. The
# fill runs in the foreground, as shells let what runs in the background ignore SIGINT.
interrupts() {
  rm -f pid ended
  (
    while [ -z "$(ls -A out)" ] && [ ! -e ended ]; do
      sleep 0.1
    done
    ls -A out >seen
    sleep 0.2
    [ ! -s seen ] || kill -s "$1" "$(cat pid)"
  ) &
  (sh -c 'echo $$ >pid; exec "$@"' sh "$perlane" fill -o out/long.png --size 60000x60000 \
    --octaves 8) >stdout 2>stderr
  interrupts_status=$?
  : >ended
  wait
  check "SIG$1 comes while the file is unfinished" grep -qv '^long.png$' seen
  check "SIG$1 ends the fill" test $interrupts_status -eq $((128 + $2))
  check "SIG$1 leaves nothing behind" rmdir out
  mkdir -p out
}
for signal in 'HUP 1' 'INT 2' 'TERM 15'; do
  if [ "$(sh -c 'kill -s "$1" $$; echo ignored' sh "${signal% *}" 2>/dev/null)" = ignored ]; then
    skip "SIG${signal% *} is ignored where this script runs: it cannot interrupt"
  else
    interrupts $signal 2>/dev/null
  fi
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
