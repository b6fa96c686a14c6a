"""Did you mean? What is not known is answered with what is near, legal, and for the speaker."""

from __future__ import annotations

import pytest

from tests.server.commands.fixtures import opened, playing


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("/opton", "/option"),
        ("/jion", "/join"),
        ("/オプッション", "/option"),
        ("/newrom", "/newroom"),
        ("/wo", "/who"),
        ("/招態", "/invite"),
    ],
)
def test_a_misspelt_command_is_answered_with_the_nearest(typed: str, nearest: str) -> None:
    house = opened()
    house.script("Ayu: /join 4")
    received = house.say("Ayu", typed)
    assert (received.code, received.candidates[:1]) == ("unknown_command", (nearest,))


@pytest.mark.parametrize(
    ("typed", "candidates"),
    [
        ("/re", ("/recap", "/record", "/replay", "/report")),
        ("/i", ("/info", "/invite")),
        ("/un", ("/unwish", "/uninvite", "/unban")),
        ("/部", ("/room", "/newroom", "/listroom")),
    ],
)
def test_an_ambiguous_beginning_lists_what_it_could_be(
    typed: str, candidates: tuple[str, ...]
) -> None:
    house = opened()
    house.script("Ayu: /join")
    before = house.room
    received = house.say("Ayu", typed)
    assert (received.code, received.candidates) == ("ambiguous_command", candidates)
    assert house.room is before


def test_no_person_is_pointed_to_what_he_may_not_use() -> None:
    house = opened()
    house.enter("Ben")
    assert (house.say("Ben", "/opton").candidates, house.say("Ben", "/kik Ayu").candidates) == (
        (),
        ("/nick",),
    )


def test_terms_of_a_game_are_near_only_while_it_is_played() -> None:
    waiting, running = opened("duel"), playing("duel")
    assert "/bid" not in waiting.say("Ayu", "/bdi 3").candidates
    assert "/bid" in running.say("Ayu", "/bdi 3").candidates
    assert "/bid" not in running.say("Wen", "/bdi 3").candidates


@pytest.mark.parametrize(
    ("typed", "code", "candidates"),
    [
        ("/option sixronds", "no_such_option", ("sixrounds",)),
        ("/option sixrounds maybe", "bad_value", ("on", "off")),
        ("/option start 99", "bad_value", ("0-12",)),
        ("/option hints 99", "bad_value", ("off", "on", *map(str, range(1, 11)))),
        (
            "/option clock 99d",
            "bad_value",
            ("300+10", "0+0 ... 99999+9999", "1d ... 30d", "off"),
        ),
        (
            "/bot gredy",
            "bad_word",
            ("pupil", "casual", "club", "strong", "master", "greedy", "random", "remove"),
        ),
        ("/newroom manhatan", "no_such_game", ("manhattan",)),
        ("/listfree マンハッターン", "no_such_game", ("manhattan",)),
        ("/kick Bn", "no_such_person", ("Ben",)),
        (";Bn hello", "nobody_here", ("Ben",)),
        ("/help jion", "unknown_command", ("/join",)),
        ("/join x", "bad_word", ("1-4",)),
    ],
)
def test_a_wrong_term_is_answered_with_the_right_ones(
    typed: str, code: str, candidates: tuple[str, ...]
) -> None:
    house = opened()
    house.enter("Ben")
    house.script("Ayu: /join 4")
    received = house.say("Ayu", typed)
    assert (received.code, received.candidates) == (code, candidates)


def test_the_candidates_stand_in_the_sentence() -> None:
    house = opened()
    house.script("Ayu: /join")
    assert house.say("Ayu", "/opton").text == (
        "There is no command /opton that you could use now. /help lists them. Perhaps: /option"
    )


def test_the_sentence_is_in_the_language_of_who_typed() -> None:
    house = opened()
    house.enter("Ben", lang="ja")
    house.script("Ben: /参加")
    assert house.say("Ben", "/opton").text == (
        "いま使えるコマンドに /opton はありません。/ヘルプ で一覧が出ます。 候補: /オプション"
    )


def test_a_player_who_is_to_be_replaced_is_matched_by_name() -> None:
    house = playing("duel", seats=3)
    assert house.say("Ayu", "/remove Bem").candidates == ("Ben",)
