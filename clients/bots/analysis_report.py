"""Formats an analysis: sums, turning points and a curve as text, and the server's JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from bluebear.clients.bots.search.analysis import SURE, Decided, Entry, Sums, sums_of
from bluebear.clients.phrases import Texts
from bluebear.rules.core.game import Game
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.phrases import JOINED
from bluebear.rules.core.record import JOINED_LINES, Record
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.visibility import Seat

POINTS: Final = 5
"""Maximum number of turning points in a report."""
_CURVE: Final = "▁▂▃▄▅▆▇█"
_GAP: Final = "·"
"""A gap in a curve, where chances are not shown as numbers."""
_CURVE_WIDTH: Final = 60
_LINE_WIDTH: Final = 76
"""Width of names and curve together: the lines of a narrow window."""

Json = dict[str, Any]  # Any: a plain tree


@dataclass(frozen=True, slots=True)
class Point:
    """A turning point: the change of the chance, the position, and the sentence.

    `lines` of `seat` were played; `better` are those of the best decision, after a draw none.
    """

    weight: float
    step: int
    text: str
    seat: Seat
    lines: tuple[str, ...]
    better: tuple[str, ...] = ()


def report(
    game: Game[Any],
    record: Record,
    entries: Sequence[Entry],
    texts: Texts,
    *,
    of: int | None = None,
) -> Iterator[str]:
    """The lines of a report. `of` is the number of moves of the game; None: all were judged."""
    names = record.head.names
    moves = len(entries) if of is None else of
    yield texts.say("analysed", game=game.info.name(texts.lang), id=record.head.id, count=moves)
    if not is_judged(entries):
        yield texts.say("nothing_judged")
        return
    if len(entries) < moves:
        yield texts.say("judged_some", judged=len(entries), count=moves)
    numbers = has_numbers(entries)
    if not all(each.in_numbers for each in entries):
        yield texts.say("some_numbers" if numbers else "no_numbers")
    for at, name in enumerate(names, start=1):
        yield from _summed(name, sums_of(entries, Seat(at)), entries, texts)
    if not has_decisions(entries):
        yield texts.say("no_decisions")
    points = chosen_points(game, entries, names, texts)
    if points:
        yield texts.say("turning_points")
        for point in points:
            yield f"  {point.text}"
    if not numbers:
        return
    yield texts.say("curve")
    width = max(map(columns, names))
    for at, name in enumerate(names):
        padded = name + " " * (width - columns(name))
        chances = [each[at] if each else None for each in smoothed(entries)]
        yield f"  {padded} {curve(chances, _LINE_WIDTH - width - 3)}"


def is_judged(entries: Sequence[Entry]) -> bool:
    """Whether any entry was judged."""
    return any(each.decided or each.drawn for each in entries)


def has_decisions(entries: Sequence[Entry]) -> bool:
    """Whether any decision was judged: a step with one legal move is no decision."""
    return any(each.decided for each in entries)


def has_numbers(entries: Sequence[Entry]) -> bool:
    """Whether any chance is shown as a number; the end of a game alone is no curve."""
    return sum(each.in_numbers for each in entries) > 1


def _summed(name: str, made: Sums, entries: Sequence[Entry], texts: Texts) -> Iterator[str]:
    """The sums of one seat: as numbers where the stage allows it, and as text."""
    if has_numbers(entries):
        key = "sums" if has_decisions(entries) else "sums_of_luck"
        lost, luck, error = _of_100(made)
        yield texts.say(key, name=name, lost=lost, luck=f"{luck:+d}", error=error)
    if made.worse:
        yield texts.say("sums_worse", name=name, count=made.worse)


def _of_100(made: Sums) -> tuple[int, int, int]:
    return round(100 * made.lost), round(100 * made.luck), round(100 * made.error)


def chosen_points(
    game: Game[Any], entries: Sequence[Entry], names: Sequence[str], texts: Texts
) -> list[Point]:
    """The heaviest turning points, in the order of the game."""
    points = sorted(turning_points(game, entries, names, texts), key=lambda each: -each.weight)
    return sorted(islice(points, POINTS), key=lambda each: each.step)


def turning_points(
    game: Game[Any], entries: Sequence[Entry], names: Sequence[str], texts: Texts
) -> Iterator[Point]:
    """Decisions that lost chances, and draws whose effect exceeds the error of the playouts."""
    for entry in entries:
        for one in entry.decided:
            if one.loss:
                lines, better = _distinguish(one)
                text = texts.say(
                    "point_decision" if one.in_numbers else "point_decision_words",
                    number=entry.step,
                    name=names[one.seat - 1],
                    line=_localized(game, lines, texts),
                    chance=round(100 * one.chance),
                    best=_localized(game, better, texts),
                    best_chance=round(100 * one.best_chance),
                )
                yield Point(one.loss, entry.step, text, one.seat, lines, better)
        if entry.drawn is None:
            continue
        luck = max(entry.drawn.luck, key=abs)
        if abs(luck) > SURE * entry.drawn.error:
            key = "point_gain" if luck > 0 else "point_cost"
            text = texts.say(
                key if entry.drawn.in_numbers else f"{key}_words",
                number=entry.step,
                name=names[entry.seat - 1],
                line=_localized(game, entry.lines[-1:], texts),
                whose=names[entry.drawn.luck.index(luck)],
                share=round(100 * abs(luck)),
            )
            yield Point(abs(luck), entry.step, text, entry.seat, entry.lines[-1:])


def _distinguish(one: Decided) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The move played and the better one; of plans only what differs."""
    played, better = one.line.split(JOINED_LINES), one.best.split(JOINED_LINES)
    return (
        tuple(line for line in played if line not in better) or tuple(played),
        tuple(line for line in better if line not in played) or tuple(better),
    )


