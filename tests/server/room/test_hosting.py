"""Hosts: invites, passwords, sending out, barring, and the role itself."""

from __future__ import annotations

import re

import pytest

from bluebear.rules.core.visibility import Seat, require
from bluebear.server.limits import (
    AWAY_SECONDS,
    INVITE_DAYS,
    INVITE_USES,
    INVITES_MAX,
    PASSWORD_TRIES,
)
from tests.server.fixtures import Stage

DAY = 24 * 3600


def link(stage: Stage) -> str:
    """An invite link that Ayu makes."""
    [note] = [each for each in stage.say("Ayu", "/invite")["Ayu"] if each.startswith("(note)")]
    match = re.search(r"https?://\S+/r/[0-9a-f]{32}", note)
    assert match is not None, note
    return match[0]


def tries(stage: Stage, name: str, room: str, password: str = "") -> str:
    """The reply that a person in the lobby gets for an attempt to join a room."""
    return stage.refused(name, f"/room {room} {password}".strip(), lobby=True)


def private(stage: Stage, *names: str, password: str = "") -> None:
    """Ayu's private room; the others are in the lobby."""
    stage.come("Ayu", *names)
    stage.say("Ayu", f"/newroom journey private {password}".strip(), lobby=True)
    stage.room_id = stage.live_ids()[0]


# Invite links.


def test_a_link_leads_into_a_private_room(stage: Stage) -> None:
    private(stage, "Ben")
    token = link(stage)
    received = stage.say("Ben", f"/room {token}", lobby=True)
    assert received == {"Ayu": ["Ben is admitted to the room."], "Ben": ["(snapshot)"]}


def test_the_token_alone_leads_there_as_well(stage: Stage) -> None:
    private(stage, "Ben")
    stage.enter("Ben", link(stage).rsplit("/", 1)[-1])


def test_being_admitted_and_spending_the_invite_are_one_entry(stage: Stage) -> None:
    private(stage, "Ben")
    token, version = link(stage), stage.room.version
    stage.enter("Ben", token)
    assert stage.room.version == version + 1
    [invite] = require(stage.room.table.invites).values()
    assert invite.uses == INVITE_USES - 1


def test_only_the_hash_of_a_link_is_stored(stage: Stage) -> None:
    private(stage)
    token = link(stage).rsplit("/", 1)[-1]
    assert token not in repr(stage.entries())
    assert token not in repr(stage.room)


def test_a_link_admits_so_many_and_no_more(stage: Stage) -> None:
    private(stage, *(f"Guest{number}x" for number in range(INVITE_USES + 1)))
    token = link(stage)
    for number in range(INVITE_USES):
        stage.enter(f"Guest{number}x", token)
    assert tries(stage, f"Guest{INVITE_USES}x", token) == "room_unknown"


def test_a_link_ends_after_its_days(stage: Stage) -> None:
    private(stage, "Ben")
    token = link(stage)
    stage.wait_days(INVITE_DAYS - 1)
    stage.wait(DAY - 1)
    stage.enter("Ben", token)
    stage.come("Cem")
    stage.wait(1)
    assert tries(stage, "Cem", token) == "room_unknown"


def test_a_link_made_void_leads_nowhere(stage: Stage) -> None:
    private(stage, "Ben")
    token = link(stage)
    stage.play("Ayu", f"/uninvite {token}")
    assert tries(stage, "Ben", token) == "room_unknown"


def test_all_links_are_made_void_at_once(stage: Stage) -> None:
    private(stage, "Ben")
    tokens = [link(stage), link(stage)]
    stage.play("Ayu", "/uninvite all")
    for token in tokens:
        assert tries(stage, "Ben", token) == "room_unknown"


def test_a_room_has_so_many_live_links(stage: Stage) -> None:
    private(stage)
    for _ in range(INVITES_MAX):
        link(stage)
    assert stage.refused("Ayu", "/invite") == "too_many_invites"


def test_links_that_ended_make_room_for_other_people(stage: Stage) -> None:
    private(stage)
    for _ in range(INVITES_MAX):
        link(stage)
    stage.wait_days(INVITE_DAYS)
    link(stage)


