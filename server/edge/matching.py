"""Which of those who wait for a game fit together. Pure: the same wishes give the same group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wish:
    """Somebody wants to play a game with `least` to `most` people at the table.

    `human` says what he is himself, `bots` whether he plays with programs.
    """

    person: str
    game: str
    least: int
    most: int
    human: bool = True
    bots: bool = True


def group_with(wish: Wish, waiting: Sequence[Wish]) -> tuple[Wish, ...]:
    """The largest group that fits with a wish in it, of those who have waited longest; or nobody.

    `waiting` has the wishes for the same game, the oldest first, the wish itself among them.
    """
    people_only = [each for each in waiting if each.human]
    # With everybody who plays with programs, or with people alone.
    circles = [[each for each in waiting if each.bots]] if wish.bots else []
    circles += [people_only] if wish.human else []
    for size in range(wish.most, wish.least - 1, -1):
        for circle in circles:
            fitting = [each for each in circle if each.least <= size <= each.most]
            others = [each for each in fitting if each is not wish][: size - 1]
            if len(others) == size - 1:
                chosen = {each.person for each in (*others, wish)}
                return tuple(each for each in fitting if each.person in chosen)
    return ()
