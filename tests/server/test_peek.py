"""Looking into a hand with its owner's consent: who sees what, when, and who never does."""

from __future__ import annotations

import pytest

from bluebear.protocol import Error, Note
from bluebear.rules.core.record import Peeked, parse_record, verify
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import RunCommand, Tell
from bluebear.server.limits import PEEK_MINUTES, PEEK_MINUTES_MAX
from bluebear.server.room.creation import new_game_facts
from bluebear.server.room.fold_context import logged_for
from bluebear.server.room.state import Phase
from tests.server.commands.fixtures import House
from tests.server.fixtures import GAMES, Received, Stage
from tests.server.hashes import install
from tests.server.test_lookback import play_on


def sealed(stage: Stage, *, card: int = 3) -> None:
    """An unrated game in which Ayu has laid a sealed card; Emi and Eva watch."""
    stage.table("sealed", "Ayu", "Ben", watching=["Emi", "Eva"])
    stage.play("Ayu", "/startnosave")
    stage.play("Ayu", f"/seal {card}")


def text_of(received: Received, name: str) -> str:
    return "\n".join(received.get(name, []))


def peek(stage: Stage, name: str, line: str = "/peek Ayu") -> str:
    """The views that `/peek` shows a spectator."""
    stage.say(name, line)
    note = stage.people[name].last(Note)
    return str(note.text) if note.code == "peek" else ""


def board_of(stage: Stage, name: str) -> str:
    stage.say(name, "/board")
    return str(stage.people[name].last(Note).text)


def test_the_owner_is_prompted_and_once_he_allows_it_his_hand_is_seen(stage: Stage) -> None:
    sealed(stage)
    received = stage.say("Emi", "/peek Ayu")
    assert text_of(received, "Ayu") == (
        "(peek_wanted) Emi would like to look into your hand."
        " To allow it for ten minutes: /allowpeek Emi"
    )
    assert text_of(received, "Emi").startswith("(peek_asked) Ayu was asked.")
    assert set(received) == {"Ayu", "Emi"}
    received = stage.say("Ayu", "/allowpeek Emi")
    assert received == stage.to_all("Ayu lets Emi look into the hand, for 10 minutes.")
    head, shown = peek(stage, "Emi").split("\n", 1)
    assert head == "As Ayu sees it; you may look for 10 min more."
    assert shown == board_of(stage, "Ayu")
    assert shown != board_of(stage, "Emi")


def test_one_section_of_the_table_is_seen_as_the_owner_sees_it(stage: Stage) -> None:
    stage.table("manhattan", "Ayu", "Ben", watching=["Emi"])
    stage.play("Ayu", "/startnosave")
    stage.play("Ayu", "/allowpeek Emi 5")
    stage.say("Ayu", "/hand")
    hand = str(stage.people["Ayu"].last(Note).text)
    assert peek(stage, "Emi", "/peek 1 hand").split("\n", 1)[1] == hand
    assert stage.refused("Emi", "/peek 1 nothing") == "no_such_area"


def test_no_other_person_sees_anything_of_it(stage: Stage) -> None:
    sealed(stage)
    stage.play("Ayu", "/allowpeek Emi")
    received = stage.say("Eva", "/peek Ayu")
    assert text_of(received, "Eva").startswith("(peek_asked)")
    assert set(stage.say("Emi", "/peek Ayu")) == {"Emi"}
    received = stage.say("Emi", "/peek Ben")
    assert text_of(received, "Emi").startswith("(peek_asked)")


def test_it_ends_by_itself_and_all_people_is_notified(stage: Stage) -> None:
    sealed(stage)
    stage.play("Ayu", "/allowpeek Emi 2")
    stage.wait(119)
    assert peek(stage, "Emi")
    received = stage.wait(1.1)
    assert received == stage.to_all("Emi does not look into the hand of Ayu any more.")
    assert not peek(stage, "Emi")
    assert stage.room.seats[Seat(1)].peek is None
    assert stage.entries()[-1].lines == ("@peekover 1",)


def test_it_is_over_at_its_time_even_where_no_clock_has_rung(stage: Stage) -> None:
    """The room slept, or the disk was slow: the time in the entry counts."""
    sealed(stage)
    stage.play("Ayu", "/allowpeek Emi 2")
    for name in ("Ayu", "Ben", "Emi", "Eva"):
        stage.play(name, "/lobby")
    stage.wait(600)
    assert stage.room.seats[Seat(1)].peek is not None, "nobody was there to ring for"
    stage.enter("Ayu")
    stage.send("Emi", f"/room {stage.room_id}", lobby=True)
    stage.settle()
    assert not peek(stage, "Emi")


