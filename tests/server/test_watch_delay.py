"""Option `watchdelay`: spectators see the game N moves late, whatever they do."""

from __future__ import annotations

import random
from typing import Final

import pytest

from bluebear.protocol import Done, Note, Room, ServerMessage
from bluebear.rules.core.merge_patch import canonical
from bluebear.rules.core.visibility import SPECTATOR, Seat
from bluebear.server.limits import DELAYED_ENTRIES
from bluebear.server.room.options import GENERAL, WATCH_DELAY
from bluebear.server.room.state import lines_of
from bluebear.server.store import Entry
from tests.server.fixtures import GAMES, Stage
from tests.server.test_questions import ask
from tests.support.fold_entries import fold_all
from tests.support.views import view_of

LOOKS: Final = (
    *("/info", "/board", "/board short", "/look", "/recap", "/record", "/minutes", "/votes"),
    *("/history", "/history 1", "/replay", "/moves", "/who", "/peek 1", "/undo", "/hint"),
    *("/join", "/join 1", "/leave", "/pause", "/resign !", "/build 1", "/bid 1", "/odds"),
)
"""What a spectator may type to learn something."""


def begin(stage: Stage, game: str = "duel", late: int = 2) -> None:
    """Ayu and Ben play, Emi watches so many moves late."""
    options = (f"watchdelay {late}",) if late else ()
    stage.game(game, "Ayu", "Ben", watching=["Emi"], options=options)


def move(stage: Stage, chance: random.Random | None = None) -> str:
    """The player on turn plays a move. Returns their name."""
    game, room = GAMES[stage.room.table.game], stage.room
    seat = min(game.to_move(room.game))
    moves = list(game.plain(room.game, seat))
    chosen = moves[0] if chance is None else chance.choice(moves)
    name = room.name_of(seat)
    stage.play(name, f"{game.grammar.format(chosen)} !")
    return name


def undo(stage: Stage, name: str) -> None:
    """A player takes their newest move back, and the other one agrees if asked."""
    stage.play(name, "/undo")
    for other in ("Ayu", "Ben"):
        if stage.room.table.votes and other != name:
            stage.play(other, "/accept")


def shown_after(stage: Stage, version: int) -> None:
    """What Emi sees is the room after that entry, to the byte."""
    entries = [entry for entry in stage.entries() if entry.seq <= version]
    then = fold_all(None, entries, GAMES)
    assert then is not None
    emi = stage.people["Emi"]
    assert canonical(emi.view) == canonical(view_of(then, GAMES[then.table.game], SPECTATOR))
    assert emi.version == then.version_for(SPECTATOR)


def test_a_spectator_sees_every_move_as_many_moves_late_as_is_reported(stage: Stage) -> None:
    begin(stage, late=3)
    start = stage.room.version
    for made in range(1, 10):
        received = stage.people["Emi"].version
        move(stage)
        shown_after(stage, start + max(0, made - 3))
        assert stage.people["Emi"].version - received == int(made > 3)
        assert stage.people["Ayu"].version == stage.room.version


def test_without_the_option_he_sees_them_at_once(stage: Stage) -> None:
    begin(stage, late=0)
    move(stage)
    assert stage.people["Emi"].version == stage.room.version
    assert stage.live.delay.room is None


def test_how_late_is_bounded_and_settled_before_the_game(stage: Stage) -> None:
    stage.table("duel", "Ayu", "Ben")
    assert (
        stage.refused("Ayu", f"/option watchdelay {GENERAL[WATCH_DELAY].high + 1}") == "bad_value"
    )
    assert stage.refused("Ayu", "/option watchdelay 0") == "bad_value"
    stage.play("Ayu", "/option watchdelay 5", "/option watchdelay off", "/start")
    assert stage.refused("Ayu", "/option watchdelay 5") == "not_now"


