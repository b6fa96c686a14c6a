"""How is a typed text read? Slashes, widths, prefixes, names, quotes, the `!`."""

from __future__ import annotations

import pytest

from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.visibility import Move, Seat
from bluebear.server.commands.acts import RunCommand, SetLang
from bluebear.server.commands.arguments import Form, take_apart
from bluebear.server.commands.resolve import resolve
from tests.games.journey import JourneyGame
from tests.games.journey.state import Go, Lake, Station
from tests.server.commands.fixtures import House, opened, playing


@pytest.mark.parametrize(
    "typed",
    [
        "/join 2",
        "／join 2",
        "・join 2",
        "/ＪＯＩＮ　２",
        "・参加　２",
        "/参加 2",
        "/Join   2  ",
        "/ join 2",
        '/join "2"',
        "/joi 2",
        "/参 2",
        "/join seat=2",
        "/join ｓｅａｔ＝２",
    ],
)
def test_a_command_may_be_written_in_many_forms(typed: str) -> None:
    assert opened().say("Ayu", typed).lines == ("/join 2",)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("/bid 3", "/bid 3"),
        ("/b 3", "/bid 3"),
        ("/bi 3", "/bid 3"),
        ("・入札　３", "/bid 3"),
        ("/入 3", "/bid 3"),
        ("/bid coins=3", "/bid 3"),
        ("/パス", "/pass"),
        ("/pass!", "/pass"),
        ("/pass ！", "/pass"),
    ],
)
def test_a_move_may_be_written_in_many_forms(typed: str, canonical: str) -> None:
    house = playing("duel")
    mover = house.scene("Ayu").view().phase.still[0]
    assert house.say(("Ayu", "Ben")[mover - 1], typed).lines == (canonical,)


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("hello", "hello"),
        ("  hello  ", "hello"),
        ("//join", "/join"),
        ("／／join", "/join"),
        ("・・・", "・・・"),
        ("・・・そうですね", "・・・そうですね"),
        ("Really!!", "Really!!"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "ｆｕｌｌ　ｗｉｄｔｈ"),
        ("@freeze", "@freeze"),
        ("two\nlines", "two lines"),
        ("bell\x07, \x1b[31mred", "bell ,  [31mred"),
        ("turned \u202eround", "turned  round"),
    ],
)
def test_talk_is_reported_as_it_was_written_without_what_harms_a_screen(
    typed: str, text: str
) -> None:
    assert opened().say("Ayu", typed).text == f"Ayu: {text}"


@pytest.mark.parametrize(
    "typed",
    [
        ";Ben psst, you!",
        "；Ben psst, you!",
        "; ben  psst, you!",
        ';"Ben" psst, you!',
        ";ＢＥＮ　psst, you!",
    ],
)
def test_a_whisper_is_for_a_person_in_the_room(typed: str) -> None:
    house = opened()
    house.enter("Ben")
    assert house.say("Ayu", typed).act == RunCommand(
        "tell", {"name": "Ben", "text": "psst, you!", "person": "p-ben"}
    )


@pytest.mark.parametrize("typed", [";Ben", ";Ben   ", "；Ben"])
def test_a_whisper_wants_text(typed: str) -> None:
    house = opened()
    house.enter("Ben")
    assert house.say("Ayu", typed).code == "empty_line"


@pytest.mark.parametrize("typed", [";", "；  ", ";)", "; ;"])
def test_a_whisper_wants_a_person_who_is_here(typed: str) -> None:
    assert opened().say("Ayu", typed).code == "nobody_here"


def test_terms_to_a_person_on_another_node_keep_their_last_sign() -> None:
    house = opened()
    house.meet("Ben")
    act = house.say("Ayu", "/tell ben Come ！ Come!").act
    assert isinstance(act, RunCommand)
    assert act.given == {"name": "ben", "text": "Come ！ Come!"}


@pytest.mark.parametrize("typed", ["/lang ja", "/lang 日本語", "/言語 japanese", "/lang lang=ja"])
def test_a_choice_may_be_made_by_its_names(typed: str) -> None:
    assert opened().say("Ayu", typed).act == SetLang("ja")


def test_quotes_hold_a_name_together() -> None:
    act = opened().say("Ayu", '/nick "Ayu Nova"').act
    assert isinstance(act, RunCommand)
    assert act.given == {"name": "Ayu Nova"}


@pytest.mark.parametrize("typed", ["/", "/ ", "・", "／　", "/!"])
def test_a_slash_alone_is_no_command(typed: str) -> None:
    assert opened().say("Ayu", typed).code == "empty_line"


def test_named_arguments_stand_in_any_order() -> None:
    seed = "ab" * 16
    assert opened().say("Ayu", f"/join seed={seed.upper()} 3").lines == (f"/join 3 seed={seed}",)


