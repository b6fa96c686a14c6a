"""From two versions of a room to the frames that take each viewer from one to the other.

Every part is encoded once: the public patch per codec, the own part per seat, sentences per
language. Viewers who see the same and ask for the same share the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from protocol import Branch, Codec, Logged, RoomNumber, Version, canonical, crc, crc_of_members
from protocol import Room as Snapshot
from rules.core.game import Game
from rules.core.merging import Tree, graft, patched
from rules.core.phrases import Lang
from rules.core.telling import event_view
from rules.core.vision import Event, Eyes, Seat
from server.limits import SUM_EVERY
from server.room.state import TABLE, Room
from server.sentences import event_line, event_lines, event_views

_AUDIENCES: Final = 1024
"""Remembered audiences; members of a forgotten one get frames of their own, made anew."""

AnyGame = Game[Any] | None  # Any: each game has a state class of its own


@dataclass(frozen=True, slots=True, eq=False)
class Audience:
    """What the frames of some members have in common: all of them get the same bytes.

    Made by `audience`, so that equal ones are one and the same: they are looked up by identity
    for every member and entry.
    """

    codec: Codec
    number: RoomNumber
    eyes: Eyes
    lang: Lang | None
    """None: wants no text."""
    events: bool


@lru_cache(_AUDIENCES)
def audience(
    codec: Codec, number: RoomNumber, eyes: Eyes, lang: Lang | None, *, events: bool
) -> Audience:
    """The audience of those who see and want the same."""
    return Audience(codec=codec, number=number, eyes=eyes, lang=lang, events=events)


def view_of(room: Room, game: AnyGame, eyes: Eyes) -> Tree:
    """The whole view: the tree `{room, game}`, without `game` before the start."""
    view: Tree = {"room": TABLE.public(room.table)}
    if game is not None and room.game is not None:
        view["game"] = game.tree.view(room.game, eyes)
    return view


def snapshot(room: Room, game: AnyGame, audience: Audience, *, game_hash: str) -> Snapshot:
    """Everything that a member sees, with the tail of the log for those who want sentences."""
    view = view_of(room, game, audience.eyes)
    log = () if audience.lang is None else _log(room, game, audience, audience.lang)
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


def _log(room: Room, game: AnyGame, audience: Audience, lang: Lang) -> tuple[Logged, ...]:
    eyes = audience.eyes
    made = []
    for logged in room.log:
        for event in logged.events:
            line = event_line(event, eyes, lang, game, room.name_of)
            if line is not None:
                made.append(
                    Logged(
                        version=Version(logged.version),
                        at=logged.at,
                        text=line,
                        event=event_view(event, eyes) if audience.events else None,
                    )
                )
    return tuple(made)


class Publication:
    """The update from one version of a room to the next; made once for each entry.

    `whole` says that a patch would not do (a new board): then everybody gets a snapshot.
    """

    def __init__(self, old: Room, new: Room, told: tuple[Event, ...], game: AnyGame) -> None:
        self._old = old
        self._new = new
        self._told = told
        self._game = game
        self._version = Version(new.version)
        self._played = game is not None and old.game is not new.game and new.game is not None
        self.whole = (old.game is None) != (
            new.game is None
        ) or old.table.game_id != new.table.game_id
        self._patch: Branch | None = None if self.whole else self._public_patch()
        self._parts: dict[object, bytes | None] = {}
        self._frames: dict[Audience, bytes] = {}
        self._sums: Sums | None = None

    def _public_patch(self) -> Branch | None:
        patch: Tree = {}
        room = TABLE.diff_public(self._old.table, self._new.table)
        if room is not None:
            patch["room"] = room
        if self._game is not None and self._played:
            game = self._game.tree.diff_public(self._old.game, self._new.game)
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
        codec, eyes, told = audience.codec, audience.eyes, self._told
        return codec.update(
            audience.number,
            self._version,
            patch=self._public(codec),
            own=self._own(codec, eyes) if eyes and self._played else None,
            done=done,
            sum=None if self._version % SUM_EVERY else self._sum(eyes),
            events=self._events(codec, eyes) if told and audience.events else None,
            text=self._text(codec, eyes, audience.lang) if told and audience.lang else None,
        )

    def changes_view_of(self, eyes: Eyes) -> bool:
        """Whether these eyes see another game than before; what they may play rests on that."""
        if self.whole or (self._patch is not None and "game" in self._patch):
            return True
        return self._played and self._own_patch(eyes) is not None

    def _public(self, codec: Codec) -> bytes | None:
        if codec not in self._parts:
            self._parts[codec] = None if self._patch is None else codec.value(self._patch)
        return self._parts[codec]

    def _own(self, codec: Codec, eyes: Eyes) -> bytes | None:
        key = (codec, eyes)
        if key not in self._parts:
            own = self._own_patch(eyes)
            self._parts[key] = None if own is None else codec.value(own)
        return self._parts[key]

    def _own_patch(self, eyes: Eyes) -> Branch | None:
        if self._game is None:
            return None
        made: Tree | None = None
        for seat in sorted(eyes):
            part = self._game.tree.diff_own(self._old.game, self._new.game, Seat(seat))
            if part is not None and made is not None:
                graft(made, part)
            else:
                made = part or made
        return None if made is None else {"game": made}

    def _events(self, codec: Codec, eyes: Eyes) -> bytes | None:
        key = (codec, eyes, "events")
        if key not in self._parts:
            views = event_views(self._told, eyes)
            self._parts[key] = codec.value(views) if views else None
        return self._parts[key]

    def _text(self, codec: Codec, eyes: Eyes, lang: Lang) -> bytes | None:
        key = (codec, eyes, lang)
        if key not in self._parts:
            lines = event_lines(self._told, eyes, lang, self._game, self._new.name_of)
            self._parts[key] = codec.value(lines) if lines else None
        return self._parts[key]

    def _sum(self, eyes: Eyes) -> int:
        if self._sums is None:
            self._sums = Sums(self._new, self._game)
        return self._sums.of(eyes)


class Sums:
    """The check sums of one version, for whatever eyes; what they have in common is made once."""

    def __init__(self, room: Room, game: AnyGame) -> None:
        self._room = room
        self._tree = None if game is None or room.game is None else game.tree
        self._table = canonical(TABLE.public(room.table))
        self._public = {} if self._tree is None else self._tree.public(room.game)
        self._found: dict[Eyes, int] = {}

    def of(self, eyes: Eyes) -> int:
        """The check sum of the view of these eyes, as `crc(view_of(...))` has it."""
        found = self._found.get(eyes)
        if found is None:
            found = self._found[eyes] = crc_of_members(self._members(eyes))
        return found

    def _members(self, eyes: Eyes) -> dict[str, bytes]:
        if self._tree is None:
            return {"room": self._table}
        view = self._public
        for seat in sorted(eyes):
            view = patched(view, self._tree.own(self._room.game, seat))
        return {"game": canonical(view), "room": self._table}