def test_who_was_admitted_stays_so(stage: Stage) -> None:
    private(stage, "Ben")
    stage.enter("Ben", link(stage))
    stage.play("Ayu", "/uninvite all")
    token = stage.people["Ben"].token
    stage.drop("Ben")
    assert "(snapshot)" in stage.back("Ben", token)["Ben"]


def test_links_survive_a_restart(stage: Stage) -> None:
    private(stage)
    token = link(stage)
    stage.restart()
    stage.come("Ben")
    stage.enter("Ben", token)


def test_a_person_is_invited_by_name(stage: Stage) -> None:
    private(stage, "Ben")
    received = stage.say("Ayu", "/invite Ben")
    assert received == {
        "Ayu": ["Ben is invited."],
        "Ben": [f"(invited) Ayu invites you. Type: /room {stage.room_id}"],
    }
    stage.enter("Ben")


def test_only_the_host_invites(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.refused("Ben", "/invite") == "not_permitted"


# Passwords.


def test_a_password_opens_an_unlisted_room(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/password open sesame")
    stage.come("Ben")
    stage.enter("Ben", password="open sesame")  # the scene's own


def test_a_room_with_a_password_wants_it(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/password open sesame")
    stage.come("Ben")
    assert tries(stage, "Ben", stage.room_id) == "password_wanted"
    assert tries(stage, "Ben", stage.room_id, "shut") == "wrong_password"


def test_a_password_never_replaces_the_invite(stage: Stage) -> None:
    private(stage, "Ben", password="sesame")  # the scene's own
    assert tries(stage, "Ben", stage.room_id, "sesame") == "room_unknown"


def test_a_private_room_with_a_password_wants_both(stage: Stage) -> None:
    private(stage, "Ben", password="sesame")  # the scene's own
    token = link(stage)
    assert tries(stage, "Ben", token) == "password_wanted"
    assert tries(stage, "Ben", token, "wrong") == "wrong_password"
    stage.enter("Ben", token, "sesame")


def test_a_wrong_password_does_not_spend_the_invite(stage: Stage) -> None:
    private(stage, "Ben", password="sesame")  # the scene's own
    tries(stage, "Ben", link(stage), "wrong")
    [invite] = require(stage.room.table.invites).values()
    assert invite.uses == INVITE_USES


def test_after_so_many_wrong_passwords_one_waits(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/password sesame")
    stage.come("Ben")
    for _ in range(PASSWORD_TRIES):
        assert tries(stage, "Ben", stage.room_id, "wrong") == "wrong_password"
    assert tries(stage, "Ben", stage.room_id, "sesame") == "password_wait"
    stage.wait(60)
    assert tries(stage, "Ben", stage.room_id) == "password_wanted", "which is no attempt"
    stage.enter("Ben", password="sesame")  # the scene's own


def test_one_persons_guesses_do_not_stop_another(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/password sesame")
    stage.come("Ben", "Cem")
    for _ in range(PASSWORD_TRIES):
        tries(stage, "Ben", stage.room_id, "wrong")
    stage.enter("Cem", password="sesame")  # the scene's own


def test_a_password_is_dropped_again(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/password sesame")
    assert stage.say("Ayu", "/password none")["Ayu"] == ["The room has no password any more."]
    stage.come("Ben")
    stage.enter("Ben")


def test_a_password_is_nowhere_in_plain(stage: Stage) -> None:
    private(stage, "Ben", password="swordfish")  # the scene's own
    stage.play("Ayu", "/password cuttlefish")
    stage.enter("Ben", link(stage), "cuttlefish")
    everything = repr(stage.entries()) + repr(stage.room)
    everything += "".join(repr(each.messages) for each in stage.people.values())
    assert "swordfish" not in everything
    assert "cuttlefish" not in everything


def test_the_hash_of_a_password_is_for_no_persons_eyes(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "/password sesame")
    assert "argon2" not in repr(stage.people["Ayu"].messages)


# Sending out and barring.


def test_who_is_sent_out_of_a_private_room_needs_a_new_invite(stage: Stage) -> None:
    private(stage, "Ben")
    stage.enter("Ben", link(stage))
    stage.play("Ayu", "/kick Ben")
    assert tries(stage, "Ben", stage.room_id) == "room_unknown"
    stage.enter("Ben", link(stage))


def test_who_is_sent_out_hears_nothing_more(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/kick Ben")
    assert stage.say("Ayu", "at last") == {"Ayu": ["Ayu: at last"]}


def test_a_ban_outlives_every_invite(stage: Stage) -> None:
    private(stage, "Ben")
    stage.enter("Ben", link(stage))
    stage.play("Ayu", "/ban Ben")
    assert tries(stage, "Ben", link(stage)) == "room_unknown"
    assert tries(stage, "Ben", stage.room_id) == "room_unknown"


def test_who_is_barred_does_not_find_an_unlisted_room(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/ban Ben")
    assert tries(stage, "Ben", stage.room_id) == "room_unknown"


def test_a_ban_is_lifted(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/ban Ben", "/unban Ben")
    stage.enter("Ben")


def test_no_person_is_unbarred_who_is_not_barred(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", "/unban Ben") == "not_banned"


@pytest.mark.parametrize("line", ["/kick Ayu", "/ban Ayu"])
def test_the_host_is_not_sent_out(stage: Stage, line: str) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", line) == "not_the_host"


@pytest.mark.parametrize("line", ["/kick Cem", "/ban Cem", "/password x", "/host Cem"])
def test_other_people_have_no_power_of_the_host(stage: Stage, line: str) -> None:
    stage.table("journey", "Ayu", "Ben", "Cem")
    assert stage.refused("Ben", line) == "not_permitted"


# The role.


def test_the_host_hands_the_role_on(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.say("Ayu", "/host Ben") == stage.to_all("Ben is the host now.")
    stage.play("Ben", "/kick Ayu")


def test_the_role_moves_only_to_a_person_who_is_here(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.drop("Ben")
    assert stage.refused("Ayu", "/host Ben") == "not_here"


def test_when_the_host_has_left_a_player_takes_over(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", watching=["Abe"])
    stage.drop("Ayu")
    stage.wait(AWAY_SECONDS - 1)
    assert stage.wait(1) == stage.to_all("Ben is the host now.")


def test_a_passer_by_never_becomes_host(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.drop("Ayu")
    assert stage.wait(10 * AWAY_SECONDS) == {}
    assert stage.room.table.host == "Ayu"


def test_who_was_once_admitted_inherits_the_role(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.play("Ayu", "/invite Eva")
    stage.drop("Ayu")
    assert stage.wait(AWAY_SECONDS) == {"Eva": ["Eva is the host now."]}


def test_the_role_returns_to_its_owner_when_he_is_back(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    token = stage.people["Ayu"].token
    stage.drop("Ayu")
    stage.wait(AWAY_SECONDS)
    assert stage.back("Ayu", token) == {
        "Ayu": ["(snapshot)", "Ayu is the host now."],
        "Ben": ["Ayu is the host now."],
    }
    stage.play("Ayu", "/host Ben")
    stage.wait(AWAY_SECONDS)
    assert stage.room.table.host == "Ben", "what was handed on for good stays so"


def test_the_role_returns_from_whoever_has_it_by_then(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", "Cem")
    token = stage.people["Ayu"].token
    stage.drop("Ayu")
    stage.wait(AWAY_SECONDS)
    stage.play("Ben", "/host Cem")
    stage.drop("Cem")
    stage.wait(AWAY_SECONDS)
    assert stage.room.table.host == "Ben"
    stage.back("Ayu", token)
    assert stage.room.table.host == "Ayu"


def test_the_role_returns_after_a_restart_as_well(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    tokens = {name: stage.people[name].token for name in ("Ayu", "Ben")}
    stage.drop("Ayu")
    stage.wait(AWAY_SECONDS)
    stage.restart()
    stage.back("Ben", tokens["Ben"])
    stage.back("Ayu", tokens["Ayu"])
    assert stage.room.table.host == "Ayu"


@pytest.mark.parametrize("line", ["/kick Ayu", "/ban Ayu"])
def test_the_owner_of_the_role_is_not_sent_out_by_who_has_it_meanwhile(
    stage: Stage, line: str
) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.drop("Ayu")
    stage.wait(AWAY_SECONDS)
    assert stage.refused("Ben", line) == "not_the_host"


# A running game.


def hosted_by_eva(stage: Stage) -> None:
    """A running game of three, whose host Eva does not play."""
    stage.game("journey", "Ayu", "Ben", "Cem", watching=["Eva"])
    stage.play("Ayu", "/host Eva")


def test_a_host_without_a_seat_removes_no_player_from_a_running_game_except_by_the_vote(
    stage: Stage,
) -> None:
    hosted_by_eva(stage)
    assert stage.say("Eva", "/kick Ben") == stage.to_all(
        "Vote 1: Eva, the host, would like to send Ben out of the game."
        " /accept or /refuse within 30 s."
    )
    stage.play("Ayu", "/refuse")
    assert stage.seat_of("Ben") == 2
    stage.play("Eva", "/kick Ben")
    stage.play("Ayu", "/accept")
    received = stage.say("Cem", "/accept")
    assert received["Ben"][-1] == "(kicked) The host has sent you out of the room."
    assert stage.room.seats[Seat(2)].person is None
    assert stage.people["Ben"].room is None


def test_a_host_without_a_seat_bars_no_player_of_a_running_game(stage: Stage) -> None:
    hosted_by_eva(stage)
    assert stage.refused("Eva", "/ban Ben") == "players_decide"


def test_the_vote_ends_with_the_seat_that_it_was_about(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", "Cem", watching=["Eva", "Dua"])
    stage.play("Ayu", "/host Eva")
    stage.play("Eva", "/kick Ben")
    stage.play("Ben", "/leave !")
    stage.play("Dua", "/join 2")
    stage.play("Ayu", "/accept 2")
    stage.play("Cem", "/accept 2")
    assert stage.seat_of("Dua") == 2
    assert not stage.room.table.votes


def test_a_host_without_a_seat_sends_watchers_out_at_once(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva", "Dua"])
    stage.play("Ayu", "/host Eva")
    stage.play("Eva", "/kick Dua")
    assert stage.people["Dua"].room is None


def test_a_host_who_plays_is_prompted_back_before_he_sends_a_player_out(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    assert stage.refused("Ayu", "/kick Ben") == "rash"
    stage.play("Ayu", "/kick Eva", "/kick Ben !")


# Who is barred.


def test_a_ban_reaches_who_has_left(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.play("Eva", "/lobby")
    stage.play("Ayu", "/ban Eva")
    assert tries(stage, "Eva", stage.room_id) == "room_unknown"


def test_a_ban_reaches_who_is_not_connected(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    token = stage.people["Eva"].token
    stage.drop("Eva")
    stage.play("Ayu", "/ban Eva")
    stage.connect("Eva", token=token)
    assert tries(stage, "Eva", stage.room_id) == "room_unknown"


def test_a_ban_reaches_a_person_under_his_new_name(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.play("Ayu", "/invite Eva")
    stage.play("Eva", "/lobby", "/nick Nova")
    stage.play("Ayu", "/ban Nova")
    assert tries(stage, "Eva", stage.room_id) == "room_unknown"


def test_no_person_is_barred_that_no_person_knows(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    assert stage.refused("Ayu", "/ban Stranger") == "no_such_person"


# Coming back in time.


def test_a_host_who_returns_in_time_stays_it(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    token = stage.people["Ayu"].token
    stage.drop("Ayu")
    stage.wait(AWAY_SECONDS - 1)
    stage.back("Ayu", token)
    stage.wait(AWAY_SECONDS)
    assert stage.room.table.host == "Ayu"


def test_no_person_loses_the_role_while_the_room_sleeps(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    tokens = {name: stage.people[name].token for name in ("Ayu", "Ben")}
    stage.drop("Ayu")
    stage.drop("Ben")
    stage.wait(10 * AWAY_SECONDS)
    stage.back("Ben", tokens["Ben"])
    assert stage.wait(AWAY_SECONDS - 1) == {}
    stage.back("Ayu", tokens["Ayu"])
    assert stage.room.table.host == "Ayu"


def test_a_hosts_new_name_is_the_rooms(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    received = stage.say("Ayu", "/nick Aya")
    assert received["Ben"] == ["Ayu is called Aya now."]
    assert (stage.room.table.host, stage.room.name_of(1)) == ("Aya", "Aya")
