"""Bots' tokens: /token, /tokens, /revoke, what a token lets a program do, and how fast."""

from __future__ import annotations

import re

import pytest

from bluebear.protocol import Bye, Error, Note
from bluebear.server.features import COMMANDS
from bluebear.server.limits import BOT_LINE_BURST, BOTS_PER_PERSON, LINE_BURST, TOKEN_DAYS
from bluebear.server.people.account import Scope
from tests.server.fixtures import Stage
from tests.server.hashes import QuickHasher, install
from tests.server.listener import Listener
from tests.server.test_accounts import registered

TOKEN = re.compile(r"[0-9a-f]{32}")


@pytest.fixture(autouse=True)
def hasher(monkeypatch: pytest.MonkeyPatch) -> QuickHasher:
    return install(monkeypatch)


def bot(stage: Stage, line: str = "/token Robo", *, owner: str = "Ayu") -> Listener:
    """A bot of Ayu's, connected."""
    stage.say(owner, line, lobby=True)
    note = stage.people[owner].last(Note)
    assert note.code == "bot_token"
    [token] = TOKEN.findall(note.text)
    return stage.connect("", client_name="Robo", token=token, bot=True)


@pytest.fixture
def owned(stage: Stage) -> Stage:
    registered(stage)
    return stage


def test_a_bot_is_a_separate_person(owned: Stage) -> None:
    robo = bot(owned)
    assert (robo.name, robo.id != owned.people["Ayu"].id) == ("Robo", True)
    assert robo.connection is not None
    assert not robo.connection.human


def test_its_token_stays_the_same_and_outlives_a_month(owned: Stage) -> None:
    robo = bot(owned)
    for _ in range(2):
        owned.drop("Robo")
        owned.wait_days(TOKEN_DAYS + 1)
        again = owned.connect("", client_name="Robo", token=robo.token, bot=True)
        assert (again.token, again.id) == (robo.token, robo.id)


def test_a_name_may_be_left_out_and_scopes_given(owned: Stage) -> None:
    robo = bot(owned, "/token scopes=chat,host")
    assert robo.name == "Bot1"
    assert robo.connection is not None
    assert robo.connection.scopes == frozenset((Scope.READ, Scope.CHAT, Scope.HOST))
    assert owned.say("Ayu", "/tokens", lobby=True)["Ayu"] == [
        "(bot_tokens) Bot1: read, chat, host (since 2023-11-14)"
    ]


def test_who_takes_all_the_numbers_keeps_no_person_from_a_bot(owned: Stage) -> None:
    for number in range(1, 12):
        owned.connect(f"Bot{number}")
    name = bot(owned, "/token").name
    assert re.fullmatch(r"Bot\d+", name)
    assert int(name.removeprefix("Bot")) > 11


def test_in_japanese_too(stage: Stage) -> None:
    stage.connect("Ayu", lang="ja")
    stage.say("Ayu", "/登録 correct horse", lobby=True)
    stage.say("Ayu", "/トークン ロボ scopes=閲覧、対局", lobby=True)
    assert stage.say("Ayu", "/トークン一覧", lobby=True)["Ayu"] == [
        "(bot_tokens) ロボ: 閲覧、対局(2023-11-14 から)"
    ]


def test_a_guest_has_no_bots(stage: Stage) -> None:
    stage.come("Ayu")
    for line in ("/token Robo", "/tokens", "/revoke Robo"):
        assert stage.refused("Ayu", line, lobby=True) == "register_first"


def test_so_many_bots_and_no_more(owned: Stage) -> None:
    for number in range(BOTS_PER_PERSON):
        owned.say("Ayu", f"/token Robo{number}x", lobby=True)
    assert owned.refused("Ayu", "/token Late", lobby=True) == "too_many_bots"
    owned.come("Late")
    assert owned.people["Late"].name == "Late", "the name that led to nothing is free"


def test_a_bot_takes_no_persons_name(owned: Stage) -> None:
    owned.come("Ben")
    assert owned.refused("Ayu", "/token BEN", lobby=True) == "name_taken"
    assert owned.refused("Ayu", "/token server", lobby=True) == "name_bad"


def test_a_revoked_token_lets_no_person_in_and_ends_what_it_has_let_in(owned: Stage) -> None:
    robo = bot(owned)
    assert owned.say("Ayu", "/revoke robo", lobby=True)["Ayu"] == [
        "(revoked) The token of Robo is void."
    ]
    assert robo.last(Bye).why == "logged_out"
    assert owned.connect("", client_name="late", token=robo.token).received == ["! unauthorized"]
    assert "no bots" in owned.say("Ayu", "/tokens", lobby=True)["Ayu"][0]
    owned.come("Robo")
    assert owned.people["Robo"].name == "Robo"


def test_no_person_revokes_what_is_not_his(owned: Stage) -> None:
    bot(owned)
    registered(owned, "Ben")
    assert owned.refused("Ben", "/revoke Robo", lobby=True) == "no_such_token"
    assert owned.refused("Ayu", "/revoke Robi", lobby=True) == "no_such_token"
    assert owned.people["Ayu"].last(Error).candidates == ("Robo",)