def test_the_host_sees_it_late_as_well_if_he_does_not_sit(stage: Stage) -> None:
    stage.table("duel", "Ayu", "Ben", "Cleo")
    stage.play("Ayu", "/option watchdelay 2", "/leave")
    stage.play("Ayu", "/start")
    move(stage)
    assert stage.people["Ayu"].version == stage.room.version - 1


def test_at_the_end_all_is_shown_at_once(stage: Stage) -> None:
    begin(stage, late=5)
    for _ in range(3):
        move(stage)
    emi = stage.people["Emi"]
    assert emi.version < stage.room.version
    received = stage.say("Ayu", "/resign !")["Emi"]
    assert "Ayu bids 1." in received
    assert emi.version == stage.room.version
    assert stage.live.delay.room is None
    stage.play("Ben", "/again")
    assert emi.version == stage.room.version


def test_after_a_long_wait_what_has_happened_is_shown_as_it_stands(stage: Stage) -> None:
    begin(stage, late=1)
    move(stage)
    for number in range(DELAYED_ENTRIES + 1):
        stage.play("Ayu", f"hm {number}")
    move(stage)
    emi = stage.people["Emi"]
    assert isinstance(emi.messages[-1], Room)
    shown_after(stage, stage.room.version - 1)


def test_what_is_sent_is_received_at_once_and_once(stage: Stage) -> None:
    begin(stage, late=1)
    move(stage)
    received = stage.say("Ayu", "your turn!")
    assert received["Emi"] == ["(said) Ayu: your turn!"]
    note = stage.people["Emi"].last(Note)
    assert (note.name, note.said) == ("Ayu", "your turn!")
    received = stage.say("Emi", "hello")
    assert stage.people["Emi"].last(Done).version == stage.people["Emi"].version
    assert received["Ayu"] == ["Emi: hello"]
    assert received["Emi"] == ["(said) Emi: hello"]
    stage.come("Eva")
    stage.enter("Eva")
    stage.play("Ayu", "yes?")
    stage.wait(0)
    name = stage.to_move()
    move(stage)
    assert "Ayu: your turn!" not in stage.people["Emi"].received
    assert stage.people["Eva"].received[-2:] == ["Ayu: your turn!", "Emi: hello"], name
    shown_after(stage, stage.room.version - 1)


def test_a_delayed_spectator_gets_the_result_of_their_line_at_once(stage: Stage) -> None:
    begin(stage, late=2)
    for _ in range(3):
        move(stage)
    stage.play("Ayu", "/leave !")
    ayu, emi = stage.people["Ayu"], stage.people["Emi"]
    assert ayu.version < stage.room.version
    assert "plays on for Ayu" in ayu.last(Note).text
    stage.play("Emi", "/join 1")
    assert stage.room.table.votes
    assert emi.version < stage.room.version
    assert "Emi" in emi.last(Note).text
    assert emi.last(Note).room is not None
    assert "Emi" not in ayu.last(Note).text


def test_that_a_person_has_muted_he_does_not_hear_late_either(stage: Stage) -> None:
    begin(stage, late=1)
    stage.play("Emi", "/mute add Ayu")
    move(stage)
    assert "Emi" not in stage.say("Ayu", "your turn!")
    assert "Ayu: your turn!" not in stage.say("Ben", f"{_line(stage)} !")["Emi"]


def _line(stage: Stage) -> str:
    game, room = GAMES[stage.room.table.game], stage.room
    return game.grammar.format(next(iter(game.plain(room.game, min(game.to_move(room.game))))))


def test_what_is_taken_back_is_seen_as_late_as_what_it_led_to(stage: Stage) -> None:
    begin(stage, late=2)
    last = [move(stage) for _ in range(4)][-1]
    before = stage.people["Emi"].version
    undo(stage, last)
    assert stage.people["Emi"].version == before
    for _ in range(2):
        move(stage)
        assert unseen_moves(stage) == 2


