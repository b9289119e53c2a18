# SPDX-License-Identifier: MIT
"""Packing of samples. Unpacking takes no more memory than they need, whatever the bytes are."""

from __future__ import annotations

import math
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._optional import need


def zstd() -> Any:
    """Returns the module of zstd."""
    return need("numcodecs.zstd", "compressor 'zstd'", "zarr")


def max_packed(size: int) -> int:
    """Returns the number of bytes that as many of samples never exceed, whatever packs them."""
    return size + size // 8 + 1024  # zlib-ng's level 1 has codes of 9 bits


def pack(samples: NDArray[Any], compressor: str | None, level: int) -> bytes:
    """Returns the bytes of samples."""
    if compressor == "zlib":
        return zlib.compress(samples.data, level)
    return bytes(zstd().Zstd(level).encode(samples)) if compressor else samples.tobytes()


def _unpack_zstd(data: bytes, out: NDArray[np.uint8]) -> None:
    """Fills an array of bytes, neither more nor less."""
    unpack = zstd().decompress
    try:
        unpack(data, out[:-1])
    except Exception:  # as it must: decompress does not say how many bytes it has written
        unpack(data, out)
    else:
        raise ValueError("it unpacks to less than a chunk")


def unpack(
    data: bytes, compressor: str | None, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Returns samples; raises errors of any type if there are not as many."""
    if compressor == "zstd":
        samples = np.empty(shape, dtype)
        _unpack_zstd(data, samples.view(np.uint8).reshape(-1))
        return samples
    if compressor == "zlib":
        stream = zlib.decompressobj()
        data = stream.decompress(data, math.prod(shape) * dtype.itemsize + 1)
        if stream.unused_data or not stream.eof:
            raise ValueError("it does not end where its samples do")
    return np.frombuffer(data, dtype).reshape(shape)
