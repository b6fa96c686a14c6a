"""Takes the markers of a game away or widens them, one at a time; prints which check notices.

    python -m tests.leak.marker_mutants manhattan

A marker is `Owner` or `Hidden` on a field of the state, of a move or of an event, `sight` of a move
or an event, `reveals` of an event. The stored list of secrets has to notice it; for an event the
kit's `check` is asked first, in the steps in which it happens. `reveals` is also widened from OWNER
to PUBLIC, and `sight` from HIDDEN to OWNER. Each mutant runs in a process of its own, since it
breaks the classes of the game for good.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Final

from bluebear.rules.core import event_text, tree
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import (
    Case,
    ConformanceError,
    cases,
    read_case,
    seat_numbers,
)
from bluebear.rules.core.conformance.random_play import Position, Step, start, walk
from bluebear.rules.core.conformance.static_checks import check_catalogue
from bluebear.rules.core.conformance.two_worlds import (
    Flags,
    check_draws,
    check_flags,
    check_position_in_worlds,
    check_setups,
)
from bluebear.rules.core.game import Game
from bluebear.rules.core.grammar import Grammar
from bluebear.rules.core.visibility import (
    Event,
    Move,
    Node,
    Visibility,
    VisibilityError,
    classes_below,
    marked_hints,
    visibility_of,
)
from tests.rules.game_files import GAMES, HERE, lines
from tests.rules.goldens import made_again

STEPS: Final = 4
"""So many steps with an event of the kind are looked at."""
SEEDS: Final = range(1, 13)
"""For the draws of what can be done in a stored position."""
GAMES_MAX: Final = 4
"""Games of a case in which events are looked for; what comes in none has to be in a text."""
TRIES: Final = 4
UNNOTICED: Final = "UNNOTICED"


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker: the class, the field or class variable it is on, and what replaces it."""

    cls: type[Node]
    name: str
    becomes: Visibility | None = Visibility.PUBLIC

    def __str__(self) -> str:
        becomes = "none" if self.becomes is None else self.becomes.value
        return f"{self.cls.__name__}.{self.name}={becomes}"

    @property
    def kind(self) -> str:
        """Whether it is of an event, or of the state or a move."""
        return "event" if issubclass(self.cls, Event) else "other"


def markers(package: str) -> Iterator[Marker]:
    """All markers of a game that hide something or own up to showing it."""
    for cls in classes_below(Node, package):
        for name, hint in marked_hints(cls).items():
            if visibility_of(hint) is not Visibility.PUBLIC:
                yield Marker(cls, name)
        if issubclass(cls, Move | Event) and cls.sight is not Visibility.PUBLIC:
            yield Marker(cls, "sight")
            if cls.sight is Visibility.HIDDEN and "seat" in marked_hints(cls):
                yield Marker(cls, "sight", Visibility.OWNER)
        if issubclass(cls, Event) and cls.reveals is not None:
            yield Marker(cls, "reveals", None)
            if cls.reveals is Visibility.OWNER:
                yield Marker(cls, "reveals")


def take_away(game: Game[Any], marker: Marker) -> None:
    """Breaks the classes of a game for good; trees, forms and grammar are made of them anew."""
    cls, name = marker.cls, marker.name
    if name in ("sight", "reveals"):
        setattr(cls, name, marker.becomes)
    else:
        kind = marked_hints(cls)[name].__origin__
        cls.__annotations__[name] = Annotated[kind, marker.becomes]
    tree.tree_of.cache_clear()
    event_text.event_form.cache_clear()
    grammar = game.grammar
    type(game).grammar = Grammar(
        list(grammar.verbs.values()), list(grammar.queries.values()), grammar.shorthands
    )


def noticed_by(complete_game: Game[Any], marker: Marker, steps: StepsByKind) -> str:
    """Which check notices that a marker is taken away; empty if none does."""
    take_away(complete_game, marker)
    try:
        game = type(complete_game)()
        check_catalogue(game)
    except (ConformanceError, VisibilityError, TypeError):
        return "catalogue"
    if issubclass(marker.cls, Event) and (check := _noticed_in_games(game, marker.cls, steps)):
        return check
    stored = lines(HERE / game.info.key / "secrets.txt")
    return "secrets" if made_again(game, stored[0]) != stored else ""