@pytest.mark.parametrize(
    "typed", ["/option sixrounds on", "/option sixrounds=on", "/option 6ラウンド ＝オン"]
)
def test_an_option_may_be_set_as_it_is_shown(typed: str) -> None:
    house = opened()
    house.script("Ayu: /join")
    received = house.say("Ayu", typed.replace(" ＝", "＝"))
    assert received.lines == ("/option sixrounds on",)


def test_a_switch_without_a_value_is_toggled() -> None:
    house = opened()
    house.script("Ayu: /option host")
    assert house.say("Ayu", "/option host").lines == ("/option host off",)


@pytest.mark.parametrize(
    "typed", ["/resig", "/全中", "/masterrese", "/kic Ben", "/ba Ben", "/leav"]
)
def test_what_ends_or_takes_something_wants_the_complete_term(typed: str) -> None:
    house = playing("manhattan")
    before = house.room
    assert (house.say("Ayu", typed).code, house.room) == ("whole_word", before)


def test_a_short_term_never_begins_a_game() -> None:
    house = opened("duel")
    house.enter("Ben")
    house.script("Ayu: /join", "Ben: /join")
    received = house.say("Ayu", "/star")
    assert (received.code, received.candidates) == ("whole_word", ("/start", "/startnosave"))


def test_a_game_term_precedes_a_command() -> None:
    """In Journey `/re` could be `/rest`, `/recap`, `/record`, `/replay`, `/resign`, `/reset`."""
    house = playing("journey")
    assert house.say("Ayu", "/re").code == "rash"


def test_a_game_term_is_nothing_to_a_spectator() -> None:
    house = playing("journey")
    assert "/rest" not in house.say("Wen", "/re").candidates


def test_several_moves_of_one_line_are_one_entry() -> None:
    house = playing("journey")
    assert house.say("Ayu", "/go mill castle").lines == ("/go mill", "/go castle")


def test_a_rash_move_is_made_with_an_exclamation_mark_that_is_not_stored() -> None:
    house = playing("journey")
    refused = house.say("Ayu", "/rest")
    assert refused.candidates == ("/rest !",)
    assert house.say("Ayu", refused.candidates[0]).lines == ("/rest",)


def test_a_rash_move_within_a_long_line_is_confirmed_with_the_complete_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def is_rash(game: JourneyGame, state: Lake, seat: Seat, move: Move) -> bool:
        return move == Go(Station.CASTLE)

    monkeypatch.setattr(JourneyGame, "is_rash", is_rash)
    house = playing("journey")
    assert house.say("Ayu", "/go castle mill").code == "not_next"
    refused = house.say("Ayu", "/g mill castle")
    assert (refused.code, refused.candidates) == ("rash", ("/go mill castle !",))
    assert house.say("Ayu", refused.candidates[0]).lines == ("/go mill", "/go castle")


def test_what_is_left_out_is_filled_in_when_only_one_move_fits() -> None:
    house = playing("manhattan")
    turn = house.scene("Ayu").room
    assert turn is not None
    mover = ("Ayu", "Ben")[turn.table.turn[0] - 1]
    received = house.say(mover, "/take")
    assert received.code == "missing_argument"


def test_out_of_turn_that_is_reported_and_not_what_is_missing() -> None:
    house = playing("manhattan")
    turn = house.scene("Ayu").room
    assert turn is not None
    waiting = ("Ayu", "Ben")[2 - turn.table.turn[0]]
    assert house.say(waiting, "/build").code == "not_your_turn"


def test_a_house_bot_speaks_for_its_seat() -> None:
    house = opened("journey")
    house.script("Ayu: /join", "Ayu: /bot", "Ayu: /start", "Ayu: /rest !")
    assert house.say("@2", "/go mill").lines == ("/go mill",)


def test_a_house_bot_cannot_speak_as_the_server() -> None:
    house = opened("journey")
    house.script("Ayu: /join", "Ayu: /bot", "Ayu: /start")
    house.say("@2", "@freeze")
    assert house.say("Ayu", "/info").text.splitlines()[0].endswith("playing")


def test_a_line_has_an_end() -> None:
    house = House()
    house.meet("Ayu")
    with pytest.raises(NotUnderstood, match="too_long"):
        resolve(house.scene("Ayu"), "/tell Ayu " + "a" * 500)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", Form.TALK),
        ("/a", Form.COMMAND),
        (";a", Form.WHISPER),
        ("・・", Form.TALK),
        ("a", Form.TALK),
    ],
)
def test_a_text_has_the_form_of_its_first_signs(text: str, form: Form) -> None:
    assert take_apart(text).form is form