def test_the_time_counts_to_the_millisecond() -> None:
    """By the time alone, before anything is written of its end."""
    house = House()
    house.meet("Ayu")
    house.enter("Ayu", "Ben", "Emi")
    house.act("p-ayu", "/newroom sealed public", **new_game_facts(bytes(64)), name="Ayu")
    house.script("Ayu: /join", "Ben: /join", "Ayu: /startnosave", "Ayu: /allowpeek Emi 2")
    house.now += 119_999
    assert isinstance(house.say("Emi", "/peek Ayu").act, Tell)
    house.now += 1
    request = RunCommand("peek", {"person": "p-ayu", "name": "Ayu"})
    assert house.say("Emi", "/peek Ayu").act == request
    assert "looks into the hand" not in house.say("Ben", "/who").text


def test_it_is_taken_back_at_once(stage: Stage) -> None:
    sealed(stage)
    stage.play("Ayu", "/allowpeek Emi 60")
    assert stage.refused("Ayu", "/allowpeek Eva off") == "no_peek"
    received = stage.say("Ayu", "/allowpeek emi off")
    assert received == stage.to_all("Emi does not look into the hand of Ayu any more.")
    assert not peek(stage, "Emi")
    assert stage.refused("Ayu", "/allowpeek Emi 0") == "no_peek"


def test_another_one_replaces_the_first(stage: Stage) -> None:
    sealed(stage)
    stage.play("Ayu", "/allowpeek Emi", "/allowpeek Eva")
    assert peek(stage, "Eva")
    assert not peek(stage, "Emi")


def test_who_returns_may_look_until_the_time_is_over(stage: Stage) -> None:
    sealed(stage)
    stage.play("Ayu", "/allowpeek Emi 5")
    token = stage.people["Emi"].token
    stage.drop("Emi")
    stage.back("Emi", token)
    assert peek(stage, "Emi")
    stage.wait(301)
    assert not peek(stage, "Emi")


def test_it_holds_over_a_restart(stage: Stage) -> None:
    sealed(stage)
    stage.play("Ayu", "/allowpeek Emi 5")
    tokens = {name: stage.people[name].token for name in ("Ayu", "Emi")}
    stage.restart()
    for name, token in tokens.items():
        stage.back(name, token)
    assert peek(stage, "Emi")
    stage.wait(301)
    assert not peek(stage, "Emi")


def test_who_plays_never_looks_into_another_hand(stage: Stage) -> None:
    sealed(stage)
    assert stage.refused("Ben", "/peek Ayu") == "peek_seated"
    assert stage.refused("Ayu", "/allowpeek Ben") == "peek_seated"
    assert stage.refused("Ayu", "/allowpeek Ayu") == "peek_seated"
    assert stage.refused("Emi", "/allowpeek Eva") == "not_permitted"


