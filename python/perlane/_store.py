# SPDX-License-Identifier: MIT
"""Places for chunks, in which any number of processes on any machines may write.

docs/scale.md, "The protocol", describes what the command and this package do alike in a folder. An
object store's put is atomic.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import uuid
from typing import Any, BinaryIO, Iterator, Union

from ._optional import need

try:
    import fcntl
except ImportError:  # Windows has neither locks of this kind nor, therefore, sweeping
    fcntl = None  # type: ignore[assignment]

_SUFFIX = ".perlane-part"
_ATTEMPTS = 8


class Unreadable(ValueError):
    """A value that no array of perlane's has; the message says why, without its name."""


def _open(path: str, flags: int = 0) -> BinaryIO:
    """Opens a file for reading, without waiting for the writer of a fifo."""
    flags |= getattr(os, "O_NONBLOCK", 0)
    return open(path, "rb", opener=lambda path, usual: os.open(path, usual | flags))


def _lock(file: BinaryIO) -> None:
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_temporary(name: str) -> bool:
    return name.startswith(".") and name.endswith(_SUFFIX)


def _sweep(path: str) -> None:
    """Removes a temporary file whose process is gone."""
    with contextlib.suppress(OSError):  # it is locked, or gone
        if fcntl is not None:
            with _open(path, os.O_NOFOLLOW) as file:
                _lock(file)
                os.unlink(path)


def _write(path: str, value: bytes) -> None:
    with open(path, "xb") as file:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            _lock(file)
        file.write(value)
        file.flush()
        os.fsync(file.fileno())


def _publish(path: str, name: str, keeps: bool) -> None:
    """Gives a complete file its name."""
    if keeps:
        try:
            os.link(path, name)
            return
        except FileExistsError:
            return
        except (AttributeError, PermissionError, NotImplementedError):  # no links here
            pass
    os.replace(path, name)


def _raise(error: OSError) -> None:
    """Raises the error of a listing; there may be no such folder."""
    if not isinstance(error, FileNotFoundError):
        raise error


class Directory:
    """A folder of files."""

    is_shared = True  # by all processes

    def __init__(self, root: str) -> None:
        self.name = root

    def inside(self, name: str) -> Directory:
        """Returns the store of a folder in this one."""
        return Directory(os.path.join(self.name, name))

    def entries(self) -> list[str]:
        """Returns the names at the top."""
        try:
            return [name for name in os.listdir(self.name) if not _is_temporary(name)]
        except FileNotFoundError:
            return []

    def _own_path(self, key: str) -> str:
        """Returns the path of a key, to which no link leads that stands for a folder."""
        path, *names = self.name, *key.split("/")
        for name in names[:-1]:
            path = os.path.join(path, name)
            if os.path.islink(path):
                raise Unreadable(f"a link is in the place of a folder of chunks: {path}")
        return os.path.join(path, names[-1])

    def keys(self, prefix: str, depth: int) -> Iterator[str]:
        """Lists the keys in a folder, "" for all, and removes what killed processes have left.

        Keys of more than `depth` parts may be left out.
        """
        for folder, folders, names in os.walk(self._own_path(f"{prefix}/"), onerror=_raise):
            inside = os.path.relpath(folder, self.name).replace(os.sep, "/")
            inside = "" if inside == "." else f"{inside}/"
            if inside.count("/") + 1 >= depth:
                folders.clear()
            for name in names:
                if _is_temporary(name):
                    _sweep(os.path.join(folder, name))
                else:
                    yield inside + name

    def get(self, key: str, limit: int) -> bytes | None:
        """Returns a value, None if there is none; raises an Unreadable above `limit` bytes."""
        path = os.path.join(self.name, key)
        try:
            with _open(path) as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise Unreadable("it is not a regular file")
                if status.st_size > limit:
                    raise Unreadable(f"it has more than {limit} bytes")
                return file.read(status.st_size + 1)  # one that grows is not what it should be
        except FileNotFoundError:
            if os.path.islink(path):
                raise Unreadable("it is a link to nothing") from None
            return None
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
                raise  # says nothing about the value
            raise Unreadable(str(error.strerror)) from error

    def put(self, key: str, value: bytes, keeps: bool = False) -> None:
        """Writes a value; with `keeps`, one that is there stays."""
        folder, name = os.path.split(self._own_path(key))
        for attempt in range(1, _ATTEMPTS + 1):
            path = os.path.join(folder, f".{name}.{uuid.uuid4().hex}{_SUFFIX}")
            try:
                _write(path, value)
                _publish(path, os.path.join(folder, name), keeps)
                return
            except FileNotFoundError:  # no folder yet, or swept away before it was locked
                if attempt == _ATTEMPTS:
                    raise
                os.makedirs(folder, exist_ok=True)
            finally:
                with contextlib.suppress(OSError):  # it has its name, or there is none
                    os.unlink(path)


class Objects:
    """An fsspec mapper: the objects below a prefix of any file system of fsspec."""

    def __init__(self, mapper: Any) -> None:
        self._mapper = mapper
        self.name = mapper.root
        self.is_shared = type(mapper.fs).__name__ != "MemoryFileSystem"

    def inside(self, name: str) -> Objects:
        """Returns the store of a prefix in this one."""
        return Objects(self._mapper.fs.get_mapper(f"{self.name}/{name}"))

    def _relative(self, path: str) -> str:
        return path.lstrip("/")[len(self.name.strip("/")) :].lstrip("/")

    def entries(self) -> list[str]:
        """Returns the names at the top."""
        self._mapper.fs.invalidate_cache()
        try:
            return [self._relative(path) for path in self._mapper.fs.ls(self.name, detail=False)]
        except FileNotFoundError:
            return []

    def keys(self, prefix: str, depth: int) -> Iterator[str]:
        """Lists the keys in a folder, "" for all, of any depth."""
        self._mapper.fs.invalidate_cache()
        yield from map(self._relative, self._mapper.fs.find(f"{self.name}/{prefix}".rstrip("/")))

    def get(self, key: str, limit: int) -> bytes | None:
        """Returns a value, None if there is none; raises an Unreadable above `limit` bytes."""
        fs, path = self._mapper.fs, f"{self.name}/{key}"
        try:
            value: bytes = fs.cat_file(path, start=0, end=limit + 1)
        except self._mapper.missing_exceptions:
            return None
        except Exception:  # stores may refuse a range of an empty object
            if fs.size(path) != 0:
                raise
            return b""
        if len(value) > limit:
            raise Unreadable(f"it has more than {limit} bytes")
        return value

    def put(self, key: str, value: bytes, keeps: bool = False) -> None:
        """Writes a value; with `keeps`, one that is there stays."""
        if not (keeps and key in self._mapper):
            self._mapper[key] = value


Store = Union[Directory, Objects]


def store_of(where: Any) -> Store:
    """Returns the store of a path, an fsspec URL or an fsspec mapper."""
    if isinstance(where, (str, os.PathLike)):
        path = os.fspath(where)
        if "://" not in path:
            return Directory(os.path.abspath(path))
        where = need("fsspec", f"store {path!r}", "zarr").get_mapper(path)
    if not (hasattr(where, "fs") and hasattr(where, "root")):
        raise TypeError(f"store: expected a path, a URL or an fsspec mapper, not {where!r}")
    if type(where.fs).__name__ == "LocalFileSystem":  # whose puts are not atomic
        return Directory(where.root)
    return Objects(where)
