#!/bin/sh
# SPDX-License-Identifier: MIT
#
# perlane in other projects, by the lines of docs/embedding.md:
# package.sh SOURCE BUILD WORK CMAKE CC CXX
#
# BUILD is the configuration's own tree, the static library's. The shared one is built here, in Debug
# without kernels, which take longest to compile, as are those in other projects.
# shellcheck disable=SC2086 # compilers are lists of words
set -eu
source=$1 build=$2 work=$3 cmake=$4 cc=$5 cxx=$6
rm -rf "$work"
mkdir -p "$work"
. "$source/tests/embedding/checks.sh"
unset CFLAGS CXXFLAGS LDFLAGS CMAKE_PREFIX_PATH PKG_CONFIG_PATH LD_LIBRARY_PATH

# Prints the n-th block of a kind under a heading of docs/embedding.md.
block() { # block HEADING KIND [N]
    awk -v heading="## $1" -v fence="\`\`\`$2" -v wanted="${3:-1}" '
        /^## / { here = $0 == heading }
        here && $0 == fence && ++n == wanted { on = 1; next }
        /^```/ { on = 0 }
        on' "$source/docs/embedding.md" >"$work/block"
    cat "$work/block"
    test -s "$work/block"
}

configure() { # configure NAME ARGUMENT...: another project, in its folder
    folder=$work/$1
    shift
    if [ ! -e "$folder/CMakeLists.txt" ]; then
        mkdir -p "$folder"
        cp "$source/tests/embedding/app.cmake" "$folder/CMakeLists.txt"
    fi
    "$cmake" -S "$folder" -B "$folder/build" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_CXX_COMPILER="$cxx" -DAPP_LINES="$folder/lines.cmake" -DPERLANE_ISAS= "$@"
}
make_app() { "$cmake" --build "$work/$1/build"; }

# A project of one program: app NAME HEADING BLOCK SOURCES ARGUMENT...
app() {
    name=$1 heading=$2 nth=$3 sources=$4
    shift 4
    mkdir -p "$work/$name"
    check "$name: docs/embedding.md has lines" block "$heading" cmake "$nth"
    cp "$work/block" "$work/$name/lines.cmake"
    check "$name: configures" configure "$name" -DAPP_SOURCES="$sources" "$@"
    check "$name: builds" make_app "$name"
    check "$name: runs" prints_perlane "$work/$name/build/app"
}

program=$source/tests/embedding/program.c
c_only=-DAPP_LANGUAGES=C
sed '/#include <perlane.h>/d; s/^  int i;/&\
  perlane_noise noise;\
  perlane_params params = perlane_params_default();\
  perlane_grid grid = perlane_grid_make(512, 512, 0, 0);\
  static float map[512 * 512];\
  if (perlane_init(\&noise, \&params) || fill_map(\&noise, \&grid, map)) return 1;/' "$program" >"$work/main.c"
check "docs/embedding.md has a function that fills on threads" block "Several threads" c
cat "$work/block" "$work/main.c" >"$work/threads.c"

# ---- Installed ----

configure_shared() {
    "$cmake" -S "$source" -B "$work/shared-build" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$cc" \
        -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
}
# optimises FOLDER FILE: whether the file is compiled with -O2 or -O3.
optimises() { grep '"command"' "$work/$1/compile_commands.json" | grep -- "/$2 *\"" | grep -q -- ' -O[23] '; }
optimises_not() { ! optimises "$@"; }
refuses() { ! configure_shared -DPERLANE_ISAS="avx2;mmx" 2>"$work/errors" && grep -q mmx "$work/errors"; }
check "an unknown instruction set is refused" refuses
check "PERLANE_DEBUG_KERNELS: configures" configure_shared -DPERLANE_ISAS= -DPERLANE_DEBUG_KERNELS=ON \
    -DCMAKE_UNITY_BUILD=ON
has_no_unity() { ! grep -q unity_ "$work/shared-build/compile_commands.json"; }
check "a unity build does not put kernels into one file" has_no_unity
check "PERLANE_DEBUG_KERNELS: Debug does not optimise the kernels" optimises_not shared-build sse.c
check "the shared library: configures" configure_shared -DPERLANE_DEBUG_KERNELS=OFF -DCMAKE_UNITY_BUILD=OFF
check "Debug optimises the kernels" optimises shared-build sse.c
check "Debug does not optimise other files" optimises_not shared-build field.c
check "the shared library: builds" "$cmake" --build "$work/shared-build" -j "$(nproc || echo 2)"
# Installed, then moved: nothing in there may know where it was.
install_and_move() {
    "$cmake" --install "$1" --prefix "$work/$2-first" && mv "$work/$2-first" "$work/$2" &&
        ! grep -rl "$work\|$source" "$work/$2" --include=*.cmake --include=*.pc
}
check "the static library: is installed" install_and_move "$build" static
check "the shared library: is installed" install_and_move "$work/shared-build" shared

libdir=$(cd "$work/shared" && dirname "$(find . -name 'libperlane.so' | head -n 1)")
so=$work/shared/$libdir/libperlane.so
needed() { objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }'; }
needs_libc_alone() { ! needed "$so" | grep -v '^libc\.so'; }
soname_is_major() { objdump -p "$so" | grep -q "SONAME *libperlane.so.${version%%.*}\$"; }
check "the shared library exports what perlane.h declares" exports_the_interface "$so"
case $(uname -m) in
x86_64 | aarch64) check "the shared library needs libc alone" needs_libc_alone ;;
*) echo "not run: what the shared library needs: libm, on this machine" ;;
esac
check "the soname has the major version" soname_is_major
check "the static library's symbols are prefixed" is_prefixed "$work/static/$libdir/libperlane.a"
for kind in static shared; do
    # `info` fails if a set of kernels computes other bits.
    run_command() { "$work/$kind/bin/perlane" info >"$work/info" && grep -q "$digest ok\$" "$work/info"; }
    check "the installed command runs ($kind)" run_command
done

for kind in static shared; do
    app find-$kind "CMake's find_package" 1 "$program" $c_only -DCMAKE_PREFIX_PATH="$work/$kind"
    mkdir -p "$work/pkg-$kind"
    cp "$program" "$work/pkg-$kind/app.c"
    line=1
    [ $kind = shared ] || line=2
    by_pkg_config() {
        block pkg-config sh && sed -n "${line}s|^cc |$cc |p" "$work/block" >"$work/line" &&
            cd "$work/pkg-$kind" && PKG_CONFIG_PATH=$work/$kind/$libdir/pkgconfig sh -eu "$work/line"
    }
    check "pkg-config ($kind): builds" eval '(by_pkg_config)'
    check "pkg-config ($kind): runs" prints_perlane env LD_LIBRARY_PATH="$work/$kind/$libdir" "$work/pkg-$kind/app"
done
cp -r "$work/shared" "$work/it's here"
cp -r "$work/shared" "$work/in here"
app "it's found" "CMake's find_package" 1 "$program" $c_only -DCMAKE_PREFIX_PATH="$work/it's here"
finds_spaces() {
    line=$(PKG_CONFIG_PATH="$work/in here/$libdir/pkgconfig" pkg-config --cflags --libs perlane) &&
        eval "$cc '$program' $line -o '$work/spaces'"
}
check "pkg-config: a folder with a space" finds_spaces
has_no_kernels() { [ "$("$work/find-shared/build/app" | wc -l)" = 2 ]; } # the version and scalar
check "an empty PERLANE_ISAS builds no kernels" has_no_kernels
refused() { # refused MESSAGE ARGUMENTS: find_package with these arguments
    mkdir -p "$work/find-bad"
    echo "find_package(perlane $2 REQUIRED)" >"$work/find-bad/lines.cmake"
    ! configure find-bad $c_only -DAPP_SOURCES="$program" -DCMAKE_PREFIX_PATH="$work/static" >"$work/log" 2>&1 &&
        grep -q "$1" "$work/log"
}
check "another major version is refused" refused "compatible with" 0.2
check "components are refused, with what to link instead" refused OpenMP::OpenMP_C "COMPONENTS omp"

# ---- perlane_omp.h ----

for kind in static shared; do
    app omp-$kind "Several threads" 1 "$work/threads.c" $c_only -DCMAKE_PREFIX_PATH="$work/$kind"
done
by_openmp() { # by_openmp SUFFIX COMPILER
    cp "$work/threads.c" "$work/app.$1"
    block "Several threads" sh && sed "s|^cc |$2 -Wall -Wextra -Wpedantic -Werror |; s|app\.c|app.$1|" "$work/block" >"$work/line" &&
        (cd "$work" && PKG_CONFIG_PATH=$work/static/$libdir/pkgconfig sh -eu "$work/line") && prints_perlane "$work/app"
}
check "perlane_omp.h in C" by_openmp c "$cc"
check "perlane_omp.h in C++" by_openmp cpp "$cxx"
# Without Android's compilers: version 1 is CMake's for toolchains of one's own.
has_large_pages() {
    "$cmake" -S "$source" -B "$work/android" -G "Unix Makefiles" -DCMAKE_SYSTEM_NAME=Android -DCMAKE_SYSTEM_VERSION=1 \
        -DCMAKE_C_COMPILER="$cc" -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug -DPERLANE_ISAS= -DPERLANE_BUILD_CLI=OFF &&
        "$cmake" --build "$work/android" && objdump -p "$work/android/libperlane.so" >"$work/segments" &&
        grep -q 'LOAD.*align 2\*\*14' "$work/segments" && ! grep 'LOAD.*align 2\*\*1[^4]' "$work/segments"
}
check "Android's pages of 16 KiB" has_large_pages
needs_no_omp() { ! needed "$so" | grep -q omp && ! grep -q OpenMP "$work/find-static/build/CMakeCache.txt"; }
check "perlane itself does not use OpenMP" needs_no_omp

threads_compiles() {
    block "Several threads" c 2 >"$work/pattern.c" &&
        sed '/#include <perlane.h>/d; s/&grid, map)/\&grid, map, 4)/' "$work/main.c" >>"$work/pattern.c" &&
        $cc -Wall -Wextra -Werror -O1 -I"$source/include" "$work/pattern.c" \
            "$work/static/$libdir/libperlane.a" -o "$work/pattern"
}
check "docs/embedding.md: the function for threads of your own compiles" threads_compiles
check "docs/embedding.md: it runs" prints_perlane "$work/pattern"

# ---- Within another project ----

# The parent's own settings must stay as they are with perlane in it. These flags of the parent would
# change bits if they reached perlane.
parent=$work/add-static
mkdir -p "$parent"
ln -s "$source" "$parent/perlane"
app add-static "CMake's add_subdirectory" 1 "$program" $c_only -DCMAKE_C_EXTENSIONS=ON \
    -DCMAKE_C_FLAGS="-std=gnu11 -march=native -O1 -ffast-math" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
cache=$parent/build/CMakeCache.txt
# The parent's own source is compiled with the parent's flags alone.
parent_flags() {
    grep '"command".*program\.c' "$parent/build/compile_commands.json" >"$work/own" &&
        grep -q -e '-std=gnu11 -march=native -O1' "$work/own" && ! grep -e '-fno-fast-math\|-ffp-contract\|-Wconversion\|-std=c11' "$work/own" &&
        grep '"command".*src/field\.c' "$parent/build/compile_commands.json" | grep -q -e '-ffast-math.*-fno-fast-math -ffp-contract=off'
}
kept() {
    grep '^CMAKE_BUILD_TYPE:[A-Z]*=$' "$cache" && grep '^CMAKE_C_FLAGS:[A-Z]*=-std=gnu11 -march=native -O1 -ffast-math$' "$cache" &&
        ! grep '^BUILD_SHARED_LIBS\|^BUILD_TESTING\|^CMAKE_INSTALL_LIBDIR' "$cache"
}
finds_nothing() { ! grep -i '^\(PNG\|ZLIB\|CMOCKA\|SIMDE\|OpenMP\|benchmark\|Python3\|TIFF\|JSON\|CAIRO\|PKG_CONFIG\)' "$cache"; }
no_tests() { (cd "$parent/build" && ctest -N) | grep -q 'Total Tests: 0'; }
installs_nothing() {
    "$cmake" --install "$parent/build" --prefix "$work/nothing" && test ! -e "$work/nothing" &&
        test ! -e "$parent/build/perlane/package"
}
no_command() { test "$(find "$parent/build" -name perlane -type f | wc -l)" = 0; }
check "add_subdirectory: the parent's flags are for the parent, perlane's for perlane" parent_flags
check "add_subdirectory: build type, flags and options of the parent are kept" kept
check "add_subdirectory: nothing is searched for" finds_nothing
check "add_subdirectory: no tests are added" no_tests
check "add_subdirectory: nothing is installed" installs_nothing
check "add_subdirectory: no command is built" no_command
hides_perlane() { test -z "$(exports "$(find "$parent/build" -name libperlane.a)")"; }
check "add_subdirectory: a plugin exports none of it" hides_perlane

# A parent's warnings as errors do not stop perlane, which a release compiles with -O2.
mkdir -p "$work/werror"
ln -s "$source" "$work/werror/perlane"
printf '%s\n' 'add_subdirectory(perlane)' >"$work/werror/lines.cmake"
strict_parent() {
    configure werror $c_only -DAPP_SOURCES="$program" -DCMAKE_BUILD_TYPE=Release -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
        -DCMAKE_C_FLAGS="-Wall -Werror" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
}
is_lenient() {
    for file in avx2.c field.c; do
        grep '"command"' "$work/werror/build/compile_commands.json" | grep -- "/$file *\"" >"$work/own" &&
            grep -q -- '-Werror.*-Wno-error' "$work/own" && ! grep -- '-Wno-error.*-Werror' "$work/own" || return 1
    done
}
ends_with_o2() { grep -- '/avx2.c *"' "$work/werror/build/compile_commands.json" | grep -o -- ' -O[^ ]*' | tail -n 1 | grep -qx ' -O2'; }
check "a parent with -Werror: configures" strict_parent
check "a parent with -Werror: perlane's warnings are warnings" is_lenient
check "a release of a parent compiles kernels with -O2, not -O3" ends_with_o2

# By perlane.hpp: in the oldest and a newer standard, without and with exceptions.
by_cpp() { # by_cpp FLAGS...
    $cxx "$@" -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I"$work/static/include" \
        "$source/tests/embedding/cpp.cpp" "$work/static/$libdir/libperlane.a" -o "$work/cpp" && "$work/cpp"
}
check "perlane.hpp, C++17 without exceptions" by_cpp -std=c++17 -fno-exceptions
check "perlane.hpp, C++20 with exceptions" by_cpp -std=c++20 -DPERLANE_EXCEPTIONS
older() { ! by_cpp -std=c++14 2>"$work/errors" && grep -q "as C++17 or later" "$work/errors"; }
check "perlane.hpp in C++14 names the standard that it needs" older
cp "$program" "$work/program.cpp"
app fetch-shared "CMake's FetchContent" 1 "$work/program.cpp" -DAPP_LANGUAGES=CXX \
    -DAPP_LANGUAGES_LATER=C -DBUILD_SHARED_LIBS=ON \
    -DFETCHCONTENT_SOURCE_DIR_PERLANE="$source" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
shared_in_build() { needed "$work/fetch-shared/build/app" | grep -q '^libperlane\.so'; }
check "FetchContent: the library is shared" shared_in_build
check "without a build type kernels are optimised" optimises fetch-shared/build scalar.c

total
