"""Golden texts: what a game looked like when it was written down, and looks like now.

The first line of a golden text says what it is made of, so it can be made again:

    playthrough liars_dice seats=2 dice=1 wild=on seed=1
    texts liars_dice seats=2 dice=5 wild=on seed=1 after=0,7,30
    secrets liars_dice
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bluebear.rules.core.conformance.case import Case, read_case
from bluebear.rules.core.conformance.random_play import Position, playthrough, start, walk
from bluebear.rules.core.game import Game, TextPage
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.visibility import (
    SPECTATOR,
    Event,
    Move,
    Node,
    Seat,
    Visibility,
    classes_below,
    marked_hints,
    visibility_of,
)


def made_again(game: Game[Any], head: str) -> list[str]:
    """The lines of a golden text, by its first one."""
    what, _, *arguments = head.split()
    if what == "secrets":
        return list(secrets(game))
    data = dict(term.split("=") for term in arguments)
    case = read_case(
        game, [term for term in arguments if term.split("=")[0] not in ("seed", "after")]
    )
    seed = int(data["seed"])
    if what == "playthrough":
        return list(playthrough(case, seed))
    return list(texts(case, seed, tuple(map(int, data["after"].split(",")))))


def texts(case: Case, seed: int, after: tuple[int, ...]) -> Iterator[str]:
    """What people see of a random game after some numbers of moves, and at its end."""
    yield f"texts {case} seed={seed} after={','.join(map(str, after))}"
    last = start(case, seed)
    if last.number in after:
        yield from _moment(last)
    for step in walk(case, seed):
        last = step.after
        if last.number in after or not last.movers():
            yield from _moment(last)


def secrets(game: Game[Any]) -> Iterator[str]:
    """Everything that a game hides from some seat, and the events declared to show it.

    A hand that is declared public is as consistent as one that is not: that it is hidden has to
    be written down somewhere else.
    """
    yield f"secrets {game.info.key}"
    for cls in classes_below(Node, game.package):
        for name, hint in marked_hints(cls).items():
            sight = visibility_of(hint)
            if sight is not None and sight is not Visibility.PUBLIC:
                yield f"{cls.__name__}.{name} {sight.value}"
        if issubclass(cls, Move | Event) and cls.sight is not Visibility.PUBLIC:
            yield f"{cls.__name__} {cls.sight.value}"
        if issubclass(cls, Event) and cls.reveals is not None:
            yield f"{cls.__name__} reveals to {cls.reveals.value}"


def _moment(at: Position) -> Iterator[str]:
    game = at.case.game
    seat = min(at.movers(), default=Seat(1))
    legal = game.legal(at.state, seat)
    for lang in LANGS:
        page, eyes = TextPage(lang=lang), SPECTATOR
        yield f"== after {at.number}, a spectator, {lang}: board"
        yield game.text(game.seen(at.state, eyes), eyes, page).board()
        eyes = frozenset({seat})
        view = game.seen(at.state, eyes)
        yield f"== after {at.number}, seat {seat}, {lang}: board"
        yield game.text(view, eyes, page).board()
        yield f"== after {at.number}, seat {seat}, {lang}: status"
        yield from game.text(view, eyes, page).status()
        for area in game.texts.areas:
            yield f"== after {at.number}, seat {seat}, {lang}: {area.value}"
            yield game.text(view, eyes, page).look(area.value)
        if legal:
            yield f"== after {at.number}, seat {seat}, {lang}: moves"
            yield game.text(view, eyes, page).show_moves(legal)
