#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of where the command writes to: outputs.py PERLANE WORK.

Files that appear whole or not at all, also after SIGKILL and with several processes at once; streams,
the free space on a disk, the memory that large maps take, and the lines of `perlane points`.
"""
import ctypes
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, run_steps

PERLANE = os.path.abspath(sys.argv[1])
WORK = os.path.abspath(sys.argv[2])
HUGE = ["--size", "100k", "--octaves", "8", "--force"]


def run(*arguments, **options):
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([PERLANE, *map(str, arguments)], stderr=subprocess.PIPE, check=False,
                          **options)


def content(file):
    with open(file, "rb") as stream:
        return stream.read()


def refused(name, done, status, text):
    message = done.stderr.decode()
    check(name, done.returncode == status and text in message and not done.stdout,
          "%d %s" % (done.returncode, message))


def start(*arguments):
    """Starts a run and waits until it has begun to write."""
    before = set(os.listdir("."))
    process = subprocess.Popen([PERLANE, *map(str, arguments)], stderr=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            if any(os.path.getsize(file) for file in os.listdir(".") if file not in before):
                break
        except FileNotFoundError:
            continue  # it was only tried
        time.sleep(0.01)
    return process


# ---- Streams ----

def read_fifo(fifo, arguments):
    """What a fifo's reader gets, and the run that wrote it."""
    got = []
    reader = threading.Thread(target=lambda: got.append(content(fifo)), daemon=True)
    reader.start()
    done = run("fill", "-o", fifo, *arguments)
    reader.join(600)
    return got[0] if got else None, done


def streams():
    place = ["-q", "--size", "70x50", "--octaves", 3]
    for name in ("png", "r16", "r32", "raw", "pgm", "pfm", "npy"):
        run("fill", "-o", "want." + name, *place)
        want = content("want." + name)
        check("--format %s to -" % name, run("fill", "-o", "-", "--format", name, *place).stdout == want)
        check("and to /dev/stdout",
              run("fill", "-o", "/dev/stdout", "--format", name, *place).stdout == want)
        before = set(os.listdir("."))
        os.mkfifo("pipe." + name)
        got, done = read_fifo("pipe." + name, place)
        check("and to a fifo, by its suffix", got == want, done.stderr.decode())
        check("which stays one, alone", stat.S_ISFIFO(os.stat("pipe." + name).st_mode) and
              set(os.listdir(".")) - before == {"pipe." + name})
        os.remove("pipe." + name)
        run("fill", "-o", "other.suffix", "--format", name, *place)
        check("and to a file of another suffix", content("other.suffix") == want)
        check("whose sidecar is beside it as usual",
              os.path.exists("want.%s.txt" % name) == os.path.exists("other.suffix.txt"))
        for file in os.listdir("."):
            os.remove(file)
    run("fill", "-o", "raw.raw", *place)
    raw = content("raw.raw")
    check("- alone is raw", run("fill", "-o", "-", *place).stdout == raw)
    os.mkfifo("fifo")
    check("and so is a fifo without a suffix", read_fifo("fifo", place)[0] == raw)
    for arguments in ([], ["--format", "png"], ["--for", "godot", "--size", "1025"]):
        done = run("fill", "-o", "/dev/null", *place, *arguments)
        check("/dev/null with %s" % arguments, done.returncode == 0, done.stderr.decode())
    check("stays a device", stat.S_ISCHR(os.stat("/dev/null").st_mode))
    done = run("fill", "-o", "-", "--save-params", "saved.txt", *place)
    check("a stream's options are saved", done.stdout == raw and b"octaves=3" in content("saved.txt"))
    for target in ("-", "/dev/stdout", "fifo", "/dev/null"):
        done = run("fill", "-o", target, "--format", "tif", *place)
        refused("no TIFF to %s" % target, done, 2, "TIFF needs a regular file")
    refused("an unknown format", run("fill", "-o", "a.png", "--format", "gif"), 2, "png, tif")
    refused("a name without a format", run("fill", "-o", "a.gif"), 2, "--format")
    refused("a format without floats", run("fill", "-o", "a.r32", "--format", "png", "--bits", 32), 2,
            "--bits 32: .png files")
    check("nothing else is written", sorted(os.listdir(".")) == ["fifo", "raw.raw", "raw.raw.txt",
                                                                "saved.txt"], os.listdir("."))


