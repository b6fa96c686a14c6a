"""The child process in which the house's bots run: started, watched, started again."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from bluebear.server.observe import count, log

_BACK_OFF_SECONDS: Final = (0.2, 1.0, 5.0, 30.0)
"""Waits before a child that has died is started again."""
_LOOK_SECONDS: Final = 5.0
"""How often the child is looked at."""
_SILENT_LOOKS: Final = 12
"""So many looks in a row without its connection, and it is taken for stuck: it beats more often."""


async def run_child(url: str, token: str, is_there: Callable[[], bool]) -> None:
    """Keep the child process running until cancelled; start it again when it dies or is stuck.

    `is_there` says whether it is connected.
    """
    tries = 0
    while True:
        loop = asyncio.get_running_loop()
        began = loop.time()
        code = await _run_once(url, token, is_there)
        count("house.restarts")
        tries = 0 if loop.time() - began > 60 else tries + 1
        wait = _BACK_OFF_SECONDS[min(tries, len(_BACK_OFF_SECONDS)) - 1]
        log(logging.WARNING, "house bots ended", code=code, wait=wait)
        await asyncio.sleep(wait)


async def _run_once(url: str, token: str, is_there: Callable[[], bool]) -> int:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bluebear.clients.bots",
        "--house",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        if child.stdin is not None:
            child.stdin.write(json.dumps({"url": url, "token": token}).encode() + b"\n")
        return await _watch(child, is_there)
    finally:
        # The child ends when its standard input closes; it is ours, so we see to it.
        if child.stdin is not None:
            child.stdin.close()
        if child.returncode is None:
            try:
                await asyncio.wait_for(child.wait(), 2.0)
            except TimeoutError:
                _kill(child)
                await child.wait()


async def _watch(child: asyncio.subprocess.Process, is_there: Callable[[], bool]) -> int:
    """Wait for the child's end; one that is not connected for long (it was stopped) is killed."""
    silent = 0
    while True:
        try:
            return await asyncio.wait_for(child.wait(), _LOOK_SECONDS)
        except TimeoutError:
            silent = 0 if is_there() else silent + 1
            if silent >= _SILENT_LOOKS:
                log(logging.WARNING, "house bots are stuck")
                _kill(child)


def _kill(child: asyncio.subprocess.Process) -> None:
    """It may have ended by itself a moment ago."""
    with suppress(ProcessLookupError):
        child.kill()
