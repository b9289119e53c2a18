# SPDX-License-Identifier: MIT
"""Packages that some functions need, and that are imported when these are called."""

from __future__ import annotations

import importlib
from typing import Any


def need(module: str, user: str, extra: str) -> Any:
    """Returns a module; raises an ImportError that says who needs it and how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f'{user} needs {package}: pip install "perlane[{extra}]"') from error