def _localized(game: Game[Any], lines: Sequence[str], texts: Texts) -> str:
    """Lines as they are typed in a language."""
    typed = (localized_line(game.grammar, game.phrases, each, texts.lang) for each in lines)
    return JOINED[texts.lang].join(typed)


def weight_of(entry: Entry) -> float:
    """The weight of an entry as a turning point; 0 if it is none."""
    lost = [one.loss for one in entry.decided]
    drawn = entry.drawn
    luck = 0.0 if drawn is None else max(map(abs, drawn.luck))
    return max(*lost, luck if drawn is not None and luck > SURE * drawn.error else 0.0, 0.0)


def smoothed(entries: Sequence[Entry]) -> list[tuple[float, ...]]:
    """The chances of all seats after each entry: combines those that each entry's seat saw. Empty
    where the stage does not show chances as numbers.
    """
    latest: dict[Seat, tuple[float, ...]] = {}
    made: list[tuple[float, ...]] = []
    for entry in entries:
        if not entry.in_numbers:
            latest.clear()
            made.append(())
            continue
        latest[entry.seat] = entry.chances
        made.append(tuple(sum(each) / len(latest) for each in zip(*latest.values(), strict=True)))
    return made


def curve(chances: Sequence[float | None], width: int = _CURVE_WIDTH) -> str:
    """A line of block characters, higher for likelier, with gaps for None; thins out long games."""
    step = max(1, -(-len(chances) // min(width, _CURVE_WIDTH)))
    return "".join(
        _GAP if each is None else _CURVE[min(7, int(8 * each))] for each in chances[::step]
    )


def json_of(game: Game[Any], record: Record, entries: Sequence[Entry], *, of: int) -> Json:
    """The JSON of an analysis that the server stores, in both languages; chances in percent.

    `of` is the number of moves of the game.
    """
    names, judged = record.head.names, is_judged(entries)
    numbers = judged and has_numbers(entries)
    shown = entries if judged else ()
    texts = [Texts(lang, "bluebear.clients.bots") for lang in ("en", "ja")]
    points = zip(*(chosen_points(game, shown, names, each) for each in texts), strict=True)
    data = ("step", "seat", "lines", "better")
    chances = ([round(100 * one) for one in each] if numbers else [] for each in smoothed(shown))
    made = [sums_of(entries, Seat(at)) for at in range(1, len(names) + 1)]
    return {
        "names": names,
        "decisions": has_decisions(entries),
        "numbers": numbers,
        "steps": [each.step for each in shown],
        "chances": list(chances),
        "sums": [_of_100(each) for each in made if numbers],
        "worse": [each.worse for each in made if judged],
        "points": [
            {**{key: getattr(en, key) for key in data}, "en": en.text, "ja": ja.text}
            for en, ja in points
        ],
        "text": {
            each.lang: "\n".join(report(game, record, entries, each, of=of)) for each in texts
        },
    }
