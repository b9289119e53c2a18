# SPDX-License-Identifier: MIT
"""Shared by the tests of the command, which are run as: python3 SCRIPT PERLANE WORK"""

import collections
import contextlib
import ctypes
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import checks  # noqa: E402
from checks import check  # noqa: E402

import numpy as np  # noqa: E402

PERLANE, WORK = map(os.path.abspath, sys.argv[1:])
ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
IS_SANITIZED = "PERLANE_SANITIZED" in os.environ
HAS_FULL = os.path.exists("/dev/full")
os.environ["LC_ALL"] = "C"
for variable in ("PERLANE_ISA", "POSIXLY_CORRECT"):
    os.environ.pop(variable, None)
for number in (signal.SIGINT, signal.SIGQUIT):  # which a script's background jobs ignore, with all that they start
    signal.signal(number, signal.SIG_DFL)

Done = collections.namedtuple("Done", "status out err")


def run_steps(*steps):
    return checks.run_steps(WORK, steps)


def words(line, *arguments):
    """The words of a command line as in a shell, and further ones as they are."""
    return [*shlex.split(line), *map(str, arguments)]


def run(line, *arguments, text=b"", **options):
    """Returns the command's exit status, its standard output as bytes, and its messages."""
    if "stdin" not in options:
        options["input"] = text.encode() if isinstance(text, str) else text
    done = subprocess.run([PERLANE, *words(line, *arguments)], stderr=subprocess.PIPE, check=False,
                          **{"stdout": subprocess.PIPE, **options})
    return Done(done.returncode, done.stdout, done.stderr.decode(errors="replace"))


def start(line, *arguments, **options):
    return subprocess.Popen([PERLANE, *words(line, *arguments)],
                            **{"stderr": subprocess.DEVNULL, **options})


def fill(line, *arguments):
    """Fills without a report, and checks that nothing is said."""
    done = run("fill -q " + line, *arguments)
    if done.status != 0 or done.err:
        check("fill " + " ".join(words(line, *arguments)), False, done.err)
    return done


def printed(line, *arguments):
    """The options that --print-params prints of a command line, by their names."""
    lines = run(line + " --print-params", *arguments).out.decode().splitlines()
    return dict(each.split("=", 1) for each in lines[1:]) if lines else None


def refused(name, status, text, line, *arguments, **options):
    """Checks that a command is refused: with this status, a message that has the text and, where
    the arguments are at fault, points at the help, no output, and no file changed."""
    before = listing()
    done = run(line, *arguments, **options)
    hint = "\ntry 'perlane" in done.err and done.err.endswith("--help'\n")
    check(f"{name or ' '.join(words(line, *arguments))[:200]!r} is refused",
          done.status == status and text in done.err and not done.out and listing() == before
          and hint == (status == 2), f"status {done.status}, expected {status} and: {text}\n{done.err}")


# ---- Files ----


def read(name):
    with open(name, "rb") as file:
        return file.read()


