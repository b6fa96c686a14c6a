"""From two versions of a room to the frames that take each viewer from one to the other.

Every part is encoded once: the public patch per codec, the own part per seat, sentences per
language. Viewers who see the same and ask for the same share the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from protocol import Branch, Codec, Logged, RoomNumber, Version, crc
from protocol import Room as Snapshot
from rules.core.game import Game
from rules.core.phrases import Lang
from rules.core.tree import Tree, graft
from rules.core.vision import Event, Eyes, Seat
from server.limits import SUM_EVERY
from server.room.state import TABLE, Room
from server.sentences import event_lines, event_views

AnyGame = Game[Any] | None  # Any: each game has a state class of its own


@dataclass(frozen=True, slots=True)
class Audience:
    """What the frames of some members have in common: all of them get the same bytes."""

    codec: Codec
    number: RoomNumber
    eyes: Eyes
    lang: Lang | None
    """None: wants no text."""
    events: bool


def view_of(room: Room, game: AnyGame, eyes: Eyes) -> Tree:
    """The whole view: the tree `{room, game}`, without `game` before the start."""
    view: Tree = {"room": TABLE.public(room.table)}
    if game is not None and room.game is not None:
        view["game"] = game.tree.view(room.game, eyes)
    return view


def snapshot(room: Room, game: AnyGame, audience: Audience, *, game_hash: str) -> Snapshot:
    """Everything that a member sees, with the tail of the log for those who want sentences."""
    view = view_of(room, game, audience.eyes)
    log = () if audience.lang is None else _log(room, game, audience.eyes, audience.lang)
    return Snapshot(
        room=audience.number,
        id=room.table.id,
        game=room.table.game,
        hash=game_hash,
        version=Version(room.version),
        view=view,
        sum=crc(view),
        eyes=tuple(sorted(audience.eyes)),
        log=log,
    )


def _log(room: Room, game: AnyGame, eyes: Eyes, lang: Lang) -> tuple[Logged, ...]:
    return tuple(
        Logged(version=Version(logged.version), at=logged.at, text=line)
        for logged in room.log
        for line in event_lines(logged.events, eyes, lang, game, room.name_of)
    )


class Publication:
    """The update from one version of a room to the next; made once for each entry.

    `whole` says that a patch would not do (a new board): then everybody gets a snapshot.
    """

    def __init__(self, old: Room, new: Room, told: tuple[Event, ...], game: AnyGame) -> None:
        self._old = old
        self._new = new
        self._told = told
        self._game = game
        self._tree = None if game is None else game.tree
        self.whole = (old.game is None) != (
            new.game is None
        ) or old.table.game_id != new.table.game_id
        self._patch: Branch | None = None if self.whole else self._public_patch()
        self._parts: dict[object, bytes | None] = {}
        self._frames: dict[Audience, bytes] = {}
        self._sums: dict[Eyes, int] = {}
        self._public: Tree | None = None
        self.sum_due = new.version % SUM_EVERY == 0

    def _public_patch(self) -> Branch | None:
        patch: Tree = {}
        room = TABLE.diff_public(self._old.table, self._new.table)
        if room is not None:
            patch["room"] = room
        if self._tree is not None and self._old.game is not self._new.game:
            game = self._tree.diff_public(self._old.game, self._new.game)
            if game is not None:
                patch["game"] = game
        return patch or None

    def frame(self, audience: Audience, done: str | None = None) -> bytes:
        """The update for an audience; with `done`, for the one whose line it answers."""
        if done is not None:
            return self._join(audience, done)
        found = self._frames.get(audience)
        if found is None:
            found = self._frames[audience] = self._join(audience, None)
        return found

    def _join(self, audience: Audience, done: str | None) -> bytes:
        codec, eyes = audience.codec, audience.eyes
        return codec.update(
            audience.number,
            Version(self._new.version),
            patch=self._part(codec, _PATCH, lambda: self._patch),
            own=self._own(codec, eyes) if eyes else None,
            done=done,
            sum=self._sum(eyes) if self.sum_due else None,
            events=self._events(audience) if audience.events and self._told else None,
            text=self._text(audience) if audience.lang and self._told else None,
        )

    def _part(self, codec: Codec, key: object, make: Callable[[], Any]) -> bytes | None:
        # Any: a plain tree or a list of them, whatever the part is.
        full_key = (codec.name, key)
        if full_key not in self._parts:
            made = make()
            self._parts[full_key] = None if made is None else codec.value(made)
        return self._parts[full_key]

    def _own(self, codec: Codec, eyes: Eyes) -> bytes | None:
        return self._part(codec, eyes, lambda: self._own_patch(eyes))

    def _own_patch(self, eyes: Eyes) -> Branch | None:
        if self._tree is None or self._new.game is None or self._old.game is self._new.game:
            return None
        made: Tree = {}
        for seat in sorted(eyes):
            part = self._tree.diff_own(self._old.game, self._new.game, Seat(seat))
            if part is not None:
                graft(made, part)
        return {"game": made} if made else None

    def _events(self, audience: Audience) -> bytes | None:
        key = ("events", audience.eyes)
        return self._part(
            audience.codec, key, lambda: event_views(self._told, audience.eyes) or None
        )

    def _text(self, audience: Audience) -> bytes | None:
        lang = audience.lang
        if lang is None:
            return None
        return self._part(
            audience.codec,
            (lang, audience.eyes),
            lambda: (
                event_lines(self._told, audience.eyes, lang, self._game, self._new.name_of) or None
            ),
        )

    def _sum(self, eyes: Eyes) -> int:
        found = self._sums.get(eyes)
        if found is None:
            found = self._sums[eyes] = crc(view_of(self._new, self._game, eyes))
        return found


_PATCH: Final = "patch"

__all__ = ["Audience", "Publication", "snapshot", "view_of"]
