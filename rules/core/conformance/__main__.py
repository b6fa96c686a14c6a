"""`python -m bluebear.rules.core.conformance`: run the kit on one game, or print a random game."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from traceback import print_exception
from typing import Any

from bluebear.rules import EVERYWHERE, find_games
from bluebear.rules.core.conformance.case import Case, ConformanceError, cases, crashes, read_case
from bluebear.rules.core.conformance.lesson_checks import check_lessons, check_situations
from bluebear.rules.core.conformance.random_play import perft, playthrough
from bluebear.rules.core.conformance.static_checks import check_catalogue
from bluebear.rules.core.conformance.step_checks import check_case
from bluebear.rules.core.conformance.two_worlds import Flags, check_flags, check_worlds
from bluebear.rules.core.game import Game
from bluebear.rules.core.lessons import lessons_of, situations_of


def main(argv: Sequence[str]) -> int:
    """The exit code: 0 if all holds, 1 if not, 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="bluebear.rules.core.conformance", description=__doc__)
    parser.add_argument("what", choices=("check", "playthrough", "perft"))
    parser.add_argument("key", help="the game")
    parser.add_argument("case", nargs="*", help="seats=N and options, else all cases are checked")
    parser.add_argument("--package", help="where the game's folder lies, or its own package")
    parser.add_argument("--games", type=int, default=20, help="how many games are played")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--traceback", action="store_true", help="of what the game's code raised")
    given = parser.parse_intermixed_args(argv)
    found = find_games((given.package,) if given.package else EVERYWHERE)
    if broken := [each.why for each in found.broken if each.name == given.key]:
        print(*broken, sep="\n", file=sys.stderr)
        return 1
    if given.key not in found.games:
        parser.error(f"there is no game {given.key}, only {', '.join(found.games)}")
    game = found.games[given.key]
    try:
        case = read_case(game, given.case)
    except ValueError as problem:
        parser.error(str(problem))
    seeds = range(given.first_seed, given.first_seed + given.games)
    try:
        with crashes(game, case.fault):
            match given.what:
                case "playthrough":
                    print("\n".join(playthrough(case, given.first_seed)))
                case "perft":
                    print(*perft(case, 3, given.first_seed))
                case _:
                    _check(game, [case] if given.case else list(cases(game)), seeds)
    except ConformanceError as error:
        print(error, file=sys.stderr)
        if given.traceback and error.__cause__ is not None:
            print_exception(error.__cause__)
        return 1
    return 0


def _check(game: Game[Any], listed: Sequence[Case], seeds: Sequence[int]) -> None:
    total, flags = Counter[str](), Flags(game.events)
    check_catalogue(game)
    check_lessons(game, lessons_of(game.package))
    missing = check_situations(read_case(game, []), situations_of(game.package), seeds)
    for case in listed:
        moves = check_case(case, seeds)
        pairs = check_worlds(case, seeds, flags=flags)
        total += pairs
        print(f"{case}: {moves} moves, two worlds: {_shown(pairs)}")
    # One case does not show what an event reveals with other options or more seats.
    if len(listed) == len(list(cases(game))):
        check_flags(game, flags)
    if unmet := [kind.__name__ for kind, steps in flags.open.items() if not steps]:
        print(f"did not happen, so what it reveals was not looked at: {', '.join(unmet)}")
    if missing:
        print(f"situations of the coach that did not come up: {', '.join(missing)}")
    print(f"{len(listed)} cases hold; two worlds: {_shown(total)}")


def _shown(pairs: Counter[str]) -> str:
    return f"{pairs['equal']} of {pairs['played']} pairs equal"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
