"""Who may know what: hands, piles, and what lies under a load (Rule: itc 16)."""

from __future__ import annotations

from typing import Any

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.conformance.random_play import Position
from bluebear.rules.core.conformance.two_worlds import check_position_in_worlds
from bluebear.rules.core.event_text import event_text, event_view
from bluebear.rules.core.visibility import Event, Eyes, but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import Die, Route
from bluebear.rules.itc.rules.state import Phase, State, Under
from tests.rules.itc.example import (
    A,
    B,
    C,
    next_turn,
    pick_action,
    pick_transports,
    play_lines,
    rolled,
    table,
)

NO_SEATS: Eyes = frozenset()
ONLY_A: Eyes = frozenset({A})
OTHER: Eyes = frozenset({B})


def seen(state: State, eyes: Eyes) -> dict[str, Any]:  # Any: a plain tree
    return GAME.tree.view(state, eyes)


def text_for(events: list[Event], eyes: Eyes) -> str:
    texts = (event_text(GAME.phrases, event, eyes, lang="en") for event in events)
    return "\n".join(text for text in texts if text is not None)


@pytest.mark.rule("itc 16.1", "itc 16.2")
def test_a_hand_is_seen_by_its_owner_and_its_size_by_all() -> None:
    start = table(hands={A: [195, 205]}, kept={A: ["1", "12-asia"]})
    private = seen(start, ONLY_A)["seats"]["1"]
    assert (private["hand"], private["kept"]) == ([195, 205], ["1", "12-asia"])
    for eyes in (OTHER, NO_SEATS):
        shown = seen(start, eyes)["seats"]["1"]
        assert (shown["transports"], shown["actions"]) == (2, 2)
        assert not {"hand", "kept", "under"} & shown.keys()


@pytest.mark.rule("itc 16.2")
@pytest.mark.parametrize("eyes", [NO_SEATS, ONLY_A, frozenset({A, B})], ids=str)
def test_no_player_sees_a_pile(eyes: Eyes) -> None:
    assert not {"transport_pile", "action_pile"} & seen(table(), eyes).keys()


@pytest.mark.rule("itc 16.1")
def test_the_board_and_the_discards_are_open() -> None:
    start = table(loads={Route.RED: {21: "A100+102"}}, hands={B: [195]})
    shown = seen(start, NO_SEATS)
    assert shown["routes"]["red"]["21"] == [[100, 102], 1, "none", False]
    played, _ = play_lines(table(kept={A: ["6"]}), "/play 6")
    assert seen(played, NO_SEATS)["used_actions"] == {"6": 1}


@pytest.mark.rule("itc 16.3", "itc 11.11")
def test_other_people_see_that_a_card_lies_under_a_load_and_not_which() -> None:
    start = table(die=Die.BLUE, hands={A: [195]}, kept={A: ["1", "10"]})
    worlds = [play_lines(start, f"/hide 195 red 1 {under}") for under in ("smuggling", "express")]
    for eyes in (OTHER, NO_SEATS):
        views = [seen(state, eyes) for state, _ in worlds]
        assert views[0] == views[1]
        assert views[0]["routes"]["red"]["11"] == [[195], 1, "hidden", True]
        assert text_for(worlds[0][1], eyes) == text_for(worlds[1][1], eyes)
        assert "hidden card" in text_for(worlds[0][1], eyes)
    assert seen(worlds[0][0], ONLY_A)["seats"]["1"]["under"] == {"195": "smuggling"}
    assert "smuggling" in text_for(worlds[0][1], ONLY_A)


@pytest.mark.rule("itc 16.3")
def test_the_line_that_hides_a_card_is_shown_with_a_question_mark() -> None:
    move = GAME.grammar.parse("/hide 195 red 1 express")
    assert GAME.grammar.format(move, sees_owner=False) == "/hide 195 red 1 ?"


@pytest.mark.rule("itc 16.3", "itc 11.5")
def test_an_inspection_shows_smuggling_and_express_to_all() -> None:
    loads = {Route.RED: {21: "A100?", 31: "A102x"}, Route.BLUE: {21: "A104?"}}
    before = table(loads=loads, mover=B)
    after, events = play_lines(before, "/end", seat=B, draws=[pick_action(before, "9-red")])
    shown = seen(after, OTHER)["routes"]
    assert shown["red"]["21"][2] == Under.NONE
    assert shown["red"]["31"][2] == Under.EXPRESS
    assert shown["blue"]["21"][2] == Under.HIDDEN
    assert "finds contraband under 100" in text_for(events, NO_SEATS)
    assert "express card under 102" in text_for(events, NO_SEATS)


@pytest.mark.rule("itc 16.4", "itc 11.1")
def test_a_drawn_action_card_is_reported_to_its_drawer_only() -> None:
    before = table(mover=B)
    _, events = play_lines(before, "/end", seat=B, draws=[pick_action(before, "12-asia")])
    assert "Asia" in text_for(events, ONLY_A)
    for eyes in (OTHER, NO_SEATS):
        assert "Asia" not in text_for(events, eyes)
        assert "draws an A card" in text_for(events, eyes)


@pytest.mark.rule("itc 16.4")
def test_a_card_done_at_once_is_reported_to_all() -> None:
    before = table(mover=B)
    _, events = play_lines(before, "/end", seat=B, draws=[pick_action(before, "20-asia")])
    assert "Asia gets 4 black" in text_for(events, NO_SEATS)


@pytest.mark.rule("itc 16.4", "itc 8.5")
def test_of_drawn_transport_cards_the_neutral_ones_are_open() -> None:
    start = rolled(table(), red=2, blue=1)
    _, events = play_lines(start, "/use red", draws=pick_transports(start, 195, 1))
    assert "195" in text_for(events, ONLY_A)
    reported_to_rest = text_for(events, OTHER)
    assert "195" not in reported_to_rest
    assert "draws 1 T card" in reported_to_rest
    assert "Africa" in reported_to_rest
    assert all("195" not in str(event_view(event, OTHER)) for event in events)


THREE = read_case(GAME, ["seats=3"])


def covered() -> State:
    """A has laid both a smuggling and an express card in this turn; B has one from before."""
    start = table(
        3,
        die=Die.RED,
        hands={A: [195, 205, 210], B: [170], C: [300]},
        kept={A: ["1", "10", "12-asia"], B: ["4", "1"], C: ["11-asia"]},
        loads={Route.GREEN: {21: "B100x", 31: "C105?"}},
    )
    return play_lines(start, "/hide 195 red 1 smuggling", "/hide 205 blue 1 express")[0]


@pytest.mark.rule("itc 16.2", "itc 16.3")
@pytest.mark.parametrize("eyes", [NO_SEATS, ONLY_A, OTHER, frozenset({B, C})], ids=str)
@pytest.mark.parametrize("phase", ["acting", "next turn", "rolled"])
def test_no_world_that_look_similar_continues_otherwise(eyes: Eyes, phase: str) -> None:
    state = covered()
    if phase == "next turn":
        state = next_turn(state, "13")
    elif phase == "rolled":
        state = but(rolled(next_turn(state, "13"), blue=3, red=2), phase=Phase.ROLLED)
    at = Position(THREE, seed=1, number=0, state=state, counter=0, events=())
    chance = FastChance(7)
    for _ in range(30):
        check_position_in_worlds(at, eyes, chance, tries=4)
