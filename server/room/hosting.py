"""Acts that decide who may enter and who runs the room: host, invites, password, kick, ban."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.limits import INVITES_MAX, LET_IN_MAX, NAMES_MAX
from bluebear.server.room import events
from bluebear.server.room.fold_context import RoomAct, Step
from bluebear.server.room.options import choice
from bluebear.server.room.stand_ins import send_out
from bluebear.server.room.state import Invite, Phase, Privacy, Room, VoteKind
from bluebear.server.room.votes import drop_votes, open_vote, voters_of


def is_barred(room: Room, person: str, owner: str) -> bool:
    """Whether a person is barred, or their owner is and they are a bot without a seat here."""
    barred = require(room.table.banned)
    return person in barred or (owner in barred and room.seat_of(person) is None)


def entry_method(room: Room, person: str, owner: str, invite: str, now: int) -> str:
    """How a person may enter: `open`, `invite` or `password`. Raises NotAllowed."""
    table = room.table
    if is_barred(room, person, owner):
        raise NotAllowed("room_unknown")
    seated = room.seat_of(person) is not None
    runs_it = person in (table.host_person, table.owner)
    may_return = seated or runs_it or person in require(table.admitted)
    if not seated and table.phase in (Phase.PLAYING, Phase.PAUSED):
        watch = choice(table, "watch")
        if watch == "none" and not runs_it:
            raise NotAllowed("no_watching")
        if watch == "invited" and not may_return and not invite:
            raise NotAllowed("no_watching")
    if may_return:
        return "open"
    stored = require(table.invites).get(invite)
    live_invite = stored is not None and stored.expires > now
    if table.privacy is Privacy.PRIVATE and not live_invite:
        raise NotAllowed("room_unknown")
    if table.locked:
        return "password"
    return "invite" if live_invite else "open"


class Admit(RoomAct, frozen=True):
    """Admit the actor and use up their invite, in one entry.

    Without an invite the actor gave the right password, which never opens a private room. Raises
    NotAllowed (room_unknown) if the invite has expired or the actor is barred. Facts: `name`,
    `invite`, its hash.
    """

    head = "/admit"

    def fold(self, step: Step) -> None:
        person, name, invite = step.person, step.fact("name"), step.fact("invite")
        if person in require(step.table.banned):
            raise NotAllowed("room_unknown")
        if invite:
            _spend(step, invite)
        elif step.table.privacy is Privacy.PRIVATE:
            raise NotAllowed("room_unknown")
        _add(require(step.table.admitted), person, name)
        step.tell(events.Admitted(name))


def _spend(step: Step, invite_hash: str) -> None:
    invites = require(step.table.invites)
    invite = invites.get(invite_hash)
    if invite is None or invite.expires <= step.now:
        raise NotAllowed("room_unknown")
    if invite.uses == 1:
        del invites[invite_hash]
    elif invite.uses:
        invites[invite_hash].uses -= 1


def _add(names: Keyed[str, str], person: str, name: str) -> None:
    if person not in names and len(names) >= NAMES_MAX:
        raise NotAllowed("too_many_people")
    names[person] = name


class InviteGuest(RoomAct, frozen=True):
    """Admit a person by name, or create an invite link, of which only the hash is stored.

    Facts: `guest` (the person's id) and `guest_name`; or `hash`, `uses` (0: no limit), `expires`.
    """

    head = "/invite"
    name: str | None = None

    def fold(self, step: Step) -> None:
        guest, guest_name = step.fact("guest"), step.fact("guest_name")
        if guest:
            _add(require(step.table.admitted), guest, guest_name)
            step.tell(events.Invited(guest_name))
            return
        invites = require(step.table.invites)
        for dead in [each for each, invite in invites.items() if invite.expires <= step.now]:
            del invites[dead]
        if len(invites) >= INVITES_MAX:
            raise NotAllowed("too_many_invites", most=INVITES_MAX)
        uses, expires = step.facts.get("uses", 1), step.facts.get("expires", 0)
        if not isinstance(uses, int) or not isinstance(expires, int):
            raise NotAllowed("internal", reference="invite")
        invites[step.fact("hash")] = Invite(uses=uses, expires=expires)
        step.tell(events.LinkMade())


class Uninvite(RoomAct, frozen=True):
    """Revoke one invite, or all. Fact: `invite`, the hash."""

    head = "/uninvite"
    which: Literal["one", "all"]

    def fold(self, step: Step) -> None:
        invites, invite = require(step.table.invites), step.fact("invite")
        if self.which == "all":
            step.table.invites = Keyed()
        elif invite in invites:
            del invites[invite]
        else:
            raise NotAllowed("no_such_invite")
        step.tell(events.Uninvited())


class SetPassword(RoomAct, frozen=True):
    """Set the room's password or remove it. Facts: `hash`, of the password; `inside`.

    The people who are `inside` (names by id) are admitted: they may return without the password.
    """

    head = "/password"
    lock: Literal["set", "none"]

    def fold(self, step: Step) -> None:
        hashed = step.fact("hash") or None
        step.table.password, step.table.locked = hashed, hashed is not None
        inside, admitted = step.facts.get("inside"), require(step.table.admitted)
        if hashed and isinstance(inside, Mapping):
            for person, name in inside.items():
                if len(admitted) < LET_IN_MAX:
                    admitted[person] = str(name)
        step.tell(events.PasswordSet("on" if hashed else "off"))


class HandOver(RoomAct, frozen=True):
    """Make another person the host. Fact: `whom`, the person's id.

    The role stays temporary if the actor has it only while its owner is away.
    """

    head = "/host"
    name: str

    def fold(self, step: Step) -> None:
        person = step.fact("whom")
        step.table.host, step.table.host_person = self.name, person
        if step.table.owner == person:
            step.table.owner = None
        step.tell(events.HostIs(self.name))


class HostAway(HandOver, frozen=True):
    """The server changes the host while the `owner` of the role (a fact) is away; "": is back."""

    head = "@host"

    def fold(self, step: Step) -> None:
        super().fold(step)
        step.table.owner = step.fact("owner") or None


class Kick(RoomAct, frozen=True):
    """Remove a person from the room; their seat and admission end. Fact: `whom`, the person's id.

    A host without a seat opens a vote of the other players (the fact `voters`) before a player of a
    running game is removed.
    """

    head = "/kick"
    name: str

    def fold(self, step: Step) -> None:
        person, seat = _guest(step), _of_the_players(step)
        if seat is not None:
            voters = [each for each in voters_of(step) if each != seat]
            open_vote(step, VoteKind.KICK, voters, about=step.name_of(seat), seat=seat)
            return
        drop_votes(step, VoteKind.SEAT, asker=person)
        send_out(step, person, self.name)


def _guest(step: Step) -> str:
    """The id of the removed person. Raises NotAllowed (not_the_host) if they run the room."""
    person = step.fact("whom")
    if person in (step.table.host_person, step.table.owner):
        raise NotAllowed("not_the_host")
    return person


def _of_the_players(step: Step) -> Seat | None:
    """The removed person's seat in a running game, if the actor has no seat; else None."""
    running = step.table.phase in (Phase.PLAYING, Phase.PAUSED)
    if not running or step.seat_or_none() is not None:
        return None
    return step.seat_of(step.fact("whom"))


class Ban(Kick, frozen=True):
    """Remove a person and bar them; no invite readmits them. Facts: `whom`, `voters`.

    Raises NotAllowed (players_decide) if a host without a seat bars a player of a running game.
    """

    head = "/ban"

    def fold(self, step: Step) -> None:
        if _of_the_players(step) is not None:
            raise NotAllowed("players_decide", name=self.name)
        super().fold(step)
        _add(require(step.table.banned), step.fact("whom"), self.name)
        step.tell(events.Banned(self.name))


class Unban(RoomAct, frozen=True):
    """Lift the bar of a person. Fact: `whom`, the person's id."""

    head = "/unban"
    name: str

    def fold(self, step: Step) -> None:
        banned, person = require(step.table.banned), step.fact("whom")
        name = banned.get(person)
        if name is None:
            raise NotAllowed("not_banned")
        del banned[person]
        step.tell(events.Unbanned(name))
