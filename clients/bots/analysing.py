"""`bluebear analyse RECORD`: where a finished game was won and lost, as sentences and as JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from clients.arguments import Arguments, UsageError, read_arguments, whole_number
from clients.bots.search.analysis import SURE, Entry, analyse, sums_of
from clients.bots.search.budget import Playouts
from clients.words import Words, preferred_lang
from rules import EVERYWHERE, games
from rules.core.game import Game
from rules.core.record import Record, RecordError, explain, parse_record
from rules.core.vision import Seat

PLAYOUTS: Final = 60
PLAYOUTS_MAX: Final = 100_000
POINTS: Final = 5
"""So many turning points are told."""
_CURVE: Final = "▁▂▃▄▅▆▇█"
_CURVE_WIDTH: Final = 60
WRONG: Final = 1
UNUSABLE: Final = 2


@dataclass(frozen=True, slots=True)
class Point:
    """A turning point: how much of the chance it moved, and the sentence."""

    weight: float
    number: int
    text: str


def main(argv: Sequence[str]) -> int:
    """Analyse one record. Returns 0; 1 for a record that is wrong, 2 for what cannot be read."""
    words = Words(preferred_lang(os.environ), "clients.bots")
    try:
        arguments = read_arguments(
            argv[1:],
            values=frozenset({"playouts", "seed", "out", "lang"}),
            switches=frozenset({"help"}),
            words_max=1,
        )
        lang = arguments.values.get("lang", words.lang)
        words = Words("ja" if lang == "ja" else "en", "clients.bots")
        if "help" in arguments.switches:
            print(words.say("analyse_usage"))
            return 0
        if not arguments.words:
            raise UsageError("no_record", "")
        return _run(arguments, words)
    except UsageError as error:
        print(words.say(error.key, given=error.given), file=sys.stderr)
        return UNUSABLE


def _run(arguments: Arguments, words: Words) -> int:
    path = Path(arguments.words[0])
    playouts = whole_number(arguments, "playouts", PLAYOUTS, low=4, high=PLAYOUTS_MAX)
    seed = whole_number(arguments, "seed", 1, low=0, high=2**63)
    known = games(os.environ.get("BLUEBEAR_GAMES", ",".join(EVERYWHERE)).split(","))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise UsageError("unreadable_record", str(path)) from None
    game: Game[Any] | None = None
    try:
        record = parse_record(text)
        game = known.get(record.head.game)
        if game is None:
            raise UsageError("record_no_game", record.head.game)
        entries = list(analyse(game, record, Playouts(playouts), playouts, seed=seed))
    except RecordError as error:
        print(words.say("wrong_record", given=explain(error, words.lang, game)), file=sys.stderr)
        return WRONG
    if "out" in arguments.values:
        lines = "".join(f"{json.dumps(asdict(each))}\n" for each in entries)
        Path(arguments.values["out"]).write_text(lines, encoding="utf-8")
    for line in report(game, record, entries, words):
        print(line)
    return 0


def report(
    game: Game[Any], record: Record, entries: Sequence[Entry], words: Words
) -> Iterator[str]:
    """The lines that a person reads."""
    names = seat_names(record)
    title = game.info.name(words.lang)
    yield words.say("analysed", game=title, id=record.head.id, count=len(entries))
    if not any(each.decided or each.drawn for each in entries):
        yield words.say("nothing_judged")
        return
    for at, name in enumerate(names, start=1):
        sums = sums_of(entries, Seat(at))
        lost, luck, error = (round(100 * each) for each in (sums.lost, sums.luck, sums.error))
        yield words.say("sums", name=name, lost=lost, luck=f"{luck:+d}", error=error)
    points = sorted(turning_points(entries, names, words), key=lambda each: -each.weight)
    if points:
        yield words.say("turning_points")
        for point in sorted(islice(points, POINTS), key=lambda each: each.number):
            yield f"  {point.text}"
    yield words.say("curve", count=len(entries))
    width = max(map(len, names))
    for at, name in enumerate(names):
        yield f"  {name.ljust(width)} {curve([each[at] for each in smoothed(entries)])}"


def turning_points(entries: Sequence[Entry], names: Sequence[str], words: Words) -> Iterator[Point]:
    """Decisions that gave something away, and draws that were more than chance of the playouts."""
    for entry in entries:
        for one in entry.decided:
            if one.loss:
                text = words.say(
                    "point_decision",
                    number=entry.number,
                    name=names[one.seat - 1],
                    line=one.line,
                    chance=round(100 * one.chance),
                    best=one.best,
                    best_chance=round(100 * one.best_chance),
                )
                yield Point(one.loss, entry.number, text)
        if entry.drawn is None:
            continue
        luck = max(entry.drawn.luck, key=abs)
        if abs(luck) > SURE * entry.drawn.error:
            text = words.say(
                "point_gain" if luck > 0 else "point_cost",
                number=entry.number,
                name=names[entry.seat - 1],
                line=entry.lines[-1],
                whose=names[entry.drawn.luck.index(luck)],
                share=round(100 * abs(luck)),
            )
            yield Point(abs(luck), entry.number, text)


def smoothed(entries: Sequence[Entry]) -> list[tuple[float, ...]]:
    """Chances as all seats together see them: each entry's are those that its own seat saw."""
    latest: dict[Seat, tuple[float, ...]] = {}
    made = []
    for entry in entries:
        latest[entry.seat] = entry.chances
        made.append(tuple(sum(each) / len(latest) for each in zip(*latest.values(), strict=True)))
    return made


def curve(chances: Sequence[float]) -> str:
    """A line of blocks, the higher the likelier; long games are thinned out."""
    step = max(1, -(-len(chances) // _CURVE_WIDTH))
    return "".join(_CURVE[min(7, int(8 * each))] for each in chances[::step])


def seat_names(record: Record) -> list[str]:
    """Who took each seat, house bots with their sign and seat."""
    joined = [record.head.joined[number - 1] for number in record.head.order]
    return [
        f"@{name.removeprefix('bot:')}{seat}" if name.startswith("bot:") else name
        for seat, name in enumerate(joined, start=1)
    ]
