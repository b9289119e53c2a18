# SPDX-License-Identifier: MIT
"""Builds the source archive and wheels, and uses each in an empty environment: wheels.py FOLDER.

FOLDER/dist receives the archive, and wheels from it for x86_64 and AArch64 with glibc 2.17, and for
x86_64 with musl 1.2. AArch64 is compiled by Debian's cross compiler, and used under qemu by Debian's
Python for it, which is fetched into FOLDER without a change to the system. There is no Python with
musl: its loader runs a program that loads the wheel's library.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE, FOLDER = os.path.dirname(os.path.dirname(HERE)), os.path.abspath(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from checks import check, total

PYTHON = os.path.join(SOURCE, "build/python/venv/bin/python")
FETCHED = os.path.join(SOURCE, "build/python/wheels")
DIST, ARM64 = os.path.join(FOLDER, "dist"), os.path.join(FOLDER, "arm64")
TOOLCHAIN = f"--config-setting=cmake.args=-DCMAKE_TOOLCHAIN_FILE={SOURCE}/packaging/cmake/arm64.cmake"
TARGETS = {  # tag: variables and arguments of the build
    "manylinux2014_x86_64.manylinux_2_17_x86_64": ({}, []),
    "manylinux2014_aarch64.manylinux_2_17_aarch64": (
        {"_PYTHON_HOST_PLATFORM": "linux-aarch64"},
        [TOOLCHAIN],
    ),
    "musllinux_1_2_x86_64": ({"CC": "musl-gcc"}, []),
}
DEBIAN = "libc6 libgcc-s1 libstdc++6 zlib1g libexpat1 libffi8"
DEBIAN += " python3.11-minimal libpython3.11-minimal libpython3.11-stdlib"
FETCH = f"""
mkdir -p apt/lists/partial apt/cache/archives/partial && touch apt/status && cd apt
private="-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists=$PWD/lists
    -o Dir::State::status=$PWD/status -o Dir::Cache=$PWD/cache -o APT::Sandbox::User="
apt-get $private update -qq && apt-get $private download -qq {DEBIAN}
for package in *.deb; do dpkg -x $package ..; done
"""
USE = """
import sys, platform
sys.path[:0] = sys.argv[1:]
import numpy, perlane
field = perlane.Field("octaves=6", frequency=0.01)
heights = field.fill((300, 200), threads=2)
assert heights.tobytes() == field.points(*numpy.mgrid[:300, :200][::-1]).tobytes()
assert field.shade((30, 40)).shape == (30, 40, 3)
print(platform.machine(), sys.version.split()[0], perlane.isa(), hex(perlane.selftest()))
"""
LOAD = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *library = dlopen(argv[argc - 1], RTLD_NOW);
  int (*test)(int, unsigned long long *) = library ? dlsym(library, "perlane_selftest") : 0;
  unsigned long long digest = 0;
  if (!test || test(0, &digest) != 0)
    return puts(library ? "self-test failed" : dlerror()), 1;
  printf("musl 0x%llx\n", digest);
}
"""


def run(*command, cwd=FOLDER, **variables):
    done = subprocess.run(
        command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, **variables},
    )  # fmt: skip
    return done.returncode == 0, done.stdout


def pip(*arguments):
    return run(PYTHON, "-m", "pip", "-q", "--disable-pip-version-check", *arguments)


def used(what, said):
    ok, output = said
    check(f"{os.path.basename(what)}: used: {output.strip() if ok else ''}",
          ok and DIGEST in output, output)  # fmt: skip


