"""Does the same bot play offline what it would play in a room?"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bluebear.clients.bots.offline import EndlessError, IllegalLineError, Offline, play_offline
from bluebear.clients.bots.strategies import ready_made
from bluebear.clients.sdk import Bot, Chooser, MoveClock, View
from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import Case, read_case
from bluebear.rules.core.visibility import Seat

GAMES = games(("bluebear.rules",))


def case(key: str, *arguments: str) -> Case:
    return read_case(GAMES[key], arguments)


def two(seed: int) -> dict[Seat, Chooser]:
    return {Seat(1): Bot(seed), Seat(2): ready_made("greedy", GAMES, FastChance(seed))}


async def test_a_seed_gives_the_same_game() -> None:
    played = [await play_offline(case("manhattan", "seats=2"), 7, two(7)) for _ in range(2)]
    assert played[0] == played[1]
    other = await play_offline(case("manhattan", "seats=2"), 8, two(7))
    assert other.lines != played[0].lines
    assert min(other.rank(Seat(seat)) for seat in (1, 2)) == 1


@pytest.mark.parametrize("key", GAMES)
async def test_views_are_what_arrives_over_the_wire(key: str) -> None:
    game = Offline(case(key), 3)
    rules = GAMES[key]
    for _ in range(12):
        for seat in sorted(game.to_move):
            view = game.view(seat)
            # A plain tree of what the seat sees: JSON makes no difference to it.
            assert json.loads(json.dumps(view.tree)) == view.tree
            seen = rules.tree.load(json.loads(json.dumps(view.state)))
            assert tuple(map(rules.grammar.format, rules.plain(seen, seat))) == game.lines(seat)
        seat = min(game.to_move)
        game.say(seat, game.lines(seat)[0])


async def test_a_bot_hears_of_the_end() -> None:
    ends: list[View] = []

    class Listening(Bot):
        def over(self, view: View) -> None:
            ends.append(view)

    bots = {Seat(1): Listening(1), Seat(2): Listening(2)}
    played = await play_offline(case("manhattan", "seats=2"), 1, bots)
    assert [view.seat for view in ends] == [1, 2]
    [first] = {str(view.room["ending"]) for view in ends}
    scores = {str(each.seat): each.score for each in played.result.standings}
    assert all(f"'score': {score}" in first for score in scores.values())


async def test_a_line_that_is_not_legal_ends_it() -> None:
    class Wild(Bot):
        def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
            return "/fly"

    with pytest.raises(IllegalLineError, match=r"seat \d said '/fly'"):
        await play_offline(case("manhattan", "seats=2"), 1, {Seat(1): Wild(), Seat(2): Wild()})


async def test_a_game_that_does_not_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    playing = case("manhattan", "seats=2")
    monkeypatch.setattr(type(playing.game.info), "longest", 5)
    with pytest.raises(EndlessError):
        await play_offline(playing, 1, two(1))


async def test_the_class_of_the_docs_plays_as_it_stands_there(
    tmp_path: Path,
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
    source, program = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    (tmp_path / "mybot.py").write_text(source, encoding="utf-8")
    (tmp_path / "match.py").write_text(program, encoding="utf-8")
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "match.py"),
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    out, _ = await child.communicate()
    assert child.returncode == 0
    assert out.decode().count("Standing(seat=") == 2
