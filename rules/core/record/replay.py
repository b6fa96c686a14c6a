"""Replays records: computes the states, recomputes the draws, compares the digests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from bluebear.rules.core.chance import (
    SEED_BYTES,
    Chance,
    HmacChance,
    NoChance,
    WouldDraw,
    chance_key,
    commitment,
    seat_order,
)
from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import RULES_OPTION, Options, OptionValue
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.record import model
from bluebear.rules.core.record.parser import RecordError
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Event, Eyes, Seat

DIGEST_EVERY: Final = 16
"""A record has a digest after each such number of entries that are not undone, and at the end."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The game after a line of the record (None: after the set-up), with the line's events.

    `counter` is the number of the last draw, `entries` how many entries are not undone.
    """

    line: model.RecordLine | None
    number: int
    state: Any  # Any: the game's own state class
    events: tuple[Event, ...]
    counter: int
    entries: int


def replay(game: Game[Any], record: model.Record) -> tuple[Moment, ...]:
    """Replay a record that may be edited: the sum and missing digests are not checked.

    The result and the digests in the record are compared. Without the seed nothing can be drawn.
    Raises RecordError at the first wrong or hidden line.
    """
    moments = tuple(replaying(game, record))
    _check_result(_played_by(game, record), record, moments[-1])
    return moments


def verify(game: Game[Any], record: model.Record) -> tuple[Moment, ...]:
    """Replay a complete, unedited record, recomputing every draw from the published seed.

    Checks the sum, the commitment, the order of the seats, that no digest is missing, and the
    result. Raises RecordError at the first fault.
    """
    end = record.end
    if end is None or end.secret is None or end.sum is None:
        raise RecordError(record.end_number, "unsealed")
    text = model.sealed_text(
        record.head, map(model.format_line, record.lines), replace(end, sum=None)
    )
    if not text.endswith(f"sum {end.sum}\n"):
        raise RecordError(record.end_number, "wrong_sum")
    secret = bytes.fromhex(end.secret) if len(end.secret) == 2 * SEED_BYTES else b""
    if commitment(secret) != record.head.commit:
        raise RecordError(model.COMMIT_LINE, "wrong_commit")
    head = record.head
    header = chance_header(head, _options(_played_by(game, record), head), None)
    plain = tuple(range(1, len(head.order) + 1))
    if head.order not in (plain, seat_order(secret, header, plain)):
        raise RecordError(model.ORDER_LINE, "wrong_order")
    if head.fork is not None and not head.fork.parts:
        raise RecordError(_fork_line(head), "bad_fork")
    moments = replay(game, record)
    _check_digests_due(record, moments)
    return moments


def replaying(game: Game[Any], record: model.Record) -> Iterator[Moment]:
    """The moments of a game one by one. Raises RecordError at the first wrong line."""
    head, game = record.head, _played_by(game, record)
    options = _options(game, head)
    keys = _keys(record, options)
    chance = _chance(keys[0], 0)
    try:
        made = game.setup(options, len(head.order), chance)
    except WouldDraw:
        raise RecordError(model.HEAD_LINE, "no_seed") from None
    moment = Moment(None, model.HEAD_LINE, made.state, made.events, chance.counter, 0)
    yield moment
    past: list[Any] = []  # the states before the entries that are not undone
    for index, line in enumerate(record.lines):
        number = record.line_number(index)
        moment = replace(moment, line=line, number=number, events=())
        match line:
            case model.Moved():
                past.append(moment.state)
                moment = _moved(game, moment, line, keys[index + 1])
            case model.Undone(count=count):
                if count > len(past):
                    raise RecordError(number, "undone_too_far", count=len(past))
                moment = replace(moment, state=past[-count])
                del past[-count:]
            case model.Digested(digest=digest):
                if game.tree.digest(moment.state) != digest:
                    raise RecordError(number, "digest_differs")
            case _:
                if line.seat > len(head.order):
                    raise RecordError(number, "no_seat", seat=line.seat)
        moment = replace(moment, entries=len(past))
        yield moment


def _played_by(game: Game[Any], record: model.Record) -> Game[Any]:
    """The version of the game by whose rules a record was played."""
    head = record.head
    played = game.for_rules_version(head.rules) if head.game == game.info.key else None
    if played is None:
        raise RecordError(model.HEAD_LINE, "other_game", game=head.game, rules=head.rules)
    return played


def conceal(game: Game[Any], record: model.Record, eyes: Eyes) -> model.Record:
    """The record of a running game for these eyes: no end, no digests, `?` for secrets.

    Hidden choices could be guessed and checked against a digest, so none is sent before the end.
    """
    shown = (
        _concealed(game, line, eyes)
        for line in record.lines
        if not isinstance(line, model.Digested)
    )
    # The seeds of a fork's beginning would reveal hands.
    fork = record.head.fork and replace(record.head.fork, parts=())
    return model.Record(replace(record.head, fork=fork), tuple(shown))


def _concealed(game: Game[Any], line: model.RecordLine, eyes: Eyes) -> model.RecordLine:
    if not isinstance(line, model.Moved) or line.seat in eyes:
        return line
    grammar = game.grammar
    moves = [grammar.parse(each) for each in line.lines]
    return replace(line, lines=tuple(grammar.format(move, sees_owner=False) for move in moves))


def _moved(game: Game[Any], before: Moment, line: model.Moved, key: bytes | None) -> Moment:
    """The moment after an entry; only its last line may draw."""
    if line.concealed:
        raise RecordError(before.number, "concealed")
    state, events = before.state, list[Event]()
    chance: Chance = NoChance(before.counter)
    for place, text in enumerate(line.lines, 1):
        is_last = place == len(line.lines)
        chance = _chance(key, before.counter) if is_last else NoChance(before.counter)
        try:
            move = game.grammar.parse(text)
            made = game.play(state, line.seat, move, chance)
        except Refusal as refusal:
            raise RecordError(before.number, "refused", refusal=refusal, given=text) from refusal
        except WouldDraw:
            code = "no_seed" if is_last else "draws_too_early"
            raise RecordError(before.number, code) from None
        state = made.state
        events.extend(made.events)
    return replace(before, state=state, events=tuple(events), counter=chance.counter)


def _keys(record: model.Record, options: Options) -> Sequence[bytes | None]:
    """The key of the set-up's draws, then that of each line's; None where nothing may be drawn.

    The beginning of a fork has the keys of other games.
    """
    head, end, number = record.head, record.end, _fork_line(record.head)
    made = list[bytes | None]()
    for part in head.fork.parts if head.fork else ():
        more = 1 + part.lines - len(made)
        if more < 0 or part.lines > len(record.lines) or len(part.order) != len(head.order):
            raise RecordError(number, "bad_fork")
        origin = replace(head, id=part.id, seeds=part.seeds)
        made += [_key(part.secret, chance_header(origin, options, part.order), number)] * more
    last = None
    if end is not None and end.secret is not None:
        header = chance_header(head, options, head.order)
        last = _key(end.secret, header, record.end_number + 1)
    return [*made, *[last] * (1 + len(record.lines) - len(made))]


def _key(secret: model.Hex, header: Shaped, number: int) -> bytes:
    try:
        return chance_key(bytes.fromhex(secret), header)
    except ValueError:
        raise RecordError(number, "bad_record_line", expected="S HEX") from None


def _fork_line(head: model.Head) -> int:
    """The line number of the fork line in the text of a record."""
    return model.COMMIT_LINE + len(head.seeds) + 1


def _chance(key: bytes | None, counter: int) -> Chance:
    return NoChance(counter) if key is None else HmacChance(key, counter)


def _options(game: Game[Any], head: model.Head) -> dict[str, OptionValue]:
    chosen: dict[str, OptionValue] = {RULES_OPTION: head.rules}
    for name, text in head.options:
        option = game.info.options.get(name)
        if option is None or (value := option.read(text)) is None:
            raise RecordError(model.OPTIONS_LINE, "no_option", given=f"{name}={text}")
        chosen[name] = value
    if not game.info.seats.min <= len(head.order) <= game.info.seats.max:
        raise RecordError(model.ORDER_LINE, "bad_order", seats=len(head.order))
    return game.info.complete(chosen)


def _check_result(game: Game[Any], record: model.Record, last: Moment) -> None:
    """Check that the game is over exactly if it ended by score, and with these scores."""
    if record.end is None:
        return
    result = game.result(last.state)
    is_scored = record.end.how is model.EndReason.SCORE
    if is_scored != (result is not None):
        raise RecordError(record.end_number, "wrong_end", given=record.end.how.value)
    if result is not None and record.end.scores:
        scores: dict[Seat, int] = {each.seat: each.score for each in result.standings}
        if scores != dict(record.end.scores):
            raise RecordError(record.end_number, "wrong_result")


def _check_digests_due(record: model.Record, moments: Sequence[Moment]) -> None:
    """Check that a digest follows each `DIGEST_EVERY` entries, and ends the record."""
    last = moments[-1]
    for moment, following in pairwise((*moments, last)):
        due = isinstance(moment.line, model.Moved) and moment.entries % DIGEST_EVERY == 0
        if due and not isinstance(following.line, model.Digested):
            raise RecordError(moment.number + 1, "digest_missing")
    covered = last.entries > 0 and last.entries % DIGEST_EVERY == 0
    if not covered and not isinstance(last.line, model.Digested):
        raise RecordError(record.end_number - 1, "digest_missing")


def chance_header(head: model.Head, options: Options, order: Sequence[int] | None) -> Shaped:
    """The header in the key of a game's draws, for the server and for those who verify.

    `options` are complete. `order` has the joined number of each final seat; draw 0, which orders
    the seats, is without it.
    """
    header = {
        "id": head.id,
        "game": head.game,
        "rules": head.rules,
        "options": dict(options),
        "seats": len(head.joined),
        "seeds": {str(seat): seed for seat, seed in head.seeds},
    }
    return header if order is None else {**header, "order": [*order]}
