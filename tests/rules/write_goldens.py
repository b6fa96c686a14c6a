"""Writes the records and the golden texts of a game anew, from what it says about them itself.

    python -m tests.rules.write_goldens KEY [records|texts]

Records are made of `records.toml`, one table for each game to write down (see `Script`):

    [two_greedy]
    case = "seats=2 sixrounds=on"
    bots = [1, 2]

With a `seed` it is a game of random moves (`recorded`), and `undoing` takes entries back
now and then. `unsaid`, above the tables, lists the verbs that stand in no stored game, and `ends`
names a stored game for each way in which one can end (an event, and its `ending` where it has one).
Games that no table names were written down once by `recorded` and stay as they are.

Written anew they are for a new version of the rules only: a record that no longer verifies is a
finished game that a change of the rules would have changed.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bluebear.rules.core.chance import (
    Chance,
    FastChance,
    HmacChance,
    chance_key,
    commitment,
    seat_order,
)
from bluebear.rules.core.conformance.case import Case, read_case
from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import RULES_OPTION, OptionValue
from bluebear.rules.core.record import (
    DIGEST_EVERY,
    Digested,
    End,
    EndReason,
    Head,
    Hex,
    Moved,
    Record,
    RecordLine,
    Undone,
    chance_header,
    format_record,
)
from bluebear.rules.core.visibility import Move, Seat
from tests.rules.game_files import GAMES, HERE, lines
from tests.rules.goldens import made_again
from tests.rules.sample_records import recorded, sealed

AnyGame = Game[Any]  # Any: each game has a state class of its own


@dataclass(frozen=True, slots=True)
class Script:
    """One game to write down; entries are numbered from 1 as they are made."""

    seats: int
    options: Mapping[str, OptionValue]
    greedy: frozenset[int] = frozenset()
    """Who joined as this number plays as `bot`, the others at random."""
    undone: frozenset[int] = frozenset()
    by_clock: frozenset[int] = frozenset()
    choices: int | None = None
    """The seed of what players at random choose; the number of seats, if not said."""
    bot: str = "greedy"
    """The name of a house bot of the game."""
    seed: int | None = None
    """Of a game of the conformance kit."""
    undoing: bool = False


class _Entry(Struct, forbid_unknown_fields=True):
    """A table of `records.toml`."""

    case: str
    bots: frozenset[int] = frozenset()
    bot: str = "greedy"
    undone: frozenset[int] = frozenset()
    by_clock: frozenset[int] = frozenset()
    choices: int | None = None
    seed: int | None = None
    undoing: bool = False


def read_unsaid(path: Path) -> frozenset[str]:
    """The verbs that stand in no stored game, as a `records.toml` says."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return msgspec.convert(table.get("unsaid", []), frozenset[str])


def read_ends(path: Path) -> dict[str, str]:
    """Each way in which a game can end, and the stored game that ends so."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return msgspec.convert(table.get("ends", {}), dict[str, str])


def read_scripts(game: AnyGame, path: Path) -> dict[str, Script]:
    """The scripts of a `records.toml`, by the names of their records."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    for name in ("unsaid", "ends"):
        table.pop(name, None)
    made = {}
    for name, entry in msgspec.convert(table, dict[str, _Entry]).items():
        case = read_case(game, entry.case.split())
        registered = (*game.info.options, RULES_OPTION)
        options = {key: value for key, value in case.options.items() if key in registered}
        made[name] = Script(
            case.seats,
            options,
            greedy=entry.bots,
            undone=entry.undone,
            by_clock=entry.by_clock,
            choices=entry.choices,
            bot=entry.bot,
            seed=entry.seed,
            undoing=entry.undoing,
        )
    return made


def write_down(game: AnyGame, name: str, script: Script) -> Record:
    """The record of a game that is played by its script."""
    if script.seed is not None:
        return _of_the_kit(game, script, script.seed)
    joined = range(1, script.seats + 1)
    secret = commitment(name.encode())
    seeds = {number: f"{number:032x}" for number in joined}
    options = game.info.complete(dict(script.options))
    rules = int(options[RULES_OPTION])
    key = bytes.fromhex(secret)
    head = Head(
        game=game.info.key,
        rules=rules,
        id=name,
        options=game.info.texts_of(options),
        joined=tuple(script.bot if number in script.greedy else "random" for number in joined),
        order=tuple(joined),
        commit=Hex(commitment(key)),
        seeds=tuple((number, Hex(seed)) for number, seed in seeds.items()),
    )
    order = seat_order(key, chance_header(head, options, None), head.order)
    head = replace(head, order=order)
    chance = HmacChance(chance_key(key, chance_header(head, options, order)))
    start = game.setup(options, script.seats, chance).state
    lines, last = _played(game, script, start, order, chance)
    result = game.result(last)
    assert result is not None
    scores = tuple((each.seat, each.score) for each in result.standings)
    return sealed(Record(head, tuple(lines), End(EndReason.SCORE, Hex(secret), scores)))


def _of_the_kit(game: AnyGame, script: Script, seed: int) -> Record:
    def player(view: Any, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
        if seat in script.greedy:
            return game.bots[script.bot](view, seat, moves, chance)
        return moves[chance.pick(len(moves))]

    case = Case(game, game.info.complete(dict(script.options)), script.seats)
    return recorded(case, seed, player=player, undoing=script.undoing)


def write_all(game: AnyGame, scripts: Mapping[str, Script], folder: Path) -> None:
    """Write the records of all scripts anew."""
    folder.mkdir(exist_ok=True)
    for name, script in scripts.items():
        text = format_record(write_down(game, name, script))
        (folder / f"{name}.record").write_text(text, encoding="utf-8")


def _played(
    game: AnyGame, script: Script, start: Any, order: tuple[int, ...], chance: Chance
) -> tuple[list[RecordLine], Any]:
    choice = FastChance(script.seats if script.choices is None else script.choices)
    states = [start]
    lines: list[RecordLine] = []
    made = 0
    while movers := game.to_move(states[-1]):
        mover = min(movers)
        made += 1
        by_clock = made in script.by_clock
        if by_clock:
            move = game.fallback(states[-1], mover)
        else:
            is_greedy = order[mover - 1] in script.greedy
            bot = script.bot if is_greedy else None
            move = _chosen(game, states[-1], mover, choice, bot)
        states.append(game.play(states[-1], mover, move, chance).state)
        lines.append(Moved(mover, (game.grammar.format(move),), by_clock=by_clock))
        if (len(states) - 1) % DIGEST_EVERY == 0 or not game.to_move(states[-1]):
            lines.append(Digested(Hex(game.tree.digest(states[-1]))))
        if made in script.undone:
            states.pop()
            lines.append(Undone(1))
    return lines, states[-1]


def _chosen(game: AnyGame, state: Any, seat: Seat, choice: Chance, bot: str | None) -> Move:
    plain = game.plain(state, seat)
    if bot is not None:
        view = game.seen(state, frozenset((seat,)))
        return game.bots[bot](view, seat, plain, choice)
    return plain[choice.pick(len(plain))]


def main(argv: Sequence[str]) -> None:
    """Write the files of one game; which of them may be said after its key."""
    key, *what = argv
    game, home = GAMES[key], HERE / key
    if "texts" not in what:
        write_all(game, read_scripts(game, home / "records.toml"), home / "records")
    if "records" not in what:
        for name in ("playthrough.txt", "texts.txt", "secrets.txt"):
            if (path := home / name).exists():
                made = made_again(game, lines(path)[0])
                path.write_text("\n".join(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
