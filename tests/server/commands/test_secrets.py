"""Passwords and invite tokens: they act, and are found nowhere afterwards."""

from __future__ import annotations

import pytest

from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.visibility import require
from bluebear.server.commands.acts import Enter, RunCommand, Write
from bluebear.server.commands.catalogue import catalogue, complete
from bluebear.server.commands.resolve import loggable
from bluebear.server.room.state import TABLE
from bluebear.server.runtime import token_hash
from tests.server.commands.fixtures import GAMES, House, LineResult, opened

SECRET = "swordfish"


def everything(house: House, *results: LineResult) -> str:
    """All that is kept or shown: entries, answers, the table as members see it, the catalogue."""
    room = house.room
    assert room is not None
    stored = [repr((entry.lines, entry.facts)) for entry in house.entries]
    shown = [repr(TABLE.view(room.table, frozenset())), repr(room.table)]
    offers = [repr(catalogue(house.scene(name))) for name in house.people]
    return "\n".join([*stored, *shown, *offers, *(each.text for each in results)])


def test_a_room_password_is_hashed_before_anything_is_stored() -> None:
    house = opened()
    received = house.say("Ayu", f"/password {SECRET}")
    assert (received.lines, house.hashed) == (("/password set",), [SECRET])
    assert SECRET not in everything(house, received)


def test_members_learn_only_that_there_is_a_password() -> None:
    house = opened()
    house.enter("Ben", lang="ja")
    assert house.say("Ayu", f"/password {SECRET}").text == "The room has a password now."


def test_a_password_may_end_with_any_sign_and_have_spaces() -> None:
    house = opened()
    house.say("Ayu", "/password open sesame!!")
    assert house.hashed == ["open sesame!!"]


def test_a_password_is_the_same_in_full_width() -> None:
    house = opened()
    house.say("Ayu", "/合言葉　ｓｗｏｒｄ！")
    entered = house.say("Ayu", "/部屋　１　sword!")
    assert isinstance(entered.act, Enter)
    assert house.hashed == [entered.act.password] == ["sword!"]


def test_a_password_is_dropped_by_name() -> None:
    house = opened()
    house.script(f"Ayu: /password {SECRET}")
    assert house.say("Ayu", "/合言葉 なし").text == "The room has no password any more."


@pytest.mark.parametrize(
    "typed",
    [
        f"/newroom duel {SECRET}",
        f"/newroom duel prviate {SECRET}",
        f"/uninvite all {SECRET}",
        f"/pasword {SECRET}",
        f"/合い言葉 {SECRET}",
        f"/room 999 {SECRET}",
        f"/password {SECRET * 9}",
    ],
)
def test_a_refusal_does_not_repeat_what_may_be_a_password(typed: str) -> None:
    house = opened()
    received = house.say("Ayu", typed)
    assert received.refusal is not None
    assert SECRET not in received.text + repr(received.refusal.params) + repr(received.candidates)


@pytest.mark.parametrize(
    ("typed", "logged"),
    [
        (f"/password {SECRET}", "/password ..."),
        (f"・合言葉　{SECRET}", "/合言葉 ..."),
        (f"/pasword {SECRET}", "/pasword ..."),
        (f"/room 1 {SECRET}", "/room ..."),
        (f"my password is {SECRET}", ""),
        (f";Ben {SECRET}", ""),
        ("/build 3 frankfurt 5", "/build 3 frankfurt 5"),
        ("/join 2", "/join 2"),
    ],
)
def test_a_log_has_the_line_without_what_may_be_secret(typed: str, logged: str) -> None:
    assert loggable(typed) == logged


def test_an_invite_token_is_reported_to_its_maker_and_stored_as_a_hash() -> None:
    house = opened()
    received = house.say("Ayu", "/invite")
    token = received.text.rsplit("/", 1)[-1]
    assert house.room is not None
    assert list(require(house.room.table.invites)) == [token_hash(token)]
    assert token not in everything(house)


def test_other_people_learn_that_a_link_was_made_and_not_the_link() -> None:
    house = opened()
    received = house.say("Ayu", "/invite")
    assert isinstance(received.act, Write)
    assert "http" not in "".join(str(event) for event in received.events)


def test_an_invite_leads_in_and_is_not_stored_as_it_was_typed() -> None:
    house = opened("duel", privacy="private")
    token = house.say("Ayu", "/invite").text.rsplit("/", 1)[-1]
    house.meet("Ben")
    received = house.say("Ben", f"/room http://bear.example/r/{token}")
    assert received.act == Enter("1", invite=token_hash(token))


def test_a_void_invite_leads_nowhere() -> None:
    house = opened("duel", privacy="private")
    token = house.say("Ayu", "/invite").text.rsplit("/", 1)[-1]
    house.script(f"Ayu: /uninvite {token}")
    house.meet("Ben")
    assert house.say("Ben", f"/room {token}").code == "room_unknown"


def test_nothing_secret_is_offered_for_completion() -> None:
    house = opened()
    token = house.say("Ayu", "/invite").text.rsplit("/", 1)[-1]
    house.script(f"Ayu: /password {SECRET}")
    offered = [
        complete(house.scene("Ayu"), typed).candidates
        for typed in (
            "/password ",
            "/password s",
            "/uninvite ",
            f"/uninvite {token[:4]}",
            "/room 1 ",
        )
    ]
    assert offered == [()] * 5


def test_a_new_room_carries_its_password_apart_from_its_lines() -> None:
    act = opened().say("Ayu", f"/newroom duel private {SECRET}").act
    assert isinstance(act, RunCommand)
    assert act.given == {"game": "duel", "privacy": "private", "password": SECRET}


@pytest.mark.parametrize("key", GAMES)
def test_the_seed_of_the_draws_is_not_shown_before_the_end(key: str) -> None:
    house = opened(key)
    house.script("Ayu: /join")
    assert house.room is not None
    shown = repr(TABLE.view(house.room.table, frozenset())) + house.say("Ayu", "/info").text
    assert require(house.room.table.secret) not in shown


@pytest.mark.parametrize("lang", LANGS)
def test_no_person_reads_from_any_answer_what_another_has_hidden(lang: Lang) -> None:
    """Ayu seals a 1 in one world and a 6 in the other: to Ben and Wen the worlds are the same."""
    worlds = [sealed(card, lang) for card in (1, 6)]
    for name in ("Ben", "Wen"):
        first, other = (answers(house, name) for house in worlds)
        assert first == other


def sealed(card: int, lang: Lang) -> House:
    house = opened("sealed")
    house.enter("Ben", "Wen", lang=lang)
    house.script("Ayu: /join", "Ben: /join", "Ayu: /start", f"Ayu: /seal {card}")
    return house


def answers(house: House, name: str) -> list[object]:
    """All replies that a person can get without changing anything."""
    requests = (
        "info",
        "board",
        "moves",
        "recap",
        "who",
        "votes",
        "help",
        "look",
        "listroom",
        "seal",
    )
    reported = [house.say(name, f"/{term}").text for term in requests]
    scene = house.scene(name)
    offered = [complete(scene, typed) for typed in ("/", "/s", "/seal ", "/help ", ";")]
    return [*reported, *offered, catalogue(scene)]
