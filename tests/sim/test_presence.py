"""People at two nodes: what they see of each other, and what they hear when a process dies."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from bluebear.clients.sdk.client_events import RoomId
from bluebear.protocol import JSON
from bluebear.rules.core.visibility import Seat
from bluebear.server.cluster.presence import AGAIN_SECONDS
from bluebear.server.features.matchmaking.match_requests import ARRIVAL_SECONDS
from bluebear.server.limits import (
    DISCONNECTED_SECONDS,
    OFFER_SECONDS,
    ROOMS_OPEN_PER_PERSON,
)
from bluebear.server.store import leases
from tests.sim.cluster import Cluster, cluster
from tests.sim.simulated_clients import Person
from tests.sim.simulation import PEOPLE_WANT
from tests.sim.virtual_loop import virtual

MOMENT: Final = 1.5
"""Until what the store was told of people is known everywhere."""


async def two_at_two_nodes(made: Cluster) -> tuple[Person, Person]:
    """Ayu at the first node and Ben at the second."""
    ayu, ben = await made.person("Ayu"), await made.person("Ben")
    assert node_of(ayu) != node_of(ben)
    await asyncio.sleep(MOMENT)
    return ayu, ben


def node_of(person: Person) -> str:
    """The node at which a person is connected."""
    assert person.wire is not None
    return str(person.wire.process.name)  # type: ignore[attr-defined]  # a host, see Cluster.dial


async def once_more(made: Cluster, person: Person) -> Person:
    """Another connection of the same person; at the other node, if it is the next but one."""
    token = person.session.token
    assert token
    again = Person(
        made, f"{person.name}{len(made.people)}", codec=JSON, wants=PEOPLE_WANT, token=token
    )
    made.people.append(again)
    again.connect()
    await again.met()
    await asyncio.sleep(MOMENT)
    return again


async def game_of_two(made: Cluster) -> tuple[Person, Person, RoomId]:
    """Both at a table that plays."""
    ayu, ben = await two_at_two_nodes(made)
    assert (await ayu.line("/newroom manhattan public")).ok
    room = ayu.here
    assert room is not None
    assert (await ben.line(f"/room {room}")).ok
    for person in (ayu, ben):
        assert (await person.line("/join")).ok
    assert (await ayu.line("/start")).ok
    return ayu, ben, room


def texts_of(person: Person, code: str) -> list[str]:
    """The messages of one kind that a client has received."""
    return [each.text for each in person.notes if each.code == code]


@virtual
async def test_who_is_here_and_where_names_those_at_the_other_node() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        assert (await ayu.line("/who")).ok
        assert "Ben" in texts_of(ayu, "who")[-1]
        assert (await ben.line("/newroom manhattan public")).ok
        await asyncio.sleep(MOMENT)
        assert (await ayu.line("/whereis ben")).ok
        assert str(ben.here) in texts_of(ayu, "whereis")[-1]
        assert (await ayu.line("/hook ben")).ok
        await asyncio.sleep(1)
        assert ayu.here == ben.here


@pytest.mark.expects_log("a bug")
@virtual
async def test_a_bug_while_it_is_written_who_is_here_is_made_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        with monkeypatch.context() as patched:
            patched.setattr(leases, "attend", broken)
            assert (await ben.line("/newroom manhattan public")).ok
            await asyncio.sleep(MOMENT)
        await asyncio.sleep(MOMENT)
        assert (await ayu.line("/whereis ben")).ok
        assert str(ben.here) in texts_of(ayu, "whereis")[-1]


@virtual
async def test_nodes_without_people_write_nothing_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[object] = []
    monkeypatch.setattr(leases, "attend", lambda *given: written.append(given))
    async with cluster():
        await asyncio.sleep(2 * AGAIN_SECONDS)
    assert not written


@virtual
async def test_a_name_that_is_no_persons_is_refused_with_one_that_is_near() -> None:
    async with cluster() as made:
        ayu, _ = await two_at_two_nodes(made)
        refused = await ayu.line("/tell Benn psst")
        assert not refused.ok
        assert "Ben" in refused.candidates


@virtual
async def test_a_whisper_moves_from_node_to_node_and_says_who_is_away() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        assert (await ayu.line("/tell ben psst")).ok
        await asyncio.sleep(1)
        assert texts_of(ben, "whisper") == ["Ayu whispers: psst"]
        assert (await ben.line("/away lunch")).ok
        await asyncio.sleep(MOMENT)
        assert (await ayu.line("/tell ben are you there?")).ok
        assert texts_of(ayu, "told")[-1].endswith("Ben is away: lunch")
        assert (await ben.line("/block add ayu")).ok
        refused = await ayu.line("/tell ben hello")
        assert refused.code == "not_wanted"
        await asyncio.sleep(1)
        assert len(texts_of(ben, "whisper")) == 2


@pytest.mark.expects_log("a node dies")
@virtual
async def test_a_whisper_while_a_node_dies_is_reported_or_refused() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        lines = []
        for number in range(20):
            lines.append((number, ayu.say(f"/tell ben word {number}")))
            await asyncio.sleep(0.0007)
            if number == 7:
                await made.hosts["node1"].kill()
        await asyncio.sleep(10)
        for number, line in lines:
            [reply] = ayu.replies[line]
            reported = [
                each for each in texts_of(ben, "whisper") if each.endswith(f" word {number}")
            ]
            assert len(reported) >= reply.ok, "twice where the reply died with its node"


@pytest.mark.expects_log("a node dies")
@virtual
async def test_a_whisper_to_a_node_that_was_deposed_is_refused() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        ben.stays = False
        await made.hosts[node_of(ben)].kill()
        await asyncio.sleep(5)
        assert (await ayu.line("/tell ben hello?")).code == "no_such_person"
        assert (await ayu.line("/who")).ok


@virtual
async def test_calls_reach_the_lobby_at_both_nodes_and_a_room_is_praised_once() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        kei = await made.person("Kei")
        dan = await made.person("Dan")
        assert (await ben.line("who has time?")).ok
        await asyncio.sleep(1)
        assert texts_of(ayu, "lobby_talk") == ["Ben: who has time?"]
        assert (await ayu.line("/newroom manhattan public")).ok
        assert (await ben.line(f"/room {ayu.here}")).ok
        assert (await ben.line("/join")).ok
        assert (await ayu.line("/gameyell come")).ok
        await asyncio.sleep(1)
        assert len(texts_of(kei, "gameyell")) == len(texts_of(dan, "gameyell")) == 1
        assert (await ben.line("/gameyell come")).code == "too_much"


@virtual
async def test_whose_turn_it_is_is_rung_for_and_prompted_at_the_other_node() -> None:
    async with cluster() as made:
        ayu, ben, room = await game_of_two(made)
        await asyncio.sleep(1)
        table = made.owner_of(room).room(room).room
        names = [table.seats[Seat(seat)].name for seat in table.table.turn]
        mover, other = (ayu, ben) if "Ayu" in names else (ben, ayu)
        assert (await other.line("/nudge")).ok
        assert texts_of(mover, "nudge")
        assert (await other.line("/nudge")).code == "too_much"
        kei = await made.person("Kei")
        assert (await kei.line(f"/room {room}")).ok
        assert (await kei.line("/peek ben")).ok
        assert texts_of(ben, "peek_wanted")
        assert (await kei.line("/peek ben")).code == "too_much"


@virtual
async def test_a_second_connection_on_another_node_is_the_same_person() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        other = await once_more(made, ben)
        assert node_of(other) != node_of(ben)
        assert texts_of(ben, "elsewhere")
        assert (await other.line("/nick Bert")).ok
        await asyncio.sleep(1)
        assert texts_of(ben, "nick") == texts_of(other, "nick") != []
        assert (await other.line("/away")).ok
        await asyncio.sleep(1)
        assert (await ben.line("/who")).ok
        await asyncio.sleep(MOMENT)
        assert (await ayu.line("/tell bert psst")).ok
        await asyncio.sleep(1)
        assert "away" not in texts_of(ayu, "told")[-1]
        assert len(texts_of(ben, "whisper")) == len(texts_of(other, "whisper")) == 1
        assert (await ben.line("/mute add ayu")).ok
        await asyncio.sleep(1)
        assert (await ayu.line("/tell bert psst")).ok
        assert len(texts_of(ben, "whisper")) == len(texts_of(other, "whisper")) == 1


@virtual
async def test_an_old_token_is_void_at_the_other_node_and_its_owner_is_notified() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        old = ben.session.token
        third = await once_more(made, await once_more(made, ben))
        assert third.person == ben.person
        thief = Person(made, "Ben", codec=JSON, wants=PEOPLE_WANT, token=old)
        made.people.append(thief)
        thief.may_be_refused = frozenset({"token_replaced"})
        thief.connect()
        await asyncio.sleep(1)
        assert thief.person == ""
        assert texts_of(third, "old_token")
        assert texts_of(ben, "old_token")
        thief.go()
        assert ayu.wire is not None


@virtual
async def test_who_logs_out_everywhere_is_nowhere_any_more() -> None:
    async with cluster() as made:
        _, ben = await two_at_two_nodes(made)
        assert (await ben.line("/register good-pass-word")).ok
        other = await once_more(made, ben)
        for person in (ben, other):
            person.stays = False
        assert (await other.line("/logout all")).ok
        await asyncio.sleep(1)
        assert ben.wire is None
        assert other.wire is None


@virtual
async def test_the_bound_on_rooms_holds_where_two_nodes_are_prompted_at_once() -> None:
    async with cluster() as made:
        _, ben = await two_at_two_nodes(made)
        other = await once_more(made, ben)
        lines = [
            (each, each.say("/newroom manhattan public")) for _ in range(4) for each in (ben, other)
        ]
        await asyncio.sleep(5)
        replies = [reply for each, line in lines for reply in each.replies[line]]
        assert len(replies) == len(lines)
        assert sum(reply.ok for reply in replies) == ROOMS_OPEN_PER_PERSON
        assert {reply.code for reply in replies if not reply.ok} == {"too_many_rooms"}


@virtual
async def test_who_watches_hears_of_those_at_the_other_node() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        assert (await ayu.line("/watch add ben")).ok
        await asyncio.sleep(1)
        ben.go()
        await asyncio.sleep(DISCONNECTED_SECONDS / 2)
        assert not texts_of(ayu, "went")
        await asyncio.sleep(DISCONNECTED_SECONDS)
        assert len(texts_of(ayu, "went")) == 1
        ben.return_()
        await asyncio.sleep(MOMENT)
        assert len(texts_of(ayu, "came")) == 1


@pytest.mark.expects_log("a node dies")
@virtual
async def test_who_watches_hears_of_those_whose_node_dies_unless_they_come_back() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        kei, dan = await made.person("Kei"), await made.person("Dan")
        for person in (ben, dan):
            assert (await ayu.line(f"/watch add {person.name}")).ok
        await asyncio.sleep(MOMENT)
        dan.stays = False
        await made.hosts[node_of(ben)].kill()
        ben.go()
        await asyncio.sleep(5)
        ben.return_()
        await asyncio.sleep(2 * DISCONNECTED_SECONDS)
        assert [each.split()[0] for each in texts_of(ayu, "went")] == ["Dan"]
        assert not texts_of(ayu, "came")
        assert kei.wire is not None


@virtual
async def test_what_an_operator_does_holds_at_both_nodes_at_once() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        assert (await ayu.line("/register good-pass-word")).ok
        host = made.hosts[node_of(ayu)]
        assert await host.life.wait(host.app.features.control["operator"]("+Ayu")) == {
            "operators": ["Ayu"]
        }
        assert (await ayu.line("/announce soon")).ok
        assert (await ayu.line("/silence ben 5 enough")).ok
        await asyncio.sleep(0.1)
        assert len(texts_of(ben, "announce")) == len(texts_of(ben, "silenced")) == 1
        assert (await ben.line("/shout hello")).code == "silenced"
        assert (await ayu.line("/silence ben 0")).ok
        assert (await ayu.line("/lockdown on later")).ok
        await asyncio.sleep(0.1)
        assert (await ben.line("/newroom manhattan public")).code == "lockdown"
        assert (await ayu.line("/lockdown off")).ok
        ben.stays = False
        assert (await ayu.line("/banish ben 1")).ok
        await asyncio.sleep(0.1)
        assert ben.wire is None


@virtual
async def test_match_requests_at_two_nodes_make_a_table_that_begins() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        for person in (ayu, ben):
            assert (await person.line("/wish manhattan players=2")).ok
        await asyncio.sleep(0.1)
        assert len(texts_of(ayu, "wish_found")) == len(texts_of(ben, "wish_found")) == 1
        assert (await ben.line("/wishes")).ok
        assert texts_of(ben, "wishes")[-1].splitlines() == [
            "Ayu: Manhattan, 2 people",
            "Ben: Manhattan, 2 people",
        ]
        assert (await ben.line("/wish yes")).ok
        assert (await ayu.line("/wish yes")).ok
        await asyncio.sleep(1)
        assert ayu.here == ben.here is not None
        room = made.owner_of(ben.here).room(ben.here).room
        assert [chair.name for chair in room.seats.values()] == ["Ben", "Ayu"]
        assert room.table.phase == "playing"
        assert (await ayu.line("/wishes")).ok
        assert texts_of(ayu, "wishes")[-1].startswith("Nobody waits")


@virtual
async def test_who_does_not_accept_at_the_other_node_loses_the_match_request_alone() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        for person in (ayu, ben):
            assert (await person.line("/wish manhattan players=2")).ok
        assert (await ayu.line("/wish yes")).ok
        await asyncio.sleep(OFFER_SECONDS + 1)
        assert texts_of(ben, "wish_dropped")
        assert texts_of(ayu, "wish_waits")
        assert (await ben.line("/wish yes")).code == "no_offer"
        for game in ("tokai", "itc", "manhattan"):
            assert (await ben.line(f"/wish {game} players=3")).ok
        assert (await ben.line("/wish tokugawa")).code == "too_many_wishes"
        assert (await ben.line("/unwish tokai")).ok
        assert (await ben.line("/unwish tokai")).code == "no_wish"


@virtual
async def test_a_match_request_follows_who_returns_at_the_other_node() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        assert (await ben.line("/wish manhattan players=2")).ok
        token = ben.session.token
        ben.go()
        await asyncio.sleep(MOMENT)
        assert (await ayu.line("/wish manhattan players=2")).ok
        assert not texts_of(ayu, "wish_found")
        again = Person(made, "Ben", codec=JSON, wants=PEOPLE_WANT, token=token)
        made.people.append(again)
        again.connect()
        await asyncio.sleep(MOMENT)
        assert node_of(again) != "node2"
        assert texts_of(ayu, "wish_found")
        assert texts_of(again, "wish_found")


@pytest.mark.expects_log("a node dies")
@virtual
async def test_match_requests_outlive_the_node_that_had_the_matchmaker() -> None:
    async with cluster() as made:
        await made.person("Kei")
        ben = await made.person("Ben")
        await made.person("Dan")
        eva = await made.person("Eva")
        assert node_of(ben) == node_of(eva) == "node2"
        await asyncio.sleep(MOMENT)
        assert (await ben.line("/wish manhattan players=2")).ok
        await made.hosts["node1"].kill()
        await asyncio.sleep(5)
        assert (await eva.line("/wish manhattan players=2")).ok
        await asyncio.sleep(0.1)
        assert texts_of(ben, "wish_found")
        assert (await ben.line("/wish no")).ok
        assert texts_of(eva, "wish_waits")
        await made.replace(made.hosts["node1"])
        await asyncio.sleep(3)
        ayu = await made.person("Ayu")
        assert node_of(ayu) == "node1"
        assert (await ayu.line("/wish manhattan players=2")).ok
        await asyncio.sleep(0.1)
        assert texts_of(eva, "wish_found")


@pytest.mark.expects_log("a node dies")
@virtual
async def test_an_offer_outlives_the_node_of_a_person_who_has_not_replied() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        for person in (ayu, ben):
            assert (await person.line("/wish manhattan players=2")).ok
        await asyncio.sleep(0.1)
        assert (await ayu.line("/wish yes")).ok
        await made.hosts[node_of(ben)].kill()
        await asyncio.sleep(5)
        assert len(texts_of(ben, "wish_found")) == 2, "it is made again where they come in"
        assert (await ben.line("/yes")).ok
        await asyncio.sleep(1)
        assert ayu.here == ben.here is not None
        room = made.owner_of(ben.here).room(ben.here).room
        assert [chair.name for chair in room.seats.values()] == ["Ayu", "Ben"]
        assert not texts_of(ayu, "wish_waits")


@pytest.mark.expects_log("a node dies")
@virtual
async def test_a_group_whose_node_dies_before_it_has_made_the_room_is_offered_another() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        for person in (ayu, ben):
            assert (await person.line("/wish manhattan players=2")).ok
        await asyncio.sleep(0.1)
        assert (await ayu.line("/wish yes")).ok
        ben.say("/wish yes")
        await asyncio.sleep(0.006)
        await made.hosts[node_of(ben)].kill()
        await asyncio.sleep(5)
        if ayu.here is None:
            await asyncio.sleep(ARRIVAL_SECONDS)
            for person in (ayu, ben):
                assert (await person.line("/yes")).ok
            await asyncio.sleep(1)
        assert ayu.here == ben.here is not None


@virtual
async def test_a_request_is_taken_back_while_it_is_offered_at_the_other_node() -> None:
    async with cluster() as made:
        ayu, ben = await two_at_two_nodes(made)
        for person in (ayu, ben):
            assert (await person.line("/wish manhattan players=2")).ok
        await asyncio.sleep(0.1)
        assert (await ayu.line("/unwish")).ok
        await asyncio.sleep(0.1)
        assert texts_of(ayu, "wish_dropped")
        assert texts_of(ben, "wish_waits")
        assert (await ben.line("/yes")).code == "no_offer"
        assert (await ayu.line("/wishes")).ok
        assert texts_of(ayu, "wishes")[-1] == "Ben: Manhattan, 2 people"
