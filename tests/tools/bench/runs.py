"""Cells: a fresh server, or the bare relay, on processor 0, and the load on processor 1."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.tools.servers import (
    LOOK_SECONDS,
    PATIENCE_SECONDS,
    ROOT,
    Patience,
    ServerProcess,
    begin,
    python,
    running,
)

Figures = dict[str, Any]  # Any: a tree of numbers, as the load printed it

_PROCESSORS = sorted(os.sched_getaffinity(0))


def processor(number: int) -> int:
    """The processor for the server (0) or the load (1); the same one where there is one only."""
    return _PROCESSORS[min(number, len(_PROCESSORS) - 1)]


@contextmanager
def server(folder: Path, root: Path = ROOT, *more: str) -> Iterator[tuple[int, str]]:
    """A real server with its data in a new folder below `folder`: its process and address.

    `root` is the checkout that it runs, `more` are further words for it.
    """
    with tempfile.TemporaryDirectory(dir=folder) as data:
        arguments = ("--bench", *more)
        made = ServerProcess(Path(data), port=0, more=arguments, root=root, processor=processor(0))
        asyncio.run(made.start())
        with running(made.process):
            yield made.pid, made.url


@contextmanager
def relay() -> Iterator[tuple[int, str]]:
    """The bare relay: its process and address."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        process = begin(python("tests.tools.bench.baseline"), log, processor=processor(0))
        with running(process):
            patience = Patience(PATIENCE_SECONDS, lambda: [process.pid])
            while not (text := log.read_text()).endswith("\n"):
                assert process.poll() is None, text
                patience.check(lambda: f"the relay does not come up: {text}")
                time.sleep(LOOK_SECONDS)
            yield process.pid, f"ws://127.0.0.1:{int(text)}"


def load(pid: int, address: str, *arguments: str) -> Figures:
    """Put load on a process; its figures."""
    return watched([address, "--pid", str(pid)], *arguments)


def watched(target: Sequence[str], *arguments: str) -> Figures:
    """Run the load program against its target `whom` with these arguments; its figures."""
    command = python("tests.tools.bench.load", *target, *arguments)
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as process:
        os.sched_setaffinity(process.pid, {processor(1)})
        printed, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the load has failed: {' '.join(command[2:])}")
    figures: Figures = json.loads(printed)
    return figures
