# SPDX-License-Identifier: MIT
"""Running many tasks on threads, processes or a cluster, with few of them waiting at a time."""

from __future__ import annotations

import contextlib
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Callable, Generator, Iterable, TypeVar

from ._arguments import number, thread_count
from ._blocks import MAX_THREADS, processors

Result = TypeVar("Result")


def check_engine(engine: Any, window: int, is_shared: bool) -> None:
    """Raises a TypeError or ValueError unless there is such an engine, and it sees the store."""
    number("window", window, 1, 2**31)
    if isinstance(engine, str) and engine != "processes":
        raise ValueError(
            "engine: expected a number of threads, 'processes', an Executor "
            f"or a distributed Client, not {engine!r}"
        )
    if not isinstance(engine, (str, Executor)) and not hasattr(engine, "get_executor"):
        number("engine", engine, 0, MAX_THREADS)
    if not (is_shared or isinstance(engine, (int, ThreadPoolExecutor))):
        raise ValueError(
            "store: memory is of this process alone; its engine is a number of threads"
        )


def _executor(engine: Any) -> contextlib.AbstractContextManager[Executor]:
    """Returns an executor that is shut down at the end if nobody else has it."""
    if hasattr(engine, "get_executor"):  # a distributed.Client, whose workers are others' too
        return contextlib.nullcontext(engine.get_executor(pure=False))
    if isinstance(engine, Executor):
        return contextlib.nullcontext(engine)
    if engine == "processes":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # A fork would copy the locks of threads that it does not have.
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(processors(), mp_context=spawn)
    return ThreadPoolExecutor(thread_count(engine))


def results(
    engine: Any, window: int, call: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]
) -> Generator[Result, None, None]:
    """Yields call(*task) of each task as they come, with at most `window` tasks submitted."""
    pending: set[Future[Result]] = set()
    waiting = iter(tasks)
    with _executor(engine) as executor:
        try:
            while True:
                new = islice(waiting, window - len(pending))
                pending.update(executor.submit(call, *task) for task in new)
                if not pending:
                    return
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except CancelledError:
            raise RuntimeError("the engine has cancelled a task: its scheduler is gone") from None
        finally:
            for future in pending:
                future.cancel()
