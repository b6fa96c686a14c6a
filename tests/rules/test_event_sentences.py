"""Events and sentences are one list told twice: the nth sentence is that of the nth event.

Over kept games of every game, for spectators and seats, in both languages; the kit proves of each
class of events that its sentences name nothing that its hearers do not have.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from bluebear.rules.core.event_text import event_form, event_text, event_view
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.record import parse_record, replaying
from bluebear.rules.core.visibility import SPECTATOR, Event, Eyes, Seat, Visibility
from bluebear.server.room.events import room_events
from bluebear.server.sentences import event_lines, event_views
from tests.rules.game_files import GAMES
from tests.rules.test_pinned import KEYS, records_of

RECORDS = 3
"""The smallest of a game's records: more show the same classes of events again."""
OF_A_CLASS = 6


@cache
def happened(key: str) -> tuple[tuple[Event, ...], int]:
    """The first few events of each class in a game's kept records, and how many seats there are."""
    results: dict[type[Event], set[Event]] = {}
    seats = 1
    for path in sorted(records_of(key), key=lambda path: path.stat().st_size)[:RECORDS]:
        record = parse_record(path.read_text(encoding="utf-8"))
        seats = max(seats, len(record.head.order))
        for moment in replaying(GAMES[key], record):
            for event in moment.events:
                same = results.setdefault(type(event), set())
                if len(same) < OF_A_CLASS:
                    same.add(event)
    return tuple(sorted(set().union(*results.values()), key=repr)), seats


@pytest.mark.parametrize("key", KEYS)
def test_whoever_learns_of_an_event_has_its_sentence_and_no_other_person(key: str) -> None:
    game = GAMES[key]
    events, seats = happened(key)
    every: list[Eyes] = [SPECTATOR, *(frozenset((Seat(seat),)) for seat in (1, seats))]
    assert events
    for event in events:
        for eyes in every:
            shown = event_view(event, eyes)
            for lang in LANGS:
                text = event_text(game.phrases, event, eyes, lang=lang)
                assert (text is None) is (shown is None), f"{event} for {sorted(eyes)}"
                if text is not None:
                    assert text.strip(), event
                    assert not set("{}") & set(text), text
                    assert "None" not in text, f"{event} for {sorted(eyes)}: {text}"


@pytest.mark.parametrize("key", KEYS)
def test_the_two_lists_of_an_update_go_side_by_side(key: str) -> None:
    game = GAMES[key]
    reported, seats = happened(key)
    for seat in (0, seats):
        eyes = frozenset((Seat(seat),)) if seat else SPECTATOR
        views = event_views(reported, eyes)
        for lang in LANGS:
            lines = event_lines(reported, eyes, lang, game, None)
            alone = [event_lines([each], eyes, lang, game, None) for each in reported]
            assert lines == [line for each in alone for line in each]
            assert len(lines) == len(views)


@pytest.mark.parametrize("kind", room_events(), ids=lambda kind: kind.__name__)
def test_what_happens_in_a_room_hides_nothing_from_those_who_hear_of_it(kind: type[Event]) -> None:
    """So its event and its sentence are both there, or both not."""
    form = event_form(kind)
    assert (kind.sight, form.owned) == (Visibility.PUBLIC, ())


@pytest.mark.parametrize("key", ["itc", "manhattan", "railroad_ink", "tokai", "tokugawa"])
def test_a_sentence_names_its_seat_since_a_replay_shows_it_to_all(key: str) -> None:
    for event in GAMES[key].events:
        phrase = GAMES[key].phrases.find(f"event.{event_form(event).name}")
        assert phrase is not None
        assert not re.search(r"\b[Yy]ours?\b|\b[Yy]ou\b", phrase.en), phrase.en
        assert "あなた" not in phrase.ja, phrase.ja
