"""Playing a record again: from a text to states, draws recomputed, digests compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, assert_never

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
from bluebear.rules.core.game_info import RULES_OPTION, OptionValue
from bluebear.rules.core.record.draw_keys import DrawHeader, chance_header, seat_header
from bluebear.rules.core.record.error import RecordError
from bluebear.rules.core.record.model import (
    Digested,
    EndReason,
    ForkSection,
    Head,
    Hex,
    Hinted,
    Moved,
    Peeked,
    Record,
    RecordLine,
    Resigned,
    Seated,
    Undone,
    sum_of,
)
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Event, Eyes, Seat

DIGEST_EVERY: Final = 16
"""A digest stands after so many moves that stand, and at the end."""

_HEAD_LINE: Final = 2
_OPTIONS_LINE: Final = 4
_ORDER_LINE: Final = 6
_COMMIT_LINE: Final = 7


@dataclass(frozen=True, slots=True)
class Moment:
    """The game after a line of the record (None: after the setup) and what that line led to.

    `counter` is the number of the last draw, `standing` how many entries were not taken back.
    """

    line: RecordLine | None
    number: int
    state: Any  # Any: the game's own state class
    events: tuple[Event, ...]
    counter: int
    standing: int


Replayed = tuple[Moment, ...]
"""A whole game: the setup, then one moment for each line."""


def replay(game: Game[Any], record: Record) -> Replayed:
    """The game of a record, which may be edited: sums and missing digests do not matter.

    Digests that are there are compared, and the result. Without the seed nothing can be drawn.
    Raises RecordError at the first wrong line, also at one that is hidden.
    """
    moments = tuple(replaying(game, record))
    _check_result(_played_by(game, record), record, moments[-1])
    return moments


def verify(game: Game[Any], record: Record) -> Replayed:
    """The game of a whole, unedited record: every draw is made again from the published seed.

    Demands the sum, the commitment, the order of the seats, every digest that is due and the
    result. Raises RecordError at the first thing that is wrong.
    """
    end = record.end
    if end is None or end.secret is None or end.sum is None:
        raise RecordError(record.end_number, "unsealed")
    if sum_of(replace(record, end=replace(end, sum=None))) != end.sum:
        raise RecordError(record.end_number, "wrong_sum")
    secret = bytes.fromhex(end.secret) if len(end.secret) == 2 * SEED_BYTES else b""
    if commitment(secret) != record.head.commit:
        raise RecordError(_COMMIT_LINE, "wrong_commit")
    common = _common(_played_by(game, record), record.head)
    count = len(record.head.order)
    header = seat_header(*common, count, dict(record.head.seeds))
    plain = tuple(range(1, count + 1))
    if record.head.order not in (plain, seat_order(secret, header, plain)):
        raise RecordError(_ORDER_LINE, "wrong_order")
    if record.head.fork is not None and not record.head.fork.parts:
        raise RecordError(_fork_line(record.head), "bad_fork")
    moments = replay(game, record)
    _check_digests_due(record, moments)
    return moments


def replaying(game: Game[Any], record: Record) -> Iterator[Moment]:
    """The moments of a game one by one; raises RecordError at the first wrong line."""
    head, game = record.head, _played_by(game, record)
    keys = _Keys(game, record)
    options = _options(game, head)
    chance = _chance(keys.of_setup, 0)
    try:
        begun = game.setup(options, len(head.order), chance)
    except WouldDraw:
        raise RecordError(_HEAD_LINE, "no_seed") from None
    moment = Moment(None, _HEAD_LINE, begun.state, begun.events, chance.counter, 0)
    yield moment
    stood: list[Any] = []
    for index, line in enumerate(record.lines):
        number = record.line_number(index)
        moment = replace(moment, line=line, number=number, events=())
        match line:
            case Moved():
                stood.append(moment.state)
                moment = _moved(game, moment, line, keys.of_line(index))
            case Undone(count=count):
                if count > len(stood):
                    raise RecordError(number, "undone_too_far", count=len(stood))
                moment = replace(moment, state=stood[-count])
                del stood[-count:]
            case Digested(digest=digest):
                if game.tree.digest(moment.state) != digest:
                    raise RecordError(number, "digest_differs")
            case Seated(seat=seat) | Resigned(seat=seat) | Peeked(seat=seat) | Hinted(seat=seat):
                if seat > len(head.order):
                    raise RecordError(number, "no_seat", seat=seat)
            case _:
                assert_never(line)
        moment = replace(moment, standing=len(stood))
        yield moment


def _played_by(game: Game[Any], record: Record) -> Game[Any]:
    """The version of a game by whose rules a record was played."""
    head = record.head
    played = game.of_rules(head.rules) if head.game == game.info.key else None
    if played is None:
        raise RecordError(_HEAD_LINE, "other_game", game=head.game, rules=head.rules)
    return played


def conceal(game: Game[Any], record: Record, eyes: Eyes) -> Record:
    """The record of a running game as these eyes may have it: no end, no digests, `?` for secrets.

    A digest over hidden choices could be guessed, so none leaves before the end.
    """
    shown = (
        _concealed(game, line, eyes) for line in record.lines if not isinstance(line, Digested)
    )
    return Record(_without_parts(record.head), tuple(shown))


def _without_parts(head: Head) -> Head:
    """A head that does not say what a fork's beginning was drawn with: hands follow from that."""
    return head if head.fork is None else replace(head, fork=replace(head.fork, parts=()))


