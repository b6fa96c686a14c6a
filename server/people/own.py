"""What somebody has set for himself: where he is told of his turns, and his vacations.

A part of the account; what is as usual is left out of the row, so all fields have defaults.
"""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import DAY_MS, VACATION_DAYS_A_YEAR


class Hook(Struct, frozen=True, omit_defaults=True):
    """Where notices go: an address, the secret that signs them, the language of their sentence."""

    url: str
    secret: str
    lang: str = "en"


class Days(Struct, frozen=True):
    """One vacation, from and until a time in ms."""

    begin: int
    until: int


class Own(Struct, frozen=True, omit_defaults=True):
    """All of it. `vacations` are those of this year and the last, oldest first."""

    hook: Hook | None = None
    vacations: tuple[Days, ...] = ()

    def away_until(self, now: int) -> int:
        """When the vacation of this moment ends; 0 where there is none."""
        return max((each.until for each in self.vacations if each.until > now), default=0)

    def days_left(self, now: int) -> int:
        """The days off that are left of this year (by UTC); each begun day counts."""
        year = _year(now)
        taken = (each for each in self.vacations if _year(each.begin) == year)
        return VACATION_DAYS_A_YEAR - sum(-(-(each.until - each.begin) // DAY_MS) for each in taken)


def _year(at: int) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).year


def with_vacation(own: Own, days: int, now: int) -> Own:
    """A vacation from now on; NotAllowed: on_vacation, too_many_days."""
    if own.away_until(now):
        raise NotAllowed("on_vacation")
    left = own.days_left(now)
    if not 1 <= days <= left:
        raise NotAllowed("too_many_days", given=days, left=left)
    kept = (each for each in own.vacations if _year(each.begin) >= _year(now) - 1)
    return replace(own, vacations=(*kept, Days(now, now + days * DAY_MS)))


def ended_vacation(own: Own, now: int) -> Own:
    """The vacation of this moment ends now; NotAllowed (not_on_vacation) where there is none."""
    if not own.away_until(now):
        raise NotAllowed("not_on_vacation")
    return replace(own, vacations=tuple(_until(each, now) for each in own.vacations))


def _until(days: Days, now: int) -> Days:
    # A vacation of no time at all would cost no day.
    return replace(days, until=max(min(days.until, now), days.begin + 1))
