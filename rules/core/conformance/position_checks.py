"""The checks of a position: legal moves, their lines, refusals, texts, invariants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypeVar

from bluebear.rules.core.chance import Chance, FastChance, NoChance, WouldDraw
from bluebear.rules.core.conformance.case import crashes
from bluebear.rules.core.conformance.random_play import Position, any_move
from bluebear.rules.core.game import GameTexts, TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.search_model import greedy_of
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.tree import INTEGER_BOUND, tree_of
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Move, Seat, Visibility

T = TypeVar("T")
Texts: TypeAlias = GameTexts[Any]  # Any: each game has a state class of its own

_TO_MOVERS: Final = 5
"""A seat that is to move tries this many times as many possibly illegal moves as other seats."""

MOVES_MAX_BYTES: Final = 64 * 1024
"""A seat's legal lines are sent in one frame; this bounds `legal_bound` times the longest line."""

BOT_EVERY: Final = 10
"""Some bots think for a second, so that few positions can be given to them."""


def check_position(at: Position, chance: Chance, *, tries: int = 8) -> None:
    """Run all checks of one position; `tries` illegal moves and as many legal ones are played.

    `chance` chooses the moves. Raises ConformanceError.
    """
    game = at.case.game
    if (game.result(at.state) is None) != bool(at.movers()):
        raise at.fault("there is a result exactly when nobody is to move")
    for broken in game.invariants(at.state):
        raise at.fault(f"invariant: {broken}")
    before = game.tree.digest(at.state)
    for seat in at.seats_in_turn():
        legal, texts = game.legal(at.state, seat), at.texts(frozenset((seat,)))
        _check_legal(at, seat, legal)
        _check_lines(at, legal)
        for move in _some(legal, chance, tries):
            _check_understood(at, seat, texts, move, legal)
            _check_played(at, seat, texts, move)
        _check_refused(at, seat, legal, chance, tries=tries)
        _check_take_back(at, seat, legal)
        if legal and (move := game.fallback(at.state, seat)) not in game.plain(at.state, seat):
            raise at.fault(f"the fallback {at.line(move)} is no plain legal move")
    if game.tree.digest(at.state) != before:
        raise at.fault("a move has changed the state that it was played on")
    for eyes in at.eyes_in_turn():
        view = game.tree.view(at.state, eyes)
        check_plain(at, view)
        if game.tree.load(view) != (seen := game.seen(at.state, eyes)):
            raise at.fault("the view that boards get is not the one that clients load")
        for lang in LANGS:
            _check_table(at, game.text(seen, eyes, TextPage(lang)))
    # One pair of eyes and one language for each position: boards cost more than all the rest.
    [eyes] = _some(at.all_eyes(), chance, 1)
    _check_texts(at, eyes, LANGS[chance.pick(len(LANGS))])