def unseen_moves(stage: Stage) -> int:
    """How many moves that stand Emi does not see: those behind what both rooms have in common."""
    late = stage.live.delay.room
    if late is None:
        return 0
    shown, now = _moves_left(lines_of(late.recorded)), _moves_left(lines_of(stage.room.recorded))
    common = 0
    while common < min(len(shown), len(now)) and shown[common] == now[common]:
        common += 1
    return len(now) - common


def _moves_left(lines: list[str]) -> list[tuple[int, str]]:
    made: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        if line.startswith("@undo "):
            del made[len(made) - int(line.split()[1]) :]
        elif line[:1] != "=" and not line.startswith("@"):
            made.append((number, line))
    return made


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_taken_back_and_reported_the_newest_moves_are_not_seen(seed: int) -> None:
    chance = random.Random(seed)
    late = chance.randint(1, 4)
    with Stage() as stage:
        begin(stage, "duel", late)
        start = stage.room.version
        most = start
        for _ in range(30):
            kind = chance.choice(["move", "move", "move", "undo", "talk"])
            moved = [past.seat for past in stage.room.past]
            if kind == "talk":
                stage.play(chance.choice(["Ayu", "Emi"]), "so")
            elif kind == "undo" and moved:
                undo(stage, stage.room.name_of(chance.choice(moved)))
            else:
                move(stage, chance)
            if stage.room.table.ending is not None:
                break
            version = stage.people["Emi"].version
            if version > most and stage.live.delay.room is not None:
                assert unseen_moves(stage) >= late
            assert most <= version <= stage.room.version
            shown_after(stage, most := version)


def test_who_stands_up_sees_no_more_from_then_on(stage: Stage) -> None:
    begin(stage, "manhattan", 2)
    for _ in range(5):
        move(stage)
    stage.play("Ben", "/leave !")
    ben, emi = stage.people["Ben"], stage.people["Emi"]
    assert canonical(ben.view) == canonical(emi.view)
    assert ben.version == emi.version < stage.room.version
    for line in ("/board", "/history", "/history 2", "/record", "/info", "/hand"):
        assert stage.say("Ben", line) == {"Ben": stage.say("Emi", line)["Emi"]}


def test_who_sits_down_sees_the_game_as_it_is(stage: Stage) -> None:
    begin(stage, late=2)
    for _ in range(3):
        move(stage)
    stage.play("Ben", "/leave !")
    stage.play("Emi", "/join 2")
    if stage.room.table.votes:
        stage.play("Ayu", "/accept")
    emi = stage.people["Emi"]
    assert stage.seat_of("Emi") == 2
    assert emi.version == stage.room.version
    assert emi.messages[-1].type in ("room", "moves", "presence")


@pytest.mark.parametrize("how", ["restart", "crash", "sleep"])
def test_a_room_that_is_loaded_again_shows_what_it_showed(stage: Stage, how: str) -> None:
    begin(stage, late=3)
    last = [move(stage) for _ in range(5)][-1]
    undo(stage, last)
    stage.play("Ayu", "so")
    emi = stage.people["Emi"]
    version, view, token = emi.version, canonical(emi.view), emi.token
    tokens = {name: each.token for name, each in stage.people.items()}
    if how == "sleep":
        for name in tokens:
            stage.play(name, "/lobby")
        stage.run(stage.app.engine._keep_room(stage.live))
        stage.live.close()
        del stage.app.engine.live[stage.room_id]
        for name in tokens:
            stage.enter(name)
    else:
        getattr(stage, how)()
        for name, token in tokens.items():
            stage.back(name, token)
    emi = stage.people["Emi"]
    assert (emi.version, canonical(emi.view)) == (version, view)
    assert stage.room.version > version
    for _ in range(4):
        move(stage)
        assert unseen_moves(stage) == 3
    undo(stage, stage.room.name_of(stage.room.past[-1].seat))


