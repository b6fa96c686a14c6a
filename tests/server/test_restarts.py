"""A restart restores every room as all members saw it: seats, options, votes, clocks, the talk.

    python -m tests.server.test_restarts --rooms 200 --restarts 20

does it at full size; the suite does less of the same.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import replace
from typing import Any

import pytest

from bluebear.protocol import MSGPACK, RoomNumber, canonical
from bluebear.rules.core.visibility import SPECTATOR, Seat
from bluebear.server.room.fold_context import shown_by
from bluebear.server.room.state import Phase, Room
from bluebear.server.rooms.views import VersionViews, audience
from bluebear.server.store import RECORD_PREFIX
from tests.server.fixtures import NO_HOUSE, Stage
from tests.support.simulated_store import Latency, SimulatedStore

OPTIONS = {"journey": "days 3", "duel": "rounds 5"}
LINES = 12
VOTED = 5


def shown(stage: Stage, room: Room) -> list[Any]:
    """What every viewer is shown of a room, the tail of its log too, in both languages."""
    sights = VersionViews(room, shown_by(stage.games, room))
    made: list[Any] = [room.version, room.at]
    for eyes in (SPECTATOR, *(frozenset((Seat(seat),)) for seat in room.seats)):
        made.append(canonical(sights.view(eyes)))
        for lang in ("en", "ja"):
            looks = audience(MSGPACK, RoomNumber(1), eyes, lang, events=True)
            made.append([(each.version, each.text) for each in sights.log(looks, frozenset())])
    return made


def name_of(number: int) -> str:
    """A name that looks like no other number's."""
    vowels, rest = "aeou", number
    made = ""
    for consonants in ("kstn", "hmrg", "bdpz"):
        rest, position = divmod(rest, 16)
        made += consonants[position // 4] + vowels[position % 4]
    return made


def furnish(stage: Stage, number: int, chance: random.Random) -> str:
    """A room with two people who have set something, talked, played, and maybe asked for a vote."""
    game = sorted(stage.games)[number % len(stage.games)]
    ayu, ben = f"Ayu{name_of(number)}", f"Ben{name_of(number)}"
    kind = chance.choice(["public", "unlisted"])
    stage.come(ayu, ben)
    stage.say(ayu, f"/newroom {game} {kind}", lobby=True)
    stage.room_id = str(next(iter(stage.people[ayu].connection.rooms.values())))  # type: ignore[union-attr]
    stage.play(ayu, "/join", f"hello from {number}")
    stage.enter(ben)
    stage.play(ben, "/join")
    if game in OPTIONS:
        stage.play(ayu, f"/option {OPTIONS[game]}")
    if number % 2:
        stage.play(ayu, "/option clock 300+5")
    if number % 7 == 6:
        return stage.room_id
    stage.play(ayu, "/start")
    rules = stage.games[game]
    for _ in range(chance.randint(0, LINES)):
        if stage.room.table.phase is not Phase.PLAYING:
            break
        seat = Seat(min(stage.room.table.turn))
        line = rules.grammar.format(chance.choice(rules.plain(stage.room.game, seat)))
        stage.play(stage.room.name_of(seat), line)
    stage.play(ben, "and now?")
    if number % VOTED == 0 and stage.room.table.phase is Phase.PLAYING:
        stage.say(ben, "/masterreset")
    return stage.room_id


def check(rooms: int, restarts: int, seed: int) -> int:
    """How many views were compared."""
    chance, compared = random.Random(seed), 0
    with Stage(config=replace(NO_HOUSE, bounded=False)) as stage:
        ids = [furnish(stage, number, chance) for number in range(rooms)]
        before = {each: shown(stage, stage.app.engine.live[each].room) for each in ids}
        for number in range(restarts):
            if number % 2:
                stage.crash()
            else:
                stage.restart()
            for each in ids:
                live = stage.run(stage.app.engine.load(each))
                assert not live.suspended
                assert shown(stage, live.room) == before[each], f"room {each}, seed {seed}"
                compared += len(before[each])
    return compared


@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_looks_sees_after_a_restart_what_he_saw_before(seed: int) -> None:
    assert check(rooms=16, restarts=4, seed=seed) > 16 * 4


def test_the_end_of_a_server_waits_for_the_record_of_a_game_that_has_just_ended() -> None:
    """A later server would store it when the room is loaded, which may be never."""
    store = SimulatedStore(lambda: Latency(0.2, 0.2))
    with Stage(store) as stage:
        stage.game("journey", "Ayu", "Ben")
        stage.send("Ayu", "/resign!")
        stage.wait_only(0.5)
        game_id = stage.room.table.game_id
        assert stage.room.table.phase is Phase.OVER
        assert not stage.app.engine.recorder.tasks.quiet
        stage.restart()
        assert len(stage.entries(RECORD_PREFIX + game_id)) == 1


def resigned_and_again(stage: Stage, store: SimulatedStore, read_seconds: float) -> str:
    """Ten seconds after a game was ended and the next was asked for; the id of the first."""
    stage.game("journey", "Ayu", "Ben")
    game_id = stage.room.table.game_id
    store.read_seconds = read_seconds
    stage.send("Ayu", "/resign!")
    stage.send("Ayu", "/again")
    stage.wait_only(10)
    return game_id


def test_the_next_game_waits_for_the_record_of_the_last_one() -> None:
    """A room knows only the game that it is in: after a crash an older one would have no record."""
    store = SimulatedStore()
    with Stage(store) as stage:
        game_id = resigned_and_again(stage, store, 1.0)
        assert stage.room.table.game_id != game_id
        rows = store.disk.rows("SELECT stream FROM entry ORDER BY number")
        assert [stream for [stream] in rows[-2:]] == [RECORD_PREFIX + game_id, stage.room_id]


def test_a_next_game_is_refused_while_the_record_of_the_last_one_cannot_be_stored() -> None:
    store = SimulatedStore()
    with Stage(store) as stage:
        game_id = resigned_and_again(stage, store, 60.0)
        assert stage.room.table.game_id == game_id
        store.read_seconds = 0.0
        stage.wait_only(400)
        stage.say("Ayu", "/again")
        assert stage.room.table.game_id != game_id


def main(argv: list[str]) -> int:
    """Do it at the size that is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    count = check(given.rooms, given.restarts, given.seed)
    sys.stdout.write(
        f"{given.rooms} rooms, {given.restarts} restarts: {count} views and logs were the same\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
