# SPDX-License-Identifier: MIT
"""scikit-build-core, which pip calls, with a sentence in place of CMake's where nothing compiles."""

import os
import shutil
import sys

from scikit_build_core import build
from scikit_build_core.build import *  # noqa: F403


def _check_compiler():
    given = os.environ.get("CC", "").split()[:1]
    if sys.platform != "win32" and not any(map(shutil.which, given or ["cc", "gcc", "clang"])):
        sys.exit("perlane needs a C compiler: apt install gcc")


def build_wheel(*arguments, **options):
    _check_compiler()
    return build.build_wheel(*arguments, **options)


def build_editable(*arguments, **options):
    _check_compiler()
    return build.build_editable(*arguments, **options)