def test_a_host_without_a_seat_acts_on_the_game_as_it_is(stage: Stage) -> None:
    stage.table("duel", "Ayu", "Ben", "Cleo", watching=["Emi"])
    stage.play("Ayu", "/option watchdelay 2", "/leave", "/start")
    move(stage)
    stage.play("Ben", "/leave !")
    assert "Ben" in stage.say("Ayu", "/who")["Ayu"][0].split("Watching")[0]
    stage.play("Ayu", "/bot random")
    assert stage.room.seats[Seat(stage.room.table.turn[0])].bot == "random"
    assert stage.refused("Emi", "/bot random") == "not_permitted"


def test_whoever_is_let_look_into_a_hand_sees_it_late_as_well(stage: Stage) -> None:
    stage.table("manhattan", "Ayu", "Ben", watching=["Emi"])
    stage.play("Ayu", "/option watchdelay 2", "/startnosave")
    stage.say("Ayu", "/hand")
    before = str(stage.people["Ayu"].last(Note).text)
    for _ in range(12):
        move(stage)
        if stage.room.name_of(min(stage.room.table.turn)) != "Ayu":
            break
    stage.play("Ayu", "/allowpeek Emi")
    late = stage.live.delay.room
    assert late is not None
    assert late.seats[min(late.seats)].peek is None, "what allows it is late, too"
    stage.say("Emi", "/peek Ayu hand")
    shown = str(stage.people["Emi"].last(Note).text)
    assert shown.split("\n", 1)[1] == before


# Two worlds.


def messages_of(game: str, seed: int, world: int, late: int) -> dict[str, list[object]]:
    """All that those without a seat are told, in a world whose newest moves are its own."""
    with Stage() as stage:
        stage.come("Finn")
        stage.come("Ayu", "Ben", bot=True)
        stage.table(game, "Ayu", "Ben", watching=["Emi"], kind="public")
        stage.play("Ayu", f"/option watchdelay {late}", "/option clock 300+5", "/start")
        common = random.Random(seed)
        for _ in range(8):
            move(stage, common)
        chance = random.Random(world)
        for number in range(late):
            move(stage, chance)
            stage.play("Ayu", f"my move number {number}")
        emi = stage.people["Emi"]
        stage.play("Ayu", "/history")
        for line in LOOKS:
            stage.say("Emi", line)
        stage.say("Finn", "/listroom")
        stage.sync("Emi")
        stage.play("Emi", "so many words")
        answers: list[object] = [
            ask(stage, "Emi", "history"),
            ask(stage, "Emi", "history", **{"from": 0, "count": 100}),
            ask(stage, "Emi", "replay"),
            ask(stage, "Emi", "undo"),
            ask(stage, "Emi", "query", text="/board"),
            ask(stage, "Emi", "complete", text="/"),
            ask(stage, "Emi", "catalogue"),
        ]
        stage.drop("Ben")
        stage.come("Eva")
        stage.enter("Eva")
        stage.play("Eva", "/info")
        stage.restart()
        stage.come("Gil")
        stage.enter("Gil")
        stage.say("Gil", "/history")
        reported: list[ServerMessage] = list(emi.messages)
        return {"Emi": [*reported, *answers], "Gil": list(stage.people["Gil"].messages)}


@pytest.mark.parametrize("game", ["manhattan", "tokai", "itc", "tokugawa", "railroad_ink"])
def test_worlds_that_differ_in_the_newest_moves_alone_are_one_to_a_spectator(game: str) -> None:
    here, there = (messages_of(game, 5, world, 3) for world in (1, 2))
    for name, reply in here.items():
        assert len(reply) == len(there[name])
        for number, (ours, theirs) in enumerate(zip(reply, there[name], strict=True)):
            assert ours == theirs, f"{name} is told something else, number {number}"


def test_the_two_worlds_are_two() -> None:
    def played(world: int) -> list[Entry]:
        with Stage() as stage:
            begin(stage, "manhattan", 3)
            for chance in (random.Random(5), random.Random(world)):
                for _ in range(3):
                    move(stage, chance)
            return stage.entries()

    assert [each.lines for each in played(1)] != [each.lines for each in played(2)]