def closed_pipes():
    """A reader that goes away ends the command as it ends cat: by SIGPIPE, without a message."""
    for arguments in (["fill", "-q", "-o", "-"], ["fill", "-q", "-o", "-", "--format", "png"]):
        process = subprocess.Popen([PERLANE, *arguments, "--size", "4k"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.read(10)
        process.stdout.close()
        message = process.stderr.read()
        check("SIGPIPE ends %s" % arguments, process.wait() == -signal.SIGPIPE and message == b"",
              message)
        process = subprocess.Popen([PERLANE, *arguments, "--size", "4k"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, restore_signals=False,
                                   preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
        process.stdout.read(10)
        process.stdout.close()
        message = process.stderr.read().decode()
        check("where it is ignored, one message does", process.wait() == 1 and
              message == "perlane fill: cannot write to the standard output: Broken pipe\n", message)


# ---- Temporary files ----

def killed():
    for suffix in ("tif", "png", "r16"):
        name = "map." + suffix
        process = start("fill", "-o", name, *HUGE)
        check("until it is complete a .%s has another name" % suffix,
              os.listdir(".") == [".%s.perlane-part" % name], os.listdir("."))
        done = run("fill", "-o", name, "--size", 32)
        refused("which no other process writes", done, 1, "'%s': another process is writing it" % name)
        check("nor removes", process.poll() is None and os.listdir(".") == [".%s.perlane-part" % name])
        process.kill()
        process.wait()
        check("SIGKILL leaves it", os.listdir(".") == [".%s.perlane-part" % name])
        done = run("fill", "-o", name, "--size", 32)
        expected = [name, name + ".txt"] if suffix == "r16" else [name]
        check("and the next run does not", done.returncode == 0 and sorted(os.listdir(".")) == expected,
              done.stderr.decode() + str(os.listdir(".")))
        for file in os.listdir("."):
            os.remove(file)


def hostile_names():
    """A temporary file is never written through what somebody else put in its place."""
    with open("victim", "wb") as stream:
        stream.write(b"precious")
    os.link("victim", ".a.png.perlane-part")
    done = run("fill", "-o", "a.png", "--size", 8)
    check("a hard link is replaced", done.returncode == 0 and sorted(os.listdir(".")) ==
          ["a.png", "victim"], done.stderr.decode())
    os.symlink("victim", ".b.png.perlane-part")
    done = run("fill", "-o", "b.png", "--size", 8)
    check("a symbolic link is refused", done.returncode == 1 and not os.path.exists("b.png"))
    os.remove(".b.png.perlane-part")
    check("and neither changes its file", content("victim") == b"precious")
    for length in (241, 242, 251):
        name = "n" * (length - 4) + ".r16"
        done = run("fill", "-o", name, "--size", 8)
        check("a name of %d characters" % length, done.returncode == 0 and
              os.path.getsize(name) == 128 and os.path.exists(name + ".txt"), done.stderr.decode())
        os.remove(name)
        os.remove(name + ".txt")
    os.remove("a.png")
    os.remove("victim")


def without_override():
    """Lets permissions bind root, too."""
    PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) != 0:
        raise OSError("prctl")


def not_removable():
    """A temporary file that no process has locked, in a folder without write permission."""
    os.mkdir("locked")
    for name in (".a.r16.perlane-part", "b.png", ".b.png.perlane-part"):
        with open("locked/" + name, "wb") as stream:
            stream.write(b"precious")
    os.chmod("locked", 0o555)
    try:
        for name in ("a.r16", "b.png"):
            done = run("fill", "-o", "locked/" + name, "--size", 8, preexec_fn=without_override,
                       timeout=600)
            refused("a file that cannot be removed", done, 1, "'locked/%s': '.%s.perlane-part' of an "
                    "earlier run cannot be removed: Permission denied" % (name, name))
    except subprocess.SubprocessError as error:
        check("a file that cannot be removed", False, error)
    os.chmod("locked", 0o755)
    check("stays as it was", [content("locked/" + name) for name in sorted(os.listdir("locked"))] ==
          [b"precious"] * 3)


def races():
    """Several processes write one file at once: it is always a whole one of theirs."""
    want = [run("fill", "-q", "-o", "-", "--size", 256, "--seed", seed).stdout for seed in range(4)]
    successes = busy = 0
    for _ in range(30):
        processes = [subprocess.Popen([PERLANE, "fill", "-q", "-o", "race.raw", "--size", "256",
                                       "--seed", str(seed)], stderr=subprocess.PIPE)
                     for seed in range(4)]
        messages = [process.communicate()[1].decode() for process in processes]
        statuses = [process.returncode for process in processes]
        successes += statuses.count(0)
        busy += sum("another process is writing it" in message for message in messages)
        if content("race.raw") not in want or sorted(os.listdir(".")) != ["race.raw", "race.raw.txt"]:
            check("a race leaves a whole file", False, "%s %s %s" % (statuses, messages, os.listdir(".")))
            return
    check("races leave whole files", True)
    check("each process writes the file or says why not", successes >= 30 and successes + busy == 120,
          "%d wrote it, %d did not" % (successes, busy))
    print("%d of 120 processes found the file busy" % busy)


# ---- The disk ----

def parse_sizes(message):
    return [int(number) for number in re.findall(r"\((\d+) bytes\)", message)]


def space():
    disk = os.statvfs(".")
    free = disk.f_bavail * disk.f_frsize
    side = 2 ** 20
    while 2 * side * side < 1000 * free:
        side *= 2
    for suffix, bytes_ in (("raw", 2), ("npy", 4), ("png", 2), ("tif", 2)):
        size = min(side, 2 ** 31 - 1) if suffix == "png" else side
        smallest = bytes_ * size * size // (1000 if suffix in ("png", "tif") else 1)
        done = run("fill", "-o", "big." + suffix, "--size", size)
        message = done.stderr.decode()
        refused("a .%s beyond the free space" % suffix, done, 1, "--force")
        sizes = parse_sizes(message)
        check("with both sizes", len(sizes) == 2 and sizes[0] == smallest and sizes[1] < smallest and
              re.search(r"needs at least [0-9.e+]+ [GTPE]iB \(\d+ bytes\), and [0-9.]+ \w+ \(", message),
              message)
    check("and nothing is left", os.listdir(".") == [], os.listdir("."))

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    # A failure must not wait for all the blocks that were to follow.
    done = run("fill", "-o", "big.raw", "--size", side, "--force", preexec_fn=limit, timeout=600)
    refused("--force begins it", done, 1, "File too large")
    check("and nothing is left", os.listdir(".") == [], os.listdir("."))
    side = 1
    while 2 * side * side < 2 * free:
        side *= 2
    note = ["fill", "-o", "doubt.png", "--size", side, "--octaves", 8]
    done = run(*note, preexec_fn=limit)
    refused("a .png that might not fit is begun with a note", done, 1, "note: 'doubt.png' may not fit")
    done = run(*note, "-q", preexec_fn=limit)
    check("which --quiet leaves out", b"note" not in done.stderr, done.stderr.decode())


def small_disk():
    """In a mount namespace of its own, so that nothing is left mounted."""
    def on_disk(*arguments):
        inside = ("mount -t tmpfs -o size=4m none \"$0\" && cd \"$0\" || exit 99\n"
                  "\"$@\"; status=$?; ls -A; exit $status")
        return subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", inside,
                               os.getcwd(), PERLANE, *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
    try:
        done = on_disk("info")
    except FileNotFoundError:
        print("not run: there is no unshare command to mount a small disk with")
        return
    if done.returncode != 0:
        print("not run: no small disk can be mounted here:", done.stderr.decode().strip())
        return
    done = on_disk("fill", "-o", "a.r16", "--size", "2048x1023")
    check("a map that fits on a small disk", done.returncode == 0 and done.stdout.split() ==
          [b"a.r16", b"a.r16.txt"], done.stderr.decode())
    done = on_disk("fill", "-o", "a.r16", "--size", "2048x1025")
    check("one row too many", done.returncode == 1 and done.stdout == b"" and
          b"4 MiB (4198400 bytes), and 4 MiB (4194304 bytes) are free; --force" in done.stderr,
          done.stderr.decode())
    done = on_disk("fill", "-o", "a.r16", "--size", "2048x1025", "--force")
    check("with --force", done.returncode == 1 and done.stdout == b"" and
          b"No space left" in done.stderr, done.stderr.decode())
    done = on_disk("fill", "-o", "a.tif", "--size", "2048x2048", "--bits", "8", "--frequency", 1e-5)
    check("one that its compression makes fit", done.returncode == 0 and done.stdout == b"a.tif\n" and
          b"note: 'a.tif' may not fit" not in done.stderr, done.stderr.decode())
    done = on_disk("fill", "-o", "a.tif", "--size", "4096x4096", "--bits", "8", "--frequency", 1e-5)
    check("and with a note", done.returncode == 0 and b"note: 'a.tif' may not fit" in done.stderr,
          done.stderr.decode())


# ---- Memory ----

PEAK = """
import resource, subprocess, sys
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
try:
    process.wait(float(sys.argv[1]))
except subprocess.TimeoutExpired:
    process.terminate()
    process.wait()
print(process.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


def memory():
    """Peaks in MiB; a buffered row of these maps' tiles would be 200 to 1000, a row of samples 400."""
    if os.environ.get("PERLANE_SANITIZED"):
        print("not run: the use of memory, which sanitizers add to")
        return
    for name, arguments, seconds in (
            ("a wide TIFF", ["-o", "wide.tif", "--size", "400000x512", "--compression", "none", "--bits", 8],
             600),
            ("a tall TIFF", ["-o", "tall.tif", "--size", "100x1000000", "--compression", "none"], 600),
            ("a wide picture", ["-o", "wide.tif", "--size", "200000x256", "--palette", "terrain", "--shade",
                                "--compression", "none"], 600),
            ("a row of 100 million", ["-o", "/dev/null", "--format", "r32", "--size", "100000000x1"], 600),
            ("a line of 100 million", ["-o", "-", "--format", "npy", "--size", "100000000", "--axes", 1],
             600),
            ("a TIFF of 1M x 1M, begun", ["-o", "huge.tif", "--size", "1M", "--force"], 4)):
        done = subprocess.run([sys.executable, "-c", PEAK, str(seconds), PERLANE, "fill", "-q",
                               "--threads", "2", *map(str, arguments)], stdout=subprocess.PIPE, check=True)
        status, peak = map(int, done.stdout.split())
        check("%s takes at most 128 MiB" % name, peak <= 128 and status in (0, -signal.SIGTERM),
              "%d MiB, status %d" % (peak, status))
    for file in os.listdir("."):
        os.remove(file)


def blocks():
    """Maps that are cut within their rows, and TIFFs within their rows of tiles."""
    import numpy as np
    from PIL import Image
    Image.MAX_IMAGE_PIXELS = None
    for place, picture in ((["--size", "20000x300"], []), (["--size", "9001x600"], ["--palette", "clouds"]),
                           (["--size", "9000x520", "--bits", "32"], [])):
        files = []
        for threads in (1, 3):
            run("fill", "-o", "a.tif", "--threads", threads, "--octaves", 2, *place, *picture)
            files.append(content("a.tif"))
        check("a TIFF of %s, cut otherwise by 3 threads" % place, files[0] == files[1])
        image = np.array(Image.open("a.tif"))
        if picture:
            run("fill", "-o", "a.png", "--octaves", 2, *place, *picture)
            want = np.array(Image.open("a.png"))
        else:
            bits = int(place[3]) if len(place) > 2 else 16
            raw = run("fill", "-o", "-", "--bits", bits, "--octaves", 2, *place).stdout
            want = np.frombuffer(raw, "<f4" if bits == 32 else "<u2").reshape(image.shape)
        check("has the samples of other formats", np.array_equal(image.astype(want.dtype), want))
    for threads in (1, 3):
        run("fill", "-o", "long.pfm", "--size", "1500001x3", "--threads", threads)
        rows = np.frombuffer(content("long.pfm")[-4 * 3 * 1500001:], "<f4").reshape(3, -1)[::-1]
        raw = run("fill", "-o", "-", "--bits", 32, "--size", "1500001x3").stdout
        check("a .pfm with rows longer than blocks, %d threads" % threads, rows.tobytes() == raw)
    for file in os.listdir("."):
        os.remove(file)


# ---- Points ----

def points():
    text = b"# x y\n\n1 2\n   \n1e300,5\n# between\n3 4\r\n\tinf 1\n\n"
    done = run("points", input=text)
    lines = done.stdout.decode().split("\n")
    given = text.decode().replace("\r", "").split("\n")
    check("as many lines as there are of the input", len(lines) == len(given), lines)
    check("line by line", all(
        (out == line) if not line.strip() or line.startswith("#") else
        (out == "nan") if "e300" in line or "inf" in line else abs(float(out)) < 1
        for line, out in zip(given, lines)), lines)
    check("nan is counted", done.returncode == 0 and done.stderr ==
          b"perlane points: note: 2 of 4 positions are outside the domain; the value is nan\n",
          done.stderr.decode())
    done = run("points", "--with-gradient", "--bits-out", input=b"1e300 1\n")
    check("with a gradient, as bits", done.stdout == b"7fc00000 7fc00000 7fc00000\n" and
          b"1 of 1 position is outside" in done.stderr, done.stdout + done.stderr)
    done = run("points", input=b"1 2\n3 4\n")
    check("positions inside need no note", done.returncode == 0 and done.stderr == b"")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            done = run("points", input=b"# c\n" * 100000, stdout=full)
        check("comments that cannot be written", done.returncode == 1 and b"No space left" in done.stderr,
              done.stderr.decode())


sys.exit(run_steps(WORK, (streams, closed_pipes, killed, hostile_names, not_removable, races,
                          space, small_disk, memory, blocks, points)))
