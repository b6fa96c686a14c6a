"""`python -m bluebear.clients.bots.search`: a match in the arena, run by `make arena`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bluebear.clients.bots.search.arena import Played, match
from bluebear.clients.bots.search.contestants import NoContestantError, contestant, game_for
from bluebear.clients.bots.search.external_bots import guest, is_guest
from bluebear.clients.bots.search.statistics import figures, is_settled, skills
from bluebear.clients.command_line import UsageError
from bluebear.clients.phrases import Texts, preferred_lang


def main(argv: Sequence[str]) -> int:
    """Play a match and print its results. Returns 0, or 2 for arguments that cannot be played."""
    given = _arguments().parse_args(argv)
    named = given.bots.split(",")
    try:
        game = game_for(given.game, len(named))
        players = [guest(text) if is_guest(text) else contestant(text, game) for text in named]
    except NoContestantError as error:
        print(error, file=sys.stderr)
        return 2
    except UsageError as error:
        texts = Texts(preferred_lang(os.environ), "bluebear.clients.bots")
        print(texts.say(error.key, given=error.given), file=sys.stderr)
        return 2
    played: list[Played] = []
    ran = match(
        game,
        players,
        given.games,
        options=game.info.complete({}),
        first_seed=given.seed,
        stored=given.out,
    )
    for each in ran:
        played.append(each)
        if not given.quiet:
            print(each.line(), flush=True)
        full = len(played) % len(players) == 0
        if given.stop and full and is_settled(played, 0, 1 / len(players), apart=given.stop):
            break
    strengths = skills(played) if len(players) > 2 else ()
    for at, player in enumerate(players):
        skill = f", {strengths[at].text()}" if strengths else ""
        print(f"{player.text}: {figures(played, at).text()}{skill}", flush=True)
    return 0


def _arguments() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="make arena", description=__doc__)
    made.add_argument("game")
    made.add_argument("bots", help="players, such as search@0.2,greedy,./mybot,mybot:Careful")
    made.add_argument("--games", type=int, default=20)
    made.add_argument("--seed", type=int, default=1, help="the first; the others follow it")
    made.add_argument("--out", type=Path, help="keeps the games; the same again goes on there")
    made.add_argument("--quiet", action="store_true", help="only the figures")
    made.add_argument(
        "--stop",
        type=float,
        default=0.0,
        help="end when it is settled if the first wins by so much more than its share, as 0.1",
    )
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
