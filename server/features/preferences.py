"""Preferences of a person for games by days: `/vacation`."""

from __future__ import annotations

from functools import partial

from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import fold
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.command import Command, Topic, anywhere
from bluebear.server.features.feature import OFF, ROW_BYTES, Context, Feature, Services
from bluebear.server.people.account import ended_vacation, with_vacation
from bluebear.server.room.options import day_of
from bluebear.server.rooms.correspondence import be_away
from bluebear.server.sentences import say


class VacationChanged(NodeMessage, frozen=True):
    """A person is on vacation until then (ms), or back (0)."""

    person: str
    until: int


class Preferences(Feature):
    """Reads and changes the preferences of the caller."""

    name = "preferences"
    topic = Topic.PEOPLE

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        services.bus.hears(
            VacationChanged, lambda message: be_away(services.rooms, message.person, message.until)
        )

    @Command("vacation days?", anywhere(), names=("休暇",))
    async def vacation(self, ctx: Context, days: str = "") -> Tell:
        """`/vacation`: a number of days, or a word for "off"; "" shows the vacation."""
        people, person = self.services.people, ctx.connection.person
        count, now = _days(fold(days)), self.services.clock.now()
        ctx.connection.pay(ROW_BYTES)
        if count is None:
            current = await people.preferences(person)
        else:
            end = partial(ended_vacation, now=now)
            change = partial(with_vacation, days=count, now=now) if count else end
            current = await people.update_preferences(person, change)
            until = current.away_until(now)
            self.services.bus.tell(VacationChanged(person, until))
            await be_away(self.services.rooms, person, until)
        until, left = current.away_until(now), current.days_left(now)
        if until:
            return Tell("own", say("answer.vacation", ctx.lang, day=day_of(until), left=left))
        return Tell("own", say("answer.no_vacation", ctx.lang, left=left))


def _days(text: str) -> int | None:
    """0 for the end of a vacation; None for no text. Raises NotUnderstood (bad_word)."""
    if not text:
        return None
    if text in OFF:
        return 0
    number = text.removesuffix("日").removesuffix("d")
    if not (number.isascii() and number.isdigit() and 0 < len(number) < 4 and int(number)):
        raise NotUnderstood("bad_word", argument="days", given=text, candidates=("7", "off"))
    return int(number)
