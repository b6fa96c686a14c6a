"""Cells: a fresh server, or the bare relay, on processor 0, and the load on processor 1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Figures = dict[str, Any]  # Any: a tree of numbers, as the load printed it

ROOT = Path(__file__).resolve().parents[3]
_GLANCE_SECONDS = 0.02
_START_SECONDS = 20.0
_STOP_SECONDS = 20.0
_KNOWN = sorted(os.sched_getaffinity(0))


def processor(number: int) -> int:
    """The processor for the server (0) or the load (1); the same one where there is one only."""
    return _KNOWN[min(number, len(_KNOWN) - 1)]


@contextmanager
def served(words: Sequence[str], root: Path = ROOT, **more: Any) -> Iterator[subprocess.Popen[str]]:
    """A program of the checkout at `root` on the server's processor, until this is over."""
    # Any: what Popen takes.
    process = subprocess.Popen([sys.executable, *words], cwd=root, text=True, **more)
    # Before it has any thread, so that all of them are pinned.
    os.sched_setaffinity(process.pid, {processor(0)})
    try:
        yield process
    finally:
        process.terminate()
        process.wait(_STOP_SECONDS)


@contextmanager
def server(folder: Path, root: Path = ROOT, *more: str) -> Iterator[tuple[int, str]]:
    """A real server with its data in a new folder below `folder`: its process and address.

    `root` is the checkout that it runs, `more` are further words for it.
    """
    with tempfile.TemporaryDirectory(dir=folder) as data:
        arguments = ("-m", "bluebear", "serve", "--bench", "--no-house-bots", "--port", "0", *more)
        note = Path(data) / "server.json"
        with (
            (Path(data) / "log").open("w") as log,
            served([*arguments, "--data", data], root, stderr=log) as process,
        ):
            until = time.monotonic() + _START_SECONDS
            while not note.exists():
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError((Path(data) / "log").read_text())
                time.sleep(_GLANCE_SECONDS)
            yield process.pid, json.loads(note.read_text())["url"]


@contextmanager
def relay() -> Iterator[tuple[int, str]]:
    """The bare relay: its process and address."""
    with served(["-m", "tests.tools.bench.baseline"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield process.pid, f"ws://127.0.0.1:{int(process.stdout.readline())}"


def load(pid: int, address: str, *words: str) -> Figures:
    """Put load on a process; its figures."""
    return watched([address, "--pid", str(pid)], *words)


def watched(whom: Sequence[str], *words: str) -> Figures:
    """Add the load of spectators that these arguments describe; its figures."""
    command = [sys.executable, "-m", "tests.tools.bench.load", *whom, *words]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as process:
        os.sched_setaffinity(process.pid, {processor(1)})
        printed, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the load has failed: {' '.join(command[2:])}")
    figures: Figures = json.loads(printed)
    return figures