def check_bot(at: Position) -> None:
    """Each `BOT_EVERY` moves a house bot, each in its turn, must choose a plain legal move."""
    game = at.case.game
    greedy = {} if game.thinker is None else {"greedy": greedy_of(game.thinker)}
    if at.number % BOT_EVERY or not (bots := sorted({**greedy, **game.bots}.items())):
        return
    name, bot = bots[at.number // BOT_EVERY % len(bots)]
    seat = at.seats_in_turn()[0]
    plain, view = game.plain(at.state, seat), game.seen(at.state, frozenset((seat,)))
    with crashes(game, lambda what: at.fault(f"bot {name}, seat {seat}: {what}")):
        if (move := bot(view, seat, [*plain], FastChance(at.number))) not in plain:
            raise at.fault(f"bot {name}, seat {seat}: {move!r} is no plain legal move")


def _check_legal(at: Position, seat: Seat, legal: Sequence[Move]) -> None:
    game = at.case.game
    lines = [*map(at.line, legal)]
    if legal and seat not in at.movers():
        raise at.fault(f"seat {seat} is not to move and has legal moves: {lines[:3]}")
    if not legal and seat in at.movers():
        raise at.fault(f"seat {seat} is to move and has no legal move")
    if len(set(lines)) < len(lines):
        raise at.fault(f"among the legal moves of seat {seat} one stands twice")
    if lines != sorted(lines):
        raise at.fault(f"the choices of seat {seat} are not sorted, against `sorted_choices`")
    if len(lines) > game.info.legal_bound:
        raise at.fault(f"{len(lines)} legal moves, `legal_bound` is {game.info.legal_bound}")
    longest = max(map(len, lines), default=0)
    if longest * game.info.legal_bound > MOVES_MAX_BYTES:
        raise at.fault(f"`legal_bound` times {longest} characters is over {MOVES_MAX_BYTES}")
    for line in lines:
        if not line.isascii() or not line.startswith("/"):
            raise at.fault(f"{line!r} is no canonical line")


def _check_lines(at: Position, legal: Sequence[Move]) -> None:
    """Parse and format must be inverse, and a concealed line depend on public fields only."""
    masked: dict[object, str] = {}
    for move in legal:
        line = at.line(move)
        if at.case.game.grammar.parse(line) != move:
            raise at.fault(f"{line} parses to another move")
        is_public = move.sight is Visibility.PUBLIC
        key = tree_of(type(move), inside_seat=True).seen(move, SPECTATOR) if is_public else None
        concealed = at.line(move, sees_owner=False)
        if masked.setdefault(key, concealed) != concealed:
            raise at.fault(f"{concealed} and {masked[key]} tell a hidden field")


def _check_understood(
    at: Position, seat: Seat, texts: Texts, move: Move, legal: Sequence[Move]
) -> None:
    """A legal move must be understood without its verb, as nothing else."""
    grammar, line = at.case.game.grammar, at.line(move)
    verb, text = grammar.verb_of(move), line.partition(" ")[2]
    try:
        parsed = grammar.understand(verb, text, lambda: legal)
    except Refusal as refusal:
        raise at.fault(f"{line} is not understood: {refusal.code}") from refusal
    if parsed != move:
        raise at.fault(f"{line} is understood as {at.line(parsed)}")
    long_form = texts.expand(seat, verb.name, text)
    if long_form not in (None, (move,)) or grammar.expand(line.removeprefix("/")) is not None:
        raise at.fault(f"{line} is taken for a long or a short form of something else")


def _check_played(at: Position, seat: Seat, texts: Texts, move: Move) -> None:
    """A legal move must be played; what is said before a probable mistake must have its phrase."""
    game, line = at.case.game, at.line(move)
    verb = game.grammar.verb_of(move).name
    if game.is_rash(at.state, seat, move) and f"rash.{verb}" not in game.phrases:
        raise at.fault(f"/{verb} is rash, and there is no phrase rash.{verb}")
    if (question := texts.confirmation(seat, move)) is not None:
        phrase = game.phrases.find(question.phrase)
        if phrase is None or not question.phrase.startswith("confirm."):
            raise at.fault(f"{line} is asked about with {question.phrase}, which is no phrase")
        if phrase.params("en") != question.params.keys():
            what = f"{question.phrase}, filled by {question.params}"
            raise at.fault(f"{line} is asked about with {what}")
    at.after(seat, move)


def _check_refused(
    at: Position, seat: Seat, legal: Sequence[Move], chance: Chance, *, tries: int
) -> None:
    """Illegal moves must be refused before any draw: random moves, and moves of other seats."""
    game = at.case.game
    listed = set(legal)
    # Only a seat that is to move meets the game's own refusals; others meet "not your turn".
    count = _TO_MOVERS * tries if legal else tries
    candidates = [any_move(game.grammar.verbs, at, chance) for _ in range(count)]
    for other in _some(at.movers(), chance, 2):
        candidates.extend(_some(list(game.legal(at.state, other)), chance, 2))
    for move in candidates:
        if move is None or move in listed:
            continue
        game.is_rash(at.state, seat, move)
        try:
            refusal = refusal_of(at, seat, move)
        except WouldDraw:
            raise at.fault(f"seat {seat} {at.line(move)} is not in `legal`, and draws") from None
        if refusal is None:
            raise at.fault(f"seat {seat} {at.line(move)} is not in `legal`, and is played")
        _check_refusal(at, refusal)


def refusal_of(at: Position, seat: Seat, move: Move) -> NotAllowed | None:
    """The refusal of a move; None if it is played. Raises WouldDraw if the move draws."""
    game = at.case.game
    if not isinstance(refusal := game.refusal(at.state, seat, move), NotAllowed | None):
        raise at.fault(f"`why_not` gives {refusal!r} for {at.line(move)}, not NotAllowed or None")
    try:
        game.play(at.state, seat, move, NoChance())
    except NotAllowed as refusal:
        return refusal
    return None


def _check_refusal(at: Position, refusal: NotAllowed) -> None:
    game = at.case.game
    if refusal.rule is None or refusal.rule not in game.rules:
        raise at.fault(f"the refusal {refusal.code} names no paragraph of rules.md: {refusal.rule}")
    for lang in LANGS:
        try:
            game.phrases.say(f"refusal.{refusal.code}", lang, refusal.params)
        except KeyError as missing:
            raise at.fault(f"refusal.{refusal.code} cannot be said: {missing}") from missing


def _check_take_back(at: Position, seat: Seat, legal: Sequence[Move]) -> None:
    """The move for `/undo` inside a turn must be a legal take-back, and must not draw."""
    game = at.case.game
    if (back := game.take_back(at.state, seat, "")) is None:
        return
    line = at.line(back)
    if back not in legal or not back.takes_back:
        raise at.fault(f"seat {seat} would take back with {line}, which is no legal take-back")
    if at.after(seat, back).counter != at.counter:
        raise at.fault(f"{line} takes back and draws")


def _check_table(at: Position, texts: Texts) -> None:
    """What is said of this table belongs to a chapter that has a text."""
    for number, text in texts.on_this_table().items():
        chapter = at.case.game.chapters.get(number)
        if chapter is None or not chapter.text[0] or not text.strip():
            raise at.fault(f"chapter {number} says of this table {text!r}, or has no text")


def _check_texts(at: Position, eyes: Eyes, lang: Lang) -> None:
    """Board, status, short form and linear form must fit the page and be ASCII if it is.

    The short form must also have at most `page.lines` lines.
    """
    page = TextPage(lang=lang, ascii=True)
    texts = at.texts(eyes, page)
    short, reading = texts.short(), texts.linear_board()
    if (lines := short.count("\n") + 1) > page.lines:
        raise at.fault(f"the short form has {lines} lines, the page {page.lines}")
    text = "\n".join([texts.board(), *texts.status(), short, reading])
    if not text.strip():
        raise at.fault("the board is empty")
    widest = max(map(columns, text.splitlines()))
    if widest > page.width:
        raise at.fault(f"the board is {widest} columns wide, the page {page.width}")
    if lang == "en" and not text.isascii():
        raise at.fault("the ASCII board has other characters")


def check_plain(at: Position, tree: object) -> None:
    """Views and dumps must contain only dicts with string keys, lists, strings, small integers."""
    unchecked = [tree]
    while unchecked:
        if isinstance(part := unchecked.pop(), dict):
            if wrong := [key for key in part if type(key) is not str]:
                raise at.fault(f"the key {wrong[0]!r} is no string")
            unchecked.extend(part.values())
        elif isinstance(part, list):
            unchecked.extend(part)
        elif isinstance(part, int) and abs(part) > INTEGER_BOUND:
            raise at.fault(f"{part} is beyond 2^53")
        elif not isinstance(part, (str, int)):
            raise at.fault(f"{part!r} is no part of a plain tree")


def _some(listed: Sequence[T], chance: Chance, most: int) -> Sequence[T]:
    """All items if there are at most `most`, else `most` random ones."""
    if len(listed) <= most:
        return listed
    return [listed[chance.pick(len(listed))] for _ in range(most)]
