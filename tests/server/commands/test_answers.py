"""What the commands that only tell have to tell, in either language."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from bluebear.rules.core.phrases import LANGS
from bluebear.server.commands.answers import rules
from bluebear.server.features import COMMANDS
from bluebear.server.sentences import say
from tests.server.commands.fixtures import opened, playing


def test_help_lists_what_one_may_use_and_nothing_else() -> None:
    house = opened()
    house.enter("Ben")
    tokens = [line.split()[0] for line in house.say("Ben", "/help").text.splitlines()[1:-1]]
    assert ("/join" in tokens, "/start" in tokens, "/kick" in tokens, "/undo" in tokens) == (
        True,
        False,
        False,
        False,
    )
    assert "/kick" not in house.say("Ben", "/help host").text


def test_help_begins_with_the_terms_of_the_game_that_is_played() -> None:
    lines = playing("duel").say("Ayu", "/help").text.splitlines()
    assert lines[1].startswith("  /bid COINS - ")


def test_help_on_a_command_tells_its_other_names() -> None:
    assert opened().say("Ayu", "/help /join").text == (
        "/join [SEAT] [seed=32 hex digits] - take a seat; in a running game, ask for a seat that"
        " a house bot plays\nalso: /参加"
    )


def test_help_in_japanese_shows_the_japanese_name_beside_each_command() -> None:
    house = opened()
    house.enter("Ben", lang="ja")
    assert "  /誰 - 部屋にいる人を出します。ロビーでは、つながっている人を出します。 (/who)" in (
        house.say("Ben", "・ヘルプ 部屋").text.splitlines()
    )


def test_every_command_has_a_help_line_without_line_breaks() -> None:
    lines = [say(f"command.{name}", lang) for name in COMMANDS for lang in LANGS]
    assert [line for line in lines if "\n" in line] == []


def test_who_tells_seats_bots_absence_and_the_turn() -> None:
    house = playing("duel", seats=3)
    house.script("Cho: /leave !")
    house.go("Ayu")
    assert house.say("Wen", "/who").text.splitlines() == [
        "1: Ayu (away)",
        "2: Ben <- to move",
        "3: @random3 (house bot)",
        "Watching: Cho, Wen",
        "Host: Ayu",
    ]


def test_info_tells_the_options_that_were_chosen_and_the_clocks() -> None:
    house = opened("duel")
    house.enter("Ben")
    house.script("Ayu: /join", "Ben: /join", "Ayu: /option rounds 2", "Ayu: /option clock 90+5")
    house.script("Ayu: /start")
    lines = house.say("Ben", "/info").text.splitlines()
    assert lines[0] == "Duel - room 1 - playing"
    assert [line for line in lines if line.startswith(("1:", "2:"))] == [
        "1: Ayu 1:30",
        "2: Ben <- to move 1:30",
    ]
    assert "Options: rounds=2, clock=90+5" in lines


def test_info_says_the_game_in_a_minute_before_it_begins() -> None:
    house = opened("manhattan")
    house.enter("Ben")
    house.script("Ayu: /join", "Ben: /join")
    before = house.say("Ben", "/info").text
    assert "The most points after four rounds win." in before
    house.script("Ayu: /start")
    assert "The most points after four rounds win." not in house.say("Ben", "/info").text


def test_info_publishes_the_seed_after_the_game() -> None:
    house = playing("duel")
    house.script("Ayu: /resign !")
    assert house.room is not None
    assert house.say("Ben", "/info").text.endswith(f"Their seed was: {house.room.table.secret}")


def test_recap_tells_what_happened_in_the_language_of_who_asks() -> None:
    house = opened("duel")
    house.enter("Ben", lang="ja")
    house.script("Ayu: /join", "Ben: /参加")
    assert (house.say("Ayu", "/recap").text, house.say("Ben", "/recap").text) == (
        "Duel: Ayu made a room.\nAyu took a seat.\nBen took a seat.",
        "Ayuが決闘の部屋を作りました。\nAyuが席に着きました。\nBenが席に着きました。",
    )


def test_votes_tell_how_they_stand() -> None:
    house = playing("duel", seats=3)
    house.script("Ayu: /masterreset !", "Ben: /accept")
    house.now += 20_000
    assert house.say("Cho", "/votes").text == (
        "1: ending without a result, asked by Ayu: 2 yes, 0 no, of 3; 40 s left."
        " /accept 1 or /refuse 1"
    )


def test_an_opened_vote_is_reported_as_text_of_its_kind() -> None:
    house = playing("duel", seats=3)
    assert house.say("Ayu", "/pause").text == (
        "Vote 1: Ayu would like a pause. /accept or /refuse within 30 s."
    )


def test_options_are_explained_on_request() -> None:
    house = opened("duel")
    house.script("Ayu: /join")
    assert house.say("Ayu", "/option help rounds").text.startswith("  /option rounds 4  (1-6) ")


def test_the_rules_begin_with_their_chapters() -> None:
    first, second, *_, last = opened("manhattan").say("Ayu", "/rules").text.splitlines()
    assert (first, second) == ("1. Material", "2. Setting up")
    assert last.startswith("Read a chapter or paragraph with /rules and its number")


@pytest.mark.parametrize(
    ("typed", "english", "japanese"),
    [
        ("/rules 1.1", "1.1 Two to four players.\nMore: /rules 1.2", "1.1 2人から4人で遊びます。"),
        ("/rules share the place", "6.3 Players with equal points share the place, and", ""),
    ],
)
def test_a_paragraph_is_shown_in_the_language_of_its_reader(
    typed: str, english: str, japanese: str
) -> None:
    house = opened("manhattan")
    assert house.say("Ayu", typed).text.startswith(english)
    house.enter("Ken", lang="ja")
    shown = house.say("Ken", typed)
    assert shown.text.startswith(japanese) if japanese else shown.refusal is not None


def test_a_chapter_is_its_text_then_its_paragraphs() -> None:
    house = opened("manhattan")
    house.enter("Ken", lang="ja")
    title, text, more = house.say("Ayu", "/rules 5").text.splitlines()
    assert title == "5. Scoring, after every round"
    assert text.startswith("When the blocks of a round are used up, points are counted.")
    assert more == "More: /rules 5.1"
    assert (
        house.say("Ken", "/ルール 5").text.splitlines()[1].startswith("ラウンドのコマを使い切ると")
    )


def test_a_chapter_ends_with_its_meaning_on_this_table() -> None:
    house = playing("manhattan")
    house.enter("Ken", lang="ja")
    here = "On this table: If the round ended now, it would bring: Ayu: 0, Ben: 0."
    assert house.say("Ayu", "/rules 5").text.splitlines()[2] == here
    assert "この卓では: ラウンドがいま終われば" in house.say("Ken", "/rules 5").text
    assert "On this table" not in house.say("Ayu", "/rules 1").text


def test_an_answer_about_one_chapter_has_what_all_of_them_mean_on_this_table() -> None:
    scene = playing("manhattan").scene("Ayu")
    book, chapter = (rules(scene, given).figures for given in ("", "1"))
    assert book is not None
    assert chapter is not None
    table = to_builtins(book())["table"]
    assert table
    assert to_builtins(chapter()) == {"table": table}


def test_a_game_without_texts_of_chapters_has_its_paragraphs() -> None:
    assert opened("duel").say("Ayu", "/rules 1").text.startswith("1.1 ")


def test_a_search_in_the_rules_lists_all_its_paragraphs() -> None:
    lines = opened("manhattan").say("Ayu", "/rules top left").text.splitlines()
    assert lines[0].startswith("1.3 Sites are numbered in reading order")
    house = opened("manhattan")
    house.enter("Ken", lang="ja")
    assert "続き: /ルール 4.2、/ルール 4.3" in house.say("Ken", "/ルール ビル").text


def test_a_ruling_is_shown_behind_its_paragraph() -> None:
    text = opened("manhattan").say("Ayu", "/rules 6.3").text
    assert text.startswith("6.3 Players with equal points share the place, and the win. [Ruling")
    assert "Other reading: " in text
    assert "裁定" not in text


@pytest.mark.parametrize("typed", ["/look castle", "/look 城", "/look しろ", "/look castle about"])
def test_a_thing_is_explained_before_the_game_and_in_it(typed: str) -> None:
    for house in (opened("tokugawa"), playing("tokugawa")):
        assert house.say("Ayu", typed).text.startswith("Castle: 4 koku, no action;")


@pytest.mark.parametrize(
    ("typed", "begins"),
    [
        ("/look hong kong", "Hong Kong"),
        ("/look card 5", "Card 5"),
        ("/眺める 香港 説明", "Hong Kong: one of"),
    ],
)
def test_a_name_may_consist_of_several_parts(typed: str, begins: str) -> None:
    assert playing("manhattan").say("Ayu", typed).text.startswith(begins)


@pytest.mark.parametrize("typed", ["n7", "N07", "N7", "Ｎ７", "n007"])
def test_a_number_matches_with_and_without_its_zeros(typed: str) -> None:
    house = opened("itc")
    assert house.say("Ayu", f"/look {typed}").text == house.say("Ayu", "/look n07").text
    assert "n07" in house.say("Ayu", "/look n07").text


def test_a_thing_that_does_not_exist_is_answered_with_those_that_do() -> None:
    refusal = playing("manhattan").say("Ayu", "/look hong kongo").refusal
    assert refusal is not None
    assert refusal.candidates[0] == "hongkong"


def test_an_area_is_shown_and_a_line_beside_it_explained() -> None:
    house = playing("tokai")
    assert "Gifu-Hashima*, Nagoya*" in house.say("Ayu", "/look jr_shinkansen").text
    assert house.say("Ayu", "/look jr_shinkansen about").text.startswith("JR Shinkansen: costs")
    assert house.say("Ayu", "/look xyzzy").refusal is not None


def test_in_the_lobby_the_rules_of_any_game_can_be_read() -> None:
    house = opened()
    house.meet("Ben")
    assert house.say("Ben", "/rules マンハッタン").text.startswith("1. Material\n2. ")
    assert house.say("Ben", "/rules manhattan 1.1").text.endswith("More: /rules manhattan 1.2")


def test_the_end_of_a_game_is_reported_with_its_ranking() -> None:
    house = playing("duel")
    assert house.say("Ayu", "/resign !").text.splitlines() == [
        "Ayu resigned.",
        "Final ranking (by resignation):",
        "1. Ben (0)",
        "2. Ayu (0)",
    ]


def test_a_proposal_of_the_game_tells_what_to_type() -> None:
    house = opened("manhattan")
    house.script("Ayu: /join", "Ayu: /bot")
    assert house.say("Ayu", "/bot").text.endswith("/option sixrounds on")
    assert "sixrounds" not in house.say("Ayu", "/bot").text


def test_what_is_chosen_already_is_not_proposed() -> None:
    house = opened("manhattan")
    house.script("Ayu: /join", "Ayu: /bot", "Ayu: /option sixrounds on")
    assert "sixrounds" not in house.say("Ayu", "/bot").text


def test_who_is_sent_out_after_a_game_is_not_in_the_next() -> None:
    house = playing("duel", seats=3)
    house.script(
        "Ayu: /masterreset !", "Ben: /accept", "Cho: /accept", "Ayu: /kick Ben", "Ayu: /again"
    )
    assert house.room is not None
    assert [chair.name for chair in house.room.seats.values()] == ["Ayu", "Cho"]


def test_who_resigns_does_so_under_the_players_name() -> None:
    assert playing("duel", seats=3).say("Cho", "/resign !").text.splitlines()[:2] == [
        "Cho resigned.",
        "A house bot (random) plays on for Cho.",
    ]


def test_info_has_all_options_and_the_scores() -> None:
    text = playing("manhattan").say("Ayu", "/info").text
    assert "Score so far: Ayu: 0, Ben: 0" in text
    assert "Other options: " in text
    assert "confirm=off" in text


def test_a_refusal_ends_with_the_paragraph_that_rules_opens() -> None:
    house = playing("manhattan")
    assert house.room is not None
    mover = "Ayu" if house.scene("Ayu").seat in house.room.table.turn else "Ben"
    other = "Ben" if mover == "Ayu" else "Ayu"
    text = house.say(other, "/take 1 1 1 1 1 1").text
    assert text.endswith(" (3.1)")
    assert house.say(other, "/rules 3.1").text.startswith("3.1 ")
