# SPDX-License-Identifier: MIT
"""Checks the pages: python3 pages.py PERLANE ROOT WORK [update], where WORK is a directory to write in.

Links lead somewhere; a page shows, and a command makes, each of docs/images. The commands of docs/gallery.md,
docs/expressions.md, docs/engines.md and the README's section on the command run, and the expressions of
docs/expressions.md and of the table of nodes in docs/migrating/others.md. Pictures of the gallery and
of expressions are what their commands write, and the gallery's table has the looks of the command; update
replaces pictures and table by what they should be. Rates in the README are rows of docs/performance.md.

Prints a line per check, ends with their number, and exits with 1 if any failed.
"""

import fnmatch
import os
import re
import shlex
import shutil
import subprocess
import sys

import numpy as np
from PIL import Image

sys.dont_write_bytecode = True  # the source stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, total

if len(sys.argv) not in (4, 5) or sys.argv[4:] not in ([], ["update"]):
    sys.exit("usage: python3 pages.py PERLANE ROOT WORK [update]")
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


def pages():
    """Returns the paths of all pages in the source tree."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("build", "node_modules")]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files if name.endswith(".md")]
    return sorted(found)


def check_links(path):
    """Checks links and pictures that point to files of ours, and to headings in them. Returns the
    files."""
    text = read(ROOT, path)
    plain = re.sub(r"`[^`\n]*`", "", FENCED.sub("", text))
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", plain) if "://" not in link]
    broken, targets = [], set()
    for link in links:
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(ROOT, os.path.dirname(path), name)) if name else \
            os.path.join(ROOT, path)
        targets.add(target)
        if not os.path.exists(target):
            broken.append(f"{link}: no such file")
        elif anchor and anchor not in anchors(read(target)):
            broken.append(f"{link}: no such heading")
    check(f"{path}: {len(links)} links of its own", not broken, "\n".join(broken))
    return targets


# ---- The gallery ----

GALLERY = os.path.join(DOCS, "gallery.md")


def pixels(path):
    """Returns the pixels of a picture, and what else must be equal."""
    with Image.open(path) as image:
        array = np.asarray(image).astype(int)
        return array, (image.mode, array.shape, image.text)


def compare(picture, made):
    """The command's pixels and texts are the same everywhere, but not the bytes of the file."""
    what = f"{picture} is what its commands write"
    if not os.path.exists(made):
        check(what, False, f"they write no {os.path.basename(made)}")
        return
    picture = os.path.join(IMAGES, picture)
    now, rest = pixels(made)
    committed, committed_rest = pixels(picture) if os.path.exists(picture) else (None, None)
    if UPDATE and not (rest == committed_rest and np.array_equal(now, committed)):
        shutil.copyfile(made, picture)
        committed, committed_rest = now, rest
    if rest != committed_rest:
        check(what, False, f"{committed_rest} is now {rest}")
        return
    off = np.abs(committed - now)
    check(what, not off.any(), f"{np.count_nonzero(off)} of {off.size} numbers differ, by up to {off.max()}")


def check_looks():
    listed = subprocess.run([PERLANE, "looks"], text=True, capture_output=True, check=True).stdout
    looks = [line.split(maxsplit=1) for line in listed.splitlines()]
    check("there are looks", looks)
    cells = [f"| ![{name}](images/look-{name}.png) **{name}** {sentence} " for name, sentence in looks]
    table = "".join("".join(cells[i:i + 3]) + "|\n" for i in range(0, len(cells), 3))
    text = read(GALLERY)
    committed = "".join(re.findall(r"^\| !\[.*\n", text, re.M))
    if UPDATE and committed:
        with open(GALLERY, "w", encoding="utf-8") as file:
            file.write(text.replace(committed, table))
        committed = table
    check("docs/gallery.md has the looks of the command", committed == table, f"{committed}is now\n{table}")
    for name, _ in looks:
        made = os.path.join(WORK, f"look-{name}.png")
        runs(f"look {name}", f"build/perlane fill -q -o {made} --look {name} --size 256")
        compare(f"look-{name}.png", made)
    there = {name for name in os.listdir(IMAGES) if name.startswith("look-")}
    check("no other pictures of looks", there == {f"look-{name}.png" for name, _ in looks}, there)