def test_who_has_looked_takes_no_seat_of_this_game_and_one_of_the_next(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", "Chie", watching=["Emi", "Eva"])
    stage.play("Ayu", "/startnosave")
    stage.play("Ayu", "/allowpeek Emi 1")
    stage.wait(61)
    stage.play("Ben", "/leave !")
    assert stage.refused("Emi", "/join 2") == "has_peeked"
    assert "VoteOpened" in repr([e for logged in _logged(stage, "Eva", "/join 2") for e in logged])


def _logged(stage: Stage, name: str, line: str) -> list[tuple[object, ...]]:
    stage.play(name, line)
    return [logged.events for logged in logged_for(stage.room)]


def test_a_rated_game_has_none_of_it(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    for name in ("Ayu", "Ben"):
        stage.come(name)
        stage.say(name, "/register correct horse", lobby=True)
    stage.table("sealed", "Ayu", "Ben", watching=["Emi"], kind="public")
    stage.play("Ayu", "/start")
    assert stage.refused("Emi", "/peek Ayu") == "peek_rated"
    assert stage.refused("Ayu", "/allowpeek Emi") == "peek_rated"
    assert "/startnosave" in str(stage.people["Ayu"].last(Error).text)


def test_who_gives_up_his_seat_shows_no_hand_any_more(stage: Stage) -> None:
    stage.table("sealed", "Ayu", "Ben", "Chie", watching=["Emi"])
    stage.play("Ayu", "/startnosave", "/allowpeek Emi")
    received = stage.say("Ayu", "/leave !")
    assert "Emi does not look into the hand of Ayu any more." in received["Ben"]
    assert stage.refused("Emi", "/peek 1") == "no_player_there"


def test_who_is_sent_out_looks_no_more(stage: Stage) -> None:
    sealed(stage)
    stage.play("Ayu", "/allowpeek Emi", "/kick Emi")
    assert stage.room.seats[Seat(1)].peek is None
    stage.enter("Emi")
    assert not peek(stage, "Emi")


def test_asking_is_bounded_and_who_keeps_a_person_off_is_not_prompted(stage: Stage) -> None:
    sealed(stage)
    stage.play("Emi", "/peek Ayu")
    assert stage.refused("Emi", "/peek Ayu") == "too_much"
    stage.wait(61)
    stage.play("Ayu", "/mute add Emi")
    assert "Ayu" not in stage.say("Emi", "/peek Ayu")
    stage.wait(61)
    stage.play("Ayu", "/block add Emi")
    assert stage.refused("Emi", "/peek Ayu") == "not_wanted"


def test_a_player_allows_two_hours_at_the_most(stage: Stage) -> None:
    sealed(stage)
    stage.play("Ayu", f"/allowpeek Emi {PEEK_MINUTES_MAX}")
    assert peek(stage, "Emi")


def test_wrong_lines_say_what_would_be_right(stage: Stage) -> None:
    sealed(stage)
    assert stage.refused("Emi", "/peek Nobody") == "no_such_player"
    assert stage.refused("Emi", "/peek Ayo") == "no_such_player"
    assert stage.people["Emi"].last(Error).candidates == ("Ayu",)
    assert stage.refused("Ayu", "/allowpeek Nobody") == "nobody_here"
    for wrong in ("long", "1.5", "-1", str(PEEK_MINUTES_MAX + 1)):
        assert stage.refused("Ayu", f"/allowpeek Emi {wrong}") == "bad_word"
    assert stage.people["Ayu"].last(Error).candidates == (
        str(PEEK_MINUTES),
        str(PEEK_MINUTES_MAX),
        "off",
    )


def test_the_record_has_a_mark_and_verifies(stage: Stage) -> None:
    sealed(stage)
    stage.play("Ayu", "/allowpeek Emi 7")
    while stage.room.table.phase is Phase.PLAYING:
        play_on(stage)
    assert all(chair.peek is None for chair in stage.room.seats.values())
    stage.say("Emi", "/record")
    text = str(stage.people["Emi"].last(Note).text)
    assert "@peek 1 7 Emi\n" in text
    record = parse_record(text)
    assert Peeked(Seat(1), 7, "Emi") in record.lines
    verify(GAMES["sealed"], record)
    stage.say("Emi", f"/minutes {record.head.id}")
    assert "Ayu lets Emi look into the hand" in str(stage.people["Emi"].last(Note).text)
    assert stage.refused("Emi", "/peek Ayu") == "not_now"


def messages_by_name(card: int) -> dict[str, list[object]]:
    """What all clients receive while Emi peeks into Ben's hand, and Ayu has laid a card."""
    with Stage() as stage:
        sealed(stage, card=card)
        stage.play("Ben", "/allowpeek Emi 5")
        stage.say("Emi", "/peek Ben")
        stage.say("Emi", "/peek Ayu")
        stage.say("Emi", "/board")
        stage.say("Eva", "/record")
        return {name: list(map(repr, each.messages)) for name, each in stage.people.items()}


def test_two_worlds_that_look_similar_to_the_seat_look_similar_to_who_looks() -> None:
    one, other = messages_by_name(2), messages_by_name(5)
    assert one["Ayu"] != other["Ayu"]
    for name in ("Ben", "Emi", "Eva"):
        assert one[name] == other[name], name


def boards_by_name(allowed: bool) -> dict[str, list[object]]:
    with Stage() as stage:
        sealed(stage)
        if allowed:
            stage.say("Ayu", "/allowpeek Emi 5")
        for each in stage.people.values():
            each.messages.clear()
        stage.say("Emi", "/peek Ayu") if allowed else None
        for name in ("Emi", "Eva", "Ben"):
            stage.say(name, "/board")
            stage.say(name, "/recap")
            stage.say(name, "/history")
        return {
            name: [m.text for m in each.messages if isinstance(m, Note) and m.code == "board"]
            for name, each in stage.people.items()
        }


@pytest.mark.parametrize("name", ["Emi", "Eva", "Ben"])
def test_the_consent_changes_no_persons_board(name: str) -> None:
    """What is seen is seen by `/peek` alone: frames, boards and history stay a spectator's."""
    assert boards_by_name(allowed=True)[name] == boards_by_name(allowed=False)[name]
