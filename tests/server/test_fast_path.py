"""Plain moves: judged the short path, with the frames and entries of the general path."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from functools import partial

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.store import StreamId, pack, streams
from tests.server.fixtures import GAMES, Stage
from tests.server.listener import Listener

SEED = 5
MOVES = 130
"""So many that views have checksums, records digests, and the room a snapshot."""

Sent = tuple[dict[str, list[bytes]], list[bytes]]
"""The frames of each client, and the entries of the room."""


def play(stage: Stage, game: str, options: tuple[str, ...]) -> None:
    """Play a random game before spectators of two languages, with talk and refused lines."""
    draw = random.Random(SEED)
    stage.come("Dai", lang="ja")
    stage.table(game, "Ayu", "Ben", watching=("Cem", "Dai"))
    for option in options:
        stage.play("Ayu", f"/option {option}")
    stage.play("Ayu", "/start")
    for number in range(MOVES):
        if not stage.room.table.turn:
            return
        seat = Seat(stage.room.table.turn[0])
        name = stage.room.name_of(seat)
        moves = list(GAMES[game].plain(stage.room.game, seat))
        line = GAMES[game].grammar.format(draw.choice(moves))
        if number % 7 == 0:
            stage.say("Cem", line)
            stage.say("Ben" if name == "Ayu" else "Ayu", line)
        if number % 20 == 0:
            stage.play("Cem", "well played")
        stage.say(name, line, at=stage.room.version_for(frozenset((seat,))))


def recorded(game: str, *options: str) -> tuple[Sent, int]:
    """All bytes that a game sends and stores, and how many moves went the plain way."""
    frames: dict[str, list[bytes]] = defaultdict(list)
    plain: list[bool] = []
    push, judge = Listener.push, RoomActor._play

    def note(self: Listener, frame: bytes) -> None:
        frames[self.name].append(frame)
        push(self, frame)

    def count(self: RoomActor, *line: object) -> bool:
        plain.append(judge(self, *line))  # type: ignore[arg-type]  # handed on as they came
        return plain[-1]

    with pytest.MonkeyPatch.context() as patch, Stage() as stage:
        patch.setattr(Listener, "push", note)
        patch.setattr(RoomActor, "_play", count)
        play(stage, game, options)
        return (dict(frames), [pack(entry) for entry in stage.entries()]), sum(plain)


@pytest.mark.parametrize(
    "game", [("manhattan",), ("railroad_ink",), ("itc",), ("manhattan", "clock 600+5")]
)
def test_the_fast_path_sends_and_stores_what_the_general_path_does(
    game: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, plain = recorded(*game)
    assert plain > 10
    monkeypatch.setattr(RoomActor, "settle_fast_path", lambda self: None)
    general, none = recorded(*game)
    assert none == 0
    assert sent == general


def play_against_a_bot() -> tuple[list[str], list[bytes]]:
    """What a person hears of a game against one of the house bots, and what is stored of it."""
    with Stage() as stage:
        stage.table("manhattan", "Ayu")
        stage.play("Ayu", "/bot random", "/start")
        house = next(seat for seat, chair in stage.room.seats.items() if chair.bot)
        bot, watch = stage.house_bot(house), stage.live.services.resources.meter
        draw = random.Random(SEED)

        def move(line: str) -> None:
            before = watch.turn_to(bot)
            stage.live.line(bot, f"move{stage.room.version}", line, None)
            watch.turn_to(before)

        for _ in range(40):
            seat = Seat(stage.room.table.turn[0])
            moves = list(GAMES["manhattan"].plain(stage.room.game, seat))
            line = GAMES["manhattan"].grammar.format(draw.choice(moves))
            if seat == house:
                stage.during(partial(move, line))
            else:
                stage.say("Ayu", line)
        return stage.people["Ayu"].received, [pack(entry) for entry in stage.entries()]


def test_the_moves_of_house_bots_take_the_fast_path(monkeypatch: pytest.MonkeyPatch) -> None:
    plain: list[bool] = []
    judge = RoomActor._play

    def count(self: RoomActor, *line: object) -> bool:
        plain.append(judge(self, *line))  # type: ignore[arg-type]  # handed on as they came
        return plain[-1]

    monkeypatch.setattr(RoomActor, "_play", count)
    sent = play_against_a_bot()
    assert plain == [True] * 40
    monkeypatch.setattr(RoomActor, "settle_fast_path", lambda self: None)
    assert play_against_a_bot() == sent
    assert len(plain) == 40


def test_a_pause_turns_the_fast_path_off_until_it_is_over() -> None:
    with Stage() as stage:
        stage.game("manhattan", "Ayu", "Ben")
        assert stage.live.fast_game is stage.live.game
        stage.play("Ayu", "/pause")
        stage.play("Ben", "/yes")
        assert stage.live.fast_game is None
        stage.play("Ayu", "/resume")
        assert stage.live.fast_game is stage.live.game


def test_days_and_spectator_delay_turn_the_fast_path_off() -> None:
    for option in ("clock 3d", "watchdelay 2"):
        with Stage() as stage:
            stage.game("manhattan", "Ayu", "Ben", options=(option,))
            assert stage.live.fast_game is None, option


def plain_line(stage: Stage) -> tuple[str, str]:
    """Who is to move, and the canonical line of their first plain move."""
    seat = Seat(stage.room.table.turn[0])
    game = GAMES[stage.room.table.game]
    move = next(iter(game.plain(stage.room.game, seat)))
    return stage.room.name_of(seat), game.grammar.format(move)


def test_the_move_at_which_a_snapshot_is_due_takes_the_general_path(stage: Stage) -> None:
    stage.game("manhattan", "Ayu", "Ben")
    every = stage.room.version + 3
    services = replace(stage.live.services, snapshot_every=every)
    stage.live.services = stage.app.engine._services = services
    for _ in range(3):
        stage.say(*plain_line(stage))
    snapshot = stage.run(stage.journal.read(streams.snapshot, StreamId(stage.room_id)))
    assert snapshot is not None
    assert snapshot.seq == every


def test_moves_give_the_seats_to_move_their_full_time_and_talk_does_not(stage: Stage) -> None:
    stage.game("railroad_ink", "Ayu", "Ben")
    stage.wait(5)
    began = stage.live.timer.turn_since
    stage.play("Ben", "good luck")
    assert stage.live.timer.turn_since == began
    name, line = plain_line(stage)
    turn = stage.room.table.turn
    stage.say(name, line.replace(" ", "  ", 1))  # no canonical line: the general path
    assert stage.room.table.turn == turn
    assert stage.live.timer.turn_since > began
