"""A state with every kind of part that a state may have, and hypothesis strategies for it."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final, TypeVar

from hypothesis import strategies as st

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import Hidden, Node, Owner, Public, Seat, field_names

N = TypeVar("N")

CANARY: Final = 1_000_000
"""Hidden numbers begin here, and no other number does."""


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Height(IntEnum):
    LOW = 1
    HIGH = 2


class Coin(Node):
    worth: Public[int]
    colour: Public[Colour]


class Dealing(Node):
    left: Public[int]
    by: Public[Seat | None]


class Scoring(Node):
    left: Public[tuple[int, ...]]
    secret: Hidden[int]


class Offer(Node):
    made: Public[bool]
    wanted: Owner[int | None]


class Asking(Node):
    """A phase with parts of its own for each seat, under a name that another phase uses too."""

    by: Public[Keyed[Seat, Offer]]


class Hand(Node):
    size: Public[int]
    cards: Owner[tuple[int, ...]]
    purse: Owner[Keyed[Height, Coin]]
    note: Owner[str | None]
    fate: Hidden[int]


class Sample(Node):
    name: Public[str]
    open: Public[bool]
    hands: Public[Keyed[Seat, Hand]]
    coins: Public[Keyed[Colour, Coin]]
    row: Public[tuple[Coin, ...]]
    pair: Public[tuple[int, Colour]]
    best: Public[Coin | None]
    phase: Public[Dealing | Scoring | Asking]
    pile: Hidden[Keyed[int, int]]


SAMPLE: Final = tree_of(Sample)

_small = st.integers(0, 3)
_hidden = st.integers(CANARY, CANARY + 3)
_seats = st.sampled_from([Seat(1), Seat(2), Seat(3)])
coins = st.builds(Coin, worth=_small, colour=st.sampled_from(Colour))
hands = st.builds(
    Hand,
    size=_small,
    cards=st.lists(_small, max_size=3).map(tuple),
    purse=st.dictionaries(st.sampled_from(Height), coins, max_size=2).map(Keyed),
    note=st.none() | st.sampled_from(["ja", "nein"]),
    fate=_hidden,
)
offers = st.builds(Offer, made=st.booleans(), wanted=st.none() | _small)
phases = st.one_of(
    st.builds(Dealing, left=_small, by=st.none() | _seats),
    st.builds(Scoring, left=st.lists(_small, max_size=2).map(tuple), secret=_hidden),
    st.builds(Asking, by=st.dictionaries(_seats, offers, max_size=2).map(Keyed)),
)
samples = st.builds(
    Sample,
    name=st.sampled_from(["一", "two"]),
    open=st.booleans(),
    hands=st.dictionaries(_seats, hands, max_size=3).map(Keyed),
    coins=st.dictionaries(st.sampled_from(Colour), coins, max_size=2).map(Keyed),
    row=st.lists(coins, max_size=2).map(tuple),
    pair=st.tuples(_small, st.sampled_from(Colour)),
    best=st.none() | coins,
    phase=phases,
    pile=st.dictionaries(_small, _hidden, max_size=2).map(Keyed),
)


@st.composite
def successions(draw: st.DrawFn) -> tuple[Sample, Sample]:
    """Two states, the second sharing some parts with the first, as after a move."""
    old, other = draw(samples), draw(samples)
    stored = {
        name: getattr(old if draw(st.booleans()) else other, name) for name in field_names(Sample)
    }
    return old, Sample(**stored)
