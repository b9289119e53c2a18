# SPDX-License-Identifier: MIT
"""Running many tasks on threads, processes or a cluster, with few of them waiting at a time."""

from __future__ import annotations

import contextlib
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Callable, Iterable, Iterator, TypeVar

from ._arguments import number, thread_count
from ._blocks import MAX_THREADS, processors

Result = TypeVar("Result")


def check_engine(engine: Any) -> None:
    """Raises a TypeError or ValueError unless there is such an engine."""
    if isinstance(engine, str) and engine != "processes":
        raise ValueError(
            "engine: expected a number of threads, 'processes', an Executor "
            f"or a distributed Client, not {engine!r}"
        )
    if not isinstance(engine, (str, Executor)) and not hasattr(engine, "get_executor"):
        number("engine", engine, 0, MAX_THREADS)


def is_local(engine: Any) -> bool:
    """Returns True if an engine's tasks run in this process."""
    return isinstance(engine, (int, ThreadPoolExecutor))


@contextlib.contextmanager
def _executor(engine: Any) -> Iterator[Executor]:
    if hasattr(engine, "get_executor"):  # a distributed.Client, whose workers are others' too
        yield engine.get_executor(pure=False)
    elif isinstance(engine, Executor):
        yield engine
    elif engine == "processes":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # A fork would copy the locks of threads that it does not have.
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(processors(), mp_context=spawn) as pool:
            yield pool
    else:
        with ThreadPoolExecutor(thread_count(engine)) as threads:
            yield threads


def for_each(
    engine: Any,
    window: int,
    call: Callable[..., Result],
    tasks: Iterable[tuple[Any, ...]],
    report: Callable[[Result], object],
) -> None:
    """Calls report(call(*task)) as results come, with at most `window` tasks submitted."""
    finished: SimpleQueue[Future[Result]] = SimpleQueue()
    pending: set[Future[Result]] = set()

    def take() -> None:
        future = finished.get()
        pending.remove(future)
        try:
            result = future.result()
        except CancelledError:
            raise RuntimeError("the engine has cancelled a task: its scheduler is gone") from None
        report(result)

    with _executor(engine) as executor:
        try:
            for task in tasks:
                if len(pending) == window:
                    take()
                future = executor.submit(call, *task)
                pending.add(future)
                future.add_done_callback(finished.put)
            while pending:
                take()
        finally:
            for future in pending:
                future.cancel()
