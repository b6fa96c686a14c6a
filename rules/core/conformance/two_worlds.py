"""The two-worlds test: positions that look equal to a viewer must give that viewer equal data.

At a position and for some eyes `determinize` makes another world: another state with the same view.
The eyes must see no difference, also after the same line in both, unless events that `reveal`
something to these eyes differ. Board, status, completion, queries and long forms depend only on
the view and the legal moves by their signatures, so comparing those two covers them.

Other draws make other worlds, too: one move is played several times from one position. If the eyes
see equal views afterwards although the states differ, they must get equal events. The same holds
after the set-up. An event that `reveals` something to these eyes is not compared, but it excuses no
other event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any, Final

from bluebear.rules.core.chance import Chance, FastChance, WouldDraw
from bluebear.rules.core.conformance.case import Case, crashes, game_fault
from bluebear.rules.core.conformance.position_checks import refusal_of
from bluebear.rules.core.conformance.random_play import (
    Position,
    Step,
    any_move,
    is_checked,
    start,
    walk,
)
from bluebear.rules.core.event_text import event_text, event_view, revealed, reveals_to
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import Shaped, canonical
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.visibility import Event, Eyes, Move, Seat, Visibility

SETUPS: Final = 24
"""The number of set-ups that are compared; enough that some look equal to the eyes."""
CLOSER: Final = 16
"""The number of further worlds for a step with an event whose flag has explained nothing."""
OTHER_SEEDS: Final = 1_000_003
"""How far the seed of the other draws is from the seed of a walk."""
STORED: Final = 80
"""The most steps stored for an event that has not explained a difference yet."""
STORED_OF_A_CASE: Final = 8
"""The most of them from one case."""


class Flags:
    """The flags of a game that have not explained a difference yet. Owned by one run of the kit.

    The declaration `reveals` (a flag) excuses a difference, so a flag that never explains one is a
    fault: with PUBLIC the event must show something to eyes other than its seat's, with OWNER to
    its seat's. Random games may miss a rare event, or the positions where it matters. So the first
    steps with each event are stored, and replayed in more worlds at the end.
    """

    def __init__(self, kinds: Sequence[type[Event]]) -> None:
        """`kinds` are the events of the game."""
        self.open: dict[type[Event], list[Step]] = {
            kind: [] for kind in kinds if kind.reveals is not None
        }
        """The events whose flag has explained nothing, with steps in which they happened."""

    def meet(self, step: Step) -> None:
        """Store a step if it has an event whose flag is open."""
        happened = frozenset(map(type, step.after.events))
        for kind, stored in self.open.items():
            if kind in happened and len(stored) < STORED:
                of_case = sum(each.before.case is step.before.case for each in stored)
                if of_case < STORED_OF_A_CASE:
                    stored.append(step)

    def compare(self, here: Sequence[Event], there: Sequence[Event], eyes: Eyes) -> None:
        """Close the flags that explain why these eyes get different events here and there."""
        for kind in [*self.open]:
            if _shown(kind, here, eyes) != _shown(kind, there, eyes):
                del self.open[kind]


NO_FLAGS: Final = Flags(())
"""Records nothing: for comparing worlds without checking the flags."""


def _concerns(event: Event, eyes: Eyes) -> bool:
    """Whether the flag of an event is about these eyes: its seat's, or all but its seat's."""
    is_owner = getattr(event, "seat", None) in eyes
    return is_owner == (event.reveals is Visibility.OWNER)


def _shown(kind: type[Event], events: Sequence[Event], eyes: Eyes) -> list[Shaped | None]:
    """The events of a kind as these eyes see them, if its flag concerns the eyes."""
    return [
        event_view(each, eyes) for each in events if type(each) is kind and _concerns(each, eyes)
    ]


def check_worlds(
    case: Case, seeds: Sequence[int], *, tries: int = 3, flags: Flags = NO_FLAGS
) -> Counter[str]:
    """Play a game for each seed, and compare another world at every checked position.

    Counts the pairs of worlds that were `played` on, and those that stayed `equal` to the eyes.
    Flags that explain a difference are closed in `flags`. Raises ConformanceError for a difference
    that no event explains, and if no pair was equal.
    """
    check_setups(case, range(seeds[0], seeds[0] + SETUPS), flags)
    total = Counter[str]()
    for seed in seeds:
        choice = FastChance(seed)
        for step in walk(case, seed, wild=bool(seed % 2)):
            flags.meet(step)
            if not is_checked(step.before.number):
                continue
            all_eyes = step.before.all_eyes()
            eyes = all_eyes[choice.pick(len(all_eyes))]
            with crashes(case.game, step.before.fault):
                total += check_position_in_worlds(step.before, eyes, choice, flags, tries=tries)
    if total["played"] and not total["equal"]:
        raise case.fault("in no pair of worlds did anybody see the same afterwards", seeds[0])
    return total


def check_flags(game: Game[Any], flags: Flags) -> None:
    """Every flag met in the games of all cases must explain a difference, in more worlds if needed.

    Raises ConformanceError for a flag that never explains one.
    """
    choice = FastChance(0)
    for kind, steps in [*flags.open.items()]:
        for step, event in [(each, event) for each in steps for event in each.after.events]:
            for eyes in step.before.all_eyes() if type(event) is kind else ():
                if kind in flags.open and _concerns(event, eyes):
                    _check_more_worlds(step, eyes, choice, flags)
        if steps and kind in flags.open:
            is_owner = kind.reveals is Visibility.OWNER
            to = "its seat's eyes" if is_owner else "eyes other than its seat's"
            raise game_fault(
                game,
                f"{kind.__name__}.reveals explains no difference: in {len(steps)} steps it tells"
                f" {to} the same in all worlds that look the same to them",
            )


def _check_more_worlds(step: Step, eyes: Eyes, chance: Chance, flags: Flags) -> None:
    """Replay a step in other worlds with other draws each time, then with other draws only."""
    at = step.before
    for number in range(CLOSER):
        seed = at.seed + number * OTHER_SEEDS
        there = _play_there(_other_world(at, eyes, chance), step, eyes, chance, seed)
        if there is not None:
            flags.compare(at.after(step.seat, step.move, seed).events, there.events, eyes)
    check_draws(step, eyes, flags, tries=CLOSER)


def check_position_in_worlds(
    at: Position, eyes: Eyes, chance: Chance, flags: Flags = NO_FLAGS, *, tries: int
) -> Counter[str]:
    """Compare the position with another world, and play lines that are legal in both."""
    other = _other_world(at, eyes, chance)
    _compare_now(at, other, eyes, chance, tries=tries)
    total = Counter[str]()
    movers = at.movers()
    for _ in range(tries):
        seat = movers[chance.pick(len(movers))]
        legal = at.case.game.legal(at.state, seat)
        move = legal[chance.pick(len(legal))]
        step = Step(at, seat, move, at.after(seat, move))
        if (there := _play_there(other, step, eyes, chance)) is not None:
            is_equal = _compare_after(step, other, there, eyes, flags)
            total.update(played=1, equal=is_equal)
            check_draws(step, eyes, flags, tries=tries)
    return total


def _other_world(at: Position, eyes: Eyes, chance: Chance) -> Position:
    """A position that looks to the eyes like this one."""
    game = at.case.game
    return replace(at, state=game.determinize(game.seen(at.state, eyes), eyes, chance))


def _play_there(
    other: Position, step: Step, eyes: Eyes, chance: Chance, seed: int | None = None
) -> Position | None:
    """Another world after a legal move that looks to the eyes like that of a step, if it has one.

    Another `seed` gives other draws.
    """
    line = partial(other.line, sees_owner=step.seat in eyes)
    shown = line(step.move)
    legal = other.case.game.legal(other.state, step.seat)
    moves = [each for each in legal if line(each) == shown]
    return other.after(step.seat, moves[chance.pick(len(moves))], seed) if moves else None


def _compare_now(at: Position, other: Position, eyes: Eyes, chance: Chance, *, tries: int) -> None:
    game = at.case.game
    same = game.tree.view(other.state, eyes) == game.tree.view(at.state, eyes)
    if not same or game.seen(other.state, eyes) != game.seen(at.state, eyes):
        raise at.fault(f"deal gives {sorted(eyes)} another view than the one it was given")
    for broken in game.invariants(other.state):
        raise at.fault(f"deal gives an impossible state: {broken}")
    if other.movers() != at.movers() or (game.result(other.state) is None) != bool(at.movers()):
        raise at.fault(f"who is to move tells {sorted(eyes)} something hidden")
    for seat in sorted(eyes):
        if _options_of(at, seat) != _options_of(other, seat):
            raise at.fault(f"what seat {seat} may do depends on something that it does not see")
        for _ in range(tries):
            if (move := any_move(game.grammar.verbs, at, chance)) is not None:
                if _refusal_data(at, seat, move) != _refusal_data(other, seat, move):
                    what = f"the refusal of {at.line(move)} tells seat {seat} something hidden"
                    raise at.fault(what)


def _options_of(at: Position, seat: Seat) -> object:
    """The choices of a seat, its take-backs and its fallback."""
    game, state = at.case.game, at.state
    legal = game.sorted(state, seat)
    backs = [game.take_back(state, seat, what) for what in ("", *game.grammar.verbs)]
    return legal, backs, game.fallback(state, seat) if legal else None


def _refusal_data(at: Position, seat: Seat, move: Move) -> object:
    """The data of a move's refusal, to compare; None if it is played or draws."""
    try:
        refusal = refusal_of(at, seat, move)
    except WouldDraw:
        return None
    return refusal and (refusal.code, refusal.rule, refusal.candidates, repr(refusal.params))


