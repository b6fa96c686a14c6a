"""The lobby as windows: a page of the list of rooms, and what changes on it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bluebear.protocol import Answer, Ask, Error, Lobby
from bluebear.rules.core.merge_patch import apply
from bluebear.server.limits import LISTING_SIZE, LOBBY_SECONDS, PAGES_RETRY_MS, PAGES_WAITED_FOR
from bluebear.server.store.rooms import window
from tests.server.fixtures import Stage

SOON = LOBBY_SECONDS * 2


def seen(stage: Stage, name: str) -> Any:  # Any: a plain tree
    """The page that a client sees: the newest complete page with its later patches."""
    tree: Any = None
    version = 0
    for message in stage.people[name].messages:
        if isinstance(message, Lobby):
            if message.full:
                tree = message.patch
            else:
                assert message.version == version + 1, "versions are consecutive"
                tree = apply(message.patch, tree)
            version = message.version
    return tree


def look(stage: Stage, name: str, **args: str | int) -> Any:  # Any: a plain tree
    """A client requests a page. Returns the reply, or the code of the refusal."""
    listener = stage.people[name]
    stage.frame(name, listener.codec.encode(Ask(id="q", what="lobby", args=args)))
    last = next(each for each in reversed(listener.messages) if isinstance(each, Answer | Error))
    return last.body if isinstance(last, Answer) else last.code


def rooms(stage: Stage, name: str) -> list[str]:
    return list(seen(stage, name)["order"])


def test_a_newcomer_sees_the_first_page(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    made = stage.entries()[0].at
    stage.wait(SOON)
    stage.come("Ben")
    assert seen(stage, "Ben") == {
        "rooms": {
            stage.room_id: {
                "game": "journey",
                "phase": "open",
                "seats": ["Ayu"],
                "free": 2,
                "locked": False,
                "clock": "",
                "options": {},
                "watchers": 0,
                "made": made,
            }
        },
        "order": [stage.room_id],
        "page": 1,
        "pages": 1,
        "total": 1,
    }


def test_what_changes_on_a_page_is_reported_to_those_who_look_at_it(stage: Stage) -> None:
    stage.come("Ben", "Cem")
    stage.table("journey", "Ayu", kind="public")
    stage.wait(SOON)
    assert rooms(stage, "Ben") == rooms(stage, "Cem") == [stage.room_id]
    stage.play("Ayu", "/leave")
    stage.wait(SOON)
    assert seen(stage, "Ben")["rooms"][stage.room_id]["seats"] == []


def test_nothing_is_reported_about_rooms_that_are_not_listed(stage: Stage) -> None:
    stage.come("Ben")
    before = len(stage.people["Ben"].messages)
    stage.table("journey", "Ayu", kind="unlisted")
    stage.wait(SOON)
    assert len(stage.people["Ben"].messages) == before


def test_who_is_in_a_room_hears_nothing_of_the_lobby_until_he_is_back(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.come("Eva", "Ben")
    stage.enter("Ben")
    before = len(stage.people["Ben"].messages)
    stage.say("Eva", "/newroom journey", lobby=True)
    stage.wait(SOON)
    reply = stage.people["Ben"].messages[before:]
    assert not [each for each in reply if isinstance(each, Lobby)]
    stage.say("Ben", "/lobby")
    assert len(rooms(stage, "Ben")) == 2


def test_who_was_sent_out_of_a_room_gets_the_page_anew(stage: Stage) -> None:
    """A change while the person was inside is not in the patch that comes next."""
    stage.table("journey", "Ayu", kind="public")
    stage.come("Eva", "Ben", "Cem")
    stage.enter("Ben")
    stage.say("Eva", "/newroom journey", lobby=True)
    stage.wait(SOON)
    stage.play("Ayu", "/kick Ben")
    stage.play("Ayu", "/option days 2")
    stage.wait(SOON)
    stage.play("Ayu", "/leave")
    stage.wait(SOON)
    assert seen(stage, "Ben") == seen(stage, "Cem")


def test_a_page_has_so_many_rooms_and_no_more(stage: Stage) -> None:
    names = [f"Host{number:02}x" for number in range(LISTING_SIZE + 5)]
    for name in names:
        stage.come(name)
        stage.say(name, "/newroom journey", lobby=True)
    stage.wait(SOON)
    stage.come("Ben")
    first = seen(stage, "Ben")
    assert (len(first["rooms"]), first["pages"], first["total"]) == (LISTING_SIZE, 2, len(names))
    assert look(stage, "Ben", page=2) == {"page": 2}
    second = seen(stage, "Ben")
    assert len(second["rooms"]) == 5
    assert not set(first["rooms"]) & set(second["rooms"])


def test_the_list_as_text_has_pages_too(stage: Stage) -> None:
    for number in range(LISTING_SIZE + 5):
        stage.come(f"Host{number:02}x")
        stage.say(f"Host{number:02}x", "/newroom journey", lobby=True)
    stage.come("Ben")
    [first] = stage.say("Ben", "/listroom", lobby=True)["Ben"]
    [second] = stage.say("Ben", "/listroom 2", lobby=True)["Ben"]
    assert second.splitlines()[-1].startswith("Page 2 of 2, 55 rooms in all.")
    [of_game] = stage.say("Ben", "/listroom journey 2", lobby=True)["Ben"]
    [behind] = stage.say("Ben", "/listroom 9", lobby=True)["Ben"]
    assert behind.startswith("(listroom) Page 9 of 2, 55 rooms in all.")
    assert len(first.splitlines()) == LISTING_SIZE + 1
    assert first.splitlines()[-1].startswith("Page 1 of 2, 55 rooms in all.")
    assert len(second.splitlines()) == 6
    assert of_game == second


def test_a_page_can_be_of_one_game_of_free_seats_or_of_running_games(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    open_room = stage.room_id
    stage.table("duel", "Ben", "Cem", kind="public")
    stage.play("Ben", "/start")
    running = stage.room_id
    stage.wait(SOON)
    stage.come("Eva")
    assert rooms(stage, "Eva") in ([open_room, running], [running, open_room])
    for args, expected in (
        ({"game": "journey"}, [open_room]),
        ({"game": "duel"}, [running]),
        ({"only": "free"}, [open_room]),
        ({"only": "running"}, [running]),
    ):
        look(stage, "Eva", **args)
        assert rooms(stage, "Eva") == expected, args


@pytest.mark.parametrize(
    ("args", "code"), [({"page": 0}, "bad_message"), ({"game": "chess"}, "no_such_game")]
)
def test_a_page_that_cannot_be_is_refused(
    stage: Stage, args: dict[str, str | int], code: str
) -> None:
    stage.come("Ben")
    assert look(stage, "Ben", **args) == code


def test_a_room_in_which_people_are_is_not_closed(stage: Stage) -> None:
    """Nothing is said in it for a day; it stays in the list and can be entered."""
    stage.table("journey", "Ayu", kind="public")
    stage.wait(24 * 3600)
    stage.come("Ben")
    assert rooms(stage, "Ben") == [stage.room_id]
    stage.enter("Ben")


def test_a_room_that_no_person_entered_for_long_is_not_shown(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.drop("Ayu")
    stage.wait(8 * 3600)
    stage.come("Ben")
    assert rooms(stage, "Ben") == []


class SlowPages:
    """Pages of the list that are read only when a test lets them; how many at a time, and which."""

    def __init__(self, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
        self.most = self.now = 0
        self.read: list[int] = []
        self.gate = asyncio.Event()
        read = stage.journal.read

        async def slowly(query: Any, *given: Any, **more: Any) -> Any:  # Any: see `Store.read`
            if query is not window:
                return await read(query, *given, **more)
            self.now += 1
            self.most = max(self.most, self.now)
            self.read.append(given[0].page)
            await self.gate.wait()
            self.now -= 1
            return await read(query, *given)

        monkeypatch.setattr(stage.journal, "read", slowly)


def ask_page(stage: Stage, name: str, page: int) -> None:
    request = Ask(id=f"page{page}", what="lobby", args={"page": page})
    stage.throw(name, stage.people[name].codec.encode(request))


def test_pages_are_read_one_at_a_time_and_not_for_who_has_turned_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.come("Ayu", "Ben", "Chie")
    pages = SlowPages(stage, monkeypatch)
    ask_page(stage, "Ayu", 11)
    stage.wait_only(0)
    for page in range(12, 20):
        ask_page(stage, "Ben", page)
    ask_page(stage, "Chie", 30)
    stage.wait_only(1)
    assert pages.read == [10]
    pages.gate.set()
    stage.settle()
    assert (pages.most, pages.read) == (1, [10, 18, 29])
    assert seen(stage, "Chie")["page"] == 30


def test_so_many_lists_are_waited_for(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.come("Ayu", "Ben")
    pages = SlowPages(stage, monkeypatch)
    for number in range(PAGES_WAITED_FOR):
        stage.send("Ayu", f"/listroom {number + 1}")
    stage.wait_only(1)
    stage.send("Ben", "/listroom")
    stage.wait_only(1)
    refused = next(each for each in stage.people["Ben"].messages if isinstance(each, Error))
    assert (refused.code, refused.retry_ms) == ("busy", PAGES_RETRY_MS)
    assert pages.now == 1
    pages.gate.set()
    stage.settle()
    assert pages.most == 1


# The list as text.


def listed(stage: Stage, line: str) -> list[str]:
    """The rows that Eva gets in the lobby."""
    [reply] = stage.say("Eva", line, lobby=True)["Eva"]
    return reply.partition(") ")[2].splitlines()


def test_a_running_game_carries_two_stars_in_the_list(stage: Stage) -> None:
    stage.come("Eva")
    stage.table("journey", "Ayu", "Ben", kind="public")
    assert listed(stage, "/listroom") == [
        f"   {stage.room_id} Journey [Ayu, Ben +1] waiting for players"
    ]
    stage.play("Ayu", "/start")
    assert listed(stage, "/listroom") == [f"** {stage.room_id} Journey [Ayu, Ben] playing"]


def test_free_seats_are_listed_by_game(stage: Stage) -> None:
    stage.come("Eva")
    stage.table("journey", "Ayu", kind="public")
    assert len(listed(stage, "/listfree journey")) == 1
    other = next(key for key in stage.app.games if key != "journey")
    assert listed(stage, f"/listfree {other}") == [
        "There is no such room now. /newroom GAME makes one."
    ]


def test_my_rooms_tell_whose_turn_it_is_and_the_number_of_a_private_one(stage: Stage) -> None:
    stage.come("Eva")
    stage.table("journey", "Ayu", "Eva", kind="public")
    stage.play("Ayu", "/start")
    stage.say("Eva", "/lobby")
    mover = stage.to_move()
    turn = "your turn" if mover == "Eva" else f"to move: {mover}"
    [row] = listed(stage, "/myrooms")
    assert row == f"** {stage.room_id} Journey [Ayu, Eva] playing  {turn}"
    stage.table("journey", "Eva", kind="private")
    stage.say("Eva", "/lobby")
    hidden, _ = sorted(listed(stage, "/myrooms"))
    assert "Journey [Eva +2]" in hidden
    assert f"room {stage.room_id}" in hidden


def test_who_in_the_lobby_names_those_who_are_connected(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    assert stage.say("Ben", "/who", lobby=True)["Ben"] == ["(who) Online: Ayu, Ben"]
