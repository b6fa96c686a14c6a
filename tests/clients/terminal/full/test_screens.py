"""What does the screen look like in the middle of every game, in both languages, at three sizes?

The stored screens are compared exactly. Where a change is meant, this writes them anew:

    python -m tests.clients.terminal.full.test_screens
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final, cast

import pytest

from bluebear.clients.phrases import Texts
from bluebear.clients.terminal.chat import Conversation
from bluebear.clients.terminal.fullscreen.window import Log
from bluebear.protocol import Lang
from tests.clients.terminal.full.glass import Glass, sitting
from tests.clients.terminal.full.still import NOW_MS, ROOM, StillClient, moment

SCREENS: Final = Path(__file__).parent / "screens"
SIZES: Final = ((80, 24), (100, 30), (140, 45))
GAMES: Final = {
    "manhattan": (4, 40),
    "railroad_ink": (3, 30),
    "tokai": (4, 60),
    "itc": (4, 80),
    "tokugawa": (2, 40),
}
"""Seats, and after how many random moves; then on until seat 1 is to move."""
CASES: Final[list[tuple[str, Lang]]] = [(key, lang) for key in GAMES for lang in ("en", "ja")]


async def drawn(key: str, lang: Lang) -> str:
    """The screens of a game, one after the other."""
    seats, after = GAMES[key]
    at, reply = moment(key, seats, after, lang)
    pages = []
    for columns, rows in SIZES:
        phrases = Texts(lang, "bluebear.clients.terminal")
        client = StillClient(key, at, seats, lang)
        log = Log(ascii_only=False)
        conversation = Conversation(cast(Any, client), phrases, log)
        conversation.room = ROOM
        for text in reply[-30:]:
            log.show(text)
        glass = Glass(columns, rows)
        async with sitting(conversation, log, phrases, glass, now=lambda: NOW_MS / 1000) as seat:
            seat.type("/b")
            lines = await glass.shows(_is_ready)
        assert glass.widest <= columns
        pages.append("\n".join([f"== {columns}x{rows}", *lines]))
    return "\n".join(pages) + "\n"


def _is_ready(lines: list[str]) -> bool:
    """Whether board, verbs and typed line all stand there."""
    return lines[0] != "" and "(/" in lines[-2] and lines[-1].endswith("/b")


@pytest.mark.slow_loop
@pytest.mark.parametrize(("key", "lang"), CASES)
async def test_the_screen_looks_as_it_did(key: str, lang: Lang) -> None:
    stored = (SCREENS / f"{key}.{lang}.txt").read_text(encoding="utf-8")
    assert await drawn(key, lang) == stored


def write() -> None:
    """Write the stored screens anew."""
    for key, lang in CASES:
        (SCREENS / f"{key}.{lang}.txt").write_text(asyncio.run(drawn(key, lang)), encoding="utf-8")


if __name__ == "__main__":
    write()