# What a token allows.


@pytest.mark.parametrize(
    ("scopes", "line", "code"),
    [
        ("read", "/join", "token_scope"),
        ("read", "hello", "token_scope"),
        ("read", ";Ben psst", "token_scope"),
        ("read", "/tell Ben psst", "token_scope"),
        ("read", "/newroom journey", "token_scope"),
        ("chat", "/join", "token_scope"),
        ("play,chat", "/newroom journey", "token_scope"),
        ("play,chat,host", "/token Another", "not_for_bots"),
        ("play,chat,host", "/nick Other", "not_for_bots"),
        ("play,chat,host", "/register correct horse", "not_for_bots"),
    ],
)
def test_a_token_allows_what_its_scopes_say(
    owned: Stage, scopes: str, line: str, code: str
) -> None:
    owned.table("journey", "Ben")
    bot(owned, f"/token Robo scopes={scopes}")
    owned.enter("Robo")
    assert owned.refused("Robo", line) == code


def test_without_play_no_move_is_made_by_whatever_route(owned: Stage) -> None:
    """A canonical line takes a way of its own, without a scene."""
    owned.table("journey", "Ben")
    robo = bot(owned)
    owned.enter("Robo")
    owned.play("Robo", "/join")
    owned.play("Ben", "/start")
    assert robo.connection is not None
    robo.connection.scopes = frozenset((Scope.READ,))
    for line in ("/dig", "/DIG", "/undo", "/resign"):
        assert owned.refused("Robo", line) == "token_scope"


def test_with_play_it_plays(owned: Stage) -> None:
    owned.table("journey", "Ben")
    bot(owned)
    owned.enter("Robo")
    owned.play("Robo", "/join")
    owned.play("Ben", "/start")
    assert {"Robo"} <= {owned.room.name_of(seat) for seat in owned.room.seats}
    owned.play(owned.to_move(), "/dig")
    owned.play("Robo", "/dig")


def test_every_command_says_what_a_token_needs() -> None:
    """Whatever is new in this list has to be decided: the least that will do."""
    by_scope = {
        scope: {name for name, each in COMMANDS.items() if each.scope == scope}
        for scope in (*Scope, None)
    }
    assert by_scope[None] >= {"nick", "register", "login", "logout", "token", "tokens", "revoke"}
    assert by_scope[Scope.HOST] >= {"newroom", "kick", "ban", "invite", "password"}
    assert by_scope[Scope.PLAY] >= {"join", "leave", "undo", "resign", "start", "option"}
    assert by_scope[Scope.CHAT] >= {"tell"}
    assert {"join", "newroom", "tell", "nick"}.isdisjoint(by_scope[Scope.READ])


def test_help_and_catalogue_show_what_the_token_allows(owned: Stage) -> None:
    bot(owned, "/token Robo scopes=read")
    text = owned.say("Robo", "/help", lobby=True)["Robo"][0]
    assert "/listroom" in text
    assert "/newroom" not in text
    assert "/register" not in text


# How fast.


def test_who_says_that_he_is_a_bot_has_the_limits_of_a_person(stage: Stage) -> None:
    stage.come("Robo", bot=True, hasty=True)
    listener = stage.people["Robo"]
    for _ in range(LINE_BURST):
        stage.say("Robo", "/lobby", lobby=True)
    stage.send("Robo", "/lobby", lobby=True)
    stage.settle()
    assert listener.received[-1:] == ["! too_fast"]


def test_with_a_token_a_bot_is_faster(owned: Stage) -> None:
    robo = bot(owned)
    assert robo.connection is not None
    owned.drop("Robo")
    fast = owned.connect("", client_name="Robo", token=robo.token, bot=True, hasty=True)
    for _ in range(BOT_LINE_BURST // 4):
        owned.say("Robo", "/lobby", lobby=True)
    assert "! too_fast" not in fast.received


def test_a_bot_follows_its_owner_who_is_barred(owned: Stage) -> None:
    owned.table("journey", "Ben", watching=("Ayu",))
    bot(owned)
    owned.enter("Robo")
    owned.play("Ben", "/ban Ayu")
    assert owned.say("Ben", "a secret plan") == {"Ben": ["Ben: a secret plan"]}
    owned.people["Robo"].room = None
    assert owned.refused("Robo", f"/room {owned.room_id}", lobby=True) == "room_unknown"


def test_a_bot_with_a_seat_stays_at_it(owned: Stage) -> None:
    owned.table("journey", "Ben")
    bot(owned)
    owned.enter("Robo")
    owned.play("Robo", "/join")
    owned.say("Ayu", f"/room {owned.room_id}", lobby=True)
    owned.play("Ben", "/ban Ayu")
    assert owned.say("Ben", "your turn")["Robo"] == ["Ben: your turn"]
