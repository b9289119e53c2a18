# SPDX-License-Identifier: MIT
"""Builds the source archive and wheels, and tests the library of each: wheels.py FOLDER.

FOLDER/dist receives the archive, and wheels from it for x86_64 and AArch64 with glibc 2.17, and for
x86_64 with musl 1.2. AArch64 is compiled by Debian's cross compiler. A C program, which runs under
qemu for AArch64, loads each library and compares its self-test's digest; tests/package.py
installs a wheel and the archive, and uses them from Python.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
FOLDER = os.path.abspath(sys.argv[1])
DIST = os.path.join(FOLDER, "dist")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from checks import check, total

PYTHON = os.path.join(SOURCE, "build/python/venv/bin/python")
TOOLCHAIN = f"--config-setting=cmake.args=-DCMAKE_TOOLCHAIN_FILE={SOURCE}/packaging/cmake/arm64.cmake"
TARGETS = {  # tag: variables and arguments of the build, compiler, emulator
    "manylinux2014_x86_64.manylinux_2_17_x86_64": ({}, [], "gcc", []),
    "manylinux2014_aarch64.manylinux_2_17_aarch64": (
        {"_PYTHON_HOST_PLATFORM": "linux-aarch64"}, [TOOLCHAIN], "aarch64-linux-gnu-gcc",
        ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    ),  # fmt: skip
    "musllinux_1_2_x86_64": ({"CC": "musl-gcc"}, [], "musl-gcc", []),
}
LOAD = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *library = dlopen(argv[argc - 1], RTLD_NOW);
  int (*test)(int, unsigned long long *) = library ? dlsym(library, "perlane_selftest") : 0;
  unsigned long long digest = 0;
  if (!test || test(0, &digest) != 0)
    return puts(library ? "self-test failed" : dlerror()), 1;
  printf("0x%llx\n", digest);
}
"""


def run(*command, **variables):
    try:
        done = subprocess.run(command, cwd=FOLDER, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env={**os.environ, **variables})  # fmt: skip
    except FileNotFoundError as error:
        return False, str(error)
    return done.returncode == 0, done.stdout


def build(tag, source):
    """Builds a wheel, gives it the tag if its symbols allow that, and tests its library."""
    variables, arguments, compiler, emulator = TARGETS[tag]
    plain = os.path.join(FOLDER, tag)
    said = run(PYTHON, "-m", "build", "-w", "-n", "-o", plain, *arguments, source, **variables)
    wheels = glob.glob(f"{plain}/*.whl")
    check(f"{tag}: built", said[0] and len(wheels) == 1, said[1])
    if not wheels:
        return
    library = zipfile.ZipFile(wheels[0]).extract("perlane/libperlane.so", plain)
    about = run("readelf", "-d", "--version-info", library)[1]
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", about))
    versions = {tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", about)}
    is_musl = "musl" in tag
    allowed, oldest = ({"libc.so"}, (0, 0)) if is_musl else ({"libc.so.6", "libm.so.6"}, (2, 17))
    newest = max(versions, default=(0, 0))
    check(f"{tag}: needs {sorted(needed)}, glibc {newest}", needed <= allowed and newest <= oldest)
    program = os.path.join(plain, "load")
    said = run(compiler, "-o", program, LOAD_C, *([] if is_musl else ["-ldl"]))
    said = run(*emulator, program, library) if said[0] else said
    check(f"{tag}: computes {DIGEST}", said[0] and said[1].strip() == DIGEST, said[1])
    said = run(PYTHON, "-m", "wheel", "tags", "--remove", "--platform-tag", tag, wheels[0])
    (wheel,) = glob.glob(f"{plain}/*.whl")
    check(f"{tag}: tagged", said[0] and os.path.basename(wheel).endswith(f"-py3-none-{tag}.whl"))
    shutil.copy(wheel, DIST)


with open(os.path.join(SOURCE, "include/perlane.h")) as header:
    DIGEST = re.search(r"DIGEST UINT64_C\((0x\w+)\)", header.read())[1].lower()
for old in [DIST, *(os.path.join(FOLDER, tag) for tag in TARGETS)]:
    shutil.rmtree(old, ignore_errors=True)
os.makedirs(DIST)
LOAD_C = os.path.join(FOLDER, "load.c")
with open(LOAD_C, "w") as file:
    file.write(LOAD)
said = run(PYTHON, "-m", "build", "-s", "-n", "-o", DIST, SOURCE)
archives = glob.glob(f"{DIST}/*.tar.gz")
check("the source archive is built", said[0] and archives, said[1])
if archives:
    with tarfile.open(archives[0]) as tar:
        tar.extractall(FOLDER, filter="data")
    for tag in TARGETS:
        build(tag, os.path.join(FOLDER, os.path.basename(archives[0])[: -len(".tar.gz")]))
    print(*sorted(glob.glob(f"{DIST}/*")), sep="\n")
sys.exit(total())