def write(name, content):
    with open(name, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return name


def same(name, one, other):
    check(name, read(one) == read(other), f"{one} and {other} differ")


def listing(folder="."):
    return sorted(os.listdir(folder))


def tree(folder):
    """All files of a folder, by their names in it."""
    return {os.path.relpath(os.path.join(path, file), folder): read(os.path.join(path, file))
            for path, _, files in os.walk(folder) for file in files}


def clear():
    for name in os.listdir("."):
        shutil.rmtree(name) if os.path.isdir(name) and not os.path.islink(name) else os.remove(name)


def png_chunks(data):
    """Names and data of a PNG's chunks, whose checksums are right; the last one is the file's end."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, found = 8, []
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + body), kind
        found.append((kind, body))
        at += 12 + length
    assert found[-1] == (b"IEND", b"")
    return found


def png(*chunks):
    """A PNG of one grey pixel, with these chunks after its head."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    head = b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in (head, *chunks, (b"IEND", b"")))


def exr(file):
    """The floats of an OpenEXR file with one channel, without compression, as its documentation describes
    them; and its attributes."""
    data, at, attributes = read(file), 8, {}
    assert struct.unpack_from("<II", data) == (20000630, 2)
    while data[at]:
        name, kind, rest = data[at:].split(b"\0", 2)
        at = len(data) - len(rest) + 4
        size, = struct.unpack_from("<I", rest)
        attributes[name.decode()] = kind, data[at:at + size]
        at += size
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"][1])
    width, height = right - left + 1, bottom - top + 1
    rows = []
    for y, place in enumerate(struct.unpack_from(f"<{height}Q", data, at + 1)):
        assert struct.unpack_from("<iI", data, place) == (top + y, 4 * width)
        rows.append(np.frombuffer(data, "<f4", width, place + 8))
    assert place + 8 + 4 * width == len(data) and attributes["compression"][1] == b"\0"
    return np.array(rows), attributes


def pixels(file):
    """An image's samples in rows, of the type that the file has."""
    if file.endswith(".exr"):
        return exr(file)[0]
    from PIL import Image  # which not every test needs
    Image.MAX_IMAGE_PIXELS = None
    array = np.array(Image.open(file))
    bits = png_chunks(read(file))[0][1][8] if file.lower().endswith(".png") else 16
    return array.astype("<u2") if bits == 16 and array.dtype.kind in "iu" and array.itemsize > 1 else array


# ---- What to expect ----


def values(field, size, first=(), origin=()):
    """The field's floats at a grid, x fastest: from `perlane points`, bit for bit."""
    axes = [(o + np.arange(f, f + n, dtype=float)).tolist() for n, f, o in
            zip(size, [*first, 0, 0, 0, 0], [*origin, 0, 0, 0, 0])]
    lines = "\n".join(",".join("%.17g" % axes[a][i] for a, i in enumerate(index)) for index in
                      np.indices(size[::-1]).reshape(len(size), -1)[::-1].T)
    found = run(f"points --dims {len(size)} --bits-out", *words(field), text=lines).out.split()
    return np.array([int(word, 16) for word in found], np.uint32).view(np.float32).reshape(size[::-1])


def levels(field, bits, low=-1, high=1):
    """As include/perlane.h states the rule, in float, operation by operation."""
    low, high, most = np.float32(low), np.float32(high), 2 ** bits - 1
    scaled = (field - low) * np.float32(most / (float(high) - float(low)))
    return np.clip(np.rint(scaled), 0, most).astype("<u2" if bits == 16 else np.uint8)


def is_same(got, want):
    """Arrays of the same shape and kind of numbers, bit for bit."""
    return got.shape == want.shape and got.dtype.kind == want.dtype.kind and \
        got.tobytes() == np.ascontiguousarray(want).astype(got.dtype).tobytes()


# ---- Where to run ----

MEASURE = """import resource, subprocess, sys
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
try:
    process.wait(float(sys.argv[1]))
except subprocess.TimeoutExpired:
    process.terminate()
    process.wait()
print(process.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"""


def peak(line, *arguments, seconds=600):
    """The status, the peak memory in MiB and the messages of a run, which is ended after this time."""
    done = subprocess.run([sys.executable, "-c", MEASURE, str(seconds), PERLANE, *words(line, *arguments)],
                          capture_output=True, text=True, check=True)
    return *map(int, done.stdout.split()), done.stderr


def without_override():
    """Lets permissions bind root, too."""
    PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH) if os.geteuid() == 0 else ():
        if ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            raise OSError("prctl")


def on_small_disk(size, script, *arguments):
    """Runs a shell script on a disk of this size, as a process with mounts of its own: nothing is left
    mounted. $0 is the command. None where that cannot be done, which is said."""
    inside = f'd=$1; shift; mount -t tmpfs -o size={size} none "$d" && cd "$d" || exit 99\n' + script
    with contextlib.suppress(FileNotFoundError):
        done = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", inside, PERLANE,
                               os.getcwd(), *arguments], capture_output=True, check=False)
        if done.returncode != 99 and b"unshare" not in done.stderr:
            return Done(done.returncode, done.stdout, done.stderr.decode())
    print("not run: no small disk can be mounted here")
    return None


def parameters():
    """The records of the field's options, from docs/parameters.md: name, kind, default and range of
    each, and the choices by option."""
    with open(os.path.join(ROOT, "docs/parameters.md"), encoding="utf-8") as file:
        parts = re.split(r"^##+ (?:Choices of `(\w+)`)?.*\n", file.read(), flags=re.M)
    options = re.findall(r"^\| `(\w+)` \| ([^|`]*) \| `(.*?)` \| ([^|]*) \|", "".join(filter(None, parts)), re.M)
    choices = {name: re.findall(r"^\| `(\w+)`", part, re.M)
               for name, part in zip(parts[1::2], parts[2::2]) if name}
    return options, choices
