# SPDX-License-Identifier: MIT
"""Builds the source archive and wheels, and tests the library of each: wheels.py FOLDER [TAG...].

FOLDER/dist receives the archive, and wheels from it: for Linux on x86_64 and AArch64 with glibc 2.17
and on x86_64 with musl 1.2; for Windows and macOS on both, compiled by zig (build/zig). A C program
loads each library and compares its self-test's digest, under qemu for AArch64 and under Wine for
Windows on x86_64; the others are not run. tests/package.py installs a wheel and the archive, and uses
them from Python.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
FOLDER = os.path.abspath(sys.argv[1])
DIST = os.path.join(FOLDER, "dist")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from checks import check, total

PYTHON = os.path.join(SOURCE, "build/python/venv/bin/python")
ZIG = os.path.join(SOURCE, "build/zig/ziglang")
os.environ["PATH"] += os.pathsep + ZIG
# Outside of the source, whose folders the archive's build walks: Wine's contain a link to /.
WINE_FOLDER = tempfile.TemporaryDirectory()
os.environ.update(WINEPREFIX=WINE_FOLDER.name, WINEDEBUG="-all")


def toolchain(name):
    file = os.path.join(SOURCE, f"packaging/cmake/{name}.cmake")
    return [f"--config-setting=cmake.args=-DCMAKE_TOOLCHAIN_FILE={file}", "--config-setting=install.strip=false"]


def zig(target):
    return {"ZIG_TARGET": target}, toolchain("zig"), ["zig", "cc", "-target", target]


WINE = shutil.which("wine64") or "/usr/lib/wine/wine64"  # Debian's has no command in the path
TARGETS = {  # tag: variables and arguments of the build, compiler, emulator
    "manylinux2014_x86_64.manylinux_2_17_x86_64": ({}, [], ["gcc"], []),
    "manylinux2014_aarch64.manylinux_2_17_aarch64": (
        {"_PYTHON_HOST_PLATFORM": "linux-aarch64"}, toolchain("arm64"),
        ["aarch64-linux-gnu-gcc"], ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    ),  # fmt: skip
    "musllinux_1_2_x86_64": ({"CC": "musl-gcc"}, [], ["musl-gcc"], []),
    "win_amd64": (*zig("x86_64-windows-gnu"), [WINE]),
    "win_arm64": (*zig("aarch64-windows-gnu"), None),
    "macosx_11_0_x86_64": (*zig("x86_64-macos.11.0"), None),
    "macosx_11_0_arm64": (*zig("aarch64-macos.11.0"), None),
}
SYSTEM = {  # of Windows and macOS: the libraries of every machine, and the library's format
    "win": (r"KERNEL32\.dll|api-ms-win-crt-[\w-]+\.dll", r"COFF-(x86-64|ARM64)"),
    "mac": (r"@rpath/libperlane\.dylib|/usr/lib/libSystem\.B\.dylib", r"Mach-O (64-bit x86-64|arm64)"),
}
LOAD = r"""
#include <stdio.h>
#ifdef _WIN32
#include <windows.h>
#define OPEN(path) (void *)LoadLibraryA(path)
#define FIND(library, name) (void *)GetProcAddress(library, name)
#else
#include <dlfcn.h>
#define OPEN(path) dlopen(path, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
#endif
int main(int argc, char **argv) {
  void *library = OPEN(argv[argc - 1]);
  int (*test)(int, unsigned long long *) = library ? FIND(library, "perlane_selftest") : 0;
  unsigned long long digest = 0;
  if (!test || test(0, &digest) != 0)
    return puts(library ? "self-test failed" : "not loaded"), 1;
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


def needs_linux(tag, library):
    """Checks what a library for Linux is linked with."""
    about = run("readelf", "-d", "--version-info", library)[1]
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", about))
    versions = {tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", about)}
    is_musl = "musl" in tag
    allowed, oldest = ({"libc.so"}, (0, 0)) if is_musl else ({"libc.so.6", "libm.so.6"}, (2, 17))
    newest = max(versions, default=(0, 0))
    check(f"{tag}: needs {sorted(needed)}, glibc {newest}", needed <= allowed and newest <= oldest)


def needs_system(tag, library, allowed, format):
    """Checks what a library for Windows or macOS is linked with."""
    about = run("llvm-readobj", "--needed-libs", library)[1]
    needed = re.search(r"NeededLibraries \[(.*)\]", about, re.S)
    needed = needed[1].split() if needed else [about]
    is_right = re.search(f"Format: ({format})$", about, re.M) and needed
    check(f"{tag}: needs {needed}", is_right and all(re.fullmatch(allowed, each) for each in needed), about)


def build(tag, source):
    """Builds a wheel, gives it the tag if its symbols allow that, and tests its library."""
    variables, arguments, compiler, emulator = TARGETS[tag]
    plain = os.path.join(FOLDER, tag)
    said = run(PYTHON, "-m", "build", "-w", "-n", "-o", plain, *arguments, source, **variables)
    wheels = glob.glob(f"{plain}/*.whl")
    check(f"{tag}: built", said[0] and len(wheels) == 1, said[1])
    if not wheels:
        return
    name = {"win": "perlane.dll", "mac": "libperlane.dylib"}.get(tag[:3], "libperlane.so")
    library = zipfile.ZipFile(wheels[0]).extract(f"perlane/{name}", plain)
    if tag[:3] in SYSTEM:
        needs_system(tag, library, *SYSTEM[tag[:3]])
    else:
        needs_linux(tag, library)
    if emulator is None:
        print(f"not run: {tag}: there is no such machine, and no emulator of one")
    else:
        program = os.path.join(plain, "load.exe")
        said = run(*compiler, "-o", program, LOAD_C, *(["-ldl"] if "manylinux" in tag else []))
        said = run(*emulator, program, library) if said[0] else said
        # Wine may speak before it.
        check(f"{tag}: computes {DIGEST}", said[0] and said[1].splitlines()[-1] == DIGEST, said[1])
    said = run(PYTHON, "-m", "wheel", "tags", "--remove", "--platform-tag", tag, wheels[0])
    (wheel,) = glob.glob(f"{plain}/*.whl")
    check(f"{tag}: tagged", said[0] and os.path.basename(wheel).endswith(f"-py3-none-{tag}.whl"))
    shutil.copy(wheel, DIST)


with open(os.path.join(SOURCE, "include/perlane.h")) as header:
    DIGEST = re.search(r"DIGEST UINT64_C\((0x\w+)\)", header.read())[1].lower()
chosen = sys.argv[2:] or list(TARGETS)
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
    for tag in chosen:
        build(tag, os.path.join(FOLDER, os.path.basename(archives[0])[: -len(".tar.gz")]))
    print(*sorted(glob.glob(f"{DIST}/*")), sep="\n")
sys.exit(total())
