"""Tables for scenes: seats on stations, lines with owners, dice as they fall, lines that are typed.

A is seat 1 and has the turn, unless a scene says otherwise. Money is in thousands of yen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest

from bluebear.rules.core.chance import Chance, FastChance, NoChance
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.game import Outcome, TextPage
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Event, Eyes, Move, Seat, but
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.network import LINES, payoff
from bluebear.rules.tokai.rules.state import Due, Phase, State, Traveller
from tests.rules.scripted_chance import ScriptedChance

A, B, C, D, E, F = (Seat(number) for number in range(1, 7))
HOMES: Final = ("inuyama", "yokkaichi", "tsu", "toyohashi", "nakatsugawa", "sekigahara")
"""Where seats stand that a scene does not place: far from each other."""

EN: Final = TextPage(lang="en")
JA: Final = TextPage(lang="ja")


def traveller(
    *trail: str,
    cash: int = 20,
    to: str | None = None,
    express: bool = False,
    through: Sequence[str] = (),
) -> Traveller:
    """A seat on a trip: its trail from the origin to its pawn, and its destination."""
    destination = None if to is None else PointId(to)
    points = tuple(map(PointId, trail))
    return Traveller(
        cash=cash,
        express=express,
        trail=points,
        destination=destination,
        payoff=0 if destination is None else payoff(points[0], destination),
        through=tuple(sorted(map(LineId, through))),
        hand=(),
        chosen=True,
        basket=None,
    )


def table(
    *travellers: Traveller,
    phase: Phase = Phase.MOVE,
    roll: int = 0,
    owners: Mapping[str, Seat] | None = None,
    seats: int = 2,
    dues: Sequence[tuple[int, int]] = (),
    **changes: Any,  # Any: fields of the table
) -> State:
    """A table in the middle of a game; seats that are not given stand at home, bound for Nagoya."""
    placed = list(travellers)
    while len(placed) < seats:
        placed.append(traveller(HOMES[len(placed)], to="nagoya"))
    made = State(
        rules=1,
        openchoices=False,
        settlelast=False,
        strict=False,
        through=1,
        turnlimit=400,
        phase=phase,
        first=A,
        active=A,
        turns=10,
        extra=False,
        granted=False,
        roll=roll,
        legs=(),
        dues=tuple(Due(*due) for due in dues),
        owners=Keyed({LineId(line): seat for line, seat in (owners or {}).items()}),
        auction=None,
        closing=False,
        fallen=(),
        ending=None,
        seats=Keyed({Seat(at + 1): one for at, one in enumerate(placed)}),
    )
    return but(made, **changes)


def sound(made: State) -> State:
    """The table, which breaks no invariant."""
    assert list(GAME.invariants(made)) == []
    return made


def dice(*faces: int) -> ScriptedChance:
    """Dice as they will fall: two white ones and the coloured one, or what is asked for."""
    return ScriptedChance(*(face - 1 for face in faces))


def outcome(made: State, seat: Seat, line: str, chance: Chance | None = None) -> Outcome[State]:
    """What comes of a canonical line; draws do not matter unless a chance is given."""
    return GAME.play(made, seat, GAME.grammar.parse(line), chance or FastChance(1))


def typed(made: State, seat: Seat, text: str) -> list[str]:
    """The canonical lines of what a seat types, as a server finds them."""
    head, _, rest = text.removeprefix("/").partition(" ")
    (name,) = GAME.grammar.heads.find(fold(head))
    verb = GAME.grammar.verbs[name]
    view = GAME.seen(made, frozenset((seat,)))
    moves: Sequence[Move] | None = GAME.text(view, frozenset((seat,))).expand(seat, name, rest)
    if moves is None:
        moves = [GAME.grammar.understand(verb, rest, lambda: GAME.legal(made, seat))]
    return [GAME.grammar.format(move) for move in moves]


def play(
    made: State, seat: Seat, text: str, chance: Chance | None = None
) -> tuple[State, list[Event]]:
    """The table after what a seat types, and everything that happened."""
    happened: list[Event] = []
    lines = typed(made, seat, text)
    for number, line in enumerate(lines, 1):
        drawing = (chance or FastChance(1)) if number == len(lines) else NoChance()
        after = outcome(made, seat, line, drawing)
        made = after.state
        happened += after.events
    return sound(made), happened


def refusal(made: State, seat: Seat, line: str) -> NotAllowed:
    """Why a canonical line is not allowed; it must be refused before anything is drawn."""
    with pytest.raises(NotAllowed) as caught:
        outcome(made, seat, line, NoChance())
    assert caught.value.rule in GAME.rules
    return caught.value


def misunderstood(made: State, seat: Seat, text: str) -> Refusal:
    """Why what a seat types is no line."""
    with pytest.raises(Refusal) as caught:
        typed(made, seat, text)
    return caught.value


def lines(made: State, seat: Seat) -> list[str]:
    """What a seat may do."""
    return [GAME.grammar.format(move) for move in GAME.legal(made, seat)]


def events_of(events: Sequence[Event], *kinds: type[Event]) -> list[Event]:
    """What happened of some kinds."""
    return [event for event in events if type(event) in kinds]


def names(events: Sequence[Event]) -> list[str]:
    """What happened, by name."""
    return [type(event).__name__ for event in events]


def sentence(event: Event, page: TextPage = EN) -> str:
    """The public sentence of an event."""
    text = event_text(GAME.phrases, event, frozenset(), lang=page.lang)
    assert text is not None
    return text


def reason(refusal: Refusal, page: TextPage = EN) -> str:
    """The sentence of a refusal."""
    return GAME.phrases.say(f"refusal.{refusal.code}", page.lang, refusal.params)


def owed(made: State) -> dict[int, int]:
    """The dues of this turn by payee, the bank as 0."""
    return {due.payee: due.amount for due in made.dues}


def all_but(*free: str, owner: Seat = B) -> dict[str, Seat]:
    """Every line owned by a seat, but some."""
    return {line.id: owner for line in LINES if line.id not in free}


def eyes(*seats: Seat) -> Eyes:
    """The eyes of some seats; of a spectator without any."""
    return frozenset(seats)


def turn_of_a(
    rider: Traveller, *faces: int, other: Traveller | None = None, seats: int = 2, **changes: Any
) -> tuple[State, list[Event]]:
    """A's turn begins, since the last seat buys nothing after an arrival; these dice fall."""
    theirs = other or traveller("yokkaichi", cash=50)
    last = Seat(seats)
    before = table(rider, theirs, seats=seats, phase=Phase.BUY, active=last, **changes)
    return play(before, last, "/buy none", dice(*faces))


def extra_half_of_a(
    rider: Traveller, *faces: int, other: Traveller | None = None, **changes: Any
) -> tuple[State, list[Event]]:
    """A's extra half begins, since A buys nothing after an arrival; these dice fall."""
    theirs = other or traveller("yokkaichi", cash=50, to="nagoya")
    before = table(rider, theirs, phase=Phase.BUY, granted=True, **changes)
    return play(before, A, "/buy none", dice(*faces))