def build(tag, source):
    """Builds a wheel, and gives it the tag if its symbols allow that."""
    variables, arguments = TARGETS[tag]
    plain = os.path.join(FOLDER, tag)
    said = run(PYTHON, "-m", "build", "-w", "-n", "-o", plain, *arguments, source, **variables)
    wheels = glob.glob(f"{plain}/*.whl")
    check(f"{tag}: built", said[0] and len(wheels) == 1, said[1])
    if not wheels:
        return None
    library = zipfile.ZipFile(wheels[0]).extract("perlane/libperlane.so", plain)
    about = run("readelf", "-d", "--version-info", library)[1]
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", about))
    versions = {tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", about)}
    allowed = {"libc.so"} if "musl" in tag else {"libc.so.6", "libm.so.6"}
    newest = max(versions, default=(0, 0))
    oldest = (0, 0) if "musl" in tag else (2, 17)
    check(f"{tag}: needs {sorted(needed)}, glibc {newest}", needed <= allowed and newest <= oldest)
    said = run(PYTHON, "-m", "wheel", "tags", "--remove", "--platform-tag", tag, wheels[0])
    (wheel,) = glob.glob(f"{plain}/*.whl")
    check(f"{tag}: tagged", said[0] and os.path.basename(wheel).endswith(f"-py3-none-{tag}.whl"))
    return shutil.copy(wheel, DIST)


def use_here(what):
    """Installs a file in an empty environment of this machine's Python."""
    environment = os.path.join(FOLDER, "environment")
    shutil.rmtree(environment, ignore_errors=True)
    with open(os.path.join(SOURCE, "build/python/pythons")) as file:
        python = file.readline().split()[1]
    run(python, "-m", "venv", "--without-pip", environment)
    inside = os.path.join(environment, "bin/python")
    said = pip("--python", inside, "install", "--no-index", "--find-links", FETCHED, what)
    used(what, run(inside, "-I", "-c", USE) if said[0] else said)


def use_arm64(wheel):
    os.makedirs(ARM64, exist_ok=True)
    python, site = f"{ARM64}/usr/bin/python3.11", f"{ARM64}/site"
    for_it = "--platform=manylinux_2_17_aarch64", "--platform=manylinux_2_28_aarch64"
    for_it += "--python-version=3.11", "--only-binary=:all:", "--target", site
    if not os.path.exists(python):
        said = run("sh", "-euc", FETCH, cwd=ARM64)
        if not said[0]:
            print(f"not run: {wheel}: no Python for AArch64: {said[1]}")
            return
    said = pip("install", "--upgrade", *for_it, wheel)
    emulated = "qemu-aarch64", "-L", ARM64, python, "-I", "-c", USE, site
    used(wheel, run(*emulated) if said[0] else said)


def use_musl(wheel):
    program = os.path.join(FOLDER, "load")
    library = zipfile.ZipFile(wheel).extract("perlane/libperlane.so", f"{FOLDER}/musl")
    with open(f"{program}.c", "w") as file:
        file.write(LOAD)
    said = run("musl-gcc", "-o", program, f"{program}.c")
    used(wheel, run(program, library) if said[0] else said)
    print("not run: the wheel in a Python with musl, of which there is none")


with open(os.path.join(SOURCE, "include/perlane.h")) as header:
    DIGEST = re.search(r"DIGEST UINT64_C\((0x\w+)\)", header.read())[1].lower()
for old in [DIST, *(os.path.join(FOLDER, tag) for tag in TARGETS)]:
    shutil.rmtree(old, ignore_errors=True)
os.makedirs(DIST)
said = run(PYTHON, "-m", "build", "-s", "-n", "-o", DIST, SOURCE)
archives = glob.glob(f"{DIST}/*.tar.gz")
check("the source archive is built", said[0] and archives, said[1])
if archives:
    with tarfile.open(archives[0]) as tar:
        tar.extractall(FOLDER, filter="data")
    source = os.path.join(FOLDER, os.path.basename(archives[0])[: -len(".tar.gz")])
    for tag, use in zip(TARGETS, (use_here, use_arm64, use_musl)):
        wheel = build(tag, source)
        if wheel:
            use(wheel)
    use_here(archives[0])
    print(*sorted(glob.glob(f"{DIST}/*")), sep="\n")
sys.exit(total())
