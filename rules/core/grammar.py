"""The grammar of a game: one declaration for parsing, formatting, completion and help.

Every move has exactly one canonical line, `/build 3 frankfurt 5`: complete, ASCII, independent of
the state. `parse` reads only canonical lines. `understand` reads what people type, and fills in a
missing argument if only one legal move fits.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final, TypeVar

from bluebear.rules.core.kana import reading_of
from bluebear.rules.core.package_data import LoadError
from bluebear.rules.core.phrases import Lang, Phrases, called
from bluebear.rules.core.refusal import Ambiguous, NotUnderstood, Refusal
from bluebear.rules.core.slots import (
    Choice,
    FlagSlot,
    Lexicon,
    Slot,
    by_number,
    fold,
    run_of,
    tokens_of,
)
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import Move, Visibility

CONCEALED: Final = "?"
"""The sign for a hidden field, or for a line that is hidden as a whole."""

_LISTED: Final = 8
"""The most candidates that a refusal of a missing argument names."""

_CACHED: Final = 4096
"""The most canonical lines whose moves are cached."""


class GrammarError(LoadError, TypeError):
    """A verb does not fit its move; raised when the grammar is made."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of moves: canonical name, class of the move, slots, further and short names."""

    name: str
    move: type[Move]
    slots: tuple[Slot, ...] = ()
    names: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    optional: ClassVar[bool] = False

    def moves(self) -> Iterator[Move]:
        """Every move of the verb. TypeError if a slot has too many values to list."""
        names = [slot.name for slot in self.slots]
        for values in itertools.product(*(list(slot.domain()) for slot in self.slots)):
            yield self.move(**dict(zip(names, values, strict=True)))


@dataclass(frozen=True, slots=True)
class Query:
    """A query, which changes nothing; `GameTexts.answer` replies from a view."""

    name: str
    slots: tuple[Slot, ...] = ()
    names: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    optional: bool = False
    """Whether all arguments may be left out."""


Item = TypeVar("Item", Verb, Query)


@dataclass(frozen=True, slots=True)
class Shorthand:
    """A short form without spaces: a pattern of the folded text, and the line it expands to."""

    pattern: re.Pattern[str]
    line: str


class Grammar:
    """The verbs and queries of one game, and what else may be typed for them."""

    def __init__(
        self,
        verbs: Sequence[Verb],
        queries: Sequence[Query] = (),
        shorthands: Sequence[Shorthand] = (),
        names: Sequence[Choice] = (),
    ) -> None:
        named = {each.value: each for each in names}
        verbs = [_named(verb, named.pop(verb.name, None)) for verb in verbs]
        queries = [_named(query, named.pop(query.name, None)) for query in queries]
        if named:
            raise GrammarError(f"names of {min(named)}, which is no verb")
        self.verbs: Mapping[str, Verb] = {verb.name: verb for verb in verbs}
        self.queries: Mapping[str, Query] = {query.name: query for query in queries}
        self.shorthands = tuple(shorthands)
        self._verbs = {verb.move: verb for verb in verbs}
        self._hidden = {verb.move: _hidden_fields(verb) for verb in verbs}
        self.parse: Callable[[str], Move] = lru_cache(_CACHED)(self._parse)
        """The move of a canonical line. NotUnderstood (bad_line) for any other text."""
        self.items: Sequence[Verb | Query] = (*verbs, *queries)
        self.heads = Lexicon([Choice(each.name, each.names, each.short) for each in self.items])

    def _parse(self, line: str) -> Move:
        head, _, rest = line.removeprefix("/").partition(" ")
        verb = self.verbs.get(head)
        if verb is None or not line.startswith("/"):
            raise NotUnderstood("bad_line", given=line)
        try:
            values, missing = _read(verb.slots, rest.split())
        except Refusal as refusal:
            raise NotUnderstood("bad_line", given=line) from refusal
        if missing or self.format(move := verb.move(**values)) != line:
            raise NotUnderstood("bad_line", given=line)
        return move

    def format(self, move: Move, *, sees_owner: bool = True) -> str:
        """The canonical line of a move; unless `sees_owner`, with `?` for its hidden fields."""
        if not sees_owner and move.sight is not Visibility.PUBLIC:
            return CONCEALED
        verb, hidden = self._verbs[type(move)], () if sees_owner else self._hidden[type(move)]
        parts = ["/" + verb.name]
        for slot in verb.slots:
            text = CONCEALED if slot.name in hidden else slot.write(getattr(move, slot.name))
            if text:
                parts.append(text)
        return " ".join(parts)

    @cached_property
    def every_move(self) -> Sequence[Move]:
        """Every move that can be written. TypeError if a slot has too many values to list."""
        return tuple(move for verb in self.verbs.values() for move in verb.moves())

    def verb_of(self, move: Move) -> Verb:
        """The verb of a move's class."""
        return self._verbs[type(move)]

    def expand(self, text: str) -> str | None:
        """The line of a shorthand, without its slash; None if the text is no shorthand."""
        folded = fold(text).strip()
        for shorthand in self.shorthands:
            if match := shorthand.pattern.fullmatch(folded):
                return shorthand.line.format(**match.groupdict())
        return None

    def understand(self, verb: Verb, text: str, legal: Callable[[], Iterable[Move]]) -> Move:
        """The move for a verb and the text that a person typed after it.

        Missing arguments are filled in if exactly one legal move fits. Raises NotUnderstood
        (missing_argument, bad_argument, extra_argument, too_many) or Ambiguous.
        """
        values, missing = _read(verb.slots, tokens_of(text))
        if not missing:
            return verb.move(**values)
        of_verb = (move for move in legal() if type(move) is verb.move)
        fitting = [m for m in of_verb if all(getattr(m, n) == v for n, v in values.items())]
        if len(fitting) == 1:
            return fitting[0]
        lines = tuple(sorted(map(self.format, fitting), key=by_number))
        if 1 < len(lines) <= _LISTED:
            raise Ambiguous(
                "ambiguous_move", slot=missing[0].name, verb=verb.name, candidates=lines
            )
        raise NotUnderstood(
            "missing_argument", verb=verb.name, slot=missing[0].name, candidates=lines[:_LISTED]
        )

    def arguments(self, query: Query, text: str) -> Mapping[str, Any]:  # Any: values of slots
        """The arguments of a query; empty if they are optional and none were given."""
        tokens = tokens_of(text)
        if query.optional and not tokens:
            return {}
        values, missing = _read(query.slots, tokens)
        if missing:
            raise NotUnderstood("missing_argument", verb=query.name, slot=missing[0].name)
        return values

    def complete(self, verb: Verb, text: str, legal: Iterable[Move]) -> list[str]:
        """The canonical texts that may come next in a line of a legal move, sorted `by_number`."""
        try:
            tokens = tokens_of(text)
        except NotUnderstood:
            return []
        partial = "" if not text or text[-1].isspace() or not tokens else tokens.pop()
        before = _canonical_tokens(verb.slots, tokens)
        found: dict[str, None] = {}
        for move in legal:
            if type(move) is not verb.move:
                continue
            texts = self.format(move).split()[1:]
            if texts[: len(tokens)] == before and len(texts) > len(tokens):
                following = texts[len(tokens)]
                names = (name for slot in verb.slots for name in slot.names(following))
                if any(begins(name, partial) for name in (following, *names)):
                    found[following] = None
        return sorted(found, key=by_number)

    def usage(self, name: str, phrases: Phrases, lang: Lang) -> str:
        """The syntax of a verb or query: `/build BLOCK CITY SITE`."""
        item = self.verbs.get(name) or self.queries[name]
        parts = ["/" + called(item.name, (*item.names, *item.short), lang)]
        for slot in item.slots:
            label = phrases.say(f"slot.{slot.name}", lang)
            label = label.upper() if lang == "en" else label
            if slot.greedy:
                label += "..."
            parts.append(f"[{label}]" if slot.optional or item.optional else label)
        return " ".join(parts)


