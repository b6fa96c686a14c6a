"""Does `game.toml` say what forms and lists need, and what is wrong with it?"""

from __future__ import annotations

import pytest

from bluebear import rules
from bluebear.rules.core.draft import draft_of, freeze
from bluebear.rules.core.game import Standing, TextPage, ranking
from bluebear.rules.core.game_info import GameInfo, Option
from bluebear.rules.core.package_data import DataError
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.tables import DataFile
from bluebear.rules.core.visibility import Seat
from tests.games.duel.state import Strike
from tests.rules.scripted_chance import ScriptedChance

TOML = """
key = "tea"
minutes = 30
rules = 2
playable_rules = [1, 2]
legal_bound = 10
longest = 100
credits = ["Somebody"]
[name]
en = "Tea"
ja = "茶"
[seats]
min = 2
max = 5
[[option]]
name = "sugar"
type = "switch"
default = false
[[option]]
name = "cups"
type = "number"
low = 1
high = 12
default = 3
[[option]]
name = "minutes"
type = "number"
low = 5
high = 20
off = true
default = 0
[[option]]
name = "kind"
names = ["種類"]
type = "choice"
choices = ["green", "black"]
default = "green"
"""


def info(old: str = "", new: str = "") -> GameInfo:
    """The text above as an info, with one change."""
    assert old in TOML
    return DataFile(GameInfo, TOML.replace(old, new, 1) if old else TOML, "game.toml").value


def test_all_options_have_a_value_and_an_order() -> None:
    assert list(info().complete({"cups": 5}).items()) == [
        ("cups", 5),
        ("kind", "green"),
        ("minutes", 0),
        ("rules", 2),
        ("sugar", False),
    ]


def test_a_game_of_an_older_version_keeps_it() -> None:
    assert info().complete({"rules": 1})["rules"] == 1


def test_an_added_option_is_left_out_where_it_has_its_default() -> None:
    """The draws of a game depend on its options: a game from before it must stay the same."""
    calm = 'name = "calm"\nadded = true'
    with_one = info('name = "sugar"', calm)
    assert "calm" not in with_one.complete({})
    assert "calm" not in with_one.complete({"calm": False})
    assert with_one.complete({"calm": True})["calm"] is True


def test_the_name_is_in_both_languages() -> None:
    assert (info().name("en"), info().name("ja")) == ("Tea", "茶")


def test_an_option_of_an_unknown_type_is_an_error() -> None:
    with pytest.raises(
        DataError,
        match=r"^game\.toml line 15: option: type liquid is none of switch, number, choice$",
    ):
        info('type = "switch"', 'type = "liquid"')


def test_a_missing_entry_is_named() -> None:
    with pytest.raises(DataError, match=r"^game\.toml line 12: seats: .* field max$"):
        info("max = 5", "")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("sugar", "on", True),
        ("sugar", "off", False),
        ("cups", "12", 12),
        ("minutes", "off", 0),
        ("minutes", "5", 5),
        ("kind", "black", "black"),
    ],
)
def test_what_an_option_reads_it_writes(name: str, text: str, value: object) -> None:
    option = info().options[name]
    read = option.read(text)
    assert read == value
    assert read is not None
    assert option.write(read) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sugar", "maybe"),
        ("cups", "0"),
        ("cups", "13"),
        ("cups", "x"),
        ("cups", "٣"),
        ("cups", "off"),
        ("minutes", "0"),
        ("minutes", "4"),
        ("kind", ""),
    ],
)
def test_what_is_no_value_of_an_option_is_none(name: str, text: str) -> None:
    assert info().options[name].read(text) is None


def test_an_option_says_what_may_be_typed() -> None:
    options = info().options
    assert options["sugar"].values() == ("on", "off")
    assert options["cups"].values() == ("1-12",)
    assert options["minutes"].values() == ("5-20", "off")
    assert options["kind"].values() == ("green", "black")


def test_the_best_score_is_first_and_equal_ones_share_a_position() -> None:
    assert ranking({Seat(1): 5, Seat(2): 9, Seat(3): 5, Seat(4): 1}) == (
        Standing(Seat(1), 2, 5),
        Standing(Seat(2), 1, 9),
        Standing(Seat(3), 2, 5),
        Standing(Seat(4), 4, 1),
    )


def test_a_page_names_seats_as_it_was_reported() -> None:
    assert TextPage().seat(2) == "Seat 2"
    assert TextPage(lang="ja", name_of=lambda seat: f"番{seat}").seat(2) == "番2"


def test_games_are_matched_by_their_folders() -> None:
    assert list(rules.games(("tests.games",))) == ["court", "duel", "journey", "sealed"]


def test_a_game_brings_nothing_but_its_rules() -> None:
    game = rules.games(("tests.games",))["duel"]
    state = game.setup(game.info.complete({}), 2, ScriptedChance(0)).state
    assert (game.bots, game.static) == ({}, {})
    assert game.take_back(state, Seat(1), "") is None
    texts = game.text(state, frozenset())
    assert texts.expand(Seat(1), "bid", "1 2") is None
    assert (texts.status(), texts.points_now()) == ((), {})


def test_the_moves_of_a_draft_are_listed_as_it_is_now() -> None:
    game = rules.games(("tests.games",))["duel"]
    state = game.setup(game.info.complete({}), 2, ScriptedChance(0)).state
    [seat] = game.to_move(state)
    before, draft = game.legal(state, seat), draft_of(state)
    assert game.legal(draft, seat) == before
    draft.phase = Strike(seat=seat)
    assert game.legal(draft, seat) == game.legal(freeze(draft), seat) != before


def test_a_query_that_a_game_does_not_have_is_refused() -> None:
    game = rules.games(("tests.games",))["duel"]
    with pytest.raises(NotAllowed):
        game.text(None, frozenset(), TextPage()).answer("odds", {})


def test_an_option_is_a_value() -> None:
    assert Option("a", "switch", default=True) == Option("a", "switch", default=True)


def test_a_number_may_go_in_steps() -> None:
    price = Option("price", "number", 20_000, low=20_000, high=21_000, step=500)
    read = [price.read(text) for text in ("20000", "20500", "20501", "19500", "21000", "21500")]
    assert read == [20_000, 20_500, None, None, 21_000, None]
    assert price.values() == ("20000, 20500 ... 21000",)
