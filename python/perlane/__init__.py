# SPDX-License-Identifier: MIT
"""Perlin and cellular noise for heightmaps, volumes and points, with the same bits on every machine.

>>> import perlane
>>> terrain = perlane.Field(seed=7, octaves=8, frequency=0.002, fractal="ridged")
>>> heights = terrain.fill((512, 1024))  # heights[y, x], float32
>>> heights.shape
(512, 1024)
"""

from ctypes import byref, c_uint64

from . import zarr
from ._field import Field
from ._library import library as _library
from ._options import OPTIONS as _OPTIONS
from ._options import PRESETS as _PRESETS
from ._options import Choice, Option

__all__ = ["Choice", "Field", "Option", "isa", "options", "presets", "selftest", "zarr"]
__version__: str = _library.perlane_version().decode()


def options() -> "tuple[Option, ...]":
    """Returns the library's description of each option of a field, in the order of its manual.

    >>> [option.name for option in perlane.options()][:3]
    ['seed', 'frequency', 'basis']
    """
    return tuple(_OPTIONS.values())


def presets() -> "tuple[str, ...]":
    """Returns the names of the presets: fields of other noise libraries.

    >>> perlane.presets()[0]
    'improved'
    """
    return _PRESETS


def isa() -> str:
    """Returns the instruction set in use: "avx2", "neon" ... It affects speed, never results.

    The environment variable PERLANE_ISA selects another before the first call.
    """
    name: str = _library.perlane_isa_name(_library.perlane_isa_current()).decode()
    return name


def selftest() -> int:
    """Returns the digest of a fixed set of fields, which is the same on every machine.

    Raises a RuntimeError if it is wrong: then this build does not compute perlane's bits.

    >>> hex(perlane.selftest())
    '0x8ed6b263cd508378'
    """
    digest = c_uint64()
    status = _library.perlane_selftest(0, byref(digest))
    if status != 0:
        raise RuntimeError(_library.perlane_status_string(status).decode())
    return digest.value