def _compare_after(step: Step, other: Position, there: Position, eyes: Eyes, flags: Flags) -> bool:
    at, here = step.before, step.after
    game = at.case.game
    views = [game.tree.view(world.state, eyes) for world in (here, there)]
    if views[0] == views[1] and _frames(at, here, eyes) == _frames(other, there, eyes):
        return True
    if revealed(here.events, eyes) != revealed(there.events, eyes):
        flags.compare(here.events, there.events, eyes)
        return False
    events = _announced(at, here.events, eyes), _announced(other, there.events, eyes)
    where = [_event_difference(*events)]
    if views[0] == views[1]:
        what = f"{step.line}: {sorted(eyes)} sees no difference, but its events have one"
    else:
        what = f"{step.line} shows {sorted(eyes)} something hidden, and no event says so"
        where.append(f"{game.state.__name__}{_view_difference(*views)}")
    named = ", ".join(filter(None, where))
    raise at.fault(f"{what}: {named}" if named else what)


def _frames(before: Position, after: Position, eyes: Eyes) -> object:
    """All data of a step that is sent to the eyes."""
    game = before.case.game
    new = after.state
    changes = game.tree.changes(before.state, new)
    return (
        _announced(after, after.events, eyes),
        changes.public,
        [changes.private.get(seat) for seat in sorted(eyes)],
        [_options_of(after, seat) for seat in sorted(eyes)],
        after.movers(),
        game.result(new),
        # All members see whether a move can be undone without a vote.
        after.counter == before.counter,
        changes.secret,
    )


