"""Acts and their lines: what a value writes it reads, and nothing else is read."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import fields

from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.visibility import Seat, but
from bluebear.server.features import COMMANDS
from bluebear.server.room.creation import MakeRoom
from bluebear.server.room.events import Said
from bluebear.server.room.fold_context import ACTS, RoomAct
from bluebear.server.room.game_setup import Bot, Join
from bluebear.server.room.reducer import fold
from tests.server.fixtures import GAMES, Stage

KINDS: Final[Mapping[str, type[RoomAct]]] = {**ACTS, MakeRoom.head: MakeRoom}
kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)

OLD: Final = """
/newroom manhattan unlisted
/join 2
/join 2 seed=0123456789abcdef0123456789abcdef
/seed 0123456789abcdef0123456789abcdef
/leave
/option clock 300+10
/bot greedy 3
/bot remove 3
/start
/startnosave
/undo
/undo 17
/resign
/remove 2
/masterreset
/pause
/resume
/accept 3
/refuse 12
/reset
/again
/admit
/invite
/invite Ben
/uninvite all
/uninvite one
/password set
/password none
/host Ben
/kick 東京
/ban Ben
/unban Ben
@there 2
@vacation 2 1700000000000
@clock 2
@peekover 2
/allowpeek 10 Emi
/learn next
/learn show
/hint
/allowpeek 0 Emi
@wake 86400000
@freeze
@vote 3
@remove 2
@back 2
@nick Nova
@account
@rated g0123456789abcde
@host Ben
"""
"""Every form of line that a journal may have. One that was written once is never taken away."""

BROKEN: Final = (
    "/join",
    "/join x",
    "/join 02",
    "/join 2 3",
    "/join 2 seed=a seed=b",
    "/join seed=a 2",
    "/leave now",
    "/option clock",
    "/bot 3",
    "/undo x",
    "/uninvite some",
    "/password sesame",
    "/kick",
    "/accept",
    "/kick ",
    "/accept  1",
    "/join \ud800",
)


@pytest.mark.parametrize("line", OLD.split("\n")[1:-1])
def test_a_line_of_a_journal_is_an_act_that_writes_it(line: str) -> None:
    assert KINDS[line.partition(" ")[0]].read(line).line == line


@kinds
def test_every_act_has_a_line_of_old(kind: type[RoomAct]) -> None:
    assert [line for line in OLD.splitlines() if line.partition(" ")[0] == kind.head]


@kinds
def test_an_act_is_read_as_it_was_written(kind: type[RoomAct]) -> None:
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    for values in itertools.product(*(some(hints[name]) for name in names)):
        act = kind(**dict(zip(names, values, strict=True)))
        assert kind.read(act.line) == act


def some(hint: Any) -> Iterable[object]:
    """Some values of a type."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    if get_args(hint):
        return [value for each in get_args(hint) for value in some(each)]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return list(hint)
    base = getattr(hint, "__supertype__", hint)
    results: Mapping[Any, Iterable[object]] = {
        int: [1, 12],
        str: ["Ben", "東京"],
        type(None): [None],
    }
    return results[base]


@pytest.mark.parametrize("line", BROKEN)
def test_what_no_act_writes_is_not_read(line: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        ACTS[line.partition(" ")[0]].read(line)
    assert refused.value.code == "bad_line"


def test_values_have_their_types() -> None:
    assert ACTS["/bot"].read("/bot greedy 3") == Bot("greedy", Seat(3))
    assert ACTS["/join"].read("/join 2 seed=ab") == Join(Seat(2), "ab")


def test_an_act_of_a_person_is_a_command_of_the_same_name() -> None:
    """All but the entry by which one comes in."""
    heads = {head.removeprefix("/") for head in ACTS if head.startswith("/")}
    assert heads - {"admit"} <= set(COMMANDS)


def test_no_two_acts_share_a_head() -> None:
    with pytest.raises(ValueError, match="/kick: Shove, Kick"):

        class Shove(RoomAct, frozen=True):
            head = "/kick"


def test_what_a_person_says_is_never_of_the_server(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    entry = but(stage.entries()[-1], seq=stage.room.version + 1, lines=("@freeze",))
    [sent] = fold(stage.room, entry, GAMES).events
    assert isinstance(sent, Said)


def test_an_act_of_the_server_that_no_person_knows_is_no_talk(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    entry = but(stage.entries()[-1], seq=stage.room.version + 1, lines=("@later 1",))
    with pytest.raises(NotUnderstood):
        fold(stage.room, but(entry, actor="server"), GAMES)
