# SPDX-License-Identifier: MIT
"""Runs every command of docs/recipes.md, of docs/engines.md and of the README's section on the
command, and holds docs/images/ to what they write: python3 recipes.py PERLANE ROOT WORK [update],
where WORK is a directory to write in. With update it replaces the pictures by what they should be.

Prints a line per check, ends with their number, and exits with 1 if any failed.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

import numpy as np
from PIL import Image

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, total

if len(sys.argv) not in (4, 5) or sys.argv[4:] not in ([], ["update"]):
    sys.exit("usage: python3 recipes.py PERLANE ROOT WORK [update]")
PERLANE, ROOT, WORK = map(os.path.abspath, sys.argv[1:4])
UPDATE = len(sys.argv) == 5
DOCS = os.path.join(ROOT, "docs")
IMAGES = os.path.join(DOCS, "images")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


# ---- Where commands run ----

# As in the top folder: build/perlane, perlane where it is installed, and a python3 that has NumPy.
shutil.rmtree(WORK, ignore_errors=True)
for folder in ("build", "bin"):
    os.makedirs(os.path.join(WORK, folder))
    os.symlink(PERLANE, os.path.join(WORK, folder, "perlane"))
with open(os.path.join(WORK, "bin", "python3"), "w", encoding="utf-8") as wrapper:
    wrapper.write(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
os.chmod(wrapper.name, 0o755)
ENVIRONMENT = dict(os.environ, PATH=os.path.join(WORK, "bin") + os.pathsep + os.environ["PATH"])
for variable in ("PERLANE_ISA", "POSIXLY_CORRECT"):
    ENVIRONMENT.pop(variable, None)


def runs(name, commands):
    done = subprocess.run(["sh", "-euc", commands], cwd=WORK, env=ENVIRONMENT, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    check(name, done.returncode == 0, f"{commands}\nstatus {done.returncode}\n{done.stderr}")


# ---- Documents ----

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def sections(text):
    """Titles of the second level, and what stands under each."""
    parts = re.split(r"^## (.*)\n", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def blocks(text, language):
    return [body for kind, body in FENCED.findall(text) if kind == language]


def anchors(text):
    """What headings are linked by, as GitHub makes it."""
    titles = re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check_links(path):
    """Links and pictures that point to files of ours, and to headings in them."""
    text = read(ROOT, path)
    plain = re.sub(r"`[^`\n]*`", "", FENCED.sub("", text))
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", plain) if "://" not in link]
    broken = []
    for link in links:
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(ROOT, os.path.dirname(path), name)) if name else \
            os.path.join(ROOT, path)
        if not os.path.exists(target):
            broken.append(f"{link}: no such file")
        elif anchor and anchor not in anchors(read(target)):
            broken.append(f"{link}: no such heading")
    check(f"{path}: {len(links)} links of its own", not broken, "\n".join(broken))
    titles = [title for title, _ in sections(FENCED.sub("", text))]
    check(f"{path}: {len(titles)} sections, each once", len(set(titles)) == len(titles))


# ---- Recipes ----


def run_section(title, text):
    """Its programs get the names that its text mentions, in order."""
    programs = blocks(text, "python") + blocks(text, "gnuplot")
    names = list(dict.fromkeys(re.findall(r"`(\w+\.(?:py|gp))`", FENCED.sub("", text))))
    if len(names) != len(programs):
        check(f"{title}: a name for each program", False, f"{len(programs)} programs, {names}")
        return
    for name, program in zip(names, programs):
        with open(os.path.join(WORK, name), "w", encoding="utf-8") as file:
            file.write(program)
    for commands in blocks(text, "sh"):
        runs(f"{title}: runs", commands)


def pixels(path):
    with Image.open(path) as image:
        return image.mode, np.asarray(image).astype(int)


def check_plot(name, text, now):
    """Plots differ in their letters and in how lines are smoothed, by the machine's fonts and its
    cairo: here each line has its colour, and as many pixels as it needs to cross the plot."""
    for colour in re.findall(r'lc rgb "#(\w{6})"', text):
        off = np.abs(now[..., :3] - list(bytes.fromhex(colour))).sum(axis=-1)
        columns = int(np.count_nonzero((off < 60).any(axis=0)))
        check(f"{name} has a line of colour {colour} from side to side", columns > 300, columns)


def compare(name, text):
    """The command's pixels are the same everywhere. Where NumPy has a part in them (its sines and
    powers are the C library's, and differ in the last bit), 8-bit colours may differ by 2, and where
    such a bit moves an edge, one pixel in 1000 may be anything."""
    picture = os.path.join(IMAGES, name)
    made = os.path.join(WORK, name.removeprefix("recipe-"))
    exact = f"-o {os.path.basename(made)} " in text
    what = f"{name} is what its commands write" + ("" if exact else ", but for NumPy's last bits")
    if not os.path.exists(made):
        check(what, False, f"they write no {os.path.basename(made)}")
        return
    if UPDATE:
        shutil.copyfile(made, picture)
    if not os.path.exists(picture):
        check(what, False, f"docs/images has no {name}")
        return
    (mode, committed), (made_mode, now) = pixels(picture), pixels(made)
    if mode != made_mode or committed.shape != now.shape:
        check(what, False, f"{mode}, {committed.shape} is now {made_mode}, {now.shape}")
        return
    if blocks(text, "gnuplot"):
        check_plot(name, text, now)
        return
    off = np.abs(committed - now).reshape(*now.shape[:2], -1).max(axis=2)
    wrong = int(np.count_nonzero(off > (0 if exact else 2)))
    check(what, wrong <= (0 if exact else off.size // 1000),
          f"{wrong} of {off.size} pixels differ, by up to {off.max()}")


def check_recipes():
    shown = set()
    for title, text in sections(read(DOCS, "recipes.md")):
        run_section(title, text)
        for picture in re.findall(r"^!\[.+\]\(images/(.+)\)$", text, re.M):
            shown.add(picture)
            compare(picture, text)
    there = {name for name in os.listdir(IMAGES) if name.startswith("recipe-")}
    check(f"{len(there)} pictures, and each in its recipe", there == shown - {"terrain.png"},
          there ^ shown)


# ---- Other commands ----

# Lines that take too long as they are, and what runs instead.
SHORTER = [
    (" --size 64k ", " --size 1k ", "64k x 64k takes minutes; 1k x 1k instead"),
    (" --size 4k ", " --size 1k ", "4k x 4k takes seconds; 1k x 1k instead"),
    ("perlane bench", "perlane bench --seconds 0.1", "bench takes 4 seconds; 0.1 instead"),
]


def run_lines(path, text):
    for line in "".join(blocks(text, "sh")).splitlines():
        command = line
        for long, short, reason in SHORTER:
            if long in command:
                command = command.replace(long, short)
                print("skipped:", reason)
        runs(f"{path}: {line.split('#')[0].strip()}", command)


for document in ["README.md", "CONTRIBUTING.md", "web/page/README.md"] + sorted(
        os.path.relpath(path, ROOT) for path in glob.glob(DOCS + "/**/*.md", recursive=True)):
    check_links(document)
check_recipes()
run_lines("README.md", dict(sections(read(ROOT, "README.md")))["The command"])
run_lines("docs/engines.md", read(DOCS, "engines.md"))

sys.exit(total())