def _noticed_in_games(game: Game[Any], kind: type[Event], steps: StepsByKind) -> str:
    """Which check of `check` notices that a marker of an event is gone; empty if none does."""
    choice = FastChance(1)
    flags = Flags([kind])
    for at, case in enumerate(looked_at(game)):
        try:
            check_setups(case, range(1, 25), flags)
            for step in (made_of(each, case) for each in steps[at][kind]):
                flags.meet(step)
                for eyes in step.before.all_eyes():
                    check_draws(step, eyes, flags, tries=TRIES)
                    check_position_in_worlds(step.before, eyes, choice, flags, tries=TRIES)
        except ConformanceError:
            return "worlds"
        except (KeyError, TypeError, AttributeError, ValueError):
            return "deal"
    try:
        check_flags(game, flags)
    except ConformanceError:
        return "flags"
    return ""


def looked_at(game: Game[Any]) -> list[Case]:
    """The cases in which markers are missed: the defaults by seats first, then other options."""
    info = game.info
    seats = seat_numbers(min(max(info.seats.min, 2), info.seats.max), info.seats.max)
    first, *defaults = [read_case(game, [f"seats={each}"]) for each in seats]
    listed = [case for case in cases(game) if case.seats in seats]
    ordered = [first, replace(listed[-1], seats=seats[-1]), *defaults, *listed]
    return [case for at, case in enumerate(ordered) if case not in ordered[:at]][:6]


StepsByKind = Sequence[Mapping[type[Node], Sequence[Step]]]
"""For each case the first steps with each kind of event."""


def steps_with(game: Game[Any], kinds: Collection[type[Node]]) -> StepsByKind:
    """The first steps of each kind in the kept positions and in random games, for each case.

    Found once for all markers: which steps there are does not depend on who sees them.
    """
    return [_first_steps(case, kinds) for case in looked_at(game)]


def _first_steps(case: Case, kinds: Collection[type[Node]]) -> Mapping[type[Node], Sequence[Step]]:
    results: dict[type[Node], list[Step]] = {kind: [] for kind in kinds}
    # What is dealt at the set-up may never happen again: no game is played to look for it.
    awaited = set(kinds).difference(map(type, start(case, SEEDS[0]).events))
    games = (walk(case, seed, wild=bool(seed % 2)) for seed in SEEDS[:GAMES_MAX])
    for step in itertools.chain(stored_steps(case), *games):
        for kind in results.keys() & {type(step.move), *map(type, step.after.events)}:
            if len(results[kind]) < STEPS:
                results[kind].append(step)
            if len(results[kind]) == STEPS:
                awaited.discard(kind)
        if not awaited:
            break
    return results


def made_of(step: Step, case: Case) -> Step:
    """A step as a game plays it whose classes have changed since it was found."""
    before = replace(step.before, case=case)
    return Step(before, step.seat, step.move, before.after(step.seat, step.move))


def stored_steps(case: Case) -> Iterator[Step]:
    """What can be done in the positions that are kept for the rare rules of a game."""
    game = case.game
    for path in sorted((HERE / game.info.key / "positions").glob("*.json")):
        stored = json.loads(path.read_text(encoding="utf-8"))
        if read_case(game, stored["case"]).seats != case.seats:
            continue
        for seed in SEEDS:
            at = Position(case, seed, 0, game.tree.load(stored["state"]), 0, ())
            for seat in at.movers():
                for move in game.legal(at.state, seat)[:STEPS]:
                    yield Step(at, seat, move, at.after(seat, move))


def main(argv: Sequence[str]) -> int:
    """Prints `KEY KIND CLASS.NAME=NEW CHECK` for each mutant, then how many each check has noticed.

    The exit code is 1 if one goes unnoticed.
    """
    results = [_is_any_unnoticed(GAMES[key]) for key in argv]
    return any(results)


def _is_any_unnoticed(game: Game[Any]) -> bool:
    key = game.info.key
    counts: Counter[str] = Counter()
    listed = list(markers(game.package))
    kinds = {marker.cls: None for marker in listed if issubclass(marker.cls, Event)}
    result = steps_with(game, kinds)
    for marker in listed:
        noticed = _apart(partial(noticed_by, game, marker, result)) or UNNOTICED
        sys.stdout.write(f"{key} {marker.kind} {marker} {noticed}\n")
        sys.stdout.flush()
        counts[f"{marker.kind} {noticed}"] += 1
    listing = ", ".join(f"{each} {counts[each]}" for each in sorted(counts))
    sys.stdout.write(f"# {key}: {listing}\n")
    return any(UNNOTICED in each for each in counts)


def _apart(job: Callable[[], str]) -> str:
    """What a job says, run in a process of its own that shares all that is loaded."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.write(writing, job().encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as reply:
        result = reply.read()
    os.waitpid(child, 0)
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