def check_recipes(path, prefix):
    """Runs the commands of each section, and compares what they write with its pictures. The programs
    of a section get the names that its text mentions, in order."""
    shown = set()
    for title, text in sections(read(path)):
        names = list(dict.fromkeys(re.findall(r"`(\w+\.py)`", FENCED.sub("", text))))
        programs = blocks(text, "python")
        check(f"{title}: a name for each program", len(names) == len(programs), names)
        for name, program in zip(names, programs):
            with open(os.path.join(WORK, name), "w", encoding="utf-8") as file:
                file.write(program)
        for commands in blocks(text, "sh"):
            runs(f"{title}: runs", commands)
        for picture in re.findall(r"^!\[.+\]\(images/(.+)\)$", text, re.M):
            shown.add(picture)
            compare(picture, os.path.join(WORK, picture.removeprefix(prefix)))
    there = {name for name in os.listdir(IMAGES) if name.startswith(prefix)}
    shown = {name for name in shown if name.startswith(prefix)}
    check(f"{len(there)} pictures {prefix}, and each in its section", there == shown, there ^ shown)


# ---- Expressions ----

NODES = "docs/migrating/others.md"
NODE_FIELDS = {"a": "octaves=3", "b": "seed=2", "t": "seed=3"}


def evaluates(path, expression, fields):
    options = [f"--field-as {shlex.quote(f'{name}={text}')}" for name, text in fields.items()]
    runs(f"{path}: {expression}", f"build/perlane fill -q -o expression.npy --size 8x8x8 "
         f"--expression {shlex.quote(expression)} {' '.join(options)}")


def check_expressions():
    """Runs the recipes, those that are only a text, and the expressions in the table of nodes."""
    path = "docs/expressions.md"
    text = read(ROOT, path)
    check_recipes(os.path.join(ROOT, path), "expression-")
    for recipe in blocks(text, "text"):
        *fields, expression = recipe.splitlines()
        evaluates(path, expression, dict(field.split(" = ", 1) for field in fields))
    table = dict(sections(read(ROOT, NODES)))["Nodes as expressions"]
    cells = [row.split("|")[2] for row in table.splitlines() if row.startswith("| `")]
    expressions = [code for cell in cells for code in re.findall("`([^`]*)`", cell)]
    check("the table of nodes has expressions", expressions)
    for code in expressions:
        used = re.findall(r"\w+", code)
        evaluates(NODES, code, {name: text for name, text in NODE_FIELDS.items() if name in used})


# ---- Other commands ----

# Lines that take too long as they are, and what runs instead.
SHORTER = [
    (" --size 64k ", " --size 1k ", "64k x 64k takes minutes; 1k x 1k instead"),
    (" --size 4k ", " --size 1k ", "4k x 4k takes seconds; 1k x 1k instead"),
]


def run_lines(path, text):
    for line in "".join(blocks(text, "sh")).splitlines():
        command = line
        for long, short, reason in SHORTER:
            if long in command:
                command = command.replace(long, short)
                print("skipped:", reason)
        runs(f"{path}: {line.split('#')[0].strip()}", command)


linked = set()
commands = subprocess.run([PERLANE, "--help"], capture_output=True, text=True, check=True).stdout.split()
for document in pages():
    linked |= check_links(document)
    named = set(re.findall(r"`(?:build/)?perlane ([a-z]+)", read(ROOT, document)))
    check(f"{document}: the command has what is named", document == "CHANGELOG.md" or named <= set(commands),
          named - set(commands))
pictures = {os.path.join(IMAGES, name) for name in os.listdir(IMAGES)}
check("a page shows each picture", pictures <= linked, pictures - linked)
made = re.findall(r"docs/images/([\w*.-]+)", read(ROOT, "CONTRIBUTING.md"))
made += re.findall(r"images/([\w.-]+)", read(GALLERY) + read(DOCS, "expressions.md"))
unmade = [name for name in os.listdir(IMAGES) if not any(fnmatch.fnmatch(name, pattern) for pattern in made)]
check("a command makes each picture", not unmade, unmade)
check_recipes(GALLERY, "recipe-")
check_expressions()
check_looks()
README = dict(sections(read(ROOT, "README.md")))
run_lines("README.md", README["The command"])
rates = re.findall(r"^\| .*\d \|$", README["Speed"], re.M)
check("the README's rates are rows of docs/performance.md",
      rates and set(rates) <= set(read(DOCS, "performance.md").splitlines()), rates)
run_lines("docs/engines.md", read(DOCS, "engines.md"))

sys.exit(total())