def check_setups(case: Case, seeds: Sequence[int], flags: Flags) -> None:
    """Eyes with equal views of two set-ups must get equal events. Raises ConformanceError."""
    first: dict[tuple[Eyes, bytes], Position] = {}
    for at in (start(case, seed) for seed in seeds):
        for eyes in at.all_eyes():
            key = eyes, canonical(case.game.tree.view(at.state, eyes))
            if (before := first.setdefault(key, at)) is not at:
                _compare_draws(at, before, eyes, flags, f"as with seed {before.seed}")


def check_draws(step: Step, eyes: Eyes, flags: Flags, *, tries: int) -> None:
    """The events of a move must reveal no more of its draws than the views do."""
    at, here = step.before, step.after
    if here.counter == at.counter:
        return
    tree = at.case.game.tree
    seen = tree.view(here.state, eyes)
    for number in range(1, tries + 1):
        there = at.after(step.seat, step.move, at.seed + number * OTHER_SEEDS)
        if there.state != here.state and tree.view(there.state, eyes) == seen:
            _compare_draws(here, there, eyes, flags, f"after other draws of {step.line}")


def _compare_draws(here: Position, there: Position, eyes: Eyes, flags: Flags, what: str) -> None:
    """Two positions that look equal to the eyes must have equal events, but what reveals."""
    flags.compare(here.events, there.events, eyes)
    events = (
        _announced(at, [each for each in at.events if not reveals_to(each, eyes)], eyes)
        for at in (here, there)
    )
    if where := _event_difference(*events):
        raise here.fault(f"{sorted(eyes)} sees the same {what}, but gets other events: {where}")


# Where two worlds differ, as text for an error: event, field, path.


def _announced(at: Position, events: Iterable[Event], eyes: Eyes) -> list[Shaped]:
    """Some events as they are announced to these eyes: class, data, sentences; no hidden ones."""
    say = partial(event_text, at.case.game.phrases, eyes=eyes)
    return [
        {**view, "event": type(each).__name__, "sentences": [say(each, lang=to) for to in LANGS]}
        for each in events
        if (view := event_view(each, eyes)) is not None
    ]


def _event_difference(here: Sequence[Shaped], there: Sequence[Shaped]) -> str:
    """`Drew.card`: the first event that differs, and its field; empty if none does."""
    for both in zip_longest(here, there):
        names = dict.fromkeys(each["event"] for each in both if each is not None)
        if None in both or len(names) > 1:
            return " or ".join(names)
        if where := _view_difference(*both):
            return f"{both[0]['event']}{where}"
    return ""


def _view_difference(here: object, there: object) -> str:
    """`.seats.1.hand`: the path to the first difference of two views; empty if there is none."""
    if isinstance(here, dict) and isinstance(there, dict):
        for name in sorted(here.keys() | there.keys()):
            if here.get(name) != there.get(name):
                return f".{name}{_view_difference(here.get(name), there.get(name))}"
    return ""
