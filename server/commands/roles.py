"""What people are to a room."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What a person is to a room. A host who sits has the rights of both.

    An operator of the server has those of a host in whatever room he is in.
    """

    STRANGER = "stranger"
    SPECTATOR = "spectator"
    SEATED = "seated"
    HOST = "host"
    OPERATOR = "operator"


INSIDE: Final = (Role.SPECTATOR, Role.SEATED, Role.HOST)
"""The roles of those who are in the room."""


def roles_of(
    *, present: bool, has_seat: bool, is_host: bool, is_operator: bool = False
) -> frozenset[Role]:
    """The roles of a person towards a room."""
    everywhere = {Role.OPERATOR} if is_operator else set()
    if not present:
        return frozenset((Role.STRANGER, *everywhere))
    roles = everywhere | {Role.SEATED if has_seat else Role.SPECTATOR}
    if is_host:
        roles.add(Role.HOST)
    return frozenset(roles)
