"""A frozen draft has what was written to it, and the exact changes for each viewer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.draft import draft_of, freeze
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import (
    Hidden,
    Node,
    Owner,
    Public,
    Seat,
    VisibilityError,
    but,
    field_names,
    require,
)
from tests.rules.core.sample import (
    SAMPLE,
    Asking,
    Coin,
    Colour,
    Dealing,
    Hand,
    Offer,
    Sample,
    Scoring,
    samples,
    successions,
)
from tests.rules.core.walked_changes import walk_changes

A, B = Seat(1), Seat(2)
HAND = Hand(size=2, cards=(3, 1), purse=Keyed(), note=None, fate=1_000_000)
TABLE = Sample(
    name="one",
    open=True,
    hands=Keyed({A: HAND, B: but(HAND, size=1)}),
    coins=Keyed({Colour.BLUE: Coin(worth=2, colour=Colour.BLUE)}),
    row=(),
    pair=(1, Colour.RED),
    best=None,
    phase=Dealing(left=3, by=B),
    pile=Keyed({7: 1_000_001}),
)


def rewrite(draft: object, goal: object) -> None:
    """Write to a draft, piece by piece where that goes, until it is like a node or a Keyed."""
    if isinstance(draft, Keyed) and isinstance(goal, Keyed):
        for key in [key for key in draft if key not in goal]:
            del draft[key]
        for key, item in goal.items():
            if key in draft and isinstance(item, Node | Keyed):
                rewrite(draft[key], item)
            else:
                draft[key] = item
        return
    assert isinstance(goal, Node)
    for name in field_names(type(goal)):
        section, wanted = getattr(draft, name), getattr(goal, name)
        like = isinstance(section, type(wanted)) or isinstance(wanted, type(section))
        if like and isinstance(wanted, Node | Keyed):
            rewrite(section, wanted)
        else:
            setattr(draft, name, wanted)


def settled(draft: Sample, old: Sample) -> tuple[Sample, Changes]:
    """What a draft has become, and how it differs from what it was made of."""
    return SAMPLE.settle(draft, old)


def check(old: Sample, draft: Sample, goal: Sample) -> None:
    """A draft of the old state becomes the goal, and its changes are the difference."""
    assert freeze(draft) == goal
    made, changes = settled(draft, old)
    assert made == goal
    assert type(made) is Sample
    assert repr(changes) == repr(walk_changes(SAMPLE.plan, old, goal))
    assert repr(SAMPLE.changes(old, goal)) == repr(changes)


@given(successions())
def test_what_is_written_piece_by_piece_is_what_differs(pair: tuple[Sample, Sample]) -> None:
    old, goal = pair
    draft = SAMPLE.draft(old)
    rewrite(draft, goal)
    check(old, draft, goal)


@given(successions(), samples)
def test_the_route_to_a_state_leaves_no_trace(pair: tuple[Sample, Sample], detour: Sample) -> None:
    old, goal = pair
    draft = SAMPLE.draft(old)
    rewrite(draft, detour)
    rewrite(draft, goal)
    check(old, draft, goal)


@given(successions())
def test_complete_sections_may_replace_the_rest(pair: tuple[Sample, Sample]) -> None:
    old, goal = pair
    draft = SAMPLE.draft(old)
    for name in field_names(Sample):
        setattr(draft, name, getattr(goal, name))
    check(old, draft, goal)


@given(samples, st.data())
def test_reading_changes_nothing(node: Sample, data: st.DataObject) -> None:
    draft = SAMPLE.draft(node)
    for seat in data.draw(st.lists(st.sampled_from([A, B, Seat(3)]), max_size=2)):
        if seat in node.hands:
            assert draft.hands[seat].size == node.hands[seat].size
    assert list(draft.coins.values()) == list(node.coins.values())
    check(node, draft, node)


def test_what_was_not_written_to_is_shared() -> None:
    draft = SAMPLE.draft(TABLE)
    draft.hands[A].size = 7
    made, changes = settled(draft, TABLE)
    assert made.hands[B] is TABLE.hands[B]
    assert made.coins is TABLE.coins
    assert changes.public == {"hands": {"1": {"size": 7}}}


def test_a_new_section_can_be_written_to_at_once() -> None:
    draft = SAMPLE.draft(TABLE)
    draft.phase = Asking(by=Keyed({A: Offer(made=False, wanted=None)}))
    draft.phase.by[A].wanted = 2
    draft.hands[Seat(3)] = HAND
    draft.hands[Seat(3)].cards = (9,)
    made, changes = settled(draft, TABLE)
    assert made.phase == Asking(by=Keyed({A: Offer(made=False, wanted=2)}))
    assert changes.private[A] == {"phase": {"by": {"1": {"wanted": 2}}}}
    assert changes.private[Seat(3)] == {"hands": {"3": {"cards": [9], "purse": {}}}}
    assert list(made.hands) == [1, 2, 3]


def test_a_draft_is_of_the_class_of_its_node() -> None:
    draft = SAMPLE.draft(but(TABLE, phase=Scoring(left=(1,), secret=1_000_000)))
    match draft.phase:
        case Scoring(left=left):
            assert left == (1,)
        case _:
            pytest.fail("the draft of a phase is no such phase")


def test_what_one_gets_or_loops_over_is_to_be_read() -> None:
    draft = SAMPLE.draft(TABLE)
    hand = draft.hands.get(A)
    assert hand is not None
    with pytest.raises(AttributeError):
        hand.size = 3
    for each in draft.hands.values():
        with pytest.raises(AttributeError):
            each.size = 3


def test_what_one_peeks_at_stays_closed() -> None:
    draft = SAMPLE.draft(TABLE)
    assert draft.hands.peek(A) is TABLE.hands[A]
    with pytest.raises(KeyError):
        draft.hands.peek(Seat(3))
    draft.hands[A].size = 3
    assert draft.hands.peek(A).size == 3


class Bag(Node):
    coins: Public[int]


class Holder(Node):
    count: Public[int]
    bag: Owner[Bag | None]
    spare: Hidden[Bag | None]


class Holders(Node):
    seats: Public[Keyed[Seat, Holder]]


HOLDERS = tree_of(Holders)
BAGS = [None, Bag(coins=1), Bag(coins=2)]


@pytest.mark.parametrize("was", BAGS, ids=repr)
@pytest.mark.parametrize("becomes", BAGS, ids=repr)
@pytest.mark.parametrize("is_spare", [False, True])
def test_a_secret_that_may_be_absent_is_reported_to_its_owner_only_when_it_changes(
    was: Bag | None, becomes: Bag | None, is_spare: bool
) -> None:
    seats = {seat: Holder(count=0, bag=was, spare=was) for seat in (A, B)}
    old = Holders(seats=Keyed(seats))
    draft = HOLDERS.draft(old)
    draft.seats[A].count = 1
    if is_spare:
        draft.seats[A].spare = becomes
    else:
        draft.seats[A].bag = becomes
    made = freeze(draft)
    changes = HOLDERS.changes(old, made)
    assert changes.public == {"seats": {"1": {"count": 1}}}
    shown = None if becomes is None else {"coins": becomes.coins}
    owned_items = {} if is_spare or was == becomes else {A: {"seats": {"1": {"bag": shown}}}}
    assert changes.private == owned_items
    assert changes.secret == (was != becomes)
    assert changes == walk_changes(HOLDERS.plan, old, made)


def test_a_new_key_takes_its_position_in_the_order_at_once() -> None:
    holder = Holder(count=0, bag=None, spare=None)
    draft = draft_of(Holders(seats=Keyed({A: holder, Seat(4): holder})))
    for seat in (3, 5, 2):
        draft.seats[Seat(seat)] = holder
    assert list(draft.seats) == [1, 2, 3, 4, 5]
    del draft.seats[A]
    draft.seats[A] = holder
    assert list(draft.seats) == list(freeze(draft).seats) == [1, 2, 3, 4, 5]


def test_a_draft_has_no_hash() -> None:
    draft = draft_of(TABLE)
    with pytest.raises(TypeError, match="freeze"):
        hash(draft.hands)
    with pytest.raises(TypeError):
        hash(draft.hands[A])
    assert hash(freeze(draft.coins)) == hash(TABLE.coins)


def test_a_keyed_draft_is_written_to_in_its_file() -> None:
    draft = draft_of(TABLE)
    with pytest.raises(TypeError, match=r"draft\[key\] = value"):
        draft.coins.put(Colour.RED, Coin(worth=1, colour=Colour.RED))


def test_a_settled_state_does_not_change_any_more() -> None:
    draft = SAMPLE.draft(TABLE)
    coins = draft.coins
    coins[Colour.RED] = Coin(worth=1, colour=Colour.RED)
    made, _ = settled(draft, TABLE)
    draft.name = "later"
    with pytest.raises(TypeError, match="frozen"):
        coins[Colour.RED] = Coin(worth=9, colour=Colour.RED)
    with pytest.raises(TypeError, match="frozen"):
        del coins[Colour.RED]
    assert (made.coins[Colour.RED].worth, made.name) == (1, "one")


def test_a_draft_of_an_unknown_class_does_not_settle() -> None:
    class Stray(Coin, frozen=False):
        draft_base: Public[int] = 0

    draft = SAMPLE.draft(TABLE)
    draft.best = Stray(worth=1, colour=Colour.RED)
    with pytest.raises(TypeError, match="Stray"):
        SAMPLE.settle(draft, TABLE)
    with pytest.raises(TypeError, match="Stray"):
        freeze(draft.best)


class Nothing(Node):
    pass


class Around(Node):
    what: Public[Nothing | None]
    hand: Public[Keyed[Seat, Hand]]


def test_nodes_without_fields_and_views_settle() -> None:
    tree = tree_of(Around)
    old = Around(what=Nothing(), hand=Keyed({A: HAND}))
    draft = tree.draft(old)
    assert draft.what is not None
    assert tree.settle(draft, old) == (old, Changes(None, {}, secret=False))
    draft.what = None
    assert tree.settle(draft, old)[1].public == {"what": None}
    seen = tree.seen(old, frozenset())
    assert tree.changes(seen, old) == walk_changes(tree.plan, seen, old)
    assert tree.changes(old, seen) == walk_changes(tree.plan, old, seen)


class Pocket(Node):
    coins: Owner[int]


class Chair(Node):
    left: Public[Pocket | None]
    drawers: Public[Keyed[int, Pocket]]


class Room(Node):
    chairs: Public[Keyed[Seat, Chair]]


@pytest.mark.parametrize("left", [None, Pocket(coins=1)], ids=repr)
def test_what_lies_deeper_inside_of_a_seat_is_its_owners(left: Pocket | None) -> None:
    tree = tree_of(Room)
    chair = Chair(left=left, drawers=Keyed({1: Pocket(coins=1)}))
    old = Room(chairs=Keyed({A: chair, B: chair}))
    draft = tree.draft(old)
    draft.chairs[B].left = Pocket(coins=2)
    draft.chairs[B].drawers[1].coins = 2
    draft.chairs[B].drawers[5] = Pocket(coins=3)
    made, changes = tree.settle(draft, old)
    drawers = {"1": {"coins": 2}, "5": {"coins": 3}}
    assert changes.private == {B: {"chairs": {"2": {"left": {"coins": 2}, "drawers": drawers}}}}
    assert repr(changes) == repr(walk_changes(tree.plan, old, made))


class Purse(Node):
    coins: Owner[int]
    pocket: Public[Pocket]
    lent: Public[Keyed[Seat, Pocket]]


class Safe(Node):
    purse: Hidden[Purse]


class Vault(Node):
    safes: Public[Keyed[Seat, Safe]]
    spare: Hidden[Keyed[Seat, Purse]]


@pytest.mark.parametrize("name", ["safes", "spare"])
def test_what_owners_have_below_a_hidden_field_is_in_no_patch(name: str) -> None:
    tree = tree_of(Vault)
    pocket = Pocket(coins=1)
    purse = Purse(coins=1, pocket=pocket, lent=Keyed({A: pocket, B: pocket}))
    old = Vault(safes=Keyed({A: Safe(purse=purse)}), spare=Keyed({A: purse}))
    draft = tree.draft(old)
    written = draft.safes[A].purse if name == "safes" else require(draft.spare)[A]
    assert written is not None
    written.coins = written.pocket.coins = written.lent[B].coins = 2
    goal = freeze(draft)
    made, changes = tree.settle(draft, old)
    assert made == goal
    assert changes == Changes(None, {}, secret=True)
    assert repr(changes) == repr(walk_changes(tree.plan, old, made))
    assert repr(changes) == repr(tree.changes(old, goal))


class Table(Node):
    seats: Public[Keyed[Seat, Around]]


def test_seats_with_secrets_inside_of_a_seat_are_refused() -> None:
    with pytest.raises(VisibilityError, match=r"^Around\.hand: seats inside of a seat"):
        tree_of(Table)


def test_the_text_of_settling_is_there_to_read() -> None:
    assert "def settle_Sample(new, old, seat):" in SAMPLE.settle_text
    assert max(len(each.splitlines()) for each in SAMPLE.settle_text.split("\n\n")) < 100
