"""Does the kit alone see a leak beside events that reveal, and a flag that is wrong or idle?

The game is Court, in which every move is told by an event that may reveal something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from bluebear.rules.core.conformance.__main__ import main
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.visibility import Event, Visibility
from tests.games.court.state import Drew, Got, Guarded, Laid, Peeked, Shown, WentOut
from tests.games.journey.state import Dug, Returned

SHOWN_TO_ALL = (Laid, WentOut, Shown)
SHOWN_TO_ITS_SEAT = (Drew, Got, Peeked)


@pytest.fixture(autouse=True)
def _forms_anew() -> Iterator[None]:
    """Events are told by what their classes say now, and afterwards as they were."""
    event_form.cache_clear()
    yield
    event_form.cache_clear()


def check(key: str, *given: str) -> int:
    """The exit code of the kit."""
    return main(["check", key, *given, "--package", "tests.games"])


def what_is_wrong(capsys: pytest.CaptureFixture[str], key: str = "court", games: int = 4) -> str:
    """The one fault that the kit finds, in few games of each case."""
    assert check(key, "--games", str(games)) == 1
    return capsys.readouterr().err


def test_court_leaks_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("court") == 0
    assert "3 cases hold" in capsys.readouterr().out


@pytest.mark.parametrize("leak", SHOWN_TO_ITS_SEAT)
def test_what_a_seat_is_shown_is_not_reported_to_other_people(
    leak: type[Event], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(leak, "sight", Visibility.PUBLIC)
    output = what_is_wrong(capsys)
    assert f"{leak.__name__}.card" in output
    assert "again: python -m bluebear.rules.core.conformance check court" in output


@pytest.mark.parametrize("event", [*SHOWN_TO_ALL, *SHOWN_TO_ITS_SEAT])
def test_no_flag_can_be_taken_away(
    event: type[Event], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(event, "reveals", None)
    assert event.__name__ in what_is_wrong(capsys)


@pytest.mark.parametrize("event", SHOWN_TO_ALL)
def test_what_all_are_shown_does_not_reveal_to_one_seat(
    event: type[Event], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(event, "reveals", Visibility.OWNER)
    assert event.__name__ in what_is_wrong(capsys)


@pytest.mark.parametrize("event", SHOWN_TO_ITS_SEAT)
def test_what_one_seat_is_notified_cannot_reveal_to_all(
    event: type[Event], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(event, "reveals", Visibility.PUBLIC)
    assert f"{event.__name__}.reveals is Visibility.PUBLIC" in what_is_wrong(capsys)


@pytest.mark.parametrize(
    ("sight", "reveals"),
    [
        (Visibility.PUBLIC, True),
        (Visibility.PUBLIC, Visibility.HIDDEN),
        (Visibility.HIDDEN, Visibility.OWNER),
        (Visibility.HIDDEN, Visibility.PUBLIC),
    ],
)
def test_a_flag_names_to_which_seat(
    sight: Visibility,
    reveals: object,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Drew, "sight", sight)
    monkeypatch.setattr(Drew, "reveals", reveals)
    assert f"Drew.reveals is {reveals}" in what_is_wrong(capsys)


def test_an_event_that_tells_all_of_a_secret_reveals_it_to_its_seat_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Dug, "reveals", Visibility.PUBLIC)
    output = what_is_wrong(capsys, "journey", 2)
    assert re.fullmatch(
        r"journey: Dug.reveals explains no difference: in \d+ steps it tells eyes other than its"
        r" seat's the same in all worlds that look the same to them\n"
        r"  again: python -m bluebear.rules.core.conformance check journey --package tests.games\n",
        output,
    )


@pytest.mark.parametrize("to", [Visibility.OWNER, Visibility.PUBLIC])
@pytest.mark.parametrize(("key", "event"), [("court", Guarded), ("journey", Returned)])
def test_a_flag_that_explains_nothing_is_a_fault(
    key: str,
    event: type[Event],
    to: Visibility,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(event, "reveals", to)
    output = what_is_wrong(capsys, key, 2)
    assert f"{event.__name__}.reveals explains no difference" in output


def test_one_case_does_not_tell_that_a_flag_explains_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Guarded, "reveals", Visibility.PUBLIC)
    assert check("court", "seats=3", "--games", "2") == 0


def test_an_event_that_did_not_happen_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("court", "seats=3", "--games", "1") == 0
    (output,) = [line for line in capsys.readouterr().out.splitlines() if "did not happen" in line]
    assert output.endswith(": Got")
