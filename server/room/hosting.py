"""Who may come in and who runs the room: host, invites, password, kicking and barring."""

from __future__ import annotations

from rules.core.keyed import Keyed
from rules.core.refusal import NotAllowed
from rules.core.vision import held
from server.limits import INVITES_MAX, NAMES_MAX
from server.room import events
from server.room.seating import leave_seat
from server.room.state import Invite, Privacy, VoteKind
from server.room.step import Step
from server.room.votes import drop_votes


def admit(step: Step, invite_hash: str) -> None:
    """Let somebody in and spend the invite, in one entry.

    Without an invite the right password has been given, which never opens a private room.
    NotAllowed (room_unknown) if the invite is dead or the person is barred.
    """
    person, name = step.actor.person, step.fact("name")
    if person in held(step.table.banned):
        raise NotAllowed("room_unknown")
    if invite_hash:
        _spend(step, invite_hash)
    elif step.table.privacy is Privacy.PRIVATE:
        raise NotAllowed("room_unknown")
    _add(held(step.table.admitted), person, name)
    step.tell(events.Admitted(name))


def _spend(step: Step, invite_hash: str) -> None:
    invites = held(step.table.invites)
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


def make_invite(step: Step, guest: str, guest_name: str) -> None:
    """Make an invite link (only its hash is kept), or admit somebody by name."""
    if guest:
        _add(held(step.table.admitted), guest, guest_name)
        step.tell(events.Invited(guest_name))
        return
    invites = held(step.table.invites)
    for dead in [each for each, invite in invites.items() if invite.expires <= step.now]:
        del invites[dead]
    if len(invites) >= INVITES_MAX:
        raise NotAllowed("too_many_invites", most=INVITES_MAX)
    uses, expires = step.facts.get("uses", 1), step.facts.get("expires", 0)
    if not isinstance(uses, int) or not isinstance(expires, int):
        raise NotAllowed("internal", reference="invite")
    invites[step.fact("hash")] = Invite(uses=uses, expires=expires)
    step.tell(events.LinkMade())


def drop_invites(step: Step, invite_hash: str) -> None:
    """Make one invite void, or all."""
    invites = held(step.table.invites)
    if invite_hash == "all":
        step.table.invites = Keyed()
    elif invite_hash in invites:
        del invites[invite_hash]
    else:
        raise NotAllowed("no_such_invite")
    step.tell(events.Uninvited())


def set_password(step: Step) -> None:
    """Set the room's password (its hash is a fact) or drop it."""
    hashed = step.fact("hash") or None
    step.table.password, step.table.locked = hashed, hashed is not None
    step.tell(events.PasswordSet("on" if hashed else "off"))


def hand_over(step: Step, person: str, name: str) -> None:
    """Somebody else is the host from now on."""
    step.table.host, step.table.host_person = name, person
    step.tell(events.HostIs(name))


def kick(step: Step, person: str, name: str) -> None:
    """Send somebody out: his seat becomes free or the house's, his admission ends."""
    if person == step.table.host_person:
        raise NotAllowed("not_the_host")
    seat = step.seat_of(person)
    if seat is not None:
        leave_seat(step, seat)
    admitted = held(step.table.admitted)
    if person in admitted:
        del admitted[person]
    drop_votes(step, VoteKind.SEAT, asker=person)
    step.tell(events.Kicked(name))


def ban(step: Step, person: str, name: str) -> None:
    """Bar somebody; this outlives any invite."""
    kick(step, person, name)
    _add(held(step.table.banned), person, name)
    step.tell(events.Banned(name))


def unban(step: Step, person: str) -> None:
    """Somebody may come in again."""
    banned = held(step.table.banned)
    name = banned.get(person)
    if name is None:
        raise NotAllowed("not_banned")
    del banned[person]
    step.tell(events.Unbanned(name))
