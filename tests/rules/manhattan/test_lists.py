"""Do the plain lists of playouts play by the rules? Random games on both, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Outcome
from bluebear.rules.core.visibility import Event, Move, Seat, require
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.bot.fast_state import CITY_OF, SITES_HERE, FastState, Shuffle
from bluebear.rules.manhattan.bot.playouts import Playouts, rest_of
from bluebear.rules.manhattan.rules.events import Dealt, Drew, Exchanged, Lost, Shuffled
from bluebear.rules.manhattan.rules.moves import Build, Take
from bluebear.rules.manhattan.rules.state import City, Phase, Site, State
from tests.rules.manhattan.scene import B, with_piles
from tests.rules.manhattan.test_building import beleaguered

OPTIONS: Final[tuple[dict[str, bool], ...]] = (
    {},
    {"sixrounds": True},
    {"turned_cards": True},
)


def fast_state_of(table: State, shuffle: Shuffle) -> FastState:
    """A whole table as lists; `shuffle` gives the order of the deck."""
    stack = [card for card, count in enumerate(require(table.deck)) for _ in range(count)]
    shuffle(stack)
    return FastState(table, stack, shuffle)


def drawn(events: Sequence[Event]) -> tuple[list[int], list[int]]:
    """The cards that were drawn, from 0, before the discards became the deck and after it."""
    before: list[int] = []
    after: list[int] = []
    cards = before
    for event in events:
        if isinstance(event, Shuffled):
            cards = after
        elif isinstance(event, Drew):
            cards.append(event.card - 1)
        elif isinstance(event, Dealt):
            cards.extend(card - 1 for card in event.cards)
    return before, after


def ordered(stack: list[int], first: Sequence[int]) -> None:
    """Put a deck into an order in which these cards are drawn first; ValueError if it cannot."""
    for card in first:
        stack.remove(card)
    stack += reversed(first)


def play_along(lists: FastState, move: Move, outcome: Outcome[State]) -> None:
    """Play on the lists what the rules have played, with the same cards."""
    before, after = drawn(outcome.events)
    ordered(lists.stack, before)
    lists.shuffle = lambda cards: ordered(cards, after)
    if isinstance(move, Build):
        lists.build(move.block, CITY_OF.index(move.city) * SITES_HERE + move.site - 1)
    elif isinstance(move, Take):
        lists.take(move.blocks)
    lists.settle()


def plain(lists: FastState) -> dict[str, object]:
    """All that lists have, cards without an order."""
    made = {name: value for name, value in vars(lists).items() if name not in ("shuffle", "earned")}
    made["hands"] = [sorted(hand) for hand in lists.hands]
    made["stack"] = sorted(lists.stack)
    return made


def same(lists: FastState, table: State) -> None:
    """The lists are those of this table, and promise the same."""
    there = fast_state_of(table, lambda cards: None)
    if table.turn is None:
        there.turn = lists.turn
    assert plain(lists) == plain(there)
    rest = rest_of(lists, lists.points(), None)
    assert list(rest.terms) == GAME.thinker.terms(table)
    assert rest.spread == GAME.thinker.spread(table)
    result = GAME.result(table)
    winners = [] if result is None else [one.seat for one in result.standings if one.place == 1]
    assert sorted(rest.first) == sorted(winners)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("rash", [False, True], ids=["mixed", "high"])
def test_the_lists_play_by_the_rules(seats: int, options: dict[str, bool], *, rash: bool) -> None:
    chance = FastChance(seats * 7 + len(str(options)))
    outcome: Outcome[State] = GAME.setup(GAME.info.complete(options), seats, chance)
    lists = fast_state_of(outcome.state, lambda cards: None)
    happened: set[type] = set()
    while outcome.to_move:
        table = outcome.state
        [seat] = outcome.to_move
        moves = GAME.plain(table, seat)
        # High blocks first wall in the players who have small ones left.
        move = moves[-1] if rash and chance.pick(3) else moves[chance.pick(len(moves))]
        outcome = GAME.play(table, seat, move, chance)
        play_along(lists, move, outcome)
        same(lists, outcome.state)
        happened |= {type(event) for event in outcome.events}
    assert Shuffled in happened


@pytest.mark.parametrize(
    ("deck", "discards", "chosen", "kinds"),
    [
        ((3, 0, 0, 0, 0, 0, 0, 0, 2), (0,) * 9, (1, 1), {Exchanged}),
        ((0, 0, 0, 0, 0, 0, 5, 0, 0), (4, 0, 0, 0, 0, 0, 0, 0, 0), (1, 1), {Exchanged, Shuffled}),
        ((0, 5, 0, 0, 0, 0, 0, 0, 0), (0, 0, 5, 0, 0, 0, 0, 0, 0), (3, 2), {Lost}),
    ],
    ids=["exchanged", "until it helps", "lost"],
)
def test_hands_of_no_use_and_lost_blocks(
    deck: tuple[int, ...],
    discards: tuple[int, ...],
    chosen: tuple[int, ...],
    kinds: set[type],
) -> None:
    """What hardly ever comes up at random (Rule: manhattan 4.7)."""
    table = with_piles(beleaguered(chosen=chosen), deck=deck, discards=discards)
    lists = fast_state_of(table, lambda cards: None)
    made = GAME.play(table, B, Build(1, City.CAIRO, Site(5)), FastChance(1))
    assert kinds <= {type(event) for event in made.events}
    play_along(lists, Build(1, City.CAIRO, Site(5)), made)
    same(lists, made.state)


def test_a_playout_plays_to_the_next_scoring_and_leaves_the_deal_alone() -> None:
    chance = FastChance(3)
    table = GAME.setup(GAME.info.complete({}), 2, chance).state
    seat = table.turn or Seat(1)
    core = Playouts(GAME.seen(table, frozenset({seat})), seat)
    core.deal(5)
    moves = GAME.plain(table, seat)
    rests = [core.play_out(move) for move in moves[:6]]
    assert [core.play_out(move) for move in moves[:6]] == rests
    assert all(sum(terms) > 0 for rest in rests for terms in rest.terms)
    assert all(isinstance(rest.reply, Build) for rest in rests)
    core.deal(6)
    assert [core.play_out(move) for move in moves[:6]] != rests


def test_a_deal_has_every_card_five_times() -> None:
    table = GAME.setup(GAME.info.complete({}), 3, FastChance(2)).state
    core = Playouts(GAME.seen(table, frozenset({Seat(2)})), Seat(2))
    core.deal(9)
    dealt = core._dealt
    cards = sorted([*dealt.stack, *(card for hand in dealt.hands for card in hand)])
    assert cards == sorted([*range(9)] * 5)
    assert sorted(dealt.hands[1]) == [card - 1 for card in table.seats[Seat(2)].hand or ()]


def test_the_policy_reads_the_movers_hand_and_what_lies_open() -> None:
    """On other deals of what the mover sees it makes the same choice."""
    chance = FastChance(8)
    outcome: Outcome[State] = GAME.setup(GAME.info.complete({}), 3, chance)
    chosen = 0
    while outcome.to_move:
        [seat] = outcome.to_move
        eyes = frozenset({seat})
        core = Playouts(GAME.seen(outcome.state, eyes), seat)
        if outcome.state.phase is Phase.BUILDING:
            choices = set()
            for seed in range(4):
                core.deal(seed)
                core._state = 77
                choices.add(core._choice(core._dealt))
            assert len(choices) == 1
            chosen += 1
        moves = GAME.plain(outcome.state, seat)
        outcome = GAME.play(outcome.state, seat, moves[chance.pick(len(moves))], chance)
    assert chosen > 60
