"""Sends a room's frames to its members: updates, snapshots, legal moves, presence.

Every part of an update is made once: the public patch per codec, the own part per seat, a sentence
of an event that hides nothing per language. Who see and ask for the same share the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from bluebear.protocol import Codec, Moves, Note, Version
from bluebear.rules.core.merge_patch import Shaped, merged
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.visibility import SPECTATOR, Event, Eyes, Seat
from bluebear.server.limits import SENTENCES_VERSIONS, SUM_EVERY
from bluebear.server.room.events import RoomEvent, Said
from bluebear.server.room.fold_context import Folded, quiet_seat
from bluebear.server.room.spectators import DelayedBatch, Transition
from bluebear.server.room.state import Phase, Room
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.views import (
    AnyGame,
    Audience,
    LogSentences,
    Member,
    Members,
    VersionViews,
    audience_of,
    data_of,
    eyes_of,
    frame_of,
    keys_of,
    snapshot,
)
from bluebear.server.runtime import COUNTERS, count
from bluebear.server.sentences import event_line, event_lines, event_views, is_same_for_all


class UpdateFrames:
    """The update from one version of a room to the next; made once for each entry.

    Encodes what the entry has changed and compares nothing. `resets` says that a patch would
    not do (a new board): then all members get a snapshot.
    """

    def __init__(self, old: Room, folded: Folded, game: AnyGame) -> None:
        new = self._new = folded.room
        self._events_shown = folded.events
        self._game = game
        self._version = Version(new.version)
        self._summed = new.version % SUM_EVERY == 0
        self._counts_differ = new.recorded is not None and bool(new.recorded.quiet)
        self.only: Seat | None = quiet_seat(old, new) if self._counts_differ else None
        """The one seat that learns of this at all; None: it is for all members."""
        self.resets = (old.game is None) != (
            new.game is None
        ) or old.table.game_id != new.table.game_id
        self._patch: Shaped = {}
        self._owns: Mapping[Seat, Shaped] = {}
        if not self.resets:
            room = folded.changes.table.public
            if room is not None:
                self._patch["room"] = room
            if game is not None and old.game is not new.game:
                shown, self._owns = folded.changes.game.public, folded.changes.game.private
                if shown is not None:
                    self._patch["game"] = shown
        self._parts: dict[object, bytes | None] = {}
        self._frames: dict[Audience, bytes] = {}
        self._lines: dict[object, str | None] = {}
        self._sights: VersionViews | None = None
        self.packed = 0
        """How many frames were made."""

    def frame(self, audience: Audience) -> bytes:
        """The update for an audience."""
        if (
            audience.common is not None
            and not (self._counts_differ or self._summed)
            and not (self._events_shown and (audience.events or audience.lang is not None))
            and self._owns.keys().isdisjoint(audience.eyes)
        ):
            # These eyes see and are told no more than those that own nothing.
            audience = audience.common
        if audience not in self._frames:
            self._frames[audience] = self.answer_frame(audience, None)
        return self._frames[audience]

    def answer_frame(self, audience: Audience, done: str | None, *, shown: bool = True) -> bytes:
        """The update for the member whose line `done` it answers; made anew.

        Not `shown`: without words, for one who does not hear who has spoken.
        """
        self.packed += 1
        codec, eyes, events = audience.codec, audience.eyes, shown and self._events_shown
        version, summed = self._version, self._summed
        if self._counts_differ:
            version = Version(self._new.version_for(eyes))
            summed = version % SUM_EVERY == 0
        patch = self._parts.get(codec)
        if patch is None and self._patch:
            patch = self._parts[codec] = codec.patch(self._patch)
        return codec.update(
            audience.number,
            version,
            patch=patch,
            own=self._private_patch(codec, eyes) if eyes and self._owns else None,
            done=done,
            sum=self.sights.sum(eyes) if summed else None,
            events=self._events(codec, eyes) if events and audience.events else None,
            text=self._text(codec, eyes, audience.lang) if events and audience.lang else None,
        )

    def changes_view_of(self, eyes: Eyes) -> bool:
        """Whether these eyes see another game than before; what they may play rests on that."""
        return self.resets or "game" in self._patch or not self._owns.keys().isdisjoint(eyes)

    def _private_patch(self, codec: Codec, eyes: Eyes) -> bytes | None:
        key = (codec, eyes)
        if key not in self._parts:
            private: Shaped | None = None
            for seat in sorted(eyes):
                if seat in self._owns:
                    patch = self._owns[seat]
                    private = patch if private is None else merged(private, patch)
            self._parts[key] = None if private is None else codec.patch({"game": private})
        return self._parts[key]

    def _events(self, codec: Codec, eyes: Eyes) -> bytes | None:
        key = (codec, eyes, "events")
        if key not in self._parts:
            views = event_views(self._events_shown, eyes)
            self._parts[key] = codec.value(views) if views else None
        return self._parts[key]

    def _text(self, codec: Codec, eyes: Eyes, lang: Lang) -> bytes | None:
        key = (codec, eyes, lang)
        if key not in self._parts:
            made = (self._line(event, eyes, lang) for event in self._events_shown)
            lines = [line for line in made if line is not None]
            self._parts[key] = codec.value(lines) if lines else None
        return self._parts[key]

    def _line(self, event: Event, eyes: Eyes, lang: Lang) -> str | None:
        key = id(event), lang, None if is_same_for_all(event) else eyes
        if key not in self._lines:
            self._lines[key] = event_line(event, eyes, lang, self._game, self._new.name_of)
        return self._lines[key]

    @property
    def sights(self) -> VersionViews:
        """What can be seen of the new version, as a whole."""
        if self._sights is None:
            self._sights = VersionViews(self._new, self._game)
        return self._sights


class Broadcaster:
    """The outgoing side of one live room; owned by it."""

    def __init__(self, present: Members) -> None:
        self._present = present
        self._sights: VersionViews | None = None
        """What was last shown whole; dropped with the next version."""
        self._sentences: LogSentences | None = None
        """The sentences of what was last shown whole; dropped some versions later."""
        self._sentences_until = 0

    def codec_for(self, client: Connection, game: AnyGame) -> Codec:
        """How a connection gets views of a game: with short keys, if it wants them."""
        is_short = game is not None and "short" in client.wants
        return client.codec.keyed(keys_of(game)) if is_short and game else client.codec

    def publish(
        self,
        old: Room,
        folded: Folded,
        game: AnyGame,
        *,
        sayer: Connection | None,
        say: str,
        to: Mapping[Connection, Member] | None = None,
    ) -> bool:
        """Send every member (or those of `to`) the update from one version to the next.

        Returns whether the update of the line's sender carried the answer to that line.
        """
        new = folded.room
        self._sights = None
        if new.version > self._sentences_until:
            self._sentences = None
        members = self._present.members if to is None else to
        frames = UpdateFrames(old, folded, game)
        before, after = old.table, new.table
        reseated = before.seats is not after.seats
        turns_changed = before.turn != after.turn or before.phase is not after.phase
        moves_due = turns_changed or old.game is not new.game
        answered = False
        talker = sayer.person if sayer is not None and Said in map(type, folded.events) else ""
        for client, member in members.items():
            if frames.only is not None and frames.only not in member.audience.eyes:
                continue
            # Both, since another board may come with other seats.
            if ((frames.resets or reseated) and _look_again(member, new)) or frames.resets:
                self._show(member, frames.sights, new)
                if not moves_due and "moves" in client.wants:
                    self._send_moves(member, new, game, {})
                continue
            if client is sayer and say:
                client.push(frames.answer_frame(member.audience, say))
                answered = True
            elif talker and talker in client.unheard:
                client.push(frames.answer_frame(member.audience, None, shown=False))
            else:
                client.push(frames.frame(member.audience))
        if moves_due:
            every = reseated or turns_changed
            made: dict[Seat, tuple[str, ...]] = {}
            for client, member in members.items():
                eyes = member.audience.eyes
                if "moves" in client.wants and (every or frames.changes_view_of(eyes)):
                    self._send_moves(member, new, game, made)
        # For every entry: what `count` does, without two calls more for each move.
        COUNTERS["publish.packed"] += frames.packed
        COUNTERS["publish.frames"] += len(members)
        return answered

    def publish_released(
        self,
        transition: Transition,
        release: DelayedBatch,
        shown: Room,
        game: AnyGame,
        *,
        sayer: Connection | None,
        say: str,
    ) -> bool:
        """The same where spectators may see the game some moves late: they are led up to `shown`.

        What is said they hear at once, as notes, and not again when the game has come so far; and
        the one among them who has caused the entry hears what came of it.
        """
        now = transition.folded.room
        seated: dict[Connection, Member] = {}
        watching: dict[Connection, Member] = {}
        for client, member in self._present.members.items():
            (seated if eyes_of(client, now) else watching)[client] = member
        answered = self.publish(*transition, game, sayer=sayer, say=say, to=seated)
        late = watching.get(sayer) if sayer is not None else None
        anew = [m for m in watching.values() if _look_again(m, now) or release.is_reset]
        if anew:
            sights = VersionViews(shown, game)
            for member in anew:
                self._show(member, sights, now)
                del watching[member.client]
        for released in release.transitions:
            self._lead(released, game, watching)
        if shown.version < now.version:
            talker = sayer.person if sayer is not None else ""
            self._send_talk(transition.folded, game, watching, talker)
            if late is not None:
                _tell_sender(transition.folded, game, late)
        return answered

    def _lead(
        self, transition: Transition, game: AnyGame, watching: Mapping[Connection, Member]
    ) -> None:
        """Send spectators the update of one older entry."""
        publication = UpdateFrames(*transition, game)
        talk = [event for event in transition.folded.events if isinstance(event, Said)]
        only_talk = len(talk) == len(transition.folded.events)
        for client, member in watching.items():
            received = only_talk and "text" in client.wants
            received = received and member.shown_at < transition.folded.room.version
            names = client.unheard_names
            if talk and (received or any(each.name in names for each in talk)):
                client.push(publication.answer_frame(member.audience, None, shown=False))
            else:
                client.push(publication.frame(member.audience))
        count("publish.packed", publication.packed)
        count("publish.frames", len(watching))

    def _send_talk(
        self, folded: Folded, game: AnyGame, watching: Mapping[Connection, Member], talker: str
    ) -> None:
        for event in folded.events:
            if not isinstance(event, Said):
                continue
            for client, member in watching.items():
                if "text" not in client.wants or talker in client.unheard:
                    continue
                text = event_line(event, SPECTATOR, client.lang, game, folded.room.name_of)
                note = Note(
                    room=member.audience.number,
                    code="said",
                    text=text or event.text,
                    name=event.name,
                    said=event.text,
                )
                client.send(note)

    def snapshot(self, member: Member, shown: Room, now: Room, game: AnyGame) -> None:
        """Send one member a snapshot of all that it may see, and its moves."""
        sights = self._sights
        if sights is None or sights.room is not shown or sights.game is not game:
            if self._sentences is None:
                self._sentences = LogSentences()
            sights = self._sights = VersionViews(shown, game, self._sentences)
            self._sentences_until = shown.version + SENTENCES_VERSIONS
        _look_again(member, now)
        self._show(member, sights, now)
        self._send_moves(member, shown, game, {})

    def _show(self, member: Member, sights: VersionViews, now: Room) -> None:
        """Send a room, maybe an older one than the one that says who sits where."""
        member.shown_at = now.version
        game = sights.game
        self._change_codec(member, game)
        data = None if game is None else data_of(game)
        codec = member.audience.codec
        unasked = codec is not member.client.codec or (game is not None and game.is_older)
        if data is not None and not member.knows_keys and unasked:
            # What the keys of all its frames mean goes before the first of them. Data of an older
            # version could not be asked for.
            member.knows_keys = True
            member.client.push(frame_of(game, member.client.codec))
        count("publish.snapshots")
        unheard = member.client.unheard_names
        key = member.audience, unheard
        frame = sights.packed.get(key)
        if frame is None:
            game_hash = "" if data is None else data.hash
            made = snapshot(sights, member.audience, game_hash=game_hash, unheard=unheard)
            frame = sights.packed[key] = codec.encode(made)
            count("publish.snapshots_packed")
        member.client.push(frame)

    def _change_codec(self, member: Member, game: AnyGame) -> None:
        """The next game of a room may be played by another version of the rules: other keys."""
        codec, audience = self.codec_for(member.client, game), member.audience
        if codec != audience.codec:
            member.audience = audience_of(member.client, codec, audience.number, audience.eyes)
            member.knows_keys = False

    def _send_moves(
        self, member: Member, room: Room, game: AnyGame, made: dict[Seat, tuple[str, ...]]
    ) -> None:
        """Send one member the legal lines of its seats, if it wants them; made once for all."""
        wanted = "moves" in member.client.wants
        if game is None or not wanted or room.table.phase is not Phase.PLAYING:
            return
        for seat in sorted(member.audience.eyes):
            if seat not in room.table.turn:
                continue
            if seat not in made:
                made[seat] = tuple(map(game.grammar.format, game.plain(room.game, seat)))
            frame = Moves(
                room=member.audience.number,
                version=Version(room.version_for(member.audience.eyes)),
                seat=int(seat),
                lines=made[seat],
            )
            member.client.send(frame)


def _tell_sender(folded: Folded, game: AnyGame, member: Member) -> None:
    """Tell a spectator what their own line has done; the log shows it later."""
    client = member.client
    done = [e for e in folded.events if isinstance(e, RoomEvent) and not isinstance(e, Said)]
    for text in event_lines(done, SPECTATOR, client.lang, game, folded.room.name_of):
        client.send(Note(room=member.audience.number, code="note", text=text))


def _look_again(member: Member, room: Room) -> bool:
    """Bring a member's eyes up to date; whether they have changed."""
    eyes = eyes_of(member.client, room)
    if eyes == member.audience.eyes:
        return False
    audience = member.audience
    member.audience = audience_of(member.client, audience.codec, audience.number, eyes)
    return True