def _concealed(game: Game[Any], line: RecordLine, eyes: Eyes) -> RecordLine:
    if not isinstance(line, Moved) or line.seat in eyes:
        return line
    grammar = game.grammar
    moves = [grammar.parse(each) for each in line.lines]
    return replace(line, lines=tuple(grammar.format(move, sees_owner=False) for move in moves))


def _moved(game: Game[Any], before: Moment, line: Moved, key: bytes | None) -> Moment:
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


class _Keys:
    """By which keys a record's draws are made: its own, and before a fork those of other games."""

    def __init__(self, game: Game[Any], record: Record) -> None:
        # Any: each game has a state class of its own.
        head, end = record.head, record.end
        parts = () if head.fork is None else head.fork.parts
        lines = [part.lines for part in parts]
        if lines != sorted(lines) or (lines and lines[-1] > len(record.lines)):
            raise RecordError(_fork_line(head), "bad_fork")
        common = _common(game, head)
        self._parts = [(part.lines, _key_of_part(common, part, head)) for part in parts]
        self._own: bytes | None = None
        if end is not None and end.secret is not None:
            header: DrawHeader = chance_header(*common, head.order, dict(head.seeds))
            self._own = _key(end.secret, header, record.end_number + 1)

    @property
    def of_setup(self) -> bytes | None:
        """The key of the set-up; None: it may not draw."""
        return self._parts[0][1] if self._parts else self._own

    def of_line(self, index: int) -> bytes | None:
        """The key of a line, counted from 0; None: it may not draw."""
        return next((key for lines, key in self._parts if index < lines), self._own)


def _key_of_part(
    common: tuple[str, str, int, dict[str, OptionValue]], part: ForkSection, head: Head
) -> bytes:
    number = _fork_line(head)
    if len(part.order) != len(head.order):
        raise RecordError(number, "bad_fork")
    header = chance_header(part.id, *common[1:], part.order, dict(part.seeds))
    return _key(part.secret, header, number)


def _key(secret: Hex, header: DrawHeader, number: int) -> bytes:
    try:
        return chance_key(bytes.fromhex(secret), header)
    except ValueError:
        raise RecordError(number, "bad_record_line", expected="S HEX") from None


def _fork_line(head: Head) -> int:
    """Where the line of a fork stands in the text of a record."""
    return _COMMIT_LINE + len(head.seeds) + 1


def _chance(key: bytes | None, counter: int) -> Chance:
    return NoChance(counter) if key is None else HmacChance(key, counter)


def _common(game: Game[Any], head: Head) -> tuple[str, str, int, dict[str, OptionValue]]:
    return head.id, head.game, head.rules, _options(game, head)


def _options(game: Game[Any], head: Head) -> dict[str, OptionValue]:
    chosen: dict[str, OptionValue] = {RULES_OPTION: head.rules}
    for name, text in head.options:
        option = game.info.options.get(name)
        value = None if option is None else option.read(text)
        if value is None:
            raise RecordError(_OPTIONS_LINE, "no_option", given=f"{name}={text}")
        chosen[name] = value
    if not game.info.min_seats <= len(head.order) <= game.info.max_seats:
        raise RecordError(_ORDER_LINE, "bad_order", seats=len(head.order))
    return game.info.complete(chosen)


def _check_result(game: Game[Any], record: Record, last: Moment) -> None:
    """A game that ended by score is over and has these scores; one that did not is not over."""
    if record.end is None:
        return
    result = game.result(last.state)
    is_scored = record.end.how is EndReason.SCORE
    if is_scored != (result is not None):
        raise RecordError(record.end_number, "wrong_end", given=record.end.how.value)
    if result is not None and record.end.scores:
        scores: dict[Seat, int] = {each.seat: each.score for each in result.standings}
        if scores != dict(record.end.scores):
            raise RecordError(record.end_number, "wrong_result")


def _check_digests_due(record: Record, moments: Replayed) -> None:
    """A digest follows every 16th entry that stands, and the last line if none is there yet."""
    lines = [moment.line for moment in moments[1:]]
    for index, moment in enumerate(moments[1:]):
        due = isinstance(moment.line, Moved) and moment.standing % DIGEST_EVERY == 0
        if due and not any(isinstance(line, Digested) for line in lines[index + 1 : index + 2]):
            raise RecordError(moment.number + 1, "digest_missing")
    last = moments[-1]
    covered = last.standing > 0 and last.standing % DIGEST_EVERY == 0
    if not covered and not isinstance(last.line, Digested):
        raise RecordError(record.end_number - 1, "digest_missing")
