# SPDX-License-Identifier: MIT
"""A real dask.distributed scheduler with worker processes, some of which are killed."""

import os
import subprocess
import sys
import time

import pytest
from distributed import Client
from support import same
from test_zarr import files

from perlane import Field
from perlane.zarr import verify, write

FIELD = Field(seed=5, octaves=4, frequency=0.03)
SHAPE, CHUNKS, TOTAL = (1000, 1000), (50, 50), 400
SECONDS = 120  # for what takes one or two


class Cluster:
    """A scheduler and workers: processes of this machine."""

    def __init__(self, folder):
        self.file = folder / "scheduler.json"
        self.log = (folder / "log").open("w")
        self.processes = []
        self.scheduler = self._start("scheduler", "--port", "0")
        deadline = time.monotonic() + SECONDS
        while not (self.file.exists() and self.file.read_text().endswith("}")):
            assert time.monotonic() < deadline and self.scheduler.poll() is None
            time.sleep(0.02)
        self.workers = []

    def _start(self, kind, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard"]
        command += ["--scheduler-file", str(self.file), "--host", "127.0.0.1", *options]
        process = subprocess.Popen(
            command, stdout=self.log, stderr=self.log, cwd=self.file.parent,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        self.processes.append(process)
        return process

    def add_workers(self, count):
        for _ in range(count):
            self.workers.append(self._start("worker", "--nthreads", "1", "--no-nanny"))

    def client(self):
        client = Client(scheduler_file=str(self.file), timeout=SECONDS)
        client.wait_for_workers(len(self.workers), SECONDS)
        return client

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
        self.log.close()


@pytest.fixture
def cluster(tmp_path):
    clusters = []

    def start(workers):
        folder = tmp_path / f"cluster{len(clusters)}"
        folder.mkdir()
        clusters.append(Cluster(folder))
        clusters[-1].add_workers(workers)
        return clusters[-1]

    yield start
    for each in clusters:
        each.close()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("expected")
    assert write(folder, FIELD, SHAPE, CHUNKS) == (0, TOTAL)
    return files(folder)


def inodes(folder):
    """Returns {name: the file's inode}, another one if a chunk is written again."""
    chunks = (path for path in folder.rglob("*/*") if path.name.isdigit())
    return {str(path.relative_to(folder)): path.stat().st_ino for path in chunks}


def test_workers_write_the_same(cluster, expected, tmp_path):
    with cluster(2).client() as client:
        folder = tmp_path / "a.zarr"
        assert write(folder, FIELD, SHAPE, CHUNKS, engine=client) == (0, TOTAL)
        assert files(folder) == expected
        damaged = folder / "3/7"
        damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
        (folder / "15/15").unlink()
        found = verify(folder, engine=client)
        assert [difference.key for difference in found] == ["3/7", "15/15"]
        lazy = FIELD.dask(SHAPE, 400)
        assert same(lazy.compute(), FIELD.fill(SHAPE))


@pytest.mark.parametrize("victim", ["worker", "scheduler"])
def test_a_process_is_killed(victim, cluster, expected, tmp_path):
    running, folder = cluster(2), tmp_path / "a.zarr"
    process = running.workers[0] if victim == "worker" else running.scheduler
    before = {}

    def kill(written, total):
        if written >= 100 and not before:
            process.kill()
            before.update(inodes(folder))

    client = running.client()
    arguments = {"window": 16, "progress": kill}
    if victim == "worker":
        assert write(folder, FIELD, SHAPE, CHUNKS, engine=client, **arguments) == (0, TOTAL)
        most = 2 * 16  # those that the scheduler had not heard of
    else:
        with pytest.raises(RuntimeError, match="its scheduler is gone"):
            write(folder, FIELD, SHAPE, CHUNKS, engine=client, **arguments)
        before, most = inodes(folder), 0
        with cluster(2).client() as other:
            result = write(folder, FIELD, SHAPE, CHUNKS, engine=other)
        assert result == (len(before), TOTAL - len(before))
    client.close(timeout=1)
    assert process.wait(SECONDS) < 0 and 100 <= len(before) < TOTAL
    after = inodes(folder)
    assert sum(after[name] != inode for name, inode in before.items()) <= most  # written again
    assert write(folder, FIELD, SHAPE, CHUNKS) == (TOTAL, 0)  # removes what the worker left
    assert files(folder) == expected
