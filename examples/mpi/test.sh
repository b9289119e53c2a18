#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compiles perlane_mpi.c with an MPI and compares its files, of 1 to 4 ranks, with those of the command:
# test.sh openmpi|mpich COMMAND LIBRARY WORK.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mpi=$1 perlane=$2 library=$3 work=$4
LD_LIBRARY_PATH=$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
rm -rf "$work"
mkdir -p "$work/folder"
cd "$work"

. "$here/../../tests/checks.sh"

# Ranks of one machine need no network, no ssh, and no permission to read each other's memory; those of
# a failed run end at once.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_odls_base_sigkill_timeout=0 HYDRA_LAUNCHER=fork UCX_TLS=self,sm

# Compiles with the command of README.md and further options: compiles PROGRAM OPTION...
compiles() {
    command=$(sed -n "s|^mpicc |mpicc.$mpi |p" "$here/../README.md" | sed "s|examples/mpi|$here|
        s|-Iinclude|-I$here/../../include|; s|build/libperlane.a|$library|; s|-o perlane_mpi|-o $1|")
    shift
    [ -n "$command" ] && $command -std=c11 -Wall -Wextra -Werror "$@"
}
launch() {
    case $mpi in
    openmpi) timeout 600 mpirun.openmpi -q --oversubscribe "$@" ;;
    mpich) timeout 600 mpirun.mpich "$@" ;;
    esac
}

# fills SIZE OPTIONS TYPE: the files of all numbers of ranks are the command's.
fills() {
    bits=32
    [ "$3" = float32 ] || bits=16
    # shellcheck disable=SC2046 # a list of options
    "$perlane" fill -q -o expected.npy --size "$1" --axes "$(echo "$1" | tr x '\n' | wc -l)" \
        --bits $bits $(echo "$2" | sed 's/\([a-z]*\)=/--\1 /g') || return
    for ranks in 1 2 3 4; do
        rm -f map.npy
        launch -n $ranks "$program" map.npy "$@" && cmp map.npy expected.npy || return
    done
}

# refuses TEXT ARGUMENT...: a run fails, and in time; it prints one message with this text; of the
# map there is what there was before, and nothing else.
refuses() {
    text=$1
    shift
    echo before >map.npy
    status=0
    launch "$@" 2>error || status=$?
    cat error
    [ $status != 0 ] && [ $status != 124 ] && [ "$(grep -c '^perlane_mpi: ' error)" = 1 ] &&
        grep -q "^perlane_mpi: .*$text" error && [ "$(cat map.npy)" = before ] &&
        [ -z "$(find . -name '*.part')" ]
}
keeps_part() {
    echo other >map.npy.part
    launch -n 2 "$program" map.npy 64x64 2>error && return 1
    cat error
    [ "$(cat map.npy.part)" = other ] && rm map.npy.part && grep -q '^perlane_mpi: .*another job' error
}
# The limit, 16 MiB, is more than MPI's own files have and less than a rank's half of the map.
limited() {
    echo "ulimit -f 32768; exec ./usual map.npy 4096x3072"
}

check "compiles" compiles usual
check "compiles for slabs of 4 KiB" compiles small -DSLAB_BYTES=4096
program=./small
check "1D" fills 10007 "seed=7 octaves=3" float32
check "2D, rows that fit in a slab" fills 300x41 "octaves=8 frequency=0.002 seed=7" uint16
check "2D, rows longer than a slab" fills 3001x5 "fractal=ridged octaves=2" float32
check "3D, planes that fit" fills 31x22x11 "basis=cellular frequency=0.1" float32
check "3D, planes larger than a slab" fills 81x47x5 "preset=improved frequency=0.02" uint16
check "more ranks than rows" fills 64x2 "octaves=2" float32
check "more ranks than samples" fills 3 "octaves=2" uint16
check "4D" fills 19x18x7x4 "frequency=0.03 octaves=2" float32
program=./usual
check "2D, slabs of the usual size" fills 2500x2001 "octaves=2" float32
program=./small

check "no arguments" refuses 'usage: ' -n 2 "$program"
for size in '' 10x 0x10 1x2x3x4x5 2147483648; do
    check "size '$size'" refuses "'$size': expected" -n 1 "$program" map.npy "$size"
done
check "option out of range" refuses 'octaves must be a whole number from 1 to 32, not 99' -n 2 "$program" map.npy 64x64 \
    'seed=7 octaves=99'
check "unknown type" refuses "'int8': expected" -n 2 "$program" map.npy 64x64 '' int8
check "grid outside the domain" refuses 'sample 63 along x' -n 2 "$program" map.npy 64x64 frequency=1e300
check "missing folder" refuses 'No such file' -n 3 "$program" none/map.npy 64x64
check "a folder's name" refuses 'not a regular file' -n 3 "$program" folder 64x64
check "a file that another job writes" keeps_part
check "error of one rank" refuses "not 'k'" -n 1 "$program" map.npy 64x64 : \
    -n 1 "$program" map.npy 64x64 seed=k
check "file too large on the first rank" refuses 'cannot write' -n 1 sh -c "$(limited)" : \
    -n 1 ./usual map.npy 4096x3072
check "file too large on the last rank" refuses 'cannot write' \
    -n 1 ./usual map.npy 4096x3072 : -n 1 sh -c "$(limited)"
total
