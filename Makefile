# Entry points. CMake builds. Plain make installs nothing and lists what is missing; the others first
# install missing packages with scripts/setup.
#
#   make            builds the library and the command in build/
#   make deps       installs what that needs
#   make heightmap  does both, and writes heightmap.png, a terrain of 2048x2048 samples of 16 bits
#   make test       builds and runs the tests of the library and the command, in a few minutes
#   make check      builds and runs every test: gcc, clang, sanitizers, AArch64 under qemu
#   make proof      runs the long tests, in some hours: all installed compilers, many flags and machines,
#                   sanitizers, fuzzing, and deliberate faults (tests/proof/run)
#   make bench      measures every kind of fill with every instruction set, in about five minutes,
#                   and writes bench/results/table.md and two pictures
#   make bench-quick
#                   the same without the largest grids, in under a minute
#   make amalgamation
#                   writes the library as two files, build/amalgamation/perlane.h and perlane.c
#   make wheels     builds the Python package's wheels and source archive in build/wheels/dist, and
#                   uses each in an empty environment
#   make wasm       builds the WebAssembly module and the npm package in build/web/
#   make page       builds the page for browsers, a static site, in build/page
#   make page-serve builds it and serves it at http://127.0.0.1:8000/
#   make page-check builds it and runs its tests in Chromium
#   make release    builds, installs and uses every package, and writes the files of a release to dist/
#   make docs       writes the API reference to build/docs/html
#   make clean      removes everything that was built

.PHONY: build deps heightmap test check proof bench bench-quick amalgamation wheels wasm page \
	page-serve page-check release docs clean

build:
	@scripts/setup --list build
	@log=$$(mktemp) && cmake --preset release >$$log 2>&1 || { cat $$log; rm -f $$log; exit 1; }; \
		rm -f $$log
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build build -j $$(nproc)

deps:
	@scripts/setup build

heightmap: deps
	@$(MAKE) --no-print-directory build
	@build/perlane fill -o heightmap.png --look alps --size 2k --bits 16
	@echo "wrote $(CURDIR)/heightmap.png"

test:
	@scripts/setup test
	@scripts/check test

check:
	@scripts/setup check
	@scripts/check

proof:
	@{ scripts/setup check && scripts/setup proof; } || echo "proof: continuing without missing packages; checks that need them count as not run"
	@tests/proof/run

bench bench-quick:
	@scripts/setup bench
	@log=$$(mktemp) && cmake --preset bench >$$log 2>&1 || { cat $$log; rm -f $$log; exit 1; }; \
		rm -f $$log
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build build/bench -j $$(nproc)
	@bench/run build/bench/perlane_bench $(patsubst bench-%,%,$(filter bench-%,$@))

docs:
	@scripts/setup docs
	@mkdir -p build/docs
	@rm -rf build/docs/html
	@doxygen scripts/docs/Doxyfile
	@echo "wrote $(CURDIR)/build/docs/html/index.html"

amalgamation:
	@scripts/setup amalgamation
	@scripts/amalgamate build/amalgamation
	@echo "wrote $(CURDIR)/build/amalgamation/perlane.h and perlane.c"

wheels:
	@scripts/setup wheels
	@build/python/venv/bin/python bindings/python/wheels.py build/wheels

wasm:
	@scripts/setup wasm
	@bindings/npm/build build/web
	@echo "wrote $(CURDIR)/build/web/perlane.wasm and package"

page: wasm
	@scripts/setup page
	@page/build build/web/package build/page
	@echo "wrote $(CURDIR)/build/page/index.html"

page-serve: page
	@node page/serve.js build/page 8000

page-check: build page
	@scripts/setup page-check
	@cmake -S bindings/python -B build/own -DCMAKE_BUILD_TYPE=Release >build/own.log
	@cmake --build build/own -j $$(nproc) >>build/own.log
	@node page/test/page.test.js --all

release:
	@scripts/setup release
	@tests/proof/packages
	@scripts/release

clean:
	rm -rf build heightmap.png