def _named(item: Item, choice: Choice | None) -> Item:
    return item if choice is None else replace(item, names=choice.names, short=choice.short)


def _canonical_tokens(slots: Sequence[Slot], tokens: Sequence[str]) -> list[str]:
    """Typed tokens in canonical form, up to the first that no single slot can read."""
    made = list(tokens)
    for place, slot in enumerate(slots[: len(tokens)]):
        if slot.greedy or slot.optional:
            break
        try:
            value, _ = slot.read(tokens, place)
        except Refusal:
            break
        made[place] = slot.write(value)
    return made


def begins(name: str, partial: str) -> bool:
    """Whether a name, or its reading in hiragana, begins with a folded text."""
    return fold(name).startswith(partial) or (reading_of(name) or "").startswith(partial or "?")


def _hidden_fields(verb: Verb) -> Sequence[str]:
    """The fields of a verb's move that are not public. GrammarError unless its slots fill all."""
    fields = tree_of(verb.move, inside_seat=True).plan.listed
    names, declared = {slot.name for slot in verb.slots}, {field.name for field in fields}
    if names != declared:
        raise GrammarError(f"/{verb.name} fills {sorted(names)}, its move has {sorted(declared)}")
    return [field.name for field in fields if field.sight is not Visibility.PUBLIC]


def _read(slots: Sequence[Slot], tokens: Sequence[str]) -> tuple[dict[str, Any], list[Slot]]:
    """The values of the tokens by slot, and the slots without a token."""
    flags = [slot for slot in slots if isinstance(slot, FlagSlot)]
    open_slots = [slot for slot in slots if slot not in flags]
    named = {slot.name: slot for slot in open_slots if not slot.greedy}
    values: dict[str, Any] = dict.fromkeys([flag.name for flag in flags], False)
    left: list[str] = []
    for token in tokens:
        name, _, value = token.partition("=")
        flag = next((flag for flag in flags if flag.matches(token)), None) if flags else None
        if flag is not None:
            values[flag.name] = True
        elif value and name in named:
            values[name], _ = named[name].read([value], 0)
        else:
            left.append(token)
    missing: list[Slot] = []
    at = 0
    for slot in open_slots:
        if slot.name in values:
            continue
        if at >= len(left):
            missing.append(slot)
            continue
        values[slot.name], at = slot.read(left, at)
    if at < len(left):
        raise NotUnderstood("extra_argument", given=run_of(left[at:]))
    return values, missing
