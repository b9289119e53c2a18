# SPDX-License-Identifier: MIT
"""Builds the package and installs it: package.py SOURCE ENVIRONMENT WORK [--all].

ENVIRONMENT is the folder that environment.py made. The source archive is built from SOURCE, and the
wheel from the archive. The wheel is installed in an empty environment; with --all in one for each Python of ENVIRONMENT's list, and the archive in
another. No network is needed.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

SOURCE, ENVIRONMENT, WORK = (os.path.abspath(path) for path in sys.argv[1:4])
IS_ALL = sys.argv[4:] == ["--all"]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from checks import check, total

PYTHON = os.path.join(ENVIRONMENT, "venv", "bin", "python")
DIST = os.path.join(WORK, "dist")
PIP = ["-q", "--disable-pip-version-check", "install", "--no-index", "--no-compile"]
WHEELS = ["--find-links", os.path.join(ENVIRONMENT, "wheels")]
FILES = [name for name in os.listdir(os.path.join(SOURCE, "bindings/python/perlane")) if name.endswith((".py", ".pyi"))]
USE = """
import sys, numpy, perlane
field = perlane.Field("octaves=6", frequency=0.01)
heights = field.fill((300, 200), threads=2)
assert heights.tobytes() == field.points(*numpy.mgrid[:300, :200][::-1]).tobytes()
assert field.shade((30, 40)).shape == (30, 40, 3)
print(sys.version.split()[0], sys.implementation.name, numpy.__version__, perlane.__version__,
      hex(perlane.selftest()))
"""


def run(*command, cwd=None):
    """Runs a command without the caller's settings; returns its status and output."""
    kept = ("PATH", "HOME", "TMPDIR", "LANG")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    done = subprocess.run(
        command,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env=environment,
    )
    return done.returncode, done.stdout


def only(suffix):
    names = [name for name in os.listdir(DIST) if name.endswith(suffix)]
    return os.path.join(DIST, names[0]) if len(names) == 1 else None


def installed(python, name, what, *settings):
    """Installs a file in an empty environment, and uses it there."""
    folder = os.path.join(WORK, name)
    status, said = run(python, "-m", "venv", "--without-pip", folder)
    inside = os.path.join(folder, "bin", "python")
    if status == 0:
        status, said = run(PYTHON, "-m", "pip", "--python", inside, *PIP, *WHEELS, *settings, what)
    if status == 0:
        status, said = run(inside, "-I", "-c", USE, cwd=folder)
    check(f"{os.path.basename(what)} in an empty environment: {said.strip() if not status else ''}",
          status == 0 and VERSION in said and DIGEST in said, said)  # fmt: skip


header = open(os.path.join(SOURCE, "include", "perlane.h")).read()
VERSION = re.search(r'PERLANE_VERSION "(.*)"', header)[1]
DIGEST = re.search(r"DIGEST UINT64_C\((0x\w+)\)", header)[1].lower()
shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)

# Compiling kernels takes longest; the other tests have them.
settings = "--config-setting=cmake.define.PERLANE_ISAS="
status, said = run(PYTHON, "-m", "build", "--no-isolation", settings, "-o", DIST, SOURCE)
archive, wheel = only(".tar.gz"), only(".whl")
check(
    "the archive, and the wheel from the archive, are built",
    status == 0 and archive and wheel,
    said,
)
if not (archive and wheel):
    sys.exit(total())

with tarfile.open(archive) as tar:
    names = {name.split("/", 1)[1] for name in tar.getnames() if "/" in name}
expected = {"CMakeLists.txt", "LICENSE", "PKG-INFO", "docs/python.md", "include/perlane.h"}
expected |= {f"include/perlane_{name}.h" for name in ("params", "text", "expression", "picture", "gpu")}
expected |= {"pyproject.toml", "bindings/python/CMakeLists.txt"}
expected |= {"bindings/python/perlane/py.typed"}
expected |= {f"bindings/python/perlane/{name}" for name in FILES}
for folder, _, files in os.walk(os.path.join(SOURCE, "src")):
    expected |= {os.path.relpath(os.path.join(folder, file), SOURCE) for file in files}
check("the archive has the sources and nothing else", names == expected, names ^ expected)

names = set(zipfile.ZipFile(wheel).namelist())
about = f"perlane-{VERSION}.dist-info"
names = {name for name in names if not name.startswith(f"{about}/")}
library = "libperlane.dylib" if sys.platform == "darwin" else "libperlane.so"
expected = {f"perlane/{name}" for name in [*FILES, "py.typed", library]}
check("the wheel has the modules and one library", names == expected, names ^ expected)
check("the wheel is for any Python 3 of the platform",
      re.fullmatch(rf"perlane-{VERSION}-py3-none-\w+\.whl", os.path.basename(wheel)), wheel)  # fmt: skip

if sys.platform == "linux" and platform.libc_ver()[0] == "glibc":
    status, said = run(PYTHON, "-m", "auditwheel", "show", wheel)
    tag = re.search(r'"(manylinux_2_\d+_\w+)"', " ".join(said.split()))
    check(f"auditwheel's tag is of manylinux: {tag and tag[1]}", status == 0 and tag, said)
    needed = set(re.findall(r"(lib\w+)\.so", said.split("symbols in")[-1]))
    check("the library needs nothing but the C library", needed <= {"libc", "libm"}, said)
else:
    print("not run: auditwheel, which is for Linux with glibc")

done = subprocess.run(
    [PYTHON, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", WORK, archive],
    env={**os.environ, "CC": "no-such-compiler"}, capture_output=True, text=True,
)  # fmt: skip
check("without a compiler pip says so", done.returncode != 0
      and "perlane needs a C compiler: apt install gcc" in done.stderr, done.stderr)
with open(os.path.join(ENVIRONMENT, "pythons")) as file:
    pythons = [line.rstrip("\n").split(" ", 1) for line in file]
for number, (kind, python) in enumerate(pythons if IS_ALL else pythons[:1]):
    installed(python, f"wheel-{number}", wheel)
if IS_ALL:
    installed(pythons[0][1], "archive", archive, "--config-settings=cmake.define.PERLANE_ISAS=")
    for kind in {"pypy", "cpythont"} - {kind for kind, _ in pythons}:
        print(f"not run: the package in {kind}, of which there is none")
sys.exit(total())
